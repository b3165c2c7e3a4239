"""What stands where in a CUDA source: kernels, launches, device variables, classes, includes.

In: the text of one file. Out: places in it, as offsets. It reads tokens and brackets, not C++: what it can't make
out it leaves out, since a mutation needs some places and not all. It knows nothing of mutations.
"""

import bisect
import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r'(?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?\*/)'
    r'|(?P<raw>\b(?:u8|[uUL])?R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)"
    r"|(?P<char>'(?:\\.|[^'\\\n])+')"
    r"|(?P<directive>^[ \t]*#(?:\\\r?\n|/\*.*?\*/|[^\n])*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<launch><<<)"
    r"|(?P<punctuation>::|->|[^\s\w])",
    re.M | re.S,
)
OPEN = {"(": ")", "[": "]", "{": "}"}
ATTRIBUTES = {"__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__", "__attribute__", "__declspec"}
SPACES = {"__device__", "__constant__", "__managed__"}


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    # What the brackets around it are, the outermost first: "namespace", "class", "body".
    scopes: tuple = ()
    # Where the declaration it belongs to begins, in its own scope and outside of all brackets.
    declaration: int = 0
    outermost: int = 0


@dataclass
class Parameter:
    """A parameter of a function: its whole text, its type's, its name's; offsets."""

    start: int
    end: int
    type: tuple
    name: str
    words: list
    has_default: bool


@dataclass
class Kernel:
    name: str
    start: int  # of the declaration, its template head included
    outermost: int
    head: list  # (kind, name) of template parameters; empty when it is none
    is_template: bool
    attribute_at: int  # just before the name, where an attribute may stand
    parameters: list
    open: int  # the parenthesis before the parameters
    close: int
    body: tuple  # offsets of its braces, or None for a declaration
    end: int
    scopes: tuple
    has_bounds: bool


@dataclass
class Launch:
    kernel: str
    arguments: list  # explicit template arguments as (start, end)
    mention: tuple  # `ns::kernel<...>`
    statement: tuple  # the whole statement, or None when it is a part of one
    call: list  # the arguments of the call as (start, end)
    outermost: int


@dataclass
class Variable:
    name: str
    space: str
    start: int
    end: int
    outermost: int
    type: tuple
    bound: tuple  # of its only array bound, or None
    initializer: tuple  # or None


@dataclass
class Class:
    name: str
    start: int
    outermost: int
    open: int
    close: int
    is_template: bool
    key: str


@dataclass
class Source:
    """A file, cut up."""

    path: object
    text: str
    tokens: list = field(default_factory=list)
    directives: list = field(default_factory=list)

    def __post_init__(self):
        for match in TOKEN.finditer(self.text):
            kind = match.lastgroup if match.lastgroup != "fence" else "raw"
            token = Token(kind, match.group(), match.start(), match.end())
            if kind == "directive":
                self.directives.append(token)
            elif kind != "comment":
                self.tokens.append(token)
        self.pairs = {}
        self.match_brackets()
        self.find_scopes()

    def match_brackets(self):
        stack = []
        for index, token in enumerate(self.tokens):
            if token.kind != "punctuation":
                continue
            if token.text in OPEN:
                stack.append(index)
            elif stack and token.text == OPEN[self.tokens[stack[-1]].text]:
                opening = stack.pop()
                self.pairs[opening] = index
                self.pairs[index] = opening

    def find_scopes(self):
        scopes, begin, closes = (), [None], []
        for index, token in enumerate(self.tokens):
            if closes and index == closes[-1]:
                closes.pop()
                begin.pop()
                scopes = scopes[:-1]
            if begin[-1] is None:
                begin[-1] = token.start
            token.scopes, token.declaration, token.outermost = scopes, begin[-1], begin[0]
            if token.text == "{" and index in self.pairs and token.kind == "punctuation":
                scopes += (self.scope_kind(index, begin[-1]),)
                begin.append(None)
                closes.append(self.pairs[index])
            elif token.text == ";" or token.text == "}" and self.ends_declaration(index):
                begin[-1] = None

    def scope_kind(self, opening, begin):
        words = []
        for token in reversed(self.tokens[max(0, opening - 60) : opening]):
            if token.start < begin:
                break
            words.append(token.text)
        if "namespace" in words or len(words) == 2 and words[1] == "extern":
            return "namespace"
        if {"class", "struct", "union", "enum"} & set(words) and ")" not in words[:3] and "=" not in words:
            return "class"
        return "body"

    def ends_declaration(self, index):
        following = self.tokens[index + 1].text if index + 1 < len(self.tokens) else ""
        return following not in (";", ",", "=", "(", "[", ".")

    def balanced(self, start, end):
        """No conditional is cut by the range."""
        depth = 0
        low = bisect.bisect_left([token.start for token in self.directives], start)
        for token in self.directives[low:]:
            if token.start >= end:
                break
            word = re.match(r"\s*#\s*(\w*)", token.text).group(1)
            depth += word.startswith("if")
            depth -= word == "endif"
            if depth < 0 or depth == 0 and word.startswith("el"):
                return False
        return depth == 0

    def includes(self):
        """What it includes, as spelled without its quotes or brackets."""
        for token in self.directives:
            found = re.match(r'\s*#\s*include\s*["<]([^">]+)', token.text)
            if found:
                yield found.group(1)

    def after_guard(self):
        """Where a header's own text begins, or None when that can't be seen."""
        words = [re.match(r"\s*#\s*(.*)", token.text).group(1) for token in self.directives[:2]]
        if words and re.match(r"pragma\s+once", words[0]):
            return self.directives[0].end
        guard = re.match(r"(?:ifndef\s+|if\s*!\s*defined\s*\(?\s*)(\w+)", words[0]) if len(words) == 2 else None
        if guard and re.match(rf"define\s+{guard.group(1)}\b", words[1]):
            return self.directives[1].end
        return None

    def split(self, low, high, angles=True):
        """The token ranges between commas outside of brackets, of tokens `low` to `high`."""
        parts, begin, depth, index = [], low, 0, low
        while index < high:
            text = self.tokens[index].text
            if text in OPEN and index in self.pairs:
                index = self.pairs[index]
            elif angles and text == "<":
                depth += 1
            elif angles and text == ">":
                depth -= 1
            elif text == "," and depth == 0:
                parts.append((begin, index))
                begin = index + 1
            index += 1
        if begin < high:
            parts.append((begin, high))
        return parts

    def angle_close(self, opening, limit=400):
        """The `>` that closes the `<` at a token index."""
        depth, index = 0, opening
        while index < min(len(self.tokens), opening + limit):
            text = self.tokens[index].text
            if text in ("(", "[", "{") and index in self.pairs:
                index = self.pairs[index]
            elif text in (";", "}", "<<<"):
                return None
            depth += (text == "<") - (text == ">")
            if depth == 0:
                return index
            index += 1
        return None

    def head(self, start):
        """(kind, name) of the template parameters of the declaration that begins at an offset, or None."""
        index = bisect.bisect_left([token.start for token in self.tokens], start)
        if [token.text for token in self.tokens[index : index + 2]] != ["template", "<"]:
            return None
        close = self.angle_close(index + 1)
        if close is None:
            return None
        parameters = []
        for low, high in self.split(index + 2, close):
            words = [token.text for token in self.tokens[low:high]]
            words = words[: words.index("=")] if "=" in words else words
            if words:
                parameters.append((" ".join(words[:-1]), words[-1]))
        return parameters

    def kernels(self):
        for index, token in enumerate(self.tokens):
            if token.text == "__global__" and set(token.scopes) <= {"namespace"}:
                kernel = self.kernel(index)
                if kernel:
                    yield kernel

    def kernel(self, index):
        at, has_bounds, void = index + 1, False, None
        while at + 1 < len(self.tokens):
            token, following = self.tokens[at], self.tokens[at + 1]
            if token.text in ATTRIBUTES or token.text.isupper() and void is None and following.text == "(":
                has_bounds = True
                at += 1
                if following.text == "(":
                    if at not in self.pairs:
                        return None
                    at = self.pairs[at] + 1
                continue
            if token.kind == "word" and following.text == "(":
                break
            if token.kind != "word":
                return None
            void = token.text if token.text == "void" else void
            at += 1
        opening = at + 1
        if void is None or opening not in self.pairs or self.tokens[at].text == "operator":
            return None
        close = self.pairs[opening]
        if close + 1 >= len(self.tokens):
            return None
        following = close + 1
        if self.tokens[following].text == "{" and following in self.pairs:
            body = (self.tokens[following].start, self.tokens[self.pairs[following]].end)
            end = body[1]
        elif self.tokens[following].text == ";":
            body, end = None, self.tokens[following].end
        else:
            return None
        first = self.tokens[index]
        parameters = []
        for low, high in self.split(opening + 1, close):
            parameter = self.parameter(low, high)
            if parameter is None:
                return None
            parameters.append(parameter)
        if any(word.text == "template" for word in self.tokens if first.declaration < word.start < first.start):
            return None
        head = self.head(first.declaration)
        return Kernel(
            self.tokens[at].text, first.declaration, first.outermost, head or [], head is not None,
            self.tokens[at].start, parameters, self.tokens[opening].start, self.tokens[close].end, body, end,
            first.scopes, has_bounds,
        )

    def parameter(self, low, high):
        words = [token.text for token in self.tokens[low:high]]
        has_default = "=" in words
        last = low + words.index("=") if has_default else high
        name = self.tokens[last - 1]
        if last - low < 2 or name.kind != "word" or "[" in words or "(" in words:
            return None if "..." in words else Parameter(self.tokens[low].start, self.tokens[high - 1].end, None, "",
                                                         words, has_default)
        return Parameter(
            self.tokens[low].start, self.tokens[high - 1].end, (self.tokens[low].start, self.tokens[last - 2].end),
            name.text, [token.text for token in self.tokens[low : last - 1]], has_default,
        )

    def launches(self):
        for index, token in enumerate(self.tokens):
            if token.kind == "launch" and "body" in token.scopes:
                launch = self.launch(index)
                if launch:
                    yield launch

    def launch(self, index):
        name, arguments = index - 1, []
        if self.tokens[name].text == ">":
            depth = 0
            while name > 0 and index - name < 300:
                text = self.tokens[name].text
                if text in (")", "]", "}") and name in self.pairs:
                    name = self.pairs[name]
                elif text in (";", "{"):
                    return None
                depth += (text == ">") - (text == "<")
                if depth == 0:
                    break
                name -= 1
            parts = self.split(name + 1, index - 1)
            arguments = [(self.tokens[low].start, self.tokens[high - 1].end) for low, high in parts]
            name -= 1
        if name < 1 or self.tokens[name].kind != "word":
            return None
        first = name
        while self.tokens[first - 1].text == "::":
            first -= 2 if self.tokens[first - 2].kind == "word" else 1
        close = index + 1
        while close + 2 < len(self.tokens) and close - index < 300:
            token = self.tokens[close]
            if token.text in OPEN and close in self.pairs:
                close = self.pairs[close]
            elif token.text == ">" and self.text[token.start : token.start + 3] == ">>>":
                break
            close += 1
        opening = close + 3
        if opening not in self.pairs or self.tokens[opening].text != "(":
            return None
        end = self.pairs[opening] + 1
        statement = None
        if self.tokens[end].text == ";" and self.tokens[first - 1].text in (";", "{", "}"):
            statement = (self.tokens[first].start, self.tokens[end].end)
            if not self.balanced(*statement):
                statement = None
        call = self.split(opening + 1, end - 1, angles=False)
        call = [(self.tokens[low].start, self.tokens[high - 1].end) for low, high in call]
        mention = (self.tokens[first].start, self.tokens[index - 1].end)
        return Launch(self.tokens[name].text, arguments, mention, statement, call, self.tokens[first].outermost)

    def variables(self):
        for index, token in enumerate(self.tokens):
            if token.text not in SPACES or not set(token.scopes) <= {"namespace"}:
                continue
            if any(word.text in SPACES for word in self.tokens[max(0, index - 2) : index]):
                continue
            variable = self.variable(index)
            if variable:
                yield variable

    def variable(self, index):
        end = index
        while end < len(self.tokens) and self.tokens[end].text not in (";", "=", "{", "[", "("):
            end += 1
        if end >= len(self.tokens) or self.tokens[end].text == "(":
            return None
        first = self.tokens[index]
        before = [token.text for token in self.tokens[max(0, index - 30) : end] if token.start >= first.declaration]
        if {"template", "extern", "struct", "class", "union", "enum", ",", "inline", "__attribute__"} & set(before):
            return None
        name = self.tokens[end - 1]
        low = index + 1
        while self.tokens[low].text in SPACES | {"static", "const", "volatile", "constexpr"}:
            low += 1
        if name.kind != "word" or low >= end - 1:
            return None
        bound = initializer = None
        if self.tokens[end].text == "[":
            close = self.pairs.get(end)
            if close is None or close == end + 1:
                return None
            bound = (self.tokens[end + 1].start, self.tokens[close - 1].end)
            end = close + 1
        if self.tokens[end].text == "=":
            begin = end + 1
            while end < len(self.tokens) and self.tokens[end].text not in (";", ","):
                end = self.pairs.get(end, end) + 1 if self.tokens[end].text in OPEN else end + 1
            initializer = (self.tokens[begin].start, self.tokens[end - 1].end)
        if end >= len(self.tokens) or self.tokens[end].text != ";":
            return None
        return Variable(name.text, first.text, first.declaration, self.tokens[end].end, first.outermost,
                        (self.tokens[low].start, name.start), bound, initializer)

    def classes(self):
        for index, token in enumerate(self.tokens):
            if token.text not in ("struct", "class") or not set(token.scopes) <= {"namespace"}:
                continue
            at, name = index + 1, ""
            while at < len(self.tokens) and self.tokens[at].text not in (";", "{", "(", ":", "=", "<", ">", ","):
                name = self.tokens[at].text if self.tokens[at].kind == "word" else name
                at += 1
            while at < len(self.tokens) and self.tokens[at].text not in (";", "{", "(", "="):
                at += 1
            if name and at in self.pairs and self.tokens[at].text == "{":
                yield Class(name, token.declaration, token.outermost, self.tokens[at].end,
                            self.tokens[self.pairs[at]].start, self.head(token.declaration) is not None, token.text)
