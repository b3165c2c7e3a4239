//! The table of patterns: what nvcc was measured to do with 121 small programs, and the case of the corpus
//! that says the same of ours.
//!
//! `corpus/patterns.tsv` has a line a pattern: its name, nvcc's behaviour in a word (`definite` and
//! `layout-only` are silent bugs, `benign` is nothing), what is expected of the linter (a rule, `silent`, or
//! `incomplete` where it must say that it could not compare), and the case. That the linter does as the case
//! says is for `tests/corpus.rs`, and that nvcc does for `corpus/judge.py`.

#![allow(clippy::unwrap_used, reason = "a test that meets a broken table should fail where it stands")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cuda_arch_lint::rules::RULES;

const PATTERNS: usize = 121;

/// A line of the table.
struct Row {
    pattern: String,
    behaviour: String,
    expected: String,
    case: String,
}

fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(corpus().join("patterns.tsv")).unwrap();
    let fields = |line: &str| line.split('\t').map(String::from).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = text.lines().map(fields).collect();
    assert_eq!(lines[0], ["pattern", "behaviour", "expected", "case"]);
    let row = |fields: &Vec<String>| {
        let [pattern, behaviour, expected, case] = <[String; 4]>::try_from(fields.clone()).unwrap();
        Row { pattern, behaviour, expected, case }
    };
    lines[1..].iter().map(row).collect()
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The texts of a case's files.
fn texts(case: &Path) -> Vec<String> {
    if case.is_file() {
        return vec![std::fs::read_to_string(case).unwrap()];
    }
    let entries = std::fs::read_dir(case).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    entries.flat_map(|entry| texts(&entry.unwrap().path())).collect()
}

#[test]
fn every_pattern_has_a_line_of_its_own() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.pattern.as_str()).collect();
    assert_eq!((rows.len(), names.len()), (PATTERNS, PATTERNS));
}

#[test]
fn the_case_of_a_pattern_expects_what_the_table_says() {
    for row in rows() {
        let texts = texts(&corpus().join(&row.case));
        let marked = |rule: &str| {
            texts.iter().flat_map(|text| text.lines()).any(|line| {
                line.split("//~").skip(1).any(|mark| mark.split_whitespace().any(|word| word == rule))
            })
        };
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.id).filter(|id| marked(id)).collect();
        let gives_up = texts.iter().any(|text| text.contains("//@ incomplete:"));
        match row.expected.as_str() {
            "silent" => assert!(rules.is_empty() && !gives_up, "{}: {} is marked", row.pattern, row.case),
            "incomplete" => assert!(rules.is_empty() && gives_up, "{}: {}", row.pattern, row.case),
            rule => assert!(rules.contains(&rule), "{}: {} has no mark of {rule}", row.pattern, row.case),
        }
    }
}

#[test]
fn silent_bugs_are_to_be_found_and_harmless_programs_not() {
    for row in rows() {
        let quiet = row.expected == "silent";
        match row.behaviour.as_str() {
            "definite" | "definite/layout" | "layout-only" => {
                assert!(!quiet && row.expected != "incomplete", "{} is a silent bug", row.pattern);
            }
            "benign" | "works" => assert!(quiet, "{} is harmless", row.pattern),
            _ => {}
        }
    }
}
