//! What the rules on lists of targets have in common: every list that a build names is judged once.

use std::sync::Arc;

use crate::finding::{Certainty, Finding, Label, Level};
use crate::source::Span;
use crate::target::{Fault, Passes, TargetList, Toolkit};

use super::{Stated, Summary};

/// A rule that needs nothing but the list, and the toolkit in force.
pub struct ListRule {
    /// Its id.
    pub id: &'static str,
    /// What it says.
    pub judge: fn(&TargetList, Toolkit) -> Option<Fault>,
}

/// The findings of a judgement on each list that a build names, at the first place that does.
pub(super) fn of_each(
    rule: &'static str,
    level: Level,
    summaries: &[&Summary],
    judge: impl Fn(&Stated) -> Option<Fault>,
) -> Vec<Finding> {
    let mut seen: Vec<&Stated> = Vec::new();
    let mut findings = Vec::new();
    for summary in summaries {
        let Some(stated) = &summary.stated else { continue };
        let same = |one: &&Stated| {
            (one.at.file, &one.list, one.toolkit) == (stated.at.file, &stated.list, stated.toolkit)
        };
        if seen.iter().any(same) {
            continue;
        }
        seen.push(stated);
        let text = "the targets are named here";
        findings
            .extend(judge(stated).map(|fault| finding(rule, level, &summary.passes, stated.at, text, fault)));
    }
    findings
}

/// A fault as a finding at the words that are at fault.
pub(super) fn finding(
    rule: &'static str,
    level: Level,
    passes: &Arc<Passes>,
    at: Span,
    text: &str,
    fault: Fault,
) -> Finding {
    let mut help = fault.help;
    help[..1].make_ascii_uppercase();
    Finding {
        rule,
        level,
        certainty: Certainty::Definite,
        message: fault.message,
        entity: fault.about,
        passes: Arc::clone(passes),
        primary: Label { at, text: text.into() },
        related: Vec::new(),
        views: Vec::new(),
        deciding: None,
        consequences: Vec::new(),
        notes: vec![format!("{help}.")],
    }
}
