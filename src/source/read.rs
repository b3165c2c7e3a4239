//! Files read whole, up to a size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of the largest file that is read.
const LARGEST: u64 = 256 << 20;

/// Bytes that are read of a stream whose length is not known: a pipe, standard input, a device without end.
const LARGEST_STREAM: u64 = 64 << 20;

/// The contents of a file.
///
/// # Errors
/// The operating system's, or one that says that the file is larger than 256 MiB, or 64 MiB if it is no ordinary file.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    match file.metadata() {
        Ok(metadata) if metadata.is_file() => read_up_to(file, metadata.len(), LARGEST),
        _ => read_stream(file),
    }
}

/// What a stream gives up to its end.
///
/// # Errors
/// Those of [`read_bytes`].
pub fn read_stream(stream: impl Read) -> io::Result<Vec<u8>> {
    read_up_to(stream, 0, LARGEST_STREAM)
}

/// What a stream gives, of which `expected` bytes are to come.
fn read_up_to(stream: impl Read, expected: u64, largest: u64) -> io::Result<Vec<u8>> {
    // One more, so that the end is met without growing.
    let mut bytes = Vec::with_capacity((expected.min(largest) + 1) as usize);
    stream.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        let reason = format!("it is larger than {} MiB", largest >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// The text of a file in UTF-8.
///
/// # Errors
/// Those of [`read_bytes`], or one that says that it is no UTF-8.
pub fn read_utf8(path: &Path) -> io::Result<String> {
    String::from_utf8(read_bytes(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_an_error() {
        let error = read_bytes(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than 64 MiB");
    }
}
