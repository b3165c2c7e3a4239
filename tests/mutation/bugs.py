"""Bugs: each kind is one way to break a restriction that the guide names. A kind's docstring says what it does."""

import re

from guards import constant_by_pass, either, guard, only, type_by_pass
from places import (
    DEFINITION, Edit, HOST_HAS, INSTANTIATION, LAYOUT, OTHERS, SIGNATURE, around, before, bug, by_pass,
    choose_kernel, choose_launch, mutable_parameter, new_instantiation, parameter_class, plain_type,
    template_argument, template_arguments, typed, valued,
)


@bug(SIGNATURE)
def parameter_type(unit, random, name):
    """A by-value parameter of a kernel gets another arithmetic type in some passes, through an alias, a macro, a
    member of a class, a specialization, `decltype`, `std::conditional` or a namespace alias."""
    source, kernel, parameter = mutable_parameter(unit, random)
    if not kernel:
        return None
    own = plain_type(parameter)
    edits, spelled = typed(unit, random, name, source, kernel, random.choice(OTHERS[own]), own)
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
    if any(word not in OTHERS for word in parameter.words[1:star]):
        return None
    rest = " ".join(parameter.words[star + 1 :])
    edits, spelled = typed(unit, random, name, source, kernel, own.removeprefix("const "), own)
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
    edits, spelled = valued(unit, random, name, source, launch, random.choice(others), own)
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
    edits, spelled = valued(unit, random, name, source, launch, "2", "1")
    return edits + [Edit(source.path, *place, f"({source.text[slice(*place)]}) * {spelled}")], {launch.kernel}


@bug(INSTANTIATION, SIGNATURE)
def type_argument(unit, random, name):
    """An explicit type argument of a launched kernel template depends on the pass."""
    found = explicit_types(unit)
    if not found:
        return None
    source, launch, place = random.choice(found)
    own = source.text[slice(*place)]
    edits, spelled = typed(unit, random, name, source, launch, random.choice(OTHERS[own]), own)
    return edits + [Edit(source.path, *place, spelled)], {launch.kernel}


def explicit_types(unit):
    """(source, launch, range) of every explicit argument of a launched template that is an arithmetic type."""
    return [
        (source, launch, place) for source, launch in unit.launches if launch.kernel in unit.templates
        for place in launch.arguments if source.text[slice(*place)] in OTHERS
    ]


@bug(INSTANTIATION, SIGNATURE)
def deduced_argument(unit, random, name):
    """A launch deduces a template argument from values, or pointers to values, whose type depends on the pass."""
    found = deduced_types(unit)
    if not found:
        return None
    source, launch, places = random.choice(found)
    edits, spelled = typed(unit, random, name, source, launch, *random.choice(REDEDUCED))
    return edits + casts(source, places, spelled), {launch.kernel}


# The type that deduction is made to find in some passes, and in the others.
REDEDUCED = (("long long", "int"), ("float", "double"), ("double", "float"))


def deduced_types(unit):
    """(source, launch, places) of launches whose arguments a template's type parameter is deduced from, each place with
    the kernel's parameter there."""
    found = []
    kernels = {kernel.name: kernel for _, kernel in unit.kernels if kernel.head}
    for source, launch in unit.launches:
        kernel = kernels.get(launch.kernel)
        if not kernel or launch.arguments or len(launch.call) != len(kernel.parameters):
            continue
        for head in [head for kind, head in kernel.head if kind in ("class", "typename")]:
            # All parameters that mention it, or deduction would contradict itself.
            places = [(place, parameter) for place, parameter in zip(launch.call, kernel.parameters) if head in parameter.words]
            plain = [[word for word in parameter.words if word not in ("const", "__restrict__", "RESTRICT")] for _, parameter in places]
            if places and all(words in ([head], [head, "*"]) for words in plain):
                found.append((source, launch, places))
    return found


def casts(source, places, spelled):
    edits = []
    for place, parameter in places:
        cast = f"{'const ' if 'const' in parameter.words else ''}{spelled}{' *' if '*' in parameter.words else ''}"
        edits.append(Edit(source.path, *place, f"({cast})({source.text[slice(*place)]})"))
    return edits


@bug(INSTANTIATION)
def argument_through_a_generic_lambda(unit, random, name):
    """A launch stands in a generic lambda and takes a template argument, a number or a type, given or deduced, from what the
    lambda is called with, which depends on the pass: at once, by a name, or through a function."""
    numbers = [found for found in template_arguments(unit) if found[1].statement]
    types = [found for found in explicit_types(unit) if found[1].statement]
    deduced = [found for found in deduced_types(unit) if found[1].statement]
    shapes = [shape for shape in (numbers, types, deduced) if shape]
    if not shapes:
        return None
    shape = random.choice(shapes)
    tag = f"{name}_tag"
    if shape is numbers:
        source, launch, place, own, others = random.choice(numbers)
        edits, spelled = valued(unit, random, name, source, launch, random.choice(others), own)
        edits.append(Edit(source.path, *place, f"decltype({tag})::value"))
        given = f"std::integral_constant<{'int' if own.isdigit() else 'bool'}, {spelled}>()"
    elif shape is types:
        source, launch, place = random.choice(types)
        own = source.text[slice(*place)]
        edits, spelled = typed(unit, random, name, source, launch, random.choice(OTHERS[own]), own)
        edits.append(Edit(source.path, *place, f"decltype({tag})"))
        given = f"({spelled.removeprefix('typename ')})0"
    else:
        source, launch, places = random.choice(deduced)
        edits, spelled = typed(unit, random, name, source, launch, *random.choice(REDEDUCED))
        edits += casts(source, places, f"decltype({tag})")
        given = f"({spelled.removeprefix('typename ')})0"
    begin, end = launch.statement
    call = random.choice(("at once", "by a name", "through a function"))
    before_it, after_it = "", f"({given});"
    if call == "by a name":
        before_it, after_it = f"auto {name}_go = ", f"; {name}_go({given});"
    elif call == "through a function":
        text = f"template <class Body, class Tag> void {name}_with(Body body, Tag tag) {{ body(tag); }}\n"
        edits.append(Edit(source.path, launch.outermost, launch.outermost, f"\n{text}"))
        before_it, after_it = f"{name}_with(", f", {given});"
    return edits + [
        Edit(source.path, begin, begin, f"{{ {before_it}[&](auto {tag}) {{ "), Edit(source.path, end, end, f" }}{after_it} }}"),
    ], {launch.kernel}


@bug(INSTANTIATION)
def discarded_launch(unit, random, name):
    """The launch of a kernel template stands in an `if constexpr` that some device passes discard."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    edits, spelled = valued(unit, random, name, source, launch, "1", "0", HOST_HAS)
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
    others = [other for other in OTHERS[own] if (own, other) in SIZES_DIFFER]
    if not others:
        return None
    edits, spelled = typed(unit, random, name, source, variable, random.choice(others), own)
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
    own = source.text[slice(*variable.bound)]
    edits, spelled = valued(unit, random, name, source, variable, "2", "1")
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
