//! The readers of our own fed with mutated fatbins, cubins, PTX and tables of names: none may panic, whatever the bytes.
//!
//! A run makes a few thousand of each; `EXECUTIONS=10000000 SEED=2 cargo test --release --lib artifact::fuzz -- --nocapture`
//! makes as many, and says how many the readers accepted. The mutations are those of general fuzzers, with the numbers
//! that overflow; the seeds are what nvcc made.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;

use super::bytes::Bytes;
use super::device::{Scratch, read_cubin, read_fatbin, read_image, read_ptx};
use super::names::readable;
use super::stubs::{Linked, read_stubs};
use super::tests::{CUBIN, PTX, all_forms};

const DEFAULT: u64 = 4_000;

/// Numbers that break arithmetic and tables.
const NUMBERS: [u64; 12] =
    [0, 1, 7, 16, 63, 64, 255, 0x7fff_ffff, 0xffff_ffff, 1 << 40, i64::MAX as u64, u64::MAX];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Mutates a seed one to six times.
fn mutated(seed: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.usize(1..=6) {
        if bytes.is_empty() {
            break;
        }
        let at = random.usize(..bytes.len());
        let len = random.usize(..=(bytes.len() - at).min(64));
        match random.u8(..7) {
            0 => bytes[at] ^= 1 << random.u8(..8),
            1 => bytes[at] = random.u8(..),
            2 => {
                let number = NUMBERS[random.usize(..NUMBERS.len())].to_le_bytes();
                let width = [1, 2, 4, 8][random.usize(..4)].min(bytes.len() - at);
                bytes[at..at + width].copy_from_slice(&number[..width]);
            }
            3 => bytes.truncate(at),
            4 => drop(bytes.drain(at..at + len)),
            5 => {
                let copy = bytes[at..at + len].to_vec();
                let to = random.usize(..=bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => {
                // A header's field, where fields of fatbins and ELF files stand.
                let at = (at / 4 * 4).min(bytes.len().saturating_sub(4));
                let small = random.u32(..256).to_le_bytes();
                let width = 4.min(bytes.len() - at);
                bytes[at..at + width].copy_from_slice(&small[..width]);
            }
        }
    }
    bytes
}

/// Calls `read` with mutations of the seeds; it says whether it accepted them.
fn feed(what: &str, seeds: &[Vec<u8>], mut read: impl FnMut(&[u8]) -> bool) {
    let executions = number("EXECUTIONS", DEFAULT);
    let mut random = Rng::with_seed(number("SEED", 1));
    let mut accepted = 0_u64;
    for _ in 0..executions {
        let bytes = mutated(&seeds[random.usize(..seeds.len())], &mut random);
        match catch_unwind(AssertUnwindSafe(|| read(&bytes))) {
            Ok(taken) => accepted += u64::from(taken),
            Err(_) => {
                let path = std::env::temp_dir().join(format!("cuda-arch-lint-fuzz-{what}"));
                std::fs::write(&path, &bytes).expect("the directory for temporary files can be written to");
                panic!("the reader of {what} panicked on {}", path.display());
            }
        }
    }
    println!("{what}: {executions} executions, {accepted} accepted");
    assert!(accepted > 0 && accepted < executions, "mutations of {what} are all alike");
}

#[test]
fn no_fatbin_is_a_panic() {
    let mut scratch = Scratch::default();
    feed("fatbins", &[all_forms()], |bytes| {
        let bytes = Bytes::from(bytes.to_vec());
        let Ok(fatbin) = read_fatbin(&bytes, 0) else { return false };
        // The headers are what is mutated: one image that is read whole, and the others' heads.
        let heads = fatbin.entries.iter().take(2);
        heads.filter(|entry| read_image(&bytes, entry, &mut scratch).is_err()).count() == 0
    });
}

#[test]
fn no_cubin_is_a_panic() {
    feed("cubins", &[CUBIN.to_vec()], |bytes| read_cubin(bytes).is_ok());
}

#[test]
fn no_ptx_is_a_panic() {
    let long = ".version 9.0\n.target sm_90a, debug\n.address_size 64\n.global .align 4 .b8 counter[28];\n\
        .visible .global .attribute(.managed) .align 8 .u64 shared;\n.global .texref image;\n.visible .func f()\n;\n\
        .weak .entry second(.param .u8 a, .param .align 8 .b8 b[20], .param .u64 .ptr .global .align 1 c)\n\
        .maxntid 256, 1, 1\n{\n // { not\n { ret; }\n}\n.section .debug_str\n{\n.b8 99\n}\n";
    feed("ptx", &[PTX.as_bytes().to_vec(), long.as_bytes().to_vec()], |bytes| read_ptx(bytes).is_ok());
}

#[test]
fn no_name_is_a_panic() {
    let names = b"\0_ZL37__nv_save_fatbinhandle_for_managed_rtPPv\0_Z25__device_stub__Z5storedPdiPi\0_ZL32__device_stub__Z5scaleILi16EEvPfPf.cold\0\
        _Z28__wrapper__device_stub_scaleILi16EEvRPf\0\
        _Z37__wrapper__device_stub_for_each_indexI17__nv_dl_wrapper_tI11__nv_dl_tagIPFvPfEXadL_Z5relaxS2_EELj1EEJEEEvRT_RS2_\0\
        __nv_static_25__c736ead9_5_r1_cu__Z2k1Pi__Z2stPi\0";
    feed("names", &[names.to_vec()], |bytes| {
        for name in bytes.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok()) {
            readable(name);
        }
        !read_stubs(bytes, Linked::No).parameters.is_empty()
    });
}
