//! Code that takes the number of `__CUDA_ARCH__` and lets it decide something.

use std::collections::BTreeMap;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{Loc, Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::Variance;

use super::conditions::number;
use super::dump::Printer;
use crate::facts::model::{ArchComparison, NumberFact, Operator};
use crate::facts::reuse::reusable::Reuse;

/// The tokens that the number was put in the place of, by index.
pub(in crate::facts) fn taken(pp: &Preprocessed, reuse: &mut Reuse<'_>) -> Vec<usize> {
    reuse.numbers(pp, |token: &PpToken| {
        let expansion = token.expansion.map(|id| pp.expansion(id));
        expansion.is_some_and(|one| pp.definition(one.definition).name == sym::CUDA_ARCH)
    })
}

/// Each place of the project's where the number is compared, tested, or picks a template's instantiation, and each
/// where it becomes a variable, a constant or a function's result that is compared further on. A macro that
/// compares it is one place, wherever it is invoked. A number that is printed or stored decides nothing.
/// `taken` are the tokens that the number was put in the place of.
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
        let mention = Mention { tokens: pp.tokens(), pass, index };
        let Some(made) = mention.made() else { continue };
        let (decides, text, comparison, compared) = match made {
            Made::Decision(by) => {
                let text = by.text.clone().unwrap_or_else(|| sym::CUDA_ARCH.as_str().to_string());
                (by.spelled, text, by.comparison, Vec::new())
            }
            Made::Name { name, call } => {
                let until = match variance.declarations.iter().rev().find(|one| one.tokens.contains(&index)) {
                    Some(around) if !call && around.body < index => around.tokens.end,
                    _ => pp.tokens().len(),
                };
                let compared = mention.comparisons_of(name, call, until);
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

/// What an expression makes of the number.
enum Made {
    /// It decides by it.
    Decision(By),
    /// It gives it a name: a variable's, or that of the function whose result it is.
    Name { name: Symbol, call: bool },
}

/// What decides by the number.
struct By {
    /// Where the operator or word that does is spelled.
    spelled: Loc,
    /// The comparison in words, if it is one with a literal.
    text: Option<String>,
    comparison: Option<ArchComparison>,
}

/// The number in the tokens of one pass.
struct Mention<'t> {
    tokens: &'t [PpToken],
    pass: usize,
    index: usize,
}

impl<'t> Mention<'t> {
    fn before(&self, index: usize) -> impl Iterator<Item = (usize, &'t PpToken)> {
        let pass = self.pass;
        self.tokens[..index].iter().enumerate().rev().filter(move |(_, token)| token.passes.has(pass))
    }

    fn after(&self, index: usize) -> impl Iterator<Item = (usize, &'t PpToken)> {
        let (pass, from) = (self.pass, index + 1);
        let rest = self.tokens[from..].iter().enumerate();
        rest.map(move |(step, token)| (from + step, token)).filter(move |(_, token)| token.passes.has(pass))
    }

    /// From the number outwards, a pair of parentheses at a time.
    fn made(&self) -> Option<Made> {
        let (mut first, mut last) = (self.index, self.index);
        // Nothing but the number is between the two.
        let mut alone = true;
        if let Some(decision) = self.template_argument() {
            return Some(Made::Decision(decision));
        }
        // Deeper than anybody writes them.
        for _ in 0..32 {
            let by = if alone { self.literal_comparison(first, last) } else { None };
            if let Some(by) = by.or_else(|| self.decision(first, last)) {
                return Some(Made::Decision(by));
            }
            let (open, left) = self.opening(first)?;
            let (before, word) = self.before(open).next()?;
            match left {
                sym::LPAREN if matches!(word.text.as_str(), "if" | "while" | "switch" | "constexpr") => {
                    return Some(Made::Decision(By { spelled: word.spelled, text: None, comparison: None }));
                }
                sym::LPAREN if groups(word) => {
                    let close = self.closing(last)?;
                    let next = |(index, _): (usize, &PpToken)| index;
                    alone &= self.before(first).next().map(next) == Some(open)
                        && self.after(last).next().map(next) == Some(close);
                    (first, last) = (open, close);
                }
                sym::LBRACE if word.kind == TokenKind::Identifier && self.starts_initializer(before) => {
                    return Some(Made::Name { name: word.text, call: false });
                }
                sym::SEMI | sym::LBRACE | sym::RBRACE => return self.statement(open, first),
                _ => return None,
            }
        }
        None
    }

    /// `helper<__CUDA_ARCH__>`.
    fn template_argument(&self) -> Option<By> {
        let (_, before) = self.before(self.index).next()?;
        let (_, after) = self.after(self.index).next()?;
        (before.text == sym::LESS && after.text.as_str() == ">").then_some(By {
            spelled: before.spelled,
            text: None,
            comparison: None,
        })
    }

    /// `__CUDA_ARCH__ >= 900` with nothing else about it.
    fn literal_comparison(&self, first: usize, last: usize) -> Option<By> {
        let ends = |token: Option<(usize, &PpToken)>| {
            token.is_none_or(|(_, token)| {
                let word = token.text.as_str();
                !matches!(word, "+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "&" | "|" | "^" | "." | "(")
            })
        };
        let by = |sign: &PpToken, operator: Operator, literal: &PpToken| {
            let value = number(literal.text.as_str())?;
            Some(By {
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

    /// A comparison, a test or a choice on the level of what stands between two tokens.
    fn decision(&self, first: usize, last: usize) -> Option<By> {
        let left = self.level(self.before(first), [")", "]", "}"], ["(", "[", "{"]);
        let right = self.level(self.after(last), ["(", "[", "{"], [")", "]", "}"]);
        let decides = |token: &&PpToken| {
            Operator::of_token(token.text.as_str()).is_some()
                || matches!(token.text.as_str(), "&&" | "||" | "!" | "?" | "case" | "and" | "or" | "not")
        };
        // On the left `?` ends its condition: the number is what is chosen.
        let left = left.into_iter().filter(|token| token.text != sym::QUESTION);
        let sign = left.chain(right).find(decides)?;
        Some(By { spelled: sign.spelled, text: None, comparison: None })
    }

    /// The tokens outside any brackets, up to what ends the expression.
    fn level(
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

    /// What opens or begins the expression: a bracket, a comma, the end of the statement before.
    fn opening(&self, first: usize) -> Option<(usize, Symbol)> {
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

    /// `int arch{__CUDA_ARCH__}`: a type stands before the name.
    fn starts_initializer(&self, name: usize) -> bool {
        self.before(name).next().is_some_and(|(_, token)| token.kind == TokenKind::Identifier)
    }

    /// A statement that begins behind `open`: `int arch = __CUDA_ARCH__;`, `return __CUDA_ARCH__;`.
    fn statement(&self, open: usize, first: usize) -> Option<Made> {
        let start: Vec<&PpToken> =
            self.after(open).take_while(|(index, _)| *index < first).map(|(_, token)| token).collect();
        if start.first().is_some_and(|token| token.text.as_str() == "return") {
            return self.function_around(open).map(|name| Made::Name { name, call: true });
        }
        let at = start.iter().position(|token| token.text == sym::ASSIGN)?;
        let name = start[..at].last().filter(|token| token.kind == TokenKind::Identifier)?;
        Some(Made::Name { name: name.text, call: false })
    }

    /// The function of whose body a token is a part: the name before the parentheses before the outermost `{` that
    /// is open there.
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

    /// The name of `f() const noexcept {`, read backwards from what stands before the brace.
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

    /// Where a name that has the number stands beside a comparison, before a token of the unit; a function's is
    /// called there.
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

/// Before a parenthesis that is no call's: an operator, another bracket, a cast, a word of a statement.
fn groups(word: &PpToken) -> bool {
    let types = ["int", "unsigned", "long", "short", "bool", "size_t", "uint32_t", "return"];
    let calls = word.kind == TokenKind::Identifier || matches!(word.text.as_str(), ")" | "]");
    !calls || types.contains(&word.text.as_str())
}

/// Prints for `dump`. A place that the number decides: the passes in which it does.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &NumberFact) {
    let title = format!("number {}", fact.text);
    to.paragraph(&title, fact.at, vec![(fact.passes, "decides".into())], None);
}
