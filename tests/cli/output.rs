//! What is printed, in which order, and while the run goes on.

use std::fs;
use std::process::Command;

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, INCOMPLETE, INTERRUPTED};

use super::{BAD, GOOD, TYPE, command, run};
use crate::folders::folder;

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
        let directory = folder(&files);
        fs::write(directory.path().join("h.h"), &header).expect("a new file");
        let arguments = format!(". --arch 80 --jobs 1 --format {format} --output {format}:all.txt");
        let output = command(directory.path(), &arguments).output().expect("the program runs");
        let streamed = String::from_utf8(output.stdout).expect("output is UTF-8");
        let whole = fs::read_to_string(directory.path().join("all.txt")).expect("a report");
        assert_eq!(sorted(&streamed), sorted(&whole));
        assert!(whole.contains("sub/a.cu") && whole.contains("b.cu"), "{whole}");
    }
}

/// The number of units that a cache has.
#[cfg(unix)]
fn summaries(cache: &std::path::Path) -> usize {
    let Ok(folders) = fs::read_dir(cache) else { return 0 };
    let files = folders.flatten().filter_map(|one| fs::read_dir(one.path()).ok()).flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|end| end == "summary")).count()
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_found() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let directory = folder(&[("a.cu", BAD), ("b.cu", &slow()), ("c.cu", BAD)]);
    let keeping = "--write-baseline old.json --cache kept";
    let arguments = format!(". --arch 80 --format jsonl --jobs 1 --output sarif:a.sarif {keeping}");
    // With a baseline to write, findings come at the end, and the cache tells that `a.cu` is analysed; without it, the first
    // comes while `b.cu` is analysed.
    for arguments in [arguments.clone(), arguments.replace(keeping, "")] {
        let streams = !arguments.contains("baseline");
        let mut child = command(directory.path(), &arguments);
        let mut child =
            child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut text = String::new();
        match streams {
            true => drop(out.read_line(&mut text).expect("a line")),
            false => {
                while summaries(&directory.path().join("kept")) == 0 {
                    assert!(child.try_wait().expect("a child").is_none(), "it ended before a unit was kept");
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
            }
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
        "readings of headers: 2 kept, 4 made",
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
    let directory = folder(&[("a.cu", BAD)]);
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
        let directory = folder(&[("a.cu", BAD), ("b.cu", BAD), ("c.cu", BAD)]);
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
        let directory = folder(&[("a.cu", BAD)]);
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
