//! Facts that the tokens of declarations tell: the specifiers in their heads, the names that they mention, and of classes what
//! [`class_facts`](super::class_facts) has.
//!
//! All of them depend on a declaration's own tokens only, so they are kept with a header's declarations for all units, and those
//! of the preamble for the next analysis ([`PreambleTokenFacts`]). Of each declaration only the specifiers and the names are found
//! at once ([`Scanned`]); the rest is found of those that are asked for, which in headers are few.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cancel::unwind_if_cancelled;
use crate::preprocess::{PpToken, Preamble, Preprocessed};
use crate::source::{FileId, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Meanings, TopDeclaration, Variance, locals};

use super::arity::Arity;
use super::class_facts::Class;
use super::mentioned::{Forms, Qualifier, Seen};
use super::names::NameIndex;
use super::on_demand::OnDemandFacts;
use super::one_declaration::{
    GENERIC_LAMBDA, INSTANTIATES_WHEN_USED, MAY_BE_ROOT, OF_SYSTEM, ON_DEVICE_ALONE, ON_HOST_ALONE,
    OPENS_NAMESPACES, OwnFacts, Places, Scanned, TEMPLATE, is_word, mark,
};
use super::tokens::preamble_end;

/// The token facts of the preamble.
#[derive(Debug)]
pub(crate) struct PreambleTokenFacts {
    tokens: Preamble,
    /// The passes that were compared: for other passes there are other declarations.
    compared: PassSet,
    part: Part,
}

impl PreambleTokenFacts {
    /// The index of the first declaration behind the preamble.
    pub(super) fn end(&self) -> usize {
        self.part.heads.len()
    }
}

/// The token facts of a unit: of the preamble, if they are kept, and of the other declarations.
pub(in crate::facts) struct FoundTokenFacts {
    pub(in crate::facts) preamble: Option<Arc<PreambleTokenFacts>>,
    own: Part,
    seen: RefCell<Seen>,
    /// Whether names are mentioned, whether they are those of types in classes and blocks, and whether uses of them may
    /// instantiate anything, of those that were asked about.
    mentioned: RefCell<FxHashMap<Symbol, bool>>,
    inner_types: RefCell<FxHashMap<Symbol, bool>>,
    instantiating: RefCell<FxHashMap<Symbol, bool>>,
    /// Names of virtual functions, each with the first class that declares one.
    virtual_names: OnceCell<FxHashMap<Symbol, usize>>,
}

/// The token facts of a unit, found as they are asked for.
#[derive(Clone, Copy)]
pub(in crate::facts) struct TokenFacts<'u> {
    pp: &'u Preprocessed,
    variance: &'u Variance,
    found: &'u FoundTokenFacts,
}

/// The token facts of consecutive declarations.
#[derive(Debug, Default)]
struct Part {
    /// The index of the first.
    first: usize,
    /// Per declaration, [`Scanned::head`], and the bit for [`OF_SYSTEM`].
    heads: Vec<u32>,
    /// What a scan of each declaration's tokens tells.
    scanned: Vec<Arc<Scanned>>,
    /// Where the entries of each name begin in `holders`, by the number of its symbol, and then where the last ones end.
    starts: Vec<u32>,
    /// For one name after another, the declarations that have it among their tokens or call it unnamed, in order.
    holders: Vec<Holder>,
    /// The declarations of operator functions and others whose names are no identifiers, but for classes.
    unworded: Vec<usize>,
    /// Names of kernel templates and device variable templates.
    kernels: FxHashSet<Symbol>,
    on_demand: OnDemandFacts,
}

/// A declaration that has a name among its tokens: twice its index, and 1 if the name [is alone](Held::is_alone) there.
#[derive(Clone, Copy, Debug, Default)]
struct Holder(u32);

impl Holder {
    fn new(top: usize, is_alone: bool) -> Holder {
        Holder(2 * u32::try_from(top).expect("declarations are fewer than tokens") + u32::from(is_alone))
    }

    fn top(self) -> usize {
        self.0 as usize / 2
    }

    fn is_alone(self) -> bool {
        self.0 % 2 == 1
    }
}

impl FoundTokenFacts {
    /// The facts of a unit. `known` are those of its preamble from the last analysis, which are used if they are still
    /// valid. With [`Keep::Preamble`] those of the preamble are kept apart for the next analysis.
    pub(in crate::facts) fn new(
        pp: &Preprocessed,
        variance: &Variance,
        index: &NameIndex,
        compared: PassSet,
        known: Option<&Arc<PreambleTokenFacts>>,
        keep: Keep,
    ) -> FoundTokenFacts {
        let preamble = pp.preamble();
        let preamble_end = if keep == Keep::Nothing { 0 } else { preamble_end(variance, preamble) };
        let same = |known: &&Arc<PreambleTokenFacts>| {
            known.tokens == *preamble && known.compared == compared && known.end() == preamble_end
        };
        let preamble = (keep == Keep::Preamble).then(|| {
            known.filter(same).cloned().unwrap_or_else(|| {
                let part = Part::of(pp, variance, 0..preamble_end);
                Arc::new(PreambleTokenFacts { tokens: preamble.clone(), compared, part })
            })
        });
        let own = Part::of(pp, variance, preamble_end..variance.declarations.len());
        let found = FoundTokenFacts::with(preamble, own);
        TokenFacts { pp, variance, found: &found }.find_in_main(index);
        found
    }

    fn with(preamble: Option<Arc<PreambleTokenFacts>>, own: Part) -> FoundTokenFacts {
        FoundTokenFacts {
            preamble,
            own,
            seen: RefCell::default(),
            mentioned: RefCell::default(),
            inner_types: RefCell::default(),
            instantiating: RefCell::default(),
            virtual_names: OnceCell::new(),
        }
    }

    /// Those of a unit with these tokens and declarations.
    pub(in crate::facts) fn of<'u>(&'u self, pp: &'u Preprocessed, variance: &'u Variance) -> TokenFacts<'u> {
        TokenFacts { pp, variance, found: self }
    }

    /// The facts of the preamble, as if the unit ended there.
    pub(in crate::facts) fn preamble_alone(&self) -> Option<FoundTokenFacts> {
        let preamble = Some(Arc::clone(self.preamble.as_ref()?));
        let nothing = Part { first: self.own.first, ..Part::default() };
        Some(FoundTokenFacts::with(preamble, nothing))
    }
}

impl<'u> TokenFacts<'u> {
    /// Finds the facts of the declarations in the main file: for these it counts what the names in them mean. In headers, telling
    /// that costs the most and excludes the least.
    fn find_in_main(self, index: &NameIndex) {
        let (tokens, mut meanings) = (self.pp.tokens(), Meanings::new(self.pp.tokens(), self.variance));
        for top in (0..self.end()).filter(|top| self.is_in_main(*top)) {
            unwind_if_cancelled();
            let declaration = &self.variance.declarations[top];
            let locals = locals(tokens, declaration);
            let declaring = |name: Symbol| Some(index.get(name));
            let others = match has_bases(tokens, declaration) {
                true => FxHashSet::default(),
                false => meanings.other_names(declaration, &locals, declaring),
            };
            let scanned = self.scanned(top);
            scanned.own.get_or_init(|| self.find(top, scanned, &locals, &others));
        }
    }

    fn is_in_main(self, top: usize) -> bool {
        let declaration = &self.variance.declarations[top];
        Some(self.pp.tokens()[declaration.tokens.start].at.file) == self.pp.files.first().copied()
    }

    fn parts(self) -> impl Iterator<Item = &'u Part> {
        self.found.preamble.iter().map(|preamble| &preamble.part).chain([&self.found.own])
    }

    fn part(self, top: usize) -> &'u Part {
        match &self.found.preamble {
            Some(preamble) if top < self.found.own.first => &preamble.part,
            _ => &self.found.own,
        }
    }

    fn has_in_head(self, top: usize, marks: u32) -> bool {
        let part = self.part(top);
        part.heads[top - part.first] & marks != 0
    }

    fn has(self, top: usize, marks: u32) -> bool {
        self.own(top).marks & marks != 0
    }

    /// Whether the head of a declaration has one of the specifiers, in any pass.
    pub(in crate::facts) fn head_has(self, top: usize, words: &[Symbol]) -> bool {
        self.has_in_head(top, words.iter().fold(0, |marks, word| marks | mark(*word)))
    }

    /// Whether a declaration is a template.
    pub(in crate::facts) fn is_template(self, top: usize) -> bool {
        self.has_in_head(top, TEMPLATE)
    }

    /// Whether a use of a declaration's name may instantiate what the declaration mentions: that of a template, a class,
    /// an alias or a generic lambda.
    pub(in crate::facts) fn instantiates_when_used(self, top: usize) -> bool {
        self.has(top, INSTANTIATES_WHEN_USED)
    }

    /// Whether a declaration is a function that GPUs alone run, in every pass that has it.
    pub(in crate::facts) fn is_on_device_alone(self, top: usize) -> bool {
        self.has(top, ON_DEVICE_ALONE)
    }

    /// Whether a declaration is a function that hosts alone run, as far as it says so itself.
    pub(in crate::facts) fn is_on_host_alone(self, top: usize) -> bool {
        self.has(top, ON_HOST_ALONE)
    }

    /// Whether a declaration has using-directives, using-enum-declarations or namespace aliases in it.
    pub(super) fn opens_namespaces(self, top: usize) -> bool {
        self.has(top, OPENS_NAMESPACES)
    }

    /// Whether a declaration begins and ends in headers of the system or the toolkit.
    pub(in crate::facts) fn is_of_system(self, top: usize) -> bool {
        self.has_in_head(top, OF_SYSTEM)
    }

    /// The facts of a declaration that are found when they are asked for.
    pub(in crate::facts) fn on_demand(self, top: usize) -> &'u OnDemandFacts {
        &self.part(top).on_demand
    }

    /// Whether a declaration has a name nowhere but in functions that GPUs alone run.
    pub(in crate::facts) fn names_on_device_alone(self, top: usize, name: Symbol) -> bool {
        self.is_on_device_alone(top) || self.class(top).is_some_and(|class| class.names_on_device_alone(name))
    }

    /// Whether a declaration has a generic lambda ([expr.prim.lambda]).
    pub(in crate::facts) fn has_generic_lambda(self, top: usize) -> bool {
        self.has_in_head(top, GENERIC_LAMBDA)
    }

    /// Whether a declaration may be a *root*, which causes instantiations by itself, without being used: templates do
    /// not, nor do declarations that only introduce names.
    pub(in crate::facts) fn may_be_a_root(self, top: usize) -> bool {
        self.has(top, MAY_BE_ROOT)
    }

    /// The identifiers of a declaration, each once.
    pub(in crate::facts) fn names(self, top: usize) -> &'u [Symbol] {
        &self.own(top).names
    }

    /// The facts that follow from a declaration's own tokens.
    fn own(self, top: usize) -> &'u OwnFacts {
        let find = |scanned: &Scanned| {
            let locals = locals(self.pp.tokens(), &self.variance.declarations[top]);
            self.find(top, scanned, &locals, &FxHashSet::default())
        };
        let scanned = self.scanned(top);
        // Those of the main file were found before.
        scanned.own.get_or_init(|| find(scanned))
    }

    fn scanned(self, top: usize) -> &'u Scanned {
        let part = self.part(top);
        &part.scanned[top - part.first]
    }

    fn find(self, top: usize, scanned: &Scanned, locals: &[usize], others: &FxHashSet<Symbol>) -> OwnFacts {
        let declaration = &self.variance.declarations[top];
        let seen = &mut self.found.seen.borrow_mut();
        OwnFacts::of(self.pp.tokens(), declaration, scanned.head, locals, others, seen)
    }

    /// The declarations whose tokens a name is among, in order, or which may have one that is no identifier.
    fn holding(self, name: Symbol) -> impl Iterator<Item = Holder> + use<'u> {
        let key = match name.as_str() {
            _ if is_word(name) => name,
            text if text.starts_with('~') => sym::TILDE,
            _ => sym::OPERATOR,
        };
        self.parts().flat_map(move |part| part.holding(key).iter().copied())
    }

    /// The declarations that have a name among their tokens, in order, whether or not it is mentioned there.
    pub(in crate::facts) fn having(self, name: Symbol) -> impl Iterator<Item = usize> + use<'u> {
        self.holding(name).map(Holder::top)
    }

    /// The identifiers of a declaration, each once, and how it mentions them.
    pub(in crate::facts) fn names_with_forms(
        self,
        top: usize,
    ) -> impl Iterator<Item = (Symbol, Forms)> + use<'u> {
        let own = self.own(top);
        own.names.iter().copied().zip(own.forms.iter().copied())
    }

    /// How a declaration qualifies a name where it does ([`Forms::QUALIFIED`]); `None` where any qualifier may stand.
    pub(super) fn qualifiers(
        self,
        top: usize,
        name: Symbol,
    ) -> Option<impl Iterator<Item = Qualifier> + use<'u>> {
        let all = &self.own(top).qualifiers;
        let first = all.partition_point(|(other, _)| *other < name);
        let own = all[first..].iter().take_while(move |(other, _)| *other == name).map(|(_, one)| *one);
        let mut own = own.peekable();
        own.peek().is_some().then_some(own)
    }

    /// With how many arguments a function can be called; other declarations of it may have default arguments.
    pub(super) fn arity(self, top: usize) -> Arity {
        self.own(top).arity.map_or(Arity::ANY, Arity::at_most)
    }

    /// Whether a member function of a class may override a virtual function of another one ([class.virtual]/2).
    pub(super) fn may_override(self, top: usize, name: Symbol) -> bool {
        self.class(top).is_some_and(|class| !class.bases().is_empty())
            && self.virtual_names().get(&name).is_some_and(|first| *first <= top)
    }

    fn virtual_names(self) -> &'u FxHashMap<Symbol, usize> {
        self.found.virtual_names.get_or_init(|| {
            let mut found = FxHashMap::default();
            for holder in self.holding(sym::VIRTUAL) {
                let top = holder.top();
                for name in self.class(top).iter().flat_map(|class| class.virtual_names()) {
                    found.entry(*name).or_insert(top);
                }
            }
            found
        })
    }

    /// Whether a name is that of a type which some declaration declares in a class or block.
    pub(super) fn is_inner_type(self, name: Symbol) -> bool {
        if let Some(known) = self.found.inner_types.borrow().get(&name) {
            return *known;
        }
        let mut declaring = self.holding(name).filter(|holder| holder.is_alone());
        let is_inner = declaring.any(|holder| self.own(holder.top()).types.contains(&name));
        self.found.inner_types.borrow_mut().insert(name, is_inner);
        is_inner
    }

    /// The declarations that mention a name, in order.
    pub(in crate::facts) fn mentions(self, name: Symbol) -> impl Iterator<Item = usize> + use<'u> {
        self.mentions_with_forms(name).map(|(top, _)| top)
    }

    /// Whether some declaration mentions a name.
    pub(super) fn is_mentioned(self, name: Symbol) -> bool {
        if let Some(known) = self.found.mentioned.borrow().get(&name) {
            return *known;
        }
        let is_mentioned = self.mentions(name).next().is_some();
        self.found.mentioned.borrow_mut().insert(name, is_mentioned);
        is_mentioned
    }

    /// The declarations that mention a name, in order, and how.
    pub(in crate::facts) fn mentions_with_forms(
        self,
        name: Symbol,
    ) -> impl Iterator<Item = (usize, Forms)> + use<'u> {
        let holding = self.parts().flat_map(move |part| part.holding(name));
        holding.filter_map(move |holder| {
            let own = self.own(holder.top());
            let place = own.names.iter().position(|other| *other == name)?;
            Some((holder.top(), own.forms[place]))
        })
    }

    /// Of each declaration, whether some of the names are among its tokens: all that mention one are among these.
    pub(super) fn have_some(self, names: &FxHashSet<Symbol>) -> Vec<bool> {
        let mut have = vec![false; self.end()];
        for name in names {
            let holding = self.parts().flat_map(|part| part.holding(*name));
            holding.for_each(|holder| have[holder.top()] = true);
        }
        have
    }

    /// The index of the first declaration behind the preamble; 0 if the facts of the preamble are not kept.
    pub(in crate::facts) fn preamble_end(self) -> usize {
        self.found.own.first
    }

    /// The number of declarations.
    pub(in crate::facts) fn end(self) -> usize {
        self.found.own.first + self.found.own.heads.len()
    }

    /// The facts of the preamble, as if the unit ended there ([`FoundTokenFacts::preamble_alone`]).
    pub(in crate::facts) fn preamble_alone(self) -> Option<FoundTokenFacts> {
        self.found.preamble_alone()
    }

    /// The facts of the same unit that are found there.
    pub(in crate::facts) fn among<'f>(self, found: &'f FoundTokenFacts) -> TokenFacts<'f>
    where
        'u: 'f,
    {
        found.of(self.pp, self.variance)
    }

    /// The member functions of a class; `None` if the declaration is no class.
    pub(in crate::facts) fn class(self, top: usize) -> Option<&'u Class> {
        self.own(top).class.as_deref()
    }

    /// The identifiers in the parameters of an operator function: the classes of its operands are among them.
    pub(in crate::facts) fn operands(self, top: usize) -> &'u [Symbol] {
        self.own(top).operands.as_deref().unwrap_or_default()
    }

    /// The identifiers in a declaration that uses of its names instantiate.
    pub(in crate::facts) fn instantiated_by_uses(self, top: usize) -> &'u [Symbol] {
        self.own(top).used_by_calls.as_deref().unwrap_or_else(|| self.names(top))
    }

    /// The same, and how the declaration mentions them.
    pub(in crate::facts) fn instantiated_with_forms(
        self,
        top: usize,
    ) -> impl Iterator<Item = (Symbol, Forms)> + use<'u> {
        let by_calls = self.own(top).used_by_calls.as_deref();
        let all = by_calls.is_none().then(|| self.names_with_forms(top)).into_iter().flatten();
        by_calls.into_iter().flatten().map(|name| (*name, Forms::ANY)).chain(all)
    }

    /// The operator functions of which some operand may be of one of these classes.
    pub(in crate::facts) fn operators_of(self, classes: &FxHashSet<Symbol>) -> Vec<usize> {
        let all = self.parts().flat_map(|part| part.unworded.iter().copied());
        all.filter(|top| self.operands(*top).iter().any(|operand| classes.contains(operand))).collect()
    }

    /// Whether there are kernel templates or device variable templates.
    pub(in crate::facts) fn has_kernels(self) -> bool {
        self.parts().any(|part| !part.kernels.is_empty())
    }

    /// Whether a name is that of a kernel template or a device variable template.
    pub(in crate::facts) fn is_kernel(self, name: Symbol) -> bool {
        self.parts().any(|part| part.kernels.contains(&name))
    }

    /// The names of kernel templates and device variable templates.
    pub(in crate::facts) fn kernels(self) -> FxHashSet<Symbol> {
        self.parts().flat_map(|part| part.kernels.iter().copied()).collect()
    }

    /// Whether a use of a name may instantiate anything.
    pub(in crate::facts) fn may_instantiate(self, name: Symbol) -> bool {
        if let Some(known) = self.found.instantiating.borrow().get(&name) {
            return *known;
        }
        // Members of classes, or names of the declaration itself.
        let declares = |top: &usize| {
            let declaration = &self.variance.declarations[*top];
            declaration.kind == DeclKind::Class || declaration.names.contains(&name)
        };
        let mut declaring = self.holding(name).map(|holder| holder.top()).filter(declares);
        let may = declaring.any(|top| self.own(top).instantiating.contains(&name));
        self.found.instantiating.borrow_mut().insert(name, may);
        may
    }
}

/// Which facts are kept for the next analysis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::facts) enum Keep {
    /// None: the unit is analysed once.
    Nothing,
    /// Those of the preamble.
    Preamble,
}

impl Part {
    fn of(pp: &Preprocessed, variance: &Variance, range: Range<usize>) -> Part {
        let mut part = Part { first: range.start, ..Part::default() };
        let tokens = pp.tokens();
        let mut last_file = None;
        let mut is_system_file = |file: FileId| match last_file {
            Some((known, of_system)) if known == file => of_system,
            _ => last_file.insert((file, pp.system.contains(&file))).1,
        };
        let main = pp.files.first().copied();
        let declarations = &variance.declarations[range];
        let mut places = Places::default();
        for (number, declaration) in declarations.iter().enumerate() {
            unwind_if_cancelled();
            let own = &tokens[declaration.tokens.clone()];
            let is_in_main = own.first().map(|token| token.at.file) == main;
            let kept = declaration.known.0.as_ref().filter(|_| !is_in_main).map(|known| &known.index);
            let scanned = kept.and_then(|kept| kept.get::<Arc<Scanned>>()).cloned().unwrap_or_else(|| {
                let scanned = Arc::new(Scanned::of(tokens, declaration, &mut places));
                if let Some(kept) = kept {
                    kept.set(Arc::clone(&scanned));
                }
                scanned
            });
            let mut ends = own.first().into_iter().chain(own.last());
            let of_system = ends.all(|token| is_system_file(token.at.file));
            part.heads.push(scanned.head | if of_system { OF_SYSTEM } else { 0 });
            part.kernels.extend(scanned.kernel);
            if declaration.kind != DeclKind::Class && declaration.names.iter().any(|name| !is_word(*name)) {
                part.unworded.push(part.first + number);
            }
            part.scanned.push(scanned);
        }
        part.index();
        part
    }

    /// Fills `starts` and `holders`.
    fn index(&mut self) {
        let all = || self.scanned.iter().flat_map(|scanned| &scanned.held);
        let symbols = all().map(|held| held.name.index() + 1).max().unwrap_or(0);
        let mut starts = vec![0; symbols + 1];
        all().for_each(|held| starts[held.name.index() + 1] += 1);
        for symbol in 0..symbols {
            starts[symbol + 1] += starts[symbol];
        }
        let mut next = starts.clone();
        self.holders = vec![Holder::default(); starts[symbols] as usize];
        for (number, scanned) in self.scanned.iter().enumerate() {
            for held in &scanned.held {
                let at = &mut next[held.name.index()];
                self.holders[*at as usize] = Holder::new(self.first + number, held.is_alone);
                *at += 1;
            }
        }
        self.starts = starts;
    }

    /// The declarations that have a name among their tokens.
    fn holding(&self, name: Symbol) -> &[Holder] {
        match self.starts.get(name.index()..name.index() + 2) {
            Some([start, end]) => &self.holders[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// Whether a declaration begins and ends in headers of the system or the toolkit.
pub(in crate::facts) fn is_of_system(pp: &Preprocessed, declaration: &TopDeclaration) -> bool {
    let tokens = &pp.tokens()[declaration.tokens.clone()];
    let ends = tokens.first().into_iter().chain(tokens.last());
    ends.into_iter().all(|token| pp.system.contains(&token.at.file))
}

/// Whether a class in the declaration may have bases, and so members that its own tokens do not tell.
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

/// Whether a name is that of the operator function of an operator: `operator+`, `operator()`, but not `operator new`.
pub(in crate::facts) fn is_operator_function(name: Symbol) -> bool {
    overloaded_operator(name).is_some()
}

/// The operator that the operator function of a name overloads.
pub(in crate::facts) fn overloaded_operator(name: Symbol) -> Option<Symbol> {
    let operator = name.as_str().strip_prefix("operator")?;
    let is_symbol = |first: char| first.is_ascii_punctuation() && !matches!(first, '_' | ':');
    operator.starts_with(is_symbol).then(|| Symbol::intern(operator))
}

/// Whether a name is that of a conversion function: `operator float`, `operator T*`.
pub(in crate::facts) fn is_conversion_function(name: Symbol) -> bool {
    let is_allocation = |rest: &str| matches!(rest.split(['[', ' ']).nth(1), Some("new" | "delete"));
    name.as_str()
        .strip_prefix("operator")
        .is_some_and(|rest| rest.starts_with([' ', ':']) && !is_allocation(rest))
}
