//! The table of facts: for each kind where in the bodies of functions it is found, and how `dump` prints it. A field of
//! [`UnitFacts`] without a row does not compile.

use rustc_hash::FxHashSet;

use crate::facts::model::UnitFacts;
use crate::source::{Sources, Symbol, sym};
use crate::target::{PassSet, Passes, intrinsics};
use crate::variance::CLOSURE_TRAITS;

use super::dump::Printer;
use super::{
    closures, conditions, custom, definitions, failures, guards, headers, host_code, host_values, host_zero,
    instantiations, instructions, kernels, layouts, mentions, numbers, own_macros,
};

/// A kind of fact, with those of a unit.
struct Kind<'f> {
    /// Where in the bodies of functions they are found.
    bodies: Bodies,
    /// Prints them.
    print: Box<dyn Fn(&mut Printer<'_>) + 'f>,
}

/// Where in the bodies of functions facts of a kind are found. An edit of a body that touches none of it leaves them
/// as they are, so an editor need not find them again.
enum Bodies {
    /// Nowhere: they are about the heads of declarations, and about bodies that were parsed
    /// ([`crate::facts::LookedInto::parsed`]).
    Nowhere,
    /// Where one of these words is.
    Words(fn(&UnitFacts) -> FxHashSet<Symbol>),
    /// Where a directive is. No edit of a directive leaves the facts as they are.
    Directives,
    /// In text of host functions that not every pass has, where no edit of such a function leaves the facts as they are; and
    /// where one of these words is.
    HostCode(fn(&UnitFacts) -> FxHashSet<Symbol>),
    /// In what host functions hand to the device, as `may_hand_on` tells.
    HostValues,
    /// Where the number of `__CUDA_ARCH__` was put ([`crate::facts::LookedInto::numbers`]).
    Numbers,
}

/// The words of extended lambdas (CUDA C++ Programming Guide, "Extended Lambdas"), which are arguments of instantiations.
const LAMBDA_WORDS: [&str; 2] = ["__host__", "__device__"];

/// The words of inline assembly, and the namespace of CCCL's wrappers of instructions.
const ASSEMBLY_WORDS: [&str; 4] = ["asm", "__asm__", "__asm", "ptx"];

/// Every kind of fact in the order in which `dump` prints them.
fn table(facts: &UnitFacts) -> Vec<Kind<'_>> {
    let UnitFacts {
        kernels,
        variables,
        definitions,
        instantiations,
        unproved,
        blind_spots,
        layouts,
        closures,
        header_entities,
        instructions,
        used,
        guards,
        conditions,
        host_code,
        host_zero,
        host_values,
        custom,
        own_macros,
        failures,
        numbers,
        // These say how far the facts go, and are none themselves.
        compared: _,
        custom_limits: _,
        error_bytes: _,
        incomplete: _,
        left_open: _,
        looked_into: _,
        is_for_devices_alone: _,
    } = facts;
    vec![
        kind(kernels, Bodies::Nowhere, kernels::print),
        kind(variables, Bodies::Nowhere, kernels::print),
        // Names that lead to templates are in `LookedInto::leading`.
        kind(instantiations, Bodies::Words(lambda_words), instantiations::print),
        kind(unproved, Bodies::Nowhere, mentions::print),
        kind(blind_spots, Bodies::Nowhere, mentions::print_blind_spot),
        kind(definitions, Bodies::Nowhere, definitions::print_definition),
        kind(layouts, Bodies::Nowhere, layouts::print),
        kind(closures, Bodies::Words(lambda_words), closures::print),
        kind(header_entities, Bodies::Words(entity_names), headers::print),
        kind(instructions, Bodies::Words(assembly_words), instructions::print),
        kind(used, Bodies::Words(assembly_words), instructions::print_needed),
        kind(guards, Bodies::Words(assembly_words), guards::print),
        kind(conditions, Bodies::Directives, conditions::print),
        kind(host_code, Bodies::HostCode(lost_functions), host_code::print),
        kind(host_zero, Bodies::HostCode(|_| FxHashSet::default()), host_zero::print),
        kind(host_values, Bodies::HostValues, host_values::print),
        // The bodies of declarations that were looked at are in `LookedInto::custom`.
        kind(custom, Bodies::Nowhere, custom::print),
        kind(own_macros, Bodies::Directives, own_macros::print),
        kind(failures, Bodies::Words(assertion_words), failures::print),
        kind(numbers, Bodies::Numbers, numbers::print),
    ]
}

/// The facts of a unit as text; only what the passes `shown` see of them.
pub(in crate::facts) fn print(
    facts: &UnitFacts,
    passes: &Passes,
    shown: PassSet,
    sources: &Sources,
) -> String {
    let mut printer = Printer::new(passes, shown, sources);
    table(facts).iter().for_each(|kind| (kind.print)(&mut printer));
    let mut out = printer.finish();
    if out.is_empty() {
        out.push_str("no fact tells the passes apart\n");
    }
    if let Some(incomplete) = &facts.incomplete {
        out.push_str(&format!("incomplete: {incomplete}\n"));
    }
    out
}

/// The words by which facts of some kind are found in the bodies of functions.
pub(in crate::facts) fn words_in_bodies(facts: &UnitFacts) -> FxHashSet<Symbol> {
    let words = |kind: Kind<'_>| match kind.bodies {
        Bodies::Words(words) | Bodies::HostCode(words) => words(facts),
        Bodies::Nowhere | Bodies::Directives | Bodies::Numbers | Bodies::HostValues => FxHashSet::default(),
    };
    table(facts).into_iter().flat_map(words).collect()
}

/// A row: the facts of a kind, and what prints one of them.
fn kind<'f, T>(facts: &'f [T], bodies: Bodies, print: fn(&mut Printer<'_>, &T)) -> Kind<'f> {
    Kind { bodies, print: Box::new(move |printer| facts.iter().for_each(|fact| print(printer, fact))) }
}

fn lambda_words(_: &UnitFacts) -> FxHashSet<Symbol> {
    let traits = CLOSURE_TRAITS.iter().flat_map(|name| [(*name).to_string(), format!("{name}_v")]);
    LAMBDA_WORDS.into_iter().map(String::from).chain(traits).map(|word| Symbol::intern(&word)).collect()
}

fn lost_functions(facts: &UnitFacts) -> FxHashSet<Symbol> {
    facts.host_code.iter().map(|fact| Symbol::intern(&fact.function)).collect()
}

fn assertion_words(_: &UnitFacts) -> FxHashSet<Symbol> {
    [sym::STATIC_ASSERT, sym::STATIC_ASSERT_C].into_iter().collect()
}

fn assembly_words(_: &UnitFacts) -> FxHashSet<Symbol> {
    let functions = intrinsics().iter().map(|row| row.pattern);
    ASSEMBLY_WORDS.into_iter().chain(functions).map(Symbol::intern).collect()
}

fn entity_names(facts: &UnitFacts) -> FxHashSet<Symbol> {
    facts.looked_into.entities.clone()
}
