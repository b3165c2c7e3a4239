//! A module: the images of one fatbin, which the driver loads one of, and what they define.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::target::{Arch, ImageKind, Suffix};

use super::device::{Contents, Fatbin, Kernel, Variable};
use super::error::Malformed;

/// How the code of a module came to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Linkage {
    /// From one translation unit, or from several that a device linker made one of.
    Complete,
    /// From one translation unit for separate compilation, before the device linker has seen it.
    Relocatable,
}

/// A fatbin, or a cubin or PTX file that stands by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// Bytes from the start of the file.
    pub offset: u64,
    /// How its code came to be.
    pub linkage: Linkage,
    /// Its images, in their order.
    pub images: Vec<Image>,
    /// Its kernels.
    pub kernels: Table<Kernel>,
    /// Its variables, textures and surfaces.
    pub variables: Table<Variable>,
}

/// By name, the entity of that name in each image.
pub type Table<T> = BTreeMap<Arc<str>, Vec<Option<T>>>;

/// An image of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// Its form.
    pub kind: ImageKind,
    /// The architecture that it was made for.
    pub arch: Arch,
    /// It could be read. Of others nothing is known.
    pub read: bool,
    /// Bytes of it as it is stored.
    pub stored: u64,
    /// Bytes of it when it is decompressed.
    pub size: u64,
}

impl Image {
    /// As a list of targets has it.
    pub fn target(&self) -> crate::target::Image {
        crate::target::Image { kind: self.kind, arch: self.arch }
    }
}

impl Module {
    /// The image that each GPU runs, by compute capability times ten; a GPU that can run none is left out. The driver
    /// takes machine code before PTX, and of several the one that is made for the most.
    pub fn by_gpu(&self) -> BTreeMap<u16, usize> {
        let gpus = Arch::known().filter(|arch| arch.suffix == Suffix::None).map(|arch| arch.number);
        let best = |gpu: u16| {
            let images = self.images.iter().enumerate().filter(|(_, image)| image.read);
            let running = images.filter(|(_, image)| image.target().runs_on(gpu));
            let best = running.max_by_key(|(_, image)| {
                (image.kind == ImageKind::Elf, image.arch.number, image.arch.suffix)
            });
            best.map(|(index, _)| (gpu, index))
        };
        gpus.filter_map(best).collect()
    }

    /// The module of the fatbin at an offset, of which each image's contents were read or why not, and what was
    /// malformed. `contents` has as many as there are images.
    pub(super) fn of_fatbin(
        offset: u64,
        fatbin: &Fatbin,
        linkage: Linkage,
        contents: Vec<Result<Contents, Malformed>>,
    ) -> (Module, Vec<Malformed>) {
        let mut problems = Vec::new();
        let mut images = Vec::with_capacity(contents.len());
        let (mut kernels, mut variables) = (Rows::of(contents.len()), Rows::of(contents.len()));
        for (entry, contents) in fatbin.entries.iter().zip(contents) {
            images.push(Image {
                kind: entry.kind,
                arch: entry.arch,
                read: contents.is_ok(),
                stored: entry.stored,
                size: entry.size,
            });
            match contents {
                Ok(contents) => {
                    kernels.enter(contents.kernels, images.len() - 1);
                    variables.enter(contents.variables, images.len() - 1);
                }
                Err(problem) => problems.push(problem),
            }
        }
        let (kernels, variables) = (kernels.table(), variables.table());
        (Module { offset, linkage, images, kernels, variables }, problems)
    }

    /// A file that is one image.
    pub(super) fn of_image(image: Image, contents: Contents) -> Module {
        let (mut kernels, mut variables) = (Rows::of(1), Rows::of(1));
        kernels.enter(contents.kernels, 0);
        variables.enter(contents.variables, 0);
        let (kernels, variables) = (kernels.table(), variables.table());
        Module { offset: 0, linkage: Linkage::Complete, images: vec![image], kernels, variables }
    }
}

/// The rows of a table on their way. Nearly every name is in every image, and the beginnings of names are alike: names are
/// copied once, and compared with others when all images have been entered.
struct Rows<T> {
    rows: HashMap<Arc<str>, Vec<Option<T>>, RandomState>,
    images: usize,
}

impl<T> Rows<T> {
    fn of(images: usize) -> Rows<T> {
        Rows { rows: HashMap::default(), images }
    }

    fn enter(&mut self, contents: Vec<(String, T)>, image: usize) {
        for (name, one) in contents {
            if let Some(row) = self.rows.get_mut(name.as_str()) {
                row[image] = Some(one);
                continue;
            }
            let mut row = Vec::with_capacity(self.images);
            row.resize_with(self.images, || None);
            row[image] = Some(one);
            self.rows.insert(Arc::from(name), row);
        }
    }

    fn table(self) -> Table<T> {
        self.rows.into_iter().collect()
    }
}
