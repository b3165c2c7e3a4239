//! The code of a unit as each of its passes has it: its functions, and the calls and launches in them.
//!
//! In: a unit, preprocessed and cut into declarations. Out: ranges of its tokens. Nothing is parsed or resolved: brackets
//! and specifiers tell whose body a token is in, and in doubt a function is taken for one that GPUs run too.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::preprocess::{PpToken, Preprocessed};
use crate::source::{FileId, SourceFile, Sources, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{
    DeclKind, MemberFunction, TopDeclaration, looks_like_macro, member_functions, variance, word,
};

/// Specifiers of functions that are compiled for a GPU. Device code may call constexpr functions
/// (`--expt-relaxed-constexpr`).
const FOR_DEVICES: [&str; 4] = ["__device__", "__global__", "constexpr", "consteval"];

/// Parts of the names that macros for such specifiers have.
const MACRO_WORDS: [&str; 8] = ["DEVICE", "GLOBAL", "KERNEL", "INLINE", "CUDA", "GPU", "FUNC", "HD"];

/// A unit and its declarations.
pub(super) struct UnitCode {
    pub(super) preprocessed: Preprocessed,
    pub(super) declarations: Vec<TopDeclaration>,
    /// The files, which an edit may have superseded since.
    pub(super) files: FxHashMap<FileId, Arc<SourceFile>>,
}

/// A function with a body.
pub(super) struct Function {
    pub(super) name: Option<Symbol>,
    /// Its tokens before the body.
    pub(super) head: Range<usize>,
    /// Its body, braces included.
    pub(super) body: Range<usize>,
    pub(super) compiled: Compiled,
}

/// Where a function's body is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compiled {
    /// For devices: a kernel.
    Kernel,
    /// For devices, and perhaps for the host too.
    Devices,
    /// For the host alone. A device pass reads it for the kernels that it instantiates.
    Host,
}

impl UnitCode {
    /// The code of a unit that was preprocessed from `sources`; `all` are its passes.
    pub(super) fn new(preprocessed: Preprocessed, all: PassSet, sources: &Sources) -> UnitCode {
        let declarations = variance(&preprocessed, all.minus(preprocessed.stopped)).declarations;
        let files = preprocessed.files.iter().map(|id| (*id, sources.file(*id))).collect();
        UnitCode { preprocessed, declarations, files }
    }

    /// All tokens, those of other passes among them.
    pub(super) fn tokens(&self) -> &[PpToken] {
        self.preprocessed.tokens()
    }

    /// The indices of a pass's tokens in a range.
    pub(super) fn of_pass(&self, range: Range<usize>, pass: usize) -> impl Iterator<Item = usize> {
        range.filter(move |index| self.tokens()[*index].passes.has(pass))
    }

    /// The spellings of a pass's tokens in a range.
    pub(super) fn spelled(&self, range: Range<usize>, pass: usize) -> Vec<Symbol> {
        self.of_pass(range, pass).map(|index| self.tokens()[index].text).collect()
    }

    /// The declarations of a pass that have some of these tokens, which ascend.
    pub(super) fn declarations_with(&self, tokens: &[usize], pass: usize) -> Vec<&TopDeclaration> {
        let has_some = |one: &&TopDeclaration| {
            let from = tokens.partition_point(|index| *index < one.tokens.start);
            one.passes.has(pass) && tokens.get(from).is_some_and(|index| *index < one.tokens.end)
        };
        self.declarations.iter().filter(has_some).collect()
    }

    /// The functions that a declaration defines in a pass: itself, or the members in a class's body.
    pub(super) fn functions(&self, declaration: &TopDeclaration, pass: usize) -> Vec<Function> {
        match declaration.kind {
            DeclKind::Function => {
                let head = declaration.tokens.start..declaration.body;
                let body = declaration.body..declaration.tokens.end;
                let mut compiled = self.compiled(&head, &body, pass);
                if compiled == Compiled::Host && self.may_be_for_devices_in_its_class(declaration, pass) {
                    compiled = Compiled::Devices;
                }
                vec![Function { name: declaration.names.first().copied(), head, body, compiled }]
            }
            DeclKind::Class => {
                let member = |MemberFunction { name, head, body, .. }: MemberFunction| {
                    let compiled = self.compiled(&head, &body, pass);
                    Function { name, head, body, compiled }
                };
                member_functions(self.tokens(), declaration, pass).into_iter().map(member).collect()
            }
            _ => Vec::new(),
        }
    }

    fn compiled(&self, head: &Range<usize>, body: &Range<usize>, pass: usize) -> Compiled {
        let own: Vec<&PpToken> =
            self.of_pass(head.clone(), pass).map(|index| &self.tokens()[index]).collect();
        // `__attribute__((global))`: a parameter of that name has no parentheses to itself.
        let has_attribute = |name: &str| {
            let is = |three: &[&PpToken]| {
                (three[0].text, three[1].text.as_str(), three[2].text) == (sym::LPAREN, name, sym::RPAREN)
            };
            own.windows(3).any(is)
        };
        if own.iter().any(|token| token.text == sym::GLOBAL) || has_attribute("global") {
            return Compiled::Kernel;
        }
        // A lambda in the body may be for devices.
        let mut within = self.of_pass(body.clone(), pass).map(|index| self.tokens()[index].text);
        if own.iter().any(|token| may_be_for_devices(token))
            || has_attribute("device")
            || within.any(|text| text == sym::DEVICE)
        {
            return Compiled::Devices;
        }
        Compiled::Host
    }

    /// A member that is defined outside of its class, which has a member for devices.
    fn may_be_for_devices_in_its_class(&self, declaration: &TopDeclaration, pass: usize) -> bool {
        let scopes = declaration.names.get(declaration.declared..).unwrap_or_default();
        let declares = |one: &&TopDeclaration| {
            let own = one.names.first().is_some_and(|name| scopes.contains(name));
            own && one.passes.has(pass) && one.kind == DeclKind::Class
        };
        self.declarations.iter().filter(declares).any(|class| {
            self.of_pass(class.class_body.clone(), pass)
                .any(|index| may_be_for_devices(&self.tokens()[index]))
        })
    }

    /// The calls and launches in a range, each from the called name to the end of its arguments.
    pub(super) fn calls(&self, range: Range<usize>, pass: usize) -> Vec<Range<usize>> {
        let own: Vec<usize> = self.of_pass(range, pass).collect();
        let text = |at: usize| own.get(at).map_or(sym::EMPTY, |index| self.tokens()[*index].text);
        let is_name = |at: usize| {
            let token = &self.tokens()[own[at]];
            token.kind == TokenKind::Identifier && word(token.text).is_none()
        };
        let mut found = Vec::new();
        for at in (0..own.len()).filter(|at| is_name(*at)) {
            let behind = if text(at + 1) == sym::LESS { past_angles(&text, at + 1) } else { Some(at + 1) };
            let Some(behind) = behind else { continue };
            let open = match (text(behind), text(behind + 1)) {
                (sym::LPAREN, _) => behind,
                // The lexer knows no `<<<`.
                (sym::SHL, sym::LESS) => match past_configuration(&text, behind + 2) {
                    Some(open) => open,
                    None => continue,
                },
                _ => continue,
            };
            let close = past_brackets(&text, open, own.len());
            found.push(own[at]..own[close - 1] + 1);
        }
        found
    }
}

/// A specifier of device code, or a name that may be a macro for one whose header was not found.
fn may_be_for_devices(token: &PpToken) -> bool {
    let text = token.text.as_str();
    let may_expand = || looks_like_macro(token.text) && MACRO_WORDS.iter().any(|word| text.contains(word));
    token.kind == TokenKind::Identifier && (FOR_DEVICES.contains(&text) || may_expand())
}

/// The position behind the `>` that closes the `<` at `open`, as far as that closes template arguments.
fn past_angles(text: &dyn Fn(usize) -> Symbol, open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, open);
    loop {
        match text(at) {
            sym::LESS => depth += 1,
            sym::GREATER => depth = depth.saturating_sub(1),
            sym::SHR => depth = depth.saturating_sub(2),
            sym::LPAREN | sym::LBRACKET => at = past_brackets(text, at, usize::MAX) - 1,
            sym::SEMI | sym::LBRACE | sym::RBRACE | sym::RPAREN | sym::EMPTY => return None,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The `(` behind a launch's configuration, whose first token is at `at`.
fn past_configuration(text: &dyn Fn(usize) -> Symbol, mut at: usize) -> Option<usize> {
    loop {
        match (text(at), text(at + 1), text(at + 2)) {
            (sym::SHR, sym::GREATER, sym::LPAREN) => return Some(at + 2),
            (sym::SEMI | sym::EMPTY, ..) => return None,
            (sym::LPAREN | sym::LBRACKET | sym::LBRACE, ..) => at = past_brackets(text, at, usize::MAX),
            _ => at += 1,
        }
    }
}

/// The position behind the bracket that closes the one at `open`, at most `end`.
fn past_brackets(text: &dyn Fn(usize) -> Symbol, open: usize, end: usize) -> usize {
    let (mut depth, mut at) = (0_usize, open);
    while at < end {
        match text(at) {
            sym::LPAREN | sym::LBRACKET | sym::LBRACE => depth += 1,
            sym::RPAREN | sym::RBRACKET | sym::RBRACE => depth = depth.saturating_sub(1),
            sym::EMPTY => return at,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}
