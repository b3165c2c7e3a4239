//! GCC's assertions, the macros' elder siblings: `#assert system(linux)`, `#unassert`, and `#system(linux)` in
//! a condition (GCC's preprocessor manual, "Obsolete Features"). Clang has none.

use crate::preprocess::result::problem::ProblemKind;
use crate::source::{Symbol, Token, TokenKind, sym};
use crate::target::{Machine, PassSet};

/// The assertions that hold, by pass.
#[derive(Default)]
pub(crate) struct Assertions {
    all: Vec<Assertion>,
}

struct Assertion {
    predicate: Symbol,
    answer: AssertionAnswer,
    passes: PassSet,
}

/// The tokens of an answer, and whether white space stands before each; before the first it does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AssertionAnswer(Vec<(Symbol, bool)>);

impl AssertionAnswer {
    /// The answer of the tokens between the parentheses.
    pub(crate) fn new(tokens: impl Iterator<Item = (Symbol, bool)>) -> AssertionAnswer {
        let tokens = tokens.enumerate().map(|(index, (text, space))| (text, space && index > 0));
        AssertionAnswer(tokens.collect())
    }
}

impl Assertions {
    /// The assertions that GCC makes before the first line, for Linux.
    pub(crate) fn of(machine: Machine, passes: PassSet) -> Assertions {
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
            answer: AssertionAnswer(vec![(Symbol::intern(answer), false)]),
            passes,
        };
        Assertions { all: known.map(assertion).into() }
    }

    /// The passes in which a predicate has an answer, or any.
    pub(crate) fn holds(&self, predicate: Symbol, answer: Option<&AssertionAnswer>) -> PassSet {
        let of = self.all.iter().filter(|one| one.predicate == predicate);
        let of = of.filter(|one| answer.is_none_or(|answer| one.answer == *answer));
        of.fold(PassSet::EMPTY, |all, one| all.or(one.passes))
    }

    /// Asserts an answer.
    pub(crate) fn assert(&mut self, predicate: Symbol, answer: AssertionAnswer, passes: PassSet) {
        match self.all.iter_mut().find(|one| one.predicate == predicate && one.answer == answer) {
            Some(known) => known.passes = known.passes.or(passes),
            None => self.all.push(Assertion { predicate, answer, passes }),
        }
    }

    /// Withdraws an answer, or all of a predicate's.
    pub(crate) fn withdraw(&mut self, predicate: Symbol, answer: Option<&AssertionAnswer>, passes: PassSet) {
        let of = self.all.iter_mut().filter(|one| one.predicate == predicate);
        of.filter(|one| answer.is_none_or(|answer| one.answer == *answer))
            .for_each(|one| one.passes = one.passes.minus(passes));
    }
}

/// Parses the tokens after `#assert`: a predicate, and its answer if it has one.
pub(crate) fn parse(tokens: &[Token]) -> Result<(Symbol, Option<AssertionAnswer>), ProblemKind> {
    let Some((predicate, rest)) = tokens.split_first() else {
        return Err(ProblemKind::AssertionPredicateMissing);
    };
    if predicate.kind != TokenKind::Identifier {
        return Err(ProblemKind::AssertionPredicateNotIdentifier);
    }
    match rest {
        [] => Ok((predicate.text, None)),
        [open, answer @ .., close]
            if open.text == sym::LPAREN && close.text == sym::RPAREN && !answer.is_empty() =>
        {
            let tokens = answer.iter().map(|token| (token.text, token.space_before));
            Ok((predicate.text, Some(AssertionAnswer::new(tokens))))
        }
        _ => Err(ProblemKind::AssertionAnswerSyntax),
    }
}

#[cfg(test)]
mod tests {
    use crate::source::lex;

    use super::*;

    #[test]
    fn an_assertion_is_a_predicate_with_an_answer() {
        let read = |text: &str| parse(&lex(text));
        let red = AssertionAnswer(vec![(Symbol::intern("red"), false), (Symbol::intern("green"), true)]);
        assert_eq!(read("color ( red   green )"), Ok((Symbol::intern("color"), Some(red))));
        assert_eq!(read("color"), Ok((Symbol::intern("color"), None)));
        for wrong in ["", "5", "a()", "b junk", "c(", "c(d"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
