//! File paths in reports: for people, for code hosts, and as URIs.

use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};

use crate::finding::slashed;

/// The characters to encode in a path segment of a URI: all but unreserved ones (RFC 3986, section 2.3). A `:` in the
/// first segment of a relative URI would be taken for the end of a scheme.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path for people: relative to the working directory if it is below it, with `/` as separator.
pub fn display_path(path: &Path) -> String {
    let below =
        std::env::current_dir().ok().and_then(|current| path.strip_prefix(current).ok().map(PathBuf::from));
    let path = below.as_deref().unwrap_or(path);
    let path = path.strip_prefix(".").unwrap_or(path);
    slashed(path)
}

/// A path for a code host: with symbolic links resolved, relative to the project's root if it is below it.
pub(super) fn below(path: &Path, root: &Path) -> String {
    let real = resolved(path);
    slashed(real.strip_prefix(root).unwrap_or(&real))
}

/// A URI reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Uri {
    /// Relative to the project's root.
    Relative(String),
    /// A `file:` URI, for a file outside of the root.
    Absolute(String),
}

/// The URI of a path after resolving symbolic links, relative if it is below `root`. Bytes that are not UTF-8 are
/// percent-encoded unchanged.
pub(super) fn uri(path: &Path, root: &Path) -> Uri {
    let real = resolved(path);
    match real.strip_prefix(root) {
        Ok(below) => Uri::Relative(encoded(below)),
        Err(_) => Uri::Absolute(format!("file:///{}", encoded(&real))),
    }
}

/// The components of a path, percent-encoded and separated by `/`.
fn encoded(path: &Path) -> String {
    let segments = path.components().filter_map(|part| match part {
        std::path::Component::RootDir => None,
        part => Some(percent_encode(part.as_os_str().as_encoded_bytes(), SEGMENT).to_string()),
    });
    segments.collect::<Vec<_>>().join("/")
}

/// The absolute path with symbolic links resolved, as far as the file exists.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    absolute.canonicalize().unwrap_or(absolute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_are_encoded() {
        let root = Path::new("/no-such-root");
        let check = |path: &str, expected: Uri| assert_eq!(uri(Path::new(path), root), expected);
        check("/no-such-root/a b/c#d%e.cu", Uri::Relative("a%20b/c%23d%25e.cu".into()));
        check("/no-such-root/a:b[c]?<é>.cu", Uri::Relative("a%3Ab%5Bc%5D%3F%3C%C3%A9%3E.cu".into()));
        check("/no-such-place/x y.h", Uri::Absolute("file:///no-such-place/x%20y.h".into()));
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_utf_8_keep_their_bytes() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new("/no-such-root").join(std::ffi::OsStr::from_bytes(b"a\xff.cu"));
        assert_eq!(uri(&path, Path::new("/no-such-root")), Uri::Relative("a%FF.cu".into()));
    }
}
