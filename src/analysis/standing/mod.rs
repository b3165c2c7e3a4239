//! Which edits of the files that are open leave a unit's outcome as it is, but for places.
//!
//! In: a unit's stages, and then newer texts of its main file or a header. Out: how places move when the edit is *quiet*: it
//! changes nothing but text between two statements of a function's body, and neither takes away nor puts there what
//! some stage would follow. What somebody types is mostly that, and headers with millions of tokens have no part in
//! it.
//!
//! A stage that looks into bodies tells here what it looks for: declarations that it parsed, names that it follows.
//! Where names that lead to kernel templates are involved, which in a library of templates can be most, the function
//! alone is parsed as it was and as it is ([`Reach`]).
//! **Invariant:** in doubt an edit is not quiet. `tests/lsp` replays edits and compares with fresh runs.

mod change;
mod ends;
mod names;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::{LookedInto, Memo};
use crate::preprocess::{Event, EventKind, PpToken, Preprocessed};
use crate::source::{FileId, SourceFile, Span, Symbol, Token, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Ending, TopDeclaration, Variance, Varies};

use change::{Change, run_of};
use ends::ends;
use names::Names;

pub(super) use change::Shift;

/// What tells whether an edit of a file that a unit reads is quiet.
#[derive(Debug)]
pub(super) struct Standing {
    /// The file as it was read last.
    pub(super) file: Arc<SourceFile>,
    /// The file as it was analysed.
    pub(super) analysed: FileId,
    /// Its tokens after preprocessing, in order. They keep the file's first id, and their places are the last text's.
    tokens: Vec<PpToken>,
    /// The functions whose bodies may be edited, in order.
    bodies: Vec<Body>,
    /// What the unit's stages look for.
    names: Arc<Names>,
    /// Its declarations end where they do whether or not braces elsewhere in it are closed.
    firm: bool,
}

/// The body of a function, though its head may have been read.
#[derive(Debug)]
struct Body {
    /// The function's tokens among the file's own; of its body alone, where the head is elsewhere.
    whole: Range<usize>,
    /// Those of the body, braces included.
    tokens: Range<usize>,
    /// It mentions names that lead to kernel templates, or was followed for them.
    leads: bool,
    /// The function, with its tokens counted from its first one, if it may be asked whether it mentions what varies.
    asked: Option<TopDeclaration>,
    /// It closes the braces that it opens.
    closed: bool,
    /// It has what stages look for, in a function where it matters whether that stands behind an `if`.
    watched: bool,
}

/// A change that is quiet.
struct Quiet {
    /// The index of the first own token that it replaces.
    at: usize,
    /// What becomes of its tokens.
    new: Vec<PpToken>,
    /// The number of the body that it is in, and whether that closes its braces.
    body: usize,
    closed: bool,
    /// All ends of the file are firm.
    firm: bool,
}

impl Standing {
    /// Of some files of a unit whose stages gave this, the main file first; without those that were read twice.
    pub(super) fn of(
        files: Vec<Arc<SourceFile>>,
        unit: &Preprocessed,
        variance: &Variance,
        looked_into: &LookedInto,
        compared: PassSet,
        memo: &Memo,
    ) -> Vec<Standing> {
        let names = Arc::new(Names::new(unit, variance, looked_into, compared));
        let entered = |file: FileId| {
            let enters = |event: &&Event| matches!(event.kind, EventKind::Enter { file: entered, .. } if entered == file);
            unit.events().iter().filter(enters).count()
        };
        let of_file = |(number, file): (usize, Arc<SourceFile>)| {
            let alone = number == 0 || entered(file.id) == 1;
            alone.then(|| Standing::new(file, number > 0, unit, variance, looked_into, &names, memo))
        };
        files.into_iter().enumerate().filter_map(of_file).collect()
    }

    fn new(
        file: Arc<SourceFile>,
        is_header: bool,
        unit: &Preprocessed,
        variance: &Variance,
        looked_into: &LookedInto,
        names: &Arc<Names>,
        memo: &Memo,
    ) -> Standing {
        let (all, compared) = (unit.tokens(), names.compared);
        let of_file = tokens_of(unit, file.id);
        let mut bodies = Vec::new();
        let (mut firm, mut unclosed) = (true, 0);
        let (first, last) = (of_file.first().copied(), of_file.last().copied());
        let meets = |one: &TopDeclaration| {
            first.is_some_and(|first| one.tokens.end > first)
                && last.is_some_and(|last| one.tokens.start <= last)
        };
        let declarations = variance.declarations.iter().enumerate();
        for (number, declaration) in declarations.filter(|(_, one)| meets(one)) {
            let (body, end) = (declaration.body, declaration.tokens.end);
            let quiet = declaration.kind == DeclKind::Function
                && declaration.passes == compared
                && body < end
                && all[body].at.file == file.id
                && all[end - 1].at.file == file.id
                && !names.takes_number(declaration)
                && hides_its_body(all, declaration);
            let own = |range: Range<usize>| {
                of_file.partition_point(|index| *index < range.start)
                    ..of_file.partition_point(|index| *index < range.end)
            };
            let ends = match own(declaration.tokens.clone()).len() {
                0 => continue,
                count if count == declaration.tokens.len() => {
                    ends(&all[declaration.tokens.clone()], declaration, declaration.passes)
                }
                _ => None,
            };
            firm &= ends.is_some();
            unclosed += usize::from(ends == Some(Ending::Open));
            let tokens = own(body..end);
            // A header in the middle of a body is beyond what is looked at here.
            if !quiet || tokens.len() != end - body {
                continue;
            }
            let whole = &all[declaration.tokens.clone()];
            let (head, inside) = whole.split_at(body - declaration.tokens.start);
            let has = |tokens: &[PpToken], these: &FxHashSet<Symbol>| {
                tokens.iter().any(|token| these.contains(&token.text))
            };
            // The whole text of what objects share is compared.
            if has(inside, &names.numbered) || is_header && has(head, &names.entities) {
                continue;
            }
            let own_whole = own(declaration.tokens.clone());
            let together = own_whole.len() == whole.len();
            let parsed = looked_into.parsed.contains(&number);
            let leads = whole.iter().any(|token| names.reach.leads(token.kind, token.text));
            // What a kernel instantiates is in question for its head alone, unless it was followed.
            let is_kernel = head.iter().any(|token| token.text == sym::GLOBAL);
            let leads = leads && (parsed || !is_kernel);
            let asked = !is_kernel
                && (leads || whole[0].text == sym::TEMPLATE)
                && declaration.varies == Varies { names: declaration.varies.names, ..Varies::default() };
            let followed = leads && (!together || looked_into.incomplete);
            if parsed && (followed || !stands_alone(whole, declaration, compared, memo)) {
                continue;
            }
            bodies.push(Body {
                whole: if together { own_whole } else { tokens.clone() },
                tokens,
                leads,
                asked: asked.then(|| TopDeclaration {
                    tokens: 0..whole.len(),
                    body: head.len(),
                    class_body: 0..0,
                    ..declaration.clone()
                }),
                closed: ends == Some(Ending::Closed),
                watched: is_kernel && has(inside, &names.watched),
            });
        }
        let tokens = of_file.iter().map(|index| all[*index]).collect();
        // One that is left out may not be closed.
        let open = |body: &&Body| !body.closed;
        firm &= bodies.iter().filter(open).count() == unclosed;
        Standing { tokens, bodies, names: Arc::clone(names), analysed: file.id, file, firm }
    }

    /// Follows the file to a newer text if what lies between is quiet.
    pub(super) fn follow(&mut self, new: &Arc<SourceFile>) -> Option<Shift> {
        let (before, after) = (self.file.text.as_bytes(), new.text.as_bytes());
        let shortest = before.len().min(after.len());
        let first = (0..shortest).find(|at| before[*at] != after[*at]).unwrap_or(shortest);
        let rest = shortest - first;
        let back = (0..rest).find(|back| before[before.len() - 1 - back] != after[after.len() - 1 - back]);
        let back = back.unwrap_or(rest);
        let (end, new_end) = (before.len() - back, after.len() - back);
        let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        if self.names.counts_lines && lines(&before[first..end]) != lines(&after[first..new_end]) {
            return None;
        }
        let run = run_of(&self.file, new, first, end)?;
        let shift = Shift {
            from: self.file.id,
            to: new.id,
            replaced: (first as u32, end as u32),
            length: (new_end - first) as u32,
        };
        let old = Arc::clone(&self.file);
        let change = Change::between(old.run(run), new.run(run), &shift);
        let tokens = (change.old.len(), change.new.len());
        match tokens == (0, 0) && change.same_lines {
            true => self.replace(self.next_own(end), &[], 0, &shift),
            false => {
                let Quiet { at, new, body, closed, firm } = self.quiet(&change)?;
                (self.bodies[body].closed, self.firm) = (closed, firm);
                self.replace(at, &new, change.old.len(), &shift);
                if let (Some(next), Some(token)) = (self.tokens.get_mut(at + new.len()), change.next)
                    && next.expansion.is_none()
                    && next.at.start == token.offset
                {
                    (next.line_start, next.space_before) = (token.line_start, token.space_before);
                }
            }
        }
        self.file = Arc::clone(new);
        Some(shift)
    }

    /// The index of the first token of the file's own from an offset on.
    fn next_own(&self, offset: usize) -> usize {
        self.tokens.partition_point(|own| (own.at.start as usize) < offset)
    }

    /// What becomes of a change that is quiet.
    fn quiet(&self, change: &Change<'_>) -> Option<Quiet> {
        // Since the end of a statement, so that no macro's invocation reaches in.
        let ends = |token: &&Token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
        let left = change.before.iter().rev().position(|token| ends(&token))?;
        let before = &change.before[change.before.len() - left - 1..];
        let right =
            change.after.iter().position(|token| ends(&token)).map_or(change.after.len(), |at| at + 1);
        let after = &change.after[..right];
        let at = self.next_own(change.old.first().or(after.first())?.offset as usize);
        let range = at..at + change.old.len();
        let number = self.bodies.partition_point(|body| body.tokens.end <= range.end);
        let body = self.bodies.get(number).filter(|body| body.tokens.start < at)?;
        let neighbour = self.tokens.get(self.next_own(before[0].offset as usize))?;
        // The passes that have the text.
        let passes = neighbour.passes.and(self.names.compared);
        let as_written = |own: &PpToken, token: &Token| {
            own.expansion.is_none()
                && own.at.start == token.offset
                && own.text == token.text
                && own.group == neighbour.group
                && own.passes == neighbour.passes
        };
        let is_quiet = !self.names.unterminated
            && self.tokens.get(range.clone())?.iter().zip(change.old).all(|(own, old)| as_written(own, old))
            && as_written(neighbour, &before[0])
            && (passes == self.names.compared || !body.leads)
            && self.is_outside_macros(before)
            && after.first().is_none_or(|token| {
                let next = &self.tokens[range.end];
                as_written(next, token) || !self.is_plain(token) && next.at.start >= token.offset
            })
            && change.new.iter().all(|token| self.is_plain(token));
        if !is_quiet {
            return None;
        }
        let own = |token: &Token, offset: u32| PpToken {
            kind: token.kind,
            space_before: token.space_before,
            line_start: token.line_start,
            text: token.text,
            at: Span { file: neighbour.at.file, start: offset, end: offset + (token.end - token.offset) },
            expansion: None,
            ..*neighbour
        };
        let new: Vec<PpToken> = change.new.iter().map(|token| own(token, token.offset)).collect();
        let (closed, firm) = self.ends(body, &range, &new, change)?;
        let is_quiet = self.is_of_no_interest(body, &range, &new, change, [before, after])
            && self.leads_on(body, &range, &new, change);
        is_quiet.then_some(Quiet { at, new, body: number, closed, firm })
    }

    /// Some of the file's own tokens with new ones in the place of those in `range`.
    fn edited(
        &self,
        of: &Range<usize>,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
    ) -> Vec<PpToken> {
        let old = &self.tokens[of.clone()];
        let (first, end) = (range.start - of.start, range.end - of.start);
        // What both have stands at the same places; nothing else stands at those of what is new.
        let apart = |token: &PpToken| PpToken {
            at: Span {
                start: token.at.start + (u32::MAX >> 1),
                end: token.at.end + (u32::MAX >> 1),
                ..token.at
            },
            ..*token
        };
        let mut edited: Vec<PpToken> = old[..first].to_vec();
        edited.extend(new.iter().map(apart));
        edited.extend_from_slice(&old[end..]);
        if let (Some(after), Some(token)) = (change.after.first(), change.next)
            && old[end].expansion.is_none()
            && old[end].at.start == after.offset
        {
            let next = &mut edited[first + new.len()];
            (next.line_start, next.space_before) = (token.line_start, token.space_before);
        }
        edited
    }

    /// The function leads to what it led to, with these tokens in the place of some.
    fn leads_on(&self, body: &Body, range: &Range<usize>, new: &[PpToken], change: &Change<'_>) -> bool {
        let changed = change.old.iter().chain(change.new);
        let leads =
            body.leads || changed.into_iter().any(|token| self.names.reach.leads(token.kind, token.text));
        if !leads {
            return true;
        }
        let old = &self.tokens[body.whole.clone()];
        let edited = self.edited(&body.whole, range, new, change);
        let mut seen: Vec<(Vec<PpToken>, Vec<PpToken>)> = Vec::new();
        for pass in self.names.compared.iter() {
            let of = |tokens: &[PpToken]| -> Vec<PpToken> {
                let own = tokens.iter().filter(|token| token.passes.has(pass));
                own.map(|token| PpToken { passes: self.names.compared, ..*token }).collect()
            };
            let pair = (of(old), of(&edited));
            if seen.contains(&pair) {
                continue;
            }
            let head = &self.tokens[body.whole.start..body.tokens.start];
            let head = head.iter().filter(|token| token.passes.has(pass)).count();
            if body.whole == body.tokens || !self.names.reach.alike(&pair.0, &pair.1, head) {
                return false;
            }
            seen.push(pair);
        }
        true
    }

    /// No macro's invocation reaches from some tokens into what comes after them.
    fn is_outside_macros(&self, before: &[Token]) -> bool {
        let is_macro = |token: &Token| token.kind == TokenKind::Identifier && !self.is_plain(token);
        let mut open: Vec<bool> = Vec::new();
        let mut last = None;
        for token in before {
            match token.text {
                sym::LPAREN => open.push(last.is_some_and(is_macro)),
                sym::RPAREN => drop(open.pop()),
                _ => {}
            }
            last = Some(token);
        }
        !open.contains(&true) && !last.is_some_and(is_macro)
    }

    /// Nothing becomes of the token but itself.
    fn is_plain(&self, token: &Token) -> bool {
        let text = token.text.as_str();
        match token.kind {
            TokenKind::Identifier => {
                // What preprocessors and compilers define themselves, and operators of theirs.
                let reserved = text.strip_prefix("__").is_some_and(|rest| {
                    rest.starts_with(|first: char| first.is_ascii_uppercase())
                        || rest.starts_with("has_")
                        || rest == "pragma"
                });
                !reserved && text != "_Pragma" && !self.names.macros.contains(&token.text)
            }
            // Ended for sure, and without a suffix that may be a macro's name.
            TokenKind::String => {
                text.matches('"').count() == 2 && text.ends_with('"') && !text.ends_with("\\\"")
            }
            TokenKind::Character => text.matches('\'').count() == 2 && text.ends_with('\''),
            TokenKind::Number | TokenKind::Punctuator => true,
            // A quote without its partner takes the rest of its line, whatever that is.
            TokenKind::Other => text.starts_with(['"', '\'']),
        }
    }

    /// No stage would look at the body because of tokens that are put in the place of others, nor ever looked at their
    /// statement.
    fn is_of_no_interest(
        &self,
        body: &Body,
        range: &Range<usize>,
        new: &[PpToken],
        change: &Change<'_>,
        [before, after]: [&[Token]; 2],
    ) -> bool {
        let mut around = before.iter().chain(change.old).chain(change.new).chain(after);
        // A using-directive tells where the function's head looks for names too.
        if around.any(|token| token.text == sym::USING || self.names.watched.contains(&token.text)) {
            return false;
        }
        if body.asked.is_none() && !body.watched {
            return true;
        }
        let old = &self.tokens[body.whole.clone()];
        let edited = self.edited(&body.whole, range, new, change);
        if let Some(function) = &body.asked {
            let varies = |tokens: &[PpToken]| {
                let whole = 0..tokens.len();
                let function = TopDeclaration { tokens: whole.clone(), ..function.clone() };
                self.names.varying.is_mentioned(tokens, &function, whole)
            };
            // Of a head that is elsewhere, parameters may hide what varies.
            if body.whole == body.tokens || varies(old) != varies(&edited) {
                return false;
            }
        }
        // What stands behind an `if` may never run.
        let sure = |tokens: &[PpToken]| {
            let sure = tokens.iter().take_while(|token| token.text != sym::IF);
            sure.filter(|token| self.names.watched.contains(&token.text)).count()
        };
        !body.watched || sure(old) == sure(&edited)
    }

    /// Puts tokens in the place of `old` others from `at` on, and moves those after them.
    fn replace(&mut self, at: usize, new: &[PpToken], old: usize, shift: &Shift) {
        for own in self.tokens.iter_mut().filter(|own| own.at.start >= shift.replaced.1) {
            for offset in [&mut own.at.start, &mut own.at.end] {
                *offset = *offset - shift.replaced.1 + shift.replaced.0 + shift.length;
            }
        }
        self.tokens.splice(at..at + old, new.iter().copied());
        for body in &mut self.bodies {
            let ends =
                [&mut body.tokens.start, &mut body.tokens.end, &mut body.whole.start, &mut body.whole.end];
            for index in ends {
                if *index > at {
                    *index = *index - old + new.len();
                }
            }
        }
    }
}

/// The tokens of a file, by index. They stand between where it is entered first and where it is left last, or directly
/// behind, where a macro's invocation goes on; those of the headers that a file begins with are none.
fn tokens_of(unit: &Preprocessed, file: FileId) -> Vec<usize> {
    let all = unit.tokens();
    let (mut open, mut first, mut end) = (Vec::new(), all.len(), 0);
    for event in unit.events() {
        match event.kind {
            EventKind::Enter { file: entered, .. } => {
                open.push(entered);
                if entered == file {
                    first = first.min(event.before);
                }
            }
            EventKind::Leave if open.pop() == Some(file) => end = end.max(event.before),
            _ => {}
        }
    }
    if unit.files.first() == Some(&file) {
        (first, end) = (unit.beginning(None).tokens(), all.len());
    }
    let behind = all[end..].iter().take_while(|token| token.at.file == file).count();
    (first..end + behind).filter(|index| all[*index].at.file == file).collect()
}

/// A function with this head means the same whatever its body does.
fn hides_its_body(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    let head = &tokens[declaration.tokens.start..declaration.body];
    !head.iter().any(|token| matches!(token.text, sym::AUTO | sym::CONSTEXPR | sym::CONSTEVAL))
}

/// A function's head is the same text in all passes, and is read the same whatever the body says.
fn stands_alone(tokens: &[PpToken], declaration: &TopDeclaration, compared: PassSet, memo: &Memo) -> bool {
    let head = declaration.body - declaration.tokens.start;
    tokens[..head].iter().all(|token| token.passes.contains(compared)) && memo.reads_alone(tokens, head)
}
