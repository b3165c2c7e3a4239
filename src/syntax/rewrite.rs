//! What is done to each token so that tree-sitter-cpp understands the text.
//!
//! In: the tokens of a declaration in one pass. Out: a [`Fate`] for each of them. Each rewrite is a
//! method named for what it treats. They change words, never the order of tokens.

use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{Word, looks_like_macro, word};

/// What becomes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Its spelling.
    Keep,
    /// Nothing.
    Lift,
    /// Another spelling.
    Text(&'static str),
    /// Its spelling, after a text that stands for no token.
    After(&'static str),
}

/// Spellings the grammar does not know, and ones it does.
const SYNONYMS: &[(&str, &str)] = &[
    ("__restrict", "__restrict__"),
    ("restrict", "__restrict__"),
    ("__volatile__", "volatile"),
    ("__const__", "const"),
    ("__const", "const"),
    ("__signed__", "signed"),
    ("__decltype", "decltype"),
    ("__typeof__", "decltype"),
    ("__typeof", "decltype"),
    ("typeof", "decltype"),
    ("__alignof__", "alignof"),
    ("__thread", "thread_local"),
    ("_Static_assert", "static_assert"),
    ("typeid", "sizeof"),
];

static SYNONYM: LazyLock<FxHashMap<Symbol, &'static str>> =
    LazyLock::new(|| SYNONYMS.iter().map(|(from, to)| (Symbol::intern(from), *to)).collect());

static ARROW_STAR: LazyLock<Symbol> = LazyLock::new(|| Symbol::intern("->*"));
static DOT_STAR: LazyLock<Symbol> = LazyLock::new(|| Symbol::intern(".*"));

/// The fates of all tokens, and the launches found on the way.
pub(super) struct Rewritten {
    pub(super) fates: Vec<Fate>,
    /// Token ranges between the chevrons of kernel launches.
    pub(super) launches: Vec<Range<usize>>,
}

/// Decides the fate of every token.
pub(super) fn rewrite(tokens: &[PpToken]) -> Rewritten {
    let mut rewriter = Rewriter {
        tokens,
        brackets: Brackets::of(tokens),
        fates: vec![Fate::Keep; tokens.len()],
        launches: Vec::new(),
    };
    rewriter.explicit_instantiation();
    let mut at = 0;
    while at < tokens.len() {
        at = rewriter.token(at).max(at + 1);
    }
    Rewritten { fates: rewriter.fates, launches: rewriter.launches }
}

/// Which bracket closes which, and which encloses a token.
struct Brackets {
    /// For an opening bracket its closing one and the other way round; the token's own index
    /// for anything else and for a bracket without partner.
    partner: Vec<u32>,
    /// The innermost bracket around a token, itself for none.
    around: Vec<u32>,
}

impl Brackets {
    fn of(tokens: &[PpToken]) -> Brackets {
        let mut partner: Vec<u32> = (0..tokens.len() as u32).collect();
        let mut around = partner.clone();
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let opener = match token.text {
                sym::RPAREN => sym::LPAREN,
                sym::RBRACKET => sym::LBRACKET,
                sym::RBRACE => sym::LBRACE,
                _ => sym::EMPTY,
            };
            if opener != sym::EMPTY
                && let Some(depth) = open.iter().rposition(|open| tokens[*open].text == opener)
            {
                partner[open[depth]] = index as u32;
                partner[index] = open[depth] as u32;
                open.truncate(depth);
            }
            if let Some(enclosing) = open.last() {
                around[index] = *enclosing as u32;
            }
            if matches!(token.text, sym::LPAREN | sym::LBRACKET | sym::LBRACE) {
                open.push(index);
            }
        }
        Brackets { partner, around }
    }
}

struct Rewriter<'a> {
    tokens: &'a [PpToken],
    brackets: Brackets,
    fates: Vec<Fate>,
    launches: Vec<Range<usize>>,
}

impl Rewriter<'_> {
    fn text(&self, at: usize) -> Symbol {
        self.tokens.get(at).map_or(sym::EMPTY, |token| token.text)
    }

    fn previous(&self, at: usize) -> Symbol {
        let kept = (0..at).rev().find(|index| self.fates[*index] != Fate::Lift);
        kept.map_or(sym::EMPTY, |index| self.tokens[index].text)
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Identifier && word(token.text).is_none())
    }

    /// The closing bracket of the group that opens at `at`, if one does.
    fn closing(&self, at: usize) -> Option<usize> {
        let close = *self.brackets.partner.get(at)? as usize;
        (close > at).then_some(close)
    }

    fn lift(&mut self, range: Range<usize>) {
        self.fates[range].fill(Fate::Lift);
    }

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
            sym::LBRACKET => self.attribute(at),
            sym::SHL => self.launch(at),
            sym::ASSIGN => self.default_argument(at),
            sym::HASH => self.pragma(at),
            sym::GREATER_EQ => self.comparison(at),
            sym::COLON => self.unnamed_bit_field(at),
            text if text == *ARROW_STAR || text == *DOT_STAR => self.member_pointer(at),
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
            sym::TYPENAME => self.dependent_value(at),
            sym::CONST if self.previous(at) == sym::NEW => self.lift(at..at + 1),
            sym::NEW => self.array_of_pointers(at),
            sym::DELETE => self.deleted_function(at),
            sym::OPERATOR => return self.operator_member(at),
            text => {
                if let Some(synonym) = SYNONYM.get(&text) {
                    self.fates[at] = Fate::Text(synonym);
                }
            }
        }
        at + 1
    }

    /// `__launch_bounds__(256, 2)`, `__attribute__((aligned(8)))`.
    fn annotation_call(&mut self, at: usize) -> usize {
        let end = self.closing(at + 1).unwrap_or(at);
        self.lift(at..end + 1);
        end + 1
    }

    /// `asm volatile("…" : "=r"(x) : "r"(y));` and `extern int f() asm("g");`.
    fn assembly(&mut self, at: usize) -> usize {
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

    /// `decltype(x)` where the grammar has no type: as a value, a scope, a base, and with a comma in
    /// its parentheses.
    fn type_call(&mut self, at: usize) -> usize {
        if let Some(synonym) = SYNONYM.get(&self.text(at)) {
            self.fates[at] = Fate::Text(synonym);
        }
        let Some(close) = self.closing(at + 1) else { return at + 1 };
        match self.text(close + 1) {
            sym::SCOPE if self.is_value(close + 2) => return self.opaque_type(at, close),
            sym::LBRACE if self.previous(at) == sym::COLON => return self.opaque_type(at, close),
            sym::LBRACE if self.previous(at) != sym::ARROW => self.decltype_value(at, close + 1),
            _ => {}
        }
        let comma = (at + 2..close)
            .any(|index| self.text(index) == sym::COMMA && self.brackets.around[index] as usize == at + 1);
        if comma {
            self.fates[at + 1] = Fate::Text("((");
            self.fates[close] = Fate::Text("))");
        }
        at + 1
    }

    /// `decltype(a)::B{}` and `struct A : decltype(f()) {`: a name stands for the type.
    fn opaque_type(&mut self, at: usize, close: usize) -> usize {
        self.fates[at] = Fate::Text("decltype_");
        self.lift(at + 1..close + 1);
        close + 1
    }

    /// `decltype(a){b}` as the call `decltype_(a)(b)`.
    fn decltype_value(&mut self, at: usize, brace: usize) {
        if let Some(end) = self.closing(brace) {
            self.fates[at] = Fate::Text("decltype_");
            self.fates[brace] = Fate::Text("(");
            self.fates[end] = Fate::Text(")");
        }
    }

    /// `typename X::T{}` and `typename X::T(1)`, where the grammar has types but no values.
    fn dependent_value(&mut self, at: usize) {
        let start = if word(self.text(at + 1)) == Some(Word::TypeCall) {
            let Some(close) = self.closing(at + 2) else { return };
            if self.text(close + 1) != sym::SCOPE {
                return;
            }
            close + 2
        } else {
            at + 1
        };
        if self.is_value(start) {
            self.lift(at..at + 1);
        }
    }

    /// A type's name at `at` is followed by what makes it a value.
    fn is_value(&self, at: usize) -> bool {
        let end = self.qualified_name(at);
        end.is_some_and(|end| matches!(self.text(end), sym::LBRACE | sym::LPAREN))
    }

    /// `new float *[n]` and `new const T *[n]` as `new float [n]`.
    fn array_of_pointers(&mut self, at: usize) {
        let mut index = at + 1;
        while self.is_type(index) || self.text(index) == sym::CONST {
            index += 1;
        }
        let stars = (index..).take_while(|star| self.text(*star) == sym::STAR).count();
        if stars > 0 && self.text(index + stars) == sym::LBRACKET {
            self.lift(index..index + stars);
        }
    }

    /// `void f(A<B> &b) = delete;`: the grammar may take it for an initializer, so it goes.
    fn deleted_function(&mut self, at: usize) {
        if at > 1 && self.text(at - 1) == sym::ASSIGN && self.text(at + 1) == sym::SEMI {
            self.lift(at - 1..at + 1);
        }
    }

    /// `unsigned(x)`: the grammar's functional casts are to types of one word it calls primitive.
    fn functional_cast(&mut self, at: usize) {
        let known = match self.text(at) {
            sym::UNSIGNED => "uint32_t",
            sym::SIGNED => "int32_t",
            sym::LONG => "int64_t",
            sym::SHORT => "int16_t",
            _ => return,
        };
        let alone = !matches!(word(self.previous(at)), Some(Word::Type));
        let pointer = matches!(self.text(at + 2), sym::STAR | sym::AMP);
        if alone && !pointer && matches!(self.text(at + 1), sym::LPAREN | sym::LBRACE) {
            self.fates[at] = Fate::Text(known);
        }
    }

    /// `conditional<N >= 3, A, B>`, `x < 80 && y >= 70`: the grammar takes the `>` for the end of
    /// template arguments, so the operator becomes one of the same precedence without it.
    fn comparison(&mut self, at: usize) -> usize {
        if self.previous(at) != sym::OPERATOR {
            self.fates[at] = Fate::Text("<=");
        }
        at + 1
    }

    /// `int a : 3, : 5;` and `int : 1, b : 2;`: a bit-field gets a name.
    fn unnamed_bit_field(&mut self, at: usize) -> usize {
        let number = self.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Number);
        if number && at > 1 {
            let first = matches!(self.text(at - 2), sym::SEMI | sym::LBRACE | sym::RBRACE)
                && matches!(self.text(at + 2), sym::COMMA | sym::SEMI);
            if self.text(at - 1) == sym::COMMA || first && self.is_type(at - 1) {
                self.fates[at] = Fate::After("_");
            }
        }
        at + 1
    }

    fn is_type(&self, at: usize) -> bool {
        self.is_name(at) || word(self.text(at)) == Some(Word::Type)
    }

    /// The index after the name `a::template b<c>::d` that begins at `at`.
    fn qualified_name(&self, mut at: usize) -> Option<usize> {
        if self.text(at) == sym::SCOPE {
            at += 1;
        }
        loop {
            if self.text(at) == sym::TEMPLATE {
                at += 1;
            }
            if !self.is_name(at) {
                return None;
            }
            at += 1;
            if self.text(at) == sym::LESS
                && let Some(end) = self.template_arguments(at)
            {
                at = end;
            }
            if self.text(at) != sym::SCOPE {
                return Some(at);
            }
            at += 1;
        }
    }

    /// The index after the `>` that closes the template arguments that `<` at `at` opens.
    fn template_arguments(&self, at: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut index = at;
        while let Some(token) = self.tokens.get(index) {
            match token.text {
                sym::LESS => depth += 1,
                sym::GREATER => depth -= 1,
                sym::SHR => depth -= 2,
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE => return None,
                _ => {}
            }
            index += 1;
            if depth <= 0 {
                return (depth == 0).then_some(index);
            }
        }
        None
    }

    /// `this->operator=(x)` and `operator()(x);`: the grammar knows calls of names, so it gets one.
    fn operator_member(&mut self, at: usize) -> usize {
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
        );
        if !called {
            return at + 1;
        }
        let call = matches!(self.text(at + 1), sym::LPAREN | sym::LBRACKET);
        let end = if call { self.closing(at + 1).map_or(at + 1, |close| close + 1) } else { at + 2 };
        if self.tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Punctuator)
            && self.text(end) == sym::LPAREN
        {
            self.fates[at] = Fate::Text("operator_");
            self.lift(at + 1..end);
            return end;
        }
        at + 1
    }

    /// `[[nodiscard]]`, and not `a[[] { return 0; }()]`.
    fn attribute(&mut self, at: usize) -> usize {
        let Some(close) = self.closing(at) else { return at + 1 };
        if self.text(at + 1) != sym::LBRACKET || self.closing(at + 1) != Some(close - 1) {
            return at + 1;
        }
        self.lift(at..close + 1);
        close + 1
    }

    /// `kern<T><<<grid, block>>>(x)` becomes `kern<T>(grid, block)(x)`.
    fn launch(&mut self, at: usize) -> usize {
        if self.text(at + 1) != sym::LESS {
            return at + 1;
        }
        let Some(close) = self.launch_end(at + 2) else { return at + 1 };
        self.fates[at] = Fate::Text("(");
        self.fates[at + 1] = Fate::Lift;
        self.fates[close] = Fate::Text(")");
        self.fates[close + 1] = Fate::Lift;
        self.launches.push(at + 2..close);
        at + 2
    }

    /// The `>>` of the `>>>` that ends the launch configuration which begins at `start`.
    ///
    /// In `<<<blocks<A<B<int>>>(n), 256>>>` the first `>>>` closes template arguments, so `<` after
    /// a name is counted; a comparison would spoil the count, so without a match it is not.
    fn launch_end(&self, start: usize) -> Option<usize> {
        self.launch_end_counting(start, true).or_else(|| self.launch_end_counting(start, false))
    }

    fn launch_end_counting(&self, start: usize, templates: bool) -> Option<usize> {
        let mut depth = 0;
        let mut index = start;
        while index < self.tokens.len() {
            match self.text(index) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE => return None,
                sym::LESS if templates && self.is_name(index - 1) => depth += 1,
                sym::GREATER if depth > 0 => depth -= 1,
                sym::SHR if depth > 1 => depth -= 2,
                sym::SHR if depth == 0 && self.text(index + 1) == sym::GREATER => return Some(index),
                _ => {}
            }
            index += 1;
        }
        None
    }

    /// `template <enable_if_t<N>* = nullptr>` gets a name, `f(T x = {})` a type: the grammar wants both.
    fn default_argument(&mut self, at: usize) -> usize {
        if matches!(self.previous(at), sym::STAR | sym::AMP | sym::AMP_AMP) && at > 1 {
            if self.text(at - 2) != sym::OPERATOR {
                self.fates[at] = Fate::After("_");
            }
        } else if let Some(close) = self.closing(at + 1)
            && self.text(at + 1) == sym::LBRACE
            && self.text(self.brackets.around[at] as usize) == sym::LPAREN
            && matches!(self.text(close + 1), sym::COMMA | sym::RPAREN)
        {
            self.fates[at + 1] = Fate::After("_");
        }
        at + 1
    }

    /// `#pragma unroll` that the preprocessor passed on: to the end of its line.
    fn pragma(&mut self, at: usize) -> usize {
        if self.text(at + 1) != sym::PRAGMA {
            return at + 1;
        }
        let rest = self.tokens[at + 1..].iter().position(|token| token.line_start);
        let end = rest.map_or(self.tokens.len(), |count| at + 1 + count);
        self.lift(at..end);
        end
    }

    /// `object->*member` as if it were `object->member`.
    fn member_pointer(&mut self, at: usize) -> usize {
        if self.is_name(at + 1) {
            self.fates[at] = Fate::Text(if self.text(at) == *ARROW_STAR { "->" } else { "." });
        }
        at + 1
    }

    /// `template class X<float>;`: the grammar knows explicit instantiations of functions only.
    fn explicit_instantiation(&mut self) {
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

    /// A name that no header explained: an unexpanded macro before a declaration or statement.
    fn name(&mut self, at: usize) -> usize {
        let begins = self.begins(at);
        let next = self.text(at + 1);
        let before_type = || looks_like_macro(self.text(at)) && self.typed_name_follows(at + 1);
        if begins && (self.only_a_macro_precedes(next) || before_type()) {
            self.lift(at..at + 1);
        } else if begins && next == sym::LPAREN {
            return self.statement_macro(at);
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
