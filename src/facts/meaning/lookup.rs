//! Name lookup in one pass ([basic.lookup]).

use super::types::{Env, FrameKind, Instance, Spelling, TemplateArgument, Ty};
use super::view::{Entity, LookupResult, View};
use crate::facts::index::tokens::join;
use crate::facts::lower::ast::*;
use crate::source::{Symbol, sym};
use crate::variance::ScopeId;
use rustc_hash::FxHashSet;
use std::rc::Rc;
use std::sync::Arc;

impl View<'_> {
    /// What a top-level declaration declares in this pass.
    pub(in crate::facts) fn declared(&self, top: usize) -> Vec<Entity> {
        let declaration = &self.unit.variance.declarations[top];
        if !declaration.passes.has(self.pass) {
            return Vec::new();
        }
        let env = Env::namespace(declaration.scope);
        let lowered = self.unit.lowered(top, self.pass);
        let entity = |decl: &Arc<Decl>| Entity { decl: decl.clone(), env: env.clone(), owner: None, top };
        lowered.iter().map(entity).collect()
    }

    /// Unqualified lookup ([basic.lookup.unqual]).
    pub(in crate::facts) fn unqualified(&self, name: Symbol, env: &Env) -> LookupResult {
        let mut nominated = Vec::new();
        let mut frame = env.frame.as_ref();
        while let Some(one) = frame {
            match &one.kind {
                FrameKind::Bindings(bindings) => {
                    if let Some((_, bound)) = bindings.iter().rev().find(|(bound, _)| *bound == name) {
                        return LookupResult::TemplateArgument(bound.clone());
                    }
                }
                FrameKind::Parameters(parameters) => {
                    if let Some((_, ty)) = parameters.iter().rev().find(|(parameter, _)| *parameter == name) {
                        return LookupResult::Parameter(ty.clone());
                    }
                }
                FrameKind::Class(class) => match self.member(class, name) {
                    LookupResult::Nothing => {}
                    hit => return hit,
                },
                FrameKind::Locals(locals) => {
                    let locals = locals.borrow();
                    let here = Env { scope: env.scope, frame: Some(one.clone()) };
                    nominated.extend(self.nominated_in_block(&locals, name, &here));
                    let is_directive = |decl: &Decl| matches!(decl.kind, DeclBody::UsingNamespace(_));
                    let found = locals.iter().rev().find(|decl| declares(decl, name) && !is_directive(decl));
                    if let Some(decl) = found {
                        if let DeclBody::Using(path) | DeclBody::NamespaceAlias(path) = &decl.kind {
                            let again = !path.global && path.segments[0].name == name;
                            let around = Env { scope: env.scope, frame: one.parent.clone() };
                            let env = if again { around } else { here };
                            return self.deeper(|| self.hit(path, &env)).unwrap_or(LookupResult::Nothing);
                        }
                        let entity = Entity { decl: decl.clone(), env: here, owner: None, top: usize::MAX };
                        return LookupResult::Entities(vec![entity]);
                    }
                }
            }
            frame = one.parent.as_ref();
        }
        let scopes: Vec<ScopeId> = self.unit.scopes_outward(env.scope).collect();
        let mut tried = Vec::new();
        for scope in scopes {
            for namespace in &self.unit.found_in[scope.0 as usize] {
                if tried.contains(namespace) {
                    continue;
                }
                tried.push(*namespace);
                let mut hit = self.in_namespace(*namespace, name);
                // As if the members stood in the nearest namespace around both ([namespace.udir]/2).
                for other in nominated.extract_if(.., |other| is_around(*namespace, *other)) {
                    hit = together(hit, self.in_namespace(other, name));
                }
                match hit {
                    LookupResult::Nothing => {}
                    hit => return hit,
                }
            }
        }
        LookupResult::Nothing
    }

    /// The namespaces that the using-directives of a block nominate, for the look-up of another name.
    fn nominated_in_block(&self, locals: &[Arc<Decl>], name: Symbol, here: &Env) -> Vec<Symbol> {
        let mut namespaces = Vec::new();
        for decl in locals {
            if let DeclBody::UsingNamespace(path) = &decl.kind
                && self.in_progress.nominating.get() == 0
                && path.segments[0].name != name
            {
                self.in_progress.nominating.set(1);
                if let LookupResult::Namespace(targets) = self.hit(path, here) {
                    namespaces.extend(targets);
                }
                self.in_progress.nominating.set(0);
            }
        }
        namespaces
    }

    /// Qualified lookup in a namespace ([namespace.qual]), by its qualified name.
    pub(in crate::facts) fn in_namespace(&self, namespace: Symbol, name: Symbol) -> LookupResult {
        self.unit.ask(name);
        // Within a using-declaration or directive of its own, a name may mean less.
        let free = self.in_progress.using.borrow().is_empty() && self.in_progress.nominating.get() == 0;
        if free && let Some((hit, trace)) = self.caches.namespaced.borrow().get(&(namespace, name)) {
            self.trace.borrow_mut().extend(trace.iter().copied());
            return hit.clone();
        }
        let find = || {
            self.deeper(|| self.in_namespace_unguarded(namespace, name, &mut Vec::new()))
                .unwrap_or(LookupResult::Nothing)
        };
        let (hit, trace) = self.settled(find);
        if let Some(trace) = trace.filter(|_| free) {
            self.caches.namespaced.borrow_mut().insert((namespace, name), (hit.clone(), trace));
        }
        hit
    }

    fn in_namespace_unguarded(
        &self,
        namespace: Symbol,
        name: Symbol,
        seen: &mut Vec<Symbol>,
    ) -> LookupResult {
        seen.push(namespace);
        let mut entities = Vec::new();
        for top in self.unit.declaring(name) {
            let declaration = &self.unit.variance.declarations[*top];
            if !declaration.passes.has(self.pass)
                || !self.unit.found_in[declaration.scope.0 as usize].contains(&namespace)
                || self.unit.is_qualified(*top)
            {
                continue;
            }
            let env = Env::namespace(declaration.scope);
            for decl in self.unit.outline(*top, self.pass).iter() {
                if decl.qualifier.is_some() || !declares(decl, name) {
                    continue;
                }
                match &decl.kind {
                    DeclBody::Using(path) => match self.used(namespace, name, path, &env) {
                        LookupResult::Entities(more) => entities.extend(more),
                        LookupResult::Nothing => {}
                        hit => return hit,
                    },
                    DeclBody::NamespaceAlias(path) => {
                        self.depend_on(*top);
                        return self.hit(path, &env);
                    }
                    DeclBody::UsingNamespace(_) | DeclBody::Instantiation(_) | DeclBody::Guide(_) => {}
                    _ => {
                        self.depend_on(*top);
                        let entity = Entity { decl: decl.clone(), env: env.clone(), owner: None, top: *top };
                        entities.push(entity);
                    }
                }
            }
        }
        if !entities.is_empty() {
            let mut known = FxHashSet::default();
            entities.retain(|entity| known.insert((entity.top, Arc::as_ptr(&entity.decl))));
            return LookupResult::Entities(entities);
        }
        let nested = self.unit.nested(namespace, name);
        if !nested.is_empty() {
            return LookupResult::Namespace(nested.to_vec());
        }
        self.through_directives(namespace, name, seen)
    }

    /// What a using-declaration of a namespace names. That is what stood before it ([namespace.udecl]), so never
    /// another one of the same name there: `namespace std { using ::abs; }` and then `using std::abs;`, as
    /// the C library's headers have it many times over, lead to each other without end.
    fn used(&self, namespace: Symbol, name: Symbol, path: &Path, env: &Env) -> LookupResult {
        if self.in_progress.using.borrow().contains(&(namespace, name)) {
            return LookupResult::Nothing;
        }
        self.in_progress.using.borrow_mut().push((namespace, name));
        let hit = self.hit(path, env);
        self.in_progress.using.borrow_mut().pop();
        hit
    }

    fn through_directives(&self, namespace: Symbol, name: Symbol, seen: &mut Vec<Symbol>) -> LookupResult {
        for top in self.unit.directives.get(&namespace).map_or(&[][..], Vec::as_slice) {
            let declaration = &self.unit.variance.declarations[*top];
            if !declaration.passes.has(self.pass) {
                continue;
            }
            for target in self.nominated(*top) {
                if seen.contains(&target) {
                    continue;
                }
                match self.in_namespace_unguarded(target, name, seen) {
                    LookupResult::Nothing => {}
                    hit => {
                        self.depend_on(*top);
                        return hit;
                    }
                }
            }
        }
        LookupResult::Nothing
    }

    /// The namespaces that the directives of a declaration nominate. While that is being found out,
    /// none: the directive's own name is not looked for through the directive.
    fn nominated(&self, top: usize) -> Vec<Symbol> {
        if let Some(known) = self.caches.nominated.borrow().get(&top) {
            return known.clone();
        }
        self.caches.nominated.borrow_mut().insert(top, Vec::new());
        self.in_progress.nominating.set(self.in_progress.nominating.get() + 1);
        let env = Env::namespace(self.unit.variance.declarations[top].scope);
        let mut namespaces = Vec::new();
        for decl in self.unit.lowered(top, self.pass).iter() {
            if let DeclBody::UsingNamespace(path) = &decl.kind
                && let LookupResult::Namespace(targets) = self.hit(path, &env)
            {
                namespaces.extend(targets);
            }
        }
        self.in_progress.nominating.set(self.in_progress.nominating.get() - 1);
        self.caches.nominated.borrow_mut().insert(top, namespaces.clone());
        namespaces
    }

    /// Class member lookup ([class.member.lookup]): the class, then its bases.
    pub(in crate::facts) fn member(&self, class: &Rc<Instance>, name: Symbol) -> LookupResult {
        self.deeper(|| self.member_unguarded(class, name)).unwrap_or(LookupResult::Nothing)
    }

    fn member_unguarded(&self, class: &Rc<Instance>, name: Symbol) -> LookupResult {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return LookupResult::Nothing;
        };
        self.depend_on(class.top);
        let env = class.env.inside(class.clone());
        let own_name = class.decl.as_ref().is_some_and(|decl| decl.name == name);
        let (mut entities, mut used) = (Vec::new(), LookupResult::Nothing);
        for member in definition.members.iter().flatten() {
            if !declares(member, name) || member.specifiers.is_friend {
                continue;
            }
            // Constructors have no names: a class's own name is that of the class ([class.pre]/2).
            if own_name && matches!(member.kind, DeclBody::Function(_) | DeclBody::Using(_)) {
                continue;
            }
            if let DeclBody::Using(path) = &member.kind {
                // `using Base::Base` inherits constructors ([class.qual]/2): no member of that name.
                if let [.., scope, last] = path.segments.as_slice()
                    && scope.name != last.name
                {
                    used = together(used, self.hit(path, &env));
                }
                continue;
            }
            let owner = Some(class.clone());
            entities.push(Entity { decl: member.clone(), env: env.clone(), owner, top: class.top });
        }
        match used {
            LookupResult::Nothing => {}
            // A member hides what a using-declaration brings in with the same parameters ([namespace.udecl]/14).
            LookupResult::Entities(more) => {
                let own = entities.len();
                for one in more {
                    if !entities[..own].iter().any(|own| self.hides(own, &one)) {
                        entities.push(one);
                    }
                }
            }
            other if entities.is_empty() => return other,
            _ => {}
        }
        if !entities.is_empty() {
            return LookupResult::Entities(entities);
        }
        if own_name {
            return LookupResult::Class(class.clone());
        }
        for (base, _) in &definition.bases {
            if let Ty::Class(base) = self.ty(base, &class.env)
                && !recurs_without_end(class, &base)
            {
                match self.member(&base, name) {
                    LookupResult::Nothing => {}
                    hit => return hit,
                }
            }
        }
        LookupResult::Nothing
    }

    /// Whether a member function has the parameters of one of a base, which it hides then.
    fn hides(&self, own: &Entity, other: &Entity) -> bool {
        let (DeclBody::Function(one), DeclBody::Function(two)) = (&own.decl.kind, &other.decl.kind) else {
            return false;
        };
        one.is_const == two.is_const
            && own.decl.templates.is_empty()
            && other.decl.templates.is_empty()
            && self.has_signature(one, &own.env, &self.parameter_types(two, &other.env)) == Some(true)
    }

    /// Whether all members of a class are known: it is defined, and so are its bases.
    pub(in crate::facts) fn is_complete(&self, class: &Rc<Instance>) -> bool {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return false;
        };
        definition.members.is_some()
            && definition.bases.iter().all(|(base, _)| match self.ty(base, &class.env) {
                Ty::Class(base) if !recurs_without_end(class, &base) => {
                    self.deeper(|| self.is_complete(&base)).unwrap_or(false)
                }
                _ => false,
            })
    }

    /// What a path means, without its last segment's template arguments applied.
    pub(in crate::facts) fn hit(&self, path: &Path, env: &Env) -> LookupResult {
        let (last, init) = path.segments.split_last().expect("a path has a segment");
        if init.is_empty() {
            if let Some([Argument::Type(ty)]) = last.arguments.as_deref()
                && path.is_decltype()
            {
                return LookupResult::TemplateArgument(TemplateArgument::Type(self.ty(ty, env)));
            }
            return if path.global {
                self.in_namespace(sym::EMPTY, last.name)
            } else {
                self.unqualified(last.name, env)
            };
        }
        let scope = Path { global: path.global, segments: init.to_vec() };
        match self.hit(&scope, env) {
            LookupResult::Namespace(namespaces) => {
                for namespace in namespaces {
                    match self.in_namespace(namespace, last.name) {
                        LookupResult::Nothing => {}
                        hit => return hit,
                    }
                }
                LookupResult::Nothing
            }
            LookupResult::Nothing => LookupResult::Nothing,
            _ => match self.named(&scope, env).unqualified() {
                Ty::Class(class) => {
                    let hit = self.member(class, last.name);
                    if matches!(hit, LookupResult::Nothing) && self.is_complete(class) {
                        self.substitution_failed.set(true);
                    }
                    hit
                }
                Ty::Enum(one) => match &one.decl.kind {
                    DeclBody::Enum(body) if body.has(last.name) => {
                        let (decl, env) = (one.decl.clone(), one.env.clone());
                        LookupResult::Entities(vec![Entity { decl, env, owner: None, top: usize::MAX }])
                    }
                    _ => LookupResult::Nothing,
                },
                _ => LookupResult::Nothing,
            },
        }
    }

    /// The qualified name of an entity, unnamed and inline namespaces included.
    pub(in crate::facts) fn qualified_name(&self, entity: &Entity) -> String {
        match &entity.owner {
            Some(owner) => format!("{}::{}", owner.text(Spelling::Canonical), entity.decl.name),
            None if entity.top == usize::MAX => entity.decl.name.to_string(),
            None => join(self.unit.namespace(entity.env.scope), entity.decl.name.as_str()).to_string(),
        }
    }
}

/// Whether a base is the same template again with arguments that are not all known: nothing tells which
/// specialization ends that (`template <long M, long N> struct gcd : gcd<N, M % N>`).
fn recurs_without_end(class: &Instance, base: &Instance) -> bool {
    class.name == base.name && !base.arguments.iter().all(TemplateArgument::is_sure)
}

/// Whether a declaration introduces `name`: as its own, or as one of its unscoped enumerators.
pub(in crate::facts) fn declares(decl: &Decl, name: Symbol) -> bool {
    decl.name == name || matches!(&decl.kind, DeclBody::Enum(one) if !one.scoped && one.has(name))
}

/// Whether a namespace is another one or around it.
fn is_around(namespace: Symbol, other: Symbol) -> bool {
    let rest = other.as_str().strip_prefix(namespace.as_str());
    namespace == sym::EMPTY || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// What a name means that two lookups find.
fn together(one: LookupResult, other: LookupResult) -> LookupResult {
    match (one, other) {
        (LookupResult::Entities(mut entities), LookupResult::Entities(more)) => {
            entities.extend(more);
            LookupResult::Entities(entities)
        }
        (LookupResult::Nothing, other) => other,
        (one, _) => one,
    }
}
