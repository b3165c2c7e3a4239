//! Settings for findings, through the program: comments, levels, a baseline, reports.

mod change;
mod project;
mod watch;

use std::fs;
use std::path::Path;
use std::process::Command;

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, USAGE};

use project::{Project, SAME, TYPE, kernel};

/// The result of `check` for a source: the kernels that are found, and the remarks.
fn says(text: &str, arguments: &str, expected: (&[&str], &[&str])) {
    let ran = Project::new(&[("a.cu", text)]).check(&format!("a.cu {arguments}"));
    let (remarks, findings): (Vec<&str>, Vec<&str>) =
        ran.lines().into_iter().partition(|line| line.contains(": warning: "));
    let names: Vec<&str> = findings.iter().filter_map(|line| line.split('`').nth(1)).collect();
    assert_eq!((names.as_slice(), remarks.as_slice()), expected, "{text}\n{}{}", ran.out, ran.err);
}

#[test]
fn a_comment_allows_a_finding_on_its_line_above_it_in_a_block_or_in_a_file() {
    let [a, b] = [kernel("a"), kernel("b")];
    let a_line = a.trim_end();
    let on = "// cuda-arch-lint: allow(arch-dependent-signature) -- why";
    says(&format!("{TYPE}{a_line} {on}\n{b}"), "", (&["b"], &[]));
    says(&format!("{TYPE}{on}\n// more\n\n{a}{b}"), "", (&["b"], &[]));
    says(&format!("{TYPE}{a}/* cuda-arch-lint: allow(CAL001) */ {b}"), "", (&["a"], &[]));
    let template =
        "template <class T>\n__global__ void\nt(scalar, T) {}\ntemplate __global__ void t(scalar, int);\n";
    says(&format!("{TYPE}{on}\n{template}{b}"), "", (&["b"], &[]));
    let [begin, end] =
        ["begin", "end"].map(|part| format!("// cuda-arch-lint: allow-{part}(arch-dependent-signature)\n"));
    says(&format!("{TYPE}{begin}{a}{end}{b}"), "", (&["b"], &[]));
    says(&format!("{TYPE}{a}{b}// cuda-arch-lint: allow-file(CAL001)\n"), "", (&[], &[]));
    says(&format!("{TYPE}{a_line} {on}\n"), "--ignore-comments", (&["a"], &[]));
}

#[test]
fn a_comment_at_the_directive_that_decides_allows_what_it_causes() {
    let text = TYPE.replacen('\n', " // cuda-arch-lint: allow(CAL001) -- host only\n", 1);
    says(&format!("{text}{}{}", kernel("a"), kernel("b")), "", (&[], &[]));
}

#[test]
fn clang_tidys_comments_are_understood() {
    let [a, b] = [kernel("a"), kernel("b")];
    let a_line = a.trim_end();
    says(&format!("{TYPE}{a_line} // NOLINT\n{b}"), "", (&["b"], &[]));
    says(&format!("{TYPE}// NOLINTNEXTLINE(cuda-arch-lint)\n{a}{b}"), "", (&["b"], &[]));
    says(
        &format!("{TYPE}// NOLINTBEGIN(arch-dependent-signature)\n{a}// NOLINTEND(CAL001)\n{b}"),
        "",
        (&["b"], &[]),
    );
    says(&format!("{TYPE}{a_line} // NOLINT(bugprone-foo)\n"), "", (&["a"], &[]));
    says("int a; // NOLINT\n", "", (&[], &[]));
}

#[test]
fn comments_that_do_nothing_or_are_wrong_are_told() {
    says(
        "// cuda-arch-lint: allow(CAL001) -- why\nint a;\n",
        "",
        (&[], &["a.cu:1:1: warning: this comment allows nothing that is found here"]),
    );
    says(
        "int a; // NOLINT(CAL001)\n",
        "",
        (&[], &["a.cu:1:8: warning: this comment allows nothing that is found here"]),
    );
    says(
        "// cuda-arch-lint: allow(arch-dependent-signatur)\nint a;\n",
        "",
        (
            &[],
            &[
                "a.cu:1:1: warning: unknown rule `arch-dependent-signatur`; did you mean `arch-dependent-signature`?",
            ],
        ),
    );
    says(
        &format!("{TYPE}// cuda-arch-lint: allow(CAL001)\n{}", kernel("a")),
        "--require-reason",
        (
            &[],
            &["a.cu:6:1: warning: a comment that allows something has to say why: `allow(rule) -- reason`"],
        ),
    );
    says(
        "// cuda-arch-lint: allow-begin(CAL001)\nint a;\n// cuda-arch-lint: allow-end(CAL002)\n",
        "",
        (
            &[],
            &[
                "a.cu:1:1: warning: no `allow-end` ends what begins here: it applies to the next declaration only",
                "a.cu:1:1: warning: this comment allows nothing that is found here",
                "a.cu:3:1: warning: nothing that this ends was begun",
            ],
        ),
    );
}

/// A forgotten end keeps the next declaration quiet, and nothing behind it.
#[test]
fn a_region_without_an_end_is_one_declaration() {
    let no_end = "no `NOLINTEND` ends what begins here: it applies to the next declaration only";
    says(
        &format!("{TYPE}// NOLINTBEGIN\n{}{}", kernel("a"), kernel("b")),
        "",
        (&["b"], &[&format!("a.cu:6:1: warning: {no_end}")]),
    );
    says(
        &format!("{TYPE}// cuda-arch-lint: allow-begin(CAL001)\n{}{}", kernel("a"), kernel("b")),
        "",
        (&["b"], &[&format!("a.cu:6:1: warning: {}", no_end.replace("NOLINTEND", "allow-end"))]),
    );
}

#[test]
fn a_comment_is_of_use_though_this_run_does_not_ask_for_its_rule() {
    let text = format!("{TYPE}// cuda-arch-lint: allow(CAL001) -- why\n{}", kernel("a"));
    says(&text, "--rule CAL001=off", (&[], &[]));
    // What this rule finds depends on the other sources of a run.
    says("// cuda-arch-lint: allow(arch-dependent-header) -- why\nint a;\n", "", (&[], &[]));
}

#[test]
fn levels_are_set_by_rule_and_by_path() {
    let text = format!("{TYPE}{}", kernel("a"));
    let project = Project::new(&[("a.cu", &text), ("third_party/b.cu", &text)]);
    let levels = |arguments: &str| {
        let ran = project.run(&format!("check . -nostdinc --arch 80 --format json {arguments}"));
        let json: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let findings = json["findings"].as_array().expect("a list").clone();
        let of = |one: &serde_json::Value| {
            format!("{} {}", one["path"].as_str().expect("a path"), one["level"].as_str().expect("a level"))
        };
        (ran.code, findings.iter().map(of).collect::<Vec<_>>())
    };
    let expect = |arguments: &str, code: u8, expected: &[&str]| {
        assert_eq!(
            levels(arguments),
            (code, expected.iter().map(|one| one.to_string()).collect()),
            "{arguments}"
        );
    };
    expect("", FINDINGS, &["a.cu error", "third_party/b.cu error"]);
    expect("--rule CAL001=note", CLEAN, &["a.cu note", "third_party/b.cu note"]);
    expect("--rule CAL001=note --fail-on note", FINDINGS, &["a.cu note", "third_party/b.cu note"]);
    expect("--rule all=warning --fail-on error", CLEAN, &["a.cu warning", "third_party/b.cu warning"]);
    expect("--rule arch-dependent-signature=off", CLEAN, &[]);
    expect("--override third_party/:all=off", FINDINGS, &["a.cu error"]);
    expect(
        "--override third_party:all=off --override *.cu:CAL001=note",
        CLEAN,
        &["a.cu note", "third_party/b.cu note"],
    );
    expect("--exclude third_party", FINDINGS, &["a.cu error"]);
    expect("--exit-zero", CLEAN, &["a.cu error", "third_party/b.cu error"]);
    expect("--max-findings 1", FINDINGS, &["a.cu error"]);
    let ran = project.check(". --rule CAL00=off");
    assert_eq!((ran.code, ran.err.lines().next()), (USAGE, Some("error: unknown rule `CAL00`")));
}

#[test]
fn a_baseline_keeps_old_findings_quiet_and_tells_what_was_fixed() {
    let both = format!("{TYPE}{}{}", kernel("a"), kernel("b"));
    let project = Project::new(&[("a.cu", &both), ("c.cu", &format!("{TYPE}{}", kernel("c")))]);
    assert_eq!(project.check(". --write-baseline base.json").code, CLEAN);
    let quiet = project.check(". --baseline base.json");
    assert_eq!((quiet.code, quiet.lines().len()), (CLEAN, 0));
    assert!(quiet.summary().ends_with("; 3 in the baseline"), "{}", quiet.summary());

    // Lines move, a line is edited, a file gets another name: these are old.
    let edited = both.replace("void a(scalar value)", "void a(scalar value, int n)");
    project.write("a.cu", &format!("// moved\n\n{edited}"));
    fs::rename(project.0.path().join("c.cu"), project.0.path().join("d.cu")).expect("a new name");
    let quiet = project.check(". --baseline base.json");
    assert_eq!(quiet.names(), [""; 0], "{}", quiet.out);

    // A new kernel is new, and `b` is fixed.
    project.write("a.cu", &edited.replace("void b(", "void e("));
    let ran = project.check(". --baseline base.json");
    assert_eq!((ran.code, ran.names()), (FINDINGS, vec!["e"]));
    assert!(ran.summary().contains("; 2 in the baseline; 1 of the baseline fixed"), "{}", ran.summary());
    // What this run did not look at was not fixed.
    let part = project.check("d.cu --baseline base.json");
    assert!(part.summary().ends_with("; 1 in the baseline"), "{}", part.summary());

    project.check(". --baseline base.json --prune-baseline");
    assert_eq!(project.read("base.json").matches("\"fingerprint\"").count(), 2);
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    let project = Project::new(&[("a.cu", SAME), ("base.json", "{\"version\": 2, \"findings\": []}")]);
    let ran = project.check("a.cu --baseline base.json");
    assert_eq!(ran.code, USAGE);
    let first = ran.err.lines().next().unwrap_or_default().to_string();
    assert_eq!(
        first,
        "error: failed to read the baseline `base.json`: it has layout version 2, and this program knows 1"
    );
}

#[test]
fn one_run_writes_several_reports() {
    let project = Project::new(&[("a.cu", &format!("{TYPE}{}", kernel("a")))]);
    let ran = project.check("a.cu --output sarif:out.sarif --output json:out.json --statistics");
    assert_eq!((ran.code, ran.names()), (FINDINGS, vec!["a"]));
    assert!(project.read("out.sarif").contains("primaryLocationLineHash"));
    assert!(project.read("out.json").contains("\"fingerprint\""));
    assert_eq!(ran.err, "      1  error    arch-dependent-signature\n");
    let left: Vec<_> = fs::read_dir(project.0.path())
        .expect("it is there")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
    let to_stdout = project.run("check -nostdinc a.cu --output json:-");
    assert!(to_stdout.out.starts_with('{'), "no text goes between: {}", to_stdout.out);
    let refused = project.check("a.cu --output json:no/out.json");
    assert_eq!((refused.code, refused.out.as_str()), (USAGE, ""));
    assert_eq!(project.check("a.cu --output json").code, USAGE);
}

#[test]
fn unsaved_text_comes_from_standard_input() {
    let project = Project::new(&[("src/a.cu", SAME), ("src/types.h", TYPE)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "--arch", "80", "--format", "concise", "--stdin-filename", "src/a.cu"])
        .current_dir(project.0.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let text = format!("#include \"types.h\"\n{}", kernel("unsaved"));
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(out.starts_with("src/a.cu:2:17: arch-dependent-signature: `unsaved` takes"), "{out}");
}

#[test]
fn paths_of_the_project_hold_wherever_the_program_runs() {
    let project = Project::new(&[("deep/a.cu", &format!("{TYPE}{}", kernel("a")))]);
    fs::create_dir(project.0.path().join(".git")).expect("a new directory");
    project.check(". --write-baseline base.json");
    let inside = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "--arch", "80", "a.cu", "--baseline", "../base.json"])
        .current_dir(Path::new(&project.0.path().join("deep")))
        .output()
        .expect("the program runs");
    assert_eq!(inside.status.code(), Some(i32::from(CLEAN)));
}

#[test]
fn what_a_run_does_not_ask_for_is_not_fixed() {
    let both = format!("{TYPE}{}{}", kernel("a"), kernel("b"));
    let project = Project::new(&[("a.cu", &both)]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    project.check(". --write-baseline base.json");
    let before = project.read("base.json");
    for asked in ["--diff HEAD", "--rule all=off", "--exclude a.cu --rule all=off ."] {
        let ran = project.check(&format!(". --baseline base.json --prune-baseline {asked}"));
        assert!(!ran.out.contains("fixed"), "{asked}: {}{}", ran.out, ran.err);
        assert_eq!(project.read("base.json"), before, "{asked}");
    }
    // Nor is what a comment allows by now, though it made the line another.
    project.write("a.cu", &both.replace("a(scalar value) {}", "a(scalar value) {} // NOLINT"));
    let ran = project.check(". --baseline base.json");
    assert!(ran.summary().ends_with("; 1 suppressed in the source; 1 in the baseline"), "{}", ran.summary());
    let ran = project.check(". --prune-baseline");
    assert_eq!((ran.code, ran.err.starts_with("error: there is no baseline to prune")), (USAGE, true));
}

#[test]
fn a_baseline_that_the_settings_name_is_written_for_the_first_time() {
    let project = Project::new(&[
        ("a.cu", &format!("{TYPE}{}", kernel("a"))),
        ("cuda-arch-lint.toml", "baseline = 'base.json'\n"),
    ]);
    assert_eq!(project.check(".").code, USAGE, "it is not there yet");
    let ran = project.check(". --write-baseline base.json --output sarif:out.sarif");
    assert_eq!((ran.code, ran.err.as_str()), (CLEAN, "1 finding written to base.json\n"));
    assert!(ran.summary().ends_with("; 1 in the baseline"), "{}", ran.summary());
    assert!(project.read("out.sarif").contains("\"results\": []"), "the reports of a run are written");
    assert_eq!(project.check(".").code, CLEAN);
}

#[test]
fn a_report_is_written_though_nobody_reads_the_other() {
    let project = Project::new(&[("a.cu", &format!("{TYPE}{}", kernel("a")))]);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "a.cu", "--output", "json:out.json"])
        .current_dir(project.0.path())
        .stdout(writer)
        .output()
        .expect("the program runs");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &[][..]));
    assert!(project.read("out.json").contains("\"fingerprint\""));
}

#[test]
fn places_that_cannot_take_a_report_are_told_before_the_work() {
    let project = Project::new(&[("a.cu", &format!("{TYPE}{}", kernel("a")))]);
    let refused = |arguments: &str, expected: &str| {
        let ran = project.check(&format!("a.cu {arguments}"));
        let first = ran.err.lines().next().unwrap_or_default();
        assert_eq!((ran.code, ran.out.as_str(), first), (USAGE, "", expected));
    };
    refused("--output json:x --output sarif:./x", "error: two reports go to `./x`");
    refused("--output json:- --output sarif:-", "error: two reports go to standard output");
    refused(
        "--output json:no/out.json",
        "error: failed to write `no/out.json`: its directory does not exist, or it is a directory itself",
    );
    let left = fs::read_dir(project.0.path()).expect("it is there").count();
    assert_eq!(left, 1, "nothing was left behind");
}

#[test]
fn a_report_that_the_settings_name_lies_beside_them() {
    let project = Project::new(&[
        ("src/a.cu", &format!("{TYPE}{}", kernel("a"))),
        ("cuda-arch-lint.toml", "output = ['json:out.json']\n"),
    ]);
    let inside = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "."])
        .current_dir(project.0.path().join("src"))
        .output()
        .expect("the program runs");
    assert_eq!(inside.status.code(), Some(i32::from(FINDINGS)));
    assert!(project.read("out.json").contains("\"fingerprint\""));
}

#[test]
fn what_a_file_is_not_compiled_for_is_said_once_for_equal_lines_of_generated_files() {
    let wait = "    asm volatile(\"griddepcontrol.wait;\");\n";
    let source = |name: &str| format!("__global__ void {name}() {{\n{wait}{wait}}}\n");
    let [a, b, c] = ["a", "b", "c"].map(source);
    let project = Project::new(&[("made/a.cu", &a), ("made/b.cu", &b), ("c.cu", &c)]);
    let ran = project.check(".");
    assert_eq!((ran.lines().len(), ran.code), (2, FINDINGS), "{}", ran.out);
    // Each place is allowed and kept in a baseline by itself.
    let on = "// cuda-arch-lint: allow(unsupported-instruction) -- newer GPUs only\n";
    project.write("made/a.cu", &a.replace(wait, &format!("{on}{wait}")));
    assert_eq!(project.check(".").lines().len(), 2, "the other file of the directory has the line too");
    assert_eq!(project.check(". --write-baseline base.json").code, CLEAN);
    assert_eq!(project.check(". --baseline base.json").lines().len(), 0);
}
