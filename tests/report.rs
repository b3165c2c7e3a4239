//! One golden a format: `tests/goldens/report.<format>`. `BLESS=1 cargo test` rewrites them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codespan_reporting::term::termcolor::{Ansi, NoColor};
use cuda_arch_lint::catalog::Catalog;
use cuda_arch_lint::finding::{
    Certainty, Deciding, Defect, Derived, Finding, Label, Level, Region, Reported, Suppression, View,
    fingerprints,
};
use cuda_arch_lint::report::{
    FORMATS, JsonLine, JsonReport, Layout, Printed, Problem, Report, Summary, Targets,
};
use cuda_arch_lint::source::{SourceFile, Sources, Span};
use cuda_arch_lint::target::{PassSet, Passes, parse_arch_list};

use super::golden;

const COMMON: &str = "\
#pragma once
#if __CUDA_ARCH__ >= 800
#define HAS_BF16
#endif
";

const KERNEL: &str = "\
#include \"common.cuh\"
#ifdef HAS_BF16
using element = __nv_bfloat16;
#else
using element = float;
#endif
__global__ void scale(element *data, int count);
void launch(float *data) { scale<<<1, 32>>>(data, 32); }
";

/// The place of the `nth` occurrence of `text`.
fn at(file: &SourceFile, text: &str, nth: usize) -> Span {
    let (start, found) = file.text.match_indices(text).nth(nth).expect("the fixture has the text");
    Span { file: file.id, start: start as u32, end: (start + found.len()) as u32 }
}

fn findings(sources: &Sources) -> Vec<Reported> {
    let common = sources.add(Path::new("include/common.cuh"), COMMON.into());
    let kernel = sources.add(Path::new("src/kernel.cu"), KERNEL.into());
    let targets = parse_arch_list("75,80,90").expect("known targets");
    let passes = Arc::new(Passes::new(&targets).expect("few targets"));
    let [old, new] = [PassSet(0b0011), PassSet(0b1100)];
    let step = |text: &str, at: Option<Span>, passes| Derived { text: text.into(), at, passes };
    let signature = Finding {
        rule: "arch-dependent-signature",
        level: Level::Error,
        certainty: Certainty::Definite,
        defect: Defect::Other,
        message: "`scale` takes `float *` on the host and `__nv_bfloat16 *` on sm_80".into(),
        entity: "scale".into(),
        passes: passes.clone(),
        instances: Vec::new(),
        primary: Label { at: at(&kernel, "element *data", 0), text: "this type differs".into() },
        related: vec![Label { at: at(&kernel, "scale<<<", 0), text: "launched here".into() }],
        views: vec![
            View { passes: old, sees: "void scale(float *, int)".into() },
            View { passes: new, sees: "void scale(__nv_bfloat16 *, int)".into() },
        ],
        deciding: Some(Deciding {
            text: "#ifdef HAS_BF16".into(),
            at: at(&kernel, "#ifdef HAS_BF16", 0),
            derivation: vec![
                step("#ifdef HAS_BF16", Some(at(&kernel, "#ifdef HAS_BF16", 0)), new),
                step("#define HAS_BF16", Some(at(&common, "#define HAS_BF16", 0)), new),
                step("#if __CUDA_ARCH__ >= 800", Some(at(&common, "#if __CUDA_ARCH__ >= 800", 0)), new),
                step("__CUDA_ARCH__", None, passes.devices()),
            ],
        }),
        consequences: vec!["a launch on sm_80 and sm_90 finds no kernel of that name".into()],
        notes: vec!["the type of a kernel shall not depend on `__CUDA_ARCH__`".into()],
    };
    let tempered = Finding {
        rule: "arch-dependent-layout",
        level: Level::Warning,
        certainty: Certainty::Likely,
        defect: Defect::Other,
        message: "`element` steers\u{1b}[2J nothing".into(),
        entity: "element".into(),
        instances: Vec::new(),
        primary: Label { at: at(&kernel, "using element = float", 0), text: "here".into() },
        related: Vec::new(),
        views: Vec::new(),
        deciding: None,
        consequences: Vec::new(),
        notes: Vec::new(),
        ..signature.clone()
    };
    let allowed = Finding { entity: "allowed".into(), related: Vec::new(), ..signature.clone() };
    let old = Finding { entity: "old".into(), ..allowed.clone() };
    let all = vec![signature, tempered, allowed, old];
    let suppressions =
        [None, None, Some(Suppression::Source("nobody launches it".into())), Some(Suppression::Baseline)];
    let fingerprints = fingerprints(&all, sources);
    all.into_iter()
        .zip(fingerprints)
        .zip(suppressions)
        .map(|((finding, fingerprint), suppression)| Reported {
            finding,
            fingerprint,
            suppression,
            proof: None,
            fixes: None,
        })
        .collect()
}

/// The regions of the two files.
fn regions(sources: &Sources) -> Vec<Region> {
    let targets = parse_arch_list("75,80,90").expect("known targets");
    let passes = Arc::new(Passes::new(&targets).expect("few targets"));
    let part = |path: &str, from: &str, to: &str, set| {
        let file = sources.known(Path::new(path)).expect("added");
        let (from, to) = (at(&file, from, 0), at(&file, to, 0));
        Region { at: Span { end: to.start, ..from }, passes: PassSet(set), of: passes.clone() }
    };
    vec![
        part("include/common.cuh", "#if __CUDA_ARCH__ >= 800", "#endif", 0b1100),
        part("src/kernel.cu", "#ifdef HAS_BF16", "#else", 0b1100),
        part("src/kernel.cu", "#else", "#endif", 0b0011),
    ]
}

fn with_report<T>(check: impl Fn(&mut Report<'_>) -> T) -> T {
    let sources = Sources::new();
    let findings = findings(&sources);
    let problems = vec![
        Problem {
            path: "src/odd.cu".into(),
            message: "macro expansion goes too deep".into(),
            at: Some(at(&sources.known(Path::new("src/kernel.cu")).expect("added"), "launch", 0)),
            incomplete: false,
        },
        Problem {
            path: "src/gone.cu".into(),
            message: "failed to read: permission denied".into(),
            at: None,
            incomplete: true,
        },
    ];
    let mut summary = Summary {
        files: 3,
        units: 2,
        targets: vec![Targets {
            names: ["sm_75", "sm_80", "sm_90"].map(String::from).to_vec(),
            origin: "--arch".into(),
            units: 2,
        }],
        missing_headers: vec!["<cuda_bf16.h>".into()],
        verbose: true,
        fixed: vec!["src/old.cu: arch-dependent-layout: Old".into()],
        incomplete: true,
        ..Summary::default()
    };
    summary.count(&findings);
    let layout = Layout {
        root: std::env::current_dir().expect("there is one").canonicalize().expect("it exists"),
        width: None,
        category: "cuda-arch-lint".into(),
        with_suppressed: false,
        quiet: false,
        links: false,
        printed: Printed::default(),
    };
    let regions = regions(&sources);
    let (findings, regions, sources) = (&findings[..], &regions[..], &sources);
    check(&mut Report {
        findings,
        problems,
        unresolved: Vec::new(),
        summary,
        regions,
        sources,
        rules: &Catalog::default(),
        layout,
    })
}

/// The report in a format.
fn printed(format: &str, report: &Report<'_>) -> String {
    let format = FORMATS.iter().find(|known| known.name == format).expect("it is a format's name");
    let mut out = NoColor::new(Vec::new());
    (format.write)(report, &mut out).expect("memory takes all output");
    String::from_utf8(out.into_inner()).expect("reports are UTF-8")
}

fn golden(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(format!("report.{format}"))
}

#[test]
fn every_format_prints_its_golden() {
    for format in FORMATS {
        let printed = with_report(|report| printed(format.name, report));
        let path = golden(format.name);
        golden::check(&path, &printed);
    }
}

#[test]
fn every_golden_has_a_format() {
    let directory = golden("").parent().expect("it has a name").to_path_buf();
    let mut names: Vec<_> = std::fs::read_dir(directory)
        .expect("the goldens are there")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix("report.").map(String::from))
        .collect();
    names.sort();
    let mut formats: Vec<_> = FORMATS.iter().map(|format| format.name.to_string()).collect();
    formats.sort();
    assert_eq!(names, formats);
}

#[test]
fn colour_is_only_where_it_was_asked_for() {
    let coloured = with_report(|report| {
        let mut out = Ansi::new(Vec::new());
        (FORMATS[0].write)(report, &mut out).expect("memory takes all output");
        String::from_utf8(out.into_inner()).expect("reports are UTF-8")
    });
    assert!(coloured.contains("\u{1b}[") && !coloured.contains("\u{1b}[2J"));
}

#[test]
fn a_narrow_terminal_gets_narrow_text() {
    let text = with_report(|report| {
        report.layout.width = Some(60);
        printed("text", report)
    });
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.iter().all(|line| line.starts_with("error[") || line.contains("not found")), "{wide:#?}");
}

fn schema(name: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema is there")).expect("it is JSON")
}

/// Compares a schema in the repository with the one of the types that are printed, or rewrites it.
fn check_schema(name: &str, expected: schemars::Schema) {
    let text = serde_json::to_string_pretty(&expected).expect("a schema is JSON") + "\n";
    golden::check(&golden::path("schemas").join(name), &text);
}

fn validate(schema: serde_json::Value, instance: &serde_json::Value) {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("mem:///schema.json", schema).expect("the schema is JSON");
    let index = compiler.compile("mem:///schema.json", &mut schemas).expect("the schema is one");
    if let Err(error) = schemas.validate(instance, index) {
        panic!("{error:#}");
    }
}

#[test]
fn json_is_as_its_schemas_say() {
    check_schema("report.schema.json", schemars::schema_for!(JsonReport));
    check_schema("report-line.schema.json", schemars::schema_for!(JsonLine));
    let json = with_report(|report| printed("json", report));
    validate(schema("report.schema.json"), &serde_json::from_str(&json).expect("it is JSON"));
    let lines = with_report(|report| printed("jsonl", report));
    assert_eq!(lines.lines().count(), 1 + 4 + 2);
    for line in lines.lines() {
        validate(schema("report-line.schema.json"), &serde_json::from_str(line).expect("each line is JSON"));
    }
}

#[test]
fn the_schemas_refuse_what_is_not_printed() {
    let json = with_report(|report| printed("json", report));
    let mut instance: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    instance["findings"][0]["level"] = "fatal".into();
    let refused = std::panic::catch_unwind(|| validate(schema("report.schema.json"), &instance));
    assert!(refused.is_err());
}

#[test]
fn of_very_many_findings_sarif_has_the_most_severe() {
    let sarif = with_report(|report| {
        let [error, warning] = [&report.findings[0], &report.findings[1]];
        let many: Vec<Reported> = std::iter::repeat_n(warning, 5003).chain([error]).cloned().collect();
        printed("sarif", &Report { findings: &many, problems: Vec::new(), ..copy(report) })
    });
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!((results.len(), &results[4999]["level"]), (5000, &"error".into()));
    let said = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].clone();
    assert_eq!(said, "4 findings were left out: code scanning keeps 5000.");
}

fn copy<'a>(report: &Report<'a>) -> Report<'a> {
    Report {
        findings: report.findings,
        problems: report.problems.clone(),
        unresolved: report.unresolved.clone(),
        summary: report.summary.clone(),
        regions: report.regions,
        sources: report.sources,
        rules: report.rules,
        layout: report.layout.clone(),
    }
}
