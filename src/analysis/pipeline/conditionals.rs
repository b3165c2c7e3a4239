//! Summaries of a unit's conditionals: groups with the passes that enter them, branches that only the pass decides, and
//! macros that a missing header may define.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::{ConditionFact, UnitFacts};
use crate::finding::Region;
use crate::preprocess::{Conditional, Group, MacroRead, Preprocessed};
use crate::rules::Branch;
use crate::source::{Span, Symbol};
use crate::target::{PassSet, Passes, is_reserved};

/// The groups of conditionals, without the system's. A file that is included several times has each group once,
/// with the passes that enter it at any time.
pub(in crate::analysis) fn regions(preprocessed: &Preprocessed, passes: &Arc<Passes>) -> Vec<Region> {
    let mut found: BTreeMap<Span, PassSet> = BTreeMap::new();
    for (_, group, at) in extents(preprocessed) {
        let seen = found.entry(at).or_default();
        *seen = seen.or(group.passes);
    }
    found.into_iter().map(|(at, seen)| Region { at, passes: seen, of: Arc::clone(passes) }).collect()
}

/// The groups of conditionals, without the system's, each with where it is, its directive included.
fn extents(preprocessed: &Preprocessed) -> impl Iterator<Item = (&Conditional, &Group, Span)> {
    preprocessed.conditionals().into_iter().flat_map(move |conditional| {
        let group = |number: usize| conditional.groups.get(number).map(|id| preprocessed.group(*id));
        let extent = move |number: usize| {
            let own = group(number)?;
            let Span { file, start, .. } = own.directive;
            let end = group(number + 1).map(|next| next.directive).or(conditional.endif);
            let at = Span { file, start, end: end.map_or(u32::MAX, |end| end.start) };
            (!preprocessed.system.contains(&file)).then_some((conditional, own, at))
        };
        (0..conditional.groups.len()).filter_map(extent)
    })
}

/// The groups that a pass reaches and does not enter, of conditionals that read a macro for which it has no definition.
/// Reserved identifiers do not count. What is nested in such a group is a part of it, and not told on its own.
pub(super) fn left_to_macros(preprocessed: &Preprocessed, pass: usize) -> impl Iterator<Item = Span> {
    extents(preprocessed).filter_map(move |(conditional, group, at)| {
        let is_open = |read: &MacroRead| {
            read.definitions.get(pass).is_some_and(Option::is_none) && !is_reserved(read.name.as_str())
        };
        let is_left = conditional.passes.has(pass) && !group.passes.has(pass);
        (is_left && conditional.reads.iter().any(is_open)).then_some(at)
    })
}

/// The groups that nothing but the pass decides, of conditionals that some device pass reaches.
pub(super) fn branches(facts: &UnitFacts, compared: PassSet) -> Vec<Branch> {
    let decided =
        |condition: &&ConditionFact| condition.pure && condition.asked.meets(compared.minus(PassSet::HOST));
    let branch = |condition: &ConditionFact| Branch {
        at: condition.at,
        text: condition.text.clone(),
        opening: condition.opening.clone(),
        entered: !condition.passes.is_empty(),
    };
    facts.conditions.iter().filter(decided).map(branch).collect()
}

/// The macros that conditions read and no header that was found defines, if some header was not.
/// Reserved identifiers are left out, and guards are defined on the way.
pub(super) fn undefined_macros(preprocessed: &Preprocessed) -> Vec<String> {
    if preprocessed.missing.is_empty() {
        return Vec::new();
    }
    let defined: FxHashSet<Symbol> =
        preprocessed.definitions().into_iter().map(|id| preprocessed.definition(id).name).collect();
    let in_project = |conditional: &&Conditional| {
        let first = conditional.groups.first().map(|group| preprocessed.group(*group).directive.file);
        first.is_some_and(|file| !preprocessed.system.contains(&file))
    };
    let reads = preprocessed
        .conditionals()
        .into_iter()
        .filter(in_project)
        .flat_map(|conditional| &*conditional.reads);
    let names =
        reads.map(|read| read.name).filter(|name| !defined.contains(name) && !is_reserved(name.as_str()));
    let names: BTreeSet<String> = names.map(|name| name.as_str().to_string()).collect();
    names.into_iter().collect()
}

/// What might have led elsewhere than to a place.
#[derive(Default)]
pub(super) struct Asked {
    /// Macros that nothing defines. A pass's own are left out: nobody can define them.
    pub(super) macros: Vec<Symbol>,
    /// Another language standard.
    pub(super) standard: bool,
}

/// What the innermost conditional around a place asked for, of those that asked for anything.
pub(super) fn asked_around(preprocessed: &Preprocessed, at: Span) -> Asked {
    let extent = |conditional: &Conditional| {
        let first = preprocessed.group(*conditional.groups.first()?).directive;
        let end = conditional.endif.map_or(u32::MAX, |end| end.start);
        let is_around = first.file == at.file && first.end <= at.start && at.end <= end;
        is_around.then_some(end - first.start)
    };
    let around = preprocessed.conditionals().into_iter();
    let mut around: Vec<(u32, &Conditional)> =
        around.filter_map(|conditional| Some((extent(conditional)?, conditional))).collect();
    around.sort_by_key(|(length, _)| *length);
    // Guards are defined on the way.
    let defined: FxHashSet<Symbol> =
        preprocessed.definitions().into_iter().map(|id| preprocessed.definition(id).name).collect();
    let asked = |conditional: &Conditional, may_be_reserved: bool| -> Asked {
        let names = || conditional.reads.iter().map(|read| read.name);
        let standard = names().any(|name| name.as_str() == "__cplusplus");
        let may_be_given = |name: &str| match is_reserved(name) {
            true => may_be_reserved && !standard && !name.starts_with("__CUDA"),
            false => true,
        };
        let missing = |name: &Symbol| !defined.contains(name) && may_be_given(name.as_str());
        Asked { macros: names().filter(missing).collect(), standard }
    };
    // What names a compiler, a system or whose number of the standard counts (`_MSVC_LANG`) is reserved, and nobody gives it
    // by hand. Where nothing else is asked for, it may be a feature-test macro.
    let asked = |may_be_reserved: bool| {
        let all = around.iter().map(|(_, conditional)| asked(conditional, may_be_reserved));
        all.into_iter().find(|asked| asked.standard || !asked.macros.is_empty())
    };
    asked(false).or_else(|| asked(true)).unwrap_or_default()
}
