//! Which kernels and variables the host code of an object uses, by its relocations and calls.
//!
//! In: an object and its modules. Out: [`Uses`]. nvcc's registration code and stubs name whatever the pass for the last
//! target has: an instance of a template that this pass alone makes is registered like one that the host launches, but
//! nothing else of the object refers to it. Knows of x86-64 and AArch64 the instructions that refer to a place of their
//! own section, for which assemblers leave no relocation, and of no file that a linker has made anything of.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use object::elf::{self, FileHeader64, Sym64};
use object::read::elf::{FileHeader, Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use object::read::{ReadCache, SectionIndex, SymbolIndex};
use object::{LittleEndian, elf::SectionHeader64};

use super::bytes::{Bytes, Reader};
use super::module::Module;
use super::names::{function, readable};
use super::stubs::{UNCALLED, WRAPPER, stub};

/// The use that an object's host code makes of kernels and variables which some image of their module lacks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Those that something beside their stubs and the registration code refers to.
    pub used: BTreeSet<Arc<str>>,
    /// Those that nothing else refers to and no other object can. Of what is in neither, the object does not tell.
    pub unused: BTreeSet<Arc<str>>,
}

/// The largest table or section that is read, in bytes.
const LARGEST: u64 = 1 << 28;

/// What registers kernels and variables: a constructor, and what it calls.
const REGISTRATION: [&str; 2] = ["__sti____cudaRegisterAll", "__nv_cudaEntityRegisterCallback"];

/// Reads an object's uses; `None` for a file that is no ELF object or has no registration code.
pub(super) fn read_uses(bytes: &Bytes, modules: &[Module]) -> Option<Uses> {
    let cache = ReadCache::new(bytes.reader());
    let header = FileHeader64::<LittleEndian>::parse(&cache).ok()?;
    if header.e_type(LittleEndian) != elf::ET_REL {
        return None;
    }
    let sections = header.sections(LittleEndian, &cache).ok()?;
    let is_table = |section: &&SectionHeader64<LittleEndian>| {
        matches!(section.sh_type(LittleEndian), elf::SHT_SYMTAB | elf::SHT_STRTAB | elf::SHT_RELA)
    };
    if sections.iter().filter(is_table).any(|section| section.sh_size(LittleEndian) > LARGEST) {
        return None;
    }
    let symbols = sections.symbols(LittleEndian, &cache, elf::SHT_SYMTAB).ok()?;
    let object = Object { bytes, cache: &cache, sections, symbols, machine: header.e_machine(LittleEndian) };
    let names = Names::of(modules);
    let places = object.places(&names);
    if !places.registers {
        return None;
    }
    let used = if names.all.is_empty() { HashSet::new() } else { object.used(&places) };
    let mut uses = Uses::default();
    for (number, name) in names.all.iter().enumerate() {
        if used.contains(&number) {
            uses.used.insert(Arc::clone(name));
            continue;
        }
        // What has no symbol may be all in what uses it.
        let is_whole = places.unoptimized || places.known.contains(&number);
        if is_whole && !places.shared.contains(&number) && !is_of_a_lambda(name) {
            uses.unused.insert(Arc::clone(name));
        }
    }
    Some(uses)
}

/// The host has a wrapper of the lambda in the kernel's name, and other symbols therefore.
fn is_of_a_lambda(name: &str) -> bool {
    let readable = readable(name);
    readable.starts_with("_Z") || readable.contains("{lambda") || readable.contains("_wrapper_t<")
}

/// The kernels and variables that some image lacks, and the ways in which the host's symbols spell them.
#[derive(Default)]
struct Names {
    all: Vec<Arc<str>>,
    by_symbol: HashMap<String, usize>,
    /// A name of internal linkage is another symbol on the host.
    by_spelling: HashMap<String, Vec<usize>>,
    /// Without result and parameters, as wrappers have it.
    by_function: HashMap<String, Vec<usize>>,
}

impl Names {
    fn of(modules: &[Module]) -> Names {
        let mut names = Names::default();
        for module in modules {
            let kernels = module.kernels.iter().filter(|(_, row)| row.iter().any(Option::is_none));
            let variables = module.variables.iter().filter(|(_, row)| row.iter().any(Option::is_none));
            for name in kernels.map(|(name, _)| name).chain(variables.map(|(name, _)| name)) {
                let number = names.all.len();
                names.all.push(Arc::clone(name));
                names.by_symbol.insert(name.to_string(), number);
                let spelling = readable(name);
                names.by_function.entry(function(&spelling).to_string()).or_default().push(number);
                names.by_spelling.entry(spelling).or_default().push(number);
            }
        }
        names
    }

    /// What a symbol of the host's stands for: itself, its stub or its wrapper.
    fn of_symbol(&self, symbol: &str) -> Vec<usize> {
        if self.all.is_empty() || symbol.starts_with("_ZZ") || symbol.starts_with("_ZGV") {
            return Vec::new();
        }
        if let Some((kernel, _)) = stub(symbol) {
            return self.by_symbol.get(kernel).copied().into_iter().collect();
        }
        let found = match symbol.contains(WRAPPER) {
            true => self.by_function.get(&function(&readable(symbol)).replace(WRAPPER, "")),
            false => self.by_spelling.get(&readable(symbol)),
        };
        found.cloned().unwrap_or_default()
    }
}

/// What the symbols of an object say about where its names are.
#[derive(Default)]
struct Places {
    /// There is code that registers.
    registers: bool,
    unoptimized: bool,
    /// Names that have a symbol, and those of them that have one for other objects.
    known: HashSet<usize>,
    shared: HashSet<usize>,
    /// The names that a symbol stands for, by its number.
    by_symbol: HashMap<usize, Vec<usize>>,
    /// Where any symbol begins: a section and an offset.
    starts: HashSet<(usize, u64)>,
    /// The names at a place.
    by_place: HashMap<(usize, u64), Vec<usize>>,
    /// A section, the range of a function there, and the names of which it is a part; all for registration code.
    own: Vec<(usize, std::ops::Range<u64>, Option<Vec<usize>>)>,
}

/// A symbol of the host's.
struct Symbol<'n> {
    index: usize,
    name: &'n str,
    /// No other object can refer to it.
    local: bool,
    /// Its section and where it is there, if it is defined.
    place: Option<(usize, std::ops::Range<u64>)>,
}

impl Places {
    fn enter(&mut self, symbol: Symbol<'_>, names: &Names) {
        let Symbol { index, name, local, place } = symbol;
        // Parts that a compiler split off have the same name.
        let name = name.split('.').next().unwrap_or(name);
        self.unoptimized |= name.contains(UNCALLED);
        self.starts.extend(place.as_ref().map(|(section, range)| (*section, range.start)));
        if REGISTRATION.iter().any(|one| name.contains(one)) {
            self.registers = true;
            self.own.extend(place.map(|(section, range)| (section, range, None)));
            return;
        }
        let found = names.of_symbol(name);
        if found.is_empty() {
            return;
        }
        self.known.extend(&found);
        if !local {
            self.shared.extend(&found);
        }
        if let Some((section, range)) = place {
            self.by_place.entry((section, range.start)).or_default().extend(&found);
            self.own.push((section, range, Some(found.clone())));
        }
        self.by_symbol.insert(index, found);
    }

    /// A reference from this place to the name is the name's own, or registers it.
    fn is_own(&self, section: usize, at: u64, name: usize) -> bool {
        let around = |(of, range, _): &&(usize, std::ops::Range<u64>, Option<Vec<usize>>)| {
            *of == section && range.contains(&at)
        };
        let concerns = |names: &Option<Vec<usize>>| names.as_ref().is_none_or(|names| names.contains(&name));
        self.own.iter().filter(around).any(|(_, _, names)| concerns(names))
    }
}

type Cache = ReadCache<Reader>;

struct Object<'c> {
    bytes: &'c Bytes,
    cache: &'c Cache,
    sections: SectionTable<'c, FileHeader64<LittleEndian>, &'c Cache>,
    symbols: SymbolTable<'c, FileHeader64<LittleEndian>, &'c Cache>,
    machine: elf::Machine,
}

impl Object<'_> {
    fn places(&self, names: &Names) -> Places {
        let mut places = Places::default();
        for (index, symbol) in self.symbols.enumerate() {
            let name = self.symbols.symbol_name(LittleEndian, symbol).ok();
            let Some(name) = name.and_then(|name| std::str::from_utf8(name).ok()) else { continue };
            let start = symbol.st_value(LittleEndian);
            let range = start..start.saturating_add(symbol.st_size(LittleEndian));
            let place = self.section_of(symbol, index).map(|section| (section, range));
            places.enter(Symbol { index: index.0, name, local: symbol.is_local(), place }, names);
        }
        places
    }

    fn section_of(&self, symbol: &Sym64<LittleEndian>, index: SymbolIndex) -> Option<usize> {
        Some(self.symbols.symbol_section(LittleEndian, symbol, index).ok()??.0)
    }

    /// The names that something else than themselves and the registration code refers to.
    fn used(&self, places: &Places) -> HashSet<usize> {
        let mut used = HashSet::new();
        let mut refer = |section: usize, at: u64, names: &[usize]| {
            used.extend(names.iter().copied().filter(|name| !places.is_own(section, at, *name)));
        };
        for section in self.sections.iter() {
            let Ok(Some((relocations, _))) = section.rela(LittleEndian, self.cache) else { continue };
            let of = section.sh_info(LittleEndian) as usize;
            if !self.is_code_or_data(of) {
                continue;
            }
            for one in relocations {
                let index = SymbolIndex(one.r_sym(LittleEndian, false) as usize);
                let Ok(symbol) = self.symbols.symbol(index) else { continue };
                let at = one.r_offset(LittleEndian);
                if symbol.st_type() == elf::STT_SECTION {
                    let Some(to) = self.section_of(symbol, index) else { continue };
                    let type_ = one.r_type(LittleEndian, false);
                    let referred = referred(self.machine, type_, one.r_addend(LittleEndian));
                    let mut referred = referred.map(|place| (to, place));
                    let named = referred.find(|place| places.starts.contains(place));
                    let named = named.and_then(|place| places.by_place.get(&place));
                    refer(of, at, named.map_or(&[], Vec::as_slice));
                } else {
                    refer(of, at, places.by_symbol.get(&index.0).map_or(&[], Vec::as_slice));
                }
            }
        }
        let sections: BTreeSet<usize> = places.by_place.keys().map(|(section, _)| *section).collect();
        for section in sections {
            let code = self.code(section);
            for (at, to) in calls(&code, self.machine) {
                refer(section, at, places.by_place.get(&(section, to)).map_or(&[], Vec::as_slice));
            }
        }
        used
    }

    /// The section is in memory when the program runs, and is not what unwinds the stack.
    fn is_code_or_data(&self, section: usize) -> bool {
        let Ok(section) = self.sections.section(SectionIndex(section)) else { return false };
        let name = self.sections.section_name(LittleEndian, section).unwrap_or_default();
        section.sh_flags(LittleEndian).0 & elf::SHF_ALLOC.0 != 0 && !name.starts_with(b".eh_frame")
    }

    /// The bytes of a section of code; nothing of another.
    fn code(&self, section: usize) -> Vec<u8> {
        let section = self.sections.section(SectionIndex(section)).ok();
        let section = section.filter(|section| {
            let is_code = section.sh_flags(LittleEndian).0 & elf::SHF_EXECINSTR.0 != 0;
            is_code && section.sh_size(LittleEndian) <= LARGEST
        });
        let read = section.and_then(|section| {
            self.bytes.read(section.sh_offset(LittleEndian), section.sh_size(LittleEndian)).ok()
        });
        read.unwrap_or_default()
    }
}

/// The places that a relocation with a section and this addend may refer to, the likeliest first. On x86-64 those relative
/// to the end of an instruction have four bytes less in their addend, or more where a constant follows the address.
fn referred(machine: elf::Machine, type_: elf::RelocationType, addend: i64) -> impl Iterator<Item = u64> {
    let relative = machine == elf::EM_X86_64 && [elf::R_X86_64_PC32, elf::R_X86_64_PLT32].contains(&type_);
    let more = if relative { 4..=8 } else { 0..=0 };
    more.filter_map(move |more| u64::try_from(addend.checked_add(more)?).ok())
}

/// Where instructions of a section refer to places of the same section: from where, and to where. On x86-64 each byte may
/// begin an instruction; that data looks like a reference to a given place happens once in four thousand million bytes.
fn calls(code: &[u8], machine: elf::Machine) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    if machine == elf::EM_X86_64 {
        for (at, window) in code.windows(6).enumerate() {
            // `call`, `jmp`; `lea` relative to the instruction pointer; a conditional `jmp`.
            let refers = matches!(window[1], 0xE8 | 0xE9)
                || (window[0] == 0x8D && window[1] & 0xC7 == 0x05)
                || (window[0] == 0x0F && window[1] & 0xF0 == 0x80);
            if refers {
                let by = i32::from_le_bytes(window[2..].try_into().expect("four bytes are left"));
                let at = at as u64 + 2;
                found.extend((at + 4).checked_add_signed(by.into()).map(|to| (at, to)));
            }
        }
    } else if machine == elf::EM_AARCH64 {
        for (index, word) in code.chunks_exact(4).enumerate() {
            let word = u32::from_le_bytes(word.try_into().expect("chunks have four bytes"));
            // `b` and `bl`: 26 bits of words, with a sign.
            if word & 0x7C00_0000 == 0x1400_0000 {
                let by = i64::from((word << 6).cast_signed() >> 6) * 4;
                let at = index as u64 * 4;
                found.extend(at.checked_add_signed(by).map(|to| (at, to)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_within_a_section_are_read() {
        let code = [0x90, 0xE8, 0x0A, 0, 0, 0, 0x48, 0x8D, 0x3D, 0xF3, 0xFF, 0xFF, 0xFF, 0xE8, 0, 0];
        assert_eq!(calls(&code, elf::EM_X86_64), [(2, 16), (9, 0)]);
        let words: Vec<u8> =
            [0x1400_0003_u32, 0xD503_201F, 0x97FF_FFFE].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(calls(&words, elf::EM_AARCH64), [(0, 12), (8, 0)]);
        assert!(calls(&[0xE8], elf::EM_X86_64).is_empty());
    }

    #[test]
    fn a_place_is_told_from_its_neighbour() {
        let first = |machine, type_, addend| referred(machine, type_, addend).next();
        assert_eq!(first(elf::EM_X86_64, elf::R_X86_64_PC32, 0x44), Some(0x48));
        assert_eq!(first(elf::EM_X86_64, elf::R_X86_64_64, 0x48), Some(0x48));
        assert_eq!(first(elf::EM_AARCH64, elf::R_AARCH64_CALL26, 0x48), Some(0x48));
        assert_eq!(referred(elf::EM_X86_64, elf::R_X86_64_PLT32, -4).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(referred(elf::EM_X86_64, elf::R_X86_64_64, i64::MIN).count(), 0);
    }
}
