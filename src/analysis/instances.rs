//! Findings about instances of one template, as one.
//!
//! In: the findings of a run, by path and place. Out: those that one rule has at one place for one conditional about instances
//! of one template, as the first with the others as its instances.

use crate::finding::Finding;
use crate::target::PassSet;

/// Joins findings about instances of one template.
pub(super) fn joined(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        let at_place = kept.iter_mut().rev().take_while(|known| known.primary.at == finding.primary.at);
        match at_place.into_iter().find(|known| of_one_template(known, &finding)) {
            Some(known) => add(known, finding),
            None => kept.push(finding),
        }
    }
    for finding in &mut kept {
        // The first one is in the message.
        let more = finding.instances.len().saturating_sub(1);
        if more > 0 {
            let instances = if more == 1 { "instance" } else { "instances" };
            finding.message += &format!(" (and {more} more {instances})");
        }
    }
    kept
}

/// Adds what another finding is about. The more severe one is told, of two alike the surer one, else the first.
fn add(known: &mut Finding, mut other: Finding) {
    let rank = |finding: &Finding| (finding.level, finding.certainty);
    if rank(&other) > rank(known) {
        std::mem::swap(known, &mut other);
    }
    known.instances.extend(other.instances);
}

fn of_one_template(one: &Finding, other: &Finding) -> bool {
    let deciding = |finding: &Finding| finding.deciding.as_ref().map(|deciding| deciding.at);
    let sides = |finding: &Finding| finding.views.iter().map(|view| view.passes).collect::<Vec<PassSet>>();
    !one.instances.is_empty()
        && !other.instances.is_empty()
        && one.rule == other.rule
        && one.entity == other.entity
        && deciding(one) == deciding(other)
        && sides(one) == sides(other)
        && one.passes == other.passes
}
