//! The bodies of `constexpr` functions as statements that can be run.
//!
//! All of a body or nothing: a single statement that is not modelled leaves the function's value unknown.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Symbol, sym};

use super::nodes::{Context, Lower, children, named_children};
use crate::facts::lower::ast::*;

impl Lower<'_> {
    /// The statements of a body; `None` if one of them is not modelled.
    pub(super) fn statements(&self, body: Node<'_>) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        named_children(body).into_iter().try_for_each(|child| self.statement(child, &mut statements))?;
        Some(statements)
    }

    fn statement(&self, node: Node<'_>, out: &mut Vec<Statement>) -> Option<()> {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "compound_statement" => out.push(Statement::Block(self.statements(node)?)),
            "declaration" | "alias_declaration" | "type_definition" | "using_declaration" => {
                let mut decls = Vec::new();
                self.declaration(node, &[], Context::Body, &mut decls);
                if has_side_effects(node) {
                    return None;
                }
                out.extend(decls.into_iter().map(|decl| Statement::Declare(Arc::new(decl))));
            }
            "if_statement" => {
                let condition = self.pure_expression(field("condition")?)?;
                let then = self.substatement(field("consequence"))?;
                let otherwise =
                    field("alternative").and_then(|clause| named_children(clause).into_iter().next());
                out.push(Statement::If(condition, then, self.substatement(otherwise)?));
            }
            "for_statement" => {
                let init = self.substatement(field("initializer"))?;
                let condition = field("condition")
                    .map(|condition| self.pure_expression(condition))
                    .map_or(Some(None), |condition| condition.map(Some))?;
                let (body, increment) =
                    (self.substatement(field("body"))?, self.substatement(field("update"))?);
                let before_condition = Vec::new();
                out.push(Statement::Loop(Box::new(Loop {
                    init,
                    before_condition,
                    condition,
                    body,
                    increment,
                    condition_last: false,
                })));
            }
            "while_statement" | "do_statement" => {
                let written = named_children(field("condition")?).into_iter().next()?;
                let mut before_condition = Vec::new();
                let condition = match written.kind() {
                    // `while (n >>= 1)`: the assignment runs before every evaluation of the condition.
                    "assignment_expression" => {
                        self.statement(written, &mut before_condition)?;
                        self.expr(written.child_by_field_name("left")?)
                    }
                    _ => self.pure_expression(written)?,
                };
                let (init, body, increment) = (Vec::new(), self.substatement(field("body"))?, Vec::new());
                let condition_last = node.kind() == "do_statement";
                out.push(Statement::Loop(Box::new(Loop {
                    init,
                    before_condition,
                    condition: Some(condition),
                    body,
                    increment,
                    condition_last,
                })));
            }
            "switch_statement" => {
                out.push(Statement::Switch(
                    self.pure_expression(field("condition")?)?,
                    self.statements(field("body")?)?,
                ));
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
                let value = named_children(node).into_iter().next()?;
                out.push(Statement::Return(self.pure_expression(value)?));
            }
            "expression_statement" => {
                named_children(node).into_iter().try_for_each(|child| self.statement(child, out))?;
            }
            "comma_expression" => {
                self.statement(field("left")?, out)?;
                self.statement(field("right")?, out)?;
            }
            "assignment_expression" => {
                let (left, right) = (field("left")?, field("right")?);
                if left.kind() != "identifier" {
                    return None;
                }
                let operator = self.text(field("operator")?).strip_suffix('=')?;
                let operator = (!operator.is_empty()).then(|| Symbol::intern(operator));
                out.push(Statement::Assign(self.symbol(left), operator, self.pure_expression(right)?));
            }
            "update_expression" => {
                let operand = field("argument").filter(|operand| operand.kind() == "identifier")?;
                let operator =
                    if children(node).iter().any(|child| child.kind() == "++") { "+" } else { "-" };
                let one = Expr::Int(1, sym::INT);
                out.push(Statement::Assign(self.symbol(operand), Some(Symbol::intern(operator)), one));
            }
            // A call that throws is not a constant expression.
            "throw_statement" => out.push(Statement::Return(Expr::Unknown(String::new()))),
            "static_assert_declaration" | "comment" => {}
            // `assert(n > 0);`, `(void)n;` have no effect on the value.
            kind if kind.ends_with("_expression") && !has_side_effects(node) => {}
            _ => return None,
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

    /// An expression without side effects; `None` for any other.
    fn pure_expression(&self, node: Node<'_>) -> Option<Expr> {
        let declares = node.child_by_field_name("initializer").is_some();
        (!declares && !has_side_effects(node)).then(|| self.expr(node))
    }
}

/// Whether an expression assigns, increments or decrements anything.
fn has_side_effects(tree: Node<'_>) -> bool {
    let mut pending = vec![tree];
    while let Some(node) = pending.pop() {
        if matches!(node.kind(), "assignment_expression" | "update_expression") {
            return true;
        }
        pending.extend(named_children(node));
    }
    false
}
