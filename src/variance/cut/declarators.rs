//! The names that declarators, class heads and enumerations declare, with their qualifiers.
//!
//! In: the skeleton of a declaration. Out: [`DeclaredNames`].

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::skeleton::Skeleton;
use super::words::word;

/// The names of a declaration.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct DeclaredNames {
    /// The names it declares.
    pub(super) declared: Vec<Symbol>,
    /// Their qualifiers, innermost first.
    pub(super) qualifiers: Vec<Symbol>,
}

impl DeclaredNames {
    pub(super) fn only(declared: impl IntoIterator<Item = Symbol>) -> DeclaredNames {
        DeclaredNames { declared: declared.into_iter().collect(), qualifiers: Vec::new() }
    }

    /// Adds the names of `other` that are new.
    pub(super) fn extend(&mut self, other: DeclaredNames) {
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

impl Skeleton<'_> {
    pub(super) fn first_name(&self, from: usize) -> DeclaredNames {
        let first = (from..self.items.len()).find(|index| self.is_name(*index));
        DeclaredNames::only(first.map(|index| self.text(index)))
    }

    /// The name at `index`, then its qualifiers outwards.
    pub(super) fn qualified(&self, index: usize) -> DeclaredNames {
        if self.text(index) == sym::LPAREN {
            return self.names_inside(index);
        }
        let mut names = DeclaredNames::only([self.full_name(index)]);
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

    /// The declared name in `(*name)(…)`, `(*name[3])`, `(X::*name)`, then its qualifiers outwards: those of
    /// `(*X<T>::name)(…)`.
    fn names_inside(&self, index: usize) -> DeclaredNames {
        let inside: Vec<&PpToken> = self.inside(index).collect();
        let text = |at: usize| inside.get(at).map_or(sym::EMPTY, |token| token.text);
        let mut qualifiers = Vec::new();
        let mut at = 0;
        while at < inside.len() {
            let name = inside[at];
            at += 1;
            if name.kind != TokenKind::Identifier || word(name.text).is_some() {
                continue;
            }
            if text(at) == sym::LESS {
                let mut depth = 0_i32;
                let arguments = inside[at..].iter().take_while(|token| {
                    depth += i32::from(token.text == sym::LESS) - i32::from(token.text == sym::GREATER);
                    depth -= if token.text == sym::SHR { 2 } else { 0 };
                    depth > 0
                });
                at += arguments.count() + 1;
            }
            match (text(at), text(at + 1)) {
                (sym::SCOPE, sym::STAR) => qualifiers.clear(),
                (sym::SCOPE, _) => qualifiers.insert(0, name.text),
                _ => return DeclaredNames { declared: vec![name.text], qualifiers },
            }
        }
        DeclaredNames::default()
    }

    /// The name after the class key, then its qualifiers.
    pub(super) fn class_name(&self) -> DeclaredNames {
        let Some(key) = self.class_key() else { return DeclaredNames::default() };
        let end = (key + 1..self.items.len())
            .find(|index| matches!(self.text(*index), sym::COLON | sym::FINAL))
            .unwrap_or(self.items.len());
        let named = |index: &usize| self.is_name(*index) && self.text(index + 1) != sym::LPAREN;
        (key + 1..end).rev().find(named).map_or_else(DeclaredNames::default, |index| self.qualified(index))
    }

    /// The names of `, *b, c[3]` after the declarator at `name`.
    pub(super) fn later_declarators(&self, name: usize) -> DeclaredNames {
        self.index_of(name, sym::COMMA)
            .map_or_else(DeclaredNames::default, |comma| self.declarators(comma + 1))
    }

    /// The names that the declarators from item `from` on declare, specifiers before them skipped.
    pub(super) fn declarators(&self, from: usize) -> DeclaredNames {
        let mut names = DeclaredNames::default();
        let mut start = from;
        while start < self.items.len() {
            let comma = self.index_of(start, sym::COMMA).unwrap_or(self.items.len());
            names.extend(self.declarator(start..comma));
            start = comma + 1;
        }
        names
    }

    /// The name that one declarator declares and its qualifiers.
    fn declarator(&self, range: Range<usize>) -> DeclaredNames {
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
            return self.names_inside(group);
        }
        let last = (range.start..end).rev().find(|index| self.is_name(*index));
        last.map_or_else(DeclaredNames::default, |index| self.qualified(index))
    }
}

/// The enumerators in the braces of an enumeration.
pub(super) fn enumerators(tokens: &[PpToken], body: Range<usize>, pass: usize) -> Vec<Symbol> {
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
