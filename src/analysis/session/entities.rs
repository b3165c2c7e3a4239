//! The kernels and device variables of a unit that passes may see differently, as facts about them.

use crate::facts::{InstantiationFact, SignedFact, UnitFacts};

/// The kernels, kernel templates and device variables of a unit that passes may see differently.
#[derive(Clone, Debug, Default)]
pub(super) struct Entities {
    pub(super) signed: Vec<SignedFact>,
    pub(super) instantiations: Vec<InstantiationFact>,
}

impl Entities {
    pub(super) fn of(facts: UnitFacts) -> Entities {
        let signed = facts.kernels.into_iter().chain(facts.variables).collect();
        Entities { signed, instantiations: facts.instantiations }
    }
}
