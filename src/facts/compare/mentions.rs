//! Mentions of kernel templates that no walk settled, compared as they are written.
//!
//! In: the tokens of function bodies, and what the walks followed. Out: [`UnprovedMention`]s for guarded mentions, and
//! [`BlindSpot`]s for the others. A walk proves which kernel templates a mention instantiates; where none came to a
//! function although code that is compiled mentions its name, or where a mention could not be settled, only this
//! comparison stands between a guard around a launch and silence. It resolves nothing: names lead to kernel templates
//! by their spelling ([`NameGraph`](crate::facts::index::name_graph)), and where nothing else tells what a name means, each
//! of its definitions has to ([`LeadingDefinitions`]).

use std::cell::OnceCell;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::preprocess::PpToken;
use crate::source::{Span, Symbol, TokenKind, sym};
use crate::target::PassSet;
use crate::variance::DeclKind;

use super::cause;
use super::dump::Printer;
use super::leading_definitions::{LeadingDefinitions, Leads, qualifiers};
use super::libraries;
use super::usage::{Followed, Usage};
use crate::facts::index::function_tokens::{FunctionTokens, UsedBy};
use crate::facts::index::functions::{functions, is_class, varies_for_types};
use crate::facts::index::leading_names::{LeadingNames, ReachingNames};
use crate::facts::index::tokens::is_plain_member;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{BlindSpot, BlindSpotCause, UnprovedMention};

/// How many tokens of a mention's template arguments are compared.
const ARGUMENT_TOKENS: usize = 200;

/// A function whose body mentions a kernel template in question, or in some passes only a leading name.
pub(in crate::facts) struct MentioningFunction {
    function: FunctionTokens,
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

/// The names that mentions are searched for.
#[derive(Clone, Copy)]
pub(in crate::facts) struct Searched<'w> {
    pub unit: &'w IndexedUnit<'w>,
    /// All leading names of the kernel templates in question: mentions of these count in functions of the host alone.
    pub relevant: &'w LeadingNames,
    /// The kernel templates in question that the host declares as such ([`is_of_gpus_on_the_host`]): mentions of these count
    /// wherever the host compiles them.
    pub kernels: &'w FxHashSet<Symbol>,
    pub compared: PassSet,
}

/// What the comparison of unsettled mentions tells.
#[derive(Default)]
pub(in crate::facts) struct Unproved {
    /// Mentions that the host has and some other pass lacks: one for each function and conditional.
    pub mentions: Vec<UnprovedMention>,
    /// The other mentions of kernel templates in question.
    pub blind_spots: Vec<BlindSpot>,
}

/// The kernel templates in question that mentions lead to, found as they are asked for.
struct Behind<'w> {
    /// The names from which kernel templates can be reached.
    leading: &'w ReachingNames,
    /// Those that the name graph leads to, by the name of the mention and whether that is a member of an object.
    by_graph: FxHashMap<(Symbol, bool), Option<Symbol>>,
    definitions: LeadingDefinitions<'w>,
}

impl Searched<'_> {
    /// The functions whose host code has such a mention.
    pub(in crate::facts) fn functions(&self) -> Vec<MentioningFunction> {
        let facts = self.unit.token_facts();
        let names = self.relevant.anywhere.iter();
        let tops: FxHashSet<usize> = names.flat_map(|name| facts.mentions(*name)).collect();
        let mut tops: Vec<usize> = tops.into_iter().collect();
        tops.sort_unstable();
        let may_count = |top: &usize| {
            let varies = self.unit.variance.declarations[*top].varies;
            let mentions_kernel = || facts.names(*top).iter().any(|name| self.kernels.contains(name));
            varies.tokens || varies.presence || mentions_kernel()
        };
        let mut found = Vec::new();
        for top in tops.into_iter().filter(may_count) {
            found.extend(functions(self.unit, top).iter().filter_map(|function| self.mentioning(function)));
        }
        found
    }

    /// A function with its mentions, if the host has some.
    fn mentioning(&self, function: &FunctionTokens) -> Option<MentioningFunction> {
        let tokens = self.unit.pp.tokens();
        if function.has(tokens, sym::GLOBAL)
            || function.has(tokens, sym::DEVICE) && !function.has(tokens, sym::HOST)
        {
            return None;
        }
        // Code for both sides can only call such code: by their spelling alone, names there lead nowhere.
        let of_host = function.is_of_host_alone(tokens);
        let local = OnceCell::new();
        let is_local =
            |index: &usize| local.get_or_init(|| self.unit.locals(function.top)).binary_search(index).is_ok();
        let of_system = self.unit.token_facts().is_of_system(function.top);
        if !function.is_templated && self.unit.leads_nowhere(function.top, self.relevant) {
            return None;
        }
        let relevant = if of_system { &*self.relevant.in_system } else { &self.relevant.anywhere };
        let is_mention = |index: &usize| {
            let token = &tokens[*index];
            let is_guarded = !token.passes.contains(self.compared);
            let leads = || of_host && is_guarded && is_used(tokens, *index) && !self.is_of_std(*index);
            token.kind == TokenKind::Identifier
                && relevant.contains(&token.text)
                && (self.kernels.contains(&token.text) || leads())
                && !is_local(index)
                && !is_plain_member(tokens, *index)
        };
        let mention = |token: usize| {
            let (written, end) = written(tokens, token);
            let arguments_vary = arguments_vary(self.unit, function.top, token + 1..end);
            WrittenMention { token, written, arguments_vary }
        };
        let mentions: Vec<WrittenMention> = function.body.clone().filter(is_mention).map(mention).collect();
        let of_the_host = |mention: &WrittenMention| tokens[mention.token].passes.meets(PassSet::HOST);
        let counts = mentions.iter().any(of_the_host);
        counts.then(|| MentioningFunction { function: function.clone(), mentions })
    }

    /// Compares the mentions of `functions` that no walk settled, of those functions that compiled code may use.
    /// `leading` are the names from which kernel templates can be reached.
    pub(in crate::facts) fn unproved(
        &self,
        leading: &ReachingNames,
        functions: &[MentioningFunction],
        followed: &Followed<'_>,
    ) -> Unproved {
        let mut found = Unproved::default();
        let mut usage = Usage::new(self.unit, followed, PassSet::HOST);
        let mut everywhere = Usage::new(self.unit, followed, self.compared);
        let mut behind = Behind {
            leading,
            by_graph: FxHashMap::default(),
            definitions: LeadingDefinitions::new(self.unit, self.relevant, self.kernels),
        };
        for one in functions {
            let undecided = |mention: &WrittenMention| self.undecided(&one.function, mention, followed);
            let undecided: Vec<Option<BlindSpotCause>> = one.mentions.iter().map(undecided).collect();
            if undecided.iter().any(Option::is_some) && usage.may_be_used(&one.function) {
                let first = found.blind_spots.len();
                self.compare(&mut behind, one, &undecided, &mut found);
                // Where each use of the function is guarded, some pass may not use it.
                if found.blind_spots.len() > first && !everywhere.may_be_used(&one.function) {
                    found.blind_spots[first..].iter_mut().for_each(|spot| spot.varies = true);
                }
            }
        }
        found
    }

    /// Why a mention is undecided; `None` if a walk settled it, or if the host has no part in it.
    fn undecided(
        &self,
        function: &FunctionTokens,
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
        let reached = !function.is_templated || followed.passes_of(self.unit, function).meets(token.passes);
        (!reached).then_some(BlindSpotCause::Unreached)
    }

    /// Compares the undecided mentions of a function between the passes.
    fn compare(
        &self,
        behind: &mut Behind<'_>,
        one: &MentioningFunction,
        undecided: &[Option<BlindSpotCause>],
        found: &mut Unproved,
    ) {
        let tokens = self.unit.pp.tokens();
        let name = &tokens[one.function.name];
        let mut causes: FxHashSet<Option<Span>> = FxHashSet::default();
        for (mention, why) in one.mentions.iter().zip(undecided) {
            let Some(why) = *why else { continue };
            let token = &tokens[mention.token];
            // The same may be written in the other groups of the conditional.
            let same = one.mentions.iter().filter(|other| other.written == mention.written);
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
            let conditional = cause.as_ref().map(|cause| cause.at);
            if causes.contains(&conditional) {
                continue;
            }
            let by_spelling = is_known_by_spelling(why) && !self.is_of_library(mention.token);
            let leads = match by_spelling {
                true => behind.definitions.behind(mention.token),
                false => self.kernel_behind(behind, mention.token).map_or(Leads::Nowhere, Leads::To),
            };
            let kernel = match leads {
                Leads::To(kernel) => kernel,
                Leads::Nowhere => continue,
                Leads::Perhaps => {
                    if behind.definitions.may_lead(token.text)
                        || self.kernel_behind(behind, mention.token).is_some()
                    {
                        found.blind_spots.push(BlindSpot {
                            at: token.at,
                            name: mention.written.clone(),
                            passes: passes.and(self.compared),
                            why,
                            varies: false,
                        });
                    }
                    continue;
                }
            };
            causes.insert(conditional);
            let top = self.unit.declaring_untracked(kernel).first().copied();
            let declared = top.and_then(|top| self.place_in_head(top, kernel));
            let is_variable = |top: usize| self.unit.variance.declarations[top].kind == DeclKind::Variable;
            found.mentions.push(UnprovedMention {
                written: mention.written.clone(),
                at: token.at,
                function: name.text.to_string(),
                defined: name.at,
                kernel: kernel.to_string(),
                variable: top.is_some_and(is_variable),
                declared: declared.unwrap_or(token.at),
                passes: passes.and(self.compared),
                compared: self.compared,
                why,
                cause,
            });
        }
    }

    /// Whether the name at a token is qualified with a namespace of a library whose functions are there for both sides, but
    /// launch on the host.
    fn is_of_library(&self, token: usize) -> bool {
        qualifiers(self.unit.pp.tokens(), token).any(libraries::is_namespace)
    }

    /// Whether the name at a token is one of the standard library's, which calls other code only by what it is given; but for
    /// those of templates that the program specializes.
    fn is_of_std(&self, token: usize) -> bool {
        let unit = self.unit;
        let is_std = |name: &str| name == "std";
        let specializes = |top: &usize| {
            let declaration = &unit.variance.declarations[*top];
            let around = unit.namespace(declaration.scope).as_str().split("::").next();
            let in_std =
                around.is_some_and(is_std) || declaration.names.iter().any(|name| is_std(name.as_str()));
            in_std && !unit.token_facts().is_of_system(*top)
        };
        let (name, qualifiers) = (unit.pp.tokens()[token].text, qualifiers(unit.pp.tokens(), token));
        qualifiers.last().is_some_and(|outermost| is_std(outermost.as_str()))
            && !unit.declaring_untracked(name).iter().any(specializes)
    }

    /// A kernel template in question that the name graph leads to from the name at a token, the first by name.
    fn kernel_behind(&self, behind: &mut Behind<'_>, token: usize) -> Option<Symbol> {
        let (unit, tokens) = (self.unit, self.unit.pp.tokens());
        let name = tokens[token].text;
        let is_member = matches!(tokens[token - 1].text, sym::DOT | sym::ARROW);
        let leading = behind.leading;
        let find = || {
            if !self.kernels.contains(&name) && !self.may_launch(name, is_member) {
                return None;
            }
            let reached = unit.names_reached_from(leading, name);
            let kernels = reached.into_iter().filter(|name| self.kernels.contains(name));
            kernels.min_by_key(|kernel| (*kernel != name, kernel.as_str()))
        };
        *behind.by_graph.entry((name, is_member)).or_insert_with(find)
    }

    /// Where the head of a declaration has a name, as that of what it declares.
    fn place_in_head(&self, top: usize, name: Symbol) -> Option<Span> {
        let declaration = &self.unit.variance.declarations[top];
        let head = &self.unit.pp.tokens()[declaration.tokens.start..declaration.body];
        head.iter().rev().find(|token| token.text == name).map(|token| token.at)
    }

    /// Whether a name is that of something other than a function, or of a function of the host alone that mentions a
    /// leading name: functions for both sides do not launch.
    fn may_launch(&self, name: Symbol, is_member: bool) -> bool {
        let tokens = self.unit.pp.tokens();
        let leads = |function: &FunctionTokens| {
            let mut body = tokens[function.body.clone()].iter();
            function.used_by == UsedBy::Name(name)
                && function.is_of_host_alone(tokens)
                && body.any(|token| token.text != name && self.relevant.anywhere.contains(&token.text))
        };
        self.unit.token_facts().mentions(name).any(|top| {
            let declaration = &self.unit.variance.declarations[top];
            let own = declaration.names[..declaration.declared].contains(&name);
            let of_class =
                declaration.kind == DeclKind::Class || declaration.declared < declaration.names.len();
            let is_type_or_variable =
                matches!(declaration.kind, DeclKind::Class | DeclKind::Alias | DeclKind::Variable);
            own && is_type_or_variable && !is_member
                || (of_class || !is_member) && functions(self.unit, top).iter().any(leads)
        })
    }
}

/// Whether nothing but its spelling tells what a mention means: no walk came to it, or none found a declaration of it.
fn is_known_by_spelling(why: BlindSpotCause) -> bool {
    matches!(why, BlindSpotCause::Unreached | BlindSpotCause::Undeclared | BlindSpotCause::UnknownObject)
}

/// Whether the host, too, declares a name as that of a kernel template or device variable template. Of one that only the
/// GPUs' passes declare `__device__` the host has a variable of its own, which it registers nowhere.
pub(super) fn is_of_gpus_on_the_host(unit: &IndexedUnit<'_>, name: Symbol) -> bool {
    let is_of_gpus = |token: &PpToken| {
        token.passes.meets(PassSet::HOST)
            && matches!(token.text, sym::GLOBAL | sym::DEVICE | sym::CONSTANT | sym::MANAGED)
    };
    unit.declaring_untracked(name).iter().any(|top| {
        let declaration = &unit.variance.declarations[*top];
        let head = unit.pp.tokens()[declaration.tokens.start..declaration.body].iter();
        head.take_while(|token| token.text != name).any(is_of_gpus)
    })
}

/// Whether a name is called, or has template arguments: other mentions of functions and classes do not instantiate.
fn is_used(tokens: &[PpToken], index: usize) -> bool {
    let passes = tokens[index].passes;
    let next = tokens[index + 1..].iter().find(|token| token.passes.meets(passes));
    next.is_some_and(|next| matches!(next.text, sym::LPAREN | sym::LESS | sym::LBRACE))
}

/// Whether a name in the tokens of template arguments may mean another thing in another pass. `top` is the declaration
/// that they are in.
pub(super) fn arguments_vary(unit: &IndexedUnit<'_>, top: usize, arguments: Range<usize>) -> bool {
    let tokens = unit.pp.tokens();
    let may_vary = |at: usize| {
        let name = tokens[at].text;
        let is_type = || is_class(unit, name) && tokens[at + 1].text != sym::SCOPE;
        tokens[at].kind == TokenKind::Identifier && varies_for_types(unit, name) && !is_type()
    };
    let declaration = &unit.variance.declarations[top];
    arguments.clone().any(may_vary) && unit.variance.varying.is_mentioned(tokens, declaration, arguments)
}

/// A name with its template arguments, as written, and the index of the token behind them.
pub(super) fn written(tokens: &[PpToken], index: usize) -> (String, usize) {
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
