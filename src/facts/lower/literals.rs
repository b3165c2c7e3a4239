//! The values and types of number and character literals.

use crate::source::{Symbol, one_character, sym};

use super::ast::*;

/// The value and type of an integer or floating-point literal ([lex.icon], [lex.fcon]); LP64.
pub(super) fn number_literal(text: &str) -> Expr {
    let plain: String = text.chars().filter(|c| *c != '\'').collect::<String>().to_ascii_lowercase();
    let (radix, digits) = match plain.as_bytes() {
        [b'0', b'x', ..] => (16, &plain[2..]),
        [b'0', b'b', ..] => (2, &plain[2..]),
        [b'0', _, ..] if plain.bytes().all(|b| b.is_ascii_digit() || b"ulz".contains(&b)) => (8, &plain[1..]),
        _ => (10, plain.as_str()),
    };
    let floating =
        (radix == 10 && digits.contains(['.', 'e'])) || (radix == 16 && digits.contains(['.', 'p']));
    if floating || (radix == 10 && digits.ends_with('f')) {
        let ty = match plain.as_bytes().last() {
            Some(b'f') => sym::FLOAT,
            Some(b'l') => Symbol::intern("long double"),
            _ => sym::DOUBLE,
        };
        return Expr::Float(plain, ty);
    }
    let bare = digits.trim_end_matches(['u', 'l', 'z']);
    let suffix = &digits[bare.len()..];
    let value = if bare.is_empty() { Ok(0) } else { i128::from_str_radix(bare, radix) };
    match value {
        Ok(value) => Expr::Int(value, integer_type(value, suffix, radix != 10)),
        Err(_) => Expr::Unknown(text.to_string()),
    }
}

/// The first type of [lex.icon]'s list that holds the value; `may_be_unsigned` for literals that are not
/// decimal.
fn integer_type(value: i128, suffix: &str, may_be_unsigned: bool) -> Symbol {
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count().max(usize::from(suffix.contains('z')));
    let fits_int = value <= i128::from(i32::MAX);
    let fits_unsigned = value <= i128::from(u32::MAX);
    let fits_long = value <= i128::from(i64::MAX);
    let name = match (unsigned, longs) {
        (false, 0) if fits_int => "int",
        (false, 0) if may_be_unsigned && fits_unsigned => "unsigned int",
        (false, 0 | 1) if fits_long => "long",
        (false, 2..) if fits_long => "long long",
        (true, 0) if fits_unsigned => "unsigned int",
        (_, 2..) => "unsigned long long",
        _ => "unsigned long",
    };
    Symbol::intern(name)
}

/// The value and type of a character literal ([lex.ccon]); [`Expr::Unknown`] for a multicharacter literal.
pub(super) fn character(text: &str) -> Expr {
    let inner = text.trim_start_matches(['u', 'U', 'L', '8']).trim_matches('\'');
    let alone = one_character(inner).filter(|(_, rest)| rest.is_empty());
    let code = alone.and_then(|(code, _)| u32::try_from(code).ok());
    let ty = match text.split_once('\'').map_or("", |(prefix, _)| prefix) {
        "L" => "wchar_t",
        "u" => "char16_t",
        "U" => "char32_t",
        "u8" => "char8_t",
        _ => "char",
    };
    let named = inner.starts_with("\\u") || inner.starts_with("\\U");
    match code {
        // Beyond ASCII a character is several code units of the source's UTF-8.
        Some(code) if ty == "char" && (code <= 0x7f || inner.starts_with('\\') && !named) => {
            Expr::Int(i128::from(code as u8 as i8), sym::CHAR)
        }
        Some(code) if ty != "char" => Expr::Int(code.into(), Symbol::intern(ty)),
        _ => Expr::Unknown(text.to_string()),
    }
}
