//! Editors find, show and fix what the language server says, set up as the pages under `editors/` say.
//!
//! `cargo test --test editors`. Each test takes the configuration out of the editor's page, gives it to the editor
//! in an empty home directory and lets a script of `tests/editors/` drive it. Of the tests' environment,
//! `NVIM=`, `EMACS=` and `VIM=` name other programs, and `PROJECT=DIRECTORY FILE=PATH EXPECT=TEXT ACTION=TITLE`
//! open a file of another project (nothing is saved there).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Longer than any of the scripts waits for all that it waits for.
const PATIENCE: Duration = Duration::from_secs(400);

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The first code block of that language under a heading, without the indentation of a list that it is in.
fn block(page: &str, heading: &str, language: &str) -> String {
    let text = read(page);
    let mut lines = text.lines().skip_while(|line| line.trim_start_matches('#').trim() != heading);
    let fence = format!("```{language}");
    let open = lines.find(|line| line.trim_start() == fence);
    let indent =
        open.unwrap_or_else(|| panic!("{page} has no {fence} under {heading:?}")).len() - fence.len();
    let inside = lines.take_while(|line| line.trim_start() != "```");
    inside.map(|line| format!("{}\n", line.get(indent..).unwrap_or("").trim_end())).collect()
}

/// A file that is opened, and the expected finding.
struct Case {
    project: PathBuf,
    file: PathBuf,
    expect: String,
    action: String,
    /// The line of the finding, from 1, where it is known.
    line: Option<usize>,
    /// The project, where the test made it.
    _made: Option<TempDir>,
}

impl Case {
    /// The guide's own example in a project of its own, or what the environment asks for.
    fn new() -> Case {
        let asked = |name: &str| std::env::var(name).ok();
        let expect = asked("EXPECT").unwrap_or_else(|| "`store` takes `(double, double *)`".to_string());
        let action = asked("ACTION").unwrap_or_else(|| ACTION.to_string());
        if let (Some(project), Some(file)) = (asked("PROJECT"), asked("FILE")) {
            let project = PathBuf::from(project);
            return Case { file: project.join(file), project, expect, action, line: None, _made: None };
        }
        let made = tempfile::tempdir().expect("a temporary directory");
        let project = made.path().canonicalize().expect("it is there");
        fs::create_dir_all(project.join(".git")).expect("a new directory");
        fs::create_dir_all(project.join("src")).expect("a new directory");
        let file = project.join("src/kernels.cu");
        fs::copy(path("corpus/guide/typedef-by-pass.cu"), &file).expect("a new file");
        Case { file, project, expect, action, line: Some(11), _made: Some(made) }
    }

    /// The README's custom rule, and its source, as they are printed there.
    fn of_readme() -> Case {
        let made = tempfile::tempdir().expect("a temporary directory");
        let project = made.path().canonicalize().expect("it is there");
        fs::create_dir_all(project.join(".git")).expect("a new directory");
        for (language, name) in
            [("toml cuda-arch-lint.toml", "cuda-arch-lint.toml"), ("cuda filter.cu", "filter.cu")]
        {
            let text = block("README.md", "Rules of your own", language);
            fs::write(project.join(name), text).expect("a new file");
        }
        let expect = "the constant `taps` is `5` on the host".to_string();
        let file = project.join("filter.cu");
        Case { file, project, expect, action: ACTION.to_string(), line: Some(4), _made: Some(made) }
    }
}

/// The action that the tests choose: any project may take it, and its effect is known.
const ACTION: &str = "Allow";

/// Runs an editor in an empty home directory until it has written its report.
fn drive(case: &Case, home: &Path, command: &mut Command) -> Value {
    let report = home.join("report.json");
    let program = Path::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    let mut search = vec![program.parent().expect("it is in a directory").to_path_buf()];
    search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let log = fs::File::create(home.join("log")).expect("a new file");
    let mut child = command
        .current_dir(&case.project)
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("XDG_DATA_HOME", home.join(".data"))
        .env("XDG_STATE_HOME", home.join(".state"))
        .env("XDG_CACHE_HOME", home.join(".cache"))
        .env("PATH", std::env::join_paths(search).expect("the parts of a PATH"))
        .env("FILE", &case.file)
        .env("EXPECT", &case.expect)
        .env("ACTION", &case.action)
        .env("REPORT", &report)
        .stdin(std::process::Stdio::null())
        .stdout(log.try_clone().expect("a second handle"))
        .stderr(log)
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}; is the editor installed?"));
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("it can be stopped");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let log = fs::read_to_string(home.join("log")).unwrap_or_default();
    let text = fs::read_to_string(&report).unwrap_or_else(|error| panic!("no report: {error}\n{log}"));
    let seen: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{log}"));
    println!("{seen:#}");
    assert_eq!(seen["problem"], Value::Null, "{log}");
    seen
}

/// The events that every editor must have seen.
fn check(case: &Case, seen: &Value) {
    let has = |list: &Value, text: &str| {
        let list = list.as_array().unwrap_or_else(|| panic!("a list, not {list}"));
        list.iter().any(|item| item.as_str().is_some_and(|item| item.contains(text)))
    };
    assert!(has(&seen["found"], &case.expect), "{seen:#}");
    if let Some(line) = case.line {
        assert_eq!(seen["line"], line, "where the finding is");
    }
    if !case.action.is_empty() {
        assert!(has(&seen["actions"], &case.action), "{seen:#}");
        assert!(!has(&seen["left"], &case.expect), "{seen:#}");
        assert!(seen["text"].as_str().is_some_and(|text| !text.is_empty()), "{seen:#}");
    }
}

fn home(files: &[(&str, &str)]) -> TempDir {
    let home = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    home
}

fn program(variable: &str, otherwise: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| otherwise.to_string())
}

#[test]
fn neovim_shows_a_finding_and_fixes_it() {
    in_neovim(&Case::new());
}

#[test]
fn neovim_shows_the_finding_of_the_readmes_custom_rule() {
    in_neovim(&Case::of_readme());
}

fn in_neovim(case: &Case) {
    let nvim = program("NVIM", "nvim");
    let version = Command::new(&nvim).arg("--version").output().expect("Neovim is installed");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let heading = if version.starts_with("NVIM v0.7") { "Neovim 0.7" } else { "Install" };
    let home = home(&[(".config/nvim/init.lua", &block("editors/neovim.md", heading, "lua"))]);
    let mut command = Command::new(nvim);
    command.args(["--headless", "-n", "-c"]);
    command.arg(format!("luafile {}", path("tests/editors/neovim.lua").display()));
    check(case, &drive(case, home.path(), &mut command));
}

#[test]
fn emacs_with_eglot_shows_a_finding_and_fixes_it() {
    let init = block("editors/emacs.md", "Eglot", "elisp");
    let home = home(&[(".emacs.d/init.el", &init)]);
    let case = Case::new();
    let mut command = Command::new(program("EMACS", "emacs"));
    // `--batch` reads no init file, and Debian's packages are known after `package-initialize`.
    command.args(["--batch", "--eval", "(package-initialize)", "-l"]);
    command.arg(home.path().join(".emacs.d/init.el"));
    command.arg("-l").arg(path("tests/editors/eglot.el"));
    check(&case, &drive(&case, home.path(), &mut command));
}

#[test]
fn vim_with_ale_shows_a_finding_and_fixes_it() {
    let init = block("editors/vim.md", "ALE", "vim");
    let home = home(&[(".vimrc", &init)]);
    let case = Case::new();
    let mut command = Command::new(program("VIM", "vim"));
    command.args(["-N", "-n", "-es", "-i", "NONE", "-u"]).arg(home.path().join(".vimrc"));
    command.arg("-S").arg(path("tests/editors/ale.vim"));
    check(&case, &drive(&case, home.path(), &mut command));
}
