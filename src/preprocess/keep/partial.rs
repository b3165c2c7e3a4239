//! Macros that conditionals gave to some passes, kept to be numbered alike when their directive is executed again.
//!
//! A header that all headers of a library include is read anew for many reasons, and most of these do not touch its
//! macros. Given their earlier numbers, the macros are the same to the header memo, and records that depend on them
//! still fit.

use std::sync::RwLock;

use rustc_hash::FxHashMap;

use crate::preprocess::expand::definition::MacroId;
use crate::preprocess::expand::interned::DefinitionSite;
use crate::preprocess::result::records::{Conditional, MacroRead};
use crate::preprocess::result::registry::Registry;
use crate::preprocess::result::store::NO_PANIC;
use crate::preprocess::result::tokens::{ConditionalId, DefinitionId, GroupId};
use crate::source::Symbol;

/// How many macros are kept of a site; the oldest makes room for another.
const VARIANTS: usize = 8;

/// How far reasons are compared: those that are alike have mostly the same numbers at the first look.
const DEPTH: usize = 8;

/// A macro and its own definition.
pub(crate) type NumberedMacro = (MacroId, DefinitionId);

/// Macros that conditionals gave to some passes, by site; shared between threads.
#[derive(Default, Debug)]
pub(crate) struct PartialMacros {
    pub(super) by_site: RwLock<FxHashMap<DefinitionSite, Vec<NumberedMacro>>>,
}

/// A macro that a conditional gave to some passes since all passes last took the same way.
#[derive(Debug)]
pub(crate) struct PartialMacro {
    pub(crate) name: Symbol,
    pub(crate) site: DefinitionSite,
    pub(crate) made: NumberedMacro,
}

impl PartialMacros {
    /// The macro that an earlier execution of the same directive made, if it is the same for the same reasons. Else
    /// this one is kept for later.
    pub(crate) fn earlier(&self, one: PartialMacro, reasons: &Reasons<'_>) -> Option<NumberedMacro> {
        let PartialMacro { site, made, .. } = one;
        let known = self.by_site.read().expect(NO_PANIC).get(&site).cloned().unwrap_or_default();
        let same = known.into_iter().find(|old| reasons.definitions_alike(old.1, made.1, DEPTH));
        if same.is_none() {
            let mut by_site = self.by_site.write().expect(NO_PANIC);
            let variants = by_site.entry(site).or_default();
            if variants.len() >= VARIANTS {
                variants.remove(0);
            }
            variants.push(made);
        }
        same
    }
}

/// The reasons for definitions: the conditionals around them, back through the macros that these read.
pub(crate) struct Reasons<'a> {
    pub(crate) registry: &'a Registry,
    /// A conditional that is still open.
    pub(crate) open: &'a dyn Fn(ConditionalId) -> Option<&'a Conditional>,
}

impl Reasons<'_> {
    /// Whether two definitions are the same directive's, for the same passes and for the same reasons.
    pub(crate) fn definitions_alike(&self, a: DefinitionId, b: DefinitionId, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1).filter(|_| a != b) else { return a == b };
        let (x, y) = (self.registry.definition(a), self.registry.definition(b));
        let like = match (x.like, y.like) {
            (Some(x), Some(y)) => self.definitions_alike(x, y, depth),
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
        let (x, y) = (self.registry.group(a), self.registry.group(b));
        (x.directive, x.passes) == (y.directive, y.passes)
            && self.conditionals_alike(x.conditional, y.conditional, depth)
            && self.groups_alike(x.parent, y.parent, depth)
    }

    fn conditionals_alike(&self, a: ConditionalId, b: ConditionalId, depth: usize) -> bool {
        let (Some(x), Some(y)) = (self.conditional(a), self.conditional(b)) else { return false };
        let same = |(x, y): (&MacroRead, &MacroRead)| {
            let (these, those) = (x.definitions.cases(), y.definitions.cases());
            let same = |((passes, x), (others, y)): (&(_, Option<_>), &(_, Option<_>))| {
                passes == others
                    && match (x, y) {
                        (Some(x), Some(y)) => self.definitions_alike(*x, *y, depth),
                        (x, y) => x == y,
                    }
            };
            x.name == y.name && these.len() == those.len() && these.iter().zip(those).all(same)
        };
        x.passes == y.passes && x.reads.len() == y.reads.len() && x.reads.iter().zip(&*y.reads).all(same)
    }

    fn conditional(&self, id: ConditionalId) -> Option<&Conditional> {
        self.registry.closed_conditional(id).or_else(|| (self.open)(id))
    }
}
