//! Calls of CUB and Thrust whose headers were not found: templates that launch kernels of their own.
//!
//! In: the tokens of functions that the host compiles. Out: a [`BlindSpot`] for each such call. Which kernels it
//! instantiates is not known; a guard around it, or a name in its template arguments, may make that differ.

use rustc_hash::FxHashMap;

use crate::facts::index::function_tokens::FunctionTokens;
use crate::facts::index::functions::functions;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{BlindSpot, BlindSpotCause};
use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::libraries::{LIBRARIES, Library};
use super::mentions::written;
use super::undeclared::{SamePasses, blind_spot, declares, is_declared};

/// Thrust's execution policies and back ends that launch no kernel.
const ON_THE_HOST: [&str; 5] = ["cpp", "host", "omp", "seq", "tbb"];

/// What a project calls the libraries, if some header was not found.
pub(in crate::facts) struct Libraries(Vec<Spelling>);

/// What a project calls a library.
struct Spelling {
    library: &'static Library,
    /// The library's namespace and its aliases.
    namespaces: Vec<Symbol>,
    /// The project has a using-directive or a using-declaration for it, so that names of it stand alone.
    is_shortened: bool,
}

impl Libraries {
    /// How the project's declarations spell them.
    pub(in crate::facts) fn of(unit: &IndexedUnit<'_>) -> Libraries {
        if unit.pp.missing.is_empty() {
            return Libraries(Vec::new());
        }
        let of_library = |library: &'static Library| Spelling {
            library,
            namespaces: vec![Symbol::intern(library.namespace)],
            is_shortened: false,
        };
        let mut spellings: Vec<Spelling> = LIBRARIES.iter().map(of_library).collect();
        let tokens = unit.pp.tokens();
        let all = unit.variance.declarations.iter().enumerate();
        let own = all.filter(|(top, _)| !unit.token_facts().is_of_system(*top));
        for at in own.flat_map(|(_, one)| one.tokens.clone()) {
            let names = |spelling: &&mut Spelling| spelling.namespaces[0] == tokens[at].text;
            let Some(spelling) = spellings.iter_mut().find(names) else { continue };
            let text =
                |index: Option<usize>| index.and_then(|at| tokens.get(at)).map_or(sym::EMPTY, |one| one.text);
            let start = if text(at.checked_sub(1)) == sym::SCOPE { at - 1 } else { at };
            let before = |count: usize| text(start.checked_sub(count));
            spelling.is_shortened |=
                before(1) == sym::USING || before(1) == sym::NAMESPACE && before(2) == sym::USING;
            let is_alias = before(1) == sym::ASSIGN && before(3) == sym::NAMESPACE;
            if is_alias && text(Some(at + 1)) == sym::SEMI {
                spelling.namespaces.push(before(2));
            }
        }
        Libraries(spellings)
    }

    /// The words by which calls of theirs are found.
    pub(in crate::facts) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.0.iter().flat_map(|spelling| spelling.namespaces.iter().copied())
    }

    /// Whether calls of theirs may have any names: then the facts depend on every body.
    pub(in crate::facts) fn may_have_any_name(&self) -> bool {
        self.0.iter().any(|spelling| spelling.is_shortened)
    }
}

/// The calls of the libraries' functions that no header which was read declares.
pub(in crate::facts) fn undeclared_calls(
    unit: &IndexedUnit<'_>,
    libraries: &Libraries,
    compared: PassSet,
) -> Vec<BlindSpot> {
    let (mut found, mut known) = (Vec::new(), SamePasses::default());
    let mut declared: FxHashMap<Symbol, bool> = FxHashMap::default();
    if libraries.0.is_empty() {
        return found;
    }
    let tokens = unit.pp.tokens();
    // The first name behind the namespace, and the library, of a mention at `at`.
    let first_name = |at: usize| {
        let text = tokens[at].text;
        libraries.0.iter().find_map(|spelling| match spelling.namespaces.contains(&text) {
            true => (tokens.get(at + 1)?.text == sym::SCOPE).then_some((at + 2, spelling.library)),
            false => {
                let is_called = spelling.is_shortened
                    && is_unqualified(tokens, at)
                    && (spelling.library.launches)(text.as_str());
                is_called.then_some((at, spelling.library))
            }
        })
    };
    for (top, declaration) in unit.variance.declarations.iter().enumerate() {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        if !has_bodies || unit.token_facts().is_of_system(top) {
            continue;
        }
        let mentions = declaration.tokens.clone().filter_map(|at| Some((at, first_name(at)?)));
        let mut mentions = mentions.peekable();
        if mentions.peek().is_none() {
            continue;
        }
        let functions = functions(unit, top);
        for (at, (first, library)) in mentions {
            let around = functions.iter().find(|function| function.body.contains(&at));
            let Some(function) = around.filter(|function| is_of_host(function, tokens)) else { continue };
            let name = called(tokens, at, first, library);
            let namespace = Symbol::intern(library.namespace);
            let is_open = first == at || unit.known_namespaces.contains(&namespace);
            // What a class of the library declares is not known if it is declared alone.
            let mut of_project = || {
                let text = tokens[first].text;
                *declared.entry(text).or_insert_with(|| is_declared(unit, text)) || declares(unit, top, text)
            };
            if let Some(name) = name
                && !(is_open && of_project())
            {
                let (around, why) = ((top, &function.body), BlindSpotCause::Undeclared);
                found.push(blind_spot(unit, around, at..=name, compared, why, &mut known));
            }
        }
    }
    found
}

/// No scope and no object stands before the name at `at`.
fn is_unqualified(tokens: &[PpToken], at: usize) -> bool {
    let before = at.checked_sub(1).map_or(sym::EMPTY, |before| tokens[before].text);
    tokens[at].kind == TokenKind::Identifier && !matches!(before, sym::SCOPE | sym::DOT | sym::ARROW)
}

/// The host compiles the function, and may run it.
fn is_of_host(function: &FunctionTokens, tokens: &[PpToken]) -> bool {
    function.is_of_host_alone(tokens) || function.has(tokens, sym::HOST)
}

/// The last name of what is called, or what an object is made of, by a name of a library that begins at `at` and whose first
/// name behind the namespace is at `first`.
fn called(tokens: &[PpToken], at: usize, first: usize, library: &Library) -> Option<usize> {
    let text = |index: usize| tokens.get(index).map_or(sym::EMPTY, |token| token.text);
    let is_name = |index: usize| tokens.get(index).is_some_and(|token| token.kind == TokenKind::Identifier);
    // `other::thrust::sort` is another library's.
    let is_nested = at >= 2 && text(at - 1) == sym::SCOPE && is_name(at - 2);
    let declares_type = at >= 1 && matches!(text(at - 1), sym::TYPEDEF | sym::TYPENAME);
    if is_nested || declares_type || !tokens[at].passes.meets(PassSet::HOST) {
        return None;
    }
    // `thrust::async::sort`
    let is_async = text(first).as_str() == "async" && text(first + 1) == sym::SCOPE;
    let first = if is_async { first + 2 } else { first };
    if !(library.launches)(text(first).as_str()) {
        return None;
    }
    let mut name = first;
    loop {
        let (_, end) = written(tokens, name);
        let is_launch = (name > first) == library.has_members;
        match text(end) {
            sym::LPAREN => return (is_launch && !is_given_the_host(tokens, end + 1)).then_some(name),
            sym::SCOPE if is_name(end + 1) => name = end + 1,
            // `thrust::device_vector<int> object(n);`
            _ => return (is_launch && (text(end) == sym::LBRACE || is_name(end))).then_some(name),
        }
    }
}

/// The argument at `at` is an execution policy of the host: `thrust::seq`, `::thrust::system::omp::par`.
fn is_given_the_host(tokens: &[PpToken], at: usize) -> bool {
    let mut words = tokens[at..].iter().map(|token| token.text.as_str()).skip_while(|word| *word == "::");
    let mut next = || words.next().unwrap_or_default();
    if next() != "thrust" || next() != "::" {
        return false;
    }
    match next() {
        "system" | "detail" => next() == "::" && ON_THE_HOST.contains(&next()),
        word => ON_THE_HOST.contains(&word),
    }
}
