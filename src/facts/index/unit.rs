//! A unit's declarations for all passes: indexed by name, lowered on first use, with the namespaces that they are in.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::{DefinitionId, PpToken, Preprocessed};
use crate::source::{FileId, Span, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, NameLookup, ScopeId, TopDeclaration, Variance, locals};

use super::device_bodies::bodies_on_device;
use super::kept::{KeptGraph, KeptIndex};
use super::leading_names::{LeadingNames, ReachingNames};
use super::name_graph::NameGraph;
use super::names::NameIndex;
use super::outward::Outward;
use super::token_facts::{FoundTokenFacts, Keep, TokenFacts, is_of_system};
use super::tokens::{identifiers, join, mentions_namespace, opens_launch, refine};
use super::varying_kernels::{kernels_in_question, names_reached_from};
use super::varying_members::{is_outside, pragmas, varying_members};
use crate::facts::lower::ast::{Decl, DeclBody};
use crate::facts::lower::memo::{DEPTH_LIMIT, Memo};
use crate::facts::lower::nodes::Detail;

/// The declarations that a top-level declaration makes in one class of its passes.
pub(in crate::facts) type Lowered = Rc<Vec<Arc<Decl>>>;

/// Parts of a declaration's tokens, in order.
type Parts = Rc<[Range<usize>]>;

/// Declarations of a file, each with its first byte there and the one past its last.
type Extents = Vec<(usize, [u32; 2])>;

/// The members in which a class varies ([`IndexedUnit::varying_members`]).
struct VaryingMembers {
    names: FxHashSet<Symbol>,
    /// The passes in classes: those of one class have the same members.
    classes: Vec<PassSet>,
}

/// A unit's declarations for all passes.
pub(in crate::facts) struct IndexedUnit<'u> {
    pub pp: &'u Preprocessed,
    pub variance: &'u Variance,
    /// The passes that are compared.
    pub(in crate::facts) compared: PassSet,
    pub memo: &'u Memo,
    /// The index that the last analysis kept; `None` for a unit that is analysed once.
    last: Option<&'u KeptIndex>,
    token_facts: OnceCell<(FoundTokenFacts, Option<Arc<KeptGraph>>)>,
    /// How much detail of bodies is lowered. **Invariant:** it is set before anything is lowered.
    pub detail: Cell<Detail>,
    /// The main file is a header that no source includes, so what an includer defines before it is not known.
    pub stands_alone: Cell<bool>,
    /// The top-level declarations of each name.
    index: NameIndex,
    /// Which of them a name may be that of, by namespaces.
    lookup: NameLookup<'u>,
    /// Per scope: the qualified name of the namespace, empty for the global one.
    namespaces: Vec<Symbol>,
    /// The same without inline namespaces, as code outside can spell it.
    outer: Vec<Symbol>,
    /// Per scope: the namespaces in which look-up finds its members: its own and, through inline and unnamed
    /// namespaces, the enclosing ones.
    pub found_in: Vec<Vec<Symbol>>,
    /// The qualified names of all namespaces.
    pub known_namespaces: FxHashSet<Symbol>,
    /// The namespaces that a name denotes in a namespace: its members, and those of its inline and unnamed namespaces.
    nested: FxHashMap<(Symbol, Symbol), Vec<Symbol>>,
    /// The namespaces in which a name denotes namespaces.
    nested_in: FxHashMap<Symbol, Vec<Symbol>>,
    /// The namespaces that may have a member of a name ([`IndexedUnit::may_have`]).
    having: RefCell<FxHashMap<Symbol, Rc<[Symbol]>>>,
    /// The namespaces around a scope ([`IndexedUnit::outward`]).
    outward: RefCell<FxHashMap<ScopeId, Rc<Outward>>>,
    /// Per namespace: the using-directives in it.
    pub directives: FxHashMap<Symbol, Vec<usize>>,
    lowered: RefCell<FxHashMap<(usize, PassSet), Lowered>>,
    /// The classes with varying members, as each class of passes has them ([`IndexedUnit::own_lowered`]).
    own_lowered: RefCell<FxHashMap<(usize, PassSet), Lowered>>,
    /// The same for class templates without their member specifications ([`IndexedUnit::outline`]).
    outlines: RefCell<FxHashMap<(usize, PassSet), Lowered>>,
    /// The declarations that begin and end in each file.
    by_file: OnceCell<FxHashMap<FileId, Extents>>,
    /// The tokens that not every pass has, by file.
    partial_by_file: OnceCell<FxHashMap<FileId, Vec<usize>>>,
    /// The same by place, of the files for which they were needed.
    partial: RefCell<FxHashMap<FileId, FxHashMap<Span, Vec<usize>>>>,
    /// The declaration around each `[` that was asked for.
    holding: RefCell<FxHashMap<Span, usize>>,
    /// The same of every `[`.
    brackets: OnceCell<FxHashMap<Span, usize>>,
    /// The classes of passes of declarations ([`IndexedUnit::classes`]).
    classes: RefCell<FxHashMap<usize, Rc<Vec<PassSet>>>>,
    /// The members in which classes vary ([`IndexedUnit::varying_members`]).
    varying_members: RefCell<FxHashMap<usize, Option<Rc<VaryingMembers>>>>,
    /// The declarations of the project that vary ([`IndexedUnit::varying_of_project`]).
    varying: OnceCell<Vec<usize>>,
    /// What is not lowered, by declaration and whether `on_device` is set ([`IndexedUnit::unlowered`]).
    unlowered: RefCell<FxHashMap<(usize, bool), Parts>>,
    /// The names that lead from code which GPUs alone run; `None` if bodies of such code are lowered in any case.
    /// **Invariant:** it is set before anything is lowered.
    pub on_device: OnceCell<FxHashSet<Symbol>>,
    /// Whether macros may be defined otherwise by headers that were not found, for those of which it was asked.
    pub(in crate::facts) stand_ins: RefCell<FxHashMap<DefinitionId, bool>>,
    /// How many bytes of each parsed declaration are under syntax errors.
    pub errors: RefCell<FxHashMap<(usize, PassSet), usize>>,
    /// A declaration is too long or nests too deep to be parsed.
    pub(in crate::facts) too_deep: Cell<bool>,
    /// The names that were looked up, while they are recorded: the dependencies of what was found meanwhile.
    pub looked_up: RefCell<Option<FxHashSet<Symbol>>>,
    /// Declarations that an earlier analysis parsed for results that this one reuses.
    pub parsed_before: RefCell<FxHashSet<usize>>,
}

impl<'u> IndexedUnit<'u> {
    pub(in crate::facts) fn new(
        pp: &'u Preprocessed,
        variance: &'u Variance,
        memo: &'u Memo,
        compared: PassSet,
        last: Option<&'u KeptIndex>,
    ) -> IndexedUnit<'u> {
        let mut namespaces: Vec<Symbol> = Vec::new();
        let mut outer_names: Vec<Symbol> = Vec::new();
        let mut found_in: Vec<Vec<Symbol>> = Vec::new();
        let mut nested: FxHashMap<(Symbol, Symbol), Vec<Symbol>> = FxHashMap::default();
        let mut nested_in: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
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
            for (around, name) in outer.iter().zip(scope.name.iter().cycle()) {
                let known: &mut Vec<Symbol> = nested.entry((*around, *name)).or_default();
                if known.is_empty() {
                    nested_in.entry(*name).or_default().push(*around);
                }
                if !known.contains(&own) {
                    known.push(own);
                }
            }
            let transparent = scope.inline || scope.unnamed || !opens;
            let mut visible = vec![own];
            if transparent {
                visible.extend(outer.into_iter().filter(|one| *one != own));
            }
            namespaces.push(own);
            found_in.push(visible);
        }
        let index = NameIndex::new(pp, variance, compared, last.map(|last| &last.names));
        let mut directives: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for number in index.directives() {
            let scope = variance.declarations[number].scope;
            directives.entry(namespaces[scope.0 as usize]).or_default().push(number);
        }
        let mut known_namespaces: FxHashSet<Symbol> = FxHashSet::default();
        for visible in &found_in {
            known_namespaces.extend(visible.iter().copied());
        }
        IndexedUnit {
            pp,
            variance,
            compared,
            memo,
            last,
            token_facts: OnceCell::new(),
            varying: OnceCell::new(),
            detail: Cell::new(Detail::Mentions),
            stands_alone: Cell::new(false),
            index,
            lookup: NameLookup::new(pp.tokens(), variance),
            namespaces,
            outer: outer_names,
            found_in,
            known_namespaces,
            nested,
            nested_in,
            having: RefCell::default(),
            outward: RefCell::default(),
            directives,
            lowered: RefCell::default(),
            own_lowered: RefCell::default(),
            outlines: RefCell::default(),
            by_file: OnceCell::new(),
            partial_by_file: OnceCell::new(),
            partial: RefCell::default(),
            holding: RefCell::default(),
            brackets: OnceCell::new(),
            classes: RefCell::default(),
            varying_members: RefCell::default(),
            unlowered: RefCell::default(),
            on_device: OnceCell::new(),
            stand_ins: RefCell::default(),
            errors: RefCell::default(),
            too_deep: Cell::new(false),
            looked_up: RefCell::default(),
            parsed_before: RefCell::default(),
        }
    }

    /// The index of the preamble, for the next analysis.
    pub(in crate::facts) fn kept(&self) -> KeptIndex {
        let known = || self.last.and_then(|last| last.graph.clone());
        let graph = self.token_facts.get().map_or_else(known, |(_, graph)| graph.clone());
        KeptIndex { names: self.index.preamble.clone(), graph }
    }

    /// The tokens of a declaration in one pass.
    pub(in crate::facts) fn tokens(&self, top: usize, pass: usize) -> Vec<PpToken> {
        let range = self.variance.declarations[top].tokens.clone();
        self.pp.tokens()[range].iter().filter(|token| token.passes.has(pass)).copied().collect()
    }

    /// The tokens at a place that not every compared pass has.
    pub(in crate::facts) fn partial(&self, at: Span) -> impl Iterator<Item = &PpToken> {
        let by_file = self.partial_by_file.get_or_init(|| {
            let mut files: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
            for number in self.variance.partial.iter() {
                files.entry(self.pp.tokens()[number].at.file).or_default().push(number);
            }
            files
        });
        let mut files = self.partial.borrow_mut();
        let index = files.entry(at.file).or_insert_with(|| {
            let mut index: FxHashMap<Span, Vec<usize>> = FxHashMap::default();
            for number in by_file.get(&at.file).into_iter().flatten() {
                index.entry(self.pp.tokens()[*number].at).or_default().push(*number);
            }
            index
        });
        let numbers = index.get(&at).cloned().unwrap_or_default();
        numbers.into_iter().map(|number| &self.pp.tokens()[number])
    }

    /// Whether a declaration begins and ends in headers of the system or the toolkit.
    pub(in crate::facts) fn is_of_system(&self, declaration: &TopDeclaration) -> bool {
        is_of_system(self.pp, declaration)
    }

    /// The identifiers in a declaration that mean local variables, as indices of tokens, in order.
    pub(in crate::facts) fn locals(&self, top: usize) -> Arc<[usize]> {
        let find = || locals(self.pp.tokens(), &self.variance.declarations[top]).into();
        self.token_facts().on_demand(top).locals.get(top, find)
    }

    /// Whether a declaration has a `<<<`, in any pass.
    pub(in crate::facts) fn launches(&self, top: usize) -> bool {
        let find =
            || self.pp.tokens()[self.variance.declarations[top].tokens.clone()].windows(2).any(opens_launch);
        self.token_facts().on_demand(top).launches.get(top, find)
    }

    /// The declarations from whose first token to whose last one the text of a file has a place.
    pub(in crate::facts) fn around(&self, at: Span) -> impl Iterator<Item = usize> {
        let by_file = self.by_file.get_or_init(|| {
            let mut by_file: FxHashMap<FileId, Extents> = FxHashMap::default();
            for (top, declaration) in self.variance.declarations.iter().enumerate() {
                let tokens = &self.pp.tokens()[declaration.tokens.clone()];
                if let (Some(first), Some(last)) = (tokens.first(), tokens.last())
                    && first.at.file == last.at.file
                {
                    by_file.entry(first.at.file).or_default().push((top, [first.at.start, last.at.end]));
                }
            }
            by_file
        });
        let all = by_file.get(&at.file).into_iter().flatten();
        all.filter(move |(_, [start, end])| *start <= at.start && at.end <= *end).map(|(top, _)| *top)
    }

    /// The declaration around the `[` at a place.
    pub(in crate::facts) fn holding(&self, bracket: Span) -> Option<usize> {
        if let Some(known) = self.holding.borrow().get(&bracket) {
            return Some(*known);
        }
        let has_it = |top: &usize| {
            self.written_tokens(*top).any(|token| token.at == bracket && token.text == sym::LBRACKET)
        };
        let around = self.around(bracket).filter(has_it).last();
        // What a macro expands to stands elsewhere.
        let top = around.or_else(|| self.brackets().get(&bracket).copied())?;
        self.holding.borrow_mut().insert(bracket, top);
        Some(top)
    }

    /// The declaration around every `[`, by its place.
    fn brackets(&self) -> &FxHashMap<Span, usize> {
        self.brackets.get_or_init(|| {
            let mut index = FxHashMap::default();
            for top in 0..self.variance.declarations.len() {
                let brackets = self.written_tokens(top).filter(|token| token.text == sym::LBRACKET);
                index.extend(brackets.map(|token| (token.at, top)));
            }
            index
        })
    }

    /// The passes of a declaration in classes: those of one class have the same tokens of it, but for those that are not
    /// lowered and those in members of which each pass [has its own](IndexedUnit::varying_members).
    pub(in crate::facts) fn classes(&self, top: usize) -> Rc<Vec<PassSet>> {
        if let Some(known) = self.classes.borrow().get(&top) {
            return known.clone();
        }
        let classes = match self.varying_members(top).is_some() {
            true => vec![self.variance.declarations[top].passes],
            false => refine(self.variance.declarations[top].passes, self.lowered_sets(top)),
        };
        let classes = Rc::new(classes);
        self.classes.borrow_mut().insert(top, classes.clone());
        classes
    }

    /// The members in which a class differs between passes, if passes share the rest of it: what uses none of them is the same in
    /// all passes ([`varying_members`]).
    fn varying_members(&self, top: usize) -> Option<Rc<VaryingMembers>> {
        let declaration = self.variance.declarations.get(top)?;
        if !declaration.varies.tokens || declaration.class_body.is_empty() {
            return None;
        }
        if let Some(known) = self.varying_members.borrow().get(&top) {
            return known.clone();
        }
        let classes = refine(declaration.passes, self.lowered_sets(top));
        let partial = self.variance.partial.within(declaration.tokens.clone());
        let unlowered = self.unlowered(top);
        let partial = partial.filter(|index| is_outside(&unlowered, *index));
        let names = varying_members(self.pp.tokens(), declaration, &classes, partial);
        let found = names.map(|names| Rc::new(VaryingMembers { names, classes }));
        self.varying_members.borrow_mut().insert(top, found.clone());
        found
    }

    /// The names of the [varying members](IndexedUnit::varying_members) of a class, sorted.
    pub(in crate::facts) fn varying_names(&self, top: usize) -> Box<[Symbol]> {
        let members = self.varying_members(top);
        let mut names: Vec<Symbol> = members.iter().flat_map(|members| &members.names).copied().collect();
        names.sort_unstable();
        names.into()
    }

    /// Whether a member of a class is one of [`IndexedUnit::varying_members`].
    pub(in crate::facts) fn is_varying_member(&self, top: usize, name: Symbol) -> bool {
        self.varying_members(top).is_some_and(|members| members.names.contains(&name))
    }

    /// The passes that have the same varying members of a class as one pass, and the class as they have it; `None` if it has
    /// no [varying members](IndexedUnit::varying_members).
    pub(in crate::facts) fn own_lowered(&self, top: usize, pass: usize) -> Option<(Lowered, PassSet)> {
        let class = self.own_class(top, pass)?;
        if let Some(known) = self.own_lowered.borrow().get(&(top, class)) {
            return Some((known.clone(), class));
        }
        let lowered = self.lower(top, class, pass);
        self.own_lowered.borrow_mut().insert((top, class), lowered.clone());
        Some((lowered, class))
    }

    /// The passes that have the same varying members of a class as one pass; `None` if it has none.
    pub(in crate::facts) fn own_class(&self, top: usize, pass: usize) -> Option<PassSet> {
        self.varying_members(top)?.classes.iter().copied().find(|class| class.has(pass))
    }

    /// The passes of a declaration in classes: those of one class have the same tokens of it.
    pub(in crate::facts) fn written_classes(&self, top: usize) -> Vec<PassSet> {
        refine(self.variance.declarations[top].passes, self.written_sets(top))
    }

    /// The tokens of a declaration, of all passes.
    pub(in crate::facts) fn written_tokens(&self, top: usize) -> impl Iterator<Item = &PpToken> {
        self.pp.tokens()[self.variance.declarations[top].tokens.clone()].iter()
    }

    /// The sets of passes that have some token of a declaration and are not all that are compared.
    fn written_sets(&self, top: usize) -> impl Iterator<Item = PassSet> {
        let partial = self.variance.partial.within(self.variance.declarations[top].tokens.clone());
        partial.map(|index| self.pp.tokens()[index].passes)
    }

    /// The same of the tokens that are lowered.
    fn lowered_sets(&self, top: usize) -> impl Iterator<Item = PassSet> {
        let partial = self.variance.partial.within(self.variance.declarations[top].tokens.clone());
        let unlowered = self.unlowered(top);
        let partial = partial.filter(move |index| is_outside(&unlowered, *index));
        partial.map(|index| self.pp.tokens()[index].passes)
    }

    /// The sets of passes that have some token of any declaration and are not all that are compared.
    pub(in crate::facts) fn all_written_sets(&self) -> FxHashSet<PassSet> {
        let of = |tops| self.sets_of(tops, |top| self.written_sets(top));
        self.with_those_of_preamble(|kept| kept.written_sets.get_or_find(&(), || of(0..kept.end())), of)
    }

    /// The same of the tokens that are lowered; `on_device` is what is set for the unit.
    pub(in crate::facts) fn all_lowered_sets(&self, on_device: &FxHashSet<Symbol>) -> FxHashSet<PassSet> {
        let of = |tops| self.sets_of(tops, |top| self.lowered_sets(top));
        self.with_those_of_preamble(|kept| kept.lowered_sets.get_or_find(on_device, || of(0..kept.end())), of)
    }

    /// Sets of the preamble, if they are kept, and `of` the other declarations.
    fn with_those_of_preamble(
        &self,
        kept: impl FnOnce(&KeptGraph) -> Arc<FxHashSet<PassSet>>,
        of: impl FnOnce(Range<usize>) -> FxHashSet<PassSet>,
    ) -> FxHashSet<PassSet> {
        let all = self.variance.declarations.len();
        match &self.token_facts_and_graph().1 {
            Some(graph) => {
                let mut sets = of(graph.end()..all);
                sets.extend(kept(graph).iter());
                sets
            }
            None => of(0..all),
        }
    }

    fn sets_of<S: Iterator<Item = PassSet>>(
        &self,
        tops: Range<usize>,
        sets_of: impl Fn(usize) -> S,
    ) -> FxHashSet<PassSet> {
        let mut sets = FxHashSet::default();
        for top in tops.filter(|top| self.variance.declarations[*top].varies.tokens) {
            let mut last = PassSet::EMPTY;
            for set in sets_of(top) {
                if set != std::mem::replace(&mut last, set) {
                    sets.insert(set);
                }
            }
        }
        sets
    }

    /// The declarations that vary and are not of the system's headers, in order.
    pub(in crate::facts) fn varying_of_project(&self) -> impl Iterator<Item = (usize, &TopDeclaration)> {
        let varying = self.varying.get_or_init(|| {
            let all = self.variance.declarations.iter().enumerate();
            let varying = all.filter(|(_, one)| one.varies.any()).map(|(top, _)| top);
            varying.filter(|top| !self.token_facts().is_of_system(*top)).collect()
        });
        varying.iter().map(|top| (*top, &self.variance.declarations[*top]))
    }

    /// The tokens of a declaration that are lowered ([`IndexedUnit::unlowered`]).
    fn lowered_tokens(&self, top: usize) -> impl Iterator<Item = &PpToken> {
        let range = self.variance.declarations[top].tokens.clone();
        let unlowered = self.unlowered(top);
        let ends = unlowered.iter().map(|part| part.end).chain([range.start]).collect::<Vec<_>>();
        let mut starts: Vec<usize> = unlowered.iter().map(|part| part.start).collect();
        starts.push(range.end);
        // Each part begins where the body before it ends.
        let parts: Vec<Range<usize>> = (0..starts.len())
            .map(|number| number.checked_sub(1).map_or(range.start, |before| ends[before])..starts[number])
            .collect();
        parts.into_iter().flat_map(|part| &self.pp.tokens()[part])
    }

    /// The parts of a declaration that are not lowered, in order: the insides of bodies of which nothing is asked, as if they
    /// were empty, and pragmas that macros expanded to.
    fn unlowered(&self, top: usize) -> Parts {
        let key = (top, self.on_device.get().is_some());
        if let Some(known) = self.unlowered.borrow().get(&key) {
            return known.clone();
        }
        let mut all = self.unasked(top);
        let (tokens, declaration) = (self.pp.tokens(), &self.variance.declarations[top]);
        let in_body = |range: &Range<usize>| all.iter().any(|body| body.contains(&range.start));
        let pragmas: Vec<_> = pragmas(tokens, declaration).filter(|range| !in_body(range)).collect();
        if !pragmas.is_empty() {
            all.extend(pragmas);
            all.sort_by_key(|range| range.start);
        }
        let all: Parts = all.into();
        self.unlowered.borrow_mut().insert(key, all.clone());
        all
    }

    /// The insides of bodies of functions that GPUs alone run, in which no name leads to a kernel template. No pass calls them
    /// in a constant expression, no type is deduced from them, and they instantiate no kernel template. Most of a template
    /// library's code is in such bodies, and most of what depends on the architecture.
    fn unasked(&self, top: usize) -> Vec<Range<usize>> {
        let Some(on_device) = self.on_device.get() else { return Vec::new() };
        let declaration = &self.variance.declarations[top];
        let kept = &self.token_facts().on_demand(top).bodies_on_device;
        let bodies = kept.get(top, || bodies_on_device(self.pp.tokens(), declaration).into());
        let leads = |body: &Range<usize>| {
            identifiers(&self.pp.tokens()[body.clone()]).any(|name| on_device.contains(&name))
        };
        bodies.iter().filter(|body| !leads(body)).cloned().collect()
    }

    /// The declarations that a top-level declaration makes in one pass.
    pub(in crate::facts) fn lowered(&self, top: usize, pass: usize) -> Lowered {
        // Every long computation comes by here, and so is given up soon when its outcome is stale.
        unwind_if_cancelled();
        let classes = self.classes(top);
        let Some(class) = classes.iter().find(|class| class.has(pass)) else {
            return Rc::default();
        };
        if let Some(known) = self.lowered.borrow().get(&(top, *class)) {
            return known.clone();
        }
        // Of passes that are told apart by varying members alone, the lowest.
        let decls = self.lower(top, *class, class.lowest().unwrap_or(pass));
        self.lowered.borrow_mut().insert((top, *class), decls.clone());
        decls
    }

    /// Lowers a declaration as one pass of a class of passes has it, and notes what of it has syntax errors.
    fn lower(&self, top: usize, class: PassSet, pass: usize) -> Lowered {
        let declaration = &self.variance.declarations[top];
        let body = (declaration.kind == DeclKind::Function).then(|| {
            let head = &self.pp.tokens()[declaration.tokens.start..declaration.body];
            head.iter().filter(|token| token.passes.has(pass)).count()
        });
        let tokens = self.lowered_tokens(top).filter(|token| token.passes.has(pass));
        let (decls, error_bytes) =
            self.memo.lowered(&tokens.copied().collect::<Vec<_>>(), body, self.detail.get());
        if error_bytes > 0 {
            self.errors.borrow_mut().insert((top, class), error_bytes);
        }
        if decls.is_empty() && error_bytes > DEPTH_LIMIT {
            self.too_deep.set(true);
        }
        Rc::new(decls)
    }

    /// The same, but a class template comes without its members. Look-up and the choice of a specialization need no
    /// more, and of the many specializations of a template few are ever chosen ([`IndexedUnit::whole`]).
    pub(in crate::facts) fn outline(&self, top: usize, pass: usize) -> Lowered {
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

    /// The declaration of which [`IndexedUnit::outline`] gave the outline, with its members.
    pub(in crate::facts) fn whole(&self, top: usize, pass: usize, outline: &Arc<Decl>) -> Arc<Decl> {
        if top == usize::MAX || self.variance.declarations[top].class_body.is_empty() {
            return outline.clone();
        }
        let lowered = self.lowered(top, pass);
        let whole =
            lowered.iter().find(|decl| decl.at == outline.at && matches!(decl.kind, DeclBody::Class(_)));
        whole.unwrap_or(outline).clone()
    }

    /// How many bytes of parsed declarations are under syntax errors.
    pub(in crate::facts) fn error_bytes(&self) -> usize {
        self.errors.borrow().values().sum()
    }

    /// Whether a declaration is a using-directive.
    pub(in crate::facts) fn is_directive(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        declaration.kind == DeclKind::Using && mentions_namespace(self.pp, declaration)
    }

    /// Whether a declaration is a namespace alias.
    pub(in crate::facts) fn is_alias_of_namespace(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        declaration.kind == DeclKind::Alias && mentions_namespace(self.pp, declaration)
    }

    /// The declarations that were parsed for some pass, for this analysis or for results that it reuses.
    pub(in crate::facts) fn parsed(&self) -> FxHashSet<usize> {
        let (lowered, outlines) = (self.lowered.borrow(), self.outlines.borrow());
        let own = lowered.keys().chain(outlines.keys()).map(|(top, _)| *top);
        own.chain(self.parsed_before.borrow().iter().copied()).collect()
    }

    /// Whether a declaration is that of a member outside its class: `X<T>::f`.
    pub(in crate::facts) fn is_qualified(&self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype | DeclKind::Variable)
            && declaration.names.len() > declaration.declared
    }

    /// The qualified name of a scope's namespace; empty for the global one.
    pub(in crate::facts) fn namespace(&self, scope: ScopeId) -> Symbol {
        self.namespaces[scope.0 as usize]
    }

    /// Whether a declaration is code of a system header that is no template and, by the names that lead, comes to no kernel
    /// template by itself.
    pub(in crate::facts) fn leads_nowhere(&self, top: usize, leading: &LeadingNames) -> bool {
        let tokens = &self.pp.tokens()[self.variance.declarations[top].tokens.clone()];
        let text = |at: usize| tokens.get(at).map(|token| token.text);
        let is_template = text(0) == Some(sym::TEMPLATE) && text(1) == Some(sym::LESS);
        self.token_facts().is_of_system(top)
            && (!is_template || text(2) == Some(sym::GREATER))
            && !self.name_graph().may_come_to(top, &leading.header_namespaces)
    }

    /// Whether a declaration is of a library of system headers whose templates, for arguments that are so too, come to no kernel
    /// template: it neither leads to one by itself, nor does other code add to it.
    pub(in crate::facts) fn stands_apart(&self, top: usize, leading: &LeadingNames) -> bool {
        self.token_facts().is_of_system(top)
            && !self.name_graph().may_come_to(top, &leading.header_namespaces)
            && !leading.added_to.contains(&self.name_graph().lookup.outermost_namespace(top))
    }

    /// A scope of the namespace of that qualified name.
    pub(in crate::facts) fn scope_of(&self, namespace: Symbol) -> Option<ScopeId> {
        let number = self.namespaces.iter().position(|name| *name == namespace)?;
        Some(ScopeId(u32::try_from(number).expect("scopes are numbered by u32")))
    }

    /// The namespaces that a name denotes in a namespace: its members, and those of its inline and unnamed namespaces.
    pub(in crate::facts) fn nested(&self, namespace: Symbol, name: Symbol) -> &[Symbol] {
        self.nested.get(&(namespace, name)).map_or(&[], Vec::as_slice)
    }

    /// The namespaces that may have a member of a name, sorted: in all others look-up finds nothing. The look-up is recorded.
    pub(in crate::facts) fn may_have(&self, name: Symbol) -> Rc<[Symbol]> {
        let find = || {
            let tops = self.declaring_untracked(name).iter();
            let scopes = tops.map(|top| self.variance.declarations[*top].scope.0 as usize);
            let declaring = scopes.flat_map(|scope| &self.found_in[scope]);
            let mut all: Vec<Symbol> =
                declaring.chain(self.nested_in.get(&name).into_iter().flatten()).copied().collect();
            all.sort_unstable();
            all.dedup();
            all.into()
        };
        self.ask(name);
        Rc::clone(self.having.borrow_mut().entry(name).or_insert_with(find))
    }

    /// The namespaces in which look-up searches from a scope on.
    pub(in crate::facts) fn outward(&self, scope: ScopeId) -> Rc<Outward> {
        let find = || {
            let all = self.scopes_outward(scope).flat_map(|scope| &self.found_in[scope.0 as usize]);
            Rc::new(Outward::new(all.copied(), |namespace| self.directives.contains_key(&namespace)))
        };
        Rc::clone(self.outward.borrow_mut().entry(scope).or_insert_with(find))
    }

    /// The name of an entity of a scope as code outside can spell it: without inline namespaces.
    pub(in crate::facts) fn outer_name(&self, scope: ScopeId, name: Symbol) -> Symbol {
        join(self.outer[scope.0 as usize], name.as_str())
    }

    /// The declarations that may declare `name`; the look-up is recorded.
    pub(in crate::facts) fn declaring(&self, name: Symbol) -> &[usize] {
        self.ask(name);
        self.declaring_untracked(name)
    }

    /// Records that a name is looked up.
    pub(in crate::facts) fn ask(&self, name: Symbol) {
        if let Some(looked_up) = self.looked_up.borrow_mut().as_mut() {
            looked_up.insert(name);
        }
    }

    /// The declarations that may declare `name`, for callers on which the results of walks do not depend: nothing is
    /// recorded.
    pub(in crate::facts) fn declaring_untracked(&self, name: Symbol) -> &[usize] {
        self.index.get(name)
    }

    /// The name graph.
    pub(in crate::facts) fn name_graph(&self) -> NameGraph<'_> {
        let (token_facts, graph) = (self.token_facts(), &self.token_facts_and_graph().1);
        let closures = graph.as_ref().map(|graph| &graph.closures);
        let (declarations, index, lookup) = (&self.variance.declarations, &self.index, &self.lookup);
        NameGraph { declarations, index, token_facts, lookup, closures }
    }

    /// The kernel templates in question; `leading` are the names from which kernel templates are reached.
    pub(in crate::facts) fn kernels_in_question(&self, leading: &ReachingNames) -> FxHashSet<Symbol> {
        let reachability = self.token_facts_and_graph().1.as_ref().map(|graph| &graph.reachability);
        kernels_in_question((self.pp, self.variance), self.name_graph(), leading, reachability)
    }

    /// The `leading` names that can be reached from one of them, itself included.
    pub(in crate::facts) fn names_reached_from(
        &self,
        leading: &ReachingNames,
        name: Symbol,
    ) -> FxHashSet<Symbol> {
        names_reached_from((self.pp, self.variance), self.name_graph(), leading, name)
    }

    /// The token facts of the declarations.
    pub(in crate::facts) fn token_facts(&self) -> TokenFacts<'_> {
        self.token_facts_and_graph().0.of(self.pp, self.variance)
    }

    fn token_facts_and_graph(&self) -> &(FoundTokenFacts, Option<Arc<KeptGraph>>) {
        self.token_facts.get_or_init(|| {
            let keep = if self.last.is_some() { Keep::Preamble } else { Keep::Nothing };
            let last = self.last.and_then(|last| last.graph.as_ref());
            let known = last.map(|last| &last.tokens);
            let token_facts =
                FoundTokenFacts::new(self.pp, self.variance, &self.index, self.compared, known, keep);
            let graph = token_facts.preamble.as_ref().map(|preamble| match last {
                Some(last) if Arc::ptr_eq(&last.tokens, preamble) => Arc::clone(last),
                _ => Arc::new(KeptGraph::new(Arc::clone(preamble))),
            });
            (token_facts, graph)
        })
    }

    /// Whether a scope is within an unnamed namespace.
    pub(in crate::facts) fn is_unnamed(&self, scope: ScopeId) -> bool {
        self.scopes_outward(scope).any(|scope| self.variance.scopes[scope.0 as usize].unnamed)
    }

    /// A scope and those around it, the innermost first.
    pub(in crate::facts) fn scopes_outward(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |scope| self.variance.scopes[scope.0 as usize].parent)
    }
}
