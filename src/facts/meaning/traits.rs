//! Built-in type traits, on which the standard library's are implemented: `__is_enum(T)` and its like
//! ([meta.unary]; GCC's and Clang's type trait intrinsics).
//!
//! In: a trait and types that are resolved in one pass. Out: its value there.

use super::arithmetic::cast;
use super::constructible::copying;
use super::conversions::{ConversionCost, convertible};
use super::layout::{class_in, emptiness};
use super::types::{Env, TemplateArgument, Ty, Value};
use super::view::{Entity, View};
use crate::facts::lower::ast::*;
use crate::source::sym;
use crate::syntax;

/// Whether a type is a scoped enumeration.
pub(super) fn is_scoped(ty: &Ty) -> bool {
    matches!(ty.unqualified(), Ty::Enum(one) if matches!(&one.decl.kind, DeclBody::Enum(body) if body.scoped))
}

/// Whether a name is that of a built-in type trait with its operands, which are lowered as template arguments.
pub(in crate::facts) fn is_type_trait(path: &Path) -> bool {
    path.last().arguments.is_some() && syntax::is_type_trait(path.last().name.as_str())
}

/// The kinds of fundamental types ([basic.fundamental]).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Category {
    Void,
    NullPointer,
    Integral,
    Floating,
}

/// The kind of a fundamental type; `None` for a compound one.
fn category(ty: &Ty) -> Option<Category> {
    let Ty::Builtin(name) = ty.unqualified() else { return None };
    Some(match name.as_str() {
        "void" => Category::Void,
        "nullptr_t" => Category::NullPointer,
        "float" | "double" | "long double" | "__float128" => Category::Floating,
        _ => Category::Integral,
    })
}

/// Whether an integral type is signed.
fn is_signed(ty: &Ty) -> Option<bool> {
    match ty.unqualified() {
        Ty::Builtin(sym::BOOL) => Some(false),
        Ty::Builtin(name) if name.as_str().starts_with("unsigned") => Some(false),
        Ty::Builtin(name) => {
            let least = cast(Value::Int(-1, sym::INT), *name);
            least.int().map(|value| value < 0)
        }
        _ => None,
    }
}

/// Whether a type is arithmetic, an enumeration, a pointer, a pointer to member or that of `nullptr` ([basic.types.general]).
fn is_scalar(ty: &Ty) -> bool {
    match ty.unqualified() {
        Ty::Enum(_) | Ty::Pointer(_) => true,
        Ty::Builtin(name) => *name != sym::VOID,
        other => member_pointed_to(other).is_some(),
    }
}

/// The operand of a type trait, if it is known.
fn trait_operand(argument: &TemplateArgument) -> Option<Ty> {
    let TemplateArgument::Type(ty) = argument else { return None };
    (ty.is_sure() && !matches!(ty.without_cvref(), Ty::Parameter(..))).then(|| ty.clone())
}

/// What a pointer to member points to.
pub(super) fn member_pointed_to(ty: &Ty) -> Option<&Ty> {
    match ty.unqualified() {
        Ty::Class(class) => class.pointed_to_member().map(|(_, member)| member),
        _ => None,
    }
}

impl View<'_> {
    /// The value of a built-in type trait; `None` for another name, or if a type is not resolved.
    pub(in crate::facts) fn type_trait(&self, name: &Path, env: &Env) -> Option<Value> {
        let operands = name.last().arguments.as_deref().filter(|_| is_type_trait(name))?;
        let operands = self.template_arguments(operands, env);
        if let ("__is_trivially_copyable" | "__is_empty", [TemplateArgument::Type(ty @ Ty::Opaque { .. })]) =
            (name.last().name.as_str(), operands.as_slice())
            && self.sizeof(ty).is_some()
        {
            // A vector type of CUDA, whose header is not there.
            return Some(Value::bool(name.last().name.as_str() == "__is_trivially_copyable"));
        }
        let types: Vec<Ty> = operands.iter().map(trait_operand).collect::<Option<_>>()?;
        let class = |ty: &Ty| match ty.unqualified() {
            Ty::Class(class) => match &class.decl.as_ref()?.kind {
                DeclBody::Class(class) => Some(Some(class.is_union)),
                _ => None,
            },
            _ => Some(None),
        };
        let answer = match (name.last().name.as_str(), types.as_slice()) {
            ("__is_enum", [ty]) => matches!(ty.unqualified(), Ty::Enum(_)),
            ("__is_class", [ty]) => class(ty)? == Some(false),
            ("__is_union", [ty]) => class(ty)? == Some(true),
            ("__is_final", [ty]) => match ty.unqualified() {
                Ty::Class(class) => match &class.decl.as_ref()?.kind {
                    DeclBody::Class(class) if class.members.is_some() => class.is_final,
                    _ => return None,
                },
                _ => false,
            },
            ("__is_empty", [ty]) => match ty.unqualified() {
                Ty::Class(class) => emptiness(self, class)?,
                _ => false,
            },
            ("__is_base_of", [base, derived]) => match (base.unqualified(), derived.unqualified()) {
                (Ty::Class(base), Ty::Class(class)) => {
                    let same = base.is_same(class);
                    let related = same || self.is_derived(derived, base);
                    if !related && !self.is_complete(class) {
                        return None;
                    }
                    related
                }
                _ => false,
            },
            ("__is_same" | "__is_same_as", [one, other]) => one.is_same(other),
            ("__is_convertible" | "__is_convertible_to", [from, to]) => self.converts_to(from, to)?,
            ("__is_constructible", [ty, arguments @ ..]) => self.is_constructible(ty, arguments)?,
            ("__is_nothrow_constructible", [ty, arguments @ ..]) => {
                if self.is_constructible(ty, arguments) == Some(false) {
                    return Some(Value::bool(false));
                }
                self.is_constructed_without_throwing(ty, arguments)?
            }
            ("__is_assignable", [target, source]) => self.is_assignable(target, source)?,
            ("__is_trivially_assignable", [target, source]) => {
                self.is_trivially_assignable(target, source)?
            }
            ("__is_nothrow_assignable", [target, source]) => match self.is_assignable(target, source) {
                Some(false) => false,
                _ if self.is_trivially_assignable(target, source)? => true,
                _ => return None,
            },
            ("__is_destructible", [ty]) => self.is_destructible(ty)?,
            ("__is_nothrow_destructible", [ty]) => {
                self.is_destructible(ty)? && self.destruction_is_non_throwing(ty).known()?
            }
            ("__has_virtual_destructor", [ty]) => match class_in(ty) {
                Some(class) => self.has_virtual_destructor(class)?,
                None => false,
            },
            ("__is_polymorphic", [ty]) => match ty.unqualified() {
                Ty::Class(class) => self.is_polymorphic(class)?,
                _ => false,
            },
            ("__is_abstract", [ty]) => match ty.unqualified() {
                Ty::Class(class) if self.may_be_abstract(class) => return None,
                _ => false,
            },
            ("__is_trivially_destructible", [ty]) => self.is_trivially_destructible(ty)?,
            // It asks nothing of what is deleted.
            ("__has_trivial_destructor", [ty]) => match class_in(ty) {
                Some(class) if self.has_deleted_destructor(class)? => true,
                _ => self.is_trivially_destructible(ty)?,
            },
            ("__is_trivially_constructible" | "__has_trivial_constructor", [ty]) => {
                self.is_trivially_default_constructible(ty)? && self.is_trivially_destructible(ty)?
            }
            ("__is_trivially_constructible", [ty, arguments @ ..]) => {
                if self.is_constructible(ty, arguments) == Some(false) {
                    return Some(Value::bool(false));
                }
                if self.is_trivially_destructible(ty) == Some(false) {
                    return Some(Value::bool(false));
                }
                match (ty.unqualified(), arguments) {
                    (Ty::Class(class), [one]) => {
                        let from = copying(one, class)?;
                        // A template takes an lvalue that is not constant as it is.
                        let is_constant = !matches!(one, Ty::LvalueReference(to) if !matches!(**to, Ty::Qualified(_, true, _)));
                        let is_template = |one: &Entity| !one.decl.templates.is_empty();
                        if !is_constant && self.constructors(class).iter().any(is_template) {
                            return None;
                        }
                        self.is_trivially_copied(ty, from)? && self.is_trivially_destructible(ty)?
                    }
                    (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), [_]) => {
                        self.is_constructible(ty, arguments)?
                    }
                    _ => return None,
                }
            }
            ("__is_trivial", [ty]) => {
                self.is_trivially_copyable(ty)? && self.is_trivially_default_constructible(ty)?
            }
            ("__is_trivially_copyable", [ty]) => self.is_trivially_copyable(ty)?,
            ("__is_integral", [ty]) => category(ty) == Some(Category::Integral),
            ("__is_floating_point", [ty]) => category(ty) == Some(Category::Floating),
            ("__is_arithmetic", [ty]) => {
                matches!(category(ty), Some(Category::Integral | Category::Floating))
            }
            ("__is_fundamental", [ty]) => category(ty).is_some(),
            ("__is_compound", [ty]) => category(ty).is_none(),
            ("__is_scalar", [ty]) => is_scalar(ty),
            ("__is_object", [ty]) => !matches!(
                ty.unqualified(),
                Ty::LvalueReference(_) | Ty::RvalueReference(_) | Ty::Function(..) | Ty::Builtin(sym::VOID)
            ),
            ("__is_signed", [ty]) => match category(ty) {
                Some(Category::Integral) => is_signed(ty)?,
                other => other == Some(Category::Floating),
            },
            ("__is_unsigned", [ty]) => category(ty) == Some(Category::Integral) && !is_signed(ty)?,
            ("__is_nullptr", [ty]) => category(ty) == Some(Category::NullPointer),
            ("__is_member_pointer", [ty]) => member_pointed_to(ty).is_some(),
            ("__is_member_function_pointer", [ty]) => {
                member_pointed_to(ty).is_some_and(|to| matches!(to, Ty::Function(..)))
            }
            ("__is_member_object_pointer", [ty]) => {
                member_pointed_to(ty).is_some_and(|to| !matches!(to, Ty::Function(..)))
            }
            ("__is_bounded_array", [ty]) => matches!(ty.unqualified(), Ty::Array(_, Some(_))),
            ("__is_unbounded_array", [ty]) => matches!(ty.unqualified(), Ty::Array(_, None)),
            ("__is_standard_layout" | "__is_pod" | "__is_literal_type" | "__is_aggregate", [ty]) => {
                match ty.unqualified() {
                    Ty::Class(_) => return None,
                    Ty::Array(..) if name.last().name.as_str() == "__is_aggregate" => true,
                    scalar if is_scalar(scalar) => name.last().name.as_str() != "__is_aggregate",
                    _ => return None,
                }
            }
            ("__is_array", [ty]) => matches!(ty.unqualified(), Ty::Array(..)),
            ("__is_function", [ty]) => matches!(ty, Ty::Function(..)),
            ("__is_pointer", [ty]) => matches!(ty.unqualified(), Ty::Pointer(_)),
            ("__is_reference", [ty]) => matches!(ty, Ty::LvalueReference(_) | Ty::RvalueReference(_)),
            ("__is_lvalue_reference", [ty]) => matches!(ty, Ty::LvalueReference(_)),
            ("__is_rvalue_reference", [ty]) => matches!(ty, Ty::RvalueReference(_)),
            ("__is_const", [ty]) => matches!(ty, Ty::Qualified(_, true, _)),
            ("__is_volatile", [ty]) => matches!(ty, Ty::Qualified(_, _, true)),
            ("__is_void", [ty]) => matches!(ty.unqualified(), Ty::Builtin(sym::VOID)),
            ("__is_scoped_enum", [ty]) => is_scoped(ty),
            _ => return None,
        };
        Some(Value::bool(answer))
    }

    /// Whether a type is implicitly converted to another; `None` if a user-defined conversion that is not known may do it.
    pub(super) fn converts_to(&self, from: &Ty, to: &Ty) -> Option<bool> {
        let (source, target) = (from.without_cvref(), to.without_cvref());
        match (source, target) {
            (Ty::Builtin(sym::VOID), _) | (_, Ty::Builtin(sym::VOID)) => {
                Some(matches!((source, to.unqualified()), (Ty::Builtin(sym::VOID), Ty::Builtin(sym::VOID))))
            }
            (Ty::Class(class), Ty::Class(base)) if class.is_same(base) || self.is_derived(source, base) => {
                Some(true)
            }
            (_, Ty::Class(class)) => match self.conversion_cost(target, Some(source)) {
                ConversionCost::Impossible => Some(false),
                _ => self.converts_to_class(from, class),
            },
            (Ty::Class(class), _) => {
                let mut functions = self.conversion_functions(class);
                functions.retain(|one| !one.decl.specifiers.is_explicit);
                match functions.is_empty() {
                    true if self.is_complete(class) => Some(false),
                    true => None,
                    false => self.conversion_function(&functions, target, None).map(|_| true),
                }
            }
            (Ty::Builtin(_), Ty::Enum(_)) => Some(false),
            (Ty::Enum(_), Ty::Builtin(_)) => Some(!is_scoped(source)),
            (Ty::Pointer(one), Ty::Pointer(other)) => {
                let adds = |ty: &Ty| matches!(ty, Ty::Qualified(_, true, _));
                let same = one.unqualified().is_same(other.unqualified());
                let to_void = matches!(other.unqualified(), Ty::Builtin(sym::VOID));
                let throws_less = matches!((one.as_ref(), other.as_ref()), (Ty::Function(a, b, true), Ty::Function(c, d, false))
                    if a.is_same(c) && b.len() == d.len());
                match (same || to_void || throws_less, one.unqualified(), other.unqualified()) {
                    (true, ..) => Some(adds(other) || !adds(one)),
                    (false, Ty::Class(_), Ty::Class(base)) => {
                        Some(self.is_derived(one, base) && (adds(other) || !adds(one)))
                    }
                    _ => Some(false),
                }
            }
            _ => convertible(target, source).known(),
        }
    }
}
