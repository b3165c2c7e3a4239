//! One pass's tokens as text, as a compiler's `-E` prints them.
//!
//! In: a preprocessed unit. Out: text whose tokens, lexed again, are the pass's tokens. Lines are those
//! of the source as far as that is cheap: like GCC, what a macro becomes stands on the line of its
//! name, and more than a few lines without a token are one line marker.

use std::sync::Arc;

use crate::source::{Loc, SourceFile, Sources, TokenKind};

use super::tokens::{Event, EventKind, PpToken};
use super::unit::Preprocessed;

/// Whether text is printed with GNU line markers, `# 12 "file.h" 1`: what follows is from line 12
/// of `file.h`; 1 says that the file begins, 2 that it goes on after a file it includes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineMarkers {
    /// With them.
    Written,
    /// Without.
    LeftOut,
}

/// A gap of so many lines or more is printed as a marker, not as empty lines.
const GAP: i64 = 8;

/// The text of pass number `pass`.
pub fn print(preprocessed: &Preprocessed, pass: usize, markers: LineMarkers, sources: &Sources) -> String {
    let mut printer = Printer {
        preprocessed,
        sources,
        markers,
        pass,
        text: String::new(),
        frames: Vec::new(),
        line: 1,
        previous: None,
    };
    let mut events = preprocessed.events().iter().peekable();
    for (index, token) in preprocessed.tokens().iter().enumerate() {
        while let Some(event) = events.next_if(|event| event.before <= index) {
            printer.event(event);
        }
        if token.passes.has(pass) {
            printer.token(token);
        }
    }
    events.for_each(|event| printer.event(event));
    printer.end_line();
    printer.text
}

/// A file between its begin and its end.
struct PrintedFile {
    file: Arc<SourceFile>,
    level: usize,
    /// The number of the line after the directive that includes it, in the file around.
    back: i64,
    /// The difference of line numbers that `#line` makes.
    shift: i64,
    name: String,
    /// The pass reads it.
    read: bool,
    /// A marker has said that it begins.
    announced: bool,
}

impl PrintedFile {
    fn line(&self, offset: u32) -> i64 {
        self.file.line_index(offset) as i64 + 1 + self.shift
    }
}

struct Printer<'a> {
    preprocessed: &'a Preprocessed,
    sources: &'a Sources,
    markers: LineMarkers,
    pass: usize,
    text: String,
    frames: Vec<PrintedFile>,
    /// The number of the line being printed, as the innermost file counts.
    line: i64,
    /// The last token, if the line being printed has one.
    previous: Option<PpToken>,
}

impl Printer<'_> {
    fn event(&mut self, event: &Event) {
        let here = event.passes.has(self.pass);
        match &event.kind {
            EventKind::Enter { file, level, directive } => {
                // What `-include` names begins before the main file but is entered after it.
                if self.frames.last().is_some_and(|around| around.level < *level) {
                    self.announce();
                }
                let around = self.frames.last();
                let back = around.zip(*directive).map_or(1, |(around, at)| around.line(at.end) + 1);
                let file = self.sources.file(*file);
                let name = file.path.display().to_string();
                let (level, shift) = (*level, 0);
                self.frames.push(PrintedFile {
                    file,
                    level,
                    back,
                    shift,
                    name,
                    read: here,
                    announced: false,
                });
            }
            EventKind::Leave => {
                self.announce();
                let Some(frame) = self.frames.pop().filter(|frame| frame.read) else { return };
                if self.frames.last().is_some_and(|around| around.announced) {
                    self.marker(frame.back, " 2");
                }
            }
            _ if !here => {}
            EventKind::Renumber { directive, number, name } => {
                self.announce();
                let Some(frame) = self.frames.last_mut() else { return };
                frame.shift = number - (frame.file.line_index(*directive) as i64 + 2);
                frame.name = name.clone().unwrap_or(std::mem::take(&mut frame.name));
                self.marker(*number, "");
            }
            EventKind::Directive(text, at) => {
                self.announce();
                self.go_to(*at);
                self.end_line();
                self.text.push_str(text);
                self.break_line(text);
            }
        }
    }

    fn token(&mut self, token: &PpToken) {
        self.announce();
        self.go_to(self.place(token));
        let text = token.text.as_str();
        match &self.previous {
            Some(previous) if takes_line(previous) => self.end_line(),
            Some(previous) if token.space_before || separate(previous, token) => self.text.push(' '),
            // Not in the first column, where it would begin a directive.
            None if text == "#" => self.text.push(' '),
            _ => {}
        }
        self.text.push_str(text);
        self.line += text.bytes().filter(|byte| *byte == b'\n').count() as i64;
        self.previous = Some(*token);
    }

    /// Where a token is printed: for what a macro gives, the name that invoked it in the source.
    fn place(&self, token: &PpToken) -> Loc {
        let Some(mut id) = token.expansion else { return token.at.loc() };
        while let Some(above) = self.preprocessed.expansion(id).parent {
            id = above;
        }
        self.preprocessed.expansion(id).invoked
    }

    /// Goes to the line of a place, if the one being printed is another.
    fn go_to(&mut self, at: Loc) {
        let Some(frame) = self.frames.last().filter(|frame| frame.file.id == at.file) else { return };
        let line = frame.line(at.offset);
        if line == self.line || self.previous.is_some_and(|token| token.text.as_str() == "\\") {
            return;
        }
        self.end_line();
        let gap = line - self.line;
        match self.markers {
            LineMarkers::LeftOut => self.line = line,
            LineMarkers::Written if (0..GAP).contains(&gap) => {
                self.text.extend(std::iter::repeat_n('\n', usize::try_from(gap).unwrap_or(0)));
                self.line = line;
            }
            LineMarkers::Written => self.marker(line, ""),
        }
    }

    /// Says that the innermost file begins, unless that was said or the pass does not read it.
    fn announce(&mut self) {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.read && !frame.announced) else {
            return;
        };
        frame.announced = true;
        let flag = if frame.level == 0 { "" } else { " 1" };
        self.marker(1, flag);
    }

    /// Line `line` of the innermost file comes next.
    fn marker(&mut self, line: i64, flag: &str) {
        self.end_line();
        self.line = line;
        let Some(frame) = self.frames.last().filter(|_| self.markers == LineMarkers::Written) else { return };
        let name = frame.name.replace('\\', "\\\\").replace('"', "\\\"");
        self.text += &format!("# {line} \"{name}\"{flag}\n");
    }

    fn end_line(&mut self) {
        if self.previous.is_some() {
            self.break_line("");
        }
    }

    /// Ends a line that `text` stands on besides what was counted.
    fn break_line(&mut self, text: &str) {
        self.text.push('\n');
        self.previous = None;
        self.line += 1 + text.bytes().filter(|byte| *byte == b'\n').count() as i64;
    }
}

/// Nothing can follow on its line: a quote that nothing closes.
fn takes_line(token: &PpToken) -> bool {
    token.kind == TokenKind::Other && token.text.as_str().contains(['"', '\''])
}

/// Whether a blank must stand between two tokens, lest they are lexed as others ([lex.pptoken]/3.3).
/// Errs towards the blank.
fn separate(left: &PpToken, right: &PpToken) -> bool {
    let (before, after) = (left.text.as_str(), right.text.as_str());
    let next = after.bytes().next().unwrap_or(0);
    let is_word = next.is_ascii_alphanumeric() || matches!(next, b'_' | b'$' | 0x80..);
    let is_quote = matches!(next, b'"' | b'\'');
    match left.kind {
        TokenKind::Identifier => {
            is_word || is_quote && matches!(before, "L" | "u" | "U" | "u8" | "R" | "LR" | "uR" | "UR" | "u8R")
        }
        TokenKind::Number => {
            is_word
                || matches!(next, b'.' | b'\'')
                || matches!(next, b'+' | b'-') && before.ends_with(EXPONENT)
        }
        TokenKind::String | TokenKind::Character => is_word,
        TokenKind::Punctuator => {
            let after_it = |known: &&str| known.strip_prefix(before)?.bytes().next();
            before == "." && next.is_ascii_digit()
                || PREFIXED.iter().any(|known| after_it(known) == Some(next))
        }
        TokenKind::Other => false,
    }
}

/// After these a sign belongs to a number.
const EXPONENT: [char; 4] = ['e', 'E', 'p', 'P'];

/// Punctuators that begin as a shorter one does, comments and digraphs included.
const PREFIXED: &[&str] = &[
    "<=>", "->*", "...", "<<=", ">>=", "<<", ">>", "<=", ">=", "->", ".*", "::", "++", "--", "+=", "-=",
    "*=", "/=", "%=", "^=", "&=", "|=", "==", "!=", "&&", "||", "##", "//", "/*", "<:", "<%", "%>", ":>",
    "%:",
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::preprocess::preprocess_like_nvcc;
    use crate::project::TranslationUnit;
    use crate::source::lex;
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    /// The text of the host pass of the first file.
    fn printed(files: &[(&str, &str)], markers: LineMarkers) -> (Preprocessed, String) {
        let sources = Sources::new();
        for (name, text) in files {
            sources.add(Path::new(name), (*text).to_string());
        }
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let preprocessed = preprocess_like_nvcc(
            &TranslationUnit::new(Path::new(files[0].0), passes),
            &sources,
            &Arc::default(),
        );
        let text = print(&preprocessed, 0, markers, &sources);
        (preprocessed, text)
    }

    /// The lines after those of the runtime's header, with and without markers.
    fn check(files: &[(&str, &str)], marked: &str, plain: &str) {
        let (_, text) = printed(files, LineMarkers::Written);
        let (_, behind) = text.split_once("# 1 \"a.cu\" 2\n").expect("the runtime's header ends");
        assert_eq!(behind, marked);
        let (_, of_runtime) = printed(&[("a.cu", "")], LineMarkers::LeftOut);
        let text = printed(files, LineMarkers::LeftOut).1;
        assert_eq!(text.strip_prefix(&of_runtime), Some(plain));
    }

    /// Printed text is lexed again as the tokens that it was printed from.
    fn check_tokens(text: &str) {
        let (preprocessed, printed) = printed(&[("a.cu", text)], LineMarkers::LeftOut);
        let kept: Vec<_> = preprocessed.tokens().iter().filter(|token| token.passes.has(0)).collect();
        let again = lex(&printed);
        let texts = again.iter().map(|token| (token.kind, token.text));
        assert!(
            kept.iter().map(|token| (token.kind, token.text)).eq(texts),
            "{text}\nis printed as\n{printed}"
        );
    }

    #[test]
    fn lines_are_those_of_the_source() {
        check(&[("a.cu", "int a;\n\n  int b;\n")], "int a;\n\nint b;\n", "int a;\nint b;\n");
        check(
            &[("a.cu", "a\n\n\n\n\n\n\n\nb\n\n\n\n\n\n\n\n\nc\n")],
            "a\n\n\n\n\n\n\n\nb\n# 18 \"a.cu\"\nc\n",
            "a\nb\nc\n",
        );
    }

    #[test]
    fn files_begin_and_end_with_markers() {
        check(
            &[("a.cu", "a\n#include \"b.h\"\nc\n"), ("b.h", "\nb\n#include \"e.h\"\n"), ("e.h", "")],
            "a\n# 1 \"b.h\" 1\n\nb\n# 1 \"e.h\" 1\n# 4 \"b.h\" 2\n# 3 \"a.cu\" 2\nc\n",
            "a\nb\nc\n",
        );
    }

    #[test]
    fn a_pass_has_no_markers_of_files_it_does_not_read() {
        let files = [("a.cu", "#ifdef __CUDA_ARCH__\n#include \"b.h\"\n#endif\nc\n"), ("b.h", "b\n")];
        check(&files, "\n\n\nc\n", "c\n");
    }

    #[test]
    fn what_a_macro_becomes_stands_on_the_line_of_its_name() {
        let text = "#define TWO(x, y) x +\\\n y\nTWO(1,\n2) a\nb\n";
        check(&[("a.cu", text)], "\n\n1 + 2\na\nb\n", "1 + 2\na\nb\n");
    }

    #[test]
    fn line_directives_number_anew() {
        check(
            &[("a.cu", "a\n#line 7 \"x\\\\y.h\"\nb\n# 90\nc\n")],
            "a\n# 7 \"x\\\\y.h\"\nb\n# 90 \"x\\\\y.h\"\nc\n",
            "a\nb\nc\n",
        );
    }

    #[test]
    fn directives_for_the_compiler_are_left() {
        let text =
            "#pragma once\n#pragma unroll 4\n#define U(n) x; _Pragma(#n) y\nU(unroll 2) z\n#ident \"i\"\n";
        check(
            &[("a.cu", text)],
            "\n#pragma unroll 4\n\nx;\n#pragma unroll 2\n# 4 \"a.cu\"\ny z\n#ident \"i\"\n",
            "#pragma unroll 4\nx;\n#pragma unroll 2\ny z\n#ident \"i\"\n",
        );
    }

    #[test]
    fn tokens_of_expansions_are_kept_apart() {
        check_tokens(
            "#define E\n#define M(x) -x\n#define X x\n- E- E-- M(-1) a E b 1 E 2 . E . E . < E : :\n",
        );
        check_tokens(
            "#define J(a, b) a b\n#define K(a, b) a ## b\nJ(u,\"s\") J(L,'c') J(\"s\",_x) J(1e,+1) J(#,x)\n",
        );
        check_tokens("#define H #\nH\nH define x\nx\n");
        check_tokens("#define B(x) x\nB(\\)\na\nB('t)\nb don't\nc R\"(\n\n)\" d\n");
    }

    #[test]
    fn no_neighbours_become_other_tokens() {
        let words = [
            "a", "u8", "L", "R", "1", "1e", "0x1p", ".5", "\"s\"", "'c'", "\"s\"_x", "u8\"s\"", "<", ">",
            "<<", ">>", "=", "==", "<=", "<=>", "&", "&&", "|", "||", "+", "++", "-", "--", "->", "->*", "*",
            "/", "%", ":", "::", ".", "...", ".*", "#", "##", "!", "^", "~", "?", "[", "]", "{", "}", ",",
            ";", "@",
        ];
        // No white space stands between what invocations in a row become.
        let mut text = String::from("#define I(...) __VA_ARGS__\n");
        for (index, one) in words.iter().enumerate() {
            for other in words {
                let third = words[(index * 7 + other.len()) % words.len()];
                text += &format!("I({one})I({other})I({third})I({other})\n");
            }
        }
        check_tokens(&text);
    }
}
