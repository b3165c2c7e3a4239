//! Files inside files: wheels and other zip files, conda packages, tar files, and archives of objects.
//!
//! Nothing is ever written where an archive says: what is unpacked is in memory, or in a temporary file without a name.

use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use rayon::prelude::*;
use ruzstd::decoding::StreamingDecoder;

use super::bytes::Bytes;

/// The kind of a file, by its first bytes and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An ELF, PE or COFF file of the host's.
    Binary,
    /// A cubin.
    Cubin,
    /// A fatbin.
    Fatbin,
    /// PTX.
    Ptx,
    /// Objects in an archive, a static library.
    Objects,
    /// A zip file.
    Zip,
    /// A tar file.
    Tar,
    /// Something compressed by zstd.
    Zstd,
    /// Something compressed by bzip2.
    Bzip2,
    /// The metadata of a conda package.
    CondaIndex,
}

/// How many bytes of a file tell what it is.
const HEAD: u64 = 512;

const EM_CUDA: [u8; 2] = [190, 0];
/// The machines of COFF objects that can be host code of CUDA's: x86-64 and AArch64.
const COFF_MACHINES: [[u8; 2]; 2] = [[0x64, 0x86], [0x64, 0xAA]];

impl Kind {
    /// The kind of a file; `None` for one that holds no device code.
    pub(super) fn of(path: &Path, head: &[u8]) -> Option<Kind> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match head {
            [0x7f, b'E', b'L', b'F', ..] if head.get(18..20) == Some(&EM_CUDA) => Some(Kind::Cubin),
            [0x7f, b'E', b'L', b'F', ..] | [b'M', b'Z', ..] => Some(Kind::Binary),
            [0x50, 0xED, 0x55, 0xBA, ..] => Some(Kind::Fatbin),
            [b'!', b'<', b'a', b'r', b'c', b'h', b'>', b'\n', ..] => Some(Kind::Objects),
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Kind::Zip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Kind::Zstd),
            [b'B', b'Z', b'h', ..] => Some(Kind::Bzip2),
            _ if head.get(257..262) == Some(b"ustar") => Some(Kind::Tar),
            _ if extension == "ptx" => Some(Kind::Ptx),
            [b'{', ..] if path.ends_with("info/index.json") => Some(Kind::CondaIndex),
            [a, b, ..] if extension == "obj" && COFF_MACHINES.contains(&[*a, *b]) => Some(Kind::Binary),
            _ => None,
        }
    }

    /// The kind of these bytes.
    pub(super) fn of_bytes(path: &Path, bytes: &Bytes) -> io::Result<Option<Kind>> {
        Ok(Kind::of(path, &bytes.head(HEAD)?))
    }
}

/// How much may be unpacked of one file, so that a bomb fills no disk.
#[derive(Debug)]
pub(super) struct Budget {
    left: AtomicU64,
}

/// No archive of libraries is so well compressed; that of a file of zeros is better by far.
const MOST_RATIO: u64 = 100;
/// Bytes that may be unpacked even of the smallest file.
const LEAST: u64 = 1 << 30;

impl Budget {
    /// For a file of so many bytes.
    pub(super) fn of(len: u64) -> Budget {
        Budget { left: AtomicU64::new(len.saturating_mul(MOST_RATIO).max(LEAST)) }
    }

    fn take(&self, bytes: u64) -> io::Result<()> {
        let taken =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        taken.map(|_| ()).map_err(|_| io::Error::other("it unpacks to more than is reasonable"))
    }
}

/// A member of an archive: its name in it, and its bytes or why they can't be had.
pub(super) struct Member {
    pub(super) name: PathBuf,
    pub(super) bytes: Result<Bytes, String>,
}

/// Calls `each` with every member of an archive that may hold device code, and gathers what it gives, in their order.
///
/// # Errors
/// Why the archive can't be read, or not to its end.
pub(super) fn members<T: Send>(
    kind: Kind,
    bytes: &Bytes,
    budget: &Budget,
    each: &(dyn Fn(Member) -> T + Sync),
) -> (Vec<T>, Result<(), String>) {
    match kind {
        Kind::Zip => zip(bytes, budget, each),
        Kind::Objects => objects(bytes, each),
        Kind::Tar => tar(bytes.reader(), budget, each),
        Kind::Zstd => match StreamingDecoder::new(bytes.reader()) {
            Ok(decoder) => tar(decoder, budget, each),
            Err(error) => (Vec::new(), Err(error.to_string())),
        },
        Kind::Bzip2 => tar(bzip2::read::MultiBzDecoder::new(bytes.reader()), budget, each),
        Kind::Binary | Kind::Cubin | Kind::Fatbin | Kind::Ptx | Kind::CondaIndex => (Vec::new(), Ok(())),
    }
}

type Gathered<T> = (Vec<T>, Result<(), String>);

fn zip<T: Send>(bytes: &Bytes, budget: &Budget, each: &(dyn Fn(Member) -> T + Sync)) -> Gathered<T> {
    let archive = match zip::ZipArchive::new(bytes.reader()) {
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), Err(error.to_string())),
    };
    let one = |index: usize| {
        // The archive's directory is shared; only the position is a thread's own.
        let mut archive = archive.clone();
        let mut file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                let name = PathBuf::from(format!("member {index}"));
                return Some(each(Member { name, bytes: Err(error.to_string()) }));
            }
        };
        if file.is_dir() {
            return None;
        }
        let name = file.name().map_or_else(|_| format!("member {index}"), std::borrow::Cow::into_owned);
        let name = below(Path::new(&name));
        let bytes = unpack(&name, &mut file, budget).map_err(|error| error.to_string()).transpose()?;
        Some(each(Member { name, bytes }))
    };
    ((0..archive.len()).into_par_iter().filter_map(one).collect(), Ok(()))
}

fn tar<T>(reader: impl Read, budget: &Budget, each: &(dyn Fn(Member) -> T + Sync)) -> Gathered<T> {
    let mut archive = tar::Archive::new(reader);
    let mut gathered = Vec::new();
    let entries = match archive.entries() {
        Ok(entries) => entries,
        Err(error) => return (gathered, Err(error.to_string())),
    };
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return (gathered, Err(error.to_string())),
        };
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path().map_or_else(|_| PathBuf::from("?"), |path| below(&path));
        match unpack(&name, &mut entry, budget) {
            Ok(None) => {}
            Ok(Some(bytes)) => gathered.push(each(Member { name, bytes: Ok(bytes) })),
            Err(error) => {
                gathered.push(each(Member { name, bytes: Err(error.to_string()) }));
                return (gathered, Ok(()));
            }
        }
    }
    (gathered, Ok(()))
}

fn objects<T: Send>(bytes: &Bytes, each: &(dyn Fn(Member) -> T + Sync)) -> Gathered<T> {
    let cache = ReadCache::new(bytes.reader());
    let archive = match ArchiveFile::parse(&cache) {
        Ok(archive) if archive.is_thin() => {
            return (Vec::new(), Err("it is a thin archive, which only names its members".into()));
        }
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), Err(error.to_string())),
    };
    let mut members = Vec::new();
    let mut outcome = Ok(());
    for member in archive.members() {
        let member = match member {
            Ok(member) => member,
            Err(error) => {
                outcome = Err(error.to_string());
                break;
            }
        };
        let name = below(Path::new(&*String::from_utf8_lossy(member.name())));
        let (offset, size) = member.file_range();
        let part = bytes.part(offset, size).ok_or_else(|| "it is cut off".to_string());
        members.push(Member { name, bytes: part });
    }
    (members.into_par_iter().map(each).collect(), outcome)
}

/// A path without what would lead out of the archive.
fn below(name: &Path) -> PathBuf {
    name.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// Bytes that are unpacked into memory; more goes to a temporary file.
const IN_MEMORY: u64 = 16 << 20;

/// A member's bytes, if it may hold device code.
fn unpack(name: &Path, reader: &mut impl Read, budget: &Budget) -> io::Result<Option<Bytes>> {
    let mut bytes = Vec::new();
    reader.by_ref().take(HEAD).read_to_end(&mut bytes)?;
    if Kind::of(name, &bytes).is_none() {
        return Ok(None);
    }
    reader.by_ref().take(IN_MEMORY).read_to_end(&mut bytes)?;
    budget.take(bytes.len() as u64)?;
    if (bytes.len() as u64) < IN_MEMORY {
        return Ok(Some(Bytes::from(bytes)));
    }
    let mut file = tempfile::tempfile()?;
    file.write_all(&bytes)?;
    loop {
        bytes.clear();
        if reader.by_ref().take(1 << 20).read_to_end(&mut bytes)? == 0 {
            break;
        }
        budget.take(bytes.len() as u64)?;
        file.write_all(&bytes)?;
    }
    Bytes::of_file(file).map(Some)
}
