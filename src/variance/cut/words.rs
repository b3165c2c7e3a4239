//! The reserved words of C++, GNU C and CUDA.

use std::sync::LazyLock;

use crate::source::{Symbol, sym};

/// The role of a reserved word where declarations are cut and rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// An annotation without arguments: `__global__`, `__forceinline__`.
    Annotation,
    /// An annotation with arguments in parentheses: `__launch_bounds__(256)`, `__attribute__((…))`.
    AnnotationCall,
    /// `__align__(16)`, `alignas(16)`.
    Align,
    /// `asm` and its spellings.
    Asm,
    /// A word whose parentheses name a type: `decltype(x)`, `typeof(x)`.
    TypeCall,
    /// A word that takes parentheses and belongs to a declarator: `noexcept(…)`, `throw(…)`,
    /// `requires (…)`, `explicit(…)`.
    SpecifierCall,
    /// A type: `int`, `void`, `auto`.
    Type,
    /// Any other keyword.
    Keyword,
}

const WORDS: &[(Word, &str)] = &[
    (
        Word::Annotation,
        "__global__ __device__ __host__ __constant__ __shared__ __managed__ __grid_constant__ \
         __forceinline__ __noinline__ __inline__ __inline __extension__ __nv_pure__ __tile_global__ \
         __device_builtin__ __device_builtin_texture_type__ __device_builtin_surface_type__ \
         __cudart_builtin__ __inline_hint__ __forceinline _Noreturn __noreturn__",
    ),
    (
        Word::AnnotationCall,
        "__launch_bounds__ __cluster_dims__ __block_size__ __maxnreg__ __local_maxnreg__ __attribute__ \
         __attribute __declspec _Pragma __pragma",
    ),
    (Word::Align, "__align__ __builtin_align__ alignas _Alignas"),
    (Word::Asm, "asm __asm__ __asm"),
    (Word::TypeCall, "decltype __decltype typeof __typeof__ __typeof __underlying_type _Atomic"),
    (Word::SpecifierCall, "noexcept throw requires explicit"),
    (
        Word::Type,
        "void bool char short int long float double signed unsigned auto wchar_t char8_t char16_t char32_t \
         __int128 __float128 _Float16 __signed__ _Bool",
    ),
    (
        Word::Keyword,
        "namespace extern template typename class struct union enum typedef using static_assert \
         _Static_assert inline static constexpr consteval constinit const volatile mutable register \
         thread_local friend virtual operator concept export try catch public private protected final \
         override and or not xor bitand bitor compl and_eq or_eq xor_eq not_eq true false sizeof this \
         nullptr return if else for while do switch case default goto break continue new delete alignof \
         typeid static_cast dynamic_cast const_cast reinterpret_cast co_await co_return co_yield \
         __restrict__ __restrict restrict __volatile__ __const__ __const __thread __alignof__ __complex__",
    ),
];

/// Each word by its symbol's number, since nearly every token is asked about.
static TABLE: LazyLock<Vec<Option<Word>>> = LazyLock::new(|| {
    let words = WORDS.iter().flat_map(|(word, list)| list.split_whitespace().map(move |text| (*word, text)));
    let words: Vec<(Symbol, Word)> = words.map(|(word, text)| (Symbol::intern(text), word)).collect();
    let mut table = vec![None; words.iter().map(|(symbol, _)| symbol.index() + 1).max().unwrap_or(0)];
    words.iter().for_each(|(symbol, word)| table[symbol.index()] = Some(*word));
    table
});

/// The role of `symbol` if it is a reserved word; `None` for a name.
pub fn word(symbol: Symbol) -> Option<Word> {
    TABLE.get(symbol.index()).copied().flatten()
}

/// An unexpanded macro by the look of it: capitals, digits and underscores, two characters or more.
pub fn looks_like_macro(symbol: Symbol) -> bool {
    let text = symbol.as_str();
    text.len() > 1
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// A word that changes where and how something exists, not its type or value: `static`, `__device__`.
pub(in crate::variance) fn is_specifier(symbol: Symbol) -> bool {
    matches!(symbol, sym::INLINE | sym::STATIC | sym::CONSTEXPR) || word(symbol) == Some(Word::Annotation)
}
