//! The macros nvcc and its host compiler define before the first line, and which of them differ by pass.

use super::arch::Suffix;
use super::pass::{Pass, PassSet, Passes};

/// `g++ -dM -E -std=gnu++17` of GCC 12 on x86-64 Linux: a macro's name (with its parameters), a blank, its value.
const HOST_COMPILER: &str = include_str!("gcc12-x86_64-gnu++17.txt");

/// What nvcc 13 adds in every pass (`nvcc --dryrun`).
const NVCC: &str = "\
__CUDACC__
__NVCC__
__CUDACC_VER_MAJOR__ 13
__CUDACC_VER_MINOR__ 0
__CUDACC_VER_BUILD__ 88
__CUDA_API_VER_MAJOR__ 13
__CUDA_API_VER_MINOR__ 0
__NVCC_DIAG_PRAGMA_SUPPORT__ 1
__CUDACC_DEVICE_ATOMIC_BUILTINS__ 1";

/// A macro that is defined before the first line is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predefined {
    /// Its name, with its parameter list when it is function-like.
    pub name: String,
    /// Its replacement list, as text.
    pub value: String,
    /// The passes that define it.
    pub passes: PassSet,
}

/// Options of a compilation that predefine macros in every pass.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// `-rdc=true` or `-dc`: `__CUDACC_RDC__`.
    pub rdc: bool,
}

/// What nvcc 13 with g++ 12 on x86-64 Linux predefines in the passes of a unit.
///
/// Between passes only `__CUDA_ARCH__`, `CUDA_DOUBLE_MATH_FUNCTIONS` and the feature macros of the
/// `a` and `f` targets differ (measured on nvcc 12.4, 13.0 and 13.5).
pub fn predefined(passes: &Passes, options: Options) -> Vec<Predefined> {
    let mut macros: Vec<Predefined> = Vec::new();
    let mut define = |name: &str, value: String, set: PassSet| {
        macros.push(Predefined { name: name.into(), value, passes: set });
    };
    for line in HOST_COMPILER.lines().chain(NVCC.lines()) {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        define(name, value.into(), passes.all());
    }
    if options.rdc {
        define("__CUDACC_RDC__", "1".into(), passes.all());
    }
    let mut list: Vec<u32> = passes.archs(passes.devices()).iter().map(|arch| arch.cuda_arch()).collect();
    list.sort_unstable();
    list.dedup();
    let list: Vec<String> = list.iter().map(u32::to_string).collect();
    define("__CUDA_ARCH_LIST__", list.join(","), passes.all());
    for (index, pass) in passes.list().iter().enumerate() {
        let Pass::Device(arch) = pass else { continue };
        let set = PassSet::single(index);
        let value = arch.cuda_arch().to_string();
        define("__CUDA_ARCH__", value.clone(), set);
        define("CUDA_DOUBLE_MATH_FUNCTIONS", "1".into(), set);
        if arch.suffix == Suffix::A {
            define(&format!("__CUDA_ARCH_FEAT_SM{}_ALL", arch.number), "1".into(), set);
            define("__CUDA_ARCH_SPECIFIC__", value.clone(), set);
        }
        if arch.suffix != Suffix::None {
            define("__CUDA_ARCH_FAMILY_SPECIFIC__", value, set);
        }
    }
    macros
}
