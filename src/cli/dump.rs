//! `dump`: what a stage makes of a file, a line a thing. A bug is found by looking.

use std::sync::Arc;

use std::io::{Write, stdout};

use crate::analysis::on_deep_stacks;
use crate::preprocess::{GroupId, Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::source::{Loc, Sources};
use crate::target::PassSet;
use crate::variance::{TopDeclaration, Variance, Varies, variance};

use super::arguments::{DumpArguments, Stage};
use super::unit::unit_of;
use super::{Failure, exit_code};

/// Prints a stage's result for one source.
pub(super) fn dump(arguments: &DumpArguments) -> Result<u8, Failure> {
    let sources = Sources::new();
    let (unit, pass) = unit_of(&arguments.file, &arguments.build, arguments.pass.as_deref(), &sources)?;
    let unit = &unit;
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

/// A preprocessed unit, and how to print places and passes of it.
struct View<'a> {
    unit: &'a TranslationUnit,
    sources: &'a Sources,
    shown: PassSet,
    pp: Preprocessed,
}

impl View<'_> {
    fn new<'a>(unit: &'a TranslationUnit, sources: &'a Sources, shown: PassSet) -> View<'a> {
        View { unit, sources, shown, pp: preprocess(unit, sources, &Arc::default()) }
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

/// Lines of which each begins with passes, in a column that is as wide as it must be.
#[derive(Default)]
struct Lines {
    /// Passes (`None` for a line that belongs to the one above), and the rest.
    lines: Vec<(Option<String>, String)>,
}

impl Lines {
    fn push(&mut self, passes: String, rest: String) {
        self.lines.push((Some(passes), rest));
    }

    fn below(&mut self, rest: String) {
        self.lines.push((None, rest));
    }

    fn text(&self) -> String {
        let width = self.lines.iter().filter_map(|(passes, _)| passes.as_ref()).map(String::len).max();
        let mut text = String::new();
        for (passes, rest) in &self.lines {
            let passes = passes.as_deref().unwrap_or_default();
            let line = format!("{passes:width$}  {rest}", width = width.unwrap_or_default());
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A line per token: its passes (`*` for all), spelling and place, and the macro it came out of.
fn tokens(view: &View<'_>) -> String {
    let mut lines = Lines::default();
    for token in view.pp.tokens().iter().filter(|token| token.passes.meets(view.shown)) {
        let from = token.expansion.map(|expansion| {
            let definition = view.pp.expansion(expansion).definition;
            format!("  from {}", view.pp.definition(definition).name)
        });
        let place = view.place(token.at.loc());
        lines.push(view.passes(token.passes), format!("{}\t{place}{}", token.text, from.unwrap_or_default()));
    }
    lines.text()
}

/// A line per group of each conditional, with the passes that enter it; under the groups that not
/// all passes enter that could, the derivation back to a predefined macro. A pass by itself has only
/// the groups it enters.
fn conditions(view: &View<'_>) -> String {
    let mut lines = Lines::default();
    let all = view.shown == view.unit.passes.all();
    for id in view.pp.conditionals().iter().flat_map(|conditional| &conditional.groups) {
        let group = view.pp.group(*id);
        let around = view.pp.conditional(group.conditional).passes;
        let varies = !group.passes.is_empty() && group.passes != around;
        let file = view.sources.file(group.directive.file);
        let shown = if all { around.meets(view.shown) } else { group.passes.meets(view.shown) };
        if !shown || file.built_in() && !varies {
            continue;
        }
        let passes = match group.passes.is_empty() {
            true => "-".to_string(),
            false => view.passes(group.passes),
        };
        lines.push(passes, format!("{}\t{}", group.written.text(), view.place(group.directive.loc())));
        if varies {
            derivation(view, *id, &mut lines);
        }
    }
    lines.text()
}

fn derivation(view: &View<'_>, group: GroupId, lines: &mut Lines) {
    let steps = view.pp.derivation(group);
    for step in steps.iter().skip(1) {
        let place = step.at.map(|at| format!("\t{}", view.place(at.loc()))).unwrap_or_default();
        lines.below(format!("  because {} [{}]{place}", step.text, view.passes(step.passes)));
    }
}

/// A line per declaration: its passes, kind, scope and names, why it varies, its place; then the
/// varying names.
fn declarations(view: &View<'_>) -> String {
    let variance = variance(&view.pp, view.unit.passes.all());
    let mut lines = Lines::default();
    for declaration in variance.declarations.iter().filter(|one| one.passes.meets(view.shown)) {
        let kind = format!("{:?}", declaration.kind).to_lowercase();
        let names: Vec<_> = declaration.names.iter().map(|name| name.as_str()).collect();
        let scope = scope(&variance, declaration);
        let varies = varies(declaration.varies);
        let place = view.pp.tokens().get(declaration.tokens.start).map(|token| view.place(token.at.loc()));
        let place = place.unwrap_or_default();
        lines.push(
            view.passes(declaration.passes),
            format!("{kind:13} {scope}{}{varies}\t{place}", names.join(" ")),
        );
    }
    let mut varying: Vec<_> = variance.varying.names().map(|name| name.as_str()).collect();
    varying.sort_unstable();
    format!("{}varying names: {}\n", lines.text(), varying.join(" "))
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
    let why = [
        ("presence", varies.presence),
        ("tokens", varies.tokens),
        ("names", varies.names),
        ("sizes", varies.sizes),
    ];
    let why: Vec<_> = why.iter().filter(|(_, varies)| *varies).map(|(why, _)| *why).collect();
    if why.is_empty() { String::new() } else { format!(" (varies: {})", why.join(", ")) }
}
