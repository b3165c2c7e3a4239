//! Queries that somebody else wrote: compiled with the place of what is wrong in them, and run within bounds.
//!
//! In: a query's text, and a parsed declaration. Out: matches, or the [`QueryFault`] that says what can't be understood and where
//! in the text. A query is input like any other: no text takes more than bounded time and memory.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use tree_sitter::{
    Node, Parser, Query, QueryCursor, QueryCursorOptions, QueryCursorState, QueryErrorKind, QueryMatch,
    QueryPredicateArg, StreamingIterator, Tree,
};

use crate::preprocess::PpToken;
use crate::source::{Symbol, sym};

use super::parse::Parsed;

/// The longest query, in bytes.
const LONGEST: usize = 8192;

/// The most parentheses and brackets that may be open at once: tree-sitter parses queries by recursion.
const DEEPEST: usize = 64;

/// The most parentheses and brackets, and the most quantifiers. The time to compile a query grows with the square of the one,
/// and the work between two looks at the clock with some power of the other.
const MOST_NODES: usize = 256;
const MOST_QUANTIFIERS: usize = 64;

/// The most matches at work at once. When there are more, one is lost, and the answer is [`TooMuch`].
const MATCHES_AT_WORK: u32 = 256;

/// The most matches that are kept of a declaration.
const MOST_MATCHES: usize = 65_536;

/// How long a query may take for one declaration. tree-sitter counts its steps and not what a step costs, which depends on how
/// many partial matches there are: here the clock is the bound. What is within it by far is so on any machine.
const LONGEST_TIME: Duration = Duration::from_secs(2);

/// The same for a sample, which takes a sensible query some milliseconds.
const LONGEST_TIME_FOR_SAMPLE: Duration = Duration::from_secs(1);

/// The predicates on the annotations of CUDA, and on attributes, which are no part of the text that is parsed.
const ANNOTATED: &str = "annotated?";
const NOT_ANNOTATED: &str = "not-annotated?";
/// The directive that captures the arguments of an annotation.
const ARGUMENTS: &str = "arguments!";

/// Why a text is no query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryFault {
    /// The byte in the text.
    pub at: usize,
    /// What is wrong there, one sentence in lower case without a full stop.
    pub message: String,
}

/// A query, compiled.
#[derive(Debug)]
pub struct CustomQuery {
    query: Query,
    names: Vec<String>,
    /// What each pattern asks of annotations.
    asked: Vec<Vec<Asked>>,
}

/// What a pattern asks of the annotations of a captured node.
#[derive(Debug)]
enum Asked {
    /// That the node has one of these, or none of them.
    Annotated { capture: u32, words: Vec<Symbol>, wanted: bool },
    /// That the node has this one, whose arguments get a name of their own.
    /// With a number, only that argument.
    Arguments { capture: u32, word: Symbol, name: String, number: Option<usize> },
}

/// A match of a query.
#[derive(Clone, Debug)]
pub struct CustomMatch<'t> {
    /// The nodes and token ranges that it captured, by name, in order.
    pub captures: Vec<(String, Captured<'t>)>,
}

/// What a query captured.
#[derive(Clone, Debug)]
pub struct Captured<'t> {
    /// The node; for the arguments of an annotation that of the declaration which is annotated.
    pub node: Node<'t>,
    /// The tokens, as a range of [`Parsed::tokens`].
    pub tokens: Range<usize>,
}

/// A query took more steps or more memory than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMuch;

impl CustomQuery {
    /// Compiles a query.
    ///
    /// # Errors
    /// If it is too long or too deep, no query, names nodes or fields that the grammar does not have, or has predicates that are
    /// not understood.
    pub fn compile(text: &str) -> Result<CustomQuery, QueryFault> {
        bounded(text)?;
        let query = Query::new(&tree_sitter_cpp::LANGUAGE.into(), text).map_err(|error| {
            // What is missing is missing behind the last word, not behind the blanks that follow.
            let at = match error.kind {
                QueryErrorKind::Predicate => predicate_behind(text, error.row),
                _ => error.offset.min(text.trim_end().len()),
            };
            QueryFault { at, message: said(&error.kind, &error.message) }
        })?;
        let mut names: Vec<String> = query.capture_names().iter().map(|name| (*name).to_string()).collect();
        let mut asked = Vec::new();
        for pattern in 0..query.pattern_count() {
            let begin = query.start_byte_for_pattern(pattern);
            let end = query.end_byte_for_pattern(pattern).min(text.len());
            let unknown = |operator: &str, message: String| {
                let found = text.get(begin..end).and_then(|own| own.find(&format!("#{operator}")));
                QueryFault { at: begin + found.unwrap_or(0), message }
            };
            if let Some(one) = query.property_settings(pattern).first() {
                return Err(unknown("set!", format!("`#set! {}` has no meaning here", one.key)));
            }
            if let Some((one, is)) = query.property_predicates(pattern).first() {
                let operator = if *is { "is?" } else { "is-not?" };
                return Err(unknown(operator, format!("`#{operator} {}` has no meaning here", one.key)));
            }
            let mut own = Vec::new();
            for predicate in query.general_predicates(pattern) {
                let operator = &*predicate.operator;
                own.push(Asked::of(operator, &predicate.args).map_err(|message| unknown(operator, message))?);
            }
            for one in &own {
                if let Asked::Arguments { name, .. } = one
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
            asked.push(own);
        }
        if asked.is_empty() {
            return Err(QueryFault { at: 0, message: "the query has no pattern".into() });
        }
        Ok(CustomQuery { query, names, asked })
    }

    /// The names of its captures, without `@`.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the query takes more than it may for a text of some thirty thousand bytes in which there is much of everything.
    pub fn is_too_much_for_a_sample(&self) -> bool {
        static SAMPLE: LazyLock<(String, Tree)> = LazyLock::new(|| {
            let text = sample();
            let mut parser = Parser::new();
            let grammar = parser.set_language(&tree_sitter_cpp::LANGUAGE.into());
            grammar.expect("the grammar's ABI is one that the linked tree-sitter reads");
            let tree = parser.parse(&text, None).expect("a parser without a time limit gives a tree");
            (text, tree)
        });
        let (text, tree) = &*SAMPLE;
        let mut cursor = QueryCursor::new();
        self.run(&mut cursor, tree.root_node(), text, LONGEST_TIME_FOR_SAMPLE, |_| true).is_err()
    }

    /// Runs the query, and hands on each match, until the answer is no.
    fn run<'t>(
        &self,
        cursor: &mut QueryCursor,
        node: Node<'t>,
        text: &str,
        longest: Duration,
        mut each: impl FnMut(&QueryMatch<'_, 't>) -> bool,
    ) -> Result<(), TooMuch> {
        cursor.set_match_limit(MATCHES_AT_WORK);
        let (begun, late) = (Instant::now(), Cell::new(false));
        let mut look = |_: &QueryCursorState| {
            late.set(begun.elapsed() > longest);
            if late.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = QueryCursorOptions::new().progress_callback(&mut look);
        let mut matches = cursor.matches_with_options(&self.query, node, text.as_bytes(), options);
        let mut count = 0;
        while let Some(matched) = matches.next() {
            count += 1;
            if count > MOST_MATCHES || !each(matched) {
                return Err(TooMuch);
            }
        }
        drop(matches);
        if late.get() || cursor.did_exceed_match_limit() { Err(TooMuch) } else { Ok(()) }
    }

    /// Every match in a declaration, in the order of the text.
    ///
    /// # Errors
    /// If there are too many, or finding them takes too long.
    pub fn matches<'t>(&self, parsed: &'t Parsed) -> Result<Vec<CustomMatch<'t>>, TooMuch> {
        let mut cursor = QueryCursor::new();
        let mut found: Vec<CustomMatch<'t>> = Vec::new();
        let root = parsed.tree.root_node();
        self.run(&mut cursor, root, &parsed.text, LONGEST_TIME, |matched| {
            found.extend(self.held(parsed, matched));
            true
        })?;
        found.sort_by_key(|one| one.captures.first().map_or(0, |(_, captured)| captured.node.start_byte()));
        Ok(found)
    }

    /// A match, if what its pattern asks of annotations holds.
    fn held<'t>(&self, parsed: &Parsed, matched: &QueryMatch<'_, 't>) -> Option<CustomMatch<'t>> {
        let captured =
            |capture: u32| matched.captures.iter().find(|one| one.index == capture).map(|one| one.node);
        let own = matched
            .captures
            .iter()
            .map(|one| (self.names[one.index as usize].clone(), Captured::of(parsed, one.node)));
        let mut captures: Vec<(String, Captured<'t>)> = own.collect();
        for asked in &self.asked[matched.pattern_index] {
            match asked {
                Asked::Annotated { capture, words, wanted } => {
                    let Some(node) = captured(*capture) else { continue };
                    if words.iter().any(|word| annotation(parsed, node, *word).is_some()) != *wanted {
                        return None;
                    }
                }
                Asked::Arguments { capture, word, name, number } => {
                    let node = captured(*capture)?;
                    let tokens =
                        annotation(parsed, node, *word).and_then(|at| arguments(parsed, at, *number))?;
                    captures.push((name.clone(), Captured { node, tokens }));
                }
            }
        }
        Some(CustomMatch { captures })
    }
}

/// Code with long lists, deep expressions and much of everything else.
fn sample() -> String {
    let mut text = String::from("namespace n {\nenum E { ");
    (0..300).for_each(|number| text += &format!("e{number} = {number}, "));
    text += "};\ntemplate <class T> struct S {\n";
    (0..100).for_each(|number| {
        text += &format!("int a{number}[{number}]; T f{number}(int x = {number}) const;\n")
    });
    text += "};\nvoid f(int *p) {\n";
    (0..400).for_each(|number| {
        text += &format!("if (p[{number}]) {{ p[{number}] = g(a, b + {number}) * c; }}\n")
    });
    text += &format!("int deep = {}1{};\n}}\n}}\n", "(a + ".repeat(60), ")".repeat(60));
    text
}

impl<'t> CustomMatch<'t> {
    /// What was captured first under a name.
    pub fn captured(&self, name: &str) -> Option<&Captured<'t>> {
        self.all(name).next()
    }

    /// All that was captured under a name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &Captured<'t>> {
        self.captures.iter().filter(move |(capture, _)| capture == name).map(|(_, captured)| captured)
    }
}

impl<'t> Captured<'t> {
    fn of(parsed: &Parsed, node: Node<'t>) -> Captured<'t> {
        let all = parsed.tokens_of(node);
        let first = parsed.token_at(node.start_byte());
        Captured { node, tokens: first.min(all.end)..all.end }
    }
}

impl Asked {
    fn of(operator: &str, arguments: &[QueryPredicateArg]) -> Result<Asked, String> {
        let text = |one: &QueryPredicateArg| match one {
            QueryPredicateArg::String(text) => Some(text.to_string()),
            QueryPredicateArg::Capture(_) => None,
        };
        let of_arguments = || {
            format!(
                "`#{ARGUMENTS}` takes a capture, a word, a name, and perhaps the number of an argument: \
                 `@f \"__launch_bounds__\" value 1`"
            )
        };
        match (operator, arguments) {
            (ANNOTATED | NOT_ANNOTATED, [QueryPredicateArg::Capture(capture), words @ ..])
                if !words.is_empty() =>
            {
                let words: Option<Vec<Symbol>> =
                    words.iter().map(|one| text(one).map(|word| Symbol::intern(&word))).collect();
                let words = words.ok_or_else(|| {
                    format!("`#{operator}` takes a capture and then words: `\"__global__\"`")
                })?;
                Ok(Asked::Annotated { capture: *capture, words, wanted: operator == ANNOTATED })
            }
            (ARGUMENTS, [QueryPredicateArg::Capture(capture), word, name, number @ ..])
                if number.len() < 2 =>
            {
                let number = number.first().map(|one| text(one).and_then(|text| text.parse().ok()));
                match (text(word), text(name), number) {
                    (Some(word), Some(name), number) if number != Some(None) && number != Some(Some(0)) => {
                        let (word, number) = (Symbol::intern(&word), number.flatten());
                        Ok(Asked::Arguments { capture: *capture, word, name, number })
                    }
                    _ => Err(of_arguments()),
                }
            }
            (ANNOTATED | NOT_ANNOTATED, _) => {
                Err(format!("`#{operator}` takes a capture and then words: `@f \"__global__\"`"))
            }
            (ARGUMENTS, _) => Err(of_arguments()),
            _ => Err(format!(
                "there is no predicate `#{operator}`: known are `#eq?`, `#match?`, `#any-of?`, their forms with `not-` and \
                 `any-`, `#{ANNOTATED}`, `#{NOT_ANNOTATED}` and `#{ARGUMENTS}`"
            )),
        }
    }
}

/// Refuses a text that takes too long to compile, or too deep a stack.
fn bounded(text: &str) -> Result<(), QueryFault> {
    if text.len() > LONGEST {
        let at = (0..=LONGEST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        return Err(QueryFault {
            at,
            message: format!("the query has {} bytes, and may have {LONGEST}", text.len()),
        });
    }
    let (mut open, mut nodes, mut quantifiers) = (0_usize, 0, 0);
    let (mut quoted, mut comment, mut escaped) = (false, false, false);
    let mut before = b' ';
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => comment = false,
            _ if comment || std::mem::take(&mut escaped) => {}
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b';' => comment = true,
            b'(' | b'[' => (open, nodes) = (open + 1, nodes + 1),
            b')' | b']' => open = open.saturating_sub(1),
            // Not those at the end of the names of predicates.
            b'*' | b'+' | b'?'
                if matches!(before, b')' | b']' | b'"' | b'_') || before.is_ascii_whitespace() =>
            {
                quantifiers += 1;
            }
            _ => {}
        }
        before = byte;
        let many = [
            (open, DEEPEST, "parentheses and brackets are open"),
            (nodes, MOST_NODES, "parentheses and brackets have been opened"),
            (quantifiers, MOST_QUANTIFIERS, "quantifiers have been used"),
        ];
        if let Some((_, most, what)) = many.into_iter().find(|(found, most, _)| found > most) {
            return Err(QueryFault { at, message: format!("more than {most} {what} here") });
        }
    }
    Ok(())
}

/// The first predicate from a line on, counted from 0: that of a pattern is all that tree-sitter says of a predicate.
fn predicate_behind(text: &str, line: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    start + text[start..].find('#').unwrap_or(0)
}

/// What tree-sitter says of a query, as one sentence.
fn said(kind: &QueryErrorKind, message: &str) -> String {
    let named = message.trim_matches('"');
    match kind {
        QueryErrorKind::NodeType => format!("the grammar of C++ has no node `{named}`"),
        QueryErrorKind::Field => format!("the grammar of C++ has no field `{named}`"),
        QueryErrorKind::Capture => format!("nothing is captured as `@{named}`"),
        QueryErrorKind::Structure => "no tree of the grammar of C++ can match this".to_string(),
        QueryErrorKind::Syntax => "the query is not understood from here on".to_string(),
        QueryErrorKind::Predicate => {
            let text = message.trim_end_matches('.');
            format!("a predicate is not understood: {text}")
        }
        QueryErrorKind::Language => message.to_string(),
    }
}

/// The annotation of a node with this word, as an index of [`Parsed::tokens`]: among the tokens before the node's body, and
/// outside of parentheses but those of attributes.
fn annotation(parsed: &Parsed, node: Node<'_>, word: Symbol) -> Option<usize> {
    let range = parsed.tokens_of(node);
    let begin = (0..range.start).rev().take_while(|at| is_lifted(parsed, *at)).last().unwrap_or(range.start);
    let mut depth = 0_usize;
    for at in begin..range.end {
        let token = &parsed.tokens[at];
        match token.text {
            sym::LBRACE | sym::SEMI if depth == 0 => return None,
            // `auto f = [] __device__ () { … };`, and not `X &operator=(X) __host__;`.
            sym::ASSIGN if depth == 0 && at > begin && parsed.tokens[at - 1].text != sym::OPERATOR => {
                return None;
            }
            sym::LPAREN | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACE => depth = depth.saturating_sub(1),
            text if text == word && (depth == 0 || is_lifted(parsed, at)) => return Some(at),
            _ => {}
        }
    }
    None
}

/// Whether a token is no part of the text that was parsed.
fn is_lifted(parsed: &Parsed, at: usize) -> bool {
    parsed.spans[at].is_empty()
}

/// The tokens between the parentheses behind a word; of one argument, if that is asked for.
fn arguments(parsed: &Parsed, word: usize, number: Option<usize>) -> Option<Range<usize>> {
    let open = word + 1;
    let is_open = |token: &PpToken| token.text == sym::LPAREN;
    parsed.tokens.get(open).filter(|token| is_open(token))?;
    let (mut depth, mut begin, mut passed) = (0_usize, open + 1, 0);
    for at in open..parsed.tokens.len() {
        let text = parsed.tokens[at].text;
        match text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ => {}
        }
        let ends = depth == 0 || depth == 1 && text == sym::COMMA && number.is_some();
        if !ends {
            continue;
        }
        passed += 1;
        if depth == 0 || number == Some(passed) {
            let wanted = number.is_none_or(|number| number == passed);
            return (wanted && at > begin).then_some(begin..at);
        }
        begin = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_query_is_refused_with_its_place() {
        let check = |text: &str, at: usize, message: &str| {
            let fault = CustomQuery::compile(text).unwrap_err();
            assert!(fault.message.contains(message) && fault.at == at, "{text}: {fault:?}");
        };
        check("(declaratio) @name", 1, "no node `declaratio`");
        check("(declaration types: (_))", 13, "no field `types`");
        check("((identifier) @a (#eq? @b \"x\"))", 24, "nothing is captured as `@b`");
        check("(declaration", 12, "not understood");
        check("(identifier (declaration))", 12, "no tree of the grammar");
        check("((identifier) @a (#annotatd? @a \"x\"))", 18, "no predicate `#annotatd?`");
        check("((identifier) @a (#annotated? @a))", 18, "takes a capture and then words");
        check("((identifier) @a (#arguments! @a \"x\"))", 18, "a word, a name");
        check("((identifier) @a (#set! k v))", 18, "`#set! k` has no meaning");
        check("((identifier) @a (#match? @a \"(\"))", 18, "predicate");
        check("", 0, "no pattern");
        check("; only a comment", 0, "no pattern");
    }

    #[test]
    fn what_would_take_long_to_compile_is_refused() {
        let check = |text: String, message: &str| {
            let fault = CustomQuery::compile(&text).unwrap_err();
            assert!(fault.message.contains(message), "{fault:?}");
        };
        check("(_)\n".repeat(3000), "12000 bytes");
        check("(".repeat(100), "are open");
        check("(_) ".repeat(300), "have been opened");
        check("(_)* ".repeat(100), "quantifiers");
        check("((a{1000}){1000} \"é".repeat(500), "bytes");
    }
}
