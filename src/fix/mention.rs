//! An instantiation that every pass makes, by naming it where all of them look.

use crate::finding::{Defect, Edit, Kind};

use super::context::Context;
use super::edit::Candidate;

/// The constant that holds the address of an instantiation, before its name.
pub(super) const CONSTANT: &str = "[[maybe_unused]] static const auto";

/// At the end of the file with the mention, the address of the instantiation, which instantiates it in every pass
/// that reads the file.
pub(super) fn fixes(context: &Context<'_>) -> Vec<Candidate> {
    let finding = context.finding;
    let Defect::InstantiationMissing { host: named, instead, .. } = &finding.defect else {
        return Vec::new();
    };
    // What has no name of its own can't be named.
    if named.contains("{lambda") || named.contains("(anonymous") {
        return Vec::new();
    }
    // Where a device pass makes one of another type, through an alias of its own, nvcc's stub does not compile
    // (13.0), whatever else is made.
    if instead.iter().any(|other| differs_in_a_type(named, other)) {
        return Vec::new();
    }
    let scope = finding.entity.rsplit_once("::").map(|(scope, _)| scope).filter(|scope| !scope.contains('('));
    let qualified = match scope {
        Some(scope) => format!("{scope}::{named}"),
        None => named.clone(),
    };
    let Some(file) = context.file(finding.primary.at.file) else { return Vec::new() };
    let name = unused_name(&file.text, named);
    let text = format!(
        "{}\n// Instantiates it in every pass, whichever launch it.\n{CONSTANT} {name} = &{qualified};\n",
        if file.text.ends_with('\n') { "" } else { "\n" }
    );
    let end = file.text.len();
    let edit = Edit { path: file.path.clone(), start: end, end, text };
    vec![Candidate {
        kind: Kind::Mention,
        title: format!("Name `{named}` where every pass sees it"),
        edits: vec![edit],
    }]
}

/// The first difference of two instantiations is in a type, not in an integer or a truth value.
fn differs_in_a_type(one: &str, other: &str) -> bool {
    let words = |text: &str| {
        let end = text.rfind('>').unwrap_or(0);
        let arguments = text.get(text.find('<').map_or(end, |open| open + 1)..end).unwrap_or_default();
        arguments.split(|c: char| !c.is_alphanumeric() && c != '_').map(String::from).collect::<Vec<_>>()
    };
    let (one, other) = (words(one), words(other));
    let differing = one.iter().zip(&other).find(|(one, other)| one != other);
    let value =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || matches!(word, "true" | "false");
    differing.is_some_and(|(one, other)| !value(one) || !value(other))
}

/// A name for the constant that the file does not have.
fn unused_name(text: &str, named: &str) -> String {
    let words: String = named.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let words: Vec<&str> = words.split('_').filter(|word| !word.is_empty()).collect();
    let base = format!("every_pass_has_{}", words.join("_"));
    let mut name = base.clone();
    let mut number = 2;
    while text.contains(&name) {
        name = format!("{base}_{number}");
        number += 1;
    }
    name
}
