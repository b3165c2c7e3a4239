//! Targets that a file gives to the variables of a build: `CMakePresets.json`, `pyproject.toml`, recipes of conda packages and
//! their scripts.
//!
//! In: a text in which a name is followed by `=` or `:` and a value; its grammar does not matter. A value that refers to
//! others is not known.

use super::{BuildFile, DeclaredTargets, Notation, only};

/// The variables, and how each spells targets.
const VARIABLES: [(&str, Notation); 3] = [
    ("CMAKE_CUDA_ARCHITECTURES", Notation::Cmake),
    ("CUDAARCHS", Notation::Cmake),
    ("TORCH_CUDA_ARCH_LIST", Notation::Torch),
];

/// The targets that the file gives to one of the variables; all its statements must say the same.
pub(super) fn read(file: &BuildFile<'_>) -> DeclaredTargets {
    let mut found = Vec::new();
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let code = line.trim_start();
        if !code.starts_with('#') && !code.starts_with("//") {
            for (name, notation) in VARIABLES {
                found.extend(in_line(line, start, name, notation));
            }
        }
        start += line.len();
    }
    only(found)
}

/// The value that a line gives to a variable. The line begins at byte `start`.
fn in_line(line: &str, start: usize, name: &str, notation: Notation) -> Option<DeclaredTargets> {
    let at = line.find(name)?;
    let head = &line[..at];
    let before = head.strip_suffix("-D").unwrap_or(head).chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let rest = &line[at + name.len()..];
    // `-DNAME:STRING=80`, `"NAME": "80"`, `NAME = "80"`, `"NAME": { "type": "STRING", "value": "80" }`.
    let rest = rest.strip_prefix(":STRING").unwrap_or(rest);
    let assigned = rest.trim_start_matches(['"', '\'', ' ', '\t']);
    let value = assigned.strip_prefix([':', '='])?.trim_start();
    let value = match value.strip_prefix('{') {
        Some(object) => object.split_once("\"value\"")?.1.trim_start().strip_prefix(':')?.trim_start(),
        None => value,
    };
    let quoted = value.starts_with(['"', '\'']);
    let opened = value.trim_start_matches(['"', '\'', '\\']);
    let ends =
        |c: char| matches!(c, '"' | '\'' | '\n' | '\\' | ',' | ']' | '}') || !quoted && c.is_whitespace();
    let text = &opened[..opened.find(ends).unwrap_or(opened.len())];
    let from = start + (line.len() - opened.len());
    match text.is_empty() || text.contains(['$', '{', '%', '@']) || matches!(text, "native" | "OFF") {
        true => Some(DeclaredTargets::Computed),
        false => Some(DeclaredTargets::Default(notation, text.to_string(), from..from + text.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::declared::tests::{file, said};
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(said(read(&file(text)), text), expected, "{text}");
    }

    #[test]
    fn presets_are_read() {
        check("\"cacheVariables\": { \"CMAKE_CUDA_ARCHITECTURES\": \"80;90\" }", "80;90 at `80;90`");
        check("\"CMAKE_CUDA_ARCHITECTURES\": { \"type\": \"STRING\", \"value\": \"75\" }", "75 at `75`");
        let two = "\"CMAKE_CUDA_ARCHITECTURES\": \"80\"\n\"CMAKE_CUDA_ARCHITECTURES\": \"90\"";
        check(two, "computed");
    }

    #[test]
    fn settings_of_builds_of_python_packages_are_read() {
        check("cmake.args = [\"-DCMAKE_CUDA_ARCHITECTURES=80;90\"]", "80;90 at `80;90`");
        check("[tool.scikit-build.cmake.define]\nCMAKE_CUDA_ARCHITECTURES = \"75\"", "75 at `75`");
        check("environment = 'TORCH_CUDA_ARCH_LIST=\"8.0;9.0+PTX\"'", "8.0;9.0+PTX at `8.0;9.0+PTX`");
    }

    #[test]
    fn recipes_are_read() {
        check("export TORCH_CUDA_ARCH_LIST=\"8.0 9.0\"\n", "8.0 9.0 at `8.0 9.0`");
        check("  cmake -DCMAKE_CUDA_ARCHITECTURES=all ..", "all at `all`");
        check("    - CUDAARCHS=75", "75 at `75`");
        check("# TORCH_CUDA_ARCH_LIST=8.0", "");
        check("TORCH_CUDA_ARCH_LIST=${ARCHS}", "computed");
        check("MY_CUDAARCHS=75", "");
    }

    #[test]
    fn broken_files_are_read_as_far_as_they_go() {
        for text in ["CUDAARCHS", "CUDAARCHS=", "\"CUDAARCHS\": {", "CUDAARCHS = \"", "é CUDAARCHS=é"] {
            read(&file(text));
        }
    }
}
