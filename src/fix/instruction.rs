//! A guard around an instruction that is true for exactly the targets that have it.

use crate::target::{Arch, Suffix};

use super::condition::parenthesized;
use super::context::{Context, written};
use super::edit::{Fix, Kind, replace};

/// The deciding conditionals also test for the targets that have the instruction; an instruction without one gets a
/// guard.
pub(super) fn fixes(context: &Context<'_>, narrowest: &[Arch]) -> Vec<Fix> {
    let Some(guard) = guard(narrowest) else { return Vec::new() };
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, arm)) = written.at_directive(at.start as usize) else { continue };
        let arm = &conditional.arms[arm];
        let condition = written.condition(arm);
        let (word, condition) = match arm.word.as_str() {
            "if" => ("#if", parenthesized(condition, "&&")),
            "elif" => ("#elif", parenthesized(condition, "&&")),
            "ifdef" => ("#if", format!("defined({condition})")),
            _ => continue,
        };
        let text = format!("{word} {condition} && {guard}");
        fixes.push(Fix {
            kind: Kind::Instruction,
            title: format!("Ask for what has it: `{text}`"),
            edits: vec![replace(&file, arm.at..arm.condition.end, text.clone())],
        });
    }
    fixes.extend(named_target(context, narrowest));
    if fixes.is_empty() {
        fixes.extend(around(context, &guard));
    }
    fixes
}

/// The condition that is true for exactly the targets that have it.
fn guard(narrowest: &[Arch]) -> Option<String> {
    match narrowest {
        [] => None,
        [one] if one.suffix == Suffix::None => Some(format!("__CUDA_ARCH__ >= {}", one.cuda_arch())),
        all if all.iter().all(|arch| arch.suffix == Suffix::A) => {
            let tests: Vec<String> =
                all.iter().map(|arch| format!("defined(__CUDA_ARCH_FEAT_SM{}_ALL)", arch.number)).collect();
            Some(if tests.len() == 1 { tests.concat() } else { format!("({})", tests.join(" || ")) })
        }
        _ => Some("defined(__CUDA_ARCH_FAMILY_SPECIFIC__)".into()),
    }
}

/// `NV_IF_TARGET(NV_PROVIDES_SM_90, …)` asks for a chip's own features instead.
fn named_target(context: &Context<'_>, narrowest: &[Arch]) -> Option<Fix> {
    let at = context.finding.primary.at;
    let file = context.file(at.file)?;
    let line = file.line_index(at.start);
    let start = file.line_start(line);
    let end = at.end.max(at.start) as usize;
    let text = &file.text[start..end.max(file.line_start(line + 1).min(file.text.len()))];
    let found = text.find("NV_PROVIDES_SM_").or_else(|| text.find("NV_IS_DEVICE"))?;
    let old = &text[found..];
    let length = old.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(old.len());
    let chip = narrowest.iter().find(|arch| {
        arch.suffix == Suffix::A
            && context.finding.passes.list().contains(&crate::target::Pass::Device(**arch))
    })?;
    let new = format!("NV_HAS_FEATURE_SM_{}a", chip.number);
    Some(Fix {
        kind: Kind::Instruction,
        title: format!("Ask for what has it: `{new}`"),
        edits: vec![replace(&file, start + found..start + found + length, new)],
    })
}

/// A guard around the statement's lines.
fn around(context: &Context<'_>, guard: &str) -> Option<Fix> {
    let at = context.finding.primary.at;
    let file = context.file(at.file)?;
    let start = file.line_start(file.line_index(at.start));
    let semicolon = file.text[at.start as usize..].find(");").map(|end| at.start as usize + end + 2)?;
    let end = file.line_start(file.line_index(semicolon as u32) + 1);
    let guard = format!("#if defined(__CUDA_ARCH__) && {guard}\n");
    Some(Fix {
        kind: Kind::Instruction,
        title: format!("Guard it: `{}`", guard.trim()),
        edits: vec![replace(&file, start..start, guard), replace(&file, end..end, "#endif\n")],
    })
}
