//! The bodies of host functions, told by braces and specifiers: nothing is parsed.
//!
//! In: the tokens of a declaration in one pass. Out: the host function whose body is open behind them, if everything around
//! says that only the host runs it. In doubt, as with a macro whose header was not found, it is none.

use crate::preprocess::{GroupId, PpToken};
use crate::source::{TokenKind, sym};
use crate::variance::TopDeclaration;

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
    let mut heads: Vec<&[&PpToken]> = Vec::new();
    let mut start = 0;
    for (index, token) in before.iter().enumerate() {
        match token.text {
            sym::LBRACE => {
                heads.push(&before[start..index]);
                start = index + 1;
            }
            sym::RBRACE => {
                heads.pop();
                start = index + 1;
            }
            sym::SEMI => start = index + 1,
            _ => {}
        }
    }
    if heads.iter().any(|head| head.iter().any(|token| may_be_device(token))) {
        return None;
    }
    let head = heads.iter().find(|head| function_name(head).is_some())?;
    // Device code may call constexpr functions (`--expt-relaxed-constexpr`).
    if head.iter().any(|token| matches!(token.text.as_str(), "constexpr" | "consteval")) {
        return None;
    }
    let function = function_name(head)?;
    // Another declaration of the function may say that it is for a GPU too.
    let declares = |top: &usize| {
        let other = &unit.variance.declarations[*top];
        let tokens = &unit.pp.tokens()[other.tokens.start..other.body.max(other.class_body.end)];
        !std::ptr::eq(other, declaration) && tokens.iter().any(may_be_device)
    };
    let qualified = declaration.names.get(declaration.declared..).unwrap_or_default();
    let names = declaration.names.first().into_iter().chain(qualified);
    (!names.into_iter().any(|name| unit.declaring_untracked(*name).iter().any(declares))).then_some(function)
}

/// Whether a token is a specifier of device code, or a name that may be a macro for one whose header was not found.
pub(in crate::facts) fn may_be_device(token: &PpToken) -> bool {
    let text = token.text.as_str();
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let may_expand = || text.chars().all(is_upper) && MACRO_WORDS.iter().any(|word| text.contains(word));
    token.kind == TokenKind::Identifier && (DEVICE.contains(&text) || may_expand())
}

/// The name that a function's head declares: the identifier before its first `(` outside of template arguments. `None`
/// for the head of a class, a block or a statement.
pub(in crate::facts) fn function_name<'t>(head: &[&'t PpToken]) -> Option<&'t PpToken> {
    let mut depth = 0_i32;
    for (index, token) in head.iter().enumerate() {
        match token.text {
            sym::LESS => depth += 1,
            sym::GREATER => depth -= 1,
            sym::SHR => depth -= 2,
            _ if depth == 0 && CLASS.contains(&token.text.as_str()) => return None,
            sym::LPAREN if depth <= 0 => {
                let name = head.get(index.checked_sub(1)?)?;
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
