//! The name graph: from a name to the names that its declarations mention, where a use of the name instantiates the
//! declaration and so what it mentions.
//!
//! In: the token facts of declarations ([`TokenFacts`]), and name lookup by namespaces ([`NameLookup`]). Out: [`NameGraph`],
//! which tells its edges. The graph errs towards edges, since it knows no types.

use crate::source::{Symbol, sym};
use crate::variance::{DeclKind, Home, NameLookup, TopDeclaration};

use super::arity::Arity;
use super::leading_names::{ANY_CLASS, ClosureCache, FreeWay, Ways};
use super::mentioned::{Forms, Qualifier};
use super::names::NameIndex;
use super::one_declaration::is_word;
use super::token_facts::TokenFacts;

/// The graph over the declarations of a unit.
#[derive(Clone, Copy)]
pub(in crate::facts) struct NameGraph<'l> {
    pub(in crate::facts) declarations: &'l [TopDeclaration],
    /// The declarations of each name.
    pub(in crate::facts) index: &'l NameIndex,
    pub(in crate::facts) token_facts: TokenFacts<'l>,
    /// Which declarations a name may be that of, by namespaces.
    pub(in crate::facts) lookup: &'l NameLookup<'l>,
    /// The closures over the preamble alone that were computed before.
    pub(in crate::facts) closures: Option<&'l ClosureCache>,
}

/// How many aliases stand between a name and the type that it is an alias of, at most: `size_t` may be that of a library's
/// own alias.
const ALIASES_FOLLOWED: usize = 3;

/// The words that an alias of a type that is no class consists of.
const FUNDAMENTAL_WORDS: [&str; 16] = [
    "typedef", "using", "std", "const", "void", "bool", "char", "wchar_t", "short", "int", "long", "signed",
    "unsigned", "float", "double", "__int128",
];

impl<'l> NameGraph<'l> {
    /// The kernel templates and variable templates in GPU memory of a name.
    pub(super) fn declaring_target(&self, name: Symbol) -> impl Iterator<Item = usize> {
        let facts = self.token_facts;
        let tops = self.index.get(name).iter().copied().take_while(move |top| *top < facts.end());
        tops.filter(move |top| {
            let words: &[Symbol] = match self.declarations[*top].kind {
                DeclKind::Function | DeclKind::Prototype => &[sym::GLOBAL],
                DeclKind::Variable => &[sym::DEVICE, sym::CONSTANT, sym::MANAGED],
                _ => &[],
            };
            facts.is_template(*top) && facts.head_has(*top, words)
        })
    }

    /// The declarations that mention a name, if a use of it can instantiate anything, and how they mention it.
    pub(in crate::facts) fn mentions_with_forms(
        &self,
        name: Symbol,
    ) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        self.leading_mentions(name, false)
    }

    /// The declarations that mention a name that leads, and how: where some operator function or conversion function leads, a use
    /// of one that instantiates nothing may give an object to use it on.
    pub(super) fn leading_mentions(
        &self,
        name: Symbol,
        uses_objects: bool,
    ) -> impl Iterator<Item = (usize, Forms)> + use<'l> {
        let may_reach = match uses_objects {
            true => self.token_facts.has_kernels(),
            false => self.token_facts.has_kernels() && self.token_facts.may_instantiate(name),
        };
        let token_facts = self.token_facts;
        may_reach.then(|| token_facts.mentions_with_forms(name)).into_iter().flatten()
    }

    /// Whether a name that a declaration mentions in some forms may denote a target: one that is declared before, and where
    /// the declaration's own name is not that of a class ([class.pre]/2).
    fn may_be_target(&self, ways: &Ways, top: usize, (name, forms): (Symbol, Forms)) -> bool {
        let is_own = || {
            let declaration = &self.declarations[top];
            let declares_type =
                matches!(declaration.kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias);
            let types = if declares_type { 0 } else { declaration.declared };
            declaration.names[types..].contains(&name)
        };
        let Some(first) = ways.targets.get(&name) else { return false };
        let way = |target: usize| {
            let homes = self.homes(name, target).into_iter();
            homes.map(|home| {
                let home = home.is_told().then_some(home);
                FreeWay {
                    home,
                    is_function: true,
                    nested_in: None,
                    is_explicit: false,
                    arity: Arity::ANY,
                    first: *first,
                }
            })
        };
        let named = forms.without_if(Forms::UNQUALIFIED, is_own());
        let is_found = |way: FreeWay| self.may_find(ways, way, top, (name, named));
        // A specialization of a template that is a target, or another template of its name.
        let is_declared = forms.meet(Forms::DECLARED) && self.token_facts.head_has(top, &[sym::GLOBAL]);
        is_declared
            || (top >= *first || forms.meet(Forms::LAUNCHED))
                && forms.meet(Forms::VALUE)
                && named.meet(Forms::QUALIFIED | Forms::UNQUALIFIED)
                && (self.declaring_target(name).next().is_none()
                    || self.declaring_target(name).flat_map(way).any(is_found))
    }

    /// The declarations of a name, of those that are looked at.
    pub(super) fn known(&self, name: Symbol) -> &'l [usize] {
        let all = self.index.get(name);
        &all[..all.partition_point(|top| *top < self.token_facts.end())]
    }

    /// Where the name of a declaration is at home: in its own namespace, and in those into which using-declarations bring it
    /// ([namespace.udecl]).
    pub(super) fn homes(&self, name: Symbol, top: usize) -> Vec<Home> {
        self.homes_from(name, self.lookup.home(top))
    }

    /// The same of a name that is at home in a namespace.
    pub(super) fn homes_from(&self, name: Symbol, home: Home) -> Vec<Home> {
        let is_using = |other: &usize| self.declarations[*other].kind == DeclKind::Using;
        let mut using: Vec<usize> = self.known(name).iter().copied().filter(is_using).collect();
        let mut homes = vec![home];
        let mut next = 0;
        while let Some(home) = homes.get(next).copied() {
            next += 1;
            using.retain(|one| {
                let scope = self.declarations[*one].scope;
                let brings =
                    |by: Qualifier| by.is_open || self.lookup.qualifies(scope, [by.first, by.last], home);
                let is_brought =
                    self.token_facts.qualifiers(*one, name).is_none_or(|mut all| all.any(brings));
                if is_brought {
                    homes.push(self.lookup.home(*one));
                }
                !is_brought
            });
        }
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// Whether a name that a declaration mentions in some forms may be found that leads in a way, wherever it is declared.
    fn may_find(&self, ways: &Ways, way: FreeWay, top: usize, (name, forms): (Symbol, Forms)) -> bool {
        let FreeWay { home, is_function, nested_in, arity, .. } = way;
        if is_function && !(forms.meet(Forms::VALUE) && arity.meets(forms.arity())) {
            return false;
        }
        let may_be_inner = !is_function && home.is_none();
        let declaration = &self.declarations[top];
        if way.is_explicit && declaration.kind != DeclKind::Instantiation {
            return false;
        }
        let is_open = || self.token_facts.opens_namespaces(top);
        let is_qualified_so = |one: Qualifier| {
            one.is_open
                || may_be_inner && self.may_be_class(top, one)
                || !one.is_template
                    && home.map_or_else(
                        || one.last == sym::EMPTY || self.lookup.is_namespace(one.last),
                        |home| self.lookup.qualifies(declaration.scope, [one.first, one.last], home),
                    )
        };
        let is_member = || declaration.names.len() > declaration.declared;
        // Its own name, in a class, is that of the class.
        let is_own_class = !is_function
            && declaration.kind == DeclKind::Class
            && !is_member()
            && declaration.names.contains(&name);
        if is_own_class && !may_be_inner && forms.meet(Forms::UNQUALIFIED) {
            let is_same = home == Some(self.lookup.home(top)) && ways.by_objects.contains(&top);
            let others = forms.without_if(Forms::UNQUALIFIED, true);
            return is_same || self.may_find(ways, way, top, (name, others));
        }
        forms.meet(Forms::OWN) && may_be_inner && nested_in.is_none_or(|class| class == top)
            || forms.meet(Forms::OF_CLASS) && may_be_inner
            || forms.meet(Forms::QUALIFIED)
                && self
                    .token_facts
                    .qualifiers(top, name)
                    .is_none_or(|mut all| is_open() || all.any(is_qualified_so))
            || forms.meet(Forms::UNQUALIFIED)
                && !(is_function && nested_in.is_none() && self.declares_member(top, name))
                && (is_function && forms.meet(Forms::CALLED)
                    || home.is_none_or(|home| self.lookup.reaches(declaration.scope, home))
                    || is_member()
                    || is_open()
                    || !is_function && self.inherits_class(top, name))
    }

    /// Whether a declaration is a class that declares a member function of a name, which hides functions of namespaces
    /// ([basic.lookup.unqual], [basic.lookup.argdep]/3).
    fn declares_member(&self, top: usize, name: Symbol) -> bool {
        self.token_facts.class(top).is_some_and(|class| class.declares(name))
    }

    /// Whether a qualifier may be a class.
    fn may_be_class(&self, top: usize, qualifier: Qualifier) -> bool {
        let Qualifier { first, last, is_template, is_open } = qualifier;
        let is_namespace = |name: Symbol| self.is_namespace_alone(top, name);
        is_open || is_template || last != sym::EMPTY && !(is_namespace(first) && is_namespace(last))
    }

    /// Whether a name before a `::` is that of a namespace and of no class.
    fn is_namespace_alone(&self, top: usize, name: Symbol) -> bool {
        let is_class = |top: &usize| {
            matches!(
                self.declarations[*top].kind,
                DeclKind::Class | DeclKind::Forward | DeclKind::Alias | DeclKind::Using | DeclKind::Enum
            )
        };
        self.lookup.is_namespace(name)
            && !self.token_facts.is_inner_type(name)
            && !self.known(name).iter().take_while(|other| **other <= top).any(is_class)
    }

    /// Whether a qualifier may be one of some classes or a class that is derived from one, so that what it qualifies may be
    /// their member ([class.qual]). Specializations that stand behind the declaration count.
    fn may_have_members_of(&self, top: usize, qualifier: Qualifier, classes: &[usize]) -> bool {
        let Qualifier { first, last, is_template, is_open } = qualifier;
        let is_of_namespace = first == sym::EMPTY || first == last || self.is_namespace_alone(top, first);
        let kinds = || self.known(last).iter().map(|other| self.declarations[*other].kind);
        if is_open
            || !is_of_namespace
            || !is_template && self.lookup.is_namespace(last)
            || self.token_facts.is_inner_type(last)
            || kinds().any(|kind| kind == DeclKind::Alias)
            || !kinds().any(|kind| kind == DeclKind::Class)
        {
            return true;
        }
        let named =
            self.known(last).iter().filter(|other| self.declarations[**other].kind == DeclKind::Class);
        named.into_iter().any(|class| self.is_within(*class, classes, &mut Vec::new()))
    }

    /// Whether a declaration is a class that may be derived from one of a name, which it can name without a qualifier
    /// ([class.pre]/2).
    fn inherits_class(&self, top: usize, name: Symbol) -> bool {
        let has_bases = self.token_facts.class(top).is_some_and(|class| !class.bases().is_empty());
        has_bases
            && self
                .classes_before(name, top)
                .is_some_and(|classes| !classes.is_empty() && self.is_within(top, &classes, &mut Vec::new()))
    }

    /// Whether a name leads, so mentioned, for functions that GPUs alone run.
    pub(super) fn leads_on_device(&self, ways: &Ways, top: usize, mention: (Symbol, Forms)) -> bool {
        ways.on_device.contains(&mention.0) || self.may_be_target(ways, top, mention)
    }

    /// Whether a name that a declaration mentions in some forms may denote something that leads to a target: by itself an
    /// entity of namespace scope, or a member of a class that the declaration is, defines a member of, or is derived from
    /// ([basic.lookup.unqual], [class.member.lookup]); behind an object any member.
    pub(super) fn may_denote(&self, ways: &Ways, top: usize, (name, forms): (Symbol, Forms)) -> bool {
        if self.may_be_target(ways, top, (name, forms)) {
            return true;
        }
        let free = ways.free.get(&name).map_or(&[][..], Vec::as_slice);
        let members = ways.members.get(&name).map_or(&[][..], Vec::as_slice);
        if !is_word(name) {
            return !members.is_empty() || free.iter().any(|way| top >= way.first);
        }
        if free.iter().any(|way| top >= way.first && self.may_find(ways, *way, top, (name, forms))) {
            return true;
        }
        if members.is_empty() || !forms.meet(Forms::VALUE) {
            return false;
        }
        let of_arity = members.iter().filter(|(_, arity)| arity.meets(forms.arity()));
        let classes: Vec<usize> = of_arity.map(|(class, _)| *class).collect();
        let is_of_class = || {
            let qualifiers = self.token_facts.qualifiers(top, name);
            qualifiers.is_none_or(|mut all| {
                self.token_facts.opens_namespaces(top)
                    || all.any(|one| {
                        self.may_be_class(top, one) && self.may_have_members_of(top, one, &classes)
                    })
            })
        };
        !classes.is_empty()
            && (forms.meet(Forms::OF_OBJECT | Forms::OF_CLASS)
                || classes.last() == Some(&ANY_CLASS)
                || forms.meet(Forms::QUALIFIED) && is_of_class()
                || forms.meet(Forms::UNQUALIFIED | Forms::OF_THIS | Forms::OWN)
                    && self.is_within(top, &classes, &mut Vec::new()))
    }

    /// Whether a declaration is one of some classes, is derived from one, or defines a member of one.
    fn is_within(&self, top: usize, classes: &[usize], seen: &mut Vec<usize>) -> bool {
        if classes.binary_search(&top).is_ok() {
            return true;
        }
        if seen.contains(&top) {
            return false;
        }
        seen.push(top);
        let declaration = &self.declarations[top];
        let bases = self.token_facts.class(top).map_or(&[][..], |class| class.bases());
        let mut around = bases.iter().chain(&declaration.names[declaration.declared..]);
        around.any(|name| {
            // Without a definition it is a template parameter, say, or a member.
            let before = self.classes_before(*name, top).filter(|all| !all.is_empty());
            before.is_none_or(|all| all.iter().any(|one| self.is_within(*one, classes, seen)))
        })
    }

    /// The class definitions of a name before a declaration; `None` where it may stand for another class, since it is that of
    /// an alias.
    pub(super) fn classes_before(&self, name: Symbol, top: usize) -> Option<Vec<usize>> {
        let mut classes = Vec::new();
        for before in self.index.get(name).iter().take_while(|before| **before < top) {
            let declaration = &self.declarations[*before];
            match declaration.kind {
                _ if !declaration.names[..declaration.declared].contains(&name) => {}
                DeclKind::Class => classes.push(*before),
                DeclKind::Alias | DeclKind::Using => return None,
                _ => {}
            }
        }
        Some(classes)
    }

    /// The names by which a class is reached: its own, and those of the classes around it where it is defined outside them. A
    /// namespace that its definition is qualified with (`struct std::tuple_size<T>`) is reached by all names in it.
    pub(super) fn names_as_class(&self, top: usize) -> Vec<Symbol> {
        let declaration = &self.declarations[top];
        let (own, qualifiers) = declaration.names.split_at(declaration.declared);
        let may_be_class =
            |name: &&Symbol| self.classes_before(**name, top).is_none_or(|classes| !classes.is_empty());
        own.iter().chain(qualifiers.iter().filter(may_be_class)).copied().collect()
    }

    /// Whether GPUs may run what a declaration defines: it is no function, or one that some declaration of its name, which is
    /// the class for a member function, gives to them.
    pub(super) fn may_run_on_device(&self, top: usize) -> bool {
        let (declaration, token_facts) = (&self.declarations[top], self.token_facts);
        let is_member = declaration.declared < declaration.names.len();
        let all = declaration.names.iter().flat_map(|name| self.index.get(*name));
        let mut so_far = all.filter(|other| **other <= top);
        is_member || so_far.any(|other| !token_facts.is_on_host_alone(*other))
    }

    /// Whether a name is that of a class, or an alias, which may stand for one.
    pub(super) fn is_class(&self, name: Symbol) -> bool {
        let tops = self.index.get(name);
        tops.iter().take_while(|top| **top < self.token_facts.end()).any(|top| {
            matches!(self.declarations[*top].kind, DeclKind::Class | DeclKind::Forward | DeclKind::Alias)
        }) && self.token_facts.has_kernels()
            && self.token_facts.may_instantiate(name)
            && self.token_facts.is_mentioned(name)
            && !self.is_fundamental(name, ALIASES_FOLLOWED)
    }

    /// Whether all declarations of a name are aliases of types that are no classes, by at most `aliases` others: `size_t`.
    fn is_fundamental(&self, name: Symbol, aliases: usize) -> bool {
        let tops = self.index.get(name).iter().take_while(|top| **top < self.token_facts.end());
        let mut tops = tops.filter(|top| self.declarations[**top].kind != DeclKind::Using).peekable();
        let is_of_type = |other: &Symbol| {
            *other == name
                || FUNDAMENTAL_WORDS.contains(&other.as_str())
                || aliases > 0 && self.is_fundamental(*other, aliases - 1)
        };
        tops.peek().is_some()
            && tops.all(|top| {
                self.declarations[*top].kind == DeclKind::Alias
                    && self.token_facts.names(*top).iter().all(is_of_type)
            })
    }
}
