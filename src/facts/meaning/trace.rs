//! What an answer depends on: the varying declarations that decide it, whether it is a guess, and the passes in which all
//! that was looked at for it is the same, so that these share the answer.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::answers::Item;
use crate::target::PassSet;

/// What an answer depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) struct Trace {
    /// The varying top-level declarations, as one of the [`TraceSets`].
    declarations: SetNumber,
    /// A question was not settled ([`super::viability`]): the answer is a guess.
    unsettled: bool,
    /// The same for other units, if they take over answers of this one. It is that of a whole answer only: what is being
    /// looked at is recorded by [`Dependencies`](super::dependencies::Dependencies).
    pub(super) on: Item,
    /// The passes in which every declaration that was looked at, or looked for, is the same. **Invariant:** what a pass
    /// can tell from another is read through [`View`](super::view::View), which takes the passes out that read something
    /// else.
    pub(super) alike: PassSet,
}

impl Trace {
    /// That of an answer that depends on nothing.
    pub(in crate::facts) const NOTHING: Trace =
        Trace { declarations: SetNumber(0), unsettled: false, on: Item::NOTHING, alike: PassSet::EVERY };

    /// The same, whichever passes share it.
    pub(in crate::facts) fn of_any_pass(self) -> Trace {
        Trace { alike: PassSet::EVERY, ..self }
    }

    /// Whether two traces, of any passes, have the same declarations and are both guesses or not.
    pub(in crate::facts) fn agrees(self, other: Trace) -> bool {
        (self.declarations, self.unsettled) == (other.declarations, other.unsettled)
    }

    /// Whether the answer is a guess.
    pub(super) fn is_unsettled(self) -> bool {
        self.unsettled
    }

    /// The same of an answer that is a guess, or is none.
    pub(super) fn unsettled(self, unsettled: bool) -> Trace {
        Trace { unsettled, ..self }
    }

    /// The same of an answer that depends on something for other units.
    pub(super) fn on(self, on: Item) -> Trace {
        Trace { on, ..self }
    }

    /// The same, but that only some passes share the answer.
    pub(super) fn among(self, passes: PassSet) -> Trace {
        Trace { alike: self.alike.and(passes), ..self }
    }
}

/// The number of a set of declarations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct SetNumber(u32);

/// The sets of declarations in traces, each kept once, and their unions.
pub(super) struct TraceSets(RefCell<Sets>);

struct Sets {
    /// Each set in ascending order; the first is empty.
    sets: Vec<Rc<[usize]>>,
    numbers: FxHashMap<Rc<[usize]>, SetNumber>,
    unions: FxHashMap<(SetNumber, SetNumber), SetNumber>,
}

impl Default for TraceSets {
    fn default() -> TraceSets {
        let empty: Rc<[usize]> = Rc::default();
        let numbers = [(empty.clone(), SetNumber(0))].into_iter().collect();
        TraceSets(RefCell::new(Sets { sets: vec![empty], numbers, unions: FxHashMap::default() }))
    }
}

impl TraceSets {
    /// What two answers depend on.
    pub(super) fn joined(&self, one: Trace, other: Trace) -> Trace {
        Trace {
            declarations: self.0.borrow_mut().union(one.declarations, other.declarations),
            unsettled: one.unsettled || other.unsettled,
            on: Item::NOTHING,
            alike: one.alike.and(other.alike),
        }
    }

    /// The trace with one more declaration.
    pub(super) fn with(&self, trace: Trace, declaration: usize) -> Trace {
        let mut sets = self.0.borrow_mut();
        let one = sets.number(&[declaration]);
        Trace { declarations: sets.union(trace.declarations, one), ..trace }
    }

    /// The declarations of a trace, ascending.
    pub(super) fn declarations(&self, trace: Trace) -> Rc<[usize]> {
        self.0.borrow().sets[trace.declarations.0 as usize].clone()
    }
}

impl Sets {
    fn number(&mut self, set: &[usize]) -> SetNumber {
        if let Some(known) = self.numbers.get(set) {
            return *known;
        }
        let number = SetNumber(u32::try_from(self.sets.len()).expect("sets are numbered by u32"));
        let set: Rc<[usize]> = set.into();
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    fn union(&mut self, one: SetNumber, other: SetNumber) -> SetNumber {
        let (lower, higher) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        if lower == higher || lower.0 == 0 {
            return higher;
        }
        if let Some(known) = self.unions.get(&(lower, higher)) {
            return *known;
        }
        let mut all = [&*self.sets[lower.0 as usize], &*self.sets[higher.0 as usize]].concat();
        all.sort_unstable();
        all.dedup();
        let union = self.number(&all);
        self.unions.insert((lower, higher), union);
        union
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_joined_by_their_declarations_and_passes() {
        let sets = TraceSets::default();
        let one = sets.with(sets.with(Trace::NOTHING, 7), 3).among(PassSet(0b011));
        let other = sets.with(Trace::NOTHING, 7).among(PassSet(0b110)).unsettled(true);
        let both = sets.joined(one, other);
        assert_eq!(
            (&*sets.declarations(both), both.unsettled, both.alike),
            (&[3, 7][..], true, PassSet(0b010))
        );
        assert_eq!(sets.joined(both, one).declarations, one.declarations);
        assert_eq!(sets.joined(Trace::NOTHING, other), other);
        assert!(sets.declarations(Trace::NOTHING).is_empty());
    }
}
