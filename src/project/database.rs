//! Compilation databases (`compile_commands.json`): a build system's command for each source
//! (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).

use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::source::read_utf8;

use super::command::{Command, read_command};
use super::paths::tidy;

/// The usual name of the file.
pub(super) const FILE_NAME: &str = "compile_commands.json";

/// An entry of the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<String>,
}

/// A source and a command that compiles it. A source may have several.
#[derive(Debug)]
pub(super) struct Compilation {
    /// The source, with its path tidied.
    pub(super) file: PathBuf,
    /// The command that compiles it.
    pub(super) command: Command,
    /// The byte range in the database that names the targets; that of the whole entry if nothing names any.
    pub(super) bytes: Range<usize>,
    /// The object directory of the CMake target it belongs to.
    pub(super) group: Option<PathBuf>,
}

/// A database that was read.
#[derive(Debug)]
pub(super) struct Database {
    /// The file.
    pub(super) path: PathBuf,
    /// The entries that could be read, in their order.
    pub(super) compilations: Vec<Compilation>,
    /// The faults of the others, each one sentence in lower case without a full stop.
    pub(super) problems: Vec<String>,
}

/// Reads a database. An entry that can't be read costs that entry alone. The error, if the file is none, is a reason in
/// lower case.
pub(super) fn read(path: &Path) -> Result<Database, String> {
    let text = read_utf8(path).map_err(|error| error.to_string())?;
    let entries: Vec<&RawValue> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let base = path.parent().unwrap_or(Path::new("."));
    let mut from = 0;
    // The line of the place up to which line breaks were counted.
    let (mut line, mut counted) = (1, 0);
    let mut database = Database { path: path.to_path_buf(), compilations: Vec::new(), problems: Vec::new() };
    for entry in entries {
        let written = entry.get();
        from += text[from..].find(written).expect("an entry is a part of the text");
        match compilation(written, from, base) {
            Ok(compilation) => database.compilations.push(compilation),
            Err(reason) => {
                line += text[counted..from].matches('\n').count();
                counted = from;
                database.problems.push(format!("the entry at line {line} is left out: {reason}"));
            }
        }
        from += written.len();
    }
    Ok(database)
}

/// The compilation of the entry that begins at byte `at` of the database.
fn compilation(written: &str, at: usize, base: &Path) -> Result<Compilation, String> {
    // The place that the error gives is one within the entry.
    let reason = |error: serde_json::Error| {
        let sentence = error.to_string();
        sentence.split(" at line ").next().unwrap_or(&sentence).to_string()
    };
    let entry: Entry = serde_json::from_str(written).map_err(reason)?;
    let directory = base.join(&entry.directory);
    let arguments = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => shlex::split(&command)
            .ok_or_else(|| format!("a quote is not closed in the command for `{}`", entry.file.display()))?,
        (None, None) => {
            return Err(format!("`{}` has neither `command` nor `arguments`", entry.file.display()));
        }
    };
    let command = read_command(&arguments, &directory);
    let word = command.target_word.as_deref().and_then(|word| Some((written.find(word)?, word.len())));
    let (start, length) = word.unwrap_or((0, written.len()));
    let output = entry.output.as_ref().or(command.output.as_ref());
    Ok(Compilation {
        file: tidy(&directory.join(&entry.file)),
        bytes: at + start..at + start + length,
        group: output.and_then(|output| cmake_target(&directory.join(output))),
        command,
    })
}

/// The directory in which CMake keeps the objects of the target that an object file belongs to:
/// `lib/CMakeFiles/kernels.dir` for `lib/CMakeFiles/kernels.dir/src/a.cu.o`.
pub(super) fn cmake_target(object: &Path) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = object.components().collect();
    let of_target = |pair: &[Component<'_>]| {
        pair[0].as_os_str() == "CMakeFiles" && pair[1].as_os_str().to_string_lossy().ends_with(".dir")
    };
    let at = parts.windows(2).position(of_target)?;
    Some(tidy(&parts[..at + 2].iter().collect::<PathBuf>()))
}

/// The database in a directory, or in a `build*` directory of it.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The words that name each entry's targets, and the directory of its CMake target.
    fn check(text: &str, expected: &[(&str, &str)]) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE_NAME);
        std::fs::write(&path, text).unwrap();
        let Database { compilations, problems, .. } = read(&path).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        let found: Vec<(&str, String)> = compilations
            .iter()
            .map(|one| {
                let group = one.group.as_ref().map(|group| group.strip_prefix(directory.path()).unwrap());
                (&text[one.bytes.clone()], group.map_or(String::new(), |group| group.display().to_string()))
            })
            .collect();
        let expected: Vec<(&str, String)> =
            expected.iter().map(|(word, group)| (*word, group.to_string())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_words_that_name_targets_have_a_place() {
        check(
            r#"[{"directory": ".", "file": "a.cu", "command": "nvcc \"--generate-code=arch=compute_80,code=[sm_80]\" -c a.cu"},
                {"directory": ".", "file": "b.cu", "arguments": ["nvcc", "-gencode", "arch=compute_90,code=sm_90", "b.cu"]}]"#,
            &[("--generate-code=arch=compute_80,code=[sm_80]", ""), ("-gencode", "")],
        );
        let plain = r#"{"directory": ".", "file": "a.cu", "command": "nvcc -c a.cu"}"#;
        check(&format!("[ {plain}, {plain} ]"), &[(plain, ""), (plain, "")]);
    }

    #[test]
    fn a_bad_entry_costs_that_entry() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE_NAME);
        let text = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -c a.cu"},
            {"directory": ".", "file": "b.cu", "arguments": 5},
            {"directory": ".", "file": "c.cu", "command": "nvcc \"-c c.cu"},
            {"directory": ".", "file": "d.cu"}, 7,
            {"directory": ".", "file": "e.cu", "command": "nvcc -c e.cu"}]"#;
        std::fs::write(&path, text).unwrap();
        let Database { compilations, problems, .. } = read(&path).unwrap();
        let files: Vec<_> = compilations.iter().map(|one| one.file.file_name().unwrap()).collect();
        assert_eq!(files, ["a.cu", "e.cu"]);
        assert_eq!(
            problems,
            [
                "the entry at line 2 is left out: invalid type: integer `5`, expected a sequence",
                "the entry at line 3 is left out: a quote is not closed in the command for `c.cu`",
                "the entry at line 4 is left out: `d.cu` has neither `command` nor `arguments`",
                "the entry at line 4 is left out: invalid type: integer `7`, expected struct Entry",
            ]
        );
    }

    #[test]
    fn the_objects_of_a_cmake_target_lie_in_one_directory() {
        check(
            r#"[{"directory": "lib", "file": "a.cu", "command": "nvcc -arch=sm_80 -c a.cu -o CMakeFiles/kernels.dir/src/a.cu.o"},
                {"directory": ".", "file": "b.cu", "command": "nvcc -arch=sm_80 -c b.cu", "output": "CMakeFiles/app.dir/b.cu.o"},
                {"directory": ".", "file": "c.cu", "command": "nvcc -arch=sm_80 -c c.cu -o CMakeFiles/c.o"}]"#,
            &[
                ("-arch=sm_80", "lib/CMakeFiles/kernels.dir"),
                ("-arch=sm_80", "CMakeFiles/app.dir"),
                ("-arch=sm_80", ""),
            ],
        );
    }
}
