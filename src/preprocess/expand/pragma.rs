//! Pragmas that the preprocessor carries out itself, and string literals as they hold text.

use crate::source::{Symbol, Token, TokenKind, sym};

/// A pragma that the preprocessor carries out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pragma {
    /// `#pragma once`
    Once,
    /// `#pragma push_macro("NAME")`
    PushMacro(Symbol),
    /// `#pragma pop_macro("NAME")`
    PopMacro(Symbol),
}

impl Pragma {
    /// The pragma of the tokens after `#pragma`, if it is one of these.
    pub(crate) fn parse(tokens: &[Token]) -> Option<Pragma> {
        match tokens {
            [once] if once.text == sym::ONCE => Some(Pragma::Once),
            [action, open, name, ..] if open.text == sym::LPAREN && name.kind == TokenKind::String => {
                let name = || Symbol::intern(&unquoted(name.text.as_str()));
                match action.text {
                    sym::PUSH_MACRO => Some(Pragma::PushMacro(name())),
                    sym::POP_MACRO => Some(Pragma::PopMacro(name())),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Whether the pragma of these tokens is left to the compiler.
pub(crate) fn is_for_compiler(tokens: &[Token]) -> bool {
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    match word(0) {
        "once" | "push_macro" | "pop_macro" => false,
        "GCC" => !matches!(word(1), "poison" | "system_header" | "dependency"),
        _ => true,
    }
}

/// A string literal that holds `text`.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text that a string literal holds.
pub(crate) fn unquoted(literal: &str) -> String {
    let inner = literal.find('"').and_then(|open| literal.get(open + 1..literal.rfind('"')?)).unwrap_or("");
    inner.replace("\\\"", "\"").replace("\\\\", "\\")
}
