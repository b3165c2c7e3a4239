//! Unexpanded macros: names and calls before a declaration or statement that no header explained.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{Word, looks_like_macro, word};

use super::rewriter::{Fate, Rewriter};

/// How many blocks and unexpanded macros within one another are looked into for statements.
const NESTED_MACROS: usize = 8;

impl Rewriter<'_> {
    /// A name that no header explained: it may be an unexpanded macro.
    pub(super) fn name(&mut self, at: usize) -> usize {
        if let Some(next) = self.type_trait(at) {
            return next;
        }
        if let Some(next) = self.statements_of_macro(at) {
            return next;
        }
        if let Some(end) = self.unexpanded(at) {
            self.lift(at..end);
            return end;
        }
        if self.begins(at) && self.text(at + 1) == sym::LPAREN {
            return self.statement_macro(at);
        }
        self.abstract_data_pointer(at);
        at + 1
    }

    /// The end of an unexpanded macro at `at`, with its arguments, where a name can't stand in what the grammar knows.
    fn unexpanded(&self, at: usize) -> Option<usize> {
        // `RNG` in `RNG::State f();` qualifies what follows; `API ::ns::State f();` is told from it by the blank alone.
        let qualifies = |next: &PpToken| next.text == sym::SCOPE && !next.space_before;
        if self.tokens.get(at + 1).is_some_and(qualifies) {
            return None;
        }
        let begins = self.begins(at);
        // No type stands before a constructor, destructor or conversion function either.
        if begins
            && (self.only_a_macro_precedes(at + 1)
                || self.constructor_follows(at + 1)
                || self.destructor_follows(at + 1)
                || self.conversion_follows(at + 1))
        {
            return Some(at + 1);
        }
        if !looks_like_macro(self.text(at)) {
            return None;
        }
        let arguments = if self.text(at + 1) == sym::LPAREN { self.closing(at + 1) } else { None };
        let end = arguments.map_or(at + 1, |close| close + 1);
        let holds = match self.previous(at) {
            sym::CLASS | sym::STRUCT | sym::UNION if self.class_head_follows(at, end) => true,
            // `template <class T> REQUIRES(sizeof(T) > 1) T f(T t);`
            sym::GREATER if arguments.is_some() => {
                self.only_a_macro_precedes(end) || self.declaration_follows(end)
            }
            // `LOCKED {`
            sym::SEMI | sym::LBRACE | sym::RBRACE | sym::RPAREN
                if self.text(end) == sym::LBRACE && arguments.is_none() && self.is_in_function(at) =>
            {
                true
            }
            _ if begins && arguments.is_none() => {
                // Others may stand between, and annotations.
                let annotated = |index: &usize| word(self.text(*index)) == Some(Word::Annotation);
                let last = (end..).find(|next| !looks_like_macro(self.text(*next)) && !annotated(next));
                let plain = (end..).find(|next| !annotated(next)).unwrap_or(end);
                self.declaration_follows(plain) || last.is_some_and(|last| self.only_a_macro_precedes(last))
            }
            // `f(IN const T *a, OUT T &b)`
            sym::LPAREN | sym::COMMA if arguments.is_none() => {
                self.typed_name_follows(if self.text(end) == sym::CONST { end + 1 } else { end })
            }
            // `void f() ATTRIBUTE(1) {`
            sym::RPAREN | sym::CONST | sym::NOEXCEPT if arguments.is_some() => {
                self.text(end) == sym::LBRACE && self.is_behind_parameters(at)
            }
            // `template <class T REQUIRES(sizeof(T) > 1)>`
            _ if arguments.is_some() && matches!(self.text(end), sym::GREATER | sym::COMMA) => {
                at >= 2 && self.is_name(at - 1) && matches!(self.text(at - 2), sym::CLASS | sym::TYPENAME)
            }
            _ => false,
        };
        holds.then_some(end)
    }

    /// Leaves of an unexpanded macro at `at` its arguments that are statements or that call something, as statements of a
    /// block: of `SWITCH(n, T, f<float>(p); return;)` one of its own, and of `EACH(int, i, first(n)) {`, which can't be a
    /// call, the one that it opens. The index of the next token to look at.
    fn statements_of_macro(&mut self, at: usize) -> Option<usize> {
        let is_call = looks_like_macro(self.text(at)) && self.text(at + 1) == sym::LPAREN;
        let close = self.closing(at + 1).filter(|_| is_call && self.begins_statement(at))?;
        let arguments = self.arguments(at + 1, close);
        let opens_block = self.text(close + 1) == sym::LBRACE;
        let has_type = opens_block && word(self.text(at + 2)) == Some(Word::Type);
        if !has_type && !arguments.iter().any(|argument| self.are_statements(argument, NESTED_MACROS)) {
            return None;
        }
        self.lift(at..close + 1);
        self.fates[at + 1] = Fate::Text("{");
        match self.text(close + 1) {
            sym::LBRACE => self.lift(close + 1..close + 2),
            // Before an `else`, a `;` would end the statement.
            sym::SEMI => {
                self.fates[close] = Fate::Text("}");
                self.lift(close + 1..close + 2);
            }
            _ => self.fates[close] = Fate::Text("}"),
        }
        for argument in arguments {
            let calls = argument.clone().any(|at| self.text(at) == sym::LPAREN);
            if calls || self.are_statements(&argument, NESTED_MACROS) {
                let ends = argument.end == close && !opens_block;
                self.fates[argument.end] = Fate::Text(if ends { ";}" } else { ";" });
                self.fates[argument].fill(Fate::Keep);
            }
        }
        Some(at + 2)
    }

    /// The arguments between two parentheses; the commas of template arguments and of launch configurations part none.
    fn arguments(&self, open: usize, close: usize) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let (mut start, mut at) = (open + 1, open + 1);
        while at < close {
            at = match self.text(at) {
                sym::COMMA => {
                    all.push(start..at);
                    start = at + 1;
                    start
                }
                sym::LESS if self.is_name(at - 1) => self.template_arguments(at).unwrap_or(at + 1),
                sym::SHL if self.text(at + 1) == sym::LESS => self.launch_end(at + 2).unwrap_or(at) + 1,
                _ => self.closing(at).unwrap_or(at) + 1,
            };
        }
        all.push(start..close);
        all
    }

    /// The argument of a macro is a block, a statement or a sequence of them, or another macro with such an argument: no
    /// expression has a `;` outside of a lambda's body. Blocks and macros are looked into to a depth.
    fn are_statements(&self, argument: &Range<usize>, depth: usize) -> bool {
        let start = argument.start;
        let Some(depth) = depth.checked_sub(1) else { return false };
        if self.text(start) == sym::LBRACE && self.closing(start) == Some(argument.end - 1) {
            return self.are_statements(&(start + 1..argument.end - 1), depth);
        }
        let mut ends = argument.clone().filter(|at| self.text(*at) == sym::SEMI);
        let is_statement = matches!(
            self.text(start),
            sym::IF | sym::FOR | sym::WHILE | sym::DO | sym::SWITCH | sym::RETURN | sym::TRY
        );
        let of_macro = || match self.closing(start + 1) {
            Some(close) if looks_like_macro(self.text(start)) && close + 1 == argument.end => {
                self.arguments(start + 1, close).iter().any(|one| self.are_statements(one, depth))
            }
            _ => false,
        };
        is_statement
            || ends.any(|at| self.brackets.around[at] == self.brackets.around[start])
            || self.text(start + 1) == sym::LPAREN && of_macro()
    }

    /// A statement begins at `at`.
    fn begins_statement(&self, at: usize) -> bool {
        self.is_in_function(at)
            && matches!(
                self.previous(at),
                sym::SEMI | sym::LBRACE | sym::RBRACE | sym::RPAREN | sym::COLON | sym::ELSE | sym::DO
            )
    }

    /// The head of a class behind a macro, at `at`, that ends before `end`: `class API S {`, `struct API S : public B {`,
    /// `template class API S<int>;`. `struct TAG s;` and `struct TAG s {1, 2};` are variables.
    fn class_head_follows(&self, at: usize, end: usize) -> bool {
        let Some(behind) = self.qualified_name(end) else { return false };
        match self.text(behind) {
            sym::LBRACE => self.is_class_body(at - 1, behind),
            sym::FINAL => true,
            sym::COLON => {
                let next = behind + 1;
                self.is_name(next)
                    || matches!(
                        self.text(next),
                        sym::PUBLIC | sym::PRIVATE | sym::PROTECTED | sym::VIRTUAL | sym::SCOPE
                    )
            }
            _ => at >= 2 && self.text(at - 2) == sym::TEMPLATE,
        }
    }

    /// The brace at `open`, behind the class key at `key`, has members in it and no initializers. `struct TAG s {};` is as
    /// likely a variable.
    fn is_class_body(&self, key: usize, open: usize) -> bool {
        let Some(close) = self.closing(open) else { return true };
        let begins_member = matches!(
            self.text(open + 1),
            sym::PUBLIC
                | sym::PRIVATE
                | sym::PROTECTED
                | sym::TEMPLATE
                | sym::USING
                | sym::FRIEND
                | sym::VIRTUAL
                | sym::STATIC
                | sym::EXPLICIT
                | sym::TYPEDEF
                | sym::OPERATOR
                | sym::TILDE
        );
        // Variables are declared with `struct`, where C is spoken.
        if begins_member || self.text(key) == sym::CLASS || self.previous(key) == sym::GREATER {
            return true;
        }
        // `MEMBERS(int, a)`
        if looks_like_macro(self.text(open + 1)) && self.closing(open + 2) == Some(close - 1) {
            return true;
        }
        let (mut at, mut has_result) = (open + 1, false);
        while at < close {
            match self.text(at) {
                sym::SEMI => return true,
                sym::LBRACE if has_result || self.is_body(at) => return true,
                sym::ARROW => has_result = true,
                sym::COMMA => has_result = false,
                _ => {}
            }
            at = self.closing(at).unwrap_or(at) + 1;
        }
        false
    }

    /// The brace at `open` opens the body of a member function, and no initializer and no lambda's body.
    fn is_body(&self, open: usize) -> bool {
        let parameters = if self.text(open - 1) == sym::RPAREN { self.opening(open - 1) } else { None };
        match parameters {
            Some(parameters) => self.text(parameters - 1) != sym::RBRACKET,
            None => matches!(
                self.text(open - 1),
                sym::RBRACE
                    | sym::CONST
                    | sym::NOEXCEPT
                    | sym::OVERRIDE
                    | sym::FINAL
                    | sym::TRY
                    | sym::AMP
                    | sym::AMP_AMP
            ),
        }
    }

    /// A declaration begins at `at` with a type and a name, or is one of a constructor or destructor.
    fn declaration_follows(&self, at: usize) -> bool {
        self.typed_name_follows(at) || self.constructor_follows(at) || self.destructor_follows(at)
    }

    /// A conversion function begins at `at`, `operator T()`, and no other operator function.
    fn conversion_follows(&self, at: usize) -> bool {
        self.text(at) == sym::OPERATOR
            && (self.is_type(at + 1) || matches!(self.text(at + 1), sym::CONST | sym::TYPENAME | sym::SCOPE))
    }

    /// `S<T>::~S()` begins at `at`.
    fn destructor_follows(&self, mut at: usize) -> bool {
        while self.is_name(at) {
            at += 1;
            if self.text(at) == sym::LESS {
                at = self.template_arguments(at).unwrap_or(at);
            }
            if self.text(at) != sym::SCOPE {
                return false;
            }
            at += 1;
        }
        self.text(at) == sym::TILDE
    }

    /// The innermost brace around `at` opens the body of a function or a block in one.
    fn is_in_function(&self, at: usize) -> bool {
        let open = self.brackets.around[at] as usize;
        // The statements that are left of an unexpanded macro are a block too.
        let is_macro = open < at && self.fates[open] == Fate::Text("{");
        is_macro
            || open < at
                && self.text(open) == sym::LBRACE
                && matches!(
                    self.previous(open),
                    sym::RPAREN
                        | sym::RBRACKET
                        | sym::CONST
                        | sym::NOEXCEPT
                        | sym::ELSE
                        | sym::DO
                        | sym::TRY
                        | sym::SEMI
                        | sym::LBRACE
                        | sym::RBRACE
                )
    }

    /// Before `at` stand the parameters of a function, and perhaps a qualifier: no condition, and no other macro's arguments.
    fn is_behind_parameters(&self, at: usize) -> bool {
        let kept = |before: usize| (0..before).rev().find(|index| self.fates[*index] != Fate::Lift);
        let mut close = kept(at);
        while let Some(index) = close.filter(|index| self.text(*index) != sym::RPAREN) {
            close = kept(index);
        }
        let name = close.and_then(|close| self.opening(close)).and_then(kept);
        name.is_some_and(|name| self.is_name(name) && !looks_like_macro(self.text(name)))
    }

    /// A declaration or statement can begin at `at`, specifiers before it allowed.
    fn begins(&self, at: usize) -> bool {
        let before = self.previous(at);
        let others = [
            sym::EMPTY,
            sym::SEMI,
            sym::LBRACE,
            sym::RBRACE,
            sym::COLON,
            sym::GREATER,
            sym::CLASS,
            sym::STRUCT,
            sym::RPAREN,
            sym::TEMPLATE,
        ];
        is_specifier(before) && before != sym::TYPEDEF || others.contains(&before)
    }

    /// `CUTE_HOST_DEVICE static`, `PRAGMA_UNROLL for`: no name stands before such a word, which is at `next`; before a
    /// specifier only one of a type, as in `size_t constexpr n = 2;`.
    fn only_a_macro_precedes(&self, next: usize) -> bool {
        if is_specifier(self.text(next)) {
            return !self.type_precedes_specifiers(next);
        }
        matches!(
            self.text(next),
            sym::TEMPLATE
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
                | sym::TILDE
                | sym::CLASS
                | sym::STRUCT
                | sym::UNION
                | sym::ENUM
        )
    }

    /// Whether what stands before the specifiers at `next` is the type of what is declared, since none stands behind them:
    /// `size_t constexpr n = 2;`, `size_t static f();`. `API constexpr Grid(int n);` may be a constructor.
    fn type_precedes_specifiers(&self, next: usize) -> bool {
        let is_among =
            |at: &usize| is_specifier(self.text(*at)) || matches!(self.text(*at), sym::CONST | sym::VOLATILE);
        let Some(end) = (next..self.tokens.len()).find(|at| !is_among(at)) else { return false };
        // Constructors and conversion functions have no type.
        if (next..end).any(|at| self.text(at) == sym::EXPLICIT) || self.constructor_follows(end) {
            return false;
        }
        if !self.is_name(end) {
            let mut declarator =
                (end..).find(|at| !matches!(self.text(*at), sym::STAR | sym::AMP)).unwrap_or(end);
            declarator += usize::from(self.text(declarator) == sym::CONST);
            return declarator > end && self.is_name(declarator);
        }
        match self.qualified_name(end).map(|behind| self.text(behind)) {
            Some(sym::LPAREN) => !looks_like_macro(self.text(next - 1)),
            Some(behind) => matches!(
                behind,
                sym::ASSIGN | sym::LBRACE | sym::SEMI | sym::LBRACKET | sym::COMMA | sym::COLON
            ),
            None => false,
        }
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

    /// A constructor begins at `at`: `S<T>::S(T t)`, or one with initializers, `S(T t) noexcept : t(t)` ([class.base.init]).
    fn constructor_follows(&self, at: usize) -> bool {
        let named = self.qualified_name(at).filter(|end| self.is_name(at) && self.text(*end) == sym::LPAREN);
        let Some(parameters) = named else { return false };
        let (own, class) = (self.text(parameters - 1), self.qualifier(parameters - 1));
        if class == Some(own) {
            return true;
        }
        let mut end = match self.closing(parameters) {
            Some(close) if parameters == at + 1 => close + 1,
            _ => return false,
        };
        if self.text(end) == sym::NOEXCEPT {
            end += 1;
            if self.text(end) == sym::LPAREN {
                end = self.closing(end).map_or(end, |close| close + 1);
            }
        }
        self.text(end) == sym::COLON && self.is_name(end + 1)
    }

    /// The name that qualifies the one at `at`, without its template arguments.
    fn qualifier(&self, at: usize) -> Option<Symbol> {
        let mut index = at.checked_sub(2).filter(|_| self.text(at - 1) == sym::SCOPE)?;
        let mut depth = 0_usize;
        loop {
            match self.text(index) {
                sym::GREATER => depth += 1,
                sym::SHR => depth += 2,
                sym::LESS => depth = depth.saturating_sub(1),
                name if depth == 0 => return Some(name),
                _ => {}
            }
            index = index.checked_sub(1)?;
        }
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

/// Whether a word is a decl-specifier that is no type, and not `const` ([dcl.spec]).
fn is_specifier(word: Symbol) -> bool {
    matches!(
        word,
        sym::STATIC
            | sym::INLINE
            | sym::CONSTEXPR
            | sym::EXTERN
            | sym::VIRTUAL
            | sym::EXPLICIT
            | sym::FRIEND
            | sym::TYPEDEF
    )
}
