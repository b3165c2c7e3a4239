//! Prepares the words of the command line for parsing: files of arguments, compilers' options with one dash, and the
//! command that may be omitted.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use clap::builder::Resettable;
use clap::{Args, CommandFactory};

use crate::source::read_utf8;

use super::Failure;
use super::arguments::{Arguments, CheckArguments};

/// Words that take the place of a command.
const STAND_INS: [&str; 5] = ["help", "-h", "--help", "-V", "--version"];

/// Options that compilers write with one dash; here with one or two.
const ONE_DASH: [&str; 9] =
    ["isystem", "iquote", "idirafter", "include", "imacros", "isysroot", "nostdinc", "std", "arch"];

/// The command that a misspelt word probably means.
pub(super) fn nearest_command(word: &str) -> Option<String> {
    let commands = Arguments::command();
    let alike = |name: &&str| strsim::jaro_winkler(word, name);
    let names = commands.get_subcommands().map(clap::Command::get_name);
    let near = names.max_by(|left, right| alike(left).total_cmp(&alike(right)))?;
    (alike(&near) > 0.8).then(|| near.to_string())
}

/// The command line's definition, with the options of `check` also allowed where the command is omitted.
pub(super) fn completed() -> clap::Command {
    let check = CheckArguments::augment_args(clap::Command::new("check"));
    // Conflicts with positional arguments are removed, since the top level has none.
    let free = |one: &clap::Arg| one.clone().conflicts_with(Resettable::Reset);
    let options: Vec<clap::Arg> =
        check.get_arguments().filter(|one| !one.is_positional()).map(free).collect();
    Arguments::command().args(options)
}

/// Replaces each `@file` by the words of the file, and inserts `check` if there is no command.
///
/// # Errors
/// If a file of arguments is too large.
pub(super) fn with_command(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<OsString>, Failure> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    // Words after `--` are a compiler's, which reads `@file` itself.
    let ours = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let compilers = arguments.split_off(ours);
    let ours: Vec<Vec<OsString>> = arguments.into_iter().map(words_of).collect::<Result<_, Failure>>()?;
    let mut arguments: Vec<OsString> = ours.into_iter().flatten().chain(compilers).collect();
    let commands = Arguments::command();
    let named = |word: &OsString| {
        let word = word.to_str().unwrap_or_default();
        STAND_INS.contains(&word) || commands.get_subcommands().any(|command| command.get_name() == word)
    };
    if arguments.get(1).is_some_and(|word| !named(word)) {
        arguments.insert(1, "check".into());
    }
    let ours = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let (ours, compilers) = arguments.split_at(ours);
    Ok(ours.iter().cloned().map(with_two_dashes).chain(compilers.iter().cloned()).collect())
}

/// The words in the file that `@file` names, split as by a shell. As with compilers, a word that does not name a
/// readable file stands for itself.
fn words_of(word: OsString) -> Result<Vec<OsString>, Failure> {
    let Some(file) = word.to_str().and_then(|word| word.strip_prefix('@')) else { return Ok(vec![word]) };
    match read_utf8(Path::new(file)) {
        Err(error) if error.kind() == ErrorKind::FileTooLarge => Err(Failure::Usage {
            message: format!("failed to read the arguments in `{file}`: {error}"),
            help: "`@FILE` stands for the words in a file".into(),
        }),
        read => Ok(match read.ok().and_then(|text| shlex::split(&text)) {
            Some(words) => words.into_iter().map(OsString::from).collect(),
            None => vec![word],
        }),
    }
}

/// Replaces `-isystem` by `--isystem`, and so on.
fn with_two_dashes(word: OsString) -> OsString {
    let name = word.to_str().and_then(|word| word.strip_prefix('-')).unwrap_or_default();
    let name = name.split('=').next().unwrap_or_default();
    match ONE_DASH.contains(&name) {
        true => {
            let mut long = OsString::from("-");
            long.push(word);
            long
        }
        false => word,
    }
}
