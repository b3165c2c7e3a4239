//! A unit of a session, with its analyses of the current text and of earlier ones.

use std::path::PathBuf;

use rustc_hash::FxHashSet;

use crate::project::TranslationUnit;
use crate::source::FileId;

use super::analysed::Analysed;
use super::later::Awaited;
use super::quiet::FileDependencies;

/// A unit of a session.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) unit: TranslationUnit,
    /// Its main file's path, resolved.
    pub(super) main: PathBuf,
    /// Its last analysis; `None` before the first.
    pub(super) analysed: Option<Analysed>,
    /// Analyses of earlier texts of the edited files, with the same text of all others; the last one first.
    pub(super) earlier: Vec<Analysed>,
    /// The files it reads, if that had to be known before its first analysis.
    pub(super) surveyed: Option<Vec<FileId>>,
    /// The last analysis is that of the current texts.
    pub(super) fresh: bool,
}

impl Slot {
    /// Somebody who looks at these files waits for it: its main file or one it reads is open, or it was edited.
    pub(super) fn urgent(&self, open: &FxHashSet<PathBuf>, ids: &[FileId]) -> bool {
        self.analysed.is_some() || open.contains(&self.unit.main) || ids.iter().any(|file| self.reads(*file))
    }

    /// It was analysed, and dependencies are being collected by which it may follow an edit.
    pub(super) fn is_collecting(&self) -> bool {
        self.analysed.iter().chain(&self.earlier).any(Analysed::is_collecting)
    }

    /// These dependencies, for whoever waits until they are collected.
    pub(super) fn awaited(&self) -> Vec<Awaited<Vec<FileDependencies>>> {
        self.analysed.iter().chain(&self.earlier).filter_map(Analysed::awaited).collect()
    }

    /// It is known to read the file.
    pub(super) fn reads(&self, file: FileId) -> bool {
        let known = self.analysed.as_ref().map(|last| &last.outcome.files).or(self.surveyed.as_ref());
        known.is_some_and(|files| files.contains(&file))
    }
}
