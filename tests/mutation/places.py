"""Kinds of mutation, and the places of a unit where they go.

In: a real unit and a source of chance. Out: kernels, launches, parameters, arguments to change, and edits around them. The
kinds themselves are in `bugs.py` and `harmless.py`.
"""

import re
from dataclasses import dataclass, field

from guards import constant_by_pass, guard, type_by_pass

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


def typed(unit, random, name, source, thing, then, otherwise):
    """(edits, a name) for a type that is `then` in some passes and `otherwise` elsewhere, before what `thing` is part of."""
    one = by_pass(random, name, unit)
    text, spelled = type_by_pass(random, name, one, then, otherwise)
    return before(unit, random, source, thing.outermost, name, one, text), spelled


def valued(unit, random, name, source, thing, then, otherwise, passes=None):
    """The same for an integer constant."""
    one = by_pass(random, name, unit, passes or ANY)
    text, spelled = constant_by_pass(random, name, one, then, otherwise)
    return before(unit, random, source, thing.outermost, name, one, text), spelled


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
    found = template_arguments(unit)
    return random.choice(found) if found else None


def template_arguments(unit):
    found = []
    for source, launch in unit.launches:
        if launch.kernel not in unit.templates:
            continue
        for low, high in launch.arguments:
            text = source.text[low:high]
            if re.fullmatch(r"\d{1,5}", text):
                value = int(text)
                found.append((source, launch, (low, high), text, [str(other) for other in sorted({value * 2, value + 1, value // 2} - {value, 0})]))
            elif text in ("true", "false"):
                found.append((source, launch, (low, high), text, ["false" if text == "true" else "true"]))
    return found


def by_pass(random, name, unit, passes=ANY):
    return guard(random, name, random.choice(passes), unit.targets)


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
