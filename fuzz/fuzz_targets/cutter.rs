//! The cutter: the declarations of a pass follow each other, and what is said of one is inside it.

#![no_main]

use std::sync::Arc;

use cuda_arch_lint::preprocess::{Common, preprocess};
use cuda_arch_lint::variance::variance;
use cuda_arch_lint_fuzz::unit;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (sources, unit) = unit(data);
    let result = preprocess(&unit, &sources, &Arc::new(Common::default()));
    let cut = variance(&result, unit.passes.all());
    for one in &cut.declarations {
        let (start, end) = (one.tokens.start, one.tokens.end);
        assert!(start < end && end <= result.tokens().len() && !one.passes.is_empty(), "{one:?}");
        assert!((start..=end).contains(&one.body) && one.declared <= one.names.len(), "{one:?}");
        assert!(start <= one.class_body.start && one.class_body.end <= end, "{one:?}");
    }
    for pass in unit.passes.all().iter() {
        let of_pass = cut.declarations.iter().filter(|one| one.passes.has(pass));
        of_pass.fold(0, |end, one| {
            assert!(one.tokens.start >= end, "{one:?} begins before {end}");
            one.tokens.end
        });
    }
});
