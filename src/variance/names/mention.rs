//! The identifiers of a declaration that can mean names of namespace scope, and the kind of lookup that each asks for.
//!
//! In: tokens. Out: a [`Mention`] for an identifier. Knows no other declaration.

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::cut::{TopDeclaration, Word, looks_like_macro, word};

/// The kind of name lookup that an identifier asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::variance) enum Mention {
    /// Unqualified ([basic.lookup.unqual]).
    Plain,
    /// The name that the declaration itself declares.
    Own,
    /// Unqualified and called: the namespaces of its arguments are searched too ([basic.lookup.argdep]).
    Called,
    /// Qualified by `name::`.
    In(Symbol),
    /// Qualified by a `::` without a name.
    Global,
    /// Of a kind that the tokens do not tell.
    Any,
}

/// Calls `found` with each identifier of a declaration that can mean a name of namespace scope, but for `locals`.
pub(in crate::variance) fn each_mention(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    locals: &[usize],
    mut found: impl FnMut(usize, Mention),
) {
    let mut next = 0;
    for index in declaration.tokens.clone() {
        let token = &tokens[index];
        if token.kind != TokenKind::Identifier
            || !token.passes.meets(declaration.passes)
            || word(token.text).is_some()
        {
            continue;
        }
        while locals.get(next).is_some_and(|local| *local < index) {
            next += 1;
        }
        if locals.get(next) == Some(&index) {
            continue;
        }
        if let Some(mention) = mention(tokens, index) {
            found(index, mention);
        }
    }
}

/// The kind of lookup of the identifier, if it can mean a name of namespace scope.
pub(in crate::variance) fn mention(tokens: &[PpToken], index: usize) -> Option<Mention> {
    let text = |index: Option<usize>| {
        index.and_then(|index| tokens.get(index)).map_or(sym::EMPTY, |token| token.text)
    };
    let plain = || match text(Some(index + 1)) {
        sym::LPAREN | sym::LESS => Mention::Called,
        next if next.as_str() == "<<" => Mention::Called,
        _ => Mention::Plain,
    };
    let before = index.checked_sub(1);
    match text(before) {
        // `f()->name`, or `auto f() -> name`.
        sym::ARROW if text(index.checked_sub(2)) == sym::RPAREN => Some(Mention::Any),
        sym::DOT | sym::ARROW => (text(Some(index + 1)) == sym::SCOPE).then_some(Mention::Any),
        sym::TYPENAME => matches!(text(Some(index + 1)), sym::SCOPE | sym::LESS).then_some(Mention::Plain),
        sym::SCOPE => match index.checked_sub(2).map(|at| &tokens[at]) {
            Some(scope) if scope.kind == TokenKind::Identifier => match word(scope.text) {
                Some(_) => Some(Mention::Global),
                None => Some(Mention::In(scope.text)),
            },
            Some(scope) => (!matches!(scope.text, sym::GREATER | sym::SHR)).then_some(Mention::Global),
            None => Some(Mention::Global),
        },
        sym::USING => (text(Some(index + 1)) != sym::ASSIGN).then(plain),
        _ => (!declares_another(tokens, index)).then(plain),
    }
}

/// `int name,`: two names, or a type and a name, in a row declare the second.
pub(in crate::variance) fn declares_another(tokens: &[PpToken], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|at| &tokens[at]) else { return false };
    let typed = before.kind == TokenKind::Identifier
        && match word(before.text) {
            None => !looks_like_macro(before.text),
            Some(word) => word == Word::Type,
        };
    typed
        && tokens.get(index + 1).is_some_and(|next| {
            matches!(
                next.text,
                sym::COMMA
                    | sym::RPAREN
                    | sym::SEMI
                    | sym::ASSIGN
                    | sym::LBRACKET
                    | sym::LBRACE
                    | sym::LPAREN
                    | sym::COLON
                    | sym::GREATER
            )
        })
}
