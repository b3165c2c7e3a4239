//! Types as written: type-specifiers, cv-qualifiers, fundamental types.

use std::borrow::Cow;

use tree_sitter::Node;

use crate::source::Symbol;
use crate::syntax::Fields;

use super::ast::*;
use super::nodes::{Lower, PARENTHESES, TYPEOF, children, named_children, squeeze};

impl Lower<'_> {
    /// The type that a declaration's decl-specifier-seq denotes, with its cv-qualifiers.
    pub(super) fn base_type(&self, node: Node<'_>) -> Type {
        let Some(ty) = node.field("type") else {
            return Type::Unknown(String::new());
        };
        self.qualify(node, self.type_specifier(ty))
    }

    /// `ty` with the cv-qualifiers among the direct children of `node`.
    pub(super) fn qualify(&self, node: Node<'_>, ty: Type) -> Type {
        let qualifiers: Vec<&str> = qualifiers(node).map(|child| self.text(child)).collect();
        let (is_const, is_volatile) = (qualifiers.contains(&"const"), qualifiers.contains(&"volatile"));
        match ty {
            ty if !is_const && !is_volatile => ty,
            Type::Qualified(ty, constant, volatile) => {
                Type::Qualified(ty, is_const || constant, is_volatile || volatile)
            }
            ty => Type::Qualified(Box::new(ty), is_const, is_volatile),
        }
    }

    /// The type of a variable that `node` declares, of which `constexpr` makes a constant ([dcl.constexpr]/6).
    pub(super) fn variable_type(&self, node: Node<'_>, ty: Type) -> Type {
        // `unsigned constexpr count`: the grammar has the specifier in the type.
        let inner = node.field("type").filter(|ty| ty.kind() == "sized_type_specifier");
        let mut all = qualifiers(node).chain(inner.into_iter().flat_map(qualifiers));
        if all.any(|child| self.text(child) == "constexpr") { constant(ty) } else { ty }
    }

    /// The type of a type-id: the specifiers with the abstract declarator applied.
    pub(super) fn type_descriptor(&self, node: Node<'_>) -> Type {
        if node.kind() != "type_descriptor" {
            return self.type_specifier(node);
        }
        let base = self.base_type(node);
        match node.field("declarator") {
            Some(declarator) => self.declarator(declarator, base).ty,
            None => base,
        }
    }

    /// The type that a type-specifier denotes.
    pub(super) fn type_specifier(&self, node: Node<'_>) -> Type {
        match node.kind() {
            "primitive_type" => self.builtin(node),
            // `unsigned long const`: the grammar has the qualifiers in the type.
            "sized_type_specifier" => self.qualify(node, self.builtin(node)),
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
                Some(inner) if inner.kind() != "auto" => {
                    Type::Decltype(Box::new(self.decltype_operand(node, inner)))
                }
                _ => Type::DecltypeAuto,
            },
            "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
                match node.field("name") {
                    Some(name) => {
                        let elaborated = node.kind() != "enum_specifier";
                        Type::Named(Path { elaborated, ..self.path(name) })
                    }
                    None => Type::Unknown(squeeze(self.text(node))),
                }
            }
            _ => Type::Unknown(squeeze(self.text(node))),
        }
    }

    /// The operand of `decltype`, or of `typeof`, for which the grammar was given `decltype`. Only here parentheses have a
    /// meaning ([dcl.type.decltype]/1), unless the grammar was given more than are written: those belong to the token that
    /// opens the specifier.
    pub(super) fn decltype_operand(&self, node: Node<'_>, inner: Node<'_>) -> Expr {
        let first = self.parsed.token_at(node.start_byte());
        let word = self.parsed.tokens[first].text;
        let operand = self.expr(inner);
        if word.as_str().contains("typeof") {
            return Expr::Unary(Symbol::intern(TYPEOF), Box::new(operand));
        }
        match inner.kind() {
            "parenthesized_expression" if self.parsed.token_at(inner.start_byte()) > first + 1 => {
                Expr::Unary(Symbol::intern(PARENTHESES), Box::new(operand))
            }
            _ => operand,
        }
    }

    /// A fundamental type, or a name that the grammar took for one.
    pub(super) fn builtin(&self, node: Node<'_>) -> Type {
        let text = self.text(node);
        let unqualified = match qualifiers(node).next() {
            Some(_) => Cow::Owned(self.without_qualifiers(node)),
            None => Cow::Borrowed(text),
        };
        match canonical_builtin(&unqualified) {
            Some(name) => Type::Builtin(Symbol::intern(&name)),
            None => Type::Named(Path::plain(Symbol::intern(text.trim()))),
        }
    }

    /// The words of a fundamental type without the specifiers among them.
    fn without_qualifiers(&self, node: Node<'_>) -> String {
        let words = children(node).into_iter().filter(|child| child.kind() != "type_qualifier");
        words.map(|child| self.text(child)).collect::<Vec<_>>().join(" ")
    }

    /// The type of a node that is a type-id or a type-specifier alone.
    pub(super) fn type_argument(&self, node: Node<'_>) -> Type {
        if node.kind() == "type_descriptor" { self.type_descriptor(node) } else { self.type_specifier(node) }
    }
}

/// The cv-qualifiers, `constexpr` and the like among the children of a node.
fn qualifiers(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    children(node).into_iter().filter(|child| child.kind() == "type_qualifier")
}

/// Whether a type-specifier defines an unnamed class or enumeration.
pub(super) fn is_unnamed_definition(ty: Node<'_>) -> bool {
    ty.kind().ends_with("_specifier") && ty.field("body").is_some() && ty.field("name").is_none()
}

/// The canonical spelling of a fundamental type ([dcl.type.simple], table 14), or of a typedef of <cstdint>
/// and <cstddef> that the grammar takes for one (LP64: Linux on x86-64 and aarch64).
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
        "char8_t" | "char16_t" | "char32_t" | "wchar_t" | "nullptr_t" => text.trim(),
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

/// The type of a constant of a type.
fn constant(ty: Type) -> Type {
    match ty {
        Type::LvalueReference(_) | Type::RvalueReference(_) | Type::Function(..) => ty,
        Type::Array(of, size) => Type::Array(Box::new(constant(*of)), size),
        Type::Qualified(inner, _, is_volatile) => Type::Qualified(inner, true, is_volatile),
        other => Type::Qualified(Box::new(other), true, false),
    }
}
