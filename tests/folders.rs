//! Temporary folders with files, for programs that are run in them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        write(directory.path(), name, text);
    }
    directory
}

/// The root of a repository with these files, above which no configuration is searched.
pub(crate) fn repository(files: &[(&str, &str)]) -> TempDir {
    let directory = folder(files);
    fs::create_dir_all(directory.path().join(".git")).expect("a new directory");
    directory
}

fn write(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().expect("it has a directory")).expect("a new directory");
    fs::write(path, text).expect("a new file");
}
