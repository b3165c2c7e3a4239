//! The choice of findings that are reported, and remarks about suppression comments.

use std::path::Path;

use crate::catalog::Catalog;
use crate::finding::{Certainty, Finding, Level};
use crate::source::Span;

use super::levels::{Globs, Levels, Override};

/// The user's choice of findings.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// The rules that there are.
    pub catalog: Catalog,
    /// The rules' levels.
    pub levels: Levels,
    /// Levels for some files; a later one takes precedence.
    pub overrides: Vec<Override>,
    /// Files about which nothing is reported.
    pub exclude: Globs,
    /// Findings less sure than this are not reported; `None` for all.
    pub min_certainty: Option<Certainty>,
    /// Whether suppression comments apply.
    pub comments: Comments,
    /// A suppression comment must give a reason.
    pub require_reason: bool,
}

/// Whether suppression comments in the sources apply.
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
    /// The problem with it, one sentence in lower case without a full stop.
    pub message: String,
}

/// The level that a finding in this file has by the policy; `None` if it is off.
pub(super) fn level(policy: &Policy, path: &Path, finding: &Finding) -> Option<Level> {
    let of_overrides = policy.overrides.iter().rev().find_map(|one| {
        let level = one.levels.of(finding.rule, &policy.catalog)?;
        one.paths.has(path).then_some(level)
    });
    match of_overrides.or_else(|| policy.levels.of(finding.rule, &policy.catalog)) {
        Some(level) => level.level(),
        None => (!policy.catalog.is_off(finding.rule)).then_some(finding.level),
    }
}
