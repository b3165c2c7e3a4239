//! Candidates for overloaded operators ([over.match.oper]), argument-dependent lookup
//! ([basic.lookup.argdep]), and the types of range-based `for` variables and structured bindings.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::source::{Symbol, sym};

use super::categories::ValueCategory;
use super::deduce::{Call, ImpliedObject};
use super::identity::Identity;
use super::overload::{Candidate, differ_in_qualifiers};
use super::types::{Env, Instance, TemplateArgument, Ty};
use super::view::{Associated, Entity, LookupResult, View};
use crate::facts::lower::ast::*;

/// The name of an operator function: `operator+=`.
pub(in crate::facts) fn operator_function(operator: Operator) -> Symbol {
    Symbol::intern(&format!("operator{operator}"))
}

/// Whether the functions of an operator can only be members ([over.oper]).
fn is_only_member(operator: Operator) -> bool {
    matches!(operator.as_str(), "=" | "[]" | "->" | "()")
}

/// The candidate functions of an operator expression.
pub(in crate::facts) struct OperatorCandidates {
    pub(in crate::facts) functions: Rc<Vec<Entity>>,
    /// They are members of the first operand's class, so the first operand is their implied object argument.
    pub(in crate::facts) members: bool,
}

impl View<'_> {
    /// The type of an operator expression; `None` if the operator is not overloaded for its operands.
    pub(in crate::facts) fn type_of_operator(&self, operator: Operator, operands: Call<'_>) -> Option<Ty> {
        self.chosen_operator(operator, operands).flatten()
    }

    /// The type of what the operator function returns that an operator expression calls, if it is known; `None` if there is
    /// no such function for its operands.
    pub(super) fn chosen_operator(&self, operator: Operator, operands: Call<'_>) -> Option<Option<Ty>> {
        self.with_operator(operator, operands, |(entity, function, deduced)| {
            self.result_of_call(entity, function, deduced)
        })
    }

    /// The answer to a question about the operator function that an operator expression calls; `None` if there is no such
    /// function for its operands.
    pub(super) fn with_operator<T>(
        &self,
        operator: Operator,
        operands: Call<'_>,
        answer: impl FnOnce(Candidate<'_>) -> T,
    ) -> Option<T> {
        let overloads = self.operator_candidates(operator, &operands)?;
        let call = match overloads.members {
            true => {
                let object = self.first_operand(&overloads.functions, &operands);
                operands.of_first().of_object(object)
            }
            false => operands,
        };
        let path = Path::plain(operator_function(operator));
        self.best_overload(&overloads.functions, &path, &call).map(answer)
    }

    /// The first operand as the object of member functions, if it matters to the choice among them what object it is.
    fn first_operand(&self, functions: &[Entity], operands: &Call<'_>) -> Option<ImpliedObject> {
        if !differ_in_qualifiers(functions) {
            return None;
        }
        let (operand, env) = operands.arguments.first()?;
        let ty = operands.ty(self, 0)?;
        let object = self.object_type(operand, ty.clone(), env);
        let is_const = matches!(object, Ty::Qualified(_, true, _));
        Some(ImpliedObject { is_const, category: self.value_category(operand, Some(ty), env) })
    }

    /// The candidate functions of an operator expression; `None` if no operand has class or enumeration type
    /// ([over.match.oper]/1).
    pub(in crate::facts) fn operator_candidates(
        &self,
        operator: Operator,
        call: &Call<'_>,
    ) -> Option<OperatorCandidates> {
        let is_own =
            |number| matches!(call.ty(self, number).map(Ty::without_cvref), Some(Ty::Class(_) | Ty::Enum(_)));
        if !(0..call.arguments.len()).any(is_own) {
            return None;
        }
        let name = operator_function(operator);
        let members = match call.ty(self, 0).map(Ty::without_cvref) {
            Some(Ty::Class(class)) => match self.lookup_member(class, name) {
                LookupResult::Entities(functions) => Some(OperatorCandidates { functions, members: true }),
                _ => None,
            },
            _ => None,
        };
        if let Some(members) = &members
            && (is_only_member(operator) || self.takes_operands(members, call))
        {
            return Some(OperatorCandidates { functions: members.functions.clone(), members: true });
        }
        let functions = match self.lookup_unqualified(name, call.env) {
            LookupResult::Entities(found) if found.iter().all(|one| one.owner.is_none()) => found,
            _ => Rc::default(),
        };
        let functions = self.called(name, functions, call);
        let others = OperatorCandidates { functions, members: false };
        match members {
            Some(members) if !self.takes_operands(&others, call) => Some(members),
            _ => (!others.functions.is_empty()).then_some(others),
        }
    }

    /// Whether one of the candidates may take the operands. A member that does is taken to be better than functions that
    /// are no members.
    fn takes_operands(&self, candidates: &OperatorCandidates, operands: &Call<'_>) -> bool {
        let Some(first) = candidates.functions.first() else { return false };
        let path = Path::plain(first.decl.name);
        let call = match candidates.members {
            true => {
                operands.again().of_first().of_object(self.first_operand(&candidates.functions, operands))
            }
            false => operands.again(),
        };
        !self.overloads(&candidates.functions, &path, &call).is_empty()
    }

    /// Argument-dependent lookup: adds the functions of that name in the associated namespaces, and friends
    /// of the associated classes.
    pub(super) fn add_associated(&self, name: Symbol, call: &Call<'_>, functions: &mut Rc<Vec<Entity>>) {
        let mut more: Vec<Entity> = Vec::new();
        let mut known: FxHashSet<usize> =
            functions.iter().map(|one| Arc::as_ptr(&one.decl) as usize).collect();
        let mut namespaces: Vec<Symbol> = Vec::new();
        let mut classes = FxHashSet::default();
        for number in 0..call.arguments.len() {
            let Some(ty) = call.ty(self, number) else { continue };
            let associated = self.associated_entities(&ty.clone());
            for namespace in &associated.namespaces {
                if namespaces.contains(namespace) {
                    continue;
                }
                namespaces.push(*namespace);
                if let LookupResult::Entities(all) = self.lookup_in_namespace(*namespace, name) {
                    let all = all.iter().filter(|one| matches!(one.decl.kind, DeclBody::Function(_)));
                    more.extend(all.filter(|one| known.insert(Arc::as_ptr(&one.decl) as usize)).cloned());
                }
            }
            for class in &associated.befriending {
                if classes.insert(Rc::as_ptr(class) as usize) {
                    let friends = self.friend_functions(class, name);
                    more.extend(
                        friends.into_iter().filter(|one| known.insert(Arc::as_ptr(&one.decl) as usize)),
                    );
                }
            }
        }
        if !more.is_empty() {
            Rc::make_mut(functions).extend(more);
        }
    }

    /// The friend functions of a name that a class declares. `friend void open<T>(Vault<T> &);` declares nothing: it names
    /// a specialization.
    fn friend_functions(&self, class: &Rc<Instance>, name: Symbol) -> Vec<Entity> {
        let env = class.env.inside(class.clone());
        let friends = friends(class).filter(|member| member.name == name && member.qualifier.is_none());
        let entity = |decl: &Arc<Decl>| {
            self.depend_on(class.top);
            Entity { decl: decl.clone(), env: env.clone(), owner: Some(class.clone()), top: class.top }
        };
        friends.map(entity).collect()
    }

    /// The associated namespaces and entities of a type ([basic.lookup.argdep]/3).
    fn associated_entities(&self, ty: &Ty) -> Rc<Associated> {
        match ty.without_cvref() {
            Ty::Pointer(inner) | Ty::Array(inner, _) => self.associated_entities(inner),
            Ty::Enum(one) => {
                let namespaces = vec![self.unit.namespace(one.env.scope)];
                Rc::new(Associated { namespaces, befriending: Vec::new() })
            }
            Ty::Class(class) => {
                let key = (Rc::as_ptr(class) as usize, 0, Identity::new());
                self.cached(&self.caches.associated, key, class, class.alike, || {
                    let mut all = Associated::default();
                    self.associate(class, &mut FxHashSet::default(), &mut all);
                    Rc::new(all)
                })
            }
            _ => Rc::default(),
        }
    }

    /// Adds the namespace of a class, the class if it has friends, and what its template arguments and base classes are
    /// associated with.
    fn associate(&self, class: &Rc<Instance>, seen: &mut FxHashSet<usize>, all: &mut Associated) {
        if !seen.insert(Rc::as_ptr(class) as usize) {
            return;
        }
        let namespace = self.unit.namespace(class.env.scope);
        if !all.namespaces.contains(&namespace) {
            all.namespaces.push(namespace);
        }
        for argument in &class.arguments {
            match argument {
                TemplateArgument::Type(ty) => self.associate_type(ty, seen, all),
                TemplateArgument::Pack(members) => {
                    for member in members {
                        if let TemplateArgument::Type(ty) = member {
                            self.associate_type(ty, seen, all);
                        }
                    }
                }
                TemplateArgument::Value(_)
                | TemplateArgument::Integer(..)
                | TemplateArgument::Template(_) => {}
            }
        }
        if friends(class).next().is_some() {
            all.befriending.push(class.clone());
        }
        for base in self.bases(class) {
            _ = self.within_limits(|| self.associate_type(&base, seen, all));
        }
    }

    fn associate_type(&self, ty: &Ty, seen: &mut FxHashSet<usize>, all: &mut Associated) {
        match ty.without_cvref() {
            Ty::Pointer(inner) | Ty::Array(inner, _) => self.associate_type(inner, seen, all),
            Ty::Enum(one) => {
                let namespace = self.unit.namespace(one.env.scope);
                if !all.namespaces.contains(&namespace) {
                    all.namespaces.push(namespace);
                }
            }
            Ty::Class(class) => self.associate(class, seen, all),
            _ => {}
        }
    }

    /// The referenced type of one name of a structured binding ([dcl.struct.bind]), which is declared with a placeholder type:
    /// that of the element, with the cv-qualifiers of the object that is introduced.
    pub(super) fn bound_type(&self, written: &Type, object: &Expr, number: usize, env: &Env) -> Option<Ty> {
        let element = self.structured_binding_type(object, number, env)?;
        let (mut is_const, mut is_volatile) = qualifiers(written);
        let of = self.type_of(object, env)?;
        let of = match &of {
            Ty::LvalueReference(of) | Ty::RvalueReference(of) => of.as_ref(),
            of => of,
        };
        let is_reference = matches!(written, Type::LvalueReference(_) | Type::RvalueReference(_));
        if let (Ty::Qualified(_, c, v), true) = (of, is_reference) {
            (is_const, is_volatile) = (is_const || *c, is_volatile || *v);
        }
        Some(match element {
            reference @ (Ty::LvalueReference(_) | Ty::RvalueReference(_)) => reference,
            element => element.qualified(is_const, is_volatile),
        })
    }

    /// The type of the element that one name of a structured binding is bound to ([dcl.struct.bind]).
    pub(in crate::facts) fn structured_binding_type(
        &self,
        object: &Expr,
        number: usize,
        env: &Env,
    ) -> Option<Ty> {
        let ty = self.type_of(object, env)?;
        match ty.without_cvref() {
            Ty::Array(of, _) => Some(of.as_ref().clone()),
            Ty::Class(class) if class.name.contains("std::") => match class.arguments.as_slice() {
                [TemplateArgument::Pack(members)] => match members.get(number)? {
                    TemplateArgument::Type(ty) => Some(ty.clone()),
                    _ => None,
                },
                arguments => match arguments.get(number)? {
                    TemplateArgument::Type(ty) if class.name.ends_with("pair") => Some(ty.clone()),
                    _ => None,
                },
            },
            ty @ Ty::Class(class)
                if !class.name.contains("std::") && self.tuple_element(ty, number, env).is_some() =>
            {
                self.tuple_element(ty, number, env)
            }
            Ty::Class(class) => self.bound_members(class)?.into_iter().nth(number),
            _ => None,
        }
    }

    /// The types of the data members that the names of a structured binding denote: those of the class, or of the base class
    /// that has them all ([dcl.struct.bind]/5); `None` where they are not known.
    fn bound_members(&self, class: &Rc<Instance>) -> Option<Vec<Ty>> {
        let DeclBody::Class(definition) = &class.decl.as_ref()?.kind else { return None };
        if !class.alternatives.is_empty() || definition.is_union {
            return None;
        }
        let env = class.env.inside(class.clone());
        let own = definition.members.iter().flatten().filter_map(|member| match &member.kind {
            DeclBody::Variable(variable) if !member.specifiers.is_static && member.name != sym::EMPTY => {
                Some(self.ty(&variable.ty, &env))
            }
            _ => None,
        });
        let mut types: Vec<Ty> = own.collect();
        if types.is_empty() {
            for (base, _) in &definition.bases {
                let Ty::Class(base) = self.ty(base, &class.env) else { return None };
                types.extend(self.bound_members(&base)?);
            }
        }
        Some(types)
    }

    /// The type of an element of a class for which `std::tuple_size` is specialized; `None` for another class.
    pub(in crate::facts) fn tuple_element(&self, ty: &Ty, number: usize, env: &Env) -> Option<Ty> {
        let Ty::Class(_) = ty.without_cvref() else { return None };
        let own = Symbol::intern("type of a bound object");
        let env = env.with_bindings(vec![(own, TemplateArgument::Type(ty.without_cvref().clone()))]);
        let own = Argument::Type(Type::Named(Path::plain(own)));
        let named =
            |name: &str, arguments: Option<Vec<Argument>>| Segment { name: Symbol::intern(name), arguments };
        let size = vec![named("std", None), named("tuple_size", Some(vec![own.clone()]))];
        match self.named_type(&Path { global: true, elaborated: false, segments: size }, &env) {
            Ty::Class(size) if self.is_complete(&size) => {}
            _ => return None,
        }
        let index = Argument::Value(Expr::Int(number as i128, Symbol::intern("unsigned long")));
        let element = named("tuple_element", Some(vec![index, own]));
        let segments = vec![named("std", None), element, named("type", None)];
        match self.named_type(&Path { global: true, elaborated: false, segments }, &env) {
            Ty::Opaque { .. } => None,
            element => Some(element),
        }
    }

    /// The variable that a structured binding introduces for its initializer, as an expression, and where its names are looked
    /// up: an lvalue if its type is an lvalue reference, else an xvalue ([dcl.struct.bind]/4).
    pub(in crate::facts) fn bound_variable(
        &self,
        written: &Type,
        object: &Expr,
        env: &Env,
    ) -> Option<(Expr, Env)> {
        let (is_const, is_volatile) = qualifiers(written);
        let ty = self.type_of(object, env)?;
        let is_lvalue = match written {
            Type::LvalueReference(_) => true,
            Type::RvalueReference(_) => self.category_of(object, env) == ValueCategory::Lvalue,
            _ => false,
        };
        let is_reference = matches!(written, Type::LvalueReference(_) | Type::RvalueReference(_));
        let of = match &ty {
            Ty::LvalueReference(of) | Ty::RvalueReference(of) => of.as_ref(),
            of => of,
        };
        let of = if is_reference { of.clone() } else { of.without_cvref().clone() };
        let of = Rc::new(of.qualified(is_const, is_volatile));
        let reference =
            if is_lvalue { Ty::LvalueReference(of.clone()) } else { Ty::RvalueReference(of.clone()) };
        // A name that no other declaration has, for the variable and for its type.
        let [variable, name] = ["bound variable", "type of a bound variable"].map(Symbol::intern);
        let env = env.with_parameters(vec![(variable, Ty::LvalueReference(of))]);
        let env = env.with_bindings(vec![(name, TemplateArgument::Type(reference))]);
        let ty = Type::Named(Path::plain(name));
        Some((Expr::Cast(Box::new(ty), Box::new(Expr::Name(Path::plain(variable)))), env))
    }

    /// The type that dereferencing the iterator of a range gives ([stmt.ranged]).
    pub(in crate::facts) fn range_element_type(&self, range: &Expr, env: &Env) -> Option<Ty> {
        if let Expr::List(values) = range {
            return self.type_of(values.first()?, env).map(|ty| ty.without_cvref().decayed());
        }
        let ty = self.type_of(range, env)?;
        match ty.without_cvref() {
            Ty::Array(of, _) => Some(Ty::LvalueReference(of.clone())),
            Ty::Class(_) => {
                let Iterators { env, variables: [first, _], .. } = self.iterators(range, env)?;
                self.type_of(&Expr::Unary(sym::STAR, Box::new(first)), &env)
            }
            _ => None,
        }
    }

    /// The iterators of a range of a class: calls of its members `begin` and `end` if it has both, else of the functions that
    /// argument-dependent lookup finds ([stmt.ranged]/1). `None` for another range.
    pub(in crate::facts) fn iterators(&self, range: &Expr, env: &Env) -> Option<Iterators> {
        let ty = self.type_of(range, env)?;
        let object = match &ty {
            Ty::LvalueReference(of) | Ty::RvalueReference(of) => of.clone(),
            _ => Rc::new(ty),
        };
        let Ty::Class(class) = object.without_cvref() else { return None };
        let has = |name: Symbol| !matches!(self.lookup_member(class, name), LookupResult::Nothing);
        let are_members = has(sym::BEGIN) && has(sym::END);
        // Variables that no name denotes: a reference to the range, and its iterators.
        let names = ["range of a loop", "iterator of a loop", "end of a loop"].map(Symbol::intern);
        let [range, first, last] = names.map(|name| Expr::Name(Path::plain(name)));
        let env = env.with_parameters(vec![(names[0], Ty::LvalueReference(object))]);
        let call = |name: Symbol| match are_members {
            true => {
                let member = Segment { name, arguments: None };
                Expr::Call(Box::new(Expr::Member(Box::new(range.clone()), false, member)), [].into())
            }
            false => Expr::Call(Box::new(Expr::Name(Path::plain(name))), [range.clone()].into()),
        };
        let calls = [sym::BEGIN, sym::END].map(call);
        let types = calls.each_ref().map(|call| Some(self.type_of(call, &env)?.without_cvref().decayed()));
        let variable =
            |(name, ty): (&Symbol, &Option<Ty>)| Some((*name, Ty::LvalueReference(Rc::new(ty.clone()?))));
        let known = names[1..].iter().zip(&types).filter_map(variable).collect();
        Some(Iterators { env: env.with_parameters(known), calls, types, variables: [first, last] })
    }
}

/// The iterators of the range of a range-based `for` statement.
pub(in crate::facts) struct Iterators {
    /// Where the names in the expressions are looked up.
    pub env: Env,
    /// The calls that the iterators are initialized by: that of the first element, and that of the one behind the last.
    pub calls: [Expr; 2],
    /// Their types, as far as these are known.
    pub types: [Option<Ty>; 2],
    /// The iterators.
    pub variables: [Expr; 2],
}

/// The cv-qualifiers of the object that a placeholder type declares, or refers to.
fn qualifiers(written: &Type) -> (bool, bool) {
    match written {
        Type::LvalueReference(to) | Type::RvalueReference(to) => qualifiers(to),
        Type::Qualified(_, is_const, is_volatile) => (*is_const, *is_volatile),
        _ => (false, false),
    }
}

/// The friend functions that a class declares.
fn friends(class: &Instance) -> impl Iterator<Item = &Arc<Decl>> {
    let definition = match class.decl.as_ref().map(|decl| &decl.kind) {
        Some(DeclBody::Class(definition)) => definition.members.as_deref(),
        _ => None,
    };
    definition.into_iter().flatten().filter(|member| {
        let declares = matches!(&member.kind, DeclBody::Function(one) if one.arguments.is_none());
        member.specifiers.is_friend && declares
    })
}
