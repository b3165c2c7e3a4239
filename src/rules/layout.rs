//! `arch-dependent-layout`: a class has one name and other bytes in other passes.

use std::sync::Arc;

use crate::artifact::Brackets;
use crate::facts::{LayoutCase, LayoutFact, LayoutRole};
use crate::finding::{Defect, Finding, Label, Level};

use super::evidence::{certainty, deciding, short, views};
use super::rule::{Check, Rule};
use super::unit::Unit;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/arch-dependent-layout.md"), check: Check::Unit(check) };

/// The rule's id.
pub const ID: &str = "arch-dependent-layout";

const NOTE: &str = "Kernel arguments and device variables cross between host and GPU as bytes. The CUDA C++ \
     Programming Guide, restriction 1 on `__CUDA_ARCH__`: their type must not depend on it.";

fn check(unit: &Unit<'_>) -> Vec<Finding> {
    unit.facts.layouts.iter().map(|fact| finding(unit, fact)).collect()
}

fn finding(unit: &Unit<'_>, fact: &LayoutFact) -> Finding {
    let passes = &unit.passes;
    let name = short(&fact.name);
    let by_value = fact.uses.iter().any(|usage| usage.how != LayoutRole::Pointee);
    let mut cases: Vec<&LayoutCase> = fact.cases.iter().collect();
    cases.sort_by_key(|case| case.passes.has(0));
    let sizes: Vec<String> = cases
        .iter()
        .map(|case| {
            let what = match case.size {
                Some(size) => bytes(size),
                None => "other members".to_string(),
            };
            format!("{what} on {}", passes.describe(case.passes))
        })
        .collect();
    let known = cases.iter().all(|case| case.size.is_some());
    let differ = cases.windows(2).any(|pair| pair[0].size != pair[1].size);
    let message = if known && differ {
        format!("`{name}` has {}", join(&sizes))
    } else {
        let sides: Vec<String> = cases.iter().map(|case| passes.describe(case.passes)).collect();
        format!("`{name}` has other members on {} than on {}", sides[0], sides[1..].join(", on "))
    };
    let template = without_arguments(&fact.name);
    let used = fact.uses.first().map_or(fact.at, |usage| usage.at);
    let instance = Label { at: used, text: format!("`{}`", fact.name) };
    let instances = (template != fact.name).then_some(instance).into_iter().collect();
    let related = fact.uses.iter().take(4).map(|usage| Label {
        at: usage.at,
        text: match usage.how {
            LayoutRole::Parameter => format!("`{}` takes it by value", short(&usage.name)),
            LayoutRole::Variable => format!("`{}` holds it on the GPU", short(&usage.name)),
            LayoutRole::Pointee => format!("`{}` is given a pointer to it", short(&usage.name)),
        },
    });
    Finding {
        rule: ID,
        level: if by_value { Level::Error } else { Level::Warning },
        certainty: certainty(
            known || cases.windows(2).any(|pair| pair[0].parts.len() != pair[1].parts.len()),
        ),
        defect: Defect::Other,
        message,
        entity: template,
        passes: Arc::clone(passes),
        instances,
        primary: Label { at: fact.at, text: "one name, other bytes in other passes".into() },
        related: related.collect(),
        views: views(fact.cases.iter().map(|case| (case.passes, contents(case)))),
        deciding: deciding(fact.cause.as_ref()),
        consequences: consequences(unit, fact, by_value),
        notes: vec![NOTE.to_string()],
    }
}

fn consequences(unit: &Unit<'_>, fact: &LayoutFact, by_value: bool) -> Vec<String> {
    let mut sentences = vec![if by_value {
        "Each side reads and writes other bytes than the other does.".to_string()
    } else {
        "What the host writes through such a pointer, or copies, the GPU reads elsewhere.".to_string()
    }];
    // nvcc's headers count a lambda's captures in the code that the last target gives the host (measured on 13.0).
    let count = |holds: &dyn Fn(&LayoutCase) -> bool| {
        fact.cases.iter().find(|case| holds(case)).map(|case| case.parts.len())
    };
    let stub = unit.passes.stub();
    if fact.closure
        && let (Some(on_host), Some(registered)) =
            (count(&|case| case.passes.has(0)), stub.and_then(|stub| count(&|case| case.passes.has(stub))))
    {
        let other = fact.cases.iter().any(|case| !case.passes.has(0) && case.parts.len() != on_host);
        if registered != on_host {
            sentences.push("nvcc refuses it: `unexpected number of captures`.".into());
        } else if other {
            sentences.push(
                "With another last target nvcc would refuse it: `unexpected number of captures`.".into(),
            );
        }
    }
    sentences
}

fn contents(case: &LayoutCase) -> String {
    let size = case.size.map_or(String::new(), |size| format!("  ({})", bytes(size)));
    if case.parts.is_empty() {
        return format!("{{ }}{size}");
    }
    format!("{{ {}; }}{size}", case.parts.join("; "))
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}

fn join(sides: &[String]) -> String {
    match sides.split_last() {
        Some((last, init)) if !init.is_empty() => format!("{} and {last}", init.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// A qualified name without template arguments: `Outer<int>::Inner` is `Outer::Inner`. The name of an operator is left as it is.
fn without_arguments(name: &str) -> String {
    let (name, operator) = name.split_at(name.find("operator").unwrap_or(name.len()));
    let mut brackets = Brackets::default();
    let mut text = String::with_capacity(name.len());
    let mut parameters = 0_usize;
    for c in name.chars() {
        // What stands in parentheses is no list of template arguments: `scale(vector<int>)::{lambda #1}`.
        match c {
            '(' if brackets.is_closed() => parameters += 1,
            ')' if brackets.is_closed() => parameters = parameters.saturating_sub(1),
            _ => {}
        }
        let outside = brackets.is_closed();
        let of_parameters = parameters > 0 || c == ')' && outside;
        if of_parameters || brackets.step(c) == 0 && outside {
            text.push(c);
        }
    }
    text + operator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_left_out_of_names() {
        for (name, template) in [
            ("Params<float, Shape<1, 2>>", "Params"),
            ("lib::Outer<int>::Inner<(1 > 0)>", "lib::Outer::Inner"),
            ("plain", "plain"),
            ("lib::operator<", "lib::operator<"),
            ("Box<int>::operator<<", "Box::operator<<"),
            ("scale(vector<int>)::{lambda #1}", "scale(vector<int>)::{lambda #1}"),
        ] {
            assert_eq!(without_arguments(name), template);
        }
    }
}
