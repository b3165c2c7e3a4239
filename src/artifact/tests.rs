//! Artifacts that nvcc made, put into every container, and cut and bent in every way.

use std::io::Write;
use std::path::Path;

use super::binary::read_binary;
use super::bytes::Bytes;
use super::device::{Scratch, ScratchPool, read_cubin, read_fatbin, read_image};
use super::read::{Read, read, read_bytes};

pub(super) const WHOLE: &[u8] = include_bytes!("../../tests/artifacts/whole.o");
const RELOCATABLE: &[u8] = include_bytes!("../../tests/artifacts/relocatable.o");
pub(super) const CUBIN: &[u8] = include_bytes!("../../tests/artifacts/kernels.cubin");
pub(super) const PTX: &str =
    ".version 9.0\n.target sm_90a\n.visible .entry clip(.param .f64 a, .param .u64 b)\n{\n ret;\n}\n";

pub(super) fn of_file(name: &str, bytes: &[u8]) -> Read {
    read_bytes(Path::new(name), bytes.to_vec())
}

/// The images of a module, and which of them have each kernel and variable.
fn lines(read: &Read) -> Vec<String> {
    let mut lines = Vec::new();
    for module in read.artifacts.iter().flat_map(|artifact| &artifact.modules) {
        let images: Vec<String> = module.images.iter().map(|image| image.target().to_string()).collect();
        lines.push(images.join(" "));
        let signs = |row: Vec<bool>| row.iter().map(|has| if *has { '+' } else { '-' }).collect::<String>();
        for (name, row) in &module.kernels {
            lines.push(format!("{} {name}", signs(row.iter().map(Option::is_some).collect())));
        }
        for (name, row) in module.variables.iter().filter(|(name, _)| !name.starts_with('$')) {
            let size = row.iter().flatten().next().unwrap().size;
            lines.push(format!("{} {name} {size}", signs(row.iter().map(Option::is_some).collect())));
        }
    }
    lines
}

const EXPECTED: [&str; 8] = [
    "sm_80 sm_90 compute_90",
    "+-- _Z4fillIfEvPT_5Shape",
    "+++ _Z4fillIiEvPT_5Shape",
    "-++ _Z11cluster_sumPi",
    "+++ clip",
    "+++ own",
    "-++ cluster_count 4",
    "+++ scale 16",
];

/// The lines without what is in the name of a kernel with internal linkage.
fn plain_lines(read: &Read) -> Vec<String> {
    let mut lines = lines(read);
    for line in &mut lines {
        if let Some(at) = line.find("own") {
            *line = format!("{} own", &line[..line.find(' ').unwrap_or(at)]);
        }
    }
    lines.sort();
    lines
}

fn expected() -> Vec<String> {
    let mut lines: Vec<String> = EXPECTED.map(String::from).to_vec();
    lines.sort();
    lines
}

#[test]
fn images_of_an_object_are_told_apart() {
    for (name, bytes) in [("whole.o", WHOLE), ("relocatable.o", RELOCATABLE)] {
        let read = of_file(name, bytes);
        assert_eq!((read.problems.len(), plain_lines(&read)), (0, expected()), "{name}");
        let registered = read.artifacts[0].registered.as_ref().unwrap();
        assert!(registered.contains("_Z4fillIiEvPT_5Shape") && registered.contains("clip"), "{registered:?}");
        assert!(!registered.contains("_Z4fillIfEvPT_5Shape"), "{registered:?}");
    }
}

#[test]
fn a_kernel_s_attributes_are_read() {
    let contents = read_cubin(CUBIN).unwrap();
    let kernel = |name: &str| &contents.kernels.iter().find(|(known, _)| known == name).unwrap().1;
    let fill = kernel("_Z4fillIiEvPT_5Shape");
    let parameters: Vec<_> = fill.parameters.iter().flatten().map(|one| (one.offset, one.size)).collect();
    assert_eq!(parameters, [(0, 8), (8, 8)]);
    assert_eq!((fill.bounds.most_threads, fill.shared), (Some([128, 1, 1]), Some(1024 + 128)));
    let clip = kernel("clip").parameters.as_ref().unwrap();
    assert_eq!(clip.iter().map(|one| (one.offset, one.size)).collect::<Vec<_>>(), [(0, 8), (8, 8)]);
}

/// An entry of a fatbin.
pub(super) fn entry(kind: u16, arch: u32, flags: u64, payload: &[u8], size: u64) -> Vec<u8> {
    let padded = payload.len().next_multiple_of(8);
    let mut bytes = Vec::new();
    bytes.extend(kind.to_le_bytes());
    bytes.extend(0x0101_u16.to_le_bytes());
    bytes.extend(64_u32.to_le_bytes());
    bytes.extend((padded as u64).to_le_bytes());
    bytes.extend(if flags & 0xA000 == 0 { 0_u32 } else { payload.len() as u32 }.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(arch.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend((flags | 0x11).to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend(size.to_le_bytes());
    bytes.extend(payload);
    bytes.resize(64 + padded, 0);
    bytes
}

/// Bytes as one LZ4 block.
pub(super) fn lz4(bytes: &[u8]) -> Vec<u8> {
    lz4::block::compress(bytes, None, false).unwrap()
}

/// Bytes as one zstd frame.
pub(super) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).unwrap()
}

pub(super) fn fatbin(entries: &[Vec<u8>]) -> Vec<u8> {
    let entries = entries.concat();
    let mut bytes = 0xBA55_ED50_u32.to_le_bytes().to_vec();
    bytes.extend([1, 0, 16, 0]);
    bytes.extend((entries.len() as u64).to_le_bytes());
    bytes.extend(entries);
    bytes
}

/// A cubin in every compression, and PTX with a suffix.
pub(super) fn all_forms() -> Vec<u8> {
    let size = CUBIN.len() as u64;
    let zstd = zstd(CUBIN);
    fatbin(&[
        entry(2, 75, 0, CUBIN, 0),
        entry(2, 80, 0x2000, &lz4(CUBIN), size),
        entry(2, 90, 0x8000, &zstd, size),
        entry(1, 90, 0x10_0000, PTX.as_bytes(), 0),
        entry(2, 100, 0x20_8000, &zstd, size),
        entry(8, 100, 0, b"LTO", 0),
        entry(99, 100, 0, b"something new", 0),
    ])
}

#[test]
fn every_compression_gives_the_same_and_suffixes_are_kept() {
    let read = of_file("a.fatbin", &all_forms());
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    let lines = lines(&read);
    assert_eq!(lines[0], "sm_75 sm_80 sm_90 compute_90a sm_100f lto_100");
    assert!(lines.contains(&"++++-- clip".replace("++++--", "+++++-")), "{lines:?}");
    assert!(lines.contains(&"+++-+- _Z4fillIiEvPT_5Shape".to_string()), "{lines:?}");
    assert_eq!(read.artifacts[0].registered, None);
}

pub(super) fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options.compression_method(zip::CompressionMethod::Deflated)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(super) fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

pub(super) fn archive_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, member) in members {
        bytes.extend(
            format!(
                "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n",
                format!("{name}/"),
                0,
                0,
                0,
                "100644",
                member.len()
            )
            .bytes(),
        );
        bytes.extend(*member);
        bytes.resize(bytes.len().next_multiple_of(2), b'\n');
    }
    bytes
}

#[test]
fn files_inside_files_are_found() {
    let tar = tar_of(&[("lib/python3/a.py", b"x"), ("lib/whole.o", WHOLE)]);
    let conda = zip_of(&[("metadata.json", b"{}"), ("pkg-a-1.tar.zst", &zstd(&tar))]);
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(&tar).unwrap();
    let check = |name: &str, bytes: &[u8], path: &str| {
        let read = of_file(name, bytes);
        assert_eq!((read.problems.as_slice(), plain_lines(&read)), (&[][..], expected()), "{name}");
        assert_eq!(read.artifacts[0].path, Path::new(path));
    };
    check("a.whl", &zip_of(&[("a/x.py", b"y"), ("a/lib.so", WHOLE)]), "a.whl/a/lib.so");
    check("a.conda", &conda, "a.conda/pkg-a-1.tar.zst/lib/whole.o");
    check("a.tar.bz2", &bzip2.finish().unwrap(), "a.tar.bz2/lib/whole.o");
    check("liba.a", &archive_of(&[("b.o", b"text"), ("whole.o", WHOLE)]), "liba.a/whole.o");
    let slips = zip_of(&[("../../etc/lib.so", WHOLE)]);
    check("slip.whl", &slips, "slip.whl/etc/lib.so");
}

#[test]
fn what_an_object_uses_is_told_apart_from_what_it_registers() {
    let unoptimized: &[u8] = include_bytes!("../../tests/artifacts/uses-unoptimized.o");
    let optimized: &[u8] = include_bytes!("../../tests/artifacts/uses-optimized.o");
    for bytes in [unoptimized, optimized] {
        let read = of_file("uses.o", bytes);
        let artifact = &read.artifacts[0];
        let registered: Vec<&str> = artifact.registered.iter().flatten().map(|name| &**name).collect();
        assert_eq!(
            registered,
            ["_Z3sumPf", "_Z4fillIfEvPT_", "_Z5clearIfEvPT_", "_Z5totalIdE", "_Z5totalIfE"]
        );
        let uses = artifact.uses.as_ref().unwrap();
        let names = |set: &std::collections::BTreeSet<std::sync::Arc<str>>| {
            set.iter().map(|name| name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&uses.used), ["_Z4fillIfEvPT_", "_Z5totalIfE"]);
        assert_eq!(names(&uses.unused), ["_Z5clearIfEvPT_", "_Z5totalIdE"]);
    }
    // Without symbols nothing is told.
    assert_eq!(of_file("whole.o", WHOLE).artifacts[0].uses, None);
}

#[test]
fn archives_in_archives_come_to_an_end() {
    let mut bytes = zip_of(&[("whole.o", WHOLE)]);
    for _ in 0..8 {
        bytes = zip_of(&[("inner.zip", &bytes)]);
    }
    let read = of_file("a.zip", &bytes);
    assert_eq!(read.artifacts, []);
    assert_eq!(read.problems[0].message, "archives are nested too deep (at byte 0x0)");
}

#[test]
fn claims_are_not_believed() {
    let problem = |bytes: &[u8]| {
        of_file("a.fatbin", bytes).problems.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    let huge = u64::MAX / 2;
    assert_eq!(
        problem(&fatbin(&[entry(2, 80, 0x2000, &[0; 64], 1 << 40)])),
        ["an image claims 1099511627776 bytes (at byte 0x50)"]
    );
    assert_eq!(
        problem(&fatbin(&[entry(2, 80, 0x2000, &[0; 64], 1 << 28)])),
        ["64 compressed bytes can't be 268435456 (at byte 0x50)"]
    );
    let short = zstd(&[0; 100]);
    assert_eq!(
        problem(&fatbin(&[entry(2, 80, 0x8000, &short, 1 << 28)])),
        ["an image of 268435456 bytes has 100 when it is decompressed (at byte 0x50)"]
    );
    let mut long = fatbin(&[entry(2, 80, 0, CUBIN, 0)]);
    long[8..16].copy_from_slice(&huge.to_le_bytes());
    assert_eq!(
        problem(&long),
        [format!("a fatbin of {huge} bytes reaches beyond its section (at byte 0x0)")]
    );
    let mut long = fatbin(&[entry(2, 80, 0, CUBIN, 0)]);
    long[24..32].copy_from_slice(&huge.to_le_bytes());
    assert_eq!(
        problem(&long),
        [format!("an image of {huge} bytes reaches beyond its fatbin (at byte 0x10)")]
    );
    let many: Vec<Vec<u8>> = (0..300).map(|_| entry(2, 80, 0, b"", 0)).collect();
    assert_eq!(problem(&fatbin(&many)), ["a fatbin of more than 256 images (at byte 0x4010)"]);
}

/// Every prefix, and every byte with bits flipped, `each` of which must come back.
fn bent(bytes: &[u8], step: usize, each: impl Fn(Vec<u8>)) {
    for at in (0..bytes.len()).step_by(step) {
        each(bytes[..at].to_vec());
        for flip in [0x01, 0x80, 0xff] {
            let mut bent = bytes.to_vec();
            bent[at] ^= flip;
            each(bent);
        }
    }
}

#[test]
fn no_cut_or_bent_file_is_a_panic() {
    let images = |bytes: Vec<u8>| {
        let bytes = Bytes::from(bytes);
        if let Ok(fatbin) = read_fatbin(&bytes, 0) {
            for entry in &fatbin.entries {
                let _ = read_image(&bytes, entry, &mut Scratch::default());
            }
        }
    };
    bent(&fatbin(&[entry(2, 90, 0x2000, &lz4(CUBIN), CUBIN.len() as u64)]), 5, images);
    bent(&fatbin(&[entry(1, 90, 0, PTX.as_bytes(), 0), entry(8, 100, 0, b"LTO", 0)]), 1, images);
    bent(CUBIN, 3, |bytes| {
        let _ = read_cubin(bytes.as_slice());
    });
    bent(WHOLE, 61, |bytes| {
        let _ = read_binary(&Bytes::from(bytes), &ScratchPool::default());
    });
    bent(RELOCATABLE, 37, |bytes| {
        let _ = read_binary(&Bytes::from(bytes), &ScratchPool::default());
    });
    let wheel = zip_of(&[("a/lib.so", RELOCATABLE)]);
    for at in (0..wheel.len()).step_by(97) {
        let _ = of_file("a.whl", &wheel[..at]);
        let mut bent = wheel.clone();
        bent[at] ^= 0x55;
        let _ = of_file("a.whl", &bent);
    }
}

#[test]
fn each_package_of_a_directory_is_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    let package = |bound: &str| {
        let index = format!("{{\"depends\": [\"__cuda_arch {bound}\"]}}");
        tar_of(&[("info/index.json", index.as_bytes()), ("lib/libkernels.so", WHOLE)])
    };
    for (name, bytes) in [
        ("a.tar", package(">=8.0")),
        ("b.tar", package(">=9.0")),
        ("c.o", WHOLE.to_vec()),
        ("d.o", WHOLE.to_vec()),
    ] {
        std::fs::write(directory.path().join(name), bytes).unwrap();
    }
    let found = read(&[directory.path().to_path_buf()]);
    let package = |path: &Path| path.strip_prefix(directory.path()).unwrap().display().to_string();
    let packages: Vec<String> = found.artifacts.iter().map(|one| package(&one.package)).collect();
    assert_eq!(packages, ["a.tar", "b.tar", "", ""]);
    let bounds: Vec<(String, &str)> =
        found.bounds.iter().map(|one| (package(&one.package), one.text.as_str())).collect();
    assert_eq!(bounds, [("a.tar".into(), "__cuda_arch >=8.0"), ("b.tar".into(), "__cuda_arch >=9.0")]);
}
