//! Names of kernels and variables as people know them.

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// The prefix that nvcc gives the name of a kernel or variable with internal linkage in separate compilation: the
/// length of what follows, then a hash, the file and a name from it.
const STATIC: &str = "__nv_static_";

/// The beginning of the scope that nvcc gives variables with internal linkage in whole programs: a hash and the file follow.
const INTERNAL: &str = "_INTERNAL_";

/// How deep names may be nested: deeper than any compiler's, and what a stack can take.
const DEEPEST: u32 = 192;

/// The longest name that is demangled; kernels of libraries of templates have some 10,000 characters.
const LONGEST: usize = 1 << 16;

/// A name as C++ spells it, without the scope that nvcc gives variables with internal linkage; as it stands if it is no
/// mangled name.
pub fn readable(name: &str) -> String {
    let name = plain(name);
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return name.to_string();
    }
    let parse = ParseOptions::default().recursion_limit(DEEPEST);
    let print = DemangleOptions::new().recursion_limit(DEEPEST);
    let symbol = Symbol::new_with_options(name, &parse).ok();
    let demangled = symbol.and_then(|symbol| symbol.demangle_with_options(&print).ok());
    let demangled = demangled.unwrap_or_else(|| name.to_string());
    let inner = demangled.strip_prefix(INTERNAL).and_then(|rest| Some(rest.split_once("::")?.1));
    inner.map(str::to_string).unwrap_or(demangled)
}

/// A name without what nvcc puts before those with internal linkage:
/// `__nv_static_25__c736ead9_5_r1_cu__Z2k1Pi__Z2stPi` is `_Z2stPi`.
pub fn plain(name: &str) -> &str {
    let of_static = || {
        let (length, rest) = name.strip_prefix(STATIC)?.split_once('_')?;
        rest.get(length.parse::<usize>().ok()?..)?.strip_prefix('_')
    };
    of_static().filter(|name| !name.is_empty()).unwrap_or(name)
}

/// The list of parameters that a function's name ends with, parentheses and all; nothing for a name without one.
pub fn parameters(readable: &str) -> &str {
    readable.get(open(readable)..).unwrap_or_default()
}

/// A function's name without the type of its result and its parameters.
pub fn function(readable: &str) -> &str {
    let name = &readable[..open(readable)];
    let mut brackets = Brackets::default();
    let mut start = 0;
    for (at, c) in name.char_indices() {
        if brackets.step(c) == 0 && c == ' ' {
            start = at + 1;
        }
    }
    &name[start..]
}

/// The kernel or variable is an instance of a template, as far as its symbol tells: which are made, each pass decides.
pub fn is_instance(symbol: &str) -> bool {
    if let Some(known) = has_arguments(plain(symbol)) {
        return known;
    }
    let readable = readable(symbol);
    // What no demangler reads is a template's: an extended lambda is an argument of its own kind.
    readable.starts_with("_Z") || function(&readable).contains('<')
}

/// Whether a mangled name has template arguments, so far as its beginning tells: for most, no demangler has to be asked.
fn has_arguments(mangled: &str) -> Option<bool> {
    after_scopes(mangled).map(|rest| rest.starts_with('I'))
}

/// The encoded types of a function's parameters, by a mangled name that has neither template arguments nor anything else
/// than identifiers in it: `iPi` of `_Z1kiPi` and `_ZN2ns1kEiPi`.
pub(super) fn encoded_types(mangled: &str) -> Option<&str> {
    let rest = after_scopes(mangled).filter(|rest| !rest.starts_with('I'))?;
    if mangled.starts_with("_ZN") { rest.strip_prefix('E') } else { Some(rest) }
}

/// What follows the identifiers that a mangled name begins with, if that is template arguments or the name's end.
fn after_scopes(mangled: &str) -> Option<&str> {
    let mut rest = mangled.strip_prefix("_Z")?;
    let nested = rest.starts_with('N');
    rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut parts = 0;
    while parts == 0 || nested {
        rest = rest.strip_prefix('L').unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            break;
        }
        rest = rest[digits..].get(rest[..digits].parse().ok()?..)?;
        parts += 1;
    }
    // An ABI tag, an operator, a local name: there is much else.
    let ends = match rest.bytes().next() {
        Some(b'I') => true,
        Some(b'E') => nested,
        next => !nested && next != Some(b'B'),
    };
    (ends && parts > 0).then_some(rest)
}

/// The brackets that are open in a name. `<` and `>` inside of parentheses may be operators: `enable_if<((8)>(0))>`.
#[derive(Debug, Default)]
pub struct Brackets {
    open: Vec<char>,
}

impl Brackets {
    /// None is open.
    pub fn is_closed(&self) -> bool {
        self.open.is_empty()
    }

    /// How deep it is behind a character.
    pub fn step(&mut self, c: char) -> usize {
        match c {
            '<' | '(' => self.open.push(c),
            ')' => {
                let opened = self.open.iter().rposition(|open| *open == '(');
                self.open.truncate(opened.unwrap_or(self.open.len()));
            }
            '>' if self.open.last() == Some(&'<') => drop(self.open.pop()),
            _ => {}
        }
        self.open.len()
    }
}

/// Where the list of parameters at the end of a name begins; its length if there is none.
fn open(readable: &str) -> usize {
    let mut depth = 0_i32;
    for (at, byte) in readable.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 1 => return at,
            b'(' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    readable.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_sources() {
        assert_eq!(plain("__nv_static_25__c736ead9_5_r1_cu__Z2k1Pi__Z2stPi"), "_Z2stPi");
        assert_eq!(readable("__nv_static_25__c736ead9_5_r1_cu__Z2k1Pi__Z2stPi"), "st(int*)");
        assert_eq!(
            readable("_ZN33_GLOBAL__N__0afd850d_4_a_cu_cname4anonEdcPi"),
            "(anonymous namespace)::anon(double, char, int*)"
        );
        assert_eq!(readable("scale"), "scale");
        assert_eq!(readable("_ZN29_INTERNAL_11c37d2e_4_v_cu_arr6kWidthIlEE"), "kWidth<long>");
        assert_eq!(readable("_ZN3lib10_INTERNAL_E"), "lib::_INTERNAL_");
        let name = "void ns::run<int, (Mode)1>(void (*)(int), ns::Pair<int, char> &)";
        assert_eq!(parameters(name), "(void (*)(int), ns::Pair<int, char> &)");
        assert_eq!(function(name), "ns::run<int, (Mode)1>");
        let name = "std::enable_if<((8)>(0))&&A<int>::value, void>::type ns::norm<int, 8>(int*)";
        assert_eq!(function(name), "ns::norm<int, 8>");
        assert_eq!(function("(anonymous namespace)::k<int>(int)"), "(anonymous namespace)::k<int>");
        assert_eq!((parameters("scale"), function("scale")), ("", "scale"));
        let with = ["_Z5scaleILi16EEvPf", "_ZN2ns3runIZ4fillPiEUnvdl1_EEvT_", "_ZL1kIiEvv", "_ZN1SIiE1vE"];
        let without = [
            "_Z5scalePf",
            "_ZN2ns4fillEPi",
            "_ZN33_GLOBAL__N__0afd850d_4_a_cu_cname4anonEdcPi",
            "_ZL1g",
            "_Z1v",
        ];
        for name in with.into_iter().chain(without) {
            let readable = readable(name);
            let by_demangler = readable.starts_with("_Z") || function(&readable).contains('<');
            assert_eq!(
                (has_arguments(name), by_demangler),
                (Some(with.contains(&name)), with.contains(&name)),
                "{name}"
            );
        }
        for unsure in ["scale", "_ZSt4swapv", "_ZZ1fvE1x", "_Z1kB3tagv", "_Z99a", "_Z1é", "_ZN", "_ZNSt1aE"]
        {
            assert_eq!(has_arguments(unsure), None, "{unsure}");
        }
        assert_eq!((encoded_types("_Z1kiPi"), encoded_types("_ZN2ns1kEiPi")), (Some("iPi"), Some("iPi")));
        assert_eq!((encoded_types("_Z1kIiEvv"), encoded_types("_ZNK1SixEi")), (None, None));
        for odd in ["_Z", "__nv_static_", "__nv_static_99_x", "__nv_static_3_é_", "_ZN"] {
            assert!(!readable(odd).is_empty());
        }
    }
}
