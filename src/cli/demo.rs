//! The command `demo`: a small project with a bug for each rule to find.
//!
//! In: the rules' cards. Out: a folder with the first example of each card that its rule finds something in, as a compiler
//! takes it: without the marks of our tests, and with their settings in a compilation database. Examples of rules on what
//! was built need a compiler, and are left out.

use std::fs;
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;

use serde_json::json;

use crate::config::FILE_NAME;
use crate::rules::{Card, Example, Verdict, as_source, cards, level_name, settings};
use crate::target::Toolkit;

use super::{Failure, exit_code, output};

/// The name of the compilation database.
const DATABASE: &str = "compile_commands.json";

/// The folder of the examples that are sources alone, which the database is for.
const CODE: &str = "code";

/// The folder of the examples with a build file of their own.
const BUILDS: &str = "builds";

/// The targets of an example that names none.
const TARGETS: &str = "80,90";

/// Runs `demo`: writes the project into a folder that is empty or not there.
pub(super) fn demo(directory: &Path) -> Result<u8, Failure> {
    refuse_others(directory)?;
    let mut commands = Vec::new();
    let mut written = 0;
    let mut off = String::new();
    for card in cards() {
        let Some(example) = example(&card) else { continue };
        let is_source = |name: &str| name.ends_with(".cu") || name.ends_with(".cuh");
        // A build file says itself what its sources are compiled for.
        let alone = example.files.iter().all(|(name, _)| is_source(name));
        let folder = directory.join(if alone { CODE } else { BUILDS }).join(&card.id);
        for (name, text) in &example.files {
            write(&folder.join(name), &as_source(text))?;
        }
        if alone {
            let sources = example.files.iter().filter(|(name, _)| name.ends_with(".cu"));
            commands.extend(sources.map(|(name, text)| command(&format!("{}/{name}", card.id), text)));
        }
        if !card.enabled {
            off += &format!("{} = \"{}\"\n", card.id, level_name(card.level));
        }
        written += 1;
    }
    let commands = serde_json::to_string_pretty(&commands).map_err(std::io::Error::from)?;
    write(&directory.join(CODE).join(DATABASE), &(commands + "\n"))?;
    // Which targets a toolkit has is known of a release only.
    let toolkit = Toolkit::default();
    let settings =
        format!("cuda-version = \"{toolkit}\"\n\n# Rules that are off by default.\n[rules]\n{off}");
    write(&directory.join(FILE_NAME), &settings)?;
    let shown = directory.display();
    let next = format!("in it, `cuda-arch-lint {CODE}` and `cuda-arch-lint {BUILDS}` find their bugs");
    writeln!(stdout().lock(), "wrote {written} examples to {shown}: {next}")?;
    Ok(exit_code::CLEAN)
}

/// Nothing that is there is overwritten or added to.
fn refuse_others(directory: &Path) -> Result<(), Failure> {
    let refused = |message: String| {
        let help = "`cuda-arch-lint demo FOLDER` writes into a folder that is empty or not there yet";
        Err(Failure::Usage { message, help: help.into() })
    };
    match fs::read_dir(directory) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => refused(format!("`{}` is not empty", directory.display())),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            refused(format!("`{}` is no folder", directory.display()))
        }
        Err(error) => Err(Failure::File { path: directory.to_path_buf(), error }),
    }
}

/// The first example in which the card's own rule has a finding.
fn example(card: &Card) -> Option<&Example> {
    let marks = |line: &str| line.split_once("//~").is_some_and(|(_, mark)| mark.contains(&card.id));
    let mut bad = card.examples.iter().filter(|example| example.verdict == Verdict::Bad);
    bad.find(|example| example.files.iter().any(|(_, text)| text.lines().any(marks)))
}

/// The entry of a source in the compilation database. The code for the last target is embedded as PTX too.
fn command(file: &str, text: &str) -> serde_json::Value {
    let mut arguments = vec!["nvcc".to_string()];
    let targets: Vec<&str> =
        settings(text, "targets").pop().unwrap_or(TARGETS).split(',').map(str::trim).collect();
    for (index, target) in targets.iter().enumerate() {
        if target.starts_with("gfx") {
            arguments.push(format!("-arch={target}"));
            continue;
        }
        let code = if index + 1 == targets.len() {
            format!("[compute_{target},sm_{target}]")
        } else {
            format!("sm_{target}")
        };
        arguments.extend(["-gencode".to_string(), format!("arch=compute_{target},code={code}")]);
    }
    arguments.extend(settings(text, "rdc").iter().map(|_| "-rdc=true".to_string()));
    arguments.extend(settings(text, "define").iter().map(|define| format!("-D{define}")));
    arguments.extend(["-c", file, "-o"].map(String::from));
    arguments.push(format!("{file}.o"));
    json!({ "directory": ".", "file": file, "arguments": arguments })
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::File { path: path.to_path_buf(), error };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    output::write_file(path, |out| out.write_all(text.as_bytes())).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_on_sources_has_an_example() {
        let cards = cards();
        let without: Vec<&str> =
            cards.iter().filter(|card| example(card).is_none()).map(|card| card.id.as_str()).collect();
        let of_built = [
            "missing-kernel",
            "unregistered-kernel",
            "mismatched-parameters",
            "mismatched-variable",
            "mismatched-ptx",
        ];
        assert_eq!(without, of_built);
    }
}
