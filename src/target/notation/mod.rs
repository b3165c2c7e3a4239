//! The notations in which people and build systems name targets, a file each.
//!
//! In: the text. Out: a [`TargetList`], the device passes and what is embedded for which GPUs. Every
//! notation refuses a name that it does not have with a [`TargetError`] that holds the name and the
//! nearest one that it has.

mod ccmap;
mod clang;
mod cmake;
mod conda;
mod list;
mod nearest;
mod nvcc;
mod torch;

use super::arch::{Arch, Suffix};
use super::foreign::{Foreign, Gfx};
use super::image::{Image, ImageKind};
use super::pass::{Pass, Passes, TooManyPasses};
use super::toolkit::Toolkit;

pub use ccmap::{Ccmap, CcmapError, Search, VARIABLE, compiler_search, find, library_search};
pub use clang::{ClangOptions, clang_option, read_clang};
pub use cmake::read_cmake;
pub use conda::{ArchBound, read_conda, unread_bound};
pub use list::{ALL, parse_arch_list, read_list};
pub use nvcc::{NvccOption, NvccOptions, nvcc_target_option, read_nvcc};
pub use torch::read_torch;

/// What a notation depends on beside its text.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The toolkit in force: what `all` means, and what is compiled for when nothing is named.
    pub toolkit: Toolkit,
    /// Gives the compute capabilities of the GPUs in this machine, ten times major plus minor, ascending;
    /// asked only for `native`.
    pub devices: fn() -> Vec<u16>,
}

impl Default for Context {
    /// The default toolkit, and no GPU.
    fn default() -> Context {
        Context { toolkit: Toolkit::default(), devices: Vec::new }
    }
}

/// The targets that something is compiled for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetList {
    /// The device passes for NVIDIA's architectures in the compiler's order, each once.
    pub passes: Vec<Arch>,
    /// What is embedded, each image once.
    pub images: Vec<Image>,
    /// GPUs that are not NVIDIA's and were named themselves; each has a pass, behind the others'.
    pub foreign: Vec<Foreign>,
    /// Passes that a [`Ccmap`] makes code for another GPU of.
    pub mapped: Vec<(Arch, Gfx)>,
}

/// What was read, as far as it could be, and what could not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reading {
    /// The targets.
    pub list: TargetList,
    /// What is wrong, in reading order.
    pub errors: Vec<TargetError>,
}

impl Reading {
    /// The list, if nothing is wrong with it.
    ///
    /// # Errors
    /// The first thing that is.
    pub fn strict(self) -> Result<TargetList, TargetError> {
        match self.errors.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.list),
        }
    }
}

/// A target that can't be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TargetError {
    /// What is wrong, lower case, with the word that is.
    pub message: String,
    /// The next thing to try.
    pub help: String,
}

impl TargetError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> TargetError {
        TargetError { message: message.into(), help: help.into() }
    }
}

impl TargetList {
    /// Adds a pass that is not there yet.
    fn pass(&mut self, arch: Arch) {
        if !self.passes.contains(&arch) {
            self.passes.push(arch);
        }
    }

    /// Adds an image that is not there yet.
    fn image(&mut self, kind: ImageKind, arch: Arch) {
        let image = Image { kind, arch };
        if !self.images.contains(&image) {
            self.images.push(image);
        }
    }

    /// Adds what another list has beyond this one.
    pub fn extend(&mut self, other: &TargetList) {
        other.passes.iter().for_each(|arch| self.pass(*arch));
        other.images.iter().for_each(|image| self.image(image.kind, image.arch));
        for one in &other.mapped {
            if !self.mapped.contains(one) {
                self.mapped.push(*one);
            }
        }
        other.foreign.iter().for_each(|one| self.foreign(*one));
    }

    /// Adds a GPU that is not there yet.
    fn foreign(&mut self, one: Foreign) {
        if !self.foreign.iter().any(|known| known.gpu == one.gpu) {
            self.foreign.push(one);
        }
    }

    /// Compiles for the GPUs of a map where it has one: those passes have nothing for NVIDIA's. GPUs that are named
    /// themselves get the compute capability that it has for them.
    pub fn map(&mut self, ccmap: &Ccmap) {
        let gpu = |arch: &Arch| ccmap.gpu_for(*arch).map(|gpu| (*arch, gpu));
        self.mapped = self.passes.iter().filter_map(gpu).collect();
        self.images.retain(|image| ccmap.gpu_for(image.arch).is_none());
        for one in &mut self.foreign {
            one.number = ccmap.capability_of(one.gpu).unwrap_or(one.number);
        }
    }

    /// The passes it makes.
    ///
    /// # Errors
    /// When there are more than a unit can have.
    pub fn to_passes(&self) -> Result<Passes, TooManyPasses> {
        let nvidia = self.passes.iter().map(|arch| Pass::Device(*arch));
        Passes::of(nvidia.chain(self.foreign.iter().map(|one| Pass::Foreign(*one))))
    }

    /// There is no target in it.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty() && self.foreign.is_empty()
    }

    /// The architectures it names that nvcc of a toolkit refuses.
    pub fn unsupported(&self, toolkit: Toolkit) -> Vec<Arch> {
        let all = self.passes.iter().copied().chain(self.images.iter().map(|image| image.arch));
        let mapped = |arch: &Arch| self.mapped.iter().any(|(one, _)| one == arch);
        let mut refused: Vec<Arch> = all.filter(|arch| !arch.accepted_by(toolkit) && !mapped(arch)).collect();
        refused.sort_unstable();
        refused.dedup();
        refused
    }
}

/// A pass and machine code for a suffixed or baseline architecture.
fn real(list: &mut TargetList, arch: Arch) {
    list.pass(arch);
    list.image(ImageKind::Elf, arch);
}

/// A pass and PTX.
fn virtual_(list: &mut TargetList, arch: Arch) {
    list.pass(arch);
    list.image(ImageKind::Ptx, arch);
}

/// The baseline architecture with the same number.
fn baseline(arch: Arch) -> Arch {
    Arch { suffix: Suffix::None, ..arch }
}
