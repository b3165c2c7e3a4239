//! Which libraries of system headers lead to kernel templates at all, told by their outermost namespaces.
//!
//! In: the declarations of kernel templates, and those that mention a namespace. Out: the namespaces of which some code may come
//! to a kernel template by itself. Code of a header that is no template has types and functions of its own namespace, of the
//! global one and of those that their code names. So code of `std` that names no other library comes to no kernel of one: its
//! templates call what they are given, but it has nothing of that library to give. Nor do its templates come to one where their
//! arguments are not of that library and no other code adds to their namespace.

use rustc_hash::FxHashSet;

use crate::preprocess::PpToken;
use crate::source::{Symbol, TokenKind, sym};
use crate::variance::{DeclKind, ScopeId, TopDeclaration};

use super::name_graph::NameGraph;

impl NameGraph<'_> {
    /// The outermost namespaces with code in system headers that may come to one of the target names, which system headers
    /// declare; with the empty name, all of them.
    pub(super) fn namespaces_that_lead<'n>(
        &self,
        targets: impl Iterator<Item = &'n Symbol>,
    ) -> FxHashSet<Symbol> {
        let is_of_system = |top: &usize| self.token_facts.is_of_system(*top);
        let declaring = targets.flat_map(|name| self.declaring_target(*name)).filter(is_of_system);
        let mut worklist: Vec<Symbol> = declaring.map(|top| self.lookup.outermost_namespace(top)).collect();
        let mut found = FxHashSet::default();
        while let Some(namespace) = worklist.pop() {
            if found.insert(namespace) {
                let mentions = self.token_facts.mentions(namespace).filter(is_of_system);
                let others = mentions.filter(|top| !self.is_specialization_for(*top, namespace));
                worklist.extend(others.map(|top| self.lookup.outermost_namespace(top)));
            }
        }
        found
    }

    /// Whether a declaration of a system header that is no template may come to what namespaces lead to
    /// ([`NameGraph::namespaces_that_lead`]): it is of one, or names one.
    pub(super) fn may_come_to(&self, top: usize, namespaces: &FxHashSet<Symbol>) -> bool {
        let mut named = self.token_facts.names(top).iter();
        namespaces.contains(&sym::EMPTY)
            || namespaces.contains(&self.lookup.outermost_namespace(top))
            || named.any(|name| namespaces.contains(name))
    }

    /// The outermost namespaces to which code outside of system headers adds declarations, but for specializations for its own
    /// types: what the headers' templates find in these depends on that code.
    pub(super) fn namespaces_added_to(&self) -> FxHashSet<Symbol> {
        let is_own = |top: &usize| !self.token_facts.is_of_system(*top);
        let mut found = FxHashSet::default();
        for top in (0..self.token_facts.end()).filter(is_own) {
            let declaration = &self.declarations[top];
            // A definition or specialization that is declared around its namespace.
            let qualifiers = &declaration.names[declaration.declared..];
            let mut added = vec![self.lookup.outermost_namespace(top)];
            qualifiers.iter().for_each(|name| self.add_namespaces(*name, &mut added));
            if !added.iter().all(|namespace| found.contains(namespace)) && !self.is_for_own_type(top) {
                found.extend(added);
            }
        }
        found
    }

    /// Adds a name if it is that of a namespace, and of an alias what its declarations name.
    fn add_namespaces(&self, name: Symbol, found: &mut Vec<Symbol>) {
        if !self.lookup.is_namespace(name) || found.contains(&name) {
            return;
        }
        found.push(name);
        for tokens in self.known(name).iter().map(|top| self.lookup.tokens(*top)) {
            if tokens.first().is_some_and(|first| first.text == sym::NAMESPACE) {
                tokens.iter().for_each(|token| self.add_namespaces(token.text, found));
            }
        }
    }

    /// Whether a declaration is a specialization for a class or enumeration that no system header declares.
    fn is_for_own_type(&self, top: usize) -> bool {
        let is_type = |other: &usize| {
            matches!(self.declarations[*other].kind, DeclKind::Class | DeclKind::Forward | DeclKind::Enum)
                && !self.token_facts.is_of_system(*other)
        };
        let (tokens, declaration) = (self.lookup.tokens(top), &self.declarations[top]);
        let own = declaration.names.first();
        // A template parameter may have the name of a class.
        let is_parameter = |name: Symbol| {
            tokens.iter().take_while(|token| Some(&token.text) != own).any(|token| token.text == name)
        };
        own_arguments(tokens, declaration).into_iter().filter_map(named_type).any(|path| {
            let (last, qualifiers) = path.split_last().expect("a path has a name");
            let mut qualifiers = qualifiers.iter().filter(|token| token.text != sym::SCOPE);
            let declared = self.known(last.text);
            !declared.is_empty()
                && declared.iter().all(is_type)
                && !is_parameter(last.text)
                && qualifiers.all(|token| self.lookup.is_namespace(token.text))
        })
    }

    /// Whether a declaration is a specialization for classes of a namespace, or an explicit instantiation: what does not name the
    /// namespace does not come to these.
    fn is_specialization_for(&self, top: usize, namespace: Symbol) -> bool {
        let declaration = &self.declarations[top];
        match declaration.kind {
            DeclKind::Instantiation => true,
            DeclKind::Class | DeclKind::Forward | DeclKind::Variable => {
                let arguments = own_arguments(self.lookup.tokens(top), declaration);
                arguments.iter().any(|argument| self.is_class_of(argument, namespace, declaration.scope))
            }
            _ => false,
        }
    }

    /// Whether a template argument in a scope is a class of a namespace, or a pointer or reference to one, spelled with the
    /// namespace. An alias may be any type: a condition that the namespace decides, say.
    fn is_class_of(&self, argument: &[PpToken], namespace: Symbol, scope: ScopeId) -> bool {
        let Some(path) = named_type(argument).filter(|path| path.len() > 2 && path[0].text == namespace)
        else {
            return false;
        };
        let (qualifier, name) = (path[path.len() - 3].text, path[path.len() - 1].text);
        let is_meant =
            |other: &&usize| self.lookup.qualifies(scope, [namespace, qualifier], self.lookup.home(**other));
        let is_class = |other: &TopDeclaration| matches!(other.kind, DeclKind::Class | DeclKind::Forward);
        // An out-of-class constructor has the class's name too.
        let is_member = |other: &TopDeclaration| other.names.len() > other.declared && !is_class(other);
        let meant = self.known(name).iter().filter(is_meant).map(|other| &self.declarations[*other]);
        let mut meant = meant.filter(|other| !is_member(other));
        meant.next().is_some_and(is_class) && meant.all(is_class)
    }
}

/// The template arguments behind the own name of a declaration with these tokens; none where it has none. A `>>` that ends the
/// list is not part of the last one.
fn own_arguments<'t>(tokens: &'t [PpToken], declaration: &TopDeclaration) -> Vec<&'t [PpToken]> {
    let own = declaration.names.first().copied();
    let is_own = |pair: &[PpToken]| Some(pair[0].text) == own && pair[1].text == sym::LESS;
    let Some(name) = tokens.windows(2).position(is_own) else { return Vec::new() };
    let (mut arguments, mut first) = (Vec::new(), name + 2);
    let mut nesting = Nesting::default();
    for (at, token) in tokens.iter().enumerate().skip(name + 1) {
        nesting.take(token);
        let ends = nesting.angles <= 0;
        if nesting.brackets == 0 && (ends || nesting.angles == 1 && token.text == sym::COMMA) {
            arguments.push(&tokens[first..at]);
            first = at + 1;
        }
        if ends {
            break;
        }
    }
    arguments
}

/// The names, and the `::` between them, of a template argument that is a type by these, with template arguments behind the last
/// one or not, or a pointer or reference to it.
fn named_type(argument: &[PpToken]) -> Option<&[PpToken]> {
    let is_outer = |token: &PpToken| {
        matches!(token.text, sym::CONST | sym::VOLATILE | sym::STAR | sym::AMP | sym::AMP_AMP | sym::ELLIPSIS)
    };
    let from = argument.iter().position(|token| !is_outer(token) && token.text != sym::SCOPE)?;
    let to = argument.iter().rposition(|token| !is_outer(token))?;
    let named = argument.get(from..=to)?;
    let path = named.iter().position(|token| token.text == sym::LESS).unwrap_or(named.len());
    let (path, arguments) = named.split_at(path);
    let is_path = path.len() % 2 == 1
        && path.iter().enumerate().all(|(at, token)| match at % 2 {
            0 => token.kind == TokenKind::Identifier,
            _ => token.text == sym::SCOPE,
        });
    (is_path && is_one_list(arguments)).then_some(path)
}

/// Whether tokens are the template arguments of one name: what their first `<` opens ends with them.
fn is_one_list(tokens: &[PpToken]) -> bool {
    let mut nesting = Nesting::default();
    let inner = tokens.split_last().map_or(&[][..], |(_, inner)| inner);
    inner.iter().all(|token| {
        nesting.take(token);
        nesting.angles > 0
    })
}

/// How deep a token stands in template arguments, and in brackets, in which a `>` is an operator.
#[derive(Default)]
struct Nesting {
    angles: i32,
    brackets: i32,
}

impl Nesting {
    fn take(&mut self, token: &PpToken) {
        match token.text {
            sym::LPAREN | sym::LBRACE | sym::LBRACKET => self.brackets += 1,
            sym::RPAREN | sym::RBRACE | sym::RBRACKET => self.brackets -= 1,
            sym::LESS if self.brackets == 0 => self.angles += 1,
            sym::GREATER if self.brackets == 0 => self.angles -= 1,
            sym::SHR if self.brackets == 0 => self.angles -= 2,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::{Sources, Symbol};
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::variance;

    use super::super::unit::IndexedUnit;
    use crate::facts::lower::memo::Memo;

    /// The declarations of a system header in namespace `base` or in none that may come to a kernel template of namespace `lib`.
    fn leading(text: &str) -> String {
        let passes = Passes::new(&parse_arch_list("80").unwrap()).unwrap();
        let sources = Sources::new();
        let kernels = "namespace lib { template <class T> __global__ void kernel(T) {} struct Own { }; inline void use();
            template <class... T> struct Other { Other(); }; template <class... T> Other<T...>::Other() { }
            template <class T> using Always = void; }";
        let header = sources.add(Path::new("/s/h.h"), format!("{kernels}\n{text}"));
        sources.add(
            Path::new("a.cu"),
            "#include <h.h>\nnamespace base { void mine(); using namespace lib; }".into(),
        );
        let mut unit = TranslationUnit::new(Path::new("a.cu"), passes);
        unit.search.system.push("/s".into());
        let (pp, memo) = (preprocess(&unit, &sources, &Arc::default()), Memo::new());
        let variance = variance(&pp, unit.passes.all());
        let unit = IndexedUnit::new(&pp, &variance, &memo, unit.passes.all(), None);
        let graph = unit.name_graph();
        let leading = graph.closure(&unit.token_facts().kernels()).leading_names(graph);
        let is_shown = |top: &usize| {
            let declaration = &variance.declarations[*top];
            let space = unit.namespace(declaration.scope);
            pp.tokens()[declaration.tokens.start].at.file == header.id
                && space != Symbol::intern("lib")
                && !unit.leads_nowhere(*top, &leading)
        };
        let tops = (0..variance.declarations.len()).filter(is_shown);
        tops.filter_map(|top| Some(variance.declarations[top].names.first()?.as_str()))
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn namespaces_lead_by_those_that_they_name() {
        let own = "namespace base { inline void call(); template <class T> struct traits; template <> struct traits<int> { }; }";
        assert_eq!(leading(own), "traits");
        let by_name = "namespace base { inline void call() { lib::use(); } void other(); }";
        assert_eq!(leading(by_name), "call other");
        let by_another = "namespace base { void call() { mid::use(); } } namespace mid { using lib::use; }";
        assert_eq!(leading(by_another), "call use");
        let by_directive = "namespace base { inline namespace v1 { using namespace lib; } void call(); }";
        assert_eq!(leading(by_directive), "call");
        let by_alias = "namespace short_name = lib; namespace base { void call() { short_name::use(); } } namespace mid { void other(); }";
        assert_eq!(leading(by_alias), "short_name call other");
        let by_a_template = "namespace base { template <class T> void go(T x) { lib::use(); } void call(); }";
        assert_eq!(leading(by_a_template), "go call");
    }

    #[test]
    fn specializations_for_types_of_a_namespace_make_no_other_code_come_to_it() {
        let text = "namespace base { template <class T> struct traits { };
            template <> struct traits<lib::Own> { void run(); };
            template <class T> struct traits<lib::Other<T>> { };
            template <class T> struct traits<const ::lib::Other<lib::Always<T>, (1 > 0)> &> { };
            template struct traits<lib::Own *>;
            void call(); }";
        assert_eq!(leading(text), "traits traits traits traits traits");
        let otherwise = "namespace base { template <class T> struct traits { };
            template <class T> struct traits<T *> { using type = lib::Own; };
            void call(); }";
        assert_eq!(leading(otherwise), "traits traits call");
        // Whether these are used is decided by the namespace, not by who names it.
        for argument in [
            "lib::Always<T>",
            "typename lib::Other<T>::type",
            "base::one<lib::Other<T>>",
            "T, lib::Other<T>::value",
            "lib::Unknown<T>",
        ] {
            let text = format!(
                "namespace base {{ template <class T, class = void> struct traits {{ }};
                template <class T> struct traits<{argument}> {{ }};
                void call(); }}"
            );
            assert_eq!(leading(&text), "traits traits call", "{argument}");
        }
    }
}
