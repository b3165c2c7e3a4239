//! Tests of this stage on small sources: the meaning of names in each pass, and the facts about differences.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path as FilePath;
use std::rc::Rc;
use std::sync::Arc;

use crate::preprocess::preprocess;
use crate::source::{Sources, Span};
use crate::target::{Passes, parse_arch_list};
use crate::variance::{ScopeId, variance};

use crate::facts::lower::ast::{DeclBody, Path};
use crate::facts::meaning::types::{Env, Spelling, Ty};
use crate::facts::meaning::view::{Entity, LookupResult};
use crate::facts::*;

mod answers;
mod constants;
mod evaluation;
mod host;
mod instantiations;
mod layouts;
mod mentions;
mod name_closure;
mod names;
mod shared_walks;
mod units;

/// A source that went through the earlier stages, for the host and `archs`.
struct Fixture {
    sources: Sources,
    unit: TranslationUnit,
    pp: Preprocessed,
    variance: Variance,
    memo: Memo,
}

impl Fixture {
    fn new(source: &str, archs: &str) -> Fixture {
        let passes = Passes::new(&parse_arch_list(archs).unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(FilePath::new("a.cu"), source.to_string());
        let unit = TranslationUnit::new(FilePath::new("a.cu"), passes);
        let pp = preprocess(&unit, &sources, &Arc::default());
        let variance = variance(&pp, unit.passes.all().minus(pp.stopped));
        Fixture { sources, unit, pp, variance, memo: Memo::new() }
    }

    fn passes(&self, set: PassSet) -> String {
        match set {
            all if all == self.unit.passes.all() => "*".into(),
            none if none.is_empty() => "-".into(),
            some => self.unit.passes.names(some).join(","),
        }
    }

    fn line(&self, at: Span) -> u32 {
        self.sources.file(at.file).line_column(at.start).line
    }
}

/// Renders global names in every pass: a line `name = text` for each, with `text [passes]; text [passes]` where the
/// passes disagree.
fn check_names(source: &str, expected: &str, render: impl Fn(&View<'_>, Symbol, &Entity) -> String) {
    let fixture = Fixture::new(source, "80");
    let unit =
        IndexedUnit::new(&fixture.pp, &fixture.variance, &fixture.memo, fixture.unit.passes.all(), None);
    let expected = lines(expected);
    let caches = Rc::default();
    let mut found = Vec::new();
    for name in expected.iter().map(|line| line.split(" = ").next().unwrap_or_default()) {
        let mut texts: Vec<(PassSet, String)> = Vec::new();
        for pass in fixture.unit.passes.all().iter() {
            let view = View::new(&unit, pass, &caches);
            let text = match view.lookup_unqualified(Symbol::intern(name), &Env::namespace(ScopeId::GLOBAL)) {
                LookupResult::Entities(entities) => render(&view, Symbol::intern(name), &entities[0]),
                other => format!("{other:?}"),
            };
            match texts.iter_mut().find(|(_, known)| *known == text) {
                Some((passes, _)) => *passes = passes.or(PassSet::single(pass)),
                None => texts.push((PassSet::single(pass), text)),
            }
        }
        let text = match texts.as_slice() {
            [(_, only)] => only.clone(),
            all => {
                let each = all.iter().map(|(passes, text)| format!("{text} [{}]", fixture.passes(*passes)));
                each.collect::<Vec<_>>().join("; ")
            }
        };
        found.push(format!("{name} = {text}"));
    }
    let differ = found.iter().zip(expected).filter(|(found, expected)| found != expected);
    let differ: Vec<String> = differ.map(|(found, expected)| format!("{found}   not   {expected}")).collect();
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
}

/// The canonical type of aliases, variables and functions.
fn types(source: &str, expected: &str) {
    check_names(source, expected, |view, _, entity| {
        let ty = match &entity.decl.kind {
            DeclBody::Variable(variable) => view.ty(&variable.ty, &entity.env),
            DeclBody::Function(function) => {
                let parameters = function.parameters.iter();
                let types = parameters.map(|one| view.parameter_ty(&one.ty, &entity.env)).collect();
                Ty::Function(Rc::new(view.ty(&function.result, &entity.env)), types, false)
            }
            _ => view.named_type(&Path::plain(entity.decl.name), &entity.env),
        };
        let doubt = if ty.is_sure() { "" } else { " ?" };
        format!("{}{doubt}", ty.text(Spelling::Canonical))
    });
}

/// The values of constants.
fn values(source: &str, expected: &str) {
    check_names(source, expected, |view, name, _| {
        view.name_value(&Path::plain(name), &Env::namespace(ScopeId::GLOBAL)).text()
    });
}

/// Sizes and alignments of types: `size/alignment`.
fn sizes(source: &str, expected: &str) {
    check_names(source, expected, |view, _, entity| {
        let ty = view.named_type(&Path::plain(entity.decl.name), &entity.env);
        crate::facts::meaning::layout::size_align(view, &ty)
            .map_or("unknown".into(), |(size, align)| format!("{size}/{align}"))
    });
}

/// The facts of a source in which its passes differ, a line each, with the line numbers of places and causes.
fn check(source: &str, archs: &str, expected: &str) {
    let fixture = Fixture::new(source, archs);
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let found = render(&fixture, &facts);
    let found = lines(&found);
    assert_eq!(found, lines(expected), "\nfound:\n{}\nin:\n{source}", found.join("\n"));
}

/// The kernel instantiations that not every pass has.
fn instantiations(source: &str, expected: &str) {
    let found = instantiated(source);
    assert_eq!(found, lines(expected), "\nfound:\n{}\nin:\n{source}", found.join("\n"));
}

/// Checks that each of the sources has the expected instantiations and no others.
fn each_instantiates(sources: &[&str], expected: &str) {
    let differ = sources.iter().filter(|source| instantiated(source) != lines(expected));
    let differ: Vec<String> =
        differ.map(|source| format!("{source}\n    {:?}", instantiated(source))).collect();
    assert!(differ.is_empty(), "\n{}\n", differ.join("\n"));
}

/// The kernel instantiations that not every pass has, a line each class of passes. `real` is a different type on the
/// host and on the device, so that instantiations with it are among them.
fn instantiated(source: &str) -> Vec<String> {
    let prelude = "
#ifdef __CUDA_ARCH__
        using real = float;
#else
        using real = double;
#endif
        template <class T, int N = 1> __global__ void k(T *p) { }
        ";
    let fixture = Fixture::new(&format!("{prelude}{source}"), "80");
    let facts = facts(&fixture.unit, &fixture.pp, &fixture.variance, &fixture.memo);
    let mut found: BTreeMap<PassSet, Vec<String>> = BTreeMap::new();
    for fact in &facts.instantiations {
        let doubt = if fact.sure { "" } else { " ?" };
        found.entry(fact.passes).or_default().push(format!("{}{doubt}", fact.shown));
    }
    let mut found: Vec<String> = found
        .into_iter()
        .map(|(passes, mut list)| {
            list.sort();
            format!("{}: {}", fixture.passes(passes), list.join(" "))
        })
        .collect();
    found.extend(facts.incomplete);
    found
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn render(fixture: &Fixture, facts: &UnitFacts) -> String {
    let mut text = String::new();
    let mut line = |content: String| writeln!(text, "{content}").unwrap();
    let cause = |cause: &Option<Cause>| match cause {
        Some(cause) => format!(" because {}:{}", fixture.line(cause.at), cause.text),
        None => String::new(),
    };
    for fact in facts.kernels.iter().chain(&facts.variables) {
        if fact.cases.len() == 1 && (fact.defined == facts.compared || fact.defined.is_empty()) {
            continue;
        }
        let cases = fact.cases.iter().map(|case| {
            let doubt = if case.sure { "" } else { " ?" };
            format!("{}{doubt} [{}]", case.canonical, fixture.passes(case.passes))
        });
        let cases: Vec<String> = cases.collect();
        let why = if fact.cases.len() > 1 { &fact.type_cause } else { &fact.presence_cause };
        let defined = fixture.passes(fact.defined);
        line(format!("{} {}: {}; defined [{defined}]{}", fact.what, fact.name, cases.join(", "), cause(why)));
    }
    for fact in &facts.instantiations {
        let doubt = if fact.sure { "" } else { " ?" };
        let sites: Vec<String> = fact
            .sites
            .iter()
            .map(|site| match site.at == site.root {
                true => fixture.line(site.at).to_string(),
                false => format!("{} from {}", fixture.line(site.at), fixture.line(site.root)),
            })
            .collect();
        let passes = fixture.passes(fact.passes);
        line(format!("{}{doubt} [{passes}] at {}{}", fact.shown, sites.join(", "), cause(&fact.cause)));
        if fact.signatures.len() > 1 {
            for case in &fact.signatures {
                line(format!("takes {} [{}]", case.shown, fixture.passes(case.passes)));
            }
        }
    }
    for fact in &facts.definitions {
        line(format!("{} {} [{}]{}", fact.what, fact.name, fixture.passes(fact.defined), cause(&fact.cause)));
    }
    for fact in &facts.layouts {
        for case in &fact.cases {
            let size = case.size.map_or("?".into(), |size| size.to_string());
            let passes = fixture.passes(case.passes);
            line(format!(
                "class {} {{ {} }} {size} [{passes}]{}",
                fact.name,
                case.parts.join("; "),
                cause(&fact.cause)
            ));
        }
    }
    text
}
