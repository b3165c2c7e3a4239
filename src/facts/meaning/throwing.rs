//! The noexcept operator and exception specifications ([expr.unary.noexcept], [except.spec]).
//!
//! In: an expression of one pass. Out: whether it is known not to be potentially-throwing; *can't tell* where a type or a
//! called function is not known.

use std::rc::Rc;

use crate::source::{Symbol, sym};

use super::categories::ValueCategory;
use super::constructible::copying;
use super::copying::{Copying, initializes_members};
use super::deduce::{Call, without_reference};
use super::overload::Candidate;
use super::types::{Env, Instance, TemplateArgument, Ty};
use super::typing::{is_forward_or_move, is_namespace_function, is_object};
use super::viability::Viability;
use super::view::{ClassProperty, Entity, LookupResult, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::{CALL_OPERATOR, PARENTHESES};

impl View<'_> {
    /// Whether an expression is not potentially-throwing; `None` if that can't be told.
    pub(super) fn is_non_throwing(&self, expr: &Expr, env: &Env) -> Option<bool> {
        self.non_throwing(expr, env).known()
    }

    fn non_throwing(&self, expr: &Expr, env: &Env) -> Viability {
        self.within_limits(|| self.non_throwing_unguarded(expr, env)).unwrap_or(Viability::CantTell)
    }

    fn non_throwing_unguarded(&self, expr: &Expr, env: &Env) -> Viability {
        let all = |list: &[&Expr]| Viability::all(list.iter().map(|one| self.non_throwing(one, env)));
        match expr {
            Expr::Int(..)
            | Expr::Float(..)
            | Expr::Text(_)
            | Expr::Null
            | Expr::This
            | Expr::Name(_)
            | Expr::SizeofType(_)
            | Expr::SizeofValue(_)
            | Expr::Alignof(_)
            | Expr::SizeofPack(_)
            | Expr::Noexcept(_)
            | Expr::Requires(_) => Viability::Yes,
            Expr::Member(object, false, _) => self.non_throwing(object, env),
            Expr::Unary(operator, inner) if operator.as_str() == PARENTHESES => self.non_throwing(inner, env),
            // A new-expression.
            Expr::Unary(sym::AMP, inner) if matches!(**inner, Expr::Construct(..)) => Viability::CantTell,
            Expr::Unary(operator, inner) => {
                all(&[inner]).and(|| self.operator_is_non_throwing(*operator, &[inner], env))
            }
            Expr::Binary(operator, left, right) => {
                all(&[left, right]).and(|| self.operator_is_non_throwing(*operator, &[left, right], env))
            }
            Expr::Subscript(object, index) => all(&[object, index])
                .and(|| self.operator_is_non_throwing(Symbol::intern("[]"), &[object, index], env)),
            Expr::Conditional(condition, then, otherwise) => all(&[condition, then, otherwise]),
            Expr::Cast(ty, value) => all(&[value]).and(|| match self.object_ty(ty, Some(value), env) {
                to @ (Ty::LvalueReference(_) | Ty::RvalueReference(_)) => {
                    self.binding_is_non_throwing(&to, value, env)
                }
                to => self.construction_is_non_throwing(&to, std::slice::from_ref(value), env),
            }),
            Expr::Construct(ty, values) => {
                let values_are = Viability::all(values.iter().map(|one| self.non_throwing(one, env)));
                let ty = self.constructed_type(ty, values, env);
                values_are.and(|| self.construction_is_non_throwing(&ty, values, env))
            }
            Expr::Call(callee, arguments) => {
                let arguments_are = Viability::all(arguments.iter().map(|one| self.non_throwing(one, env)));
                arguments_are.and(|| self.call_is_non_throwing(callee, arguments, env))
            }
            Expr::Member(_, true, _)
            | Expr::List(_)
            | Expr::Fold(..)
            | Expr::Expansion(_)
            | Expr::Lambda(_)
            | Expr::RangeElement(_)
            | Expr::StructuredBinding(..) => Viability::CantTell,
            Expr::Unknown(text) if text.starts_with("throw") => Viability::No,
            Expr::Unknown(_) => Viability::CantTell,
        }
    }

    /// Whether the operator function of operands does not throw, or their operator is built in.
    fn operator_is_non_throwing(&self, operator: Symbol, operands: &[&Expr], env: &Env) -> Viability {
        let call = Call::of_operands(operands, env);
        let mut may_be_overloaded = false;
        for number in 0..operands.len() {
            match call.ty(self, number).map(Ty::without_cvref) {
                None | Some(Ty::Opaque { .. } | Ty::Parameter(..)) => return Viability::CantTell,
                Some(Ty::Class(_) | Ty::Enum(_)) => may_be_overloaded = true,
                Some(_) => {}
            }
        }
        if !may_be_overloaded {
            return Viability::Yes;
        }
        let is_class = matches!(call.ty(self, 0).map(Ty::without_cvref), Some(Ty::Class(_)));
        let chosen = self.with_operator(operator, call, |chosen| self.candidate_is_non_throwing(&chosen));
        // An implicit assignment, or a conversion that is not looked for.
        chosen.unwrap_or(if is_class { Viability::CantTell } else { Viability::Yes })
    }

    fn call_is_non_throwing(&self, callee: &Expr, arguments: &[Expr], env: &Env) -> Viability {
        match callee {
            Expr::Name(path) => match self.lookup(path, env) {
                LookupResult::Entities(found) if !is_object(&found) => {
                    self.named_call_is_non_throwing(path, found, arguments, env)
                }
                LookupResult::TemplateArgument(TemplateArgument::Type(ty)) => {
                    self.construction_is_non_throwing(&ty, arguments, env)
                }
                LookupResult::Class(class) => {
                    self.construction_is_non_throwing(&Ty::Class(class), arguments, env)
                }
                LookupResult::Nothing if is_forward_or_move(path) => Viability::Yes,
                LookupResult::Nothing if path.segments.len() == 1 => {
                    self.named_call_is_non_throwing(path, Rc::default(), arguments, env)
                }
                _ => self.object_call_is_non_throwing(callee, arguments, env),
            },
            Expr::Member(object, false, member) if member.name.as_str().starts_with('~') => {
                let destroyed = || match self.type_of(object, env) {
                    Some(ty) => self.destruction_is_non_throwing(&without_reference(ty)),
                    None => Viability::CantTell,
                };
                self.non_throwing(object, env).and(destroyed)
            }
            Expr::Member(object, arrow, member) => {
                let Some((class, is_const)) = self.object(object, *arrow, env) else {
                    return Viability::CantTell;
                };
                let LookupResult::Entities(entities) = self.member_of_object(&class, member) else {
                    return Viability::CantTell;
                };
                let path = Path { global: false, elaborated: false, segments: vec![member.clone()] };
                let implied = self.implied_object(&entities, (object, *arrow), is_const, env);
                let call = Call::new(self, arguments, env).of_object(Some(implied));
                let chosen = || self.chosen_is_non_throwing(&entities, &path, &call);
                // `p->f()` of a class calls its operator too.
                let is_plain = !*arrow || !matches!(self.type_of(object, env), Some(Ty::Class(_)));
                let object_is = if is_plain { self.non_throwing(object, env) } else { Viability::CantTell };
                object_is.and(chosen)
            }
            _ => self.object_call_is_non_throwing(callee, arguments, env),
        }
    }

    /// Whether the call of a function by name does not throw, or the construction of an object of the class of that name.
    fn named_call_is_non_throwing(
        &self,
        path: &Path,
        mut entities: Rc<Vec<Entity>>,
        arguments: &[Expr],
        env: &Env,
    ) -> Viability {
        let call = Call::new(self, arguments, env);
        if path.segments.len() == 1 && !path.global && entities.iter().all(is_namespace_function) {
            entities = self.called(path.last().name, entities, &call);
        }
        if !entities.is_empty() && entities.iter().all(|one| matches!(one.decl.kind, DeclBody::Function(_))) {
            return self.chosen_is_non_throwing(&entities, path, &call);
        }
        match self.named_type(path, env) {
            Ty::Opaque { .. } => Viability::CantTell,
            ty => self.construction_is_non_throwing(&ty, arguments, env),
        }
    }

    /// Whether the call of an object, or of the function that it points or refers to, does not throw.
    fn object_call_is_non_throwing(&self, object: &Expr, arguments: &[Expr], env: &Env) -> Viability {
        let Some(ty) = self.type_of(object, env) else { return Viability::CantTell };
        let class = match ty.without_cvref() {
            Ty::Class(class) => class,
            Ty::Pointer(to) => return self.function_is_non_throwing(to),
            function => return self.function_is_non_throwing(function),
        };
        let path = Path::plain(Symbol::intern(CALL_OPERATOR));
        match self.lookup_member(class, path.last().name) {
            LookupResult::Entities(entities) => {
                let call = Call::new(self, arguments, env);
                self.non_throwing(object, env).and(|| self.chosen_is_non_throwing(&entities, &path, &call))
            }
            _ => Viability::CantTell,
        }
    }

    /// Whether the call of a function of a type does not throw. Parameters of class type are not looked at.
    fn function_is_non_throwing(&self, ty: &Ty) -> Viability {
        match ty {
            Ty::Function(result, parameters, non_throwing) => {
                let is_class = |ty: &Ty| matches!(ty.unqualified(), Ty::Class(_));
                match (non_throwing, parameters.iter().any(is_class)) {
                    (false, _) => Viability::No,
                    (true, true) => Viability::CantTell,
                    (true, false) => self.destruction_is_non_throwing(result),
                }
            }
            _ => Viability::CantTell,
        }
    }

    /// Whether the function that a call chooses does not throw, whichever that is if it can't be told.
    fn chosen_is_non_throwing(&self, entities: &[Entity], path: &Path, call: &Call<'_>) -> Viability {
        let all = self.overloads(entities, path, call);
        let mut answers = all.iter().map(|one| self.candidate_is_non_throwing(one));
        let Some(first) = answers.next() else { return Viability::CantTell };
        if answers.all(|one| one == first) { first } else { Viability::CantTell }
    }

    /// Whether a function does not throw, nor what its call does for parameters and a result of class type.
    fn candidate_is_non_throwing(&self, (entity, function, deduced): &Candidate<'_>) -> Viability {
        let of_closure = entity.owner.as_ref().is_some_and(|owner| owner.is_closure());
        if of_closure || function.defaulted {
            return Viability::CantTell;
        }
        let env = entity.env.with_bindings(deduced.bindings.clone());
        let own = self.specified(function, &env);
        let is_copied = |one: &Parameter| match &one.ty {
            Type::Pack(_) => true,
            ty => matches!(
                self.ty(ty, &env).unqualified(),
                Ty::Class(_) | Ty::Opaque { .. } | Ty::Parameter(..)
            ),
        };
        own.and(|| match function.parameters.iter().any(is_copied) {
            true => Viability::CantTell,
            false if is_constructor(entity) => Viability::Yes,
            false => match self.result_ty(function, &env) {
                Some(result) => self.destruction_is_non_throwing(&result),
                None => Viability::CantTell,
            },
        })
    }

    /// What a function's exception specification says; without one it may throw.
    pub(super) fn specified(&self, function: &Function, env: &Env) -> Viability {
        let Some(condition) = &function.non_throwing else { return Viability::No };
        Viability::of(self.value(condition, &self.inside(function, env)).int().map(|value| value != 0))
    }

    /// Whether the initialization of an object of a type, and its destruction, do not throw.
    pub(super) fn construction_is_non_throwing(&self, ty: &Ty, values: &[Expr], env: &Env) -> Viability {
        let class = match ty.unqualified() {
            Ty::Class(class) => class,
            Ty::Opaque { .. } | Ty::Parameter(..) => return Viability::CantTell,
            _ => {
                let converts = |one: &Expr| match self.type_of(one, env) {
                    Some(from) => match from.without_cvref() {
                        Ty::Class(_) | Ty::Opaque { .. } | Ty::Parameter(..) => Viability::CantTell,
                        _ => Viability::Yes,
                    },
                    None => Viability::CantTell,
                };
                return Viability::all(values.iter().map(converts));
            }
        };
        let copied = match values {
            [one] => self.copied_without_throwing(class, one, env),
            _ => None,
        };
        let made = copied.unwrap_or_else(|| self.constructor_is_non_throwing(class, values, env));
        made.and(|| self.destruction_is_non_throwing(ty))
    }

    /// Whether an object of a type can be initialized with arguments of these types without an exception
    /// ([meta.unary.prop]); `None` if that can't be told.
    pub(super) fn is_constructed_without_throwing(&self, ty: &Ty, arguments: &[Ty]) -> Option<bool> {
        let of_class =
            |ty: &Ty| matches!(ty.without_cvref(), Ty::Class(_) | Ty::Opaque { .. } | Ty::Parameter(..));
        let made = match (ty.unqualified(), arguments) {
            (Ty::Class(class), []) => self.constructor_is_non_throwing(class, &[], &class.env),
            (Ty::Class(class), [one]) => match copying(one, class) {
                Some(from) => self.copy_is_non_throwing(class, from),
                None => Viability::CantTell,
            },
            (to, _) if of_class(to) || arguments.iter().any(of_class) => Viability::CantTell,
            _ => Viability::Yes,
        };
        made.and(|| self.destruction_is_non_throwing(ty)).known()
    }

    /// Whether the copy of an object does not throw; `None` if the expression is of another type.
    fn copied_without_throwing(&self, class: &Rc<Instance>, from: &Expr, env: &Env) -> Option<Viability> {
        let ty = self.type_of(from, env)?;
        let Ty::Class(of) = ty.without_cvref() else { return None };
        if !of.is_same(class) {
            return None;
        }
        Some(match self.value_category(from, Some(&ty), env) {
            // It is the object itself ([dcl.init.general]/16).
            ValueCategory::Prvalue => Viability::Yes,
            ValueCategory::Lvalue => self.copy_is_non_throwing(class, Copying::Lvalue),
            ValueCategory::Xvalue => self.copy_is_non_throwing(class, Copying::Rvalue),
            ValueCategory::CantTell => Viability::CantTell,
        })
    }

    pub(super) fn copy_is_non_throwing(&self, class: &Rc<Instance>, from: Copying) -> Viability {
        let property = from.property(
            ClassProperty::CopiedFromLvalueWithoutThrowing,
            ClassProperty::CopiedFromRvalueWithoutThrowing,
        );
        let answer = || {
            let declared = self.declared_copies(class)?;
            let own = match from {
                Copying::Rvalue => declared.move_constructor.or(declared.copy_constructor),
                Copying::Lvalue => declared.copy_constructor,
            };
            let copies = match own.map(|own| &own.kind) {
                Some(DeclBody::Function(function))
                    if function.non_throwing.is_some() || !function.defaulted =>
                {
                    self.specified(function, &class.env.inside(class.clone()))
                }
                _ => self.parts_are(class, |part| match part {
                    Ty::Class(part) => self.copy_is_non_throwing(part, from),
                    _ => Viability::Yes,
                }),
            };
            copies.known()
        };
        Viability::of(self.class_property(class, property, answer))
    }

    fn constructor_is_non_throwing(&self, class: &Rc<Instance>, values: &[Expr], env: &Env) -> Viability {
        let Some(decl) = &class.decl else { return Viability::CantTell };
        let constructors = self.constructors(class);
        let is_default = |one: &Entity| match &one.decl.kind {
            DeclBody::Function(function) => {
                function.defaulted && function.non_throwing.is_none() && function.parameters.is_empty()
            }
            _ => false,
        };
        if values.is_empty() && (constructors.is_empty() || constructors.iter().any(is_default)) {
            return self.default_is_non_throwing(class);
        }
        match constructors.is_empty() {
            // An aggregate, whose elements may be of class type.
            true => self.parts_are(class, |part| match part {
                Ty::Class(_) => Viability::CantTell,
                _ => Viability::Yes,
            }),
            false => {
                let call = Call::new(self, values, env);
                self.chosen_is_non_throwing(&constructors, &Path::plain(decl.name), &call)
            }
        }
    }

    /// Whether an implicit default constructor does not throw. Default member initializers are not looked at.
    fn default_is_non_throwing(&self, class: &Rc<Instance>) -> Viability {
        let answer = || match class.decl.as_ref().map(|decl| &decl.kind) {
            Some(DeclBody::Class(definition)) if !initializes_members(definition) => {
                let all = self.parts_are(class, |part| match part {
                    Ty::Class(part) => self.constructor_is_non_throwing(part, &[], &part.env),
                    _ => Viability::Yes,
                });
                all.known()
            }
            _ => None,
        };
        Viability::of(self.class_property(class, ClassProperty::DefaultInitializedWithoutThrowing, answer))
    }

    /// Whether the destruction of an object of a type does not throw: by default it does not ([except.spec]/7).
    pub(super) fn destruction_is_non_throwing(&self, ty: &Ty) -> Viability {
        let class = match ty {
            Ty::Qualified(inner, ..) | Ty::Array(inner, _) => return self.destruction_is_non_throwing(inner),
            Ty::Class(class) => class,
            Ty::Opaque { .. } | Ty::Parameter(..) => return Viability::CantTell,
            _ => return Viability::Yes,
        };
        if class.is_closure() {
            return Viability::CantTell;
        }
        let answer = || {
            let declared = self.declared_copies(class)?;
            let destroys = match declared.destructor.map(|own| &own.kind) {
                Some(DeclBody::Function(function)) if function.non_throwing.is_some() => {
                    self.specified(function, &class.env.inside(class.clone()))
                }
                _ => self.parts_are(class, |part| self.destruction_is_non_throwing(part)),
            };
            destroys.known()
        };
        Viability::of(self.class_property(class, ClassProperty::DestroyedWithoutThrowing, answer))
    }

    /// Whether something holds for all base classes and data members of a class, those of its arrays for their elements.
    fn parts_are(&self, class: &Rc<Instance>, holds: impl Fn(&Ty) -> Viability) -> Viability {
        let of_part = |ty: &Ty| {
            let mut ty = ty.unqualified();
            while let Ty::Array(of, _) = ty {
                ty = of.unqualified();
            }
            match ty {
                Ty::Opaque { .. } | Ty::Parameter(..) => Viability::CantTell,
                ty => holds(ty),
            }
        };
        Viability::of(self.all_parts(class, |ty| of_part(ty).known()))
    }

    /// Whether the conversion of an expression to a reference does not throw.
    fn binding_is_non_throwing(&self, to: &Ty, value: &Expr, env: &Env) -> Viability {
        let Some(from) = self.type_of(value, env) else { return Viability::CantTell };
        let (to, from) = (to.without_cvref(), from.without_cvref());
        let is_bound = to.is_same(from) || matches!(to, Ty::Class(base) if self.is_derived(from, base));
        if is_bound { Viability::Yes } else { Viability::CantTell }
    }
}

fn is_constructor(entity: &Entity) -> bool {
    let class = entity.owner.as_ref().and_then(|owner| owner.decl.as_ref());
    class.is_some_and(|class| class.name == entity.decl.name)
}
