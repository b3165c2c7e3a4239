//! Fixes: each that is offered can be applied, and the text that it makes can be analysed.

#![no_main]

use std::collections::BTreeMap;

use cuda_arch_lint::fix::Trial;
use cuda_arch_lint_fuzz::{files, unit};
use libfuzzer_sys::fuzz_target;

/// Of how many findings fixes are sought.
const MOST: usize = 3;

fuzz_target!(|data: &[u8]| {
    let texts: BTreeMap<_, _> = files(data).into_iter().collect();
    let (_, unit) = unit(data);
    let mut trial = Trial::new(vec![unit], texts);
    for finding in trial.analysis().findings.clone().iter().take(MOST) {
        let fixes = trial.fixes(finding, &|| true);
        if let Some(fix) = fixes.first() {
            trial.keep(fix);
            break;
        }
    }
});
