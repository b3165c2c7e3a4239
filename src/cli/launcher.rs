//! The command `launcher`: lints the sources of a compile command and then runs it, for build systems that can
//! start the compiler through another program (`CMAKE_CUDA_COMPILER_LAUNCHER`).
//!
//! The command is read like an entry of a compilation database. Findings go to standard error; the compiler's output
//! and exit code are passed on, unless `--fail` is given and there are findings.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::cancel::CancelFlag;
use crate::source::Sources;

use super::arguments::LauncherArguments;
use super::output::To;
use super::{Failure, exit_code, one_run, output, resolve};

/// Options with which a compiler does not compile.
const NO_COMPILATION: [&str; 11] = [
    "-E",
    "-M",
    "-MM",
    "--generate-dependencies",
    "--preprocess",
    "-V",
    "--version",
    "-h",
    "--help",
    "-dryrun",
    "--dryrun",
];

/// Extensions of files that a compiler treats as CUDA only if an option says so.
const ANY_SOURCE: [&str; 4] = [".cpp", ".cc", ".cxx", ".c"];

/// Runs the command: lints the sources, then runs the compiler. Returns the exit code.
pub(super) fn launcher(mut arguments: LauncherArguments) -> Result<u8, Failure> {
    let compiler = std::mem::take(&mut arguments.command);
    let fail = arguments.fail;
    let found = match sources(&compiler) {
        sources if sources.is_empty() => exit_code::CLEAN,
        sources => match lint(arguments, &compiler, sources) {
            Ok(code) => code,
            // A failure of the linter must not stop the build.
            Err(failure) if !fail => {
                let _ = super::failure::report(failure);
                exit_code::CLEAN
            }
            Err(failure) => return Err(failure),
        },
    };
    let code = run(&compiler)?;
    Ok(if code == 0 && fail { found } else { code })
}

/// The CUDA sources in a compile command.
pub(super) fn sources(compiler: &[OsString]) -> Vec<String> {
    let words: Vec<&str> = compiler.iter().skip(1).filter_map(|word| word.to_str()).collect();
    if words.iter().any(|word| NO_COMPILATION.contains(word)) {
        return Vec::new();
    }
    let cuda = words.windows(2).any(|pair| matches!(pair[0], "-x" | "--x") && pair[1] == "cu")
        || words.iter().any(|word| matches!(*word, "-xcu" | "-x=cu" | "--x=cu"));
    let known = |word: &&&str| {
        let ends = |extensions: &[&str]| extensions.iter().any(|extension| word.ends_with(extension));
        !word.starts_with('-') && (ends(crate::project::SOURCE_EXTENSIONS) || cuda && ends(&ANY_SOURCE))
    };
    words.iter().filter(known).filter(|word| Path::new(word).is_file()).map(|word| word.to_string()).collect()
}

/// The findings in these sources, on standard error.
fn lint(arguments: LauncherArguments, compiler: &[OsString], sources: Vec<String>) -> Result<u8, Failure> {
    let database = database(compiler, &sources)?;
    let mut check = arguments.check;
    check.paths = sources.into_iter().map(Into::into).collect();
    check.build.database = Some(database.path().to_path_buf());
    check.report.quiet = true;
    let mut run = resolve::run(&check)?;
    // The command's targets override those of the configuration file, which may be for other builds.
    run.settings.targets = check.build.arch.clone();
    for output in run.reporting.outputs.iter_mut().filter(|output| output.to == To::Stdout) {
        output.to = To::Stderr;
    }
    one_run::once(&check, &run, &Sources::new(), &CancelFlag::default())
}

/// A compilation database in which each source has the command as its entry.
pub(super) fn database(
    compiler: &[OsString],
    sources: &[String],
) -> Result<tempfile::NamedTempFile, Failure> {
    let directory = std::env::current_dir()?;
    let words: Vec<String> = compiler.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let entries: Vec<_> = sources
        .iter()
        .map(|file| serde_json::json!({ "directory": directory, "file": file, "arguments": words }))
        .collect();
    let database = tempfile::Builder::new().prefix("cuda-arch-lint-").suffix(".json").tempfile()?;
    output::write_file(database.path(), |out| serde_json::to_writer(out, &entries).map_err(io::Error::from))?;
    Ok(database)
}

/// Runs the compiler and returns its exit code.
fn run(compiler: &[OsString]) -> Result<u8, Failure> {
    let status =
        Command::new(&compiler[0]).args(&compiler[1..]).status().map_err(|error| Failure::Usage {
            message: format!("failed to run `{}`: {error}", compiler[0].display()),
            help: "put the compiler's command after `--`: `cuda-arch-lint launcher -- nvcc -c a.cu`".into(),
        })?;
    let code = status.code().unwrap_or_else(|| ended_by_signal(status));
    Ok(u8::try_from(code).unwrap_or(1))
}

/// The exit code that a shell gives to a command that was ended by a signal.
fn ended_by_signal(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).unwrap_or(0);
    #[cfg(not(unix))]
    let signal = i32::from(status.success());
    128 + signal
}
