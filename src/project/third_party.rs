//! Files of other projects and of the toolkit that a project keeps among its own: what is wrong with them is not its
//! to mend.

use std::path::{Path, PathBuf};

use crate::source::SourceFile;

use super::paths::tidy;
use super::unit::{TranslationUnit, UnitKind};

/// The names, in lower case, of directories that projects keep others in.
pub const THIRD_PARTY: &[&str] = &[
    "third_party",
    "third-party",
    "thirdparty",
    "3rd_party",
    "3rd-party",
    "3rdparty",
    "external",
    "externals",
    "extern",
    "vendor",
    "vendored",
    "bundled",
    "submodules",
    "deps",
    "_deps",
];

/// The toolkit's headers that code includes or that have code, without their extensions, `.h` and `.hpp`.
const TOOLKIT: &[&str] = &[
    "builtin_types",
    "channel_descriptor",
    "common_functions",
    "cooperative_groups",
    "cuComplex",
    "cuda",
    "cuda_awbarrier",
    "cuda_awbarrier_helpers",
    "cuda_awbarrier_primitives",
    "cuda_bf16",
    "cuda_device_runtime_api",
    "cuda_egl_interop",
    "cuda_fp16",
    "cuda_fp4",
    "cuda_fp6",
    "cuda_fp8",
    "cuda_gl_interop",
    "cuda_occupancy",
    "cuda_pipeline",
    "cuda_pipeline_helpers",
    "cuda_pipeline_primitives",
    "cuda_runtime",
    "cuda_runtime_api",
    "cuda_surface_types",
    "cuda_texture_types",
    "cuda_tile",
    "cuda_vdpau_interop",
    "curand",
    "curand_kernel",
    "curand_mtgp32_kernel",
    "curand_normal",
    "curand_philox4x32_x",
    "curand_poisson",
    "curand_uniform",
    "device_atomic_functions",
    "device_double_functions",
    "device_fp128_functions",
    "device_functions",
    "device_launch_parameters",
    "device_types",
    "driver_functions",
    "driver_types",
    "host_config",
    "host_defines",
    "library_types",
    "math_constants",
    "math_functions",
    "mma",
    "sm_100_rt",
    "sm_20_atomic_functions",
    "sm_20_intrinsics",
    "sm_30_intrinsics",
    "sm_32_atomic_functions",
    "sm_32_intrinsics",
    "sm_35_atomic_functions",
    "sm_35_intrinsics",
    "sm_60_atomic_functions",
    "sm_61_intrinsics",
    "sm_70_rt",
    "sm_80_rt",
    "sm_90_rt",
    "surface_functions",
    "surface_indirect_functions",
    "surface_types",
    "texture_fetch_functions",
    "texture_indirect_functions",
    "texture_types",
    "vector_functions",
    "vector_types",
];

/// The words that NVIDIA's notice in each of them begins with, and the lines of the file in which they stand.
const NOTICE: [&str; 2] = ["NVIDIA Corporation", "NOTICE TO LICENSEE"];
const HEAD: usize = 12;

impl TranslationUnit {
    /// Whether a file of this unit is another project's, and the unit is not: it is in a directory for other projects
    /// or in a submodule, in which the unit is not compiled. Or it is a copy of one of the toolkit's headers.
    pub fn is_third_party(&self, file: &SourceFile) -> bool {
        self.is_of_other_project(&file.path) || is_of_toolkit(file)
    }

    fn is_of_other_project(&self, file: &Path) -> bool {
        // A header by itself is as much of another project as it would be in a unit of this one.
        let alone = self.kind == UnitKind::Header && file.is_relative();
        let own = if alone { Path::new("") } else { &self.main };
        let shared = file.components().zip(own.components()).take_while(|(one, other)| one == other).count();
        let names = |directory: &Path| {
            directory.components().skip(shared).any(|part| {
                let name = part.as_os_str().to_string_lossy().to_ascii_lowercase();
                THIRD_PARTY.contains(&name.as_str())
            })
        };
        let submodule = |one: &PathBuf| file.starts_with(one) && !own.starts_with(one);
        file.parent().is_some_and(names) || self.submodules.iter().any(submodule)
    }
}

/// Whether a file is a copy of one of the toolkit's headers: it has the name of one, and NVIDIA's notice.
fn is_of_toolkit(file: &SourceFile) -> bool {
    let extension = file.path.extension().is_some_and(|extension| extension == "h" || extension == "hpp");
    let stem = file.path.file_stem().and_then(|stem| stem.to_str());
    let says = |words: &&str| file.text.lines().take(HEAD).any(|line| line.contains(*words));
    extension && stem.is_some_and(|stem| TOOLKIT.contains(&stem)) && NOTICE.iter().all(says)
}

/// The directories of a repository's submodules, as its `.gitmodules` has them.
pub(super) fn submodules(repository: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(repository.join(".gitmodules")).unwrap_or_default();
    let path = |line: &str| {
        let (key, value) = line.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (key.trim().eq_ignore_ascii_case("path") && !value.is_empty()).then(|| tidy(&repository.join(value)))
    };
    text.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use crate::source::Sources;
    use crate::target::Passes;

    use super::*;

    fn check(unit: &TranslationUnit, path: &str, text: &str, expected: bool) {
        let sources = Sources::new();
        let file = sources.add(Path::new(path), text.to_string());
        assert_eq!(unit.is_third_party(&file), expected, "{path} in {}", unit.main.display());
    }

    #[test]
    fn a_directory_for_other_projects_is_told_by_its_name() {
        let unit = TranslationUnit::new(Path::new("src/a.cu"), Passes::default());
        check(&unit, "third_party/cub/util.cuh", "", true);
        check(&unit, "src/ThirdParty/cub/util.cuh", "", true);
        check(&unit, "/opt/3rdparty/util.cuh", "", true);
        check(&unit, "src/util.cuh", "", false);
        check(&unit, "src/third_party.cuh", "", false);
        let other = TranslationUnit::new(Path::new("third_party/cub/test/a.cu"), Passes::default());
        check(&other, "third_party/cub/util.cuh", "", false);
        check(&other, "third_party/cub/external/util.cuh", "", true);
        let header = TranslationUnit::new(Path::new("third_party/cub/util.cuh"), Passes::default());
        check(&TranslationUnit { kind: UnitKind::Header, ..header }, "third_party/cub/util.cuh", "", true);
    }

    #[test]
    fn a_submodule_is_another_project_but_for_its_own_units() {
        let repository = tempfile::tempdir().unwrap();
        let text =
            "[submodule \"cutlass\"]\n\tpath = csrc/cutlass\n\turl = https://example.org/cutlass.git\n";
        std::fs::write(repository.path().join(".gitmodules"), text).unwrap();
        let found = submodules(repository.path());
        assert_eq!(found, [repository.path().join("csrc/cutlass")]);
        let unit = |main: &str| TranslationUnit {
            submodules: found.clone().into(),
            ..TranslationUnit::new(&repository.path().join(main), Passes::default())
        };
        let header = repository.path().join("csrc/cutlass/include/mma.h");
        check(&unit("csrc/a.cu"), header.to_str().unwrap(), "", true);
        check(&unit("csrc/cutlass/test/a.cu"), header.to_str().unwrap(), "", false);
        check(&unit("csrc/a.cu"), repository.path().join("csrc/cutlass.h").to_str().unwrap(), "", false);
    }

    #[test]
    fn a_copy_of_a_header_of_the_toolkit_has_its_name_and_the_notice() {
        let unit = TranslationUnit::new(Path::new("src/a.cu"), Passes::default());
        let notice = "/*\n * Copyright 2022 NVIDIA Corporation.  All rights reserved.\n *\n * NOTICE TO LICENSEE:\n */\n";
        check(&unit, "src/cuda_fp8.hpp", notice, true);
        check(&unit, "src/cuda_fp8.hpp", "#pragma once\n", false);
        check(&unit, "src/gemm.h", notice, false);
    }
}
