//! A unit's readings as one list of tokens and events.
//!
//! In: the outermost reading of a unit, and perhaps the flat list of an earlier version of it. Out: the tokens of all
//! readings in order, their expansions renumbered. The readings themselves stay shared.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::attached::Attached;
use super::inclusion::Inclusion;
use super::search::{Found, Search};
use super::tokens::{Event, EventKind, Expansion, ExpansionId, OtherOrigin, PpToken};

/// Reserves capacity for so many entries and some more: else all would be copied as soon as somebody types another
/// token. Pages of a long list that are never written take no memory.
fn make_room<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() < count {
        list.reserve_exact(count + count / ROOM - list.len());
    }
}

/// The capacity is greater than the length by one part in so many.
const ROOM: usize = 16;

/// Consecutive tokens of one reading of a header that all passes read: the same in every unit that has the reading.
#[derive(Clone, Debug)]
pub struct Piece {
    reading: Arc<Inclusion>,
    /// The index of the first among the reading's own tokens.
    pub from: usize,
    /// Their indices among the unit's tokens.
    pub tokens: Range<usize>,
}

impl Piece {
    /// How the reading's own tokens are cut into declarations, kept by the stage that cuts.
    pub fn cut(&self) -> &Attached {
        &self.reading.cut
    }

    /// What a search found in the reading.
    pub(super) fn found(&self, search: Search) -> &OnceLock<Found> {
        &self.reading.found[search as usize]
    }

    /// What tells the reading from others while it is kept.
    pub fn reading_address(&self) -> usize {
        Arc::as_ptr(&self.reading) as usize
    }
}

/// A unit's readings as one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flat {
    pub(crate) tokens: Vec<PpToken>,
    /// The tokens that come from headers, in order.
    pub(crate) pieces: Vec<Piece>,
    pub(crate) events: Vec<Event>,
    pub(crate) other_origins: Vec<OtherOrigin>,
    pub(crate) expansions: Vec<Expansion>,
}

impl Flat {
    /// Flattens the readings of a unit. `kept` has the tokens of these readings, with which the unit begins.
    pub(crate) fn new(root: &Inclusion, kept: Option<(Flat, &[Arc<Inclusion>])>) -> Flat {
        let (mut tokens, mut events, mut expansions) = (0, 0, 0);
        root.each(&mut |one| {
            tokens += one.tokens.len();
            events += one.events.len();
            expansions += one.expansions.len();
        });
        let (mut flat, mut kept) = kept.unwrap_or_default();
        make_room(&mut flat.tokens, tokens);
        make_room(&mut flat.expansions, expansions);
        flat.events.reserve(events);
        // The outermost's own expansions come last, so that its text decides nothing about the numbers of others.
        let own = expansions - root.expansions.len();
        flat.add_text(root, None, &mut kept, Some(own));
        flat.expand(root, own);
        flat.add_events(root, 0, 0);
        flat
    }

    /// Only the first so many tokens and expansions.
    pub(crate) fn cut_off(mut self, tokens: usize, expansions: usize) -> Flat {
        self.tokens.truncate(tokens);
        self.expansions.truncate(expansions);
        self.pieces.truncate(self.pieces.partition_point(|piece| piece.tokens.end <= tokens));
        let apart = self.other_origins.partition_point(|apart| (apart.index as usize) < tokens);
        self.other_origins.truncate(apart);
        self.events.clear();
        self
    }

    /// Adds the tokens of a reading, which is `shared` unless it is the unit's own, and of those inside it. `kept` are the
    /// next readings whose tokens are there already. Its expansions are numbered from `base` on, or else behind those of the
    /// readings that it begins with, so that its text decides nothing about their numbers.
    fn add_text(
        &mut self,
        one: &Inclusion,
        shared: Option<&Arc<Inclusion>>,
        kept: &mut &[Arc<Inclusion>],
        mut base: Option<usize>,
    ) {
        let mut tokens = one.tokens.reader();
        let (mut from, mut apart) = (0, 0);
        let ends = one.children().map(|child| (child.after.tokens, Some(child)));
        for (to, child) in ends.chain([(one.tokens.len(), None)]) {
            if to > from || child.is_none() {
                let base = *base.get_or_insert_with(|| {
                    let base = self.expansions.len();
                    self.expand(one, base);
                    base
                });
                let shifted = |id: ExpansionId| ExpansionId::new(id.index() + base);
                // Its own indices are smaller than those here by this.
                let further = self.tokens.len() - from;
                let made = |token: &PpToken| PpToken { expansion: token.expansion.map(shifted), ..*token };
                if let Some(reading) = shared.filter(|_| to > from) {
                    let tokens = self.tokens.len()..self.tokens.len() + to - from;
                    self.pieces.push(Piece { reading: Arc::clone(reading), from, tokens });
                }
                tokens.copy(to, &mut self.tokens, shifted);
                while let Some(other) =
                    one.other_origins.get(apart).filter(|other| (other.index as usize) < to)
                {
                    let index = other.index + further as u32;
                    self.other_origins.push(OtherOrigin { index, token: made(&other.token) });
                    apart += 1;
                }
                from = to;
            }
            let Some(child) = child else { break };
            match kept.split_first() {
                Some((first, rest)) if Arc::ptr_eq(first, &child.inclusion) => *kept = rest,
                _ => self.add_text(&child.inclusion, Some(&child.inclusion), kept, None),
            }
        }
    }

    /// Adds the expansions of a reading.
    fn expand(&mut self, one: &Inclusion, base: usize) {
        let shifted = |id: ExpansionId| ExpansionId::new(id.index() + base);
        let expansion = |one: &Expansion| Expansion { parent: one.parent.map(shifted), ..*one };
        self.expansions.extend(one.expansions.iter().map(expansion));
    }

    /// Adds the events of a reading, and of those inside it, whose first token has this index. How many tokens it has.
    fn add_events(&mut self, one: &Inclusion, level: usize, first: usize) -> usize {
        let (mut from, mut inside) = (0, 0);
        let ends = one.children().map(|child| (child.after.events, Some(child)));
        for (to, child) in ends.chain([(one.events.len(), None)]) {
            for event in &one.events[from..to] {
                let mut event = event.clone();
                event.before += first + inside;
                if let EventKind::Enter { level: own, .. } = &mut event.kind {
                    *own += level;
                }
                self.events.push(event);
            }
            from = to;
            if let Some(child) = child {
                let begins = first + inside + child.after.tokens;
                inside += self.add_events(&child.inclusion, level + child.deeper, begins);
            }
        }
        one.tokens.len() + inside
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    #[test]
    fn there_is_room_for_tokens_that_are_typed() {
        let (sources, common) = (Sources::new(), Arc::default());
        sources.add(Path::new("t.h"), "#pragma once\nint a;\n#define B int b;\nB\n".repeat(20));
        let path = Path::new("a.cu");
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let unit = TranslationUnit::new(path, passes);
        let mut last: Option<Flat> = None;
        let mut rooms = Vec::new();
        for text in ["", "int ", "int c", "int c; B"] {
            sources.overlay(path, format!("#include \"t.h\"\n{text}"));
            let unit = preprocess(&unit, &sources, &common);
            let headers: Vec<Arc<Inclusion>> =
                unit.root.children().map(|child| Arc::clone(&child.inclusion)).collect();
            let (mut tokens, mut expansions) = (0, 0);
            headers.iter().for_each(|header| {
                header.each(&mut |one| {
                    tokens += one.tokens.len();
                    expansions += one.expansions.len();
                });
            });
            let kept = last.take().map(|last| (last.cut_off(tokens, expansions), headers.as_slice()));
            let flat = Flat::new(&unit.root, kept);
            assert_eq!(flat.tokens, unit.tokens());
            rooms.push((flat.tokens.capacity(), flat.expansions.capacity()));
            last = Some(flat);
        }
        assert!(rooms.iter().all(|room| *room == rooms[0]), "{rooms:?}");
    }
}
