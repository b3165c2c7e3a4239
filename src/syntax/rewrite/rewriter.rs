//! The state of a rewrite: tokens, their brackets and what becomes of each, with the steps that every rewrite needs.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{Word, word};

/// The treatment of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::syntax) enum Fate {
    /// It keeps its spelling.
    Keep,
    /// It is left out.
    Lift,
    /// It gets another spelling.
    Text(&'static str),
    /// It keeps its spelling, behind a text that stands for no token.
    After(&'static str),
}

/// A rewrite at work.
pub(super) struct Rewriter<'t> {
    pub(super) tokens: &'t [PpToken],
    pub(super) brackets: Brackets,
    /// The treatment of each token.
    pub(super) fates: Vec<Fate>,
    /// Token ranges between the chevrons of kernel launches.
    pub(super) launches: Vec<Range<usize>>,
    /// The variables that the tokens declare, once they were asked for.
    pub(super) variables: OnceCell<Variables>,
}

/// The parameters of functions and the variables of blocks that some tokens declare, by name. Of each, the indices of the
/// tokens where it may be used.
pub(super) type Variables = FxHashMap<Symbol, Vec<Range<usize>>>;

impl<'t> Rewriter<'t> {
    /// Every token stays as it is.
    pub(super) fn new(tokens: &'t [PpToken]) -> Rewriter<'t> {
        let fates = vec![Fate::Keep; tokens.len()];
        Rewriter {
            tokens,
            brackets: Brackets::of(tokens),
            fates,
            launches: Vec::new(),
            variables: OnceCell::new(),
        }
    }

    /// Gives a token the spelling that the grammar knows it by, if it has another.
    pub(super) fn respell(&mut self, at: usize) {
        if let Some(synonym) = SYNONYM.get(&self.text(at)) {
            self.fates[at] = Fate::Text(synonym);
        }
    }

    pub(super) fn text(&self, at: usize) -> Symbol {
        self.tokens.get(at).map_or(sym::EMPTY, |token| token.text)
    }

    pub(super) fn previous(&self, at: usize) -> Symbol {
        let kept = (0..at).rev().find(|index| self.fates[*index] != Fate::Lift);
        kept.map_or(sym::EMPTY, |index| match self.fates[index] {
            // What is left of an unexpanded macro has these.
            Fate::Text("{") => sym::LBRACE,
            Fate::Text(";" | ";}") => sym::SEMI,
            Fate::Text("}") => sym::RBRACE,
            _ => self.tokens[index].text,
        })
    }

    pub(super) fn is_name(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_some_and(|token| token.kind == TokenKind::Identifier && word(token.text).is_none())
    }

    /// The closing bracket of the group that opens at `at`, if one does.
    pub(super) fn closing(&self, at: usize) -> Option<usize> {
        let close = *self.brackets.partner.get(at)? as usize;
        (close > at).then_some(close)
    }

    /// The opening bracket of the group that closes at `at`, if one does.
    pub(super) fn opening(&self, at: usize) -> Option<usize> {
        let open = *self.brackets.partner.get(at)? as usize;
        (open < at).then_some(open)
    }

    pub(super) fn lift(&mut self, range: Range<usize>) {
        self.fates[range].fill(Fate::Lift);
    }

    pub(super) fn is_type(&self, at: usize) -> bool {
        self.is_name(at) || word(self.text(at)) == Some(Word::Type)
    }

    /// The index after the name `a::template b<c>::d` that begins at `at`.
    pub(super) fn qualified_name(&self, mut at: usize) -> Option<usize> {
        if self.text(at) == sym::SCOPE {
            at += 1;
        }
        loop {
            if self.text(at) == sym::TEMPLATE {
                at += 1;
            }
            if !self.is_name(at) {
                return None;
            }
            at += 1;
            if self.text(at) == sym::LESS
                && let Some(end) = self.template_arguments(at)
            {
                at = end;
            }
            if self.text(at) != sym::SCOPE {
                return Some(at);
            }
            at += 1;
        }
    }

    /// The index after the `>` that closes the template arguments that `<` at `at` opens.
    pub(super) fn template_arguments(&self, at: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut index = at;
        while let Some(token) = self.tokens.get(index) {
            match token.text {
                sym::LESS => depth += 1,
                sym::GREATER => depth -= 1,
                sym::SHR => depth -= 2,
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => index = self.closing(index)?,
                sym::SEMI | sym::RPAREN | sym::RBRACKET | sym::RBRACE => return None,
                _ => {}
            }
            index += 1;
            if depth <= 0 {
                return (depth == 0).then_some(index);
            }
        }
        None
    }
}

/// The brackets of some tokens, paired.
pub(super) struct Brackets {
    /// For an opening bracket its closing one and the other way round; the token's own index
    /// for anything else and for a bracket without partner.
    partner: Vec<u32>,
    /// The innermost bracket around a token, itself for none.
    pub(super) around: Vec<u32>,
}

impl Brackets {
    fn of(tokens: &[PpToken]) -> Brackets {
        let mut partner: Vec<u32> = (0..tokens.len() as u32).collect();
        let mut around = partner.clone();
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let opener = match token.text {
                sym::RPAREN => sym::LPAREN,
                sym::RBRACKET => sym::LBRACKET,
                sym::RBRACE => sym::LBRACE,
                _ => sym::EMPTY,
            };
            if opener != sym::EMPTY
                && let Some(depth) = open.iter().rposition(|open| tokens[*open].text == opener)
            {
                partner[open[depth]] = index as u32;
                partner[index] = open[depth] as u32;
                open.truncate(depth);
            }
            if let Some(enclosing) = open.last() {
                around[index] = *enclosing as u32;
            }
            if matches!(token.text, sym::LPAREN | sym::LBRACKET | sym::LBRACE) {
                open.push(index);
            }
        }
        Brackets { partner, around }
    }
}

/// Spellings the grammar does not know, and ones it does.
const SYNONYMS: &[(&str, &str)] = &[
    ("__restrict", "__restrict__"),
    ("restrict", "__restrict__"),
    ("__volatile__", "volatile"),
    ("__const__", "const"),
    ("__const", "const"),
    ("__signed__", "signed"),
    ("__decltype", "decltype"),
    ("__typeof__", "decltype"),
    ("__typeof", "decltype"),
    ("typeof", "decltype"),
    ("__alignof__", "alignof"),
    ("__thread", "thread_local"),
    ("_Static_assert", "static_assert"),
    ("typeid", "sizeof"),
];

static SYNONYM: LazyLock<FxHashMap<Symbol, &'static str>> =
    LazyLock::new(|| SYNONYMS.iter().map(|(from, to)| (Symbol::intern(from), *to)).collect());
