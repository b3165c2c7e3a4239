//! A cubin of which only the tables are read: code is most of it, and nothing here looks at code.

use std::io;
use std::ops::Range;

use memchr::memchr;
use object::read::ReadRef;

use crate::artifact::bytes::{Bytes, merged};

/// Parts of an image, each with the offset that it has there. What is in none of them can't be read.
#[derive(Clone, Debug)]
pub(super) struct Pieces<'b> {
    /// Bytes of the image.
    len: u64,
    /// By their offsets; no two overlap.
    parts: Vec<(u64, &'b [u8])>,
}

/// Sizes and places in ELF's headers of 64 bits.
const HEADER: u64 = 64;
const SECTION: usize = 64;

/// Types of sections: `SHT_SYMTAB`, `SHT_STRTAB`, `SHT_SYMTAB_SHNDX`, and NVIDIA's own for attributes.
const TABLES: [u32; 4] = [2, 3, 18, CUDA_INFO];
/// `SHT_CUDA_INFO`, the type of `.nv.info` sections.
pub(super) const CUDA_INFO: u32 = 0x7000_0000;

/// Tables that are nearer to each other than this many bytes are read at once.
const NEAR: u64 = 1 << 13;

/// Reads the tables of the cubin at an offset into a buffer that is used again and again. Of what is no ELF file, and of
/// one whose headers lie, there are fewer parts, and who reads them finds out.
///
/// # Errors
/// When the cubin reaches beyond `bytes`, or the operating system's error.
pub(super) fn read_pieces<'b>(
    bytes: &Bytes,
    offset: u64,
    len: u64,
    buffer: &'b mut Vec<u8>,
) -> io::Result<Pieces<'b>> {
    let image = bytes.part(offset, len).ok_or(io::ErrorKind::UnexpectedEof)?;
    let sections = section_table(&image)?.unwrap_or(0..0);
    let headers = image.read(sections.start, sections.end - sections.start)?;
    let mut ranges = vec![0..HEADER.min(len), sections];
    for header in headers.chunks_exact(SECTION) {
        let (start, size) = (u64_at(header, 24), u64_at(header, 32));
        let inside = start.checked_add(size).filter(|end| *end <= len && size > 0);
        if let Some(end) = inside.filter(|_| TABLES.contains(&u32_at(header, 4))) {
            ranges.push(start..end);
        }
    }
    let ranges = merged(ranges, NEAR);
    let total = ranges.iter().map(|range| range.end - range.start).sum();
    let mut rest = image.gather(&ranges, total, buffer)?;
    let mut parts = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (part, left) = rest.split_at((range.end - range.start) as usize);
        parts.push((range.start, part));
        rest = left;
    }
    Ok(Pieces { len, parts })
}

/// Where the table of sections is; nothing if the header does not say, or lies.
fn section_table(image: &Bytes) -> io::Result<Option<Range<u64>>> {
    let header = image.head(HEADER)?;
    if header.len() < HEADER as usize {
        return Ok(None);
    }
    let start = u64_at(&header, 40);
    let count = match u16::from_le_bytes([header[60], header[61]]) {
        // More than the field has room for: the first section's size says how many.
        0 if start.checked_add(HEADER).is_some_and(|end| start > 0 && end <= image.len()) => {
            u64_at(&image.read(start, SECTION as u64)?, 32)
        }
        count => u64::from(count),
    };
    let end = count.checked_mul(SECTION as u64).and_then(|size| start.checked_add(size));
    Ok(end.filter(|end| *end <= image.len()).map(|end| start..end))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("headers have 64 bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("headers have 64 bytes"))
}

impl<'b> ReadRef<'b> for &'b Pieces<'b> {
    fn len(self) -> Result<u64, ()> {
        Ok(self.len)
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'b [u8], ()> {
        if size == 0 {
            return Ok(&[]);
        }
        let before = self.parts.partition_point(|(start, _)| *start <= offset);
        let (start, part) = before.checked_sub(1).map(|index| self.parts[index]).ok_or(())?;
        let from = usize::try_from(offset - start).map_err(|_| ())?;
        let size = usize::try_from(size).map_err(|_| ())?;
        part.get(from..).and_then(|rest| rest.get(..size)).ok_or(())
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'b [u8], ()> {
        let bytes = self.read_bytes_at(range.start, range.end.checked_sub(range.start).ok_or(())?)?;
        memchr(delimiter, bytes).map(|len| &bytes[..len]).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_there_and_nothing_else() {
        let bytes = Bytes::from((0..=255).cycle().take(1 << 16).collect::<Vec<u8>>());
        let ranges = merged(vec![40_000..40_100, 0..64, 50..80, 20_000..20_001], NEAR);
        assert_eq!(ranges, [0..80, 20_000..20_001, 40_000..40_100]);
        let mut buffer = Vec::new();
        let gathered = bytes.gather(&ranges, 181, &mut buffer).unwrap();
        let parts = vec![(0, &gathered[..80]), (20_000, &gathered[80..81]), (40_000, &gathered[81..])];
        let pieces = &Pieces { len: 1 << 16, parts };
        assert_eq!(pieces.read_bytes_at(40_010, 2), Ok(&[74, 75][..]));
        assert_eq!(pieces.read_bytes_at(20_000, 1), Ok(&[32][..]));
        assert_eq!(pieces.read_bytes_at_until(60..80, 64), Ok(&[60, 61, 62, 63][..]));
        for (offset, size) in [(79, 2), (80, 1), (19_999, 1), (20_001, 1), (u64::MAX, 1), (0, u64::MAX)] {
            assert_eq!(pieces.read_bytes_at(offset, size), Err(()), "{offset} {size}");
        }
    }

    #[test]
    fn of_what_is_no_cubin_there_is_little() {
        for (len, claimed) in [(0, 0), (10, 0), (64, 0xffff), (200, 2)] {
            let mut bytes = vec![0_u8; len];
            if len >= 64 {
                bytes[40] = 64;
                bytes[60..62].copy_from_slice(&u16::to_le_bytes(claimed));
            }
            let bytes = Bytes::from(bytes);
            let mut buffer = Vec::new();
            let pieces = read_pieces(&bytes, 0, len as u64, &mut buffer).unwrap();
            assert!(pieces.parts.len() <= 2);
        }
        assert!(read_pieces(&Bytes::from(vec![0; 8]), 4, 8, &mut Vec::new()).is_err());
    }
}
