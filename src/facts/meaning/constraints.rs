//! Satisfaction of constraints ([temp.constr]).
//!
//! A candidate is removed only by a constraint that is known not to be satisfied.

use crate::source::sym;

use super::bind::told_apart;
use super::candidates::told_by_identity;
use super::types::{Env, TemplateArgument, alike};
use super::viability::Viability;
use super::view::{LookupResult, UnderWay, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::PARENTHESES;

/// The weight of an atomic constraint: disjunctions may nest as deep as it has powers of two.
const ATOMIC_WEIGHT: u64 = 1 << 24;

impl View<'_> {
    /// Whether the template arguments bound in `env` satisfy a template's associated constraints: its heads'
    /// requires-clauses and type-constraints, and the trailing requires-clause `own`.
    pub(in crate::facts) fn constraints_satisfied(
        &self,
        heads: &[TemplateHead],
        own: &[Expr],
        env: &Env,
    ) -> Viability {
        let written = heads.iter().flat_map(|head| &head.constraints).chain(own);
        Viability::all(written.map(|one| Viability::of(self.holds(one, env)))).and(|| {
            let parameters = heads.iter().flat_map(|head| &head.parameters);
            Viability::all(parameters.map(|one| self.satisfies_type_constraint(one, env)))
        })
    }

    /// Whether the argument of a template parameter satisfies its type-constraint: `template <Wide T>`.
    fn satisfies_type_constraint(&self, parameter: &TemplateParameter, env: &Env) -> Viability {
        let Some(path) = self.type_constraint(parameter, env) else { return Viability::Yes };
        let holds = |one| Viability::of(self.concept_holds(path, Some(one), env));
        match self.lookup_unqualified(parameter.name, env) {
            LookupResult::TemplateArgument(TemplateArgument::Pack(members)) => {
                Viability::all(members.into_iter().map(holds))
            }
            LookupResult::TemplateArgument(one) => holds(one),
            _ => Viability::CantTell,
        }
    }

    /// The type-constraint that introduces a template parameter ([temp.param]/4), if one does.
    pub(in crate::facts) fn type_constraint<'p>(
        &self,
        parameter: &'p TemplateParameter,
        env: &Env,
    ) -> Option<&'p Path> {
        match &parameter.type_or_concept {
            Some(Type::Named(path)) if self.is_concept(path, env) => Some(path),
            _ => None,
        }
    }

    /// Whether a name is that of a concept, which is a member of a namespace ([temp.concept]/3): behind template arguments
    /// there is none.
    fn is_concept(&self, path: &Path, env: &Env) -> bool {
        let scopes = &path.segments[..path.segments.len() - 1];
        scopes.iter().all(|scope| scope.arguments.is_none())
            && matches!(self.lookup(path, env), LookupResult::Entities(all) if all.iter().any(|one| one.decl.specifiers.is_concept))
    }

    /// Whether a constraint-expression is satisfied; `None` if that is not known.
    pub(in crate::facts) fn holds(&self, constraint: &Expr, env: &Env) -> Option<bool> {
        self.within_limits(|| self.holds_unguarded(constraint, env)).flatten()
    }

    fn holds_unguarded(&self, constraint: &Expr, env: &Env) -> Option<bool> {
        match constraint {
            Expr::Binary(sym::AMP_AMP, left, right) => {
                match (self.holds(left, env), self.holds(right, env)) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (left, right) => Some(left? && right?),
                }
            }
            Expr::Binary(sym::BAR_BAR, left, right) => {
                match (self.holds(left, env), self.holds(right, env)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (left, right) => Some(left? || right?),
                }
            }
            Expr::Name(path) if self.is_concept(path, env) => self.concept_holds(path, None, env),
            Expr::Requires(requires) => self.requirements_satisfied(requires, env),
            other => {
                // An atomic constraint is not satisfied if substitution into it fails
                // ([temp.constr.atomic]/3).
                let outer = self.substitution_failed.replace(false);
                let value = self.constant(other, env).and_then(|value| value.int());
                match self.substitution_failed.replace(outer) {
                    true => Some(false),
                    false => value.map(|value| value != 0),
                }
            }
        }
    }

    /// Whether a concept is satisfied by the template arguments of `path`, preceded by `first`; `None` if
    /// that is not known.
    fn concept_holds(&self, path: &Path, first: Option<TemplateArgument>, env: &Env) -> Option<bool> {
        let LookupResult::Entities(entities) = self.lookup(path, env) else { return None };
        let entity = entities.iter().find(|one| one.decl.specifiers.is_concept)?;
        let DeclBody::Variable(variable) = &entity.decl.kind else { return None };
        let mut arguments: Vec<TemplateArgument> = first.into_iter().collect();
        arguments.extend(self.template_arguments(path.last().arguments.as_deref().unwrap_or_default(), env));
        self.depend_on(entity.top);
        let bindings = self.bind(&entity.decl.templates.last()?.parameters, arguments, &entity.env);
        let constraint = variable.initializer.as_ref()?;
        let arguments: Vec<TemplateArgument> = bindings.iter().map(|(_, bound)| bound.clone()).collect();
        let inner = entity.env.with_bindings(bindings);
        let (decl, around) = entity.identity();
        let words = self.caches.identities.of_list(&told_apart(std::slice::from_ref(entity), &arguments));
        let holds = || {
            let query = UnderWay::Constant((decl, around, words.clone()));
            self.unless_under_way(query, || self.holds(constraint, &inner)).flatten()
        };
        if !arguments.iter().all(told_by_identity) {
            return holds();
        }
        let alike = entity.env.alike().and(alike(&arguments));
        let (holds, failed) =
            self.cached(&self.caches.concepts, (decl, around, words.clone()), entity, alike, || {
                let outer_failed = self.substitution_failed.replace(false);
                let holds = holds();
                (holds, self.substitution_failed.replace(outer_failed))
            });
        if failed {
            self.substitution_failed.set(true);
        }
        holds
    }

    /// Whether all requirements of a requires-expression are satisfied; `None` if that is not known.
    fn requirements_satisfied(&self, requires: &Requires, env: &Env) -> Option<bool> {
        let named = requires.parameters.iter().filter(|one| one.name != sym::EMPTY);
        let env = env.with_parameters(named.map(|one| (one.name, self.ty(&one.ty, env))).collect());
        let mut all = Some(true);
        for requirement in &requires.requirements {
            match self.requirement_satisfied(requirement, &env) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    fn requirement_satisfied(&self, requirement: &Requirement, env: &Env) -> Option<bool> {
        let outer = self.substitution_failed.replace(false);
        let met = match requirement {
            Requirement::Holds(constraint) => self.holds(constraint, env),
            Requirement::Named(path) => Some(self.named_type(path, env).is_sure()).filter(|sure| *sure),
            Requirement::Valid(expr, concept) => match (self.type_of(expr, env), concept) {
                (Some(ty), Some(concept)) => {
                    self.concept_holds(concept, Some(TemplateArgument::Type(ty)), env)
                }
                (Some(_), None) => Some(true),
                (None, _) => None,
            },
        };
        match self.substitution_failed.replace(outer) {
            true => Some(false),
            false => met,
        }
    }

    /// The weight of a template's constraints: a constraint that subsumes another has more ([temp.constr.order]). A
    /// conjunction weighs what its operands weigh together, a disjunction less than each of them.
    pub(in crate::facts) fn constraint_weight(&self, heads: &[TemplateHead], own: &[Expr], env: &Env) -> u64 {
        let written = heads.iter().flat_map(|head| &head.constraints).chain(own);
        let introduced = heads.iter().flat_map(|head| &head.parameters);
        let introduced = introduced.filter_map(|one| self.type_constraint(one, env));
        written.map(|one| self.weight_of(one, env)).sum::<u64>()
            + introduced.map(|path| self.weight_of(&Expr::Name(path.clone()), env)).sum::<u64>()
    }

    fn weight_of(&self, constraint: &Expr, env: &Env) -> u64 {
        match constraint {
            Expr::Binary(sym::AMP_AMP, left, right) => self.weight_of(left, env) + self.weight_of(right, env),
            Expr::Binary(sym::BAR_BAR, left, right) => {
                self.weight_of(left, env).min(self.weight_of(right, env)) / 2
            }
            Expr::Unary(operator, inner) if operator.as_str() == PARENTHESES => self.weight_of(inner, env),
            Expr::Name(path) => match self.lookup(path, env) {
                LookupResult::Entities(all) => {
                    let concept = all.iter().find(|one| one.decl.specifiers.is_concept);
                    let body = concept.and_then(|one| match &one.decl.kind {
                        DeclBody::Variable(variable) => Some((variable.initializer.as_ref()?, &one.env)),
                        _ => None,
                    });
                    body.and_then(|(body, env)| self.within_limits(|| self.weight_of(body, env)))
                        .unwrap_or(ATOMIC_WEIGHT)
                }
                _ => ATOMIC_WEIGHT,
            },
            _ => ATOMIC_WEIGHT,
        }
    }
}
