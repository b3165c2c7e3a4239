//! Conversion functions ([class.conv.fct]), which initialization and built-in operators call and nothing names.
//!
//! In: an expression and the type that it is converted to. Out: the instantiations that the conversion causes.

use crate::source::{Span, sym};

use super::walk::Walk;
use crate::facts::lower::ast::*;
use crate::facts::meaning::deduce::without_reference;
use crate::facts::meaning::types::{Env, Ty};
use crate::facts::meaning::view::Entity;

impl Walk<'_> {
    /// Follows the conversion function that converts an expression of class type to another type ([class.conv.fct]).
    /// Tells whether there is one.
    pub(in crate::facts) fn follow_conversion_function(
        &mut self,
        expr: &Expr,
        target: &Ty,
        env: &Env,
        at: Span,
    ) -> bool {
        // A conversion to `void` discards the value ([expr.static.cast]/5).
        if !self.relevance().may_use_object(expr, env)
            || matches!(target.without_cvref(), Ty::Builtin(sym::VOID))
        {
            return false;
        }
        let Some(actual) = self.view.type_of(expr, env) else { return false };
        let Ty::Class(class) = actual.without_cvref() else { return false };
        if matches!(target.without_cvref(), Ty::Class(to) if to.is_same(class) || self.view.is_derived(&actual, to))
        {
            return false;
        }
        let functions = self.view.conversion_functions(class);
        let is_const = matches!(without_reference(actual.clone()), Ty::Qualified(_, true, _));
        let object = Some(self.view.implied_object(&functions, (expr, false), is_const, env));
        let Some((entity, function, deduced)) = self.view.conversion_function(&functions, target, object)
        else {
            return false;
        };
        let mention = Mention::call(entity.decl.name, [].into(), at);
        self.instantiate_function(&mention, entity, function, deduced, None);
        true
    }

    /// Whether a constructor may reach a kernel template in question, told by names alone: in a body that its use
    /// instantiates, or in a default argument.
    pub(in crate::facts) fn is_relevant_constructor(&self, constructor: &Entity) -> bool {
        let DeclBody::Function(function) = &constructor.decl.kind else { return false };
        let is_templated = !constructor.decl.templates.is_empty()
            || constructor.owner.as_ref().is_some_and(|owner| owner.is_templated());
        let in_body = || match &function.body {
            Some(body) => self.relevance().items_are_relevant(body),
            None => !function.defaulted,
        };
        let in_default = |parameter: &Parameter| {
            self.relevance().items_are_relevant(&parameter.items)
                || parameter
                    .default
                    .as_ref()
                    .is_some_and(|default| self.relevance().expr_is_relevant(default))
        };
        is_templated && in_body() || function.parameters.iter().any(in_default)
    }
}
