//! The include search: directories, the project's own headers, built-in stand-ins ([cpp.include]).
//!
//! In: a header name and the file that includes it. Out: the file, and where `#include_next` goes on.

use std::ffi::OsString;
use std::io;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::{IncludeSearch, is_tidy, tidy};
use crate::source::{BUILT_IN, FileId, SourceFile, Sources, Symbol};

/// Headers of our own, for when the real ones are not there: name and text.
const STAND_INS: &[(&str, &str)] = &[
    ("nv/target", include_str!("standins/nv_target.h")),
    ("cuda_runtime.h", include_str!("standins/cuda_runtime.h")),
    ("cuda_runtime_api.h", include_str!("standins/cuda_runtime.h")),
    ("driver_types.h", include_str!("standins/cuda_runtime.h")),
    ("vector_types.h", include_str!("standins/cuda_runtime.h")),
    ("device_launch_parameters.h", include_str!("standins/cuda_runtime.h")),
    ("crt/host_defines.h", include_str!("standins/cuda_runtime.h")),
    ("host_defines.h", include_str!("standins/cuda_runtime.h")),
    ("cuda.h", include_str!("standins/cuda.h")),
    ("algorithm", include_str!("standins/algorithm.h")),
    ("concepts", include_str!("standins/concepts.h")),
    ("map", include_str!("standins/map.h")),
    ("unordered_map", include_str!("standins/map.h")),
    ("functional", include_str!("standins/functional.h")),
    ("tuple", include_str!("standins/tuple.h")),
    ("variant", include_str!("standins/variant.h")),
    ("type_traits", include_str!("standins/type_traits.h")),
    ("utility", include_str!("standins/utility.h")),
    ("initializer_list", include_str!("standins/initializer_list.h")),
    ("iterator", include_str!("standins/iterator.h")),
    ("vector", include_str!("standins/vector.h")),
    ("memory", include_str!("standins/memory.h")),
    ("optional", include_str!("standins/optional.h")),
    ("array", include_str!("standins/array.h")),
    ("cuda_fp16.h", include_str!("standins/cuda_fp16.h")),
    ("cuda_bf16.h", include_str!("standins/cuda_bf16.h")),
    ("cstdint", include_str!("standins/stdint.h")),
    ("stdint.h", include_str!("standins/stdint.h")),
    ("cstddef", include_str!("standins/stddef.h")),
    ("stddef.h", include_str!("standins/stddef.h")),
];

/// C's standard headers: a project's file of the same name is not what `<…>` means.
const C_HEADERS: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

/// A file an `#include` leads to.
pub(crate) struct Found {
    /// The file, or why it can't be read.
    pub(crate) file: io::Result<Arc<SourceFile>>,
    /// Where `#include_next` inside it goes on.
    pub(crate) next_directory: usize,
    /// Whether it is a system header: of a compiler, a toolkit, or a directory named by `-isystem`; or a stand-in for one.
    pub(crate) system: bool,
}

/// A header's path, the number of the directory after the one it was found in, and whether it is the
/// system's.
type Location = Option<(PathBuf, usize, bool)>;

/// A header that was found before.
#[derive(Clone)]
struct CachedHeader {
    file: Arc<SourceFile>,
    next_directory: usize,
    system: bool,
}

/// The including file, as far as it decides which header is found.
#[derive(PartialEq, Eq, Hash)]
enum Includer {
    Nobody,
    /// Any file, asking for one in the directories: none of the project's own has that name, or they do not
    /// count.
    Anyone,
    File(FileId),
}

/// A directory that is searched.
pub(super) struct Directory {
    pub(super) path: PathBuf,
    /// Its headers are the system's.
    system: bool,
}

/// The directories of `-iquote`, then those of `<…>`.
pub(super) struct Chain {
    pub(super) directories: Vec<Directory>,
    /// Where `<…>` begins.
    angled: usize,
}

impl Chain {
    /// GCC's `merge_include_chains`: a directory named twice counts where it stands first, but as the
    /// system's if it is one of the system's at all.
    pub(super) fn new(search: &IncludeSearch) -> Chain {
        let mut known: Vec<PathBuf> = Vec::new();
        let mut add = |list: &mut Vec<Directory>, paths: &[PathBuf], system: bool| {
            for path in paths {
                let real = path.canonicalize().unwrap_or_else(|_| path.clone());
                if !known.contains(&real) {
                    known.push(real);
                    list.push(Directory { path: path.clone(), system });
                }
            }
        };
        let mut last = Vec::new();
        add(&mut last, &search.system, true);
        add(&mut last, &search.after, true);
        let mut middle = Vec::new();
        add(&mut middle, &search.directories, false);
        add(&mut middle, &search.toolkit, true);
        middle.extend(last);
        let mut directories = Vec::new();
        // `-iquote` repeats what is searched after it, all but the directory that follows directly.
        known = Vec::new();
        for path in &search.quote {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !known.contains(&real) {
                known.push(real);
                directories.push(Directory { path: path.clone(), system: false });
            }
        }
        let same =
            |a: &Path, b: &Path| a.canonicalize().ok().is_some_and(|a| b.canonicalize().ok() == Some(a));
        if let (Some(last), Some(first)) = (directories.last(), middle.first())
            && same(&last.path, &first.path)
        {
            directories.pop();
        }
        let angled = directories.len();
        directories.extend(middle);
        Chain { directories, angled }
    }
}

/// Finds the files that header names mean; every answer is cached.
pub(crate) struct Resolver<'u> {
    search: &'u IncludeSearch,
    chain: Chain,
    sources: &'u Sources,
    /// By the path's bytes: a path is hashed part by part.
    exists: FxHashMap<OsString, bool>,
    /// By what includes, name, and where the search starts.
    places: FxHashMap<(Includer, Symbol, usize), Option<CachedHeader>>,
    canonical: FxHashMap<PathBuf, PathBuf>,
    /// The system's headers that were found.
    system: FxHashSet<FileId>,
}

impl<'u> Resolver<'u> {
    pub(crate) fn new(search: &'u IncludeSearch, sources: &'u Sources) -> Resolver<'u> {
        let chain = Chain::new(search);
        let (exists, canonical) = (FxHashMap::default(), FxHashMap::default());
        let (places, system) = (FxHashMap::default(), FxHashSet::default());
        Resolver { search, chain, sources, exists, places, canonical, system }
    }

    /// The file `#include "name"` in `includer` means.
    pub(crate) fn quoted(&mut self, name: &str, includer: &SourceFile) -> Option<Found> {
        self.find(name, Some(includer), Start::Includer)
    }

    /// The file `#include <name>` means.
    pub(crate) fn angled(&mut self, name: &str, includer: Option<&SourceFile>) -> Option<Found> {
        self.find(name, includer, Start::Directory(self.chain.angled))
    }

    /// The file `#include_next <name>` means in a file found before directory `from`.
    pub(crate) fn next(&mut self, name: &str, includer: &SourceFile, from: usize) -> Option<Found> {
        self.find(name, Some(includer), Start::Directory(from))
    }

    /// The file `#embed "name"` or `#embed <name>` means in `includer`: beside it, or in a directory of
    /// `--embed-dir`.
    pub(crate) fn resource(&mut self, name: &str, angled: bool, includer: &SourceFile) -> Option<PathBuf> {
        let beside = (!angled).then(|| beside(name, Some(&includer.path)));
        let elsewhere = self.search.embed.iter().map(|directory| directory.join(name));
        beside.into_iter().chain(elsewhere).find(|path| path.is_file())
    }

    /// The file `-include path` means: as though included from the working directory.
    pub(crate) fn forced(&mut self, path: &Path) -> Option<Found> {
        self.find(path.to_str()?, None, Start::Includer)
    }

    /// Two paths lead to the same file.
    pub(crate) fn same_file(&mut self, a: &Path, b: &Path) -> bool {
        a.file_name() == b.file_name() && self.canonical(a) == self.canonical(b)
    }

    fn canonical(&mut self, path: &Path) -> PathBuf {
        let canonical = &mut self.canonical;
        let make = || std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        canonical.entry(path.to_path_buf()).or_insert_with(make).clone()
    }

    /// The path without its detours, `a/../b.h` as `b.h`, where symbolic links do not make that
    /// another file: a header is then one file however it is reached.
    fn tidied(&mut self, path: PathBuf) -> PathBuf {
        if is_tidy(&path) {
            return path;
        }
        let short = tidy(&path);
        if short != path && self.exists(&short) && self.canonical(&short) == self.canonical(&path) {
            return short;
        }
        path
    }

    fn find(&mut self, name: &str, includer: Option<&SourceFile>, start: Start) -> Option<Found> {
        let from = match start {
            Start::Includer => usize::MAX,
            Start::Directory(from) => from,
        };
        let of_system = includer.is_some_and(|includer| self.system.contains(&includer.id));
        let own = || self.search.project_headers.contains_key(name.rsplit('/').next().unwrap_or(name));
        let alike = of_system || !own();
        let by = match (includer, start) {
            (None, _) => Includer::Nobody,
            (Some(_), Start::Directory(_)) if alike => Includer::Anyone,
            (Some(includer), _) => Includer::File(includer.id),
        };
        let key = (by, Symbol::intern(name), from);
        if let Some(kept) = self.places.get(&key) {
            let CachedHeader { file, next_directory, system } = kept.clone()?;
            return Some(Found { file: Ok(file), next_directory, system });
        }
        let path = includer.map(|includer| includer.path.as_path());
        if alike && matches!(start, Start::Includer) && !self.exists(&beside(name, path)) {
            return self.find(name, includer, Start::Directory(0));
        }
        let Some((path, next_directory, system)) = self.search(name, path, of_system, start) else {
            self.places.insert(key, None);
            return None;
        };
        let path = self.tidied(path);
        let file = self.sources.read(&path);
        if let Ok(file) = &file {
            if system {
                self.system.insert(file.id);
            }
            self.places.insert(key, Some(CachedHeader { file: file.clone(), next_directory, system }));
        }
        Some(Found { file, next_directory, system })
    }

    fn search(&mut self, name: &str, includer: Option<&Path>, of_system: bool, start: Start) -> Location {
        if Path::new(name).is_absolute() {
            return self.exists(Path::new(name)).then(|| (PathBuf::from(name), 0, false));
        }
        let from = match start {
            Start::Includer => {
                let beside = beside(name, includer);
                if self.exists(&beside) {
                    return Some((beside, 0, of_system));
                }
                0
            }
            Start::Directory(directory) => directory,
        };
        let angled = !matches!(start, Start::Includer);
        // Build information may be missing or stale: a project's own header goes before one of the
        // system's where only its path can tell them apart.
        let own_first = !of_system && (!angled || name.contains('/') && from <= self.chain.angled);
        let parted = self.chain.directories[from..].iter().position(|directory| directory.system);
        let parted = parted.map_or(self.chain.directories.len(), |position| from + position);
        let end = self.chain.directories.len();
        if let Some(found) = self.search_directories(name, from..parted) {
            return Some(found);
        }
        if own_first && let Some(path) = self.project_header(name, includer, angled) {
            return Some((path, end, false));
        }
        if let Some(found) = self.search_directories(name, parted..end) {
            return Some(found);
        }
        if !own_first
            && !of_system
            && let Some(path) = self.project_header(name, includer, angled)
        {
            return Some((path, end, false));
        }
        let (_, text) = STAND_INS.iter().find(|(known, _)| *known == name)?;
        let path = Path::new(BUILT_IN).join(name);
        self.sources.add(&path, (*text).to_string());
        Some((path, end, true))
    }

    fn search_directories(&mut self, name: &str, range: Range<usize>) -> Location {
        for index in range {
            let path = self.chain.directories[index].path.join(name);
            if self.exists(&path) {
                return Some((path, index + 1, self.chain.directories[index].system));
            }
        }
        None
    }

    /// The header of the project whose path ends as `name` does, nearest to the includer.
    fn project_header(&self, name: &str, includer: Option<&Path>, angled: bool) -> Option<PathBuf> {
        let wanted: Vec<Component> = Path::new(name)
            .components()
            .filter(|part| !matches!(part, Component::CurDir | Component::ParentDir))
            .collect();
        let [.., Component::Normal(file)] = wanted[..] else { return None };
        let file = file.to_str()?;
        // Any file may have a name without an extension; with its directory, it is that of a header.
        let is_bare = wanted.len() == 1 && !file.contains('.');
        let standard = wanted.len() == 1 && C_HEADERS.contains(&file);
        let standard = standard || STAND_INS.iter().any(|(known, _)| *known == name);
        if is_bare || angled && standard {
            return None;
        }
        let ends_so = |path: &&PathBuf| {
            let parts: Vec<Component> = path.components().collect();
            parts.ends_with(&wanted) && includer != Some(path.as_path())
        };
        let shared = |path: &Path| {
            let around = includer.and_then(Path::parent).unwrap_or(Path::new(""));
            path.components().zip(around.components()).take_while(|(a, b)| a == b).count()
        };
        let candidates = self.search.project_headers.get(file)?.iter().filter(ends_so);
        let best = candidates.min_by(|a, b| {
            let far = shared(b).cmp(&shared(a));
            far.then(a.components().count().cmp(&b.components().count())).then(a.cmp(b))
        });
        best.cloned()
    }

    fn exists(&mut self, path: &Path) -> bool {
        if let Some(known) = self.exists.get(path.as_os_str()) {
            return *known;
        }
        let exists = self.sources.known(path).is_some() || path.is_file();
        self.exists.insert(path.as_os_str().to_owned(), exists);
        exists
    }
}

/// Where a header stands that is in the includer's directory, or in the working directory.
pub(super) fn beside(name: &str, includer: Option<&Path>) -> PathBuf {
    includer.and_then(Path::parent).unwrap_or(Path::new("")).join(name)
}

#[derive(Clone, Copy)]
enum Start {
    /// The directory of the including file, then all directories.
    Includer,
    /// The directories from this one on.
    Directory(usize),
}
