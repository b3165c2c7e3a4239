//! Trees to declarations: what a parsed declaration declares, in the terms of [`super::ast`].
//!
//! Lowering can't fail. What a tree holds beyond the vocabulary of [`super::ast`] is kept as
//! spelled, and what stands under a syntax error is used as far as it goes.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tree_sitter::Node;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::syntax::{Parsed, Query};

use super::ast::*;

mod argument;
mod closure;
mod steps;

/// The declarations of a parsed top-level declaration, in order.
pub(super) fn lower(parsed: &Parsed) -> Vec<Decl> {
    let root = parsed.tree.root_node();
    let lower = Lower { parsed, uses: uses(parsed, root), calls: RefCell::default() };
    let captures = Query::declarations().captures(parsed, root);
    let mut candidates: Vec<Node<'_>> =
        captures.filter(|(capture, _)| !capture.contains('.')).map(|(_, node)| node).collect();
    candidates.sort_by_key(|node| (node.start_byte(), std::cmp::Reverse(node.end_byte())));
    // The outermost candidates, also those under syntax errors; what is inside one belongs to it.
    let mut decls = Vec::new();
    let mut end = 0;
    for node in candidates {
        if node.start_byte() >= end {
            end = node.end_byte();
            lower.declaration(node, &[], Context::Namespace, &mut decls);
        }
    }
    match (parsed.tokens.as_slice(), decls.as_mut_slice()) {
        ([first, second, third, ..], [decl]) if matches!(decl.kind, DeclBody::Class(_)) => {
            // `template class X<int>;` reaches the grammar as `class X<int>;`.
            let is_extern =
                first.text == sym::EXTERN && second.text == sym::TEMPLATE && third.text != sym::LESS;
            let explicit = first.text == sym::TEMPLATE && second.text != sym::LESS;
            if is_extern || explicit {
                class_instantiation(decl, is_extern);
            }
        }
        _ => {}
    }
    decls
}

fn class_instantiation(decl: &mut Decl, is_extern: bool) {
    let DeclBody::Class(class) = &mut decl.kind else { return };
    let mut path = decl.qualifier.take().unwrap_or_default();
    path.segments.push(Segment { name: decl.name, arguments: class.arguments.take() });
    let mention =
        Mention { path, receiver: None, arguments: None, signature: None, whole_class: true, at: decl.at };
    decl.kind = DeclBody::Instantiation(Box::new(mention));
    decl.specifiers.is_extern = is_extern;
}

/// The bytes of every candidate use, by first byte.
fn uses(parsed: &Parsed, root: Node<'_>) -> Vec<usize> {
    let captures = Query::uses().captures(parsed, root);
    let mut starts: Vec<usize> =
        captures.filter(|(capture, _)| !capture.contains('.')).map(|(_, node)| node.start_byte()).collect();
    starts.sort_unstable();
    starts
}

struct Lower<'p> {
    parsed: &'p Parsed,
    /// Where candidate uses begin; what holds none is not descended into.
    uses: Vec<usize>,
    /// The arguments of the calls met so far.
    calls: RefCell<FxHashMap<usize, Arc<[Expr]>>>,
}

/// The name of a class's call operator.
pub(super) const CALL_OPERATOR: &str = "operator()";

/// What encloses a declaration, which decides how a name without a type is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Namespace,
    Class,
    Body,
}

/// What a declarator says about the name it declares.
struct Declared<'t> {
    name: Option<Node<'t>>,
    ty: Type,
    parameters: Option<Vec<Parameter>>,
    /// The parameter list ends in `...`.
    variadic: bool,
}

impl<'t> Declared<'t> {
    fn plain(name: Option<Node<'t>>, ty: Type) -> Declared<'t> {
        Declared { name, ty, parameters: None, variadic: false }
    }
}

fn named_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).collect()
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

fn field_children<'t>(node: Node<'t>, field: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(field, &mut cursor).collect()
}

impl Lower<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        self.parsed.text_of(node)
    }

    fn symbol(&self, node: Node<'_>) -> Symbol {
        Symbol::intern(self.text(node))
    }

    // Declarations

    fn declaration(&self, node: Node<'_>, templates: &[TemplateHead], context: Context, out: &mut Vec<Decl>) {
        match node.kind() {
            "template_declaration" => {
                let mut heads = templates.to_vec();
                for child in named_children(node) {
                    match child.kind() {
                        "template_parameter_list" => heads.push(self.template_head(child)),
                        "requires_clause" => {}
                        _ => self.declaration(child, &heads, context, out),
                    }
                }
            }
            "function_definition" | "inline_method_definition" => {
                self.function_definition(node, templates, out)
            }
            "declaration" | "field_declaration" | "parameter_declaration" => {
                self.simple_declaration(node, templates, context, out);
            }
            "class_specifier" | "struct_specifier" | "union_specifier" => {
                self.class(node, templates, None, out);
            }
            "enum_specifier" => self.enumeration(node, None, out),
            "alias_declaration" => self.alias_declaration(node, templates, out),
            "type_definition" => self.type_definition(node, out),
            "using_declaration" => self.using_declaration(node, out),
            "namespace_alias_definition" => self.namespace_alias(node, out),
            "template_instantiation" => self.instantiation(node, out),
            "friend_declaration" => {
                let from = out.len();
                for child in named_children(node) {
                    self.declaration(child, templates, context, out);
                }
                for decl in &mut out[from..] {
                    decl.specifiers.is_friend = true;
                }
            }
            "linkage_specification" => {
                let from = out.len();
                for child in named_children(node).into_iter().filter(|child| child.kind() != "string_literal")
                {
                    self.declaration(child, templates, context, out);
                }
                for decl in &mut out[from..] {
                    decl.specifiers.is_extern |=
                        !matches!(&decl.kind, DeclBody::Function(f) if f.body.is_some());
                }
            }
            "declaration_list" | "ERROR" => {
                for child in named_children(node) {
                    self.declaration(child, templates, context, out);
                }
            }
            "expression_statement" if context == Context::Namespace => {
                // `kern<int>(p);` at namespace scope: an explicit instantiation or specialization whose
                // `template` the grammar read apart, or an unexpanded macro. Nothing is declared.
            }
            _ => {}
        }
    }

    /// The words before the name among the tokens of `node`, lifted-out ones included.
    fn specifiers(&self, node: Node<'_>, name: Option<Node<'_>>) -> Specifiers {
        let all = self.parsed.tokens_of(node);
        let end = name.map_or(all.end, |name| self.parsed.token_at(name.start_byte()));
        let mut specifiers = Specifiers::default();
        let mut depth = 0_i32;
        for token in &self.parsed.tokens[all.start..end.max(all.start)] {
            match token.text {
                sym::LPAREN | sym::LBRACE | sym::LBRACKET => depth += 1,
                sym::RPAREN | sym::RBRACE | sym::RBRACKET => depth -= 1,
                _ if depth > 0 => {}
                sym::STATIC => specifiers.is_static = true,
                sym::INLINE | sym::INLINE_GNU | sym::INLINE_SHORT | sym::FORCEINLINE => {
                    specifiers.is_inline = true
                }
                sym::EXTERN => specifiers.is_extern = true,
                sym::CONSTEXPR | sym::CONSTEVAL => specifiers.is_constexpr = true,
                sym::VIRTUAL => specifiers.is_virtual = true,
                sym::FRIEND => specifiers.is_friend = true,
                sym::GLOBAL => specifiers.global = true,
                sym::HOST => specifiers.host = true,
                sym::DEVICE => specifiers.device = true,
                sym::CONSTANT => specifiers.constant = true,
                sym::MANAGED => specifiers.managed = true,
                sym::SHARED => specifiers.shared = true,
                _ => {}
            }
        }
        specifiers
    }

    fn named(
        &self,
        node: Node<'_>,
        name: Option<Node<'_>>,
        templates: &[TemplateHead],
        kind: DeclBody,
    ) -> Decl {
        let (qualifier, symbol, at) = match name {
            Some(name) => {
                let mut path = self.path(name);
                let last = path.segments.pop().expect("a path has a segment");
                let qualifier = (!path.segments.is_empty()).then_some(path);
                (qualifier, last.name, self.parsed.span_of(self.last_name_node(name)))
            }
            None => (None, sym::EMPTY, self.parsed.span_of(node)),
        };
        let specifiers = self.specifiers(node, name);
        Decl { name: symbol, qualifier, at, templates: templates.to_vec(), specifiers, kind }
    }

    /// The identifier at the end of a qualified name, where a reader looks.
    fn last_name_node<'t>(&self, name: Node<'t>) -> Node<'t> {
        match name.kind() {
            "qualified_identifier" | "template_function" | "template_type" | "template_method" => {
                name.child_by_field_name("name").map_or(name, |inner| self.last_name_node(inner))
            }
            "dependent_name" => named_children(name).last().map_or(name, |inner| self.last_name_node(*inner)),
            _ => name,
        }
    }

    fn function_definition(&self, node: Node<'_>, templates: &[TemplateHead], out: &mut Vec<Decl>) {
        let base = self.base_type(node);
        let Some(declarator) = node.child_by_field_name("declarator") else {
            return;
        };
        let declared = self.declarator(declarator, base);
        let body = node.child_by_field_name("body");
        let mut items = Vec::new();
        for part in children(node) {
            if part.kind() == "field_initializer_list" {
                self.items(part, &mut items);
            }
        }
        let defaulted = children(node).iter().any(|part| {
            matches!(part.kind(), "default_method_clause" | "delete_method_clause" | "pure_virtual_clause")
        });
        if let Some(body) = body {
            self.items(body, &mut items);
        }
        let function = Function {
            result: result_of(&declared.ty),
            parameters: declared.parameters.unwrap_or_default(),
            variadic: declared.variadic,
            arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
            body: (body.is_some() || !defaulted).then_some(items),
            defaulted,
            steps: None,
        };
        let mut decl = self.named(node, declared.name, templates, DeclBody::Function(function));
        if decl.specifiers.is_constexpr
            && let DeclBody::Function(function) = &mut decl.kind
        {
            function.steps = body.and_then(|body| self.steps(body));
        }
        out.push(decl);
    }

    fn simple_declaration(
        &self,
        node: Node<'_>,
        templates: &[TemplateHead],
        context: Context,
        out: &mut Vec<Decl>,
    ) {
        let declarators = field_children(node, "declarator");
        if let Some(ty) = node.child_by_field_name("type") {
            match ty.kind() {
                "class_specifier" | "struct_specifier" | "union_specifier"
                    if ty.child_by_field_name("body").is_some() || declarators.is_empty() =>
                {
                    self.class(ty, templates, None, out);
                }
                "enum_specifier" if ty.child_by_field_name("body").is_some() || declarators.is_empty() => {
                    self.enumeration(ty, None, out);
                }
                _ => {}
            }
        }
        let mut base = self.base_type(node);
        if let Some(ty) = node.child_by_field_name("type")
            && context != Context::Namespace
            && let Some(decl) = out.last_mut().filter(|decl| decl.name == sym::EMPTY)
            && !declarators.is_empty()
            && is_unnamed_definition(ty)
        {
            // `struct { int x; } member;`: the type gets a name to be found by.
            decl.name = Symbol::intern(&format!("(unnamed type of {})", self.text(declarators[0])));
            base = self.qualify(node, Type::Named(Path::plain(decl.name)));
        }
        for declarator in &declarators {
            let declared = self.declarator(*declarator, base.clone());
            if declared.name.is_none() && context != Context::Class {
                continue;
            }
            let kind = match declared.parameters {
                Some(parameters) => DeclBody::Function(Function {
                    result: result_of(&declared.ty),
                    parameters,
                    variadic: declared.variadic,
                    arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
                    body: None,
                    defaulted: children(node).iter().any(|child| child.kind().ends_with("_method_clause")),
                    steps: None,
                }),
                None => {
                    let value = declarator
                        .child_by_field_name("value")
                        .filter(|_| declarator.kind() == "init_declarator")
                        .or_else(|| behind(node, *declarator, &field_children(node, "default_value")));
                    let mut items = Vec::new();
                    if let Some(ty) = node.child_by_field_name("type") {
                        self.template_argument_items(ty, &mut items);
                    }
                    if let Some(value) = value {
                        self.items(value, &mut items);
                    }
                    let mut widths = children(node);
                    widths.retain(|child| child.kind() == "bitfield_clause");
                    let bits = behind(node, *declarator, &widths)
                        .and_then(|clause| clause.named_child(0))
                        .map(|width| self.expr(width));
                    DeclBody::Variable(Variable {
                        ty: declared.ty,
                        initializer: value.map(|value| self.initializer(value)),
                        bits,
                        alignas: self.alignments(node),
                        arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
                        items,
                    })
                }
            };
            let mut decl = self.named(node, declared.name, templates, kind);
            if matches!(&decl.kind, DeclBody::Variable(one) if one.bits.is_some())
                && decl.name.as_str() == "_"
            {
                // What the rewrite put in for the grammar's sake: `int : 3;`.
                decl.name = sym::EMPTY;
            }
            out.push(decl);
        }
        if declarators.is_empty()
            && context == Context::Class
            && let Some(clause) = children(node).into_iter().find(|child| child.kind() == "bitfield_clause")
        {
            let bits = clause.named_child(0).map(|width| self.expr(width));
            let variable = Variable {
                ty: base,
                initializer: None,
                bits,
                alignas: Vec::new(),
                arguments: None,
                items: Vec::new(),
            };
            out.push(self.named(node, None, templates, DeclBody::Variable(variable)));
        }
    }

    /// `{ e }`, `(e)` and `= e` alike.
    fn initializer(&self, value: Node<'_>) -> Expr {
        match value.kind() {
            "initializer_list" | "argument_list" if value.named_child_count() == 1 => {
                value.named_child(0).map_or(Expr::Unknown(String::new()), |inner| self.expr(inner))
            }
            _ => self.expr(value),
        }
    }

    fn class(
        &self,
        node: Node<'_>,
        templates: &[TemplateHead],
        typedef_name: Option<Node<'_>>,
        out: &mut Vec<Decl>,
    ) {
        let name = node.child_by_field_name("name").or(typedef_name);
        let body = node.child_by_field_name("body");
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
            arguments: name.and_then(|name| self.path(name).last().arguments.clone()),
            bases,
            alignas: self.alignments(node),
            members,
            packed: self.attributes(node).any(|token| matches!(token.text.as_str(), "packed" | "__packed__")),
            wrapped: false,
            ordinary_before: 0,
        };
        let mut decl = self.named(node, name, templates, DeclBody::Class(class));
        decl.specifiers = Specifiers::default();
        out.push(decl);
    }

    /// The alignments asked for with `alignas(e)` and `__attribute__((aligned(e)))`.
    fn alignments(&self, node: Node<'_>) -> Vec<Argument> {
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

    /// The tokens of a declaration outside the braces of its body, up to its semicolon: those of the
    /// attributes that were lifted out are among them.
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

    fn enumeration(&self, node: Node<'_>, typedef_name: Option<Node<'_>>, out: &mut Vec<Decl>) {
        let name = node.child_by_field_name("name").or(typedef_name);
        let scoped = children(node).iter().any(|child| matches!(child.kind(), "class" | "struct"));
        let mut enumerators = Vec::new();
        if let Some(body) = node.child_by_field_name("body") {
            for child in named_children(body).into_iter().filter(|child| child.kind() == "enumerator") {
                if let Some(name) = child.child_by_field_name("name") {
                    let value = child.child_by_field_name("value").map(|value| self.expr(value));
                    enumerators.push((self.symbol(name), value));
                }
            }
        }
        let underlying = node.child_by_field_name("base").map(|base| self.type_specifier(base));
        let kind = DeclBody::Enum(Enum { scoped, underlying, enumerators });
        let mut decl = self.named(node, name, &[], kind);
        decl.specifiers = Specifiers::default();
        out.push(decl);
    }

    fn alias_declaration(&self, node: Node<'_>, templates: &[TemplateHead], out: &mut Vec<Decl>) {
        let ty = node
            .child_by_field_name("type")
            .map_or(Type::Unknown(String::new()), |ty| self.type_descriptor(ty));
        out.push(self.named(node, node.child_by_field_name("name"), templates, DeclBody::Alias(ty)));
    }

    fn type_definition(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let declarators = field_children(node, "declarator");
        if let Some(ty) = node.child_by_field_name("type") {
            let unnamed = ty.child_by_field_name("name").is_none();
            let plain = declarators.first().copied().filter(|first| first.kind() == "type_identifier");
            let has_body = ty.child_by_field_name("body").is_some();
            match ty.kind() {
                "class_specifier" | "struct_specifier" | "union_specifier" if has_body => {
                    self.class(ty, &[], plain.filter(|_| unnamed), out);
                    if unnamed && declarators.len() == 1 && plain.is_some() {
                        return;
                    }
                }
                "enum_specifier" if has_body => {
                    self.enumeration(ty, plain.filter(|_| unnamed), out);
                    if unnamed && declarators.len() == 1 && plain.is_some() {
                        return;
                    }
                }
                _ => {}
            }
        }
        let base = self.base_type(node);
        for declarator in declarators {
            let declared = self.declarator(declarator, base.clone());
            out.push(self.named(node, declared.name, &[], DeclBody::Alias(declared.ty)));
        }
    }

    fn using_declaration(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let Some(target) = named_children(node).into_iter().next_back() else {
            return;
        };
        let path = self.path(target);
        let is_namespace = children(node).iter().any(|child| child.kind() == "namespace");
        let name = path.last().name;
        let kind = if is_namespace { DeclBody::UsingNamespace(path) } else { DeclBody::Using(path) };
        let mut decl = self.named(node, None, &[], kind);
        decl.name = name;
        out.push(decl);
    }

    fn namespace_alias(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let target = named_children(node).into_iter().next_back();
        if let (Some(name), Some(target)) = (node.child_by_field_name("name"), target) {
            let kind = DeclBody::NamespaceAlias(self.path(target));
            out.push(self.named(node, Some(name), &[], kind));
        }
    }

    fn instantiation(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let mut mention = None;
        if let Some(declarator) = node.child_by_field_name("declarator") {
            let declared = self.declarator(declarator, Type::Auto);
            if let Some(name) = declared.name {
                mention = Some(Mention {
                    path: self.path(name),
                    receiver: None,
                    arguments: None,
                    signature: declared.parameters.map(|list| list.into_iter().map(|one| one.ty).collect()),
                    whole_class: false,
                    at: self.parsed.span_of(self.last_name_node(name)),
                });
            }
        } else if let Some(ty) = node.child_by_field_name("type") {
            let name =
                ty.child_by_field_name("name").filter(|_| ty.kind().ends_with("_specifier")).unwrap_or(ty);
            mention = Some(Mention {
                path: self.path(name),
                receiver: None,
                arguments: None,
                signature: None,
                whole_class: true,
                at: self.parsed.span_of(self.last_name_node(name)),
            });
        }
        let Some(mention) = mention else { return };
        let tokens = self.parsed.tokens_of(node);
        let is_extern = self.parsed.tokens[tokens].iter().take(2).any(|token| token.text == sym::EXTERN)
            || self.parsed.tokens.first().is_some_and(|token| token.text == sym::EXTERN);
        let (name, at) = (mention.path.last().name, mention.at);
        let mut decl = self.named(node, None, &[], DeclBody::Instantiation(Box::new(mention)));
        decl.name = name;
        decl.at = at;
        decl.specifiers.is_extern = is_extern;
        out.push(decl);
    }

    fn template_head(&self, node: Node<'_>) -> TemplateHead {
        let mut parameters: Vec<TemplateParameter> = Vec::new();
        for child in children(node).into_iter().filter(|child| child.is_named()) {
            if child.kind() != "ERROR" {
                if !child.is_extra() {
                    parameters.push(self.template_parameter(child));
                }
                continue;
            }
            // The grammar stops at the `*` of `class U = T *`.
            let default = parameters.last_mut().and_then(|last| last.default.as_mut());
            if let Some(Argument::Type(ty)) = default {
                for _ in self.text(child).chars().filter(|mark| *mark == '*') {
                    *ty = Type::Pointer(Box::new(ty.clone()));
                }
            }
        }
        TemplateHead { parameters }
    }

    fn template_parameter(&self, node: Node<'_>) -> TemplateParameter {
        let mut parameter = TemplateParameter {
            name: sym::EMPTY,
            value_of: None,
            template: false,
            pack: node.kind().starts_with("variadic"),
            default: None,
        };
        match node.kind() {
            "type_parameter_declaration" | "variadic_type_parameter_declaration" => {
                if let Some(name) = named_children(node).into_iter().next() {
                    parameter.name = self.symbol(name);
                }
            }
            "optional_type_parameter_declaration" => {
                if let Some(name) = node.child_by_field_name("name") {
                    parameter.name = self.symbol(name);
                }
                let default = node.child_by_field_name("default_type");
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
                let declared = match node.child_by_field_name("declarator") {
                    Some(declarator) => self.declarator(declarator, base),
                    None => Declared::plain(None, base),
                };
                parameter.name = declared.name.map_or(sym::EMPTY, |name| self.symbol(name));
                parameter.value_of = Some(declared.ty);
                let default = node.child_by_field_name("default_value");
                parameter.default = default.map(|value| Argument::Value(self.expr(value)));
            }
        }
        parameter
    }

    fn type_argument(&self, node: Node<'_>) -> Type {
        if node.kind() == "type_descriptor" { self.type_descriptor(node) } else { self.type_specifier(node) }
    }

    // Declarators

    fn declarator<'t>(&self, node: Node<'t>, base: Type) -> Declared<'t> {
        let inner = || {
            node.child_by_field_name("declarator")
                .or_else(|| named_children(node).into_iter().rfind(|child| child.kind() != "type_qualifier"))
        };
        match node.kind() {
            "init_declarator"
            | "attributed_declarator"
            | "variadic_declarator"
            | "optional_parameter_declaration" => match inner() {
                Some(inner) => self.declarator(inner, base),
                None => Declared::plain(None, base),
            },
            "parenthesized_declarator" | "abstract_parenthesized_declarator" => match inner() {
                Some(inner) => self.declarator(inner, base),
                None => Declared::plain(None, base),
            },
            "pointer_declarator" | "abstract_pointer_declarator" | "pointer_type_declarator" => {
                let pointer = self.qualify(node, Type::Pointer(Box::new(base)));
                match declarator_child(node) {
                    Some(inner) => self.declarator(inner, pointer),
                    None => Declared::plain(None, pointer),
                }
            }
            "reference_declarator" | "abstract_reference_declarator" => {
                let rvalue = children(node).iter().any(|child| child.kind() == "&&");
                let ty = if rvalue {
                    Type::RvalueReference(Box::new(base))
                } else {
                    Type::LvalueReference(Box::new(base))
                };
                match declarator_child(node) {
                    Some(inner) => self.declarator(inner, ty),
                    None => Declared::plain(None, ty),
                }
            }
            "array_declarator" | "abstract_array_declarator" => {
                let size = node.child_by_field_name("size").map(|size| Box::new(self.expr(size)));
                let ty = Type::Array(Box::new(base), size);
                match node.child_by_field_name("declarator") {
                    Some(inner) => self.declarator(inner, ty),
                    None => Declared::plain(None, ty),
                }
            }
            "function_declarator" | "abstract_function_declarator" => self.function_declarator(node, base),
            "structured_binding_declarator" => Declared::plain(None, base),
            _ => Declared::plain(Some(node), base),
        }
    }

    fn function_declarator<'t>(&self, node: Node<'t>, base: Type) -> Declared<'t> {
        let list = node.child_by_field_name("parameters");
        let parameters = list.map_or(Vec::new(), |list| self.parameters(list));
        let variadic = list.is_some_and(|list| children(list).iter().any(|child| child.kind() == "..."));
        let trailing = children(node).into_iter().find(|child| child.kind() == "trailing_return_type");
        let result = match trailing.and_then(|trailing| named_children(trailing).into_iter().next()) {
            Some(ty) => self.type_argument(ty),
            None => base,
        };
        let types = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
        let ty = Type::Function(Box::new(result), types);
        let Some(inner) = node.child_by_field_name("declarator") else {
            return Declared { name: None, ty, parameters: Some(parameters), variadic };
        };
        let mut declared = self.declarator(inner, ty);
        let direct = matches!(declared.ty, Type::Function(..));
        if direct && declared.parameters.is_none() {
            declared.parameters = Some(parameters);
            declared.variadic = variadic;
        }
        declared
    }

    fn parameters(&self, list: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for child in named_children(list) {
            let pack = child.kind() == "variadic_parameter_declaration";
            if !pack && !matches!(child.kind(), "parameter_declaration" | "optional_parameter_declaration") {
                continue;
            }
            let base = self.base_type(child);
            let declared = match child.child_by_field_name("declarator") {
                Some(declarator) => self.declarator(declarator, base),
                None => Declared::plain(None, base),
            };
            let ty = if pack { Type::Pack(Box::new(declared.ty)) } else { declared.ty };
            let name = declared.name.map_or(sym::EMPTY, |name| self.symbol(name));
            let default = child.child_by_field_name("default_value").map(|value| self.expr(value));
            parameters.push(Parameter { name, ty, default });
        }
        // `f(void)`
        if let [only] = parameters.as_slice()
            && only.name == sym::EMPTY
            && only.ty == Type::Builtin(sym::VOID)
        {
            parameters.clear();
        }
        parameters
    }

    // Types

    /// The type a declaration's specifiers name, with the cv words among them.
    fn base_type(&self, node: Node<'_>) -> Type {
        let Some(ty) = node.child_by_field_name("type") else {
            return Type::Unknown(String::new());
        };
        self.qualify(node, self.type_specifier(ty))
    }

    /// `ty` with the `const` and `volatile` among `node`'s direct children.
    fn qualify(&self, node: Node<'_>, ty: Type) -> Type {
        let qualifiers: Vec<&str> = children(node)
            .into_iter()
            .filter(|child| child.kind() == "type_qualifier")
            .map(|child| self.text(child))
            .collect();
        let (is_const, is_volatile) = (
            qualifiers.iter().any(|text| matches!(*text, "const" | "constexpr")),
            qualifiers.contains(&"volatile"),
        );
        if is_const || is_volatile { Type::Qualified(Box::new(ty), is_const, is_volatile) } else { ty }
    }

    fn type_descriptor(&self, node: Node<'_>) -> Type {
        if node.kind() != "type_descriptor" {
            return self.type_specifier(node);
        }
        let base = self.base_type(node);
        match node.child_by_field_name("declarator") {
            Some(declarator) => self.declarator(declarator, base).ty,
            None => base,
        }
    }

    fn type_specifier(&self, node: Node<'_>) -> Type {
        match node.kind() {
            "primitive_type" | "sized_type_specifier" => self.builtin(node),
            "type_identifier"
            | "qualified_identifier"
            | "template_type"
            | "identifier"
            | "namespace_identifier" => Type::Named(self.path(node)),
            "type_descriptor" => self.type_descriptor(node),
            "dependent_type" => match named_children(node).into_iter().next() {
                Some(inner) => self.type_specifier(inner),
                None => Type::Unknown(self.text(node).to_string()),
            },
            "placeholder_type_specifier" | "auto" => match named_children(node).into_iter().next() {
                Some(inner) if inner.kind() == "decltype" => self.type_specifier(inner),
                _ => Type::Auto,
            },
            "decltype" => match named_children(node).into_iter().next() {
                Some(inner) if inner.kind() != "auto" => Type::Decltype(Box::new(self.expr(inner))),
                _ => Type::Auto,
            },
            "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
                match node.child_by_field_name("name") {
                    Some(name) => Type::Named(self.path(name)),
                    None => Type::Unknown(squeeze(self.text(node))),
                }
            }
            _ => Type::Unknown(squeeze(self.text(node))),
        }
    }

    fn builtin(&self, node: Node<'_>) -> Type {
        let text = self.text(node);
        match canonical_builtin(text) {
            Some(name) => Type::Builtin(Symbol::intern(&name)),
            None => Type::Named(Path::plain(Symbol::intern(text.trim()))),
        }
    }

    // Names

    /// The path a name node spells.
    fn path(&self, node: Node<'_>) -> Path {
        let mut path = Path::default();
        self.push_segments(node, &mut path);
        if path.segments.is_empty() {
            path.segments.push(Segment { name: Symbol::intern(&squeeze(self.text(node))), arguments: None });
        }
        path
    }

    fn push_segments(&self, node: Node<'_>, path: &mut Path) {
        match node.kind() {
            "qualified_identifier" => {
                match node.child_by_field_name("scope") {
                    Some(scope) => self.push_segments(scope, path),
                    None => path.global |= path.segments.is_empty(),
                }
                if let Some(name) = node.child_by_field_name("name") {
                    self.push_segments(name, path);
                }
            }
            "nested_namespace_specifier" => {
                for child in named_children(node) {
                    self.push_segments(child, path);
                }
            }
            "template_type" | "template_function" | "template_method" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.push_segments(name, path);
                }
                let arguments =
                    node.child_by_field_name("arguments").map(|list| self.template_arguments(list));
                if let Some(last) = path.segments.last_mut() {
                    last.arguments = Some(arguments.unwrap_or_default());
                }
            }
            "dependent_name" | "dependent_type" => {
                if let Some(inner) = named_children(node).into_iter().next() {
                    self.push_segments(inner, path);
                }
            }
            _ => path
                .segments
                .push(Segment { name: Symbol::intern(&squeeze(self.text(node))), arguments: None }),
        }
    }

    fn template_arguments(&self, list: Node<'_>) -> Vec<Argument> {
        named_children(list).into_iter().map(|child| self.template_argument(child)).collect()
    }

    fn template_argument(&self, node: Node<'_>) -> Argument {
        match node.kind() {
            "type_descriptor" => self.type_or_call(node),
            "parameter_pack_expansion" => {
                match node.child_by_field_name("pattern").or_else(|| node.named_child(0)) {
                    Some(pattern) => Argument::Pack(Box::new(self.template_argument(pattern))),
                    None => Argument::Value(Expr::Unknown(self.text(node).to_string())),
                }
            }
            "identifier" | "qualified_identifier" | "template_function" => {
                Argument::Type(Type::Named(self.path(node)))
            }
            _ => Argument::Value(self.expr(node)),
        }
    }

    // Expressions

    fn expr(&self, node: Node<'_>) -> Expr {
        let field = |name: &str| node.child_by_field_name(name);
        let boxed = |node: Option<Node<'_>>| {
            Box::new(node.map_or(Expr::Unknown(String::new()), |node| self.expr(node)))
        };
        match node.kind() {
            "number_literal" => number_literal(self.text(node)),
            "true" => Expr::Int(1, sym::BOOL),
            "false" => Expr::Int(0, sym::BOOL),
            "char_literal" => character(self.text(node)),
            "string_literal" | "raw_string_literal" | "concatenated_string" => {
                Expr::Text(self.text(node).into())
            }
            "null" | "nullptr" => Expr::Null,
            "this" => Expr::This,
            "identifier"
            | "qualified_identifier"
            | "template_function"
            | "type_identifier"
            | "dependent_name"
            | "field_identifier" => Expr::Name(self.path(node)),
            "parenthesized_expression" | "condition_clause" => {
                boxed(named_children(node).into_iter().next_back()).as_ref().clone()
            }
            "unary_expression" | "pointer_expression" => {
                let operator = field("operator").map_or(sym::EMPTY, |operator| self.operator(operator));
                Expr::Unary(operator, boxed(field("argument")))
            }
            "binary_expression" => {
                let operator = field("operator").map_or(sym::EMPTY, |operator| self.operator(operator));
                Expr::Binary(operator, boxed(field("left")), boxed(field("right")))
            }
            "conditional_expression" => Expr::Conditional(
                boxed(field("condition")),
                boxed(field("consequence")),
                boxed(field("alternative")),
            ),
            "cast_expression" => match field("type") {
                Some(ty) => Expr::Cast(Box::new(self.type_descriptor(ty)), boxed(field("value"))),
                None => boxed(field("value")).as_ref().clone(),
            },
            "sizeof_expression" => self.sizeof(node),
            "alignof_expression" => match field("type") {
                Some(ty) => Expr::Alignof(Box::new(self.type_descriptor(ty))),
                None => Expr::Unknown(squeeze(self.text(node))),
            },
            "compound_literal_expression" => match field("type") {
                Some(ty) => {
                    let values = field("value").map_or(Vec::new(), named_children);
                    Expr::Construct(
                        Box::new(self.type_argument(ty)),
                        values.into_iter().map(|v| self.expr(v)).collect(),
                    )
                }
                None => Expr::Unknown(squeeze(self.text(node))),
            },
            "field_expression" => self.member(node),
            "subscript_expression" => Expr::Subscript(boxed(field("argument"))),
            "call_expression" => self.call(node),
            "comma_expression" => boxed(field("right")).as_ref().clone(),
            "fold_expression" => {
                let side = |name: &str| field(name).filter(|side| side.kind() != "...");
                let side = |name: &str| side(name).map(|side| Box::new(self.expr(side)));
                let operator = field("operator").map_or(sym::EMPTY, |operator| self.operator(operator));
                Expr::Fold(operator, side("left"), side("right"))
            }
            "lambda_expression" => Expr::Lambda(Arc::new(self.closure(node))),
            _ => Expr::Unknown(squeeze(self.text(node))),
        }
    }

    fn operator(&self, node: Node<'_>) -> Symbol {
        match self.text(node) {
            "and" => sym::AMP_AMP,
            "or" => sym::BAR_BAR,
            "not" => sym::BANG,
            "not_eq" => sym::BANG_EQ,
            // The grammar is given `<=` for `>=` too; the token knows.
            "<=" => self.parsed.tokens[self.parsed.token_at(node.start_byte())].text,
            text => Symbol::intern(text),
        }
    }

    fn sizeof(&self, node: Node<'_>) -> Expr {
        let text = self.text(node);
        if let Some(rest) =
            text.strip_prefix("sizeof").map(str::trim_start).filter(|rest| rest.starts_with("..."))
        {
            let name = rest.trim_start_matches("...").trim().trim_matches(['(', ')']).trim();
            return Expr::SizeofPack(Symbol::intern(name));
        }
        if let Some(ty) = node.child_by_field_name("type") {
            return Expr::SizeofType(Box::new(self.type_descriptor(ty)));
        }
        match node.child_by_field_name("value") {
            // `sizeof(S)`: a name in parentheses may be a type.
            Some(value) => match self.expr(value) {
                Expr::Name(path) => Expr::SizeofType(Box::new(Type::Named(path))),
                other => Expr::SizeofValue(Box::new(other)),
            },
            None => Expr::Unknown(squeeze(text)),
        }
    }

    fn member(&self, node: Node<'_>) -> Expr {
        let (Some(object), Some(field)) =
            (node.child_by_field_name("argument"), node.child_by_field_name("field"))
        else {
            return Expr::Unknown(squeeze(self.text(node)));
        };
        let arrow = children(node).iter().any(|child| child.kind() == "->");
        let segment = self.path(field).last().clone();
        Expr::Member(Box::new(self.expr(object)), arrow, segment)
    }

    fn call(&self, node: Node<'_>) -> Expr {
        let Some(function) = node.child_by_field_name("function") else {
            return Expr::Unknown(squeeze(self.text(node)));
        };
        let arguments = self.call_arguments(node);
        match function.kind() {
            "primitive_type" | "sized_type_specifier" => {
                Expr::Construct(Box::new(self.builtin(function)), arguments.to_vec())
            }
            "template_function" => {
                let path = self.path(function);
                let cast = matches!(
                    path.last().name.as_str(),
                    "static_cast" | "const_cast" | "reinterpret_cast" | "dynamic_cast"
                );
                match (cast, path.last().arguments.as_deref(), &*arguments) {
                    (true, Some([Argument::Type(ty)]), [value]) => {
                        Expr::Cast(Box::new(ty.clone()), Box::new(value.clone()))
                    }
                    _ => Expr::Call(Box::new(Expr::Name(path)), arguments),
                }
            }
            _ => Expr::Call(Box::new(self.expr(function)), arguments),
        }
    }

    /// The arguments of a call, lowered once: a call is part of the expressions and of the items around.
    fn call_arguments(&self, node: Node<'_>) -> Arc<[Expr]> {
        if let Some(known) = self.calls.borrow().get(&node.id()) {
            return known.clone();
        }
        let list = node.child_by_field_name("arguments").map_or(Vec::new(), named_children);
        let arguments: Arc<[Expr]> = list.into_iter().map(|argument| self.expr(argument)).collect();
        self.calls.borrow_mut().insert(node.id(), arguments.clone());
        arguments
    }

    // Bodies

    fn items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let first = self.uses.partition_point(|start| *start < node.start_byte());
        if self.uses.get(first).is_none_or(|start| *start >= node.end_byte()) {
            return;
        }
        match node.kind() {
            "compound_statement" => {
                let mut block = Vec::new();
                self.items_of_children(node, &mut block);
                out.push(Item::Block(block));
            }
            "if_statement" => self.if_statement(node, out),
            "for_statement" | "for_range_loop" | "while_statement" | "do_statement" | "switch_statement"
            | "try_statement" => {
                let mut block = Vec::new();
                self.items_of_children(node, &mut block);
                out.push(Item::Maybe(block));
            }
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
            "lambda_expression" => self.lambda(node, out),
            "call_expression" => self.call_items(node, out),
            "qualified_identifier" | "template_function" => {
                self.mention(node, None, None, out);
            }
            "field_expression" => {
                if let Some(object) = node.child_by_field_name("argument") {
                    self.items(object, out);
                }
            }
            "compound_literal_expression" => {
                if let Some(ty) = node.child_by_field_name("type").filter(|ty| ty.kind() != "primitive_type")
                {
                    self.mention(ty, None, None, out);
                }
                self.items_of_children(node, out);
            }
            "fold_expression" | "parameter_pack_expansion" => {
                let mut inner = Vec::new();
                self.items_of_children(node, &mut inner);
                out.push(Item::Expansion(inner));
            }
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

    fn items_of_children(&self, node: Node<'_>, out: &mut Vec<Item>) {
        for child in named_children(node) {
            self.items(child, out);
        }
    }

    fn if_statement(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let condition = node.child_by_field_name("condition");
        let branch = |field: &str| {
            let mut items = Vec::new();
            if let Some(branch) = node.child_by_field_name(field) {
                self.items(branch, &mut items);
            }
            items
        };
        let mut block = Vec::new();
        if let Some(condition) = condition {
            self.items(condition, &mut block);
        }
        let (then, otherwise) = (branch("consequence"), branch("alternative"));
        if children(node).iter().any(|child| child.kind() == "constexpr") {
            let condition = condition.map_or(Expr::Unknown(String::new()), |condition| self.expr(condition));
            block.push(Item::IfConstexpr(condition, then, otherwise));
        } else {
            block.push(Item::Maybe(then));
            block.push(Item::Maybe(otherwise));
        }
        out.push(Item::Block(block));
    }

    fn local_declaration(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let mut decls = Vec::new();
        self.declaration(node, &[], Context::Body, &mut decls);
        for decl in decls {
            out.push(Item::Declare(Arc::new(decl)));
        }
        if node.kind() == "declaration" {
            // `kern<T> k(a, b);` and `f(x);` may parse as declarations: their arguments still count.
            for declarator in field_children(node, "declarator") {
                if declarator.kind() != "init_declarator" {
                    self.array_sizes(declarator, out);
                }
            }
        }
    }

    fn array_sizes(&self, declarator: Node<'_>, out: &mut Vec<Item>) {
        if let Some(size) = declarator.child_by_field_name("size") {
            self.items(size, out);
        }
    }

    fn lambda(&self, node: Node<'_>, out: &mut Vec<Item>) {
        for child in children(node) {
            if child.kind() == "lambda_capture_specifier" {
                for capture in
                    named_children(child).into_iter().filter(|c| c.kind() == "lambda_capture_initializer")
                {
                    self.items_of_children(capture, out);
                }
            }
        }
        let list = node.child_by_field_name("declarator").and_then(|d| d.child_by_field_name("parameters"));
        let parameters = list.map_or(Vec::new(), |list| self.parameters(list));
        let mut body = Vec::new();
        if let Some(node) = node.child_by_field_name("body") {
            self.items(node, &mut body);
        }
        out.push(Item::Lambda(parameters, body));
    }

    fn call_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        let Some(function) = node.child_by_field_name("function") else {
            return self.items_of_children(node, out);
        };
        if self.text(function) == "noexcept" {
            // An unevaluated operand, for which the grammar has no word.
            return;
        }
        let arguments = self.call_arguments(node);
        if self.parsed.is_launch(node) {
            if let Some(callee) = function.child_by_field_name("function") {
                self.callee(callee, arguments, out);
            }
            if let Some(config) = function.child_by_field_name("arguments") {
                self.items_of_children(config, out);
            }
        } else {
            self.callee(function, arguments, out);
        }
        if let Some(list) = node.child_by_field_name("arguments") {
            self.items_of_children(list, out);
        }
    }

    fn callee(&self, function: Node<'_>, arguments: Arc<[Expr]>, out: &mut Vec<Item>) {
        match function.kind() {
            "identifier" | "qualified_identifier" | "template_function" | "dependent_name" => {
                self.mention(function, None, Some(arguments), out);
            }
            "field_expression" => {
                let object = function.child_by_field_name("argument");
                let field = function.child_by_field_name("field");
                if let (Some(object), Some(field)) = (object, field) {
                    let arrow = children(function).iter().any(|child| child.kind() == "->");
                    self.items(object, out);
                    self.mention(field, Some((self.expr(object), arrow)), Some(arguments), out);
                }
            }
            "parenthesized_expression" => {
                if let Some(inner) = named_children(function).into_iter().next() {
                    self.callee(inner, arguments, out)
                }
            }
            "call_expression" | "compound_literal_expression" => {
                // `Functor<int>()(x)`
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

    fn mention(
        &self,
        node: Node<'_>,
        receiver: Option<(Expr, bool)>,
        arguments: Option<Arc<[Expr]>>,
        out: &mut Vec<Item>,
    ) {
        self.template_argument_items(node, out);
        out.push(Item::Mention(Mention { receiver, arguments, ..self.plain_mention(node) }));
    }

    /// A name by itself.
    fn plain_mention(&self, name: Node<'_>) -> Mention {
        Mention {
            path: self.path(name),
            receiver: None,
            arguments: None,
            signature: None,
            whole_class: false,
            at: self.parsed.span_of(self.last_name_node(name)),
        }
    }

    /// Functions whose address is a template argument: `launch<&kern<int>>()`.
    fn template_argument_items(&self, node: Node<'_>, out: &mut Vec<Item>) {
        match node.kind() {
            "template_function" | "template_type" | "template_method" => {
                if let Some(list) = node.child_by_field_name("arguments") {
                    for argument in named_children(list) {
                        if argument.kind() != "type_descriptor" {
                            self.items(argument, out);
                            continue;
                        }
                        let ty = argument.child_by_field_name("type");
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

/// A class or enumeration with a body and without a name.
fn is_unnamed_definition(ty: Node<'_>) -> bool {
    ty.kind().ends_with("_specifier")
        && ty.child_by_field_name("body").is_some()
        && ty.child_by_field_name("name").is_none()
}

/// The one of `nodes` that belongs to a declarator: of `int a = 1, b = 2;` each has a value.
fn behind<'t>(declaration: Node<'t>, declarator: Node<'t>, nodes: &[Node<'t>]) -> Option<Node<'t>> {
    let others = field_children(declaration, "declarator");
    let next = others.iter().find(|other| other.start_byte() >= declarator.end_byte());
    let own = declarator.end_byte()..next.map_or(declaration.end_byte(), |next| next.start_byte());
    nodes.iter().find(|node| own.contains(&node.start_byte())).copied()
}

fn is_aligned(word: &str) -> bool {
    matches!(word, "aligned" | "__aligned__")
}

fn declarator_child(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("declarator").or_else(|| {
        named_children(node)
            .into_iter()
            .rfind(|child| !matches!(child.kind(), "type_qualifier" | "ms_pointer_modifier"))
    })
}

fn result_of(ty: &Type) -> Type {
    match ty {
        Type::Function(result, _) => result.as_ref().clone(),
        other => other.clone(),
    }
}

/// A spelling with its white space squeezed to single blanks.
pub(super) fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The canonical spelling of a fundamental type ([dcl.type.simple], table 14), or of the integer
/// typedefs the grammar takes for one (LP64: Linux on x86-64 and aarch64).
fn canonical_builtin(text: &str) -> Option<String> {
    let typedef = match text.trim() {
        "size_t" | "uintptr_t" | "uint64_t" => "unsigned long",
        "ssize_t" | "ptrdiff_t" | "intptr_t" | "int64_t" => "long",
        "uint32_t" => "unsigned int",
        "int32_t" => "int",
        "uint16_t" => "unsigned short",
        "int16_t" => "short",
        "uint8_t" => "unsigned char",
        "int8_t" => "signed char",
        "char8_t" | "char16_t" | "char32_t" | "wchar_t" | "nullptr_t" | "max_align_t" => text.trim(),
        _ => "",
    };
    if !typedef.is_empty() {
        return Some(typedef.to_string());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let count = |word: &str| words.iter().filter(|other| **other == word).count();
    let known =
        ["unsigned", "signed", "short", "long", "int", "char", "bool", "float", "double", "void", "__int128"];
    if words.is_empty() || !words.iter().all(|word| known.contains(word)) {
        return None;
    }
    let unsigned = count("unsigned") > 0;
    let sign = if unsigned { "unsigned " } else { "" };
    let name = if count("char") > 0 {
        match (unsigned, count("signed") > 0) {
            (true, _) => "unsigned char".into(),
            (_, true) => "signed char".into(),
            _ => "char".to_string(),
        }
    } else if count("double") > 0 {
        if count("long") > 0 { "long double".into() } else { "double".to_string() }
    } else if let Some(single) = ["bool", "float", "void"].iter().find(|word| count(word) > 0) {
        (*single).to_string()
    } else if count("__int128") > 0 {
        format!("{sign}__int128")
    } else if count("short") > 0 {
        format!("{sign}short")
    } else {
        match count("long") {
            0 => format!("{sign}int"),
            1 => format!("{sign}long"),
            _ => format!("{sign}long long"),
        }
    };
    Some(name)
}

/// A number's value and type ([lex.icon], [lex.fcon]).
fn number_literal(text: &str) -> Expr {
    let plain: String = text.chars().filter(|c| *c != '\'').collect::<String>().to_ascii_lowercase();
    let (radix, digits) = match plain.as_bytes() {
        [b'0', b'x', ..] => (16, &plain[2..]),
        [b'0', b'b', ..] => (2, &plain[2..]),
        [b'0', _, ..] if plain.bytes().all(|b| b.is_ascii_digit() || b"ulz".contains(&b)) => (8, &plain[1..]),
        _ => (10, plain.as_str()),
    };
    let floating =
        (radix == 10 && digits.contains(['.', 'e'])) || (radix == 16 && digits.contains(['.', 'p']));
    if floating || (radix == 10 && digits.ends_with('f')) {
        let ty = if plain.ends_with('f') { sym::FLOAT } else { sym::DOUBLE };
        return Expr::Float(plain, ty);
    }
    let bare = digits.trim_end_matches(['u', 'l', 'z']);
    let suffix = &digits[bare.len()..];
    let value = if bare.is_empty() { Ok(0) } else { i128::from_str_radix(bare, radix) };
    match value {
        Ok(value) => Expr::Int(value, integer_type(value, suffix, radix != 10)),
        Err(_) => Expr::Unknown(text.to_string()),
    }
}

fn integer_type(value: i128, suffix: &str, may_be_unsigned: bool) -> Symbol {
    let unsigned = suffix.contains('u');
    let longs = suffix.matches('l').count().max(usize::from(suffix.contains('z')));
    let fits_int = value <= i128::from(i32::MAX);
    let fits_unsigned = value <= i128::from(u32::MAX);
    let fits_long = value <= i128::from(i64::MAX);
    let name = match (unsigned, longs) {
        (false, 0) if fits_int => "int",
        (false, 0) if may_be_unsigned && fits_unsigned => "unsigned int",
        (false, 0 | 1) if fits_long => "long",
        (false, 2..) if fits_long => "long long",
        (true, 0) if fits_unsigned => "unsigned int",
        (_, 2..) => "unsigned long long",
        _ => "unsigned long",
    };
    Symbol::intern(name)
}

/// A character literal's value ([lex.ccon]); several characters are not understood.
fn character(text: &str) -> Expr {
    let inner = text.trim_start_matches(['u', 'U', 'L', '8']).trim_matches('\'');
    let code = match inner.strip_prefix('\\') {
        None => single(inner).map(u32::from),
        Some(escape) => match escape.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if escape.starts_with(|c: char| c.is_digit(8)) => u32::from_str_radix(escape, 8).ok(),
            None => single(escape).map(|escape| match escape {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'a' => 7,
                'b' => 8,
                'f' => 12,
                'v' => 11,
                other => u32::from(other),
            }),
        },
    };
    let ty = match text.split_once('\'').map_or("", |(prefix, _)| prefix) {
        "L" => "wchar_t",
        "u" => "char16_t",
        "U" => "char32_t",
        "u8" => "char8_t",
        _ => "char",
    };
    match code {
        Some(code) if ty == "char" => Expr::Int(i128::from(code as u8 as i8), sym::CHAR),
        Some(code) => Expr::Int(code.into(), Symbol::intern(ty)),
        None => Expr::Unknown(text.to_string()),
    }
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}
