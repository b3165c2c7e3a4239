//! The command `check`: analyses sources and reports findings.

use std::io::stdin;
use std::path::PathBuf;

use crate::source::{Sources, read_stream};

use super::arguments::CheckArguments;
use super::one_run::{begin, once};
use super::resolve::run;
use super::words::nearest_command;
use super::{Failure, fix, interrupt, watch};

/// Reports a path that does not exist, with a suggestion if it looks like a misspelt command.
fn check_paths(paths: &[PathBuf]) -> Result<(), Failure> {
    let [path] = paths.iter().take(1).filter(|path| !path.exists()).collect::<Vec<_>>()[..] else {
        return Ok(());
    };
    match path.to_str().and_then(nearest_command) {
        Some(command) => Err(Failure::Usage {
            message: format!("no such file or directory: `{}`", path.display()),
            help: format!("did you mean the command `{command}`?"),
        }),
        None => Ok(()),
    }
}

/// Runs the command. Returns the exit code.
pub(super) fn check(arguments: &CheckArguments) -> Result<u8, Failure> {
    let mut run = run(arguments)?;
    let sources = Sources::new();
    if let Some(name) = &arguments.stdin_filename {
        let bytes = read_stream(stdin().lock()).map_err(|error| Failure::Usage {
            message: format!("failed to read standard input: {error}"),
            help: "`--stdin-filename` reads one source from standard input".into(),
        })?;
        sources.overlay(name, String::from_utf8_lossy(&bytes).into_owned());
        run.paths = vec![name.clone()];
    }
    if run.paths.is_empty() {
        return Err(Failure::Usage {
            message: "no paths to analyse".into(),
            help: "pass source files or directories, or set `paths` in cuda-arch-lint.toml".into(),
        });
    }
    check_paths(&run.paths)?;
    begin(arguments, &run)?;
    if arguments.watch {
        return watch::watch(arguments, &run);
    }
    if arguments.diff == Some(None) && !arguments.fix {
        return Err(Failure::Usage {
            message: "`--diff` needs a git revision".into(),
            help: "pass one, such as `--diff origin/main`; only with `--fix`, `--diff` alone prints a patch"
                .into(),
        });
    }
    let cancel = interrupt::listen();
    if arguments.fix
        && let Some(code) = fix::fix(arguments, &run, &cancel)?
    {
        return Ok(code);
    }
    once(arguments, &run, &sources, &cancel)
}
