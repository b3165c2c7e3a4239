//! Cubins: ELF files whose symbols are kernels and variables, with attributes of kernels in `.nv.info` sections.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use object::LittleEndian;
use object::elf::{self, FileHeader64, SHT_SYMTAB};
use object::read::elf::{FileHeader, SectionHeader, SectionTable, Sym};
use object::read::{ReadRef, SectionIndex};
use smallvec::SmallVec;

use crate::artifact::error::Malformed;

use super::contents::{Bounds, Contents, Kernel, Parameter, Variable, VariableKind};
use super::pieces::CUDA_INFO;

/// `STO_CUDA_ENTRY`: the symbol is a kernel.
const ENTRY: u8 = 0x10;
/// Types of symbols that CUDA has besides ELF's: texture and surface references, and variables of images that are
/// linked later.
const TEXTURES: [u8; 3] = [10, 11, 12];
const OBJECTS: [u8; 2] = [elf::STT_OBJECT.0, 13];

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
/// When it is no 64-bit ELF file, its tables lead outside it, or what they refer to is together more than all of it.
pub(in crate::artifact) fn read_cubin<'b, R: ReadRef<'b>>(data: R) -> Result<Contents, Malformed> {
    let wrong = |error: object::Error| Malformed::new(0, format!("no cubin: {error}"));
    let header = FileHeader64::<LittleEndian>::parse(data).map_err(wrong)?;
    let sections = header.sections(LittleEndian, data).map_err(wrong)?;
    let symbols = sections.symbols(LittleEndian, data, SHT_SYMTAB).map_err(wrong)?;
    let mut left = Left(data.len().unwrap_or(0).saturating_mul(MOST_SHARED));
    let of_kernels = OfKernels::of(&sections, &mut left)?;
    let mut contents = Contents::default();
    for (index, symbol) in symbols.enumerate() {
        let kind = symbol.st_type().0;
        if symbol.st_name(LittleEndian) == 0 || symbol.is_undefined(LittleEndian) {
            continue;
        }
        let is_kernel = kind == elf::STT_FUNC.0 && symbol.st_other().0 & ENTRY != 0;
        if !is_kernel && !TEXTURES.contains(&kind) && !OBJECTS.contains(&kind) {
            continue;
        }
        let name = symbols.symbol_name(LittleEndian, symbol).ok();
        left.take(name.map_or(0, <[u8]>::len))?;
        let Some(name) = name.and_then(text) else {
            let at = symbol.st_name(LittleEndian);
            return Err(Malformed::new(u64::from(at), "a symbol's name lies outside the table of names"));
        };
        if is_kernel {
            contents.kernels.push((name.to_string(), kernel(name, &of_kernels, data, &mut left)?));
            continue;
        }
        let section = symbols.symbol_section(LittleEndian, symbol, index).ok().flatten();
        if let Some(kind) = variable_kind(kind, section, &sections) {
            let size = if kind == VariableKind::Texture { 0 } else { symbol.st_size(LittleEndian) };
            contents.variables.push((name.to_string(), Variable { kind, size }));
        }
    }
    Ok(contents)
}

/// Names and attributes may share their bytes, so that few bytes can stand for many. In what a compiler makes, some names
/// share their ends; all together they are less than a cubin's bytes taken this often.
const MOST_SHARED: u64 = 4;

/// How many more bytes of names and attributes a cubin may refer to.
struct Left(u64);

impl Left {
    fn take(&mut self, bytes: usize) -> Result<(), Malformed> {
        let more = "the names and attributes that a cubin refers to are larger than the cubin";
        self.0 = self.0.checked_sub(bytes as u64).ok_or_else(|| Malformed::new(0, more))?;
        Ok(())
    }
}

type Sections<'b, R> = SectionTable<'b, FileHeader64<LittleEndian>, R>;
type Section = elf::SectionHeader64<LittleEndian>;

/// The sections that say something about one kernel, by its name.
#[derive(Default)]
struct OfKernels<'b> {
    info: HashMap<&'b [u8], &'b Section, RandomState>,
    shared: HashMap<&'b [u8], &'b Section, RandomState>,
}

const INFO: &[u8] = b".nv.info.";
const SHARED: &[u8] = b".nv.shared.";

impl<'b> OfKernels<'b> {
    fn of<R: ReadRef<'b>>(sections: &Sections<'b, R>, left: &mut Left) -> Result<OfKernels<'b>, Malformed> {
        let mut all = OfKernels::default();
        for section in sections.iter().filter(|section| !is_code(section)) {
            // To look for the end of a name that has none is to read the whole table, for each section again.
            let Ok(name) = sections.section_name(LittleEndian, section) else { break };
            left.take(name.len())?;
            if let Some(kernel) = name.strip_prefix(INFO) {
                all.info.insert(kernel, section);
            } else if let Some(kernel) = name.strip_prefix(SHARED) {
                all.shared.insert(kernel, section);
            }
        }
        Ok(all)
    }
}

/// Code, or what refers to it: half of the sections, whose names nobody asks for.
fn is_code(section: &Section) -> bool {
    section.sh_flags(LittleEndian).0 & elf::SHF_EXECINSTR.0 != 0
        || [elf::SHT_REL, elf::SHT_RELA].contains(&section.sh_type(LittleEndian))
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|name| !name.is_empty())
}

fn kernel<'b, R: ReadRef<'b>>(
    name: &str,
    sections: &OfKernels<'b>,
    data: R,
    left: &mut Left,
) -> Result<Kernel, Malformed> {
    let shared = sections.shared.get(name.as_bytes()).map_or(0, |section| section.sh_size(LittleEndian));
    let info = sections.info.get(name.as_bytes());
    let info = info.filter(|section| section.sh_type(LittleEndian).0 == CUDA_INFO);
    let info = info.and_then(|section| section.data(LittleEndian, data).ok());
    left.take(info.map_or(0, <[u8]>::len))?;
    let (parameters, bounds) = info.map_or((None, Bounds::default()), attributes);
    Ok(Kernel { parameters, bounds, shared: Some(shared) })
}

/// Few kernels have more parameters.
const USUAL: usize = 24;

/// The parameters and launch bounds of a kernel, by its attributes. A kernel without parameters has an empty list; a
/// list in which one is missing is none.
fn attributes(mut bytes: &[u8]) -> (Option<Vec<Parameter>>, Bounds) {
    let mut bounds = Bounds::default();
    let mut parameters: SmallVec<[(u16, Parameter); USUAL]> = SmallVec::new();
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
    let parameters = complete.then(|| parameters.iter().map(|(_, parameter)| *parameter).collect());
    (parameters, bounds)
}

/// The kind of variable that a symbol of this type and section names, if it names one. Constants that the compiler made
/// and its reserved shared memory are none.
fn variable_kind<'b, R: ReadRef<'b>>(
    kind: u8,
    section: Option<SectionIndex>,
    sections: &Sections<'b, R>,
) -> Option<VariableKind> {
    if TEXTURES.contains(&kind) {
        return Some(VariableKind::Texture);
    }
    let section = sections.section(section?).ok()?;
    let name = sections.section_name(LittleEndian, section).ok()?;
    if name.starts_with(b".nv.global") {
        Some(VariableKind::Device)
    } else if name.starts_with(b".nv.constant3") {
        Some(VariableKind::Constant)
    } else {
        None
    }
}
