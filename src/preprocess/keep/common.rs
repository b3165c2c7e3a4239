//! The state that the units of a run share: numbered records, interned macros, and the memos.
//!
//! Nothing that is numbered changes once a walk is done; records that nothing refers to any more are collected between
//! walks.

use std::sync::{Arc, RwLock};

use crate::preprocess::expand::interned::MacroStore;
use crate::preprocess::result::registry::Registry;
use crate::preprocess::result::store::NO_PANIC;
use crate::project::{Answers, IncludeSearch};
use crate::source::FileId;

use super::headers::HeaderMemo;
use super::partial::PartialMacros;

/// The state that the units of a run share, on all threads.
#[derive(Debug)]
pub struct Common {
    /// Shared with the units that refer to it.
    pub(crate) registry: Arc<Registry>,
    pub(crate) macros: MacroStore,
    pub(crate) partial: PartialMacros,
    /// The include search paths, with the answers of a compiler that was asked; header records are of one of them.
    searches: RwLock<Vec<(IncludeSearch, Option<Answers>)>>,
    /// `None` where no reading is to be reused.
    pub(crate) headers: Option<HeaderMemo>,
}

impl Default for Common {
    fn default() -> Common {
        Common::with(Some(HeaderMemo::default()))
    }
}

impl Common {
    /// Empty.
    pub fn new() -> Common {
        Common::default()
    }

    /// Empty and without a header memo: each header is read anew wherever it is included.
    pub fn forgetful() -> Common {
        Common::with(None)
    }

    fn with(headers: Option<HeaderMemo>) -> Common {
        Common {
            registry: Arc::default(),
            macros: MacroStore::default(),
            partial: PartialMacros::default(),
            searches: RwLock::default(),
            headers,
        }
    }

    /// Drops the records of headers that read one of these files. None is kept until [`Common::forget_superseded`].
    pub fn supersede(&self, files: &[FileId]) {
        if let Some(headers) = self.headers.as_ref().filter(|_| !files.is_empty()) {
            headers.supersede(files);
        }
    }

    /// No unit is being preprocessed that began before files were superseded.
    pub fn forget_superseded(&self) {
        if let Some(headers) = &self.headers {
            headers.forget_superseded();
        }
    }

    /// Drops all records of headers: any of them may include a file that is new.
    pub fn clear(&self) {
        if let Some(headers) = &self.headers {
            headers.clear();
        }
    }

    /// How often a reading of a header was reused, and how often one was recorded.
    pub fn reuse(&self) -> (usize, usize) {
        self.headers.as_ref().map_or((0, 0), HeaderMemo::reuse)
    }

    /// How many numbered records it has.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        let Registry { groups, conditionals, definitions } = &*self.registry;
        groups.count() + conditionals.count() + definitions.count() + self.macros.all.count()
    }

    /// The addresses of the recorded readings of a file.
    #[cfg(test)]
    pub(crate) fn readings(&self, file: FileId) -> Vec<usize> {
        self.headers.as_ref().map_or(Vec::new(), |headers| headers.readings(file))
    }

    /// The number of an include search path together with the answers to feature checks.
    pub(crate) fn search(&self, search: &IncludeSearch, answers: Option<&Answers>) -> usize {
        let same =
            |(known, said): &(IncludeSearch, Option<Answers>)| known == search && said.as_ref() == answers;
        if let Some(found) = self.searches.read().expect(NO_PANIC).iter().position(same) {
            return found;
        }
        let mut searches = self.searches.write().expect(NO_PANIC);
        searches.iter().position(same).unwrap_or_else(|| {
            searches.push((search.clone(), answers.cloned()));
            searches.len() - 1
        })
    }
}
