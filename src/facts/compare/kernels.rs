//! Kernels and device variables: the type that each pass gives them, and the passes that define them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::source::{Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::cause;
use super::dump::{Line, Printer};
use super::layouts::Uses;
use crate::facts::index::tokens::header_varies;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::ast::*;
use crate::facts::meaning::types::{Env, Spelling, TemplateArgument, Ty};
use crate::facts::meaning::view::{Entity, LookupResult, View};
use crate::facts::model::{BlindSpot, BlindSpotCause, EntityKind, SignedCase, SignedFact};

/// One declaration of a kernel or variable as one class of passes sees it.
#[derive(Clone)]
struct SeenDeclaration {
    passes: PassSet,
    name: String,
    /// The qualified name without inline namespaces.
    outer: Symbol,
    is_template: bool,
    what: EntityKind,
    canonical: String,
    shown: String,
    sure: bool,
    at: Span,
    defined: bool,
    top: usize,
    trace: Rc<[usize]>,
    /// A query about its type reached a limit.
    limited: bool,
}

/// The kernels of which some declaration may differ between passes before its body.
pub(in crate::facts) fn kernels(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    uses: &mut Uses,
    spots: &mut Vec<BlindSpot>,
) -> Vec<SignedFact> {
    let tops = varying_by_name(unit, &[sym::GLOBAL], |_| true);
    let mut seen = Vec::new();
    for (passes, view) in views {
        for top in &tops {
            for entity in view.declared(*top) {
                if let DeclBody::Function(function) = &entity.decl.kind
                    && entity.decl.specifiers.global
                    && !entity.decl.is_specialization()
                {
                    seen.push(kernel_seen(view, *passes, &entity, function, uses));
                }
            }
        }
    }
    spots.extend(too_deep(&seen));
    let mut facts = group_by_entity(unit, seen, compared);
    for fact in facts.iter_mut().filter(|fact| !fact.defined.has(0)) {
        fact.named_on_host = views.iter().any(|(passes, view)| passes.has(0) && names_a_function(view, fact));
    }
    facts
}

/// Whether the name of a kernel of the global namespace denotes a function in the view's pass. nvcc's registration code
/// names the kernel and defines it, which compiles if the name denotes a function for the host (measured on 13.0).
fn names_a_function(view: &View<'_>, kernel: &SignedFact) -> bool {
    let name = Symbol::intern(&kernel.name);
    let is_function = |entity: &Entity| matches!(entity.decl.kind, DeclBody::Function(_));
    matches!(view.lookup_in_namespace(sym::EMPTY, name), LookupResult::Entities(all) if all.iter().any(is_function))
}

/// The device variables of which some declaration may differ between passes.
pub(in crate::facts) fn variables(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    uses: &mut Uses,
    spots: &mut Vec<BlindSpot>,
) -> Vec<SignedFact> {
    let words = [sym::DEVICE, sym::CONSTANT, sym::MANAGED, sym::TEXTURE, sym::SURFACE];
    let tops =
        varying_by_name(unit, &words, |kind| !matches!(kind, DeclKind::Function | DeclKind::Prototype));
    let mut seen = Vec::new();
    let mut counterparts = HostCounterparts::default();
    for (passes, view) in views {
        for top in &tops {
            counterparts.add_variables(*passes, view, *top);
            for entity in view.declared(*top) {
                if let DeclBody::Variable(variable) = &entity.decl.kind {
                    seen.extend(variable_seen(view, *passes, &entity, variable, uses));
                }
            }
        }
    }
    spots.extend(too_deep(&seen));
    let mut facts = group_by_entity(unit, seen, compared);
    for fact in &mut facts {
        fact.defined = fact.defined.or(counterparts.passes_of(&fact.name));
    }
    facts
}

/// Ordinary variables with the name of a device variable, in passes that have no such device variable:
/// `#ifdef __CUDA_ARCH__` around `__constant__`, so that host and device each have a table. nvcc's registration code
/// compiles, with the host's variable, and each side reads its own.
#[derive(Default)]
struct HostCounterparts {
    list: Vec<(String, PassSet)>,
}

impl HostCounterparts {
    /// Adds the ordinary variables with the names of a declaration.
    fn add_variables(&mut self, passes: PassSet, view: &View<'_>, top: usize) {
        let declaration = &view.unit.variance.declarations[top];
        let namespace = view.unit.namespace(declaration.scope);
        for name in &declaration.names {
            let LookupResult::Entities(entities) = view.lookup_in_namespace(namespace, *name) else {
                continue;
            };
            for entity in entities.iter() {
                if let DeclBody::Variable(variable) = &entity.decl.kind
                    && variable_space(&entity.decl, variable).is_none()
                    && (!entity.decl.specifiers.is_extern || variable.initializer.is_some())
                {
                    self.list.push((view.qualified_name(entity), passes));
                }
            }
        }
    }

    /// The passes that have an ordinary variable of this name.
    fn passes_of(&self, name: &str) -> PassSet {
        self.list
            .iter()
            .filter(|(own, _)| own == name)
            .fold(PassSet::EMPTY, |all, (_, passes)| all.or(*passes))
    }
}

/// The declarations of some kinds with one of some specifiers, of all names of which at least one such declaration may
/// differ between passes before its body.
fn varying_by_name(unit: &IndexedUnit<'_>, words: &[Symbol], kinds: impl Fn(DeclKind) -> bool) -> Vec<usize> {
    let mut by_name: FxHashMap<Symbol, (bool, Vec<usize>)> = FxHashMap::default();
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        if !kinds(declaration.kind) || !unit.token_facts().head_has(top, words) {
            continue;
        }
        let varies = header_varies(unit.pp, unit.variance, top);
        for name in &unit.variance.declarations[top].names {
            let entry = by_name.entry(*name).or_default();
            entry.0 |= varies;
            entry.1.push(top);
        }
    }
    let mut tops: Vec<usize> =
        by_name.into_values().filter(|(varies, _)| *varies).flat_map(|(_, tops)| tops).collect();
    tops.sort_unstable();
    tops.dedup();
    tops
}

/// A declaration of a kernel as one class of passes sees it.
fn kernel_seen(
    view: &View<'_>,
    passes: PassSet,
    entity: &Entity,
    function: &Function,
    uses: &mut Uses,
) -> SeenDeclaration {
    let decl = &entity.decl;
    let parameters = decl.templates.last().map_or(&[][..], |head| &head.parameters);
    let types = || {
        let (head, inner) = own_parameters(view, parameters, &entity.env);
        (head, view.parameter_types(function, &inner))
    };
    let (((head, types), trace), limited) = view.limited(|| view.traced(types));
    let list = |how: Spelling| types.iter().map(|ty| ty.text(how)).collect::<Vec<_>>().join(", ");
    let name = view.qualified_name(entity);
    uses.kernel(passes, &name, decl.at, &types);
    let is_template = !parameters.is_empty();
    SeenDeclaration {
        passes,
        canonical: format!("{head}({})", list(Spelling::Canonical)),
        shown: format!("{}({})", shown_head(parameters), list(Spelling::Shown)),
        sure: types.iter().all(Ty::is_sure),
        name,
        outer: view.unit.outer_name(entity.env.scope, decl.name),
        is_template,
        what: if is_template { EntityKind::KernelTemplate } else { EntityKind::Kernel },
        at: decl.at,
        defined: function.body.is_some(),
        top: entity.top,
        trace: view.varying(trace),
        limited,
    }
}

/// The canonical text of a template head, and an environment in which each template parameter is bound to itself by its
/// position, so that its name does not matter.
fn own_parameters(view: &View<'_>, parameters: &[TemplateParameter], env: &Env) -> (String, Env) {
    if parameters.is_empty() {
        return (String::new(), env.clone());
    }
    let mut bindings = Vec::new();
    let mut kinds = Vec::new();
    for (number, parameter) in parameters.iter().enumerate() {
        let inner = env.with_bindings(bindings.clone());
        let mut kind = match &parameter.type_or_concept {
            // Other types are not compared: `enable_if_t<…> = 0` has none where it removes the overload.
            Some(ty) => match view.ty(ty, &inner) {
                Ty::Builtin(name) => name.to_string(),
                _ => "constant".to_string(),
            },
            None if parameter.template => "template".into(),
            None => "typename".to_string(),
        };
        kind.push_str(if parameter.pack { "..." } else { "" });
        kinds.push(kind);
        bindings.push((parameter.name, TemplateArgument::Type(Ty::Parameter(number, parameter.name))));
    }
    (format!("template<{}>", kinds.join(", ")), env.with_bindings(bindings))
}

fn shown_head(parameters: &[TemplateParameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    format!("<{}>", names.join(", "))
}

/// The memory space of a variable, or that it is a texture or surface reference; `None` for an ordinary variable.
fn variable_space(decl: &Decl, variable: &Variable) -> Option<EntityKind> {
    let specifiers = decl.specifiers;
    if specifiers.shared {
        return None;
    }
    if specifiers.managed {
        return Some(EntityKind::ManagedVariable);
    }
    if specifiers.constant {
        return Some(EntityKind::ConstantVariable);
    }
    if specifiers.device {
        return Some(EntityKind::DeviceVariable);
    }
    match &variable.ty {
        Type::Named(path) if path.last().arguments.is_some() => match path.last().name {
            sym::TEXTURE => Some(EntityKind::Texture),
            sym::SURFACE => Some(EntityKind::Surface),
            _ => None,
        },
        _ => None,
    }
}

/// A declaration of a device variable as one class of passes sees it.
fn variable_seen(
    view: &View<'_>,
    passes: PassSet,
    entity: &Entity,
    variable: &Variable,
    uses: &mut Uses,
) -> Option<SeenDeclaration> {
    let decl = &entity.decl;
    let what = variable_space(decl, variable)?;
    let parameters = decl.templates.last().map_or(&[][..], |head| &head.parameters);
    let ty = || {
        let (head, inner) = own_parameters(view, parameters, &entity.env);
        (head, view.ty(&variable.ty, &inner))
    };
    let (((head, ty), trace), limited) = view.limited(|| view.traced(ty));
    let name = view.qualified_name(entity);
    uses.variable(passes, &name, decl.at, &ty);
    Some(SeenDeclaration {
        passes,
        canonical: format!("{head}{}", ty.text(Spelling::Canonical)),
        shown: ty.text(Spelling::Shown),
        sure: ty.is_sure(),
        name,
        outer: view.unit.outer_name(entity.env.scope, decl.name),
        is_template: !parameters.is_empty(),
        what,
        at: decl.at,
        defined: !decl.specifiers.is_extern || variable.initializer.is_some(),
        top: entity.top,
        trace: view.varying(trace),
        limited,
    })
}

impl SeenDeclaration {
    fn is_variable(&self) -> bool {
        !self.what.is_kernel()
    }
}

/// The declarations of one entity in all passes.
struct Group {
    seen: Vec<SeenDeclaration>,
}

impl Group {
    fn passes(&self) -> PassSet {
        self.seen.iter().fold(PassSet::EMPTY, |all, one| all.or(one.passes))
    }
}

/// The declarations whose types were compared as spelled because they go too deep, though their declarations may differ.
fn too_deep(seen: &[SeenDeclaration]) -> Vec<BlindSpot> {
    let mut spots: Vec<BlindSpot> = Vec::new();
    for one in seen.iter().filter(|one| one.limited) {
        match spots.iter_mut().find(|known| known.at == one.at) {
            Some(known) => known.passes = known.passes.or(one.passes),
            None => spots.push(BlindSpot {
                at: one.at,
                name: one.name.clone(),
                passes: one.passes,
                why: BlindSpotCause::TooDeep,
                varies: true,
            }),
        }
    }
    spots
}

/// Groups declarations of one entity: first those with the same signature; then those at the same place; then those
/// that no pass has both of, where one stands for the other.
fn group_by_entity(unit: &IndexedUnit<'_>, seen: Vec<SeenDeclaration>, compared: PassSet) -> Vec<SignedFact> {
    let mut by_name: Vec<(Symbol, Vec<Group>)> = Vec::new();
    for one in seen {
        let index = match by_name.iter().position(|(name, _)| *name == one.outer) {
            Some(index) => index,
            None => {
                by_name.push((one.outer, Vec::new()));
                by_name.len() - 1
            }
        };
        let groups = &mut by_name[index].1;
        let is_one = |known: &SeenDeclaration| known.canonical == one.canonical && known.name == one.name;
        let same = groups.iter_mut().find(|group| group.seen.iter().any(is_one));
        match same {
            Some(group) => group.seen.push(one),
            None => groups.push(Group { seen: vec![one] }),
        }
    }
    let mut facts = Vec::new();
    for (_, groups) in by_name {
        for group in pair_disjoint(groups) {
            facts.push(fact(unit, group, compared));
        }
    }
    facts
}

/// Merges groups of the same name that no pass has both of, preferably those at the same place.
fn pair_disjoint(groups: Vec<Group>) -> Vec<Group> {
    let mut paired: Vec<Group> = Vec::new();
    for group in groups {
        let same_place =
            |other: &Group| other.seen.iter().any(|one| group.seen.iter().any(|own| own.at == one.at));
        let disjoint = |other: &Group| !other.passes().meets(group.passes());
        let index = paired
            .iter()
            .position(|other| disjoint(other) && same_place(other))
            .or_else(|| paired.iter().position(disjoint));
        match index {
            Some(index) => paired[index].seen.extend(group.seen),
            None => paired.push(group),
        }
    }
    paired
}

fn fact(unit: &IndexedUnit<'_>, group: Group, compared: PassSet) -> SignedFact {
    let mut cases: Vec<SignedCase> = Vec::new();
    let mut defined = PassSet::EMPTY;
    // Different inline namespaces give different mangled names, so the name is compared too.
    let moves = group.seen.iter().any(|one| one.name != group.seen[0].name);
    let named = |one: &SeenDeclaration, text: &str| {
        if moves { format!("{}{text}", one.name) } else { text.to_string() }
    };
    for one in &group.seen {
        if one.defined {
            defined = defined.or(one.passes);
        }
        let canonical = named(one, &one.canonical);
        match cases.iter_mut().find(|case| case.canonical == canonical) {
            Some(case) => case.passes = case.passes.or(one.passes),
            None => cases.push(SignedCase {
                passes: one.passes,
                canonical,
                shown: if moves && one.is_variable() {
                    format!("{} {}", one.shown, one.name)
                } else {
                    named(one, &one.shown)
                },
                sure: one.sure,
                at: one.at,
            }),
        }
    }
    let mut places: Vec<Span> = Vec::new();
    let in_order =
        group.seen.iter().filter(|one| one.defined).chain(group.seen.iter().filter(|one| !one.defined));
    for one in in_order {
        if !places.contains(&one.at) {
            places.push(one.at);
        }
    }
    if defined != PassSet::EMPTY {
        places.retain(|place| group.seen.iter().any(|one| one.defined && one.at == *place));
    }
    places.sort();
    let mut own: Vec<usize> = group.seen.iter().map(|one| one.top).collect();
    own.dedup();
    let trace = group.seen.iter().flat_map(|one| one.trace.iter().copied()).collect();
    let first = group.seen.first().expect("a group has a declaration");
    let guarded: Vec<usize> =
        own.iter().copied().filter(|top| unit.variance.declarations[*top].varies.presence).collect();
    SignedFact {
        name: first.name.clone(),
        is_template: first.is_template,
        what: first.what,
        defined,
        places,
        type_cause: cause::of_declarations(unit, &own, compared)
            .or_else(|| cause::of_trace(unit, &trace, compared)),
        presence_cause: cause::of_declarations(unit, &guarded, compared),
        named_on_host: false,
        moves,
        cases,
    }
}

/// Prints for `dump`. A kernel or a variable: its type in each class of passes, and where it is defined.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &SignedFact) {
    let mut lines: Vec<Line> = Vec::new();
    for case in &fact.cases {
        let doubt = if case.sure { "" } else { " (with a name that nothing declares)" };
        lines.push((case.passes, format!("{}{doubt}", case.shown)));
    }
    let places = fact.places.iter().map(|place| format!("defined at {}", to.place(*place)));
    if !fact.defined.is_empty() {
        lines.push((fact.defined, places.collect::<Vec<_>>().join(", ")));
    }
    let at = fact.cases.first().map_or(fact.places[0], |case| case.at);
    let cause = if fact.cases.len() > 1 { &fact.type_cause } else { &fact.presence_cause };
    to.paragraph(&format!("{} {}", fact.what, fact.name), at, lines, cause.as_ref());
}
