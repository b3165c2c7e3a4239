//! Input that is broken, huge or meant to do harm: the program does what each row of the tables in this folder promises,
//! within 30 seconds of processor time and 1 GiB of memory; without optimisation, which takes it eight times as long or more,
//! within 60 seconds.
//!
//! A table is a list of cases:
//!
//! ```text
//! === an unterminated comment
//! setup: mkdir sub
//! $ lint a.cu --arch 80 --format concise
//! exit 3
//! out: a.cu:1:8: error: unterminated comment
//! err: a part of standard error
//! not: what neither of the two has
//! --- a.cu
//! int a; /* note
//! ```
//!
//! The command is bash's; `lint` is `cuda-arch-lint check -nostdinc`, and `program` is `cuda-arch-lint`. The files stand in
//! an empty directory. In their texts `@lines 1000 int x{i} = x{j};` stands for a thousand lines, in which `{i}` counts from
//! 0 and `{j}` from 1; `@row` is the same without line breaks, `@text` a line without its line break, and `@raw` a text with
//! Rust's escapes (`\x1b`, `\0`, `\n`). File names may have these too.
//!
//! `ROWS=comment cargo test --test all hostile::` runs the cases with that word in their names, and prints what they print
//! and how long they take.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, ffi::OsString, fs};

/// Kilobytes of address space: 1 GiB, and the stacks of two threads that analyse.
const MEMORY: u64 = (1 << 20) + 2 * (1 << 18);

/// Seconds of processor time. A processor that other machines share counts some of theirs, too.
const SECONDS: u64 = if cfg!(debug_assertions) { 60 } else { 30 };

#[test]
fn text() {
    run_table("text");
}

#[test]
fn preprocessing() {
    run_table("preprocessing");
}

#[test]
fn declarations() {
    run_table("declarations");
}

#[test]
fn files_and_builds() {
    run_table("builds");
}

#[test]
fn command_lines() {
    run_table("commands");
}

#[test]
fn the_tables_have_what_they_promise_to_have() {
    let tables = ["text", "preprocessing", "declarations", "builds", "commands"];
    let cases: usize = tables.iter().map(|table| cases(table).len()).sum();
    assert!(cases >= 150, "{cases}");
}

/// A row of a table.
#[derive(Debug, Default)]
struct Case {
    name: String,
    setup: Vec<String>,
    command: String,
    exit: i32,
    /// Parts of standard output.
    out: Vec<String>,
    /// Parts of standard error.
    err: Vec<String>,
    /// What neither has.
    not: Vec<String>,
    files: Vec<(PathBuf, Vec<u8>)>,
}

fn cases(table: &str) -> Vec<Case> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile").join(table).with_extension("cases");
    let text = fs::read_to_string(&path).expect("the table is there");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            cases.push(Case { name: name.to_string(), ..Case::default() });
            continue;
        }
        // What comes before the first case says what the table is about.
        let Some(case) = cases.last_mut() else { continue };
        if let Some(name) = line.strip_prefix("--- ") {
            let name = OsString::from_vec(unescaped(name));
            case.files.push((PathBuf::from(name), Vec::new()));
        } else if let Some((_, text)) = case.files.last_mut() {
            generate(line, text);
        } else {
            case.set(line);
        }
    }
    cases
}

impl Case {
    /// Takes a line of its head.
    fn set(&mut self, line: &str) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.to_string();
        match key {
            "setup:" => self.setup.push(value),
            "$" => self.command = value,
            "exit" => self.exit = value.parse().expect("an exit code"),
            "out:" => self.out.push(value),
            "err:" => self.err.push(value),
            "not:" => self.not.push(value),
            "" => {}
            _ => panic!("{}: `{line}` is no line of a case", self.name),
        }
    }
}

/// Writes what a line of a file's text stands for.
fn generate(line: &str, out: &mut Vec<u8>) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "@text" => out.extend(rest.bytes()),
        "@raw" => out.extend(unescaped(rest)),
        "@lines" | "@row" => {
            let (count, pattern) = rest.split_once(' ').expect("a count and a text");
            for number in 0..count.parse::<usize>().expect("a count") {
                let one = pattern.replace("{i}", &number.to_string());
                out.extend(one.replace("{j}", &(number + 1).to_string()).bytes());
                out.extend((word == "@lines").then_some(b'\n'));
            }
        }
        _ => out.extend([line.as_bytes(), b"\n"].concat()),
    }
}

/// A text with its escapes replaced by what they stand for.
fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match rest.next().expect("an escape is complete") {
            b'x' => {
                let mut digit =
                    || char::from(rest.next().expect("two digits")).to_digit(16).expect("a digit");
                out.push((digit() * 16 + digit()) as u8);
            }
            b'0' => out.push(0),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            other => out.push(other),
        }
    }
    out
}

/// Runs the cases of a table and reports all that break their promise.
fn run_table(table: &str) {
    let wanted = env::var("ROWS").ok();
    let mut broken = String::new();
    for case in cases(table) {
        if wanted.as_ref().is_some_and(|word| !case.name.contains(word.as_str())) {
            continue;
        }
        let directory = tempfile::tempdir().expect("a temporary directory");
        let output = run(&case, directory.path());
        let faults = faults(&case, &output);
        if wanted.is_some() || !faults.is_empty() {
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(2000).collect::<String>();
            let said = format!(
                "=== {}: {}\n$ {}\n{}{}{faults}\n",
                case.name,
                processor_time(directory.path()),
                case.command,
                shown(&output.stdout),
                shown(&output.stderr),
            );
            println!("{said}");
        }
        if !faults.is_empty() {
            broken += &format!("{}\n{faults}", case.name);
        }
    }
    assert!(broken.is_empty(), "{broken}");
}

/// The processor time of a case's commands, as bash's `times` prints it.
fn processor_time(directory: &Path) -> String {
    let times = fs::read_to_string(directory.join(TIMES)).unwrap_or_default();
    times.lines().nth(1).unwrap_or("unknown time").to_string()
}

/// The file, beside those of a case, that `times` is written to.
const TIMES: &str = ".times";

fn run(case: &Case, directory: &Path) -> Output {
    for (path, text) in &case.files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().expect("it has a directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    let script = format!(
        "{}\nulimit -v {MEMORY}\nulimit -t {SECONDS}\nset -o pipefail\n\
         lint() {{ \"$PROGRAM\" check -nostdinc \"$@\"; }}\nprogram() {{ \"$PROGRAM\" \"$@\"; }}\n{}\n\
         code=$?; times > {TIMES}; exit $code",
        case.setup.join("\n"),
        case.command
    );
    Command::new("bash")
        .args(["-c", &script])
        .current_dir(directory)
        .env_clear()
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("HOME", directory)
        .env("PROGRAM", env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .env("RAYON_NUM_THREADS", "2")
        // Address space that is no longer used goes back at once, so that the limit is one on memory.
        .env("_RJEM_MALLOC_CONF", "retain:false,dirty_decay_ms:0,muzzy_decay_ms:0")
        .output()
        .expect("bash is installed")
}

/// The promises that were not kept, a line each.
fn faults(case: &Case, output: &Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut faults = String::new();
    let mut fault = |said: String| writeln!(faults, "  {said}").expect("a string takes all");
    if output.status.code() != Some(case.exit) {
        fault(format!("ended with {:?}, {:?}", output.status.code(), output.status.signal()));
    }
    for (stream, name, parts) in [(&out, "output", &case.out), (&err, "error", &case.err)] {
        for part in parts.iter().filter(|part| !stream.contains(part.as_str())) {
            fault(format!("standard {name} has no `{part}`"));
        }
    }
    for part in &case.not {
        let part = String::from_utf8_lossy(&unescaped(part)).into_owned();
        if out.contains(&part) || err.contains(&part) {
            fault(format!("it prints {part:?}"));
        }
    }
    if out.contains("defect of its own") || err.contains("panicked") {
        fault("it stopped on a defect of its own".into());
    }
    faults
}
