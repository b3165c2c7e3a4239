//! Lambda-expressions: what identifies the closure type, what may be captured, and the call operator.
//!
//! Which of the candidates are captured, and their types, only a pass can tell: `meaning/closure.rs`.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Span, Symbol, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::nodes::{CALL_OPERATOR, Lower, children, named_children, squeeze};

/// The longest body of a lambda-expression in bytes that is lowered to statements. Those that constants call
/// choose among many numbers at most; the longest ones are whole host functions.
const LONGEST_RUN_LAMBDA: usize = 20_000;

impl Lower<'_> {
    /// A lambda-expression, lowered once and shared: it occurs in [`Expr`]s and in [`Item`]s.
    pub(super) fn closure(&self, node: Node<'_>) -> Arc<Closure> {
        if let Some(known) = self.closures.borrow().get(&node.id()) {
            return known.clone();
        }
        let closure = Arc::new(self.lower_closure(node));
        self.closures.borrow_mut().insert(node.id(), closure.clone());
        closure
    }

    /// GNU's statement expression, `({ int n = 2; n; })`, as the call of a lambda-expression that returns the value of its
    /// last statement.
    pub(super) fn statement_expression(&self, block: Node<'_>) -> Arc<Closure> {
        if let Some(known) = self.closures.borrow().get(&block.id()) {
            return known.clone();
        }
        let mut body = Vec::new();
        self.items_of_children(block, &mut body);
        let last = named_children(block).into_iter().next_back();
        let last = last.filter(|last| last.kind() == "expression_statement");
        let value =
            last.and_then(|last| named_children(last).into_iter().next()).map(|value| self.expr(value));
        let returns = value.map(|value| Returned { conditions: Vec::new(), value: Some(value) });
        let at = self.parsed.tokens[self.parsed.token_at(block.start_byte())].at;
        let function = call_operator(Vec::new(), Type::Auto, returns.into_iter().collect(), body);
        let decl = Decl {
            name: Symbol::intern(CALL_OPERATOR),
            qualifier: None,
            at,
            templates: Vec::new(),
            specifiers: Specifiers::default(),
            kind: DeclBody::Function(function),
        };
        let closure = Arc::new(Closure {
            at,
            text: squeeze(self.text(block)),
            function: String::new(),
            extended: None,
            ordinary_before: 0,
            host_device: false,
            capture_default: None,
            captures: Vec::new(),
            capture_candidates: Vec::new(),
            parameters: Vec::new(),
            result: Type::Auto,
            returns: Vec::new(),
            locals: Vec::new(),
            statements: None,
            operator: Some(Arc::new(decl)),
        });
        self.closures.borrow_mut().insert(block.id(), closure.clone());
        closure
    }

    fn lower_closure(&self, node: Node<'_>) -> Closure {
        let function = enclosing_function(self.parsed.tree.root_node(), node);
        let mut closure = Closure {
            at: self.parsed.tokens[self.parsed.token_at(node.start_byte())].at,
            text: squeeze(self.text(node)),
            function: function
                .and_then(|function| function.field("declarator"))
                .map_or(String::new(), |declarator| squeeze(self.text(declarator))),
            extended: None,
            ordinary_before: 0,
            host_device: false,
            capture_default: None,
            captures: Vec::new(),
            capture_candidates: Vec::new(),
            parameters: Vec::new(),
            result: Type::Auto,
            returns: Vec::new(),
            locals: Vec::new(),
            statements: None,
            operator: None,
        };
        if let Some(host_device) = self.execution_space(node) {
            closure.host_device = host_device;
            let before = function.map_or(0, |function| self.extended_before(function, node.start_byte()));
            closure.extended = Some(before + 1);
            closure.ordinary_before = function.map_or(0, |function| self.ordinary_before(function, node));
        }
        if let Some(list) = children(node).into_iter().find(|one| one.kind() == "lambda_capture_specifier") {
            self.captures(list, &mut closure);
        }
        if closure.capture_default.is_some() {
            closure.capture_candidates = self.capture_candidates(node);
        }
        closure.operator = self.generic_operator(node, closure.at);
        if closure.operator.is_none() {
            closure.parameters = self.lambda_parameters(node);
            closure.result = self.lambda_result(node);
            if let Some(body) = node.field("body") {
                closure.returns = self.returned(body, &Type::Auto);
                let is_deduced = closure.result.is_placeholder()
                    || name_placeholder(&mut closure.result.clone(), sym::AUTO);
                if is_deduced && closure.returns.iter().any(|one| one.value.is_some()) {
                    closure.locals = declarations(self.lambda_body(node));
                }
                closure.statements = self.lambda_statements(body);
            }
        }
        closure
    }

    /// Whether a lambda-expression is generic: it has template parameters, written or invented.
    pub(super) fn is_generic(&self, node: Node<'_>) -> bool {
        node.field("template_parameters").is_some()
            || self.lambda_parameters(node).iter_mut().any(|one| name_placeholder(&mut one.ty, sym::AUTO))
    }

    /// The call operator template of a generic lambda: a template parameter is invented for each `auto` among
    /// its parameters ([expr.prim.lambda.closure]/3). `None` for a lambda that is not generic.
    fn generic_operator(&self, node: Node<'_>, at: Span) -> Option<Arc<Decl>> {
        let head = node.field("template_parameters");
        let mut head = head.map_or(TemplateHead::default(), |head| self.template_head(head));
        let mut parameters = self.lambda_parameters(node);
        for parameter in &mut parameters {
            let invented = Symbol::intern(&format!("auto:{}", head.parameters.len() + 1));
            if name_placeholder(&mut parameter.ty, invented) {
                head.parameters.push(TemplateParameter {
                    name: invented,
                    type_or_concept: None,
                    template: false,
                    pack: matches!(parameter.ty, Type::Pack(_)),
                    default: None,
                    default_from: None,
                });
            }
        }
        if head.parameters.is_empty() {
            return None;
        }
        let body = node.field("body");
        let returns = body.map_or(Vec::new(), |body| self.returned(body, &Type::Auto));
        let function = Function {
            statements: body.and_then(|body| self.lambda_statements(body)),
            constraints: self.trailing_constraints(node),
            non_throwing: self.non_throwing(node),
            ..call_operator(parameters, self.lambda_result(node), returns, self.lambda_body(node))
        };
        Some(Arc::new(Decl {
            name: Symbol::intern(CALL_OPERATOR),
            qualifier: None,
            at,
            templates: vec![head],
            specifiers: Specifiers {
                device: self.execution_space(node) == Some(false),
                ..Specifiers::default()
            },
            kind: DeclBody::Function(function),
        }))
    }

    /// The statements of a lambda-expression's body, if a constant expression may call it: it is short, and it returns a
    /// value.
    fn lambda_statements(&self, body: Node<'_>) -> Option<Vec<Statement>> {
        let short = body.end_byte() - body.start_byte() <= LONGEST_RUN_LAMBDA;
        (short && self.text(body).contains("return")).then(|| self.statements(body)).flatten()
    }

    /// The trailing return type of a lambda-expression; `auto` without one ([expr.prim.lambda.general]/4).
    pub(super) fn lambda_result(&self, node: Node<'_>) -> Type {
        let parts = node.field("declarator").map_or(Vec::new(), children);
        let trailing = parts.into_iter().find(|part| part.kind() == "trailing_return_type");
        let written = trailing.and_then(|trailing| named_children(trailing).into_iter().next());
        written.map_or(Type::Auto, |written| self.type_argument(written))
    }

    /// For an extended lambda, `[] __device__ { … }`, whether it is `__host__` too; `None` for an ordinary
    /// lambda (CUDA C++ Programming Guide, "Extended Lambdas").
    fn execution_space(&self, node: Node<'_>) -> Option<bool> {
        let body = node.field("body")?;
        let (from, to) = (self.parsed.tokens_of(node).start, self.parsed.token_at(body.start_byte()));
        let (mut depth, mut host, mut device) = (0_i32, false, false);
        for token in &self.parsed.tokens[from.min(to)..to] {
            match token.text {
                sym::LPAREN | sym::LBRACKET => depth += 1,
                sym::RPAREN | sym::RBRACKET => depth -= 1,
                sym::HOST => host |= depth == 0,
                sym::DEVICE => device |= depth == 0,
                _ => {}
            }
        }
        device.then_some(host)
    }

    /// The number of extended lambdas of a function that begin before the byte `end`.
    fn extended_before(&self, function: Node<'_>, end: usize) -> usize {
        let mut count = 0;
        let mut pending = vec![function];
        while let Some(node) = pending.pop() {
            if node.start_byte() >= end {
                continue;
            }
            count += usize::from(node.kind() == "lambda_expression" && self.execution_space(node).is_some());
            pending.extend(named_children(node));
        }
        count
    }

    /// The number of ordinary lambdas of a function that begin before `lambda` and have its parameter types.
    fn ordinary_before(&self, function: Node<'_>, lambda: Node<'_>) -> usize {
        let own = self.parameter_types(lambda);
        let mut count = 0;
        let mut pending = vec![function];
        while let Some(node) = pending.pop() {
            if node.start_byte() >= lambda.start_byte() {
                continue;
            }
            if node.kind() == "lambda_expression" {
                count +=
                    usize::from(self.execution_space(node).is_none() && self.parameter_types(node) == own);
                // Lambdas inside its body are numbered within its call operator.
                continue;
            }
            pending.extend(named_children(node));
        }
        count
    }

    fn parameter_types(&self, lambda: Node<'_>) -> Vec<Type> {
        self.lambda_parameters(lambda).into_iter().map(|one| one.ty).collect()
    }

    /// Reads the lambda-capture: the capture-default and the explicit captures.
    fn captures(&self, list: Node<'_>, closure: &mut Closure) {
        let mut by_reference = false;
        for child in children(list) {
            match child.kind() {
                "lambda_default_capture" => {
                    closure.capture_default = Some(if self.text(child) == "&" {
                        CaptureKind::Reference
                    } else {
                        CaptureKind::Copy
                    });
                }
                "&" => by_reference = true,
                "," => by_reference = false,
                "identifier" => closure.captures.push(Capture {
                    name: self.symbol(child),
                    kind: if by_reference { CaptureKind::Reference } else { CaptureKind::Copy },
                    initializer: None,
                }),
                "lambda_capture_initializer" => {
                    let parts = named_children(child);
                    let reference = children(child).first().is_some_and(|first| first.kind() == "&");
                    if let [name, .., value] = parts.as_slice() {
                        closure.captures.push(Capture {
                            name: self.symbol(*name),
                            kind: if reference { CaptureKind::Reference } else { CaptureKind::Copy },
                            initializer: Some(self.expr(*value)),
                        });
                    }
                }
                _ => {}
            }
        }
    }

    /// The names that a lambda's body uses and does not declare, by first use; those in unevaluated operands
    /// capture nothing.
    fn capture_candidates(&self, node: Node<'_>) -> Vec<Symbol> {
        let Some(body) = node.field("body") else { return Vec::new() };
        let mut own: Vec<Symbol> = self.lambda_parameters(node).iter().map(|one| one.name).collect();
        let mut used = Vec::new();
        let mut pending = vec![body];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "decltype" | "sizeof_expression" | "alignof_expression" | "noexcept" => continue,
                "identifier" if declares(node) => own.push(self.symbol(node)),
                "identifier" => {
                    let name = self.symbol(node);
                    if !used.contains(&name) {
                        used.push(name);
                    }
                }
                _ => pending.extend(named_children(node).into_iter().rev()),
            }
        }
        used.retain(|name| !own.contains(name));
        used
    }
}

/// The declarations among the items of a body, in the blocks with return statements around them.
fn declarations(items: Vec<Item>) -> Vec<Item> {
    let declaration = |item: Item| match item {
        Item::Declare(_) => Some(item),
        Item::Block(inner, true) => Some(Item::Block(declarations(inner), true)),
        Item::IfConstexpr(condition, then, otherwise) => {
            Some(Item::IfConstexpr(condition, declarations(then), declarations(otherwise)))
        }
        _ => None,
    };
    items.into_iter().filter_map(declaration).collect()
}

/// The function call operator of a closure type. It is taken for const: that `mutable` makes it not so decides no call.
pub(in crate::facts) fn call_operator(
    parameters: Vec<Parameter>,
    result: Type,
    returns: Vec<Returned>,
    body: Vec<Item>,
) -> Function {
    let declared = Function::declared(result, parameters);
    Function { is_const: true, trailing_result: true, body: Some(body), returns, ..declared }
}

/// Replaces the `auto` of a parameter's type by the name of an invented template parameter; whether there was
/// one.
pub(super) fn name_placeholder(ty: &mut Type, name: Symbol) -> bool {
    match ty {
        Type::Auto => {
            *ty = Type::Named(Path::plain(name));
            true
        }
        Type::Pointer(inner)
        | Type::LvalueReference(inner)
        | Type::RvalueReference(inner)
        | Type::Array(inner, _)
        | Type::Qualified(inner, ..)
        | Type::Pack(inner) => name_placeholder(inner, name),
        _ => false,
    }
}

/// The function definition that encloses a lambda-expression; enclosing lambdas are passed over.
fn enclosing_function<'t>(root: Node<'t>, node: Node<'t>) -> Option<Node<'t>> {
    // Down from the root: each step up would begin there too.
    let mut above = root;
    let mut found = None;
    while above.id() != node.id() {
        if above.kind() == "function_definition" {
            found = Some(above);
        }
        above = above.child_with_descendant(node)?;
    }
    found
}

/// Whether an identifier is the name that a local declaration declares.
fn declares(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let declarator = parent.field("declarator").is_some_and(|own| own.id() == node.id());
    matches!(
        parent.kind(),
        "init_declarator"
            | "declaration"
            | "array_declarator"
            | "pointer_declarator"
            | "for_range_loop"
            | "parameter_declaration"
    ) && declarator
        || parent.kind() == "reference_declarator"
        || parent.kind() == "structured_binding_declarator"
}
