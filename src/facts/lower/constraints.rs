//! Concepts, requires-clauses, requires-expressions and abbreviated function templates ([temp.constr]).

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::closure::name_placeholder;
use super::declarators::Declared;
use super::nodes::{Lower, children, named_children, squeeze};

impl Lower<'_> {
    /// Adds a concept: `template <class T> concept Wide = sizeof(T) == 8;`.
    pub(super) fn concept(&self, node: Node<'_>, templates: &[TemplateHead], out: &mut Vec<Decl>) {
        let name = node.field("name");
        let value = named_children(node).into_iter().next_back().filter(|value| Some(*value) != name);
        let variable = Variable {
            ty: Type::Builtin(sym::BOOL),
            initializer: value.map(|value| self.expr(value)),
            initialization: Initialization::Copy,
            bits: None,
            alignas: Vec::new(),
            arguments: None,
            items: Vec::new(),
        };
        let mut decl = self.new_decl(node, name, templates, DeclBody::Variable(variable));
        decl.specifiers.is_concept = true;
        decl.specifiers.is_constexpr = true;
        out.push(decl);
    }

    /// The constraint-expression of a requires-clause.
    pub(super) fn constraint(&self, clause: Node<'_>) -> Option<Expr> {
        // The grammar's field is the parenthesis, where the clause has one.
        let constraint = named_children(clause).into_iter().next();
        constraint.map(|constraint| self.expr(constraint))
    }

    /// The trailing requires-clauses of the function that a node declares.
    pub(super) fn trailing_constraints(&self, node: Node<'_>) -> Vec<Expr> {
        let mut clauses = Vec::new();
        after_parameters(node, &["requires_clause"], &mut clauses);
        clauses.into_iter().filter_map(|clause| self.constraint(clause)).collect()
    }

    /// The condition under which the function that a node declares does not throw ([except.spec]); `None` without an
    /// exception specification.
    pub(super) fn non_throwing(&self, node: Node<'_>) -> Option<Expr> {
        let mut specifications = Vec::new();
        after_parameters(node, &["noexcept", "throw_specifier"], &mut specifications);
        Some(self.specified(*specifications.first()?))
    }

    /// The condition under which a function of the type that a declarator gives does not throw; `None` without an exception
    /// specification.
    pub(super) fn non_throwing_type(&self, declarator: Node<'_>) -> Option<Box<Expr>> {
        let specification = children(declarator).into_iter().find(|child| child.kind() == "noexcept")?;
        Some(Box::new(self.specified(specification)))
    }

    fn specified(&self, specification: Node<'_>) -> Expr {
        match named_children(specification).into_iter().next() {
            None => Expr::Int(1, sym::BOOL),
            // `throw(X)`, with the types that it may throw.
            Some(_) if specification.kind() == "throw_specifier" => Expr::Int(0, sym::BOOL),
            Some(condition) => self.expr(condition),
        }
    }

    /// An abbreviated function template, `void f(Wide auto x)`: invents a template parameter for each
    /// placeholder type among the parameters ([dcl.fct]/22).
    pub(super) fn abbreviated_template(
        &self,
        declarator: Node<'_>,
        declared: &mut Declared<'_>,
        templates: &mut Vec<TemplateHead>,
    ) {
        let Some(parameters) = declared.parameters.as_mut() else { return };
        let mut invented = Vec::new();
        let mut concepts = None;
        for parameter in parameters {
            let name = Symbol::intern(&format!("auto:{}", invented.len() + 1));
            if name_placeholder(&mut parameter.ty, name) {
                let number = invented.len();
                let concepts = concepts.get_or_insert_with(|| {
                    let mut all = Vec::new();
                    self.placeholder_concepts(declarator, &mut all);
                    all
                });
                invented.push(TemplateParameter {
                    name,
                    type_or_concept: concepts.get(number).cloned().flatten(),
                    template: false,
                    pack: matches!(parameter.ty, Type::Pack(_)),
                    default: None,
                    default_from: None,
                });
            }
        }
        if invented.is_empty() {
            return;
        }
        match templates.last_mut() {
            Some(head) if !head.parameters.is_empty() => head.parameters.extend(invented),
            _ => templates.push(TemplateHead { parameters: invented, constraints: Vec::new() }),
        }
    }

    /// The type-constraint of each placeholder type among a function's parameters, in order.
    fn placeholder_concepts(&self, node: Node<'_>, out: &mut Vec<Option<Type>>) {
        for child in named_children(node) {
            match child.kind() {
                "placeholder_type_specifier" => {
                    out.push(child.field("constraint").map(|concept| Type::Named(self.path(concept))))
                }
                "trailing_return_type" | "requires_clause" => {}
                _ => self.placeholder_concepts(child, out),
            }
        }
    }

    /// Whether a declaration is a deduction guide: `X(T) -> X<T>;`.
    pub(super) fn is_guide(&self, node: Node<'_>, declarator: Node<'_>, name: Option<Node<'_>>) -> bool {
        node.field("type").is_none()
            && children(declarator).iter().any(|child| child.kind() == "trailing_return_type")
            && name.is_some_and(|name| name.kind() == "identifier")
    }

    /// A requires-expression.
    pub(super) fn requires(&self, node: Node<'_>) -> Expr {
        let parameters = node.field("parameters");
        let Some(list) = node.field("requirements") else {
            return Expr::Unknown(squeeze(self.text(node)));
        };
        let mut requirements = Vec::new();
        for node in named_children(list) {
            requirements.extend(self.requirement(node));
            // `{ e } noexcept;`
            if node.kind() == "compound_requirement"
                && children(node).iter().any(|one| one.kind() == "noexcept")
                && let Some(Requirement::Valid(expr, _)) = requirements.last().cloned()
            {
                requirements.push(Requirement::Holds(Expr::Noexcept(Box::new(expr))));
            }
        }
        let parameters = parameters.map_or(Vec::new(), |list| self.parameters(list));
        Expr::Requires(Arc::new(Requires { parameters, requirements }))
    }

    fn requirement(&self, node: Node<'_>) -> Option<Requirement> {
        let first = named_children(node).into_iter().next()?;
        Some(match (node.kind(), first.kind()) {
            ("type_requirement", _) => Requirement::Named(self.path(first)),
            (_, "requires_clause") => Requirement::Holds(self.constraint(first)?),
            ("compound_requirement", _) => {
                let result = children(node).into_iter().find(|one| one.kind() == "trailing_return_type");
                let concept = result.and_then(|result| match self.type_argument(result.named_child(0)?) {
                    Type::Named(path) => Some(path),
                    _ => None,
                });
                Requirement::Valid(self.expr(first), concept)
            }
            _ => Requirement::Valid(self.expr(first), None),
        })
    }
}

/// Adds the parts of these kinds that follow the parameters of the function that a node declares.
fn after_parameters<'n>(node: Node<'n>, kinds: &[&str], out: &mut Vec<Node<'n>>) {
    for child in children(node) {
        match child.kind() {
            kind if kinds.contains(&kind) => out.push(child),
            "function_declarator"
            | "abstract_function_declarator"
            | "pointer_declarator"
            | "reference_declarator" => after_parameters(child, kinds, out),
            _ => {}
        }
    }
}
