//! Shadows: the host's variables that stand for device variables, by the symbols of a binary.
//!
//! nvcc gives each device variable a host variable of its name and of the type that the host pass gives it. In a whole
//! program it has internal linkage, which its mangled name says: `_ZN3gpuL7weightsE` is the shadow of `_ZN3gpu7weightsE`.
//! The shadow of a managed variable is a pointer, and says nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use object::LittleEndian;
use object::elf::{self, FileHeader64, SHT_SYMTAB};
use object::read::ReadCache;
use object::read::elf::{FileHeader, SectionHeader, Sym};

use super::bytes::Bytes;
use super::module::Module;
use super::names::plain;

/// The largest table of symbols that is read, in bytes.
const LARGEST: u64 = 1 << 28;

/// The section of the pointers to managed variables.
const MANAGED: &[u8] = b"__nv_managed_data__";

/// The sizes in bytes of the shadows of the modules' variables, by the names of these. Nothing for one that has none, or
/// of whose name there are several of different sizes; and nothing for a file without symbols.
pub(super) fn read_shadows(bytes: &Bytes, modules: &[Module]) -> BTreeMap<Arc<str>, u64> {
    let mut wanted: HashMap<String, Vec<&Arc<str>>> = HashMap::new();
    for name in modules.iter().flat_map(|module| module.variables.keys()) {
        wanted.entry(path(name)).or_default().push(name);
    }
    if wanted.is_empty() {
        return BTreeMap::new();
    }
    let sizes = sizes(bytes, &wanted).unwrap_or_default();
    let of = |(path, size): (String, Option<u64>)| {
        let names = wanted.get(&path).into_iter().flatten();
        size.map(|size| names.map(|name| (Arc::clone(name), size)).collect::<Vec<_>>())
    };
    sizes.into_iter().filter_map(of).flatten().collect()
}

/// The size of each shadow by its path; `None` where there are several.
fn sizes<T>(bytes: &Bytes, wanted: &HashMap<String, T>) -> object::Result<BTreeMap<String, Option<u64>>> {
    let cache = ReadCache::new(bytes.reader());
    let header = FileHeader64::<LittleEndian>::parse(&cache)?;
    let sections = header.sections(LittleEndian, &cache)?;
    let mut sizes: BTreeMap<String, Option<u64>> = BTreeMap::new();
    let small = |section: &elf::SectionHeader64<LittleEndian>| section.sh_size(LittleEndian) <= LARGEST;
    if !sections.iter().filter(|section| section.sh_type(LittleEndian) == SHT_SYMTAB).all(small) {
        return Ok(sizes);
    }
    let symbols = sections.symbols(LittleEndian, &cache, SHT_SYMTAB)?;
    for symbol in symbols.iter() {
        let size = symbol.st_size(LittleEndian);
        if symbol.st_type() != elf::STT_OBJECT || symbol.is_undefined(LittleEndian) || size == 0 {
            continue;
        }
        let name = symbols.symbol_name(LittleEndian, symbol)?;
        let Some(path) = std::str::from_utf8(name).ok().map(path).filter(|path| wanted.contains_key(path))
        else {
            continue;
        };
        let section = sections.section(object::SectionIndex(usize::from(symbol.st_shndx(LittleEndian).0)));
        let managed = section.and_then(|section| sections.section_name(LittleEndian, section)) == Ok(MANAGED);
        let known = sizes.entry(path).or_insert(Some(size));
        if managed || *known != Some(size) {
            *known = None;
        }
    }
    Ok(sizes)
}

/// A variable's name with its scopes, without what says that its linkage is internal: `gpu::weights`. A name that is more
/// than identifiers stays as it stands.
fn path(symbol: &str) -> String {
    let name = plain(symbol);
    let identifiers = || {
        let rest = name.strip_prefix("_Z")?;
        let mut rest = rest.strip_prefix('N').map_or(Some(rest), |rest| rest.strip_suffix('E'))?;
        let mut parts: Vec<&str> = Vec::new();
        while !rest.is_empty() {
            rest = rest.strip_prefix('L').unwrap_or(rest);
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let length: usize = rest[..digits].parse().ok()?;
            let part = rest[digits..].get(..length).filter(|part| !part.is_empty())?;
            rest = &rest[digits + length..];
            if !part.starts_with("_INTERNAL_") && !part.starts_with("_GLOBAL__N_") {
                parts.push(part);
            }
        }
        (!parts.is_empty()).then(|| parts.join("::"))
    };
    identifiers().unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shadow_has_the_path_of_its_variable() {
        let check = |shadow: &str, variable: &str, expected: &str| {
            assert_eq!((path(shadow).as_str(), path(variable).as_str()), (expected, expected));
        };
        check("_ZL1g", "g", "g");
        check("_ZN3gpu6hopperL7weightsE", "_ZN3gpu6hopper7weightsE", "gpu::hopper::weights");
        check(
            "_ZN31_GLOBAL__N__11c37d2e_4_v_cu_arrL4anonE",
            "_ZN29_INTERNAL_11c37d2e_4_v_cu_arr31_GLOBAL__N__11c37d2e_4_v_cu_arr4anonE",
            "anon",
        );
        check("_ZL2sg", "__nv_static_20__11c37d2e_4_v_cu_arr_sg", "sg");
        check("_Z2tvIiE", "_Z2tvIiE", "_Z2tvIiE");
        for odd in ["_Z", "_ZN", "_ZNE", "_ZL", "_Z9", "_ZN99999999999999999999aE", "_ZN2éE"] {
            assert!(!path(odd).is_empty());
        }
    }
}
