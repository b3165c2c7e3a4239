//! GCC's assertions, the macros' elder siblings: `#assert system(linux)`, `#unassert`, and `#system(linux)` in
//! a condition (GCC's preprocessor manual, "Obsolete Features"). Clang has none.

use crate::source::{Symbol, Token, TokenKind, sym};
use crate::target::{Machine, PassSet};

use super::directives::Line;
use super::walk::Walker;

/// What is asserted.
#[derive(Default)]
pub(super) struct Assertions {
    all: Vec<Assertion>,
}

struct Assertion {
    predicate: Symbol,
    answer: Answer,
    passes: PassSet,
}

/// The tokens of an answer, and whether white space stands before each; before the first it does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer(Vec<(Symbol, bool)>);

impl Answer {
    /// Of the tokens between the parentheses.
    pub(super) fn new(tokens: impl Iterator<Item = (Symbol, bool)>) -> Answer {
        let tokens = tokens.enumerate().map(|(index, (text, space))| (text, space && index > 0));
        Answer(tokens.collect())
    }
}

impl Assertions {
    /// What GCC asserts before the first line, for Linux.
    pub(super) fn of(machine: Machine, passes: PassSet) -> Assertions {
        let machine = match machine {
            Machine::X86_64 => "x86_64",
            Machine::Aarch64 => "aarch64",
        };
        let known = [
            ("system", "linux"),
            ("system", "unix"),
            ("system", "posix"),
            ("cpu", machine),
            ("machine", machine),
        ];
        let assertion = |(predicate, answer)| Assertion {
            predicate: Symbol::intern(predicate),
            answer: Answer(vec![(Symbol::intern(answer), false)]),
            passes,
        };
        Assertions { all: known.map(assertion).into() }
    }

    /// The passes in which a predicate has an answer, or any.
    pub(super) fn holds(&self, predicate: Symbol, answer: Option<&Answer>) -> PassSet {
        let of = self.all.iter().filter(|one| one.predicate == predicate);
        let of = of.filter(|one| answer.is_none_or(|answer| one.answer == *answer));
        of.fold(PassSet::EMPTY, |all, one| all.or(one.passes))
    }

    fn add(&mut self, predicate: Symbol, answer: Answer, passes: PassSet) {
        match self.all.iter_mut().find(|one| one.predicate == predicate && one.answer == answer) {
            Some(known) => known.passes = known.passes.or(passes),
            None => self.all.push(Assertion { predicate, answer, passes }),
        }
    }

    fn remove(&mut self, predicate: Symbol, answer: Option<&Answer>, passes: PassSet) {
        let of = self.all.iter_mut().filter(|one| one.predicate == predicate);
        of.filter(|one| answer.is_none_or(|answer| one.answer == *answer))
            .for_each(|one| one.passes = one.passes.minus(passes));
    }
}

impl Walker<'_> {
    /// Carries out `#assert` and, without `adds`, `#unassert`.
    pub(super) fn assert_directive(&mut self, line: Line<'_>, adds: bool) {
        let said = match parse(line.rest()) {
            Ok((_, None)) if adds => Err("`#assert` needs an answer in parentheses"),
            said => said,
        };
        match said {
            Ok((predicate, answer)) => {
                // Readings do not note what is asserted.
                self.tie();
                let live = self.live;
                match (&mut self.assertions, answer) {
                    (None, _) => {}
                    (Some(all), Some(answer)) if adds => all.add(predicate, answer, live),
                    (Some(all), answer) => all.remove(predicate, answer.as_ref(), live),
                }
            }
            Err(message) => self.problem(message, line),
        }
    }
}

/// What stands after `#assert`: a predicate, and its answer if it has one.
fn parse(tokens: &[Token]) -> Result<(Symbol, Option<Answer>), &'static str> {
    let Some((predicate, rest)) = tokens.split_first() else {
        return Err("an assertion without a predicate");
    };
    if predicate.kind != TokenKind::Identifier {
        return Err("an assertion's predicate must be an identifier");
    }
    match rest {
        [] => Ok((predicate.text, None)),
        [open, answer @ .., close]
            if open.text == sym::LPAREN && close.text == sym::RPAREN && !answer.is_empty() =>
        {
            let tokens = answer.iter().map(|token| (token.text, token.space_before));
            Ok((predicate.text, Some(Answer::new(tokens))))
        }
        _ => Err("an assertion's answer stands in parentheses, and is not empty"),
    }
}

#[cfg(test)]
mod tests {
    use crate::source::lex;

    use super::*;

    #[test]
    fn an_assertion_is_a_predicate_with_an_answer() {
        let read = |text: &str| parse(&lex(text));
        let red = Answer(vec![(Symbol::intern("red"), false), (Symbol::intern("green"), true)]);
        assert_eq!(read("color ( red   green )"), Ok((Symbol::intern("color"), Some(red))));
        assert_eq!(read("color"), Ok((Symbol::intern("color"), None)));
        for wrong in ["", "5", "a()", "b junk", "c(", "c(d"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
