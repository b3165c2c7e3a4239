//! Targets that the environment names, as builds read it: `CUDAARCHS` for CMake, `TORCH_CUDA_ARCH_LIST` for extensions of
//! PyTorch, `NVCC_APPEND_FLAGS` for nvcc itself.

use crate::target::notation::{ParsedTargets, nvcc_target_option, read_cmake, read_list, read_torch};
use crate::target::{Context, TargetList};

use super::nvcc_options;

/// The variable that a build reads, and its targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::project) struct EnvironmentTargets {
    pub(in crate::project) variable: &'static str,
    pub(in crate::project) list: TargetList,
}

/// How a variable's value is read.
type Reading = fn(&str, &Context) -> ParsedTargets;

/// The variables, in the order in which they count.
const VARIABLES: [(&str, Reading); 3] = [
    ("TORCH_CUDA_ARCH_LIST", read_torch),
    ("CUDAARCHS", read_cmake),
    ("NVCC_APPEND_FLAGS", |text, context| read_list(&nvcc_options(text).unwrap_or_default(), context)),
];

/// The targets that the first variable names that names any; `value` gives a variable's value.
pub(super) fn targets(
    value: impl Fn(&str) -> Option<String>,
    context: &Context,
) -> Option<EnvironmentTargets> {
    VARIABLES.iter().find_map(|(variable, read)| {
        let text = value(variable).filter(|text| !text.trim().is_empty())?;
        let flags = *variable == "NVCC_APPEND_FLAGS";
        if flags && !text.split_whitespace().any(|word| nvcc_target_option(word).is_some()) {
            return None;
        }
        let list = read(&text, context).strict().ok().filter(|list| !list.passes.is_empty())?;
        Some(EnvironmentTargets { variable, list })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(variables: &[(&str, &str)], expected: &str) {
        let value = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
        };
        let found = targets(value, &Context::default()).map_or("none".to_string(), |found| {
            let images: Vec<String> = found.list.images.iter().map(ToString::to_string).collect();
            format!("{}: {}", found.variable, images.join(" "))
        });
        assert_eq!(found, expected, "{variables:?}");
    }

    #[test]
    fn each_build_system_s_variable_is_read_in_its_notation() {
        check(&[("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX")], "TORCH_CUDA_ARCH_LIST: sm_80 compute_90 sm_90");
        check(&[("CUDAARCHS", "80-real;90-virtual")], "CUDAARCHS: sm_80 compute_90");
        check(
            &[("NVCC_APPEND_FLAGS", "-O3 -gencode arch=compute_80,code=sm_80")],
            "NVCC_APPEND_FLAGS: sm_80",
        );
        check(&[("NVCC_APPEND_FLAGS", "-O3"), ("CUDAARCHS", "80-real")], "CUDAARCHS: sm_80");
        check(&[("TORCH_CUDA_ARCH_LIST", ""), ("CUDAARCHS", "nonsense")], "none");
    }
}
