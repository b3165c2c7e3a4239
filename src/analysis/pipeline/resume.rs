//! The preamble of a unit that is being edited, the headers that it begins with, kept from one analysis to the next.
//!
//! In: the unit, preprocessed anew. Out: its tokens and its declarations, of which those of the preamble are the last
//! analysis's. Millions of tokens are neither written, cut nor read again for an edit behind them.

use std::sync::{Arc, Mutex};

use crate::facts::{HeaderWalks, KeptIndex, Reusable};
use crate::preprocess::{FlatTokens, Preamble, Preprocessed, TokenSearch};
use crate::target::PassSet;
use crate::variance::{PreambleVariance, Variance, variance_from, variance_keeping};

/// The results for the preamble of that edited unit which was analysed last.
#[derive(Debug, Default)]
pub(super) struct PreambleCache {
    tokens: Option<FlatTokens>,
    /// Its declarations and the names in it that vary.
    variance: Option<(Preamble, PreambleVariance)>,
    /// The index of its declarations.
    index: KeptIndex,
    /// Its tokens that may need a feature of the target.
    needing: Option<Arc<TokenSearch>>,
    /// Its tokens that an architecture's number was expanded into.
    numbers: Option<Arc<TokenSearch>>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// A preprocessed unit that resumes from the preamble of the last analysis, and leaves its own for the next one.
#[derive(Debug)]
pub(super) struct ResumedUnit {
    pub(super) unit: Preprocessed,
    cache: Arc<Mutex<PreambleCache>>,
}

impl ResumedUnit {
    /// A unit that goes on from what is kept.
    pub(super) fn new(mut unit: Preprocessed, cache: Arc<Mutex<PreambleCache>>) -> ResumedUnit {
        let tokens = cache.lock().expect(NO_PANIC).tokens.take();
        if let Some(tokens) = tokens {
            unit.reuse_flat_tokens(tokens);
        }
        ResumedUnit { unit, cache }
    }

    /// The variance of the unit; its preamble's is kept.
    pub(super) fn variance(&self, compared: PassSet) -> Variance {
        let last = self.cache.lock().expect(NO_PANIC).variance.take();
        let preamble = self.unit.stable_preamble(last.as_ref().map(|(preamble, _)| preamble));
        let (variance, kept) = match last.filter(|(last, _)| *last == preamble) {
            Some((_, of_preamble)) => {
                (variance_from(&self.unit, compared, &of_preamble), Some((preamble, of_preamble)))
            }
            None => {
                let (variance, of_preamble) = variance_keeping(&self.unit, compared, preamble.tokens());
                (variance, of_preamble.map(|of_preamble| (preamble, of_preamble)))
            }
        };
        self.cache.lock().expect(NO_PANIC).variance = kept;
        variance
    }

    /// The facts that the last analysis left of the preamble, with those that walking its roots gave.
    pub(super) fn left(&self, walked: &[Arc<HeaderWalks>]) -> Reusable {
        let cache = self.cache.lock().expect(NO_PANIC);
        Reusable {
            walked: walked.to_vec(),
            index: cache.index.clone(),
            needing: cache.needing.clone(),
            numbers: cache.numbers.clone(),
        }
    }

    /// Keeps the facts of the preamble, and gives those back that walking its roots gave.
    pub(super) fn keep(&self, left: Reusable) -> Vec<Arc<HeaderWalks>> {
        let mut cache = self.cache.lock().expect(NO_PANIC);
        (cache.index, cache.needing, cache.numbers) = (left.index, left.needing, left.numbers);
        left.walked
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
