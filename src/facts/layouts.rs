//! Classes that cross the host-device boundary and whose bytes differ between passes.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::source::Span;
use crate::target::PassSet;

use super::layout::{Layout, class_in, held, layout, place};
use super::lookup::{View, World};
use super::types::{Instance, Spelling, Ty};
use super::{LayoutCase, LayoutFact, LayoutRole, LayoutUse, cause};

/// The classes that kernels and device variables were seen to use.
#[derive(Default)]
pub(super) struct Uses {
    list: Vec<(PassSet, Rc<Instance>, LayoutUse)>,
}

impl Uses {
    /// A kernel's parameters: classes by value, and classes pointed to.
    pub(super) fn kernel(&mut self, passes: PassSet, name: &str, at: Span, parameters: &[Ty]) {
        for ty in parameters {
            if let Some(class) = class_in(ty) {
                self.add(passes, class, name, at, LayoutRole::Parameter);
            } else if let Ty::Pointer(to) | Ty::LvalueReference(to) = ty.unqualified()
                && let Some(class) = class_in(to)
            {
                self.add(passes, class, name, at, LayoutRole::Pointee);
            }
        }
    }

    /// A device variable's type.
    pub(super) fn variable(&mut self, passes: PassSet, name: &str, at: Span, ty: &Ty) {
        if let Some(class) = class_in(ty) {
            self.add(passes, class, name, at, LayoutRole::Variable);
        }
    }

    fn add(&mut self, passes: PassSet, class: &Rc<Instance>, name: &str, at: Span, how: LayoutRole) {
        self.list.push((passes, class.clone(), LayoutUse { name: name.to_string(), at, how }));
    }
}

/// The classes among the used ones, and those they hold, whose own parts differ.
pub(super) fn layouts(world: &World<'_>, views: &[(PassSet, View<'_>)], uses: Uses) -> Vec<LayoutFact> {
    let mut facts: Vec<LayoutFact> = Vec::new();
    let mut layouts_seen: Vec<Vec<Rc<Layout>>> = Vec::new();
    let mut traces: Vec<BTreeSet<usize>> = Vec::new();
    let compared = views.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
    for (passes, class, usage) in &uses.list {
        let Some((_, view)) = views.iter().find(|(own, _)| own == passes) else { continue };
        for class in closure(view, class) {
            let Some(at) = place(&class) else { continue };
            view.trace.borrow_mut().clear();
            view.touch(class.top);
            let layout = layout(view, &class);
            let name = class.text(Spelling::Shown);
            let index = match facts.iter().position(|fact| fact.name == name) {
                Some(index) => index,
                None => {
                    facts.push(LayoutFact { name, at, cases: Vec::new(), uses: Vec::new(), cause: None });
                    traces.push(BTreeSet::new());
                    layouts_seen.push(Vec::new());
                    facts.len() - 1
                }
            };
            let fact = &mut facts[index];
            traces[index].extend(view.trace.borrow().iter().copied());
            if !fact.uses.contains(usage) {
                fact.uses.push(usage.clone());
            }
            let known = &mut layouts_seen[index];
            match known.iter().position(|known| known.agrees(&layout)) {
                Some(case) => fact.cases[case].passes = fact.cases[case].passes.or(*passes),
                None => {
                    let size = layout.size.map(|(size, _)| size);
                    fact.cases.push(LayoutCase { passes: *passes, parts: layout.shown.clone(), size });
                    known.push(layout);
                }
            }
        }
    }
    for (fact, trace) in facts.iter_mut().zip(traces) {
        fact.uses.sort_by_key(|usage| usage.how);
        if fact.cases.len() > 1 {
            fact.cause = cause::of_trace(world, &trace, compared);
        }
    }
    facts.retain(|fact| fact.cases.len() > 1);
    facts
}

/// A class and all it holds by value.
fn closure(view: &View<'_>, class: &Rc<Instance>) -> Vec<Rc<Instance>> {
    let mut all = vec![class.clone()];
    let mut next = 0;
    while next < all.len() {
        let current = all[next].clone();
        next += 1;
        for inner in held(view, &current) {
            let text = inner.text(Spelling::Canonical);
            if !all.iter().any(|known| known.text(Spelling::Canonical) == text) {
                all.push(inner);
            }
        }
    }
    all
}
