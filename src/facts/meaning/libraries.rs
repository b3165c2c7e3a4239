//! What a header that was not found may declare: the libraries that projects use most, by how their headers are spelled.
//!
//! A specialization of a class template is written by those who have the template or one of the types that it is for. A
//! library that knows neither of them does not, so that its missing headers leave such a question settled.

/// The beginnings of headers, each up to a `/`, a `.` or the end, and the namespaces that their library has.
const LIBRARIES: &[(&[&str], &[&str])] = &[
    (&["gtest", "gmock"], &["testing"]),
    (&["catch2", "catch", "doctest", "benchmark"], &["Catch", "doctest", "benchmark"]),
    (&["nvbench", "c2h", "catch2_test_helper"], &["nvbench", "c2h"]),
    (&["torch", "ATen", "c10", "caffe2"], &["torch", "at", "c10", "caffe2"]),
    (&["pybind11", "nanobind"], &["pybind11", "py", "nanobind"]),
    (&["Eigen", "unsupported"], &["Eigen"]),
    (&["boost"], &["boost"]),
    (&["fmt", "spdlog"], &["fmt", "spdlog"]),
    (&["glog", "gflags"], &["google", "gflags"]),
    (&["nvtx3", "nvToolsExt"], &["nvtx3"]),
    (&["cudnn", "cudnn_frontend"], &["cudnn_frontend"]),
    // The CUDA toolkit's: what libcu++ has for the standard library's templates is in its own namespace.
    (&["cuda", "cooperative_groups", "mma"], &["cuda", "cooperative_groups", "nvcuda"]),
    (&["thrust"], &["thrust", "cub", "cuda"]),
    (&["cub"], &["cub", "cuda"]),
    // Interfaces in C.
    (&["cublas", "cublas_v2", "cublasLt", "cublasXt", "cufft", "cufftXt", "curand", "curand_kernel"], &[]),
    (&["cusolverDn", "cusolverSp", "cusparse", "cusparse_v2", "cutensor", "nppi", "cufile"], &[]),
    (&["cuda_profiler_api", "nvml", "nvrtc", "nccl", "nvshmem", "nvshmemx", "mpi", "omp", "hdf5"], &[]),
    (&["Python", "numpy", "GL", "GLFW", "freeglut", "zlib", "png"], &[]),
    // The common headers of NVIDIA's samples.
    (&["helper_cuda", "helper_functions", "helper_gl", "helper_image", "helper_math"], &[]),
    (&["helper_string", "helper_timer", "exception"], &[]),
];

/// The namespaces that a header's library has; `None` for a header of no library in the table. The header is spelled with its
/// quotes or brackets.
pub(super) fn namespaces(header: &str) -> Option<&'static [&'static str]> {
    let spelled = header.trim_matches(['<', '>', '"']);
    let first = spelled.split(['/', '.']).next()?;
    LIBRARIES.iter().find(|(headers, _)| headers.contains(&first)).map(|(_, namespaces)| *namespaces)
}

/// Whether the text of a type names something in a namespace: `at::` in `X<at::Half>`.
pub(super) fn names(text: &str, namespace: &str) -> bool {
    let is_part = |before: char| before.is_alphanumeric() || before == '_' || before == ':';
    text.match_indices(namespace).any(|(start, _)| {
        text[start + namespace.len()..].starts_with("::") && !text[..start].ends_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_of_its_library() {
        assert_eq!(namespaces("<gtest/gtest.h>"), Some(&["testing"][..]));
        assert_eq!(namespaces("\"nccl.h\""), Some(&[][..]));
        assert_eq!(namespaces("<gtest_mine.h>"), None);
        assert_eq!(namespaces("\"mine/gtest.h\""), None);
        assert_eq!(namespaces("<cub/cub.cuh>"), Some(&["cub", "cuda"][..]));
    }

    #[test]
    fn a_namespace_is_named_as_a_whole() {
        assert!(names("X<at::Half>", "at") && names("at::X", "at"));
        assert!(!names("X<cat::Half>", "at") && !names("X<mine::at::Half>", "at") && !names("X<at>", "at"));
    }
}
