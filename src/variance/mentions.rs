//! Which identifiers of a declaration can mean names of namespace scope, and whether these vary.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, TopDeclaration};
use super::scoping::{Looked, Namespace, Scoping};
use super::words::{Word, looks_like_macro, word};

/// How an identifier is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mention {
    /// As it is.
    Plain,
    /// What the declaration itself declares.
    Own,
    /// A name that is called: its arguments' namespaces are searched too ([basic.lookup.argdep]).
    Called,
    /// Behind `name::`.
    In(Symbol),
    /// Behind a `::` without a name.
    Global,
    /// In a way that is not told.
    Any,
}

/// Where a name that varies is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    /// `None` where that is not told.
    pub(super) namespace: Option<Namespace>,
    /// It is a function's, or may be.
    pub(super) function: bool,
}

/// The names whose meaning may differ between passes, each with where it does.
#[derive(Clone, Debug, Default)]
pub struct Varying {
    pub(super) homes: FxHashMap<Symbol, SmallVec<[Home; 1]>>,
    pub(super) scoping: Scoping,
}

impl Varying {
    /// The names, in no order.
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        self.homes.keys().copied()
    }

    /// Whether a name varies in some namespace.
    pub fn has(&self, name: Symbol) -> bool {
        self.homes.contains_key(&name)
    }

    /// Whether a part of a declaration mentions a name that varies where the declaration looks for it. `part` lies
    /// in the declaration's own range of `tokens`.
    pub fn is_mentioned(&self, tokens: &[PpToken], declaration: &TopDeclaration, part: Range<usize>) -> bool {
        let mut looked = None;
        let mut found = false;
        each(tokens, declaration, &self.scoping, |index, mention| {
            if found || !part.contains(&index) {
                return;
            }
            let Some(homes) = self.homes.get(&tokens[index].text) else { return };
            let looked = looked.get_or_insert_with(|| self.scoping.looked(tokens, declaration));
            found = homes.iter().any(|home| is_of(&self.scoping, mention, looked, *home));
        });
        found
    }

    /// Whether a declaration declares a name that varies in its namespace.
    pub fn is_declared(&self, tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
        let homes = declaration.names.iter().filter_map(|name| self.homes.get(name)).flatten();
        let homes: Vec<Home> = homes.copied().collect();
        let looked = (!homes.is_empty()).then(|| self.scoping.looked(tokens, declaration));
        looked
            .is_some_and(|looked| homes.iter().any(|home| is_of(&self.scoping, Mention::Own, &looked, *home)))
    }

    /// Notes that a name varies there. False if that is known.
    pub(super) fn add(&mut self, name: Symbol, home: Home) -> bool {
        let homes = self.homes.entry(name).or_default();
        let known = homes.contains(&home);
        if !known {
            homes.push(home);
        }
        !known
    }
}

/// A mention can mean a name that is declared there.
pub(super) fn is_of(scoping: &Scoping, mention: Mention, looked: &Looked, home: Home) -> bool {
    let Some(namespace) = home.namespace else { return true };
    match mention {
        Mention::Any => true,
        Mention::Called if home.function => true,
        Mention::Plain | Mention::Called => scoping.reaches(looked, namespace),
        Mention::Own => match looked {
            Looked::Own(own) | Looked::With(own, _) => *own == namespace,
            Looked::Anywhere => true,
        },
        Mention::In(qualifier) => scoping.qualifies(Some(qualifier), namespace),
        Mention::Global => scoping.qualifies(None, namespace),
    }
}

/// Calls `found` with each identifier of a declaration that can mean a name of namespace scope.
pub(super) fn each(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    scoping: &Scoping,
    mut found: impl FnMut(usize, Mention),
) {
    let mut locals = Locals::of(tokens, declaration);
    for index in declaration.tokens.clone() {
        let token = &tokens[index];
        if !token.passes.meets(declaration.passes) {
            continue;
        }
        match token.kind {
            TokenKind::Identifier if word(token.text).is_some() => {
                locals.declares_extern |= token.text == sym::EXTERN && index >= declaration.body;
            }
            TokenKind::Identifier => {
                let Some(mention) = mention(tokens, index, scoping) else {
                    locals.may_declare(tokens, index);
                    continue;
                };
                let unqualified = matches!(mention, Mention::Plain | Mention::Called);
                let hidden = index >= declaration.body && locals.has(token.text);
                if !(unqualified && (hidden || locals.declared.contains(&index))) {
                    found(index, mention);
                }
            }
            TokenKind::Punctuator if index >= declaration.body => locals.step(token.text),
            _ => {}
        }
    }
}

/// How the identifier is looked up, if it can mean a name of namespace scope.
fn mention(tokens: &[PpToken], index: usize, scoping: &Scoping) -> Option<Mention> {
    let text = |index: Option<usize>| {
        index.and_then(|index| tokens.get(index)).map_or(sym::EMPTY, |token| token.text)
    };
    let plain = || match text(Some(index + 1)) {
        sym::LPAREN | sym::LESS => Mention::Called,
        next if next.as_str() == "<<" => Mention::Called,
        _ => Mention::Plain,
    };
    let before = index.checked_sub(1);
    match text(before) {
        // `f()->name`, or `auto f() -> name`.
        sym::ARROW if text(index.checked_sub(2)) == sym::RPAREN => Some(Mention::Any),
        sym::DOT | sym::ARROW => (text(Some(index + 1)) == sym::SCOPE).then_some(Mention::Any),
        sym::TYPENAME => matches!(text(Some(index + 1)), sym::SCOPE | sym::LESS).then_some(Mention::Plain),
        sym::SCOPE => match index.checked_sub(2).map(|at| &tokens[at]) {
            Some(scope) if scope.kind == TokenKind::Identifier => match word(scope.text) {
                Some(_) => Some(Mention::Global),
                None => scoping.is_namespace(scope.text).then_some(Mention::In(scope.text)),
            },
            Some(scope) => (!matches!(scope.text, sym::GREATER | sym::SHR)).then_some(Mention::Global),
            None => Some(Mention::Global),
        },
        sym::USING => (text(Some(index + 1)) != sym::ASSIGN).then(plain),
        _ => (!declares_another(tokens, index)).then(plain),
    }
}

/// `int name,`: two names, or a type and a name, in a row declare the second.
fn declares_another(tokens: &[PpToken], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|at| &tokens[at]) else { return false };
    let typed = before.kind == TokenKind::Identifier
        && match word(before.text) {
            None => !looks_like_macro(before.text),
            Some(word) => word == Word::Type,
        };
    typed
        && tokens.get(index + 1).is_some_and(|next| {
            matches!(
                next.text,
                sym::COMMA
                    | sym::RPAREN
                    | sym::SEMI
                    | sym::ASSIGN
                    | sym::LBRACKET
                    | sym::LBRACE
                    | sym::LPAREN
                    | sym::COLON
                    | sym::GREATER
            )
        })
}

/// What stands at an index ends a type, so that a word behind it is a name of that type.
fn ends_a_type(tokens: &[PpToken], index: usize) -> bool {
    let token = &tokens[index];
    match token.kind {
        TokenKind::Identifier => match word(token.text) {
            None => !looks_like_macro(token.text),
            Some(Word::Type) => true,
            Some(_) => {
                let text = token.text.as_str();
                let qualifies = token.text == sym::CONST && index > 0;
                text.contains("restrict")
                    || qualifies && matches!(tokens[index - 1].text.as_str(), "*" | "&" | "&&")
            }
        },
        _ => matches!(token.text.as_str(), "*" | "&" | "&&" | ">"),
    }
}

/// The parameters and local variables of a function that hide names of namespaces ([basic.scope.hiding]), as far as
/// they are sure.
struct Locals {
    passes: PassSet,
    /// Where the function's parameters stand, and its body.
    parameters: Range<usize>,
    body: Range<usize>,
    /// Each with the number of braces around it.
    names: Vec<(Symbol, usize)>,
    /// Where the parameters' names stand.
    declared: Vec<usize>,
    /// Per open brace, how many other brackets are open in it.
    open: Vec<usize>,
    /// The statement at hand begins with `extern`, so that what it declares is no local variable.
    declares_extern: bool,
}

impl Locals {
    fn of(tokens: &[PpToken], declaration: &TopDeclaration) -> Locals {
        let body = match declaration.kind {
            DeclKind::Function => declaration.body..declaration.tokens.end,
            _ => 0..0,
        };
        let head = declaration.tokens.start..declaration.body;
        let named = |at: &usize| {
            declaration.names.first() == Some(&tokens[*at].text) && tokens[at + 1].text == sym::LPAREN
        };
        let first = (!body.is_empty()).then(|| head.clone().find(named)).flatten();
        let parameters = first.map_or(0..0, |first| {
            let mut depth = 0;
            let close = (first + 1..head.end).find(|at| {
                match tokens[*at].text {
                    sym::LPAREN => depth += 1,
                    sym::RPAREN => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            first + 2..close.unwrap_or(first + 2)
        });
        let mut locals = Locals {
            passes: declaration.passes,
            parameters,
            body,
            names: Vec::new(),
            declared: Vec::new(),
            open: Vec::new(),
            declares_extern: false,
        };
        locals.note_parameters(tokens);
        locals
    }

    /// A parameter's name ends its declarator, behind its type: not `const Shape`.
    fn note_parameters(&mut self, tokens: &[PpToken]) {
        let (mut depth, mut angles, mut given) = (0, 0, false);
        for index in self.parameters.clone() {
            let token = &tokens[index];
            let ends = depth == 0
                && angles == 0
                && (index + 1 == self.parameters.end
                    || matches!(tokens[index + 1].text, sym::COMMA | sym::ASSIGN | sym::LBRACKET));
            match token.text {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
                sym::LESS if depth == 0 => angles += 1,
                sym::GREATER if depth == 0 => angles -= 1,
                sym::SHR if depth == 0 => angles -= 2,
                sym::COMMA if depth == 0 && angles == 0 => given = false,
                sym::ASSIGN if depth == 0 && angles == 0 => given = true,
                _ => {
                    let name = token.kind == TokenKind::Identifier && word(token.text).is_none();
                    let typed = || index > self.parameters.start && ends_a_type(tokens, index - 1);
                    if ends && !given && name && typed() && token.passes.contains(self.passes) {
                        self.names.push((token.text, 0));
                        self.declared.push(index);
                    }
                }
            }
        }
    }

    /// An identifier that stands where a declaration has the name it declares.
    fn may_declare(&mut self, tokens: &[PpToken], index: usize) {
        if !self.body.contains(&index) || self.open.last() != Some(&0) || self.declares_extern {
            return;
        }
        let token = &tokens[index];
        let next = tokens.get(index + 1).map_or(sym::EMPTY, |next| next.text);
        let variable = matches!(next, sym::SEMI | sym::ASSIGN | sym::LBRACKET | sym::LBRACE | sym::COMMA);
        if variable && declares_another(tokens, index) && token.passes.contains(self.passes) {
            self.names.push((token.text, self.open.len()));
        }
    }

    /// A bracket or the end of a statement in the body.
    fn step(&mut self, text: Symbol) {
        match text {
            sym::LBRACE => self.open.push(0),
            sym::RBRACE => {
                self.open.pop();
                let depth = self.open.len();
                self.names.retain(|(_, around)| *around <= depth);
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
        self.names.iter().any(|(known, _)| *known == name)
    }
}
