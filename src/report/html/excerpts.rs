//! The source lines around each place of a finding; places near each other share an excerpt.

use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::Finding;
use crate::report::text::decides;
use crate::report::{Line, Report, display_path, first_line};
use crate::source::{FileId, SourceFile};

use super::escape::{code, escaped};

/// The number of lines shown before and after a marked line.
const CONTEXT: usize = 3;
/// The most characters of a line that are shown before, in and after a marked place.
const LONGEST_LINE: usize = 200;

/// Consecutive lines of a file, and the marked places in them.
struct Snippet {
    file: FileId,
    /// The first and the last line, from 0.
    lines: (usize, usize),
    places: Vec<(Line, String)>,
}

/// Writes the excerpts: the code to change first, then the deciding directive, then the other places.
pub(super) fn write(report: &Report<'_>, finding: &Finding, out: &mut dyn WriteColor) -> io::Result<()> {
    for snippet in snippets(report, finding) {
        let file = report.sources.file(snippet.file);
        writeln!(out, "<figure><figcaption>")?;
        for (at, label) in &snippet.places {
            let path = escaped(&display_path(&file.path));
            writeln!(out, "<span>{path}:{} — {}</span>", at.line, code(label))?;
        }
        write!(out, "</figcaption><pre class=\"code\">")?;
        for number in snippet.lines.0..=snippet.lines.1 {
            line(&file, number, &snippet.places, out)?;
        }
        writeln!(out, "</pre></figure>")?;
    }
    Ok(())
}

/// The excerpts of a finding. Places whose lines overlap share one.
fn snippets(report: &Report<'_>, finding: &Finding) -> Vec<Snippet> {
    let primary = (finding.primary.at, finding.primary.text.clone());
    let deciding = finding.deciding.as_ref().map(|one| (one.at, decides(one, &finding.passes)));
    let related = finding.related.iter().map(|one| (one.at, one.text.clone()));
    let mut snippets: Vec<Snippet> = Vec::new();
    for (at, label) in [primary].into_iter().chain(deciding).chain(related) {
        let place = first_line(report.sources, at);
        let line = place.line as usize - 1;
        let last = report.sources.file(at.file).line_count().saturating_sub(1);
        let lines = (line.saturating_sub(CONTEXT), (line + CONTEXT).min(last));
        let mut new = Snippet { file: at.file, lines, places: vec![(place, label)] };
        // The new lines are merged with excerpts that they overlap, in the place of the first of those.
        let meets = |known: &Snippet, new: &Snippet| {
            known.file == new.file && known.lines.0 <= new.lines.1 + 1 && new.lines.0 <= known.lines.1 + 1
        };
        let mut at = snippets.len();
        while let Some(index) = snippets.iter().position(|known| meets(known, &new)) {
            let known = snippets.remove(index);
            new.lines = (new.lines.0.min(known.lines.0), new.lines.1.max(known.lines.1));
            new.places.extend(known.places);
            at = at.min(index);
        }
        new.places.sort_by_key(|(place, _)| place.line);
        snippets.insert(at, new);
    }
    snippets
}

/// Writes a line with its marked places.
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
    // A byte order mark is not part of the text.
    let mut shown = usize::from(number == 0 && text.first() == Some(&'\u{feff}'));
    for (from, to) in marks {
        // Places may be equal or overlap.
        if from >= shown && from <= to {
            write!(out, "{}<mark>{}</mark>", part(shown, from), part(from, to))?;
            shown = to;
        }
    }
    write!(out, "{}</span>", part(shown, text.len()))
}
