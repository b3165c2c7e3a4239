//! Kind and names of a declaration that was cut.
//!
//! In: the parts of a declaration, in one pass. Out: [`describe`] gives its [`DeclKind`] and the [`DeclaredNames`] that it
//! declares; of a function's header alone, [`function`] gives the name and [`decides_constants`] whether a constant
//! expression can be made of a call.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::declarations::DeclKind;
use super::declarators::{DeclaredNames, enumerators};
use super::skeleton::Skeleton;
use super::words::{Word, looks_like_macro};

/// Kind and names of a declaration in `pass`.
pub(super) fn describe(tokens: &[PpToken], parts: &Parts, pass: usize) -> (DeclKind, DeclaredNames) {
    let head = Skeleton::new(tokens, parts.head.clone(), pass);
    match parts.shape {
        Shape::Function => match head.function_name() {
            Some(name) => (DeclKind::Function, head.qualified(name)),
            None => (DeclKind::Function, DeclaredNames::default()),
        },
        Shape::Class | Shape::Enum => {
            let mut names = head.class_name();
            if parts.shape == Shape::Enum {
                names.declared.extend(enumerators(tokens, parts.body.clone(), pass));
            }
            names.extend(Skeleton::new(tokens, parts.tail.clone(), pass).declarators(0));
            (if parts.shape == Shape::Enum { DeclKind::Enum } else { DeclKind::Class }, names)
        }
        Shape::Plain => head.plain(),
    }
}

/// The tokens of a declaration that matter to its kind and names.
pub(super) struct Parts {
    /// Everything before the body.
    pub(super) head: Range<usize>,
    /// The body of a class or enumeration with its braces; empty without.
    pub(super) body: Range<usize>,
    /// The declarators after that body.
    pub(super) tail: Range<usize>,
    /// The kind of that body.
    pub(super) shape: Shape,
}

/// The kind of body that a declaration has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// None.
    Plain,
    /// A function's.
    Function,
    /// A class's.
    Class,
    /// An enumeration's.
    Enum,
}

/// The function with this header may decide a constant expression that calls it, by its result or by what it assigns to
/// its object or through its parameters: every function but a destructor.
pub(in crate::variance) fn decides_constants(tokens: &[PpToken], header: Range<usize>, pass: usize) -> bool {
    let head = Skeleton::new(tokens, header, pass);
    let Some(name) = head.function_name() else { return true };
    name.checked_sub(1).is_none_or(|index| head.text(index) != sym::TILDE)
}

/// The name of the function that this header belongs to.
pub(super) fn function(tokens: &[PpToken], header: Range<usize>, pass: usize) -> Option<Symbol> {
    let head = Skeleton::new(tokens, header, pass);
    head.function_name().map(|name| head.full_name(name))
}

impl Skeleton<'_> {
    /// Kind and names of a declaration without a body of its own.
    fn plain(&self) -> (DeclKind, DeclaredNames) {
        let first = self.skip_attributes(0);
        match self.text(first) {
            sym::USING => return self.using(first),
            sym::NAMESPACE => return (DeclKind::Alias, self.first_name(first + 1)),
            sym::STATIC_ASSERT | sym::STATIC_ASSERT_C | sym::ASM | sym::ASM_GNU | sym::ASM_SHORT => {
                return (DeclKind::Other, DeclaredNames::default());
            }
            sym::EMPTY | sym::SEMI => return (DeclKind::Other, DeclaredNames::default()),
            _ => {}
        }
        if let Some(template) = self.instantiation() {
            return (DeclKind::Instantiation, self.instantiated(template));
        }
        let start = self.after_template_heads(first);
        match self.text(start) {
            sym::USING => return self.using(start),
            sym::CONCEPT => return (DeclKind::Variable, self.first_name(start + 1)),
            _ => {}
        }
        if self.is_forward() {
            return (DeclKind::Forward, self.class_name());
        }
        self.declared(start)
    }

    /// `using X = T;` is an alias, `using a::b;` and `using namespace a;` are not.
    fn using(&self, at: usize) -> (DeclKind, DeclaredNames) {
        if self.index_of(at, sym::ASSIGN).is_some() {
            return (DeclKind::Alias, self.first_name(at + 1));
        }
        if matches!(self.text(at + 1), sym::NAMESPACE) {
            return (DeclKind::Using, DeclaredNames::default());
        }
        let last = |index: &usize| {
            self.is_name(*index)
                && matches!(self.text(index + 1), sym::COMMA | sym::SEMI | sym::EMPTY | sym::ELLIPSIS)
        };
        (
            DeclKind::Using,
            DeclaredNames::only((at..self.items.len()).filter(last).map(|index| self.text(index))),
        )
    }

    /// The index of `template` of an explicit instantiation.
    fn instantiation(&self) -> Option<usize> {
        let mut index = self.skip_attributes(0);
        while matches!(self.text(index), sym::EXTERN) || self.word(index) == Some(Word::Annotation) {
            index += 1;
        }
        (self.text(index) == sym::TEMPLATE && !self.is_angles(index + 1)).then_some(index)
    }

    fn instantiated(&self, template: usize) -> DeclaredNames {
        if matches!(self.class_key(), Some(key) if !self.items[template..key].iter().any(|item| item.text == sym::LPAREN))
            && self.index_of(template, sym::LPAREN).is_none()
        {
            return self.class_name();
        }
        match self.function_name() {
            Some(name) => self.qualified(name),
            None => self.declarators(template + 1),
        }
    }

    /// The index after `template <…> requires …` heads, as far as they are plain.
    fn after_template_heads(&self, mut index: usize) -> usize {
        while self.text(index) == sym::TEMPLATE && self.is_angles(index + 1) {
            index += 2;
        }
        index
    }

    /// `struct X;`, `template <class T> class X;`, `enum class E : int;`.
    fn is_forward(&self) -> bool {
        if self.index_of(0, sym::TYPEDEF).is_some() {
            return false;
        }
        match self.items.last() {
            Some(item) if item.text == sym::SEMI => {}
            _ => return false,
        }
        let Some(key) = self.class_key() else { return false };
        let mut index = self.skip_attributes(key + 1);
        if matches!(self.text(index), sym::CLASS | sym::STRUCT) {
            index = self.skip_attributes(index + 1);
        }
        if !(self.is_name(index) || self.text(index) == sym::SCOPE) {
            return false;
        }
        let mut scoped = true;
        while self.text(index) == sym::SCOPE || self.is_angles(index) || self.is_name(index) && scoped {
            scoped = self.text(index) == sym::SCOPE || looks_like_macro(self.text(index));
            index += 1;
        }
        matches!(self.text(index), sym::SEMI) || self.text(index) == sym::COLON && self.text(key) == sym::ENUM
    }

    /// Prototypes, variables, typedefs, and what only looks like them.
    fn declared(&self, start: usize) -> (DeclKind, DeclaredNames) {
        let typedef = self.index_of(start, sym::TYPEDEF).is_some();
        let function = self.function_name();
        let Some(name) = function else {
            let names = self.declarators(start);
            let kind = match (typedef, names.declared.is_empty()) {
                (true, _) => DeclKind::Alias,
                (false, true) => DeclKind::Other,
                (false, false) => DeclKind::Variable,
            };
            return (kind, names);
        };
        let mut names = self.qualified(name);
        if typedef {
            names.extend(self.later_declarators(name));
            return (DeclKind::Alias, names);
        }
        if self.is_macro_call(start, name) {
            return (DeclKind::Other, DeclaredNames::default());
        }
        // The meaning of a class template's name without arguments depends on its deduction guides.
        if self.is_deduction_guide(start, name) {
            return (DeclKind::Other, names);
        }
        names.extend(self.later_declarators(name));
        let pointer = self.text(name) == sym::LPAREN && !self.declares_function_inside(name);
        if pointer || self.is_initialised_in_parentheses(name) {
            return (DeclKind::Variable, names);
        }
        (DeclKind::Prototype, names)
    }

    /// `NAME(…);` or `NAME(…)` with nothing else.
    fn is_macro_call(&self, start: usize, name: usize) -> bool {
        self.is_name(name)
            && name == start
            && self.text(name + 1) == sym::LPAREN
            && self.items.len() <= name + 3
            && matches!(self.text(name + 2), sym::SEMI | sym::EMPTY)
    }

    /// `X(T) -> X<T>;`.
    fn is_deduction_guide(&self, start: usize, name: usize) -> bool {
        let specifiers =
            (start..name).all(|index| !self.is_name(index) && self.word(index) != Some(Word::Type));
        self.is_name(name) && specifiers && self.text(name + 2) == sym::ARROW && self.text(start) != sym::AUTO
    }

    /// `(*f(int))(float)`: the group holds a function, not a pointer.
    fn declares_function_inside(&self, group: usize) -> bool {
        self.inside(group).skip(1).any(|token| token.text == sym::LPAREN)
    }

    /// `dim3 grid(1, 2);`: the parentheses hold a literal.
    fn is_initialised_in_parentheses(&self, name: usize) -> bool {
        let group = if self.is_angles(name + 1) { name + 2 } else { name + 1 };
        if self.text(group) != sym::LPAREN || self.text(name) == sym::OPERATOR {
            return false;
        }
        let first = self.inside(group).next();
        first.is_some_and(|token| {
            matches!(token.kind, TokenKind::Number | TokenKind::String | TokenKind::Character)
        })
    }
}
