//! The bodies of `constexpr` functions and of lambda-expressions as statements that can be run.
//!
//! All of a body or nothing: a single statement that is not modelled leaves the function's value unknown.

use std::sync::Arc;

use tree_sitter::Node;

use super::nodes::{Context, Lower, children, named_children};
use crate::facts::lower::ast::*;
use crate::syntax::Fields;

impl Lower<'_> {
    /// The statements of a function definition: the mem-initializers of a constructor, then those of its body; `None` if one
    /// of them is not modelled.
    pub(super) fn function_statements(&self, definition: Node<'_>, body: Node<'_>) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        for part in children(definition) {
            if part.kind() == "field_initializer_list" {
                for initializer in
                    named_children(part).into_iter().filter(|one| one.kind() == "field_initializer")
                {
                    statements.push(self.member_initializer(initializer)?);
                }
            }
        }
        statements.extend(self.statements(body)?);
        Some(statements)
    }

    /// A mem-initializer, `width(w)` or `Base<T>{t}`.
    fn member_initializer(&self, node: Node<'_>) -> Option<Statement> {
        let parts = named_children(node);
        let [name, value] = parts.as_slice() else { return None };
        Some(Statement::Initialize(self.path(*name), self.initializer(*value)))
    }

    /// The statements of a body; `None` if one of them is not modelled.
    pub(super) fn statements(&self, body: Node<'_>) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        named_children(body).into_iter().try_for_each(|child| self.statement(child, &mut statements))?;
        Some(statements)
    }

    fn statement(&self, node: Node<'_>, out: &mut Vec<Statement>) -> Option<()> {
        let field = |name: &str| node.field(name);
        match node.kind() {
            "compound_statement" => out.push(Statement::Block(self.statements(node)?)),
            "declaration" | "alias_declaration" | "type_definition" | "using_declaration"
            | "class_specifier" | "struct_specifier" | "enum_specifier" => {
                let mut decls = Vec::new();
                self.declaration(node, &[], Context::Body, &mut decls);
                out.extend(decls.into_iter().map(|decl| Statement::Declare(Arc::new(decl))));
            }
            "if_statement" => {
                let then = self.substatement(field("consequence"))?;
                let otherwise =
                    field("alternative").and_then(|clause| named_children(clause).into_iter().next());
                let otherwise = self.substatement(otherwise)?;
                self.selection(field("condition")?, out, |value| Statement::If(value, then, otherwise))?;
            }
            "switch_statement" => {
                let body = self.statements(field("body")?)?;
                self.selection(field("condition")?, out, |value| Statement::Switch(value, body))?;
            }
            "for_statement" => {
                let init = self.substatement(field("initializer"))?;
                let condition = field("condition").map(|condition| self.expr(condition));
                let (body, increment) =
                    (self.substatement(field("body"))?, self.substatement(field("update"))?);
                let one = Loop { init, condition, body, increment, condition_last: false };
                out.push(Statement::Loop(Box::new(one)));
            }
            "for_range_loop" => {
                let init = self.substatement(field("initializer"))?;
                let variables = self.range_variables(node);
                let range = self.expr(field("right")?);
                let each = Statement::RangeLoop(variables, range, self.substatement(field("body"))?);
                out.push(Statement::Block(init.into_iter().chain([each]).collect()));
            }
            "while_statement" | "do_statement" => {
                let condition = field("condition")?;
                if condition.field("value").is_some_and(|one| one.kind() == "declaration") {
                    return None;
                }
                let body = self.substatement(field("body"))?;
                out.push(Statement::Loop(Box::new(Loop {
                    init: Vec::new(),
                    condition: Some(self.expr(condition)),
                    body,
                    increment: Vec::new(),
                    condition_last: node.kind() == "do_statement",
                })));
            }
            "case_statement" => {
                let value = field("value");
                out.push(Statement::Label(value.map(|value| self.expr(value))));
                let statements = named_children(node).into_iter().filter(|child| Some(*child) != value);
                statements.into_iter().try_for_each(|child| self.statement(child, out))?;
            }
            "break_statement" => out.push(Statement::Break),
            "continue_statement" => out.push(Statement::Continue),
            "return_statement" => {
                let value = named_children(node).into_iter().next();
                out.push(Statement::Return(value.map(|value| self.expr(value))));
            }
            "expression_statement" | "init_statement" => {
                named_children(node).into_iter().try_for_each(|child| self.statement(child, out))?;
            }
            "attributed_statement" => self.statement(named_children(node).into_iter().next_back()?, out)?,
            // A call that throws is not a constant expression.
            "throw_statement" => out.push(Statement::Return(Some(Expr::Unknown(String::new())))),
            "static_assert_declaration" | "comment" | "attribute_declaration" => {}
            kind if kind.ends_with("_expression") || matches!(kind, "identifier" | "number_literal") => {
                out.push(Statement::Expression(self.expr(node)));
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds a selection statement that `made` makes of its condition, in a block with the declarations in its parentheses.
    fn selection(
        &self,
        condition: Node<'_>,
        out: &mut Vec<Statement>,
        made: impl FnOnce(Expr) -> Statement,
    ) -> Option<()> {
        let init = condition.field("initializer");
        let declared = condition.field("value").filter(|value| value.kind() == "declaration");
        let mut block = Vec::new();
        [init, declared].into_iter().flatten().try_for_each(|part| self.statement(part, &mut block))?;
        let value = match (declared, block.last()) {
            (Some(_), Some(Statement::Declare(decl))) => Expr::Name(Path::plain(decl.name)),
            (Some(_), _) => return None,
            (None, _) => self.expr(condition),
        };
        block.push(made(value));
        match block.len() {
            1 => out.append(&mut block),
            _ => out.push(Statement::Block(block)),
        }
        Some(())
    }

    /// The statements of a substatement; none for a missing one.
    fn substatement(&self, node: Option<Node<'_>>) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        if let Some(node) = node {
            self.statement(node, &mut statements)?;
        }
        Some(statements)
    }
}
