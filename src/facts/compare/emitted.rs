//! The declarations of which a unit may emit code, and where their code mentions a name first.
//!
//! In: the declarations of a unit. Out: [`Emitted`]. By names only, so it errs towards *emitted*: a template that is
//! mentioned counts as instantiated, and of a class all members count as used.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::variance::{DeclKind, TopDeclaration};

use crate::facts::index::one_declaration::is_word;
use crate::facts::index::unit::IndexedUnit;

/// The names that code of a unit mentions, if it may be emitted.
pub(in crate::facts) struct Emitted {
    /// The first mention of each name, outside its own declarations.
    mentions: FxHashMap<Symbol, Span>,
    /// The names that are mentioned by what every object file has.
    by_roots: FxHashSet<Symbol>,
}

impl Emitted {
    /// From the functions and variables that an object file always has, through the names that they mention.
    pub(in crate::facts) fn of(unit: &IndexedUnit<'_>) -> Emitted {
        let mut walk = Walk::new(unit);
        let mut by_roots = FxHashSet::default();
        for top in (0..unit.variance.declarations.len()).filter(|top| is_root(unit, *top)) {
            by_roots.extend(unit.token_facts().names(top).iter().copied());
            walk.reach(top);
        }
        walk.follow();
        Emitted { mentions: first_mentions(unit, &walk.reached), by_roots }
    }

    /// The first mention of a name in code that may be emitted, outside the name's own declarations.
    pub(in crate::facts) fn mention(&self, name: Symbol) -> Option<Span> {
        self.mentions.get(&name).copied()
    }

    /// Whether code that every object file has mentions a name.
    pub(in crate::facts) fn is_sure(&self, name: Symbol) -> bool {
        self.by_roots.contains(&name)
    }
}

/// Whether every object file of the unit has code for a declaration: a kernel or another function that is neither
/// inline nor static nor a template, a variable with an initializer, an explicit instantiation.
fn is_root(unit: &IndexedUnit<'_>, top: usize) -> bool {
    let (facts, declaration) = (unit.token_facts(), &unit.variance.declarations[top]);
    let tokens = &unit.pp.tokens()[declaration.tokens.clone()];
    let on_demand =
        [sym::STATIC, sym::INLINE, sym::INLINE_GNU, sym::INLINE_SHORT, sym::FORCEINLINE, sym::CONSTEXPR];
    match declaration.kind {
        // `extern template` leaves the code to another object.
        DeclKind::Instantiation => !tokens.iter().any(|token| token.text == sym::EXTERN),
        DeclKind::Function if facts.is_template(top) => false,
        DeclKind::Function => facts.head_has(top, &[sym::GLOBAL]) || !facts.head_has(top, &on_demand),
        DeclKind::Variable => !facts.is_template(top) && !facts.head_has(top, &[sym::CONSTEXPR]),
        // `static_assert` and macros that are not known.
        DeclKind::Other => true,
        DeclKind::Prototype => initializes(tokens),
        DeclKind::Class | DeclKind::Enum | DeclKind::Alias | DeclKind::Using | DeclKind::Forward => false,
    }
}

/// Whether what looks like the declaration of a function is a variable with an initializer: `Registrar one(&run<int>);`,
/// `Registrar one([] { … });`.
fn initializes(tokens: &[PpToken]) -> bool {
    tokens.windows(2).any(|two| {
        let begins = matches!(two[0].text, sym::LPAREN | sym::COMMA);
        let value = two[1].text == sym::LBRACKET
            || two[1].text == sym::AMP
            || matches!(two[1].kind, TokenKind::Number | TokenKind::String);
        begins && value
    })
}

/// The search for the declarations that are reached.
struct Walk<'w, 'u> {
    unit: &'w IndexedUnit<'u>,
    /// By declaration.
    reached: Vec<bool>,
    names: FxHashSet<Symbol>,
    worklist: Vec<usize>,
    /// The operator functions, conversions and destructors that are not reached yet: their names are no words, so
    /// nothing mentions them.
    operators: Vec<usize>,
}

impl<'w, 'u> Walk<'w, 'u> {
    fn new(unit: &'w IndexedUnit<'u>) -> Walk<'w, 'u> {
        let declarations = &unit.variance.declarations;
        let nameless = |one: &TopDeclaration| {
            one.names.first().is_none_or(|name| !is_word(*name)) && !one.tokens.is_empty()
        };
        let operators = (0..declarations.len()).filter(|top| nameless(&declarations[*top])).collect();
        Walk {
            unit,
            reached: vec![false; declarations.len()],
            names: FxHashSet::default(),
            worklist: Vec::new(),
            operators,
        }
    }

    fn reach(&mut self, top: usize) {
        if !std::mem::replace(&mut self.reached[top], true) {
            self.worklist.push(top);
        }
    }

    fn follow(&mut self) {
        loop {
            while let Some(top) = self.worklist.pop() {
                for name in self.unit.token_facts().names(top) {
                    if self.names.insert(*name) {
                        self.unit.declaring_untracked(*name).iter().for_each(|other| self.reach(*other));
                    }
                }
            }
            // An operator function is used through operands, the class of one of which is reached then.
            let (facts, names) = (self.unit.token_facts(), &self.names);
            let used = |top: &usize| facts.names(*top).iter().any(|name| names.contains(name));
            let (used, others): (Vec<usize>, Vec<usize>) =
                std::mem::take(&mut self.operators).into_iter().partition(used);
            self.operators = others;
            if used.is_empty() {
                return;
            }
            used.into_iter().for_each(|top| self.reach(top));
        }
    }
}

fn first_mentions(unit: &IndexedUnit<'_>, reached: &[bool]) -> FxHashMap<Symbol, Span> {
    let mut mentions = FxHashMap::default();
    let declarations = unit.variance.declarations.iter().zip(reached);
    for declaration in declarations.filter_map(|(one, reached)| reached.then_some(one)) {
        let tokens = unit.pp.tokens()[declaration.tokens.clone()].iter();
        for token in tokens.filter(|token| token.kind == TokenKind::Identifier) {
            if !declaration.names[..declaration.declared].contains(&token.text) {
                mentions.entry(token.text).or_insert(token.at);
            }
        }
    }
    mentions
}

/// The names through which code may come to mention one of `entities`: an edit of a body that mentions none of them
/// changes nothing.
pub(in crate::facts) fn leading_names(
    unit: &IndexedUnit<'_>,
    entities: &FxHashSet<Symbol>,
) -> FxHashSet<Symbol> {
    let mut worklist: Vec<Symbol> = entities.iter().copied().collect();
    let mut leading = entities.clone();
    while let Some(name) = worklist.pop() {
        for top in unit.token_facts().mentions(name) {
            let declared = &unit.variance.declarations[top].names;
            worklist.extend(declared.iter().copied().filter(|name| leading.insert(*name)));
        }
    }
    leading
}
