//! The places where the analysis can't tell which kernels are instantiated.

use std::fmt;

use crate::source::Span;
use crate::target::PassSet;

/// A place where the analysis can't tell which kernels are instantiated.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct BlindSpot {
    /// The mention of a name through which a kernel template can be reached.
    pub at: Span,
    /// The name, as written.
    pub name: String,
    /// The passes in which it can't be told.
    pub passes: PassSet,
    /// Why.
    pub why: BlindSpotCause,
    /// It may make the passes differ, so that silence about the unit is no claim.
    pub varies: bool,
}

impl BlindSpot {
    /// What it means for the result: one sentence in lower case without a full stop.
    pub fn message(&self) -> String {
        let open = match (self.varies, self.why) {
            (_, BlindSpotCause::TooDeep) => "whether it is the same in every pass is not known",
            (true, _) => "whether it instantiates the same in every pass is not known",
            (false, _) => "what it instantiates is not known",
        };
        format!("`{}`: {open}, since {}", self.name, self.why)
    }
}

/// Why the analysis can't tell which kernels a mention instantiates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum BlindSpotCause {
    /// Nothing that was read declares the name. A header that was not found may.
    Undeclared,
    /// The class of the object whose member is called is not known.
    UnknownObject,
    /// None of the functions with the name seems to take the arguments.
    NoViableFunction,
    /// It can't be told which of many functions with the name is called.
    SeveralFunctions,
    /// A template argument of the kernel could not be evaluated.
    UnknownArgument,
    /// It was followed within itself, with template arguments that are not known, and not again.
    WithinItself,
    /// Its type goes deeper than the analysis follows.
    TooDeep,
    /// The mention is in a function that nothing which was followed instantiates, though its name is mentioned.
    Unreached,
    /// It is named in the arguments of a macro at namespace scope that was not expanded. A header that was not found may
    /// define the macro.
    Unexpanded,
}

impl fmt::Display for BlindSpotCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BlindSpotCause::Undeclared => "nothing that was read declares it",
            BlindSpotCause::UnknownObject => "the class of the object is not known",
            BlindSpotCause::NoViableFunction => "no function of that name seems to take the arguments",
            BlindSpotCause::SeveralFunctions => "it can't be told which of many functions is called",
            BlindSpotCause::UnknownArgument => "a template argument could not be evaluated",
            BlindSpotCause::WithinItself => "it needs itself with template arguments that are not known",
            BlindSpotCause::TooDeep => "its type goes deeper than the analysis follows",
            BlindSpotCause::Unreached => "nothing that was followed instantiates the function around it",
            BlindSpotCause::Unexpanded => "nothing that was read defines the macro around it",
        })
    }
}
