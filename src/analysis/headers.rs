//! What a unit that is being edited begins with, kept from one analysis to the next.
//!
//! In: the unit, preprocessed anew. Out: its tokens and its declarations, of which those of the headers that it begins
//! with are the last analysis's. Millions of tokens are neither written, cut nor read again for an edit behind them.

use std::sync::{Arc, Mutex};

use crate::facts::Digested;
use crate::preprocess::{Beginning, Preprocessed, Unrolled};
use crate::target::PassSet;
use crate::variance::{Begun, Variance, variance, variance_from};

/// What is kept of the unit that was analysed last of those that are edited.
#[derive(Debug, Default)]
pub(super) struct Headers {
    tokens: Option<Unrolled>,
    /// The headers cut into declarations.
    begun: Option<(Beginning, Arc<Begun>)>,
    /// What their declarations say.
    digested: Option<Arc<Digested>>,
}

/// Why the lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the lock";

/// A unit that was preprocessed; its tokens are left for the next one.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) unit: Preprocessed,
    headers: Option<Arc<Mutex<Headers>>>,
}

impl Lent {
    /// A unit that may go on from what is kept, if something is to be kept of it.
    pub(super) fn new(mut unit: Preprocessed, headers: Option<Arc<Mutex<Headers>>>) -> Lent {
        let tokens = headers.as_ref().and_then(|headers| headers.lock().expect(NO_PANIC).tokens.take());
        if let Some(tokens) = tokens {
            unit.go_on_from(tokens);
        }
        Lent { unit, headers }
    }

    /// What varies in the unit.
    pub(super) fn variance(&self, compared: PassSet) -> Variance {
        let Some(headers) = &self.headers else { return variance(&self.unit, compared) };
        let last = headers.lock().expect(NO_PANIC).begun.take();
        let common = last.as_ref().map(|(beginning, _)| self.unit.beginning(Some(beginning)));
        let same = common.is_some() && common.as_ref() == last.as_ref().map(|(beginning, _)| beginning);
        let (variance, begun) = match last.filter(|_| same) {
            Some((beginning, begun)) => {
                let (variance, _) = variance_from(&self.unit, compared, Some(&begun), None);
                (variance, Some((beginning, begun)))
            }
            None => {
                let common = common.filter(|common| common.tokens() > 0);
                let beginning = common.unwrap_or_else(|| self.unit.beginning(None));
                let (variance, begun) = variance_from(&self.unit, compared, None, Some(beginning.tokens()));
                (variance, begun.map(|begun| (beginning, Arc::new(begun))))
            }
        };
        headers.lock().expect(NO_PANIC).begun = begun;
        variance
    }

    /// What is kept of the headers' declarations.
    pub(super) fn digested(&self) -> Option<Arc<Digested>> {
        self.headers.as_ref().and_then(|headers| headers.lock().expect(NO_PANIC).digested.clone())
    }

    /// Keeps what the headers' declarations say.
    pub(super) fn keep(&self, digested: Option<Arc<Digested>>) {
        if let Some(headers) = &self.headers {
            headers.lock().expect(NO_PANIC).digested = digested;
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(Ok(mut headers)) = self.headers.as_deref().map(Mutex::lock)
            && let Some(tokens) = self.unit.unroll()
        {
            headers.tokens = Some(tokens);
        }
    }
}
