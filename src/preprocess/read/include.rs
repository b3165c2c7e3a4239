//! Source file inclusion ([cpp.include]) and `#embed`, for each class of passes that names the same file.

use std::path::Path;

use crate::preprocess::condition::embed::{EmbedError, Embedded, embedded};
use crate::preprocess::condition::line::{Header, Line, header_of, written_header};
use crate::preprocess::expand::effects::Split;
use crate::preprocess::expand::table::fingerprint;
use crate::preprocess::result::problem::ProblemKind;
use crate::source::{BUILT_IN, Symbol, sym};
use crate::target::PassSet;

use super::effects::{expand_line, read_once};
use super::enter::{Entry, enter};
use super::walk::Walk;

/// GCC's limit on includes inside includes.
const INCLUDE_LIMIT: usize = 200;

/// Executes `#include`, `#include_next` or `#import`.
pub(crate) fn include(walk: &mut Walk<'_>, line: Line<'_>, directive: Symbol) {
    let level = walk.cursor.level() + 1;
    if level > INCLUDE_LIMIT {
        let problem = ProblemKind::IncludeLimit(INCLUDE_LIMIT);
        return walk.recorder.problem(problem, line.span(), walk.cursor.live);
    }
    let frame = walk.cursor.frames.len() - 1;
    // Entered last is read first, so that the classes are read in the order they were found.
    for (set, header) in headers(walk, line).into_iter().rev() {
        match header {
            Some(header) => include_header(walk, line, directive, &header, (set, level), frame),
            None => walk.recorder.problem(ProblemKind::IncludeSyntax, line.span(), set),
        }
    }
}

/// The header that the directive names, for each class of passes.
fn headers(walk: &mut Walk<'_>, line: Line<'_>) -> Vec<(PassSet, Option<Header>)> {
    if let Some(header) = written_header(line) {
        return vec![(walk.cursor.live, Some(header))];
    }
    let tokens = line.operands(walk.cursor.group);
    let mut found: Vec<(PassSet, Option<Header>)> = Vec::new();
    let mut rest = vec![walk.cursor.live];
    while let Some(set) = rest.pop() {
        match expand_line(walk, tokens.clone(), set, line) {
            Ok(tokens) => {
                let header = header_of(&tokens);
                match found.iter_mut().find(|(_, known)| *known == header) {
                    Some((passes, _)) => *passes = passes.or(set),
                    None => found.push((set, header)),
                }
            }
            Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
        }
    }
    found
}

/// Enters the header for the passes of `set`; `frame` is the number of the including file.
fn include_header(
    walk: &mut Walk<'_>,
    line: Line<'_>,
    directive: Symbol,
    header: &Header,
    (set, level): (PassSet, usize),
    frame: usize,
) {
    let Some(found) = walk.files.find_header(header, directive, &walk.cursor.frames[frame]) else {
        return walk.recorder.missing(header.spelled(), line.span(), set);
    };
    let file = match found.file {
        Ok(file) => file,
        Err(error) => {
            let problem = ProblemKind::FileUnreadable(header.spelled(), error.to_string());
            return walk.recorder.problem(problem, line.span(), set);
        }
    };
    let known = walk.files.read_once(&file);
    walk.reuse.dependencies.note_included(&file, known, &walk.macros.table);
    let set = set.minus(known);
    if set.is_empty() {
        return;
    }
    if directive == sym::IMPORT {
        read_once(walk, &file, set);
    }
    let (next_directory, system, directive) = (found.next_directory, found.system, Some(line.span()));
    // What `-imacros` names includes for macros only.
    let macros_only = walk.cursor.frames[frame].macros_only;
    enter(walk, Entry { file, set, next_directory, level, directive, system, macros_only });
}

/// Executes `#embed`: its text is read like a header, so that it may stand wherever one may.
pub(crate) fn embed(walk: &mut Walk<'_>, line: Line<'_>) {
    let level = walk.cursor.level() + 1;
    let macros_only = walk.cursor.frames.last().is_some_and(|frame| frame.macros_only);
    let mut found: Vec<(PassSet, Embedded)> = Vec::new();
    let mut rest = vec![walk.cursor.live];
    while let Some(set) = rest.pop() {
        match resource(walk, line, set) {
            Ok(one) => match found.iter_mut().find(|(_, known)| known.text == one.text) {
                Some((passes, _)) => *passes = passes.or(set),
                None => found.push((set, one)),
            },
            Err(EmbedError::Split(Split(part))) => rest.extend([set.minus(part), set.and(part)]),
            Err(EmbedError::Missing(header)) => walk.recorder.missing(header.spelled(), line.span(), set),
            Err(EmbedError::Bad(problem)) => walk.recorder.problem(problem, line.span(), set),
        }
    }
    for (set, Embedded { path, text, .. }) in found.into_iter().rev() {
        let name = format!("embed-{:016x}", fingerprint(&text));
        let name = Path::new(BUILT_IN).join(name).join(path.file_name().unwrap_or_default());
        let file = walk.files.sources.add(&name, text);
        let (next_directory, system, directive) = (0, false, Some(line.span()));
        enter(walk, Entry { file, set, next_directory, level, directive, system, macros_only });
    }
}

/// The text that the directive embeds. Its line is expanded unless a resource's name begins it.
fn resource(walk: &mut Walk<'_>, line: Line<'_>, set: PassSet) -> Result<Embedded, EmbedError> {
    let mut tokens = line.operands(walk.cursor.group);
    if written_header(line).is_none() {
        tokens = expand_line(walk, tokens, set, line)?;
    }
    let find = |walk: &mut Walk<'_>, header: &Header| walk.files.find_resource(header, line.file);
    embedded(walk, &tokens, line, set, find)
}
