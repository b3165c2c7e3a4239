//! Name lookup in one pass ([basic.lookup]).
//!
//! A [`View`] is a unit's [`World`] as one pass has it; everything a view answers holds for that pass.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::ScopeId;

use super::ast::*;
use super::env::{Env, FrameKind};
use super::layout::Layout;
use super::types::{Bound, Instance, Spelling, Ty, Value};
use super::world::{World, join};

/// The varying declarations that an answer came from.
pub(super) type Trace = BTreeSet<usize>;

/// What an answer is kept by: the addresses of what was asked about, and template arguments in words.
pub(super) type Key = (usize, usize, String);

/// Answers to questions asked before.
pub(super) struct Cache<T, Owner> {
    known: RefCell<FxHashMap<Key, Known<T, Owner>>>,
}

struct Known<T, Owner> {
    answer: T,
    /// What it came from.
    trace: Trace,
    /// Keeps what is at the addresses, so that nothing else comes to stand there.
    _owner: Owner,
}

impl<T, Owner> Cache<T, Owner> {
    fn new() -> Cache<T, Owner> {
        Cache { known: RefCell::default() }
    }
}

/// The enumerators of an enumeration with their values.
pub(super) type Enumerators = Vec<(Symbol, Option<Value>)>;

/// A declaration and where the names in it are looked up.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub decl: Arc<Decl>,
    pub env: Env,
    /// The class it is a member of.
    pub owner: Option<Rc<Instance>>,
    /// The top-level declaration it came from; `usize::MAX` for a local one.
    pub top: usize,
}

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Hit {
    Bound(Bound),
    /// A function parameter's type.
    Parameter(Ty),
    Entities(Vec<Entity>),
    Namespace(Vec<Symbol>),
    Class(Rc<Instance>),
    Nothing,
}

/// A unit in one pass.
pub(super) struct View<'w> {
    pub world: &'w World<'w>,
    pub pass: usize,
    depth: Cell<u32>,
    /// How many questions were asked in all, and when the outermost one at hand was.
    steps: Cell<u64>,
    asked: Cell<u64>,
    /// The question at hand was left open because it went beyond a limit.
    cut: Cell<bool>,
    /// Some question was.
    pub left_open: Cell<bool>,
    /// The varying top-level declarations that answers have come from since the trace was cleared.
    pub trace: RefCell<Trace>,
    pub(super) instances: RefCell<FxHashMap<String, Rc<Instance>>>,
    /// The values of constants already evaluated, by declaration and environment.
    pub(super) values: Cache<Option<Value>, Entity>,
    /// The types of variables, in the same way.
    pub(super) variable_types: Cache<Option<Ty>, Entity>,
    /// The enumerators of enumerations, in the same way.
    pub(super) enumerators: Cache<Rc<Enumerators>, Entity>,
    /// The layouts of classes, by instance.
    pub(super) layouts: Cache<Rc<Layout>, Rc<Instance>>,
    /// The namespaces that `using namespace` directives nominate.
    nominated: RefCell<FxHashMap<usize, Vec<Symbol>>>,
    /// How many directives' namespaces are being found out.
    nominating: Cell<u32>,
    /// The using-declarations at hand: where they stand, and their names.
    using: RefCell<Vec<(Symbol, Symbol)>>,
    /// What names mean in namespaces, and the declarations that says.
    namespaced: RefCell<FxHashMap<(Symbol, Symbol), (Hit, Trace)>>,
    /// The aliases at hand.
    pub(super) resolving: RefCell<Vec<Key>>,
    /// The types that aliases name, and whether finding them failed ([temp.deduct]/8).
    pub(super) aliases: Cache<(Ty, bool), Entity>,
    /// The functions at hand whose template arguments are not all known, by address.
    unsure: RefCell<Vec<usize>>,
    /// A complete class was asked for a member it does not have: substitution fails ([temp.deduct]/8).
    pub(super) substitution_failed: Cell<bool>,
}

/// How deep aliases, constants and templates may refer to one another before a name is left as
/// spelled. What runs an analysis gives it the stack for it.
const DEPTH_LIMIT: u32 = 600;

/// How many further questions one question may lead to, and all of a pass together.
const STEPS_A_QUESTION: u64 = 50_000;
const STEPS_A_PASS: u64 = 5_000_000;

impl<'w> View<'w> {
    pub(super) fn new(world: &'w World<'w>, pass: usize) -> View<'w> {
        View {
            world,
            pass,
            depth: Cell::new(0),
            steps: Cell::new(0),
            asked: Cell::new(0),
            cut: Cell::new(false),
            left_open: Cell::new(false),
            trace: RefCell::default(),
            instances: RefCell::default(),
            unsure: RefCell::default(),
            substitution_failed: Cell::new(false),
            values: Cache::new(),
            variable_types: Cache::new(),
            enumerators: Cache::new(),
            layouts: Cache::new(),
            nominated: RefCell::default(),
            nominating: Cell::new(0),
            using: RefCell::default(),
            namespaced: RefCell::default(),
            resolving: RefCell::default(),
            aliases: Cache::new(),
        }
    }

    /// Runs `answer` unless the lookups have gone beyond all reason: `using A = B; using B = A;`, or
    /// a recursion that doubles at each step.
    pub(super) fn deeper<T>(&self, answer: impl FnOnce() -> T) -> Option<T> {
        let (depth, steps) = (self.depth.get(), self.steps.get() + 1);
        if depth == 0 {
            self.asked.set(steps);
        }
        if depth >= DEPTH_LIMIT || steps > STEPS_A_PASS || steps - self.asked.get() > STEPS_A_QUESTION {
            self.cut();
            return None;
        }
        self.steps.set(steps);
        self.depth.set(depth + 1);
        let result = answer();
        self.depth.set(depth);
        Some(result)
    }

    /// Asks what a function template gives for arguments; nothing within itself when they are not all known, since
    /// nothing would tell where the recursion ends: `decltype(get(next(it)))` in the type of `get`.
    pub(super) fn without_recursion<T>(
        &self,
        function: &Function,
        arguments: &[Bound],
        answer: impl FnOnce() -> T,
    ) -> Option<T> {
        if arguments.iter().all(Bound::is_sure) {
            return Some(answer());
        }
        let address = std::ptr::from_ref(function) as usize;
        if self.unsure.borrow().contains(&address) {
            return None;
        }
        self.unsure.borrow_mut().push(address);
        let result = answer();
        self.unsure.borrow_mut().pop();
        Some(result)
    }

    /// Whether this is how the host's pass sees the unit.
    pub(super) fn is_host(&self) -> bool {
        PassSet::HOST.has(self.pass)
    }

    /// Whether the pass has asked all the questions it may: names are left as spelled that have an answer.
    pub(super) fn spent(&self) -> bool {
        self.steps.get() >= STEPS_A_PASS
    }

    /// Whether it has asked half of them.
    pub(super) fn is_half_spent(&self) -> bool {
        self.steps.get() >= STEPS_A_PASS / 2
    }

    /// Leaves the question at hand open.
    pub(super) fn cut(&self) {
        self.cut.set(true);
        self.left_open.set(true);
    }

    /// Runs `answer` and tells what it came from, by itself and added to the trace at hand.
    pub(super) fn traced<T>(&self, answer: impl FnOnce() -> T) -> (T, Trace) {
        let before = self.trace.take();
        let result = answer();
        let own = self.trace.take();
        *self.trace.borrow_mut() = before;
        self.trace.borrow_mut().extend(own.iter().copied());
        (result, own)
    }

    /// The answer known for `key`, else that of `answer`, which is known from then on unless it met a
    /// limit.
    pub(super) fn known<T: Clone, Owner: Clone>(
        &self,
        cache: &Cache<T, Owner>,
        key: Key,
        owner: &Owner,
        answer: impl FnOnce() -> T,
    ) -> T {
        if let Some(known) = cache.known.borrow().get(&key) {
            self.trace.borrow_mut().extend(known.trace.iter().copied());
            return known.answer.clone();
        }
        let before = self.cut.replace(false);
        let (result, trace) = self.traced(answer);
        if !self.cut.get() {
            let known = Known { answer: result.clone(), trace, _owner: owner.clone() };
            cache.known.borrow_mut().insert(key, known);
        }
        self.cut.set(before || self.cut.get());
        result
    }

    pub(super) fn touch(&self, top: usize) {
        let varies = self.world.variance.declarations.get(top).map(|top| top.varies);
        if varies.is_some_and(|varies| varies.presence || varies.tokens) {
            self.trace.borrow_mut().insert(top);
        }
    }

    /// What a top-level declaration declares in this pass.
    pub(super) fn declared(&self, top: usize) -> Vec<Entity> {
        let declaration = &self.world.variance.declarations[top];
        if !declaration.passes.has(self.pass) {
            return Vec::new();
        }
        let env = Env::namespace(declaration.scope);
        let lowered = self.world.lowered(top, self.pass);
        let entity = |decl: &Arc<Decl>| Entity { decl: decl.clone(), env: env.clone(), owner: None, top };
        lowered.iter().map(entity).collect()
    }

    /// Unqualified lookup ([basic.lookup.unqual]).
    pub(super) fn unqualified(&self, name: Symbol, env: &Env) -> Hit {
        let mut frame = env.frame.as_ref();
        while let Some(one) = frame {
            match &one.kind {
                FrameKind::Bindings(bindings) => {
                    if let Some((_, bound)) = bindings.iter().rev().find(|(bound, _)| *bound == name) {
                        return Hit::Bound(bound.clone());
                    }
                }
                FrameKind::Parameters(parameters) => {
                    if let Some((_, ty)) = parameters.iter().rev().find(|(parameter, _)| *parameter == name) {
                        return Hit::Parameter(ty.clone());
                    }
                }
                FrameKind::Class(class) => match self.member(class, name) {
                    Hit::Nothing => {}
                    hit => return hit,
                },
                FrameKind::Locals(locals) => {
                    let locals = locals.borrow();
                    let found = locals.iter().rev().find(|decl| declares(decl, name));
                    if let Some(decl) = found {
                        let env = Env { scope: env.scope, frame: Some(one.clone()) };
                        let entity = Entity { decl: decl.clone(), env, owner: None, top: usize::MAX };
                        return Hit::Entities(vec![entity]);
                    }
                }
            }
            frame = one.parent.as_ref();
        }
        let scopes: Vec<ScopeId> = self.world.scopes_outward(env.scope).collect();
        let mut tried = Vec::new();
        for scope in scopes {
            for namespace in &self.world.found_in[scope.0 as usize] {
                if tried.contains(namespace) {
                    continue;
                }
                tried.push(*namespace);
                match self.in_namespace(*namespace, name) {
                    Hit::Nothing => {}
                    hit => return hit,
                }
            }
        }
        Hit::Nothing
    }

    /// Qualified lookup in a namespace ([namespace.qual]), by its qualified name.
    pub(super) fn in_namespace(&self, namespace: Symbol, name: Symbol) -> Hit {
        self.world.ask(name);
        // Within a using-declaration or directive of its own, a name may mean less.
        let free = self.using.borrow().is_empty() && self.nominating.get() == 0;
        if free && let Some((hit, trace)) = self.namespaced.borrow().get(&(namespace, name)) {
            self.trace.borrow_mut().extend(trace.iter().copied());
            return hit.clone();
        }
        let before = self.cut.replace(false);
        let (hit, trace) = self.traced(|| {
            self.deeper(|| self.in_namespace_unguarded(namespace, name, &mut Vec::new()))
                .unwrap_or(Hit::Nothing)
        });
        if free && !self.cut.get() {
            self.namespaced.borrow_mut().insert((namespace, name), (hit.clone(), trace));
        }
        self.cut.set(before || self.cut.get());
        hit
    }

    fn in_namespace_unguarded(&self, namespace: Symbol, name: Symbol, seen: &mut Vec<Symbol>) -> Hit {
        seen.push(namespace);
        let mut entities = Vec::new();
        for top in self.world.declaring(name) {
            let declaration = &self.world.variance.declarations[*top];
            if !declaration.passes.has(self.pass)
                || !self.world.found_in[declaration.scope.0 as usize].contains(&namespace)
                || self.world.is_qualified(*top)
            {
                continue;
            }
            let env = Env::namespace(declaration.scope);
            for decl in self.world.outline(*top, self.pass).iter() {
                if decl.qualifier.is_some() || !declares(decl, name) {
                    continue;
                }
                match &decl.kind {
                    DeclBody::Using(path) => match self.used(namespace, name, path, &env) {
                        Hit::Entities(more) => entities.extend(more),
                        Hit::Nothing => {}
                        hit => return hit,
                    },
                    DeclBody::NamespaceAlias(path) => {
                        self.touch(*top);
                        return self.hit(path, &env);
                    }
                    DeclBody::UsingNamespace(_) | DeclBody::Instantiation(_) | DeclBody::Guide(_) => {}
                    _ => {
                        self.touch(*top);
                        let entity = Entity { decl: decl.clone(), env: env.clone(), owner: None, top: *top };
                        entities.push(entity);
                    }
                }
            }
        }
        if !entities.is_empty() {
            let mut known = FxHashSet::default();
            entities.retain(|entity| known.insert((entity.top, Arc::as_ptr(&entity.decl))));
            return Hit::Entities(entities);
        }
        let nested = join(namespace, name.as_str());
        if self.world.known_namespaces.contains(&nested) {
            return Hit::Namespace(vec![nested]);
        }
        self.through_directives(namespace, name, seen)
    }

    /// What a using-declaration of a namespace names. That is what stood before it ([namespace.udecl]), so never
    /// another one of the same name there: `namespace std { using ::abs; }` and then `using std::abs;`, as
    /// the C library's headers have it many times over, lead to each other without end.
    fn used(&self, namespace: Symbol, name: Symbol, path: &Path, env: &Env) -> Hit {
        if self.using.borrow().contains(&(namespace, name)) {
            return Hit::Nothing;
        }
        self.using.borrow_mut().push((namespace, name));
        let hit = self.hit(path, env);
        self.using.borrow_mut().pop();
        hit
    }

    fn through_directives(&self, namespace: Symbol, name: Symbol, seen: &mut Vec<Symbol>) -> Hit {
        for top in self.world.directives.get(&namespace).map_or(&[][..], Vec::as_slice) {
            let declaration = &self.world.variance.declarations[*top];
            if !declaration.passes.has(self.pass) {
                continue;
            }
            for target in self.nominated(*top) {
                if seen.contains(&target) {
                    continue;
                }
                match self.in_namespace_unguarded(target, name, seen) {
                    Hit::Nothing => {}
                    hit => {
                        self.touch(*top);
                        return hit;
                    }
                }
            }
        }
        Hit::Nothing
    }

    /// The namespaces that the directives of a declaration nominate. While that is being found out,
    /// none: the directive's own name is not looked for through the directive.
    fn nominated(&self, top: usize) -> Vec<Symbol> {
        if let Some(known) = self.nominated.borrow().get(&top) {
            return known.clone();
        }
        self.nominated.borrow_mut().insert(top, Vec::new());
        self.nominating.set(self.nominating.get() + 1);
        let env = Env::namespace(self.world.variance.declarations[top].scope);
        let mut namespaces = Vec::new();
        for decl in self.world.lowered(top, self.pass).iter() {
            if let DeclBody::UsingNamespace(path) = &decl.kind
                && let Hit::Namespace(targets) = self.hit(path, &env)
            {
                namespaces.extend(targets);
            }
        }
        self.nominating.set(self.nominating.get() - 1);
        self.nominated.borrow_mut().insert(top, namespaces.clone());
        namespaces
    }

    /// Class member lookup ([class.member.lookup]): the class, then its bases.
    pub(super) fn member(&self, class: &Rc<Instance>, name: Symbol) -> Hit {
        self.deeper(|| self.member_unguarded(class, name)).unwrap_or(Hit::Nothing)
    }

    fn member_unguarded(&self, class: &Rc<Instance>, name: Symbol) -> Hit {
        let Some(DeclBody::Class(definition)) = class.decl.as_ref().map(|decl| &decl.kind) else {
            return Hit::Nothing;
        };
        self.touch(class.top);
        let env = class.env.inside(class.clone());
        let mut entities = Vec::new();
        for member in definition.members.iter().flatten() {
            if !declares(member, name) || member.specifiers.is_friend {
                continue;
            }
            if let DeclBody::Using(path) = &member.kind {
                // `using Base::Base` inherits constructors ([class.qual]/2): no member of that name.
                if let [.., scope, last] = path.segments.as_slice()
                    && scope.name != last.name
                {
                    return self.hit(path, &env);
                }
                continue;
            }
            let owner = Some(class.clone());
            entities.push(Entity { decl: member.clone(), env: env.clone(), owner, top: class.top });
        }
        if !entities.is_empty() {
            return Hit::Entities(entities);
        }
        let own_name = class.decl.as_ref().is_some_and(|decl| decl.name == name);
        if own_name {
            return Hit::Class(class.clone());
        }
        for (base, _) in &definition.bases {
            if let Ty::Class(base) = self.ty(base, &class.env)
                && !recurs_without_end(class, &base)
            {
                match self.member(&base, name) {
                    Hit::Nothing => {}
                    hit => return hit,
                }
            }
        }
        Hit::Nothing
    }

    /// Whether all members of a class are known: it is defined, and so are its bases.
    pub(super) fn is_complete(&self, class: &Rc<Instance>) -> bool {
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
    pub(super) fn hit(&self, path: &Path, env: &Env) -> Hit {
        let (last, init) = path.segments.split_last().expect("a path has a segment");
        if init.is_empty() {
            if let Some([Argument::Type(ty)]) = last.arguments.as_deref()
                && path.is_decltype()
            {
                return Hit::Bound(Bound::Type(self.ty(ty, env)));
            }
            return if path.global {
                self.in_namespace(sym::EMPTY, last.name)
            } else {
                self.unqualified(last.name, env)
            };
        }
        let scope = Path { global: path.global, segments: init.to_vec() };
        match self.hit(&scope, env) {
            Hit::Namespace(namespaces) => {
                for namespace in namespaces {
                    match self.in_namespace(namespace, last.name) {
                        Hit::Nothing => {}
                        hit => return hit,
                    }
                }
                Hit::Nothing
            }
            Hit::Nothing => Hit::Nothing,
            _ => match self.named(&scope, env).unqualified() {
                Ty::Class(class) => {
                    let hit = self.member(class, last.name);
                    if matches!(hit, Hit::Nothing) && self.is_complete(class) {
                        self.substitution_failed.set(true);
                    }
                    hit
                }
                Ty::Enum(one) => match &one.decl.kind {
                    DeclBody::Enum(body) if body.has(last.name) => {
                        let (decl, env) = (one.decl.clone(), one.env.clone());
                        Hit::Entities(vec![Entity { decl, env, owner: None, top: usize::MAX }])
                    }
                    _ => Hit::Nothing,
                },
                _ => Hit::Nothing,
            },
        }
    }

    /// The qualified name of an entity, unnamed and inline namespaces included.
    pub(super) fn qualified_name(&self, entity: &Entity) -> String {
        match &entity.owner {
            Some(owner) => format!("{}::{}", owner.text(Spelling::Canonical), entity.decl.name),
            None if entity.top == usize::MAX => entity.decl.name.to_string(),
            None => join(self.world.namespace(entity.env.scope), entity.decl.name.as_str()).to_string(),
        }
    }
}

/// Whether a base is the same template again with arguments that are not all known: nothing tells which
/// specialization ends that (`template <long M, long N> struct gcd : gcd<N, M % N>`).
fn recurs_without_end(class: &Instance, base: &Instance) -> bool {
    class.name == base.name && !base.arguments.iter().all(Bound::is_sure)
}

/// Whether a declaration introduces `name`: as its own, or as one of its unscoped enumerators.
pub(super) fn declares(decl: &Decl, name: Symbol) -> bool {
    decl.name == name || matches!(&decl.kind, DeclBody::Enum(one) if !one.scoped && one.has(name))
}
