//! The kernels that a unit instantiates, whether or not the passes differ in them.

use crate::preprocess::Missing;
use crate::source::Span;
use crate::target::PassSet;

use super::blind_spot::BlindSpot;
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
    /// The headers that were not found: what they declare and the kernels that they instantiate themselves are not in the list.
    pub missing: Vec<Missing>,
    /// Why something of the unit was not analysed, so that any kernel may be missing.
    pub incomplete: Option<String>,
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
