//! Tries edits: analyses the edited texts and compares the findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use crate::analysis::{Analysis, Session};
use crate::cancel::CancelFlag;
use crate::finding::Finding;
use crate::project::TranslationUnit;
use crate::rules::cards;
use crate::source::Sources;

use super::candidates::candidates;
use super::edit::{Fix, applied};

/// Units, analysed as they are, on which edits are tried.
pub struct Trial {
    session: Session,
    before: Analysis,
    /// The texts of files that were edited or are open.
    texts: BTreeMap<PathBuf, String>,
}

/// Identifies findings independently of lines: the rule, the entity and the file.
type Key = (&'static str, String, PathBuf);

impl Trial {
    /// Analyses the units; `texts` take precedence over the files on disk.
    pub fn new(units: Vec<TranslationUnit>, texts: BTreeMap<PathBuf, String>) -> Trial {
        let mut session = Session::new();
        session.set_units(units);
        for (path, text) in &texts {
            session.replace(path, Some(text.clone()));
        }
        let before = settled(&mut session);
        Trial { session, before, texts }
    }

    /// The analysis of the units with all edits that were kept.
    pub fn analysis(&self) -> &Analysis {
        &self.before
    }

    /// The texts that [`Trial::analysis`] points into.
    pub fn sources(&self) -> &Sources {
        &self.session.sources
    }

    /// The texts of the edited files.
    pub fn texts(&self) -> &BTreeMap<PathBuf, String> {
        &self.texts
    }

    /// The fixes of a finding of [`Trial::analysis`]: it disappears, and no new one appears. Stops with those
    /// found so far when `go_on` says so.
    pub fn fixes(&mut self, finding: &Finding, go_on: &dyn Fn() -> bool) -> Vec<Fix> {
        let mut mending = Vec::new();
        for fix in candidates(finding, &self.session.sources) {
            if !go_on() {
                break;
            }
            if self.mends(finding, &fix) {
                mending.push(fix);
            }
        }
        mending
    }

    /// The first fix of a finding, of the kinds that are wanted.
    pub fn first_fix(&mut self, finding: &Finding, wanted: &dyn Fn(&Fix) -> bool) -> Option<Fix> {
        let all = candidates(finding, &self.session.sources);
        all.into_iter().filter(|fix| wanted(fix)).find(|fix| self.mends(finding, fix))
    }

    /// Applies the edits for good.
    pub fn keep(&mut self, fix: &Fix) {
        for (path, text) in self.edited(fix) {
            self.session.replace(&path, Some(text.clone()));
            self.texts.insert(path, text);
        }
        self.before = settled(&mut self.session);
    }

    fn mends(&mut self, finding: &Finding, fix: &Fix) -> bool {
        let before = counted(&self.before, &self.session.sources, finding.rule);
        let problems = self.before.problems.iter().filter(|problem| problem.incomplete).count();
        let errors = self.before.syntax_error_bytes;
        let gone = key(finding, &self.session.sources);
        let edited = self.edited(fix);
        for (path, text) in &edited {
            self.session.replace(path, Some(text.clone()));
        }
        let after = settled(&mut self.session);
        let counts = counted(&after, &self.session.sources, finding.rule);
        let fewer = |key: &Key| counts.get(key) < before.get(key);
        let mends = fewer(&gone)
            && counts.iter().all(|(key, count)| before.get(key).is_some_and(|old| count <= old))
            && after.problems.iter().filter(|problem| problem.incomplete).count() <= problems
            && after.syntax_error_bytes <= errors;
        for path in edited.keys() {
            self.session.replace(path, self.texts.get(path).cloned());
        }
        // The same texts again, with other ids: what points into them is made anew.
        self.before = settled(&mut self.session);
        mends
    }

    /// The files that a fix edits, as they are then.
    fn edited(&self, fix: &Fix) -> BTreeMap<PathBuf, String> {
        let mut edited = BTreeMap::new();
        for path in fix.edits.iter().map(|edit| &edit.path) {
            let edits = fix.edits.iter().filter(|edit| edit.path == *path);
            if let Some(text) = self.text(path) {
                edited.insert(path.clone(), applied(&text, edits));
            }
        }
        edited
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.session.sources.read(path).ok().map(|file| file.text.clone())
    }
}

fn settled(session: &mut Session) -> Analysis {
    while session.step(&FxHashSet::default(), &CancelFlag::default()) {}
    session.analysis()
}

fn key(finding: &Finding, sources: &Sources) -> Key {
    (finding.rule, finding.entity.clone(), sources.file(finding.primary.at.file).path.clone())
}

/// The number of findings of each key; those of rules that are off by default count only for `rule`.
fn counted(analysis: &Analysis, sources: &Sources, rule: &str) -> BTreeMap<Key, usize> {
    let off: Vec<String> = cards().into_iter().filter(|card| !card.enabled).map(|card| card.id).collect();
    let off = |id: &str| off.iter().any(|one| one == id);
    let mut counts = BTreeMap::new();
    for finding in analysis.findings.iter().filter(|one| one.rule == rule || !off(one.rule)) {
        *counts.entry(key(finding, sources)).or_insert(0) += 1;
    }
    counts
}
