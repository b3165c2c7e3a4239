//! The results of one analysis that the next one of the same unit may go on from.
//!
//! In: what the last analysis of an edited unit left, if there was one. Out: the same answers as without it, sooner, and
//! what this analysis leaves in turn.

use std::sync::Arc;

use crate::facts::index::kept::KeptIndex;
use crate::preprocess::{PpToken, Preprocessed, Spotted};

use super::header_walks::HeaderWalks;

/// The results that the next analysis of the unit may go on from.
#[derive(Clone, Debug, Default)]
pub struct Reusable {
    /// The walks of roots in headers, those that this analysis stood on or made first.
    pub walked: Vec<Arc<HeaderWalks>>,
    /// The index of the headers that the unit begins with.
    pub index: KeptIndex,
    /// Their tokens that may need something of a target.
    pub needing: Option<Arc<Spotted>>,
    /// Their tokens that the architecture's number was put in the place of.
    pub numbers: Option<Arc<Spotted>>,
}

/// The reuse of results by one analysis. An analysis that will not be repeated neither has any nor leaves any.
pub(in crate::facts) struct Reuse<'l> {
    pub(super) last: Option<&'l Reusable>,
    pub(super) next: Reusable,
}

impl<'l> Reuse<'l> {
    /// That of an analysis that will be repeated, if there is a `last` one, though that may have left nothing.
    pub(in crate::facts) fn new(last: Option<&'l Reusable>) -> Reuse<'l> {
        Reuse { last, next: last.cloned().unwrap_or_default() }
    }

    /// The index of the headers as the last analysis left it.
    pub(in crate::facts) fn index(&self) -> Option<&'l KeptIndex> {
        self.last.map(|last| &last.index)
    }

    /// What the next analysis may go on from, with the index of the headers as this one has it.
    pub(in crate::facts) fn left(self, index: KeptIndex) -> Reusable {
        Reusable { index, ..self.next }
    }

    /// The tokens that may need something of a target, by index, in order.
    pub(in crate::facts) fn needing(
        &mut self,
        pp: &Preprocessed,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> Vec<usize> {
        spot(pp, self.last.map(|last| &last.needing), &mut self.next.needing, wanted)
    }

    /// The tokens that the architecture's number was put in the place of, by index, in order.
    pub(in crate::facts) fn numbers(
        &mut self,
        pp: &Preprocessed,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> Vec<usize> {
        spot(pp, self.last.map(|last| &last.numbers), &mut self.next.numbers, wanted)
    }
}

fn spot(
    pp: &Preprocessed,
    last: Option<&Option<Arc<Spotted>>>,
    next: &mut Option<Arc<Spotted>>,
    wanted: impl Fn(&PpToken) -> bool,
) -> Vec<usize> {
    let Some(last) = last else { return pp.spot(wanted) };
    let (found, spotted) = pp.spot_again(last.as_ref(), wanted);
    *next = Some(spotted);
    found
}
