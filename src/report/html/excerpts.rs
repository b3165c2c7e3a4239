//! The code that a finding points at: the lines around each place, in one picture where places are near each other.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::Finding;
use crate::report::text::decides;
use crate::report::{Line, Report, display_path, first_line};
use crate::source::{FileId, SourceFile};

use super::escape::{code, escaped};

/// Lines shown before and after a line that a finding points at.
const CONTEXT: usize = 3;
/// More characters of a line than this are not shown before, in and after a marked place.
const LONGEST_LINE: usize = 200;

/// Some lines of a file, and the places among them.
struct Picture {
    file: FileId,
    /// The first line and the last, from 0.
    lines: (usize, usize),
    places: Vec<(Line, String)>,
}

/// Writes the code to change first, then what decides, then the other places.
pub(super) fn write(report: &Report<'_>, finding: &Finding, out: &mut dyn WriteColor) -> io::Result<()> {
    for picture in pictures(report, finding) {
        let file = report.sources.file(picture.file);
        writeln!(out, "<figure><figcaption>")?;
        for (at, label) in &picture.places {
            let path = escaped(&display_path(&file.path));
            writeln!(out, "<span>{path}:{} — {}</span>", at.line, code(label))?;
        }
        write!(out, "</figcaption><pre class=\"code\">")?;
        for number in picture.lines.0..=picture.lines.1 {
            line(&file, number, &picture.places, out)?;
        }
        writeln!(out, "</pre></figure>")?;
    }
    Ok(())
}

/// The places of a finding; those whose lines meet in one picture.
fn pictures(report: &Report<'_>, finding: &Finding) -> Vec<Picture> {
    let primary = (finding.primary.at, finding.primary.text.clone());
    let deciding = finding.deciding.as_ref().map(|one| (one.at, decides(one, &finding.passes)));
    let related = finding.related.iter().map(|one| (one.at, one.text.clone()));
    let mut pictures: Vec<Picture> = Vec::new();
    for (at, label) in [primary].into_iter().chain(deciding).chain(related) {
        let place = first_line(report, at);
        let line = place.line as usize - 1;
        let last = report.sources.file(at.file).line_count().saturating_sub(1);
        let lines = (line.saturating_sub(CONTEXT), (line + CONTEXT).min(last));
        let mut new = Picture { file: at.file, lines, places: vec![(place, label)] };
        // What the new lines meet becomes one picture with them, where the first of it was.
        let meets = |known: &Picture, new: &Picture| {
            known.file == new.file && known.lines.0 <= new.lines.1 + 1 && new.lines.0 <= known.lines.1 + 1
        };
        let mut at = pictures.len();
        while let Some(index) = pictures.iter().position(|known| meets(known, &new)) {
            let known = pictures.remove(index);
            new.lines = (new.lines.0.min(known.lines.0), new.lines.1.max(known.lines.1));
            new.places.extend(known.places);
            at = at.min(index);
        }
        new.places.sort_by_key(|(place, _)| place.line);
        pictures.insert(at, new);
    }
    pictures
}

/// A line with the places on it marked.
fn line(
    file: &SourceFile,
    number: usize,
    places: &[(Line, String)],
    out: &mut dyn WriteColor,
) -> io::Result<()> {
    let text: Vec<char> = file.line_text(number).chars().collect();
    let mut marks: Vec<(usize, usize)> = places
        .iter()
        .filter(|(at, _)| at.line as usize == number + 1)
        .map(|(at, _)| (at.column as usize - 1, (at.end as usize - 1).min(text.len())))
        .collect();
    marks.sort_unstable();
    let part = |from: usize, to: usize| {
        escaped(&text[from..to.max(from)].iter().take(LONGEST_LINE).collect::<String>())
    };
    let class = if marks.is_empty() { "" } else { " class=\"here\"" };
    write!(out, "<span{class}><i>{}</i>", number + 1)?;
    // A byte order mark is no part of the text.
    let mut shown = usize::from(number == 0 && text.first() == Some(&'\u{feff}'));
    for (from, to) in marks {
        // Two places may be one, or one part of another.
        if from >= shown && from <= to {
            write!(out, "{}<mark>{}</mark>", part(shown, from), part(from, to))?;
            shown = to;
        }
    }
    write!(out, "{}</span>", part(shown, text.len()))
}
