//! Error recovery in function bodies with statements that are not finished.
//!
//! In: the tokens of a function in one pass, in whose body the grammar finds errors. Out: those tokens without the
//! unfinished statements. The grammar's own recovery drops the statements that follow too: a name that somebody begins to
//! type in front of `if (rows > 0) { scale<<<1, 1>>>(x); }` would hide the launch.
//!
//! Brackets and semicolons tell the statements apart. Each is read by itself; where one can't be, a line of it may
//! begin the statement that stood there before. Text that ends as a statement does and yet can't be read stays: that is
//! the grammar's fault, and it may still find declarations and calls in it.

use std::cell::Cell;
use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::word;

use super::parse::parse;

/// How often a body's tokens are read, one with the other: each statement once, and its lines where it can't be read.
const READINGS: usize = 16;

/// How many tokens may be read of a short body, all readings together.
const LEAST_READ: usize = 10_000;

/// How many tokens may be read of any body, all readings together. A brace too many in front of headers makes one body of all that
/// they have.
const MOST_READ: usize = 200_000;

/// The tokens without the unfinished statements of the body that begins at `body`, and with the braces that it lacks at its
/// end; `None` if that is all the same.
pub fn mended(tokens: &[PpToken], body: usize) -> Option<Vec<PpToken>> {
    let mender = Mender::of(tokens, body)?;
    let (left, lacking) = (mender.left(0..tokens.len()), mender.lacking(body));
    (!lacking.is_empty() || left.len() < tokens.len()).then(|| [left, lacking].concat())
}

/// The same with calls in the place of the statements that end as one does and yet can't be read: of each name in them, with
/// arguments of which nothing is known. `None` if all statements can be read.
pub fn with_names_called(tokens: &[PpToken], body: usize) -> Option<Vec<PpToken>> {
    let mender = Mender::of(tokens, body).filter(|mender| !mender.unread.is_empty())?;
    let (mut all, mut at) = (Vec::new(), 0);
    for unread in &mender.unread {
        all.extend(mender.left(at..unread.start));
        all.extend(calls(&mender.left(unread.clone())));
        at = unread.end;
    }
    all.extend(mender.left(at..tokens.len()));
    all.extend(mender.lacking(body));
    Some(all)
}

/// A function with calls in the place of all that its body has, if nothing of that can be read.
pub fn all_names_called(tokens: &[PpToken], body: usize) -> Vec<PpToken> {
    let Some((head, [first, inside @ ..])) = tokens.split_at_checked(body) else { return tokens.to_vec() };
    let last = PpToken { kind: TokenKind::Punctuator, text: sym::RBRACE, ..*inside.last().unwrap_or(first) };
    [head, &[*first], &calls(inside), &[last]].concat()
}

/// A call for each name among some tokens, which may be qualified or that of an object's member: `n::f(n...);`. The brace of a
/// block stays.
fn calls(tokens: &[PpToken]) -> Vec<PpToken> {
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|one| one.kind == TokenKind::Identifier && word(one.text).is_none())
    };
    let joins =
        |at: usize| tokens.get(at).is_some_and(|one| matches!(one.text, sym::SCOPE | sym::DOT | sym::ARROW));
    let (mut all, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let first = at;
        at += 1;
        if !is_name(first) {
            continue;
        }
        while joins(at) && is_name(at + 1) {
            at += 2;
        }
        let sign =
            |text| PpToken { kind: TokenKind::Punctuator, text, space_before: false, ..tokens[at - 1] };
        all.extend_from_slice(&tokens[first..at]);
        all.extend([
            sign(sym::LPAREN),
            tokens[first],
            sign(sym::ELLIPSIS),
            sign(sym::RPAREN),
            sign(sym::SEMI),
        ]);
    }
    all.extend(tokens.last().filter(|last| last.text == sym::LBRACE));
    all
}

/// Whether a word that can only begin a statement follows one that is not finished.
/// The grammar takes `int rows = return (count);` for a call.
pub fn breaks_off(tokens: &[PpToken]) -> bool {
    let begins = |text: Symbol| {
        let words = ["return", "if", "for", "while", "switch", "do", "break", "continue", "goto"];
        words.contains(&text.as_str())
    };
    let ends =
        [sym::SEMI, sym::LBRACE, sym::RBRACE, sym::RPAREN, sym::RBRACKET, sym::COLON, sym::ELSE, sym::DO];
    tokens.windows(2).any(|pair| begins(pair[1].text) && !ends.contains(&pair[0].text))
}

/// For each bracket from `first` on its other one. A brace ends whatever is open inside it.
fn partners(tokens: &[PpToken], first: usize) -> Vec<Option<usize>> {
    let mut partner = vec![None; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(first) {
        let opener = match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => {
                open.push(index);
                continue;
            }
            sym::RPAREN => sym::LPAREN,
            sym::RBRACKET => sym::LBRACKET,
            sym::RBRACE => sym::LBRACE,
            _ => continue,
        };
        let reaches = |at: &&usize| opener == sym::LBRACE || tokens[**at].text != sym::LBRACE;
        let reach = open.iter().rev().take_while(reaches).count();
        let inside = open.len() - reach;
        if let Some(depth) = open[inside..].iter().rposition(|at| tokens[*at].text == opener) {
            let other = open[inside + depth];
            (partner[other], partner[index]) = (Some(index), Some(other));
            open.truncate(inside + depth);
        }
    }
    partner
}

/// Whether a statement ends as one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// With a semicolon or a block's `{`, and all its brackets are closed.
    Reached,
    /// It breaks off.
    Missing,
}

/// A function body whose statements are looked at one by one.
struct Mender<'t> {
    tokens: &'t [PpToken],
    /// For each bracket of the body its other one.
    partner: Vec<Option<usize>>,
    /// The body's first brace.
    open: PpToken,
    /// The tokens of unfinished statements.
    dropped: Vec<bool>,
    /// The statements that end as one does and yet can't be read, in order.
    unread: Vec<Range<usize>>,
    /// How many tokens may still be read.
    budget: Cell<usize>,
}

impl<'t> Mender<'t> {
    /// Looks at the statements of the body that begins at `body`.
    fn of(tokens: &'t [PpToken], body: usize) -> Option<Mender<'t>> {
        let partner = partners(tokens, body);
        let open = *tokens.get(body).filter(|token| token.text == sym::LBRACE)?;
        let end = partner[body].unwrap_or(tokens.len());
        let budget = Cell::new((READINGS * (end - body)).clamp(LEAST_READ, MOST_READ));
        let (dropped, unread) = (vec![false; tokens.len()], Vec::new());
        let mut mender = Mender { tokens, partner, open, dropped, unread, budget };
        mender.block(body + 1..end);
        Some(mender)
    }

    /// The braces that the body lacks at its end.
    fn lacking(&self, body: usize) -> Vec<PpToken> {
        let lacks = |at: &usize| {
            !self.dropped[*at] && self.tokens[*at].text == sym::LBRACE && self.partner[*at].is_none()
        };
        let count = (body..self.tokens.len()).filter(lacks).count();
        let last = self.tokens[self.tokens.len() - 1];
        vec![PpToken { kind: TokenKind::Punctuator, text: sym::RBRACE, ..last }; count]
    }

    /// Looks at the statements between two braces.
    fn block(&mut self, range: Range<usize>) {
        let (mut start, mut at) = (range.start, range.start);
        while at < range.end {
            let close = self.partner[at].filter(|close| *close > at);
            let next = close.unwrap_or(at) + 1;
            match self.tokens[at].text {
                sym::LBRACE if self.is_block(start, at) => {
                    let close = close.unwrap_or(range.end).min(range.end);
                    self.statement(start..at + 1, End::Reached);
                    self.block(at + 1..close);
                    at = close + 1;
                    start = at;
                }
                sym::SEMI => {
                    let alone = (start..at).any(|at| self.is_alone(at));
                    self.statement(start..at + 1, if alone { End::Missing } else { End::Reached });
                    at = if self.is_open_for(start, at) { self.drop_line(next, range.end) } else { next };
                    start = at;
                }
                // A loop that is a macro's, which is not known.
                sym::LBRACE if self.text(at - 1) == sym::RPAREN && self.begins_line(next) => {
                    self.statement(start..next, End::Reached);
                    at = next;
                    start = at;
                }
                _ => at = next,
            }
        }
        if start < range.end {
            self.statement(start..range.end, End::Missing);
        }
    }

    /// The semicolon is one of a `for` whose parenthesis is open: `for (int row = 0;`.
    fn is_open_for(&self, start: usize, at: usize) -> bool {
        let opens = |open: usize| self.text(open) == sym::FOR && self.text(open + 1) == sym::LPAREN;
        self.dropped[at] && (start..at).any(|open| opens(open) && self.partner[open + 1].is_none())
    }

    /// Drops what is left of a line; where the next one begins, or a block.
    fn drop_line(&mut self, from: usize, end: usize) -> usize {
        let stays = |at: &usize| {
            let token = &self.tokens[*at];
            token.line_start || matches!(token.text, sym::LBRACE | sym::RBRACE)
        };
        let rest = (from..end).find(stays).unwrap_or(end);
        self.dropped[from..rest].fill(true);
        rest
    }

    /// A bracket without its other one.
    fn is_alone(&self, at: usize) -> bool {
        let brackets = [sym::LPAREN, sym::RPAREN, sym::LBRACKET, sym::RBRACKET, sym::LBRACE, sym::RBRACE];
        self.partner[at].is_none() && brackets.contains(&self.tokens[at].text)
    }

    fn text(&self, at: usize) -> Symbol {
        self.tokens[at].text
    }

    fn begins_line(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.line_start && token.kind == TokenKind::Identifier)
    }

    /// The `{` begins a block of statements, where its statement begins at `start`.
    fn is_block(&self, start: usize, at: usize) -> bool {
        if at == start {
            return true;
        }
        match self.text(at - 1) {
            sym::ELSE | sym::DO | sym::TRY | sym::COLON => true,
            sym::RPAREN => {
                let keyword =
                    self.partner[at - 1].filter(|open| *open > start).map(|open| self.text(open - 1));
                let keywords = [sym::IF, sym::FOR, sym::WHILE, sym::SWITCH, sym::CATCH, sym::CONSTEXPR];
                keyword.is_some_and(|keyword| keywords.contains(&keyword))
            }
            _ => false,
        }
    }

    /// Drops the unfinished part of a statement, or of a block's head with its `{`.
    fn statement(&mut self, range: Range<usize>, end: End) {
        if self.reads(range.clone()) != Some(false) {
            return;
        }
        let lambdas: Vec<usize> = range.clone().filter(|at| self.is_lambda(range.start, *at)).collect();
        for open in lambdas {
            let close = self.partner[open].unwrap_or(range.end);
            // Those in it were looked at with it.
            if !self.dropped[open] && open + 1 < close {
                self.block(open + 1..close);
            }
        }
        if self.reads(range.clone()) != Some(false) {
            return;
        }
        let (mut at, mut lines) = (range.start, Vec::new());
        while at < range.end {
            if self.tokens[at].line_start && at > range.start {
                lines.push(at);
            }
            at = self.partner[at].filter(|close| *close > at).unwrap_or(at) + 1;
        }
        let whole = range.end - usize::from(self.text(range.end - 1) == sym::LBRACE);
        let mut tried = lines.into_iter().map(|line| (line, self.reads(line..range.end)));
        let rest = tried.find(|(_, reads)| *reads != Some(false));
        match rest {
            Some((rest, Some(_))) => self.dropped[range.start..rest].fill(true),
            // What was not tried stays.
            Some((_, None)) => {}
            None if end == End::Missing => self.dropped[range.start..whole].fill(true),
            None => self.unread.push(range),
        }
    }

    /// The `{` begins the body of a lambda expression.
    fn is_lambda(&self, start: usize, at: usize) -> bool {
        if self.text(at) != sym::LBRACE || at == start {
            return false;
        }
        let before = match self.text(at - 1) {
            sym::RPAREN => self.partner[at - 1].and_then(|open| open.checked_sub(1)),
            _ => Some(at - 1),
        };
        before.is_some_and(|before| before >= start && self.text(before) == sym::RBRACKET)
    }

    /// Those of some tokens that are not dropped.
    fn left(&self, range: Range<usize>) -> Vec<PpToken> {
        range.filter(|at| !self.dropped[*at]).map(|at| self.tokens[at]).collect()
    }

    /// The grammar can read a statement, or what stands before a block, by itself; `None` if that is not tried, since the
    /// budget is spent.
    fn reads(&self, range: Range<usize>) -> Option<bool> {
        self.budget.set(self.budget.get().checked_sub(range.len())?);
        let left = self.left(range);
        let (Some(first), Some(last)) = (left.first(), left.last()) else { return Some(true) };
        if left.len() == 1 && matches!(first.text, sym::SEMI | sym::LBRACE) {
            return Some(true);
        }
        let (before, behind) = match (first.text, last.text, left.len()) {
            (sym::ELSE, ..) => ("if ( f ) ;", ""),
            (sym::CATCH, ..) => ("try { }", ""),
            (sym::DO, sym::LBRACE, 2) => ("", "while ( f ) ;"),
            (sym::TRY, sym::LBRACE, 2) => ("", "catch ( int f ) { }"),
            _ => ("", ""),
        };
        if breaks_off(&left) {
            return Some(false);
        }
        let close = if last.text == sym::LBRACE { "}" } else { "" };
        let word = |text: &str| {
            let name = text.starts_with(|first: char| first.is_ascii_alphabetic());
            let kind = if name { TokenKind::Identifier } else { TokenKind::Punctuator };
            PpToken { kind, text: Symbol::intern(text), space_before: true, line_start: false, ..self.open }
        };
        let words = |text: &str| -> Vec<PpToken> { text.split_whitespace().map(word).collect() };
        let around = [words("void f ( ) {"), words(before), left, words(close), words(behind), words("}")];
        Some(parse(&around.concat()).error_bytes == 0)
    }
}
