#!/usr/bin/env python3
"""Looks at the built site in a browser: `site/look.py HTML PICTURES`.

Opens each page 400 and 1,280 pixels wide in a headless Chromium, and ends with a message when one is wider than its window: only
tables and code may scroll. Types a rule's name into the search. Keeps pictures of some pages, which are for people to look at.
"""

import functools
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

WIDTHS = [400, 1280]

# Pages of which pictures are kept: one of each sort.
SHOWN = ["index", "five-minutes", "rules/index", "rules/arch-dependent-layout", "commands/check", "integrations/index"]

BROWSERS = ["chromium", "google-chrome", "chromium-browser", "chrome"]

# Opens the pages one after the other in frames of each width, and says which are wider than that.
MEASURE = """<!doctype html><body><script>
const pages = PAGES, widths = WIDTHS, wide = [];
const open = (page, width) => new Promise((done) => {
  const frame = document.createElement("iframe");
  frame.width = width;
  frame.height = 800;
  frame.onload = () => done(frame);
  frame.src = page;
  document.body.append(frame);
});
const say = (found) => {
  const place = document.createElement("pre");
  place.id = "said";
  place.textContent = JSON.stringify(found);
  document.body.append(place);
};
(async () => {
  for (const page of pages) {
    for (const width of widths) {
      const frame = await open(page, width);
      const root = frame.contentDocument.documentElement;
      if (!frame.contentDocument.querySelector("main")) wide.push([page, width, "no page"]);
      if (root.scrollWidth > width) wide.push([page, width, root.scrollWidth]);
      frame.remove();
    }
  }
  const frame = await open("index.html?search=RULE", 1280);
  const results = () => [...frame.contentDocument.querySelectorAll("#mdbook-searchresults a, #searchresults a")];
  for (let tries = 0; tries < 100 && !results().length; tries++) await new Promise((later) => setTimeout(later, 50));
  say({ wide, found: results().map((result) => result.getAttribute("href")) });
})();
</script>"""

RULE = "host-value-by-pass"


class Handler(http.server.SimpleHTTPRequestHandler):
    """The site, and the page that measures it."""

    measure = b""

    def do_GET(self) -> None:
        if self.path != "/measure-the-pages":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.measure)
        return None

    def log_message(self, *_: object) -> None:
        """Nothing: each file would be a line."""


def browser(*arguments: str) -> str:
    program = next((name for name in BROWSERS if shutil.which(name)), None)
    if program is None:
        sys.exit("no Chromium is installed: `apt-get install chromium`")
    with tempfile.TemporaryDirectory() as profile:
        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += [f"--user-data-dir={profile}", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    site, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html") if path.name not in ["404.html", "toc.html"])
    values = {"PAGES": json.dumps(pages), "WIDTHS": json.dumps(WIDTHS), "RULE": RULE}
    Handler.measure = re.sub("PAGES|WIDTHS|RULE", lambda name: values[name[0]], MEASURE).encode()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    document = browser("--virtual-time-budget=120000", "--dump-dom", f"{address}/measure-the-pages")
    said = re.search(r'<pre id="said">(.*?)</pre>', document)
    if said is None:
        sys.exit(f"the pages were not measured:\n{document[-2000:]}")
    result = json.loads(html.unescape(said[1]))
    for page, width, found in result["wide"]:
        print(f"{page}: {found} pixels wide in a window of {width}")
    if not any(f"rules/{RULE}.html" in link for link in result["found"]):
        print(f"a search for {RULE} finds {result['found']}")
        result["wide"].append(RULE)
    pictures.mkdir(parents=True, exist_ok=True)
    for page in SHOWN:
        for width in WIDTHS:
            picture = pictures / f"{page.replace('/', '-')}-{width}.png"
            browser(f"--window-size={width},1400", f"--screenshot={picture}", f"{address}/{page}.html")
    server.shutdown()
    if result["wide"]:
        sys.exit(1)
    print(f"{len(pages)} pages fit {' and '.join(map(str, WIDTHS))} pixels; the search finds {RULE}")


if __name__ == "__main__":
    main()
