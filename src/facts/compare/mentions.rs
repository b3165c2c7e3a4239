//! Mentions of kernel templates that no walk settled, compared as they are written.
//!
//! In: the tokens of function bodies, and what the walks followed. Out: [`UnprovedMention`]s for guarded mentions, and
//! [`BlindSpot`]s for the others. A walk proves which kernel templates a mention instantiates; where none came to a
//! function although code that is compiled mentions its name, or where a mention could not be settled, only this
//! comparison stands between a guard around a launch and silence. It resolves nothing: names lead to kernel templates
//! by their spelling ([`NameGraph`](crate::facts::index::name_graph)).

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::{DeclKind, MemberFunction, TopDeclaration, locals, member_functions};

use super::cause;
use super::dump::Printer;
use crate::facts::index::name_graph::ReachingNames;
use crate::facts::index::token_facts::{is_plain_member, is_word};
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{BlindSpot, BlindSpotCause, UnprovedMention};

/// How many tokens of a mention's template arguments are compared.
const ARGUMENT_TOKENS: usize = 200;

/// A function whose body mentions a kernel template in question, or in some passes only a leading name.
pub(in crate::facts) struct MentioningFunction {
    /// Its name where it is defined: the token before its parameters.
    name: PpToken,
    /// The names by which code uses it: its own, or its class's if no use spells its own.
    used_by: Vec<Symbol>,
    /// It is templated ([temp.pre]/8), so that a walk comes to it only from a use.
    is_templated: bool,
    /// The tokens before its body, as indices into those of the unit.
    head: Range<usize>,
    mentions: Vec<WrittenMention>,
}

/// A mention of a kernel template, or a guarded one of another leading name.
struct WrittenMention {
    /// The index of the name's token.
    token: usize,
    /// The name with its template arguments, as written.
    written: String,
    /// A name in its template arguments may mean another thing in another pass.
    arguments_vary: bool,
}

/// What walks followed, as far as guarded functions are concerned.
pub(in crate::facts) struct Followed<'w> {
    /// The functions whose bodies were followed, by the places of their names, with the passes.
    pub functions: &'w FxHashMap<Span, PassSet>,
    /// The mentions that could not be settled, with the passes.
    pub unsettled: &'w BTreeMap<Span, (PassSet, BlindSpotCause)>,
    /// The names of functions that an `extern template` leaves to other objects.
    pub left: &'w FxHashSet<Symbol>,
}

/// The names that mentions are searched for.
#[derive(Clone, Copy)]
pub(in crate::facts) struct Searched<'w> {
    pub unit: &'w IndexedUnit<'w>,
    /// All leading names of the kernel templates in question: mentions of these count in functions of the host alone.
    pub relevant: &'w FxHashSet<Symbol>,
    /// The kernel templates in question: mentions of these count wherever the host compiles them.
    pub kernels: &'w FxHashSet<Symbol>,
    pub compared: PassSet,
}

impl Searched<'_> {
    /// The functions whose host code has such a mention.
    pub(in crate::facts) fn functions(&self) -> Vec<MentioningFunction> {
        let unit = self.unit;
        let mut found = Vec::new();
        let tops: FxHashSet<usize> =
            self.relevant.iter().flat_map(|name| unit.token_facts().mentions(*name)).collect();
        let mut tops: Vec<usize> = tops.into_iter().collect();
        tops.sort_unstable();
        for top in tops {
            let declaration = &unit.variance.declarations[top];
            let guarded = declaration.varies.tokens || declaration.varies.presence;
            let mentions_kernel =
                || unit.token_facts().names(top).iter().any(|name| self.kernels.contains(name));
            if !declaration.passes.meets(PassSet::HOST) || !(guarded || mentions_kernel()) {
                continue;
            }
            let is_template = unit.token_facts().is_template(top);
            match declaration.kind {
                DeclKind::Function => {
                    let head = declaration.tokens.start..declaration.body;
                    let body = declaration.body..declaration.tokens.end;
                    let function = MemberFunction { name: None, in_template: is_template, head, body };
                    found.extend(self.function(declaration, function));
                }
                DeclKind::Class => {
                    for mut member in member_functions(unit.pp.tokens(), declaration, 0) {
                        member.in_template |= is_template;
                        found.extend(self.function(declaration, member));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// A function of a declaration with its mentions, if it has some.
    fn function(&self, declaration: &TopDeclaration, function: MemberFunction) -> Option<MentioningFunction> {
        let MemberFunction { name, in_template: is_templated, head, body } = function;
        let member = name.filter(|_| declaration.kind == DeclKind::Class);
        let unit = self.unit;
        let tokens = unit.pp.tokens();
        let has = |word: Symbol| tokens[head.clone()].iter().any(|token| token.text == word);
        if has(sym::GLOBAL) || has(sym::DEVICE) && !has(sym::HOST) {
            return None;
        }
        // Code for both sides can only call such code: by their spelling alone, names there lead nowhere.
        let of_host = !has(sym::DEVICE);
        let local = locals(tokens, declaration);
        let is_mention = |index: &usize| {
            let token = &tokens[*index];
            let is_kernel = self.kernels.contains(&token.text);
            let is_guarded = !token.passes.contains(self.compared);
            token.kind == TokenKind::Identifier
                && (is_kernel
                    || of_host
                        && is_guarded
                        && self.relevant.contains(&token.text)
                        && is_used(tokens, *index))
                && local.binary_search(index).is_err()
                && !is_plain_member(tokens, *index)
        };
        let mention = |token: usize| {
            let (written, end) = written(tokens, token);
            let arguments = token + 1..end;
            let arguments_vary = unit.variance.varying.is_mentioned(tokens, declaration, arguments);
            WrittenMention { token, written, arguments_vary }
        };
        let mentions: Vec<WrittenMention> = body.filter(is_mention).map(mention).collect();
        if !mentions.iter().any(|mention| tokens[mention.token].passes.meets(PassSet::HOST)) {
            return None;
        }
        let own = match declaration.kind {
            DeclKind::Class => member,
            _ => declaration.names.first().copied(),
        };
        let own = own.filter(|name| is_word(*name));
        let qualifiers = &declaration.names[declaration.declared..];
        // `X`, `~X`, `X<T>::X`, operators and conversions: a use spells the class.
        let by_class = |own: &Symbol| match member {
            Some(_) => declaration.names.contains(own),
            None => qualifiers.contains(own),
        };
        let used_by = match own.filter(|own| !by_class(own)) {
            Some(own) => vec![own],
            None => declaration.names.clone(),
        };
        let is_name =
            |token: &&PpToken| own.is_none_or(|own| token.text == own) && token.kind == TokenKind::Identifier;
        let name = tokens[head.clone()].iter().rev().find(is_name).unwrap_or(&tokens[head.start]);
        Some(MentioningFunction { name: *name, used_by, is_templated, head, mentions })
    }
}

/// Whether a name is called, or has template arguments: other mentions of functions and classes do not instantiate.
fn is_used(tokens: &[PpToken], index: usize) -> bool {
    let passes = tokens[index].passes;
    let next = tokens[index + 1..].iter().find(|token| token.passes.meets(passes));
    next.is_some_and(|next| matches!(next.text, sym::LPAREN | sym::LESS | sym::LBRACE))
}

/// A name with its template arguments, as written, and the index of the token behind them.
fn written(tokens: &[PpToken], index: usize) -> (String, usize) {
    let passes = tokens[index].passes;
    let mut text = tokens[index].text.to_string();
    let mut depth = 0_i32;
    let mut end = index + 1;
    let limit = tokens.len().min(index + 1 + ARGUMENT_TOKENS);
    for (number, token) in tokens[..limit].iter().enumerate().skip(index + 1) {
        if !token.passes.meets(passes) {
            continue;
        }
        match token.text {
            sym::LESS => depth += 1,
            sym::LPAREN if depth > 0 => depth += 1,
            sym::GREATER | sym::RPAREN if depth > 0 => depth -= 1,
            sym::SHR if depth > 0 => depth -= 2,
            _ if depth == 0 => break,
            _ => {}
        }
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if text.ends_with(',') || is_word(text.chars().last()) && is_word(token.text.as_str().chars().next())
        {
            text.push(' ');
        }
        text.push_str(token.text.as_str());
        end = number + 1;
        if depth <= 0 {
            break;
        }
    }
    (text, end)
}

/// What the comparison of unsettled mentions tells.
#[derive(Default)]
pub(in crate::facts) struct Unproved {
    /// Mentions that the host has and some other pass lacks: one for each function and conditional.
    pub mentions: Vec<UnprovedMention>,
    /// The other mentions of kernel templates in question.
    pub blind_spots: Vec<BlindSpot>,
}

impl Searched<'_> {
    /// Compares the mentions of `functions` that no walk settled, of those functions that compiled code may use.
    /// `leading` are the names from which kernel templates can be reached.
    pub(in crate::facts) fn unproved(
        &self,
        leading: &ReachingNames,
        functions: &[MentioningFunction],
        followed: &Followed<'_>,
    ) -> Unproved {
        let unit = self.unit;
        let mut found = Unproved::default();
        let is_undecided = |function: &&MentioningFunction| {
            function.mentions.iter().any(|mention| self.undecided(function, mention, followed).is_some())
        };
        let functions: Vec<&MentioningFunction> = functions.iter().filter(is_undecided).collect();
        if functions.is_empty() {
            return found;
        }
        let facts = unit.token_facts();
        let roots = (0..facts.end()).filter(|top| facts.may_be_a_root(*top));
        let names = roots.flat_map(|top| facts.names(top).iter().copied());
        let in_use = unit.names_reached_from(leading, names, followed.left);
        for function in functions {
            let is_followed = !self.followed_in(function, followed).is_empty();
            if is_followed
                || !function.is_templated
                || function.used_by.iter().any(|name| in_use.contains(name))
            {
                self.compare(leading, function, followed, &mut found);
            }
        }
        found
    }

    /// Why a mention is undecided; `None` if a walk settled it, or if the host has no part in it.
    fn undecided(
        &self,
        function: &MentioningFunction,
        mention: &WrittenMention,
        followed: &Followed<'_>,
    ) -> Option<BlindSpotCause> {
        let token = &self.unit.pp.tokens()[mention.token];
        if !token.passes.meets(PassSet::HOST) {
            return None;
        }
        if let Some((_, why)) = followed.unsettled.get(&token.at) {
            return Some(*why);
        }
        let reached = !function.is_templated || self.followed_in(function, followed).meets(token.passes);
        (!reached).then_some(BlindSpotCause::Unreached)
    }

    /// The passes in which a walk followed a function's body.
    fn followed_in(&self, function: &MentioningFunction, followed: &Followed<'_>) -> PassSet {
        let head = &self.unit.pp.tokens()[function.head.clone()];
        let passes = head.iter().filter_map(|token| followed.functions.get(&token.at));
        passes.fold(PassSet::EMPTY, |all, passes| all.or(*passes))
    }

    /// Compares the undecided mentions of a function between the passes.
    fn compare(
        &self,
        leading: &ReachingNames,
        function: &MentioningFunction,
        followed: &Followed<'_>,
        found: &mut Unproved,
    ) {
        let tokens = self.unit.pp.tokens();
        let mut causes: FxHashSet<Option<Span>> = FxHashSet::default();
        for mention in &function.mentions {
            let Some(why) = self.undecided(function, mention, followed) else { continue };
            let token = &tokens[mention.token];
            // The same may be written in the other groups of the conditional.
            let same = function.mentions.iter().filter(|other| other.written == mention.written);
            let passes = same.fold(PassSet::EMPTY, |all, other| all.or(tokens[other.token].passes));
            if passes.contains(self.compared) {
                found.blind_spots.push(BlindSpot {
                    at: token.at,
                    name: mention.written.clone(),
                    passes: token.passes.and(self.compared),
                    why,
                    varies: mention.arguments_vary,
                });
                continue;
            }
            let cause = cause::of_token(self.unit, token, self.compared);
            if !causes.insert(cause.as_ref().map(|cause| cause.at)) {
                continue;
            }
            let Some((kernel, declared)) = self.kernel_behind(leading, token.text) else { continue };
            found.mentions.push(UnprovedMention {
                written: mention.written.clone(),
                at: token.at,
                function: function.name.text.to_string(),
                defined: function.name.at,
                kernel: kernel.to_string(),
                declared: declared.unwrap_or(token.at),
                passes: passes.and(self.compared),
                compared: self.compared,
                why,
                cause,
            });
        }
    }

    /// Whether a name is that of something other than a function, or of a function of the host alone that mentions a
    /// leading name: functions for both sides do not launch.
    fn may_launch(&self, name: Symbol) -> bool {
        let unit = self.unit;
        let tokens = unit.pp.tokens();
        let leads = |head: Range<usize>, body: Range<usize>| {
            let of_host = !tokens[head].iter().any(|token| matches!(token.text, sym::DEVICE | sym::GLOBAL));
            of_host
                && tokens[body].iter().any(|token| token.text != name && self.relevant.contains(&token.text))
        };
        unit.token_facts().mentions(name).any(|top| {
            let declaration = &unit.variance.declarations[top];
            let own = declaration.names[..declaration.declared].contains(&name);
            match declaration.kind {
                DeclKind::Function if own => leads(
                    declaration.tokens.start..declaration.body,
                    declaration.body..declaration.tokens.end,
                ),
                DeclKind::Class => {
                    let is_own = |member: &MemberFunction| member.name == Some(name);
                    let members = member_functions(tokens, declaration, 0).into_iter().filter(is_own);
                    own || members.into_iter().any(|member| leads(member.head, member.body))
                }
                DeclKind::Alias | DeclKind::Variable => own,
                _ => false,
            }
        })
    }

    /// A kernel template in question that a name leads to, with its place: the first by name.
    fn kernel_behind(&self, leading: &ReachingNames, name: Symbol) -> Option<(Symbol, Option<Span>)> {
        let unit = self.unit;
        if !self.kernels.contains(&name) && !self.may_launch(name) {
            return None;
        }
        let reached = unit.names_reached_from(leading, [name].into_iter(), &FxHashSet::default());
        let kernels = reached.into_iter().filter(|name| self.kernels.contains(name));
        let kernel = kernels.min_by_key(|kernel| (*kernel != name, kernel.as_str()))?;
        let declared = unit.declaring_untracked(kernel).first().and_then(|top| {
            let declaration = &unit.variance.declarations[*top];
            let head = &unit.pp.tokens()[declaration.tokens.start..declaration.body];
            head.iter().rev().find(|token| token.text == kernel).map(|token| token.at)
        });
        Some((kernel, declared))
    }
}

/// Prints for `dump`. A mention: the passes that have it, and why it is not proved what they instantiate.
pub(in crate::facts) fn print(to: &mut Printer<'_>, fact: &UnprovedMention) {
    let text = format!("leads to {}, but {}", fact.kernel, fact.why);
    to.paragraph(
        &format!("mention {}", fact.written),
        fact.at,
        vec![(fact.passes, text)],
        fact.cause.as_ref(),
    );
}

/// Prints for `dump`. A mention of a kernel template of which it can't be told what it instantiates.
pub(in crate::facts) fn print_blind_spot(to: &mut Printer<'_>, spot: &BlindSpot) {
    let varies = if spot.varies { "; its arguments may differ between passes" } else { "" };
    let text = format!("{}{varies}", spot.why);
    to.paragraph(&format!("blind spot {}", spot.name), spot.at, vec![(spot.passes, text)], None);
}
