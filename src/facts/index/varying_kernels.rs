//! The kernel templates *in question*: those whose sets of instantiations may differ between passes, since a
//! declaration that varies reaches them. Only for these are instantiations searched.
//!
//! The declarations reachable within the preamble alone are cached between analyses; those behind it can only add to
//! them.

use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::Preprocessed;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, Variance};

use super::leading_names::ReachingNames;
use super::mentioned::Forms;
use super::name_graph::NameGraph;
use super::names::NameIndex;
use super::token_facts::TokenFacts;
use super::tokens::{SymbolSet, header_varies};

/// The declarations that were last found to be reachable within the preamble.
#[derive(Debug, Default)]
pub(in crate::facts) struct ReachabilityCache(Mutex<Option<Arc<PreambleReachability>>>);

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// The declarations reachable within the preamble, and what that was computed from.
#[derive(Debug)]
struct PreambleReachability {
    /// The declarations of the preamble that may vary: the sources of the search.
    varying: Vec<usize>,
    leading: Arc<ReachingNames>,
    found: Reachable,
}

/// The names and declarations that are reachable from declarations that may vary.
#[derive(Clone, Debug, Default)]
struct Reachable {
    names: FxHashSet<Symbol>,
    /// The declarations whose mentions were followed.
    followed: FxHashSet<usize>,
    /// The names that were reached but not followed yet.
    worklist: Vec<Symbol>,
}

/// The kernel templates in question; `leading` are the names from which kernel templates are reached. `cache` holds
/// what was last reachable within the preamble, of a unit that is analysed repeatedly.
pub(super) fn kernels_in_question(
    unit: (&Preprocessed, &Variance),
    graph: NameGraph<'_>,
    leading: &ReachingNames,
    cache: Option<&ReachabilityCache>,
) -> FxHashSet<Symbol> {
    let NameGraph { index, token_facts, .. } = graph;
    if !token_facts.has_kernels() {
        return FxHashSet::default();
    }
    let (pp, variance) = unit;
    let lambdas_vary = lambda_callers_vary(variance, token_facts);
    let search = Search {
        pp,
        variance,
        graph,
        index,
        token_facts,
        leading,
        leading_names: SymbolSet::of(&leading.names),
        have_some: token_facts.have_some(&leading.names).into(),
        lambdas_vary,
    };
    let found = match (cache, &leading.preamble) {
        (Some(cache), Some(preamble)) => search.resume_from_preamble(cache, preamble),
        _ => search.search_from_scratch(),
    };
    token_facts.kernels().into_iter().filter(|name| found.names.contains(name)).collect()
}

/// The leading names that can be reached from one of them, itself included.
pub(super) fn names_reached_from(
    unit: (&Preprocessed, &Variance),
    graph: NameGraph<'_>,
    leading: &ReachingNames,
    name: Symbol,
) -> FxHashSet<Symbol> {
    let NameGraph { index, token_facts, .. } = graph;
    let (pp, variance) = unit;
    let (leading_names, have_some) =
        (SymbolSet::of(&leading.names), token_facts.have_some(&leading.names).into());
    let lambdas_vary = false;
    let search =
        Search { pp, variance, graph, index, token_facts, leading, leading_names, have_some, lambdas_vary };
    let mut followed = Reachable::default();
    let mut known = FxHashSet::default();
    let mut worklist = vec![(name, Mentioning::Template)];
    while let Some((name, by)) = worklist.pop() {
        if !known.insert((name, by)) {
            continue;
        }
        let meant = search.meant(name, by);
        if by == Mentioning::Template || !meant.is_empty() {
            followed.names.insert(name);
        }
        // What a class leads to besides what it mentions is mentioned where it is used, or by the class.
        let own = meant.iter().map(|top| search.mentioning(*top));
        let implied = own.fold(None, |all, one| {
            if all.is_none_or(|all| all == one) { Some(one) } else { Some(Mentioning::Template) }
        });
        worklist.extend(leading.implicit_edges(name).map(|to| (to, implied.unwrap_or(by))));
        for top in meant {
            search.follow_declaration(&mut followed, top);
            let by = search.mentioning(top);
            worklist.extend(followed.worklist.drain(..).map(|name| (name, by)));
        }
    }
    followed.names
}

/// The code that mentions a name, which tells what declarations the name can mean there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Mentioning {
    /// A template: names that depend on its arguments mean what is declared where it is instantiated, too ([temp.dep]).
    Template,
    /// A system header: it comes to code of the program only through what it is given, which is mentioned where it is given.
    System,
    /// Other code, of a top-level declaration: what is declared before it, and its definition, which may come later.
    Plain(usize),
}

/// The search from declarations that may vary to the kernel templates that they reach.
struct Search<'w> {
    pp: &'w Preprocessed,
    variance: &'w Variance,
    graph: NameGraph<'w>,
    index: &'w NameIndex,
    token_facts: TokenFacts<'w>,
    leading: &'w ReachingNames,
    /// The names of `leading`: no others are followed.
    leading_names: SymbolSet,
    /// Of each declaration, whether it has some of them.
    have_some: Rc<[bool]>,
    /// [`lambda_callers_vary`].
    lambdas_vary: bool,
}

impl Search<'_> {
    /// All that is reachable, computed from scratch.
    fn search_from_scratch(&self) -> Reachable {
        let mut found = Reachable::default();
        let end = self.variance.declarations.len();
        for top in self.all_varying(0..end) {
            found.worklist.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The same, going on from what is reachable within the preamble alone, which has the leading names `within`.
    fn resume_from_preamble(&self, cache: &ReachabilityCache, within: &Arc<ReachingNames>) -> Reachable {
        let (first, end) = (self.token_facts.preamble_end(), self.variance.declarations.len());
        let preamble = self.preamble_reachability(cache, self.all_varying(0..first), within);
        let mut found = preamble.found.clone();
        // Names of the preamble through which kernel templates are reached only with the declarations behind it.
        for name in self.leading.beyond(within) {
            let is_reached = |(top, forms): (usize, Forms)| {
                (preamble.varying.binary_search(&top).is_ok() || found.followed.contains(&top))
                    && self.leads(top, (name, forms))
            };
            if self.token_facts.mentions_with_forms(name).take_while(|(top, _)| *top < first).any(is_reached)
            {
                found.worklist.push(name);
            }
        }
        let further =
            self.leading.implicit_edges_behind_preamble().filter(|(from, _)| found.names.contains(from));
        found.worklist.extend(further.map(|(_, to)| to));
        for top in first..end {
            let names = &self.variance.declarations[top].names;
            if names.iter().any(|name| found.names.contains(name)) {
                self.follow_declaration(&mut found, top);
            }
        }
        for top in self.all_varying(first..end) {
            found.worklist.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The declarations of a range that may vary: the sources of the search.
    fn all_varying(&self, range: Range<usize>) -> Vec<usize> {
        let is = |top: &usize| {
            self.varying(*top) || self.lambdas_vary && self.token_facts.has_generic_lambda(*top)
        };
        range.filter(is).collect()
    }

    /// All that is reachable within the preamble alone, from its declarations that vary.
    fn preamble_reachability(
        &self,
        cache: &ReachabilityCache,
        varying: Vec<usize>,
        leading: &Arc<ReachingNames>,
    ) -> Arc<PreambleReachability> {
        let same =
            |one: &&Arc<PreambleReachability>| Arc::ptr_eq(&one.leading, leading) && one.varying == varying;
        if let Some(known) = cache.0.lock().expect(NO_PANIC).as_ref().filter(same) {
            return Arc::clone(known);
        }
        let (leading_names, have_some) = (SymbolSet::of(&leading.names), Rc::clone(&self.have_some));
        let alone = Search { leading, leading_names, have_some, ..*self };
        let mut found = Reachable::default();
        for top in &varying {
            found.worklist.extend(alone.mentioned(*top));
        }
        alone.follow(&mut found, self.token_facts.preamble_end());
        let preamble = Arc::new(PreambleReachability { varying, leading: Arc::clone(leading), found });
        *cache.0.lock().expect(NO_PANIC) = Some(Arc::clone(&preamble));
        preamble
    }

    /// Follows the worklist until it is empty, through the declarations before `end`.
    fn follow(&self, found: &mut Reachable, end: usize) {
        while let Some(name) = found.worklist.pop() {
            unwind_if_cancelled();
            if !found.names.insert(name) {
                continue;
            }
            for top in self.index.get(name).iter().take_while(|top| **top < end) {
                self.follow_declaration(found, *top);
            }
            found.worklist.extend(self.leading.implicit_edges(name));
        }
    }

    /// Follows what a declaration mentions, if a use of it instantiates that.
    fn follow_declaration(&self, found: &mut Reachable, top: usize) {
        let instantiates_when_used =
            self.token_facts.instantiates_when_used(top) && !self.token_facts.head_has(top, &[sym::GLOBAL]);
        if instantiates_when_used && found.followed.insert(top) {
            let names = self.token_facts.instantiated_with_forms(top);
            found.worklist.extend(names.filter(|one| self.leads(top, *one)).map(|(name, _)| name));
        }
    }

    /// The declarations that a name may mean where it is mentioned.
    fn meant(&self, name: Symbol, by: Mentioning) -> Vec<usize> {
        let all = self.index.get(name);
        let scope = |top: usize| self.variance.declarations[top].scope;
        match by {
            Mentioning::Template => all.to_vec(),
            Mentioning::System => {
                all.iter().copied().filter(|top| self.token_facts.is_of_system(*top)).collect()
            }
            Mentioning::Plain(place) => {
                let before = || all.iter().copied().take_while(|top| *top <= place);
                let declared_before = |top: usize| before().any(|one| scope(one) == scope(top));
                all.iter().copied().filter(|top| *top <= place || declared_before(*top)).collect()
            }
        }
    }

    /// What kind of code the mentions of a declaration are.
    fn mentioning(&self, top: usize) -> Mentioning {
        let declaration = &self.variance.declarations[top];
        let mut tokens = self.pp.tokens()[declaration.tokens.clone()].iter();
        if self.token_facts.is_of_system(top) {
            Mentioning::System
        } else if self.token_facts.is_template(top)
            || self.token_facts.has_generic_lambda(top)
            || tokens.any(|token| token.text == sym::TEMPLATE)
        {
            Mentioning::Template
        } else {
            Mentioning::Plain(top)
        }
    }

    /// The leading names that a declaration mentions.
    fn mentioned(&self, top: usize) -> impl Iterator<Item = Symbol> {
        let names = self.have_some[top].then(|| self.token_facts.names_with_forms(top));
        names.into_iter().flatten().filter(move |one| self.leads(top, *one)).map(|(name, _)| name)
    }

    /// Whether a name that a declaration mentions is a leading name there.
    fn leads(&self, top: usize, mention: (Symbol, Forms)) -> bool {
        self.leading_names.has(mention.0) && self.leading.leads_from(self.graph, top, mention)
    }

    /// Whether what a declaration instantiates may differ between passes. The body of a kernel does not count: the host
    /// pass has no part in what it launches.
    fn varying(&self, top: usize) -> bool {
        if self.token_facts.head_has(top, &[sym::GLOBAL]) {
            return header_varies(self.pp, self.variance, top);
        }
        self.variance.declarations[top].varies.any()
    }
}

/// Whether some function template that host code can call varies: it may call a generic lambda that it is given with
/// arguments whose types depend on the pass.
fn lambda_callers_vary(variance: &Variance, token_facts: TokenFacts<'_>) -> bool {
    variance.declarations.iter().enumerate().any(|(top, declaration)| {
        let has = |word: Symbol| token_facts.head_has(top, &[word]);
        declaration.kind == DeclKind::Function
            && declaration.varies.any()
            && token_facts.is_template(top)
            && !has(sym::GLOBAL)
            && (!has(sym::DEVICE) || has(sym::HOST))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

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
template <class T> __global__ void scaled(T *out) { }
template <class T> void fill(T *out) { filled<T><<<1, 1>>>(out); }
template <class T> void scale(T *out) { scaled<T><<<1, 1>>>(out); }
#if __CUDA_ARCH__ >= 900
using wide = double;
#else
using wide = float;
#endif
template <class T> struct Filler { void run(T *out) { fill(out); } };
";

    /// The kernel templates in question of a unit: computed from scratch, and from what an analysis of `before` kept.
    fn kernels_in_question(before: &str, main: &str) -> [Vec<Symbol>; 2] {
        let passes = Passes::new(&parse_arch_list("80,90").unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(Path::new("h.h"), HEADER.into());
        let (common, memo) = (Arc::default(), Memo::new());
        let read = |text: &str| {
            sources.add(Path::new("a.cu"), format!("#include \"h.h\"\n{text}"));
            let unit = TranslationUnit::new(Path::new("a.cu"), passes.clone());
            (preprocess(&unit, &sources, &common), unit.passes.all())
        };
        let find = |text: &str, last: Option<&KeptIndex>| {
            let (pp, all) = read(text);
            let variance = variance(&pp, all);
            let unit = IndexedUnit::new(&pp, &variance, &memo, all, last);
            let leading = unit.name_graph().closure(&unit.token_facts().kernels());
            let mut names: Vec<Symbol> = unit.kernels_in_question(&leading).into_iter().collect();
            names.sort_unstable();
            (names, unit.kept())
        };
        let (_, kept) = find(before, Some(&KeptIndex::default()));
        [find(main, None).0, find(main, Some(&kept)).0]
    }

    #[test]
    fn kernels_in_question_from_a_kept_preamble_equal_those_from_scratch() {
        let mut counts: Vec<usize> = Vec::new();
        let mut before = "";
        for main in [
            "void launch(wide *out) { fill(out); }",
            "void launch(float *out) { fill(out); }",
            "void launch(wide *out) { Filler<wide>().run(out); scale(out); }",
            "template <class T> void both(T *out) { fill(out); scale(out); }\nvoid launch(wide *out) { both(out); }",
            "using mine = wide; template <class T> struct Own { Filler<T> filler; }; Own<mine> own;",
            "",
        ] {
            let [from_scratch, from_kept] = kernels_in_question(before, main);
            assert_eq!(from_scratch, from_kept, "{main}");
            counts.push(from_scratch.len());
            before = main;
        }
        assert!(counts.contains(&0) && counts.contains(&1) && counts.contains(&2), "{counts:?}");
    }
}
