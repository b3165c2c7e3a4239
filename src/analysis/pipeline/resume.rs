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

/// The results for the preamble of the unit that was analysed last.
#[derive(Debug, Default)]
pub(in crate::analysis) struct PreambleCache {
    preamble: Preamble,
    tokens: Option<FlatTokens>,
    /// Its declarations and the names in it that vary.
    variance: Option<Arc<PreambleVariance>>,
    /// The index of its declarations.
    index: KeptIndex,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

impl PreambleCache {
    /// The headers of a unit for which results are kept: those that are kept, as far as the unit begins with them, unless
    /// it has many more tokens in common with the last unit. Of a unit that has little in common with those before it, all
    /// that it begins with.
    fn preamble_for(&self, unit: &Preprocessed) -> Preamble {
        let known = unit.headers_in_common(&self.preamble);
        let with_last = self.tokens.as_ref().map(|tokens| unit.headers_in_common(tokens.headers()));
        let longest = with_last.filter(|one| one.tokens() > known.tokens() + known.tokens() / 2);
        if known.tokens() * 2 > self.preamble.tokens() && longest.is_none() {
            return known;
        }
        let all = unit.headers();
        longest.filter(|one| one.tokens() * 2 > all.tokens()).unwrap_or(all)
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
        let preamble = kept.preamble_for(&unit);
        unit.keep(preamble.clone());
        if let Some(tokens) = kept.tokens.take() {
            unit.reuse_flat_tokens(tokens);
        }
        if preamble != kept.preamble {
            *kept = PreambleCache { preamble, ..PreambleCache::default() };
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
        let last = self.cache.lock().expect(NO_PANIC).variance.clone();
        if let Some(variance) = last.and_then(|last| variance_from(&self.unit, compared, &last)) {
            return variance;
        }
        // The declarations may be others than those that all this was kept of.
        let mut cache = self.cache.lock().expect(NO_PANIC);
        (cache.variance, cache.index) = Default::default();
        drop(cache);
        let (variance, kept) = variance_keeping(&self.unit, compared, self.unit.preamble().tokens());
        self.cache.lock().expect(NO_PANIC).variance = kept.map(Arc::new);
        variance
    }

    /// The facts that the last analysis left of the preamble. `walked` are those that walking its roots gave, if they are
    /// kept.
    pub(in crate::analysis) fn left(&self, walked: Option<&[Arc<HeaderWalks>]>) -> Reusable {
        let cache = self.cache.lock().expect(NO_PANIC);
        Reusable { walked: walked.map(<[_]>::to_vec), index: cache.index.clone() }
    }

    /// Keeps the facts of the preamble, and gives those back that walking its roots gave.
    pub(in crate::analysis) fn keep(&self, left: Reusable) -> Vec<Arc<HeaderWalks>> {
        self.cache.lock().expect(NO_PANIC).index = left.index;
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

    /// Keeps one cache of those that are not leased, which take much memory: the one with the longest preamble, since a
    /// question about another unit may have left an empty one meanwhile.
    pub(in crate::analysis) fn keep_one(&self) {
        let mut idle = self.idle.lock().expect(NO_PANIC);
        let length = |cache: &Arc<Mutex<PreambleCache>>| cache.lock().expect(NO_PANIC).preamble.tokens();
        let longest = idle.drain(..).max_by_key(length);
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
            assert!(pool.lease().cache.lock().unwrap().preamble.tokens() > 0);
            pool.clear();
        }
    }
}
