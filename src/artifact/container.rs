//! Files inside files: wheels and other zip files, conda packages, tar files, and archives of objects.
//!
//! Nothing is ever written where an archive says: what is unpacked is in memory, or in a temporary file without a name.

use std::cmp::Reverse;
use std::io::{self, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use rayon::prelude::*;
use zstd::stream::read::Decoder;

use super::bytes::{Bytes, Place};
use super::error::Malformed;

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
            [b'!', b'<', b'a', b'r', b'c', b'h', b'>', b'\n', ..]
            | [b'!', b'<', b't', b'h', b'i', b'n', b'>', b'\n', ..] => Some(Kind::Objects),
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

    /// Files are packed into it to be installed together: a wheel, a conda package. A static library is none.
    pub(super) fn is_package(self) -> bool {
        matches!(self, Kind::Zip | Kind::Tar | Kind::Zstd | Kind::Bzip2)
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

    /// For so many bytes and no more.
    #[cfg(test)]
    pub(super) fn of_bytes(left: u64) -> Budget {
        Budget { left: AtomicU64::new(left) }
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
    pub(super) bytes: Result<Bytes, Malformed>,
}

/// Calls `each` with every member of an archive that may hold device code, and gathers what it gives, in their order.
///
/// # Errors
/// Why the archive can't be read, or not to its end, and where.
pub(super) fn members<T: Send>(
    kind: Kind,
    bytes: &Bytes,
    budget: &Budget,
    each: &(dyn Fn(Member) -> T + Sync),
) -> Gathered<T> {
    let reader = bytes.reader();
    let place = reader.place();
    match kind {
        Kind::Zip => zip(bytes, budget, each),
        Kind::Objects => objects(bytes, each),
        Kind::Tar => tar(reader, &place, budget, each),
        Kind::Zstd => match Decoder::new(reader) {
            Ok(decoder) => tar(Metered { inner: decoder, budget }, &place, budget, each),
            Err(error) => (Vec::new(), Err(Malformed::new(place.get(), error.to_string()))),
        },
        Kind::Bzip2 => {
            let decoder = bzip2::read::MultiBzDecoder::new(reader);
            tar(Metered { inner: decoder, budget }, &place, budget, each)
        }
        Kind::Binary | Kind::Cubin | Kind::Fatbin | Kind::Ptx | Kind::CondaIndex => (Vec::new(), Ok(())),
    }
}

type Gathered<T> = (Vec<T>, Result<(), Malformed>);

/// What a decompressor gives, as far as the budget reaches: what is skipped counts too.
struct Metered<'b, R> {
    inner: R,
    budget: &'b Budget,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(buffer)?;
        self.budget.take(len as u64)?;
        Ok(len)
    }
}

fn zip<T: Send>(bytes: &Bytes, budget: &Budget, each: &(dyn Fn(Member) -> T + Sync)) -> Gathered<T> {
    let reader = bytes.reader();
    let place = reader.place();
    let archive = match zip::ZipArchive::new(reader) {
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), Err(Malformed::new(place.get(), error.to_string()))),
    };
    let one = |index: usize| {
        // The archive's directory is shared; only the position is a thread's own.
        let mut own = archive.clone();
        let mut file = match own.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                let name = PathBuf::from(format!("member {index}"));
                let mut again = archive.clone();
                drop(again.by_index(index));
                let at = again.into_inner().stream_position().unwrap_or_default();
                return Some(each(Member { name, bytes: Err(Malformed::new(at, error.to_string())) }));
            }
        };
        if file.is_dir() {
            return None;
        }
        let name = file.name().map_or_else(|_| format!("member {index}"), std::borrow::Cow::into_owned);
        let name = below(Path::new(&name));
        let at = file.header_start();
        let wrong = |error: io::Error| Malformed::new(at, error.to_string());
        let bytes = unpack(&name, &mut file, budget).map_err(wrong).transpose()?;
        Some(each(Member { name, bytes }))
    };
    // The largest first, one after the other: what begins last should end soon.
    let size = |index: &usize| archive.clone().by_index_raw(*index).map_or(0, |file| file.size());
    let mut order: Vec<usize> = (0..archive.len()).collect();
    order.sort_by_cached_key(|index| Reverse(size(index)));
    let in_order = order.into_iter().par_bridge().filter_map(|index| Some((index, one(index)?)));
    let mut gathered: Vec<(usize, T)> = in_order.collect();
    gathered.sort_by_key(|(index, _)| *index);
    (gathered.into_iter().map(|(_, one)| one).collect(), Ok(()))
}

/// The longest name of a member, and the longest list of its attributes, in bytes.
const LONGEST_NAME: u64 = 1 << 16;

/// A tar file, of which `place` tells how far its bytes were read.
fn tar<T>(
    reader: impl Read,
    place: &Place,
    budget: &Budget,
    each: &(dyn Fn(Member) -> T + Sync),
) -> Gathered<T> {
    let mut archive = tar::Archive::new(reader);
    let mut gathered = Vec::new();
    let wrong = |error: io::Error| Malformed::new(place.get(), error.to_string());
    let entries = match archive.entries() {
        // Names that are members of their own are read here, where they are not believed to be small.
        Ok(entries) => entries.raw(true),
        Err(error) => return (gathered, Err(wrong(error))),
    };
    let mut long_name = None;
    for entry in entries {
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => return (gathered, Err(wrong(error))),
        };
        let kind = entry.header().entry_type();
        if kind.is_gnu_longname() || kind.is_pax_local_extensions() {
            match long(&mut entry) {
                Ok(text) if kind.is_gnu_longname() => long_name = Some(until_zero(&text)),
                Ok(text) => long_name = pax_path(&text).or(long_name),
                Err(error) => return (gathered, Err(wrong(error))),
            }
            continue;
        }
        let name = long_name.take();
        if !kind.is_file() {
            continue;
        }
        let name = name.or_else(|| entry.path().ok().map(|path| path.into_owned()));
        let name = name.map_or_else(|| PathBuf::from("?"), |path| below(&path));
        match unpack(&name, &mut entry, budget) {
            Ok(None) => {}
            Ok(Some(bytes)) => gathered.push(each(Member { name, bytes: Ok(bytes) })),
            Err(error) => {
                gathered.push(each(Member { name, bytes: Err(wrong(error)) }));
                return (gathered, Ok(()));
            }
        }
    }
    (gathered, Ok(()))
}

/// The bytes of a member that says something about the next one.
fn long<R: Read>(entry: &mut tar::Entry<'_, R>) -> io::Result<Vec<u8>> {
    if entry.size() > LONGEST_NAME {
        return Err(io::Error::other(format!("a member's name or attributes have {} bytes", entry.size())));
    }
    let mut text = Vec::new();
    entry.read_to_end(&mut text)?;
    Ok(text)
}

fn until_zero(text: &[u8]) -> PathBuf {
    let end = text.iter().position(|byte| *byte == 0).unwrap_or(text.len());
    PathBuf::from(String::from_utf8_lossy(&text[..end]).into_owned())
}

/// The path among the attributes of a member: lines of a length, a blank, a key, `=` and a value.
fn pax_path(text: &[u8]) -> Option<PathBuf> {
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    let of_path = lines.filter_map(|line| line.split_once(' ')?.1.strip_prefix("path="));
    of_path.map(PathBuf::from).next_back()
}

fn objects<T: Send>(bytes: &Bytes, each: &(dyn Fn(Member) -> T + Sync)) -> Gathered<T> {
    const MAGIC: u64 = 8;
    let cache = ReadCache::new(bytes.reader());
    let archive = match ArchiveFile::parse(&cache) {
        Ok(archive) if archive.is_thin() => {
            let thin = "it is a thin archive, which only names its members";
            return (Vec::new(), Err(Malformed::new(0, thin)));
        }
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), Err(Malformed::new(MAGIC, error.to_string()))),
    };
    let mut members = Vec::new();
    let mut outcome = Ok(());
    let mut end = MAGIC;
    for member in archive.members() {
        let member = match member {
            Ok(member) => member,
            Err(error) => {
                outcome = Err(Malformed::new(end, error.to_string()));
                break;
            }
        };
        let name = below(Path::new(&*String::from_utf8_lossy(member.name())));
        let (offset, size) = member.file_range();
        let part = bytes.part(offset, size).ok_or_else(|| Malformed::new(offset, "it is cut off"));
        end = offset.saturating_add(size);
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
pub(super) fn unpack(name: &Path, reader: &mut impl Read, budget: &Budget) -> io::Result<Option<Bytes>> {
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
