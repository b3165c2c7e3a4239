//! Answers to questions that can't always be settled: whether a candidate is viable ([over.match.viable]), a partial
//! specialization matches ([temp.spec.partial.match]), a constraint is satisfied ([temp.constr.constr]).
//!
//! The program that is read is valid, so a question with the answer *can't tell* removes nothing: only [`Viability::No`]
//! does. There is no conversion to `bool`, so that every use says which of the three it asks for.

/// The answer to such a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub(in crate::facts) enum Viability {
    Yes,
    No,
    /// It depends on a type or a value that is not known.
    CantTell,
}

impl Viability {
    /// The answer to a question that can be settled.
    pub(in crate::facts) fn settled(answer: bool) -> Viability {
        if answer { Viability::Yes } else { Viability::No }
    }

    /// The answer where `None` is not known.
    pub(in crate::facts) fn of(answer: Option<bool>) -> Viability {
        answer.map_or(Viability::CantTell, Viability::settled)
    }

    /// The answer; `None` if it is not known.
    pub(in crate::facts) fn known(self) -> Option<bool> {
        match self {
            Viability::Yes => Some(true),
            Viability::No => Some(false),
            Viability::CantTell => None,
        }
    }

    /// Whether the answer is certainly no.
    pub(in crate::facts) fn is_ruled_out(self) -> bool {
        self == Viability::No
    }

    /// Whether the answer is certainly yes.
    pub(in crate::facts) fn is_certain(self) -> bool {
        self == Viability::Yes
    }

    /// The answer to the opposite question.
    pub(in crate::facts) fn not(self) -> Viability {
        match self {
            Viability::Yes => Viability::No,
            Viability::No => Viability::Yes,
            Viability::CantTell => Viability::CantTell,
        }
    }

    /// Whether both hold. The second question is not asked if the first is answered by no.
    pub(in crate::facts) fn and(self, other: impl FnOnce() -> Viability) -> Viability {
        match self {
            Viability::No => Viability::No,
            Viability::Yes => other(),
            Viability::CantTell => match other() {
                Viability::No => Viability::No,
                _ => Viability::CantTell,
            },
        }
    }

    /// Whether one of them holds.
    pub(in crate::facts) fn or(self, other: impl FnOnce() -> Viability) -> Viability {
        match self {
            Viability::Yes => Viability::Yes,
            Viability::No => other(),
            Viability::CantTell => match other() {
                Viability::Yes => Viability::Yes,
                _ => Viability::CantTell,
            },
        }
    }

    /// Whether all of some hold; the rest is not asked after the first no.
    pub(in crate::facts) fn all(answers: impl IntoIterator<Item = Viability>) -> Viability {
        let mut all = Viability::Yes;
        for answer in answers {
            all = all.and(|| answer);
            if all.is_ruled_out() {
                break;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::Viability::{CantTell, No, Yes};
    use super::*;

    #[test]
    fn the_connectives_are_those_of_three_valued_logic() {
        let all = [Yes, No, CantTell];
        let table = |join: fn(Viability, Viability) -> Viability| all.map(|a| all.map(|b| join(a, b)));
        assert_eq!(table(|a, b| a.and(|| b)), [[Yes, No, CantTell], [No, No, No], [CantTell, No, CantTell]]);
        assert_eq!(
            table(|a, b| a.or(|| b)),
            [[Yes, Yes, Yes], [Yes, No, CantTell], [Yes, CantTell, CantTell]]
        );
        assert_eq!(all.map(Viability::not), [No, Yes, CantTell]);
        assert_eq!([Viability::of(None), Viability::of(Some(false))], [CantTell, No]);
        assert_eq!(Viability::all([CantTell, Yes]), CantTell);
        assert_eq!(Viability::all([CantTell, No, Yes]), No);
    }
}
