//! The summaries of many units without what can't change what rules across units find.
//!
//! In: summaries, in the order of the units. Out: the same units, of which each has only the copies of a header's entities and
//! the branches that no unit before it had. A hundred thousand units that share headers are then no more than those headers.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{HeaderFact, TextDigest};
use crate::source::{Span, Symbol};
use crate::target::{Arch, PassSet};

use super::unit::{Branch, Summary};

/// Summaries, thinned.
#[derive(Default)]
pub struct Thinned {
    summaries: Vec<Summary>,
    /// Units of equal targets and link groups are alike to the rule on headers.
    kinds: FxHashMap<(Vec<Arch>, BTreeSet<PathBuf>), usize>,
    copies: FxHashSet<Copied>,
    /// The branches that were met, and whether a unit enters them.
    branches: FxHashMap<Span, bool>,
}

/// What tells a unit's copy of an entity apart.
type Copied = (usize, Symbol, bool, Span, Vec<(PassSet, TextDigest)>);

impl Thinned {
    /// Adds the next unit.
    pub fn add(&mut self, summary: &Summary) {
        let kind = (summary.passes.archs(summary.passes.devices()), summary.groups.clone());
        let next = self.kinds.len();
        let kind = *self.kinds.entry(kind).or_insert(next);
        let header_entities = summary.header_entities.iter().filter(|fact| self.is_new_copy(kind, fact));
        let header_entities = header_entities.cloned().collect();
        let branches = summary.branches.iter().filter(|branch| self.tells_of(branch)).cloned().collect();
        let Summary { unit, passes, rdc, stated, suffixes, branches: _, groups, recipes, header_entities: _ } =
            summary;
        self.summaries.push(Summary {
            unit: unit.clone(),
            passes: passes.clone(),
            rdc: *rdc,
            stated: stated.clone(),
            suffixes: suffixes.clone(),
            branches,
            groups: groups.clone(),
            recipes: recipes.clone(),
            header_entities,
        });
    }

    /// The summaries, in order.
    pub fn summaries(&self) -> Vec<&Summary> {
        self.summaries.iter().collect()
    }

    /// A copy that is used, and clashes with others than every copy before it.
    fn is_new_copy(&mut self, kind: usize, fact: &HeaderFact) -> bool {
        fact.used.is_some()
            && self.copies.insert((kind, Symbol::intern(&fact.name), fact.stub, fact.at, fact.texts.clone()))
    }

    /// The branch is the first at its place, or the first that a unit enters.
    fn tells_of(&mut self, branch: &Branch) -> bool {
        match self.branches.insert(branch.at, branch.entered) {
            None => true,
            Some(before) => {
                if before {
                    self.branches.insert(branch.at, true);
                }
                branch.entered && !before
            }
        }
    }
}
