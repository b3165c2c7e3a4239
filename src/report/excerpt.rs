//! Source excerpts for codespan-reporting.
//!
//! Source text must not control the terminal: control characters and bidirectional overrides are replaced by
//! characters of the same number of bytes. Of a long line only the part around its labels is shown. A label is cut at
//! the end of its first line, since labels point at names.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use codespan_reporting::files::{Error, Files};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::source::{FileId, SourceFile, Sources, Span};

use super::paths::display_path;

/// The most bytes that are shown before and after the labels of a long line.
const CONTEXT: usize = 60;

/// The texts of the files that a report shows, made harmless once each.
#[derive(Debug, Default)]
pub(super) struct HarmlessTexts(RefCell<BTreeMap<FileId, Arc<str>>>);

impl HarmlessTexts {
    fn of(&self, file: &SourceFile) -> Arc<str> {
        let mut known = self.0.borrow_mut();
        Arc::clone(known.entry(file.id).or_insert_with(|| harmless(&file.text).into()))
    }
}

/// The files that one diagnostic points into.
#[derive(Debug)]
pub(super) struct Excerpts {
    /// The length in bytes above which a line is shown only in part.
    long: usize,
    links: Links,
    files: BTreeMap<FileId, Excerpt>,
}

/// Whether the names of files are links for a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Links {
    /// With the escape sequence OSC 8
    /// (<https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda>).
    Shown,
    /// Names alone.
    Plain,
}

/// The bytes of a path that stand for themselves in a URI.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A name that leads to a file.
fn link(path: &Path, name: &str) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let uri = utf8_percent_encode(&path.to_string_lossy(), PLAIN).to_string();
    format!("\u{1b}]8;;file://{uri}\u{1b}\\{name}\u{1b}]8;;\u{1b}\\")
}

#[derive(Debug)]
struct Excerpt {
    file: Arc<SourceFile>,
    /// The text with dangerous characters replaced; byte offsets are those of the original.
    text: Arc<str>,
    /// For each long line that has labels, the part to show.
    windows: BTreeMap<usize, Range<usize>>,
}

impl Excerpts {
    /// No files yet. Lines longer than `long` bytes will be shown only in part.
    pub(super) fn new(long: usize, links: Links) -> Excerpts {
        Excerpts { long, links, files: BTreeMap::new() }
    }

    /// Registers a label at `at` and returns its range: the first line of the span, and at least one byte unless
    /// that line is empty.
    pub(super) fn label(&mut self, sources: &Sources, texts: &HarmlessTexts, at: Span) -> Range<usize> {
        let excerpt = self.files.entry(at.file).or_insert_with(|| {
            let file = sources.file(at.file);
            let text = texts.of(&file);
            Excerpt { file, text, windows: BTreeMap::new() }
        });
        excerpt.label(at, self.long)
    }
}

impl Excerpt {
    fn label(&mut self, at: Span, long: usize) -> Range<usize> {
        let start = (at.start as usize).min(self.text.len());
        let line = self.file.line_index(start as u32);
        let bounds = self.line_bounds(line);
        let start = start.clamp(bounds.start, bounds.end);
        let end = (at.end as usize).clamp(start, bounds.end);
        let end = if end == start { self.ceil((start + 1).min(bounds.end)) } else { end };
        if bounds.len() > long {
            let context = CONTEXT.min(long / 3);
            let wanted = start.saturating_sub(context).max(bounds.start)..(end + context).min(bounds.end);
            let wanted = self.floor(wanted.start)..self.ceil(wanted.end);
            let window = self.windows.entry(line).or_insert_with(|| wanted.clone());
            *window = window.start.min(wanted.start)..window.end.max(wanted.end);
        }
        start..end
    }

    /// The byte range of a line, without its line break.
    fn line_bounds(&self, line: usize) -> Range<usize> {
        let start = self.file.line_start(line);
        let text = self.file.line_text(line);
        // A byte order mark is not part of the text.
        let mark = if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        start + mark..start + text.len()
    }

    fn floor(&self, at: usize) -> usize {
        (0..=at).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }

    fn ceil(&self, at: usize) -> usize {
        (at..=self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(self.text.len())
    }
}

/// [`harmless`] for text that must stay on one line, such as a file name.
pub(in crate::report) fn harmless_line(text: &str) -> String {
    harmless(text).replace(['\t', '\n'], "?")
}

/// Replaces each character that could control a terminal by one with the same number of bytes.
pub(in crate::report) fn harmless(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' => c,
            '\r' => ' ',
            '\u{0}'..='\u{1f}' | '\u{7f}' => '?',
            '\u{80}'..='\u{9f}' => '¿',
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                '\u{fffd}'
            }
            _ => c,
        })
        .collect()
}

impl<'a> Files<'a> for Excerpts {
    type FileId = FileId;
    type Name = String;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<String, Error> {
        let path = &self.excerpt(id)?.file.path;
        let name = harmless_line(&display_path(path));
        Ok(if self.links == Links::Shown { link(path, &name) } else { name })
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        Ok(&self.excerpt(id)?.text)
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        let excerpt = self.excerpt(id)?;
        Ok(excerpt.file.line_index(byte.min(excerpt.text.len()) as u32))
    }

    fn column_number(&'a self, id: FileId, _line: usize, byte: usize) -> Result<usize, Error> {
        let excerpt = self.excerpt(id)?;
        Ok(excerpt.file.line_column(byte.min(excerpt.text.len()) as u32).column as usize)
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let excerpt = self.excerpt(id)?;
        Ok(excerpt.windows.get(&line).cloned().unwrap_or_else(|| excerpt.line_bounds(line)))
    }
}

impl Excerpts {
    fn excerpt(&self, id: FileId) -> Result<&Excerpt, Error> {
        self.files.get(&id).ok_or(Error::FileMissing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_replaced_in_place() {
        let text = "a\u{1b}[31m\u{202e}b\u{85}\tc\r\n";
        assert_eq!(harmless(text), "a?[31m\u{fffd}b¿\tc \n");
        assert_eq!(harmless(text).len(), text.len());
    }

    #[test]
    fn a_byte_order_mark_is_not_shown() {
        let sources = Sources::new();
        let file = sources.add(Path::new("x.cu"), "\u{feff}int a;\nint b;\n".into());
        let mut excerpts = Excerpts::new(200, Links::Plain);
        assert_eq!(
            excerpts.label(&sources, &HarmlessTexts::default(), Span { file: file.id, start: 0, end: 6 }),
            3..6
        );
        assert_eq!(excerpts.line_range(file.id, 0).unwrap(), 3..9);
        assert_eq!(excerpts.line_range(file.id, 1).unwrap(), 10..16);
    }

    #[test]
    fn a_link_leads_to_the_file_and_has_no_escapes_of_its_own() {
        let shown = link(Path::new("/a b/\u{1b}.cu"), "x.cu");
        assert_eq!(shown, "\u{1b}]8;;file:///a%20b/%1B.cu\u{1b}\\x.cu\u{1b}]8;;\u{1b}\\");
    }

    #[test]
    fn a_name_stays_on_its_line() {
        assert_eq!(harmless_line("a\nb\t\u{1b}.cu"), "a?b??.cu");
    }

    #[test]
    fn of_a_long_line_the_labels_neighbourhood_is_shown() {
        let sources = Sources::new();
        let file =
            sources.add(Path::new("x.cu"), format!("int a;\n{}name{}\n", "é".repeat(300), "y".repeat(300)));
        let mut excerpts = Excerpts::new(200, Links::Plain);
        let start = 7 + 600;
        let label = excerpts.label(
            &sources,
            &HarmlessTexts::default(),
            Span { file: file.id, start, end: start + 4 },
        );
        assert_eq!(label, 607..611);
        assert_eq!(excerpts.line_range(file.id, 1).unwrap(), 547..671);
        assert_eq!(excerpts.line_range(file.id, 0).unwrap(), 0..6);
        assert_eq!(excerpts.column_number(file.id, 1, 607).unwrap(), 301);
        let across =
            excerpts.label(&sources, &HarmlessTexts::default(), Span { file: file.id, start: 4, end: 20 });
        assert_eq!(across, 4..6, "a label ends with its first line");
    }
}
