//! Compilation databases, beside a build file whose text is the second half of the bytes.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use cuda_arch_lint::project::{Settings, discover};
use cuda_arch_lint::source::Sources;
use cuda_arch_lint_fuzz::directory;
use libfuzzer_sys::fuzz_target;

static DIRECTORY: LazyLock<PathBuf> = LazyLock::new(directory);

/// Stands between the database and the name and text of a build file.
const NEXT: &[u8] = b"\n//--- ";

/// The build files of which targets are read.
const BUILD_FILES: [&str; 6] =
    ["CMakeLists.txt", "CMakePresets.json", "Makefile", "setup.py", "pyproject.toml", "meta.yaml"];

fuzz_target!(|data: &[u8]| {
    let at = data.windows(NEXT.len()).position(|window| window == NEXT);
    let (database, rest) = data.split_at(at.unwrap_or(data.len()));
    let written = |name: &str, text: &[u8]| fs::write(DIRECTORY.join(name), text).expect("it can be written");
    written("compile_commands.json", database);
    written("a.cu", b"__global__ void k() {}\n");
    let rest = rest.get(NEXT.len()..).unwrap_or_default();
    let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    for name in BUILD_FILES {
        match rest[..line] == *name.as_bytes() {
            true => written(name, rest.get(line + 1..).unwrap_or_default()),
            false => drop(fs::remove_file(DIRECTORY.join(name))),
        }
    }
    for database in [Some(DIRECTORY.clone()), None] {
        let settings = Settings { database, ..Settings::default() };
        let _ = discover(&[DIRECTORY.clone()], &settings, &Sources::new());
    }
});
