//! What a source is compiled for: architectures, passes, sets of passes, and what each pass predefines.
//!
//! In: target names as users and build systems write them. Out: [`Passes`], the numbered passes of
//! a unit, and [`PassSet`] and [`ByPass`], in which every later stage expresses what differs.
//! Knows nothing of files or tokens.

mod arch;
mod host;
mod pass;
mod predefined;
mod toolkit;

pub use arch::{ALL, Arch, Suffix, TargetError, parse_arch_list};
pub use host::{Family, HostCompiler, Machine, Standard, UnknownStandard, Year, family_of};
pub use pass::{ByPass, Pass, PassSet, Passes, TooManyPasses};
pub use predefined::{CudaCompiler, Options, Predefined, predefined};
pub use toolkit::{Toolkit, UnknownToolkit};
