//! Names of which every definition leads to a kernel template.
//!
//! In: the tokens of definitions. Out: the kernel template that a mention surely leads to, if it does. The
//! [name graph](crate::facts::index::name_graph) errs towards edges: `T::size()` leads wherever some member `size` does,
//! which is what a search needs that must not miss anything. A finding needs the opposite: here a name leads only if each
//! function, class, alias and variable of that name does, whichever the mention means.

use std::cell::OnceCell;
use std::iter;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::locals::NO_TYPES;
use crate::facts::index::function_tokens::{FunctionTokens, UsedBy};
use crate::facts::index::functions::functions;
use crate::facts::index::leading_names::LeadingNames;
use crate::facts::index::tokens::is_plain_member;
use crate::facts::index::unit::IndexedUnit;

/// How many tokens of a qualifier's template arguments are skipped.
const QUALIFIER_TOKENS: usize = 200;

/// The names of which every definition leads to a kernel template, found as they are asked for.
pub(super) struct LeadingDefinitions<'w> {
    unit: &'w IndexedUnit<'w>,
    /// The names that may lead to the kernel templates in question: no others do.
    relevant: &'w LeadingNames,
    kernels: &'w FxHashSet<Symbol>,
    /// The classes that define member functions, by the names of these; found when they are first asked for.
    definers: OnceCell<FxHashMap<Symbol, Vec<usize>>>,
    /// The definitions of each name that was asked for: the relevant names that each mentions.
    definitions: FxHashMap<Symbol, Vec<Vec<Symbol>>>,
    /// The names that lead, kernel templates aside.
    leading: FxHashSet<Symbol>,
}

/// Whether a mention leads to a kernel template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leads {
    /// Each definition that it may mean does: the first kernel template by name.
    To(Symbol),
    /// Some definition may, and some may not.
    Perhaps,
    /// No definition that it may mean does.
    Nowhere,
}

impl<'w> LeadingDefinitions<'w> {
    /// No name was asked for yet.
    pub(super) fn new(
        unit: &'w IndexedUnit<'w>,
        relevant: &'w LeadingNames,
        kernels: &'w FxHashSet<Symbol>,
    ) -> LeadingDefinitions<'w> {
        LeadingDefinitions {
            unit,
            relevant,
            kernels,
            definers: OnceCell::new(),
            definitions: FxHashMap::default(),
            leading: FxHashSet::default(),
        }
    }

    /// Whether the name at a token leads to a kernel template. Of a name that is qualified with a class's only the definitions
    /// of that class's members count.
    pub(super) fn behind(&mut self, token: usize) -> Leads {
        let tokens = self.unit.pp.tokens();
        let name = tokens[token].text;
        if !may_mean_relevant(self.relevant, tokens, token) {
            return Leads::Perhaps;
        }
        let members = self.members_of_qualifier(token);
        let first = match &members {
            Some(definitions) => definitions.iter().flatten().copied().collect(),
            None => vec![name],
        };
        let around = self.read(first.clone());
        self.find_leading(&around);
        if members.is_some_and(|definitions| !self.all_lead(&definitions)) {
            return Leads::Perhaps;
        }
        let mut known: FxHashSet<Symbol> = first.iter().copied().collect();
        let mut reached = first;
        while let Some(name) = reached.pop() {
            if self.kernels.contains(&name) || !self.leads(name) {
                continue;
            }
            let mentioned = self.definitions[&name].iter().flatten().copied();
            reached.extend(mentioned.filter(|name| known.insert(*name)));
        }
        let kernels = known.into_iter().filter(|name| self.kernels.contains(name));
        kernels.min_by_key(|kernel| kernel.as_str()).map_or(Leads::Perhaps, Leads::To)
    }

    /// Whether some definition of a name that was asked for leads to a kernel template.
    pub(super) fn may_lead(&self, name: Symbol) -> bool {
        self.definitions.get(&name).is_some_and(|all| all.iter().any(|one| self.mentions_leading(one)))
    }

    /// The definitions of the name at a token, if it is qualified with the name of a class that the program declares and that
    /// defines such a member.
    fn members_of_qualifier(&self, token: usize) -> Option<Vec<Vec<Symbol>>> {
        let tokens = self.unit.pp.tokens();
        let class = class_qualifier(tokens, token)?;
        let name = tokens[token].text;
        let defines = |top: &usize| {
            let declaration = &self.unit.variance.declarations[*top];
            let (declared, qualifiers) = declaration.names.split_at(declaration.declared);
            match declaration.kind {
                DeclKind::Class => {
                    let members = self.unit.token_facts().class(*top);
                    declared.contains(&class)
                        && members.is_some_and(|class| class.defined_members().any(|one| one == name))
                }
                _ => declared.contains(&name) && qualifiers.first() == Some(&class),
            }
        };
        let tops: Vec<usize> = self.defining(name).into_iter().filter(defines).collect();
        let found = definitions(self.unit, self.relevant, &tops, name);
        (!found.is_empty()).then_some(found)
    }

    /// Whether each of some definitions mentions a name that leads.
    fn all_lead(&self, definitions: &[Vec<Symbol>]) -> bool {
        definitions.iter().all(|mentioned| self.mentions_leading(mentioned))
    }

    fn mentions_leading(&self, mentioned: &[Symbol]) -> bool {
        mentioned.iter().any(|name| self.leads(*name))
    }

    fn leads(&self, name: Symbol) -> bool {
        self.kernels.contains(&name) || self.leading.contains(&name)
    }

    /// Reads the definitions of names and of all names that these mention, and tells which names these are.
    fn read(&mut self, mut worklist: Vec<Symbol>) -> Vec<Symbol> {
        let mut known: FxHashSet<Symbol> = FxHashSet::default();
        let mut names = Vec::new();
        while let Some(name) = worklist.pop() {
            if self.kernels.contains(&name) || !known.insert(name) {
                continue;
            }
            names.push(name);
            if !self.definitions.contains_key(&name) {
                let found = definitions(self.unit, self.relevant, &self.defining(name), name);
                self.definitions.insert(name, found);
            }
            worklist.extend(self.definitions[&name].iter().flatten());
        }
        names
    }

    /// The declarations that may define a name, at namespace scope or as a member.
    fn defining(&self, name: Symbol) -> Vec<usize> {
        let unit = self.unit;
        let find_definers = || {
            let mut definers: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
            for top in 0..unit.variance.declarations.len() {
                let members =
                    unit.token_facts().class(top).into_iter().flat_map(|class| class.defined_members());
                members.for_each(|name| definers.entry(name).or_default().push(top));
            }
            definers
        };
        let members = self.definers.get_or_init(find_definers).get(&name).into_iter().flatten();
        let mut tops: Vec<usize> = unit.declaring_untracked(name).iter().chain(members).copied().collect();
        tops.sort_unstable();
        tops.dedup();
        tops
    }

    /// Adds the leading ones among names, until none is left.
    fn find_leading(&mut self, names: &[Symbol]) {
        loop {
            let is_new = |name: &&Symbol| {
                let definitions = &self.definitions[*name];
                !self.leading.contains(*name) && !definitions.is_empty() && self.all_lead(definitions)
            };
            let found: Vec<Symbol> = names.iter().filter(is_new).copied().collect();
            if found.is_empty() {
                return;
            }
            self.leading.extend(found);
        }
    }
}

/// The definitions of a name that the host has, of those in the declarations `tops`: for each the relevant names that it
/// mentions where a use of it instantiates them.
fn definitions(
    unit: &IndexedUnit<'_>,
    relevant: &LeadingNames,
    tops: &[usize],
    name: Symbol,
) -> Vec<Vec<Symbol>> {
    let tokens = unit.pp.tokens();
    let (mut of_program, mut of_system_headers) = (Vec::new(), Vec::new());
    // What constructors mention that are defined outside of their classes.
    let mut constructors = Vec::new();
    for top in tops.iter().copied() {
        let declaration = &unit.variance.declarations[top];
        if !declaration.passes.meets(PassSet::HOST) {
            continue;
        }
        let of_system = unit.token_facts().is_of_system(top);
        let found = if of_system { &mut of_system_headers } else { &mut of_program };
        let mentioned = |at: &mut dyn Iterator<Item = usize>| -> Vec<Symbol> {
            let locals = unit.locals(top);
            let is_mention = |at: &usize| {
                let token = &tokens[*at];
                token.kind == TokenKind::Identifier
                    && token.passes.meets(PassSet::HOST)
                    && token.text != name
                    && (!of_system || relevant.in_system.contains(&token.text))
                    && may_mean_relevant(relevant, tokens, *at)
                    && !is_plain_member(tokens, *at)
                    && locals.binary_search(at).is_err()
            };
            at.filter(is_mention).map(|at| tokens[at].text).collect()
        };
        let functions = functions(unit, top);
        for function in functions.iter() {
            let mentioned_in_body = || mentioned(&mut function.body.clone());
            match &function.used_by {
                // What the host calls and GPUs may call, too, launches nothing. What GPUs alone run does not count.
                UsedBy::Name(own) if *own == name && function.is_of_host_alone(tokens) => {
                    found.push((DeclKind::Function, mentioned_in_body()));
                }
                UsedBy::Name(own) if *own == name && function.has(tokens, sym::HOST) => {
                    found.push((DeclKind::Function, Vec::new()));
                }
                UsedBy::Class(names) if declaration.kind == DeclKind::Function && names.contains(&name) => {
                    constructors.extend(mentioned_in_body());
                }
                _ => {}
            }
        }
        if !declaration.names[..declaration.declared].contains(&name) {
            continue;
        }
        match declaration.kind {
            DeclKind::Alias | DeclKind::Variable => {
                found.push((declaration.kind, mentioned(&mut declaration.tokens.clone())));
            }
            // Its member functions are used by their own names, but for those that no use has to spell.
            DeclKind::Class => {
                let is_named = |one: &&FunctionTokens| matches!(one.used_by, UsedBy::Name(_));
                let named: Vec<&FunctionTokens> = functions.iter().filter(is_named).collect();
                let within = |at: &usize| named.iter().any(|one| (one.head.start..one.body.end).contains(at));
                let mut own = declaration.tokens.clone().filter(|at| !within(at));
                found.push((DeclKind::Class, mentioned(&mut own)));
            }
            _ => {}
        }
    }
    // What is not qualified with `std` seldom means what system headers declare, where the program declares the name.
    let found = if of_program.is_empty() { of_system_headers } else { of_program };
    let with_constructors = |(kind, mut mentioned): (DeclKind, Vec<Symbol>)| {
        if kind == DeclKind::Class {
            mentioned.extend_from_slice(&constructors);
        }
        mentioned
    };
    found.into_iter().map(with_constructors).collect()
}

/// Whether a name may mean something that leads: what is qualified with `std` is declared by system headers.
fn may_mean_relevant(relevant: &LeadingNames, tokens: &[PpToken], at: usize) -> bool {
    let names = if is_within_std(tokens, at) { &*relevant.in_system } else { &relevant.anywhere };
    names.contains(&tokens[at].text)
}

/// Whether a name is qualified with `std`, as in `std::max`, `std::chrono::seconds` and `cuda::std::max`.
fn is_within_std(tokens: &[PpToken], at: usize) -> bool {
    qualifiers(tokens, at).any(|name| name.as_str() == "std")
}

/// The last name that a name is qualified with, behind which template arguments may stand: `Class` in `Class<T>::member` and
/// in `Class<T>::template member`.
fn class_qualifier(tokens: &[PpToken], at: usize) -> Option<Symbol> {
    let text = |at: usize| tokens[at].text;
    let before = at.checked_sub(1)?;
    let scope = if text(before) == sym::TEMPLATE { before.checked_sub(1)? } else { before };
    let mut name = if text(scope) == sym::SCOPE { scope.checked_sub(1)? } else { return None };
    let (mut depth, mut parentheses) = (0_i32, 0_i32);
    for _ in 0..QUALIFIER_TOKENS {
        match text(name) {
            sym::RPAREN if depth > 0 => parentheses += 1,
            sym::LPAREN if depth > 0 => parentheses -= 1,
            _ if parentheses > 0 => {}
            sym::GREATER => depth += 1,
            sym::SHR => depth += 2,
            sym::LESS if depth > 0 => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
        name = name.checked_sub(1)?;
    }
    (tokens[name].kind == TokenKind::Identifier).then_some(text(name))
}

/// The names that a name is qualified with, the last first, up to one that has template arguments.
pub(super) fn qualifiers(tokens: &[PpToken], at: usize) -> impl Iterator<Item = Symbol> {
    let before = move |at: usize| {
        let name = at.checked_sub(2)?;
        let is_name =
            tokens[name].kind == TokenKind::Identifier && !NO_TYPES.contains(&tokens[name].text.as_str());
        (tokens[at - 1].text == sym::SCOPE && is_name).then_some(name)
    };
    iter::successors(before(at), move |at| before(*at)).map(|at| tokens[at].text)
}
