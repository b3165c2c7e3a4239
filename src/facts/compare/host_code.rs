//! Host code that the host pass never compiles: statements of host functions, whole host functions, members of host classes
//! and explicit instantiations behind a condition on the architecture that only device passes meet.
//!
//! In: tokens with presence conditions. Out: [`HostCodeFact`]s, one for each conditional. No device pass generates code for a
//! host function, so such code is in no object file. Nothing is parsed: braces and specifiers tell whose a token is.

use rustc_hash::FxHashSet;

use crate::preprocess::{ConditionalId, GroupId, PpToken};
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, ScopeId, TopDeclaration};

use super::cause;
use super::conditions::comparisons_in;
use super::dump::Printer;
use super::host_bodies::{
    function_name, has_stand_in, has_unexpanded_macro, host_function, is_within, kind, may_be_device,
    spelled, spelled_name,
};
use crate::facts::index::tokens::opens_launch;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{HostCodeFact, HostCodeKind};

/// Macros of well-known libraries for tests and for what else is registered when the program starts: no device has what
/// they define, even where their header was not found.
const REGISTRARS: [&str; 29] = [
    "TEST",
    "TEST_F",
    "TEST_P",
    "TYPED_TEST",
    "TYPED_TEST_P",
    "TYPED_TEST_SUITE",
    "TYPED_TEST_CASE",
    "REGISTER_TYPED_TEST_SUITE_P",
    "INSTANTIATE_TEST_SUITE_P",
    "INSTANTIATE_TEST_CASE_P",
    "INSTANTIATE_TYPED_TEST_SUITE_P",
    "TEST_CASE",
    "TEST_CASE_METHOD",
    "TEMPLATE_TEST_CASE",
    "TEMPLATE_LIST_TEST_CASE",
    "SCENARIO",
    "BOOST_AUTO_TEST_CASE",
    "BOOST_FIXTURE_TEST_CASE",
    "BOOST_AUTO_TEST_CASE_TEMPLATE",
    "BENCHMARK",
    "BENCHMARK_TEMPLATE",
    "TORCH_LIBRARY",
    "TORCH_LIBRARY_IMPL",
    "TORCH_LIBRARY_FRAGMENT",
    "PYBIND11_MODULE",
    "NB_MODULE",
    "REGISTER_OP",
    "REGISTER_KERNEL_BUILDER",
    "NVBENCH_BENCH",
];

/// The code of host functions that no host pass has.
pub(in crate::facts) fn host_code(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<HostCodeFact> {
    if !compared.meets(PassSet::HOST) {
        return Vec::new();
    }
    let mut facts = Vec::new();
    let mut seen: FxHashSet<ConditionalId> = FxHashSet::default();
    for declaration in &unit.variance.declarations {
        if !declaration.passes.meets(PassSet::HOST) {
            if let Some((id, fact)) = whole(unit, declaration, compared)
                && seen.insert(id)
            {
                facts.push(fact);
            }
            continue;
        }
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        if has_bodies && declaration.varies.tokens {
            of_declaration(unit, declaration, compared, &mut facts);
        }
    }
    facts
}

/// Whether a source is compiled for devices alone, to PTX or cubins that a driver loads: the host pass has nothing of the
/// project's files; or the source, with its headers left aside, has no host function and nothing that is registered, nothing
/// has a launch, and all kernels, `extern "C"`, are for being found by name.
pub(in crate::facts) fn is_for_devices_alone(unit: &IndexedUnit<'_>) -> bool {
    if unit.stands_alone.get() {
        return false;
    }
    let all = || unit.variance.declarations.iter().enumerate();
    let own = || all().filter(|(top, _)| !unit.token_facts().is_of_system(*top)).map(|(_, one)| one);
    if !own().any(|one| one.passes.meets(PassSet::HOST)) {
        return true;
    }
    let tokens = unit.pp.tokens();
    let main = unit.pp.files.first().copied();
    let is_for_host = |one: &TopDeclaration| {
        let whole = &tokens[one.tokens.clone()];
        let head = &tokens[one.tokens.start..one.body];
        if whole.first().map(|token| token.at.file) != main {
            return whole.windows(2).any(opens_launch);
        }
        let is_macro = whole.get(1).is_some_and(|token| token.text == sym::LPAREN);
        match one.kind {
            DeclKind::Function => is_macro || !head.iter().any(may_run_on_devices),
            DeclKind::Variable => is_macro || is_initialized_by_a_call(whole),
            DeclKind::Class => whole.windows(2).any(opens_launch),
            DeclKind::Instantiation => !head.iter().any(may_run_on_devices),
            DeclKind::Other => is_macro,
            _ => false,
        }
    };
    let is_kernel = |one: &&TopDeclaration| {
        one.kind == DeclKind::Function
            && tokens[one.tokens.start..one.body].iter().any(|token| token.text == sym::GLOBAL)
    };
    let in_c = |one: &TopDeclaration| {
        let scopes = &unit.variance.scopes;
        let around = |id: &ScopeId| scopes[id.0 as usize].parent;
        let is_linkage = |pair: &[PpToken]| pair[0].text == sym::EXTERN && pair[1].kind == TokenKind::String;
        std::iter::successors(Some(one.scope), around).any(|id| scopes[id.0 as usize].extern_c)
            || tokens[one.tokens.start..one.body].windows(2).any(is_linkage)
    };
    let mut kernels = own().filter(is_kernel).peekable();
    kernels.peek().is_some() && kernels.all(in_c) && !own().any(is_for_host)
}

/// A host function, or an explicit instantiation of host templates, that the host pass lacks as a whole and of which it has
/// no other.
fn whole(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    compared: PassSet,
) -> Option<(ConditionalId, HostCodeFact)> {
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let first = tokens.first().filter(|token| !unit.pp.system.contains(&token.at.file))?;
    if !declaration.passes.meets(compared) {
        return None;
    }
    if let Some(invocation) = registration(tokens) {
        let id = group_without_host(unit, first.group)?;
        let fact = HostCodeFact {
            function: spelled(invocation.iter()),
            declared: first.at,
            at: first.at,
            kind: HostCodeKind::Registration,
            is_beside_host: false,
            used: None,
            passes: unit.pp.group(id).passes.and(compared),
            cause: cause::of_token(unit, first, compared),
        };
        return Some((unit.pp.group(id).conditional, fact));
    }
    let head = &tokens[..declaration.body - declaration.tokens.start];
    let kind = match declaration.kind {
        // A macro whose header was not found may define anything.
        DeclKind::Function if head.get(1).is_some_and(|token| token.text == sym::LPAREN) => return None,
        DeclKind::Function if declaration.body < declaration.tokens.end => HostCodeKind::Function,
        DeclKind::Instantiation if !head.iter().any(|token| token.text == sym::EXTERN) => {
            HostCodeKind::Instantiation
        }
        DeclKind::Variable if is_initialized_by_a_call(tokens) => HostCodeKind::Initialization,
        _ => return None,
    };
    let name = declaration.names.first()?;
    let id = group_without_host(unit, first.group)?;
    let named = |name: &Symbol| {
        let tops = unit.declaring_untracked(*name).iter().map(|top| &unit.variance.declarations[*top]);
        tops.filter(|one| !std::ptr::eq(*one, declaration)).collect::<Vec<_>>()
    };
    let others = named(name);
    let around = declaration.names.get(declaration.declared..).unwrap_or_default().iter().flat_map(named);
    let on_devices = |one: &TopDeclaration| {
        let end = one.body.max(one.class_body.end);
        let head: Vec<&PpToken> = unit.pp.tokens()[one.tokens.start..one.body].iter().collect();
        unit.pp.tokens()[one.tokens.start..end].iter().any(may_run_on_devices)
            || has_unexpanded_macro(&head, one)
            || has_stand_in(unit, &head)
    };
    let is_known = match kind {
        // The host has one of its own.
        HostCodeKind::Function => !others.iter().any(|one| {
            one.kind == DeclKind::Function && one.passes.meets(PassSet::HOST) && may_be_one(one, declaration)
        }),
        HostCodeKind::Initialization => !others.iter().any(|one| one.passes.meets(PassSet::HOST)),
        // Of what is instantiated the template says for whom it is.
        _ => others.iter().any(|one| matches!(one.kind, DeclKind::Function | DeclKind::Class)),
    };
    if !is_known || on_devices(declaration) || others.iter().copied().chain(around).any(on_devices) {
        return None;
    }
    let words: Vec<&PpToken> = head.iter().collect();
    let of_name = words.iter().rev().copied().find(|token| token.text == *name);
    let named = of_name.or_else(|| function_name(&words))?;
    let fact = HostCodeFact {
        function: name.to_string(),
        declared: named.at,
        at: named.at,
        kind,
        is_beside_host: false,
        used: use_of(unit, *name, compared),
        passes: unit.pp.group(id).passes.and(compared),
        cause: cause::of_token(unit, first, compared),
    };
    Some((unit.pp.group(id).conditional, fact))
}

/// Whether two functions of one name may be the same, or overloads: not those of two classes.
fn may_be_one(one: &TopDeclaration, other: &TopDeclaration) -> bool {
    let qualifiers = |it: &TopDeclaration| it.names.get(it.declared..).unwrap_or_default().to_vec();
    let (one, other) = (qualifiers(one), qualifiers(other));
    one.is_empty() || other.is_empty() || one == other
}

/// The invocation of a [registrar](REGISTRARS) that a declaration begins with.
fn registration(tokens: &[PpToken]) -> Option<&[PpToken]> {
    let [first, open, ..] = tokens else { return None };
    if open.text != sym::LPAREN || !REGISTRARS.contains(&first.text.as_str()) {
        return None;
    }
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        depth += usize::from(token.text == sym::LPAREN);
        depth -= usize::from(token.text == sym::RPAREN);
        token.text == sym::RPAREN && depth == 0
    })?;
    Some(&tokens[..=end])
}

/// Whether a variable is initialized by a call, as one that registers something is. Constants are for whoever reads them.
fn is_initialized_by_a_call(tokens: &[PpToken]) -> bool {
    let fixed = |token: &PpToken| {
        matches!(token.text.as_str(), "const" | "constexpr" | "constinit" | "extern" | "template")
    };
    let assigned = tokens.iter().position(|token| token.text == sym::ASSIGN);
    let called = |pair: &[PpToken]| pair[0].kind == TokenKind::Identifier && pair[1].text == sym::LPAREN;
    let by_call = assigned.is_some_and(|at| tokens[at..].windows(2).any(called));
    // `Registrar name("text", &kernel);`: what stands between the parentheses is no list of parameters.
    let is_value = |token: &PpToken| token.kind == TokenKind::String;
    let arguments = tokens.iter().skip_while(|token| !matches!(token.text, sym::LPAREN | sym::LBRACE));
    let by_constructor = assigned.is_none() && arguments.into_iter().any(is_value);
    (by_call || by_constructor) && !tokens.iter().any(fixed)
}

/// Whether a token says that devices have the function, or that compilers may run it.
fn may_run_on_devices(token: &PpToken) -> bool {
    may_be_device(token) || matches!(token.text.as_str(), "constexpr" | "consteval")
}

/// The first mention of a name outside of its declarations.
fn use_of(unit: &IndexedUnit<'_>, name: Symbol, compared: PassSet) -> Option<Span> {
    let tops = unit.declaring_untracked(name);
    let declares = |index: usize| {
        tops.iter().any(|top| {
            let one = &unit.variance.declarations[*top];
            (one.tokens.start..one.body.max(one.tokens.start + 1)).contains(&index)
        })
    };
    let tokens = unit.pp.tokens().iter().enumerate();
    let mut mentions = tokens.filter(|(_, token)| token.text == name && token.passes.meets(compared));
    mentions.find(|(index, _)| !declares(*index)).map(|(_, token)| token.at)
}

/// The member function that the tokens begin with, if nothing in the class is for devices.
fn member<'t>(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    before: &[&PpToken],
    lost: &[&'t PpToken],
) -> Option<&'t PpToken> {
    let whole = &unit.pp.tokens()[declaration.tokens.clone()];
    let is_class = declaration.kind == DeclKind::Class && !declaration.class_body.is_empty();
    if !is_class || whole.iter().any(may_run_on_devices) {
        return None;
    }
    let ended = before
        .last()
        .is_some_and(|token| matches!(token.text, sym::LBRACE | sym::RBRACE | sym::SEMI | sym::COLON));
    let end = lost.iter().position(|token| matches!(token.text, sym::LBRACE | sym::SEMI))?;
    // A declaration without a body loses no code.
    let has_body = lost[end].text == sym::LBRACE;
    let head = &lost[..end];
    (ended && has_body && !has_unexpanded_macro(head, declaration) && !has_stand_in(unit, head))
        .then(|| function_name(head))
        .flatten()
}

fn of_declaration(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    compared: PassSet,
    facts: &mut Vec<HostCodeFact>,
) {
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let mut seen: FxHashSet<ConditionalId> = FxHashSet::default();
    let mut last = None;
    let first = declaration.tokens.start;
    for index in unit.variance.partial.within(declaration.tokens.clone()).map(|index| index - first) {
        let token = &tokens[index];
        if token.passes.meets(PassSet::HOST) || !token.passes.meets(compared) {
            continue;
        }
        if last.replace(token.group) == Some(token.group) {
            continue;
        }
        let Some((group, is_beside_host)) = group_of_devices(unit, token.group) else { continue };
        if !seen.insert(unit.pp.group(group).conditional) || unit.pp.system.contains(&token.at.file) {
            continue;
        }
        let own = |one: &&PpToken| one.passes.meets(token.passes) && is_within(unit, one.group, group);
        let end = unit.pp.conditional(unit.pp.group(group).conditional).endif;
        let is_behind =
            |one: &&PpToken| end.is_some_and(|end| one.at.file == end.file && one.at.start > end.start);
        let rest = tokens[index..].iter().take_while(|one| !is_behind(one));
        let lost: Vec<&PpToken> = rest.filter(own).collect();
        if is_beside_host && !is_meant_for_the_host(unit, group, &lost) {
            continue;
        }
        let pass = token.passes.lowest().expect("a token has a pass");
        let before: Vec<&PpToken> = tokens[..index].iter().filter(|one| one.passes.has(pass)).collect();
        let function = host_function(unit, declaration, &before).zip(kind(&lost));
        let member = || Some((member(unit, declaration, &before, &lost)?, HostCodeKind::Member));
        let is_member = function.is_none();
        let Some((function, kind)) = function.or_else(member) else { continue };
        if is_beside_host && (is_member || has_macro(function, &before)) {
            continue;
        }
        let is_of_all = unit.pp.group(group).passes.contains(compared.minus(PassSet::HOST));
        let is_choice = !is_beside_host && kind != HostCodeKind::Member;
        if is_choice && is_of_all && has_code_for_the_host(tokens, function, compared) {
            continue;
        }
        let behind = tokens[index..].iter().find(|one| one.passes.has(pass) && !own(one));
        if is_for_a_warning(&unit.pp.group(group).written.text(), &lost, behind) {
            continue;
        }
        let around = if is_member { &lost } else { &before };
        facts.push(HostCodeFact {
            function: spelled_name(around, function),
            declared: function.at,
            at: token.at,
            kind,
            is_beside_host,
            used: None,
            passes: unit.pp.group(group).passes.and(compared),
            cause: cause::of_token(unit, token, compared),
        });
    }
}

/// Whether what is lost was written for the host, although the host has a group of its own: a launch, or a call of a function
/// that no device has, behind a condition that asks for an architecture where there is one. A condition that the host answers
/// as if it were an old GPU is [`host_zero`](super::host_zero)'s.
fn is_meant_for_the_host(unit: &IndexedUnit<'_>, group: GroupId, lost: &[&PpToken]) -> bool {
    let is_of_host = |top: &usize| {
        let one = &unit.variance.declarations[*top];
        let head: Vec<&PpToken> = unit.pp.tokens()[one.tokens.start..one.body].iter().collect();
        let is_plain = |token: &&PpToken| !may_run_on_devices(token) && token.expansion.is_none();
        one.kind == DeclKind::Function && head.iter().all(is_plain) && !has_unexpanded_macro(&head, one)
    };
    let calls_host = |pair: &[&PpToken]| {
        let tops = unit.declaring_untracked(pair[0].text);
        pair[1].text == sym::LPAREN && !tops.is_empty() && tops.iter().all(is_of_host)
    };
    let condition = unit.pp.group(group).written.text();
    let asks = condition.contains("defined") && !comparisons_in(&condition).is_empty();
    asks && match kind(lost) {
        Some(HostCodeKind::Launch) => true,
        Some(HostCodeKind::Statement) => lost.windows(2).any(calls_host),
        _ => false,
    }
}

/// Whether the head of a function has a macro, which may give it to devices in other builds.
fn has_macro(function: &PpToken, before: &[&PpToken]) -> bool {
    let named = before.iter().position(|token| token.at == function.at).unwrap_or_default();
    let ends = |token: &&PpToken| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
    let start = before[..named].iter().rposition(ends).map_or(0, |at| at + 1);
    let head = before[start..].iter().take_while(|token| token.text != sym::LBRACE);
    head.into_iter().any(|token| token.expansion.is_some())
}

/// Whether the body of a function has code that the host alone compiles: it was written for both sides, as a function is
/// that a macro gives to devices in other builds only, and each side has groups of its own.
fn has_code_for_the_host(tokens: &[PpToken], function: &PpToken, compared: PassSet) -> bool {
    let mut depth = 0_usize;
    let named = tokens.iter().skip_while(|token| token.at != function.at);
    for token in named.filter(|token| token.passes.meets(PassSet::HOST)) {
        if depth > 0 && !token.passes.meets(compared.minus(PassSet::HOST)) {
            return true;
        }
        match token.text {
            sym::LBRACE => depth += 1,
            sym::RBRACE => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token.text, sym::RBRACE | sym::SEMI) {
            return false;
        }
    }
    false
}

/// Whether what is lost only keeps a device compiler quiet: a `return` at the end of a function whose host code does not get
/// there, behind a condition that asks for device passes and for none in particular.
fn is_for_a_warning(condition: &str, lost: &[&PpToken], behind: Option<&PpToken>) -> bool {
    let returns = lost.first().is_some_and(|token| token.text == sym::RETURN);
    let statements = lost.iter().filter(|token| token.text == sym::SEMI).count();
    let ends = behind.is_some_and(|token| token.text == sym::RBRACE);
    returns && statements == 1 && ends && comparisons_in(condition).is_empty()
}

/// The innermost conditional group around a token that belongs to a conditional which the host reaches and of which it
/// enters no group, if its condition depends on the pass.
fn group_without_host(unit: &IndexedUnit<'_>, group: Option<GroupId>) -> Option<GroupId> {
    group_of_devices(unit, group).filter(|(_, is_beside)| !is_beside).map(|(group, _)| group)
}

/// The innermost conditional group around a token of devices that belongs to a conditional which the host reaches, if its
/// condition depends on the pass; and whether the host enters another group of it.
fn group_of_devices(unit: &IndexedUnit<'_>, mut group: Option<GroupId>) -> Option<(GroupId, bool)> {
    while let Some(id) = group {
        let found = unit.pp.group(id);
        let conditional = unit.pp.conditional(found.conditional);
        if conditional.passes.meets(PassSet::HOST) {
            let enters = |group: &GroupId| unit.pp.group(*group).passes.meets(PassSet::HOST);
            let by_pass = conditional.reads.iter().any(|read| read.definitions.varies());
            return by_pass.then(|| (id, conditional.groups.iter().any(enters)));
        }
        group = found.parent;
    }
    None
}

/// Prints for `dump`. Code of a host function: the passes that have it.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &HostCodeFact) {
    let lines = vec![(fact.passes, fact.kind.to_string()), (PassSet::HOST, "left out".into())];
    to.paragraph(&format!("host code of {}", fact.function), fact.at, lines, fact.cause.as_ref());
}
