#!/usr/bin/env python3
"""Writes the pages of the documentation site, for mdBook to render: `site/pages.py PROGRAM FOLDER`.

In: the README's sections, the pages of integrations/, editors/ and tests/, the schema of the configuration, and PROGRAM: its
rules' cards, its commands' `--help`, and its reports on the examples of `cuda-arch-lint demo`. Out: FOLDER/book.toml and
FOLDER/src. No text is kept here but for headings. A link to what is neither a page nor in the repository ends the run.
"""

import dataclasses
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]
REPOSITORY = f"{PACKAGE['repository']}/blob/main"

# The program's exit code when it was asked for something that it does not have.
USAGE = 2

# Sections of the README that have no page: the introduction has those of the first row, other pages have the rest.
INTRODUCTION = ["What it finds", "Install", "First run"]
ELSEWHERE = ["On a fresh machine", "Rules", "License"]

# Pages that are in the book as they are, at their places, with the section of the README that they are shown under.
COPIED = {
    "integrations/README.md": "In CI and in a build",
    "editors/README.md": "In the editor",
    "editors/vscode/README.md": "In the editor",
    "editors/neovim.md": "In the editor",
    "editors/emacs.md": "In the editor",
    "editors/vim.md": "In the editor",
    "editors/helix.md": "In the editor",
    "editors/kate.md": "In the editor",
    "editors/zed.md": "In the editor",
    "editors/sublime.md": "In the editor",
    "editors/clion.md": "In the editor",
    "CONTRIBUTING.md": "Contributing",
    "tests/fixes.md": "Contributing",
    "tests/campaign.md": "Contributing",
    "tests/mutation.md": "Contributing",
    "tests/preprocess/suites.md": "Contributing",
    "CHANGELOG.md": "Contributing",
}

# Names in the list of contents, where the page's own would stand there twice.
TITLES = {"integrations/README.md": "Ready-made pieces", "editors/README.md": "Server and settings"}

BOOK = f"""[book]
title = "{PACKAGE['name']}"
description = "{PACKAGE['description']}"
language = "en"

[output.html]
git-repository-url = "{PACKAGE['repository']}"
additional-css = ["site.css"]
no-section-label = true

[output.html.fold]
enable = true

[output.html.print]
enable = false
"""


class Program:
    def __init__(self, program: str) -> None:
        self.path = str(pathlib.Path(program).resolve())

    def said(self, *arguments: str, folder: pathlib.Path = ROOT) -> str:
        """Standard output. Findings are no failure, nor is an `#error` of one pass."""
        ran = subprocess.run([self.path, *arguments], cwd=folder, capture_output=True, check=False)
        if ran.returncode == USAGE:
            sys.exit(f"{' '.join(arguments)}: {ran.stderr.decode('utf-8')}")
        return ran.stdout.decode("utf-8")

    def commands(self) -> dict[str, str]:
        """The help of each command by its name; that of the program has the name ``."""
        help = {"": self.said("--help")}
        listed = help[""].split("Commands:\n")[1].split("\n\n")[0]
        for name in re.findall(r"^  (\S+) ", listed, re.MULTILINE):
            if name != "help":
                help[name] = self.said(name, "--help")
        # The help calls the program as the file is called that was run.
        file = pathlib.Path(self.path).name
        return {name: text.replace(f"Usage: {file}", f"Usage: {PACKAGE['name']}") for name, text in help.items()}


@dataclasses.dataclass
class Book:
    """Pages by their places, and the list of contents."""

    pages: dict[str, str] = dataclasses.field(default_factory=dict)
    contents: list[str] = dataclasses.field(default_factory=list)

    def add(self, place: str, text: str, level: int | None, title: str | None = None) -> None:
        """A page is indented by its level in the list of contents; those of level None stand before all levels."""
        assert place not in self.pages, place
        self.pages[place] = text
        title = title or text.split("\n", 1)[0].removeprefix("# ")
        entry = f"[{title.replace('[', '').replace(']', '')}]({place})"
        self.contents.append(entry if level is None else "  " * level + f"- {entry}")


def slug(heading: str) -> str:
    """A heading's anchor, as mdBook and GitHub make it."""
    kept = (c for c in heading.strip().lower() if c.isalnum() or c in " -_")
    return "".join(kept).replace(" ", "-")


def outside_code(text: str) -> list[tuple[bool, str]]:
    """The lines, and of each whether it is outside of fenced and indented code."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        starts = mark is not None and not fence
        plain = not fence and mark is None and not line.startswith("    ")
        lines.append((plain, line))
        if starts:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = ""
    return lines


def sections(readme: str) -> dict[str, str]:
    """The README's sections of the second level by heading, and what stands before them by ``."""
    parts: dict[str, list[str]] = {"": []}
    current = ""
    for plain, line in outside_code(readme):
        if plain and line.startswith("## "):
            current = line[3:].strip()
            parts[current] = []
        elif not (plain and line.startswith("<!-- ")):
            parts[current].append(line)
    return {heading: "\n".join(lines).strip("\n") + "\n" for heading, lines in parts.items()}


def promoted(text: str) -> str:
    """With headings one level higher."""
    lines = (line[1:] if plain and line.startswith("###") else line for plain, line in outside_code(text))
    return "\n".join(lines)


def place_of_section(heading: str) -> str:
    if heading in ["", *INTRODUCTION]:
        return "index.md"
    # CONTRIBUTING.md must not have the same name on any file system.
    own = {"Rules": "rules/index.md", "Contributing": "extending.md"}
    return own.get(heading, f"{slug(heading)}.md")


def place_of_copy(origin: str) -> str:
    """mdBook makes an index of each README, but does not follow links to them."""
    return origin.replace("README.md", "index.md")


class Links:
    """Where the links of the repository's pages lead in the book."""

    def __init__(self, readme: dict[str, str]) -> None:
        self.anchors = {"": "index.md"}
        for heading, text in readme.items():
            place = place_of_section(heading)
            inner = [line.lstrip("#") for plain, line in outside_code(text) if plain and line.startswith("###")]
            for sub in inner:
                self.anchors[slug(sub)] = f"{place}#{slug(sub)}"
            own = f"#{slug(heading)}" if heading in INTRODUCTION else ""
            self.anchors[slug(heading)] = place + own
        self.images: set[str] = set()

    def rewrite(self, origin: str, text: str, place: str) -> str:
        """The page of the repository at `origin`, with links from its place in the book."""

        def replace(found: re.Match[str]) -> str:
            return f"]({self.link(origin, found[1], place)})"

        lines = (
            re.sub(r"\]\(([^()\s]+)\)", replace, line) if plain else line for plain, line in outside_code(text)
        )
        return "\n".join(lines)

    def link(self, origin: str, link: str, place: str) -> str:
        if "://" in link or link.startswith("mailto:"):
            return link
        path, _, anchor = link.partition("#")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(origin), path)) if path else origin
        if target == "README.md":
            if anchor not in self.anchors:
                sys.exit(f"{origin}: `{link}` is no section of the README")
            full = self.anchors[anchor]
        elif target.startswith("rules/contrib/"):
            full = f"rules/{posixpath.splitext(posixpath.basename(target))[0]}.md"
        elif target in COPIED or target.startswith("rules/"):
            full = place_of_copy(target) + (f"#{anchor}" if anchor else "")
        elif not (ROOT / target).exists():
            sys.exit(f"{origin}: `{link}` does not exist")
        elif target.endswith((".png", ".svg")):
            self.images.add(target)
            full = target
        else:
            return f"{REPOSITORY}/{target}"
        page, hash, anchor = full.partition("#")
        return posixpath.relpath(page, posixpath.dirname(place) or ".") + hash + anchor


def card(text: str) -> str:
    """A rule's card, with C++ in its examples as far as the book is concerned."""
    # Two lines at the head are two lines on the page, and macros in them are no emphasis.
    lead, rest = text.split("\n## ", 1)
    lead = re.sub(r"(?<!`)\b(__\w+__)\b(?!`)", r"`\1`", lead.replace("\nReference: ", "  \nReference: "))
    rest = re.sub(r"^(Found|Not found):\n\n```cuda$", r"**\1:**\n\n```cpp", rest, flags=re.MULTILINE)
    return f"{lead}\n## {rest}"


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.strip(chr(10))}\n```\n"


def seen(program: Program, demo: pathlib.Path, rule: str) -> str:
    """What the program reports on the rule's first example, and what each pass reads of it."""
    folder = next((demo / kind for kind in ["code", "builds"] if (demo / kind / rule).is_dir()), None)
    if folder is None:
        return ""
    path = str((folder / rule).relative_to(demo))
    options = ["-nostdinc"] + (["-p", "code"] if folder.name == "code" else [])
    report = program.said("check", path, *options, "--jobs", "1", folder=demo)
    if f"[{rule}]" not in report:
        sys.exit(f"the example of {rule} has no finding of it:\n{report}")
    command = f"$ {PACKAGE['name']} {path} {' '.join(options)}\n"
    text = "\n## What the passes see\n\nThe first example, in the project that `cuda-arch-lint demo` writes:\n\n"
    text += fenced("console", command + report)
    for source in sorted((folder / rule).glob("*.cu")):
        text += read_by_passes(program, demo, str(source.relative_to(demo)), options)
    return text


def read_by_passes(program: Program, demo: pathlib.Path, source: str, options: list[str]) -> str:
    """What is left of a source after preprocessing, when that is not the same in all passes."""
    report = json.loads(program.said("check", source, *options, "--format", "json", folder=demo))
    names = ["host", *(name for targets in report["targets"] for name in targets["names"])]
    passes: dict[str, list[str]] = {}
    for name in names:
        read = program.said("expand", source, *options, "--pass", name, "-P", folder=demo)
        passes.setdefault(read, []).append(name)
    if len(passes) == 1:
        return ""
    text = f"\nWhat is left of `{pathlib.Path(source).name}` after preprocessing (`cuda-arch-lint expand`):\n"
    for read, names in passes.items():
        text += f"\n{', '.join(names)}:\n\n{fenced('cpp', read)}"
    return text


def rule_pages(book: Book, program: Program, links: Links, readme: dict[str, str]) -> None:
    index = links.rewrite("README.md", readme["Rules"], "rules/index.md")
    book.add("rules/index.md", f"# Rules\n\n{index}", 0)
    with tempfile.TemporaryDirectory() as place:
        demo = pathlib.Path(place) / "bugs"
        program.said("demo", str(demo))
        for rule in json.loads(program.said("rules", "--format", "json")):
            page, name = f"rules/{rule['id']}.md", rule["id"]
            text = links.rewrite(page, card(rule["card"]), page)
            # The card's first line says what is wrong; the page is looked for by the rule's name.
            title, rest = text.split("\n", 1)
            text = f"# {name}\n\n**{title.removeprefix('# ')}**\n{rest}{seen(program, demo, name)}"
            book.add(page, text, 1)


def command_pages(book: Book, program: Program) -> None:
    for name, help in program.commands().items():
        if not name:
            book.add("commands/index.md", f"# Command line\n\n{fenced('text', help)}", 0)
        else:
            book.add(f"commands/{name}.md", f"# {PACKAGE['name']} {name}\n\n{fenced('text', help)}", 1)


def configuration_page(book: Book) -> None:
    schema = json.loads((ROOT / "schemas/config.schema.json").read_text(encoding="utf-8"))
    text = "# Keys of cuda-arch-lint.toml\n\n" + schema["description"].replace("\n", " ") + "\n"
    for key, value in schema["properties"].items():
        text += f"\n## {key}\n\n{value['description']}\n"
    book.add("configuration-keys.md", text, 0)


def make(program: Program) -> tuple[Book, set[str]]:
    """All pages, and the pictures that they show."""
    readme = sections((ROOT / "README.md").read_text(encoding="utf-8"))
    links, book = Links(readme), Book()
    text = readme[""] + "".join(f"\n## {heading}\n\n{readme[heading]}" for heading in INTRODUCTION)
    book.add("index.md", links.rewrite("README.md", text, "index.md"), None, "Introduction")
    book.contents.append("\n# Guide\n")
    for heading, text in readme.items():
        if heading in ["", "Contributing", *INTRODUCTION, *ELSEWHERE]:
            continue
        section_pages(book, links, heading, text)
    book.contents.append("\n# Reference\n")
    rule_pages(book, program, links, readme)
    command_pages(book, program)
    configuration_page(book)
    section_pages(book, links, "Contributing", readme["Contributing"])
    return book, links.images


def section_pages(book: Book, links: Links, heading: str, text: str) -> None:
    """The page of a section, and below it those that are copied."""
    place = place_of_section(heading)
    book.add(place, links.rewrite("README.md", f"# {heading}\n\n{promoted(text)}", place), 0)
    for origin in (origin for origin, section in COPIED.items() if section == heading):
        text = (ROOT / origin).read_text(encoding="utf-8")
        copy = place_of_copy(origin)
        book.add(copy, links.rewrite(origin, text, copy), 1, TITLES.get(origin))


def write(book: Book, images: set[str], folder: pathlib.Path) -> None:
    source = folder / "src"
    shutil.rmtree(source, ignore_errors=True)
    summary = "# Summary\n\n" + "\n".join(book.contents) + "\n"
    for place, text in {"SUMMARY.md": summary, **book.pages}.items():
        path = source / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for image in images:
        (source / image).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / image, source / image)
    (folder / "book.toml").write_text(BOOK, encoding="utf-8")
    shutil.copyfile(ROOT / "site" / "site.css", folder / "site.css")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    book, images = make(Program(sys.argv[1]))
    write(book, images, pathlib.Path(sys.argv[2]))


if __name__ == "__main__":
    main()
