#!/usr/bin/env python3
"""Holds the documentation site to the program and to itself.

    tests/site.py PROGRAM            the pages that site/pages.py writes: none missing, every link resolves
    tests/site.py PROGRAM --html DIR what mdBook made of them: every link and anchor resolves, every rule can be searched
"""

import html.parser
import json
import pathlib
import posixpath
import re
import sys
import tempfile
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "site"))
import pages  # noqa: E402

PROGRAM = ""
HTML: pathlib.Path | None = None


def anchors(text: str) -> set[str]:
    headings = (line.lstrip("#") for plain, line in pages.outside_code(text) if plain and re.match("#{1,6} ", line))
    return {pages.slug(heading) for heading in headings}


def links(text: str) -> list[str]:
    lines = "\n".join(re.sub("`[^`]*`", "", line) for plain, line in pages.outside_code(text) if plain)
    return re.findall(r"\]\(([^()\s]+)\)", lines)


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.program = pages.Program(PROGRAM)
        cls.book, cls.images = pages.make(cls.program)
        cls.listed = re.findall(r"\[.*\]\((.*)\)$", "\n".join(cls.book.contents), re.MULTILINE)
        cls.rules = json.loads(cls.program.said("rules", "--format", "json"))

    def test_every_page_is_listed_once(self) -> None:
        self.assertEqual(sorted(self.listed), sorted(self.book.pages))

    def test_every_rule_has_a_page_with_all_of_its_card(self) -> None:
        files = {f"rules/{path.name}" for path in (ROOT / "rules").glob("*.md")}
        files |= {f"rules/{path.stem}.md" for path in (ROOT / "rules/contrib").glob("*.toml")}
        self.assertEqual({place for place in self.listed if place.startswith("rules/")}, {"rules/index.md"} | files)
        for rule in self.rules:
            page = self.book.pages[f"rules/{rule['id']}.md"]
            self.assertIn(rule["code"] or "a custom rule", page)
            for heading in re.findall(r"^## .*", rule["card"], re.MULTILINE):
                self.assertIn(f"\n{heading}\n", page)
            self.assertIn("**Found:**\n\n```cpp\n", page, rule["id"])
            self.assertIn("**Not found:**\n\n```cpp\n", page, rule["id"])
            # Marks and settings are for our tests.
            self.assertNotRegex(page, r"//[~@]|^//- ", rule["id"])

    def test_the_pages_of_rules_on_sources_say_what_the_passes_see(self) -> None:
        built = {"missing-kernel", "unregistered-kernel", "mismatched-parameters", "mismatched-variable"}
        built.add("mismatched-ptx")
        for rule in (rule for rule in self.rules if rule["code"]):
            page = self.book.pages[f"rules/{rule['id']}.md"]
            command = re.escape("```console\n$ cuda-arch-lint ") + f"(?:code|builds)/{rule['id']} "
            report = re.search(command + r".*?\n```\n", page, re.DOTALL)
            self.assertEqual(report is None, rule["id"] in built, rule["id"])
            self.assertTrue(report is None or f"[{rule['id']}]: " in report[0], rule["id"])
        self.assertIn("\nhost:\n", self.book.pages["rules/arch-dependent-layout.md"])

    def test_every_command_and_key_has_its_place(self) -> None:
        for name in self.program.commands():
            self.assertIn(f"commands/{name or 'index'}.md", self.listed)
        keys = json.loads((ROOT / "schemas/config.schema.json").read_text())["properties"]
        self.assertEqual(anchors(self.book.pages["configuration-keys.md"]) & set(keys), set(keys))

    def test_every_section_of_the_readme_is_in_the_book(self) -> None:
        readme = (ROOT / "README.md").read_text()
        whole = "\n".join(self.book.pages.values())
        for heading in re.findall(r"^## (.*)", readme, re.MULTILINE):
            found = re.search(rf"^#+ {re.escape(heading)}$", whole, re.MULTILINE)
            self.assertTrue(found or heading in pages.ELSEWHERE, heading)

    def test_every_link_leads_to_a_page_and_a_heading(self) -> None:
        count = 0
        for place, text in self.book.pages.items():
            for link in links(text):
                if link.startswith(pages.REPOSITORY + "/"):
                    self.assertTrue((ROOT / link.removeprefix(pages.REPOSITORY + "/")).exists(), (place, link))
                elif "://" not in link:
                    path, _, anchor = link.partition("#")
                    page = posixpath.normpath(posixpath.join(posixpath.dirname(place), path)) if path else place
                    self.assertTrue(page in self.book.pages or page in self.images, (place, link))
                    if anchor:
                        self.assertIn(anchor, anchors(self.book.pages[page]), (place, link))
                count += 1
        self.assertGreater(count, 60)

    def test_a_link_to_nothing_ends_the_run(self) -> None:
        where = pages.Links({"": "", "Fixes": "## Other\n"})
        for link in ["rules/../nowhere.md", "README.md#no-such-section", "nothing.png"]:
            with self.assertRaises(SystemExit, msg=link):
                where.rewrite("CHANGELOG.md", f"[a]({link})", "CHANGELOG.md")
        self.assertEqual(where.rewrite("rules/a.md", "[a](../README.md#fixes)", "rules/a.md"), "[a](../fixes.md)")
        self.assertEqual(where.rewrite("a.md", "    [a](no-link-in-code)", "a.md"), "    [a](no-link-in-code)")

    def test_the_same_pages_are_written_each_time(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            pages.write(self.book, self.images, folder)
            again, images = pages.make(self.program)
            self.assertEqual((again.pages, images), (self.book.pages, self.images))
            written = {str(path.relative_to(folder / "src")) for path in (folder / "src").rglob("*") if path.is_file()}
            self.assertEqual(written, {"SUMMARY.md", *self.book.pages, *self.images})


class Document(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ["href", "src"] and value:
                self.links.append(value)
            if name in ["id", "name"] and value:
                self.anchors.add(value)


class Html(unittest.TestCase):
    def setUp(self) -> None:
        if HTML is None:
            self.skipTest("without --html")
        self.documents = {
            str(path.relative_to(HTML)): Document(path.read_text(encoding="utf-8")) for path in HTML.rglob("*.html")
        }

    def test_every_link_resolves(self) -> None:
        count = 0
        for name, document in self.documents.items():
            # The page for what is not found is shown at any address.
            for link in document.links if name != "404.html" else []:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme or parts.netloc:
                    continue
                path = urllib.parse.unquote(parts.path)
                page = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
                self.assertTrue((HTML / page).is_file(), (name, link))
                if parts.fragment and page in self.documents:
                    anchor = urllib.parse.unquote(parts.fragment)
                    self.assertIn(anchor, self.documents[page].anchors, (name, link))
                count += 1
        self.assertGreater(count, 1000)

    def test_no_macro_is_taken_for_emphasis(self) -> None:
        for name in self.documents:
            emphasis = re.findall(r"<strong>(\w+)</strong>", (HTML / name).read_text(encoding="utf-8"))
            macros = [word for word in emphasis if "_" in word or word in ["global", "device", "host", "shared"]]
            self.assertEqual(macros, [], name)

    def test_every_rule_has_a_page_that_is_searched(self) -> None:
        index = "".join(path.read_text(encoding="utf-8") for path in HTML.glob("searchindex*.js"))
        rules = [path.stem for path in (ROOT / "rules").glob("*.md")]
        self.assertGreater(len(rules), 20)
        for rule in rules:
            self.assertIn(f"rules/{rule}.html", self.documents)
            self.assertIn(f"rules/{rule}.html", index)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM = sys.argv.pop(1)
    if len(sys.argv) > 2 and sys.argv[1] == "--html":
        HTML = pathlib.Path(sys.argv.pop(2)).resolve()
        sys.argv.pop(1)
    unittest.main()
