//! The rules: facts compared across passes, and images of device code with each other and with the host code.
//!
//! In: the facts of units, and artifacts. Out: findings. One file a rule; [`RULES`] is the table of them, and the documentation
//! of a rule is its card, `rules/<id>.md`. Knows facts, never tokens of trees or files on disk.

mod marks;
mod card;
mod unit;
mod thinned;
mod unplaced;
mod rule;
mod evidence;
mod lists;
mod signature;
mod definition;
mod instantiation;
mod header;
mod layout;
mod instruction;
mod unsupported_target;
mod suffixed_targets_only;
mod missing_ptx;
mod target_gap;
mod arch_bound;
mod unsuited_suffix;
mod constant_comparison;
mod numeric_comparison;
mod unreached_branch;
mod host_code;
mod misspelt_macro;
mod pass_only_failure;
mod host_value;
mod guard;
mod closure;
mod custom;
mod built;

use std::sync::OnceLock;

use rayon::prelude::*;

use crate::artifact::Artifact;
use crate::finding::Finding;
use crate::target::{Fault, TargetList, Toolkit};

pub use arch_bound::{ID as ARCH_BOUND, unread};
pub use card::{Card, CardError, Example, KEYS, SECTIONS, Verdict, level_name, read_card};
pub use definition::ID as DEFINITION;
pub use evidence::of_fault;
pub use instantiation::ID as INSTANTIATION;
pub use layout::ID as LAYOUT;
pub use marks::{Mark, as_source, for_readers as example_text, marks, settings};
pub use rule::{Check, Rule};
pub use signature::ID as SIGNATURE;
pub use thinned::Thinned;
pub use unit::{Branch, Need, RecipeBound, Stated, SuffixUse, Summary, Unit};
pub use unplaced::Built;

/// Every rule, in the order of their codes.
pub const RULES: &[Rule] = &[
    signature::RULE,
    instantiation::RULE,
    definition::RULE,
    header::RULE,
    layout::RULE,
    instruction::RULE,
    unsupported_target::RULE,
    suffixed_targets_only::RULE,
    missing_ptx::RULE,
    target_gap::RULE,
    arch_bound::RULE,
    unsuited_suffix::RULE,
    constant_comparison::RULE,
    numeric_comparison::RULE,
    unreached_branch::RULE,
    built::missing_kernel::RULE,
    built::unregistered_kernel::RULE,
    built::mismatched_parameters::RULE,
    built::mismatched_variable::RULE,
    built::mismatched_ptx::RULE,
    host_code::RULE,
    misspelt_macro::RULE,
    pass_only_failure::RULE,
    host_value::RULE,
    guard::RULE,
    closure::RULE,
];

/// The findings of the rules that look at one unit.
pub fn check_unit(unit: &Unit<'_>) -> Vec<Finding> {
    let own = |mut findings: Vec<Finding>| {
        findings.retain(|finding| !(unit.is_third_party)(finding.primary.at.file));
        findings
    };
    let of_rule = |rule: &Rule| match rule.check {
        Check::Unit(check) => check(unit),
        Check::Own(check) => own(check(unit)),
        Check::Program(_) | Check::List(..) | Check::Artifact(_) => Vec::new(),
    };
    RULES.iter().flat_map(of_rule).chain(custom::check(unit)).collect()
}

/// The findings of the rules across the units of a program, and of those on the lists of targets.
pub fn check_program(summaries: &[&Summary]) -> Vec<Finding> {
    let of_rule = |rule: &Rule| match rule.check {
        Check::Unit(_) | Check::Own(_) | Check::Artifact(_) => Vec::new(),
        Check::Program(check) => check(summaries),
        Check::List(level, judge) => {
            lists::of_each(rule.id, level, summaries, |stated| judge(&stated.list, stated.toolkit))
        }
    };
    RULES.iter().flat_map(of_rule).collect()
}

/// The faults that the rules on lists of targets find in one list, each with the id of its rule. A list that is
/// compiled by no known release of nvcc has no toolkit.
pub fn check_list(list: &TargetList, toolkit: Option<Toolkit>) -> Vec<(&'static str, Fault)> {
    let of_rule = |rule: &Rule| match rule.check {
        Check::List(_, judge) => Some((rule.id, judge(list, toolkit)?)),
        Check::Unit(_) | Check::Own(_) | Check::Program(_) | Check::Artifact(_) => None,
    };
    RULES.iter().filter_map(of_rule).collect()
}

/// The findings of the rules on what was built in an artifact.
pub fn check_artifact(artifact: &Artifact) -> Vec<Built> {
    let of_rule = |rule: &Rule| match rule.check {
        Check::Artifact(check) => check(artifact),
        Check::Unit(_) | Check::Own(_) | Check::Program(_) | Check::List(..) => Vec::new(),
    };
    RULES.par_iter().flat_map_iter(of_rule).collect()
}

/// Every card, in the order of their codes.
pub fn cards() -> Vec<Card> {
    built_in().to_vec()
}

/// The cards, read once.
pub fn built_in() -> &'static [Card] {
    static CARDS: OnceLock<Vec<Card>> = OnceLock::new();
    let read = |rule: &Rule| read_card(rule.id, rule.card).expect("tests/cards.rs reads every card");
    CARDS.get_or_init(|| RULES.iter().map(read).collect())
}

/// The card of the rule with this id or code.
pub fn card(rule: &str) -> Option<Card> {
    built_in().iter().find(|card| card.goes_by(rule)).cloned()
}

/// The similarity of two names (Jaro-Winkler, 0 to 1) from which one is taken for a misspelling of the other.
const ALIKE: f64 = 0.7;

/// The id of the rule that a misspelt name most likely means; a name may leave `arch-dependent-` out.
pub fn nearest(rule: &str) -> Option<String> {
    nearest_of(rule, RULES.iter().map(|rule| rule.id))
}

/// The same among these ids.
pub fn nearest_of<'i>(rule: &str, ids: impl Iterator<Item = &'i str>) -> Option<String> {
    let likeness = |id: &str| {
        let tail = id.rsplit('-').next().unwrap_or(id);
        strsim::jaro_winkler(rule, id).max(strsim::jaro_winkler(rule, tail))
    };
    let best = ids.map(|id| (likeness(id), id)).max_by(|left, right| left.0.total_cmp(&right.0))?;
    (best.0 >= ALIKE).then(|| best.1.to_string())
}
