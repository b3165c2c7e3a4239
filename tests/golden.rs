//! Texts that tests compare with files of the repository. `BLESS=1 cargo test` writes the files anew.

use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// Lines around those that differ.
const AROUND: usize = 3;

/// The path of a file of the repository.
pub(crate) fn path(name: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Whether the files are to be written and not compared.
pub(crate) fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Fails with the lines that differ unless the file says `now`; writes it where that is wished.
#[track_caller]
pub(crate) fn check(file: &Path, now: &str) {
    if let Some(difference) = difference(file, now) {
        panic!("{difference}");
    }
}

/// The lines of a file that differ from `now`, in a sentence; writes it where that is wished.
pub(crate) fn difference(file: &Path, now: &str) -> Option<String> {
    if is_blessing() {
        fs::write(file, now).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    // A file that is not there yet differs in every line.
    lines(&file.display().to_string(), &fs::read_to_string(file).unwrap_or_default(), now)
}

/// The lines that differ between what `name` says and what is said now.
pub(crate) fn lines(name: &str, said: &str, now: &str) -> Option<String> {
    if said == now {
        return None;
    }
    let difference = TextDiff::from_lines(said, now);
    let lines = difference.unified_diff().context_radius(AROUND).header(name, "now").to_string();
    Some(format!("{name} differs; if what is said now is right, `BLESS=1 cargo test` writes it:\n{lines}"))
}

#[test]
fn a_difference_shows_the_lines_that_differ() {
    let said: String = (1..=20).map(|number| format!("line {number}\n")).collect();
    let now = said.replace("line 10\n", "line ten\n");
    let shown = lines("some.txt", &said, &now).expect("a line differs");
    assert!(shown.contains("-line 10\n+line ten\n"), "{shown}");
    assert!(!shown.contains("line 2\n") && !shown.contains("line 19\n"), "{shown}");
    assert_eq!(lines("some.txt", &said, &said), None);
}
