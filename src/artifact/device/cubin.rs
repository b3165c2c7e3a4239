//! Cubins: ELF files whose symbols are kernels and variables, with attributes of kernels in `.nv.info` sections.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use object::LittleEndian;
use object::elf::{self, FileHeader64, SHT_NOBITS, SHT_SYMTAB};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym};

use crate::artifact::error::Malformed;

use super::contents::{Bounds, Contents, Kernel, Parameter, Variable, VariableKind};

/// `STO_CUDA_ENTRY`: the symbol is a kernel.
const ENTRY: u8 = 0x10;
/// Types of symbols that CUDA has besides ELF's: texture and surface references, and variables of images that are
/// linked later.
const TEXTURES: [u8; 3] = [10, 11, 12];
const CUDA_OBJECT: u8 = 13;

/// Attributes of `.nv.info` (`cuobjdump -elf` names them): `EIATTR_MAX_THREADS`, `EIATTR_REQNTID`,
/// `EIATTR_KPARAM_INFO`, and `EIATTR_KPARAM_INFO_V2` for parameters that the former has no room for.
const MAX_THREADS: u8 = 0x05;
const REQUIRED_THREADS: u8 = 0x10;
const PARAMETER: u8 = 0x17;
const PARAMETER_V2: u8 = 0x45;
/// The form of an attribute whose value is counted; all others take two bytes.
const COUNTED: u8 = 4;

/// The kernels and variables that a cubin defines.
///
/// # Errors
/// When it is no 64-bit ELF file or its tables lead outside it.
pub(in crate::artifact) fn read_cubin(bytes: &[u8]) -> Result<Contents, Malformed> {
    let wrong = |error: object::Error| Malformed::new(0, format!("no cubin: {error}"));
    let header = FileHeader64::<LittleEndian>::parse(bytes).map_err(wrong)?;
    let sections = header.sections(LittleEndian, bytes).map_err(wrong)?;
    let symbols = sections.symbols(LittleEndian, bytes, SHT_SYMTAB).map_err(wrong)?;
    let of_kernels = OfKernels::of(&sections);
    let mut contents = Contents::default();
    let mut name_bytes = 0;
    for symbol in symbols.iter() {
        let kind = symbol.st_type().0;
        if symbol.st_name(LittleEndian) == 0 || symbol.is_undefined(LittleEndian) {
            continue;
        }
        let Some(name) = symbols.symbol_name(LittleEndian, symbol).ok().and_then(text) else {
            let at = symbol.st_name(LittleEndian);
            return Err(Malformed::new(u64::from(at), "a symbol's name lies outside the table of names"));
        };
        // Names may share their ends in the table, but no linker makes that of kernels' names.
        name_bytes += name.len();
        if name_bytes > bytes.len() {
            return Err(Malformed::new(0, "the names of symbols are larger than the cubin"));
        }
        if kind == elf::STT_FUNC.0 && symbol.st_other().0 & ENTRY != 0 {
            contents.kernels.insert(name.to_string(), kernel(name, &of_kernels, bytes));
        } else if let Some(kind) = variable_kind(kind, symbol, &sections) {
            let size = if kind == VariableKind::Texture { 0 } else { symbol.st_size(LittleEndian) };
            contents.variables.insert(name.to_string(), Variable { kind, size });
        }
    }
    Ok(contents)
}

type Sections<'b> = SectionTable<'b, FileHeader64<LittleEndian>, &'b [u8]>;
type Section = elf::SectionHeader64<LittleEndian>;

/// The sections that say something about one kernel, by its name.
#[derive(Default)]
struct OfKernels<'b> {
    info: HashMap<&'b str, &'b Section, RandomState>,
    shared: HashMap<&'b str, &'b Section, RandomState>,
}

const INFO: &str = ".nv.info.";
const SHARED: &str = ".nv.shared.";

impl<'b> OfKernels<'b> {
    fn of(sections: &Sections<'b>) -> OfKernels<'b> {
        let mut all = OfKernels::default();
        for section in sections.iter() {
            let Some(name) = sections.section_name(LittleEndian, section).ok().and_then(text) else {
                continue;
            };
            if let Some(kernel) = name.strip_prefix(INFO) {
                all.info.insert(kernel, section);
            } else if let Some(kernel) = name.strip_prefix(SHARED) {
                all.shared.insert(kernel, section);
            }
        }
        all
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|name| !name.is_empty())
}

fn kernel(name: &str, sections: &OfKernels<'_>, bytes: &[u8]) -> Kernel {
    let shared = sections.shared.get(name).map_or(0, |section| section.sh_size(LittleEndian));
    let info = sections.info.get(name).filter(|section| section.sh_type(LittleEndian) != SHT_NOBITS);
    let info = info.and_then(|section| section.data(LittleEndian, bytes).ok());
    let (parameters, bounds) = info.map_or((None, Bounds::default()), attributes);
    Kernel { parameters, bounds, shared: Some(shared) }
}

/// The parameters and launch bounds of a kernel, by its attributes. A kernel without parameters has an empty list; a
/// list in which one is missing is none.
fn attributes(mut bytes: &[u8]) -> (Option<Vec<Parameter>>, Bounds) {
    let mut bounds = Bounds::default();
    let mut parameters: Vec<(u16, Parameter)> = Vec::new();
    while let [form, attribute, low, high, rest @ ..] = bytes {
        let size = if *form == COUNTED { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let Some((value, rest)) = rest.split_at_checked(size) else { break };
        bytes = rest;
        let word = |index: usize| {
            let word = value.get(index * 4..index * 4 + 4)?;
            Some(u32::from_le_bytes(word.try_into().expect("four bytes were taken")))
        };
        let three = || Some([word(0)?, word(1)?, word(2)?]);
        match *attribute {
            MAX_THREADS => bounds.most_threads = three(),
            REQUIRED_THREADS => bounds.required_threads = three(),
            // Index, ordinal and offset of 16 bits each, and the size in the upper 14 bits of a word.
            PARAMETER => {
                let Some([_, place, packed]) = three() else { continue };
                let parameter = Parameter { offset: place >> 16, size: packed >> 18 };
                parameters.push((place as u16, parameter));
            }
            PARAMETER_V2 => {
                let Some([_, place, _]) = three() else { continue };
                let Some(size) = word(3) else { continue };
                parameters.push((place as u16, Parameter { offset: place >> 16, size }));
            }
            _ => {}
        }
    }
    parameters.sort_by_key(|(ordinal, _)| *ordinal);
    let complete = parameters.iter().enumerate().all(|(index, (ordinal, _))| index == usize::from(*ordinal));
    let parameters = complete.then(|| parameters.into_iter().map(|(_, parameter)| parameter).collect());
    (parameters, bounds)
}

/// The kind of variable that a symbol names, if it names one. Constants that the compiler made and its reserved shared
/// memory are none.
fn variable_kind(
    kind: u8,
    symbol: &elf::Sym64<LittleEndian>,
    sections: &Sections<'_>,
) -> Option<VariableKind> {
    if TEXTURES.contains(&kind) {
        return Some(VariableKind::Texture);
    }
    if ![elf::STT_OBJECT.0, CUDA_OBJECT].contains(&kind) {
        return None;
    }
    let index = symbol.st_shndx(LittleEndian).0;
    let section = sections.section(object::SectionIndex(usize::from(index))).ok()?;
    let name = text(sections.section_name(LittleEndian, section).ok()?)?;
    if name.starts_with(".nv.global") {
        Some(VariableKind::Device)
    } else if name.starts_with(".nv.constant3") {
        Some(VariableKind::Constant)
    } else {
        None
    }
}
