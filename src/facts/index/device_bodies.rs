//! The bodies of functions that GPUs alone run, as tokens tell, of which only a walk for instantiations may ask anything.

use std::ops::Range;

use crate::preprocess::PpToken;
use crate::source::sym;
use crate::variance::{DeclKind, TopDeclaration, member_functions};

use super::tokens::{is_on_device_alone, refine};

/// The insides of the bodies in a declaration, in order, that belong to functions which GPUs alone run in every pass, whose
/// return types are not deduced and which no constant expression calls.
pub(super) fn bodies_on_device(tokens: &[PpToken], declaration: &TopDeclaration) -> Vec<Range<usize>> {
    let is_plain = |head: &Range<usize>| {
        let head = &tokens[head.clone()];
        let is_asked_for = |token: &PpToken| {
            matches!(token.text, sym::AUTO | sym::DECLTYPE | sym::CONSTEXPR | sym::CONSTEVAL | sym::TRY)
        };
        is_on_device_alone(head, declaration.passes) && !head.iter().any(is_asked_for)
    };
    let inside = |body: &Range<usize>| body.start + 1..body.end - 1;
    match declaration.kind {
        DeclKind::Function => {
            let (head, body) =
                (declaration.tokens.start..declaration.body, declaration.body..declaration.tokens.end);
            let is_block = body.len() > 2
                && tokens[body.start].text == sym::LBRACE
                && tokens[body.end - 1].text == sym::RBRACE
                && [body.start, body.end - 1]
                    .iter()
                    .all(|at| tokens[*at].passes.contains(declaration.passes));
            if is_block && is_plain(&head) { vec![inside(&body)] } else { Vec::new() }
        }
        DeclKind::Class => {
            let own = tokens[declaration.tokens.clone()].iter().map(|token| token.passes);
            let classes = refine(declaration.passes, own);
            let passes: Vec<usize> = classes.iter().filter_map(|class| class.lowest()).collect();
            let mut all: Vec<(Range<usize>, bool)> = Vec::new();
            for pass in &passes {
                let members = member_functions(tokens, declaration, *pass);
                all.extend(members.into_iter().map(|one| (one.body.clone(), is_plain(&one.head))));
            }
            all.sort_by_key(|(body, _)| (body.start, body.end));
            let same = |one: &(Range<usize>, bool), other: &(Range<usize>, bool)| {
                one.0.start < other.0.end && other.0.start < one.0.end
            };
            // Each pass that has the body has to read it as that of such a function.
            let is_plain_everywhere = |found: &&[(Range<usize>, bool)]| {
                let body = &found[0].0;
                let having = passes.iter().filter(|pass| tokens[body.start].passes.has(**pass)).count();
                body.len() > 2
                    && found.len() == having
                    && found.iter().all(|(other, is_plain)| *is_plain && other == body)
            };
            all.chunk_by(same).filter(is_plain_everywhere).map(|found| inside(&found[0].0)).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::preprocess::preprocess;
    use crate::project::TranslationUnit;
    use crate::source::Sources;
    use crate::target::{Passes, parse_arch_list};
    use crate::variance::variance;

    /// The insides of bodies in a text that are left out, each as its first word.
    fn left_out(text: &str) -> Vec<String> {
        let passes = Passes::new(&parse_arch_list("80,90").unwrap()).unwrap();
        let sources = Sources::new();
        sources.add(Path::new("a.cu"), text.into());
        let unit = TranslationUnit::new(Path::new("a.cu"), passes);
        let pp = preprocess(&unit, &sources, &Arc::default());
        let variance = variance(&pp, unit.passes.all());
        let bodies = variance.declarations.iter().flat_map(|one| bodies_on_device(pp.tokens(), one));
        bodies.map(|body| pp.tokens()[body.start].text.to_string()).collect()
    }

    #[test]
    fn bodies_of_functions_that_gpus_alone_run_are_left_out() {
        let text = "
            __device__ void first() { one; }
            __host__ __device__ void both() { two; }
            __device__ auto deduced() { return 3; }
            __device__ constexpr int constant() { return 4; }
            template <class T> struct S {
                __device__ S() { five; }
                __device__ void own(T of) { six; }
                void host() { seven; }
                __device__ auto result() { return 8; }
                struct Inner { __device__ void nested() { nine; } };
            };
            __global__ void kernel() { ten; }";
        assert_eq!(left_out(text), ["one", "five", "six", "nine", "ten"]);
    }

    #[test]
    fn a_body_that_some_pass_gives_to_the_host_is_not_left_out() {
        let text = "
            struct S {
            #if __CUDA_ARCH__ >= 900
                __device__
            #else
                __host__ __device__
            #endif
                void some() { one; }
                __device__ void all() {
            #if __CUDA_ARCH__ >= 900
                    two;
            #endif
                    three;
                }
            };";
        assert_eq!(left_out(text), ["two"]);
    }
}
