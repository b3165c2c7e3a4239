//! CMake judges its notation: for every row of `tests/targets/cmake.tsv`, a value of `CUDA_ARCHITECTURES`,
//! what is read in it is what the options name that CMake gives nvcc for it.
//!
//! The table is what CMake's compile database said. With `CMAKE=/path/to/cmake` (and Ninja and a toolkit
//! that it finds) `cargo test --test all cmake_notation::` asks it again, and with `BLESS=1` writes its answers.

use std::fs;
use std::path::Path;
use std::process::Command;

use cuda_arch_lint::target::Context;
use cuda_arch_lint::target::notation::{NvccOptions, TargetList, read_cmake, read_list, read_nvcc};

const TABLE: &str = "tests/targets/cmake.tsv";

#[test]
fn a_list_means_the_options_cmake_gives_nvcc() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = fs::read_to_string(&path).expect("the table is there");
    let rows: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('\t')).collect();
    let lists: Vec<&str> = rows.iter().map(|(list, _)| *list).collect();
    let mut said: Vec<String> = rows.iter().map(|(_, options)| (*options).to_string()).collect();
    if let Some(cmake) = std::env::var_os("CMAKE") {
        let now = ask(Path::new(&cmake), &lists);
        if std::env::var_os("BLESS").is_some() {
            let lines = lists.iter().zip(&now).map(|(list, options)| format!("{list}\t{options}\n"));
            fs::write(&path, lines.collect::<String>()).expect("the table can be written");
            said = now;
        } else {
            assert_eq!(said, now, "the table is not what CMake says");
        }
    }
    let context = Context::default();
    for (list, options) in lists.iter().zip(&said) {
        let read = read_cmake(list, &context).strict().unwrap_or_else(|error| panic!("{list}: {error}"));
        let expected = match options.as_str() {
            "" => read_nvcc(&NvccOptions::default(), &context),
            options => read_list(options, &context),
        };
        let expected = expected.strict().unwrap_or_else(|error| panic!("{options}: {error}"));
        assert_eq!(sorted(read), sorted(expected), "{list}: {options}");
    }
    assert!(lists.len() >= 15, "{} rows", lists.len());
}

/// The images in order: a pass's own do not have one that matters.
fn sorted(mut list: TargetList) -> TargetList {
    list.images.sort();
    list
}

/// The target options in the command of a source with each of these values.
fn ask(cmake: &Path, lists: &[&str]) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut project = "cmake_minimum_required(VERSION 3.24)\nproject(lists LANGUAGES CUDA)\n".to_string();
    for (index, list) in lists.iter().enumerate() {
        fs::write(directory.path().join(format!("k{index}.cu")), "").expect("a file");
        project += &format!("add_library(t{index} OBJECT k{index}.cu)\n");
        project += &format!("set_property(TARGET t{index} PROPERTY CUDA_ARCHITECTURES \"{list}\")\n");
    }
    fs::write(directory.path().join("CMakeLists.txt"), project).expect("a file");
    let mut command = Command::new(cmake);
    command.current_dir(directory.path()).args(["-S", ".", "-B", "build", "-G", "Ninja"]);
    let output = command.arg("-DCMAKE_EXPORT_COMPILE_COMMANDS=ON").output().expect("CMake runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let database = fs::read_to_string(directory.path().join("build/compile_commands.json")).expect("one");
    let entries: Vec<serde_json::Value> = serde_json::from_str(&database).expect("JSON");
    let options = |index: usize| {
        let of_file = |entry: &&serde_json::Value| {
            entry["file"].as_str().is_some_and(|file| file.ends_with(&format!("/k{index}.cu")))
        };
        let command = entries.iter().find(of_file).expect("every source has a command")["command"].clone();
        let words = shlex::split(command.as_str().expect("a string")).expect("closed quotes");
        let about = |word: &&String| word.starts_with("--generate-code") || word.starts_with("-arch");
        words.iter().filter(about).cloned().collect::<Vec<_>>().join(" ")
    };
    (0..lists.len()).map(options).collect()
}
