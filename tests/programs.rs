//! The programs: for each of `tests/programs/`, the list of kernels that the linter finds is the list that nvcc makes.
//!
//! `kernels.tsv` has nvcc's lists, and `known.tsv` names the programs that the linter gets wrong without the toolkit's
//! headers; `tests/programs/judge.py` and `score.py` write the two. A name is compared as the words and signs of each
//! template argument, in any order: demanglers and the linter write `const` and blanks at different places.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use sha2::{Digest, Sha256};

const TARGET: &str = "75";
const LEAST: usize = 300;

/// What nvcc says of a program.
struct Row {
    program: String,
    standard: String,
    seal: String,
    kernels: Vec<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// nvcc's release and the rows.
fn rows() -> (String, Vec<Row>) {
    let text = std::fs::read_to_string(folder().join("kernels.tsv")).unwrap();
    let (head, rest) = text.split_once('\n').unwrap();
    let release = head.split_once("nvcc ").unwrap().1.split(' ').next().unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [program, standard, seal, kernels] = fields[..] else { panic!("{line}") };
        let kernels = kernels.split(';').filter(|name| !name.is_empty()).map(String::from).collect();
        Row { program: program.into(), standard: standard.into(), seal: seal.into(), kernels }
    };
    (release.to_string(), rest.lines().map(row).collect())
}

/// The programs that the linter is known to get wrong.
fn known() -> BTreeSet<String> {
    let text = std::fs::read_to_string(folder().join("known.tsv")).unwrap();
    let name = |line: &str| line.split('\t').next().unwrap().to_string();
    text.lines().filter(|line| !line.starts_with('#')).map(name).collect()
}

/// The kernels that the host and the target have, and how often each: overloads may share a name.
fn ours(row: &Row) -> BTreeMap<String, usize> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    command.args(["dump", "--stage", "kernels", "--format", "json", "--isolated", "-nostdinc"]);
    command.args(["--arch", TARGET, "--std", &row.standard]);
    let ran = command.arg(folder().join(format!("{}.cu", row.program))).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let everywhere = list["passes"].as_array().unwrap().len();
    let kernels = list["kernels"].as_array().unwrap().iter();
    let kernels = kernels.filter(|one| one["passes"].as_array().unwrap().len() == everywhere);
    counted(kernels.map(|one| one["name"].as_str().unwrap()))
}

fn counted<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for name in names {
        *counts.entry(comparable(&tokens(name))).or_insert(0) += 1;
    }
    counts
}

/// Words, numbers and signs; an unnamed namespace and a lambda's type are words.
fn tokens(name: &str) -> Vec<String> {
    let name = name
        .replace("(anonymous namespace)", "anonymous_namespace")
        .replace("decltype(nullptr)", "nullptr_t");
    let mut out: Vec<String> = Vec::new();
    let mut is_word_open = false;
    for letter in name.chars() {
        let is_word = letter.is_alphanumeric() || letter == '_' || letter == '.';
        match out.last_mut() {
            Some(last) if is_word && is_word_open => last.push(letter),
            _ if letter != ' ' => out.push(letter.to_string()),
            _ => {}
        }
        is_word_open = is_word;
    }
    out
}

/// Where the bracket that opens at `start` closes.
fn end_of(tokens: &[String], start: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "(" | "<" | "[" | "{" => depth += 1,
            ")" | ">" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("{tokens:?} closes")
}

/// The name of a function in `(f(float))`, as the demangler spells its address, or else the tokens.
fn without_parameters(tokens: &[String]) -> &[String] {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token == text);
    if !is(0, "(") || end_of(tokens, 0) + 1 != tokens.len() {
        return tokens;
    }
    let inner = &tokens[1..tokens.len() - 1];
    match inner.iter().position(|token| token == "(") {
        Some(opens) if opens > 0 && end_of(inner, opens) + 1 == inner.len() => &inner[..opens],
        _ => inner,
    }
}

/// A type, a value or a name: its words in order, and what is in brackets behind them.
fn comparable(tokens: &[String]) -> String {
    let opens = |at: usize| matches!(tokens[at].as_str(), "(" | "<" | "[" | "{");
    // What is pointed to, and a value with the type that it is converted to, are told without both.
    if tokens.len() > 1 && tokens[0] == "&" {
        return comparable(without_parameters(&tokens[1..]));
    }
    if tokens.first().is_some_and(|first| first == "(") {
        let end = end_of(tokens, 0);
        if end + 1 == tokens.len() {
            return comparable(&tokens[1..end]);
        }
        if tokens[end + 1].starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') {
            return comparable(&tokens[end + 1..]);
        }
    }
    let mut parts = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if opens(at) {
            let end = end_of(tokens, at);
            if tokens[at] == "{" && tokens[at + 1] == "lambda" {
                // The function around it is spelled with and without its parameters and arguments.
                return "{lambda}".to_string();
            }
            parts.push(format!("{}{}", tokens[at], list(&tokens[at + 1..end])));
            at = end;
        } else if !matches!(tokens[at].as_str(), "int" | "," | ":") {
            parts.push(word(&tokens[at]));
        }
        at += 1;
    }
    // `int` stands for itself where no other word says the type.
    if parts.is_empty() && !tokens.is_empty() {
        parts.push("int".to_string());
    }
    parts.sort();
    parts.join(" ")
}

fn list(tokens: &[String]) -> String {
    let mut items = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < tokens.len() {
        if matches!(tokens[at].as_str(), "(" | "<" | "[" | "{") {
            at = end_of(tokens, at);
        } else if tokens[at] == "," {
            items.push(comparable(&tokens[start..at]));
            start = at + 1;
        }
        at += 1;
    }
    if start < tokens.len() {
        items.push(comparable(&tokens[start..]));
    }
    items.join(",")
}

/// A number without its suffix, and one name for what has two.
fn word(token: &str) -> String {
    match token {
        "true" => "1".to_string(),
        "false" => "0".to_string(),
        "__half" => "half".to_string(),
        _ if token.starts_with(|first: char| first.is_ascii_digit()) => {
            token.trim_end_matches(['u', 'l']).to_string()
        }
        _ => token.to_string(),
    }
}

#[test]
fn every_program_has_a_sealed_row() {
    let (release, rows) = rows();
    let mut programs = BTreeSet::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let clause = entry.unwrap();
        if !clause.file_type().unwrap().is_dir() {
            continue;
        }
        for file in std::fs::read_dir(clause.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "cu") {
                let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
                programs.insert(format!("{}/{stem}", clause.file_name().to_string_lossy()));
            }
        }
    }
    let judged: BTreeSet<String> = rows.iter().map(|row| row.program.clone()).collect();
    assert_eq!(programs, judged);
    assert!(rows.len() >= LEAST);
    for row in &rows {
        let text = std::fs::read_to_string(folder().join(format!("{}.cu", row.program))).unwrap();
        let sealed = format!("{text}\n{release}\n{}\n{}", row.standard, row.kernels.join(";"));
        let hash: String = Sha256::digest(sealed).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, row.seal, "{}: `tests/programs/judge.py` has to see it", row.program);
    }
}

#[test]
fn the_linter_finds_the_kernels_that_nvcc_makes() {
    let (_, rows) = rows();
    let known = known();
    let differs = |row: &&Row| ours(row) != counted(row.kernels.iter().map(String::as_str));
    let differing: BTreeSet<String> =
        rows.par_iter().filter(differs).map(|row| row.program.clone()).collect();
    let new: Vec<&String> = differing.difference(&known).collect();
    let gone: Vec<&String> = known.difference(&differing).collect();
    assert!(new.is_empty(), "these differ from nvcc: {new:?}");
    assert!(gone.is_empty(), "these are equal by now, to be taken from known.tsv: {gone:?}");
}
