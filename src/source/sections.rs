//! A source file split at its directives ([cpp.pre]): text lines, directive, text lines, directive, …, text lines.
//!
//! The split is found by a scan that looks at little more than line ends and quotes. The tokens of a part are lexed
//! when they are first asked for, so a group that every pass skips is never lexed.

use std::ops::Range;
use std::sync::OnceLock;

use wide::u8x16;

use super::characters::{continues_identifier, is_blank, starts_identifier};
use super::lex::{Token, lex_part};
use super::scanner::TextScanner;
use super::symbol::sym;

/// A file's text split at its directives.
#[derive(Debug)]
pub struct Sections {
    directives: Vec<Directive>,
    /// The text lines before each directive and after the last: one more than there are directives.
    runs: Vec<Run>,
    unterminated: Vec<Unterminated>,
}

/// A comment or literal that is not closed where it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unterminated {
    /// Its kind.
    pub kind: UnterminatedKind,
    /// Byte offset of its first character; of a literal, that of its quote.
    pub start: u32,
    /// Byte offset of its end, that of its line; of a comment, that of its `/*`.
    pub end: u32,
}

/// The kinds of text that must be closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnterminatedKind {
    /// `/*` without `*/`, up to the end of the file.
    Comment,
    /// A raw string without a valid delimiter or without its end; it is read as an ordinary literal.
    RawString,
    /// A quote without another on its line.
    Literal,
}

#[derive(Debug)]
struct Directive {
    part: Range<u32>,
    /// For `#if`, `#elif` and `#else`: the `#elif`, `#else` or `#endif` that ends the group it opens.
    next: Option<u32>,
    tokens: OnceLock<Box<[Token]>>,
}

#[derive(Debug)]
struct Run {
    part: Range<u32>,
    tokens: OnceLock<Box<[Token]>>,
}

impl Sections {
    pub(super) fn new(text: &str) -> Sections {
        let lexer = TextScanner::new(text, TextScanner::first(text));
        let (found, unterminated) = Scanner { lexer, unterminated: Vec::new() }.directives();
        let mut from = TextScanner::first(text) as u32;
        let mut runs = Vec::with_capacity(found.len() + 1);
        let mut directives = Vec::with_capacity(found.len());
        let mut open: Vec<usize> = Vec::new();
        for (index, (part, kind)) in found.into_iter().enumerate() {
            runs.push(Run { part: from..part.start, tokens: OnceLock::new() });
            from = part.end;
            if matches!(kind, Kind::Group | Kind::End)
                && let Some(opener) = open.pop()
            {
                let opener: &mut Directive = &mut directives[opener];
                opener.next = Some(index as u32);
            }
            if matches!(kind, Kind::If | Kind::Group) {
                open.push(index);
            }
            directives.push(Directive { part, next: None, tokens: OnceLock::new() });
        }
        runs.push(Run { part: from..text.len() as u32, tokens: OnceLock::new() });
        Sections { directives, runs, unterminated }
    }

    /// The comments and literals that are not closed, those of directives and skipped groups included, in order.
    pub fn unterminated(&self) -> &[Unterminated] {
        &self.unterminated
    }

    /// The number of directives.
    pub fn directives(&self) -> usize {
        self.directives.len()
    }

    /// The tokens of directive number `index`, starting with `#`. `text` is the file's text.
    pub fn directive(&self, index: usize, text: &str) -> &[Token] {
        let Directive { part, tokens, .. } = &self.directives[index];
        tokens.get_or_init(|| lex_part(text, part.start as usize..part.end as usize).into())
    }

    /// The tokens of the text lines before directive number `index`; with `index` equal to the number of directives,
    /// of those after the last. `text` is the file's text.
    pub fn run(&self, index: usize, text: &str) -> &[Token] {
        let Run { part, tokens } = &self.runs[index];
        tokens.get_or_init(|| lex_part(text, part.start as usize..part.end as usize).into())
    }

    /// The byte range of the same text lines.
    pub(super) fn run_part(&self, index: usize) -> Range<usize> {
        let Run { part, .. } = &self.runs[index];
        part.start as usize..part.end as usize
    }

    /// The directive (`#elif`, `#else`, `#endif`) that ends the group which `directive` opens.
    pub fn group_end(&self, directive: usize) -> Option<usize> {
        self.directives[directive].next.map(|next| next as usize)
    }
}

/// The effect of a directive on the nesting of conditionals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Opens a conditional.
    If,
    /// Begins another group of the innermost conditional.
    Group,
    /// Ends the innermost conditional.
    End,
    Other,
}

/// What a quote is part of, besides the literal that it may begin.
enum Word {
    /// Nothing.
    None,
    /// The encoding prefix that begins here.
    Prefix(usize),
    /// A number, which it separates the digits of, that ends here.
    Number(usize),
}

struct Scanner<'t> {
    lexer: TextScanner<'t>,
    unterminated: Vec<Unterminated>,
}

impl Scanner<'_> {
    /// The extent of each directive, from its `#` to the end of its line (without the line feed), and its kind.
    fn directives(mut self) -> (Vec<(Range<u32>, Kind)>, Vec<Unterminated>) {
        let mut found = Vec::new();
        let bytes = self.lexer.text.as_bytes();
        let (mut at, mut floor) = (self.lexer.at, self.lexer.at);
        // Only white space stands between this offset and the next token.
        let mut blank = at;
        loop {
            at += stop(bytes.get(at..).unwrap_or_default(), b"#%/\"'");
            match self.lexer.byte(at) {
                b'#' | b'%' => {
                    let hash = self.lexer.punctuator(at).filter(|(text, _)| *text == sym::HASH);
                    match hash.filter(|_| self.begins_line(at, blank)) {
                        Some((_, after)) => {
                            let end = self.end_of_line(at);
                            found.push((at as u32..end as u32, self.kind(after, end)));
                            (at, floor) = (end, end);
                        }
                        // `##` is one token, not a `#` that could begin a directive.
                        None => at = self.lexer.punctuator(at).map_or(at + 1, |(_, after)| after),
                    }
                }
                b'/' => {
                    let end = self.after(at, &mut floor);
                    if end > at + 1 && self.begins_line(at, blank) {
                        blank = end;
                    }
                    at = end;
                }
                _ if at >= bytes.len() => return (found, self.unterminated),
                _ => at = self.after(at, &mut floor),
            }
        }
    }

    /// Whether only white space precedes `at` on its logical line; known for offsets from `blank` on.
    fn begins_line(&self, mut at: usize, blank: usize) -> bool {
        let bytes = self.lexer.text.as_bytes();
        loop {
            at = before(bytes, at, |byte| byte == 0 || is_blank(byte));
            if at <= blank {
                return true;
            }
            match self.splice_before(at) {
                Some(splice) => at = splice,
                None => return bytes[at - 1] == b'\n',
            }
        }
    }

    /// The end of the logical line that contains `at`; a comment may extend it over several lines.
    fn end_of_line(&mut self, mut at: usize) -> usize {
        let bytes = self.lexer.text.as_bytes();
        let mut floor = at;
        loop {
            at += stop(bytes.get(at..).unwrap_or_default(), b"\n/\\\"'");
            match self.lexer.byte(at) {
                b'\n' => return at,
                b'\\' => at = self.lexer.after_splices(at).max(at + 1),
                _ if at >= bytes.len() => return bytes.len(),
                _ => at = self.after(at, &mut floor),
            }
        }
    }

    /// The end of the comment or literal that begins with the slash or quote at `at`; if none begins there, `at + 1`.
    /// `floor` is the end of the previous literal, which cannot contain the prefix of this one.
    fn after(&mut self, mut at: usize, floor: &mut usize) -> usize {
        let lexer = &self.lexer;
        let bytes = lexer.text.as_bytes();
        let start = at;
        let mut open = None;
        match bytes[at] {
            b'/' => {
                at = match lexer.next_byte(at + 1) {
                    (b'/', after) => lexer.line_end(after),
                    (b'*', after) => lexer.comment_end(after).unwrap_or_else(|| {
                        open = Some(UnterminatedKind::Comment);
                        bytes.len()
                    }),
                    _ => at + 1,
                };
                *floor = at;
            }
            b'"' | b'\'' => {
                let word = match self.word_at(at, *floor) {
                    Word::Number(end) => {
                        *floor = end;
                        return end;
                    }
                    Word::Prefix(word) => Some(word),
                    Word::None => None,
                };
                let literal = lexer.literal_end(word.unwrap_or(at), at);
                open = match literal.closed {
                    _ if word.is_some() && bytes[at - 1] == b'R' && !literal.raw => {
                        Some(UnterminatedKind::RawString)
                    }
                    false => Some(UnterminatedKind::Literal),
                    true => None,
                };
                at = literal.end;
                *floor = at;
            }
            _ => at += 1,
        }
        if let Some(kind) = open {
            let end = if kind == UnterminatedKind::Comment { start + 2 } else { at };
            self.unterminated.push(Unterminated { kind, start: start as u32, end: end as u32 });
        }
        at
    }

    /// The identifier or number that the quote at `quote` belongs to.
    fn word_at(&self, quote: usize, floor: usize) -> Word {
        let lexer = &self.lexer;
        let bytes = lexer.text.as_bytes();
        let part =
            |byte: u8| continues_identifier(byte) || matches!(byte, b'.' | b'\'' | b'+' | b'-' | b'\\');
        let mut word = quote;
        loop {
            word = before(bytes, word, part).max(floor);
            match self.splice_before(word) {
                Some(splice) if splice >= floor => word = splice,
                _ => break,
            }
        }
        // There may be several tokens: `a.1e+R` are two.
        while word < quote {
            let (first, after) = lexer.next_byte(word);
            if first.is_ascii_digit() || first == b'.' && lexer.next_byte(after).0.is_ascii_digit() {
                word = lexer.number_end(word);
                if word > quote {
                    return Word::Number(word);
                }
            } else if starts_identifier(first) || first == b'\\' && lexer.universal(after - 1).is_some() {
                if lexer.literal_quote(word) == Some(quote) {
                    return Word::Prefix(word);
                }
                word = lexer.identifier_end(word);
            } else {
                word = after;
            }
        }
        Word::None
    }

    /// The start of the line splice that ends at `at`.
    fn splice_before(&self, at: usize) -> Option<usize> {
        let bytes = self.lexer.text.as_bytes();
        let line = at.checked_sub(1).filter(|line| bytes[*line] == b'\n')?;
        let end = before(bytes, line, is_blank);
        end.checked_sub(1).filter(|slash| bytes[*slash] == b'\\')
    }

    /// The kind of the directive whose `#` ends at `at`.
    fn kind(&self, at: usize, end: usize) -> Kind {
        let mut lexer = TextScanner::new(&self.lexer.text[..end], at);
        lexer.skip_space();
        let name = lexer.text.get(lexer.at..lexer.identifier_end(lexer.at)).unwrap_or_default();
        let spliced = name.contains('\\').then(|| super::lex::lex(name));
        let text = match spliced.as_deref() {
            Some([token, ..]) => token.text.as_str(),
            _ => name,
        };
        match text {
            "if" | "ifdef" | "ifndef" => Kind::If,
            "elif" | "elifdef" | "elifndef" | "else" => Kind::Group,
            "endif" => Kind::End,
            _ => Kind::Other,
        }
    }
}

/// The start of the bytes that satisfy `such` and end at `at`.
fn before(bytes: &[u8], at: usize, such: impl Fn(u8) -> bool) -> usize {
    at - bytes[..at].iter().rev().take_while(|byte| such(**byte)).count()
}

/// The index of the first byte that is one of `stops`, or the number of bytes.
#[inline]
fn stop(bytes: &[u8], stops: &[u8; 5]) -> usize {
    // Sixteen bytes at a time cost as much as one.
    let (words, rest) = bytes.as_chunks::<16>();
    for (index, word) in words.iter().enumerate() {
        let word = u8x16::new(*word);
        let is = |stop: u8| word.simd_eq(u8x16::splat(stop));
        let found = is(stops[0]) | is(stops[1]) | is(stops[2]) | is(stops[3]) | is(stops[4]);
        let found = found.to_bitmask();
        if found != 0 {
            return 16 * index + found.trailing_zeros() as usize;
        }
    }
    16 * words.len() + rest.iter().position(|byte| stops.contains(byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::super::lex::lex;
    use super::*;

    /// The parts, one per line, each directive with the end of its group. Their tokens must be those of the whole
    /// text.
    fn check(text: &str, expected: &[&str]) {
        let sections = Sections::new(text);
        let words =
            |tokens: &[Token]| tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        let (mut shown, mut all) = (Vec::new(), Vec::new());
        for index in 0..=sections.directives() {
            let run = sections.run(index, text);
            if !run.is_empty() {
                shown.push(words(run));
            }
            all.extend_from_slice(run);
            if index < sections.directives() {
                let directive = sections.directive(index, text);
                let end = sections.group_end(index).map_or(String::new(), |end| format!(" -> {end}"));
                shown.push(words(directive) + &end);
                all.extend_from_slice(directive);
            }
        }
        assert_eq!(shown, expected);
        // White space before the `#` of a directive belongs to neither part.
        let place = |token: &Token| (token.text, token.line_start, token.offset, token.end);
        assert!(all.iter().map(place).eq(lex(text).iter().map(place)));
    }

    #[test]
    fn text_and_directives_take_turns() {
        check(
            "a\n#define X \\\n 1 // c\nb; c\n  # if X\nd\n#else\n#endif",
            &["a", "# define X 1", "b ; c", "# if X -> 2", "d", "# else -> 3", "# endif"],
        );
    }

    #[test]
    fn a_hash_counts_only_where_a_line_begins() {
        check(
            "a # if\n/* c\n */ # if 1\n%: endif\n## if\n\\\n#if\n",
            &["a # if", "# if 1 -> 1", "# endif", "## if", "# if"],
        );
    }

    #[test]
    fn literals_and_comments_hide_directives() {
        let text = "R\"(\n#if\n)\" \"\\\n#if\" '\"' /*\n#if\n*/ 1'0 LR\"x(\n#if)\"\n#if)x\" u8'\"'\n#a\n";
        let run = "R\"(\n#if\n)\" \"#if\" '\"' 1'0 LR\"x(\n#if)\"\n#if)x\" u8'\"'";
        check(text, &[run, "# a"]);
        check("don't \"\n#a\n0x'/*\n#b\n'*/'", &["don 't \"", "# a", "0x '/*", "# b", "'*/'"]);
        check("\"a\"_x'\"' u'a'b'\"'\n#a", &["\"a\"_x '\"' u'a'b '\"'", "# a"]);
        check("a.R\"(\n#)\" .'\"' 1e+R\"(\"\n#a", &["a . R\"(\n#)\" . '\"' 1e+R \"(\"", "# a"]);
    }

    #[test]
    fn lines_of_any_length_end_where_they_end() {
        for length in 0..70 {
            let line = format!("y {}", "x".repeat(length));
            let line = line.trim_end();
            check(
                &format!("{line};\n#a\n{line}//\n{line};"),
                &[&format!("{line} ;"), "# a", &format!("{line} {line} ;")],
            );
        }
    }

    #[test]
    fn white_space_before_a_hash_may_be_comments_and_splices() {
        check("a\\\n#b\n \\ \n\\\n #c\n", &["a # b", "# c"]);
        check("/* a */ /*\n*/ #b\nc /* d */ #e\n/* f */ g #h\n// i\n\0#j", &["# b", "c # e g # h", "# j"]);
        check("<%:\n%:a\n a %:b\nc % d\n%:%:\n##\n###e", &["{ :", "# a", "a # b c % d ## ## ## # e"]);
    }

    #[test]
    fn the_cut_is_where_the_lexer_sees_directives() {
        const PARTS: &[&str] = &[
            "#", "%", ":", "/", "*", "\"", "'", "\\", "\n", "\n", " ", "\t", "R\"(", ")\"", "a", "u8", "0",
            "//", "/*", "*/", "\\\n", "\n#", "#if", "\0", "<", ".", "e+", "-", "\\u00e9",
        ];
        for seed in 0..20_000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let text: String = (0..random.usize(1..24)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
            let sections = Sections::new(&text);
            let mut found = Vec::new();
            for index in 0..=sections.directives() {
                found.extend(sections.run(index, &text).iter().map(|token| (*token, false)));
                if index < sections.directives() {
                    found.extend(sections.directive(index, &text).iter().map(|token| (*token, true)));
                }
            }
            let mut inside = false;
            let expected: Vec<_> = lex(&text)
                .into_iter()
                .map(|token| {
                    inside = if token.line_start { token.text == sym::HASH } else { inside };
                    (token, inside)
                })
                .collect();
            let plain = |list: &[(Token, bool)]| -> Vec<_> {
                list.iter().map(|(token, inside)| (token.text, token.offset, token.end, *inside)).collect()
            };
            assert_eq!(plain(&found), plain(&expected), "seed {seed}: {text:?}");
        }
    }

    #[test]
    fn a_comment_may_carry_a_directive_on() {
        check(
            "#if /*\n*/ 1\na\n#else // \\\n#if\nb\n#endif",
            &["# if 1 -> 1", "a", "# else -> 2", "b", "# endif"],
        );
    }
}
