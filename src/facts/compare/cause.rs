//! Why the passes differ: the conditional behind a difference, found from the declarations on which it depends.

use std::collections::BTreeSet;

use crate::preprocess::{GroupId, PpToken};
use crate::source::{Span, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use crate::facts::Cause;
use crate::facts::index::unit::IndexedUnit;

/// The conditional that makes the first of the declarations differ for which there is one. Conditionals in the body of
/// a kernel do not count, since no fact about a kernel depends on its body.
pub(in crate::facts) fn of_declarations(
    unit: &IndexedUnit<'_>,
    tops: &[usize],
    compared: PassSet,
) -> Option<Cause> {
    tops.iter().find_map(|top| of_declaration(unit, *top, compared))
}

/// The conditional for declarations that look-ups traced. Short declarations without a body are tried first: a guarded
/// alias explains more than a function with guards all over its body.
pub(in crate::facts) fn of_trace(
    unit: &IndexedUnit<'_>,
    trace: &BTreeSet<usize>,
    compared: PassSet,
) -> Option<Cause> {
    let mut tops: Vec<usize> = trace.iter().copied().collect();
    tops.sort_by_key(|top| {
        let declaration = &unit.variance.declarations[*top];
        let bodied = declaration.kind == DeclKind::Function;
        (bodied, declaration.tokens.len())
    });
    of_declarations(unit, &tops, compared)
}

fn of_declaration(unit: &IndexedUnit<'_>, top: usize, compared: PassSet) -> Option<Cause> {
    let declaration = &unit.variance.declarations[top];
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    if declaration.varies.presence {
        let first = tokens.iter().find(|token| token.passes.meets(declaration.passes));
        if let Some(cause) = first.and_then(|token| of_token(unit, token, compared)) {
            return Some(cause);
        }
    }
    let header = declaration.body - declaration.tokens.start;
    let is_kernel = tokens[..header].iter().any(|token| token.text == sym::GLOBAL);
    let end = if is_kernel { header } else { tokens.len() };
    let varying = tokens[..end]
        .iter()
        .filter(|token| token.passes.meets(declaration.passes) && !token.passes.contains(declaration.passes));
    varying.take(64).find_map(|token| of_token(unit, token, declaration.passes))
}

/// The conditional that keeps a token from some of the passes.
pub(in crate::facts) fn of_token(unit: &IndexedUnit<'_>, token: &PpToken, among: PassSet) -> Option<Cause> {
    unit.pp.deciding_group(token, among).map(|group| of_group(unit, group))
}

/// The conditional that keeps the code at a place from some of the passes.
pub(in crate::facts) fn of_place(unit: &IndexedUnit<'_>, at: Span, among: PassSet) -> Option<Cause> {
    unit.partial(at).take(4).find_map(|token| of_token(unit, token, among))
}

/// The conditionals around a token that compare `__CUDA_ARCH__`, the innermost first, even if every pass of the unit enters
/// them: with other targets some pass would not.
pub(in crate::facts) fn of_comparisons(unit: &IndexedUnit<'_>, token: &PpToken) -> Vec<Cause> {
    let mut causes = Vec::new();
    let mut group = token.group;
    while let Some(id) = group {
        let found = unit.pp.group(id);
        let reads = &unit.pp.conditional(found.conditional).reads;
        if reads.iter().any(|read| read.definitions.varies()) && !is_include_guard(unit, id) {
            let cause = of_group(unit, id);
            if cause.derivation.iter().any(|step| step.text.contains(['<', '>']) || step.text.contains("=="))
            {
                causes.push(cause);
            }
        }
        group = found.parent;
    }
    causes
}

/// Whether a group defines the macro that its condition asks for: an include guard keeps no target out, it tells only
/// where each pass includes the header first.
fn is_include_guard(unit: &IndexedUnit<'_>, group: GroupId) -> bool {
    let [read] = &*unit.pp.conditional(unit.pp.group(group).conditional).reads else { return false };
    unit.pp.definitions_of(read.name).iter().any(|one| unit.pp.definition(*one).group == Some(group))
}

/// A group's conditional, shown by the directive that opens it: `#else` alone explains nothing.
pub(in crate::facts) fn of_group(unit: &IndexedUnit<'_>, group: GroupId) -> Cause {
    let conditional = unit.pp.conditional(unit.pp.group(group).conditional);
    let opening = conditional.groups.first().copied().unwrap_or(group);
    let found = unit.pp.group(opening);
    Cause { at: found.directive, text: found.written.text(), derivation: unit.pp.derivation(opening) }
}
