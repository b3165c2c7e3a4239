//! The name graph: from a name to the names that its declarations mention, where a use of the name instantiates the
//! declaration and so what it mentions.
//!
//! In: the token facts of declarations ([`TokenFacts`]). Out: [`ReachingNames`], all names from which some names can be
//! reached. The graph errs towards edges, since it looks at spellings only. The closure over the preamble alone is
//! cached between analyses; the declarations behind it can only add to that.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, TopDeclaration};

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
    /// Edges that the declarations of a name do not show: from the class of an operand to the operator function, from a
    /// class to the classes of its members and bases, and from a member function to a name that it mentions. Sorted.
    implicit_edges: Vec<(Symbol, Symbol)>,
    /// The closure over the preamble alone.
    pub(in crate::facts) preamble: Option<Arc<ReachingNames>>,
}

impl ReachingNames {
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
        let mut closure = NameClosure::new(*self);
        let (Some(preamble_graph), Some(closures)) = (self.token_facts.preamble_alone(), self.closures)
        else {
            names.iter().for_each(|name| closure.add(*name));
            return closure.finish();
        };
        let preamble_graph = NameGraph { token_facts: &preamble_graph, ..*self };
        let own: FxHashSet<Symbol> =
            names.iter().copied().filter(|name| preamble_graph.token_facts.is_kernel(*name)).collect();
        let preamble = closures.get_or_find(own, |names| {
            let mut closure = NameClosure::new(preamble_graph);
            names.iter().for_each(|name| closure.add(*name));
            closure.finish()
        });
        closure.names.clone_from(&preamble.names);
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
                preamble_graph.mentions(*name).for_each(|top| closure.follow_mention(top, *name));
            }
        }
        names.iter().for_each(|name| closure.add(*name));
        ReachingNames { preamble: Some(preamble), ..closure.finish() }
    }

    /// The declarations that mention a name, if a use of it can instantiate anything.
    pub(in crate::facts) fn mentions(&self, name: Symbol) -> impl Iterator<Item = usize> + use<'l> {
        let token_facts = self.token_facts;
        let may_reach = token_facts.has_kernels() && token_facts.may_instantiate(name);
        may_reach.then(|| token_facts.mentions(name)).into_iter().flatten()
    }

    /// Whether a name is that of a class, or an alias, which may stand for one.
    fn is_class(&self, name: Symbol) -> bool {
        let tops = self.index.get(name);
        self.mentions(name).next().is_some()
            && tops.iter().take_while(|top| **top < self.token_facts.end()).any(|top| {
                matches!(self.declarations[*top].kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias)
            })
    }
}

/// The computation of a closure.
struct NameClosure<'l> {
    graph: NameGraph<'l>,
    names: FxHashSet<Symbol>,
    implicit_edges: FxHashSet<(Symbol, Symbol)>,
    /// The names that were reached but not followed yet.
    worklist: Vec<Symbol>,
}

impl<'l> NameClosure<'l> {
    fn new(graph: NameGraph<'l>) -> NameClosure<'l> {
        NameClosure {
            graph,
            names: FxHashSet::default(),
            implicit_edges: FxHashSet::default(),
            worklist: Vec::new(),
        }
    }

    fn add(&mut self, name: Symbol) {
        if self.names.insert(name) {
            self.worklist.push(name);
        }
    }

    /// Follows the names in the worklist until none is left.
    fn finish(mut self) -> ReachingNames {
        while let Some(name) = self.worklist.pop() {
            for top in self.graph.mentions(name) {
                self.follow_mention(top, name);
            }
        }
        let mut implicit_edges: Vec<(Symbol, Symbol)> = self.implicit_edges.into_iter().collect();
        implicit_edges.sort_unstable();
        ReachingNames { names: self.names, implicit_edges, preamble: None }
    }

    /// Follows a declaration's mentions of those names among `names`.
    fn follow_mentions(&mut self, top: usize, names: &FxHashSet<Symbol>) {
        let token_facts = self.graph.token_facts;
        if !token_facts.instantiates_when_used(top) {
            return;
        }
        for name in token_facts.names(top).iter().filter(|name| names.contains(name)) {
            if self.graph.mentions(*name).next().is_some() {
                self.follow_mention(top, *name);
            }
        }
    }

    /// Adds the names through which a declaration's mention of `name` is reached: the own names of a template or alias;
    /// for a class also the names of the member functions that mention it. Members of a class that is no template are
    /// roots themselves, so they are not followed, except member templates. An operator or constructor is reached
    /// through objects, whose class is mentioned where they are created.
    fn follow_mention(&mut self, top: usize, name: Symbol) {
        let NameGraph { declarations, token_facts, .. } = self.graph;
        let declaration = &declarations[top];
        if !token_facts.instantiates_when_used(top) {
            return;
        }
        let Some(class) = token_facts.class(top) else {
            if !token_facts.instantiated_by_uses(top).contains(&name) {
                return;
            }
            declaration.names.iter().for_each(|own| self.add(*own));
            // A use of an operator does not spell its name; it mentions the classes of its operands.
            if let Some(operator) = declaration.names.iter().find(|name| !is_word(**name)) {
                for operand in token_facts.operands(top) {
                    if self.graph.is_class(*operand) {
                        self.implicit_edges.insert((*operand, *operator));
                        self.add(*operand);
                    }
                }
            }
            return;
        };
        let is_template = token_facts.is_template(top);
        if is_template {
            declaration.names.iter().for_each(|own| self.add(*own));
        }
        // Constructors and operators of a class use those of its data members and bases.
        if !is_template && class.consists_of(name) && self.graph.is_class(name) {
            for whole in &declaration.names {
                self.implicit_edges.insert((*whole, name));
                self.add(*whole);
            }
        }
        for member in class.mentioning(name) {
            if let Some(own) = member {
                self.implicit_edges.insert((own, name));
                self.add(own);
                // An explicit call may name the destructor by a template parameter.
                if own.as_str().starts_with('~') {
                    self.implicit_edges.insert((sym::TILDE, own));
                    self.add(sym::TILDE);
                }
            }
            if !member.is_some_and(is_word) {
                declaration.names.iter().for_each(|own| self.add(*own));
            }
        }
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
        ] {
            let [from_scratch, from_preamble] = closures_of(main);
            assert_eq!(from_scratch, from_preamble, "{main}");
            sizes.push(from_scratch.0.len());
        }
        assert!(sizes.iter().any(|size| *size != sizes[0]), "{sizes:?}");
    }
}
