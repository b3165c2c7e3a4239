//! Whether objects of a type can be initialized ([dcl.init.general], [meta.unary.prop]/9).
//!
//! In: a type of one pass, and the arguments of the initialization or their types. Out: whether it is valid; *can't tell*
//! where a type is not known, or a conversion decides that is not looked for.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::aggregate::{data_members, is_designated};
use super::copying::{Copying, initializes_members};
use super::deduce::{Call, strip_cv_and_references};
use super::types::{Env, Instance, Ty};
use super::viability::Viability;
use super::view::{ClassProperty, Entity, View};
use crate::facts::lower::ast::*;

impl View<'_> {
    /// The type of `T(a)`, `T{a}` and the object that `new T(a)` makes, which is invalid if no constructor takes the
    /// arguments.
    pub(super) fn type_of_construction(&self, ty: &Type, values: &[Expr], env: &Env) -> Option<Ty> {
        let written = ty;
        let ty = self.constructed_type(ty, values, env);
        match ty.unqualified() {
            // `void(e)` and `int(e)` are casts, in whose operand substitution may fail ([expr.type.conv]/2).
            Ty::Builtin(_) if matches!(values, [one] if !matches!(one, Expr::List(_))) => {
                self.type_of_cast(written, &values[0], env)
            }
            // Elements of a list may initialize those of an aggregate, or be one argument of a constructor.
            Ty::Class(class) if values.is_empty() => {
                let answer = self.within_limits(|| self.constructs(class, &Call::new(self, values, env)));
                if answer.is_some_and(Viability::is_ruled_out) { self.invalid() } else { Some(ty) }
            }
            _ => Some(ty),
        }
    }

    /// Whether an object of a type can be initialized with arguments of these types ([meta.unary.prop]/9).
    pub(super) fn is_constructible(&self, ty: &Ty, arguments: &[Ty]) -> Option<bool> {
        match (ty.unqualified(), arguments) {
            (Ty::Class(class), _) => self.is_class_constructible(class, arguments).known(),
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), []) => Some(true),
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), [one]) => self.converts_to(one, ty),
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), _) => Some(false),
            _ => None,
        }
    }

    fn is_class_constructible(&self, class: &Rc<Instance>, arguments: &[Ty]) -> Viability {
        if let [one] = arguments
            && let Some(from) = copying(one, class)
        {
            return Viability::of(self.is_copyable(&Ty::Class(class.clone()), from));
        }
        self.with_values_of(arguments, class, |call| self.constructs(class, &call))
            .and(|| self.creatable(class))
    }

    /// Whether a type is implicitly converted to a class that it is neither derived from nor the same as ([over.match.copy]).
    pub(super) fn converts_to_class(&self, from: &Ty, class: &Rc<Instance>) -> Option<bool> {
        let of_class = match from.without_cvref() {
            Ty::Class(source) => Some(source),
            _ => None,
        };
        if of_class.is_some_and(|source| self.may_convert(source, &Ty::Class(class.clone()))) {
            return None;
        }
        let decl = class.decl.as_ref().filter(|_| self.is_complete(class) && !class.is_closure())?;
        let fits = |call: Call<'_>| self.constructors_fit(class, decl, &call.for_copy(true));
        match self.with_values_of(std::slice::from_ref(from), class, fits).and(|| self.creatable(class)) {
            // Another user-defined conversion may be needed for it.
            Viability::Yes if of_class.is_some() => None,
            answer => answer.known(),
        }
    }

    /// Whether a braced list is implicitly converted to a type that is no reference ([over.ics.list]).
    pub(in crate::facts) fn list_converts_to(&self, values: &[Expr], to: &Ty, env: &Env) -> Viability {
        let call = Call::new(self, values, env);
        if call.is_open() || values.iter().any(is_designated) {
            return Viability::CantTell;
        }
        let converts = |number: usize, to: &Ty| match call.arguments[number] {
            (Expr::List(_), _) => Viability::CantTell,
            // A null pointer constant, a function or an array.
            _ if call.is_zero(number) || matches!(to.unqualified(), Ty::Pointer(_)) => Viability::CantTell,
            _ => Viability::of(call.ty(self, number).and_then(|from| self.converts_to(from, to))),
        };
        match (to.unqualified(), call.arguments.len()) {
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), 0) => Viability::Yes,
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), 1) => converts(0, to),
            (Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_), _) => Viability::No,
            (Ty::Class(class), given) if self.is_complete(class) && !is_list(class) => {
                let has_unnamed = match class.decl.as_ref().map(|decl| &decl.kind) {
                    Some(DeclBody::Class(own)) => {
                        let is_unnamed = |one: &Arc<Decl>| {
                            one.name == sym::EMPTY && matches!(one.kind, DeclBody::Class(_))
                        };
                        own.members.iter().flatten().any(is_unnamed)
                    }
                    _ => true,
                };
                match data_members(class) {
                    // An anonymous union has an element, too.
                    _ if has_unnamed || !class.alternatives.is_empty() => Viability::CantTell,
                    // One element may be an object of the class.
                    Some(members) if given > 1 => {
                        let inside = class.env.inside(class.clone());
                        let types = members.iter().filter_map(|member| match &member.kind {
                            DeclBody::Variable(variable) => Some(self.ty(&variable.ty, &inside)),
                            _ => None,
                        });
                        let types: Vec<Ty> = types.collect();
                        let is_scalar = |ty: &Ty| {
                            matches!(ty.unqualified(), Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_))
                        };
                        match types.iter().all(is_scalar) {
                            true if given > types.len() => Viability::No,
                            true => Viability::all((0..given).map(|number| converts(number, &types[number]))),
                            // Its elements may be those of a member ([dcl.init.aggr]/14).
                            false => Viability::CantTell,
                        }
                    }
                    Some(_) => Viability::CantTell,
                    None => {
                        let constructors = self.constructors(class);
                        let by_elements = || self.within_limits(|| self.constructs(class, &call));
                        match by_elements().unwrap_or(Viability::CantTell) {
                            // Its bases may be given elements, or a constructor the list.
                            Viability::No
                                if constructors.is_empty() || constructors.iter().any(takes_list) =>
                            {
                                Viability::CantTell
                            }
                            answer => answer,
                        }
                    }
                }
            }
            _ => Viability::CantTell,
        }
    }

    /// Whether a class may have a conversion function.
    fn may_be_converted(&self, class: &Rc<Instance>) -> bool {
        !self.is_complete(class) || !self.conversion_functions(class).is_empty()
    }

    /// Asks about a call with arguments of these types, each of which is the call of a function that returns `T &&`, as that
    /// of `declval<T>()`.
    pub(super) fn with_values_of(
        &self,
        arguments: &[Ty],
        class: &Rc<Instance>,
        ask: impl FnOnce(Call<'_>) -> Viability,
    ) -> Viability {
        let names: Vec<_> =
            (0..arguments.len()).map(|number| Symbol::intern(&format!("(argument {number})"))).collect();
        let functions = arguments.iter().map(|ty| {
            let result = match ty {
                Ty::LvalueReference(_) | Ty::RvalueReference(_) => ty.clone(),
                _ => Ty::RvalueReference(Rc::new(ty.clone())),
            };
            Ty::Pointer(Rc::new(Ty::Function(Rc::new(result), Vec::new(), false)))
        });
        let env = class.env.with_parameters(names.iter().copied().zip(functions).collect());
        let called = |name: &Symbol| Expr::Call(Box::new(Expr::Name(Path::plain(*name))), [].into());
        let written: Vec<Expr> = names.iter().map(called).collect();
        self.within_limits(|| ask(Call::new(self, &written, &env))).unwrap_or(Viability::CantTell)
    }

    /// Whether objects of a class can be created and destroyed at all: an abstract class has none ([class.abstract]/3), and
    /// who may use what is not public can't be told.
    fn creatable(&self, class: &Rc<Instance>) -> Viability {
        let of_class = || match self.declared_copies(class)?.destructor.map(|own| &own.specifiers) {
            Some(own) if own.is_deleted => Some(false),
            Some(own) if own.non_public => None,
            _ if self.may_be_abstract(class) => None,
            _ => Some(true),
        };
        Viability::of(self.class_property(class, ClassProperty::Creatable, of_class))
    }

    /// Whether a class or one of its base classes may have a pure virtual function that nothing overrides.
    pub(super) fn may_be_abstract(&self, class: &Rc<Instance>) -> bool {
        // One that is only declared may be defined elsewhere.
        let may_be_pure = |member: &Arc<Decl>| {
            member.specifiers.is_virtual
                && matches!(&member.kind, DeclBody::Function(function) if function.body.is_none())
        };
        let own = match class.decl.as_ref().map(|decl| &decl.kind) {
            Some(DeclBody::Class(body)) => body.members.iter().flatten().any(may_be_pure),
            _ => true,
        };
        own || self.bases(class).iter().any(|base| match base {
            Ty::Class(base) => self.within_limits(|| self.may_be_abstract(base)).unwrap_or(true),
            _ => true,
        })
    }

    /// Whether the initialization of an object of a class by arguments in parentheses is valid.
    pub(super) fn constructs(&self, class: &Rc<Instance>, call: &Call<'_>) -> Viability {
        let Some(decl) = class.decl.as_ref().filter(|_| self.is_complete(class) && !class.is_closure())
        else {
            return Viability::CantTell;
        };
        if call.is_open() {
            return Viability::CantTell;
        }
        if let [(argument, env)] = call.arguments.as_slice() {
            // A braced list, a copy, or what a conversion function may make one of.
            let may_copy = |ty: &Ty| match ty.without_cvref() {
                Ty::Class(source) => self.is_derived(ty, class) || self.may_be_converted(source),
                Ty::Opaque { .. } | Ty::Parameter(..) => true,
                _ => false,
            };
            if matches!(argument, Expr::List(_)) || self.type_of(argument, env).is_none_or(|ty| may_copy(&ty))
            {
                return match self.constructors_fit(class, decl, call) {
                    Viability::Yes => Viability::Yes,
                    _ => Viability::CantTell,
                };
            }
        }
        self.constructors_fit(class, decl, call)
    }

    /// Whether a constructor that a class declares takes the arguments, or the implicit default constructor
    /// ([class.default.ctor]) takes none.
    fn constructors_fit(&self, class: &Rc<Instance>, decl: &Decl, call: &Call<'_>) -> Viability {
        let declared = self.constructors(class);
        if declared.is_empty() && call.arguments.is_empty() {
            let default = |part: &Ty| match part.unqualified() {
                Ty::LvalueReference(_) | Ty::RvalueReference(_) => Some(false),
                Ty::Builtin(_) | Ty::Enum(_) | Ty::Pointer(_) => Some(true),
                Ty::Class(_) => self.is_constructible(part, &[]),
                _ => None,
            };
            let initializes = matches!(&decl.kind, DeclBody::Class(body) if initializes_members(body));
            return match Viability::of(self.all_parts(class, default)) {
                Viability::No if initializes => Viability::CantTell,
                answer => answer,
            };
        }
        let known = |number| call.ty(self, number).is_some_and(Ty::is_sure);
        if !(0..call.arguments.len()).all(known) {
            return Viability::CantTell;
        }
        // What copies an object takes no other; that an argument is converted to one first is asked elsewhere.
        let inside = class.env.inside(class.clone());
        let copies = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => function.parameters.first().is_some_and(|first| {
                one.decl.templates.is_empty() && copying(&self.ty(&first.ty, &inside), class).is_some()
            }),
            _ => false,
        };
        let constructors: Vec<Entity> = declared.into_iter().filter(|one| !copies(one)).collect();
        match self.overloads(&constructors, &Path::plain(decl.name), call).as_slice() {
            // `T{}` may call the one that takes a list.
            [] if call.arguments.is_empty() && constructors.iter().any(takes_list) => Viability::CantTell,
            [] => Viability::No,
            [(entity, ..)] if entity.decl.specifiers.is_deleted => Viability::No,
            [(entity, ..)] if entity.decl.specifiers.non_public => Viability::CantTell,
            [(entity, function, deduced)] => {
                let fits = deduced.viable.and(|| self.is_valid(entity, function, deduced));
                let env = entity.env.with_bindings(deduced.bindings.clone());
                let converts = |(number, parameter): (usize, &Parameter)| match call.ty(self, number) {
                    _ if call.is_zero(number) => Viability::CantTell,
                    Some(from) if !matches!(parameter.ty, Type::Pack(_)) => {
                        let to = self.ty(&parameter.ty, &env);
                        // No second user-defined conversion brings it to the parameter ([over.best.ics]/4).
                        let is_second = call.copy_initializes
                            && self.takes_by_standard_conversion(&to, from).is_ruled_out();
                        if is_second { Viability::No } else { Viability::of(self.converts_to(from, &to)) }
                    }
                    _ => Viability::CantTell,
                };
                let given = function.parameters.iter().enumerate().take(call.arguments.len());
                let fits = fits.and(|| Viability::all(given.map(converts)));
                // The conversions of its other arguments are not looked at where a template alone takes part.
                match entity.decl.templates.is_empty() || call.arguments.len() < 2 {
                    true => fits,
                    false => fits.and(|| Viability::CantTell),
                }
            }
            _ => Viability::CantTell,
        }
    }
}

/// Whether a class is `std::initializer_list<T>`.
fn is_list(class: &Instance) -> bool {
    class.decl.as_ref().is_some_and(|decl| decl.name.as_str() == "initializer_list")
}

/// Whether a constructor takes a `std::initializer_list` first.
fn takes_list(constructor: &Entity) -> bool {
    let DeclBody::Function(function) = &constructor.decl.kind else { return false };
    let is_list =
        |ty: &Type| matches!(ty, Type::Named(path) if path.last().name.as_str() == "initializer_list");
    function.parameters.first().is_some_and(|first| is_list(strip_cv_and_references(&first.ty)))
}

/// How an object of a class is copied from an expression of the type that `declval<T>()` has; `None` if it is of another
/// type.
pub(super) fn copying(from: &Ty, class: &Instance) -> Option<Copying> {
    match from.without_cvref() {
        Ty::Class(of) if of.is_same(class) => Some(match from {
            Ty::LvalueReference(_) => Copying::Lvalue,
            _ => Copying::Rvalue,
        }),
        _ => None,
    }
}
