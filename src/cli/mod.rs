//! The command line interface: parses arguments, runs a command, and returns the exit code.
//!
//! The only module that knows the terminal. It does not analyse code itself: it passes paths to `project`, units to
//! `analysis` and findings to `report`; for an editor it starts `lsp`.

mod arguments;
mod check;
mod configure;
mod dump;
pub mod exit_code;
mod expand;
mod explain;
mod fix;
mod git;
mod launcher;
mod manual;
mod output;
mod progress;
mod resolve;
mod targets;
mod unit;
mod version;
mod watch;
mod words;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::lsp::{self, Ended};
use crate::project::ProjectError;

pub use arguments::{Arguments, Command};

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

/// Runs the program with its arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(words::with_command(arguments)) {
        Ok(arguments) => arguments,
        // Requests for help and version arrive as errors too; clap knows their streams and exit codes (0, else 2).
        Err(error) => error.exit(),
    };
    let outcome = match arguments.command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Launcher(arguments) => launcher::launcher(*arguments),
        Command::Expand(arguments) => expand::expand(&arguments),
        Command::Dump(arguments) => dump::dump(&arguments),
        Command::Targets(arguments) => targets::targets(&arguments),
        Command::Explain { rule } => explain::explain(&rule),
        Command::Rules { format } => explain::rules(format),
        Command::Config { command } => configure::config(&command),
        Command::Init { stdout } => configure::init(stdout),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man => manual::man(),
        Command::Lsp { .. } => Ok(lsp_code(lsp::serve_stdio())),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failure) => report(failure),
    }
}

/// Prints a failure and returns its exit code.
fn report(failure: Failure) -> ExitCode {
    match failure {
        Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Failure::Output(error) => fail(&format!("failed to write the output: {error}"), ""),
        Failure::File { path, error } => fail(&format!("failed to write `{}`: {error}", path.display()), ""),
        Failure::Usage { message, help } => fail(&message, &help),
    }
}

/// The exit code that the protocol prescribes.
fn lsp_code(ended: Ended) -> u8 {
    match ended {
        Ended::Orderly => 0,
        Ended::Abruptly => 1,
    }
}

/// Prints an error and its help. Ignores a closed standard error, since nobody reads it.
fn fail(message: &str, help: &str) -> ExitCode {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "error: {message}");
    if !help.is_empty() {
        let _ = writeln!(out, "help: {help}");
    }
    ExitCode::from(exit_code::USAGE)
}
