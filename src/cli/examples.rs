//! The command `rules test`: the examples of custom rules.
//!
//! In: custom rules with their examples. Out: on standard output, each example that did not come out as it is marked, with what
//! was found in place of what, and a line of counts. Only the findings of the rule itself count.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::analyse;
use crate::config::rules_of_file;
use crate::custom::{CustomExample, CustomRule};
use crate::project::{Define, Settings, discover};
use crate::report::count;
use crate::rules::{as_source, marks, settings};
use crate::source::Sources;

use super::arguments::{ConfigArguments, FindingArguments};
use super::resolve;
use super::{Failure, exit_code};

/// The targets of an example that names none.
const TARGETS: &str = "80,90";

/// The name of an example's source.
const SOURCE: &str = "example.cu";

/// Runs `rules test`. Returns the exit code: that of findings if some example did not come out as it is marked.
pub(super) fn test(files: &[PathBuf], configuration: &ConfigArguments) -> Result<u8, Failure> {
    let rules = match files {
        [] => {
            let loaded = resolve::configuration(configuration)?;
            resolve::rules(configuration, &FindingArguments::default(), loaded.as_ref())?.0.to_vec()
        }
        files => {
            let read: Result<Vec<Vec<CustomRule>>, _> =
                files.iter().map(|file| rules_of_file(file)).collect();
            read?.concat()
        }
    };
    if rules.is_empty() {
        return Err(Failure::Usage {
            message: "there are no custom rules".into(),
            help: "`[[custom-rules]]` in cuda-arch-lint.toml declares one; a file of rules can be named"
                .into(),
        });
    }
    let mut out = stdout().lock();
    let (mut run, mut failed) = (0, 0);
    for rule in &rules {
        let examples = &rule.card.examples;
        if examples.is_empty() {
            writeln!(out, "{}: {}: no examples", rule.origin, rule.id)?;
        }
        for (index, example) in examples.iter().enumerate() {
            let bad = examples.iter().take(index + 1).filter(|one| one.bad == example.bad).count();
            run += 1;
            let wrong = tried(rule, example)?;
            if wrong.is_empty() {
                continue;
            }
            failed += 1;
            let kind = if example.bad { "bad" } else { "good" };
            writeln!(out, "{}: {}: {kind} example {bad} failed", example.place(0), rule.id)?;
            for (place, what) in wrong {
                writeln!(out, "  {place}: {what}")?;
            }
        }
    }
    let examples = count(run, "example");
    writeln!(
        out,
        "{}, {examples}: {} passed, {failed} failed",
        count(rules.len(), "custom rule"),
        run - failed
    )?;
    Ok(if failed > 0 { exit_code::FINDINGS } else { exit_code::CLEAN })
}

/// What did not come out as an example is marked, each with its place.
fn tried(rule: &CustomRule, example: &CustomExample) -> Result<Vec<(String, String)>, Failure> {
    let text = &example.text;
    let directory = tempfile::tempdir()?;
    let path = directory.path().join(SOURCE);
    std::fs::write(&path, as_source(text)).map_err(|error| Failure::File { path: path.clone(), error })?;
    let sources = Sources::new();
    let mut settings = settings_of(text);
    settings.custom = Arc::from([rule.clone()]);
    let units = discover(std::slice::from_ref(&path), &settings, &sources)?.all_units();
    let analysis = analyse(&units, &sources);
    let is_setting = |line: &str| !as_source(line).lines().any(|_| true);
    // The line of the source, from 1, as a line of the example, from 0.
    let written = |line: usize| {
        let lines = text.lines().enumerate().filter(|(_, line)| !is_setting(line));
        lines.map(|(index, _)| index).nth(line.saturating_sub(1)).unwrap_or(0)
    };
    let mut found: Vec<(usize, String)> = Vec::new();
    for finding in analysis.findings.iter().filter(|finding| finding.rule == rule.id) {
        let file = sources.file(finding.primary.at.file);
        found.push((file.line_column(finding.primary.at.start).line as usize, finding.message.clone()));
    }
    let mut wrong = Vec::new();
    let marks = marks(text);
    let own = marks.iter().filter(|mark| mark.rule.is_empty() || mark.rule == rule.id);
    for mark in own.clone() {
        let index =
            found.iter().position(|(line, message)| *line == mark.line && message.contains(&mark.text));
        if let Some(index) = index {
            found.remove(index);
            continue;
        }
        let wanted = match mark.text.as_str() {
            "" => "expected a finding".to_string(),
            text => format!("expected a finding with \"{text}\""),
        };
        let there: Vec<&str> = found
            .iter()
            .filter(|(line, _)| *line == mark.line)
            .map(|(_, message)| message.as_str())
            .collect();
        let instead =
            if there.is_empty() { "nothing".to_string() } else { format!("\"{}\"", there.join("\", \"")) };
        wrong.push((example.place(mark.written).to_string(), format!("{wanted}, found {instead}")));
    }
    for (line, message) in &found {
        wrong.push((
            example.place(written(*line)).to_string(),
            format!("found \"{message}\", expected nothing"),
        ));
    }
    if example.bad && own.count() == 0 {
        let what = format!(
            "a bad example marks each line with a finding: `//~ {} \"part of its message\"`",
            rule.id
        );
        wrong.push((example.place(0).to_string(), what));
    }
    for problem in analysis.problems.iter().filter(|problem| problem.incomplete) {
        wrong.push((example.place(0).to_string(), problem.message.clone()));
    }
    Ok(wrong)
}

/// The settings of an example.
fn settings_of(text: &str) -> Settings {
    let last = |name: &str| settings(text, name).pop().map(String::from);
    Settings {
        targets: vec![last("targets").unwrap_or_else(|| TARGETS.to_string())],
        rdc: last("rdc").is_some(),
        defines: settings(text, "define").into_iter().map(Define::parse).collect(),
        standard: last("std"),
        cuda_version: last("cuda"),
        ..Settings::default()
    }
}
