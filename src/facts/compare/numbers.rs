//! Code whose behaviour depends on the value of `__CUDA_ARCH__`, outside of directives.

use std::collections::BTreeMap;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Loc, Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::Variance;

use super::conditions::literal_value;
use super::dump::Printer;
use crate::facts::model::{ArchComparison, NumberFact, Operator};

/// Whether `__CUDA_ARCH__` was expanded to a token.
pub(in crate::facts) fn is_number(pp: &Preprocessed, token: &PpToken) -> bool {
    let expansion = token.expansion.map(|id| pp.expansion(id));
    expansion.is_some_and(|one| pp.definition(one.definition).name == sym::CUDA_ARCH)
}

/// The places in the project where the value is compared, tested, or used as a template argument, and those where it
/// becomes the value of a variable, a constant or a function that is compared later. A macro that compares it is one
/// place, wherever it is invoked. A value that is only printed or stored is no fact.
/// `taken` are the tokens that `__CUDA_ARCH__` was expanded to.
pub(in crate::facts) fn numbers(
    pp: &Preprocessed,
    variance: &Variance,
    compared: PassSet,
    taken: &[usize],
) -> Vec<NumberFact> {
    let devices = compared.minus(PassSet::HOST);
    let mut found: BTreeMap<(Loc, Loc), NumberFact> = BTreeMap::new();
    for index in taken.iter().copied() {
        let token = &pp.tokens()[index];
        let passes = token.passes.and(devices);
        let Some(expansion) = token.expansion else { continue };
        let invoked = pp.expansion(expansion).invoked;
        let of_system = pp.system.contains(&invoked.file) || pp.system.contains(&token.at.file);
        let Some(pass) = passes.lowest().filter(|_| !of_system) else { continue };
        let number = NumberUse { tokens: pp.tokens(), pass, index };
        let Some(outcome) = number.outcome() else { continue };
        let (decides, text, comparison, compared) = match outcome {
            Outcome::Decides(by) => {
                let text = by.text.clone().unwrap_or_else(|| sym::CUDA_ARCH.as_str().to_string());
                (by.spelled, text, by.comparison, Vec::new())
            }
            Outcome::Names { name, call } => {
                let until = match variance.declarations.iter().rev().find(|one| one.tokens.contains(&index)) {
                    Some(around) if !call && around.body < index => around.tokens.end,
                    _ => pp.tokens().len(),
                };
                let compared = number.comparisons_of(name, call, until);
                if compared.is_empty() {
                    continue;
                }
                (token.spelled, name.as_str().to_string(), None, compared)
            }
        };
        let fact = NumberFact { at: token.at, passes, text, comparison, compared };
        let known = found.entry((decides, invoked)).or_insert(fact);
        known.passes = known.passes.or(passes);
    }
    let mut facts: Vec<NumberFact> = found.into_values().collect();
    facts.sort_by_key(|fact| fact.at);
    facts.dedup_by(|later, first| {
        let same = later.at == first.at && later.text == first.text;
        if same {
            first.passes = first.passes.or(later.passes);
        }
        same
    });
    facts
}

/// The use that an expression makes of the value.
enum Outcome {
    /// It depends on the value.
    Decides(Decision),
    /// It gives the value a name: that of a variable, or of the function (`call`) that returns it.
    Names { name: Symbol, call: bool },
}

/// An operator or statement that depends on the value.
struct Decision {
    /// Where the operator or keyword is spelled.
    spelled: Loc,
    /// The comparison as messages spell it, if it is one with a literal.
    text: Option<String>,
    comparison: Option<ArchComparison>,
}

/// One use of the value, among the tokens of one pass.
struct NumberUse<'t> {
    tokens: &'t [PpToken],
    pass: usize,
    index: usize,
}

impl<'t> NumberUse<'t> {
    fn before(&self, index: usize) -> impl Iterator<Item = (usize, &'t PpToken)> {
        let pass = self.pass;
        self.tokens[..index].iter().enumerate().rev().filter(move |(_, token)| token.passes.has(pass))
    }

    fn after(&self, index: usize) -> impl Iterator<Item = (usize, &'t PpToken)> {
        let (pass, from) = (self.pass, index + 1);
        let rest = self.tokens[from..].iter().enumerate();
        rest.map(move |(step, token)| (from + step, token)).filter(move |(_, token)| token.passes.has(pass))
    }

    /// Searches outwards from the value, a pair of parentheses at a time.
    fn outcome(&self) -> Option<Outcome> {
        let (mut first, mut last) = (self.index, self.index);
        // Whether nothing but the value is between the two.
        let mut alone = true;
        if let Some(decision) = self.template_argument() {
            return Some(Outcome::Decides(decision));
        }
        // Parentheses are not nested deeper in practice.
        for _ in 0..32 {
            let by = if alone { self.literal_comparison(first, last) } else { None };
            if let Some(by) = by.or_else(|| self.decision(first, last)) {
                return Some(Outcome::Decides(by));
            }
            let (open, left) = self.token_before_expression(first)?;
            let (before, word) = self.before(open).next()?;
            match left {
                sym::LPAREN if matches!(word.text.as_str(), "if" | "while" | "switch" | "constexpr") => {
                    return Some(Outcome::Decides(Decision {
                        spelled: word.spelled,
                        text: None,
                        comparison: None,
                    }));
                }
                sym::LPAREN if is_grouping(word) => {
                    let close = self.closing(last)?;
                    let next = |(index, _): (usize, &PpToken)| index;
                    alone &= self.before(first).next().map(next) == Some(open)
                        && self.after(last).next().map(next) == Some(close);
                    (first, last) = (open, close);
                }
                sym::LBRACE if word.kind == TokenKind::Identifier && self.starts_initializer(before) => {
                    return Some(Outcome::Names { name: word.text, call: false });
                }
                sym::SEMI | sym::LBRACE | sym::RBRACE => return self.in_statement(open, first),
                _ => return None,
            }
        }
        None
    }

    /// A use as a template argument: `helper<__CUDA_ARCH__>`.
    fn template_argument(&self) -> Option<Decision> {
        let (_, before) = self.before(self.index).next()?;
        let (_, after) = self.after(self.index).next()?;
        (before.text == sym::LESS && after.text.as_str() == ">").then_some(Decision {
            spelled: before.spelled,
            text: None,
            comparison: None,
        })
    }

    /// `__CUDA_ARCH__ >= 900`, where neither side is part of an arithmetic expression.
    fn literal_comparison(&self, first: usize, last: usize) -> Option<Decision> {
        let ends = |token: Option<(usize, &PpToken)>| {
            token.is_none_or(|(_, token)| {
                let word = token.text.as_str();
                !matches!(word, "+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "&" | "|" | "^" | "." | "(")
            })
        };
        let by = |sign: &PpToken, operator: Operator, literal: &PpToken| {
            let value = literal_value(literal.text.as_str())?;
            Some(Decision {
                spelled: sign.spelled,
                text: Some(format!("{} {operator} {}", sym::CUDA_ARCH, literal.text)),
                comparison: Some(ArchComparison { operator, value }),
            })
        };
        let mut after = self.after(last);
        if let (Some((_, sign)), Some((_, literal))) = (after.next(), after.next())
            && let Some(operator) = Operator::of_token(sign.text.as_str())
            && ends(after.next())
            && ends(self.before(first).next().filter(|(_, token)| token.text != sym::LPAREN))
        {
            return by(sign, operator, literal);
        }
        let mut before = self.before(first);
        let (sign, literal) = (before.next()?.1, before.next()?.1);
        let operator = Operator::of_token(sign.text.as_str())?.exchanged();
        let apart = ends(before.next().filter(|(_, token)| token.text != sym::LPAREN));
        if apart && ends(self.after(last).next()) { by(sign, operator, literal) } else { None }
    }

    /// A comparison, a test or a selection at the nesting level of the expression between two tokens.
    fn decision(&self, first: usize, last: usize) -> Option<Decision> {
        let left = self.tokens_at_level(self.before(first), [")", "]", "}"], ["(", "[", "{"]);
        let right = self.tokens_at_level(self.after(last), ["(", "[", "{"], [")", "]", "}"]);
        let decides = |token: &&PpToken| {
            Operator::of_token(token.text.as_str()).is_some()
                || matches!(token.text.as_str(), "&&" | "||" | "!" | "?" | "case" | "and" | "or" | "not")
        };
        // A `?` on the left belongs to another condition: the value is one of its alternatives.
        let left = left.into_iter().filter(|token| token.text != sym::QUESTION);
        let sign = left.chain(right).find(decides)?;
        Some(Decision { spelled: sign.spelled, text: None, comparison: None })
    }

    /// The tokens outside nested brackets, up to the end of the expression.
    fn tokens_at_level(
        &self,
        tokens: impl Iterator<Item = (usize, &'t PpToken)>,
        opening: [&str; 3],
        closing: [&str; 3],
    ) -> Vec<&'t PpToken> {
        let (mut depth, mut found) = (0_u32, Vec::new());
        for (_, token) in tokens {
            let word = token.text.as_str();
            if opening.contains(&word) {
                depth += 1;
            } else if closing.contains(&word) {
                let Some(outer) = depth.checked_sub(1) else { break };
                depth = outer;
            } else if depth == 0 {
                if matches!(word, ";" | "," | "=" | "return") {
                    break;
                }
                found.push(token);
            }
        }
        found
    }

    /// The token before the expression: an opening bracket, a comma, or the end of the previous statement.
    fn token_before_expression(&self, first: usize) -> Option<(usize, Symbol)> {
        let mut depth = 0_u32;
        for (index, token) in self.before(first) {
            match token.text.as_str() {
                ")" | "]" => depth += 1,
                "(" | "[" if depth > 0 => depth -= 1,
                "(" | "[" | "{" | "}" | ";" | "," if depth == 0 => return Some((index, token.text)),
                _ => {}
            }
        }
        None
    }

    fn closing(&self, last: usize) -> Option<usize> {
        let mut depth = 0_u32;
        for (index, token) in self.after(last) {
            match token.text.as_str() {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth > 0 => depth -= 1,
                ")" => return Some(index),
                "]" | "}" | ";" => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether a name is the one declared in `int arch{__CUDA_ARCH__}`: it follows a type.
    fn starts_initializer(&self, name: usize) -> bool {
        self.before(name).next().is_some_and(|(_, token)| token.kind == TokenKind::Identifier)
    }

    /// A statement that begins behind `open`: `int arch = __CUDA_ARCH__;`, `return __CUDA_ARCH__;`.
    fn in_statement(&self, open: usize, first: usize) -> Option<Outcome> {
        let start: Vec<&PpToken> =
            self.after(open).take_while(|(index, _)| *index < first).map(|(_, token)| token).collect();
        if start.first().is_some_and(|token| token.text.as_str() == "return") {
            return self.function_around(open).map(|name| Outcome::Names { name, call: true });
        }
        let at = start.iter().position(|token| token.text == sym::ASSIGN)?;
        let name = start[..at].last().filter(|token| token.kind == TokenKind::Identifier)?;
        Some(Outcome::Names { name: name.text, call: false })
    }

    /// The name of the function in whose body a token is.
    fn function_around(&self, from: usize) -> Option<Symbol> {
        let mut depth = 0_u32;
        let mut rest = self.before(from + 1);
        let mut candidate = None;
        while let Some((_, token)) = rest.next() {
            match token.text.as_str() {
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" => {
                    candidate = self.name_before(rest.next()?);
                    if candidate.is_some() {
                        break;
                    }
                }
                _ => {}
            }
        }
        candidate
    }

    /// The name in `f() const noexcept {`, read backwards from the token before the brace.
    fn name_before(&self, (index, token): (usize, &PpToken)) -> Option<Symbol> {
        let mut at = (index, token);
        while matches!(at.1.text.as_str(), "const" | "noexcept" | "override" | "final") {
            at = self.before(at.0).next()?;
        }
        if at.1.text != sym::RPAREN {
            return None;
        }
        let mut depth = 0_u32;
        let mut rest = self.before(at.0 + 1);
        while let Some((_, token)) = rest.next() {
            match token.text.as_str() {
                ")" => depth += 1,
                "(" if depth > 1 => depth -= 1,
                "(" => {
                    let (_, name) = rest.next()?;
                    let word = matches!(name.text.as_str(), "if" | "while" | "for" | "switch" | "constexpr");
                    return (name.kind == TokenKind::Identifier && !word).then_some(name.text);
                }
                _ => {}
            }
        }
        None
    }

    /// The comparisons of a name that has the value, up to the token `until`. With `call`, the name is that of a
    /// function, and counts where it is called.
    fn comparisons_of(&self, name: Symbol, call: bool, until: usize) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        for (index, token) in self.after(self.index).take_while(|(index, _)| *index < until) {
            if token.text != name {
                continue;
            }
            let mut after = self.after(index).map(|(_, token)| token.text);
            let mut next = after.next();
            if call {
                if next != Some(sym::LPAREN) || after.next() != Some(sym::RPAREN) {
                    continue;
                }
                next = after.next();
            }
            let qualified = |(_, token): &(usize, &PpToken)| matches!(token.text.as_str(), "." | "->");
            let before = self.before(index).next();
            if before.as_ref().is_some_and(qualified) {
                continue;
            }
            let compares =
                |text: Option<Symbol>| text.is_some_and(|text| Operator::of_token(text.as_str()).is_some());
            let switched = before.is_some_and(|(at, open)| {
                let word = self.before(at).next().map(|(_, word)| word.text.as_str());
                open.text == sym::LPAREN && next == Some(sym::RPAREN) && word == Some("switch")
            });
            if (compares(next) || compares(before.map(|(_, token)| token.text)) || switched)
                && !found.contains(&token.at)
            {
                found.push(token.at);
            }
        }
        found
    }
}

/// Whether a parenthesis behind a token groups an expression and is not that of a call.
fn is_grouping(word: &PpToken) -> bool {
    let types = ["int", "unsigned", "long", "short", "bool", "size_t", "uint32_t", "return"];
    let calls = word.kind == TokenKind::Identifier || matches!(word.text.as_str(), ")" | "]");
    !calls || types.contains(&word.text.as_str())
}

/// Prints for `dump`. A place that the number decides: the passes in which it does.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &NumberFact) {
    let title = format!("number {}", fact.text);
    to.paragraph(&title, fact.at, vec![(fact.passes, "decides".into())], None);
}
