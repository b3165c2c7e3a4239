//! The identifiers in a function that mean its parameters and local variables, which hide names of namespaces and
//! classes ([basic.scope.hiding]).
//!
//! In: the tokens of a declaration. Out: those identifiers that mean a local variable for sure; a lambda's parameters,
//! for example, are not among them.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use crate::variance::cut::{DeclKind, TopDeclaration, Word, looks_like_macro, member_functions, word};

use super::mention::declares_another;

/// The identifiers of a declaration that mean parameters or local variables of the function it is, or of a member
/// function that it defines: indices of tokens, ascending.
pub fn locals(tokens: &[PpToken], declaration: &TopDeclaration) -> Vec<usize> {
    let mut found = Vec::new();
    let passes = declaration.passes;
    match declaration.kind {
        DeclKind::Function => {
            let head = declaration.tokens.start..declaration.body;
            let name = declaration.names.first().copied();
            of_function(tokens, name, head, declaration.body..declaration.tokens.end, passes, &mut found);
        }
        DeclKind::Class => {
            let pass = passes.lowest().unwrap_or(0);
            for member in member_functions(tokens, declaration, pass) {
                // A member of a local class lies in a function that was searched already.
                if found.last().is_none_or(|last| *last < member.head.start) {
                    of_function(tokens, member.name, member.head, member.body, passes, &mut found);
                }
            }
        }
        _ => {}
    }
    found
}

fn of_function(
    tokens: &[PpToken],
    name: Option<Symbol>,
    head: Range<usize>,
    body: Range<usize>,
    passes: PassSet,
    found: &mut Vec<usize>,
) {
    let mut locals = Locals::of(passes);
    if let Some(parameters) = name.and_then(|name| parameters(tokens, name, head)) {
        locals.take_parameters(tokens, parameters, found);
    }
    for index in body {
        let token = &tokens[index];
        if !token.passes.meets(passes) {
            continue;
        }
        match token.kind {
            TokenKind::Identifier if word(token.text).is_some() => {
                locals.declares_extern |= token.text == sym::EXTERN;
            }
            TokenKind::Identifier
                if locals.declares(tokens, index)
                    || locals.has(token.text) && is_unqualified(tokens, index) =>
            {
                found.push(index);
            }
            TokenKind::Punctuator => locals.step(token.text),
            _ => {}
        }
    }
}

/// The range of the parameters of a function with this name.
fn parameters(tokens: &[PpToken], name: Symbol, head: Range<usize>) -> Option<Range<usize>> {
    let named =
        |at: &usize| tokens[*at].text == name && *at + 1 < head.end && tokens[at + 1].text == sym::LPAREN;
    let first = head.clone().find(named)?;
    let mut depth = 0;
    let close = (first + 1..head.end).find(|at| {
        match tokens[*at].text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    Some(first + 2..close?)
}

/// No member and no name of a namespace that is spelled out.
fn is_unqualified(tokens: &[PpToken], index: usize) -> bool {
    let before = index.checked_sub(1).map_or(sym::EMPTY, |at| tokens[at].text);
    !matches!(before, sym::DOT | sym::ARROW | sym::SCOPE | sym::TYPENAME | sym::USING | sym::TEMPLATE)
}

/// The token at `index` ends a type, so that a name behind it declares something of that type.
fn ends_a_type(tokens: &[PpToken], index: usize) -> bool {
    let token = &tokens[index];
    let is_pointer = |token: &PpToken| matches!(token.text.as_str(), "*" | "&" | "&&");
    match token.kind {
        TokenKind::Identifier => match word(token.text) {
            None => !looks_like_macro(token.text),
            Some(Word::Type) => true,
            Some(_) => {
                let of_pointer = token.text == sym::CONST && index > 0 && is_pointer(&tokens[index - 1]);
                of_pointer || token.text.as_str().contains("restrict")
            }
        },
        _ => is_pointer(token) || token.text == sym::GREATER,
    }
}

/// The parameters and local variables that are known at a place in a function.
struct Locals {
    passes: PassSet,
    /// Those in scope.
    names: FxHashSet<Symbol>,
    /// The same, each with the number of braces around it, outermost first.
    scopes: Vec<(Symbol, usize)>,
    /// Per open brace, how many other brackets are open in it.
    open: Vec<usize>,
    /// The statement at hand begins with `extern`, so that what it declares is no local variable.
    declares_extern: bool,
}

impl Locals {
    fn of(passes: PassSet) -> Locals {
        let (names, scopes) = (FxHashSet::default(), Vec::new());
        Locals { passes, names, scopes, open: Vec::new(), declares_extern: false }
    }

    /// A name that stands for one further out already goes with that.
    fn add(&mut self, name: Symbol) {
        if self.names.insert(name) {
            self.scopes.push((name, self.open.len()));
        }
    }

    /// A parameter's name ends its declarator, behind its type: not `const Shape`.
    fn take_parameters(&mut self, tokens: &[PpToken], range: Range<usize>, found: &mut Vec<usize>) {
        let (mut depth, mut angles, mut given) = (0, 0, false);
        for index in range.clone() {
            let token = &tokens[index];
            match token.text {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
                sym::LESS if depth == 0 => angles += 1,
                sym::GREATER if depth == 0 => angles -= 1,
                sym::SHR if depth == 0 => angles -= 2,
                sym::COMMA if depth == 0 && angles == 0 => given = false,
                sym::ASSIGN if depth == 0 && angles == 0 => given = true,
                _ if given || depth != 0 || angles != 0 || index == range.start => {}
                text => {
                    let last = index + 1 == range.end
                        || matches!(tokens[index + 1].text, sym::COMMA | sym::ASSIGN | sym::LBRACKET);
                    let name = token.kind == TokenKind::Identifier && word(text).is_none();
                    let everywhere = token.passes.contains(self.passes);
                    if last && name && everywhere && ends_a_type(tokens, index - 1) {
                        self.add(text);
                        found.push(index);
                    }
                }
            }
        }
    }

    /// The identifier declares a local variable, which is known from there on.
    fn declares(&mut self, tokens: &[PpToken], index: usize) -> bool {
        let token = &tokens[index];
        let next = tokens.get(index + 1).map_or(sym::EMPTY, |next| next.text);
        let declares = self.open.last() == Some(&0)
            && !self.declares_extern
            && matches!(next, sym::SEMI | sym::ASSIGN | sym::LBRACKET | sym::LBRACE | sym::COMMA)
            && declares_another(tokens, index)
            && token.passes.contains(self.passes);
        if declares {
            self.add(token.text);
        }
        declares
    }

    /// A bracket or the end of a statement in the body.
    fn step(&mut self, text: Symbol) {
        match text {
            sym::LBRACE => self.open.push(0),
            sym::RBRACE => {
                self.open.pop();
                let depth = self.open.len();
                while let Some((name, _)) = self.scopes.pop_if(|(_, around)| *around > depth) {
                    self.names.remove(&name);
                }
            }
            sym::LPAREN | sym::LBRACKET => {
                if let Some(others) = self.open.last_mut() {
                    *others += 1;
                }
            }
            sym::RPAREN | sym::RBRACKET => {
                if let Some(others) = self.open.last_mut() {
                    *others = others.saturating_sub(1);
                }
            }
            sym::SEMI => self.declares_extern = false,
            _ => {}
        }
    }

    fn has(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }
}
