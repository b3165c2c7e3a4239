//! The functions that declarations define for the host, as tokens tell.
//!
//! In: a top-level declaration. Out: [`FunctionTokens`], one for a function, one for each member function that a class
//! defines. Nothing is parsed.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, MemberFunction, member_functions};

use super::function_tokens::{FunctionTokens, UsedBy};
use super::one_declaration::is_word;
use super::token_facts::{is_conversion_function, is_operator_function};
use super::unit::IndexedUnit;

/// The functions with a body that a declaration defines for the host.
pub(in crate::facts) fn functions(unit: &IndexedUnit<'_>, top: usize) -> Arc<[FunctionTokens]> {
    let declaration = &unit.variance.declarations[top];
    let has_bodies = matches!(declaration.kind, DeclKind::Function | DeclKind::Class);
    if !has_bodies || !declaration.passes.meets(PassSet::HOST) {
        return Arc::default();
    }
    unit.token_facts().on_demand(top).functions.get(top, || find_functions(unit, top).into())
}

fn find_functions(unit: &IndexedUnit<'_>, top: usize) -> Vec<FunctionTokens> {
    let declaration = &unit.variance.declarations[top];
    let is_template = unit.token_facts().is_template(top);
    match declaration.kind {
        DeclKind::Function => {
            let head = declaration.tokens.start..declaration.body;
            let body = declaration.body..declaration.tokens.end;
            let name = declaration.names.first().copied();
            let function = MemberFunction { name, in_template: is_template, head, body };
            vec![function_tokens(unit, top, function)]
        }
        DeclKind::Class => {
            let host = PassSet::HOST.lowest().expect("it has the host");
            let members = member_functions(unit.pp.tokens(), declaration, host);
            let members = members.into_iter().map(|mut member| {
                member.in_template |= is_template;
                function_tokens(unit, top, member)
            });
            members.collect()
        }
        _ => Vec::new(),
    }
}

fn function_tokens(unit: &IndexedUnit<'_>, top: usize, function: MemberFunction) -> FunctionTokens {
    let declaration = &unit.variance.declarations[top];
    let MemberFunction { name: own, in_template: is_templated, head, body } = function;
    let own = own.filter(|own| is_word(*own));
    // The names of the classes around it, where the declaration has them.
    let classes = match declaration.kind {
        DeclKind::Class => &declaration.names[..],
        _ => &declaration.names[declaration.declared..],
    };
    let destroys = |pair: &[PpToken]| pair[0].text == sym::TILDE && Some(pair[1].text) == own;
    let used_by = match own.filter(|own| !classes.contains(own)) {
        // The destructor of a nested class.
        Some(own) if unit.pp.tokens()[head.clone()].windows(2).any(destroys) => {
            UsedBy::Class(declaration.names.iter().copied().chain([own]).collect())
        }
        Some(own) => UsedBy::Name(own),
        None => UsedBy::Class(declaration.names.clone()),
    };
    let is_name = |index: &usize| {
        let token = &unit.pp.tokens()[*index];
        own.is_none_or(|own| token.text == own) && token.kind == TokenKind::Identifier
    };
    let name = head.clone().rev().find(is_name).unwrap_or(head.start);
    FunctionTokens { top, name, used_by, is_templated, head, body }
}

/// Whether what a name means to types and constants may differ between passes. The bodies of functions do not count,
/// unless constants are computed or types deduced from them.
pub(in crate::facts) fn varies_for_types(unit: &IndexedUnit<'_>, name: Symbol) -> bool {
    unit.variance.varying.has(name)
        && unit.declaring_untracked(name).iter().any(|top| declaration_varies_for_types(unit, *top))
}

/// Whether a name is that of a class.
pub(in crate::facts) fn is_class(unit: &IndexedUnit<'_>, name: Symbol) -> bool {
    let kind = |top: &usize| unit.variance.declarations[*top].kind;
    unit.declaring_untracked(name).iter().any(|top| matches!(kind(top), DeclKind::Class | DeclKind::Forward))
}

fn declaration_varies_for_types(unit: &IndexedUnit<'_>, top: usize) -> bool {
    let declaration = &unit.variance.declarations[top];
    let varies = declaration.varies;
    if varies.presence || varies.sizes {
        return true;
    }
    let tokens = unit.pp.tokens();
    let counts =
        |function: &FunctionTokens| function.has(tokens, sym::CONSTEXPR) || function.has(tokens, sym::AUTO);
    let functions = functions(unit, top);
    let uncounted = functions.iter().filter(|function| !counts(function));
    let mut bodies: Vec<Range<usize>> = uncounted.map(|function| function.body.clone()).collect();
    bodies.sort_by_key(|body| body.start);
    let mut start = declaration.tokens.start;
    let mut parts = Vec::new();
    for body in bodies {
        parts.push(start..body.start.max(start));
        start = body.end.max(start);
    }
    parts.push(start..declaration.tokens.end);
    let differs = |token: &PpToken| {
        token.passes.meets(declaration.passes) && !token.passes.contains(declaration.passes)
    };
    parts.into_iter().any(|part| tokens[part].iter().any(differs))
}

/// Whether some conversion function mentions one of the names. Nothing spells its own name where it is called, so then
/// all code counts that may convert an object. Of functions that a GPU runs too, which do not launch, only those count
/// that mention a kernel themselves.
pub(in crate::facts) fn conversions_mention(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> bool {
    if !names.iter().any(|name| is_conversion_function(*name)) {
        return false;
    }
    let (tokens, facts) = (unit.pp.tokens(), unit.token_facts());
    let is_conversion = |function: &FunctionTokens| {
        let mut pairs = tokens[function.head.clone()].windows(2);
        pairs.any(|pair| pair[0].text == sym::OPERATOR && pair[1].kind == TokenKind::Identifier)
    };
    let leads = |function: &FunctionTokens| {
        let of_host = function.is_of_host_alone(tokens);
        let mut body = tokens[function.body.clone()].iter();
        body.any(|token| names.contains(&token.text) && (of_host || facts.is_kernel(token.text)))
    };
    let has_conversion = |top: &usize| match facts.class(*top) {
        Some(class) => class.names().any(is_conversion_function),
        None => unit.variance.declarations[*top].names.iter().any(|name| is_conversion_function(*name)),
    };
    facts
        .having(sym::OPERATOR)
        .filter(has_conversion)
        .any(|top| functions(unit, top).iter().any(|function| is_conversion(function) && leads(function)))
}

/// Whether some function that no use spells mentions one of the names, in the same sense: a destructor, a virtual
/// function, a copy or move constructor or assignment operator, an allocation function, the call operator of a smart
/// pointer's deleter. Those of the standard library call what belongs to others only by what they are given.
pub(in crate::facts) fn special_members_mention(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> bool {
    let (tokens, facts) = (unit.pp.tokens(), unit.token_facts());
    let leads = |function: &FunctionTokens, own: &[Symbol]| {
        let of_host = function.is_of_host_alone(tokens);
        tokens[function.head.start..function.body.end].windows(2).any(|pair| {
            let is_used = matches!(pair[1].text, sym::LPAREN | sym::LBRACE | sym::LESS | sym::SCOPE);
            is_used
                && pair[0].kind == TokenKind::Identifier
                && names.contains(&pair[0].text)
                && !own.contains(&pair[0].text)
                && (of_host || facts.is_kernel(pair[0].text))
        })
    };
    let is_of_library = |top: &usize| {
        let scope = unit.variance.declarations[*top].scope;
        unit.namespace(scope).as_str().split("::").any(|one| matches!(one, "std" | "__gnu_cxx"))
    };
    leading_tops(unit, names).into_iter().filter(|top| !is_of_library(top)).any(|top| {
        let own = &unit.variance.declarations[top].names;
        functions(unit, top).iter().any(|function| is_special(unit, function) && leads(function, own))
    })
}

/// Whether some constructor of a class template mentions one of the names, in the same sense.
pub(in crate::facts) fn constructors_mention(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> bool {
    let constructs =
        |function: &FunctionTokens| function.is_templated && leads_when_created(unit, function, names);
    leading_tops(unit, names).into_iter().any(|top| functions(unit, top).iter().any(constructs))
}

/// The declarations of classes and functions that have one of the names, in order.
fn leading_tops(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> Vec<usize> {
    let kind = |top: &usize| unit.variance.declarations[*top].kind;
    let named = names.iter().flat_map(|name| unit.declaring_untracked(*name)).copied();
    let mut tops: Vec<usize> =
        named.filter(|top| matches!(kind(top), DeclKind::Class | DeclKind::Function)).collect();
    tops.sort_unstable();
    tops.dedup();
    tops
}

/// Whether a function is a constructor or destructor that mentions one of the names.
fn leads_when_created(unit: &IndexedUnit<'_>, function: &FunctionTokens, names: &FxHashSet<Symbol>) -> bool {
    let (tokens, facts) = (unit.pp.tokens(), unit.token_facts());
    let UsedBy::Class(classes) = &function.used_by else { return false };
    let of_host = function.is_of_host_alone(tokens);
    tokens[function.head.clone()].iter().any(|token| classes.contains(&token.text))
        && tokens[function.head.start..function.body.end].iter().any(|token| {
            names.contains(&token.text)
                && !classes.contains(&token.text)
                && (of_host || facts.is_kernel(token.text))
        })
}

/// The classes whose objects lead to one of the names when they are created or destroyed, in the same sense: those with such a
/// constructor or destructor, and those that mention one of these.
pub(in crate::facts) fn created_classes(
    unit: &IndexedUnit<'_>,
    names: &FxHashSet<Symbol>,
) -> FxHashSet<Symbol> {
    let mut created: FxHashSet<Symbol> = FxHashSet::default();
    for top in leading_tops(unit, names) {
        for function in functions(unit, top).iter() {
            if let UsedBy::Class(classes) = &function.used_by
                && leads_when_created(unit, function, names)
            {
                created.extend(classes.iter().copied());
            }
        }
    }
    let mut pending: Vec<Symbol> = created.iter().copied().collect();
    while let Some(class) = pending.pop() {
        for top in unit.token_facts().mentions(class) {
            let declaration = &unit.variance.declarations[top];
            if declaration.kind == DeclKind::Class {
                let others = declaration.names.iter().copied();
                pending.extend(others.filter(|name| names.contains(name) && created.insert(*name)));
            }
        }
    }
    created
}

/// Whether some generic lambda of the project may mention one of the names: the declaration that it is in does.
pub(in crate::facts) fn generic_lambdas_mention(unit: &IndexedUnit<'_>, names: &FxHashSet<Symbol>) -> bool {
    let facts = unit.token_facts();
    let mut mentions = names.iter().flat_map(|name| facts.mentions(*name));
    mentions.any(|top| !facts.is_of_system(top) && facts.has_generic_lambda(top))
}

/// The operators of which some operator function that hosts alone run, of no library of the system's, calls an object that it
/// is given, or takes one of a class that does so when it is made: where call operators lead, these lead by their operands.
pub(in crate::facts) fn operators_that_call(unit: &IndexedUnit<'_>) -> FxHashSet<Symbol> {
    let (tokens, facts) = (unit.pp.tokens(), unit.token_facts());
    let is_other = |name: Symbol| is_operator_function(name) && name.as_str() != "operator()";
    let has_operator = |top: &usize| match facts.class(*top) {
        Some(class) => class.names().any(is_other),
        None => unit.variance.declarations[*top].names.iter().any(|name| is_other(*name)),
    };
    let mut operators = FxHashSet::default();
    let having = facts.having(sym::OPERATOR);
    for top in having.filter(|top| !facts.is_of_system(*top) && has_operator(top)) {
        for function in functions(unit, top).iter() {
            if let Some(operator) = overloaded_by(&tokens[function.head.clone()])
                && !operators.contains(&operator)
                && function.is_of_host_alone(tokens)
                && (calls_parameter(unit, function) || takes_calling_object(unit, function))
            {
                operators.insert(operator);
            }
        }
    }
    operators
}

/// The operator that an operator function overloads, told by its head, but for that of a call.
fn overloaded_by(head: &[PpToken]) -> Option<Symbol> {
    let operator = head.windows(2).find(|pair| pair[0].text == sym::OPERATOR)?[1];
    match operator.text {
        sym::LPAREN => None,
        sym::LBRACKET => Some(Symbol::intern("[]")),
        text => (operator.kind == TokenKind::Punctuator).then_some(text),
    }
}

/// Whether the head of a function names a class with a constructor template that calls one of its parameters.
fn takes_calling_object(unit: &IndexedUnit<'_>, function: &FunctionTokens) -> bool {
    let facts = unit.token_facts();
    let head = unit.pp.tokens()[function.head.clone()].iter();
    head.filter(|token| token.kind == TokenKind::Identifier).any(|name| {
        let calls_when_made = |one: &FunctionTokens| {
            one.is_templated
                && matches!(&one.used_by, UsedBy::Class(classes) if classes.contains(&name.text))
                && calls_parameter(unit, one)
        };
        let mut classes =
            unit.declaring_untracked(name.text).iter().filter(|top| facts.class(**top).is_some());
        classes.any(|top| functions(unit, *top).iter().any(calls_when_made))
    })
}

/// Whether a function's body calls one of its parameters, or with one a member of another that is no function.
fn calls_parameter(unit: &IndexedUnit<'_>, function: &FunctionTokens) -> bool {
    let (tokens, facts) = (unit.pp.tokens(), unit.token_facts());
    // The names of the parameters stand behind their types.
    let is_name = |three: &&[PpToken]| {
        three[1].kind == TokenKind::Identifier
            && matches!(three[2].text, sym::COMMA | sym::RPAREN | sym::ASSIGN)
            && !matches!(three[0].text, sym::LPAREN | sym::COMMA | sym::SCOPE | sym::LESS)
    };
    let names = tokens[function.head.clone()].windows(3).filter(is_name);
    let parameters: FxHashSet<Symbol> = names.map(|three| three[1].text).collect();
    let body = &tokens[function.body.clone()];
    (1..body.len().saturating_sub(1)).any(|at| {
        let (before, name) = (&body[at - 1], &body[at]);
        let is_member = matches!(before.text.as_str(), "." | "->");
        name.kind == TokenKind::Identifier
            && body[at + 1].text == sym::LPAREN
            && match is_member {
                true => {
                    at > 1
                        && parameters.contains(&body[at - 2].text)
                        && body.get(at + 2).is_some_and(|given| parameters.contains(&given.text))
                        && !facts.may_instantiate(name.text)
                }
                false => parameters.contains(&name.text),
            }
    })
}

/// Whether no use of a function spells its name, told by its head.
fn is_special(unit: &IndexedUnit<'_>, function: &FunctionTokens) -> bool {
    let (head, facts) = (&unit.pp.tokens()[function.head.clone()], unit.token_facts());
    let classes = match &function.used_by {
        UsedBy::Name(_) => {
            return head.iter().any(|token| token.text == sym::VIRTUAL || token.text == sym::OVERRIDE);
        }
        UsedBy::Class(classes) => classes,
    };
    let names_class = |token: &PpToken| classes.contains(&token.text);
    if let Some(at) = head.iter().position(|token| token.text == sym::OPERATOR)
        && let Some(operator) = head.get(at + 1)
    {
        let deletes = |name: &Symbol| {
            let holds = |top| facts.names(top).iter().any(|one| one.as_str().ends_with("_ptr"));
            facts.mentions(*name).any(holds)
        };
        return match operator.text.as_str() {
            "new" | "delete" => true,
            "=" => head[at..].iter().any(names_class),
            "(" => classes.iter().any(deletes),
            _ => false,
        };
    }
    let destroys = head.windows(2).any(|pair| pair[0].text == sym::TILDE && names_class(&pair[1]));
    let parameters = head.iter().skip_while(|token| token.text != sym::LPAREN);
    let copies = parameters.take_while(|token| token.text != sym::RPAREN).any(names_class);
    destroys || copies
}
