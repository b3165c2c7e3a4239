"""The kinds of mutation: bugs that the guide's restrictions name, and changes that only look like them.

In: a real unit, a source of chance, a name nobody else has. Out: edits of its texts, what they touch, and under which
rules a bug must be found; or nothing, where the unit has no place for the kind. A kind's docstring says what it does.
Whether a mutant is what its kind says is for nvcc to confirm.
"""

import re
from dataclasses import dataclass, field

from guards import Guard, constant_by_pass, either, guard, only, type_by_pass

SIGNATURE, INSTANTIATION = "arch-dependent-signature", "arch-dependent-instantiation"
DEFINITION, LAYOUT = "arch-dependent-definition", "arch-dependent-layout"
# Types that a parameter can have instead without breaking ordinary uses of it.
OTHERS = {
    "int": ("long long", "unsigned", "short", "long"),
    "unsigned": ("unsigned long long", "int"),
    "unsigned int": ("unsigned long long", "int", "unsigned short"),
    "uint": ("unsigned long long", "int"),
    "float": ("double",),
    "double": ("float",),
    "size_t": ("unsigned", "int", "unsigned long long"),
    "bool": ("int", "unsigned char"),
    "long": ("int", "long long"),
    "int64_t": ("int", "long long"),
    "uint32_t": ("unsigned long long", "int"),
    "int32_t": ("long", "unsigned"),
    "long long": ("long", "int"),
    "unsigned char": ("int", "char"),
}
SPELLINGS = {
    "int": ("signed", "signed int", "int32_t"),
    "unsigned": ("unsigned int", "uint32_t"),
    "unsigned int": ("unsigned", "uint32_t"),
    "uint": ("unsigned int",),
    "size_t": ("unsigned long", "decltype(sizeof(0))"),
    "long": ("long int", "signed long"),
    "int64_t": ("long", "long int"),
    "long long": ("signed long long", "long long int"),
    "float": ("decltype(0.0f)",),
    "double": ("decltype(0.0)",),
    "bool": ("decltype(true)",),
}
ANY = ("newer", "older", "host", "device", "host and newer", "host and older")
HOST_HAS = ("host", "host and newer", "host and older")


@dataclass
class Edit:
    """`text` in the place of a range of a file; a file that is not there is made."""

    path: object
    start: int
    end: int
    text: str


@dataclass
class Mutant:
    kind: object
    edits: list
    names: set  # kernels or variables that nvcc must find in disagreement, or in agreement
    expects: set = field(default_factory=set)  # names one of which a finding must say; `names` when empty
    number: int = 0


@dataclass
class Kind:
    name: str
    is_bug: bool
    rules: tuple
    make: object


KINDS = []


def kind(is_bug, *rules):
    def add(make):
        KINDS.append(Kind(make.__name__.replace("_", "-"), is_bug, rules, make))
        return make

    return add


def bug(*rules):
    return kind(True, *rules)


harmless = kind(False)


# --- places -----------------------------------------------------------------------------------------------------


def before(unit, random, source, at, name, one, text):
    """Edits that put `text` before the outermost declaration at `at`, and what the guard needs where it wants it."""
    edits, own = [], one.before
    if own and one.where == "top":
        edits.append(Edit(unit.main.path, 0, 0, own))
    elif own and one.where == "new header":
        edits.append(Edit(source.path.parent / f"{name}.cuh", 0, 0, f"#pragma once\n{own}"))
        text = f'#include "{name}.cuh"\n{text}'
    elif own and one.where == "project header" and unit.headers_of(source):
        header = random.choice(unit.headers_of(source))
        place = header.after_guard()
        edits.append(Edit(header.path, place, place, f"\n{own}"))
    else:
        text = own + text
    if text:
        edits.append(Edit(source.path, at, at, f"\n{text}"))
    return edits


def around(source, low, high, one):
    """Edits that put a guard around a range."""
    return [Edit(source.path, low, low, f"\n{one.directive}\n"), Edit(source.path, high, high, "\n#endif\n")]


def plain_type(parameter):
    """The arithmetic type of a by-value parameter, or None."""
    if not parameter.type:
        return None
    text = " ".join(word for word in parameter.words if word != "const")
    return text if text in OTHERS else None


def choose_kernel(unit, random, wanted):
    kernels = [(source, kernel) for source, kernel in unit.kernels if wanted(kernel)]
    return random.choice(kernels) if kernels else (None, None)


def choose_launch(unit, random, wanted):
    launches = [(source, launch) for source, launch in unit.launches if wanted(launch)]
    return random.choice(launches) if launches else (None, None)


def mutable_parameter(unit, random, wanted=lambda kernel, parameter: plain_type(parameter)):
    """A kernel that no declaration precedes, with a parameter that is wanted."""
    found = []
    for source, kernel in unit.kernels:
        if kernel.name not in unit.declared:
            found += [(source, kernel, parameter) for parameter in kernel.parameters if wanted(kernel, parameter)]
    return random.choice(found) if found else (None, None, None)


def template_argument(unit, random):
    """(source, launch, range, text, values): an explicit argument of a launched template, and other values for it."""
    found = []
    for source, launch in unit.launches:
        if launch.kernel not in unit.templates:
            continue
        for low, high in launch.arguments:
            text = source.text[low:high]
            if re.fullmatch(r"\d{1,5}", text):
                value = int(text)
                found.append((source, launch, (low, high), text, [str(other) for other in {value * 2, value + 1, value // 2} - {value, 0}]))
            elif text in ("true", "false"):
                found.append((source, launch, (low, high), text, ["false" if text == "true" else "true"]))
    return random.choice(found) if found else None


def by_pass(random, name, unit, passes=ANY):
    return guard(random, name, random.choice(passes), unit.targets)


# --- bugs -------------------------------------------------------------------------------------------------------


@bug(SIGNATURE)
def parameter_type(unit, random, name):
    """A by-value parameter of a kernel gets another arithmetic type in some passes, through an alias, a macro, a
    member of a class, a specialization, `decltype`, `std::conditional` or a namespace alias."""
    source, kernel, parameter = mutable_parameter(unit, random)
    if not kernel:
        return None
    own = plain_type(parameter)
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, random.choice(OTHERS[own]), own)
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, *parameter.type, f"{spelled} ")], {kernel.name}


@bug(SIGNATURE)
def pointee_type(unit, random, name):
    """What a pointer parameter points to is `const` in some passes and not in others."""

    def is_const(kernel, parameter):
        return parameter.type and parameter.words[:1] == ["const"] and parameter.words.count("*") == 1 and not kernel.is_template

    source, kernel, parameter = mutable_parameter(unit, random, is_const)
    if not kernel:
        return None
    star = parameter.words.index("*")
    own = " ".join(parameter.words[: star + 1])
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, own.removeprefix("const "), own)
    if any(word not in OTHERS for word in parameter.words[1:star]):
        return None
    rest = " ".join(parameter.words[star + 1 :])
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, *parameter.type, f"{spelled} {rest} ")], {kernel.name}


@bug(SIGNATURE)
def parameter_through_a_class(unit, random, name):
    """A by-value parameter's type is named in a class that a base or a nested class of another hands on."""
    source, kernel, parameter = mutable_parameter(unit, random)
    if not kernel:
        return None
    own = plain_type(parameter)
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, random.choice(OTHERS[own]), own)
    shape = random.choice(("base", "nested", "parameter"))
    if shape == "base":
        text += f"struct {name}_base {{ using element = {spelled}; }};\nstruct {name}_policy : {name}_base {{}};\n"
        spelled = f"{name}_policy::element"
    elif shape == "nested":
        text += f"struct {name}_policy {{ struct inner {{ typedef {spelled} element; }}; }};\n"
        spelled = f"{name}_policy::inner::element"
    else:
        text += f"template <class E> struct {name}_policy {{ using element = E; }};\n"
        spelled = f"typename {name}_policy<{spelled}>::element"
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, *parameter.type, f"{spelled} ")], {kernel.name}


@bug(SIGNATURE)
def extra_parameter(unit, random, name):
    """A kernel has one parameter more, with a default, in some passes."""
    source, kernel = choose_kernel(
        unit, random, lambda kernel: kernel.parameters and kernel.name not in unit.declared and not kernel.is_template)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, kernel.close - 1, kernel.close - 1, f"\n{only(one, f', int {name}_extra = 0')}")], {kernel.name}


@bug(SIGNATURE, DEFINITION)
def kernel_in_two_versions(unit, random, name):
    """A kernel stands twice, in the arms of one conditional, and the versions differ in a parameter's type."""
    source, kernel, parameter = mutable_parameter(unit, random, lambda kernel, parameter: plain_type(parameter) and not kernel.is_template)
    if not kernel or not source.balanced(kernel.start, kernel.end):
        return None
    one = by_pass(random, name, unit)
    own = source.text[kernel.start : kernel.end]
    low, high = parameter.type[0] - kernel.start, parameter.type[1] - kernel.start
    other = own[:low] + random.choice(OTHERS[plain_type(parameter)]) + " " + own[high:]
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, kernel.start, kernel.end, f"\n{either(one, other, own)}")], {kernel.name}


@bug(INSTANTIATION, SIGNATURE)
def constant_argument(unit, random, name):
    """An explicit argument of a launched kernel template, a number or a truth value, depends on the pass."""
    found = template_argument(unit, random)
    if not found:
        return None
    source, launch, place, own, others = found
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, random.choice(others), own)
    edits = before(unit, random, source, launch.outermost, name, one, text)
    return edits + [Edit(source.path, *place, spelled)], {launch.kernel}


@bug(INSTANTIATION, SIGNATURE)
def scaled_argument(unit, random, name):
    """A named constant among a launched template's arguments is multiplied by a factor that depends on the pass."""
    found = [
        (source, launch, place) for source, launch in unit.launches if launch.kernel in unit.templates
        for place in launch.arguments if re.fullmatch(r"[A-Z][A-Z0-9_]{2,}|k[A-Z]\w+", source.text[slice(*place)])
    ]
    if not found:
        return None
    source, launch, place = random.choice(found)
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "2", "1")
    edits = before(unit, random, source, launch.outermost, name, one, text)
    return edits + [Edit(source.path, *place, f"({source.text[slice(*place)]}) * {spelled}")], {launch.kernel}


@bug(INSTANTIATION, SIGNATURE)
def type_argument(unit, random, name):
    """An explicit type argument of a launched kernel template depends on the pass."""
    found = [
        (source, launch, place) for source, launch in unit.launches if launch.kernel in unit.templates
        for place in launch.arguments if source.text[slice(*place)] in OTHERS
    ]
    if not found:
        return None
    source, launch, place = random.choice(found)
    own = source.text[slice(*place)]
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, random.choice(OTHERS[own]), own)
    edits = before(unit, random, source, launch.outermost, name, one, text)
    return edits + [Edit(source.path, *place, spelled)], {launch.kernel}


@bug(INSTANTIATION, SIGNATURE)
def deduced_argument(unit, random, name):
    """A launch deduces a template argument from a value whose type depends on the pass."""
    found = []
    kernels = {kernel.name: kernel for _, kernel in unit.kernels if kernel.head}
    for source, launch in unit.launches:
        kernel = kernels.get(launch.kernel)
        if not kernel or launch.arguments or len(launch.call) != len(kernel.parameters):
            continue
        types = {head for kind, head in kernel.head if kind in ("class", "typename")}
        # One that no other parameter mentions, or deduction would contradict itself.
        alone = [word for word in types if sum(word in parameter.words for parameter in kernel.parameters) == 1]
        for place, parameter in zip(launch.call, kernel.parameters):
            words = [word for word in parameter.words if word != "const"]
            if len(words) == 1 and words[0] in alone:
                found.append((source, launch, place))
    if not found:
        return None
    source, launch, place = random.choice(found)
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, *random.choice((("long long", "int"), ("float", "double"), ("double", "float"))))
    edits = before(unit, random, source, launch.outermost, name, one, text)
    value = source.text[slice(*place)]
    return edits + [Edit(source.path, *place, f"static_cast<{spelled}>({value})")], {launch.kernel}


@bug(INSTANTIATION)
def argument_through_a_generic_lambda(unit, random, name):
    """A launch takes a template argument from the type of a generic lambda's parameter, whose value depends on the pass."""
    found = template_argument(unit, random)
    if not found or not found[1].statement:
        return None
    source, launch, (low, high), own, others = found
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, random.choice(others), own)
    edits = before(unit, random, source, launch.outermost, name, one, text)
    kind = "int" if own.isdigit() else "bool"
    begin, end = launch.statement
    return edits + [
        Edit(source.path, begin, begin, f"[&](auto {name}_tag) {{ "),
        Edit(source.path, low, high, f"decltype({name}_tag)::value"),
        Edit(source.path, end, end, f" }}(std::integral_constant<{kind}, {spelled}>());"),
    ], {launch.kernel}


@bug(INSTANTIATION)
def discarded_launch(unit, random, name):
    """The launch of a kernel template stands in an `if constexpr` that some device passes discard."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    text, spelled = constant_by_pass(random, name, one, "1", "0")
    edits = before(unit, random, source, launch.outermost, name, one, text)
    low, high = launch.statement
    return edits + [Edit(source.path, low, low, f"if constexpr ({spelled} != 0) {{ "), Edit(source.path, high, high, " }")], {launch.kernel}


@bug(INSTANTIATION)
def guarded_launch(unit, random, name):
    """The launch of a kernel template is left out in some device passes."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    edits = before(unit, random, source, launch.outermost, name, one, "")
    return edits + around(source, *launch.statement, one), {launch.kernel}


@bug(INSTANTIATION)
def guarded_launcher(unit, random, name):
    """A launch stands in a lambda, generic or not, that some device passes leave out."""
    source, launch = choose_launch(
        unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    low, high = launch.statement
    parameter, argument = random.choice((("", ""), ("auto", "0"), ("int", "1")))
    edits = before(unit, random, source, launch.outermost, name, one, "")
    return edits + [Edit(source.path, low, low, f"\n{one.directive}\n[&]({parameter}) {{ "),
                    Edit(source.path, high, high, f" }}({argument});\n#endif\n")], {launch.kernel}


@bug(INSTANTIATION)
def guarded_mention(unit, random, name):
    """An instantiation that nothing else asks for is asked for by an address taken in some passes only."""
    return mention(unit, random, name, HOST_HAS)


def mention(unit, random, name, passes):
    source, kernel, arguments, parameters = new_instantiation(unit, random)
    if not kernel:
        return None
    one = by_pass(random, name, unit, passes)
    mentioned = f"(void *)(void (*)({parameters}))&{kernel.name}<{arguments}>"
    shape = random.choice(("address", "attribute", "table"))
    if shape == "table":
        text = only(one, f"static void *{name}_table[] = {{ {mentioned} }};")
    elif shape == "attribute":
        text = only(one, f"static inline void {name}_prepare() {{ cudaFuncSetAttribute({mentioned}, "
                         "cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); }")
    else:
        text = f"static void *{name}_find() {{\n{only(one, f'    return {mentioned};')}    return nullptr;\n}}\n"
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, kernel.end, kernel.end, f"\n{text}")], {kernel.name}


ARGUMENTS = {
    "typename": ("float", "double", "int", "short", "unsigned char", "long long"),
    "bool": ("true", "false"),
    **dict.fromkeys(("int", "unsigned", "unsigned int", "size_t"), ("3", "5", "7", "32", "64", "256")),
}


def new_instantiation(unit, random):
    """(source, kernel, arguments, parameter types) of a kernel template with arguments that are drawn."""
    source, kernel = choose_kernel(
        unit, random, lambda kernel: kernel.head and all(kind in (*ARGUMENTS, "class") for kind, _ in kernel.head))
    if not kernel or sum(other.name == kernel.name for _, other in unit.kernels) > 1 or kernel.name in unit.declared:
        return None, None, None, None
    arguments = [random.choice(ARGUMENTS[kind.replace("class", "typename")]) for kind, _ in kernel.head]
    parameters = types(kernel, arguments)
    if parameters is None:
        return None, None, None, None
    return source, kernel, ", ".join(arguments), parameters


def types(kernel, arguments):
    """The parameter types with the template arguments in the place of the parameters."""
    values = dict(zip((name for _, name in kernel.head), arguments))
    texts = []
    for parameter in kernel.parameters:
        if not parameter.type:
            return None
        words = [word for word in parameter.words if word not in ("__restrict__", "__grid_constant__", "RESTRICT")]
        texts.append(" ".join(values.get(word, word) for word in words))
    return ", ".join(texts)


@bug(INSTANTIATION)
def guarded_explicit_instantiation(unit, random, name):
    """An explicit instantiation that nothing else asks for stands under a guard."""
    return explicit_instantiation(unit, random, name, HOST_HAS)


def explicit_instantiation(unit, random, name, passes):
    source, kernel, arguments, parameters = new_instantiation(unit, random)
    if not kernel:
        return None
    one = by_pass(random, name, unit, passes)
    text = only(one, f"template __global__ void {kernel.name}<{arguments}>({parameters});")
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, kernel.end, kernel.end, f"\n{text}")], {kernel.name}


@bug(DEFINITION)
def guarded_definition(unit, random, name):
    """A kernel that every pass declares is defined in some passes only."""
    source, kernel = choose_kernel(
        unit, random, lambda kernel: not kernel.is_template and kernel.name not in unit.declared
        and not any(parameter.has_default for parameter in kernel.parameters))
    if not kernel or not source.balanced(kernel.start, kernel.end):
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    declaration = source.text[kernel.start : kernel.body[0]].rstrip()
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, kernel.start, kernel.start, f"\n{declaration};\n")] + around(source, kernel.start, kernel.end, one), {kernel.name}


@bug(DEFINITION, INSTANTIATION)
def kernel_and_launches_under_one_guard(unit, random, name):
    """A kernel and all its launches in the unit are left out in some device passes."""
    source, kernel = choose_kernel(unit, random, lambda kernel: kernel.name not in unit.declared)
    if not kernel or not source.balanced(kernel.start, kernel.end):
        return None
    launches = [(place, launch) for place, launch in unit.launches if launch.kernel == kernel.name]
    if not launches or any(not launch.statement or place is not source for place, launch in launches):
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    edits += around(source, kernel.start, kernel.end, one)
    for _, launch in launches:
        edits += around(source, *launch.statement, one)
    return edits, {kernel.name}


@bug(DEFINITION)
def guarded_variable(unit, random, name):
    """A device variable that nothing uses is defined in some passes only."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = by_pass(random, name, unit, HOST_HAS)
    space = random.choice(("__device__", "__constant__", "static __device__", "__managed__", "__device__ static"))
    rest = random.choice(("float {}", "int {}[16]", "const char *{}[2]", "float4 {}")).format(f"{name}_table")
    return before(unit, random, source, kernel.outermost, name, one, only(one, f"{space} {rest};")), {f"{name}_table"}


@bug(SIGNATURE)
def variable_type(unit, random, name):
    """A device variable's element type depends on the pass."""
    found = [(source, variable) for source, variable in unit.variables
             if source.text[slice(*variable.type)].strip() in OTHERS and not variable.initializer]
    if not found:
        return None
    source, variable = random.choice(found)
    own = source.text[slice(*variable.type)].strip()
    one = by_pass(random, name, unit)
    others = [other for other in OTHERS[own] if (own, other) in SIZES_DIFFER] or None
    if others is None:
        return None
    text, spelled = type_by_pass(random, name, one, random.choice(others), own)
    edits = before(unit, random, source, variable.outermost, name, one, text)
    return edits + [Edit(source.path, *variable.type, f"{spelled} ")], {variable.name}


SIZES_DIFFER = {
    ("int", "long long"), ("int", "short"), ("int", "long"), ("unsigned", "unsigned long long"), ("float", "double"),
    ("unsigned int", "unsigned long long"), ("unsigned int", "unsigned short"), ("double", "float"), ("size_t", "int"),
    ("size_t", "unsigned"), ("bool", "int"), ("long", "int"), ("uint", "unsigned long long"), ("unsigned char", "int"),
    ("uint32_t", "unsigned long long"),
}


@bug(SIGNATURE)
def variable_bound(unit, random, name):
    """A device variable's array bound depends on the pass."""
    found = [(source, variable) for source, variable in unit.variables if variable.bound and not variable.initializer]
    if not found:
        return None
    source, variable = random.choice(found)
    one = by_pass(random, name, unit)
    own = source.text[slice(*variable.bound)]
    text, spelled = constant_by_pass(random, name, one, "2", "1")
    edits = before(unit, random, source, variable.outermost, name, one, text)
    return edits + [Edit(source.path, *variable.bound, f"({own}) * {spelled}")], {variable.name}


@bug(SIGNATURE)
def new_variable_type(unit, random, name):
    """A device variable that the unit did not have has another type in some passes."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    own, other = random.choice(sorted(SIZES_DIFFER - {("uint", "unsigned long long"), ("uint32_t", "unsigned long long")}))
    text, spelled = type_by_pass(random, name, one, other, own)
    if random.random() < 0.4:
        text, bound = constant_by_pass(random, name, one, "8", "4")
        spelled, bound = own, f"[{bound}]"
    else:
        bound = random.choice(("", "[3]"))
    space = random.choice(("__device__", "__constant__", "static __device__", "__managed__"))
    text += f"{space} {spelled} {name}_state{bound};\n"
    return before(unit, random, source, kernel.outermost, name, one, text), {f"{name}_state"}


def parameter_class(unit, random):
    """(source, class, kernels): a class of the project that kernels take by value."""
    users = {}
    for _, kernel in unit.kernels:
        for parameter in kernel.parameters:
            words = [word for word in parameter.words if word not in ("const", "struct", "__grid_constant__")]
            if parameter.type and words and "*" not in words and "&" not in words:
                users.setdefault(words[0] if len(words) == 1 or words[1] == "<" else words[-1], set()).add(kernel.name)
    found = [(source, one, users[one.name]) for source, one in unit.classes if one.name in users]
    found = [item for item in found if sum(item[1].name == other.name for _, other in unit.classes) == 1]
    return random.choice(found) if found else None


@bug(LAYOUT)
def member_by_pass(unit, random, name):
    """A class that a kernel takes by value has a data member more in some passes, in front or at the end."""
    found = parameter_class(unit, random)
    if not found:
        return None
    source, one, kernels = found
    condition = by_pass(random, name, unit)
    member = random.choice((f"double {name}_value;", f"const char *{name}_text;", f"long long {name}_count[3];"))
    at = random.choice((one.open, one.close))
    edits = before(unit, random, source, one.outermost, name, condition, "")
    return edits + [Edit(source.path, at, at, f"\n{only(condition, member)}")], kernels, {one.name, *kernels}


@bug(LAYOUT)
def member_type_by_pass(unit, random, name):
    """A class that a kernel takes by value gets a member whose type or array bound depends on the pass."""
    found = parameter_class(unit, random)
    if not found:
        return None
    source, one, kernels = found
    condition = by_pass(random, name, unit)
    if random.random() < 0.5:
        text, spelled = type_by_pass(random, name, condition, "double", "char")
        member = f"{spelled} {name}_value[2];"
    else:
        text, spelled = constant_by_pass(random, name, condition, "9", "1")
        member = f"double {name}_value[{spelled}];"
    edits = before(unit, random, source, one.outermost, name, condition, text)
    return edits + [Edit(source.path, one.close, one.close, f"\n{member}\n")], kernels, {one.name, *kernels}


@bug(LAYOUT)
def class_inside_a_class(unit, random, name):
    """A kernel gets a by-value parameter whose class holds, or is derived from, a class with members by pass."""
    source, kernel = choose_kernel(
        unit, random, lambda kernel: kernel.name not in unit.declared and kernel.parameters and not kernel.is_template)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    extra = only(one, f"    {random.choice(('double last', 'int *owner', 'long long seen[2]'))};")
    shape = random.choice(("base", "member", "array", "alignment"))
    if shape == "alignment":
        text = either(one, f"#define {name.upper()}_ALIGN 32", f"#define {name.upper()}_ALIGN 8") + \
            f"struct alignas({name.upper()}_ALIGN) {name}_options {{ int first = 0; }};\n"
    elif shape == "base":
        text = f"struct {name}_inner {{\n    int first = 0;\n{extra}}};\nstruct {name}_options : {name}_inner {{ int second = 0; }};\n"
    else:
        bound = "[2]" if shape == "array" else ""
        text = f"struct {name}_inner {{\n    int first;\n{extra}}};\nstruct {name}_options {{ {name}_inner inner{bound}; int second; }};\n"
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    parameter = f", {name}_options {name}_value = {name}_options()"
    return edits + [Edit(source.path, kernel.close - 1, kernel.close - 1, parameter)], {kernel.name}, {kernel.name, f"{name}_options", f"{name}_inner"}


# --- harmless changes -------------------------------------------------------------------------------------------


@harmless
def guard_in_the_body(unit, random, name):
    """A kernel's body does something else in some passes."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    at = kernel.body[0] + 1
    text = random.choice((
        only(one, f"    int {name}_local = 1; (void){name}_local;"),
        either(one, f"    typedef double {name}_t;", f"    typedef float {name}_t;") + f"    {name}_t {name}_sum = 0; (void){name}_sum;\n",
        only(one, "    return;"),
        either(one, f"    constexpr int {name}_n = 64;", f"    constexpr int {name}_n = 32;") + f"    __shared__ float {name}_tile[{name}_n]; (void){name}_tile;\n",
    ))
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + [Edit(source.path, at, at, f"\n{text}")], {kernel.name}


@harmless
def same_type_spelled_twice(unit, random, name):
    """A parameter's type is named differently in two arms, and is the same."""
    source, kernel, parameter = mutable_parameter(
        unit, random, lambda kernel, parameter: plain_type(parameter) in SPELLINGS and not kernel.is_template)
    if not kernel:
        return None
    own = plain_type(parameter)
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, random.choice(SPELLINGS[own]), own)
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, *parameter.type, f"{spelled} ")], {kernel.name}


@harmless
def same_value_computed_twice(unit, random, name):
    """A template argument is computed differently in two arms, and is the same."""
    found = template_argument(unit, random)
    if not found:
        return None
    source, launch, place, own, _ = found
    other = random.choice((f"({own} + 0)", f"({own})", f"(2 * {own} / 2)")) if own.isdigit() else f"!!{own}"
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, other, own)
    edits = before(unit, random, source, launch.outermost, name, one, text)
    return edits + [Edit(source.path, *place, spelled)], {launch.kernel}


@harmless
def parentheses_around_an_argument(unit, random, name):
    """A template argument has parentheses in some passes."""
    found = template_argument(unit, random)
    if not found:
        return None
    source, launch, place, own, _ = found
    one = by_pass(random, name, unit)
    text = either(one, f"#define {name.upper()}_(x) (x)", f"#define {name.upper()}_(x) x")
    edits = before(unit, random, source, launch.outermost, name, one, text)
    return edits + [Edit(source.path, *place, f"{name.upper()}_({own})")], {launch.kernel}


@harmless
def condition_true_for_all(unit, random, name):
    """A kernel's definition, or a launch, stands under a condition that every pass meets."""
    one = guard(random, name, "all", unit.targets)
    if random.random() < 0.5:
        source, launch = choose_launch(unit, random, lambda launch: launch.statement)
        if launch:
            edits = before(unit, random, source, launch.outermost, name, one, "")
            return edits + around(source, *launch.statement, one), {launch.kernel}
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel or not source.balanced(kernel.start, kernel.end):
        return None
    edits = before(unit, random, source, kernel.outermost, name, one, "")
    return edits + around(source, kernel.start, kernel.end, one), {kernel.name}


@harmless
def guard_in_text(unit, random, name):
    """A guard in a comment, in a string, or in a group that no pass enters."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = Guard("", random.choice(("#if __CUDA_ARCH__ >= 900", "#ifdef __CUDA_ARCH__")))
    text = random.choice((
        f"/*\n{one.directive}\n#define {name}_hidden\n#endif\n*/\n",
        f"// {one.directive} \\\n__device__ int {name}_hidden;\n",
        f'static const char *{name}_text = "{one.directive}";\n',
        f'static const char *{name}_text = R"({one.directive}\n)";\n',
        f"#if 0\n{only(one, f'__device__ int {name}_hidden;')}#endif\n",
    ))
    return [Edit(source.path, kernel.outermost, kernel.outermost, f"\n{text}")], {kernel.name}


@harmless
def launch_bounds(unit, random, name):
    """A kernel's launch bounds depend on the pass."""
    source, kernel = choose_kernel(unit, random, lambda kernel: not kernel.has_bounds and kernel.name not in unit.declared)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "1024", "512")
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, kernel.attribute_at, kernel.attribute_at, f"__launch_bounds__({spelled}) ")], {kernel.name}


@harmless
def device_helper_by_pass(unit, random, name):
    """A helper that only device code uses, and only where it is there."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel or "extern" in source.text[kernel.outermost : kernel.start]:
        return None
    one = by_pass(random, name, unit, ("device", "newer", "older"))
    helper = random.choice((
        f"static __device__ int {name}_help(int x) {{ return x + 1; }}",
        f"__device__ __forceinline__ int {name}_help(int x) {{ return x + 1; }}",
        f"template <class T> __device__ T {name}_help(T x) {{ return x + 1; }}",
        f"static __device__ __noinline__ int {name}_help(int x) {{ return x * 3; }}",
        f"struct {name}_functor {{ __device__ int operator()(int x) const {{ return x; }} }};\n"
        f"static __device__ int {name}_help(int x) {{ return {name}_functor()(x); }}",
    ))
    edits = before(unit, random, source, kernel.outermost, name, one, only(one, helper))
    at = kernel.body[0] + 1
    return edits + [Edit(source.path, at, at, f"\n{only(one, f'    (void){name}_help(3);')}")], {kernel.name}


@harmless
def host_function_by_pass(unit, random, name):
    """A host function, a class or a kernel template that nothing uses is there in some passes only."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text = random.choice((
        f"static inline int {name}_host(int x) {{ return x + 1; }}",
        f"struct {name}_unused {{ int a; double b; }};",
        f"template <class T> __global__ void {name}_nobody(T *p) {{ *p = T(); }}",
        f"using {name}_t = double;",
        f"template <class T> struct {name}_box {{ T value; }};",
        f"enum {name}_colour {{ {name}_red, {name}_green }};",
    ))
    return before(unit, random, source, kernel.outermost, name, one, only(one, text)), {kernel.name}


@harmless
def default_argument(unit, random, name):
    """The default argument of a kernel's last parameter depends on the pass."""
    source, kernel, parameter = mutable_parameter(
        unit, random, lambda kernel, parameter: plain_type(parameter) and parameter is kernel.parameters[-1] and not parameter.has_default)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "1", "0")
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, parameter.end, parameter.end, f" = {spelled}")], {kernel.name}


@harmless
def top_level_const(unit, random, name):
    """A by-value parameter itself is `const` in some passes."""
    source, kernel, parameter = mutable_parameter(unit, random)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text = either(one, f"#define {name.upper()}_CONST const", f"#define {name.upper()}_CONST")
    own = plain_type(parameter)
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, *parameter.type, f"{name.upper()}_CONST {own} ")], {kernel.name}


@harmless
def restrict(unit, random, name):
    """A pointer parameter of a plain kernel is `__restrict__` in some passes."""
    source, kernel, parameter = mutable_parameter(
        unit, random, lambda kernel, parameter: parameter.type and parameter.words[-1] == "*" and not kernel.is_template)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text = either(one, f"#define {name.upper()}_RESTRICT __restrict__", f"#define {name.upper()}_RESTRICT")
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    at = parameter.type[1]
    return edits + [Edit(source.path, at, at, f" {name.upper()}_RESTRICT ")], {kernel.name}


@harmless
def initializer(unit, random, name):
    """The initial value of a device variable depends on the pass."""
    source, kernel = choose_kernel(unit, random, lambda kernel: True)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "8", "4")
    space = random.choice(("__device__", "__constant__", "static __device__"))
    text += random.choice((f"{space} int {name}_limit = {spelled};\n", f"{space} double {name}_limit[2] = {{ 1.0, double({spelled}) }};\n"))
    return before(unit, random, source, kernel.outermost, name, one, text), {f"{name}_limit"}


@harmless
def guarded_launch_of_a_plain_kernel(unit, random, name):
    """The launch of a kernel that is no template is left out in some passes."""
    source, launch = choose_launch(
        unit, random, lambda launch: launch.statement and launch.kernel in unit.plain and launch.kernel not in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit)
    edits = before(unit, random, source, launch.outermost, name, one, "")
    return edits + around(source, *launch.statement, one), {launch.kernel}


@harmless
def launch_that_never_runs(unit, random, name):
    """A launch stands in an ordinary `if` whose constant condition depends on the pass: it instantiates all the same."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement)
    if not launch:
        return None
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "1", "0")
    edits = before(unit, random, source, launch.outermost, name, one, text)
    low, high = launch.statement
    return edits + [Edit(source.path, low, low, f"if ({spelled} != 0) {{ "), Edit(source.path, high, high, " }")], {launch.kernel}


@harmless
def launch_configuration(unit, random, name):
    """A constant by pass is used where a launch stands, and only there: in a number of threads, in a host variable."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement)
    if not launch:
        return None
    one = by_pass(random, name, unit)
    text, spelled = constant_by_pass(random, name, one, "256", "128")
    edits = before(unit, random, source, launch.outermost, name, one, text)
    low = launch.statement[0]
    return edits + [Edit(source.path, low, low, f"dim3 {name}_block({spelled}); (void){name}_block; ")], {launch.kernel}


@harmless
def launch_mentioned_elsewhere(unit, random, name):
    """The launch of a template is left out in some passes, and another function asks for the same in all."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit)
    low, high = launch.statement
    edits = before(unit, random, source, launch.outermost, name, one, "")
    again = f"\nif (false) {{ {source.text[low:high]} }}\n"
    return edits + around(source, low, high, one) + [Edit(source.path, high, high, again)], {launch.kernel}


@harmless
def instantiation_on_devices_only(unit, random, name):
    """An instantiation that only device passes have."""
    return explicit_instantiation(unit, random, name, ("device", "newer", "older"))


@harmless
def function_by_pass_in_a_class(unit, random, name):
    """A class that a kernel takes by value has a function, a constant or a type more in some passes."""
    found = parameter_class(unit, random)
    if not found:
        return None
    source, one, kernels = found
    condition = by_pass(random, name, unit)
    member = random.choice((
        f"__host__ __device__ int {name}_get() const {{ return 1; }}", f"static constexpr int {name}_n = 3;",
        f"typedef double {name}_t;", f"enum {{ {name}_a, {name}_b }};", f"// double {name}_gone;",
        f"struct {name}_part {{ double d; }};", f"template <class T> T {name}_as() const {{ return T(); }}",
    ))
    edits = before(unit, random, source, one.outermost, name, condition, "")
    return edits + [Edit(source.path, one.close, one.close, f"\n{only(condition, member)}")], kernels


@harmless
def same_member_in_both_arms(unit, random, name):
    """A class that a kernel takes by value has a member that two arms spell differently."""
    found = parameter_class(unit, random)
    if not found:
        return None
    source, one, kernels = found
    condition = by_pass(random, name, unit)
    member = either(condition, f"int {name}_value[2];", f"signed int {name}_value[1 + 1];")
    edits = before(unit, random, source, one.outermost, name, condition, "")
    return edits + [Edit(source.path, one.close, one.close, f"\n{member}\n")], kernels


@harmless
def alias_for_bodies(unit, random, name):
    """An alias or a constant by pass that only kernels' bodies use."""
    source, kernel = choose_kernel(unit, random, lambda kernel: "extern" not in kernel.scopes)
    if not kernel:
        return None
    one = by_pass(random, name, unit)
    at = kernel.body[0] + 1
    if random.random() < 0.5:
        text, spelled = type_by_pass(random, name, one, "double", "float")
        use = f"    {{ {spelled} {name}_sum = 0; (void){name}_sum; }}\n"
    else:
        text, spelled = constant_by_pass(random, name, one, "8", "4")
        use = f"    {{ int {name}_part[{spelled}]; (void){name}_part; }}\n"
    edits = before(unit, random, source, kernel.outermost, name, one, text)
    return edits + [Edit(source.path, at, at, f"\n{use}")], {kernel.name}
