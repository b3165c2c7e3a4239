//! How the tokens of a declaration mention names.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::word;

use super::arity::Arity;
use super::own_names::{Own, OwnNames};
use super::tokens::{calls_unnamed, is_plain_member};

/// How a declaration mentions a name, by what stands around it: which entities the name can denote there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::facts) struct Forms {
    bits: u16,
    /// With how many arguments it is called; any number where it is named and not called.
    arity: Arity,
}

impl Default for Forms {
    fn default() -> Forms {
        Forms::form(0)
    }
}

impl Forms {
    /// The name alone: an entity of namespace scope, or a member of a class around it or of a base class of one.
    pub(in crate::facts) const UNQUALIFIED: Forms = Forms::form(1);
    /// Behind `.` or `->`: a member.
    pub(in crate::facts) const OF_OBJECT: Forms = Forms::form(2);
    /// Behind `::` and the name of a namespace or class, or behind `::` alone ([`Qualifier`]).
    pub(in crate::facts) const QUALIFIED: Forms = Forms::form(4);
    /// Before `<<<`: a kernel, which need not be declared before a launch that depends on a template parameter.
    pub(in crate::facts) const LAUNCHED: Forms = Forms::form(8);
    /// Where the name of a function or variable may stand: behind that of a class or namespace stands `::`, a name that is
    /// declared, or a brace.
    pub(in crate::facts) const VALUE: Forms = Forms::form(16);
    /// Behind `::` and what is neither a namespace nor a class that is told: a template parameter, a type of the declaration's
    /// own, `decltype(…)`, a member template of another class.
    pub(in crate::facts) const OF_CLASS: Forms = Forms::form(32);
    /// The name alone, where it may be called: the namespaces of the arguments are searched too ([basic.lookup.argdep]).
    pub(in crate::facts) const CALLED: Forms = Forms::form(64);
    /// The name alone, which denotes a class that the declaration has in it.
    pub(in crate::facts) const OWN: Forms = Forms::form(128);
    /// Where a function is declared that has the name.
    pub(in crate::facts) const DECLARED: Forms = Forms::form(256);
    /// Behind `this->`: a member of a class around it or of a base class of one.
    pub(in crate::facts) const OF_THIS: Forms = Forms::form(512);
    /// Any of them.
    pub(in crate::facts) const ANY: Forms = Forms { bits: u16::MAX, arity: Arity::ANY };

    const fn form(bits: u16) -> Forms {
        Forms { bits, arity: Arity::NONE }
    }

    /// With how many arguments the name is called; any number where it is not.
    pub(super) fn arity(self) -> Arity {
        self.arity
    }

    /// Whether some of the forms are among some others.
    pub(in crate::facts) fn meet(self, others: Forms) -> bool {
        self.bits & others.bits != 0
    }

    /// The forms, but for one where it does not count.
    pub(super) fn without_if(self, form: Forms, does_not_count: bool) -> Forms {
        if does_not_count { Forms { bits: self.bits & !form.bits, ..self } } else { self }
    }

    /// The form of the name that is token `index`; names at `unmentioned`, and those among `own`, are the declaration's own.
    fn of(tokens: &[PpToken], index: usize, unmentioned: &[usize], own: &OwnNames) -> Forms {
        if own.at(index) == Some(Own::Function) {
            return Forms { arity: Arity::ANY, ..Forms::DECLARED };
        }
        let place = before(tokens, index);
        let form = match place.map_or(sym::EMPTY, |at| tokens[at].text) {
            sym::ARROW if is_this(tokens, place) => Forms::OF_THIS,
            sym::DOT | sym::ARROW => Forms::OF_OBJECT,
            sym::SCOPE => match Qualifier::of(tokens, index, unmentioned, own) {
                None => Forms::OF_CLASS,
                Some(_) => Forms::QUALIFIED,
            },
            _ if own.at(index) == Some(Own::Class) => Forms::OWN,
            _ => Forms::UNQUALIFIED,
        };
        let Some(behind) = behind_arguments(tokens, index) else {
            return Forms { arity: Arity::ANY, ..form | Forms::LAUNCHED | Forms::VALUE | Forms::CALLED };
        };
        let next = tokens.get(behind);
        let is_shift = next.is_some_and(|next| next.text == sym::SHL);
        let launches = is_shift && tokens.get(behind + 1).is_some_and(|next| next.text == sym::LESS);
        let is_type = next.is_some_and(|next| {
            next.kind == TokenKind::Identifier || matches!(next.text, sym::SCOPE | sym::LBRACE)
        });
        let is_type = is_type || names_conversion(tokens, index);
        // A name in parentheses is called by those behind them, but searched by its arguments all the same where it has some.
        let is_called = is_shift
            || next.is_some_and(|next| next.text == sym::LPAREN)
            || tokens.get(index + 1).is_some_and(|next| next.text == sym::LESS);
        let form = if launches { form | Forms::LAUNCHED } else { form };
        let form = if is_called { form | Forms::CALLED } else { form };
        let arity = match next.is_some_and(|next| next.text == sym::LPAREN) {
            true => Arity::of_call(tokens, behind),
            false => Arity::ANY,
        };
        Forms { arity, ..if is_type { form } else { form | Forms::VALUE } }
    }
}

/// What stands before the `::` that qualifies a name, if that may be a namespace or is the name of a class template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::facts) struct Qualifier {
    /// The first name of `first::…::last::`; empty behind a `::` alone, or if that begins it and `last` has arguments.
    pub(in crate::facts) first: Symbol,
    /// The last one.
    pub(in crate::facts) last: Symbol,
    /// The last one has template arguments, so it is that of a class: `first::…::last<…>::`.
    pub(in crate::facts) is_template: bool,
    /// Some pass may have others.
    pub(in crate::facts) is_open: bool,
}

impl Qualifier {
    /// That of the name that is token `index`, behind a `::`; `None` where it is neither.
    pub(super) fn of(
        tokens: &[PpToken],
        index: usize,
        unmentioned: &[usize],
        own: &OwnNames,
    ) -> Option<Qualifier> {
        let passes = tokens[index].passes;
        let mut names: Option<(usize, usize)> = None;
        let mut at = before(tokens, index)?;
        let mut is_open = !tokens[at].passes.contains(passes);
        let is_name = |at: usize| tokens[at].kind == TokenKind::Identifier && word(tokens[at].text).is_none();
        while tokens[at].text == sym::SCOPE {
            let Some(name) = at.checked_sub(1) else { break };
            if !is_name(name) {
                if !is_open && let Some(class) = class_before(tokens, name) {
                    return match class {
                        NamedClass::Template(last) if names.is_none() => {
                            Qualifier::of_template(tokens, last, unmentioned, own)
                        }
                        _ => None,
                    };
                }
                is_open |= matches!(tokens[name].text, sym::GREATER | sym::SHR | sym::RPAREN | sym::RBRACKET);
                break;
            }
            is_open |= !tokens[name].passes.contains(passes);
            names = Some((name, names.map_or(name, |(_, last)| last)));
            match name.checked_sub(1) {
                Some(next) => at = next,
                None => break,
            }
            is_open |= tokens[at].text == sym::SCOPE && !tokens[at].passes.contains(passes);
        }
        let Some((first, last)) = names else {
            return Some(Qualifier { first: sym::EMPTY, last: sym::EMPTY, is_template: false, is_open });
        };
        let is_own = unmentioned.binary_search(&first).is_ok() || own.at(first).is_some();
        if is_own && !is_open {
            return None;
        }
        Some(Qualifier { first: tokens[first].text, last: tokens[last].text, is_template: false, is_open })
    }

    /// That of a class template, whose name is token `last`, with template arguments; `None` where the class may be another's
    /// member or is the declaration's own.
    fn of_template(
        tokens: &[PpToken],
        last: usize,
        unmentioned: &[usize],
        own: &OwnNames,
    ) -> Option<Qualifier> {
        let passes = tokens[last].passes;
        let mut first = last;
        let is_name = |at: usize| tokens[at].kind == TokenKind::Identifier && word(tokens[at].text).is_none();
        while let Some(scope) = first.checked_sub(1).filter(|at| tokens[*at].text == sym::SCOPE) {
            let Some(name) = scope.checked_sub(1).filter(|at| is_name(*at)) else { break };
            if tokens[name].passes != passes || tokens[scope].passes != passes {
                return None;
            }
            first = name;
        }
        let before = first.checked_sub(1).map(|at| &tokens[at]);
        let is_global = before.is_some_and(|before| before.text == sym::SCOPE);
        let before = if is_global { first.checked_sub(2).map(|at| &tokens[at]) } else { before };
        let is_member = before.is_some_and(|before| {
            before.passes != passes
                || is_global && matches!(before.text, sym::GREATER | sym::SHR | sym::RPAREN | sym::RBRACKET)
                || matches!(before.text, sym::TEMPLATE | sym::DOT | sym::ARROW)
        });
        let is_own = unmentioned.binary_search(&first).is_ok() || own.at(first).is_some();
        (!is_member && !is_own && own.are_told()).then(|| Qualifier {
            first: if is_global { sym::EMPTY } else { tokens[first].text },
            last: tokens[last].text,
            is_template: true,
            is_open: false,
        })
    }
}

/// Whether the token before an arrow is `this`, in each pass that has the arrow.
fn is_this(tokens: &[PpToken], arrow: Option<usize>) -> bool {
    let Some((arrow, this)) = arrow.and_then(|arrow| Some((arrow, arrow.checked_sub(1)?))) else {
        return false;
    };
    tokens[this].text == sym::THIS && tokens[this].passes == tokens[arrow].passes
}

/// What names a class before a `::`.
enum NamedClass {
    /// `X<T>::`, where this is the token of the name.
    Template(usize),
    /// `decltype(x)::`
    Decltype,
}

/// The class whose name the token before a `::` ends, which is not that of a template parameter list, a comparison or a cast.
fn class_before(tokens: &[PpToken], closing: usize) -> Option<NamedClass> {
    let (is_angle, is_call) = match tokens[closing].text {
        sym::GREATER | sym::SHR => (true, false),
        sym::RPAREN => (false, true),
        _ => return None,
    };
    let passes = tokens[closing].passes;
    let (mut angles, mut brackets) = (0_i32, 0_i32);
    for at in (closing.saturating_sub(ARGUMENTS_LOOKED_AT)..=closing).rev() {
        if tokens[at].passes != passes {
            return None;
        }
        match tokens[at].text {
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => brackets += 1,
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => brackets -= 1,
            sym::GREATER if brackets == 0 => angles += 1,
            sym::SHR if brackets == 0 => angles += 2,
            sym::LESS if brackets == 0 => angles -= 1,
            sym::SEMI => return None,
            _ => {}
        }
        let is_open = if is_angle { angles <= 0 && brackets == 0 } else { brackets == 0 };
        if brackets < 0 || is_open {
            let before = at.checked_sub(1).filter(|_| brackets == 0)?;
            let is_name = tokens[before].kind == TokenKind::Identifier && word(tokens[before].text).is_none();
            return match tokens[before].text {
                _ if is_angle && is_name => Some(NamedClass::Template(before)),
                sym::DECLTYPE if is_call => Some(NamedClass::Decltype),
                _ => None,
            };
        }
    }
    None
}

/// Whether a name is that of the type in the name of a conversion function: `operator typename T::type()`.
fn names_conversion(tokens: &[PpToken], index: usize) -> bool {
    let is_part = |token: &&PpToken| {
        matches!(token.text, sym::SCOPE | sym::TYPENAME | sym::CONST | sym::VOLATILE)
            || token.kind == TokenKind::Identifier && word(token.text).is_none()
    };
    let before = tokens[..index].iter().rev().take(ARGUMENTS_LOOKED_AT).find(|token| !is_part(token));
    before.is_some_and(|token| token.text == sym::OPERATOR)
}

/// The token before a name, but for a `template` that tells that it is a template's.
fn before(tokens: &[PpToken], index: usize) -> Option<usize> {
    let before = index.checked_sub(1)?;
    match tokens[before].text {
        sym::TEMPLATE => before.checked_sub(1),
        _ => Some(before),
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
        Forms { bits: self.bits | other.bits, arity: self.arity.or(other.arity) }
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
/// among them, nor data members in member access expressions; for an alias among `own` those that it stands for; `~` for an
/// explicit call of a destructor; and the functions that are called without being named.
pub(super) fn mentioned(
    tokens: &[PpToken],
    range: Range<usize>,
    unmentioned: &[usize],
    own: &OwnNames,
) -> impl Iterator<Item = (Symbol, Forms)> {
    range.flat_map(move |index| {
        let calls = calls_unnamed(tokens, index).iter();
        let unnamed = Forms::UNQUALIFIED | Forms::OF_OBJECT | Forms::VALUE | Forms::CALLED;
        let calls = calls.map(move |name| (*name, Forms { arity: Arity::ANY, ..unnamed }));
        let one = |index: usize| {
            let token = &tokens[index];
            let is_destroyed = token.text == sym::TILDE
                && index.checked_sub(1).is_some_and(|at| matches!(tokens[at].text, sym::DOT | sym::ARROW));
            let is_mentioned = unmentioned.binary_search(&index).is_err()
                && (is_destroyed || token.kind == TokenKind::Identifier && !is_plain_member(tokens, index));
            is_mentioned.then(|| (token.text, Forms::of(tokens, index, unmentioned, own)))
        };
        let (named, aliased): (_, &[usize]) = match own.at(index) {
            Some(Own::Parameter) => (None, &[]),
            Some(Own::Alias(alias)) => (None, own.aliased(tokens, alias)),
            Some(Own::Class | Own::Function) | None => (one(index), &[]),
        };
        named.into_iter().chain(aliased.iter().copied().filter_map(one)).chain(calls)
    })
}
