//! The command `expand`: prints a source after preprocessing in one pass.

use std::sync::Arc;

use std::io::{Write, stderr, stdout};

use crate::preprocess::{LineMarkers, Preprocessed, preprocess_like_nvcc, print};
use crate::source::Sources;

use super::arguments::ExpandArguments;
use super::unit::unit_of;
use super::{Failure, exit_code};

/// Runs the command. Errors of the pass are printed on standard error.
pub(super) fn expand(arguments: &ExpandArguments) -> Result<u8, Failure> {
    let sources = Sources::new();
    let (unit, pass) = unit_of(&arguments.file, &arguments.build, Some(&arguments.pass), &sources)?;
    let pass = pass.expect("it was named");
    let preprocessed = preprocess_like_nvcc(&unit, &sources, &Arc::default());
    let markers = if arguments.no_line_markers { LineMarkers::LeftOut } else { LineMarkers::Written };
    stdout().lock().write_all(print(&preprocessed, pass, markers, &sources).as_bytes())?;
    Ok(print_problems(&preprocessed, pass, &sources))
}

/// Prints the errors of the pass and returns the exit code. Ignores a closed standard error, since nobody reads it.
fn print_problems(preprocessed: &Preprocessed, pass: usize, sources: &Sources) -> u8 {
    let mut out = stderr().lock();
    for problem in preprocessed.problems.iter().filter(|problem| problem.passes.has(pass)) {
        let file = sources.file(problem.at.file);
        let line = file.line_column(problem.at.start).line;
        let _ = writeln!(out, "{}:{line}: {}", file.path.display(), problem.message());
    }
    let mut missing: Vec<&str> = Vec::new();
    for one in preprocessed.missing.iter().filter(|one| one.passes.has(pass)) {
        if !missing.contains(&one.header.as_str()) {
            missing.push(&one.header);
        }
    }
    if !missing.is_empty() {
        let _ = writeln!(out, "headers not found: {}", missing.join(", "));
    }
    let incomplete = |passes: crate::target::PassSet, incomplete: bool| incomplete && passes.has(pass);
    let left_out =
        preprocessed.problems.iter().any(|problem| incomplete(problem.passes, problem.kind.leaves_out()));
    if left_out || preprocessed.stopped.has(pass) { exit_code::INCOMPLETE } else { exit_code::CLEAN }
}
