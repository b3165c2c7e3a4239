//! One golden a format: `tests/goldens/report.<format>`. `BLESS=1 cargo test` rewrites them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use codespan_reporting::term::termcolor::{Ansi, NoColor};
use cuda_arch_lint::finding::{Certainty, Deciding, Derived, Finding, Label, Level, View};
use cuda_arch_lint::report::{FORMATS, Problem, Report, Summary, Targets};
use cuda_arch_lint::source::{SourceFile, Sources, Span};
use cuda_arch_lint::target::{PassSet, Passes, parse_arch_list};

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

fn findings(sources: &Sources) -> Vec<Finding> {
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
        message: "`scale` takes `float *` on the host and `__nv_bfloat16 *` on sm_80".into(),
        entity: "scale".into(),
        passes: passes.clone(),
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
        message: "`element` steers\u{1b}[2J nothing".into(),
        entity: "element".into(),
        primary: Label { at: at(&kernel, "using element = float", 0), text: "here".into() },
        related: Vec::new(),
        views: Vec::new(),
        deciding: None,
        consequences: Vec::new(),
        notes: Vec::new(),
        ..signature.clone()
    };
    vec![signature, tempered]
}

fn with_report<T>(check: impl Fn(&Report<'_>) -> T) -> T {
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
        name_missing_headers: true,
        incomplete: true,
        ..Summary::default()
    };
    summary.count(&findings);
    check(&Report { findings: &findings, problems, summary, sources: &sources })
}

fn golden(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens").join(format!("report.{format}"))
}

#[test]
fn every_format_prints_its_golden() {
    for format in FORMATS {
        let printed = with_report(|report| {
            let mut out = NoColor::new(Vec::new());
            (format.write)(report, &mut out).expect("memory takes all output");
            String::from_utf8(out.into_inner()).expect("reports are UTF-8")
        });
        let path = golden(format.name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &printed).expect("the goldens can be written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(printed, expected, "{}: if this is right, BLESS=1 cargo test", path.display());
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
