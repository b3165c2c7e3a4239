//! Directives and macro definitions as they are written: their tokens, put on one line only when asked for.

use std::fmt;
use std::sync::Arc;

use crate::source::{SourceFile, Symbol, Token, sym};

/// A directive as it is written; put into words only when it is asked for, since few ever are.
#[derive(Clone)]
pub enum Written {
    /// The directive of that number in a file.
    Directive(Arc<SourceFile>, usize),
    /// The tokens behind `#define`, for a macro that no file defines.
    Predefined(Arc<[Token]>),
}

impl Written {
    /// The directive, `#` first; for a predefined macro, the tokens behind `#define`.
    pub(crate) fn tokens(&self) -> &[Token] {
        match self {
            Written::Directive(file, index) => file.directive(*index),
            Written::Predefined(tokens) => tokens,
        }
    }

    /// The tokens after `#define`.
    pub(crate) fn defined(&self) -> &[Token] {
        match self {
            Written::Directive(..) => self.tokens().get(2..).unwrap_or_default(),
            Written::Predefined(tokens) => tokens,
        }
    }

    /// The definition of `name` as written: `MAX(a, b) ((a) > (b) ? (a) : (b))`.
    pub(crate) fn definition_text(&self, name: Symbol) -> String {
        let (parameters, body) = macro_parts(self.defined());
        let mut text = name.to_string();
        if let Some(parameters) = parameters {
            let word = |token: &Token| if token.text == sym::COMMA { ", " } else { token.text.as_str() };
            let words: String = parameters.iter().map(word).collect();
            text = format!("{text}({words})");
        }
        if !body.is_empty() {
            text = format!("{text} {}", text_of(body));
        }
        text
    }

    /// On one line, comments dropped: `#if __CUDA_ARCH__ >= 800`.
    pub fn text(&self) -> String {
        text_of(self.tokens())
    }
}

impl PartialEq for Written {
    fn eq(&self, other: &Written) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Written {}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text())
    }
}

/// The tokens as one line, a blank where white space stood.
pub(crate) fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && token.space_before {
            text.push(' ');
        }
        text.push_str(token.text.as_str());
    }
    text
}

/// The tokens between the parentheses of a function-like macro's parameters, if it is one, and its
/// replacement list, in what stands after `#define`.
pub(crate) fn macro_parts(tokens: &[Token]) -> (Option<&[Token]>, &[Token]) {
    let rest = tokens.get(1..).unwrap_or_default();
    match rest {
        [open, ..] if open.text == sym::LPAREN && !open.space_before => {
            let close = rest.iter().position(|token| token.text == sym::RPAREN).unwrap_or(rest.len() - 1);
            (Some(&rest[1..close.max(1)]), &rest[close + 1..])
        }
        _ => (None, rest),
    }
}

/// Two `#define`s are the same ([cpp.replace]/2), judged by what stands after the directive's name.
pub(crate) fn same_definition(one: &[Token], other: &[Token]) -> bool {
    let spelled = |(a, b): (&Token, &Token)| a.text == b.text;
    let ((names, body), (other_names, other_body)) = (macro_parts(one), macro_parts(other));
    let same_names = match (names, other_names) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(spelled),
        (None, None) => true,
        _ => false,
    };
    let spaced = |(a, b): (&Token, &Token)| a.space_before == b.space_before;
    same_names
        && body.len() == other_body.len()
        && body.iter().zip(other_body).all(spelled)
        && body.iter().zip(other_body).skip(1).all(spaced)
}
