//! What a unit that is being edited begins with, kept from one analysis to the next.
//!
//! In: the unit, preprocessed anew. Out: its tokens and its declarations, of which those of the headers that it begins
//! with are the last analysis's. Millions of tokens are neither written, cut nor read again for an edit behind them.

use std::sync::{Arc, Mutex};

use crate::facts::{Digested, Left, Named, Walked};
use crate::preprocess::{Beginning, FlatTokens, Preprocessed, Spotted};
use crate::target::PassSet;
use crate::variance::{Begun, Variance, variance, variance_from};

/// What is kept of the unit that was analysed last of those that are edited.
#[derive(Debug, Default)]
pub(super) struct Headers {
    tokens: Option<FlatTokens>,
    /// The headers cut into declarations.
    begun: Option<(Beginning, Arc<Begun>)>,
    /// The declarations of names in them.
    named: Option<Arc<Named>>,
    /// What their declarations say.
    digested: Option<Arc<Digested>>,
    /// Their tokens that may need something of a target.
    needing: Option<Arc<Spotted>>,
    /// Those that the architecture's number was put in the place of.
    numbers: Option<Arc<Spotted>>,
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
            unit.reuse_flat_tokens(tokens);
        }
        Lent { unit, headers }
    }

    /// What varies in the unit.
    pub(super) fn variance(&self, compared: PassSet) -> Variance {
        let Some(headers) = &self.headers else { return variance(&self.unit, compared) };
        let last = headers.lock().expect(NO_PANIC).begun.take();
        let lasting = self.unit.lasting(last.as_ref().map(|(beginning, _)| beginning));
        let same = last.as_ref().is_some_and(|(beginning, _)| *beginning == lasting);
        let (variance, begun) = match last.filter(|_| same) {
            Some((beginning, begun)) => {
                let (variance, _) = variance_from(&self.unit, compared, Some(&begun), None);
                (variance, Some((beginning, begun)))
            }
            None => {
                let (variance, begun) = variance_from(&self.unit, compared, None, Some(lasting.tokens()));
                (variance, begun.map(|begun| (lasting, Arc::new(begun))))
            }
        };
        headers.lock().expect(NO_PANIC).begun = begun;
        variance
    }

    /// What the last analysis left of the headers, with what walking them gave.
    pub(super) fn left(&self, walked: &[Arc<Walked>]) -> Left {
        let walked = walked.to_vec();
        let Some(headers) = &self.headers else { return Left { walked, ..Left::default() } };
        let headers = headers.lock().expect(NO_PANIC);
        let (digested, needing) = (headers.digested.clone(), headers.needing.clone());
        Left { walked, digested, needing, named: headers.named.clone(), numbers: headers.numbers.clone() }
    }

    /// Keeps what this analysis leaves of the headers; what walking them gave.
    pub(super) fn keep(&self, left: Left) -> Vec<Arc<Walked>> {
        if let Some(headers) = &self.headers {
            let mut headers = headers.lock().expect(NO_PANIC);
            (headers.digested, headers.needing) = (left.digested, left.needing);
            (headers.named, headers.numbers) = (left.named, left.numbers);
        }
        left.walked
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(Ok(mut headers)) = self.headers.as_deref().map(Mutex::lock)
            && let Some(tokens) = self.unit.take_flat_tokens()
        {
            headers.tokens = Some(tokens);
        }
    }
}
