//! Conversions of evaluated values ([conv], [class.conv]).
//!
//! In: a value or an object, and the type that is wanted. Out: the value of that type; `None` if no conversion to it is known.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::Symbol;

use super::arithmetic::cast;
use super::candidates::Deduced;
use super::deduce::Call;
use super::initialize::Given;
use super::machine::{Machine, Outcome, class_of};
use super::types::{Instance, Place, Spelling, Ty, Value};
use super::viability::Viability;
use super::view::Entity;
use crate::facts::lower::ast::*;

impl Machine<'_, '_> {
    /// The value of an outcome after conversion to an object type ([conv], [class.conv]).
    pub(super) fn converted(&mut self, outcome: Outcome, ty: &Ty) -> Option<Value> {
        let known = |value: Value| (!matches!(value, Value::Opaque(_))).then_some(value);
        match ty.unqualified() {
            Ty::Builtin(name) => {
                let decayed = self.decayed(outcome)?;
                let value = self.as_scalar(decayed, Some(ty))?;
                known(cast(value, *name))
            }
            Ty::Enum(one) => {
                let value = self.loaded(outcome)?;
                let value = self.as_scalar(value, Some(ty))?;
                match &one.underlying {
                    Ty::Builtin(name) => known(cast(value, *name)),
                    _ => Some(value),
                }
            }
            Ty::Pointer(_) => {
                let decayed = self.decayed(outcome)?;
                match self.as_scalar(decayed, Some(ty))? {
                    Value::Int(0, _) => Some(Value::Null),
                    other => Some(other),
                }
            }
            Ty::Class(class) => {
                let place = self.materialized(outcome)?;
                match self.subobject(&place, class) {
                    Some(_) => self.copy_of(&place, class),
                    None => self.converted_to_class(place, class),
                }
            }
            // Of a type that is not resolved only numbers are sure to keep their values.
            Ty::Opaque { .. } | Ty::Parameter(..) => match self.loaded(outcome)? {
                number @ (Value::Int(..) | Value::Float(..)) => Some(number),
                _ => None,
            },
            _ => self.loaded(outcome),
        }
    }

    /// The object that a converting constructor of a class makes of another object ([class.conv.ctor]).
    fn converted_to_class(&mut self, place: Place, class: &Rc<Instance>) -> Option<Value> {
        let ty = self.at(&place)?.ty()?;
        let name = Symbol::intern("(converted value)");
        let env = self.frame.env.with_parameters(vec![(name, ty)]);
        let written = [Expr::Name(Path::plain(name))];
        let call = Call::new(self.view, &written, &env);
        let constructors = self.constructors_of(class);
        if constructors.is_empty() {
            return None;
        }
        self.construct_by(class, &constructors, &call, vec![Given::Done(Outcome::Place(place))])
    }

    /// The value of an object of class type after conversion to the type `wanted`, or to any scalar type, by a conversion
    /// function ([class.conv.fct]); any other value as it is.
    pub(super) fn as_scalar(&mut self, value: Value, wanted: Option<&Ty>) -> Option<Value> {
        let class = match &value {
            Value::Object(object) => class_of(object).cloned(),
            _ => None,
        };
        match class {
            Some(class) => {
                let place = self.new_object(value);
                self.run_conversion(&class, &place, wanted)
            }
            None => Some(value),
        }
    }

    /// The value of an expression that a number is needed of.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Option<Value> {
        let outcome = self.evaluate(expr)?;
        let value = self.loaded(outcome)?;
        self.as_scalar(value, None)
    }

    /// The value of an object of class type after conversion by a `constexpr` conversion function ([class.conv.fct]): by one to
    /// `wanted` if there is one.
    fn run_conversion(&mut self, class: &Rc<Instance>, object: &Place, wanted: Option<&Ty>) -> Option<Value> {
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        let env = class.env.inside(class.clone());
        let converts = |member: &&Arc<Decl>| {
            member.templates.is_empty()
                && member.name.as_str().strip_prefix("operator").is_some_and(|rest| rest.starts_with(' '))
        };
        let mut own: Vec<&Arc<Decl>> = definition.members.iter().flatten().filter(converts).collect();
        let wanted_name = wanted.map(|ty| format!("operator {}", ty.text(Spelling::Shown)));
        own.sort_by_key(|member| wanted_name.as_deref() != Some(member.name.as_str()));
        for member in own {
            let entity =
                Entity { decl: member.clone(), env: env.clone(), owner: Some(class.clone()), top: class.top };
            let deduced = Deduced {
                bindings: Vec::new(),
                arguments: Vec::new(),
                viable: Viability::Yes,
                is_spelled: false,
            };
            let target = self.defined(&entity, deduced).map(Rc::new);
            let result = target.and_then(|target| self.invoked(&target, Vec::new(), Some(object.clone())));
            let value = result.and_then(|outcome| self.loaded(outcome));
            if let Some(value) = value.filter(|value| !matches!(value, Value::Object(_) | Value::Opaque(_))) {
                return Some(value);
            }
        }
        definition.bases.iter().find_map(|(base, _)| match self.view.ty(base, &class.env) {
            Ty::Class(base) => {
                let view = self.view;
                view.within_limits(|| self.run_conversion(&base, object, wanted)).flatten()
            }
            _ => None,
        })
    }
}
