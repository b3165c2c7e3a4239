//! The value of an expression, or the type, that is given by its tokens, in one pass.
//!
//! In: tokens of one pass, and the namespace to look their names up in. Out: its value, if it is a constant. Names of
//! blocks and classes are not known here: `locals.rs` tells callers which to leave alone.

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind};
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
