//! The notations in which people and build systems name targets, one file each.
//!
//! In: the text. Out: a [`TargetList`], which has the device passes and the images that are embedded for GPUs. A
//! name that a notation does not have is a [`TargetError`], which suggests the nearest name that it has.

mod ccmap;
mod target_list;
mod nearest;
mod nvcc;
mod clang;
mod cmake;
mod torch;
mod conda;
mod list;

pub use ccmap::{Ccmap, CcmapError, Search, VARIABLE, compiler_search, find, library_search};
pub use clang::{ClangOptions, clang_option, read_clang};
pub use cmake::read_cmake;
pub use conda::{ArchBound, read_conda, unread_bound};
pub use list::{ALL, parse_arch_list, read_list};
pub use nvcc::{NvccOption, NvccOptions, nvcc_target_option, read_nvcc};
pub use target_list::{Context, ParsedTargets, TargetError, TargetList};
pub use torch::read_torch;

use target_list::{baseline, real, virtual_};
