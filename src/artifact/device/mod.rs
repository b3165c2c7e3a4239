//! Device code: fat binaries and the images in them.
//!
//! In: the bytes of a fatbin, a cubin or PTX. Out: [`Contents`], what an image defines. Reads what the driver looks at
//! and never an instruction.

mod contents;
mod pieces;
mod cubin;
mod ptx;
mod decompress;
mod fatbin;

pub(super) use contents::Contents;
pub use contents::{Bounds, Kernel, Parameter, Variable, VariableKind};
#[cfg(test)]
pub(super) use cubin::read_cubin;
pub(super) use fatbin::{Entry, Fatbin, MAGIC, ScratchPool, read_fatbin, read_stored_cubin};
#[cfg(test)]
pub(super) use fatbin::{Scratch, read_image};
pub(super) use ptx::read_ptx;
