//! What is typed, before it is taken apart: files of arguments, options with one dash, the command that may be left
//! out, and the one that may have been meant.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::{Args, CommandFactory};

use super::arguments::{Arguments, CheckArguments};

/// The options that stand in for a command.
const STAND_INS: [&str; 5] = ["help", "-h", "--help", "-V", "--version"];

/// Options that compilers spell with one dash, and we with two or with one.
const ONE_DASH: [&str; 9] =
    ["isystem", "iquote", "idirafter", "include", "imacros", "isysroot", "nostdinc", "std", "arch"];

/// The command that a word which names no file may have been meant for.
pub(super) fn nearest_command(word: &str) -> Option<String> {
    let commands = Arguments::command();
    let alike = |name: &&str| strsim::jaro_winkler(word, name);
    let names = commands.get_subcommands().map(clap::Command::get_name);
    let near = names.max_by(|left, right| alike(left).total_cmp(&alike(right)))?;
    (alike(&near) > 0.8).then(|| near.to_string())
}

/// The command line with the options of `check` where they may stand without it.
pub(super) fn completed() -> clap::Command {
    let check = CheckArguments::augment_args(clap::Command::new("check"));
    // What an option excludes may be a positional argument, which has no place before a command.
    let free = |one: &clap::Arg| one.clone().conflicts_with(Resettable::Reset);
    let options: Vec<clap::Arg> =
        check.get_arguments().filter(|one| !one.is_positional()).map(free).collect();
    Arguments::command().args(options)
}

/// The arguments with `@file` replaced by the words of that file, and `check` put in where no command stands.
pub(super) fn with_command(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    // What stands after `--` is a compiler's, whose `@file` it reads itself.
    let ours = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let compilers = arguments.split_off(ours);
    let mut arguments: Vec<OsString> = arguments.into_iter().flat_map(words_of).chain(compilers).collect();
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
    ours.iter().cloned().map(with_two_dashes).chain(compilers.iter().cloned()).collect()
}

/// The words of the file that `@file` names, as a shell splits them. As with compilers, what names no file that
/// can be read stands for itself.
fn words_of(word: OsString) -> Vec<OsString> {
    let text = word.to_str().and_then(|word| word.strip_prefix('@')).map(std::fs::read_to_string);
    match text.and_then(|text| shlex::split(&text.ok()?)) {
        Some(words) => words.into_iter().map(OsString::from).collect(),
        None => vec![word],
    }
}

/// `-isystem` as `--isystem`, and so on.
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
