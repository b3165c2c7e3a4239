//! The searches for tokens whose outcome is kept with the readings of headers: plain data.

/// What is searched for.
///
/// **Invariant:** whether a token is found follows from the reading that it is of, and from the next tokens if these are of the
/// same one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// Tokens that not every pass has of those that are compared.
    Partial,
    /// Tokens that may give a declaration another size on the host than on GPUs.
    Sizes,
    /// Words that may begin an instruction or a call that not every target has.
    TargetWords,
    /// Tokens that `__CUDA_ARCH__` was expanded to.
    Numbers,
}

impl Search {
    /// The number of searches.
    pub(crate) const COUNT: usize = 4;

    /// How many of the tokens behind one decide whether it is found.
    pub(super) fn looks_ahead(self) -> usize {
        if self == Search::Sizes { 2 } else { 0 }
    }
}

/// The indices of the tokens that one search found among those of a reading, and what else the outcome depends on.
pub(crate) type Found = (u64, Box<[u32]>);
