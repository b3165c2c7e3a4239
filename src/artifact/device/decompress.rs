//! The payload of an image, decompressed.

use crate::artifact::bytes::room;

/// How a payload is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compression {
    /// It is not.
    None,
    /// One LZ4 block.
    Lz4,
    /// One zstd frame.
    Zstd,
}

/// The largest image that is read, in bytes. Each thread holds one; the largest seen, of cuDNN, has 40 million.
pub(super) const LARGEST: u64 = 1 << 28;

/// A byte of an LZ4 block stands for at most this many (a length goes on with bytes of 255).
const LZ4_MOST: u64 = 255;

/// Memory for decompressing one image after the other.
#[derive(Default)]
pub(super) struct Decompressor {
    image: Vec<u8>,
    /// A context has tables of its own: to make one for each image takes a twentieth of the time.
    zstd: zstd::bulk::Decompressor<'static>,
}

impl Decompressor {
    /// Makes room for images of up to `size` bytes.
    pub(super) fn make_room(&mut self, size: u64) {
        room(&mut self.image, size.min(LARGEST) as usize);
    }

    /// Frees that room.
    pub(super) fn give_back(&mut self) {
        self.image = Vec::new();
    }
}

/// The payload as it was, which has `size` bytes: itself, or in the memory of `decompressor`.
///
/// # Errors
/// Why it can't be had, in a phrase.
pub(super) fn decompress<'b>(
    payload: &'b [u8],
    how: Compression,
    size: u64,
    decompressor: &'b mut Decompressor,
) -> Result<&'b [u8], String> {
    let Decompressor { image, zstd } = decompressor;
    if size > LARGEST {
        return Err(format!("an image claims {size} bytes"));
    }
    match how {
        Compression::None => Ok(payload),
        Compression::Lz4 => {
            if size > (payload.len() as u64).saturating_mul(LZ4_MOST) {
                return Err(format!("{} compressed bytes can't be {size}", payload.len()));
            }
            let image = room(image, size as usize);
            let size = i32::try_from(size).map_err(|error| error.to_string())?;
            let len = lz4::block::decompress_to_buffer(payload, Some(size), image)
                .map_err(|_| "the LZ4 block is malformed".to_string())?;
            full(&image[..len], size as u64)
        }
        Compression::Zstd => {
            let image = room(image, size as usize);
            let len = zstd
                .decompress_to_buffer(payload, image)
                .map_err(|error| format!("the zstd frame is malformed: {error}"))?;
            full(&image[..len], size)
        }
    }
}

fn full(image: &[u8], size: u64) -> Result<&[u8], String> {
    match image.len() as u64 == size {
        true => Ok(image),
        false => Err(format!("an image of {size} bytes has {} when it is decompressed", image.len())),
    }
}
