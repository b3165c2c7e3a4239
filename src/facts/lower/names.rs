//! Qualified names and template argument lists.

use tree_sitter::Node;

use crate::source::Symbol;
use crate::syntax::{DECLTYPE_TEMPLATE, Fields, OPERATOR_NAME};

use super::ast::*;
use super::nodes::{Lower, named_children, squeeze};

impl Lower<'_> {
    /// The name that a node spells.
    pub(super) fn path(&self, node: Node<'_>) -> Path {
        let mut path = Path::default();
        self.push_segments(node, &mut path);
        if path.segments.is_empty() {
            path.segments.push(Segment { name: Symbol::intern(&squeeze(self.text(node))), arguments: None });
        }
        path
    }

    /// Of the ptr-operator `A::B::*name`: the class, and the declarator after it.
    pub(super) fn pointer_to_member<'t>(&self, mut node: Node<'t>) -> Option<(Path, Node<'t>)> {
        let mut path = Path::default();
        while node.kind() == "qualified_identifier" {
            match node.field("scope") {
                Some(scope) => self.push_segments(scope, &mut path),
                None => path.global |= path.segments.is_empty(),
            }
            node = node.field("name")?;
        }
        (node.kind() == "pointer_type_declarator" && !path.segments.is_empty()).then_some((path, node))
    }

    fn push_segments(&self, node: Node<'_>, path: &mut Path) {
        match node.kind() {
            "qualified_identifier" => {
                match node.field("scope") {
                    Some(scope) => self.push_segments(scope, path),
                    None => path.global |= path.segments.is_empty(),
                }
                if let Some(name) = node.field("name") {
                    self.push_segments(name, path);
                }
            }
            "nested_namespace_specifier" => {
                for child in named_children(node) {
                    self.push_segments(child, path);
                }
            }
            "template_type" | "template_function"
                if node.field("name").is_some_and(|name| self.text(name) == DECLTYPE_TEMPLATE) =>
            {
                let list = node.field("arguments").and_then(|list| list.named_child(0));
                if let Some(operand) = list.and_then(|parentheses| parentheses.named_child(0)) {
                    let ty = Type::Decltype(Box::new(self.decltype_operand(node, operand)));
                    let name = Symbol::intern(&format!("decltype({})", squeeze(self.text(operand))));
                    path.segments.push(Segment { name, arguments: Some(vec![Argument::Type(ty)]) });
                }
            }
            "template_type" | "template_function" | "template_method" => {
                if let Some(name) = node.field("name") {
                    self.push_segments(name, path);
                }
                let arguments = node.field("arguments").map(|list| self.template_arguments(list));
                if let Some(last) = path.segments.last_mut() {
                    last.arguments = Some(arguments.unwrap_or_default());
                }
            }
            "dependent_name" | "dependent_type" => {
                if let Some(inner) = named_children(node).into_iter().next() {
                    self.push_segments(inner, path);
                }
            }
            // The name of a conversion function ends before its parameter list.
            "operator_cast" => {
                let text = self.text(node);
                let name = text.find('(').map_or(text, |end| &text[..end]);
                let name = Symbol::intern(&squeeze(name));
                path.segments.push(Segment { name, arguments: None });
            }
            // `decltype(x)::value`: see [`Path::is_decltype`].
            "decltype" => path.segments.push(Segment {
                name: Symbol::intern(&squeeze(self.text(node))),
                arguments: Some(vec![Argument::Type(self.type_specifier(node))]),
            }),
            _ => path.segments.push(Segment { name: self.name(node), arguments: None }),
        }
    }

    /// The name that a node spells, that of an operator function too for which the grammar was given another.
    fn name(&self, node: Node<'_>) -> Symbol {
        if self.text(node) != OPERATOR_NAME {
            return Symbol::intern(&squeeze(self.text(node)));
        }
        let first = self.parsed.token_at(node.start_byte());
        let (tokens, spans) = (&self.parsed.tokens[first..], &self.parsed.spans[first..]);
        let rest = tokens.iter().zip(spans).skip(1).take_while(|(_, span)| span.is_empty());
        let text = rest.fold(tokens[0].text.to_string(), |text, (token, _)| text + token.text.as_str());
        Symbol::intern(&text)
    }

    fn template_arguments(&self, list: Node<'_>) -> Vec<Argument> {
        named_children(list).into_iter().map(|child| self.template_argument(child)).collect()
    }

    fn template_argument(&self, node: Node<'_>) -> Argument {
        match node.kind() {
            "type_descriptor" => self.type_or_call(node),
            "parameter_pack_expansion" => match node.field("pattern").or_else(|| node.named_child(0)) {
                Some(pattern) => Argument::Pack(Box::new(self.template_argument(pattern))),
                None => Argument::Value(Expr::Unknown(self.text(node).to_string())),
            },
            "identifier" | "qualified_identifier" | "template_function" => {
                Argument::Type(Type::Named(self.path(node)))
            }
            _ => Argument::Value(self.expr(node)),
        }
    }
}
