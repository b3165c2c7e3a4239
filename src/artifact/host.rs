//! The names that a binary's host code registers.
//!
//! The host registers a kernel or variable under its device name, which is a string among the constants: an argument
//! of `__cudaRegisterFunction` or `__cudaRegisterVar`. A linker may let a string be the end of a longer one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use foldhash::fast::RandomState;
use rayon::prelude::*;
use wide::u8x16;

use super::bytes::Bytes;

/// The names that are looked for.
struct Wanted<'n> {
    /// By their hashes from the end.
    names: HashMap<u64, Vec<&'n Arc<str>>, RandomState>,
    /// The last bytes of those that have as many. Few strings end like a name.
    tails: HashSet<[u8; TAIL], RandomState>,
    /// Which last two bytes there are. Most of what stands before a zero is a number, and ends like no name.
    last_two: Vec<bool>,
    /// Whether there is a name that is longer by one than the index.
    lengths: Vec<bool>,
    /// What each byte can be: most ends of strings begin with one that no name begins with.
    roles: [Role; 256],
}

/// What a byte can be of the names that are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is in no name at all.
    Outside,
    /// It may be in one.
    Inside,
    /// One begins with it.
    First,
}

/// How many of its last bytes tell that a string ends with no name that is as long.
const TAIL: usize = 8;

fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || byte >= 0x80
}

impl<'n> Wanted<'n> {
    fn of(all: impl Iterator<Item = &'n Arc<str>>) -> Wanted<'n> {
        let roles =
            std::array::from_fn(|byte| if is_in_name(byte as u8) { Role::Inside } else { Role::Outside });
        let (names, tails) = (HashMap::default(), HashSet::default());
        let last_two = vec![false; 1 << 16];
        let mut wanted = Wanted { names, tails, last_two, lengths: Vec::new(), roles };
        for name in all {
            let Some(first) = name.bytes().next() else { continue };
            if is_in_name(first) {
                wanted.roles[usize::from(first)] = Role::First;
            }
            if wanted.lengths.len() < name.len() {
                wanted.lengths.resize(name.len(), false);
            }
            wanted.lengths[name.len() - 1] = true;
            wanted.tails.extend(name.as_bytes().last_chunk());
            match name.as_bytes() {
                [.., before, last] => wanted.last_two[pair(*before, *last)] = true,
                [last] => (0..=u8::MAX).for_each(|before| wanted.last_two[pair(before, *last)] = true),
                [] => {}
            }
            wanted.names.entry(hash(name.as_bytes())).or_default().push(name);
        }
        wanted
    }
}

fn pair(before: u8, last: u8) -> usize {
    usize::from(before) << 8 | usize::from(last)
}

/// How many bytes of the constants are searched at once.
const BLOCK: u64 = 1 << 20;

/// Those of the names that are strings of the host's constants, or ends of such strings.
///
/// # Errors
/// The operating system's error if the constants can't be read.
pub(super) fn registered<'n>(
    constants: &[Bytes],
    names: impl Iterator<Item = &'n Arc<str>>,
) -> io::Result<BTreeSet<Arc<str>>> {
    let wanted = Wanted::of(names);
    let longest = wanted.lengths.len() as u64;
    let size = BLOCK.max(longest);
    let starts = |bytes: &Bytes| (0..bytes.len()).step_by(size as usize);
    let blocks = constants.iter().flat_map(|bytes| starts(bytes).map(move |start| (bytes, start)));
    // A string is found in the block in which it ends, and the end of a string that begins before is read with it.
    let search = |buffer: &mut Vec<u8>, (bytes, start): (&Bytes, u64)| {
        let (from, to) = (start.saturating_sub(longest), bytes.len().min(start + size));
        let window = bytes.read_into(from, to - from, buffer)?;
        let mut found = BTreeSet::new();
        each_end(window, (start - from) as usize, |end| ends(&window[..end], &wanted, &mut found));
        Ok(found)
    };
    if longest > BLOCK {
        // No compiler makes such names: each thread would have as much in memory.
        let mut buffer = Vec::new();
        let found: io::Result<Vec<_>> = blocks.map(|block| search(&mut buffer, block)).collect();
        return found.map(|found| found.into_iter().flatten().collect());
    }
    let blocks: Vec<(&Bytes, u64)> = blocks.collect();
    let found = blocks.into_par_iter().map_init(Vec::new, search);
    found.try_reduce(BTreeSet::new, |mut all, mut more| {
        all.append(&mut more);
        Ok(all)
    })
}

/// Calls `each` with the places of the zeros from `first` on that end something: with no zero before them.
fn each_end(window: &[u8], first: usize, mut each: impl FnMut(usize)) {
    let mut at = first;
    let mut behind_zero = window[..first].last().is_none_or(|byte| *byte == 0);
    while let Some(word) = window[at..].first_chunk() {
        let zeros = u8x16::new(*word).simd_eq(u8x16::splat(0)).to_bitmask();
        let mut ends = zeros & !(zeros << 1 | u32::from(behind_zero));
        while ends != 0 {
            each(at + ends.trailing_zeros() as usize);
            ends &= ends - 1;
        }
        behind_zero = zeros >> 15 != 0;
        at += 16;
    }
    for (index, byte) in window.iter().enumerate().skip(at) {
        if *byte == 0 && !behind_zero {
            each(index);
        }
        behind_zero = *byte == 0;
    }
}

/// Adds the names that a string ends with. What is before the string, and a zero, is in no name.
fn ends(string: &[u8], wanted: &Wanted<'_>, found: &mut BTreeSet<Arc<str>>) {
    if let [.., before, last] = string
        && !wanted.last_two[pair(*before, *last)]
    {
        return;
    }
    let longest = match string.last_chunk() {
        Some(tail) if !wanted.tails.contains::<[u8; TAIL]>(tail) => TAIL - 1,
        _ => wanted.lengths.len(),
    };
    let lengths = &wanted.lengths[..longest.min(wanted.lengths.len())];
    let mut hash = SEED;
    for ((count, byte), wanted_length) in string.iter().rev().enumerate().zip(lengths) {
        let role = wanted.roles[usize::from(*byte)];
        if role == Role::Outside {
            return;
        }
        hash = step(hash, *byte);
        if role != Role::First || !wanted_length {
            continue;
        }
        let end = &string[string.len() - count - 1..];
        for name in wanted.names.get(&hash).into_iter().flatten().filter(|name| name.as_bytes() == end) {
            found.insert(Arc::clone(name));
        }
    }
}

/// A hash that is made from the last byte to the first, so that a string gives those of all its ends.
fn hash(name: &[u8]) -> u64 {
    name.iter().rev().fold(SEED, |hash, byte| step(hash, *byte))
}

const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

fn step(hash: u64, byte: u8) -> u64 {
    (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x517C_C1B7_2722_0A95)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(constants: &[Bytes], names: &[Arc<str>]) -> Vec<String> {
        registered(constants, names.iter()).unwrap().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn strings_and_their_ends_are_found() {
        let constants = Bytes::from(
            b"\0_Z3addPi\0\0\0\0upscale\0a long and another scale\0%s: _Z3mulPi\0_Z3tail".to_vec(),
        );
        let names: Vec<Arc<str>> =
            ["_Z3addPi", "scale", "_Z3mulPi", "_Z3tail", "add", "_Z3subPi"].map(Arc::from).to_vec();
        assert_eq!(found(&[constants], &names), ["_Z3addPi", "_Z3mulPi", "scale"]);
    }

    #[test]
    fn strings_are_found_wherever_blocks_end() {
        let names: Vec<Arc<str>> = ["k", "_Z5scalePd", "_Z1a"].map(Arc::from).to_vec();
        let text = b"\0k\0\0_Z5scalePd\0%d _Z1a\0";
        // A block ends before, in and behind each byte of it.
        for before in BLOCK as usize - text.len() - 1..=BLOCK as usize + 1 {
            let mut bytes = vec![b'x'; before];
            bytes.extend_from_slice(text);
            assert_eq!(found(&[Bytes::from(bytes)], &names), ["_Z1a", "_Z5scalePd", "k"], "{before}");
        }
    }

    #[test]
    fn names_longer_than_a_block_are_found() {
        let name: Arc<str> = "n".repeat(BLOCK as usize * 2 + 3).into();
        let mut bytes = vec![0; BLOCK as usize - 5];
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(b"\0_Z1k\0");
        let names = [Arc::clone(&name), "_Z1k".into(), "nn_".into()];
        let expected = [Arc::from("_Z1k"), name];
        assert!(registered(&[Bytes::from(bytes)], names.iter()).unwrap().into_iter().eq(expected));
    }

    #[test]
    fn ends_are_the_first_zeros_behind_something() {
        let ends_of = |window: &[u8], first: usize| {
            let mut ends = Vec::new();
            each_end(window, first, |end| ends.push(end));
            ends
        };
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let window: Vec<u8> = (0..random.usize(..80)).map(|_| random.u8(..3)).collect();
            let first = random.usize(..=window.len());
            let is_end = |at: &usize| window[*at] == 0 && *at > 0 && window[*at - 1] != 0;
            let expected: Vec<usize> = (first..window.len()).filter(is_end).collect();
            assert_eq!(ends_of(&window, first), expected, "{window:?} from {first}");
        }
    }
}
