//! The kernels and variables that an image defines.

/// The kernels and variables of an image with the names that the host registers them by, in any order. Of two with one
/// name the latter counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::artifact) struct Contents {
    /// The kernels.
    pub(in crate::artifact) kernels: Vec<(String, Kernel)>,
    /// Device and constant variables, textures and surfaces.
    pub(in crate::artifact) variables: Vec<(String, Variable)>,
}

/// A kernel of an image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kernel {
    /// Its parameters in order; `None` where the image does not say.
    pub parameters: Option<Vec<Parameter>>,
    /// Its launch bounds.
    pub bounds: Bounds,
    /// Static shared memory in bytes, the 1024 that are reserved from sm_90 on included; `None` for PTX, which leaves
    /// that to its compiler.
    pub shared: Option<u64>,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Bytes from the start of the parameters.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// `__launch_bounds__` and its kin, as far as an image states them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The most threads a block may have in each dimension.
    pub most_threads: Option<[u32; 3]>,
    /// The threads that a block must have in each dimension.
    pub required_threads: Option<[u32; 3]>,
}

/// A variable of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The memory it is in.
    pub kind: VariableKind,
    /// Bytes; 0 for textures and surfaces.
    pub size: u64,
}

/// The memory that a variable is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VariableKind {
    /// `__device__` and `__managed__`.
    Device,
    /// `__constant__`.
    Constant,
    /// A texture or surface reference, which CUDA had until 11.
    Texture,
}
