"""One spelling of kernels and instantiations, for names that demanglers and the linter write differently.

In: `void ns::k<(E)1, float const*, 3u>(float const*)` or `ns::k<(E)1, const float *, 3>`. Out, for both:
`ns::k<1,float const*,3>`. Types have their `const` behind what it belongs to; values have no casts, suffixes and `&`; a
type that C++ gives no name (of a lambda) is `{lambda}`, so that lists of names are compared with their multiplicities. What a name
refers to is not looked up: two spellings of a type that differ by more than this stay different.
"""

import collections
import re
import shutil
import subprocess

TOKEN = re.compile(
    r"\(anonymous namespace\)|\{lambda|[A-Za-z_]\w*|\d[\w.]*(?:e[-+]\d+)?|'(?:\\.|[^'])*'|::|\.\.\.|&&|\S"
)
ANONYMOUS = "(anonymous namespace)"
INTEGER = {"signed", "unsigned", "int", "long", "short", "char", "double", "__int128"}
QUALIFIERS = ("const", "volatile")
# The last are fundamental types and literals that have more than one name.
SYNONYMS = {"__half": "half", "__half2": "half2", "true": "1", "false": "0", "nullptr_t": "decltype(nullptr)"}
ABBREVIATION = "…"
PAIRS = {"(": ")", "<": ">", "[": "]", "{": "}", "{lambda": "}"}
CLOSING = set(PAIRS.values())
# Builds of the compiler put the file's name into names of what only it can see.
INTERNAL = re.compile(r"(_INTERNAL_\w+|_GLOBAL__N__\w+)::")


def canonical(name):
    """The one spelling of a kernel's name with its template arguments."""
    name = INTERNAL.sub("", name)
    name = name.replace("<unnamed>", ANONYMOUS).replace("{anonymous}", ANONYMOUS)
    name = name.replace("decltype(nullptr)", "nullptr_t")
    return item(TOKEN.findall(name))


def multiset(names):
    """How often each canonical name is there, and a spelling of it that people know."""
    spelled = [(canonical(name), name) for name in names]
    return collections.Counter(one for one, _ in spelled), dict(spelled)


def differences(judged, own):
    """(names of `judged` that `own` lacks, names that only `own` has), as they were spelled there."""
    (judged, judged_spelling), (own, own_spelling) = multiset(judged), multiset(own)
    lacking = [judged_spelling[name] for name in sorted((judged - own).elements())]
    more = []
    for name in sorted((own - judged).elements()):
        # The linter has the first characters of a long type and a hash of the rest.
        begins = beginning(own_spelling[name].partition(ABBREVIATION)[0])
        same = [one for one in lacking if ABBREVIATION in own_spelling[name] and beginning(one).startswith(begins)]
        if same:
            lacking.remove(same[0])
        else:
            more.append(own_spelling[name])
    return lacking, more


def beginning(name):
    """A name in which what compilers spell differently is left out, to be compared with the beginning of another."""
    return re.sub(r"\((?!anonymous)[\w:]+\)(?=[\d-])|\bconst\b|\s|(?<=\d)[uUlL]+\b", "", name)


def demangled(mangled):
    """The names of kernels, with template arguments, without return types, parameters and names of files."""
    mangled = list(mangled)
    if not mangled:
        return []
    readable = filtered(["c++filt", "-r"], mangled)
    # Of lambda-expressions within lambda-expressions the one of binutils gives up; that of LLVM does not.
    other = shutil.which("llvm-cxxfilt-19") or shutil.which("llvm-cxxfilt")
    left = [name for name in readable if name.startswith("_Z")] if other else []
    known = dict(zip(left, map(with_numbered_lambdas, filtered([other], left)), strict=True)) if left else {}
    return [unsigned_name(known.get(name, name)) for name in readable]


def filtered(command, lines):
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def with_numbered_lambdas(readable):
    """`f()::{lambda(int)#2}` of LLVM's `f()::'lambda0'(int)`."""
    while found := re.search(r"'lambda(\d*)'\(", readable):
        depth, end = 0, found.end() - 1
        for end in range(found.end() - 1, len(readable)):
            depth += (readable[end] == "(") - (readable[end] == ")")
            if depth == 0:
                break
        number = int(found[1]) + 2 if found[1] else 1
        closure = "{lambda" + readable[found.end() - 1 : end + 1] + f"#{number}}}"
        readable = readable[: found.start()] + closure + readable[end + 1 :]
    return readable


def unsigned_name(readable):
    """`ns::k<float>` of `void ns::k<float>(float*)`."""
    readable = INTERNAL.sub("", re.sub(r"\[abi:\w+\]", "", readable))
    # Of an instantiation's signature only the first word is the return type, which is `void` for a kernel.
    readable = re.sub(r"^(static )?void ", "", readable)
    depth = 0
    for index, character in enumerate(readable):
        depth += (character in "<{[") - (character in ">}]")
        if character == "(" and depth == 0 and not readable.startswith(ANONYMOUS, index):
            return readable[:index]
    return readable


def end_of(tokens, start):
    """Where the bracket at `start` closes."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index] in PAIRS) - (tokens[index] in CLOSING)
        if depth == 0:
            return index
    return len(tokens) - 1


def items(tokens):
    """The parts of a list, at its commas."""
    parts, start, index = [], 0, 0
    while index < len(tokens):
        if tokens[index] == ",":
            parts.append(tokens[start:index])
            start = index + 1
        index = (end_of(tokens, index) if tokens[index] in PAIRS else index) + 1
    # An empty pack may be spelled as nothing behind a comma.
    return [part for part in [*parts, tokens[start:]] if part]


def item(tokens):
    """A type, a value or a name."""
    if tokens and tokens[0] == "(":
        end = end_of(tokens, 0)
        if end == len(tokens) - 1:
            return item(tokens[1:-1])
        if re.match(r"[\d'(-]", tokens[end + 1]) and "*" not in tokens[:end]:
            return item(tokens[end + 1 :])
    if tokens and tokens[0] == "&":
        return entity(tokens[1:])
    text = "".join(tokens)
    number = re.fullmatch(r"(-?)(0x[0-9a-fA-F]+|\d+)[uUlL]*", text)
    if number:
        return str(int(text.rstrip("uUlL"), 0) if "x" in text else int(text.rstrip("uUlL")))
    character = re.fullmatch(r"'(.)'", text)
    return str(ord(character.group(1))) if character else kind(tokens)


def entity(tokens):
    """What is pointed to: an object, or a function without its result and parameters."""
    if tokens and tokens[0] == "(" and end_of(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    if tokens and tokens[-1] == ")":
        start, index = 0, 0
        while index < len(tokens):
            # The last name before the parameters begins where two words meet.
            if index and is_word(tokens[index]) and tokens[index - 1] not in ("::", "(", ","):
                start = index
            if tokens[index] == "(" and end_of(tokens, index) == len(tokens) - 1:
                return kind(tokens[start:index])
            index = (end_of(tokens, index) if tokens[index] in PAIRS else index) + 1
    return kind(tokens)


def is_word(token):
    return re.match(r"[A-Za-z_]|\(anonymous", token) is not None


def kind(tokens):
    """A type or a qualified name: its base, the `const` and `volatile` of that, then what is made of it."""
    if "{lambda" in tokens or any(token.startswith("__nv_dl_wrapper") for token in tokens):
        return with_lambda(tokens)
    base, words, qualifiers, at = [], [], [], 0
    while at < len(tokens) and (is_word(tokens[at]) or tokens[at] == "::"):
        token = tokens[at]
        if token in QUALIFIERS:
            qualifiers.append(token)
        elif token in INTEGER:
            words.append(token)
        elif token not in ("typename", "struct", "class", "enum", "union") and (token != "::" or base):
            base.append(SYNONYMS.get(token, token))
            if tokens[at + 1 : at + 2] == ["<"]:
                end = end_of(tokens, at + 1)
                base.append("<" + ",".join(map(item, items(tokens[at + 2 : end]))) + ">")
                at = end
        at += 1
    if words:
        base = [fundamental(words)]
    return "".join(base + [f" {word}" for word in QUALIFIERS if word in qualifiers]) + declarator(tokens[at:])


def fundamental(words):
    """`unsigned long` of `long unsigned int`, in any order."""
    for name in ("char", "short", "double", "__int128"):
        if name in words:
            signed = [word for word in ("long", "unsigned") if word in words]
            return " ".join([*(["signed"] if name == "char" and "signed" in words else signed), name])
    return " ".join(["unsigned"] * ("unsigned" in words) + (["long"] * words.count("long") or ["int"]))


def declarator(tokens):
    """Pointers, references, arrays, parameters and braces behind a base."""
    out, index = [], 0
    while index < len(tokens):
        token = tokens[index]
        if token in ("(", "[", "{"):
            end = end_of(tokens, index)
            inner = tokens[index + 1 : end]
            is_nested = token == "(" and inner and (inner[0] in ("*", "&", "&&") or inner[-2:] == ["::", "*"])
            parts = [declarator(inner)] if is_nested else [item(part) for part in items(inner) if part != ["void"]]
            out.append(token + ",".join(parts) + PAIRS[token])
            index = end
        else:
            out.append(f" {token}" if token in (*QUALIFIERS, "noexcept") else SYNONYMS.get(token, token))
        index += 1
    return "".join(out)


def with_lambda(tokens):
    """A type that a lambda, or nvcc's wrapper of one, is part of."""
    if tokens[0] != "{lambda" and tokens[1:2] == ["<"] and not tokens[0].startswith("__nv_dl_wrapper"):
        end = end_of(tokens, 1)
        if end == len(tokens) - 1:
            return SYNONYMS.get(tokens[0], tokens[0]) + "<" + ",".join(map(item, items(tokens[2:end]))) + ">"
    if tokens[1:2] == ["::"] and "<" in tokens:
        # A name qualified by plain words: the lambda may be among its arguments.
        start = tokens.index("<")
        if end_of(tokens, start) == len(tokens) - 1 and all(is_word(one) or one == "::" for one in tokens[:start]):
            return "".join(tokens[:start]) + "<" + ",".join(map(item, items(tokens[start + 1 : -1]))) + ">"
    # The function around it is spelled with and without its result, parameters and arguments.
    tail = []
    for token in reversed(tokens):
        if token not in ("*", "&", "&&", *QUALIFIERS):
            break
        tail.insert(0, f" {token}" if token in QUALIFIERS else token)
    return "{lambda}" + "".join(tail)
