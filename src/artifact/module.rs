//! A module: the images of one fatbin, which the driver loads one of, and what they define.

use std::collections::BTreeMap;
use std::sync::Arc;

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
    /// malformed.
    pub(super) fn of_fatbin(
        offset: u64,
        fatbin: &Fatbin,
        linkage: Linkage,
        contents: impl Iterator<Item = Result<Contents, Malformed>>,
    ) -> (Module, Vec<Malformed>) {
        let mut problems = Vec::new();
        let mut module = Module::empty(offset, linkage);
        for (entry, contents) in fatbin.entries.iter().zip(contents) {
            let image = Image {
                kind: entry.kind,
                arch: entry.arch,
                read: contents.is_ok(),
                stored: entry.stored,
                size: entry.size,
            };
            module.add(
                image,
                contents.unwrap_or_else(|problem| {
                    problems.push(problem);
                    Contents::default()
                }),
            );
        }
        module.close();
        (module, problems)
    }

    /// A file that is one image.
    pub(super) fn of_image(image: Image, contents: Contents) -> Module {
        let mut module = Module::empty(0, Linkage::Complete);
        module.add(image, contents);
        module
    }

    fn empty(offset: u64, linkage: Linkage) -> Module {
        Module { offset, linkage, images: Vec::new(), kernels: Table::new(), variables: Table::new() }
    }

    fn add(&mut self, image: Image, contents: Contents) {
        let index = self.images.len();
        self.images.push(image);
        enter(&mut self.kernels, contents.kernels, index);
        enter(&mut self.variables, contents.variables, index);
    }

    /// Gives every row a place for every image.
    fn close(&mut self) {
        let len = self.images.len();
        self.kernels.values_mut().for_each(|row| row.resize_with(len, || None));
        self.variables.values_mut().for_each(|row| row.resize_with(len, || None));
    }
}

fn enter<T>(table: &mut Table<T>, contents: BTreeMap<String, T>, index: usize) {
    // Nearly every name is in every image: both are gone through in their order, and names are copied once.
    let mut rows = table.iter_mut().peekable();
    let mut new = Vec::new();
    for (name, one) in contents {
        while rows.next_if(|(known, _)| ***known < *name).is_some() {}
        match rows.next_if(|(known, _)| ***known == *name) {
            Some((_, row)) => {
                row.resize_with(index, || None);
                row.push(Some(one));
            }
            None => new.push((name, one)),
        }
    }
    for (name, one) in new {
        let mut row = Vec::with_capacity(index + 1);
        row.resize_with(index, || None);
        row.push(Some(one));
        table.insert(Arc::from(name), row);
    }
}
