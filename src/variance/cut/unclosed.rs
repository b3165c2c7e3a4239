//! Where a declaration ends whose braces or parentheses are not closed yet, while somebody types them.
//!
//! In: tokens and where a declaration among them begins. Out: whether a token can't be part of it. Words tell, and
//! the first column: code whose brackets have partners is never asked, for only files that open more braces than
//! they close are looked at so ([`Braces`]).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{FileId, Symbol, TokenKind, sym};
use crate::target::PassSet;

/// How many more braces each file opens than it closes.
#[derive(Clone, Debug, Default)]
pub(super) struct Braces {
    /// By pass; the last number is that of all passes.
    nets: FxHashMap<FileId, Vec<i32>>,
}

impl Braces {
    /// Counts those of some tokens too.
    pub(super) fn count<'t>(&mut self, tokens: impl IntoIterator<Item = &'t PpToken>, all: PassSet) {
        let last = all.iter().last().map_or(0, |last| last + 1);
        for token in tokens.into_iter().filter(|token| token.kind == TokenKind::Punctuator) {
            let step = match token.text {
                sym::LBRACE => 1,
                sym::RBRACE => -1,
                _ => continue,
            };
            let nets = self.nets.entry(token.at.file).or_insert_with(|| vec![0; last + 1]);
            match token.passes.contains(all) {
                true => nets[last] += step,
                false => token.passes.and(all).iter().for_each(|pass| nets[pass] += step),
            }
        }
    }

    /// The files that open more than they close, in some pass.
    pub(super) fn unclosed(&self) -> FxHashSet<FileId> {
        let opens = |nets: &Vec<i32>| {
            let (of_all, others) = nets.split_last().expect("it has that of all passes");
            others.iter().any(|net| net + of_all > 0) || *of_all > 0 && others.is_empty()
        };
        self.nets.iter().filter(|(_, nets)| opens(nets)).map(|(file, _)| *file).collect()
    }

    /// Files of these tokens open as many as they did then.
    pub(super) fn same_files(&self, then: &FxHashSet<FileId>, now: &FxHashSet<FileId>) -> bool {
        self.nets.keys().all(|file| then.contains(file) == now.contains(file))
    }
}

/// Whether a file's own tokens open more braces than they close, in some pass.
pub fn opens_braces<'t>(tokens: impl IntoIterator<Item = &'t PpToken>, all: PassSet) -> bool {
    let mut braces = Braces::default();
    braces.count(tokens, all);
    !braces.unclosed().is_empty()
}

/// How a function ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With the brace that its body's first one belongs to.
    Closed,
    /// With one in the first column, though braces inside are open.
    Open,
}

/// How a function ends, all of whose tokens these are, of which its body begins at `body`, as one pass has them and
/// whether or not all braces of its file are closed; `None` if that makes a difference to where.
pub fn ending(tokens: &[PpToken], body: usize, pass: usize) -> Option<Ending> {
    let last = tokens.iter().rposition(|token| token.passes.has(pass))?;
    let start = tokens.iter().position(|token| token.passes.has(pass))?;
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.passes.has(pass)) {
        if depth > 0 && begins_another(tokens, start, index, pass, true) {
            return None;
        }
        match token.text {
            sym::LBRACE => depth += 1,
            sym::RBRACE if depth > 1 && closes_all(tokens, start, index) => {
                return (index == last).then_some(Ending::Open);
            }
            sym::RBRACE => depth -= 1,
            _ => {}
        }
        if depth == 0 && index >= body {
            return (index == last).then_some(Ending::Closed);
        }
    }
    None
}

/// Whether a declaration that is no function, all of whose tokens these are, has closed its brackets, and is the same
/// in a file with braces that are not closed.
pub fn is_whole(tokens: &[PpToken], pass: usize) -> bool {
    let Some(start) = tokens.iter().position(|token| token.passes.has(pass)) else { return true };
    let (mut depth, mut parentheses) = (0, 0);
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.passes.has(pass)) {
        if depth > 0 && begins_another(tokens, start, index, pass, false) {
            return false;
        }
        match token.text {
            sym::LPAREN => parentheses += 1,
            sym::RPAREN => parentheses -= 1,
            sym::LBRACE => depth += 1,
            sym::RBRACE if depth > 1 && closes_all(tokens, start, index) => return false,
            sym::RBRACE => depth -= 1,
            _ => {}
        }
    }
    (depth, parentheses) == (0, 0)
}

/// It stands in the first column.
fn is_first(token: &PpToken) -> bool {
    token.line_start && !token.space_before && token.expansion.is_none()
}

/// A `}` in the first column closes all that a declaration opened that begins there.
pub(super) fn closes_all(tokens: &[PpToken], start: usize, index: usize) -> bool {
    is_first(&tokens[start]) && is_first(&tokens[index])
}

/// A token inside the braces of a declaration begins another one: with words that can't stand there, or in the first
/// column, where the declaration began.
pub(super) fn begins_another(
    tokens: &[PpToken],
    start: usize,
    index: usize,
    pass: usize,
    is_function: bool,
) -> bool {
    let token = &tokens[index];
    if !token.line_start || token.kind != TokenKind::Identifier {
        return false;
    }
    let before = tokens[..index].iter().rev().find(|token| token.passes.has(pass));
    if !before.is_some_and(|before| matches!(before.text, sym::SEMI | sym::LBRACE | sym::RBRACE)) {
        return false;
    }
    if token.text == sym::TEMPLATE && !is_function {
        return false;
    }
    let next = tokens[index + 1..].iter().find(|token| token.passes.has(pass)).map(|next| next.text);
    let statements = [
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "return",
        "break",
        "continue",
        "goto",
        "try",
        "catch",
        "throw",
        "public",
        "private",
        "protected",
    ];
    is_outer_word(tokens, index, pass)
        || is_first(&tokens[start])
            && is_first(token)
            && next != Some(sym::COLON)
            && !statements.contains(&token.text.as_str())
}

/// A token inside parentheses of a declaration's head that nothing closes can't stand there.
pub(super) fn is_behind_a_head(tokens: &[PpToken], index: usize, pass: usize) -> bool {
    if !tokens[index].line_start || !is_outer_word(tokens, index, pass) {
        return false;
    }
    // `MACRO(__global__ void k() { })`, of a header that is missing, is closed.
    let (mut depth, mut braces) = (0, 0);
    let mut rest = tokens[index..].iter().filter(|token| token.passes.has(pass));
    while let Some(token) = rest.next() {
        match token.text {
            sym::LBRACE => braces += 1,
            sym::RBRACE if braces == 1 => return rest.next().is_none_or(|next| next.text != sym::RPAREN),
            sym::RBRACE => braces -= 1,
            _ if braces > 0 => {}
            sym::LPAREN => depth += 1,
            sym::RPAREN if depth == 0 => return false,
            sym::RPAREN => depth -= 1,
            sym::SEMI => break,
            _ => {}
        }
        if braces < 0 {
            break;
        }
    }
    true
}

/// `__global__`, `template <`, `namespace … {`: a declaration that stands in no other but a class or a namespace.
fn is_outer_word(tokens: &[PpToken], index: usize, pass: usize) -> bool {
    let of_pass = |token: &&PpToken| token.passes.has(pass);
    let mut next = tokens[index + 1..].iter().filter(of_pass).map(|next| next.text);
    match tokens[index].text {
        sym::GLOBAL => true,
        sym::TEMPLATE => {
            let before = tokens[..index].iter().rev().find(of_pass).map(|before| before.text);
            let member: [Option<Symbol>; 3] = [sym::DOT, sym::ARROW, sym::SCOPE].map(Some);
            next.next() == Some(sym::LESS) && !member.contains(&before)
        }
        sym::NAMESPACE => {
            next.next() == Some(sym::LBRACE) || matches!(next.next(), Some(sym::LBRACE | sym::SCOPE))
        }
        _ => false,
    }
}
