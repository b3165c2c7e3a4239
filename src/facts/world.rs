//! A unit's declarations, for all passes: with an index by name, lowered when they are first looked at, and the
//! namespaces that they stand in.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{FileId, Span, Symbol, TokenKind, sym};
use crate::stale::go_on;
use crate::target::PassSet;
use crate::variance::{DeclKind, ScopeId, TopDeclaration, Variance};

use super::Left;
use super::ast::{Decl, DeclBody};
use super::digest::{Digest, Digested, Keep};
use super::links::Links;
use super::lower::Detail;
use super::memo::Memo;
use super::named::{Index, Named};

/// What a top-level declaration declares in one class of its passes.
pub(super) type Lowered = Rc<Vec<Arc<Decl>>>;

/// A unit's declarations, for all passes.
pub(super) struct World<'u> {
    pub pp: &'u Preprocessed,
    pub variance: &'u Variance,
    /// The passes that are compared.
    compared: PassSet,
    pub memo: &'u Memo,
    /// Of a unit that will be analysed again, what the last time left.
    last: Option<&'u Left>,
    digest: OnceCell<Digest>,
    /// How much of bodies is needed. **Invariant:** it is told before anything is lowered.
    pub detail: Cell<Detail>,
    /// Names to the top-level declarations that may declare them.
    index: Index,
    /// Per scope: the qualified name of the namespace, empty for the global one.
    namespaces: Vec<Symbol>,
    /// The same without its inline namespaces, as code outside can spell it.
    outer: Vec<Symbol>,
    /// Per scope: the namespaces its members can be found in without more qualification: its own and,
    /// through inline and unnamed namespaces, those around it.
    pub found_in: Vec<Vec<Symbol>>,
    pub known_namespaces: FxHashSet<Symbol>,
    /// Per namespace: the `using namespace` directives in it.
    pub directives: FxHashMap<Symbol, Vec<usize>>,
    lowered: RefCell<FxHashMap<(usize, PassSet), Lowered>>,
    /// The same of class templates without what is between their braces.
    outlines: RefCell<FxHashMap<(usize, PassSet), Lowered>>,
    /// The tokens that not every pass has, by file and place, of the files that were asked about.
    partial: RefCell<FxHashMap<FileId, FxHashMap<Span, Vec<usize>>>>,
    /// The declaration that each `[` stands in.
    brackets: OnceCell<FxHashMap<Span, usize>>,
    classes: RefCell<FxHashMap<usize, Rc<Vec<PassSet>>>>,
    /// How many bytes of the text of declarations stood under syntax errors.
    pub errors: RefCell<FxHashMap<(usize, PassSet), usize>>,
    /// The names that were looked up, while that is wanted.
    pub asked: RefCell<Option<FxHashSet<Symbol>>>,
    /// Declarations that were parsed for an earlier analysis whose results stand in this one.
    pub looked_into: RefCell<FxHashSet<usize>>,
}

impl<'u> World<'u> {
    pub(super) fn new(
        pp: &'u Preprocessed,
        variance: &'u Variance,
        memo: &'u Memo,
        compared: PassSet,
        last: Option<&'u Left>,
    ) -> World<'u> {
        let mut namespaces: Vec<Symbol> = Vec::new();
        let mut outer_names: Vec<Symbol> = Vec::new();
        let mut found_in: Vec<Vec<Symbol>> = Vec::new();
        for scope in &variance.scopes {
            let parent = scope.parent.map(|parent| parent.0 as usize);
            let around = parent.map_or(sym::EMPTY, |parent| namespaces[parent]);
            let outer = parent.map_or(Vec::new(), |parent| found_in[parent].clone());
            let opens = scope.name.is_some() || scope.unnamed;
            let within = |around: Symbol| match scope.name {
                Some(name) => join(around, name.as_str()),
                None if scope.unnamed => join(around, "(anonymous namespace)"),
                None => around,
            };
            let own = within(around);
            let outer_around = parent.map_or(sym::EMPTY, |parent| outer_names[parent]);
            outer_names.push(if scope.inline { outer_around } else { within(outer_around) });
            let transparent = scope.inline || scope.unnamed || !opens;
            let mut visible = vec![own];
            if transparent {
                visible.extend(outer.into_iter().filter(|one| *one != own));
            }
            namespaces.push(own);
            found_in.push(visible);
        }
        let index = Index::new(pp, variance, compared, last);
        let mut directives: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for number in index.directives() {
            let scope = variance.declarations[number].scope;
            directives.entry(namespaces[scope.0 as usize]).or_default().push(number);
        }
        let mut known_namespaces: FxHashSet<Symbol> = FxHashSet::default();
        for visible in &found_in {
            known_namespaces.extend(visible.iter().copied());
        }
        World {
            pp,
            variance,
            compared,
            memo,
            last,
            digest: OnceCell::new(),
            detail: Cell::new(Detail::Mentions),
            index,
            namespaces,
            outer: outer_names,
            found_in,
            known_namespaces,
            directives,
            lowered: RefCell::default(),
            outlines: RefCell::default(),
            partial: RefCell::default(),
            brackets: OnceCell::new(),
            classes: RefCell::default(),
            errors: RefCell::default(),
            asked: RefCell::default(),
            looked_into: RefCell::default(),
        }
    }

    /// The declarations of names in the headers, for the next analysis.
    pub(super) fn named(&self) -> Option<Arc<Named>> {
        self.index.headers.clone()
    }

    /// What the next analysis need not gather again.
    pub(super) fn digested(&self) -> Option<Arc<Digested>> {
        let known = || self.last.and_then(|last| last.digested.clone());
        self.digest.get().map_or_else(known, |digest| digest.headers.clone())
    }

    /// The tokens of a declaration in one pass.
    pub(super) fn tokens(&self, top: usize, pass: usize) -> Vec<PpToken> {
        let range = self.variance.declarations[top].tokens.clone();
        self.pp.tokens()[range].iter().filter(|token| token.passes.has(pass)).copied().collect()
    }

    /// The tokens at a place that not every compared pass has.
    pub(super) fn partial(&self, at: Span) -> impl Iterator<Item = &PpToken> {
        let mut files = self.partial.borrow_mut();
        let index = files.entry(at.file).or_insert_with(|| {
            let mut index: FxHashMap<Span, Vec<usize>> = FxHashMap::default();
            for number in self.variance.partial.iter() {
                let token = &self.pp.tokens()[number];
                if token.at.file == at.file {
                    index.entry(token.at).or_default().push(number);
                }
            }
            index
        });
        let numbers = index.get(&at).cloned().unwrap_or_default();
        numbers.into_iter().map(|number| &self.pp.tokens()[number])
    }

    /// The declaration that the `[` at a place stands in.
    pub(super) fn holding(&self, bracket: Span) -> Option<usize> {
        let index = self.brackets.get_or_init(|| {
            let mut index = FxHashMap::default();
            for (top, declaration) in self.variance.declarations.iter().enumerate() {
                let tokens = &self.pp.tokens()[declaration.tokens.clone()];
                let brackets = tokens.iter().filter(|token| token.text == sym::LBRACKET);
                index.extend(brackets.map(|token| (token.at, top)));
            }
            index
        });
        index.get(&bracket).copied()
    }

    /// The passes of a declaration, grouped by equal token sequences.
    pub(super) fn classes(&self, top: usize) -> Rc<Vec<PassSet>> {
        if let Some(known) = self.classes.borrow().get(&top) {
            return known.clone();
        }
        let declaration = &self.variance.declarations[top];
        let sets = self.pp.tokens()[declaration.tokens.clone()].iter().map(|token| token.passes);
        let classes = Rc::new(refine(declaration.passes, sets));
        self.classes.borrow_mut().insert(top, classes.clone());
        classes
    }

    /// What a declaration declares in one pass.
    pub(super) fn lowered(&self, top: usize, pass: usize) -> Lowered {
        // Whatever takes long looks at declarations.
        go_on();
        let classes = self.classes(top);
        let Some(class) = classes.iter().find(|class| class.has(pass)) else {
            return Rc::default();
        };
        if let Some(known) = self.lowered.borrow().get(&(top, *class)) {
            return known.clone();
        }
        let declaration = &self.variance.declarations[top];
        let body = (declaration.kind == DeclKind::Function).then(|| {
            let head = &self.pp.tokens()[declaration.tokens.start..declaration.body];
            head.iter().filter(|token| token.passes.has(pass)).count()
        });
        let (decls, error_bytes) = self.memo.lowered(&self.tokens(top, pass), body, self.detail.get());
        if error_bytes > 0 {
            self.errors.borrow_mut().insert((top, *class), error_bytes);
        }
        let decls = Rc::new(decls);
        self.lowered.borrow_mut().insert((top, *class), decls.clone());
        decls
    }

    /// What a declaration declares in one pass, as far as its names and template arguments go: a class template comes
    /// without its members. Of the many specializations of one, few are ever chosen ([`World::whole`]).
    pub(super) fn outline(&self, top: usize, pass: usize) -> Lowered {
        let declaration = &self.variance.declarations[top];
        let body = &declaration.class_body;
        let all = self.pp.tokens();
        if body.is_empty() || all[declaration.tokens.start].text != sym::TEMPLATE {
            return self.lowered(top, pass);
        }
        let classes = self.classes(top);
        let Some(class) = classes.iter().find(|class| class.has(pass)) else {
            return Rc::default();
        };
        if let Some(known) = self.outlines.borrow().get(&(top, *class)) {
            return known.clone();
        }
        let present =
            |range: std::ops::Range<usize>| all[range].iter().filter(|token| token.passes.has(pass)).copied();
        let mut tokens: Vec<PpToken> = present(declaration.tokens.start..body.start).collect();
        let braces: Vec<PpToken> = present(body.clone()).collect();
        tokens.extend(braces.first());
        tokens.extend(braces.last().filter(|_| braces.len() > 1));
        tokens.extend(present(body.end..declaration.tokens.end));
        let (decls, error_bytes) = self.memo.lowered(&tokens, None, self.detail.get());
        let outline = if error_bytes == 0 { Rc::new(decls) } else { self.lowered(top, pass) };
        self.outlines.borrow_mut().insert((top, *class), outline.clone());
        outline
    }

    /// The declaration that an outline gave, with its members.
    pub(super) fn whole(&self, top: usize, pass: usize, outline: &Arc<Decl>) -> Arc<Decl> {
        if top == usize::MAX || self.variance.declarations[top].class_body.is_empty() {
            return outline.clone();
        }
        let lowered = self.lowered(top, pass);
        let whole =
            lowered.iter().find(|decl| decl.at == outline.at && matches!(decl.kind, DeclBody::Class(_)));
        whole.unwrap_or(outline).clone()
    }

    /// How many bytes of parsed text stood under syntax errors.
    pub(super) fn error_bytes(&self) -> usize {
        self.errors.borrow().values().sum()
    }

    /// Whether a declaration is a using-directive.
    pub(super) fn is_directive(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        declaration.kind == DeclKind::Using && mentions_namespace(self.pp, declaration)
    }

    /// Whether a declaration gives a namespace another name.
    pub(super) fn is_alias_of_namespace(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        declaration.kind == DeclKind::Alias && mentions_namespace(self.pp, declaration)
    }

    /// The declarations that were lowered in some pass.
    pub(super) fn parsed(&self) -> FxHashSet<usize> {
        let (lowered, outlines) = (self.lowered.borrow(), self.outlines.borrow());
        let own = lowered.keys().chain(outlines.keys()).map(|(top, _)| *top);
        own.chain(self.looked_into.borrow().iter().copied()).collect()
    }

    /// Whether a declaration's name is a member's that stands outside its class: `X<T>::f`.
    pub(super) fn is_qualified(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype | DeclKind::Variable)
            && declaration.names.len() > declaration.declared
    }

    /// The qualified name of a scope's namespace.
    pub(super) fn namespace(&self, scope: ScopeId) -> Symbol {
        self.namespaces[scope.0 as usize]
    }

    /// The name of an entity of a scope as code outside can spell it: without inline namespaces.
    pub(super) fn outer_name(&self, scope: ScopeId, name: Symbol) -> Symbol {
        join(self.outer[scope.0 as usize], name.as_str())
    }

    /// The declarations that may declare `name`.
    pub(super) fn declaring(&self, name: Symbol) -> &[usize] {
        self.ask(name);
        self.index_of(name)
    }

    /// Notes that a name is looked up.
    pub(super) fn ask(&self, name: Symbol) {
        if let Some(asked) = self.asked.borrow_mut().as_mut() {
            asked.insert(name);
        }
    }

    /// The same for who looks nothing up: what walks give does not hang on it.
    pub(super) fn index_of(&self, name: Symbol) -> &[usize] {
        self.index.get(name)
    }

    /// Which names lead to which.
    pub(super) fn links(&self) -> Links<'_> {
        let (declarations, index) = (&self.variance.declarations[..], &self.index);
        Links { declarations, index, digest: self.digest() }
    }

    /// What the tokens of the declarations say.
    pub(super) fn digest(&self) -> &Digest {
        let keep = if self.last.is_some() { Keep::Headers } else { Keep::Nothing };
        let known = self.last.and_then(|last| last.digested.as_ref());
        self.digest
            .get_or_init(|| Digest::new(self.pp, self.variance, &self.index, self.compared, known, keep))
    }

    /// A scope inside an unnamed namespace.
    pub(super) fn is_unnamed(&self, scope: ScopeId) -> bool {
        self.scopes_outward(scope).any(|scope| self.variance.scopes[scope.0 as usize].unnamed)
    }

    pub(super) fn scopes_outward(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.variance.scopes[scope.0 as usize].parent)
    }
}

/// `set` cut into the parts that `sets` distinguish.
pub(super) fn refine(set: PassSet, sets: impl Iterator<Item = PassSet>) -> Vec<PassSet> {
    let mut parts = vec![set];
    let mut last = set;
    for cut in sets {
        if cut == last || cut.contains(set) {
            continue;
        }
        last = cut;
        for index in 0..parts.len() {
            let (inside, outside) = (parts[index].and(cut), parts[index].minus(cut));
            if !inside.is_empty() && !outside.is_empty() {
                parts[index] = inside;
                parts.push(outside);
            }
        }
    }
    parts.sort();
    parts
}

/// Symbols, each found by its number: every token of a unit is looked up.
#[derive(Default)]
pub(super) struct Marked(Vec<bool>);

impl Marked {
    pub(super) fn of(symbols: &FxHashSet<Symbol>) -> Marked {
        let mut marked = vec![false; symbols.iter().map(|one| one.index() + 1).max().unwrap_or(0)];
        symbols.iter().for_each(|one| marked[one.index()] = true);
        Marked(marked)
    }

    pub(super) fn has(&self, symbol: Symbol) -> bool {
        self.0.get(symbol.index()).is_some_and(|marked| *marked)
    }
}

/// A name in a namespace, qualified.
pub(super) fn join(around: Symbol, name: &str) -> Symbol {
    if around == sym::EMPTY { Symbol::intern(name) } else { Symbol::intern(&format!("{around}::{name}")) }
}

pub(super) fn mentions_namespace(pp: &Preprocessed, top: &TopDeclaration) -> bool {
    pp.tokens()[top.tokens.clone()].iter().any(|token| token.text == sym::NAMESPACE)
}

/// The identifiers of a range of tokens.
pub(super) fn identifiers(tokens: &[PpToken]) -> impl Iterator<Item = Symbol> {
    tokens.iter().filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text)
}
