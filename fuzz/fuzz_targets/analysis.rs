//! The whole analysis of a unit: each place that a finding names is in its file.

#![no_main]

use cuda_arch_lint::analysis::analyse;
use cuda_arch_lint_fuzz::{check_span, unit};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let (sources, unit) = unit(data);
    let analysis = analyse(&[unit], &sources);
    for finding in &analysis.findings {
        let at = finding.primary.at;
        check_span(&sources.file(at.file), at.start, at.end);
        for related in &finding.related {
            check_span(&sources.file(related.at.file), related.at.start, related.at.end);
        }
    }
});
