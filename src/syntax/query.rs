//! The queries of `queries/`, each compiled once.

use std::sync::LazyLock;

use tree_sitter::{Node, QueryCursor, StreamingIterator};

use super::parse::Parsed;

/// The text of `queries/declarations.scm`.
const DECLARATIONS: &str = include_str!("../../queries/declarations.scm");

/// The text of `queries/uses.scm`.
const USES: &str = include_str!("../../queries/uses.scm");

/// A query of `queries/`, compiled once.
#[derive(Debug)]
pub struct Query {
    query: tree_sitter::Query,
    /// The same without the captures of parts.
    whole: tree_sitter::Query,
}

/// One pattern's match: which pattern, and what it captured, in document order.
#[derive(Clone, Debug)]
pub struct Match<'t> {
    /// The pattern's number in its file, from 0.
    pub pattern: usize,
    /// The captures' names, as in the query file but without `@`, and their nodes.
    pub captures: Vec<(&'static str, Node<'t>)>,
}

impl<'t> Match<'t> {
    /// The first node captured as `name`.
    pub fn node(&self, name: &str) -> Option<Node<'t>> {
        self.captures.iter().find(|(capture, _)| *capture == name).map(|(_, node)| *node)
    }
}

impl Query {
    /// Candidates for declared entities: `queries/declarations.scm`.
    pub fn declarations() -> &'static Query {
        static QUERY: LazyLock<Query> = LazyLock::new(|| Query::compile(DECLARATIONS));
        &QUERY
    }

    /// Candidates for uses in bodies and initializers: `queries/uses.scm`.
    pub fn uses() -> &'static Query {
        static QUERY: LazyLock<Query> = LazyLock::new(|| Query::compile(USES));
        &QUERY
    }

    fn compile(text: &str) -> Query {
        let compiled = || {
            let query = tree_sitter::Query::new(&tree_sitter_cpp::LANGUAGE.into(), text);
            query.expect("a test compiles every file of queries/")
        };
        let (query, mut whole) = (compiled(), compiled());
        for name in query.capture_names().iter().filter(|name| name.contains('.')) {
            whole.disable_capture(name);
        }
        Query { query, whole }
    }

    /// The nodes in `node` that patterns capture as a whole, under names without a dot. Their parts are not looked for, which
    /// takes less time than [`Query::matches`].
    pub fn candidates<'t>(&'static self, parsed: &'t Parsed, node: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = QueryCursor::new();
        let mut found = Vec::new();
        let mut matches = cursor.matches(&self.whole, node, parsed.text.as_bytes());
        while let Some(matched) = matches.next() {
            found.extend(matched.captures.iter().map(|capture| capture.node));
        }
        found
    }

    /// Every match in `node`, ordered by the start of its first capture.
    pub fn matches<'t>(&'static self, parsed: &'t Parsed, node: Node<'t>) -> Vec<Match<'t>> {
        let mut cursor = QueryCursor::new();
        let names = self.query.capture_names();
        let mut found = Vec::new();
        let mut matches = cursor.matches(&self.query, node, parsed.text.as_bytes());
        while let Some(matched) = matches.next() {
            let named =
                |capture: &tree_sitter::QueryCapture<'t>| (names[capture.index as usize], capture.node);
            let captures = matched.captures.iter().map(named).collect();
            found.push(Match { pattern: matched.pattern_index, captures });
        }
        found
            .sort_by_key(|found: &Match<'_>| found.captures.first().map_or(0, |(_, node)| node.start_byte()));
        found
    }
}
