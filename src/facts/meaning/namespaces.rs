//! Name lookup in namespaces, in one pass: unqualified from a namespace outward ([basic.lookup.unqual]), qualified
//! ([namespace.qual]), and through using-directives ([namespace.udir]).

use super::answers::{Item, LookupFrom, Nominated};
use super::identity::Signatures;
use super::trace::Trace;
use super::types::Env;
use super::typing::is_namespace_function;
use super::view::{Entity, LookupResult, Lookups, View};
use crate::facts::lower::ast::*;
use crate::source::Symbol;
use crate::variance::ScopeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

/// What unqualified lookup from a namespace scope on depends on: the scope, up to which top-level declaration it finds
/// functions, the namespaces that using-directives in the blocks within nominate, and the name.
pub(super) type OutwardLookup = ((ScopeId, usize, Nominated), Symbol);

impl View<'_> {
    /// Unqualified lookup from a namespace scope on, of functions as [`Self::lookup_before`].
    pub(super) fn lookup_outward(&self, key: OutwardLookup) -> LookupResult {
        let from = || self.outward_from(key.0);
        self.cached_lookup(&self.caches.outward_lookups, key, from, || self.lookup_outward_uncached(key))
    }

    /// The result of a lookup, which is looked up once. While a using-declaration or using-directive is being resolved, a name
    /// may find fewer declarations than otherwise: for the using-directives of blocks, the same ones each time.
    fn cached_lookup<Where: Eq + Hash + Copy>(
        &self,
        all: &Lookups<(Where, bool)>,
        (place, name): (Where, Symbol),
        from: impl FnOnce() -> Option<LookupFrom>,
        find: impl FnOnce() -> LookupResult,
    ) -> LookupResult {
        self.unit.ask(name);
        let for_directive = self.in_progress.nominating_in_block.get();
        let key = ((place, for_directive), name);
        let nominating = self.in_progress.nominating.get() == u32::from(for_directive);
        let cacheable = self.in_progress.using.borrow().is_empty() && nominating;
        if cacheable && let Some((found, trace)) = self.known_lookup(all, key) {
            self.depend_as(trace);
            return found;
        }
        let dependencies = &self.caches.dependencies;
        let mark = dependencies.mark();
        let (found, trace) = self.traced_within_limits(find);
        // For other units a lookup depends on nothing but what it finds.
        dependencies.forget(mark);
        let seen = || dependencies.leaf(from().and_then(|from| self.seen_lookup(from, name, &found)));
        let on = match cacheable && trace.is_some() {
            true if dependencies.are_recorded() => seen(),
            true => Item::NOTHING,
            false => Item::OWN,
        };
        dependencies.add(on);
        if let Some(trace) = trace.filter(|_| cacheable) {
            self.keep_lookup(all, key, found.clone(), trace.on(on));
        }
        found
    }

    fn lookup_outward_uncached(&self, ((scope, end, nominated), name): OutwardLookup) -> LookupResult {
        let (having, outward) = (self.unit.may_have(name), self.unit.outward(scope));
        let places = outward.places_of(&having);
        let follows_directives = self.in_progress.nominating.get() == 0;
        // As if the members of a nominated namespace stood in the nearest one around both ([namespace.udir]/2).
        let joining = |first: usize, other: Symbol| Some((outward.joining(first, other)?, other));
        let mut joining_at: Vec<(usize, Symbol)> = nominated
            .as_str()
            .split_terminator(';')
            .map(Symbol::intern)
            .filter_map(|other| joining(0, other))
            .collect();
        let mut first = 0;
        loop {
            let having_it = places.get(places.partition_point(|place| *place < first)).copied();
            let directing = if follows_directives { outward.directing_from(first) } else { None };
            let joined = joining_at.iter().map(|(place, _)| *place).min();
            let Some(place) = [having_it, directing, joined].into_iter().flatten().min() else { break };
            first = place + 1;
            let namespace = outward.namespace(place);
            if follows_directives {
                let nominated = self.nominated_in_namespace(namespace).into_iter();
                joining_at.extend(nominated.filter_map(|other| joining(place, other)));
            }
            let mut found = match having.binary_search(&namespace) {
                Ok(_) => self.own_members(namespace, name),
                Err(_) => LookupResult::Nothing,
            };
            for (_, other) in joining_at.extract_if(.., |(joins, _)| *joins == place) {
                found = merged(found, self.lookup_in_namespace(other, name));
            }
            match self.declared_before(found, end) {
                LookupResult::Nothing => {}
                found => return found,
            }
        }
        LookupResult::Nothing
    }

    /// Of what lookup found, the functions of namespaces that are declared up to a top-level declaration, by its index, and
    /// later ones that may be definitions of them.
    fn declared_before(&self, found: LookupResult, end: usize) -> LookupResult {
        let LookupResult::Entities(entities) = found else { return found };
        let is_later = |one: &Entity| one.top > end && is_namespace_function(one);
        if !entities.iter().any(is_later) {
            return LookupResult::Entities(entities);
        }
        let (later, mut before): (Vec<Entity>, Vec<Entity>) =
            Rc::unwrap_or_clone(entities).into_iter().partition(is_later);
        let mut heads: FxHashMap<(usize, Option<usize>), SameHead> = FxHashMap::default();
        for (number, one) in before.iter().enumerate() {
            if let Some(head) = function_head(one) {
                heads.entry(head).or_default().numbers.push(number);
            }
        }
        let redeclares = |one: &Entity| {
            let Some(head) = function_head(one) else { return false };
            let Some(same) = heads.get(&head) else { return false };
            let (_, template) = head;
            let spelled = |number: &usize| self.compared_parameters(&before[*number]);
            let signatures = || same.signatures.get_or_init(|| same.numbers.iter().map(spelled).collect());
            template.is_some() || signatures().may_have(&self.compared_parameters(one))
        };
        let found: Vec<bool> = later.iter().map(redeclares).collect();
        before.extend(later.into_iter().zip(found).filter(|(_, found)| *found).map(|(one, _)| one));
        if before.is_empty() { LookupResult::Nothing } else { LookupResult::Entities(Rc::new(before)) }
    }

    /// The namespaces that the using-directives in a namespace nominate.
    fn nominated_in_namespace(&self, namespace: Symbol) -> Vec<Symbol> {
        let mut namespaces = Vec::new();
        for top in self.unit.directives.get(&namespace).map_or(&[][..], Vec::as_slice) {
            if self.has(*top) {
                let targets = self.nominated(*top);
                if !targets.is_empty() {
                    self.depend_on(*top);
                }
                namespaces.extend(targets);
            }
        }
        namespaces
    }

    /// The members of a namespace itself, without those of the namespaces that its using-directives nominate.
    pub(super) fn own_members(&self, namespace: Symbol, name: Symbol) -> LookupResult {
        let from = || Some(LookupFrom::Members(namespace));
        self.cached_lookup(&self.caches.own_members, (namespace, name), from, || {
            self.within_limits(|| self.own_members_uncached(namespace, name)).unwrap_or(LookupResult::Nothing)
        })
    }

    /// Qualified lookup in the namespace of that qualified name ([namespace.qual]).
    pub(in crate::facts) fn lookup_in_namespace(&self, namespace: Symbol, name: Symbol) -> LookupResult {
        let from = || Some(LookupFrom::Namespace(namespace));
        self.cached_lookup(&self.caches.namespace_lookups, (namespace, name), from, || {
            self.within_limits(|| self.lookup_in_namespace_unguarded(namespace, name, &mut Vec::new()))
                .unwrap_or(LookupResult::Nothing)
        })
    }

    fn lookup_in_namespace_unguarded(
        &self,
        namespace: Symbol,
        name: Symbol,
        seen: &mut Vec<Symbol>,
    ) -> LookupResult {
        seen.push(namespace);
        match self.own_members(namespace, name) {
            LookupResult::Nothing => self.lookup_through_directives(namespace, name, seen),
            found => found,
        }
    }

    fn own_members_uncached(&self, namespace: Symbol, name: Symbol) -> LookupResult {
        let mut entities = Vec::new();
        for top in self.unit.declaring(name) {
            let declaration = &self.unit.variance.declarations[*top];
            if !self.unit.found_in[declaration.scope.0 as usize].contains(&namespace)
                || self.unit.is_qualified(*top)
                || !self.has(*top)
            {
                continue;
            }
            let env = Env::of_top(self.unit, *top);
            for decl in self.outline(*top).iter() {
                if decl.qualifier.is_some() || !decl.declares(name) {
                    continue;
                }
                match &decl.kind {
                    DeclBody::Using(path) => match self.using_declaration_target(namespace, name, path, &env)
                    {
                        LookupResult::Entities(more) => entities.extend(more.iter().cloned()),
                        LookupResult::Nothing => {}
                        found => return found,
                    },
                    DeclBody::NamespaceAlias(path) => {
                        self.depend_on(*top);
                        return self.lookup(path, &env);
                    }
                    DeclBody::UsingNamespace(_)
                    | DeclBody::UsingEnum(_)
                    | DeclBody::Instantiation(_)
                    | DeclBody::Guide(_) => {}
                    _ => {
                        self.depend_on(*top);
                        let entity = Entity { decl: decl.clone(), env: env.clone(), owner: None, top: *top };
                        entities.push(entity);
                    }
                }
            }
        }
        if !entities.is_empty() {
            self.add_qualified_classes(name, &mut entities);
            let mut known = FxHashSet::default();
            entities.retain(|entity| known.insert((entity.top, Arc::as_ptr(&entity.decl))));
            return LookupResult::Entities(Rc::new(entities));
        }
        let nested = self.unit.nested(namespace, name);
        match nested.is_empty() {
            true => LookupResult::Nothing,
            false => LookupResult::Namespace(nested.to_vec()),
        }
    }

    /// The entities that a using-declaration introduces. Its name is looked up as before the declaration
    /// ([namespace.udecl]), so never found through another using-declaration of that name in the same
    /// namespace: `namespace std { using ::abs; }` and `using std::abs;`, which the C library's headers have
    /// many times over, would lead to each other without end.
    fn using_declaration_target(
        &self,
        namespace: Symbol,
        name: Symbol,
        path: &Path,
        env: &Env,
    ) -> LookupResult {
        if self.in_progress.using.borrow().contains(&(namespace, name)) {
            return LookupResult::Nothing;
        }
        self.in_progress.using.borrow_mut().push((namespace, name));
        let found = self.lookup(path, env);
        self.in_progress.using.borrow_mut().pop();
        found
    }

    /// Qualified lookup in the namespaces that the using-directives of a namespace nominate.
    fn lookup_through_directives(
        &self,
        namespace: Symbol,
        name: Symbol,
        seen: &mut Vec<Symbol>,
    ) -> LookupResult {
        for top in self.unit.directives.get(&namespace).map_or(&[][..], Vec::as_slice) {
            if !self.has(*top) {
                continue;
            }
            for target in self.nominated(*top) {
                if seen.contains(&target) {
                    continue;
                }
                match self.lookup_in_namespace_unguarded(target, name, seen) {
                    LookupResult::Nothing => {}
                    found => {
                        self.depend_on(*top);
                        return found;
                    }
                }
            }
        }
        LookupResult::Nothing
    }

    /// The namespaces that the using-directives of a declaration nominate. While they are being looked up
    /// there are none: the name in a directive is not looked up through that directive.
    fn nominated(&self, top: usize) -> Vec<Symbol> {
        if let Some((known, trace)) = self.in_progress.nominated.borrow().get(&top) {
            self.share_with(trace.alike);
            return known.clone();
        }
        self.in_progress.nominated.borrow_mut().insert(top, (Vec::new(), Trace::NOTHING));
        self.in_progress.nominating.set(self.in_progress.nominating.get() + 1);
        let env = Env::of_top(self.unit, top);
        let (namespaces, trace) = self.traced(|| {
            let mut namespaces = Vec::new();
            for decl in self.lowered(top).iter() {
                if let DeclBody::UsingNamespace(path) = &decl.kind
                    && let LookupResult::Namespace(targets) = self.lookup(path, &env)
                {
                    namespaces.extend(targets);
                }
            }
            namespaces
        });
        self.in_progress.nominating.set(self.in_progress.nominating.get() - 1);
        self.in_progress.nominated.borrow_mut().insert(top, (namespaces.clone(), trace));
        namespaces
    }
}

/// The entities that two lookups of a name find; those of the first where they can't be overloads of each other.
pub(super) fn merged(one: LookupResult, other: LookupResult) -> LookupResult {
    match (one, other) {
        (LookupResult::Entities(mut entities), LookupResult::Entities(more)) => {
            Rc::make_mut(&mut entities).extend(more.iter().cloned());
            LookupResult::Entities(entities)
        }
        (LookupResult::Nothing, other) => other,
        (one, _) => one,
    }
}

/// Functions that agree in what [`function_head`] tells.
#[derive(Default)]
struct SameHead {
    numbers: Vec<usize>,
    /// Their parameter types, once they are asked for.
    signatures: OnceCell<Signatures>,
}

/// What each declaration of a function has: how many parameters and, of a template, template parameters. Of templates no
/// more is compared.
fn function_head(one: &Entity) -> Option<(usize, Option<usize>)> {
    let DeclBody::Function(function) = &one.decl.kind else { return None };
    let template = one.decl.templates.last().map(|head| head.parameters.len());
    Some((function.parameters.len(), template))
}
