//! Translation phases 1 to 3 of C++ ([lex.phases]): text to preprocessing tokens.
//!
//! Line splices are removed, a comment becomes white space, a raw string keeps its text. Lexing can't fail: a
//! character that begins no token becomes a token of its own ([`TokenKind::Other`]). So does a quote that is not
//! closed on its line, together with the rest of that line.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use super::characters::{CLASSES, DIGIT, LETTER, LITERAL, LONE, OPERATOR, is, starts_identifier};
use super::punctuators::ALONE;
use super::scanner::TextScanner;
use super::symbol::{Symbol, ThreadCache, sym, with_thread_cache};

/// The category of a preprocessing token ([lex.pptoken]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// An identifier or keyword.
    Identifier,
    /// A preprocessing number, digit separators and suffixes included.
    Number,
    /// A character literal with prefix and suffix.
    Character,
    /// A string literal with prefix and suffix; raw strings too.
    String,
    /// An operator or punctuator. Digraphs carry their primary spelling's symbol.
    Punctuator,
    /// Any other character.
    Other,
}

/// A preprocessing token of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its category.
    pub kind: TokenKind,
    /// White space or a comment precedes it on its line.
    pub space_before: bool,
    /// It is the first token of its logical line.
    pub line_start: bool,
    /// Its spelling without line splices.
    pub text: Symbol,
    /// Byte offset of its first character.
    pub offset: u32,
    /// Byte offset one past its last character.
    pub end: u32,
}

thread_local! {
    /// The list in which tokens grow, which is reused.
    static GROWING: Cell<Vec<Token>> = const { Cell::new(Vec::new()) };
}

/// For how many tokens the list has room that is reused: nearly all files have fewer.
const MOST_REUSED: usize = 1 << 16;

/// Lexes `text` into preprocessing tokens, in order.
pub fn lex(text: &str) -> Vec<Token> {
    lex_part(text, TextScanner::first(text)..text.len())
}

/// The tokens of `part` of `text`, which begins at the start of a logical line and ends at the start of a token or
/// at the end of the text.
pub(super) fn lex_part(text: &str, part: Range<usize>) -> Vec<Token> {
    // What begins in the part ends in it.
    let mut scanner = TextScanner::new(&text[..part.end], part.start);
    with_thread_cache(|cache| {
        let mut tokens = GROWING.take();
        let mut line_start = true;
        loop {
            let (space_before, new_line) = scanner.space();
            line_start |= new_line;
            if scanner.at >= part.end {
                break;
            }
            let offset = scanner.at as u32;
            let (kind, text) = scanner.token(cache);
            let end = scanner.at as u32;
            tokens.push(Token { kind, space_before, line_start, text, offset, end });
            line_start = false;
        }
        // A list of exact size: files are kept.
        let made = tokens.to_vec();
        tokens.clear();
        // A long text must not take its memory for as long as the thread lives.
        if tokens.capacity() <= MOST_REUSED {
            GROWING.set(tokens);
        }
        made
    })
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// The identifier at the beginning of `text`, as written (splices and universal character names included).
pub fn written_identifier(text: &str) -> &str {
    &text[..TextScanner::new(text, 0).identifier_end(0)]
}

impl<'t> TextScanner<'t> {
    #[inline]
    fn token(&mut self, cache: &mut ThreadCache) -> (TokenKind, Symbol) {
        let start = self.at;
        let bytes = self.bytes();
        let first = bytes[start];
        let class = CLASSES[first as usize];
        if class & LETTER != 0 {
            let end = self.letters_end(start);
            // Splices and the prefixes of literals take the slow path.
            if !matches!(bytes.get(end), Some(b'\\' | b'"' | b'\'')) {
                self.at = end;
                let name = &self.text[start..end];
                let symbol = match bytes[start..].first_chunk() {
                    Some(word) if name.len() <= 16 => cache.intern_short(name, word),
                    _ => cache.intern(name),
                };
                return (TokenKind::Identifier, symbol);
            }
        } else if let Some(text) = ALONE[first as usize] {
            let next = bytes.get(start + 1).copied().unwrap_or(0);
            if class & LONE != 0 || !is(next, OPERATOR | DIGIT) {
                self.at = start + 1;
                return (TokenKind::Punctuator, text);
            }
        }
        self.long_token(cache)
    }

    /// [`TextScanner::token`] without the fast paths.
    fn long_token(&mut self, cache: &mut ThreadCache) -> (TokenKind, Symbol) {
        let start = self.at;
        let (first, after) = self.next_byte(start);
        if is(first, LITERAL)
            && let Some(quote) = self.literal_quote(start)
        {
            return self.literal(start, quote, cache);
        }
        if starts_identifier(first) {
            self.at = self.identifier_end(start);
            return (TokenKind::Identifier, self.name(start, self.at, cache));
        }
        if first == b'\\' && self.universal(self.after_splices(start)).is_some() {
            self.at = self.identifier_end(start);
            return (TokenKind::Identifier, self.name(start, self.at, cache));
        }
        if is(first, LONE) {
            self.at = after;
            return (TokenKind::Punctuator, ALONE[first as usize].expect("it is a punctuator"));
        }
        if is(first, DIGIT) || first == b'.' && is(self.next_byte(after).0, DIGIT) {
            self.at = self.number_end(start);
            return (TokenKind::Number, self.spelling(start, self.at, cache));
        }
        if let Some((text, end)) = self.punctuator(start) {
            self.at = end;
            return (TokenKind::Punctuator, text);
        }
        let length = self.text[start..].chars().next().map_or(1, char::len_utf8);
        self.at = start + length;
        (TokenKind::Other, self.spelling(start, self.at, cache))
    }

    fn literal(&mut self, start: usize, quote: usize, cache: &mut ThreadCache) -> (TokenKind, Symbol) {
        let literal = self.literal_end(start, quote);
        self.at = literal.end;
        let written = match literal.raw {
            true => Cow::Borrowed(&self.text[start..self.at]),
            false => self.spliced(start, self.at),
        };
        let text = match literal.closed {
            true => cache.intern(&written),
            false => cache.intern_unclosed(&written),
        };
        let kind = match self.byte(quote) {
            _ if !literal.closed => TokenKind::Other,
            b'"' => TokenKind::String,
            _ => TokenKind::Character,
        };
        (kind, text)
    }

    /// The symbol of the identifier at `start..end`, with universal character names replaced by the characters.
    fn name(&self, start: usize, end: usize, cache: &mut ThreadCache) -> Symbol {
        let written = self.spliced(start, end);
        if !written.contains('\\') {
            return cache.intern(&written);
        }
        let scanner = TextScanner::new(&written, 0);
        let (mut name, mut at) = (String::new(), 0);
        while let Some(next) = written[at..].chars().next() {
            let (next, end) = scanner.universal(at).unwrap_or((next, at + next.len_utf8()));
            name.push(next);
            at = end;
        }
        cache.intern(&name)
    }

    /// The symbol of `start..end` without line splices.
    fn spelling(&self, start: usize, end: usize, cache: &mut ThreadCache) -> Symbol {
        cache.intern(&self.spliced(start, end))
    }

    /// The text of `start..end` without line splices.
    fn spliced(&self, start: usize, end: usize) -> Cow<'t, str> {
        let written = &self.text[start..end];
        if !written.as_bytes().contains(&b'\\') {
            return Cow::Borrowed(written);
        }
        let mut text = String::new();
        let mut at = start;
        loop {
            at = self.after_splices(at);
            if at >= end {
                return Cow::Owned(text);
            }
            let next = self.text[at..end].chars().next().expect("`at` is before `end`");
            text.push(next);
            at += next.len_utf8();
        }
    }
}

/// The code of the first character or escape sequence ([lex.ccon]) in a literal's contents, and the text after it.
/// `None` for an empty text or a lone backslash.
pub fn one_character(text: &str) -> Option<(u64, &str)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    if first != '\\' {
        return Some((u64::from(u32::from(first)), chars.as_str()));
    }
    let escape = chars.next()?;
    let rest = chars.as_str();
    let simple = match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        'x' | 'u' | 'U' => {
            let most = match escape {
                'u' => 4,
                'U' => 8,
                _ => rest.len(),
            };
            let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len()).min(most);
            let code = u64::from_str_radix(&rest[..end], 16).unwrap_or(0);
            return Some((code, &rest[end..]));
        }
        '0'..='7' => {
            let digits = &text[1..];
            let end = digits.find(|c: char| !c.is_digit(8)).unwrap_or(digits.len()).min(3);
            let code = u64::from_str_radix(&digits[..end], 8).unwrap_or(0);
            return Some((code, &digits[end..]));
        }
        other => u64::from(u32::from(other)),
    };
    Some((simple, rest))
}

#[cfg(test)]
mod tests;
