//! The rewrite of a declaration, token by token: which rewrite looks at which token.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{TokenKind, sym};
use crate::variance::{Word, word};

use super::rewriter::{Fate, Rewriter};

/// The rewritten tokens of a declaration.
pub(in crate::syntax) struct Rewritten {
    /// The treatment of each token.
    pub(in crate::syntax) fates: Vec<Fate>,
    /// Token ranges between the chevrons of kernel launches.
    pub(in crate::syntax) launches: Vec<Range<usize>>,
}

/// Decides what becomes of every token of a declaration in one pass.
pub(in crate::syntax) fn rewrite(tokens: &[PpToken]) -> Rewritten {
    let mut rewriter = Rewriter::new(tokens);
    rewriter.explicit_instantiation();
    let mut at = 0;
    while at < tokens.len() {
        // A token that an earlier rewrite left out is not looked at again.
        let is_lifted = rewriter.fates[at] == Fate::Lift;
        at = if is_lifted { at + 1 } else { rewriter.token(at).max(at + 1) };
    }
    Rewritten { fates: rewriter.fates, launches: rewriter.launches }
}

impl Rewriter<'_> {
    /// Treats the token at `at`; the index of the next one to look at.
    fn token(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        if token.kind == TokenKind::Identifier {
            return match word(token.text) {
                Some(word) => self.word(at, word),
                None => self.name(at),
            };
        }
        match token.text {
            sym::LPAREN => self.abstract_member_pointer(at),
            sym::LBRACKET => self.attribute(at),
            sym::LESS if self.less_than(at) => at + 1,
            sym::LESS => self.nested_template_ids(at),
            sym::SHL => self.launch(at),
            sym::ASSIGN => self.default_argument(at),
            sym::HASH => self.pragma(at),
            sym::GREATER_EQ => self.comparison(at),
            sym::COLON => self.unnamed_bit_field(at),
            sym::DOT | sym::ARROW => self.member_template(at),
            sym::TILDE => self.destructor_call(at),
            // The grammar does not know the ellipsis of `using Bases::run...;`.
            sym::ELLIPSIS if self.text(at + 1) == sym::SEMI => {
                self.lift(at..at + 1);
                at + 1
            }
            sym::ELLIPSIS => self.pack_of_pointers(at),
            sym::ARROW_STAR => self.member_pointer(at),
            _ => at + 1,
        }
    }

    fn word(&mut self, at: usize, word: Word) -> usize {
        match word {
            Word::Annotation => self.lift(at..at + 1),
            Word::AnnotationCall => return self.annotation_call(at),
            Word::Align => self.fates[at] = Fate::Text("alignas"),
            Word::Asm => return self.assembly(at),
            Word::TypeCall => return self.type_call(at),
            Word::Type => self.functional_cast(at),
            Word::SpecifierCall | Word::Keyword => {}
        }
        match self.text(at) {
            sym::EXTERN if self.text(at + 1) == sym::TEMPLATE => self.lift(at..at + 1),
            // `call<F::template apply, T>`: the grammar wants template arguments after the keyword.
            sym::TEMPLATE
                if self.previous(at) == sym::SCOPE
                    && self.is_name(at + 1)
                    && self.text(at + 2) != sym::LESS =>
            {
                self.lift(at..at + 1);
            }
            sym::TYPENAME if self.previous(at) == sym::USING => self.lift(at..at + 1),
            sym::TYPENAME => self.dependent_value(at),
            sym::CONST if self.previous(at) == sym::NEW => self.lift(at..at + 1),
            sym::NEW => self.array_of_pointers(at),
            sym::DELETE => self.deleted_function(at),
            sym::OPERATOR => return self.operator_member(at),
            sym::REQUIRES => self.nested_requirement(at),
            _ => self.respell(at),
        }
        at + 1
    }

    /// `object.~Buffer<T>()` as if it were `object.~Buffer()`: the class of the object is the same.
    fn destructor_call(&mut self, at: usize) -> usize {
        if matches!(self.previous(at), sym::DOT | sym::ARROW)
            && self.is_name(at + 1)
            && self.text(at + 2) == sym::LESS
            && let Some(end) = self.template_arguments(at + 2)
            && self.text(end) == sym::LPAREN
        {
            self.lift(at + 2..end);
            return end;
        }
        at + 1
    }

    /// `object->*member` as if it were `object.*member`, the one of both that the grammar knows.
    fn member_pointer(&mut self, at: usize) -> usize {
        if self.is_name(at + 1) && self.previous(at) != sym::OPERATOR {
            self.fates[at] = Fate::Text(".*");
        }
        at + 1
    }
}
