//! Extended lambdas that not every pass has, or that do not capture the same in every pass. nvcc numbers the lambdas of a
//! function and lists their captures in each pass by itself, and joins what the passes made by these numbers and lists (CUDA
//! C++ Programming Guide, "Extended Lambda Restrictions", 13 and 16).
//!
//! In: tokens with presence conditions. Out: [`ClosureFact`]s, one for each function. Nothing is parsed, so it does not matter
//! whether the function that the lambda is given to can be read. Captures of `this` and of packs are not known.

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration, Word, word};

use super::cause::{of_place, of_token};
use super::dump::Printer;
use super::host_bodies::{function_name, has_unexpanded_macro, may_be_macro, spelled_name};
use crate::facts::index::tokens::refine;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{ClosureDifference, ClosureFact};

/// The closures that differ, in the order of the sources.
pub(in crate::facts) fn closures(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<ClosureFact> {
    let mut facts = Vec::new();
    for (top, declaration) in unit.varying_of_project() {
        let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
        let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
        let own = |token: &PpToken| !unit.pp.system.contains(&token.at.file);
        let find = || tokens.windows(2).any(|pair| is_extended(&pair[0], &pair[1]));
        if has_bodies
            && declaration.varies.tokens
            && tokens.first().is_some_and(own)
            && unit.token_facts().on_demand(top).has_closures.get(top, find)
        {
            facts.extend(of_declaration(unit, declaration, compared));
        }
    }
    facts
}

/// Whether two tokens end the introducer of an extended lambda and begin its specifiers, which stand before its parameters:
/// `[=] __device__ (int i) { … }`.
fn is_extended(bracket: &PpToken, specifier: &PpToken) -> bool {
    bracket.text == sym::RBRACKET && matches!(specifier.text, sym::DEVICE | sym::HOST)
}

/// An extended lambda of one class of passes.
struct Closure<'t> {
    /// The `[` that begins it.
    at: Span,
    /// The name of the outermost function around it.
    function: &'t PpToken,
    captures: Captures,
}

/// What a lambda captures.
#[derive(Clone)]
struct Captures {
    /// In the order of the captures.
    names: Vec<Symbol>,
    /// Constants that it mentions, where the tokens leave open whether the mention is one that captures.
    open: Vec<Symbol>,
}

/// The first difference in each function of a declaration.
fn of_declaration(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    compared: PassSet,
) -> Vec<ClosureFact> {
    let all = &unit.pp.tokens()[declaration.tokens.clone()];
    let passes = declaration.passes.and(compared);
    let classes = refine(passes, all.iter().map(|token| token.passes.and(passes)));
    let sides: Vec<(PassSet, Vec<&PpToken>)> = classes
        .into_iter()
        .map(|class| (class, all.iter().filter(|token| token.passes.contains(class)).collect()))
        .collect();
    let found: Vec<(PassSet, Vec<Closure<'_>>)> =
        sides.iter().map(|(class, tokens)| (*class, of_pass(tokens, declaration))).collect();
    let mut seen: FxHashSet<Span> = FxHashSet::default();
    let functions = found.iter().flat_map(|(_, closures)| closures.iter().map(|one| one.function));
    let functions: Vec<&PpToken> = functions.filter(|function| seen.insert(function.at)).collect();
    let of_function = |function: &&PpToken| {
        let has =
            |(_, tokens): &&(PassSet, Vec<&PpToken>)| tokens.iter().any(|token| token.at == function.at);
        let having = sides.iter().filter(has).map(|(class, _)| *class);
        let having: PassSet = having.fold(PassSet::EMPTY, PassSet::or);
        let own = |closures: &'_ [Closure<'_>]| -> Vec<(Span, Captures)> {
            let of_it = closures.iter().filter(|one| one.function.at == function.at);
            of_it.map(|one| (one.at, one.captures.clone())).collect()
        };
        let lists = found.iter().filter(|(class, _)| having.contains(*class));
        let lists: Lists = lists.map(|(class, closures)| (*class, own(closures))).collect();
        let (at, what, cases) = presence(&lists).or_else(|| captures(&lists))?;
        let cause = of_place(unit, at, having).or_else(|| {
            let varying = all.iter().filter(|token| token.passes.and(passes) != passes);
            varying.filter(|token| token.at.start >= at.start).find_map(|token| of_token(unit, token, having))
        });
        let named = sides.iter().find(has).map(|(_, tokens)| spelled_name(tokens, function));
        Some(ClosureFact {
            function: named.unwrap_or_default(),
            declared: function.at,
            at,
            what,
            cases,
            cause,
        })
    };
    functions.iter().filter_map(of_function).collect()
}

/// The extended lambdas of a function, with their captures, for each class of passes.
type Lists = Vec<(PassSet, Vec<(Span, Captures)>)>;

/// The lambda in which passes differ, how, and what each class of passes has.
type Difference = (Span, ClosureDifference, Vec<(PassSet, String)>);

/// The first extended lambda that some passes have and others do not, and whether others have one behind it.
fn presence(lists: &Lists) -> Option<Difference> {
    let longest = lists.iter().max_by_key(|(_, list)| list.len())?;
    let shortest = lists.iter().min_by_key(|(_, list)| list.len())?;
    if longest.1.len() == shortest.1.len() {
        return None;
    }
    let has = |list: &[(Span, Captures)], at: Span| list.iter().any(|(other, _)| *other == at);
    let lacked = longest.1.iter().position(|(at, _)| lists.iter().any(|(_, list)| !has(list, *at)))?;
    let (at, _) = longest.1[lacked];
    let behind = longest.1[lacked + 1..].iter();
    let later = behind.map(|(at, _)| *at).find(|at| lists.iter().all(|(_, list)| has(list, *at)));
    let count = |list: &[(Span, Captures)]| match list.len() {
        0 => "no extended lambda".to_string(),
        1 => "1 extended lambda".to_string(),
        many => format!("{many} extended lambdas"),
    };
    let having = lists.iter().filter(|(_, list)| has(list, at)).map(|(class, _)| *class);
    let having = having.fold(PassSet::EMPTY, PassSet::or);
    let cases = lists.iter().map(|(class, list)| (*class, count(list))).collect();
    Some((at, ClosureDifference::Presence { having, later }, joined(cases)))
}

/// The first extended lambda whose captures differ. A constant of which some pass leaves open whether it is captured says
/// nothing.
fn captures(lists: &Lists) -> Option<Difference> {
    let (_, first) = lists.first()?;
    let told = |list: &[(Span, Captures)], index: usize| -> Vec<Symbol> {
        let is_open = |name: &Symbol| lists.iter().any(|(_, list)| list[index].1.open.contains(name));
        list[index].1.names.iter().copied().filter(|name| !is_open(name)).collect()
    };
    let differs = |index: &usize| lists.iter().any(|(_, list)| told(list, *index) != told(first, *index));
    let index = (0..first.len()).find(differs)?;
    let spelled = |names: Vec<Symbol>| {
        let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        if names.is_empty() {
            "captures nothing".to_string()
        } else {
            format!("captures {}", names.join(", "))
        }
    };
    let cases = lists.iter().map(|(class, list)| (*class, spelled(told(list, index)))).collect();
    Some((first[index].0, ClosureDifference::Captures, joined(cases)))
}

/// Cases with the same text as one.
fn joined(cases: Vec<(PassSet, String)>) -> Vec<(PassSet, String)> {
    let mut all: Vec<(PassSet, String)> = Vec::new();
    for (passes, text) in cases {
        match all.iter_mut().find(|(_, known)| *known == text) {
            Some((known, _)) => *known = known.or(passes),
            None => all.push((passes, text)),
        }
    }
    all
}

/// The extended lambdas among the tokens of one class of passes, of functions that the host runs: in a function that only
/// devices have, a lambda is none. A macro whose header was not found may make the function one of these.
fn of_pass<'t>(tokens: &[&'t PpToken], declaration: &TopDeclaration) -> Vec<Closure<'t>> {
    let mut closures = Vec::new();
    let mut heads: Vec<std::ops::Range<usize>> = Vec::new();
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            sym::LBRACE => {
                heads.push(start..index);
                start = index + 1;
            }
            sym::RBRACE => {
                heads.pop();
                start = index + 1;
            }
            sym::SEMI => start = index + 1,
            sym::RBRACKET if tokens.get(index + 1).is_some_and(|next| is_extended(token, next)) => {
                let is_function =
                    |head: &&std::ops::Range<usize>| function_name(&tokens[(*head).clone()]).is_some();
                let Some(head) = heads.iter().find(is_function) else { continue };
                let own = &tokens[head.clone()];
                let (Some(function), Some(begin)) = (function_name(own), opened(tokens, index)) else {
                    continue;
                };
                let has = |word: Symbol| own.iter().any(|token| token.text == word);
                let may_be_for_devices = !has(sym::HOST)
                    && (own.iter().any(|token| may_be_macro(token))
                        || has_unexpanded_macro(own, declaration));
                if has(sym::GLOBAL) || has(sym::DEVICE) && !has(sym::HOST) || may_be_for_devices {
                    continue;
                }
                let captures = captured(tokens, head.start, head.end, begin, index);
                closures.push(Closure { at: tokens[begin].at, function, captures });
            }
            _ => {}
        }
    }
    closures
}

/// The `[` of the `]` at an index.
fn opened(tokens: &[&PpToken], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (0..=close).rev().find(|index| {
        match tokens[*index].text {
            sym::RBRACKET => depth += 1,
            sym::LBRACKET => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// What a lambda captures: the names in its introducer and, with a default, the local variables of the function around it
/// in the order of their first mention in its body. nvcc captures a constant too, though no program needs that, but for a
/// mention of which the constant evaluation is all there is.
fn captured(tokens: &[&PpToken], head: usize, body: usize, open: usize, close: usize) -> Captures {
    let names = |range: &[&PpToken]| -> Vec<Symbol> {
        let names = range.iter().filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text);
        names.collect()
    };
    let mut captures = Captures { names: names(&tokens[open + 1..close]), open: Vec::new() };
    let default =
        tokens[open + 1..close].first().is_some_and(|first| matches!(first.text, sym::ASSIGN | sym::AMP));
    let Some(begin) = (close..tokens.len()).find(|index| tokens[*index].text == sym::LBRACE) else {
        return captures;
    };
    let Some(end) = closed(tokens, begin).filter(|_| default) else { return captures };
    for index in begin..end {
        let token = tokens[index];
        let is_member = matches!(tokens[index - 1].text, sym::DOT | sym::ARROW | sym::SCOPE);
        let is_name = token.kind == TokenKind::Identifier
            && word(token.text).is_none()
            && tokens[index + 1].text != sym::SCOPE;
        if !is_name
            || is_member
            || captures.names.contains(&token.text)
            || captures.open.contains(&token.text)
            || declared(&tokens[close..index + 1], token.text, None).is_some()
        {
            continue;
        }
        match declared(&tokens[head..open], token.text, Some(body - head)) {
            Some(Storage::Constant) if may_be_constant_evaluated(tokens, index, end) => {
                captures.open.push(token.text);
            }
            Some(Storage::Constant | Storage::Variable) => captures.names.push(token.text),
            Some(Storage::Static) | None => {}
        }
    }
    captures
}

/// Whether the mention of a constant may be a part of a constant expression, or one that is not evaluated: the length of
/// an array, a template argument, a label, an operand of `sizeof`.
fn may_be_constant_evaluated(tokens: &[&PpToken], index: usize, end: usize) -> bool {
    let ends = |token: &&PpToken| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
    let begin = tokens[..index].iter().rposition(&ends).map_or(0, |at| at + 1);
    let behind = tokens[index..end].iter().position(ends).map_or(end, |count| index + count);
    let (before, after) = (&tokens[begin..index], &tokens[index..behind]);
    let count = |text: Symbol| before.iter().filter(|token| token.text == text).count();
    let words = [
        "constexpr",
        "case",
        "static_assert",
        "sizeof",
        "alignof",
        "decltype",
        "noexcept",
        "typeid",
        "using",
    ];
    before.iter().any(|token| words.contains(&token.text.as_str()))
        || count(sym::LBRACKET) > count(sym::RBRACKET)
        || count(sym::LESS) > 0 && after.iter().any(|token| matches!(token.text, sym::GREATER | sym::SHR))
}

/// The `}` of the `{` at an index.
fn closed(tokens: &[&PpToken], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    (open..tokens.len()).find(|index| {
        match tokens[*index].text {
            sym::LBRACE => depth += 1,
            sym::RBRACE => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// What a name of a block stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Storage {
    Variable,
    /// A variable that is `const` or `constexpr`, and may have a value that compilers know.
    Constant,
    /// What no lambda captures.
    Static,
}

/// What tokens declare a name for: behind a type. Behind `*` or `&` that takes the beginning of a statement, or the
/// parameters, which end at `body`.
fn declared(tokens: &[&PpToken], name: Symbol, body: Option<usize>) -> Option<Storage> {
    let fixed = ["static", "extern", "using", "typedef", "thread_local", "__shared__", "__constant__"];
    let no_type =
        ["return", "case", "else", "new", "delete", "sizeof", "throw", "goto", "typename", "struct", "class"];
    let declared = |at: usize| {
        let before = tokens[at - 1];
        let mut around = tokens[..at].iter().enumerate().rev();
        let begin = around.find(|(index, token)| {
            let parameters = body.is_none_or(|body| *index < body);
            matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE)
                || parameters && matches!(token.text, sym::LPAREN | sym::COMMA)
        });
        let begin = begin.map_or(0, |(index, _)| index + 1);
        let specifiers = &tokens[begin..at];
        let is_type = |token: &&PpToken| {
            token.kind == TokenKind::Identifier
                || matches!(token.text, sym::STAR | sym::AMP | sym::SCOPE | sym::LESS | sym::GREATER)
        };
        let is_annotation = word(before.text) == Some(Word::Annotation);
        let simple = before.kind == TokenKind::Identifier
            && !is_annotation
            && !no_type.contains(&before.text.as_str());
        let pointer = matches!(before.text, sym::STAR | sym::AMP | sym::GREATER)
            && specifiers.first().is_some_and(|token| token.kind == TokenKind::Identifier)
            && specifiers.iter().all(is_type);
        if !simple && !pointer {
            return None;
        }
        let has = |words: &[&str]| specifiers.iter().any(|token| words.contains(&token.text.as_str()));
        let points = specifiers.iter().any(|token| matches!(token.text, sym::STAR | sym::AMP));
        Some(match () {
            () if has(&fixed) => Storage::Static,
            () if has(&["const", "constexpr"]) && !points => Storage::Constant,
            () => Storage::Variable,
        })
    };
    (1..tokens.len()).filter(|at| tokens[*at].text == name).find_map(declared)
}

/// Prints for `dump`. The closures of a function: how many each pass has, or what the first that differs captures.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &ClosureFact) {
    let title = match fact.what {
        ClosureDifference::Presence { .. } => format!("extended lambdas of {}", fact.function),
        ClosureDifference::Captures => format!("captures of an extended lambda in {}", fact.function),
    };
    to.paragraph(&title, fact.at, fact.cases.clone(), fact.cause.as_ref());
}
