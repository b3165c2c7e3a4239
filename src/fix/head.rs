//! A kernel that traps for the passes that lack it, with the parameters that it has in the others.

use crate::finding::{Defect, Edit, Kind};
use crate::source::SourceFile;

use super::context::{Context, written};
use super::edit::{Candidate, replace};
use super::guard::TRAP;
use super::written::{Arm, Conditional, Declaration, Written};

/// Of a kernel that some passes lack: one that traps in the arms without it. Of one with other parameters: those of
/// the arm that has a body.
pub(super) fn fixes(context: &Context<'_>) -> Vec<Candidate> {
    let finding = context.finding;
    let primary = finding.primary.at;
    let Some(file) = context.file(primary.file) else { return Vec::new() };
    let written = written(&file);
    let place = primary.start as usize;
    let Some(kernel) = written.function_at(place) else { return Vec::new() };
    let decides = |conditional: &Conditional| {
        let arms = &conditional.arms;
        context
            .deciding()
            .iter()
            .any(|at| at.file == file.id && arms.iter().any(|arm| arm.at == at.start as usize))
    };
    let around = written.around(place).into_iter().rev().find(|(conditional, _)| decides(conditional));
    let Some((conditional, arm)) = around else { return Vec::new() };
    // A kernel whose head and guard overlap is no declaration of an arm.
    if !conditional.arms[arm].body.contains(&kernel.range.start) {
        return Vec::new();
    }
    let fix = match finding.defect {
        Defect::KernelMissing => {
            trapping_kernels(&file, &written, conditional, &kernel).map(|edits| Candidate {
                kind: Kind::Stub,
                title: format!("Give the other passes `{}` with a body that traps", context.name()),
                edits,
            })
        }
        Defect::TypeDiffers => same_heads(context, &file, &written, conditional).map(|edits| Candidate {
            kind: Kind::Stub,
            title: format!("Give the empty `{}` the same parameters", context.name()),
            edits,
        }),
        _ => None,
    };
    fix.into_iter().collect()
}

/// The head of a function: the text before its body, with `template` and attributes.
fn head<'t>(written: &Written<'t>, function: &Declaration) -> Option<&'t str> {
    let body = function.body.as_ref()?;
    Some(written.text[function.range.start..body.start - 1].trim_end())
}

/// A kernel that traps in every arm that has none, and in an `#else` if there is none.
fn trapping_kernels(
    file: &SourceFile,
    written: &Written<'_>,
    conditional: &Conditional,
    kernel: &Declaration,
) -> Option<Vec<Edit>> {
    let stub = format!("{} {{ {TRAP} }}\n", head(written, kernel)?);
    let has = |arm: &Arm| {
        written.declarations(&arm.body).iter().any(|one| head(written, one) == head(written, kernel))
    };
    let lacking = conditional.arms.iter().filter(|arm| !has(arm));
    let mut edits: Vec<Edit> =
        lacking.map(|arm| replace(file, arm.body.end..arm.body.end, stub.clone())).collect();
    if conditional.arms.last().is_some_and(|arm| arm.word != "else") {
        let end = conditional.endif.start;
        edits.push(replace(file, end..end, format!("#else\n{stub}")));
    }
    // One insertion a place: the last arm's stub goes before the new `#else`.
    if let [.., before, last] = &edits[..]
        && before.start == last.start
    {
        let text = format!("{}{}", before.text, last.text);
        let start = last.start;
        edits.truncate(edits.len() - 2);
        edits.push(replace(file, start..start, text));
    }
    Some(edits)
}

/// The heads of empty kernels of a name become that of the one with a body.
fn same_heads(
    context: &Context<'_>,
    file: &SourceFile,
    written: &Written<'_>,
    conditional: &Conditional,
) -> Option<Vec<Edit>> {
    let mut all: Vec<Declaration> = Vec::new();
    for arm in &conditional.arms {
        let named = |one: &Declaration| {
            let words = head(written, one).unwrap_or_default();
            words.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == context.name())
        };
        all.extend(
            written.declarations(&arm.body).into_iter().filter(|one| one.body.is_some() && named(one)),
        );
    }
    let is_empty =
        |one: &Declaration| one.body.clone().is_some_and(|body| written.text[body].trim().is_empty());
    let mut full = all.iter().filter(|one| !is_empty(one));
    let (Some(real), None) = (full.next(), full.next()) else { return None };
    let real_head = head(written, real)?;
    let stubs = all.iter().filter(|one| is_empty(one));
    let edits = stubs.filter_map(|one| {
        let old = head(written, one)?;
        Some(replace(file, one.range.start..one.range.start + old.len(), real_head))
    });
    Some(edits.collect())
}
