//! Converts between `file:` URIs (RFC 8089) and paths.

use std::path::{Path, PathBuf};

use lsp_types::Uri;

/// The path of a `file:` URI; `None` for other schemes (`untitled:`, `git:`) and for files of other hosts.
pub(super) fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"))?.len();
    let rest = &uri.as_str()[rest..];
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let path = decoded(path)?;
    Some(PathBuf::from(if has_drive(&path[1..]) { path[1..].to_string() } else { path }))
}

/// The URI of a path, which is made absolute.
pub(super) fn from_path(path: &Path) -> Option<Uri> {
    let path = std::path::absolute(path).ok()?;
    let text = path.to_str()?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_string() };
    let root = if text.starts_with('/') { "" } else { "/" };
    format!("file://{root}{}", encoded(&text)).parse().ok()
}

/// An absolute path in the form that URIs have.
pub(super) fn encoded_path(path: &Path) -> String {
    from_path(path).map_or_else(String::new, |uri| uri.as_str()["file://".len()..].to_string())
}

/// Whether it is a Windows path, `c:/…`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// The text with each `%XX` decoded; `None` if the result is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => (hex(rest.next()?)? << 4) | hex(rest.next()?)?,
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    (digit as char).to_digit(16).map(|value| value as u8)
}

/// The text with percent-encoding of all bytes that may not stand in a URI's path.
fn encoded(text: &str) -> String {
    let mut uri = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                uri.push(byte as char)
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(uri: &str, path: Option<&str>) {
        assert_eq!(to_path(&uri.parse().unwrap()), path.map(PathBuf::from), "{uri}");
    }

    #[test]
    fn the_paths_of_uris() {
        check("file:///a/b.cu", Some("/a/b.cu"));
        check("file:/a/b.cu", Some("/a/b.cu"));
        check("FILE://localhost/a%20b/%C3%A9+c.cu", Some("/a b/é+c.cu"));
        check("file:///c%3A/x.cu", Some("c:/x.cu"));
        check("file://server/share/x.cu", None);
        check("file:///bad%FF.cu", None);
        check("untitled:Untitled-1", None);
        check("git:/a/b.cu?ref", None);
    }

    #[cfg(unix)]
    #[test]
    fn a_path_comes_back_from_its_uri() {
        for path in ["/a/b.cu", "/a b/é😀#?%20[1].cu"] {
            let uri = from_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        assert_eq!(from_path(Path::new("/a b")).unwrap().as_str(), "file:///a%20b");
    }
}
