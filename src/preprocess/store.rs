//! Lists that threads add to while others read them, and of which goes what nothing refers to any more.
//!
//! What is added gets a number. Numbers are given once, so that nothing is ever taken for what has gone.

use rustc_hash::FxHashMap;

/// How many numbers are kept together: as many as a machine word has bits.
const PAGE: usize = u64::BITS as usize;

/// A list.
#[derive(Debug)]
pub(super) struct Store<T> {
    /// What was there when something went last and is there still; the pages that have any of it, by number.
    pages: FxHashMap<usize, Box<[Option<T>]>>,
    /// The number of the first one added since.
    first: usize,
    added: boxcar::Vec<T>,
}

impl<T> Default for Store<T> {
    fn default() -> Store<T> {
        Store { pages: FxHashMap::default(), first: 0, added: boxcar::Vec::new() }
    }
}

impl<T> Store<T> {
    /// Adds one; its number.
    pub(super) fn push(&self, one: T) -> usize {
        self.first + self.added.push(one)
    }

    /// The one of a number that was given and has not gone.
    pub(super) fn get(&self, number: usize) -> &T {
        if number >= self.first {
            return &self.added[number - self.first];
        }
        let page = self.pages.get(&(number / PAGE)).and_then(|page| page.get(number % PAGE));
        page.and_then(Option::as_ref).expect("what something refers to has not gone")
    }

    /// All that are there, each with its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let kept = self.pages.iter().flat_map(|(page, all)| {
            let first = page * PAGE;
            all.iter().enumerate().filter_map(move |(index, one)| Some((first + index, one.as_ref()?)))
        });
        kept.chain(self.added.iter().map(|(index, one)| (self.first + index, one)))
    }

    /// Lets those go that have other numbers than these.
    pub(super) fn retain(&mut self, numbers: &Numbers) {
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

    /// How many are there.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.iter().count()
    }
}

/// A set of numbers that a [`Store`] gave.
#[derive(Default, Debug)]
pub(super) struct Numbers {
    pages: FxHashMap<usize, u64>,
}

impl Numbers {
    /// Adds one; says whether it is new.
    pub(super) fn add(&mut self, number: usize) -> bool {
        let page = self.pages.entry(number / PAGE).or_default();
        let bit = 1 << (number % PAGE);
        let is_new = *page & bit == 0;
        *page |= bit;
        is_new
    }

    pub(super) fn has(&self, number: usize) -> bool {
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
            let mut left = Numbers::default();
            assert!(numbers.iter().all(|(number, _)| left.add(*number)));
            store.retain(&left);
            assert!(numbers.iter().all(|(number, one)| store.get(*number) == one));
            let mut found: Vec<_> = store.iter().map(|(number, one)| (number, *one)).collect();
            found.sort();
            assert_eq!(found, numbers);
        }
        store.retain(&Numbers::default());
        assert!(store.count() == 0 && store.pages.is_empty());
        assert!(store.push((3, 0)) > numbers.last().unwrap().0);
    }
}
