//! Which identifiers of a declaration can mean names of namespace scope, and whether these vary.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};

use super::declarations::{DeclKind, Scope, ScopeId, TopDeclaration, Variance};
use super::locals::locals;
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

impl Home {
    /// Where a declaration's names are found. A name of C is the same function in every namespace ([dcl.link]).
    pub(super) fn of(
        scoping: &Scoping,
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        scopes: &[Scope],
    ) -> Home {
        let start = declaration.tokens.start;
        let language = |token: &PpToken| token.kind == TokenKind::String;
        let of_c = scopes[declaration.scope.0 as usize].extern_c
            || tokens[start].text == sym::EXTERN && tokens.get(start + 1).is_some_and(language);
        let told = declaration.names.len() == declaration.declared && !of_c;
        Home {
            namespace: told.then(|| scoping.of(declaration.scope)),
            function: !matches!(
                declaration.kind,
                DeclKind::Class | DeclKind::Enum | DeclKind::Alias | DeclKind::Variable | DeclKind::Forward
            ),
        }
    }
}

/// What names of namespace scope mean in the declarations of a unit, asked again and again.
pub struct Meanings<'v> {
    tokens: &'v [PpToken],
    variance: &'v Variance,
    /// Whether a name that is not called may mean something in a scope.
    known: FxHashMap<(ScopeId, Symbol), bool>,
}

impl<'v> Meanings<'v> {
    /// Of a unit with these tokens.
    pub fn new(tokens: &'v [PpToken], variance: &'v Variance) -> Meanings<'v> {
        Meanings { tokens, variance, known: FxHashMap::default() }
    }

    /// The names that a declaration uses for something of its own or of another namespace wherever it does: what the
    /// declarations with numbers `declaring` declare by that name can't be meant. Members count as nothing of its own.
    /// Names without such a list are not asked about; all calls have to give the same list for a name. `locals` are
    /// those of the declaration ([`locals`]).
    pub fn other_names<'d>(
        &mut self,
        declaration: &TopDeclaration,
        locals: &[usize],
        declaring: impl Fn(Symbol) -> Option<&'d [usize]>,
    ) -> FxHashSet<Symbol> {
        let tokens = self.tokens;
        let scoping = &self.variance.varying.scoping;
        let looked = scoping.looked(tokens, declaration);
        let (mut others, mut meant) = (FxHashSet::default(), FxHashSet::default());
        if matches!(looked, Looked::Anywhere) {
            return others;
        }
        for index in declaration.tokens.clone() {
            let token = &tokens[index];
            if token.kind != TokenKind::Identifier || locals.binary_search(&index).is_ok() {
                continue;
            }
            let Some(declaring) = declaring(token.text) else { continue };
            let may_mean = match mention(tokens, index) {
                // What is called may be a friend that its arguments' classes define.
                Some(Mention::Plain) => {
                    let find = || {
                        let homes = declaring.iter().map(|top| {
                            let declared = &self.variance.declarations[*top];
                            Home::of(scoping, tokens, declared, &self.variance.scopes)
                        });
                        homes.into_iter().any(|home| is_of(scoping, Mention::Plain, &looked, home))
                    };
                    match looked {
                        Looked::Own(_) => {
                            *self.known.entry((declaration.scope, token.text)).or_insert_with(find)
                        }
                        _ => find(),
                    }
                }
                Some(_) => true,
                None => !declares_another(tokens, index),
            };
            let list = if may_mean { &mut meant } else { &mut others };
            list.insert(token.text);
        }
        others.retain(|name| !meant.contains(name));
        others
    }
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
        each(tokens, declaration, &locals(tokens, declaration), |index, mention| {
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
    if matches!(mention, Mention::In(qualifier) if !scoping.is_namespace(qualifier)) {
        return false;
    }
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

/// Calls `found` with each identifier of a declaration that can mean a name of namespace scope, but for `locals`.
pub(super) fn each(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    locals: &[usize],
    mut found: impl FnMut(usize, Mention),
) {
    let mut next = 0;
    for index in declaration.tokens.clone() {
        let token = &tokens[index];
        if token.kind != TokenKind::Identifier
            || !token.passes.meets(declaration.passes)
            || word(token.text).is_some()
        {
            continue;
        }
        while locals.get(next).is_some_and(|local| *local < index) {
            next += 1;
        }
        if locals.get(next) == Some(&index) {
            continue;
        }
        if let Some(mention) = mention(tokens, index) {
            found(index, mention);
        }
    }
}

/// How the identifier is looked up, if it can mean a name of namespace scope.
fn mention(tokens: &[PpToken], index: usize) -> Option<Mention> {
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
                None => Some(Mention::In(scope.text)),
            },
            Some(scope) => (!matches!(scope.text, sym::GREATER | sym::SHR)).then_some(Mention::Global),
            None => Some(Mention::Global),
        },
        sym::USING => (text(Some(index + 1)) != sym::ASSIGN).then(plain),
        _ => (!declares_another(tokens, index)).then(plain),
    }
}

/// `int name,`: two names, or a type and a name, in a row declare the second.
pub(super) fn declares_another(tokens: &[PpToken], index: usize) -> bool {
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
