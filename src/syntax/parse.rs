//! Tokens to text to tree.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::preprocess::PpToken;

/// A parsed declaration.
#[derive(Debug)]
pub struct Parsed {
    /// What was parsed: the tokens, rewritten into the grammar's dialect.
    pub text: String,
    /// The tree of `text`.
    pub tree: Tree,
    /// For each token that was given, in order, the bytes of `text` that stand for it; an empty
    /// range for a token that was lifted out (an execution-space word, an attribute).
    pub spans: Vec<Range<u32>>,
    /// The tokens that were given.
    pub tokens: Vec<PpToken>,
    /// How many bytes of `text` stand under error nodes, missing nodes counting one.
    pub error_bytes: usize,
}

impl Parsed {
    /// The tokens a node covers, as a range of [`Parsed::tokens`], lifted-out tokens between its
    /// first and last included, and those directly before its first.
    pub fn tokens_of(&self, node: Node<'_>) -> Range<usize> {
        let _ = node;
        0..0
    }

    /// A node's text.
    pub fn text_of(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }
}

/// Parses the tokens of one declaration in one pass.
pub fn parse(tokens: &[PpToken]) -> Parsed {
    let _ = tokens;
    unreachable!()
}

/// A query of `queries/`, compiled once.
#[derive(Debug)]
pub struct Query {}
