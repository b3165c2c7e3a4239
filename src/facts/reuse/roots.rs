//! Walks the roots of a unit in every pass, except those whose kept results are still valid.
//!
//! In: the roots, and a walk for each pass. Out: the walks, in the state in which walking every root would leave them,
//! but for the instantiations of settled roots, which are given apart.

use std::sync::Arc;

use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::walk::Walk;
use crate::facts::meaning::view::View;
use crate::facts::model::LayoutFact;
use crate::target::PassSet;

use super::header_walks::{HeaderWalks, walk_preamble};
use super::main_roots::{MainRoots, SettledInstantiation};
use super::reusable::Reuse;

/// Whether settled roots behind the preamble are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum SettledRoots {
    /// Skipped: they cause the same instantiations in every pass.
    Skipped,
    /// Walked like the others.
    Walked,
}

/// The roots of a unit.
pub(in crate::facts) struct Roots {
    /// The roots behind the preamble; all roots if nothing is kept.
    rest: Vec<usize>,
    /// The results for the roots in the preamble and behind it, of a unit that is analysed repeatedly.
    kept: Option<(Arc<HeaderWalks>, MainRoots)>,
}

impl Roots {
    /// Walks or replays the roots in the preamble, in the walk of each pass.
    pub(in crate::facts) fn begin(
        reuse: &mut Reuse<'_>,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        walks: &mut [Walk<'_>],
        relevant: &LeadingNames,
        roots: &[usize],
        settled: SettledRoots,
    ) -> Roots {
        let Some(last) = reuse.walks() else { return Roots { rest: roots.to_vec(), kept: None } };
        let (done, walked) = walk_preamble(unit, views, walks, relevant, roots, last);
        let kept = walked.first().cloned().map(|preamble| {
            let last_main_roots = preamble.main_roots().filter(|_| settled == SettledRoots::Skipped);
            let preamble_identifiers = preamble.identifiers();
            let own =
                MainRoots::new(unit, views, relevant, done, last_main_roots.as_deref(), preamble_identifiers);
            (preamble, own)
        });
        reuse.next.walked = Some(walked);
        Roots { rest: roots[roots.partition_point(|top| *top < done)..].to_vec(), kept }
    }

    /// Walks the other roots in the pass that stands for the class `passes`, and ends that pass.
    pub(in crate::facts) fn finish(&mut self, walk: &mut Walk<'_>, passes: PassSet) {
        let view = walk.view;
        let declarations = &view.unit.variance.declarations;
        for top in self.rest.iter().filter(|top| declarations[**top].passes.has(view.pass)) {
            match &mut self.kept {
                Some((_, own)) if own.is_settled(*top) => {}
                Some((_, own)) => own.walk(walk, passes, *top),
                None => walk.walk_root(*top),
            }
        }
        walk.finish();
        if let Some((_, own)) = &mut self.kept {
            own.end_pass();
        }
    }

    /// The instantiations that the skipped roots cause in every pass.
    pub(in crate::facts) fn settled_instantiations(&self) -> impl Iterator<Item = &SettledInstantiation> {
        self.kept.iter().flat_map(|(_, own)| own.settled_instantiations())
    }

    /// Keeps the results for the next analysis. The classes in `layouts` are those whose layouts differ between passes.
    pub(in crate::facts) fn keep(
        self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        layouts: &[LayoutFact],
    ) {
        if let Some((preamble, own)) = self.kept {
            preamble.keep_main_roots(own.into_settled(unit, views, layouts));
        }
    }
}
