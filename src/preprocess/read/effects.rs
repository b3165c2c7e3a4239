//! The effects of expansions and the pragmas of directives, carried out; and a directive's line expanded.

use std::sync::Arc;

use crate::preprocess::condition::line::Line;
use crate::preprocess::expand::effects::{Effects, Settled, Split};
use crate::preprocess::expand::host::EndOfLine;
use crate::preprocess::expand::pragma::Pragma;
use crate::preprocess::expand::reader::Expander;
use crate::preprocess::expand::token::Tok;
use crate::source::{SourceFile, Span, Token, lex};
use crate::target::PassSet;

use super::define::{pop_macro, push_macro};
use super::walk::Walk;

/// Carries out the effects of an expansion for `set`, as far as that is not done; whether anything was left to do.
pub(crate) fn carry_out(walk: &mut Walk<'_>, effects: &mut Effects, set: PassSet, at: Span) -> bool {
    let done = Settled {
        counted: effects.counted.clone(),
        pragmas: effects.pragmas.len(),
        problems: effects.problems.len(),
    };
    let before = std::mem::replace(&mut effects.settled, done);
    if before == effects.settled {
        return false;
    }
    walk.macros.count(set, effects.counted.len() - before.counted.len());
    for problem in &effects.problems[before.problems..] {
        walk.recorder.problem(problem.clone(), at, set);
    }
    for content in &effects.pragmas[before.pragmas..] {
        pragma(walk, &lex(content), set, at);
    }
    true
}

/// Carries out the pragma of these tokens, if it is the preprocessor's.
pub(crate) fn pragma(walk: &mut Walk<'_>, tokens: &[Token], set: PassSet, at: Span) {
    match Pragma::parse(tokens) {
        Some(Pragma::Once) => {
            let file = walk.files.sources.file(at.file);
            read_once(walk, &file, set);
        }
        Some(Pragma::PushMacro(name)) => push_macro(walk, name, set),
        Some(Pragma::PopMacro(name)) => pop_macro(walk, name, set),
        None => {}
    }
}

/// Puts `file` under `#pragma once` for the passes of `set`.
pub(crate) fn read_once(walk: &mut Walk<'_>, file: &Arc<SourceFile>, set: PassSet) {
    let known = walk.files.read_once(file);
    let (dependencies, table) = (&mut walk.reuse.dependencies, &walk.macros.table);
    dependencies.note_included(file, known, table);
    dependencies.note_once(file, set, table);
    walk.files.add_once(file, set);
}

/// The tokens of a directive's line expanded for `set`, which must be one class.
pub(crate) fn expand_line(
    walk: &mut Walk<'_>,
    tokens: Vec<Tok>,
    set: PassSet,
    line: Line<'_>,
) -> Result<Vec<Tok>, Split> {
    let expansions = walk.recorder.out.expansions.len();
    let mut expander: Expander<'_, '_, _, EndOfLine> = Expander::on_line(walk, set);
    expander.feed(tokens);
    let mut out = Vec::new();
    let ended = loop {
        match expander.next_expanded() {
            Ok(Some(token)) if token.is_pragma() => {}
            Ok(Some(token)) => out.push(token),
            Ok(None) => break Ok(()),
            Err(split) => break Err(split),
        }
    };
    let mut effects = expander.end();
    walk.recorder.out.expansions.truncate(expansions);
    ended?;
    carry_out(walk, &mut effects, set, line.span());
    Ok(out)
}
