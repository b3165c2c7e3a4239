//! The extents of white space, comments and tokens in source text ([lex.phases], phases 2 and 3).
//!
//! In: text and an offset. Out: the offset behind what begins there. Line splices may stand anywhere but in a raw string.
//! Nothing is interned.

use std::cell::OnceCell;

use memchr::{memchr, memchr_iter, memchr2};
use rustc_hash::FxHashMap;

use super::characters::{
    BLANK, OPERATOR, SPACE, blanks, continues_identifier, is, letters, starts_identifier,
};
use super::punctuators::punctuator;
use super::symbol::{Symbol, sym};

/// A place in a text from which scanning goes on.
pub(super) struct TextScanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// The last end of each raw string delimiter (`)x"` by `x`), once a raw string was not closed: to look for each of
    /// many that are not would take as many passes over the text.
    raw_ends: OnceCell<FxHashMap<&'t str, usize>>,
}

/// The most characters of a raw string's delimiter ([lex.string]).
const MOST_DELIMITER: usize = 16;

/// The extent and form of a literal.
pub(super) struct Literal {
    pub(super) end: usize,
    pub(super) raw: bool,
    pub(super) closed: bool,
}

impl<'t> TextScanner<'t> {
    /// For the text from `at` on.
    pub(super) fn new(text: &'t str, at: usize) -> TextScanner<'t> {
        TextScanner { text, at, raw_ends: OnceCell::new() }
    }

    /// The offset of the first character after a byte order mark, if there is one.
    pub(super) fn first(text: &str) -> usize {
        if text.starts_with('\u{feff}') { 3 } else { 0 }
    }

    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// The byte at `at`, or 0 past the end.
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.bytes().get(at).copied().unwrap_or(0)
    }

    /// The offset after any line splices at `at`. As in GCC, blanks may stand between the backslash and the end of
    /// the line.
    pub(super) fn after_splices(&self, mut at: usize) -> usize {
        while self.byte(at) == b'\\' {
            let mut end = at + 1;
            while is(self.byte(end), BLANK) {
                end += 1;
            }
            if self.byte(end) != b'\n' {
                break;
            }
            at = end + 1;
        }
        at
    }

    /// The next byte of the text without splices, and the offset after it.
    pub(super) fn next_byte(&self, at: usize) -> (u8, usize) {
        let at = self.after_splices(at);
        (self.byte(at), at + 1)
    }

    /// [`TextScanner::skip_space`], with a fast path for no white space and for a single blank.
    #[inline]
    pub(super) fn space(&mut self) -> (bool, bool) {
        let rest = &self.bytes()[self.at..];
        match rest {
            [first, ..] if !is(*first, SPACE) => (false, false),
            [b' ', second, ..] if !is(*second, SPACE) => {
                self.at += 1;
                (true, false)
            }
            _ => self.skip_space(),
        }
    }

    /// Skips blanks, comments and line ends; returns whether there were any, and whether a line ended.
    pub(super) fn skip_space(&mut self) -> (bool, bool) {
        let (mut space, mut new_line) = (false, false);
        let bytes = self.bytes();
        let mut at = self.at;
        while let Some(byte) = bytes.get(at).copied().filter(|byte| is(*byte, SPACE)) {
            if is(byte, BLANK) {
                space = true;
                at += if byte == b' ' { blanks(&bytes[at..]) } else { 1 };
            } else if byte == b'\n' {
                (space, new_line) = (false, true);
                at += 1;
            } else if byte == b'/' {
                at = match self.next_byte(at + 1) {
                    (b'/', after) => self.line_end(after),
                    (b'*', after) => self.comment_end(after).unwrap_or(bytes.len()),
                    _ => break,
                };
                space = true;
            } else if byte == 0 {
                at += 1;
            } else {
                let after = self.after_splices(at);
                if after == at {
                    break;
                }
                at = after;
            }
        }
        self.at = at;
        (space, new_line)
    }

    /// The line feed that ends the logical line in which a `//` comment stands, or the end of the text.
    pub(super) fn line_end(&self, mut at: usize) -> usize {
        while let Some(found) = memchr2(b'\n', b'\\', &self.bytes()[at.min(self.text.len())..]) {
            at += found;
            if self.byte(at) == b'\n' {
                return at;
            }
            at = self.after_splices(at).max(at + 1);
        }
        self.text.len()
    }

    /// The offset behind the comment whose text begins at `at`; `None` if it is not closed.
    pub(super) fn comment_end(&self, mut at: usize) -> Option<usize> {
        let bytes = self.bytes();
        let start = at;
        while let Some(found) = memchr(b'/', &bytes[at.min(bytes.len())..]) {
            at += found;
            // Line splices may stand between `*` and `/`.
            let star = match bytes[at - 1] {
                b'*' => at > start,
                b'\n' => self.star_before(start, at),
                _ => false,
            };
            at += 1;
            if star {
                return Some(at);
            }
        }
        None
    }

    /// Whether a `*` at or after `start` is separated from `at` by line splices only.
    pub(super) fn star_before(&self, start: usize, at: usize) -> bool {
        let star = self.bytes()[start..at].iter().rposition(|byte| *byte == b'*');
        star.is_some_and(|star| self.after_splices(start + star + 1) == at)
    }

    /// The offset of the quote if a literal, with or without an encoding prefix, starts at `start`.
    pub(super) fn literal_quote(&self, start: usize) -> Option<usize> {
        let (first, mut at) = self.next_byte(start);
        match first {
            b'"' | b'\'' => return Some(at - 1),
            b'L' | b'U' | b'R' => {}
            b'u' => {
                if let (b'8', after) = self.next_byte(at) {
                    at = after;
                }
            }
            _ => return None,
        }
        let (mut next, mut after) = self.next_byte(at);
        if first != b'R' && next == b'R' {
            (next, after) = self.next_byte(after);
            return (next == b'"').then_some(after - 1);
        }
        let quote = next == b'"' || next == b'\'' && first != b'R';
        quote.then_some(after - 1)
    }

    /// The end of the literal that starts at `start` with its opening quote at `quote`, suffix included. An unclosed
    /// quote extends to the end of its line.
    pub(super) fn literal_end(&self, start: usize, quote: usize) -> Literal {
        let raw = quote > start && self.byte(quote - 1) == b'R';
        if raw && let Some(end) = self.raw_string_end(quote) {
            return Literal { end: self.identifier_end_if_any(end), raw, closed: true };
        }
        let open = |end| Literal { end, raw: false, closed: false };
        let terminator = self.byte(quote);
        let mut at = quote + 1;
        loop {
            at = self.after_splices(at);
            match self.byte(at) {
                b'\\' if at + 1 < self.text.len() && self.byte(at + 1) != b'\n' => {
                    at = self.after_splices(at + 1) + 1;
                }
                b'\n' => return open(at),
                _ if at >= self.text.len() => return open(self.text.len()),
                byte if byte == terminator => break,
                _ => at += 1,
            }
        }
        Literal { end: self.identifier_end_if_any(at + 1), raw: false, closed: true }
    }

    /// The offset after the closing quote of the raw string whose opening quote is at `quote`.
    pub(super) fn raw_string_end(&self, quote: usize) -> Option<usize> {
        let rest = &self.text[quote + 1..];
        let open = rest.bytes().take(MOST_DELIMITER + 1).position(|byte| byte == b'(')?;
        let delimiter = &rest[..open];
        if delimiter.bytes().any(ends_delimiter) {
            return None;
        }
        let body = quote + 1 + open;
        if let Some(ends) = self.raw_ends.get()
            && ends.get(delimiter).is_none_or(|last| *last < body)
        {
            return None;
        }
        let closes = |at: &usize| {
            let after = rest[at + 1..].strip_prefix(delimiter);
            after.is_some_and(|after| after.starts_with('"'))
        };
        let end = memchr_iter(b')', &rest.as_bytes()[open..]).map(|at| open + at).find(closes);
        let Some(end) = end else {
            self.raw_ends.get_or_init(|| raw_ends(self.text));
            return None;
        };
        Some(quote + 1 + end + delimiter.len() + 2)
    }

    /// The end of the suffix of a user-defined literal ([lex.ext]) at `at`, or `at` if there is none.
    pub(super) fn identifier_end_if_any(&self, at: usize) -> usize {
        if starts_identifier(self.next_byte(at).0) { self.identifier_end(at) } else { at }
    }

    /// The end of the identifier characters at `at`.
    #[inline]
    pub(super) fn letters_end(&self, mut at: usize) -> usize {
        let mut rest = self.bytes().get(at..).unwrap_or_default();
        while let Some((word, further)) = rest.split_first_chunk() {
            let count = letters(word);
            at += count;
            if count < word.len() {
                return at;
            }
            rest = further;
        }
        at + rest.iter().position(|byte| !continues_identifier(*byte)).unwrap_or(rest.len())
    }

    pub(super) fn identifier_end(&self, mut at: usize) -> usize {
        loop {
            at = self.letters_end(at);
            let after = self.after_splices(at);
            if let Some((_, end)) = self.universal(after) {
                at = end;
                continue;
            }
            if after == at || !continues_identifier(self.byte(after)) {
                return at;
            }
            at = after;
        }
    }

    /// The character that the universal character name at `at` designates ([lex.charset]), and the name's end.
    pub(super) fn universal(&self, at: usize) -> Option<(char, usize)> {
        let digits = match (self.byte(at), self.byte(at + 1)) {
            (b'\\', b'u') => 4,
            (b'\\', b'U') => 8,
            _ => return None,
        };
        let end = at + 2 + digits;
        let hex =
            self.text.get(at + 2..end).filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, end))
    }

    /// The end of the pp-number at `at` ([lex.ppnumber]).
    pub(super) fn number_end(&self, mut at: usize) -> usize {
        let mut previous = 0;
        loop {
            let (byte, after) = self.next_byte(at);
            let exponent = matches!(previous, b'e' | b'E' | b'p' | b'P');
            let goes_on = match byte {
                b'.' => true,
                b'+' | b'-' => exponent,
                b'\'' => continues_identifier(self.next_byte(after).0),
                b'\\' => match self.universal(after - 1) {
                    Some((_, end)) => {
                        at = end;
                        previous = byte;
                        continue;
                    }
                    None => false,
                },
                _ => continues_identifier(byte),
            };
            if !goes_on {
                return at;
            }
            previous = byte;
            at = after;
        }
    }

    /// The longest punctuator at `start`, and its end.
    pub(super) fn punctuator(&self, start: usize) -> Option<(Symbol, usize)> {
        if !is(self.byte(start + 1), OPERATOR) {
            return Some((punctuator(&[self.byte(start)])?, start + 1));
        }
        let mut bytes = [0; 4];
        let mut ends = [start; 4];
        let mut at = start;
        for index in 0..4 {
            (bytes[index], at) = self.next_byte(at);
            ends[index] = at;
        }
        // `<::` is `<` `::` unless a `:` or `>` follows ([lex.pptoken]/3.2).
        if &bytes[..3] == b"<::" && !matches!(bytes[3], b':' | b'>') {
            return Some((sym::LESS, ends[0]));
        }
        (1..=4).rev().find_map(|length| Some((punctuator(&bytes[..length])?, ends[length - 1])))
    }
}

/// The last place of each text that closes a raw string, by its delimiter. A delimiter may hold quotes, so that one place may
/// close several: `)a"b"` those of `a` and of `a"b`.
fn raw_ends(text: &str) -> FxHashMap<&str, usize> {
    let closes = |at: usize| {
        let after = &text[at + 1..];
        let delimiters = after.bytes().take(MOST_DELIMITER + 1).take_while(|byte| !ends_delimiter(*byte));
        let quotes = delimiters.enumerate().filter(|(_, byte)| *byte == b'"');
        quotes.map(move |(length, _)| (&after[..length], at))
    };
    memchr_iter(b')', text.as_bytes()).flat_map(closes).collect()
}

/// Whether a character may not stand in a raw string's delimiter ([lex.string]).
fn ends_delimiter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | b'\\' | b'(' | b')')
}
