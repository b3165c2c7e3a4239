//! The rule cards: files and table agree, and each card is written as cards are.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cuda_arch_lint::rules::{KEYS, RULES, Rule, SECTIONS, Verdict, read_card};

/// The ids of the rules that were released. Configurations and comments name them, so none goes or changes; a
/// release adds the new ones.
const RELEASED: [&str; 15] = [
    "arch-dependent-signature",
    "arch-dependent-instantiation",
    "arch-dependent-definition",
    "arch-dependent-header",
    "arch-dependent-layout",
    "unsupported-instruction",
    "unsupported-target",
    "suffixed-targets-only",
    "missing-ptx",
    "target-gap",
    "mismatched-arch-bound",
    "unsuited-suffix",
    "constant-arch-comparison",
    "numeric-arch-comparison",
    "unreached-arch-branch",
];

#[test]
fn every_file_is_in_the_table_and_every_row_has_a_file() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let entries = fs::read_dir(&directory).expect("the cards are there");
    let files: BTreeSet<String> = entries
        .map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned())
        // Rules that are off until they are named have a folder of their own.
        .filter(|name| name != "contrib")
        .collect();
    let rows: BTreeSet<String> = RULES.iter().map(|rule| format!("{}.md", rule.id)).collect();
    let without = |these: &BTreeSet<String>, others| these.difference(others).cloned().collect::<Vec<_>>();
    let (rowless, fileless) = (without(&files, &rows), without(&rows, &files));
    assert!(rowless.is_empty(), "cards in rules/ without a row in `RULES`, src/rules/mod.rs: {rowless:?}");
    assert!(fileless.is_empty(), "rows of `RULES` without a card in rules/: {fileless:?}");
    for rule in RULES {
        let text = fs::read_to_string(directory.join(format!("{}.md", rule.id))).expect("the card is there");
        assert!(rule.card == text, "`RULE` of {} includes the card of another rule", rule.id);
    }
}

#[test]
fn the_ids_of_released_rules_stay() {
    let ids: Vec<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert!(ids.starts_with(&RELEASED), "{ids:?}");
}

#[test]
fn every_card_is_written_as_cards_are() {
    let mut codes = Vec::new();
    for Rule { id, card: text, .. } in RULES {
        let card = read_card(id, text).unwrap_or_else(|error| panic!("rules/{id}.md: {error}"));
        for (name, text) in SECTIONS.iter().zip(&card.sections) {
            assert!(!text.is_empty(), "rules/{id}.md: nothing under `{name}`");
        }
        for verdict in [Verdict::Bad, Verdict::Good] {
            let has = card.examples.iter().any(|example| example.verdict == verdict);
            assert!(has, "rules/{id}.md: no {verdict:?} example");
        }
        for line in text.lines().skip(KEYS.len() + 1) {
            assert!(line.chars().count() <= 120, "rules/{id}.md: a line is too long: {line}");
        }
        codes.push(card.code);
    }
    let sorted: BTreeSet<_> = codes.iter().cloned().collect();
    assert_eq!(sorted.into_iter().collect::<Vec<_>>(), codes, "codes are unique and in order");
}
