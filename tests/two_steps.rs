//! One step, two steps, and a cache: whatever way a result takes, it is the same, byte for byte. What can't be used of what
//! is on disk is refused by name, or is a miss.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use tempfile::TempDir;

const SHARED: &str = "\
#pragma once
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WIDTH 16
#else
#define WIDTH 8
#endif
inline __device__ int width(int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    return x + WIDTH;
#else
    return x;
#endif
}
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef float scalar;
#endif
template <class T> __global__ void store(T value, scalar *out) { *out = value + width(1); }
";

/// A project of two programs: the units of the second are not compiled for the same targets.
fn project() -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let root = directory.path();
    let unit = |n: usize| {
        format!(
            "#include \"shared.cuh\"\n#include <absent.h>\n\
             __global__ void run{n}(scalar *out) {{ *out = width({n}); }}\n\
             void start{n}(scalar *out) {{ run{n}<<<1, 1>>>(out); store<int><<<1, 1>>>({n}, out); }}\n"
        )
    };
    let quiet = "// cuda-arch-lint: allow(arch-dependent-signature) -- known\n";
    let files = [
        ("include/shared.cuh", SHARED.to_string()),
        ("include/alone.cuh", SHARED.replace("#pragma once\n", "").replace("store", "keep")),
        ("a.cu", unit(1)),
        ("b/a.cu", unit(2).replace("__global__", &format!("{quiet}__global__"))),
        ("c.cu", unit(3)),
        ("d.cu", "__global__ void plain(int *out) { *out = 1; }\n".into()),
        ("e.cu", "__global__ void broken(int *out) {\n#if\n}\n".into()),
    ];
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("it has a directory")).expect("a new directory");
        fs::write(path, text).expect("a new file");
    }
    let entry = |file: &str, program: &str, arch: &str| {
        format!(
            "{{\"directory\": {root:?}, \"file\": \"{file}\", \"command\": \"nvcc -rdc=true -gencode arch=compute_{arch},\
             code=sm_{arch} -Iinclude -c {file} -o CMakeFiles/{program}.dir/{file}.o\"}}"
        )
    };
    let entries = [
        entry("a.cu", "one", "80"),
        entry("b/a.cu", "two", "80"),
        entry("c.cu", "two", "90"),
        entry("a.cu", "two", "90"),
    ];
    fs::write(root.join("compile_commands.json"), format!("[{}]", entries.join(",\n"))).expect("a new file");
    directory
}

/// What a command prints, and its exit code.
type Said = (Option<i32>, String, String);

fn command(directory: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    command.current_dir(directory).args(words.split_whitespace()).arg("--isolated");
    for name in
        ["NO_COLOR", "FORCE_COLOR", "SCALE_CCMAP", "TORCH_CUDA_ARCH_LIST", "CUDAARCHS", "NVCC_APPEND_FLAGS"]
    {
        command.env_remove(name);
    }
    command
}

fn run(directory: &Path, words: &str) -> Said {
    let Output { status, stdout, stderr } = command(directory, words).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        match entry.path() {
            path if path.is_dir() => files.extend(self::files(&path)),
            path => files.push(path),
        }
    }
    files.retain(|path| path.extension().is_some_and(|ending| ending == "summary"));
    files.sort();
    files
}

#[test]
fn two_steps_are_one() {
    let directory = project();
    let root = directory.path();
    for options in ["-nostdinc", "-nostdinc --rdc --arch 75,90"] {
        let made = run(root, &format!("summarize . {options} --into out"));
        assert_eq!((made.0, made.2.as_str()), (Some(0), ""));
        let mut names = files(&root.join("out"));
        assert!(names.len() >= 6, "{names:?}");
        for format in
            ["text", "json", "sarif", "html", "jsonl", "github", "gitlab", "junit", "checkstyle", "concise"]
        {
            let one = run(root, &format!("check . {options} --format {format}"));
            assert_eq!(one.0, Some(3), "{}", one.1);
            for jobs in [1, 3] {
                names.rotate_left(1);
                let names: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
                let two = run(root, &format!("judge {} --format {format} --jobs {jobs}", names.join(" ")));
                assert_eq!(two, one, "{options} {format}");
            }
        }
        // What is known is known in both ways.
        let one = run(root, &format!("check . {options} --write-baseline one.json"));
        let two = run(root, "judge out --write-baseline two.json");
        assert_eq!((one.0, &one.1), (two.0, &two.1));
        let read = |name: &str| fs::read_to_string(root.join(name)).expect("a baseline");
        assert_eq!(read("one.json"), read("two.json"));
        let [one, two] = [format!("check . {options}"), "judge out".into()]
            .map(|words| run(root, &format!("{words} --baseline one.json")));
        assert_eq!(one, two);
        fs::remove_dir_all(root.join("out")).expect("it was made");
    }
}

#[test]
fn fixes_are_tried_on_the_units_of_summaries() {
    let directory = project();
    let root = directory.path();
    run(root, "summarize . -nostdinc --arch 80,90 --into out");
    let one = run(root, "check . -nostdinc --arch 80,90 --format json --show-fixes");
    assert!(one.1.contains("\"fixes\""), "{}", one.1);
    assert_eq!(run(root, "judge out --format json --show-fixes"), one);
}

#[test]
fn a_unit_is_summarized_as_its_compilers_command_says() {
    let directory = project();
    let root = directory.path();
    let words = "summarize -nostdinc -o a.summary --depfile a.d --link-group one";
    let made = command(root, words)
        .args(["--", "nvcc", "-arch=sm_90", "-Iinclude", "-c", "a.cu", "-o", "a.o"])
        .output()
        .expect("the program runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let real = root.canonicalize().expect("it is there");
    let depfile = fs::read_to_string(root.join("a.d")).expect("a depfile");
    let depfile =
        depfile.replace(&real.display().to_string(), "ROOT").replace(&root.display().to_string(), "ROOT");
    assert_eq!(depfile, "a.summary: \\\n  ROOT/a.cu \\\n  ROOT/include/shared.cuh\n");
    let judged = run(root, "judge a.summary --format concise");
    assert!(judged.1.contains("run1") && judged.1.contains("sm_90"), "{judged:?}");
}

#[test]
fn what_is_no_summary_or_no_longer_true_is_refused_by_name() {
    let directory = project();
    let root = directory.path();
    run(root, "summarize . -nostdinc --arch 80,90 --into out");
    let names = files(&root.join("out"));
    let path = names.iter().find(|name| name.display().to_string().contains("/c.cu-")).expect("that of c.cu");
    let whole = fs::read(path).expect("a summary");
    let refused = |bytes: &[u8], said: &str| {
        fs::write(path, bytes).expect("it can be written");
        let (code, out, err) = run(root, "judge out");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("/c.cu-") && err.contains(said) && err.contains("help: "), "{said}: {err}");
    };
    for length in [0, 1, 20, 60, 200, whole.len() - 1] {
        let said = if length == 0 { "it is no summary" } else { "" };
        refused(&whole[..length], said);
    }
    refused(&[&whole[..], b"x"].concat(), "it was not written to its end, or it was changed");
    refused(b"#include <a.h>\n", "it is no summary");
    let version = |from: &str, to: &str| {
        let line = whole.iter().position(|byte| *byte == b'\n').expect("a first line");
        let first = String::from_utf8(whole[..line].to_vec()).expect("text").replacen(from, to, 1);
        [first.as_bytes(), &whole[line..]].concat()
    };
    refused(&version("0.1.0", "0.0.9"), "cuda-arch-lint 0.0.9 (");
    refused(&version("summary 1 ", "summary 7 "), "layout 7 made it");
    let line = whole.iter().position(|byte| *byte == b'\n').expect("a first line");
    // Each byte of the list of parts and of what is judged counts.
    for at in [line + 3, line + 40, line + 300, line + 500] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        refused(&damaged, "damaged");
    }
    fs::write(path, &whole).expect("it can be written");
    let before = run(root, "judge out");
    assert_eq!(before.0, Some(3));
    let text = fs::read_to_string(root.join("c.cu")).expect("a source");
    fs::write(root.join("c.cu"), format!("\n{text}")).expect("it can be written");
    let (code, _, err) = run(root, "judge out");
    assert!(
        code == Some(2) && err.contains("c.cu` has another text than the one that was analysed"),
        "{err}"
    );
    fs::remove_file(root.join("c.cu")).expect("it is there");
    let (code, _, err) = run(root, "judge out");
    assert!(code == Some(2) && err.contains("failed to read `") && err.contains("summarize"), "{err}");
}

/// How a change is made.
type Change = fn(&Path);

#[test]
fn a_cache_never_gives_another_result() {
    let directory = project();
    let root = directory.path();
    let changes: [(&str, Change); 9] = [
        ("nothing", |_| {}),
        ("a source", |root| fs::write(root.join("d.cu"), SHARED).expect("written")),
        ("a header", |root| {
            fs::write(root.join("include/shared.cuh"), SHARED.replace("double", "int")).expect("written")
        }),
        ("a header that was not found before", |root| {
            fs::write(root.join("include/absent.h"), "#define WIDTH 1\n").expect("written")
        }),
        ("a header that is found before another", |root| {
            fs::write(root.join("b/shared.cuh"), SHARED.replace("double", "short")).expect("written")
        }),
        ("it goes again", |root| fs::remove_file(root.join("b/shared.cuh")).expect("it is there")),
        ("the build names other targets", |root| {
            let path = root.join("compile_commands.json");
            let text = fs::read_to_string(&path).expect("a database");
            fs::write(path, format!("\n{}", text.replace("_80", "_75"))).expect("written")
        }),
        ("a comment allows a finding", |root| {
            let text = fs::read_to_string(root.join("c.cu")).expect("a source");
            fs::write(root.join("c.cu"), format!("// NOLINTBEGIN(*)\n{text}// NOLINTEND(*)\n"))
                .expect("written")
        }),
        ("a unit is gone", |root| fs::remove_file(root.join("a.cu")).expect("it is there")),
    ];
    for (name, change) in changes {
        change(root);
        let options = "check . -nostdinc --format json";
        let alone = run(root, options);
        for time in ["cold", "warm"] {
            assert_eq!(run(root, &format!("{options} --cache kept")), alone, "{name}, {time}");
        }
    }
}

#[test]
fn torn_swapped_and_foreign_files_in_a_cache_are_misses() {
    let directory = project();
    let root = directory.path();
    let options = "check . -nostdinc --arch 80,90 --format json";
    let alone = run(root, options);
    let cached = || assert_eq!(run(root, &format!("{options} --cache kept")), alone);
    cached();
    let kept = files(&root.join("kept"));
    assert!(kept.len() >= 5);
    let whole: Vec<Vec<u8>> = kept.iter().map(|path| fs::read(path).expect("a summary")).collect();
    for (number, path) in kept.iter().enumerate() {
        let other = &whole[(number + 1) % whole.len()];
        let mut damaged = whole[number].clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 0x40;
        let bytes = [&whole[number][..middle], other, &damaged, b"", b"foreign"][number % 5];
        fs::write(path, bytes).expect("it can be written");
    }
    cached();
    // A small cache keeps what was used last, and no more than it may.
    fs::write(root.join("kept/notes.txt"), "mine").expect("it can be written");
    assert_eq!(run(root, &format!("{options} --cache kept --cache-size 0")), alone);
    assert_eq!(files(&root.join("kept")), Vec::<PathBuf>::new());
    assert!(root.join("kept/notes.txt").exists());
    cached();
    // Two at once.
    let mut two: Vec<_> = (0..2)
        .map(|_| {
            command(root, &format!("{options} --cache other")).stdout(std::process::Stdio::piped()).spawn()
        })
        .collect();
    for one in two.drain(..) {
        let output = one.expect("the program runs").wait_with_output().expect("it ends");
        assert_eq!(String::from_utf8_lossy(&output.stdout), alone.1);
    }
}

/// `KILLS=200 cargo test --release --test all two_steps::` kills more often.
#[test]
fn a_run_that_is_killed_leaves_nothing_that_changes_a_result() {
    let directory = project();
    let root = directory.path();
    let options = "check . -nostdinc --arch 80,90 --format json";
    let begin = std::time::Instant::now();
    let alone = run(root, options);
    let longest = begin.elapsed().as_micros() as u64 * 3 / 2;
    let kills: u64 = std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(5);
    let mut random = fastrand::Rng::with_seed(24);
    for kill in 0..kills {
        let mut going = command(root, &format!("{options} --cache kept"));
        let mut going = going
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(Duration::from_micros(random.u64(0..longest)));
        let _ = going.kill();
        going.wait().expect("it ends");
        if kill % 10 == 4 || kill + 1 == kills {
            assert_eq!(run(root, &format!("{options} --cache kept")), alone, "after {kill} kills");
            if kill % 20 == 14 {
                fs::remove_dir_all(root.join("kept")).expect("it is there");
            }
        }
    }
}
