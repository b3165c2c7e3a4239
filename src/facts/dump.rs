//! The facts of a unit as text, to look at.

use std::fmt::Write;

use crate::preprocess::preprocess;
use crate::project::TranslationUnit;
use crate::source::{Sources, Span};
use crate::target::{PassSet, Passes};
use crate::variance::variance;

use super::{Memo, SignedFact, UnitFacts, facts};

/// What the analysis knows of a unit, one fact a paragraph; with a pass, only what that pass sees.
pub fn dump(unit: &TranslationUnit, sources: &Sources, pass: Option<usize>) -> String {
    let preprocessed = preprocess(unit, sources);
    let compared = unit.passes.all().minus(preprocessed.stopped);
    let variance = variance(&preprocessed, compared);
    let facts = facts(unit, &preprocessed, &variance, &Memo::new());
    let shown = pass.map_or(unit.passes.all(), PassSet::single);
    let mut printer = Printer { out: String::new(), passes: &unit.passes, shown, sources };
    printer.facts(&facts).expect("writing to a String can't fail");
    printer.out
}

struct Printer<'p> {
    out: String,
    passes: &'p Passes,
    shown: PassSet,
    sources: &'p Sources,
}

impl Printer<'_> {
    fn facts(&mut self, facts: &UnitFacts) -> std::fmt::Result {
        for fact in facts.kernels.iter().chain(&facts.variables) {
            self.signed(fact)?;
        }
        for fact in &facts.instantiations {
            writeln!(self.out, "instantiation {} at {}", fact.shown, self.place(fact.declared))?;
            self.line(fact.passes, "instantiated")?;
            for site in &fact.sites {
                let text = format!("mentioned at {}, from {}", self.place(site.at), self.place(site.root));
                self.line(site.passes, &text)?;
            }
            for (passes, instead) in &fact.instead {
                self.line(*passes, &format!("instead {instead}"))?;
            }
        }
        for fact in &facts.definitions {
            writeln!(self.out, "{} {} at {}", fact.what, fact.name, self.place(fact.at))?;
            self.line(fact.defined, "defined")?;
        }
        for fact in &facts.layouts {
            writeln!(self.out, "class {} at {}", fact.name, self.place(fact.at))?;
            for case in &fact.cases {
                let size = case.size.map_or(String::new(), |size| format!(" ({size} bytes)"));
                self.line(case.passes, &format!("{{ {} }}{size}", case.parts.join("; ")))?;
            }
        }
        for fact in &facts.header_entities {
            writeln!(self.out, "{} {} at {}", fact.what, fact.name, self.place(fact.at))?;
            for (passes, text) in &fact.texts {
                self.line(*passes, &format!("text {text:016x}"))?;
            }
        }
        Ok(())
    }

    fn signed(&mut self, fact: &SignedFact) -> std::fmt::Result {
        let places: Vec<String> = fact.places.iter().map(|place| self.place(*place)).collect();
        writeln!(self.out, "{} {} at {}", fact.what, fact.name, places.join(", "))?;
        for case in &fact.cases {
            let doubt = if case.sure { "" } else { " (a name in it is not declared in what was read)" };
            self.line(case.passes, &format!("{}{doubt}", case.shown))?;
        }
        self.line(fact.defined, "defined")
    }

    fn line(&mut self, passes: PassSet, text: &str) -> std::fmt::Result {
        if passes.meets(self.shown) {
            writeln!(self.out, "  [{}] {text}", self.passes.names(passes).join(", "))?;
        }
        Ok(())
    }

    fn place(&self, at: Span) -> String {
        let file = self.sources.file(at.file);
        let position = file.line_column(at.start);
        format!("{}:{}:{}", file.path.display(), position.line, position.column)
    }
}
