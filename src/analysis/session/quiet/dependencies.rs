//! The dependencies of a unit's outcome on the text of one file, collected from its stages.
//!
//! Each stage that looks into function bodies is listed here with what it looks for: declarations that it parsed, names
//! that it follows. Where names are involved that lead to kernel templates, which in a library of templates can be most of them,
//! the function alone is parsed as it was and as it is ([`crate::facts::Reach`]).

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::cancel::unwind_if_cancelled;
use crate::facts::{LookedInto, Memo, asks_for_the_compiler, may_hand_on};
use crate::preprocess::{EventKind, PpToken, Preprocessed};
use crate::source::{FileId, SourceFile, Symbol, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, Ending, Known, TopDeclaration, Variance, Varies};

use super::ends::ends;
use super::names::WatchedNames;

/// The text of one file that a unit's outcome depends on: all but the bodies of functions, and of these what the stages
/// look for.
#[derive(Debug)]
pub(in crate::analysis::session) struct FileDependencies {
    /// The file as it was read last.
    pub(in crate::analysis::session) file: Arc<SourceFile>,
    /// Its tokens after preprocessing, in order. They keep the file's first id, and their places are the last text's.
    pub(super) tokens: Vec<PpToken>,
    /// The functions whose bodies may be edited, in order.
    pub(super) bodies: Vec<EditableBody>,
    /// The names that the unit's stages look for.
    pub(super) names: Arc<WatchedNames>,
    /// Its declarations end where they do whether or not braces elsewhere in it are closed.
    pub(super) firm: bool,
}

/// The body of a function, which may be edited quietly although its head has been read.
#[derive(Debug)]
pub(super) struct EditableBody {
    /// The function's tokens among the file's own; those of its body alone, where the head is in another file.
    pub(super) whole: Range<usize>,
    /// The tokens of the body, braces included.
    pub(super) tokens: Range<usize>,
    /// It mentions names that lead to kernel templates, or was followed for them.
    pub(super) leads: bool,
    /// The function, with its tokens counted from its first one; `None` where its head is in another file.
    pub(super) function: Option<TopDeclaration>,
    /// The outcome depends on whether it mentions a varying name.
    pub(super) may_vary: bool,
    /// It closes the braces that it opens.
    pub(super) closed: bool,
    /// It has a watched name, in a function where it matters whether that stands behind an `if`.
    pub(super) watched: bool,
}

impl FileDependencies {
    /// Collects those of some files of a unit with these stages, the main file first. None of them was read twice.
    pub(in crate::analysis::session) fn of(
        files: Vec<Arc<SourceFile>>,
        unit: &Preprocessed,
        variance: &Variance,
        looked_into: &LookedInto,
        compared: PassSet,
        memo: &Memo,
    ) -> Vec<FileDependencies> {
        unwind_if_cancelled();
        let names = Arc::new(WatchedNames::new(unit, variance, looked_into, compared));
        let collector = Collector { unit, variance, looked_into, names, memo };
        let roles = std::iter::once(Role::Main).chain(std::iter::repeat(Role::Header));
        files.into_iter().zip(roles).map(|(file, role)| collector.dependencies(file, role)).collect()
    }
}

/// The place of a file in its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Main,
    Header,
}

/// The tokens of one file among those of its unit.
struct OwnTokens {
    file: FileId,
    role: Role,
    /// Their indices, ascending.
    indices: Vec<usize>,
}

impl OwnTokens {
    /// Those in a range of the unit's tokens, as a range of the file's own.
    fn within(&self, range: Range<usize>) -> Range<usize> {
        let first = self.indices.partition_point(|index| *index < range.start);
        first..self.indices.partition_point(|index| *index < range.end)
    }

    /// A declaration reaches into the tokens between the first one and the last one.
    fn meet(&self, declaration: &TopDeclaration) -> bool {
        let (first, last) = (self.indices.first(), self.indices.last());
        first.is_some_and(|first| declaration.tokens.end > *first)
            && last.is_some_and(|last| declaration.tokens.start <= *last)
    }
}

/// The stages of a unit that dependencies are collected from.
struct Collector<'u> {
    unit: &'u Preprocessed,
    variance: &'u Variance,
    looked_into: &'u LookedInto,
    names: Arc<WatchedNames>,
    memo: &'u Memo,
}

impl Collector<'_> {
    fn dependencies(&self, file: Arc<SourceFile>, role: Role) -> FileDependencies {
        let all = self.unit.tokens();
        let own = OwnTokens { file: file.id, role, indices: tokens_of(self.unit, file.id) };
        let mut bodies = Vec::new();
        let (mut firm, mut unclosed) = (true, 0);
        let declarations = self.variance.declarations.iter().enumerate();
        for (number, declaration) in declarations.filter(|(_, one)| own.meet(one)) {
            unwind_if_cancelled();
            let ends = match own.within(declaration.tokens.clone()).len() {
                0 => continue,
                count if count == declaration.tokens.len() => {
                    ends(&all[declaration.tokens.clone()], declaration, declaration.passes)
                }
                _ => None,
            };
            firm &= ends.is_some();
            unclosed += usize::from(ends == Some(Ending::Open));
            bodies.extend(self.body(number, &own, ends));
        }
        let tokens = own.indices.iter().map(|index| all[*index]).collect();
        // One that is left out may not be closed.
        let open = |body: &&EditableBody| !body.closed;
        firm &= bodies.iter().filter(open).count() == unclosed;
        FileDependencies { tokens, bodies, names: Arc::clone(&self.names), file, firm }
    }

    /// The body of the declaration with this number, if an edit in it may be quiet.
    fn body(&self, number: usize, own: &OwnTokens, ends: Option<Ending>) -> Option<EditableBody> {
        let (all, names) = (self.unit.tokens(), &self.names);
        let declaration = &self.variance.declarations[number];
        let (body, end) = (declaration.body, declaration.tokens.end);
        let quiet = declaration.kind == DeclKind::Function
            && declaration.passes == names.compared
            && body < end
            && all[body].at.file == own.file
            && all[end - 1].at.file == own.file
            && !names.takes_number(declaration)
            && hides_its_body(all, declaration);
        let tokens = own.within(body..end);
        // A body with a header in its middle is not followed, nor is one that a custom rule looks at.
        let looked_at = self.looked_into.any_body || self.looked_into.custom.contains(&number);
        if !quiet || looked_at || tokens.len() != end - body {
            return None;
        }
        let whole = &all[declaration.tokens.clone()];
        let (head, inside) = whole.split_at(body - declaration.tokens.start);
        let has = |tokens: &[PpToken], these: &FxHashSet<Symbol>| {
            tokens.iter().any(|token| these.contains(&token.text))
        };
        // Text that the host lacks is a fact about a host function, and what a function for both sides returns by pass may be
        // one about its callers.
        let on_device = head.iter().any(|token| matches!(token.text, sym::GLOBAL | sym::DEVICE))
            && !head.iter().any(|token| token.text == sym::HOST);
        if !on_device && inside.iter().any(|token| !token.passes.contains(names.compared)) {
            return None;
        }
        // And so is a call of what only devices have, where the compiler is asked for.
        let outside = all[body].group;
        let asks = |token: &PpToken| {
            token.group != outside && asks_for_the_compiler(self.unit, token.group, outside).is_some()
        };
        if !on_device && inside.iter().any(asks) {
            return None;
        }
        // So is a value of its own that the host hands to the device, and a `static_assert` about one.
        let asserts =
            || inside.iter().any(|token| matches!(token.text, sym::STATIC_ASSERT | sym::STATIC_ASSERT_C));
        let hands_on = || {
            let varying = names.varying.mentions(all, declaration, body..end);
            may_hand_on(inside, &names.constants, |index| varying.binary_search(&(body + index)).is_ok())
        };
        if !on_device && hands_on() || declaration.varies.any() && asserts() {
            return None;
        }
        // Of entities that several object files emit, the whole text is compared.
        if has(inside, &names.numbered) || own.role == Role::Header && has(head, &names.entities) {
            return None;
        }
        let own_whole = own.within(declaration.tokens.clone());
        let together = own_whole.len() == whole.len();
        let parsed = self.looked_into.parsed.contains(&number);
        let leads = whole.iter().any(|token| names.reach.leads(token.kind, token.text));
        // What a kernel instantiates is in question for its head alone, unless it was followed.
        let is_kernel = head.iter().any(|token| token.text == sym::GLOBAL);
        let leads = leads && (parsed || !is_kernel);
        let may_vary = !is_kernel
            && (leads || whole[0].text == sym::TEMPLATE)
            && declaration.varies == Varies { names: declaration.varies.names, ..Varies::default() };
        let followed = leads && (!together || self.looked_into.incomplete);
        if parsed && (followed || !stands_alone(whole, declaration, names.compared, self.memo)) {
            return None;
        }
        Some(EditableBody {
            whole: if together { own_whole } else { tokens.clone() },
            tokens,
            leads,
            function: together.then(|| TopDeclaration {
                tokens: 0..whole.len(),
                body: head.len(),
                class_body: 0..0,
                known: Known::default(),
                ..declaration.clone()
            }),
            may_vary,
            closed: ends == Some(Ending::Closed),
            watched: is_kernel && has(inside, &names.watched),
        })
    }
}

/// The tokens of a file, by index. They stand between where it is entered first and where it is left last, or directly
/// behind, where a macro's invocation goes on; those of the headers that a file begins with are none.
fn tokens_of(unit: &Preprocessed, file: FileId) -> Vec<usize> {
    let all = unit.tokens();
    let (mut open, mut first, mut end) = (Vec::new(), all.len(), 0);
    for event in unit.events() {
        match event.kind {
            EventKind::Enter { file: entered, .. } => {
                open.push(entered);
                if entered == file {
                    first = first.min(event.before);
                }
            }
            EventKind::Leave if open.pop() == Some(file) => end = end.max(event.before),
            _ => {}
        }
    }
    if unit.files.first() == Some(&file) {
        (first, end) = (unit.headers().tokens(), all.len());
    }
    let behind = all[end..].iter().take_while(|token| token.at.file == file).count();
    (first..end + behind).filter(|index| all[*index].at.file == file).collect()
}

/// A function with this head means the same whatever its body does.
fn hides_its_body(tokens: &[PpToken], declaration: &TopDeclaration) -> bool {
    let head = &tokens[declaration.tokens.start..declaration.body];
    !head.iter().any(|token| matches!(token.text, sym::AUTO | sym::CONSTEXPR | sym::CONSTEVAL))
}

/// A function's head is the same text in all passes, and is read the same whatever the body says.
fn stands_alone(tokens: &[PpToken], declaration: &TopDeclaration, compared: PassSet, memo: &Memo) -> bool {
    let head = declaration.body - declaration.tokens.start;
    tokens[..head].iter().all(|token| token.passes.contains(compared)) && memo.reads_alone(tokens, head)
}
