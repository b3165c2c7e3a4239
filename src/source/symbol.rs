//! Interned spellings: two equal spellings are one [`Symbol`], compared as an integer.

use std::cell::RefCell;
use std::fmt;
use std::sync::{LazyLock, Mutex};

use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::lex::Token;

/// One table for the whole process: symbols from different units and threads compare equal.
static TABLE: LazyLock<Mutex<IndexSet<&str, FxBuildHasher>>> = LazyLock::new(|| {
    let table: IndexSet<_, _> = sym::ALL.iter().copied().collect();
    assert_eq!(table.len(), sym::ALL.len(), "no spelling is listed twice");
    Mutex::new(table)
});

/// Why the table's lock is never poisoned.
const NO_PANIC: &str = "no thread panics while it holds the table";

/// An interned spelling: an identifier, a punctuator, a literal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol for `text`, the same one for equal texts.
    pub fn intern(text: &str) -> Symbol {
        with_known(|known| known.intern(text))
    }

    /// The spelling.
    pub fn as_str(self) -> &'static str {
        with_known(|known| known.text(self))
    }

    /// A number below that of every symbol yet to come: symbols are numbered from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a thread knows of the table: asking it costs no lock.
#[derive(Default)]
pub(super) struct Known {
    /// Hashes and symbols.
    symbols: HashTable<(u32, Symbol)>,
    /// The last of them that was asked for, by some bits of the hash.
    recent: Vec<(u32, Symbol)>,
    /// By symbol.
    texts: Vec<&'static str>,
    /// An empty list in which a lexer's tokens grow.
    pub(super) scratch: Vec<Token>,
}

/// Does something with what this thread knows; not again inside it.
pub(super) fn with_known<T>(what: impl FnOnce(&mut Known) -> T) -> T {
    thread_local! {
        static KNOWN: RefCell<Known> = RefCell::default();
    }
    KNOWN.with_borrow_mut(what)
}

impl Known {
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        let hash = hash_of(text.as_bytes());
        let short = hash as u32;
        let texts = &self.texts;
        // Most spellings come again soon: a look here is shorter than one into the table.
        let recent = (hash >> 40) as usize % RECENT;
        if let Some((its, symbol)) = self.recent.get(recent)
            && *its == short
            && same(texts[symbol.index()], text)
        {
            return *symbol;
        }
        self.recent.resize(RECENT, (0, sym::EMPTY));
        let is_it = |(its, symbol): &(u32, Symbol)| *its == short && same(texts[symbol.index()], text);
        if let Some((_, symbol)) = self.symbols.find(hash, is_it) {
            self.recent[recent] = (short, *symbol);
            return *symbol;
        }
        let symbol = {
            let mut table = TABLE.lock().expect(NO_PANIC);
            let index = match table.get_index_of(text) {
                Some(index) => index,
                None => table.insert_full(Box::leak(text.into())).0,
            };
            self.texts.extend(table.as_slice()[self.texts.len()..].iter().copied());
            Symbol(u32::try_from(index).expect("memory holds fewer than 2^32 spellings"))
        };
        let texts = &self.texts;
        let rehash = |(_, symbol): &(u32, Symbol)| hash_of(texts[symbol.index()].as_bytes());
        self.symbols.insert_unique(hash, (short, symbol), rehash);
        self.recent[recent] = (short, symbol);
        symbol
    }

    fn text(&mut self, symbol: Symbol) -> &'static str {
        if let Some(text) = self.texts.get(symbol.index()) {
            return text;
        }
        let table = TABLE.lock().expect(NO_PANIC);
        self.texts.extend(table.as_slice()[self.texts.len()..].iter().copied());
        self.texts[symbol.index()]
    }
}

/// How many spellings are kept at hand.
const RECENT: usize = 1 << 13;

/// A hash for spellings, which are short: their ends, their middle and their length.
fn hash_of(text: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let length = text.len();
    let word = |at: usize| text[at..].first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let half = |at: usize| text[at..].first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let (first, last) = match length {
        0 => (0, 0),
        1..=3 => (u64::from(text[0]) | u64::from(text[length / 2]) << 8, u64::from(text[length - 1])),
        4..=7 => (u64::from(half(0)), u64::from(half(length - 4))),
        _ => (word(0), word(length - 8)),
    };
    let mut hash = (first ^ (length as u64)).wrapping_mul(K);
    hash = (hash.rotate_left(29) ^ last).wrapping_mul(K);
    for chunk in text.get(8..length.saturating_sub(8)).unwrap_or_default().chunks_exact(8) {
        let word = chunk.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(K);
    }
    hash ^ hash >> 32
}

/// Whether two texts are equal. Spellings are short: comparing them here is faster than a call for it.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>()) {
        (Some(a_first), Some(b_first), Some(a_last), Some(b_last)) => {
            a_first == b_first && a_last == b_last && (a.len() <= 16 || a == b)
        }
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.as_str())
    }
}

/// Symbols the program itself names, as constants that can be matched on.
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
        LPAREN = "(",
        RPAREN = ")",
        LBRACE = "{",
        RBRACE = "}",
        LBRACKET = "[",
        RBRACKET = "]",
        LESS = "<",
        GREATER = ">",
        SHL = "<<",
        SHR = ">>",
        COMMA = ",",
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
        EMPTY = "",
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
}
