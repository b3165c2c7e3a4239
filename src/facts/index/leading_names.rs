//! What leads: the names from which kernel templates and variable templates in GPU memory can be reached, and in which ways
//! they are.
//!
//! In: what the computation of a closure over the name graph adds ([`Ways`]). Out: [`ReachingNames`] and [`LeadingNames`]; the
//! closures over the preamble alone are cached between analyses ([`ClosureCache`]).

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Symbol, sym};
use crate::variance::TopDeclaration;

/// The names from which some target names can be reached.
#[derive(Debug, Default)]
pub(in crate::facts) struct ReachingNames {
    /// The target names, and the names from which they are reached.
    pub(in crate::facts) names: FxHashSet<Symbol>,
    /// How code that has one of them reaches a target by it.
    pub(super) ways: Ways,
    /// Edges that the declarations of a name do not show: from the class of an operand to the operator function, from a
    /// class to the classes of its members and bases, and from a member function to a name that it mentions. Sorted.
    pub(super) implicit_edges: Vec<(Symbol, Symbol)>,
    /// The names from which the target names that system headers declare are reached by declarations of these alone.
    pub(super) in_system: Arc<FxHashSet<Symbol>>,
    /// The names of variables and functions that may give objects that lead.
    pub(super) givers: FxHashSet<Symbol>,
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

/// The way of what every declaration may mean.
pub(super) const ANYWHERE: Way = Way::FreeFrom(0);

/// In place of a class's declaration, a class that tokens do not tell.
pub(super) const ANY_CLASS: usize = usize::MAX;

/// How names lead to the target names.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// The target names, each with the first declaration that makes it one: what stands before that denotes something else.
    pub(super) targets: FxHashMap<Symbol, usize>,
    /// The names that lead as entities of namespace scope: what is no member of a class. Each with the first declaration that
    /// can mean it: an alias or variable has to be declared before it is named; a class may be declared by an elaborated type
    /// specifier anywhere, and a function is also found by the types of its arguments.
    pub(super) free: FxHashMap<Symbol, usize>,
    /// The names that lead as members, each with the classes that have such a member.
    pub(super) members: FxHashMap<Symbol, Vec<usize>>,
    /// The names that lead for functions, too, which GPUs alone run: what reaches the target names by what GPUs run.
    pub(super) on_device: FxHashSet<Symbol>,
}

/// A way in which a name leads.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// As an entity of namespace scope, from a declaration on.
    FreeFrom(usize),
    /// As a member of a class.
    MemberOf(usize),
}

impl Ways {
    /// Adds a way, and tells whether it is new.
    pub(super) fn add(&mut self, name: Symbol, way: Way, on_device: bool) -> bool {
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
    pub(super) fn get_or_find(
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
