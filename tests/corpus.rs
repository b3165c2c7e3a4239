//! The corpus: small CUDA programs with marks that say what the linter must find in them.
//!
//! A case is `corpus/<topic>/<case>.cu`, or a directory `corpus/<topic>/<case>/` whose `.cu` files
//! are the units of one program. A source sets its own options in lines of its own:
//!
//! * `//@ targets: 75,80`: the targets, in command-line order (`80,90` without the line), AMD's GPUs among them;
//! * `//@ rdc`: separate compilation;
//! * `//@ include: dir`: a directory for `#include`, relative to the case's directory;
//! * `//@ define: NAME=VALUE`: a macro defined on the command line;
//! * `//@ cuda: 12.4`: the release of nvcc (13.0 without the line);
//! * `//@ std: c++20`: the language that nvcc compiles it as (C++17 without the line);
//! * `//@ nvcc: agrees because ...` or `disagrees because ...`: for `corpus/judge.py`, where nvcc does not say what the
//!   marks do;
//! * `//@ incomplete: text`: the analysis must say, in these words among others, that it left something out.
//!
//! A directory with a file of a build (`CMakeLists.txt`, `setup.py`, `compile_commands.json`) is a project: its
//! units and their targets are what the program finds there.
//!
//! A mark stands at the end of the line of a finding's primary label: `//~ RULE "text"`, where the
//! finding's message contains the text. `//~^ RULE` speaks of the line above, one line higher for each
//! `^`. `//~[host,sm_80] RULE` adds that one view of the finding has exactly these passes.
//! Every finding needs a mark and every mark a finding; a case without marks asserts silence.
//!
//! The examples of the rule cards are cases too.

#![allow(clippy::unwrap_used, reason = "a test that meets a broken corpus should fail where it stands")]

mod fixes;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use codespan_reporting::term::termcolor::NoColor;
use cuda_arch_lint::analysis::{Analysis, analyse};
use cuda_arch_lint::catalog::Catalog;
use cuda_arch_lint::project::{Define, Settings, TargetOrigin, TranslationUnit, discover};
use cuda_arch_lint::report::{FORMATS, Layout, Report, Summary};
use cuda_arch_lint::rules::{RULES, Verdict, cards};
use cuda_arch_lint::source::Sources;
use cuda_arch_lint::target::notation::read_list;
use cuda_arch_lint::target::{Context, CudaCompiler, Standard, Toolkit};
use cuda_arch_lint::triage::{Policy, triage};

use super::golden;

/// The files that make a directory a project.
const BUILD_FILES: [&str; 3] = ["CMakeLists.txt", "setup.py", "compile_commands.json"];

const DEFAULT_TARGETS: &str = "80,90";

/// One test a topic, and a test that no topic is forgotten.
macro_rules! topics {
    ($($topic:ident)*) => {
        $(#[test]
        fn $topic() {
            check_topic(stringify!($topic));
        })*

        const TOPICS: &[&str] = &[$(stringify!($topic)),*];

        #[test]
        fn every_topic_of_the_corpus_has_a_test() {
            assert_eq!(names(&corpus()), TOPICS);
        }
    };
}

topics! { definition guide header host instantiation instruction layout naming preprocess quiet signature targets }

#[test]
fn the_rule_cards_examples_yield_what_they_are_marked_with() {
    let mut failures = Vec::new();
    for card in cards() {
        for example in &card.examples {
            let directory = tempfile::tempdir().unwrap();
            for (file, text) in &example.files {
                std::fs::write(directory.path().join(file), text).unwrap();
            }
            let case = Case { root: directory.path().to_path_buf(), rule: Some(card.id.clone()) };
            let mut messages = case.failures();
            if (example.verdict == Verdict::Bad) == case.marks().is_empty() {
                messages.push("a bad example carries marks and a good one none".into());
            }
            let place = format!("rules/{}.md, the example on line {}", card.id, example.line);
            failures.extend(messages.into_iter().map(|message| format!("{place}: {message}")));
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

/// The cases whose text report stands beside them, in a `.txt` that `BLESS=1` writes anew.
const RENDERED: [&str; 6] = [
    "guide/flash-traits-in-a-signature.cu",
    "guide/fp6-guarded-launcher.cu",
    "guide/function-on-host-only.cu",
    "guide/header-for-two-architectures",
    "guide/launch-on-host-only.cu",
    "guide/typedef-by-pass.cu",
];

#[test]
fn the_reports_of_some_cases_are_as_written() {
    let mut failures = Vec::new();
    for name in RENDERED {
        let report = Case { root: corpus().join(name), rule: None }.report();
        failures.extend(golden::difference(&corpus().join(name).with_extension("txt"), &report));
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

fn check_topic(topic: &str) {
    let topic = corpus().join(topic);
    let mut failures = Vec::new();
    for name in names(&topic) {
        let root = topic.join(&name);
        if root.is_dir() || name.ends_with(".cu") {
            failures.extend(Case { root, rule: None }.failures());
        }
    }
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The names in a directory, sorted; a `.py` is a tool and a `.tsv` a table, not a case.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{directory:?}: {error}"));
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter(|name| {
            (!name.ends_with(".py") || name == "setup.py")
                && !name.ends_with(".tsv")
                && !name.starts_with(['.', '_'])
        })
        .collect();
    names.sort();
    names
}

/// A program of the corpus: one source file, or a directory.
struct Case {
    root: PathBuf,
    /// The rule it is an example of; else those that are off by default say nothing.
    rule: Option<String>,
}

impl Case {
    /// The differences between findings and marks, one line each.
    fn failures(&self) -> Vec<String> {
        let sources = Sources::new();
        let analysis = analyse(&self.units(), &sources);
        let mut found = found(&analysis, &sources);
        let off = cards().into_iter().filter(|card| !card.enabled).map(|card| card.id);
        let off: Vec<String> = off.filter(|rule| self.rule.as_ref() != Some(rule)).collect();
        found.retain(|one| !off.contains(&one.rule));
        let mut failures = compare(&self.marks(), &found);
        let mut expected: Vec<String> =
            self.files().iter().flat_map(|path| settings(path, "incomplete")).collect();
        for problem in analysis.problems.iter().filter(|problem| problem.incomplete && problem.at.is_none()) {
            match expected.iter().position(|text| problem.message.contains(text.as_str())) {
                Some(index) => drop(expected.remove(index)),
                None => failures.push(format!("{}: {}", shown(&problem.unit), problem.message)),
            }
        }
        failures.extend(expected.iter().map(|text| format!("no problem says `{text}`")));
        failures
    }

    /// The text report about the case, without colours.
    fn report(&self) -> String {
        let sources = Sources::new();
        let units = self.units();
        let analysis = analyse(&units, &sources);
        let (findings, _) = triage(analysis.findings, &analysis.files, &Policy::default(), &sources);
        let mut summary = Summary { files: analysis.files.len(), units: units.len(), ..Summary::default() };
        summary.count(&findings);
        let (problems, layout) = (Vec::new(), Layout::default());
        let report = Report {
            findings: &findings,
            problems,
            unresolved: Vec::new(),
            summary,
            regions: &[],
            sources: &sources,
            rules: &Catalog::default(),
            layout,
        };
        let mut out = NoColor::new(Vec::new());
        (FORMATS[0].write)(&report, &mut out).unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    fn directory(&self) -> &Path {
        if self.root.is_dir() { &self.root } else { self.root.parent().unwrap() }
    }

    /// Every file of the case, sorted, its rendered golden aside.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut pending = vec![self.root.clone()];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                pending.extend(names(&path).iter().map(|name| path.join(name)));
            } else {
                files.push(path);
            }
        }
        files.sort();
        files
    }

    fn units(&self) -> Vec<TranslationUnit> {
        if BUILD_FILES.iter().any(|name| self.root.join(name).is_file()) {
            return self.project();
        }
        let is_unit = |path: &&PathBuf| {
            path.extension().is_some_and(|extension| extension == "cu")
                && path.parent() == Some(self.directory())
        };
        let units: Vec<_> = self.files().iter().filter(is_unit).map(|path| self.unit(path)).collect();
        assert!(!units.is_empty(), "{}: no .cu file", self.root.display());
        units
    }

    /// The units that the files of a build make.
    fn project(&self) -> Vec<TranslationUnit> {
        let cuda_version = self.files().iter().flat_map(|path| settings(path, "cuda")).next();
        let settings = Settings { cuda_version, ..Settings::default() };
        discover(std::slice::from_ref(&self.root), &settings, &Sources::new()).unwrap().all_units()
    }

    fn unit(&self, path: &Path) -> TranslationUnit {
        let text = std::fs::read_to_string(path).unwrap();
        let mut targets = DEFAULT_TARGETS;
        let mut rdc = false;
        let mut directories = Vec::new();
        let mut defines = Vec::new();
        let mut toolkit = Toolkit::default();
        let mut standard = None;
        for setting in text.lines().filter_map(|line| line.trim().strip_prefix("//@")) {
            match setting.split_once(':').unwrap_or((setting, "")) {
                (key, list) if key.trim() == "targets" => targets = list,
                (key, "") if key.trim() == "rdc" => rdc = true,
                (key, directory) if key.trim() == "include" => {
                    directories.push(self.directory().join(directory.trim()));
                }
                (key, define) if key.trim() == "define" => defines.push(Define::parse(define.trim())),
                (key, release) if key.trim() == "cuda" => toolkit = Toolkit::parse(release.trim()).unwrap(),
                (key, language) if key.trim() == "std" => {
                    standard = Some(Standard::parse(language.trim()).unwrap());
                }
                // Speak of what comes out.
                (key, _) if matches!(key.trim(), "nvcc" | "incomplete") => {}
                _ => panic!("{}: unknown setting `{setting}`", path.display()),
            }
        }
        let context = Context { toolkit, ..Context::default() };
        let read = read_list(targets.trim(), &context).strict();
        let list = read.unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let mut unit = TranslationUnit::new(path, list.to_passes().unwrap());
        unit.targets = list;
        unit.origin = TargetOrigin::CommandLine;
        unit.rdc = rdc;
        unit.search.directories = directories;
        unit.defines = defines;
        unit.options.cuda = CudaCompiler::Nvcc(toolkit);
        unit.options.standard = standard;
        unit
    }

    fn marks(&self) -> Vec<Mark> {
        let file = |path: &PathBuf| marks(path, &std::fs::read_to_string(path).unwrap());
        self.files().iter().flat_map(file).collect()
    }
}

/// The values of a setting in a file.
fn settings(path: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("//@")?.split_once(':'));
    lines.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim().to_string()).collect()
}

/// An expected finding.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mark {
    place: Place,
    rule: String,
    /// A part of the message; empty matches any.
    text: String,
    /// The passes of one of the finding's views, sorted; not looked at if empty.
    passes: Vec<String>,
}

/// A finding as far as marks speak of it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Found {
    place: Place,
    rule: String,
    message: String,
    /// The passes of each view, sorted.
    views: Vec<Vec<String>>,
}

/// A line of a file, from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    path: PathBuf,
    line: usize,
}

impl Place {
    fn new(path: &Path, line: usize) -> Place {
        Place { path: std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", shown(&self.path), self.line)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        if !self.text.is_empty() {
            write!(f, " \"{}\"", self.text)?;
        }
        if !self.passes.is_empty() {
            write!(f, " with a view of exactly [{}]", self.passes.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let views: Vec<String> = self.views.iter().map(|passes| format!("[{}]", passes.join(", "))).collect();
        write!(f, "{}: {} (views {})", self.rule, self.message, views.join(" "))
    }
}

/// The path below the repository, with `/` everywhere.
fn shown(path: &Path) -> String {
    let root = std::fs::canonicalize(env!("CARGO_MANIFEST_DIR")).unwrap();
    path.strip_prefix(root).unwrap_or(path).display().to_string().replace('\\', "/")
}

/// The marks of a file's text.
fn marks(path: &Path, text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for mark in line.split("//~").skip(1) {
            let above = mark.len() - mark.trim_start_matches('^').len();
            let place = Place::new(path, index + 1 - above);
            marks.push(mark_at(place, &mark[above..]));
        }
    }
    marks
}

/// Reads what follows `//~` and its `^`s: `[passes] RULE "text"`.
fn mark_at(place: Place, mark: &str) -> Mark {
    let (passes, mark) = match mark.strip_prefix('[') {
        Some(rest) => rest.split_once(']').unwrap_or_else(|| panic!("{place}: `[` without `]`")),
        None => ("", mark),
    };
    let (rule, text) = mark.trim().split_once(char::is_whitespace).unwrap_or((mark.trim(), ""));
    let quoted = text.trim();
    let text = match quoted {
        "" => "",
        _ => quoted
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'))
            .unwrap_or_else(|| panic!("{place}: the text of a mark stands in quotes: {quoted}")),
    };
    assert!(RULES.iter().any(|known| known.id == rule), "{place}: `{rule}` is no rule's id");
    let passes = passes.split(',').map(str::trim).filter(|pass| !pass.is_empty());
    Mark { place, rule: rule.into(), text: text.into(), passes: sorted(passes.map(String::from)) }
}

fn found(analysis: &Analysis, sources: &Sources) -> Vec<Found> {
    let each = analysis.findings.iter().map(|finding| {
        let file = sources.file(finding.primary.at.file);
        let line = file.line_column(finding.primary.at.start).line as usize;
        let passes = finding.passes.list();
        let view = |set: cuda_arch_lint::target::PassSet| {
            sorted(set.iter().filter_map(|index| passes.get(index)).map(ToString::to_string))
        };
        Found {
            place: Place::new(&file.path, line),
            rule: finding.rule.to_string(),
            message: finding.message.clone(),
            views: finding.views.iter().map(|seen| view(seen.passes)).collect(),
        }
    });
    each.collect()
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// Pairs marks and findings one to one; what is left over on either side is a failure.
fn compare(marks: &[Mark], found: &[Found]) -> Vec<String> {
    // A mark that says more chooses first, so that one that says less can't take its finding.
    let mut order: Vec<&Mark> = marks.iter().collect();
    order.sort_by_key(|mark| (mark.passes.is_empty(), std::cmp::Reverse(mark.text.len())));
    let mut left: Vec<&Found> = found.iter().collect();
    let mut failures: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    for mark in order {
        match left.iter().position(|finding| answers(mark, finding)) {
            Some(index) => {
                left.remove(index);
            }
            None => failures.entry(mark.place.clone()).or_default().push(format!("missing {mark}")),
        }
    }
    for finding in left {
        failures.entry(finding.place.clone()).or_default().push(format!("unexpected {finding}"));
    }
    let lines = failures
        .into_iter()
        .flat_map(|(place, messages)| messages.into_iter().map(move |message| format!("{place}: {message}")));
    lines.collect()
}

fn answers(mark: &Mark, finding: &Found) -> bool {
    mark.place == finding.place
        && mark.rule == finding.rule
        && finding.message.contains(&mark.text)
        && (mark.passes.is_empty() || finding.views.contains(&mark.passes))
}

/// The harness itself: marks and findings made by hand.
mod harness {
    use super::*;

    const RULE: &str = "arch-dependent-signature";

    fn check(text: &str, found: &[Found], expected: &[&str]) {
        assert_eq!(compare(&marks(Path::new("k.cu"), text), found), expected);
    }

    fn finding(line: usize, message: &str, views: &[&[&str]]) -> Found {
        Found {
            place: Place::new(Path::new("k.cu"), line),
            rule: RULE.into(),
            message: message.into(),
            views: views.iter().map(|view| sorted(view.iter().map(ToString::to_string))).collect(),
        }
    }

    #[test]
    fn a_mark_and_its_finding_cancel() {
        check("int a;\nint b; //~ arch-dependent-signature", &[finding(2, "b differs", &[])], &[]);
        check("int b;\n//~^ arch-dependent-signature \"b d\"", &[finding(1, "b differs", &[])], &[]);
        check(
            "int b; //~[sm_90,sm_80] arch-dependent-signature",
            &[finding(1, "", &[&["host"], &["sm_80", "sm_90"]])],
            &[],
        );
    }

    #[test]
    fn a_mark_without_a_finding_fails() {
        check("int b; //~ arch-dependent-signature", &[], &["k.cu:1: missing arch-dependent-signature"]);
    }

    #[test]
    fn a_finding_without_a_mark_fails() {
        check(
            "int b;",
            &[finding(1, "b differs", &[&["host"]])],
            &["k.cu:1: unexpected arch-dependent-signature: b differs (views [host])"],
        );
    }

    #[test]
    fn line_rule_text_and_passes_must_all_agree() {
        for line in [
            "\n//~ arch-dependent-signature",
            "//~ arch-dependent-layout",
            "//~ arch-dependent-signature \"c differs\"",
            "//~[host] arch-dependent-signature",
        ] {
            let failures = compare(
                &marks(Path::new("k.cu"), line),
                &[finding(1, "b differs", &[&["host", "sm_80"], &["sm_90"]])],
            );
            assert_eq!(failures.len(), 2, "{line}: {failures:?}");
        }
    }

    #[test]
    fn marks_and_findings_pair_one_to_one() {
        let two = "int a, b; //~ arch-dependent-signature //~ arch-dependent-signature \"`b`\"";
        check(two, &[finding(1, "`b`", &[]), finding(1, "`a`", &[])], &[]);
        check(two, &[finding(1, "`b`", &[])], &["k.cu:1: missing arch-dependent-signature"]);
        check(
            "int a; //~ arch-dependent-signature",
            &[finding(1, "x", &[]), finding(1, "x", &[])],
            &["k.cu:1: unexpected arch-dependent-signature: x (views )"],
        );
    }
}
