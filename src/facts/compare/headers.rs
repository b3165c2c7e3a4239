//! Entities of headers that are emitted in every object file that uses them.
//!
//! In: the declarations of a unit that stand in headers. Out: [`HeaderFact`]s, with the text that each device pass sees
//! of an entity and the conditionals and macros that choose it. Units are not compared here; a rule does that.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{ConditionalId, DefinitionId, DerivationStep, GroupId, PpToken, Preprocessed};
use crate::project::TranslationUnit;
use crate::source::{FileId, Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::cause;
use super::dump::Printer;
use super::emitted::Emitted;
use crate::facts::index::tokens::refine;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{Alternative, Cause, Chooser, EntityKind, HeaderFact, TextChoice, TextDigest};

/// The entities of headers that are emitted in every object file that uses them, with the text that each device pass
/// sees; without separate compilation only kernel templates, for their host stubs.
pub(in crate::facts) fn header_entities(
    unit: &IndexedUnit<'_>,
    translation: &TranslationUnit,
    main: Option<FileId>,
) -> Vec<HeaderFact> {
    let devices = translation.passes.devices();
    let emitted = Emitted::of(unit);
    let mut targets = Targets::new(unit, translation.passes.all());
    let mut facts = Vec::new();
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let first = &unit.pp.tokens()[declaration.tokens.start];
        let in_header = Some(first.at.file) != main;
        if !in_header || unit.is_unnamed(declaration.scope) {
            continue;
        }
        let is_template = first.text == sym::TEMPLATE;
        let what = if translation.rdc {
            shared_entity(unit, top, is_template)
        } else {
            shared_stub(unit, top, is_template)
        };
        let Some(what) = what else { continue };
        let Some(name) = declaration.names.first() else { continue };
        let seen = declaration.passes.and(devices);
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let at = tokens.iter().find(|token| token.text == *name).map_or(first.at, |token| token.at);
        let namespace = unit.namespace(declaration.scope);
        let qualified =
            if namespace == sym::EMPTY { name.to_string() } else { format!("{namespace}::{name}") };
        let used = emitted.mention(*name);
        let (mut texts, mut chosen) = (Vec::new(), Vec::new());
        if used.is_some() {
            let classes = refine(seen, tokens.iter().map(|token| token.passes));
            texts.extend(classes.iter().map(|class| (*class, digest(tokens, *class))));
            if translation.rdc {
                chosen = choices(&mut targets, declaration, seen);
            }
        }
        facts.push(HeaderFact {
            name: qualified,
            what,
            at,
            stub: !translation.rdc,
            head: digest(&tokens[..head_length(tokens, declaration)], seen),
            texts,
            choices: chosen,
            used,
            sure: !is_template
                && !matches!(what, EntityKind::Class)
                && emitted.is_sure(*name)
                && unit.declaring(*name).len() == 1,
        });
    }
    facts
}

/// The kind of a kernel template of which every object file that uses it has the host stub, and the linker keeps one.
fn shared_stub(unit: &IndexedUnit<'_>, top: usize, is_template: bool) -> Option<EntityKind> {
    let kernel = unit.variance.declarations[top].kind == DeclKind::Function
        && is_template
        && unit.token_facts().head_has(top, &[sym::GLOBAL])
        && !unit.token_facts().head_has(top, &[sym::STATIC]);
    kernel.then_some(EntityKind::KernelTemplate)
}

/// The kind of an entity of which every object file that uses it has a definition, and the linker keeps one.
fn shared_entity(unit: &IndexedUnit<'_>, top: usize, is_template: bool) -> Option<EntityKind> {
    let declaration = &unit.variance.declarations[top];
    let inline = [sym::INLINE, sym::INLINE_GNU, sym::INLINE_SHORT, sym::FORCEINLINE];
    let is_static = declared_with(unit, top, &[sym::STATIC]);
    let on_device = unit.token_facts().head_has(top, &[sym::DEVICE, sym::GLOBAL]);
    match declaration.kind {
        DeclKind::Function if !on_device || is_static => None,
        DeclKind::Function if is_template => Some(EntityKind::FunctionTemplate),
        DeclKind::Function if declared_with(unit, top, &inline) => Some(EntityKind::InlineFunction),
        DeclKind::Function if unit.token_facts().head_has(top, &[sym::CONSTEXPR]) => {
            Some(EntityKind::ConstexprFunction)
        }
        DeclKind::Class => Some(if is_template { EntityKind::ClassTemplate } else { EntityKind::Class }),
        DeclKind::Variable if unit.token_facts().head_has(top, &inline) && !is_static => {
            Some(EntityKind::InlineVariable)
        }
        DeclKind::Variable if is_template && !is_static => Some(EntityKind::VariableTemplate),
        _ => None,
    }
}

/// Whether a declaration has one of the specifiers, or, if it is a function, another declaration of it has, which counts
/// for all ([dcl.inline], [dcl.stc]). Functions of one name and namespace with equally many parameters are taken for one.
fn declared_with(unit: &IndexedUnit<'_>, top: usize, words: &[Symbol]) -> bool {
    let facts = unit.token_facts();
    let own = &unit.variance.declarations[top];
    let Some(name) = own.names.first().filter(|_| own.kind == DeclKind::Function) else {
        return facts.head_has(top, words);
    };
    let declares = |other: &usize| {
        let declaration = &unit.variance.declarations[*other];
        facts.head_has(*other, words)
            && matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype)
            && unit.namespace(declaration.scope) == unit.namespace(own.scope)
            && parameters(unit, declaration) == parameters(unit, own)
    };
    facts.head_has(top, words) || unit.declaring(*name).iter().any(declares)
}

/// The number of commas between the parameters of a function, with those of template arguments.
fn parameters(unit: &IndexedUnit<'_>, declaration: &TopDeclaration) -> usize {
    let tokens = &unit.pp.tokens()[declaration.tokens.start..declaration.body];
    let named = |token: &PpToken| declaration.names.first() == Some(&token.text);
    let list = tokens.iter().skip_while(|token| !named(token)).skip(1);
    let closed = list.scan(0_i32, |depth, token| {
        match token.text {
            sym::LPAREN => *depth += 1,
            sym::RPAREN => *depth -= 1,
            _ => {}
        }
        (*depth > 0).then_some(token)
    });
    closed.filter(|token| token.text == sym::COMMA).count()
}

/// The number of tokens before the body of a function or class, or up to the name of a variable.
fn head_length(tokens: &[PpToken], declaration: &TopDeclaration) -> usize {
    match declaration.kind {
        DeclKind::Function => declaration.body - declaration.tokens.start,
        DeclKind::Class if !declaration.class_body.is_empty() => {
            declaration.class_body.start - declaration.tokens.start
        }
        _ => {
            let named = |token: &PpToken| declaration.names.first() == Some(&token.text);
            tokens.iter().position(named).map_or(tokens.len(), |index| index + 1)
        }
    }
}

/// The digest of those tokens that the first of some passes has.
fn digest(tokens: &[PpToken], class: PassSet) -> TextDigest {
    let pass = class.lowest().unwrap_or_default();
    TextDigest::of(tokens.iter().filter(|token| token.passes.has(pass)).map(|token| token.text.as_str()))
}

/// The conditionals around and in a declaration, and the macros that are expanded in it, as `seen` meet them.
///
/// A conditional with one group that no target decides is left out: an include guard is one, and where such a
/// conditional leaves something out there is no other text in its place.
fn choices(targets: &mut Targets<'_>, declaration: &TopDeclaration, seen: PassSet) -> Vec<TextChoice> {
    let tokens = &targets.unit.pp.tokens()[declaration.tokens.clone()];
    let mut found = Choices {
        targets,
        seen,
        known: FxHashSet::default(),
        conditionals: Vec::new(),
        macros: BTreeMap::new(),
    };
    let mut last = None;
    for token in tokens.iter().filter(|token| token.passes.meets(seen)) {
        if token.group != last {
            found.conditionals_around(token);
            last = token.group;
        }
        found.macros_behind(token);
    }
    let macros = found.macros.into_values();
    found.conditionals.into_iter().chain(macros).collect()
}

/// The choices of a declaration, while they are gathered.
struct Choices<'c, 'u> {
    targets: &'c mut Targets<'u>,
    seen: PassSet,
    known: FxHashSet<ConditionalId>,
    conditionals: Vec<TextChoice>,
    macros: BTreeMap<Symbol, TextChoice>,
}

impl Choices<'_, '_> {
    fn conditionals_around(&mut self, token: &PpToken) {
        let unit = self.targets.unit;
        let mut next = token.group;
        while let Some(id) = next {
            let group = unit.pp.group(id);
            next = group.parent;
            if !self.known.insert(group.conditional) {
                return;
            }
            let conditional = unit.pp.conditional(group.conditional);
            let by_target = self.targets.decide(group.conditional);
            if !by_target && conditional.groups.len() < 2 {
                continue;
            }
            let first = conditional.groups.first().copied().unwrap_or(id);
            let entered = conditional.groups.iter().map(|id| unit.pp.group(*id));
            let mut cases: Vec<(PassSet, Alternative)> =
                entered.map(|group| (group.passes, Alternative::Group(group.directive))).collect();
            let all = cases.iter().fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
            cases.push((conditional.passes.minus(all), Alternative::NoGroup));
            cases.iter_mut().for_each(|(passes, _)| *passes = passes.and(self.seen));
            cases.retain(|(passes, _)| !passes.is_empty());
            self.conditionals.push(TextChoice {
                by: Chooser::Conditional(unit.pp.group(first).directive),
                cases,
                cause: by_target.then(|| Box::new(cause::of_group(unit, first))),
            });
        }
    }

    fn macros_behind(&mut self, token: &PpToken) {
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = self.targets.unit.pp.expansion(id);
            above = expansion.parent;
            self.add_macro(expansion.definition, expansion.passes.and(self.seen), token);
        }
    }

    fn add_macro(&mut self, id: DefinitionId, passes: PassSet, token: &PpToken) {
        let definition = self.targets.unit.pp.definition(id);
        let alternative = match definition.at {
            Some(at) => Alternative::Definition(at),
            None => Alternative::Text(TextDigest::of([definition.text().as_str()])),
        };
        let choice = self.macros.entry(definition.name).or_insert_with(|| TextChoice {
            by: Chooser::Macro(definition.name),
            cases: Vec::new(),
            cause: None,
        });
        match choice.cases.iter_mut().find(|(_, known)| *known == alternative) {
            Some((known, _)) => *known = known.or(passes),
            None => {
                choice.cases.push((passes, alternative));
                let cause = self.targets.cause(id, token).map(Box::new);
                choice.cause = choice.cause.take().or(cause);
            }
        }
    }
}

/// The dependence of a unit's conditionals and macros on its targets: on `__CUDA_ARCH__` and the other macros that nvcc
/// predefines by pass, or on the list of targets. The list is the same in all passes of a unit.
struct Targets<'u> {
    unit: &'u IndexedUnit<'u>,
    /// All passes of the unit.
    all: PassSet,
    /// By conditional, whether targets decide it.
    known: FxHashMap<ConditionalId, bool>,
    /// By file, the groups that some pass enters and where each ends; filled when it is needed.
    groups: Option<FxHashMap<FileId, Vec<(GroupId, u32)>>>,
}

impl<'u> Targets<'u> {
    fn new(unit: &'u IndexedUnit<'u>, all: PassSet) -> Targets<'u> {
        Targets { unit, all, known: FxHashMap::default(), groups: None }
    }

    /// Whether targets decide which group of a conditional is entered: one of the macros that its conditions read depends
    /// on them.
    fn decide(&mut self, conditional: ConditionalId) -> bool {
        if let Some(known) = self.known.get(&conditional) {
            return *known;
        }
        // A definition that stands in the conditional itself adds nothing.
        self.known.insert(conditional, false);
        let reads = &self.unit.pp.conditional(conditional).reads;
        let mut read = reads.iter().flat_map(|read| read.definitions.cases()).filter_map(|(_, id)| *id);
        let found = reads.iter().any(|read| read.definitions.varies()) || read.any(|id| self.define(id));
        self.known.insert(conditional, found);
        found
    }

    /// Whether a macro's definition is the list of targets or stands in a conditional that targets decide.
    fn define(&mut self, id: DefinitionId) -> bool {
        let definition = self.unit.pp.definition(id);
        match definition.at {
            None => definition.name == sym::CUDA_ARCH_LIST,
            Some(_) => self.group_around(id).is_some(),
        }
    }

    /// The innermost group around a macro's definition whose conditional targets decide.
    fn group_around(&mut self, id: DefinitionId) -> Option<GroupId> {
        let pp = self.unit.pp;
        let definition = pp.definition(id);
        let mut around = Vec::new();
        let mut next = definition.group;
        while let Some(id) = next {
            around.push(id);
            next = pp.group(id).parent;
        }
        // A definition that all passes have does not know its group.
        if around.is_empty()
            && let Some(at) = definition.at
        {
            around = self.groups_at(at);
        }
        around.into_iter().find(|id| self.decide(pp.group(*id).conditional))
    }

    /// The groups around a place, the innermost first.
    fn groups_at(&mut self, at: Span) -> Vec<GroupId> {
        let pp = self.unit.pp;
        let groups = self.groups.get_or_insert_with(|| groups_by_file(pp));
        let of_file = groups.get(&at.file).map_or(&[][..], Vec::as_slice);
        let begun = of_file.partition_point(|(id, _)| pp.group(*id).directive.start <= at.start);
        let around = of_file[..begun].iter().rev().filter(|(_, end)| at.start < *end);
        around.map(|(id, _)| *id).collect()
    }

    /// How a macro's definition depends on the targets, if it does. A token at `token` came through it.
    fn cause(&mut self, id: DefinitionId, token: &PpToken) -> Option<Cause> {
        let unit = self.unit;
        let definition = unit.pp.definition(id);
        if definition.at.is_some() {
            return self.group_around(id).map(|group| cause::of_group(unit, group));
        }
        let by_pass = definition.passes != self.all;
        let name = definition.name.to_string();
        let step = DerivationStep { text: name.clone(), at: None, passes: definition.passes };
        (by_pass || definition.name == sym::CUDA_ARCH_LIST).then(|| Cause {
            at: token.at,
            text: name,
            derivation: vec![step],
        })
    }
}

/// By file, the groups that some pass enters and where each ends, in the order of where they begin.
fn groups_by_file(pp: &Preprocessed) -> FxHashMap<FileId, Vec<(GroupId, u32)>> {
    let mut groups: FxHashMap<FileId, Vec<(GroupId, u32)>> = FxHashMap::default();
    for conditional in pp.conditionals() {
        let nexts = conditional.groups.iter().skip(1).map(|id| pp.group(*id).directive);
        let ends = nexts.chain(conditional.endif).map(|directive| directive.start).chain([u32::MAX]);
        for (id, end) in conditional.groups.iter().zip(ends) {
            let group = pp.group(*id);
            if !group.passes.is_empty() {
                groups.entry(group.directive.file).or_default().push((*id, end));
            }
        }
    }
    for of_file in groups.values_mut() {
        of_file.sort_by_key(|(id, _)| pp.group(*id).directive.start);
    }
    groups
}

/// Prints for `dump`. An entity of a header: the text of each class of passes.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &HeaderFact) {
    let title = format!("{} {}", fact.what, fact.name);
    let line = |(passes, text): &(PassSet, TextDigest)| (*passes, format!("text {text}"));
    let cause = fact.choices.iter().find_map(|choice| choice.cause.as_deref());
    to.paragraph(&title, fact.at, fact.texts.iter().map(line).collect(), cause);
}
