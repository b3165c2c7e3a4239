//! The targets of a compilation: architectures, passes, sets of passes, and the predefined macros of each pass.
//!
//! In: target names as users and build systems write them ([`notation`]). Out: [`Passes`], the numbered passes of a
//! unit, and the types [`PassSet`] and [`ByPass`], in which all later stages express differences between passes.
//! Knows nothing about sources or tokens.

mod toolkit;
mod arch;
mod foreign;
mod image;
mod pass;
mod host;
mod own_macros;
mod predefined;
mod ptx;
pub mod notation;
mod audit;
mod virtual_package;

pub use arch::{Arch, Isa, Suffix};
pub use audit::{Fault, gap, mismatch, missing_ptx, only_suffixed, unsupported};
pub use foreign::{Foreign, Gfx};
pub use host::{Family, HostCompiler, Machine, Standard, UnknownStandard, Year, family_of};
pub use image::{Image, ImageKind};
pub use notation::{ALL, Context, TargetError, TargetList, parse_arch_list};
pub use own_macros::{is_own_macro, is_reserved, meant_macro};
pub use pass::{ByPass, Pass, PassSet, Passes, TooManyPasses};
pub use predefined::{CudaCompiler, Options, Predefined, predefined};
pub use ptx::{Instruction, Needed, instructions, intrinsics, needed, needed_by_call};
pub use toolkit::{Release, Toolkit, UnknownToolkit};
pub use virtual_package::{Environment, VirtualPackage, cuda_arch_package};
