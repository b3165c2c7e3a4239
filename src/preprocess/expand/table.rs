//! The macro table: the definitions of each name by pass, and which names a reading looked up.
//!
//! In: definitions, as numbers. Out: what a name is defined as, fingerprints of that, and the names that each open
//! reading depends on. Knows nothing of what macros mean.

use std::hash::{BuildHasher, Hash};

use crate::source::{Symbol, Token, TokenKind};
use crate::target::{ByPass, PassSet};

use super::definition::MacroId;

/// The definitions of each name by pass, and the names looked up. Asked about every identifier, so it is indexed by
/// symbol.
#[derive(Default)]
pub(crate) struct MacroTable {
    /// By symbol.
    slots: Vec<Slot>,
    cases: Vec<Cases>,
    /// Indices of cases that no name has.
    free: Vec<u32>,
    /// The number of the innermost tracked reading; greater than those around it, 0 for none.
    reading: u32,
    /// The greatest such number.
    readings: u32,
    /// The lookups in order, each name once for each reading inside which no other has looked it up since.
    trail: Vec<Lookup>,
    /// The fingerprint of all definitions.
    state: u64,
    /// Names that were ever defined, some more than once.
    named: Vec<Symbol>,
}

/// The definitions of a name.
#[derive(Default)]
struct Cases {
    by_pass: ByPass<MacroId>,
    /// Their fingerprint.
    fingerprint: u64,
}

impl Cases {
    /// Puts the definitions in their canonical order and computes their fingerprint.
    fn update(&mut self, name: Symbol) {
        self.by_pass.sort();
        let one = |(passes, id): &(PassSet, MacroId)| fingerprint((name, passes, id));
        self.fingerprint = self.by_pass.cases().iter().fold(0, |all, case| all ^ one(case));
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// 0, or one more than the index of its cases.
    cases: u32,
    /// The last reading that looked the name up; the greatest number for what is no name.
    seen: u32,
}

/// A lookup of a name in a tracked reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookup {
    pub(crate) name: Symbol,
    /// The reading that looked it up before.
    before: u32,
    /// The fingerprint of its definitions; 0 for none.
    pub(crate) found: u64,
    /// It was defined for all passes, so that its earlier definitions do not matter.
    pub(crate) overwrites: bool,
}

/// The use of a name that is looked up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LookupKind {
    Read,
    /// The name gets other definitions, whatever it was.
    Overwrite,
}

impl MacroTable {
    fn slot(&self, name: Symbol) -> Slot {
        self.slots.get(name.index()).copied().unwrap_or_default()
    }

    fn reach(&mut self, name: Symbol) {
        if self.slots.len() <= name.index() {
            self.slots.resize((name.index() + 1).next_power_of_two(), Slot::default());
        }
    }

    /// Whether the name is a macro in some pass. A lookup.
    pub(crate) fn has(&mut self, name: Symbol) -> bool {
        match self.slots.get(name.index()) {
            Some(slot) if slot.seen >= self.reading => slot.cases != 0,
            _ => {
                self.note_lookup(name);
                self.slot(name).cases != 0
            }
        }
    }

    /// Whether the token is the name of a macro in some pass. A lookup, if it is a name.
    pub(crate) fn has_token(&mut self, token: &Token) -> bool {
        match self.slots.get(token.text.index()) {
            Some(slot) if slot.seen >= self.reading => slot.cases != 0,
            _ if token.kind == TokenKind::Identifier => self.has(token.text),
            // What is no name counts as looked up from now on: no processor foresees which kind comes next.
            _ => {
                self.reach(token.text);
                self.slots[token.text.index()].seen = u32::MAX;
                false
            }
        }
    }

    /// Records a lookup.
    pub(crate) fn note_lookup(&mut self, name: Symbol) {
        self.track(name, LookupKind::Read);
    }

    fn track(&mut self, name: Symbol, kind: LookupKind) {
        self.reach(name);
        let slot = &mut self.slots[name.index()];
        if slot.seen < self.reading {
            let before = std::mem::replace(&mut slot.seen, self.reading);
            let found = self.fingerprint_of(name);
            let overwrites = kind == LookupKind::Overwrite;
            self.trail.push(Lookup { name, before, found, overwrites });
        }
    }

    /// The definitions of a name that was looked up, if it has any.
    pub(crate) fn get(&self, name: Symbol) -> Option<&ByPass<MacroId>> {
        let index = self.slot(name).cases.checked_sub(1)?;
        Some(&self.cases[index as usize].by_pass)
    }

    /// The definitions of a name. A lookup.
    pub(crate) fn look_up(&mut self, name: Symbol) -> &[(PassSet, MacroId)] {
        self.note_lookup(name);
        self.get(name).map_or(&[], |cases| cases.cases())
    }

    /// Defines a name for the passes of `set`.
    pub(crate) fn set(&mut self, name: Symbol, set: PassSet, id: MacroId) {
        self.note_lookup(name);
        self.state ^= self.fingerprint_of(name);
        let slot = &mut self.slots[name.index()];
        if slot.cases == 0 {
            self.named.push(name);
            slot.cases = 1 + self.free.pop().unwrap_or_else(|| {
                self.cases.push(Cases::default());
                u32::try_from(self.cases.len() - 1).expect("fewer macros than tokens")
            });
        }
        let cases = &mut self.cases[slot.cases as usize - 1];
        cases.by_pass.set(set, id);
        cases.update(name);
        self.state ^= self.fingerprint_of(name);
    }

    /// Defines a name for all passes, whatever it was.
    pub(crate) fn overwrite(&mut self, name: Symbol, all: PassSet, id: MacroId) {
        self.track(name, LookupKind::Overwrite);
        self.set(name, all, id);
    }

    /// Takes a name's definitions from the passes of `set`.
    pub(crate) fn clear(&mut self, name: Symbol, set: PassSet) {
        self.note_lookup(name);
        let Some(index) = self.slot(name).cases.checked_sub(1) else { return };
        self.state ^= self.fingerprint_of(name);
        let cases = &mut self.cases[index as usize];
        cases.by_pass.clear(set);
        cases.update(name);
        if cases.by_pass.cases().is_empty() {
            self.slots[name.index()].cases = 0;
            self.free.push(index);
        }
        self.state ^= self.fingerprint_of(name);
    }

    /// The fingerprint of the definitions of a name; 0 for none.
    pub(crate) fn fingerprint_of(&self, name: Symbol) -> u64 {
        self.slot(name).cases.checked_sub(1).map_or(0, |index| self.cases[index as usize].fingerprint)
    }

    /// The fingerprint of all definitions.
    pub(crate) fn state(&self) -> u64 {
        self.state
    }

    // ---- tracked readings ----

    /// Begins to track the lookups of a reading; [`MacroTable::end`] takes what is returned.
    pub(crate) fn begin(&mut self) -> Tracking {
        self.readings += 1;
        let around = std::mem::replace(&mut self.reading, self.readings);
        Tracking { reading: self.reading, around, from: self.trail.len() }
    }

    /// The lookups of a reading that is still open, the first of each name.
    pub(crate) fn lookups(&self, tracking: &Tracking) -> impl Iterator<Item = &Lookup> {
        self.trail[tracking.from..].iter().filter(move |look| look.before < tracking.reading)
    }

    /// Ends the tracking of a reading.
    pub(crate) fn end(&mut self, tracking: Tracking) {
        self.reading = tracking.around;
        // A name that the reading around it had looked up before is a first lookup for none of those that are open.
        let mut kept = tracking.from;
        for index in tracking.from..self.trail.len() {
            if self.trail[index].before < tracking.around {
                self.trail[kept] = self.trail[index];
                kept += 1;
            }
        }
        self.trail.truncate(kept);
    }

    /// The number of the innermost tracked reading; 0 for none.
    pub(crate) fn reading(&self) -> u32 {
        self.reading
    }

    /// Whether some reading is tracked.
    pub(crate) fn is_tracking(&self) -> bool {
        self.reading != 0
    }

    /// All names with their definitions.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Symbol, MacroId)> {
        let named = self.named.iter().map(|name| (*name, self.get(*name)));
        named.flat_map(|(name, cases)| {
            cases.map_or(&[][..], |cases| cases.cases()).iter().map(move |(_, id)| (name, *id))
        })
    }

    /// Replaces all definitions of a name by `cases`.
    pub(crate) fn redefine(&mut self, name: Symbol, cases: &[(PassSet, MacroId)]) {
        self.track(name, LookupKind::Overwrite);
        self.clear(name, PassSet(u64::MAX));
        cases.iter().for_each(|(passes, id)| self.set(name, *passes, *id));
    }
}

/// A tracked reading.
#[derive(Debug)]
pub(crate) struct Tracking {
    reading: u32,
    /// The tracked reading around it.
    around: u32,
    from: usize,
}

/// A 64-bit fingerprint of a value.
pub(crate) fn fingerprint(value: impl Hash) -> u64 {
    foldhash::quality::FixedState::default().hash_one(value)
}
