//! The results for the headers that units begin with, kept from one unit to the next, and from one text of a unit to the
//! next.
//!
//! In: a unit, preprocessed. Out: its tokens and its declarations, of which those of the preamble are those of the unit
//! before. Millions of tokens are neither written, cut nor read again for the text behind them.

use std::sync::{Arc, Mutex};

use crate::facts::{HeaderWalks, KeptIndex, Reusable};
use crate::preprocess::{FlatTokens, Preamble, Preprocessed};
use crate::target::PassSet;
use crate::variance::{PreambleVariance, Variance, variance_from, variance_keeping};

/// The results for the preambles of units that were analysed one after another.
#[derive(Debug, Default)]
pub(in crate::analysis) struct PreambleCache {
    /// The tokens of the last unit.
    tokens: Option<FlatTokens>,
    /// Those of the last units: units with other headers may stand between two that have the same. That which was used last comes
    /// first, and is the one of the unit at hand.
    kept: Vec<KeptPreamble>,
}

/// The results for one preamble.
#[derive(Debug, Default)]
struct KeptPreamble {
    preamble: Preamble,
    /// Its declarations and the names in it that vary.
    variance: Option<Arc<PreambleVariance>>,
    /// The index of its declarations.
    index: KeptIndex,
}

/// How many preambles are kept, and how many tokens these have together, at most, beside the one that was used last.
const KEPT: usize = 4;
const KEPT_TOKENS: usize = 1_000_000;

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl PreambleCache {
    /// Makes the kept preamble the first that serves a unit best, or another one that will serve the next units.
    fn choose(&mut self, unit: &Preprocessed) {
        let all = unit.headers();
        let in_common: Vec<Preamble> =
            self.kept.iter().map(|kept| unit.headers_in_common(&kept.preamble)).collect();
        let whole = (0..in_common.len()).filter(|number| in_common[*number] == self.kept[*number].preamble);
        let whole = whole.max_by_key(|number| in_common[*number].tokens());
        let longest = {
            let known = whole.map_or(0, |number| in_common[number].tokens());
            let with_last = self.tokens.as_ref().map(|tokens| unit.headers_in_common(tokens.headers()));
            let others = with_last.into_iter().chain(in_common.iter().cloned());
            let longer = |one: &Preamble| one.tokens() > known + known / 2 && one.tokens() * 2 > all.tokens();
            others.filter(longer).max_by_key(Preamble::tokens)
        };
        let chosen = match (longest, whole) {
            (None, Some(number)) if in_common[number].tokens() * 3 > all.tokens() => self.kept.remove(number),
            (longest, _) => {
                let preamble = longest.unwrap_or(all);
                // What goes on from a preamble that is hardly longer goes on from this one.
                let is_most = |of: &Preamble| preamble.tokens() * 4 > of.tokens() * 3;
                let mut common = in_common.iter();
                self.kept.retain(|kept| {
                    let common = common.next().expect("each kept preamble was compared");
                    *common != preamble || !is_most(&kept.preamble)
                });
                KeptPreamble { preamble, ..KeptPreamble::default() }
            }
        };
        let mut tokens = 0;
        self.kept.truncate(KEPT - 1);
        self.kept.retain(|kept| {
            tokens += kept.preamble.tokens();
            tokens <= KEPT_TOKENS
        });
        self.kept.insert(0, chosen);
    }

    /// What is kept for the unit at hand.
    fn at_hand(&mut self) -> &mut KeptPreamble {
        if self.kept.is_empty() {
            self.kept.push(KeptPreamble::default());
        }
        &mut self.kept[0]
    }

    /// The number of tokens of the preamble that was used last.
    fn tokens(&self) -> usize {
        self.kept.first().map_or(0, |kept| kept.preamble.tokens())
    }
}

/// A preprocessed unit that goes on from the preamble of the last one, and leaves its own for the next.
#[derive(Debug)]
pub(in crate::analysis) struct ResumedUnit {
    pub(in crate::analysis) unit: Preprocessed,
    cache: Arc<Mutex<PreambleCache>>,
}

impl ResumedUnit {
    /// A unit that goes on from what is kept.
    pub(in crate::analysis) fn new(mut unit: Preprocessed, cache: Arc<Mutex<PreambleCache>>) -> ResumedUnit {
        let mut kept = cache.lock().expect(NO_PANIC);
        kept.choose(&unit);
        unit.keep(kept.at_hand().preamble.clone());
        if let Some(tokens) = kept.tokens.take() {
            unit.reuse_flat_tokens(tokens);
        }
        drop(kept);
        ResumedUnit { unit, cache }
    }

    /// A unit of which only tokens are asked for.
    pub(in crate::analysis) fn with_tokens(
        mut unit: Preprocessed,
        cache: Arc<Mutex<PreambleCache>>,
    ) -> ResumedUnit {
        let tokens = cache.lock().expect(NO_PANIC).tokens.take();
        if let Some(tokens) = tokens {
            unit.reuse_flat_tokens(tokens);
        }
        ResumedUnit { unit, cache }
    }

    /// The variance of the unit; its preamble's is kept.
    pub(in crate::analysis) fn variance(&self, compared: PassSet) -> Variance {
        let last = self.cache.lock().expect(NO_PANIC).at_hand().variance.clone();
        if let Some(variance) = last.and_then(|last| variance_from(&self.unit, compared, &last)) {
            return variance;
        }
        // The declarations may be others than those that all this was kept of.
        let mut cache = self.cache.lock().expect(NO_PANIC);
        let known = cache.at_hand();
        (known.variance, known.index) = Default::default();
        drop(cache);
        let (variance, kept) = variance_keeping(&self.unit, compared, self.unit.preamble().tokens());
        self.cache.lock().expect(NO_PANIC).at_hand().variance = kept.map(Arc::new);
        variance
    }

    /// The facts that the last analysis left of the preamble. `walked` are those that walking its roots gave, if they are
    /// kept.
    pub(in crate::analysis) fn left(&self, walked: Option<&[Arc<HeaderWalks>]>) -> Reusable {
        let mut cache = self.cache.lock().expect(NO_PANIC);
        Reusable { walked: walked.map(<[_]>::to_vec), index: cache.at_hand().index.clone() }
    }

    /// Keeps the facts of the preamble, and gives those back that walking its roots gave.
    pub(in crate::analysis) fn keep(&self, left: Reusable) -> Vec<Arc<HeaderWalks>> {
        self.cache.lock().expect(NO_PANIC).at_hand().index = left.index;
        left.walked.unwrap_or_default()
    }
}

impl Drop for ResumedUnit {
    fn drop(&mut self) {
        if let Ok(mut cache) = self.cache.lock()
            && let Some(tokens) = self.unit.take_flat_tokens()
        {
            cache.tokens = Some(tokens);
        }
    }
}

/// The caches that units go on from, one after another. Two that are analysed at once never have the same one: of what the
/// other keeps, nothing is true of a unit with other headers.
#[derive(Debug, Default)]
pub(in crate::analysis) struct PreamblePool {
    idle: Mutex<Vec<Arc<Mutex<PreambleCache>>>>,
}

impl PreamblePool {
    /// The cache that a unit left which was analysed, or an empty one, until the lease ends.
    pub(in crate::analysis) fn lease(&self) -> PreambleLease<'_> {
        let cache = self.idle.lock().expect(NO_PANIC).pop().unwrap_or_default();
        PreambleLease { pool: self, cache }
    }

    /// Keeps one cache of those that are not leased, which take much memory, and in it one preamble: the one with the longest,
    /// since a question about another unit may have left an empty one meanwhile.
    pub(in crate::analysis) fn keep_one(&self) {
        let mut idle = self.idle.lock().expect(NO_PANIC);
        let length = |cache: &Arc<Mutex<PreambleCache>>| cache.lock().expect(NO_PANIC).tokens();
        let longest = idle.drain(..).max_by_key(length);
        longest.iter().for_each(|cache| cache.lock().expect(NO_PANIC).kept.truncate(1));
        idle.extend(longest);
    }

    /// Forgets all.
    pub(in crate::analysis) fn clear(&self) {
        self.idle.lock().expect(NO_PANIC).clear();
    }
}

/// A cache that nobody else has; it goes back when this is dropped, also when the work on the unit is cancelled.
#[derive(Debug)]
pub(in crate::analysis) struct PreambleLease<'a> {
    pool: &'a PreamblePool,
    pub(in crate::analysis) cache: Arc<Mutex<PreambleCache>>,
}

impl Drop for PreambleLease<'_> {
    fn drop(&mut self) {
        if let Ok(mut idle) = self.pool.idle.lock() {
            idle.push(Arc::clone(&self.cache));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    #[test]
    fn two_units_at_once_do_not_go_on_from_each_other() {
        let (sources, common, pool) = (Sources::new(), Arc::default(), PreamblePool::default());
        sources.add(Path::new("long.h"), "#pragma once\nint a;\n".to_string() + &"struct S;\n".repeat(100));
        sources.add(Path::new("short.h"), "#pragma once\n#ifdef __CUDA_ARCH__\nint b;\n#endif\n".to_string());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let all = passes.all();
        let read = |name: &str, edit: usize| {
            let path = format!("{name}.cu");
            sources.overlay(Path::new(&path), format!("#include \"{name}.h\"\nint c{edit};\n"));
            preprocess(&TranslationUnit::new(Path::new(&path), passes.clone()), &sources, &common)
        };
        // Twice, since the first time there is nothing to go on from.
        for edit in 0..2 {
            let (one, other) = (pool.lease(), pool.lease());
            let long = ResumedUnit::new(read("long", edit), Arc::clone(&one.cache));
            let short = ResumedUnit::new(read("short", edit), Arc::clone(&other.cache));
            for unit in [&short, &long] {
                let (resumed, alone) = (unit.variance(all), crate::variance::variance(&unit.unit, all));
                assert_eq!(resumed.declarations, alone.declarations);
            }
        }
        pool.keep_one();
        assert_eq!(pool.idle.lock().unwrap().len(), 1);
    }

    #[test]
    fn units_with_other_headers_between_two_leave_the_results_for_theirs() {
        let (sources, common) = (Sources::new(), Arc::default());
        for name in ["one", "other"] {
            // Longer than what all units begin with.
            let text = format!("#pragma once\n#ifdef __CUDA_ARCH__\nint {name};\n#endif\n");
            sources.add(Path::new(&format!("{name}.h")), text + &"struct S;\n".repeat(3000));
        }
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let cache = Arc::<Mutex<PreambleCache>>::default();
        let variance = |name: &str, number: usize| {
            let path = format!("{name}{number}.cu");
            sources.add(Path::new(&path), format!("#include \"{name}.h\"\nint c{number};\n"));
            let unit = TranslationUnit::new(Path::new(&path), passes.clone());
            let resumed = ResumedUnit::new(preprocess(&unit, &sources, &common), Arc::clone(&cache));
            let alone = crate::variance::variance(&resumed.unit, passes.all());
            assert_eq!(resumed.variance(passes.all()).declarations, alone.declarations);
            cache.lock().unwrap().at_hand().variance.clone().unwrap()
        };
        let [one, other] = [variance("one", 0), variance("other", 1)];
        assert!(Arc::ptr_eq(&one, &variance("one", 2)));
        assert!(Arc::ptr_eq(&other, &variance("other", 3)));
        assert!(!Arc::ptr_eq(&one, &other));
    }

    #[test]
    fn what_an_analysis_left_is_kept_and_not_what_a_question_did_meanwhile() {
        let (sources, pool) = (Sources::new(), PreamblePool::default());
        sources.add(Path::new("h.h"), "#pragma once\nint a;\n".to_string());
        sources.add(Path::new("a.cu"), "#include \"h.h\"\nint b;\n".to_string());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        for analysis_ends_last in [true, false] {
            let (analysis, question) = (pool.lease(), pool.lease());
            let read = || preprocess(&unit, &sources, &Arc::default());
            drop(ResumedUnit::new(read(), Arc::clone(&analysis.cache)));
            drop(ResumedUnit::with_tokens(read(), Arc::clone(&question.cache)));
            let (first, last) = if analysis_ends_last { (question, analysis) } else { (analysis, question) };
            drop(first);
            drop(last);
            pool.keep_one();
            assert!(pool.lease().cache.lock().unwrap().tokens() > 0);
            pool.clear();
        }
    }
}
