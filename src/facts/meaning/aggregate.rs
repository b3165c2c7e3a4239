//! Subobjects of constants that are arrays or aggregates: `table[2]`, `config.width` ([dcl.init.aggr]).

use std::rc::Rc;
use std::sync::Arc;

use crate::source::{Symbol, sym};

use super::deduce::without_reference;
use super::types::{Bindings, Env, Instance, TemplateArgument, Ty};
use super::view::{LookupResult, View};
use crate::facts::lower::ast::*;

/// An array or an object of class type, by the elements of its initializer list.
struct Initialized {
    values: Vec<Expr>,
    ty: Ty,
    /// The environment of the names in the values.
    env: Env,
}

impl View<'_> {
    /// The expression that initializes the element or member of a constant that `expr` denotes, and its
    /// environment.
    pub(in crate::facts) fn subobject_initializer(&self, expr: &Expr, env: &Env) -> Option<(Expr, Env)> {
        match expr {
            Expr::Subscript(object, index) => {
                let object = self.within_limits(|| self.initialized(object, env)).flatten()?;
                let index = usize::try_from(self.constant(index, env)?.int()?).ok()?;
                if !matches!(object.ty.without_cvref(), Ty::Array(..))
                    || object.values.iter().any(is_designated)
                {
                    return None;
                }
                let rest = || Expr::Int(0, sym::INT);
                Some((object.values.get(index).cloned().unwrap_or_else(rest), object.env))
            }
            Expr::Member(object, false, member) => {
                let object = self.within_limits(|| self.initialized(object, env)).flatten()?;
                let Ty::Class(class) = object.ty.without_cvref() else { return None };
                self.member_initializer(class, &object, member.name)
            }
            _ => None,
        }
    }

    /// The data members of a constant of class type with their values, for calls of its member functions.
    pub(in crate::facts) fn data_member_values(&self, object: &Expr, env: &Env) -> Option<Bindings> {
        let object = self.within_limits(|| self.initialized(object, env)).flatten()?;
        let Ty::Class(class) = object.ty.without_cvref() else { return None };
        let mut bindings = Bindings::new();
        for member in data_members(class)? {
            let (part, env) = self.member_initializer(class, &object, member.name)?;
            bindings.push((member.name, TemplateArgument::Value(self.value(&part, &env))));
        }
        Some(bindings)
    }

    /// The expression that initializes a data member: designated, in order, or its default member
    /// initializer.
    fn member_initializer(
        &self,
        class: &Rc<Instance>,
        object: &Initialized,
        name: Symbol,
    ) -> Option<(Expr, Env)> {
        let members = data_members(class)?;
        let number = members.iter().position(|member| member.name == name)?;
        let designated = object.values.iter().find_map(|value| match value {
            Expr::Binary(sym::ASSIGN, member, value) => match member.as_ref() {
                Expr::Name(path) if path.last().name == name => Some(value.as_ref()),
                _ => None,
            },
            _ => None,
        });
        let in_order = || object.values.get(number).filter(|value| !is_designated(value));
        if let Some(value) = designated.or_else(in_order) {
            return Some((value.clone(), object.env.clone()));
        }
        let DeclBody::Variable(variable) = &members[number].kind else { return None };
        let default = variable.initializer.clone().unwrap_or(Expr::Int(0, sym::INT));
        Some((default, class.env.inside(class.clone())))
    }

    /// The initializer of the array or aggregate that an expression denotes; `None` if it is no constant.
    fn initialized(&self, expr: &Expr, env: &Env) -> Option<Initialized> {
        match expr {
            Expr::Name(path) => {
                let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
                let (entity, variable, inner) = self.variable(&entities, path, env)?;
                let specifiers = entity.decl.specifiers;
                let constant = specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
                if !constant {
                    return None;
                }
                self.depend_on(entity.top);
                let ty = without_reference(self.type_of_variable(variable, &inner)?);
                self.initialized_by(variable.initializer.as_ref()?, ty, &inner)
            }
            Expr::Construct(ty, _) => {
                let ty = self.ty(ty, env);
                self.initialized_by(expr, ty, env)
            }
            Expr::Member(..) | Expr::Subscript(..) => {
                let ty = without_reference(self.type_of(expr, env)?);
                let (part, inner) = self.subobject_initializer(expr, env)?;
                self.initialized_by(&part, ty, &inner)
            }
            _ => None,
        }
    }

    /// The elements of an initializer of the type `ty`.
    fn initialized_by(&self, initializer: &Expr, ty: Ty, env: &Env) -> Option<Initialized> {
        let values = match initializer {
            Expr::List(values) | Expr::Construct(_, values) => values.clone(),
            other => return self.within_limits(|| self.initialized(other, env)).flatten(),
        };
        if values.iter().any(|value| matches!(value, Expr::Expansion(_))) {
            return None;
        }
        Some(Initialized { values, ty, env: env.clone() })
    }
}

/// The non-static data members of an aggregate class; `None` if the class is no aggregate
/// ([dcl.init.aggr]/1).
pub(in crate::facts) fn data_members(class: &Rc<Instance>) -> Option<Vec<&Arc<Decl>>> {
    let decl = class.decl.as_ref()?;
    let DeclBody::Class(definition) = &decl.kind else { return None };
    let own = || definition.members.iter().flatten();
    let constructs = own().any(|member| {
        member.name == decl.name && matches!(&member.kind, DeclBody::Function(one) if !one.defaulted)
    });
    if constructs || !class.alternatives.is_empty() || definition.is_union || !definition.bases.is_empty() {
        return None;
    }
    let is_data = |member: &&Arc<Decl>| {
        matches!(member.kind, DeclBody::Variable(_))
            && !member.specifiers.is_static
            && member.name != sym::EMPTY
    };
    Some(own().filter(is_data).collect())
}

/// Whether an element of an initializer list is designated, `.x = e`.
pub(in crate::facts) fn is_designated(value: &Expr) -> bool {
    matches!(value, Expr::Binary(sym::ASSIGN, ..))
}
