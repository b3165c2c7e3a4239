//! The meaning of a `{` outside all other brackets of a declaration that is being cut: a namespace's, a linkage
//! specification's, a class's, an enumeration's, a function body's, or part of the head (an initializer).
//!
//! In: the tokens before the brace, in one pass. Out: [`Opens`].

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::skeleton::Skeleton;

/// Classifies the `{` that follows the tokens of `head`, as `pass` has them.
pub(super) fn opens(tokens: &[PpToken], head: Range<usize>, pass: usize) -> Opens {
    let skeleton = Skeleton::new(tokens, head, pass);
    let items = &skeleton.items;
    if skeleton.ends_in_linkage() {
        let language = items[items.len() - 1].text.as_str();
        return Opens::Linkage { c: !language.contains("C++") };
    }
    if items.iter().any(|item| item.text == sym::ASSIGN && !skeleton.after_operator(item)) {
        return Opens::Part;
    }
    if let Some(namespace) = skeleton.index_of(0, sym::NAMESPACE) {
        return Opens::Namespace(skeleton.namespaces(namespace));
    }
    if skeleton.inside_open_angle() {
        return Opens::Part;
    }
    match skeleton.class_head() {
        Some(sym::ENUM) => return Opens::Enum,
        Some(_) => return Opens::Class,
        None => {}
    }
    skeleton.function_or_part()
}

/// The construct that a `{` outside all other brackets opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Opens {
    /// A namespace, nested ones outermost first.
    Namespace(Vec<OpenedNamespace>),
    /// `extern "C" {`; the language is C.
    Linkage {
        /// The language is C, not C++.
        c: bool,
    },
    /// A function's body: the declaration ends with its `}`.
    Function {
        /// It belongs to a function try block, so handlers follow.
        handlers: bool,
    },
    /// A class's body.
    Class,
    /// An enumeration's body.
    Enum,
    /// An initializer or another part of the head.
    Part,
}

/// One namespace of `namespace a::inline b {`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OpenedNamespace {
    pub(super) name: Option<Symbol>,
    pub(super) inline: bool,
}

impl Skeleton<'_> {
    fn ends_in_linkage(&self) -> bool {
        let count = self.items.len();
        count >= 2
            && self.items[count - 1].kind == TokenKind::String
            && self.items[count - 2].text == sym::EXTERN
    }

    /// A `<` that has no `>` yet: `struct A : B<X{`.
    fn inside_open_angle(&self) -> bool {
        self.items.iter().any(|item| {
            item.text == sym::LESS && item.kind == TokenKind::Punctuator && !self.after_operator(item)
        }) && self.class_key().is_some()
    }

    /// The namespaces of a head whose word `namespace` is item `at`.
    fn namespaces(&self, at: usize) -> Vec<OpenedNamespace> {
        let mut inline = self.items[..at].iter().any(|item| item.text == sym::INLINE);
        let mut opened = Vec::new();
        for index in at + 1..self.items.len() {
            if self.text(index) == sym::INLINE {
                inline = true;
            } else if self.is_name(index) && self.text(index + 1) != sym::LPAREN {
                opened.push(OpenedNamespace { name: Some(self.text(index)), inline });
                inline = false;
            }
        }
        if opened.is_empty() {
            opened.push(OpenedNamespace { name: None, inline });
        }
        opened
    }

    /// The class key, if what stands there is a class's head up to its body.
    fn class_head(&self) -> Option<Symbol> {
        let key = self.class_key()?;
        let mut index = self.skip_attributes(key + 1);
        if matches!(self.text(index), sym::CLASS | sym::STRUCT) {
            index = self.skip_attributes(index + 1);
        }
        if self.is_name(index) && self.text(index + 1) == sym::LPAREN {
            index = self.skip_attributes(index + 2);
        }
        while self.is_name(index) || self.text(index) == sym::SCOPE || self.is_angles(index) {
            index = self.skip_attributes(index + 1);
        }
        if self.text(index) == sym::FINAL {
            index = self.skip_attributes(index + 1);
        }
        let ends = index == self.items.len() || self.text(index) == sym::COLON;
        ends.then_some(self.text(key))
    }

    /// A `{` that opens no scope, class or initializer after `=`.
    fn function_or_part(&self) -> Opens {
        let Some(name) = self.function_name() else {
            return if self.items.is_empty() { Opens::Function { handlers: false } } else { Opens::Part };
        };
        let last = self.items.len() - 1;
        let initialisers = self.index_of(name, sym::COLON).is_some();
        if initialisers && (self.is_name(last) || self.is_angles(last)) {
            return Opens::Part;
        }
        if self.in_requires_expression() {
            return Opens::Part;
        }
        Opens::Function { handlers: self.index_of(name, sym::TRY).is_some() }
    }

    /// The head ends in `requires` or `requires (T t)` that is an expression, not a clause.
    fn in_requires_expression(&self) -> bool {
        let last = self.items.len() - 1;
        let at = if self.text(last) == sym::LPAREN && last > 0 { last - 1 } else { last };
        if self.text(at) != sym::REQUIRES {
            return false;
        }
        at == last
            || at > 0 && matches!(self.text(at - 1), sym::REQUIRES | sym::AMP_AMP | sym::BAR_BAR | sym::BANG)
    }
}
