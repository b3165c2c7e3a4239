//! Local variables, told by tokens: which names are declared in a block, and what gives them their values.
//!
//! In: the tokens of a declaration, or of a part of one, in one pass. Out: whether a name is declared before a place, and the
//! ranges of tokens that are its values there. Nothing is parsed: brackets tell where a scope ends ([basic.scope.block]).

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

/// The operators that give a variable a value.
const ASSIGNMENTS: [&str; 7] = ["=", "+=", "-=", "*=", "/=", "<<=", ">>="];

/// Words before a name that are no types.
pub(super) const NO_TYPES: [&str; 8] = ["return", "case", "else", "new", "delete", "sizeof", "throw", "goto"];

/// The most tokens of a statement behind a head in which its end is looked for, what is in brackets not counted.
const LONGEST_STATEMENT: usize = 1_000;

/// Where names stand among some tokens: found once, asked about each use.
pub(in crate::facts) struct Locals<'l, 't> {
    pub(in crate::facts) tokens: &'l [&'t PpToken],
    /// Each identifier and its index, in the order of both.
    places: Vec<(Symbol, usize)>,
    /// The indices of the declarations of each name that has one, each with the index at which its scope ends.
    declared: FxHashMap<Symbol, Vec<(usize, usize)>>,
}

impl<'l, 't> Locals<'l, 't> {
    pub(in crate::facts) fn of(tokens: &'l [&'t PpToken]) -> Locals<'l, 't> {
        let identifiers = tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Identifier);
        let mut places: Vec<(Symbol, usize)> =
            identifiers.map(|(index, token)| (token.text, index)).collect();
        places.sort_unstable();
        let mut brackets = Brackets::of(tokens);
        let mut declared: FxHashMap<Symbol, Vec<(usize, usize)>> = FxHashMap::default();
        for (name, at) in places.iter().filter(|(_, at)| declares(tokens, *at)) {
            declared.entry(*name).or_default().push((*at, brackets.scope_end(tokens, *at)));
        }
        Locals { tokens, places, declared }
    }

    /// Whether the tokens before an index declare the name, which stands at that index or behind it, in a scope around it.
    pub(in crate::facts) fn is_declared_before(&self, index: usize, name: Symbol) -> bool {
        self.declared_before(index, name).next().is_some()
    }

    /// The declarations of a name before an index in the scopes around it, the last one first.
    fn declared_before(&self, index: usize, name: Symbol) -> impl Iterator<Item = usize> {
        let declared = self.declared.get(&name).map_or(&[][..], Vec::as_slice);
        let before = declared[..declared.partition_point(|(at, _)| *at < index)].iter().rev();
        before.filter(move |(_, end)| index <= *end).map(|(at, _)| *at)
    }

    /// Where a name stands within a range, first to last.
    pub(in crate::facts) fn places(
        &self,
        name: Symbol,
        range: Range<usize>,
    ) -> impl DoubleEndedIterator<Item = usize> + use<'_, 'l, 't> {
        let first = self.places.partition_point(|place| *place < (name, range.start));
        let last = self.places.partition_point(|place| *place < (name, range.end));
        self.places[first..last.max(first)].iter().map(|(_, at)| *at)
    }

    /// What gives the local variable at an index of a range its value, or its size if that is asked for: its initializer, and
    /// what is assigned to it, or to the member that is asked for.
    pub(in crate::facts) fn values_of(&self, range: &Range<usize>, index: usize) -> Vec<Range<usize>> {
        let (tokens, name) = (self.tokens, self.tokens[index].text);
        let behind = |back: usize| index.checked_sub(back).map(|at| tokens[at].text);
        let before = &tokens[..range.start];
        if behind(1) == Some(sym::LPAREN) && behind(2) == Some(sym::SIZEOF) {
            return self.bound(range.start, name).into_iter().collect();
        }
        let member = match tokens.get(index + 1..index + 3) {
            Some([dot, member]) if dot.text == sym::DOT => Some(member.text),
            _ => None,
        };
        let mut values: Vec<Range<usize>> = self.initializer(range.start, name).into_iter().collect();
        if let Some(declared) = self.variables_before(range.start, name).next() {
            let behind = self.places(name, declared + 1..range.start);
            values.extend(behind.filter_map(|at| assigned(before, at, member)));
        }
        values
    }

    /// The tokens before an index that the last declaration of a local variable with an initializer initializes it with.
    pub(in crate::facts) fn initializer(&self, index: usize, name: Symbol) -> Option<Range<usize>> {
        let before = &self.tokens[..index];
        let is_begun = |at: &usize| {
            let next = before.get(at + 1).map(|next| next.text);
            matches!(next, Some(sym::ASSIGN | sym::LPAREN | sym::LBRACE))
        };
        let at = self.variables_before(index, name).find(is_begun)?;
        Some(at + 1..declarator_end(before, at + 1)?)
    }

    /// As [`Locals::declared_before`], of what is declared right behind a word that may be its type.
    fn variables_before(&self, index: usize, name: Symbol) -> impl Iterator<Item = usize> {
        self.declared_before(index, name).filter(|at| {
            let before = self.tokens[at - 1];
            before.kind == TokenKind::Identifier && !NO_TYPES.contains(&before.text.as_str())
        })
    }

    /// The tokens between the brackets of the last declaration of a local array before an index.
    fn bound(&self, index: usize, name: Symbol) -> Option<Range<usize>> {
        let before = &self.tokens[..index];
        let is_array = |at: &usize| before.get(at + 1).is_some_and(|next| next.text == sym::LBRACKET);
        let at = self.variables_before(index, name).find(is_array)?;
        Some(at + 2..paired(before, at + 1, sym::LBRACKET, sym::RBRACKET)? - 1)
    }

    /// The bracket of the last declaration of a local array before an index, of pointers perhaps.
    pub(in crate::facts) fn array(&self, index: usize, name: Symbol) -> Option<usize> {
        let before = &self.tokens[..index];
        let is_array = |at: &usize| before.get(at + 1).is_some_and(|next| next.text == sym::LBRACKET);
        self.declared_before(index, name).find(is_array).map(|at| at + 1)
    }
}

/// The brackets among some tokens. One without its other one is open to the end.
struct Brackets {
    /// The innermost bracket that is open at each token.
    around: Vec<Option<usize>>,
    /// Where each bracket that opens is closed.
    closed: FxHashMap<usize, usize>,
    /// Where the scope of what is declared in a bracket ends, as far as that was asked.
    ends: FxHashMap<usize, usize>,
}

impl Brackets {
    fn of(tokens: &[&PpToken]) -> Brackets {
        let (mut around, mut closed) = (Vec::with_capacity(tokens.len()), FxHashMap::default());
        let mut open: Vec<(usize, Symbol)> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let other = match token.text {
                sym::LPAREN => Some(sym::RPAREN),
                sym::LBRACE => Some(sym::RBRACE),
                sym::LBRACKET => Some(sym::RBRACKET),
                _ => None,
            };
            if open.last().is_some_and(|(_, other)| *other == token.text) {
                closed.extend(open.pop().map(|(from, _)| (from, at)));
            }
            around.push(open.last().map(|(from, _)| *from));
            open.extend(other.map(|other| (at, other)));
        }
        Brackets { around, closed, ends: FxHashMap::default() }
    }

    /// The index at which the scope of what is declared at an index ends: with its block, or with the statement or body behind
    /// the parentheses that it stands in. In doubt it ends later.
    fn scope_end(&mut self, tokens: &[&PpToken], at: usize) -> usize {
        let mut around = self.around[at];
        if let Some(brace) =
            around.filter(|open| tokens[*open].text == sym::LBRACE && is_enumerator(tokens, at))
        {
            // The scope of an enumerator is that around the enumeration.
            around = self.around[brace];
        }
        let mut passed = Vec::new();
        let end = loop {
            let Some(open) = around else { break tokens.len() };
            if let Some(known) = self.ends.get(&open) {
                break *known;
            }
            let Some(close) = self.closed.get(&open).copied() else { break tokens.len() };
            passed.push(open);
            let end = match tokens[open].text {
                sym::LBRACE => Some(close),
                sym::LPAREN => self.statement_end(tokens, close),
                _ => None,
            };
            if let Some(end) = end {
                break end;
            }
            around = self.around[open];
        };
        self.ends.extend(passed.into_iter().map(|open| (open, end)));
        end
    }

    /// The last token of the statement or body behind a head that ends with a parenthesis; `None` if tokens do not tell.
    fn statement_end(&self, tokens: &[&PpToken], close: usize) -> Option<usize> {
        let mut at = close + 1;
        // A constructor's initializers have braces, too.
        if tokens.get(at)?.text == sym::COLON {
            return None;
        }
        for _ in 0..LONGEST_STATEMENT {
            let is_end = match tokens.get(at)?.text {
                sym::SEMI => true,
                // `T{}` is an expression, `-> T {` is not: the block goes on till the next one or till the `;`.
                sym::LBRACE => {
                    let is_block = matches!(tokens[at - 1].text, sym::RPAREN | sym::ELSE);
                    at = *self.closed.get(&at)?;
                    is_block
                }
                sym::LPAREN | sym::LBRACKET => {
                    at = *self.closed.get(&at)?;
                    false
                }
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => return Some(at),
                _ => false,
            };
            if is_end && tokens.get(at + 1).is_none_or(|next| next.text != sym::ELSE) {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

/// What is assigned to the variable at an index, or to the member that is asked for.
fn assigned(tokens: &[&PpToken], at: usize, member: Option<Symbol>) -> Option<Range<usize>> {
    if matches!(tokens[at - 1].text, sym::DOT | sym::ARROW | sym::SCOPE) {
        return None;
    }
    let text = |ahead: usize| tokens.get(at + ahead).map(|token| token.text);
    let operator = match text(1) {
        Some(sym::DOT) if member.is_none_or(|member| text(2) == Some(member)) => at + 3,
        Some(sym::DOT) => return None,
        _ => at + 1,
    };
    let is_assigned = tokens.get(operator).is_some_and(|token| ASSIGNMENTS.contains(&token.text.as_str()));
    let length = || tokens[operator + 1..].iter().position(|token| token.text == sym::SEMI);
    is_assigned.then(length).flatten().map(|length| operator + 1..operator + 1 + length)
}

/// The `;` that ends the declaration, or the `,` before its next declarator.
fn declarator_end(tokens: &[&PpToken], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match tokens.get(at)?.text {
            sym::SEMI => return Some(at),
            sym::COMMA if depth == 0 => return Some(at),
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth = depth.saturating_sub(1),
            sym::LESS if depth == 0 => at = angle_end(tokens, at, tokens.len()).map_or(at, |end| end - 1),
            _ => {}
        }
        at += 1;
    }
}

/// One past the `>` that closes the `<` at an index, where nothing but a list of template arguments can be between.
pub(in crate::facts) fn angle_end(tokens: &[&PpToken], open: usize, end: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().take(end).skip(open) {
        match token.text {
            sym::LESS => depth += 1,
            sym::GREATER => depth -= 1,
            sym::SHR => depth -= 2,
            sym::SEMI | sym::LBRACE | sym::RBRACE => return None,
            _ => {}
        }
        if depth <= 0 {
            return (depth == 0).then_some(index + 1);
        }
    }
    None
}

/// One past the token that closes the bracket at an index.
pub(in crate::facts) fn paired(
    tokens: &[&PpToken],
    open: usize,
    opening: Symbol,
    closing: Symbol,
) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.text == opening {
            depth += 1;
        } else if token.text == closing {
            depth -= 1;
        }
        if depth == 0 {
            return Some(index + 1);
        }
    }
    None
}

/// Whether the name at an index is an enumerator with a value.
fn is_enumerator(tokens: &[&PpToken], at: usize) -> bool {
    let before = at.checked_sub(1).map(|index| tokens[index].text);
    matches!(before, Some(sym::COMMA | sym::LBRACE))
        && tokens.get(at + 1).is_some_and(|next| next.text == sym::ASSIGN)
}

/// Whether the name at an index is declared there, as far as tokens tell: it stands behind a type, or is an enumerator.
fn declares(tokens: &[&PpToken], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| tokens[index]) else { return false };
    if is_enumerator(tokens, at) {
        return true;
    }
    if before.kind == TokenKind::Identifier {
        return !NO_TYPES.contains(&before.text.as_str());
    }
    let mut around = tokens[..at].iter().rev();
    let pointer = around.find(|token| !matches!(token.text, sym::STAR | sym::AMP));
    let is_pointer = matches!(before.text, sym::STAR | sym::AMP | sym::GREATER)
        && pointer.is_some_and(|token| token.kind == TokenKind::Identifier || token.text == sym::GREATER);
    let in_type = |token: &&&PpToken| {
        token.kind == TokenKind::Identifier || matches!(token.text, sym::SCOPE | sym::LESS)
    };
    is_pointer
        && around
            .find(|token| !in_type(token))
            .is_some_and(|token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};

    use super::*;

    /// Whether each `n` of a text that follows `+` is declared before it.
    fn declared(text: &str) -> Vec<bool> {
        let sources = Sources::new();
        sources.add(Path::new("a.cu"), text.to_string());
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let pp = preprocess(&TranslationUnit::new(Path::new("a.cu"), passes), &sources, &Arc::default());
        let tokens: Vec<&PpToken> = pp.tokens().iter().collect();
        let locals = Locals::of(&tokens);
        let used = (1..tokens.len()).filter(|at| tokens[at - 1].text.as_str() == "+");
        used.map(|at| locals.is_declared_before(at, tokens[at].text)).collect()
    }

    #[test]
    fn a_scope_ends_with_its_block_or_statement() {
        let deep = ["[", "int n; ", "+n;", "]"].map(|part| part.repeat(50_000)).concat();
        let deep = format!("void f() {{ {deep} }}");
        let cases = [
            ("void f() { { int n; +n; { +n; } } +n; }", vec![true, true, false]),
            ("void f() { for (int n = 0; +n;) +n; +n; }", vec![true, true, false]),
            ("void f() { for (int n = 0;;) { { +n; } +n; } +n; }", vec![true, true, false]),
            ("void f() { for (int n : {1, 2}) for (;;) { +n; } +n; }", vec![true, false]),
            ("void f() { if (int n = g()) +n; else if (+n) { +n; } else +n; +n; }", {
                vec![true, true, true, true, false]
            }),
            ("void f() { if (int n = g()) return T{+n}; else { +n; } +n; }", vec![true, true, false]),
            ("void f() { try { } catch (int n) { +n; } +n; }", vec![true, false]),
            ("void f() { h([](int n) { +n; }, +n); +n; }", vec![true, false, false]),
            ("void f() { h([](int n) mutable -> T { +n; }); +n; }", vec![true, false]),
            ("void f(int n) { +n; } void g() { +n; }", vec![true, false]),
            ("struct A { A(int n) : a{n}, b(n) { +n; } };", vec![true]),
            ("void f() { struct { int n; } one; +n; }", vec![false]),
            ("void f() { { enum { n = 1, m = 2 }; +n; +m; } +n; +m; }", { vec![true, true, false, false] }),
            ("void f() { { int n; +n; ", vec![true]),
            ("void f() { for (int n = 0; +n", vec![true]),
            ("void f() { int n; +n; ) +n; }", vec![true, true]),
            (deep.as_str(), vec![true; 50_000]),
        ];
        for (text, expected) in cases {
            assert_eq!(declared(text), expected, "{text}");
        }
    }
}
