//! The variance stage on small sources: how they are cut, and what varies.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use crate::preprocess::preprocess;
use crate::project::TranslationUnit;
use crate::source::Sources;
use crate::target::{Passes, parse_arch_list};

use super::*;

mod cut;
mod known;
mod spread;
mod unclosed;

/// Cuts `source` for the host and `archs` and renders a line for each declaration: kind, names,
/// the passes that have it if not all do, what varies; then the varying names.
fn check(source: &str, archs: &str, expected: &str) {
    let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
    let sources = Sources::new();
    sources.add(Path::new("a.cu"), source.to_string());
    sources.add(Path::new("once.h"), "#pragma once\nstruct Once { };\n".to_string());
    let unit =
        preprocess(&TranslationUnit::new(Path::new("a.cu"), passes.clone()), &sources, &Arc::default());
    let result = variance(&unit, passes.all().minus(unit.stopped));
    let mut text = String::new();
    let of_system = |one: &&TopDeclaration| unit.system.contains(&unit.tokens()[one.tokens.start].at.file);
    for declaration in result.declarations.iter().filter(|one| !of_system(one)) {
        let names: Vec<&str> = declaration.names.iter().map(|name| name.as_str()).collect();
        let scope = path(&result, declaration.scope);
        write!(text, "{:?} {scope}{}", declaration.kind, names.join(" ")).unwrap();
        if declaration.passes != passes.all() {
            write!(text, " @{}", passes.names(declaration.passes).join(",")).unwrap();
        }
        let Varies { presence, tokens, names, sizes } = declaration.varies;
        for (set, word) in
            [(presence, " presence"), (tokens, " tokens"), (names, " names"), (sizes, " sizes")]
        {
            text.push_str(if set { word } else { "" });
        }
        text.push('\n');
    }
    let mut varying: Vec<&str> = result.varying.names().map(|name| name.as_str()).collect();
    varying.sort_unstable();
    if !varying.is_empty() {
        writeln!(text, "varying: {}", varying.join(" ")).unwrap();
    }
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let found: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(found, expected, "\nfound:\n{text}\nin:\n{source}");
}

fn path(result: &Variance, scope: ScopeId) -> String {
    let scope = &result.scopes[scope.0 as usize];
    let Some(parent) = scope.parent else { return String::new() };
    let name = match scope.name {
        Some(name) => name.as_str(),
        None if scope.unnamed => "{}",
        None if scope.extern_c => "C",
        None => "C++",
    };
    format!("{}{name}::", path(result, parent))
}
