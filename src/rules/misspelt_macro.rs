//! `misspelt-arch-macro`: a macro of nvcc's whose name, definition or use on the host is not what the code takes it for.

use crate::facts::{HostZeroFact, MacroFact, MacroFault};
use crate::finding::{Certainty, Deciding, Defect, Finding, Label, Level};
use crate::target::PassSet;

use super::evidence::{certainty, is_told_otherwise, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/misspelt-arch-macro.md"), check: Check::Own(check) };

const ID: &str = "misspelt-arch-macro";

/// The macro that tells the passes apart.
const ARCH: &str = "__CUDA_ARCH__";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    let macros = unit.facts.own_macros.iter().map(|fact| of_macro(unit, fact));
    let zeros = unit.facts.host_zero.iter().filter(|fact| !is_told_otherwise(unit, fact.at));
    macros.chain(zeros.map(|fact| of_zero(unit, fact))).collect()
}

fn of_macro(unit: &Unit<'_>, fact: &MacroFact) -> Finding {
    let MacroFact { name, text, .. } = fact;
    let (message, label, consequence, note) = match &fact.fault {
        MacroFault::Misspelt { meant, .. } => (
            format!("`{name}` is defined nowhere: `{meant}` is the macro that nvcc defines"),
            "no pass has a macro of this name".to_string(),
            "A name that is no macro counts as 0, and `defined` says no, in every pass alike.".to_string(),
            format!("Write `{meant}`."),
        ),
        MacroFault::Option => (
            format!("`{text}` on the command line gives a macro of nvcc's own in every pass"),
            "compiled with this option".to_string(),
            effect(name),
            "Leave the option out: the list of targets sets what nvcc's passes define.".to_string(),
        ),
        MacroFault::Defined | MacroFault::Undefined => (
            format!("`{text}`: only nvcc can say what `{name}` is"),
            "nvcc's own macro".to_string(),
            effect(name),
            "Use a macro of the project's own.".to_string(),
        ),
    };
    let sure = !matches!(fact.fault, MacroFault::Misspelt { sure: false, .. });
    Finding {
        rule: ID,
        level: level(fact),
        certainty: certainty(sure),
        defect: match &fact.fault {
            MacroFault::Misspelt { meant, .. } => Defect::Misspelt { meant: meant.clone() },
            _ => Defect::Other,
        },
        message,
        entity: name.clone(),
        passes: unit.passes.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: label },
        related: Vec::new(),
        views: Vec::new(),
        deciding: None,
        consequences: vec![consequence],
        notes: vec![note],
    }
}

/// What goes wrong when others define the macro.
fn effect(name: &str) -> String {
    match name {
        ARCH => "From here on the host's pass and the device passes can't be told apart by it, and none says which \
                 architecture it compiles for."
            .into(),
        _ => "Headers ask for it to learn which compiler and which options they are read with.".into(),
    }
}

/// What is not sure, and what confuses no pass with another, is a note.
fn level(fact: &MacroFact) -> Level {
    match fact.fault {
        MacroFault::Misspelt { sure: true, .. } => Level::Warning,
        MacroFault::Misspelt { .. } => Level::Note,
        _ if fact.name == ARCH => Level::Warning,
        _ => Level::Note,
    }
}

fn of_zero(unit: &Unit<'_>, fact: &HostZeroFact) -> Finding {
    let takes =
        if fact.taken == fact.at { "enters it".to_string() } else { format!("takes `{}`", fact.taken_text) };
    let like = match fact.like.is_empty() {
        true => "which no target does".to_string(),
        false => format!("as {} does", unit.passes.describe(fact.like)),
    };
    let sees = [
        (PassSet::HOST.or(fact.like), format!("takes `{}`", fact.taken_text)),
        (fact.unlike, "takes another group, without code for it".to_string()),
    ];
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: Certainty::Definite,
        defect: Defect::HostAnswer,
        message: format!("host function `{}` always {takes}, {like}: `{ARCH}` is 0 on the host", fact.function),
        entity: fact.function.clone(),
        passes: unit.passes.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "compares 0 on the host, whatever GPU there is".into() },
        related: vec![Label { at: fact.declared, text: "only the host runs this function".into() }],
        views: views(sees.into_iter()),
        deciding: Some(Deciding { text: fact.text.clone(), at: fact.at, derivation: Vec::new() }),
        consequences: vec![
            "Device passes generate no code for host functions: what stands in the other groups is in no object file.".into(),
        ],
        notes: vec![
            "Choose by the GPU's compute capability at run time (`cudaDeviceGetAttribute`). If the host is to take this \
             group, say so: `!defined(__CUDA_ARCH__) || ...`."
                .into(),
        ],
    }
}
