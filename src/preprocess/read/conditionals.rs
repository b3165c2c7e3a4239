//! Conditional inclusion ([cpp.cond]): conditions decided for each class of passes, groups entered and left.

use std::sync::Arc;

use crate::preprocess::condition::evaluate::evaluate;
use crate::preprocess::condition::line::Line;
use crate::preprocess::expand::effects::Split;
use crate::preprocess::keep::conditions::{Condition, Outcome};
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::records::{Conditional, Group, MacroRead};
use crate::preprocess::result::tokens::{ConditionalId, DefinitionId, GroupId};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::{ByPass, PassSet};

use super::cursor::OpenConditional;
use super::define::reuse_partial_macros;
use super::effects::carry_out;
use super::walk::Walk;

/// The form of a conditional directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConditionForm {
    /// `#if`, `#elif`
    Expression,
    /// `#ifdef`, `#elifdef`
    Defined,
    /// `#ifndef`, `#elifndef`
    NotDefined,
    /// `#else`
    Else,
}

/// Skips from a dead `#if` past its `#endif`.
pub(crate) fn skip_conditional(walk: &mut Walk<'_>, line: Line<'_>) {
    let Some(frame) = walk.cursor.frames.last_mut() else { return };
    let mut end = line.index;
    while let Some(next) = frame.file.sections().group_end(end) {
        end = next;
    }
    // One that is not closed goes on to the end of the file.
    let closed = line.file.directive(end).get(1).is_some_and(|name| name.text == sym::ENDIF);
    frame.skip_to(closed.then_some(end + 1));
}

/// Executes `#if` and its like.
pub(crate) fn open_conditional(walk: &mut Walk<'_>, line: Line<'_>, form: ConditionForm) {
    let id = walk.common.registry.open_conditional();
    walk.recorder.out.conditionals.push(id);
    let (passes, outer_group) = (walk.cursor.live, walk.cursor.group);
    let record = Conditional { passes, groups: Vec::new(), endif: None, reads: Arc::default() };
    let (taken, after_else, directive) = (PassSet::EMPTY, false, line.span());
    let open = OpenConditional { id, record, outer: passes, outer_group, taken, after_else, directive };
    walk.cursor.conditionals.push(open);
    let taken = decide(walk, line, form, passes);
    walk.cursor.innermost().taken = taken;
    open_group(walk, line, id, outer_group, taken);
}

/// Executes `#elif` and its like, and `#else`.
pub(crate) fn next_group(walk: &mut Walk<'_>, line: Line<'_>, form: ConditionForm) {
    let Some((id, outer_group, left)) = innermost(walk, line) else { return };
    let taken = if left.is_empty() {
        left
    } else {
        walk.cursor.live = left;
        walk.cursor.group = outer_group;
        decide(walk, line, form, left)
    };
    let open = walk.cursor.innermost();
    open.taken = open.taken.or(taken);
    let late = open.after_else;
    open.after_else |= form == ConditionForm::Else;
    if late {
        walk.recorder.problem(ProblemKind::GroupAfterElse, line.span(), left);
    }
    open_group(walk, line, id, outer_group, taken);
}

/// Executes `#endif`.
pub(crate) fn close_conditional(walk: &mut Walk<'_>, line: Line<'_>) {
    if innermost(walk, line).is_none() {
        return;
    }
    let Some(mut open) = walk.cursor.conditionals.pop() else { return };
    open.record.endif = Some(line.span());
    walk.common.registry.close_conditional(open.id, open.record);
    walk.cursor.live = open.outer.minus(walk.cursor.stopped);
    walk.cursor.group = open.outer_group;
    if walk.cursor.live == walk.cursor.passes {
        reuse_partial_macros(walk);
    }
}

/// The innermost conditional of this file, the group around it, and the passes that no group of it was live for.
fn innermost(walk: &mut Walk<'_>, line: Line<'_>) -> Option<(ConditionalId, Option<GroupId>, PassSet)> {
    let cursor = &walk.cursor;
    let base = cursor.frames.last().map_or(0, |frame| frame.open);
    match cursor.conditionals.last().filter(|_| cursor.conditionals.len() > base) {
        Some(open) => {
            let left = open.outer.minus(open.taken).minus(cursor.stopped);
            Some((open.id, open.outer_group, left))
        }
        None => {
            let live = cursor.live;
            walk.recorder.problem(ProblemKind::WithoutIf(line.text()), line.span(), live);
            None
        }
    }
}

fn open_group(
    walk: &mut Walk<'_>,
    line: Line<'_>,
    conditional: ConditionalId,
    parent: Option<GroupId>,
    passes: PassSet,
) {
    let (directive, written) = (line.span(), line.written());
    let group = Group { parent, conditional, directive, written, passes };
    let id = walk.common.registry.add_group(group);
    let cursor = &mut walk.cursor;
    cursor.innermost().record.groups.push(id);
    cursor.group = Some(id);
    cursor.live = passes;
    if passes.is_empty()
        && let Some(frame) = cursor.frames.last_mut()
    {
        frame.skip_to(line.file.sections().group_end(line.index));
    }
}

// ---- conditions ----

/// The passes of `set` for which a condition is true.
fn decide(walk: &mut Walk<'_>, line: Line<'_>, form: ConditionForm, set: PassSet) -> PassSet {
    let wanted = match form {
        ConditionForm::Else => return set,
        ConditionForm::Expression => return decide_expression(walk, line, set),
        ConditionForm::Defined => true,
        ConditionForm::NotDefined => false,
    };
    let Some(name) = line.rest().first().filter(|name| name.kind == TokenKind::Identifier) else {
        walk.recorder.problem(ProblemKind::MacroNameNotIdentifier, line.span(), walk.cursor.live);
        return PassSet::EMPTY;
    };
    let definitions = walk.macros.definitions(name.text, set);
    let is_true = |definition: &Option<_>| definition.is_some() == wanted;
    let cases = definitions.cases().iter().filter(|(_, definition)| is_true(definition));
    let yes = cases.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
    add_reads(walk.cursor.innermost(), [MacroRead { name: name.text, definitions }].into());
    yes
}

fn decide_expression(walk: &mut Walk<'_>, line: Line<'_>, set: PassSet) -> PassSet {
    let plain = walk.pending.is_empty() && !walk.macros.has_changes();
    let condition = Condition::new(line, set);
    let known = walk.reuse.conditions.find(&condition, &mut walk.macros.table);
    let outcome = known.filter(|_| plain).unwrap_or_else(|| {
        let tracking = walk.macros.table.begin();
        let (outcome, reusable) = evaluate_classes(walk, line, set);
        let (table, store) = (&mut walk.macros.table, walk.macros.store);
        if plain && reusable {
            walk.reuse.conditions.add(&condition, &outcome, &tracking, table, store);
        }
        table.end(tracking);
        outcome
    });
    add_reads(walk.cursor.innermost(), outcome.reads);
    outcome.yes
}

/// The outcome of an expression for all classes of passes, and whether it depends on macros alone.
fn evaluate_classes(walk: &mut Walk<'_>, line: Line<'_>, set: PassSet) -> (Outcome, bool) {
    let mut yes = PassSet::EMPTY;
    let mut reads = Vec::new();
    let mut reusable = true;
    let mut rest = vec![set];
    while let Some(set) = rest.pop() {
        let group = walk.cursor.group;
        match evaluate(walk, line, group, set) {
            Ok((answer, mut effects)) => {
                for (name, definition) in effects.reads.take().unwrap_or_default() {
                    note_read(&mut reads, name, set, definition);
                }
                let done = carry_out(walk, &mut effects, set, line.span());
                reusable &= !effects.asserted && !done;
                if answer {
                    yes = yes.or(set);
                }
            }
            Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
        }
    }
    (Outcome { yes, reads: reads.into() }, reusable)
}

/// Adds the names that a condition of a conditional looked up.
fn add_reads(open: &mut OpenConditional, reads: Arc<[MacroRead]>) {
    let all = &mut open.record.reads;
    if all.is_empty() {
        *all = reads;
        return;
    }
    let mut merged = all.to_vec();
    for MacroRead { name, definitions } in &*reads {
        for (passes, definition) in definitions.cases() {
            note_read(&mut merged, *name, *passes, *definition);
        }
    }
    *all = merged.into();
}

fn note_read(reads: &mut Vec<MacroRead>, name: Symbol, passes: PassSet, definition: Option<DefinitionId>) {
    match reads.iter_mut().find(|read| read.name == name) {
        Some(read) => read.definitions.set(passes, definition),
        None => reads.push(MacroRead { name, definitions: ByPass::uniform(passes, definition) }),
    }
}
