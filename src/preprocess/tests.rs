//! The preprocessor, feature by feature.

use std::path::Path;

use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::{Passes, parse_arch_list};

use super::{Preprocessed, preprocess};

/// Preprocesses the first file, the others beside it.
fn run(files: &[(&str, &str)], archs: &str) -> (TranslationUnit, Preprocessed) {
    let sources = Sources::new();
    for (name, text) in files {
        sources.add(Path::new(name), (*text).to_string());
    }
    let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
    let unit = TranslationUnit::new(Path::new(files[0].0), passes);
    let preprocessed = preprocess(&unit, &sources);
    (unit, preprocessed)
}

/// Preprocesses the first file and compares what each pass sees: `expected` has a line for each
/// class of passes that see the same, in the order of their first pass: `host sm_75: int x ;`.
fn check(files: &[(&str, &str)], archs: &str, expected: &str) {
    let (unit, preprocessed) = run(files, archs);
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for (pass, name) in unit.passes.names(unit.passes.all()).into_iter().enumerate() {
        let tokens = preprocessed.tokens.iter().filter(|token| token.passes.has(pass));
        let text = tokens.map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        match lines.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => lines.push((text, vec![name])),
        }
    }
    let mut shown: Vec<String> =
        lines.into_iter().map(|(text, names)| format!("{}: {text}", names.join(" "))).collect();
    shown.extend(preprocessed.problems.iter().map(|problem| format!("! {}", problem.message)));
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(shown.join("\n"), expected.join("\n"));
}

#[test]
fn a_conditional_on_the_architecture_splits_the_passes() {
    check(
        &[(
            "a.cu",
            "a\n#if __CUDA_ARCH__ >= 800\nnew\n#elif defined(__CUDA_ARCH__)\nold\n#else\nhost\n#endif\nb",
        )],
        "75,80",
        "host: a host b
         sm_75: a old b
         sm_80: a new b",
    );
}

#[test]
fn the_standards_rescanning_example() {
    check(
        &[(
            "a.cu",
            "#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };",
        )],
        "75",
        "host sm_75: f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
         f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
         int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;",
    );
}
