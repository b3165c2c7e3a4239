//! Matches of a project's own queries that do not agree between passes.
//!
//! In: rules, and the declarations of a unit that vary. Out: [`CustomFact`]s, one for each rule and name. A declaration is parsed
//! once for each sequence of tokens that passes have of it. Types and values are resolved in the namespace of the declaration;
//! of local names those of constants are known, whose initializers are put in their place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::cancel::unwind_if_cancelled;
use crate::custom::{AT, Agree, Between, CustomRule, NAME};
use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::syntax::CustomQuery;
use crate::target::PassSet;
use crate::variance::{ScopeId, TopDeclaration};

use super::cause;
use super::constant::{constant, type_of};
use super::dump::Printer;
use super::host_bodies::spelled;
use super::locals::Locals;
use crate::facts::index::tokens::refine;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::lower::custom::{Match, squeezed};
use crate::facts::meaning::view::View;
use crate::facts::model::{Cause, CustomCase, CustomFact, CustomLimit, LookedInto};

/// How many initializers of local constants deep an expression is followed.
const DEPTH: usize = 4;

/// The longest text of a match in a message, in characters.
const LONGEST_SHOWN: usize = 120;

/// What the rules of a project's own find.
#[derive(Debug, Default)]
pub(in crate::facts) struct Found {
    /// The matches that do not agree.
    pub(in crate::facts) facts: Vec<CustomFact>,
    /// The declarations that a query was too much for.
    pub(in crate::facts) limits: Vec<CustomLimit>,
}

/// The matches that do not agree, in the order of the rules and then of the names.
pub(in crate::facts) fn custom(
    rules: &[CustomRule],
    unit: &IndexedUnit<'_>,
    views: &[(PassSet, View<'_>)],
    compared: PassSet,
    looked_into: &mut LookedInto,
) -> Found {
    let mut found = Found::default();
    if rules.is_empty() {
        return found;
    }
    looked_into.any_body |= rules.iter().any(|rule| rule.agree.is_resolved());
    let queries = rules.iter().map(|rule| (rule.query.clone(), unit.memo.query(&rule.query))).collect();
    let mut finder =
        Finder { rules, queries, unit, views, compared, by_rule: Vec::new(), limits: Vec::new() };
    finder.by_rule.resize_with(rules.len(), BTreeMap::new);
    let mut pending: Vec<usize> = (0..unit.variance.declarations.len()).collect();
    pending.retain(|top| {
        let declaration = &unit.variance.declarations[*top];
        declaration.varies.any() && finder.is_own(declaration)
    });
    pending.iter().for_each(|top| finder.declaration(*top));
    // What declares the same names without varying has its part in every pass.
    let mut known: FxHashSet<usize> = pending.into_iter().collect();
    let names: FxHashSet<Symbol> = finder.matching().flat_map(|top| declared(unit, top)).collect();
    let mut others: Vec<usize> =
        names.iter().flat_map(|name| unit.declaring_untracked(*name)).copied().collect();
    others.sort_unstable();
    others.retain(|top| known.insert(*top) && finder.is_own(&unit.variance.declarations[*top]));
    others.iter().for_each(|top| finder.declaration(*top));
    looked_into.custom = known;
    for (rule, matches) in rules.iter().zip(&finder.by_rule) {
        found.facts.extend(matches.iter().filter_map(|(name, all)| finder.compared(rule, name, all)));
    }
    found.limits = finder.limits;
    found
}

/// The names that a declaration declares.
fn declared<'u>(unit: &'u IndexedUnit<'_>, top: usize) -> impl Iterator<Item = Symbol> + use<'u> {
    let declaration = &unit.variance.declarations[top];
    declaration.names[..declaration.declared].iter().copied()
}

/// A match in some passes.
struct Instance {
    passes: PassSet,
    /// What must agree: tokens, or what they mean.
    text: String,
    meant: Option<String>,
    shown: String,
    at: Span,
    /// The declaration parsed without errors.
    sure: bool,
    top: usize,
    /// What was captured.
    tokens: Vec<PpToken>,
}

struct Finder<'f, 'u> {
    rules: &'f [CustomRule],
    queries: Vec<(String, Arc<CustomQuery>)>,
    unit: &'f IndexedUnit<'u>,
    views: &'f [(PassSet, View<'u>)],
    compared: PassSet,
    /// For each rule, its matches by name.
    by_rule: Vec<BTreeMap<String, Vec<Instance>>>,
    limits: Vec<CustomLimit>,
}

impl Finder<'_, '_> {
    /// Whether a declaration is the project's, and there are passes to compare.
    fn is_own(&self, declaration: &TopDeclaration) -> bool {
        let first = self.unit.pp.tokens().get(declaration.tokens.start);
        first.is_some_and(|token| !self.unit.pp.system.contains(&token.at.file))
            && declaration.passes.meets(self.compared)
    }

    /// The declarations that something matched in.
    fn matching(&self) -> impl Iterator<Item = usize> {
        self.by_rule.iter().flat_map(|matches| matches.values().flatten()).map(|one| one.top)
    }

    /// Adds the matches in a declaration.
    fn declaration(&mut self, top: usize) {
        let classes = self.unit.written_classes(top);
        for class in classes.iter() {
            let class = class.and(self.compared);
            unwind_if_cancelled();
            let Some(pass) = class.lowest() else { continue };
            let tokens = self.unit.tokens(top, pass);
            let Some(first) = tokens.first().map(|token| token.at) else { continue };
            let matches = self.unit.memo.custom_matches(&tokens, &self.queries);
            for (index, (rule, own)) in self.rules.iter().zip(&matches.by_query).enumerate() {
                let passes = class.and(among(rule, self.compared));
                if passes.is_empty() {
                    continue;
                }
                match own {
                    Some(own) => own.iter().for_each(|matched| {
                        self.matched(index, (top, passes), (&tokens, matches.sure), matched);
                    }),
                    None => {
                        let limit = CustomLimit { rule: rule.id.clone(), at: first };
                        if !self.limits.contains(&limit) {
                            self.limits.push(limit);
                        }
                    }
                }
            }
        }
    }

    /// Adds a match in some passes to those of a rule.
    fn matched(
        &mut self,
        index: usize,
        (top, passes): (usize, PassSet),
        (all_tokens, sure): (&[PpToken], bool),
        matched: &Match,
    ) {
        let rule = &self.rules[index];
        let Some(first) = matched.captures.first() else { return };
        let named = matched.all(NAME).next();
        let all: Vec<Range<usize>> = match rule.agree.capture() {
            Some(capture) => matched.all(capture).map(|captured| captured.tokens.clone()).collect(),
            None => vec![first.tokens.clone()],
        };
        let all = match all.is_empty() {
            true if rule.agree == Agree::Text => std::iter::once(0..all_tokens.len()).collect(),
            // The pattern that matched does not capture what is compared.
            true => return,
            false => all,
        };
        let captured = all[0].clone();
        let mut tokens: Vec<PpToken> = Vec::new();
        for own in all.iter().map(|range| &all_tokens[range.clone()]) {
            let comma = |last: &PpToken| PpToken {
                text: sym::COMMA,
                kind: TokenKind::Punctuator,
                space_before: false,
                ..*last
            };
            let behind_another = tokens.last().map(comma);
            tokens.extend(behind_another);
            let first = own.first().map(|first| PpToken {
                space_before: first.space_before || behind_another.is_some(),
                ..*first
            });
            tokens.extend(first);
            tokens.extend_from_slice(own.get(1..).unwrap_or_default());
        }
        let name = self.name_of(top, all_tokens, matched);
        let at = matched.all(AT).next().or(named).unwrap_or(first);
        let at = match at.tokens.clone() {
            range if range == captured && !range.is_empty() && named.is_none() => place(&all_tokens[range]),
            _ => at.at,
        };
        let shown = shown(&spelled(tokens.iter()));
        let text = match rule.agree {
            Agree::Presence => String::new(),
            _ => tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" "),
        };
        let instance = |passes: PassSet, meant: Option<String>| Instance {
            passes,
            shown: match (&meant, rule.agree == Agree::Value) {
                (Some(value), true) if *value != shown => format!("{shown} = {value}"),
                _ => shown.clone(),
            },
            meant,
            text: text.clone(),
            at,
            sure,
            top,
            tokens: tokens.clone(),
        };
        let mut instances = Vec::new();
        if rule.agree.is_resolved() {
            let scope = self.unit.variance.declarations[top].scope;
            let before: Vec<&PpToken> = all_tokens[..captured.start].iter().collect();
            let before = Locals::of(&before);
            for (class, view) in self.views {
                let class = class.and(passes);
                if !class.is_empty() {
                    let meant = match rule.agree {
                        Agree::Type => typed(view, scope, &before, &tokens),
                        _ => values(view, scope, &before, &tokens),
                    };
                    instances.push(instance(class, meant));
                }
            }
        } else {
            instances.push(instance(passes, None));
        }
        self.by_rule[index].entry(name).or_default().extend(instances);
    }

    /// The qualified name of what was captured as `@name`; without that capture, of what the match stands in.
    fn name_of(&self, top: usize, tokens: &[PpToken], matched: &Match) -> String {
        let declaration = &self.unit.variance.declarations[top];
        let namespace = self.unit.namespace(declaration.scope);
        let named = matched.all(NAME).next();
        let mut parts = matched.around.clone();
        if parts.is_empty() && named.is_none() {
            parts.extend(declaration.names[..declaration.declared].first().map(Symbol::to_string));
        }
        parts.extend((!namespace.as_str().is_empty()).then(|| namespace.to_string()));
        parts.reverse();
        parts.extend(named.map(|named| squeezed(&spelled(tokens[named.tokens.clone()].iter()))));
        parts.join("::")
    }

    /// The fact, if matches of one name do not agree.
    fn compared(&self, rule: &CustomRule, name: &str, all: &[Instance]) -> Option<CustomFact> {
        let present = all.iter().fold(PassSet::EMPTY, |set, one| set.or(one.passes));
        // Passes without a match are told by rules on presence alone.
        let passes = match rule.agree {
            Agree::Presence => among(rule, self.compared),
            _ => present,
        };
        let resolved = rule.agree.is_resolved() && all.iter().all(|one| one.meant.is_some());
        let key =
            |one: &Instance| if resolved { one.meant.clone().unwrap_or_default() } else { one.text.clone() };
        let mut groups: Vec<(PassSet, Vec<String>, Vec<&Instance>)> = Vec::new();
        for class in refine(passes, all.iter().map(|one| one.passes)) {
            let own: Vec<&Instance> = all.iter().filter(|one| one.passes.contains(class)).collect();
            let mut keys: Vec<String> = own.iter().map(|one| key(one)).collect();
            keys.sort();
            keys.dedup();
            match groups.iter_mut().find(|(_, known, _)| *known == keys) {
                Some((set, ..)) => *set = set.or(class),
                None => groups.push((class, keys, own)),
            }
        }
        // Where one pass has all that another has, and more, an overload or a branch is there or is not.
        let differ = |left: &[String], right: &[String]| {
            let has = |all: &[String], some: &[String]| some.iter().all(|one| all.contains(one));
            rule.agree == Agree::Presence || !has(left, right) && !has(right, left)
        };
        let mut pairs = groups.iter().enumerate();
        let disagree =
            pairs.any(|(at, (_, left, _))| groups[..at].iter().any(|(_, right, _)| differ(left, right)));
        if !disagree {
            return None;
        }
        groups.sort_by_key(|(set, ..)| set.lowest());
        let sure = all.iter().all(|one| one.sure) && (resolved || !rule.agree.is_resolved());
        let cases = groups.iter().map(|(passes, _, own)| {
            let mut shown: Vec<String> = own.iter().map(|one| one.shown.clone()).collect();
            shown.sort();
            shown.dedup();
            CustomCase { passes: *passes, shown, at: own.first().map(|one| one.at) }
        });
        Some(CustomFact {
            rule: rule.id.clone(),
            name: name.to_string(),
            cases: cases.collect(),
            sure,
            cause: self.cause(all, passes),
        })
    }

    /// The conditional behind a difference: round what was captured, round what declares a name in it, or round the declarations.
    fn cause(&self, all: &[Instance], among: PassSet) -> Option<Cause> {
        let unit = self.unit;
        let tokens = || all.iter().flat_map(|one| &one.tokens);
        let around = tokens().find_map(|token| cause::of_place(unit, token.at, among));
        let names = || {
            let names = tokens().filter(|token| token.kind == TokenKind::Identifier);
            let mut tops: Vec<usize> =
                names.flat_map(|token| unit.declaring_untracked(token.text)).copied().collect();
            tops.dedup();
            cause::of_declarations(unit, &tops, among)
        };
        let tops = || {
            let tops: Vec<usize> = all.iter().map(|one| one.top).collect();
            cause::of_declarations(unit, &tops, among)
        };
        around.or_else(names).or_else(tops)
    }
}

/// The passes that a rule compares.
fn among(rule: &CustomRule, compared: PassSet) -> PassSet {
    match rule.between {
        Between::All => compared,
        Between::Devices => compared.minus(PassSet::HOST),
    }
}

fn shown(text: &str) -> String {
    let text = squeezed(text);
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// From the first of some tokens to the last, when they stand in one file in order; else the first.
fn place(tokens: &[PpToken]) -> Span {
    let first = tokens[0].at;
    let in_order = tokens.is_sorted_by(|a, b| a.at.file == b.at.file && a.at.start <= b.at.start);
    let last = tokens.last().filter(|_| in_order).map_or(first, |token| token.at);
    Span { end: last.end.max(first.end), ..first }
}

/// The values of a list of constant expressions in one pass; `None` if one of them is not known.
fn values(view: &View<'_>, scope: ScopeId, before: &Locals<'_, '_>, tokens: &[PpToken]) -> Option<String> {
    let parts = split(tokens);
    let value = |part: Range<usize>| {
        let written = with_constants(before, before.tokens.len(), &tokens[part], DEPTH)?;
        let value = constant(view, scope, &written)?;
        Some(value.int().map_or_else(|| value.text(), |number| number.to_string()))
    };
    let all: Option<Vec<String>> = parts.into_iter().map(value).collect();
    all.map(|all| all.join(", "))
}

/// The parts between commas that are in no brackets.
fn split(tokens: &[PpToken]) -> Vec<Range<usize>> {
    let (mut parts, mut begin, mut depth) = (Vec::new(), 0, 0_i32);
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            sym::LPAREN | sym::LBRACE | sym::LBRACKET => depth += 1,
            sym::RPAREN | sym::RBRACE | sym::RBRACKET => depth -= 1,
            sym::COMMA if depth == 0 => {
                parts.push(begin..index);
                begin = index + 1;
            }
            _ => {}
        }
    }
    parts.push(begin..tokens.len());
    parts
}

/// An expression before an index with the initializers of local constants in their places; `None` if it has another local
/// name.
fn with_constants(
    locals: &Locals<'_, '_>,
    index: usize,
    tokens: &[PpToken],
    depth: usize,
) -> Option<Vec<PpToken>> {
    let before = &locals.tokens[..index];
    let mut written = Vec::with_capacity(tokens.len());
    let mut last = sym::EMPTY;
    for token in tokens {
        let is_member = matches!(last, sym::DOT | sym::ARROW | sym::SCOPE);
        last = token.text;
        if token.kind != TokenKind::Identifier || is_member || !locals.is_declared_before(index, token.text) {
            written.push(*token);
            continue;
        }
        if depth == 0 {
            return None;
        }
        let value = locals.initializer(index, token.text)?;
        let begin = before[..value.start]
            .iter()
            .rposition(|token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE))
            .map_or(0, |at| at + 1);
        let is_constant = before[begin..value.start]
            .iter()
            .any(|token| matches!(token.text.as_str(), "const" | "constexpr"));
        // One declaration of several is left alone: `constexpr int a = 1, b = 2;`.
        let own: Vec<PpToken> = before[value.clone()].iter().map(|token| **token).collect();
        let own = own.strip_prefix(
            own.first().filter(|one| one.text == sym::ASSIGN).map_or(&[][..], std::slice::from_ref),
        )?;
        if !is_constant || split(own).len() != 1 {
            return None;
        }
        let bracket = |text: Symbol| PpToken { text, kind: TokenKind::Punctuator, ..*token };
        written.push(bracket(sym::LPAREN));
        written.extend(with_constants(locals, value.start, own, depth - 1)?);
        written.push(bracket(sym::RPAREN));
    }
    Some(written)
}

/// What a type means in one pass; `None` if a name in it is not known.
fn typed(view: &View<'_>, scope: ScopeId, before: &Locals<'_, '_>, tokens: &[PpToken]) -> Option<String> {
    let end = before.tokens.len();
    let is_local =
        |token: &PpToken| token.kind == TokenKind::Identifier && before.is_declared_before(end, token.text);
    if tokens.iter().any(is_local) {
        return None;
    }
    type_of(view, scope, tokens)
}

/// Prints for `dump`. A custom rule's matches of one name: what each pass has.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &CustomFact) {
    let Some(at) = fact.cases.iter().find_map(|case| case.at) else { return };
    let line = |case: &CustomCase| match case.shown.is_empty() {
        true => (case.passes, "no match".to_string()),
        false => (case.passes, case.shown.join("; ")),
    };
    let title = format!("{} {}", fact.rule, fact.name);
    to.paragraph(&title, at, fact.cases.iter().map(line).collect(), fact.cause.as_ref());
}
