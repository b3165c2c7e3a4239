//! Host stubs, by the symbols of an object.
//!
//! nvcc gives each kernel that it registers a host stub, `__device_stub_` and the kernel's mangled name as its last
//! device pass has it; the stub's own parameters have the types that the host pass gives them. A kernel template is
//! instantiated on the host with a call of `__wrapper__device_stub_` and its name. What calls what is only told by objects
//! of which a compiler left nothing out: it may put a stub into its wrapper, and both into who launches.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::names::{encoded_types, function, is_instance, parameters, readable};

/// The host's side of the kernels of a binary, as far as its symbols tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stubs {
    /// Kernels by their mangled names, and the types of the parameters that the host gives each: `(int, int*)`. Of those
    /// alone whose names have types that may be others: no template's instances, which are named by the template's.
    pub parameters: BTreeMap<String, String>,
    /// Kernel templates that the host instantiates and no pass registers: `fill<int>`. None of a file that is linked or
    /// optimized, which does not tell.
    pub unregistered: BTreeSet<String>,
}

const STUB: &str = "__device_stub_";
/// The beginning of the host's wrapper types of extended lambdas, without the prefix that tells the kinds apart.
const LAMBDA: &str = "dl_wrapper_t<";
pub(super) const WRAPPER: &str = "__wrapper__device_stub_";
/// A static function that nothing calls: it is in objects of which nothing was left out.
pub(super) const UNCALLED: &str = "__nv_save_fatbinhandle_for_managed_rt";

/// Whether a linker made a file of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Linked {
    Yes,
    No,
}

/// Reads a table of symbols' names; `linked` are those of several objects.
pub(super) fn read_stubs(names: &[u8], linked: Linked) -> Stubs {
    let mut stubs = Stubs::default();
    let tells = linked == Linked::No && memmem::find(names, UNCALLED.as_bytes()).is_some();
    // By the name that tells an instantiation apart: that which it is known by.
    let mut instantiated: BTreeMap<String, String> = BTreeMap::new();
    let mut all: Vec<(&str, &str)> = Vec::new();
    for at in memmem::find_iter(names, STUB) {
        let start = names[..at].iter().rposition(|byte| *byte == 0).map_or(0, |zero| zero + 1);
        let end = names[at..].iter().position(|byte| *byte == 0).map_or(names.len(), |len| at + len);
        let Ok(name) = std::str::from_utf8(&names[start..end]) else { continue };
        // Parts that a compiler split off have the same name.
        let name = name.split('.').next().unwrap_or(name);
        if let Some((kernel, types)) = stub(name) {
            all.push((kernel, types));
        } else if tells && name.contains(WRAPPER) && name.starts_with("_Z") {
            let wrapper = readable(name);
            if wrapper != name {
                let kernel = function(&wrapper).replace(WRAPPER, "");
                instantiated.insert(key(&kernel, parameters(&wrapper)), kernel);
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    if !instantiated.is_empty() {
        let of_stub = |(kernel, types): &(&str, &str)| key(function(&readable(kernel)), &spelled(types));
        let registered: BTreeSet<String> = all.iter().map(of_stub).collect();
        instantiated.retain(|key, _| !registered.contains(key));
    }
    stubs.unregistered = instantiated.into_values().collect();
    all.retain(|(kernel, types)| may_differ(kernel, types));
    stubs.parameters = all.iter().map(|(kernel, types)| (kernel.to_string(), spelled(types))).collect();
    stubs
}

/// Encoded types as C++ spells them: a function of these parameters has them in its name.
fn spelled(types: &str) -> String {
    parameters(&readable(&format!("_Z1f{types}"))).to_string()
}

/// The types in the name of a kernel may be others than those of its stub. The same letters are the same types, unless
/// some stand for what was named before.
fn may_differ(kernel: &str, types: &str) -> bool {
    !is_instance(kernel) && (types.contains('S') || encoded_types(kernel) != Some(types))
}

/// What tells an instantiation apart from others: its name. An extended lambda is another type in the kernel's name than
/// in the host's, which names the wrapper: there the parameters tell, less the references that stubs and wrappers add.
fn key(kernel: &str, types: &str) -> String {
    match types.contains(LAMBDA) {
        true => format!("{}{}", base(kernel), types.replace(['&', ' '], "")),
        false => kernel.to_string(),
    }
}

/// A kernel's name without template arguments: `ns::run` of `ns::run<int>` and of `_ZN2ns3runIZ4fillPiEUnvdl1_EEvT_`, which is
/// NVIDIA's own way to mangle an extended lambda.
fn base(kernel: &str) -> String {
    let Some(mut rest) = kernel.strip_prefix("_Z") else {
        return kernel.split('<').next().unwrap_or(kernel).to_string();
    };
    rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut parts = Vec::new();
    loop {
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let length = rest[..digits].parse().unwrap_or(0);
        let part = rest[digits..].get(..length).filter(|part| !part.is_empty());
        let Some(part) = part else { break };
        rest = &rest[digits + length..];
        parts.push(if part.starts_with("_GLOBAL__N_") { "(anonymous namespace)" } else { part });
    }
    parts.join("::")
}

/// The kernel and the encoded types of `_Z25__device_stub__Z5storedPdiPi`: `_Z5storedPd` and `iPi`.
pub(super) fn stub(name: &str) -> Option<(&str, &str)> {
    let name = name.strip_prefix("_Z")?;
    let name = name.strip_prefix('L').unwrap_or(name);
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = name[..digits].parse().ok()?;
    let stub = name[digits..].get(..length)?;
    Some((stub.strip_prefix(STUB)?, name.get(digits + length..)?))
        .filter(|(kernel, _)| kernel.starts_with("_Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_with_a_lambda_is_known_by_its_base() {
        assert_eq!(base("_ZN2ns3runIZ4fillPiEUnvdl1_EEvT_"), "ns::run");
        assert_eq!((base("ns::run<int>").as_str(), base("scale").as_str()), ("ns::run", "scale"));
        for odd in ["_Z", "_ZN", "_Z99a", "_Z99999999999999999999a", "_Z2é"] {
            base(odd);
        }
    }

    #[test]
    fn the_host_s_types_and_instantiations_are_read() {
        let names = b"\0_ZL37__nv_save_fatbinhandle_for_managed_rtPPv\0_Z25__device_stub__Z5storedPdiPi\0_ZZ27__device_stub__Z5storedPdiPiE3__f\0\
            _ZL32__device_stub__Z5scaleILi16EEvPfPf.cold\0_Z28__wrapper__device_stub_scaleILi16EEvRPf\0\
            _Z28__wrapper__device_stub_scaleILi32EEvRPf\0_Z99__device_stub__Z\0__device_stub_";
        let stubs = read_stubs(names, Linked::No);
        assert!(read_stubs(names, Linked::Yes).unregistered.is_empty());
        let pairs: Vec<(&str, &str)> =
            stubs.parameters.iter().map(|(kernel, types)| (kernel.as_str(), types.as_str())).collect();
        assert_eq!(pairs, [("_Z5storedPd", "(int, int*)")]);
        assert!(!may_differ("_Z5storedPd", "dPd") && may_differ("_Z1kP1SS0_", "P1SS0_"));
        assert_eq!(stubs.unregistered.iter().map(String::as_str).collect::<Vec<_>>(), ["scale<32>"]);
    }
}
