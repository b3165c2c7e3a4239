//! A rule as a value: its id, its card and its check.

use crate::artifact::Artifact;
use crate::finding::{Finding, Level};
use crate::target::{Fault, TargetList, Toolkit};

use super::unit::{Summary, Unit};
use super::unplaced::Built;

/// A rule.
pub struct Rule {
    /// Its id, the name of its card: `arch-dependent-signature`.
    pub id: &'static str,
    /// The text of its card, `rules/<id>.md`.
    pub card: &'static str,
    /// How it is checked.
    pub check: Check,
}

/// How a rule is checked.
pub enum Check {
    /// One unit at a time.
    Unit(fn(&Unit<'_>) -> Vec<Finding>),
    /// The same, but for findings in the files of other projects and in copies of the toolkit's headers.
    Own(fn(&Unit<'_>) -> Vec<Finding>),
    /// All units of a program together.
    Program(fn(&[&Summary]) -> Vec<Finding>),
    /// Each list of targets that a build names, with the release of nvcc where it is known. The level is that of the
    /// findings.
    List(Level, fn(&TargetList, Option<Toolkit>) -> Option<Fault>),
    /// One artifact at a time: a file that was built.
    Artifact(fn(&Artifact) -> Vec<Built>),
}
