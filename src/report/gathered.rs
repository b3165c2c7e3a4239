//! Findings in the order in which people read them, with those of one cause gathered.
//!
//! In: a report. Out: its findings that are not suppressed, the most severe first, and for each the further places at which
//! the same is found. Formats for programs have no use for it: there each place is a result of its own.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Report;
use crate::finding::{Certainty, Finding, Reported};
use crate::source::Span;

/// A finding, and others that differ from it by nothing but their places.
pub(super) struct Gathered<'a> {
    /// The first of them.
    pub(super) first: &'a Reported,
    /// The places of the others, in the order of the report.
    pub(super) others: Vec<Span>,
}

/// The findings that are not suppressed, the most severe first, those that say the same of the same cause as one.
pub(super) fn gathered<'a>(report: &Report<'a>) -> Vec<Gathered<'a>> {
    let mut known = BTreeMap::new();
    let mut gathered: Vec<Gathered<'a>> = Vec::new();
    for reported in most_severe_first(report) {
        let at = reported.finding.primary.at;
        match known.get(&Said::by(reported)) {
            Some(&first) => {
                let known: &mut Gathered<'a> = &mut gathered[first];
                let last = known.others.last().unwrap_or(&known.first.finding.primary.at);
                if *last != at {
                    known.others.push(at);
                }
            }
            None => {
                known.insert(Said::by(reported), gathered.len());
                gathered.push(Gathered { first: reported, others: Vec::new() });
            }
        }
    }
    gathered
}

/// The findings that are not suppressed, the most severe first, and those of one level in the order of the report.
fn most_severe_first<'a>(report: &Report<'a>) -> Vec<&'a Reported> {
    let mut open: Vec<_> = report.findings.iter().filter(|one| one.suppression.is_none()).collect();
    open.sort_by_key(|one| Reverse(one.finding.level));
    open
}

/// All that a finding says, except where it is.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said<'a> {
    rule: &'static str,
    message: &'a str,
    likely: bool,
    related: Vec<(Span, &'a str)>,
    views: Vec<(String, &'a str)>,
    deciding: Option<Span>,
    sentences: (&'a [String], &'a [String]),
    fixes: Vec<&'a str>,
}

impl Said<'_> {
    fn by(reported: &Reported) -> Said<'_> {
        let finding: &Finding = &reported.finding;
        let passes = |set| finding.passes.short_names(set, "host").join(", ");
        Said {
            rule: finding.rule,
            message: &finding.message,
            likely: finding.certainty == Certainty::Likely,
            related: finding.related.iter().map(|label| (label.at, label.text.as_str())).collect(),
            views: finding.views.iter().map(|view| (passes(view.passes), view.sees.as_str())).collect(),
            deciding: finding.deciding.as_ref().map(|deciding| deciding.at),
            sentences: (&finding.consequences, &finding.notes),
            fixes: reported.fixes.iter().flatten().map(|fix| fix.title.as_str()).collect(),
        }
    }
}
