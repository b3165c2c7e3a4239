//! The name graph: from a name to the names that its declarations mention, where a use of the name instantiates the
//! declaration and so what it mentions.
//!
//! In: the token facts of declarations ([`TokenFacts`]). Out: [`ReachingNames`], all names from which some names can be
//! reached. The graph errs towards edges, since it looks at spellings only. But functions that GPUs alone run lead to a
//! kernel only by functions that GPUs run, too, down to the launch: they don't call those of the host. And code of system
//! headers that is no template leads to kernels of these alone, since it knows no others. An alias or variable is named behind
//! its declaration ([basic.scope.pdecl]), and a constant that calls nothing only reads constants. Where a call operator
//! leads, so does whatever may give an object to call, since a call of an object spells no name of its class's. The closure
//! over the preamble alone is cached between analyses; the declarations behind it can only add to that.

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cancel::unwind_if_cancelled;
use crate::facts::lower::nodes::CALL_OPERATOR;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, TopDeclaration};

use super::class_facts::Mentioning;
use super::mentioned::Forms;
use super::names::NameIndex;
use super::token_facts::{TokenFacts, is_word};

/// The graph over the declarations of a unit.
#[derive(Clone, Copy)]
pub(in crate::facts) struct NameGraph<'l> {
    pub(in crate::facts) declarations: &'l [TopDeclaration],
    /// The declarations of each name.
    pub(in crate::facts) index: &'l NameIndex,
    pub(in crate::facts) token_facts: &'l TokenFacts,
    /// The closures over the preamble alone that were computed before.
    pub(in crate::facts) closures: Option<&'l ClosureCache>,
}

/// The names from which some target names can be reached.
#[derive(Debug, Default)]
pub(in crate::facts) struct ReachingNames {
    /// The target names, and the names from which they are reached.
    pub(in crate::facts) names: FxHashSet<Symbol>,
    /// How code that has one of them reaches a target by it.
    ways: Ways,
    /// Edges that the declarations of a name do not show: from the class of an operand to the operator function, from a
    /// class to the classes of its members and bases, and from a member function to a name that it mentions. Sorted.
    implicit_edges: Vec<(Symbol, Symbol)>,
    /// The names from which the target names that system headers declare are reached by declarations of these alone.
    in_system: Arc<FxHashSet<Symbol>>,
    /// The names of variables and functions that may give objects to call.
    givers: FxHashSet<Symbol>,
    /// The closure over the preamble alone.
    pub(in crate::facts) preamble: Option<Arc<ReachingNames>>,
}

/// The names that lead to some kernel templates.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::facts) struct LeadingNames {
    /// All of them.
    pub anywhere: FxHashSet<Symbol>,
    /// Those that lead from code which GPUs alone run.
    pub on_device: FxHashSet<Symbol>,
    /// Those that lead from code of system headers that is no template: it can't know what is declared elsewhere.
    pub in_system: Arc<FxHashSet<Symbol>>,
    /// Those that lead as members alone, each with the names of the classes that have such a member, ascending; with the
    /// empty name where tokens do not tell the class.
    pub members: FxHashMap<Symbol, Box<[Symbol]>>,
}

impl LeadingNames {
    /// The names that lead otherwise by others.
    pub(in crate::facts) fn changed_in<'n>(
        &'n self,
        other: &'n LeadingNames,
    ) -> impl Iterator<Item = Symbol> + 'n {
        let lists = [
            (&self.anywhere, &other.anywhere),
            (&self.on_device, &other.on_device),
            (&*self.in_system, &*other.in_system),
        ];
        let names = lists.into_iter().flat_map(|(own, others)| own.symmetric_difference(others)).copied();
        let all = self.members.keys().chain(other.members.keys()).copied();
        names.chain(all.filter(|name| self.members.get(name) != other.members.get(name)))
    }
}

/// How many aliases stand between a name and the type that it is an alias of, at most: `size_t` may be that of a library's
/// own alias.
const ALIASES_FOLLOWED: usize = 3;

/// The words that an alias of a type that is no class consists of.
const FUNDAMENTAL_WORDS: [&str; 16] = [
    "typedef", "using", "std", "const", "void", "bool", "char", "wchar_t", "short", "int", "long", "signed",
    "unsigned", "float", "double", "__int128",
];

/// The way of what every declaration may mean.
const ANYWHERE: Way = Way::FreeFrom(0);

/// In place of a class's declaration, a class that tokens do not tell.
const ANY_CLASS: usize = usize::MAX;

/// How names lead to the target names.
#[derive(Clone, Debug, Default)]
struct Ways {
    /// The target names, each with the first declaration that makes it one: what stands before that denotes something else.
    targets: FxHashMap<Symbol, usize>,
    /// The names that lead as entities of namespace scope: what is no member of a class. Each with the first declaration that
    /// can mean it: an alias or variable has to be declared before it is named; a class may be declared by an elaborated type
    /// specifier anywhere, and a function is also found by the types of its arguments.
    free: FxHashMap<Symbol, usize>,
    /// The names that lead as members, each with the classes that have such a member.
    members: FxHashMap<Symbol, Vec<usize>>,
    /// The names that lead for functions, too, which GPUs alone run: what reaches the target names by what GPUs run.
    on_device: FxHashSet<Symbol>,
}

/// A way in which a name leads.
#[derive(Clone, Copy)]
enum Way {
    /// As an entity of namespace scope, from a declaration on.
    FreeFrom(usize),
    /// As a member of a class.
    MemberOf(usize),
}

impl Ways {
    /// Adds a way, and tells whether it is new.
    fn add(&mut self, name: Symbol, way: Way, on_device: bool) -> bool {
        let is_new = match way {
            Way::FreeFrom(first) => {
                let known = self.free.entry(name).or_insert(usize::MAX);
                std::mem::replace(known, first.min(*known)) > first
            }
            Way::MemberOf(class) => {
                let classes = self.members.entry(name).or_default();
                let place = classes.binary_search(&class);
                place.map_err(|place| classes.insert(place, class)).is_err()
            }
        };
        on_device && self.on_device.insert(name) || is_new
    }

    /// The names that lead as members alone, each with the names of the classes.
    fn members_alone(&self, declarations: &[TopDeclaration]) -> FxHashMap<Symbol, Box<[Symbol]>> {
        let is_alone = |name: &Symbol| !self.free.contains_key(name) && !self.targets.contains_key(name);
        let alone = self.members.iter().filter(|(name, _)| is_alone(name));
        let with_names = alone.map(|(name, classes)| {
            let own = |top: &usize| match declarations.get(*top) {
                Some(class) => &class.names[..class.declared],
                None => &[sym::EMPTY][..],
            };
            let mut names: Vec<Symbol> = classes.iter().flat_map(own).copied().collect();
            names.sort_unstable();
            names.dedup();
            (*name, names.into_boxed_slice())
        });
        with_names.collect()
    }

    /// Whether a name leads in the same ways.
    fn agree(&self, other: &Ways, name: Symbol) -> bool {
        self.targets.get(&name) == other.targets.get(&name)
            && self.free.get(&name) == other.free.get(&name)
            && self.members.get(&name) == other.members.get(&name)
            && self.on_device.contains(&name) == other.on_device.contains(&name)
    }
}

impl ReachingNames {
    /// Whether a declaration that mentions a name in some forms may reach a target by it.
    pub(in crate::facts) fn leads_from(
        &self,
        graph: NameGraph<'_>,
        top: usize,
        (name, forms): (Symbol, Forms),
    ) -> bool {
        self.names.contains(&name)
            && (graph.leads_on_device(&self.ways, top, (name, forms))
                || !graph.token_facts.names_on_device_alone(top, name))
            && graph.may_denote(&self.ways, top, (name, forms))
    }

    /// The declarations that may reach a target by one of some names, which they mention.
    pub(in crate::facts) fn mentioning(&self, graph: NameGraph<'_>, names: &FxHashSet<Symbol>) -> Vec<usize> {
        let calls_objects = self.names.contains(&Symbol::intern(CALL_OPERATOR));
        let mut mentioning = vec![false; graph.declarations.len()];
        for name in names {
            for (top, forms) in graph.leading_mentions(*name, calls_objects) {
                mentioning[top] |= self.leads_from(graph, top, (*name, forms));
            }
        }
        (0..mentioning.len()).filter(|top| mentioning[*top]).collect()
    }

    /// The names by where they lead from.
    pub(in crate::facts) fn leading_names(&self, declarations: &[TopDeclaration]) -> LeadingNames {
        let (anywhere, mut on_device) = (self.names.clone(), self.ways.on_device.clone());
        on_device.extend(self.ways.targets.keys());
        let members = self.ways.members_alone(declarations);
        LeadingNames { anywhere, on_device, in_system: Arc::clone(&self.in_system), members }
    }

    /// The names that lead in ways in which they did not lead with the preamble alone.
    pub(in crate::facts) fn beyond<'n>(
        &'n self,
        preamble: &'n ReachingNames,
    ) -> impl Iterator<Item = Symbol> + 'n {
        self.names.iter().copied().filter(|name| !self.ways.agree(&preamble.ways, *name))
    }

    /// The implicit edges, but for those within the preamble.
    pub(in crate::facts) fn implicit_edges_behind_preamble(&self) -> impl Iterator<Item = (Symbol, Symbol)> {
        self.implicit_edges.iter().copied()
    }

    /// The targets of the implicit edges from `name`.
    pub(in crate::facts) fn implicit_edges(&self, name: Symbol) -> impl Iterator<Item = Symbol> {
        let lists =
            [Some(&self.implicit_edges), self.preamble.as_ref().map(|preamble| &preamble.implicit_edges)];
        lists.into_iter().flatten().flat_map(move |list| {
            let first = list.partition_point(|(from, _)| *from < name);
            list[first..].iter().take_while(move |(from, _)| *from == name).map(|(_, to)| *to)
        })
    }
}

/// How many closures over the preamble are cached, the latest first: an analysis needs that of all kernel templates and
/// that of the ones in question.
const CLOSURES_KEPT: usize = 4;

/// Closures over the preamble alone, by their sets of target names.
#[derive(Debug, Default)]
pub(in crate::facts) struct ClosureCache(Mutex<Vec<(FxHashSet<Symbol>, Arc<ReachingNames>)>>);

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl ClosureCache {
    fn get_or_find(
        &self,
        names: FxHashSet<Symbol>,
        find: impl FnOnce(&FxHashSet<Symbol>) -> ReachingNames,
    ) -> Arc<ReachingNames> {
        let known = |closures: &Vec<(FxHashSet<Symbol>, Arc<ReachingNames>)>| {
            closures.iter().find(|(asked, _)| *asked == names).map(|(_, reached)| Arc::clone(reached))
        };
        if let Some(known) = known(&self.0.lock().expect(NO_PANIC)) {
            return known;
        }
        let found = Arc::new(find(&names));
        let mut closures = self.0.lock().expect(NO_PANIC);
        closures.truncate(CLOSURES_KEPT - 1);
        closures.insert(0, (names, Arc::clone(&found)));
        found
    }
}

impl<'l> NameGraph<'l> {
    /// `names`, and every name from which one of them can be reached.
    pub(in crate::facts) fn closure(&self, names: &FxHashSet<Symbol>) -> ReachingNames {
        let (Some(preamble_graph), Some(closures)) = (self.token_facts.preamble_alone(), self.closures)
        else {
            return self.closure_from_scratch(names);
        };
        let mut closure = NameClosure::new(*self);
        let preamble_graph = NameGraph { token_facts: &preamble_graph, ..*self };
        let own: FxHashSet<Symbol> =
            names.iter().copied().filter(|name| preamble_graph.token_facts.is_kernel(*name)).collect();
        let preamble = closures.get_or_find(own, |names| preamble_graph.closure_from_scratch(names));
        closure.names.clone_from(&preamble.names);
        closure.ways.clone_from(&preamble.ways);
        closure.givers.clone_from(&preamble.givers);
        closure.calls_objects = closure.names.contains(&Symbol::intern(CALL_OPERATOR));
        // Declarations behind the preamble may mention its names, and may make classes of names that declarations in it
        // mention, which gives these further edges.
        for top in self.token_facts.preamble_end()..self.declarations.len() {
            closure.follow_mentions(top, &preamble.names);
        }
        let declared = self.declarations[self.token_facts.preamble_end()..].iter().flat_map(|one| &one.names);
        let classes: FxHashSet<Symbol> = declared
            .copied()
            .filter(|name| self.is_class(*name) && !preamble_graph.is_class(*name))
            .collect();
        if !classes.is_empty() {
            for top in preamble_graph.token_facts.operators_of(&classes) {
                closure.follow_mentions(top, &preamble.names);
            }
            for name in classes.iter().filter(|name| preamble.names.contains(name)) {
                let mentions = preamble_graph.mentions_with_forms(*name);
                mentions.for_each(|(top, forms)| closure.follow_mention(top, *name, forms));
            }
        }
        names.iter().for_each(|name| closure.add_target(*name));
        let mut behind = self.token_facts.preamble_end()..self.declarations.len();
        let in_system = match behind.any(|top| self.token_facts.is_of_system(top)) {
            true => self.closure_in_system(names),
            false => Arc::clone(&preamble.in_system),
        };
        ReachingNames { preamble: Some(preamble), in_system, ..closure.finish() }
    }

    fn closure_from_scratch(&self, names: &FxHashSet<Symbol>) -> ReachingNames {
        let mut closure = NameClosure::new(*self);
        names.iter().for_each(|name| closure.add_target(*name));
        ReachingNames { in_system: self.closure_in_system(names), ..closure.finish() }
    }

    /// The target names that system headers declare, and every name from which one of them can be reached by declarations
    /// of system headers alone.
    fn closure_in_system(&self, names: &FxHashSet<Symbol>) -> Arc<FxHashSet<Symbol>> {
        let facts = self.token_facts;
        let declares = |name: &Symbol| self.declaring_target(*name).any(|top| facts.is_of_system(top));
        let mut closure = NameClosure { in_system: true, ..NameClosure::new(*self) };
        names.iter().filter(|name| declares(name)).for_each(|name| closure.add_target(*name));
        Arc::new(closure.finish().names)
    }

    /// The kernel templates and variable templates in GPU memory of a name.
    fn declaring_target(&self, name: Symbol) -> impl Iterator<Item = usize> {
        let facts = self.token_facts;
        let tops = self.index.get(name).iter().copied().take_while(move |top| *top < facts.end());
        tops.filter(move |top| {
            let words: &[Symbol] = match self.declarations[*top].kind {
                DeclKind::Function | DeclKind::Prototype => &[sym::GLOBAL],
                DeclKind::Variable => &[sym::DEVICE, sym::CONSTANT, sym::MANAGED],
                _ => &[],
            };
            facts.is_template(*top) && facts.head_has(*top, words)
        })
    }

    /// The declarations that mention a name, if a use of it can instantiate anything.
    pub(in crate::facts) fn mentions(&self, name: Symbol) -> impl Iterator<Item = usize> + use<'l> {
        self.mentions_with_forms(name).map(|(top, _)| top)
    }

    /// The same, and how they mention it.
    pub(in crate::facts) fn mentions_with_forms(
        &self,
        name: Symbol,
    ) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        self.leading_mentions(name, false)
    }

    /// The declarations that mention a name that leads, and how: where some call operator leads, a use of one that instantiates
    /// nothing may give an object to call.
    fn leading_mentions(
        &self,
        name: Symbol,
        calls_objects: bool,
    ) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        let may_reach = match calls_objects {
            true => self.token_facts.has_kernels(),
            false => self.token_facts.has_kernels() && self.token_facts.may_instantiate(name),
        };
        let token_facts = self.token_facts;
        may_reach.then(|| token_facts.mentions_with_forms(name)).into_iter().flatten()
    }

    /// Whether a name that a declaration mentions in some forms may denote a target: one that is declared before, and where
    /// the declaration's own name is not that of a class ([class.pre]/2).
    fn may_be_target(&self, ways: &Ways, top: usize, (name, forms): (Symbol, Forms)) -> bool {
        let is_own = || {
            let declaration = &self.declarations[top];
            let declares_type =
                matches!(declaration.kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias);
            let types = if declares_type { 0 } else { declaration.declared };
            declaration.names[types..].contains(&name)
        };
        ways.targets.get(&name).is_some_and(|first| top >= *first || forms.meet(Forms::LAUNCHED))
            && forms.meet(Forms::VALUE)
            && (forms.meet(Forms::QUALIFIED) || forms.meet(Forms::UNQUALIFIED) && !is_own())
    }

    /// Whether a name leads, so mentioned, for functions that GPUs alone run.
    fn leads_on_device(&self, ways: &Ways, top: usize, mention: (Symbol, Forms)) -> bool {
        ways.on_device.contains(&mention.0) || self.may_be_target(ways, top, mention)
    }

    /// Whether a name that a declaration mentions in some forms may denote something that leads to a target: by itself an
    /// entity of namespace scope, or a member of a class that the declaration is, defines a member of, or is derived from
    /// ([basic.lookup.unqual], [class.member.lookup]); behind an object any member.
    fn may_denote(&self, ways: &Ways, top: usize, (name, forms): (Symbol, Forms)) -> bool {
        if self.may_be_target(ways, top, (name, forms)) {
            return true;
        }
        let members = ways.members.get(&name);
        let is_declared = ways.free.get(&name).is_some_and(|first| top >= *first);
        if members.is_none() && !is_declared {
            return false;
        }
        forms.meet(Forms::QUALIFIED)
            || !is_word(name)
            || forms.meet(Forms::UNQUALIFIED) && is_declared
            || members.is_some() && forms.meet(Forms::OF_OBJECT)
            || members.is_some_and(|classes| {
                classes.last() == Some(&ANY_CLASS) || self.is_within(top, classes, &mut Vec::new())
            })
    }

    /// Whether a declaration is one of some classes, is derived from one, or defines a member of one.
    fn is_within(&self, top: usize, classes: &[usize], seen: &mut Vec<usize>) -> bool {
        if classes.binary_search(&top).is_ok() {
            return true;
        }
        if seen.contains(&top) {
            return false;
        }
        seen.push(top);
        let declaration = &self.declarations[top];
        let bases = self.token_facts.class(top).map_or(&[][..], |class| class.bases());
        let mut around = bases.iter().chain(&declaration.names[declaration.declared..]);
        around.any(|name| {
            // Without a definition it is a template parameter, say, or a member.
            let before = self.classes_before(*name, top).filter(|all| !all.is_empty());
            before.is_none_or(|all| all.iter().any(|one| self.is_within(*one, classes, seen)))
        })
    }

    /// The class definitions of a name before a declaration; `None` where it may stand for another class, since it is that of
    /// an alias.
    fn classes_before(&self, name: Symbol, top: usize) -> Option<Vec<usize>> {
        let mut classes = Vec::new();
        for before in self.index.get(name).iter().take_while(|before| **before < top) {
            let declaration = &self.declarations[*before];
            match declaration.kind {
                _ if !declaration.names[..declaration.declared].contains(&name) => {}
                DeclKind::Class => classes.push(*before),
                DeclKind::Alias | DeclKind::Using => return None,
                _ => {}
            }
        }
        Some(classes)
    }

    /// The names by which a class is reached: its own, and those of the classes around it where it is defined outside them. A
    /// namespace that its definition is qualified with (`struct std::tuple_size<T>`) is reached by all names in it.
    fn names_as_class(&self, top: usize) -> Vec<Symbol> {
        let declaration = &self.declarations[top];
        let (own, qualifiers) = declaration.names.split_at(declaration.declared);
        let may_be_class =
            |name: &&Symbol| self.classes_before(**name, top).is_none_or(|classes| !classes.is_empty());
        own.iter().chain(qualifiers.iter().filter(may_be_class)).copied().collect()
    }

    /// Whether GPUs may run what a declaration defines: it is no function, or one that some declaration of its name, which is
    /// the class for a member function, gives to them.
    fn may_run_on_device(&self, top: usize) -> bool {
        let (declaration, token_facts) = (&self.declarations[top], self.token_facts);
        let is_member = declaration.declared < declaration.names.len();
        let all = declaration.names.iter().flat_map(|name| self.index.get(*name));
        let mut so_far = all.filter(|other| **other <= top);
        is_member || so_far.any(|other| !token_facts.is_on_host_alone(*other))
    }

    /// Whether a name is that of a class, or an alias, which may stand for one.
    fn is_class(&self, name: Symbol) -> bool {
        let tops = self.index.get(name);
        self.mentions(name).next().is_some()
            && tops.iter().take_while(|top| **top < self.token_facts.end()).any(|top| {
                matches!(self.declarations[*top].kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias)
            })
            && !self.is_fundamental(name, ALIASES_FOLLOWED)
    }

    /// Whether all declarations of a name are aliases of types that are no classes, by at most `aliases` others: `size_t`.
    fn is_fundamental(&self, name: Symbol, aliases: usize) -> bool {
        let tops = self.index.get(name).iter().take_while(|top| **top < self.token_facts.end());
        let mut tops = tops.filter(|top| self.declarations[**top].kind != DeclKind::Using).peekable();
        let is_of_type = |other: &Symbol| {
            *other == name
                || FUNDAMENTAL_WORDS.contains(&other.as_str())
                || aliases > 0 && self.is_fundamental(*other, aliases - 1)
        };
        tops.peek().is_some()
            && tops.all(|top| {
                self.declarations[*top].kind == DeclKind::Alias
                    && self.token_facts.names(*top).iter().all(is_of_type)
            })
    }
}

/// The computation of a closure.
struct NameClosure<'l> {
    graph: NameGraph<'l>,
    names: FxHashSet<Symbol>,
    ways: Ways,
    implicit_edges: FxHashSet<(Symbol, Symbol)>,
    /// The names that were reached, or by a further way, but not followed since; each once.
    worklist: Vec<Symbol>,
    queued: FxHashSet<Symbol>,
    /// Only declarations of system headers are followed.
    in_system: bool,
    /// Some call operator leads: what gives objects of classes that lead does too, since calls of them spell no name of theirs.
    calls_objects: bool,
    /// The names of variables and functions that may give objects to call.
    givers: FxHashSet<Symbol>,
}

impl<'l> NameClosure<'l> {
    fn new(graph: NameGraph<'l>) -> NameClosure<'l> {
        NameClosure {
            graph,
            names: FxHashSet::default(),
            ways: Ways::default(),
            implicit_edges: FxHashSet::default(),
            worklist: Vec::new(),
            queued: FxHashSet::default(),
            in_system: false,
            calls_objects: false,
            givers: FxHashSet::default(),
        }
    }

    /// Notes that some call operator leads: what was followed is followed again.
    fn begin_calling_objects(&mut self) {
        self.calls_objects = true;
        let Self { names, queued, worklist, .. } = self;
        worklist.extend(names.iter().filter(|name| queued.insert(**name)));
    }

    /// Adds a way in which a name leads, `on_device` for functions too that GPUs alone run.
    fn add(&mut self, name: Symbol, way: Way, on_device: bool) {
        self.names.insert(name);
        if self.ways.add(name, way, on_device) && self.queued.insert(name) {
            self.worklist.push(name);
        }
        if !self.calls_objects && name == Symbol::intern(CALL_OPERATOR) {
            self.begin_calling_objects();
        }
    }

    /// Adds a target name. One that no declaration makes a kernel template or variable template leads wherever it stands.
    fn add_target(&mut self, name: Symbol) {
        let first = self.graph.declaring_target(name).next().unwrap_or(0);
        self.names.insert(name);
        if self.ways.targets.insert(name, first) != Some(first) && self.queued.insert(name) {
            self.worklist.push(name);
        }
    }

    /// Follows the names in the worklist until none is left.
    fn finish(mut self) -> ReachingNames {
        while let Some(name) = self.worklist.pop() {
            unwind_if_cancelled();
            self.queued.remove(&name);
            for (top, forms) in self.mentions(name) {
                if !self.in_system || self.graph.token_facts.is_of_system(top) {
                    self.follow_mention(top, name, forms);
                }
            }
        }
        let mut implicit_edges: Vec<(Symbol, Symbol)> = self.implicit_edges.into_iter().collect();
        implicit_edges.sort_unstable();
        let (names, ways, givers) = (self.names, self.ways, self.givers);
        ReachingNames { names, ways, implicit_edges, in_system: Arc::default(), givers, preamble: None }
    }

    /// Follows a declaration's mentions of those names among `names`.
    fn follow_mentions(&mut self, top: usize, names: &FxHashSet<Symbol>) {
        let token_facts = self.graph.token_facts;
        if !token_facts.instantiates_when_used(top) && !self.calls_objects {
            return;
        }
        for (name, forms) in token_facts.names_with_forms(top).filter(|(name, _)| names.contains(name)) {
            if self.mentions(name).next().is_some() {
                self.follow_mention(top, name, forms);
            }
        }
    }

    /// The declarations that mention a name that leads, and how.
    fn mentions(&self, name: Symbol) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        self.graph.leading_mentions(name, self.calls_objects)
    }

    /// Adds the names through which a declaration's mention of `name` is reached: the own names of a template or alias;
    /// for a class also the names of the member functions that mention it. Members of a class that is no template are
    /// roots themselves, so they are not followed, except member templates. An operator or constructor is reached
    /// through objects, whose class is mentioned where they are created.
    fn follow_mention(&mut self, top: usize, name: Symbol, forms: Forms) {
        let NameGraph { declarations, token_facts, .. } = self.graph;
        let declaration = &declarations[top];
        let instantiates = token_facts.instantiates_when_used(top);
        let gives_objects = !instantiates && self.gives_objects(top, name);
        if !instantiates && !gives_objects || !self.graph.may_denote(&self.ways, top, (name, forms)) {
            return;
        }
        // What leads to a target from code of GPUs alone leads to it from any.
        let from_device = self.graph.leads_on_device(&self.ways, top, (name, forms));
        if !from_device && token_facts.names_on_device_alone(top, name) {
            return;
        }
        let Some(class) = token_facts.class(top) else {
            if instantiates && !token_facts.instantiated_by_uses(top).contains(&name) {
                return;
            }
            let on_device = from_device && self.graph.may_run_on_device(top);
            self.add_function(top, on_device);
            if gives_objects {
                let own = &declaration.names[..declaration.declared];
                let new = own.iter().filter(|own| self.givers.insert(**own));
                self.worklist.extend(new.filter(|own| self.queued.insert(**own)));
            }
            // A use of an operator does not spell its name; it mentions the classes of its operands.
            if let Some(operator) = declaration.names.iter().find(|name| !is_word(**name)) {
                for operand in token_facts.operands(top) {
                    if self.graph.is_class(*operand) {
                        self.implicit_edges.insert((*operand, *operator));
                        self.add_class(*operand, on_device);
                    }
                }
            }
            return;
        };
        let members: Vec<Mentioning> = class
            .mentioning(name)
            .filter(|one| from_device || !one.on_device_alone)
            .filter(|one| self.graph.may_denote(&self.ways, top, (name, one.forms)))
            .collect();
        let is_template = token_facts.is_template(top);
        let own_names = self.graph.names_as_class(top);
        let on_device = from_device && (members.is_empty() || members.iter().any(|one| !one.on_host_alone));
        if is_template {
            own_names.iter().for_each(|own| self.add_class(*own, on_device));
        }
        // Constructors and operators of a class use those of its data members and bases.
        let is_object = self.calls_objects && self.is_of_objects(name);
        if !is_template && (is_object || class.consists_of(name) && self.graph.is_class(name)) {
            for whole in &own_names {
                self.implicit_edges.insert((*whole, name));
                self.add_class(*whole, from_device);
            }
        }
        for member in members {
            let on_device = from_device && !member.on_host_alone;
            if let Some(own) = member.name {
                self.implicit_edges.insert((own, name));
                self.add(own, Way::MemberOf(top), on_device);
                if member.is_free {
                    self.add(own, ANYWHERE, on_device);
                } else if declaration.names.contains(&own) {
                    self.add_class(own, on_device);
                }
                // An explicit call may name the destructor by a template parameter.
                if own.as_str().starts_with('~') {
                    self.implicit_edges.insert((sym::TILDE, own));
                    self.add(sym::TILDE, ANYWHERE, on_device);
                }
            }
            if !member.name.is_some_and(is_word) {
                own_names.iter().for_each(|own| self.add_class(*own, on_device));
            }
        }
    }

    /// Whether a declaration that is no template may give objects to call by a name that it mentions: a variable, or a
    /// function, whose result may be one.
    fn gives_objects(&self, top: usize, name: Symbol) -> bool {
        let kind = self.graph.declarations[top].kind;
        self.calls_objects
            && matches!(kind, DeclKind::Variable | DeclKind::Function | DeclKind::Prototype)
            && self.is_of_objects(name)
    }

    /// Whether a name is that of a class, or of what gives objects.
    fn is_of_objects(&self, name: Symbol) -> bool {
        self.givers.contains(&name) || self.graph.is_class(name)
    }

    /// Adds the names of a function, variable or alias that leads. Of what is defined outside its class, the class counts
    /// too: a constructor is reached by it.
    fn add_function(&mut self, top: usize, on_device: bool) {
        let declaration = &self.graph.declarations[top];
        let (own, qualifiers) = declaration.names.split_at(declaration.declared);
        // A target has been added as one, by which its own name denotes nothing else.
        let is_target = |name: &Symbol| {
            self.ways.targets.contains_key(name) && self.graph.declaring_target(*name).any(|one| one == top)
        };
        if own.iter().all(is_target) {
            return;
        }
        let mut is_member = false;
        for qualifier in qualifiers {
            // An alias may be a class's. Else a name that no class has is a namespace's.
            let classes = self.graph.classes_before(*qualifier, top).unwrap_or_else(|| vec![ANY_CLASS]);
            for class in classes {
                is_member |= class != ANY_CLASS;
                own.iter().for_each(|name| self.add(*name, Way::MemberOf(class), on_device));
                self.add(*qualifier, ANYWHERE, on_device);
            }
        }
        if !is_member {
            for name in own {
                let first = match declaration.kind {
                    DeclKind::Alias => top,
                    // The template of which it may be a specialization, too.
                    DeclKind::Variable => self.first_declared(*name, |kind| kind == DeclKind::Variable),
                    _ => 0,
                };
                self.add(*name, Way::FreeFrom(first), on_device);
            }
        }
    }

    /// Adds the name of a class that leads. An elaborated type specifier may declare it where its name is no declaration's
    /// ([basic.scope.pdecl]); of an alias, none does.
    fn add_class(&mut self, name: Symbol, on_device: bool) {
        let kinds = self.graph.index.get(name).iter().map(|top| self.graph.declarations[*top].kind);
        let is_alias = kinds.clone().any(|kind| kind == DeclKind::Alias)
            && kinds.clone().all(|kind| !matches!(kind, DeclKind::Class | DeclKind::Forward));
        let first = if is_alias { self.first_declared(name, |kind| kind == DeclKind::Alias) } else { 0 };
        self.add(name, Way::FreeFrom(first), on_device);
    }

    /// The first declaration of a name that is of some kinds; the first of all where there is none.
    fn first_declared(&self, name: Symbol, is_meant: impl Fn(DeclKind) -> bool) -> usize {
        let declarations = self.graph.declarations;
        let mut all = self.graph.index.get(name).iter().copied();
        all.find(|top| is_meant(declarations[*top].kind)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::variance;

    use super::super::kept::KeptIndex;
    use super::super::unit::IndexedUnit;
    use super::*;
    use crate::facts::lower::memo::Memo;

    const HEADER: &str = "
template <class T> __global__ void filled(T *out) { }
struct Grid;
template <class T> T operator+(T left, const Late &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> T operator-(T left, const Grid &right) { filled<T><<<1, 1>>>(0); return left; }
template <class T> struct Filler { void run(T *out) { filled<T><<<1, 1>>>(out); } void rest() { helper(T()); } };
struct Holder { Late member; Filler<int> own; template <class T> void go(T of) { own.run(of); } };
template <class T> void uses(T of) { Holder holder; holder.go(of); }
void Late();
template <class T> __device__ void nested(T of);
template <class T> __device__ void around(T of) { nested(of); uses(of); }
template <class T> struct Derived : Late { void all(T of) { run(of); } };
template <class T> void member(T of) { of.run(1); Derived<T>().all(of); }
";

    /// The names of a closure, and the targets of the implicit edges from each.
    type Closures = (FxHashSet<Symbol>, Vec<(Symbol, Vec<Symbol>)>);

    /// The closure of a unit's kernel templates: computed from scratch, and from the closure over the preamble.
    fn closures_of(main: &str) -> [Closures; 2] {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(Path::new("h.h"), HEADER.into());
        sources.add(Path::new("a.cu"), format!("#include \"h.h\"\n{main}"));
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        let mut pp = preprocess(&unit, &sources, &Arc::default());
        pp.keep(pp.headers());
        let all = unit.passes.all();
        let (variance, memo, left) = (variance(&pp, all), Memo::new(), KeptIndex::default());
        [None, Some(&left)].map(|last| {
            let unit = IndexedUnit::new(&pp, &variance, &memo, all, last);
            assert_eq!(unit.token_facts().preamble_end() > 0, last.is_some());
            let reached = unit.name_graph().closure(&unit.token_facts().kernels());
            let mut names: Vec<Symbol> = reached.names.iter().copied().collect();
            names.sort_unstable();
            let implicit_edges = |name: &Symbol| {
                let mut to: Vec<Symbol> = reached.implicit_edges(*name).collect();
                to.sort_unstable();
                to.dedup();
                (*name, to)
            };
            let implicit_edges = names.iter().map(implicit_edges).collect();
            (reached.names, implicit_edges)
        })
    }

    #[test]
    fn a_closure_from_the_preamble_equals_one_from_scratch() {
        let mut sizes: Vec<usize> = Vec::new();
        for main in [
            "void launch() { filled<int><<<1, 1>>>(0); }",
            "template <class T> void helper(T of) { filled<T><<<1, 1>>>(&of); }",
            "struct Late { template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); } };",
            "struct Late { };",
            "struct Grid { };",
            "template <class T> __global__ void own(T *out) { }\ntemplate <class T> void helper(T of) { own<T>(0); }",
            "template <class T> struct Grid { Holder held; }; using Late = Grid<int>;",
            "template <class T> __device__ void nested(T of) { filled<T><<<1, 1>>>(&of); }",
            "template <class T> __host__ __device__ void helper(T of) { around(of); }",
            "struct Late { template <class T> void run(T of); }; template <class T> void Late::run(T of) { filled<T><<<1, 1>>>(&of); }",
            "template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); }",
        ] {
            let [from_scratch, from_preamble] = closures_of(main);
            assert_eq!(from_scratch, from_preamble, "{main}");
            sizes.push(from_scratch.0.len());
        }
        assert!(sizes.iter().any(|size| *size != sizes[0]), "{sizes:?}");
    }

    /// Which of some names lead to the kernel template `filled`.
    fn leading(text: &str, names: &str) -> String {
        let [(all, _), _] = closures_of(text);
        let lead = |name: &&str| all.contains(&Symbol::intern(name));
        names.split(' ').filter(lead).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn functions_of_devices_alone_lead_by_those_that_devices_run() {
        let text = "
            template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> __device__ void calls_one_of_hosts(T of) { launch(of); }
            template <class T> __host__ __device__ void calls_it_on_hosts(T of) { launch(of); }
            template <class T> __device__ void calls_one_of_both(T of) { calls_it_on_hosts(of); }
            template <class T> __host__ __device__ void both(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> __device__ void nests(T of) { both(of); }
            template <class T> __device__ void declared(T of);
            template <class T> void declared(T of) { both(of); }
            template <class T> __device__ void calls_declared(T of) { declared(of); }
            template <class T> struct Both {
                void host(T of) { filled<T><<<1, 1>>>(&of); }
                __device__ void device(T of) { launch(of); }
                __device__ void own(T of) { both(of); }
            };";
        assert_eq!(
            leading(text, "launch calls_one_of_hosts calls_it_on_hosts calls_one_of_both both nests"),
            "launch calls_it_on_hosts both nests"
        );
        assert_eq!(
            leading(text, "declared calls_declared Both host device own"),
            "declared calls_declared Both host own"
        );
    }

    #[test]
    fn a_namespace_leads_nowhere_by_a_class_in_it() {
        let text = "
            namespace library { template <class T> struct size; }
            template <class T> struct Outer { struct Inner; };
            template <class T> struct library::size<T &> { };
            template <class T> struct library::size<T *> { void go(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> struct Outer<T>::Inner { void go(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> int counted(T) { return library::other; }
            template <class T> void of_outer(T) { typename Outer<T>::Inner(); }";
        assert_eq!(leading(text, "size library counted Outer Inner of_outer"), "size Outer Inner of_outer");
    }

    #[test]
    fn what_function_bodies_declare_is_no_member_of_the_class() {
        let text = "
            template <class T> struct Driver {
                void run(T of) {
                    call_later(of, [&] { auto stream = 0; filled<T><<<1, 1>>>(&of); });
                    auto queued = [](auto one) { filled<T><<<1, 1>>>(&one); };
                }
            };
            template <class T> void other(T of) { of.call_later(1); of.queued(2); }";
        assert_eq!(leading(text, "run other call_later queued"), "run");
    }

    #[test]
    fn an_alias_of_a_fundamental_type_is_no_operand_of_an_operator() {
        let text = "
            typedef unsigned long word; using count_t = word;
            template <class T> struct Bits { }; using Flags = Bits<int>;
            template <class T> T operator<<(Flags left, count_t right) { filled<T><<<1, 1>>>(0); return T(); }
            template <class T> T shifts(Bits<T> bits) { return bits; }
            template <class T> count_t counts(T of) { word all = of; return all; }";
        assert_eq!(leading(text, "Flags Bits count_t word shifts counts"), "Flags");
    }

    #[test]
    fn a_kernel_is_named_behind_its_declaration_where_no_type_is() {
        let text = "
            template <class T> struct Scale { void run(T of) { helper(Scale<T>()); } };
            template <class T> void before(T of) { Scale<T> scale; }
            template <class T> void launches(T of) { Scale<T><<<1, 1>>>(of); }
            template <class T> __global__ void Scale(T of) { }
            template <class T> void of_type(T of) { typename Scale<T>::type x; }
            template <class T> void of_function(T of) { take(Scale<T>); }";
        assert_eq!(leading(text, "before launches of_type of_function"), "launches of_function");
    }

    #[test]
    fn the_declared_names_of_members_mention_nothing() {
        let text = "
            template <class T> void copy(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> struct Traits { void run(T of) { copy(of); } };
            template <class T> struct Atom { static void copy(T of) { } };
            template <class T> struct Calls { static void copy(T of) { copy(of); } };
            template <class T> struct Traits<T *> { void run(T of) { } };
            template <class T> void of_atom(T of) { Atom<T>::length(of); }
            template <class T> void of_traits(T of) { Traits<T>::run(of); }
            template <class T> struct Converts { operator Traits<T>() { return {}; } };
            template <class T> struct Friendly { friend Traits<T> traits(T of) { return {}; } };
            template <class T> struct Derived : Traits<T> { Derived(T of) : Traits<T>() { } };";
        assert_eq!(
            leading(text, "copy Traits Atom Calls of_atom of_traits Converts Friendly Derived"),
            "copy Traits Calls of_traits Converts Friendly Derived"
        );
    }

    #[test]
    fn a_loop_over_a_range_and_a_structured_binding_call_functions_that_they_do_not_name() {
        let text = "
            template <class T> struct All {
                T *begin() { filled<T><<<1, 1>>>(0); return 0; }
                template <int N> T get() { filled<T><<<1, 1>>>(0); return 0; }
            };
            template <class R> void loops(R &range) { for (const auto &one : range) { } }
            template <class R> void loops_after_another(R &range) { for (int n = 0; auto one : range) { } }
            template <class R> void counts(R &range) { for (int n = range ? 1 : 2; n < 3; ++n) { } }
            template <class P> void binds(P pair) { const auto &[first, second] = pair; }
            template <class P> void of_one(P pair) { auto first = [] { return 1; }; auto second[1] = {1}; }";
        assert_eq!(
            leading(text, "begin get loops loops_after_another counts binds of_one"),
            "begin get loops loops_after_another binds"
        );
    }

    #[test]
    fn a_constant_that_calls_nothing_reads_no_more_than_constants() {
        let text = "
            template <class T> struct Driver { void run(T of) { filled<T><<<1, 1>>>(&of); } static constexpr int size = 1; };
            template <class T> struct Reads {
                static constexpr int bytes = Driver<T>::size * sizeof(T);
                static constexpr int given = Given<Driver<T>>::size;
                static constexpr int counted = Driver<T>::count();
                static constexpr auto braced = Driver<T>{}.size;
                static inline auto added = Driver<T>::object + 1;
                static const int old = Driver<T>::size;
            };
            template <class T> int of_bytes(T of) { return Other<T>::bytes; }
            template <class T> int of_given(T of) { return Other<T>::given; }
            template <class T> int of_counted(T of) { return Other<T>::counted; }";
        assert_eq!(
            leading(text, "bytes given counted braced added old of_bytes of_given of_counted Driver"),
            "given counted braced added of_given of_counted Driver"
        );
    }

    #[test]
    fn what_is_no_function_leads_behind_its_first_declaration() {
        let text = "
            template <class T> struct Later;
            template <class T> constexpr int length = 1;
            template <class T> void before(T of) { Runner<T> runner; }
            template <class T> void found_by_arguments(T of) { launch(of); }
            template <class T> void of_later(T of) { Later<T> later; }
            template <class T> int of_length(T of) { return length<T>; }
            typedef struct Elaborated Named;
            template <class T> void of_elaborated(T of) { Elaborated one(of); }
            struct Elaborated { template <class T> Elaborated(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> int of_member(T of) { typename T::Runner runner; }
            template <class T> void launch(T of) { filled<T><<<1, 1>>>(&of); }
            template <class T> struct Later { Later(T of) { launch(of); } };
            template <class T> constexpr int length<T *> = launched(Later<T>());
            template <class T> using Runner = Later<T>;
            template <class T> void behind(T of) { Runner<T> runner; }";
        assert_eq!(
            leading(text, "before found_by_arguments of_later of_length of_elaborated of_member behind"),
            "found_by_arguments of_later of_length of_elaborated behind"
        );
    }

    #[test]
    fn where_a_call_operator_leads_so_does_what_gives_objects_to_call() {
        let calls = "
            struct Launch { template <class T> void NAME(T of) const { filled<T><<<1, 1>>>(&of); } };
            const Launch launcher{};
            Launch made();
            struct Giver { Launch give() { return {}; } };
            extern Giver giver;
            int unrelated();
            template <class T> void by_variable(T of) { launcher(of); }
            template <class T> void by_function(T of) { auto made_one = made(); made_one(of); }
            template <class T> void by_another(T of) { giver.give()(of); }
            template <class T> void by_none(T of) { unrelated(); }";
        let names = "launcher made Giver giver unrelated by_variable by_function by_another by_none";
        assert_eq!(
            leading(&calls.replace("NAME", "operator()"), names),
            "launcher made Giver giver by_variable by_function by_another"
        );
        assert_eq!(leading(&calls.replace("NAME", "run"), names), "");
    }

    #[test]
    fn members_lead_where_a_member_can_be_meant() {
        let text = "
            struct Part { template <class T> void start(T of) { filled<T><<<1, 1>>>(&of); } };
            template <class T> void start(const char *, T) {}
            template <class T> void calls_the_free_one(T of) { start(\"\", of); }
            template <class T> void of_an_object(T of) { of.start(1); }
            template <class T> void qualified(T of) { (of.*(&Part::start<T>))(of); }
            template <class T> struct Mine : Part { void inherited(T of) { start(of); } };
            template <class P> struct Open : P { void dependent(P of) { start(of); } };
            template <class T> struct Unrelated { void unrelated(T of) { start(\"\", of); } };";
        assert_eq!(
            leading(text, "start calls_the_free_one of_an_object qualified inherited dependent unrelated"),
            "start of_an_object qualified inherited dependent"
        );
    }
}
