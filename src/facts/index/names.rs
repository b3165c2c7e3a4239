//! Which declarations may declare a name.
//!
//! Those of the headers that an edited unit begins with are kept for the next analysis.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::{Beginning, Preprocessed};
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::{DeclKind, Variance};

use super::tokens::{mentions_namespace, tops_of};

/// The declarations of names in the headers that a unit begins with.
#[derive(Debug)]
pub(crate) struct HeaderNames {
    beginning: Beginning,
    /// The passes that were compared: others have other declarations.
    compared: PassSet,
    /// How many declarations there are.
    tops: usize,
    part: Part,
}

/// The declarations of names in a unit.
pub(in crate::facts) struct NameIndex {
    pub(in crate::facts) headers: Option<Arc<HeaderNames>>,
    /// Of the names that others declare, with those that the headers have of these names.
    own: Part,
}

#[derive(Debug, Default)]
struct Part {
    by_name: FxHashMap<Symbol, Vec<usize>>,
    /// The using-directives, in order.
    directives: Vec<usize>,
}

impl NameIndex {
    /// That of a unit, going on from what the last analysis left, if there was one.
    pub(in crate::facts) fn new(
        pp: &Preprocessed,
        variance: &Variance,
        compared: PassSet,
        last: Option<&Option<Arc<HeaderNames>>>,
    ) -> NameIndex {
        let end = variance.declarations.len();
        let Some(last) = last else {
            let mut own = Part::default();
            own.add(pp, variance, 0..end, None);
            return NameIndex { headers: None, own };
        };
        let beginning = pp.lasting(last.as_ref().map(|known| &known.beginning));
        let tops = tops_of(variance, &beginning);
        let same = |known: &&Arc<HeaderNames>| {
            known.beginning == beginning && known.compared == compared && known.tops == tops
        };
        let headers = last.as_ref().filter(same).cloned().unwrap_or_else(|| {
            let mut part = Part::default();
            part.add(pp, variance, 0..tops, None);
            Arc::new(HeaderNames { beginning: beginning.clone(), compared, tops, part })
        });
        let mut own = Part::default();
        own.add(pp, variance, tops..end, Some(&headers.part));
        NameIndex { headers: Some(headers), own }
    }

    /// The declarations that may declare a name, in order.
    pub(in crate::facts) fn get(&self, name: Symbol) -> &[usize] {
        let of_headers = || self.headers.as_ref().and_then(|headers| headers.part.by_name.get(&name));
        self.own.by_name.get(&name).or_else(of_headers).map_or(&[], Vec::as_slice)
    }

    /// The using-directives, in order.
    pub(in crate::facts) fn directives(&self) -> impl Iterator<Item = usize> {
        let headers = self.headers.iter().map(|headers| &headers.part);
        headers.chain([&self.own]).flat_map(|part| part.directives.iter().copied())
    }
}

impl Part {
    /// Adds some declarations, each name's behind those that `before` has of it.
    fn add(&mut self, pp: &Preprocessed, variance: &Variance, tops: Range<usize>, before: Option<&Part>) {
        for number in tops {
            let top = &variance.declarations[number];
            for name in &top.names {
                let known =
                    || before.and_then(|before| before.by_name.get(name)).cloned().unwrap_or_default();
                let list = self.by_name.entry(*name).or_insert_with(known);
                if list.last() != Some(&number) {
                    list.push(number);
                }
            }
            if top.kind == DeclKind::Using && mentions_namespace(pp, top) {
                self.directives.push(number);
            }
        }
    }
}
