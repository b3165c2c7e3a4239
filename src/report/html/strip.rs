//! A strip that shows which passes see which lines of a file: a row for passes that see the same, a column per line.

use std::collections::BTreeMap;
use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::{Region, Reported};
use crate::report::Report;
use crate::rules::level_name;
use crate::source::{FileId, SourceFile};
use crate::target::{Pass, PassSet, Passes};

use super::escape::escaped;

/// The height of a row in the SVG's units.
const ROW: usize = 10;

/// Writes the strip of a file; nothing if no conditional of the file is known.
pub(super) fn write(
    report: &Report<'_>,
    file: FileId,
    findings: &[&Reported],
    out: &mut dyn WriteColor,
) -> io::Result<()> {
    let source = report.sources.file(file);
    let regions: Vec<&Region> = report.regions.iter().filter(|region| region.at.file == file).collect();
    let rows = rows(&seen(&source, &regions));
    let lines = source.line_count();
    if rows.is_empty() {
        return Ok(());
    }
    let height = rows.len() * ROW;
    writeln!(out, "<div class=\"strip\"><div class=\"names\">")?;
    for (names, _) in &rows {
        writeln!(out, "<span>{}</span>", escaped(names))?;
    }
    writeln!(
        out,
        "</div><svg viewBox=\"0 0 {lines} {height}\" preserveAspectRatio=\"none\" style=\"height:{}em\" \
         role=\"group\" aria-label=\"which passes see which lines\">",
        rows.len() as f32 * 1.3
    )?;
    for (index, (names, live)) in rows.iter().enumerate() {
        for (first, last) in runs(live) {
            writeln!(
                out,
                "<rect x=\"{first}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: lines {} to {}</title></rect>",
                index * ROW + 1,
                last - first + 1,
                ROW - 2,
                escaped(names),
                first + 1,
                last + 1
            )?;
        }
    }
    for one in findings {
        let line = source.line_index(one.finding.primary.at.start);
        let text = format!("line {}: {}", line + 1, escaped(&one.finding.message));
        writeln!(
            out,
            "<a href=\"#f-{}\" aria-label=\"{text}\"><rect class=\"mark {}\" x=\"{line}\" y=\"0\" width=\"{}\" \
             height=\"{height}\"><title>{text}</title></rect></a>",
            escaped(&one.fingerprint.replace(':', "-")),
            level_name(one.finding.level),
            (lines as f32 / 250.0).max(1.0),
        )?;
    }
    writeln!(out, "</svg></div>")
}

/// The lines that each pass of any unit sees in at least one unit.
fn seen(source: &SourceFile, regions: &[&Region]) -> BTreeMap<Pass, Vec<bool>> {
    let mut by_passes: BTreeMap<&[Pass], Vec<&Region>> = BTreeMap::new();
    for region in regions {
        by_passes.entry(region.of.list()).or_default().push(region);
    }
    let mut seen: BTreeMap<Pass, Vec<bool>> = BTreeMap::new();
    for (list, mut regions) in by_passes {
        // Regions are nested or disjoint, so that a later one is inside an earlier one or behind it.
        regions.sort_by_key(|region| region.at.start);
        let mut lines = vec![PassSet::first(list.len()); source.line_count()];
        for region in regions {
            let first = source.line_index(region.at.start) + 1;
            let end = match region.at.end {
                u32::MAX => source.line_count(),
                end => source.line_index(end),
            };
            lines.iter_mut().take(end).skip(first).for_each(|line| *line = region.passes);
        }
        for (index, pass) in list.iter().enumerate() {
            let live = seen.entry(*pass).or_insert_with(|| vec![false; lines.len()]);
            live.iter_mut().zip(&lines).for_each(|(live, line)| *live |= line.has(index));
        }
    }
    seen
}

/// Groups the passes that see the same lines into rows, with their names.
fn rows(seen: &BTreeMap<Pass, Vec<bool>>) -> Vec<(String, Vec<bool>)> {
    let devices = seen.keys().copied().filter(|pass| *pass != Pass::Host);
    let Ok(passes) = Passes::of(devices) else { return Vec::new() };
    let mut rows: Vec<(PassSet, &Vec<bool>)> = Vec::new();
    for (index, pass) in passes.list().iter().enumerate() {
        let Some(live) = seen.get(pass) else { continue };
        match rows.iter_mut().find(|(_, known)| *known == live) {
            Some((set, _)) => *set = set.or(PassSet::single(index)),
            None => rows.push((PassSet::single(index), live)),
        }
    }
    rows.into_iter().map(|(set, live)| (passes.short_names(set, "host").join(", "), live.clone())).collect()
}

/// The first and last line of each run of visible lines.
fn runs(live: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (line, _) in live.iter().enumerate().filter(|(_, live)| **live) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => runs.push((line, line)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_runs() {
        assert_eq!(runs(&[true, true, false, true]), [(0, 1), (3, 3)]);
        assert_eq!(runs(&[]), []);
    }
}
