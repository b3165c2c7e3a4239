//! The predefined macros of a unit's compilers, and which of them differ by pass.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::arch::{Arch, Suffix};
use super::foreign::Foreign;
use super::host::{Family, HostCompiler, Machine, Standard};
use super::pass::{Pass, PassSet, Passes};
use super::toolkit::{Toolkit, nvcc_option};

/// A predefined macro.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predefined {
    /// Its name, with its parameter list when it is function-like.
    pub name: String,
    /// Its replacement list, as text.
    pub value: String,
    /// The passes that define it.
    pub passes: PassSet,
}

/// The CUDA compiler, which runs the passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum CudaCompiler {
    /// nvcc of a toolkit, in front of a host compiler.
    Nvcc(Toolkit),
    /// clang as CUDA compiler (`-x cuda`).
    Clang,
}

impl Default for CudaCompiler {
    /// nvcc 13.0.
    fn default() -> CudaCompiler {
        CudaCompiler::Nvcc(Toolkit::default())
    }
}

/// The parts of a compilation's options that determine the predefined macros.
///
/// The default is nvcc 13.0 in front of g++ 12 without options.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// The CUDA compiler.
    pub cuda: CudaCompiler,
    /// The host compiler.
    pub host: HostCompiler,
    /// The machine that the host code is for.
    pub machine: Machine,
    /// `-std`; `None` for the host compiler's default.
    pub standard: Option<Standard>,
    /// Options of either compiler that predefine macros, in order, as spelled.
    pub flags: Vec<String>,
    /// The macros that a real host compiler reported when it was run, by name (with parameters), with their values.
    /// They replace the stored macros of [`Options::host`].
    pub asked: Option<Arc<BTreeMap<String, String>>>,
    /// `-rdc=true` or `-dc`, which defines `__CUDACC_RDC__`, with clang `__CLANG_RDC__`.
    pub rdc: bool,
}

impl Options {
    /// Whether either compiler predefines or undefines a macro under the option.
    pub fn knows(&self, option: &str) -> bool {
        let nvcc = matches!(self.cuda, CudaCompiler::Nvcc(_)) && nvcc_option(option).is_some();
        nvcc || self.host.knows(option) || stub_option(option).is_some()
    }

    /// Whether the host stubs of kernel templates are weak symbols that objects share: in whole-program compilation
    /// with nvcc before 13.0 (measured on 12.4), unless `-static-global-template-stub` says otherwise.
    pub fn shares_stubs(&self) -> bool {
        let CudaCompiler::Nvcc(toolkit) = self.cuda else { return false };
        let asked = self.flags.iter().rev().find_map(|flag| stub_option(flag));
        !asked.unwrap_or(toolkit.major >= 13)
    }

    /// The compiler whose preprocessor is used: with nvcc the host compiler.
    pub fn preprocessor(&self) -> HostCompiler {
        let asked = self.asked.as_ref().is_some_and(|macros| macros.contains_key("__clang__"));
        if asked || self.cuda == CudaCompiler::Clang { HostCompiler::Clang19 } else { self.host }
    }

    /// Whether that preprocessor has `#assert`, as GCC's does.
    pub fn has_assertions(&self) -> bool {
        matches!(self.preprocessor(), HostCompiler::Gcc11 | HostCompiler::Gcc12)
    }

    /// The host compiler's predefined macros; `extra` are further conditions that hold for sections of its table.
    fn host_macros(&self, extra: &[&str]) -> BTreeMap<String, String> {
        let mut flags = self.flags.clone();
        flags.extend(extra.iter().map(|word| (*word).to_string()));
        let standard = self.standard.unwrap_or_else(|| self.host.standard());
        self.host.macros(self.machine, standard, &flags)
    }
}

/// The value of `-static-global-template-stub`, if the option is that.
fn stub_option(option: &str) -> Option<bool> {
    let value = option.trim_start_matches('-').strip_prefix("static-global-template-stub=")?;
    (option.starts_with('-')).then_some(value == "true")
}

/// The predefined macros of each pass of a unit.
///
/// Between nvcc's passes only `__CUDA_ARCH__`, `CUDA_DOUBLE_MATH_FUNCTIONS` and the feature macros of `a` and `f`
/// targets differ (measured on nvcc 12.4, 13.0 and 13.5). Between clang's passes, the macros that describe the target
/// machine differ too (measured on clang 19).
pub fn predefined(passes: &Passes, options: &Options) -> Vec<Predefined> {
    let mut macros = match options.cuda {
        CudaCompiler::Nvcc(toolkit) => of_nvcc(passes, options, toolkit),
        CudaCompiler::Clang => of_clang(passes, options),
    };
    for (index, pass) in passes.list().iter().enumerate() {
        let own = match pass {
            Pass::Host => continue,
            Pass::Device(arch) => of_target(*arch, options.cuda),
            Pass::Foreign(foreign) => of_foreign(*foreign),
        };
        let passes = PassSet::single(index);
        macros.extend(own.into_iter().map(|(name, value)| Predefined { name, value, passes }));
    }
    if passes.list().iter().any(|pass| matches!(pass, Pass::Foreign(_))) {
        // Only SCALE's compiler compiles CUDA sources for such a GPU (its manual, "Language Extensions").
        macros.push(Predefined { name: "__REDSCALE__".into(), value: "1".into(), passes: passes.all() });
    }
    macros
}

/// nvcc preprocesses with the host compiler, with the same options in every pass.
fn of_nvcc(passes: &Passes, options: &Options, toolkit: Toolkit) -> Vec<Predefined> {
    let host = match &options.asked {
        Some(asked) => (**asked).clone(),
        None => options.host_macros(&[]),
    };
    let mut all: Vec<(String, String)> = host.into_iter().chain(toolkit.macros()).collect();
    if options.rdc {
        all.push(("__CUDACC_RDC__".into(), "1".into()));
    }
    let flags: Vec<&str> = options.flags.iter().filter_map(|flag| nvcc_option(flag)).collect();
    all.extend(flags.into_iter().map(|name| (name.to_string(), "1".to_string())));
    if toolkit.has_arch_list() {
        all.push(("__CUDA_ARCH_LIST__".into(), arch_list(passes)));
    }
    let passes = passes.all();
    all.into_iter().map(|(name, value)| Predefined { name, value, passes }).collect()
}

/// clang's passes compile for two machines. `__CUDACC__` is defined by its wrapper header, which is included first.
fn of_clang(passes: &Passes, options: &Options) -> Vec<Predefined> {
    let mut macros: Vec<Predefined> = Vec::new();
    let host = match (&options.asked, options.host.family()) {
        (Some(asked), _) => {
            let mut asked = (**asked).clone();
            asked.insert("__CUDA__".into(), "1".into());
            asked
        }
        (None, Family::Clang) => options.host_macros(&["cuda-host"]),
        (None, _) => options.host_macros(&[]),
    };
    let device = match (&options.asked, options.host.family()) {
        (None, Family::Clang) => options.host_macros(&["cuda-device"]),
        _ => host.clone(),
    };
    for (name, value) in &host {
        let set = if device.get(name) == Some(value) { passes.all() } else { PassSet::HOST };
        macros.push(Predefined { name: name.clone(), value: value.clone(), passes: set });
    }
    for (name, value) in device {
        if host.get(&name) != Some(&value) {
            macros.push(Predefined { name, value, passes: passes.devices() });
        }
    }
    macros.push(Predefined { name: "__CUDACC__".into(), value: String::new(), passes: passes.all() });
    if options.rdc {
        macros.push(Predefined { name: "__CLANG_RDC__".into(), value: "1".into(), passes: passes.all() });
    }
    macros
}

/// The value of `__CUDA_ARCH_LIST__`, the same in all passes: the targets' numbers, ascending, without repetition.
fn arch_list(passes: &Passes) -> String {
    let number = |pass: &Pass| match pass {
        Pass::Host => None,
        Pass::Device(arch) => Some(arch.cuda_arch()),
        Pass::Foreign(foreign) => Some(foreign.cuda_arch()),
    };
    let mut list: Vec<u32> = passes.list().iter().filter_map(number).collect();
    list.sort_unstable();
    list.dedup();
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The macros of the pass for this target alone.
fn of_target(arch: Arch, cuda: CudaCompiler) -> Vec<(String, String)> {
    let value = arch.cuda_arch().to_string();
    let mut macros = vec![("__CUDA_ARCH__".to_string(), value.clone())];
    let mut define = |name: &str, value: &str| macros.push((name.to_string(), value.to_string()));
    let feature = format!("__CUDA_ARCH_FEAT_SM{}_ALL", arch.number);
    if arch.suffix == Suffix::A {
        define(&feature, "1");
    }
    let CudaCompiler::Nvcc(toolkit) = cuda else { return macros };
    define("CUDA_DOUBLE_MATH_FUNCTIONS", "1");
    if arch.suffix == Suffix::A && toolkit.has_specific() {
        define("__CUDA_ARCH_SPECIFIC__", &value);
    }
    if arch.suffix != Suffix::None && toolkit.has_specific() {
        define("__CUDA_ARCH_FAMILY_SPECIFIC__", &value);
    }
    macros
}

/// The macros of the pass for an AMD GPU alone: the number that stands for its compute capability, its warp size
/// (SCALE manual, "Compute Capability Mapping", "Inline PTX"), and those of LLVM's AMDGPU target (measured on clang
/// 19 with `-x hip`).
fn of_foreign(foreign: Foreign) -> Vec<(String, String)> {
    let processor = foreign.gpu.processor().replace('-', "_");
    let warp = foreign.gpu.warp_size().to_string();
    let named = |name: &str, value: &str| (name.to_string(), value.to_string());
    vec![
        named("__CUDA_ARCH__", &foreign.cuda_arch().to_string()),
        named("__SCALE_WARP_SIZE__", &warp),
        named("__AMDGCN__", "1"),
        named("__AMDGPU__", "1"),
        named("__AMDGCN_WAVEFRONT_SIZE", &warp),
        named("__AMDGCN_WAVEFRONT_SIZE__", &warp),
        named(&format!("__{processor}__"), "1"),
    ]
}
