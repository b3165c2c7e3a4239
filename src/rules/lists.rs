//! Shared by the rules on lists of targets: each list that a build names is checked once.

use crate::finding::{Finding, Level};
use crate::target::Fault;

use super::evidence::of_fault;
use super::unit::{Stated, Summary};

/// The lists that builds name, each once with the first place that does, and the units they are for.
pub(super) fn lists<'s>(summaries: &[&'s Summary]) -> impl Iterator<Item = (&'s Stated, Vec<&'s Summary>)> {
    let mut lists: Vec<(&Stated, Vec<&Summary>)> = Vec::new();
    for &summary in summaries {
        let Some(stated) = &summary.stated else { continue };
        let same = |(one, _): &&mut (&Stated, Vec<&Summary>)| {
            (one.at.file, &one.list, one.toolkit) == (stated.at.file, &stated.list, stated.toolkit)
        };
        match lists.iter_mut().find(same) {
            Some((_, units)) => units.push(summary),
            None => lists.push((stated, vec![summary])),
        }
    }
    lists.into_iter()
}

/// The findings of a judgement on each list that a build names.
pub(super) fn of_each(
    rule: &'static str,
    level: Level,
    summaries: &[&Summary],
    judge: impl Fn(&Stated) -> Option<Fault>,
) -> Vec<Finding> {
    let text = "the targets are named here";
    let one = |(stated, units): (&Stated, Vec<&Summary>)| {
        Some(of_fault(rule, level, &units[0].passes, stated.at, text, judge(stated)?))
    };
    lists(summaries).filter_map(one).collect()
}
