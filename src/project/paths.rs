//! Normalised paths: one spelling for each file.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// The working directory, as the shell spells it and with symbolic links resolved.
static CURRENT: LazyLock<[PathBuf; 2]> = LazyLock::new(|| {
    let spelled = std::env::current_dir().unwrap_or_default();
    let resolved = spelled.canonicalize().unwrap_or_else(|_| spelled.clone());
    [spelled, resolved]
});

/// Normalises a path: relative to the working directory if it is below it, else absolute; without `.`, and without
/// `..` if the path exists. Symbolic links are kept, except in a path with `..`, whose meaning depends on them.
pub fn tidy(path: &Path) -> PathBuf {
    let up = path.components().any(|part| part == Component::ParentDir);
    let path =
        if up { path.canonicalize().unwrap_or_else(|_| path.to_path_buf()) } else { path.to_path_buf() };
    let path = std::path::absolute(&path).unwrap_or(path);
    match CURRENT
        .iter()
        .filter(|current| current.is_absolute())
        .find_map(|current| path.strip_prefix(current).ok())
    {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below.to_path_buf(),
        None => path,
    }
}

/// Whether a path is known to be normalised without asking the disk; `false` may be wrong.
pub fn is_tidy(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    let detours = path.windows(2).any(|two| matches!(two, b"/." | b"//")) || path.starts_with(b".");
    let below = |current: &PathBuf| path.starts_with(current.as_os_str().as_encoded_bytes());
    cfg!(unix) && !detours && !path.is_empty() && !path.ends_with(b"/") && !CURRENT.iter().any(below)
}

/// What version control keeps in the root of a repository.
const REPOSITORIES: [&str; 4] = [".git", ".hg", ".svn", ".jj"];

/// What makes the working directory the root of a project that is in no repository, such as an unpacked archive: its
/// configuration, or the file that its build begins with.
const PROJECTS: [&str; 10] = [
    "cuda-arch-lint.toml",
    "compile_commands.json",
    "CMakeLists.txt",
    "setup.py",
    "pyproject.toml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "meson.build",
    "MODULE.bazel",
];

/// The root of the project that a path is in: that of the nearest repository at or above it, else the working directory if
/// that is above it and a project begins there.
pub(super) fn project_root(path: &Path) -> Option<PathBuf> {
    let has = |directory: &Path, names: &[&str]| names.iter().any(|name| directory.join(name).exists());
    let absolute = std::path::absolute(path).ok()?;
    if let Some(root) = absolute.ancestors().find(|directory| has(directory, &REPOSITORIES)) {
        return Some(tidy(root));
    }
    let here = Path::new(".");
    (tidy(path).is_relative() && has(here, &PROJECTS)).then(|| here.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_spelling() {
        let here = std::env::current_dir().unwrap();
        for spelling in ["src/lib.rs", "./src/lib.rs", "src/./lib.rs", "src/../src/lib.rs"] {
            assert_eq!(tidy(Path::new(spelling)), Path::new("src/lib.rs"));
            assert_eq!(tidy(&here.join(spelling)), Path::new("src/lib.rs"));
            assert!(!is_tidy(&here.join(spelling)));
            assert_eq!(is_tidy(Path::new(spelling)), spelling == "src/lib.rs");
        }
        assert!(is_tidy(Path::new("/nowhere/x.cu")) && is_tidy(Path::new("a.b/c")));
        assert!(
            !is_tidy(Path::new("/nowhere//x.cu")) && !is_tidy(Path::new("a/")) && !is_tidy(Path::new(""))
        );
        assert_eq!(tidy(&here), Path::new("."));
        assert_eq!(tidy(Path::new("/nowhere/x.cu")), Path::new("/nowhere/x.cu"));
    }
}
