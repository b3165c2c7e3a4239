//! Artifacts of a build: fat binaries inside objects, libraries, executables and packages.
//!
//! In: paths. Out: [`Artifact`]s, each a file that holds device code, with its [`Module`]s, the images of each, and
//! in every image the kernels and variables; and the names that the host registers. Knows nothing of rules or
//! sources.
//!
//! Nothing of a file is believed: every offset and size is checked against what there is, nothing is allocated for a
//! size that only a header claims, and what is malformed gives an error with its offset while the rest is read.
//! Files are read at positions instead of mapped: a mapping is unsafe in Rust, since another process may cut the
//! file short under it. Images are decompressed one at a time for each thread.

mod error;
mod bytes;
mod names;
mod device;
mod host;
mod stubs;
mod module;
mod shadows;
mod uses;
mod binary;
mod container;
mod read;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod hostile;

pub use device::{Bounds, Kernel, Parameter, Variable, VariableKind};
pub use error::Unread;
pub use module::{Image, Linkage, Module, Table};
pub use names::{Brackets, function, is_instance, parameters, plain, readable};
pub use read::{Artifact, Bound, Read, read, read_bytes};
pub use stubs::Stubs;
pub use uses::Uses;
