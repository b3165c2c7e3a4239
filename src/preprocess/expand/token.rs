//! A token on its way through macro expansion.

use crate::preprocess::result::tokens::{ExpansionId, GroupId, PpToken};
use crate::source::{FileId, Loc, Span, Symbol, Token, TokenKind, sym};
use crate::target::PassSet;

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tok {
    pub(crate) kind: TokenKind,
    pub(crate) space: bool,
    pub(crate) line_start: bool,
    /// Its macro was being expanded when it was read: it is never expanded again ([cpp.rescan]).
    pub(crate) painted: bool,
    pub(crate) text: Symbol,
    pub(crate) at: Span,
    pub(crate) spelled: Loc,
    pub(crate) expansion: Option<ExpansionId>,
    pub(crate) group: Option<GroupId>,
}

impl Tok {
    pub(crate) fn new(token: &Token, file: FileId, group: Option<GroupId>) -> Tok {
        Tok {
            kind: token.kind,
            space: token.space_before,
            line_start: token.line_start,
            painted: false,
            text: token.text,
            at: Span { file, start: token.offset, end: token.end },
            spelled: Loc { file, offset: token.offset },
            expansion: None,
            group,
        }
    }

    /// Whether it is this punctuator.
    pub(crate) fn is(&self, punctuator: Symbol) -> bool {
        self.text == punctuator && self.kind == TokenKind::Punctuator
    }

    /// A token of another kind and spelling in the place of this one.
    pub(crate) fn with(&self, kind: TokenKind, text: &str) -> Tok {
        Tok { kind, text: Symbol::intern(text), painted: false, ..*self }
    }

    /// A token that stands for no text, only for the white space before what follows: a
    /// placemarker ([cpp.concat]) or the edge of an argument. `painted` says it is a right edge.
    pub(crate) fn padding(&self, space: bool) -> Tok {
        Tok { kind: TokenKind::Other, text: sym::EMPTY, space, painted: false, ..*self }
    }

    /// The right edge of an argument.
    pub(crate) fn right_edge(&self) -> Tok {
        Tok { painted: true, ..self.padding(false) }
    }

    pub(crate) fn is_padding(&self) -> bool {
        self.text == sym::EMPTY
    }

    /// The token in the place of a `_Pragma` until it is printed; it is no token of the program.
    pub(crate) fn pragma(&self, content: &str) -> Tok {
        self.with(TokenKind::Other, &format!("#pragma {content}"))
    }

    /// Whether it was made by [`Tok::pragma`].
    pub(crate) fn is_pragma(&self) -> bool {
        self.kind == TokenKind::Other && self.text.as_str().starts_with('#')
    }

    /// The preprocessed token, for the passes that have it.
    pub(crate) fn preprocessed(&self, passes: PassSet) -> PpToken {
        PpToken {
            kind: self.kind,
            space_before: self.space,
            line_start: self.line_start,
            text: self.text,
            passes,
            at: self.at,
            spelled: self.spelled,
            expansion: self.expansion,
            group: self.group,
        }
    }
}
