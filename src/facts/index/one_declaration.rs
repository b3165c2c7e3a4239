//! The facts that the tokens of one declaration tell, wherever it stands: at once the specifiers in its head and the names that
//! it has, and, once they are asked for, how it mentions them and what it declares.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{DeclKind, TopDeclaration};

use super::arity::Arity;
use super::class_facts::Class;
use super::mentioned::{Forms, Qualifier, Seen, mentioned};
use super::own_names::{Own, OwnNames};
use super::tokens::{
    calls_unnamed, has_generic_lambda, is_abbreviated, is_on_device_alone, is_on_host_alone, used_by_calls,
};

/// What one scan of a declaration's tokens tells, and what else follows from them, wherever they stand.
#[derive(Debug)]
pub(super) struct Scanned {
    /// Bits for the specifiers in its head ([`WORDS`]), for [`TEMPLATE`] and for [`GENERIC_LAMBDA`].
    pub(super) head: u32,
    /// The name of a kernel template or device variable template.
    pub(super) kernel: Option<Symbol>,
    /// The names among its tokens, each once.
    pub(super) held: Box<[Held]>,
    /// What is found once it is asked for.
    pub(super) own: OnceLock<OwnFacts>,
}

/// A name among a declaration's tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) name: Symbol,
    /// It is not always a qualifier there: it may be declared.
    pub(super) is_alone: bool,
}

/// By the number of a symbol, where the last declaration that was scanned has it among its names, and 1.
#[derive(Default)]
pub(super) struct Places {
    of: Vec<usize>,
    names: Vec<Held>,
}

impl Places {
    fn add(&mut self, name: Symbol, is_alone: bool) {
        if self.of.len() <= name.index() {
            self.of.resize((name.index() + 1).next_power_of_two(), 0);
        }
        let place = &mut self.of[name.index()];
        match self.names.get_mut(place.wrapping_sub(1)).filter(|held| held.name == name) {
            Some(held) => held.is_alone |= is_alone,
            None => {
                self.names.push(Held { name, is_alone });
                *place = self.names.len();
            }
        }
    }
}

impl Scanned {
    pub(super) fn of(tokens: &[PpToken], declaration: &TopDeclaration, places: &mut Places) -> Scanned {
        let own = &tokens[declaration.tokens.clone()];
        let template = is_template(own, declaration.kind);
        let mut head = head_words(tokens, declaration);
        let words: &[Symbol] = match declaration.kind {
            DeclKind::Function | DeclKind::Prototype => &[sym::GLOBAL],
            DeclKind::Variable => &[sym::DEVICE, sym::CONSTANT, sym::MANAGED],
            _ => &[],
        };
        let is_kernel = template && words.iter().any(|word| head & mark(*word) != 0);
        let also = [(template, TEMPLATE), (has_generic_lambda(own), GENERIC_LAMBDA)];
        also.iter().filter(|(is, _)| *is).for_each(|(_, mark)| head |= mark);
        places.names.clear();
        for at in declaration.tokens.clone() {
            let token = &tokens[at];
            if token.kind == TokenKind::Identifier || token.text == sym::TILDE {
                places.add(token.text, tokens.get(at + 1).is_none_or(|next| next.text != sym::SCOPE));
                calls_unnamed(tokens, at).iter().for_each(|name| places.add(*name, false));
            }
        }
        // The name of a conversion function, say.
        declaration.names.iter().for_each(|name| places.add(*name, true));
        let kernel = declaration.names.first().copied().filter(|_| is_kernel);
        Scanned { head, kernel, held: places.names.as_slice().into(), own: OnceLock::new() }
    }
}

/// The facts that follow from a declaration's own tokens, wherever they stand.
#[derive(Debug, Default)]
pub(super) struct OwnFacts {
    /// Bits for the other properties below.
    pub(super) marks: u32,
    /// Its identifiers, each once.
    pub(super) names: Box<[Symbol]>,
    /// Of each of `names`, how it is mentioned.
    pub(super) forms: Box<[Forms]>,
    /// Of those of `names` that are [qualified](Forms::QUALIFIED), each with how it is, sorted; empty where any may be.
    pub(super) qualifiers: Box<[(Symbol, Qualifier)]>,
    /// The names of the types that it declares in its classes and blocks.
    pub(super) types: Box<[Symbol]>,
    /// It is a class.
    pub(super) class: Option<Box<Class>>,
    /// Of an operator function, the identifiers in its parameters.
    pub(super) operands: Option<Box<[Symbol]>>,
    /// Of a function that is no template, the identifiers in its parameters whose uses a call makes: in default arguments,
    /// and of class templates that arguments are converted to.
    pub(super) used_by_calls: Option<Box<[Symbol]>>,
    /// With how many arguments the function that it is can be called.
    pub(super) arity: Option<Arity>,
    /// Names of which a use may instantiate what the declaration mentions.
    pub(super) instantiating: Box<[Symbol]>,
}

/// The specifiers that heads are searched for; the bit of each in [`Scanned::head`] is its index here.
pub(super) const WORDS: [Symbol; 13] = [
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

pub(super) const TEMPLATE: u32 = 1 << 16;
pub(super) const INSTANTIATES_WHEN_USED: u32 = 1 << 17;
pub(super) const GENERIC_LAMBDA: u32 = 1 << 18;
pub(super) const MAY_BE_ROOT: u32 = 1 << 19;
pub(super) const ON_DEVICE_ALONE: u32 = 1 << 20;
pub(super) const ON_HOST_ALONE: u32 = 1 << 21;
pub(super) const OF_SYSTEM: u32 = 1 << 22;
pub(super) const OPENS_NAMESPACES: u32 = 1 << 23;

pub(super) fn mark(word: Symbol) -> u32 {
    WORDS.iter().position(|known| *known == word).map_or(0, |number| 1 << number)
}

impl OwnFacts {
    /// Those of a declaration with these bits in [`Scanned::head`], in which names at `locals` are local. Of the names in it,
    /// `others` do not denote entities of namespace scope.
    pub(super) fn of(
        tokens: &[PpToken],
        declaration: &TopDeclaration,
        head_marks: u32,
        locals: &[usize],
        others: &FxHashSet<Symbol>,
        seen: &mut Seen,
    ) -> OwnFacts {
        let (mut facts, mut instantiating) = (OwnFacts::default(), Vec::new());
        let own = &tokens[declaration.tokens.clone()];
        let in_head = |word: Symbol| head_marks & mark(word) != 0;
        let template = head_marks & TEMPLATE != 0;
        let is_function = matches!(declaration.kind, DeclKind::Function | DeclKind::Prototype);
        let head = &tokens[declaration.tokens.start..declaration.body];
        facts.arity = declaration
            .names
            .first()
            .filter(|_| is_function)
            .map(|name| Arity::of_function(tokens, *name, declaration.tokens.start..declaration.body));
        let of_host = !in_head(sym::GLOBAL) && (!in_head(sym::DEVICE) || in_head(sym::HOST));
        let used_by_calls = match !template && is_function && of_host {
            true => used_by_calls(head),
            false => Vec::new(),
        };
        let used_by_calls =
            if declaration.names.iter().all(|name| is_word(*name)) { used_by_calls } else { Vec::new() };
        let instantiates_when_used = (template && declaration.kind != DeclKind::Instantiation)
            || !used_by_calls.is_empty()
            || declaration.kind == DeclKind::Variable && head_marks & GENERIC_LAMBDA != 0
            || matches!(declaration.kind, DeclKind::Class | DeclKind::Alias);
        if !used_by_calls.is_empty() {
            facts.used_by_calls = Some(seen.each_once(used_by_calls.into_iter()).collect());
        }
        let also = [
            (instantiates_when_used, INSTANTIATES_WHEN_USED),
            (may_be_a_root(own, declaration), MAY_BE_ROOT),
            (is_function && is_on_device_alone(head, declaration.passes), ON_DEVICE_ALONE),
            (is_function && is_on_host_alone(head), ON_HOST_ALONE),
            (opens_namespaces(own, declaration.kind), OPENS_NAMESPACES),
        ];
        facts.marks = also.iter().filter(|(is, _)| *is).fold(0, |marks, (_, mark)| marks | mark);
        if instantiates_when_used {
            instantiating.extend(declaration.names.iter().copied());
        }
        let mut unmentioned = Cow::Borrowed(locals);
        let own_names = OwnNames::of(tokens, declaration);
        facts.types = own_names.types().into();
        if declaration.kind == DeclKind::Class {
            let class = Class::of(tokens, declaration, unmentioned.to_mut(), &own_names, template, seen);
            instantiating.extend(class.names());
            if class.names().any(|member| member.as_str().starts_with('~')) {
                instantiating.push(sym::TILDE);
            }
            facts.class = Some(Box::new(class));
        } else if instantiates_when_used && declaration.names.iter().any(|name| !is_word(*name)) {
            facts.operands = Some(seen.each_once(operands(tokens, declaration, &own_names)).collect());
        }
        // Few classes ask, and a long one asks often.
        let members = OnceCell::new();
        let members = || {
            let class = facts.class.as_deref();
            members.get_or_init(|| class.into_iter().flat_map(Class::names).collect::<FxHashSet<_>>())
        };
        let own = |name: &Symbol| declaration.names.contains(name) || members().contains(name);
        let names = mentioned(tokens, declaration.tokens.clone(), &unmentioned, &own_names);
        let names = names.filter(|(name, _)| !others.contains(name) || own(name));
        // `template void run(float *);` declares no name of its own.
        let instantiated = declaration.names.first().filter(|_| declaration.kind == DeclKind::Instantiation);
        let names = names.chain(instantiated.map(|name| (*name, Forms::ANY)));
        // A class in the body of a function has members and base classes of its own.
        let mut body = tokens[declaration.body..declaration.tokens.end.max(declaration.body)].iter();
        let has_class = is_function && body.any(|token| matches!(token.text, sym::CLASS | sym::STRUCT));
        let names = seen.each_with_forms(names);
        facts.qualifiers = match has_class {
            true => Box::default(),
            false => qualifiers(tokens, declaration, &unmentioned, &own_names),
        };
        let forms = names.iter().map(|(_, forms)| if has_class { Forms::ANY } else { *forms }).collect();
        let names = names.iter().map(|(name, _)| *name).collect();
        OwnFacts { names, forms, instantiating: instantiating.into(), ..facts }
    }
}

/// The qualified names of a declaration, each with the qualifiers that it has, sorted.
fn qualifiers(
    tokens: &[PpToken],
    declaration: &TopDeclaration,
    unmentioned: &[usize],
    own_names: &OwnNames,
) -> Box<[(Symbol, Qualifier)]> {
    let is_qualified = |index: &usize| {
        let before = |many: usize| index.checked_sub(many).map_or(sym::EMPTY, |at| tokens[at].text);
        tokens[*index].kind == TokenKind::Identifier
            && (before(1) == sym::SCOPE || before(1) == sym::TEMPLATE && before(2) == sym::SCOPE)
    };
    let qualified = declaration.tokens.clone().filter(is_qualified);
    let with = qualified.filter_map(|index| {
        Some((tokens[index].text, Qualifier::of(tokens, index, unmentioned, own_names)?))
    });
    let mut all: Vec<(Symbol, Qualifier)> = with.collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// The identifiers in the parameters of an operator function, but for template parameters and names of parameters: the
/// classes of its operands are among them.
fn operands<'t>(
    tokens: &'t [PpToken],
    declaration: &TopDeclaration,
    own_names: &'t OwnNames,
) -> impl Iterator<Item = Symbol> + use<'t> {
    let head = declaration.tokens.start..declaration.body;
    let is_operator = |at: &usize| tokens[*at].text == sym::OPERATOR;
    let start = head.clone().find(is_operator).unwrap_or(head.start);
    let all = (start..head.end).filter(|at| tokens[*at].kind == TokenKind::Identifier);
    let all = all.filter(|at| own_names.at(*at) != Some(Own::Parameter) && !is_parameter_name(tokens, *at));
    all.map(|at| tokens[at].text)
}

/// Whether an identifier in a parameter list is the name of a parameter: it stands behind a type, at the end.
fn is_parameter_name(tokens: &[PpToken], at: usize) -> bool {
    let (Some(before), Some(behind)) = (at.checked_sub(1).map(|at| &tokens[at]), tokens.get(at + 1)) else {
        return false;
    };
    let ends = matches!(behind.text, sym::COMMA | sym::RPAREN | sym::ASSIGN | sym::LBRACKET);
    let is_behind_type = match before.kind {
        TokenKind::Identifier => !matches!(
            before.text,
            sym::CONST
                | sym::VOLATILE
                | sym::STRUCT
                | sym::CLASS
                | sym::UNION
                | sym::ENUM
                | sym::TYPENAME
                | sym::OPERATOR
        ),
        _ => matches!(
            before.text,
            sym::STAR | sym::AMP | sym::AMP_AMP | sym::GREATER | sym::SHR | sym::ELLIPSIS
        ),
    };
    ends && is_behind_type && before.passes == behind.passes
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

/// Whether names are found in a declaration that are of namespaces which it names or renames.
fn opens_namespaces(tokens: &[PpToken], kind: DeclKind) -> bool {
    let uses_enum = |pair: &[PpToken]| pair[0].text == sym::USING && pair[1].text == sym::ENUM;
    !matches!(kind, DeclKind::Using | DeclKind::Alias)
        && (tokens.iter().any(|token| token.text == sym::NAMESPACE) || tokens.windows(2).any(uses_enum))
}

fn is_template(tokens: &[PpToken], kind: DeclKind) -> bool {
    tokens[0].text == sym::TEMPLATE || is_abbreviated(tokens, kind)
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

/// Whether a name is an identifier: the name of an operator function or destructor is not.
pub(in crate::facts) fn is_word(name: Symbol) -> bool {
    name.as_str().chars().all(|c| c.is_alphanumeric() || c == '_')
}
