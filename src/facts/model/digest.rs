//! Digests by which texts of different units are compared, where neither unit has the other's text at hand.

use std::fmt;

use sha2::{Digest, Sha256};

/// The SHA-256 of a text's tokens. Texts with equal digests are taken to be equal: no collision of SHA-256 is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct TextDigest([u8; 32]);

impl TextDigest {
    /// The digest of a text with these tokens, in order.
    pub fn of<'t>(tokens: impl IntoIterator<Item = &'t str>) -> TextDigest {
        let mut hash = Sha256::new();
        for token in tokens {
            // The length in front keeps `int x` from having the digest of `intx`.
            hash.update((token.len() as u64).to_le_bytes());
            hash.update(token);
        }
        TextDigest(hash.finalize().into())
    }
}

/// Prints the first half in hexadecimal digits.
impl fmt::Display for TextDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0[..16].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::TextDigest;

    #[test]
    fn texts_are_told_apart_by_their_tokens_and_where_these_end() {
        let same = [TextDigest::of(["int", "x"]), TextDigest::of(["int", "x"])];
        assert_eq!(same[0], same[1]);
        for other in [vec!["intx"], vec!["int", "y"], vec!["x", "int"], vec!["int"], vec![]] {
            assert_ne!(TextDigest::of(other.clone()), same[0], "{other:?}");
        }
    }
}
