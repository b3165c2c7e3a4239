//! `audit` as a user runs it, on objects that nvcc made (`tests/artifacts/make`).

#![allow(clippy::unwrap_used, reason = "a test that can't run the program should fail where it stands")]

use std::path::Path;
use std::process::Command;

use cuda_arch_lint::cli::exit_code::{CLEAN, FINDINGS, INCOMPLETE, USAGE};
use serde_json::Value;

/// The exit code, standard output and standard error.
fn audit(arguments: &[&str]) -> (u8, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts");
    let output = command.current_dir(directory).arg("audit").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = u8::try_from(output.status.code().unwrap()).unwrap();
    (code, text(output.stdout), text(output.stderr))
}

/// The findings of a file as rules and what they are about.
fn check(file: &str, expected: &[(&str, &str)]) {
    let (code, out, err) = audit(&["--isolated", "--format", "json", file]);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{file}: {out}{err}"));
    let findings = report["findings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let found: Vec<(String, String)> =
        findings.iter().map(|one| (text(&one["rule"]), text(&one["entity"]))).collect();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(rule, entity)| (rule.to_string(), entity.to_string())).collect();
    assert_eq!(found, expected, "{file}");
    assert_eq!(code, if expected.is_empty() { CLEAN } else { FINDINGS }, "{file}");
}

const EACH: [(&str, &str); 4] = [
    ("mismatched-parameters", "clip"),
    ("missing-kernel", "cluster_sum(int*)"),
    ("unregistered-kernel", "void fill<float>(float*, Shape)"),
    ("mismatched-variable", "cluster_count"),
];

#[test]
fn each_way_in_which_images_disagree_is_found() {
    check("whole.o", &EACH);
    check("relocatable.o", &EACH);
    check(
        "forms.o",
        &[
            ("mismatched-ptx", "clip"),
            // The host's pass has an `int` there, and the last device pass, whose types are registered, a `double`.
            ("mismatched-parameters", "clip(double, int*)"),
            ("mismatched-ptx", "cluster_sum(int*)"),
            ("unregistered-kernel", "void fill<float>(float*, Shape)"),
            ("mismatched-ptx", "cluster_count"),
        ],
    );
    check("kernels.cubin", &[]);
}

#[test]
fn what_has_no_device_code_is_refused_or_told() {
    let (code, out, err) = audit(&["no-such-file"]);
    assert_eq!((code, out.as_str()), (USAGE, ""));
    assert!(err.starts_with("error: no such file or directory: `no-such-file`"), "{err}");
    let (code, _, err) = audit(&["--list", "html", "whole.o"]);
    assert!(
        code == USAGE
            && err.contains("help: a format of the list is given with an equals sign: `--list=html`")
    );
    let (code, out, err) = audit(&["whole.o", "kernels.cu"]);
    assert_eq!((code, out.as_str()), (USAGE, ""));
    assert_eq!(
        err,
        "error: `kernels.cu` is a source, and nothing that was built\n\
         help: sources are looked at by `check`: cuda-arch-lint check kernels.cu\n"
    );
    let text = tempfile::NamedTempFile::with_suffix(".so").unwrap();
    let (code, out, _) = audit(&[text.path().to_str().unwrap()]);
    assert_eq!(code, INCOMPLETE);
    assert!(out.contains(".so: it is of no kind that holds device code"), "{out}");
    let empty = tempfile::tempdir().unwrap();
    let (code, _, err) = audit(&[empty.path().to_str().unwrap()]);
    assert!(code == USAGE && err.contains("no device code in"), "{err}");
}

#[test]
fn the_same_levels_and_baselines_count_as_for_sources() {
    let (code, out, _) = audit(&[
        "whole.o",
        "--isolated",
        "--rule",
        "CAL017=off",
        "--fail-on",
        "error",
        "--format",
        "concise",
    ]);
    assert!(code == FINDINGS && !out.contains("unregistered-kernel"), "{out}");
    let directory = tempfile::tempdir().unwrap();
    let baseline = directory.path().join("baseline.json");
    let baseline = baseline.to_str().unwrap();
    assert_eq!(audit(&["whole.o", "--isolated", "--write-baseline", baseline]).0, CLEAN);
    let (code, out, _) = audit(&["whole.o", "--isolated", "--baseline", baseline]);
    assert_eq!(code, CLEAN);
    assert!(out.contains("4 in the baseline"), "{out}");
}

#[test]
fn sarif_s_place_is_the_artifact() {
    let (_, out, _) = audit(&["whole.o", "--isolated", "--format", "sarif"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    let place = &report["runs"][0]["results"][1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "tests/artifacts/whole.o");
    assert_eq!(place.get("region"), None);
}

#[test]
fn kernels_are_listed_by_architecture() {
    let (code, out, _) = audit(&["--list", "whole.o", "--isolated"]);
    assert_eq!(code, CLEAN);
    assert!(out.contains("host  sm_80  sm_90  compute_90  name\n"), "{out}");
    assert!(out.contains("yes     -      +        +       cluster_sum(int*)\n"), "{out}");
    assert!(out.contains("no      +      -        -       void fill<float>(float*, Shape)\n"), "{out}");
    let (_, out, _) = audit(&["--list=json", "whole.o", "--isolated"]);
    let list: Value = serde_json::from_str(&out).unwrap();
    let kernels = list["artifacts"][0]["modules"][0]["kernels"].as_array().unwrap();
    let fill = kernels.iter().find(|one| one["name"] == "void fill<int>(int*, Shape)").unwrap();
    assert_eq!(fill["images"][0]["parameters"], serde_json::json!([[0, 8], [8, 8]]));
    assert_eq!(fill["images"][0]["max_threads"], serde_json::json!([128, 1, 1]));
    let (_, out, _) = audit(&["--list=html", "whole.o", "--isolated"]);
    assert!(out.contains("<p class=\"gap\"><b><i class=\"missing\">××××</i>"), "{out}");
}

#[test]
fn what_a_release_loses_is_a_finding() {
    let (code, out, _) = audit(&["--diff", "relocatable.o", "forms.o"]);
    assert_eq!(code, FINDINGS);
    assert!(out.contains("lost on 8.0, 8.6, 8.8, 8.9"), "{out}");
    // The names of kernels with internal linkage differ in their symbols only.
    assert_eq!(
        audit(&["--diff", "whole.o", "relocatable.o"]),
        (CLEAN, "no difference\n".into(), String::new())
    );
}

/// The rule, the entity, the line of the conditional that decides, and what `field` has of each finding.
fn told(out: &str, field: fn(&Value) -> String) -> Vec<(String, Option<u64>, String)> {
    let report: Value = serde_json::from_str(out).unwrap();
    assert_eq!(report["problems"], serde_json::json!([]));
    let findings = report["findings"].as_array().unwrap().iter();
    let one = |one: &Value| {
        (one["entity"].as_str().unwrap().to_string(), one["deciding"]["start"]["line"].as_u64(), field(one))
    };
    findings.map(one).collect()
}

#[test]
fn the_sources_explain_what_was_built() {
    let last_note =
        |one: &Value| one["notes"].as_array().unwrap().last().unwrap().as_str().unwrap().to_string();
    let expected = [
        ("clip", 2, "`arch-dependent-signature` explains it: `clip` takes"),
        (
            "cluster_sum(int*)",
            25,
            "`arch-dependent-definition` explains it: kernel `cluster_sum` is defined on",
        ),
        (
            "void fill<float>(float*, Shape)",
            46,
            "`arch-dependent-instantiation` explains it: `fill<float>` is",
        ),
        (
            "cluster_count",
            25,
            "`arch-dependent-definition` explains it: `__device__` variable `cluster_count`",
        ),
    ];
    for object in ["whole.o", "relocatable.o"] {
        let (code, out, _) =
            audit(&[object, "--sources", "kernels.cu", "--nostdinc", "--isolated", "--format", "json"]);
        assert_eq!(code, FINDINGS);
        let found = told(&out, last_note);
        assert_eq!(found.len(), expected.len());
        for ((entity, line, note), (of, at, begin)) in found.iter().zip(expected) {
            assert_eq!((entity.as_str(), *line), (of, Some(at)), "{object}");
            assert!(note.starts_with(begin), "{object}: {note}");
        }
    }
    // The kernel is in the object, and nothing that varies is in these sources.
    let directory = tempfile::tempdir().unwrap();
    let other = directory.path().join("other.cu");
    std::fs::write(&other, "__global__ void clip(double most, int *out) { *out = most; }\n").unwrap();
    let other = other.to_str().unwrap();
    let (_, out, _) = audit(&["whole.o", "--sources", other, "--nostdinc", "--isolated", "--format", "json"]);
    let found = told(&out, last_note);
    assert!(found.iter().all(|one| one.1.is_none() && one.2.starts_with("No finding about the sources")));
}

/// The verdict of `whole.o` on each finding in a source.
fn verdicts(source: &str) -> Vec<(String, String, String)> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.cu");
    std::fs::write(&path, source).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts"));
    command.args(["check", "--isolated", "--nostdinc", "--built", "whole.o", "--format", "json"]).arg(path);
    let output = command.output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let built = |one: &Value| one["built"].to_string();
    let all = told(&out, built).into_iter().map(|(entity, _, built)| {
        let built: Value = serde_json::from_str(&built).unwrap();
        let text = |key: &str| built[key].as_str().unwrap().to_string();
        (entity, text("verdict"), text("reason"))
    });
    all.collect()
}

#[test]
fn what_was_built_proves_denies_or_does_not_have_a_finding() {
    let check = |source: &str, expected: &[(&str, &str)]| {
        let found = verdicts(source);
        let short: Vec<(&str, &str)> = found.iter().map(|one| (one.0.as_str(), one.1.as_str())).collect();
        assert_eq!(short, expected, "{found:?}");
    };
    let source = include_str!("artifacts/kernels.cu");
    check(
        source,
        &[("clip", "proved"), ("cluster_count", "proved"), ("cluster_sum", "proved"), ("fill", "proved")],
    );
    // The object has `fill<int>` for each target, and registers it.
    check(
        "struct Shape { int rows; char layout[3]; };\n\
         template <class T> __global__ void fill(T *out, Shape shape) {}\n\
         void run(int *out, Shape shape) {\n#if __CUDA_ARCH__ < 900\n fill<<<1, 32>>>(out, shape);\n#endif\n}\n",
        &[("fill", "denied")],
    );
    // And no instantiation for `char`.
    check(
        "struct Shape { int rows; char layout[3]; };\n\
         template <class T> __global__ void fill(T *out, Shape shape) {}\n\
         void run(char *out, Shape shape) {\n#if __CUDA_ARCH__ < 900\n fill<<<1, 32>>>(out, shape);\n#endif\n}\n",
        &[("fill", "open")],
    );
    check(
        "#if __CUDA_ARCH__ >= 900\n__global__ void elsewhere(int *out) {}\n#endif\n\
         #if __CUDA_ARCH__ >= 900\n__constant__ float scale[4];\n#endif\n",
        &[("elsewhere", "absent"), ("scale", "denied")],
    );
}
