//! `explain` and `rules`: what the rules say about themselves.

use std::io::{Write, stdout};

use crate::rules::card::{Card, card, cards, level_name};

use super::{Failure, exit_code};

/// How alike two names are (Jaro-Winkler, 0 to 1) for one to be taken for a misspelling of the other.
const ALIKE: f64 = 0.7;

/// Prints a rule's card.
pub(super) fn explain(rule: &str) -> Result<u8, Failure> {
    match card(rule) {
        Some(card) => {
            write!(stdout().lock(), "{card}")?;
            Ok(exit_code::CLEAN)
        }
        None => Err(Failure::Usage {
            message: format!("unknown rule `{rule}`"),
            help: match nearest(rule, &cards()) {
                Some(near) => format!("did you mean `{near}`? `cuda-arch-lint rules` lists all"),
                None => "`cuda-arch-lint rules` lists the rules".to_string(),
            },
        }),
    }
}

/// Prints a line for each rule.
pub(super) fn rules() -> Result<u8, Failure> {
    let cards = cards();
    let width = cards.iter().map(|card| card.id.len()).max().unwrap_or(0);
    let mut out = stdout().lock();
    for Card { code, id, level, title, .. } in &cards {
        writeln!(out, "{code}  {id:width$}  {:7}  {title}", level_name(*level))?;
    }
    Ok(exit_code::CLEAN)
}

/// The rule id that a misspelt name most likely means; a name may leave `arch-dependent-` out.
fn nearest(rule: &str, cards: &[Card]) -> Option<String> {
    let likeness = |card: &Card| {
        let tail = card.id.rsplit('-').next().unwrap_or(&card.id);
        strsim::jaro_winkler(rule, &card.id).max(strsim::jaro_winkler(rule, tail))
    };
    let best = cards.iter().map(|card| (likeness(card), &card.id)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= ALIKE).then(|| best.1.clone())
}
