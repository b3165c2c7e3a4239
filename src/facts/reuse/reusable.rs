//! The results of one analysis that the next one, of the same unit or of one with the same preamble, can reuse.
//!
//! In: the results of the last analysis, if any are kept. Out: the same answers as without them, in
//! less time, and the results for the next analysis.

use std::sync::Arc;

use crate::facts::index::kept::KeptIndex;

use super::header_walks::HeaderWalks;

/// The results that the next analysis can reuse.
#[derive(Clone, Debug, Default)]
pub struct Reusable {
    /// The walks over the preamble's roots: first those that this analysis made or replayed, then earlier ones. `None` if
    /// no walks are kept, as where another unit is next.
    pub walked: Option<Vec<Arc<HeaderWalks>>>,
    /// The index of the preamble.
    pub index: KeptIndex,
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
}
