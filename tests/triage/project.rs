//! A project on disk, and the program run in it.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

pub(crate) const TYPE: &str =
    "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";
pub(crate) const SAME: &str = "typedef int scalar;\n";

/// A kernel whose type varies with `scalar`.
pub(crate) fn kernel(name: &str) -> String {
    format!("__global__ void {name}(scalar value) {{}}\n")
}

/// A directory with some files.
pub(crate) struct Project(pub(crate) TempDir);

/// The outcome of a run.
pub(crate) struct Ran {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().expect("a temporary directory"));
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).expect("the file is there")
    }

    /// `check` in the project, one line a finding.
    pub(crate) fn check(&self, arguments: &str) -> Ran {
        self.run(&format!("check -nostdinc --arch 80 --format concise {arguments}"))
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        command.args(arguments.split_whitespace()).current_dir(self.0.path());
        let Output { status, stdout, stderr } = command.output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        let code = status.code().and_then(|code| u8::try_from(code).ok()).expect("an exit code");
        Ran { code, out: text(stdout), err: text(stderr) }
    }

    pub(crate) fn git(&self, arguments: &str) {
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
    pub(crate) fn lines(&self) -> Vec<&str> {
        let mut lines: Vec<&str> = self.out.lines().collect();
        lines.pop();
        lines
    }

    /// The kernels of the findings.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.lines().iter().filter_map(|line| line.split('`').nth(1)).collect()
    }

    pub(crate) fn summary(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }
}
