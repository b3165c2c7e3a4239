//! The value of an expression, or the type, that is given by its tokens, in one pass.
//!
//! In: tokens of one pass, and the namespace to look their names up in. Out: its value, if it is a constant. Names of
//! blocks and classes are not known here: [`is_declared_before`] tells callers which to leave alone.

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::ScopeId;

use crate::facts::lower::ast::{DeclBody, Expr};
use crate::facts::meaning::types::{Env, Spelling, Value};
use crate::facts::meaning::view::View;

/// The value of an expression in a namespace; `None` if it is no constant, or it could not be computed.
pub(in crate::facts) fn constant(view: &View<'_>, scope: ScopeId, tokens: &[PpToken]) -> Option<Value> {
    let expression = expression(view, tokens)?;
    let value = view.constant(&expression, &Env::namespace(scope))?;
    value.is_known().then_some(value)
}

/// The expression as the initializer of a variable.
fn expression(view: &View<'_>, tokens: &[PpToken]) -> Option<Expr> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let mut whole: Vec<PpToken> =
        ["constexpr", "auto", "value"].map(|text| word(text, first, TokenKind::Identifier)).to_vec();
    whole.extend(["=", "("].map(|text| word(text, first, TokenKind::Punctuator)));
    whole.extend_from_slice(tokens);
    whole.extend([")", ";"].map(|text| word(text, last, TokenKind::Punctuator)));
    let (declared, errors) = view.unit.memo.lowered(&whole, None, view.unit.detail.get());
    match declared.first().map(|decl| &decl.kind) {
        Some(DeclBody::Variable(variable)) if errors == 0 => variable.initializer.clone(),
        _ => None,
    }
}

/// A token of that text which stands where another one does.
fn word(text: &str, like: &PpToken, kind: TokenKind) -> PpToken {
    PpToken { text: Symbol::intern(text), kind, space_before: true, ..*like }
}

/// What a type means in a namespace; `None` if it is none, or some name in it is not known.
pub(in crate::facts) fn type_of(view: &View<'_>, scope: ScopeId, tokens: &[PpToken]) -> Option<String> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let mut whole: Vec<PpToken> =
        ["using", "meant"].map(|text| word(text, first, TokenKind::Identifier)).to_vec();
    whole.push(word("=", first, TokenKind::Punctuator));
    whole.extend_from_slice(tokens);
    whole.push(word(";", last, TokenKind::Punctuator));
    let (declared, errors) = view.unit.memo.lowered(&whole, None, view.unit.detail.get());
    let Some(DeclBody::Alias(ty)) = declared.first().map(|decl| &decl.kind).filter(|_| errors == 0) else {
        return None;
    };
    let ty = view.ty(ty, &Env::namespace(scope));
    ty.is_sure().then(|| ty.text(Spelling::Canonical))
}

/// Whether these tokens of a function or class declare the name, as far as tokens tell: it stands behind a type there, or is
/// an enumerator.
pub(in crate::facts) fn is_declared_before(tokens: &[&PpToken], name: Symbol) -> bool {
    let named = tokens.iter().enumerate().filter(|(_, token)| token.text == name);
    named.into_iter().any(|(at, _)| declares(tokens, at))
}

/// Whether the name at an index is declared there.
fn declares(tokens: &[&PpToken], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| tokens[index]) else { return false };
    let is_enumerator = matches!(before.text, sym::COMMA | sym::LBRACE)
        && tokens.get(at + 1).is_some_and(|next| next.text == sym::ASSIGN);
    if is_enumerator {
        return true;
    }
    if before.kind == TokenKind::Identifier {
        return !NO_TYPES.contains(&before.text.as_str());
    }
    let mut around = tokens[..at].iter().rev();
    let pointer = around.find(|token| !matches!(token.text, sym::STAR | sym::AMP));
    let is_pointer = matches!(before.text, sym::STAR | sym::AMP | sym::GREATER)
        && pointer.is_some_and(|token| token.kind == TokenKind::Identifier || token.text == sym::GREATER);
    let in_type = |token: &&&PpToken| {
        token.kind == TokenKind::Identifier || matches!(token.text, sym::SCOPE | sym::LESS)
    };
    is_pointer
        && around
            .find(|token| !in_type(token))
            .is_some_and(|token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE))
}

/// Words before a name that are no types.
const NO_TYPES: [&str; 8] = ["return", "case", "else", "new", "delete", "sizeof", "throw", "goto"];
