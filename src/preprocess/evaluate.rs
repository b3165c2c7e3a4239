//! The controlling expressions of `#if` and `#elif` ([cpp.cond]), for one set of passes.

use crate::source::{Symbol, TokenKind, one_character, sym};
use crate::target::PassSet;

use super::assertion::Answer;
use super::directives::{Header, Line, header_in, header_of};
use super::expand::{Effects, Expander, Split, whole};
use super::macros::Tok;
use super::questions;
use super::walk::Walker;

/// What a conditional directive asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asked {
    /// `#if`, `#elif`
    Expression,
    /// `#ifdef` (true), `#ifndef` (false)
    Defined(bool),
    /// `#else`
    Nothing,
}

impl Walker<'_> {
    /// Whether the condition of `line` is true for the passes of `set`. One that makes no sense is
    /// false, with a problem.
    pub(super) fn evaluate(&mut self, line: Line<'_>, set: PassSet) -> Result<(bool, Effects), Split> {
        let tokens = line.rest().iter().map(|token| Tok::new(token, line.file.id, self.group)).collect();
        let (value, mut effects) = self.value(tokens, line, set)?;
        let value = value.unwrap_or_else(|message| {
            effects.problems.push(message);
            0
        });
        Ok((value != 0, effects))
    }

    /// The value of an expression on a directive's line, or why it has none.
    pub(super) fn value(
        &mut self,
        tokens: Vec<Tok>,
        line: Line<'_>,
        set: PassSet,
    ) -> Result<(Result<i64, String>, Effects), Split> {
        let mut expander = Expander::on_line(self, set);
        expander.effects.reads = Some(Vec::new());
        expander.feed(tokens);
        let mut evaluator = Evaluator { expander, line, ahead: None, dead: 0, depth: 0 };
        let value = match evaluator.condition() {
            Ok(value) => Ok(value.bits as i64),
            Err(Stop::Split(split)) => return Err(split),
            Err(Stop::Bad(message)) => Err(message),
        };
        Ok((value, evaluator.expander.end()))
    }
}

/// Why there is no value.
enum Stop {
    Split(Split),
    Bad(String),
}

impl From<Split> for Stop {
    fn from(split: Split) -> Stop {
        Stop::Split(split)
    }
}

fn bad<T>(message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Bad(message.into()))
}

/// A value of `intmax_t` or `uintmax_t`.
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

impl Value {
    fn signed(value: i64) -> Value {
        Value { bits: value as u64, unsigned: false }
    }

    fn truth(value: bool) -> Value {
        Value::signed(i64::from(value))
    }
}

/// Parentheses and unary operators nested deeper than this are refused.
const DEPTH_LIMIT: usize = 256;

struct Evaluator<'f, 'w, 'u> {
    expander: Expander<'w, 'u>,
    line: Line<'f>,
    ahead: Option<Option<Tok>>,
    /// How many operators around do not want the value.
    dead: usize,
    depth: usize,
}

impl Evaluator<'_, '_, '_> {
    fn condition(&mut self) -> Result<Value, Stop> {
        if self.peek()?.is_none() {
            return bad("`#if` with no expression");
        }
        let value = self.comma()?;
        match self.peek()? {
            None => Ok(value),
            Some(token) => bad(format!("`{}` does not continue the condition", token.text)),
        }
    }

    fn peek(&mut self) -> Result<Option<Tok>, Stop> {
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
        let token = self.peek()?;
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
        let Some(token) = self.peek()? else { return Ok(None) };
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
            _ => bad(format!("missing `{punctuator}` in the condition")),
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
        let value =
            if self.depth > DEPTH_LIMIT { bad("the condition is nested too deep") } else { parse(self) };
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
            sym::SHL => return Ok(Value { bits: shift(left, right), unsigned: left.unsigned }),
            sym::SHR => {
                let back = Value { bits: b.wrapping_neg(), unsigned: right.unsigned };
                let amount = if right.unsigned { (b.min(64), true) } else { (back.bits, false) };
                let bits = if amount.1 { shift_right(left, amount.0) } else { shift(left, back) };
                return Ok(Value { bits, unsigned: left.unsigned });
            }
            sym::BAR => a | b,
            sym::CARET => a ^ b,
            sym::AMP => a & b,
            sym::PLUS => a.wrapping_add(b),
            sym::MINUS => a.wrapping_sub(b),
            sym::STAR => a.wrapping_mul(b),
            _ if b == 0 && self.dead > 0 => 0,
            _ if b == 0 => return bad("division by zero in the condition"),
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
            Some(sym::HASH) if self.expander.walker.assertions.is_some() => {
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
        let Some(token) = self.take()? else { return bad("the condition ends where a value is expected") };
        let text = token.text.as_str();
        match token.kind {
            TokenKind::Number => match integer(text) {
                Some(value) => Ok(value),
                None => bad(format!("`{text}` is not an integer")),
            },
            TokenKind::Character => Ok(character(text)),
            TokenKind::Identifier => match token.text {
                sym::DEFINED => self.defined(),
                sym::TRUE => Ok(Value::truth(true)),
                sym::HAS_INCLUDE => self.has_include(false),
                sym::HAS_INCLUDE_NEXT => self.has_include(true),
                sym::HAS_EMBED if self.expander.walker.asks_compiler(sym::HAS_EMBED) => self.has_embed(),
                name if self.expander.walker.asks_compiler(name) => self.has(name),
                name => match self.peek()? {
                    Some(token) if token.is(sym::LPAREN) => {
                        bad(format!("the function-like macro `{name}` is not defined"))
                    }
                    _ => Ok(Value::signed(0)),
                },
            },
            _ => bad(format!("`{text}` is not valid in a condition")),
        }
    }

    fn defined(&mut self) -> Result<Value, Stop> {
        let mut name = self.take_plain()?;
        let parenthesized = name.is_some_and(|token| token.is(sym::LPAREN));
        if parenthesized {
            name = self.take_plain()?;
        }
        let Some(name) = name.filter(|token| token.kind == TokenKind::Identifier) else {
            return bad("`defined` without a macro name");
        };
        self.expander.unread = self.dead > 0;
        let value = self.expander.is_defined(name.text)?;
        if parenthesized && !self.take_plain()?.is_some_and(|token| token.is(sym::RPAREN)) {
            return bad("missing `)` after `defined`");
        }
        Ok(Value::truth(value))
    }

    /// `#machine(x86_64)`, its `#` taken.
    fn assertion(&mut self) -> Result<Value, Stop> {
        let Some(predicate) = self.take_plain()?.filter(|token| token.kind == TokenKind::Identifier) else {
            return bad("an assertion's predicate must be an identifier");
        };
        let next = self.take_plain()?;
        let mut answer = None;
        if next.is_some_and(|token| token.is(sym::LPAREN)) {
            let mut tokens = Vec::new();
            loop {
                match self.take_plain()? {
                    Some(token) if token.is(sym::RPAREN) => break,
                    Some(token) => tokens.push((token.text, token.space)),
                    None => return bad("missing `)` after an assertion's answer"),
                }
            }
            answer = Some(Answer::new(tokens.into_iter()));
        } else if let Some(next) = next {
            self.expander.put_back(next);
        }
        // Neither readings nor answers note what is asserted.
        self.expander.walker.tie();
        self.expander.effects.asserted = true;
        let assertions = self.expander.walker.assertions.as_ref();
        let holds = assertions.map_or(PassSet::EMPTY, |all| all.holds(predicate.text, answer.as_ref()));
        Ok(Value::truth(whole(self.expander.set, holds)?))
    }

    fn has_include(&mut self, next: bool) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad("missing `(` after `__has_include`");
        }
        let Some(header) = self.header()? else {
            return bad("`__has_include` expects \"FILENAME\" or <FILENAME>");
        };
        let walker = &mut self.expander.walker;
        let frame = walker.frames.len() - 1;
        Ok(Value::truth(walker.find_header(&header, next, frame).is_some()))
    }

    fn has_embed(&mut self) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad("missing `(` after `__has_embed`");
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
            let Some(token) = next else { return bad("missing `)` after `__has_embed`") };
            match token.text {
                sym::LPAREN => depth += 1,
                sym::RPAREN if depth == 0 => break,
                sym::RPAREN => depth -= 1,
                _ => {}
            }
            tokens.push(token);
        }
        let (line, set) = (self.line, self.expander.set);
        Ok(Value::signed(self.expander.walker.has_embed(&tokens, line, set)?))
    }

    /// The header name up to the `)` of `__has_include`.
    fn header(&mut self) -> Result<Option<Header>, Stop> {
        let Some(first) = self.take_plain()? else { return Ok(None) };
        let mut tokens = Vec::new();
        let written = first.expansion.is_none() && first.text.as_str().starts_with('<');
        if written {
            let text = &self.line.file.text[first.spelled.offset as usize..];
            let Some(header) = header_in(text, '<', '>', true) else { return Ok(None) };
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
    fn has(&mut self, which: Symbol) -> Result<Value, Stop> {
        if !self.take_plain()?.is_some_and(|token| token.is(sym::LPAREN)) {
            return bad(format!("missing `(` after `{which}`"));
        }
        let mut name = String::new();
        loop {
            // GCC expands the operand of the attribute queries, not that of `__has_builtin`.
            let next = if which == sym::HAS_BUILTIN { self.take_plain()? } else { self.take()? };
            match next {
                Some(token) if token.is(sym::RPAREN) => break,
                Some(token) => name.push_str(token.text.as_str()),
                None => return bad(format!("missing `)` after `{which}`")),
            }
        }
        let question = format!("{which}({name})");
        let walker = &mut self.expander.walker;
        Ok(Value::signed(match &walker.unit.answers {
            Some(answers) => answers.values.get(&question).copied().unwrap_or_else(|| {
                walker.out.unanswered.insert(question);
                0
            }),
            None => questions::answer(&walker.unit.options, which, &name),
        }))
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

/// `left << right`; a negative amount shifts right, as in GCC.
fn shift(left: Value, right: Value) -> u64 {
    let amount = right.bits;
    if !right.unsigned && (amount as i64) < 0 {
        return shift_right(left, amount.wrapping_neg());
    }
    u32::try_from(amount).ok().and_then(|amount| left.bits.checked_shl(amount)).unwrap_or(0)
}

fn shift_right(left: Value, amount: u64) -> u64 {
    let amount = u32::try_from(amount.min(64)).expect("it is at most 64");
    if left.unsigned {
        left.bits.checked_shr(amount).unwrap_or(0)
    } else {
        ((left.bits as i64) >> amount.min(63)) as u64
    }
}

/// The value of an integer literal ([lex.icon]); `None` when it is none.
fn integer(text: &str) -> Option<Value> {
    let text = text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.as_bytes() {
        [b'0', b'x', ..] => (&lower[2..], 16),
        [b'0', b'b', ..] => (&lower[2..], 2),
        [b'0', ..] => (&lower[..], 8),
        _ => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    if !matches!(suffix, "" | "u" | "l" | "ul" | "lu" | "ll" | "ull" | "llu" | "z" | "uz" | "zu") {
        return None;
    }
    let wide = u128::from_str_radix(digits, radix).ok()?;
    let bits = wide as u64;
    Some(Value { bits, unsigned: suffix.contains('u') || wide > i64::MAX as u128 })
}

/// The value of a character literal ([lex.ccon]).
fn character(text: &str) -> Value {
    let open = text.find('\'').unwrap_or(0);
    let inner = &text[open + 1..text.rfind('\'').unwrap_or(text.len()).max(open + 1)];
    let narrow = open == 0;
    let mut value: u64 = 0;
    let mut count = 0;
    let mut rest = inner;
    while let Some((code, after)) = one_character(rest) {
        let named = !rest.starts_with('\\') || rest.starts_with("\\u") || rest.starts_with("\\U");
        let beyond = u32::try_from(code).ok().and_then(char::from_u32).filter(|_| named && code > 0x7f);
        match beyond {
            // A narrow literal has a character's bytes in UTF-8.
            Some(character) if narrow => {
                for byte in character.to_string().bytes() {
                    value = value << 8 | u64::from(byte);
                    count += 1;
                }
            }
            _ => {
                value = if narrow { value << 8 | code & 0xff } else { code };
                count += 1;
            }
        }
        rest = after;
    }
    match (narrow, count) {
        (true, 1) => Value::signed(i64::from(value as u8 as i8)),
        (true, _) => Value::signed(i64::from(value as u32 as i32)),
        (false, _) => Value { bits: value, unsigned: !text.starts_with('L') },
    }
}
