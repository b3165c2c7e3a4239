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

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::facts::{Reach, UnitFacts, reads_alone};
use crate::preprocess::{Event, Expansion, Happening, PpToken, Preprocessed};
use crate::source::{FileId, SourceFile, Span, Symbol, Token, TokenKind, sym};
use crate::target::{PassSet, intrinsics};
use crate::variance::{CLOSURE_TRAITS, DeclKind, TopDeclaration, Variance, word};

/// What tells whether an edit of a file that a unit reads is quiet.
#[derive(Debug)]
pub(super) struct Standing {
    /// The file as it was read last.
    pub(super) file: Arc<SourceFile>,
    /// Its tokens after preprocessing, in order. They keep the file's first id, and their places are the last text's.
    tokens: Vec<PpToken>,
    /// The functions whose bodies may be edited, in order.
    bodies: Vec<Body>,
    /// What the unit's stages look for.
    names: Arc<Names>,
}

/// What a unit's stages look for in texts.
#[derive(Debug)]
struct Names {
    /// The passes that are compared.
    compared: PassSet,
    /// Every macro that some header or the file defines at some place.
    macros: FxHashSet<Symbol>,
    /// Names that stages look for in any body.
    watched: FxHashSet<Symbol>,
    /// Those of what objects have copies of.
    entities: FxHashSet<Symbol>,
    /// Those that may stand for the architecture's number, which code anywhere may compare.
    numbered: FxHashSet<Symbol>,
    /// The tokens that the number of `__CUDA_ARCH__` was put in the place of.
    numbers: Vec<usize>,
    /// What names lead to kernel templates.
    reach: Reach,
    /// Names that mean another thing in other passes.
    varying: FxHashSet<Symbol>,
    /// Some token is made of a line's number.
    counts_lines: bool,
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
    /// A varying name more would make no difference to what is asked about it.
    tainted: bool,
    /// It has what stages look for.
    watched: bool,
}

/// How places of a file move with an edit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// The file as it was and as it is.
    pub(super) from: FileId,
    pub(super) to: FileId,
    /// What was replaced, in the old text, and by how many bytes.
    replaced: (u32, u32),
    length: u32,
}

impl Shift {
    /// Where a place is now; `None` for one that the edit cuts.
    pub(super) fn span(&self, at: Span) -> Option<Span> {
        if at.file != self.from {
            return Some(at);
        }
        let end = if at.end <= self.replaced.0 { at.end } else { self.offset(at.end)? };
        Some(Span { file: self.to, start: self.offset(at.start)?, end })
    }

    /// Where lines are now that end before something else begins.
    pub(super) fn lines(&self, at: Span) -> Option<Span> {
        if at.file != self.from {
            return Some(at);
        }
        Some(Span { file: self.to, start: self.offset(at.start)?, end: self.offset(at.end)? })
    }

    /// Where what begins at an offset begins now.
    fn offset(&self, at: u32) -> Option<u32> {
        let (first, end) = self.replaced;
        match at {
            // The end of the file, wherever that is.
            u32::MAX => Some(at),
            at if at >= end => Some(at - end + first + self.length),
            at if at < first => Some(at),
            _ => None,
        }
    }
}

impl Standing {
    /// Of some files of a unit whose stages gave this, the main file first; without those that were read twice.
    pub(super) fn of(
        files: Vec<Arc<SourceFile>>,
        unit: &Preprocessed,
        variance: &Variance,
        facts: &UnitFacts,
        compared: PassSet,
    ) -> Vec<Standing> {
        let names = Arc::new(Names::new(unit, variance, facts, compared));
        let entered = |file: FileId| {
            let enters = |event: &&Event| matches!(event.happening, Happening::Enter { file: entered, .. } if entered == file);
            unit.events().iter().filter(enters).count()
        };
        let of_file = |(number, file): (usize, Arc<SourceFile>)| {
            let alone = number == 0 || entered(file.id) == 1;
            alone.then(|| Standing::new(file, number > 0, unit, variance, facts, &names))
        };
        files.into_iter().enumerate().filter_map(of_file).collect()
    }

    fn new(
        file: Arc<SourceFile>,
        is_header: bool,
        unit: &Preprocessed,
        variance: &Variance,
        facts: &UnitFacts,
        names: &Arc<Names>,
    ) -> Standing {
        let (all, compared) = (unit.tokens(), names.compared);
        let of_file: Vec<usize> = (0..all.len()).filter(|index| all[*index].at.file == file.id).collect();
        let mut bodies = Vec::new();
        for (number, declaration) in variance.declarations.iter().enumerate() {
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
            let parsed = facts.looked_into.parsed.contains(&number);
            let leads = whole.iter().any(|token| names.reach.leads(token.kind, token.text));
            // What a kernel instantiates is in question for its head alone, unless it was followed.
            let leads = leads && (parsed || !head.iter().any(|token| token.text == sym::GLOBAL));
            let followed = leads && (!together || facts.incomplete.is_some());
            if parsed && (followed || !stands_alone(whole, declaration, compared)) {
                continue;
            }
            bodies.push(Body {
                whole: if together { own_whole } else { tokens.clone() },
                tokens,
                leads,
                tainted: declaration.varies.any(),
                watched: has(inside, &names.watched),
            });
        }
        let tokens = of_file.iter().map(|index| all[*index]).collect();
        Standing { tokens, bodies, names: Arc::clone(names), file }
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
                let (at, new) = self.quiet(&change)?;
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

    /// If a change is quiet, the index of the first own token that it replaces, and what becomes of its tokens.
    fn quiet(&self, change: &Change<'_>) -> Option<(usize, Vec<PpToken>)> {
        // Since the end of a statement, so that no macro's invocation reaches in.
        let ends = |token: &&Token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE);
        let left = change.before.iter().rev().position(|token| ends(&token))?;
        let before = &change.before[change.before.len() - left - 1..];
        let right =
            change.after.iter().position(|token| ends(&token)).map_or(change.after.len(), |at| at + 1);
        let after = &change.after[..right];
        let at = self.next_own(change.old.first().or(after.first())?.offset as usize);
        let range = at..at + change.old.len();
        let body = self.bodies.partition_point(|body| body.tokens.end <= range.end);
        let body = self.bodies.get(body).filter(|body| body.tokens.start < at)?;
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
        let is_quiet =
            self.tokens.get(range.clone())?.iter().zip(change.old).all(|(own, old)| as_written(own, old))
                && as_written(neighbour, &before[0])
                && (passes == self.names.compared || !body.leads)
                && self.is_outside_macros(before)
                && after.first().is_none_or(|token| {
                    let next = &self.tokens[range.end];
                    as_written(next, token) || !self.is_plain(token) && next.at.start >= token.offset
                })
                && balanced(change.old)
                && balanced(change.new)
                && change.new.iter().all(|token| self.is_plain(token))
                && self.is_of_no_interest(change, before, after, body);
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
        self.leads_on(body, &range, &new, change).then_some((at, new))
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
        let (first, end) = (range.start - body.whole.start, range.end - body.whole.start);
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

    /// No stage would look at the body because of the tokens that are changed, nor ever looked at their statement.
    fn is_of_no_interest(&self, change: &Change<'_>, before: &[Token], after: &[Token], body: &Body) -> bool {
        let mut around = before.iter().chain(change.old).chain(change.new).chain(after);
        let mut changed = change.old.iter().chain(change.new);
        let varies = |token: &&Token| self.names.varying.contains(&token.text);
        // A name beside the change may come to mean another thing by it.
        let beside = before.iter().rev().take(2).chain(after.iter().take(2));
        let touched = change.old.iter().chain(beside);
        !around.any(|token| self.names.watched.contains(&token.text))
            && !(body.watched && changed.any(|token| token.text == sym::IF))
            && !(body.leads && touched.clone().any(|token| varies(&token)))
            && (!body.leads || body.tainted || !change.new.iter().any(|token| varies(&token)))
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

impl Names {
    fn new(unit: &Preprocessed, variance: &Variance, facts: &UnitFacts, compared: PassSet) -> Names {
        let all = unit.tokens();
        let mut watched: FxHashSet<Symbol> =
            intrinsics().iter().map(|row| Symbol::intern(row.pattern)).collect();
        let words = ["asm", "__asm__", "__asm", "ptx", "__host__", "__device__"].into_iter();
        watched.extend(words.chain(CLOSURE_TRAITS).map(Symbol::intern));
        watched.extend(CLOSURE_TRAITS.map(|name| Symbol::intern(&format!("{name}_v"))));
        let last = |name: &str| Symbol::intern(name.rsplit("::").next().unwrap_or(name));
        let entities: FxHashSet<Symbol> =
            facts.header_entities.iter().map(|entity| last(&entity.name)).collect();
        watched.extend(&entities);
        let of_line = |expansion: &Expansion| unit.definition(expansion.definition).name == sym::LINE_MACRO;
        let definitions = unit.definitions().into_iter();
        let mut names = Names {
            compared,
            macros: definitions.map(|id| unit.definition(id).name).collect(),
            watched,
            entities,
            numbers: numbers(unit),
            numbered: FxHashSet::default(),
            reach: Reach::new(all, variance, &facts.looked_into.leading),
            varying: variance.varying.clone(),
            counts_lines: unit.expansions().iter().any(of_line),
        };
        let numbered = variance.declarations.iter().filter(|one| names.takes_number(one));
        let heads = numbered.flat_map(|one| &all[one.tokens.start..one.body]);
        let words = heads.filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text);
        let numbered: FxHashSet<Symbol> = words.filter(|name| word(*name).is_none()).collect();
        names.numbered = numbered;
        names.watched.extend(&names.numbered);
        names
    }

    /// The number of `__CUDA_ARCH__` was put into a declaration's place.
    fn takes_number(&self, declaration: &TopDeclaration) -> bool {
        let first = self.numbers.partition_point(|index| *index < declaration.tokens.start);
        self.numbers.get(first).is_some_and(|index| *index < declaration.tokens.end)
    }
}

/// The project's tokens that the number of `__CUDA_ARCH__` was put in the place of.
fn numbers(unit: &Preprocessed) -> Vec<usize> {
    let is_number = |token: &PpToken| {
        token
            .expansion
            .is_some_and(|id| unit.definition(unit.expansion(id).definition).name == sym::CUDA_ARCH)
    };
    let all = unit.tokens();
    (0..all.len()).filter(|index| is_number(&all[*index])).collect()
}

/// A function with this head means the same whatever its body does.
fn hides_its_body(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    let head = &tokens[declaration.tokens.start..declaration.body];
    !head.iter().any(|token| matches!(token.text, sym::AUTO | sym::CONSTEXPR | sym::CONSTEVAL))
}

/// A function's head is the same text in all passes, and is read the same whatever the body says.
fn stands_alone(tokens: &[PpToken], declaration: &TopDeclaration, compared: PassSet) -> bool {
    let head = declaration.body - declaration.tokens.start;
    tokens[..head].iter().all(|token| token.passes.contains(compared)) && reads_alone(tokens, head)
}

/// The number of the text between directives that an edit lies in, if all else is the same.
fn run_of(old: &SourceFile, new: &SourceFile, first: usize, end: usize) -> Option<usize> {
    let runs = old.sections().directives() + 1;
    if new.sections().directives() + 1 != runs {
        return None;
    }
    let part = |file: &SourceFile, run: usize| {
        let text = file.run_text(run);
        let start = text.as_ptr() as usize - file.text.as_ptr() as usize;
        start..start + text.len()
    };
    // The last run that begins before the edit: a directive would have to end there too.
    let run = (0..runs).rev().find(|run| part(old, *run).start <= first)?;
    let (was, is) = (part(old, run), part(new, run));
    let longer = |offset: usize| offset + new.text.len() == is.end + old.text.len();
    let same = end <= was.end
        && was.start == is.start
        && longer(was.end)
        && (0..run).all(|run| part(old, run) == part(new, run))
        && (run + 1..runs).all(|run| {
            let (was, is) = (part(old, run), part(new, run));
            was.len() == is.len() && is.start + old.text.len() == was.start + new.text.len()
        });
    same.then_some(run)
}

/// The tokens of a run of text, as an edit parts them.
struct Change<'t> {
    /// Those before it, of the old text.
    before: &'t [Token],
    /// Those it replaced.
    old: &'t [Token],
    /// Those it put there.
    new: &'t [Token],
    /// Those after it, of the old text.
    after: &'t [Token],
    /// The tokens after it begin lines where they did.
    same_lines: bool,
    /// The first of them in the new text.
    next: Option<&'t Token>,
}

impl<'t> Change<'t> {
    fn between(old: &'t [Token], new: &'t [Token], shift: &Shift) -> Change<'t> {
        let same = |old: &Token, new: &Token| {
            old.kind == new.kind && old.text == new.text && old.end - old.offset == new.end - new.offset
        };
        let (first, end) = shift.replaced;
        let front =
            |(old, new): &(&Token, &Token)| old.end <= first && same(old, new) && old.offset == new.offset;
        let before = old.iter().zip(new).take_while(front).count();
        let back = |(old, new): &(&Token, &Token)| {
            old.offset >= end && same(old, new) && old.offset - end + first + shift.length == new.offset
        };
        let rests = (old[before..].iter().rev(), new[before..].iter().rev());
        let after = rests.0.zip(rests.1).take_while(back).count();
        let (old_end, new_end) = (old.len() - after, new.len() - after);
        let lines = |tokens: &[Token]| tokens.first().map(|token| (token.line_start, token.space_before));
        Change {
            before: &old[..before],
            old: &old[before..old_end],
            new: &new[before..new_end],
            after: &old[old_end..],
            same_lines: lines(&old[old_end..]) == lines(&new[new_end..]),
            next: new.get(new_end),
        }
    }
}

/// Every brace among the tokens has its other one there.
fn balanced(tokens: &[Token]) -> bool {
    let mut open = 0_i32;
    for token in tokens {
        open += i32::from(token.text == sym::LBRACE) - i32::from(token.text == sym::RBRACE);
        if open < 0 {
            return false;
        }
    }
    open == 0
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::finding::Finding;
    use crate::project::{Settings, discover};
    use crate::stale::Stale;

    use super::super::Session;
    use super::*;

    const HEADER: &str = "\
#pragma once
#define TWICE(value) ((value) + (value))
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ASYNC 1
#else
#define ASYNC 0
#endif
#ifdef __CUDA_ARCH__
typedef double scalar;
#else
typedef int scalar;
#endif
template <class T> __global__ void reduce(T *out) { }
";

    /// Names of functors and their members lead to kernels, and are everybody's names.
    const LIBRARY: &str = "\
#pragma once
template <class T> __global__ void filled(T *out) { }
template <class T> struct Filler {
  T sum;
  __host__ void operator()(T *out) const { filled<T><<<1, 1>>>(out); }
  template <class U> void value(U *out) { filled<U><<<1, 1>>>(out); }
  void index(int) { filled<short><<<1, 1>>>(nullptr); }
};
template <class T> void count(T *out) { Filler<T>()(out); }
inline float root(float of) { return of; }
template <class T> T larger(T left, T right) { return left > right ? left : right; }
template <class F> void call(F body) { body(1); }
template <class F> struct Caller { F body; void run() { body(1); } };
";

    const MAIN: &str = "\
#include \"t.h\"
#include \"library.h\"
__global__ void store(scalar value) { }
// A kernel that nothing is wrong with.
__global__ void plain(float *out, int count) {
  float sum = 0.0f;
  for (int index = 0; index < count; ++index) {
    sum += TWICE(index * 0.5f);
  }
  out[0] = sum;
}
#if ASYNC
template <class T> __global__ void only(T *out) { }
#else
template <class T> __global__ void other(T *out) { }
#endif
void run(float *out) {
  float unused = 1.0f;
  plain<<<1, 1>>>(out, 3);
}
void launch(float *out) {
#if ASYNC
  reduce<float><<<1, 1>>>(out);
#endif
  reduce<scalar><<<1, 1>>>(nullptr);
}
template <class F> void dispatch(F body) { body(short()); }
void generic(int which) {
  dispatch([&](auto tag) { reduce<decltype(tag)><<<2, 1>>>(nullptr); });
}
template <int N> __global__ void sized() { }
constexpr auto wide() {
  return ASYNC + 1;
}
void sizes(int count) {
  sized<wide()><<<count, 1>>>();
}
void fill(float *out, int rows) {
  Filler<scalar> filler;
  const int width = 3;
  float value = 1.0f; int index = 0;
  filler(nullptr);
  sized<width><<<1, 1>>>();
  for (int index = 0; index < rows; ++index) {
    value += out[index] * 2.0f;
  }
  out[0] = value;
}
__global__ void copies(float *in, float *out, scalar count) {
  int index = threadIdx.x;
  out[index] = in[index];
}
";

    /// A session over the two texts, analysed with `main` open.
    fn session(root: &Path, main: &str) -> Session {
        let mut session = Session::new();
        let path = root.join("a.cu");
        session.sources.overlay(&path, main.into());
        let settings = Settings { targets: vec!["70".into(), "80".into()], ..Settings::default() };
        let project = discover(&[root.to_path_buf()], &settings, &session.sources).unwrap();
        session.set_units(project.all_units());
        settle(&mut session, &path);
        session
    }

    fn settle(session: &mut Session, path: &Path) {
        let open = FxHashSet::from_iter([path.to_path_buf()]);
        while session.step(&open, &Stale::default()) {}
    }

    fn folder() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("t.h"), HEADER).unwrap();
        fs::write(root.path().join("library.h"), LIBRARY).unwrap();
        fs::write(root.path().join("a.cu"), MAIN).unwrap();
        root
    }

    /// All that a session has to say, in words without ids.
    fn said(session: &mut Session, path: &Path) -> String {
        let analysis = session.analysis();
        let place = |at: Span| {
            let file = session.sources.file(at.file);
            format!("{}:{}-{}", file.path.file_name().unwrap_or_default().display(), at.start, at.end)
        };
        let finding = |one: &Finding| {
            let places: Vec<String> = one.places().map(place).collect();
            format!(
                "{} {:?} {:?} {}: {}\n",
                one.rule,
                one.level,
                one.certainty,
                places.join(" "),
                one.message
            )
        };
        let mut said: String = analysis.findings.iter().map(finding).collect();
        for problem in &analysis.problems {
            said += &format!("{} {:?}\n", problem.message, problem.at.map(place));
        }
        for region in session.regions(path).unwrap_or_default() {
            said += &format!("{} {:?}\n", place(region.at), region.passes);
        }
        said
    }

    /// After replacing `from` by `to` the session says what a fresh one says. Whether the edit was quiet.
    fn edited(from: &str, to: &str) -> bool {
        assert_eq!(MAIN.matches(from).count(), 1, "`{from}`");
        let root = folder();
        let path = root.path().join("a.cu");
        let mut after = session(root.path(), MAIN);
        let before = after.sources.read(&path).unwrap();
        let text = MAIN.replace(from, to);
        after.replace(&path, Some(text.clone()));
        let new = after.sources.read(&path).unwrap();
        assert_ne!(before.id, new.id);
        let quiet = after.follow_all();
        settle(&mut after, &path);
        let mut fresh = session(root.path(), &text);
        assert_eq!(said(&mut after, &path), said(&mut fresh, &path), "`{from}` to `{to}`");
        quiet
    }

    #[test]
    fn statements_that_nothing_looks_into_are_quiet() {
        for (from, to) in [
            ("  out[0] = sum;", "  out[0] = sum; float more = sum * 2.0f;"),
            ("  out[0] = sum;", ""),
            ("  out[0] = sum;", "  if (sum > 1.0f) { out[0] = sum; }"),
            ("  out[0] = sum;", "  out[0] = (sum;"),
            ("  out[0] = sum;", "  out[0] = \"sum;"),
            ("sum = 0.0f;", "sum = 0.0f;\n\n"),
            ("// A kernel", "// One more kernel"),
            ("// A kernel that nothing is wrong with.\n", ""),
            ("float unused = 1.0f;", "float unused = 10.0f; int used;"),
            // Its head was read, since the type of a parameter varies.
            ("(scalar value) { }", "(scalar value) { float local = 1.0f; }"),
            ("(scalar value) { }", "(scalar value) { float local = (1.0f; }"),
        ] {
            assert!(edited(from, to), "`{from}` to `{to}`");
        }
    }

    #[test]
    fn what_leads_nowhere_is_quiet_where_all_names_lead_to_kernels() {
        for (from, to) in [
            ("  out[0] = value;", "  out[0] = value; float more = value * 2.0f; out[1] += more;"),
            ("  out[0] = value;", "  out[0] = value; float more = 2.0f * val"),
            ("  out[0] = value;", "  out[0] = value + index;"),
            ("  out[0] = value;", "  out[0] = value; if (index > 1) { out[1] = value; }"),
            ("  out[0] = value;", "  out[0] = root(value);"),
            ("  out[0] = value;", "  out[0] = larger(value, 1.0f);"),
            ("  out[0] = value;", "  plain<<<1, 1>>>(out, index); out[0] = value;"),
            ("    value += out[index] * 2.0f;", "    value += out[index] * 3.0f;"),
            ("= 1.0f; int index = 0;", "= 1.0f; long index = 0;"),
            ("int index = threadIdx.x;", "int index = threadIdx.x + 1;"),
            ("  out[index] = in[index];", "  out[index] = in[index]; int count = index; out[count] = 1.0f;"),
        ] {
            assert!(edited(from, to), "`{from}` to `{to}`");
        }
        for (from, to) in [
            ("  out[0] = value;", "  out[0] = value; count(out);"),
            ("  out[0] = value;", "  filler.value(out);"),
            ("  out[0] = value;", "  filler(nullptr); out[0] = value;"),
            ("  out[0] = value;", "  Filler<int> more; more(nullptr);"),
            ("  out[0] = value;", "  auto more = filler; more(nullptr);"),
            ("  out[0] = value;", "  call([&](auto one) { filler.value(&one); });"),
            ("  out[0] = value;", "  sized<7><<<1, 1>>>();"),
            ("  filler(nullptr);", ""),
            ("const int width = 3;", "const int width = 4;"),
            ("  filler(nullptr);", "  Filler<float> filler; filler(nullptr);"),
            ("  out[0] = value;", "  out[0] = value; scalar other = 1; }"),
        ] {
            assert!(!edited(from, to), "`{from}` to `{to}`");
        }
    }

    #[test]
    fn all_else_is_analysed_again() {
        for (from, to) in [
            ("  out[0] = sum;", "  out[0] = sum; }"),
            ("  out[0] = sum;", "  out[0] = sum; {"),
            ("  out[0] = sum;", "#if ASYNC\n  out[0] = sum;\n#endif\n"),
            ("  out[0] = sum;", "  out[0] = TWICE(sum);"),
            ("  out[0] = sum;", "  out[0] = sum; /*"),
            ("  out[0] = sum;", "  asm volatile(\"cp.async.wait_all;\");"),
            ("index * 0.5f", "index * 0.25f"),
            ("  out[0] = sum;", "  if (__CUDA_ARCH__ >= 800) { out[0] = sum; }"),
            ("float unused = 1.0f;", "reduce<scalar><<<1, 1>>>(nullptr);"),
            ("reduce<scalar>", "reduce<float>"),
            ("plain(float", "plain(scalar"),
            ("only(T *out) { }", "only(T *out) { out[0] = T(); }"),
        ] {
            assert!(!edited(from, to), "`{from}` to `{to}`");
        }
    }

    #[test]
    fn after_each_of_many_edits_a_session_says_what_a_fresh_one_says() {
        const PIECES: &[&str] = &[
            "x",
            " ",
            "\n",
            ";",
            "{",
            "}",
            "(",
            ")",
            "\"",
            "/*",
            "*/",
            "// note",
            "#",
            "float more;",
            "TWICE(1)",
            "scalar",
            "reduce<scalar><<<1, 1>>>(nullptr);",
            "auto",
            "return 2;",
            "dispatch([&](auto tag) { reduce<decltype(tag)><<<1, 1>>>(nullptr); });",
            "__LINE__",
            "sum",
            "#if ASYNC\n",
            "#endif\n",
            "asm",
            "\\\n",
            "'",
            "value",
            "filler",
            "filler(nullptr);",
            "filler.value(out);",
            "index(",
            "count",
            "root(value);",
            "larger(1, 2);",
            "width",
            "const int ",
            "call([](auto one) { count(&one); });",
            "<",
            "if (index) ",
            ".",
            "*",
            "&",
        ];
        // `EDITS` tries more of them.
        let edits = std::env::var("EDITS").map_or(400, |count| count.parse().unwrap());
        fastrand::seed(11);
        let root = folder();
        let path = root.path().join("a.cu");
        let mut edited = session(root.path(), MAIN);
        let (mut text, mut quiet) = (MAIN.to_string(), 0);
        for edit in 0..edits {
            let at = fastrand::usize(..=text.len());
            match edit % 40 {
                0 => text = MAIN.to_string(),
                _ if fastrand::bool() => text.insert_str(at, PIECES[fastrand::usize(..PIECES.len())]),
                _ => drop(text.drain(at..(at + fastrand::usize(..4)).min(text.len()))),
            }
            edited.replace(&path, Some(text.clone()));
            quiet += usize::from(edited.follow_all());
            settle(&mut edited, &path);
            let mut fresh = session(root.path(), &text);
            assert_eq!(said(&mut edited, &path), said(&mut fresh, &path), "edit {edit}:\n{text}");
        }
        assert!(quiet > 20, "{quiet} edits were quiet");
    }
}
