//! Inline PTX instructions and toolkit functions that not every target has, and the passes that reach them.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::preprocess::{PpToken, Preprocessed, Search};
use crate::project::TranslationUnit;
use crate::source::{Symbol, TokenKind, sym};
use crate::target::{Arch, Needed, Pass, PassSet, intrinsics, needed_by_call};
use crate::variance::{TopDeclaration, Variance};

use super::cause::{of_comparisons, of_token};
use super::conditions::comparisons_in;
use super::dump::Printer;
use super::numbers::is_number;
use crate::facts::index::tokens::{SymbolSet, refine};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{ArchComparison, Cause, InstructionFact, Operator};

/// The instructions that some pass reaches whose target lacks them, and all that passes reach and not every target has.
///
/// An instruction that every device pass reaches is a fact in two cases. Either code is surely generated for it, since
/// it is in the body of a non-template kernel and outside every `if`, and the user chose the targets: with default
/// targets it would only say that the code is for newer GPUs, which its author knows. Or it is under a condition that
/// keeps targets out that lack it, which says for which targets its author meant it. An upper bound does not: the other
/// group of `#if __CUDA_ARCH__ >= 900` is for what has no better instruction, not for every target before sm_90.
pub(in crate::facts) fn instructions(
    unit: &IndexedUnit<'_>,
    translation: &TranslationUnit,
    compared: PassSet,
    words: &TargetWords,
) -> (Vec<InstructionFact>, Vec<Needed>) {
    let devices = devices(translation, compared);
    let (mut facts, mut used): (Vec<InstructionFact>, Vec<Needed>) = (Vec::new(), Vec::new());
    let mut known: FxHashSet<String> = FxHashSet::default();
    for index in words.places.iter().copied() {
        let token = &unit.pp.tokens()[index];
        let reached = token.passes.and(devices);
        if !words.known.has(token.text) || reached.is_empty() || unit.pp.system.contains(&token.at.file) {
            continue;
        }
        let found = words.requirements(unit, index, reached);
        for one in found.iter().flat_map(|(_, all)| all.iter()) {
            if !known.contains(&one.written) {
                known.insert(one.written.clone());
                used.push(one.clone());
            }
        }
        let lacks = |(passes, all): &(PassSet, Arc<[Needed]>)| {
            all.iter().any(|one| !lacking(translation, *passes, one).is_empty())
        };
        if !found.iter().any(lacks) {
            continue;
        }
        let emission = emission(unit.variance, unit.pp, index);
        let function = function_name(unit.variance, unit.pp, index);
        let mut causes = of_comparisons(unit, token);
        if reached != devices {
            causes.splice(0..0, of_token(unit, token, devices));
        }
        let chosen = translation.origin.is_chosen();
        if reached == devices && causes.is_empty() && !(chosen && emission == Emission::Certain) {
            continue;
        }
        for (passes, all) in found {
            for one in all.iter() {
                if let Some(fact) = fact(translation, token, passes, one, emission, &causes) {
                    add(&mut facts, InstructionFact { function, ..fact });
                }
            }
        }
    }
    (facts, used)
}

/// The device passes for which NVIDIA's tables are true: they do not tell how SCALE compiles an instruction for AMD's GPUs.
pub(in crate::facts) fn devices(translation: &TranslationUnit, compared: PassSet) -> PassSet {
    let foreign = translation.foreign().into_iter().map(|(index, _)| PassSet::single(index));
    foreign.fold(compared.minus(PassSet::HOST), PassSet::minus)
}

/// The words that begin a statement or a call which not every target has.
pub(in crate::facts) struct TargetWords {
    assembly: [Symbol; 3],
    /// `ptx`, the namespace of CCCL's wrappers of instructions.
    ptx: Symbol,
    /// Those words that count in this unit.
    known: SymbolSet,
    /// The tokens that are one of these words, or of those that do not count because the project declares them itself.
    places: Vec<usize>,
}

impl TargetWords {
    /// The words of a unit. Functions that the project declares itself do not count, nor does a namespace `ptx` of its
    /// own.
    /// And the tokens that `__CUDA_ARCH__` was expanded to, by index, which are found with them.
    pub(in crate::facts) fn new(pp: &Preprocessed) -> (TargetWords, Vec<usize>) {
        let assembly = ["asm", "__asm__", "__asm"].map(Symbol::intern);
        let ptx = Symbol::intern("ptx");
        let mut known: FxHashSet<Symbol> =
            intrinsics().iter().map(|row| Symbol::intern(row.pattern)).collect();
        let candidates = SymbolSet::of(&known);
        let all: FxHashSet<Symbol> = known.iter().copied().chain(assembly).chain([ptx]).collect();
        let all = SymbolSet::of(&all);
        let tokens = pp.tokens();
        let wanted = |index: usize| [all.has(tokens[index].text), is_number(pp, &tokens[index])];
        let [places, numbers] = pp.find_tokens([(Search::TargetWords, 0), (Search::Numbers, 0)], wanted);
        let texts = |index: &usize| pp.tokens()[*index].text;
        let own: Vec<Symbol> = places
            .iter()
            .filter(|index| candidates.has(texts(index)) && declares(pp, **index))
            .map(texts)
            .collect();
        known.retain(|name| !own.contains(name));
        known.extend(assembly);
        let is_namespace = |index: &usize| {
            let Some([before, own, after]) = index.checked_sub(1).and_then(|at| pp.tokens().get(at..at + 3))
            else {
                return false;
            };
            let spelled = before.text == sym::NAMESPACE && own.text == ptx && after.text == sym::LBRACE;
            spelled && !pp.system.contains(&before.at.file)
        };
        if !places.iter().any(is_namespace) {
            known.insert(ptx);
        }
        (TargetWords { assembly, ptx, known: SymbolSet::of(&known), places }, numbers)
    }

    /// The places of the words, in order, those that do not count included.
    pub(in crate::facts) fn places(&self) -> impl Iterator<Item = usize> {
        self.places.iter().copied()
    }

    /// Whether a name begins such a statement or call.
    pub(in crate::facts) fn known(&self, name: Symbol) -> bool {
        self.known.has(name)
    }

    /// The requirements of the statement or call that begins at a token, for each class of passes.
    pub(in crate::facts) fn requirements(
        &self,
        unit: &IndexedUnit<'_>,
        index: usize,
        reached: PassSet,
    ) -> Vec<(PassSet, Arc<[Needed]>)> {
        let pp = unit.pp;
        let token = &pp.tokens()[index];
        if self.assembly.contains(&token.text) {
            let texts = assembler_templates(&pp.tokens()[index..], reached).into_iter();
            return texts
                .map(|(passes, literals)| (passes, unit.memo.needed(&literals, joined_value)))
                .collect();
        }
        let next = |from: usize| {
            let mut rest = pp.tokens()[from + 1..].iter();
            rest.position(|other| other.passes.contains(reached)).map(|step| from + 1 + step)
        };
        let text = |index: Option<usize>| index.map(|index| pp.tokens()[index].text);
        let called = match token.text == self.ptx {
            true => {
                let scope = next(index).filter(|at| pp.tokens()[*at].text == sym::SCOPE);
                scope.and_then(next).map(|at| (at, Some("ptx")))
            }
            false => Some((index, None)),
        };
        let Some((at, scope)) = called.filter(|(at, _)| text(next(*at)) == Some(sym::LPAREN)) else {
            return Vec::new();
        };
        let one = needed_by_call(pp.tokens()[at].text.as_str(), scope);
        one.map_or(Vec::new(), |one| vec![(reached, [one].into())])
    }
}

/// Whether a name followed by parentheses is declared there, since it follows a type: `unsigned __reduce_add_sync(`. A
/// call follows an operator or a keyword of a statement.
fn declares(pp: &Preprocessed, index: usize) -> bool {
    let token = &pp.tokens()[index];
    let Some(before) = pp.tokens()[..index].iter().rev().find(|other| other.passes.meets(token.passes))
    else {
        return false;
    };
    let statement = ["return", "else", "do", "case", "co_return", "throw", "sizeof", "decltype"];
    !pp.system.contains(&token.at.file)
        && before.kind == TokenKind::Identifier
        && !statement.contains(&before.text.as_str())
}

fn fact(
    translation: &TranslationUnit,
    token: &PpToken,
    passes: PassSet,
    needed: &Needed,
    emission: Emission,
    causes: &[Cause],
) -> Option<InstructionFact> {
    let lacking = lacking(translation, passes, needed);
    let targets = translation.passes.archs(lacking);
    let cause = match emission {
        Emission::Certain => causes.first().cloned(),
        Emission::Possible => causes.iter().find(|cause| is_meant_for(cause, &targets, needed)).cloned(),
    };
    let meant = cause.is_some() || causes.is_empty() || emission == Emission::Certain;
    (!lacking.is_empty() && meant).then(|| InstructionFact {
        written: needed.written.clone(),
        at: token.at,
        function: None,
        reached: passes,
        lacking,
        narrowest: needed.narrowest(),
        call: !token.text.as_str().contains("asm"),
        sure: emission == Emission::Certain,
        cause,
    })
}

/// Whether a conditional was meant to keep an instruction from targets that lack it: it lets targets in by a lower bound,
/// or only such as none of them has the instruction. A conditional without a comparison asks for a feature.
fn is_meant_for(cause: &Cause, lacking: &[Arch], needed: &Needed) -> bool {
    let comparisons: Vec<ArchComparison> =
        cause.derivation.iter().flat_map(|step| comparisons_in(&step.text)).collect();
    let bounds = |one: &ArchComparison| {
        lacking.iter().any(|arch| {
            let holds = one.operator.holds(u64::from(arch.cuda_arch()), one.value);
            let below = match one.operator {
                Operator::AtLeast | Operator::Greater | Operator::Equal => holds,
                Operator::AtMost | Operator::Less | Operator::NotEqual => !holds,
            };
            let beyond = |arch: &Arch| one.operator.holds(u64::from(arch.cuda_arch()), one.value) != holds;
            below || needed.narrowest().iter().all(beyond)
        })
    };
    comparisons.is_empty() || comparisons.iter().any(bounds)
}

/// The passes whose targets lack an instruction.
fn lacking(translation: &TranslationUnit, passes: PassSet, needed: &Needed) -> PassSet {
    let lacks = |index: &usize| match translation.passes.list().get(*index) {
        Some(Pass::Device(arch)) => !needed.on(*arch),
        _ => false,
    };
    passes.iter().filter(lacks).fold(PassSet::EMPTY, |all, index| all.or(PassSet::single(index)))
}

/// Adds a fact, or its passes to that of the same statement.
fn add(facts: &mut Vec<InstructionFact>, fact: InstructionFact) {
    let known = facts.iter_mut().find(|known| known.at == fact.at && known.written == fact.written);
    match known {
        Some(known) => {
            known.reached = known.reached.or(fact.reached);
            known.lacking = known.lacking.or(fact.lacking);
        }
        None => facts.push(fact),
    }
}

/// Whether code is surely generated for a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Emission {
    /// It is: the statement is in a non-template kernel, outside every `if`.
    Certain,
    /// It may not be: the statement may be in a template that is not instantiated, or a function that is not called.
    Possible,
}

fn emission(variance: &Variance, pp: &Preprocessed, index: usize) -> Emission {
    let Some(declaration) = declaration_around(variance, index) else { return Emission::Possible };
    let has = |tokens: &[PpToken], words: &[Symbol]| tokens.iter().any(|token| words.contains(&token.text));
    let header = &pp.tokens()[declaration.tokens.start..declaration.body];
    let before = &pp.tokens()[declaration.body..index];
    let kernel = has(header, &[sym::GLOBAL]) && !has(header, &[Symbol::intern("template")]);
    match kernel && !has(before, &[sym::IF]) {
        true => Emission::Certain,
        false => Emission::Possible,
    }
}

/// The declaration in whose body a token is.
pub(in crate::facts) fn declaration_around(variance: &Variance, index: usize) -> Option<&TopDeclaration> {
    let begun = variance.declarations.partition_point(|one| one.tokens.start <= index);
    let declaration = variance.declarations[..begun].iter().rev().find(|one| index < one.tokens.end);
    declaration.filter(|one| one.body <= index)
}

/// The name of the function in whose body a token is: the identifier before its parameters.
pub(in crate::facts) fn function_name(
    variance: &Variance,
    pp: &Preprocessed,
    index: usize,
) -> Option<Symbol> {
    let declaration = declaration_around(variance, index)?;
    let header = &pp.tokens()[declaration.tokens.start..declaration.body];
    // Attributes have parentheses too: `__launch_bounds__(256)`.
    let named = |two: &&[PpToken]| {
        let text = two[0].text.as_str();
        two[0].kind == TokenKind::Identifier
            && two[1].text == sym::LPAREN
            && !text.starts_with("__")
            && !matches!(two[0].text, sym::ALIGNAS | sym::NOEXCEPT | sym::DECLTYPE | sym::EXPLICIT)
    };
    header.windows(2).find(named).map(|two| two[0].text)
}

/// The assembler template of the `asm` statement that begins with the first of `tokens`, for each class of passes: the
/// string literals before the first colon.
fn assembler_templates(tokens: &[PpToken], reached: PassSet) -> Vec<(PassSet, Vec<Symbol>)> {
    let mut depth = 0_u32;
    let mut literals: Vec<&PpToken> = Vec::new();
    for token in tokens.iter().skip(1) {
        match token.text {
            sym::LPAREN => depth += 1,
            sym::RPAREN => depth = depth.saturating_sub(1),
            sym::COLON | sym::SCOPE if depth == 1 => break,
            _ if token.kind == TokenKind::String => literals.push(token),
            _ => {}
        }
        // `volatile`, `goto` and `inline` may stand before the parenthesis.
        if depth == 0 && matches!(token.text, sym::RPAREN | sym::SEMI) {
            break;
        }
    }
    let classes = refine(reached, literals.iter().map(|token| token.passes.and(reached)));
    let own = |class: PassSet| -> Vec<Symbol> {
        literals.iter().filter(|token| token.passes.contains(class)).map(|token| token.text).collect()
    };
    classes.into_iter().map(|class| (class, own(class))).filter(|(_, own)| !own.is_empty()).collect()
}

/// The value of adjacent string literals.
fn joined_value(literals: &[Symbol]) -> String {
    literals.iter().map(|literal| decoded(*literal)).collect()
}

/// The value of a string literal, with `%%` as the `%` that it means in an assembler template.
fn decoded(literal: Symbol) -> String {
    let spelled = literal.as_str();
    let Some((prefix, rest)) = spelled.split_once('"') else { return String::new() };
    let inner = rest.rsplit_once('"').map_or(rest, |(inner, _)| inner);
    let text = if prefix.ends_with('R') { raw(inner) } else { escaped(inner) };
    text.replace("%%", "%")
}

/// The value of a raw string literal: the text between the parentheses of `R"x(…)x"`.
fn raw(inner: &str) -> String {
    let text = inner.split_once('(').map_or(inner, |(_, text)| text);
    text.rsplit_once(')').map_or(text, |(text, _)| text).to_string()
}

/// The value of an ordinary string literal, escape sequences replaced.
fn escaped(inner: &str) -> String {
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(other) => text.push(other),
                None => {}
            },
            _ => text.push(c),
        }
    }
    text
}

/// Prints for `dump`. An instruction: the passes that reach it, and those that lack it.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &InstructionFact) {
    let having = fact.reached.minus(fact.lacking);
    let lines = vec![(fact.lacking, "reached, and lacked".into()), (having, "reached".into())];
    to.paragraph(&format!("instruction {}", fact.written), fact.at, lines, fact.cause.as_ref());
}

/// Prints for `dump`. An instruction in force: the narrowest targets that have it.
pub(in crate::facts) fn print_needed(to: &mut Printer<'_>, needed: &Needed) {
    let names: Vec<String> = needed.narrowest().iter().map(|arch| arch.sm_name()).collect();
    to.line(&format!("uses {}\tof {}", needed.written, names.join(",")));
}
