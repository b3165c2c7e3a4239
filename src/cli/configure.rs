//! `config` and `init`: what the settings are, and a file to begin with.

use std::collections::BTreeSet;
use std::io::{Write, stdout};
use std::path::Path;

use crate::config::{Config, FILE_NAME};
use crate::project::{Headers, Settings, TargetOrigin, TranslationUnit, discover};
use crate::rules::{Card, cards, level_name};
use crate::source::Sources;

use super::arguments::ConfigCommand;
use super::{Failure, exit_code, output, resolve};

/// Shows settings, or the schema of their file.
pub(super) fn config(command: &ConfigCommand) -> Result<u8, Failure> {
    let mut out = stdout().lock();
    match command {
        ConfigCommand::Schema => {
            let schema = schemars::schema_for!(Config);
            serde_json::to_writer_pretty(&mut out, &schema).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        ConfigCommand::Show(arguments) => {
            let run = resolve::run(arguments)?;
            let key = run.rows.iter().map(|row| row.key.len()).max().unwrap_or(0);
            let value = run.rows.iter().map(|row| row.value.chars().count()).max().unwrap_or(0).min(40);
            for row in &run.rows {
                writeln!(out, "{:key$}  {:value$}  from {}", row.key, row.value, row.source)?;
            }
        }
    }
    Ok(exit_code::CLEAN)
}

/// Writes a configuration file that fits the project.
pub(super) fn init(to_stdout: bool) -> Result<u8, Failure> {
    let text = fitted();
    if to_stdout {
        write!(stdout().lock(), "{text}")?;
        return Ok(exit_code::CLEAN);
    }
    let path = Path::new(FILE_NAME);
    if path.exists() {
        return Err(Failure::Usage {
            message: format!("`{FILE_NAME}` is there already"),
            help: "`cuda-arch-lint init --stdout` prints what would be written".into(),
        });
    }
    output::write_file(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::File { path: path.to_path_buf(), error })?;
    writeln!(stdout().lock(), "wrote {FILE_NAME}")?;
    Ok(exit_code::CLEAN)
}

/// The file's text: what the project in the working directory shows, and every other key as a comment.
fn fitted() -> String {
    let sources = Sources::new();
    let settings = Settings { headers: Headers::BuiltIn, ..Settings::default() };
    let project = discover(&[".".into()], &settings, &sources).ok();
    let units = project.as_ref().map(|project| project.all_units()).unwrap_or_default();
    let outside: Vec<&str> = ["third_party", "thirdparty", "3rdparty", "external", "extern", "vendor"]
        .into_iter()
        .filter(|name| Path::new(name).is_dir())
        .collect();
    let mut tops: BTreeSet<String> = BTreeSet::new();
    for unit in &units {
        let mut parts = unit.main.components();
        let first = parts.next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        // A source at the top means everything.
        tops.insert(if parts.next().is_some() { first.unwrap_or_default() } else { ".".into() });
    }
    tops.retain(|name| !outside.contains(&name.as_str()));
    let paths: Vec<String> =
        if tops.is_empty() || tops.contains(".") { vec![".".into()] } else { tops.into_iter().collect() };
    let database = units.iter().find_map(|unit| match &unit.origin {
        TargetOrigin::Database(path) => Some(path.display().to_string()),
        _ => None,
    });
    let build_file = |unit: &TranslationUnit| match &unit.origin {
        TargetOrigin::BuildFile(path) => Some(path.display().to_string()),
        _ => None,
    };
    let of_build_files: BTreeSet<String> = units.iter().filter_map(build_file).collect();
    let rdc = units.iter().any(|unit| unit.rdc);
    let list = |names: &[String]| toml::Value::from(names.to_vec()).to_string();
    let mut text = String::from(
        "# Settings of cuda-arch-lint; `cuda-arch-lint config show` tells what they amount to.\n\n",
    );
    text += "# What is looked at when no path is named.\n";
    text += &format!("paths = {}\n\n", list(&paths));
    text += "# What is not, as .gitignore would say it.\n";
    match outside.as_slice() {
        [] => text += "# exclude = [\"third_party/\"]\n\n",
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("{name}/")).collect();
            text += &format!("exclude = {}\n\n", list(&names));
        }
    }
    let ways = "# arch = [\"80\", \"90a\"]\n# database = \"build/compile_commands.json\"\n";
    match (&database, of_build_files.iter().collect::<Vec<_>>().as_slice()) {
        (Some(path), _) => {
            text += "# Targets and options are read here.\n";
            text += &format!("database = {}\n", toml::Value::from(path.as_str()));
            text += "# arch = [\"80\", \"90a\"]\n";
        }
        (None, []) => {
            text += "# The architectures the code is built for, in nvcc's order. Without them, or a compilation\n\
                     # database, every architecture of the toolkit is looked at.\n";
            text += ways;
        }
        (None, [first, others @ ..]) => {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            text += &format!(
                "# The architectures the code is built for, in nvcc's order. Without them, or a compilation\n\
                 # database, those count that {first}{more} names.\n"
            );
            text += ways;
        }
    }
    text += if rdc { "rdc = true\n" } else { "# rdc = true\n" };
    text += "# include-directories = [\"include\"]\n# define = [\"NDEBUG\"]\n\n";
    text += "# Findings less sure than this are not reported: \"likely\" or \"definite\".\n\
             # min-certainty = \"definite\"\n\
             # Comments that allow a finding have to say why.\n\
             # require-reason = true\n\
             # Findings of this level or a worse one fail the run: \"note\", \"warning\" or \"error\".\n\
             # fail-on = \"error\"\n\
             # Findings that were there before stay quiet: `cuda-arch-lint --write-baseline FILE` writes them.\n\
             # baseline = \"cuda-arch-lint.baseline.json\"\n\n";
    text += "# Levels: \"off\", \"note\", \"warning\", \"error\".\n[rules]\n";
    for Card { id, level, enabled, title, .. } in cards() {
        let level = if enabled { level_name(level) } else { "off" };
        text += &format!("# {id} = \"{level}\"  # {title}\n");
    }
    text += "\n# [[overrides]]\n# paths = [\"tests/\"]\n# rules = { all = \"note\" }\n";
    text
}
