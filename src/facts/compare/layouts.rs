//! Classes that cross the host-device boundary and whose layouts differ between passes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::Span;
use crate::target::PassSet;

use super::cause;
use super::dump::Printer;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::meaning::layout::{class_in, is_long_double, layout, place, subobject_classes};
use crate::facts::meaning::types::{EnumType, Instance, Spelling, TemplateArgument, Ty};
use crate::facts::meaning::view::{Layout, View};
use crate::facts::{BlindSpot, BlindSpotCause, LayoutCase, LayoutFact, LayoutRole, LayoutUse};

/// Of how many subobjects' classes the layout may meet a limit before no more of them are looked for.
const ENDLESS_CLASSES: usize = 4;

/// The types that kernels and device variables use.
#[derive(Default)]
pub(in crate::facts) struct Uses {
    /// Uses of classes.
    list: Vec<(PassSet, Rc<Instance>, LayoutUse)>,
    /// Uses of `long double` itself.
    scalars: Vec<LayoutUse>,
    /// Uses of enumerations, which have the layout of their underlying types.
    enums: Vec<(PassSet, Rc<EnumType>, LayoutUse)>,
}

impl Uses {
    /// Adds the uses of `other`.
    pub(in crate::facts) fn extend(&mut self, other: Uses) {
        self.list.extend(other.list);
        let new = other.scalars.into_iter().filter(|one| !self.scalars.contains(one));
        let new: Vec<LayoutUse> = new.collect();
        self.scalars.extend(new);
        self.enums.extend(other.enums);
    }

    /// Adds the uses by a kernel's parameters: of types passed by value, and of types that pointers and references
    /// refer to.
    pub(in crate::facts) fn kernel(&mut self, passes: PassSet, name: &str, at: Span, parameters: &[Ty]) {
        for ty in parameters {
            if let Some(class) = class_in(ty) {
                self.add(passes, class, name, at, LayoutRole::Parameter);
            } else if let Ty::Pointer(to) | Ty::LvalueReference(to) = ty.unqualified()
                && let Some(class) = class_in(to)
            {
                self.add(passes, class, name, at, LayoutRole::Pointee);
            }
            match ty.unqualified() {
                Ty::Pointer(to) | Ty::LvalueReference(to) => {
                    self.scalar(passes, to, name, at, LayoutRole::Pointee)
                }
                own => self.scalar(passes, own, name, at, LayoutRole::Parameter),
            }
        }
    }

    /// Adds the use of a device variable's type.
    pub(in crate::facts) fn variable(&mut self, passes: PassSet, name: &str, at: Span, ty: &Ty) {
        if let Some(class) = class_in(ty) {
            self.add(passes, class, name, at, LayoutRole::Variable);
        }
        self.scalar(passes, ty, name, at, LayoutRole::Variable);
    }

    fn scalar(&mut self, passes: PassSet, ty: &Ty, name: &str, at: Span, how: LayoutRole) {
        let element = match ty.unqualified() {
            Ty::Array(element, _) => element.unqualified(),
            own => own,
        };
        if let Ty::Enum(one) = element {
            self.enums.push((passes, one.clone(), LayoutUse { name: name.to_string(), at, how }));
        }
        let usage = LayoutUse { name: name.to_string(), at, how };
        if is_long_double(ty) && !self.scalars.contains(&usage) {
            self.scalars.push(usage);
        }
    }

    fn add(&mut self, passes: PassSet, class: &Rc<Instance>, name: &str, at: Span, how: LayoutRole) {
        self.list.push((passes, class.clone(), LayoutUse { name: name.to_string(), at, how }));
    }
}

/// A class as the passes see it.
struct SeenClass {
    fact: LayoutFact,
    /// The layout of each of the fact's cases.
    layouts: Vec<Rc<Layout>>,
    /// The varying declarations on which the layouts depend.
    trace: BTreeSet<usize>,
    /// Two of the layouts differ in a type that was not resolved, and were taken for one since some pass met a limit.
    open: bool,
}

/// The layout facts: of the used classes and the classes of their subobjects, those whose own members and bases differ;
/// then `long double` and enumerations. Classes of which a limit leaves that open become `spots`.
pub(in crate::facts) fn layouts(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    uses: Uses,
    spots: &mut Vec<BlindSpot>,
) -> Vec<LayoutFact> {
    let mut seen: Vec<SeenClass> = Vec::new();
    let mut by_name: FxHashMap<String, usize> = FxHashMap::default();
    let compared = views.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
    let open = views.iter().any(|(_, view)| view.is_left_open());
    // By class and pass.
    let mut parts: FxHashMap<(usize, usize), Vec<Rc<Instance>>> = FxHashMap::default();
    for (passes, class, usage) in &uses.list {
        // A pass that has used up its queries can't tell what its classes consist of.
        let asked = views.iter().find(|(own, view)| own == passes && !view.spent());
        let Some((_, view)) = asked else { continue };
        let key = (Rc::as_ptr(class) as usize, view.pass);
        let found = || {
            let (all, is_cut) = with_subobject_classes(view, class);
            if is_cut && let Some(at) = place(class) {
                let is_it = |spot: &&mut BlindSpot| spot.at == at && spot.why == BlindSpotCause::TooDeep;
                match spots.iter_mut().find(is_it) {
                    Some(known) => known.passes = known.passes.or(*passes),
                    None => spots.push(too_deep(at, class.text(Spelling::Shown), *passes)),
                }
            }
            all
        };
        for class in parts.entry(key).or_insert_with(found) {
            let Some(at) = place(class) else { continue };
            let index = *by_name.entry(class.text(Spelling::Canonical)).or_insert(seen.len());
            if index == seen.len() {
                let name = class.text(Spelling::Shown);
                let fact = LayoutFact {
                    name,
                    closure: class.lambda().is_some(),
                    at,
                    cases: Vec::new(),
                    uses: Vec::new(),
                    cause: None,
                };
                seen.push(SeenClass { fact, layouts: Vec::new(), trace: BTreeSet::new(), open: false });
            }
            add_case(&mut seen[index], (view, open), *passes, class, usage);
        }
    }
    let open = seen.iter().filter(|one| one.open).map(|SeenClass { fact, .. }| {
        let passes = fact.cases.iter().fold(PassSet::EMPTY, |all, case| all.or(case.passes));
        too_deep(fact.at, fact.name.clone(), passes)
    });
    spots.extend(open);
    seen.retain(|one| one.fact.cases.len() > 1);
    let mut seen = merge_equal_texts(seen);
    for one in &mut seen {
        one.fact.uses.sort_by_key(|usage| usage.how);
        one.fact.cause = cause::of_trace(unit, &one.trace, compared);
    }
    let classes = seen.into_iter().map(|one| one.fact);
    classes
        .chain(long_double_fact(uses.scalars, compared))
        .chain(enum_facts(unit, views, uses.enums, compared))
        .collect()
}

/// A class of which a limit leaves open whether its layouts differ, or those of its subobjects.
fn too_deep(at: Span, name: String, passes: PassSet) -> BlindSpot {
    BlindSpot { at, name, passes, why: BlindSpotCause::TooDeep, varies: true }
}

/// Merges classes that messages can't tell apart: `Tile<T>` is another type in a kernel template whose first parameter
/// is `T` than in one whose second it is.
fn merge_equal_texts(seen: Vec<SeenClass>) -> Vec<SeenClass> {
    let mut all: Vec<SeenClass> = Vec::new();
    for one in seen {
        match all.iter_mut().find(|known| known.fact.name == one.fact.name && known.fact.at == one.fact.at) {
            Some(known) => {
                known.trace.extend(one.trace);
                for usage in one.fact.uses {
                    if !known.fact.uses.contains(&usage) {
                        known.fact.uses.push(usage);
                    }
                }
            }
            None => all.push(one),
        }
    }
    all
}

/// The fact about `long double` itself, at its first use: 16 bytes on the host, the `double` of 8 bytes on devices.
fn long_double_fact(mut uses: Vec<LayoutUse>, compared: PassSet) -> Option<LayoutFact> {
    if !compared.has(0) {
        return None;
    }
    uses.sort_by_key(|usage| (usage.how, usage.at));
    let case = |passes, size, part: &str| LayoutCase { passes, parts: vec![part.into()], size: Some(size) };
    let cases =
        vec![case(PassSet::HOST, 16, "long double"), case(compared.minus(PassSet::HOST), 8, "double")];
    let at = uses.first()?.at;
    Some(LayoutFact { name: "long double".into(), closure: false, at, cases, uses, cause: None })
}

/// Enumerations whose underlying types differ.
fn enum_facts(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    uses: Vec<(PassSet, Rc<EnumType>, LayoutUse)>,
    compared: PassSet,
) -> Vec<LayoutFact> {
    let mut facts: BTreeMap<String, (LayoutFact, BTreeSet<usize>)> = BTreeMap::new();
    for (passes, one, usage) in uses {
        let Some((_, view)) = views.iter().find(|(own, _)| *own == passes) else { continue };
        let (fact, trace) = facts.entry(one.name.clone()).or_insert_with(|| {
            let (name, at) = (one.name.clone(), one.decl.at);
            let fact =
                LayoutFact { name, closure: false, at, cases: Vec::new(), uses: Vec::new(), cause: None };
            (fact, BTreeSet::new())
        });
        trace.extend(view.unit.declaring(one.decl.name).iter().filter(|top| {
            let declaration = &unit.variance.declarations[**top];
            declaration.varies.any() && declaration.scope == one.env.scope
        }));
        if !fact.uses.contains(&usage) {
            fact.uses.push(usage);
        }
        let part = one.underlying.text(Spelling::Shown);
        match fact.cases.iter_mut().find(|case| case.parts == [part.as_str()]) {
            Some(case) => case.passes = case.passes.or(passes),
            None => {
                let size = view.sizeof(&one.underlying).map(|(size, _)| size);
                fact.cases.push(LayoutCase { passes, parts: vec![part], size });
            }
        }
    }
    let differ = |fact: &LayoutFact| {
        fact.cases.iter().any(|case| case.size.is_none() || case.size != fact.cases[0].size)
    };
    let facts = facts.into_values().filter(|(fact, _)| fact.cases.len() > 1 && differ(fact));
    facts.map(|(fact, trace)| LayoutFact { cause: cause::of_trace(unit, &trace, compared), ..fact }).collect()
}

/// Adds the layout that a class of passes sees, and a use. `open` if some pass met a limit.
fn add_case(
    seen: &mut SeenClass,
    (view, open): (&View<'_>, bool),
    passes: PassSet,
    class: &Rc<Instance>,
    usage: &LayoutUse,
) {
    let (layout, trace) = view.traced(|| {
        view.depend_on(class.top);
        layout(view, class)
    });
    seen.trace.extend(view.varying(trace).iter());
    if !seen.fact.uses.contains(usage) {
        seen.fact.uses.push(usage.clone());
    }
    let cases = &mut seen.fact.cases;
    let is_left_open = |known: &Layout| open || seen.fact.closure || !(known.computed && layout.computed);
    // Of arguments that could not be computed, another specialization may be meant.
    let is_sure = class.arguments.iter().all(TemplateArgument::is_sure);
    let may_agree = |known: &Rc<Layout>| is_left_open(known) && (!is_sure || known.may_agree(&layout));
    let may_agree = || seen.layouts.iter().position(may_agree);
    let agrees = seen.layouts.iter().position(|known| known.agrees(&layout));
    match agrees.or_else(may_agree) {
        Some(case) => {
            seen.open |= agrees.is_none() && !seen.fact.closure;
            let passes = cases[case].passes.or(passes);
            if !seen.layouts[case].is_known() {
                cases[case] = layout_case(passes, &layout);
                seen.layouts[case] = layout;
            }
            cases[case].passes = passes;
        }
        None => {
            cases.push(layout_case(passes, &layout));
            seen.layouts.push(layout);
        }
    }
}

fn layout_case(passes: PassSet, layout: &Layout) -> LayoutCase {
    let size = layout.size.map(|(size, _)| size);
    LayoutCase { passes, parts: layout.shown.clone(), size }
}

/// A class and the classes of its subobjects, transitively, and whether that is cut short: some have no end of them, each with
/// more template arguments than the one around it, so that the layout of each of these meets a limit.
fn with_subobject_classes(view: &View<'_>, class: &Rc<Instance>) -> (Vec<Rc<Instance>>, bool) {
    let mut all = vec![class.clone()];
    let mut known = FxHashSet::from_iter([class.text(Spelling::Canonical)]);
    let (mut next, mut endless) = (0, 0);
    while next < all.len() {
        let current = all[next].clone();
        next += 1;
        endless += usize::from(view.limited(|| layout(view, &current)).1);
        if endless == ENDLESS_CLASSES {
            view.reach_limit();
            return (all, true);
        }
        for inner in subobject_classes(view, &current) {
            if known.insert(inner.text(Spelling::Canonical)) {
                all.push(inner);
            }
        }
    }
    (all, false)
}

/// Prints for `dump`. A class: its members in each class of passes.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &LayoutFact) {
    let size = |size: Option<u64>| size.map_or(String::new(), |size| format!("{size} bytes: "));
    let line =
        |case: &LayoutCase| (case.passes, format!("{}{{ {} }}", size(case.size), case.parts.join("; ")));
    let lines = fact.cases.iter().map(line).collect();
    to.paragraph(&format!("class {}", fact.name), fact.at, lines, fact.cause.as_ref());
}
