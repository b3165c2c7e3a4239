//! Which of several functions a call means ([over.match]).

use super::ast::*;
use super::deduce::{Call, Deduced, convertible, referred};
use super::lookup::{Entity, View};
use super::specialization::structure;
use super::types::Spelling;

impl View<'_> {
    /// The function a call means among overloads: one that takes the arguments, a non-template with
    /// exactly their types before templates ([over.match.best]), a definition before a declaration.
    pub(super) fn best_overload<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Option<(&'e Entity, &'e Function, Deduced)> {
        let given = path.last().arguments.as_deref();
        let mut best: Option<(Score, &Entity, &Function, Deduced)> = None;
        for entity in entities {
            let DeclBody::Function(function) = &entity.decl.kind else { continue };
            if entity.decl.is_specialization() {
                continue;
            }
            let template = !entity.decl.templates.is_empty();
            if given.is_some() && !template {
                continue;
            }
            let list = given.map_or(Vec::new(), |list| self.bounds(list, call.env));
            let deduced = self.deduce(entity, function, list, call);
            if !deduced.fits || (template && !self.substitutes(entity, function, &deduced)) {
                continue;
            }
            let (rank, specialized) = if template {
                (2, specialization(function, entity))
            } else {
                match self.fit(function, entity, call) {
                    Fit::Exact => (3, 0),
                    Fit::Converts => (1, 0),
                    Fit::No => continue,
                }
            };
            let score = (rank, specialized, function.body.is_some());
            if best.as_ref().is_none_or(|(known, ..)| score > *known) {
                best = Some((score, entity, function, deduced));
            }
        }
        best.map(|(_, entity, function, deduced)| (entity, function, deduced))
    }

    /// Whether a template's declaration makes sense with its arguments ([temp.deduct]/8): `enable_if`
    /// without a `type` takes it out of the overload set.
    fn substitutes(&self, entity: &Entity, function: &Function, deduced: &Deduced) -> bool {
        let outer = self.substitution_failed.replace(false);
        let env = entity.env.with_bindings(deduced.bindings.clone());
        self.ty(&function.result, &env);
        for parameter in &function.parameters {
            self.ty(&parameter.ty, &env);
        }
        for parameter in entity.decl.templates.iter().flat_map(|head| &head.parameters) {
            if let Some(ty) = &parameter.value_of {
                self.ty(ty, &env);
            }
            if let Some(Argument::Type(ty)) = &parameter.default {
                self.ty(ty, &env);
            }
        }
        !self.substitution_failed.replace(outer)
    }

    fn fit(&self, function: &Function, entity: &Entity, call: &Call<'_>) -> Fit {
        let required = function.parameters.iter().filter(|parameter| parameter.default.is_none()).count();
        let most = if function.variadic { usize::MAX } else { function.parameters.len() };
        if !call.count_in(required..=most) {
            return Fit::No;
        }
        let mut fit = Fit::Exact;
        for (number, parameter) in function.parameters.iter().enumerate().take(call.arguments.len()) {
            let expected = referred(self.ty(&parameter.ty, &entity.env)).decayed();
            let Some(actual) = call.ty(self, number) else {
                fit = Fit::Converts;
                continue;
            };
            let actual = referred(actual.clone()).decayed();
            if expected.text(Spelling::Canonical) != actual.text(Spelling::Canonical) {
                if !convertible(&expected, &actual) {
                    return Fit::No;
                }
                fit = Fit::Converts;
            }
        }
        fit
    }
}

/// How well a function fits a call: how it converts, how much it spells out, whether it has a body.
type Score = (u32, isize, bool);

/// How much a function template's parameters spell out: `f(T *)` is chosen over `f(T)`
/// ([temp.func.order]).
fn specialization(function: &Function, entity: &Entity) -> isize {
    let open = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    let referred = |ty: &Type| match ty {
        Type::LvalueReference(inner) | Type::RvalueReference(inner) => Argument::Type(inner.as_ref().clone()),
        Type::Pack(inner) => Argument::Pack(Box::new(Argument::Type(inner.as_ref().clone()))),
        other => Argument::Type(other.clone()),
    };
    let patterns: Vec<Argument> = function.parameters.iter().map(|one| referred(&one.ty)).collect();
    structure(&patterns, open) - isize::from(function.variadic)
}

enum Fit {
    Exact,
    Converts,
    No,
}
