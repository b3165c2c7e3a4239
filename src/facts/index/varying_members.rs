//! In which members classes differ between passes, and what of a declaration sets no passes apart.
//!
//! In: the tokens of a declaration. Out: the names of the members of which each pass has its own, where the passes share the rest
//! of a class; and the pragmas that macros expanded to.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, MemberFunction, TopDeclaration, member_functions};

use super::one_declaration::is_word;

/// Whether a token is in none of some ranges, which are in order.
pub(super) fn is_outside(ranges: &[Range<usize>], index: usize) -> bool {
    let before = ranges.partition_point(|range| range.end <= index);
    ranges.get(before).is_none_or(|range| index < range.start)
}

/// The names of the members in which a class differs between passes, if it differs in such alone of which each pass can have
/// its own: in the types that member aliases name, but not in identifiers there, `using Policy = If<(ARCH < 800), Old, New>;`,
/// and in bodies of member functions that are found by their names. The passes of each of `classes` have the same tokens of it;
/// `partial` are the tokens that are lowered and that not all of them have.
pub(super) fn varying_members(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    classes: &[PassSet],
    partial: impl Iterator<Item = usize>,
) -> Option<FxHashSet<Symbol>> {
    let mut partial = partial.peekable();
    partial.peek()?;
    let functions = functions_with_own_bodies(tokens, declaration, classes);
    let mut functions = functions.iter().peekable();
    let (mut names, mut depth, mut at) = (FxHashSet::default(), 0_usize, declaration.class_body.start);
    // What stands before the next token that differs is the same in all passes.
    while at < declaration.class_body.end && partial.peek().is_some() {
        if partial.peek().is_some_and(|next| *next < at) {
            return None;
        }
        while functions.next_if(|function| function.body.start < at).is_some() {}
        let function = functions.peek().filter(|function| function.body.start == at && depth == 1);
        if let Some(MemberFunction { name: Some(name), body, .. }) = function {
            while partial.next_if(|next| body.contains(next)).is_some() {
                names.insert(*name);
            }
            at = body.end;
            continue;
        }
        match tokens[at].text {
            sym::LBRACE | sym::LPAREN | sym::LBRACKET => depth += 1,
            sym::RBRACE | sym::RPAREN | sym::RBRACKET => depth = depth.saturating_sub(1),
            sym::USING
                if depth == 1 && tokens[at + 2..].first().is_some_and(|one| one.text == sym::ASSIGN) =>
            {
                let ends = |end: &usize| matches!(tokens[*end].text, sym::SEMI | sym::LBRACE);
                let end = (at + 3..declaration.class_body.end).find(ends)?;
                while let Some(next) = partial.next_if(|next| (at + 3..end).contains(next)) {
                    if tokens[next].kind == TokenKind::Identifier {
                        return None;
                    }
                    names.insert(tokens[at + 1].text);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    partial.next().is_none().then_some(names)
}

/// The functions in the body of a class that every class of passes defines there, that are found by their names alone: no
/// constructors, operators, virtual functions or friends.
fn functions_with_own_bodies(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    classes: &[PassSet],
) -> Vec<MemberFunction> {
    let mut passes = classes.iter().filter_map(|class| class.lowest());
    let Some(first) = passes.next() else { return Vec::new() };
    let others: Vec<Vec<MemberFunction>> =
        passes.map(|pass| member_functions(tokens, declaration, pass)).collect();
    let is_other = |token: &PpToken| {
        matches!(
            token.text,
            sym::VIRTUAL | sym::OVERRIDE | sym::FINAL | sym::FRIEND | sym::OPERATOR | sym::TILDE
        )
    };
    let is_named = |name: &Symbol| is_word(*name) && !declaration.names.contains(name);
    let mut all = member_functions(tokens, declaration, first);
    all.retain(|one| {
        let same = |other: &MemberFunction| other.body == one.body && other.head == one.head;
        one.name.as_ref().is_some_and(is_named)
            && !tokens[one.head.clone()].iter().any(is_other)
            && others.iter().all(|functions| functions.iter().any(same))
    });
    all.sort_by_key(|one| one.body.start);
    all
}

/// The pragmas in a declaration that macros expanded to, `#pragma unroll`, as far as all passes that have one have the same up
/// to the end of its line. Those in the head of a function are left out.
pub(super) fn pragmas(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
) -> impl Iterator<Item = Range<usize>> {
    let end = declaration.tokens.end;
    let is_function = declaration.kind == DeclKind::Function;
    let first = if is_function { declaration.body } else { declaration.tokens.start };
    let is_pragma = move |at: &usize| {
        tokens[*at].text == sym::HASH && *at + 1 < end && tokens[*at + 1].text == sym::PRAGMA
    };
    (first..end).filter(is_pragma).filter_map(move |at| {
        let passes = tokens[at].passes;
        let rest = tokens[at + 1..end].iter().take_while(|token| token.passes == passes && !token.line_start);
        let behind = at + 1 + rest.count();
        let ends = behind > at + 1
            && tokens.get(behind).is_none_or(|next| next.line_start && next.passes.contains(passes));
        ends.then_some(at..behind)
    })
}
