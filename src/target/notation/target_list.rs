//! A list of targets, which every notation yields.
//!
//! In: architectures and images, one after another. Out: a [`TargetList`] without repetitions, and the passes of a
//! compilation for it. Knows nothing of spellings.

use crate::target::arch::{Arch, Suffix};
use crate::target::foreign::{Foreign, Gfx};
use crate::target::image::{Image, ImageKind};
use crate::target::pass::{Pass, Passes, TooManyPasses};
use crate::target::toolkit::Toolkit;

use super::ccmap::Ccmap;

/// The information besides its text on which the meaning of a notation depends.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// The toolkit in force: it decides the meaning of `all` and the default target.
    pub toolkit: Toolkit,
    /// Returns the compute capabilities of this machine's GPUs, ten times major plus minor, ascending. Called only
    /// for `native`.
    pub devices: fn() -> Vec<u16>,
}

impl Default for Context {
    /// The default toolkit and no GPU.
    fn default() -> Context {
        Context { toolkit: Toolkit::default(), devices: Vec::new }
    }
}

/// The targets of a compilation.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct TargetList {
    /// The device passes for NVIDIA's architectures, in the compiler's order, without repetition.
    pub passes: Vec<Arch>,
    /// The embedded images, without repetition.
    pub images: Vec<Image>,
    /// AMD GPUs that are named directly. Each has a pass, after those of the architectures.
    pub foreign: Vec<Foreign>,
    /// Architectures for whose pass a [`Ccmap`] makes code for an AMD GPU instead.
    pub mapped: Vec<(Arch, Gfx)>,
}

/// The targets that could be parsed, and the errors of those that could not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ParsedTargets {
    /// The targets that could be parsed.
    pub list: TargetList,
    /// The errors, in reading order.
    pub errors: Vec<TargetError>,
}

impl ParsedTargets {
    /// The list, if there is no error.
    ///
    /// # Errors
    /// The first error.
    pub fn strict(self) -> Result<TargetList, TargetError> {
        match self.errors.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(self.list),
        }
    }
}

/// The error for a target that can't be parsed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct TargetError {
    /// The reason in lower case, with the offending word.
    pub message: String,
    /// The suggested remedy.
    pub help: String,
}

impl TargetError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> TargetError {
        TargetError { message: message.into(), help: help.into() }
    }
}

impl TargetList {
    /// Adds a pass unless it is there.
    pub(super) fn pass(&mut self, arch: Arch) {
        if !self.passes.contains(&arch) {
            self.passes.push(arch);
        }
    }

    /// Adds an image unless it is there.
    pub(super) fn image(&mut self, kind: ImageKind, arch: Arch) {
        let image = Image { kind, arch };
        if !self.images.contains(&image) {
            self.images.push(image);
        }
    }

    /// Adds the targets of another list that are missing here.
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

    /// Adds an AMD GPU unless it is there.
    pub(super) fn foreign(&mut self, one: Foreign) {
        if !self.foreign.iter().any(|known| known.gpu == one.gpu) {
            self.foreign.push(one);
        }
    }

    /// Applies a map: architectures that it maps get code for an AMD GPU and none for NVIDIA's. AMD GPUs that are
    /// named directly get the compute capability that the map has for them.
    pub fn map(&mut self, ccmap: &Ccmap) {
        let gpu = |arch: &Arch| ccmap.gpu_for(*arch).map(|gpu| (*arch, gpu));
        self.mapped = self.passes.iter().filter_map(gpu).collect();
        self.images.retain(|image| ccmap.gpu_for(image.arch).is_none());
        for one in &mut self.foreign {
            one.number = ccmap.capability_of(one.gpu).unwrap_or(one.number);
        }
    }

    /// The passes of the list, numbered.
    ///
    /// # Errors
    /// If there are more than a unit can have.
    pub fn to_passes(&self) -> Result<Passes, TooManyPasses> {
        let nvidia = self.passes.iter().map(|arch| Pass::Device(*arch));
        Passes::of(nvidia.chain(self.foreign.iter().map(|one| Pass::Foreign(*one))))
    }

    /// Whether the list has no target.
    pub fn is_empty(&self) -> bool {
        self.passes.is_empty() && self.foreign.is_empty()
    }

    /// The architectures of the list that the toolkit's nvcc refuses.
    pub fn unsupported(&self, toolkit: Toolkit) -> Vec<Arch> {
        let all = self.passes.iter().copied().chain(self.images.iter().map(|image| image.arch));
        let mapped = |arch: &Arch| self.mapped.iter().any(|(one, _)| one == arch);
        let mut refused: Vec<Arch> = all.filter(|arch| !arch.accepted_by(toolkit) && !mapped(arch)).collect();
        refused.sort_unstable();
        refused.dedup();
        refused
    }
}

/// Adds a pass and machine code for an architecture with or without suffix.
pub(super) fn real(list: &mut TargetList, arch: Arch) {
    list.pass(arch);
    list.image(ImageKind::Elf, arch);
}

/// Adds a pass and PTX.
pub(super) fn virtual_(list: &mut TargetList, arch: Arch) {
    list.pass(arch);
    list.image(ImageKind::Ptx, arch);
}

/// The baseline architecture with the same number.
pub(super) fn baseline(arch: Arch) -> Arch {
    Arch { suffix: Suffix::None, ..arch }
}
