//! Numbered lists that threads append to while others read them, with removal of what is no longer referred to.
//!
//! Every entry gets a number. Numbers are never given twice, so that no entry is taken for one that was removed.

use rustc_hash::FxHashMap;

/// The reason why no lock around shared records is poisoned.
pub(crate) const NO_PANIC: &str = "no thread panics while it holds the lock";

/// How many numbers one page holds: as many as a machine word has bits.
const PAGE: usize = u64::BITS as usize;

/// A numbered list.
#[derive(Debug)]
pub(crate) struct Store<T> {
    /// The entries that the last removal left, in pages by number; empty pages are dropped.
    pages: FxHashMap<usize, Box<[Option<T>]>>,
    /// The number of the first entry added since.
    first: usize,
    added: boxcar::Vec<T>,
}

impl<T> Default for Store<T> {
    fn default() -> Store<T> {
        Store { pages: FxHashMap::default(), first: 0, added: boxcar::Vec::new() }
    }
}

impl<T> Store<T> {
    /// Appends an entry and returns its number.
    pub(crate) fn push(&self, one: T) -> usize {
        self.first + self.added.push(one)
    }

    /// The entry of a number that was given and not removed.
    pub(crate) fn get(&self, number: usize) -> &T {
        if number >= self.first {
            return &self.added[number - self.first];
        }
        let page = self.pages.get(&(number / PAGE)).and_then(|page| page.get(number % PAGE));
        page.and_then(Option::as_ref).expect("what is referred to is not removed")
    }

    /// All entries, each with its number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let kept = self.pages.iter().flat_map(|(page, all)| {
            let first = page * PAGE;
            all.iter().enumerate().filter_map(move |(index, one)| Some((first + index, one.as_ref()?)))
        });
        kept.chain(self.added.iter().map(|(index, one)| (self.first + index, one)))
    }

    /// Removes all entries but those of these numbers.
    pub(crate) fn retain(&mut self, numbers: &NumberSet) {
        self.pages.retain(|page, all| {
            for (index, one) in all.iter_mut().enumerate() {
                one.take_if(|_| !numbers.has(page * PAGE + index));
            }
            all.iter().any(Option::is_some)
        });
        let added = std::mem::take(&mut self.added).into_iter().enumerate();
        let mut added = added.map(|(index, one)| numbers.has(self.first + index).then_some(one)).peekable();
        let mut page = self.first / PAGE;
        while added.peek().is_some() {
            let all: Box<[Option<T>]> = added.by_ref().take(PAGE).collect();
            if all.iter().any(Option::is_some) {
                self.pages.insert(page, all);
            }
            page += 1;
        }
        self.first = page * PAGE;
        self.pages.shrink_to_fit();
    }

    /// How many entries there are.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.iter().count()
    }
}

/// A set of numbers of a [`Store`].
#[derive(Default, Debug)]
pub(crate) struct NumberSet {
    pages: FxHashMap<usize, u64>,
}

impl NumberSet {
    /// Adds a number and returns whether it is new.
    pub(crate) fn add(&mut self, number: usize) -> bool {
        let page = self.pages.entry(number / PAGE).or_default();
        let bit = 1 << (number % PAGE);
        let is_new = *page & bit == 0;
        *page |= bit;
        is_new
    }

    /// Whether the number is in the set.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.pages.get(&(number / PAGE)).is_some_and(|page| page >> (number % PAGE) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_keeps_its_number_and_no_number_is_given_twice() {
        let mut store = Store::default();
        let mut numbers = Vec::new();
        for round in 0..3 {
            numbers.extend((0..100).map(|one| (store.push((round, one)), (round, one))));
            numbers.retain(|(_, (_, one))| one % (round + 2) == 0 && *one != 64);
            let mut left = NumberSet::default();
            assert!(numbers.iter().all(|(number, _)| left.add(*number)));
            store.retain(&left);
            assert!(numbers.iter().all(|(number, one)| store.get(*number) == one));
            let mut found: Vec<_> = store.iter().map(|(number, one)| (number, *one)).collect();
            found.sort();
            assert_eq!(found, numbers);
        }
        store.retain(&NumberSet::default());
        assert!(store.count() == 0 && store.pages.is_empty());
        assert!(store.push((3, 0)) > numbers.last().unwrap().0);
    }
}
