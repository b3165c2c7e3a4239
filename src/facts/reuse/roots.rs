//! The roots of a unit walked in every pass, but for those whose walks the last analysis has.
//!
//! In: the walks of all passes, and the roots. Out: the same walks, as if each root had been walked.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::index::unit::IndexedUnit;
use crate::facts::instantiate::walk::Walk;
use crate::facts::meaning::view::View;
use crate::facts::model::LayoutFact;
use crate::source::Symbol;
use crate::target::PassSet;

use super::header_walks::{HeaderWalks, walk_headers};
use super::main_roots::{MadeInstantiation, MainRoots};
use super::reusable::Reuse;

/// Whether roots of the main file that the last analysis settled are left out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum SettledRoots {
    /// They make the same in every pass.
    LeftOut,
    /// They are walked like the others.
    HeaderWalks,
}

/// The roots of a unit.
pub(in crate::facts) struct Roots {
    /// Those that are not walked yet.
    rest: Vec<usize>,
    /// Those of the headers and of the main file, of a unit that will be analysed again.
    kept: Option<(Arc<HeaderWalks>, MainRoots)>,
}

impl Roots {
    /// Walks the roots of the headers, in each of the walks that `views` have.
    pub(in crate::facts) fn begin(
        reuse: &mut Reuse<'_>,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        walks: &mut [Walk<'_>],
        relevant: &FxHashSet<Symbol>,
        roots: &[usize],
        settled: SettledRoots,
    ) -> Roots {
        let Some(last) = reuse.last else { return Roots { rest: roots.to_vec(), kept: None } };
        let (done, walked) = walk_headers(unit, views, walks, relevant, roots, &last.walked);
        let kept = walked.first().cloned().map(|headers| {
            let behind = headers.behind().filter(|_| settled == SettledRoots::LeftOut);
            let of_headers = headers.identifiers();
            let own = MainRoots::new(unit, views, relevant, done, behind.as_deref(), of_headers);
            (headers, own)
        });
        reuse.next.walked = walked;
        Roots { rest: roots[roots.partition_point(|top| *top < done)..].to_vec(), kept }
    }

    /// Walks the other roots in a pass of the class `passes`, to the pass's end.
    pub(in crate::facts) fn finish(&mut self, walk: &mut Walk<'_>, passes: PassSet) {
        let view = walk.view;
        let declarations = &view.unit.variance.declarations;
        for top in self.rest.iter().filter(|top| declarations[**top].passes.has(view.pass)) {
            match &mut self.kept {
                Some((_, own)) if own.is_settled(*top) => {}
                Some((_, own)) => own.walk(walk, passes, *top),
                None => walk.root(*top),
            }
        }
        walk.finish();
        if let Some((_, own)) = &mut self.kept {
            own.end_pass();
        }
    }

    /// The instantiations that roots which were left out make in every pass.
    pub(in crate::facts) fn made(&self) -> impl Iterator<Item = &MadeInstantiation> {
        self.kept.iter().flat_map(|(_, own)| own.made())
    }

    /// Keeps what the next analysis may go on from. The classes in `layouts` have other bytes in other passes.
    pub(in crate::facts) fn keep(
        self,
        unit: &IndexedUnit<'_>,
        views: &[(PassSet, View<'_>)],
        layouts: &[LayoutFact],
    ) {
        if let Some((headers, own)) = self.kept {
            headers.keep_behind(own.settle(unit, views, layouts));
        }
    }
}
