//! Places in data that leaves the process: files are numbered anew there, in the order in which places mention them.
//!
//! In: a closure that writes or reads data with [`FileId`]s in it. Out: the files that the numbers stand for. No other
//! field is to be visited, so none can be forgotten. Outside of such a closure a file can't be written or read.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::files::FileId;

/// Files with their numbers, while data is written.
#[derive(Default)]
struct Written {
    files: Vec<FileId>,
    numbers: FxHashMap<FileId, u32>,
}

thread_local! {
    static WRITTEN: RefCell<Option<Written>> = const { RefCell::new(None) };
    static READ: RefCell<Option<Vec<FileId>>> = const { RefCell::new(None) };
}

/// Writes data. Returns the files that it mentions, after those that are given.
pub fn with_files_written<T>(first: Vec<FileId>, write: impl FnOnce() -> T) -> (T, Vec<FileId>) {
    let numbers = first.iter().enumerate().map(|(number, file)| (*file, number as u32)).collect();
    WRITTEN.set(Some(Written { files: first, numbers }));
    let result = write();
    let written = WRITTEN.take().expect("it was set above");
    (result, written.files)
}

/// Reads data that mentions these files by their places in the list.
pub fn with_files_read<T>(files: Vec<FileId>, read: impl FnOnce() -> T) -> T {
    READ.set(Some(files));
    let result = read();
    READ.set(None);
    result
}

impl Serialize for FileId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = WRITTEN.with_borrow_mut(|written| {
            let Written { files, numbers } = written.as_mut()?;
            Some(*numbers.entry(*self).or_insert_with(|| {
                files.push(*self);
                files.len() as u32 - 1
            }))
        });
        let number = number.ok_or_else(|| serde::ser::Error::custom("no list of files is being made"))?;
        serializer.serialize_u32(number)
    }
}

impl<'d> Deserialize<'d> for FileId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<FileId, D::Error> {
        let number = u32::deserialize(deserializer)?;
        let file = READ.with_borrow(|files| files.as_ref()?.get(number as usize).copied());
        file.ok_or_else(|| serde::de::Error::custom("a place is in no file"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::source::{Sources, Span};

    use super::*;

    #[test]
    fn places_keep_their_files_though_the_numbers_are_others() {
        let sources = Sources::new();
        let [_, a, b] = ["x", "a", "b"].map(|name| sources.add(Path::new(name), name.into()).id);
        let spans = [b, a, b].map(|file| Span { file, start: 1, end: 2 });
        let (bytes, files) = with_files_written(Vec::new(), || postcard::to_stdvec(&spans).unwrap());
        assert_eq!(files, [b, a]);
        let read: [Span; 3] = with_files_read(vec![a, b], || postcard::from_bytes(&bytes).unwrap());
        assert_eq!(read.map(|span| span.file), [a, b, a]);
        let unknown: Result<[Span; 3], _> = with_files_read(vec![a], || postcard::from_bytes(&bytes));
        assert!(unknown.is_err());
        assert!(postcard::to_stdvec(&spans).is_err());
    }
}
