//! Moves the guard from around a definition or a launch into the kernel's body, so that every pass defines the
//! kernel and the body depends on the pass.

use std::ops::Range;

use crate::finding::{Defect, Edit, Kind};
use crate::source::{FileId, SourceFile, Span};

use super::context::{Context, written};
use super::edit::{Candidate, replace};
use super::written::{Conditional, Declaration, Written};

/// What a kernel or a device function does in a pass that has no code for it: a launch fails, as it does where there is
/// no such kernel, and nobody takes for done what was not.
pub(super) const TRAP: &str = "__trap();";

/// For a definition, the guard around it moves into the bodies under it. For an instantiation, the guards around the
/// mention, its callers and the kernel are removed, and the kernel's body gets one.
pub(super) fn fixes(context: &Context<'_>) -> Vec<Candidate> {
    let name = context.name();
    let fix = |title: String| move |edits| Candidate { kind: Kind::Body, title: title.clone(), edits };
    let opened = deciding(context).into_iter();
    match &context.finding.defect {
        Defect::InstantiationMissing { template, .. } => {
            let guarded = instantiation(context, Some(*template));
            let guarded = guarded.map(fix(format!("Move the guard into the body of `{name}`")));
            let plain = instantiation(context, None);
            let plain = plain.map(fix(format!("Instantiate `{name}` without a guard")));
            let opened = opened.map(fix("Give every pass what the guard holds: take it away".into()));
            guarded.into_iter().chain(plain).chain(opened).collect()
        }
        Defect::KernelMissing => {
            opened.map(fix(format!("Move the guard into the body of `{name}`"))).collect()
        }
        _ => opened.map(fix(format!("Give every pass `{name}`: take the guard away"))).collect(),
    }
}

/// Each conditional that decides is opened by itself.
fn deciding(context: &Context<'_>) -> Vec<Vec<Edit>> {
    let mut found = Vec::new();
    for (file, at) in context.conditionals() {
        let written = written(&file);
        let Some((conditional, _)) = written.at_directive(at.start as usize) else { continue };
        if let Some(edits) = opened(&file, &written, conditional, Some(kernel_place(context, file.id))) {
            found.push(edits);
        }
    }
    found
}

/// Where the kernel of the finding stands in a file; nowhere if it is none.
fn kernel_place(context: &Context<'_>, file: FileId) -> Option<usize> {
    let primary = context.finding.primary.at;
    (primary.file == file && context.finding.defect == Defect::KernelMissing)
        .then_some(primary.start as usize)
}

/// The lines of a conditional of one arm go, and with `kernel` the bodies of kernels under it get the guard.
/// `None` where another arm has something, and in a function that devices have: the guard keeps launches from them,
/// or from the host what it can't call.
fn opened(
    file: &SourceFile,
    written: &Written<'_>,
    conditional: &Conditional,
    kernel: Option<Option<usize>>,
) -> Option<Vec<Edit>> {
    let (arm, others) = conditional.arms.split_first()?;
    if written.heads_around(arm.at).into_iter().any(is_for_devices) {
        return None;
    }
    if others.iter().any(|arm| !written.is_empty(&arm.body)) {
        return None;
    }
    let mut edits = vec![replace(file, arm.lines.clone(), "")];
    match others.first() {
        Some(other) => edits.push(replace(file, other.lines.start..conditional.endif.end, "")),
        None => edits.push(replace(file, conditional.endif.clone(), "")),
    }
    if let Some(kernel) = kernel
        && !for_the_host(written, conditional)
    {
        let guard = written.directive_text(arm);
        for declaration in written.declarations(&arm.body) {
            edits.extend(guarded(file, written, &declaration, guard, kernel));
        }
    }
    Some(edits)
}

/// The body of a kernel, or of a device function, under a guard of its own.
fn guarded(
    file: &SourceFile,
    written: &Written<'_>,
    declaration: &Declaration,
    guard: &str,
    kernel: Option<usize>,
) -> Vec<Edit> {
    let Some(body) = declaration.body.clone() else { return Vec::new() };
    let head = &written.text[declaration.range.start..body.start];
    let is_kernel = head.contains("__global__") || kernel.is_some_and(|at| declaration.range.contains(&at));
    let on_device = head.contains("__device__") && !head.contains("__host__");
    if !is_kernel && !on_device {
        return Vec::new();
    }
    within(file, written, body, guard)
}

/// A guard around the statements of a body, which traps where that is not met; no edit for an empty body.
fn within(file: &SourceFile, written: &Written<'_>, body: Range<usize>, guard: &str) -> Vec<Edit> {
    let inner = &written.text[body.clone()];
    let indent = written.indent(body.end);
    let otherwise = format!("#else\n{indent}    {TRAP}\n");
    if inner.trim().is_empty() {
        return Vec::new();
    }
    if !inner.contains('\n') {
        let text = format!("\n{guard}\n{indent}    {}\n{otherwise}#endif\n{indent}", inner.trim());
        return vec![replace(file, body, text)];
    }
    // What stands behind the opening brace on its line, if that is no code, stays there.
    let first = inner.find('\n').map_or(0, |line| line + 1);
    let before = inner[..first].trim();
    let begin = match before.is_empty() || before.starts_with("//") {
        true => replace(file, body.start + first..body.start + first, format!("{guard}\n")),
        false => replace(file, body.start..body.start, format!("\n{guard}\n")),
    };
    let last = body.start + inner.rfind('\n').map_or(0, |line| line + 1);
    let end = match written.text[last..body.end].trim().is_empty() {
        true => replace(file, last..last, format!("{otherwise}#endif\n")),
        false => replace(file, body.end..body.end, format!("\n{otherwise}#endif\n{indent}")),
    };
    vec![begin, end]
}

/// The head of a function that devices have, said so or by a macro such as `HOST_DEVICE`.
fn is_for_devices(head: &str) -> bool {
    head.contains('(') && ["__device__", "__global__", "DEVICE"].iter().any(|word| head.contains(word))
}

/// No device pass enters, so the code under it was never compiled for a GPU.
fn for_the_host(written: &Written<'_>, conditional: &Conditional) -> bool {
    let arm = &conditional.arms[0];
    let condition: String = written.condition(arm).split_whitespace().collect();
    match arm.word.as_str() {
        "ifndef" => condition == "__CUDA_ARCH__",
        _ => ["!defined(__CUDA_ARCH__)", "!defined__CUDA_ARCH__"].contains(&condition.as_str()),
    }
}

/// Removes every guard around the mention, its callers or the kernel that decides or names the macro;
/// the body of `template`, if that is given, gets the first of them.
fn instantiation(context: &Context<'_>, template: Option<Span>) -> Option<Vec<Edit>> {
    let finding = context.finding;
    let deciding = context.deciding();
    let places = std::iter::once(finding.primary.at).chain(finding.related.iter().map(|label| label.at));
    let mut edits: Vec<Edit> = Vec::new();
    let mut guards: Vec<String> = Vec::new();
    for place in places {
        let file = context.file(place.file)?;
        let written = written(&file);
        for (conditional, _) in written.around(place.start as usize) {
            let directive = |at: &Span| {
                at.file == place.file && conditional.arms.iter().any(|arm| arm.at == at.start as usize)
            };
            if !deciding.iter().any(directive) && !written.asks_for_architecture(conditional) {
                continue;
            }
            edits.extend(opened(&file, &written, conditional, None)?);
            if !for_the_host(&written, conditional) {
                guards.push(written.directive_text(&conditional.arms[0]).to_string());
            }
        }
    }
    if edits.is_empty() {
        return None;
    }
    if let Some(kernel) = template {
        let file = context.file(kernel.file)?;
        let written = written(&file);
        let declaration = written.function_at(kernel.start as usize)?;
        let around = within(&file, &written, declaration.body?, guards.first()?);
        if around.is_empty() {
            return None;
        }
        edits.extend(around);
    }
    Some(edits)
}
