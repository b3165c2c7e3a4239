//! Overload resolution ([over.match]).
//!
//! In: the candidates that lookup found, and a call. Out: the best viable candidate with its deduced template
//! arguments.

use std::cmp::Reverse;

use super::conversions::{ELLIPSIS, EXACT};
use super::deduce::{Call, Deduced};
use super::specialization::structure;
use super::types::Env;
use super::view::{Entity, View};
use crate::facts::lower::ast::*;

impl View<'_> {
    /// The best viable function for a call: lowest conversion cost, then not a template, then the more
    /// specialized template, then the more constrained one ([over.match.best]), then a definition before a
    /// declaration. `None` if none is viable.
    pub(in crate::facts) fn best_overload<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Option<(&'e Entity, &'e Function, Deduced)> {
        let given = path.last().arguments.as_deref();
        let mut viable: Vec<(&Entity, &Function, Deduced)> = Vec::new();
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if entity.decl.is_specialization() {
                continue;
            }
            let template = !entity.decl.templates.is_empty();
            let of_object = entity.owner.is_some() && !entity.decl.specifiers.is_static;
            let object_is_const = call.object_is_const.filter(|_| of_object);
            if given.is_some() && !template || object_is_const == Some(true) && !function.is_const {
                continue;
            }
            let list = given.map_or(Vec::new(), |list| self.template_arguments(list, call.env));
            let deduced = self.deduce(entity, function, list, call);
            let substitutes = || {
                self.without_recursion(function, &deduced.arguments, || {
                    self.substitutes(entity, function, &deduced)
                })
            };
            let satisfied = || {
                let constrained = !function.constraints.is_empty() || template;
                let env = entity.env.with_bindings(deduced.bindings.clone());
                !constrained
                    || self.constraints_satisfied(&entity.decl.templates, &function.constraints, &env)
            };
            if deduced.viable && (!template || substitutes().unwrap_or(true)) && satisfied() {
                viable.push((entity, function, deduced));
            }
        }
        // A single template is not ranked, so a conversion that seems impossible does not discard it.
        if let [(only, ..)] = viable.as_slice()
            && !only.decl.templates.is_empty()
        {
            return viable.pop();
        }
        let mut best: Option<(Score, usize)> = None;
        for (number, (entity, function, deduced)) in viable.iter().enumerate() {
            let env = entity.env.with_bindings(deduced.bindings.clone());
            let Some(cost) = self.call_cost(function, &env, call) else { continue };
            // The reference to the object is bound without added const ([over.ics.rank]/3.2.6).
            let of_object = entity.owner.is_some() && !entity.decl.specifiers.is_static;
            let adds_const = of_object && call.object_is_const == Some(false) && function.is_const;
            let cost = cost + u32::from(adds_const);
            let template = !entity.decl.templates.is_empty();
            let specialized = if template { specificity(function, entity) } else { 0 };
            let constraints =
                self.constraint_count(&entity.decl.templates, &function.constraints, &entity.env);
            let score = (Reverse(cost), !template, specialized, constraints, function.body.is_some());
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, number));
            }
        }
        best.map(|(_, number)| viable.swap_remove(number))
    }

    /// Whether substitution into a template's declaration succeeds ([temp.deduct]/8): `enable_if` without a
    /// `type` removes it from the candidates.
    fn substitutes(&self, entity: &Entity, function: &Function, deduced: &Deduced) -> bool {
        let outer = self.substitution_failed.replace(false);
        let env = entity.env.with_bindings(deduced.bindings.clone());
        match &function.result {
            // The trailing return type of `auto f(T t) -> decltype(t.run())` names parameters.
            Type::Decltype(_) => self.ty(&function.result, &self.inside(function, &env)),
            result => self.ty(result, &env),
        };
        for parameter in &function.parameters {
            self.ty(&parameter.ty, &env);
        }
        for parameter in entity.decl.templates.iter().flat_map(|head| &head.parameters) {
            if let Some(ty) = &parameter.type_or_concept {
                self.ty(ty, &env);
            }
            if let Some(Argument::Type(ty)) = &parameter.default {
                self.ty(ty, &env);
            }
        }
        !self.substitution_failed.replace(outer)
    }

    /// The cost of the implicit conversions of a call's arguments in all; `None` if one is impossible.
    fn call_cost(&self, function: &Function, env: &Env, call: &Call<'_>) -> Option<u32> {
        let required = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        let pack = function.parameters.iter().any(|parameter| matches!(parameter.ty, Type::Pack(_)));
        let most = if function.variadic || pack { usize::MAX } else { function.parameters.len() };
        if !pack && !call.count_in(required..=most) {
            return None;
        }
        let mut cost = EXACT;
        for number in 0..call.arguments.len() {
            cost += match function.parameters.get(number).map(|parameter| &parameter.ty) {
                Some(Type::Pack(_)) => break,
                Some(ty) => self.conversion_cost(&self.ty(ty, env), call.ty(self, number))?,
                None => ELLIPSIS,
            };
        }
        Some(cost)
    }
}

/// The rank of a viable function, higher is better: conversion cost, whether it is no template, the
/// specificity of its parameters, the number of its atomic constraints, whether it has a body.
type Score = (Reverse<u32>, bool, isize, usize, bool);

/// The specificity of a function template's parameters: `f(T *)` is chosen over `f(T)`, and `f(T, X<T>)` over
/// `f(T, X<U>)` ([temp.func.order]).
pub(in crate::facts) fn specificity(function: &Function, entity: &Entity) -> isize {
    let open = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    let without_reference = |ty: &Type| match ty {
        Type::LvalueReference(inner) | Type::RvalueReference(inner) => Argument::Type(inner.as_ref().clone()),
        Type::Pack(inner) => Argument::Pack(Box::new(Argument::Type(inner.as_ref().clone()))),
        other => Argument::Type(other.clone()),
    };
    let patterns: Vec<Argument> = function.parameters.iter().map(|one| without_reference(&one.ty)).collect();
    let mut names = Vec::new();
    patterns.iter().for_each(|pattern| pattern.names(&mut names));
    let times = |parameter: &TemplateParameter| names.iter().filter(|name| **name == parameter.name).count();
    let repeated: usize = open.iter().map(|parameter| times(parameter).saturating_sub(1)).sum();
    structure(&patterns, open) + repeated.cast_signed() - isize::from(function.variadic)
}
