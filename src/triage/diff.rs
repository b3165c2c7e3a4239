//! Which lines a change touches, read from a unified diff without context.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::source::Sources;

/// The lines that a change touches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Changes {
    /// By resolved path, the first line and the last, from 1, of each touched part.
    pub lines: BTreeMap<PathBuf, Vec<(u32, u32)>>,
}

/// The lines of the new files that a diff touches (`git diff --unified=0`); where lines were only taken away, the
/// line before and the line after. Paths of the diff are relative to `root`.
pub fn changes(diff: &str, root: &Path) -> Changes {
    let mut changes = Changes::default();
    let mut path: Option<PathBuf> = None;
    let mut skip = (0, 0);
    for line in diff.lines() {
        // Lines of a hunk may look like heads.
        match line.bytes().next() {
            Some(b'-') if skip.0 > 0 => {
                skip.0 -= 1;
                continue;
            }
            Some(b'+') if skip.1 > 0 => {
                skip.1 -= 1;
                continue;
            }
            _ => {}
        }
        if let Some(name) = line.strip_prefix("+++ ") {
            path = unquoted(name).strip_prefix("b/").map(|name| root.join(name));
        } else if let (Some(path), Some((old, new))) = (&path, hunk(line)) {
            skip = (old.1, new.1);
            let part = match new {
                (start, 0) => (start, start + 1),
                (start, count) => (start, start + count - 1),
            };
            changes.lines.entry(path.clone()).or_default().push(part);
        }
    }
    changes
}

impl Changes {
    /// The change touches a place that the finding points at: the code to change, the other sides, the
    /// directive that decides or a definition on the way to it, in whatever files they are.
    pub fn touch(&self, finding: &Finding, sources: &Sources) -> bool {
        finding.places().any(|at| {
            let file = sources.file(at.file);
            let path = file.path.canonicalize().unwrap_or_else(|_| file.path.clone());
            let first = file.line_column(at.start).line;
            let last = file.line_column(at.end.max(at.start)).line;
            let parts = self.lines.get(&path).map(Vec::as_slice).unwrap_or_default();
            parts.iter().any(|(start, end)| *start <= last && first <= *end)
        })
    }
}

/// A start line and a count of lines.
type Part = (u32, u32);

/// `@@ -1,2 +3,0 @@`: the old part and the new.
fn hunk(line: &str) -> Option<(Part, Part)> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let part = |text: &str| match text.split_once(',') {
        Some((start, count)) => Some((start.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((part(old)?, part(new)?))
}

/// A name as git prints it, in quotes with C's escapes when it is odd.
fn unquoted(name: &str) -> String {
    // git ends a name that has a blank with a tab.
    let name = name.trim_end_matches('\t');
    let Some(inner) = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')) else {
        return name.to_string();
    };
    let mut bytes = Vec::new();
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b't') => bytes.push(b'\t'),
            Some(b'n') => bytes.push(b'\n'),
            Some(digit @ b'0'..=b'3') => {
                let digits =
                    [Some(digit), rest.next(), rest.next()].map(|digit| digit.unwrap_or(b'0') - b'0');
                bytes.push(digits[0] * 64 + digits[1] * 8 + digits[2]);
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touched_lines_are_read_from_a_diff() {
        let diff = "diff --git a/x.cu b/x.cu\n--- a/x.cu\n+++ b/x.cu\n@@ -3 +3,2 @@ f\n-int a;\n+++ b/y.cu\n+b\n\
            @@ -9,2 +10,0 @@\n--- a/q\n-c\ndiff --git a/o b/o\n--- a/o\n+++ \"b/o \\303\\251.cu\"\n@@ -0,0 +1,3 @@\n+1\n+2\n+3\n\
            diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let changes = changes(diff, Path::new("/r"));
        let lines: Vec<_> =
            changes.lines.iter().map(|(path, lines)| (path.to_str().unwrap(), lines.as_slice())).collect();
        assert_eq!(lines, [("/r/o é.cu", &[(1, 3)][..]), ("/r/x.cu", &[(3, 4), (10, 11)][..])]);
    }
}
