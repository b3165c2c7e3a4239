//! Whether an edit of a function's body leaves the instantiations that the function causes unchanged.
//!
//! In: the function's tokens before and after. Out: whether [`crate::facts::instantiate`] would find the same in both,
//! but for places. Items in which it can't find anything are *inert*: a call of a function through which no kernel
//! template is reached, a variable on whose type no kernel depends. All others are *active*, and have to be equal
//! before and after.
//!
//! **Invariant:** in doubt the two differ.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{DeclKind, TopDeclaration, Variance};

use crate::facts::index::tokens::has_generic_lambda;
use crate::facts::lower::ast::*;
use crate::facts::lower::memo::parsed;
use crate::facts::lower::nodes::Detail;

/// The names of a unit through which a body may reach kernel templates.
#[derive(Debug, Default)]
pub struct Reach {
    /// The leading names: those through which kernel templates are reached.
    leading: FxHashSet<Symbol>,
    /// Variables of namespace scope, which may have call operators.
    objects: FxHashSet<Symbol>,
    /// Those of them whose type is deduced, and so may be a closure type.
    untyped: FxHashSet<Symbol>,
    /// Function templates.
    templates: FxHashSet<Symbol>,
}

impl Reach {
    /// The names of a unit in which `leading` are the leading names.
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

    /// Whether a token is a leading name. Uses of a call operator do not spell its name: they are found by the names of
    /// the objects that are called.
    pub fn leads(&self, kind: TokenKind, text: Symbol) -> bool {
        kind == TokenKind::Identifier && self.leading.contains(&text)
    }

    /// Whether two texts of a function, as one pass has them, cause the same instantiations. The body begins at token
    /// `body`; tokens that both texts have are given the same places.
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
        let mut context = FunctionContext {
            reach: self,
            is_template: old.templates.iter().any(|head| !head.parameters.is_empty()),
            is_member: old.qualifier.is_some(),
            has_lambda: false,
            type_names: old.templates.iter().flat_map(|head| &head.parameters).map(|one| one.name).collect(),
            locals: FxHashSet::default(),
            callable: FxHashSet::default(),
            plain: FxHashMap::default(),
            on_gpu: old.specifiers.global || old.specifiers.device,
            untyped: FxHashSet::default(),
            read: FxHashSet::default(),
            may_read_any_name: false,
        };
        for parameter in &before.parameters {
            context.declares(parameter.name, &parameter.ty);
        }
        context.collect_items(items);
        context.collect_items(new_items);
        bare(old, before) == bare(new, after) && context.same_items(items, new_items, true)
    }
}

/// The function that two bodies belong to, and what both together declare and use.
struct FunctionContext<'r> {
    reach: &'r Reach,
    is_template: bool,
    /// It is a member function, so names in it may be those of members.
    is_member: bool,
    /// A lambda is in it.
    has_lambda: bool,
    /// Its template parameters, and the types that it declares.
    type_names: FxHashSet<Symbol>,
    /// Its parameters, and the names that it declares.
    locals: FxHashSet<Symbol>,
    /// Those of them that may be objects whose call is active.
    callable: FxHashSet<Symbol>,
    /// For each of them, whether it only has built-in types, pointers to these or arrays of these.
    plain: FxHashMap<Symbol, bool>,
    /// It is device code, in which no operator can launch a kernel.
    on_gpu: bool,
    /// Those of the locals whose type is deduced.
    untyped: FxHashSet<Symbol>,
    /// The names on which active items may depend.
    read: FxHashSet<Symbol>,
    /// Active items may depend on any name.
    may_read_any_name: bool,
}

impl FunctionContext<'_> {
    fn declares(&mut self, name: Symbol, ty: &Type) {
        self.locals.insert(name);
        if !is_spelled_out(ty) {
            self.untyped.insert(name);
        }
        let mut names = Vec::new();
        ty.names(&mut names);
        if !is_spelled_out(ty)
            || !self.is_inert_type(ty)
            || names.iter().any(|one| self.type_names.contains(one))
        {
            self.callable.insert(name);
        }
        let plain = is_built_in_type(ty) && !self.is_member && !self.reach.objects.contains(&name);
        self.plain.entry(name).and_modify(|all| *all &= plain).or_insert(plain);
    }

    /// Collects what a body declares, and the names on which its active items depend.
    fn collect_items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Mention(mention) | Item::Argument(mention) => self.collect_mention(mention),
                Item::Block(inner, _) | Item::Expansion(inner) => self.collect_items(inner),
                Item::IfConstexpr(condition, then, otherwise) => {
                    self.reads(condition);
                    self.collect_items(then);
                    self.collect_items(otherwise);
                }
                Item::Declare(decl) => self.collect_declaration(decl),
                Item::Expression(expr, _) | Item::Shared(expr, _) | Item::Returned(expr, _) => {
                    if self.expression_is_active(expr) {
                        self.reads(expr);
                    }
                }
                Item::Initialize(path, expr, ..) => {
                    self.read.insert(path.last().name);
                    self.reads(expr);
                }
                // It may capture any name.
                Item::Lambda(..) | Item::Generic(_) => {
                    self.has_lambda = true;
                    self.may_read_any_name = true;
                }
            }
        }
    }

    fn collect_mention(&mut self, mention: &Mention) {
        let operands = || mention.arguments.iter().flat_map(|list| list.iter());
        let receiver = mention.receiver.as_ref().map(|(object, _)| object);
        let lambda = operands().chain(receiver).any(has_lambda);
        self.has_lambda |= lambda;
        self.may_read_any_name |= lambda;
        if self.is_inert_name(mention) && mention.path.segments.iter().all(|one| one.arguments.is_none()) {
            return;
        }
        operands().chain(receiver).for_each(|one| self.reads(one));
        for segment in &mention.path.segments {
            self.read.insert(segment.name);
            for argument in segment.arguments.iter().flatten() {
                match argument {
                    Argument::Value(value) => self.reads(value),
                    Argument::Type(ty) => self.reads_type(ty),
                    Argument::Pack(_) => self.may_read_any_name = true,
                }
            }
        }
    }

    fn collect_declaration(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclBody::Variable(variable) => {
                self.declares(decl.name, &variable.ty);
                self.collect_items(&variable.items);
                self.reads_type(&variable.ty);
                // The initializer gives a constant its value, and a placeholder its type.
                let constant =
                    decl.specifiers.is_constexpr || matches!(variable.ty, Type::Qualified(_, true, _));
                if constant || !is_spelled_out(&variable.ty) || !self.is_inert_type(&variable.ty) {
                    variable.initializer.iter().for_each(|one| self.reads(one));
                }
            }
            DeclBody::Alias(ty) => {
                self.reads_type(ty);
                self.locals.insert(decl.name);
                self.plain.insert(decl.name, false);
                self.type_names.insert(decl.name);
            }
            DeclBody::Function(function) if function.body.is_none() => {
                self.declares(decl.name, &function.result);
                self.reads_type(&function.result);
                function.parameters.iter().for_each(|one| self.reads_type(&one.ty));
            }
            _ => {
                self.may_read_any_name = true;
                self.locals.insert(decl.name);
                self.callable.insert(decl.name);
                self.plain.insert(decl.name, false);
                self.untyped.insert(decl.name);
                self.type_names.insert(decl.name);
            }
        }
    }

    fn reads(&mut self, expr: &Expr) {
        let mut names = Vec::new();
        expr.names(&mut names);
        self.read.extend(names);
        self.may_read_any_name |= !depends_on_names_only(expr);
    }

    fn reads_type(&mut self, ty: &Type) {
        let mut names = Vec::new();
        ty.names(&mut names);
        self.read.extend(names);
        // A type that is not spelled out may have parts that were not parsed, whose names are not listed.
        self.may_read_any_name |= !is_spelled_out(ty) && *ty != Type::Auto && !ty.is_placeholder();
    }

    /// Whether two lists of items have the same active items. `ends`: nothing comes after them in the function.
    fn same_items(&self, old: &[Item], new: &[Item], ends: bool) -> bool {
        let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[front..], &new[front..]);
        let back = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let ends = ends && back == 0;
        self.active_items(&old[..old.len() - back], ends, &mut before);
        self.active_items(&new[..new.len() - back], ends, &mut after);
        before.len() == after.len() && before.iter().zip(after).all(|(old, new)| self.same_item(old, new))
    }

    /// Adds the active items of a list. A block with an active declaration is one item, since its end ends the scope of
    /// that declaration; at the end of the function that makes no difference, and the block is looked into.
    fn active_items<'i>(&self, items: &'i [Item], ends: bool, left: &mut Vec<&'i Item>) {
        let declares = |item: &Item| matches!(item, Item::Declare(_)) && !self.is_inert(item);
        for (index, item) in items.iter().enumerate() {
            let ends = ends && items[index + 1..].iter().all(|item| self.is_inert(item));
            match item {
                Item::Block(inner, _) if ends || !inner.iter().any(declares) => {
                    self.active_items(inner, ends, left);
                }
                item if self.is_inert(item) => {}
                item => left.push(item),
            }
        }
    }

    fn same_item(&self, old: &Item, new: &Item) -> bool {
        match (old, new) {
            (Item::Block(old, _), Item::Block(new, _)) | (Item::Expansion(old), Item::Expansion(new)) => {
                self.same_items(old, new, false)
            }
            (Item::IfConstexpr(condition, old, old_else), Item::IfConstexpr(other, new, new_else)) => {
                condition == other
                    && self.same_items(old, new, false)
                    && self.same_items(old_else, new_else, false)
            }
            _ => old == new,
        }
    }

    fn is_inert(&self, item: &Item) -> bool {
        match item {
            Item::Mention(mention) | Item::Argument(mention) => self.is_inert_mention(mention),
            Item::Block(inner, _) | Item::Expansion(inner) => inner.iter().all(|item| self.is_inert(item)),
            Item::Declare(decl) => match &decl.kind {
                DeclBody::Variable(variable) => {
                    is_spelled_out(&variable.ty)
                        && !self.may_read_any_name
                        && !self.read.contains(&decl.name)
                        && self.is_inert_type(&variable.ty)
                        && variable.items.iter().all(|item| self.is_inert(item))
                        && !variable.initializer.as_ref().is_some_and(|one| self.expression_is_active(one))
                }
                // `Shape a(b);`, or a declaration that is only half typed: `float` before `f(x);`.
                DeclBody::Function(function) => {
                    function.body.is_none()
                        && !self.may_read_any_name
                        && !self.read.contains(&decl.name)
                        && is_spelled_out(&function.result)
                        && self.is_inert_type(&function.result)
                        && function.parameters.iter().all(|one| self.is_inert_type(&one.ty))
                }
                _ => false,
            },
            Item::Expression(expr, _) | Item::Shared(expr, _) | Item::Returned(expr, _) => {
                !self.expression_is_active(expr)
            }
            // A condition may become the cause of a difference.
            Item::IfConstexpr(..) | Item::Lambda(..) | Item::Generic(_) | Item::Initialize(..) => false,
        }
    }

    fn is_inert_type(&self, ty: &Type) -> bool {
        let mut names = Vec::new();
        ty.names(&mut names);
        !names.iter().any(|name| self.reach.leading.contains(name)) && !self.qualified_type_is_active(ty)
    }

    /// Whether a qualified name or a template argument in a type is active.
    fn qualified_type_is_active(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(path) => self.path_is_active(path),
            Type::Pointer(inner)
            | Type::LvalueReference(inner)
            | Type::RvalueReference(inner)
            | Type::Array(inner, _)
            | Type::Qualified(inner, ..) => self.qualified_type_is_active(inner),
            Type::Builtin(_) => false,
            _ => true,
        }
    }

    fn path_is_active(&self, path: &Path) -> bool {
        path.segments.iter().any(|segment| {
            let is_active = |argument: &Argument| match argument {
                Argument::Type(ty) => self.qualified_type_is_active(ty),
                Argument::Value(Expr::Int(..)) => false,
                _ => true,
            };
            self.reach.leading.contains(&segment.name) || segment.arguments.iter().flatten().any(is_active)
        })
    }

    /// Whether a name in an expression, or the operator function of one of its operators, is a leading name.
    fn expression_is_active(&self, expr: &Expr) -> bool {
        // With operands of built-in types only, the operator is built-in too ([over.match.oper]/1).
        let operator = |operator: &str, operands: &[&Expr]| {
            let name = Symbol::intern(&format!("operator{operator}"));
            self.reach.leading.contains(&name)
                && !self.on_gpu
                && !operands.iter().all(|operand| self.is_built_in(operand))
        };
        let is_local = |path: &Path| path.segments.len() == 1 && self.locals.contains(&path.last().name);
        match expr {
            Expr::Name(path) => !is_local(path) && self.path_is_active(path),
            Expr::Unary(sign, inner) => operator(sign.as_str(), &[inner]) || self.expression_is_active(inner),
            Expr::Binary(sign, left, right) => {
                operator(sign.as_str(), &[left, right])
                    || self.expression_is_active(left)
                    || self.expression_is_active(right)
            }
            Expr::Subscript(left, right) => {
                operator("[]", &[left, right])
                    || self.expression_is_active(left)
                    || self.expression_is_active(right)
            }
            Expr::Member(inner, ..) | Expr::Expansion(inner) => self.expression_is_active(inner),
            Expr::RangeElement(inner) => {
                [sym::BEGIN, sym::END].iter().any(|name| self.reach.leading.contains(name))
                    || ["*", "++", "!=", "=="].iter().any(|sign| operator(sign, &[inner]))
                    || self.expression_is_active(inner)
            }
            Expr::StructuredBinding(inner, _) => {
                self.reach.leading.contains(&sym::GET) || self.expression_is_active(inner)
            }
            Expr::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].iter().any(|one| self.expression_is_active(one))
            }
            Expr::Cast(ty, inner) => !self.is_inert_type(ty) || self.expression_is_active(inner),
            Expr::Construct(ty, list) => {
                !self.is_inert_type(ty) || list.iter().any(|one| self.expression_is_active(one))
            }
            Expr::List(list) => list.iter().any(|one| self.expression_is_active(one)),
            Expr::Call(callee, list) => {
                self.expression_is_active(callee) || list.iter().any(|one| self.expression_is_active(one))
            }
            _ => false,
        }
    }

    /// Whether an expression has a built-in type, or a pointer to one.
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
            Expr::Cast(ty, _) | Expr::Construct(ty, _) => is_built_in_type(ty),
            _ => false,
        }
    }

    /// Whether the entity that a mention names is no kernel template, and reaches none by itself.
    fn is_inert_name(&self, mention: &Mention) -> bool {
        mention.signature.is_none() && mention.role == Role::Named && !self.path_is_active(&mention.path)
    }

    fn is_inert_mention(&self, mention: &Mention) -> bool {
        let name = mention.path.last().name;
        let plain = mention.path.segments.len() == 1 && mention.receiver.is_none();
        let Some(arguments) = &mention.arguments else {
            return self.is_inert_name(mention) && !self.is_template;
        };
        if arguments.iter().any(|one| self.expression_is_active(one)) {
            return false;
        }
        // An object may have a call operator.
        let object =
            plain && (self.callable.contains(&name) || self.reach.objects.contains(&name) || self.is_member);
        // A function template may call an argument that is a lambda.
        let open = !plain || self.reach.templates.contains(&name) || mention.path.last().arguments.is_some();
        let mut used = Vec::new();
        arguments.iter().for_each(|one| one.names(&mut used));
        mention.receiver.iter().for_each(|(object, _)| object.names(&mut used));
        let unknown = |name: &Symbol| self.untyped.contains(name) || self.reach.untyped.contains(name);
        let lambdas = self.is_template
            || self.has_lambda
            || used.iter().any(unknown)
            || arguments.iter().any(|one| !is_simple(one));
        self.is_inert_name(mention) && !object && !(open && lambdas)
    }
}

/// Whether a type is built-in, a pointer or reference to such a type, or an array of one.
fn is_built_in_type(ty: &Type) -> bool {
    match ty {
        Type::Builtin(_) => true,
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Array(inner, _)
        | Type::Qualified(inner, ..) => is_built_in_type(inner),
        _ => false,
    }
}

/// Whether a type is spelled out: it is neither `auto` nor `decltype`, nor something that could not be parsed.
fn is_spelled_out(ty: &Type) -> bool {
    match ty {
        Type::Builtin(_) => true,
        Type::Named(path) => !path.is_decltype(),
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Array(inner, _)
        | Type::Qualified(inner, ..) => is_spelled_out(inner),
        _ => false,
    }
}

/// Whether an expression consists of names, literals, operators and member accesses only.
fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Int(..) | Expr::Float(..) | Expr::Text(_) | Expr::Null | Expr::Name(_) => true,
        Expr::Member(inner, ..) | Expr::Unary(_, inner) => is_simple(inner),
        Expr::Binary(_, left, right) | Expr::Subscript(left, right) => is_simple(left) && is_simple(right),
        Expr::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].iter().all(|one| is_simple(one))
        }
        Expr::SizeofType(_) | Expr::SizeofValue(_) | Expr::Alignof(_) => true,
        Expr::Cast(ty, inner) => is_spelled_out(ty) && is_simple(inner),
        _ => false,
    }
}

/// Whether an expression depends on nothing but the names in it.
fn depends_on_names_only(expr: &Expr) -> bool {
    match expr {
        Expr::Call(callee, list) => depends_on_names_only(callee) && list.iter().all(depends_on_names_only),
        Expr::Construct(ty, list) => is_spelled_out(ty) && list.iter().all(depends_on_names_only),
        Expr::List(list) => list.iter().all(depends_on_names_only),
        Expr::Member(inner, ..) | Expr::Unary(_, inner) => depends_on_names_only(inner),
        Expr::Binary(_, left, right) | Expr::Subscript(left, right) => {
            depends_on_names_only(left) && depends_on_names_only(right)
        }
        Expr::Cast(ty, inner) => is_spelled_out(ty) && depends_on_names_only(inner),
        _ => is_simple(expr),
    }
}

/// Whether an expression has a lambda, or a part that could not be parsed and may have one.
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
