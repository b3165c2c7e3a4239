//! The lexer: tokens are in order and in the text, and a file split at its directives has the same ones.

#![no_main]

use std::path::Path;

use cuda_arch_lint::source::{Sources, lex};
use cuda_arch_lint_fuzz::check_span;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let sources = Sources::new();
    let file = sources.add(Path::new("unit.cu"), String::from_utf8_lossy(data).into_owned());
    let tokens = lex(&file.text);
    let mut end = 0;
    for token in &tokens {
        assert!(end <= token.offset && token.offset < token.end, "{token:?} after {end}");
        check_span(&file, token.offset, token.end);
        end = token.end;
    }
    let directives = file.sections().directives();
    let mut split = Vec::new();
    for index in 0..=directives {
        split.extend_from_slice(file.run(index));
        if index < directives {
            // What is before the `#` belongs to no part.
            let at = split.len();
            split.extend_from_slice(file.directive(index));
            split[at].space_before = tokens[at].space_before;
            assert!(file.sections().group_end(index).is_none_or(|end| end > index && end < directives));
        }
    }
    assert_eq!(split, tokens);
    for one in file.sections().unterminated() {
        check_span(&file, one.start, one.end);
    }
});
