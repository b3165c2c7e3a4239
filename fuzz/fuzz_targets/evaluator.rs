//! The evaluator of conditions: no pass has two groups of one conditional.

#![no_main]

use std::path::Path;
use std::sync::Arc;

use cuda_arch_lint::preprocess::{Common, preprocess};
use cuda_arch_lint::project::TranslationUnit;
use cuda_arch_lint::source::Sources;
use cuda_arch_lint_fuzz::passes;
use libfuzzer_sys::fuzz_target;

/// What stands in the groups: words that no header of this machine has.
const GROUPS: [&str; 3] = ["group_of_if", "group_of_elif", "group_of_else"];

fuzz_target!(|data: &[u8]| {
    let condition = String::from_utf8_lossy(data).replace(['\n', '\r'], " ");
    let sources = Sources::new();
    let [first, second, third] = GROUPS;
    let text = format!(
        "#define F(x) (x)\n#define G(x, ...) F(x) + __VA_OPT__(1) 0\n#define EMPTY\n\
         #if {condition}\n{first}\n#elif !({condition})\n{second}\n#else\n{third}\n#endif\n"
    );
    sources.add(Path::new("unit.cu"), text);
    let unit = TranslationUnit::new(Path::new("unit.cu"), passes());
    let result = preprocess(&unit, &sources, &Arc::new(Common::default()));
    for pass in unit.passes.all().iter() {
        let groups = result.tokens_of(pass).filter(|token| GROUPS.contains(&&*token.text.as_str()));
        assert!(groups.count() <= 1, "pass {pass}");
    }
});
