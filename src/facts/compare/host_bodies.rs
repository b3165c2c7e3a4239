//! The bodies of host functions, told by braces and specifiers: nothing is parsed.
//!
//! In: the tokens of a declaration in one pass. Out: the host function whose body is open behind them, if everything around
//! says that only the host runs it. In doubt, as with a macro whose header was not found, it is none.

use std::cell::RefCell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::preprocess::{DefinitionId, ExpansionId, GroupId, PpToken};
use crate::source::{TokenKind, sym};
use crate::variance::{DeclKind, TopDeclaration, Word, word};

use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::HostCodeKind;

/// Specifiers of functions that are compiled for a GPU, those of nvcc's headers and the attributes they stand for.
const DEVICE: [&str; 4] = ["__device__", "__global__", "device", "global"];

/// Parts of the names that macros for such specifiers have.
const MACRO_WORDS: [&str; 8] = ["DEVICE", "GLOBAL", "KERNEL", "INLINE", "CUDA", "GPU", "FUNC", "HD"];

/// Words that introduce a class.
const CLASS: [&str; 4] = ["class", "struct", "union", "enum"];

/// Whether a group is `outer` or in it.
pub(in crate::facts) fn is_within(
    unit: &IndexedUnit<'_>,
    mut group: Option<GroupId>,
    outer: GroupId,
) -> bool {
    while let Some(id) = group {
        if id == outer {
            return true;
        }
        group = unit.pp.group(id).parent;
    }
    false
}

/// The name of the host function whose body is open behind these tokens; `None` if none is open, or if something there
/// may be compiled for a GPU.
pub(in crate::facts) fn host_function<'t>(
    unit: &IndexedUnit<'_>,
    declaration: &TopDeclaration,
    before: &[&'t PpToken],
) -> Option<&'t PpToken> {
    Bodies::of(before).host_function(unit, declaration, before.len())
}

/// Which bodies are open at each place among the tokens of a declaration: found once, asked about each use.
pub(in crate::facts) struct Bodies<'b, 't> {
    tokens: &'b [&'t PpToken],
    /// The bodies in the order in which they begin.
    bodies: Vec<Body>,
    /// The braces, each with the innermost body that is open behind it.
    braces: Vec<(usize, Option<usize>)>,
    /// What was said of bodies that were asked about.
    known: RefCell<FxHashMap<usize, Option<&'t PpToken>>>,
}

/// A body: the tokens of its head, and the innermost body round it.
struct Body {
    head: Range<usize>,
    outer: Option<usize>,
}

impl<'b, 't> Bodies<'b, 't> {
    pub(in crate::facts) fn of(tokens: &'b [&'t PpToken]) -> Bodies<'b, 't> {
        let (mut bodies, mut braces): (Vec<Body>, Vec<(usize, Option<usize>)>) = (Vec::new(), Vec::new());
        let (mut open, mut start) = (None, 0);
        for (index, token) in tokens.iter().enumerate() {
            match token.text {
                sym::LBRACE => {
                    bodies.push(Body { head: start..index, outer: open });
                    open = Some(bodies.len() - 1);
                }
                sym::RBRACE => open = open.and_then(|body| bodies[body].outer),
                sym::SEMI => {}
                _ => continue,
            }
            start = index + 1;
            if token.text != sym::SEMI {
                braces.push((index, open));
            }
        }
        Bodies { tokens, bodies, braces, known: RefCell::default() }
    }

    /// The name of the host function whose body is open before the token at an index; `None` if none is open, or if something
    /// there may be compiled for a GPU.
    pub(in crate::facts) fn host_function(
        &self,
        unit: &IndexedUnit<'_>,
        declaration: &TopDeclaration,
        index: usize,
    ) -> Option<&'t PpToken> {
        let behind = self.braces.partition_point(|(brace, _)| *brace < index);
        let (_, innermost) = self.braces[behind.checked_sub(1)?];
        let innermost = innermost?;
        let known = self.known.borrow().get(&innermost).copied();
        known.unwrap_or_else(|| {
            let function = self.function_of(unit, declaration, innermost);
            self.known.borrow_mut().insert(innermost, function);
            function
        })
    }

    /// The same of the body which is the innermost one.
    fn function_of(
        &self,
        unit: &IndexedUnit<'_>,
        declaration: &TopDeclaration,
        innermost: usize,
    ) -> Option<&'t PpToken> {
        let outwards = std::iter::successors(Some(innermost), |body| self.bodies[*body].outer);
        let mut heads: Vec<&[&PpToken]> =
            outwards.map(|body| &self.tokens[self.bodies[body].head.clone()]).collect();
        heads.reverse();
        let may_be_for_devices = |head: &[&PpToken]| {
            head.iter().any(|token| may_be_device(token)) || has_unexpanded_macro(head, declaration)
        };
        if heads.iter().any(|head| may_be_for_devices(head)) {
            return None;
        }
        let head = heads.iter().find(|head| function_name(head).is_some())?;
        // Device code may call constexpr functions (`--expt-relaxed-constexpr`).
        if head.iter().any(|token| matches!(token.text.as_str(), "constexpr" | "consteval")) {
            return None;
        }
        let function = function_name(head)?;
        if has_stand_in(unit, head) {
            return None;
        }
        // Another declaration of the function may say that it is for a GPU too.
        let declares = |top: &usize| {
            let other = &unit.variance.declarations[*top];
            let tokens = &unit.pp.tokens()[other.tokens.start..other.body.max(other.class_body.end)];
            !std::ptr::eq(other, declaration) && tokens.iter().any(may_be_device)
        };
        let qualified = declaration.names.get(declaration.declared..).unwrap_or_default();
        let names = declaration.names.first().into_iter().chain(qualified);
        (!names.into_iter().any(|name| unit.declaring_untracked(*name).iter().any(declares)))
            .then_some(function)
    }
}

/// Whether a token is a specifier of device code, or a name that may be a macro for one whose header was not found.
pub(in crate::facts) fn may_be_device(token: &PpToken) -> bool {
    let says = token.kind == TokenKind::Identifier && DEVICE.contains(&token.text.as_str());
    says || may_be_macro(token)
}

/// Whether a token is a name that may be a macro for a specifier of device code, whose header was not found.
pub(in crate::facts) fn may_be_macro(token: &PpToken) -> bool {
    let text = token.text.as_str();
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let may_expand = || text.chars().all(is_upper) && MACRO_WORDS.iter().any(|word| text.contains(word));
    token.kind == TokenKind::Identifier && may_expand()
}

/// Whether a name stands where the head of a function has none: before its type, or before a constructor or a conversion.
/// It is a macro whose header was not found, and may say that devices have the function.
pub(in crate::facts) fn has_unexpanded_macro(head: &[&PpToken], declaration: &TopDeclaration) -> bool {
    let Some(name) = function_name(head) else { return false };
    let named = head.iter().position(|token| token.at == name.at).expect("the name is in the head");
    let start = declarator(head, named);
    let is_constructor = declaration.kind == DeclKind::Class && declaration.names.contains(&name.text)
        || start < named && head[start].text == name.text;
    let is_without_type = is_constructor || is_conversion(head, named);
    let mut depth = 0_i32;
    head[..start].iter().enumerate().any(|(index, token)| {
        match token.text {
            sym::LESS | sym::LPAREN | sym::LBRACKET => depth += 1,
            sym::GREATER | sym::RPAREN | sym::RBRACKET => depth -= 1,
            sym::SHR => depth -= 2,
            _ => {}
        }
        let is_name = |token: &PpToken| token.kind == TokenKind::Identifier && word(token.text).is_none();
        let qualifies = |at: &usize| {
            matches!(head[*at].text.as_str(), "const" | "volatile" | "__restrict__" | "__restrict")
        };
        let next = (index + 1..start).find(|at| !qualifies(at));
        let follows = next.is_some_and(|at| head[at].kind == TokenKind::Identifier);
        depth == 0 && is_name(token) && (follows || is_without_type)
    })
}

/// Whether a head has a specifier by a macro that may be defined otherwise, by a header which was not found or by what includes
/// a header that was analysed alone: the project asks whether there is one before it defines its own, as
/// `#ifndef INLINE_FUNCTION` does before `#define INLINE_FUNCTION inline`.
pub(in crate::facts) fn has_stand_in(unit: &IndexedUnit<'_>, head: &[&PpToken]) -> bool {
    let pp = unit.pp;
    let stands_in = |id: ExpansionId| {
        let definition = pp.expansion(id).definition;
        let known = unit.stand_ins.borrow().get(&definition).copied();
        known.unwrap_or_else(|| {
            let found = is_stand_in(unit, definition);
            unit.stand_ins.borrow_mut().insert(definition, found);
            found
        })
    };
    let expansions = |token: &&PpToken| {
        let parent = |id: &ExpansionId| pp.expansion(*id).parent;
        std::iter::successors(token.expansion, parent).collect::<Vec<_>>()
    };
    let is_open = !pp.missing.is_empty() || unit.stands_alone.get();
    is_open && head.iter().flat_map(expansions).any(stands_in)
}

/// Whether a macro is defined where a conditional asks about its name: behind `#ifndef INLINE_FUNCTION`.
fn is_stand_in(unit: &IndexedUnit<'_>, id: DefinitionId) -> bool {
    let (pp, definition) = (unit.pp, unit.pp.definition(id));
    let Some(at) = definition.at else { return false };
    pp.conditionals_in(at.file).iter().map(|id| pp.conditional(*id)).any(|conditional| {
        let before = |group: &&GroupId| {
            let directive = pp.group(**group).directive;
            directive.file == at.file && directive.start < at.start
        };
        let group = conditional.groups.iter().rev().find(before).map(|group| pp.group(*group));
        let is_open = conditional.endif.is_none_or(|end| end.start > at.start);
        group
            .filter(|_| is_open)
            .is_some_and(|group| group.written.tokens().iter().any(|token| token.text == definition.name))
    })
}

/// Whether a conversion function stands at an index: `operator float *`, which is all that it has of a type.
fn is_conversion(head: &[&PpToken], at: usize) -> bool {
    let is_type = |token: &&PpToken| {
        token.kind == TokenKind::Identifier && !matches!(token.text.as_str(), "new" | "delete" | "co_await")
            || token.text == sym::SCOPE
    };
    head[at].text == sym::OPERATOR && head.get(at + 1).is_some_and(is_type)
}

/// Where the name of a function begins that ends at an index: `A` of `A<int>::f`.
fn declarator(head: &[&PpToken], mut at: usize) -> usize {
    while at > 1 && head[at - 1].text == sym::SCOPE {
        at -= 2;
        if head[at].text == sym::GREATER {
            let mut depth = 0_i32;
            let opens = |index: &usize| {
                depth +=
                    i32::from(head[*index].text == sym::GREATER) - i32::from(head[*index].text == sym::LESS);
                depth == 0
            };
            at = (0..=at).rev().find(opens).map_or(at, |open| open.saturating_sub(1));
        }
    }
    at
}

/// The name that a function's head declares: the identifier before its first `(` outside of template arguments, or the
/// word `operator`. `None` for the head of a class, a block or a statement.
pub(in crate::facts) fn function_name<'t>(head: &[&'t PpToken]) -> Option<&'t PpToken> {
    let (mut depth, mut annotation) = (0_i32, 0_i32);
    let takes_arguments =
        |token: &&PpToken| matches!(word(token.text), Some(Word::AnnotationCall | Word::Align));
    for (index, token) in head.iter().enumerate() {
        match token.text {
            sym::LPAREN if annotation > 0 || index > 0 && takes_arguments(&head[index - 1]) => {
                annotation += 1
            }
            sym::RPAREN if annotation > 0 => annotation -= 1,
            _ if annotation > 0 => {}
            // The operator is the function: `operator<`, `operator>>`.
            _ if index > 0 && head[index - 1].text == sym::OPERATOR && token.text != sym::LPAREN => {}
            sym::LESS => depth += 1,
            sym::GREATER => depth -= 1,
            sym::SHR => depth -= 2,
            _ if depth == 0 && CLASS.contains(&token.text.as_str()) => return None,
            sym::LPAREN if depth <= 0 => {
                let name = head.get(index.checked_sub(1)?)?;
                if let Some(operator) = operator_before(head, index) {
                    return Some(head[operator]);
                }
                // The operators of `if`, `for` and lambdas stand before no name of a function.
                let is_statement =
                    ["if", "for", "while", "switch", "catch", "return", "decltype", "noexcept"]
                        .contains(&name.text.as_str());
                return (name.kind == TokenKind::Identifier && !is_statement).then_some(name);
            }
            _ => {}
        }
    }
    None
}

/// The word `operator` of the function whose parameters begin at an index.
fn operator_before(head: &[&PpToken], parameters: usize) -> Option<usize> {
    let at = head[..parameters].iter().rposition(|token| token.text == sym::OPERATOR)?;
    // What a template argument calls may be an operator too.
    let is_behind = |token: &&PpToken| matches!(token.text, sym::LPAREN | sym::COMMA | sym::SEMI);
    (!head[at..parameters].iter().any(is_behind)).then_some(at)
}

/// Tokens as they are written, on one line.
pub(in crate::facts) fn spelled<'t>(tokens: impl Iterator<Item = &'t PpToken>) -> String {
    let mut text = String::new();
    for token in tokens {
        if token.space_before && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(token.text.as_str());
    }
    text
}

/// How a function is called whose name is one of these tokens: `~Pool`, `operator()`, `run`.
pub(in crate::facts) fn spelled_name(tokens: &[&PpToken], name: &PpToken) -> String {
    let Some(at) = tokens.iter().position(|token| token.at == name.at) else { return name.text.to_string() };
    if at > 0 && tokens[at - 1].text.as_str() == "~" {
        return format!("~{}", name.text);
    }
    if name.text != sym::OPERATOR {
        return name.text.to_string();
    }
    // The first parenthesis of `operator()(int x)` is the operator's.
    let parameters = tokens[at + 1..].iter().skip(1).position(|token| token.text == sym::LPAREN);
    let written = tokens[at + 1..].iter().take(parameters.map_or(1, |length| length + 1));
    let written: Vec<&str> = written.map(|token| token.text.as_str()).collect();
    let is_type = written.first().is_some_and(|first| first.starts_with(|c: char| c.is_alphabetic()));
    format!("operator{}{}", if is_type { " " } else { "" }, written.join(""))
}

/// What is lost; `None` for declarations that only the compiler looks at.
pub(in crate::facts) fn kind(lost: &[&PpToken]) -> Option<HostCodeKind> {
    let is = |text: &str| lost.iter().any(|token| token.text.as_str() == text);
    // The lexer knows no `<<<`.
    let opens_launch =
        |pair: &[&PpToken]| pair[0].text == sym::SHL && pair[1].text == sym::LESS && !pair[1].space_before;
    if lost.windows(2).any(opens_launch) {
        return Some(HostCodeKind::Launch);
    }
    if is("case") || is("default") {
        return Some(HostCodeKind::Case);
    }
    let first = lost.first()?.text;
    let declares = ["static_assert", "using", "typedef"].contains(&first.as_str());
    let statements = lost.iter().filter(|token| token.text == sym::SEMI).count();
    (!(declares && statements <= 1) && statements > 0).then_some(HostCodeKind::Statement)
}
