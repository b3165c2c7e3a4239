//! Unexpanded macros: names and calls before a declaration or statement that no header explained.

use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{Word, looks_like_macro, word};

use super::rewriter::{Fate, Rewriter};

impl Rewriter<'_> {
    /// A name that no header explained: an unexpanded macro before a declaration or statement.
    pub(super) fn name(&mut self, at: usize) -> usize {
        let begins = self.begins(at);
        let next = self.text(at + 1);
        let before_type = || looks_like_macro(self.text(at)) && self.typed_name_follows(at + 1);
        if begins && (self.only_a_macro_precedes(next) || before_type()) {
            self.lift(at..at + 1);
        } else if begins && next == sym::LPAREN {
            return self.statement_macro(at);
        } else {
            self.abstract_data_pointer(at);
        }
        at + 1
    }

    /// A declaration or statement can begin at `at`, specifiers before it allowed.
    fn begins(&self, at: usize) -> bool {
        matches!(
            self.previous(at),
            sym::EMPTY
                | sym::SEMI
                | sym::LBRACE
                | sym::RBRACE
                | sym::COLON
                | sym::GREATER
                | sym::STATIC
                | sym::INLINE
                | sym::CONSTEXPR
                | sym::EXTERN
                | sym::VIRTUAL
                | sym::EXPLICIT
                | sym::FRIEND
                | sym::CLASS
                | sym::STRUCT
                | sym::RPAREN
                | sym::TEMPLATE
        )
    }

    /// `CUTE_HOST_DEVICE static`, `PRAGMA_UNROLL for`: no name stands before such a word.
    fn only_a_macro_precedes(&self, next: Symbol) -> bool {
        matches!(
            next,
            sym::STATIC
                | sym::INLINE
                | sym::CONSTEXPR
                | sym::EXTERN
                | sym::VIRTUAL
                | sym::EXPLICIT
                | sym::FRIEND
                | sym::TYPEDEF
                | sym::TEMPLATE
                | sym::TYPENAME
                | sym::USING
                | sym::VOID
                | sym::BOOL
                | sym::CHAR
                | sym::SHORT
                | sym::INT
                | sym::LONG
                | sym::FLOAT
                | sym::DOUBLE
                | sym::SIGNED
                | sym::UNSIGNED
                | sym::AUTO
                | sym::FOR
                | sym::WHILE
                | sym::DO
                | sym::SWITCH
                | sym::IF
                | sym::RETURN
        )
    }

    /// `Shape<A> const& f` begins at `at`: a type and then a name.
    fn typed_name_follows(&self, at: usize) -> bool {
        let Some(mut end) = self.qualified_name(at) else { return false };
        while matches!(
            self.text(end),
            sym::STAR | sym::AMP | sym::AMP_AMP | sym::CONST | sym::RESTRICT | sym::VOLATILE
        ) {
            end += 1;
        }
        self.is_name(end) || self.text(end) == sym::OPERATOR
    }

    /// `CHECK(x)` without `;` before the next line's statement or declaration.
    fn statement_macro(&mut self, at: usize) -> usize {
        let Some(close) = self.closing(at + 1) else { return at + 1 };
        let Some(next) = self.tokens.get(close + 1) else { return at + 1 };
        if next.line_start
            && looks_like_macro(self.text(at))
            && next.kind == TokenKind::Identifier
            && self.fates[close + 1] == Fate::Keep
            && !matches!(word(next.text), Some(Word::SpecifierCall | Word::Annotation | Word::AnnotationCall))
            && !matches!(next.text, sym::CONST | sym::VOLATILE | sym::TRY | sym::OVERRIDE | sym::FINAL)
        {
            self.lift(at..close + 1);
            return close + 1;
        }
        at + 1
    }
}
