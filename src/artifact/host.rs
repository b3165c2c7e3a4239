//! The names that a binary's host code registers.
//!
//! The host registers a kernel or variable under its device name, which is a string among the constants: an argument
//! of `__cudaRegisterFunction` or `__cudaRegisterVar`. A linker may let a string be the end of a longer one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use foldhash::fast::RandomState;
use memchr::memchr;

use super::bytes::Bytes;

/// The names that are looked for.
struct Wanted<'n> {
    /// By their hashes from the end.
    names: HashMap<u64, Vec<&'n Arc<str>>, RandomState>,
    /// The last bytes of those that have as many. Few strings end like a name.
    tails: HashSet<[u8; TAIL], RandomState>,
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
        let mut wanted = Wanted { names, tails, lengths: Vec::new(), roles };
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
            wanted.names.entry(hash(name.as_bytes())).or_default().push(name);
        }
        wanted
    }
}

/// Those of the names that are strings of the host's constants, or ends of such strings.
///
/// # Errors
/// The operating system's error if the constants can't be read.
pub(super) fn registered<'n>(
    constants: &[Bytes],
    names: impl Iterator<Item = &'n Arc<str>>,
) -> io::Result<BTreeSet<Arc<str>>> {
    let wanted = Wanted::of(names);
    let longest = wanted.lengths.len();
    let mut found = BTreeSet::new();
    for bytes in constants {
        // The end of a string whose rest is in the next chunk.
        let mut begun: Vec<u8> = Vec::new();
        bytes.chunks(|chunk| {
            let mut start = 0;
            while let Some(len) = memchr(0, &chunk[start..]) {
                let string = &chunk[start..start + len];
                match begun.is_empty() {
                    true => ends(string, &wanted, &mut found),
                    false => {
                        begun.extend_from_slice(string);
                        ends(&begun, &wanted, &mut found);
                        begun.clear();
                    }
                }
                start += len + 1;
                // Tables of numbers are among the constants, and full of zeros.
                start += chunk[start..].iter().take_while(|byte| **byte == 0).count();
            }
            begun.extend_from_slice(&chunk[start..]);
            // Of what is longer than any name, only the end counts.
            begun.drain(..begun.len().saturating_sub(longest));
        })?;
    }
    Ok(found)
}

/// Adds the names that a string ends with.
fn ends(string: &[u8], wanted: &Wanted<'_>, found: &mut BTreeSet<Arc<str>>) {
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

    #[test]
    fn strings_and_their_ends_are_found() {
        let constants = Bytes::from(
            b"\0_Z3addPi\0\0\0\0upscale\0a long and another scale\0%s: _Z3mulPi\0_Z3tail".to_vec(),
        );
        let names: Vec<Arc<str>> =
            ["_Z3addPi", "scale", "_Z3mulPi", "_Z3tail", "add", "_Z3subPi"].map(Arc::from).to_vec();
        let found = registered(&[constants], names.iter()).unwrap();
        let found: Vec<&str> = found.iter().map(|name| &**name).collect();
        assert_eq!(found, ["_Z3addPi", "_Z3mulPi", "scale"]);
    }
}
