//! A guard around an instruction that is true for exactly the targets that have it. The others take an alternative that
//! the source has, or trap: none goes on without the instruction as if nothing were missing.

use std::ops::Range;

use crate::finding::Kind;
use crate::source::{lex, sym};
use crate::target::{Arch, Suffix};

use super::condition::parenthesized;
use super::context::{Context, written};
use super::edit::{Candidate, replace};
use super::guard::TRAP;
use super::written::{Arm, Conditional, Written};

/// The deciding conditionals that have an `#else` ask for the targets that have the instruction; an instruction without
/// one gets a guard.
pub(super) fn fixes(context: &Context<'_>, narrowest: &[Arch]) -> Vec<Candidate> {
    let Some(guard) = Guard::new(narrowest) else { return Vec::new() };
    let mut fixes = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, arm)) = written.at_directive(at.start as usize) else { continue };
        if !has_alternative(&written, conditional, arm) {
            continue;
        }
        let arm = &conditional.arms[arm];
        let Some(text) = narrowed(&written, arm, &guard) else { continue };
        fixes.push(Candidate {
            kind: Kind::Instruction,
            title: format!("Ask for what has it, and leave the others the `#else`: `{text}`"),
            edits: vec![replace(&file, arm.at..arm.condition.end, text.clone())],
        });
    }
    fixes.extend(named_target(context, narrowest));
    if fixes.is_empty() {
        fixes.extend(around(context, &guard));
    }
    fixes
}

/// The condition that is true for exactly the targets that have an instruction.
struct Guard {
    text: String,
    /// The least `__CUDA_ARCH__` that meets it; `None` where that is not known.
    least: Option<u32>,
}

impl Guard {
    fn new(narrowest: &[Arch]) -> Option<Guard> {
        let least = narrowest.iter().map(|arch| arch.cuda_arch()).min();
        match narrowest {
            [] => None,
            [one] if one.suffix == Suffix::None => {
                Some(Guard { text: format!("__CUDA_ARCH__ >= {}", one.cuda_arch()), least })
            }
            all if all.iter().all(|arch| arch.suffix == Suffix::A) => {
                let tests: Vec<String> = all
                    .iter()
                    .map(|arch| format!("defined(__CUDA_ARCH_FEAT_SM{}_ALL)", arch.number))
                    .collect();
                let text =
                    if tests.len() == 1 { tests.concat() } else { format!("({})", tests.join(" || ")) };
                Some(Guard { text, least })
            }
            _ => Some(Guard { text: "defined(__CUDA_ARCH_FAMILY_SPECIFIC__)".into(), least: None }),
        }
    }

    /// What meets the guard meets this comparison too, `__CUDA_ARCH__ >= 800` or the like.
    fn implies(&self, comparison: &str) -> bool {
        let tokens = lex(comparison);
        let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        let (number, strictly) = match words[..] {
            ["__CUDA_ARCH__", ">=", number] | [number, "<=", "__CUDA_ARCH__"] => (number, 0),
            ["__CUDA_ARCH__", ">", number] | [number, "<", "__CUDA_ARCH__"] => (number, 1),
            ["(", .., ")"] => {
                let inside = tokens[1].offset as usize..tokens[tokens.len() - 2].end as usize;
                return self.implies(&comparison[inside]);
            }
            _ => return false,
        };
        let number: Option<u32> = number.parse().ok();
        number.is_some_and(|number| self.least.is_some_and(|least| number + strictly <= least))
    }
}

/// The last arm is an `#else` with code, and another than this.
fn has_alternative(written: &Written<'_>, conditional: &Conditional, arm: usize) -> bool {
    let last = conditional.arms.len() - 1;
    let end = &conditional.arms[last];
    arm < last && end.word == "else" && !written.is_empty(&end.body)
}

/// The directive with the guard in place of the comparisons that it implies.
fn narrowed(written: &Written<'_>, arm: &Arm, guard: &Guard) -> Option<String> {
    let condition = written.condition(arm);
    let (word, condition) = match arm.word.as_str() {
        "if" => ("#if", condition.to_string()),
        "elif" => ("#elif", condition.to_string()),
        "ifdef" => ("#if", format!("defined({condition})")),
        _ => return None,
    };
    let mut parts: Vec<String> = Vec::new();
    let mut replaced = false;
    for part in conjuncts(&condition) {
        let part = condition[part].trim();
        if !guard.implies(part) {
            parts.push(part.into());
        } else if !replaced {
            replaced = true;
            parts.push(guard.text.clone());
        }
    }
    if !replaced {
        parts = vec![parenthesized(&condition, "&&"), guard.text.clone()];
    }
    Some(format!("{word} {}", parts.join(" && ")))
}

/// The operands of the outermost `&&`s of a condition; all of it where another operator binds less.
fn conjuncts(condition: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for token in lex(condition) {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            sym::AMP_AMP if depth == 0 => {
                parts.push(start..token.offset as usize);
                start = token.end as usize;
            }
            sym::BAR_BAR | sym::QUESTION if depth == 0 => {
                return std::iter::once(0..condition.len()).collect();
            }
            _ => {}
        }
    }
    parts.push(start..condition.len());
    parts
}

/// `NV_IF_TARGET(NV_PROVIDES_SM_90, …)` asks for a chip's own features instead.
fn named_target(context: &Context<'_>, narrowest: &[Arch]) -> Option<Candidate> {
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
    Some(Candidate {
        kind: Kind::Instruction,
        title: format!("Ask for what has it: `{new}`"),
        edits: vec![replace(&file, start + found..start + found + length, new)],
    })
}

/// A guard around the statement.
fn around(context: &Context<'_>, guard: &Guard) -> Option<Candidate> {
    let at = context.finding.primary.at;
    let file = context.file(at.file)?;
    let written = written(&file);
    let statement = written.statement_at(at.start as usize)?;
    // The host keeps what it has of a kernel.
    let guard = format!("#if !defined(__CUDA_ARCH__) || {}", guard.text);
    let indent = written.indent(statement.start);
    let line = file.line_start(file.line_index(statement.start as u32));
    let opening = match file.text[line..statement.start].trim().is_empty() {
        true => replace(&file, line..line, format!("{guard}\n")),
        false => replace(&file, statement.start..statement.start, format!("\n{guard}\n{indent}")),
    };
    let otherwise = format!("#else\n{indent}{TRAP}\n#endif\n");
    let rest = file.text[statement.end..].split_inclusive('\n').next().unwrap_or_default();
    let next = statement.end + rest.len();
    let closing = match rest.ends_with('\n') && (rest.trim().is_empty() || rest.trim().starts_with("//")) {
        true => replace(&file, next..next, otherwise),
        false => replace(&file, statement.end..statement.end, format!("\n{otherwise}{indent}")),
    };
    Some(Candidate {
        kind: Kind::Instruction,
        title: format!("Guard it, and trap elsewhere: `{guard}`"),
        edits: vec![opening, closing],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_is_replaced_where_the_guard_says_more() {
        let of =
            |number: u16| Guard { text: format!("__CUDA_ARCH__ >= {number}"), least: Some(number.into()) };
        let shown = |text: &str| {
            let written = Written::new(text);
            narrowed(&written, &written.conditionals[0].arms[0], &of(900)).unwrap()
        };
        for (condition, then) in [
            ("__CUDA_ARCH__ >= 800", "__CUDA_ARCH__ >= 900"),
            ("(__CUDA_ARCH__ >= 800)", "__CUDA_ARCH__ >= 900"),
            (
                "defined(__CUDA_ARCH__) && 800 <= __CUDA_ARCH__",
                "defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900",
            ),
            ("__CUDA_ARCH__ > 700 && (__CUDA_ARCH__ >= 800) && A", "__CUDA_ARCH__ >= 900 && A"),
            ("__CUDA_ARCH__ >= 1000", "__CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ >= 900"),
            ("__CUDA_ARCH__ >= OLD", "__CUDA_ARCH__ >= OLD && __CUDA_ARCH__ >= 900"),
            ("A || __CUDA_ARCH__ >= 800", "(A || __CUDA_ARCH__ >= 800) && __CUDA_ARCH__ >= 900"),
        ] {
            assert_eq!(shown(&format!("#if {condition}\n#endif\n")), format!("#if {then}"));
        }
        assert_eq!(shown("#ifdef A\n#endif\n"), "#if defined(A) && __CUDA_ARCH__ >= 900");
    }
}
