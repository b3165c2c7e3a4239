//! The step of the cut: what one token does to a class of passes, and the declaration that it ends.
//!
//! In: tokens, in order, and the classes of passes ([`super::state`]). Out: [`Cutter`]'s scopes and declarations.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::PpToken;
use crate::source::{FileId, TokenKind, sym};
use crate::target::PassSet;

use super::declarations::{DeclKind, Known, Scope, ScopeId, TopDeclaration, Varies};
use super::declarators::DeclaredNames;
use super::describe::{Parts, Shape, describe};
use super::known::KnownCuts;
use super::opens::{Opens, opens};
use super::state::{Class, State, merge};
use super::unclosed::{Around, begins_another, closes_all, is_behind_a_head};
use super::words::{Word, looks_like_macro, word};

/// Whether all passes are between two declarations alike.
fn is_between(classes: &[Class]) -> bool {
    matches!(classes, [class] if class.state.start.is_none())
}

/// A cut at work.
pub(super) struct Cutter<'t> {
    tokens: &'t [PpToken],
    /// Every scope so far.
    pub(super) scopes: Vec<Scope>,
    known_scopes: FxHashMap<Scope, ScopeId>,
    /// Every declaration that has ended.
    pub(super) declarations: Vec<TopDeclaration>,
    /// The files that open more braces than they close.
    pub(super) unclosed: FxHashSet<FileId>,
}

impl Cutter<'_> {
    /// Goes on with these scopes, declarations and files that leave braces open.
    pub(super) fn new(
        tokens: &[PpToken],
        scopes: Vec<Scope>,
        declarations: Vec<TopDeclaration>,
        unclosed: FxHashSet<FileId>,
    ) -> Cutter<'_> {
        let ids = (0..scopes.len()).map(|id| ScopeId(id as u32));
        let known_scopes = scopes.iter().cloned().zip(ids).collect();
        Cutter { tokens, scopes, known_scopes, declarations, unclosed }
    }

    /// The token at `index` begins a declaration of every class, and what stands before is cut in the same way whatever
    /// follows.
    pub(super) fn is_between(&self, classes: &[Class], index: usize) -> bool {
        let ends = index
            .checked_sub(1)
            .is_some_and(|last| matches!(self.tokens[last].text, sym::SEMI | sym::RBRACE));
        // Handlers may follow a function try block.
        let tries =
            |one: &TopDeclaration| self.tokens[one.tokens.clone()].iter().any(|token| token.text == sym::TRY);
        let last = self.declarations.iter().rev().take_while(|one| one.tokens.end == index);
        ends && classes.iter().all(|class| class.state.start.is_none()) && !last.into_iter().any(tries)
    }

    /// Moves all classes over a range of tokens, or over declarations whose cut is known.
    pub(super) fn walk(&mut self, classes: &mut Vec<Class>, range: Range<usize>, known: &mut KnownCuts<'_>) {
        let mut next = range.start;
        while next < range.end {
            let index = next;
            if is_between(classes)
                && let Some((end, declarations)) = known.at(classes, index, self.declarations.len())
                && end <= range.end
            {
                self.declarations.extend(declarations);
                next = end;
                continue;
            }
            next += 1;
            self.walk_one(classes, index);
            if is_between(classes) {
                known.step(classes, index, &mut self.declarations);
            }
        }
    }

    /// Moves all classes over a token.
    fn walk_one(&mut self, classes: &mut Vec<Class>, index: usize) {
        let (tokens, token) = (self.tokens, &self.tokens[index]);
        if let [class] = classes.as_mut_slice()
            && token.passes.contains(class.passes)
        {
            if class.ignores(token) && !token.line_start {
                return;
            }
            if let Some(other) = self.step(class, index) {
                classes.extend(other);
                merge(classes, tokens);
            }
            return;
        }
        self.step_some(classes, index);
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
        if self.is_beyond(class, index) || self.is_behind_macros(class, index) {
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
                let around = match class.state.shape {
                    Shape::Function => Around::Function,
                    _ => Around::Other,
                };
                self.is_unclosed(start, index) && begins_another(self.tokens, start, index, lowest, around)
            }
        }
    }

    /// Before the token, which no name stands before, the declaration at hand has nothing but macros whose header was not
    /// found: `LIBRARY_NAMESPACE_BEGIN template <class T> void f();`
    fn is_behind_macros(&self, class: &Class, index: usize) -> bool {
        if !matches!(self.tokens[index].text, sym::TEMPLATE | sym::NAMESPACE) || !class.state.open.is_empty()
        {
            return false;
        }
        let lowest = class.passes.lowest().unwrap_or(0);
        let is_macro = |token: &PpToken| token.kind == TokenKind::Identifier && looks_like_macro(token.text);
        class.state.start.is_some_and(|start| {
            self.tokens[start..index].iter().filter(|token| token.passes.has(lowest)).all(is_macro)
        })
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
        state.closed_many |= state.open[depth + 1..].contains(&sym::LBRACE);
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
        let catches =
            state.handlers && self.next_of(index, lowest).is_some_and(|next| next.text == sym::CATCH);
        if !catches {
            self.finish(class, index + 1);
        }
    }

    /// The next token of a pass.
    fn next_of(&self, index: usize, pass: usize) -> Option<&PpToken> {
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
        let opens = self.next_of(start, lowest).is_some_and(|token| token.text == sym::LPAREN);
        if !opens || first.kind != TokenKind::Identifier || word(first.text).is_some() {
            return false;
        }
        if class.state.shape != Shape::Plain || !self.encloses_rest(start, index, lowest) {
            return false;
        }
        let Some(next) = self.next_of(index, lowest) else { return true };
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
    pub(super) fn finish(&mut self, class: &mut Class, end: usize) {
        let next = State::between(class.state.scopes.clone());
        let state = std::mem::replace(&mut class.state, next);
        let uneven = std::mem::replace(&mut class.uneven, false);
        let Some(start) = state.start.filter(|start| *start < end) else { return };
        unwind_if_cancelled();
        let (kind, names) = self.describe(&state, start..end, class.passes, uneven);
        let body = if state.shape == Shape::Function { state.body.start } else { end };
        let class_body = match state.shape {
            Shape::Class => state.body.start..state.body.end.min(end),
            _ => end..end,
        };
        let leaves_open = state.closed_many || state.open.contains(&sym::LBRACE);
        let unclosed = leaves_open.then(|| self.brace_around_files(start..end, class.passes));
        self.declarations.push(TopDeclaration {
            passes: class.passes,
            unclosed: unclosed.flatten(),
            tokens: start..end,
            scope: state.scope(),
            kind,
            declared: names.declared.len(),
            names: [names.declared, names.qualifiers].concat(),
            body,
            class_body,
            varies: Varies::default(),
            known: Known::default(),
        });
    }

    /// The first brace in `tokens` that is not closed there, if text of other files stands behind it.
    fn brace_around_files(&self, tokens: Range<usize>, passes: PassSet) -> Option<usize> {
        let lowest = passes.lowest().unwrap_or(0);
        let mut open = Vec::new();
        for index in tokens.clone().filter(|index| self.tokens[*index].passes.has(lowest)) {
            match self.tokens[index].text {
                sym::LBRACE => open.push(index),
                sym::RBRACE => drop(open.pop()),
                _ => {}
            }
        }
        let brace = *open.first()?;
        let file = self.tokens[brace].at.file;
        self.tokens[brace..tokens.end].iter().any(|token| token.at.file != file).then_some(brace)
    }

    /// Kind and names. Where the passes have different tokens each is asked for its names.
    fn describe(
        &self,
        state: &State,
        tokens: Range<usize>,
        passes: PassSet,
        uneven: bool,
    ) -> (DeclKind, DeclaredNames) {
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
