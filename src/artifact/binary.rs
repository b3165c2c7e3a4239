//! Objects, libraries and executables of Linux (ELF) and Windows (PE, COFF): their fatbins, and the host's constants.

use std::collections::BTreeMap;
use std::sync::Arc;

use object::LittleEndian;
use object::elf::{self, FileHeader64, SHF_EXECINSTR, SHT_NOBITS};
use object::read::elf::{FileHeader, SectionHeader};
use object::read::{FileKind, Object, ObjectSection, ReadCache, SectionKind};
use rayon::prelude::*;

use super::bytes::{Bytes, Reader, merged};
use super::device::{Entry, Fatbin, MAGIC, ScratchPool, read_fatbin};
use super::error::Malformed;
use super::module::{Linkage, Module};
use super::shadows::read_shadows;
use super::stubs::{Linked, Stubs, read_stubs};
use super::uses::{Uses, read_uses};

/// The contents of an object, library or executable that concern device code.
#[derive(Debug)]
pub(super) struct Binary {
    /// A module for each fatbin, in their order.
    pub(super) modules: Vec<Module>,
    /// The sections in which the names stand that the host registers.
    pub(super) constants: Vec<Bytes>,
    /// The host stubs, by its symbols.
    pub(super) stubs: Stubs,
    /// The sizes of the host's variables that stand for device variables, by its symbols.
    pub(super) shadows: BTreeMap<Arc<str>, u64>,
    /// The kernels and variables that the host code of an object uses; `None` if it registers none or is linked.
    pub(super) uses: Option<Uses>,
    /// The malformed parts that were passed over.
    pub(super) problems: Vec<Malformed>,
}

/// Names of sections begin with these; in PE files they end after eight characters.
const COMPLETE: &str = ".nv_fatb";
const RELOCATABLE: &str = "__nv_rel";

/// Of so many malformed fatbins the rest is not told.
const MOST_PROBLEMS: usize = 8;

/// Reads a binary.
///
/// # Errors
/// When its table of sections can't be read.
pub(super) fn read_binary(bytes: &Bytes, pool: &ScratchPool) -> Result<Binary, Malformed> {
    let (sections, linked) = sections(bytes)?;
    let mut problems = Vec::new();
    let mut fatbins: Vec<(Bytes, u64, Fatbin, Linkage)> = Vec::new();
    let is_complete = |section: &&Section| section.name.starts_with(COMPLETE);
    // What the device linker read is still in what it linked, but no driver sees it.
    let device_linked = linked && sections.iter().any(|section| is_complete(&section));
    for section in &sections {
        let linkage = match section.name.as_str() {
            name if name.starts_with(COMPLETE) => Linkage::Complete,
            name if name.starts_with(RELOCATABLE) && !device_linked => Linkage::Relocatable,
            _ => continue,
        };
        let Some(part) = bytes.part(section.offset, section.size) else {
            problems.push(Malformed::new(section.offset, format!("the section {} is cut off", section.name)));
            continue;
        };
        let (found, malformed) = find_fatbins(&part);
        fatbins.extend(found.into_iter().map(|(at, fatbin)| (part.clone(), at, fatbin, linkage)));
        problems.extend(malformed.into_iter().map(|problem| moved(problem, section.offset)));
    }
    // One fatbin may have most of the bytes: images are read in parallel, not modules.
    let images =
        fatbins.iter().flat_map(|(part, _, fatbin, _)| fatbin.entries.iter().map(move |one| (part, one)));
    let images: Vec<(&Bytes, &Entry)> = images.collect();
    let mut contents = pool.read_images(&images).into_iter();
    let of_fatbin =
        |(_, _, fatbin, _): &(_, _, Fatbin, _)| contents.by_ref().take(fatbin.entries.len()).collect();
    let by_fatbin: Vec<Vec<_>> = fatbins.iter().map(of_fatbin).collect();
    let module = |((part, at, fatbin, linkage), contents): (&(Bytes, u64, Fatbin, Linkage), Vec<_>)| {
        let (mut module, malformed) = Module::of_fatbin(*at, fatbin, *linkage, contents);
        let start = part.start() - bytes.start();
        module.offset += start;
        (module, malformed.into_iter().map(|problem| moved(problem, start)).collect::<Vec<_>>())
    };
    let read: Vec<(Module, Vec<Malformed>)> = fatbins.par_iter().zip(by_fatbin).map(module).collect();
    let (modules, malformed): (Vec<Module>, Vec<_>) = read.into_iter().unzip();
    problems.extend(malformed.into_iter().flatten());
    let left_out = problems.len().saturating_sub(MOST_PROBLEMS);
    problems.truncate(MOST_PROBLEMS);
    if left_out > 0 {
        problems.push(Malformed::new(0, format!("{left_out} more fatbins or images can't be read")));
    }
    let constants = constants_of(bytes, &sections);
    if modules.is_empty() {
        let (stubs, shadows) = (Stubs::default(), BTreeMap::new());
        return Ok(Binary { modules, constants, stubs, shadows, uses: None, problems });
    }
    let linked = if linked { Linked::Yes } else { Linked::No };
    let (stubs, (shadows, uses)) = rayon::join(
        || stubs_of(bytes, &sections, linked),
        || (read_shadows(bytes, &modules), read_uses(bytes, &modules)),
    );
    Ok(Binary { modules, constants, stubs, shadows, uses, problems })
}

/// More sections than an object of templates has: one for each function.
const MOST_SECTIONS: u32 = 1 << 22;

/// The largest table of symbols' names that is read, in bytes.
const LARGEST_NAMES: u64 = 1 << 28;

fn stubs_of(bytes: &Bytes, sections: &[Section], linked: Linked) -> Stubs {
    let names = sections.iter().find(|section| section.name == ".strtab" && section.size <= LARGEST_NAMES);
    let names = names.and_then(|section| bytes.read(section.offset, section.size).ok());
    names.map_or_else(Stubs::default, |names| read_stubs(&names, linked))
}

/// The sections of constants, of which a byte is in one part only: many sections may claim the same ones.
fn constants_of(bytes: &Bytes, sections: &[Section]) -> Vec<Bytes> {
    let constants = sections.iter().filter(|section| section.constants);
    let parts = constants.filter(|section| bytes.part(section.offset, section.size).is_some());
    let ranges = parts.map(|section| section.offset..section.offset + section.size).collect();
    let parts = merged(ranges, 0).into_iter();
    parts.filter_map(|range| bytes.part(range.start, range.end - range.start)).collect()
}

fn moved(problem: Malformed, by: u64) -> Malformed {
    Malformed { offset: problem.offset.saturating_add(by), ..problem }
}

/// A section with bytes in the file.
struct Section {
    name: String,
    offset: u64,
    size: u64,
    /// The compiler puts strings there.
    constants: bool,
}

/// The sections, and whether the file is the outcome of a linker.
fn sections(bytes: &Bytes) -> Result<(Vec<Section>, bool), Malformed> {
    let wrong = |error: object::Error| Malformed::new(0, format!("its sections can't be read: {error}"));
    let cache = ReadCache::new(bytes.reader());
    match FileKind::parse(&cache).map_err(wrong)? {
        FileKind::Elf64 => {
            let header = FileHeader64::<LittleEndian>::parse(&cache).map_err(wrong)?;
            // A table is read at once: one that a header claims to be larger is not.
            let count = header.shnum(LittleEndian, &cache).map_err(wrong)?;
            if count > MOST_SECTIONS {
                return Err(Malformed::new(0, format!("it claims {count} sections")));
            }
            elf_sections(header, &cache).map_err(wrong)
        }
        FileKind::Pe64 | FileKind::Coff | FileKind::CoffBig => {
            let file = object::File::parse(&cache).map_err(wrong)?;
            let linked = matches!(file, object::File::Pe64(_));
            let section = |section: object::Section<'_, '_, &ReadCache<Reader>>| {
                let (offset, size) = section.file_range()?;
                let name = section.name().ok()?.to_string();
                let constants = name.starts_with(".rdata") || section.kind() == SectionKind::ReadOnlyString;
                Some(Section { name, offset, size, constants })
            };
            Ok((file.sections().filter_map(section).collect(), linked))
        }
        kind => Err(Malformed::new(0, format!("files of the kind {kind:?} are not read"))),
    }
}

fn elf_sections(
    header: &FileHeader64<LittleEndian>,
    cache: &ReadCache<Reader>,
) -> object::Result<(Vec<Section>, bool)> {
    let table = header.sections(LittleEndian, cache)?;
    let mut sections = Vec::new();
    for section in table.iter().filter(|section| section.sh_type(LittleEndian) != SHT_NOBITS) {
        let Ok(name) = table.section_name(LittleEndian, section) else { continue };
        let name = String::from_utf8_lossy(name).into_owned();
        let code = section.sh_flags(LittleEndian).0 & SHF_EXECINSTR.0 != 0;
        let constants = !code && (name.starts_with(".rodata") || name.starts_with(".lrodata"));
        let (offset, size) = (section.sh_offset(LittleEndian), section.sh_size(LittleEndian));
        sections.push(Section { name, offset, size, constants });
    }
    Ok((sections, header.e_type(LittleEndian) != elf::ET_REL))
}

/// The fatbins of a section, which stand one behind the other at multiples of 8.
fn find_fatbins(section: &Bytes) -> (Vec<(u64, Fatbin)>, Vec<Malformed>) {
    let (mut fatbins, mut problems) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(found) = next_magic(section, at) {
        match read_fatbin(section, found) {
            Ok(fatbin) => {
                at = fatbin.end.next_multiple_of(ALIGNMENT);
                fatbins.push((found, fatbin));
            }
            Err(problem) => {
                at = found + ALIGNMENT;
                problems.push(problem);
            }
        }
        if problems.len() > MOST_PROBLEMS {
            break;
        }
    }
    (fatbins, problems)
}

const ALIGNMENT: u64 = 8;
/// How much is searched at once for the next fatbin.
const WINDOW: u64 = 4096;

/// Where the next fatbin begins.
fn next_magic(section: &Bytes, mut at: u64) -> Option<u64> {
    while at < section.len() {
        let window = section.read(at, WINDOW.min(section.len() - at)).ok()?;
        let found =
            window.chunks(ALIGNMENT as usize).position(|chunk| chunk.starts_with(&MAGIC.to_le_bytes()));
        match found {
            Some(index) => return Some(at + index as u64 * ALIGNMENT),
            None => at += window.len() as u64,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_once_however_many_sections_claim_them() {
        let bytes = Bytes::from(vec![0; 100]);
        let section = |offset, size| Section { name: ".rodata".into(), offset, size, constants: size != 7 };
        let claimed = [(60, 20), (10, 30), (20, 10), (0, 7), (39, 5), (90, 20), (10, 30)];
        let sections: Vec<Section> =
            claimed.into_iter().map(|(offset, size)| section(offset, size)).collect();
        let parts: Vec<(u64, u64)> =
            constants_of(&bytes, &sections).iter().map(|part| (part.start(), part.len())).collect();
        assert_eq!(parts, [(10, 34), (60, 20)]);
    }
}
