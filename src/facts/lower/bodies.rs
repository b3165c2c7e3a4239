//! Function bodies as the local declarations, name uses and calls that instantiation looks for.
//!
//! In: statements and expressions. Out: [`Item`]s. Control flow is kept only where it decides what is
//! instantiated.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::expressions::pointer_to_member_operator;
use super::initializers::initialization;
use super::nodes::{CALL_OPERATOR, Context, Lower, PARENTHESES, TYPEOF, children, named_children};

impl Lower<'_> {
    /// Adds the items of a statement or an expression.
    pub(super) fn items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let first = self.uses().starts.partition_point(|start| *start < node.start_byte());
        if !self.records_operators.get()
            && !self.is_shared.get()
            && self.uses().starts.get(first).is_none_or(|start| *start >= node.end_byte())
        {
            return;
        }
        match node.kind() {
            "compound_statement" => {
                let mut block = Vec::new();
                self.items_of_children(node, &mut block);
                out.push(Item::Block(block, self.has_return(node)));
            }
            "if_statement" => self.if_statement(node, out),
            "for_range_loop" => self.range_loop(node, out),
            "for_statement" | "while_statement" | "do_statement" | "switch_statement" | "try_statement" => {
                let mut block = Vec::new();
                self.items_of_children(node, &mut block);
                if let Some(condition) = node.field("condition") {
                    match node.kind() {
                        "switch_statement" => {
                            self.converted_to(&Type::Builtin(sym::INT), condition, &mut block)
                        }
                        _ => self.converted_to(&Type::Builtin(sym::BOOL), condition, &mut block),
                    }
                }
                out.push(Item::Block(block, self.has_return(node)));
            }
            "catch_clause" => self.handler(node, out),
            "throw_statement" => self.throw(node, out),
            "declaration"
            | "alias_declaration"
            | "type_definition"
            | "using_declaration"
            | "template_declaration"
            | "class_specifier"
            | "struct_specifier"
            | "union_specifier"
            | "enum_specifier"
            | "namespace_alias_definition" => self.local_declaration(node, out),
            "expression_statement" => match self.declared_by_expression(node) {
                Some(decl) => out.push(Item::Declare(Arc::new(decl))),
                None => self.items_of_children(node, out),
            },
            "lambda_expression" => self.lambda(node, out),
            "call_expression" => self.call_items(node, out),
            "qualified_identifier" | "template_function" => {
                self.mention(node, None, None, out);
            }
            "field_expression" => {
                self.plain_name(node, out);
                if let Some(object) = node.field("argument") {
                    self.items(object, out);
                }
            }
            "compound_literal_expression" => {
                let ty = node.field("type");
                if let Some(ty) = ty.filter(|ty| ty.kind() != "primitive_type" && !self.is_invented(*ty)) {
                    let values = node.field("value").map_or(Vec::new(), named_children);
                    let values = values.into_iter().map(|value| self.expr(value)).collect();
                    self.mention(ty, None, Some(values), out);
                }
                self.items_of_children(node, out);
            }
            "new_expression" => self.new_items(node, out),
            "delete_expression" => self.delete_items(node, out),
            "fold_expression" | "parameter_pack_expansion" => {
                let mut inner = Vec::new();
                self.items_of_children(node, &mut inner);
                out.push(Item::Expansion(inner));
            }
            "binary_expression"
            | "unary_expression"
            | "pointer_expression"
            | "subscript_expression"
            | "assignment_expression"
            | "update_expression"
            | "conditional_expression"
            | "comma_expression" => self.operators(node, out),
            "cast_expression" => match self.parenthesized_callee(node) {
                Some(callee) => {
                    let values = node.field("value").map_or(Vec::new(), named_children);
                    let arguments = values.iter().flat_map(|value| self.comma_operands(*value)).collect();
                    self.template_argument_items(callee, out);
                    out.push(Item::Mention(Mention {
                        arguments: Some(arguments),
                        role: Role::InParentheses,
                        ..self.plain_mention(callee)
                    }));
                    values.into_iter().for_each(|value| self.items(value, out));
                }
                None => {
                    let operand = node.field("value").map(|value| self.expr(value));
                    let ty = node.field("type");
                    self.object_of_cast(ty, operand.into_iter().collect(), out);
                    self.operators(node, out);
                }
            },
            "identifier" => self.plain_name(node, out),
            "user_defined_literal" => {
                if let Expr::Call(callee, arguments) = self.expr(node)
                    && let Expr::Name(path) = *callee
                {
                    let name = path.last().name;
                    out.push(Item::Mention(Mention::call(name, arguments, self.parsed.span_of(node))));
                }
            }
            "return_statement" => self.return_statement(node, out),
            "decltype"
            | "sizeof_expression"
            | "alignof_expression"
            | "noexcept"
            | "type_descriptor"
            | "comment"
            | "template_argument_list"
            | "trailing_return_type"
            | "type_identifier"
            | "field_identifier"
            | "statement_identifier"
            | "number_literal"
            | "string_literal" => {}
            _ => self.items_of_children(node, out),
        }
    }

    pub(super) fn items_of_children(&self, node: Node<'_>, out: &mut Vec<Item>) {
        for child in named_children(node) {
            self.items(child, out);
        }
    }

    fn if_statement(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let condition = node.field("condition");
        let branch = |field: &str| {
            let mut items = Vec::new();
            let branch = node.field(field);
            if let Some(branch) = branch {
                self.items(branch, &mut items);
            }
            (items, branch.is_some_and(|branch| self.has_return(branch)))
        };
        let mut block = Vec::new();
        if let Some(condition) = condition {
            self.items(condition, &mut block);
            self.converted_to(&Type::Builtin(sym::BOOL), condition, &mut block);
        }
        let (then, otherwise) = (branch("consequence"), branch("alternative"));
        if children(node).iter().any(|child| child.kind() == "constexpr") {
            let condition = condition.map_or(Expr::Unknown(String::new()), |condition| self.expr(condition));
            block.push(Item::IfConstexpr(condition, then.0, otherwise.0));
        } else {
            block.push(Item::Block(then.0, then.1));
            block.push(Item::Block(otherwise.0, otherwise.1));
        }
        out.push(Item::Block(block, self.has_return(node)));
    }

    /// Whether a return statement is in a node, and in no other function there.
    pub(super) fn has_return(&self, node: Node<'_>) -> bool {
        let returns = &self.uses().returns;
        let first = returns.partition_point(|(start, _)| *start < node.start_byte());
        let within = returns[first..].iter().take_while(|(start, _)| *start < node.end_byte());
        within.into_iter().any(|(_, owner)| owner.is_none_or(|owner| owner < node.start_byte()))
    }

    /// The return statements of a function whose return type is a placeholder type; all that are not
    /// discarded must deduce the same type ([dcl.spec.auto]/8).
    pub(super) fn returned(&self, body: Node<'_>, result: &Type) -> Vec<Returned> {
        let mut returned = Vec::new();
        if result.is_placeholder() || matches!(result, Type::Pointer(to) if to.is_placeholder()) {
            self.returns_in(body, result, &[], &mut returned);
        }
        returned
    }

    /// An expression from which a placeholder type is deduced: `decltype(auto)` from `(x)` is a reference
    /// ([dcl.type.auto.deduct]/5).
    pub(super) fn operand_of_placeholder(&self, ty: &Type, value: Node<'_>) -> Expr {
        match (ty, value.kind()) {
            (Type::DecltypeAuto, "parenthesized_expression") => {
                Expr::Unary(Symbol::intern(PARENTHESES), Box::new(self.expr(value)))
            }
            _ => self.initializer(value),
        }
    }

    fn returns_in(
        &self,
        node: Node<'_>,
        result: &Type,
        conditions: &[(Expr, bool)],
        out: &mut Vec<Returned>,
    ) {
        match node.kind() {
            "return_statement" => {
                let value = node.named_child(0).map(|value| self.operand_of_placeholder(result, value));
                out.push(Returned { conditions: conditions.to_vec(), value });
            }
            "if_statement" if children(node).iter().any(|child| child.kind() == "constexpr") => {
                let condition = node.field("condition");
                let condition = condition.map_or(Expr::Unknown(String::new()), |one| self.expr(one));
                for (field, taken) in [("consequence", true), ("alternative", false)] {
                    if let Some(branch) = node.field(field) {
                        let conditions = [conditions, &[(condition.clone(), taken)]].concat();
                        self.returns_in(branch, result, &conditions, out);
                    }
                }
            }
            "lambda_expression" | "class_specifier" | "struct_specifier" => {}
            _ => {
                for child in named_children(node) {
                    self.returns_in(child, result, conditions, out);
                }
            }
        }
    }

    /// Adds a call of an element, `table[i](x);` or `table[i][j](x);`, which the grammar takes for the declaration of a structured binding. Tells
    /// whether it is one.
    fn call_of_element(&self, node: Node<'_>, out: &mut Vec<Item>) -> bool {
        let function = node.field("declarator").filter(|one| one.kind() == "function_declarator");
        let mut binding = function.and_then(|one| one.field("declarator"));
        while let Some(array) = binding.filter(|one| one.kind() == "array_declarator") {
            binding = array.field("declarator");
        }
        if binding.is_none_or(|one| one.kind() != "structured_binding_declarator") {
            return false;
        }
        let Some(Expr::Call(callee, arguments)) = self.reparsed_as_expression(node) else { return false };
        let operator = Path::plain(Symbol::intern(CALL_OPERATOR));
        let at = self.parsed.span_of(node);
        if self.records_operators.get() {
            out.push(Item::Expression(Arc::new((*callee).clone()), at));
        }
        let mention = Mention::of(operator, at);
        out.push(Item::Mention(Mention {
            receiver: Some((*callee, false)),
            arguments: Some(arguments),
            ..mention
        }));
        true
    }

    fn local_declaration(&self, node: Node<'_>, out: &mut Vec<Item>) {
        if self.call_of_element(node, out) {
            return;
        }
        let mut decls = Vec::new();
        self.declaration(node, &[], Context::Body, &mut decls);
        for decl in decls {
            // A function is declared in a block with default arguments to be called with them there.
            if let DeclBody::Function(function) = &decl.kind {
                out.extend(function.parameters.iter().flat_map(|parameter| parameter.items.iter().cloned()));
            }
            out.push(Item::Declare(Arc::new(decl)));
        }
        if node.kind() == "declaration" {
            // `kern<T> k(a, b);` and `f(x);` may parse as declarations: what their declarators use is added
            // too.
            for declarator in node.fields("declarator") {
                if declarator.kind() != "init_declarator" {
                    self.array_sizes(declarator, out);
                }
            }
        }
    }

    fn array_sizes(&self, declarator: Node<'_>, out: &mut Vec<Item>) {
        if let Some(size) = declarator.field("size") {
            self.items(size, out);
        }
    }

    /// Adds the init-captures of a lambda-expression, and the lambda itself.
    pub(super) fn lambda(&self, node: Node<'_>, out: &mut Vec<Item>) {
        for child in children(node) {
            if child.kind() == "lambda_capture_specifier" {
                for capture in
                    named_children(child).into_iter().filter(|c| c.kind() == "lambda_capture_initializer")
                {
                    self.items_of_children(capture, out);
                }
            }
        }
        if self.records_operators.get() {
            let closure = self.closure(node);
            let by_copy =
                |capture: &Capture| capture.kind == CaptureKind::Copy && capture.initializer.is_none();
            if closure.captures.iter().any(by_copy) || closure.capture_default == Some(CaptureKind::Copy) {
                out.push(Item::Expression(Arc::new(Expr::Lambda(closure)), self.parsed.span_of(node)));
            }
        }
        out.push(match self.is_generic(node) {
            true => Item::Generic(self.closure(node)),
            false => {
                let mut variables = self.init_captures(node);
                variables.extend(self.lambda_parameters(node));
                Item::Lambda(variables, self.lambda_result(node), self.lambda_body(node))
            }
        });
    }

    /// The variables that init-captures declare, of the types of their initializers ([expr.prim.lambda.capture]/6).
    fn init_captures(&self, node: Node<'_>) -> Vec<Parameter> {
        let closure = self.closure(node);
        let declared = closure.captures.iter().filter_map(|capture| {
            let value = Expr::Unary(Symbol::intern(TYPEOF), Box::new(capture.initializer.clone()?));
            let ty = Type::Decltype(Box::new(value));
            let ty = match capture.kind {
                CaptureKind::Copy => ty,
                CaptureKind::Reference => Type::LvalueReference(Box::new(ty)),
            };
            Some(Parameter { name: capture.name, ty, default: None, default_from: None, items: Vec::new() })
        });
        declared.collect()
    }

    pub(super) fn lambda_parameters(&self, node: Node<'_>) -> Vec<Parameter> {
        let declarator = node.field("declarator");
        let list = declarator.and_then(|declarator| declarator.field("parameters"));
        list.map_or(Vec::new(), |list| self.parameters(list))
    }

    pub(super) fn lambda_body(&self, node: Node<'_>) -> Vec<Item> {
        let mut body = Vec::new();
        if let Some(block) = node.field("body") {
            let returns_object = matches!(self.lambda_result(node), Type::Named(_) | Type::Qualified(..));
            let outer = self.records_returns.replace(returns_object);
            self.items(block, &mut body);
            self.records_returns.set(outer);
        }
        body
    }

    fn call_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let Some(function) = node.field("function") else {
            return self.items_of_children(node, out);
        };
        if self.text(function) == "noexcept" {
            // `noexcept(e)`, which the grammar takes for a call; its operand is unevaluated.
            return;
        }
        if self.is_type_trait(function) {
            // Its operands are types.
            let operands = node.field("arguments").map_or(Vec::new(), named_children);
            for operand in operands {
                let operand = operand.field("pattern").unwrap_or(operand);
                if let Some(class) = operand.field("type").and_then(|ty| ty.field("type")) {
                    self.template_argument_items(class, out);
                }
            }
            return;
        }
        let arguments = self.call_arguments(node);
        if self.is_cast(function) {
            let list = function.field("arguments").and_then(|list| list.named_child(0));
            self.object_of_cast(list, arguments, out);
            self.operators(node, out);
            return;
        }
        if self.parsed.is_launch(node) {
            if let Some(callee) = function.field("function") {
                self.callee(callee, arguments, out);
            }
            if let Some(config) = function.field("arguments") {
                self.items_of_children(config, out);
            }
        } else {
            self.callee(function, arguments, out);
        }
        if let Some(list) = node.field("arguments") {
            self.items_of_children(list, out);
        }
    }

    /// Adds the object that a cast to a class makes, unless the cast is recorded as a whole.
    fn object_of_cast(&self, to: Option<Node<'_>>, operand: Arc<[Expr]>, out: &mut Vec<Item>) {
        let to = to.filter(|to| !self.records_operators.get() && to.field("declarator").is_none());
        let class = to.and_then(|to| to.field("type"));
        if let Some(class) = class.filter(|class| class.kind() != "primitive_type") {
            self.mention(class, None, Some(operand), out);
        }
    }

    /// Adds the creation of an object or of an array by `new`.
    fn new_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let array = children(node).into_iter().find(|child| child.kind() == "new_declarator");
        if let Some(ty) = node.field("type").filter(|ty| ty.kind() != "primitive_type") {
            let list = node.field("arguments");
            let role = if array.is_some() { Role::NewArray } else { Role::New };
            self.template_argument_items(ty, out);
            let arguments = list.map(|_| self.call_arguments(node));
            out.push(Item::Mention(Mention { role, arguments, ..self.plain_mention(ty) }));
        }
        if let Some(length) = array.and_then(|array| array.field("length")) {
            self.converted_to(&Type::Builtin(Symbol::intern("unsigned long")), length, out);
        }
        self.items_of_children(node, out);
    }

    /// Adds a delete-expression as a call of the deallocation function.
    fn delete_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let Some(operand) = named_children(node).into_iter().next_back() else { return };
        let is_array = children(node).iter().any(|child| child.kind() == "[");
        let name = Symbol::intern(if is_array { "operator delete[]" } else { "operator delete" });
        let mention = Mention::call(name, [self.expr(operand)].into(), self.parsed.span_of(node));
        out.push(Item::Mention(Mention { role: Role::Deleted, ..mention }));
        self.items(operand, out);
    }

    /// Adds the mem-initializers of a constructor, and what their operands use.
    pub(super) fn member_initializers(&self, list: Node<'_>, is_of_host: bool, out: &mut Vec<Item>) {
        for node in named_children(list) {
            let parts = named_children(node);
            let [name, value] = parts.as_slice() else {
                self.items(node, out);
                continue;
            };
            let mut inner = Vec::new();
            self.template_argument_items(*name, &mut inner);
            self.items_of_children(*value, &mut inner);
            if is_of_host {
                let initializer = Arc::new(self.initializer(*value));
                let at = self.parsed.span_of(*name);
                inner.push(Item::Initialize(self.path(*name), initializer, initialization(*value), at));
            }
            match children(node).iter().any(|child| child.kind() == "...") {
                true => out.push(Item::Expansion(inner)),
                false => out.append(&mut inner),
            }
        }
    }

    fn callee(&self, function: Node<'_>, arguments: Arc<[Expr]>, out: &mut Vec<Item>) {
        match function.kind() {
            "identifier" | "qualified_identifier" | "template_function" | "dependent_name" => {
                self.mention(function, None, Some(arguments), out);
            }
            "field_expression" if pointer_to_member_operator(function).is_none() => {
                let object = function.field("argument");
                let field = function.field("field");
                if let (Some(object), Some(field)) = (object, field) {
                    let arrow = children(function).iter().any(|child| child.kind() == "->");
                    self.items(object, out);
                    self.mention(field, Some((self.expr(object), arrow)), Some(arguments), out);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = named_children(function).into_iter().next() {
                    self.callee(inner, arguments, out);
                    if matches!(inner.kind(), "identifier" | "template_function")
                        && let Some(Item::Mention(mention)) = out.last_mut()
                    {
                        mention.role = Role::InParentheses;
                    }
                }
            }
            "lambda_expression" if !self.is_generic(function) => self.items(function, out),
            "field_expression"
            | "call_expression"
            | "compound_literal_expression"
            | "lambda_expression"
            | "subscript_expression"
            | "pointer_expression"
            | "unary_expression"
            | "update_expression"
            | "binary_expression"
            | "assignment_expression"
            | "comma_expression"
            | "cast_expression"
            | "user_defined_literal"
            | "conditional_expression" => {
                // The call operator of an object: `Functor<int>()(x)`, `[](auto x) { … }(1)`, `functors[0](x)`.
                self.items(function, out);
                let operator = Path::plain(Symbol::intern(CALL_OPERATOR));
                let receiver = Some((self.expr(function), false));
                let at = self.parsed.span_of(function);
                let mention = Mention { path: operator, ..self.plain_mention(function) };
                out.push(Item::Mention(Mention { receiver, arguments: Some(arguments), at, ..mention }));
            }
            _ => self.items(function, out),
        }
    }

    /// Adds a use of a name, and what its template arguments use.
    pub(super) fn mention(
        &self,
        node: Node<'_>,
        receiver: Option<(Expr, bool)>,
        arguments: Option<Arc<[Expr]>>,
        out: &mut Vec<Item>,
    ) {
        self.template_argument_items(node, out);
        out.push(Item::Mention(Mention { receiver, arguments, ..self.plain_mention(node) }));
    }

    /// The use of a name that is not called.
    fn plain_mention(&self, name: Node<'_>) -> Mention {
        Mention::of(self.path(name), self.parsed.span_of(self.last_name_node(name)))
    }

    /// Adds what the template arguments of a name use, such as functions: `launch<&kern<int>>()`.
    pub(super) fn template_argument_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        match node.kind() {
            "template_function" | "template_type" | "template_method" => {
                if let Some(list) = node.field("arguments") {
                    for argument in named_children(list) {
                        if argument.kind() != "type_descriptor" {
                            self.items(argument, out);
                            continue;
                        }
                        let ty = argument.field("type").and_then(|ty| match ty.kind() {
                            "dependent_type" => named_children(ty).into_iter().next(),
                            _ => Some(ty),
                        });
                        if let Some(ty) =
                            ty.filter(|ty| matches!(ty.kind(), "template_type" | "qualified_identifier"))
                        {
                            self.template_argument_items(ty, out);
                            out.push(Item::Argument(self.plain_mention(ty)));
                        }
                    }
                }
            }
            "qualified_identifier" => {
                for child in named_children(node) {
                    self.template_argument_items(child, out);
                }
            }
            _ => {}
        }
    }
}
