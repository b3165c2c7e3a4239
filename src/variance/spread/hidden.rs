//! The hidden parts of a declaration, on which no other declaration depends: bodies of functions that are neither
//! constant expressions nor determine the function's type.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::variance::cut::{DeclKind, TopDeclaration, decides_constants, member_functions};

/// The hidden token ranges of a declaration, ascending. Structure is that of the lowest pass; a
/// member's body counts only if all passes have its braces.
pub(super) fn hidden(tokens: &[PpToken], declaration: &TopDeclaration) -> Vec<Range<usize>> {
    let pass = declaration.passes.lowest().unwrap_or(0);
    let mut found = Vec::new();
    if declaration.kind == DeclKind::Function {
        if hides_its_body(tokens, declaration.tokens.start..declaration.body, pass) {
            found.push(declaration.body..declaration.tokens.end);
        }
        return found;
    }
    for member in member_functions(tokens, declaration, pass) {
        let braces = [member.body.start, member.body.end - 1];
        let whole = braces.iter().all(|brace| tokens[*brace].passes.contains(declaration.passes));
        if whole && hides_its_body(tokens, member.head, pass) {
            found.push(member.body);
        }
    }
    found
}

/// A function with this header means the same whatever its body does.
fn hides_its_body(tokens: &[PpToken], header: Range<usize>, pass: usize) -> bool {
    let has = |text: Symbol| tokens[header.clone()].iter().any(|token| token.text == text);
    if has(sym::AUTO) && !has(sym::ARROW) {
        return false;
    }
    !(has(sym::CONSTEXPR) || has(sym::CONSTEVAL)) || !decides_constants(tokens, header.clone(), pass)
}

/// Whether a token stands in one of these hidden ranges.
pub(super) fn is_hidden(hidden: &[Range<usize>], index: usize) -> bool {
    let next = hidden.partition_point(|range| range.end <= index);
    hidden.get(next).is_some_and(|range| range.start <= index)
}
