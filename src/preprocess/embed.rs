//! `#embed` ([cpp.embed] of C++26, an extension before): a file's bytes as numbers.
//!
//! What the directive becomes is read like a header with that text, so that it may stand wherever one may.

use std::path::{Path, PathBuf};

use crate::source::{BUILT_IN, TokenKind, sym};
use crate::target::PassSet;

use super::directives::{Header, Line, header_of, written_header};
use super::expand::Split;
use super::macros::{Tok, mixed};
use super::walk::{Entry, Walker};

/// What stands after the resource's name.
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

/// What a resource gives.
pub(super) struct Embedded {
    path: PathBuf,
    text: String,
    /// It has no bytes.
    pub(super) is_empty: bool,
}

/// Why it gives nothing.
enum Lack {
    Split(Split),
    /// There is no such file.
    Missing(Header),
    Bad(String),
}

impl From<Split> for Lack {
    fn from(split: Split) -> Lack {
        Lack::Split(split)
    }
}

impl Walker<'_> {
    /// Carries out `#embed`.
    pub(super) fn embed(&mut self, line: Line<'_>) {
        // Readings do not note what they embed.
        self.tie();
        let level = self.frames.last().map_or(0, |frame| frame.level) + 1;
        let macros_only = self.frames.last().is_some_and(|frame| frame.macros_only);
        let mut found: Vec<(PassSet, Embedded)> = Vec::new();
        let mut rest = vec![self.live];
        while let Some(set) = rest.pop() {
            let embedded = self.operand(line, set).and_then(|tokens| self.embedded(&tokens, line, set));
            match embedded {
                Ok(one) => match found.iter_mut().find(|(_, known)| known.text == one.text) {
                    Some((passes, _)) => *passes = passes.or(set),
                    None => found.push((set, one)),
                },
                Err(Lack::Split(Split(part))) => rest.extend([set.minus(part), set.and(part)]),
                Err(Lack::Missing(header)) => self.missing(header.spelled(), line.span(), set),
                Err(Lack::Bad(message)) => self.problem_at(message, line.span(), set, true),
            }
        }
        for (set, Embedded { path, text, .. }) in found.into_iter().rev() {
            let name = format!("embed-{:016x}", mixed(&text));
            let name = Path::new(BUILT_IN).join(name).join(path.file_name().unwrap_or_default());
            let file = self.sources.add(&name, text);
            let (next_directory, system, directive) = (0, false, Some(line.span()));
            self.enter(Entry { file, set, next_directory, level, directive, system, macros_only });
        }
    }

    /// What `__has_embed` says of its operand: 0 without such a file or under a parameter that nobody knows, 2
    /// for one without bytes, else 1.
    pub(super) fn has_embed(&mut self, tokens: &[Tok], line: Line<'_>, set: PassSet) -> Result<i64, Split> {
        self.tie();
        match self.embedded(tokens, line, set) {
            Ok(embedded) => Ok(if embedded.is_empty { 2 } else { 1 }),
            Err(Lack::Split(split)) => Err(split),
            Err(Lack::Missing(_) | Lack::Bad(_)) => Ok(0),
        }
    }

    /// The directive's line, expanded unless a resource's name begins it.
    fn operand(&mut self, line: Line<'_>, set: PassSet) -> Result<Vec<Tok>, Lack> {
        let tokens = line.rest().iter().map(|token| Tok::new(token, line.file.id, self.group)).collect();
        if written_header(line).is_some() { Ok(tokens) } else { Ok(self.expanded(tokens, set, line)?) }
    }

    fn embedded(&mut self, tokens: &[Tok], line: Line<'_>, set: PassSet) -> Result<Embedded, Lack> {
        let Some((header, rest)) = resource(tokens) else {
            return Err(Lack::Bad("`#embed` expects \"FILENAME\" or <FILENAME>".into()));
        };
        let parameters = parameters(rest).map_err(Lack::Bad)?;
        let limit = self.number(parameters.limit, line, set)?;
        let offset = self.number(parameters.offset, line, set)?;
        let Some(path) = self.resolver.resource(&header.name, header.angled, line.file) else {
            return Err(Lack::Missing(header));
        };
        let bytes = std::fs::read(&path)
            .map_err(|error| Lack::Bad(format!("failed to read `{}`: {error}", path.display())))?;
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
    fn number(
        &mut self,
        operand: Option<&[Tok]>,
        line: Line<'_>,
        set: PassSet,
    ) -> Result<Option<usize>, Lack> {
        let Some(operand) = operand else { return Ok(None) };
        let expansions = self.out.expansions.len();
        let value = self.value(operand.to_vec(), line, set);
        self.out.expansions.truncate(expansions);
        match value?.0.map(usize::try_from) {
            Ok(Ok(value)) => Ok(Some(value)),
            Ok(Err(_)) => Err(Lack::Bad("a parameter of `#embed` is negative".into())),
            Err(message) => Err(Lack::Bad(message)),
        }
    }
}

/// The resource that tokens begin with, and what stands after it.
fn resource(tokens: &[Tok]) -> Option<(Header, &[Tok])> {
    let header = header_of(tokens)?;
    let end = if header.angled { tokens.iter().position(|token| token.is(sym::GREATER))? } else { 0 };
    Some((header, &tokens[end + 1..]))
}

fn parameters(mut tokens: &[Tok]) -> Result<Parameters<'_>, String> {
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
            return Err(format!("`{}` is no parameter of `#embed`", first.text));
        }
        let operand = match after {
            [open, rest @ ..] if open.is(sym::LPAREN) => {
                let end = closing(rest).ok_or_else(|| format!("missing `)` after `{name}`"))?;
                after = &rest[end + 1..];
                &rest[..end]
            }
            _ => return Err(format!("`{name}` needs a value in parentheses")),
        };
        match name.as_str() {
            "limit" => found.limit = Some(operand),
            "gnu::offset" | "clang::offset" => found.offset = Some(operand),
            "prefix" => found.prefix = operand,
            "suffix" => found.suffix = operand,
            "if_empty" => found.if_empty = operand,
            _ => return Err(format!("`{name}` is no parameter of `#embed`")),
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
