//! Cuts the merged token stream into top-level declarations, for all passes in one walk.
//!
//! The walk keeps *classes* of passes that are in the same state: same scope, same open brackets,
//! same first token of the declaration at hand. A token that exists in a part of a class splits it;
//! classes whose states have become equal are one again. Nearly always there is one class.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{FileId, Symbol, TokenKind, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, Scope, ScopeId, TopDeclaration, Varies};
use super::head::{Names, Opens, Parts, Shape, describe, opens};
use super::said::Kept;
use super::unclosed::{Braces, begins_another, closes_all, is_behind_a_head};
use super::words::{Word, is_specifier, word};

/// What cutting yields.
pub(super) struct Cut {
    /// The declarations, ordered by first token, then by lowest pass.
    pub(super) declarations: Vec<TopDeclaration>,
    /// Every scope.
    pub(super) scopes: Vec<Scope>,
}

/// A cut as far as the first tokens go, at a place between two declarations.
#[derive(Clone, Debug)]
pub struct Begun {
    /// How many tokens.
    pub(super) tokens: usize,
    pub(super) all: PassSet,
    classes: Vec<Class>,
    scopes: Vec<Scope>,
    pub(super) declarations: Vec<TopDeclaration>,
    /// What later stages found in them.
    pub(super) kept: Arc<Kept>,
    /// The braces of these tokens, and the files that were known to leave some open.
    braces: Braces,
    unclosed: FxHashSet<FileId>,
}

impl Begun {
    /// The cut goes on as it was begun, with all these tokens: the headers in it leave no other braces open.
    pub(super) fn stands(&self, tokens: &[PpToken]) -> bool {
        self.braces.same_files(&self.unclosed, &self.unclosed_with(tokens))
    }

    /// The files of all these tokens that leave braces open.
    fn unclosed_with(&self, tokens: &[PpToken]) -> FxHashSet<FileId> {
        let mut braces = self.braces.clone();
        braces.count(&tokens[self.tokens..], self.all);
        braces.unclosed()
    }
}

/// Cuts `tokens` into the declarations of the passes in `all`, going on from a cut that was begun. If `keep` is
/// between two declarations, the cut of that many tokens is given too.
pub(super) fn cut(
    tokens: &[PpToken],
    all: PassSet,
    begun: Option<&Begun>,
    keep: Option<usize>,
) -> (Cut, Option<Begun>) {
    let global = Scope { parent: None, name: None, inline: false, unnamed: false, extern_c: false };
    let begun = begun.filter(|begun| begun.all == all).cloned().unwrap_or_else(|| Begun {
        tokens: 0,
        all,
        classes: vec![Class { passes: all, state: State::between(Vec::new()), uneven: false }],
        scopes: vec![global],
        declarations: Vec::new(),
        kept: Arc::default(),
        braces: Braces::default(),
        unclosed: FxHashSet::default(),
    });
    let unclosed = begun.unclosed_with(tokens);
    let Begun { tokens: first, mut classes, scopes, declarations, mut braces, .. } = begun;
    let ids = (0..scopes.len()).map(|id| ScopeId(id as u32));
    let known_scopes = scopes.iter().cloned().zip(ids).collect();
    let mut cutter = Cutter { tokens, scopes, known_scopes, declarations, unclosed };
    let mut kept = None;
    if !all.is_empty() {
        let middle = keep.filter(|keep| (first..tokens.len()).contains(keep)).unwrap_or(first);
        cutter.walk(&mut classes, first..middle);
        if Some(middle) == keep && cutter.is_between(&classes, middle) {
            let (scopes, declarations) = (cutter.scopes.clone(), cutter.declarations.clone());
            braces.count(&tokens[first..middle], all);
            let (classes, unclosed) = (classes.clone(), cutter.unclosed.clone());
            kept = Some(Begun {
                tokens: middle,
                all,
                classes,
                scopes,
                declarations,
                kept: Arc::default(),
                braces,
                unclosed,
            });
        }
        cutter.walk(&mut classes, middle..tokens.len());
        for class in &mut classes {
            cutter.finish(class, tokens.len());
        }
    }
    let mut declarations = cutter.declarations;
    declarations.sort_by_key(|declaration| (declaration.tokens.start, declaration.passes.lowest()));
    (Cut { declarations, scopes: cutter.scopes }, kept)
}

/// Passes that are in the same state.
#[derive(Clone, Debug)]
struct Class {
    passes: PassSet,
    state: State,
    /// The declaration at hand may have different tokens in some of the passes.
    uneven: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    /// The scope inside each open brace, outermost first; `namespace a::b {` has one.
    scopes: Vec<ScopeId>,
    /// First token of the declaration at hand.
    start: Option<usize>,
    /// Open brackets inside the declaration.
    open: Vec<Symbol>,
    shape: Shape,
    /// The body's braces, the last one exclusive once it is known.
    body: Range<usize>,
    /// A function try block whose handlers follow.
    handlers: bool,
}

impl State {
    /// Between two declarations.
    fn between(scopes: Vec<ScopeId>) -> State {
        State { scopes, start: None, open: Vec::new(), shape: Shape::Plain, body: 0..0, handlers: false }
    }

    /// A `{` before the first declaration of a scope.
    fn enter(&mut self, scope: ScopeId) {
        let mut scopes = std::mem::take(&mut self.scopes);
        scopes.push(scope);
        *self = State::between(scopes);
    }

    /// The innermost scope.
    fn scope(&self) -> ScopeId {
        self.scopes.last().copied().unwrap_or(ScopeId::GLOBAL)
    }
}

struct Cutter<'a> {
    tokens: &'a [PpToken],
    scopes: Vec<Scope>,
    known_scopes: FxHashMap<Scope, ScopeId>,
    /// Each with its class's body.
    declarations: Vec<TopDeclaration>,
    /// The files that open more braces than they close.
    unclosed: FxHashSet<FileId>,
}

impl Cutter<'_> {
    /// What comes before a token is the same whatever it is.
    fn is_between(&self, classes: &[Class], index: usize) -> bool {
        let ends = index
            .checked_sub(1)
            .is_some_and(|last| matches!(self.tokens[last].text, sym::SEMI | sym::RBRACE));
        // Handlers may follow a function try block.
        let tries =
            |one: &TopDeclaration| self.tokens[one.tokens.clone()].iter().any(|token| token.text == sym::TRY);
        let last = self.declarations.iter().rev().take_while(|one| one.tokens.end == index);
        ends && classes.iter().all(|class| class.state.start.is_none()) && !last.into_iter().any(tries)
    }

    fn walk(&mut self, classes: &mut Vec<Class>, range: Range<usize>) {
        let tokens = self.tokens;
        for (index, token) in tokens.iter().enumerate().take(range.end).skip(range.start) {
            if let [class] = classes.as_mut_slice()
                && token.passes.contains(class.passes)
            {
                if is_inert(class, token) && !token.line_start {
                    continue;
                }
                if let Some(other) = self.step(class, index) {
                    classes.extend(other);
                    merge(classes, tokens);
                }
                continue;
            }
            self.step_some(classes, index);
        }
    }

    /// Steps the classes, and parts of classes, that have the token.
    fn step_some(&mut self, classes: &mut Vec<Class>, index: usize) {
        let passes = self.tokens[index].passes;
        let mut next: Vec<Class> = Vec::with_capacity(classes.len() + 1);
        for mut class in classes.drain(..) {
            let having = class.passes.and(passes);
            let rest = class.passes.minus(passes);
            if having.is_empty() {
                next.push(class);
                continue;
            }
            if !rest.is_empty() {
                next.push(Class { passes: rest, ..class.clone() });
                class.passes = having;
            }
            next.extend(self.step(&mut class, index).unwrap_or_default());
            next.push(class);
        }
        *classes = next;
        merge(classes, self.tokens);
    }

    /// Moves a class over a token. Passes whose declaration turned out to be of another shape are
    /// split off and returned.
    fn step(&mut self, class: &mut Class, index: usize) -> Option<Vec<Class>> {
        let text = self.tokens[index].text;
        if self.is_beyond(class, index) {
            self.finish(class, index);
        }
        if class.state.start.is_none() {
            match text {
                sym::SEMI | sym::RPAREN | sym::RBRACKET => return None,
                sym::RBRACE => {
                    class.state.scopes.pop();
                    return None;
                }
                _ => class.state.start = Some(index),
            }
        }
        match text {
            sym::LPAREN | sym::LBRACKET => class.state.open.push(text),
            sym::LBRACE if class.state.open.is_empty() => return self.open_brace(class, index),
            sym::LBRACE => class.state.open.push(text),
            sym::RPAREN | sym::RBRACKET => self.close(class, index),
            sym::RBRACE => self.close_brace(class, index),
            sym::SEMI if !class.state.open.contains(&sym::LBRACE) => self.finish(class, index + 1),
            _ => {}
        }
        None
    }

    /// The token can't be part of the declaration at hand, whose brackets are not closed.
    fn is_beyond(&self, class: &Class, index: usize) -> bool {
        let (token, lowest) = (&self.tokens[index], class.passes.lowest().unwrap_or(0));
        let Some(start) = class.state.start.filter(|_| token.line_start) else { return false };
        match class.state.open.first() {
            None => false,
            Some(_) if !class.state.open.contains(&sym::LBRACE) => {
                is_behind_a_head(self.tokens, index, lowest)
            }
            Some(_) => {
                let is_function = class.state.shape == Shape::Function;
                self.is_unclosed(start, index)
                    && begins_another(self.tokens, start, index, lowest, is_function)
            }
        }
    }

    /// Both are of one file, which leaves braces open.
    fn is_unclosed(&self, start: usize, index: usize) -> bool {
        let (first, token) = (&self.tokens[start], &self.tokens[index]);
        first.at.file == token.at.file && self.unclosed.contains(&token.at.file)
    }

    fn close(&mut self, class: &mut Class, index: usize) {
        let opener = if self.tokens[index].text == sym::RPAREN { sym::LPAREN } else { sym::LBRACKET };
        let open = &mut class.state.open;
        let braces = open.iter().rposition(|text| *text == sym::LBRACE).map_or(0, |at| at + 1);
        if let Some(depth) = open[braces..].iter().rposition(|text| *text == opener) {
            open.truncate(braces + depth);
        }
        if open.is_empty() && opener == sym::LPAREN && self.ends_macro_call(class, index) {
            self.finish(class, index + 1);
        }
    }

    fn close_brace(&mut self, class: &mut Class, index: usize) {
        let Some(depth) = class.state.open.iter().rposition(|text| *text == sym::LBRACE) else {
            self.finish(class, index);
            class.state.scopes.pop();
            return;
        };
        let start = class.state.start.unwrap_or(index);
        let all = self.is_unclosed(start, index) && closes_all(self.tokens, start, index);
        let state = &mut class.state;
        let depth = match state.open.iter().position(|text| *text == sym::LBRACE) {
            Some(first) if all => first,
            _ => depth,
        };
        state.open.truncate(depth);
        if depth > 0 {
            return;
        }
        if state.body.end == usize::MAX {
            state.body.end = index + 1;
        }
        if state.shape != Shape::Function {
            return;
        }
        let lowest = class.passes.lowest().unwrap_or(0);
        let catches = state.handlers && self.next(index, lowest).is_some_and(|next| next.text == sym::CATCH);
        if !catches {
            self.finish(class, index + 1);
        }
    }

    /// The next token of a pass.
    fn next(&self, index: usize, pass: usize) -> Option<&PpToken> {
        self.tokens[index + 1..].iter().find(|token| token.passes.has(pass))
    }

    /// A `{` that stands in no other bracket of its declaration.
    fn open_brace(&mut self, class: &mut Class, index: usize) -> Option<Vec<Class>> {
        if class.state.shape != Shape::Plain {
            class.state.open.push(sym::LBRACE);
            return None;
        }
        let start = class.state.start.unwrap_or(index);
        let lowest = class.passes.lowest().unwrap_or(0);
        if !class.uneven {
            let opened = opens(self.tokens, start..index, lowest);
            self.enter(class, index, opened);
            return None;
        }
        let mut parts: Vec<(Opens, PassSet)> = Vec::new();
        for pass in class.passes.iter() {
            let opened = opens(self.tokens, start..index, pass);
            match parts.iter_mut().find(|(other, _)| *other == opened) {
                Some((_, passes)) => *passes = passes.or(PassSet::single(pass)),
                None => parts.push((opened, PassSet::single(pass))),
            }
        }
        let whole = class.clone();
        let mut others = Vec::new();
        for (number, (opened, passes)) in parts.into_iter().enumerate() {
            let mut part = Class { passes, ..whole.clone() };
            self.enter(&mut part, index, opened);
            if number == 0 {
                *class = part;
            } else {
                others.push(part);
            }
        }
        Some(others)
    }

    /// Does what the `{` at `index` asks for.
    fn enter(&mut self, class: &mut Class, index: usize, opened: Opens) {
        let state = &mut class.state;
        match opened {
            Opens::Namespace(names) => {
                let mut scope = state.scope();
                for namespace in names {
                    scope = self.scope(Scope {
                        parent: Some(scope),
                        name: namespace.name,
                        inline: namespace.inline,
                        unnamed: namespace.name.is_none(),
                        extern_c: false,
                    });
                }
                state.enter(scope);
                class.uneven = false;
                return;
            }
            Opens::Linkage { c } => {
                let parent = Some(state.scope());
                let scope = Scope { parent, name: None, inline: false, unnamed: false, extern_c: c };
                state.enter(self.scope(scope));
                class.uneven = false;
                return;
            }
            Opens::Function { handlers } => {
                state.shape = Shape::Function;
                state.handlers = handlers;
                state.body = index..usize::MAX;
            }
            Opens::Class => {
                state.shape = Shape::Class;
                state.body = index..usize::MAX;
            }
            Opens::Enum => {
                state.shape = Shape::Enum;
                state.body = index..usize::MAX;
            }
            Opens::Part => {}
        }
        state.open.push(sym::LBRACE);
    }

    fn scope(&mut self, scope: Scope) -> ScopeId {
        if let Some(id) = self.known_scopes.get(&scope) {
            return *id;
        }
        let id = ScopeId(self.scopes.len() as u32);
        self.scopes.push(scope.clone());
        self.known_scopes.insert(scope, id);
        id
    }

    /// The declaration is `NAME(…)` up to the `)` at `index`, and what follows can't continue it: a
    /// macro whose header was not found.
    fn ends_macro_call(&self, class: &Class, index: usize) -> bool {
        let Some(start) = class.state.start else { return false };
        let lowest = class.passes.lowest().unwrap_or(0);
        let first = &self.tokens[start];
        let opens = self.next(start, lowest).is_some_and(|token| token.text == sym::LPAREN);
        if !opens || first.kind != TokenKind::Identifier || word(first.text).is_some() {
            return false;
        }
        if class.state.shape != Shape::Plain || !self.encloses_rest(start, index, lowest) {
            return false;
        }
        let Some(next) = self.next(index, lowest) else { return true };
        if next.kind != TokenKind::Identifier {
            return false;
        }
        match word(next.text) {
            None | Some(Word::Type | Word::TypeCall) => next.line_start,
            Some(Word::SpecifierCall | Word::Align | Word::Asm) => false,
            Some(Word::Annotation | Word::AnnotationCall) => next.line_start,
            Some(Word::Keyword) => !matches!(
                next.text,
                sym::CONST | sym::VOLATILE | sym::TRY | sym::OVERRIDE | sym::FINAL | sym::OPERATOR
            ),
        }
    }

    /// The `(` after `start` closes at `index`, so that nothing stands between.
    fn encloses_rest(&self, start: usize, index: usize, pass: usize) -> bool {
        let mut depth = 0;
        for (at, token) in self.tokens.iter().enumerate().take(index + 1).skip(start + 1) {
            if !token.passes.has(pass) {
                continue;
            }
            match token.text {
                sym::LPAREN => depth += 1,
                sym::RPAREN => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at == index;
            }
        }
        false
    }

    /// Ends the declaration at hand, if there is one, before token `end`.
    fn finish(&mut self, class: &mut Class, end: usize) {
        let next = State::between(class.state.scopes.clone());
        let state = std::mem::replace(&mut class.state, next);
        let uneven = std::mem::replace(&mut class.uneven, false);
        let Some(start) = state.start.filter(|start| *start < end) else { return };
        let (kind, names) = self.describe(&state, start..end, class.passes, uneven);
        let body = if state.shape == Shape::Function { state.body.start } else { end };
        let class_body = match state.shape {
            Shape::Class => state.body.start..state.body.end.min(end),
            _ => end..end,
        };
        self.declarations.push(TopDeclaration {
            passes: class.passes,
            tokens: start..end,
            scope: state.scope(),
            kind,
            declared: names.declared.len(),
            names: [names.declared, names.qualifiers].concat(),
            body,
            class_body,
            varies: Varies::default(),
        });
    }

    /// Kind and names. Where the passes have different tokens each is asked for its names.
    fn describe(
        &self,
        state: &State,
        tokens: Range<usize>,
        passes: PassSet,
        uneven: bool,
    ) -> (DeclKind, Names) {
        let body_end = state.body.end.min(tokens.end);
        let parts = match state.shape {
            Shape::Plain => Parts {
                head: tokens.clone(),
                body: tokens.end..tokens.end,
                tail: tokens.end..tokens.end,
                shape: Shape::Plain,
            },
            shape => Parts {
                head: tokens.start..state.body.start,
                body: state.body.start..body_end,
                tail: body_end..tokens.end,
                shape,
            },
        };
        let lowest = passes.lowest().unwrap_or(0);
        let (kind, mut names) = describe(self.tokens, &parts, lowest);
        if uneven {
            for pass in passes.iter().skip(1) {
                names.extend(describe(self.tokens, &parts, pass).1);
            }
        }
        (kind, names)
    }
}

/// The token can't change the class's state.
fn is_inert(class: &Class, token: &PpToken) -> bool {
    token.kind != TokenKind::Punctuator && class.state.start.is_some()
}

/// Makes one class of those whose states are equal. Their declaration then has different tokens.
fn merge(classes: &mut Vec<Class>, tokens: &[PpToken]) {
    let mut kept: Vec<Class> = Vec::with_capacity(classes.len());
    for class in classes.drain(..) {
        match kept.iter_mut().find(|other| are_one(&other.state, &class.state, tokens)) {
            Some(other) => {
                other.passes = other.passes.or(class.passes);
                other.uneven |= class.uneven || class.state.start.is_some();
                other.state.start = other.state.start.min(class.state.start);
            }
            None => kept.push(class),
        }
    }
    *classes = kept;
}

/// The states are equal, except that one declaration may begin with specifiers that the other lacks.
fn are_one(one: &State, other: &State, tokens: &[PpToken]) -> bool {
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (one.start, other.start) else { return false };
    let specifiers =
        tokens[first.min(second)..first.max(second)].iter().all(|token| is_specifier(token.text));
    specifiers && State { start: other.start, ..one.clone() } == *other
}
