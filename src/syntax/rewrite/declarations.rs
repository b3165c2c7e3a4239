//! Declarations: annotations, attributes, assembler names, bit-fields, default arguments, deleted functions, explicit
//! instantiations, operators and pragmas.

use crate::source::{TokenKind, sym};
use crate::variance::{Word, word};

use super::rewriter::{Fate, Rewriter};

/// The name that the grammar is given for that of an operator function where it knows only names. The tokens after the
/// first are left out.
pub const OPERATOR_NAME: &str = "operator_";

/// The name that something without one gets where the grammar wants a name.
pub const UNNAMED: &str = "unnamed_";

impl Rewriter<'_> {
    /// `template class X<float>;`: the grammar knows explicit instantiations of functions only.
    pub(super) fn explicit_instantiation(&mut self) {
        let mut at = 0;
        while matches!(self.text(at), sym::EXTERN | sym::EXTENSION) {
            at += 1;
        }
        if self.text(at) != sym::TEMPLATE {
            return;
        }
        let annotated = |index: &usize| matches!(word(self.text(*index)), Some(Word::Annotation));
        let next = (at + 1..self.tokens.len()).find(|index| !annotated(index)).unwrap_or(at);
        if matches!(self.text(next), sym::CLASS | sym::STRUCT | sym::UNION)
            && self.text(self.tokens.len() - 1) == sym::SEMI
            && !self.tokens.iter().any(|token| token.text == sym::LPAREN)
        {
            self.lift(0..at + 1);
        }
    }

    /// `requires sizeof(T) <= 16;` among the requirements of a requires-expression: the grammar wants an operand in
    /// parentheses.
    pub(super) fn nested_requirement(&mut self, at: usize) {
        if !matches!(self.previous(at), sym::SEMI | sym::LBRACE | sym::RBRACE) {
            return;
        }
        let mut end = at + 1;
        while !matches!(self.text(end), sym::SEMI | sym::EMPTY) {
            end = self.closing(end).unwrap_or(end) + 1;
        }
        if self.text(end) == sym::SEMI {
            self.fates[at] = Fate::Text("requires (");
            self.fates[end] = Fate::After(")");
        }
    }

    /// `__launch_bounds__(256, 2)`, `__attribute__((aligned(8)))`.
    pub(super) fn annotation_call(&mut self, at: usize) -> usize {
        let end = self.closing(at + 1).unwrap_or(at);
        self.lift(at..end + 1);
        end + 1
    }

    /// `[[nodiscard]]`, and not `a[[] { return 0; }()]`.
    pub(super) fn attribute(&mut self, at: usize) -> usize {
        let Some(close) = self.closing(at) else { return at + 1 };
        if self.text(at + 1) != sym::LBRACKET || self.closing(at + 1) != Some(close - 1) {
            return at + 1;
        }
        self.lift(at..close + 1);
        close + 1
    }

    /// `asm volatile("…" : "=r"(x) : "r"(y));` and `extern int f() asm("g");`.
    pub(super) fn assembly(&mut self, at: usize) -> usize {
        let mut open = at + 1;
        while self.tokens.get(open).is_some_and(|token| token.kind == TokenKind::Identifier) {
            open += 1;
        }
        match self.closing(open) {
            Some(close) if self.text(open) == sym::LPAREN => {
                self.lift(at..close + 1);
                close + 1
            }
            _ => at + 1,
        }
    }

    /// `void f(A<B> &b) = delete;`: the grammar may take it for an initializer, so it goes.
    pub(super) fn deleted_function(&mut self, at: usize) {
        if at > 1 && self.text(at - 1) == sym::ASSIGN && self.text(at + 1) == sym::SEMI {
            self.lift(at - 1..at + 1);
        }
    }

    /// `template <enable_if_t<N>* = nullptr>` gets a name, `f(T x = {})` a type: the grammar wants both.
    pub(super) fn default_argument(&mut self, at: usize) -> usize {
        if matches!(self.previous(at), sym::STAR | sym::AMP | sym::AMP_AMP) && at > 1 {
            if self.text(at - 2) != sym::OPERATOR {
                self.fates[at] = Fate::After(UNNAMED);
            }
        } else if let Some(close) = self.closing(at + 1)
            && self.text(at + 1) == sym::LBRACE
            && self.text(self.brackets.around[at] as usize) == sym::LPAREN
            && matches!(self.text(close + 1), sym::COMMA | sym::RPAREN)
        {
            self.fates[at + 1] = Fate::After(UNNAMED);
        }
        at + 1
    }

    /// `int a : 3, : 5;` and `int : 1, b : 2;`: a bit-field gets a name.
    pub(super) fn unnamed_bit_field(&mut self, at: usize) -> usize {
        let number = self.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Number);
        if number && at > 1 {
            let first = matches!(self.text(at - 2), sym::SEMI | sym::LBRACE | sym::RBRACE)
                && matches!(self.text(at + 2), sym::COMMA | sym::SEMI);
            if self.text(at - 1) == sym::COMMA || first && self.is_type(at - 1) {
                self.fates[at] = Fate::After(UNNAMED);
            }
        }
        at + 1
    }

    /// `this->operator=(x)` and `operator()(x);`: the grammar knows calls of names, so it gets one.
    pub(super) fn operator_member(&mut self, at: usize) -> usize {
        let called = matches!(
            self.previous(at),
            sym::ARROW
                | sym::DOT
                | sym::SEMI
                | sym::LBRACE
                | sym::RBRACE
                | sym::ELSE
                | sym::RETURN
                | sym::ASSIGN
                | sym::LPAREN
                | sym::COMMA
                | sym::BANG
                | sym::RPAREN
        ) || self.previous(at) == sym::SCOPE && self.text(at + 3) == sym::LESS;
        if !called {
            return at + 1;
        }
        let call = matches!(self.text(at + 1), sym::LPAREN | sym::LBRACKET);
        let end = if call { self.closing(at + 1).map_or(at + 1, |close| close + 1) } else { at + 2 };
        // `template void Any::operator()<int>(int);`
        let open = match self.text(end) {
            sym::LESS => self.template_arguments(end).unwrap_or(end),
            _ => end,
        };
        if self.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Punctuator)
            && self.text(open) == sym::LPAREN
        {
            self.fates[at] = Fate::Text(OPERATOR_NAME);
            self.lift(at + 1..end);
            return end;
        }
        at + 1
    }

    /// `#pragma unroll` that the preprocessor passed on: to the end of its line.
    pub(super) fn pragma(&mut self, at: usize) -> usize {
        if self.text(at + 1) != sym::PRAGMA {
            return at + 1;
        }
        let rest = self.tokens[at + 1..].iter().position(|token| token.line_start);
        let end = rest.map_or(self.tokens.len(), |count| at + 1 + count);
        self.lift(at..end);
        end
    }
}
