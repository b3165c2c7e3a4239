//! Declarators: the name that one declares, and the type that it builds from the decl-specifier-seq's
//! ([dcl.meaning]).

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::Fields;

use super::ast::*;
use super::nodes::{Lower, POINTER_TO_MEMBER, children, named_children};

/// A declarator applied to the type of its specifiers.
pub(super) struct Declared<'t> {
    /// The node of the declared name; `None` for an abstract declarator.
    pub name: Option<Node<'t>>,
    pub ty: Type,
    /// The parameters, if it declares a function.
    pub parameters: Option<Vec<Parameter>>,
    /// The parameter list ends in an ellipsis.
    pub variadic: bool,
    /// `const` stands behind the parameter list.
    pub is_const: bool,
    /// A trailing return type stands behind it.
    pub trailing_result: bool,
    /// What stands behind it as ref-qualifier.
    pub reference: RefQualifier,
}

impl<'t> Declared<'t> {
    /// A declarator that adds nothing to the type.
    pub(super) fn plain(name: Option<Node<'t>>, ty: Type) -> Declared<'t> {
        let reference = RefQualifier::None;
        let (variadic, is_const, trailing_result) = (false, false, false);
        Declared { name, ty, parameters: None, variadic, is_const, trailing_result, reference }
    }
}

/// The type of the declarator `*`, or that of a pointer to a member, which the rewriter makes one to a function that takes
/// `pointer_to_member_of_<C>` or, of a data member, `pointer_to_data_of_<C>` first. That to a const member function is as of
/// a const class.
fn pointer_to(base: Type) -> Type {
    let Type::Function(result, list, non_throwing) = base else { return Type::Pointer(Box::new(base)) };
    let class = match list.first() {
        Some(Type::Named(path)) => match (path.last().name.as_str(), path.last().arguments.as_deref()) {
            ("pointer_to_member_of_", Some([class, ..])) => Some((class.clone(), true)),
            ("pointer_to_const_member_of_", Some([Argument::Type(class), ..])) => {
                Some((Argument::Type(Type::Qualified(Box::new(class.clone()), true, false)), true))
            }
            ("pointer_to_data_of_", Some([class, ..])) => Some((class.clone(), false)),
            _ => None,
        },
        _ => None,
    };
    let (class, member) = match class {
        Some((class, true)) => (class, Type::Function(result, list.into_iter().skip(1).collect(), None)),
        Some((class, false)) => (class, *result),
        None => return Type::Pointer(Box::new(Type::Function(result, list, non_throwing))),
    };
    let arguments = Some(vec![class, Argument::Type(member)]);
    let segment = Segment { name: Symbol::intern(POINTER_TO_MEMBER), arguments };
    Type::Named(Path { global: false, elaborated: false, segments: vec![segment] })
}

impl Lower<'_> {
    /// Applies a declarator to the type `base` of the specifiers.
    pub(super) fn declarator<'t>(&self, node: Node<'t>, base: Type) -> Declared<'t> {
        let inner = || {
            node.field("declarator")
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
                let pointer = self.qualify(node, pointer_to(base));
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
                let size = node.field("size").map(|size| Box::new(self.expr(size)));
                let ty = Type::Array(Box::new(base), size);
                match node.field("declarator") {
                    Some(inner) => self.declarator(inner, ty),
                    None => Declared::plain(None, ty),
                }
            }
            "function_declarator" | "abstract_function_declarator" => self.function_declarator(node, base),
            "structured_binding_declarator" => Declared::plain(None, base),
            // A conversion function, `operator T *() const`, has its return type in its name.
            "operator_cast" => match node.field("declarator") {
                Some(inner) => {
                    let converted = self.declarator(inner, self.base_type(node));
                    Declared { name: Some(node), ..converted }
                }
                None => Declared::plain(Some(node), base),
            },
            // `int Class::*name` is a specialization of an invented template.
            "qualified_identifier" => match self.pointer_to_member(node) {
                Some((class, pointer)) => {
                    let class = Argument::Type(Type::Named(class));
                    let arguments = Some(vec![class, Argument::Type(base)]);
                    let name = Symbol::intern(POINTER_TO_MEMBER);
                    let ty = Type::Named(Path {
                        global: false,
                        elaborated: false,
                        segments: vec![Segment { name, arguments }],
                    });
                    match declarator_child(pointer) {
                        Some(inner) => self.declarator(inner, ty),
                        None => Declared::plain(None, ty),
                    }
                }
                None => Declared::plain(Some(node), base),
            },
            _ => Declared::plain(Some(node), base),
        }
    }

    fn function_declarator<'t>(&self, node: Node<'t>, base: Type) -> Declared<'t> {
        let list = node.field("parameters");
        let parameters = list.map_or(Vec::new(), |list| self.parameters(list));
        let variadic = list.is_some_and(|list| children(list).iter().any(|child| child.kind() == "..."));
        let is_const = children(node)
            .iter()
            .any(|child| child.kind() == "type_qualifier" && self.text(*child) == "const");
        let reference = children(node).into_iter().find(|child| child.kind() == "ref_qualifier");
        let reference = match reference.map(|one| self.text(one)) {
            Some("&") => RefQualifier::Lvalue,
            Some(_) => RefQualifier::Rvalue,
            None => RefQualifier::None,
        };
        let trailing = children(node).into_iter().find(|child| child.kind() == "trailing_return_type");
        let trailing_result = trailing.is_some();
        let result = match trailing.and_then(|trailing| named_children(trailing).into_iter().next()) {
            Some(ty) => self.type_argument(ty),
            None => base,
        };
        let mut types: Vec<Type> = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
        types.extend(variadic.then(|| Type::Builtin(Symbol::intern(ELLIPSIS))));
        let ty = Type::Function(Box::new(result), types, self.non_throwing_type(node));
        let Some(inner) = node.field("declarator") else {
            let parameters = Some(parameters);
            return Declared { name: None, ty, parameters, variadic, is_const, trailing_result, reference };
        };
        let mut declared = self.declarator(inner, ty);
        let direct = matches!(declared.ty, Type::Function(..));
        if direct && declared.parameters.is_none() {
            declared.parameters = Some(parameters);
            declared.variadic = variadic;
            declared.is_const = is_const;
            declared.trailing_result = trailing_result;
            declared.reference = reference;
        }
        declared
    }

    /// The parameters of a parameter-declaration-clause; none for `(void)`.
    pub(super) fn parameters(&self, list: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for child in named_children(list) {
            let pack =
                child.kind() == "variadic_parameter_declaration" || self.parsed.is_pack_of_pointers(child);
            if !pack && !matches!(child.kind(), "parameter_declaration" | "optional_parameter_declaration") {
                continue;
            }
            let base = self.base_type(child);
            let declared = match child.field("declarator") {
                Some(declarator) => self.declarator(declarator, base),
                None => Declared::plain(None, base),
            };
            let ty = if pack { Type::Pack(Box::new(declared.ty)) } else { declared.ty };
            let name = declared.name.map_or(sym::EMPTY, |name| self.symbol(name));
            let default = child.field("default_value");
            let mut items = Vec::new();
            if let Some(default) = default {
                self.items(default, &mut items);
            }
            let default = default.map(|value| self.expr(value));
            parameters.push(Parameter { name, ty, default, default_from: None, items });
        }
        // `f(void)` has no parameters.
        if let [only] = parameters.as_slice()
            && only.name == sym::EMPTY
            && only.ty == Type::Builtin(sym::VOID)
        {
            parameters.clear();
        }
        parameters
    }
}

/// The one of `nodes` that belongs to a declarator: each of `int a = 1, b = 2;` has an initializer of its
/// own.
pub(super) fn belonging_to<'t>(
    declaration: Node<'t>,
    declarator: Node<'t>,
    nodes: &[Node<'t>],
) -> Option<Node<'t>> {
    let others = declaration.fields("declarator");
    let next = others.iter().find(|other| other.start_byte() >= declarator.end_byte());
    let own = declarator.end_byte()..next.map_or(declaration.end_byte(), |next| next.start_byte());
    nodes.iter().find(|node| own.contains(&node.start_byte())).copied()
}

fn declarator_child(node: Node<'_>) -> Option<Node<'_>> {
    node.field("declarator").or_else(|| {
        named_children(node)
            .into_iter()
            .rfind(|child| !matches!(child.kind(), "type_qualifier" | "ms_pointer_modifier"))
    })
}

/// The return type of a function type; any other type as it is.
pub(super) fn result_of(ty: &Type) -> Type {
    match ty {
        Type::Function(result, ..) => result.as_ref().clone(),
        other => other.clone(),
    }
}
