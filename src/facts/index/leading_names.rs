//! What leads: the names from which kernel templates and variable templates in GPU memory can be reached, and in which ways
//! they are.
//!
//! In: what the computation of a closure over the name graph adds ([`Ways`]). Out: [`ReachingNames`] and [`LeadingNames`]; the
//! closures over the preamble alone are cached between analyses ([`ClosureCache`]).

use std::sync::{Arc, Mutex};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Symbol, sym};
use crate::variance::{Home, TopDeclaration};

use super::arity::Arity;
use super::token_facts::{is_conversion_function, is_operator_function};

/// The names from which some target names can be reached.
#[derive(Clone, Debug, Default)]
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
    /// Those that lead as members alone, classes in them included, each with the names of the classes that have such a member,
    /// ascending; with the empty name where tokens do not tell the class.
    pub members: FxHashMap<Symbol, Box<[Symbol]>>,
    /// The names of classes that lead by operator functions or conversion functions, which nothing spells where it uses them
    /// on objects, and of what may have or give such objects.
    pub objects: FxHashSet<Symbol>,
    /// The names of classes that lead by being created, copied, destroyed or used as operands.
    pub created: FxHashSet<Symbol>,
    /// The outermost namespaces with code in system headers that may lead ([`NameGraph::namespaces_that_lead`]).
    pub header_namespaces: FxHashSet<Symbol>,
    /// Those to which other code adds declarations ([`NameGraph::namespaces_added_to`]).
    pub added_to: FxHashSet<Symbol>,
    /// The names of `anywhere` that lead where their classes are instantiated explicitly alone.
    pub explicit: FxHashSet<Symbol>,
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
            (&self.objects, &other.objects),
            (&self.created, &other.created),
            (&self.explicit, &other.explicit),
            (&*self.in_system, &*other.in_system),
            (&self.header_namespaces, &other.header_namespaces),
            (&self.added_to, &other.added_to),
        ];
        let names = lists.into_iter().flat_map(|(own, others)| own.symmetric_difference(others)).copied();
        let all = self.members.keys().chain(other.members.keys()).copied();
        names.chain(all.filter(|name| self.members.get(name) != other.members.get(name)))
    }
}

/// The way of what every declaration may mean.
pub(super) const ANYWHERE: Way = Way::Free(FreeWay::ANYWHERE);

impl FreeWay {
    /// That of what every declaration may mean, no function.
    pub(super) const ANYWHERE: FreeWay = FreeWay {
        home: None,
        is_function: false,
        nested_in: None,
        is_explicit: false,
        arity: Arity::ANY,
        first: 0,
    };
}

/// In place of a class's declaration, a class that tokens do not tell.
pub(super) const ANY_CLASS: usize = usize::MAX;

/// How names lead to the target names.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    /// The target names, each with the first declaration that makes it one: what stands before that denotes something else.
    pub(super) targets: FxHashMap<Symbol, usize>,
    /// The names that lead otherwise than as members, sorted.
    pub(super) free: FxHashMap<Symbol, Vec<FreeWay>>,
    /// The names that lead as members, each with the classes that have such a member, and with how many arguments it can be
    /// called.
    pub(super) members: FxHashMap<Symbol, Vec<(usize, Arity)>>,
    /// The names that lead for functions, too, which GPUs alone run: what reaches the target names by what GPUs run.
    pub(super) on_device: FxHashSet<Symbol>,
    /// The classes that lead by being created, copied, destroyed or used as operands, which nothing spells: those of whose
    /// constructors, destructors, virtual functions, operator functions or conversion functions some lead, and those with
    /// such parts.
    pub(super) by_objects: FxHashSet<usize>,
}

/// A way in which a name leads.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Not as a member: as an entity of namespace scope, mostly.
    Free(FreeWay),
    /// As a member function of a class that can be called with so many arguments, or as a static data member.
    MemberOf(usize, Arity),
}

/// How a name leads that is no member's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct FreeWay {
    /// Where it is declared; `None` for what may be found anywhere.
    pub(super) home: Option<Home>,
    /// It is a function.
    pub(super) is_function: bool,
    /// It is a class in another one, or a friend that it defines.
    pub(super) nested_in: Option<usize>,
    /// It is a class that leads by members which are named where they are used, so that it leads itself where it is
    /// instantiated explicitly alone.
    pub(super) is_explicit: bool,
    /// With how many arguments it can be called.
    pub(super) arity: Arity,
    /// The first declaration that can mean it: an alias or variable has to be declared before it is named; a class may be
    /// declared by an elaborated type specifier anywhere, and a function is also found by the types of its arguments.
    pub(super) first: usize,
}

impl Ways {
    /// Adds a way, and tells whether it is new.
    pub(super) fn add(&mut self, name: Symbol, way: Way, on_device: bool) -> bool {
        let is_new = match way {
            Way::Free(way) => {
                let known = self.free.entry(name).or_default();
                let is_same =
                    |other: &&mut FreeWay| FreeWay { first: way.first, arity: way.arity, ..**other } == way;
                match known.iter_mut().find(is_same) {
                    Some(other) => {
                        let (first, arity) = (other.first.min(way.first), other.arity.or(way.arity));
                        let both = FreeWay { first, arity, ..way };
                        std::mem::replace(other, both) != both
                    }
                    None => {
                        known.push(way);
                        known.sort_unstable();
                        true
                    }
                }
            }
            Way::MemberOf(class, arity) => {
                let classes = self.members.entry(name).or_default();
                match classes.binary_search_by_key(&class, |(other, _)| *other) {
                    Ok(place) => {
                        let both = arity.or(classes[place].1);
                        std::mem::replace(&mut classes[place].1, both) != both
                    }
                    Err(place) => {
                        classes.insert(place, (class, arity));
                        true
                    }
                }
            }
        };
        on_device && self.on_device.insert(name) || is_new
    }

    /// The names that lead as members alone, each with the names of the classes.
    pub(super) fn members_alone(&self, declarations: &[TopDeclaration]) -> FxHashMap<Symbol, Box<[Symbol]>> {
        let nested = |name: &Symbol| {
            let all = self.free.get(name).into_iter().flatten();
            all.map(|way| way.nested_in).collect::<Option<Vec<usize>>>()
        };
        let alone = self.members.iter().filter(|(name, _)| !self.targets.contains_key(name));
        let alone = alone.filter_map(|(name, classes)| {
            let classes = classes.iter().map(|(class, _)| *class);
            Some((name, classes.chain(nested(name)?).collect::<Vec<usize>>()))
        });
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

    /// [`LeadingNames::explicit`].
    pub(super) fn explicit(&self) -> FxHashSet<Symbol> {
        let is_other = |name: &Symbol| self.members.contains_key(name) || self.targets.contains_key(name);
        let alone =
            self.free.iter().filter(|(name, ways)| !is_other(name) && ways.iter().all(|one| one.is_explicit));
        alone.map(|(name, _)| *name).collect()
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

/// Whether a name is that of a function that is used on objects without its name or its class's: of an operator, or of a
/// conversion.
pub(super) fn is_used_on_objects(name: Symbol) -> bool {
    is_operator_function(name) || is_conversion_function(name)
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
    /// A cached closure of at least these names.
    pub(super) fn of_more(&self, names: &FxHashSet<Symbol>) -> Option<Arc<ReachingNames>> {
        let closures = self.0.lock().expect(NO_PANIC);
        closures.iter().find(|(asked, _)| asked.is_superset(names)).map(|(_, reached)| Arc::clone(reached))
    }

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
