//! Targets in the `CMakeCache.txt` of a build directory: what CMake was configured with.

use std::path::{Path, PathBuf};

use crate::source::read_utf8;

use super::{BuildFile, DeclaredTargets, Notation};

/// The name of the file.
const FILE_NAME: &str = "CMakeCache.txt";

/// The cache of a build directory below `top`, or of `top` itself, with its text: the one of the first name that there is.
pub(super) fn find(top: &Path) -> Option<(PathBuf, String)> {
    let builds = std::fs::read_dir(top).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let named = |path: &PathBuf| {
        path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.starts_with("build") || name.starts_with("cmake-build") || name == "out"
        })
    };
    let mut builds: Vec<PathBuf> = builds.filter(named).collect();
    builds.sort();
    builds.insert(0, top.to_path_buf());
    builds.into_iter().map(|build| build.join(FILE_NAME)).find_map(|path| {
        let text = path.is_file().then(|| read_utf8(&path).ok()).flatten()?;
        // A cache may be of another project.
        let home = text.lines().find_map(|line| line.strip_prefix("CMAKE_HOME_DIRECTORY:INTERNAL="));
        let ours = home.is_none_or(|home| Path::new(home).canonicalize().ok() == top.canonicalize().ok());
        ours.then_some((path, text))
    })
}

/// The targets of the cache.
pub(super) fn read(file: &BuildFile<'_>) -> DeclaredTargets {
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let value = line
            .strip_prefix("CMAKE_CUDA_ARCHITECTURES:")
            .and_then(|rest| rest.split_once('='))
            .map(|(_, value)| value.trim_end());
        if let Some(value) = value {
            let from = start + line.find('=').map_or(0, |at| at + 1);
            let off = value.is_empty() || ["OFF", "native", "NO", "FALSE"].contains(&value);
            return match off {
                true => DeclaredTargets::Computed,
                false => DeclaredTargets::Plain(Notation::Cmake, value.into(), from..from + value.len()),
            };
        }
        start += line.len();
    }
    DeclaredTargets::Nothing
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::{file, said};
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(said(read(&file(text)), text), expected, "{text}");
    }

    #[test]
    fn the_entry_of_the_cache_is_read() {
        check(
            "//CUDA\nCMAKE_CUDA_ARCHITECTURES:STRING=80;90-real\nX:BOOL=ON\n",
            "80;90-real at `80;90-real`",
        );
        check("CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED=all-major\r\n", "all-major at `all-major`");
        check("CMAKE_CUDA_ARCHITECTURES:STRING=native\n", "computed");
        check("CMAKE_BUILD_TYPE:STRING=Release\n", "");
    }
}
