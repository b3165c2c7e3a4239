//! Class definitions with their bases, members and alignments, and enumerations.

use std::sync::Arc;

use tree_sitter::Node;

use crate::preprocess::PpToken;
use crate::source::{TokenKind, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::literals::number_literal;
use super::nodes::{Context, Lower, children, named_children};

impl Lower<'_> {
    /// Adds a class; `typedef_name` names the unnamed class of `typedef struct { … } Name;`.
    pub(super) fn class(
        &self,
        node: Node<'_>,
        templates: &[TemplateHead],
        typedef_name: Option<Node<'_>>,
        out: &mut Vec<Decl>,
    ) {
        let name = node.field("name").or(typedef_name);
        let body = node.field("body");
        let mut bases = Vec::new();
        for child in children(node) {
            if child.kind() == "base_class_clause" {
                self.bases(child, &mut bases);
            }
        }
        let members = body.map(|body| {
            let mut members = Vec::new();
            let mut non_public = node.kind() == "class_specifier";
            for member in named_children(body) {
                if member.kind() == "access_specifier" {
                    non_public = self.text(member) != "public";
                }
                let from = members.len();
                self.declaration(member, &[], Context::Class, &mut members);
                members[from..].iter_mut().for_each(|member| member.specifiers.non_public = non_public);
            }
            members.into_iter().map(Arc::new).collect()
        });
        let class = Class {
            is_union: node.kind() == "union_specifier",
            is_final: children(node).iter().any(|child| child.kind() == "virtual_specifier"),
            arguments: name.and_then(|name| self.path(name).last().arguments.clone()),
            bases,
            alignas: self.alignments(node),
            members,
            names: MemberNames::default(),
            packed: self.attributes(node).any(|token| matches!(token.text.as_str(), "packed" | "__packed__")),
            closure: None,
        };
        let mut decl = self.new_decl(node, name, templates, DeclBody::Class(class));
        decl.specifiers = Specifiers::default();
        out.push(decl);
    }

    /// The operands of `alignas(e)` and `__attribute__((aligned(e)))`.
    pub(super) fn alignments(&self, node: Node<'_>) -> Vec<Argument> {
        let mut alignments = Vec::new();
        for child in children(node) {
            let qualifier = match child.kind() {
                "type_qualifier" => child.named_child(0),
                _ => Some(child),
            };
            let Some(qualifier) = qualifier.filter(|one| one.kind().starts_with("alignas")) else { continue };
            let Some(operand) = named_children(qualifier).into_iter().next() else { continue };
            alignments.push(match operand.kind() {
                "type_descriptor" => Argument::Type(self.type_descriptor(operand)),
                _ => Argument::Value(self.expr(operand)),
            });
        }
        let mut attributes = self.attributes(node).skip_while(|token| !is_aligned(token.text.as_str()));
        if attributes.next().is_some() {
            let number = attributes.nth(1).filter(|token| token.kind == TokenKind::Number);
            alignments.push(Argument::Value(
                number.map_or(Expr::Unknown("aligned".into()), |token| number_literal(token.text.as_str())),
            ));
        }
        alignments
    }

    /// The tokens of a declaration outside its braces, up to its semicolon. The attributes, which are hidden
    /// from the grammar, are among them.
    fn attributes(&self, node: Node<'_>) -> impl Iterator<Item = &PpToken> {
        let start = self.parsed.tokens_of(node).start;
        let mut depth = 0_i32;
        self.parsed.tokens[start..]
            .iter()
            .filter(move |token| {
                depth += i32::from(token.text == sym::LBRACE);
                depth -= i32::from(token.text == sym::RBRACE);
                depth == 0
            })
            .take_while(|token| token.text != sym::SEMI)
    }

    fn bases(&self, clause: Node<'_>, bases: &mut Vec<(Type, bool)>) {
        let mut is_virtual = false;
        for child in children(clause) {
            match child.kind() {
                "virtual" => is_virtual = true,
                "," => is_virtual = false,
                "..." => {
                    if let Some((base, is_virtual)) = bases.pop() {
                        bases.push((Type::Pack(Box::new(base)), is_virtual));
                    }
                }
                "type_identifier"
                | "qualified_identifier"
                | "template_type"
                | "dependent_type"
                | "decltype" => {
                    bases.push((self.type_specifier(child), is_virtual));
                }
                _ => {}
            }
        }
    }

    /// Adds an enumeration; `typedef_name` names the unnamed one of `typedef enum { … } Name;`.
    pub(super) fn enumeration(&self, node: Node<'_>, typedef_name: Option<Node<'_>>, out: &mut Vec<Decl>) {
        // The grammar knows no `enum : T { … }` and takes the type for the name.
        let is_colon = |child: &Node<'_>| child.kind() == "ERROR" || child.kind() == ":";
        let named = node.field("name");
        let unnamed_base = named.filter(|name| name.prev_sibling().is_some_and(|before| is_colon(&before)));
        let name = named.filter(|_| unnamed_base.is_none()).or(typedef_name);
        let scoped = children(node).iter().any(|child| matches!(child.kind(), "class" | "struct"));
        let mut enumerators = Vec::new();
        if let Some(body) = node.field("body") {
            for child in named_children(body).into_iter().filter(|child| child.kind() == "enumerator") {
                if let Some(name) = child.field("name") {
                    let value = child.field("value").map(|value| self.expr(value));
                    enumerators.push((self.symbol(name), value));
                }
            }
        }
        let base = node.field("base").or(unnamed_base);
        let underlying = base.map(|base| self.type_specifier(base));
        let kind = DeclBody::Enum(Enum { scoped, underlying, enumerators });
        let mut decl = self.new_decl(node, name, &[], kind);
        decl.specifiers = Specifiers::default();
        out.push(decl);
    }
}

fn is_aligned(word: &str) -> bool {
    matches!(word, "aligned" | "__aligned__")
}
