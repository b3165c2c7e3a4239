//! The results that a session keeps beside its units: for other units, and for the same ones when their texts have
//! changed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::analysis::pipeline::{Caches, PreamblePool};
use crate::source::{FileId, Sources};

/// The caches of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct SessionCaches {
    /// The caches that units share.
    pub(super) shared: Caches,
    /// The preamble of the unit that was edited last; of more units while several are analysed at once.
    pub(super) edited: Arc<PreamblePool>,
}

impl SessionCaches {
    /// Drops the preprocessed headers and the preamble. Results for single texts go with the next
    /// [`SessionCaches::retain`].
    pub(super) fn forget_headers(&mut self) {
        self.shared.headers.clear();
        self.shared.preambles.clear();
        self.edited.clear();
    }

    /// Drops the results for files other than these, but for the declarations of those that were analysed and have
    /// been edited since: most of them are in the next analysis too. No unit is being analysed.
    pub(super) fn retain(
        &mut self,
        files: &FxHashSet<FileId>,
        analysed: impl Iterator<Item = FileId>,
        sources: &Sources,
    ) {
        self.shared.preambles.clear();
        self.shared.parsed.retain(&files.iter().copied().chain(analysed).collect());
        if let Some(headers) = Arc::get_mut(&mut self.shared.headers) {
            headers.retain(files, sources);
        }
    }
}
