//! Tokens to text to tree.

use std::cell::RefCell;
use std::ops::Range;

use tree_sitter::{Node, Parser, Tree};

use crate::preprocess::PpToken;
use crate::source::{Span, TokenKind, sym};

use super::fields::Fields;
use super::rewrite::{Fate, Rewritten, UNNAMED_PACK, rewrite};

/// A parsed declaration.
#[derive(Debug)]
pub struct Parsed {
    /// The text that was parsed: the tokens, rewritten into the grammar's dialect.
    pub text: String,
    /// The tree of `text`.
    pub tree: Tree,
    /// For each token that was given, in order, the bytes of `text` that stand for it; an empty
    /// range for a token that was lifted out (an execution-space word, an attribute), at the place
    /// where the next token that was kept begins.
    pub spans: Vec<Range<u32>>,
    /// The tokens that were given.
    pub tokens: Vec<PpToken>,
    /// The launch configurations, as ranges of [`Parsed::tokens`] between `<<<` and `>>>`.
    pub launches: Vec<Range<usize>>,
    /// The number of bytes of `text` under error nodes, missing nodes counting one.
    pub error_bytes: usize,
}

impl Parsed {
    /// Whether the text is one declaration: the grammar may close a function at an error, or not know it for one.
    pub fn is_one_declaration(&self) -> bool {
        let root = self.tree.root_node();
        root.child_count() == 1 && root.child(0).is_some_and(|only| !only.is_error())
    }

    /// Whether some node of the tree has more than `limit` nodes from the root to it, both counted.
    pub fn is_deeper_than(&self, limit: usize) -> bool {
        self.tree.root_node().descendant_count() > limit && self.depth() > limit
    }

    /// The depth of the tree in nodes.
    fn depth(&self) -> usize {
        let mut cursor = self.tree.walk();
        let (mut depth, mut deepest) = (1, 1);
        loop {
            if cursor.goto_first_child() {
                depth += 1;
                deepest = deepest.max(depth);
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return deepest;
                }
                depth -= 1;
            }
        }
    }

    /// The tokens a node covers, as a range of [`Parsed::tokens`], lifted-out tokens between its
    /// first and last included, and those directly before its first.
    pub fn tokens_of(&self, node: Node<'_>) -> Range<usize> {
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        let first = self.spans.partition_point(|span| span.end <= start && span.start < start);
        let last = self.spans.partition_point(|span| span.start < end);
        first..last.max(first)
    }

    /// A node's text.
    pub fn text_of(&self, node: Node<'_>) -> &str {
        &self.text[node.byte_range()]
    }

    /// The index of the kept token that holds `byte`, else of the next one, else of the last token.
    pub fn token_at(&self, byte: usize) -> usize {
        let byte = byte as u32;
        let index = self.spans.partition_point(|span| span.end <= byte);
        index.min(self.spans.len().saturating_sub(1))
    }

    /// The place of a node in the sources: from its first to its last token when they stand
    /// in one file in order, else its first token. Lifted-out tokens before it do not count.
    ///
    /// The parse must be of at least one token, as every declaration's is.
    pub fn span_of(&self, node: Node<'_>) -> Span {
        let range = self.tokens_of(node);
        let start = self.token_at(node.start_byte());
        let covered = &self.tokens[start.min(range.end)..range.end];
        let first = self.tokens[start].at;
        match covered.last() {
            Some(last) if covered.is_sorted_by(|a, b| a.at.file == b.at.file && a.at.start <= b.at.start) => {
                Span { end: last.at.end.max(first.end), ..first }
            }
            _ => first,
        }
    }

    /// Whether a parameter is a pack of pointers, `T *...pointers`, of which the grammar sees the pointer alone.
    pub fn is_pack_of_pointers(&self, parameter: Node<'_>) -> bool {
        let mut depth = 0_i32;
        self.tokens_of(parameter).any(|index| {
            match self.tokens[index].text {
                sym::LPAREN => depth += 1,
                sym::RPAREN => depth -= 1,
                _ => {}
            }
            let span = self.spans[index].start as usize..self.spans[index].end as usize;
            depth == 0
                && self.tokens[index].text == sym::ELLIPSIS
                && (span.is_empty() || &self.text[span] == UNNAMED_PACK)
        })
    }

    /// A call that was written as a kernel launch: its `function` is the call made of the chevrons.
    pub fn is_launch(&self, node: Node<'_>) -> bool {
        self.launch_configuration(node).is_some()
    }

    /// The `argument_list` that stands for `grid, block` of a call written `f<<<grid, block>>>(x)`.
    pub fn launch_configuration<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        if self.launches.is_empty() || node.kind() != "call_expression" {
            return None;
        }
        let function = node.field("function")?;
        if function.kind() != "call_expression" {
            return None;
        }
        let arguments = function.field("arguments")?;
        let opens = |config: &Range<usize>| self.spans[config.start - 2].start as usize;
        self.launches.iter().any(|config| opens(config) == arguments.start_byte()).then_some(arguments)
    }
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new({
        let mut parser = Parser::new();
        parser
            .set_language(&tree_sitter_cpp::LANGUAGE.into())
            .expect("the grammar's ABI is one that the linked tree-sitter reads");
        parser
    });
}

/// Parses the tokens of one declaration in one pass.
pub fn parse(tokens: &[PpToken]) -> Parsed {
    let rewritten = rewrite(tokens);
    let (text, spans) = join(tokens, &rewritten);
    let tree = PARSER
        .with_borrow_mut(|parser| parser.parse(&text, None))
        .expect("a parser with a language and without a time limit gives a tree");
    let error_bytes = error_bytes(tree.root_node());
    Parsed { text, tree, spans, tokens: tokens.to_vec(), launches: rewritten.launches, error_bytes }
}

/// Writes the tokens one after the other, blanks between them where the grammar needs or the source
/// has one.
fn join(tokens: &[PpToken], rewritten: &Rewritten) -> (String, Vec<Range<u32>>) {
    let mut text = String::with_capacity(tokens.len() * 5);
    let mut spans: Vec<Range<u32>> = Vec::with_capacity(tokens.len());
    let mut lifted = 0;
    let mut space = false;
    let mut before = sym::EMPTY;
    for (token, fate) in tokens.iter().zip(&rewritten.fates) {
        space |= token.space_before || token.line_start;
        let spelling = match fate {
            Fate::Lift => {
                lifted += 1;
                continue;
            }
            Fate::Keep => token.text.as_str(),
            Fate::Text(other) => other,
            Fate::After(inserted) => {
                separate(&mut text, inserted, space);
                text.push_str(inserted);
                space = false;
                token.text.as_str()
            }
        };
        if token.line_start && matches!(before, sym::SEMI | sym::LBRACE | sym::RBRACE) {
            text.push('\n');
        } else {
            separate(&mut text, spelling, space || token.kind == TokenKind::String);
        }
        let start = text.len() as u32;
        spans.extend(std::iter::repeat_n(start..start, lifted));
        text.push_str(spelling);
        spans.push(start..text.len() as u32);
        (lifted, space, before) = (0, false, token.text);
    }
    let end = text.len() as u32;
    spans.extend(std::iter::repeat_n(end..end, lifted));
    (text, spans)
}

/// Puts a blank at the end of `text` when `next` would run into it or `wanted` asks for one.
fn separate(text: &mut String, next: &str, wanted: bool) {
    let (Some(last), Some(first)) = (text.bytes().next_back(), next.bytes().next()) else { return };
    let brackets = matches!(last, b'[' | b']') && last == first;
    let joins = !stands_alone(last) && !stands_alone(first) && is_wordy(last) == is_wordy(first);
    let number = last.is_ascii_digit() && matches!(first, b'.' | b'+' | b'-');
    if wanted || brackets || joins || number {
        text.push(' ');
    }
}

/// Brackets, commas and semicolons are never part of a longer token, except in `[[`.
fn stands_alone(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b';')
}

fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'"' | b'\'') || byte >= 0x80
}

/// The number of bytes under error nodes, missing nodes counting one.
fn error_bytes(root: Node<'_>) -> usize {
    let mut total = 0;
    let mut pending = vec![root];
    let mut cursor = root.walk();
    while let Some(node) = pending.pop() {
        if node.is_error() {
            total += node.byte_range().len().max(1);
        } else if node.is_missing() {
            total += 1;
        } else if node.has_error() {
            pending.extend(node.children(&mut cursor));
        }
    }
    total
}
