//! Types in expressions: `decltype`, `typename`, `new` and functional casts where the grammar has no such type.

use crate::source::{TokenKind, sym};
use crate::variance::{Word, word};

use super::rewriter::{Fate, Rewriter};

/// The name of the template-id that stands for `decltype(x)` where the grammar has no such type. Its argument is in
/// parentheses.
pub const DECLTYPE_TEMPLATE: &str = "decltype_";
const DECLTYPE_OPEN: &str = "decltype_<";

/// The built-in type traits, whose operands are types (GCC's and Clang's type trait intrinsics, and those of EDG, nvcc's front
/// end).
const TYPE_TRAITS: &[&str] = &[
    "__has_nothrow_assign",
    "__has_nothrow_constructor",
    "__has_nothrow_copy",
    "__has_trivial_assign",
    "__has_trivial_constructor",
    "__has_trivial_copy",
    "__has_trivial_destructor",
    "__has_unique_object_representations",
    "__has_virtual_destructor",
    "__is_abstract",
    "__is_aggregate",
    "__is_arithmetic",
    "__is_array",
    "__is_assignable",
    "__is_base_of",
    "__is_bounded_array",
    "__is_class",
    "__is_compound",
    "__is_const",
    "__is_constructible",
    "__is_convertible",
    "__is_convertible_to",
    "__is_destructible",
    "__is_empty",
    "__is_enum",
    "__is_final",
    "__is_floating_point",
    "__is_function",
    "__is_fundamental",
    "__is_integral",
    "__is_layout_compatible",
    "__is_literal_type",
    "__is_lvalue_reference",
    "__is_member_function_pointer",
    "__is_member_object_pointer",
    "__is_member_pointer",
    "__is_nothrow_assignable",
    "__is_nothrow_constructible",
    "__is_nothrow_convertible",
    "__is_nothrow_destructible",
    "__is_nullptr",
    "__is_object",
    "__is_pod",
    "__is_pointer",
    "__is_pointer_interconvertible_base_of",
    "__is_polymorphic",
    "__is_reference",
    "__is_rvalue_reference",
    "__is_same",
    "__is_same_as",
    "__is_scalar",
    "__is_scoped_enum",
    "__is_signed",
    "__is_standard_layout",
    "__is_trivial",
    "__is_trivially_assignable",
    "__is_trivially_constructible",
    "__is_trivially_copyable",
    "__is_trivially_destructible",
    "__is_unbounded_array",
    "__is_union",
    "__is_unsigned",
    "__is_void",
    "__is_volatile",
];

/// Whether a name is that of a built-in type trait.
pub fn is_type_trait(name: &str) -> bool {
    name.starts_with("__") && TYPE_TRAITS.binary_search(&name).is_ok()
}

/// The name that a function parameter pack of pointers gets that has none.
pub(in crate::syntax) const UNNAMED_PACK: &str = "unnamed_pack_";

impl Rewriter<'_> {
    /// `decltype(x)` where the grammar has no type: as a value, a scope, a base, and with a comma in
    /// its parentheses.
    pub(super) fn type_call(&mut self, at: usize) -> usize {
        self.respell(at);
        let Some(close) = self.closing(at + 1) else { return at + 1 };
        match self.text(close + 1) {
            sym::SCOPE if self.is_value(close + 2) => return self.type_as_template_id(at, close),
            // The result of a function, before its body.
            sym::LBRACE if self.previous(at) == sym::ARROW => {}
            sym::LBRACE => return self.type_as_template_id(at, close),
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

    /// `decltype(a){b}`, `decltype(a)::B{}` and `struct A : decltype(f()) {`: a template-id stands for the type.
    fn type_as_template_id(&mut self, at: usize, close: usize) -> usize {
        self.fates[at] = Fate::Text(DECLTYPE_OPEN);
        self.fates[close] = Fate::Text(")>");
        at + 1
    }

    /// `__is_constructible(T, U const &)`, whose operands are types. The grammar has none in an argument list: each is
    /// given as the cast `(U const &)0`, and an expansion as that of a cast. `None` if there is no such trait at `at`.
    pub(super) fn type_trait(&mut self, at: usize) -> Option<usize> {
        if self.text(at + 1) != sym::LPAREN || !is_type_trait(self.text(at).as_str()) {
            return None;
        }
        // A function of that name is declared, or one in a scope or of an object is called.
        let before = at.checked_sub(1).map(|before| self.tokens[before]);
        let declares = before.is_some_and(|before| match before.kind {
            TokenKind::Identifier => {
                !matches!(before.text.as_str(), "return" | "requires" | "and" | "or" | "not")
            }
            _ => matches!(before.text, sym::SCOPE | sym::DOT | sym::ARROW),
        });
        let close = self.closing(at + 1).filter(|close| !declares && *close > at + 2)?;
        self.fates[at + 1] = Fate::Text("((");
        let mut index = at + 2;
        while index < close {
            match self.text(index) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::LESS => {
                    if let Some(end) = self.template_arguments(index) {
                        index = end;
                        continue;
                    }
                }
                sym::COMMA if self.text(index - 1) == sym::ELLIPSIS => self.fates[index] = Fate::Text(", ("),
                sym::COMMA => self.fates[index] = Fate::Text(")0, ("),
                sym::ELLIPSIS if index + 1 == close || self.text(index + 1) == sym::COMMA => {
                    self.fates[index] = Fate::Text(")0 ...");
                }
                _ => {}
            }
            index += 1;
        }
        if self.text(close - 1) != sym::ELLIPSIS {
            self.fates[close] = Fate::Text(")0)");
        }
        Some(at + 2)
    }

    /// `typename X::T{}` and `typename X::T(1)`, where the grammar has types but no values.
    pub(super) fn dependent_value(&mut self, at: usize) {
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

    /// `object.run<3>(x)`, which the grammar takes for two comparisons unless it is `object.template run<3>(x)`.
    pub(super) fn member_template(&mut self, at: usize) -> usize {
        let compares = |index: usize| {
            matches!(self.text(index), sym::AMP_AMP | sym::BAR_BAR | sym::ASSIGN)
                || matches!(self.text(index).as_str(), "?" | "|" | "^")
        };
        if self.is_name(at + 1)
            && self.text(at + 2) == sym::LESS
            && let Some(end) = self.template_arguments(at + 2)
            && self.text(end) == sym::LPAREN
            && !(at + 3..end).any(compares)
        {
            self.fates[at + 1] = Fate::After("template ");
            return at + 2;
        }
        at + 1
    }

    /// `A<B<C<1>>, D<2>>` as `A<typename B<typename C<1>>, typename D<2>>`: each name before a `<` has three readings for the
    /// grammar, whose parser follows only so many side by side and loses the right one where template-ids nest.
    ///
    /// No operand follows the `>` of a nested template-id, so no comparison is meant. A template argument that is a name is
    /// lowered alike whether it is parsed as a type or as a value.
    pub(super) fn nested_template_ids(&mut self, at: usize) -> usize {
        if at == 0 || !self.is_name(at - 1) || self.angle_end(at).is_none() {
            return at + 1;
        }
        let mut argument = Some(at + 1);
        while let Some(start) = argument {
            self.nested_template_id(start);
            argument = self.next_argument(start);
        }
        at + 1
    }

    /// Marks the template argument that begins at `at` if it is a template-id, with or without cv and declarators.
    fn nested_template_id(&mut self, mut at: usize) {
        while matches!(self.text(at), sym::CONST | sym::VOLATILE) {
            at += 1;
        }
        if !self.is_name(at) || self.fates[at] != Fate::Keep {
            return;
        }
        let (mut end, mut arguments) = (at, None);
        loop {
            end += 1;
            if self.text(end) == sym::LESS {
                let Some(close) = self.angle_end(end) else { return };
                arguments = Some(close);
                end = close.next();
            }
            if self.text(end) != sym::SCOPE || !self.is_name(end + 1) {
                break;
            }
            end += 1;
        }
        while matches!(
            self.text(end),
            sym::CONST | sym::VOLATILE | sym::STAR | sym::AMP | sym::AMP_AMP | sym::ELLIPSIS
        ) {
            end += 1;
        }
        if arguments.is_some() && matches!(self.text(end), sym::COMMA | sym::GREATER | sym::SHR) {
            self.fates[at] = Fate::After("typename ");
        }
    }

    /// The index after the comma that ends the template argument at `at`; `None` if it is the last one.
    fn next_argument(&self, at: usize) -> Option<usize> {
        let mut index = at;
        loop {
            match self.text(index) {
                sym::COMMA => return Some(index + 1),
                sym::GREATER | sym::SHR | sym::SEMI | sym::EMPTY => return None,
                sym::LESS if self.is_name(index - 1) => index = self.angle_end(index)?.next(),
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)? + 1,
                _ => index += 1,
            }
        }
    }

    /// Where the template arguments end that `<` at `at` opens.
    fn angle_end(&self, at: usize) -> Option<AngleEnd> {
        let mut depth = 0_i32;
        let mut index = at;
        loop {
            match self.text(index) {
                sym::LESS => depth += 1,
                sym::GREATER if depth == 1 => return Some(AngleEnd::At(index)),
                sym::GREATER => depth -= 1,
                sym::SHR if depth == 1 => return Some(AngleEnd::Within(index)),
                sym::SHR if depth == 2 => return Some(AngleEnd::At(index)),
                sym::SHR => depth -= 2,
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::EMPTY | sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE => return None,
                sym::AMP_AMP | sym::BAR_BAR
                    if !matches!(
                        self.text(index + 1),
                        sym::COMMA | sym::GREATER | sym::SHR | sym::ELLIPSIS
                    ) =>
                {
                    return None;
                }
                _ => {}
            }
            index += 1;
        }
    }

    /// `void f(T *...pointers)`, a function parameter pack of pointers, which the grammar does not know, as the parameter
    /// `T *pointers`. The operand of a fold-expression `(n * ...)` is in parentheses that follow no name.
    pub(super) fn pack_of_pointers(&mut self, at: usize) -> usize {
        let around = self.brackets.around[at] as usize;
        let in_parameters = self.text(around) == sym::LPAREN && around > 0 && self.is_name(around - 1);
        if !in_parameters || self.previous(at) != sym::STAR || self.fates[at] != Fate::Keep {
            return at + 1;
        }
        let depth = (around + 1..at).fold(0_i32, |depth, index| match self.text(index) {
            sym::LESS => depth + 1,
            sym::GREATER => depth - 1,
            sym::SHR => depth - 2,
            _ => depth,
        });
        match self.text(at + 1) {
            _ if depth != 0 => {}
            sym::RPAREN | sym::COMMA => self.fates[at] = Fate::Text(UNNAMED_PACK),
            _ if self.is_name(at + 1) => self.lift(at..at + 1),
            _ => {}
        }
        at + 1
    }

    /// `M C::*`, the type of a pointer to a data member, as the pointer to a function `M (*)(pointer_to_data_of_<C>)` where
    /// no name follows.
    pub(super) fn abstract_data_pointer(&mut self, at: usize) {
        if matches!(self.previous(at), sym::SCOPE | sym::LPAREN) {
            return;
        }
        let mut scope = at;
        loop {
            scope += 1;
            if self.text(scope) == sym::LESS {
                let Some(end) = self.template_arguments(scope) else { return };
                scope = end;
            }
            if self.text(scope) != sym::SCOPE {
                return;
            }
            match self.text(scope + 1) {
                sym::STAR => break,
                _ if self.is_name(scope + 1) => scope += 1,
                _ => return,
            }
        }
        let next = self.text(scope + 2);
        if !matches!(next, sym::RPAREN | sym::COMMA | sym::GREATER | sym::SHR | sym::SEMI | sym::ELLIPSIS) {
            return;
        }
        self.fates[at] = Fate::After("(*)(pointer_to_data_of_<");
        self.fates[scope] = Fate::Text(">");
        self.fates[scope + 1] = Fate::Text(")");
    }

    /// `R (C::*)(A) const`, the type of a pointer to a member function, as the pointer to a function
    /// `R (*)(pointer_to_const_member_of_<C>, A)`, or without `const` `R (*)(pointer_to_member_of_<C>, A)`.
    pub(super) fn abstract_member_pointer(&mut self, at: usize) -> usize {
        let mut scope = at;
        while self.is_name(scope + 1) {
            scope += 2;
            if self.text(scope) == sym::LESS {
                let Some(end) = self.template_arguments(scope) else { return at + 1 };
                scope = end;
            }
            if self.text(scope) != sym::SCOPE {
                return at + 1;
            }
        }
        let list = scope + 3;
        let is_pointer = scope > at
            && self.text(scope + 1) == sym::STAR
            && self.text(scope + 2) == sym::RPAREN
            && self.text(list) == sym::LPAREN;
        let Some(close) = self.closing(list).filter(|_| is_pointer) else { return at + 1 };
        let mut end = close + 1;
        while matches!(self.text(end), sym::CONST | sym::VOLATILE | sym::NOEXCEPT | sym::AMP | sym::AMP_AMP) {
            end += 1;
        }
        self.fates[at] = Fate::Text(match (close + 1..end).any(|one| self.text(one) == sym::CONST) {
            true => "(*)(pointer_to_const_member_of_<",
            false => "(*)(pointer_to_member_of_<",
        });
        self.fates[scope] = Fate::Text(">");
        self.lift(scope + 1..list + 1);
        if close > list + 1 {
            self.fates[list] = Fate::Text(",");
        }
        self.lift(close + 1..end);
        at + 1
    }

    /// `new float *[n]` and `new const T *[n]` as `new float [n]`.
    pub(super) fn array_of_pointers(&mut self, at: usize) {
        let mut index = at + 1;
        while self.is_type(index) || self.text(index) == sym::CONST {
            index += 1;
        }
        let stars = (index..).take_while(|star| self.text(*star) == sym::STAR).count();
        if stars > 0 && self.text(index + stars) == sym::LBRACKET {
            self.lift(index..index + stars);
        }
    }

    /// `unsigned(x)`: the grammar's functional casts are to types of one word it calls primitive.
    pub(super) fn functional_cast(&mut self, at: usize) {
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
}

/// The token that closes template arguments.
#[derive(Clone, Copy)]
enum AngleEnd {
    /// A `>`, or a `>>` that closes those of the last argument too.
    At(usize),
    /// The first half of a `>>`.
    Within(usize),
}

impl AngleEnd {
    /// The index of the token that follows, which for half a `>>` is its other half.
    fn next(self) -> usize {
        match self {
            AngleEnd::At(index) => index + 1,
            AngleEnd::Within(index) => index,
        }
    }
}
