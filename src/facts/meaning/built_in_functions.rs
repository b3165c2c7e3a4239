//! Built-in functions of the host compilers that constant expressions of the standard library call: those that count or move
//! bits (GCC manual, "Bit Operation Builtins" and "Byte-Swapping Builtins"). nvcc's front end evaluates no arithmetic that
//! tells whether it overflowed, such as `__builtin_mul_overflow` (measured on 13.0).
//!
//! In: the name of such a function and the values of its arguments. Out: its value, and its type.

use crate::source::{Symbol, sym};

use super::arithmetic::cast;
use super::types::Value;

/// The type that a built-in function returns; `None` for one that is not known here.
pub(super) fn type_of_built_in(name: Symbol) -> Option<Symbol> {
    let name = name.as_str().strip_prefix("__builtin_")?;
    Some(match name {
        "is_constant_evaluated" => sym::BOOL,
        "expect" => Symbol::intern("long"),
        "bswap16" => Symbol::intern("unsigned short"),
        "bswap32" => Symbol::intern("unsigned int"),
        "bswap64" => Symbol::intern("unsigned long"),
        _ => match split(name).0 {
            "clz" | "ctz" | "ffs" | "popcount" | "parity" => sym::INT,
            _ => return None,
        },
    })
}

/// The name of a function without the suffix that tells its argument's type, and how many bits that has (LP64).
fn split(name: &str) -> (&str, u32) {
    match name.trim_end_matches('l') {
        short if short == name => (name, u32::BITS),
        short => (short, u64::BITS),
    }
}

/// The value of a built-in function for the values of its arguments; `None` where it is undefined, as for the number of zeros
/// before the first bit of zero.
pub(super) fn built_in_value(name: Symbol, arguments: &[Value]) -> Option<Value> {
    let result = type_of_built_in(name)?;
    let name = name.as_str().strip_prefix("__builtin_")?;
    let numbers: Vec<i128> = arguments.iter().map(Value::int).collect::<Option<_>>()?;
    let value = match (name, numbers.as_slice()) {
        ("is_constant_evaluated", []) => 1,
        ("expect", [value, _]) => *value,
        ("bswap16", [value]) => (*value as u16).swap_bytes().into(),
        ("bswap32", [value]) => (*value as u32).swap_bytes().into(),
        ("bswap64", [value]) => (*value as u64).swap_bytes().into(),
        (_, [value]) => {
            let (name, width) = split(name);
            let bits = if width == u32::BITS { u64::from(*value as u32) } else { *value as u64 };
            let count = match name {
                "clz" if bits != 0 => bits.leading_zeros() - (u64::BITS - width),
                "ctz" if bits != 0 => bits.trailing_zeros(),
                "ffs" => bits.checked_ilog2().map_or(0, |_| bits.trailing_zeros() + 1),
                "popcount" => bits.count_ones(),
                "parity" => bits.count_ones() % 2,
                _ => return None,
            };
            count.into()
        }
        _ => return None,
    };
    Some(cast(Value::Int(value, sym::INT), result))
}
