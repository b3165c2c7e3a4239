//! The places in an outcome, moved with an edit.
//!
//! **Invariant:** every place that an outcome or an entity has is moved here; `tests/lsp` compares with fresh runs.

use crate::analysis::outcome::Outcome;
use crate::facts::{Alternative, Cause, Chooser, TextChoice};
use crate::source::Span;

use super::entities::Entities;
use super::shift::Shift;

/// Moves every place in an outcome; `None` if one is cut.
pub(super) fn move_outcome(outcome: &mut Outcome, shift: &Shift) -> Option<()> {
    let place = |at: &mut Span| shift.span(*at).map(|moved| *at = moved);
    for finding in &mut outcome.findings {
        finding.places_mut().into_iter().try_for_each(place)?;
    }
    outcome.problems.iter_mut().filter_map(|problem| problem.at.as_mut()).try_for_each(place)?;
    for region in &mut outcome.regions {
        region.at = shift.lines(region.at)?;
    }
    for file in outcome.files.iter_mut().filter(|file| **file == shift.from) {
        *file = shift.to;
    }
    let Some(summary) = &mut outcome.summary else { return Some(()) };
    summary.suffixes.asked.iter_mut().try_for_each(|(_, at)| place(at))?;
    for branch in &mut summary.branches {
        place(&mut branch.at)?;
        branch.opening.iter_mut().try_for_each(|(at, _)| place(at))?;
    }
    for entity in &mut summary.header_entities {
        place(&mut entity.at)?;
        entity.used.iter_mut().try_for_each(place)?;
        entity.choices.iter_mut().try_for_each(|choice| move_choice(choice, shift))?;
    }
    Some(())
}

/// Moves every place in a unit's entities; `None` if one is cut.
pub(super) fn move_entities(entities: &mut Entities, shift: &Shift) -> Option<()> {
    let place = |at: &mut Span| shift.span(*at).map(|moved| *at = moved);
    let cause = |cause: &mut Cause| move_cause(cause, shift);
    for fact in &mut entities.signed {
        fact.cases.iter_mut().try_for_each(|case| place(&mut case.at))?;
        fact.places.iter_mut().try_for_each(place)?;
        fact.type_cause.iter_mut().chain(&mut fact.presence_cause).try_for_each(cause)?;
    }
    for fact in &mut entities.instantiations {
        place(&mut fact.declared)?;
        let sites = fact.sites.iter_mut().flat_map(|site| [&mut site.at, &mut site.root]);
        sites.chain(fact.signatures.iter_mut().map(|case| &mut case.at)).try_for_each(place)?;
        fact.cause.iter_mut().try_for_each(cause)?;
    }
    Some(())
}

fn move_choice(choice: &mut TextChoice, shift: &Shift) -> Option<()> {
    let place = |at: &mut Span| shift.span(*at).map(|moved| *at = moved);
    let chosen = choice.cases.iter_mut().filter_map(|(_, alternative)| match alternative {
        Alternative::Group(at) | Alternative::Definition(at) => Some(at),
        Alternative::NoGroup | Alternative::Text(_) => None,
    });
    chosen.into_iter().try_for_each(place)?;
    if let Chooser::Conditional(at) = &mut choice.by {
        place(at)?;
    }
    choice.cause.iter_mut().try_for_each(|cause| move_cause(cause, shift))
}

fn move_cause(cause: &mut Cause, shift: &Shift) -> Option<()> {
    let place = |at: &mut Span| shift.span(*at).map(|moved| *at = moved);
    place(&mut cause.at)?;
    cause.derivation.iter_mut().filter_map(|step| step.at.as_mut()).try_for_each(place)
}
