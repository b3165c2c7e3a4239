//! The keys of the file, and reading it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::custom::CustomRule;
use crate::finding::{Certainty, Level};
use crate::project::{Define, tidy};
use crate::source::read_utf8;
use crate::triage::RuleLevel;

use super::custom::{RuleTable, rules_of_file, rules_of_tables};
use super::error::{ConfigError, malformed};

/// The name of the file.
pub const FILE_NAME: &str = "cuda-arch-lint.toml";

/// Values of `-D`, each of which can be one.
fn definitions<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let values = Vec::<String>::deserialize(from)?;
    values.iter().try_for_each(|value| Define::parse_own(value).map(drop)).map_err(D::Error::custom)?;
    Ok(values)
}

/// Values of `-U`, each of which can be one.
fn macro_names<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let values = Vec::<String>::deserialize(from)?;
    values.iter().try_for_each(|value| Define::check_name(value)).map_err(D::Error::custom)?;
    Ok(values)
}

/// The settings of `cuda-arch-lint`. Paths are relative to the file; globs are those of `.gitignore` and
/// begin where the file is.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// Sources and directories to look at when none is named.
    pub paths: Vec<PathBuf>,
    /// Globs of files that are not looked at and about which nothing is reported.
    pub exclude: Vec<String>,
    /// Targets, in nvcc's order: `["80", "90a"]`, or `["all"]`.
    pub arch: Vec<String>,
    /// Sources are compiled for separate compilation (`-rdc=true`).
    pub rdc: Option<bool>,
    /// Directories to search for headers (`-I`).
    pub include_directories: Vec<PathBuf>,
    /// Directories of the system's headers (`-isystem`).
    pub isystem: Vec<PathBuf>,
    /// Files to read before each source (`-include`).
    pub include: Vec<PathBuf>,
    /// Macros to define: `NAME` or `NAME=VALUE` (`-D`).
    #[serde(deserialize_with = "definitions")]
    pub define: Vec<String>,
    /// Macros not to define (`-U`).
    #[serde(deserialize_with = "macro_names")]
    pub undefine: Vec<String>,
    /// A compile_commands.json, or the directory that holds one (`-p`).
    pub database: Option<PathBuf>,
    /// The language standard: `c++17`, `gnu++20`.
    pub std: Option<String>,
    /// The release of nvcc: `12.4`.
    pub cuda_version: Option<String>,
    /// The CUDA toolkit's directory.
    pub cuda_path: Option<PathBuf>,
    /// A host compiler to run and ask for its macros and include directories.
    pub compiler: Option<PathBuf>,
    /// Read no header of an installed compiler or toolkit, only built-in stand-ins.
    pub nostdinc: Option<bool>,
    /// Other options of nvcc or the host compiler that define macros: `["-fopenmp"]`.
    pub extra_args: Vec<String>,
    /// Levels of rules, by id or code, or of `all`.
    pub rules: BTreeMap<String, RuleLevel>,
    /// Levels of rules in some files; a later one goes before an earlier.
    pub overrides: Vec<Override>,
    /// Rules of the project's own.
    pub custom_rules: Vec<RuleTable>,
    /// Files with `[[custom-rules]]`.
    pub rule_files: Vec<PathBuf>,
    /// Findings less sure than this are not reported.
    pub min_certainty: Option<Certainty>,
    /// Comments that allow a finding have to say why.
    pub require_reason: Option<bool>,
    /// A run fails (exit code 1) on findings of this level or a more severe one: `warning` if nothing is said.
    pub fail_on: Option<Level>,
    /// No more findings than this are reported.
    pub max_findings: Option<usize>,
    /// How findings are printed.
    pub format: Option<String>,
    /// Files to write reports to: `["sarif:report.sarif"]`.
    pub output: Vec<String>,
    /// The baseline: findings in it stay quiet.
    pub baseline: Option<PathBuf>,
    /// The category that tells this analysis apart from others of the same commit, in SARIF.
    pub category: Option<String>,
}

/// Levels of rules in some files.
#[derive(Clone, PartialEq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Override {
    /// Globs of the files.
    pub paths: Vec<String>,
    /// Levels of rules, by id or code, or of `all`.
    pub rules: BTreeMap<String, RuleLevel>,
}

/// A configuration and the file it was read from.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    /// The file.
    pub path: PathBuf,
    /// The directory it is in, absolute.
    pub directory: PathBuf,
    /// Its settings.
    pub config: Config,
    /// The custom rules in it, and in the files that it names.
    pub custom: Vec<CustomRule>,
}

/// The configuration file nearest at or above a directory, but not above a repository's root.
pub fn find(directory: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(directory).ok()?;
    for directory in absolute.ancestors() {
        let file = directory.join(FILE_NAME);
        if file.is_file() {
            return Some(file);
        }
        if directory.join(".git").exists() {
            return None;
        }
    }
    None
}

/// Reads a configuration file.
///
/// # Errors
/// When it can't be read, is no TOML, or holds a key or a value that is not understood.
pub fn load(path: &Path) -> Result<Loaded, ConfigError> {
    let text = read_utf8(path)
        .map_err(|error| ConfigError::Unreadable { path: path.to_path_buf(), reason: error.to_string() })?;
    let mut config: Config = toml::from_str(&text).map_err(|error| malformed(path, &text, &error))?;
    let directory = std::path::absolute(path)
        .ok()
        .and_then(|path| path.parent().map(Path::to_path_buf))
        .unwrap_or_default();
    let own = rules_of_tables(&config.custom_rules, path, &text)?;
    config.begin_at(&directory);
    let custom = with_files(own, &config)?;
    Ok(Loaded { path: path.to_path_buf(), directory, config, custom })
}

impl Loaded {
    /// A configuration that is in no file; its paths begin at `directory`. If there is something wrong with its custom rules it
    /// has none, and the second value says what.
    pub fn of_values(mut config: Config, directory: &Path) -> (Loaded, Option<ConfigError>) {
        config.begin_at(directory);
        let custom = rules_of_tables(&config.custom_rules, Path::new(""), "");
        let custom = custom.and_then(|own| with_files(own, &config));
        let (custom, error) = custom.map_or_else(|error| (Vec::new(), Some(error)), |all| (all, None));
        (Loaded { path: PathBuf::new(), directory: directory.to_path_buf(), config, custom }, error)
    }
}

/// Rules, with those in the files that a configuration names.
fn with_files(mut rules: Vec<CustomRule>, config: &Config) -> Result<Vec<CustomRule>, ConfigError> {
    for file in &config.rule_files {
        rules.extend(rules_of_file(&tidy(file))?);
    }
    Ok(rules)
}

impl Config {
    /// Makes paths absolute.
    fn begin_at(&mut self, directory: &Path) {
        let lists = [
            &mut self.paths,
            &mut self.include_directories,
            &mut self.isystem,
            &mut self.include,
            &mut self.rule_files,
        ];
        let single = [&mut self.database, &mut self.cuda_path, &mut self.baseline];
        for path in lists.into_iter().flatten().chain(single.into_iter().flatten()) {
            *path = directory.join(&*path);
        }
        // A compiler's bare name is looked for on the PATH.
        if let Some(compiler) = self.compiler.as_mut().filter(|path| path.components().count() > 1) {
            *compiler = directory.join(&*compiler);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_counts_up_to_the_repositorys_root() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("repository/a/b");
        fs::create_dir_all(&deep).unwrap();
        fs::write(root.path().join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep), Some(root.path().join(FILE_NAME)));
        fs::create_dir(root.path().join("repository/.git")).unwrap();
        assert_eq!(find(&deep), None);
        fs::write(root.path().join("repository/a").join(FILE_NAME), "").unwrap();
        assert_eq!(find(&deep), Some(root.path().join("repository/a").join(FILE_NAME)));
    }

    #[test]
    fn paths_begin_where_the_file_is() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join(FILE_NAME);
        fs::write(&file, "paths = ['src']\ndatabase = 'build'\ncompiler = 'g++'\n").unwrap();
        let loaded = load(&file).unwrap();
        assert_eq!(loaded.config.paths, [root.path().join("src")]);
        assert_eq!(loaded.config.database, Some(root.path().join("build")));
        assert_eq!(loaded.config.compiler, Some("g++".into()));
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_place() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join(FILE_NAME);
        let check = |text: &str, message: &str, help: &str| {
            fs::write(&file, text).unwrap();
            let error = load(&file).unwrap_err();
            let said = error.to_string();
            assert_eq!(said.split_once(&format!("{FILE_NAME}:")).unwrap().1, message);
            assert_eq!(error.help(), help);
        };
        check("arch = ['80']\nexlude = []\n", "2:1: unknown key `exlude`", "did you mean `exclude`?");
        check(
            "[[overrides]]\npaths = []\nruless = {}\n",
            "3:1: unknown key `ruless`",
            "did you mean `rules`?",
        );
        check(
            "[rules]\nCAL001 = 'eror'\n",
            "2:10: unknown value `eror`",
            "did you mean `error`? known are off, note, warning, error",
        );
        check(
            "rdc = 'yes'\n",
            "1:7: invalid type: string \"yes\", expected a boolean",
            "the schema of the file is schemas/config.schema.json; `cuda-arch-lint init` writes an example",
        );
    }
}
