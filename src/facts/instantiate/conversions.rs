//! User-defined conversions ([class.conv]): the constructors and conversion functions that initialization calls, which
//! nothing names.
//!
//! In: an expression and the type that it is converted to. Out: the instantiations that the conversion causes.

use std::rc::Rc;

use crate::source::Span;

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::Call;
use crate::facts::meaning::types::{Env, Instance, Ty};
use crate::facts::meaning::view::Entity;

impl Walk<'_> {
    /// Follows the conversion function that converts an expression of class type to another type ([class.conv.fct]).
    pub(in crate::facts) fn follow_conversion_function(
        &mut self,
        expr: &Expr,
        target: &Ty,
        env: &Env,
        at: Span,
    ) {
        if !self.relevance.converts() {
            return;
        }
        let Some(actual) = self.view.type_of(expr, env) else { return };
        let Ty::Class(class) = actual.without_cvref() else { return };
        if matches!(target.without_cvref(), Ty::Class(to) if to.name == class.name || self.view.is_derived(&actual, to))
        {
            return;
        }
        let functions = self.view.conversion_functions(class);
        if let Some((entity, function, deduced)) = self.view.conversion_function(&functions, target) {
            let mention = Mention::call(entity.decl.name, [].into(), at);
            self.instantiate_function(&mention, entity, function, deduced, None);
        }
    }

    /// Follows the constructor that converts an argument to a class ([class.conv.ctor]). Its own argument is converted
    /// by no other constructor ([over.best.ics]/4).
    pub(in crate::facts) fn follow_converting_constructor(
        &mut self,
        class: &Rc<Instance>,
        call: &Call<'_>,
        number: usize,
        at: Span,
    ) {
        let (Some(decl), (argument, env)) = (class.decl.clone(), &call.arguments[number]) else { return };
        let is_one = |ty: &Ty| matches!(ty.without_cvref(), Ty::Class(from) if from.name == class.name);
        match call.ty(self.view, number) {
            Some(actual) if !is_one(actual) && !self.view.is_derived(actual, class) => {}
            _ => return,
        }
        self.follow_object(&Ty::Class(class.clone()));
        let constructors = self.view.constructors(class);
        if !constructors.iter().any(|one| self.is_relevant_constructor(one)) {
            return;
        }
        let mention = Mention::call(decl.name, std::slice::from_ref(*argument).into(), at);
        let call = Call::of_operands(&[argument], env);
        if let Some((entity, function, deduced)) =
            self.view.best_overload(&constructors, &mention.path, &call)
        {
            self.follow_default_arguments(&call, entity, function, &deduced, at);
            self.instantiate_function(&mention, entity, function, deduced, None);
        }
    }

    /// Whether a constructor may reach a kernel template in question, told by names alone: in a body that its use
    /// instantiates, or in a default argument.
    pub(in crate::facts) fn is_relevant_constructor(&self, constructor: &Entity) -> bool {
        let DeclBody::Function(function) = &constructor.decl.kind else { return false };
        let is_templated = !constructor.decl.templates.is_empty()
            || constructor.owner.as_ref().is_some_and(|owner| owner.is_templated());
        let in_body = || match &function.body {
            Some(body) => self.relevance.items_are_relevant(body),
            None => !function.defaulted,
        };
        let in_default = |parameter: &Parameter| {
            self.relevance.items_are_relevant(&parameter.items)
                || parameter.default.as_ref().is_some_and(|default| self.relevance.expr_is_relevant(default))
        };
        is_templated && in_body() || function.parameters.iter().any(in_default)
    }
}
