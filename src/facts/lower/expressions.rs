//! Expressions, as far as constants, types and calls are made of them.

use std::sync::Arc;

use tree_sitter::Node;

use crate::source::{Symbol, sym};
use crate::syntax::{Fields, UNNAMED, is_type_trait};

use super::ast::*;
use super::literals::{character, number_literal};
use super::nodes::{Lower, children, named_children, squeeze};

impl Lower<'_> {
    /// The expression of a node; [`Expr::Unknown`] where it is not modelled.
    pub(super) fn expr(&self, node: Node<'_>) -> Expr {
        let field = |name: &str| node.field(name);
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
            "assignment_expression" => {
                let operator = field("operator").map_or(sym::ASSIGN, |operator| self.operator(operator));
                Expr::Binary(operator, boxed(field("left")), boxed(field("right")))
            }
            // `x++` gets the second operand 0 of its operator function ([over.inc]), which tells it from
            // `++x`.
            "update_expression" => {
                let operator = field("operator").map_or(sym::EMPTY, |operator| self.operator(operator));
                let operand = field("argument");
                let first = operand.is_some_and(|operand| operand.start_byte() == node.start_byte());
                match first {
                    true => Expr::Binary(operator, boxed(operand), Box::new(Expr::Int(0, sym::INT))),
                    false => Expr::Unary(operator, boxed(operand)),
                }
            }
            "new_expression" => match field("type") {
                Some(ty) => {
                    let made =
                        Expr::Construct(Box::new(self.type_argument(ty)), self.call_arguments(node).to_vec());
                    Expr::Unary(sym::AMP, Box::new(made))
                }
                None => Expr::Unknown(squeeze(self.text(node))),
            },
            "template_type" => Expr::Name(self.path(node)),
            "constraint_conjunction" | "constraint_disjunction" => {
                let operator =
                    if node.kind() == "constraint_conjunction" { sym::AMP_AMP } else { sym::BAR_BAR };
                let sides = named_children(node);
                Expr::Binary(operator, boxed(sides.first().copied()), boxed(sides.last().copied()))
            }
            "requires_expression" => self.requires(node),
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
                Some(ty) if self.is_invented(ty) => {
                    let values = field("value").map_or(Vec::new(), named_children);
                    Expr::List(values.into_iter().map(|value| self.expr(value)).collect())
                }
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
            "subscript_expression" => {
                let index = field("indices").and_then(|list| list.named_child(0));
                Expr::Subscript(boxed(field("argument")), boxed(index))
            }
            "initializer_list" => {
                Expr::List(named_children(node).into_iter().map(|value| self.expr(value)).collect())
            }
            "initializer_pair" => {
                let member = field("designator").and_then(|designator| designator.named_child(0));
                Expr::Binary(sym::ASSIGN, boxed(member), boxed(field("value")))
            }
            "call_expression" => self.call(node),
            // The comma operator groups left-to-right ([expr.comma]); the grammar nests it the other way round.
            "comma_expression" => {
                let operands = self.comma_operands(node).into_iter();
                let joined =
                    operands.reduce(|left, right| Expr::Binary(sym::COMMA, Box::new(left), Box::new(right)));
                joined.unwrap_or(Expr::Unknown(String::new()))
            }
            "fold_expression" => {
                let side = |name: &str| field(name).filter(|side| side.kind() != "...");
                let side = |name: &str| side(name).map(|side| Box::new(self.expr(side)));
                let operator = field("operator").map_or(sym::EMPTY, |operator| self.operator(operator));
                Expr::Fold(operator, side("left"), side("right"))
            }
            "parameter_pack_expansion" => {
                Expr::Expansion(boxed(field("pattern").or_else(|| node.named_child(0))))
            }
            "user_defined_literal" => self.user_defined_literal(node),
            "lambda_expression" => Expr::Lambda(self.closure(node)),
            "compound_statement" => {
                Expr::Call(Box::new(Expr::Lambda(self.statement_expression(node))), Arc::from([]))
            }
            _ => Expr::Unknown(squeeze(self.text(node))),
        }
    }

    /// Whether the type of a literal is the one that the grammar was given for `T x = {}` among parameters.
    pub(super) fn is_invented(&self, ty: Node<'_>) -> bool {
        self.text(ty) == UNNAMED
    }

    /// A user-defined literal as the call of its literal operator ([lex.ext]).
    fn user_defined_literal(&self, node: Node<'_>) -> Expr {
        let parts = named_children(node);
        let [literal, suffix] = parts.as_slice() else { return Expr::Unknown(squeeze(self.text(node))) };
        let arguments: Vec<Expr> = match self.expr(*literal) {
            Expr::Int(value, _) if literal.kind() == "number_literal" => {
                let ty = Symbol::intern("unsigned long long");
                match self.text(*literal) == value.to_string() {
                    true => vec![Expr::Int(value, ty)],
                    // Literal operators that take the characters do not get those of the value.
                    false => vec![Expr::Cast(Box::new(Type::Builtin(ty)), Box::new(Expr::Int(value, ty)))],
                }
            }
            Expr::Float(value, _) => vec![Expr::Float(value, Symbol::intern("long double"))],
            Expr::Text(text) => {
                let length = i128::try_from(text.trim_matches('"').len()).unwrap_or(i128::MAX);
                vec![Expr::Text(text), Expr::Int(length, Symbol::intern("unsigned long"))]
            }
            other => vec![other],
        };
        let name = Symbol::intern(&format!("operator\"\"{}", self.text(*suffix)));
        Expr::Call(Box::new(Expr::Name(Path::plain(name))), arguments.into())
    }

    /// The operator that a token spells, alternative tokens such as `and` replaced.
    pub(super) fn operator(&self, node: Node<'_>) -> Symbol {
        match self.text(node) {
            "and" => sym::AMP_AMP,
            "or" => sym::BAR_BAR,
            "not" => sym::BANG,
            "not_eq" => sym::BANG_EQ,
            // The grammar is given `<=` for `>=` too, and `.*` for `->*`; the token has the original.
            "<=" | ".*" => self.parsed.tokens[self.parsed.token_at(node.start_byte())].text,
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
        if let Some(ty) = node.field("type") {
            // A function type has no size: what looks like one is a call ([expr.sizeof]/1).
            return match self.type_or_call(ty) {
                Argument::Type(Type::Call(_, call)) => Expr::SizeofValue(call),
                Argument::Value(value) => Expr::SizeofValue(Box::new(value)),
                Argument::Type(_) | Argument::Pack(_) => Expr::SizeofType(Box::new(self.type_descriptor(ty))),
            };
        }
        match node.field("value") {
            // `sizeof(S)`: a name in parentheses may denote a type or a variable; lookup decides.
            Some(value) => match self.expr(value) {
                Expr::Name(path) => Expr::SizeofType(Box::new(Type::Named(path))),
                other => Expr::SizeofValue(Box::new(other)),
            },
            None => Expr::Unknown(squeeze(text)),
        }
    }

    /// A class member access, `a.b` or `a->b`, or one by a pointer to member, `a.*b` or `a->*b`.
    pub(super) fn member(&self, node: Node<'_>) -> Expr {
        let (Some(object), Some(field)) = (node.field("argument"), node.field("field")) else {
            return Expr::Unknown(squeeze(self.text(node)));
        };
        if let Some(operator) = pointer_to_member_operator(node) {
            let pointer = Expr::Name(self.path(field));
            return Expr::Binary(self.operator(operator), Box::new(self.expr(object)), Box::new(pointer));
        }
        let arrow = children(node).iter().any(|child| child.kind() == "->");
        let segment = self.path(field).last().clone();
        Expr::Member(Box::new(self.expr(object)), arrow, segment)
    }

    fn call(&self, node: Node<'_>) -> Expr {
        let Some(function) = node.field("function") else {
            return Expr::Unknown(squeeze(self.text(node)));
        };
        let arguments = self.call_arguments(node);
        match function.kind() {
            // The grammar takes it for a call.
            "identifier" if self.text(function) == "noexcept" => {
                let list = node.field("arguments");
                Expr::Noexcept(Box::new(match (&*arguments, list) {
                    ([operand], Some(list)) if !list.has_error() => operand.clone(),
                    // The grammar has no throw-expression.
                    (_, Some(list)) => Expr::Unknown(squeeze(self.text(list).trim_matches(['(', ')', ' ']))),
                    _ => Expr::Unknown(String::new()),
                }))
            }
            "identifier" if self.is_type_trait(function) => {
                let mut path = self.path(function);
                if let Some(name) = path.segments.last_mut() {
                    name.arguments = Some(self.trait_operands(node));
                }
                Expr::Call(Box::new(Expr::Name(path)), Arc::default())
            }
            "primitive_type" | "sized_type_specifier" => {
                Expr::Construct(Box::new(self.builtin(function)), arguments.to_vec())
            }
            // The grammar takes a specifier alone for a name.
            "identifier" if matches!(self.text(function), "unsigned" | "signed" | "short" | "long") => {
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

    /// Whether a callee is a built-in type trait.
    pub(super) fn is_type_trait(&self, callee: Node<'_>) -> bool {
        callee.kind() == "identifier" && is_type_trait(self.text(callee))
    }

    /// The operands of a built-in type trait, which the grammar is given as casts.
    fn trait_operands(&self, call: Node<'_>) -> Vec<Argument> {
        let operand = |node: Node<'_>| match node.field("type") {
            Some(ty) => self.type_or_call(ty),
            None => Argument::Value(self.expr(node)),
        };
        let operands = call.field("arguments").map_or(Vec::new(), named_children);
        let operands = operands.into_iter().map(|node| match node.field("pattern") {
            Some(pattern) => Argument::Pack(Box::new(operand(pattern))),
            None => operand(node),
        });
        operands.collect()
    }

    /// The arguments of a call, lowered once and shared: the call occurs in [`Expr`]s and in [`Item`]s.
    pub(super) fn call_arguments(&self, node: Node<'_>) -> Arc<[Expr]> {
        if let Some(known) = self.calls.borrow().get(&node.id()) {
            return known.clone();
        }
        let list = node.field("arguments").map_or(Vec::new(), named_children);
        let arguments: Arc<[Expr]> = list.into_iter().map(|argument| self.expr(argument)).collect();
        self.calls.borrow_mut().insert(node.id(), arguments.clone());
        arguments
    }
}

/// The operator of a class member access by a pointer to member. The grammar is given `.*` for `->*` too.
pub(super) fn pointer_to_member_operator(access: Node<'_>) -> Option<Node<'_>> {
    children(access).into_iter().find(|child| child.kind() == ".*")
}
