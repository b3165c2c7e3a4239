//! The parts of a declaration that those who use its names do not see: bodies of functions that are
//! neither constant expressions nor give the function its type.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, TopDeclaration};
use super::head::{Opens, opens, returns_value};

/// The hidden token ranges of a declaration, ascending. `class_body` is its class's, braces included.
pub(super) fn hidden(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    class_body: &Range<usize>,
) -> Vec<Range<usize>> {
    let pass = declaration.passes.lowest().unwrap_or(0);
    let mut found = Vec::new();
    match declaration.kind {
        DeclKind::Function if hides_its_body(tokens, declaration.tokens.start..declaration.body, pass) => {
            found.push(declaration.body..declaration.tokens.end);
        }
        DeclKind::Class if class_body.len() > 2 => {
            members(tokens, class_body.start + 1..class_body.end - 1, declaration.passes, &mut found);
        }
        _ => {}
    }
    found
}

/// A function with this header means the same whatever its body does.
fn hides_its_body(tokens: &[PpToken], header: Range<usize>, pass: usize) -> bool {
    let has = |text: Symbol| tokens[header.clone()].iter().any(|token| token.text == text);
    if has(sym::AUTO) && !has(sym::ARROW) {
        return false;
    }
    !(has(sym::CONSTEXPR) || has(sym::CONSTEVAL)) || !returns_value(tokens, header.clone(), pass)
}

/// Finds the hidden bodies of the member functions in `range`, nested classes' too.
///
/// Structure is that of the lowest pass. A body counts only if all passes have its braces.
fn members(tokens: &[PpToken], range: Range<usize>, passes: PassSet, found: &mut Vec<Range<usize>>) {
    let pass = passes.lowest().unwrap_or(0);
    let mut start: Option<usize> = None;
    let mut index = range.start;
    while index < range.end {
        let token = &tokens[index];
        if !token.passes.has(pass) {
            index += 1;
            continue;
        }
        match token.text {
            sym::SEMI => start = None,
            sym::COLON if start.is_some_and(|start| is_access(tokens[start].text)) => start = None,
            sym::LPAREN | sym::LBRACKET => {
                start.get_or_insert(index);
                index = closing(tokens, index..range.end, pass);
            }
            sym::LBRACE => {
                let end = closing(tokens, index..range.end, pass);
                let head = start.unwrap_or(index)..index;
                match opens(tokens, head.clone(), pass) {
                    Opens::Function { .. } => {
                        start = None;
                        let whole = [index, end].iter().all(|brace| tokens[*brace].passes.contains(passes));
                        if whole && hides_its_body(tokens, head, pass) {
                            found.push(index..end + 1);
                        }
                    }
                    Opens::Class => members(tokens, index + 1..end, passes, found),
                    _ => {}
                }
                index = end;
            }
            _ => {
                start.get_or_insert(index);
            }
        }
        index += 1;
    }
}

fn is_access(text: Symbol) -> bool {
    matches!(text, sym::PUBLIC | sym::PRIVATE | sym::PROTECTED)
}

/// The bracket that closes the one at the start of `range`, else the range's last token.
fn closing(tokens: &[PpToken], range: Range<usize>, pass: usize) -> usize {
    let mut depth = 0_usize;
    for index in range.clone() {
        if !tokens[index].passes.has(pass) {
            continue;
        }
        match tokens[index].text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    range.end - 1
}
