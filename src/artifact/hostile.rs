//! A catalogue of hostile files: cut, with sizes and offsets that lie, bombs, archives in archives, names that lead out of
//! an archive, sections that overlap. Each is made here. Every one is either read, or gives a problem that names the byte;
//! none is a panic, and none takes memory or time beyond what its own bytes are worth.

use std::io::Read as _;
use std::path::Path;

use super::container::{Budget, unpack};
use super::tests::{CUBIN, WHOLE, all_forms, archive_of, entry, fatbin, lz4, of_file, tar_of, zip_of, zstd};

/// What comes of a hostile file.
enum Outcome {
    /// A problem that has this in its message, and a byte.
    Problem(&'static str),
    /// It is read, as far as it can be, without a problem.
    Fine,
    /// Formats leave it to the reader: it is read, or refused with a byte.
    Either,
}

use Outcome::{Either, Fine, Problem};

struct Hostile {
    /// What is wrong with it, as its name.
    name: String,
    bytes: Vec<u8>,
    outcome: Outcome,
}

/// A file in which numbers at some places are others.
fn with(bytes: &[u8], places: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, new) in places {
        bytes[*at..*at + new.len()].copy_from_slice(new);
    }
    bytes
}

fn hostile(extension: &str, cases: Vec<(&str, Vec<u8>, Outcome)>) -> Vec<Hostile> {
    let one = |(what, bytes, outcome): (&str, Vec<u8>, Outcome)| {
        let name = format!("{}.{extension}", what.replace(' ', "-"));
        Hostile { name, bytes, outcome }
    };
    cases.into_iter().map(one).collect()
}

/// Bytes of a symbol.
const SYMBOL: usize = 24;

/// The bytes of the section whose header is at a place.
fn size_at(bytes: &[u8], header: usize) -> usize {
    u64::from_le_bytes(bytes[header + 32..header + 40].try_into().unwrap()) as usize
}

/// Where the header of the section of this name begins in an ELF file that nvcc made, and where its bytes do.
fn section(bytes: &[u8], name: &str) -> (usize, usize) {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let short = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let (table, count, names) = (number(40), short(60), short(62));
    let strings = number(table + names * 64 + 24);
    let of = |index: usize| table + index * 64;
    let is = |header: &usize| {
        let at = strings + u32::from_le_bytes(bytes[*header..*header + 4].try_into().unwrap()) as usize;
        bytes[at..].starts_with(name.as_bytes()) && bytes[at + name.len()] == 0
    };
    let header = (0..count).map(of).find(is).unwrap();
    (header, number(header + 24))
}

const MOST: [u8; 8] = u64::MAX.to_le_bytes();

fn binaries() -> Vec<Hostile> {
    let (fatbins, _) = section(WHOLE, ".nv_fatbin");
    let (constants, _) = section(WHOLE, ".rodata.str1.1");
    let places = WHOLE[fatbins + 24..fatbins + 40].to_vec();
    hostile(
        "o",
        vec![
            ("cut within the header", WHOLE[..40].to_vec(), Problem("")),
            ("cut behind the header", WHOLE[..64].to_vec(), Problem("")),
            ("cut in the middle", WHOLE[..WHOLE.len() / 2].to_vec(), Problem("")),
            ("section table beyond the end", with(WHOLE, &[(40, &MOST)]), Problem("")),
            ("section table over the header", with(WHOLE, &[(40, &[0; 8]), (62, &[0; 2])]), Fine),
            ("sections without number", with(WHOLE, &[(60, &[0xff; 2])]), Problem("")),
            ("number of sections in a section", with(WHOLE, &[(60, &[0; 2])]), Either),
            ("names in no section", with(WHOLE, &[(62, &[0xfe; 2])]), Either),
            ("fatbins beyond the end", with(WHOLE, &[(fatbins + 32, &MOST)]), Problem("is cut off")),
            ("fatbins at the end of all", with(WHOLE, &[(fatbins + 24, &MOST)]), Problem("is cut off")),
            ("fatbins over the header", with(WHOLE, &[(fatbins + 24, &[0; 8])]), Either),
            ("sections over each other", with(WHOLE, &[(constants + 24, &places)]), Either),
            ("class of 32 bits", with(WHOLE, &[(4, &[1])]), Problem("")),
            ("other byte order", with(WHOLE, &[(5, &[2])]), Either),
            ("header only of a PE file", b"MZ".to_vec(), Problem("")),
            ("PE header beyond the end", with(&[b'M', b'Z'].repeat(64), &[(60, &[0xff; 4])]), Problem("")),
        ],
    )
}

fn fatbins() -> Vec<Hostile> {
    let size = CUBIN.len() as u64;
    let lz4 = lz4(CUBIN);
    let (zeros, zstd) = (zstd(&vec![0; 1 << 22]), zstd(CUBIN));
    let plain = fatbin(&[entry(2, 80, 0, CUBIN, 0)]);
    let one = |flags: u64, payload: &[u8], size: u64| fatbin(&[entry(2, 80, flags, payload, size)]);
    let many: Vec<Vec<u8>> = (0..300).map(|_| entry(2, 80, 0, b"", 0)).collect();
    let unknown: Vec<Vec<u8>> = (0..10_000).map(|_| entry(99, 80, 0, b"", 0)).collect();
    hostile(
        "fatbin",
        vec![
            ("magic alone", plain[..4].to_vec(), Problem("the header of a fatbin reaches beyond")),
            (
                "fatbin header of no size",
                with(&plain, &[(6, &[0; 2])]),
                Problem("reaches beyond its section"),
            ),
            (
                "fatbin header of much",
                with(&plain, &[(6, &[0xff; 2])]),
                Problem("reaches beyond its section"),
            ),
            ("fatbin of all bytes", with(&plain, &[(8, &MOST)]), Problem("reaches beyond its section")),
            ("fatbin cut", plain[..plain.len() - 1].to_vec(), Problem("reaches beyond its section")),
            ("image header of no size", with(&plain, &[(20, &[0; 4])]), Problem("reaches beyond its fatbin")),
            ("image header of much", with(&plain, &[(20, &[0xff; 4])]), Problem("reaches beyond its fatbin")),
            ("image of all bytes", with(&plain, &[(24, &MOST)]), Problem("reaches beyond its fatbin")),
            ("image of no architecture", with(&plain, &[(44, &[0xff; 4])]), Problem("there is no sm_")),
            ("images without end", fatbin(&many), Problem("more than 256 images")),
            ("entries of no kind", fatbin(&unknown), Fine),
            ("no image", fatbin(&[]), Fine),
            ("image of no bytes", one(0, b"", 0), Problem("")),
            ("image of text", one(0, b"no cubin at all", 0), Problem("")),
            ("LZ4 claims a tebibyte", one(0x2000, &lz4, 1 << 40), Problem("claims")),
            ("LZ4 claims more than it can be", one(0x2000, &lz4, 1 << 28), Problem("can't be")),
            ("LZ4 claims less than it is", one(0x2000, &lz4, size - 1), Problem("LZ4 block is malformed")),
            ("LZ4 claims more than it is", one(0x2000, &lz4, size + 1), Problem("when it is decompressed")),
            ("LZ4 cut", one(0x2000, &lz4[..lz4.len() / 2], size), Problem("")),
            (
                "LZ4 from before the start",
                one(0x2000, &[0x0f, 0xff, 0xff, 0xff, 0xff], 600),
                Problem("LZ4 block"),
            ),
            ("LZ4 of zeros", one(0x2000, &[0; 64], 64), Problem("")),
            ("zstd claims a tebibyte", one(0x8000, &zstd, 1 << 40), Problem("claims")),
            ("zstd claims more than it is", one(0x8000, &zstd, size + 1), Problem("when it is decompressed")),
            ("zstd claims less than it is", one(0x8000, &zeros, 64), Problem("")),
            ("zstd bomb", one(0x8000, &zeros, 1 << 22), Problem("")),
            ("zstd cut", one(0x8000, &zstd[..zstd.len() / 2], size), Problem("")),
            ("zstd of text", one(0x8000, b"no frame at all", size), Problem("zstd frame is malformed")),
            ("zstd window of all memory", one(0x8000, &with(&zstd, &[(4, &[0, 0xff])]), size), Problem("")),
            (
                "compressed to more than there is",
                with(&one(0x2000, &lz4, size), &[(32, &[0xff; 4])]),
                Problem("compressed bytes in"),
            ),
            (
                "compressed in no known way",
                with(&one(0x2000, &lz4, size), &[(56, &[0; 8])]),
                Problem("unknown compression"),
            ),
            ("first image malformed", with(&all_forms(), &[(80, b"????")]), Problem("")),
        ],
    )
}

fn cubins() -> Vec<Hostile> {
    let (symbols, first) = section(CUBIN, ".symtab");
    let count = size_at(CUBIN, symbols) / SYMBOL;
    let places: Vec<(usize, &[u8])> =
        (1..count).map(|one| (first + one * SYMBOL, &[0xff, 0xff, 0, 0][..])).collect();
    let long = with(CUBIN, &places);
    hostile(
        "cubin",
        vec![
            ("cubin cut within the header", CUBIN[..40].to_vec(), Problem("")),
            ("cubin cut", CUBIN[..CUBIN.len() / 2].to_vec(), Problem("")),
            ("symbols beyond the end", with(CUBIN, &[(symbols + 32, &MOST)]), Problem("")),
            ("symbols of odd size", with(CUBIN, &[(symbols + 56, &[1; 8])]), Either),
            ("symbols without names", with(CUBIN, &[(symbols + 40, &[0xff; 4])]), Either),
            ("symbol's name beyond the end", long, Problem("outside the table of names")),
            ("architecture zero", with(CUBIN, &[(48, &[0; 4])]), Problem("does not say what it is for")),
            ("cubin of 32 bits", with(CUBIN, &[(4, &[1])]), Problem("")),
        ],
    )
}

fn texts() -> Vec<Hostile> {
    let ptx = |text: &str| format!(".version 9.0\n.target sm_90\n{text}").into_bytes();
    hostile(
        "ptx",
        vec![
            ("PTX without a version", b".target sm_90\n".to_vec(), Problem("no PTX")),
            ("PTX without a target", b".version 9.0\n".to_vec(), Problem("does not say what it is for")),
            ("PTX of nothing", Vec::new(), Problem("")),
            ("comment without end", ptx("/* "), Problem("ends inside")),
            ("body without end", ptx(".entry k() {"), Problem("has no end")),
            ("section without end", ptx(".section .debug {"), Problem("has no end")),
            ("directive without end", ptx(".global .u32 a"), Problem("ends inside")),
            (
                "braces without number",
                ptx(&format!(".entry k() {}{}", "{".repeat(100_000), "}".repeat(100_000))),
                Fine,
            ),
            ("array of all bytes", ptx(".global .b8 a[99999999999][99999999999];"), Fine),
            (
                "parameter of all bytes",
                ptx(".entry k(.param .align 4294967295 .b8 a[18446744073709551615]) {}"),
                Fine,
            ),
            ("names of no text", with(&ptx(".entry kkkk() {}"), &[(35, &[0xff, 0xfe])]), Fine),
        ],
    )
}

fn archives() -> Vec<Hostile> {
    let good = archive_of(&[("whole.o", WHOLE)]);
    let thin = with(&good, &[(0, b"!<thin>\n")]);
    let mut cases = hostile(
        "a",
        vec![
            ("archive cut in a header", good[..40].to_vec(), Problem("")),
            ("archive cut in a member", good[..good.len() / 2].to_vec(), Problem("")),
            ("member larger than its archive", with(&good, &[(56, b"9999999999")]), Problem("")),
            ("member of negative size", with(&good, &[(56, b"-1        ")]), Problem("")),
            ("member of no size", with(&good, &[(56, b"many      ")]), Problem("")),
            ("name beyond the table of names", with(&good, &[(8, b"/99999999       ")]), Either),
            ("member without a magic", with(&good, &[(66, b"??")]), Either),
        ],
    );
    // Only its members' names are in it, and files of those names are nobody's to read.
    cases.push(Hostile { name: "thin.a".into(), bytes: thin, outcome: Problem("") });
    cases
}

fn zips() -> Vec<Hostile> {
    let good = zip_of(&[("a/lib.so", WHOLE)]);
    let end = good.len() - 22;
    let directory = u32::from_le_bytes(good[end + 16..end + 20].try_into().unwrap()) as usize;
    let mut nested = zip_of(&[("whole.o", WHOLE)]);
    for _ in 0..8 {
        nested = zip_of(&[("inner.zip", &nested)]);
    }
    let twice = {
        // The directory has its one entry two times.
        let mut bytes = good[..directory].to_vec();
        bytes.extend(&good[directory..end]);
        bytes.extend(&good[directory..end]);
        let mut last = good[end..].to_vec();
        last[8..12].copy_from_slice(&[2, 0, 2, 0]);
        last[12..16].copy_from_slice(&(2 * (end - directory) as u32).to_le_bytes());
        bytes.extend(last);
        bytes
    };
    hostile(
        "whl",
        vec![
            ("zip cut", good[..good.len() / 2].to_vec(), Problem("")),
            ("zip without an end", good[..end].to_vec(), Problem("")),
            ("directory beyond the end", with(&good, &[(end + 16, &[0xfe; 4])]), Either),
            ("directory of more than there is", with(&good, &[(end + 8, &[0xfe; 4])]), Either),
            ("member's header beyond the end", with(&good, &[(directory + 42, &[0xee; 4])]), Either),
            (
                "member compressed in no known way",
                with(&good, &[(directory + 10, &[77, 0]), (8, &[77, 0])]),
                Either,
            ),
            ("member with another checksum", with(&good, &[(directory + 16, &[1, 2, 3, 4])]), Problem("")),
            ("member that is locked", with(&good, &[(directory + 8, &[1, 0]), (6, &[1, 0])]), Problem("")),
            ("member that is malformed", with(&good, &[(60, &[0xff; 16])]), Either),
            ("member that is there twice", twice, Either),
            ("member out of the archive", zip_of(&[("../../etc/lib.so", WHOLE)]), Fine),
            ("member at the root", zip_of(&[("/etc/lib.so", WHOLE)]), Fine),
            ("zips in zips", nested, Problem("nested too deep")),
        ],
    )
}

fn tars() -> Vec<Hostile> {
    let good = tar_of(&[("lib/whole.o", WHOLE)]);
    let typed = |kind: u8, name: &str, size: &str| {
        let mut bytes = good.clone();
        bytes[124..124 + size.len()].copy_from_slice(size.as_bytes());
        bytes[156] = kind;
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes[148..156].copy_from_slice(b"        ");
        let sum: u32 = bytes[..512].iter().map(|byte| u32::from(*byte)).sum();
        bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes
    };
    let squeezed = zstd(&good);
    let mut cases = hostile(
        "tar",
        vec![
            ("tar cut in a header", good[..400].to_vec(), Either),
            ("tar cut in a member", good[..good.len() / 2].to_vec(), Problem("")),
            ("header with another sum", with(&good, &[(148, b"000000")]), Problem("")),
            ("member of more than all", typed(b'0', "lib/whole.o", "77777777777"), Either),
            ("member of a size in letters", typed(b'0', "lib/whole.o", "many       "), Problem("")),
            ("name of many gibibytes", typed(b'L', "././@LongLink", "77777777777"), Problem("")),
            ("attributes of many gibibytes", typed(b'x', "attributes", "77777777777"), Problem("")),
            ("link to itself", typed(b'2', "lib/whole.o", "00000000000"), Either),
            ("device", typed(b'3', "lib/zero", "00000000000"), Either),
            ("sparse file of much", typed(b'S', "lib/whole.o", "77777777777"), Either),
            ("tar out of the archive", typed(b'0', "../../whole.o", "00000000000"), Either),
        ],
    );
    cases.extend(hostile("tar.zst", vec![("cut", squeezed[..squeezed.len() / 2].to_vec(), Either)]));
    cases.extend(hostile("tar.bz2", vec![("text", b"BZh9 this is no bzip2 stream".to_vec(), Problem(""))]));
    let deep = format!("{}{}", "{\"a\":[".repeat(100_000), "]}".repeat(100_000));
    let index = |text: &str| tar_of(&[("info/index.json", text.as_bytes())]);
    cases.extend(hostile(
        "conda.tar",
        vec![
            ("index without end", index("{\"depends\": ["), Problem("")),
            ("index without bottom", index(&deep), Fine),
            ("index of another form", index("{\"depends\": 7}"), Problem("")),
        ],
    ));
    cases
}

fn catalogue() -> Vec<Hostile> {
    [binaries(), fatbins(), cubins(), texts(), archives(), zips(), tars()].into_iter().flatten().collect()
}

#[test]
fn hostile_files_are_refused_with_the_byte() {
    let all = catalogue();
    assert!(all.len() >= 60, "{}", all.len());
    let mut wrong = Vec::new();
    // `tests/hostile.py` measures what the program takes for them.
    let left = std::env::var_os("HOSTILE").map(std::path::PathBuf::from);
    for Hostile { name, bytes, outcome } in &all {
        if let Some(directory) = &left {
            std::fs::create_dir_all(directory).expect("the directory can be made");
            std::fs::write(directory.join(name), bytes).expect("the directory can be written to");
        }
        let read = of_file(name, bytes);
        let told: Vec<&str> = read.problems.iter().map(|one| one.message.as_str()).collect();
        let right = match outcome {
            Fine => told.is_empty(),
            Problem(part) => told.iter().any(|one| one.contains(part)),
            Either => true,
        };
        let right = right && told.iter().all(|one| one.contains("(at byte 0x"));
        let inside = read.artifacts.iter().all(|one| one.path.starts_with(name));
        if !right || !inside {
            wrong.push(format!("{name}: {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

#[test]
fn a_package_asks_for_gpus_by_dependencies_and_constraints() {
    let index = br#"{"depends": ["python", "__cuda_arch >=7.0"], "constrains": ["__cuda_arch <10.0", "__cuda >=12"]}"#;
    let read = of_file("package.conda.tar", &tar_of(&[("info/index.json", index)]));
    let bounds: Vec<&str> = read.bounds.iter().map(|bound| bound.text.as_str()).collect();
    assert_eq!(bounds, ["__cuda_arch >=7.0", "__cuda_arch <10.0"]);
}

#[test]
fn a_bomb_ends_where_the_budget_does() {
    let budget = Budget::of_bytes(1 << 20);
    let mut endless = (&b"\x7fELF"[..]).chain(std::io::repeat(0));
    let error = unpack(Path::new("a.so"), &mut endless, &budget).unwrap_err();
    assert_eq!(error.to_string(), "it unpacks to more than is reasonable");
}
