//! Calls of functions that only devices have, which the host pass meets as well: their guard asks whether nvcc compiles the
//! source, `__CUDACC__`, where it should ask for a device pass. nvcc rejects such a call in a function for the host or for both
//! sides, used or not, and PTX in a function for both sides is no assembly of the host's.
//!
//! In: tokens of functions. Out: [`FailureFact`]s. Nothing is parsed: of templates only calls without arguments count,
//! since those with some may wait for an instantiation.

use crate::preprocess::{GroupId, PpToken, Preprocessed};
use crate::source::{Symbol, sym};
use crate::target::PassSet;
use crate::variance::TopDeclaration;

use super::cause;
use super::host_bodies::{Bodies, has_unexpanded_macro, may_be_macro};
use crate::facts::index::function_tokens::FunctionTokens;
use crate::facts::index::functions::functions;
use crate::facts::index::unit::IndexedUnit;
use crate::facts::model::{FailureFact, FailureKind};

/// Functions of CUDA's headers that only devices have. nvcc 13.0 rejected a call of each in a function for both sides.
const BUILTINS: [&str; 30] = [
    "__activemask",
    "__ballot_sync",
    "__brev",
    "__brevll",
    "__brkpt",
    "__byte_perm",
    "__clz",
    "__clzll",
    "__expf",
    "__fdividef",
    "__ffs",
    "__ffsll",
    "__float_as_int",
    "__fmaf_rn",
    "__int_as_float",
    "__ldg",
    "__mul24",
    "__popc",
    "__popcll",
    "__shfl_down_sync",
    "__shfl_sync",
    "__shfl_up_sync",
    "__shfl_xor_sync",
    "__syncthreads",
    "__syncwarp",
    "__threadfence",
    "__threadfence_block",
    "__threadfence_system",
    "__trap",
    "__umulhi",
];

/// The macros that nvcc defines in the host pass and in device passes alike.
const COMPILER: [&str; 2] = ["__CUDACC__", "__NVCC__"];

/// The first such call in each function of the project.
pub(in crate::facts) fn host_builtins(unit: &IndexedUnit<'_>, compared: PassSet) -> Vec<FailureFact> {
    let devices = compared.minus(PassSet::HOST);
    if !compared.meets(PassSet::HOST) || devices.is_empty() {
        return Vec::new();
    }
    let own = |name: &Symbol| {
        let declared = unit.declaring_untracked(*name);
        declared.iter().any(|top| !unit.is_of_system(&unit.variance.declarations[*top]))
    };
    let all = BUILTINS.map(Symbol::intern);
    let builtins: Vec<Symbol> = all.into_iter().filter(|name| !own(name)).collect();
    let assembly = ["asm", "__asm__"].map(Symbol::intern);
    let finder = Finder { unit, compared, all, builtins, assembly };
    let mentioned = finder.builtins.iter().chain(&finder.assembly);
    let mut tops: Vec<usize> = mentioned.flat_map(|name| unit.token_facts().mentions(*name)).collect();
    tops.sort_unstable();
    tops.dedup();
    tops.into_iter().flat_map(|top| finder.declaration(top)).collect()
}

struct Finder<'f, 'u> {
    unit: &'f IndexedUnit<'u>,
    compared: PassSet,
    all: [Symbol; BUILTINS.len()],
    /// Those of them that the project does not declare.
    builtins: Vec<Symbol>,
    assembly: [Symbol; 2],
}

impl Finder<'_, '_> {
    fn declaration(&self, top: usize) -> Vec<FailureFact> {
        let unit = self.unit;
        let declaration = &unit.variance.declarations[top];
        if unit.token_facts().is_of_system(top) {
            return Vec::new();
        }
        let functions = functions(unit, top);
        // Whatever the project declares elsewhere.
        let find = || functions.iter().any(|one| self.may_call(one));
        if !unit.token_facts().on_demand(top).calls_builtins.get(top, find) {
            return Vec::new();
        }
        let mut calls = functions.iter().filter_map(|one| Some((one, self.call(one)?))).peekable();
        if calls.peek().is_none() {
            return Vec::new();
        }
        let all: Vec<&PpToken> = unit.pp.tokens()[declaration.tokens.clone()].iter().collect();
        let bodies = Bodies::of(&all);
        let calls = calls.filter(|(function, _)| self.is_of_host(declaration, &bodies, function));
        calls.map(|(_, (at, group))| self.fact(at, group)).collect()
    }

    /// The first token in a function's body that calls what the host lacks, and the group whose condition asks for the compiler
    /// instead of a device pass.
    fn call(&self, function: &FunctionTokens) -> Option<(usize, GroupId)> {
        let tokens = self.unit.pp.tokens();
        let for_both = self.is_for_both(function);
        if !for_both && !function.is_of_host_alone(tokens) {
            return None;
        }
        let at = function.body.clone().find(|at| self.is_met(function, *at, &self.builtins, for_both))?;
        // A lambda or a class in the body may be the device's.
        let inside = &tokens[function.body.start..at];
        if inside.iter().any(|token| matches!(token.text, sym::DEVICE | sym::GLOBAL)) {
            return None;
        }
        Some((at, self.asking_group(function, at)?))
    }

    /// Whether there is such a token, if the project declares none of the functions.
    fn may_call(&self, function: &FunctionTokens) -> bool {
        let for_both = self.is_for_both(function);
        let is_met = |at: &usize| self.is_met(function, *at, &self.all, for_both);
        (for_both || function.is_of_host_alone(self.unit.pp.tokens()))
            && function.body.clone().any(|at| is_met(&at) && self.asking_group(function, at).is_some())
    }

    fn asking_group(&self, function: &FunctionTokens, at: usize) -> Option<GroupId> {
        let tokens = self.unit.pp.tokens();
        asks_for_the_compiler(self.unit.pp, tokens[at].group, tokens[function.body.start].group)
    }

    fn is_for_both(&self, function: &FunctionTokens) -> bool {
        let tokens = self.unit.pp.tokens();
        function.has(tokens, sym::HOST) && function.has(tokens, sym::DEVICE)
    }

    /// Whether a function is for the host, or for both sides, for sure.
    fn is_of_host(
        &self,
        declaration: &TopDeclaration,
        bodies: &Bodies<'_, '_>,
        function: &FunctionTokens,
    ) -> bool {
        let tokens = self.unit.pp.tokens();
        let head: Vec<&PpToken> = tokens[function.head.clone()].iter().collect();
        let inside = function.body.start + 1 - declaration.tokens.start;
        !function.has(tokens, sym::GLOBAL)
            && !head.iter().any(|token| may_be_macro(token))
            && !has_unexpanded_macro(&head, declaration)
            && (self.is_for_both(function) || bodies.host_function(self.unit, declaration, inside).is_some())
    }

    fn fact(&self, at: usize, group: GroupId) -> FailureFact {
        let token = &self.unit.pp.tokens()[at];
        FailureFact {
            at: token.at,
            kind: FailureKind::Builtin,
            text: token.text.to_string(),
            stopped: PassSet::HOST,
            others: self.compared.minus(PassSet::HOST),
            cause: Some(cause::of_group(self.unit, group)),
        }
    }

    /// Whether a token calls what the host lacks, in all passes.
    fn is_met(&self, function: &FunctionTokens, at: usize, builtins: &[Symbol], for_both: bool) -> bool {
        let tokens = self.unit.pp.tokens();
        let token = &tokens[at];
        let follows = |distance: usize| tokens.get(at + distance).map(|token| token.text);
        let is_member = matches!(tokens[at - 1].text, sym::SCOPE | sym::DOT | sym::ARROW);
        let calls = builtins.contains(&token.text)
            && !is_member
            && follows(1) == Some(sym::LPAREN)
            && (!function.is_templated || follows(2) == Some(sym::RPAREN));
        let is_ptx = self.assembly.contains(&token.text) && for_both && !function.is_templated && {
            // A function that is inline is assembled only where something uses it.
            !function.has(tokens, Symbol::intern("inline"))
        };
        token.passes.contains(self.compared) && (calls || is_ptx)
    }
}

/// The innermost group round a token whose condition asks for the compiler, within the group that is round all of its
/// function.
pub fn asks_for_the_compiler(
    pp: &Preprocessed,
    mut group: Option<GroupId>,
    outside: Option<GroupId>,
) -> Option<GroupId> {
    while let Some(id) = group.filter(|_| group != outside) {
        let found = pp.group(id);
        let reads = &pp.conditional(found.conditional).reads;
        if reads.iter().any(|read| COMPILER.contains(&read.name.as_str())) {
            return Some(id);
        }
        group = found.parent;
    }
    None
}
