//! Character classes of source text, by byte. A byte of a character beyond ASCII counts as a letter.

use wide::u8x16;

// Character classes of bytes, as bits.
pub(super) const LETTER: u8 = 1;
pub(super) const DIGIT: u8 = 2;
pub(super) const BLANK: u8 = 4;
/// May begin a literal: a quote, or a letter of an encoding prefix.
pub(super) const LITERAL: u8 = 8;
/// May continue a longer punctuator, or begin a line splice.
pub(super) const OPERATOR: u8 = 16;
/// May begin or end white space, comments and line splices included.
pub(super) const SPACE: u8 = 32;
/// Is a punctuator of one character, whatever follows.
pub(super) const LONE: u8 = 64;

/// The classes of each byte.
pub(super) static CLASSES: [u8; 256] = {
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

#[inline]
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASSES[byte as usize] & class != 0
}

#[inline]
pub(super) fn starts_identifier(byte: u8) -> bool {
    is(byte, LETTER)
}

#[inline]
pub(super) fn continues_identifier(byte: u8) -> bool {
    is(byte, LETTER | DIGIT)
}

/// Whether it is white space other than a line end.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    is(byte, BLANK)
}

/// The number of identifier characters that `word` begins with. Without a loop, whose end no branch predictor
/// foresees.
#[inline]
pub(super) fn letters(word: &[u8; 16]) -> usize {
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
pub(super) fn blanks(bytes: &[u8]) -> usize {
    match bytes.first_chunk() {
        Some(word) => (!u8x16::new(*word).simd_eq(u8x16::splat(b' ')).to_bitmask()).trailing_zeros() as usize,
        None => bytes.iter().take_while(|byte| **byte == b' ').count(),
    }
}
