//! SARIF holds to its schema, and to what GitHub's code scanning wants beyond it.
//!
//! The schema is OASIS's, read from the `serde-sarif` package, of which nothing is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::folders::repository;

const TYPE: &str = "#ifdef __CUDA_ARCH__\ntypedef double scalar;\n#else\ntypedef int scalar;\n#endif\n";
const KERNEL: &str = "__global__ void store(scalar value) {}\nint main() { store<<<1, 1>>>(1); }\n";

/// The schema of SARIF 2.1.0.
fn schema() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package =
        packages.iter().find(|package| package["name"] == "serde-sarif").expect("it is in Cargo.toml");
    let manifest = PathBuf::from(package["manifest_path"].as_str().expect("a path"));
    let path = manifest.parent().expect("it has one").join("src/schema.json");
    serde_json::from_str(&fs::read_to_string(path).expect("the schema is there")).expect("it is JSON")
}

fn validate(instance: &Value) {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.enable_format_assertions();
    compiler.add_resource("mem:///sarif.json", schema()).expect("the schema is JSON");
    let index = compiler.compile("mem:///sarif.json", &mut schemas).expect("the schema is one");
    if let Err(error) = schemas.validate(instance, index) {
        panic!("{error:#}");
    }
}

/// The run that `check` with these arguments prints, which holds to the schema and to code scanning's rules.
fn sarif(directory: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .args(["check", "-nostdinc", "--format", "sarif", "--arch", "80,90"])
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the program runs");
    let mut sarif: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    validate(&sarif);
    let run = sarif["runs"][0].take();
    run["results"].as_array().expect("results").iter().for_each(fit_for_code_scanning);
    assert!(run["automationDetails"]["id"].as_str().expect("an id").ends_with('/'));
    for rule in run["tool"]["driver"]["rules"].as_array().expect("rules") {
        for text in ["shortDescription", "fullDescription", "help"] {
            let text = rule[text]["text"].as_str().expect("a text");
            assert!(!text.is_empty(), "{rule}");
        }
        assert!(rule["fullDescription"]["text"].as_str().is_some_and(|text| text.chars().count() <= 1024));
        assert!(rule["properties"]["security-severity"].is_null());
    }
    run
}

/// Requirements that GitHub documents and the schema lacks.
fn fit_for_code_scanning(result: &Value) {
    let primary = &result["locations"][0]["physicalLocation"];
    let region = &primary["region"];
    assert_eq!(region["startLine"], region["endLine"], "the primary region is on one line");
    assert!(region["startColumn"].as_u64() <= region["endColumn"].as_u64());
    let uri = primary["artifactLocation"]["uri"].as_str().expect("a URI");
    assert!(!uri.contains("..") && !uri.contains([' ', '#', '[', '\\']), "{uri}");
    assert!(result["partialFingerprints"]["primaryLocationLineHash"].is_string());
    assert!(result["partialFingerprints"]["cudaArchLint/v1"].is_string());
    let related = result["relatedLocations"].as_array().expect("a list");
    let ids: BTreeSet<u64> = related.iter().map(|place| place["id"].as_u64().expect("an id")).collect();
    let message = result["message"]["text"].as_str().expect("a text");
    let links: BTreeSet<u64> = message
        .split("](")
        .skip(1)
        .map(|rest| rest.split(')').next().and_then(|id| id.parse().ok()).expect("a link to an id"))
        .collect();
    assert_eq!(links, ids, "each related place is linked to, and each link leads to one: {message}");
}

fn uris(run: &Value) -> Vec<&str> {
    let results = run["results"].as_array().expect("results");
    results
        .iter()
        .map(|result| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().expect("a URI")
        })
        .collect()
}

#[test]
fn a_finding_is_a_result() {
    let directory = repository(&[("src/a.cu", &format!("#include \"t.h\"\n{KERNEL}")), ("src/t.h", TYPE)]);
    let run = sarif(directory.path(), &["src"]);
    let result = &run["results"][0];
    assert_eq!(uris(&run), ["src/a.cu"]);
    assert_eq!(result["ruleId"], "arch-dependent-signature");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let index = result["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let title = result["message"]["text"].as_str().and_then(|text| text.split(". ").next()).expect("a title");
    assert!(title.starts_with("`store` takes"), "{title}");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let of = |step: &Value| {
        let place = &step["location"]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().expect("a URI").to_string();
        (uri, place["region"]["startLine"].as_u64().expect("a line"))
    };
    let steps: Vec<(String, u64)> = flow.iter().map(of).collect();
    assert_eq!(steps, [("src/t.h".into(), 1), ("src/a.cu".into(), 2)]);
    let sides = result["properties"]["sides"].as_array().expect("sides");
    assert_eq!(sides[1]["passes"], serde_json::json!(["sm_80", "sm_90"]));
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    assert_eq!(run["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn odd_paths_become_uris() {
    let text = format!("{TYPE}{KERNEL}");
    let names = ["a b.cu", "c#d.cu", "e%20f.cu", "g[h].cu", "i:j.cu", "é/k.cu", "l?m.cu"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text.as_str())).collect();
    let directory = repository(&files);
    let run = sarif(directory.path(), &["."]);
    let expected =
        ["a%20b.cu", "c%23d.cu", "e%2520f.cu", "g%5Bh%5D.cu", "i%3Aj.cu", "l%3Fm.cu", "%C3%A9/k.cu"];
    assert_eq!(uris(&run), expected);
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf_8_and_links_and_files_elsewhere() {
    use std::os::unix::ffi::OsStrExt;
    let text = format!("{TYPE}{KERNEL}");
    let elsewhere = repository(&[("x y/t.cu", &text)]);
    let directory = repository(&[("real/a.cu", &text)]);
    let odd = directory.path().join(std::ffi::OsStr::from_bytes(b"bad\xff.cu"));
    fs::write(odd, &text).expect("a new file");
    std::os::unix::fs::symlink("real/a.cu", directory.path().join("link.cu")).expect("a new link");
    let run = sarif(directory.path(), &["."]);
    assert_eq!(uris(&run), ["bad%FF.cu", "real/a.cu", "real/a.cu"], "a link is called what it leads to");
    let outside = elsewhere.path().canonicalize().expect("it exists").join("x y/t.cu");
    let run = sarif(directory.path(), &[outside.to_str().expect("UTF-8")]);
    assert!(uris(&run)[0].starts_with("file:///") && uris(&run)[0].ends_with("/x%20y/t.cu"));
}

#[test]
fn what_is_kept_quiet_is_there_when_asked_for() {
    let allowed = KERNEL.replace("{}", "{}  // cuda-arch-lint: allow(CAL001) -- nobody calls it");
    let directory = repository(&[("a.cu", &format!("{TYPE}{allowed}"))]);
    assert_eq!(uris(&sarif(directory.path(), &["."])), [""; 0]);
    let run = sarif(directory.path(), &[".", "--show-suppressed"]);
    let expected = serde_json::json!([{ "kind": "inSource", "justification": "nobody calls it" }]);
    assert_eq!(run["results"][0]["suppressions"], expected);
}

#[test]
fn what_could_not_be_analysed_is_a_notification() {
    let directory = repository(&[("a.cu", "#ifndef __CUDA_ARCH__\n#error no\n#endif\n")]);
    let run = sarif(directory.path(), &["."]);
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let said = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
    let error = said.iter().find(|said| said["level"] == "error").expect("an error");
    let uri = &error["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "a.cu");
}
