//! The container of a summary: a line that says what it is, then parts with their lengths and digests.
//!
//! In: parts as bytes. Out: a file's bytes, and parts of it that are what was written. A part is read on its own, so that
//! who judges a hundred thousand units reads of each what it needs. Knows nothing of what the parts say.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::SummaryError;

/// The layout's version.
const FORMAT: u32 = 1;

/// What every summary begins with.
const MAGIC: &str = "cuda-arch-lint summary ";

/// A part of a summary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// What is known of the run that made it.
    Context,
    /// What is judged.
    Body,
    /// Which passes enter which lines: for reports that show it.
    Regions,
    /// The unit as it was compiled, and all that it read: for a cache, and to try fixes.
    Origin,
}

/// Every part, in the order in which they follow each other, with its name for people.
const PARTS: [(Part, &str); 4] = [
    (Part::Context, "part on the run"),
    (Part::Body, "part on findings"),
    (Part::Regions, "part on conditionals"),
    (Part::Origin, "part on what was read"),
];

/// The bytes of lengths and digests: of each part how long it is, how long it is unpacked and its digest; then their own digest.
const DIRECTORY: usize = PARTS.len() * ENTRY + 32;
const ENTRY: usize = 8 + 8 + 32;

/// The largest part that is unpacked.
const LARGEST: u64 = 1 << 30;

/// The program's version, and what its sources are.
pub(super) fn program() -> String {
    format!("{} ({})", env!("CARGO_PKG_VERSION"), env!("CUDA_ARCH_LINT_SOURCES"))
}

/// A part, packed.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    bytes: Vec<u8>,
    length: u64,
    digest: [u8; 32],
}

impl Packed {
    /// Packs a part.
    pub(super) fn of(part: &[u8]) -> Result<Packed, SummaryError> {
        let bytes = zstd::bulk::compress(part, 3)?;
        let digest = Sha256::digest(&bytes).into();
        Ok(Packed { bytes, length: part.len() as u64, digest })
    }

    /// The part.
    pub(super) fn unpack(&self, part: Part) -> Result<Vec<u8>, SummaryError> {
        let part = name(part);
        if <[u8; 32]>::from(Sha256::digest(&self.bytes)) != self.digest {
            return Err(SummaryError::Damaged { part });
        }
        let senseless = |reason: String| SummaryError::Senseless { part, reason };
        if self.length > LARGEST {
            return Err(senseless(format!("{} bytes", self.length)));
        }
        let unpacked = zstd::bulk::decompress(&self.bytes, self.length as usize);
        unpacked.map_err(|error| senseless(error.to_string()))
    }
}

fn name(part: Part) -> &'static str {
    PARTS.iter().find(|(one, _)| *one == part).map_or("part", |(_, name)| name)
}

/// The bytes of a summary with these parts.
pub(super) fn written(parts: [&Packed; PARTS.len()]) -> Vec<u8> {
    let mut bytes = first_line().into_bytes();
    let directory = bytes.len();
    for part in parts {
        bytes.extend((part.bytes.len() as u64).to_le_bytes());
        bytes.extend(part.length.to_le_bytes());
        bytes.extend(part.digest);
    }
    let digest = Sha256::digest(&bytes[directory..]);
    bytes.extend(digest);
    parts.iter().for_each(|part| bytes.extend(&part.bytes));
    bytes
}

fn first_line() -> String {
    format!("{MAGIC}{FORMAT} {}\n", program())
}

/// Where a part is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    from: u64,
    bytes: u64,
    /// How long it is unpacked.
    length: u64,
    digest: [u8; 32],
}

/// A summary's file, of which parts are read.
#[derive(Debug)]
pub(super) struct Container<R> {
    reader: R,
    parts: Vec<Entry>,
}

impl Container<File> {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> Result<Container<File>, SummaryError> {
        Container::of(File::open(path)?)
    }
}

impl<R: Read + Seek> Container<R> {
    /// A summary that is read from here. All of it is there, whether or not it is what was written.
    pub(super) fn of(mut reader: R) -> Result<Container<R>, SummaryError> {
        let line = first_line();
        let head = line.len() + DIRECTORY;
        let mut begin = Vec::with_capacity(head);
        reader.by_ref().take(head as u64).read_to_end(&mut begin)?;
        let Some(directory) = begin.strip_prefix(line.as_bytes()) else { return Err(foreign(&begin)) };
        let Some((entries, digest)) =
            directory.split_at_checked(DIRECTORY - 32).filter(|_| begin.len() == head)
        else {
            return Err(SummaryError::Cut { found: begin.len() as u64, expected: head as u64 });
        };
        if Sha256::digest(entries)[..] != *digest {
            return Err(SummaryError::Damaged { part: "list of parts" });
        }
        let mut end = head as u64;
        let entry = |entry: &[u8]| {
            let number = |at: usize| entry[at..at + 8].try_into().map(u64::from_le_bytes);
            let number = |at: usize| number(at).expect("eight bytes are eight bytes");
            let digest = entry[16..].try_into().expect("an entry ends with a digest");
            let one = Entry { from: end, bytes: number(0), length: number(8), digest };
            end = end.saturating_add(one.bytes);
            one
        };
        let parts = entries.chunks_exact(ENTRY).map(entry).collect();
        let found = reader.seek(SeekFrom::End(0))?;
        match found == end {
            true => Ok(Container { reader, parts }),
            false => Err(SummaryError::Cut { found, expected: end }),
        }
    }

    /// A part as it is in the file.
    pub(super) fn packed(&mut self, part: Part) -> Result<Packed, SummaryError> {
        let index = PARTS.iter().position(|(one, _)| *one == part).expect("the table has every part");
        let Entry { from, bytes, length, digest } = self.parts[index];
        self.reader.seek(SeekFrom::Start(from))?;
        // The file is as long as its parts, so no part is longer than the file.
        let mut read = vec![0; bytes as usize];
        self.reader.read_exact(&mut read)?;
        Ok(Packed { bytes: read, length, digest })
    }

    /// A part.
    pub(super) fn part(&mut self, part: Part) -> Result<Vec<u8>, SummaryError> {
        self.packed(part)?.unpack(part)
    }
}

/// Why a file that does not begin as this program's summaries do can't be read.
fn foreign(begin: &[u8]) -> SummaryError {
    let Some(rest) = begin.strip_prefix(MAGIC.as_bytes()) else {
        // The first bytes of one, and no more.
        return match !begin.is_empty() && MAGIC.as_bytes().starts_with(begin) {
            true => SummaryError::Cut { found: begin.len() as u64, expected: DIRECTORY as u64 },
            false => SummaryError::NotOne,
        };
    };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    let made_by = match line.split_once(' ') {
        Some((format, made_by)) if format == FORMAT.to_string() => made_by.to_string(),
        Some((format, made_by)) => format!("{made_by}, layout {format}"),
        None => line,
    };
    SummaryError::OtherVersion { made_by, this: program() }
}
