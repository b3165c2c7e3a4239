//! Guards that miss their targets: a conditional round instructions, or functions that stand for some, that keeps out a
//! target which has them all, or that lets in one which lacks them and that is not compiled for today.
//!
//! In: tokens with presence conditions, and the tables of instructions. Out: [`GuardFact`]s, one for each group. A group is
//! judged only where its text shows all that it needs: what it calls is a function of the project that every pass has alike,
//! or one that every target has. A group that asks for more than the tables know, as a call of an unknown function, may
//! have its reasons.

use rustc_hash::FxHashSet;

use crate::preprocess::{GroupId, PpToken};
use crate::project::TranslationUnit;
use crate::source::{Span, TokenKind, sym};
use crate::target::{Arch, Needed, Pass, PassSet, Suffix};

use super::cause::of_group;
use super::conditions::comparisons_in;
use super::dump::Printer;
use super::host_bodies::is_within;
use super::instructions::{TargetWords, declaration_around, devices, function_name};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{ArchComparison, GuardFact, GuardMiss, Operator};

/// A group of more tokens is not about its instructions.
const LIMIT: usize = 2_000;

/// How many calls deep the functions of the project are followed.
const DEPTH: usize = 3;

/// Operators and functions that every target has.
const EVERYWHERE: [&str; 24] = [
    "if",
    "for",
    "while",
    "switch",
    "return",
    "sizeof",
    "decltype",
    "static_assert",
    "assert",
    "alignof",
    "__launch_bounds__",
    "asm",
    "__asm__",
    "__asm",
    "volatile",
    "__volatile__",
    "__cvta_generic_to_shared",
    "__syncthreads",
    "__syncwarp",
    "__float_as_uint",
    "__uint_as_float",
    "__float_as_int",
    "__int_as_float",
    "__ldg",
];

/// Words before a name that are no types.
const NO_TYPES: [&str; 6] = ["return", "else", "do", "case", "co_return", "throw"];

/// Instructions by which the result does not change: where they are left out, nothing is lost but time.
const HINTS: [&str; 9] = [
    "nanosleep",
    "prefetch",
    "createpolicy",
    "applypriority",
    "discard",
    "griddepcontrol",
    "setmaxnreg",
    "cp.async.bulk.prefetch",
    "__nanosleep",
];

/// The groups that miss their targets, by place.
pub(in crate::facts) fn guards(
    unit: &IndexedUnit<'_>,
    translation: &TranslationUnit,
    compared: PassSet,
    words: &TargetWords,
) -> Vec<GuardFact> {
    let finder = Finder { unit, translation, words, devices: devices(translation, compared) };
    let mut seen: FxHashSet<GroupId> = FxHashSet::default();
    let mut facts: Vec<GuardFact> = Vec::new();
    for index in words.places() {
        let token = &unit.pp.tokens()[index];
        if !finder.counts(token, finder.devices) || unit.pp.system.contains(&token.at.file) {
            continue;
        }
        let Some(group) = finder.guard(token.group).filter(|group| seen.insert(*group)) else { continue };
        let known = |fact: &GuardFact| facts.iter().any(|known| known.at == fact.at);
        if let Some(fact) = finder.of_group(group, index).filter(|fact| !known(fact)) {
            facts.push(fact);
        }
    }
    facts
}

struct Finder<'f, 'u> {
    unit: &'f IndexedUnit<'u>,
    translation: &'f TranslationUnit,
    words: &'f TargetWords,
    /// The device passes for which the tables of instructions are true.
    devices: PassSet,
}

/// A group of a conditional with the tokens that its passes have in it.
struct Guarded<'t> {
    tokens: Vec<&'t PpToken>,
    /// The index of the first of them among the unit's.
    start: usize,
}

impl<'u> Finder<'_, 'u> {
    /// Whether a token begins a statement or call, in some of the passes, which not every target may have.
    fn counts(&self, token: &PpToken, passes: PassSet) -> bool {
        self.words.known(token.text) && token.passes.meets(passes)
    }

    /// The innermost group round a place whose conditional depends on the pass.
    fn guard(&self, mut group: Option<GroupId>) -> Option<GroupId> {
        let pp = self.unit.pp;
        while let Some(id) = group {
            let found = pp.group(id);
            let reads = &pp.conditional(found.conditional).reads;
            if reads.iter().any(|read| read.definitions.varies()) {
                return Some(id);
            }
            group = found.parent;
        }
        None
    }

    fn of_group(&self, group: GroupId, index: usize) -> Option<GuardFact> {
        let pp = self.unit.pp;
        let found = pp.group(group);
        let entered = found.passes.and(self.devices);
        let guarded = self.tokens_of(group, index)?;
        let all = self.needed(&guarded, entered);
        let first = all.first()?;
        let is_known = all.iter().all(|(_, one)| one.is_measured());
        if !is_known || !self.shows_all(&guarded.tokens, entered, self.devices, DEPTH) {
            return None;
        }
        let rows = all.iter().flat_map(|(_, one)| one.rows.iter().copied()).collect();
        let strictest = Needed { written: first.1.written.clone(), rows };
        let declaration = declaration_around(self.unit.variance, index);
        let in_body = declaration.is_some_and(|one| one.body < guarded.start);
        let miss = self
            .narrow(group, index, &strictest, in_body)
            .map(|(shut_out, instead)| {
                let hints = all.iter().all(|(_, one)| HINTS.iter().any(|hint| one.written.starts_with(hint)));
                let lost = instead.is_none() && !hints && !is_one_of_two(&guarded.tokens);
                GuardMiss::Narrow { shut_out, lost, instead }
            })
            .or_else(|| self.wide(group, &strictest).map(|lets_in| GuardMiss::Wide { lets_in }))?;
        Some(GuardFact {
            at: found.directive,
            text: found.written.text(),
            written: first.1.written.clone(),
            used: first.0,
            further: all.len() - 1,
            function: function_name(self.unit.variance, pp, index),
            entered,
            narrowest: strictest.narrowest(),
            miss,
            cause: of_group(self.unit, group),
        })
    }

    /// The tokens of a group round the one at an index: they stand side by side.
    fn tokens_of(&self, group: GroupId, index: usize) -> Option<Guarded<'u>> {
        let tokens = self.unit.pp.tokens();
        let own = |token: &PpToken| is_within(self.unit, token.group, group);
        let before = tokens[..index].iter().rev().take(LIMIT).take_while(|token| own(token)).count();
        let after = tokens[index..].iter().take(LIMIT).take_while(|token| own(token)).count();
        let start = index - before;
        let tokens: Vec<&PpToken> = tokens[start..index + after].iter().collect();
        (before < LIMIT && after < LIMIT).then_some(Guarded { tokens, start })
    }

    /// The instructions and functions in a group that not every target has, with their places.
    fn needed(&self, guarded: &Guarded<'_>, entered: PassSet) -> Vec<(Span, Needed)> {
        let mut all: Vec<(Span, Needed)> = Vec::new();
        for (offset, token) in guarded.tokens.iter().enumerate() {
            if self.counts(token, entered) {
                let found =
                    self.words.requirements(self.unit, guarded.start + offset, token.passes.and(entered));
                let found = found.iter().flat_map(|(_, all)| all.iter());
                all.extend(found.map(|one| (token.at, one.clone())));
            }
        }
        all
    }

    /// Whether the text says all that the code needs of a target: it is the same in all the passes that have it, and calls
    /// only what every pass of `wanted` has alike.
    fn shows_all(&self, tokens: &[&PpToken], entered: PassSet, wanted: PassSet, depth: usize) -> bool {
        let call = |pair: &[&PpToken]| {
            pair[0].kind == TokenKind::Identifier && matches!(pair[1].text, sym::LPAREN | sym::LESS)
        };
        let scoped = |index: usize| {
            let before = index.checked_sub(1).map(|before| tokens[before].text);
            matches!(before, Some(sym::SCOPE | sym::DOT | sym::ARROW))
        };
        tokens.iter().all(|token| token.passes.contains(entered) && self.comes_from_all(token, wanted))
            && tokens.windows(2).enumerate().all(|(index, pair)| {
                !call(pair) || !scoped(index) && self.is_everywhere(tokens, index, wanted, depth)
            })
    }

    /// Whether the macros that a token comes from are the same in all passes.
    fn comes_from_all(&self, token: &PpToken, wanted: PassSet) -> bool {
        let pp = self.unit.pp;
        let mut above = token.expansion;
        while let Some(id) = above {
            let expansion = pp.expansion(id);
            if !pp.passes_of(expansion.definition).contains(wanted) {
                return false;
            }
            above = expansion.parent;
        }
        true
    }

    /// Whether a name before a parenthesis or an angle is one of the language, of an instruction in the tables, of a
    /// parameter or local variable, or of a function of the project that every pass has alike.
    fn is_everywhere(&self, tokens: &[&PpToken], index: usize, wanted: PassSet, depth: usize) -> bool {
        let (name, next) = (tokens[index].text, tokens[index + 1].text);
        let text = name.as_str();
        let is_cast = text.ends_with("_cast") && next == sym::LESS;
        // A declarator stands behind a type.
        let before = index.checked_sub(1).map(|before| tokens[before]);
        let declares = before.is_some_and(|before| {
            before.kind == TokenKind::Identifier && !NO_TYPES.contains(&before.text.as_str())
        });
        if declares
            || EVERYWHERE.contains(&text)
            || is_cast
            || text.starts_with("__shfl_")
            || self.words.known(name)
        {
            return true;
        }
        let declared = self.unit.declaring_untracked(name);
        // `if (a < b)` compares a variable.
        if next == sym::LESS && declared.is_empty() {
            return true;
        }
        depth > 0 && !declared.is_empty() && declared.iter().all(|top| self.is_alike(*top, wanted, depth - 1))
    }

    /// Whether a declaration of the project is the same in every pass, and shows all that it needs.
    fn is_alike(&self, top: usize, wanted: PassSet, depth: usize) -> bool {
        let pp = self.unit.pp;
        let declaration = &self.unit.variance.declarations[top];
        let tokens = &pp.tokens()[declaration.tokens.clone()];
        let own = |token: &PpToken| !pp.system.contains(&token.at.file);
        let body: Vec<&PpToken> = pp.tokens()[declaration.body..declaration.tokens.end].iter().collect();
        declaration.passes.contains(wanted)
            && tokens.first().is_some_and(own)
            && body.len() < LIMIT
            && tokens.iter().all(|token| token.passes.contains(wanted))
            && self.needed(&Guarded { tokens: body.clone(), start: declaration.body }, wanted).is_empty()
            && self.shows_all(&body, wanted, wanted, depth)
    }

    /// The passes that a group keeps out although their targets have all that is in it, and the group they take in its
    /// place. A group before it is for them, as `#elif __CUDA_ARCH__ >= 800` behind `#if __CUDA_ARCH__ >= 900` keeps nothing
    /// from sm_90; and so is one with instructions of its own.
    fn narrow(
        &self,
        group: GroupId,
        index: usize,
        needed: &Needed,
        in_body: bool,
    ) -> Option<(PassSet, Option<(Span, String)>)> {
        let pp = self.unit.pp;
        let conditional = pp.conditional(pp.group(group).conditional);
        let entered = pp.group(group).passes;
        let has = |pass: &usize| match self.translation.passes.list().get(*pass) {
            Some(Pass::Device(arch)) => needed.on(*arch) && !self.is_left_to_the_project(group, *arch),
            _ => false,
        };
        let behind = conditional.groups.iter().skip_while(|id| **id != group).skip(1);
        let behind: Vec<GroupId> = behind.copied().collect();
        let taken = |set: PassSet, id: &GroupId| set.or(pp.group(*id).passes);
        let earlier = conditional.groups.iter().filter(|id| !behind.contains(id));
        let left = conditional.passes.and(self.devices).minus(earlier.fold(PassSet::EMPTY, taken));
        let shut_out = left.iter().filter(has).fold(PassSet::EMPTY, |all, one| all.or(PassSet::single(one)));
        let first = shut_out.lowest()?;
        let Some(other) = behind.into_iter().find(|id| pp.group(*id).passes.has(first)) else {
            let lost = shut_out.minus(conditional.groups.iter().fold(PassSet::EMPTY, taken));
            let alone = in_body && !entered.is_empty() && !self.has_another(index, lost, entered);
            return alone.then_some((lost, None));
        };
        let other = pp.group(other);
        let shut_out = shut_out.and(other.passes);
        let own: Vec<&PpToken> = self.others(index, conditional.groups.as_slice(), shut_out);
        let says = other.written.text();
        let compares = !comparisons_in(&says).is_empty();
        let instructed = own.iter().any(|token| self.counts(token, shut_out));
        // What lacks the instruction takes the same way: the group is for those.
        let lacking = other.passes.and(self.devices).minus(shut_out);
        let alike = own.iter().all(|token| token.passes.contains(shut_out));
        (!own.is_empty() && !instructed && !compares && alike && !lacking.is_empty())
            .then_some((shut_out, Some((other.directive, says))))
    }

    /// Whether a condition names a target, and something other than the architecture keeps it out: `__CUDA_ARCH__ == 890 &&
    /// defined(FAST_ON_ADA)`.
    fn is_left_to_the_project(&self, group: GroupId, arch: Arch) -> bool {
        let compared = comparisons_in(&self.unit.pp.group(group).written.text());
        let holds = |one: &ArchComparison| one.operator.holds(u64::from(arch.cuda_arch()), one.value);
        let named = compared.iter().any(|one| one.operator == Operator::Equal && holds(one));
        named || !compared.is_empty() && compared.iter().all(holds)
    }

    /// The tokens that passes have in the groups of a conditional round an index.
    fn others(&self, index: usize, groups: &[GroupId], passes: PassSet) -> Vec<&'u PpToken> {
        let tokens = self.unit.pp.tokens();
        let own = |token: &&PpToken| groups.iter().any(|id| is_within(self.unit, token.group, *id));
        let before = tokens[..index].iter().rev().take(LIMIT).take_while(own);
        let after = tokens[index..].iter().take(2 * LIMIT).take_while(own);
        before.chain(after).filter(|token| token.passes.meets(passes)).collect()
    }

    /// Whether a function has other code for passes that the guard keeps out.
    fn has_another(&self, index: usize, lost: PassSet, entered: PassSet) -> bool {
        let Some(declaration) = declaration_around(self.unit.variance, index) else { return true };
        let tokens = &self.unit.pp.tokens()[declaration.body..declaration.tokens.end];
        lost.is_empty()
            || tokens.iter().any(|token| token.passes.meets(lost) && !token.passes.contains(entered))
    }

    /// The baseline architectures that a lower bound lets in although they lack what is in the group; none of them is
    /// compiled for.
    fn wide(&self, group: GroupId, needed: &Needed) -> Option<Vec<Arch>> {
        let pp = self.unit.pp;
        let found = pp.group(group);
        let text = found.written.text();
        let [bound] = comparisons_in(&text)[..] else { return None };
        let reads = &pp.conditional(found.conditional).reads;
        let direct =
            reads.iter().filter(|read| read.definitions.varies()).all(|read| read.name == sym::CUDA_ARCH);
        let is_bound = matches!(bound.operator, Operator::AtLeast | Operator::Greater);
        let [first] = needed.narrowest()[..] else { return None };
        let holds = |arch: &Arch| bound.operator.holds(u64::from(arch.cuda_arch()), bound.value);
        let devices = found.passes.and(self.devices);
        let targets = self.translation.passes.archs(devices);
        if !direct
            || !is_bound
            || first.suffix != Suffix::None
            || targets.iter().any(|arch| !needed.on(*arch))
        {
            return None;
        }
        let outer = found.parent.is_some_and(|parent| self.guard(Some(parent)).is_some());
        let lets_in: Vec<Arch> = Arch::known()
            .filter(|arch| arch.suffix == Suffix::None && holds(arch) && !needed.on(*arch))
            .collect();
        (!outer && !devices.is_empty() && !lets_in.is_empty()).then_some(lets_in)
    }
}

/// Whether the code behind a group is what those take that skip it: the group ends with `else`, or leaves the function.
fn is_one_of_two(tokens: &[&PpToken]) -> bool {
    let ends_otherwise = tokens.last().is_some_and(|token| token.text == sym::ELSE);
    let mut statements = tokens.rsplit(|token| matches!(token.text, sym::SEMI | sym::LBRACE | sym::RBRACE));
    let last = statements.find(|statement| !statement.is_empty()).and_then(|statement| statement.first());
    let leaves = tokens.last().is_some_and(|token| token.text == sym::SEMI)
        && last.is_some_and(|token| token.text == sym::RETURN);
    ends_otherwise || leaves
}

/// Prints for `dump`. A group that misses its targets: those it keeps out, or lets in.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &GuardFact) {
    let mut lines = vec![(fact.entered, "entered".to_string())];
    let title = match &fact.miss {
        GuardMiss::Narrow { shut_out, instead, .. } => {
            let takes = instead.as_ref().map_or("takes no group".into(), |(_, text)| format!("takes {text}"));
            lines.push((*shut_out, format!("has it, {takes}")));
            format!("guard keeps {} from targets", fact.written)
        }
        GuardMiss::Wide { lets_in } => {
            let names: Vec<String> = lets_in.iter().map(|arch| arch.sm_name()).collect();
            format!("guard of {} lets {} in", fact.written, names.join(","))
        }
    };
    to.paragraph(&title, fact.at, lines, Some(&fact.cause));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_instructions_of_the_tables() {
        let known = |hint: &&str| {
            crate::target::instructions()
                .iter()
                .chain(crate::target::intrinsics())
                .any(|row| row.pattern.starts_with(hint))
        };
        let unknown: Vec<&&str> = HINTS.iter().filter(|hint| !known(hint)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
