//! The order in which the units of a session are brought up to date: quiet edits first, then units that somebody waits
//! for, and headers of their own last.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::analysis::included::resolved;
use crate::analysis::pipeline::{analyse_unit, isolated};
use crate::cancel::{CancelFlag, caught, current_flag, unless_cancelled, unwind_if_cancelled};
use crate::facts::HeaderWalks;
use crate::preprocess::survey;
use crate::project::{TranslationUnit, UnitKind};
use crate::source::{FileId, Sources};

use super::analysed::Analysed;
use super::caches::SessionCaches;
use super::later::Awaited;
use super::quiet::FileDependencies;
use super::slot::Slot;
use super::under_way::UnderWay;
use super::units::{Replaced, Session};

/// The number of analyses of earlier texts that are kept of a unit: an edit is often taken back, or completes what was there.
const EARLIER: usize = 2;

/// The units that a step is about, with all that its work needs: texts may be replaced in the session meanwhile.
#[derive(Debug)]
pub struct Batch {
    due: Vec<Due>,
    /// Somebody waits for them.
    urgent: bool,
    /// Units were brought up to date by quiet edits.
    followed: bool,
    task: Task,
    sources: Arc<Sources>,
    caches: SessionCaches,
    under_way: Arc<UnderWay>,
    open: FxHashSet<PathBuf>,
}

/// A unit of a step.
#[derive(Debug)]
struct Due {
    index: usize,
    unit: TranslationUnit,
    /// It was not analysed before.
    is_first: bool,
    /// It is what is asked about an open header.
    is_asked: bool,
    /// What the last analysis left.
    walked: Vec<Arc<HeaderWalks>>,
    /// The dependencies that are being collected.
    awaited: Vec<Awaited<Vec<FileDependencies>>>,
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

    /// Does the work. When `cancel` is set, a unit that was analysed before is left as it is; when `waited_for` is, the first
    /// analysis of one that nobody waits for is given up.
    pub fn work(&self, cancel: &CancelFlag, waited_for: &CancelFlag) -> Work {
        let Batch { due, sources, caches, .. } = self;
        let around = current_flag().unwrap_or_default();
        match self.task {
            Task::Wait => {
                due.iter().flat_map(|one| &one.awaited).for_each(|one| one.wait(cancel));
                Work::default()
            }
            Task::Survey => {
                let told = due.par_iter().map(|Due { index, unit, .. }| {
                    let told = || survey(unit, sources, &caches.shared.headers).files;
                    // A unit that can't be walked says so when it is analysed.
                    let told = || caught(catch_unwind(AssertUnwindSafe(told))).unwrap_or_default();
                    (*index, (!cancel.is_set()).then(told))
                });
                Work { surveyed: told.collect(), analysed: Vec::new() }
            }
            Task::Analyse => {
                let analysed = due.par_iter().map(|one| {
                    let Due { index, unit, is_first, is_asked, walked, .. } = one;
                    // A thread that waits for a part of one unit may do another meanwhile.
                    let cancel = match is_first {
                        false => cancel,
                        true if self.urgent => &around,
                        true => waited_for,
                    };
                    let begun = self.under_way.begin(*index);
                    let analyse = || match self.open.contains(&unit.main) {
                        true => Analysed::of(unit, sources, caches, &self.open, walked, &begun),
                        false if *is_asked => Analysed::with_entities(unit, sources, caches),
                        false => analyse_unit(unit, sources, &caches.shared).into(),
                    };
                    (*index, unless_cancelled(cancel, || isolated(unit, analyse)))
                });
                let analysed: Vec<(usize, Option<Analysed>)> = analysed.collect();
                caches.edited.keep_one();
                Work { analysed, surveyed: Vec::new() }
            }
        }
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
            let work = batch.work(cancel, waited_for);
            unwind_if_cancelled();
            let did = self.take_in(batch, work);
            if task == Task::Analyse || cancel.is_set() {
                return did;
            }
        }
    }

    /// Chooses what the next step does. As long as somebody waits for a unit, only such ones are analysed.
    pub fn next_batch(&mut self, open: &FxHashSet<PathBuf>) -> Batch {
        // Nothing is under way.
        self.replaced.clear();
        self.caches.shared.headers.forget_superseded();
        self.release_excess();
        let mut due = self.due();
        let collecting: Vec<usize> =
            due.iter().copied().filter(|index| self.slots[*index].is_collecting()).collect();
        if !collecting.is_empty() {
            return self.batch(collecting, true, false, Task::Wait, open);
        }
        let followed = self.follow(&due);
        due.retain(|index| !self.slots[*index].fresh);
        if followed {
            // What came of the edit can be shown before anything else is done.
            return self.batch(Vec::new(), true, followed, Task::Analyse, open);
        }
        let surveyed = self.unsurveyed(open, &due);
        if !surveyed.is_empty() {
            return self.batch(surveyed, true, followed, Task::Survey, open);
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
        self.batch(due, urgent, followed, Task::Analyse, open)
    }

    fn batch(
        &mut self,
        due: Vec<usize>,
        urgent: bool,
        followed: bool,
        task: Task,
        open: &FxHashSet<PathBuf>,
    ) -> Batch {
        let headers = self.open_headers(open);
        let due = due.into_iter().map(|index| {
            let slot = &self.slots[index];
            let walked = slot.analysed.as_ref().map_or(Vec::new(), |last| last.walked.clone());
            let awaited = if task == Task::Wait { slot.awaited() } else { Vec::new() };
            let is_asked = task == Task::Analyse && self.is_asked(index, &headers);
            Due {
                index,
                unit: slot.unit.clone(),
                is_first: slot.analysed.is_none(),
                is_asked,
                walked,
                awaited,
            }
        });
        let due = due.collect();
        let sources = Arc::new(self.sources.fork());
        self.being_read = Some(Arc::clone(&sources));
        let (caches, under_way) = (self.caches.clone(), Arc::clone(&self.under_way));
        Batch { due, urgent, followed, task, sources, caches, under_way, open: open.clone() }
    }

    /// The open files that are no source of the build.
    fn open_headers<'o>(&self, open: &'o FxHashSet<PathBuf>) -> Vec<&'o Path> {
        let sources = self.slots.iter().filter(|slot| slot.unit.kind == UnitKind::Source);
        let sources: FxHashSet<&PathBuf> =
            sources.map(|slot| &slot.unit.main).filter(|main| open.contains(*main)).collect();
        open.iter().filter(|path| !sources.contains(path)).map(PathBuf::as_path).collect()
    }

    /// Whether a source is what [`Session::view`] takes for one of these headers, once it is up to date: the first one that
    /// reads it.
    fn is_asked(&self, index: usize, headers: &[&Path]) -> bool {
        let (before, slot) = (&self.slots[..index], &self.slots[index]);
        let is_asked = |path: &&Path| {
            let file = self.sources.known(path).map(|file| file.id);
            let reads = |slot: &Slot| file.is_some_and(|file| slot.reads(file));
            let did_read = || slot.analysed.as_ref().is_some_and(|last| last.did_read(path, &self.sources));
            (reads(slot) || did_read()) && !before.iter().any(|one| one.fresh && reads(one))
        };
        slot.unit.kind == UnitKind::Source && headers.iter().any(is_asked)
    }

    /// Keeps what a step found; the units of a text that was replaced meanwhile stay out of date. Says whether there was
    /// anything to do.
    pub fn take_in(&mut self, batch: Batch, work: Work) -> bool {
        self.being_read = None;
        let replaced = std::mem::take(&mut self.replaced);
        for (index, mut told) in work.surveyed {
            replaced.iter().for_each(|one| one.update(&mut told));
            self.slots[index].surveyed = told.or(self.slots[index].surveyed.take());
        }
        for (index, newest) in work.analysed {
            let Some(mut newest) = newest else { continue };
            let outdates = |one: &Replaced| one.outdates(&mut newest);
            // Each of them is asked: one that can't be followed makes it forget what the others could be followed by.
            let is_outdated = replaced.iter().map(outdates).fold(false, |all, one| all | one);
            let slot = &mut self.slots[index];
            if let Some(last) = slot.analysed.replace(newest) {
                slot.earlier.retain_mut(Analysed::may_be_followed);
                slot.earlier.truncate(EARLIER - 1);
                slot.earlier.insert(0, last);
            }
            slot.surveyed = None;
            slot.fresh = !is_outdated;
            if is_outdated {
                // It may have been asked about before anything was known of it.
                self.view = Mutex::default();
            }
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
