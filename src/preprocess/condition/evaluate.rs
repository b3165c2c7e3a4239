//! The controlling expressions of `#if` and `#elif` ([cpp.cond]), for one set of passes.
//!
//! In: a directive's line, macros and what a [`ConditionHost`] knows of headers and compilers. Out: a value, or the
//! problem that keeps it from having one.

use crate::preprocess::expand::effects::{Effects, Split, all_or_none};
use crate::preprocess::expand::host::{EndOfLine, Host};
use crate::preprocess::expand::reader::Expander;
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::GroupId;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::assertion::{AssertionAnswer, Assertions};
use super::line::{Header, Line, header_in, header_of};
use super::value::{Value, character, integer, shift_left, shift_right};

/// The surroundings of a controlling expression besides macros.
pub(crate) trait ConditionHost<'u>: Host<'u> {
    /// Whether `__has_include` finds a header; `operator` may be `__has_include_next`.
    fn has_header(&mut self, header: &Header, operator: Symbol) -> bool;

    /// The value of `__has_embed` of an operand.
    fn has_embed(&mut self, operand: &[Tok], line: Line<'_>, set: PassSet) -> Result<i64, Split>;

    /// GCC's assertions, if the host compiler has them.
    fn assertions(&self) -> Option<&Assertions>;

    /// Whether the name is a feature check that the compiler has, like `__has_builtin`, and no other macro.
    fn is_feature_check(&mut self, name: Symbol) -> bool;

    /// The value of a feature check.
    fn feature(&mut self, check: Symbol, name: &str) -> i64;
}

/// Whether the condition of `line`, which stands in `group`, is true for the passes of `set`. One that makes no sense
/// is false, with a problem.
pub(crate) fn evaluate<'u, H: ConditionHost<'u>>(
    host: &mut H,
    line: Line<'_>,
    group: Option<GroupId>,
    set: PassSet,
) -> Result<(bool, Effects), Split> {
    let (value, mut effects) = value(host, line.operands(group), line, set)?;
    let value = value.unwrap_or_else(|problem| {
        effects.problems.push(problem);
        0
    });
    Ok((value != 0, effects))
}

/// The value of an expression on a directive's line, or the problem that keeps it from having one. The expansions that
/// led to it are dropped.
pub(crate) fn value<'u, H: ConditionHost<'u>>(
    host: &mut H,
    tokens: Vec<Tok>,
    line: Line<'_>,
    set: PassSet,
) -> Result<(Result<i64, ProblemKind>, Effects), Split> {
    let expansions = host.expansions().len();
    let mut expander = Expander::on_line(host, set);
    expander.effects.reads = Some(Vec::new());
    expander.feed(tokens);
    let mut evaluator = Evaluator { expander, line, ahead: None, dead: 0, depth: 0 };
    let value = match evaluator.condition() {
        Ok(value) => Ok(Ok(value.bits as i64)),
        Err(Stop::Bad(problem)) => Ok(Err(problem)),
        Err(Stop::Split(split)) => Err(split),
    };
    let effects = evaluator.expander.end();
    host.expansions().truncate(expansions);
    Ok((value?, effects))
}

/// The reason why there is no value.
enum Stop {
    Split(Split),
    Bad(ProblemKind),
}

impl From<Split> for Stop {
    fn from(split: Split) -> Stop {
        Stop::Split(split)
    }
}

fn bad<T>(problem: ProblemKind) -> Result<T, Stop> {
    Err(Stop::Bad(problem))
}

/// Parentheses and unary operators nested deeper than this are refused.
const DEPTH_LIMIT: usize = 256;

struct Evaluator<'f, 'w, 'u, H> {
    expander: Expander<'w, 'u, H, EndOfLine>,
    line: Line<'f>,
    ahead: Option<Option<Tok>>,
    /// How many operators around do not want the value.
    dead: usize,
    depth: usize,
}

impl<'u, H: ConditionHost<'u>> Evaluator<'_, '_, 'u, H> {
    fn condition(&mut self) -> Result<Value, Stop> {
        if self.peek_token()?.is_none() {
            return bad(ProblemKind::ExpressionMissing);
        }
        let value = self.comma()?;
        match self.peek_token()? {
            None => Ok(value),
            Some(token) => bad(ProblemKind::ExpressionNotContinued(token.text)),
        }
    }

    fn peek_token(&mut self) -> Result<Option<Tok>, Stop> {
        match self.ahead {
            Some(token) => Ok(token),
            None => {
                self.expander.unread = self.dead > 0;
                let mut token = self.expander.next_expanded()?;
                while token.is_some_and(|token| token.is_pragma()) {
                    token = self.expander.next_expanded()?;
                }
                self.ahead = Some(token);
                Ok(token)
            }
        }
    }

    fn take(&mut self) -> Result<Option<Tok>, Stop> {
        let token = self.peek_token()?;
        self.ahead = None;
        Ok(token)
    }

    /// The next token unexpanded: an operand of `defined`.
    fn take_plain(&mut self) -> Result<Option<Tok>, Stop> {
        debug_assert!(self.ahead.is_none(), "a token looked at has been expanded");
        Ok(self.expander.next()?)
    }

    /// The next token as an operator, alternative spellings resolved.
    fn operator(&mut self) -> Result<Option<Symbol>, Stop> {
        let Some(token) = self.peek_token()? else { return Ok(None) };
        Ok(match (token.kind, token.text) {
            (TokenKind::Punctuator, text) => Some(text),
            (TokenKind::Identifier, sym::AND) => Some(sym::AMP_AMP),
            (TokenKind::Identifier, sym::OR) => Some(sym::BAR_BAR),
            (TokenKind::Identifier, sym::NOT) => Some(sym::BANG),
            (TokenKind::Identifier, sym::XOR) => Some(sym::CARET),
            (TokenKind::Identifier, sym::BITAND) => Some(sym::AMP),
            (TokenKind::Identifier, sym::BITOR) => Some(sym::BAR),
            (TokenKind::Identifier, sym::COMPL) => Some(sym::TILDE),
            (TokenKind::Identifier, sym::NOT_EQ) => Some(sym::BANG_EQ),
            _ => None,
        })
    }

    fn expect(&mut self, punctuator: Symbol) -> Result<(), Stop> {
        match self.take()? {
            Some(token) if token.is(punctuator) => Ok(()),
            _ => bad(ProblemKind::PunctuatorMissing(punctuator)),
        }
    }

    fn comma(&mut self) -> Result<Value, Stop> {
        let mut value = self.ternary()?;
        while self.operator()? == Some(sym::COMMA) {
            self.take()?;
            value = self.ternary()?;
        }
        Ok(value)
    }

    fn ternary(&mut self) -> Result<Value, Stop> {
        let condition = self.binary(0)?;
        if self.operator()? != Some(sym::QUESTION) {
            return Ok(condition);
        }
        self.take()?;
        let yes = condition.bits != 0;
        let first = self.unless(!yes, Self::comma)?;
        self.expect(sym::COLON)?;
        let second = self.unless(yes, Self::ternary)?;
        let chosen = if yes { first } else { second };
        Ok(Value { bits: chosen.bits, unsigned: first.unsigned || second.unsigned })
    }

    /// Parses with `parse`; when `dead`, nothing in it is evaluated.
    fn unless(&mut self, dead: bool, parse: fn(&mut Self) -> Result<Value, Stop>) -> Result<Value, Stop> {
        self.dead += usize::from(dead);
        self.depth += 1;
        let value = if self.depth > DEPTH_LIMIT { bad(ProblemKind::ExpressionTooDeep) } else { parse(self) };
        self.depth -= 1;
        self.dead -= usize::from(dead);
        value
    }

    fn binary(&mut self, least: u8) -> Result<Value, Stop> {
        let mut left = self.unary()?;
        while let Some(operator) = self.operator()? {
            let Some(precedence) = precedence(operator).filter(|precedence| *precedence >= least) else {
                break;
            };
            self.take()?;
            let dead = match operator {
                sym::AMP_AMP => left.bits == 0,
                sym::BAR_BAR => left.bits != 0,
                _ => false,
            };
            self.dead += usize::from(dead);
            let right = self.binary(precedence + 1);
            self.dead -= usize::from(dead);
            left = self.apply(operator, left, right?)?;
        }
        Ok(left)
    }

    fn apply(&self, operator: Symbol, left: Value, right: Value) -> Result<Value, Stop> {
        let unsigned = left.unsigned || right.unsigned;
        let (a, b) = (left.bits, right.bits);
        let (sa, sb) = (a as i64, b as i64);
        let less = if unsigned { a < b } else { sa < sb };
        let bits = match operator {
            sym::BAR_BAR => return Ok(Value::truth(a != 0 || b != 0)),
            sym::AMP_AMP => return Ok(Value::truth(a != 0 && b != 0)),
            sym::EQ_EQ => return Ok(Value::truth(a == b)),
            sym::BANG_EQ => return Ok(Value::truth(a != b)),
            sym::LESS => return Ok(Value::truth(less)),
            sym::LESS_EQ => return Ok(Value::truth(less || a == b)),
            sym::GREATER => return Ok(Value::truth(!less && a != b)),
            sym::GREATER_EQ => return Ok(Value::truth(!less)),
            sym::SHL => return Ok(Value { bits: shift_left(left, right), unsigned: left.unsigned }),
            sym::SHR => {
                let back = Value { bits: b.wrapping_neg(), unsigned: right.unsigned };
                let amount = if right.unsigned { (b.min(64), true) } else { (back.bits, false) };
                let bits = if amount.1 { shift_right(left, amount.0) } else { shift_left(left, back) };
                return Ok(Value { bits, unsigned: left.unsigned });
            }
            sym::BAR => a | b,
            sym::CARET => a ^ b,
            sym::AMP => a & b,
            sym::PLUS => a.wrapping_add(b),
            sym::MINUS => a.wrapping_sub(b),
            sym::STAR => a.wrapping_mul(b),
            _ if b == 0 && self.dead > 0 => 0,
            _ if b == 0 => return bad(ProblemKind::DivisionByZero),
            sym::SLASH if unsigned => a / b,
            sym::SLASH => sa.wrapping_div(sb) as u64,
            _ if unsigned => a % b,
            _ => sa.wrapping_rem(sb) as u64,
        };
        Ok(Value { bits, unsigned })
    }

    fn unary(&mut self) -> Result<Value, Stop> {
        let parse: fn(Value) -> Value = match self.operator()? {
            Some(sym::BANG) => |value| Value::truth(value.bits == 0),
            Some(sym::TILDE) => |value| Value { bits: !value.bits, ..value },
            Some(sym::MINUS) => |value| Value { bits: value.bits.wrapping_neg(), ..value },
            Some(sym::PLUS) => |value| value,
            Some(sym::HASH) if self.expander.host.assertions().is_some() => {
                self.take()?;
                return self.assertion();
            }
            Some(sym::LPAREN) => {
                self.take()?;
                let value = self.unless(false, Self::comma)?;
                self.expect(sym::RPAREN)?;
                return Ok(value);
            }
            _ => return self.primary(),
        };
        self.take()?;
        Ok(parse(self.unless(false, Self::unary)?))
    }

    fn primary(&mut self) -> Result<Value, Stop> {
        let Some(token) = self.take()? else { return bad(ProblemKind::OperandExpected) };
        let text = token.text.as_str();
        match token.kind {
            TokenKind::Number => match integer(text) {
                Some(value) => Ok(value),
                None => bad(ProblemKind::NotAnInteger(token.text)),
            },
            TokenKind::Character => Ok(character(text)),
            TokenKind::Identifier => match token.text {
                sym::DEFINED => self.defined(),
                sym::TRUE => Ok(Value::truth(true)),
                sym::HAS_INCLUDE | sym::HAS_INCLUDE_NEXT => self.has_include(token.text),
                sym::HAS_EMBED if self.expander.host.is_feature_check(sym::HAS_EMBED) => self.has_embed(),
                name if self.expander.host.is_feature_check(name) => self.feature(name),
                name => match self.peek_token()? {
                    Some(token) if token.is(sym::LPAREN) => {
                        bad(ProblemKind::FunctionLikeMacroUndefined(name))
                    }
                    _ => Ok(Value::signed(0)),
                },
            },
            _ => bad(ProblemKind::InvalidOperand(token.text)),
        }
    }

    fn defined(&mut self) -> Result<Value, Stop> {
        let mut name = self.take_plain()?;
        let parenthesized = name.is_some_and(|token| token.is(sym::LPAREN));
        if parenthesized {
            name = self.take_plain()?;
        }
        let Some(name) = name.filter(|token| token.kind == TokenKind::Identifier) else {
            return bad(ProblemKind::DefinedWithoutName);
        };
        self.expander.unread = self.dead > 0;
        let value = self.expander.is_defined(name.text)?;
        if parenthesized && !self.take_plain()?.is_some_and(|token| token.is(sym::RPAREN)) {
            return bad(ProblemKind::CloseMissing(sym::DEFINED));
        }
        Ok(Value::truth(value))
    }

    /// `#machine(x86_64)`, its `#` taken.
    fn assertion(&mut self) -> Result<Value, Stop> {
        let Some(predicate) = self.take_plain()?.filter(|token| token.kind == TokenKind::Identifier) else {
            return bad(ProblemKind::AssertionPredicateNotIdentifier);
        };
        let next = self.take_plain()?;
        let mut answer = None;
        if next.is_some_and(|token| token.is(sym::LPAREN)) {
            let mut tokens = Vec::new();
            loop {
                match self.take_plain()? {
                    Some(token) if token.is(sym::RPAREN) => break,
                    Some(token) => tokens.push((token.text, token.space)),
                    None => return bad(ProblemKind::AssertionAnswerUnterminated),
                }
            }
            answer = Some(AssertionAnswer::new(tokens.into_iter()));
        } else if let Some(next) = next {
            self.expander.put_back(next);
        }
        // Neither the header memo nor the condition memo tracks assertions.
        self.expander.host.note_untracked();
        self.expander.effects.asserted = true;
        let assertions = self.expander.host.assertions();
        let holds = assertions.map_or(PassSet::EMPTY, |all| all.holds(predicate.text, answer.as_ref()));
        Ok(Value::truth(all_or_none(self.expander.set, holds)?))
    }

    fn has_include(&mut self, operator: Symbol) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad(ProblemKind::OpenMissing(sym::HAS_INCLUDE));
        }
        let Some(header) = self.header()? else {
            return bad(ProblemKind::HasIncludeSyntax);
        };
        Ok(Value::truth(self.expander.host.has_header(&header, operator)))
    }

    fn has_embed(&mut self) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad(ProblemKind::OpenMissing(sym::HAS_EMBED));
        }
        let mut tokens: Vec<Tok> = Vec::new();
        let mut depth = 0;
        loop {
            let mut next = self.take_plain()?;
            // A macro is to make the name.
            if let Some(name) = next.filter(|name| tokens.is_empty() && name.kind == TokenKind::Identifier) {
                self.expander.put_back(name);
                next = self.take()?;
            }
            let Some(token) = next else { return bad(ProblemKind::CloseMissing(sym::HAS_EMBED)) };
            match token.text {
                sym::LPAREN => depth += 1,
                sym::RPAREN if depth == 0 => break,
                sym::RPAREN => depth -= 1,
                _ => {}
            }
            tokens.push(token);
        }
        let (line, set) = (self.line, self.expander.set);
        Ok(Value::signed(self.expander.host.has_embed(&tokens, line, set)?))
    }

    /// The header name up to the `)` of `__has_include`.
    fn header(&mut self) -> Result<Option<Header>, Stop> {
        let Some(first) = self.take_plain()? else { return Ok(None) };
        let mut tokens = Vec::new();
        let written = first.expansion.is_none() && first.text.as_str().starts_with('<');
        if written {
            let text = &self.line.file.text[first.spelled.offset as usize..];
            let Some(header) = header_in(text) else { return Ok(None) };
            while let Some(token) = self.take_plain()? {
                if token.is(sym::RPAREN) {
                    return Ok(Some(header));
                }
            }
            return Ok(None);
        }
        if first.kind == TokenKind::Identifier {
            self.expander.put_back(first);
        } else {
            tokens.push(first);
        }
        let mut depth = 0;
        while let Some(token) = self.take()? {
            match token.text {
                sym::RPAREN if depth == 0 => return Ok(header_of(&tokens)),
                sym::RPAREN => depth -= 1,
                sym::LPAREN => depth += 1,
                _ => {}
            }
            tokens.push(token);
        }
        Ok(None)
    }

    /// `__has_builtin(x)`, `__has_cpp_attribute(gnu::x)` and their like.
    fn feature(&mut self, check: Symbol) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad(ProblemKind::OpenMissing(check));
        }
        let mut name = String::new();
        loop {
            // GCC expands the operand of the attribute queries, not that of `__has_builtin`.
            let next = if check == sym::HAS_BUILTIN { self.take_plain()? } else { self.take()? };
            match next {
                Some(token) if token.is(sym::RPAREN) => break,
                Some(token) => name.push_str(token.text.as_str()),
                None => return bad(ProblemKind::CloseMissing(check)),
            }
        }
        Ok(Value::signed(self.expander.host.feature(check, &name)))
    }
}

/// How tightly a binary operator binds; the ternary binds looser than all.
fn precedence(operator: Symbol) -> Option<u8> {
    Some(match operator {
        sym::BAR_BAR => 1,
        sym::AMP_AMP => 2,
        sym::BAR => 3,
        sym::CARET => 4,
        sym::AMP => 5,
        sym::EQ_EQ | sym::BANG_EQ => 6,
        sym::LESS | sym::GREATER | sym::LESS_EQ | sym::GREATER_EQ => 7,
        sym::SHL | sym::SHR => 8,
        sym::PLUS | sym::MINUS => 9,
        sym::STAR | sym::SLASH | sym::PERCENT => 10,
        _ => return None,
    })
}
