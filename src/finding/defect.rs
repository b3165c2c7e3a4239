//! The defect behind a finding, as data for fixes. Messages are for people; the program never reads them back.

use crate::source::Span;
use crate::target::{Arch, PassSet};

/// A kind of defect, with the data that a fix needs beyond the places of the finding.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Defect {
    /// A kernel or device variable has different types in different passes.
    TypeDiffers,
    /// Some pass does not define a kernel.
    KernelMissing,
    /// Some pass does not instantiate a kernel template as the host does.
    InstantiationMissing {
        /// Where the template is declared.
        template: Span,
        /// The host's instantiation as C++ spells it, without its scope: `scale<float>`.
        host: String,
        /// The host's further instantiations of which the same is to be said, spelled likewise.
        further: Vec<String>,
        /// The instantiations that other passes have in its place, spelled likewise.
        instead: Vec<String>,
    },
    /// A target lacks an instruction of inline PTX.
    InstructionMissing {
        /// The narrowest targets that have it: the first baseline, or those with a suffix.
        narrowest: Vec<Arch>,
        /// The passes that reach it and lack it.
        lacking: PassSet,
    },
    /// A target lacks the instruction behind a function of the toolkit.
    IntrinsicMissing {
        /// The passes that reach it and lack it.
        lacking: PassSet,
    },
    /// A condition reads a misspelt macro, at the place of the finding.
    Misspelt {
        /// The name that is meant.
        meant: String,
    },
    /// A conditional keeps code from the host that only the host could run.
    HostCodeLost,
    /// The host answers a comparison as no GPU does. Any edit that changes its answer takes code from it.
    HostAnswer,
    /// A pass compiles what it can't have: a function of the device in the host's. Taking a guard away compiles it in
    /// further passes.
    Uncompilable,
    /// A target lacks a kernel that is looked up by its name when the program runs. One that does nothing in its place would
    /// be found.
    LoadedKernelMissing,
    /// Any other. Its fixes need only the source text around the places.
    Other,
}

impl Defect {
    /// The place in it, if it has one.
    pub(super) fn place_mut(&mut self) -> Option<&mut Span> {
        match self {
            Defect::InstantiationMissing { template, .. } => Some(template),
            Defect::TypeDiffers
            | Defect::KernelMissing
            | Defect::InstructionMissing { .. }
            | Defect::IntrinsicMissing { .. }
            | Defect::Misspelt { .. }
            | Defect::HostCodeLost
            | Defect::HostAnswer
            | Defect::Uncompilable
            | Defect::LoadedKernelMissing
            | Defect::Other => None,
        }
    }
}
