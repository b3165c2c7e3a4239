//! Whether edits keep the code that each pass of a unit has.
//!
//! In: a unit before and after the edits. Out: an [`Applicability`], or nothing where a pass loses a launch, a call or
//! tokens of a kernel's body. Names are not resolved: a name that is new to a pass is harmless only where nothing there
//! mentions it, and only if a fix wrote what it names. The user's code is taken for harmful wherever it is new and compiled.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::finding::Applicability;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, TopDeclaration};

use super::code::{Compiled, Function, UnitCode};
use super::effect::{Edited, Effect};
use super::guard::TRAP;
use super::mention::CONSTANT;

/// The index of the host's pass.
const HOST: usize = 0;

/// What the edits are to a unit with these passes; `None` where they do harm. What the passes of `lacking` can't
/// compile, an instruction that they don't have, they may lose, but no launch.
pub(super) fn applicability(edited: &Edited<'_>, passes: PassSet, lacking: PassSet) -> Option<Applicability> {
    let (before, after) = (&edited.before.preprocessed, &edited.after.preprocessed);
    if before.stopped != after.stopped {
        return None;
    }
    let mut applicability = Applicability::Safe;
    for pass in passes.minus(before.stopped).iter() {
        let effect = edited.on(pass);
        let change = Change { edited, effect, pass };
        if change.does_harm(lacking.has(pass)) {
            return None;
        }
        if !change.effect.lost.is_empty() || !change.adds_what_nobody_minds() {
            applicability = Applicability::Suggested;
        }
    }
    Some(applicability)
}

/// The change of one pass.
struct Change<'c> {
    edited: &'c Edited<'c>,
    effect: Effect,
    pass: usize,
}

impl Change<'_> {
    /// A launch, a call or the body of a kernel is gone and does not stand elsewhere now.
    fn does_harm(&self, is_lacking: bool) -> bool {
        let Change { edited, effect, pass } = self;
        let code = edited.before;
        let lost = &effect.lost;
        let mut gone: FxHashMap<Vec<Symbol>, usize> = FxHashMap::default();
        for declaration in code.declarations_with(lost, *pass) {
            for part in expressions(code, declaration, *pass) {
                let calls = code.calls(part, *pass).into_iter().filter(|call| has_some(lost, call));
                for call in calls.map(|call| code.spelled(call, *pass)) {
                    if !is_lacking || is_launch(&call) {
                        *gone.entry(call).or_default() += 1;
                    }
                }
            }
            let functions = code.functions(declaration, *pass).into_iter();
            let kernels =
                functions.filter(|one| one.compiled == Compiled::Kernel && has_some(lost, &one.body));
            for kernel in kernels.filter(|_| !is_lacking) {
                if !self.is_never_made(declaration, &kernel) {
                    *gone.entry(code.spelled(kernel.body, *pass)).or_default() += 1;
                }
            }
        }
        !gone.is_empty() && !self.moved(gone)
    }

    /// All of these calls and bodies stand in what is added.
    fn moved(&self, mut gone: FxHashMap<Vec<Symbol>, usize>) -> bool {
        let Change { edited, effect, pass } = self;
        let (code, added) = (edited.after, &effect.added);
        for declaration in code.declarations_with(added, *pass) {
            let parts = expressions(code, declaration, *pass);
            let calls = parts.into_iter().flat_map(|part| code.calls(part, *pass));
            let bodies = code.functions(declaration, *pass).into_iter().map(|one| one.body);
            for range in calls.chain(bodies).filter(|range| has_some(added, range)) {
                if let Some(count) = gone.get_mut(&code.spelled(range, *pass)) {
                    *count = count.saturating_sub(1);
                }
            }
        }
        gone.values().all(|count| *count == 0)
    }

    /// The kernel is a template that nothing in the pass names, so its body was never compiled there.
    fn is_never_made(&self, declaration: &TopDeclaration, kernel: &Function) -> bool {
        let code = self.edited.before;
        let is_template = code.spelled(kernel.head.clone(), self.pass).contains(&sym::TEMPLATE);
        let elsewhere = |index: &usize| {
            Some(code.tokens()[*index].text) == kernel.name && !declaration.tokens.contains(index)
        };
        is_template && !code.of_pass(0..code.tokens().len(), self.pass).any(|index| elsewhere(&index))
    }

    /// What is added means nothing to the code that was there: what a fix writes of itself, with names that nothing
    /// mentions, and code of host functions in a pass that does not compile them. Other code that the pass lacked is the
    /// user's: that is compiled there for the first time.
    fn adds_what_nobody_minds(&self) -> bool {
        let Change { edited, effect, pass } = self;
        let (code, added) = (edited.after, &effect.added);
        let mut new: Vec<&TopDeclaration> = Vec::new();
        for declaration in code.declarations_with(added, *pass) {
            let all = code.of_pass(declaration.tokens.clone(), *pass).all(|index| has(added, index));
            match (all, declaration.kind) {
                (true, _) if self.is_what_fixes_write(declaration) => new.push(declaration),
                (false, DeclKind::Function | DeclKind::Class) if self.adds_to_host_code(declaration) => {}
                _ => return false,
            }
        }
        let only_scopes = |index: &usize| {
            let token = &code.tokens()[*index];
            matches!(
                token.text,
                sym::LBRACE | sym::RBRACE | sym::SEMI | sym::NAMESPACE | sym::INLINE | sym::SCOPE
            ) || matches!(token.kind, TokenKind::Identifier | TokenKind::String)
        };
        let in_none = |index: &&usize| {
            !code.declarations.iter().any(|one| one.passes.has(*pass) && one.tokens.contains(*index))
        };
        added.iter().filter(in_none).all(only_scopes) && self.nothing_mentions(&new)
    }

    /// A new declaration that runs none of the user's code: a function that traps and is no specialization, or the
    /// constant that names an instantiation.
    fn is_what_fixes_write(&self, declaration: &TopDeclaration) -> bool {
        let code = self.edited.after;
        let text = |range: Range<usize>| -> String {
            let own = code.of_pass(range, self.pass);
            own.map(|index| code.tokens()[index].text.as_str()).collect()
        };
        match declaration.kind {
            DeclKind::Function => {
                !text(declaration.tokens.clone()).starts_with("template<>")
                    && text(declaration.body..declaration.tokens.end) == format!("{{{TRAP}}}")
            }
            DeclKind::Variable => text(declaration.tokens.clone()).starts_with(&CONSTANT.replace(' ', "")),
            _ => false,
        }
    }

    /// All that is added stands in bodies that only the host compiles, and this is not the host's pass, which reads them all
    /// the same: what they name must be declared.
    fn adds_to_host_code(&self, declaration: &TopDeclaration) -> bool {
        let Change { edited, effect, pass } = self;
        let functions = edited.after.functions(declaration, *pass);
        let bodies: Vec<Range<usize>> = functions
            .into_iter()
            .filter(|function| function.compiled == Compiled::Host)
            .map(|function| function.body)
            .collect();
        let from = effect.added.partition_point(|index| *index < declaration.tokens.start);
        let own = effect.added[from..].iter().take_while(|index| **index < declaration.tokens.end);
        let is_harmless =
            |index: &usize| bodies.iter().any(|body| body.contains(index)) && self.is_declared(*index);
        *pass != HOST && own.into_iter().all(is_harmless)
    }

    /// The pass has a declaration of the name at a token before it, or no pass has one in a namespace.
    fn is_declared(&self, index: usize) -> bool {
        let code = self.edited.after;
        let token = &code.tokens()[index];
        let declares = |one: &&TopDeclaration| one.names[..one.declared].contains(&token.text);
        let mut declaring = code.declarations.iter().filter(declares).peekable();
        token.kind != TokenKind::Identifier
            || declaring.peek().is_none()
            || declaring.any(|one| one.passes.has(self.pass) && one.tokens.start < index)
    }

    /// No code of the pass mentions what is declared newly, but for declarations with the same head, and host functions
    /// in a pass that does not compile them.
    fn nothing_mentions(&self, new: &[&TopDeclaration]) -> bool {
        let Change { edited, pass, .. } = self;
        let mut heads: FxHashMap<Symbol, FxHashSet<Vec<Symbol>>> = FxHashMap::default();
        for declaration in new {
            // What is defined outside of its class is declared in it.
            let is_member =
                declaration.kind == DeclKind::Function && declaration.names.len() > declaration.declared;
            if is_member {
                continue;
            }
            for name in &declaration.names[..declaration.declared] {
                heads.entry(*name).or_default().insert(head(edited.after, declaration, *pass));
            }
        }
        let code = edited.before;
        // A kernel that is declared with this head is known to all that mention it.
        let is_kernel = |head: &Vec<Symbol>| head.contains(&sym::GLOBAL);
        for one in code.declarations.iter().filter(|one| one.passes.has(*pass)) {
            for name in &one.names[..one.declared] {
                if let Some(own) = heads.get_mut(name) {
                    let known = head(code, one, *pass);
                    own.retain(|head| *head != known || !is_kernel(head));
                }
            }
        }
        heads.retain(|_, own| !own.is_empty());
        if heads.is_empty() {
            return true;
        }
        let mentions = code.of_pass(0..code.tokens().len(), *pass).filter(|index| {
            let token = &code.tokens()[*index];
            heads.contains_key(&token.text) && !code.preprocessed.system.contains(&token.at.file)
        });
        mentions.into_iter().all(|index| {
            let around = code.declarations_with(&[index], *pass);
            around.into_iter().any(|one| {
                let same = heads[&code.tokens()[index].text].contains(&head(code, one, *pass));
                let is_host_code = |function: &Function| {
                    *pass != HOST && function.compiled == Compiled::Host && function.body.contains(&index)
                };
                same && index < one.body || code.functions(one, *pass).iter().any(is_host_code)
            })
        })
    }
}

/// A declaration's tokens without its body and the semicolon behind it.
fn head(code: &UnitCode, declaration: &TopDeclaration, pass: usize) -> Vec<Symbol> {
    let mut own = code.spelled(declaration.tokens.start..declaration.body, pass);
    if own.last() == Some(&sym::SEMI) {
        own.pop();
    }
    own
}

/// The parts of a declaration that hold expressions which run: bodies of functions, and initializers.
fn expressions(code: &UnitCode, declaration: &TopDeclaration, pass: usize) -> Vec<Range<usize>> {
    match declaration.kind {
        DeclKind::Variable | DeclKind::Other => vec![declaration.tokens.clone()],
        _ => code.functions(declaration, pass).into_iter().map(|function| function.body).collect(),
    }
}

/// A call's tokens have `<<<`.
fn is_launch(call: &[Symbol]) -> bool {
    call.windows(2).any(|pair| pair == [sym::SHL, sym::LESS])
}

fn has(indices: &[usize], index: usize) -> bool {
    indices.binary_search(&index).is_ok()
}

fn has_some(indices: &[usize], range: &Range<usize>) -> bool {
    let from = indices.partition_point(|index| *index < range.start);
    indices.get(from).is_some_and(|index| *index < range.end)
}
