//! The tour: what every stage makes of one small file. `BLESS=1` writes the goldens anew.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;
use std::process::Command;

use super::golden;

const TOUR: &str = "corpus/guide/tour.cu";

/// Compares a stage's dump, of all passes and of two by themselves, with `goldens/tour.STAGE`.
fn check(stage: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut transcript = String::new();
    for pass in ["", " --pass host", " --pass sm_90"] {
        let arguments = format!("dump --stage {stage} --arch 80,90{pass} {TOUR}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
        let ran = command.current_dir(root).args(arguments.split(' ')).arg("-nostdinc").output().unwrap();
        assert!(ran.status.success(), "{arguments}: {}", String::from_utf8_lossy(&ran.stderr));
        let out = String::from_utf8(ran.stdout).unwrap();
        transcript.push_str(&format!("$ cuda-arch-lint {arguments}\n{out}\n"));
    }
    let file = root.join("tests/goldens").join(format!("tour.{stage}"));
    golden::check(&file, &transcript);
}

#[test]
fn tokens() {
    check("tokens");
}

#[test]
fn conditions() {
    check("conditions");
}

#[test]
fn declarations() {
    check("declarations");
}

#[test]
fn facts() {
    check("facts");
}

#[test]
fn kernels() {
    check("kernels");
}

#[test]
fn kernels_for_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"));
    command.current_dir(root).args(["dump", "--stage", "kernels", "--format", "json", "--arch", "80,90"]);
    let ran = command.args(["-nostdinc", TOUR]).output().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    let names = |one: &serde_json::Value| format!("{} {}", one["name"].as_str().unwrap(), one["passes"]);
    let kernels: Vec<String> = list["kernels"].as_array().unwrap().iter().map(names).collect();
    assert_eq!(kernels, ["scale<unsigned char> [\"sm_90\"]", "scale<unsigned short> [\"host\",\"sm_80\"]"]);
    assert_eq!(list["blind_spots"], serde_json::json!([]));
    let ran = Command::new(env!("CARGO_BIN_EXE_cuda-arch-lint"))
        .current_dir(root)
        .args(["dump", "--stage", "facts", "--format", "json", "-nostdinc", TOUR])
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&ran.stderr).contains("only the stage `kernels`"));
}
