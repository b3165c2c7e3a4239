//! Rule cards: the documentation of a rule, read from `rules/<id>.md`.
//!
//! A card is front matter (`key: value` lines between two `---` lines), a title, and the sections
//! of [`SECTIONS`] in their order. It is the only copy of a rule's words: `explain`, report
//! metadata, hovers and the documentation all read it, and its examples run as tests.

use std::fmt;

use crate::finding::Level;

use super::marks::for_readers;

/// The sections of every card, in order.
pub const SECTIONS: [&str; 5] =
    ["What it detects", "Why it is undefined", "Examples", "How to fix", "What it cannot see"];

/// The keys of every card's front matter, in order.
pub const KEYS: [&str; 4] = ["code", "level", "since", "reference"];

/// The words after the level of a rule that is off by default.
const OFF: &str = ", off by default";

/// The documentation of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Card {
    /// The rule's id, which is the file's name: `arch-dependent-signature`.
    pub id: String,
    /// The short code: `CAL001`; `None` for a rule that is not built in.
    pub code: Option<String>,
    /// The level of its findings, unless a rule lowers that of one.
    pub level: Level,
    /// On by default.
    pub enabled: bool,
    /// The first version that had it; empty for a rule that is not built in.
    pub since: String,
    /// Where the restriction is written down; may be empty for a rule that is not built in.
    pub reference: String,
    /// The title, one line.
    pub title: String,
    /// The text under each of [`SECTIONS`], Markdown; in the examples comments stand for marks and settings.
    pub sections: [String; 5],
    /// The fenced examples of the third section.
    pub examples: Vec<Example>,
}

/// An example of a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Whether findings are expected in it.
    pub verdict: Verdict,
    /// The line of the card its fence opens on, from 1.
    pub line: usize,
    /// Its files, name and text, settings and marks included; one named `example.cu` unless
    /// `//- name` lines split it.
    pub files: Vec<(String, String)>,
}

/// Whether findings are expected in an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The rule's findings.
    Bad,
    /// Silence.
    Good,
}

/// Why a text is no card.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CardError {
    /// The line, from 1.
    pub line: usize,
    /// The problem there.
    pub message: String,
}

/// Reads a card.
///
/// # Errors
/// The first line that is not as cards are written.
pub fn read_card(id: &str, text: &str) -> Result<Card, CardError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut reader = Reader { lines: &lines, at: 0 };
    let [code, level, since, reference] = reader.front_matter()?;
    let (level, enabled) = match level.strip_suffix(OFF) {
        Some(level) => (level, false),
        None => (level.as_str(), true),
    };
    let level = read_level(level).ok_or_else(|| CardError {
        line: 3,
        message: format!("the level is `error`, `warning` or `note`, behind which `{OFF}` may stand"),
    })?;
    let title = reader.heading("# ")?;
    let mut sections: [String; 5] = Default::default();
    let mut examples = Vec::new();
    for (index, name) in SECTIONS.iter().enumerate() {
        let found = reader.heading("## ")?;
        if found != *name {
            return Err(reader.error(&format!("the section here is `{name}`, not `{found}`")));
        }
        let start = reader.at;
        sections[index] = reader.section();
        if *name == "Examples" {
            examples = read_examples(&lines[start..reader.at], start)?;
            sections[index] = for_readers(&sections[index]);
        }
    }
    if reader.at < lines.len() {
        return Err(reader.error("`What it cannot see` is the last section"));
    }
    let code = Some(code);
    Ok(Card { id: id.to_string(), code, level, enabled, since, reference, title, sections, examples })
}

impl Card {
    /// Whether this is the rule's id or code.
    pub fn goes_by(&self, name: &str) -> bool {
        self.id == name || self.code.as_ref().is_some_and(|code| code.eq_ignore_ascii_case(name))
    }

    /// The level in words: `note, off by default`.
    pub fn level_text(&self) -> String {
        format!("{}{}", level_name(self.level), if self.enabled { "" } else { OFF })
    }

    /// The text under a section's heading; empty for a heading no card has.
    pub fn section(&self, name: &str) -> &str {
        SECTIONS.iter().position(|section| *section == name).map_or("", |index| &self.sections[index])
    }
}

impl fmt::Display for Card {
    /// The card as `explain` prints it: Markdown, the front matter as a line of prose.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self.level_text();
        writeln!(f, "# {}\n", self.title)?;
        match &self.code {
            Some(code) => writeln!(f, "{} ({code}), level {level}, since {}", self.id, self.since)?,
            None => writeln!(f, "{}, level {level}, a custom rule", self.id)?,
        }
        if !self.reference.is_empty() {
            writeln!(f, "Reference: {}", self.reference)?;
        }
        for (name, text) in SECTIONS.iter().zip(&self.sections).filter(|(_, text)| !text.is_empty()) {
            writeln!(f, "\n## {name}\n\n{text}")?;
        }
        Ok(())
    }
}

/// A level's name as cards write it.
pub fn level_name(level: Level) -> &'static str {
    match level {
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn read_level(name: &str) -> Option<Level> {
    [Level::Note, Level::Warning, Level::Error].into_iter().find(|level| level_name(*level) == name)
}

struct Reader<'a> {
    lines: &'a [&'a str],
    at: usize,
}

impl Reader<'_> {
    /// An error at the line read last.
    fn error(&self, message: &str) -> CardError {
        CardError { line: self.at.max(1), message: message.to_string() }
    }

    fn next(&mut self) -> &str {
        let line = self.lines.get(self.at).copied().unwrap_or("");
        self.at += 1;
        line
    }

    fn front_matter(&mut self) -> Result<[String; 4], CardError> {
        if self.next() != "---" {
            return Err(self.error("a card opens with `---`"));
        }
        let mut values: [String; 4] = Default::default();
        for (value, key) in values.iter_mut().zip(KEYS) {
            match self.next().strip_prefix(key).and_then(|rest| rest.strip_prefix(':')) {
                Some(rest) if !rest.trim().is_empty() => *value = rest.trim().to_string(),
                _ => return Err(self.error(&format!("`{key}: …` stands here"))),
            }
        }
        if self.next() != "---" {
            return Err(self.error("the front matter ends with `---`"));
        }
        Ok(values)
    }

    /// The heading that the next line with text is.
    fn heading(&mut self, prefix: &str) -> Result<String, CardError> {
        while self.lines.get(self.at).is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
        match self.next().strip_prefix(prefix) {
            Some(text) => Ok(text.trim().to_string()),
            None => Err(self.error(&format!("a heading with `{}` stands here", prefix.trim()))),
        }
    }

    /// The text up to the next heading of a section; `#` inside a fence is no heading.
    fn section(&mut self) -> String {
        let start = self.at;
        let mut fenced = false;
        while let Some(line) = self.lines.get(self.at) {
            if !fenced && line.starts_with("## ") {
                break;
            }
            fenced ^= line.starts_with("```");
            self.at += 1;
        }
        self.lines[start..self.at].join("\n").trim().to_string()
    }
}

/// The fences of a section whose first line has the index `first` in the card.
fn read_examples(lines: &[&str], first: usize) -> Result<Vec<Example>, CardError> {
    let mut examples = Vec::new();
    let mut open: Option<(Verdict, usize, Vec<&str>)> = None;
    for (index, line) in lines.iter().enumerate() {
        let number = first + index + 1;
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => {
                let (verdict, line, text) = open.take().expect("it was just seen to be open");
                examples.push(Example { verdict, line, files: split_files(&text) });
            }
            (Some((_, _, text)), None) => text.push(line),
            (None, Some("cuda bad")) => open = Some((Verdict::Bad, number, Vec::new())),
            (None, Some("cuda good")) => open = Some((Verdict::Good, number, Vec::new())),
            (None, Some(_)) => {
                let message = "a fence here is `cuda bad` or `cuda good`".to_string();
                return Err(CardError { line: number, message });
            }
            (None, None) => {}
        }
    }
    match open {
        Some((_, line, _)) => Err(CardError { line, message: "the fence is not closed".into() }),
        None => Ok(examples),
    }
}

/// The files of an example, which `//- name` lines split.
fn split_files(lines: &[&str]) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in lines {
        if let Some(name) = line.strip_prefix("//- ") {
            files.push((name.trim().to_string(), String::new()));
            continue;
        }
        if files.is_empty() {
            files.push(("example.cu".to_string(), String::new()));
        }
        let (_, text) = files.last_mut().expect("one was just made sure of");
        text.push_str(line);
        text.push('\n');
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = "---\ncode: CAL009\nlevel: warning\nsince: 0.1.0\nreference: the guide\n---\n# Title\n\n\
        ## What it detects\n\nThis.\n\n## Why it is undefined\n\nThat.\n\n## Examples\n\n```cuda bad\n//@ rdc\n#if X\n\
        ## not a heading\n```\n\n```cuda good\n//- a.cu\nint a;\n//- b.cuh\nint b;\n```\n\n## How to fix\n\nSo.\n\n\
        ## What it cannot see\n\nMuch.\n";

    #[test]
    fn a_card_is_read() {
        let card = read_card("x", CARD).unwrap();
        assert_eq!(
            (card.code.as_deref().unwrap_or_default(), card.level, card.title.as_str()),
            ("CAL009", Level::Warning, "Title")
        );
        assert_eq!(card.section("What it cannot see"), "Much.");
        let bad = Example {
            verdict: Verdict::Bad,
            line: 19,
            files: vec![("example.cu".into(), "//@ rdc\n#if X\n## not a heading\n".into())],
        };
        let files = vec![("a.cu".into(), "int a;\n".into()), ("b.cuh".into(), "int b;\n".into())];
        assert_eq!(card.examples, [bad, Example { verdict: Verdict::Good, line: 25, files }]);
        assert!(card.to_string().starts_with("# Title\n\nx (CAL009), level warning, since 0.1.0\n"));
    }

    #[test]
    fn what_is_no_card_is_said_with_its_line() {
        let check = |from: &str, to: &str, expected: &str| {
            assert_eq!(read_card("x", &CARD.replacen(from, to, 1)).unwrap_err().to_string(), expected);
        };
        check(
            "level: warning",
            "level: bad",
            "line 3: the level is `error`, `warning` or `note`, behind which `, off by default` may stand",
        );
        check("since: 0.1.0\n", "", "line 4: `since: …` stands here");
        check("# Title", "Title", "line 7: a heading with `#` stands here");
        check("## How to fix", "## Fix", "line 32: the section here is `How to fix`, not `Fix`");
        check("```cuda good", "```c", "line 25: a fence here is `cuda bad` or `cuda good`");
        check("Much.\n", "Much.\n\n## More\n", "line 39: `What it cannot see` is the last section");
    }
}
