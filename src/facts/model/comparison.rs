//! `__CUDA_ARCH__` compared with a number.

use std::fmt;

/// An operator that compares two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Every operator as it is written.
const OPERATORS: [(Operator, &str); 6] = [
    (Operator::Less, "<"),
    (Operator::Greater, ">"),
    (Operator::AtMost, "<="),
    (Operator::AtLeast, ">="),
    (Operator::Equal, "=="),
    (Operator::NotEqual, "!="),
];

impl Operator {
    /// The operator that a token is.
    pub fn of_token(token: &str) -> Option<Operator> {
        OPERATORS.iter().find(|(_, written)| *written == token).map(|(operator, _)| *operator)
    }

    /// The operator with its operands exchanged: `800 <= x` is `x >= 800`.
    #[must_use]
    pub fn exchanged(self) -> Operator {
        match self {
            Operator::Less => Operator::Greater,
            Operator::Greater => Operator::Less,
            Operator::AtMost => Operator::AtLeast,
            Operator::AtLeast => Operator::AtMost,
            Operator::Equal | Operator::NotEqual => self,
        }
    }

    /// Whether the comparison is true of two numbers.
    pub fn holds(self, left: u64, right: u64) -> bool {
        match self {
            Operator::Less => left < right,
            Operator::Greater => left > right,
            Operator::AtMost => left <= right,
            Operator::AtLeast => left >= right,
            Operator::Equal => left == right,
            Operator::NotEqual => left != right,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = OPERATORS.iter().find(|(operator, _)| operator == self);
        f.write_str(written.map_or("", |(_, written)| written))
    }
}
