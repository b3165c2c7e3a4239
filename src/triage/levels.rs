//! The level of each rule, for all files and for some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::catalog::Catalog;
use crate::finding::Level;
use crate::rules::level_name;

/// The name for every rule.
const ALL: &str = "all";

/// The level at which a rule's findings are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RuleLevel {
    /// They are not reported.
    Off,
    /// Worth knowing.
    Note,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl RuleLevel {
    /// The level of that name.
    pub fn named(name: &str) -> Option<RuleLevel> {
        [RuleLevel::Off, RuleLevel::Note, RuleLevel::Warning, RuleLevel::Error]
            .into_iter()
            .find(|level| level.name() == name)
    }

    /// The level's name.
    pub fn name(self) -> &'static str {
        self.level().map_or("off", level_name)
    }

    pub(super) fn level(self) -> Option<Level> {
        match self {
            RuleLevel::Off => None,
            RuleLevel::Note => Some(Level::Note),
            RuleLevel::Warning => Some(Level::Warning),
            RuleLevel::Error => Some(Level::Error),
        }
    }
}

/// Levels by rule; a rule that has none keeps its findings' own.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    all: Option<RuleLevel>,
    by_rule: BTreeMap<String, RuleLevel>,
}

/// A name that no rule has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown rule `{name}`")]
pub struct UnknownRule {
    /// The name.
    pub name: String,
    /// The rule that may have been meant.
    pub nearest: Option<String>,
}

impl Levels {
    /// Gives a rule, named by id or code, or `all` of them a level. The level of one rule takes precedence
    /// over that of all.
    ///
    /// # Errors
    /// When no rule has that name.
    pub fn set(&mut self, rule: &str, level: RuleLevel, catalog: &Catalog) -> Result<(), UnknownRule> {
        if rule == ALL {
            self.all = Some(level);
            return Ok(());
        }
        let unknown = || UnknownRule { name: rule.to_string(), nearest: catalog.nearest(rule) };
        let card = catalog.card(rule).ok_or_else(unknown)?;
        self.by_rule.insert(card.id.clone(), level);
        Ok(())
    }

    pub(super) fn of(&self, rule: &str, catalog: &Catalog) -> Option<RuleLevel> {
        // A level of all rules does not turn on those that are off by default.
        self.by_rule.get(rule).copied().or(self.all.filter(|_| !catalog.is_off(rule)))
    }
}

/// Levels for some files.
#[derive(Clone, Debug, Default)]
pub struct Override {
    /// The files.
    pub paths: Globs,
    /// The levels.
    pub levels: Levels,
}

/// Globs, and the directory they begin at.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    root: PathBuf,
    set: GlobSet,
}

impl Globs {
    /// Globs relative to `root`. As in `.gitignore`, one that names a directory means all below it, and one
    /// without `/` but at its end matches at any depth.
    ///
    /// # Errors
    /// When a glob is malformed.
    pub fn new(root: &Path, globs: &[String]) -> Result<Globs, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let trimmed = glob.trim_end_matches('/').trim_start_matches("./");
            let anywhere = if trimmed.contains('/') { "" } else { "**/" };
            let pattern = format!("{anywhere}{}", trimmed.trim_start_matches('/'));
            for pattern in [pattern.clone(), format!("{pattern}/**")] {
                set.add(GlobBuilder::new(&pattern).literal_separator(true).build()?);
            }
        }
        Ok(Globs { root: resolved(root), set: set.build()? })
    }

    /// Some glob matches the file.
    pub fn has(&self, path: &Path) -> bool {
        if self.set.is_empty() {
            return false;
        }
        let real = resolved(path);
        real.strip_prefix(&self.root).is_ok_and(|below| self.set.is_match(below))
    }
}

fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    absolute.canonicalize().unwrap_or(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_mean_what_gitignore_means_by_them() {
        let check = |glob: &str, path: &str| {
            let root = Path::new("/no-such-root");
            Globs::new(root, &[glob.to_string()]).unwrap().has(&root.join(path))
        };
        assert!(check("third_party", "a/third_party/b.cu") && check("third_party/", "third_party/b.cu"));
        assert!(check("*.cuh", "a/b.cuh") && !check("/*.cuh", "a/b.cuh"));
        assert!(check("src/*/a.cu", "src/x/a.cu") && !check("src/*/a.cu", "src/x/y/a.cu"));
        assert!(check("src/**/a.cu", "src/x/y/a.cu") && check("src/x", "src/x/y/a.cu"));
        assert!(!check("*.cu", "/elsewhere/a.cu"));
    }

    #[test]
    fn one_rule_goes_before_all() {
        let (mut levels, catalog) = (Levels::default(), Catalog::default());
        levels.set("CAL004", RuleLevel::Note, &catalog).unwrap();
        levels.set("all", RuleLevel::Off, &catalog).unwrap();
        assert_eq!(levels.of("arch-dependent-header", &catalog), Some(RuleLevel::Note));
        assert_eq!(levels.of("arch-dependent-layout", &catalog), Some(RuleLevel::Off));
        levels.set("all", RuleLevel::Error, &catalog).unwrap();
        assert_eq!(levels.of("unreached-arch-branch", &catalog), None);
        levels.set("CAL015", RuleLevel::Note, &catalog).unwrap();
        assert_eq!(levels.of("unreached-arch-branch", &catalog), Some(RuleLevel::Note));
        let unknown = levels.set("arch-dependent-heeder", RuleLevel::Off, &catalog).unwrap_err();
        assert_eq!(unknown.nearest.as_deref(), Some("arch-dependent-header"));
    }
}
