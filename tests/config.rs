//! The configuration file and the commands about it, as the program does them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, USAGE};
use cuda_arch_lint::config::Config;

use crate::folders::repository;

use super::golden;

const BAD: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n\
    __global__ void store(scalar value) {}\n";

/// The exit code, standard output and standard error of the program in a directory.
fn run(directory: &Path, arguments: &str) -> (u8, String, String) {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(arguments.split_whitespace())
        .current_dir(directory)
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
    (code, text(stdout), text(stderr))
}

const FILE: &str = "paths = ['src']\nexclude = ['generated/']\narch = ['80', '90']\nnostdinc = true\n\
    define = ['ON']\nformat = 'concise'\n\n[rules]\nCAL001 = 'warning'\n\n\
    [[overrides]]\npaths = ['src/legacy/']\nrules = { all = 'off' }\n";

#[test]
fn the_file_says_what_flags_would() {
    let on = format!("#ifdef ON\n{BAD}#endif\n");
    let directory = repository(&[
        ("cuda-arch-lint.toml", FILE),
        ("src/a.cu", &on),
        ("src/legacy/b.cu", BAD),
        ("src/generated/c.cu", BAD),
        ("elsewhere/d.cu", BAD),
    ]);
    let (code, out, err) = run(directory.path(), "check");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (FINDINGS, 2), "{out}{err}");
    assert!(lines[0].starts_with("src/a.cu:7:17: arch-dependent-signature: "), "{out}");
    // From below, with the same file.
    let (_, out, _) = run(&directory.path().join("elsewhere"), "check d.cu");
    assert!(out.contains("d.cu:6:17: ") && out.contains("sm_80, sm_90"), "{out}");
    // A flag goes before the file.
    assert_eq!(run(directory.path(), "check --rule CAL001=off").0, CLEAN);
    assert_eq!(run(directory.path(), "check -UON").0, CLEAN);
    assert!(run(directory.path(), "check --arch 75").1.contains("target sm_75"));
    assert_eq!(run(directory.path(), "check --isolated").0, USAGE, "without the file there are no paths");
    assert_eq!(run(directory.path(), "check --config src/none.toml").0, USAGE);
    // Other commands read how the code is compiled as well.
    let (code, out, _) = run(directory.path(), "dump --stage conditions src/a.cu");
    assert_eq!(code, CLEAN);
    assert!(out.contains("sm_90") && !out.contains("sm_100"), "{out}");
}

#[test]
fn what_is_wrong_in_the_file_is_told_with_its_place() {
    let check = |text: &str, expected: &str| {
        let directory = repository(&[("cuda-arch-lint.toml", text), ("a.cu", BAD)]);
        let (code, out, err) = run(directory.path(), "check a.cu");
        assert_eq!((code, out.as_str(), err.as_str()), (USAGE, "", expected));
    };
    check(
        "archs = ['80']\n",
        "error: cuda-arch-lint.toml:1:1: unknown key `archs`\nhelp: did you mean `arch`?\n",
    );
    check(
        "[rules]\nCAL9 = 'off'\n",
        "error: unknown rule `CAL9`\nhelp: `cuda-arch-lint rules` lists the rules; `all` means every one\n",
    );
}

#[test]
fn settings_are_shown_with_their_sources() {
    let directory = repository(&[("cuda-arch-lint.toml", FILE), ("src/a.cu", BAD)]);
    let (code, out, _) = run(directory.path(), "config show --arch 75 --define OFF --fail-on error");
    assert_eq!(code, CLEAN);
    let row = |key: &str| {
        let line = out.lines().find(|line| line.starts_with(&format!("{key} "))).expect("a row");
        line.split_once(" from ").expect("a source").1.to_string()
    };
    for line in ["arch  ", "rules  ", "define, undefine  "] {
        let line = out.lines().find(|known| known.starts_with(line)).expect("a row");
        let value = line.split("  ").filter(|part| !part.is_empty()).nth(1).expect("a value").trim();
        assert!(["[\"75\"]", "[\"CAL001=warning\"]", "[\"ON=1\",\"OFF=1\"]"].contains(&value), "{line}");
    }
    let sources = ["arch", "fail-on", "nostdinc", "define, undefine", "cuda-version"].map(row);
    assert_eq!(
        sources,
        [
            "the command line",
            "the command line",
            "cuda-arch-lint.toml",
            "cuda-arch-lint.toml and the command line",
            "the default"
        ]
    );
}

#[test]
fn the_schema_is_that_of_the_keys() {
    let expected = serde_json::to_string_pretty(&schemars::schema_for!(Config)).expect("it is JSON") + "\n";
    golden::check(&golden::path("schemas/config.schema.json"), &expected);
    let (_, printed, _) = run(Path::new("."), "config schema");
    assert_eq!(printed, expected);
}

#[test]
fn the_written_file_fits_the_project_and_is_understood() {
    let entry = r#"[{"directory": "DIR", "file": "src/a.cu", "command": "nvcc -arch=sm_80 -dc src/a.cu"}]"#;
    let directory = repository(&[("src/a.cu", BAD), ("src/b/c.cu", BAD), ("third_party/t.cu", BAD)]);
    let entry = entry.replace("DIR", directory.path().to_str().expect("UTF-8"));
    fs::write(directory.path().join("compile_commands.json"), entry).expect("a new file");
    assert_eq!(run(directory.path(), "init").0, CLEAN);
    let text = fs::read_to_string(directory.path().join("cuda-arch-lint.toml")).expect("it is there");
    for line in ["paths = [\"src\"]", "exclude = [\"third_party/\"]", "rdc = true"] {
        assert!(text.lines().any(|known| known == line), "{line} in\n{text}");
    }
    let (code, out, err) = run(directory.path(), "check -nostdinc --format concise");
    assert_eq!((code, out.matches("arch-dependent-signature").count()), (FINDINGS, 2), "{out}{err}");
    assert_eq!(run(directory.path(), "init").0, USAGE, "a file that is there is not overwritten");
    // Every key that is a comment is one.
    let all: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(key) if key.contains(" = ") && !key.contains(": ") || key.starts_with("[[") => {
                format!("{key}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let all = all.replace("third_party/\"]\nexclude", "third_party/\"]\n# exclude");
    toml::from_str::<Config>(&all).unwrap_or_else(|error| panic!("{error}\n{all}"));
}

#[test]
fn words_come_from_files() {
    let directory =
        repository(&[("a.cu", BAD), ("args", "a.cu --arch '80'\n-nostdinc --format concise --isolated\n")]);
    let (code, out, err) = run(directory.path(), "@args");
    assert_eq!(code, FINDINGS, "{out}{err}");
    assert!(out.starts_with("a.cu:6:17: "));
}

#[test]
fn rules_are_listed_for_programs() {
    let (code, out, _) = run(Path::new("."), "rules --format json");
    let rules: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!((code, &rules[0]["code"]), (CLEAN, &"CAL001".into()));
    assert!(rules[0]["card"].as_str().is_some_and(|card| card.contains("## How to fix")));
}

#[test]
fn completions_and_the_manual_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (code, out, _) = run(Path::new("."), &format!("completions {shell}"));
        assert!(code == CLEAN && out.contains("write-baseline"), "{shell}");
    }
    let (code, out, _) = run(Path::new("."), "man");
    assert_eq!(code, CLEAN);
    for word in [".TH", "CUDA\\-ARCH\\-LINT CHECK", "write\\-baseline", "expand", ".SH \"EXIT STATUS\""] {
        assert!(out.contains(word), "{word}");
    }
    let (_, out, _) = run(Path::new("."), "--version");
    assert!(out.contains("rules:") && out.contains("targets:"), "{out}");
    let (code, _, err) = run(Path::new("."), "check --fail-onn error a.cu");
    assert!(code == USAGE && err.contains("--fail-on"), "{err}");
}

#[test]
fn options_are_completed_though_check_is_left_out() {
    let directory = repository(&[]);
    let completed = |word: &str| {
        let script = format!(
            "source <({} completions bash); set -- $(complete -p cuda-arch-lint); while [ $1 != -F ]; do shift; done\n\
             COMP_WORDS=(cuda-arch-lint {word}); COMP_CWORD=1; $2 cuda-arch-lint {word} cuda-arch-lint\n\
             echo \"${{COMPREPLY[@]}}\"",
            env!("CARGO_BIN_EXE_cuda-arch-lint")
        );
        let output = Command::new("bash").args(["-c", &script]).current_dir(directory.path()).output();
        String::from_utf8(output.expect("bash runs").stdout).expect("UTF-8").trim_end().to_string()
    };
    assert_eq!(completed("--write"), "--write-baseline");
    assert_eq!(completed("expl"), "explain");
}

#[test]
fn the_written_file_says_which_build_file_names_the_targets() {
    let directory = repository(&[
        ("src/a.cu", BAD),
        ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 90)\nadd_library(a src/a.cu)\n"),
    ]);
    let (code, text, _) = run(directory.path(), "init --stdout");
    assert!(code == CLEAN && text.contains("those that CMakeLists.txt names."), "{text}");
}
