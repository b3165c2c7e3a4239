//! clang judges its notation: for every row of `tests/targets/clang-19.tsv`, options for targets, the images that
//! are derived are those clang makes, and options that clang refuses are refused.
//!
//! The table is what clang++ 19 said. `CLANG=/path/to/clang++ cargo test --test all clang_notation::` asks it again, and
//! with `BLESS=1` writes its answers into the table; the first column is written by people.

use std::fs;
use std::path::Path;
use std::process::Command;

use cuda_arch_lint::target::Context;
use cuda_arch_lint::target::notation::{ClangOptions, clang_option, read_clang};

const TABLE: &str = "tests/targets/clang-19.tsv";

#[test]
fn the_images_are_those_clang_makes() {
    let clang = std::env::var_os("CLANG");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let text = fs::read_to_string(&path).expect("the table is there");
    let bless = std::env::var_os("BLESS").is_some();
    let (mut rows, mut wrong, mut asked) = (0, Vec::new(), String::new());
    for line in text.lines() {
        let (options, mut recorded) = line.split_once('\t').expect("two columns");
        rows += 1;
        let said = clang.as_ref().map(|clang| ask(Path::new(clang), options));
        if let Some(said) = &said {
            asked.push_str(&format!("{options}\t{said}\n"));
            if said != recorded && !bless {
                wrong.push(format!("{options}\n  clang:    {said}\n  recorded: {recorded}"));
            }
            recorded = said;
        }
        let derived = derive(options);
        if derived != recorded {
            wrong.push(format!("{options}\n  derived: {derived}\n  clang:   {recorded}"));
        }
    }
    if clang.is_some() && bless {
        fs::write(&path, asked).expect("the table can be written");
    }
    assert!(wrong.is_empty(), "{} of {rows} rows\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 20, "{rows} rows");
}

/// The images in clang's order, or `refused`.
fn derive(options: &str) -> String {
    let mut read = ClangOptions::default();
    for word in options.split_whitespace() {
        assert!(clang_option(word), "{word}");
        read.add(word);
    }
    match read_clang(&read, &Context::default()).strict() {
        Ok(list) => list.images.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Err(_) => "refused".to_string(),
    }
}

/// The same of the command for the fat binary that `clang++ -###` prints.
fn ask(clang: &Path, options: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("k.cu"), "").expect("a file");
    let mut command = Command::new(clang);
    command.current_dir(directory.path()).args(options.split_whitespace());
    let output =
        command.args(["-nocudainc", "-nocudalib", "-###", "-c", "k.cu"]).output().expect("clang runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("error:") {
        return "refused".to_string();
    }
    let profiles = said.split("--image=profile=").skip(1);
    let names = profiles.map(|rest| rest.split([',', '"']).next().unwrap_or_default());
    names.collect::<Vec<_>>().join(" ")
}
