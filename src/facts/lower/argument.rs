//! Template arguments that are ambiguous between a type-id and an expression: the grammar takes
//! `rows(kStages)` for a function type, as C++ does if its names denote types ([temp.arg]/2).
//!
//! In: an argument that the grammar parsed as a type. Out: both readings, since no name is looked up here.

use tree_sitter::Node;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::syntax::{Fields, parse};

use super::ast::*;
use super::nodes::{Lower, named_children};

impl Lower<'_> {
    /// A template argument that the grammar parsed as a type.
    pub(super) fn type_or_call(&self, node: Node<'_>) -> Argument {
        let ty = self.type_descriptor(node);
        let declarator = node.field("declarator");
        if declarator.is_none_or(|one| one.kind() != "abstract_function_declarator") {
            return Argument::Type(ty);
        }
        let Some(expr) = self.reparsed_as_expression(node) else { return Argument::Type(ty) };
        match (&ty, &expr) {
            // A keyword is no type, so only the expression is left.
            (_, Expr::Cast(..) | Expr::Noexcept(_)) => Argument::Value(expr),
            (Type::Function(..), Expr::Call(..) | Expr::Construct(..)) => {
                Argument::Type(Type::Call(Box::new(ty), Box::new(expr)))
            }
            _ => Argument::Type(ty),
        }
    }

    /// The expression that the same tokens are when they are parsed as an initializer; `None` where they are
    /// none.
    pub(super) fn reparsed_as_expression(&self, node: Node<'_>) -> Option<Expr> {
        let own = self.parsed.tokens.get(self.parsed.tokens_of(node))?;
        let first = *own.first()?;
        let word = |kind, text| PpToken { kind, text, space_before: true, line_start: false, ..first };
        let mut tokens = vec![
            word(TokenKind::Identifier, sym::AUTO),
            word(TokenKind::Identifier, Symbol::intern("argument")),
            word(TokenKind::Punctuator, sym::ASSIGN),
        ];
        // A statement has a semicolon of its own.
        let last = own.last().filter(|token| token.text == sym::SEMI);
        tokens.extend_from_slice(&own[..own.len() - usize::from(last.is_some())]);
        tokens.push(word(TokenKind::Punctuator, sym::SEMI));
        let parsed = parse(&tokens);
        let lower = Lower::new(&parsed, self.detail).without_uses();
        let declaration = named_children(parsed.tree.root_node()).into_iter().next()?;
        let value = declaration.field("declarator")?.field("value")?;
        (parsed.error_bytes == 0).then(|| lower.expr(value))
    }
}
