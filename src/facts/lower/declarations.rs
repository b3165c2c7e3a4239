//! Declarations: the entry to lowering, and the kinds of declaration that need no file of their own.
//!
//! In: a parsed top-level declaration. Out: the [`Decl`]s that it declares, in order. Lowering can't fail:
//! syntax that [`ast`](super::ast) does not model is kept as spelled, and what stands under a syntax error is
//! used as far as it goes.

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::{Fields, Parsed, Query, UNNAMED};

use super::ast::*;
use super::nodes::{Context, Detail, Lower, children, named_children};

use super::declarators::{belonging_to, result_of};
use super::initializers::initialization;
use super::templates::into_explicit_instantiation;
use super::types::is_unnamed_definition;

/// The declarations of a parsed top-level declaration, in order.
pub(in crate::facts) fn lower(parsed: &Parsed, detail: Detail) -> Vec<Decl> {
    let root = parsed.tree.root_node();
    let lower = Lower::new(parsed, detail);
    let mut candidates = declarations_below(parsed, root);
    candidates.sort_by_key(|node| (node.start_byte(), std::cmp::Reverse(node.end_byte())));
    // Only the outermost candidates, also under syntax errors: a nested one is lowered with the declaration
    // around it.
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
            // The grammar is given `class X<int>;` for `template class X<int>;`: the tokens before it were
            // taken out.
            let is_extern =
                first.text == sym::EXTERN && second.text == sym::TEMPLATE && third.text != sym::LESS;
            let explicit = first.text == sym::TEMPLATE && second.text != sym::LESS;
            if is_extern || explicit {
                into_explicit_instantiation(decl, is_extern);
            }
        }
        _ => {}
    }
    decls
}

/// The candidates for declarations in a tree; without those in others where each node below the root is one.
fn declarations_below<'t>(parsed: &'t Parsed, root: Node<'t>) -> Vec<Node<'t>> {
    let outermost = Query::declarations().candidates(parsed, root, Some(1));
    match named_children(root).iter().all(|child| outermost.contains(child)) {
        true => outermost,
        false => Query::declarations().candidates(parsed, root, None),
    }
}

impl Lower<'_> {
    /// Adds the declarations of a declaration node; `templates` are the template-heads around it.
    pub(in crate::facts) fn declaration(
        &self,
        node: Node<'_>,
        templates: &[TemplateHead],
        context: Context,
        out: &mut Vec<Decl>,
    ) {
        match node.kind() {
            "template_declaration" => {
                let mut heads = templates.to_vec();
                for child in named_children(node) {
                    match child.kind() {
                        "template_parameter_list" => heads.push(self.template_head(child)),
                        "requires_clause" => {
                            if let Some(head) = heads.last_mut() {
                                head.constraints.extend(self.constraint(child));
                            }
                        }
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
            "concept_definition" => self.concept(node, templates, out),
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
                // `template` the grammar took for something else, or a macro that was not expanded. It
                // declares nothing.
            }
            _ => {}
        }
    }

    /// The specifiers before the declared name. They are read from the tokens, since some are hidden from the
    /// grammar.
    fn specifiers(&self, node: Node<'_>, name: Option<Node<'_>>) -> Specifiers {
        let all = self.parsed.tokens_of(node);
        let end = name.map_or(all.end, |name| self.parsed.token_at(name.start_byte()));
        let mut specifiers = Specifiers::default();
        let mut depth = 0_i32;
        let tokens = &self.parsed.tokens[all.start..end.max(all.start)];
        for (number, token) in tokens.iter().enumerate() {
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
                sym::EXPLICIT => {
                    specifiers.is_explicit =
                        tokens.get(number + 1).is_none_or(|next| next.text != sym::LPAREN);
                }
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

    /// A declaration of the entity that `name` names, with the specifiers of the declaration `node`.
    pub(in crate::facts) fn new_decl(
        &self,
        node: Node<'_>,
        name: Option<Node<'_>>,
        templates: &[TemplateHead],
        kind: DeclBody,
    ) -> Decl {
        let (qualifier, symbol, at) = match name {
            Some(name) => {
                let mut path = self.path(name);
                let mut last = path.segments.pop().expect("a path has a segment");
                last.name = operator_name(last.name);
                let qualifier = (!path.segments.is_empty()).then_some(path);
                (qualifier, last.name, self.parsed.span_of(self.last_name_node(name)))
            }
            None => (None, sym::EMPTY, self.parsed.span_of(node)),
        };
        let specifiers = Specifiers { is_deleted: self.is_deleted(node), ..self.specifiers(node, name) };
        Decl { name: symbol, qualifier, at, templates: templates.to_vec(), specifiers, kind }
    }

    /// Whether a declaration ends in `= delete;`, which is hidden from the grammar.
    fn is_deleted(&self, node: Node<'_>) -> bool {
        let all = self.parsed.tokens_of(node);
        matches!(&self.parsed.tokens[all], [.., equals, delete, end]
            if equals.text == sym::ASSIGN && delete.text == sym::DELETE && end.text == sym::SEMI)
    }

    /// The node of the last identifier of a qualified name, which a finding points to.
    pub(in crate::facts) fn last_name_node<'t>(&self, name: Node<'t>) -> Node<'t> {
        match name.kind() {
            "qualified_identifier" | "template_function" | "template_type" | "template_method" => {
                name.field("name").map_or(name, |inner| self.last_name_node(inner))
            }
            "dependent_name" => named_children(name).last().map_or(name, |inner| self.last_name_node(*inner)),
            _ => name,
        }
    }

    fn function_definition(&self, node: Node<'_>, templates: &[TemplateHead], out: &mut Vec<Decl>) {
        let base = self.base_type(node);
        let Some(declarator) = node.field("declarator") else {
            return;
        };
        let mut declared = self.declarator(declarator, base);
        // A function-try-block is no body to the grammar where it is a constructor's.
        let try_block = || children(node).into_iter().find(|part| part.kind().ends_with("try_statement"));
        let body = node.field("body").or_else(try_block);
        let mut templates = templates.to_vec();
        self.abbreviated_template(declarator, &mut declared, &mut templates);
        // Device code, and `constexpr` functions that a compiler may evaluate, call no operator function that
        // launches a kernel. Functions for both sides do where they assign: see [`Item::Shared`].
        let words = self.specifiers(node, declared.name);
        let is_of_host = !words.device && !words.global;
        let wanted = self.detail == Detail::Operators && is_of_host && !words.is_constexpr;
        let is_shared = self.detail == Detail::Operators && words.device && words.host;
        let outer_is_shared = self.is_shared.replace(is_shared);
        let outer = self.records_operators.replace(wanted);
        let returns_object = matches!(result_of(&declared.ty), Type::Named(_) | Type::Qualified(..));
        let returns_object = returns_object && is_of_host;
        let outer_returns = self.records_returns.replace(returns_object);
        let mut items = Vec::new();
        for part in children(node) {
            if part.kind() == "field_initializer_list" {
                self.member_initializers(part, is_of_host, &mut items);
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
            trailing_result: declared.trailing_result,
            parameters: declared.parameters.unwrap_or_default(),
            variadic: declared.variadic,
            is_const: declared.is_const,
            reference: declared.reference,
            non_throwing: self.non_throwing(node),
            arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
            body: (body.is_some() || !defaulted).then_some(items),
            explicit_if: self.explicit_if(node),
            defaulted,
            returns: body.map_or(Vec::new(), |body| self.returned(body, &result_of(&declared.ty))),
            statements: None,
            constraints: self.trailing_constraints(node),
        };
        self.records_operators.set(outer);
        self.records_returns.set(outer_returns);
        self.is_shared.set(outer_is_shared);
        let mut decl = self.new_decl(node, declared.name, &templates, DeclBody::Function(function));
        if decl.specifiers.is_constexpr
            && let DeclBody::Function(function) = &mut decl.kind
        {
            function.statements = body.and_then(|body| self.function_statements(node, body));
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
        let declarators = node.fields("declarator");
        if let Some(ty) = node.field("type") {
            match ty.kind() {
                "class_specifier" | "struct_specifier" | "union_specifier"
                    if ty.field("body").is_some() || declarators.is_empty() =>
                {
                    self.class(ty, templates, None, out);
                }
                "enum_specifier" if ty.field("body").is_some() || declarators.is_empty() => {
                    self.enumeration(ty, None, out);
                }
                _ => {}
            }
        }
        let mut base = self.base_type(node);
        if let Some(ty) = node.field("type")
            && context != Context::Namespace
            && let Some(decl) = out.last_mut().filter(|decl| decl.name == sym::EMPTY)
            && !declarators.is_empty()
            && is_unnamed_definition(ty)
        {
            // `struct { int x; } member;`: the unnamed class gets a name that the member's type can be looked
            // up by.
            decl.name = Symbol::intern(&format!("(unnamed type of {})", self.text(declarators[0])));
            base = self.qualify(node, Type::Named(Path::plain(decl.name)));
        }
        for declarator in &declarators {
            let mut declared = self.declarator(*declarator, base.clone());
            if declared.name.is_none() && self.structured_bindings(node, *declarator, &declared.ty, out) {
                continue;
            }
            if declared.name.is_none() && context != Context::Class {
                continue;
            }
            if let Some(decl) = self.initialized_by_braces(node, *declarator, &declared) {
                out.push(decl);
                continue;
            }
            let mut templates = templates.to_vec();
            self.abbreviated_template(*declarator, &mut declared, &mut templates);
            let kind = match declared.parameters {
                Some(parameters) if self.is_guide(node, *declarator, declared.name) => {
                    DeclBody::Guide(Function {
                        variadic: declared.variadic,
                        ..Function::declared(result_of(&declared.ty), parameters)
                    })
                }
                Some(parameters) => DeclBody::Function(Function {
                    result: result_of(&declared.ty),
                    trailing_result: declared.trailing_result,
                    parameters,
                    variadic: declared.variadic,
                    is_const: declared.is_const,
                    reference: declared.reference,
                    non_throwing: self.non_throwing(*declarator),
                    arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
                    body: None,
                    explicit_if: self.explicit_if(node),
                    defaulted: children(node).iter().any(|child| child.kind().ends_with("_method_clause")),
                    returns: Vec::new(),
                    statements: None,
                    constraints: self.trailing_constraints(*declarator),
                }),
                None => {
                    let value = declarator
                        .field("value")
                        .filter(|_| declarator.kind() == "init_declarator")
                        .or_else(|| belonging_to(node, *declarator, &node.fields("default_value")))
                        // A condition that declares a variable, `if (auto p = find())`.
                        .or_else(|| node.field("value"));
                    let mut items = Vec::new();
                    if let Some(ty) = node.field("type") {
                        self.template_argument_items(ty, &mut items);
                    }
                    if let Some(value) = value {
                        let around = self.records_operators.get();
                        self.records_operators
                            .set(around || context != Context::Body && self.detail == Detail::Operators);
                        self.items(value, &mut items);
                        self.records_operators.set(around);
                    }
                    let mut widths = children(node);
                    widths.retain(|child| child.kind() == "bitfield_clause");
                    let bits = belonging_to(node, *declarator, &widths)
                        .and_then(|clause| clause.named_child(0))
                        .map(|width| self.expr(width));
                    let ty = self.variable_type(node, declared.ty);
                    DeclBody::Variable(Variable {
                        initializer: value.map(|value| match ty {
                            Type::DecltypeAuto => self.operand_of_placeholder(&ty, value),
                            _ => self.initializer(value),
                        }),
                        ty,
                        initialization: value.map_or(Initialization::Direct, initialization),
                        bits,
                        alignas: self.alignments(node),
                        arguments: declared.name.and_then(|name| self.path(name).last().arguments.clone()),
                        items,
                    })
                }
            };
            let mut decl = self.new_decl(node, declared.name, &templates, kind);
            if matches!(&decl.kind, DeclBody::Variable(one) if one.bits.is_some())
                && decl.name.as_str() == UNNAMED
            {
                // An unnamed bit-field, `int : 3;`, for which the grammar was given a name.
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
                initialization: Initialization::Direct,
                bits,
                alignas: Vec::new(),
                arguments: None,
                items: Vec::new(),
            };
            out.push(self.new_decl(node, None, templates, DeclBody::Variable(variable)));
        }
    }

    /// The condition in `explicit(condition)`.
    fn explicit_if(&self, node: Node<'_>) -> Option<Expr> {
        let specifier =
            children(node).into_iter().find(|child| child.kind() == "explicit_function_specifier")?;
        named_children(specifier).into_iter().next().map(|condition| self.expr(condition))
    }

    fn alias_declaration(&self, node: Node<'_>, templates: &[TemplateHead], out: &mut Vec<Decl>) {
        let ty = node.field("type").map_or(Type::Unknown(String::new()), |ty| self.type_descriptor(ty));
        out.push(self.new_decl(node, node.field("name"), templates, DeclBody::Alias(ty)));
    }

    fn type_definition(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let declarators = node.fields("declarator");
        if let Some(ty) = node.field("type") {
            let unnamed = ty.field("name").is_none();
            // The grammar takes the names of some typedefs of the C library for fundamental types.
            let is_name = |one: &Node<'_>| matches!(one.kind(), "type_identifier" | "primitive_type");
            let plain = declarators.first().copied().filter(is_name);
            let has_body = ty.field("body").is_some();
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
            out.push(self.new_decl(node, declared.name, &[], DeclBody::Alias(declared.ty)));
        }
    }

    fn using_declaration(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let Some(target) = named_children(node).into_iter().next_back() else {
            return;
        };
        let path = self.path(target);
        let is_namespace = children(node).iter().any(|child| child.kind() == "namespace");
        let name = path.last().name;
        let is_enum = children(node).iter().any(|child| child.kind() == "enum");
        let kind = match (is_namespace, is_enum) {
            (true, _) => DeclBody::UsingNamespace(path),
            (_, true) => DeclBody::UsingEnum(path),
            _ => DeclBody::Using(path),
        };
        let mut decl = self.new_decl(node, None, &[], kind);
        decl.name = name;
        out.push(decl);
    }

    fn namespace_alias(&self, node: Node<'_>, out: &mut Vec<Decl>) {
        let target = named_children(node).into_iter().next_back();
        if let (Some(name), Some(target)) = (node.field("name"), target) {
            let kind = DeclBody::NamespaceAlias(self.path(target));
            out.push(self.new_decl(node, Some(name), &[], kind));
        }
    }
}

/// The name of an operator function without blanks, `operator+=`; a conversion function's name is left as it
/// is.
fn operator_name(name: Symbol) -> Symbol {
    match name.as_str().strip_prefix("operator ") {
        Some(rest)
            if !rest.starts_with(|first: char| first.is_alphanumeric() || first == '_' || first == ':') =>
        {
            Symbol::intern(&format!("operator{}", rest.replace(' ', "")))
        }
        _ => name,
    }
}
