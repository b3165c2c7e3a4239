//! Matches of custom queries in a declaration, as plain data that is kept by the declaration's tokens: units share headers, and
//! passes most of their tokens.
//!
//! In: the tokens of a declaration in one pass, and queries. Out: what each query captured, as ranges of those tokens.

use std::ops::Range;

use tree_sitter::Node;

use crate::custom::NAME;
use crate::preprocess::PpToken;
use crate::source::Span;
use crate::syntax::{self, CustomMatch, CustomQuery, Fields, Parsed};

/// The matches in a declaration.
#[derive(Debug)]
pub(in crate::facts) struct Matches {
    /// It parsed without errors.
    pub sure: bool,
    /// The matches of each query; `None` if that takes more than it may.
    pub by_query: Vec<Option<Vec<Match>>>,
}

/// A match.
#[derive(Debug)]
pub(in crate::facts) struct Match {
    /// What was captured, in order; never empty.
    pub captures: Vec<Capture>,
    /// The names of what it stands in, the innermost first. Of what was captured as `@name`, only those around it.
    pub around: Vec<String>,
}

/// What was captured.
#[derive(Debug)]
pub(in crate::facts) struct Capture {
    /// The name, without `@`.
    pub name: String,
    /// The tokens.
    pub tokens: Range<usize>,
    /// The place of the node.
    pub at: Span,
}

impl Match {
    /// All that was captured under a name.
    pub(in crate::facts) fn all<'m>(&'m self, name: &str) -> impl Iterator<Item = &'m Capture> {
        self.captures.iter().filter(move |capture| capture.name == name)
    }
}

/// The matches of queries in a declaration, whose tree is no deeper than `depth`.
pub(super) fn matches<'q>(
    tokens: &[PpToken],
    queries: impl Iterator<Item = &'q CustomQuery>,
    depth: usize,
) -> Matches {
    let parsed = syntax::parse(tokens);
    let deep = parsed.is_deeper_than(depth);
    let of_query = |query: &CustomQuery| {
        let found = query.matches(&parsed).ok().filter(|_| !deep)?;
        Some(found.iter().filter(|one| !one.captures.is_empty()).map(|one| plain(&parsed, one)).collect())
    };
    Matches { sure: parsed.error_bytes == 0, by_query: queries.map(of_query).collect() }
}

fn plain(parsed: &Parsed, matched: &CustomMatch<'_>) -> Match {
    let named = matched.captured(NAME).map(|named| named.node);
    let first = matched.captures.first().map(|(_, captured)| captured.node);
    let mut around = Vec::new();
    let mut node = named.map_or(first, |named| named.parent());
    while let Some(one) = node {
        if let Some(own) = name_node(one).or_else(|| name_of_prototype(one))
            && named.is_none_or(|named| !holds(own, named))
        {
            around.push(squeezed(parsed.text_of(own)));
        }
        node = one.parent();
    }
    let captures = matched.captures.iter().map(|(name, captured)| Capture {
        name: name.clone(),
        tokens: captured.tokens.clone(),
        at: parsed.span_of(captured.node),
    });
    Match { captures: captures.collect(), around }
}

/// The node of the name that a node gives to what stands in it.
fn name_node(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" => node.field("name"),
        "function_definition" => {
            let mut inner = node.field("declarator")?;
            while let Some(next) = inner
                .field("declarator")
                .or_else(|| (inner.kind() == "reference_declarator").then(|| inner.named_child(0)).flatten())
            {
                inner = next;
            }
            Some(inner)
        }
        _ => None,
    }
}

/// The name of a function that is declared here and not defined.
fn name_of_prototype(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() != "function_declarator" {
        return None;
    }
    let mut around = node.parent();
    while let Some(one) = around.filter(|one| one.kind().ends_with("_declarator")) {
        around = one.parent();
    }
    let is_definition = around.is_some_and(|one| one.kind() == "function_definition");
    node.field("declarator").filter(|_| !is_definition)
}

fn holds(outer: Node<'_>, inner: Node<'_>) -> bool {
    outer.start_byte() <= inner.start_byte() && inner.end_byte() <= outer.end_byte()
}

/// A text with single blanks.
pub(in crate::facts) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
