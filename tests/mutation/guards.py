"""Conditions, types and constants that differ by pass in a wanted way, in the many ways that people write them.

In: a source of chance and a name nobody else has. Out: texts. It knows nothing of the places where they go.
"""

from dataclasses import dataclass


@dataclass
class Guard:
    """A condition: what must stand before it, its directive, and where what stands before goes, of `PLACES`."""

    before: str
    directive: str
    # The same condition as an expression of 0 or 1, for constants; the directive's when it has none.
    where: str = "here"


# Where the derivation of a condition stands: beside its use, at the top of the unit, in a new header, or in a header
# that the project has.
PLACES = ("here", "here", "top", "new header", "project header")


def conditions(low, high):
    """name of a set of passes -> conditions that just these meet, of the host and the targets `low` and `high`."""
    a, b = int(low.rstrip("af")) * 10, int(high.rstrip("af")) * 10
    arch = "__CUDA_ARCH__"
    newer = [f"defined({arch}) && {arch} >= {b}", f"{arch} >= {b}", f"{arch} > {a}", f"{b} <= {arch}", f"{arch} == {b}",
             f"({arch} / 100) == {b // 100}", f"defined({arch}) && ({arch} >= {b})"]
    older = [f"defined({arch}) && {arch} < {b}", f"{arch} == {a}", f"defined {arch} && !({arch} >= {b})",
             f"defined({arch}) && {arch} <= {a}"]
    host = [f"!defined({arch})", f"!defined {arch}", f"!({arch} > 0)", f"!{arch}"]
    return {
        "newer": newer,
        "older": older,
        "host": host,
        "device": [f"defined({arch})", f"{arch}", f"{arch} > 0", f"{arch} + 0 >= {a}"],
        "host and newer": [f"!defined({arch}) || {arch} >= {b}", f"!({arch} == {a})", f"!(defined({arch}) && {arch} < {b})",
                           f"!defined({arch}) || ({arch} > {a})"],
        "host and older": [f"!defined({arch}) || {arch} < {b}", f"{arch} < {b}", f"!({arch} >= {b})",
                           f"!(defined({arch}) && {arch} >= {b})"],
        "all": [f"!defined({arch}) || {arch} >= {a}", f"{arch} < {b + 1000}", f"!({arch} == 610)", "defined(__CUDACC__)",
                f"!defined({arch}) || {arch} >= 700", f"!(defined({arch}) && {arch} < 600)"],
    }


def guard(random, name, passes, targets, styles=None):
    """A guard that just these passes enter."""
    expression = random.choice(conditions(*targets)[passes])
    style = random.choice(styles or ("plain", "plain", "flag", "value", "architecture", "function", "two steps", "else"))
    place = random.choice(PLACES)
    upper = name.upper()
    if style == "plain":
        return Guard("", f"#if {expression}")
    if style == "flag":
        return Guard(f"#if {expression}\n#define {upper}_ON\n#endif\n", random.choice((f"#ifdef {upper}_ON", f"#if defined({upper}_ON)")), place)
    if style == "value":
        return Guard(f"#if {expression}\n#define {upper}_ON 1\n#else\n#define {upper}_ON 0\n#endif\n", f"#if {upper}_ON", place)
    if style == "architecture":
        text = f"#ifdef __CUDA_ARCH__\n#define {upper}_ARCH __CUDA_ARCH__\n#endif\n"
        return Guard(text, f"#if {expression.replace('__CUDA_ARCH__', upper + '_ARCH')}", place)
    if style == "function":
        return Guard(f"#define {upper}_IF(on, off) ({expression} ? on : off)\n" if "defined" not in expression else
                     f"#if {expression}\n#define {upper}_IF(on, off) (on)\n#else\n#define {upper}_IF(on, off) (off)\n#endif\n",
                     f"#if {upper}_IF(1, 0)", place)
    if style == "two steps":
        text = (f"#if {expression}\n#define {upper}_FEATURE\n#endif\n#ifdef {upper}_FEATURE\n#define {upper}_LEVEL 2\n"
                f"#else\n#define {upper}_LEVEL 1\n#endif\n")
        return Guard(text, random.choice((f"#if {upper}_LEVEL >= 2", f"#if {upper}_LEVEL == 2", f"#if {upper}_LEVEL > 1")), place)
    return Guard("", f"#if !({expression})\n#else")


def either(one, then, otherwise):
    """`then` where the guard holds, `otherwise` elsewhere."""
    if one.directive.endswith("#else"):
        return f"{one.directive[:-6]}\n{otherwise}\n#else\n{then}\n#endif\n"
    return f"{one.directive}\n{then}\n#else\n{otherwise}\n#endif\n"


def only(one, text):
    """`text` where the guard holds."""
    return f"{one.directive}\n{text}\n#endif\n"


def type_by_pass(random, name, one, then, otherwise):
    """(declarations, a name of the type) for a type that is `then` under the guard and `otherwise` elsewhere."""
    upper = name.upper()
    style = random.choice(TYPE_STYLES)
    if style == "alias":
        return either(one, f"using {name}_t = {then};", f"using {name}_t = {otherwise};"), f"{name}_t"
    if style == "typedef":
        return either(one, f"typedef {then} {name}_t;", f"typedef {otherwise} {name}_t;"), f"{name}_t"
    if style == "macro":
        return either(one, f"#define {upper}_T {then}", f"#define {upper}_T {otherwise}"), f"{upper}_T"
    if style == "member":
        body = either(one, f"    using type = {then};", f"    typedef {otherwise} type;")
        return f"struct {name}_traits {{\n{body}}};\n", f"{name}_traits::type"
    if style == "member of a template":
        body = either(one, f"    using type = {then};", f"    using type = {otherwise};")
        return f"template <class T> struct {name}_traits {{\n{body}}};\n", f"typename {name}_traits<int>::type"
    if style == "specialization":
        value = either(one, f"#define {upper}_N 2", f"#define {upper}_N 1")
        return (f"{value}template <int N> struct {name}_pick {{ using type = {otherwise}; }};\n"
                f"template <> struct {name}_pick<2> {{ using type = {then}; }};\n", f"typename {name}_pick<{upper}_N>::type")
    if style == "decltype":
        return either(one, f"{then} {name}_make();", f"{otherwise} {name}_make();"), f"decltype({name}_make())"
    if style == "conditional":
        value = either(one, f"constexpr bool {name}_on = true;", f"constexpr bool {name}_on = false;")
        return value, f"std::conditional<{name}_on, {then}, {otherwise}>::type"
    if style == "alias template":
        text = either(one, f"template <class T> using {name}_t = {then};", f"template <class T> using {name}_t = {otherwise};")
        return text, f"{name}_t<char>"
    if style == "two aliases":
        return either(one, f"using {name}_a = {then};", f"using {name}_a = {otherwise};") + f"typedef {name}_a {name}_b;\n", f"{name}_b"
    text = f"namespace {name}_one {{ using type = {then}; }}\nnamespace {name}_two {{ using type = {otherwise}; }}\n"
    return text + either(one, f"namespace {name} = {name}_one;", f"namespace {name} = {name}_two;"), f"{name}::type"


TYPE_STYLES = ("alias", "typedef", "macro", "member", "member of a template", "specialization", "decltype", "conditional",
               "alias template", "two aliases", "namespace alias")


def constant_by_pass(random, name, one, then, otherwise):
    """(declarations, an expression) for an integer constant."""
    upper = name.upper()
    style = random.choice(CONSTANT_STYLES)
    if style == "macro":
        return either(one, f"#define {upper}_N {then}", f"#define {upper}_N {otherwise}"), f"{upper}_N"
    if style == "constexpr":
        return either(one, f"constexpr int {name}_n = {then};", f"constexpr int {name}_n = {otherwise};"), f"{name}_n"
    if style == "const":
        return either(one, f"static const int {name}_n = {then};", f"static const int {name}_n = {otherwise};"), f"{name}_n"
    if style == "enumerator":
        return f"enum {{\n{either(one, f'    {name}_n = {then}', f'    {name}_n = {otherwise}')}}};\n", f"(int){name}_n"
    if style == "static member":
        body = either(one, f"    static constexpr int value = {then};", f"    static constexpr int value = {otherwise};")
        return f"struct {name}_config {{\n{body}}};\n", f"{name}_config::value"
    if style == "function":
        body = either(one, f"    return {then};", f"    return {otherwise};")
        return f"__host__ __device__ constexpr int {name}_n() {{\n{body}}}\n", f"{name}_n()"
    if style == "trait":
        value = either(one, f"#define {upper}_T {name}_new", f"#define {upper}_T {name}_old")
        return (f"struct {name}_new {{}};\nstruct {name}_old {{}};\n{value}"
                f"template <class T> struct {name}_tile {{ static constexpr int value = {otherwise}; }};\n"
                f"template <> struct {name}_tile<{name}_new> {{ static constexpr int value = {then}; }};\n", f"{name}_tile<{upper}_T>::value")
    if style == "conditional expression":
        value = either(one, f"constexpr bool {name}_on = true;", f"constexpr bool {name}_on = false;")
        return value, f"({name}_on ? {then} : {otherwise})"
    return either(one, f"#define {upper}_FACTOR 2", f"#define {upper}_FACTOR 1"), f"({upper}_FACTOR == 2 ? {then} : {otherwise})"


CONSTANT_STYLES = ("macro", "constexpr", "const", "enumerator", "static member", "function", "trait",
                   "conditional expression", "factor")
