//! The evaluator of conditions: no pass has two groups of one conditional.

#![no_main]

use std::path::Path;
use std::sync::Arc;

use cuda_arch_lint::preprocess::{Common, preprocess};
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::Sources;
use cuda_arch_lint_fuzz::passes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let condition = String::from_utf8_lossy(data).replace(['\n', '\r'], " ");
    let sources = Sources::new();
    let text = format!(
        "#define F(x) (x)\n#define G(x, ...) F(x) + __VA_OPT__(1) 0\n#define EMPTY\n\
         #if {condition}\nfirst\n#elif !({condition})\nsecond\n#else\nthird\n#endif\n"
    );
    sources.add(Path::new("unit.cu"), text);
    let unit = TranslationUnit::new(Path::new("unit.cu"), passes());
    let result = preprocess(&unit, &sources, &Arc::new(Common::default()));
    for pass in unit.passes.all().iter() {
        let groups = result
            .tokens_of(pass)
            .filter(|token| ["first", "second", "third"].contains(&&*token.text.as_str()));
        assert!(groups.count() <= 1, "pass {pass}");
    }
});
