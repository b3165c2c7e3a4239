//! One type, constant or member for every pass: it moves out of the guard.

use std::ops::Range;

use crate::finding::{Edit, Kind};
use crate::source::SourceFile;
use crate::target::PassSet;

use super::context::{Context, written};
use super::edit::{Candidate, replace};
use super::written::{Arm, Conditional, Written};

/// The declaration of each name that the arms of a conditional share, the host's first; then whole arms.
pub(super) fn fixes(context: &Context<'_>) -> Vec<Candidate> {
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, deciding)) = written.at_directive(at.start as usize) else { continue };
        if conditional.arms.len() < 2 {
            continue;
        }
        let order = order(context, conditional, deciding);
        for arm in &order {
            fixes.extend(declarations(&file, &written, conditional, *arm));
        }
        for arm in &order {
            fixes.extend(whole(&file, &written, conditional, *arm));
        }
    }
    fixes
}

/// The arms, the host's first: the host passes the arguments.
fn order(context: &Context<'_>, conditional: &Conditional, deciding: usize) -> Vec<usize> {
    let step = context.finding.deciding.as_ref().and_then(|deciding| deciding.derivation.first());
    let enters = step.is_some_and(|step| step.passes.meets(PassSet::HOST));
    let last = conditional.arms.len() - 1;
    let host = match (enters, last) {
        (true, _) => deciding,
        (false, 1) => 1 - deciding,
        (false, _) => last,
    };
    let others = (0..=last).filter(|arm| *arm != host);
    std::iter::once(host).chain(others).collect()
}

/// All of an arm instead of the conditional.
fn whole(
    file: &SourceFile,
    written: &Written<'_>,
    conditional: &Conditional,
    arm: usize,
) -> Option<Candidate> {
    let (kept, arm) = (arm, &conditional.arms[arm]);
    let gone = conditional.arms.iter().enumerate().filter(|(index, _)| *index != kept);
    let needed = |other: &Arm| written.is_needed(&other.body, &conditional.range(), Some(&arm.body));
    let body = &written.text[arm.body.clone()];
    if written.is_empty(&arm.body) || is_of_a_pass(body) || gone.into_iter().any(|(_, other)| needed(other)) {
        return None;
    }
    let first = body.trim().lines().next().unwrap_or_default();
    let first = first.split("//").next().unwrap_or(first).trim_end();
    let more = if body.trim().contains('\n') { " …" } else { "" };
    Some(Candidate {
        kind: Kind::Lift,
        title: format!("Lift `{first}`{more} out of the guard, for every pass"),
        edits: vec![
            replace(file, conditional.range().start..arm.body.start, ""),
            replace(file, arm.body.end..conditional.endif.end, ""),
        ],
    })
}

/// A declaration in an arm: the name, and its lines.
struct Declared {
    name: String,
    range: Range<usize>,
}

/// Moves each alias, constant or macro of an arm before the conditional, and removes those of its name from the other
/// arms.
fn declarations(
    file: &SourceFile,
    written: &Written<'_>,
    conditional: &Conditional,
    arm: usize,
) -> Vec<Candidate> {
    let own = declared(written, &conditional.arms[arm]);
    if own.len() < 2 {
        return Vec::new();
    }
    let fix = |one: &Declared| {
        let start = conditional.range().start;
        let text = &written.text[one.range.clone()];
        let mut edits: Vec<Edit> = vec![replace(file, start..start, text)];
        for arm in &conditional.arms {
            let same = declared(written, arm).into_iter().filter(|other| other.name == one.name);
            edits.extend(same.map(|other| replace(file, other.range, "")));
        }
        let title = format!("Lift `{}` out of the guard, for every pass", text.trim());
        Candidate { kind: Kind::Lift, title, edits }
    };
    own.iter().filter(|one| !is_of_a_pass(&written.text[one.range.clone()])).map(fix).collect()
}

/// The text can't stand for every pass: it uses the macro that the host lacks, or one that only some targets have. In
/// a condition these are 0.
fn is_of_a_pass(text: &str) -> bool {
    let asks = |line: &&str| {
        line.trim_start().strip_prefix('#').is_some_and(|rest| !rest.trim_start().starts_with("define"))
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let code = text.lines().filter(|line| !asks(line)).map(|line| line.split("//").next().unwrap_or(line));
    code.flat_map(|line| line.split(|c| !is_part(c))).any(|name| {
        matches!(name, "__CUDA_ARCH__" | "__CUDA_ARCH_SPECIFIC__" | "__CUDA_ARCH_FAMILY_SPECIFIC__")
            || name.starts_with("__CUDA_ARCH_FEAT_")
    })
}

/// The aliases, constants and macros that stand in an arm by themselves, a line or more each.
fn declared(written: &Written<'_>, arm: &Arm) -> Vec<Declared> {
    let mut found = Vec::new();
    for one in written.declarations(&arm.body) {
        let text = &written.text[one.range.clone()];
        if let Some(name) = declared_name(text) {
            found.push(Declared { name, range: whole_lines(written.text, &one.range) });
        }
    }
    let mut at = arm.body.start;
    for line in written.text[arm.body.clone()].split_inclusive('\n') {
        let name = line.trim_start().strip_prefix("#define ").and_then(|rest| {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            (end > 0).then(|| rest[..end].to_string())
        });
        if let Some(name) = name
            && !line.trim_end().ends_with('\\')
        {
            found.push(Declared { name, range: at..at + line.len() });
        }
        at += line.len();
    }
    found
}

/// The name of an alias or constant: `using N = …;`, `typedef … N;`, `constexpr int N = …;`.
fn declared_name(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .trim_end_matches(';')
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '='))
        .filter(|word| !word.is_empty())
        .collect();
    let name = match *words.first()? {
        "typedef" => words.last()?,
        "using" => words.get(1)?,
        "static" | "constexpr" | "const" | "inline" => {
            let equals = words.iter().position(|word| *word == "=")?;
            words.get(equals.checked_sub(1)?)?
        }
        _ => return None,
    };
    Some((*name).to_string())
}

/// The lines a declaration stands on alone; else its own range.
fn whole_lines(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |line| line + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |line| range.end + line + 1);
    let alone = text[start..range.start].trim().is_empty() && text[range.end..end].trim().is_empty();
    if alone { start..end } else { range.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_uses_the_macro_is_of_a_pass() {
        for text in [
            "constexpr bool is_new = __CUDA_ARCH__ >= 900;",
            "#define LEAST __CUDA_ARCH__\n",
            "int a = __CUDA_ARCH_FEAT_SM90_ALL;",
        ] {
            assert!(is_of_a_pass(text), "{text}");
        }
        for text in [
            "#if __CUDA_ARCH__ >= 900\nusing T = int;\n#endif\n",
            "int a; // not of __CUDA_ARCH__",
            "constexpr int list[] = {__CUDA_ARCH_LIST__};",
        ] {
            assert!(!is_of_a_pass(text), "{text}");
        }
    }
}
