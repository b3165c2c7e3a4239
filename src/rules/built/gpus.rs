//! Which image of a module each GPU runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::artifact::Module;
use crate::target::{Arch, ImageKind, PassSet, Passes};

/// A module's architectures as passes, and the images that count of each.
pub(super) struct Gpus {
    /// The host, then the architectures of the images, each once.
    pub(super) passes: Arc<Passes>,
    /// By pass number less one: the indices of its images that could be read.
    images: Vec<Vec<usize>>,
    /// The image that each GPU runs, by compute capability times ten.
    by_gpu: BTreeMap<u16, usize>,
}

impl Gpus {
    /// `None` for a module without images that could be read.
    pub(super) fn of(module: &Module) -> Option<Gpus> {
        let code = |index: &usize| module.images[*index].read && module.images[*index].kind != ImageKind::Lto;
        let all: Vec<usize> = (0..module.images.len()).filter(code).collect();
        let mut archs: Vec<Arch> = Vec::new();
        let mut images: Vec<Vec<usize>> = Vec::new();
        for index in &all {
            let arch = module.images[*index].arch;
            match archs.iter().position(|one| *one == arch) {
                Some(at) => images[at].push(*index),
                None => {
                    archs.push(arch);
                    images.push(vec![*index]);
                }
            }
        }
        if all.is_empty() {
            return None;
        }
        let passes = Arc::new(Passes::new(&archs).ok()?);
        Some(Gpus { passes, images, by_gpu: module.by_gpu() })
    }

    /// The passes of which `has` accepts some image.
    pub(super) fn passes_with(&self, has: impl Fn(usize) -> bool) -> PassSet {
        let some = |images: &Vec<usize>| images.iter().any(|index| has(*index));
        let with = self.images.iter().enumerate().filter(|(_, images)| some(images));
        with.fold(PassSet::EMPTY, |set, (number, _)| set.or(PassSet::single(number + 1)))
    }

    /// The images of each pass, by its number.
    pub(super) fn images(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.images.iter().enumerate().map(|(number, images)| (number + 1, images.as_slice()))
    }

    /// The GPUs that run an image which `wanted` accepts, as `7.0 (Volta)`.
    pub(super) fn that_run(&self, wanted: impl Fn(usize) -> bool) -> Vec<String> {
        let running = self.by_gpu.iter().filter(|(_, index)| wanted(**index)).map(|(device, _)| *device);
        running
            .map(|device| format!("{} ({})", Arch::plain(device).capability(), Arch::plain(device).gpus()))
            .collect()
    }
}
