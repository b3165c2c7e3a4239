//! Translation phases 1 to 3 of C++ ([lex.phases]): text to preprocessing tokens.
//!
//! Line splices are removed, a comment becomes white space, a raw string keeps its text. Lexing can't fail: a
//! character that begins no token becomes a token of its own ([`TokenKind::Other`]). So does a quote that is not
//! closed on its line, together with the rest of that line.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};
use wide::u8x16;

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

/// Lexes `text` into preprocessing tokens, in order.
pub fn lex(text: &str) -> Vec<Token> {
    lex_part(text, Lexer::first(text)..text.len())
}

/// The tokens of `part` of `text`, which begins at the start of a logical line and ends at the start of a token or
/// at the end of the text.
pub(super) fn lex_part(text: &str, part: Range<usize>) -> Vec<Token> {
    let mut lexer = Lexer { text, at: part.start };
    thread_local! {
        /// The list in which tokens grow, which is reused.
        static GROWING: Cell<Vec<Token>> = const { Cell::new(Vec::new()) };
    }
    with_thread_cache(|cache| {
        let mut tokens = GROWING.take();
        let mut line_start = true;
        loop {
            let (space_before, new_line) = lexer.space();
            line_start |= new_line;
            if lexer.at >= part.end {
                break;
            }
            let offset = lexer.at as u32;
            let (kind, text) = lexer.token(cache);
            let end = lexer.at as u32;
            tokens.push(Token { kind, space_before, line_start, text, offset, end });
            line_start = false;
        }
        // A list of exact size: files are kept.
        let made = tokens.to_vec();
        tokens.clear();
        GROWING.set(tokens);
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
    &text[..Lexer { text, at: 0 }.identifier_end(0)]
}

pub(super) struct Lexer<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

// Character classes of bytes, as bits.
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const BLANK: u8 = 4;
/// May begin a literal: a quote, or a letter of an encoding prefix.
const LITERAL: u8 = 8;
/// May continue a longer punctuator, or begin a line splice.
const OPERATOR: u8 = 16;
/// May begin or end white space, comments and line splices included.
const SPACE: u8 = 32;
/// Is a punctuator of one character, whatever follows.
const LONE: u8 = 64;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80 {
            classes[byte] |= LETTER;
        }
        if b.is_ascii_digit() {
            classes[byte] |= DIGIT;
        }
        if matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c) {
            classes[byte] |= BLANK;
        }
        if matches!(b, b'"' | b'\'' | b'L' | b'U' | b'R' | b'u') {
            classes[byte] |= LITERAL;
        }
        if matches!(
            b,
            b'#' | b'%' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<' | b'=' | b'>' | b'|' | b'\\'
        ) {
            classes[byte] |= OPERATOR;
        }
        if matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'\n' | b'/' | b'\\' | 0) {
            classes[byte] |= SPACE;
        }
        if matches!(b, b'(' | b')' | b',' | b';' | b'{' | b'}' | b'[' | b']' | b'~' | b'?') {
            classes[byte] |= LONE;
        }
        byte += 1;
    }
    classes
};

/// The punctuators of one character, indexed by the character.
static ALONE: [Option<Symbol>; 256] = {
    let mut symbols = [None; 256];
    let mut byte = 0;
    while byte < 256 {
        symbols[byte] = punctuator(&[byte as u8]);
        byte += 1;
    }
    symbols
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

fn starts_identifier(byte: u8) -> bool {
    is(byte, LETTER)
}

pub(super) fn continues_identifier(byte: u8) -> bool {
    is(byte, LETTER | DIGIT)
}

/// Whether it is white space other than a line end.
pub(super) fn is_blank(byte: u8) -> bool {
    is(byte, BLANK)
}

/// The number of identifier characters that `word` begins with. Without a loop, whose end no branch predictor
/// foresees.
#[inline]
fn letters(word: &[u8; 16]) -> usize {
    let word = u8x16::new(*word);
    let below = |from: u8, count: u8| {
        let above = (word | u8x16::splat(0x20)) - u8x16::splat(from);
        above.min(u8x16::splat(count - 1)).simd_eq(above)
    };
    let is = |byte: u8| word.simd_eq(u8x16::splat(byte));
    let wide = word.max(u8x16::splat(0x80)).simd_eq(word);
    let digits = {
        let above = word - u8x16::splat(b'0');
        above.min(u8x16::splat(9)).simd_eq(above)
    };
    let letters = below(b'a', 26) | digits | is(b'_') | is(b'$') | wide;
    (!letters.to_bitmask()).trailing_zeros() as usize
}

/// The number of blanks that `bytes` begin with, at most 16.
#[inline]
fn blanks(bytes: &[u8]) -> usize {
    match bytes.first_chunk() {
        Some(word) => (!u8x16::new(*word).simd_eq(u8x16::splat(b' ')).to_bitmask()).trailing_zeros() as usize,
        None => bytes.iter().take_while(|byte| **byte == b' ').count(),
    }
}

/// The extent and form of a literal.
pub(super) struct Literal {
    pub(super) end: usize,
    raw: bool,
    closed: bool,
}

impl<'t> Lexer<'t> {
    /// The offset of the first character after a byte order mark, if there is one.
    pub(super) fn first(text: &str) -> usize {
        if text.starts_with('\u{feff}') { 3 } else { 0 }
    }

    fn bytes(&self) -> &'t [u8] {
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

    /// [`Lexer::skip_space`], with a fast path for no white space and for a single blank.
    #[inline]
    fn space(&mut self) -> (bool, bool) {
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
                    (b'*', after) => self.comment_end(after),
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

    pub(super) fn comment_end(&self, mut at: usize) -> usize {
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
                return at;
            }
        }
        bytes.len()
    }

    /// Whether a `*` at or after `start` is separated from `at` by line splices only.
    fn star_before(&self, start: usize, at: usize) -> bool {
        let star = self.bytes()[start..at].iter().rposition(|byte| *byte == b'*');
        star.is_some_and(|star| self.after_splices(start + star + 1) == at)
    }

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

    /// [`Lexer::token`] without the fast paths.
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

    fn literal(&mut self, start: usize, quote: usize, cache: &mut ThreadCache) -> (TokenKind, Symbol) {
        let literal = self.literal_end(start, quote);
        self.at = literal.end;
        let text = if literal.raw {
            cache.intern(&self.text[start..self.at])
        } else {
            self.spelling(start, self.at, cache)
        };
        let kind = match self.byte(quote) {
            _ if !literal.closed => TokenKind::Other,
            b'"' => TokenKind::String,
            _ => TokenKind::Character,
        };
        (kind, text)
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
    fn raw_string_end(&self, quote: usize) -> Option<usize> {
        let rest = &self.text[quote + 1..];
        let open = rest.bytes().take(17).position(|byte| byte == b'(')?;
        let delimiter = &rest[..open];
        if delimiter.contains(|c: char| c.is_whitespace() || matches!(c, '\\' | ')')) {
            return None;
        }
        let closes = |at: &usize| {
            let after = rest[at + 1..].strip_prefix(delimiter);
            after.is_some_and(|after| after.starts_with('"'))
        };
        let end = memchr_iter(b')', &rest.as_bytes()[open..]).map(|at| open + at).find(closes)?;
        Some(quote + 1 + end + delimiter.len() + 2)
    }

    /// The end of the suffix of a user-defined literal ([lex.ext]) at `at`, or `at` if there is none.
    fn identifier_end_if_any(&self, at: usize) -> usize {
        if starts_identifier(self.next_byte(at).0) { self.identifier_end(at) } else { at }
    }

    /// The end of the identifier characters at `at`.
    #[inline]
    fn letters_end(&self, mut at: usize) -> usize {
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
    fn universal(&self, at: usize) -> Option<(char, usize)> {
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

    /// The symbol of the identifier at `start..end`, with universal character names replaced by the characters.
    fn name(&self, start: usize, end: usize, cache: &mut ThreadCache) -> Symbol {
        let written = self.spliced(start, end);
        if !written.contains('\\') {
            return cache.intern(&written);
        }
        let lexer = Lexer { text: &written, at: 0 };
        let (mut name, mut at) = (String::new(), 0);
        while let Some(next) = written[at..].chars().next() {
            let (next, end) = lexer.universal(at).unwrap_or((next, at + next.len_utf8()));
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

/// The symbol of a punctuator; `None` if the text is not one.
const fn punctuator(text: &[u8]) -> Option<Symbol> {
    Some(match text {
        b"%:%:" | b"##" => sym::HASH_HASH,
        b"<=>" => sym::SPACESHIP,
        b"->*" => sym::ARROW_STAR,
        b"..." => sym::ELLIPSIS,
        b"<<=" => sym::SHL_ASSIGN,
        b">>=" => sym::SHR_ASSIGN,
        b"<:" | b"[" => sym::LBRACKET,
        b":>" | b"]" => sym::RBRACKET,
        b"<%" | b"{" => sym::LBRACE,
        b"%>" | b"}" => sym::RBRACE,
        b"%:" | b"#" => sym::HASH,
        b"::" => sym::SCOPE,
        b".*" => sym::DOT_STAR,
        b"->" => sym::ARROW,
        b"++" => sym::PLUS_PLUS,
        b"--" => sym::MINUS_MINUS,
        b"+=" => sym::PLUS_ASSIGN,
        b"-=" => sym::MINUS_ASSIGN,
        b"*=" => sym::STAR_ASSIGN,
        b"/=" => sym::SLASH_ASSIGN,
        b"%=" => sym::PERCENT_ASSIGN,
        b"^=" => sym::CARET_ASSIGN,
        b"&=" => sym::AMP_ASSIGN,
        b"|=" => sym::BAR_ASSIGN,
        b"==" => sym::EQ_EQ,
        b"!=" => sym::BANG_EQ,
        b"<=" => sym::LESS_EQ,
        b">=" => sym::GREATER_EQ,
        b"&&" => sym::AMP_AMP,
        b"||" => sym::BAR_BAR,
        b"<<" => sym::SHL,
        b">>" => sym::SHR,
        b"(" => sym::LPAREN,
        b")" => sym::RPAREN,
        b"<" => sym::LESS,
        b">" => sym::GREATER,
        b"," => sym::COMMA,
        b";" => sym::SEMI,
        b":" => sym::COLON,
        b"=" => sym::ASSIGN,
        b"*" => sym::STAR,
        b"&" => sym::AMP,
        b"!" => sym::BANG,
        b"?" => sym::QUESTION,
        b"." => sym::DOT,
        b"~" => sym::TILDE,
        b"+" => sym::PLUS,
        b"-" => sym::MINUS,
        b"/" => sym::SLASH,
        b"%" => sym::PERCENT,
        b"|" => sym::BAR,
        b"^" => sym::CARET,
        _ => return None,
    })
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
mod tests {
    use super::*;

    /// Renders the tokens separated by blanks, with a new line at each token that begins one.
    fn check(text: &str, expected: &str) {
        let mut shown = String::new();
        for token in lex(text) {
            if !shown.is_empty() {
                shown.push(if token.line_start { '\n' } else { ' ' });
            }
            let kind = match token.kind {
                TokenKind::Identifier => 'i',
                TokenKind::Number => 'n',
                TokenKind::Character => 'c',
                TokenKind::String => 's',
                TokenKind::Punctuator => 'p',
                TokenKind::Other => 'o',
            };
            let space = if token.space_before { "_" } else { "" };
            shown += &format!("{space}{kind}:{}", token.text);
        }
        assert_eq!(shown, expected);
    }

    #[test]
    fn identifiers_take_dollars_and_letters_of_any_script() {
        check("a$b _x9 größe", "i:a$b _i:_x9 _i:größe");
    }

    /// Names and blanks are read sixteen bytes at a time; the result must be the same as byte by byte.
    #[test]
    fn names_and_blanks_of_any_length_end_where_they_end() {
        for length in 1..70 {
            let name = "a_9$Zé".chars().cycle().take(length).collect::<String>();
            let blanks = " ".repeat(length);
            for end in ["", ";", "@", "[", "`", "{", "/", ":", "#", "-", "\n"] {
                let text = format!("{blanks}{name}{blanks}{name}{end}");
                let tokens = lex(&text);
                let names: Vec<&str> = tokens.iter().take(2).map(|token| token.text.as_str()).collect();
                assert_eq!(names, [&name, &name], "{text:?}");
                assert_eq!(tokens.len(), 2 + usize::from(!matches!(end, "" | "\n")), "{text:?}");
                assert_eq!(tokens[1].offset as usize, 2 * length + name.len());
                assert_eq!(tokens[1].end as usize, 2 * (length + name.len()));
            }
            check(&format!("{name}\"x\""), &format!("i:{name} s:\"x\""));
            check(&format!("{name}\\\n{name};"), &format!("i:{name}{name} p:;"));
        }
    }

    #[test]
    fn universal_character_names_are_the_characters_in_identifiers() {
        check(r"gr\u00f6\U000000dfe \u00e9x 1\u00e9", r"i:größe _i:éx _n:1\u00e9");
        check(r#""\u00e9" \u00 \uD800"#, r#"s:"\u00e9" _o:\ i:u00 _o:\ i:uD800"#);
    }

    #[test]
    fn numbers_take_separators_exponents_and_suffixes() {
        check("1'000'000u 0x1p-3f 1e+5 .5 1..2", "n:1'000'000u _n:0x1p-3f _n:1e+5 _n:.5 _n:1..2");
        check("0x1e+1 1'", "n:0x1e+1 _n:1 o:'");
    }

    #[test]
    fn literals_take_prefixes_and_suffixes() {
        check(r#"u8"a" L'x' "s"_km u'\'' "a\"b""#, r#"s:u8"a" _c:L'x' _s:"s"_km _c:u'\'' _s:"a\"b""#);
        check(
            r#"u8R"(a"b\n)"x R"d()")d" u R L8"a""#,
            r#"s:u8R"(a"b\n)"x _s:R"d()")d" _i:u _i:R _i:L8 s:"a""#,
        );
    }

    #[test]
    fn a_raw_strings_delimiter_may_hold_quotes() {
        check("R\"a\"b(x)\"b(y)a\"b\" c", "s:R\"a\"b(x)\"b(y)a\"b\" _i:c");
    }

    #[test]
    fn a_raw_string_keeps_splices() {
        check("R\"(a\\\nb)\" c", "s:R\"(a\\\nb)\" _i:c");
    }

    #[test]
    fn splices_vanish_inside_tokens_and_comments() {
        check("ab\\\ncd +\\\n+ \"x\\\ny\" 1\\\r\n2", "i:abcd _p:++ _s:\"xy\" _n:12");
        check("a // b \\\n c\nd /\\\n* x *\\\n/ e", "i:a\ni:d _i:e");
    }

    #[test]
    fn comments_are_space_and_lines_are_logical() {
        check("a/* \n */b\n# if", "i:a _i:b\np:# _i:if");
    }

    #[test]
    fn the_longest_punctuator_wins() {
        check(
            "<=> ->* .* ... ## %:%: <: :> <% %> %:",
            "p:<=> _p:->* _p:.* _p:... _p:## _p:## _p:[ _p:] _p:{ _p:} _p:#",
        );
        check("k<<<a>>>b <<=c x<::y", "i:k p:<< p:< i:a p:>> p:> i:b _p:<<= i:c _i:x p:< p::: i:y");
    }

    #[test]
    fn a_lone_quote_ends_with_its_line() {
        check("don't stop\nnext \"open\nc", "i:don o:'t stop\ni:next _o:\"open\ni:c");
    }

    #[test]
    fn other_characters_stand_alone() {
        check("a @ \\ b `", "i:a _o:@ _o:\\ _i:b _o:`");
    }

    #[test]
    fn offsets_span_the_written_text() {
        let tokens = lex("x ab\\\ncd;");
        assert_eq!((tokens[1].offset, tokens[1].end), (2, 8));
    }

    #[test]
    fn a_literal_is_read_character_by_character() {
        let codes = |mut text: &str| {
            let mut codes = Vec::new();
            while let Some((code, rest)) = one_character(text) {
                codes.push(code);
                text = rest;
            }
            codes
        };
        assert_eq!(codes(r"a\n\x1fg\1018\u00e9é\'"), [97, 10, 0x1f, 103, 65, 56, 0xe9, 0xe9, 39]);
        assert!(one_character("\\").is_none());
    }
}
