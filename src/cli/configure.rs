//! The commands `config`, which shows settings, and `init`, which writes a configuration file.

use std::collections::BTreeSet;
use std::io::{Write, stdout};
use std::path::Path;

use crate::config::{Config, FILE_NAME};
use crate::project::{Headers, Settings, THIRD_PARTY, TargetOrigin, TranslationUnit, discover};
use crate::rules::{Card, cards, level_name};
use crate::source::Sources;

use super::arguments::ConfigCommand;
use super::{Failure, exit_code, output, resolve};

/// Runs `config`: shows the settings, or the schema of the configuration file.
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

/// Runs `init`: writes a configuration file that fits the project.
pub(super) fn init(to_stdout: bool) -> Result<u8, Failure> {
    let text = file_text();
    if to_stdout {
        write!(stdout().lock(), "{text}")?;
        return Ok(exit_code::CLEAN);
    }
    let path = Path::new(FILE_NAME);
    if path.exists() {
        return Err(Failure::Usage {
            message: format!("`{FILE_NAME}` already exists"),
            help: "`cuda-arch-lint init --stdout` prints what would be written".into(),
        });
    }
    output::write_file(path, |out| out.write_all(text.as_bytes()))
        .map_err(|error| Failure::File { path: path.to_path_buf(), error })?;
    writeln!(stdout().lock(), "wrote {FILE_NAME}")?;
    Ok(exit_code::CLEAN)
}

/// The text of the file: settings derived from the project in the working directory, and the other keys as comments.
fn file_text() -> String {
    let sources = Sources::new();
    let settings = Settings { headers: Headers::BuiltIn, ..Settings::default() };
    let project = discover(&[".".into()], &settings, &sources).ok();
    let units = project.as_ref().map(|project| project.all_units()).unwrap_or_default();
    let outside: Vec<&str> = THIRD_PARTY.iter().copied().filter(|name| Path::new(name).is_dir()).collect();
    let mut tops: BTreeSet<String> = BTreeSet::new();
    for unit in &units {
        let mut parts = unit.main.components();
        let first = parts.next().map(|part| part.as_os_str().to_string_lossy().into_owned());
        // A source in the working directory itself stands for the whole directory.
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
        "# Settings of cuda-arch-lint; `cuda-arch-lint config show` prints them with their origins.\n\n",
    );
    text += "# The files and directories to analyse if the command line names none.\n";
    text += &format!("paths = {}\n\n", list(&paths));
    text += "# The files to leave out, as patterns of .gitignore.\n";
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
            text += "# The compilation database, with targets and options of each source.\n";
            text += &format!("database = {}\n", toml::Value::from(path.as_str()));
            text += "# arch = [\"80\", \"90a\"]\n";
        }
        (None, []) => {
            text += "# The architectures the code is built for, in nvcc's order. Without them or a compilation\n\
                     # database, every architecture of the toolkit is used.\n";
            text += ways;
        }
        (None, [first, others @ ..]) => {
            let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
            text += &format!(
                "# The architectures the code is built for, in nvcc's order. Without them or a compilation\n\
                 # database, those that {first}{more} names.\n"
            );
            text += ways;
        }
    }
    text += if rdc { "rdc = true\n" } else { "# rdc = true\n" };
    text += "# include-directories = [\"include\"]\n# define = [\"NDEBUG\"]\n\n";
    text += "# The least certainty of findings that are reported: \"likely\" or \"definite\".\n\
             # min-certainty = \"definite\"\n\
             # Report suppression comments that give no reason.\n\
             # require-reason = true\n\
             # The least severe level of findings that fail the run: \"note\", \"warning\" or \"error\".\n\
             # fail-on = \"error\"\n\
             # Findings in this file are suppressed; `cuda-arch-lint --write-baseline FILE` writes it.\n\
             # baseline = \"cuda-arch-lint.baseline.json\"\n\n";
    text += "# Levels: \"off\", \"note\", \"warning\", \"error\".\n[rules]\n";
    for Card { id, level, enabled, title, .. } in cards() {
        let level = if enabled { level_name(level) } else { "off" };
        text += &format!("# {id} = \"{level}\"  # {title}\n");
    }
    text += "\n# [[overrides]]\n# paths = [\"tests/\"]\n# rules = { all = \"note\" }\n";
    text
}
