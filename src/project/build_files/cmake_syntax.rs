//! The commands of a `CMakeLists.txt` (cmake-language(7), "Syntax").
//!
//! In: its text. Out: commands with their arguments, which are not expanded. Knows no command.

use std::ops::Range;

/// `name(arguments)`.
pub(super) struct Command {
    /// In lower case: CMake's commands are case-insensitive.
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
}

/// An argument without its quotes.
pub(super) struct Argument {
    pub(super) text: String,
    pub(super) bytes: Range<usize>,
}

/// The commands of a file, in order (cmake-language(7), "Syntax").
pub(super) fn commands(text: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut at = 0;
    let mut name = 0..0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '#' => at = after_comment(text, at),
            '(' => {
                let (arguments, end) = arguments(text, at + 1);
                commands.push(Command { name: text[name.clone()].to_ascii_lowercase(), arguments });
                at = end;
            }
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let length = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                name = at..at + length.unwrap_or(text.len() - at);
                at = name.end;
            }
            c => at += c.len_utf8(),
        }
    }
    commands
}

/// The arguments after the `(` that ends at byte `from`, and the byte after the matching `)`.
fn arguments(text: &str, from: usize) -> (Vec<Argument>, usize) {
    let (mut arguments, mut at, mut depth) = (Vec::new(), from, 1);
    while let Some(c) = text[at..].chars().next() {
        match c {
            ')' if depth == 1 => return (arguments, at + 1),
            '(' | ')' => {
                arguments.push(Argument { text: c.to_string(), bytes: at..at + 1 });
                depth = if c == '(' { depth + 1 } else { depth - 1 };
                at += 1;
            }
            '#' => at = after_comment(text, at),
            '"' => {
                let length = closing_quote(&text[at + 1..]);
                let inner = at + 1..at + 1 + length;
                arguments.push(Argument { text: text[inner.clone()].to_string(), bytes: inner.clone() });
                at = (inner.end + 1).min(text.len());
            }
            c if c.is_whitespace() => at += c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '#');
                let length = text[at..].find(ends).unwrap_or(text.len() - at);
                let bytes = at..at + length;
                arguments.push(Argument { text: text[bytes.clone()].to_string(), bytes: bytes.clone() });
                at = bytes.end;
            }
        }
    }
    (arguments, text.len())
}

/// The number of bytes before the closing quote.
fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    text.len()
}

/// The byte after a comment, which extends to the end of the line or from `#[[` to `]]`.
fn after_comment(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let end = match rest.strip_prefix("#[[") {
        Some(_) => rest.find("]]").map(|end| end + 2),
        None => rest.find('\n'),
    };
    at + end.unwrap_or(rest.len())
}
