//! The findings about sources behind the findings about what was built from them.
//!
//! In: findings of both kinds. Out: the latter, with the former's place and message, and with the conditional that decides.

use crate::finding::{Certainty, Deciding, Derived, Finding, Label};
use crate::target::{PassSet, Passes};

use super::entity::{Fit, fit, pass_of, separates};

/// Says of each finding about an artifact which finding about the sources explains it.
pub fn explain(built: &mut [Finding], sources: &[Finding]) {
    for one in built.iter_mut().filter(|one| !one.views.is_empty()) {
        let mut fitting: Vec<(Rank, &Finding)> =
            sources.iter().filter_map(|source| Some((rank(source, one)?, source))).collect();
        // The first in the order of the sources, of those that fit best.
        fitting.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        match fitting.first() {
            None => one.notes.push(
                "No finding about the sources explains it: they may be others, or the host may not use it."
                    .into(),
            ),
            Some((rank, source)) => {
                let others = fitting.iter().filter(|(other, _)| other == rank).count() - 1;
                add(one, source, rank.is_sure(), others);
            }
        }
    }
}

/// How well a finding about the sources explains one about an artifact; the better, the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    separates: bool,
    fit: Fit,
    certainty: Certainty,
}

impl Rank {
    fn is_sure(self) -> bool {
        self.separates && self.fit != Fit::Related && self.certainty == Certainty::Definite
    }
}

/// `None` if a finding about the sources can't explain it.
fn rank(source: &Finding, built: &Finding) -> Option<Rank> {
    let fit = fit(source, &built.entity)?;
    let separates = separates(source, built);
    (separates != Some(false)).then_some(Rank {
        separates: separates == Some(true),
        fit,
        certainty: source.certainty,
    })
}

/// Whether a finding about the sources and one about an artifact are surely about one difference.
pub(super) fn is_proof(source: &Finding, built: &Finding) -> bool {
    rank(source, built).is_some_and(|rank| rank.separates && rank.fit != Fit::Related)
}

fn add(one: &mut Finding, source: &Finding, sure: bool, others: usize) {
    let verb = if sure { "explains" } else { "may explain" };
    let more = match others {
        0 => String::new(),
        1 => ", and another finding about the sources fits as well".into(),
        _ => format!(", and {others} more findings about the sources fit as well"),
    };
    one.notes.push(format!("`{}` {verb} it: {}{more}.", source.rule, source.message));
    one.related.push(Label { at: source.primary.at, text: format!("{}: {}", source.rule, source.message) });
    one.deciding = source.deciding.as_ref().map(|deciding| renumbered(deciding, &source.passes, &one.passes));
}

/// The conditional with its passes as the images number them.
fn renumbered(deciding: &Deciding, from: &Passes, to: &Passes) -> Deciding {
    let pass = |set: PassSet, index: usize| pass_of(from, to.list()[index]).is_some_and(|pass| set.has(pass));
    let passes = |set: PassSet| {
        let with = (0..to.list().len()).filter(|index| pass(set, *index));
        with.fold(PassSet::EMPTY, |all, index| all.or(PassSet::single(index)))
    };
    let step = |step: &Derived| Derived { passes: passes(step.passes), ..step.clone() };
    let derivation = deciding.derivation.iter().map(step).collect();
    Deciding { text: deciding.text.clone(), at: deciding.at, derivation }
}
