//! The results of one analysis that the next one, of the same unit or of one with the same preamble, can reuse.
//!
//! In: the results of the last analysis, if any are kept. Out: the same answers as without them, in
//! less time, and the results for the next analysis.

use std::sync::Arc;

use crate::facts::index::kept::KeptIndex;
use crate::preprocess::{PpToken, Preprocessed, TokenSearch};

use super::header_walks::HeaderWalks;

/// The results that the next analysis can reuse.
#[derive(Clone, Debug, Default)]
pub struct Reusable {
    /// The walks over the preamble's roots: first those that this analysis made or replayed, then earlier ones. `None` if
    /// no walks are kept, as where another unit is next.
    pub walked: Option<Vec<Arc<HeaderWalks>>>,
    /// The index of the preamble.
    pub index: KeptIndex,
    /// The tokens of the preamble that may begin an instruction or a call that not every target has.
    pub needing: Option<Arc<TokenSearch>>,
    /// The tokens of the preamble that `__CUDA_ARCH__` was expanded to.
    pub numbers: Option<Arc<TokenSearch>>,
}

/// The reuse of results by one analysis. Of a unit that is analysed once, `last` is `None` and nothing is kept.
pub(in crate::facts) struct Reuse<'l> {
    pub(super) last: Option<&'l Reusable>,
    pub(super) next: Reusable,
}

impl<'l> Reuse<'l> {
    /// Reuse of the `last` results, which may be empty; `None` for a unit that is analysed once.
    pub(in crate::facts) fn new(last: Option<&'l Reusable>) -> Reuse<'l> {
        Reuse { last, next: last.cloned().unwrap_or_default() }
    }

    /// The walks that the last analysis kept; `None` if none are kept.
    pub(in crate::facts) fn walks(&self) -> Option<&'l [Arc<HeaderWalks>]> {
        self.last.and_then(|last| last.walked.as_deref())
    }

    /// The index of the preamble that the last analysis kept.
    pub(in crate::facts) fn index(&self) -> Option<&'l KeptIndex> {
        self.last.map(|last| &last.index)
    }

    /// The results for the next analysis, with the index of the preamble that this one has.
    pub(in crate::facts) fn into_reusable(self, index: KeptIndex) -> Reusable {
        Reusable { index, ..self.next }
    }

    /// The tokens that may begin an instruction or a call that not every target has, by index, in order.
    pub(in crate::facts) fn needing(
        &mut self,
        pp: &Preprocessed,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> Vec<usize> {
        find_tokens(pp, self.last.map(|last| &last.needing), &mut self.next.needing, wanted)
    }

    /// The tokens that `__CUDA_ARCH__` was expanded to, by index, in order.
    pub(in crate::facts) fn numbers(
        &mut self,
        pp: &Preprocessed,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> Vec<usize> {
        find_tokens(pp, self.last.map(|last| &last.numbers), &mut self.next.numbers, wanted)
    }
}

/// The wanted tokens. Those of the preamble are taken from the last analysis if it has them, and kept for the next.
fn find_tokens(
    pp: &Preprocessed,
    last: Option<&Option<Arc<TokenSearch>>>,
    next: &mut Option<Arc<TokenSearch>>,
    wanted: impl Fn(&PpToken) -> bool,
) -> Vec<usize> {
    let Some(last) = last else { return pp.find_tokens(wanted) };
    let (found, search) = pp.find_tokens_again(last.as_ref(), wanted);
    *next = Some(search);
    found
}
