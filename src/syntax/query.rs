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
pub struct Query(tree_sitter::Query);

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
        let query = tree_sitter::Query::new(&tree_sitter_cpp::LANGUAGE.into(), text);
        Query(query.expect("a test compiles every file of queries/"))
    }

    /// The nodes in `node` that patterns capture, no more than `depth` levels below it, or at any level.
    pub fn candidates<'t>(
        &'static self,
        parsed: &'t Parsed,
        node: Node<'t>,
        depth: Option<u32>,
    ) -> Vec<Node<'t>> {
        let mut cursor = QueryCursor::new();
        cursor.set_max_start_depth(depth);
        let mut found = Vec::new();
        let mut matches = cursor.matches(&self.0, node, parsed.text.as_bytes());
        while let Some(matched) = matches.next() {
            found.extend(matched.captures.iter().map(|capture| capture.node));
        }
        found
    }
}
