//! Interned spellings: equal spellings have the same [`Symbol`] and are compared as integers.

use std::cell::RefCell;
use std::fmt;
use std::sync::{LazyLock, Mutex};

use bumpalo::Bump;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// One table for the whole process, so that symbols of different units and threads can be compared.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = Table::default();
    for (index, text) in sym::ALL.iter().enumerate() {
        assert_eq!(table.symbol(&Key::of(text), text).index(), index, "`{text}` is listed twice");
    }
    table
});

/// Message of `expect` on the table's locks, which are poisoned only by a panic.
const NO_PANIC: &str = "no thread panics while it holds a part of the table";

/// The longest spelling, in bytes, that is kept as it is. What is interned stays for the life of the process, and
/// each keystroke in a literal makes another spelling.
const LONGEST: usize = 1 << 20;

/// The same for a literal that is not closed. That of a raw string is the rest of the file, another one at each keystroke.
const LONGEST_UNCLOSED: usize = 1 << 10;

/// How much of the two ends of a longer spelling is kept.
const END: usize = 256;

/// An interned spelling: of an identifier, a punctuator, a literal. One of more than a mebibyte has a digest of the
/// whole for its middle, so that equal ones are still equal, and others are not; that of a literal which is not closed
/// from a kibibyte on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol of `text`.
    pub fn intern(text: &str) -> Symbol {
        with_thread_cache(|cache| cache.intern(text))
    }

    /// The spelling.
    pub fn as_str(self) -> &'static str {
        TABLE.texts[self.index()]
    }

    /// The symbol's number, from 0 in the order of interning.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A thread's cache of the table, which can be read without a lock.
#[derive(Default)]
pub(super) struct ThreadCache {
    /// Recently interned spellings, indexed by some bits of their hashes. Most spellings recur soon.
    recent: Vec<(Key, Symbol)>,
}

/// Calls `what` with this thread's cache. Calls must not be nested.
pub(super) fn with_thread_cache<T>(what: impl FnOnce(&mut ThreadCache) -> T) -> T {
    thread_local! {
        static CACHE: RefCell<ThreadCache> = RefCell::default();
    }
    CACHE.with_borrow_mut(what)
}

/// Entries in a thread's cache.
const RECENT: usize = 1 << 12;

impl ThreadCache {
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        if text.len() > LONGEST {
            return self.intern(&abbreviated(text));
        }
        self.cached(Key::of(text), text)
    }

    /// The symbol of a literal that is not closed.
    pub(super) fn intern_unclosed(&mut self, text: &str) -> Symbol {
        if text.len() > LONGEST_UNCLOSED {
            return self.intern(&abbreviated(text));
        }
        self.intern(text)
    }

    /// The symbol of a text of at most 16 bytes, which are the first bytes of `word`.
    #[inline]
    pub(super) fn intern_short(&mut self, text: &str, word: &[u8; 16]) -> Symbol {
        self.cached(Key::short(u128::from_le_bytes(*word), text.len()), text)
    }

    #[inline]
    fn cached(&mut self, key: Key, text: &str) -> Symbol {
        let recent = key.hash as usize % RECENT;
        if let Some((its, symbol)) = self.recent.get(recent)
            && *its == key
            && (key.holds_whole_text() || symbol.as_str() == text)
        {
            return *symbol;
        }
        self.shared(key, text)
    }

    /// Looks the text up in the shared table and caches the result.
    #[cold]
    fn shared(&mut self, key: Key, text: &str) -> Symbol {
        self.recent.resize(RECENT, (Key::default(), sym::EMPTY));
        let symbol = TABLE.symbol(&key, text);
        self.recent[key.hash as usize % RECENT] = (key, symbol);
        symbol
    }
}

/// Number of shards of the table, each with its own lock.
const PARTS: usize = 64;

/// All spellings and their symbols.
struct Table {
    parts: [Mutex<HashTable<(Key, Symbol)>>; PARTS],
    /// Indexed by symbol.
    texts: boxcar::Vec<&'static str>,
}

impl Default for Table {
    fn default() -> Table {
        Table { parts: std::array::from_fn(|_| Mutex::default()), texts: boxcar::Vec::new() }
    }
}

impl Table {
    /// The symbol of a text; a new one is added to the table.
    fn symbol(&self, key: &Key, text: &str) -> Symbol {
        let spread = |hash: u32| u64::from(hash).wrapping_mul(Key::FACTOR);
        let mut symbols = self.parts[key.hash as usize >> 16 & (PARTS - 1)].lock().expect(NO_PANIC);
        let is_it = |(its, symbol): &(Key, Symbol)| {
            its == key && (key.holds_whole_text() || self.texts[symbol.index()] == text)
        };
        match symbols.entry(spread(key.hash), is_it, |(key, _)| spread(key.hash)) {
            Entry::Occupied(found) => found.get().1,
            Entry::Vacant(free) => {
                let index = self.texts.push(leaked_copy(text));
                let index = u32::try_from(index).expect("memory holds fewer than 2^32 spellings");
                free.insert((*key, Symbol(index)));
                Symbol(index)
            }
        }
    }
}

/// A spelling with its SHA-256 digest in place of all but its ends. A literal stays a literal: its delimiters are in
/// the ends, and no escape sequence is cut in two so that a quotation mark ends it.
fn abbreviated(text: &str) -> String {
    let start = text.floor_char_boundary(END);
    let mut end = text.ceil_char_boundary(text.len() - END);
    while text.as_bytes()[end - 1] == b'\\' && end + 1 < text.len() {
        end = text.ceil_char_boundary(end + 1);
    }
    let mut short = text[..start].trim_end_matches('\\').to_string();
    short.extend(Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")));
    short.push_str(&text[end..]);
    short
}

/// A copy of a text that lives as long as the process.
fn leaked_copy(text: &str) -> &'static str {
    thread_local! {
        static ROOM: &'static Bump = Box::leak(Box::default());
    }
    ROOM.with(|room| room.alloc_str(text))
}

/// Equality key of a spelling: the text itself when it is short, as most are, else a digest of it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Key {
    /// The whole text, padded with zeros, if it has at most 16 bytes; else its first and its last eight bytes.
    ends: (u64, u64),
    length: u32,
    hash: u32,
}

impl Key {
    /// An odd number that spreads bits upwards: 2^64 over the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn of(text: &str) -> Key {
        let text = text.as_bytes();
        let length = text.len();
        if length <= 16 {
            let mut word = [0; 16];
            word[..length].copy_from_slice(text);
            return Key::short(u128::from_le_bytes(word), length);
        }
        let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let ends = (word(text.first_chunk()), word(text.last_chunk()));
        let mut hash = Key::mix(Key::mix(length as u64, ends.0), ends.1);
        // The bytes in between; the last word may overlap the one before it.
        let mut at = 8;
        while at + 8 < length {
            hash = Key::mix(hash, word(text[at.min(length - 16)..].first_chunk()));
            at += 8;
        }
        Key { ends, length: length as u32, hash: (hash >> 32) as u32 }
    }

    /// The key of the first `length` (at most 16) bytes of `word`.
    #[inline]
    fn short(word: u128, length: usize) -> Key {
        let word = if length < 16 { word & ((1 << (8 * length)) - 1) } else { word };
        let ends = (word as u64, (word >> 64) as u64);
        let hash = Key::mix(Key::mix(length as u64, ends.0), ends.1);
        Key { ends, length: length as u32, hash: (hash >> 32) as u32 }
    }

    fn mix(hash: u64, word: u64) -> u64 {
        (hash.rotate_left(29) ^ word).wrapping_mul(Key::FACTOR)
    }

    /// Whether the key contains the whole text, so that equal keys mean equal texts.
    fn holds_whole_text(&self) -> bool {
        self.length <= 16
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl serde::Serialize for Symbol {
    /// As its spelling.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'d> serde::Deserialize<'d> for Symbol {
    fn deserialize<D: serde::Deserializer<'d>>(deserializer: D) -> Result<Symbol, D::Error> {
        String::deserialize(deserializer).map(|text| Symbol::intern(&text))
    }
}

/// Reads a text that stays for good.
///
/// # Errors
/// If there is no text.
pub fn kept_text<'d, D: serde::Deserializer<'d>>(deserializer: D) -> Result<&'static str, D::Error> {
    Symbol::deserialize(deserializer).map(Symbol::as_str)
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.as_str())
    }
}

/// The symbols that the program itself mentions, as constants that patterns can match.
pub mod sym {
    use super::Symbol;

    macro_rules! symbols {
        ($($name:ident = $text:literal,)*) => {
            pub(super) const ALL: &[&str] = &[$($text),*];
            #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "numbers the list")]
            enum Index { $($name),* }
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $name: Symbol = Symbol(Index::$name as u32);
            )*
        };
    }

    symbols! {
        // Symbols that the argument reader compares with come first.
        LPAREN = "(",
        RPAREN = ")",
        COMMA = ",",
        EMPTY = "",
        LBRACE = "{",
        RBRACE = "}",
        LBRACKET = "[",
        RBRACKET = "]",
        LESS = "<",
        GREATER = ">",
        SHL = "<<",
        SHR = ">>",
        SEMI = ";",
        COLON = ":",
        SCOPE = "::",
        ASSIGN = "=",
        HASH = "#",
        HASH_HASH = "##",
        ELLIPSIS = "...",
        STAR = "*",
        AMP = "&",
        AMP_AMP = "&&",
        BAR_BAR = "||",
        BANG = "!",
        QUESTION = "?",
        DOT = ".",
        ARROW = "->",
        TILDE = "~",
        PLUS = "+",
        MINUS = "-",
        SLASH = "/",
        PERCENT = "%",
        EQ_EQ = "==",
        BANG_EQ = "!=",
        LESS_EQ = "<=",
        GREATER_EQ = ">=",
        BAR = "|",
        CARET = "^",
        IF = "if",
        IFDEF = "ifdef",
        IFNDEF = "ifndef",
        ELIF = "elif",
        ELIFDEF = "elifdef",
        ELIFNDEF = "elifndef",
        ELSE = "else",
        ENDIF = "endif",
        DEFINE = "define",
        UNDEF = "undef",
        INCLUDE = "include",
        INCLUDE_NEXT = "include_next",
        IMPORT = "import",
        LINE = "line",
        PRAGMA = "pragma",
        ERROR = "error",
        WARNING = "warning",
        IDENT = "ident",
        EMBED = "embed",
        ONCE = "once",
        PUSH_MACRO = "push_macro",
        POP_MACRO = "pop_macro",
        DEFINED = "defined",
        VA_ARGS = "__VA_ARGS__",
        VA_OPT = "__VA_OPT__",
        COUNTER = "__COUNTER__",
        LINE_MACRO = "__LINE__",
        FILE_MACRO = "__FILE__",
        INCLUDE_LEVEL = "__INCLUDE_LEVEL__",
        BASE_FILE = "__BASE_FILE__",
        DATE = "__DATE__",
        TIME = "__TIME__",
        TIMESTAMP = "__TIMESTAMP__",
        HAS_INCLUDE = "__has_include",
        HAS_INCLUDE_NEXT = "__has_include_next",
        HAS_BUILTIN = "__has_builtin",
        HAS_ATTRIBUTE = "__has_attribute",
        HAS_CPP_ATTRIBUTE = "__has_cpp_attribute",
        HAS_C_ATTRIBUTE = "__has_c_attribute",
        HAS_FEATURE = "__has_feature",
        HAS_EXTENSION = "__has_extension",
        HAS_EMBED = "__has_embed",
        HAS_WARNING = "__has_warning",
        HAS_DECLSPEC_ATTRIBUTE = "__has_declspec_attribute",
        BUILDING_MODULE = "__building_module",
        IS_IDENTIFIER = "__is_identifier",
        PRAGMA_OPERATOR = "_Pragma",
        PRAGMA_MS = "__pragma",
        CUDA_ARCH = "__CUDA_ARCH__",
        CUDA_ARCH_SPECIFIC = "__CUDA_ARCH_SPECIFIC__",
        CUDA_ARCH_FAMILY_SPECIFIC = "__CUDA_ARCH_FAMILY_SPECIFIC__",
        CUDA_ARCH_LIST = "__CUDA_ARCH_LIST__",
        GLOBAL = "__global__",
        DEVICE = "__device__",
        HOST = "__host__",
        CONSTANT = "__constant__",
        SHARED = "__shared__",
        MANAGED = "__managed__",
        GRID_CONSTANT = "__grid_constant__",
        TEXTURE = "texture",
        SURFACE = "surface",
        LAUNCH_BOUNDS = "__launch_bounds__",
        CLUSTER_DIMS = "__cluster_dims__",
        BLOCK_SIZE = "__block_size__",
        MAXNREG = "__maxnreg__",
        LOCAL_MAXNREG = "__local_maxnreg__",
        FORCEINLINE = "__forceinline__",
        NOINLINE = "__noinline__",
        INLINE_GNU = "__inline__",
        INLINE_SHORT = "__inline",
        INLINE = "inline",
        RESTRICT = "__restrict__",
        ALIGN = "__align__",
        ATTRIBUTE = "__attribute__",
        ATTRIBUTE_SHORT = "__attribute",
        DECLSPEC = "__declspec",
        EXTENSION = "__extension__",
        BUILTIN_ALIGN = "__builtin_align__",
        TILE_GLOBAL = "__tile_global__",
        NV_PURE = "__nv_pure__",
        NAMESPACE = "namespace",
        EXTERN = "extern",
        TEMPLATE = "template",
        TYPENAME = "typename",
        CLASS = "class",
        STRUCT = "struct",
        UNION = "union",
        ENUM = "enum",
        TYPEDEF = "typedef",
        USING = "using",
        STATIC_ASSERT = "static_assert",
        STATIC_ASSERT_C = "_Static_assert",
        STATIC = "static",
        CONSTEXPR = "constexpr",
        CONSTEVAL = "consteval",
        CONSTINIT = "constinit",
        CONST = "const",
        VOLATILE = "volatile",
        MUTABLE = "mutable",
        REGISTER = "register",
        THREAD_LOCAL = "thread_local",
        FRIEND = "friend",
        VIRTUAL = "virtual",
        EXPLICIT = "explicit",
        OPERATOR = "operator",
        DECLTYPE = "decltype",
        AUTO = "auto",
        BEGIN = "begin",
        END = "end",
        GET = "get",
        NOEXCEPT = "noexcept",
        ALIGNAS = "alignas",
        REQUIRES = "requires",
        CONCEPT = "concept",
        EXPORT = "export",
        ASM = "asm",
        ASM_GNU = "__asm__",
        ASM_SHORT = "__asm",
        TRY = "try",
        CATCH = "catch",
        PUBLIC = "public",
        PRIVATE = "private",
        PROTECTED = "protected",
        FINAL = "final",
        OVERRIDE = "override",
        AND = "and",
        OR = "or",
        NOT = "not",
        XOR = "xor",
        BITAND = "bitand",
        BITOR = "bitor",
        COMPL = "compl",
        AND_EQ = "and_eq",
        OR_EQ = "or_eq",
        XOR_EQ = "xor_eq",
        NOT_EQ = "not_eq",
        TRUE = "true",
        FALSE = "false",
        SIZEOF = "sizeof",
        VOID = "void",
        BOOL = "bool",
        CHAR = "char",
        SHORT = "short",
        INT = "int",
        LONG = "long",
        FLOAT = "float",
        DOUBLE = "double",
        SIGNED = "signed",
        UNSIGNED = "unsigned",
        THIS = "this",
        NULLPTR = "nullptr",
        RETURN = "return",
        FOR = "for",
        WHILE = "while",
        DO = "do",
        SWITCH = "switch",
        CASE = "case",
        DEFAULT = "default",
        GOTO = "goto",
        BREAK = "break",
        CONTINUE = "continue",
        NEW = "new",
        DELETE = "delete",
        THROW = "throw",
        SPACESHIP = "<=>",
        ARROW_STAR = "->*",
        DOT_STAR = ".*",
        SHL_ASSIGN = "<<=",
        SHR_ASSIGN = ">>=",
        PLUS_PLUS = "++",
        MINUS_MINUS = "--",
        PLUS_ASSIGN = "+=",
        MINUS_ASSIGN = "-=",
        STAR_ASSIGN = "*=",
        SLASH_ASSIGN = "/=",
        PERCENT_ASSIGN = "%=",
        CARET_ASSIGN = "^=",
        AMP_ASSIGN = "&=",
        BAR_ASSIGN = "|=",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_symbols_have_their_spelling() {
        assert_eq!(sym::CUDA_ARCH.as_str(), "__CUDA_ARCH__");
        assert_eq!(Symbol::intern("##"), sym::HASH_HASH);
        assert_ne!(Symbol::intern("if"), sym::IFDEF);
    }

    #[test]
    fn a_spelling_beyond_the_limit_is_not_kept() {
        let literal = |middle: &str| format!("\"{}{middle}{}\"", "a".repeat(LONGEST), "é\\\"".repeat(END));
        let (one, other) = (Symbol::intern(&literal("b")), Symbol::intern(&literal("c")));
        assert_eq!(one, Symbol::intern(&literal("b")));
        assert_ne!(one, other);
        assert_ne!(one, Symbol::intern(&literal("bb")));
        assert!(one.as_str().len() < 4 * END);
        // It is one literal: each quotation mark between the outer ones is escaped.
        let inner =
            one.as_str().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("a literal");
        assert!(inner.starts_with("aaa"));
        assert!(inner.ends_with("é\\\""));
        assert!(!inner.replace("\\\"", "").contains(['"', '\\']));
    }

    #[test]
    fn a_spelling_within_the_limit_is_kept() {
        let literal = format!("\"{}\"", "a".repeat(LONGEST - 2));
        assert_eq!(Symbol::intern(&literal).as_str(), literal);
    }
}
