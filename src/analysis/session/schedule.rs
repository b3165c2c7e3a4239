//! The order in which the units of a session are brought up to date: quiet edits first, then units that somebody waits
//! for, and headers of their own last.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::analysis::included::resolved;
use crate::analysis::pipeline::{analyse_unit, isolated};
use crate::cancel::{CancelFlag, caught, current_flag, unless_cancelled, unwind_if_cancelled};
use crate::preprocess::survey;
use crate::project::UnitKind;
use crate::source::FileId;

use super::analysed::Analysed;
use super::slot::Slot;
use super::units::Session;

/// The number of analyses of earlier texts that are kept of a unit: an edit is often taken back, or completes what was there.
const EARLIER: usize = 2;

/// The units that a step is about.
#[derive(Debug)]
pub struct Batch {
    due: Vec<usize>,
    /// Somebody waits for them.
    urgent: bool,
    /// Units were brought up to date by quiet edits.
    followed: bool,
    task: Task,
}

/// What a step does with its units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// They are asked which files they read, and no more.
    Survey,
    /// They were edited, and their dependencies are waited for: the edits may be followed.
    Wait,
    Analyse,
}

impl Batch {
    /// No unit has to be analysed.
    pub fn is_empty(&self) -> bool {
        self.due.is_empty()
    }
}

/// What a step found.
#[derive(Debug, Default)]
pub struct Work {
    analysed: Vec<(usize, Option<Analysed>)>,
    surveyed: Vec<(usize, Option<Vec<FileId>>)>,
}

impl Session {
    /// Analyses some units that are out of date, as many as there are threads, those first that were
    /// edited or whose main file is open. Says whether there were any. When a newer text makes it stale, a unit that
    /// was analysed before is left as it is; its first analysis is finished, since later texts are compared with it.
    pub fn step(&mut self, open: &FxHashSet<PathBuf>, cancel: &CancelFlag) -> bool {
        self.step_unless(open, cancel, &current_flag().unwrap_or_default())
    }

    /// The same; a unit that nobody waits for is given up when `waited_for` is set, and comes again.
    pub fn step_unless(
        &mut self,
        open: &FxHashSet<PathBuf>,
        cancel: &CancelFlag,
        waited_for: &CancelFlag,
    ) -> bool {
        loop {
            let batch = self.next_batch(open);
            let task = batch.task;
            let work = self.analysed(&batch, open, cancel, waited_for);
            unwind_if_cancelled();
            let did = self.take_in(batch, work);
            if task == Task::Analyse || cancel.is_set() {
                return did;
            }
        }
    }

    /// Chooses what the next step does. As long as somebody waits for a unit, only such ones are analysed.
    pub fn next_batch(&mut self, open: &FxHashSet<PathBuf>) -> Batch {
        let mut due = self.due();
        let collecting: Vec<usize> =
            due.iter().copied().filter(|index| self.slots[*index].is_collecting()).collect();
        if !collecting.is_empty() {
            return Batch { due: collecting, urgent: true, followed: false, task: Task::Wait };
        }
        let followed = self.follow(&due);
        due.retain(|index| !self.slots[*index].fresh);
        if followed {
            // What came of the edit can be shown before anything else is done.
            return Batch { due: Vec::new(), urgent: true, followed, task: Task::Analyse };
        }
        let surveyed = self.unsurveyed(open, &due);
        if !surveyed.is_empty() {
            return Batch { due: surveyed, urgent: true, followed, task: Task::Survey };
        }
        let ids = self.ids(open);
        let is_urgent = |index: &usize| self.slots[*index].urgent(open, &ids);
        let urgent = due.iter().any(is_urgent);
        due.retain(|index| !urgent || is_urgent(index));
        due.sort_by_key(|index| !open.contains(&self.slots[*index].unit.main));
        due.truncate(rayon::current_num_threads().max(1));
        if due.is_empty() {
            // Nothing is left that could begin with the same headers; they take much memory.
            self.caches.shared.preambles.clear();
        }
        for index in due.iter().filter(|index| open.contains(&self.slots[**index].unit.main)) {
            self.under_way.expect(*index);
        }
        Batch { due, urgent, followed, task: Task::Analyse }
    }

    /// Does the work of a step. The session can be asked about what is up to date meanwhile.
    pub fn analysed(
        &self,
        batch: &Batch,
        open: &FxHashSet<PathBuf>,
        cancel: &CancelFlag,
        waited_for: &CancelFlag,
    ) -> Work {
        let Batch { due, urgent, .. } = batch;
        let around = current_flag().unwrap_or_default();
        let Session { sources, caches, slots, under_way, .. } = self;
        if batch.task == Task::Wait {
            due.iter().for_each(|index| slots[*index].wait(cancel));
            return Work::default();
        }
        if batch.task == Task::Survey {
            let told = due.par_iter().map(|index| {
                let unit = &slots[*index].unit;
                let told = || survey(unit, sources, &caches.shared.headers).files;
                // A unit that can't be walked says so when it is analysed.
                let told = || caught(catch_unwind(AssertUnwindSafe(told))).unwrap_or_default();
                (*index, (!cancel.is_set()).then(told))
            });
            return Work { surveyed: told.collect(), analysed: Vec::new() };
        }
        let analysed = due.par_iter().map(|index| {
            let Slot { unit, analysed: last, .. } = &slots[*index];
            // A thread that waits for a part of one unit may do another meanwhile.
            let cancel = match last {
                Some(_) => cancel,
                None if *urgent => &around,
                None => waited_for,
            };
            let walked = last.as_ref().map_or(&[][..], |last| &last.walked);
            let begun = under_way.begin(*index);
            let analyse = || match open.contains(&unit.main) {
                true => Analysed::of(unit, sources, caches, open, walked, &begun),
                false => analyse_unit(unit, sources, &caches.shared).into(),
            };
            (*index, unless_cancelled(cancel, || isolated(unit, analyse)))
        });
        let analysed: Vec<(usize, Option<Analysed>)> = analysed.collect();
        caches.edited.keep_one();
        Work { analysed, surveyed: Vec::new() }
    }

    /// Keeps what a step found. Says whether there was anything to do.
    pub fn take_in(&mut self, batch: Batch, work: Work) -> bool {
        for (index, told) in work.surveyed {
            self.slots[index].surveyed = told.or(self.slots[index].surveyed.take());
        }
        for (index, newest) in work.analysed {
            let Some(newest) = newest else { continue };
            let slot = &mut self.slots[index];
            if let Some(last) = slot.analysed.replace(newest) {
                slot.earlier.retain_mut(Analysed::may_be_followed);
                slot.earlier.truncate(EARLIER - 1);
                slot.earlier.insert(0, last);
            }
            slot.surveyed = None;
            slot.fresh = true;
        }
        batch.followed || !batch.due.is_empty()
    }

    /// The number of units that are up to date, and the number of all.
    pub fn progress(&self) -> (usize, usize) {
        (self.slots.iter().filter(|slot| slot.fresh).count(), self.slots.len())
    }

    /// Every unit is up to date.
    pub fn settled(&mut self) -> bool {
        self.due().is_empty()
    }

    /// Every unit that was edited or whose main file is open is up to date.
    pub fn answers(&mut self, open: &FxHashSet<PathBuf>) -> bool {
        let ids = self.ids(open);
        !self.due().into_iter().any(|index| self.slots[index].urgent(open, &ids))
    }

    /// Brings those up to date whose files were edited quietly, as far as their dependencies are collected. Says whether there
    /// were any.
    pub(super) fn follow(&mut self, due: &[usize]) -> bool {
        let Session { sources, slots, .. } = self;
        for index in due {
            let Slot { analysed, earlier, fresh, .. } = &mut slots[*index];
            let Some(last) = analysed else { continue };
            *fresh = last.follow(sources);
            if !*fresh && let Some(number) = earlier.iter_mut().position(|one| one.follow(sources)) {
                std::mem::swap(last, &mut earlier[number]);
                *fresh = true;
            }
        }
        due.iter().any(|index| slots[*index].fresh)
    }

    /// The units to ask which files they read, if an open file is there that no unit is known to read: the owner of that file
    /// waits for those that do. Only directives are read, since the text between them costs the most.
    fn unsurveyed(&self, open: &FxHashSet<PathBuf>, due: &[usize]) -> Vec<usize> {
        let waiting = |slot: &Slot| slot.analysed.is_none() && slot.surveyed.is_none();
        if open.iter().all(|path| self.has(path)) || !due.iter().any(|index| waiting(&self.slots[*index])) {
            return Vec::new();
        }
        (0..self.slots.len()).filter(|index| waiting(&self.slots[*index])).collect()
    }

    /// The ids of the paths that are known.
    fn ids(&self, paths: &FxHashSet<PathBuf>) -> Vec<FileId> {
        paths.iter().filter_map(|path| self.sources.known(path)).map(|file| file.id).collect()
    }

    /// The units out of date: the sources, and only after them the headers that none includes.
    pub(super) fn due(&mut self) -> Vec<usize> {
        let stale = |index: &usize| !self.slots[*index].fresh;
        let is_source = |index: &usize| self.slots[*index].unit.kind == UnitKind::Source;
        let sources: Vec<usize> = (0..self.slots.len()).filter(is_source).filter(stale).collect();
        if !sources.is_empty() {
            return sources;
        }
        let mut headers = self.headers_alone();
        headers.retain(|index| !self.slots[*index].fresh);
        headers
    }

    /// The headers that no source includes.
    pub(super) fn headers_alone(&mut self) -> Vec<usize> {
        let mut files: FxHashSet<FileId> = FxHashSet::default();
        let mut headers = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            match (slot.unit.kind, &slot.analysed) {
                (UnitKind::Header, _) => headers.push(index),
                (UnitKind::Source, Some(last)) => files.extend(&last.outcome.files),
                (UnitKind::Source, None) => {}
            }
        }
        if headers.is_empty() {
            return headers;
        }
        for file in &files {
            self.resolved.entry(*file).or_insert_with(|| resolved(&self.sources.file(*file).path));
        }
        let included: FxHashSet<&Path> = files.iter().map(|file| self.resolved[file].as_path()).collect();
        headers.retain(|index| !included.contains(self.slots[*index].main.as_path()));
        headers
    }
}
