//! The preprocessor: each pass has the tokens that a preprocessor for that pass alone gives.

#![no_main]

use std::sync::Arc;

use cuda_arch_lint::preprocess::{Common, Preprocessed, preprocess, preprocess_for};
use cuda_arch_lint::source::{Symbol, TokenKind};
use cuda_arch_lint::target::PassSet;
use cuda_arch_lint_fuzz::{check_span, is_whole, unit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (sources, unit) = unit(data);
    let all = preprocess(&unit, &sources, &Arc::new(Common::default()));
    for token in all.tokens() {
        check_span(&sources.file(token.at.file), token.at.start, token.at.end);
    }
    if !is_whole(&all) {
        return;
    }
    for pass in unit.passes.all().iter() {
        let alone = preprocess_for(&unit, &sources, &Arc::new(Common::default()), PassSet::single(pass));
        if is_whole(&alone) {
            assert_eq!(spelled(&all, pass), spelled(&alone, pass), "in pass {pass}");
        }
    }
});

fn spelled(unit: &Preprocessed, pass: usize) -> Vec<(TokenKind, Symbol)> {
    unit.tokens_of(pass).map(|token| (token.kind, token.text)).collect()
}
