//! Values that the host takes from a macro or a constant which has another value in device passes, where it tells the
//! device: in the configuration or the arguments of a launch, in the condition of a loop round one, or in a call that
//! copies, sets or allocates device memory or asks for the occupancy of a kernel.
//!
//! In: tokens of host functions, and the values of constants by pass. Out: [`HostValueFact`]s, one for each name in a
//! function. Followed are what local variables and their members are initialized with or assigned, the bounds of local
//! arrays, and functions that only return a value. What differs since a directive within the function says so is another
//! fact's business.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::cause;
use super::constant::constant;
use super::dump::Printer;
use super::host_bodies::{Bodies, may_be_device, spelled, spelled_name};
use super::host_calls::{Returned, callers, returned};
use super::locals::{Locals, angle_end, paired};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::meaning::view::View;
use crate::facts::model::{Cause, HostConstants, HostUse, HostValueFact};

/// The beginnings of the names of functions that tell a device how much memory to take, set or copy.
const MEMORY: [&str; 4] = ["cudaMemcpy", "cudaMemset", "cudaMalloc", "cudaFuncSetAttribute"];

/// The beginnings of the names of functions that launch a kernel, or say how many blocks of one fit, with the positions of the
/// kernel among their arguments and of the array that may point to the kernel's own.
const LAUNCHES: [(&str, usize, Option<usize>, HostUse); 9] = [
    ("cudaLaunchKernelEx", 1, Some(2), HostUse::Launch),
    ("cudaLaunchKernel", 0, Some(3), HostUse::Launch),
    ("cudaLaunchCooperativeKernel", 0, Some(3), HostUse::Launch),
    ("cuLaunchKernelEx", 1, Some(2), HostUse::Launch),
    ("cuLaunchKernel", 0, Some(9), HostUse::Launch),
    ("cuLaunchCooperativeKernel", 0, Some(9), HostUse::Launch),
    ("cudaOccupancyMaxPotential", 2, None, HostUse::Occupancy),
    ("cudaOccupancyMaxActive", 1, None, HostUse::Occupancy),
    ("cudaOccupancyAvailable", 1, None, HostUse::Occupancy),
];

/// How many local variables deep an operand is followed.
const DEPTH: usize = 3;

/// The values, in the order of the sources.
pub(in crate::facts) fn host_values(
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
) -> Vec<HostValueFact> {
    let mut facts = Vec::new();
    if views.len() < 2 || !compared.meets(PassSet::HOST) {
        return facts;
    }
    let callers = callers(unit);
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        let may_differ = declaration.varies.any() || callers.contains(&top);
        let of_host = may_differ && declaration.passes.meets(PassSet::HOST);
        if !has_bodies || !of_host || unit.token_facts().is_of_system(top) || !tells_devices(unit, top) {
            continue;
        }
        let is_function = declaration.kind == DeclKind::Function;
        let head = &unit.pp.tokens()[declaration.tokens.start..declaration.body];
        // What such a function launches, no host does.
        let of_device =
            || is_function && head.iter().any(|token| matches!(token.text, sym::GLOBAL | sym::DEVICE));
        if !of_device() {
            let finder = Finder { unit, views, compared, declaration };
            finder.declaration(&mut facts);
        }
    }
    facts
}

/// The names of the project's constants and types that vary, and of functions that return a value which may.
pub(in crate::facts) fn constants(unit: &IndexedUnit<'_>) -> HostConstants {
    let returns = |one: &TopDeclaration| {
        let body = &unit.pp.tokens()[one.body..one.tokens.end];
        body.iter().any(|token| token.text == sym::RETURN)
    };
    let is_own = |one: &&TopDeclaration| {
        let first = unit.pp.tokens().get(one.tokens.start);
        first.is_some_and(|token| !unit.pp.system.contains(&token.at.file))
    };
    let mut found = HostConstants::default();
    for one in unit.varying_of_project().map(|(_, one)| one).filter(is_own) {
        let names = one.names[..one.declared].iter().copied();
        match one.kind {
            DeclKind::Variable | DeclKind::Enum | DeclKind::Alias | DeclKind::Class => {
                found.values.extend(names)
            }
            DeclKind::Function if returns(one) => found.functions.extend(names),
            _ => {}
        }
    }
    found
}

/// Whether the body of a function may hand a value to the device that one of these constants decides, or return it to who
/// does, as far as its own tokens tell. `may_vary`: whether the token at an index, which has the name of a constant, may mean
/// a varying one.
pub fn may_hand_on(body: &[PpToken], constants: &HostConstants, may_vary: impl Fn(usize) -> bool) -> bool {
    let tokens: Vec<&PpToken> = body.iter().collect();
    let locals = Locals::of(&tokens);
    // As [`Finder::operands`] takes them.
    let is_constant = |index: usize| {
        let name = tokens[index].text;
        let is_called = || {
            let next = tokens.get(index + 1).map(|next| next.text);
            matches!(next, Some(sym::LPAREN | sym::LESS))
        };
        constants.functions.contains(&name) && is_called()
            || constants.values.contains(&name) && may_vary(index) && !locals.is_declared_before(index, name)
    };
    let mut followed = Followed::default();
    let used = uses(&locals).into_iter().map(|(range, _)| range);
    used.chain(returned(&tokens)).any(|range| mentions(&locals, range, DEPTH, &is_constant, &mut followed))
}

fn mentions(
    locals: &Locals<'_, '_>,
    range: Range<usize>,
    depth: usize,
    is_constant: &impl Fn(usize) -> bool,
    followed: &mut Followed,
) -> bool {
    range.clone().any(|index| {
        is_constant(index)
            || locals.tokens[index].kind == TokenKind::Identifier
                && depth > 0
                && locals.values_of(&range, index).into_iter().any(|value| {
                    followed.is_new(locals.tokens[value.start], &value, depth)
                        && mentions(locals, value, depth - 1, is_constant, followed)
                })
    })
}

/// The values that were followed, by their first token and their length, with how much deeper they were: following one again,
/// as each mention of a variable that is assigned to in a hundred places would, gives nothing new.
#[derive(Default)]
struct Followed(FxHashMap<(*const PpToken, usize), usize>);

impl Followed {
    fn is_new(&mut self, first: &PpToken, value: &Range<usize>, depth: usize) -> bool {
        let known = self.0.entry((std::ptr::from_ref(first), value.len())).or_default();
        let is_new = *known < depth;
        *known = depth.max(*known);
        is_new
    }
}

struct Finder<'f, 'u> {
    unit: &'f IndexedUnit<'u>,
    views: &'f [(PassSet, View<'u>)],
    compared: PassSet,
    declaration: &'f TopDeclaration,
}

/// A name with a value by pass.
struct Named {
    name: Symbol,
    at: Span,
    cases: Vec<(PassSet, String)>,
    on_device: Option<Span>,
    cause: Option<Cause>,
}

impl Finder<'_, '_> {
    fn declaration(&self, facts: &mut Vec<HostValueFact>) {
        let pp = self.unit.pp;
        let tokens = pp.tokens()[self.declaration.tokens.clone()].iter();
        let tokens: Vec<&PpToken> = tokens.filter(|token| token.passes.meets(PassSet::HOST)).collect();
        let locals = Locals::of(&tokens);
        let uses = uses(&locals);
        if uses.is_empty() {
            return;
        }
        let bodies = Bodies::of(&tokens);
        let mut seen: FxHashSet<(Span, Symbol)> = FxHashSet::default();
        // What one use names is not asked again of the next one in the function; of arguments less is taken.
        let mut followed: FxHashMap<(Span, bool), Followed> = FxHashMap::default();
        for (range, used) in uses {
            if pp.system.contains(&tokens[range.start].at.file) {
                continue;
            }
            let Some(function) = bodies.host_function(self.unit, self.declaration, range.start) else {
                continue;
            };
            let followed = followed.entry((function.at, used == HostUse::Argument)).or_default();
            let mut found: Vec<Named> = Vec::new();
            self.operands(&locals, range.clone(), DEPTH, followed, &mut found);
            // A kernel takes whatever it is given, unless it has its own idea of it.
            found.retain(|named| used != HostUse::Argument || named.on_device.is_some());
            for named in found.into_iter().filter(|named| seen.insert((function.at, named.name))) {
                facts.push(HostValueFact {
                    name: named.name.to_string(),
                    at: named.at,
                    function: spelled_name(&tokens[..range.start], function),
                    used,
                    site: tokens[range.start].at,
                    cases: named.cases,
                    on_device: named.on_device,
                    cause: named.cause,
                });
            }
        }
    }

    /// The names in a range of the host's tokens whose values differ, and those in the initializers of local variables.
    fn operands(
        &self,
        locals: &Locals<'_, '_>,
        range: Range<usize>,
        depth: usize,
        followed: &mut Followed,
        found: &mut Vec<Named>,
    ) {
        let tokens = locals.tokens;
        for index in range.clone() {
            let token = tokens[index];
            if token.expansion.is_some() {
                found.extend(self.of_macro(token));
            }
            let before = index.checked_sub(1).map(|before| tokens[before].text);
            if token.kind != TokenKind::Identifier || matches!(before, Some(sym::DOT | sym::ARROW)) {
                continue;
            }
            if before == Some(sym::SCOPE) {
                self.of_call(tokens, index, depth, found);
                continue;
            }
            if locals.is_declared_before(index, token.text) {
                let values = if depth > 0 { locals.values_of(&range, index) } else { Vec::new() };
                for value in values {
                    if followed.is_new(tokens[value.start], &value, depth) {
                        self.operands(locals, value, depth - 1, followed, found);
                    }
                }
            } else if let Some(named) = self.of_name(locals, index, range.end) {
                found.push(named);
            } else {
                self.of_call(tokens, index, depth, found);
            }
        }
    }

    /// The macro that a token comes from, if device passes have another text in its place.
    fn of_macro(&self, token: &PpToken) -> Option<Named> {
        let pp = self.unit.pp;
        let devices = self.compared.minus(PassSet::HOST);
        if token.passes.contains(devices) {
            return None;
        }
        let mut outermost = token.expansion?;
        while let Some(parent) = pp.expansion(outermost).parent {
            outermost = parent;
        }
        let name = pp.definition(pp.expansion(outermost).definition).name;
        let mut values: BTreeMap<i128, PassSet> = BTreeMap::new();
        for (class, view) in self.views {
            let tokens = pp.tokens()[self.declaration.tokens.clone()].iter();
            let own = tokens.filter(|one| one.at == token.at && one.passes.has(view.pass)).copied();
            let value = constant(view, self.declaration.scope, &own.collect::<Vec<_>>())?.int()?;
            let known = values.entry(value).or_default();
            *known = known.or(*class);
        }
        if values.len() < 2 {
            return None;
        }
        Some(Named {
            name,
            at: token.at,
            cases: values.into_iter().map(|(value, passes)| (passes, value.to_string())).collect(),
            on_device: self.on_device(name),
            cause: cause::of_token(self.unit, token, self.compared),
        })
    }

    /// The constant, or the size of the type, at an index, if it has another value in some device pass.
    fn of_name(&self, locals: &Locals<'_, '_>, index: usize, end: usize) -> Option<Named> {
        let (unit, tokens) = (self.unit, locals.tokens);
        let is_size = tokens[index].text == sym::SIZEOF;
        let last = if is_size { closed(tokens, index + 1, end)? } else { path_end(tokens, index, end) };
        let written = &tokens[index..last];
        let varies = |token: &&&PpToken| {
            let tops = unit.declaring_untracked(token.text);
            token.kind == TokenKind::Identifier
                && tops.iter().any(|top| unit.variance.declarations[*top].varies.any())
        };
        let name = written.iter().find(varies)?;
        let is_local = |token: &&PpToken| {
            token.kind == TokenKind::Identifier && locals.is_declared_before(index, token.text)
        };
        if written.iter().any(is_local) {
            return None;
        }
        let written: Vec<PpToken> = written.iter().map(|token| **token).collect();
        let mut values: BTreeMap<i128, PassSet> = BTreeMap::new();
        for (class, view) in self.views {
            let value = constant(view, self.declaration.scope, &written)?.int()?;
            let known = values.entry(value).or_default();
            *known = known.or(*class);
        }
        if values.len() < 2 {
            return None;
        }
        let tops = unit.declaring_untracked(name.text).to_vec();
        let suffix = if is_size { " bytes" } else { "" };
        Some(Named {
            name: Symbol::intern(&spelled(written.iter())),
            at: tokens[index].at,
            cases: values.into_iter().map(|(value, passes)| (passes, format!("{value}{suffix}"))).collect(),
            on_device: self.on_device(name.text),
            cause: cause::of_declarations(unit, &tops, self.compared),
        })
    }

    /// What a function returns that is called at an index, if the passes have different values of it: the names in it whose
    /// values differ, or else the function itself.
    fn of_call(&self, tokens: &[&PpToken], index: usize, depth: usize, found: &mut Vec<Named>) {
        let token = tokens[index];
        let is_call = tokens.get(index + 1).is_some_and(|next| next.text == sym::LPAREN);
        let host = PassSet::HOST.lowest().expect("the host is a pass");
        if !is_call || depth == 0 {
            return;
        }
        let Some(called) = Returned::of(self.unit, token.text, host) else { return };
        let known = found.len();
        let finder = Finder { declaration: called.declaration, ..*self };
        let (locals, mut followed) = (Locals::of(&called.tokens), Followed::default());
        finder.operands(&locals, called.value.clone(), depth - 1, &mut followed, found);
        if found.len() == known {
            found.extend(self.of_returned(token, &called));
        }
    }

    /// A function whose own text gives each pass another value to return.
    fn of_returned(&self, token: &PpToken, host: &Returned<'_>) -> Option<Named> {
        let mut values: BTreeMap<i128, PassSet> = BTreeMap::new();
        for (class, view) in self.views {
            let called = Returned::of(self.unit, token.text, view.pass)?;
            let written: Vec<PpToken> = called.tokens[called.value].iter().map(|token| **token).collect();
            let value = constant(view, called.declaration.scope, &written)?.int()?;
            let known = values.entry(value).or_default();
            *known = known.or(*class);
        }
        if values.len() < 2 {
            return None;
        }
        let tops = self.unit.declaring_untracked(token.text).to_vec();
        let differing = host.tokens[host.value.clone()].first()?;
        Some(Named {
            name: token.text,
            at: token.at,
            cases: values.into_iter().map(|(value, passes)| (passes, value.to_string())).collect(),
            on_device: self.on_device(token.text),
            cause: cause::of_token(self.unit, differing, self.compared)
                .or_else(|| cause::of_declarations(self.unit, &tops, self.compared)),
        })
    }

    /// The first mention of a name in another function that some device pass compiles.
    fn on_device(&self, name: Symbol) -> Option<Span> {
        let pp = self.unit.pp;
        let devices = self.compared.minus(PassSet::HOST);
        let of_name = |token: &&PpToken| {
            let from = token.expansion.map(|id| pp.definition(pp.expansion(id).definition).name);
            token.passes.meets(devices) && (token.text == name || from == Some(name))
        };
        let mut declarations = self.unit.variance.declarations.iter().filter(|one| {
            let tokens = &pp.tokens()[one.tokens.clone()];
            matches!(one.kind, DeclKind::Function | DeclKind::Class | DeclKind::Variable)
                && one.names.first() != Some(&name)
                && tokens.first().is_some_and(|token| !pp.system.contains(&token.at.file))
                && tokens.iter().any(may_be_device)
        });
        declarations
            .find_map(|one| pp.tokens()[one.tokens.clone()].iter().find(of_name))
            .map(|token| token.at)
    }
}

/// Whether some token of a declaration can begin what [`uses`] finds.
fn tells_devices(unit: &IndexedUnit<'_>, top: usize) -> bool {
    let begins = |token: &PpToken| {
        let calls = || {
            let name = token.text.as_str();
            let mut launches = LAUNCHES.iter().map(|(start, ..)| start);
            MEMORY.iter().any(|start| name.starts_with(start))
                || launches.any(|start| name.starts_with(start))
        };
        token.text == sym::SHL || token.kind == TokenKind::Identifier && calls()
    };
    let find = || unit.written_tokens(top).any(begins);
    unit.token_facts().on_demand(top).tells_devices.get(top, find)
}

/// The configurations and arguments of launches, the conditions of loops round them, and the arguments of calls about device
/// memory, among the tokens of one pass.
fn uses(locals: &Locals<'_, '_>) -> Vec<(Range<usize>, HostUse)> {
    let tokens = locals.tokens;
    let mut found = Vec::new();
    let mut loops: Vec<(Range<usize>, usize)> = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        // The lexer knows no `<<<`.
        if pair[0].text == sym::SHL && pair[1].text == sym::LESS && !pair[1].space_before {
            let rest = tokens[index + 2..].windows(2);
            let closes = |pair: &[&PpToken]| {
                pair[0].text == sym::SHR && pair[1].text == sym::GREATER && !pair[1].space_before
            };
            if let Some(length) = rest.take(256).position(closes) {
                let (end, behind) = (index + 2 + length, index + 2 + length + 2);
                found.push((index + 2..end, HostUse::Launch));
                let around = loops.iter().filter(|(_, last)| *last > index);
                found.extend(around.map(|(condition, _)| (condition.clone(), HostUse::Loop)));
                if tokens.get(behind).is_some_and(|token| token.text == sym::LPAREN)
                    && let Some(last) = closed(tokens, behind, tokens.len())
                {
                    found.push((behind + 1..last - 1, HostUse::Argument));
                }
            }
        }
        if matches!(pair[0].text, sym::FOR | sym::WHILE) && pair[1].text == sym::LPAREN {
            loops.extend(loop_of(tokens, index));
        }
        if pair[1].text == sym::LPAREN
            && MEMORY.iter().any(|start| pair[0].text.as_str().starts_with(start))
            && let Some(end) = closed(tokens, index + 1, tokens.len())
        {
            found.push((index + 2..end - 1, HostUse::Memory));
        }
        if pair[1].text == sym::LPAREN
            && let Some((_, kernel, array, used)) =
                LAUNCHES.iter().find(|(start, ..)| pair[0].text.as_str().starts_with(start))
            && let Some(end) = closed(tokens, index + 1, tokens.len())
        {
            let arguments = arguments(tokens, index + 2..end - 1);
            found.extend(around_kernel(&arguments, *kernel, *used));
            let pointers = array.and_then(|array| arguments.get(array));
            let elements = pointers.into_iter().flat_map(|at| elements(locals, at.clone()));
            found.extend(elements.map(|element| (element, HostUse::Argument)));
        }
    }
    found
}

/// The arguments of a call, of which the range has all.
fn arguments(tokens: &[&PpToken], all: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (all.start, all.start);
    while at < all.end {
        let bracketed = match tokens[at].text {
            sym::LPAREN => closed(tokens, at, all.end),
            sym::LBRACE => paired(tokens, at, sym::LBRACE, sym::RBRACE),
            sym::LBRACKET => paired(tokens, at, sym::LBRACKET, sym::RBRACKET),
            sym::LESS => angle_end(tokens, at, all.end),
            _ => None,
        };
        if tokens[at].text == sym::COMMA {
            found.push(start..at);
            start = at + 1;
        }
        at = bracketed.unwrap_or(at + 1);
    }
    found.push(start..all.end);
    found
}

/// The arguments of a call before the kernel and those behind it, which are the kernel's own where the configuration stands
/// before it.
fn around_kernel(arguments: &[Range<usize>], kernel: usize, used: HostUse) -> Vec<(Range<usize>, HostUse)> {
    let behind = if used == HostUse::Launch && kernel > 0 { HostUse::Argument } else { used };
    let parts = [(arguments.get(..kernel), used), (arguments.get(kernel + 1..), behind)];
    let whole = |(part, used): (Option<&[Range<usize>]>, HostUse)| {
        let part = part?;
        Some((part.first()?.start..part.last()?.end, used))
    };
    parts.into_iter().filter_map(whole).filter(|(part, _)| !part.is_empty()).collect()
}

/// What a local array has that an argument names: its initializer, and what is assigned to its elements before the call.
fn elements(locals: &Locals<'_, '_>, argument: Range<usize>) -> Vec<Range<usize>> {
    let before = &locals.tokens[..argument.start];
    let array = locals.tokens[argument].iter().find_map(|token| {
        let open = locals.array(before.len(), token.text)?;
        Some((token.text, paired(before, open, sym::LBRACKET, sym::RBRACKET)?))
    });
    let Some((name, behind)) = array else { return Vec::new() };
    let statement = |from: usize| {
        let length = before[from..].iter().position(|token| token.text == sym::SEMI)?;
        Some(from..from + length)
    };
    let assigned = locals.places(name, behind..before.len()).filter_map(|at| {
        let is_element = before.get(at + 1).is_some_and(|next| next.text == sym::LBRACKET);
        let end = is_element.then(|| paired(before, at + 1, sym::LBRACKET, sym::RBRACKET)).flatten()?;
        let is_assigned = before.get(end).is_some_and(|token| token.text == sym::ASSIGN);
        is_assigned.then(|| statement(end + 1)).flatten()
    });
    statement(behind).into_iter().chain(assigned).filter(|range| !range.is_empty()).collect()
}

/// The condition of the loop that begins at an index, and one past its last token.
fn loop_of(tokens: &[&PpToken], index: usize) -> Option<(Range<usize>, usize)> {
    let end = closed(tokens, index + 1, tokens.len())?;
    let mut parts = (index + 2..end).filter(|at| tokens[*at].text == sym::SEMI);
    let condition = match tokens[index].text {
        sym::FOR => parts.next()? + 1..parts.next()?,
        _ => index + 2..end - 1,
    };
    let last = match tokens.get(end)?.text {
        sym::LBRACE => paired(tokens, end, sym::LBRACE, sym::RBRACE)?,
        _ => end + tokens[end..].iter().position(|token| token.text == sym::SEMI)?,
    };
    Some((condition, last))
}

/// One past the parenthesis that closes the one at an index.
fn closed(tokens: &[&PpToken], open: usize, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().take(end).skip(open) {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > open).then_some(index + 1);
        }
    }
    None
}

/// One past the last token of a qualified name that begins at an index, and of the arguments it is called with.
fn path_end(tokens: &[&PpToken], start: usize, end: usize) -> usize {
    let mut last = start + 1;
    while last < end {
        match tokens[last].text {
            sym::SCOPE if last + 1 < end => last += 2,
            sym::LESS => match angle_end(tokens, last, end) {
                Some(next) if tokens.get(next).is_some_and(|token| token.text == sym::SCOPE) => last = next,
                _ => break,
            },
            sym::LPAREN => return closed(tokens, last, end).unwrap_or(last),
            _ => break,
        }
    }
    last
}

/// Prints for `dump`. A value that host code hands to the device: the passes with each value.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &HostValueFact) {
    let title = format!("host value {} in {}: {}", fact.name, fact.function, fact.used);
    to.paragraph(&title, fact.at, fact.cases.clone(), fact.cause.as_ref());
}
