//! Why a command failed, and how that is printed.

use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::project::ProjectError;

use super::exit_code;

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid input. It is printed with its help; the exit code is 2.
    Usage {
        /// The reason, in lower case.
        message: String,
        /// The suggested remedy.
        help: String,
    },
    /// Output could not be written. A reader that has closed the pipe is not an error.
    Output(io::Error),
    /// A file could not be written.
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        error: io::Error,
    },
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Failure {
        Failure::Usage { message: error.to_string(), help: error.help() }
    }
}

/// Prints a failure and returns its exit code.
pub(super) fn report(failure: Failure) -> ExitCode {
    match failure {
        Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Failure::Output(error) => fail(&format!("failed to write the output: {error}"), ""),
        Failure::File { path, error } => fail(&format!("failed to write `{}`: {error}", path.display()), ""),
        Failure::Usage { message, help } => fail(&message, &help),
    }
}

/// A text in which nothing can move a terminal's cursor or change its colours: what a message quotes may be hostile.
fn harmless(text: &str) -> String {
    text.chars().map(|one| if one.is_control() && one != '\n' { '?' } else { one }).collect()
}

/// Prints an error and its help. Ignores a closed standard error, since nobody reads it.
fn fail(message: &str, help: &str) -> ExitCode {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "error: {}", harmless(message));
    if !help.is_empty() {
        let _ = writeln!(out, "help: {}", harmless(help));
    }
    ExitCode::from(exit_code::USAGE)
}
