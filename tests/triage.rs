//! What the user sets about findings, as the program does it: comments, levels, a baseline, a change.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, USAGE};
use tempfile::TempDir;

const TYPE: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";
const SAME: &str = "typedef int scalar;\n";

/// A kernel whose type varies with `scalar`.
fn kernel(name: &str) -> String {
    format!("__global__ void {name}(scalar value) {{}}\n")
}

struct Project(TempDir);

struct Ran {
    code: u8,
    out: String,
    err: String,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().expect("a temporary directory"));
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).expect("the file is there")
    }

    /// `check` in the project, one line a finding.
    fn check(&self, arguments: &str) -> Ran {
        self.run(&format!("check -nostdinc --arch 80 --format concise {arguments}"))
    }

    fn run(&self, arguments: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        let Output { status, stdout, stderr } = command.output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
        Ran { code, out: text(stdout), err: text(stderr) }
    }

    fn git(&self, arguments: &str) {
        let output = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Ran {
    /// The findings and problems, without the summary.
    fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = self.out.lines().collect();
        lines.pop();
        lines
    }

    /// The kernels of the findings.
    fn names(&self) -> Vec<&str> {
        self.lines().iter().filter_map(|line| line.split('`').nth(1)).collect()
    }

    fn summary(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}

/// What `check` says of a source: the kernels that are found, and the remarks.
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
                "a.cu:1:1: warning: nothing ends what begins here",
                "a.cu:1:1: warning: this comment allows nothing that is found here",
                "a.cu:3:1: warning: nothing that this ends was begun",
            ],
        ),
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
    expect("--rule CAL001=note", FINDINGS, &["a.cu note", "third_party/b.cu note"]);
    expect("--rule all=warning --fail-on error", CLEAN, &["a.cu warning", "third_party/b.cu warning"]);
    expect("--rule arch-dependent-signature=off", CLEAN, &[]);
    expect("--override third_party/:all=off", FINDINGS, &["a.cu error"]);
    expect(
        "--override third_party:all=off --override *.cu:CAL001=note",
        FINDINGS,
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
    assert!(ran.summary().ends_with("2 in the baseline; 1 of the baseline fixed"), "{}", ran.summary());
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
fn only_what_a_change_touches_or_causes_is_reported() {
    let main = |name: &str| format!("#include \"types.h\"\n{}", kernel(name));
    let project = Project::new(&[
        ("types.h", SAME),
        ("a.cu", &main("a")),
        ("old.cu", &format!("{TYPE}{}{}", kernel("untouched"), kernel("edited"))),
    ]);
    project.git("init -q");
    project.git("add .");
    project.git("commit -qm one");
    let check = |expected: &[&str]| {
        let ran = project.check(". --diff HEAD");
        assert_eq!(ran.names(), expected, "{}{}", ran.out, ran.err);
        ran
    };
    let ran = check(&[]);
    assert!(ran.summary().ends_with("; 2 not of this change"), "{}", ran.summary());
    // Touched: the line of the finding itself.
    project.write(
        "old.cu",
        &project.read("old.cu").replace("void edited(scalar value)", "void edited(scalar  value)"),
    );
    check(&["edited"]);
    // Caused: the header decides, and the kernel's file is as it was.
    project.write("types.h", TYPE);
    check(&["a", "edited"]);
    // Caused, with nothing on the way from the macro to the kernel touched: an include.
    project.git("add .");
    project.git("commit -qm two");
    project.write("e.cu", &kernel("e"));
    project.write("f.h", SAME);
    project.write("f.cu", &format!("#include \"f.h\"\n{}", kernel("f")));
    project.git("add .");
    project.git("commit -qm three");
    check(&[]);
    project.write("f.h", "#include \"types.h\"\n");
    check(&["f"]);
    // A new name is no new finding.
    project.git("checkout -q .");
    project.git("mv a.cu renamed.cu");
    check(&[]);
}

#[test]
fn git_has_to_know_the_revision() {
    let project = Project::new(&[("a.cu", SAME)]);
    project.git("init -q");
    let ran = project.check("a.cu --diff nowhere");
    assert_eq!((ran.code, ran.err.starts_with("error: failed to ask git for the change: ")), (USAGE, true));
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

/// The program, and all that it starts, is gone when the test is.
struct Watching(std::process::Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn watching_runs_again_after_a_change() {
    let project = Project::new(&[("a.cu", SAME)]);
    let child = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "--arch", "80", "--format", "concise", "--watch", "."])
        .current_dir(project.0.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut child = Watching(child);
    let out = child.0.stdout.take().expect("a pipe");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(out));
    let mut next = || lines.next().expect("a line").expect("UTF-8");
    assert!(next().starts_with("no findings"));
    // It says that it watches once it does.
    let err = std::io::BufReader::new(child.0.stderr.take().expect("a pipe"));
    let said = std::io::BufRead::lines(err).next().expect("a line").expect("UTF-8");
    assert_eq!(said, "watching for changes; Ctrl+C ends");
    project.write("a.cu", &format!("{TYPE}{}", kernel("a")));
    assert!(next().starts_with("a.cu:6:17: arch-dependent-signature: "));
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
