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
#[derive(Default)]
struct SizeMarks {
    /// The project's own `long double`.
    long_doubles: Vec<usize>,
    /// Lambdas for both sides.
    lambdas: Vec<usize>,
    /// The project uses a trait of [`CLOSURE_TRAITS`].
    asks: bool,
}

/// Whether tokens are found that may make such declarations ([`Search::Sizes`]).
pub(super) struct SizeWords {
    /// The names of [`CLOSURE_TRAITS`], also of the variable templates.
    traits: Vec<Symbol>,
}

impl SizeWords {
    pub(super) fn new() -> SizeWords {
        let names = |name: &&str| [Symbol::intern(name), Symbol::intern(&format!("{name}_v"))];
        SizeWords { traits: CLOSURE_TRAITS.iter().flat_map(names).collect() }
    }

    /// Whether a token is found.
    pub(super) fn has(&self, tokens: &[PpToken], index: usize) -> bool {
        match tokens[index].text {
            sym::LONG | sym::DOUBLE => is_long_double(tokens, index),
            sym::RBRACKET => is_lambda(tokens, index),
            text => self.traits.contains(&text),
        }
    }
}

fn text(tokens: &[PpToken], index: usize) -> Symbol {
    tokens.get(index).map_or(sym::EMPTY, |token| token.text)
}

fn is_long_double(tokens: &[PpToken], index: usize) -> bool {
    let both = (text(tokens, index), text(tokens, index + 1));
    matches!(both, (sym::LONG, sym::DOUBLE) | (sym::DOUBLE, sym::LONG))
}

/// The end of the capture list of a lambda for both sides.
fn is_lambda(tokens: &[PpToken], index: usize) -> bool {
    let next = (text(tokens, index + 1), text(tokens, index + 2));
    text(tokens, index) == sym::RBRACKET
        && matches!(next, (sym::HOST, sym::DEVICE) | (sym::DEVICE, sym::HOST))
}

impl SizeMarks {
    /// Those among the tokens of a unit that were found.
    fn of(unit: &Preprocessed, found: &[usize]) -> SizeMarks {
        let tokens = unit.tokens();
        let own = |index: usize| !unit.system.contains(&tokens[index].at.file);
        let mut marks = SizeMarks::default();
        for index in found.iter().copied() {
            if is_lambda(tokens, index) {
                marks.lambdas.push(index);
            } else if own(index) {
                match is_long_double(tokens, index) {
                    true => marks.long_doubles.push(index),
                    false => marks.asks = true,
                }
            }
        }
        marks
    }
}

/// Marks the project's own classes, aliases, kernels and device variables that hold a `long double`, and where such
/// traits are used, the declarations with `__host__ __device__` lambdas.
/// `found` are the tokens by which they are told.
pub(super) fn mark_sizes(unit: &Preprocessed, found: &[usize], declarations: &mut [TopDeclaration]) {
    let (tokens, SizeMarks { long_doubles, lambdas, asks }) = (unit.tokens(), SizeMarks::of(unit, found));
    let lambdas = if asks { lambdas } else { Vec::new() };
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
