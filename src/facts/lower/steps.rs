//! The bodies of `constexpr` functions as the steps that make their value.
//!
//! All of a body or nothing: one statement that is not understood, and the value is not known.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Symbol, sym};

use super::nodes::{Context, Lower, children, named_children};
use crate::facts::lower::ast::*;

impl Lower<'_> {
    /// A body's steps, or nothing when it has a statement that they can't express.
    pub(super) fn steps(&self, body: Node<'_>) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        named_children(body).into_iter().try_for_each(|child| self.step(child, &mut steps))?;
        Some(steps)
    }

    fn step(&self, node: Node<'_>, out: &mut Vec<Step>) -> Option<()> {
        let field = |name: &str| node.child_by_field_name(name);
        match node.kind() {
            "compound_statement" => out.push(Step::Block(self.steps(node)?)),
            "declaration" | "alias_declaration" | "type_definition" | "using_declaration" => {
                let mut decls = Vec::new();
                self.declaration(node, &[], Context::Body, &mut decls);
                if changes_something(node) {
                    return None;
                }
                out.extend(decls.into_iter().map(|decl| Step::Declare(Arc::new(decl))));
            }
            "if_statement" => {
                let condition = self.condition(field("condition")?)?;
                let then = self.branch(field("consequence"))?;
                let otherwise =
                    field("alternative").and_then(|clause| named_children(clause).into_iter().next());
                out.push(Step::If(condition, then, self.branch(otherwise)?));
            }
            "for_statement" => {
                let first = self.branch(field("initializer"))?;
                let test = field("condition")
                    .map(|test| self.condition(test))
                    .map_or(Some(None), |test| test.map(Some))?;
                let (body, after) = (self.branch(field("body"))?, self.branch(field("update"))?);
                let before = Vec::new();
                out.push(Step::Loop(Box::new(Loop { first, before, test, body, after, tested_last: false })));
            }
            "while_statement" | "do_statement" => {
                let condition = named_children(field("condition")?).into_iter().next()?;
                let mut before = Vec::new();
                let test = match condition.kind() {
                    // `while (n >>= 1)`
                    "assignment_expression" => {
                        self.step(condition, &mut before)?;
                        self.expr(condition.child_by_field_name("left")?)
                    }
                    _ => self.condition(condition)?,
                };
                let (first, body, after) = (Vec::new(), self.branch(field("body"))?, Vec::new());
                let tested_last = node.kind() == "do_statement";
                out.push(Step::Loop(Box::new(Loop {
                    first,
                    before,
                    test: Some(test),
                    body,
                    after,
                    tested_last,
                })));
            }
            "switch_statement" => {
                out.push(Step::Switch(self.condition(field("condition")?)?, self.steps(field("body")?)?));
            }
            "case_statement" => {
                let value = field("value");
                out.push(Step::Label(value.map(|value| self.expr(value))));
                let statements = named_children(node).into_iter().filter(|child| Some(*child) != value);
                statements.into_iter().try_for_each(|child| self.step(child, out))?;
            }
            "break_statement" => out.push(Step::Break),
            "continue_statement" => out.push(Step::Continue),
            "return_statement" => {
                let value = named_children(node).into_iter().next()?;
                out.push(Step::Return(self.condition(value)?));
            }
            "expression_statement" => {
                named_children(node).into_iter().try_for_each(|child| self.step(child, out))?;
            }
            "comma_expression" => {
                self.step(field("left")?, out)?;
                self.step(field("right")?, out)?;
            }
            "assignment_expression" => {
                let (left, right) = (field("left")?, field("right")?);
                if left.kind() != "identifier" {
                    return None;
                }
                let operator = self.text(field("operator")?).strip_suffix('=')?;
                let operator = (!operator.is_empty()).then(|| Symbol::intern(operator));
                out.push(Step::Assign(self.symbol(left), operator, self.condition(right)?));
            }
            "update_expression" => {
                let operand = field("argument").filter(|operand| operand.kind() == "identifier")?;
                let operator =
                    if children(node).iter().any(|child| child.kind() == "++") { "+" } else { "-" };
                let one = Expr::Int(1, sym::INT);
                out.push(Step::Assign(self.symbol(operand), Some(Symbol::intern(operator)), one));
            }
            // No constant comes of it.
            "throw_statement" => out.push(Step::Return(Expr::Unknown(String::new()))),
            "static_assert_declaration" | "comment" => {}
            // `assert(n > 0);`, `(void)n;`
            kind if kind.ends_with("_expression") && !changes_something(node) => {}
            _ => return None,
        }
        Some(())
    }

    /// A statement that is a branch or a body; none is an empty one.
    fn branch(&self, node: Option<Node<'_>>) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        if let Some(node) = node {
            self.step(node, &mut steps)?;
        }
        Some(steps)
    }

    /// An expression that changes nothing while it is evaluated.
    fn condition(&self, node: Node<'_>) -> Option<Expr> {
        let declares = node.child_by_field_name("initializer").is_some();
        (!declares && !changes_something(node)).then(|| self.expr(node))
    }
}

/// Whether something in a tree assigns or counts.
fn changes_something(tree: Node<'_>) -> bool {
    let mut pending = vec![tree];
    while let Some(node) = pending.pop() {
        if matches!(node.kind(), "assignment_expression" | "update_expression") {
            return true;
        }
        pending.extend(named_children(node));
    }
    false
}
