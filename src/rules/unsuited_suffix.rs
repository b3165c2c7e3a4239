//! `unsuited-suffix`: a target with a suffix that the code does not need, or one without that it asks for.

use std::collections::BTreeMap;

use crate::finding::{Finding, Label, Level};
use crate::source::Span;
use crate::target::{Arch, Fault, Suffix};

use super::evidence::of_fault;
use super::lists::lists;
use super::rule::{Check, Rule};
use super::unit::{Need, Stated, Summary};

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/unsuited-suffix.md"), check: Check::Program(check) };

const ID: &str = "unsuited-suffix";

const TEXT: &str = "the targets are named here";

/// Judges a list only where every source that it is for is looked at.
fn check(summaries: &[&Summary]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (stated, units) in lists(summaries).filter(|(stated, _)| stated.complete) {
        let passes = &units[0].passes;
        let faults = needless(&units).into_iter().map(|fault| (fault, None)).chain(wanting(stated, &units));
        findings.extend(faults.map(|(fault, at)| {
            let found = of_fault(ID, Level::Note, passes, stated.at, TEXT, fault);
            let text = "this asks for it".to_string();
            Finding { related: at.into_iter().map(|at| Label { at, text: text.clone() }).collect(), ..found }
        }));
    }
    findings
}

/// The targets whose suffix no unit needs.
fn needless(units: &[&Summary]) -> Vec<Fault> {
    let mut needs: BTreeMap<Arch, Need> = BTreeMap::new();
    for (arch, need) in units.iter().flat_map(|unit| &unit.suffixes.needs) {
        let known = needs.entry(*arch).or_insert(*need);
        *known = (*known).max(*need);
    }
    let fault = |(arch, need): (Arch, Need)| {
        let better = match (need, arch.suffix) {
            (Need::Baseline, _) => Arch { suffix: Suffix::None, ..arch },
            (Need::Family, Suffix::A) => Arch { suffix: Suffix::F, ..arch },
            _ => return None,
        };
        let where_it_runs = match arch.suffix {
            Suffix::A => format!("GPUs of compute capability {} alone", arch.capability()),
            _ => "its family alone".to_string(),
        };
        Some(Fault {
            about: arch.sm_name(),
            message: format!(
                "{} is a target, and nothing in the code needs more than {}: what is made of it runs on {}",
                arch.sm_name(),
                better.sm_name(),
                where_it_runs
            ),
            help: format!("compile for `{better}` instead"),
        })
    };
    needs.into_iter().filter_map(fault).collect()
}

/// The baseline targets without the `a` target that some code asks for.
fn wanting(stated: &Stated, units: &[&Summary]) -> Vec<(Fault, Option<Span>)> {
    let mut asked: BTreeMap<u16, Span> = BTreeMap::new();
    for (number, at) in units.iter().flat_map(|unit| &unit.suffixes.asked) {
        asked.entry(*number).or_insert(*at);
    }
    let has = |number: u16, suffixed: bool| {
        let mut passes = stated.list.passes.iter();
        passes.any(|arch| arch.number == number && (arch.suffix != Suffix::None) == suffixed)
    };
    let fault = |(number, at): (u16, Span)| {
        (has(number, false) && !has(number, true)).then(|| {
            let fault = Fault {
                about: format!("sm_{number}"),
                message: format!(
                    "sm_{number} is a target and sm_{number}a is not, so the code that asks for \
                     `__CUDA_ARCH_FEAT_SM{number}_ALL` is compiled for none"
                ),
                help: format!("add `{number}a`, or leave that code to builds that have it"),
            };
            (fault, Some(at))
        })
    };
    asked.into_iter().filter_map(fault).collect()
}
