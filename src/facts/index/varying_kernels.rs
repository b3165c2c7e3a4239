//! Which kernel templates are in question: those that something leads to that may differ between passes.
//!
//! What the declarations of the headers lead to by themselves, which an edited unit begins with, is kept with what they
//! say; the other declarations only add to it.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use crate::preprocess::Preprocessed;
use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, Variance};

use super::name_graph::{NameGraph, ReachingNames};
use super::names::NameIndex;
use super::token_facts::TokenFacts;
use super::tokens::{Marked, header_varies};

/// What headers were last found to lead to.
#[derive(Debug, Default)]
pub(in crate::facts) struct ReachabilityCache(Mutex<Option<Arc<HeaderReachability>>>);

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// What the declarations of headers lead to by themselves.
#[derive(Debug)]
struct HeaderReachability {
    /// Those that may differ, and the names that lead to kernel templates.
    tainted: Vec<usize>,
    leading: Arc<ReachingNames>,
    found: Reachable,
}

/// On the way from what may differ to the kernels it leads to.
#[derive(Clone, Debug, Default)]
struct Reachable {
    names: FxHashSet<Symbol>,
    /// The declarations whose mentions were followed, in no order.
    passed: FxHashSet<usize>,
    /// The names that were not followed yet.
    todo: Vec<Symbol>,
}

/// The kernel templates whose instantiations may differ, of the names that `leading` has. `questions` is what the
/// headers of `leading` were last found to lead to.
pub(super) fn in_question(
    unit: (&Preprocessed, &Variance),
    links: NameGraph<'_>,
    leading: &ReachingNames,
    questions: Option<&ReachabilityCache>,
) -> FxHashSet<Symbol> {
    let NameGraph { index, token_facts, .. } = links;
    let (pp, variance) = unit;
    let hands_on = hands_on_by_pass(variance, token_facts);
    let way =
        Search { pp, variance, index, token_facts, leading, relevant: Marked::of(&leading.names), hands_on };
    let found = match (questions, &leading.headers) {
        (Some(questions), Some(alone)) => way.going_on(questions, alone),
        _ => way.all_anew(),
    };
    token_facts.kernels().into_iter().filter(|name| found.names.contains(name)).collect()
}

/// What may be followed.
struct Search<'w> {
    pp: &'w Preprocessed,
    variance: &'w Variance,
    index: &'w NameIndex,
    token_facts: &'w TokenFacts,
    leading: &'w ReachingNames,
    /// The names that lead to kernel templates.
    relevant: Marked,
    /// [`hands_on_by_pass`].
    hands_on: bool,
}

impl Search<'_> {
    /// What everything that may differ leads to.
    fn all_anew(&self) -> Reachable {
        let mut found = Reachable::default();
        let end = self.variance.declarations.len();
        for top in self.all_tainted(0..end) {
            found.todo.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The same, from what the headers lead to by themselves, where `alone` are the names that lead to kernel templates.
    fn going_on(&self, questions: &ReachabilityCache, alone: &Arc<ReachingNames>) -> Reachable {
        let (first, end) = (self.token_facts.tops(), self.variance.declarations.len());
        let headers = self.of_headers(questions, self.all_tainted(0..first), alone);
        let mut found = headers.found.clone();
        // What leads to kernels with the other declarations alone.
        for name in self.leading.names.difference(&alone.names) {
            let leads =
                |top: usize| headers.tainted.binary_search(&top).is_ok() || found.passed.contains(&top);
            if self.token_facts.mentions(*name).take_while(|top| *top < first).any(leads) {
                found.todo.push(*name);
            }
        }
        let further = self.leading.operated_by_others().filter(|(from, _)| found.names.contains(from));
        found.todo.extend(further.map(|(_, to)| to));
        for top in first..end {
            let names = &self.variance.declarations[top].names;
            if names.iter().any(|name| found.names.contains(name)) {
                self.pass(&mut found, top);
            }
        }
        for top in self.all_tainted(first..end) {
            found.todo.extend(self.mentioned(top));
        }
        self.follow(&mut found, end);
        found
    }

    /// The declarations of some that may lead to what differs by themselves.
    fn all_tainted(&self, tops: Range<usize>) -> Vec<usize> {
        let is =
            |top: &usize| self.tainted(*top) || self.hands_on && self.token_facts.has_generic_lambda(*top);
        tops.filter(is).collect()
    }

    fn of_headers(
        &self,
        questions: &ReachabilityCache,
        tainted: Vec<usize>,
        leading: &Arc<ReachingNames>,
    ) -> Arc<HeaderReachability> {
        let mut known = questions.0.lock().expect(NO_PANIC);
        let same =
            |one: &&Arc<HeaderReachability>| Arc::ptr_eq(&one.leading, leading) && one.tainted == tainted;
        if let Some(known) = known.as_ref().filter(same) {
            return Arc::clone(known);
        }
        let alone = Search { leading, relevant: Marked::of(&leading.names), ..*self };
        let mut found = Reachable::default();
        for top in &tainted {
            found.todo.extend(alone.mentioned(*top));
        }
        alone.follow(&mut found, self.token_facts.tops());
        let headers = Arc::new(HeaderReachability { tainted, leading: Arc::clone(leading), found });
        *known = Some(Arc::clone(&headers));
        headers
    }

    /// Follows all that is left through the declarations before number `end`.
    fn follow(&self, found: &mut Reachable, end: usize) {
        while let Some(name) = found.todo.pop() {
            if !found.names.insert(name) {
                continue;
            }
            for top in self.index.get(name).iter().take_while(|top| **top < end) {
                self.pass(found, *top);
            }
            found.todo.extend(self.leading.operated(name));
        }
    }

    /// Follows what a declaration mentions, if its uses instantiate that.
    fn pass(&self, found: &mut Reachable, top: usize) {
        let passes_on = self.token_facts.passes_on(top) && !self.token_facts.head_has(top, &[sym::GLOBAL]);
        if passes_on && found.passed.insert(top) {
            let names = self.token_facts.passed_on(top).iter().copied();
            found.todo.extend(names.filter(|name| self.relevant.has(*name)));
        }
    }

    fn mentioned(&self, top: usize) -> impl Iterator<Item = Symbol> {
        self.token_facts.names(top).iter().copied().filter(|name| self.relevant.has(*name))
    }

    /// Whether what a declaration instantiates may differ between passes. A kernel's body only
    /// matters for what it launches in turn, which the host has no part in.
    fn tainted(&self, top: usize) -> bool {
        if self.token_facts.head_has(top, &[sym::GLOBAL]) {
            return header_varies(self.pp, self.variance, top);
        }
        self.variance.declarations[top].varies.any()
    }
}

/// Whether a function template that host code can call varies by pass. It may give a lambda that is handed to
/// it arguments that do.
fn hands_on_by_pass(variance: &Variance, token_facts: &TokenFacts) -> bool {
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

    /// The kernels in question of a unit: found at once, and going on from what an analysis of `before` left.
    fn in_question(before: &str, main: &str) -> [Vec<Symbol>; 2] {
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
            let leading = unit.links().closure(&unit.token_facts().kernels());
            let mut names: Vec<Symbol> = unit.in_question(&leading).into_iter().collect();
            names.sort_unstable();
            (names, unit.kept())
        };
        let (_, kept) = find(before, Some(&KeptIndex::default()));
        [find(main, None).0, find(main, Some(&kept)).0]
    }

    #[test]
    fn kernels_in_question_are_the_same_going_on_from_what_headers_lead_to() {
        let mut told: Vec<usize> = Vec::new();
        let mut before = "";
        for main in [
            "void launch(wide *out) { fill(out); }",
            "void launch(float *out) { fill(out); }",
            "void launch(wide *out) { Filler<wide>().run(out); scale(out); }",
            "template <class T> void both(T *out) { fill(out); scale(out); }\nvoid launch(wide *out) { both(out); }",
            "using mine = wide; template <class T> struct Own { Filler<T> filler; }; Own<mine> own;",
            "",
        ] {
            let [at_once, going_on] = in_question(before, main);
            assert_eq!(at_once, going_on, "{main}");
            told.push(at_once.len());
            before = main;
        }
        assert!(told.contains(&0) && told.contains(&1) && told.contains(&2), "{told:?}");
    }
}
