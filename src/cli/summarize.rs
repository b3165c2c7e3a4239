//! The command `summarize`: the first step of `check`, whose results are files.
//!
//! In: units, as `check` finds them or as a compiler's command describes them. Out: a summary for each, written completely
//! or not at all, and with `--depfile` the files that it rests on.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::analysis::{Context, SummaryError, UnitSummary, help, summarise};
use crate::project::{ByName, TranslationUnit, UnitKind, discover};
use crate::source::Sources;

use super::arguments::{CheckArguments, SummarizeArguments};
use super::{Failure, exit_code, interrupt, launcher, one_run, output, resolve};

/// The ending of a summary's name.
pub(super) const ENDING: &str = ".summary";

/// Runs the command. Returns the exit code.
pub(super) fn summarize(arguments: SummarizeArguments) -> Result<u8, Failure> {
    let SummarizeArguments {
        paths,
        into,
        output: file,
        depfile,
        only_named_directories,
        link_group,
        exclude,
        jobs,
        cache,
        build,
        command,
    } = arguments;
    let mut check = CheckArguments { paths, cache, build, ..CheckArguments::default() };
    check.triage.findings.exclude = exclude;
    let database = (!command.is_empty()).then(|| of_command(&mut check, &command)).transpose()?;
    let mut run = resolve::run(&check)?;
    if only_named_directories {
        run.settings.by_name = ByName::NotFound;
    }
    if run.paths.is_empty() {
        return Err(Failure::Usage {
            message: "no paths to summarize".into(),
            help: "pass source files or directories, or a compiler's command after `--`".into(),
        });
    }
    if let Some(jobs) = jobs {
        let _ = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build_global();
    }
    let sources = Sources::new();
    let mut project = discover(&run.paths, &run.settings, &sources)?;
    drop(database);
    let wanted = |unit: &TranslationUnit| !run.policy.exclude.has(&unit.main);
    project.units.retain(wanted);
    project.headers.retain(wanted);
    let mut units = project.all_units();
    units.iter_mut().for_each(|unit| unit.groups.extend(link_group.iter().cloned()));
    // A header that is named itself is a source.
    let sources_of = units.iter().filter(|unit| unit.kind == UnitKind::Source).count();
    if let (Some(file), true) = (&file, units.len() != 1) {
        return Err(Failure::Usage {
            message: format!("{} units can't be written to one file, `{}`", units.len(), file.display()),
            help: match sources_of {
                0 => "name one source".into(),
                _ => "name one source that is compiled in one way, or write a file for each: `--into DIRECTORY`"
                    .into(),
            },
        });
    }
    let context = Context { arch_source: run.arch_source.clone(), problems: project.problems.clone() };
    let cancel = interrupt::listen();
    let cache = one_run::cache(&check.cache)?;
    let summaries = summarise(&units, &sources, &(), &cancel, cache.as_ref());
    if let Some(directory) = &into {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::File { path: directory.clone(), error })?;
    }
    for (unit, summary) in &summaries.units {
        let bytes = summary.to_bytes(unit, &context, &sources, &summaries.lookups);
        let bytes = bytes.map_err(|error| failure(&unit.main, &error))?;
        let path = match (&file, &into) {
            (Some(file), _) => file.clone(),
            (None, Some(directory)) => directory.join(name_of(unit, summary)),
            (None, None) => unreachable!("one of the two is required"),
        };
        write(&path, &bytes)?;
        if let Some(depfile) = &depfile {
            write(depfile, rule_of(&path, summary, &sources).as_bytes())?;
        }
    }
    Ok(if cancel.is_set() { exit_code::INTERRUPTED } else { exit_code::CLEAN })
}

/// Takes the unit and its options from a compiler's command. Returns the database of one entry that stands for it.
fn of_command(check: &mut CheckArguments, command: &[OsString]) -> Result<tempfile::NamedTempFile, Failure> {
    let found = launcher::sources(command);
    if found.is_empty() {
        return Err(Failure::Usage {
            message: "the command after `--` compiles no CUDA source".into(),
            help: "the form is `cuda-arch-lint summarize -o a.summary -- nvcc -c a.cu -o a.o`".into(),
        });
    }
    let database = launcher::database(command, &found)?;
    check.paths = found.into_iter().map(Into::into).collect();
    check.build.database = Some(database.path().to_path_buf());
    Ok(database)
}

fn failure(path: &Path, error: &SummaryError) -> Failure {
    Failure::Usage {
        message: format!("failed to summarize `{}`: {error}", path.display()),
        help: help(error, None),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    output::write_file(path, |out| out.write_all(bytes))
        .map_err(|error| Failure::File { path: path.to_path_buf(), error })
}

/// The name of a unit's file: that of its source, and what tells it from others of that name.
fn name_of(unit: &TranslationUnit, summary: &UnitSummary) -> PathBuf {
    let name = unit.main.file_name().unwrap_or_default().to_string_lossy();
    let key: String = summary.head.key.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("{name}-{key}{ENDING}").into()
}

/// A rule of a makefile: the output depends on all that was read. The output is spelled as on the command line, which is how the
/// build tool knows it: for Ninja and make, another spelling is another file. What was read is absolute, since a build tool may
/// run the command in a directory that is not its own.
fn rule_of(output: &Path, summary: &UnitSummary, sources: &Sources) -> String {
    let mut rule = format!("{}:", escaped(output));
    for file in summary.files().map(|file| sources.file(file)).filter(|file| !file.built_in()) {
        let path = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
        rule += &format!(" \\\n  {}", escaped(&path));
    }
    rule + "\n"
}

/// A path as makefiles and Ninja read it.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
}
