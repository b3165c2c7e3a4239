//! The declarations that may declare a name.
//!
//! The index of the preamble is kept for the next analysis.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::{Preamble, Preprocessed};
use crate::source::Symbol;
use crate::target::PassSet;
use crate::variance::{DeclKind, Variance};

use super::tokens::{mentions_namespace, preamble_end};

/// The index of the preamble.
#[derive(Debug)]
pub(crate) struct PreambleNames {
    tokens: Preamble,
    /// The passes that were compared: for other passes there are other declarations.
    compared: PassSet,
    /// The number of declarations in the preamble, and so the index of the first one behind it.
    preamble_end: usize,
    part: Part,
}

/// The index of a unit.
pub(in crate::facts) struct NameIndex {
    pub(in crate::facts) preamble: Option<Arc<PreambleNames>>,
    /// The names declared behind the preamble, each with all of its declarations: those in the preamble too.
    own: Part,
}

#[derive(Debug, Default)]
struct Part {
    by_name: FxHashMap<Symbol, Vec<usize>>,
    /// The using-directives, in order.
    directives: Vec<usize>,
}

impl NameIndex {
    /// Indexes a unit. `last` is the preamble's index in the last analysis, of a unit that is analysed repeatedly.
    pub(in crate::facts) fn new(
        pp: &Preprocessed,
        variance: &Variance,
        compared: PassSet,
        last: Option<&Option<Arc<PreambleNames>>>,
    ) -> NameIndex {
        let end = variance.declarations.len();
        let Some(last) = last else {
            let mut own = Part::default();
            own.add(pp, variance, 0..end, None);
            return NameIndex { preamble: None, own };
        };
        let preamble = pp.preamble().clone();
        let preamble_end = preamble_end(variance, &preamble);
        let same = |known: &&Arc<PreambleNames>| {
            known.tokens == preamble && known.compared == compared && known.preamble_end == preamble_end
        };
        let preamble = last.as_ref().filter(same).cloned().unwrap_or_else(|| {
            let mut part = Part::default();
            part.add(pp, variance, 0..preamble_end, None);
            Arc::new(PreambleNames { tokens: preamble.clone(), compared, preamble_end, part })
        });
        let mut own = Part::default();
        own.add(pp, variance, preamble_end..end, Some(&preamble.part));
        NameIndex { preamble: Some(preamble), own }
    }

    /// The declarations that may declare a name, in order.
    pub(in crate::facts) fn get(&self, name: Symbol) -> &[usize] {
        let of_preamble = || self.preamble.as_ref().and_then(|preamble| preamble.part.by_name.get(&name));
        self.own.by_name.get(&name).or_else(of_preamble).map_or(&[], Vec::as_slice)
    }

    /// The using-directives, in order.
    pub(in crate::facts) fn directives(&self) -> impl Iterator<Item = usize> {
        let preamble = self.preamble.iter().map(|preamble| &preamble.part);
        preamble.chain([&self.own]).flat_map(|part| part.directives.iter().copied())
    }
}

impl Part {
    /// Adds a range of declarations. A name that is new here starts with the declarations that `before` has of it.
    fn add(&mut self, pp: &Preprocessed, variance: &Variance, range: Range<usize>, before: Option<&Part>) {
        for number in range {
            unwind_if_cancelled();
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
