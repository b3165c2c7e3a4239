//! What is told of an analysis while it goes on.
//!
//! In: units that begin and end, on any thread and in any order. Out: the same to an [`Observer`], and the findings of each
//! unit as soon as that unit and all before it have ended, so that their order depends on no clock.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::finding::Finding;
use crate::project::TranslationUnit;

/// Who is told how an analysis goes on, from any thread.
pub trait Observer: Sync {
    /// The analysis of a unit begins.
    fn begins(&self, _unit: &TranslationUnit) {}

    /// The analysis of a unit has ended, or was cancelled.
    fn ended(&self, _unit: &TranslationUnit) {}

    /// What the rules found in one unit, by path and place; told in the order of the units, never for two at once. What
    /// rules find across units comes with the whole result alone.
    fn found(&self, _findings: Vec<Finding>) {}
}

/// Nobody is told.
impl Observer for () {}

/// Tells findings in the order of the units.
pub(super) struct InOrder<'a> {
    observer: &'a dyn Observer,
    waiting: Mutex<Waiting>,
}

/// The units that ended before their turn.
#[derive(Default)]
struct Waiting {
    next: usize,
    ended: BTreeMap<usize, Vec<Finding>>,
}

impl<'a> InOrder<'a> {
    /// For the observer, who was told nothing yet.
    pub(super) fn new(observer: &'a dyn Observer) -> InOrder<'a> {
        InOrder { observer, waiting: Mutex::default() }
    }

    /// Unit number `index` has ended with these findings.
    pub(super) fn ended(&self, index: usize, findings: Vec<Finding>) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.ended.insert(index, findings);
        loop {
            let next = waiting.next;
            let Some(findings) = waiting.ended.remove(&next) else { return };
            waiting.next += 1;
            if !findings.is_empty() {
                self.observer.found(findings);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::finding::{Certainty, Defect, Label, Level};
    use crate::source::{Sources, Span};
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Observer for Told {
        fn found(&self, findings: Vec<Finding>) {
            self.0.lock().unwrap().extend(findings.into_iter().map(|one| one.entity));
        }
    }

    fn finding(entity: &str) -> Finding {
        let file = Sources::new().add(Path::new("a.cu"), String::new());
        let at = Span { file: file.id, start: 0, end: 0 };
        Finding {
            rule: "rule",
            level: Level::Note,
            certainty: Certainty::Likely,
            defect: Defect::Other,
            message: String::new(),
            entity: entity.into(),
            passes: Arc::new(Passes::new(&parse_arch_list("80").unwrap()).unwrap()),
            instances: Vec::new(),
            primary: Label { at, text: String::new() },
            related: Vec::new(),
            views: Vec::new(),
            deciding: None,
            consequences: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn findings_are_told_in_the_order_of_units_and_no_later_than_they_can_be() {
        let told = Told::default();
        let order = InOrder::new(&told);
        let so_far = || told.0.lock().unwrap().join(" ");
        order.ended(2, vec![finding("c")]);
        assert_eq!(so_far(), "");
        order.ended(0, vec![finding("a"), finding("a2")]);
        assert_eq!(so_far(), "a a2");
        order.ended(1, Vec::new());
        assert_eq!(so_far(), "a a2 c");
        order.ended(3, vec![finding("d")]);
        assert_eq!(so_far(), "a a2 c d");
    }
}
