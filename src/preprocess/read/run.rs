//! The walk over a unit from its first file to its end.
//!
//! In: a unit, and which of its passes. Out: [`Preprocessed`]. Text that needs no expansion is emitted here; the rest is
//! pulled ([`super::pull`]).

use std::path::Path;
use std::sync::Arc;

use crate::preprocess::expand::definition::{BodyToken, Macro, Meaning};
use crate::preprocess::expand::host::Raw;
use crate::preprocess::keep::common::Common;
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::{Expansion, ExpansionId};
use crate::preprocess::result::unit::Preprocessed;
use crate::project::TranslationUnit;
use crate::source::{Sources, Span, Token, TokenKind};
use crate::target::{CudaCompiler, PassSet};

use super::cursor::{Frame, WORK_OF_MADE};
use super::define::predefine;
use super::enter::{Entry, enter, enter_main};
use super::pull::{Pulled, catch_up, is_plain, step, tokens_left};
use super::search::Found;
use super::survey::Survey;
use super::walk::Walk;

/// How a unit is walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// All text; CUDA's keywords are not expanded.
    Full,
    /// All text; CUDA's keywords are expanded where headers define them.
    ExpandKeywords,
    /// Text that can't matter to directives is left out.
    Survey,
}

/// Walks a unit for some of its passes.
pub(crate) fn run(
    unit: &TranslationUnit,
    sources: &Sources,
    common: &Common,
    passes: PassSet,
    mode: Mode,
) -> Preprocessed {
    let mut walk = Walk::new(unit, sources, common, passes);
    predefine(&mut walk);
    match mode {
        Mode::Full => {}
        Mode::ExpandKeywords => walk.macros.expand_keywords(),
        Mode::Survey => walk.survey = Some(Survey::new()),
    }
    enter_main(&mut walk);
    read_first(&mut walk);
    read_to(&mut walk, 0);
    if walk.survey.is_some_and(|survey| survey.torn) {
        return run(unit, sources, common, passes, Mode::Full);
    }
    Preprocessed::new(common.registry.clone(), Arc::new(walk.recorder.out), walk.cursor.stopped)
}

/// Reads the files before the main file: those of `-imacros`, nvcc's `-include cuda_runtime.h`, and those of
/// `-include`.
fn read_first(walk: &mut Walk<'_>) {
    let unit = walk.unit;
    // nvcc includes the runtime's header itself; clang's wrapper, one of the forced, does so in its own way.
    let wrapped = unit.options.cuda == CudaCompiler::Clang && !unit.search.forced.is_empty();
    for path in &unit.search.macros {
        let found = walk.files.resolver.forced(path);
        read_one_first(walk, found, path, true);
    }
    let runtime = walk.files.resolver.angled("cuda_runtime.h", None).filter(|_| !wrapped);
    if runtime.is_some() {
        read_one_first(walk, runtime, Path::new("cuda_runtime.h"), false);
    }
    for path in &unit.search.forced {
        let found = walk.files.resolver.forced(path);
        read_one_first(walk, found, path, false);
    }
}

fn read_one_first(walk: &mut Walk<'_>, found: Option<Found>, path: &Path, macros_only: bool) {
    let Some(main) = walk.cursor.frames.first() else { return };
    let (depth, set) = (walk.cursor.frames.len(), walk.cursor.live);
    let start = Span { file: main.file.id, start: 0, end: 0 };
    let Some(Found { file, next_directory, system }) = found else {
        let name = path.display().to_string();
        walk.recorder.problem(ProblemKind::ForcedIncludeMissing(name.clone()), start, set);
        return walk.recorder.missing(format!("\"{name}\""), start, set);
    };
    match file {
        Ok(file) => {
            let (level, directive) = (1, None);
            enter(walk, Entry { file, set, next_directory, level, directive, system, macros_only });
            read_to(walk, depth);
        }
        Err(error) => {
            let problem = ProblemKind::FileUnreadable(format!("`{}`", path.display()), error.to_string());
            walk.recorder.problem(problem, start, set);
        }
    }
}

/// Reads until no more than `depth` files are open.
fn read_to(walk: &mut Walk<'_>, depth: usize) {
    while walk.cursor.frames.len() > depth {
        emit_plain(walk);
        let raw = match step(walk) {
            Pulled::Token(raw) => raw,
            Pulled::Passed => continue,
            Pulled::End => return,
        };
        if is_plain(walk, &raw.token) {
            walk.recorder.emit(&raw.token, raw.set);
        } else if !emit_object(walk, &raw) {
            walk.pending.tokens.push_front(raw);
        }
        if !walk.pending.is_empty() {
            catch_up(walk);
        }
    }
}

/// Emits the tokens that come before the next directive up to one that may become something else.
fn emit_plain(walk: &mut Walk<'_>) {
    let left = tokens_left(walk);
    let cursor = &mut walk.cursor;
    let Some(frame) = cursor.frames.last_mut() else { return };
    let passed = frame.macros_only || frame.next == Frame::PASSED;
    if cursor.live.is_empty() || passed || walk.survey.is_some() {
        return;
    }
    let tokens = frame.file.run(frame.section).get(frame.next..).unwrap_or_default();
    let tokens = &tokens[..tokens.len().min(left)];
    let macros = &mut walk.macros;
    let acts = |token: &Token| match token.kind {
        TokenKind::String | TokenKind::Character => frame.has_suffix(token),
        _ => macros.table.has_token(token) && !macros.is_keyword(token.text),
    };
    let count = tokens.iter().position(acts).unwrap_or(tokens.len());
    if count > 0 {
        let part = frame.next..frame.next + count;
        walk.recorder.out.tokens.extend(&frame.file, frame.section, part, cursor.group, cursor.live);
        frame.next += count;
        cursor.work += count;
        cursor.directive_seen = false;
        cursor.lowest = usize::MAX;
    }
}

/// Emits the replacement of a macro's name, if that needs no expander: the macro is object-like, all passes agree on
/// it, and no token of its replacement list can become anything else. Whether it is so.
fn emit_object(walk: &mut Walk<'_>, head: &Raw) -> bool {
    if !walk.pending.is_idle() {
        return false;
    }
    let macros = &mut walk.macros;
    let mut cases = macros.table.look_up(head.token.text).iter();
    let Some((_, id)) = cases.find(|(passes, _)| passes.contains(head.set)).copied() else {
        return false;
    };
    let Macro { definition, meaning: Meaning::Object, pastes: false, body, .. } = macros.get(id) else {
        return false;
    };
    let acts = |token: &BodyToken| token.kind == TokenKind::Identifier && macros.may_be_macro(token.text);
    if body.iter().any(acts) {
        return false;
    }
    let (definition, invoked) = (*definition, head.token.spelled);
    let expansions = &mut walk.recorder.out.expansions;
    let expansion = ExpansionId::new(expansions.len());
    expansions.push(Expansion { parent: None, definition, invoked, passes: head.set });
    walk.cursor.work += WORK_OF_MADE * body.len();
    for (index, token) in body.iter().enumerate() {
        let mut token = token.in_place_of(&head.token, expansion);
        if index == 0 {
            (token.space, token.line_start) = (head.token.space, head.token.line_start);
        }
        walk.recorder.emit(&token, head.set);
    }
    true
}
