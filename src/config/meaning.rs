//! Turns a configuration into the settings of the project and the policy of triage.

use std::path::Path;

use crate::catalog::Catalog;
use crate::custom::CustomRules;
use crate::project::{ByName, Define, Headers, Settings};
use crate::triage::{Comments, Globs, Levels, Override, Policy, RuleLevel, UnknownRule};

use super::custom::all_rules;
use super::error::ConfigError;
use super::file::Loaded;

impl Loaded {
    /// The rules that are checked besides the built-in ones, and the catalog of all rules.
    ///
    /// # Errors
    /// When two rules have one id.
    pub fn rules(&self) -> Result<(CustomRules, Catalog), ConfigError> {
        let of_overrides = self.config.overrides.iter().flat_map(|one| &one.rules);
        let levels = self.config.rules.iter().chain(of_overrides);
        all_rules(self.custom.clone(), levels.map(|(rule, level)| (rule.as_str(), *level)))
    }

    /// How the code is compiled. The custom rules are those of [`Loaded::rules`]; none if there is something wrong with them,
    /// which [`Loaded::policy`] says.
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
            custom: self.rules().map(|(custom, _)| custom).unwrap_or_default(),
        }
    }

    /// Which findings are reported.
    ///
    /// # Errors
    /// When a rule is unknown or a glob is malformed.
    pub fn policy(&self) -> Result<Policy, ConfigError> {
        self.policy_among(self.rules()?.1)
    }

    /// The same, where these are the rules.
    ///
    /// # Errors
    /// When a rule is unknown or a glob is malformed.
    pub fn policy_among(&self, catalog: Catalog) -> Result<Policy, ConfigError> {
        let config = &self.config;
        let mut overrides = Vec::new();
        for one in &config.overrides {
            let paths = globs(&self.directory, &one.paths)?;
            let rules = one.rules.iter().map(|(rule, level)| (rule.as_str(), *level));
            overrides.push(Override { paths, levels: levels(rules, &catalog)? });
        }
        Ok(Policy {
            levels: levels(config.rules.iter().map(|(rule, level)| (rule.as_str(), *level)), &catalog)?,
            overrides,
            exclude: globs(&self.directory, &config.exclude)?,
            min_certainty: config.min_certainty,
            comments: Comments::Count,
            require_reason: config.require_reason.unwrap_or_default(),
            catalog,
        })
    }
}

/// Levels by the names of rules.
///
/// # Errors
/// When a rule is unknown.
pub fn levels<'a>(
    rules: impl Iterator<Item = (&'a str, RuleLevel)>,
    catalog: &Catalog,
) -> Result<Levels, ConfigError> {
    let mut levels = Levels::default();
    for (rule, level) in rules {
        levels.set(rule, level, catalog).map_err(unknown)?;
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
