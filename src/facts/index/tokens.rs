//! Helpers about the tokens of declarations, and sets of passes and of symbols.

use rustc_hash::FxHashSet;

use crate::preprocess::{PpToken, Preamble, Preprocessed};
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration, Variance, word};

/// The coarsest partition of `set` such that each of `sets` is a union of parts, or has none of a part.
pub(in crate::facts) fn refine(set: PassSet, sets: impl Iterator<Item = PassSet>) -> Vec<PassSet> {
    let mut parts = vec![set];
    let mut last = set;
    for cut in sets {
        if cut == last || cut.contains(set) {
            continue;
        }
        last = cut;
        for index in 0..parts.len() {
            let (inside, outside) = (parts[index].and(cut), parts[index].minus(cut));
            if !inside.is_empty() && !outside.is_empty() {
                parts[index] = inside;
                parts.push(outside);
            }
        }
    }
    parts.sort();
    parts
}

/// A set of symbols with membership in constant time, by their index: every token of a unit is tested.
#[derive(Default)]
pub(in crate::facts) struct SymbolSet(Vec<bool>);

impl SymbolSet {
    pub(in crate::facts) fn of(symbols: &FxHashSet<Symbol>) -> SymbolSet {
        let mut marked = vec![false; symbols.iter().map(|one| one.index() + 1).max().unwrap_or(0)];
        symbols.iter().for_each(|one| marked[one.index()] = true);
        SymbolSet(marked)
    }

    pub(in crate::facts) fn has(&self, symbol: Symbol) -> bool {
        self.0.get(symbol.index()).is_some_and(|marked| *marked)
    }
}

/// The qualified name of `name` in the namespace `around`.
pub(in crate::facts) fn join(around: Symbol, name: &str) -> Symbol {
    if around == sym::EMPTY { Symbol::intern(name) } else { Symbol::intern(&format!("{around}::{name}")) }
}

pub(in crate::facts) fn mentions_namespace(pp: &Preprocessed, top: &TopDeclaration) -> bool {
    pp.tokens()[top.tokens.clone()].iter().any(|token| token.text == sym::NAMESPACE)
}

/// The identifiers of a range of tokens, and the names of functions that it calls without naming them.
pub(in crate::facts) fn identifiers(tokens: &[PpToken]) -> impl Iterator<Item = Symbol> {
    (0..tokens.len()).flat_map(|at| names_at(tokens, at))
}

/// The identifier that token `at` is, and the names of functions that it stands for.
pub(in crate::facts) fn names_at(tokens: &[PpToken], at: usize) -> impl Iterator<Item = Symbol> + use<> {
    let token = tokens[at];
    let own = (token.kind == TokenKind::Identifier).then_some(token.text);
    own.into_iter().chain(calls_unnamed(tokens, at).iter().copied())
}

/// The functions that are called where token `at` begins a range-based `for` statement ([stmt.ranged]) or a structured
/// binding declaration ([dcl.struct.bind]), as far as tokens tell.
pub(in crate::facts) fn calls_unnamed(tokens: &[PpToken], at: usize) -> &'static [Symbol] {
    match tokens[at].text {
        sym::FOR if is_range_based(&tokens[at + 1..]) => &[sym::BEGIN, sym::END],
        sym::AUTO => {
            let is_part =
                |token: &&PpToken| matches!(token.text, sym::AMP | sym::AMP_AMP | sym::CONST | sym::VOLATILE);
            let behind = tokens[at + 1..].iter().find(|token| !is_part(token));
            if behind.is_some_and(|token| token.text == sym::LBRACKET) { &[sym::GET] } else { &[] }
        }
        _ => &[],
    }
}

/// The place of the calls that token `at` stands for: that of `for`, and that of the first name of a structured binding.
pub(in crate::facts) fn place_of_unnamed(tokens: &[PpToken], at: usize) -> Span {
    let is_name = |token: &&PpToken| {
        token.kind == TokenKind::Identifier && !matches!(token.text, sym::CONST | sym::VOLATILE)
    };
    match tokens[at].text {
        sym::AUTO => tokens[at + 1..].iter().find(is_name).unwrap_or(&tokens[at]).at,
        _ => tokens[at].at,
    }
}

/// Whether the tokens behind `for` are those of a range-based one: a colon stands in its parentheses that is not that of
/// `?:`.
fn is_range_based(behind: &[PpToken]) -> bool {
    let (mut depth, mut conditionals) = (0_i32, 0_i32);
    for token in behind {
        match token.text {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
            sym::QUESTION if depth == 1 => conditionals += 1,
            sym::COLON if depth == 1 && conditionals == 0 => return true,
            sym::COLON if depth == 1 => conditionals -= 1,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    false
}

/// Whether the head of a declaration, which is all before its body, or its presence may differ between passes.
pub(in crate::facts) fn header_varies(pp: &Preprocessed, variance: &Variance, top: usize) -> bool {
    let declaration = &variance.declarations[top];
    let header = declaration.tokens.start..declaration.body;
    let tokens = pp.tokens();
    declaration.varies.presence
        || declaration.varies.sizes
        || tokens[header.clone()]
            .iter()
            .any(|token| token.passes.meets(declaration.passes) && !token.passes.contains(declaration.passes))
        || variance.varying.is_declared(tokens, declaration)
        || variance.varying.is_mentioned(tokens, declaration, header)
}

/// The number of declarations that end within the preamble, and so the index of the first one that does not.
pub(in crate::facts) fn preamble_end(variance: &Variance, preamble: &Preamble) -> usize {
    let all = &variance.declarations;
    all.iter().position(|one| one.tokens.end >= preamble.tokens()).unwrap_or(all.len())
}

/// Whether the head of a function has `__device__` or `__global__` in each of some passes, and `__host__` in none.
pub(super) fn is_on_device_alone(head: &[PpToken], passes: PassSet) -> bool {
    let is_of_host = |token: &PpToken| token.text == sym::HOST && token.passes.meets(passes);
    let is_of_device =
        |token: &PpToken| matches!(token.text, sym::DEVICE | sym::GLOBAL) && token.passes.contains(passes);
    head.iter().any(is_of_device) && !head.iter().any(is_of_host)
}

/// Whether two tokens begin a `<<<`, which the lexer does not know.
pub(in crate::facts) fn opens_launch(pair: &[PpToken]) -> bool {
    pair[0].text == sym::SHL && pair[1].text == sym::LESS && !pair[1].space_before
}

/// Whether the head of a function makes it one of the host in every pass. What `--expt-relaxed-constexpr` gives to devices,
/// they evaluate; it launches nothing there.
pub(super) fn is_on_host_alone(head: &[PpToken]) -> bool {
    !head.iter().any(|token| matches!(token.text, sym::DEVICE | sym::GLOBAL))
}

/// Whether an identifier is the member in `object.name` or `object->name` and is not called.
pub(in crate::facts) fn is_plain_member(tokens: &[PpToken], index: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or(sym::EMPTY, |token| token.text);
    // `auto f() const -> name` is a trailing return type, and after `)` tokens do not tell it from `f()->name`.
    let of_object = |at: usize| match tokens[at].kind {
        TokenKind::Identifier => word(tokens[at].text).is_none(),
        _ => tokens[at].text == sym::RBRACKET,
    };
    match index.checked_sub(1).map_or(sym::EMPTY, text) {
        sym::DOT => {}
        sym::ARROW if index > 1 && of_object(index - 2) => {}
        _ => return false,
    }
    match text(index + 1) {
        sym::LPAREN | sym::LESS | sym::SCOPE => false,
        sym::RPAREN => text(index + 2) != sym::LPAREN,
        _ => true,
    }
}

/// `void f(auto x)`: a function with a placeholder type among its parameters is a template ([dcl.fct]/22).
pub(super) fn is_abbreviated(tokens: &[PpToken], kind: DeclKind) -> bool {
    if !matches!(kind, DeclKind::Function | DeclKind::Prototype) {
        return false;
    }
    let mut depth = 0_i32;
    for token in tokens {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            sym::AUTO if depth > 0 => return true,
            sym::LBRACE | sym::SEMI if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// Whether a token in a parameter may stand behind the name of a class, to which an argument may be converted.
fn may_follow_class(next: &PpToken) -> bool {
    matches!(next.text, sym::LESS | sym::AMP | sym::AMP_AMP) || next.kind == TokenKind::Identifier
}

/// The identifiers in a function's parameters that a call uses: if some of them have default arguments, or are of
/// classes, to which arguments may be converted.
pub(super) fn used_by_calls(head: &[PpToken]) -> Vec<Symbol> {
    let (mut depth, mut uses) = (0_i32, false);
    let mut names = Vec::new();
    for (number, token) in head.iter().enumerate() {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ if depth == 0 => {}
            sym::ASSIGN => uses = true,
            _ if token.kind == TokenKind::Identifier => {
                uses |= word(token.text).is_none() && head.get(number + 1).is_some_and(may_follow_class);
                names.push(token.text);
            }
            _ => {}
        }
    }
    if uses { names } else { Vec::new() }
}

/// Whether tokens have a generic lambda: `[](auto x)`, `[]<int N>()`.
pub(in crate::facts) fn has_generic_lambda(tokens: &[PpToken]) -> bool {
    let mut after = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == sym::RBRACKET);
    after.any(|(at, pair)| match pair[1].text {
        sym::LESS => true,
        sym::LPAREN => {
            let list = tokens[at + 2..].iter().take_while(|token| token.text != sym::RPAREN);
            list.into_iter().any(|token| token.text == sym::AUTO)
        }
        _ => false,
    })
}
