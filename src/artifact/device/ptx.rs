//! The heads of PTX: its entries with their parameters, and its variables. Bodies are skipped.
//!
//! PTX ISA, "PTX Module Directives", "Kernel and Function Directives" and "State Spaces".

use memchr::{memchr, memchr3, memmem};

use crate::artifact::error::Malformed;
use crate::target::{Arch, Suffix};

use super::contents::{Bounds, Contents, Kernel, Parameter, Variable, VariableKind};

/// A PTX file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::artifact) struct PtxFile {
    /// The architecture that `.target` names.
    pub arch: Option<Arch>,
    /// The kernels and variables that it defines.
    pub contents: Contents,
}

/// Reads PTX. A zero ends it, as it does for the driver.
///
/// # Errors
/// When it has no `.version`, or ends inside something.
pub(in crate::artifact) fn read_ptx(bytes: &[u8]) -> Result<PtxFile, Malformed> {
    let end = memchr(0, bytes).unwrap_or(bytes.len());
    let mut scanner = Scanner { bytes: &bytes[..end], at: 0 };
    let mut file = PtxFile::default();
    let mut versioned = false;
    while scanner.skip_blanks()? {
        let start = scanner.at;
        match scanner.word() {
            b".version" => {
                versioned = true;
                scanner.skip_line();
            }
            b".target" => {
                let line = scanner.line();
                file.arch = line.split(|byte| *byte == b',').find_map(arch);
            }
            b".address_size" | b".file" | b".loc" => scanner.skip_line(),
            b".section" => {
                scanner.skip_to(b'{')?;
                scanner.skip_braces()?;
            }
            _ if !versioned => {
                return Err(Malformed::new(start as u64, "no PTX: it does not begin with `.version`"));
            }
            _ => {
                scanner.at = start;
                statement(&mut scanner, &mut file.contents)?;
            }
        }
    }
    match versioned {
        true => Ok(file),
        false => Err(Malformed::new(0, "no PTX: it has no `.version`")),
    }
}

/// `sm_90a`.
fn arch(word: &[u8]) -> Option<Arch> {
    let name = std::str::from_utf8(word).ok()?.trim().strip_prefix("sm_")?;
    let digits = name.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = match &name[digits.len()..] {
        "" => Suffix::None,
        "a" => Suffix::A,
        "f" => Suffix::F,
        _ => return None,
    };
    Some(Arch { number: digits.parse().ok()?, suffix })
}

/// A function, a variable or another directive, up to its end.
fn statement(scanner: &mut Scanner<'_>, contents: &mut Contents) -> Result<(), Malformed> {
    let head = scanner.head()?;
    let words = Words(head);
    let directives: Vec<&[u8]> = words.take_while(|word| word.starts_with(b".")).collect();
    let has = |name: &str| directives.contains(&name.as_bytes());
    let defined = !has(".extern");
    if has(".entry") || has(".func") {
        let body = scanner.bytes.get(scanner.at) == Some(&b'{');
        if body {
            scanner.skip_braces()?;
        } else {
            scanner.at += 1;
        }
        if let (true, Some((name, kernel))) = (has(".entry") && body, entry(head)) {
            contents.kernels.push((name.to_string(), kernel));
        }
        return Ok(());
    }
    // An initializer, whose strings of bytes may be long.
    scanner.skip_to(b';')?;
    let kind = match () {
        () if has(".texref") || has(".surfref") || has(".samplerref") || has(".tex") => {
            Some(VariableKind::Texture)
        }
        () if has(".global") => Some(VariableKind::Device),
        () if has(".const") => Some(VariableKind::Constant),
        () => None,
    };
    if let (true, Some(kind), Some(declared)) = (defined, kind, declared(head)) {
        let size = if kind == VariableKind::Texture { 0 } else { declared.size };
        contents.variables.push((declared.name.to_string(), Variable { kind, size }));
    }
    Ok(())
}

/// The name, parameters and bounds of `.visible .entry name(.param .u64 a, .param .align 4 .b8 b[20]) .maxntid 256`.
fn entry(head: &[u8]) -> Option<(&str, Kernel)> {
    let after = &head[memmem::find(head, b".entry")? + b".entry".len()..];
    let name = Words(after).next()?;
    let open = memchr(b'(', after);
    let (list, rest) = match open {
        Some(open) => {
            let close = open + memchr(b')', &after[open..])?;
            (&after[open + 1..close], &after[close + 1..])
        }
        None => (&after[..0], after),
    };
    let mut parameters = Some(Vec::new());
    let mut offset: u64 = 0;
    for one in list.split(|byte| *byte == b',').filter(|one| !one.trim_ascii().is_empty()) {
        let Some(declared) = declared(one) else {
            parameters = None;
            break;
        };
        offset = offset.checked_next_multiple_of(declared.align.max(1))?;
        let parameter = Parameter { offset: offset.try_into().ok()?, size: declared.size.try_into().ok()? };
        offset = offset.checked_add(declared.size)?;
        parameters.as_mut()?.push(parameter);
    }
    let bounds =
        Bounds { most_threads: three(rest, b".maxntid"), required_threads: three(rest, b".reqntid") };
    Some((text(name)?, Kernel { parameters, bounds, shared: None }))
}

/// The numbers behind a directive of performance tuning; those left out are 1.
fn three(rest: &[u8], directive: &[u8]) -> Option<[u32; 3]> {
    let after = &rest[memmem::find(rest, directive)? + directive.len()..];
    let end = memchr(b'.', after).unwrap_or(after.len());
    let mut numbers =
        after[..end].split(|byte| *byte == b',').map(|number| text(number.trim_ascii())?.parse().ok());
    let mut next = || numbers.next().unwrap_or(Some(1));
    Some([next()?, next()?, next()?])
}

/// A variable or parameter as it is declared.
struct Declared<'b> {
    name: &'b str,
    align: u64,
    size: u64,
}

/// Reads `.global .align 4 .b8 name[28]`; nothing behind the name but the dimensions counts.
fn declared(head: &[u8]) -> Option<Declared<'_>> {
    let mut words = Words(head);
    let (mut align, mut element) = (None, 8);
    let mut vector = 1;
    let mut points = false;
    let name = loop {
        let word = words.next()?;
        match word {
            // `.u64 .ptr .global .align 1 a`: what is behind `.ptr` is about what the parameter points to.
            b".ptr" => points = true,
            b".align" if points => drop(words.next()),
            b".align" => align = Some(text(words.next()?)?.parse().ok()?),
            // `.attribute(.managed)`, `.attribute(.unified(1, 2))`.
            b".attribute" => words = Words(after_parentheses(words.0)?),
            b".v2" => vector = 2,
            b".v4" => vector = 4,
            _ if word.starts_with(b".") => element = size_of(word).unwrap_or(element),
            _ => break word,
        }
    };
    let rest = words.0;
    let rest = &rest[..memchr(b'=', rest).unwrap_or(rest.len())];
    let mut count: u64 = 1;
    for dimension in rest.split(|byte| *byte == b'[').skip(1) {
        let digits = dimension.split(|byte| *byte == b']').next()?.trim_ascii();
        count = count.checked_mul(if digits.is_empty() { 0 } else { text(digits)?.parse().ok()? })?;
    }
    let element = element * vector;
    Some(Declared { name: text(name)?, align: align.unwrap_or(element), size: element.checked_mul(count)? })
}

fn after_parentheses(bytes: &[u8]) -> Option<&[u8]> {
    let mut depth = 0_u32;
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(&bytes[index + 1..]),
            b')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The bytes of a fundamental type, `.u64`; references to textures take 8.
fn size_of(word: &[u8]) -> Option<u64> {
    let digits = word.get(2..)?;
    match (word.get(1)?, digits) {
        (b'b' | b'u' | b's' | b'f', b"8") => Some(1),
        (b'b' | b'u' | b's' | b'f', b"16") => Some(2),
        (b'b' | b'u' | b's' | b'f', b"32") => Some(4),
        (b'b' | b'u' | b's' | b'f', b"64") => Some(8),
        (b'b', b"128") => Some(16),
        (b'f', b"16x2") => Some(4),
        _ => None,
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// Words: directives, names and numbers. What is between them is skipped.
struct Words<'b>(&'b [u8]);

impl<'b> Iterator for Words<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let start = self.0.iter().position(|byte| in_word(*byte))?;
        let bytes = &self.0[start..];
        // A directive begins with its point: `.param.u64` are two.
        let len = bytes.iter().skip(1).position(|byte| !in_word(*byte) || *byte == b'.');
        let (word, rest) = bytes.split_at(len.map_or(bytes.len(), |len| len + 1));
        self.0 = rest;
        Some(word)
    }
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'%') || byte >= 0x80
}

struct Scanner<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Scanner<'b> {
    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn ends(&self) -> Malformed {
        Malformed::new(self.at as u64, "PTX ends inside a directive")
    }

    /// Skips blanks and comments; false at the end.
    fn skip_blanks(&mut self) -> Result<bool, Malformed> {
        loop {
            let rest = self.rest();
            match rest {
                [] => return Ok(false),
                [b'/', b'/', ..] => self.skip_line(),
                [b'/', b'*', ..] => {
                    self.at += 2;
                    let close = memmem::find(self.rest(), b"*/").ok_or_else(|| self.ends())?;
                    self.at += close + 2;
                }
                [blank, ..] if blank.is_ascii_whitespace() => self.at += 1,
                _ => return Ok(true),
            }
        }
    }

    fn word(&mut self) -> &'b [u8] {
        let rest = self.rest();
        let len = rest.iter().position(|byte| !in_word(*byte)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// The rest of the line, comment and all.
    fn line(&mut self) -> &'b [u8] {
        let rest = self.rest();
        let len = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn skip_line(&mut self) {
        self.line();
    }

    fn skip_to(&mut self, byte: u8) -> Result<(), Malformed> {
        let len = memchr(byte, self.rest()).ok_or_else(|| self.ends())?;
        self.at += len + usize::from(byte == b';');
        Ok(())
    }

    /// The text before the next `{`, `;` or `=`, at which the scanner is left.
    fn head(&mut self) -> Result<&'b [u8], Malformed> {
        let rest = self.rest();
        let len = memchr3(b'{', b';', b'=', rest).ok_or_else(|| self.ends())?;
        self.at += len;
        Ok(&rest[..len])
    }

    /// Skips from a `{` to behind the `}` that closes it. Comments may hold braces, and so may the code of inline
    /// assembly, in pairs.
    fn skip_braces(&mut self) -> Result<(), Malformed> {
        let start = self.at;
        let mut depth = 0_u32;
        while let Some(next) = memchr3(b'{', b'}', b'/', self.rest()) {
            self.at += next;
            match self.rest() {
                [b'{', ..] => depth += 1,
                [b'}', ..] if depth <= 1 => {
                    self.at += 1;
                    return Ok(());
                }
                [b'}', ..] => depth -= 1,
                [b'/', b'/', ..] => self.skip_line(),
                _ => {}
            }
            self.at += usize::from(self.at < self.bytes.len());
        }
        Err(Malformed::new(start as u64, "a body of PTX has no end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//\n// Generated\n\n.version 9.0\n.target sm_90a, debug\n.address_size 64\n\n\
        .global .align 4 .b8 counter[28];\n.visible .const .align 4 .f32 scale = 0f3F800000;\n\
        .global .align 1 .b8 $str[4] = {1, 2, 59, 0};\n.extern .global .u32 elsewhere;\n\
        .visible .global .attribute(.managed) .align 8 .u64 shared;\n.global .texref image;\n\
        .visible .func (.param .b32 result) helper(.param .b64 a)\n;\n\
        .weak .entry second(\n\t.param .u8 second_param_0,\n\t.param .align 8 .b8 second_param_1[20],\n\
        \t.param.u32 second_param_2, .param .u64 .ptr .global .align 1 second_param_3\n)\n.maxntid 256, 1, 1\n.minnctapersm 2\n{\n\t// { not a brace\n\t{ ret; }\n}\n\
        .visible .entry first()\n{\n\tret;\n}\n\t.section .debug_str\n\t{\n.b8 99\n\t}\n";

    #[test]
    fn heads_are_read() {
        let file = read_ptx(TEXT.as_bytes()).unwrap();
        assert_eq!(file.arch.unwrap().sm_name(), "sm_90a");
        let variables: Vec<_> =
            file.contents.variables.iter().map(|(name, one)| (name.as_str(), one.kind, one.size)).collect();
        assert_eq!(
            variables,
            [
                ("counter", VariableKind::Device, 28),
                ("scale", VariableKind::Constant, 4),
                ("$str", VariableKind::Device, 4),
                ("shared", VariableKind::Device, 8),
                ("image", VariableKind::Texture, 0),
            ]
        );
        let [(name, second), (other, first)] = &file.contents.kernels[..] else { panic!("{file:?}") };
        assert_eq!((name.as_str(), other.as_str()), ("second", "first"));
        let places: Vec<_> = second.parameters.iter().flatten().map(|one| (one.offset, one.size)).collect();
        assert_eq!(places, [(0, 1), (8, 20), (28, 4), (32, 8)]);
        assert_eq!(second.bounds.most_threads, Some([256, 1, 1]));
        assert_eq!(first.parameters, Some(Vec::new()));
    }

    #[test]
    fn no_prefix_and_no_flipped_byte_is_a_panic() {
        for len in 0..TEXT.len() {
            let _ = read_ptx(&TEXT.as_bytes()[..len]);
            for flip in [0x01, 0x20, 0x80] {
                let mut bytes = TEXT.as_bytes().to_vec();
                bytes[len] ^= flip;
                let _ = read_ptx(&bytes);
            }
        }
        assert!(read_ptx(b"int a;").is_err() && read_ptx(b"").is_err());
    }
}
