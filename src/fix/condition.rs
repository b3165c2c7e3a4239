//! Another test of `__CUDA_ARCH__`: one with an explicit branch for the host, or one with the same result in every pass.

use crate::finding::Kind;
use crate::source::{SourceFile, lex};

use super::context::{Context, written};
use super::edit::{Candidate, replace};
use super::written::{Arm, Written};

const MACRO: &str = "__CUDA_ARCH__";

/// The lowest of a build's targets, for conditions: no pass sees another value.
const LOWEST: &str = "\
// The lowest architecture of the build, the same in every pass.
#define CUDA_LOWEST_ARCH_OF(first, ...) first
#define CUDA_LOWEST_ARCH_IN(...) CUDA_LOWEST_ARCH_OF(__VA_ARGS__, 0)
#define CUDA_LOWEST_ARCH CUDA_LOWEST_ARCH_IN(__CUDA_ARCH_LIST__)
";

/// The tokens at the beginning of a condition that decide for the host.
const HOST_TESTS: [&[&str]; 4] = [
    &["defined", "(", MACRO, ")", "&&"],
    &["defined", MACRO, "&&"],
    &["!", "defined", "(", MACRO, ")", "||"],
    &["!", "defined", MACRO, "||"],
];

/// A comparison that the host takes as one with 0 is made to say that it is for devices, or for the host too.
pub(super) fn tests(context: &Context<'_>) -> Vec<Candidate> {
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, arm)) = written.at_directive(at.start as usize) else { continue };
        let arm = &conditional.arms[arm];
        let condition = written.condition(arm);
        if !["if", "elif"].contains(&arm.word.as_str())
            || !mentions(condition)
            || condition.contains("defined")
            || condition.contains('\n')
        {
            continue;
        }
        let whole = parenthesized(condition, "&&");
        let title = format!("Keep the host out: `defined({MACRO}) && …`");
        fixes.push(tested(&file, arm, title, format!(" defined({MACRO}) && {whole}")));
        let whole = parenthesized(condition, "||");
        let title = format!("Let the host in too: `!defined({MACRO}) || …`");
        fixes.push(tested(&file, arm, title, format!(" !defined({MACRO}) || {whole}")));
    }
    fixes
}

/// A test that keeps the host out lets it in, and asks the devices what it asked.
pub(super) fn let_in(context: &Context<'_>) -> Vec<Candidate> {
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, arm)) = written.at_directive(at.start as usize) else { continue };
        let arm = &conditional.arms[arm];
        let condition = written.condition(arm);
        let tokens = lex(condition);
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let test = HOST_TESTS[..2].iter().find(|test| words.starts_with(test));
        let Some(rest) = test.and_then(|test| tokens.get(test.len())) else { continue };
        let is_mixed = words.contains(&"||") || words.iter().filter(|word| **word == "defined").count() > 1;
        if is_mixed || condition.contains('\n') {
            continue;
        }
        let whole = parenthesized(&condition[rest.offset as usize..], "||");
        let title = format!("Let the host in: `!defined({MACRO}) || …`");
        fixes.push(tested(&file, arm, title, format!(" !defined({MACRO}) || {whole}")));
    }
    fixes
}

fn tested(file: &SourceFile, arm: &Arm, title: String, condition: String) -> Candidate {
    Candidate { kind: Kind::Test, title, edits: vec![replace(file, arm.condition.clone(), condition)] }
}

/// A comparison asks for the lowest target of the build instead of the pass's own.
pub(super) fn lists(context: &Context<'_>) -> Vec<Candidate> {
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, arm)) = written.at_directive(at.start as usize) else { continue };
        let Some(condition) = by_lowest(&written, &conditional.arms[arm]) else { continue };
        // Whichever arm it is, it is that of every pass: what another declares, nobody has.
        let range = conditional.range();
        let needed =
            |one: &Arm, kept: Option<&Arm>| written.is_needed(&one.body, &range, kept.map(|kept| &kept.body));
        let arms = &conditional.arms;
        let has_else = arms.last().is_some_and(|arm| arm.word == "else");
        let lost = arms.iter().any(|one| {
            arms.iter().any(|kept| kept.at != one.at && needed(one, Some(kept)))
                || !has_else && needed(one, None)
        });
        if lost {
            continue;
        }
        let arm = &arms[arm];
        let mut edits = vec![replace(&file, arm.condition.clone(), format!(" {condition}"))];
        if !file.text.contains("define CUDA_LOWEST_ARCH ") {
            let start = conditional.arms[0].lines.start;
            edits.push(replace(&file, start..start, LOWEST));
        }
        let title = format!("Decide by the lowest target of the build: `{condition}`");
        fixes.push(Candidate { kind: Kind::List, title, edits });
    }
    fixes
}

/// The condition about the lowest target, where it is a comparison with or without a test for the host.
fn by_lowest(written: &Written<'_>, arm: &Arm) -> Option<String> {
    if !["if", "elif"].contains(&arm.word.as_str()) {
        return None;
    }
    let condition = written.condition(arm);
    if condition.contains(['\n', '\\']) {
        return None;
    }
    let tokens = lex(condition);
    let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    let rest = HOST_TESTS.iter().find(|test| words.starts_with(test)).map_or(0, |test| test.len());
    if !words[rest..].contains(&MACRO) || words[rest..].contains(&"defined") {
        return None;
    }
    let from = tokens.get(rest)?.offset as usize;
    Some(condition[from..].replace(MACRO, "CUDA_LOWEST_ARCH"))
}

fn mentions(condition: &str) -> bool {
    lex(condition).iter().any(|token| token.text.as_str() == MACRO)
}

/// In parentheses where an operand of `operator`, `&&` or `||`, needs them or is easier to read with them.
pub(super) fn parenthesized(condition: &str, operator: &str) -> String {
    let apart = match operator {
        "&&" => ["||", "or", "?"],
        _ => ["&&", "and", "?"],
    };
    match lex(condition).iter().any(|token| apart.contains(&token.text.as_str())) {
        true => format!("({condition})"),
        false => condition.to_string(),
    }
}
