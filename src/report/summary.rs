//! The summary of a run: counts, and the line printed at the end.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::finding::{Applicability, Fix, Level, Reported, Suppression};

/// The origin of targets that nothing names.
pub const DEFAULT_ORIGIN: &str = "the default";

/// A list of targets and where it comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
pub struct Targets {
    /// The targets' names: `sm_80`, `sm_90a`.
    pub names: Vec<String>,
    /// `--arch`, the path of a compilation database or build file, or `the default`.
    pub origin: String,
    /// The number of units with these targets.
    pub units: usize,
}

/// The number of findings that have fixes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fixable {
    /// Those with a safe one.
    pub safe: usize,
    /// The others, which have suggested ones alone.
    pub suggested: usize,
}

/// Counts of a run, and what was left out.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are notes.
    pub notes: usize,
    /// Distinct files read.
    pub files: usize,
    /// Translation units analysed.
    pub units: usize,
    /// The number of modules compared, if the run read what was built instead of sources.
    pub modules: Option<usize>,
    /// Every distinct list of targets, that of most units first.
    pub targets: Vec<Targets>,
    /// Findings that a comment in the source suppresses.
    pub allowed: usize,
    /// Findings that the baseline suppresses.
    pub baselined: usize,
    /// Findings of the baseline that no longer occur, each as a phrase.
    pub fixed: Vec<String>,
    /// Findings that the change in question (`--diff`) neither touches nor causes.
    pub elsewhere: usize,
    /// Findings beyond the limit of `--max-findings`.
    pub left_out: usize,
    /// How many C++ sources were not analysed, where no CUDA source was found: the build may compile them as CUDA.
    pub cpp_sources: usize,
    /// Headers that were not found, as spelled in the directive.
    pub missing_headers: Vec<String>,
    /// Undefined macros in the conditions of units with missing headers, which may be meant to define them.
    pub undefined_macros: Vec<String>,
    /// The findings that have fixes, if these were tried.
    pub fixable: Option<Fixable>,
    /// Fixes were not tried since that takes as long as many runs (`--show-fixes`).
    pub fixes_untried: bool,
    /// The number of mentions of kernel templates of which it is not known what they instantiate.
    pub unresolved: usize,
    /// Whether to print the names of missing headers, undefined macros and fixed findings, not only their numbers.
    pub verbose: bool,
    /// Something could not be analysed, so that the absence of findings there proves nothing.
    pub incomplete: bool,
}

impl Summary {
    /// Counts findings by level, and suppressed ones by their suppression.
    pub fn count(&mut self, findings: &[Reported]) {
        for one in findings {
            let counter = match (&one.suppression, one.finding.level) {
                (Some(Suppression::Source(_)), _) => &mut self.allowed,
                (Some(Suppression::Baseline), _) => &mut self.baselined,
                (None, Level::Error) => &mut self.errors,
                (None, Level::Warning) => &mut self.warnings,
                (None, Level::Note) => &mut self.notes,
            };
            *counter += 1;
        }
    }

    /// Counts the findings that have fixes, by the fixes of each finding that some were tried for.
    pub fn count_fixable(&mut self, tried: &[Vec<Fix>]) {
        for fixes in tried {
            let fixable = self.fixable.get_or_insert_default();
            match fixes.first().map(|fix| fix.applicability) {
                Some(Applicability::Safe) => fixable.safe += 1,
                Some(Applicability::Suggested) => fixable.suggested += 1,
                None => {}
            }
        }
    }

    /// The number of findings that are not suppressed.
    pub fn findings(&self) -> usize {
        self.errors + self.warnings + self.notes
    }
}

/// A number with a noun: `1 file`, `2 files`.
pub fn count(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

impl fmt::Display for Summary {
    /// `3 findings (2 errors, 1 warning) in 12 files, 4 units; targets sm_80, sm_90 from --arch`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let levels: Vec<_> = levels
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, level)| count(*number, level))
            .collect();
        match self.findings() {
            0 => f.write_str("no findings")?,
            findings => write!(f, "{} ({})", count(findings, "finding"), levels.join(", "))?,
        }
        let (number, thing) = self.modules.map_or((self.units, "unit"), |modules| (modules, "module"));
        write!(f, " in {}, {}", count(self.files, "file"), count(number, thing))?;
        match self.targets.as_slice() {
            [] => {}
            [one] => write!(f, "; {one}")?,
            many => write!(f, "; {} sets of targets, most {thing}s have {}", many.len(), many[0])?,
        }
        match self.missing_headers.len() {
            0 => {}
            missing => write!(f, "; {} not found", count(missing, "header"))?,
        }
        if self.unresolved > 0 {
            write!(f, "; {} not resolved", count(self.unresolved, "kernel mention"))?;
        }
        if self.allowed > 0 {
            write!(f, "; {} suppressed in the source", self.allowed)?;
        }
        if self.baselined > 0 {
            write!(f, "; {} in the baseline", self.baselined)?;
        }
        if !self.fixed.is_empty() {
            write!(f, "; {} of the baseline fixed", self.fixed.len())?;
        }
        if self.elsewhere > 0 {
            write!(f, "; {} outside the change", self.elsewhere)?;
        }
        if self.left_out > 0 {
            write!(f, "; {} not shown", self.left_out)?;
        }
        if self.incomplete {
            f.write_str("; analysis incomplete")?;
        }
        match self.fixable {
            Some(Fixable { safe: 0, suggested: 0 }) => f.write_str("; none fixable")?,
            Some(Fixable { safe: 0, suggested }) => {
                write!(f, "; {suggested} fixable with `--fix --suggested`")?
            }
            Some(Fixable { safe, suggested: 0 }) => write!(f, "; {safe} fixable with `--fix`")?,
            Some(Fixable { safe, suggested }) => {
                write!(f, "; {safe} fixable with `--fix`, {suggested} more with `--fix --suggested`")?
            }
            None if self.fixes_untried && self.findings() > 0 => {
                f.write_str("; `--show-fixes` tells which can be fixed")?
            }
            None => {}
        }
        Ok(())
    }
}

impl fmt::Display for Targets {
    /// `targets sm_80, sm_90 from --arch`; a long list is abbreviated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The order of the list is the compiler's, which for PyTorch is that of the alphabet.
        let number = |name: &&str| {
            name.strip_prefix("sm_").map_or(u32::MAX, |rest| {
                rest.trim_end_matches(char::is_alphabetic).parse().unwrap_or(u32::MAX)
            })
        };
        let mut names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        names.sort_by_key(number);
        match names.as_slice() {
            [one] => write!(f, "target {one}")?,
            [lowest, .., highest] if names.len() > 6 => {
                write!(f, "{} targets {lowest} … {highest}", names.len())?;
            }
            names => write!(f, "targets {}", names.join(", "))?,
        }
        write!(f, " from {}", self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_told_in_their_own_order() {
        let said = |names: &[&str]| {
            let names = names.iter().map(ToString::to_string).collect();
            Targets { names, origin: "setup.py".into(), units: 1 }.to_string()
        };
        assert_eq!(said(&["sm_80"]), "target sm_80 from setup.py");
        assert_eq!(
            said(&["sm_100", "sm_75", "sm_90a", "sm_90"]),
            "targets sm_75, sm_90a, sm_90, sm_100 from setup.py"
        );
        assert_eq!(said(&["sm_80", "gfx942", "gfx1100"]), "targets sm_80, gfx942, gfx1100 from setup.py");
        let many = ["sm_100", "sm_120", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"];
        assert_eq!(said(&many), "7 targets sm_75 … sm_120 from setup.py");
    }

    #[test]
    fn one_line_says_what_was_looked_at() {
        let targets =
            Targets { names: vec!["sm_80".into(), "sm_90".into()], origin: "--arch".into(), units: 4 };
        let mut summary = Summary {
            errors: 2,
            warnings: 1,
            files: 12,
            units: 4,
            targets: vec![targets.clone()],
            missing_headers: vec!["<a>".into(); 5],
            allowed: 1,
            baselined: 7,
            fixed: vec!["a".into(), "b".into()],
            ..Summary::default()
        };
        summary.fixable = Some(Fixable { safe: 1, suggested: 2 });
        assert_eq!(
            summary.to_string(),
            "3 findings (2 errors, 1 warning) in 12 files, 4 units; targets sm_80, sm_90 from --arch; \
             5 headers not found; 1 suppressed in the source; 7 in the baseline; 2 of the baseline fixed; \
             1 fixable with `--fix`, 2 more with `--fix --suggested`"
        );
        let all: Vec<_> = (75..90).chain([100, 74]).map(|number| format!("sm_{number}")).collect();
        summary = Summary {
            files: 1,
            units: 1,
            incomplete: true,
            targets: vec![Targets { names: all, origin: "the default".into(), units: 1 }, targets],
            ..Summary::default()
        };
        assert_eq!(
            summary.to_string(),
            "no findings in 1 file, 1 unit; 2 sets of targets, most units have 17 targets sm_74 … sm_100 \
             from the default; analysis incomplete"
        );
    }
}
