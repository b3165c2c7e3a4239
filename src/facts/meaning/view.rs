//! A unit as one pass has it: everything a [`View`] answers holds for that pass.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::Symbol;
use crate::target::PassSet;

use super::types::{Env, Instance, TemplateArgument, Ty, Value};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;

/// The varying declarations that an answer came from.
pub(in crate::facts) type Trace = BTreeSet<usize>;

/// What an answer is kept by: the addresses of what was asked about, and template arguments in words.
pub(in crate::facts) type Key = (usize, usize, String);

/// ClosureCache to questions asked before.
pub(in crate::facts) struct Cache<T, Owner> {
    entries: RefCell<FxHashMap<Key, CacheEntry<T, Owner>>>,
}

struct CacheEntry<T, Owner> {
    answer: T,
    /// What it came from.
    trace: Trace,
    /// Keeps what is at the addresses, so that nothing else comes to stand there.
    _owner: Owner,
}

impl<T, Owner> Default for Cache<T, Owner> {
    fn default() -> Cache<T, Owner> {
        Cache { entries: RefCell::default() }
    }
}

/// What decides a class's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::facts) struct Layout {
    /// One line per part: a virtual table pointer, a base, an alignment, a member's type.
    pub parts: Vec<String>,
    /// The parts in words, members with their names.
    pub shown: Vec<String>,
    /// The names of the members, in order.
    pub(super) names: Vec<Symbol>,
    /// Size and alignment in bytes, when every part's is known.
    pub size: Option<(u64, u64)>,
    /// Where the members of a derived class may begin: the size, or before the padding at the end.
    pub(super) extent: u64,
}

impl Layout {
    /// Whether two layouts put the same things in the same places. Members under other names are the
    /// same, but not the same names in another order.
    pub(in crate::facts) fn agrees(&self, other: &Layout) -> bool {
        let sorted = |names: &[Symbol]| {
            let mut names = names.to_vec();
            names.sort_by_key(|name| name.as_str());
            names
        };
        let reordered = self.names != other.names && sorted(&self.names) == sorted(&other.names);
        self.parts == other.parts && !reordered
    }
}

/// The enumerators of an enumeration with their values.
pub(in crate::facts) type Enumerators = Vec<(Symbol, Option<Value>)>;

/// A declaration and where the names in it are looked up.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Entity {
    pub decl: Arc<Decl>,
    pub env: Env,
    /// The class it is a member of.
    pub owner: Option<Rc<Instance>>,
    /// The top-level declaration it came from; `usize::MAX` for a local one.
    pub top: usize,
}

/// What a name means.
#[derive(Clone, Debug)]
pub(in crate::facts) enum LookupResult {
    TemplateArgument(TemplateArgument),
    /// A function parameter's type.
    Parameter(Ty),
    Entities(Vec<Entity>),
    Namespace(Vec<Symbol>),
    Class(Rc<Instance>),
    Nothing,
}

/// A unit in one pass.
pub(in crate::facts) struct View<'w> {
    pub unit: &'w IndexedUnit<'w>,
    pub pass: usize,
    limits: Limits,
    /// The varying top-level declarations that answers have come from since the trace was cleared.
    pub trace: RefCell<Trace>,
    pub(super) caches: Caches,
    pub(super) in_progress: InProgress,
    /// A complete class was asked for a member it does not have: substitution fails ([temp.deduct]/8).
    pub(in crate::facts) substitution_failed: Cell<bool>,
}

/// How much has been asked.
#[derive(Default)]
struct Limits {
    depth: Cell<u32>,
    /// How many questions were asked in all, and when the outermost one at hand was.
    queries: Cell<u64>,
    queries_before: Cell<u64>,
    /// The question at hand was left open because it went beyond a limit.
    reached: Cell<bool>,
    /// Some question was.
    ever_reached: Cell<bool>,
}

/// ClosureCache given before, each with what it came from.
#[derive(Default)]
pub(super) struct Caches {
    /// Classes with template arguments, by their canonical names.
    pub(super) instances: RefCell<FxHashMap<String, Rc<Instance>>>,
    /// The values of constants, by declaration and environment.
    pub(super) values: Cache<Option<Value>, Entity>,
    /// The types of variables, in the same way.
    pub(super) variable_types: Cache<Option<Ty>, Entity>,
    /// The enumerators of enumerations, in the same way.
    pub(super) enumerators: Cache<Rc<Enumerators>, Entity>,
    /// The types that aliases name, and whether finding them failed ([temp.deduct]/8).
    pub(super) aliases: Cache<(Ty, bool), Entity>,
    /// The layouts of classes, by instance.
    pub(super) layouts: Cache<Rc<Layout>, Rc<Instance>>,
    /// The namespaces that `using namespace` directives nominate.
    pub(super) nominated: RefCell<FxHashMap<usize, Vec<Symbol>>>,
    /// What names mean in namespaces, and the declarations that says.
    pub(super) namespaced: RefCell<FxHashMap<(Symbol, Symbol), (LookupResult, Trace)>>,
}

/// The questions whose answers are being found: one that leads to itself has no answer.
#[derive(Default)]
pub(super) struct InProgress {
    /// How many directives' namespaces are being found out.
    pub(super) nominating: Cell<u32>,
    /// Using-declarations: where they stand, and their names.
    pub(super) using: RefCell<Vec<(Symbol, Symbol)>>,
    /// Aliases.
    pub(super) aliases: RefCell<Vec<Key>>,
    /// Functions whose template arguments are not all known, by address.
    functions: RefCell<Vec<usize>>,
}

/// How deep aliases, constants and templates may refer to one another before a name is left as
/// spelled. What runs an analysis gives it the stack for it.
const DEPTH_LIMIT: u32 = 600;

/// How many further questions one question may lead to, and all of a pass together.
const OUTERMOST_QUERY_LIMIT: u64 = 50_000;
const PASS_QUERY_LIMIT: u64 = 5_000_000;

impl<'w> View<'w> {
    pub(in crate::facts) fn new(unit: &'w IndexedUnit<'w>, pass: usize) -> View<'w> {
        View {
            unit,
            pass,
            limits: Limits::default(),
            trace: RefCell::default(),
            caches: Caches::default(),
            in_progress: InProgress::default(),
            substitution_failed: Cell::new(false),
        }
    }

    /// Runs `answer` unless the lookups have gone beyond all reason: `using A = B; using B = A;`, or
    /// a recursion that doubles at each step.
    pub(in crate::facts) fn within_limits<T>(&self, answer: impl FnOnce() -> T) -> Option<T> {
        let (depth, queries) = (self.limits.depth.get(), self.limits.queries.get() + 1);
        if depth == 0 {
            self.limits.queries_before.set(queries);
        }
        if depth >= DEPTH_LIMIT
            || queries > PASS_QUERY_LIMIT
            || queries - self.limits.queries_before.get() > OUTERMOST_QUERY_LIMIT
        {
            self.reach_limit();
            return None;
        }
        self.limits.queries.set(queries);
        self.limits.depth.set(depth + 1);
        let result = answer();
        self.limits.depth.set(depth);
        Some(result)
    }

    /// Asks what a function template gives for arguments; nothing within itself when they are not all known, since
    /// nothing would tell where the recursion ends: `decltype(get(next(it)))` in the type of `get`.
    pub(in crate::facts) fn without_recursion<T>(
        &self,
        function: &Function,
        arguments: &[TemplateArgument],
        answer: impl FnOnce() -> T,
    ) -> Option<T> {
        if arguments.iter().all(TemplateArgument::is_sure) {
            return Some(answer());
        }
        let address = std::ptr::from_ref(function) as usize;
        if self.in_progress.functions.borrow().contains(&address) {
            return None;
        }
        self.in_progress.functions.borrow_mut().push(address);
        let result = answer();
        self.in_progress.functions.borrow_mut().pop();
        Some(result)
    }

    /// Whether this is how the host's pass sees the unit.
    pub(in crate::facts) fn is_host(&self) -> bool {
        PassSet::HOST.has(self.pass)
    }

    /// Whether the pass has asked all the questions it may: names are left as spelled that have an answer.
    pub(in crate::facts) fn spent(&self) -> bool {
        self.limits.queries.get() >= PASS_QUERY_LIMIT
    }

    /// Whether it has asked half of them.
    pub(in crate::facts) fn is_half_spent(&self) -> bool {
        self.limits.queries.get() >= PASS_QUERY_LIMIT / 2
    }

    /// Whether some question was left open because it went beyond a limit.
    pub(in crate::facts) fn is_left_open(&self) -> bool {
        self.limits.ever_reached.get()
    }

    /// Notes that some question was left open, by an analysis whose results stand in this one.
    pub(in crate::facts) fn leave_open(&self) {
        self.limits.ever_reached.set(true);
    }

    /// Leaves the question at hand open.
    pub(in crate::facts) fn reach_limit(&self) {
        self.limits.reached.set(true);
        self.limits.ever_reached.set(true);
    }

    /// Runs `answer` and tells what it came from, by itself and added to the trace at hand.
    pub(in crate::facts) fn traced<T>(&self, answer: impl FnOnce() -> T) -> (T, Trace) {
        let before = self.trace.take();
        let result = answer();
        let own = self.trace.take();
        *self.trace.borrow_mut() = before;
        self.trace.borrow_mut().extend(own.iter().copied());
        (result, own)
    }

    /// The answer known for `key`, else that of `answer`, which is known from then on unless it met a
    /// limit.
    pub(in crate::facts) fn cached<T: Clone, Owner: Clone>(
        &self,
        cache: &Cache<T, Owner>,
        key: Key,
        owner: &Owner,
        answer: impl FnOnce() -> T,
    ) -> T {
        if let Some(entry) = cache.entries.borrow().get(&key) {
            self.trace.borrow_mut().extend(entry.trace.iter().copied());
            return entry.answer.clone();
        }
        let (result, trace) = self.traced_within_limits(answer);
        if let Some(trace) = trace {
            let entry = CacheEntry { answer: result.clone(), trace, _owner: owner.clone() };
            cache.entries.borrow_mut().insert(key, entry);
        }
        result
    }

    /// Runs `answer` and tells what it came from, unless it met a limit: then the answer may be another elsewhere.
    pub(super) fn traced_within_limits<T>(&self, answer: impl FnOnce() -> T) -> (T, Option<Trace>) {
        let before = self.limits.reached.replace(false);
        let (result, trace) = self.traced(answer);
        let reached = self.limits.reached.get();
        self.limits.reached.set(before || reached);
        (result, (!reached).then_some(trace))
    }

    pub(in crate::facts) fn depend_on(&self, top: usize) {
        let varies = self.unit.variance.declarations.get(top).map(|top| top.varies);
        if varies.is_some_and(|varies| varies.presence || varies.tokens) {
            self.trace.borrow_mut().insert(top);
        }
    }
}
