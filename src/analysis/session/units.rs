//! The units of a session and the texts that replace others.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::analysis::included::resolved;
use crate::analysis::outcome::Outcome;
use crate::cancel::CancelFlag;
use crate::project::TranslationUnit;
use crate::source::{FileId, Sources};

use super::analysed::Analysed;
use super::caches::SessionCaches;
use super::slot::Slot;
use super::under_way::UnderWay;
use super::view::UnitView;

/// The number of superseded texts at which the results for them are dropped.
pub(super) const RELEASE_AFTER: usize = 16;

/// The number of superseded texts at which they go whatever is being collected from one of them.
pub(super) const MOST_SUPERSEDED: usize = 4 * RELEASE_AFTER;

/// The same in bytes. With its tokens a text takes some five times its length.
pub(super) const MOST_SUPERSEDED_BYTES: usize = 8 << 20;

/// Units, their analyses, and which of these are out of date.
#[derive(Debug, Default)]
pub struct Session {
    /// The texts.
    pub sources: Sources,
    pub(super) caches: SessionCaches,
    pub(super) slots: Vec<Slot>,
    /// Files by id, their paths resolved.
    pub(super) resolved: FxHashMap<FileId, PathBuf>,
    /// The number of texts that were superseded since the last release.
    pub(super) superseded: usize,
    /// Their bytes.
    pub(super) superseded_bytes: usize,
    /// The units that are being analysed.
    pub(super) under_way: Arc<UnderWay>,
    /// The texts that their analyses read.
    pub(super) being_read: Option<Arc<Sources>>,
    /// The texts that were replaced since these began.
    pub(super) replaced: Vec<Replaced>,
    /// The unit that was asked about last, while no text changed.
    pub(super) view: Mutex<Option<Arc<UnitView>>>,
}

/// The replacement of a text.
#[derive(Debug)]
pub(super) struct Replaced {
    /// The file.
    pub(super) path: PathBuf,
    /// The files with the earlier texts.
    pub(super) superseded: Vec<FileId>,
    /// The file with the new one, if it is known.
    newest: Option<FileId>,
    /// There was no such file.
    added: bool,
}

impl Replaced {
    /// Whether an analysis of the text before is out of date, which forgets its dependencies if the edit can't be followed.
    pub(super) fn outdates(&self, last: &mut Analysed) -> bool {
        if self.parts_from(last) {
            last.forget_dependencies();
        }
        last.reads_any(&self.superseded) || self.is_missed(&last.outcome)
    }

    /// Whether an analysis can't be followed to the new text.
    fn parts_from(&self, last: &mut Analysed) -> bool {
        self.is_missed(&last.outcome)
            || last.reads_any(&self.superseded) && !last.may_follow(&self.superseded)
    }

    /// Puts the new file beside those with the earlier texts; without it, which files there are has to be asked again.
    pub(super) fn update(&self, files: &mut Option<Vec<FileId>>) {
        let read = files.take_if(|files| files.iter().any(|file| self.superseded.contains(file)));
        if let Some((mut read, newest)) = read.zip(self.newest) {
            read.push(newest);
            *files = Some(read);
        }
    }

    fn is_missed(&self, outcome: &Outcome) -> bool {
        let is_it = |header: &str| {
            Path::new(header.trim_matches(['"', '<', '>'])).file_name() == self.path.file_name()
        };
        self.added && outcome.missing.iter().any(|header| is_it(header))
    }
}

impl Session {
    /// No units yet.
    pub fn new() -> Session {
        Session::default()
    }

    /// Makes these the units. Those it has already stay up to date; one compiled in another way than
    /// before is out of date.
    pub fn set_units(&mut self, units: Vec<TranslationUnit>) {
        self.view = Mutex::default();
        let mut old = std::mem::take(&mut self.slots);
        let mut others = true;
        for unit in units {
            let same = old.iter().position(|slot| slot.unit == unit);
            let mut slot = match same.or_else(|| old.iter().position(|slot| slot.unit.main == unit.main)) {
                Some(index) => old.swap_remove(index),
                None => {
                    let (main, unit) = (resolved(&unit.main), unit.clone());
                    Slot { main, unit, analysed: None, earlier: Vec::new(), surveyed: None, fresh: false }
                }
            };
            if same.is_none()
                && let Some(last) = &mut slot.analysed
            {
                last.forget_dependencies();
                last.walked.clear();
                // Their passes are others.
                last.entities = None;
                slot.earlier.clear();
            }
            slot.fresh &= same.is_some();
            slot.unit = unit;
            others &= same.is_none();
            self.slots.push(slot);
        }
        if others {
            // No header is preprocessed again as it was for the units before.
            self.caches.forget_headers();
        }
    }

    /// Makes `text` what `path` holds, or with `None` what is on disk, and puts the units that read it,
    /// or that missed a header of its name, out of date. An analysis that goes on reads the text before to its end; the
    /// path must be known then.
    pub fn replace(&mut self, path: &Path, text: Option<String>) {
        self.view = Mutex::default();
        if let Some(read) = &self.being_read {
            read.pin(path);
        }
        let unknown = self.sources.known(path).is_none();
        let added = text.is_some() && unknown;
        let superseded = match text {
            Some(text) => self.sources.overlay(path, text),
            None => self.sources.forget(path),
        };
        self.superseded += superseded.len();
        self.superseded_bytes +=
            superseded.iter().map(|file| self.sources.file(*file).text.len()).sum::<usize>();
        self.caches.shared.parsed.supersede(&superseded);
        let newest = self.sources.known(path).map(|file| file.id);
        // Cached headers may have read the old text, or may read a file that was not there.
        match unknown {
            true => self.caches.shared.headers.clear(),
            // What is asked meanwhile reads the new text, the analysis that goes on must not.
            false if self.being_read.is_some() && !superseded.is_empty() => {
                let files: Vec<FileId> = superseded.iter().copied().chain(newest).collect();
                self.caches.shared.headers.supersede(&files);
            }
            false => self.caches.shared.headers.supersede(&superseded),
        }
        let replaced = Replaced { path: path.to_path_buf(), superseded, newest, added };
        for slot in &mut self.slots {
            replaced.update(&mut slot.surveyed);
            let Some(last) = &mut slot.analysed else { continue };
            let parts = replaced.parts_from(last);
            slot.fresh &= !replaced.outdates(last);
            if parts {
                slot.earlier.clear();
            }
            slot.earlier.retain_mut(|one| !replaced.parts_from(one));
        }
        if self.being_read.is_some() {
            self.replaced.push(replaced);
        }
    }

    /// Some unit that reads `path` is known; before every unit was analysed that may yet come.
    pub fn has(&self, path: &Path) -> bool {
        let file = self.sources.known(path);
        self.slots
            .iter()
            .any(|slot| slot.unit.main == path || file.as_ref().is_some_and(|file| slot.reads(file.id)))
    }

    /// Drops what makes the analysis after an edit fast, and the results for superseded texts: nobody edits any more.
    pub fn rest(&mut self) {
        self.view = Mutex::default();
        self.caches.edited.clear();
        self.end_collecting();
        for slot in &mut self.slots {
            slot.earlier.clear();
            slot.analysed.iter_mut().for_each(Analysed::keep_outcome);
        }
        if self.superseded > 0 {
            self.release_superseded();
        }
    }

    /// Drops the results for superseded texts, once there are enough of them. Every unit that is shown is up to date.
    pub(super) fn release(&mut self) {
        if self.superseded >= RELEASE_AFTER && !self.slots.iter().any(Slot::is_collecting) {
            self.release_superseded();
        } else {
            self.release_excess();
        }
    }

    /// The same where no analysis comes to its end, since somebody types.
    pub(super) fn release_excess(&mut self) {
        if self.superseded >= MOST_SUPERSEDED || self.superseded_bytes >= MOST_SUPERSEDED_BYTES {
            self.end_collecting();
            self.slots.iter_mut().for_each(|slot| slot.earlier.clear());
            self.release_superseded();
        }
    }

    /// Gives up the dependencies that are being collected, and waits until their texts are no longer read.
    fn end_collecting(&mut self) {
        for slot in self.slots.iter_mut().filter(|slot| slot.is_collecting()) {
            let awaited = slot.awaited();
            for one in slot.analysed.iter_mut().chain(&mut slot.earlier).filter(|one| one.is_collecting()) {
                one.forget_dependencies();
            }
            awaited.iter().for_each(|one| one.wait(&CancelFlag::default()));
        }
    }

    /// Nothing is being collected: that would hold results for texts that were superseded before.
    fn release_superseded(&mut self) {
        self.superseded = 0;
        self.superseded_bytes = 0;
        self.view = Mutex::default();
        let outcomes = self.slots.iter().filter_map(|slot| slot.analysed.as_ref());
        let outcomes = outcomes.map(|last| &last.outcome);
        // An outcome that is out of date has places in superseded texts; their declarations are of no use any more.
        let used =
            outcomes.flat_map(|outcome| outcome.files.iter().copied().chain(outcome.build_files())).collect();
        let newest = self.sources.release(&used);
        let last = self.slots.iter().filter_map(|slot| slot.analysed.as_ref());
        let analysed = last.flat_map(|last| last.collected().iter().copied());
        self.caches.retain(&newest, analysed, &self.sources);
        self.resolved.retain(|file, _| newest.contains(file) || used.contains(file));
    }
}
