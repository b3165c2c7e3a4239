//! The stand-in for `<nv/target>` expands every use as the real header of an installed CUDA toolkit does,
//! in every pass.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cuda_arch_lint::preprocess::preprocess;
use cuda_arch_lint::project::{Headers, Settings, TranslationUnit, discover};
use cuda_arch_lint::source::Sources;

const ARCHS: &str = "52,70,75,80,86,87,89,90,90a,100,100a,100f,103a,110,120,120a,121,121f";

/// The targets that `nv/target` of CUDA 13.0 knows.
const NUMBERS: &[u32] =
    &[35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121];
const FEATURES: &[&str] = &["90a", "100a", "101a", "103a", "110a", "120a", "121a", "100f", "103f", "120f"];

/// A line for every use: the branching macros with every predicate that the real header `defines`,
/// alone, combined, and in order.
fn uses(defines: impl Fn(&str) -> bool) -> String {
    let mut predicates: Vec<String> =
        ["NV_IS_HOST", "NV_IS_DEVICE", "NV_ANY_TARGET", "NV_NO_TARGET"].map(String::from).into();
    for number in NUMBERS {
        predicates.push(format!("NV_PROVIDES_SM_{number}"));
        predicates.push(format!("NV_IS_EXACTLY_SM_{number}"));
    }
    predicates.extend(FEATURES.iter().map(|feature| format!("NV_HAS_FEATURE_SM_{feature}")));
    predicates.retain(|one| defines(one));
    assert!(predicates.len() > 30, "the real header is one");
    let mut text = String::from("#include <nv/target>\n");
    let mut add = |line: String| text.push_str(&(line + "\n"));
    for one in &predicates {
        add(format!("NV_IF_TARGET({one}, (a = f(1, 2); b;))"));
        add(format!("NV_IF_TARGET({one}, (yes;), (no(1, 2);))"));
        add(format!("NV_IF_ELSE_TARGET({one}, (yes;), (no;))"));
    }
    for pair in predicates.windows(2) {
        let [a, b] = pair else { continue };
        add(format!("NV_DISPATCH_TARGET({a}, (first(1, 2);), {b}, (second;), NV_ANY_TARGET, (rest;))"));
        add(format!("NV_DISPATCH_TARGET({b}, (first;), {a}, (second;))"));
        add(format!("NV_IF_TARGET({a}, (NV_IF_TARGET({b}, (inner;), (other;))))"));
    }
    let every = predicates.iter().rev().filter(|one| one.contains("PROVIDES")).take(8);
    let cases: Vec<String> = every.map(|one| format!("{one}, ({}();)", one.to_lowercase())).collect();
    add(format!("NV_DISPATCH_TARGET({}, NV_IS_HOST, (host();))", cases.join(", ")));
    text.push_str("#ifdef __CUDA_MINIMUM_ARCH__\n__CUDA_MINIMUM_ARCH__\n#endif\n");
    text
}

/// By pass, the main file's own lines that have tokens, with their numbers.
fn lines(unit: &TranslationUnit) -> Vec<Vec<(usize, String)>> {
    let sources = Sources::new();
    let preprocessed = preprocess(unit, &sources, &Arc::default());
    let main = preprocessed.files[0];
    let file = sources.file(main);
    let mut passes: Vec<Vec<(usize, String)>> = vec![Vec::new(); unit.passes.list().len()];
    for token in preprocessed.tokens().iter().filter(|token| token.at.file == main) {
        let line = file.line_index(token.at.start);
        for pass in token.passes.iter() {
            match passes[pass].last_mut() {
                Some((last, text)) if *last == line => *text += &format!(" {}", token.text.as_str()),
                _ => passes[pass].push((line, token.text.as_str().to_string())),
            }
        }
    }
    passes
}

fn unit(source: &Path, headers: Headers) -> TranslationUnit {
    let settings = Settings { targets: vec![ARCHS.into()], headers, ..Settings::default() };
    discover(&[source.to_path_buf()], &settings, &Sources::new()).expect("a project").units.remove(0)
}

#[test]
fn the_stand_in_expands_as_the_real_header_does() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let source = folder.path().join("uses.cu");
    std::fs::write(&source, "").expect("the folder can be written");
    let (ours, mut real) = (unit(&source, Headers::BuiltIn), unit(&source, Headers::Installed));
    let has = |directory: &&PathBuf| directory.join("nv/target").is_file();
    let Some(toolkit) = real.search.toolkit.iter().chain(&real.search.system).find(has) else {
        eprintln!("no CUDA toolkit is here");
        return;
    };
    let header = std::fs::read_to_string(toolkit.join("nv/detail/__target_macros")).expect("it is beside");
    let text = uses(|name| header.split_whitespace().any(|word| word == name));
    std::fs::write(&source, &text).expect("the folder can be written");
    real.options = ours.options.clone();
    for (pass, (stand_in, header)) in lines(&ours).into_iter().zip(lines(&real)).enumerate() {
        for (stand_in, header) in stand_in.iter().zip(&header) {
            let line = text.lines().nth(header.0).unwrap_or_default();
            assert_eq!(stand_in, header, "pass {pass}: {line}");
        }
        assert_eq!(stand_in.len(), header.len(), "pass {pass}");
        assert!(!header.is_empty(), "something is live in every pass");
    }
}
