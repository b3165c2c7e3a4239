//! Macro definitions ready to expand ([cpp.replace]): parameters and parsed replacement lists.
//!
//! In: the tokens of a `#define`. Out: a [`Macro`]. Knows nothing of passes.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::result::problem::ProblemKind;
use crate::preprocess::result::tokens::{DefinitionId, ExpansionId};
use crate::source::{FileId, Loc, Span, Symbol, Token, TokenKind, lex, sym};

use super::token::Tok;

/// The kind of a macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Object,
    Function {
        parameters: usize,
        variadic: bool,
    },
    /// Computed by the preprocessor: `__LINE__`, `__has_include`.
    Builtin(Symbol),
}

/// The role of a token of a replacement list in an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Plain,
    Parameter(usize),
    /// `# parameter`
    Stringize(usize),
    /// `__VA_OPT__ (` the next `length` tokens `)`
    Optional {
        length: usize,
        stringize: bool,
    },
}

/// A token of a replacement list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyToken {
    pub(crate) kind: TokenKind,
    pub(crate) space: bool,
    pub(crate) text: Symbol,
    /// Where it is written; `None` in a predefined macro.
    pub(crate) spelled: Option<Loc>,
    pub(crate) role: Role,
    /// `##` stands after it.
    pub(crate) pastes: bool,
}

impl BodyToken {
    /// The token where an expansion replaces `name`.
    pub(crate) fn in_place_of(&self, name: &Tok, expansion: ExpansionId) -> Tok {
        Tok {
            kind: self.kind,
            space: self.space,
            line_start: false,
            painted: false,
            text: self.text,
            at: name.at,
            spelled: self.spelled.unwrap_or(name.spelled),
            expansion: Some(expansion),
            group: name.group,
        }
    }
}

/// A macro as one directive defines it. Directives that say the same in different places are macros
/// of one [`Definition`](crate::preprocess::Definition): only the places of their tokens differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MacroId(pub(crate) u32);

impl MacroId {
    /// Its index in the store.
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

/// A macro, ready to expand.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub(crate) definition: DefinitionId,
    /// Its name where it is defined, if that is anywhere.
    pub(crate) at: Option<Span>,
    pub(crate) meaning: Meaning,
    pub(crate) body: Arc<[BodyToken]>,
    /// Its body has a `##`.
    pub(crate) pastes: bool,
}

/// A parsed `#define`.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) name: Token,
    pub(crate) meaning: Meaning,
    pub(crate) body: Arc<[BodyToken]>,
    pub(crate) pastes: bool,
}

/// Parses a macro that is defined before the first line. Every walk has some hundred of them, and nearly
/// always the same: each thread keeps those that it has parsed.
pub(crate) fn predefined(name: &str, value: &str) -> Option<(Parsed, Arc<[Token]>)> {
    type ParsedMacros = FxHashMap<String, Option<(Parsed, Arc<[Token]>)>>;
    thread_local! {
        static PARSED: RefCell<ParsedMacros> = RefCell::default();
    }
    let text = format!("{name} {value}");
    PARSED.with_borrow_mut(|parsed| {
        if parsed.len() > PREDEFINED_LIMIT {
            parsed.clear();
        }
        let read = |text: &String| {
            let tokens = lex(text);
            Some((parse(&tokens, None).ok()?, tokens.into()))
        };
        parsed.entry(text).or_insert_with_key(read).clone()
    })
}

/// How many macros a thread keeps: more than any compiler and command line define.
const PREDEFINED_LIMIT: usize = 4096;

/// Parses the tokens after `define`. `file` is where they are written, if anywhere.
pub(crate) fn parse(tokens: &[Token], file: Option<FileId>) -> Result<Parsed, ProblemKind> {
    let [name, rest @ ..] = tokens else { return Err(ProblemKind::MacroNameMissing) };
    if name.kind != TokenKind::Identifier {
        return Err(ProblemKind::MacroNameNotIdentifier);
    }
    if name.text == sym::DEFINED {
        return Err(ProblemKind::MacroNamedDefined);
    }
    let mut names = Names { list: Vec::new(), given: false, variadic: false };
    let mut body = rest;
    if let Some(open) = rest.first()
        && open.text == sym::LPAREN
        && !open.space_before
    {
        body = names.parse(&rest[1..])?;
    }
    let function = names.given;
    let body_tokens = replacement_list(body, file, &names)?;
    let meaning = if function {
        Meaning::Function { parameters: names.list.len(), variadic: names.variadic }
    } else {
        Meaning::Object
    };
    let pastes = body_tokens.iter().any(|token| token.pastes);
    Ok(Parsed { name: *name, meaning, body: body_tokens.into(), pastes })
}

/// The parameters of a function-like macro.
struct Names {
    /// Their names in the replacement list.
    list: Vec<Symbol>,
    /// There is a list of them.
    given: bool,
    variadic: bool,
}

impl Names {
    /// Reads up to `)` and returns the tokens after it.
    fn parse<'t>(&mut self, mut tokens: &'t [Token]) -> Result<&'t [Token], ProblemKind> {
        self.given = true;
        if let [close, rest @ ..] = tokens
            && close.text == sym::RPAREN
        {
            return Ok(rest);
        }
        loop {
            if tokens.first().is_some_and(|name| self.list.contains(&name.text)) {
                return Err(ProblemKind::DuplicateParameter);
            }
            match tokens {
                [dots, rest @ ..] if dots.text == sym::ELLIPSIS => {
                    self.variadic = true;
                    self.list.push(sym::VA_ARGS);
                    tokens = rest;
                }
                [name, dots, rest @ ..]
                    if name.kind == TokenKind::Identifier && dots.text == sym::ELLIPSIS =>
                {
                    self.variadic = true;
                    self.list.push(name.text);
                    tokens = rest;
                }
                [name, rest @ ..] if name.kind == TokenKind::Identifier => {
                    self.list.push(name.text);
                    tokens = rest;
                }
                _ => return Err(ProblemKind::ParameterList),
            }
            match tokens {
                [comma, rest @ ..] if comma.text == sym::COMMA && !self.variadic => tokens = rest,
                [close, rest @ ..] if close.text == sym::RPAREN => {
                    return Ok(rest);
                }
                _ => return Err(ProblemKind::ParameterList),
            }
        }
    }

    fn index(&self, token: &Token) -> Option<usize> {
        self.list.iter().position(|name| *name == token.text).filter(|_| token.kind == TokenKind::Identifier)
    }
}

fn replacement_list(
    tokens: &[Token],
    file: Option<FileId>,
    names: &Names,
) -> Result<Vec<BodyToken>, ProblemKind> {
    let mut body: Vec<BodyToken> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        if token.text == sym::HASH_HASH && token.kind == TokenKind::Punctuator {
            if rest.is_empty() {
                return Err(ProblemKind::PasteAtEdge);
            }
            body.last_mut().ok_or(ProblemKind::PasteAtEdge)?.pastes = true;
            continue;
        }
        let mut made = BodyToken {
            kind: token.kind,
            space: token.space_before && !body.is_empty(),
            text: token.text,
            spelled: file.map(|file| Loc { file, offset: token.offset }),
            role: Role::Plain,
            pastes: false,
        };
        let mut subject = token;
        let mut stringize = false;
        if names.given && token.text == sym::HASH && token.kind == TokenKind::Punctuator {
            let next = rest.first().ok_or(ProblemKind::StringizeWithoutParameter)?;
            if names.index(next).is_none() && !(names.variadic && next.text == sym::VA_OPT) {
                return Err(ProblemKind::StringizeWithoutParameter);
            }
            (subject, stringize, rest) = (next, true, &rest[1..]);
        }
        if let Some(index) = names.index(subject) {
            made.role = if stringize { Role::Stringize(index) } else { Role::Parameter(index) };
        } else if names.variadic && subject.text == sym::VA_OPT {
            let length = optional_length(rest).ok_or(ProblemKind::UnterminatedVaOpt)?;
            let inner = replacement_list(&rest[1..1 + length], file, names)?;
            made.role = Role::Optional { length: inner.len(), stringize };
            body.push(made);
            body.extend(inner);
            rest = &rest[length + 2..];
            // `##` after the group belongs to the group.
            if let [paste, _, ..] = rest
                && paste.text == sym::HASH_HASH
            {
                let opener = body.len() - 1 - inner_length(&body);
                body[opener].pastes = true;
                rest = &rest[1..];
            }
            continue;
        }
        body.push(made);
    }
    Ok(body)
}

/// The length of the `__VA_OPT__` group that ends the body.
fn inner_length(body: &[BodyToken]) -> usize {
    let ends_here = |(index, token): (usize, &BodyToken)| match token.role {
        Role::Optional { length, .. } if index + 1 + length == body.len() => Some(length),
        _ => None,
    };
    body.iter().enumerate().find_map(ends_here).unwrap_or(0)
}

/// How many tokens stand between the parentheses that `tokens` opens with.
fn optional_length(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then(|| index - 1);
        }
    }
    None
}
