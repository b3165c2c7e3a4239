//! `#embed` ([cpp.embed] of C++26, an extension before): a file's bytes as numbers.
//!
//! In: the expanded operand of the directive or of `__has_embed`. Out: the text that takes the place of the directive.

use std::path::PathBuf;

use crate::preprocess::expand::effects::Split;
use crate::preprocess::expand::token::Tok;
use crate::preprocess::result::problem::ProblemKind;
use crate::source::read_bytes;
use crate::source::{TokenKind, sym};
use crate::target::PassSet;

use super::evaluate::{ConditionHost, value};
use super::line::{Header, Line, header_of};

/// The parameters after the resource's name.
#[derive(Default)]
struct Parameters<'t> {
    /// At most so many bytes.
    limit: Option<&'t [Tok]>,
    /// Without the first bytes: GCC's and clang's own.
    offset: Option<&'t [Tok]>,
    prefix: &'t [Tok],
    suffix: &'t [Tok],
    if_empty: &'t [Tok],
}

/// The text that a resource gives.
pub(crate) struct Embedded {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// The resource has no bytes.
    is_empty: bool,
}

/// The reason why a resource gives no text.
pub(crate) enum EmbedError {
    Split(Split),
    /// There is no such file.
    Missing(Header),
    Bad(ProblemKind),
}

impl From<Split> for EmbedError {
    fn from(split: Split) -> EmbedError {
        EmbedError::Split(split)
    }
}

/// The value of `__has_embed`: 0 without such a file or under an unknown parameter, 2 for a file without bytes, else 1.
pub(crate) fn has_embed<'u, H: ConditionHost<'u>>(
    host: &mut H,
    operand: &[Tok],
    line: Line<'_>,
    set: PassSet,
    find: impl Fn(&mut H, &Header) -> Option<PathBuf>,
) -> Result<i64, Split> {
    match embedded(host, operand, line, set, find) {
        Ok(embedded) => Ok(if embedded.is_empty { 2 } else { 1 }),
        Err(EmbedError::Split(split)) => Err(split),
        Err(EmbedError::Missing(_) | EmbedError::Bad(_)) => Ok(0),
    }
}

/// Bytes of a resource that is embedded: each becomes two tokens.
const LARGEST: usize = 1 << 20;

/// The text that `#embed` gives for an expanded operand; `find` says where a resource is.
pub(crate) fn embedded<'u, H: ConditionHost<'u>>(
    host: &mut H,
    operand: &[Tok],
    line: Line<'_>,
    set: PassSet,
    find: impl Fn(&mut H, &Header) -> Option<PathBuf>,
) -> Result<Embedded, EmbedError> {
    // No memo tracks embedded files.
    host.note_untracked();
    let Some((header, rest)) = resource(operand) else {
        return Err(EmbedError::Bad(ProblemKind::EmbedSyntax));
    };
    let parameters = parameters(rest).map_err(EmbedError::Bad)?;
    let limit = number(host, parameters.limit, line, set)?;
    let offset = number(host, parameters.offset, line, set)?;
    let Some(path) = find(host, &header) else { return Err(EmbedError::Missing(header)) };
    let unreadable = |error: std::io::Error| {
        EmbedError::Bad(ProblemKind::FileUnreadable(format!("`{}`", path.display()), error.to_string()))
    };
    let bytes = read_bytes(&path).map_err(unreadable)?;
    if bytes.len() > LARGEST && limit.is_none_or(|limit| limit > LARGEST) {
        let reason = format!("it is larger than {} MiB", LARGEST >> 20);
        return Err(unreadable(std::io::Error::new(std::io::ErrorKind::FileTooLarge, reason)));
    }
    let bytes = &bytes[offset.unwrap_or(0).min(bytes.len())..];
    let bytes = &bytes[..limit.unwrap_or(bytes.len()).min(bytes.len())];
    let is_empty = bytes.is_empty();
    let text = if is_empty {
        spelled(parameters.if_empty)
    } else {
        let numbers = bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        format!("{} {numbers} {}", spelled(parameters.prefix), spelled(parameters.suffix))
    };
    Ok(Embedded { path, text: text + "\n", is_empty })
}

/// The value of a parameter's operand.
fn number<'u, H: ConditionHost<'u>>(
    host: &mut H,
    operand: Option<&[Tok]>,
    line: Line<'_>,
    set: PassSet,
) -> Result<Option<usize>, EmbedError> {
    let Some(operand) = operand else { return Ok(None) };
    match value(host, operand.to_vec(), line, set)?.0.map(usize::try_from) {
        Ok(Ok(value)) => Ok(Some(value)),
        Ok(Err(_)) => Err(EmbedError::Bad(ProblemKind::EmbedParameterNegative)),
        Err(problem) => Err(EmbedError::Bad(problem)),
    }
}

/// The resource that tokens begin with, and what stands after it.
fn resource(tokens: &[Tok]) -> Option<(Header, &[Tok])> {
    let header = header_of(tokens)?;
    let end = if header.angled { tokens.iter().position(|token| token.is(sym::GREATER))? } else { 0 };
    Some((header, &tokens[end + 1..]))
}

fn parameters(mut tokens: &[Tok]) -> Result<Parameters<'_>, ProblemKind> {
    let mut found = Parameters::default();
    while let [first, after @ ..] = tokens {
        let mut name = first.text.to_string();
        let mut after = after;
        if let [scope, second, rest @ ..] = after
            && scope.is(sym::SCOPE)
        {
            name = format!("{name}::{}", second.text);
            after = rest;
        }
        let name = name.replace("__", "");
        if first.kind != TokenKind::Identifier {
            return Err(ProblemKind::EmbedParameterUnknown(first.text.to_string()));
        }
        let operand = match after {
            [open, rest @ ..] if open.is(sym::LPAREN) => {
                let end =
                    closing(rest).ok_or_else(|| ProblemKind::EmbedParameterUnterminated(name.clone()))?;
                after = &rest[end + 1..];
                &rest[..end]
            }
            _ => return Err(ProblemKind::EmbedParameterWithoutValue(name)),
        };
        match name.as_str() {
            "limit" => found.limit = Some(operand),
            "gnu::offset" | "clang::offset" => found.offset = Some(operand),
            "prefix" => found.prefix = operand,
            "suffix" => found.suffix = operand,
            "if_empty" => found.if_empty = operand,
            _ => return Err(ProblemKind::EmbedParameterUnknown(name)),
        }
        tokens = after;
    }
    Ok(found)
}

/// The index of the bracket that closes one before the tokens.
fn closing(tokens: &[Tok]) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().position(|token| {
        match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}

fn spelled(tokens: &[Tok]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}
