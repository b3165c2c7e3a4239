//! Arithmetic on constants and the conversions of numbers ([expr.arith.conv], [conv.integral]); LP64, IEEE 754. A
//! `long double` is not modelled: host and device disagree about it.

use crate::source::{Symbol, sym};

use super::types::Value;

/// Whether a fundamental type is an integer type.
pub(in crate::facts) fn is_integer(ty: Symbol) -> bool {
    !matches!(ty.as_str(), "float" | "double" | "long double" | "__float128" | "void")
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

/// A value converted to a fundamental type ([conv.integral], [conv.double], [conv.fpint], [conv.bool]); opaque where the
/// result is not defined or not modelled.
pub(in crate::facts) fn cast(value: Value, ty: Symbol) -> Value {
    match (value, ty) {
        (Value::Int(number, _), sym::BOOL) => Value::bool(number != 0),
        (Value::Float(number, _), sym::BOOL) => Value::bool(number != 0.0),
        (Value::Null, sym::BOOL) => Value::bool(false),
        (Value::Pointer(_), sym::BOOL) => Value::bool(true),
        (Value::Int(number, _), sym::FLOAT) => Value::Float(f64::from(number as f32), ty),
        (Value::Int(number, _), sym::DOUBLE) => Value::Float(number as f64, ty),
        (Value::Float(number, _), sym::FLOAT) if number.is_infinite() || (number as f32).is_finite() => {
            Value::Float(f64::from(number as f32), ty)
        }
        (Value::Float(number, _), sym::DOUBLE) => Value::Float(number, ty),
        (Value::Int(number, _), _) => wrapped(number, ty),
        (Value::Float(number, _), _) if is_integer(ty) => truncated(number, ty),
        (Value::Float(number, _), _) => Value::opaque(&format!("({ty}){number:?}")),
        (other, _) => other,
    }
}

/// The integer of a type that is congruent to a number.
fn wrapped(number: i128, ty: Symbol) -> Value {
    let Some((bits, signed)) = width(ty) else {
        return match ty.as_str() {
            // Numbers from 2 to the power of 127 on are not modelled.
            "unsigned __int128" if number < 0 => Value::opaque(&format!("({ty}){number}")),
            _ => Value::Int(number, ty),
        };
    };
    let mask = (1_i128 << bits) - 1;
    let low = number & mask;
    let wrapped = if signed && low >> (bits - 1) & 1 == 1 { low - (1_i128 << bits) } else { low };
    Value::Int(wrapped, ty)
}

/// A floating-point number without its fraction; opaque if the type can't hold it ([conv.fpint]/1).
fn truncated(number: f64, ty: Symbol) -> Value {
    let whole = number.trunc();
    let converted = wrapped(whole as i128, ty);
    match converted.int() {
        Some(value) if whole.is_finite() && value as f64 == whole => converted,
        _ => Value::opaque(&format!("({ty}){number:?}")),
    }
}

/// The common type of two arithmetic operands after the usual arithmetic conversions ([expr.arith.conv]).
pub(in crate::facts) fn common(left: Symbol, right: Symbol) -> Symbol {
    let rank = |ty: Symbol| match ty.as_str() {
        "unsigned int" => 1,
        "long" => 2,
        "unsigned long" => 3,
        "long long" => 4,
        "unsigned long long" => 5,
        "__int128" => 6,
        "unsigned __int128" => 7,
        "float" => 8,
        "double" => 9,
        "long double" => 10,
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

/// The value of a unary operator; `None` for an operand that is no number, or another operator.
pub(in crate::facts) fn unary(operator: Symbol, operand: &Value) -> Option<Value> {
    match (operand, operator) {
        (Value::Int(..) | Value::Float(..) | Value::Null | Value::Pointer(_), sym::BANG) => {
            let truth = cast(operand.clone(), sym::BOOL).int()?;
            Some(Value::bool(truth == 0))
        }
        (Value::Float(value, ty), sym::MINUS) => Some(Value::Float(-value, *ty)),
        (Value::Float(..), sym::PLUS) => Some(operand.clone()),
        (Value::Int(value, ty), _) => {
            let promoted = common(*ty, sym::INT);
            Some(match operator {
                sym::MINUS => wrapped(-value, promoted),
                sym::PLUS => Value::Int(*value, promoted),
                sym::TILDE => wrapped(!value, promoted),
                _ => return None,
            })
        }
        _ => None,
    }
}

/// The value of a binary operator, wrapped or rounded to its type; `None` for a division by zero, a shift out of range, or
/// an operand that is no number.
pub(in crate::facts) fn binary(operator: Symbol, left: &Value, right: &Value) -> Option<Value> {
    if matches!(operator, sym::AMP_AMP | sym::BAR_BAR) {
        let truth = |value: &Value| Some(cast(value.clone(), sym::BOOL).int()? != 0);
        let (left, right) = (truth(left)?, truth(right)?);
        return Some(Value::bool(if operator == sym::AMP_AMP { left && right } else { left || right }));
    }
    match (left, right) {
        (Value::Int(a, left), Value::Int(b, right)) => integers(operator, (*a, *left), (*b, *right)),
        (
            Value::Int(_, left_ty) | Value::Float(_, left_ty),
            Value::Int(_, right_ty) | Value::Float(_, right_ty),
        ) => {
            let ty = common(*left_ty, *right_ty);
            let (Value::Float(a, _), Value::Float(b, _)) = (cast(left.clone(), ty), cast(right.clone(), ty))
            else {
                return None;
            };
            floats(operator, a, b, ty)
        }
        _ => None,
    }
}

/// The value of a binary operator of two numbers of the floating-point type `ty`.
fn floats(operator: Symbol, a: f64, b: f64, ty: Symbol) -> Option<Value> {
    // The four operations of `float` are exact in `double` up to one rounding, so rounding twice is rounding once.
    let rounded = |value: f64| {
        let rounded = cast(Value::Float(value, sym::DOUBLE), ty);
        (value.is_finite() && rounded.is_known()).then_some(rounded)
    };
    match operator.as_str() {
        "+" => rounded(a + b),
        "-" => rounded(a - b),
        "*" => rounded(a * b),
        "/" => rounded(a / b),
        "==" => Some(Value::bool(a == b)),
        "!=" => Some(Value::bool(a != b)),
        "<" => Some(Value::bool(a < b)),
        ">" => Some(Value::bool(a > b)),
        "<=" => Some(Value::bool(a <= b)),
        ">=" => Some(Value::bool(a >= b)),
        _ => None,
    }
}

/// The value of a binary operator of two integers with their types.
fn integers(operator: Symbol, left: (i128, Symbol), right: (i128, Symbol)) -> Option<Value> {
    let ((a, left_ty), (b, right_ty)) = (left, right);
    let ty = common(left_ty, right_ty);
    let arithmetic = |value: Option<i128>| value.map(|value| wrapped(value, ty));
    // The operands of a comparison get their common type too: `-1 < 0u` is false.
    let compared = |holds: fn(&i128, &i128) -> bool| {
        let converted = |value: i128| wrapped(value, ty).int();
        Some(Value::bool(holds(&converted(a)?, &converted(b)?)))
    };
    let shift = || u32::try_from(b).ok().filter(|shift| *shift < 64);
    let shifted = common(left_ty, sym::INT);
    match operator.as_str() {
        "+" => arithmetic(a.checked_add(b)),
        "-" => arithmetic(a.checked_sub(b)),
        "*" => arithmetic(a.checked_mul(b)),
        "/" => arithmetic(a.checked_div(b)),
        "%" => arithmetic(a.checked_rem(b)),
        "&" => arithmetic(Some(a & b)),
        "|" => arithmetic(Some(a | b)),
        "^" => arithmetic(Some(a ^ b)),
        "<<" => a.checked_shl(shift()?).map(|value| wrapped(value, shifted)),
        ">>" => Some(Value::Int(a >> shift()?, shifted)),
        "==" => compared(i128::eq),
        "!=" => compared(i128::ne),
        "<" => compared(i128::lt),
        ">" => compared(i128::gt),
        "<=" => compared(i128::le),
        ">=" => compared(i128::ge),
        _ => None,
    }
}
