//! Local variables, told by tokens: which names are declared in a block, and what gives them their values.
//!
//! In: the tokens of a declaration, or of a part of one, in one pass. Out: whether a name is declared before a place, and the
//! ranges of tokens that are its values there. Nothing is parsed, and blocks that have ended are not told from open ones.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

/// The operators that give a variable a value.
const ASSIGNMENTS: [&str; 7] = ["=", "+=", "-=", "*=", "/=", "<<=", ">>="];

/// Words before a name that are no types.
const NO_TYPES: [&str; 8] = ["return", "case", "else", "new", "delete", "sizeof", "throw", "goto"];

/// Where names stand among some tokens: found once, asked about each use.
pub(in crate::facts) struct Locals<'l, 't> {
    pub(in crate::facts) tokens: &'l [&'t PpToken],
    /// Each identifier and its index, in the order of both.
    places: Vec<(Symbol, usize)>,
    /// The index of the first declaration of each name that has one.
    declared: FxHashMap<Symbol, usize>,
}

impl<'l, 't> Locals<'l, 't> {
    pub(in crate::facts) fn of(tokens: &'l [&'t PpToken]) -> Locals<'l, 't> {
        let identifiers = tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Identifier);
        let mut places: Vec<(Symbol, usize)> =
            identifiers.map(|(index, token)| (token.text, index)).collect();
        places.sort_unstable();
        let mut declared: FxHashMap<Symbol, usize> = FxHashMap::default();
        for (name, at) in &places {
            if !declared.contains_key(name) && declares(tokens, *at) {
                declared.insert(*name, *at);
            }
        }
        Locals { tokens, places, declared }
    }

    /// Whether the tokens before an index declare the name, which stands at that index or behind it.
    pub(in crate::facts) fn is_declared_before(&self, index: usize, name: Symbol) -> bool {
        self.declared.get(&name).is_some_and(|at| *at < index)
    }

    /// Where a name stands within a range, first to last.
    pub(in crate::facts) fn places(
        &self,
        name: Symbol,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = usize> + use<'_, 'l, 't> {
        let first = self.places.partition_point(|place| *place < (name, range.start));
        let last = self.places.partition_point(|place| *place < (name, range.end));
        self.places[first..last.max(first)].iter().map(|(_, at)| *at)
    }

    /// What gives the local variable at an index of a range its value, or its size if that is asked for: its initializer, and
    /// what is assigned to it, or to the member that is asked for.
    pub(in crate::facts) fn values_of(&self, range: &Range<usize>, index: usize) -> Vec<Range<usize>> {
        let (tokens, name) = (self.tokens, self.tokens[index].text);
        let behind = |back: usize| index.checked_sub(back).map(|at| tokens[at].text);
        let before = &tokens[..range.start];
        if behind(1) == Some(sym::LPAREN) && behind(2) == Some(sym::SIZEOF) {
            return self.bound(range.start, name).into_iter().collect();
        }
        let member = match tokens.get(index + 1..index + 3) {
            Some([dot, member]) if dot.text == sym::DOT => Some(member.text),
            _ => None,
        };
        let last_first = || self.places(name, 1..range.start).rev();
        let mut values: Vec<Range<usize>> = initializer_at(before, last_first()).into_iter().collect();
        if let Some(declared) = last_first().find(|at| is_declared_at(tokens, *at)) {
            let behind = self.places(name, declared + 1..range.start);
            values.extend(behind.filter_map(|at| assigned(before, at, member)));
        }
        values
    }

    /// The tokens between the brackets of the last declaration of a local array before an index.
    fn bound(&self, index: usize, name: Symbol) -> Option<Range<usize>> {
        let before = &self.tokens[..index];
        let is_array = |at: &usize| {
            before.get(at + 1).is_some_and(|next| next.text == sym::LBRACKET) && is_declared_at(before, *at)
        };
        let at = self.places(name, 1..index).rev().find(is_array)?;
        Some(at + 2..paired(before, at + 1, sym::LBRACKET, sym::RBRACKET)? - 1)
    }

    /// The bracket of the last declaration of a local array before an index, of pointers perhaps.
    pub(in crate::facts) fn array(&self, index: usize, name: Symbol) -> Option<usize> {
        let before = &self.tokens[..index];
        let ends = |token: &&PpToken| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
        let is_array = |at: &usize| {
            let begin = || before[..*at].iter().rposition(ends).unwrap_or(0);
            before.get(at + 1).is_some_and(|next| next.text == sym::LBRACKET)
                && is_declared_before(&before[begin()..=*at], name)
        };
        self.places(name, 1..index).rev().find(is_array).map(|at| at + 1)
    }
}

/// What is assigned to the variable at an index, or to the member that is asked for.
fn assigned(tokens: &[&PpToken], at: usize, member: Option<Symbol>) -> Option<Range<usize>> {
    if matches!(tokens[at - 1].text, sym::DOT | sym::ARROW | sym::SCOPE) {
        return None;
    }
    let text = |ahead: usize| tokens.get(at + ahead).map(|token| token.text);
    let operator = match text(1) {
        Some(sym::DOT) if member.is_none_or(|member| text(2) == Some(member)) => at + 3,
        Some(sym::DOT) => return None,
        _ => at + 1,
    };
    let is_assigned = tokens.get(operator).is_some_and(|token| ASSIGNMENTS.contains(&token.text.as_str()));
    let length = || tokens[operator + 1..].iter().position(|token| token.text == sym::SEMI);
    is_assigned.then(length).flatten().map(|length| operator + 1..operator + 1 + length)
}

/// The tokens that the last declaration of a local variable initializes it with.
pub(in crate::facts) fn initializer(tokens: &[&PpToken], name: Symbol) -> Option<Range<usize>> {
    let named = (1..tokens.len()).rev().filter(|at| tokens[*at].text == name);
    initializer_at(tokens, named)
}

/// What the first of these places with a declaration that has an initializer is initialized with.
fn initializer_at(tokens: &[&PpToken], mut places: impl Iterator<Item = usize>) -> Option<Range<usize>> {
    let at = places.find(|at| {
        let is_begun = tokens
            .get(at + 1)
            .is_some_and(|next| matches!(next.text, sym::ASSIGN | sym::LPAREN | sym::LBRACE));
        is_begun && is_declared_at(tokens, *at)
    })?;
    Some(at + 1..declarator_end(tokens, at + 1)?)
}

/// The `;` that ends the declaration, or the `,` before its next declarator.
fn declarator_end(tokens: &[&PpToken], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match tokens.get(at)?.text {
            sym::SEMI => return Some(at),
            sym::COMMA if depth == 0 => return Some(at),
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth = depth.saturating_sub(1),
            sym::LESS if depth == 0 => at = angle_end(tokens, at, tokens.len()).map_or(at, |end| end - 1),
            _ => {}
        }
        at += 1;
    }
}

/// One past the `>` that closes the `<` at an index, where nothing but a list of template arguments can be between.
pub(in crate::facts) fn angle_end(tokens: &[&PpToken], open: usize, end: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().take(end).skip(open) {
        match token.text {
            sym::LESS => depth += 1,
            sym::GREATER => depth -= 1,
            sym::SHR => depth -= 2,
            sym::SEMI | sym::LBRACE | sym::RBRACE => return None,
            _ => {}
        }
        if depth <= 0 {
            return (depth == 0).then_some(index + 1);
        }
    }
    None
}

/// One past the token that closes the bracket at an index.
pub(in crate::facts) fn paired(
    tokens: &[&PpToken],
    open: usize,
    opening: Symbol,
    closing: Symbol,
) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.text == opening {
            depth += 1;
        } else if token.text == closing {
            depth -= 1;
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

/// Whether the name at an index follows a word that may be its type.
fn is_declared_at(tokens: &[&PpToken], at: usize) -> bool {
    declares(&tokens[at - 1..=at], 1)
}

/// Whether these tokens of a function or class declare the name, as far as tokens tell: it stands behind a type there, or is
/// an enumerator.
pub(in crate::facts) fn is_declared_before(tokens: &[&PpToken], name: Symbol) -> bool {
    let named = tokens.iter().enumerate().filter(|(_, token)| token.text == name);
    named.into_iter().any(|(at, _)| declares(tokens, at))
}

/// Whether the name at an index is declared there.
fn declares(tokens: &[&PpToken], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| tokens[index]) else { return false };
    let is_enumerator = matches!(before.text, sym::COMMA | sym::LBRACE)
        && tokens.get(at + 1).is_some_and(|next| next.text == sym::ASSIGN);
    if is_enumerator {
        return true;
    }
    if before.kind == TokenKind::Identifier {
        return !NO_TYPES.contains(&before.text.as_str());
    }
    let mut around = tokens[..at].iter().rev();
    let pointer = around.find(|token| !matches!(token.text, sym::STAR | sym::AMP));
    let is_pointer = matches!(before.text, sym::STAR | sym::AMP | sym::GREATER)
        && pointer.is_some_and(|token| token.kind == TokenKind::Identifier || token.text == sym::GREATER);
    let in_type = |token: &&&PpToken| {
        token.kind == TokenKind::Identifier || matches!(token.text, sym::SCOPE | sym::LESS)
    };
    is_pointer
        && around
            .find(|token| !in_type(token))
            .is_some_and(|token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE))
}
