//! Whether a function whose body was edited still leads to the same kernel templates.
//!
//! In: the function's tokens before and after. Out: whether what [`crate::facts::instantiate`] would find in the two is
//! the same but for places. What it can't find anything in is *inert*: a call of an ordinary function, a variable
//! of a type that no kernel depends on. All else has to be there before and after, and equal.
//!
//! **Invariant:** in doubt the two differ.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{DeclKind, TopDeclaration, Variance};

use crate::facts::index::token_facts::has_generic_lambda;
use crate::facts::lower::ast::*;
use crate::facts::lower::memo::parsed;
use crate::facts::lower::nodes::Detail;

/// What the names of a unit may lead to.
#[derive(Debug, Default)]
pub struct Reach {
    /// Names through which kernel templates are reached.
    leading: FxHashSet<Symbol>,
    /// Variables of namespace scope, which may be called if they are objects.
    objects: FxHashSet<Symbol>,
    /// Those whose type is not written, which may be a lambda's.
    untyped: FxHashSet<Symbol>,
    /// Function templates.
    templates: FxHashSet<Symbol>,
}

impl Reach {
    /// That of a unit in which `leading` are the names through which kernel templates are reached.
    pub fn new(tokens: &[PpToken], variance: &Variance, leading: &FxHashSet<Symbol>) -> Reach {
        let mut reach = Reach { leading: leading.clone(), ..Reach::default() };
        let declared = |one: &TopDeclaration| one.names[..one.declared].to_vec();
        for declaration in &variance.declarations {
            let own = &tokens[declaration.tokens.clone()];
            match declaration.kind {
                DeclKind::Variable => {
                    let placeholder = |token: &PpToken| matches!(token.text, sym::AUTO | sym::DECLTYPE);
                    if own.iter().any(placeholder) {
                        reach.untyped.extend(declared(declaration));
                    }
                    reach.objects.extend(declared(declaration));
                }
                DeclKind::Function | DeclKind::Prototype if own[0].text == sym::TEMPLATE => {
                    reach.templates.extend(declared(declaration));
                }
                _ => {}
            }
        }
        reach
    }

    /// Kernel templates may be reached through a word of the text. Call operators, which are called `(`, are reached
    /// by the names of what is called.
    pub fn leads(&self, kind: TokenKind, text: Symbol) -> bool {
        kind == TokenKind::Identifier && self.leading.contains(&text)
    }

    /// Two texts of a function, as one pass has them, lead to the same kernel templates. The body begins at `body`;
    /// tokens that both have stand at the same places in both.
    pub fn alike(&self, old: &[PpToken], new: &[PpToken], body: usize) -> bool {
        if has_generic_lambda(old) != has_generic_lambda(new) {
            return false;
        }
        let ((old, _), (new, _)) =
            (parsed(old, Some(body), Detail::Operators), parsed(new, Some(body), Detail::Operators));
        old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| self.same_function(old, new))
    }

    fn same_function(&self, old: &Decl, new: &Decl) -> bool {
        let (DeclBody::Function(before), DeclBody::Function(after)) = (&old.kind, &new.kind) else {
            return old == new;
        };
        let bare = |decl: &Decl, function: &Function| Decl {
            kind: DeclBody::Function(Function { body: None, ..function.clone() }),
            ..decl.clone()
        };
        let (Some(items), Some(new_items)) = (&before.body, &after.body) else { return old == new };
        let mut around = Around {
            reach: self,
            is_template: old.templates.iter().any(|head| !head.parameters.is_empty()),
            is_member: old.qualifier.is_some(),
            has_lambda: false,
            given: old.templates.iter().flat_map(|head| &head.parameters).map(|one| one.name).collect(),
            locals: FxHashSet::default(),
            callable: FxHashSet::default(),
            plain: FxHashMap::default(),
            on_gpu: old.specifiers.global || old.specifiers.device,
            untyped: FxHashSet::default(),
            read: FxHashSet::default(),
            reads_all: false,
        };
        for parameter in &before.parameters {
            around.declares(parameter.name, &parameter.ty);
        }
        around.look(items);
        around.look(new_items);
        bare(old, before) == bare(new, after) && around.same(items, new_items, true)
    }
}

/// The function that two bodies are of.
struct Around<'r> {
    reach: &'r Reach,
    is_template: bool,
    /// Names in it may be a class's members.
    is_member: bool,
    /// It has a lambda.
    has_lambda: bool,
    /// Its template parameters, and names of types that it declares.
    given: FxHashSet<Symbol>,
    /// What it declares.
    locals: FxHashSet<Symbol>,
    /// What of that may be an object that leads on when it is called.
    callable: FxHashSet<Symbol>,
    /// Whether that is of built-in types, of pointers to these or arrays of these.
    plain: FxHashMap<Symbol, bool>,
    /// GPUs run it, so that none of its operators launches anything.
    on_gpu: bool,
    /// What of that has a type that is not written.
    untyped: FxHashSet<Symbol>,
    /// Names that what leads on depends on, or may.
    read: FxHashSet<Symbol>,
    /// It may be any name.
    reads_all: bool,
}

impl Around<'_> {
    fn declares(&mut self, name: Symbol, ty: &Type) {
        self.locals.insert(name);
        if !is_written(ty) {
            self.untyped.insert(name);
        }
        let mut names = Vec::new();
        ty.names(&mut names);
        if !is_written(ty) || !self.is_inert_type(ty) || names.iter().any(|one| self.given.contains(one)) {
            self.callable.insert(name);
        }
        let plain = is_plain(ty) && !self.is_member && !self.reach.objects.contains(&name);
        self.plain.entry(name).and_modify(|all| *all &= plain).or_insert(plain);
    }

    /// Notes what a body declares and depends on.
    fn look(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mention(mention) | Item::Argument(mention) => self.look_at_mention(mention),
                Item::Block(inner) | Item::Substatement(inner) | Item::Expansion(inner) => self.look(inner),
                Item::IfConstexpr(condition, then, otherwise) => {
                    self.reads(condition);
                    self.look(then);
                    self.look(otherwise);
                }
                Item::Declare(decl) => self.look_at_declaration(decl),
                Item::Expression(expr, _) | Item::Returned(expr, _) => {
                    if self.expression_leads(expr) {
                        self.reads(expr);
                    }
                }
                // It captures what it likes.
                Item::Lambda(..) | Item::Generic(_) => {
                    self.has_lambda = true;
                    self.reads_all = true;
                }
            }
        }
    }

    fn look_at_mention(&mut self, mention: &Mention) {
        let given = || mention.arguments.iter().flat_map(|list| list.iter());
        let receiver = mention.receiver.as_ref().map(|(object, _)| object);
        let lambda = given().chain(receiver).any(has_lambda);
        self.has_lambda |= lambda;
        self.reads_all |= lambda;
        if self.is_inert_name(mention) && mention.path.segments.iter().all(|one| one.arguments.is_none()) {
            return;
        }
        given().chain(receiver).for_each(|one| self.reads(one));
        for segment in &mention.path.segments {
            self.read.insert(segment.name);
            for argument in segment.arguments.iter().flatten() {
                match argument {
                    Argument::Value(value) => self.reads(value),
                    Argument::Type(ty) => self.reads_type(ty),
                    Argument::Pack(_) => self.reads_all = true,
                }
            }
        }
    }

    fn look_at_declaration(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclBody::Variable(variable) => {
                self.declares(decl.name, &variable.ty);
                self.look(&variable.items);
                self.reads_type(&variable.ty);
                // Constants have values, and placeholders types, of what initializes them.
                let constant =
                    decl.specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
                if constant || !is_written(&variable.ty) || !self.is_inert_type(&variable.ty) {
                    variable.initializer.iter().for_each(|one| self.reads(one));
                }
            }
            DeclBody::Alias(ty) => {
                self.reads_type(ty);
                self.locals.insert(decl.name);
                self.plain.insert(decl.name, false);
                self.given.insert(decl.name);
            }
            DeclBody::Function(function) if function.body.is_none() => {
                self.declares(decl.name, &function.result);
                self.reads_type(&function.result);
                function.parameters.iter().for_each(|one| self.reads_type(&one.ty));
            }
            _ => {
                self.reads_all = true;
                self.locals.insert(decl.name);
                self.callable.insert(decl.name);
                self.plain.insert(decl.name, false);
                self.untyped.insert(decl.name);
                self.given.insert(decl.name);
            }
        }
    }

    fn reads(&mut self, expr: &Expr) {
        let mut names = Vec::new();
        expr.names(&mut names);
        self.read.extend(names);
        self.reads_all |= !is_told(expr);
    }

    fn reads_type(&mut self, ty: &Type) {
        let mut names = Vec::new();
        ty.names(&mut names);
        self.read.extend(names);
        // What stands in brackets is read as it is spelled.
        self.reads_all |= !is_written(ty) && *ty != Type::Auto && !ty.is_placeholder();
    }

    /// What is only in one of the two bodies is inert. `ends` says that nothing comes after them in the function.
    fn same(&self, old: &[Item], new: &[Item], ends: bool) -> bool {
        let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[front..], &new[front..]);
        let back = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let ends = ends && back == 0;
        self.left_of(&old[..old.len() - back], ends, &mut before);
        self.left_of(&new[..new.len() - back], ends, &mut after);
        before.len() == after.len() && before.iter().zip(after).all(|(old, new)| self.same_item(old, new))
    }

    /// What is not inert. Blocks count where they end what is declared in them, before something else that may mean it.
    fn left_of<'i>(&self, items: &'i [Item], ends: bool, left: &mut Vec<&'i Item>) {
        let declares = |item: &Item| matches!(item, Item::Declare(_)) && !self.is_inert(item);
        for (index, item) in items.iter().enumerate() {
            let ends = ends && items[index + 1..].iter().all(|item| self.is_inert(item));
            match item {
                Item::Block(inner) | Item::Substatement(inner) if ends || !inner.iter().any(declares) => {
                    self.left_of(inner, ends, left);
                }
                item if self.is_inert(item) => {}
                item => left.push(item),
            }
        }
    }

    fn same_item(&self, old: &Item, new: &Item) -> bool {
        match (old, new) {
            (Item::Block(old) | Item::Substatement(old), Item::Block(new) | Item::Substatement(new))
            | (Item::Expansion(old), Item::Expansion(new)) => self.same(old, new, false),
            (Item::IfConstexpr(condition, old, old_else), Item::IfConstexpr(other, new, new_else)) => {
                condition == other && self.same(old, new, false) && self.same(old_else, new_else, false)
            }
            _ => old == new,
        }
    }

    fn is_inert(&self, item: &Item) -> bool {
        match item {
            Item::Mention(mention) | Item::Argument(mention) => self.is_inert_mention(mention),
            Item::Block(inner) | Item::Substatement(inner) | Item::Expansion(inner) => {
                inner.iter().all(|item| self.is_inert(item))
            }
            Item::Declare(decl) => match &decl.kind {
                DeclBody::Variable(variable) => {
                    is_written(&variable.ty)
                        && !self.reads_all
                        && !self.read.contains(&decl.name)
                        && self.is_inert_type(&variable.ty)
                        && variable.items.iter().all(|item| self.is_inert(item))
                        && !variable.initializer.as_ref().is_some_and(|one| self.expression_leads(one))
                }
                // `Shape a(b);`, or what is typed in front of a call: `float` before `f(x);`.
                DeclBody::Function(function) => {
                    function.body.is_none()
                        && !self.reads_all
                        && !self.read.contains(&decl.name)
                        && is_written(&function.result)
                        && self.is_inert_type(&function.result)
                        && function.parameters.iter().all(|one| self.is_inert_type(&one.ty))
                }
                _ => false,
            },
            Item::Expression(expr, _) | Item::Returned(expr, _) => !self.expression_leads(expr),
            // What a condition says may be noted as a cause.
            Item::IfConstexpr(..) | Item::Lambda(..) | Item::Generic(_) => false,
        }
    }

    fn is_inert_type(&self, ty: &Type) -> bool {
        let mut names = Vec::new();
        ty.names(&mut names);
        !names.iter().any(|name| self.reach.leading.contains(name)) && !self.qualified_leads(ty)
    }

    /// A name behind `::` in a type leads.
    fn qualified_leads(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(path) => self.path_leads(path),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Array(inner, _)
            | Type::Qualified(inner, ..) => self.qualified_leads(inner),
            Type::Builtin(_) => false,
            _ => true,
        }
    }

    fn path_leads(&self, path: &Path) -> bool {
        path.segments.iter().any(|segment| {
            let leads = |argument: &Argument| match argument {
                Argument::Type(ty) => self.qualified_leads(ty),
                Argument::Value(Expr::Int(..)) => false,
                _ => true,
            };
            self.reach.leading.contains(&segment.name) || segment.arguments.iter().flatten().any(leads)
        })
    }

    /// A name in an expression leads, or one of its operators is a function that does.
    fn expression_leads(&self, expr: &Expr) -> bool {
        // Of operands that are all built-in, none is overloaded ([over.oper]).
        let operator = |operator: &str, operands: &[&Expr]| {
            let name = Symbol::intern(&format!("operator{operator}"));
            self.reach.leading.contains(&name)
                && !self.on_gpu
                && !operands.iter().all(|operand| self.is_built_in(operand))
        };
        let is_local = |path: &Path| path.segments.len() == 1 && self.locals.contains(&path.last().name);
        match expr {
            Expr::Name(path) => !is_local(path) && self.path_leads(path),
            Expr::Unary(sign, inner) => operator(sign.as_str(), &[inner]) || self.expression_leads(inner),
            Expr::Binary(sign, left, right) => {
                operator(sign.as_str(), &[left, right])
                    || self.expression_leads(left)
                    || self.expression_leads(right)
            }
            Expr::Subscript(left, right) => {
                operator("[]", &[left, right]) || self.expression_leads(left) || self.expression_leads(right)
            }
            Expr::Member(inner, ..)
            | Expr::Expansion(inner)
            | Expr::RangeElement(inner)
            | Expr::StructuredBinding(inner, _) => self.expression_leads(inner),
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().any(|one| self.expression_leads(one))
            }
            Expr::Cast(ty, inner) => !self.is_inert_type(ty) || self.expression_leads(inner),
            Expr::Construct(ty, list) => {
                !self.is_inert_type(ty) || list.iter().any(|one| self.expression_leads(one))
            }
            Expr::List(list) => list.iter().any(|one| self.expression_leads(one)),
            Expr::Call(callee, list) => {
                self.expression_leads(callee) || list.iter().any(|one| self.expression_leads(one))
            }
            _ => false,
        }
    }

    /// The value of an expression has a built-in type, or is a pointer to one.
    fn is_built_in(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Float(..) | Expr::Text(_) | Expr::Null => true,
            Expr::SizeofType(_) | Expr::SizeofValue(_) | Expr::Alignof(_) => true,
            Expr::Name(path) => {
                path.segments.len() == 1 && self.plain.get(&path.last().name).is_some_and(|plain| *plain)
            }
            Expr::Unary(_, inner) => self.is_built_in(inner),
            Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
                self.is_built_in(left) && self.is_built_in(right)
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().all(|one| self.is_built_in(one))
            }
            Expr::Cast(ty, _) | Expr::Construct(ty, _) => is_plain(ty),
            _ => false,
        }
    }

    /// Whatever is named, it is no kernel template and leads to none by itself.
    fn is_inert_name(&self, mention: &Mention) -> bool {
        mention.signature.is_none() && !mention.whole_class && !self.path_leads(&mention.path)
    }

    fn is_inert_mention(&self, mention: &Mention) -> bool {
        let name = mention.path.last().name;
        let plain = mention.path.segments.len() == 1 && mention.receiver.is_none();
        let Some(arguments) = &mention.arguments else {
            return self.is_inert_name(mention) && !self.is_template;
        };
        if arguments.iter().any(|one| self.expression_leads(one)) {
            return false;
        }
        // An object, which has a call operator.
        let object =
            plain && (self.callable.contains(&name) || self.reach.objects.contains(&name) || self.is_member);
        // What takes arguments of any type may be given a lambda.
        let open = !plain || self.reach.templates.contains(&name) || mention.path.last().arguments.is_some();
        let mut given = Vec::new();
        arguments.iter().for_each(|one| one.names(&mut given));
        mention.receiver.iter().for_each(|(object, _)| object.names(&mut given));
        let unknown = |name: &Symbol| self.untyped.contains(name) || self.reach.untyped.contains(name);
        let lambdas = self.is_template
            || self.has_lambda
            || given.iter().any(unknown)
            || arguments.iter().any(|one| !is_understood(one));
        self.is_inert_name(mention) && !object && !(open && lambdas)
    }
}

/// A built-in type, a pointer to one or an array of them.
fn is_plain(ty: &Type) -> bool {
    match ty {
        Type::Builtin(_) => true,
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Array(inner, _)
        | Type::Qualified(inner, ..) => is_plain(inner),
        _ => false,
    }
}

/// The type is written out: neither `auto` nor `decltype`, nor something that could not be read.
fn is_written(ty: &Type) -> bool {
    match ty {
        Type::Builtin(_) => true,
        Type::Named(path) => !path.is_decltype(),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Array(inner, _)
        | Type::Qualified(inner, ..) => is_written(inner),
        _ => false,
    }
}

/// All of an argument is names, literals, operators on them and members.
fn is_understood(expr: &Expr) -> bool {
    match expr {
        Expr::Int(..) | Expr::Float(..) | Expr::Text(_) | Expr::Null | Expr::Name(_) => true,
        Expr::Member(inner, ..) | Expr::Unary(_, inner) => is_understood(inner),
        Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
            is_understood(left) && is_understood(right)
        }
        Expr::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].iter().all(|one| is_understood(one))
        }
        Expr::SizeofType(_) | Expr::SizeofValue(_) | Expr::Alignof(_) => true,
        Expr::Cast(ty, inner) => is_written(ty) && is_understood(inner),
        _ => false,
    }
}

/// Its names are all that it depends on.
fn is_told(expr: &Expr) -> bool {
    match expr {
        Expr::Call(callee, list) => is_told(callee) && list.iter().all(is_told),
        Expr::Construct(ty, list) => is_written(ty) && list.iter().all(is_told),
        Expr::List(list) => list.iter().all(is_told),
        Expr::Member(inner, ..) | Expr::Unary(_, inner) => is_told(inner),
        Expr::Binary(_, left, right) | Expr::Subscript(left, right) => is_told(left) && is_told(right),
        Expr::Cast(ty, inner) => is_written(ty) && is_told(inner),
        _ => is_understood(expr),
    }
}

/// There is a lambda in it, as far as it could be read.
fn has_lambda(expr: &Expr) -> bool {
    match expr {
        Expr::Lambda(_) | Expr::Unknown(_) => true,
        Expr::Member(inner, ..) | Expr::Unary(_, inner) | Expr::Expansion(inner) | Expr::Cast(_, inner) => {
            has_lambda(inner)
        }
        Expr::Binary(_, left, right) | Expr::Subscript(left, right) => has_lambda(left) || has_lambda(right),
        Expr::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].iter().any(|one| has_lambda(one))
        }
        Expr::Construct(_, list) => list.iter().any(has_lambda),
        Expr::List(values) => values.iter().any(has_lambda),
        Expr::Call(callee, list) => has_lambda(callee) || list.iter().any(has_lambda),
        _ => false,
    }
}
