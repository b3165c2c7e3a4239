//! The skeleton of a declaration: its tokens in one pass, where a group in brackets or template arguments count as one
//! item each.
//!
//! In: a range of tokens and a pass. Out: [`Skeleton`], and what both the cut and the description of a declaration ask
//! of one: where attributes end, where its class key and its function's name stand.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::words::{Word, word};

/// A token, or a bracketed group, outside all other groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) kind: TokenKind,
    /// The token's spelling, for a group the opening bracket's.
    pub(super) text: Symbol,
    /// The token's index.
    start: usize,
    /// The index of its last token.
    end: usize,
}

/// The items of some tokens in one pass.
pub(super) struct Skeleton<'t> {
    tokens: &'t [PpToken],
    pass: usize,
    pub(super) items: Vec<Item>,
}

impl Skeleton<'_> {
    pub(super) fn new(tokens: &[PpToken], range: Range<usize>, pass: usize) -> Skeleton<'_> {
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

    pub(super) fn index_of(&self, from: usize, text: Symbol) -> Option<usize> {
        (from..self.items.len()).find(|index| self.items[*index].text == text)
    }

    pub(super) fn text(&self, index: usize) -> Symbol {
        self.items.get(index).map_or(sym::EMPTY, |item| item.text)
    }

    pub(super) fn word(&self, index: usize) -> Option<Word> {
        let item = self.items.get(index)?;
        if item.kind == TokenKind::Identifier { word(item.text) } else { None }
    }

    pub(super) fn is_name(&self, index: usize) -> bool {
        self.items
            .get(index)
            .is_some_and(|item| item.kind == TokenKind::Identifier && word(item.text).is_none())
    }

    pub(super) fn is_angles(&self, index: usize) -> bool {
        self.items.get(index).is_some_and(|item| item.text == sym::LESS && item.kind == TokenKind::Other)
    }

    pub(super) fn after_operator(&self, item: &Item) -> bool {
        let index = self.items.partition_point(|other| other.start < item.start);
        index > 0 && self.items[index - 1].text == sym::OPERATOR
    }

    /// The tokens inside a group, in this pass.
    pub(super) fn inside(&self, index: usize) -> impl Iterator<Item = &PpToken> {
        let item = self.items[index];
        self.tokens[item.start + 1..item.end.max(item.start + 1)]
            .iter()
            .filter(|token| token.passes.has(self.pass))
    }

    /// The first class key outside template heads.
    pub(super) fn class_key(&self) -> Option<usize> {
        (0..self.items.len())
            .find(|index| matches!(self.text(*index), sym::CLASS | sym::STRUCT | sym::UNION | sym::ENUM))
    }

    /// The index after attributes: `alignas(16)`, `[[deprecated]]`, `__attribute__((packed))`.
    pub(super) fn skip_attributes(&self, mut index: usize) -> usize {
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

    /// A parenthesis that belongs to `decltype`, `noexcept`, `__launch_bounds__` and the like.
    pub(super) fn belongs_to_word(&self, index: usize) -> bool {
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
    pub(super) fn function_name(&self) -> Option<usize> {
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
    pub(super) fn name_before(&self, index: usize) -> Option<usize> {
        let mut at = index.checked_sub(1)?;
        if self.is_angles(at) {
            at = at.checked_sub(1)?;
        }
        self.is_name(at).then_some(at)
    }

    /// `(*name)`, `(&name)`, `(X::*name)`.
    pub(super) fn is_declarator_group(&self, index: usize) -> bool {
        let mut inside = self.inside(index);
        let first = inside.next().map_or(sym::EMPTY, |token| token.text);
        match first {
            sym::STAR | sym::AMP | sym::AMP_AMP | sym::CARET => index > 0,
            _ => {
                // Before `X::*` there is no type and no other parameter.
                let (mut before, mut depth) = (first, 0_i32);
                let mut scope_alone = true;
                inside.any(|token| {
                    let found = scope_alone && before == sym::SCOPE && token.text == sym::STAR;
                    match token.text {
                        sym::LESS => depth += 1,
                        sym::GREATER => depth -= 1,
                        sym::SHR => depth -= 2,
                        sym::SCOPE => {}
                        _ if depth == 0 => scope_alone &= before == sym::SCOPE,
                        _ => {}
                    }
                    before = token.text;
                    found
                })
            }
        }
    }

    /// Something that can be a type, or a qualifier, stands before the name at `index`.
    pub(super) fn preceded_by_type(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        match self.text(before) {
            sym::SCOPE | sym::TILDE | sym::STAR | sym::AMP | sym::AMP_AMP => true,
            sym::LESS => before > 0 && self.is_name(before - 1),
            sym::CONST | sym::VOLATILE => before > 0 && self.preceded_by_type(before),
            sym::LPAREN => before > 0 && self.word(before - 1) == Some(Word::TypeCall),
            _ => self.word(before) == Some(Word::Type) || self.is_name(before),
        }
    }

    /// A name's spelling; an operator function's with its operator.
    pub(super) fn full_name(&self, index: usize) -> Symbol {
        if self.text(index) != sym::OPERATOR {
            return self.text(index);
        }
        let mut name = String::from("operator");
        match self.text(index + 1) {
            sym::LPAREN => name.push_str("()"),
            sym::LBRACKET => name.push_str("[]"),
            _ => {
                for item in self.items[index + 1..].iter().take_while(|item| item.text != sym::LPAREN) {
                    // A conversion function's name is no identifier: no use of it spells one.
                    if item.kind == TokenKind::Identifier {
                        name.push(' ');
                    }
                    name.push_str(item.text.as_str());
                }
            }
        }
        Symbol::intern(&name)
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
