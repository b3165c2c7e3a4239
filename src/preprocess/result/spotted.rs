//! The tokens of a unit that somebody looks for. Of the headers that an edited unit begins with they are known from
//! the last time.

use std::sync::Arc;

use super::tokens::PpToken;
use super::unit::{Beginning, Preprocessed};

/// Those among the tokens of the headers that a unit begins with.
#[derive(Debug)]
pub struct Spotted {
    beginning: Beginning,
    found: Vec<u32>,
}

impl Preprocessed {
    /// The tokens that are wanted, by index, in order.
    pub fn spot(&self, wanted: impl Fn(&PpToken) -> bool) -> Vec<usize> {
        (0..self.tokens().len()).filter(|index| wanted(&self.tokens()[*index])).collect()
    }

    /// The same, going on from what the last time gave for the headers that the unit begins with, if the same was
    /// wanted then. What it gives now for the next time.
    pub fn spot_again(
        &self,
        last: Option<&Arc<Spotted>>,
        wanted: impl Fn(&PpToken) -> bool,
    ) -> (Vec<usize>, Arc<Spotted>) {
        let tokens = self.tokens();
        let beginning = self.lasting(last.map(|last| &last.beginning));
        let first = beginning.tokens();
        let same = last.filter(|last| last.beginning == beginning).cloned();
        let spotted = same.unwrap_or_else(|| {
            let found = (0..first).filter(|index| wanted(&tokens[*index]));
            Arc::new(Spotted { beginning, found: found.map(|index| index as u32).collect() })
        });
        let own = (first..tokens.len()).filter(|index| wanted(&tokens[*index]));
        (spotted.found.iter().map(|index| *index as usize).chain(own).collect(), spotted)
    }
}
