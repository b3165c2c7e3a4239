//! Decides which findings are reported and at which level: by levels of rules and paths, suppression comments, a
//! baseline, and the lines of a change.
//!
//! In: the findings of an analysis and a [`Policy`]. Out: [`Reported`] findings and remarks about comments
//! that suppress nothing. Knows neither the terminal nor where settings come from.

mod levels;
mod policy;
mod comments;
mod suppress;
mod baseline;
mod diff;
mod joined;

use std::collections::BTreeSet;

use crate::finding::{Finding, Numbered, Reported};
use crate::source::{FileId, Sources};

pub use baseline::{Baseline, BaselineError, Entry};
pub use comments::may_speak;
pub use diff::{Changes, changes};
pub use joined::{joinable, joined};
pub use levels::{Globs, Levels, Override, RuleLevel, UnknownRule};
pub use policy::{Comments, Policy, Remark};

use policy::level;

/// The findings that the policy lets through, at their levels, and remarks about comments in `files`, which
/// are those that were read.
pub fn triage(
    findings: Vec<Finding>,
    files: &[FileId],
    policy: &Policy,
    sources: &Sources,
) -> (Vec<Reported>, Vec<Remark>) {
    let mut reported = every(findings, sources);
    // Before anything is left out: a comment is of use though its rule is off today.
    let remarks = match policy.comments {
        Comments::Count => suppress::suppress(&mut reported, files, policy, sources),
        Comments::Ignored => Vec::new(),
    };
    reported.retain_mut(|one| passes(one, policy, sources));
    (reported, remarks)
}

/// Like [`triage`] for a part of the findings, of which some had their numbers before. What there is to say of comments is
/// left for the whole.
pub fn triage_numbered(
    findings: Vec<Finding>,
    policy: &Policy,
    sources: &Sources,
    numbered: &mut Numbered,
) -> Vec<Reported> {
    let mut reported = reported(findings, sources, numbered);
    if policy.comments == Comments::Count {
        let files: BTreeSet<FileId> =
            reported.iter().flat_map(|one| one.finding.places()).map(|at| at.file).collect();
        let files: Vec<FileId> = files.into_iter().collect();
        suppress::suppress(&mut reported, &files, policy, sources);
    }
    reported.retain_mut(|one| passes(one, policy, sources));
    reported
}

/// Whether the policy lets a finding through, which then has the level that the policy says.
fn passes(one: &mut Reported, policy: &Policy, sources: &Sources) -> bool {
    let path = &sources.file(one.finding.primary.at.file).path;
    let sure = policy.min_certainty.is_none_or(|least| one.finding.certainty >= least);
    let level = level(policy, path, &one.finding);
    one.finding.level = level.unwrap_or(one.finding.level);
    level.is_some() && sure && !policy.exclude.has(path)
}

/// All findings, none suppressed or left out.
pub fn every(findings: Vec<Finding>, sources: &Sources) -> Vec<Reported> {
    reported(findings, sources, &mut Numbered::default())
}

fn reported(findings: Vec<Finding>, sources: &Sources, numbered: &mut Numbered) -> Vec<Reported> {
    let one = |finding: Finding| Reported {
        fingerprint: numbered.fingerprint(&finding, sources),
        finding,
        suppression: None,
        proof: None,
        fixes: None,
    };
    findings.into_iter().map(one).collect()
}
