//! What the answers of a unit depend on, recorded for the answers that [other units](super::answers) take over.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::answers::{Dependency, Item, KeptResult, Meant, ResultKey, Tables, TopPlace};
use super::portable::{ByAddress, PortableType};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::Decl;
use crate::source::{FileId, Symbol};
use crate::variance::ScopeId;

/// What the answers of a unit depend on; nothing, unless other units take over answers of this one.
#[derive(Default)]
pub(in crate::facts) struct Dependencies {
    pub(super) tables: Option<Arc<Tables>>,
    /// What the answers depend on that are under way, those of the innermost one last.
    open: RefCell<Vec<Item>>,
    /// How many answers are under way.
    depth: Cell<usize>,
    nodes: RefCell<IndexSet<Box<[Item]>, FxBuildHasher>>,
    leaves: RefCell<IndexSet<Dependency, FxBuildHasher>>,
    /// The leaves that are asked for often, by what they are about.
    traced: RefCell<FxHashMap<usize, Item>>,
    behind: RefCell<FxHashMap<(usize, usize), Behind>>,
    places: OnceCell<Places>,
    /// What other units may take over.
    results: RefCell<Vec<OwnResult>>,
}

/// Whether functions are behind a declaration.
struct Behind {
    item: Item,
    /// Keeps the functions alive whose address is in the key.
    _functions: Rc<dyn Any>,
}

/// An answer of this unit.
pub(super) struct OwnResult {
    pub(super) key: ResultKey,
    pub(super) ty: Option<PortableType>,
    pub(super) failed: bool,
    pub(super) on: Item,
}

/// The declarations and scopes of a unit by what all units tell them by.
struct Places {
    of: Vec<TopPlace>,
    tops: FxHashMap<TopPlace, usize>,
    scopes: Vec<Symbol>,
    by_scope: FxHashMap<Symbol, ScopeId>,
}

impl Dependencies {
    pub(super) fn shared_by(tables: Option<Arc<Tables>>) -> Dependencies {
        Dependencies { tables, ..Dependencies::default() }
    }

    /// Whether dependencies are recorded.
    pub(super) fn are_recorded(&self) -> bool {
        self.tables.is_some()
    }

    /// Where the dependencies begin that are recorded from now on.
    pub(super) fn mark(&self) -> usize {
        if self.are_recorded() { self.open.borrow().len() } else { 0 }
    }

    /// The same for an answer that is under way from now on.
    pub(super) fn begin(&self) -> usize {
        self.depth.set(self.depth.get() + 1);
        self.mark()
    }

    /// What the answer depends on that began there.
    pub(super) fn end(&self, begin: usize) -> Item {
        self.depth.set(self.depth.get() - 1);
        if !self.are_recorded() {
            return Item::NOTHING;
        }
        let mut open = self.open.borrow_mut();
        let own = &mut open[begin..];
        own.sort_unstable();
        let node = match own {
            [] => Item::NOTHING,
            [.., Item::OWN] => Item::OWN,
            [first, rest @ ..] if rest.iter().all(|one| one == first) => *first,
            _ => {
                let mut own = own.to_vec();
                own.dedup();
                Item::node(self.nodes.borrow_mut().insert_full(own.into_boxed_slice()).0)
            }
        };
        open.truncate(begin);
        node
    }

    /// Forgets what was recorded since a mark.
    pub(super) fn forget(&self, mark: usize) {
        if self.are_recorded() {
            self.open.borrow_mut().truncate(mark);
        }
    }

    /// Records that the answers under way depend on something.
    pub(super) fn add(&self, item: Item) {
        if self.are_recorded() && item != Item::NOTHING && self.depth.get() > 0 {
            let mut open = self.open.borrow_mut();
            if open.last() != Some(&item) {
                open.push(item);
            }
        }
    }

    /// Records what was looked at; `None` if other units can't tell.
    pub(super) fn see(&self, dependency: impl FnOnce() -> Option<Dependency>) {
        if self.are_recorded() {
            self.add(self.leaf(dependency()));
        }
    }

    /// Something that was looked at as a dependency.
    pub(super) fn leaf(&self, dependency: Option<Dependency>) -> Item {
        match dependency {
            Some(dependency) => Item::leaf(self.leaves.borrow_mut().insert_full(dependency).0),
            None => Item::OWN,
        }
    }

    /// Records what a top-level declaration declares.
    pub(super) fn see_lowered(&self, unit: &IndexedUnit<'_>, top: usize, declarations: &[Arc<Decl>]) {
        self.see(|| {
            let declarations = declarations.iter().map(|decl| ByAddress(Arc::clone(decl))).collect();
            Some(Dependency::Lowered { top: self.place(unit, top)?, declarations })
        });
    }

    /// Records a class template's declaration without its members, and with them. What is local belongs to the declaration
    /// around it.
    pub(super) fn see_whole(&self, unit: &IndexedUnit<'_>, top: usize, both: [&Arc<Decl>; 2]) {
        if top != usize::MAX {
            self.see(|| {
                let [outline, whole] = both.map(|decl| ByAddress(Arc::clone(decl)));
                Some(Dependency::Whole { top: self.place(unit, top)?, outline, whole })
            });
        }
    }

    /// Records a top-level declaration that is added to traces.
    pub(super) fn trace(&self, unit: &IndexedUnit<'_>, top: usize) {
        if self.are_recorded() && top != usize::MAX {
            let known = self.traced.borrow().get(&top).copied();
            let item = known.unwrap_or_else(|| {
                let place = self.place(unit, top);
                let traced = place
                    .map(|top_place| Dependency::Traced { top: top_place, varying: unit.varying_names(top) });
                let item = self.leaf(traced);
                self.traced.borrow_mut().insert(top, item);
                item
            });
            self.add(item);
        }
    }

    /// Records whether functions are behind a declaration. `functions` are told by their address.
    pub(super) fn order<T: 'static>(
        &self,
        functions: &Rc<T>,
        at: usize,
        dependency: impl FnOnce() -> Option<Dependency>,
    ) {
        // Nothing is behind all declarations.
        if self.are_recorded() && at != usize::MAX {
            let key = (Rc::as_ptr(functions) as usize, at);
            let known = self.behind.borrow().get(&key).map(|known| known.item);
            let item = known.unwrap_or_else(|| {
                let item = self.leaf(dependency());
                let _functions = Rc::clone(functions) as Rc<dyn Any>;
                self.behind.borrow_mut().insert(key, Behind { item, _functions });
                item
            });
            self.add(item);
        }
    }

    /// Offers an answer to other units.
    pub(super) fn offer(&self, result: OwnResult) {
        if result.on != Item::OWN {
            self.results.borrow_mut().push(result);
        }
    }

    /// Hands what the unit found to other units.
    pub(super) fn hand_on(&self) {
        let Some(tables) = &self.tables else { return };
        let leaves = self.leaves.take();
        let nodes = self.nodes.take();
        let mut shared = HandedOn {
            tables,
            leaves: leaves.into_iter().map(Handed::Own).collect(),
            nodes: vec![None; nodes.len()],
        };
        let results = self.results.take().into_iter().filter_map(|OwnResult { key, ty, failed, on }| {
            let on = shared.item(on, &nodes);
            (on != Item::OWN).then_some((key, KeptResult { ty, failed, on }))
        });
        let results: Vec<(ResultKey, KeptResult)> = results.collect();
        tables.keep(results.into_iter());
    }

    fn places(&self, unit: &IndexedUnit<'_>) -> &Places {
        self.places.get_or_init(|| Places::of(unit))
    }

    /// A top-level declaration by its place; `None` for what is local.
    pub(super) fn place(&self, unit: &IndexedUnit<'_>, top: usize) -> Option<TopPlace> {
        self.places(unit).of.get(top).copied()
    }

    /// The top-level declaration at a place.
    pub(super) fn top(&self, unit: &IndexedUnit<'_>, place: TopPlace) -> Option<usize> {
        self.places(unit).tops.get(&place).copied()
    }

    /// What all units tell a scope by.
    pub(super) fn scope(&self, unit: &IndexedUnit<'_>, scope: ScopeId) -> Symbol {
        self.places(unit).scopes[scope.0 as usize]
    }

    /// A scope of the unit that is told by that.
    pub(super) fn scope_told_by(&self, unit: &IndexedUnit<'_>, told_by: Symbol) -> Option<ScopeId> {
        self.places(unit).by_scope.get(&told_by).copied()
    }
}

impl Places {
    fn of(unit: &IndexedUnit<'_>) -> Places {
        let tokens = unit.pp.tokens();
        let mut of = Vec::with_capacity(unit.variance.declarations.len());
        let mut tops: FxHashMap<TopPlace, usize> = FxHashMap::default();
        let mut begun: FxHashMap<(FileId, u32), u32> = FxHashMap::default();
        for (top, declaration) in unit.variance.declarations.iter().enumerate() {
            let at = tokens[declaration.tokens.start].at;
            let earlier = begun.entry((at.file, at.start)).or_default();
            let place = TopPlace { file: at.file, start: at.start, earlier: *earlier };
            *earlier += 1;
            tops.insert(place, top);
            of.push(place);
        }
        let mut scopes: Vec<Symbol> = Vec::with_capacity(unit.variance.scopes.len());
        let mut by_scope = FxHashMap::default();
        for (number, scope) in unit.variance.scopes.iter().enumerate() {
            let around = scope.parent.map_or("", |parent| scopes[parent.0 as usize].as_str());
            let kind = match (scope.inline, scope.unnamed) {
                (true, true) => "inline unnamed",
                (true, false) => "inline",
                (false, true) => "unnamed",
                (false, false) => "",
            };
            let told_by =
                Symbol::intern(&format!("{around};{kind} {}", scope.name.map_or("", Symbol::as_str)));
            scopes.push(told_by);
            let id = ScopeId(u32::try_from(number).expect("scopes are numbered by u32"));
            by_scope.entry(told_by).or_insert(id);
        }
        Places { of, tops, scopes, by_scope }
    }
}

/// A unit's dependencies on their way to the other units.
struct HandedOn<'t> {
    tables: &'t Tables,
    leaves: Vec<Handed>,
    nodes: Vec<Option<Item>>,
}

enum Handed {
    Own(Dependency),
    Shared(Item),
}

impl HandedOn<'_> {
    fn item(&mut self, item: Item, nodes: &IndexSet<Box<[Item]>, FxBuildHasher>) -> Item {
        match item.meant() {
            Meant::Nothing | Meant::Own | Meant::SharedNode(_) | Meant::SharedLeaf(_) => item,
            Meant::Leaf(number) => {
                let shared = match std::mem::replace(&mut self.leaves[number], Handed::Shared(Item::OWN)) {
                    Handed::Own(own) => Item::shared_leaf(self.tables.leaves.number(own)),
                    Handed::Shared(item) => item,
                };
                self.leaves[number] = Handed::Shared(shared);
                shared
            }
            Meant::Node(number) => {
                if let Some(known) = self.nodes[number] {
                    return known;
                }
                let mut all: Vec<Item> = nodes[number].iter().map(|one| self.item(*one, nodes)).collect();
                all.sort_unstable();
                all.dedup();
                let shared = match all.as_slice() {
                    [.., Item::OWN] => Item::OWN,
                    [only] => *only,
                    _ => Item::shared_node(self.tables.nodes.number(all.into_boxed_slice())),
                };
                self.nodes[number] = Some(shared);
                shared
            }
        }
    }
}
