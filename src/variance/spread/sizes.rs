//! Declarations whose size or layout differs between host and GPUs although their tokens are the same.
//!
//! A `long double` has 16 bytes on the host (x86-64 psABI) and in nvcc's device passes the 8 of a
//! `double`. The closure of a `__host__ __device__` lambda is replaced in the host's code by a class
//! of nvcc's, for which type traits give other answers (CUDA C++ Programming Guide, "Extended Lambda Restrictions").

use std::ops::Range;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Symbol, sym};
use crate::variance::cut::{DeclKind, TopDeclaration};

/// The type traits that differ between a lambda's closure and the class that nvcc puts in its place for the host.
pub const CLOSURE_TRAITS: [&str; 4] = [
    "is_trivially_copyable",
    "is_trivially_copy_constructible",
    "is_trivially_move_constructible",
    "is_trivially_destructible",
];

/// Tokens that may make such declarations.
#[derive(Debug, Default)]
pub(super) struct SizeMarks {
    /// The project's own `long double`.
    long_doubles: Vec<usize>,
    /// Lambdas for both sides.
    lambdas: Vec<usize>,
    /// The project uses a trait of [`CLOSURE_TRAITS`].
    asks: bool,
}

impl SizeMarks {
    /// Marks those that begin in a range of a unit's tokens.
    pub(super) fn of(unit: &Preprocessed, range: Range<usize>) -> SizeMarks {
        let tokens = unit.tokens();
        let own = |token: &PpToken| !unit.system.contains(&token.at.file);
        let mut marks = SizeMarks::default();
        for index in range.clone() {
            let text = |next: usize| tokens.get(index + next).map_or(sym::EMPTY, |token| token.text);
            match tokens[index].text {
                sym::LONG if text(1) == sym::DOUBLE => marks.long_doubles.push(index),
                sym::DOUBLE if text(1) == sym::LONG => marks.long_doubles.push(index),
                sym::RBRACKET => {
                    let both = [(sym::HOST, sym::DEVICE), (sym::DEVICE, sym::HOST)];
                    if both.contains(&(text(1), text(2))) {
                        marks.lambdas.push(index);
                    }
                }
                _ => {}
            }
        }
        marks.long_doubles.retain(|index| own(&tokens[*index]));
        let traits: Vec<Symbol> = CLOSURE_TRAITS
            .iter()
            .flat_map(|name| [Symbol::intern(name), Symbol::intern(&format!("{name}_v"))])
            .collect();
        marks.asks = tokens[range].iter().any(|token| traits.contains(&token.text) && own(token));
        marks
    }
}

/// Marks the project's own classes, aliases, kernels and device variables that hold a `long double`, and where such
/// traits are used, the declarations with `__host__ __device__` lambdas.
pub(super) fn mark_sizes(tokens: &[PpToken], marks: &[&SizeMarks], declarations: &mut [TopDeclaration]) {
    let long_doubles: Vec<usize> = marks.iter().flat_map(|one| one.long_doubles.iter().copied()).collect();
    let asks = marks.iter().any(|one| one.asks);
    let lambdas = marks.iter().filter(|_| asks).flat_map(|one| one.lambdas.iter().copied());
    let lambdas: Vec<usize> = lambdas.collect();
    if long_doubles.is_empty() && lambdas.is_empty() {
        return;
    }
    for declaration in declarations {
        let inside = |all: &[usize]| {
            let first = all.partition_point(|index| *index < declaration.tokens.start);
            first..all.partition_point(|index| *index < declaration.tokens.end)
        };
        declaration.varies.sizes |= !inside(&lambdas).is_empty()
            || long_doubles[inside(&long_doubles)].iter().any(|index| is_held(tokens, declaration, *index));
    }
}

/// Whether the type at `index` is part of the layout of the declared entity.
fn is_held(tokens: &[PpToken], declaration: &TopDeclaration, index: usize) -> bool {
    let head = &tokens[declaration.tokens.start..declaration.body];
    let has = |words: &[Symbol]| head.iter().any(|token| words.contains(&token.text));
    match declaration.kind {
        DeclKind::Alias => true,
        DeclKind::Class => {
            declaration.class_body.contains(&index) && is_member(tokens, &declaration.class_body, index)
        }
        DeclKind::Variable => has(&[sym::DEVICE, sym::CONSTANT, sym::MANAGED]),
        DeclKind::Function | DeclKind::Prototype => index < declaration.body && has(&[sym::GLOBAL]),
        _ => false,
    }
}

/// Whether a type in a class's body is a data member's: neither in parentheses nor in front of some.
fn is_member(tokens: &[PpToken], body: &Range<usize>, index: usize) -> bool {
    let ends = |token: &PpToken| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON);
    let before = tokens[body.start..index].iter().rev().take_while(|token| !ends(token));
    let mut after = tokens[index..body.end].iter();
    let next = after.find(|token| ends(token) || matches!(token.text, sym::ASSIGN | sym::LPAREN));
    let mut before = before.map(|token| token.text);
    !before.any(|text| matches!(text, sym::LPAREN | sym::STATIC | sym::RETURN))
        && next.is_none_or(|token| token.text != sym::LPAREN)
}
