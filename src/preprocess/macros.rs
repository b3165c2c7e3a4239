//! Macro definitions as the expander uses them ([cpp.replace]): parsed replacement lists.
//!
//! In: the tokens of a `#define`. Out: a [`Macro`]. Knows nothing of passes.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::source::{FileId, Loc, Span, Symbol, Token, TokenKind, lex, sym};

use crate::target::{ByPass, PassSet};

use super::tokens::{DefinitionId, ExpansionId, GroupId};

/// A token on its way through the preprocessor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tok {
    pub(super) kind: TokenKind,
    pub(super) space: bool,
    pub(super) line_start: bool,
    /// Its macro was being expanded when it was read: it is never expanded again ([cpp.rescan]).
    pub(super) painted: bool,
    pub(super) text: Symbol,
    pub(super) at: Span,
    pub(super) spelled: Loc,
    pub(super) expansion: Option<ExpansionId>,
    pub(super) group: Option<GroupId>,
}

impl Tok {
    pub(super) fn new(token: &Token, file: FileId, group: Option<GroupId>) -> Tok {
        Tok {
            kind: token.kind,
            space: token.space_before,
            line_start: token.line_start,
            painted: false,
            text: token.text,
            at: Span { file, start: token.offset, end: token.end },
            spelled: Loc { file, offset: token.offset },
            expansion: None,
            group,
        }
    }

    /// It is this punctuator.
    pub(super) fn is(&self, punctuator: Symbol) -> bool {
        self.text == punctuator && self.kind == TokenKind::Punctuator
    }

    /// A token of another kind and spelling in the place of this one.
    pub(super) fn with(&self, kind: TokenKind, text: &str) -> Tok {
        Tok { kind, text: Symbol::intern(text), painted: false, ..*self }
    }

    /// A token that stands for no text, only for the white space before what follows: a
    /// placemarker ([cpp.concat]) or the edge of an argument. `painted` says it is a right edge.
    pub(super) fn padding(&self, space: bool) -> Tok {
        Tok { kind: TokenKind::Other, text: sym::EMPTY, space, painted: false, ..*self }
    }

    /// The right edge of an argument.
    pub(super) fn right_edge(&self) -> Tok {
        Tok { painted: true, ..self.padding(false) }
    }

    pub(super) fn is_padding(&self) -> bool {
        self.text == sym::EMPTY
    }

    /// What stands in the place of a `_Pragma` until it is printed: it is no token of the program.
    pub(super) fn pragma(&self, content: &str) -> Tok {
        self.with(TokenKind::Other, &format!("#pragma {content}"))
    }

    /// It was made by [`Tok::pragma`].
    pub(super) fn is_pragma(&self) -> bool {
        self.kind == TokenKind::Other && self.text.as_str().starts_with('#')
    }
}

/// What a macro name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Object,
    Function {
        parameters: usize,
        variadic: bool,
    },
    /// Computed by the preprocessor: `__LINE__`, `__has_include`.
    Builtin(Symbol),
}

/// What a token of a replacement list does in an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Plain,
    Parameter(usize),
    /// `# parameter`
    Stringize(usize),
    /// `__VA_OPT__ (` the next `length` tokens `)`
    Optional {
        length: usize,
        stringize: bool,
    },
}

/// A token of a replacement list.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyToken {
    pub(super) kind: TokenKind,
    pub(super) space: bool,
    pub(super) text: Symbol,
    /// Where it is written; `None` in a predefined macro.
    pub(super) spelled: Option<Loc>,
    pub(super) role: Role,
    /// `##` stands after it.
    pub(super) pastes: bool,
}

impl BodyToken {
    /// It, where an expansion replaces `name`.
    pub(super) fn in_place_of(&self, name: &Tok, expansion: ExpansionId) -> Tok {
        Tok {
            kind: self.kind,
            space: self.space,
            line_start: false,
            painted: false,
            text: self.text,
            at: name.at,
            spelled: self.spelled.unwrap_or(name.spelled),
            expansion: Some(expansion),
            group: name.group,
        }
    }
}

/// A macro as one directive defines it. Directives that say the same in different places are macros
/// of one [`super::Definition`]: only the places of their tokens differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct MacroId(pub(super) u32);

impl MacroId {
    /// Its number for the whole run.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A macro, ready to expand.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) definition: DefinitionId,
    /// Its name where it is defined, if that is anywhere.
    pub(super) at: Option<Span>,
    pub(super) meaning: Meaning,
    pub(super) body: Arc<[BodyToken]>,
    /// Its body has a `##`.
    pub(super) pastes: bool,
}

/// What each name is defined as, by pass, and which names were looked at. Asked about every identifier:
/// found by the symbol's number.
#[derive(Default)]
pub(super) struct Table {
    /// By symbol.
    slots: Vec<Slot>,
    cases: Vec<Cases>,
    /// Indices of cases that no name has.
    free: Vec<u32>,
    /// The number of the innermost reading whose looks are noted; greater than those around it, 0 for none.
    reading: u32,
    /// The greatest such number.
    readings: u32,
    /// What was looked at, in order, each name once for each reading inside which no other has looked at it
    /// since.
    trail: Vec<Look>,
    /// A fingerprint of all definitions.
    state: u64,
    /// Names that were ever defined, some more than once.
    named: Vec<Symbol>,
}

/// What a name is defined as.
#[derive(Default)]
struct Cases {
    by_pass: ByPass<MacroId>,
    /// A number for it.
    fingerprint: u64,
}

impl Cases {
    /// They changed: the same definitions are in the same order, however they came about.
    fn settle(&mut self, name: Symbol) {
        self.by_pass.sort();
        let one = |(passes, id): &(PassSet, MacroId)| mixed((name, passes, id));
        self.fingerprint = self.by_pass.cases().iter().fold(0, |all, case| all ^ one(case));
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// 0, or one more than the index of its cases.
    cases: u32,
    /// The last reading that looked at the name; the greatest number for what is no name.
    seen: u32,
}

/// A look at a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) name: Symbol,
    /// The reading that looked at it before.
    before: u32,
    /// What it was defined as: 0, or a fingerprint.
    pub(super) found: u64,
    /// It was defined for all passes, whatever it was.
    pub(super) overwrites: bool,
}

impl Table {
    fn slot(&self, name: Symbol) -> Slot {
        self.slots.get(name.index()).copied().unwrap_or_default()
    }

    fn reach(&mut self, name: Symbol) {
        if self.slots.len() <= name.index() {
            self.slots.resize((name.index() + 1).next_power_of_two(), Slot::default());
        }
    }

    /// It is a macro in some pass. A look.
    pub(super) fn has(&mut self, name: Symbol) -> bool {
        match self.slots.get(name.index()) {
            Some(slot) if slot.seen >= self.reading => slot.cases != 0,
            _ => {
                self.look(name);
                self.slot(name).cases != 0
            }
        }
    }

    /// The token is the name of a macro in some pass. A look, if it is a name.
    pub(super) fn has_token(&mut self, token: &Token) -> bool {
        match self.slots.get(token.text.index()) {
            Some(slot) if slot.seen >= self.reading => slot.cases != 0,
            _ if token.kind == TokenKind::Identifier => self.has(token.text),
            // What is no name counts as looked at from now on: no processor foresees which kind comes next.
            _ => {
                self.reach(token.text);
                self.slots[token.text.index()].seen = u32::MAX;
                false
            }
        }
    }

    /// Notes a look.
    pub(super) fn look(&mut self, name: Symbol) {
        self.note(name, false);
    }

    fn note(&mut self, name: Symbol, overwrites: bool) {
        self.reach(name);
        let slot = &mut self.slots[name.index()];
        if slot.seen < self.reading {
            let before = std::mem::replace(&mut slot.seen, self.reading);
            let found = self.fingerprint(name);
            self.trail.push(Look { name, before, found, overwrites });
        }
    }

    /// Its definitions, if it has any. Of a name that was looked at.
    pub(super) fn get(&self, name: Symbol) -> Option<&ByPass<MacroId>> {
        let index = self.slot(name).cases.checked_sub(1)?;
        Some(&self.cases[index as usize].by_pass)
    }

    /// Its definitions. A look.
    pub(super) fn cases(&mut self, name: Symbol) -> &[(PassSet, MacroId)] {
        self.look(name);
        self.get(name).map_or(&[], |cases| cases.cases())
    }

    /// Defines a name for the passes of `set`.
    pub(super) fn set(&mut self, name: Symbol, set: PassSet, id: MacroId) {
        self.look(name);
        self.state ^= self.fingerprint(name);
        let slot = &mut self.slots[name.index()];
        if slot.cases == 0 {
            self.named.push(name);
            slot.cases = 1 + self.free.pop().unwrap_or_else(|| {
                self.cases.push(Cases::default());
                u32::try_from(self.cases.len() - 1).expect("fewer macros than tokens")
            });
        }
        let cases = &mut self.cases[slot.cases as usize - 1];
        cases.by_pass.set(set, id);
        cases.settle(name);
        self.state ^= self.fingerprint(name);
    }

    /// Defines a name for all passes. What it was does not matter.
    pub(super) fn overwrite(&mut self, name: Symbol, all: PassSet, id: MacroId) {
        self.note(name, true);
        self.set(name, all, id);
    }

    /// Takes a name's definitions from the passes of `set`.
    pub(super) fn clear(&mut self, name: Symbol, set: PassSet) {
        self.look(name);
        let Some(index) = self.slot(name).cases.checked_sub(1) else { return };
        self.state ^= self.fingerprint(name);
        let cases = &mut self.cases[index as usize];
        cases.by_pass.clear(set);
        cases.settle(name);
        if cases.by_pass.cases().is_empty() {
            self.slots[name.index()].cases = 0;
            self.free.push(index);
        }
        self.state ^= self.fingerprint(name);
    }

    /// A number for what the name is defined as; 0 when it is not.
    pub(super) fn fingerprint(&self, name: Symbol) -> u64 {
        self.slot(name).cases.checked_sub(1).map_or(0, |index| self.cases[index as usize].fingerprint)
    }

    /// A fingerprint of all definitions.
    pub(super) fn state(&self) -> u64 {
        self.state
    }

    // ---- what a reading looks at ----

    /// A reading begins whose looks are noted. What is returned ends it.
    pub(super) fn begin(&mut self) -> Looking {
        self.readings += 1;
        let around = std::mem::replace(&mut self.reading, self.readings);
        Looking { reading: self.reading, around, from: self.trail.len() }
    }

    /// What a reading that is still open looked at, first of each name.
    pub(super) fn looks(&self, looking: &Looking) -> impl Iterator<Item = &Look> {
        self.trail[looking.from..].iter().filter(move |look| look.before < looking.reading)
    }

    /// A reading ends.
    pub(super) fn end(&mut self, looking: Looking) {
        self.reading = looking.around;
        // What a reading around it had looked at before is a first look for none of those that are open.
        let mut kept = looking.from;
        for index in looking.from..self.trail.len() {
            if self.trail[index].before < looking.around {
                self.trail[kept] = self.trail[index];
                kept += 1;
            }
        }
        self.trail.truncate(kept);
    }

    /// The number of the innermost reading whose looks are noted; 0 for none.
    pub(super) fn reading(&self) -> u32 {
        self.reading
    }

    /// Some reading is open whose looks are noted.
    pub(super) fn notes(&self) -> bool {
        self.reading != 0
    }

    /// All definitions that names have.
    pub(super) fn all(&self) -> impl Iterator<Item = (Symbol, MacroId)> {
        let named = self.named.iter().map(|name| (*name, self.get(*name)));
        named.flat_map(|(name, cases)| {
            cases.map_or(&[][..], |cases| cases.cases()).iter().map(move |(_, id)| (name, *id))
        })
    }

    /// Makes a name what `cases` say, and nothing else. What it was does not matter.
    pub(super) fn replace(&mut self, name: Symbol, cases: &[(PassSet, MacroId)]) {
        self.note(name, true);
        self.clear(name, PassSet(u64::MAX));
        cases.iter().for_each(|(passes, id)| self.set(name, *passes, *id));
    }
}

/// A reading that is open, as the table knows it.
#[derive(Debug)]
pub(super) struct Looking {
    reading: u32,
    /// The one around it.
    around: u32,
    from: usize,
}

/// A number that hardly any other value gives.
pub(super) fn mixed(value: impl Hash) -> u64 {
    foldhash::quality::FixedState::default().hash_one(value)
}

/// A parsed `#define`.
#[derive(Clone)]
pub(super) struct Parsed {
    pub(super) name: Token,
    pub(super) meaning: Meaning,
    pub(super) body: Arc<[BodyToken]>,
    pub(super) pastes: bool,
}

/// Reads a macro that is defined before the first line. Every walk has some hundred of them, and nearly
/// always the same: each thread keeps what it has read.
pub(super) fn predefined(name: &str, value: &str) -> Option<(Parsed, Arc<[Token]>)> {
    type Known = FxHashMap<String, Option<(Parsed, Arc<[Token]>)>>;
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    let text = format!("{name} {value}");
    KNOWN.with_borrow_mut(|known| {
        if known.len() > PREDEFINED_LIMIT {
            known.clear();
        }
        let read = |text: &String| {
            let tokens = lex(text);
            Some((parse(&tokens, None).ok()?, tokens.into()))
        };
        known.entry(text).or_insert_with_key(read).clone()
    })
}

/// How many macros a thread keeps: more than any compiler and command line define.
const PREDEFINED_LIMIT: usize = 4096;

/// Reads the tokens after `define`. `file` is where they are written, if anywhere.
pub(super) fn parse(tokens: &[Token], file: Option<FileId>) -> Result<Parsed, &'static str> {
    let [name, rest @ ..] = tokens else { return Err("no macro name given in `#define`") };
    if name.kind != TokenKind::Identifier {
        return Err("macro names must be identifiers");
    }
    if name.text == sym::DEFINED {
        return Err("`defined` cannot be used as a macro name");
    }
    let mut names = Names { list: Vec::new(), given: false, variadic: false };
    let mut body = rest;
    if let Some(open) = rest.first()
        && open.text == sym::LPAREN
        && !open.space_before
    {
        body = names.parse(&rest[1..])?;
    }
    let function = names.given;
    let body_tokens = replacement_list(body, file, &names)?;
    let meaning = if function {
        Meaning::Function { parameters: names.list.len(), variadic: names.variadic }
    } else {
        Meaning::Object
    };
    let pastes = body_tokens.iter().any(|token| token.pastes);
    Ok(Parsed { name: *name, meaning, body: body_tokens.into(), pastes })
}

/// The tokens between the parentheses of a function-like macro's parameters, if it is one, and its
/// replacement list, in what stands after `#define`.
pub(super) fn halves(tokens: &[Token]) -> (Option<&[Token]>, &[Token]) {
    let rest = tokens.get(1..).unwrap_or_default();
    match rest {
        [open, ..] if open.text == sym::LPAREN && !open.space_before => {
            let close = rest.iter().position(|token| token.text == sym::RPAREN).unwrap_or(rest.len() - 1);
            (Some(&rest[1..close.max(1)]), &rest[close + 1..])
        }
        _ => (None, rest),
    }
}

/// Two `#define`s say the same ([cpp.replace]/2), judged by what stands after the directive's name.
pub(super) fn say_the_same(one: &[Token], other: &[Token]) -> bool {
    let spelled = |(a, b): (&Token, &Token)| a.text == b.text;
    let ((names, body), (other_names, other_body)) = (halves(one), halves(other));
    let same_names = match (names, other_names) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(spelled),
        (None, None) => true,
        _ => false,
    };
    let spaced = |(a, b): (&Token, &Token)| a.space_before == b.space_before;
    same_names
        && body.len() == other_body.len()
        && body.iter().zip(other_body).all(spelled)
        && body.iter().zip(other_body).skip(1).all(spaced)
}

/// The tokens as one line, a blank where white space stood.
pub(super) fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && token.space_before {
            text.push(' ');
        }
        text.push_str(token.text.as_str());
    }
    text
}

/// The parameters of a function-like macro.
struct Names {
    /// What the replacement list calls them.
    list: Vec<Symbol>,
    /// There is a list of them.
    given: bool,
    variadic: bool,
}

impl Names {
    /// Reads up to `)` and returns the tokens after it.
    fn parse<'t>(&mut self, mut tokens: &'t [Token]) -> Result<&'t [Token], &'static str> {
        const BAD: &str = "malformed macro parameter list";
        self.given = true;
        if let [close, rest @ ..] = tokens
            && close.text == sym::RPAREN
        {
            return Ok(rest);
        }
        loop {
            if tokens.first().is_some_and(|name| self.list.contains(&name.text)) {
                return Err("duplicate macro parameter");
            }
            match tokens {
                [dots, rest @ ..] if dots.text == sym::ELLIPSIS => {
                    self.variadic = true;
                    self.list.push(sym::VA_ARGS);
                    tokens = rest;
                }
                [name, dots, rest @ ..]
                    if name.kind == TokenKind::Identifier && dots.text == sym::ELLIPSIS =>
                {
                    self.variadic = true;
                    self.list.push(name.text);
                    tokens = rest;
                }
                [name, rest @ ..] if name.kind == TokenKind::Identifier => {
                    self.list.push(name.text);
                    tokens = rest;
                }
                _ => return Err(BAD),
            }
            match tokens {
                [comma, rest @ ..] if comma.text == sym::COMMA && !self.variadic => tokens = rest,
                [close, rest @ ..] if close.text == sym::RPAREN => {
                    return Ok(rest);
                }
                _ => return Err(BAD),
            }
        }
    }

    fn index(&self, token: &Token) -> Option<usize> {
        self.list.iter().position(|name| *name == token.text).filter(|_| token.kind == TokenKind::Identifier)
    }
}

fn replacement_list(
    tokens: &[Token],
    file: Option<FileId>,
    names: &Names,
) -> Result<Vec<BodyToken>, &'static str> {
    const EDGE: &str = "`##` cannot stand at either end of a replacement list";
    let mut body: Vec<BodyToken> = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        if token.text == sym::HASH_HASH && token.kind == TokenKind::Punctuator {
            if rest.is_empty() {
                return Err(EDGE);
            }
            body.last_mut().ok_or(EDGE)?.pastes = true;
            continue;
        }
        let mut made = BodyToken {
            kind: token.kind,
            space: token.space_before && !body.is_empty(),
            text: token.text,
            spelled: file.map(|file| Loc { file, offset: token.offset }),
            role: Role::Plain,
            pastes: false,
        };
        let mut subject = token;
        let mut stringize = false;
        if names.given && token.text == sym::HASH && token.kind == TokenKind::Punctuator {
            let next = rest.first().ok_or("`#` is not followed by a macro parameter")?;
            if names.index(next).is_none() && !(names.variadic && next.text == sym::VA_OPT) {
                return Err("`#` is not followed by a macro parameter");
            }
            (subject, stringize, rest) = (next, true, &rest[1..]);
        }
        if let Some(index) = names.index(subject) {
            made.role = if stringize { Role::Stringize(index) } else { Role::Parameter(index) };
        } else if names.variadic && subject.text == sym::VA_OPT {
            let length = optional_length(rest).ok_or("unterminated `__VA_OPT__`")?;
            let inner = replacement_list(&rest[1..1 + length], file, names)?;
            made.role = Role::Optional { length: inner.len(), stringize };
            body.push(made);
            body.extend(inner);
            rest = &rest[length + 2..];
            // `##` after the group belongs to the group.
            if let [paste, _, ..] = rest
                && paste.text == sym::HASH_HASH
            {
                let opener = body.len() - 1 - inner_length(&body);
                body[opener].pastes = true;
                rest = &rest[1..];
            }
            continue;
        }
        body.push(made);
    }
    Ok(body)
}

/// The length of the `__VA_OPT__` group that ends the body.
fn inner_length(body: &[BodyToken]) -> usize {
    let ends_here = |(index, token): (usize, &BodyToken)| match token.role {
        Role::Optional { length, .. } if index + 1 + length == body.len() => Some(length),
        _ => None,
    };
    body.iter().enumerate().find_map(ends_here).unwrap_or(0)
}

/// How many tokens stand between the parentheses that `tokens` opens with.
fn optional_length(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (index > 0).then(|| index - 1);
        }
    }
    None
}
