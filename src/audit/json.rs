//! The kernels by architecture for programs: modules, images, and each kernel and variable in each image.

use schemars::JsonSchema;
use serde::Serialize;

use crate::artifact::{Artifact, Kernel, Linkage, Module, Parameter, Read, VariableKind, readable};
use crate::target::ImageKind;

/// The document that `audit --list=json` prints.
#[derive(Serialize, JsonSchema)]
pub struct JsonInventory {
    /// The layout's version.
    version: u32,
    /// The files with device code.
    artifacts: Vec<JsonArtifact>,
    /// Files and images that could not be read.
    problems: Vec<JsonProblem>,
}

/// A file with device code.
#[derive(Serialize, JsonSchema)]
struct JsonArtifact {
    /// The file; what is inside another has a path below that one's.
    path: String,
    /// It has host code, which registers kernels.
    host: bool,
    /// Its modules, in their order.
    modules: Vec<JsonModule>,
}

/// A fatbin, or an image that stands by itself.
#[derive(Serialize, JsonSchema)]
struct JsonModule {
    /// Bytes from the start of the file.
    offset: u64,
    /// It is for separate compilation, and no device linker has seen it yet.
    relocatable: bool,
    /// Its images, in their order.
    images: Vec<JsonImage>,
    /// Its kernels, by symbol.
    kernels: Vec<JsonKernel>,
    /// Its variables, by symbol.
    variables: Vec<JsonVariable>,
}

/// An image of a module.
#[derive(Serialize, JsonSchema)]
struct JsonImage {
    /// `elf`, `ptx` or `lto`.
    kind: &'static str,
    /// `90`, `100f`.
    arch: String,
    /// Bytes as it is stored.
    stored: u64,
    /// Bytes when it is decompressed.
    size: u64,
    /// It could be read.
    read: bool,
}

/// A kernel of a module.
#[derive(Serialize, JsonSchema)]
struct JsonKernel {
    /// The name in the symbol table.
    symbol: String,
    /// The name as C++ spells it.
    name: String,
    /// The host registers it; `null` for a file without host code.
    registered: Option<bool>,
    /// Its properties in each image, in the order of the images; `null` where an image lacks it.
    images: Vec<Option<JsonKernelImage>>,
}

/// A kernel in an image.
#[derive(Serialize, JsonSchema)]
struct JsonKernelImage {
    /// Offset and size of each parameter in bytes; `null` where the image does not say.
    parameters: Option<Vec<[u32; 2]>>,
    /// The most threads of a block in each dimension, if they are bounded.
    max_threads: Option<[u32; 3]>,
    /// The threads that a block must have in each dimension, if that is stated.
    required_threads: Option<[u32; 3]>,
    /// Bytes of static shared memory; `null` for PTX.
    shared: Option<u64>,
}

/// A variable of a module.
#[derive(Serialize, JsonSchema)]
struct JsonVariable {
    /// The name in the symbol table.
    symbol: String,
    /// The name as C++ spells it.
    name: String,
    /// The host registers it; `null` for a file without host code.
    registered: Option<bool>,
    /// Its properties in each image, in the order of the images; `null` where an image lacks it.
    images: Vec<Option<JsonVariableImage>>,
}

/// A variable in an image.
#[derive(Serialize, JsonSchema)]
struct JsonVariableImage {
    /// `device`, `constant` or `texture`.
    memory: &'static str,
    /// Bytes; 0 for textures and surfaces.
    size: u64,
}

/// Something that could not be read.
#[derive(Serialize, JsonSchema)]
struct JsonProblem {
    /// The file.
    path: String,
    /// Why.
    message: String,
}

impl JsonInventory {
    /// All of what was read.
    pub fn of(read: &Read) -> JsonInventory {
        let problem = |one: &crate::artifact::Unread| JsonProblem {
            path: one.path.display().to_string(),
            message: one.message.clone(),
        };
        JsonInventory {
            version: 1,
            artifacts: read.artifacts.iter().map(artifact).collect(),
            problems: read.problems.iter().map(problem).collect(),
        }
    }
}

fn artifact(one: &Artifact) -> JsonArtifact {
    JsonArtifact {
        path: one.path.display().to_string(),
        host: one.registered.is_some(),
        modules: one.modules.iter().map(|module| of_module(one, module)).collect(),
    }
}

fn of_module(artifact: &Artifact, module: &Module) -> JsonModule {
    let registered = |symbol: &str| artifact.registered.as_ref().map(|names| names.contains(symbol));
    let images = module.images.iter().map(|image| JsonImage {
        kind: match image.kind {
            ImageKind::Elf => "elf",
            ImageKind::Ptx => "ptx",
            ImageKind::Lto => "lto",
        },
        arch: image.arch.to_string(),
        stored: image.stored,
        size: image.size,
        read: image.read,
    });
    let kernels = module.kernels.iter().map(|(symbol, row)| JsonKernel {
        symbol: symbol.to_string(),
        name: readable(symbol),
        registered: registered(symbol),
        images: row.iter().map(|kernel| kernel.as_ref().map(of_kernel)).collect(),
    });
    let variables = module.variables.iter().map(|(symbol, row)| JsonVariable {
        symbol: symbol.to_string(),
        name: readable(symbol),
        registered: registered(symbol),
        images: row
            .iter()
            .map(|variable| {
                variable.map(|variable| JsonVariableImage {
                    memory: match variable.kind {
                        VariableKind::Device => "device",
                        VariableKind::Constant => "constant",
                        VariableKind::Texture => "texture",
                    },
                    size: variable.size,
                })
            })
            .collect(),
    });
    JsonModule {
        offset: module.offset,
        relocatable: module.linkage == Linkage::Relocatable,
        images: images.collect(),
        kernels: kernels.collect(),
        variables: variables.collect(),
    }
}

fn of_kernel(kernel: &Kernel) -> JsonKernelImage {
    let pair = |parameter: &Parameter| [parameter.offset, parameter.size];
    JsonKernelImage {
        parameters: kernel.parameters.as_ref().map(|list| list.iter().map(pair).collect()),
        max_threads: kernel.bounds.most_threads,
        required_threads: kernel.bounds.required_threads,
        shared: kernel.shared,
    }
}
