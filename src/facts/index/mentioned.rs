//! How the tokens of a declaration mention names.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::tokens::{calls_unnamed, is_plain_member};

/// How a declaration mentions a name, by what stands before it: which entities the name can denote there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::facts) struct Forms(u8);

impl Forms {
    /// The name alone: an entity of namespace scope, or a member of a class around it or of a base class of one.
    pub(in crate::facts) const UNQUALIFIED: Forms = Forms(1);
    /// Behind `.` or `->`: a member.
    pub(in crate::facts) const OF_OBJECT: Forms = Forms(2);
    /// Behind `::`: any.
    pub(in crate::facts) const QUALIFIED: Forms = Forms(4);
    /// Before `<<<`: a kernel, which need not be declared before a launch that depends on a template parameter.
    pub(in crate::facts) const LAUNCHED: Forms = Forms(8);
    /// Where the name of a function or variable may stand: behind that of a class or namespace stands `::`, a name that is
    /// declared, or a brace.
    pub(in crate::facts) const VALUE: Forms = Forms(16);
    /// Any of them.
    pub(in crate::facts) const ANY: Forms = Forms(31);

    /// Whether some of the forms are among some others.
    pub(in crate::facts) fn meet(self, others: Forms) -> bool {
        self.0 & others.0 != 0
    }

    /// The form of the name that is token `index`.
    fn of(tokens: &[PpToken], index: usize) -> Forms {
        let text = |at: Option<usize>| at.map_or(sym::EMPTY, |at| tokens[at].text);
        let before = match text(index.checked_sub(1)) {
            sym::TEMPLATE => text(index.checked_sub(2)),
            before => before,
        };
        let form = match before {
            sym::DOT | sym::ARROW => Forms::OF_OBJECT,
            sym::SCOPE => Forms::QUALIFIED,
            _ => Forms::UNQUALIFIED,
        };
        let Some(behind) = behind_arguments(tokens, index) else {
            return form | Forms::LAUNCHED | Forms::VALUE;
        };
        let next = tokens.get(behind);
        let is_shift = next.is_some_and(|next| next.text == sym::SHL);
        let launches = is_shift && tokens.get(behind + 1).is_some_and(|next| next.text == sym::LESS);
        let is_type = next.is_some_and(|next| {
            next.kind == TokenKind::Identifier || matches!(next.text, sym::SCOPE | sym::LBRACE)
        });
        let form = if launches { form | Forms::LAUNCHED } else { form };
        if is_type { form } else { form | Forms::VALUE }
    }
}

/// How many tokens of a template argument list are looked at.
const ARGUMENTS_LOOKED_AT: usize = 200;

/// The index of the token behind the name that is token `index`, and behind its template arguments if it has some; `None`
/// where tokens do not tell, or not in every pass that has the name.
fn behind_arguments(tokens: &[PpToken], index: usize) -> Option<usize> {
    let passes = tokens[index].passes;
    let mut depth = 0_i32;
    for (at, token) in tokens.iter().enumerate().skip(index + 1).take(ARGUMENTS_LOOKED_AT) {
        if !token.passes.contains(passes) {
            return None;
        }
        match token.text {
            sym::LESS | sym::LPAREN | sym::LBRACKET | sym::LBRACE if depth > 0 => depth += 1,
            sym::LESS => depth = 1,
            _ if depth == 0 => return Some(at),
            sym::GREATER | sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
            sym::SHR => depth -= 2,
            sym::SEMI => return None,
            _ => {}
        }
        if depth <= 0 {
            return (depth == 0 && tokens.get(at + 1)?.passes.contains(passes)).then_some(at + 1);
        }
    }
    None
}

impl std::ops::BitOr for Forms {
    type Output = Forms;

    fn bitor(self, other: Forms) -> Forms {
        Forms(self.0 | other.0)
    }
}

/// Removes repeated names from one list after another.
#[derive(Default)]
pub(super) struct Seen {
    /// By symbol, the number of the last list that had it.
    last: Vec<u32>,
    /// By symbol, its place in that list, if its names have forms.
    position: Vec<u32>,
    lists: u32,
}

impl Seen {
    /// The names of a new list, each once.
    pub(super) fn each_once(&mut self, names: impl Iterator<Item = Symbol>) -> impl Iterator<Item = Symbol> {
        self.lists += 1;
        names.filter(|name| self.is_new(*name))
    }

    /// The names of a new list, each once, with all the ways in which it is mentioned.
    pub(super) fn each_with_forms(
        &mut self,
        names: impl Iterator<Item = (Symbol, Forms)>,
    ) -> Vec<(Symbol, Forms)> {
        self.lists += 1;
        let mut all: Vec<(Symbol, Forms)> = Vec::new();
        for (name, forms) in names {
            if self.is_new(name) {
                self.position.resize(self.last.len(), 0);
                self.position[name.index()] = all.len() as u32;
                all.push((name, forms));
            } else {
                let known = &mut all[self.position[name.index()] as usize].1;
                *known = *known | forms;
            }
        }
        all
    }

    /// Whether the list did not have a name yet.
    fn is_new(&mut self, name: Symbol) -> bool {
        if self.last.len() <= name.index() {
            self.last.resize((name.index() + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.last[name.index()], self.lists) != self.lists
    }
}

/// The identifiers of a range that may denote other declarations of the unit: neither those at `unmentioned`, local names
/// among them, nor data members in member access expressions; `~` for an explicit call of a destructor; and the functions
/// that are called without being named.
pub(super) fn mentioned(
    tokens: &[PpToken],
    range: Range<usize>,
    unmentioned: &[usize],
) -> impl Iterator<Item = (Symbol, Forms)> {
    let mut next = unmentioned.partition_point(|at| *at < range.start);
    let (mut rest, mut calls): (_, &[Symbol]) = (range, &[]);
    std::iter::from_fn(move || {
        loop {
            if let [name, others @ ..] = calls {
                calls = others;
                return Some((*name, Forms::UNQUALIFIED | Forms::OF_OBJECT | Forms::VALUE));
            }
            let index = rest.next()?;
            calls = calls_unnamed(tokens, index);
            if unmentioned.get(next) == Some(&index) {
                next += 1;
                continue;
            }
            let token = &tokens[index];
            let is_destroyed = token.text == sym::TILDE
                && index.checked_sub(1).is_some_and(|at| matches!(tokens[at].text, sym::DOT | sym::ARROW));
            if is_destroyed || token.kind == TokenKind::Identifier && !is_plain_member(tokens, index) {
                return Some((token.text, Forms::of(tokens, index)));
            }
        }
    })
}
