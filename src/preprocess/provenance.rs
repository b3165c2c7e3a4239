//! Why a token exists in the passes it exists in: the conditional that decides, and the chain of
//! macros from there back to `__CUDA_ARCH__`.

use crate::source::Span;
use crate::target::PassSet;

use super::tokens::{GroupId, PpToken, Preprocessed};

/// One step of a derivation, from a conditional back to a macro that nvcc predefines by pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The directive or definition, as written on one line: `#define FP16_AVAILABLE`,
    /// `#if __CUDA_ARCH__ >= 700`; `__CUDA_ARCH__` itself for the last step.
    pub text: String,
    /// Where it stands; `None` for a macro nvcc predefines.
    pub at: Option<Span>,
    /// The passes in which it is defined or entered.
    pub passes: PassSet,
}

impl Preprocessed {
    /// The group whose condition keeps `token` from some of `among`, if one does: the innermost
    /// one around the token's own place, else around the definition of a macro it came through.
    pub fn deciding_group(&self, token: &PpToken, among: PassSet) -> Option<GroupId> {
        let _ = (token, among);
        None
    }

    /// The chain from a group's condition back to the predefined macro it depends on, the group's
    /// own directive first.
    pub fn derivation(&self, group: GroupId) -> Vec<Step> {
        let _ = group;
        Vec::new()
    }
}
