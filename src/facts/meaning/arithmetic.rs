//! Integer arithmetic on constants and the usual arithmetic conversions ([expr.arith.conv], [conv.integral]);
//! LP64.

use crate::source::{Symbol, sym};

use super::types::Value;

/// Whether a fundamental type is an integer type.
pub(in crate::facts) fn is_integer(ty: Symbol) -> bool {
    !matches!(ty.as_str(), "float" | "double" | "long double" | "void")
}

/// The width in bits of an integer type, and whether it is signed (LP64).
fn width(ty: Symbol) -> Option<(u32, bool)> {
    Some(match ty.as_str() {
        "char" | "signed char" => (8, true),
        "unsigned char" | "char8_t" => (8, false),
        "short" => (16, true),
        "unsigned short" | "char16_t" => (16, false),
        "int" | "wchar_t" => (32, true),
        "unsigned int" | "char32_t" => (32, false),
        "long" | "long long" => (64, true),
        "unsigned long" | "unsigned long long" => (64, false),
        _ => return None,
    })
}

/// A value converted to a fundamental type ([conv.integral]).
pub(in crate::facts) fn cast(value: Value, ty: Symbol) -> Value {
    let Value::Int(number, _) = value else {
        return value;
    };
    if ty == sym::BOOL {
        return Value::bool(number != 0);
    }
    let Some((bits, signed)) = width(ty) else {
        return Value::Int(number, ty);
    };
    let mask = (1_i128 << bits) - 1;
    let low = number & mask;
    let wrapped = if signed && low >> (bits - 1) & 1 == 1 { low - (1_i128 << bits) } else { low };
    Value::Int(wrapped, ty)
}

/// The common type of two arithmetic operands after the usual arithmetic conversions ([expr.arith.conv]).
pub(in crate::facts) fn common(left: Symbol, right: Symbol) -> Symbol {
    let rank = |ty: Symbol| match ty.as_str() {
        "unsigned int" => 1,
        "long" => 2,
        "unsigned long" => 3,
        "long long" => 4,
        "unsigned long long" => 5,
        "float" => 6,
        "double" => 7,
        "long double" => 8,
        _ => 0,
    };
    let (low, high) = if rank(left) <= rank(right) { (left, right) } else { (right, left) };
    match (rank(low), rank(high)) {
        (_, 0) => sym::INT,
        // `long long` can't hold an `unsigned long`.
        (3, 4) => Symbol::intern("unsigned long long"),
        _ => high,
    }
}

/// The value of a unary operator; `None` for one that gives no integer.
pub(in crate::facts) fn unary(operator: Symbol, operand: &Value) -> Option<Value> {
    let Value::Int(value, ty) = operand else {
        return None;
    };
    let promoted = common(*ty, sym::INT);
    Some(match operator {
        sym::BANG => Value::bool(*value == 0),
        sym::MINUS => cast(Value::Int(-value, promoted), promoted),
        sym::PLUS => Value::Int(*value, promoted),
        sym::TILDE => cast(Value::Int(!value, promoted), promoted),
        _ => return None,
    })
}

/// The value of a binary operator, wrapped to its type; `None` for a division by zero, a shift out of range,
/// an operand that is not known, or an operator that gives no integer.
pub(in crate::facts) fn binary(operator: Symbol, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Int(a, left_ty), Value::Int(b, right_ty)) = (left, right) else {
        return None;
    };
    let ty = common(*left_ty, *right_ty);
    let arithmetic = |value: Option<i128>| value.map(|value| cast(Value::Int(value, ty), ty));
    // The operands of a comparison get their common type too: `-1 < 0u` is false.
    let compared = |holds: fn(&i128, &i128) -> bool| {
        let converted = |value: i128| cast(Value::Int(value, ty), ty).int();
        Some(Value::bool(holds(&converted(*a)?, &converted(*b)?)))
    };
    match operator.as_str() {
        "+" => arithmetic(a.checked_add(*b)),
        "-" => arithmetic(a.checked_sub(*b)),
        "*" => arithmetic(a.checked_mul(*b)),
        "/" => arithmetic(a.checked_div(*b)),
        "%" => arithmetic(a.checked_rem(*b)),
        "&" => arithmetic(Some(a & b)),
        "|" => arithmetic(Some(a | b)),
        "^" => arithmetic(Some(a ^ b)),
        "<<" => {
            let ty = common(*left_ty, sym::INT);
            let shift = u32::try_from(*b).ok().filter(|shift| *shift < 64)?;
            a.checked_shl(shift).map(|value| cast(Value::Int(value, ty), ty))
        }
        ">>" => {
            let ty = common(*left_ty, sym::INT);
            let shift = u32::try_from(*b).ok().filter(|shift| *shift < 64)?;
            Some(Value::Int(a >> shift, ty))
        }
        "==" => compared(i128::eq),
        "!=" => compared(i128::ne),
        "<" => compared(i128::lt),
        ">" => compared(i128::gt),
        "<=" => compared(i128::le),
        ">=" => compared(i128::ge),
        "&&" => Some(Value::bool(*a != 0 && *b != 0)),
        "||" => Some(Value::bool(*a != 0 || *b != 0)),
        _ => None,
    }
}
