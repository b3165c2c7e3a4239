//! Types and template arguments as numbers, by which queries are told apart without spelling their types.
//!
//! A class has a number, which stands for all of its template arguments; a list of arguments is as many numbers as it has
//! parts. Equal numbers mean equal canonical spellings ([`Spelling::Canonical`](super::types::Spelling)), without their
//! limits. Texts are for people.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::types::{ClassNumber, TemplateArgument, Ty, Unresolved, Value, tells_packs};
use crate::source::{Symbol, sym};

/// What tells types, template arguments and whatever else a query is about from others: a sequence of words, each a kind
/// with a number.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(in crate::facts) struct Identity(SmallVec<[u32; 8]>);

/// The kinds of words. What follows a word that has parts begins with its own words, so that no sequence is the beginning
/// of another.
#[derive(Clone, Copy)]
enum Word {
    /// A name, by the symbol's index.
    Name,
    /// A text that is interned for one unit only.
    Text,
    Class,
    Pointer,
    LvalueReference,
    RvalueReference,
    /// An array; the number tells whether its size follows.
    Array,
    /// The number of parameters, and in the lowest bit whether it has a non-throwing exception specification.
    Function,
    Qualified,
    Parameter,
    /// An integer below 2^27.
    Integer,
    /// Any other integer, whose four words follow.
    WideInteger,
    Bool,
    /// The type of the integer that follows, by the symbol's index.
    Typed,
    /// The number of elements.
    Pack,
    /// The number of parts.
    Object,
    /// A type or value that was not resolved, of which the text that follows is all that is known; the number tells why.
    Opaque,
}

/// The bits of a word that tell its kind.
const KIND_BITS: u32 = 5;

/// The longest text in bytes that is interned for the process, as names are.
const LONGEST_NAME: usize = 64;

/// The numbers of the classes and of the long texts of a unit.
#[derive(Default)]
pub(in crate::facts) struct Identities {
    classes: RefCell<FxHashMap<Identity, ClassNumber>>,
    texts: RefCell<FxHashMap<Rc<str>, usize>>,
}

impl Identity {
    /// That of nothing, to which parts are added.
    pub(in crate::facts) fn new() -> Identity {
        Identity::default()
    }

    /// Adds a number that tells two queries about the same types apart.
    pub(in crate::facts) fn mark(&mut self, number: usize) {
        self.push(Word::Integer, number);
    }

    fn push(&mut self, kind: Word, number: usize) {
        let number = u32::try_from(number).ok().filter(|number| *number < 1 << (32 - KIND_BITS));
        let number = number.expect("fewer than 2^27 of a kind");
        self.0.push(number << KIND_BITS | kind as u32);
    }

    fn integer(&mut self, value: i128, ty: Symbol) {
        match u32::try_from(value) {
            _ if ty == sym::BOOL => self.push(Word::Bool, usize::from(value != 0)),
            Ok(small) if small < 1 << (32 - KIND_BITS) => self.push(Word::Integer, small as usize),
            _ => {
                self.push(Word::WideInteger, 0);
                self.0.extend((0..4).map(|part| (value >> (32 * part)) as u32));
            }
        }
    }
}

impl Identities {
    /// That of a list of template arguments. As in its canonical spelling, packs are told apart where it has more than one.
    pub(in crate::facts) fn of_list(&self, arguments: &[TemplateArgument]) -> Identity {
        let mut own = Identity::new();
        self.add_list(arguments, &mut own);
        own
    }

    /// Adds a list of template arguments.
    pub(in crate::facts) fn add_list(&self, arguments: &[TemplateArgument], to: &mut Identity) {
        let tells = tells_packs(arguments);
        for argument in arguments {
            match argument {
                TemplateArgument::Pack(members) if tells => {
                    to.push(Word::Pack, members.len());
                    self.add_list(members, to);
                }
                argument => self.add_argument(argument, to),
            }
        }
    }

    fn add_argument(&self, argument: &TemplateArgument, to: &mut Identity) {
        match argument {
            TemplateArgument::Type(ty) => self.add_type(ty, to),
            TemplateArgument::Value(value) => self.add_value(value, to),
            TemplateArgument::Integer(value, ty) => {
                if !matches!(*ty, sym::INT | sym::BOOL) {
                    to.push(Word::Typed, ty.index());
                }
                to.integer(*value, *ty);
            }
            TemplateArgument::Pack(members) => members.iter().for_each(|one| self.add_argument(one, to)),
            TemplateArgument::Template(name) => self.add_text(name, to),
        }
    }

    /// Adds a type.
    pub(in crate::facts) fn add_type(&self, ty: &Ty, to: &mut Identity) {
        match ty {
            Ty::Builtin(name) => to.push(Word::Name, name.index()),
            Ty::Class(class) => to.push(Word::Class, class.number.0),
            Ty::Enum(one) => self.add_text(&one.name, to),
            Ty::Opaque { text, because } => {
                to.push(Word::Opaque, *because as usize);
                self.add_text(text, to);
            }
            Ty::Parameter(number, _) => to.push(Word::Parameter, *number),
            Ty::Pointer(inner) => self.add_compound(Word::Pointer, 0, inner, to),
            Ty::LvalueReference(inner) => self.add_compound(Word::LvalueReference, 0, inner, to),
            Ty::RvalueReference(inner) => self.add_compound(Word::RvalueReference, 0, inner, to),
            Ty::Qualified(inner, is_const, is_volatile) => {
                let qualifiers = usize::from(*is_const) | usize::from(*is_volatile) << 1;
                self.add_compound(Word::Qualified, qualifiers, inner, to);
            }
            Ty::Array(element, size) => {
                self.add_compound(Word::Array, usize::from(size.is_some()), element, to);
                size.iter().for_each(|size| self.add_value(size, to));
            }
            Ty::Function(result, parameters, non_throwing) => {
                let number = parameters.len() << 1 | usize::from(*non_throwing);
                self.add_compound(Word::Function, number, result, to);
                parameters.iter().for_each(|one| self.add_type(one, to));
            }
        }
    }

    fn add_compound(&self, kind: Word, number: usize, inner: &Ty, to: &mut Identity) {
        to.push(kind, number);
        self.add_type(inner, to);
    }

    fn add_value(&self, value: &Value, to: &mut Identity) {
        match value {
            Value::Int(value, ty) => to.integer(*value, *ty),
            Value::Object(object) => {
                self.add_compound(Word::Object, object.parts.len(), &object.ty, to);
                object.parts.iter().for_each(|part| self.add_value(part, to));
            }
            Value::Opaque(text) => {
                to.push(Word::Opaque, Unresolved::Unknown as usize);
                self.add_text(text, to);
            }
            Value::Float(..) | Value::Null | Value::Pointer(_) => self.add_text(&value.text(), to),
        }
    }

    fn add_text(&self, text: &str, to: &mut Identity) {
        if text.len() <= LONGEST_NAME {
            return to.push(Word::Name, Symbol::intern(text).index());
        }
        let mut texts = self.texts.borrow_mut();
        let next = texts.len();
        let number = match texts.get(text) {
            Some(known) => *known,
            None => *texts.entry(text.into()).or_insert(next),
        };
        to.push(Word::Text, number);
    }

    fn class(&self, name: Identity, arguments: &[TemplateArgument]) -> ClassNumber {
        let mut own = name;
        self.add_list(arguments, &mut own);
        let mut classes = self.classes.borrow_mut();
        let next = ClassNumber(classes.len());
        *classes.entry(own).or_insert(next)
    }

    /// The number of a member class, by the class that it is a member of, its name and template arguments.
    pub(super) fn member(
        &self,
        owner: ClassNumber,
        name: Symbol,
        arguments: &[TemplateArgument],
    ) -> ClassNumber {
        let mut own = Identity::new();
        own.push(Word::Class, owner.0);
        own.push(Word::Name, name.index());
        self.class(own, arguments)
    }

    /// The number of a class, by its qualified name and template arguments.
    pub(in crate::facts) fn named(&self, name: &str, arguments: &[TemplateArgument]) -> ClassNumber {
        let mut own = Identity::new();
        self.add_text(name, &mut own);
        self.class(own, arguments)
    }
}

/// A list of types that is compared with others.
#[derive(Clone, Debug)]
pub(in crate::facts) struct TypeList(Vec<ComparedType>);

#[derive(Clone, Debug)]
struct ComparedType {
    identity: Identity,
    /// [`Ty::is_sure`].
    is_sure: bool,
}

impl TypeList {
    pub(in crate::facts) fn of(types: &[Ty], identities: &Identities) -> TypeList {
        let compared = |ty: &Ty| {
            let mut identity = Identity::new();
            identities.add_type(ty, &mut identity);
            ComparedType { identity, is_sure: ty.is_sure() }
        };
        TypeList(types.iter().map(compared).collect())
    }

    fn identities(&self) -> Vec<Identity> {
        self.0.iter().map(|ty| ty.identity.clone()).collect()
    }

    fn is_sure(&self) -> bool {
        self.0.iter().all(|ty| ty.is_sure)
    }

    /// Whether two lists are the same; `None` if some of the types are not known.
    pub(in crate::facts) fn same(&self, other: &TypeList) -> Option<bool> {
        if self.0.len() != other.0.len() {
            return Some(false);
        }
        let mut same = Some(true);
        for (left, right) in self.0.iter().zip(&other.0) {
            if left.identity == right.identity {
                continue;
            }
            if left.is_sure && right.is_sure {
                return Some(false);
            }
            same = None;
        }
        same
    }
}

/// Lists of types, in which others are searched.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    all: Vec<Rc<TypeList>>,
    identities: FxHashSet<Vec<Identity>>,
    /// Those of `all` of which some types are not known.
    open: Vec<usize>,
}

impl FromIterator<Rc<TypeList>> for Signatures {
    fn from_iter<I: IntoIterator<Item = Rc<TypeList>>>(lists: I) -> Signatures {
        let mut made = Signatures::default();
        for list in lists {
            made.identities.insert(list.identities());
            if !list.is_sure() {
                made.open.push(made.all.len());
            }
            made.all.push(list);
        }
        made
    }
}

impl Signatures {
    /// Whether some list may be the same as `other`.
    pub(super) fn may_have(&self, other: &TypeList) -> bool {
        let may_be = |list: &Rc<TypeList>| list.same(other) != Some(false);
        self.identities.contains(&other.identities())
            || match other.is_sure() {
                true => self.open.iter().any(|number| may_be(&self.all[*number])),
                false => self.all.iter().any(may_be),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::meaning::types::{Spelling, list_text};

    fn ty(name: &str) -> TemplateArgument {
        TemplateArgument::Type(Ty::builtin(name))
    }

    fn number(value: i128, ty: &str) -> TemplateArgument {
        TemplateArgument::Value(Value::Int(value, Symbol::intern(ty)))
    }

    #[test]
    fn equal_identities_are_those_of_lists_that_are_spelled_alike() {
        let identities = Identities::default();
        let pointer = TemplateArgument::Type(Ty::Pointer(Rc::new(Ty::builtin("char"))));
        let long = "a_type_that_is_not_resolved_".repeat(9);
        let lists = [
            vec![ty("int"), pointer.clone()],
            vec![TemplateArgument::Pack(vec![ty("int"), pointer.clone()])],
            vec![ty("int"), TemplateArgument::Pack(vec![pointer.clone()]), TemplateArgument::Pack(vec![])],
            vec![ty("int"), TemplateArgument::Pack(vec![]), TemplateArgument::Pack(vec![pointer])],
            vec![number(7, "int")],
            vec![number(7, "long")],
            vec![number(-7, "int")],
            vec![number(1, "bool")],
            vec![number(1, "int")],
            vec![TemplateArgument::Integer(7, Symbol::intern("unsigned int"))],
            vec![TemplateArgument::Type(Ty::opaque(&long))],
            vec![TemplateArgument::Type(Ty::opaque(&long[1..]))],
        ];
        for (one, other) in lists.iter().flat_map(|one| lists.iter().map(move |other| (one, other))) {
            let are_spelled_alike =
                list_text(one, Spelling::Canonical) == list_text(other, Spelling::Canonical);
            let are_equal = identities.of_list(one) == identities.of_list(other);
            assert_eq!(are_equal, are_spelled_alike, "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_class_has_one_number() {
        let identities = Identities::default();
        let owner = identities.named("A", &[ty("int")]);
        assert_eq!(owner, identities.named("A", &[ty("int")]));
        let name = Symbol::intern("B");
        let member = identities.member(owner, name, &[]);
        assert_eq!(member, identities.member(owner, name, &[]));
        let others = [
            owner,
            identities.named("A", &[]),
            identities.named("A", &[ty("char")]),
            identities.member(owner, name, &[ty("int")]),
            identities.member(identities.named("A", &[]), name, &[]),
        ];
        assert!(!others.contains(&member));
    }
}
