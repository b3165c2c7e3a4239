//! The command line interface: parses arguments, runs a command, and returns the exit code.
//!
//! The only module that knows the terminal. It does not analyse code itself: it passes paths to `project`, units to
//! `analysis` and findings to `report`; for an editor it starts `lsp`.

pub mod exit_code;
mod version;
mod interrupt;
mod progress;
mod stream;
mod timings;
mod failure;
mod git;
mod output;
mod arguments;
mod words;
mod resolve;
mod conclude;
mod built;
mod unit;
mod one_run;
mod fix;
mod watch;
mod check;
mod launcher;
mod summarize;
mod judge;
mod audit;
mod expand;
mod kernel_list;
mod dump;
mod targets;
mod explain;
mod examples;
mod configure;
mod demo;
mod manual;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use crate::lsp::{self, Ended};

pub use arguments::{Arguments, Command};
pub use failure::Failure;

use arguments::RulesCommand;
use failure::report;

/// Runs the program with its arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words = match words::with_command(arguments) {
        Ok(words) => words,
        Err(failure) => return report(failure),
    };
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        // Requests for help and version arrive as errors too; clap knows their streams and exit codes (0, else 2).
        Err(error) => error.exit(),
    };
    let outcome = match arguments.command {
        Command::Check(mut arguments) => {
            arguments.take_path_from_diff();
            check::check(&arguments)
        }
        Command::Launcher(arguments) => launcher::launcher(*arguments),
        Command::Audit(arguments) => audit::audit(&arguments),
        Command::Summarize(arguments) => summarize::summarize(*arguments),
        Command::Judge(arguments) => judge::judge(*arguments),
        Command::Expand(arguments) => expand::expand(&arguments),
        Command::Dump(arguments) => dump::dump(&arguments),
        Command::Targets(arguments) => targets::targets(&arguments),
        Command::Explain { rule, configuration } => explain::explain(&rule, &configuration),
        Command::Rules(arguments) => match &arguments.command {
            Some(RulesCommand::Test { files, configuration }) => examples::test(files, configuration),
            None => explain::rules(arguments.format, &arguments.configuration),
        },
        Command::Config { command } => configure::config(&command),
        Command::Demo { directory } => demo::demo(&directory),
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

/// The exit code that the protocol prescribes.
fn lsp_code(ended: Ended) -> u8 {
    match ended {
        Ended::Orderly => 0,
        Ended::Abruptly => 1,
    }
}
