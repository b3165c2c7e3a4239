//! Template-heads and explicit instantiations.

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::declarators::{Declared, result_of};
use super::nodes::{Lower, children, named_children};

impl Lower<'_> {
    /// Adds an explicit instantiation of a function or a class ([temp.explicit]).
    pub(super) fn instantiation(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let mut mention = None;
        // Behind a class the grammar may miss one: `template struct X<double()>;`
        if let Some(declarator) = node.field("declarator").filter(|one| !one.is_missing()) {
            let declared = self.declarator(declarator, self.base_type(node));
            if let Some(name) = declared.name {
                let result = result_of(&declared.ty);
                let qualifiers = (declared.is_const, declared.reference);
                let signature = declared.parameters.map(|list| Signature {
                    result,
                    parameters: list.into_iter().map(|one| one.ty).collect(),
                    qualifiers,
                });
                let at = self.parsed.span_of(self.last_name_node(name));
                mention = Some(Mention { signature, ..Mention::of(self.path(name), at) });
            }
        } else if let Some(ty) = node.field("type") {
            let name = ty.field("name").filter(|_| ty.kind().ends_with("_specifier")).unwrap_or(ty);
            let at = self.parsed.span_of(self.last_name_node(name));
            mention = Some(Mention { role: Role::InstantiatedClass, ..Mention::of(self.path(name), at) });
        }
        let Some(mention) = mention else { return };
        let tokens = self.parsed.tokens_of(node);
        let is_extern = self.parsed.tokens[tokens].iter().take(2).any(|token| token.text == sym::EXTERN)
            || self.parsed.tokens.first().is_some_and(|token| token.text == sym::EXTERN);
        let (name, at) = (mention.path.last().name, mention.at);
        let mut decl = self.new_decl(node, None, &[], DeclBody::Instantiation(Box::new(mention)));
        decl.name = name;
        decl.at = at;
        decl.specifiers.is_extern = is_extern;
        out.push(decl);
    }

    /// The template parameters of a template-head.
    pub(super) fn template_head(&self, node: Node<'_>) -> TemplateHead {
        let mut parameters: Vec<TemplateParameter> = Vec::new();
        for child in children(node).into_iter().filter(|child| child.is_named()) {
            if child.kind() != "ERROR" {
                if !child.is_extra() {
                    let mut parameter = self.template_parameter(child);
                    if parameter.name == sym::EMPTY {
                        // What is bound to it is found by name.
                        parameter.name = Symbol::intern(&format!("(parameter {})", parameters.len() + 1));
                    }
                    parameters.push(parameter);
                }
                continue;
            }
            // The grammar stops at the `*` of `class U = T *` and leaves it in an error node.
            let default = parameters.last_mut().and_then(|last| last.default.as_mut());
            if let Some(Argument::Type(ty)) = default {
                for _ in self.text(child).chars().filter(|mark| *mark == '*') {
                    *ty = Type::Pointer(Box::new(ty.clone()));
                }
            }
        }
        TemplateHead { parameters, constraints: Vec::new() }
    }

    fn template_parameter(&self, node: Node<'_>) -> TemplateParameter {
        let mut parameter = TemplateParameter {
            name: sym::EMPTY,
            type_or_concept: None,
            template: false,
            pack: node.kind().starts_with("variadic"),
            default: None,
            default_from: None,
        };
        match node.kind() {
            "type_parameter_declaration" | "variadic_type_parameter_declaration" => {
                if let Some(name) = named_children(node).into_iter().next() {
                    parameter.name = self.symbol(name);
                }
            }
            "optional_type_parameter_declaration" => {
                if let Some(name) = node.field("name") {
                    parameter.name = self.symbol(name);
                }
                let default = node.field("default_type");
                parameter.default = default.map(|ty| Argument::Type(self.type_argument(ty)));
            }
            "template_template_parameter_declaration" => {
                parameter.template = true;
                if let Some(inner) = named_children(node).into_iter().next_back() {
                    let inner = self.template_parameter(inner);
                    parameter.name = inner.name;
                    parameter.pack = inner.pack;
                    parameter.default = inner.default;
                }
            }
            _ => {
                let base = self.base_type(node);
                let declared = match node.field("declarator") {
                    Some(declarator) => self.declarator(declarator, base),
                    None => Declared::plain(None, base),
                };
                parameter.name = declared.name.map_or(sym::EMPTY, |name| self.symbol(name));
                parameter.type_or_concept = Some(declared.ty);
                let default = node.field("default_value");
                parameter.default = default.map(|value| Argument::Value(self.expr(value)));
            }
        }
        parameter
    }
}

/// Turns the declaration of a class template specialization into its explicit instantiation.
pub(super) fn into_explicit_instantiation(decl: &mut Decl, is_extern: bool) {
    let DeclBody::Class(class) = &mut decl.kind else { return };
    let mut path = decl.qualifier.take().unwrap_or_default();
    path.segments.push(Segment { name: decl.name, arguments: class.arguments.take() });
    let mention = Mention { role: Role::InstantiatedClass, ..Mention::of(path, decl.at) };
    decl.kind = DeclBody::Instantiation(Box::new(mention));
    decl.specifiers.is_extern = is_extern;
}
