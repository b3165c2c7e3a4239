//! The rules: facts compared across passes.
//!
//! In: the facts of units. Out: findings. One file a rule; [`RULES`] is the table that runs them, and
//! what a rule says about itself is in its card. Knows facts, never tokens of trees or files on disk.

pub mod card;
mod definition;
mod evidence;
mod header;
mod instantiation;
mod instruction;
mod layout;
mod signature;

use std::path::PathBuf;
use std::sync::Arc;

use crate::facts::{HeaderFact, UnitFacts};
use crate::finding::Finding;
use crate::target::Passes;

/// What a rule looks at.
pub enum Check {
    /// One unit at a time.
    Unit(fn(&Unit<'_>) -> Vec<Finding>),
    /// All units of a program together.
    Program(fn(&[&Summary]) -> Vec<Finding>),
}

/// A rule.
pub struct Rule {
    /// Its id, the name of its card.
    pub id: &'static str,
    /// How it is checked.
    pub check: Check,
}

/// Every rule, in the order of their codes.
pub const RULES: &[Rule] = &[
    Rule { id: signature::ID, check: Check::Unit(signature::check) },
    Rule { id: instantiation::ID, check: Check::Unit(instantiation::check) },
    Rule { id: definition::ID, check: Check::Unit(definition::check) },
    Rule { id: header::ID, check: Check::Program(header::check) },
    Rule { id: layout::ID, check: Check::Unit(layout::check) },
    Rule { id: instruction::ID, check: Check::Unit(instruction::check) },
];

/// A unit as rules see it.
pub struct Unit<'u> {
    /// Its passes.
    pub passes: Arc<Passes>,
    /// It is compiled for separate compilation.
    pub rdc: bool,
    /// Its facts.
    pub facts: &'u UnitFacts,
}

/// What questions across units need to know of one.
#[derive(Debug)]
pub struct Summary {
    /// The unit's main file.
    pub unit: PathBuf,
    /// Its passes.
    pub passes: Arc<Passes>,
    /// It is compiled for separate compilation.
    pub rdc: bool,
    /// The functions and variables of headers it has a copy of.
    pub header_entities: Vec<HeaderFact>,
}

/// What the rules that look at one unit find in it.
pub fn check_unit(unit: &Unit<'_>) -> Vec<Finding> {
    let checks = RULES.iter().filter_map(|rule| match rule.check {
        Check::Unit(check) => Some(check),
        Check::Program(_) => None,
    });
    checks.flat_map(|check| check(unit)).collect()
}

/// What the rules that look across units find.
pub fn check_program(summaries: &[&Summary]) -> Vec<Finding> {
    let checks = RULES.iter().filter_map(|rule| match rule.check {
        Check::Program(check) => Some(check),
        Check::Unit(_) => None,
    });
    checks.flat_map(|check| check(summaries)).collect()
}
