//! The command `dump`: prints the result of a stage, for finding bugs by looking.

use std::sync::Arc;

use std::io::{Write, stdout};

use crate::analysis::on_deep_stacks;
use crate::preprocess::{GroupId, PpToken, Preprocessed, preprocess};
use crate::project::TranslationUnit;
use crate::source::{Loc, Sources};
use crate::target::PassSet;
use crate::variance::{TopDeclaration, Variance, Varies, variance};

use super::arguments::{DumpArguments, DumpFormat, Stage};
use super::unit::unit_of;
use super::{Failure, exit_code, kernel_list};

/// Runs the command for one source.
pub(super) fn dump(arguments: &DumpArguments) -> Result<u8, Failure> {
    let sources = Sources::new();
    let (unit, pass) = unit_of(&arguments.file, &arguments.build, arguments.pass.as_deref(), &sources)?;
    let unit = &unit;
    let shown = pass.map_or(unit.passes.all(), PassSet::single);
    if arguments.format == DumpFormat::Json && arguments.stage != Stage::Kernels {
        return Err(Failure::Usage {
            message: "only the stage `kernels` can be printed as JSON".into(),
            help: "leave `--format` out, or choose `--stage kernels`".into(),
        });
    }
    let text = match arguments.stage {
        Stage::Tokens => tokens(&UnitPrinter::new(unit, &sources, shown)),
        Stage::Conditions => conditions(&UnitPrinter::new(unit, &sources, shown)),
        Stage::Declarations => declarations(&UnitPrinter::new(unit, &sources, shown)),
        Stage::Facts => on_deep_stacks(|| crate::facts::dump(unit, &sources, pass)),
        Stage::Kernels => {
            let list = on_deep_stacks(|| crate::facts::kernel_list(unit, &sources));
            kernel_list::text(&list, &unit.passes, shown, &sources, arguments.format)
        }
    };
    stdout().lock().write_all(text.as_bytes())?;
    Ok(exit_code::CLEAN)
}

/// A preprocessed unit, with the passes to print.
struct UnitPrinter<'a> {
    unit: &'a TranslationUnit,
    sources: &'a Sources,
    shown: PassSet,
    pp: Preprocessed,
}

impl UnitPrinter<'_> {
    fn new<'a>(unit: &'a TranslationUnit, sources: &'a Sources, shown: PassSet) -> UnitPrinter<'a> {
        UnitPrinter { unit, sources, shown, pp: preprocess(unit, sources, &Arc::default()) }
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

/// Lines that begin with a column of passes, which is as wide as its longest entry.
#[derive(Default)]
struct Lines {
    /// The passes (`None` for a continuation of the line above), and the rest of the line.
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

/// One line per token of no system header: its passes (`*` for all), spelling, place, and the macro that it was expanded from.
fn tokens(printer: &UnitPrinter<'_>) -> String {
    let mut lines = Lines::default();
    let own = |token: &&PpToken| !printer.pp.system.contains(&token.at.file);
    for token in printer.pp.tokens().iter().filter(own).filter(|token| token.passes.meets(printer.shown)) {
        let from = token.expansion.map(|expansion| {
            let definition = printer.pp.expansion(expansion).definition;
            format!("  from {}", printer.pp.definition(definition).name)
        });
        let place = printer.place(token.at.loc());
        lines.push(
            printer.passes(token.passes),
            format!("{}\t{place}{}", token.text, from.unwrap_or_default()),
        );
    }
    lines.text()
}

/// One line per group of each conditional, with the passes that enter it. If not all passes that reach a group enter
/// it, the derivation from a predefined macro follows. With a single pass, only the groups that it enters.
fn conditions(printer: &UnitPrinter<'_>) -> String {
    let mut lines = Lines::default();
    let all = printer.shown == printer.unit.passes.all();
    for id in printer.pp.conditionals().iter().flat_map(|conditional| &conditional.groups) {
        let group = printer.pp.group(*id);
        let around = printer.pp.conditional(group.conditional).passes;
        let varies = !group.passes.is_empty() && group.passes != around;
        let file = printer.sources.file(group.directive.file);
        let shown = if all { around.meets(printer.shown) } else { group.passes.meets(printer.shown) };
        if !shown || file.built_in() && !varies {
            continue;
        }
        let passes = match group.passes.is_empty() {
            true => "-".to_string(),
            false => printer.passes(group.passes),
        };
        lines.push(passes, format!("{}\t{}", group.written.text(), printer.place(group.directive.loc())));
        if varies {
            derivation(printer, *id, &mut lines);
        }
    }
    lines.text()
}

fn derivation(printer: &UnitPrinter<'_>, group: GroupId, lines: &mut Lines) {
    let steps = printer.pp.derivation(group);
    for step in steps.iter().skip(1) {
        let place = step.at.map(|at| format!("\t{}", printer.place(at.loc()))).unwrap_or_default();
        lines.below(format!("  because {} [{}]{place}", step.text, printer.passes(step.passes)));
    }
}

/// One line per declaration: its passes, kind, scope and names, why it varies, and its place; then the names that
/// vary.
fn declarations(printer: &UnitPrinter<'_>) -> String {
    let variance = variance(&printer.pp, printer.unit.passes.all());
    let mut lines = Lines::default();
    let of_system = |one: &&TopDeclaration| {
        let first = printer.pp.tokens().get(one.tokens.start);
        first.is_some_and(|token| printer.pp.system.contains(&token.at.file))
    };
    let shown = variance.declarations.iter().filter(|one| one.passes.meets(printer.shown));
    for declaration in shown.filter(|one| !of_system(one)) {
        let kind = format!("{:?}", declaration.kind).to_lowercase();
        let names: Vec<_> = declaration.names.iter().map(|name| name.as_str()).collect();
        let scope = scope(&variance, declaration);
        let varies = varies(declaration.varies);
        let place =
            printer.pp.tokens().get(declaration.tokens.start).map(|token| printer.place(token.at.loc()));
        let place = place.unwrap_or_default();
        lines.push(
            printer.passes(declaration.passes),
            format!("{kind:13} {scope}{}{varies}\t{place}", names.join(" ")),
        );
    }
    let mut varying: Vec<_> = variance.varying.names().map(|name| name.as_str()).collect();
    varying.sort_unstable();
    format!("{}varying names: {}\n", lines.text(), varying.join(" "))
}

/// `a::b::`, with unnamed namespaces and linkage specifications in brackets.
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
