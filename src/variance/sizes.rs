//! Declarations that mean another thing to the host than to GPUs although their tokens are the same.
//!
//! A `long double` has 16 bytes on the host (x86-64 psABI) and in nvcc's device passes the 8 of a
//! `double`. The closure of a `__host__ __device__` lambda is for the host's code a class of nvcc's,
//! of which type traits tell another story (CUDA C++ Programming Guide, "Extended Lambda Restrictions").

use std::ops::Range;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Symbol, sym};

use super::declarations::{DeclKind, TopDeclaration};

/// The type traits that tell a lambda's closure from what nvcc has in its place for the host.
pub const CLOSURE_TRAITS: [&str; 4] = [
    "is_trivially_copyable",
    "is_trivially_copy_constructible",
    "is_trivially_move_constructible",
    "is_trivially_destructible",
];

/// Marks the project's own classes, aliases, kernels and device variables that hold a `long double`,
/// and where such traits are asked for, what has lambdas for both sides.
pub(super) fn mark(unit: &Preprocessed, declarations: &mut [TopDeclaration]) {
    mark_long_double(unit, declarations);
    mark_lambdas(unit, declarations);
}

fn mark_lambdas(unit: &Preprocessed, declarations: &mut [TopDeclaration]) {
    let tokens = unit.tokens();
    let own = |token: &PpToken| !unit.system.contains(&token.at.file);
    let begins = |pair: &[PpToken]| {
        let annotated = |first, second| pair[1].text == first && pair[2].text == second;
        pair[0].text == sym::RBRACKET
            && (annotated(sym::HOST, sym::DEVICE) || annotated(sym::DEVICE, sym::HOST))
    };
    let lambdas: Vec<usize> =
        tokens.windows(3).enumerate().filter(|(_, pair)| begins(pair)).map(|(index, _)| index).collect();
    if lambdas.is_empty() {
        return;
    }
    let traits: Vec<Symbol> = CLOSURE_TRAITS
        .iter()
        .flat_map(|name| [Symbol::intern(name), Symbol::intern(&format!("{name}_v"))])
        .collect();
    if !tokens.iter().any(|token| traits.contains(&token.text) && own(token)) {
        return;
    }
    for declaration in declarations {
        let first = lambdas.partition_point(|index| *index < declaration.tokens.start);
        declaration.varies.sizes |= lambdas.get(first).is_some_and(|index| *index < declaration.tokens.end);
    }
}

fn mark_long_double(unit: &Preprocessed, declarations: &mut [TopDeclaration]) {
    let tokens = unit.tokens();
    let pair = |index: &usize| {
        let (first, second) = (tokens[*index].text, tokens[*index + 1].text);
        first == sym::LONG && second == sym::DOUBLE || first == sym::DOUBLE && second == sym::LONG
    };
    let own = |index: &usize| !unit.system.contains(&tokens[*index].at.file);
    let found: Vec<usize> = (0..tokens.len().saturating_sub(1)).filter(pair).filter(own).collect();
    if found.is_empty() {
        return;
    }
    for declaration in declarations {
        let first = found.partition_point(|index| *index < declaration.tokens.start);
        let inside = found[first..].iter().take_while(|index| **index < declaration.tokens.end);
        declaration.varies.sizes |= inside.copied().any(|index| is_held(tokens, declaration, index));
    }
}

/// Whether what stands at `index` makes out bytes of what the declaration declares.
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
