//! A replacement list with its arguments put in, `#` and `##` carried out ([cpp.subst], [cpp.stringize],
//! [cpp.concat]).

use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::ExpansionId;
use crate::source::{Sources, Symbol, TokenKind, lex, sym, written_identifier};

use super::arguments::Arguments;
use super::definition::{BodyToken, Macro, Meaning, Role};
use super::token::Tok;

/// An invocation being replaced.
pub(crate) struct Invocation<'m> {
    pub(crate) name: Tok,
    pub(crate) definition: &'m Macro,
    pub(crate) expansion: ExpansionId,
    pub(crate) arguments: Arguments,
    /// No argument stands for the `...` parameter at all.
    pub(crate) omitted: bool,
    /// A replacement list led to it, arguments and all.
    pub(crate) within: bool,
}

impl Invocation<'_> {
    /// A token of the replacement list, placed where the macro was invoked.
    pub(crate) fn token(&self, token: &BodyToken) -> Tok {
        token.in_place_of(&self.name, self.expansion)
    }
}

/// The substitution of arguments into a replacement list.
pub(super) struct Substitution<'a, 'm> {
    pub(super) invocation: &'a Invocation<'m>,
    pub(super) sources: &'a Sources,
    /// Where what can't be pasted is reported.
    pub(super) problems: &'a mut Vec<ProblemKind>,
    /// Bytes of the spellings that it made.
    pub(super) spelled: usize,
}

/// Bytes of the longest spelling that `#` and `##` make: spellings that macros double are kept for good.
const LONGEST: usize = 1 << 20;

/// The most tokens that an expansion may come to, or that arguments being expanded may hold: they are in memory at once.
pub(super) const LONGEST_LIST: usize = 1_000_000;

impl Substitution<'_, '_> {
    /// Appends `body` with the arguments in the place of the parameters.
    pub(super) fn substitute(&mut self, body: &[BodyToken], out: &mut Vec<Tok>) {
        let invocation = self.invocation;
        let mut index = 0;
        let mut pasting = false;
        while let Some(token) = body.get(index) {
            if out.len() > LONGEST_LIST {
                return self.problems.push(ProblemKind::ExpansionLimit(invocation.name.text));
            }
            index += 1;
            let own = invocation.token(token);
            let begin = out.len();
            match token.role {
                Role::Plain => out.push(own),
                Role::Stringize(parameter) => {
                    let text = self.stringized(invocation.arguments.plain(parameter));
                    out.push(own.with(TokenKind::String, &text));
                }
                Role::Parameter(parameter) if pasting && after_gnu_comma(invocation, parameter, out) => {
                    pasting = token.pastes;
                    if invocation.omitted {
                        out.pop();
                    }
                    out.extend_from_slice(invocation.arguments.plain(parameter));
                    continue;
                }
                Role::Parameter(parameter) if pasting || token.pastes => {
                    out.extend_from_slice(invocation.arguments.plain(parameter));
                    match out.get_mut(begin) {
                        Some(first) => first.space = own.space,
                        None => out.push(own.padding(own.space)),
                    }
                }
                Role::Parameter(parameter) => {
                    out.push(own.padding(own.space));
                    out.extend_from_slice(invocation.arguments.expanded(parameter));
                    out.push(own.right_edge());
                }
                Role::Optional { length, stringize } => {
                    let inner = &body[index..index + length];
                    index += length;
                    let piece = self.optional(inner, own, stringize);
                    out.extend(piece);
                }
            }
            if pasting && begin > 0 && begin < out.len() {
                self.paste_at(begin, out);
            }
            pasting = token.pastes;
        }
    }

    /// The replacement of `__VA_OPT__ ( inner )`.
    fn optional(&mut self, inner: &[BodyToken], own: Tok, stringize: bool) -> Vec<Tok> {
        let invocation = self.invocation;
        let variadic = invocation.arguments.list.len().checked_sub(1);
        let variadic = variadic.map_or(&[][..], |last| invocation.arguments.expanded(last));
        let mut piece = Vec::new();
        if variadic.iter().any(|token| !token.is_padding()) {
            self.substitute(inner, &mut piece);
        }
        if stringize {
            piece.retain(|token| !token.is_padding());
            return vec![own.with(TokenKind::String, &self.stringized(&piece))];
        }
        match piece.first_mut() {
            Some(first) => first.space = own.space,
            None => piece.push(own.padding(own.space)),
        }
        piece
    }

    /// The string literal `#` makes of an argument ([cpp.stringize]): what was written.
    fn stringized(&mut self, tokens: &[Tok]) -> String {
        let mut text = String::from('"');
        for (index, token) in tokens.iter().enumerate() {
            if text.len() > LONGEST {
                self.problems.push(ProblemKind::ExpansionLimit(self.invocation.name.text));
                break;
            }
            if index > 0 && token.space {
                text.push(' ');
            }
            let literal = matches!(token.kind, TokenKind::String | TokenKind::Character);
            for c in self.spelling(token).chars() {
                match c {
                    '"' | '\\' if literal => text.extend(['\\', c]),
                    '\n' if literal => text.push_str("\\n"),
                    _ => text.push(c),
                }
            }
        }
        // A backslash that would escape the closing quote is dropped, as GCC does.
        let backslashes = text.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        self.spelled += text.len();
        text
    }

    /// A token's own spelling: a digraph is not the punctuator that it means, nor a universal character
    /// name the character.
    fn spelling(&self, token: &Tok) -> &'static str {
        let digraph = match token.text {
            sym::LBRACKET => "<:",
            sym::RBRACKET => ":>",
            sym::LBRACE => "<%",
            sym::RBRACE => "%>",
            sym::HASH => "%:",
            sym::HASH_HASH => "%:%:",
            text if token.kind != TokenKind::Identifier || text.as_str().is_ascii() => return text.as_str(),
            _ => "",
        };
        let file = self.sources.file(token.spelled.file);
        let text = file.text.get(token.spelled.offset as usize..).unwrap_or_default();
        if token.kind != TokenKind::Identifier {
            return if text.starts_with(digraph) { digraph } else { token.text.as_str() };
        }
        // A pasted one is not written anywhere.
        let name = written_identifier(text);
        let is_it = matches!(lex(name)[..], [one] if one.text == token.text);
        if is_it { Symbol::intern(name).as_str() } else { token.text.as_str() }
    }

    /// Joins the token at `index` with the one before it ([cpp.concat]); both stay when they do not make
    /// one.
    fn paste_at(&mut self, index: usize, out: &mut Vec<Tok>) {
        let (left, right) = (out[index - 1], out[index]);
        let made = if right.is_padding() {
            left
        } else if left.is_padding() {
            Tok { space: left.space, ..right }
        } else if left.text.as_str().len() + right.text.as_str().len() > LONGEST {
            return self.problems.push(ProblemKind::ExpansionLimit(self.invocation.name.text));
        } else {
            let text = format!("{}{}", left.text, right.text);
            self.spelled += text.len();
            let joined = lex(&text);
            match joined[..] {
                [token] if token.end as usize == text.len() => {
                    Tok { kind: token.kind, text: token.text, painted: false, ..left }
                }
                _ => {
                    self.problems.push(ProblemKind::InvalidPaste(left.text, right.text));
                    return;
                }
            }
        };
        out[index - 1] = made;
        out.remove(index);
    }
}

/// `, ## __VA_ARGS__`: GCC does not paste here, and drops the comma when the argument is left out.
fn after_gnu_comma(invocation: &Invocation<'_>, parameter: usize, out: &[Tok]) -> bool {
    let variadic = match invocation.definition.meaning {
        Meaning::Function { parameters, variadic } => variadic && parameter + 1 == parameters,
        _ => false,
    };
    variadic && out.last().is_some_and(|token| token.is(sym::COMMA))
}
