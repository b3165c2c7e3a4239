//! A self-contained HTML page, which works from disk and without network.
//!
//! Each file has a strip that shows which passes see which of its lines. Each finding shows what each pass sees
//! side by side, the code, and the derivation from the predefined macro. The page has everything when it is loaded;
//! the script only hides what the filters exclude.

mod escape;
mod excerpts;
mod strip;

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use codespan_reporting::term::termcolor::WriteColor;

use crate::finding::{Certainty, Deciding, Finding, Reported};
use crate::rules::level_name;
use crate::source::FileId;
use crate::target::{PassSet, Passes};

use crate::report::text::one_line;
use crate::report::{Format, Problem, Report, display_path, first_line, summary};
use escape::{code, escaped};

/// The format's entry in the table of formats.
pub(super) const FORMAT: Format = Format {
    name: "html",
    about: "A page for the browser: which passes see which lines, side by side",
    write,
    line: None,
};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

fn write(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    let unsuppressed: Vec<&Reported> =
        report.findings.iter().filter(|one| one.suppression.is_none()).collect();
    writeln!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>cuda-arch-lint: {}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>",
        summary::count(unsuppressed.len(), "finding")
    )?;
    head(report, &unsuppressed, out)?;
    let mut by_file: ByFile<'_> = BTreeMap::new();
    for one in unsuppressed {
        let file = one.finding.primary.at.file;
        let path = display_path(&report.sources.file(file).path);
        by_file.entry((path, file)).or_default().push(one);
    }
    writeln!(out, "<main>")?;
    if by_file.len() > 1 {
        contents(&by_file, out)?;
    }
    for (number, ((path, file), findings)) in by_file.iter().enumerate() {
        let id = escaped(path);
        writeln!(out, "<section class=\"file\" id=\"file-{number}\" data-path=\"{id}\">\n<h2>{id}</h2>")?;
        strip::write(report, *file, findings, out)?;
        for other in deciders(findings, *file) {
            let path = display_path(&report.sources.file(other).path);
            writeln!(out, "<p class=\"place\">decided in {}</p>", escaped(&path))?;
            strip::write(report, other, &[], out)?;
        }
        for one in findings {
            finding(report, one, out)?;
        }
        writeln!(out, "</section>")?;
    }
    match by_file.is_empty() {
        true => writeln!(out, "<p>No findings.</p>")?,
        false => writeln!(out, "<p id=\"nothing\" hidden>No finding matches the filters.</p>")?,
    }
    problems(report, out)?;
    writeln!(out, "</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>")?;
    out.flush()
}

/// Writes the list of files with the number of findings in each.
fn contents(by_file: &ByFile<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    writeln!(
        out,
        "<details id=\"files\"><summary>{}</summary>\n<ul>",
        summary::count(by_file.len(), "file")
    )?;
    for (number, ((path, _), findings)) in by_file.iter().enumerate() {
        let path = escaped(path);
        writeln!(out, "<li><a href=\"#file-{number}\">{path}</a> <b>{}</b></li>", findings.len())?;
    }
    writeln!(out, "</ul></details>")
}

/// Findings by the path and id of the file to change.
type ByFile<'f> = BTreeMap<(String, FileId), Vec<&'f Reported>>;

/// The other files that contain deciding directives of these findings.
fn deciders(findings: &[&Reported], file: FileId) -> BTreeSet<FileId> {
    let deciding = findings.iter().filter_map(|one| one.finding.deciding.as_ref());
    deciding.map(|deciding| deciding.at.file).filter(|other| *other != file).collect()
}

/// Writes the page's head: the summary and the filters.
fn head(report: &Report<'_>, findings: &[&Reported], out: &mut dyn WriteColor) -> io::Result<()> {
    writeln!(
        out,
        "<header>\n<div class=\"title\"><h1>cuda-arch-lint</h1><button type=\"button\" id=\"theme\">Light or dark\
         </button></div>\n<p>{}{}</p>",
        code(&report.summary.to_string()),
        match report.problems.len() {
            0 => String::new(),
            some => format!(" · <a href=\"#problems\">{}</a>", summary::count(some, "problem")),
        }
    )?;
    if findings.is_empty() {
        return writeln!(out, "</header>");
    }
    writeln!(out, "<form id=\"filters\" autocomplete=\"off\">")?;
    writeln!(
        out,
        "<label>File or entity <input type=\"search\" id=\"search\" placeholder=\"src/ or a kernel's name\"></label>"
    )?;
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let mut passes: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for one in findings {
        *rules.entry(one.finding.rule).or_default() += 1;
        for name in differing(&one.finding) {
            *passes.entry((name != "host", name)).or_default() += 1;
        }
    }
    writeln!(out, "<label>Target <select id=\"target\"><option value=\"\">any</option>")?;
    let mut targets: Vec<&String> = passes.keys().map(|(_, name)| name).collect();
    targets.sort_by_key(|name| (name.trim_start_matches("sm_").len(), name.as_str()));
    for name in targets {
        let name = escaped(name);
        writeln!(out, "<option value=\"{name}\">{name}</option>")?;
    }
    writeln!(out, "</select></label>\n<fieldset><legend>Rules</legend>")?;
    for card in report.rules.cards() {
        let Some(count) = rules.get(card.id.as_str()) else { continue };
        writeln!(
            out,
            "<label title=\"{}\"><input type=\"checkbox\" name=\"rule\" value=\"{id}\" checked> {id} <b>{count}</b></label>",
            escaped(&card.title),
            id = card.id,
        )?;
    }
    writeln!(
        out,
        "</fieldset>\n<output id=\"count\"></output>\n<button type=\"reset\" id=\"clear\" hidden>Clear filters</button>\n\
         </form>\n</header>"
    )
}

/// The passes that see something else than the host; if the host sees nothing of it, all that see something.
fn differing(finding: &Finding) -> Vec<String> {
    let hosts = finding.views.iter().find(|view| view.passes.has(0)).map(|view| view.sees.as_str());
    let others = finding.views.iter().filter(|view| Some(view.sees.as_str()) != hosts);
    let set = others.fold(PassSet::EMPTY, |set, view| set.or(view.passes));
    finding.passes.names(set)
}

fn finding(report: &Report<'_>, one: &Reported, out: &mut dyn WriteColor) -> io::Result<()> {
    let finding = &one.finding;
    let passes = &finding.passes;
    let at = first_line(report.sources, finding.primary.at);
    let level = level_name(finding.level);
    writeln!(
        out,
        "<article class=\"finding {level}\" id=\"f-{}\" data-rule=\"{}\" data-name=\"{}\" data-targets=\"{}\">",
        escaped(&one.fingerprint.replace(':', "-")),
        finding.rule,
        escaped(&finding.entity),
        escaped(&differing(finding).join(" ")),
    )?;
    writeln!(
        out,
        "<h3><span class=\"level\">{level}</span> {}</h3>\n<p class=\"place\">{}:{}:{} · {}{}</p>",
        code(&finding.message),
        escaped(&display_path(&at.path)),
        at.line,
        at.column,
        finding.rule,
        if finding.certainty == Certainty::Likely { " · likely, not certain" } else { "" },
    )?;
    writeln!(out, "<div class=\"sides\">")?;
    for view in &finding.views {
        writeln!(
            out,
            "<div class=\"side\"><p class=\"passes\">{}</p><pre>{}</pre></div>",
            chips(passes, view.passes),
            code(&view.sees)
        )?;
    }
    writeln!(out, "</div>\n<details open><summary>Code</summary>")?;
    excerpts::write(report, finding, out)?;
    writeln!(out, "</details>")?;
    if let Some(deciding) = finding.deciding.as_ref().filter(|one| !one.derivation.is_empty()) {
        derivation(report, deciding, passes, out)?;
    }
    if !finding.further_instances().is_empty() {
        writeln!(out, "<details><summary>Further instances</summary>\n<ul>")?;
        for label in finding.further_instances() {
            writeln!(out, "<li>{}</li>", code(&label.text))?;
        }
        writeln!(out, "</ul></details>")?;
    }
    for sentence in finding.consequences.iter().chain(&finding.notes) {
        writeln!(out, "<p>{}</p>", code(sentence))?;
    }
    writeln!(out, "</article>")
}

/// The passes as a row of small boxes.
fn chips(passes: &Passes, set: PassSet) -> String {
    let chip = |name: String| format!("<span class=\"pass\">{}</span>", escaped(&name));
    passes.short_names(set, "host").into_iter().map(chip).collect::<Vec<_>>().join(" ")
}

fn derivation(
    report: &Report<'_>,
    deciding: &Deciding,
    passes: &Passes,
    out: &mut dyn WriteColor,
) -> io::Result<()> {
    writeln!(out, "<details><summary>Why the passes differ</summary>\n<ol class=\"way\">")?;
    for step in deciding.derivation.iter().rev() {
        let place = match step.at.map(|at| first_line(report.sources, at)) {
            Some(at) => format!("{}:{}", display_path(&at.path), at.line),
            None => "predefined by nvcc".to_string(),
        };
        writeln!(
            out,
            "<li><code>{}</code> {} <span class=\"place\">{}</span></li>",
            escaped(&one_line(&step.text)),
            chips(passes, step.passes),
            escaped(&place)
        )?;
    }
    writeln!(out, "</ol></details>")
}

/// Writes the problems, and the mentions that were not resolved.
fn problems(report: &Report<'_>, out: &mut dyn WriteColor) -> io::Result<()> {
    problem_list(report, ("problems", "Problems of the analysis"), &report.problems, out)?;
    problem_list(report, ("unresolved", "Kernel mentions that were not resolved"), &report.unresolved, out)
}

fn problem_list(
    report: &Report<'_>,
    (id, title): (&str, &str),
    problems: &[Problem],
    out: &mut dyn WriteColor,
) -> io::Result<()> {
    if problems.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section id=\"{id}\">\n<h2>{title}</h2>\n<ul>")?;
    for problem in problems {
        let place = match problem.at.map(|at| first_line(report.sources, at)) {
            Some(at) => format!("{}:{}", display_path(&at.path), at.line),
            None => display_path(&problem.path),
        };
        let incomplete = if problem.incomplete { "; the analysis is incomplete there" } else { "" };
        writeln!(out, "<li><code>{}</code>: {}{incomplete}</li>", escaped(&place), code(&problem.message))?;
    }
    writeln!(out, "</ul>\n</section>")
}
