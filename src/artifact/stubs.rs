//! Host stubs, by the symbols of an object.
//!
//! nvcc gives each kernel that it registers a host stub, `__device_stub_` and the kernel's mangled name as its last
//! device pass has it; the stub's own parameters have the types that the host pass gives them. A kernel template is
//! instantiated on the host with a call of `__wrapper__device_stub_` and its name, which compilers leave in objects that
//! are not optimized.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::names::{function, parameters, readable};

/// The host's side of the kernels of a binary, as far as its symbols tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stubs {
    /// Kernels by their mangled names, and the types of the parameters that the host gives each: `(int, int*)`.
    pub parameters: BTreeMap<String, String>,
    /// Kernel templates that the host instantiates and no pass registers: `fill<int>`.
    pub unregistered: BTreeSet<String>,
}

const STUB: &str = "__device_stub_";
/// The beginning of the host's wrapper types of extended lambdas, without the prefix that tells the kinds apart.
const LAMBDA: &str = "dl_wrapper_t<";
const WRAPPER: &str = "__wrapper__device_stub_";

/// Reads a table of symbols' names.
pub(super) fn read_stubs(names: &[u8]) -> Stubs {
    let mut stubs = Stubs::default();
    // By the name that tells an instantiation apart: that which it is known by.
    let mut instantiated: BTreeMap<String, String> = BTreeMap::new();
    for at in memmem::find_iter(names, STUB) {
        let start = names[..at].iter().rposition(|byte| *byte == 0).map_or(0, |zero| zero + 1);
        let end = names[at..].iter().position(|byte| *byte == 0).map_or(names.len(), |len| at + len);
        let Ok(name) = std::str::from_utf8(&names[start..end]) else { continue };
        // Parts that a compiler split off have the same name.
        let name = name.split('.').next().unwrap_or(name);
        if let Some((kernel, types)) = stub(name) {
            // A function of these parameters has them in its name.
            let host = readable(&format!("_Z1f{types}"));
            stubs.parameters.insert(kernel.to_string(), parameters(&host).to_string());
        } else if name.contains(WRAPPER) && name.starts_with("_Z") {
            let wrapper = readable(name);
            if wrapper != name {
                let kernel = function(&wrapper).replace(WRAPPER, "");
                instantiated.insert(key(&kernel, parameters(&wrapper)), kernel);
            }
        }
    }
    let of_stub = |(kernel, types): (&String, &String)| key(function(&readable(kernel)), types);
    let registered: BTreeSet<String> = stubs.parameters.iter().map(of_stub).collect();
    instantiated.retain(|key, _| !registered.contains(key));
    stubs.unregistered = instantiated.into_values().collect();
    stubs
}

/// What tells an instantiation apart from others: its name. An extended lambda is another type in the kernel's name than
/// in the host's, which names the wrapper: there the parameters tell, less the references that stubs and wrappers add.
fn key(kernel: &str, types: &str) -> String {
    match types.contains(LAMBDA) {
        true => format!("{}{}", kernel.split('<').next().unwrap_or(kernel), types.replace(['&', ' '], "")),
        false => kernel.to_string(),
    }
}

/// The kernel and the encoded types of `_Z25__device_stub__Z5storedPdiPi`: `_Z5storedPd` and `iPi`.
fn stub(name: &str) -> Option<(&str, &str)> {
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
    fn the_host_s_types_and_instantiations_are_read() {
        let names = b"\0_Z25__device_stub__Z5storedPdiPi\0_ZZ27__device_stub__Z5storedPdiPiE3__f\0\
            _ZL32__device_stub__Z5scaleILi16EEvPfPf.cold\0_Z28__wrapper__device_stub_scaleILi16EEvRPf\0\
            _Z28__wrapper__device_stub_scaleILi32EEvRPf\0_Z99__device_stub__Z\0__device_stub_";
        let stubs = read_stubs(names);
        let pairs: Vec<(&str, &str)> =
            stubs.parameters.iter().map(|(kernel, types)| (kernel.as_str(), types.as_str())).collect();
        assert_eq!(pairs, [("_Z5scaleILi16EEvPf", "(float*)"), ("_Z5storedPd", "(int, int*)")]);
        assert_eq!(stubs.unregistered.iter().map(String::as_str).collect::<Vec<_>>(), ["scale<32>"]);
    }
}
