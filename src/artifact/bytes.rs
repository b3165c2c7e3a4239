//! A file's bytes, read at positions: of a file on disk, of memory, or of a part of either.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A range of bytes that many threads may read.
#[derive(Clone, Debug)]
pub(super) struct Bytes {
    store: Store,
    start: u64,
    len: u64,
}

#[derive(Clone, Debug)]
enum Store {
    Memory(Arc<Vec<u8>>),
    File(Arc<File>),
}

impl Bytes {
    /// The bytes of a file on disk, which are read when they are asked for.
    ///
    /// # Errors
    /// The operating system's error if the file can't be opened.
    pub(super) fn open(path: &Path) -> io::Result<Bytes> {
        Bytes::of_file(File::open(path)?)
    }

    /// The bytes of an open file.
    ///
    /// # Errors
    /// The operating system's error if the file's length can't be told.
    pub(super) fn of_file(file: File) -> io::Result<Bytes> {
        let len = file.metadata()?.len();
        Ok(Bytes { store: Store::File(Arc::new(file)), start: 0, len })
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Where the first one is in the file or memory that this is a part of.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// A part, if all of it is there.
    pub(super) fn part(&self, offset: u64, len: u64) -> Option<Bytes> {
        let inside = offset.checked_add(len).is_some_and(|end| end <= self.len);
        inside.then(|| Bytes { store: self.store.clone(), start: self.start + offset, len })
    }

    /// The bytes at a place, if all of them are there.
    ///
    /// # Errors
    /// When they are not, or the operating system says so.
    pub(super) fn read(&self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let part = self.part(offset, len).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut bytes = vec![0; usize::try_from(len).map_err(io::Error::other)?];
        part.fill_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// The bytes at a place as an array, if all of them are there.
    ///
    /// # Errors
    /// As for [`Bytes::read`].
    pub(super) fn read_array<const LEN: usize>(&self, offset: u64) -> io::Result<[u8; LEN]> {
        let part = self.part(offset, LEN as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut bytes = [0; LEN];
        part.fill_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// The same in a buffer that is used again and again: fresh memory costs as much as decompressing into it.
    ///
    /// # Errors
    /// As for [`Bytes::read`].
    pub(super) fn read_into<'b>(
        &self,
        offset: u64,
        len: u64,
        buffer: &'b mut Vec<u8>,
    ) -> io::Result<&'b [u8]> {
        let part = self.part(offset, len).ok_or(io::ErrorKind::UnexpectedEof)?;
        let bytes = room(buffer, usize::try_from(len).map_err(io::Error::other)?);
        part.fill_at(0, bytes)?;
        Ok(bytes)
    }

    /// Ranges of the bytes, `total` in all, one behind the other in a buffer that is used again and again.
    ///
    /// # Errors
    /// As for [`Bytes::read`].
    pub(super) fn gather<'b>(
        &self,
        ranges: &[Range<u64>],
        total: u64,
        buffer: &'b mut Vec<u8>,
    ) -> io::Result<&'b [u8]> {
        let gathered = room(buffer, usize::try_from(total).map_err(io::Error::other)?);
        let mut rest = &mut *gathered;
        for range in ranges {
            let part = self.part(range.start, range.end - range.start).ok_or(io::ErrorKind::UnexpectedEof)?;
            let (into, left) =
                rest.split_at_mut_checked(part.len as usize).ok_or(io::ErrorKind::InvalidInput)?;
            part.fill_at(0, into)?;
            rest = left;
        }
        Ok(gathered)
    }

    /// As many of the first bytes as there are, up to `most`.
    ///
    /// # Errors
    /// The operating system's error.
    pub(super) fn head(&self, most: u64) -> io::Result<Vec<u8>> {
        self.read(0, self.len.min(most))
    }

    /// A reader that begins at the first byte.
    pub(super) fn reader(&self) -> Reader {
        Reader { bytes: self.clone(), at: 0, place: Arc::default() }
    }

    /// Fills a buffer from an offset at which that many bytes are known to be.
    fn fill_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let at = self.start + offset;
        match &self.store {
            Store::Memory(bytes) => {
                let start = usize::try_from(at).map_err(io::Error::other)?;
                let from = bytes.get(start..start + buffer.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(from);
                Ok(())
            }
            Store::File(file) => fill_from(file, at, buffer),
        }
    }
}

/// The first bytes of a buffer, which is a new one if it has fewer: pages of zeros take memory when they are written to.
pub(super) fn room(buffer: &mut Vec<u8>, len: usize) -> &mut [u8] {
    if buffer.len() < len {
        *buffer = Vec::new();
        *buffer = vec![0; len.next_power_of_two()];
    }
    &mut buffer[..len]
}

/// Ranges in order, those that overlap or are at most `near` bytes from each other as one.
pub(super) fn merged(mut ranges: Vec<Range<u64>>, near: u64) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(near) => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Bytes {
        let len = bytes.len() as u64;
        Bytes { store: Store::Memory(Arc::new(bytes)), start: 0, len }
    }
}

#[cfg(unix)]
fn fill_from(file: &File, at: u64, buffer: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn fill_from(file: &File, mut at: u64, mut buffer: &mut [u8]) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, at)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        at += read as u64;
        buffer = &mut buffer[read..];
    }
    Ok(())
}

/// A position in [`Bytes`].
#[derive(Clone, Debug)]
pub(super) struct Reader {
    bytes: Bytes,
    at: u64,
    /// Where the last read began, for those who gave the reader away.
    place: Arc<AtomicU64>,
}

impl Reader {
    /// What tells where the last read of this reader, or of a clone of it, began.
    pub(super) fn place(&self) -> Place {
        Place(Arc::clone(&self.place))
    }
}

/// Where a reader is, also when something else has it.
#[derive(Clone, Debug)]
pub(super) struct Place(Arc<AtomicU64>);

impl Place {
    /// Bytes from the start.
    pub(super) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.len.saturating_sub(self.at);
        let len = left.min(buffer.len() as u64) as usize;
        self.place.store(self.at, Ordering::Relaxed);
        self.bytes.fill_at(self.at, &mut buffer[..len])?;
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.bytes.len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
