//! Facts that the tokens of declarations tell, gathered once because they are needed often: the specifiers in their
//! heads, the names that they mention, the member functions that classes define.
//!
//! All of them depend on a declaration's own tokens only, so those of the preamble are kept for the next analysis
//! ([`PreambleTokenFacts`]).

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::{PpToken, Preamble, Preprocessed};
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Meanings, TopDeclaration, Variance, locals, member_functions, word};

use super::names::NameIndex;
pub(in crate::facts) use super::tokens::{identifiers, preamble_end, refine};

/// The token facts of the preamble.
#[derive(Debug)]
pub(crate) struct PreambleTokenFacts {
    tokens: Preamble,
    /// The passes that were compared: for other passes there are other declarations.
    compared: PassSet,
    part: Part,
}

/// The token facts of a unit: of the preamble, if they are kept, and of the other declarations.
pub(in crate::facts) struct TokenFacts {
    pub(in crate::facts) preamble: Option<Arc<PreambleTokenFacts>>,
    own: Part,
}

/// How a declaration mentions a name, by what stands before it: which entities the name can denote there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::facts) struct Forms(u8);

impl Forms {
    /// The name alone: an entity of namespace scope, or a member of a class around it or of a base class of one.
    pub(in crate::facts) const UNQUALIFIED: Forms = Forms(1);
    /// Behind `.` or `->`: a member.
    pub(in crate::facts) const OF_OBJECT: Forms = Forms(2);
    /// Behind `::`: any.
    pub(in crate::facts) const QUALIFIED: Forms = Forms(4);
    /// Any of them.
    pub(in crate::facts) const ANY: Forms = Forms(7);

    /// Whether some of the forms are among some others.
    pub(in crate::facts) fn meet(self, others: Forms) -> bool {
        self.0 & others.0 != 0
    }

    /// The form of the name that is token `index`.
    fn of(tokens: &[PpToken], index: usize) -> Forms {
        let text = |at: Option<usize>| at.map_or(sym::EMPTY, |at| tokens[at].text);
        let before = match text(index.checked_sub(1)) {
            sym::TEMPLATE => text(index.checked_sub(2)),
            before => before,
        };
        match before {
            sym::DOT | sym::ARROW => Forms::OF_OBJECT,
            sym::SCOPE => Forms::QUALIFIED,
            _ => Forms::UNQUALIFIED,
        }
    }
}

impl std::ops::BitOr for Forms {
    type Output = Forms;

    fn bitor(self, other: Forms) -> Forms {
        Forms(self.0 | other.0)
    }
}

/// The token facts of consecutive declarations.
#[derive(Debug, Default)]
struct Part {
    /// The index of the first.
    first: usize,
    /// Per declaration, bits for the specifiers in its head ([`WORDS`]) and for the properties below.
    marks: Vec<u32>,
    /// Per declaration, where its names end in `names`.
    ends: Vec<u32>,
    /// The identifiers of each declaration, each once.
    names: Vec<Symbol>,
    /// Of each of `names`, how it is mentioned.
    forms: Vec<Forms>,
    /// Per name, the range in `mentions` with the declarations that mention it.
    by_name: FxHashMap<Symbol, Range<u32>>,
    /// For one name after another, the declarations that mention it, in order, and how.
    mentions: Vec<(u32, Forms)>,
    /// The classes, by declaration.
    classes: FxHashMap<usize, Class>,
    /// The identifiers in the heads of operator functions, by declaration.
    operands: FxHashMap<usize, Vec<Symbol>>,
    /// Of functions that are no templates, the identifiers in their parameters whose uses a call makes: in default
    /// arguments, and of class templates that arguments are converted to.
    used_by_calls: FxHashMap<usize, Vec<Symbol>>,
    /// Names of kernel templates and device variable templates.
    kernels: FxHashSet<Symbol>,
    /// Names of which a use may instantiate what their declarations mention.
    instantiating: FxHashSet<Symbol>,
}

/// The member functions that a class defines, and the data members that hold generic lambdas.
#[derive(Debug, Default)]
pub(in crate::facts) struct Class {
    /// Their names; `None` where tokens do not tell.
    members: Vec<Option<Symbol>>,
    /// The identifiers in those member functions that are templated ([temp.pre]/8) and so instantiated by uses, each
    /// with the index of its function and how it is mentioned, sorted.
    mentions: Vec<(Symbol, u32, Forms)>,
    /// The indices of the member functions that are found without their class, ascending: friends, and the constructors of
    /// nested classes, which aliases may stand for.
    free: Vec<u32>,
    /// The names of the base classes, those of nested classes included; sorted.
    bases: Vec<Symbol>,
    /// The identifiers outside the member functions, sorted, if the class is no template.
    outside: Vec<Symbol>,
    /// The names of the static data members with initializers, if the class is a template.
    static_data: Vec<Symbol>,
    /// The indices of the member functions that GPUs alone run, ascending.
    on_device_alone: Vec<u32>,
    /// The indices of the member functions that hosts alone run, ascending.
    on_host_alone: Vec<u32>,
    /// The identifiers that the class has in these member functions and nowhere else, sorted.
    named_on_device: Vec<Symbol>,
}

impl Class {
    /// The templated member functions that mention a name.
    pub(in crate::facts) fn mentioning(&self, name: Symbol) -> impl Iterator<Item = Mentioning> {
        let first = self.mentions.partition_point(|(other, ..)| *other < name);
        let own = self.mentions[first..].iter().take_while(move |(other, ..)| *other == name);
        let is_among = |list: &[u32], member: &u32| list.binary_search(member).is_ok();
        own.map(move |(_, member, forms)| Mentioning {
            name: self.members[*member as usize],
            forms: *forms,
            on_device_alone: is_among(&self.on_device_alone, member),
            on_host_alone: is_among(&self.on_host_alone, member),
            is_free: is_among(&self.free, member),
        })
    }

    /// The names of the base classes, those of nested classes included.
    pub(in crate::facts) fn bases(&self) -> &[Symbol] {
        &self.bases
    }

    /// Whether only member functions that GPUs alone run mention a name.
    pub(in crate::facts) fn names_on_device_alone(&self, name: Symbol) -> bool {
        self.named_on_device.binary_search(&name).is_ok()
    }

    /// The names of the member functions, as far as tokens tell.
    pub(in crate::facts) fn names(&self) -> impl Iterator<Item = Symbol> {
        self.members.iter().flatten().copied()
    }

    /// The names of the static data members whose uses instantiate their initializers.
    pub(in crate::facts) fn static_data(&self) -> &[Symbol] {
        &self.static_data
    }

    /// Whether the class mentions a name outside its member functions: as the type of a data member, or as a base.
    pub(in crate::facts) fn consists_of(&self, name: Symbol) -> bool {
        self.outside.binary_search(&name).is_ok()
    }
}

/// A member function that mentions a name.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct Mentioning {
    /// Its name; `None` where tokens do not tell.
    pub name: Option<Symbol>,
    pub forms: Forms,
    /// GPUs alone run it.
    pub on_device_alone: bool,
    /// Hosts alone run it.
    pub on_host_alone: bool,
    /// It is found without its class: a friend, or a constructor of a nested class.
    pub is_free: bool,
}

/// The specifiers that heads are searched for; the bit of each in [`Part::marks`] is its index here.
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
const INSTANTIATES_WHEN_USED: u32 = 1 << 17;
const GENERIC_LAMBDA: u32 = 1 << 18;
const MAY_BE_ROOT: u32 = 1 << 19;
const ON_DEVICE_ALONE: u32 = 1 << 20;
const ON_HOST_ALONE: u32 = 1 << 21;

impl TokenFacts {
    /// The facts of a unit. `known` are those of its preamble from the last analysis, which are used if they are still
    /// valid. With [`Keep::Preamble`] those of the preamble are kept apart for the next analysis.
    pub(in crate::facts) fn new(
        pp: &Preprocessed,
        variance: &Variance,
        index: &NameIndex,
        compared: PassSet,
        known: Option<&Arc<PreambleTokenFacts>>,
        keep: Keep,
    ) -> TokenFacts {
        let all = &variance.declarations;
        if keep == Keep::Nothing {
            return TokenFacts { preamble: None, own: Part::of(pp, variance, index, 0..all.len()) };
        }
        let preamble = pp.preamble().clone();
        let preamble_end = preamble_end(variance, &preamble);
        let same = |known: &&Arc<PreambleTokenFacts>| {
            known.tokens == preamble && known.compared == compared && known.part.marks.len() == preamble_end
        };
        let preamble = known.filter(same).cloned().unwrap_or_else(|| {
            let part = Part::of(pp, variance, index, 0..preamble_end);
            Arc::new(PreambleTokenFacts { tokens: preamble, compared, part })
        });
        TokenFacts { preamble: Some(preamble), own: Part::of(pp, variance, index, preamble_end..all.len()) }
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.preamble.iter().map(|preamble| &preamble.part).chain([&self.own])
    }

    fn part(&self, top: usize) -> &Part {
        match &self.preamble {
            Some(preamble) if top < self.own.first => &preamble.part,
            _ => &self.own,
        }
    }

    fn has(&self, top: usize, marks: u32) -> bool {
        let part = self.part(top);
        part.marks[top - part.first] & marks != 0
    }

    /// Whether the head of a declaration has one of the specifiers, in any pass.
    pub(in crate::facts) fn head_has(&self, top: usize, words: &[Symbol]) -> bool {
        self.has(top, words.iter().fold(0, |marks, word| marks | mark(*word)))
    }

    /// Whether a declaration is a template.
    pub(in crate::facts) fn is_template(&self, top: usize) -> bool {
        self.has(top, TEMPLATE)
    }

    /// Whether a use of a declaration's name may instantiate what the declaration mentions: that of a template, a class,
    /// an alias or a generic lambda.
    pub(in crate::facts) fn instantiates_when_used(&self, top: usize) -> bool {
        self.has(top, INSTANTIATES_WHEN_USED)
    }

    /// Whether a declaration is a function that GPUs alone run, in every pass that has it.
    pub(in crate::facts) fn is_on_device_alone(&self, top: usize) -> bool {
        self.has(top, ON_DEVICE_ALONE)
    }

    /// Whether a declaration is a function that hosts alone run, as far as it says so itself.
    pub(in crate::facts) fn is_on_host_alone(&self, top: usize) -> bool {
        self.has(top, ON_HOST_ALONE)
    }

    /// Whether a declaration has a name nowhere but in functions that GPUs alone run.
    pub(in crate::facts) fn names_on_device_alone(&self, top: usize, name: Symbol) -> bool {
        self.is_on_device_alone(top) || self.class(top).is_some_and(|class| class.names_on_device_alone(name))
    }

    /// Whether a declaration has a generic lambda ([expr.prim.lambda]).
    pub(in crate::facts) fn has_generic_lambda(&self, top: usize) -> bool {
        self.has(top, GENERIC_LAMBDA)
    }

    /// Whether a declaration may be a *root*, which causes instantiations by itself, without being used: templates do
    /// not, nor do declarations that only introduce names.
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

    /// The identifiers of a declaration, each once, and how it mentions them.
    pub(in crate::facts) fn names_with_forms(&self, top: usize) -> impl Iterator<Item = (Symbol, Forms)> {
        let names = self.names(top);
        let part = self.part(top);
        let number = top - part.first;
        let start = number.checked_sub(1).map_or(0, |before| part.ends[before]);
        names.iter().copied().zip(part.forms[start as usize..].iter().copied())
    }

    /// The declarations that mention a name, in order.
    pub(in crate::facts) fn mentions(&self, name: Symbol) -> impl Iterator<Item = usize> {
        self.mentions_with_forms(name).map(|(top, _)| top)
    }

    /// The declarations that mention a name, in order, and how.
    pub(in crate::facts) fn mentions_with_forms(&self, name: Symbol) -> impl Iterator<Item = (usize, Forms)> {
        self.parts().flat_map(move |part| {
            let range = part.by_name.get(&name).cloned().unwrap_or_default();
            let mentions = &part.mentions[range.start as usize..range.end as usize];
            mentions.iter().map(|(top, forms)| (*top as usize, *forms))
        })
    }

    /// The index of the first declaration behind the preamble; 0 if the facts of the preamble are not kept.
    pub(in crate::facts) fn preamble_end(&self) -> usize {
        self.own.first
    }

    /// The number of declarations.
    pub(in crate::facts) fn end(&self) -> usize {
        self.own.first + self.own.marks.len()
    }

    /// The facts of the preamble, as if the unit ended there.
    pub(in crate::facts) fn preamble_alone(&self) -> Option<TokenFacts> {
        let preamble = self.preamble.as_ref()?;
        let nothing = Part { first: self.own.first, ..Part::default() };
        Some(TokenFacts { preamble: Some(Arc::clone(preamble)), own: nothing })
    }

    /// The member functions of a class; `None` if the declaration is no class.
    pub(in crate::facts) fn class(&self, top: usize) -> Option<&Class> {
        self.part(top).classes.get(&top)
    }

    /// The identifiers in the head of an operator function: the classes of its operands are among them.
    pub(in crate::facts) fn operands(&self, top: usize) -> &[Symbol] {
        self.part(top).operands.get(&top).map_or(&[], Vec::as_slice)
    }

    /// The identifiers in a declaration that uses of its names instantiate.
    pub(in crate::facts) fn instantiated_by_uses(&self, top: usize) -> &[Symbol] {
        self.part(top).used_by_calls.get(&top).map_or_else(|| self.names(top), Vec::as_slice)
    }

    /// The same, and how the declaration mentions them.
    pub(in crate::facts) fn instantiated_with_forms(
        &self,
        top: usize,
    ) -> impl Iterator<Item = (Symbol, Forms)> {
        let by_calls = self.part(top).used_by_calls.get(&top);
        let all = by_calls.is_none().then(|| self.names_with_forms(top)).into_iter().flatten();
        by_calls.into_iter().flatten().map(|name| (*name, Forms::ANY)).chain(all)
    }

    /// The operator functions of which some operand may be of one of these classes.
    pub(in crate::facts) fn operators_of(&self, classes: &FxHashSet<Symbol>) -> Vec<usize> {
        let all = self.parts().flat_map(|part| &part.operands);
        let some = all.filter(|(_, operands)| operands.iter().any(|operand| classes.contains(operand)));
        some.map(|(top, _)| *top).collect()
    }

    /// Whether there are kernel templates or device variable templates.
    pub(in crate::facts) fn has_kernels(&self) -> bool {
        self.parts().any(|part| !part.kernels.is_empty())
    }

    /// Whether a name is that of a kernel template or a device variable template.
    pub(in crate::facts) fn is_kernel(&self, name: Symbol) -> bool {
        self.parts().any(|part| part.kernels.contains(&name))
    }

    /// The names of kernel templates and device variable templates.
    pub(in crate::facts) fn kernels(&self) -> FxHashSet<Symbol> {
        self.parts().flat_map(|part| part.kernels.iter().copied()).collect()
    }

    /// Whether a use of a name may instantiate anything.
    pub(in crate::facts) fn may_instantiate(&self, name: Symbol) -> bool {
        self.parts().any(|part| part.instantiating.contains(&name))
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
            // Only for the main file: in headers, telling what a name means costs the most and excludes the least.
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
        part.forms.shrink_to_fit();
        part.index();
        part
    }

    /// Adds a declaration. Of the names in it, `others` do not denote entities of namespace scope.
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
        let head = &tokens[declaration.tokens.start..declaration.body];
        let of_host = marks & mark(sym::GLOBAL) == 0
            && (marks & mark(sym::DEVICE) == 0 || marks & mark(sym::HOST) != 0);
        let used_by_calls = match !template && is_function && of_host {
            true => used_by_calls(head),
            false => Vec::new(),
        };
        let used_by_calls =
            if declaration.names.iter().all(|name| is_word(*name)) { used_by_calls } else { Vec::new() };
        let instantiates_when_used = (template && declaration.kind != DeclKind::Instantiation)
            || !used_by_calls.is_empty()
            || declaration.kind == DeclKind::Variable && has_generic_lambda(own)
            || matches!(declaration.kind, DeclKind::Class | DeclKind::Alias);
        if !used_by_calls.is_empty() {
            self.used_by_calls.insert(top, seen.each_once(used_by_calls.into_iter()).collect());
        }
        let also = [
            (template, TEMPLATE),
            (instantiates_when_used, INSTANTIATES_WHEN_USED),
            (has_generic_lambda(own), GENERIC_LAMBDA),
            (may_be_a_root(own, declaration), MAY_BE_ROOT),
            (is_function && is_on_device_alone(head, declaration.passes), ON_DEVICE_ALONE),
            (is_function && is_on_host_alone(head), ON_HOST_ALONE),
        ];
        also.iter().filter(|(is, _)| *is).for_each(|(_, mark)| marks |= mark);
        self.marks.push(marks);
        if instantiates_when_used {
            self.instantiating.extend(declaration.names.iter().copied());
        }
        if declaration.kind == DeclKind::Class {
            let class = Class::of(tokens, declaration, locals, template, seen);
            self.instantiating.extend(class.members.iter().flatten());
            if class.members.iter().flatten().any(|member| member.as_str().starts_with('~')) {
                self.instantiating.insert(sym::TILDE);
            }
            self.classes.insert(top, class);
        } else if instantiates_when_used && declaration.names.iter().any(|name| !is_word(*name)) {
            self.operands.insert(top, seen.each_once(identifiers(head)).collect());
        }
        let own = |name: &Symbol| {
            self.classes.get(&top).is_some_and(|class| class.members.contains(&Some(*name)))
                || declaration.names.contains(name)
        };
        let names = mentioned(tokens, declaration.tokens.clone(), locals);
        let names = names.filter(|(name, _)| !others.contains(name) || own(name));
        // `template void run(float *);` declares no name of its own.
        let instantiated = declaration.names.first().filter(|_| declaration.kind == DeclKind::Instantiation);
        let names = names.chain(instantiated.map(|name| (*name, Forms::ANY)));
        // A class in the body of a function has members and base classes of its own.
        let mut body = tokens[declaration.body..declaration.tokens.end.max(declaration.body)].iter();
        let has_class = is_function && body.any(|token| matches!(token.text, sym::CLASS | sym::STRUCT));
        for (name, forms) in seen.each_with_forms(names) {
            self.names.push(name);
            self.forms.push(if has_class { Forms::ANY } else { forms });
        }
        self.ends.push(self.names.len() as u32);
    }

    /// Fills `by_name` and `mentions`.
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
        self.mentions = vec![Default::default(); self.names.len()];
        let mut start = 0;
        for (number, end) in self.ends.iter().enumerate() {
            let range = start..*end as usize;
            for (name, forms) in self.names[range.clone()].iter().zip(&self.forms[range]) {
                let range = counts.get_mut(name).expect("every name was counted");
                self.mentions[range.end as usize] = ((self.first + number) as u32, *forms);
                range.end += 1;
            }
            start = *end as usize;
        }
        counts.shrink_to_fit();
        self.by_name = counts;
    }
}

/// Removes repeated names from one list after another.
#[derive(Default)]
struct Seen {
    /// By symbol, the number of the last list that had it.
    last: Vec<u32>,
    /// By symbol, its place in that list, if its names have forms.
    position: Vec<u32>,
    lists: u32,
}

impl Seen {
    /// The names of a new list, each once.
    fn each_once(&mut self, names: impl Iterator<Item = Symbol>) -> impl Iterator<Item = Symbol> {
        self.lists += 1;
        names.filter(|name| self.is_new(*name))
    }

    /// The names of a new list, each once, with all the ways in which it is mentioned.
    fn each_with_forms(&mut self, names: impl Iterator<Item = (Symbol, Forms)>) -> Vec<(Symbol, Forms)> {
        self.lists += 1;
        let mut all: Vec<(Symbol, Forms)> = Vec::new();
        for (name, forms) in names {
            if self.is_new(name) {
                self.position.resize(self.last.len(), 0);
                self.position[name.index()] = all.len() as u32;
                all.push((name, forms));
            } else {
                let known = &mut all[self.position[name.index()] as usize].1;
                *known = *known | forms;
            }
        }
        all
    }

    /// Whether the list did not have a name yet.
    fn is_new(&mut self, name: Symbol) -> bool {
        if self.last.len() <= name.index() {
            self.last.resize((name.index() + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut self.last[name.index()], self.lists) != self.lists
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
        let is_class = |pair: &&[PpToken]| matches!(pair[0].text, sym::CLASS | sym::STRUCT | sym::UNION);
        let nested: FxHashSet<Symbol> = own.windows(2).filter(is_class).map(|pair| pair[1].text).collect();
        let mut class = Class::default();
        for (number, function) in functions.iter().enumerate() {
            if is_on_device_alone(&tokens[function.head.clone()], declaration.passes) {
                class.on_device_alone.push(number as u32);
            }
            if is_on_host_alone(&tokens[function.head.clone()]) {
                class.on_host_alone.push(number as u32);
            }
            if tokens[function.head.clone()].iter().any(|token| token.text == sym::FRIEND)
                || function.name.is_some_and(|name| nested.contains(&name))
            {
                class.free.push(number as u32);
            }
            class.members.push(match is_destructor(&tokens[function.head.clone()]) {
                true => function.name.map(|name| Symbol::intern(&format!("~{name}"))),
                false => function.name,
            });
            let whole = &tokens[function.head.start..function.body.end];
            if is_template || function.in_template || is_abbreviated(whole, DeclKind::Function) {
                let inside = mentioned(tokens, function.head.start..function.body.end, locals);
                let inside = seen.each_with_forms(inside).into_iter();
                class.mentions.extend(inside.map(|(name, forms)| (name, number as u32, forms)));
            } else {
                let inside = used_by_calls(&tokens[function.head.clone()]);
                let inside = seen.each_once(inside.into_iter());
                class.mentions.extend(inside.map(|name| (name, number as u32, Forms::ANY)));
            }
        }
        let mut initialized = generic_lambda_members(tokens, &declaration.class_body);
        if is_template {
            let data = static_data_members(tokens, &declaration.class_body);
            class.static_data = data.iter().map(|(name, _)| *name).collect();
            initialized.extend(data);
        }
        initialized.extend(prototypes_with_defaults(tokens, &declaration.class_body));
        for (name, initializer) in initialized {
            let inside = seen.each_with_forms(mentioned(tokens, initializer, locals)).into_iter();
            let number = class.members.len() as u32;
            class.members.push(Some(name));
            class.mentions.extend(inside.map(|(name, forms)| (name, number, forms)));
        }
        class.mentions.sort_unstable_by_key(|(name, number, _)| (*name, *number));
        class.bases = bases(own);
        if !class.on_device_alone.is_empty() {
            let on_device = class.on_device_alone.iter().map(|number| &functions[*number as usize]);
            let ranges: Vec<Range<usize>> = on_device.map(|one| one.head.start..one.body.end).collect();
            let is_inside = |at: &usize| ranges.iter().any(|range| range.contains(at));
            let outside = declaration.tokens.clone().filter(|at| !is_inside(at));
            let outside: FxHashSet<Symbol> = outside.flat_map(|at| identifiers(&tokens[at..=at])).collect();
            let inside = ranges.iter().flat_map(|range| identifiers(&tokens[range.clone()]));
            class.named_on_device = seen.each_once(inside.filter(|name| !outside.contains(name))).collect();
            class.named_on_device.sort_unstable();
        }
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

/// Whether the head of a function has `__device__` or `__global__` in each of some passes, and `__host__` in none.
fn is_on_device_alone(head: &[PpToken], passes: PassSet) -> bool {
    let is_of_host = |token: &PpToken| token.text == sym::HOST && token.passes.meets(passes);
    let is_of_device =
        |token: &PpToken| matches!(token.text, sym::DEVICE | sym::GLOBAL) && token.passes.contains(passes);
    head.iter().any(is_of_device) && !head.iter().any(is_of_host)
}

/// Whether the head of a function makes it one of the host in every pass. What `--expt-relaxed-constexpr` gives to devices,
/// they evaluate; it launches nothing there.
fn is_on_host_alone(head: &[PpToken]) -> bool {
    !head.iter().any(|token| matches!(token.text, sym::DEVICE | sym::GLOBAL))
}

/// Whether the head of a member function is a destructor's.
fn is_destructor(head: &[PpToken]) -> bool {
    head.windows(3).any(|three| {
        three[0].text == sym::TILDE && three[1].kind == TokenKind::Identifier && three[2].text == sym::LPAREN
    })
}

/// The data members that are initialized with generic lambdas, each with the tokens of its initializer.
fn generic_lambda_members(tokens: &[PpToken], body: &Range<usize>) -> Vec<(Symbol, Range<usize>)> {
    let mut found = Vec::new();
    for at in body.clone() {
        let Some([name, assign, open]) = tokens.get(at..at + 3) else { break };
        if name.kind == TokenKind::Identifier && assign.text == sym::ASSIGN && open.text == sym::LBRACKET {
            let mut depth = 0_i32;
            let ends = |token: &&PpToken| {
                depth += i32::from(matches!(token.text, sym::LBRACE | sym::LPAREN | sym::LBRACKET));
                depth -= i32::from(matches!(token.text, sym::RBRACE | sym::RPAREN | sym::RBRACKET));
                depth > 0 || token.text != sym::SEMI
            };
            let length = tokens[at + 2..body.end].iter().take_while(ends).count();
            let initializer = at + 2..at + 2 + length;
            if has_generic_lambda(&tokens[initializer.clone()]) {
                found.push((name.text, initializer));
            }
        }
    }
    found
}

/// The static data members with initializers in a class's body, each with the tokens of its initializer.
fn static_data_members(tokens: &[PpToken], body: &Range<usize>) -> Vec<(Symbol, Range<usize>)> {
    let mut found = Vec::new();
    for start in body.clone().filter(|at| tokens[*at].text == sym::STATIC) {
        let ends = |at: &usize| {
            let is_call =
                |before: &PpToken| before.kind == TokenKind::Identifier && word(before.text).is_none();
            match tokens[*at].text {
                sym::ASSIGN | sym::LBRACE | sym::SEMI => true,
                // The parentheses of a function's parameters, and not those of `sizeof...(T)`.
                sym::LPAREN => is_call(&tokens[*at - 1]),
                _ => false,
            }
        };
        let Some(equals) = (start + 1..body.end).find(ends) else { break };
        // The bounds of an array stand behind its name.
        let bracket = (start + 1..equals).find(|at| tokens[*at].text == sym::LBRACKET);
        let bracket = bracket.filter(|_| tokens[equals - 1].text == sym::RBRACKET);
        let name = tokens[bracket.unwrap_or(equals) - 1];
        if !matches!(tokens[equals].text, sym::ASSIGN | sym::LBRACE) || name.kind != TokenKind::Identifier {
            continue;
        }
        let end = (equals..body.end).find(|at| tokens[*at].text == sym::SEMI).unwrap_or(body.end);
        found.push((name.text, equals..end));
    }
    found
}

/// The member functions that a class's body declares with default arguments and does not define, each with the tokens of
/// its parameters: a call uses the default arguments.
fn prototypes_with_defaults(tokens: &[PpToken], body: &Range<usize>) -> Vec<(Symbol, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = body.start;
    while at + 1 < body.end {
        at += 1;
        let name = tokens[at - 1];
        if tokens[at].text != sym::LPAREN || name.kind != TokenKind::Identifier || word(name.text).is_some() {
            continue;
        }
        let (mut depth, mut has_default) = (0_i32, false);
        let ends = |token: &&PpToken| {
            depth += i32::from(matches!(token.text, sym::LPAREN | sym::LBRACE | sym::LBRACKET));
            depth -= i32::from(matches!(token.text, sym::RPAREN | sym::RBRACE | sym::RBRACKET));
            has_default |= token.text == sym::ASSIGN;
            depth > 0
        };
        let end = at + tokens[at..body.end].iter().take_while(ends).count();
        let behind = tokens[end..body.end].iter().find(|token| {
            matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE | sym::COLON | sym::LPAREN)
        });
        if has_default && behind.is_some_and(|token| token.text == sym::SEMI) {
            found.push((name.text, at..end));
        }
        at = end;
    }
    found
}

/// The identifiers of a range that may denote other declarations of the unit: neither local names nor data members in
/// member access expressions; `~` for an explicit call of a destructor.
fn mentioned(
    tokens: &[PpToken],
    range: Range<usize>,
    locals: &[usize],
) -> impl Iterator<Item = (Symbol, Forms)> {
    let mut next = locals.partition_point(|local| *local < range.start);
    range.filter_map(move |index| {
        if locals.get(next) == Some(&index) {
            next += 1;
            return None;
        }
        let token = &tokens[index];
        let is_destroyed = token.text == sym::TILDE
            && index.checked_sub(1).is_some_and(|at| matches!(tokens[at].text, sym::DOT | sym::ARROW));
        (is_destroyed || token.kind == TokenKind::Identifier && !is_plain_member(tokens, index))
            .then(|| (token.text, Forms::of(tokens, index)))
    })
}

/// The names of the base classes in a class's tokens, those of nested classes included; sorted. Where tokens do not tell the
/// name of one, the name is empty.
fn bases(own: &[PpToken]) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut at = 0;
    while at < own.len() {
        at += 1;
        let of_enum = at > 1 && own[at - 2].text.as_str() == "enum";
        if of_enum || !matches!(own[at - 1].text, sym::CLASS | sym::STRUCT) {
            continue;
        }
        // The head of a class, up to its colon: no template parameter, variable or function has one before these.
        let mut depth = 0_i32;
        let mut ends = |token: &PpToken| {
            depth += i32::from(token.text == sym::LESS) - i32::from(token.text == sym::GREATER);
            depth -= if token.text.as_str() == ">>" { 2 } else { 0 };
            matches!(token.text, sym::LBRACE | sym::SEMI | sym::LPAREN | sym::ASSIGN | sym::COLON)
                || depth == 0 && token.text == sym::COMMA
                || depth < 0
        };
        let Some(length) = own[at..].iter().position(&mut ends) else { break };
        if own[at + length].text != sym::COLON {
            continue;
        }
        let clause = at + length + 1;
        let (mut depth, mut last) = (0_i32, sym::EMPTY);
        for token in &own[clause..] {
            match token.text {
                sym::LESS | sym::LPAREN => depth += 1,
                sym::GREATER | sym::RPAREN => depth -= 1,
                _ if token.text.as_str() == ">>" => depth -= 2,
                sym::COMMA | sym::LBRACE if depth <= 0 => {
                    names.push(last);
                    last = sym::EMPTY;
                    if token.text == sym::LBRACE {
                        break;
                    }
                }
                _ if depth == 0 && token.kind == TokenKind::Identifier => last = token.text,
                _ => {}
            }
        }
        at = clause;
    }
    names.sort_unstable();
    names.dedup();
    names
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

/// Whether an identifier is the member in `object.name` or `object->name` and is not called.
pub(in crate::facts) fn is_plain_member(tokens: &[PpToken], index: usize) -> bool {
    let text = |at: usize| tokens.get(at).map_or(sym::EMPTY, |token| token.text);
    // `auto f() const -> name` is a trailing return type, and after `)` tokens do not tell it from `f()->name`.
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

/// The bits of the specifiers in a declaration's head, in any pass: before its body, and outside the braces of a class.
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

/// `void f(auto x)`: a function with a placeholder type among its parameters is a template ([dcl.fct]/22).
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

/// Whether a token in a parameter may stand behind the name of a class, to which an argument may be converted.
fn may_follow_class(next: &PpToken) -> bool {
    matches!(next.text, sym::LESS | sym::AMP | sym::AMP_AMP) || next.kind == TokenKind::Identifier
}

/// The identifiers in a function's parameters that a call uses: if some of them have default arguments, or are of
/// classes, to which arguments may be converted.
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
                uses |= word(token.text).is_none() && head.get(number + 1).is_some_and(may_follow_class);
                names.push(token.text);
            }
            _ => {}
        }
    }
    if uses { names } else { Vec::new() }
}

/// Whether a name is an identifier: the name of an operator function or destructor is not.
pub(in crate::facts) fn is_word(name: Symbol) -> bool {
    name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a name is that of a conversion function: `operator float`, `operator T*`.
pub(in crate::facts) fn is_conversion_function(name: Symbol) -> bool {
    let is_allocation = |rest: &str| matches!(rest.split(['[', ' ']).nth(1), Some("new" | "delete"));
    name.as_str()
        .strip_prefix("operator")
        .is_some_and(|rest| rest.starts_with([' ', ':']) && !is_allocation(rest))
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
    let only_names = match declaration.kind {
        DeclKind::Using | DeclKind::Enum | DeclKind::Forward => true,
        // A template argument of the type may be a function.
        DeclKind::Alias => !tokens.iter().any(|token| token.text == sym::LESS),
        _ => false,
    };
    !plain_template && !only_names
}

/// Whether tokens have a generic lambda: `[](auto x)`, `[]<int N>()`.
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
