//! What is asked of the tokens of declarations again and again, gathered once: the words in their heads, the names
//! that they mention, the member functions that classes define.
//!
//! All of it hangs on a declaration's own tokens. Of the headers that a unit begins with, which no edit of its main
//! file changes, it is kept for the next analysis ([`HeaderTokenFacts`]).

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{Beginning, PpToken, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Meanings, TopDeclaration, Variance, locals, member_functions, word};

use super::names::NameIndex;
pub(in crate::facts) use super::tokens::{identifiers, refine, tops_of};

/// What is kept of the declarations of the headers that a unit begins with.
#[derive(Debug)]
pub(crate) struct HeaderTokenFacts {
    beginning: Beginning,
    /// The passes that were compared: others have other declarations.
    compared: PassSet,
    part: Part,
}

/// What the declarations of a unit say: those of the headers that it begins with, and the rest.
pub(in crate::facts) struct TokenFacts {
    pub(in crate::facts) headers: Option<Arc<HeaderTokenFacts>>,
    own: Part,
}

/// Some declarations in a row.
#[derive(Debug, Default)]
struct Part {
    /// The number of the first.
    first: usize,
    /// Per declaration, the words in its head and what else is known of it.
    marks: Vec<u32>,
    /// Per declaration, where its names end in `names`.
    ends: Vec<u32>,
    /// The identifiers of each declaration, each once.
    names: Vec<Symbol>,
    /// Per name, where its declarations stand in `mentions`.
    by_name: FxHashMap<Symbol, Range<u32>>,
    /// The declarations that mention a name, in order.
    mentions: Vec<u32>,
    /// What is known of classes.
    classes: FxHashMap<usize, Class>,
    /// The identifiers in the heads of operators.
    operands: FxHashMap<usize, Vec<Symbol>>,
    /// Of functions that are no templates, the identifiers in their parameters whose uses a call makes: in default
    /// arguments, and of class templates that arguments are converted to.
    used_by_calls: FxHashMap<usize, Vec<Symbol>>,
    /// Names of kernel templates and device variable templates.
    kernels: FxHashSet<Symbol>,
    /// Names through which what they stand for may instantiate something.
    candidates: FxHashSet<Symbol>,
}

/// The member functions that a class defines.
#[derive(Debug, Default)]
pub(in crate::facts) struct Class {
    /// Their names, where tokens tell.
    members: Vec<Option<Symbol>>,
    /// The identifiers in those that uses instantiate, with the functions, sorted.
    mentions: Vec<(Symbol, u32)>,
    /// The identifiers outside all of them, sorted, if the class is no template.
    outside: Vec<Symbol>,
}

impl Class {
    /// The functions that mention a name and that uses instantiate.
    pub(in crate::facts) fn mentioning(&self, name: Symbol) -> impl Iterator<Item = Option<Symbol>> {
        let first = self.mentions.partition_point(|(other, _)| *other < name);
        let own = self.mentions[first..].iter().take_while(move |(other, _)| *other == name);
        own.map(|(_, member)| self.members[*member as usize])
    }

    /// The class mentions a name where it has an object of it, or is derived from it: outside its functions.
    pub(in crate::facts) fn consists_of(&self, name: Symbol) -> bool {
        self.outside.binary_search(&name).is_ok()
    }
}

/// Words that heads are asked for; the mark of each is a bit by its number here.
const WORDS: [Symbol; 13] = [
    sym::GLOBAL,
    sym::DEVICE,
    sym::CONSTANT,
    sym::MANAGED,
    sym::HOST,
    sym::STATIC,
    sym::INLINE,
    sym::INLINE_GNU,
    sym::INLINE_SHORT,
    sym::FORCEINLINE,
    sym::CONSTEXPR,
    sym::TEXTURE,
    sym::SURFACE,
];

const TEMPLATE: u32 = 1 << 16;
const PASSES_ON: u32 = 1 << 17;
const GENERIC_LAMBDA: u32 = 1 << 18;
const MAY_BE_ROOT: u32 = 1 << 19;

impl TokenFacts {
    /// That of a unit. What is known of the headers that it begins with is used if it is still right; else it is
    /// gathered by itself if `keep` says so.
    pub(in crate::facts) fn new(
        pp: &Preprocessed,
        variance: &Variance,
        index: &NameIndex,
        compared: PassSet,
        known: Option<&Arc<HeaderTokenFacts>>,
        keep: Keep,
    ) -> TokenFacts {
        let all = &variance.declarations;
        if keep == Keep::Nothing {
            return TokenFacts { headers: None, own: Part::of(pp, variance, index, 0..all.len()) };
        }
        let beginning = pp.lasting(known.map(|known| &known.beginning));
        let tops = tops_of(variance, &beginning);
        let same = |known: &&Arc<HeaderTokenFacts>| {
            known.beginning == beginning && known.compared == compared && known.part.marks.len() == tops
        };
        let headers = known.filter(same).cloned().unwrap_or_else(|| {
            let part = Part::of(pp, variance, index, 0..tops);
            Arc::new(HeaderTokenFacts { beginning, compared, part })
        });
        TokenFacts { headers: Some(headers), own: Part::of(pp, variance, index, tops..all.len()) }
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.headers.iter().map(|headers| &headers.part).chain([&self.own])
    }

    fn part(&self, top: usize) -> &Part {
        match &self.headers {
            Some(headers) if top < self.own.first => &headers.part,
            _ => &self.own,
        }
    }

    fn has(&self, top: usize, marks: u32) -> bool {
        let part = self.part(top);
        part.marks[top - part.first] & marks != 0
    }

    /// A declaration has one of the words before its body and outside a class's, in any pass.
    pub(in crate::facts) fn head_has(&self, top: usize, words: &[Symbol]) -> bool {
        self.has(top, words.iter().fold(0, |marks, word| marks | mark(*word)))
    }

    /// A declaration is a template.
    pub(in crate::facts) fn is_template(&self, top: usize) -> bool {
        self.has(top, TEMPLATE)
    }

    /// What a declaration mentions is instantiated through its own names.
    pub(in crate::facts) fn passes_on(&self, top: usize) -> bool {
        self.has(top, PASSES_ON)
    }

    /// A declaration has a lambda with template parameters.
    pub(in crate::facts) fn has_generic_lambda(&self, top: usize) -> bool {
        self.has(top, GENERIC_LAMBDA)
    }

    /// A declaration may instantiate something by itself: no template does, nor does what only gives names.
    pub(in crate::facts) fn may_be_a_root(&self, top: usize) -> bool {
        self.has(top, MAY_BE_ROOT)
    }

    /// The identifiers of a declaration, each once.
    pub(in crate::facts) fn names(&self, top: usize) -> &[Symbol] {
        let part = self.part(top);
        let number = top - part.first;
        let start = number.checked_sub(1).map_or(0, |before| part.ends[before]);
        &part.names[start as usize..part.ends[number] as usize]
    }

    /// The declarations that mention a name, in order.
    pub(in crate::facts) fn mentions(&self, name: Symbol) -> impl Iterator<Item = usize> {
        self.parts().flat_map(move |part| {
            let range = part.by_name.get(&name).cloned().unwrap_or_default();
            part.mentions[range.start as usize..range.end as usize].iter().map(|top| *top as usize)
        })
    }

    /// How many declarations the headers have that are kept.
    pub(in crate::facts) fn tops(&self) -> usize {
        self.own.first
    }

    /// How many declarations there are.
    pub(in crate::facts) fn end(&self) -> usize {
        self.own.first + self.own.marks.len()
    }

    /// The headers that are kept, as if the unit had no more.
    pub(in crate::facts) fn headers_alone(&self) -> Option<TokenFacts> {
        let headers = self.headers.as_ref()?;
        let nothing = Part { first: self.own.first, ..Part::default() };
        Some(TokenFacts { headers: Some(Arc::clone(headers)), own: nothing })
    }

    /// A class.
    pub(in crate::facts) fn class(&self, top: usize) -> Option<&Class> {
        self.part(top).classes.get(&top)
    }

    /// The identifiers in the head of an operator, by which its uses are found.
    pub(in crate::facts) fn operands(&self, top: usize) -> &[Symbol] {
        self.part(top).operands.get(&top).map_or(&[], Vec::as_slice)
    }

    /// The identifiers in a declaration that uses of its names instantiate.
    pub(in crate::facts) fn passed_on(&self, top: usize) -> &[Symbol] {
        self.part(top).used_by_calls.get(&top).map_or_else(|| self.names(top), Vec::as_slice)
    }

    /// The operators of which some operand may be one of these classes.
    pub(in crate::facts) fn operators_of(&self, classes: &FxHashSet<Symbol>) -> Vec<usize> {
        let all = self.parts().flat_map(|part| &part.operands);
        let some = all.filter(|(_, operands)| operands.iter().any(|operand| classes.contains(operand)));
        some.map(|(top, _)| *top).collect()
    }

    /// There are kernel templates or device variable templates.
    pub(in crate::facts) fn has_kernels(&self) -> bool {
        self.parts().any(|part| !part.kernels.is_empty())
    }

    /// A name is that of a kernel template or a device variable template.
    pub(in crate::facts) fn is_kernel(&self, name: Symbol) -> bool {
        self.parts().any(|part| part.kernels.contains(&name))
    }

    /// The names of kernel templates and device variable templates.
    pub(in crate::facts) fn kernels(&self) -> FxHashSet<Symbol> {
        self.parts().flat_map(|part| part.kernels.iter().copied()).collect()
    }

    /// What a name stands for may instantiate something.
    pub(in crate::facts) fn is_candidate(&self, name: Symbol) -> bool {
        self.parts().any(|part| part.candidates.contains(&name))
    }
}

/// Whether something of an analysis is wanted by the next one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Keep {
    /// Nothing.
    Nothing,
    /// What concerns the headers that the unit begins with.
    Headers,
}

fn mark(word: Symbol) -> u32 {
    WORDS.iter().position(|known| *known == word).map_or(0, |number| 1 << number)
}

impl Part {
    fn of(pp: &Preprocessed, variance: &Variance, index: &NameIndex, range: Range<usize>) -> Part {
        let mut part = Part { first: range.start, ..Part::default() };
        let (tokens, main) = (pp.tokens(), pp.files.first().copied());
        let (mut seen, mut meanings) = (Seen::default(), Meanings::new(tokens, variance));
        for top in range {
            let declaration = &variance.declarations[top];
            // Headers are full of names that mean something else where it takes the most to tell.
            let of_main =
                Some(tokens[declaration.tokens.start].at.file) == main && !has_bases(tokens, declaration);
            let locals = locals(tokens, declaration);
            let others = of_main.then(|| {
                let declaring = |name: Symbol| Some(index.get(name));
                meanings.other_names(declaration, &locals, declaring)
            });
            part.add(tokens, declaration, top, &locals, &others.unwrap_or_default(), &mut seen);
        }
        part.names.shrink_to_fit();
        part.index();
        part
    }

    /// Of the names in it, `others` mean nothing of namespace scope.
    fn add(
        &mut self,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        top: usize,
        locals: &[usize],
        others: &FxHashSet<Symbol>,
        seen: &mut Seen,
    ) {
        let own = &tokens[declaration.tokens.clone()];
        let mut marks = head_words(tokens, declaration);
        let template = is_template(own, declaration.kind);
        let words: &[Symbol] = match declaration.kind {
            DeclKind::Function | DeclKind::Prototype => &[sym::GLOBAL],
            DeclKind::Variable => &[sym::DEVICE, sym::CONSTANT, sym::MANAGED],
            _ => &[],
        };
        if template && words.iter().any(|word| marks & mark(*word) != 0) {
            self.kernels.extend(declaration.names.first().copied());
        }
        let is_function = matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype);
        let of_host = marks & mark(sym::GLOBAL) == 0
            && (marks & mark(sym::DEVICE) == 0 || marks & mark(sym::HOST) != 0);
        let used_by_calls = match !template && is_function && of_host {
            true => used_by_calls(&tokens[declaration.tokens.start..declaration.body]),
            false => Vec::new(),
        };
        let used_by_calls =
            if declaration.names.iter().all(|name| is_word(*name)) { used_by_calls } else { Vec::new() };
        let passes_on = (template && declaration.kind != DeclKind::Instantiation)
            || !used_by_calls.is_empty()
            || matches!(declaration.kind, DeclKind::Class | DeclKind::Alias);
        if !used_by_calls.is_empty() {
            self.used_by_calls.insert(top, seen.each_once(used_by_calls.into_iter()).collect());
        }
        let also = [
            (template, TEMPLATE),
            (passes_on, PASSES_ON),
            (has_generic_lambda(own), GENERIC_LAMBDA),
            (may_be_a_root(own, declaration), MAY_BE_ROOT),
        ];
        also.iter().filter(|(is, _)| *is).for_each(|(_, mark)| marks |= mark);
        self.marks.push(marks);
        if passes_on {
            self.candidates.extend(declaration.names.iter().copied());
        }
        if declaration.kind == DeclKind::Class {
            let class = Class::of(tokens, declaration, locals, template, seen);
            self.candidates.extend(class.members.iter().flatten());
            self.classes.insert(top, class);
        } else if passes_on && declaration.names.iter().any(|name| !is_word(*name)) {
            let head = &tokens[declaration.tokens.start..declaration.body];
            self.operands.insert(top, seen.each_once(identifiers(head)).collect());
        }
        let own = |name: &Symbol| {
            self.classes.get(&top).is_some_and(|class| class.members.contains(&Some(*name)))
                || declaration.names.contains(name)
        };
        let names = mentioned(tokens, declaration.tokens.clone(), locals);
        let names = names.filter(|name| !others.contains(name) || own(name));
        // `template void run(float *);` declares no name of its own.
        let instantiated = declaration.names.first().filter(|_| declaration.kind == DeclKind::Instantiation);
        let names = names.chain(instantiated.copied());
        self.names.extend(seen.each_once(names));
        self.ends.push(self.names.len() as u32);
    }

    /// Makes the index by name.
    fn index(&mut self) {
        let mut counts: FxHashMap<Symbol, Range<u32>> = FxHashMap::default();
        for name in &self.names {
            counts.entry(*name).or_default().end += 1;
        }
        let mut next = 0;
        for range in counts.values_mut() {
            let count = range.end;
            *range = next..next;
            next += count;
        }
        self.mentions = vec![0; self.names.len()];
        let mut start = 0;
        for (number, end) in self.ends.iter().enumerate() {
            for name in &self.names[start..*end as usize] {
                let range = counts.get_mut(name).expect("every name was counted");
                self.mentions[range.end as usize] = (self.first + number) as u32;
                range.end += 1;
            }
            start = *end as usize;
        }
        counts.shrink_to_fit();
        self.by_name = counts;
    }
}

/// The names that were met in one list after another.
#[derive(Default)]
struct Seen {
    /// By symbol, the number of the list it was met in last.
    last: Vec<u32>,
    lists: u32,
}

impl Seen {
    /// The names of a new list, each once.
    fn each_once(&mut self, names: impl Iterator<Item = Symbol>) -> impl Iterator<Item = Symbol> {
        self.lists += 1;
        names.filter(|name| {
            if self.last.len() <= name.index() {
                self.last.resize((name.index() + 1).next_power_of_two(), 0);
            }
            std::mem::replace(&mut self.last[name.index()], self.lists) != self.lists
        })
    }
}

impl Class {
    fn of(
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        locals: &[usize],
        is_template: bool,
        seen: &mut Seen,
    ) -> Class {
        let own = &tokens[declaration.tokens.clone()];
        let passes = refine(declaration.passes, own.iter().map(|token| token.passes));
        let passes = passes.iter().filter_map(|class| class.lowest());
        let functions: Vec<_> = passes.flat_map(|pass| member_functions(tokens, declaration, pass)).collect();
        let mut class = Class::default();
        for (number, function) in functions.iter().enumerate() {
            class.members.push(function.name);
            if is_template || function.in_template {
                let inside = mentioned(tokens, function.head.start..function.body.end, locals);
                class.mentions.extend(seen.each_once(inside).map(|name| (name, number as u32)));
            } else {
                let inside = used_by_calls(&tokens[function.head.clone()]);
                class.mentions.extend(seen.each_once(inside.into_iter()).map(|name| (name, number as u32)));
            }
        }
        class.mentions.sort_unstable();
        if !is_template {
            let in_function =
                |at: &usize| functions.iter().any(|one| (one.head.start..one.body.end).contains(at));
            let outside = declaration.tokens.clone().filter(|at| !in_function(at));
            let outside = outside.flat_map(|at| identifiers(&tokens[at..=at]));
            class.outside = seen.each_once(outside).collect();
            class.outside.sort_unstable();
        }
        class
    }
}

/// The identifiers of a range that may mean what the declaration does not say itself. A member that is not called, or
/// named with arguments, is an object's.
fn mentioned(tokens: &[PpToken], range: Range<usize>, locals: &[usize]) -> impl Iterator<Item = Symbol> {
    let mut next = locals.partition_point(|local| *local < range.start);
    range.filter_map(move |index| {
        if locals.get(next) == Some(&index) {
            next += 1;
            return None;
        }
        (tokens[index].kind == TokenKind::Identifier && !is_plain_member(tokens, index))
            .then_some(tokens[index].text)
    })
}

/// A class in it may have members of others, which it is derived from.
pub(in crate::facts) fn has_bases(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    let own = &tokens[declaration.tokens.clone()];
    let derived = |at: usize| {
        let ends = |token: &&PpToken| {
            matches!(token.text, sym::LBRACE | sym::SEMI | sym::LPAREN | sym::COMMA | sym::ASSIGN)
        };
        own[at..].iter().take_while(|token| !ends(token)).any(|token| token.text == sym::COLON)
    };
    (0..own.len()).any(|at| matches!(own[at].text, sym::CLASS | sym::STRUCT) && derived(at))
}

/// `object.name`, which is no call.
fn is_plain_member(tokens: &[PpToken], index: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or(sym::EMPTY, |token| token.text);
    // `auto f() const -> name` and `f()->name` begin alike.
    let of_object = |at: usize| match tokens[at].kind {
        TokenKind::Identifier => word(tokens[at].text).is_none(),
        _ => tokens[at].text == sym::RBRACKET,
    };
    match index.checked_sub(1).map_or(sym::EMPTY, text) {
        sym::DOT => {}
        sym::ARROW if index > 1 && of_object(index - 2) => {}
        _ => return false,
    }
    match text(index + 1) {
        sym::LPAREN | sym::LESS | sym::SCOPE => false,
        sym::RPAREN => text(index + 2) != sym::LPAREN,
        _ => true,
    }
}

/// The marks of the words that a declaration has before its body and outside a class's, in any pass.
fn head_words(tokens: &[PpToken], declaration: &TopDeclaration) -> u32 {
    let body = &declaration.class_body;
    let parts = match body.is_empty() {
        true => [declaration.tokens.start..declaration.body, 0..0],
        false => [declaration.tokens.start..body.start, body.end..declaration.body.max(body.end)],
    };
    let all = parts.into_iter().flat_map(|part| &tokens[part]);
    let words = all.filter(|token| token.kind == TokenKind::Identifier);
    let own = words.filter(|token| token.passes.meets(declaration.passes));
    own.fold(0, |marks, token| marks | mark(token.text))
}

fn is_template(tokens: &[PpToken], kind: DeclKind) -> bool {
    tokens[0].text == sym::TEMPLATE || is_abbreviated(tokens, kind)
}

/// `void f(auto x)`: a function with a placeholder among its parameters is a template ([dcl.fct]/22).
fn is_abbreviated(tokens: &[PpToken], kind: DeclKind) -> bool {
    if !matches!(kind, DeclKind::Function | DeclKind::Prototype) {
        return false;
    }
    let mut depth = 0_i32;
    for token in tokens {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            sym::AUTO if depth > 0 => return true,
            sym::LBRACE | sym::SEMI if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// The identifiers in a function's parameters whose uses a call makes: if it has default arguments, and if it has
/// parameters that are of class templates, which arguments may be converted to.
fn used_by_calls(head: &[PpToken]) -> Vec<Symbol> {
    let (mut depth, mut uses) = (0_i32, false);
    let mut names = Vec::new();
    for (number, token) in head.iter().enumerate() {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth -= 1,
            _ if depth == 0 => {}
            sym::ASSIGN => uses = true,
            _ if token.kind == TokenKind::Identifier => {
                uses |= head.get(number + 1).is_some_and(|next| next.text == sym::LESS);
                names.push(token.text);
            }
            _ => {}
        }
    }
    if uses { names } else { Vec::new() }
}

/// Whether a name is written as an identifier: an operator's is not.
pub(in crate::facts) fn is_word(name: Symbol) -> bool {
    name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn may_be_a_root(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    let plain_template = match tokens {
        [first, second, third, ..] => {
            let everywhere = tokens[..3].iter().all(|token| token.passes.contains(declaration.passes));
            let head = first.text == sym::TEMPLATE && second.text == sym::LESS;
            head && third.text != sym::GREATER && everywhere
        }
        _ => false,
    };
    let only_names =
        matches!(declaration.kind, DeclKind::Alias | DeclKind::Using | DeclKind::Enum | DeclKind::Forward);
    !plain_template && !only_names
}

/// Whether a declaration has a lambda with template parameters: `[](auto x)`, `[]<int N>()`.
pub(in crate::facts) fn has_generic_lambda(tokens: &[PpToken]) -> bool {
    let mut after = tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == sym::RBRACKET);
    after.any(|(at, pair)| match pair[1].text {
        sym::LESS => true,
        sym::LPAREN => {
            let list = tokens[at + 2..].iter().take_while(|token| token.text != sym::RPAREN);
            list.into_iter().any(|token| token.text == sym::AUTO)
        }
        _ => false,
    })
}
