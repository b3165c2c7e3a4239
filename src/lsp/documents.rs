//! The client's open documents with their unsaved text.

use std::path::{Path, PathBuf};

use lsp_types::{TextDocumentContentChangeEvent, TextDocumentItem, Uri};

use crate::project::{HEADER_EXTENSIONS, SOURCE_EXTENSIONS, tidy};

use super::position::{Encoding, Lines};
use super::uri;

/// How to treat a document that no unit of the project reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// As a unit.
    Source,
    /// As a unit, if none of the other units has included it once all are analysed.
    Header,
    /// Not at all: C++ that only the host compiler sees.
    Other,
}

/// An open document with a `file:` URI.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// The URI as the client spells it.
    pub(super) uri: Uri,
    /// Its path, tidied.
    pub(super) path: PathBuf,
    /// The client's version number of the text.
    pub(super) version: i32,
    /// The text with unsaved changes.
    pub(super) text: String,
    /// The treatment that name and language suggest.
    pub(super) kind: Kind,
}

impl Document {
    /// `None` for a document whose URI does not name a file.
    pub(super) fn open(item: TextDocumentItem) -> Option<Document> {
        let path = tidy(&uri::to_path(&item.uri)?);
        let kind = kind(&path, &item.language_id);
        Some(Document { uri: item.uri, path, version: item.version, text: item.text, kind })
    }

    /// Applies changes in order; each refers to the text that the previous one produced.
    pub(super) fn change(
        &mut self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        self.version = version;
        for change in changes {
            let Some(range) = change.range else {
                self.text = change.text;
                continue;
            };
            let lines = Lines::new(&self.text, encoding);
            let start = lines.offset(range.start);
            let end = lines.offset(range.end).max(start);
            self.text.replace_range(start..end, &change.text);
        }
    }
}

/// Editors call CUDA files and headers `cuda` or `cuda-cpp`, or know them only as C++.
fn kind(path: &Path, language: &str) -> Kind {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    let ends_in = |extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
    if ends_in(HEADER_EXTENSIONS) {
        Kind::Header
    } else if ends_in(SOURCE_EXTENSIONS) || language.starts_with("cuda") {
        Kind::Source
    } else {
        Kind::Other
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(name: &str, language: &str, text: &str) -> Document {
        let uri = uri::from_path(&Path::new("/w").join(name)).unwrap();
        Document::open(TextDocumentItem { uri, language_id: language.into(), version: 1, text: text.into() })
            .unwrap()
    }

    /// Applies changes given as `(start line, start column, end line, end column, text)`.
    fn check(text: &str, changes: &[(u32, u32, u32, u32, &str)], expected: &str) {
        let mut document = document("a.cu", "cuda", text);
        let change = |(line, column, end_line, end_column, text): &(u32, u32, u32, u32, &str)| {
            serde_json::from_value(json!({
                "range": {
                    "start": {"line": line, "character": column},
                    "end": {"line": end_line, "character": end_column},
                },
                "text": text,
            }))
            .unwrap()
        };
        document.change(2, changes.iter().map(change).collect(), Encoding::Utf16);
        assert_eq!((document.text.as_str(), document.version), (expected, 2));
    }

    #[test]
    fn edits_apply_in_their_order() {
        check("int a;\nint b;\n", &[(0, 4, 0, 5, "xyz"), (0, 7, 1, 0, ", ")], "int xyz, int b;\n");
        check("/*😀é*/ a", &[(0, 2, 0, 4, ""), (0, 6, 0, 7, "b")], "/*é*/ b");
        check("a", &[(7, 0, 9, 9, "\nb")], "a\nb");
        check("abc", &[(0, 2, 0, 1, "x")], "abxc");
    }

    #[test]
    fn a_change_without_a_range_is_the_whole_text() {
        let mut document = document("a.cu", "cuda", "old");
        let change = TextDocumentContentChangeEvent { range: None, range_length: None, text: "new".into() };
        document.change(2, vec![change], Encoding::Utf16);
        assert_eq!(document.text, "new");
    }

    #[test]
    fn names_say_more_than_languages() {
        let kind = |name: &str, language: &str| document(name, language, "").kind;
        assert_eq!(kind("a.cu", "cpp"), Kind::Source);
        assert_eq!(kind("a.cuh", "cuda"), Kind::Header);
        assert_eq!(kind("a.h", "c"), Kind::Header);
        assert_eq!(kind("a.cpp", "cuda-cpp"), Kind::Source);
        assert_eq!(kind("a.cpp", "cpp"), Kind::Other);
    }
}
