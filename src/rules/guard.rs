//! `guard-misses-target`: a condition round instructions that is not the one which they need.

use std::sync::Arc;

use crate::facts::{GuardFact, GuardMiss};
use crate::finding::{Certainty, Defect, Finding, Label, Level};
use crate::target::{Arch, PassSet};

use super::evidence::{deciding, views};
use super::instruction::{guard, joined, who_has};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/guard-misses-target.md"), check: Check::Own(check) };

const ID: &str = "guard-misses-target";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let told = |fact: &&GuardFact| {
        unit.facts
            .instructions
            .iter()
            .filter_map(|other| other.cause.as_ref())
            .any(|cause| cause.at == fact.cause.at)
    };
    unit.facts.guards.iter().filter(|fact| !told(fact)).map(|fact| finding(unit, fact)).collect()
}

/// The words in which a guard that keeps targets out differs from one that lets them in.
struct Words {
    message: String,
    level: Level,
    sees: Vec<(PassSet, String)>,
    label: String,
    consequence: String,
}

fn finding(unit: &Unit<'_>, fact: &GuardFact) -> Finding {
    let words = match &fact.miss {
        GuardMiss::Narrow { shut_out, instead, lost } => {
            narrow(unit, fact, *shut_out, instead.as_ref().map(|(_, text)| text), *lost)
        }
        GuardMiss::Wide { lets_in } => wide(fact, lets_in),
    };
    let mut related = vec![Label { at: fact.used, text: format!("{} it", who_has(&fact.narrowest)) }];
    if let GuardMiss::Narrow { instead: Some((at, _)), .. } = &fact.miss {
        related.push(Label { at: *at, text: "taken in its place".into() });
    }
    Finding {
        rule: ID,
        level: words.level,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: words.message,
        entity: match fact.function {
            Some(function) => format!("{} in {function}", fact.written),
            None => fact.written.clone(),
        },
        passes: Arc::clone(&unit.passes),
        primary: Label { at: fact.at, text: words.label },
        related,
        instances: Vec::new(),
        views: views(words.sees.into_iter()),
        deciding: deciding(Some(&fact.cause)),
        consequences: vec![words.consequence],
        notes: guard(&fact.narrowest),
    }
}

/// "`cp.async`", "`cp.async` and 2 more instructions".
fn subject(fact: &GuardFact) -> String {
    match fact.further {
        0 => format!("`{}`", fact.written),
        1 => format!("`{}` and another instruction", fact.written),
        more => format!("`{}` and {more} more instructions", fact.written),
    }
}

fn narrow(
    unit: &Unit<'_>,
    fact: &GuardFact,
    shut_out: PassSet,
    instead: Option<&String>,
    lost: bool,
) -> Words {
    let (subject, targets) = (subject(fact), unit.passes.describe(shut_out));
    let (has, takes) = if shut_out.len() == 1 { ("has", "takes") } else { ("have", "take") };
    let them = if fact.further == 0 { "it" } else { "them" };
    let goes = match instead {
        Some(text) => format!("takes `{text}`"),
        None => "enters no group".to_string(),
    };
    Words {
        message: format!("`{}` keeps {subject} from {targets}, which {has} {them}", fact.text),
        level: if lost { Level::Warning } else { Level::Note },
        sees: vec![(fact.entered, format!("reaches {them}")), (shut_out, goes)],
        label: format!("{} {them}", who_has(&fact.narrowest)),
        consequence: match (instead, lost) {
            (Some(text), _) => format!("{targets} {takes} `{text}`, which is for targets without {them}."),
            (None, true) => format!(
                "{targets} {has} nothing in {} place.",
                if fact.further == 0 { "its" } else { "their" }
            ),
            (None, false) => format!("{targets} {takes} what follows."),
        },
    }
}

fn wide(fact: &GuardFact, lets_in: &[Arch]) -> Words {
    let names: Vec<String> = lets_in.iter().map(|arch| arch.sm_name()).collect();
    let (lacks, verb) = if lets_in.len() == 1 { ("lacks", "is") } else { ("lack", "are") };
    let them = if fact.further == 0 { "it" } else { "them" };
    Words {
        message: format!("`{}` lets {} in, which {lacks} {}", fact.text, range(&names), subject(fact)),
        level: Level::Note,
        sees: vec![(fact.entered, format!("reaches {them} and has {them}"))],
        label: format!("{} {them}", who_has(&fact.narrowest)),
        consequence: format!(
            "{} {verb} not compiled for today; a build for {} stops here.",
            range(&names),
            if lets_in.len() == 1 { "it" } else { "one of them" }
        ),
    }
}

/// "sm_70", "sm_70 and sm_72", "sm_70 to sm_75".
fn range(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 2 => format!("{first} to {last}"),
        few => joined(few),
    }
}
