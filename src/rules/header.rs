//! `arch-dependent-header`: objects of one program have different copies of a header's function, or
//! share a kernel's host stub without having the same device code.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::facts::{Alternative, Chooser, EntityKind, HeaderFact, TextChoice, TextDigest};
use crate::finding::{Certainty, Deciding, Defect, Finding, Label, Level};
use crate::source::Span;
use crate::target::{Arch, Pass, PassSet, Passes};

use super::evidence::{certainty, deciding, short, views};
use super::rule::{Check, Rule};
use super::unit::Summary;

pub(super) const RULE: Rule =
    Rule { id: ID, card: include_str!("../../rules/arch-dependent-header.md"), check: Check::Program(check) };

const ID: &str = "arch-dependent-header";

const NOTE: &str = "The CUDA C++ Programming Guide, restriction 4 on `__CUDA_ARCH__`: in separate compilation, \
     headers must not use it so that objects have different behaviour, unless all objects are compiled for the same \
     architectures.";

const STUB_NOTE: &str = "nvcc before 13.0, and later ones with `-static-global-template-stub=false`, give the host \
     stubs of kernel templates weak linkage in whole-program compilation.";

/// A unit's copy of a header's entity.
#[derive(Clone, Copy)]
struct Copied<'u> {
    unit: &'u Summary,
    /// The unit's targets, in the order of its passes.
    targets: &'u [Arch],
    fact: &'u HeaderFact,
}

fn check(summaries: &[&Summary]) -> Vec<Finding> {
    let targets: Vec<Vec<Arch>> =
        summaries.iter().map(|summary| summary.passes.archs(summary.passes.devices())).collect();
    // Objects for the same targets take the same target for every GPU.
    if targets.iter().all(|list| sorted(list) == sorted(&targets[0])) {
        return Vec::new();
    }
    let mut copies: BTreeMap<(bool, &str), Vec<Copied<'_>>> = BTreeMap::new();
    for (&unit, targets) in summaries.iter().zip(&targets) {
        for fact in unit.header_entities.iter().filter(|fact| fact.used.is_some()) {
            let known = copies.entry((fact.stub, &fact.name)).or_default();
            let copy = Copied { unit, targets, fact };
            if !known.iter().any(|other| alike(other, &copy)) {
                known.push(copy);
            }
        }
    }
    let of_name = |((stub, _), copies): ((bool, &str), Vec<Copied<'_>>)| match stub {
        true => each_entity(&copies, stub_clash),
        false => each_entity(&copies, text_clash),
    };
    copies.into_iter().flat_map(of_name).collect()
}

fn sorted(targets: &[Arch]) -> Vec<Arch> {
    let mut sorted = targets.to_vec();
    sorted.sort();
    sorted
}

/// The copies clash with the same others, so one stands for both.
fn alike(left: &Copied<'_>, right: &Copied<'_>) -> bool {
    left.targets == right.targets
        && left.unit.groups == right.unit.groups
        && left.fact.at == right.fact.at
        && left.fact.texts == right.fact.texts
}

/// The copies of one name: for each entity, the finding on the first two units of one program whose copies clash.
fn each_entity(
    copies: &[Copied<'_>],
    clash: fn(&Copied<'_>, &Copied<'_>) -> Option<Finding>,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let mut reported: Vec<Span> = Vec::new();
    for (number, left) in copies.iter().enumerate() {
        for right in &copies[number + 1..] {
            let known = [left, right].iter().any(|copy| reported.contains(&copy.fact.at));
            if known || !is_one_entity(left.fact, right.fact) || !left.unit.may_be_linked_with(right.unit) {
                continue;
            }
            if let Some(finding) = clash(left, right) {
                reported.extend([left.fact.at, right.fact.at]);
                found.push(finding);
            }
        }
    }
    found
}

/// Whether copies of one name are of one entity: an entity may have a definition in each group of a conditional.
fn is_one_entity(left: &HeaderFact, right: &HeaderFact) -> bool {
    left.at == right.at || (left.what == right.what && left.head == right.head)
}

/// The finding if two objects share a host stub and have device code for different GPUs.
fn stub_clash(left: &Copied<'_>, right: &Copied<'_>) -> Option<Finding> {
    (sorted(left.targets) != sorted(right.targets)).then(|| stub_finding(left, right))
}

fn stub_finding(left: &Copied<'_>, right: &Copied<'_>) -> Finding {
    let fact = left.fact;
    let name = short(&fact.name);
    let both = Both::new(left, right);
    let of = |copy: &Copied<'_>| {
        let devices = both.renumbered(copy.unit, copy.unit.passes.devices());
        (devices, file_name(&copy.unit.unit))
    };
    let ((left_devices, left_unit), (right_devices, right_unit)) = (of(left), of(right));
    let related = [left, right].into_iter().filter_map(|copy| {
        let text = format!("launched by {}", file_name(&copy.unit.unit));
        copy.fact.used.map(|at| Label { at, text })
    });
    let lines = [(left_devices, &left_unit), (right_devices, &right_unit)];
    Finding {
        rule: ID,
        level: Level::Warning,
        // Whether both units instantiate it with the same arguments is not known.
        certainty: Certainty::Likely,
        defect: Defect::Other,
        message: format!(
            "{left_unit} ({}) and {right_unit} ({}) share the host stub of kernel template `{name}`",
            both.passes.describe(left_devices),
            both.passes.describe(right_devices)
        ),
        entity: fact.name.clone(),
        instances: Vec::new(),
        primary: Label { at: fact.at, text: "one host function for the kernels of several objects".into() },
        related: related.collect(),
        views: views(lines.into_iter().map(|(set, unit)| (set, format!("compiled with {unit}")))),
        deciding: None,
        consequences: vec![
            "Each object registers its own device code under that function; a launch from either finds the code \
             of one of them, which may have none for the GPU at hand."
                .into(),
        ],
        notes: vec![STUB_NOTE.to_string()],
        passes: both.passes,
    }
}

/// The finding if some GPU gets different texts from two objects and the architecture chose them.
///
/// Each object serves a GPU with the highest of its targets that is not above it. Where both take the same target,
/// `__CUDA_ARCH__` has one value, and what differs is due to other macros or other headers.
fn text_clash(left: &Copied<'_>, right: &Copied<'_>) -> Option<Finding> {
    let mut gpus: Vec<Arch> = [left, right].iter().flat_map(|copy| copy.targets).copied().collect();
    gpus.sort();
    gpus.dedup();
    gpus.into_iter().find_map(|gpu| {
        let sides = [Side::of(left, gpu)?, Side::of(right, gpu)?];
        if sides[0].target == sides[1].target || sides[0].text == sides[1].text {
            return None;
        }
        Some(finding(&sides, deciding_choices(&sides)?, gpu))
    })
}

/// A unit's copy as one of its targets sees it.
struct Side<'u> {
    copy: Copied<'u>,
    target: Arch,
    /// The index of the target's pass.
    pass: usize,
    text: TextDigest,
}

impl<'u> Side<'u> {
    /// The copy that an object has for a GPU.
    fn of(copy: &Copied<'u>, gpu: Arch) -> Option<Side<'u>> {
        let serves =
            |arch: &&Arch| arch.number <= gpu.number && (arch.suffix == Default::default() || **arch == gpu);
        let target = *copy.targets.iter().filter(serves).max()?;
        let pass = copy.unit.passes.list().iter().position(|pass| *pass == Pass::Device(target))?;
        let (_, text) = copy.fact.texts.iter().find(|(passes, _)| passes.has(pass))?;
        Some(Side { copy: *copy, target, pass, text: *text })
    }

    /// Its alternative of a choice; `None` if the choice is not met.
    fn alternative(&self, choice: &TextChoice) -> Option<Alternative> {
        choice.cases.iter().find(|(passes, _)| passes.has(self.pass)).map(|(_, alternative)| *alternative)
    }

    /// The choices that it meets.
    fn choices(&self) -> impl Iterator<Item = &'u TextChoice> {
        let fact = self.copy.fact;
        fact.choices.iter().filter(|choice| self.alternative(choice).is_some())
    }

    /// The choice that it meets by the same conditional or macro.
    fn same(&self, by: Chooser) -> Option<&'u TextChoice> {
        self.choices().find(|choice| choice.by == by)
    }
}

/// The choices, one of each unit that has it, that go back to the architecture and come out differently; `None` if there
/// are none, so that the texts differ for another reason.
fn deciding_choices<'u>(sides: &[Side<'u>; 2]) -> Option<[Option<&'u TextChoice>; 2]> {
    let [left, right] = sides;
    let shared = || left.choices().filter_map(|one| Some((one, right.same(one.by)?)));
    let differs =
        |(one, other): &(&TextChoice, &TextChoice)| left.alternative(one) != right.alternative(other);
    let by_architecture =
        |(one, other): &(&TextChoice, &TextChoice)| one.cause.is_some() || other.cause.is_some();
    if let Some((one, other)) = shared().find(|pair| differs(pair) && by_architecture(pair)) {
        return Some([Some(one), Some(other)]);
    }
    let other_reason =
        |pair: &(&TextChoice, &TextChoice)| matches!(pair.0.by, Chooser::Conditional(_)) && differs(pair);
    if shared().any(|pair| other_reason(&pair)) {
        return None;
    }
    let own = |side: &Side<'u>, other: &Side<'u>, counts: fn(Chooser) -> bool| {
        side.choices().find(|one| one.cause.is_some() && counts(one.by) && other.same(one.by).is_none())
    };
    // A macro that one unit defines for its architecture, and the other not.
    let by_macro = |by| matches!(by, Chooser::Macro(_));
    let found = [own(left, right, by_macro), own(right, left, by_macro)];
    if found.iter().any(Option::is_some) {
        return Some(found);
    }
    // Two definitions, each under a conditional of its own.
    let by_conditional = |by| matches!(by, Chooser::Conditional(_));
    let found = [own(left, right, by_conditional), own(right, left, by_conditional)];
    let apart = left.copy.fact.at != right.copy.fact.at;
    (apart && found.iter().all(Option::is_some)).then_some(found)
}

fn finding(sides: &[Side<'_>; 2], choices: [Option<&TextChoice>; 2], gpu: Arch) -> Finding {
    let [left, right] = sides;
    let fact = left.copy.fact;
    let name = short(&fact.name);
    // A text that only has another number in it may come to the same code.
    let decided = choices.iter().flatten().all(|choice| matches!(choice.by, Chooser::Conditional(_)));
    let both = Both::new(&left.copy, &right.copy);
    let file = |side: &Side<'_>| file_name(&side.copy.unit.unit);
    let sees =
        |side: &Side<'_>| (both.only(side.target), format!("the text that {} is compiled with", file(side)));
    let used = sides.iter().filter_map(|side| {
        let text = format!("used by {}", file(side));
        side.copy.fact.used.map(|at| Label { at, text })
    });
    let other = right.copy.fact.at;
    let apart = (other != fact.at)
        .then(|| Label { at: other, text: format!("the definition that {} is compiled with", file(right)) });
    let linked = format!(
        "Linked for {}, the program keeps one of the two copies, and both objects call that one.",
        gpu.sm_name()
    );
    let is_template = matches!(
        fact.what,
        EntityKind::FunctionTemplate | EntityKind::ClassTemplate | EntityKind::VariableTemplate
    );
    let doubt = "Whether both units instantiate it with the same arguments is not known.";
    let consequences = [Some(linked), is_template.then(|| doubt.to_string())];
    Finding {
        rule: ID,
        level: Level::Warning,
        certainty: certainty(sides.iter().all(|side| side.copy.fact.sure) && decided),
        defect: Defect::Other,
        message: format!(
            "{} `{name}` is one thing in {} ({}) and another in {} ({})",
            fact.what,
            file(left),
            left.target.compute_name(),
            file(right),
            right.target.compute_name()
        ),
        entity: fact.name.clone(),
        instances: Vec::new(),
        primary: Label {
            at: fact.at,
            text: "its text depends on the architecture it is compiled for".into(),
        },
        related: apart.into_iter().chain(used).collect(),
        views: views(sides.iter().map(sees)),
        deciding: both.deciding([left, right].map(|side| side.copy.unit), choices),
        consequences: consequences.into_iter().flatten().collect(),
        notes: vec![NOTE.to_string()],
        passes: both.passes,
    }
}

/// The passes of two units under one numbering.
struct Both {
    passes: Arc<Passes>,
}

impl Both {
    fn new(left: &Copied<'_>, right: &Copied<'_>) -> Both {
        let mut archs = left.targets.to_vec();
        archs.extend(right.targets.iter().filter(|arch| !left.targets.contains(arch)));
        // Two full units can have more passes than a set holds; the first ones are named then.
        archs.truncate(63);
        Both { passes: Arc::new(Passes::new(&archs).expect("63 targets at most")) }
    }

    fn only(&self, arch: Arch) -> PassSet {
        self.passes
            .list()
            .iter()
            .position(|pass| *pass == Pass::Device(arch))
            .map_or(PassSet::EMPTY, PassSet::single)
    }

    /// A unit's set in the common numbering.
    fn renumbered(&self, unit: &Summary, set: PassSet) -> PassSet {
        let archs = unit.passes.archs(set);
        let host = set.and(PassSet::HOST);
        archs.into_iter().fold(host, |all, arch| all.or(self.only(arch)))
    }

    /// The conditional behind the clash, as both units saw it.
    fn deciding(&self, units: [&Summary; 2], choices: [Option<&TextChoice>; 2]) -> Option<Deciding> {
        let mut decided: Option<Deciding> = None;
        for (summary, choice) in units.into_iter().zip(choices) {
            let cause = choice.and_then(|choice| choice.cause.as_deref());
            let Some(mut one) = deciding(cause) else { continue };
            for step in &mut one.derivation {
                step.passes = self.renumbered(summary, step.passes);
            }
            match &mut decided {
                None => decided = Some(one),
                Some(known) => {
                    for step in &mut known.derivation {
                        let same = one
                            .derivation
                            .iter()
                            .find(|other| other.at == step.at && other.text == step.text);
                        step.passes = step.passes.or(same.map_or(PassSet::EMPTY, |other| other.passes));
                    }
                }
            }
        }
        decided
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
