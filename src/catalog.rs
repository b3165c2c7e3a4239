//! All rules that a run knows: the built-in ones, and those of a configuration.
//!
//! In: custom rules, and which of them are checked. Out: cards and names. Whatever shows, names or chooses rules asks here.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::custom::{Agree, Between, CustomExample, CustomRule};

use crate::rules::{Card, built_in, example_text, nearest_of};

/// All rules that a run knows.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Those that are not built in.
    custom: Arc<[Card]>,
    /// Those of them that are not checked.
    unchecked: Arc<BTreeSet<String>>,
}

impl Catalog {
    /// The built-in rules, `checked` ones, which are on, and `others`, which are off by default and checked when `checked` has
    /// them too.
    pub fn new(checked: &[CustomRule], others: &[CustomRule]) -> Catalog {
        let is_other = |rule: &CustomRule| others.iter().any(|one| one.id == rule.id);
        let own = checked.iter().filter(|rule| !is_other(rule)).map(|rule| card_of(rule, true));
        let custom = own.chain(others.iter().map(|rule| card_of(rule, false)));
        let is_checked = |rule: &CustomRule| checked.iter().any(|one| one.id == rule.id);
        let unchecked = others.iter().filter(|rule| !is_checked(rule)).map(|rule| rule.id.clone());
        Catalog { custom: custom.collect(), unchecked: Arc::new(unchecked.collect()) }
    }

    /// Every card: the built-in rules' in the order of their codes, then the others'.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        built_in().iter().chain(self.custom.iter())
    }

    /// The cards of the rules that are not built in.
    pub fn custom(&self) -> &[Card] {
        &self.custom
    }

    /// The card of the rule with this id or code.
    pub fn card(&self, rule: &str) -> Option<&Card> {
        self.cards().find(|card| card.goes_by(rule))
    }

    /// The id of the rule that a misspelt name most likely means.
    pub fn nearest(&self, rule: &str) -> Option<String> {
        nearest_of(rule, self.cards().map(|card| card.id.as_str()))
    }

    /// Whether a rule is off until it is asked for.
    pub fn is_off(&self, rule: &str) -> bool {
        self.card(rule).is_some_and(|card| !card.enabled)
    }

    /// Whether the run looks for what a rule finds.
    pub fn is_checked(&self, rule: &str) -> bool {
        !self.unchecked.contains(rule)
    }
}

/// The card of a custom rule.
fn card_of(rule: &CustomRule, enabled: bool) -> Card {
    let passes = match rule.between {
        Between::All => "all passes",
        Between::Devices => "the device passes",
    };
    let what = match &rule.agree {
        Agree::Presence => format!("Whether there is a match of this query must be the same in {passes}:"),
        Agree::Text => format!("The text of what this query matches must be the same in {passes}:"),
        Agree::Type => format!("The type that this query captures as `@type` must be the same in {passes}:"),
        Agree::Value => {
            format!("The value of what this query captures as `@value` must be the same in {passes}:")
        }
        Agree::Captured(name) => {
            format!("The text that this query captures as `@{name}` must be the same in {passes}:")
        }
    };
    let query = format!("{what}\n\n```query\n{}\n```", rule.query.trim_matches('\n'));
    let detects = match rule.card.description.trim() {
        "" => query,
        description => format!("{description}\n\n{query}"),
    };
    let fence = |example: &CustomExample| {
        let kind = if example.bad { "bad" } else { "good" };
        example_text(&format!("```cuda {kind}\n{}\n```", example.text.trim_end()))
    };
    let examples: Vec<String> = rule.card.examples.iter().map(fence).collect();
    Card {
        id: rule.id.clone(),
        code: None,
        level: rule.level,
        enabled,
        since: String::new(),
        reference: rule.card.reference.clone(),
        title: rule.title.clone(),
        sections: [detects, String::new(), examples.join("\n\n"), rule.help.clone(), String::new()],
        examples: Vec::new(),
    }
}
