//! Operator expressions, return statements, structured bindings and range-based `for` statements in bodies.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::sym;
use crate::syntax::Fields;

use super::ast::*;
use super::declarators::{Declared, result_of};
use super::initializers::initialization;
use super::nodes::{Context, Lower, named_children};

impl Lower<'_> {
    /// Adds an operator expression as a whole, and the calls among its operands.
    pub(super) fn operators(&self, node: Node<'_>, out: &mut Vec<Item>) {
        if self.records_operators.get() || assigns_address(node) {
            out.push(Item::Expression(Arc::new(self.expr(node)), self.parsed.span_of(node)));
        } else if self.is_shared.get() && node.kind() == "assignment_expression" {
            out.push(Item::Shared(Arc::new(self.expr(node)), self.parsed.span_of(node)));
        }
        self.operands(node, out);
    }

    /// Adds the calls among the operands of operators. Nested operators belong to the expression already
    /// added.
    fn operands(&self, node: Node<'_>, out: &mut Vec<Item>) {
        for child in named_children(node) {
            match child.kind() {
                "binary_expression"
                | "unary_expression"
                | "pointer_expression"
                | "subscript_expression"
                | "subscript_argument_list"
                | "assignment_expression"
                | "update_expression"
                | "comma_expression"
                | "parenthesized_expression"
                | "conditional_expression" => self.operands(child, out),
                "cast_expression" if self.parenthesized_callee(child).is_none() => self.operands(child, out),
                // It belongs to the expression already added.
                "identifier" => {}
                "call_expression" if child.field("function").is_some_and(|callee| self.is_cast(callee)) => {
                    self.operands(child, out);
                }
                "argument_list" if self.calls_a_cast(node) => self.operands(child, out),
                _ => self.items(child, out),
            }
        }
    }

    /// The name in `(ns::run)(x)`, which the grammar takes for a cast; lookup decides what it names.
    pub(super) fn parenthesized_callee<'t>(&self, cast: Node<'t>) -> Option<Node<'t>> {
        let ty = cast.field("type")?;
        let value = cast.field("value")?;
        let name = ty.field("type")?;
        (value.kind() == "parenthesized_expression"
            && ty.field("declarator").is_none()
            && matches!(name.kind(), "qualified_identifier" | "type_identifier" | "template_type"))
        .then_some(name)
    }

    /// The arguments of a call that the grammar took for the operands of the comma operator.
    pub(super) fn comma_operands(&self, value: Node<'_>) -> Vec<Expr> {
        match (value.field("left"), value.field("right")) {
            (Some(left), Some(right)) if value.kind() == "comma_expression" => {
                [self.comma_operands(left), self.comma_operands(right)].concat()
            }
            _ => vec![self.expr(value)],
        }
    }

    /// A name by itself, which may be that of a static data member ([temp.inst]/4).
    pub(super) fn plain_name(&self, node: Node<'_>, out: &mut Vec<Item>) {
        if self.records_operators.get() {
            out.push(Item::Expression(Arc::new(self.expr(node)), self.parsed.span_of(node)));
        }
    }

    /// Adds the conversion that a statement or an operator applies to an operand: of a condition to `bool`
    /// ([stmt.stmt]/4), of others to an integer.
    pub(super) fn converted_to(&self, ty: &Type, node: Node<'_>, out: &mut Vec<Item>) {
        if !self.records_operators.get() {
            return;
        }
        // In `if (T t = f(); t)` the condition stands behind the init-statement; that of `while (T t = f())` is the variable.
        let own = node.field("value").filter(|_| node.kind() == "condition_clause");
        let value = own.unwrap_or(node);
        let value = match value.kind() {
            "declaration" => {
                let mut declared = Vec::new();
                self.declaration(value, &[], Context::Body, &mut declared);
                let Some(variable) = declared.pop() else { return };
                Expr::Name(Path::plain(variable.name))
            }
            _ => self.expr(value),
        };
        let value = Expr::Cast(Box::new(ty.clone()), Box::new(value));
        out.push(Item::Expression(Arc::new(value), self.parsed.span_of(node)));
    }

    /// Adds a handler as a block that declares its variable, which a lvalue of the exception object initializes
    /// ([except.handle]/14).
    pub(super) fn handler(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let mut block = Vec::new();
        let list = node.field("parameters").filter(|list| list.kind() == "parameter_list");
        if let Some(declaration) = list.and_then(|list| list.named_child(0))
            && let [parameter] = self.parameters(list.expect("it has a declaration")).as_slice()
        {
            let object = Type::LvalueReference(Box::new(parameter.ty.clone()));
            let object = Expr::Cast(Box::new(object), Box::new(Expr::Unknown("exception object".into())));
            let is_reference = matches!(parameter.ty, Type::LvalueReference(_) | Type::RvalueReference(_));
            let initializer = Some(object).filter(|_| !is_reference);
            let variable = Variable {
                ty: parameter.ty.clone(),
                initializer,
                initialization: Initialization::Copy,
                bits: None,
                alignas: Vec::new(),
                arguments: None,
                items: Vec::new(),
            };
            let mut decl = self.new_decl(declaration, None, &[], DeclBody::Variable(variable));
            (decl.name, decl.specifiers) = (parameter.name, Specifiers::default());
            block.push(Item::Declare(Arc::new(decl)));
        }
        if let Some(body) = node.field("body") {
            self.items(body, &mut block);
        }
        out.push(Item::Block(block, self.has_return(node)));
    }

    /// Adds a throw-expression as the declaration of an unnamed variable: the operand initializes the exception object
    /// ([except.throw]/3).
    pub(super) fn throw(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let operand = named_children(node).into_iter().next();
        let Some(operand) = operand.filter(|_| self.records_operators.get()) else {
            return self.items_of_children(node, out);
        };
        let mut items = Vec::new();
        self.items(operand, &mut items);
        let variable = Variable {
            ty: Type::Auto,
            initializer: Some(self.expr(operand)),
            initialization: Initialization::Copy,
            bits: None,
            alignas: Vec::new(),
            arguments: None,
            items,
        };
        let mut decl = self.new_decl(node, None, &[], DeclBody::Variable(variable));
        decl.specifiers = Specifiers::default();
        out.push(Item::Block(vec![Item::Declare(Arc::new(decl))], false));
    }

    /// Whether a call node is a named cast.
    fn calls_a_cast(&self, call: Node<'_>) -> bool {
        call.field("function").is_some_and(|callee| self.is_cast(callee))
    }

    /// Whether the callee is a named cast, which the grammar takes for a function template: `static_cast<T>`.
    pub(super) fn is_cast(&self, callee: Node<'_>) -> bool {
        callee.kind() == "template_function"
            && callee.field("name").is_some_and(|name| {
                matches!(self.text(name), "static_cast" | "const_cast" | "reinterpret_cast" | "dynamic_cast")
            })
    }

    /// Adds a return statement; the return type may select an overload or a specialization in `return
    /// kernel;`.
    pub(super) fn return_statement(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let value = named_children(node).into_iter().next();
        if let Some(value) = value.filter(|_| self.records_operators.get() || self.records_returns.get()) {
            out.push(Item::Returned(Arc::new(self.expr(value)), self.parsed.span_of(value)));
        }
        self.items_of_children(node, out);
    }

    /// Adds a variable for each name of a structured binding declaration, `auto [a, b] = e;`; false if it is
    /// none.
    pub(super) fn structured_bindings(
        &self,
        node: Node<'_>,
        declarator: Node<'_>,
        ty: &Type,
        out: &mut Vec<Decl>,
    ) -> bool {
        let value = declarator.field("value").map(|value| self.initializer(value));
        let items_from = out.len();
        self.structured_binding_names(node, declarator, ty, value, out);
        if let (Some(first), Some(value)) = (out.get_mut(items_from), declarator.field("value"))
            && let DeclBody::Variable(variable) = &mut first.kind
        {
            self.items(value, &mut variable.items);
        }
        out.len() > items_from
    }

    /// Adds a variable for each name of a structured binding, initialized with its element of `value`.
    fn structured_binding_names(
        &self,
        node: Node<'_>,
        declarator: Node<'_>,
        ty: &Type,
        value: Option<Expr>,
        out: &mut Vec<Decl>,
    ) {
        let mut inner = Some(declarator);
        while let Some(one) = inner.filter(|one| one.kind() != "structured_binding_declarator") {
            inner = one.field("declarator").or_else(|| {
                named_children(one).into_iter().rfind(|child| child.kind().ends_with("_declarator"))
            });
        }
        let Some(list) = inner else { return };
        for (number, name) in named_children(list).into_iter().enumerate() {
            let variable = Variable {
                ty: ty.clone(),
                initializer: value.clone().map(|value| Expr::StructuredBinding(Box::new(value), number)),
                initialization: Initialization::Unknown,
                bits: None,
                alignas: Vec::new(),
                arguments: None,
                items: Vec::new(),
            };
            let mut decl = self.new_decl(node, Some(name), &[], DeclBody::Variable(variable));
            decl.specifiers = Specifiers::default();
            out.push(decl);
        }
    }

    /// The types that the grammar took for the arguments of a call; `None` if some of them is no name.
    fn types_of_arguments(&self, list: Node<'_>) -> Option<Vec<Type>> {
        let ty = |node: Node<'_>| match node.kind() {
            "identifier" | "primitive_type" => Some(self.builtin(node)),
            _ => None,
        };
        named_children(list).into_iter().map(ty).collect()
    }

    /// The variable that `double (*rows)[8] = p;` or `void (*run)(int) = f;` declares, which the grammar takes for an
    /// expression: as one it would subscript a number or call one.
    pub(super) fn declared_by_expression(&self, statement: Node<'_>) -> Option<Decl> {
        let inner = named_children(statement).into_iter().next()?;
        let (mut target, value) = match inner.kind() {
            "assignment_expression" => (inner.field("left")?, Some(inner.field("right")?)),
            _ => (inner, None),
        };
        let mut sizes = Vec::new();
        while target.kind() == "subscript_expression" {
            sizes.push(target.field("indices")?.named_child(0).map(|size| Box::new(self.expr(size))));
            target = target.field("argument")?;
        }
        let parameters = target.field("arguments").and_then(|list| self.types_of_arguments(list));
        let mut callee = target.field("function").filter(|_| target.kind() == "call_expression")?;
        let is_function = callee.kind() == "call_expression" && parameters.is_some() && sizes.is_empty();
        if is_function {
            target = callee;
            callee = target.field("function")?;
        }
        let base = callee;
        let arguments = named_children(target.field("arguments")?);
        let [pointer] = arguments.as_slice() else { return None };
        let name = pointer.field("argument").filter(|name| name.kind() == "identifier")?;
        if sizes.is_empty() && !is_function
            || pointer.kind() != "pointer_expression"
            || !matches!(base.kind(), "primitive_type" | "sized_type_specifier")
        {
            return None;
        }
        let base = self.builtin(base);
        let of = match parameters.filter(|_| is_function) {
            Some(parameters) => Type::Function(Box::new(base), parameters, None),
            None => sizes.into_iter().fold(base, |of, size| Type::Array(Box::new(of), size)),
        };
        let ty = match pointer.field("operator").map(|operator| self.text(operator)) {
            Some("&") => Type::LvalueReference(Box::new(of)),
            _ => Type::Pointer(Box::new(of)),
        };
        let mut items = Vec::new();
        if let Some(value) = value {
            self.items(value, &mut items);
        }
        let variable = Variable {
            ty,
            initializer: value.map(|value| self.initializer(value)),
            initialization: value.map_or(Initialization::Direct, initialization),
            bits: None,
            alignas: Vec::new(),
            arguments: None,
            items,
        };
        let mut decl = self.new_decl(statement, Some(name), &[], DeclBody::Variable(variable));
        decl.specifiers = Specifiers::default();
        Some(decl)
    }

    /// The variable that `double *d(Ptr<3>{});` declares, which the grammar takes for a function with an initializer.
    pub(super) fn initialized_by_braces(
        &self,
        declaration: Node<'_>,
        declarator: Node<'_>,
        declared: &Declared<'_>,
    ) -> Option<Decl> {
        let [parameter] = declared.parameters.as_deref()? else { return None };
        let value = declarator.field("value")?;
        if declarator.kind() != "init_declarator"
            || value.kind() != "initializer_list"
            || parameter.name != sym::EMPTY
        {
            return None;
        }
        let values: Vec<Expr> = named_children(value).into_iter().map(|one| self.expr(one)).collect();
        let mut items = Vec::new();
        let mut inner = declarator;
        while let Some(next) = inner.field("declarator") {
            inner = next;
            let list = inner.field("parameters").and_then(|list| list.named_child(0));
            if let Some(ty) = list.and_then(|parameter| parameter.field("type"))
                && ty.kind() != "primitive_type"
            {
                self.mention(ty, None, Some(values.clone().into()), &mut items);
            }
        }
        self.items_of_children(value, &mut items);
        let variable = Variable {
            ty: result_of(&declared.ty),
            initializer: Some(Expr::Construct(Box::new(parameter.ty.clone()), values)),
            initialization: Initialization::Direct,
            bits: None,
            alignas: Vec::new(),
            arguments: None,
            items,
        };
        Some(self.new_decl(declaration, declared.name, &[], DeclBody::Variable(variable)))
    }

    /// Adds a range-based `for` statement as a block that declares its variable ([stmt.ranged]).
    pub(super) fn range_loop(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let mut block = Vec::new();
        if let Some(first) = node.field("initializer") {
            self.items(first, &mut block);
        }
        let range = node.field("right");
        if let Some(range) = range {
            self.items(range, &mut block);
            let element = Expr::RangeElement(Box::new(self.expr(range)));
            let at = node.child(0).unwrap_or(range);
            block.push(Item::Expression(Arc::new(element), self.parsed.span_of(at)));
        }
        block.extend(self.range_variables(node).into_iter().map(Item::Declare));
        if let Some(body) = node.field("body") {
            self.items(body, &mut block);
        }
        out.push(Item::Block(block, self.has_return(node)));
    }

    /// The variables that each element of the range of a range-based `for` statement initializes.
    pub(super) fn range_variables(&self, node: Node<'_>) -> Vec<Arc<Decl>> {
        let Some(declarator) = node.field("declarator") else { return Vec::new() };
        let declared = self.declarator(declarator, self.base_type(node));
        let range = node.field("right");
        let element = range.map(|range| Expr::RangeElement(Box::new(self.expr(range))));
        let mut decls = Vec::new();
        if declared.name.is_none() {
            self.structured_binding_names(node, declarator, &declared.ty, element, &mut decls);
        } else {
            let variable = Variable {
                ty: declared.ty,
                initializer: element,
                initialization: Initialization::Copy,
                bits: None,
                alignas: Vec::new(),
                arguments: None,
                items: Vec::new(),
            };
            let mut decl = self.new_decl(node, declared.name, &[], DeclBody::Variable(variable));
            decl.specifiers = Specifiers::default();
            decls.push(decl);
        }
        decls.into_iter().map(Arc::new).collect()
    }
}

/// Whether an expression assigns a template-id or its address, whose left-out template arguments the left operand gives, or
/// the address of a member.
fn assigns_address(node: Node<'_>) -> bool {
    let right = node.field("right").filter(|_| node.kind() == "assignment_expression");
    let operand = right.map(|right| right.field("argument").unwrap_or(right));
    operand.is_some_and(|operand| match operand.kind() {
        "template_function" => true,
        "qualified_identifier" => {
            Some(operand) != right
                || named_children(operand).last().is_some_and(|one| one.kind() == "template_function")
        }
        _ => false,
    })
}
