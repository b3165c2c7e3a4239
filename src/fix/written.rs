//! A file as it is written: its conditionals and declarations by their brackets, whatever any pass sees of them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::source::{Symbol, Token, TokenKind, closing, lex, sym};

/// The words of declarations that name nothing a source declares.
const KEYWORDS: &str = "auto bool char class const constexpr double else enum extern false float for if inline int \
     long namespace nullptr operator return short signed sizeof static struct template true typedef typename union \
     unsigned using void";

/// A text, its tokens, and its conditionals.
pub(super) struct Written<'t> {
    pub(super) text: &'t str,
    /// The tokens that stand in no directive.
    pub(super) code: Vec<Token>,
    /// By where they open.
    pub(super) conditionals: Vec<Conditional>,
    /// Every directive: the offset of its `#`, and its lines.
    directives: Vec<(usize, Range<usize>)>,
}

/// A conditional from `#if` to `#endif`.
#[derive(Debug)]
pub(super) struct Conditional {
    /// Its `#if` first.
    pub(super) arms: Vec<Arm>,
    /// The lines of its `#endif`.
    pub(super) endif: Range<usize>,
}

/// One arm of a conditional.
#[derive(Debug)]
pub(super) struct Arm {
    /// The offset of the directive's `#`.
    pub(super) at: usize,
    /// `if`, `ifdef`, `ifndef`, `elif` …
    pub(super) word: String,
    /// The directive after its word, as written: without comments after it, splices included.
    pub(super) condition: Range<usize>,
    /// The directive's lines.
    pub(super) lines: Range<usize>,
    /// The text under it.
    pub(super) body: Range<usize>,
}

/// A declaration that no bracket but a namespace's is around.
#[derive(Debug)]
pub(super) struct Declaration {
    /// From its first token to its last.
    pub(super) range: Range<usize>,
    /// The text between the braces of a function's body.
    pub(super) body: Option<Range<usize>>,
}

impl Conditional {
    /// All its lines.
    pub(super) fn range(&self) -> Range<usize> {
        self.arms[0].lines.start..self.endif.end
    }
}

impl<'t> Written<'t> {
    pub(super) fn new(text: &'t str) -> Written<'t> {
        let mut written =
            Written { text, code: Vec::new(), conditionals: Vec::new(), directives: Vec::new() };
        let tokens = lex(text);
        let mut open: Vec<Conditional> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if !(token.line_start && token.text.as_str() == "#") {
                written.code.push(token);
                at += 1;
                continue;
            }
            let count = tokens[at + 1..].iter().take_while(|token| !token.line_start).count();
            written.directive(&tokens[at..=at + count], &mut open);
            at += count + 1;
        }
        written.conditionals.sort_by_key(|conditional| conditional.arms[0].at);
        written
    }

    fn directive(&mut self, tokens: &[Token], open: &mut Vec<Conditional>) {
        let at = tokens[0].offset as usize;
        let last = tokens.last().expect("a directive has its `#`").end as usize;
        let lines = self.line_start(at)..self.line_end(last);
        self.directives.push((at, lines.clone()));
        let Some(word) = tokens.get(1) else { return };
        let condition = word.end as usize..last;
        let word = word.text.as_str();
        let arm = |from: usize| Arm {
            at,
            word: word.to_string(),
            condition: condition.clone(),
            lines: lines.clone(),
            body: from..from,
        };
        match word {
            "if" | "ifdef" | "ifndef" => {
                open.push(Conditional { arms: vec![arm(lines.end)], endif: 0..0 });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                if let Some(conditional) = open.last_mut() {
                    conditional.arms.last_mut().expect("its `#if`").body.end = lines.start;
                    conditional.arms.push(arm(lines.end));
                }
            }
            "endif" => {
                if let Some(mut conditional) = open.pop() {
                    conditional.arms.last_mut().expect("its `#if`").body.end = lines.start;
                    conditional.endif = lines;
                    self.conditionals.push(conditional);
                }
            }
            _ => {}
        }
    }

    /// Where the line of a directive begins: its first column, or the directive itself behind a comment.
    fn line_start(&self, at: usize) -> usize {
        let start = self.text[..at].rfind('\n').map_or(0, |line| line + 1);
        if self.text[start..at].trim().is_empty() { start } else { at }
    }

    /// Past the line break that ends a logical line, of whose last token `at` is the end.
    fn line_end(&self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        while at < bytes.len() {
            let rest = &self.text[at..];
            if rest.starts_with("/*") {
                at += rest.find("*/").map_or(rest.len(), |close| close + 2);
            } else if rest.starts_with("\\\n") {
                at += 2;
            } else if rest.starts_with("\\\r\n") {
                at += 3;
            } else if bytes[at] == b'\n' {
                return at + 1;
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        bytes.len()
    }

    /// The conditional one of whose directives begins at `at`, and the number of that arm.
    pub(super) fn at_directive(&self, at: usize) -> Option<(&Conditional, usize)> {
        self.conditionals.iter().find_map(|conditional| {
            let arm = conditional.arms.iter().position(|arm| arm.at == at)?;
            Some((conditional, arm))
        })
    }

    /// The conditionals around a place, the outermost first, each with the number of the arm it stands in.
    pub(super) fn around(&self, at: usize) -> Vec<(&Conditional, usize)> {
        let arm_of = |conditional: &'_ Conditional| {
            conditional.arms.iter().position(|arm| arm.body.start <= at && at < arm.body.end)
        };
        self.conditionals.iter().filter_map(|one| Some((one, arm_of(one)?))).collect()
    }

    /// A directive as written, from its `#` to its last token.
    pub(super) fn directive_text(&self, arm: &Arm) -> &'t str {
        &self.text[arm.at..arm.condition.end]
    }

    /// A condition as written.
    pub(super) fn condition(&self, arm: &Arm) -> &'t str {
        self.text[arm.condition.clone()].trim()
    }

    /// A condition names a macro that nvcc predefines by pass.
    pub(super) fn asks_for_architecture(&self, conditional: &Conditional) -> bool {
        conditional.arms.iter().any(|arm| self.condition(arm).contains("__CUDA_ARCH_"))
    }

    /// The text before each brace that is open at a place, the innermost first: heads of functions, classes and
    /// statements.
    pub(super) fn heads_around(&self, at: usize) -> Vec<&'t str> {
        let before = self.code.partition_point(|token| (token.offset as usize) < at);
        let mut heads = Vec::new();
        let mut depth = 0;
        for index in (0..before).rev() {
            match self.code[index].text.as_str() {
                "}" => depth += 1,
                "{" if depth > 0 => depth -= 1,
                "{" => {
                    let ends = |token: &Token| matches!(token.text.as_str(), ";" | "{" | "}");
                    let first = self.code[..index].iter().rposition(ends).map_or(0, |end| end + 1);
                    let start = self.code[first].offset as usize;
                    heads.push(&self.text[start..self.code[index].offset as usize]);
                }
                _ => {}
            }
        }
        heads
    }

    /// A name occurs in code first in the range and again outside of `whole`, which is around it: what the range
    /// declares is used elsewhere. Names that `kept` has too are not looked at.
    pub(super) fn is_needed(
        &self,
        range: &Range<usize>,
        whole: &Range<usize>,
        kept: Option<&Range<usize>>,
    ) -> bool {
        let within = |range: &Range<usize>, token: &Token| range.contains(&(token.offset as usize));
        let mut first: FxHashMap<Symbol, &Token> = FxHashMap::default();
        let is_name = |token: &&Token| {
            token.kind == TokenKind::Identifier
                && !KEYWORDS.split(' ').any(|word| word == token.text.as_str())
        };
        let names = || self.code.iter().filter(is_name);
        for token in names() {
            first.entry(token.text).or_insert(token);
        }
        let own = |name: &Symbol| first.get(name).is_some_and(|token| within(range, token));
        let in_kept = |name: &Symbol| {
            kept.is_some_and(|kept| names().any(|token| token.text == *name && within(kept, token)))
        };
        names().any(|token| !within(whole, token) && own(&token.text) && !in_kept(&token.text))
    }

    /// The declarations in a range, those in its namespaces and linkage blocks among them.
    pub(super) fn declarations(&self, range: &Range<usize>) -> Vec<Declaration> {
        let from = self.code.partition_point(|token| (token.offset as usize) < range.start);
        let to = self.code.partition_point(|token| (token.offset as usize) < range.end);
        let mut found = Vec::new();
        declarations(&self.code[from..to.max(from)], &mut found);
        found
    }

    /// No code stands in the range: blanks and comments alone.
    pub(super) fn is_empty(&self, range: &Range<usize>) -> bool {
        !self.code.iter().any(|token| range.contains(&(token.offset as usize))) && !self.has_directive(range)
    }

    /// The function definition whose head or body has a place.
    pub(super) fn function_at(&self, at: usize) -> Option<Declaration> {
        let mut all = self.declarations(&(0..self.text.len()));
        let found = all.iter().position(|one| one.body.is_some() && one.range.contains(&at))?;
        Some(all.swap_remove(found))
    }

    /// The statement of a function's body that has a place, from its first token to its `;`; `None` outside of functions
    /// and in directives.
    pub(super) fn statement_at(&self, at: usize) -> Option<Range<usize>> {
        if !self.function_around(at) || self.directives.iter().any(|(_, lines)| lines.contains(&at)) {
            return None;
        }
        let own = self.code.partition_point(|token| (token.offset as usize) <= at).checked_sub(1)?;
        let ends = |token: &Token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
        let first = self.code[..own].iter().rposition(ends).map_or(0, |end| end + 1);
        let mut last = own;
        while self.code.get(last)?.text != sym::SEMI {
            last = match self.code[last].text {
                sym::LPAREN | sym::LBRACKET => closing(&self.code, last)? + 1,
                // A block: no statement that ends with a semicolon.
                sym::LBRACE | sym::RBRACE => return None,
                _ => last + 1,
            };
        }
        let range = self.code[first].offset as usize..self.code[last].end as usize;
        (!self.has_directive(&range)).then_some(range)
    }

    /// One of the braces around a place opens a function's body.
    fn function_around(&self, at: usize) -> bool {
        self.heads_around(at).into_iter().any(|head| is_function(&lex(head)))
    }

    /// The blanks a place's line begins with.
    pub(super) fn indent(&self, at: usize) -> &'t str {
        let start = self.text[..at].rfind('\n').map_or(0, |line| line + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// A directive stands in the range.
    fn has_directive(&self, range: &Range<usize>) -> bool {
        self.directives.iter().any(|(at, _)| range.contains(at))
    }
}

fn declarations(tokens: &[Token], found: &mut Vec<Declaration>) {
    let mut start = 0;
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].text.as_str() {
            ";" => {
                push(&tokens[start..=at], None, found);
                start = at + 1;
            }
            "(" | "[" => at = closing(tokens, at).unwrap_or(tokens.len()),
            "{" => {
                let close = closing(tokens, at).unwrap_or(tokens.len());
                let head = &tokens[start..at];
                if opens_scope(head) {
                    declarations(&tokens[at + 1..close.min(tokens.len())], found);
                    start = close + 1;
                } else if is_function(head) && close < tokens.len() {
                    let body = tokens[at].end as usize..tokens[close].offset as usize;
                    push(&tokens[start..=close], Some(body), found);
                    start = close + 1;
                }
                at = close;
            }
            // What a namespace that was opened before the range ends with.
            "}" => start = at + 1,
            _ => {}
        }
        at += 1;
    }
}

fn push(tokens: &[Token], body: Option<Range<usize>>, found: &mut Vec<Declaration>) {
    if let (Some(first), Some(last)) = (tokens.first(), tokens.last())
        && tokens.len() > 1
    {
        found.push(Declaration { range: first.offset as usize..last.end as usize, body });
    }
}

/// `namespace a`, `inline namespace b`, `extern "C"`.
fn opens_scope(head: &[Token]) -> bool {
    let words: Vec<&str> = head.iter().map(|token| token.text.as_str()).collect();
    match words.as_slice() {
        ["namespace", ..] | ["inline", "namespace", ..] => true,
        ["extern", literal] => literal.starts_with('"'),
        _ => false,
    }
}

/// A parameter list stands in the head, and no class or initializer begins after it.
fn is_function(head: &[Token]) -> bool {
    let words = head.iter().map(|token| token.text.as_str());
    let is_class =
        matches!(words.clone().next(), Some("struct" | "class" | "union" | "enum" | "using" | "typedef"));
    let assigned = {
        let mut depth = 0;
        words.clone().any(|word| {
            match word {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" | ">" => depth -= 1,
                _ => {}
            }
            word == "=" && depth <= 0
        })
    };
    words.clone().any(|word| word == "(") && !is_class && !assigned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditionals_have_their_lines_and_arms() {
        let text = "a\n#if A \\\n  && B // why\nx\n  # else /* a\n b */\ny\n#endif\nz\n";
        let written = Written::new(text);
        let [one] = &written.conditionals[..] else { panic!("{:?}", written.conditionals) };
        let bodies: Vec<&str> = one.arms.iter().map(|arm| &text[arm.body.clone()]).collect();
        assert_eq!(bodies, ["x\n", "y\n"]);
        assert_eq!(written.condition(&one.arms[0]), "A \\\n  && B");
        assert_eq!(&text[one.endif.clone()], "#endif\n");
        assert_eq!(written.around(text.rfind("y\n").unwrap()).len(), 1);
    }

    #[test]
    fn what_is_around_a_place() {
        let text = "struct S { __device__ void f() { if (a) { x } } };";
        let written = Written::new(text);
        let heads = written.heads_around(text.find('x').unwrap());
        assert_eq!(heads, ["if (a) ", "__device__ void f() ", "struct S "]);
        assert!(written.heads_around(text.len()).is_empty());
    }

    #[test]
    fn what_is_used_elsewhere_is_needed() {
        let text = "int a; #\n[ b a ] { b c } b";
        let written = Written::new(text);
        let at = |mark: &str| text.find(mark).unwrap();
        let (first, second) = (at("[")..at("]"), at("{")..at("}"));
        assert!(written.is_needed(&first, &first, None));
        assert!(!written.is_needed(&first, &(at("[")..text.len()), None), "`a` is declared before");
        assert!(!written.is_needed(&second, &second, None), "`b` is declared before");
        assert!(!written.is_needed(&first, &first, Some(&second)));
    }

    #[test]
    fn declarations_are_cut_by_their_brackets() {
        let text = "namespace a { template <class T> __global__ void k(T *p) { *p = {}; } int x = {1}; }\n\
                    struct S { void f() {} }; int g();";
        let written = Written::new(text);
        let shown: Vec<(&str, bool)> = written
            .declarations(&(0..text.len()))
            .iter()
            .map(|one| (&text[one.range.clone()], one.body.is_some()))
            .collect();
        assert_eq!(
            shown,
            [
                ("template <class T> __global__ void k(T *p) { *p = {}; }", true),
                ("int x = {1};", false),
                ("struct S { void f() {} };", false),
                ("int g();", false)
            ]
        );
    }
}
