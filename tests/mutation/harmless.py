"""Changes that only look like bugs: the passes go on agreeing. A kind's docstring says what it does."""

from bugs import explicit_instantiation
from guards import Guard, constant_by_pass, either, guard, only, type_by_pass
from places import (
    HOST_HAS, Edit, SPELLINGS, around, before, by_pass, choose_kernel, choose_launch, harmless, mutable_parameter,
    parameter_class, plain_type, template_argument, typed, valued,
)


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
    edits, spelled = typed(unit, random, name, source, kernel, random.choice(SPELLINGS[own]), own)
    return edits + [Edit(source.path, *parameter.type, f"{spelled} ")], {kernel.name}


@harmless
def same_value_computed_twice(unit, random, name):
    """A template argument is computed differently in two arms, and is the same."""
    found = template_argument(unit, random)
    if not found:
        return None
    source, launch, place, own, _ = found
    other = random.choice((f"({own} + 0)", f"({own})", f"(2 * {own} / 2)")) if own.isdigit() else f"!!{own}"
    edits, spelled = valued(unit, random, name, source, launch, other, own)
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
    edits, spelled = valued(unit, random, name, source, kernel, "1024", "512")
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
    edits, spelled = valued(unit, random, name, source, kernel, "1", "0")
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
    edits, spelled = valued(unit, random, name, source, launch, "1", "0")
    low, high = launch.statement
    return edits + [Edit(source.path, low, low, f"if ({spelled} != 0) {{ "), Edit(source.path, high, high, " }")], {launch.kernel}


@harmless
def launch_configuration(unit, random, name):
    """A constant by pass is used where a launch stands, and only there: in a number of threads, in a host variable."""
    source, launch = choose_launch(unit, random, lambda launch: launch.statement)
    if not launch:
        return None
    edits, spelled = valued(unit, random, name, source, launch, "256", "128")
    low = launch.statement[0]
    return edits + [Edit(source.path, low, low, f"dim3 {name}_block({spelled}); (void){name}_block; ")], {launch.kernel}


@harmless
def launch_mentioned_elsewhere(unit, random, name):
    """The launch of a template is left out in some device passes, and another statement asks for the same in all.

    The host keeps it: a launch that the host loses is no longer made, which `host-code-behind-device-guard` says.
    """
    source, launch = choose_launch(unit, random, lambda launch: launch.statement and launch.kernel in unit.templates)
    if not launch:
        return None
    one = by_pass(random, name, unit, HOST_HAS)
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
