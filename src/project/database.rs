//! `compile_commands.json`: what a build system says about each source
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::command::{Command, read_command};
use super::paths::tidy;

/// The file's usual name.
pub(super) const FILE_NAME: &str = "compile_commands.json";

/// One entry as written.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// One source and a command that compiles it. A source may have several.
#[derive(Debug)]
pub(super) struct Compilation {
    /// The source, tidied.
    pub(super) file: PathBuf,
    /// The command that compiles it.
    pub(super) command: Command,
}

/// Reads a database, or says in lower case why it can't be read.
pub(super) fn read(path: &Path) -> Result<Vec<Compilation>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let base = path.parent().unwrap_or(Path::new("."));
    entries.into_iter().map(|entry| compilation(entry, base)).collect()
}

fn compilation(entry: Entry, base: &Path) -> Result<Compilation, String> {
    let directory = base.join(&entry.directory);
    let arguments = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => shlex::split(&command)
            .ok_or_else(|| format!("the command for `{}` leaves a quote open", entry.file.display()))?,
        (None, None) => {
            return Err(format!("`{}` has neither `command` nor `arguments`", entry.file.display()));
        }
    };
    let command = read_command(&arguments, &directory);
    Ok(Compilation { file: tidy(&directory.join(&entry.file)), command })
}

/// The database a directory holds, in itself or in a `build*` directory of it.
pub(super) fn find(directory: &Path) -> Option<PathBuf> {
    let direct = directory.join(FILE_NAME);
    if direct.is_file() {
        return Some(direct);
    }
    let mut builds: Vec<PathBuf> = std::fs::read_dir(directory)
        .ok()?
        .filter_map(|entry| entry.ok())
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("build"))
        .map(|entry| entry.path().join(FILE_NAME))
        .filter(|path| path.is_file())
        .collect();
    builds.sort();
    builds.into_iter().next()
}
