//! Which passes see which lines: inlay hints beside directives, and lines that are inactive in a pass.

use lsp_types::Range;
use serde_json::{Value, json};

use crate::finding::Region;
use crate::source::SourceFile;
use crate::target::{PassSet, Passes};

use super::position::Lines;

/// Inlay hints after the directives of conditionals that differ between passes: the passes that enter the group.
pub(super) fn hints(regions: &[Region], file: &SourceFile, lines: &Lines<'_>, within: Range) -> Value {
    let varying =
        regions.iter().filter(|region| !region.passes.is_empty() && region.passes != region.of.all());
    let hints = varying.filter_map(|region| {
        let end = directive_end(file, region.at.start);
        let position = lines.position(end);
        (within.start.line <= position.line && position.line <= within.end.line).then(|| {
            json!({
                "position": position,
                "label": label(region),
                "paddingLeft": true,
                "tooltip": format!("Read by {} only", region.of.describe(region.passes)),
            })
        })
    });
    hints.collect()
}

fn label(region: &Region) -> String {
    region.of.short_names(region.passes, "host").join(", ")
}

/// The end of a directive's first line, including comments but not a line splice.
fn directive_end(file: &SourceFile, start: u32) -> usize {
    let mut line = file.line_index(start);
    while file.line_text(line).ends_with('\\') && line + 1 < file.line_count() {
        line += 1;
    }
    file.line_start(line) + file.line_text(line).len()
}

/// The inactive lines: those that the selected pass skips, or that every pass skips if none is selected. Each range
/// is given by its first and last line, from 0.
pub(super) fn inactive(regions: &[Region], file: &SourceFile, pass: Option<&str>) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for region in regions {
        let seen = match pass.and_then(|name| number(&region.of, name)) {
            Some(pass) => region.passes.has(pass),
            None => !region.passes.is_empty(),
        };
        let first = file.line_index(directive_end(file, region.at.start) as u32) + 1;
        let end = (region.at.end as usize).min(file.text.len()) as u32;
        let last = match region.at.end {
            u32::MAX => file.line_count(),
            _ => file.line_index(end),
        };
        if !seen && first < last {
            found.push((first as u32, last as u32 - 1));
        }
    }
    found.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (first, last) in found {
        match merged.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

/// The number of the pass with this name.
pub(super) fn number(passes: &Passes, name: &str) -> Option<usize> {
    passes.names(passes.all()).iter().position(|known| known == name)
}

/// The names of all passes, for a menu.
pub(super) fn names(all: &[Passes]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for passes in all {
        for index in passes.all().iter() {
            let own = passes.names(PassSet::single(index));
            names.extend(own.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>());
        }
    }
    names
}

/// Ranges of lines as clangd's notification has them.
pub(super) fn ranges(inactive: &[(u32, u32)], file: &SourceFile, lines: &Lines<'_>) -> Value {
    let range = |(first, last): &(u32, u32)| {
        let start = file.line_start(*first as usize);
        let last = *last as usize;
        json!({
            "start": lines.position(start),
            "end": lines.position(file.line_start(last) + file.line_text(last).len()),
        })
    };
    inactive.iter().map(range).collect()
}

/// Ranges of lines as semantic tokens: one token of the type for inactive code on each line that is not blank.
pub(super) fn tokens(inactive: &[(u32, u32)], file: &SourceFile, lines: &Lines<'_>) -> Value {
    let mut data: Vec<u32> = Vec::new();
    let mut before = (0, 0);
    for line in inactive.iter().flat_map(|(first, last)| *first..=*last) {
        let text = file.line_text(line as usize);
        let blanks = text.len() - text.trim_start().len();
        if text.trim().is_empty() {
            continue;
        }
        let start = lines.position(file.line_start(line as usize) + blanks);
        let end = lines.position(file.line_start(line as usize) + text.trim_end().len());
        let column = if start.line == before.0 { start.character - before.1 } else { start.character };
        data.extend([start.line - before.0, column, end.character - start.character, 0, 1]);
        before = (start.line, start.character);
    }
    json!({"data": data})
}
