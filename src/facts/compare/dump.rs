//! The facts of a unit as text, for `dump --stage facts`.

use crate::facts::model::{Cause, InstantiationFact, LayoutCase, SignedFact, TextDigest, UnitFacts};
use crate::source::{Sources, Span};
use crate::target::{PassSet, Passes};

/// Prints the facts in which the passes of a unit may differ, one a paragraph; of these only what the passes `shown`
/// see.
pub(in crate::facts) fn print(
    facts: &UnitFacts,
    passes: &Passes,
    shown: PassSet,
    sources: &Sources,
) -> String {
    let mut printer = Printer { out: String::new(), passes, shown, sources };
    printer.facts(facts);
    if printer.out.is_empty() {
        printer.out.push_str("no fact tells the passes apart\n");
    }
    if let Some(incomplete) = &facts.incomplete {
        printer.out.push_str(&format!("incomplete: {incomplete}\n"));
    }
    printer.out
}

struct Printer<'p> {
    out: String,
    passes: &'p Passes,
    shown: PassSet,
    sources: &'p Sources,
}

/// A set of passes, and what they see.
type Line = (PassSet, String);

impl Printer<'_> {
    fn facts(&mut self, facts: &UnitFacts) {
        for fact in facts.kernels.iter().chain(&facts.variables) {
            self.signed(fact);
        }
        for fact in &facts.instantiations {
            self.instantiation(fact);
        }
        for fact in &facts.definitions {
            let title = format!("{} {}", fact.what, fact.name);
            self.paragraph(&title, fact.at, vec![(fact.defined, "defined".into())], fact.cause.as_ref());
        }
        for fact in &facts.layouts {
            let size = |size: Option<u64>| size.map_or(String::new(), |size| format!("{size} bytes: "));
            let line = |case: &LayoutCase| {
                (case.passes, format!("{}{{ {} }}", size(case.size), case.parts.join("; ")))
            };
            let lines = fact.cases.iter().map(line).collect();
            self.paragraph(&format!("class {}", fact.name), fact.at, lines, fact.cause.as_ref());
        }
        for fact in &facts.header_entities {
            let title = format!("{} {}", fact.what, fact.name);
            let line = |(passes, text): &(PassSet, TextDigest)| (*passes, format!("text {text}"));
            self.paragraph(&title, fact.at, fact.texts.iter().map(line).collect(), fact.cause.as_ref());
        }
    }

    fn signed(&mut self, fact: &SignedFact) {
        let mut lines: Vec<Line> = Vec::new();
        for case in &fact.cases {
            let doubt = if case.sure { "" } else { " (with a name that nothing declares)" };
            lines.push((case.passes, format!("{}{doubt}", case.shown)));
        }
        let places = fact.places.iter().map(|place| format!("defined at {}", self.place(*place)));
        if !fact.defined.is_empty() {
            lines.push((fact.defined, places.collect::<Vec<_>>().join(", ")));
        }
        let at = fact.cases.first().map_or(fact.places[0], |case| case.at);
        let cause = if fact.cases.len() > 1 { &fact.type_cause } else { &fact.presence_cause };
        self.paragraph(&format!("{} {}", fact.what, fact.name), at, lines, cause.as_ref());
    }

    fn instantiation(&mut self, fact: &InstantiationFact) {
        let mut lines: Vec<Line> = Vec::new();
        for site in &fact.sites {
            let from = match site.root == site.at {
                true => String::new(),
                false => format!(", reached from {}", self.place(site.root)),
            };
            lines.push((site.passes, format!("mentioned at {}{from}", self.place(site.at))));
        }
        if fact.signatures.len() > 1 {
            lines.extend(fact.signatures.iter().map(|case| (case.passes, format!("takes {}", case.shown))));
        }
        if self.shown == self.passes.all() {
            let instead = fact.instead.iter();
            lines.extend(instead.map(|(passes, shown)| (*passes, format!("has {shown} instead"))));
        }
        self.paragraph(&format!("instantiation {}", fact.shown), fact.declared, lines, fact.cause.as_ref());
    }

    /// A title with its place, a line for each set of passes, and the conditional that makes them differ; nothing if no
    /// pass that is shown has a line.
    fn paragraph(&mut self, title: &str, at: Span, lines: Vec<Line>, cause: Option<&Cause>) {
        let seen = lines.into_iter().map(|(passes, text)| (passes.and(self.shown), text));
        let seen: Vec<Line> = seen.filter(|(passes, _)| !passes.is_empty()).collect();
        if seen.is_empty() {
            return;
        }
        self.line(&format!("{title}\t{}", self.place(at)));
        for (passes, text) in seen {
            self.line(&format!("  {}: {text}", self.passes.names(passes).join(",")));
        }
        if let Some(cause) = cause {
            self.line(&format!("  because {}\t{}", cause.text, self.place(cause.at)));
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn place(&self, at: Span) -> String {
        let file = self.sources.file(at.file);
        let position = file.line_column(at.start);
        format!("{}:{}:{}", file.path.display(), position.line, position.column)
    }
}
