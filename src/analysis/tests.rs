//! Units of one run share what is found of the headers that they begin with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::pipeline::{Caches, analyse_unit};
use crate::project::TranslationUnit;
use crate::source::{Sources, Span};
use crate::target::{Passes, parse_arch_list};

const HEADERS: [(&str, &str); 4] = [
    (
        "common.h",
        "#pragma once\n\
         #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n#define WIDE 1\n#else\n#define WIDE 0\n#endif\n\
         struct Pair { int first;\n#if WIDE\n int second;\n#endif\n};\n\
         template <class T, int N> __global__ void fill(T *out) { out[N] = T(); }\n\
         template <class T> void launch(T *out) { fill<T, WIDE><<<1, 1>>>(out); }\n",
    ),
    ("first.h", "#pragma once\n#include \"common.h\"\nnamespace first { struct Tag {}; }\n"),
    ("second.h", "#pragma once\n#include \"common.h\"\n#define SECOND 1\nusing Number = double;\n"),
    ("open.h", "#pragma once\n#include \"common.h\"\nnamespace open {\n"),
];

const UNITS: [(&str, &str); 8] = [
    ("a.cu", "#include \"first.h\"\nvoid run(float *out) { launch(out); }\n"),
    ("b.cu", "#include \"second.h\"\nvoid run(Number *out) { launch(out); }\n"),
    ("c.cu", "#include \"common.h\"\n__global__ void take(Pair pair) {}\n"),
    ("d.cu", "#include \"common.h\"\nstruct Number {};\nvoid run(Number *out) { launch(out); }\n"),
    ("e.cu", "int before;\n#include \"common.h\"\nvoid run(char *out) { launch(out); }\n"),
    ("f.cu", "#include \"open.h\"\nvoid run(short *out) { launch(out); }\n}\n"),
    ("g.cu", "#include \"open.h\"\n}\n#include \"second.h\"\nvoid run(Number *out) { launch(out); }\n"),
    ("h.cu", "#define WIDE 2\n#include \"first.h\"\nvoid run(long *out) { launch(out); }\n"),
];

/// The findings and blind spots of each unit, analysed one after another.
fn analysed(units: &[(&str, &str)]) -> BTreeMap<PathBuf, Vec<String>> {
    let (sources, caches) = (Sources::new(), Caches::default());
    for (path, text) in HEADERS.iter().chain(units) {
        sources.add(Path::new(path), (*text).to_string());
    }
    let passes = Passes::new(&parse_arch_list("75,80").unwrap()).unwrap();
    let shown = |at: Span| format!("{}:{}", sources.file(at.file).path.display(), at.start);
    let of_unit = |(path, _): &(&str, &str)| {
        let outcome = analyse_unit(&TranslationUnit::new(Path::new(path), passes.clone()), &sources, &caches);
        let findings = outcome.findings.iter().map(|one| {
            let sees: Vec<&str> = one.views.iter().map(|view| view.sees.as_str()).collect();
            format!("{} {} {} {sees:?}", shown(one.primary.at), one.rule, one.message)
        });
        let spots = outcome.unresolved.iter().map(|one| format!("{} {}", shown(one.at), one.message()));
        (PathBuf::from(path), findings.chain(spots).collect())
    };
    units.iter().map(of_unit).collect()
}

#[test]
fn units_that_share_headers_are_analysed_as_if_each_were_alone() {
    let alone: BTreeMap<_, _> = UNITS.iter().flat_map(|unit| analysed(&[*unit])).collect();
    let with_findings = alone.values().filter(|found| !found.is_empty()).count();
    assert_eq!(with_findings, UNITS.len(), "{alone:#?}");
    let mut reversed = UNITS;
    reversed.reverse();
    for order in [UNITS, reversed] {
        assert_eq!(analysed(&order), alone);
    }
}
