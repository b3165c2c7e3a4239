//! A directive's line, and the header name that one may hold ([cpp.include]).

use std::sync::Arc;

use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::tokens::GroupId;
use crate::preprocess::result::written::{Written, text_of};
use crate::source::{SourceFile, Span, Token, TokenKind, sym};

/// A directive's line.
#[derive(Clone, Copy)]
pub(crate) struct Line<'f> {
    pub(crate) file: &'f Arc<SourceFile>,
    /// Its number among the directives of the file.
    pub(crate) index: usize,
    /// From the `#` on.
    pub(crate) tokens: &'f [Token],
}

impl<'f> Line<'f> {
    /// The directive of that number.
    pub(crate) fn new(file: &'f Arc<SourceFile>, index: usize) -> Line<'f> {
        Line { file, index, tokens: file.directive(index) }
    }

    /// The directive's name.
    pub(crate) fn name(&self) -> Option<&'f Token> {
        self.tokens.get(1)
    }

    /// The tokens after the directive's name.
    pub(crate) fn rest(&self) -> &'f [Token] {
        self.tokens.get(2..).unwrap_or(&[])
    }

    /// The tokens after the directive's name, to be expanded.
    pub(crate) fn operands(&self, group: Option<GroupId>) -> Vec<Tok> {
        self.rest().iter().map(|token| Tok::new(token, self.file.id, group)).collect()
    }

    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        let last = self.tokens.last().expect("it has its `#`");
        Span { file: self.file.id, start: self.tokens[0].offset, end: last.end }
    }

    /// The directive on one line.
    pub(crate) fn text(&self) -> String {
        text_of(self.tokens)
    }

    /// A reference to the directive as it is written.
    pub(crate) fn written(&self) -> Written {
        Written::Directive(self.file.clone(), self.index)
    }
}

/// The header that an `#include` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) angled: bool,
}

impl Header {
    /// With its delimiters.
    pub(crate) fn spelled(&self) -> String {
        if self.angled { format!("<{}>", self.name) } else { format!("\"{}\"", self.name) }
    }
}

/// The header name as it is written, when no macro gives it.
pub(crate) fn written_header(line: Line<'_>) -> Option<Header> {
    let first = line.rest().first()?;
    let written = first.text.as_str();
    let begins_name = match first.kind {
        TokenKind::String | TokenKind::Other => written.starts_with('"'),
        TokenKind::Punctuator => written.starts_with('<'),
        _ => false,
    };
    if begins_name { header_in(&line.file.text[first.offset as usize..]) } else { None }
}

/// The header name in double quotes or angle brackets that `text` begins with.
pub(crate) fn header_in(text: &str) -> Option<Header> {
    let angled = text.starts_with('<');
    let (open, close) = if angled { ('<', '>') } else { ('"', '"') };
    let inner = text.strip_prefix(open)?;
    let name = &inner[..inner.find([close, '\n'])?];
    inner[name.len()..].starts_with(close).then(|| Header { name: name.to_string(), angled })
}

/// The header name expanded tokens make.
pub(crate) fn header_of(tokens: &[Tok]) -> Option<Header> {
    let [first, rest @ ..] = tokens else { return None };
    if first.kind == TokenKind::String {
        return header_in(first.text.as_str());
    }
    if !first.is(sym::LESS) {
        return None;
    }
    let mut name = String::new();
    for (index, token) in rest.iter().enumerate() {
        if token.is(sym::GREATER) {
            return Some(Header { name, angled: true });
        }
        if index > 0 && token.space {
            name.push(' ');
        }
        name.push_str(token.text.as_str());
    }
    None
}
