//! The directives ([cpp]), executed for the set of passes they are live in.

use crate::preprocess::condition::assertion;
use crate::preprocess::condition::line::Line;
use crate::preprocess::expand::effects::Split;
use crate::preprocess::expand::pragma::{is_for_compiler, unquoted};
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::EventKind;
use crate::source::{Span, Token, TokenKind, sym};
use crate::target::PassSet;

use super::conditionals::{ConditionForm, close_conditional, next_group, open_conditional, skip_conditional};
use super::define::{define, undefine};
use super::effects::{expand_line, pragma};
use super::include::{embed, include};
use super::walk::Walk;

/// Executes the directive whose `#` is next.
pub(crate) fn directive(walk: &mut Walk<'_>) {
    let live = walk.cursor.live;
    let Some(frame) = walk.cursor.frames.last_mut() else { return };
    let file = frame.file.clone();
    let index = frame.section;
    (frame.section, frame.next) = (index + 1, 0);
    let line = Line::new(&file, index);
    let Some(name) = line.name() else { return };
    match name.text {
        sym::IF | sym::IFDEF | sym::IFNDEF if live.is_empty() => skip_conditional(walk, line),
        sym::IF => open_conditional(walk, line, ConditionForm::Expression),
        sym::IFDEF => open_conditional(walk, line, ConditionForm::Defined),
        sym::IFNDEF => open_conditional(walk, line, ConditionForm::NotDefined),
        sym::ELIF => next_group(walk, line, ConditionForm::Expression),
        sym::ELIFDEF => next_group(walk, line, ConditionForm::Defined),
        sym::ELIFNDEF => next_group(walk, line, ConditionForm::NotDefined),
        sym::ELSE => next_group(walk, line, ConditionForm::Else),
        sym::ENDIF => close_conditional(walk, line),
        _ if live.is_empty() => {}
        sym::DEFINE => {
            if let Err(problem) = define(walk, line.rest(), line.written(), file.id) {
                walk.recorder.problem(problem, line.span(), live);
            }
        }
        sym::UNDEF => match line.rest().first() {
            Some(name) if name.kind == TokenKind::Identifier => {
                undefine(walk, name.text, Span { file: file.id, start: name.offset, end: name.end });
            }
            _ => walk.recorder.problem(ProblemKind::MacroNameNotIdentifier, line.span(), live),
        },
        sym::INCLUDE | sym::INCLUDE_NEXT | sym::IMPORT => include(walk, line, name.text),
        sym::PRAGMA => {
            if is_for_compiler(line.rest()) {
                pass_on(walk, line, line.text());
            }
            pragma(walk, line.rest(), live, line.span());
        }
        sym::ERROR => error(walk, line),
        sym::LINE => line_directive(walk, line, line.rest()),
        sym::EMBED => embed(walk, line),
        sym::IDENT => pass_on(walk, line, line.text()),
        sym::WARNING => {}
        _ => match name.text.as_str() {
            "assert" => assert(walk, line),
            "unassert" => unassert(walk, line),
            // GCC takes it for the other.
            "sccs" => pass_on(walk, line, line.text().replacen("sccs", "ident", 1)),
            _ if name.kind == TokenKind::Number => line_directive(walk, line, &line.tokens[1..]),
            _ => walk.recorder.problem(ProblemKind::UnknownDirective(name.text), line.span(), live),
        },
    }
}

/// Leaves a directive to the compiler.
fn pass_on(walk: &mut Walk<'_>, line: Line<'_>, text: String) {
    walk.recorder.record_event(walk.cursor.live, EventKind::Directive(text, line.span().loc()));
}

/// Ends the compilation of the passes that meet an `#error`. What every pass meets ends none: the program is valid, so the
/// build defines something else, and what stands behind the line is read as if it were not there.
fn error(walk: &mut Walk<'_>, line: Line<'_>) {
    let cursor = &mut walk.cursor;
    walk.recorder.problem(ProblemKind::ErrorDirective(line.text()), line.span(), cursor.live);
    walk.reuse.dependencies.mark_uncacheable();
    if cursor.live == walk.unit.passes.all() {
        return;
    }
    cursor.stopped = cursor.stopped.or(cursor.live);
    cursor.live = PassSet::EMPTY;
}

/// Executes `#line` for each class of passes.
fn line_directive(walk: &mut Walk<'_>, line: Line<'_>, operands: &[Token]) {
    let group = walk.cursor.group;
    let tokens: Vec<Tok> = operands.iter().map(|token| Tok::new(token, line.file.id, group)).collect();
    let mut rest = vec![walk.cursor.live];
    while let Some(set) = rest.pop() {
        match expand_line(walk, tokens.clone(), set, line) {
            Ok(tokens) => renumber(walk, line, set, &tokens),
            Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
        }
    }
}

fn renumber(walk: &mut Walk<'_>, line: Line<'_>, set: PassSet, tokens: &[Tok]) {
    let number = tokens.first().and_then(|token| token.text.as_str().parse::<i64>().ok());
    let plain = |token: &Tok| token.kind == TokenKind::String && token.text.as_str().starts_with('"');
    let problem = match (number, tokens.get(1)) {
        (None, _) => ProblemKind::LineNumberExpected,
        (_, Some(name)) if !plain(name) => ProblemKind::LineNameNotPlain,
        (Some(number), name) => {
            let name = name.map(|token| unquoted(token.text.as_str()));
            let directive = line.span().start;
            walk.recorder.record_event(set, EventKind::Renumber { directive, number, name: name.clone() });
            walk.reuse.dependencies.mark_uncacheable();
            return walk.lines.renumber(walk.files.sources, line.span(), set, number, name);
        }
    };
    walk.recorder.problem(problem, line.span(), set);
}

fn assert(walk: &mut Walk<'_>, line: Line<'_>) {
    match assertion::parse(line.rest()) {
        Ok((predicate, Some(answer))) => {
            // Readings do not note what is asserted.
            walk.reuse.dependencies.mark_uncacheable();
            if let Some(all) = &mut walk.assertions {
                all.assert(predicate, answer, walk.cursor.live);
            }
        }
        Ok((_, None)) => {
            walk.recorder.problem(ProblemKind::AssertionAnswerMissing, line.span(), walk.cursor.live);
        }
        Err(problem) => walk.recorder.problem(problem, line.span(), walk.cursor.live),
    }
}

fn unassert(walk: &mut Walk<'_>, line: Line<'_>) {
    match assertion::parse(line.rest()) {
        Ok((predicate, answer)) => {
            walk.reuse.dependencies.mark_uncacheable();
            if let Some(all) = &mut walk.assertions {
                all.withdraw(predicate, answer.as_ref(), walk.cursor.live);
            }
        }
        Err(problem) => walk.recorder.problem(problem, line.span(), walk.cursor.live),
    }
}
