//! Where a declaration uses names: what lowering leaves out without looking at it.
//!
//! In: a [`Parsed`] declaration. Out: the places of the nodes that `queries/uses.scm` finds, and of its return statements.

use std::ops::Range;

use tree_sitter::Node;

use crate::source::sym;
use crate::syntax::{Parsed, Query};

/// Where a parsed declaration has what lowering looks for in bodies, as first bytes.
#[derive(Default)]
pub(super) struct Uses {
    /// Of the nodes that may use a name, ascending. A subtree that holds none is skipped.
    pub(super) starts: Vec<usize>,
    /// Of the return statements, ascending, each with that of the innermost lambda-expression or local class around it.
    pub(super) returns: Vec<(usize, Option<usize>)>,
}

impl Uses {
    /// Those of a parsed declaration.
    pub(super) fn of(parsed: &Parsed) -> Uses {
        let mut candidates = Query::uses().candidates(parsed, parsed.tree.root_node(), None);
        candidates.sort_by_key(|node| node.start_byte());
        let starts = candidates.iter().map(|node| node.start_byte()).collect();
        let has_functions =
            |node: &&Node<'_>| matches!(node.kind(), "lambda_expression" | "struct_specifier");
        let mut owners = candidates.iter().filter(has_functions).peekable();
        let mut around: Vec<Range<usize>> = Vec::new();
        let mut returns = Vec::new();
        for (token, span) in parsed.tokens.iter().zip(&parsed.spans) {
            if token.text != sym::RETURN || span.is_empty() {
                continue;
            }
            let start = span.start as usize;
            while let Some(owner) = owners.next_if(|owner| owner.start_byte() < start) {
                around.push(owner.byte_range());
            }
            while around.last().is_some_and(|last| last.end <= start) {
                around.pop();
            }
            returns.push((start, around.last().map(|last| last.start)));
        }
        Uses { starts, returns }
    }
}
