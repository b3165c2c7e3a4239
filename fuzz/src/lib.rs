//! What the targets share: from the bytes of a fuzzer to a translation unit.

use std::fs;
use std::path::{Path, PathBuf};

use cuda_arch_lint::preprocess::Preprocessed;
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::{SourceFile, Sources};
use cuda_arch_lint::target::{Passes, parse_arch_list};

/// Stands between the texts of files; what follows on its line is the next one's name.
const NEXT: &str = "\n//--- ";

/// The files that bytes stand for: the source, `unit.cu`, and after lines of `//--- NAME` its headers.
pub fn files(data: &[u8]) -> Vec<(PathBuf, String)> {
    let text = String::from_utf8_lossy(data);
    let mut parts = text.split(NEXT);
    let main = (PathBuf::from("unit.cu"), parts.next().unwrap_or_default().to_string());
    let header = |part: &str| {
        let (name, text) = part.split_once('\n').unwrap_or((part, ""));
        (PathBuf::from(name), text.to_string())
    };
    // A name that leads out of the folder would hide a file of this machine's.
    let inside = |(path, _): &(PathBuf, String)| path.is_relative() && path.components().count() == 1;
    std::iter::once(main).chain(parts.map(header).filter(inside)).collect()
}

/// Three passes: the host's, and those of two targets.
///
/// # Panics
/// Never.
pub fn passes() -> Passes {
    let targets = parse_arch_list("75,90").expect("both are targets");
    Passes::new(&targets).expect("two are not too many")
}

/// The unit that bytes stand for.
pub fn unit(data: &[u8]) -> (Sources, TranslationUnit) {
    let sources = Sources::new();
    for (path, text) in files(data) {
        sources.add(&path, text);
    }
    (sources, TranslationUnit::new(Path::new("unit.cu"), passes()))
}

/// Nothing of a unit was left out.
pub fn is_whole(unit: &Preprocessed) -> bool {
    !unit.problems.iter().any(|problem| problem.kind.leaves_out())
}

/// A place is in a file's text, and between two characters.
///
/// # Panics
/// If it is not.
pub fn check_span(file: &SourceFile, start: u32, end: u32) {
    let is_boundary = |at: u32| file.text.is_char_boundary(at as usize);
    assert!(
        start <= end && is_boundary(start) && is_boundary(end),
        "{start}..{end} in {}",
        file.path.display()
    );
}

/// A directory of this process' alone, in memory where that can be.
///
/// # Panics
/// If none can be made.
pub fn directory() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let within = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    let path = within.join(format!("cuda-arch-lint-fuzz-{}", std::process::id()));
    fs::create_dir_all(&path).expect("the directory for temporary files can be written to");
    path
}
