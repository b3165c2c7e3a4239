//! Which names lead to which: what a name stands for mentions another, and is instantiated where it is used.
//!
//! In: what declarations say ([`Digest`]). Out: [`ReachingNames`], the names through which some names are reached. What the
//! declarations of the headers give by themselves, which an edited unit begins with, is kept with what they say; the
//! other declarations only add to it.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::source::Symbol;
use crate::variance::{DeclKind, TopDeclaration};

use super::names::NameIndex;
use super::token_facts::{TokenFacts, is_word};

/// The declarations of a unit, and what they say.
#[derive(Clone, Copy)]
pub(in crate::facts) struct NameGraph<'l> {
    pub(in crate::facts) declarations: &'l [TopDeclaration],
    /// Names to the declarations that may declare them.
    pub(in crate::facts) index: &'l NameIndex,
    pub(in crate::facts) token_facts: &'l TokenFacts,
    /// What the headers that are kept give by themselves, as far as it was asked for before.
    pub(in crate::facts) answers: Option<&'l ClosureCache>,
}

/// The names through which some names are reached.
#[derive(Debug, Default)]
pub(in crate::facts) struct ReachingNames {
    /// These and those.
    pub(in crate::facts) names: FxHashSet<Symbol>,
    /// Names whose uses may call what is named by no word, such as operators: the classes of their operands, and what
    /// has or gives objects of these. Each with a name that it leads to, sorted.
    operated: Vec<(Symbol, Symbol)>,
    /// What of that the headers give by themselves.
    pub(in crate::facts) headers: Option<Arc<ReachingNames>>,
}

impl ReachingNames {
    /// What uses of a name may lead to though no word says so, with that name, but for what the headers give.
    pub(in crate::facts) fn operated_by_others(&self) -> impl Iterator<Item = (Symbol, Symbol)> {
        self.operated.iter().copied()
    }

    /// The names that uses of a name may lead to though no word says so.
    pub(in crate::facts) fn operated(&self, name: Symbol) -> impl Iterator<Item = Symbol> {
        let lists = [Some(&self.operated), self.headers.as_ref().map(|headers| &headers.operated)];
        lists.into_iter().flatten().flat_map(move |list| {
            let first = list.partition_point(|(from, _)| *from < name);
            list[first..].iter().take_while(move |(from, _)| *from == name).map(|(_, to)| *to)
        })
    }
}

/// How many answers about the names of headers are kept: those about all kernels and those about the ones in question,
/// as they were asked lately.
const ANSWERS: usize = 4;

/// What the headers that a unit begins with give by themselves, for each set of names that was asked about.
#[derive(Debug, Default)]
pub(in crate::facts) struct ClosureCache(Mutex<Vec<(FxHashSet<Symbol>, Arc<ReachingNames>)>>);

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl ClosureCache {
    fn of(
        &self,
        names: FxHashSet<Symbol>,
        find: impl FnOnce(&FxHashSet<Symbol>) -> ReachingNames,
    ) -> Arc<ReachingNames> {
        let known = |answers: &Vec<(FxHashSet<Symbol>, Arc<ReachingNames>)>| {
            answers.iter().find(|(asked, _)| *asked == names).map(|(_, reached)| Arc::clone(reached))
        };
        if let Some(known) = known(&self.0.lock().expect(NO_PANIC)) {
            return known;
        }
        let found = Arc::new(find(&names));
        let mut answers = self.0.lock().expect(NO_PANIC);
        answers.truncate(ANSWERS - 1);
        answers.insert(0, (names, Arc::clone(&found)));
        found
    }
}

impl<'l> NameGraph<'l> {
    /// `names` and every name whose declaration leads to one of them.
    pub(in crate::facts) fn closure(&self, names: &FxHashSet<Symbol>) -> ReachingNames {
        let mut following = NameClosure::new(*self);
        let (Some(alone), Some(answers)) = (self.token_facts.headers_alone(), self.answers) else {
            names.iter().for_each(|name| following.add(*name));
            return following.reached();
        };
        let alone = NameGraph { token_facts: &alone, ..*self };
        let own: FxHashSet<Symbol> =
            names.iter().copied().filter(|name| alone.token_facts.is_kernel(*name)).collect();
        let headers = answers.of(own, |names| {
            let mut following = NameClosure::new(alone);
            names.iter().for_each(|name| following.add(*name));
            following.reached()
        });
        following.names.clone_from(&headers.names);
        // What they lead to in other declarations, and in their own that mean more with these.
        for top in self.token_facts.tops()..self.declarations.len() {
            following.look(top, &headers.names);
        }
        let declared = self.declarations[self.token_facts.tops()..].iter().flat_map(|one| &one.names);
        let classes: FxHashSet<Symbol> =
            declared.copied().filter(|name| self.is_class(*name) && !alone.is_class(*name)).collect();
        if !classes.is_empty() {
            for top in alone.token_facts.operators_of(&classes) {
                following.look(top, &headers.names);
            }
            for name in classes.iter().filter(|name| headers.names.contains(name)) {
                alone.mentions(*name).for_each(|top| following.pass(top, *name));
            }
        }
        names.iter().for_each(|name| following.add(*name));
        ReachingNames { headers: Some(headers), ..following.reached() }
    }

    /// The declarations that mention a name, if that can lead to a kernel template.
    pub(in crate::facts) fn mentions(&self, name: Symbol) -> impl Iterator<Item = usize> + use<'l> {
        let token_facts = self.token_facts;
        let leads = token_facts.has_kernels() && token_facts.is_candidate(name);
        leads.then(|| token_facts.mentions(name)).into_iter().flatten()
    }

    /// Whether a name is that of a class.
    fn is_class(&self, name: Symbol) -> bool {
        let tops = self.index.get(name);
        self.mentions(name).next().is_some()
            && tops.iter().take_while(|top| **top < self.token_facts.end()).any(|top| {
                matches!(self.declarations[*top].kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias)
            })
    }
}

/// The names that were reached so far.
struct NameClosure<'l> {
    links: NameGraph<'l>,
    names: FxHashSet<Symbol>,
    operated: FxHashSet<(Symbol, Symbol)>,
    /// Those of the names that were not followed yet.
    todo: Vec<Symbol>,
}

impl<'l> NameClosure<'l> {
    fn new(links: NameGraph<'l>) -> NameClosure<'l> {
        NameClosure { links, names: FxHashSet::default(), operated: FxHashSet::default(), todo: Vec::new() }
    }

    fn add(&mut self, name: Symbol) {
        if self.names.insert(name) {
            self.todo.push(name);
        }
    }

    /// Follows all that is left.
    fn reached(mut self) -> ReachingNames {
        while let Some(name) = self.todo.pop() {
            for top in self.links.mentions(name) {
                self.pass(top, name);
            }
        }
        let mut operated: Vec<(Symbol, Symbol)> = self.operated.into_iter().collect();
        operated.sort_unstable();
        ReachingNames { names: self.names, operated, headers: None }
    }

    /// Passes on what a declaration mentions of some names.
    fn look(&mut self, top: usize, names: &FxHashSet<Symbol>) {
        let token_facts = self.links.token_facts;
        if !token_facts.passes_on(top) {
            return;
        }
        for name in token_facts.names(top).iter().filter(|name| names.contains(name)) {
            if self.links.mentions(*name).next().is_some() {
                self.pass(top, *name);
            }
        }
    }

    /// Adds the names through which a declaration's mention of `name` is reached: a template's or an alias's
    /// own; for a class also the member functions it is mentioned in. The members of a class that is
    /// no template are ordinary bodies and need not be reached, except member templates; an operator that is one is
    /// reached through objects, whose class is named where they are made.
    fn pass(&mut self, top: usize, name: Symbol) {
        let NameGraph { declarations, token_facts, .. } = self.links;
        let declaration = &declarations[top];
        if !token_facts.passes_on(top) {
            return;
        }
        let Some(class) = token_facts.class(top) else {
            if !token_facts.passed_on(top).contains(&name) {
                return;
            }
            declaration.names.iter().for_each(|own| self.add(*own));
            // An operator is no word that a use could mention: its operands' classes are.
            if let Some(operator) = declaration.names.iter().find(|name| !is_word(**name)) {
                for operand in token_facts.operands(top) {
                    if self.links.is_class(*operand) {
                        self.operated.insert((*operand, *operator));
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
        // What a member of an object does is done to the whole.
        if !is_template && class.consists_of(name) && self.links.is_class(name) {
            for whole in &declaration.names {
                self.operated.insert((*whole, name));
                self.add(*whole);
            }
        }
        for member in class.mentioning(name) {
            if let Some(own) = member {
                self.operated.insert((own, name));
                self.add(own);
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

    /// Names, and what uses of each may lead to though no word says so.
    type Ways = (FxHashSet<Symbol>, Vec<(Symbol, Vec<Symbol>)>);

    /// What leads to the kernel templates of a unit, found at once and going on from what its headers give.
    fn ways(main: &str) -> [Ways; 2] {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(Path::new("h.h"), HEADER.into());
        sources.add(Path::new("a.cu"), format!("#include \"h.h\"\n{main}"));
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        let pp = preprocess(&unit, &sources, &Arc::default());
        let all = unit.passes.all();
        let (variance, memo, left) = (variance(&pp, all), Memo::new(), KeptIndex::default());
        [None, Some(&left)].map(|last| {
            let unit = IndexedUnit::new(&pp, &variance, &memo, all, last);
            assert_eq!(unit.token_facts().tops() > 0, last.is_some());
            let reached = unit.links().closure(&unit.token_facts().kernels());
            let mut names: Vec<Symbol> = reached.names.iter().copied().collect();
            names.sort_unstable();
            let operated = |name: &Symbol| {
                let mut to: Vec<Symbol> = reached.operated(*name).collect();
                to.sort_unstable();
                to.dedup();
                (*name, to)
            };
            let operated = names.iter().map(operated).collect();
            (reached.names, operated)
        })
    }

    #[test]
    fn headers_and_the_rest_lead_where_both_together_do() {
        let mut told: Vec<usize> = Vec::new();
        for main in [
            "void launch() { filled<int><<<1, 1>>>(0); }",
            "template <class T> void helper(T of) { filled<T><<<1, 1>>>(&of); }",
            "struct Late { template <class T> void run(T of) { filled<T><<<1, 1>>>(&of); } };",
            "struct Late { };",
            "struct Grid { };",
            "template <class T> __global__ void own(T *out) { }\ntemplate <class T> void helper(T of) { own<T>(0); }",
            "template <class T> struct Grid { Holder held; }; using Late = Grid<int>;",
        ] {
            let [at_once, going_on] = ways(main);
            assert_eq!(at_once, going_on, "{main}");
            told.push(at_once.0.len());
        }
        assert!(told.iter().any(|names| *names != told[0]), "{told:?}");
    }
}
