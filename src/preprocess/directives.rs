//! The directives ([cpp]), executed for the set of passes they are live in.

use std::sync::Arc;

use crate::source::{SourceFile, Span, Symbol, Token, TokenKind, sym};
use crate::target::PassSet;

use super::evaluate::Asked;
use super::expand::{Expander, Split};
use super::include::Found;
use super::macros::{Tok, text_of};
use super::tokens::{Conditional, ConditionalId, Group, GroupId, Happening, Missing, Undefinition, Written};
use super::walk::{Entry, Frame, Open, Walker, unquoted};

/// GCC's limit on includes inside includes.
const INCLUDE_LIMIT: usize = 200;

/// A directive's line.
#[derive(Clone, Copy)]
pub(super) struct Line<'f> {
    pub(super) file: &'f Arc<SourceFile>,
    /// Its number in the file.
    index: usize,
    /// From the `#` on.
    tokens: &'f [Token],
}

impl<'f> Line<'f> {
    /// What stands after the directive's name.
    pub(super) fn rest(&self) -> &'f [Token] {
        self.tokens.get(2..).unwrap_or(&[])
    }

    pub(super) fn span(&self) -> Span {
        let last = self.tokens.last().expect("it has its `#`");
        Span { file: self.file.id, start: self.tokens[0].offset, end: last.end }
    }

    fn text(&self) -> String {
        text_of(self.tokens)
    }

    pub(super) fn written(&self) -> Written {
        Written::Directive(self.file.clone(), self.index)
    }

    fn name(&self) -> Option<&'f Token> {
        self.tokens.get(1)
    }
}

/// Which header an `#include` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) angled: bool,
}

impl Header {
    pub(super) fn spelled(&self) -> String {
        if self.angled { format!("<{}>", self.name) } else { format!("\"{}\"", self.name) }
    }
}

impl Walker<'_> {
    /// Executes the directive whose `#` is next.
    pub(super) fn directive(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let file = frame.file.clone();
        let index = frame.section;
        (frame.section, frame.next) = (index + 1, 0);
        let line = Line { file: &file, index, tokens: file.directive(index) };
        let Some(name) = line.name() else { return };
        match name.text {
            sym::IF | sym::IFDEF | sym::IFNDEF if self.live.is_empty() => self.skip_conditional(line),
            sym::IF => self.open_conditional(line, Asked::Expression),
            sym::IFDEF => self.open_conditional(line, Asked::Defined(true)),
            sym::IFNDEF => self.open_conditional(line, Asked::Defined(false)),
            sym::ELIF => self.next_group(line, Asked::Expression),
            sym::ELIFDEF => self.next_group(line, Asked::Defined(true)),
            sym::ELIFNDEF => self.next_group(line, Asked::Defined(false)),
            sym::ELSE => self.next_group(line, Asked::Nothing),
            sym::ENDIF => self.close_conditional(line),
            _ if self.live.is_empty() => {}
            sym::DEFINE => self.define_directive(line),
            sym::UNDEF => match line.rest().first() {
                Some(name) if name.kind == TokenKind::Identifier => {
                    let at = Span { file: file.id, start: name.offset, end: name.end };
                    self.undefine_directive(name.text, at);
                }
                _ => self.problem("macro names must be identifiers", line),
            },
            sym::INCLUDE | sym::INCLUDE_NEXT | sym::IMPORT => self.include(line, name.text),
            sym::PRAGMA => {
                if is_for_compiler(line.rest()) {
                    self.pass_on(line);
                }
                self.pragma(line.rest(), self.live, line.span());
            }
            sym::ERROR => self.error(line),
            sym::LINE => self.line(line, line.rest()),
            sym::EMBED => self.embed(line),
            sym::IDENT => self.pass_on(line),
            sym::WARNING => {}
            _ if name.text.as_str() == "assert" => self.assert_directive(line, true),
            _ if name.text.as_str() == "unassert" => self.assert_directive(line, false),
            // GCC takes it for the other.
            _ if name.text.as_str() == "sccs" => {
                let text = line.text().replacen("sccs", "ident", 1);
                self.note(self.live, Happening::Directive(text, line.span().loc()));
            }
            _ if name.kind == TokenKind::Number => self.line(line, &line.tokens[1..]),
            _ => self.problem(format!("unknown directive `#{}`", name.text), line),
        }
    }

    pub(super) fn problem(&mut self, message: impl Into<String>, line: Line<'_>) {
        self.problem_at(message.into(), line.span(), self.live, false);
    }

    // ---- conditionals ----

    /// Skips from a dead `#if` past its `#endif`.
    fn skip_conditional(&mut self, line: Line<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let mut end = line.index;
        while let Some(next) = frame.file.sections().group_end(end) {
            end = next;
        }
        // One that is not closed goes on to the end of the file.
        let closed = line.file.directive(end).get(1).is_some_and(|name| name.text == sym::ENDIF);
        frame.go_to(closed.then_some(end + 1));
    }

    fn open_conditional(&mut self, line: Line<'_>, asked: Asked) {
        let id = self.common.add_conditional();
        self.out.conditionals.push(id);
        let (passes, outer_group) = (self.live, self.group);
        let found = Conditional { passes, groups: Vec::new(), endif: None, reads: Arc::default() };
        let (taken, after_else, directive) = (PassSet::EMPTY, false, line.span());
        self.open.push(Open { id, found, outer: passes, outer_group, taken, after_else, directive });
        let taken = self.ask(line, asked, passes);
        self.innermost_open().taken = taken;
        self.open_group(line, id, outer_group, taken);
    }

    fn next_group(&mut self, line: Line<'_>, asked: Asked) {
        let Some((id, outer_group, left)) = self.innermost(line) else { return };
        let taken = if left.is_empty() {
            left
        } else {
            self.live = left;
            self.group = outer_group;
            self.ask(line, asked, left)
        };
        let open = self.innermost_open();
        open.taken = open.taken.or(taken);
        let late = open.after_else;
        open.after_else |= asked == Asked::Nothing;
        if late {
            self.problem_at("a group follows `#else`".into(), line.span(), left, false);
        }
        self.open_group(line, id, outer_group, taken);
    }

    /// The innermost conditional of this file, the group around it, and the passes no group of it took.
    fn innermost(&mut self, line: Line<'_>) -> Option<(ConditionalId, Option<GroupId>, PassSet)> {
        let base = self.frames.last().map_or(0, |frame| frame.open);
        match self.open.last().filter(|_| self.open.len() > base) {
            Some(open) => {
                let left = open.outer.minus(open.taken).minus(self.stopped);
                Some((open.id, open.outer_group, left))
            }
            None => {
                self.problem(format!("`{}` without `#if`", line.text()), line);
                None
            }
        }
    }

    fn open_group(
        &mut self,
        line: Line<'_>,
        conditional: ConditionalId,
        parent: Option<GroupId>,
        passes: PassSet,
    ) {
        let (directive, written) = (line.span(), line.written());
        let id = self.common.add_group(Group { parent, conditional, directive, written, passes });
        self.innermost_open().found.groups.push(id);
        self.group = Some(id);
        self.live = passes;
        if passes.is_empty()
            && let Some(frame) = self.frames.last_mut()
        {
            frame.go_to(line.file.sections().group_end(line.index));
        }
    }

    pub(super) fn innermost_open(&mut self) -> &mut Open {
        self.open.last_mut().expect("it has an innermost conditional")
    }

    fn close_conditional(&mut self, line: Line<'_>) {
        if self.innermost(line).is_none() {
            return;
        }
        let Some(mut open) = self.open.pop() else { return };
        open.found.endif = Some(line.span());
        self.common.settle(open.id, open.found);
        self.live = open.outer.minus(self.stopped);
        self.group = open.outer_group;
        if self.live == self.passes {
            self.settle_partly();
        }
    }

    // ---- the rest ----

    fn undefine_directive(&mut self, name: Symbol, at: Span) {
        let meanings = self.meanings(name, self.live);
        let had = meanings.cases().iter().filter(|(_, definition)| definition.is_some());
        let passes = had.fold(PassSet::EMPTY, |all, (passes, _)| all.or(*passes));
        if !passes.is_empty() {
            self.out.undefinitions.push(Undefinition { name, at, group: self.group, passes });
            self.undefine(name, self.live);
        }
    }

    fn define_directive(&mut self, line: Line<'_>) {
        if let Err(message) = self.define(line.rest(), line.written(), line.file.id) {
            self.problem(message, line);
        }
    }

    fn error(&mut self, line: Line<'_>) {
        self.problem(line.text(), line);
        self.tie();
        self.stopped = self.stopped.or(self.live);
        self.live = PassSet::EMPTY;
    }

    fn line(&mut self, line: Line<'_>, operands: &[Token]) {
        let tokens: Vec<Tok> =
            operands.iter().map(|token| Tok::new(token, line.file.id, self.group)).collect();
        let mut rest = vec![self.live];
        while let Some(set) = rest.pop() {
            match self.expanded(tokens.clone(), set, line) {
                Ok(tokens) => self.line_for(line, set, &tokens),
                Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
            }
        }
    }

    /// Leaves a directive to the compiler.
    fn pass_on(&mut self, line: Line<'_>) {
        self.note(self.live, Happening::Directive(line.text(), line.span().loc()));
    }

    fn line_for(&mut self, line: Line<'_>, set: PassSet, tokens: &[Tok]) {
        let number = tokens.first().and_then(|token| token.text.as_str().parse::<i64>().ok());
        let plain = |token: &Tok| token.kind == TokenKind::String && token.text.as_str().starts_with('"');
        let wrong = match (number, tokens.get(1)) {
            (None, _) => "`#line` needs a line number",
            (_, Some(name)) if !plain(name) => "`#line` needs a plain string as name",
            (Some(number), name) => {
                let name = name.map(|token| unquoted(token.text.as_str()));
                let directive = line.span().start;
                self.note(set, Happening::Renumber { directive, number, name: name.clone() });
                return self.renumber(line.span(), set, number, name);
            }
        };
        self.problem_at(wrong.into(), line.span(), set, false);
    }

    pub(super) fn pragma(&mut self, tokens: &[Token], set: PassSet, at: Span) {
        match tokens {
            [once] if once.text == sym::ONCE => {
                let file = self.sources.file(at.file);
                self.want_once(&file, set);
            }
            [action, open, name, ..] if open.text == sym::LPAREN && name.kind == TokenKind::String => {
                let name = Symbol::intern(&unquoted(name.text.as_str()));
                match action.text {
                    sym::PUSH_MACRO => self.push_macro(name, set),
                    sym::POP_MACRO => self.pop_macro(name, set),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// The tokens of a directive's line expanded for `set`, which must be one class.
    pub(super) fn expanded(
        &mut self,
        tokens: Vec<Tok>,
        set: PassSet,
        line: Line<'_>,
    ) -> Result<Vec<Tok>, Split> {
        let kept = self.out.expansions.len();
        let mut expander = Expander::on_line(self, set);
        expander.feed(tokens);
        let mut out = Vec::new();
        let ended = loop {
            match expander.next_expanded() {
                Ok(Some(token)) if token.is_pragma() => {}
                Ok(Some(token)) => out.push(token),
                Ok(None) => break Ok(()),
                Err(split) => break Err(split),
            }
        };
        let mut effects = expander.end();
        self.out.expansions.truncate(kept);
        ended?;
        self.carry_out(&mut effects, set, line.span());
        Ok(out)
    }

    // ---- include ----

    fn include(&mut self, line: Line<'_>, directive: Symbol) {
        let level = self.frames.last().map_or(0, |frame| frame.level) + 1;
        if level > INCLUDE_LIMIT {
            let message = format!("`#include` nested more than {INCLUDE_LIMIT} deep");
            self.problem_at(message, line.span(), self.live, true);
            return;
        }
        let frame = self.frames.len() - 1;
        // Entered last is read first, so that the classes are read in the order they were found.
        for (set, header) in self.headers(line).into_iter().rev() {
            match header {
                Some(header) => self.include_header(line, directive, &header, (set, level), frame),
                None => {
                    let message = "`#include` expects \"FILENAME\" or <FILENAME>".into();
                    self.problem_at(message, line.span(), set, false);
                }
            }
        }
    }

    /// The header the directive names, for each class of passes.
    fn headers(&mut self, line: Line<'_>) -> Vec<(PassSet, Option<Header>)> {
        if let Some(header) = written_header(line) {
            return vec![(self.live, Some(header))];
        }
        let tokens: Vec<Tok> =
            line.rest().iter().map(|token| Tok::new(token, line.file.id, self.group)).collect();
        let mut found: Vec<(PassSet, Option<Header>)> = Vec::new();
        let mut rest = vec![self.live];
        while let Some(set) = rest.pop() {
            match self.expanded(tokens.clone(), set, line) {
                Ok(tokens) => {
                    let header = header_of(&tokens);
                    match found.iter_mut().find(|(_, known)| *known == header) {
                        Some((passes, _)) => *passes = passes.or(set),
                        None => found.push((set, header)),
                    }
                }
                Err(Split(part)) => rest.extend([set.minus(part), set.and(part)]),
            }
        }
        found
    }

    fn include_header(
        &mut self,
        line: Line<'_>,
        directive: Symbol,
        header: &Header,
        (set, level): (PassSet, usize),
        frame: usize,
    ) {
        let Some(found) = self.find_header(header, directive == sym::INCLUDE_NEXT, frame) else {
            self.missing(header.spelled(), line.span(), set);
            return;
        };
        let file = match found.file {
            Ok(file) => file,
            Err(error) => {
                let message = format!("failed to read {}: {error}", header.spelled());
                self.problem_at(message, line.span(), set, true);
                return;
            }
        };
        let known = self.read_once(&file);
        self.note_asked(&file, known);
        let set = set.minus(known);
        if set.is_empty() {
            return;
        }
        if directive == sym::IMPORT {
            self.want_once(&file, set);
        }
        let (next_directory, system, directive) = (found.next_directory, found.system, Some(line.span()));
        // What `-imacros` names includes for macros only.
        let macros_only = self.frames[frame].macros_only;
        self.enter(Entry { file, set, next_directory, level, directive, system, macros_only });
    }

    /// The passes that have read `file`, under this or another path, and want it once.
    pub(super) fn read_once(&mut self, file: &SourceFile) -> PassSet {
        let mut passes = PassSet::EMPTY;
        for (id, set) in self.once.get(&name_of(file)).map_or(&[][..], |all| all) {
            let mut same = || self.resolver.same_file(&self.sources.file(*id).path, &file.path);
            if !passes.contains(*set) && (*id == file.id || same()) {
                passes = passes.or(*set);
            }
        }
        passes
    }

    /// The passes of `set` want `file` once.
    pub(super) fn want_once(&mut self, file: &Arc<SourceFile>, set: PassSet) {
        let known = self.read_once(file);
        self.note_asked(file, known);
        self.note_wanted(file, set);
        let all = self.once.entry(name_of(file)).or_default();
        match all.iter_mut().find(|(id, _)| *id == file.id) {
            Some((_, passes)) => *passes = passes.or(set),
            None => all.push((file.id, set)),
        }
    }

    /// The file a header name leads to from the open file of that number.
    pub(super) fn find_header(&mut self, header: &Header, next: bool, frame: usize) -> Option<Found> {
        let Frame { file, next_directory, level, .. } = &self.frames[frame];
        match (next && *level > 0, header.angled) {
            (true, _) => self.resolver.next(&header.name, file, *next_directory),
            (false, true) => self.resolver.angled(&header.name, Some(file)),
            (false, false) => self.resolver.quoted(&header.name, file),
        }
    }

    pub(super) fn missing(&mut self, header: String, at: Span, passes: PassSet) {
        Missing { header, at, passes }.add_to(&mut self.out.missing);
    }
}

/// The name of a file without its directories.
fn name_of(file: &SourceFile) -> Symbol {
    Symbol::intern(&file.path.file_name().unwrap_or_default().to_string_lossy())
}

/// The pragma of these tokens is not one that the preprocessor carries out itself.
pub(super) fn is_for_compiler(tokens: &[Token]) -> bool {
    let word = |index: usize| tokens.get(index).map_or("", |token| token.text.as_str());
    match word(0) {
        "once" | "push_macro" | "pop_macro" => false,
        "GCC" => !matches!(word(1), "poison" | "system_header" | "dependency"),
        _ => true,
    }
}

/// The header name as it is written, when no macro gives it.
pub(super) fn written_header(line: Line<'_>) -> Option<Header> {
    let first = line.rest().first()?;
    let (open, close, angled) = match (first.kind, first.text) {
        (TokenKind::String | TokenKind::Other, text) if text.as_str().starts_with('"') => ('"', '"', false),
        (TokenKind::Punctuator, text) if text.as_str().starts_with('<') => ('<', '>', true),
        _ => return None,
    };
    header_in(&line.file.text[first.offset as usize..], open, close, angled)
}

/// The header name that `text` begins with.
pub(super) fn header_in(text: &str, open: char, close: char, angled: bool) -> Option<Header> {
    let inner = text.strip_prefix(open)?;
    let name = &inner[..inner.find([close, '\n'])?];
    inner[name.len()..].starts_with(close).then(|| Header { name: name.to_string(), angled })
}

/// The header name expanded tokens make.
pub(super) fn header_of(tokens: &[Tok]) -> Option<Header> {
    let [first, rest @ ..] = tokens else { return None };
    if first.kind == TokenKind::String {
        return header_in(first.text.as_str(), '"', '"', false);
    }
    if !first.is(sym::LESS) {
        return None;
    }
    let mut name = String::new();
    for (index, token) in rest.iter().enumerate() {
        if token.is(sym::GREATER) {
            return Some(Header { name, angled: true });
        }
        if index > 0 && token.space {
            name.push(' ');
        }
        name.push_str(token.text.as_str());
    }
    None
}
