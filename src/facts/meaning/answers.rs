//! Answers that units share: the return types of functions, each with all that it depends on.
//!
//! Libraries of templates compute types with functions, and the units of a project ask for the same ones over and over. An
//! answer is taken over by another unit, or pass, in which everything that was looked up for it is found as it was: what
//! answers depend on is a graph, whose leaves are [`Dependency`]s and whose nodes are lists of these and of others. A unit
//! looks at each node once.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::portable::{ByAddress, ClassId, PortableArgument, PortableClass, PortableType};
use crate::source::{FileId, Symbol};

/// The answers that the units of a run share.
#[derive(Debug)]
pub struct Answers {
    tables: RwLock<Arc<Tables>>,
    /// How many answers were taken over, and how many were not known, in earlier tables.
    earlier: [AtomicUsize; 2],
    /// How many units there were, and how many shared answers.
    units: [AtomicUsize; 2],
    /// How many questions a unit has to ask on average for units to share answers.
    least_asked: usize,
}

impl Default for Answers {
    fn default() -> Answers {
        Answers::shared_from(LEAST_ASKED)
    }
}

impl Answers {
    /// Empty, to be shared by units that ask that many questions on average.
    pub(in crate::facts) fn shared_from(least_asked: usize) -> Answers {
        Answers {
            tables: RwLock::default(),
            earlier: Default::default(),
            units: Default::default(),
            least_asked,
        }
    }

    /// The tables for a unit; `None` while units ask so little that recording what answers depend on costs more than it
    /// saves. When they hold too much they are left to the units that have them, and others begin.
    pub(super) fn tables(&self) -> Option<Arc<Tables>> {
        let [all, sharing] = &self.units;
        let (taken, found) = self.reuse();
        let is_worth_it = taken + found >= self.least_asked * sharing.load(Ordering::Relaxed);
        if all.fetch_add(1, Ordering::Relaxed) % TRIED != 0 && !is_worth_it {
            return None;
        }
        sharing.fetch_add(1, Ordering::Relaxed);
        let known = Arc::clone(&self.tables.read().unwrap_or_else(PoisonError::into_inner));
        if known.len() < MOST_KEPT {
            return Some(known);
        }
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&tables, &known) {
            for (all, of_these) in self.earlier.iter().zip(&known.counts) {
                all.fetch_add(of_these.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            *tables = Arc::default();
        }
        Some(Arc::clone(&tables))
    }

    /// How many answers units took over from each other, and how many they could not.
    pub fn reuse(&self) -> (usize, usize) {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let count = |index: usize| {
            let [earlier, these] = [&self.earlier, &tables.counts].map(|all| &all[index]);
            earlier.load(Ordering::Relaxed) + these.load(Ordering::Relaxed)
        };
        (count(0), count(1))
    }
}

/// How many questions a unit has to ask on average for units to share answers. Of ggml-cuda's ask some five, and to record
/// what they depend on took 3 % of their time; CUTLASS's ask thousands.
const LEAST_ASKED: usize = 100;

/// Where units ask less, one of this number shares answers all the same: those behind it may ask more.
const TRIED: usize = 8;

/// The most answers, classes, dependencies and lists of them that are kept: some 150 MB.
const MOST_KEPT: usize = 1 << 19;

/// The most answers to one question that are kept, each of which depends on something else.
const MOST_ANSWERS: usize = 8;

/// What an answer depends on: a leaf or a node of the graph, of one unit or of all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::facts) struct Item(u32);

/// What an [`Item`] stands for.
pub(super) enum Meant {
    Nothing,
    /// Something that no other unit has, or that is not recorded.
    Own,
    /// A node of the unit, by its number.
    Node(usize),
    /// A leaf of the unit.
    Leaf(usize),
    /// A node of all units.
    SharedNode(usize),
    /// A leaf of all units.
    SharedLeaf(usize),
}

impl Item {
    pub(in crate::facts) const NOTHING: Item = Item(0);
    pub(super) const OWN: Item = Item(u32::MAX);
    const KIND_SHIFT: u32 = 30;
    const NUMBER: u32 = (1 << Item::KIND_SHIFT) - 1;

    fn new(kind: u32, number: usize) -> Item {
        let number = u32::try_from(number + 1).ok().filter(|number| *number < Item::NUMBER);
        Item(kind << Item::KIND_SHIFT | number.expect("fewer than 2^30 dependencies"))
    }

    pub(super) fn node(number: usize) -> Item {
        Item::new(0, number)
    }

    pub(super) fn leaf(number: usize) -> Item {
        Item::new(1, number)
    }

    pub(super) fn shared_node(number: usize) -> Item {
        Item::new(2, number)
    }

    pub(super) fn shared_leaf(number: usize) -> Item {
        Item::new(3, number)
    }

    pub(super) fn meant(self) -> Meant {
        match self {
            Item::NOTHING => return Meant::Nothing,
            Item::OWN => return Meant::Own,
            _ => {}
        }
        let number = (self.0 & Item::NUMBER) as usize - 1;
        match self.0 >> Item::KIND_SHIFT {
            0 => Meant::Node(number),
            1 => Meant::Leaf(number),
            2 => Meant::SharedNode(number),
            _ => Meant::SharedLeaf(number),
        }
    }
}

/// A top-level declaration, by the place of its first token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TopPlace {
    pub(super) file: FileId,
    pub(super) start: u32,
    /// How many others of the unit begin there before it: a macro gives several the same place.
    pub(super) earlier: u32,
}

/// Something that was looked at, and what was seen.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) enum Dependency {
    /// The lookup of a name in namespaces, and whether it is for a using-directive of a block.
    Lookup { from: LookupFrom, name: Symbol, for_directive: bool, found: Found },
    /// The namespaces around a scope that may have members of a name, in the order of lookup.
    Having { scope: Symbol, name: Symbol, namespaces: Box<[Symbol]> },
    /// Whether one of some functions is declared behind a declaration.
    Behind { at: TopPlace, functions: Box<[TopPlace]>, is_behind: bool },
    /// A class template's declaration with its members, by the one without.
    Whole { top: TopPlace, outline: ByAddress, whole: ByAddress },
    /// What a top-level declaration declares.
    Lowered { top: TopPlace, declarations: Box<[ByAddress]> },
    /// A top-level declaration, in the traces of answers, and the names of the members of which passes have their own.
    Traced { top: TopPlace, varying: Box<[Symbol]> },
    /// The top-level declarations that a search by name comes to.
    Candidates { of: Search, name: Symbol, tops: Box<[TopPlace]> },
    /// Whether functions of a name are declared.
    HasFunction { name: Symbol, has: bool },
    /// Whether anything of a name is declared.
    HasName { name: Symbol, has: bool },
    /// Whether headers that were not found may specialize a class template for the arguments of a class, by its name and
    /// spelling; `None` if all were found.
    Missing { name: Box<str>, text: Box<str>, may_specialize: Option<bool> },
    /// Whether it is the host's pass.
    Host(bool),
}

/// Where a name is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum LookupFrom {
    /// In a namespace, by its qualified name, and through its using-directives.
    Namespace(Symbol),
    /// In a namespace alone.
    Members(Symbol),
    /// From a scope outward, of functions those up to a declaration, in blocks that nominate namespaces.
    Outward { scope: Symbol, end: Option<TopPlace>, nominated: Nominated },
}

/// The namespaces that using-directives in blocks nominate, by their qualified names with `;` behind each.
pub(super) type Nominated = Symbol;

/// What a lookup in namespaces found.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) enum Found {
    Nothing,
    Namespaces(Box<[Symbol]>),
    /// The declarations, each with its top-level declaration.
    Entities(Box<[(ByAddress, TopPlace)]>),
}

/// How top-level declarations of a name are searched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Search {
    /// Members, outside a class of that name.
    Outside(Symbol),
    /// Of a namespace's functions, those outside it, by the scope.
    Around(Symbol),
    /// All of a name.
    Named,
}

/// The function whose return type an answer tells: its declaration, its template arguments, and the class that it is a
/// member of.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct ResultKey {
    pub(super) function: ByAddress,
    pub(super) class: Option<ClassId>,
    pub(super) arguments: Box<[PortableArgument]>,
}

/// A return type, if it is known, whether substitution into it failed, and what that depends on.
#[derive(Clone, Debug)]
pub(super) struct KeptResult {
    pub(super) ty: Option<PortableType>,
    pub(super) failed: bool,
    pub(super) on: Item,
}

/// What units share.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) classes: Interned<PortableClass>,
    pub(super) leaves: Interned<Dependency>,
    /// Lists of nodes and leaves of all units, ascending.
    pub(super) nodes: Interned<Box<[Item]>>,
    results: RwLock<FxHashMap<ResultKey, SmallVec<[KeptResult; 1]>>>,
    /// How many answers were taken over, and how many were not known.
    counts: [AtomicUsize; 2],
}

impl Tables {
    /// How much is kept.
    fn len(&self) -> usize {
        let results = self.results.read().unwrap_or_else(PoisonError::into_inner).len();
        results + self.classes.len() + self.leaves.len() + self.nodes.len()
    }

    /// Counts a question, and whether an answer was taken over.
    pub(super) fn count(&self, is_taken: bool) {
        self.counts[usize::from(!is_taken)].fetch_add(1, Ordering::Relaxed);
    }

    /// The answers that are kept for a function, the last one first.
    pub(super) fn results(&self, key: &ResultKey) -> SmallVec<[KeptResult; 1]> {
        let results = self.results.read().unwrap_or_else(PoisonError::into_inner);
        results.get(key).map(|all| all.iter().rev().cloned().collect()).unwrap_or_default()
    }

    /// Keeps answers.
    pub(super) fn keep(&self, answers: impl Iterator<Item = (ResultKey, KeptResult)>) {
        let mut results = self.results.write().unwrap_or_else(PoisonError::into_inner);
        for (key, answer) in answers {
            let known = results.entry(key).or_default();
            if known.iter().any(|one| one.on == answer.on) {
                continue;
            }
            if known.len() == MOST_ANSWERS {
                known.remove(0);
            }
            known.push(answer);
        }
    }
}

/// Values with numbers, each kept once.
#[derive(Debug)]
pub(super) struct Interned<T> {
    all: boxcar::Vec<T>,
    numbers: Mutex<HashTable<u32>>,
}

impl<T> Default for Interned<T> {
    fn default() -> Interned<T> {
        Interned { all: boxcar::Vec::new(), numbers: Mutex::default() }
    }
}

impl<T: Hash + Eq> Interned<T> {
    pub(super) fn len(&self) -> usize {
        self.all.count()
    }

    /// The value of a number.
    pub(super) fn get(&self, number: usize) -> &T {
        &self.all[number]
    }

    /// The number of a value.
    pub(super) fn number(&self, value: T) -> usize {
        let hash = FxBuildHasher.hash_one(&value);
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = numbers.find(hash, |number| self.all[*number as usize] == value) {
            return *known as usize;
        }
        let number = self.all.push(value);
        let short = u32::try_from(number).expect("fewer than 2^32 of them");
        numbers.insert_unique(hash, short, |number| FxBuildHasher.hash_one(&self.all[*number as usize]));
        number
    }
}
