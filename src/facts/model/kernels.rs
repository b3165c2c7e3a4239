//! The kernels that a unit instantiates, and the places where the analysis can't tell which they are.

use std::fmt;

use crate::source::Span;
use crate::target::PassSet;

use super::unit::Site;

/// The kernels of a unit, whether or not the passes differ in them.
#[derive(Debug, Default)]
pub struct KernelList {
    /// The passes that were compared: those that met no `#error`.
    pub compared: PassSet,
    /// Kernels that are no templates and that some pass defines, and instantiations of kernel templates; by name.
    pub kernels: Vec<ListedKernel>,
    /// Where the list may lack a kernel or have one too many, by place.
    pub blind_spots: Vec<BlindSpot>,
}

/// A kernel, or an instantiation of a kernel template.
#[derive(Debug)]
pub struct ListedKernel {
    /// The qualified name, without template arguments.
    pub name: String,
    /// The name with template arguments: `scale<float>`.
    pub shown: String,
    /// The types of its parameters after substitution: `(float *, int)`.
    pub parameters: String,
    /// The passes that have it.
    pub passes: PassSet,
    /// Every template argument was resolved.
    pub sure: bool,
    /// Where it is declared.
    pub declared: Span,
    /// The mentions that instantiate it; none for a kernel that is no template.
    pub sites: Vec<Site>,
}

/// A place where the analysis can't tell which kernels are instantiated.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// Why the analysis can't tell which kernels a mention instantiates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BlindSpotCause {
    /// Nothing that was read declares the name. A header that was not found may.
    Undeclared,
    /// The class of the object whose member is called is not known.
    UnknownObject,
    /// None of the functions with the name seems to take the arguments.
    NoViableFunction,
    /// A template argument of the kernel could not be evaluated.
    UnknownArgument,
    /// The mention is in a function that nothing which was followed instantiates, though its name is mentioned.
    Unreached,
}

impl fmt::Display for BlindSpotCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BlindSpotCause::Undeclared => "nothing that was read declares it",
            BlindSpotCause::UnknownObject => "the class of the object is not known",
            BlindSpotCause::NoViableFunction => "no function of that name seems to take the arguments",
            BlindSpotCause::UnknownArgument => "a template argument could not be evaluated",
            BlindSpotCause::Unreached => "nothing that was followed instantiates the function around it",
        })
    }
}
