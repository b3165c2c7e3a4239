//! Converts between byte offsets and the protocol's positions.
//!
//! The protocol counts lines from 0, ended by `\n`, `\r\n` or a lone `\r`, and columns in the code units of the
//! encoding that was negotiated.

use lsp_types::{Position, PositionEncodingKind, Range};
use memchr::memchr2_iter;

/// The unit of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    /// UTF-8 code units: bytes.
    Utf8,
    /// UTF-16 code units: two for a character outside of the basic plane, one for any other.
    Utf16,
}

impl Encoding {
    /// Chooses the encoding from those that a client offers: UTF-8 if possible, else the default, UTF-16.
    pub(super) fn agreed(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            _ => Encoding::Utf16,
        }
    }

    /// The encoding's name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }
}

/// A text and the offsets of its lines.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        let bytes = text.as_bytes();
        // In `\r\n` the line feed ends the line.
        let ends = memchr2_iter(b'\n', b'\r', bytes)
            .filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        Lines { text, starts, encoding }
    }

    /// The position of a byte offset; for an offset past the end, that of the end.
    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let start = self.starts[line];
        let before = self.text[start..].char_indices().take_while(|(at, _)| start + at < offset);
        let column: usize = before.map(|(_, c)| self.encoding.width(c)).sum();
        Position { line: line as u32, character: column as u32 }
    }

    /// The positions of a byte range.
    pub(super) fn range(&self, start: u32, end: u32) -> Range {
        Range { start: self.position(start as usize), end: self.position(end as usize) }
    }

    /// The byte offset of a position. A column past the end of its line means that end, a line past the last the
    /// end of the text, and a column inside a character the start of the character.
    pub(super) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let content = self.text[start..end].trim_end_matches(['\n', '\r']);
        let mut column = position.character as usize;
        for (at, c) in content.char_indices() {
            let width = self.encoding.width(c);
            if column < width {
                return start + at;
            }
            column -= width;
        }
        start + content.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of the `|` in the text, which must convert back to the same offset.
    fn check(marked: &str, encoding: Encoding, line: u32, character: u32) {
        let offset = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        let lines = Lines::new(&text, encoding);
        let expected = Position { line, character };
        assert_eq!((lines.position(offset), lines.offset(expected)), (expected, offset), "{marked:?}");
    }

    #[test]
    fn columns_are_counted_in_the_agreed_units() {
        check("a\n/*é😀*|/ x", Encoding::Utf16, 1, 6);
        check("a\n/*é😀*|/ x", Encoding::Utf8, 1, 9);
        check("/* 😀😀 */ |x", Encoding::Utf16, 0, 11);
        check("😀|😀", Encoding::Utf16, 0, 2);
        check("😀|😀", Encoding::Utf8, 0, 4);
    }

    #[test]
    fn lines_end_as_the_protocol_says() {
        check("a\r\nb|", Encoding::Utf16, 1, 1);
        check("a\rb\n|c", Encoding::Utf16, 2, 0);
        check("a\n|", Encoding::Utf16, 1, 0);
        check("|", Encoding::Utf16, 0, 0);
    }

    #[test]
    fn positions_outside_the_text_are_moved_into_it() {
        let lines = Lines::new("x😀\r\ny", Encoding::Utf16);
        let offset = |line, character| lines.offset(Position { line, character });
        assert_eq!((offset(0, 99), offset(9, 0), offset(1, 9)), (5, 8, 8));
        assert_eq!(offset(0, 2), 1, "the middle of a surrogate pair");
        assert_eq!(lines.position(99), Position { line: 1, character: 1 });
    }
}
