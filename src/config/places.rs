//! Where a value of a TOML file is written, and where in it a byte of the value is.

use toml::de::{DeTable, DeValue};

use super::error::line_and_column;

/// A step from a table or a list to what is in it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// The value of a key.
    Key(&'a str),
    /// The element of a list with this number.
    Element(usize),
}

/// A TOML file whose values have places.
pub(super) struct Places<'t> {
    text: &'t str,
    root: Option<DeTable<'t>>,
}

impl<'t> Places<'t> {
    /// Those of a text, which was read as TOML before.
    pub(super) fn of(text: &'t str) -> Places<'t> {
        Places { text, root: DeTable::parse(text).ok().map(|table| table.into_inner()) }
    }

    /// The line and column, from 1, of a byte in a string; of the key's value itself if it is no string.
    pub(super) fn place(&self, steps: &[Step<'_>], byte: usize) -> Option<(usize, usize)> {
        let at = self.offset(steps, byte)?;
        self.text.is_char_boundary(at).then(|| line_and_column(self.text, at))
    }

    fn offset(&self, steps: &[Step<'_>], byte: usize) -> Option<usize> {
        let (first, rest) = steps.split_first()?;
        let Step::Key(key) = first else { return None };
        let mut found = self.root.as_ref()?.get(*key)?;
        for step in rest {
            found = match (step, found.get_ref()) {
                (Step::Key(key), DeValue::Table(table)) => table.get(*key)?,
                (Step::Element(index), DeValue::Array(list)) => list.get(*index)?,
                _ => return None,
            };
        }
        let span = found.span();
        match found.get_ref() {
            DeValue::String(value) => Some(span.start + raw_offset(self.text.get(span)?, value, byte)),
            _ => Some(span.start),
        }
    }
}

/// The byte in a string as it is written, quotes included, that a byte of its value stands at.
fn raw_offset(raw: &str, value: &str, byte: usize) -> usize {
    let long = raw.starts_with("'''") || raw.starts_with("\"\"\"");
    let escapes = raw.starts_with('"');
    let mut at = if long { 3 } else { 1 };
    let rest = |at: usize| raw.get(at..).unwrap_or_default();
    if long {
        at += if rest(at).starts_with("\r\n") { 2 } else { usize::from(rest(at).starts_with('\n')) };
    }
    for (index, one) in value.char_indices() {
        // A backslash at the end of a line takes the blanks behind it away.
        while escapes && rest(at).starts_with('\\') && rest(at + 1).starts_with([' ', '\t', '\n', '\r']) {
            at += 1 + (rest(at + 1).len() - rest(at + 1).trim_start().len());
        }
        if index >= byte {
            break;
        }
        at += match rest(at).as_bytes() {
            [b'\\', b'x', ..] if escapes => 4,
            [b'\\', b'u', ..] if escapes => 6,
            [b'\\', b'U', ..] if escapes => 10,
            [b'\\', ..] if escapes => 2,
            [b'\r', b'\n', ..] if one == '\n' => 2,
            _ => one.len_utf8(),
        };
    }
    at.min(raw.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_of_a_value_is_found_in_the_file() {
        let check = |written: &str, value: &str| {
            let text = format!("x = 1\n[[a]]\nb = {written}\n");
            let places = Places::of(&text);
            for (at, one) in value.char_indices().filter(|(_, one)| one.is_ascii_alphabetic()) {
                let steps = [Step::Key("a"), Step::Element(0), Step::Key("b")];
                let (line, column) = places.place(&steps, at).unwrap();
                let found = text.lines().nth(line - 1).unwrap().chars().nth(column - 1);
                assert_eq!(found, Some(one), "{written:?} {at}");
            }
        };
        check("'abc'", "abc");
        check("'''\nab\n  cd'''", "ab\n  cd");
        check("'''\r\nab\r\ncd'''", "ab\r\ncd");
        check(r#""a\"b\u00e9c\td""#, "a\"béc\td");
        check("\"\"\"a \\\n   b\nc\"\"\"", "a b\nc");
        check("'éa'", "éa");
    }
}
