//! The kernels and variables of artifacts by image, as rows and columns.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::artifact::{Artifact, Module, Table, readable};
use crate::target::{Arch, Image, ImageKind};

/// The kernels and variables of one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inventory {
    /// The file.
    pub path: PathBuf,
    /// How many modules it has.
    pub modules: usize,
    /// The different images of its modules, by architecture.
    pub columns: Vec<Column>,
    /// Its kernels and variables, by name; the same name in several modules is several rows.
    pub rows: Vec<Row>,
}

/// An image, by what it is for.
pub type Column = Image;

/// A kernel or variable of a module.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Row {
    /// The name as C++ spells it.
    pub name: String,
    /// The name in the symbol table.
    pub symbol: String,
    /// Which module of the file has it, from 0.
    pub module: usize,
    /// `kernel` or `variable`.
    pub what: &'static str,
    /// The host registers it; `None` for a file without host code.
    pub registered: Option<bool>,
    /// Its cell in each column.
    pub cells: Vec<Cell>,
    /// The code that each GPU runs, by compute capability times ten. A GPU that can run nothing of the module is left out.
    pub gpus: BTreeMap<u16, Cell>,
}

/// The form in which a kernel or variable exists for a target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cell {
    /// The module has no image for it, or one that could not be read.
    NoImage,
    /// The image has it not.
    Missing,
    /// It is in PTX, which the driver compiles.
    Ptx,
    /// It is in machine code.
    Code,
}

/// The inventory of each artifact, in their order.
pub fn inventory(artifacts: &[Artifact]) -> Vec<Inventory> {
    artifacts.iter().map(of_artifact).collect()
}

fn of_artifact(artifact: &Artifact) -> Inventory {
    let images = artifact.modules.iter().flat_map(|module| &module.images);
    let columns: BTreeSet<(Arch, ImageKind)> =
        images.filter(|image| image.kind != ImageKind::Lto).map(|image| (image.arch, image.kind)).collect();
    let columns: Vec<Column> = columns.into_iter().map(|(arch, kind)| Image { kind, arch }).collect();
    let mut rows = Vec::new();
    for (number, module) in artifact.modules.iter().enumerate() {
        let view = View { artifact, module, number, columns: &columns, by_gpu: module.by_gpu() };
        view.rows("kernel", &module.kernels, &mut rows);
        view.rows("variable", &module.variables, &mut rows);
    }
    rows.sort();
    Inventory { path: artifact.path.clone(), modules: artifact.modules.len(), columns, rows }
}

/// A module on its way into rows.
struct View<'a> {
    artifact: &'a Artifact,
    module: &'a Module,
    number: usize,
    columns: &'a [Column],
    by_gpu: BTreeMap<u16, usize>,
}

impl View<'_> {
    fn rows<T>(&self, what: &'static str, table: &Table<T>, rows: &mut Vec<Row>) {
        for (symbol, row) in table {
            let registered = self.artifact.registered.as_ref().map(|names| names.contains(symbol));
            // What the compiler made for itself is no variable of the program's.
            if what == "variable" && registered == Some(false) {
                continue;
            }
            let cell = |index: usize| match (&row[index], self.module.images[index].kind) {
                (None, _) => Cell::Missing,
                (Some(_), ImageKind::Ptx) => Cell::Ptx,
                (Some(_), _) => Cell::Code,
            };
            let of_column = |column: &Column| {
                let images = self.module.images.iter().enumerate().filter(|(_, image)| image.read);
                let same = images.filter(|(_, image)| image.target() == *column);
                same.map(|(index, _)| cell(index)).max().unwrap_or(Cell::NoImage)
            };
            rows.push(Row {
                name: readable(symbol),
                symbol: symbol.to_string(),
                module: self.number,
                what,
                registered,
                cells: self.columns.iter().map(of_column).collect(),
                gpus: self.by_gpu.iter().map(|(device, index)| (*device, cell(*index))).collect(),
            });
        }
    }
}
