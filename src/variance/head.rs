//! What the tokens of a declaration outside its brackets tell: its shape, kind and names.
//!
//! In: the tokens of one declaration in one pass. Out: what a `{` opens ([`opens`]) while the
//! declaration is being cut, and its kind and names ([`describe`]) once it is. It works on a
//! skeleton: groups in brackets and template arguments count as one item each.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::declarations::DeclKind;
use super::words::{Word, looks_like_macro, word};

/// What a `{` outside all other brackets opens.
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

/// The tokens of a declaration that matter to its kind and names.
pub(super) struct Parts {
    /// Everything before the body.
    pub(super) head: Range<usize>,
    /// The body of a class or enumeration with its braces; empty without.
    pub(super) body: Range<usize>,
    /// What follows that body.
    pub(super) tail: Range<usize>,
    /// What the body's `{` opened.
    pub(super) shape: Shape,
}

/// Which body a declaration has.
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

/// A token, or a bracketed group, outside all other groups.
#[derive(Clone, Copy, Debug)]
struct Item {
    kind: TokenKind,
    /// The token's spelling, for a group the opening bracket's.
    text: Symbol,
    /// The token's index.
    start: usize,
    /// The index of its last token.
    end: usize,
}

/// The items of some tokens in one pass.
struct Skeleton<'a> {
    tokens: &'a [PpToken],
    pass: usize,
    items: Vec<Item>,
}

/// What the `{` after the tokens of `head` opens in `pass`.
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
    if let Some(namespace) = skeleton.position(0, sym::NAMESPACE) {
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

/// The function with this header returns a value that a constant expression or a type could be
/// made of: no constructor, and nothing but a `void`, reference or pointer result.
pub(super) fn returns_value(tokens: &[PpToken], header: Range<usize>, pass: usize) -> bool {
    let head = Skeleton::new(tokens, header, pass);
    let Some(name) = head.function_name() else { return true };
    let before = name.checked_sub(1).map_or(sym::EMPTY, |index| head.text(index));
    let constructs = head.text(name) != sym::OPERATOR && !head.preceded_by_type(name);
    !(constructs || matches!(before, sym::VOID | sym::STAR | sym::AMP | sym::AMP_AMP | sym::TILDE))
}

/// The name of the function that this header belongs to.
pub(super) fn function(tokens: &[PpToken], header: Range<usize>, pass: usize) -> Option<Symbol> {
    let head = Skeleton::new(tokens, header, pass);
    head.function_name().map(|name| head.full_name(name))
}

/// The names of a declaration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Names {
    /// The names it declares.
    pub(super) declared: Vec<Symbol>,
    /// Their qualifiers, innermost first.
    pub(super) qualifiers: Vec<Symbol>,
}

impl Names {
    fn only(declared: impl IntoIterator<Item = Symbol>) -> Names {
        Names { declared: declared.into_iter().collect(), qualifiers: Vec::new() }
    }

    /// Adds the names of `other` that are new.
    pub(super) fn extend(&mut self, other: Names) {
        let add = |to: &mut Vec<Symbol>, from: Vec<Symbol>| {
            for name in from {
                if !to.contains(&name) {
                    to.push(name);
                }
            }
        };
        add(&mut self.declared, other.declared);
        add(&mut self.qualifiers, other.qualifiers);
    }
}

/// Kind and names of a declaration in `pass`.
pub(super) fn describe(tokens: &[PpToken], parts: &Parts, pass: usize) -> (DeclKind, Names) {
    let head = Skeleton::new(tokens, parts.head.clone(), pass);
    match parts.shape {
        Shape::Function => match head.function_name() {
            Some(name) => (DeclKind::Function, head.qualified(name)),
            None => (DeclKind::Function, Names::default()),
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

impl Skeleton<'_> {
    fn new(tokens: &[PpToken], range: Range<usize>, pass: usize) -> Skeleton<'_> {
        let mut items: Vec<Item> = Vec::new();
        let mut open: Vec<Symbol> = Vec::new();
        for index in range {
            let token = &tokens[index];
            if !token.passes.has(pass) {
                continue;
            }
            let closes = matches!(token.text, sym::RPAREN | sym::RBRACKET | sym::RBRACE);
            if open.is_empty() {
                items.push(Item { kind: token.kind, text: token.text, start: index, end: index });
            } else if let Some(group) = items.last_mut() {
                group.end = index;
            }
            match token.text {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => open.push(token.text),
                _ if closes => {
                    open.pop();
                }
                _ => {}
            }
        }
        let mut skeleton = Skeleton { tokens, pass, items };
        skeleton.group_angles();
        skeleton
    }

    /// Makes each `<…>` after a name or `template` one item.
    fn group_angles(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        let mut grouped: Vec<Item> = Vec::with_capacity(self.items.len());
        for item in &self.items {
            match item.text {
                sym::LESS if opens_angle(&grouped) => {
                    open.push(grouped.len());
                    grouped.push(*item);
                }
                sym::GREATER | sym::SHR if !open.is_empty() => {
                    let closed = if item.text == sym::SHR { 2 } else { 1 };
                    let at = open.len().saturating_sub(closed);
                    let group = open[at];
                    open.truncate(at);
                    grouped.truncate(group + 1);
                    grouped[group].end = item.end;
                    grouped[group].kind = TokenKind::Other;
                }
                _ => grouped.push(*item),
            }
        }
        self.items = grouped;
    }

    fn position(&self, from: usize, text: Symbol) -> Option<usize> {
        (from..self.items.len()).find(|index| self.items[*index].text == text)
    }

    fn text(&self, index: usize) -> Symbol {
        self.items.get(index).map_or(sym::EMPTY, |item| item.text)
    }

    fn word(&self, index: usize) -> Option<Word> {
        let item = self.items.get(index)?;
        if item.kind == TokenKind::Identifier { word(item.text) } else { None }
    }

    fn is_name(&self, index: usize) -> bool {
        self.items
            .get(index)
            .is_some_and(|item| item.kind == TokenKind::Identifier && word(item.text).is_none())
    }

    fn is_angles(&self, index: usize) -> bool {
        self.items.get(index).is_some_and(|item| item.text == sym::LESS && item.kind == TokenKind::Other)
    }

    fn after_operator(&self, item: &Item) -> bool {
        let index = self.items.partition_point(|other| other.start < item.start);
        index > 0 && self.items[index - 1].text == sym::OPERATOR
    }

    /// The tokens inside a group, in this pass.
    fn inside(&self, index: usize) -> impl Iterator<Item = &PpToken> {
        let item = self.items[index];
        self.tokens[item.start + 1..item.end.max(item.start + 1)]
            .iter()
            .filter(|token| token.passes.has(self.pass))
    }

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

    /// The first class key outside template heads.
    fn class_key(&self) -> Option<usize> {
        (0..self.items.len())
            .find(|index| matches!(self.text(*index), sym::CLASS | sym::STRUCT | sym::UNION | sym::ENUM))
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

    /// The index after attributes: `alignas(16)`, `[[deprecated]]`, `__attribute__((packed))`.
    fn skip_attributes(&self, mut index: usize) -> usize {
        loop {
            match self.word(index) {
                Some(Word::Annotation | Word::AnnotationCall | Word::Align) => {
                    index += if self.text(index + 1) == sym::LPAREN { 2 } else { 1 };
                }
                _ if self.text(index) == sym::LBRACKET => index += 1,
                _ => return index,
            }
        }
    }

    /// A `{` that opens no scope, class or initializer after `=`.
    fn function_or_part(&self) -> Opens {
        let Some(name) = self.function_name() else {
            return if self.items.is_empty() { Opens::Function { handlers: false } } else { Opens::Part };
        };
        let last = self.items.len() - 1;
        let initialisers = self.position(name, sym::COLON).is_some();
        if initialisers && (self.is_name(last) || self.is_angles(last)) {
            return Opens::Part;
        }
        if self.in_requires_expression() {
            return Opens::Part;
        }
        Opens::Function { handlers: self.position(name, sym::TRY).is_some() }
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

    /// A parenthesis that belongs to `decltype`, `noexcept`, `__launch_bounds__` and the like.
    fn belongs_to_word(&self, index: usize) -> bool {
        index > 0
            && matches!(
                self.word(index - 1),
                Some(
                    Word::AnnotationCall
                        | Word::Align
                        | Word::TypeCall
                        | Word::SpecifierCall
                        | Word::Asm
                        | Word::Annotation
                )
            )
    }

    /// The item that names the function that this head declares: before its parameter list, or
    /// `operator`. A group that holds the declarator (`(*fp)`) is named itself.
    fn function_name(&self) -> Option<usize> {
        let mut fallback = None;
        for index in 0..self.items.len() {
            match self.text(index) {
                sym::OPERATOR => return Some(index),
                sym::ASSIGN | sym::COLON => break,
                sym::LPAREN if !self.belongs_to_word(index) => {}
                _ => continue,
            }
            if self.is_declarator_group(index) {
                return Some(index);
            }
            let Some(name) = self.name_before(index) else { continue };
            if self.preceded_by_type(name) {
                return Some(name);
            }
            fallback = fallback.or(Some(name));
        }
        fallback
    }

    /// The name that ends before item `index`, template arguments skipped.
    fn name_before(&self, index: usize) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        if self.is_angles(at) {
            at = at.checked_sub(1)?;
        }
        self.is_name(at).then_some(at)
    }

    /// `(*name)`, `(&name)`, `(X::*name)`.
    fn is_declarator_group(&self, index: usize) -> bool {
        let mut inside = self.inside(index);
        let first = inside.next().map_or(sym::EMPTY, |token| token.text);
        match first {
            sym::STAR | sym::AMP | sym::AMP_AMP | sym::CARET => index > 0,
            _ => {
                let mut before = first;
                inside.any(|token| {
                    let found = before == sym::SCOPE && token.text == sym::STAR;
                    before = token.text;
                    found
                })
            }
        }
    }

    /// Something that can be a type, or a qualifier, stands before the name at `index`.
    fn preceded_by_type(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        match self.text(before) {
            sym::SCOPE | sym::TILDE | sym::STAR | sym::AMP | sym::AMP_AMP => true,
            sym::LESS => before > 0 && self.is_name(before - 1),
            sym::CONST | sym::VOLATILE => before > 0 && self.preceded_by_type(before),
            sym::LPAREN => before > 0 && self.word(before - 1) == Some(Word::TypeCall),
            _ => self.word(before) == Some(Word::Type) || self.is_name(before),
        }
    }

    /// The name at `index`, then its qualifiers outwards.
    fn qualified(&self, index: usize) -> Names {
        if self.text(index) == sym::LPAREN {
            return Names::only(self.name_inside(index));
        }
        let mut names = Names::only([self.full_name(index)]);
        let mut at = index;
        if at > 0 && self.text(at - 1) == sym::TILDE {
            at -= 1;
        }
        while at >= 2 && self.text(at - 1) == sym::SCOPE {
            at -= 2;
            if self.is_angles(at) && at > 0 {
                at -= 1;
            }
            if !self.is_name(at) {
                break;
            }
            names.qualifiers.push(self.text(at));
        }
        names
    }

    /// A name's spelling; an operator function's with its operator.
    fn full_name(&self, index: usize) -> Symbol {
        if self.text(index) != sym::OPERATOR {
            return self.text(index);
        }
        let mut name = String::from("operator");
        match self.text(index + 1) {
            sym::LPAREN => name.push_str("()"),
            sym::LBRACKET => name.push_str("[]"),
            _ => {
                let symbols = self.items[index + 1..].iter().take_while(|item| item.text != sym::LPAREN);
                symbols.for_each(|item| name.push_str(item.text.as_str()));
            }
        }
        Symbol::intern(&name)
    }

    /// The declared name in `(*name)(…)`, `(*name[3])`, `(X::*name)`.
    fn name_inside(&self, index: usize) -> Option<Symbol> {
        let inside: Vec<&PpToken> = self.inside(index).collect();
        let is_name = |token: &PpToken| token.kind == TokenKind::Identifier && word(token.text).is_none();
        (0..inside.len())
            .find(|at| is_name(inside[*at]) && inside.get(at + 1).is_none_or(|next| next.text != sym::SCOPE))
            .map(|at| inside[at].text)
    }

    /// The name after the class key, then its qualifiers.
    fn class_name(&self) -> Names {
        let Some(key) = self.class_key() else { return Names::default() };
        let end = (key + 1..self.items.len())
            .find(|index| matches!(self.text(*index), sym::COLON | sym::FINAL))
            .unwrap_or(self.items.len());
        let named = |index: &usize| self.is_name(*index) && self.text(index + 1) != sym::LPAREN;
        (key + 1..end).rev().find(named).map_or_else(Names::default, |index| self.qualified(index))
    }

    /// Kind and names of a declaration without a body of its own.
    fn plain(&self) -> (DeclKind, Names) {
        let first = self.skip_attributes(0);
        match self.text(first) {
            sym::USING => return self.using(first),
            sym::NAMESPACE => return (DeclKind::Alias, self.first_name(first + 1)),
            sym::STATIC_ASSERT | sym::STATIC_ASSERT_C | sym::ASM | sym::ASM_GNU | sym::ASM_SHORT => {
                return (DeclKind::Other, Names::default());
            }
            sym::EMPTY | sym::SEMI => return (DeclKind::Other, Names::default()),
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

    fn first_name(&self, from: usize) -> Names {
        let first = (from..self.items.len()).find(|index| self.is_name(*index));
        Names::only(first.map(|index| self.text(index)))
    }

    /// `using X = T;` is an alias, `using a::b;` and `using namespace a;` are not.
    fn using(&self, at: usize) -> (DeclKind, Names) {
        if self.position(at, sym::ASSIGN).is_some() {
            return (DeclKind::Alias, self.first_name(at + 1));
        }
        if matches!(self.text(at + 1), sym::NAMESPACE) {
            return (DeclKind::Using, Names::default());
        }
        let last = |index: &usize| {
            self.is_name(*index)
                && matches!(self.text(index + 1), sym::COMMA | sym::SEMI | sym::EMPTY | sym::ELLIPSIS)
        };
        (DeclKind::Using, Names::only((at..self.items.len()).filter(last).map(|index| self.text(index))))
    }

    /// The index of `template` of an explicit instantiation.
    fn instantiation(&self) -> Option<usize> {
        let mut index = self.skip_attributes(0);
        while matches!(self.text(index), sym::EXTERN) || self.word(index) == Some(Word::Annotation) {
            index += 1;
        }
        (self.text(index) == sym::TEMPLATE && !self.is_angles(index + 1)).then_some(index)
    }

    fn instantiated(&self, template: usize) -> Names {
        if matches!(self.class_key(), Some(key) if !self.items[template..key].iter().any(|item| item.text == sym::LPAREN))
            && self.position(template, sym::LPAREN).is_none()
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
        if self.position(0, sym::TYPEDEF).is_some() {
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
    fn declared(&self, start: usize) -> (DeclKind, Names) {
        let typedef = self.position(start, sym::TYPEDEF).is_some();
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
            return (DeclKind::Other, Names::default());
        }
        // What a class template's name means by itself hangs on its guides.
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

    /// The names of `, *b, c[3]` after the declarator at `name`.
    fn later_declarators(&self, name: usize) -> Names {
        self.position(name, sym::COMMA).map_or_else(Names::default, |comma| self.declarators(comma + 1))
    }

    /// The names that the declarators from item `from` on declare, specifiers before them skipped.
    fn declarators(&self, from: usize) -> Names {
        let mut names = Names::default();
        let mut start = from;
        while start < self.items.len() {
            let comma = self.position(start, sym::COMMA).unwrap_or(self.items.len());
            names.extend(self.declarator(start..comma));
            start = comma + 1;
        }
        names
    }

    /// The name that one declarator declares and its qualifiers.
    fn declarator(&self, range: Range<usize>) -> Names {
        let stops = |index: &usize| {
            let starts = matches!(self.text(*index), sym::ASSIGN | sym::LBRACE | sym::COLON | sym::SEMI);
            starts
                || self.text(*index) == sym::LBRACKET
                    && *index > range.start
                    && self.name_before(*index).is_some()
        };
        let end = range.clone().find(stops).unwrap_or(range.end);
        if let Some(group) = (range.start..end).find(|index| {
            self.text(*index) == sym::LPAREN
                && !self.belongs_to_word(*index)
                && self.is_declarator_group(*index)
        }) {
            return Names::only(self.name_inside(group));
        }
        let last = (range.start..end).rev().find(|index| self.is_name(*index));
        last.map_or_else(Names::default, |index| self.qualified(index))
    }
}

/// A `<` after these items opens template arguments or a template head.
fn opens_angle(before: &[Item]) -> bool {
    let Some(last) = before.last() else { return false };
    let named =
        last.kind == TokenKind::Identifier && (word(last.text).is_none() || last.text == sym::TEMPLATE);
    let operator = before.len() > 1 && before[before.len() - 2].text == sym::OPERATOR;
    named && !operator || last.kind == TokenKind::Punctuator && operator && last.text != sym::LPAREN
}

/// The enumerators in the braces of an enumeration.
fn enumerators(tokens: &[PpToken], body: Range<usize>, pass: usize) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut expected = false;
    for token in tokens[body].iter().filter(|token| token.passes.has(pass)) {
        match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => {
                depth += 1;
                expected |= depth == 1;
            }
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
            sym::COMMA if depth == 1 => expected = true,
            _ if expected && depth == 1 && token.kind == TokenKind::Identifier => {
                names.push(token.text);
                expected = false;
            }
            _ => {}
        }
    }
    names
}
