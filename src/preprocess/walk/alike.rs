//! Macros that other readings of their header have made for the same passes and for the same reasons.
//!
//! In: macros that a conditional gave to some passes. Out: the same macros, under the numbers that an earlier
//! reading gave them: what headers were kept with such a macro fits again ([`super::super::memo`]). A header that
//! all headers of a library include is read anew for many reasons, and most of these do not touch its macros.

use crate::preprocess::common::Place;
use crate::preprocess::macros::MacroId;
use crate::preprocess::tokens::{Conditional, ConditionalId, DefinitionId, GroupId, Read};
use crate::source::Symbol;

use super::Walker;

/// How far reasons are compared: what is alike has mostly the same numbers at the first look.
const DEPTH: usize = 8;

/// A macro that a conditional gave to some passes.
#[derive(Debug)]
pub(in crate::preprocess) struct Partly {
    pub(super) name: Symbol,
    pub(super) place: Place,
    /// The macro, and its own definition.
    pub(super) made: (MacroId, DefinitionId),
}

impl Walker<'_> {
    /// Gives the macros made since all passes parted the numbers that they had before.
    pub(in crate::preprocess) fn settle_partly(&mut self) {
        for Partly { name, place, made } in std::mem::take(&mut self.partly) {
            let earlier = self.common.earlier(&place);
            let Some(old) = earlier.into_iter().find(|old| self.alike(old.1, made.1, DEPTH)) else {
                self.common.add_earlier(place, made);
                continue;
            };
            let mut cases = self.table.cases(name).to_vec();
            if cases.iter().any(|(_, id)| *id == made.0) {
                for (_, id) in cases.iter_mut().filter(|(_, id)| *id == made.0) {
                    *id = old.0;
                }
                self.table.replace(name, &cases);
            }
            self.out
                .definitions
                .iter_mut()
                .rev()
                .filter(|id| **id == made.1)
                .take(1)
                .for_each(|id| *id = old.1);
        }
    }

    /// Two definitions are one directive's, for the same passes and for the same reasons.
    fn alike(&self, a: DefinitionId, b: DefinitionId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1).filter(|_| a != b) else { return a == b };
        let (x, y) = (self.common.definition(a), self.common.definition(b));
        let like = match (x.like, y.like) {
            (Some(x), Some(y)) => self.alike(x, y, depth),
            (x, y) => x == y,
        };
        let same = x.at.is_some() && (x.name, x.at, x.passes) == (y.name, y.at, y.passes);
        same && like && self.groups_alike(x.group, y.group, depth)
    }

    fn groups_alike(&self, a: Option<GroupId>, b: Option<GroupId>, depth: usize) -> bool {
        let (Some(a), Some(b)) = (a, b) else { return a == b };
        if a == b {
            return true;
        }
        let (x, y) = (self.common.group(a), self.common.group(b));
        (x.directive, x.passes) == (y.directive, y.passes)
            && self.conditionals_alike(x.conditional, y.conditional, depth)
            && self.groups_alike(x.parent, y.parent, depth)
    }

    fn conditionals_alike(&self, a: ConditionalId, b: ConditionalId, depth: usize) -> bool {
        let (Some(x), Some(y)) = (self.known_of(a), self.known_of(b)) else { return false };
        let same = |(x, y): (&Read, &Read)| {
            let (these, those) = (x.definitions.cases(), y.definitions.cases());
            let same = |((passes, x), (others, y)): (&(_, Option<_>), &(_, Option<_>))| {
                passes == others
                    && match (x, y) {
                        (Some(x), Some(y)) => self.alike(*x, *y, depth),
                        (x, y) => x == y,
                    }
            };
            x.name == y.name && these.len() == those.len() && these.iter().zip(those).all(same)
        };
        x.passes == y.passes && x.reads.len() == y.reads.len() && x.reads.iter().zip(&*y.reads).all(same)
    }

    /// What is known of a conditional that has ended or is open here.
    fn known_of(&self, id: ConditionalId) -> Option<&Conditional> {
        let open = || self.open.iter().find(|open| open.id == id).map(|open| &open.found);
        self.common.ended(id).or_else(open)
    }
}
