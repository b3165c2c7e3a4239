//! Rules of a project's own: what their queries match does not agree between passes.

use std::sync::Arc;

use crate::custom::{Agree, CustomRule};
use crate::facts::{CustomCase, CustomFact};
use crate::finding::{Defect, Finding, Label};
use crate::source::Symbol;

use super::evidence::{certainty, deciding, views};
use super::unit::Unit;

/// The findings of the custom rules in a unit.
pub(super) fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let of_fact = |fact: &CustomFact| {
        let rule = unit.custom.iter().find(|rule| rule.id == fact.rule)?;
        finding(unit, rule, fact)
    };
    unit.facts.custom.iter().filter_map(of_fact).collect()
}

fn finding(unit: &Unit<'_>, rule: &CustomRule, fact: &CustomFact) -> Option<Finding> {
    let mut places = fact.cases.iter().filter_map(|case| Some((case.at?, case)));
    let (at, first) = places.next()?;
    let others = places.filter(|(other, _)| *other != at);
    let sees = |case: &CustomCase| match (case.shown.as_slice(), &rule.agree) {
        ([], _) => "nothing".to_string(),
        ([_, ..], Agree::Presence) => "there".to_string(),
        (shown, _) => shown.join("; "),
    };
    let side = |case: &CustomCase| {
        let code = if case.shown.is_empty() {
            "nothing".to_string()
        } else {
            format!("`{}`", case.shown.join("; "))
        };
        format!("{code} on {}", unit.passes.describe(case.passes))
    };
    let sides: Vec<String> = fact.cases.iter().map(side).collect();
    let (last, before) = sides.split_last()?;
    let sides = format!("{} and {last}", before.join(", "));
    Some(Finding {
        // Ids of rules are few, and spellings stay for good.
        rule: Symbol::intern(&rule.id).as_str(),
        level: rule.level,
        certainty: certainty(fact.sure),
        defect: Defect::Other,
        message: rule.message.replace("{name}", &fact.name).replace("{sides}", &sides),
        entity: fact.name.clone(),
        instances: Vec::new(),
        passes: Arc::clone(&unit.passes),
        primary: Label { at, text: format!("on {}", unit.passes.describe(first.passes)) },
        related: others
            .map(|(at, case)| Label { at, text: format!("on {}", unit.passes.describe(case.passes)) })
            .collect(),
        views: views(fact.cases.iter().map(|case| (case.passes, sees(case)))),
        deciding: deciding(fact.cause.as_ref()),
        consequences: Vec::new(),
        notes: vec![rule.help.clone()],
    })
}
