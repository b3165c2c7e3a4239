//! The names that a declaration gives to types itself: template parameters, and the types that its classes and blocks declare;
//! and where a function's own name stands.
//!
//! In: the tokens of a declaration. Out: [`OwnNames`]: which identifiers denote these, so that they denote nothing of
//! namespace scope that is spelled alike. What is not told by brackets and words alone is left out.

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration, word};

/// The unqualified identifiers of a declaration that denote template parameters or types of its own, or the function that it
/// declares.
#[derive(Debug, Default)]
pub(super) struct OwnNames {
    /// Where they are, as indices of tokens, ascending, and what they denote.
    uses: Vec<(usize, Own)>,
    /// The tokens of the types that aliases stand for. One mentions only those before it.
    aliased: Vec<(Range<usize>, Identifiers)>,
    /// The names of the types.
    types: Vec<Symbol>,
    /// The braces nest in the same way in every pass, so that all are known.
    is_told: bool,
}

/// The identifiers that an alias stands for, once they are asked for.
type Identifiers = OnceCell<Box<[usize]>>;

/// What such an identifier denotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Own {
    /// A template parameter, or an alias where it is declared: nothing that is known elsewhere.
    Parameter,
    /// An alias, by its number.
    Alias(usize),
    /// A class or an enumeration.
    Class,
    /// The function that is declared.
    Function,
}

impl OwnNames {
    /// Those of a declaration; none where its braces do not nest in the same way in every pass that has some.
    pub(super) fn of(tokens: &[PpToken], declaration: &TopDeclaration) -> OwnNames {
        let mut search = Search {
            tokens,
            passes: declaration.passes,
            end: declaration.tokens.end,
            head_end: 0,
            scopes: Vec::new(),
            meant: FxHashMap::default(),
            known_from: Vec::new(),
            found: OwnNames::default(),
        };
        for index in declaration.tokens.clone() {
            if !search.step(index) {
                return OwnNames::default();
            }
        }
        if search.is_in_block() {
            return OwnNames::default();
        }
        search.note_function(declaration);
        let mut found = OwnNames { is_told: true, ..search.found };
        found.uses.sort_by_key(|(at, _)| *at);
        found.uses.dedup_by_key(|(at, _)| *at);
        found
    }

    /// What the identifier that is token `index` denotes of these.
    pub(super) fn at(&self, index: usize) -> Option<Own> {
        let place = self.uses.binary_search_by_key(&index, |(at, _)| *at).ok()?;
        Some(self.uses[place].1)
    }

    /// Whether all of them are known.
    pub(super) fn are_told(&self) -> bool {
        self.is_told
    }

    /// The names of the types, in no order.
    pub(super) fn types(&self) -> &[Symbol] {
        &self.types
    }

    /// The identifiers that an alias stands for, as indices of tokens, those that aliases in it stand for included.
    pub(super) fn aliased(&self, tokens: &[PpToken], alias: usize) -> &[usize] {
        let (range, known) = &self.aliased[alias];
        known.get_or_init(|| {
            let mut all = Vec::new();
            for index in range.clone().filter(|index| tokens[*index].kind == TokenKind::Identifier) {
                match self.at(index) {
                    Some(Own::Alias(other)) => all.extend_from_slice(self.aliased(tokens, other)),
                    Some(Own::Parameter) => {}
                    _ => all.push(index),
                }
            }
            all.sort_unstable();
            all.dedup();
            all.into()
        })
    }
}

/// Code in which names are known.
struct KnownScope {
    /// The passes of the brace that opens it; `None` for a template, from its head to the end of what is declared.
    braces: Option<PassSet>,
    /// How many parentheses and square brackets are open in it.
    open: usize,
    /// The names that are known in it, with what they mean outside.
    added: Vec<(Symbol, Option<Own>)>,
}

/// The search through the tokens of a declaration.
struct Search<'t> {
    tokens: &'t [PpToken],
    passes: PassSet,
    end: usize,
    /// Where the last template parameter list ends.
    head_end: usize,
    /// From the outside in.
    scopes: Vec<KnownScope>,
    meant: FxHashMap<Symbol, Own>,
    /// What will be known from a token on, the next one last.
    known_from: Vec<(usize, Symbol, Own)>,
    found: OwnNames,
}

impl Search<'_> {
    /// Notes where the name of a function of namespace scope stands that is declared here without a qualifier: outside of
    /// parentheses and of template parameters and arguments, before its own parameters.
    fn note_function(&mut self, declaration: &TopDeclaration) {
        let is_function = matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype);
        let [name] = declaration.names[..] else { return };
        let (mut brackets, mut angles) = (0_i32, 0_i32);
        let head = declaration.tokens.start..if is_function { declaration.body } else { 0 };
        for index in head {
            match self.text(index) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => brackets += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => brackets -= 1,
                sym::LESS if brackets == 0 => angles += 1,
                sym::GREATER if brackets == 0 => angles -= 1,
                sym::SHR if brackets == 0 => angles -= 2,
                text if text == name
                    && (brackets, angles) == (0, 0)
                    && self.text(index + 1) == sym::LPAREN =>
                {
                    self.found.uses.push((index, Own::Function));
                }
                _ => {}
            }
        }
    }

    fn text(&self, index: usize) -> Symbol {
        if index < self.end { self.tokens[index].text } else { sym::EMPTY }
    }

    fn before(&self, index: usize) -> Symbol {
        index.checked_sub(1).map_or(sym::EMPTY, |at| self.text(at))
    }

    /// Goes on to a token; `false` where the braces do not nest.
    fn step(&mut self, index: usize) -> bool {
        while let Some((_, name, own)) = self.known_from.pop_if(|(from, ..)| *from <= index) {
            self.know(name, own);
        }
        match self.text(index) {
            sym::LBRACE => self.enter(Some(self.tokens[index].passes)),
            sym::RBRACE => {
                while self.scopes.last().is_some_and(|scope| scope.braces.is_none()) && self.is_in_block() {
                    self.leave();
                }
                if self.scopes.last().and_then(|scope| scope.braces) != Some(self.tokens[index].passes) {
                    return false;
                }
                self.leave();
                self.end_templates();
            }
            sym::SEMI => self.end_templates(),
            sym::LPAREN | sym::LBRACKET => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.open += 1;
                }
            }
            sym::RPAREN | sym::RBRACKET => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.open = scope.open.saturating_sub(1);
                }
            }
            sym::TEMPLATE if self.text(index + 1) == sym::LESS && index >= self.head_end => {
                self.enter(None);
                self.parameters(index + 2);
            }
            sym::USING | sym::TYPEDEF | sym::CLASS | sym::STRUCT | sym::UNION | sym::ENUM
                if self.is_in_block() && self.begins(index) =>
            {
                self.type_declared(index);
            }
            name => self.use_of(index, name),
        }
        true
    }

    /// Whether the code at hand is in braces.
    fn is_in_block(&self) -> bool {
        self.scopes.iter().any(|scope| scope.braces.is_some())
    }

    /// Whether a token begins a declaration.
    fn begins(&self, index: usize) -> bool {
        matches!(
            self.before(index),
            sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON | sym::GREATER | sym::SHR
        )
    }

    fn enter(&mut self, braces: Option<PassSet>) {
        self.scopes.push(KnownScope { braces, open: 0, added: Vec::new() });
    }

    /// Ends the templates whose declarations end here. That of the whole declaration ends with it.
    fn end_templates(&mut self) {
        let ends = |scope: &KnownScope| scope.braces.is_none() && scope.open == 0;
        while self.is_in_block() && self.scopes.last().is_some_and(ends) {
            self.leave();
        }
    }

    fn leave(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for (name, outside) in scope.added.into_iter().rev() {
            match outside {
                Some(own) => _ = self.meant.insert(name, own),
                None => _ = self.meant.remove(&name),
            }
        }
    }

    /// Notes what a name means from here on: a parameter in the template at hand, a type in the block or class at hand.
    fn know(&mut self, name: Symbol, own: Own) {
        let is_parameter = own == Own::Parameter;
        let mut scopes = self.scopes.iter_mut().rev();
        if let Some(scope) = scopes.find(|scope| scope.braces.is_none() == is_parameter) {
            let outside = self.meant.insert(name, own);
            scope.added.push((name, outside));
        }
        if !is_parameter {
            self.found.types.push(name);
        }
    }

    /// Whether a token is a name that a declaration can give in every pass.
    fn is_name(&self, index: usize) -> bool {
        index < self.end
            && self.tokens[index].kind == TokenKind::Identifier
            && word(self.tokens[index].text).is_none()
            && self.tokens[index].passes.contains(self.passes)
    }

    /// Notes the names of a template's parameters, which begin at a token. Each is known behind its default argument
    /// ([basic.scope.pdecl]).
    fn parameters(&mut self, first: usize) {
        let (mut depth, mut brackets) = (1_i32, 0_i32);
        let (mut start, mut name) = (first, None);
        let mut found = Vec::new();
        for index in first..self.end {
            match self.text(index) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => brackets += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => brackets -= 1,
                sym::LESS if brackets == 0 => depth += 1,
                sym::GREATER if brackets == 0 => depth -= 1,
                sym::SHR if brackets == 0 => depth -= 2,
                sym::SEMI => return,
                sym::ASSIGN if depth == 1 && brackets == 0 => {
                    name = name.or_else(|| self.parameter(start, index));
                    start = self.end;
                }
                _ => {}
            }
            let ends = depth <= 0 || depth == 1 && brackets == 0 && self.text(index) == sym::COMMA;
            if ends {
                let name = name.take().or_else(|| self.parameter(start, index));
                found.extend(name.map(|name| (index, name, Own::Parameter)));
                start = index + 1;
            }
            if depth <= 0 {
                self.head_end = index;
                self.known_from.extend(found);
                self.known_from.sort_unstable_by_key(|(from, ..)| std::cmp::Reverse(*from));
                return;
            }
        }
    }

    /// The name of the template parameter of some tokens, if it has one: it stands behind a type, a concept or a keyword.
    fn parameter(&mut self, start: usize, end: usize) -> Option<Symbol> {
        let last = end.checked_sub(1).filter(|last| *last > start)?;
        let is_type = match self.text(last - 1) {
            sym::CONST | sym::VOLATILE | sym::SCOPE => true,
            sym::TYPENAME => last - 1 > start,
            _ => false,
        };
        if !self.is_name(last) || is_type {
            return None;
        }
        self.found.uses.push((last, Own::Parameter));
        Some(self.text(last))
    }

    /// Where the declaration ends that begins with a token: its semicolon.
    fn semicolon(&self, index: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let end = (index + 1..self.end).find(|at| {
            match self.text(*at) {
                sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
                sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth -= 1,
                _ => {}
            }
            depth < 0 || depth == 0 && self.text(*at) == sym::SEMI
        });
        end.filter(|at| self.text(*at) == sym::SEMI)
    }

    /// Notes the name of a type that a class or block declares, behind the keyword that is token `index`.
    fn type_declared(&mut self, index: usize) {
        let end = |search: &Self| search.semicolon(index);
        let (name, aliased) = match self.text(index) {
            sym::USING if self.text(index + 2) == sym::ASSIGN => match end(self) {
                Some(end) => (index + 1, index + 3..end),
                None => return,
            },
            sym::USING => return,
            sym::TYPEDEF => match end(self) {
                Some(end) => (end - 1, index + 1..end - 1),
                None => return,
            },
            key => {
                let is_scoped = key == sym::ENUM && matches!(self.text(index + 1), sym::CLASS | sym::STRUCT);
                let name = index + 1 + usize::from(is_scoped);
                let behind = self.text(name + 1);
                let declares = matches!(behind, sym::LBRACE | sym::SEMI | sym::COLON | sym::FINAL);
                if declares && self.is_name(name) {
                    self.know(self.text(name), Own::Class);
                }
                return;
            }
        };
        if self.is_name(name) {
            self.found.uses.push((name, Own::Parameter));
            let number = self.found.aliased.len();
            let semicolon = aliased.end.max(name + 1);
            self.found.aliased.push((aliased, OnceCell::new()));
            self.known_from.push((semicolon, self.text(name), Own::Alias(number)));
            self.known_from.sort_unstable_by_key(|(from, ..)| std::cmp::Reverse(*from));
        }
    }

    /// Notes a use of a known name.
    fn use_of(&mut self, index: usize, name: Symbol) {
        let Some(own) = self.meant.get(&name) else { return };
        if !matches!(self.before(index), sym::SCOPE | sym::DOT | sym::ARROW | sym::TEMPLATE) {
            self.found.uses.push((index, *own));
        }
    }
}
