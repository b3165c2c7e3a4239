//! What the user wants to be told of the findings.
//!
//! In: nothing but values. Out: a [`Policy`], and the [`Remark`]s about comments that it leads to.

use std::path::Path;

use crate::finding::{Certainty, Finding, Level};
use crate::source::Span;

use super::levels::{Globs, Levels, OFF, Override};

/// What the user wants to know.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The rules' levels.
    pub levels: Levels,
    /// Levels for some files; a later one goes before an earlier.
    pub overrides: Vec<Override>,
    /// Files about which nothing is reported.
    pub exclude: Globs,
    /// Findings less sure than this are not reported; `None` for all.
    pub min_certainty: Option<Certainty>,
    /// Comments in the sources keep findings quiet.
    pub comments: Comments,
    /// A comment has to say why.
    pub require_reason: bool,
}

/// Whether comments in the sources count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Comments {
    /// They do.
    #[default]
    Count,
    /// They do not: all findings are reported.
    Ignored,
}

/// Something to say about a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The comment.
    pub at: Span,
    /// What is wrong with it, one sentence in lower case without a full stop.
    pub message: String,
}

/// The level that a finding in this file has by the policy; `None` if it is off.
pub(super) fn level(policy: &Policy, path: &Path, finding: &Finding) -> Option<Level> {
    let of_overrides = policy.overrides.iter().rev().find_map(|one| {
        let level = one.levels.of(finding.rule)?;
        one.paths.has(path).then_some(level)
    });
    match of_overrides.or_else(|| policy.levels.of(finding.rule)) {
        Some(level) => level.level(),
        None => (!OFF.contains(finding.rule)).then_some(finding.level),
    }
}
