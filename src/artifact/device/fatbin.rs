//! A fatbin: a header and one entry for each image.
//!
//! NVIDIA does not document the layout; this is what nvcc 9.0 to 13.5 write. The header is u32 magic, u16 version, u16
//! header size, u64 size of the entries. An entry is u16 kind, u16, u32 header size, u64 payload size, u32 compressed
//! size, u32, u16 minor and major version, u32 architecture, u32 and u32 of a name, u64 flags, u64, u64 decompressed
//! size; then what else its header size covers; then the payload.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::artifact::bytes::{Bytes, room};
use crate::artifact::error::Malformed;
use crate::target::{Arch, ImageKind, Suffix};

use super::contents::Contents;
use super::cubin::read_cubin;
use super::decompress::{Compression, Decompressor, LARGEST, decompress};
use super::pieces::read_pieces;
use super::ptx::read_ptx;

/// The first four bytes of a fatbin.
pub(in crate::artifact) const MAGIC: u32 = 0xBA55_ED50;

const HEADER: usize = 16;
const ENTRY_HEADER: usize = 64;

/// Kinds of entries. There are others (indices, options), which are no code.
const PTX: u16 = 1;
const ELF: u16 = 2;
const LTO: u16 = 8;

const FLAG_LZ4: u64 = 0x2000;
const FLAG_ZSTD: u64 = 0x8000;
const FLAG_CHIP: u64 = 0x10_0000;
const FLAG_FAMILY: u64 = 0x20_0000;

/// A fatbin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::artifact) struct Fatbin {
    /// The images, in their order.
    pub entries: Vec<Entry>,
    /// One past its last byte.
    pub end: u64,
}

/// An image of a fatbin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::artifact) struct Entry {
    /// Its form.
    pub kind: ImageKind,
    /// The architecture that it was made for.
    pub arch: Arch,
    /// Where its payload is in the bytes that the fatbin was read from.
    pub offset: u64,
    /// Bytes of its payload as it is stored, without padding.
    pub stored: u64,
    /// Bytes of it when it is decompressed.
    pub size: u64,
    compression: Compression,
}

/// The fatbin at an offset, its images not read yet.
///
/// # Errors
/// When something of it lies outside `bytes` or is not as fatbins are.
pub(in crate::artifact) fn read_fatbin(bytes: &Bytes, offset: u64) -> Result<Fatbin, Malformed> {
    let header = fields::<HEADER>(bytes, offset, "the header of a fatbin")?;
    if header.u32(0) != MAGIC {
        return Err(Malformed::new(offset, "no fatbin"));
    }
    let size = header.u64(8);
    let first = offset.checked_add(u64::from(header.u16(6))).filter(|_| usize::from(header.u16(6)) >= HEADER);
    let end = first.and_then(|first| first.checked_add(size)).filter(|end| *end <= bytes.len());
    let (Some(mut at), Some(end)) = (first, end) else {
        return Err(Malformed::new(offset, format!("a fatbin of {size} bytes reaches beyond its section")));
    };
    let mut entries = Vec::new();
    while at < end {
        let (entry, next) = read_entry(bytes, at, end)?;
        entries.extend(entry);
        if entries.len() > MOST_IMAGES {
            return Err(Malformed::new(at, format!("a fatbin of more than {MOST_IMAGES} images")));
        }
        at = next;
    }
    Ok(Fatbin { entries, end })
}

/// The entry at an offset, if it is an image, and where the next one begins.
fn read_entry(bytes: &Bytes, at: u64, end: u64) -> Result<(Option<Entry>, u64), Malformed> {
    let entry = fields::<ENTRY_HEADER>(bytes, at, "the header of an image")?;
    let (header, payload) = (u64::from(entry.u32(4)), entry.u64(8));
    let offset = at.checked_add(header).filter(|_| header >= ENTRY_HEADER as u64);
    let next = offset.and_then(|offset| offset.checked_add(payload)).filter(|next| *next <= end);
    let (Some(offset), Some(next)) = (offset, next) else {
        return Err(Malformed::new(at, format!("an image of {payload} bytes reaches beyond its fatbin")));
    };
    let kind = match entry.u16(0) {
        PTX => ImageKind::Ptx,
        ELF => ImageKind::Elf,
        LTO => ImageKind::Lto,
        _ => return Ok((None, next)),
    };
    let flags = entry.u64(40);
    let number = u16::try_from(entry.u32(28)).ok().filter(|number| *number < HIGHEST);
    let Some(number) = number else {
        return Err(Malformed::new(at + 28, format!("there is no sm_{}", entry.u32(28))));
    };
    let suffix = match flags {
        _ if flags & FLAG_CHIP != 0 => Suffix::A,
        _ if flags & FLAG_FAMILY != 0 => Suffix::F,
        _ => Suffix::None,
    };
    let compressed = u64::from(entry.u32(16));
    let (compression, stored, size) = match compressed {
        0 => (Compression::None, payload, payload),
        _ if flags & FLAG_LZ4 != 0 => (Compression::Lz4, compressed, entry.u64(56)),
        _ if flags & FLAG_ZSTD != 0 => (Compression::Zstd, compressed, entry.u64(56)),
        _ => return Err(Malformed::new(at + 40, format!("an unknown compression, flags {flags:#x}"))),
    };
    if stored > payload {
        return Err(Malformed::new(at + 16, format!("{stored} compressed bytes in {payload}")));
    }
    let arch = Arch { number, suffix };
    Ok((Some(Entry { kind, arch, offset, stored, size, compression }), next))
}

/// More images than there are targets to compile for, in every form.
const MOST_IMAGES: usize = 256;

/// No architecture has a number this high.
const HIGHEST: u16 = 10_000;

/// Memory for one image after the other: as it is stored, and decompressed.
#[derive(Default)]
pub(in crate::artifact) struct Scratch {
    stored: Vec<u8>,
    decompressor: Decompressor,
}

/// Memory for images that threads hand on to each other: as much of it as threads read at once.
#[derive(Default)]
pub(in crate::artifact) struct ScratchPool {
    free: Mutex<Vec<Scratch>>,
    /// What is in memory now.
    memory: Mutex<InMemory>,
    /// Tells those who wait that it has become less.
    fewer: Condvar,
}

/// The images in memory.
#[derive(Default)]
struct InMemory {
    bytes: u64,
    /// How many threads wait for it to become less: to tell nobody is a call of the system for each image.
    waiting: usize,
}

/// How many bytes images that are in memory at the same time have together, however many threads there are; an image that
/// has more is alone. The largest that were seen have a hundred million each.
const MOST_HELD: u64 = 1 << 28;

/// Memory for one of more bytes is given back.
const KEPT: u64 = 1 << 25;

/// A claim to memory, while it lasts.
struct Held<'p> {
    pool: &'p ScratchPool,
    bytes: u64,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut memory = locked(&self.pool.memory);
        memory.bytes -= self.bytes;
        if memory.waiting > 0 {
            self.pool.fewer.notify_all();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScratchPool {
    /// Reads images in parallel, and gives what is in each in their order.
    pub(in crate::artifact) fn read_images(
        &self,
        images: &[(&Bytes, &Entry)],
    ) -> Vec<Result<Contents, Malformed>> {
        // Memory that is made larger step by step is new each time, which takes as long as decompressing into it; of
        // room that no image needs after all, no page is touched.
        let compressed = images.iter().map(|(_, entry)| entry);
        let compressed = compressed.filter(|entry| entry.compression != Compression::None);
        let sizes = compressed.map(|entry| (entry.stored.min(LARGEST), entry.size));
        let largest = sizes.fold((0, 0), |most, one| (most.0.max(one.0), most.1.max(one.1)));
        let read = |(bytes, entry): &(&Bytes, &Entry)| {
            let bytes_held = entry.in_memory();
            let _held = self.hold(bytes_held);
            self.with(|scratch| {
                room(&mut scratch.stored, largest.0 as usize);
                scratch.decompressor.make_room(largest.1);
                let read = read_image(bytes, entry, scratch);
                if bytes_held > KEPT {
                    scratch.give_back();
                }
                read
            })
        };
        // The largest first, one after the other: what begins last should end soon.
        let mut order: Vec<usize> = (0..images.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(images[*index].1.size));
        let in_order = order.into_iter().par_bridge().map(|index| (index, read(&images[index])));
        let mut contents: Vec<(usize, Result<Contents, Malformed>)> = in_order.collect();
        contents.sort_by_key(|(index, _)| *index);
        contents.into_iter().map(|(_, contents)| contents).collect()
    }

    /// Calls `read` with memory that no other thread has now.
    pub(in crate::artifact) fn with<T>(&self, read: impl FnOnce(&mut Scratch) -> T) -> T {
        let mut scratch = locked(&self.free).pop().unwrap_or_default();
        let result = read(&mut scratch);
        locked(&self.free).push(scratch);
        result
    }

    /// Waits until the images in memory and so many bytes more are not too many, or there are none. Nobody who has such a
    /// claim waits for another.
    fn hold(&self, bytes: u64) -> Held<'_> {
        let mut memory = locked(&self.memory);
        while memory.bytes > 0 && memory.bytes.saturating_add(bytes) > MOST_HELD {
            memory.waiting += 1;
            memory = self.fewer.wait(memory).unwrap_or_else(PoisonError::into_inner);
            memory.waiting -= 1;
        }
        memory.bytes += bytes;
        Held { pool: self, bytes }
    }
}

impl Entry {
    /// How many bytes of it are in memory while it is read.
    fn in_memory(&self) -> u64 {
        match (self.compression, self.kind) {
            (_, ImageKind::Lto) | (Compression::None, ImageKind::Elf) => 0,
            (Compression::None, _) => self.stored.min(LARGEST),
            _ => self.stored.min(LARGEST) + self.size.min(LARGEST),
        }
    }
}

impl Scratch {
    fn give_back(&mut self) {
        self.stored = Vec::new();
        self.decompressor.give_back();
    }
}

/// A cubin that is not compressed and larger than this is read table by table, in bytes.
const LARGE: u64 = 1 << 16;

/// The kernels and variables that an image defines.
///
/// # Errors
/// When it can't be decompressed or is not what it claims to be.
pub(in crate::artifact) fn read_image(
    bytes: &Bytes,
    entry: &Entry,
    scratch: &mut Scratch,
) -> Result<Contents, Malformed> {
    let wrong = |message: String| Malformed::new(entry.offset, message);
    if entry.kind == ImageKind::Lto {
        return Ok(Contents::default());
    }
    if entry.kind == ImageKind::Elf && entry.compression == Compression::None {
        return read_stored_cubin(bytes, entry.offset, entry.stored, scratch);
    }
    if entry.stored > LARGEST {
        return Err(wrong(format!("an image claims {} bytes", entry.stored)));
    }
    let stored = bytes.read_into(entry.offset, entry.stored, &mut scratch.stored);
    let stored = stored.map_err(|error| wrong(error.to_string()))?;
    let image =
        decompress(stored, entry.compression, entry.size, &mut scratch.decompressor).map_err(wrong)?;
    let read = match entry.kind {
        ImageKind::Elf => read_cubin(image),
        ImageKind::Ptx => read_ptx(image).map(|file| file.contents),
        ImageKind::Lto => Ok(Contents::default()),
    };
    read.map_err(|error| wrong(error.to_string()))
}

/// The kernels and variables of the cubin of `len` bytes at an offset.
///
/// # Errors
/// As for [`read_image`].
pub(in crate::artifact) fn read_stored_cubin(
    bytes: &Bytes,
    offset: u64,
    len: u64,
    scratch: &mut Scratch,
) -> Result<Contents, Malformed> {
    let wrong = |message: String| Malformed::new(offset, message);
    if len > LARGEST {
        return Err(wrong(format!("an image claims {len} bytes")));
    }
    let read = if len > LARGE {
        let pieces = read_pieces(bytes, offset, len, &mut scratch.stored);
        read_cubin(&pieces.map_err(|error| wrong(error.to_string()))?)
    } else {
        let image = bytes.read_into(offset, len, &mut scratch.stored);
        read_cubin(image.map_err(|error| wrong(error.to_string()))?)
    };
    read.map_err(|error| Malformed { offset: offset.saturating_add(error.offset), ..error })
}

/// Numbers at fixed places of a header.
struct Fields<const LEN: usize>([u8; LEN]);

fn fields<const LEN: usize>(bytes: &Bytes, at: u64, what: &str) -> Result<Fields<LEN>, Malformed> {
    let read = bytes.read_array(at);
    read.map(Fields).map_err(|_| Malformed::new(at, format!("{what} reaches beyond its section")))
}

impl<const LEN: usize> Fields<LEN> {
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        self.0[at..at + N].try_into().expect("headers are read whole and the places are inside")
    }

    fn u16(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    fn u32(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    fn u64(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }
}
