//! Files read whole, up to a size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes of the largest file that is read. Devices such as `/dev/zero` have no end.
const LARGEST: u64 = 256 << 20;

/// The contents of a file.
///
/// # Errors
/// The operating system's, or one that says that the file is larger than 256 MiB.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut bytes = Vec::with_capacity(length.min(LARGEST) as usize);
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let reason = format!("it is larger than {} MiB", LARGEST >> 20);
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
        assert_eq!(error.to_string(), "it is larger than 256 MiB");
    }
}
