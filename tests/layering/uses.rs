//! The uses that the modules of a crate make of one another.
//!
//! In: a [`Tree`] and its [`Names`]. Out: a [`Use`] for every path and every method call that leads into another
//! file. Code of tests and visibilities (`pub(in ...)`) use nothing.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ForeignItem, ImplItem, Item, Macro, Path, Stmt, TraitItem, UseTree, Visibility};

use super::names::{Named, Names, TypeKey, imports};
use super::tree::{self, ModuleId, Tree, is_test};

/// A place where a file uses another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Use {
    /// The module of the file that uses.
    pub(crate) from: ModuleId,
    pub(crate) line: usize,
    /// The path or the method, as it is written.
    pub(crate) what: String,
    pub(crate) kind: UseKind,
    /// The modules of the files that may define what is used: several for a method whose name is defined in several.
    pub(crate) to: BTreeSet<ModuleId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum UseKind {
    Path,
    /// A call whose receiver's type is known: `self` in an `impl` block, or `Type::function`.
    Function,
    /// A call of which only the method's name is known.
    Method,
}

/// Every use in the crate, in the order of modules and lines.
pub(crate) fn uses(tree: &Tree, names: &Names) -> Vec<Use> {
    let mut uses = Vec::new();
    for module in 0..tree.modules.len() {
        uses.extend(uses_of(tree, names, module));
    }
    uses
}

/// The uses in one module.
pub(crate) fn uses_of(tree: &Tree, names: &Names, module: ModuleId) -> BTreeSet<Use> {
    let mut reader = Reader { tree, names, module, owner: None, uses: BTreeSet::new() };
    for item in &tree.modules[module].items {
        reader.visit_item(item);
    }
    reader.uses
}

struct Reader<'t> {
    tree: &'t Tree,
    names: &'t Names<'t>,
    module: ModuleId,
    /// The type of the `impl` block.
    owner: Option<TypeKey>,
    uses: BTreeSet<Use>,
}

impl Reader<'_> {
    fn add(&mut self, line: usize, what: String, kind: UseKind, to: impl IntoIterator<Item = ModuleId>) {
        let from = self.tree.modules[self.module].room;
        let to: BTreeSet<_> = to.into_iter().map(|module| self.tree.modules[module].room).collect();
        if !to.is_empty() && !to.contains(&from) {
            self.uses.insert(Use { from, line, what, kind, to });
        }
    }

    fn path(&mut self, segments: &[String], line: usize) {
        let found = match segments {
            [name] => self.names.resolve_alone(self.module, name),
            [owner, name, ..] if owner == "Self" => return self.function_of_self(name, line),
            _ => self.names.resolve(self.module, segments),
        };
        self.named(segments.join("::"), line, found);
    }

    fn named(&mut self, what: String, line: usize, found: Vec<Named>) {
        for named in &found {
            let Named::Item { module, name, associated: Some(function) } = named else { continue };
            let to = self.names.inherent(&(*module, name.clone()), function);
            // Where the type is defined too, its name says it already.
            if let Some(to) = to.filter(|to| !to.contains(module)) {
                self.add(line, what.clone(), UseKind::Function, to.iter().copied());
            }
        }
        // To name the module that one stands in, or one above it, is no use of what it defines.
        let above: Vec<_> = self.tree.ancestry(self.module).collect();
        let used =
            found.iter().filter(|named| !matches!(named, Named::Module(module) if above.contains(module)));
        self.add(line, what, UseKind::Path, used.map(Named::module));
    }

    /// `Self::name` or `self.name()`.
    fn function_of_self(&mut self, name: &str, line: usize) {
        let to = self.owner.as_ref().and_then(|owner| self.names.inherent(owner, name));
        if let Some(to) = to {
            self.add(line, format!("Self::{name}"), UseKind::Function, to.iter().copied());
        }
    }

    fn method(&mut self, receiver: Receiver, name: &Ident) {
        let line = name.span().start().line;
        let name = name.to_string();
        let known = self.owner.as_ref().is_some_and(|owner| self.names.inherent(owner, &name).is_some());
        match receiver {
            Receiver::OwnSelf if known => self.function_of_self(&name, line),
            _ => {
                if let Some(to) = self.names.method(&name) {
                    self.add(line, format!(".{name}()"), UseKind::Method, to.iter().copied());
                }
            }
        }
    }

    /// Paths and method calls in tokens that a macro or an attribute reads.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) if is_field_access(&tokens[..at]) => {
                    self.member_in_tokens(&tokens, at, name);
                }
                TokenTree::Ident(first) => {
                    at = self.path_in_tokens(&tokens, at, first);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// The member behind a dot: a field, which is no use, or a method.
    fn member_in_tokens(&mut self, tokens: &[TokenTree], at: usize, name: &Ident) {
        if is_call(&tokens[at + 1..]) {
            let receiver = if is_self(&tokens[..at - 1]) { Receiver::OwnSelf } else { Receiver::Other };
            self.method(receiver, name);
        }
    }

    /// Reads the path at `start` and returns the index behind it.
    fn path_in_tokens(&mut self, tokens: &[TokenTree], start: usize, first: &Ident) -> usize {
        let line = first.span().start().line;
        let mut segments = vec![first.to_string()];
        let mut at = start + 1;
        while is_punctuation(tokens.get(at), ':') && is_punctuation(tokens.get(at + 1), ':') {
            match tokens.get(at + 2) {
                Some(TokenTree::Ident(next)) => segments.push(next.to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    let tree = tokens[start..at + 3].iter().cloned().collect();
                    if let Ok(tree) = syn::parse2(tree) {
                        self.imports(&tree);
                    }
                    return at + 3;
                }
                _ => break,
            }
            at += 3;
        }
        self.path(&segments, line);
        at
    }

    fn imports(&mut self, tree: &UseTree) {
        for import in imports(tree) {
            let found = self.names.resolve(self.module, &import.path);
            self.named(import.path.join("::"), import.line, found);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    OwnSelf,
    Other,
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(tree::item_attributes(item)) {
            return;
        }
        match item {
            Item::Impl(block) => {
                let owner = self.names.type_of_impl(self.module, &block.self_ty);
                let outer = std::mem::replace(&mut self.owner, owner);
                visit::visit_item(self, item);
                self.owner = outer;
            }
            Item::Use(declaration) => self.imports(&declaration.tree),
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !is_test(tree::impl_item_attributes(item)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        if !is_test(tree::trait_item_attributes(item)) {
            visit::visit_trait_item(self, item);
        }
    }

    fn visit_foreign_item(&mut self, item: &'ast ForeignItem) {
        if !is_test(tree::foreign_item_attributes(item)) {
            visit::visit_foreign_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if !is_test(tree::statement_attributes(statement)) {
            visit::visit_stmt(self, statement);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !is_test(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        if !is_test(&field.attrs) {
            visit::visit_field_value(self, field);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !is_test(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !is_test(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if !["doc", "cfg", "allow", "expect"].iter().any(|name| attribute.path().is_ident(name)) {
            visit::visit_attribute(self, attribute);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if path.leading_colon.is_none() {
            let line = path.segments.first().map_or(0, |segment| segment.ident.span().start().line);
            self.path(&segments, line);
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let receiver = match &*call.receiver {
            Expr::Path(path) if path.path.is_ident("self") => Receiver::OwnSelf,
            _ => Receiver::Other,
        };
        self.method(receiver, &call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        if let Some(name) = invocation.path.get_ident() {
            let defined = self.names.macro_above(self.module, &name.to_string());
            let line = name.span().start().line;
            self.add(line, format!("{name}!"), UseKind::Path, defined);
        }
        visit::visit_macro(self, invocation);
    }

    fn visit_token_stream(&mut self, tokens: &'ast TokenStream) {
        self.tokens(tokens.clone());
    }
}

fn is_punctuation(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punctuation)) if punctuation.as_char() == character)
}

/// `before` ends with the dot of `x.name`, which is not the end of `..`.
fn is_field_access(before: &[TokenTree]) -> bool {
    let dot = |from_end: usize| {
        before.len().checked_sub(from_end).is_some_and(|at| is_punctuation(before.get(at), '.'))
    };
    dot(1) && !dot(2)
}

/// `after` begins with a call's parentheses or with `::<` before them.
fn is_call(after: &[TokenTree]) -> bool {
    match after.first() {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        token => is_punctuation(token, ':') && is_punctuation(after.get(2), '<'),
    }
}

/// `before` ends with `self`, which is no field.
fn is_self(before: &[TokenTree]) -> bool {
    match before.split_last() {
        Some((TokenTree::Ident(ident), rest)) => ident == "self" && !is_field_access(rest),
        _ => false,
    }
}
