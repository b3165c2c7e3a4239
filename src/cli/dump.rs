//! `dump`: what a stage makes of a file, a line a thing. A bug is found by looking.

use std::fmt::Write as _;
use std::io::{Write, stdout};

use crate::analysis::on_deep_stacks;
use crate::preprocess::{GroupId, Preprocessed, preprocess};
use crate::project::{TranslationUnit, discover};
use crate::source::{Loc, Sources};
use crate::target::{PassSet, Passes, parse_arch_list};
use crate::variance::{TopDeclaration, Variance, Varies, variance};

use super::arguments::{DumpArguments, Stage};
use super::{Failure, exit_code};

/// Prints a stage's result for one source.
pub(super) fn dump(arguments: &DumpArguments) -> Result<u8, Failure> {
    let sources = Sources::new();
    let paths = std::slice::from_ref(&arguments.file);
    let project = discover(paths, &arguments.build.settings(), &sources)?;
    let unit = project.units.first().or(project.headers.first());
    let unit = unit.expect("discover gives at least one unit");
    let pass = arguments.pass.as_deref().map(|name| pass_number(name, &unit.passes)).transpose()?;
    let shown = pass.map_or(unit.passes.all(), PassSet::single);
    let text = match arguments.stage {
        Stage::Tokens => tokens(&View::new(unit, &sources, shown)),
        Stage::Conditions => conditions(&View::new(unit, &sources, shown)),
        Stage::Declarations => declarations(&View::new(unit, &sources, shown)),
        Stage::Facts => on_deep_stacks(|| crate::facts::dump(unit, &sources, pass)),
    };
    stdout().lock().write_all(text.as_bytes())?;
    Ok(exit_code::CLEAN)
}

/// The number of the pass of that name; `80`, `sm_80` and `compute_80` name the same.
fn pass_number(name: &str, passes: &Passes) -> Result<usize, Failure> {
    let names = passes.names(passes.all());
    let wanted = match parse_arch_list(name) {
        Ok(archs) if archs.len() == 1 => archs[0].sm_name(),
        _ => name.to_string(),
    };
    names.iter().position(|known| *known == wanted).ok_or_else(|| Failure::Usage {
        message: format!("the file has no pass `{name}`"),
        help: format!("its passes are {}; `--arch` chooses others", names.join(", ")),
    })
}

/// A preprocessed unit, and how to print places and passes of it.
struct View<'a> {
    unit: &'a TranslationUnit,
    sources: &'a Sources,
    shown: PassSet,
    pp: Preprocessed,
}

impl View<'_> {
    fn new<'a>(unit: &'a TranslationUnit, sources: &'a Sources, shown: PassSet) -> View<'a> {
        View { unit, sources, shown, pp: preprocess(unit, sources) }
    }

    fn passes(&self, set: PassSet) -> String {
        match set {
            all if all == self.unit.passes.all() => "*".to_string(),
            _ => self.unit.passes.names(set).join(","),
        }
    }

    fn place(&self, at: Loc) -> String {
        let file = self.sources.file(at.file);
        let position = file.line_column(at.offset);
        format!("{}:{}:{}", file.path.display(), position.line, position.column)
    }
}

/// A line per token: its passes (`*` for all), spelling and place, and the macro it came out of.
fn tokens(view: &View<'_>) -> String {
    let mut text = String::new();
    for token in view.pp.tokens.iter().filter(|token| token.passes.meets(view.shown)) {
        let passes = view.passes(token.passes);
        let place = view.place(token.at.loc());
        let from = token.expansion.map(|expansion| {
            let definition = view.pp.expansion(expansion).definition;
            format!("  from {}", view.pp.definition(definition).name)
        });
        writeln!(text, "{passes:8} {}\t{place}{}", token.text, from.unwrap_or_default())
            .expect("writing to a string can't fail");
    }
    text
}

/// A paragraph per conditional: a line per group with its passes, and under the groups whose passes
/// differ the derivation back to a predefined macro.
fn conditions(view: &View<'_>) -> String {
    let mut text = String::new();
    for conditional in view.pp.conditionals.iter().filter(|one| one.passes.meets(view.shown)) {
        for id in &conditional.groups {
            let group = view.pp.group(*id);
            let passes = match group.passes.is_empty() {
                true => "-".to_string(),
                false => view.passes(group.passes),
            };
            let place = view.place(group.directive.loc());
            writeln!(text, "{passes:8} {}\t{place}", group.text).expect("writing to a string can't fail");
            if !group.passes.is_empty() && group.passes != conditional.passes {
                derivation(view, *id, &mut text);
            }
        }
        text.push('\n');
    }
    text
}

fn derivation(view: &View<'_>, group: GroupId, text: &mut String) {
    for step in view.pp.derivation(group).iter().skip(1) {
        let place = step.at.map(|at| view.place(at.loc())).unwrap_or_default();
        writeln!(text, "           because {} [{}]\t{place}", step.text, view.passes(step.passes))
            .expect("writing to a string can't fail");
    }
}

/// A line per declaration: its passes, kind, scope and names, why it varies, its place; then the
/// varying names.
fn declarations(view: &View<'_>) -> String {
    let variance = variance(&view.pp, view.unit.passes.all());
    let mut text = String::new();
    for declaration in variance.declarations.iter().filter(|one| one.passes.meets(view.shown)) {
        let passes = view.passes(declaration.passes);
        let kind = format!("{:?}", declaration.kind).to_lowercase();
        let names: Vec<_> = declaration.names.iter().map(|name| name.as_str()).collect();
        let scope = scope(&variance, declaration);
        let varies = varies(declaration.varies);
        let place = view.pp.tokens.get(declaration.tokens.start).map(|token| view.place(token.at.loc()));
        writeln!(
            text,
            "{passes:8} {kind:13} {scope}{}{varies}\t{}",
            names.join(" "),
            place.unwrap_or_default()
        )
        .expect("writing to a string can't fail");
    }
    let mut varying: Vec<_> = variance.varying.iter().map(|name| name.as_str()).collect();
    varying.sort_unstable();
    writeln!(text, "varying: {}", varying.join(" ")).expect("writing to a string can't fail");
    text
}

/// `a::b::`, unnamed namespaces and linkage blocks in brackets.
fn scope(variance: &Variance, declaration: &TopDeclaration) -> String {
    let mut parts = Vec::new();
    let mut next = Some(declaration.scope);
    while let Some(scope) = next.and_then(|id| variance.scopes.get(id.0 as usize)) {
        match (scope.name, scope.unnamed, scope.extern_c) {
            (Some(name), ..) => parts.push(format!("{name}::")),
            (None, true, _) => parts.push("(unnamed)::".to_string()),
            (None, _, true) => parts.push("(extern \"C\") ".to_string()),
            _ => {}
        }
        next = scope.parent;
    }
    parts.reverse();
    parts.concat()
}

fn varies(varies: Varies) -> String {
    let why = [("presence", varies.presence), ("tokens", varies.tokens), ("names", varies.names)];
    let why: Vec<_> = why.iter().filter(|(_, varies)| *varies).map(|(why, _)| *why).collect();
    if why.is_empty() { String::new() } else { format!(" (varies: {})", why.join(", ")) }
}
