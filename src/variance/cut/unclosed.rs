//! Error recovery for declarations with brackets that are not closed, as while somebody types.
//!
//! In: tokens and the first one of a declaration among them. Out: whether a later token must begin another declaration,
//! by keywords that can't stand inside one and by the first column. Only in files that open more braces than they close
//! ([`Braces`]): balanced code is cut by its brackets alone.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{FileId, Symbol, TokenKind, sym};
use crate::target::PassSet;

/// The balance of braces of each file: opened minus closed.
#[derive(Clone, Debug, Default)]
pub(super) struct Braces {
    /// By pass the balance of the tokens that only some passes have; the last number is that of the tokens that all have.
    nets: FxHashMap<FileId, Vec<i32>>,
}

impl Braces {
    /// Adds the braces of some tokens.
    pub(super) fn count<'t>(&mut self, tokens: impl IntoIterator<Item = &'t PpToken>, all: PassSet) {
        let last = all.iter().last().map_or(0, |last| last + 1);
        // Consecutive braces of a file that all passes have are added at once.
        let mut run: Option<(FileId, i32)> = None;
        for token in tokens.into_iter().filter(|token| token.kind == TokenKind::Punctuator) {
            let step = match token.text {
                sym::LBRACE => 1,
                sym::RBRACE => -1,
                _ => continue,
            };
            match (token.passes.contains(all), &mut run) {
                (true, Some((file, net))) if *file == token.at.file => *net += step,
                (true, _) => {
                    let before = run.replace((token.at.file, step));
                    before.into_iter().for_each(|(file, net)| self.nets_of(file, last)[last] += net);
                }
                (false, _) => {
                    let nets = self.nets_of(token.at.file, last);
                    token.passes.and(all).iter().for_each(|pass| nets[pass] += step);
                }
            }
        }
        run.into_iter().for_each(|(file, net)| self.nets_of(file, last)[last] += net);
    }

    fn nets_of(&mut self, file: FileId, last: usize) -> &mut Vec<i32> {
        self.nets.entry(file).or_insert_with(|| vec![0; last + 1])
    }

    /// The files that open more than they close, in some pass.
    pub(super) fn unclosed(&self) -> FxHashSet<FileId> {
        let opens = |nets: &Vec<i32>| {
            let (of_all, others) = nets.split_last().expect("the balance of all passes is always there");
            others.iter().any(|net| net + of_all > 0) || *of_all > 0 && others.is_empty()
        };
        self.nets.iter().filter(|(_, nets)| opens(nets)).map(|(file, _)| *file).collect()
    }

    /// The counted files are the same ones among those that left braces open then as among those that do now.
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

/// The brace that a function ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The partner of its body's first brace.
    Closed,
    /// One in the first column, while braces inside are still open.
    Open,
}

/// The brace that a function ends with in one pass; `tokens` are all of its tokens, and its body begins at `body`. `None`
/// if the function would end elsewhere if some other brace of its file were, or were not, closed.
pub fn ending(tokens: &[PpToken], body: usize, pass: usize) -> Option<Ending> {
    let last = tokens.iter().rposition(|token| token.passes.has(pass))?;
    let start = tokens.iter().position(|token| token.passes.has(pass))?;
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.passes.has(pass)) {
        if depth > 0 && begins_another(tokens, start, index, pass, Around::Function) {
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

/// Whether a declaration that is no function has closed its brackets, and would end at the same token in a file that
/// leaves braces open. `tokens` are all of its tokens.
pub fn is_whole(tokens: &[PpToken], pass: usize) -> bool {
    let Some(start) = tokens.iter().position(|token| token.passes.has(pass)) else { return true };
    let (mut depth, mut parentheses) = (0, 0);
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.passes.has(pass)) {
        if depth > 0 && begins_another(tokens, start, index, pass, Around::Other) {
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

/// A `}` in the first column closes every brace of a declaration that begins in the first column.
pub(super) fn closes_all(tokens: &[PpToken], start: usize, index: usize) -> bool {
    is_first(&tokens[start]) && is_first(&tokens[index])
}

/// The declaration whose braces a token stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around {
    /// A function, which holds no template.
    Function,
    /// Another declaration: a class holds templates.
    Other,
}

/// A token inside the braces of a declaration begins another one: with words that can't stand there, or in the first
/// column, where the declaration began.
pub(super) fn begins_another(
    tokens: &[PpToken],
    start: usize,
    index: usize,
    pass: usize,
    around: Around,
) -> bool {
    let token = &tokens[index];
    if !token.line_start || token.kind != TokenKind::Identifier {
        return false;
    }
    let before = tokens[..index].iter().rev().find(|token| token.passes.has(pass));
    if !before.is_some_and(|before| matches!(before.text, sym::SEMI | sym::LBRACE | sym::RBRACE)) {
        return false;
    }
    if token.text == sym::TEMPLATE && around == Around::Other {
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
