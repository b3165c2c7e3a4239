//! A unit as one pass sees it: the queries of this room are methods of [`View`], and every answer holds for
//! its pass only.
//!
//! Here are the caches, which the passes of a unit share, the limits of recursion, and the trace of what an answer
//! depends on.

use std::cell::{Cell, RefCell};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::cancel::unwind_if_cancelled;
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::ScopeId;

use super::answers::{Answers, Dependency, Item, Nominated};
use super::candidates::{CandidateLists, Chosen};
use super::dependencies::Dependencies;
use super::identity::{Identities, Identity, TypeList};
use super::portable::ClassId;
use super::trace::{Trace, TraceSets};
use super::types::{ClassNumber, Env, Instance, TemplateArgument, Ty, Value};
use super::viability::Viability;
use crate::facts::index::unit::{IndexedUnit, Lowered};
use crate::facts::lower::ast::*;

/// The key of a cached answer: the addresses of the declaration and of its environment, and the template arguments.
pub(in crate::facts) type Key = (usize, usize, Identity);

/// The cached answers to one kind of query. `Owner` keeps the objects alive whose addresses are in the keys. Passes may
/// have answers of their own.
pub(in crate::facts) struct Cache<T, Owner> {
    entries: RefCell<FxHashMap<Key, Entries<T, Owner>>>,
}

type Entries<T, Owner> = SmallVec<[CacheEntry<T, Owner>; 1]>;

/// A cached answer.
struct CacheEntry<T, Owner> {
    answer: T,
    /// What it depends on, and the passes that may share it.
    trace: Trace,
    /// The passes that gave or took it.
    held_by: PassSet,
    /// Keeps alive the objects whose addresses are in the key, so that no other object gets these addresses.
    _owner: Owner,
}

impl<T, Owner> Default for Cache<T, Owner> {
    fn default() -> Cache<T, Owner> {
        Cache { entries: RefCell::default() }
    }
}

/// The layout of a class: everything that decides the meaning of its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::facts) struct Layout {
    /// One line per part: the virtual table pointer, a base class, an alignment-specifier or a member's type.
    pub parts: Vec<String>,
    /// The same lines for people, with the names of the members.
    pub shown: Vec<String>,
    /// The names of the data members, in order.
    pub(super) names: Vec<Symbol>,
    /// Size and alignment in bytes, if those of every part are known.
    pub size: Option<(u64, u64)>,
    /// The size in bytes without the tail padding that the members of a derived class may use.
    pub(super) extent: u64,
    /// The type of each part is resolved.
    pub(super) resolved: bool,
    /// No part is of a type that could not be computed and may be any type. Of those that are not resolved, the others are of
    /// types that nothing declares.
    pub(in crate::facts) computed: bool,
}

impl Layout {
    /// Whether two layouts put the same members in the same places. A member may have another name, but the
    /// same names in another order are a difference.
    pub(in crate::facts) fn agrees(&self, other: &Layout) -> bool {
        let sorted = |names: &[Symbol]| {
            let mut names = names.to_vec();
            names.sort_by_key(|name| name.as_str());
            names
        };
        let reordered = self.names != other.names && sorted(&self.names) == sorted(&other.names);
        self.parts == other.parts && !reordered
    }

    /// Whether the type and the size of each part are known.
    pub(in crate::facts) fn is_known(&self) -> bool {
        self.resolved && self.size.is_some()
    }

    /// Whether two layouts may be the same: they have equally many parts, and one of them has a part whose type is not
    /// resolved or whose size is not known. Where that is due to a limit, or the part is a captured variable of which only
    /// the initializer tells the type, it is no other type.
    pub(in crate::facts) fn may_agree(&self, other: &Layout) -> bool {
        let known = self.size.is_some() && other.size.is_some();
        let open = !known || (self.size == other.size && !(self.resolved && other.resolved));
        open && self.parts.len() == other.parts.len()
    }
}

/// The enumerators of an enumeration with their values; `None` for a value that is not known.
pub(in crate::facts) type Enumerators = Vec<(Symbol, Option<Value>)>;

/// A declaration that lookup found, and the scope that the names in it are looked up in.
#[derive(Clone, Debug)]
pub(in crate::facts) struct Entity {
    pub decl: Arc<Decl>,
    pub env: Env,
    /// The class that it is a member of.
    pub owner: Option<Rc<Instance>>,
    /// The index of the top-level declaration that contains it; `usize::MAX` for a local declaration.
    pub top: usize,
}

impl Entity {
    /// What tells it from others while it lives: the addresses of the declaration and of its environment.
    pub(super) fn identity(&self) -> (usize, usize) {
        (Arc::as_ptr(&self.decl) as usize, self.env.identity())
    }
}

/// The result of name lookup.
#[derive(Clone, Debug)]
pub(in crate::facts) enum LookupResult {
    /// A template parameter, by the argument that is bound to it.
    TemplateArgument(TemplateArgument),
    /// A function parameter, by its type.
    Parameter(Ty),
    /// The declarations of one or more entities: overloaded functions, redeclarations, specializations.
    Entities(Rc<Vec<Entity>>),
    /// A namespace, by its qualified name; more than one where a name denotes several.
    Namespace(Vec<Symbol>),
    /// The injected-class-name of a class ([class.pre]/2).
    Class(Rc<Instance>),
    Nothing,
}

/// A unit as one pass sees it.
pub(in crate::facts) struct View<'w> {
    pub unit: &'w IndexedUnit<'w>,
    pub pass: usize,
    limits: Limits,
    /// What answers have depended on since the trace was last taken.
    trace: Cell<Trace>,
    /// The passes that would have read the same since this was last set.
    alike: Cell<PassSet>,
    pub(in crate::facts) caches: Rc<Caches>,
    pub(super) in_progress: InProgress,
    /// A query named a member that a complete class does not have: substitution fails ([temp.deduct]/8).
    pub(in crate::facts) substitution_failed: Cell<bool>,
    /// What of other units is known to hold in this pass.
    pub(super) held: Held,
}

/// What of other units is known to hold in a pass.
#[derive(Default)]
pub(super) struct Held {
    /// What answers depend on, with what that depends on here; `None` where it is something else here.
    pub(super) dependencies: RefCell<FxHashMap<Item, Option<Trace>>>,
    /// The classes by their numbers among those of all units; `None` where another declaration is selected.
    pub(super) classes: RefCell<FxHashMap<ClassId, Option<Rc<Instance>>>>,
}

/// The depth and number of queries, whose limits end runaway recursion.
#[derive(Default)]
struct Limits {
    depth: Cell<u32>,
    /// The number of queries so far, and the number when the outermost query under way began.
    queries: Cell<u64>,
    queries_before: Cell<u64>,
    /// The number of steps of constant evaluation so far, and the number when the outermost query under way began.
    steps: Cell<u64>,
    steps_before: Cell<u64>,
    /// The number of steps of constant evaluation under way.
    nested_steps: Cell<u32>,
    /// The query under way reached a limit, so its answer may be incomplete and is not cached.
    reached: Cell<bool>,
    /// Some query of this pass reached a limit.
    ever_reached: Cell<bool>,
}

/// The answers that queries of all passes of a unit have given, each with what it depends on. A pass takes those of earlier
/// passes for which nothing was looked at that this pass reads otherwise.
#[derive(Default)]
pub(in crate::facts) struct Caches {
    trace_sets: TraceSets,
    /// What the answers depend on, for other units.
    pub(in crate::facts) dependencies: Dependencies,
    /// A query of some pass reached a limit. From then on no pass takes an answer of another: with what that spared, it would
    /// get further before the limit, and resolve what the other left as spelled.
    limit_reached: Cell<bool>,
    /// The numbers by which keys tell types apart.
    pub(in crate::facts) identities: Identities,
    /// Classes and class template specializations.
    pub(super) instances: RefCell<FxHashMap<ClassNumber, SmallVec<[KnownInstance; 1]>>>,
    /// The values of constants, by declaration and environment.
    pub(super) values: Cache<Option<Value>, Entity>,
    /// The values of variable template specializations, by the template's declarations and the arguments.
    pub(super) specialization_values: Cache<Option<Value>, Rc<[Entity]>>,
    /// Whether concepts are satisfied, by declaration and arguments, and whether substitution failed.
    pub(super) concepts: Cache<(Option<bool>, bool), Entity>,
    /// The types of variables, by declaration and environment.
    pub(super) variable_types: Cache<Option<Ty>, Entity>,
    /// The enumerators of enumerations, by declaration and environment.
    pub(super) enumerators: Cache<Rc<Enumerators>, Entity>,
    /// The types that aliases denote, and whether substitution into one failed ([temp.deduct]/8).
    pub(super) aliases: Cache<(Ty, bool), Entity>,
    /// The functions that calls chose, by candidates and arguments, and whether substitution failed.
    pub(super) calls: Cache<(Chosen, bool), Rc<[Entity]>>,
    /// The lists of candidates of these calls.
    pub(super) candidate_lists: CandidateLists<Entity>,
    /// The return types of functions that calls chose, by function and environment, and whether substitution into one
    /// failed.
    pub(super) results: Cache<(Option<Ty>, bool), Entity>,
    /// The parameter types of functions that are compared with others of their name, by declaration and environment.
    pub(super) parameter_lists: Cache<Rc<TypeList>, Entity>,
    /// Whether declarations of function templates are valid for template arguments, by declaration and environment.
    pub(super) validity: Cache<Viability, Entity>,
    /// The base classes of classes, by class.
    pub(super) bases: Cache<Rc<Vec<(Ty, bool)>>, Rc<Instance>>,
    /// The members of classes of which it is not settled which specialization they are, by class and name.
    pub(super) unsettled_members: Cache<LookupResult, Rc<Instance>>,
    /// What argument-dependent lookup goes through for classes, by class.
    pub(super) associated: Cache<Rc<Associated>, Rc<Instance>>,
    /// The closure types of lambda-expressions, by lambda-expression and environment.
    pub(super) closures: Cache<Ty, (Arc<Closure>, Env)>,
    /// What is asked of the objects of classes, by class and question.
    pub(super) class_properties: Cache<Option<bool>, Rc<Instance>>,
    /// The layouts of classes, by class.
    pub(super) layouts: Cache<Rc<Layout>, Rc<Instance>>,
    /// The member templates that were template arguments, by qualified name.
    pub(super) member_templates: Named<Vec<Entity>>,
    /// The function template specializations that were template arguments, by their text.
    pub(super) functions: Named<NamedFunctions>,
    /// The results of qualified lookup in a namespace, by namespace and name, and whether it is for a using-directive of a
    /// block; so the following.
    pub(super) namespace_lookups: Lookups<(Symbol, bool)>,
    /// The members of namespaces themselves, by namespace and name.
    pub(super) own_members: Lookups<(Symbol, bool)>,
    /// The results of unqualified lookup from a namespace scope on, by scope, top-level declaration, nominated namespaces and
    /// name.
    pub(super) outward_lookups: Lookups<((ScopeId, usize, Nominated), bool)>,
}

impl Caches {
    /// Empty; with `answers`, the unit shares answers with others.
    pub(in crate::facts) fn with(answers: Option<&Answers>) -> Caches {
        let dependencies = Dependencies::shared_by(answers.and_then(Answers::tables));
        Caches { dependencies, ..Caches::default() }
    }

    /// Hands answers to other units.
    pub(in crate::facts) fn hand_on(&self) {
        self.dependencies.hand_on();
    }
}

/// A class template specialization as it is kept.
pub(super) struct KnownInstance {
    pub(super) instance: Rc<Instance>,
    /// The passes in which it was selected among the same declarations.
    pub(super) selected_in: PassSet,
    /// The addresses of these declarations.
    pub(super) among: Box<[usize]>,
    /// What the selection depends on, for other units.
    pub(super) on: Item,
}

/// What template arguments name, by the text that stands for it, with the passes in which it does.
pub(super) struct Named<T>(RefCell<FxHashMap<Rc<str>, Meanings<T>>>);

type Meanings<T> = SmallVec<[(PassSet, T); 1]>;

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named(RefCell::default())
    }
}

impl<T: Clone> Named<T> {
    /// What a text stands for in a pass, and the passes in which that is so.
    fn get(&self, text: &str, pass: usize) -> (Option<T>, PassSet) {
        let known = self.0.borrow();
        let mut others = PassSet::EMPTY;
        for (passes, meant) in known.get(text).into_iter().flatten() {
            if passes.has(pass) {
                return (Some(meant.clone()), passes.minus(others));
            }
            others = others.or(*passes);
        }
        (None, PassSet::EVERY.minus(others))
    }

    /// Whether a text stands for something in a pass.
    pub(super) fn has(&self, text: &str, pass: usize) -> bool {
        self.get(text, pass).0.is_some()
    }

    /// Notes what a text stands for in some passes.
    pub(super) fn insert(&self, text: Rc<str>, passes: PassSet, meant: T) {
        let mut known = self.0.borrow_mut();
        let meanings = known.entry(text).or_default();
        // What it stands for now is what it is taken for.
        meanings.retain(|(others, _)| *others != passes);
        meanings.insert(0, (passes, meant));
    }
}

/// The results of lookups, by name and where it is looked up, with what each depends on.
pub(super) struct Lookups<Where>(RefCell<FxHashMap<(Where, Symbol), Entries<LookupResult, ()>>>);

impl<Where> Default for Lookups<Where> {
    fn default() -> Lookups<Where> {
        Lookups(RefCell::default())
    }
}

/// The functions that a name denotes, and its explicit template arguments.
pub(super) type NamedFunctions = (Vec<Entity>, Vec<TemplateArgument>);

/// The associated namespaces of a type, and those of its associated entities that declare friends
/// ([basic.lookup.argdep]/3).
#[derive(Default)]
pub(super) struct Associated {
    pub(super) namespaces: Vec<Symbol>,
    pub(super) befriending: Vec<Rc<Instance>>,
}

/// What may hold for the objects of a class, and is asked of those of its base classes and members too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassProperty {
    CopiedFromLvalue,
    CopiedFromRvalue,
    TriviallyCopiedFromLvalue,
    TriviallyCopiedFromRvalue,
    CopiedFromLvalueWithoutThrowing,
    CopiedFromRvalueWithoutThrowing,
    TriviallyCopyable,
    Creatable,
    Destructible,
    TriviallyDestructible,
    DestroyedWithoutThrowing,
    TriviallyDefaultConstructible,
    DefaultInitializedWithoutThrowing,
    Empty,
    PodMembers,
}

/// A query that may lead back to itself.
#[derive(PartialEq, Eq)]
pub(super) enum UnderWay {
    /// A member, by class and name, where it is not settled which specialization the class is: one that may be meant can
    /// have the class itself among its base classes.
    Member(usize, Symbol),
    /// The specialization of a class template, by declaration and number: while its arguments are not settled, a partial
    /// specialization may be asked for with them to tell whether it matches.
    Selection(usize, ClassNumber),
    /// The return type of a function: where it is deduced from a call of the function, another one is meant
    /// ([dcl.spec.auto]/10).
    Result(Key),
    /// The value of a variable template specialization, or whether a concept is satisfied: of arguments that are not settled,
    /// constraints may ask in a circle.
    Constant(Key),
    /// The values of the enumerators of an enumeration, which may be qualified by its name among them.
    Enumerators(Key),
    /// What holds for the objects of a class, by its address: no class contains itself, but what is not settled may.
    Property(usize, ClassProperty),
}

/// The queries under way: one that leads back to itself has no answer.
#[derive(Default)]
pub(super) struct InProgress {
    /// The number of using-directives whose nominated namespaces are being looked up.
    pub(super) nominating: Cell<u32>,
    /// Whether the outermost of them is in a block.
    pub(super) nominating_in_block: Cell<bool>,
    /// The namespaces that the using-directives of a top-level declaration nominate, by its index, and what that depends on;
    /// none while they are being looked up.
    pub(super) nominated: RefCell<FxHashMap<usize, (Vec<Symbol>, Trace)>>,
    /// The using-declarations whose targets are being looked up: namespace and name.
    pub(super) using: RefCell<Vec<(Symbol, Symbol)>>,
    /// The aliases whose types are being resolved.
    pub(super) aliases: RefCell<Vec<Key>>,
    /// Those that may lead back to themselves, from the outside in.
    queries: RefCell<Vec<UnderWay>>,
    /// The index of the outermost of these that the query under way has led back to.
    led_back: Cell<Option<usize>>,
    /// Of the enumerations whose enumerators have their values computed, those that have them, from the outside in.
    pub(super) enumerators: RefCell<Vec<(Key, Enumerators)>>,
    /// Function templates that are being asked about with arguments that are not fully resolved, by address.
    functions: RefCell<Vec<usize>>,
}

/// The deepest nesting of queries: aliases, constants and templates that refer to one another. The threads of
/// an analysis have the stack for it.
const DEPTH_LIMIT: u32 = 600;

/// The depth up to which a query counts as an outermost one: the type of a name, and of the variable that it denotes.
const OUTERMOST_DEPTH: u32 = 2;

/// The most queries that one outermost query may lead to, and the most of one pass. A name beyond them is
/// left as spelled.
const QUERIES_PER_OUTERMOST_QUERY: u64 = 2_000_000;
const QUERIES_PER_PASS: u64 = 9_000_000;

/// The deepest nesting of queries about function template specializations whose arguments are not fully resolved.
const UNRESOLVED_NESTING: usize = 2;

/// The deepest nesting of the steps of constant evaluation, each an expression or a statement, the most of them that one
/// outermost query may take, and the most of one pass. A constant beyond them is left as spelled. nvcc's own limit is about a million for one constant.
const NESTED_STEPS: u32 = 4_000;
const STEPS_PER_OUTERMOST_QUERY: u64 = 200_000;
const STEPS_PER_PASS: u64 = 3_000_000;

impl<'w> View<'w> {
    /// The unit in one of its passes, which share the answers in `caches`.
    pub(in crate::facts) fn new(unit: &'w IndexedUnit<'w>, pass: usize, caches: &Rc<Caches>) -> View<'w> {
        View {
            unit,
            pass,
            limits: Limits::default(),
            trace: Cell::new(Trace::NOTHING),
            alike: Cell::new(PassSet::EVERY),
            caches: Rc::clone(caches),
            in_progress: InProgress::default(),
            substitution_failed: Cell::new(false),
            held: Held::default(),
        }
    }

    /// Runs a query unless it exceeds the limits of depth and number: `using A = B; using B = A;`, or a
    /// recursion that doubles at each level. `None` if it does.
    pub(in crate::facts) fn within_limits<T>(&self, answer: impl FnOnce() -> T) -> Option<T> {
        unwind_if_cancelled();
        let (depth, queries) = (self.limits.depth.get(), self.limits.queries.get() + 1);
        if depth == 0 {
            self.limits.queries_before.set(queries);
            self.limits.steps_before.set(self.limits.steps.get());
        }
        if depth >= DEPTH_LIMIT
            || queries > QUERIES_PER_PASS
            || queries - self.limits.queries_before.get() > QUERIES_PER_OUTERMOST_QUERY
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

    /// Counts a step of constant evaluation; `None` if there were too many.
    pub(in crate::facts) fn step(&self) -> Option<()> {
        let steps = self.limits.steps.get() + 1;
        self.limits.steps.set(steps);
        if steps > STEPS_PER_PASS || steps - self.limits.steps_before.get() > STEPS_PER_OUTERMOST_QUERY {
            self.reach_limit();
            return None;
        }
        Some(())
    }

    /// Runs a step of constant evaluation that others are nested in; `None` if there are too many.
    pub(in crate::facts) fn nested_step<T>(&self, step: impl FnOnce() -> Option<T>) -> Option<T> {
        self.step()?;
        let nested = self.limits.nested_steps.get() + 1;
        if nested > NESTED_STEPS {
            self.reach_limit();
            return None;
        }
        self.limits.nested_steps.set(nested);
        let result = step();
        self.limits.nested_steps.set(nested - 1);
        result
    }

    /// Runs a query about a function template specialization. While one whose arguments are not fully
    /// resolved is under way, another of the same template has no answer: nothing would end the recursion of
    /// `decltype(get(next(it)))` in the type of `get`. So has one deep inside others, which multiply with each level and are
    /// hardly ever settled.
    pub(in crate::facts) fn without_recursion<'a, T>(
        &self,
        function: &Function,
        mut arguments: impl Iterator<Item = &'a TemplateArgument>,
        answer: impl FnOnce() -> T,
    ) -> Option<T> {
        if arguments.all(TemplateArgument::is_sure) {
            return Some(answer());
        }
        let address = std::ptr::from_ref(function) as usize;
        let under_way = self.in_progress.functions.borrow();
        if under_way.len() >= UNRESOLVED_NESTING || under_way.contains(&address) {
            return None;
        }
        drop(under_way);
        self.in_progress.functions.borrow_mut().push(address);
        let result = answer();
        self.in_progress.functions.borrow_mut().pop();
        Some(result)
    }

    /// Whether it is the host's pass.
    pub(in crate::facts) fn is_host(&self) -> bool {
        let is_host = PassSet::HOST.has(self.pass);
        self.share_with(if is_host { PassSet::HOST } else { PassSet::EVERY.minus(PassSet::HOST) });
        self.caches.dependencies.see(|| Some(Dependency::Host(is_host)));
        is_host
    }

    /// The set of this pass alone.
    pub(in crate::facts) fn only_here(&self) -> PassSet {
        PassSet::single(self.pass)
    }

    /// Whether a top-level declaration is in this pass.
    pub(in crate::facts) fn has(&self, top: usize) -> bool {
        let passes = self.unit.variance.declarations[top].passes;
        let is_here = passes.has(self.pass);
        self.share_with(if is_here { passes } else { PassSet::EVERY.minus(passes) });
        is_here
    }

    /// The declarations that a top-level declaration makes in this pass.
    pub(in crate::facts) fn lowered(&self, top: usize) -> Lowered {
        self.share_with(self.alike(top));
        let declarations = self.unit.lowered(top, self.pass);
        self.caches.dependencies.see_lowered(self.unit, top, &declarations);
        declarations
    }

    /// The same without the members of a class template ([`IndexedUnit::outline`]).
    pub(in crate::facts) fn outline(&self, top: usize) -> Lowered {
        self.share_with(self.alike(top));
        self.unit.outline(top, self.pass)
    }

    /// The declaration of which there is an outline, with its members ([`IndexedUnit::whole`]).
    pub(in crate::facts) fn whole(&self, top: usize, outline: &Arc<Decl>) -> Arc<Decl> {
        self.share_with(self.alike(top));
        let whole = self.unit.whole(top, self.pass, outline);
        self.caches.dependencies.see_whole(self.unit, top, [outline, &whole]);
        whole
    }

    /// The passes in which a top-level declaration is what it is in this one.
    pub(in crate::facts) fn alike(&self, top: usize) -> PassSet {
        let Some(declaration) = self.unit.variance.declarations.get(top) else { return self.only_here() };
        if !declaration.passes.has(self.pass) {
            return PassSet::EVERY.minus(declaration.passes);
        }
        if !declaration.varies.tokens {
            return declaration.passes;
        }
        let classes = self.unit.classes(top);
        classes.iter().copied().find(|class| class.has(self.pass)).unwrap_or_else(|| self.only_here())
    }

    /// A class as this pass has it, of which passes share all but its [varying members](IndexedUnit::is_varying_member).
    pub(in crate::facts) fn own_definition(&self, top: usize, shared: Arc<Decl>) -> Arc<Decl> {
        let Some((lowered, passes)) = self.unit.own_lowered(top, self.pass) else { return shared };
        self.share_with(passes);
        self.caches.dependencies.add(Item::OWN);
        let is_it = |own: &&Arc<Decl>| own.at == shared.at && own.name == shared.name;
        lowered.iter().find(is_it).cloned().unwrap_or(shared)
    }

    /// A member of such a class as this pass has it: it may be a varying one.
    pub(in crate::facts) fn own_member(&self, class: &Instance, member: &Arc<Decl>) -> Arc<Decl> {
        let is_varying = self.unit.is_varying_member(class.top, member.name);
        let Some(shared) = class.decl.as_ref().filter(|_| is_varying) else { return Arc::clone(member) };
        let own = self.own_definition(class.top, Arc::clone(shared));
        let (DeclBody::Class(shared), DeclBody::Class(own)) = (&shared.kind, &own.kind) else {
            return Arc::clone(member);
        };
        // A macro may give several overloads of the same place.
        let place = shared.members_named(member.name).position(|one| Arc::ptr_eq(one, member));
        let own = place.and_then(|place| own.members_named(member.name).nth(place));
        Arc::clone(own.unwrap_or(member))
    }

    /// The passes in which an entity is what it is in this one.
    pub(in crate::facts) fn entity_alike(&self, entity: &Entity) -> PassSet {
        let alike = self.declared_alike(entity.top, &entity.env);
        match self.unit.is_varying_member(entity.top, entity.decl.name) {
            true => alike.and(self.unit.own_class(entity.top, self.pass).unwrap_or(self.only_here())),
            false => alike,
        }
    }

    /// The same of what is declared by a top-level declaration, or locally in one (`usize::MAX`), in an environment.
    pub(super) fn declared_alike(&self, top: usize, env: &Env) -> PassSet {
        self.alike(if top == usize::MAX { env.top } else { top }).and(env.alike())
    }

    /// The passes in which entities are what they are in this one.
    pub(super) fn all_alike(&self, entities: &[Entity]) -> PassSet {
        entities.iter().fold(PassSet::EVERY, |all, one| all.and(self.entity_alike(one)))
    }

    /// Takes the passes out of the trace that are not among some.
    pub(in crate::facts) fn share_with(&self, passes: PassSet) {
        self.alike.set(self.alike.get().and(passes));
        self.trace.set(self.trace.get().among(passes));
    }

    /// Whether the pass has used up its queries: names are left as spelled that could be resolved.
    pub(in crate::facts) fn spent(&self) -> bool {
        self.limits.queries.get() >= QUERIES_PER_PASS
    }

    /// Whether the pass has used up half of its queries.
    pub(in crate::facts) fn is_half_spent(&self) -> bool {
        self.limits.queries.get() >= QUERIES_PER_PASS / 2
    }

    /// Whether some query of the pass reached a limit.
    pub(in crate::facts) fn is_left_open(&self) -> bool {
        self.limits.ever_reached.get()
    }

    /// Runs queries, and tells whether one of them reached a limit.
    pub(in crate::facts) fn limited<T>(&self, queries: impl FnOnce() -> T) -> (T, bool) {
        let before = self.limits.ever_reached.replace(false);
        let result = queries();
        let reached = self.limits.ever_reached.get();
        self.limits.ever_reached.set(before || reached);
        (result, reached)
    }

    /// Records that a query reached a limit in an analysis whose results are reused in this one.
    pub(in crate::facts) fn leave_open(&self) {
        self.caches.limit_reached.set(true);
        self.limits.ever_reached.set(true);
    }

    /// Runs a query that may lead back to itself: `None` where it does, which settles nothing. What depends on that is cached
    /// only as a part of the query that was led back to.
    pub(super) fn unless_under_way<T>(&self, query: UnderWay, answer: impl FnOnce() -> T) -> Option<T> {
        if self.leads_back_to(&query) {
            self.depend_on_unsettled();
            return None;
        }
        let before = self.in_progress.led_back.get();
        self.in_progress.queries.borrow_mut().push(query);
        self.in_progress.led_back.set(None);
        let result = answer();
        self.in_progress.queries.borrow_mut().pop();
        let around = self.in_progress.queries.borrow().len();
        let own = self.in_progress.led_back.get().filter(|own| *own < around);
        self.in_progress.led_back.set(before.into_iter().chain(own).min());
        Some(result)
    }

    /// Whether a query is under way: what depends on that is cached only as a part of it.
    pub(super) fn leads_back_to(&self, query: &UnderWay) -> bool {
        let known = self.in_progress.queries.borrow().iter().position(|one| one == query);
        if known.is_some() {
            let before = self.in_progress.led_back.get();
            self.in_progress.led_back.set(before.into_iter().chain(known).min());
        }
        known.is_some()
    }

    /// Whether something holds for the objects of a class; `None` if that is not known.
    pub(super) fn class_property(
        &self,
        class: &Rc<Instance>,
        property: ClassProperty,
        answer: impl FnOnce() -> Option<bool>,
    ) -> Option<bool> {
        let address = Rc::as_ptr(class) as usize;
        let key = (address, property as usize, Identity::new());
        self.cached(&self.caches.class_properties, key, class, class.alike, || {
            let answer = || self.within_limits(|| self.outside_immediate_context(answer)).flatten();
            self.unless_under_way(UnderWay::Property(address, property), answer).flatten()
        })
    }

    /// Runs a query. Returns its answer, what it depends on, whether it reached a limit, and whether it led back to a query
    /// around it.
    pub(super) fn observed<T>(&self, answer: impl FnOnce() -> T) -> (T, Trace, bool, bool) {
        let reached_before = self.limits.reached.replace(false);
        let led_before = self.in_progress.led_back.replace(None);
        let (result, trace) = self.traced(answer);
        let reached = self.limits.reached.get();
        self.limits.reached.set(reached_before || reached);
        let own = self.in_progress.led_back.get();
        self.in_progress.led_back.set(led_before.into_iter().chain(own).min());
        (result, trace, reached, own.is_some())
    }

    /// Records that the query under way reached a limit.
    pub(in crate::facts) fn reach_limit(&self) {
        self.caches.limit_reached.set(true);
        self.limits.reached.set(true);
        self.limits.ever_reached.set(true);
    }

    /// Runs a query. Returns its answer and what it depends on, which is added to the current trace too.
    pub(in crate::facts) fn traced<T>(&self, answer: impl FnOnce() -> T) -> (T, Trace) {
        let before = self.trace.replace(Trace::NOTHING);
        let begin = self.caches.dependencies.begin();
        let result = answer();
        let on = self.caches.dependencies.end(begin);
        let own = self.trace.get().on(on);
        self.trace.set(self.caches.trace_sets.joined(before, own));
        self.caches.dependencies.add(on);
        (result, own)
    }

    /// Does something, and tells which passes would have read the same, among those that share what it begins with.
    pub(in crate::facts) fn alike_in(&self, passes: PassSet, act: impl FnOnce()) -> PassSet {
        let before = self.alike.replace(passes);
        act();
        let alike = self.alike.get();
        self.alike.set(before.and(alike));
        alike
    }

    /// What answers have depended on since the trace was last taken.
    pub(in crate::facts) fn trace(&self) -> Trace {
        self.trace.get()
    }

    pub(in crate::facts) fn set_trace(&self, trace: Trace) {
        self.trace.set(trace);
    }

    /// Adds what an answer depends on to the current trace.
    pub(in crate::facts) fn depend_as(&self, trace: Trace) {
        self.alike.set(self.alike.get().and(trace.alike));
        self.trace.set(self.caches.trace_sets.joined(self.trace.get(), trace));
        self.caches.dependencies.add(trace.on);
    }

    /// The varying top-level declarations in a trace, by their index in the unit, ascending.
    pub(in crate::facts) fn varying(&self, trace: Trace) -> Rc<[usize]> {
        self.caches.trace_sets.declarations(trace)
    }

    /// The cached answer for `key`, or that of `answer`, which is cached unless it reached a limit inside other queries.
    /// `alike` are the passes in which what the key stands for is the same: the environments and template arguments.
    pub(in crate::facts) fn cached<T: Clone, Owner: Clone>(
        &self,
        cache: &Cache<T, Owner>,
        key: Key,
        owner: &Owner,
        alike: PassSet,
        answer: impl FnOnce() -> T,
    ) -> T {
        self.cached_if(cache, key, owner, alike, answer, |_| true)
    }

    /// As [`View::cached`], but an answer is cached only if it `holds_for_all` queries with that key.
    pub(in crate::facts) fn cached_if<T: Clone, Owner: Clone>(
        &self,
        cache: &Cache<T, Owner>,
        key: Key,
        owner: &Owner,
        alike: PassSet,
        answer: impl FnOnce() -> T,
        holds_for_all: impl FnOnce(&T) -> bool,
    ) -> T {
        if let Some(known) = cache.entries.borrow_mut().get_mut(&key)
            && let Some((answer, trace)) = self.taken(known)
        {
            self.depend_as(trace);
            return answer;
        }
        // With all of its limits before it, the query would end like this again.
        let is_outermost = self.limits.depth.get() <= OUTERMOST_DEPTH;
        let (result, trace, reached, led_back) = self.observed(answer);
        if (!reached || is_outermost) && !led_back && holds_for_all(&result) {
            // Another pass may have more left of its limits.
            let sharing = if reached { self.only_here() } else { alike.or(self.only_here()) };
            let on = if reached { Item::OWN } else { trace.on };
            let (trace, held_by) = (trace.among(sharing).on(on), self.only_here());
            let entry = CacheEntry { answer: result.clone(), trace, held_by, _owner: owner.clone() };
            cache.entries.borrow_mut().entry(key).or_default().push(entry);
        }
        result
    }

    /// The answer among those to one question that this pass gave or took before, or may take.
    fn taken<T: Clone, Owner>(&self, known: &mut Entries<T, Owner>) -> Option<(T, Trace)> {
        let own = known.iter().position(|entry| entry.held_by.has(self.pass));
        let other = || known.iter().position(|entry| self.may_share(entry.trace.alike));
        let taken = own.or_else(other)?;
        let entry = &mut known[taken];
        entry.held_by = entry.held_by.or(self.only_here());
        Some((entry.answer.clone(), entry.trace))
    }

    /// What a text stands for that is a template argument.
    pub(super) fn meant<T: Clone>(&self, named: &Named<T>, text: &str) -> Option<T> {
        let (meant, passes) = named.get(text, self.pass);
        self.share_with(passes);
        self.caches.dependencies.add(Item::OWN);
        meant
    }

    /// Whether a query of some pass reached a limit: from then on no answer of another pass or unit is taken.
    pub(super) fn is_limited(&self) -> bool {
        self.caches.limit_reached.get()
    }

    /// What two answers depend on.
    pub(super) fn joined(&self, one: Trace, other: Trace) -> Trace {
        self.caches.trace_sets.joined(one, other)
    }

    /// Whether this pass takes an answer that some passes may share.
    pub(in crate::facts) fn may_share(&self, alike: PassSet) -> bool {
        alike.has(self.pass) && !self.caches.limit_reached.get()
    }

    /// The result of a lookup that is known in this pass, and what it depends on.
    pub(super) fn known_lookup<Where: Eq + Hash>(
        &self,
        all: &Lookups<Where>,
        key: (Where, Symbol),
    ) -> Option<(LookupResult, Trace)> {
        self.taken(all.0.borrow_mut().get_mut(&key)?)
    }

    /// Keeps the result of a lookup.
    pub(super) fn keep_lookup<Where: Eq + Hash>(
        &self,
        all: &Lookups<Where>,
        key: (Where, Symbol),
        answer: LookupResult,
        trace: Trace,
    ) {
        let entry = CacheEntry { answer, trace, held_by: self.only_here(), _owner: () };
        all.0.borrow_mut().entry(key).or_default().push(entry);
    }

    /// Runs a query. Returns its answer, and what it depends on unless it reached a limit or led back to a query around it:
    /// the answer may be another where less recursion precedes the query.
    pub(super) fn traced_within_limits<T>(&self, answer: impl FnOnce() -> T) -> (T, Option<Trace>) {
        let (result, trace, reached, led_back) = self.observed(answer);
        (result, (!reached && !led_back).then_some(trace))
    }

    /// Runs a query that is not in the immediate context of the current substitution: an error in it does not make
    /// substitution fail ([temp.deduct]/8).
    pub(in crate::facts) fn outside_immediate_context<T>(&self, answer: impl FnOnce() -> T) -> T {
        let failed = self.substitution_failed.get();
        let result = answer();
        self.substitution_failed.set(failed);
        result
    }

    /// Adds to the trace that the answer depends on a question that was not settled.
    pub(in crate::facts) fn depend_on_unsettled(&self) {
        self.trace.set(self.trace.get().unsettled(true));
    }

    /// Whether what is traced depends on a question that was not settled.
    pub(in crate::facts) fn is_unsettled(&self) -> bool {
        self.trace.get().is_unsettled()
    }

    /// Runs a query, and tells whether its answer depends on a question that was not settled, which is not added to the
    /// current trace.
    pub(in crate::facts) fn apart<T>(&self, answer: impl FnOnce() -> T) -> (T, bool) {
        let before = self.trace.get().is_unsettled();
        self.trace.set(self.trace.get().unsettled(false));
        let result = answer();
        let unsettled = self.trace.get().is_unsettled();
        self.trace.set(self.trace.get().unsettled(before));
        (result, unsettled)
    }

    /// Adds a top-level declaration to the trace, if it varies.
    pub(in crate::facts) fn depend_on(&self, top: usize) {
        self.caches.dependencies.trace(self.unit, top);
        let varies = self.unit.variance.declarations.get(top).map(|top| top.varies);
        if varies.is_some_and(|varies| varies.presence || varies.tokens) {
            self.trace.set(self.caches.trace_sets.with(self.trace.get(), top));
        }
    }
}
