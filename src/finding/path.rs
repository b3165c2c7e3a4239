//! How a path is spelled where findings are written down.

use std::path::Path;

/// A path with `/` between its names on every system; on Unix a `\` is a letter of a name.
pub fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
