//! Turns a configuration into the settings of the project and the policy of triage.

use std::path::Path;

use crate::project::{ByName, Define, Headers, Settings};
use crate::triage::{Comments, Globs, Levels, Override, Policy, RuleLevel, UnknownRule};

use super::error::ConfigError;
use super::file::Loaded;

impl Loaded {
    /// How the code is compiled.
    pub fn settings(&self) -> Settings {
        let config = &self.config;
        let flag = |flag: &str, path: &Path| [flag.to_string(), path.display().to_string()];
        let system = config.isystem.iter().flat_map(|path| flag("-isystem", path));
        let forced = config.include.iter().flat_map(|path| flag("-include", path));
        let defined = config.define.iter().map(|text| Define::parse(text));
        let undefined = config.undefine.iter().cloned().map(Define::Undef);
        Settings {
            targets: config.arch.clone(),
            directories: config.include_directories.clone(),
            defines: defined.chain(undefined).collect(),
            rdc: config.rdc.unwrap_or_default(),
            database: config.database.clone(),
            standard: config.std.clone(),
            cuda_version: config.cuda_version.clone(),
            cuda_path: config.cuda_path.clone(),
            compiler: config.compiler.clone(),
            options: system.chain(forced).chain(config.extra_args.iter().cloned()).collect(),
            headers: if config.nostdinc == Some(true) { Headers::BuiltIn } else { Headers::Installed },
            by_name: ByName::Found,
        }
    }

    /// Which findings are reported.
    ///
    /// # Errors
    /// When a rule is unknown or a glob is malformed.
    pub fn policy(&self) -> Result<Policy, ConfigError> {
        let config = &self.config;
        let mut overrides = Vec::new();
        for one in &config.overrides {
            let paths = globs(&self.directory, &one.paths)?;
            let rules = one.rules.iter().map(|(rule, level)| (rule.as_str(), *level));
            overrides.push(Override { paths, levels: levels(rules)? });
        }
        Ok(Policy {
            levels: levels(config.rules.iter().map(|(rule, level)| (rule.as_str(), *level)))?,
            overrides,
            exclude: globs(&self.directory, &config.exclude)?,
            min_certainty: config.min_certainty,
            comments: Comments::Count,
            require_reason: config.require_reason.unwrap_or_default(),
        })
    }
}

/// Levels by the names of rules.
///
/// # Errors
/// When a rule is unknown.
pub fn levels<'a>(rules: impl Iterator<Item = (&'a str, RuleLevel)>) -> Result<Levels, ConfigError> {
    let mut levels = Levels::default();
    for (rule, level) in rules {
        levels.set(rule, level).map_err(unknown)?;
    }
    Ok(levels)
}

fn unknown(unknown: UnknownRule) -> ConfigError {
    let help = match &unknown.nearest {
        Some(near) => format!("did you mean `{near}`? `cuda-arch-lint rules` lists all"),
        None => "`cuda-arch-lint rules` lists the rules; `all` means every one".into(),
    };
    ConfigError::Value { message: unknown.to_string(), help }
}

/// Globs that begin at a directory.
///
/// # Errors
/// When one is malformed.
pub fn globs(directory: &Path, globs: &[String]) -> Result<Globs, ConfigError> {
    Globs::new(directory, globs).map_err(|error| ConfigError::Value {
        message: format!("malformed glob: {error}"),
        help: "globs are those of .gitignore: `third_party/`, `src/**/generated_*.cu`".into(),
    })
}
