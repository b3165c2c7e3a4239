//! The values of controlling expressions, and of the literals in them ([cpp.cond], [lex.icon], [lex.ccon]).

use crate::source::one_character;

/// A value of `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) bits: u64,
    pub(super) unsigned: bool,
}

impl Value {
    /// A signed value.
    pub(super) fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    /// 1 or 0.
    pub(super) fn truth(value: bool) -> Value {
        Value::signed(i64::from(value))
    }
}

/// `left << right`; a negative amount shifts right, as in GCC.
pub(super) fn shift_left(left: Value, right: Value) -> u64 {
    let amount = right.bits;
    if !right.unsigned && (amount as i64) < 0 {
        return shift_right(left, amount.wrapping_neg());
    }
    u32::try_from(amount).ok().and_then(|amount| left.bits.checked_shl(amount)).unwrap_or(0)
}

/// `left >> amount`.
pub(super) fn shift_right(left: Value, amount: u64) -> u64 {
    let amount = u32::try_from(amount.min(64)).expect("it is at most 64");
    if left.unsigned {
        left.bits.checked_shr(amount).unwrap_or(0)
    } else {
        ((left.bits as i64) >> amount.min(63)) as u64
    }
}

/// The value of an integer literal ([lex.icon]); `None` when it is none.
pub(super) fn integer(text: &str) -> Option<Value> {
    let text = text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', ..] => (&lower[..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu" | "z" | "uz" | "zu") {
        return None;
    }
    let wide = u128::from_str_radix(digits, radix).ok()?;
    let bits = wide as u64;
    Some(Value { bits, unsigned: suffix.contains('u') || wide > i64::MAX as u128 })
}

/// The value of a character literal ([lex.ccon]).
pub(super) fn character(text: &str) -> Value {
    let open = text.find('\'').unwrap_or(0);
    let inner = &text[open + 1..text.rfind('\'').unwrap_or(text.len()).max(open + 1)];
    let narrow = open == 0;
    let mut value: u64 = 0;
    let mut count = 0;
    let mut rest = inner;
    while let Some((code, after)) = one_character(rest) {
        let named = !rest.starts_with('\\') || rest.starts_with("\\u") || rest.starts_with("\\U");
        let beyond = u32::try_from(code).ok().and_then(char::from_u32).filter(|_| named && code > 0x7f);
        match beyond {
            // A narrow literal has a character's bytes in UTF-8.
            Some(character) if narrow => {
                for byte in character.to_string().bytes() {
                    value = value << 8 | u64::from(byte);
                    count += 1;
                }
            }
            _ => {
                value = if narrow { value << 8 | code & 0xff } else { code };
                count += 1;
            }
        }
        rest = after;
    }
    match (narrow, count) {
        (true, 1) => Value::signed(i64::from(value as u8 as i8)),
        (true, _) => Value::signed(i64::from(value as u32 as i32)),
        (false, _) => Value { bits: value, unsigned: !text.starts_with('L') },
    }
}
