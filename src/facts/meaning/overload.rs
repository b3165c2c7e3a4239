//! Overload resolution ([over.match]).
//!
//! In: the candidates that lookup found, and a call. Out: the best viable candidate with its deduced template
//! arguments; where arguments that are not known leave the choice open, also the candidates that may be meant instead.

use std::cmp::{Ordering, Reverse};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::source::sym;
use crate::target::PassSet;

use super::bind::told_apart;
use super::candidates::{Chosen, Deduced, is_told_by_identity, told_by_identity};
use super::categories::ValueCategory;
use super::conversions::{ConversionCost, ELLIPSIS, EXACT};
use super::deduce::{Call, ImpliedObject};
use super::identity::Identity;
use super::references::{Operand, compare_bindings};
use super::specialization::structure;
use super::types::{Env, Spelling, TemplateArgument, Ty, Value, alike};
use super::viability::Viability;
use super::view::{Entity, Key, View};
use crate::facts::lower::ast::*;
use crate::facts::lower::nodes::PARENTHESES;

/// A candidate of a call: the function, and the template arguments that are deduced for it.
pub(in crate::facts) type Candidate<'e> = (&'e Entity, &'e Function, Deduced);

/// A candidate with its rank among the others.
struct Ranked<'e> {
    candidate: Candidate<'e>,
    viable: Viability,
    cost: Reverse<u32>,
    score: Score,
    /// For each argument of the call, what it is converted to.
    conversions: Vec<Conversion>,
}

/// What an argument of a call is converted to.
struct Conversion {
    /// The type of the parameter; `None` for an ellipsis or a pack.
    parameter: Option<Ty>,
    /// The conversion is not known.
    open: bool,
}

impl View<'_> {
    /// The best viable function for a call; `None` if none is viable. If the choice can't be settled, one that may be
    /// meant, and the trace says so.
    pub(in crate::facts) fn best_overload<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Option<Candidate<'e>> {
        let mut all = self.overloads(entities, path, call).into_iter();
        let best = all.next();
        if all.next().is_some() {
            self.depend_on_unsettled();
        }
        best
    }

    /// The best viable function for a call: lowest conversion cost, then not a template, then the more
    /// specialized template, then the more constrained one ([over.match.best]), then a definition before a
    /// declaration. Those that follow may be meant instead.
    pub(in crate::facts) fn overloads<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Vec<Candidate<'e>> {
        let given = path.last().arguments.as_deref();
        let given = given.map(|list| self.template_arguments(list, call.env));
        let (spelled, none) = (literal_characters(entities, path, call), Call::none(call.env));
        let (given, call) = if spelled.is_some() { (spelled, &none) } else { (given, call) };
        let Some((key, owner, alike)) = self.call_key(entities, given.as_deref(), call) else {
            return self.resolve(entities, given.as_deref(), call);
        };
        let gives_named = given.iter().flatten().any(TemplateArgument::names_variable);
        let (chosen, failed) = self.cached_if(
            &self.caches.calls,
            key,
            &owner,
            alike,
            || {
                let outer_failed = self.substitution_failed.replace(false);
                let chosen = self.resolve(entities, given.as_deref(), call).into_iter();
                let index = |entity: &Entity| entities.iter().position(|one| std::ptr::eq(one, entity));
                let chosen =
                    chosen.map(|(entity, _, deduced)| (index(entity).expect("it is one of them"), deduced));
                (chosen.collect::<Chosen>(), self.substitution_failed.replace(outer_failed))
            },
            |(chosen, _)| {
                // An argument that was not deduced is spelled by the call that it was not deduced from, and so may be one that is
                // the name of a variable.
                chosen.iter().all(|(_, deduced)| {
                    !deduced.is_spelled
                        && (!gives_named || deduced.arguments.iter().all(TemplateArgument::is_sure))
                })
            },
        );
        if failed {
            self.substitution_failed.set(true);
        }
        let candidate = |(index, deduced): &(usize, Deduced)| match &entities[*index].decl.kind {
            DeclBody::Function(function) => Some((&entities[*index], function, deduced.clone())),
            _ => None,
        };
        chosen.iter().filter_map(candidate).collect()
    }

    /// The key of a call, and its candidates as they are kept with it: calls with the same candidates and equal arguments
    /// are resolved once. `None` if the types of its arguments do not tell it from every other call: one is not known, is
    /// a braced list, or has a part that another type is spelled like.
    fn call_key(
        &self,
        entities: &[Entity],
        given: Option<&[TemplateArgument]>,
        call: &Call<'_>,
    ) -> Option<(Key, Rc<[Entity]>, PassSet)> {
        if call.is_open() || !given.unwrap_or_default().iter().all(told_by_identity) {
            return None;
        }
        let envs = entities.iter().fold(PassSet::EVERY, |all, one| all.and(one.env.alike()));
        let mut all_alike = envs.and(alike(given.unwrap_or_default()));
        let (identities, mut own) = (&self.caches.identities, Identity::new());
        own.mark(given.map_or(0, |given| 1 + given.len()));
        given.iter().for_each(|given| identities.add_list(&told_apart(entities, given), &mut own));
        for number in 0..call.arguments.len() {
            let (argument, env) = &call.arguments[number];
            if matches!(argument, Expr::List(_)) {
                return None;
            }
            let ty = call.ty(self, number).filter(|ty| is_told_by_identity(ty))?;
            all_alike = all_alike.and(ty.alike());
            identities.add_type(ty, &mut own);
            // The category, and the constness that a member has from its object.
            let is_open = self.value_category(argument, Some(ty), env) == ValueCategory::CantTell;
            let (is_zero, is_member) = (call.is_zero(number), is_member(argument));
            own.mark(usize::from(is_zero) | usize::from(is_open) << 1 | usize::from(is_member) << 2);
            let forwarded = call.forwarded(self, number)?;
            all_alike = all_alike.and(forwarded.alike());
            identities.add_type(forwarded, &mut own);
            if is_member {
                let object = self.object_type(argument, ty.clone(), env);
                all_alike = all_alike.and(object.alike());
                identities.add_type(&object, &mut own);
            }
        }
        let list = self.caches.candidate_lists.list_of(entities, Entity::identity);
        let object = call.object.map_or(0, |one| 1 + usize::from(one.is_const) + 2 * one.category as usize);
        own.mark(usize::from(call.copy_initializes));
        Some(((list.number, object, own), list.candidates, all_alike))
    }

    /// Resolves a call with the explicit template arguments `given`.
    fn resolve<'e>(
        &self,
        entities: &'e [Entity],
        given: Option<&[TemplateArgument]>,
        call: &Call<'_>,
    ) -> Vec<Candidate<'e>> {
        let mut viable: Vec<(Candidate<'e>, Viability)> = Vec::new();
        // An argument that is invalid makes the call so; what is invalid in a candidate rules that out alone.
        (0..call.arguments.len()).for_each(|number| _ = call.ty(self, number));
        for entity in entities {
            let candidate = || self.outside_immediate_context(|| self.viable_candidate(entity, given, call));
            // What can't be told of a function that is ruled out matters to no one.
            let (candidate, unsettled) = self.apart(candidate);
            if unsettled && candidate.is_some() {
                self.depend_on_unsettled();
            }
            viable.extend(candidate);
        }
        // A single template is not ranked, so a conversion that seems impossible does not discard it.
        if let [((only, ..), _)] = viable.as_slice()
            && !only.decl.templates.is_empty()
            && given.is_none()
        {
            return viable.into_iter().map(|(candidate, _)| candidate).collect();
        }
        let operands = self.operands(call);
        let ranked = viable
            .into_iter()
            .filter_map(|(candidate, viable)| self.ranked(candidate, viable, call, &operands));
        self.best_of(ranked.collect(), &operands)
    }

    /// A function as a candidate of a call, unless it is ruled out.
    fn viable_candidate<'e>(
        &self,
        entity: &'e Entity,
        given: Option<&[TemplateArgument]>,
        call: &Call<'_>,
    ) -> Option<(Candidate<'e>, Viability)> {
        let DeclBody::Function(function) = &entity.decl.kind else { return None };
        if entity.decl.is_specialization() {
            return None;
        }
        let template = !entity.decl.templates.is_empty();
        let object = call.object.filter(|_| is_of_object(entity));
        let takes_object = object.map_or(Viability::Yes, |object| takes_object(function, object));
        if given.is_some() && !template || takes_object.is_ruled_out() {
            return None;
        }
        let list = given.unwrap_or_default();
        let deduced = self.deduce_viable(entity, function, list.to_vec(), call)?;
        let answer = takes_object.and(|| deduced.viable);
        let answer = answer.and(|| self.is_valid(entity, function, &deduced));
        let answer = answer.and(|| match call.copy_initializes {
            true => self.is_explicit(entity, function, &deduced).not(),
            false => Viability::Yes,
        });
        (!answer.is_ruled_out()).then_some(((entity, function, deduced), answer))
    }

    /// The functions that take as many arguments as a call has: where none seems viable, one of them is, since the
    /// program is valid.
    pub(in crate::facts) fn fitting_by_count<'e>(
        &self,
        entities: &'e [Entity],
        path: &Path,
        call: &Call<'_>,
    ) -> Vec<Candidate<'e>> {
        let given = path.last().arguments.as_deref();
        let list = given.map_or(Vec::new(), |list| self.template_arguments(list, call.env));
        let fitting = entities.iter().filter_map(|entity| match &entity.decl.kind {
            DeclBody::Function(function) if !entity.decl.is_specialization() => {
                let fits = !call.fits_by_count(function).is_ruled_out()
                    && (given.is_none() || !entity.decl.templates.is_empty());
                fits.then(|| (entity, function, self.deduce(entity, function, list.clone(), call)))
            }
            _ => None,
        });
        fitting.collect()
    }

    /// Whether a function template's declaration is valid for its template arguments: substitution succeeds and the
    /// constraints are satisfied.
    pub(in crate::facts) fn is_valid(
        &self,
        entity: &Entity,
        function: &Function,
        deduced: &Deduced,
    ) -> Viability {
        let is_told = |one: &TemplateArgument| one.is_sure() || told_by_identity(one);
        if entity.decl.templates.is_empty() || !deduced.arguments.iter().all(is_told) {
            return self.is_valid_uncached(entity, function, deduced);
        }
        let words = self.caches.identities.of_list(&deduced.arguments);
        let key = (std::ptr::from_ref(function) as usize, entity.env.identity(), words);
        let alike = entity.env.alike().and(alike(&deduced.arguments));
        self.cached(&self.caches.validity, key, entity, alike, || {
            self.outside_immediate_context(|| self.is_valid_uncached(entity, function, deduced))
        })
    }

    /// Whether a constructor or deduction guide is explicit ([dcl.fct.spec]).
    fn is_explicit(&self, entity: &Entity, function: &Function, deduced: &Deduced) -> Viability {
        match &function.explicit_if {
            Some(condition) => {
                let env = entity.env.with_bindings(deduced.bindings.clone());
                Viability::of(self.value(condition, &env).int().map(|value| value != 0))
            }
            None => Viability::settled(entity.decl.specifiers.is_explicit),
        }
    }

    fn is_valid_uncached(&self, entity: &Entity, function: &Function, deduced: &Deduced) -> Viability {
        let templates = &entity.decl.templates;
        let satisfied = || {
            let env = entity.env.with_bindings(deduced.bindings.clone());
            self.apart(|| self.constraints_satisfied(templates, &function.constraints, &env)).0
        };
        match (templates.is_empty(), function.constraints.is_empty()) {
            (true, true) => Viability::Yes,
            (true, false) => satisfied(),
            // Constraints may ask whether the function can be called with the parts of what it is called with.
            (false, _) => {
                let is_valid = || self.substitutes(entity, function, deduced).and(satisfied);
                self.without_recursion(function, deduced.arguments.iter(), is_valid)
                    .unwrap_or(Viability::CantTell)
            }
        }
    }

    /// The arguments of a call as objects to which references may be bound; `None` for one whose type is not known.
    fn operands(&self, call: &Call<'_>) -> Vec<Option<Operand>> {
        let operand = |number: usize| {
            let (argument, env) = &call.arguments[number];
            let ty = call.ty(self, number)?;
            let category = self.value_category(argument, Some(ty), env);
            Some(Operand { ty: self.object_type(argument, ty.clone(), env), category })
        };
        (0..call.arguments.len()).map(operand).collect()
    }

    /// A viable candidate with its rank; `None` if an argument has no conversion.
    fn ranked<'e>(
        &self,
        candidate: Candidate<'e>,
        viable: Viability,
        call: &Call<'_>,
        operands: &[Option<Operand>],
    ) -> Option<Ranked<'e>> {
        let (entity, function, deduced) = &candidate;
        let env = entity.env.with_bindings(deduced.bindings.clone());
        let (cost, conversions) = self.call_cost(function, &env, call)?;
        let bound = conversions.iter().zip(operands).map(|one| match one {
            (Conversion { parameter: Some(parameter), .. }, Some(operand)) => self.binds(parameter, operand),
            _ => Viability::Yes,
        });
        let viable = viable.and(|| Viability::all(bound));
        if viable.is_ruled_out() {
            return None;
        }
        // The reference to the object is bound without added const ([over.ics.rank]/3.2.6).
        let object = call.object.filter(|_| is_of_object(entity));
        let adds_const = object.is_some_and(|object| !object.is_const) && function.is_const;
        // A rvalue is bound to the reference of `&&` before that of `const &` ([over.ics.rank]/3.2.3).
        let takes_rvalues = object.is_some() && function.reference == RefQualifier::Rvalue;
        let cost = Reverse(cost + u32::from(adds_const));
        let template = !entity.decl.templates.is_empty();
        let specialized = if template { specificity(function, entity) } else { 0 };
        let constraints = self.constraint_weight(&entity.decl.templates, &function.constraints, &entity.env);
        let lvalues = if template { lvalue_references(function) } else { 0 };
        let score = (takes_rvalues, !template, specialized, lvalues, constraints, function.body.is_some());
        Some(Ranked { candidate, viable, cost, score, conversions })
    }

    /// Whether substitution into a template's declaration succeeds but for its default arguments ([temp.deduct]/8): `enable_if`
    /// without a `type` removes it from the candidates.
    fn substitutes(&self, entity: &Entity, function: &Function, deduced: &Deduced) -> Viability {
        let env = entity.env.with_bindings(deduced.bindings.clone());
        let declaration = || {
            self.ty(&function.result, &self.around_result(function, &env));
            for parameter in &function.parameters {
                self.ty(&parameter.ty, &env);
            }
            for parameter in entity.decl.templates.iter().flat_map(|head| &head.parameters) {
                if let Some(ty) = &parameter.type_or_concept {
                    self.ty(ty, &env);
                }
            }
        };
        self.apart(|| self.substituted(declaration).1).0
    }

    /// Substitutes template arguments into a part of a declaration, and tells whether that succeeds ([temp.deduct]/8).
    pub(super) fn substituted<T>(&self, substitute: impl FnOnce() -> T) -> (T, Viability) {
        let outer = self.substitution_failed.replace(false);
        let (part, unsettled) = self.apart(substitute);
        if unsettled {
            self.depend_on_unsettled();
        }
        let viability = match (self.substitution_failed.replace(outer), unsettled) {
            (true, _) => Viability::No,
            (false, true) => Viability::CantTell,
            (false, false) => Viability::Yes,
        };
        (part, viability)
    }

    /// The cost of the implicit conversions of a call's arguments in all, and the conversions; `None` if one is
    /// impossible.
    fn call_cost(&self, function: &Function, env: &Env, call: &Call<'_>) -> Option<(u32, Vec<Conversion>)> {
        if call.fits_by_count(function).is_ruled_out() {
            return None;
        }
        let (mut sum, mut conversions) = (EXACT, Vec::with_capacity(call.arguments.len()));
        for number in 0..call.arguments.len() {
            let (cost, conversion) = match function.parameters.get(number).map(|parameter| &parameter.ty) {
                Some(Type::Pack(_)) => break,
                Some(ty) => {
                    let ty = self.ty(ty, env);
                    if let (Expr::List(values), list_env) = &call.arguments[number]
                        && self.list_converts_to(values, ty.without_cvref(), list_env).is_ruled_out()
                    {
                        return None;
                    }
                    let zero = if call.is_zero(number) { self.cost_of_zero(&ty) } else { None };
                    let cost = zero.unwrap_or_else(|| self.conversion_cost(&ty, call.ty(self, number)));
                    let (cost, open) = match cost {
                        ConversionCost::Known(cost) => (cost, false),
                        ConversionCost::Impossible => return None,
                        ConversionCost::CantTell(guess) => (guess, true),
                    };
                    (cost, Conversion { parameter: Some(ty), open })
                }
                None => (ELLIPSIS, Conversion { parameter: None, open: false }),
            };
            sum += cost;
            conversions.push(conversion);
        }
        Some((sum, conversions))
    }

    /// The best of some candidates, and those of which it can't be told whether they are better.
    fn best_of<'e>(&self, mut ranked: Vec<Ranked<'e>>, operands: &[Option<Operand>]) -> Vec<Candidate<'e>> {
        // The first of equals is the best.
        let better = |best: usize, one: usize| {
            let order = ranked[one].cost.cmp(&ranked[best].cost);
            let order = order.then_with(|| {
                self.conversion_order(&ranked[one], &ranked[best], operands).unwrap_or(Ordering::Equal)
            });
            if order.then(ranked[one].score.cmp(&ranked[best].score)).is_gt() { one } else { best }
        };
        let Some(first) = (0..ranked.len()).reduce(better) else { return Vec::new() };
        let best = ranked.remove(first);
        let settled = |one: &Ranked<'_>| {
            best.viable.is_certain()
                && same_open_conversions(one, &best)
                && (one.cost != best.cost || self.conversion_order(one, &best, operands).is_some())
        };
        ranked.retain(|one| !settled(one));
        // Of an argument without a type there may be hundreds.
        let mut by_shape: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        by_shape.entry(shape(&best.candidate)).or_default().push(0);
        let mut all = vec![best.candidate];
        for one in ranked {
            let same_shape = by_shape.entry(shape(&one.candidate)).or_default();
            if !same_shape.iter().any(|known| redeclares(&all[*known], &one.candidate)) {
                same_shape.push(all.len());
                all.push(one.candidate);
            }
        }
        all
    }

    /// Which of two candidates binds or converts the arguments better, of conversions that cost the same: greater for the first;
    /// `None` if it can't be told.
    fn conversion_order(
        &self,
        one: &Ranked<'_>,
        other: &Ranked<'_>,
        operands: &[Option<Operand>],
    ) -> Option<Ordering> {
        let mut unknown = false;
        for ((one, other), operand) in one.conversions.iter().zip(&other.conversions).zip(operands) {
            let (Some(one), Some(other)) = (&one.parameter, &other.parameter) else { continue };
            match self.compare_conversions(one, other) {
                Ordering::Equal => {}
                better => return Some(better),
            }
            let Some(operand) = operand else { continue };
            match compare_bindings(one, other, operand.category) {
                Some(Ordering::Equal) => {}
                None => unknown = true,
                better => return better,
            }
        }
        (!unknown).then_some(Ordering::Equal)
    }
}

/// Whether the conversions of two candidates that are not known are to the same types.
fn same_open_conversions(one: &Ranked<'_>, other: &Ranked<'_>) -> bool {
    let mut pairs = one.conversions.iter().zip(&other.conversions);
    pairs.all(|(one, other)| {
        let text = |side: &Conversion| side.parameter.as_ref().map(|ty| ty.text(Spelling::Canonical));
        !one.open && !other.open || one.open == other.open && text(one) == text(other)
    })
}

/// The characters of a decimal integer literal as template arguments, where all literal operators are templates that take
/// these ([lex.ext]/3).
fn literal_characters(entities: &[Entity], path: &Path, call: &Call<'_>) -> Option<Vec<TemplateArgument>> {
    let takes_characters = |entity: &Entity| match &entity.decl.kind {
        DeclBody::Function(function) => function.parameters.is_empty() && !entity.decl.templates.is_empty(),
        _ => false,
    };
    let is_literal_operator = path.last().name.as_str().starts_with("operator\"\"");
    match call.arguments.as_slice() {
        [(Expr::Int(value, _), _)] if is_literal_operator && entities.iter().all(takes_characters) => {
            let character = |one: u8| TemplateArgument::Value(Value::Int(one.into(), sym::CHAR));
            Some(value.to_string().bytes().map(character).collect())
        }
        _ => None,
    }
}

/// Whether a function has an implicit object parameter.
fn is_of_object(entity: &Entity) -> bool {
    entity.owner.is_some() && !entity.decl.specifiers.is_static
}

/// Whether some of the functions are declared with `const` or a ref-qualifier and others without.
pub(in crate::facts) fn differ_in_qualifiers(entities: &[Entity]) -> bool {
    let qualifiers = |entity: &Entity| match &entity.decl.kind {
        DeclBody::Function(function) => Some((function.is_const, function.reference)),
        _ => None,
    };
    let mut all = entities.iter().filter_map(qualifiers);
    all.next().is_some_and(|first| all.any(|other| other != first))
}

/// Whether a member function can be called for an object ([over.match.funcs]/5).
pub(super) fn takes_object(function: &Function, object: ImpliedObject) -> Viability {
    Viability::settled(function.is_const || !object.is_const).and(|| {
        match (function.reference, object.category) {
            (RefQualifier::None, _) => Viability::Yes,
            (RefQualifier::Lvalue, _) if function.is_const => Viability::Yes,
            (_, ValueCategory::CantTell) => Viability::CantTell,
            (reference, category) => {
                Viability::settled((reference == RefQualifier::Lvalue) == (category == ValueCategory::Lvalue))
            }
        }
    })
}

fn is_member(argument: &Expr) -> bool {
    match argument {
        Expr::Member(..) => true,
        Expr::Unary(operator, inner) => operator.as_str() == PARENTHESES && is_member(inner),
        _ => false,
    }
}

/// Whether two declarations that lookup found are written as declarations of one function ([over.load],
/// [temp.over.link]): names and default arguments aside.
pub(in crate::facts) fn redeclares(
    (one, function, _): &Candidate<'_>,
    (two, other, _): &Candidate<'_>,
) -> bool {
    let scope = |entity: &Entity| {
        let owner = entity.owner.as_ref().filter(|_| !entity.decl.specifiers.is_friend);
        owner.map(std::rc::Rc::as_ptr)
    };
    let same_parameters = function.parameters.len() == other.parameters.len()
        && function.parameters.iter().zip(&other.parameters).all(|(one, other)| one.ty == other.ty);
    let same_head = |(one, other): (&TemplateHead, &TemplateHead)| {
        one.constraints == other.constraints
            && one.parameters.len() == other.parameters.len()
            && one.parameters.iter().zip(&other.parameters).all(|(one, other)| {
                (&one.type_or_concept, one.template, one.pack)
                    == (&other.type_or_concept, other.template, other.pack)
            })
    };
    same_parameters
        && scope(one) == scope(two)
        && function.result == other.result
        && (function.variadic, function.is_const) == (other.variadic, other.is_const)
        && function.reference == other.reference
        && function.constraints == other.constraints
        && one.decl.templates.len() == two.decl.templates.len()
        && one.decl.templates.iter().zip(&two.decl.templates).all(same_head)
}

/// What declarations of one function have in common: the numbers of its parameters, and the names in their types.
fn shape((entity, function, _): &Candidate<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    entity.decl.templates.iter().for_each(|head| head.parameters.len().hash(&mut hasher));
    function.parameters.len().hash(&mut hasher);
    for parameter in &function.parameters {
        let mut ty = &parameter.ty;
        while let Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Qualified(inner, ..)
        | Type::Array(inner, _) = ty
        {
            std::mem::discriminant(ty).hash(&mut hasher);
            ty = inner;
        }
        match ty {
            Type::Named(path) => path.last().name.index().hash(&mut hasher),
            Type::Builtin(name) => name.index().hash(&mut hasher),
            _ => {}
        }
    }
    hasher.finish()
}

/// The rank of a viable function among those with conversions as good, higher is better: whether it is for rvalues alone,
/// whether it is no template, the specificity of its parameters, the number of its lvalue references, that of its atomic constraints,
/// whether it has a body.
type Score = (bool, bool, isize, usize, u64, bool);

/// The number of parameters that are lvalue references, those to const types counted twice: where `T &&`, `T &` and
/// `const T &` are as specialized as each other, the later ones are taken to be more so ([temp.deduct.partial]/9).
fn lvalue_references(function: &Function) -> usize {
    let count = |parameter: &Parameter| match &parameter.ty {
        Type::LvalueReference(to) => 1 + usize::from(matches!(to.as_ref(), Type::Qualified(_, true, _))),
        _ => 0,
    };
    function.parameters.iter().map(count).sum()
}

/// The specificity of a function template's parameters: `f(T *)` is chosen over `f(T)`, and `f(T, X<T>)` over
/// `f(T, X<U>)` ([temp.func.order]).
pub(in crate::facts) fn specificity(function: &Function, entity: &Entity) -> isize {
    let open = entity.decl.templates.last().map_or(&[][..], |head| &head.parameters);
    // What a reference refers to counts without its own cv-qualifiers ([temp.deduct.partial]/7).
    let without_reference = |ty: &Type| match ty {
        Type::LvalueReference(inner) | Type::RvalueReference(inner) => match inner.as_ref() {
            Type::Qualified(unqualified, ..) => Argument::Type(unqualified.as_ref().clone()),
            other => Argument::Type(other.clone()),
        },
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
