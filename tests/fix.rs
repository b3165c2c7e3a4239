//! `--fix` as a user runs it: what it edits, what it prints, and what it leaves alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A kernel that the host's launches find on new GPUs alone.
const GUARDED: &str = "\
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void cluster_sum(int *out) {
    *out = 1;
}
#endif
";

/// The same with the guard in the body.
const MENDED: &str = "\
__global__ void cluster_sum(int *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    *out = 1;
#else
    __trap();
#endif
}
";

/// A parameter whose type is another on new GPUs: no fix keeps both.
const TYPED: &str = "\
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
using Scalar = double;
#else
using Scalar = float;
#endif
__global__ void scale(Scalar by, int *out) { *out = by > 0; }
";

/// Findings that no known edit mends.
const STUBBORN: &str = "__global__ void threshold(long double limit, int *out) { *out = limit > 0; }\n";

struct Ran {
    code: i32,
    out: String,
    err: String,
    directory: TempDir,
}

impl Ran {
    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).expect("a file")
    }
}

fn run(files: &[(&str, &[u8])], arguments: &str) -> Ran {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        fs::write(directory.path().join(name), text).expect("a new file");
    }
    let (code, out, err) = again(directory.path(), arguments);
    Ran { code, out, err, directory }
}

fn again(directory: &Path, arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    command.current_dir(directory).args(["check", "-nostdinc", "--arch", "80,90"]);
    let output = command.args(arguments.split_whitespace()).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

#[test]
fn the_source_is_edited_and_what_is_left_is_reported() {
    let ran = run(&[("a.cu", GUARDED.as_bytes()), ("b.cu", STUBBORN.as_bytes())], ". --fix");
    assert_eq!(ran.text("a.cu"), MENDED);
    assert_eq!(ran.text("b.cu"), STUBBORN);
    assert!(ran.err.contains("1 fix in 1 file"), "{}", ran.err);
    assert!(ran.out.contains("threshold") && !ran.out.contains("cluster_sum"), "{}", ran.out);
    assert_eq!(ran.code, 1);
    let (_, _, err) = again(ran.directory.path(), "a.cu --fix");
    assert!(err.contains("0 fixes in 0 files"), "{err}");
}

#[test]
fn a_patch_is_printed_that_git_applies() {
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --fix --diff");
    assert_eq!((ran.code, ran.text("a.cu").as_str()), (1, GUARDED));
    fs::write(ran.directory.path().join("p.patch"), &ran.out).expect("a new file");
    let git = |arguments: &[&str]| {
        let done = Command::new("git").current_dir(ran.directory.path()).args(arguments).output();
        let done = done.expect("git runs");
        assert!(done.status.success(), "{}\n{}", String::from_utf8_lossy(&done.stderr), ran.out);
    };
    git(&["init", "-q"]);
    git(&["apply", "p.patch"]);
    assert_eq!(ran.text("a.cu"), MENDED);
    let (code, out, _) = again(ran.directory.path(), ". --fix --diff");
    assert_eq!((code, out.as_str()), (0, ""));
}

#[test]
fn only_the_kinds_that_are_asked_for() {
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --fix --fix-kind stub");
    assert!(
        ran.text("a.cu").contains("#else\n__global__ void cluster_sum(int *out) { __trap(); }\n#endif"),
        "{}",
        ran.text("a.cu")
    );
    assert_eq!(ran.code, 0);
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --fix --fix-kind mention");
    assert_eq!((ran.code, ran.text("a.cu").as_str()), (1, GUARDED));
}

#[test]
fn what_changes_the_meaning_of_code_is_done_only_when_it_is_asked_for() {
    let ran = run(&[("a.cu", TYPED.as_bytes())], ". --fix");
    assert_eq!((ran.code, ran.text("a.cu").as_str()), (1, TYPED));
    assert!(ran.err.contains("0 fixes in 0 files\n1 more finding has a fix"), "{}", ran.err);
    let (code, _, err) = again(ran.directory.path(), ". --fix --suggested");
    let text = ran.text("a.cu");
    assert!(code == 0 && text.starts_with("using Scalar = float;\n__global__"), "{text}\n{err}");
    let ran = run(&[("a.cu", TYPED.as_bytes())], ". --suggested");
    assert!(ran.code == 2 && ran.err.contains("--fix"), "{}", ran.err);
}

#[test]
fn code_that_a_pass_lacked_comes_in_only_when_it_is_asked_for() {
    let bare =
        "__device__ int cluster_count;\nvoid read(int *to) { cudaMemcpyFromSymbol(to, cluster_count, 4); }\n";
    let text = format!(
        "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n{}",
        bare.replacen('\n', "\n#endif\n", 1)
    );
    let ran = run(&[("a.cu", text.as_bytes())], ". --fix");
    assert_eq!((ran.code, ran.text("a.cu")), (1, text.clone()));
    assert_eq!(with_all(&text, "body"), bare);
}

#[test]
fn fixes_are_shown_without_being_made() {
    let ran = run(&[("a.cu", TYPED.as_bytes()), ("b.cu", GUARDED.as_bytes())], ". --show-fixes");
    assert_eq!((ran.text("a.cu").as_str(), ran.text("b.cu").as_str()), (TYPED, GUARDED));
    let summary = "1 fixable with `--fix`, 1 more with `--fix --suggested`";
    for shown in ["safe   Move the guard into the body of `cluster_sum`", "suggested   Lift `using", summary]
    {
        assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
    }
}

/// The text of the file after `--fix --suggested` with fixes of one kind.
fn with_all(text: &str, kind: &str) -> String {
    run(&[("a.cu", text.as_bytes())], &format!(". --fix --suggested --fix-kind {kind}")).text("a.cu")
}

#[test]
fn no_fix_drops_a_launch() {
    let text = "\
template <class T> __global__ void attend(T *out) { *out = T(1); }
void fail(const char *why);
template <class T> void run(T *out) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    attend<T><<<1, 32>>>(out);
#else
    fail(\"needs a GPU of 9.0\");
#endif
}
template void run<float>(float *);
";
    for kind in ["lift", "list", "test", "body"] {
        assert_eq!(with_all(text, kind), text, "{kind}");
    }
    assert!(with_all(text, "mention").starts_with(text));
}

#[test]
fn no_fix_takes_the_code_of_another_instantiation() {
    let text = "\
template <class T> __global__ void scale(T *out, T by) {
    *out *= by;
}
void run(float *singles, double *doubles) {
    scale<<<1, 32>>>(singles, 2.0f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    scale<<<1, 32>>>(doubles, 2.0);
#endif
}
";
    let in_body = "Move the guard into the body of `scale`";
    let offers = |text: &str| run(&[("a.cu", text.as_bytes())], ". --show-fixes").out.contains(in_body);
    assert!(!offers(text));
    let bare: String =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    assert_eq!(with_all(text, "body"), bare);
    // It is the only one: the body is no pass's code that the guard takes it from.
    let alone = text.replace("    scale<<<1, 32>>>(singles, 2.0f);\n", "");
    assert!(offers(&alone));
}

#[test]
fn nothing_goes_on_without_an_instruction_as_if_it_had_it() {
    let text = "\
__global__ void announce(unsigned *out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(\"griddepcontrol.launch_dependents;\");
#endif
}
";
    let guarded = with_all(text, "instruction");
    assert!(guarded.contains("__CUDA_ARCH__ >= 900\n    asm"), "{guarded}");
    assert!(guarded.contains("#else\n    __trap();\n#endif\n#endif\n"), "{guarded}");
    // Where there is code for the others, these take it; the number is replaced.
    let with_alternative = text.replace("#endif", "#else\n    *out = 1;\n#endif");
    assert_eq!(with_all(&with_alternative, "instruction"), with_alternative.replace("800", "900"));
}

#[test]
fn what_is_not_mended_is_allowed_with_a_reason() {
    let files: &[(&str, &[u8])] = &[("a.cu", GUARDED.as_bytes()), ("b.cu", STUBBORN.as_bytes())];
    let ran = run(files, ". --fix --reason never-launched");
    assert_eq!((ran.code, ran.text("a.cu").as_str()), (0, MENDED));
    assert_eq!(
        ran.text("b.cu"),
        format!("// cuda-arch-lint: allow(arch-dependent-layout) -- never-launched\n{STUBBORN}")
    );
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --fix --fix-kind allow --reason old");
    assert!(ran.text("a.cu").contains("-- old\n__global__"), "{}", ran.text("a.cu"));
    assert_eq!(ran.code, 0);
}

#[test]
fn what_comments_and_baselines_allow_is_left_alone() {
    let allowed = format!("// cuda-arch-lint: allow-file(arch-dependent-definition)\n{GUARDED}");
    let ran = run(&[("a.cu", allowed.as_bytes())], ". --fix");
    assert_eq!((ran.code, ran.text("a.cu")), (0, allowed));
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --write-baseline old.json");
    let (code, _, _) = again(ran.directory.path(), ". --baseline old.json --fix");
    assert_eq!((code, ran.text("a.cu").as_str()), (0, GUARDED));
}

#[test]
fn a_file_that_is_not_utf_8_is_not_edited() {
    let text = [b"// caf\xe9\n", GUARDED.as_bytes()].concat();
    let ran = run(&[("a.cu", &text)], ". --fix");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("not UTF-8"), "{}", ran.err);
    assert_eq!(fs::read(ran.directory.path().join("a.cu")).expect("a file"), text);
}

#[test]
fn a_patch_fails_for_what_a_run_fails_for() {
    let (guarded, stubborn) = ([("a.cu", GUARDED.as_bytes())], [("b.cu", STUBBORN.as_bytes())]);
    assert_eq!(run(&guarded, ". --fix --diff").code, 1);
    assert_eq!(run(&guarded, ". --fix --diff --exit-zero").code, 0);
    let ran = run(&stubborn, ". --fix --diff");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", "nothing to fix\n"));
    let plain = run(&stubborn, ".");
    assert_eq!(ran.code, plain.code, "{}", plain.out);
    // Advice fails no run, with a patch or without.
    let advice = ". --rule all=note";
    assert_eq!((run(&guarded, advice).code, run(&guarded, &format!("{advice} --fix --diff")).code), (0, 0));
}

#[test]
fn a_diff_needs_a_revision_unless_it_is_of_fixes() {
    // What exists is a path, not a revision.
    let (with, without) = (&[("a.cu", GUARDED.as_bytes())], "--fix --diff a.cu");
    assert_eq!(run(with, without).out, run(with, "a.cu --fix --diff").out);
    let ran = run(&[("a.cu", GUARDED.as_bytes())], ". --diff");
    assert!(ran.code == 2 && ran.err.contains("`--diff` needs a git revision"), "{}", ran.err);
}
