//! The rules: facts compared across passes.
//!
//! In: the facts of units. Out: findings. One file a rule; [`RULES`] is the table that runs them, and
//! what a rule says about itself is in its card. Knows facts, never tokens of trees or files on disk.

mod arch_bound;
pub mod card;
mod constant_comparison;
mod definition;
mod evidence;
mod header;
mod instantiation;
mod instruction;
mod layout;
mod lists;
mod missing_ptx;
mod numeric_comparison;
mod signature;
mod suffixed_targets_only;
mod target_gap;
mod unreached_branch;
mod unsuited_suffix;
mod unsupported_target;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::facts::{HeaderFact, UnitFacts};
use crate::finding::Finding;
use crate::source::Span;
use crate::target::notation::ArchBound;
use crate::target::{Arch, Gfx, Passes, TargetList, Toolkit, gap, missing_ptx, only_suffixed, unsupported};

pub use arch_bound::{ID as ARCH_BOUND, unread};
pub use lists::ListRule;
pub use unsupported_target::ID as UNSUPPORTED_TARGET;

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
    Rule { id: unsupported_target::ID, check: Check::Program(unsupported_target::check) },
    Rule { id: suffixed_targets_only::ID, check: Check::Program(suffixed_targets_only::check) },
    Rule { id: missing_ptx::ID, check: Check::Program(missing_ptx::check) },
    Rule { id: target_gap::ID, check: Check::Program(target_gap::check) },
    Rule { id: arch_bound::ID, check: Check::Program(arch_bound::check) },
    Rule { id: unsuited_suffix::ID, check: Check::Program(unsuited_suffix::check) },
    Rule { id: constant_comparison::ID, check: Check::Unit(constant_comparison::check) },
    Rule { id: numeric_comparison::ID, check: Check::Unit(numeric_comparison::check) },
    Rule { id: unreached_branch::ID, check: Check::Program(unreached_branch::check) },
];

/// The rules that say something of any list of targets, in the order of their codes.
pub const LIST_RULES: &[ListRule] = &[
    ListRule { id: unsupported_target::ID, judge: unsupported },
    ListRule { id: suffixed_targets_only::ID, judge: |list, _| only_suffixed(list) },
    ListRule { id: missing_ptx::ID, judge: missing_ptx },
    ListRule { id: target_gap::ID, judge: gap },
];

/// A unit as rules see it.
pub struct Unit<'u> {
    /// Its passes.
    pub passes: Arc<Passes>,
    /// It is compiled for separate compilation.
    pub rdc: bool,
    /// The passes that make code for a GPU that is not NVIDIA's, with the GPU.
    pub foreign: Vec<(usize, Gfx)>,
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
    /// The list of targets that a build names for it.
    pub stated: Option<Stated>,
    /// What it has for targets with a suffix.
    pub suffixes: SuffixUse,
    /// The groups of conditionals that nothing but the pass decides.
    pub branches: Vec<Branch>,
    /// What it is linked into, as far as a build says.
    pub groups: BTreeSet<PathBuf>,
    /// The bounds on the GPU in its project's conda recipes.
    pub recipes: Vec<RecipeBound>,
    /// The functions and variables of headers it has a copy of.
    pub header_entities: Vec<HeaderFact>,
}

/// A list of targets as a build names it.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The words that name them.
    pub at: Span,
    /// The targets.
    pub list: TargetList,
    /// The release of nvcc that compiles, if it is known.
    pub toolkit: Option<Toolkit>,
    /// Every source that they are named for is looked at.
    pub complete: bool,
}

/// What a unit has for targets with a suffix.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SuffixUse {
    /// What it asks of each of its targets that has one.
    pub needs: Vec<(Arch, Need)>,
    /// Directives that ask for the `a` target of a number, one a number.
    pub asked: Vec<(u16, Span)>,
}

/// What a unit's code for a target asks of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// No more than the baseline of its number has.
    Baseline,
    /// What a family has.
    Family,
    /// What one chip has, or something that could not be seen.
    Chip,
}

/// A bound on the GPU in a conda recipe.
#[derive(Clone, Debug)]
pub struct RecipeBound {
    /// Its line.
    pub at: Span,
    /// The bound, or what stands in its place.
    pub bound: Result<ArchBound, String>,
}

/// A group of a conditional that nothing but the pass decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The directive that opens it.
    pub at: Span,
    /// The directive as written.
    pub text: String,
    /// The directive that opens the conditional, if it is another, as written.
    pub opening: Option<(Span, String)>,
    /// Some pass of the unit enters it.
    pub entered: bool,
}

impl Summary {
    /// The unit and another may become parts of one program.
    fn may_be_linked_with(&self, other: &Summary) -> bool {
        self.groups.is_empty() || other.groups.is_empty() || !self.groups.is_disjoint(&other.groups)
    }
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
