//! `--watch`.

use std::io::{BufRead, BufReader, Lines};
use std::process::{ChildStderr, ChildStdout, Command, Stdio};

use super::project::{Project, SAME, TYPE, kernel};

/// The program, and all that it starts, is gone when the test is.
struct Watching {
    child: std::process::Child,
    out: Lines<BufReader<ChildStdout>>,
    err: Lines<BufReader<ChildStderr>>,
}

impl Watching {
    fn new(project: &Project, arguments: &str) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
            .args(["check", "-nostdinc", "--format", "concise", "--watch"])
            .args(arguments.split_whitespace())
            .current_dir(project.0.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let err = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        Watching { child, out, err }
    }

    /// The next line of a report.
    fn says(&mut self) -> String {
        self.out.next().expect("a line").expect("UTF-8")
    }

    /// The next line of standard error. It says that it watches once it does.
    fn mutters(&mut self) -> String {
        self.err.next().expect("a line").expect("UTF-8")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WATCHES: &str = "watching for changes; press Ctrl+C to end";

#[test]
fn watching_runs_again_after_a_change() {
    let project = Project::new(&[("a.cu", SAME)]);
    let mut watching = Watching::new(&project, "--arch 80 .");
    assert!(watching.says().starts_with("no findings"));
    assert_eq!(watching.mutters(), WATCHES);
    project.write("a.cu", &format!("{TYPE}{}", kernel("a")));
    assert!(watching.says().starts_with("a.cu:6:17: arch-dependent-signature: "));
}

#[test]
fn the_reports_it_writes_are_no_change() {
    let project = Project::new(&[("a.cu", SAME)]);
    let mut watching = Watching::new(&project, "--arch 80 . --output json:report.json");
    assert!(watching.says().starts_with("no findings"));
    assert_eq!(watching.mutters(), WATCHES);
    // Were its own report a change, it would run again before this one.
    std::thread::sleep(std::time::Duration::from_millis(600));
    project.write("a.cu", &format!("{TYPE}{}", kernel("a")));
    assert!(watching.says().starts_with("a.cu:6:17: arch-dependent-signature: "));
}

#[test]
fn settings_are_read_again_and_a_fault_in_them_does_not_end_it() {
    let project = Project::new(&[
        ("src/a.cu", &format!("{TYPE}{}", kernel("a"))),
        ("cuda-arch-lint.toml", "arch = ['80']\n"),
    ]);
    let mut watching = Watching::new(&project, "src");
    assert!(watching.says().contains(" on sm_80 "));
    assert!(watching.says().contains("; target sm_80 from cuda-arch-lint.toml"));
    assert_eq!(watching.mutters(), WATCHES);
    project.write("cuda-arch-lint.toml", "arhc = ['90']\n");
    assert!(watching.mutters().contains("unknown key `arhc`"));
    assert!(watching.mutters().starts_with("help: "));
    assert_eq!(watching.mutters(), WATCHES);
    project.write("cuda-arch-lint.toml", "arch = ['90']\n");
    assert!(watching.says().contains(" on sm_90 "));
}
