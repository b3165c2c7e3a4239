//! The meanings of a crate's paths, and the places where its methods are defined.
//!
//! In: a [`Tree`]. Out: [`Names`], which answers for a path in a module which module defines what it names.
//! A re-exported item counts as its definition's module. Names of other crates have no answer.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::{FnArg, ImplItem, Item, Signature, TraitItem, Type, UseTree};

use super::tree::{ModuleId, Tree, impl_item_attributes, is_test, trait_item_attributes};

/// The entity that a path names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Named {
    Module(ModuleId),
    Item {
        /// The module that defines it.
        module: ModuleId,
        name: String,
        /// The next name of the path: an associated function or a variant.
        associated: Option<String>,
    },
}

impl Named {
    pub(crate) fn module(&self) -> ModuleId {
        match self {
            Named::Module(module) | Named::Item { module, .. } => *module,
        }
    }
}

/// A type, by the module that defines it and its name there.
pub(crate) type TypeKey = (ModuleId, String);

/// The names of a crate.
pub(crate) struct Names<'t> {
    tree: &'t Tree,
    scopes: Vec<Scope>,
    /// The modules that define a method, by its name: inherent ones and those that traits declare.
    methods: BTreeMap<String, BTreeSet<ModuleId>>,
    /// The modules that define a type's inherent functions, methods or not.
    inherent: BTreeMap<(TypeKey, String), BTreeSet<ModuleId>>,
}

/// The names that stand in a module.
#[derive(Default)]
struct Scope {
    items: BTreeSet<String>,
    children: BTreeMap<String, ModuleId>,
    imports: BTreeMap<String, Vec<Vec<String>>>,
    globs: Vec<Vec<String>>,
}

/// One path of a `use` declaration.
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    kind: ImportKind,
}

enum ImportKind {
    Name(String),
    Glob,
}

impl<'t> Names<'t> {
    pub(crate) fn new(tree: &'t Tree) -> Names<'t> {
        let scopes = (0..tree.modules.len()).map(|module| Scope::new(tree, module)).collect();
        let mut names = Names { tree, scopes, methods: BTreeMap::new(), inherent: BTreeMap::new() };
        for module in 0..tree.modules.len() {
            names.add_functions(module);
        }
        names
    }

    /// The entities that `path` names in `module`: several where a module and a function share a name.
    pub(crate) fn resolve(&self, module: ModuleId, path: &[String]) -> Vec<Named> {
        self.resolve_guarded(module, path, &mut Vec::new())
    }

    /// The meaning of a name alone in `module` because of `use ...::*`. Other names alone are defined in the module or
    /// imported, which the `use` declaration says already.
    pub(crate) fn resolve_alone(&self, module: ModuleId, name: &str) -> Vec<Named> {
        let scope = &self.scopes[module];
        let known = scope.items.contains(name)
            || scope.children.contains_key(name)
            || scope.imports.contains_key(name);
        if known { Vec::new() } else { self.through_globs(module, name, &mut Vec::new()) }
    }

    /// The module above `module` that defines the macro `name`, which is seen below it without a path.
    pub(crate) fn macro_above(&self, module: ModuleId, name: &str) -> Option<ModuleId> {
        let defines = |above: &ModuleId| {
            self.tree.modules[*above].items.iter().any(|item| {
                matches!(item, Item::Macro(item) if item.ident.as_ref().is_some_and(|ident| ident == name))
            })
        };
        self.tree.ancestry(module).skip(1).find(defines)
    }

    /// The modules that define a method of this name, on any type.
    pub(crate) fn method(&self, name: &str) -> Option<&BTreeSet<ModuleId>> {
        self.methods.get(name)
    }

    /// The modules that define an inherent function of this type.
    pub(crate) fn inherent(&self, owner: &TypeKey, name: &str) -> Option<&BTreeSet<ModuleId>> {
        self.inherent.get(&(owner.clone(), name.to_string()))
    }

    /// The type that an `impl` block is about, if it is one of this crate.
    pub(crate) fn type_of_impl(&self, module: ModuleId, of: &Type) -> Option<TypeKey> {
        let Type::Path(path) = of else { return None };
        let segments: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.resolve(module, &segments).into_iter().find_map(|named| match named {
            Named::Item { module, name, .. } => Some((module, name)),
            Named::Module(_) => None,
        })
    }

    fn resolve_guarded(
        &self,
        module: ModuleId,
        path: &[String],
        pending: &mut Vec<(ModuleId, String)>,
    ) -> Vec<Named> {
        let Some((first, rest)) = path.split_first() else { return vec![Named::Module(module)] };
        let parent = |module: ModuleId| self.tree.modules[module].parent.map(Named::Module);
        let mut found = match first.as_str() {
            "crate" => vec![Named::Module(0)],
            "self" => vec![Named::Module(module)],
            "super" => parent(module).into_iter().collect(),
            name => self.look_up(module, name, pending),
        };
        for name in rest {
            let next = found.into_iter().flat_map(|found| match found {
                Named::Module(module) if name == "super" => parent(module).into_iter().collect(),
                Named::Module(module) => {
                    let found = self.look_up(module, name, pending);
                    // A macro made it.
                    let made = Named::Item { module, name: name.clone(), associated: None };
                    if found.is_empty() { vec![made] } else { found }
                }
                Named::Item { module, name: owner, associated } => {
                    let associated = associated.or_else(|| Some(name.clone()));
                    vec![Named::Item { module, name: owner, associated }]
                }
            });
            found = next.collect();
        }
        found.sort();
        found.dedup();
        found
    }

    fn look_up(&self, module: ModuleId, name: &str, pending: &mut Vec<(ModuleId, String)>) -> Vec<Named> {
        let key = (module, name.to_string());
        if pending.contains(&key) {
            return Vec::new();
        }
        pending.push(key);
        let scope = &self.scopes[module];
        let mut found: Vec<_> =
            scope.children.get(name).map(|child| Named::Module(*child)).into_iter().collect();
        if scope.items.contains(name) {
            found.push(Named::Item { module, name: name.to_string(), associated: None });
        }
        for path in scope.imports.get(name).into_iter().flatten() {
            found.extend(self.resolve_guarded(module, path, pending));
        }
        if found.is_empty() {
            found = self.through_globs(module, name, pending);
        }
        pending.pop();
        found
    }

    fn through_globs(
        &self,
        module: ModuleId,
        name: &str,
        pending: &mut Vec<(ModuleId, String)>,
    ) -> Vec<Named> {
        let mut found = Vec::new();
        for path in &self.scopes[module].globs {
            for named in self.resolve_guarded(module, path, pending) {
                if let Named::Module(from) = named {
                    found.extend(self.look_up(from, name, pending));
                }
            }
        }
        found
    }

    fn add_functions(&mut self, module: ModuleId) {
        let tree = self.tree;
        for item in &tree.modules[module].items {
            match item {
                Item::Impl(block) if block.trait_.is_none() => {
                    let owner = self.type_of_impl(module, &block.self_ty);
                    for item in &block.items {
                        let ImplItem::Fn(function) = item else { continue };
                        if !is_test(impl_item_attributes(item)) {
                            self.add_function(module, owner.clone(), &function.sig);
                        }
                    }
                }
                Item::Trait(declared) => {
                    for item in &declared.items {
                        let TraitItem::Fn(function) = item else { continue };
                        if !is_test(trait_item_attributes(item)) {
                            self.add_function(module, None, &function.sig);
                        }
                    }
                }
                Item::Macro(item) => self.add_methods_of_tokens(module, item.mac.tokens.clone()),
                _ => {}
            }
        }
    }

    fn add_function(&mut self, module: ModuleId, owner: Option<TypeKey>, signature: &Signature) {
        let name = signature.ident.to_string();
        if matches!(signature.inputs.first(), Some(FnArg::Receiver(_))) {
            self.methods.entry(name.clone()).or_default().insert(module);
        }
        if let Some(owner) = owner {
            self.inherent.entry((owner, name)).or_default().insert(module);
        }
    }

    /// The methods that a macro defines: `fn name(.. self ..)`.
    fn add_methods_of_tokens(&mut self, module: ModuleId, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.add_methods_of_tokens(module, group.stream()),
                TokenTree::Ident(keyword) if keyword == "fn" => {
                    let Some(TokenTree::Ident(name)) = tokens.get(at + 1) else { continue };
                    let parameters = tokens[at + 1..].iter().find_map(|token| match token {
                        TokenTree::Group(group) => Some(group.stream()),
                        _ => None,
                    });
                    let is_self =
                        |token: TokenTree| matches!(token, TokenTree::Ident(ident) if ident == "self");
                    if parameters.is_some_and(|parameters| parameters.into_iter().any(is_self)) {
                        self.methods.entry(name.to_string()).or_default().insert(module);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Scope {
    fn new(tree: &Tree, module: ModuleId) -> Scope {
        let children = &tree.modules[module].children;
        let children = children.iter().map(|child| (tree.modules[*child].name.clone(), *child)).collect();
        let mut scope = Scope { children, ..Scope::default() };
        for item in &tree.modules[module].items {
            if let Item::Use(declaration) = item {
                for import in imports(&declaration.tree) {
                    match import.kind {
                        ImportKind::Name(name) => scope.imports.entry(name).or_default().push(import.path),
                        ImportKind::Glob => scope.globs.push(import.path),
                    }
                }
            }
            scope.items.extend(item_name(item));
        }
        scope
    }
}

fn item_name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The paths of a `use` declaration.
pub(crate) fn imports(tree: &UseTree) -> Vec<Import> {
    let mut imports = Vec::new();
    add_imports(tree, &mut Vec::new(), &mut imports);
    imports
}

fn add_imports(tree: &UseTree, prefix: &mut Vec<String>, imports: &mut Vec<Import>) {
    let mut add = |last: &syn::Ident, name: &syn::Ident| {
        let mut path = prefix.clone();
        let line = last.span().start().line;
        if last != "self" || path.is_empty() {
            path.push(last.to_string());
        }
        let name = if name == "self" {
            path.last().expect("`self` or what it stands for").clone()
        } else {
            name.to_string()
        };
        imports.push(Import { path, line, kind: ImportKind::Name(name) });
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            add_imports(&path.tree, prefix, imports);
            prefix.pop();
        }
        UseTree::Name(name) => add(&name.ident, &name.ident),
        UseTree::Rename(rename) => add(&rename.ident, &rename.rename),
        UseTree::Glob(glob) => {
            let line = glob.star_token.spans[0].start().line;
            imports.push(Import { path: prefix.clone(), line, kind: ImportKind::Glob });
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                add_imports(tree, prefix, imports);
            }
        }
    }
}
