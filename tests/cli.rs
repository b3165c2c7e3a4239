//! The program as a user runs it: what it prints where, and its exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, INCOMPLETE, INTERRUPTED, TABLE, USAGE};
use cuda_arch_lint::project::driver;
use tempfile::TempDir;

/// The guide's first example: a type that differs by pass in a kernel's signature.
const BAD: &str = "\
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
__global__ void store(scalar value, scalar *out) { *out = value; }
int main() { store<<<1, 1>>>(1, nullptr); }
";

/// Only the type.
const TYPE: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";

const GOOD: &str = "__global__ void store(int value, int *out) { *out = value; }\n";

/// Words that stand for another command than `check`.
const COMMANDS: [&str; 5] = ["explain", "rules", "lsp", "help", "--help"];

fn project(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it has a directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    directory
}

fn command(directory: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    let mut words: Vec<&str> = arguments.split_whitespace().collect();
    // Nothing may depend on what is installed where the tests run.
    match words.first() {
        Some(&"check" | &"dump" | &"expand" | &"targets") => words.insert(1, "-nostdinc"),
        Some(word) if !COMMANDS.contains(word) => words.insert(0, "-nostdinc"),
        _ => {}
    }
    command.current_dir(directory).args(words);
    for name in [
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "FORCE_COLOR",
        "SCALE_CCMAP",
        "TORCH_CUDA_ARCH_LIST",
        "CUDAARCHS",
        "NVCC_APPEND_FLAGS",
    ] {
        command.env_remove(name);
    }
    command
}

struct Ran {
    code: u8,
    out: String,
    err: String,
}

fn run(files: &[(&str, &str)], arguments: &str) -> Ran {
    let directory = project(files);
    let Output { status, stdout, stderr } =
        command(directory.path(), arguments).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
    Ran { code, out: text(stdout), err: text(stderr) }
}

/// Exit code 2, nothing on standard output, and this on standard error.
fn refuses(files: &[(&str, &str)], arguments: &str, expected: &str) {
    let ran = run(files, arguments);
    assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
    assert_eq!(ran.err.trim_end(), expected.trim_end(), "{arguments}");
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

#[test]
fn a_condition_that_a_missing_header_may_decide_is_named() {
    let main = "#include <missing.h>\n#ifdef MISSING_FEATURE\n#endif\n#ifndef GUARD\n#define GUARD\n#endif\n\
                #ifdef __RESERVED\n#endif\n";
    let notes = |files: &[(&str, &str)], arguments: &str| {
        let ran = run(files, arguments);
        assert_eq!(ran.code, CLEAN, "{}", ran.out);
        ran.out.lines().filter(|line| line.starts_with("note:")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(
        notes(&[("a.cu", main)], "a.cu --verbose"),
        [
            "note: header <missing.h> not found",
            "note: a condition uses `MISSING_FEATURE`, which none of the headers found defines",
        ]
    );
    assert_eq!(notes(&[("a.cu", main)], "a.cu"), [""; 0]);
    assert_eq!(notes(&[("a.cu", main), ("inc/missing.h", "")], "a.cu -isystem inc --verbose"), [""; 0]);
}

/// A kernel that is there for the host alone proves that the condition is true.
fn holds(condition: &str, arguments: &str) {
    let text = format!("#if {condition}\n#ifndef __CUDA_ARCH__\n__global__ void k() {{}}\n#endif\n#endif\n");
    let ran = run(&[("a.cu", &text)], &format!("a.cu --arch 80,90 {arguments}"));
    assert_eq!(ran.code, FINDINGS, "{condition} with {arguments}\n{}{}", ran.out, ran.err);
}

#[test]
fn options_choose_what_is_predefined() {
    holds("__cplusplus == 201703L && !defined __STRICT_ANSI__", "");
    holds("__cplusplus == 202002L && defined __STRICT_ANSI__", "-std=c++20");
    holds("CUDART_VERSION == 12040 && __CUDACC_VER_BUILD__ == 131", "--cuda-version 12.4");
    holds("CUDART_VERSION == 13000 && __CUDACC__ && __NVCC__", "");
    holds("defined _OPENMP && defined __OPTIMIZE__", "--extra-arg=-fopenmp --extra-arg=-O3");
    holds("defined __CUDACC_EXTENDED_LAMBDA__", "--extra-arg=--extended-lambda");
    holds("defined _MSC_VER && !defined __GNUC__", "--extra-arg=-ccbin --extra-arg=cl.exe");
    holds("__GNUC__ == 11", "--extra-arg=-ccbin=g++-11");
    holds("defined __clang__", "--extra-arg=-ccbin=clang++");
    holds("defined __aarch64__", "--extra-arg=--target=aarch64-linux-gnu");
    holds("__GNUC__ >= 5", "--compiler g++");
    holds("__cplusplus == 201402L", "--compiler g++ --std c++14");
}

#[test]
fn what_chooses_compilers_must_make_sense() {
    let refused = |arguments: &str, expected: &str| {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
        assert!(ran.err.contains(expected) && ran.err.contains("help: "), "{arguments}: {}", ran.err);
    };
    refused("a.cu --std c++18", "unknown language standard `c++18`");
    refused("a.cu --cuda-version 12.7", "unknown CUDA toolkit `12.7`");
    refused("a.cu --cuda-path .", "no CUDA toolkit in `.`");
    refused("a.cu --compiler no-such-compiler", "failed to run `no-such-compiler`");
}

#[test]
fn a_toolkit_s_headers_are_read_and_not_reported() {
    let kernel = "#ifndef __CUDA_ARCH__\n__global__ void of_the_toolkit() {}\n#endif\n";
    let runtime = format!("#define FROM_TOOLKIT\n{kernel}");
    let files = [
        ("cuda/include/cuda_runtime.h", runtime.as_str()),
        ("cuda/include/cuda.h", "#define CUDA_VERSION 12060\n"),
        ("a.cu", "#if defined FROM_TOOLKIT && __CUDACC_VER_MINOR__ == 6\n#error found\n#endif\n"),
    ];
    let ran = run(&files, "a.cu --arch 80 --cuda-path cuda");
    assert_eq!(ran.code, INCOMPLETE, "{}", ran.out);
    assert!(ran.out.contains("#error") && !ran.out.contains("of_the_toolkit"), "{}", ran.out);
    assert!(ran.out.contains("in 1 file, 1 unit"), "{}", ran.out);
}

#[test]
fn clean_code_is_said_to_be_clean_in_one_line() {
    for arguments in ["check a.cu --arch 80,90", "a.cu --arch 80 --arch 90", "--arch 80,sm_90 ."] {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!(
            ran.out, "no findings in 1 file, 1 unit; targets sm_80, sm_90 from --arch\n",
            "{arguments}"
        );
        assert_eq!((ran.code, ran.err.as_str()), (CLEAN, ""), "{arguments}");
    }
}

#[test]
fn without_targets_every_architecture_is_taken() {
    let ran = run(&[("a.cu", GOOD)], "a.cu");
    assert_eq!(ran.out, "no findings in 1 file, 1 unit; 12 targets sm_75 … sm_121 from the default\n");
}

#[test]
fn findings_are_shown_and_counted() {
    let ran = run(&[("src/a.cu", BAD)], "src --arch 80,90");
    assert_eq!(ran.code, FINDINGS, "{}", ran.out);
    assert!(ran.out.contains("error[arch-dependent-signature]: "), "{}", ran.out);
    assert!(ran.out.contains("src/a.cu:6:"), "{}", ran.out);
    assert!(ran.out.contains("#ifdef __CUDA_ARCH__"), "{}", ran.out);
    let last = "1 finding (1 error) in 1 file, 1 unit; targets sm_80, sm_90 from --arch; 1 fixable with `--fix \
                --suggested`";
    assert_eq!(last_line(&ran.out), last);
}

/// Silence about text that was not read as its author meant it is no claim.
#[test]
fn text_that_was_not_read_makes_a_run_incomplete() {
    let kernel = "__global__ void k(int *out) {}\n";
    let cases = [
        (format!("int a; /* note\n{kernel}"), "a.cu:1:8: error: unterminated comment"),
        (
            format!("const char *s = \"a;\n{kernel}"),
            "a.cu:1:17: error: a quote that is not closed on its line",
        ),
        (format!("const char *s = R\"x(a;\n{kernel}"), "a.cu:1:18: error: unterminated raw string literal"),
        (format!("#if 1\n{kernel}"), "a.cu:1:1: error: unterminated conditional"),
        (format!("#define M(a) a\nM(1\n{kernel}"), "a.cu:2:1: error: unterminated argument list"),
    ];
    for (text, expected) in cases {
        let ran = run(&[("a.cu", &text)], "a.cu --arch 80 --format concise");
        assert_eq!(ran.code, INCOMPLETE, "{text}\n{}{}", ran.out, ran.err);
        assert!(ran.out.contains(expected), "{}{}", ran.out, ran.err);
    }
    // A pass that skips a group does not mind what is in it.
    let ran = run(&[("a.cu", &format!("#if 0\nisn't\n#endif\n{kernel}"))], "a.cu --arch 80");
    assert_eq!(ran.code, CLEAN, "{}{}", ran.out, ran.err);
    let header = "#ifndef CONFIGURED\n#error \"include config.h first\"\n#endif\n__global__ void k(int *);\n";
    let ran = run(&[("a.cu", kernel), ("b.cuh", header)], ". --arch 80");
    assert_eq!(ran.code, INCOMPLETE, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("no source that was analysed includes this header"), "{}", ran.out);
}

#[test]
fn macros_that_nobody_can_define_are_refused() {
    let cases = [
        ("-D 1x=2", "`1x` is no macro name"),
        ("-D =2", "`` is no macro name"),
        ("-U a-b", "`a-b` is no macro name"),
        ("-D __CUDA_ARCH__=800", "the compiler defines `__CUDA_ARCH__`"),
        ("-U __CUDA_ARCH__", "the compiler defines `__CUDA_ARCH__`"),
    ];
    for (option, expected) in cases {
        let ran = run(&[("a.cu", GOOD)], &format!("a.cu --arch 80 {option}"));
        assert_eq!(ran.code, USAGE, "{option}: {}", ran.out);
        assert!(ran.err.contains(expected), "{option}: {}", ran.err);
        let key = if option.starts_with("-D") { "define" } else { "undefine" };
        let config = format!("{key} = ['{}']\n", option.split_at(3).1);
        let ran = run(&[("a.cu", GOOD), ("cuda-arch-lint.toml", &config)], "a.cu --arch 80");
        assert_eq!(ran.code, USAGE, "{config}: {}", ran.out);
        assert!(
            ran.err.contains(expected) && ran.err.contains("cuda-arch-lint.toml"),
            "{config}: {}",
            ran.err
        );
    }
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 -D A -D F(x)=x -D _b=");
    assert_eq!(ran.code, CLEAN, "{}", ran.err);
}

#[test]
fn a_bad_entry_of_a_database_costs_that_entry() {
    let database = r#"[{"directory": ".", "file": "bad.cu", "arguments": 5},
        {"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_80 -c a.cu"}]"#;
    let ran = run(&[("a.cu", BAD), ("compile_commands.json", database)], "a.cu -p .");
    assert_eq!(ran.code, INCOMPLETE, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`store` takes"), "{}", ran.out);
    assert!(ran.out.contains("the entry at line 1 is left out: invalid type"), "{}", ran.out);
}

#[test]
fn a_report_replaces_no_source() {
    let directory = project(&[("a.cu", GOOD), ("b.cu", GOOD)]);
    let ran =
        command(directory.path(), "a.cu --arch 80 --output sarif:b.cu").output().expect("the program runs");
    assert_eq!(ran.status.code(), Some(i32::from(USAGE)));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(said.contains("`b.cu` is a source file"), "{said}");
    assert_eq!(fs::read_to_string(directory.path().join("b.cu")).expect("it is there"), GOOD);
}

/// Where there is a GPU, `tests/targets` has what `native` means.
#[test]
fn native_without_a_gpu_is_refused() {
    if driver().is_some_and(|driver| !driver.devices.is_empty()) {
        return;
    }
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch native");
    assert_eq!(ran.code, USAGE, "{}", ran.out);
    assert!(ran.err.contains("the driver reports none") && ran.err.contains("--arch 80,90"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn files_without_end_are_refused() {
    for option in ["--baseline /dev/zero", "--config /dev/zero", "-p /dev/zero"] {
        let ran = run(&[("a.cu", GOOD)], &format!("a.cu --arch 80 {option}"));
        assert_eq!(ran.code, USAGE, "{option}: {}", ran.err);
        assert!(ran.err.contains("it is larger than 64 MiB"), "{option}: {}", ran.err);
    }
}

#[test]
fn json_has_its_documented_shape() {
    let ran = run(&[("src/a.cu", BAD)], "src --arch 80,90 --format json");
    assert_eq!(ran.code, FINDINGS, "{}", ran.out);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("valid JSON");
    assert_eq!(document["version"], 1);
    assert_eq!(document["targets"][0]["names"], serde_json::json!(["sm_80", "sm_90"]));
    let finding = &document["findings"][0];
    assert_eq!(finding["rule"], "arch-dependent-signature");
    assert_eq!(finding["entity"], "store");
    assert_eq!((&finding["path"], &finding["start"]["line"]), (&"src/a.cu".into(), &6.into()));
    assert_eq!(finding["sides"][0]["passes"], serde_json::json!(["host"]));
    assert_eq!(finding["sides"][1]["passes"], serde_json::json!(["sm_80", "sm_90"]));
    assert_eq!(finding["deciding"]["text"], "#ifdef __CUDA_ARCH__");
    assert_eq!(finding["deciding"]["start"]["line"], 1);
}

#[test]
fn json_of_clean_code_has_no_findings() {
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 --format json");
    assert_eq!(ran.code, CLEAN);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("valid JSON");
    assert_eq!(document["findings"], serde_json::json!([]));
    assert_eq!(document["summary"]["units"], 1);
}

#[test]
fn a_database_gives_targets_and_says_so() {
    let database = r#"[{"directory": "..", "file": "a.cu", "command": "nvcc -arch=sm_90 -c a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("build/compile_commands.json", database)], ".");
    let last = "no findings in 1 file, 1 unit; target sm_90 from build/compile_commands.json\n";
    assert_eq!((ran.code, ran.out.as_str()), (CLEAN, last));
}

#[test]
fn what_could_not_be_analysed_wins_over_clean() {
    let database = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_999 a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("compile_commands.json", database)], ".");
    assert_eq!(ran.code, INCOMPLETE, "{}", ran.out);
    assert!(ran.out.contains("unknown architecture `sm_999` in the command for `a.cu`"), "{}", ran.out);
    assert!(last_line(&ran.out).ends_with("; analysis incomplete"), "{}", ran.out);
}

#[test]
fn a_file_that_is_no_text_is_not_called_clean() {
    let directory = project(&[]);
    let utf_16: Vec<u8> = BAD.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(directory.path().join("a.cu"), [&[0xff, 0xfe], utf_16.as_slice()].concat())
        .expect("a new file");
    let output = command(directory.path(), "a.cu --format concise").output().expect("the program runs");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(i32::from(INCOMPLETE)), "{out}");
    assert!(out.contains("a.cu: error: it is UTF-16 or not a text file"), "{out}");
    // A zero in a comment is no reason.
    assert_eq!(run(&[("a.cu", "/* \0 */ int a;\n")], "a.cu").code, CLEAN);
}

#[test]
fn wrong_input_is_refused_with_help() {
    let source = [("a.cu", GOOD), ("docs/a.txt", "text")];
    refuses(
        &source,
        "nowhere.cu",
        "error: no such file or directory: `nowhere.cu`\n\
         help: pass a source file, or a directory that contains source files",
    );
    refuses(
        &source,
        "docs",
        "error: no CUDA source found under `docs`\n\
         help: looked for files that end in .cu, and for headers (.cuh, .cu.h, .h, .hpp, .hxx, .hh, .inl, .inc) \
         that mention `__global__` or `__CUDA_ARCH__`; to analyse a file with another name, pass its path",
    );
    refuses(
        &source,
        "a.cu --arch 80a",
        "error: unknown architecture `80a`\nhelp: the nearest is `80`; `cuda-arch-lint targets --list` lists all",
    );
    refuses(
        &source,
        "a.cu -p docs",
        "error: failed to read `docs/compile_commands.json`: No such file or directory (os error 2)\n\
         help: pass `-p` with a compile_commands.json, or with the directory that contains one",
    );
    refuses(
        &source,
        "expand a.cu --arch 80,90a --pass 90",
        "error: the file has no pass `90`\nhelp: its passes are host, sm_80, sm_90a; `--arch` chooses others",
    );
    refuses(
        &source,
        "dump --stage tokens a.cu --arch 80 --pass sm_90",
        "error: the file has no pass `sm_90`\nhelp: its passes are host, sm_80; `--arch` chooses others",
    );
}

#[test]
fn a_wrong_command_line_is_refused() {
    for arguments in ["", "check", "--no-such-option a.cu", "a.cu --format yaml", "dump a.cu"] {
        let ran = run(&[("a.cu", GOOD)], arguments);
        assert_eq!((ran.code, ran.out.as_str()), (USAGE, ""), "{arguments}");
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn help_tells_the_exit_codes() {
    let ran = run(&[], "--help");
    assert_eq!(ran.code, CLEAN);
    for (code, meaning) in TABLE {
        let start = meaning.split(' ').next().expect("a meaning has words");
        assert!(ran.out.contains(&format!("  {code}  {start}")), "{}", ran.out);
    }
}

#[test]
fn a_misspelt_rule_is_suggested() {
    refuses(
        &[],
        "explain arch-dependant-signatur",
        "error: unknown rule `arch-dependant-signatur`\n\
         help: did you mean `arch-dependent-signature`? `cuda-arch-lint rules` lists all",
    );
    refuses(&[], "explain xyz", "error: unknown rule `xyz`\nhelp: `cuda-arch-lint rules` lists the rules");
}

#[test]
fn rules_are_listed_and_explained() {
    let rules = run(&[], "rules");
    let cards = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")).unwrap();
    let cards = cards.filter(|card| card.as_ref().unwrap().path().extension() == Some("md".as_ref()));
    assert_eq!((rules.code, rules.out.lines().count()), (CLEAN, cards.count()));
    let explained = run(&[], "explain arch-dependent-signature");
    assert_eq!(explained.code, CLEAN);
    assert!(explained.out.starts_with("# ") && explained.out.contains("\n## How to fix\n"));
}

#[test]
fn a_pass_is_printed_as_a_compiler_would() {
    let files = [("a.cu", "#include \"b.h\"\n__global__ void k(T);\n"), ("b.h", TYPE)];
    let ran = run(&files, "expand a.cu --arch 80,90 --pass sm_90 -I.");
    assert_eq!((ran.code, ran.err.as_str()), (CLEAN, ""));
    let expected = "# 1 \"b.h\" 1\n\ntypedef double scalar;\n# 2 \"a.cu\" 2\n__global__ void k(T);\n";
    assert!(ran.out.ends_with(expected), "{}", ran.out);
    let ran = run(&files, "expand a.cu --arch 80,90 --pass host -P -DT=scalar");
    assert_eq!((ran.code, ran.out.as_str()), (CLEAN, "typedef int scalar;\n__global__ void k(scalar);\n"));
}

#[test]
fn what_a_pass_could_not_read_is_said_beside_it() {
    let text = "#include <none.h>\n#ifdef __CUDA_ARCH__\n#error no device\n#endif\nint a;\n";
    let ran = run(&[("a.cu", text)], "expand a.cu --arch 80 --pass host -P");
    assert_eq!((ran.code, ran.out.as_str()), (CLEAN, "int a;\n"));
    assert_eq!(ran.err, "headers not found: <none.h>\n");
    let ran = run(&[("a.cu", text)], "expand a.cu --arch 80 --pass sm_80 -P");
    assert_eq!((ran.code, ran.out.as_str()), (INCOMPLETE, ""));
    assert_eq!(ran.err, "a.cu:3: #error no device\nheaders not found: <none.h>\n");
}

#[test]
fn every_stage_can_be_printed() {
    for (stage, expected) in [
        ("tokens", "sm_80  double"),
        ("conditions", "#ifdef __CUDA_ARCH__"),
        ("declarations", "varying names: "),
        ("facts", "store"),
    ] {
        let ran = run(&[("a.cu", BAD)], &format!("dump --stage {stage} a.cu --arch 80"));
        assert_eq!(ran.code, CLEAN, "{stage}: {}", ran.err);
        assert!(ran.out.contains(expected), "{stage}:\n{}", ran.out);
    }
    let ran = run(&[("a.cu", BAD)], "dump --stage tokens a.cu --arch 80 --pass host");
    assert!(!ran.out.contains("double"), "{}", ran.out);
}

#[test]
fn colour_follows_the_option() {
    let escapes = |arguments: &str| run(&[("a.cu", BAD)], arguments).out.contains("\u{1b}[");
    assert!(escapes("a.cu --color always"));
    assert!(!escapes("a.cu --color never") && !escapes("a.cu"), "a pipe is not a terminal");
    let with = |variables: &[(&str, &str)]| {
        let directory = project(&[("a.cu", BAD)]);
        let output = command(directory.path(), "a.cu").envs(variables.iter().copied()).output();
        String::from_utf8(output.expect("the program runs").stdout).expect("UTF-8").contains("\u{1b}[")
    };
    assert!(with(&[("FORCE_COLOR", "1")]) && with(&[("CLICOLOR_FORCE", "1")]));
    assert!(!with(&[("FORCE_COLOR", "0")]) && !with(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_misspelt_command_is_suggested() {
    refuses(
        &[],
        "explan CAL001",
        "error: no such file or directory: `explan`\nhelp: did you mean the command `explain`?",
    );
}

#[cfg(unix)]
#[test]
fn a_finding_stays_on_its_line_whatever_its_file_is_called() {
    let ran = run(&[("a\nb\u{1b}.cu", BAD), ("c\\d.cu", BAD)], ". --format concise --quiet");
    let starts: Vec<&str> = ran.out.lines().filter_map(|line| line.split(".cu:").next()).collect();
    assert_eq!(starts, ["a?b?", "c\\d"]);
    let text = run(&[("a\nb\u{1b}.cu", BAD)], ". --quiet").out;
    assert!(text.contains("─ a?b?.cu:"), "{text}");
}

#[test]
fn the_most_severe_come_first_and_one_cause_is_one_finding() {
    let compares = "#if __CUDA_ARCH__ >= 75\n#endif\n";
    let files = [("a.cu", compares), ("b.cu", compares), ("z.cu", BAD)];
    let ran = run(&files, ". --arch 80");
    let begins = |level: &str| ran.out.find(&format!("{level}[")).unwrap_or(usize::MAX);
    assert!(begins("error") < begins("warning") && begins("warning") < usize::MAX, "{}", ran.out);
    let ran = run(&files, ". --arch 80");
    assert!(
        ran.out.contains("the same is found at one more place\n") && ran.out.contains("and here"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("constant-arch-comparison]").count(), 1, "{}", ran.out);
    assert!(ran.out.contains("\nhelp: `cuda-arch-lint explain "), "{}", ran.out);
}

/// A unit that takes some seconds.
fn slow() -> String {
    let functions: String =
        (0..60_000).map(|n| format!("scalar f{n}(scalar x) {{ return x + {n}; }}\n")).collect();
    format!("{BAD}{functions}")
}

#[test]
fn lines_are_printed_while_the_run_goes_on_and_are_those_of_a_file() {
    let files = [("b.cu", BAD), ("sub/a.cu", BAD), ("c.cu", "#include \"h.h\"\n"), ("h.h", TYPE)];
    let header = format!("{TYPE}__device__ scalar x; // cuda-arch-lint: allow(CAL001) -- known\n");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    for format in ["jsonl", "concise"] {
        let directory = project(&files);
        fs::write(directory.path().join("h.h"), &header).expect("a new file");
        let arguments = format!(". --arch 80 --jobs 1 --format {format} --output {format}:all.txt");
        let output = command(directory.path(), &arguments).output().expect("the program runs");
        let streamed = String::from_utf8(output.stdout).expect("output is UTF-8");
        let whole = fs::read_to_string(directory.path().join("all.txt")).expect("a report");
        assert_eq!(sorted(&streamed), sorted(&whole));
        assert!(whole.contains("sub/a.cu") && whole.contains("b.cu"), "{whole}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_found() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let directory = project(&[("a.cu", BAD), ("b.cu", &slow()), ("c.cu", BAD)]);
    let arguments = ". --arch 80 --format jsonl --jobs 1 --output sarif:a.sarif --write-baseline old.json";
    // With a baseline to write, findings come at the end; without it, the first comes while `b.cu` is analysed.
    for arguments in [arguments.to_string(), arguments.replace("--write-baseline old.json", "")] {
        let streams = !arguments.contains("baseline");
        let mut child = command(directory.path(), &arguments);
        let mut child =
            child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut text = String::new();
        match streams {
            true => drop(out.read_line(&mut text).expect("a line")),
            false => std::thread::sleep(std::time::Duration::from_millis(1000)),
        }
        let killed =
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
        assert!(killed.success());
        out.read_to_string(&mut text).expect("output is UTF-8");
        let mut err = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("output is UTF-8");
        assert_eq!(child.wait().expect("it ends").code(), Some(i32::from(INTERRUPTED)), "{text}{err}");
        let kinds: Vec<&str> = text.lines().filter_map(|line| line.split('"').nth(3)).collect();
        assert_eq!(kinds, ["finding", "problem", "run"], "{text}");
        assert!(text.contains("nor were 1 other unit: the run was interrupted"), "{text}");
        assert!(err.starts_with("interrupted: "), "{err}");
        let sarif = fs::read_to_string(directory.path().join("a.sarif")).expect("a report");
        assert!(sarif.contains("\"executionSuccessful\": false") && sarif.contains("a.cu"), "{sarif}");
        assert!(!directory.path().join("old.json").exists());
    }
}

#[test]
fn timings_name_stages_units_and_what_was_kept() {
    let header = format!("#pragma once\n{TYPE}");
    let unit = format!("#include \"h.h\"\n{BAD}").replace("typedef", "// typedef");
    let ran = run(&[("a.cu", &unit), ("b.cu", &unit), ("h.h", &header)], ". --arch 80 --jobs 1 --timings");
    let has = |part: &str| assert!(ran.err.contains(part), "{part}\n{}", ran.err);
    has("in all, with 1 thread\n");
    for part in [
        "s  analysis\n",
        "s  preprocessing\n",
        "s  a.cu (preprocessing ",
        "readings of headers: 2 kept, 2 made",
    ] {
        has(part);
    }
    assert!(!run(&[("a.cu", BAD)], "a.cu --arch 80").err.contains("timings"));
}

#[test]
fn fixable_findings_are_counted_where_that_takes_no_time() {
    let long = format!("{BAD}{}", "// A long comment.\n".repeat(4000));
    assert!(run(&[("a.cu", BAD)], "a.cu --arch 80").out.contains("; 1 fixable with `--fix --suggested`\n"));
    let ran = run(&[("a.cu", &long)], "a.cu --arch 80");
    assert!(ran.out.contains("; `--show-fixes` tells which can be fixed\n"), "{}", ran.out);
    // Nothing is shown that was not asked for.
    assert!(run(&[("a.cu", BAD)], "a.cu --arch 80 --format json").out.contains("\"fixable\": null"));
    assert!(!run(&[("a.cu", GOOD)], "a.cu --arch 80").out.contains("fix"));
}

#[test]
fn a_run_says_once_that_it_is_incomplete() {
    let open = "#if 1\n__global__ void k() {}\n";
    let ran = run(&[("a.cu", open), ("b.cu", open), ("c.cu", "int x; /* no end\n")], ". --arch 80");
    assert_eq!(ran.code, INCOMPLETE);
    assert_eq!(
        ran.out.matches("the analysis is incomplete: 3 files may have more findings").count(),
        1,
        "{}",
        ran.out
    );
    assert_eq!(ran.out.matches("(and at 1 more place; `--verbose` prints all)").count(), 1, "{}", ran.out);
    let all = run(&[("a.cu", open), ("b.cu", open)], ". --arch 80 --verbose").out;
    assert!(all.contains("a.cu:") && all.contains("b.cu:") && !all.contains("more place"), "{all}");
}

#[test]
fn instances_of_one_template_are_one_finding_in_every_format() {
    let header = "#pragma once\ntemplate <class T, int N> struct Params {\n  T data[N];\n#ifdef __CUDA_ARCH__\n  \
                  int extra;\n#endif\n};\n";
    let unit = |instances: &[&str]| {
        let kernels = instances.iter().enumerate();
        let kernels = kernels.map(|(n, one)| format!("__global__ void k{n}(Params<{one}> p) {{}}\n"));
        format!("#include \"h.h\"\n{}", kernels.collect::<String>())
    };
    let (all, one) = (unit(&["int, 1", "float, 2"]), unit(&["float, 2"]));
    let (more, header) = (unit(&["float, 2", "double, 3"]), ("h.h", header));
    let files = [("a.cu", all.as_str()), ("b.cu", more.as_str()), header];
    let finding = |files: &[(&str, &str)], arguments: &str| -> serde_json::Value {
        let ran = run(files, &format!(". --arch 80 {arguments}"));
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let list =
            if arguments.contains("sarif") { &report["runs"][0]["results"] } else { &report["findings"] };
        assert_eq!(list.as_array().map(Vec::len), Some(1), "{report:#}");
        list[0].clone()
    };
    let json = finding(&files, "--format json");
    let names: Vec<&str> = json["instances"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["label"].as_str())
        .collect();
    assert_eq!(names, ["`Params<double, 3>`", "`Params<float, 2>`", "`Params<int, 1>`"]);
    assert_eq!(json["entity"], "Params");
    assert!(json["message"].as_str().is_some_and(|text| text.ends_with("(and 2 more instances)")), "{json}");
    let sarif = finding(&files, "--format sarif").to_string();
    assert!(sarif.contains("`Params<int, 1>`") && sarif.contains("`Params<float, 2>`"), "{sarif}");
    // The fingerprint does not depend on which instances there are, nor on how many.
    let alone = finding(&[("b.cu", &one), header], "--format json");
    assert_eq!((&alone["fingerprint"], &alone["entity"]), (&json["fingerprint"], &json["entity"]));
    assert!(!alone["message"].as_str().unwrap_or_default().contains("more"), "{alone}");
    let text = run(&files, ". --arch 80").out;
    assert!(text.contains("= also: `Params<float, 2>`, `Params<int, 1>`\n"), "{text}");
    let lines = run(&files, ". --arch 80 --format jsonl").out;
    assert_eq!(lines.matches("\"kind\":\"finding\"").count(), 1, "{lines}");
}

#[test]
fn many_findings_are_told_by_rule_and_folder() {
    let variables: String = (0..12).map(|n| format!("__device__ scalar x{n};\n")).collect();
    let ran = run(&[("src/a.cu", &format!("{TYPE}{variables}"))], "src --arch 80");
    let row = "     12  error    arch-dependent-signature  src\n";
    assert!(ran.out.contains(row), "{}", ran.out);
    assert!(!run(&[("a.cu", BAD)], "a.cu --arch 80").out.contains("by rule and folder"));
}

#[test]
fn warnings_that_say_the_same_are_folded() {
    let text = "#nonsense\n#nonsense\n#nonsense\n#other\n";
    let warnings = |arguments: &str| {
        let ran = run(&[("a.cu", text)], arguments);
        ran.out
            .lines()
            .filter(|line| line.contains("unknown directive"))
            .map(String::from)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        warnings("a.cu --arch 80 --format concise"),
        [
            "a.cu:1:1: warning: unknown directive `#nonsense` (and at 2 more places; `--verbose` prints all)",
            "a.cu:4:1: warning: unknown directive `#other`",
        ]
    );
    assert_eq!(warnings("a.cu --arch 80 --format concise --verbose").len(), 4);
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_files_are_links_on_a_terminal_only() {
    let directory = project(&[("a.cu", BAD)]);
    let lint = format!("{} a.cu -nostdinc", env!("CARGO_BIN_EXE_cuda-arch-lint"));
    let mut terminal = Command::new("script");
    terminal.args(["-qec", &lint, "/dev/null"]).current_dir(directory.path());
    terminal.env_remove("CI").env_remove("NO_COLOR").env("TERM", "xterm-256color");
    let shown = terminal.output().expect("util-linux is installed").stdout;
    let shown = String::from_utf8(shown).expect("output is UTF-8");
    assert!(
        shown.contains("\u{1b}]8;;file://") && shown.contains("/a.cu\u{1b}\\a.cu\u{1b}]8;;"),
        "{shown:?}"
    );
    assert!(!run(&[("a.cu", BAD)], "a.cu --color always").out.contains("\u{1b}]8"));
}

/// CI systems with terminals read lines: a bar in front of an annotation would hide it.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_of_a_ci_system_has_no_progress_bar() {
    let shown = |ci: Option<&str>| {
        let directory = project(&[("a.cu", BAD), ("b.cu", BAD), ("c.cu", BAD)]);
        let lint = format!("{} . -nostdinc --format github", env!("CARGO_BIN_EXE_cuda-arch-lint"));
        let mut terminal = Command::new("script");
        terminal
            .args(["-qec", &lint, "/dev/null"])
            .current_dir(directory.path())
            .env_remove("CI")
            .envs(ci.map(|value| ("CI", value)));
        let output = terminal.output().expect("util-linux is installed");
        String::from_utf8(output.stdout).expect("output is UTF-8")
    };
    let (person, ci) = (shown(None), shown(Some("true")));
    assert!(person.contains(" units, "), "{person:?}");
    assert!(ci.starts_with("::error file=a.cu") && !ci.contains(" units, 0s"), "{ci:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for (arguments, code) in [
        ("dump --stage tokens a.cu", CLEAN),
        ("expand a.cu --pass host", CLEAN),
        ("a.cu", FINDINGS),
        ("a.cu --format json", FINDINGS),
        ("rules", CLEAN),
    ] {
        let directory = project(&[("a.cu", BAD)]);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = command(directory.path(), arguments).stdout(writer).output().expect("the program runs");
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(i32::from(code)), &[][..]),
            "{arguments}"
        );
    }
}

#[test]
fn headers_alone_are_units() {
    let files = [("include/a.cuh", GOOD), ("include/b.h", "int b;")];
    let ran = run(&files, "include --arch 80");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (CLEAN, "no findings in 1 file, 1 unit; target sm_80 from --arch\n")
    );
}

/// `targets` on these files, which prints each of these parts.
fn targets(files: &[(&str, &str)], arguments: &str, code: u8, parts: &[&str]) {
    let ran = run(files, &format!("targets {arguments}"));
    assert_eq!(ran.code, code, "{arguments}: {}{}", ran.out, ran.err);
    for part in parts {
        assert!(ran.out.contains(part), "{arguments}: {part}\n{}", ran.out);
    }
}

#[test]
fn the_passes_in_force_are_printed_with_what_they_predefine() {
    targets(
        &[],
        "--arch 80,90a",
        FINDINGS,
        &[
            "targets from --arch, CUDA 13.0\n",
            "compute_80   .version 9.0 .target sm_80   __CUDA_ARCH__=800\n",
            "compute_90a  .version 9.0 .target sm_90a  __CUDA_ARCH__=900 __CUDA_ARCH_FEAT_SM90_ALL=1 ",
            "embedded: compute_80 sm_80 compute_90a sm_90a\n",
            "8.6   Ampere          sm_80\n",
            "9.0   Hopper          sm_90a\n",
            "10.0  Blackwell B200  compute_80, compiled by the driver\n",
        ],
    );
    targets(&[], "--arch 80 --cuda-version 12.4", CLEAN, &["CUDA 12.4\n", ".version 8.4 .target sm_80 "]);
    targets(
        &[],
        "--arch=--offload-arch=gfx1100",
        CLEAN,
        &["gfx1100  none  __CUDA_ARCH__=11000000\n", "machine code for AMD GPUs: gfx1100\n"],
    );
    targets(&[], "--list", CLEAN, &["\nsm_90a   900            8.0  12.0 …       Hopper\n"]);
}

#[test]
fn scale_s_compiler_compiles_for_the_gpus_of_its_map() {
    let database = r#"[{"directory": ".", "file": "a.cu", "command": "/opt/scale/targets/gfx1100/bin/nvcc -arch=sm_80 -c a.cu"},
        {"directory": ".", "file": "b.cu", "command": "nvcc --cuda-ccmap map -gencode arch=compute_61,code=sm_61 -gencode arch=compute_90,code=[sm_90,compute_90] -c b.cu"}]"#;
    let files =
        [("a.cu", GOOD), ("b.cu", GOOD), ("map", "# old\ngfx900 61\n"), ("compile_commands.json", database)];
    targets(&files, "", CLEAN, &["compiled for AMD GPUs by a ccmap: compute_80 for gfx1100\n"]);
    targets(&files, "b.cu", CLEAN, &["map: compute_61 for gfx900\n", "embedded: sm_90 compute_90\n"]);
    let directory = project(&[("map", "gfx1030 86\n")]);
    let mut command = command(directory.path(), "targets --arch 86,gfx1030,gfx1100");
    let named = String::from_utf8(command.env("SCALE_CCMAP", "map").output().expect("it runs").stdout);
    let named = named.expect("output is UTF-8");
    for part in [
        "\ngfx1030     none                        __CUDA_ARCH__=860\n",
        "\ngfx1100     none                        __CUDA_ARCH__=11000000\n",
        "map: compute_86 for gfx1030\n",
    ] {
        assert!(named.contains(part), "{named}");
    }
    let gone = database.replace("ccmap map", "ccmap gone");
    let ran = run(&[("b.cu", GOOD), ("compile_commands.json", &gone)], "targets b.cu");
    assert_eq!(ran.code, INCOMPLETE);
    assert!(ran.err.starts_with("compile_commands.json: failed to read `"), "{}", ran.err);
    assert!(
        ran.err.ends_with("gone`: No such file or directory (os error 2) in the command for `b.cu`\n"),
        "{}",
        ran.err
    );
}

#[test]
fn what_is_wrong_with_the_list_is_a_finding() {
    let faults =
        ["note[missing-ptx]: no PTX for the highest target, sm_90,", "help: add `-gencode arch=compute_90,"];
    targets(&[], "--arch 80-real;90-real", FINDINGS, &faults);
    targets(
        &[],
        "--arch 90a",
        FINDINGS,
        &["warning[suffixed-targets-only]: nothing but compute_90a, sm_90a is embedded"],
    );
    targets(&[], "--arch 75-real;120", FINDINGS, &["note[target-gap]: GPUs between"]);
    targets(
        &[],
        "--arch 70;90",
        FINDINGS,
        &["error[unsupported-target]: CUDA 13.0 does not compile for sm_70"],
    );
}

#[test]
fn the_project_s_targets_and_recipes_are_read() {
    let database = r#"[{"directory": "..", "file": "a.cu", "command": "nvcc --generate-code=arch=compute_80,code=[compute_80,sm_80] -c a.cu"}]"#;
    let recipe = "requirements:\n  run:\n    - __cuda_arch >=7.5\n    - __cuda_arch >=sm_80\n";
    let files = [("a.cu", GOOD), ("build/compile_commands.json", database), ("conda/meta.yaml", recipe)];
    targets(
        &files,
        "",
        FINDINGS,
        &[
            "1 unit, targets from build/compile_commands.json, CUDA 13.0\n",
            "conda/meta.yaml:3: warning[mismatched-arch-bound]: `__cuda_arch >=7.5` lets the package be installed where nothing \
             in it runs: 7.5\n",
            "conda/meta.yaml:4: warning[mismatched-arch-bound]: `>=sm_80` in `__cuda_arch >=sm_80` is not a version constraint\n",
        ],
    );
    let wrong = r#"[{"directory": ".", "file": "a.cu", "command": "nvcc -arch=sm_81 -c a.cu"}]"#;
    let ran = run(&[("a.cu", GOOD), ("compile_commands.json", wrong)], "targets");
    assert_eq!(ran.code, INCOMPLETE);
    assert_eq!(ran.err, "compile_commands.json: unknown architecture `sm_81` in the command for `a.cu`\n");
    refuses(
        &[],
        "targets",
        "error: no CUDA source found under `.`\nhelp: looked for files that end in .cu, and for headers (.cuh, .cu.h, .h, .hpp, .hxx, .hh, .inl, .inc) that mention `__global__` or `__CUDA_ARCH__`; to analyse a file with another name, pass its path",
    );
}

/// `check` prints each of these parts.
fn checks(files: &[(&str, &str)], arguments: &str, code: u8, parts: &[&str]) {
    let ran = run(files, arguments);
    for part in parts {
        assert!(ran.out.contains(part), "{arguments}: `{part}` is missing:\n{}{}", ran.out, ran.err);
    }
    assert_eq!(ran.code, code, "{arguments}: {}", ran.out);
}

#[test]
fn a_list_of_a_database_is_judged_once_where_it_is_named() {
    let database = r#"[
{"directory": ".", "file": "a.cu", "command": "nvcc -gencode arch=compute_80,code=sm_80 -c a.cu"},
{"directory": ".", "file": "b.cu", "command": "nvcc -gencode arch=compute_80,code=sm_80 -c b.cu"}
]"#;
    let files = [("a.cu", GOOD), ("b.cu", GOOD), ("compile_commands.json", database)];
    let parts = [
        "note[missing-ptx]: no PTX for the highest target, sm_80, that later GPUs could run: there is none\n",
        "compile_commands.json:2:",
        "Add `-gencode arch=compute_80,code=compute_80`.",
        "1 finding (1 note) in 2 files, 2 units; target sm_80 from compile_commands.json\n",
    ];
    checks(&files, ".", CLEAN, &parts);
    checks(&files, ". --fail-on note", FINDINGS, &parts);
    checks(&files, ". --rule missing-ptx=off --fail-on note", CLEAN, &["no findings"]);
    // What the user typed is what the user wants to know about.
    checks(&files, ". --arch 80-real", CLEAN, &["no findings"]);
}

#[test]
fn build_files_name_targets_where_no_database_does() {
    let lists = ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 80 90)");
    let setup = ("setup.py", "os.environ['TORCH_CUDA_ARCH_LIST'] = '8.0;9.0+PTX'\n");
    let last = "no findings in 1 file, 1 unit; targets sm_80, sm_90 from CMakeLists.txt\n";
    checks(&[("a.cu", GOOD), lists], ".", CLEAN, &[last]);
    checks(&[("a.cu", GOOD), setup], ".", CLEAN, &["targets sm_80, sm_90 from setup.py\n"]);
    checks(&[("a.cu", GOOD), lists], ". --arch 75", CLEAN, &["target sm_75 from --arch\n"]);
    targets(&[("a.cu", GOOD), lists], "", CLEAN, &["1 unit, targets from CMakeLists.txt, CUDA 13.0\n"]);
}

#[test]
fn the_environment_names_targets_where_the_build_leaves_room() {
    let from = |files: &[(&str, &str)], variables: &[(&str, &str)]| {
        let directory = project(files);
        let output = command(directory.path(), ".").envs(variables.iter().copied()).output();
        let out = String::from_utf8(output.expect("the program runs").stdout).expect("UTF-8");
        last_line(&out).split("; ").nth(1).unwrap_or_default().to_string()
    };
    let torch = [("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX")];
    assert_eq!(from(&[("a.cu", GOOD)], &torch), "targets sm_80, sm_90 from TORCH_CUDA_ARCH_LIST");
    let lists = ("CMakeLists.txt", "set(CMAKE_CUDA_ARCHITECTURES 75)");
    assert_eq!(from(&[("a.cu", GOOD), lists], &torch), "target sm_75 from CMakeLists.txt");
    let default = (
        "CMakeLists.txt",
        "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\nset(CMAKE_CUDA_ARCHITECTURES 75)\nendif()",
    );
    assert_eq!(from(&[("a.cu", GOOD), default], &[("CUDAARCHS", "86")]), "target sm_86 from CUDAARCHS");
    assert_eq!(from(&[("a.cu", GOOD), default], &[]), "target sm_75 from CMakeLists.txt");
}

#[test]
fn an_extra_argument_means_what_it_means_in_a_command() {
    checks(&[("a.cu", GOOD)], "a.cu --extra-arg=-arch=sm_80", CLEAN, &["target sm_80 from --extra-arg"]);
    holds("defined MADE && __CUDACC_RDC__", "--extra-arg=-rdc=true --extra-arg=-DMADE");
    let ran = run(&[("a.cu", GOOD)], "a.cu --arch 80 --extra-arg=-D__CUDA_ARCH__=800");
    assert_eq!(ran.code, USAGE, "{}", ran.out);
    assert!(ran.err.contains("the compiler defines `__CUDA_ARCH__`"), "{}", ran.err);
}

#[test]
fn a_gpu_of_another_maker_makes_comparisons_meaningless() {
    let source = "#if __CUDA_ARCH__ >= 800\n#define FAST 1\n#endif\n__global__ void run() {}\n";
    let command =
        "/opt/scale/targets/gfx1100/bin/nvcc -gencode arch=compute_86,code=[compute_86,sm_86] -c a.cu";
    let database = format!(r#"[{{"directory": ".", "file": "a.cu", "command": "{command}"}}]"#);
    let found = "`#if __CUDA_ARCH__ >= 800` asks for a number that says nothing about gfx1100";
    checks(&[("a.cu", source), ("compile_commands.json", &database)], ".", FINDINGS, &[found]);
    checks(&[("a.cu", source)], ". --arch 86,gfx90a", FINDINGS, &["says nothing about gfx90a"]);
    checks(&[("a.cu", source)], ". --arch gfx90a", FINDINGS, &["says nothing about gfx90a"]);
    checks(&[("a.cu", source)], ". --arch 86", CLEAN, &["no findings"]);
}

#[test]
fn a_rule_that_is_off_by_default_is_asked_for_by_name() {
    let source = "#if __CUDA_ARCH__ >= 900\n#define FAST 1\n#endif\n__global__ void run() {}\n";
    let files = [("a.cu", source)];
    checks(&files, "a.cu --arch 80", CLEAN, &["no findings"]);
    checks(&files, "a.cu --arch 80 --rule all=error", CLEAN, &["no findings"]);
    let found =
        "note[unreached-arch-branch]: no pass enters `#if __CUDA_ARCH__ >= 900`: neither the host nor sm_80";
    checks(&files, "a.cu --arch 80 --rule unreached-arch-branch=note", CLEAN, &[found]);
    checks(&files, "a.cu --arch 80 --rule unreached-arch-branch=note --fail-on note", FINDINGS, &[found]);
    checks(&files, "a.cu --arch 80,90 --rule CAL015=note", CLEAN, &["no findings"]);
}

/// `targets --virtual-package` under these settings of conda's two variables.
fn virtual_package(cuda: &str, arch: &str, out: &str, err: &str) {
    let directory = project(&[]);
    let mut command = command(directory.path(), "targets --virtual-package");
    command.env("CONDA_OVERRIDE_CUDA", cuda).env("CONDA_OVERRIDE_CUDA_ARCH", arch);
    let output = command.output().expect("the program runs");
    assert!(output.status.success());
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    assert_eq!((text(output.stdout).as_str(), text(output.stderr).as_str()), (out, err));
}

#[test]
fn the_virtual_package_is_printed_as_conda_does() {
    virtual_package("12.4", "9.0", "__cuda_arch=9.0=0\n", "");
    virtual_package("12.4", "", "", "`__cuda_arch` is absent: `CONDA_OVERRIDE_CUDA_ARCH` is empty\n");
    virtual_package("", "9.0", "", "`__cuda_arch` is absent: `__cuda` is absent\n");
}

/// A stand-in for a compiler: it prints its arguments and exits with a code of its own.
#[cfg(unix)]
fn launched(files: &[(&str, &str)], options: &str, command: &str) -> Ran {
    use std::os::unix::fs::PermissionsExt;
    let directory = project(files);
    let compiler = directory.path().join("nvcc");
    fs::write(&compiler, "#!/bin/sh\necho \"$@\"\nexit ${CODE:-0}\n").expect("a new file");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("its permissions");
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .arg("launcher")
        .arg("-nostdinc")
        .args(options.split_whitespace())
        .arg("--")
        .arg(&compiler)
        .args(command.split_whitespace())
        .env("CODE", if command.contains("-DFAILS") { "7" } else { "0" })
        .current_dir(directory.path())
        .output()
        .expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
    Ran { code, out: text(stdout), err: text(stderr) }
}

#[cfg(unix)]
#[test]
fn a_launched_compiler_keeps_its_output_and_its_exit_code() {
    let files = [("a.cu", BAD), ("b.cu", GOOD), ("cuda-arch-lint.toml", "arch = ['75']\n")];
    let command = "-x cu -gencode arch=compute_80,code=sm_80 -isystem x -c a.cu -o a.o";
    let ran = launched(&files, "", command);
    assert_eq!((ran.code, ran.out.trim_end()), (0, command));
    assert!(ran.err.contains("on sm_80"), "the command's targets count: {}", ran.err);
    assert_eq!(launched(&files, "", &format!("{command} -DFAILS")).code, 7);
    assert_eq!(launched(&files, "--fail", &format!("{command} -DFAILS")).code, 7);
    assert_eq!(launched(&files, "--fail", command).code, FINDINGS);
    let good = launched(&files, "--fail", "-arch=sm_80 -c b.cu");
    assert_eq!((good.code, good.err.as_str()), (CLEAN, ""), "nothing is said where nothing is found");
    let none = launched(&files, "--fail", "a.o b.o -o program");
    assert_eq!((none.code, none.err.as_str()), (CLEAN, ""), "linking compiles no source");
    let wrong = launched(&files, "--rule nothing=off", command);
    assert_eq!(
        (wrong.code, wrong.out.trim_end()),
        (0, command),
        "a build goes on though the lint can't: {}",
        wrong.err
    );
}
