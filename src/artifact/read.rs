//! From paths to artifacts.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::WalkBuilder;
use rayon::prelude::*;

use crate::target::{Arch, ImageKind};

use super::binary::read_binary;
use super::bytes::Bytes;
use super::container::{Budget, Kind, Member, members};
use super::device::{ScratchPool, read_fatbin, read_ptx, read_stored_cubin};
use super::error::{Malformed, Unread};
use super::host::registered;
use super::module::{Image, Linkage, Module};
use super::stubs::Stubs;
use super::uses::Uses;

/// A file with device code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artifact {
    /// The file; what is inside another has a path below that one's.
    pub path: PathBuf,
    /// What it is a part of: a package, or the path that was asked for.
    pub package: PathBuf,
    /// Its modules, in their order.
    pub modules: Vec<Module>,
    /// The names of kernels and variables of some image that the host registers; `None` for a file that registers none.
    pub registered: Option<BTreeSet<Arc<str>>>,
    /// The host stubs, by the host's symbols.
    pub stubs: Stubs,
    /// The sizes in bytes that the host gives device variables, by their names, where its symbols tell.
    pub shadows: BTreeMap<Arc<str>, u64>,
    /// The kernels and variables that the host code uses, of those that some image lacks; `None` where its references
    /// can't be told, since it is linked or has none.
    pub uses: Option<Uses>,
}

/// A bound on the GPU that a package's metadata states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The metadata, a path below the package's.
    pub path: PathBuf,
    /// What it is stated of: the package, or the path that was asked for.
    pub package: PathBuf,
    /// A dependency as conda writes it: `__cuda_arch >=8.0`.
    pub text: String,
}

/// The artifacts of the paths read, and what could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Read {
    /// The files with device code, in the order of the paths and, below a directory, of their names.
    pub artifacts: Vec<Artifact>,
    /// The bounds on the GPU that conda packages state.
    pub bounds: Vec<Bound>,
    /// Files that could not be read, with the reasons.
    pub problems: Vec<Unread>,
    /// How many files were looked at, those inside others included.
    pub files: usize,
}

/// Archives may be nested this deep: a tar file inside a zstd frame inside a conda package inside something.
const DEEPEST: usize = 4;

/// Reads the files, and those below the directories, that may hold device code.
pub fn read(paths: &[PathBuf]) -> Read {
    let mut all = Read::default();
    let mut files: Vec<(&Path, PathBuf)> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push((path, path.clone()));
            continue;
        }
        // What is built is what version control ignores.
        let walk = WalkBuilder::new(path).standard_filters(false).sort_by_file_path(Path::cmp).build();
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    files.push((path, entry.into_path()));
                }
                Ok(_) => {}
                Err(error) => all.problems.push(Unread { path: path.clone(), message: error.to_string() }),
            }
        }
    }
    let pool = ScratchPool::default();
    let read = |(asked, path): &(&Path, PathBuf)| read_file(path, asked, &pool);
    for one in files.par_iter().map(read).collect::<Vec<_>>() {
        all.add(one);
    }
    all
}

/// Reads bytes as if they were the file of that path, which need not be there.
pub fn read_bytes(path: &Path, bytes: Vec<u8>) -> Read {
    let bytes = Bytes::from(bytes);
    read_named(path, &bytes, path, &ScratchPool::default())
}

impl Read {
    fn add(&mut self, other: Read) {
        self.artifacts.extend(other.artifacts);
        self.bounds.extend(other.bounds);
        self.problems.extend(other.problems);
        self.files += other.files;
    }

    fn problem(path: &Path, message: impl Into<String>) -> Read {
        let problem = Unread { path: path.to_path_buf(), message: message.into() };
        Read { problems: vec![problem], files: 1, ..Read::default() }
    }
}

/// Reads a file on disk that was found at the path that was asked for. One that is this path has to be of a kind that is
/// known; below a directory, each package is by itself.
fn read_file(path: &Path, asked: &Path, pool: &ScratchPool) -> Read {
    // To open a pipe is to wait for who writes to it.
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Read::problem(path, "it is no file");
    }
    let bytes = match Bytes::open(path) {
        Ok(bytes) => bytes,
        Err(error) => return Read::problem(path, error.to_string()),
    };
    let kind = Kind::of_bytes(path, &bytes);
    if path != asked && matches!(kind, Ok(None)) {
        return Read::default();
    }
    let package = if matches!(kind, Ok(Some(kind)) if kind.is_package()) { path } else { asked };
    // A decompressor that panics loses its file and nothing else.
    let read = catch_unwind(AssertUnwindSafe(|| read_named(path, &bytes, package, pool)));
    read.unwrap_or_else(|_| {
        Read::problem(path, "reading it stopped on a defect of this program; please report it")
    })
}

fn read_named(path: &Path, bytes: &Bytes, package: &Path, pool: &ScratchPool) -> Read {
    let at = At { path, package, depth: 0, budget: &Budget::of(bytes.len()), pool };
    match Kind::of_bytes(path, bytes) {
        Ok(Some(kind)) => read_kind(&at, kind, bytes),
        Ok(None) => Read::problem(path, "it is of no kind that holds device code"),
        Err(error) => Read::problem(path, error.to_string()),
    }
}

/// Where something is.
struct At<'a> {
    path: &'a Path,
    package: &'a Path,
    depth: usize,
    budget: &'a Budget,
    pool: &'a ScratchPool,
}

fn read_kind(at: &At<'_>, kind: Kind, bytes: &Bytes) -> Read {
    match kind {
        Kind::Binary => binary(at, bytes),
        Kind::Cubin | Kind::Ptx => image(at, kind, bytes),
        Kind::CondaIndex => conda_index(at, bytes),
        Kind::Fatbin => match read_fatbin(bytes, 0) {
            Ok(fatbin) => {
                let images: Vec<_> = fatbin.entries.iter().map(|entry| (bytes, entry)).collect();
                let contents = at.pool.read_images(&images);
                let (module, problems) = Module::of_fatbin(0, &fatbin, Linkage::Complete, contents);
                found(at, vec![module], Host::default(), problems.iter().map(ToString::to_string))
            }
            Err(problem) => Read::problem(at.path, problem.to_string()),
        },
        Kind::Objects | Kind::Zip | Kind::Tar | Kind::Zstd | Kind::Bzip2 => archive(at, kind, bytes),
    }
}

fn archive(at: &At<'_>, kind: Kind, bytes: &Bytes) -> Read {
    if at.depth == DEEPEST {
        return Read::problem(
            at.path,
            Malformed::new(bytes.start(), "archives are nested too deep").to_string(),
        );
    }
    let one = |member: Member| {
        let path = at.path.join(&member.name);
        let at = At { path: &path, depth: at.depth + 1, ..*at };
        match member.bytes.map(|bytes| (Kind::of_bytes(&path, &bytes), bytes)) {
            Ok((Ok(Some(kind)), bytes)) => read_kind(&at, kind, &bytes),
            Ok((Ok(None), _)) => Read::default(),
            Ok((Err(error), _)) => Read::problem(&path, error.to_string()),
            Err(problem) => Read::problem(&path, problem.to_string()),
        }
    };
    let (gathered, outcome) = members(kind, bytes, at.budget, &one);
    let mut all = Read { files: 1, ..Read::default() };
    gathered.into_iter().for_each(|read| all.add(read));
    if let Err(problem) = outcome {
        all.problems.push(Unread { path: at.path.to_path_buf(), message: problem.to_string() });
    }
    all
}

/// The name of conda's virtual package for GPUs (CEP 46).
const CUDA_ARCH: &str = "__cuda_arch";

/// The bounds on GPUs among the dependencies, and the constraints where a GPU is found, that a conda package's index names.
fn conda_index(at: &At<'_>, bytes: &Bytes) -> Read {
    #[derive(serde::Deserialize)]
    struct Index {
        #[serde(default)]
        depends: Vec<String>,
        #[serde(default)]
        constrains: Vec<String>,
    }
    let index = bytes.head(LARGEST_INDEX).map_err(|error| error.to_string());
    let index = index.and_then(|text| {
        serde_json::from_slice::<Index>(&text).map_err(|error| {
            let before = text.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
            let at = before.map(<[u8]>::len).sum::<usize>() + serde_json::Error::column(&error);
            Malformed::new(at as u64, error.to_string()).to_string()
        })
    });
    match index {
        Ok(Index { depends, constrains }) => {
            let all = depends.into_iter().chain(constrains);
            let bounds = all.filter(|one| one.split_whitespace().next() == Some(CUDA_ARCH));
            let bound = |text| Bound { path: at.path.to_path_buf(), package: at.package.to_path_buf(), text };
            Read { bounds: bounds.map(bound).collect(), files: 1, ..Read::default() }
        }
        Err(message) => Read::problem(at.path, message),
    }
}

/// The largest index of a package that is read, in bytes.
const LARGEST_INDEX: u64 = 1 << 20;

fn binary(at: &At<'_>, bytes: &Bytes) -> Read {
    let binary = match read_binary(bytes, at.pool) {
        Ok(binary) => binary,
        Err(problem) => return Read::problem(at.path, problem.to_string()),
    };
    let mut problems: Vec<String> = binary.problems.iter().map(ToString::to_string).collect();
    let names = binary.modules.iter().flat_map(|module| module.kernels.keys().chain(module.variables.keys()));
    let registered = registered(&binary.constants, names).unwrap_or_else(|error| {
        problems.push(error.to_string());
        BTreeSet::new()
    });
    // Without any and without code for that, another file registers the kernels: this one is linked with it.
    let registered = Some(registered).filter(|names| !names.is_empty() || binary.uses.is_some());
    found(
        at,
        binary.modules,
        Host { registered, stubs: binary.stubs, shadows: binary.shadows, uses: binary.uses },
        problems.into_iter(),
    )
}

/// A cubin or PTX that stands by itself.
fn image(at: &At<'_>, kind: Kind, bytes: &Bytes) -> Read {
    let size = bytes.len();
    let head = |most| bytes.head(most).map_err(|error| error.to_string());
    let read = match kind {
        Kind::Ptx => head(LARGEST_PTX).and_then(|text| {
            let file = read_ptx(&text).map_err(|problem| problem.to_string())?;
            Ok((ImageKind::Ptx, file.arch, file.contents))
        }),
        _ => head(HEADER).and_then(|header| {
            let contents = at.pool.with(|scratch| read_stored_cubin(bytes, 0, size, scratch));
            Ok((ImageKind::Elf, arch_of_cubin(&header), contents.map_err(|problem| problem.to_string())?))
        }),
    };
    let (kind, arch, contents) = match read {
        Ok(read) => read,
        Err(message) => return Read::problem(at.path, message),
    };
    let Some(arch) = arch else {
        return Read::problem(at.path, Malformed::new(0, "it does not say what it is for").to_string());
    };
    let image = Image { kind, arch, read: true, stored: size, size };
    found(at, vec![Module::of_image(image, contents)], Host::default(), std::iter::empty())
}

/// Of a PTX file no more than this is read, in bytes.
const LARGEST_PTX: u64 = 1 << 28;
/// Bytes of an ELF header.
const HEADER: u64 = 64;

/// The architecture in an ELF header's flags: the lowest byte in CUDA's first layout, the second one in that of 13.
fn arch_of_cubin(bytes: &[u8]) -> Option<Arch> {
    const ABI: usize = 8;
    const FLAGS: usize = 48;
    /// The version of CUDA's ABI that moved the number.
    const MOVED: u8 = 8;
    let number = if *bytes.get(ABI)? >= MOVED { bytes.get(FLAGS + 1) } else { bytes.get(FLAGS) };
    number.map(|number| Arch::plain(u16::from(*number))).filter(|arch| arch.number > 0)
}

/// The host's side of a binary: stubs and registrations.
#[derive(Default)]
struct Host {
    registered: Option<BTreeSet<Arc<str>>>,
    stubs: Stubs,
    shadows: BTreeMap<Arc<str>, u64>,
    uses: Option<Uses>,
}

fn found(at: &At<'_>, modules: Vec<Module>, host: Host, problems: impl Iterator<Item = String>) -> Read {
    let path = at.path.to_path_buf();
    let problems = problems.map(|message| Unread { path: path.clone(), message }).collect();
    let Host { registered, stubs, shadows, uses } = host;
    let artifact = Artifact {
        path: path.clone(),
        package: at.package.to_path_buf(),
        modules,
        registered,
        stubs,
        shadows,
        uses,
    };
    let artifacts = if artifact.modules.is_empty() { Vec::new() } else { vec![artifact] };
    Read { artifacts, problems, files: 1, ..Read::default() }
}
