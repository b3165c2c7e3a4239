//! Tries edits: analyses the edited texts and compares the findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use crate::analysis::{Analysis, Session};
use crate::cancel::CancelFlag;
use crate::finding::{Applicability, Certainty, Defect, Edit, Finding, Fix, Kind, applied};
use crate::project::{TranslationUnit, UnitKind};
use crate::rules::cards;
use crate::source::Sources;
use crate::target::{Pass, PassSet, Passes};

use super::candidates::candidates;
use super::code::UnitCode;
use super::edit::Candidate;
use super::effect::Edited;
use super::kept;

/// The number of units whose tokens are held at once.
const AT_ONCE: usize = 4;

/// Which text of a file is read.
#[derive(Clone, Copy)]
enum Text {
    /// With the edits that are tried.
    Edited,
    /// Without.
    Own,
}

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

    /// The finding of [`Trial::analysis`] that is the same as one of another analysis of the same texts, `sources`.
    pub fn like(&self, finding: &Finding, sources: &Sources) -> Option<Finding> {
        let path = &sources.file(finding.primary.at.file).path;
        let same = |own: &&Finding| {
            own.rule == finding.rule
                && own.entity == finding.entity
                && own.primary.at.start == finding.primary.at.start
                && self.session.sources.file(own.primary.at.file).path == *path
        };
        self.before.findings.iter().find(same).cloned()
    }

    /// The texts that [`Trial::analysis`] points into.
    pub fn sources(&self) -> &Sources {
        &self.session.sources
    }

    /// The texts of the edited files.
    pub fn texts(&self) -> &BTreeMap<PathBuf, String> {
        &self.texts
    }

    /// The fixes of a finding of [`Trial::analysis`], safe ones first: it disappears, no new one appears, and no pass
    /// loses a launch, a call or a kernel's body. Stops with those found so far when `go_on` says so.
    pub fn fixes(&mut self, finding: &Finding, go_on: &dyn Fn() -> bool) -> Vec<Fix> {
        let mut mending = Vec::new();
        for candidate in candidates(finding, &self.session.sources) {
            if !go_on() {
                break;
            }
            mending.extend(self.tried(finding, candidate));
        }
        mending.sort_by_key(|fix| fix.applicability);
        mending
    }

    /// The first safe fix of a finding, of the kinds that are wanted; if there is none, the first suggested one.
    pub fn first_fix(&mut self, finding: &Finding, kinds: &[Kind]) -> Option<Fix> {
        let mut suggested = None;
        for candidate in candidates(finding, &self.session.sources) {
            if !kinds.contains(&candidate.kind) {
                continue;
            }
            match self.tried(finding, candidate) {
                Some(fix) if fix.applicability == Applicability::Safe => return Some(fix),
                found => suggested = suggested.or(found),
            }
        }
        suggested
    }

    /// Applies the edits for good.
    pub fn keep(&mut self, fix: &Fix) {
        for (path, text) in self.edited(&fix.edits) {
            self.session.replace(&path, Some(text.clone()));
            self.texts.insert(path, text);
        }
        self.before = settled(&mut self.session);
    }

    /// The fix that a candidate turns out to be, if it is one.
    fn tried(&mut self, finding: &Finding, candidate: Candidate) -> Option<Fix> {
        let before = counted(&self.before, &self.session.sources, finding.rule);
        let problems = self.before.problems.iter().filter(|problem| problem.incomplete).count();
        let errors = self.before.syntax_error_bytes;
        let gone = key(finding, &self.session.sources);
        let edited = self.edited(&candidate.edits);
        self.read(&edited, Text::Edited);
        let after = settled(&mut self.session);
        let counts = counted(&after, &self.session.sources, finding.rule);
        let fewer = |key: &Key| counts.get(key) < before.get(key);
        let mends = fewer(&gone)
            && counts.iter().all(|(key, count)| before.get(key).is_some_and(|old| count <= old))
            && after.problems.iter().filter(|problem| problem.incomplete).count() <= problems
            && after.syntax_error_bytes <= errors;
        let mut applicability = match &finding.defect {
            _ if !mends => None,
            // The passes lose and gain what the misspelt condition kept and took: that is what it is for.
            Defect::Misspelt { .. } => Some(Applicability::Suggested),
            _ => self.applicability(&candidate.edits, &edited, finding),
        };
        // What stood in the way of a proof, such as a header that was not found, stands in the way of knowing what edits do.
        if finding.certainty == Certainty::Likely {
            applicability = applicability.map(|_| Applicability::Suggested);
        }
        // What is made in more passes than before may then fail to build by its other defects.
        if after.findings.iter().any(|other| other.entity == finding.entity && other.rule != finding.rule) {
            applicability = applicability.map(|_| Applicability::Suggested);
        }
        self.read(&edited, Text::Own);
        // The same texts again, with other ids: what points into them is made anew.
        self.before = settled(&mut self.session);
        let Candidate { kind, title, edits } = candidate;
        Some(Fix { kind, applicability: applicability?, title, edits })
    }

    /// What the edits are to the units that read the edited files, a few of them at a time, since the tokens of one
    /// can take much memory.
    fn applicability(
        &mut self,
        edits: &[Edit],
        edited: &BTreeMap<PathBuf, String>,
        finding: &Finding,
    ) -> Option<Applicability> {
        let paths: Vec<PathBuf> = edited.keys().cloned().collect();
        let mut units = self.session.units_reading(&paths);
        if units.iter().any(|unit| unit.kind == UnitKind::Source) {
            units.retain(|unit| unit.kind == UnitKind::Source);
        }
        let mut all = Applicability::Safe;
        for some in units.chunks(AT_ONCE) {
            self.read(edited, Text::Edited);
            let after = codes(&self.session, some);
            self.read(edited, Text::Own);
            let before = codes(&self.session, some);
            for (unit, (before, after)) in some.iter().zip(before.iter().zip(&after)) {
                let lacking = lacking(finding, &unit.passes);
                let edited = Edited::new(before, after, edits);
                all = all.max(kept::applicability(&edited, unit.passes.all(), lacking)?);
            }
        }
        Some(all)
    }

    /// Makes the texts of these files the edited ones, or again what they are.
    fn read(&mut self, edited: &BTreeMap<PathBuf, String>, which: Text) {
        for (path, text) in edited {
            let text = match which {
                Text::Edited => Some(text.clone()),
                Text::Own => self.texts.get(path).cloned(),
            };
            self.session.replace(path, text);
        }
    }

    /// The files that edits change, as they are then.
    fn edited(&self, edits: &[Edit]) -> BTreeMap<PathBuf, String> {
        let mut edited = BTreeMap::new();
        for path in edits.iter().map(|edit| &edit.path) {
            let own = edits.iter().filter(|edit| edit.path == *path);
            if let Some(text) = self.text(path) {
                edited.insert(path.clone(), applied(&text, own));
            }
        }
        edited
    }

    fn text(&self, path: &Path) -> Option<String> {
        self.session.sources.read(path).ok().map(|file| file.text.clone())
    }
}

fn codes(session: &Session, units: &[TranslationUnit]) -> Vec<UnitCode> {
    let code = |unit: &TranslationUnit| {
        UnitCode::new(session.preprocessed(unit), unit.passes.all(), &session.sources)
    };
    units.par_iter().map(code).collect()
}

/// The passes of a unit that can't compile what the finding is about, which the unit's own finding numbers otherwise
/// where it has other targets.
fn lacking(finding: &Finding, passes: &Passes) -> PassSet {
    let lacking = match &finding.defect {
        Defect::InstructionMissing { lacking, .. } | Defect::IntrinsicMissing { lacking } => *lacking,
        _ => return PassSet::default(),
    };
    let named: Vec<Pass> = lacking.iter().map(|pass| finding.passes.list()[pass]).collect();
    let own = passes.list().iter().enumerate().filter(|(_, pass)| named.contains(pass));
    own.fold(PassSet::default(), |all, (index, _)| all.or(PassSet::single(index)))
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
