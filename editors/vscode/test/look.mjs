// Looks at the extension as a user does: packaged, installed into code-server, in a headless Chromium.
//
//   npm run package && npm run look -- CODE_SERVER PROGRAM [PICTURES]
//
// CODE_SERVER is the file that starts code-server (run with this same node, so with the release that code-server
// asks for), PROGRAM is cuda-arch-lint, PICTURES the directory for screenshots. README.md says how to get a
// code-server from npm. Each step fails if what it waits for does not come.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import puppeteer from "puppeteer-core";

const [codeServer, program, pictures] = process.argv.slice(2).map((path) => resolve(path));
if (program === undefined) {
  console.error("usage: npm run look -- CODE_SERVER PROGRAM [PICTURES]");
  process.exit(2);
}
const here = fileURLToPath(new URL("..", import.meta.url));
const browserPath = process.env.BROWSER ?? "/usr/bin/chromium";
const PATIENCE = 60_000;

/** What has the keyboard's focus in an editor. */
const EDITOR = ".editor-instance .native-edit-context, .editor-instance textarea";

/** A project with the guide's example, and a profile in which nothing else asks for attention. */
const root = mkdtempSync(join(tmpdir(), "look-"));
const project = join(root, "guide");
const profile = join(root, "profile");
const extensions = join(root, "extensions");
mkdirSync(join(project, ".git"), { recursive: true });
mkdirSync(join(profile, "User"), { recursive: true });
// Without the corpus's marks, which are not the reader's.
const example = readFileSync(join(here, "../../corpus/guide/typedef-by-pass.cu"), "utf8");
writeFileSync(join(project, "kernels.cu"), example.replace(/ *\/\/~.*/g, ""));
writeFileSync(
  join(profile, "User/settings.json"),
  JSON.stringify({
    "security.workspace.trust.enabled": false,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "window.commandCenter": false,
    "editor.minimap.enabled": false,
    "cuda-arch-lint.path": program,
    "cuda-arch-lint.arch": ["80", "90"],
  }),
);

/** A port that is free now. */
function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

const directories = ["--user-data-dir", profile, "--extensions-dir", extensions];
const packages = readdirSync(here).filter((name) => name.endsWith(".vsix"));
if (packages.length !== 1) {
  throw new Error(`one package is expected in ${here}, not ${packages.length}: npm run package`);
}
const install = spawnSync(process.execPath, [codeServer, ...directories, "--install-extension", join(here, packages[0])]);
if (install.status !== 0) {
  throw new Error(`the package can't be installed: ${install.stderr}`);
}

const port = await freePort();
const options = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check"];
const server = spawn(process.execPath, [codeServer, ...directories, ...options], { stdio: "ignore" });
const browser = await puppeteer.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--disable-gpu"],
  defaultViewport: { width: 920, height: 540 },
});

const page = await browser.newPage();
try {
  await look(page);
} catch (error) {
  await picture(page, "failed");
  throw error;
} finally {
  await browser.close();
  server.kill();
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

async function look(page) {
  page.setDefaultTimeout(PATIENCE);
  const url = `http://127.0.0.1:${port}/?folder=${project}`;
  const answered = () => page.goto(url).then(() => true, () => false);
  await until("code-server answers", answered);
  await page.waitForSelector(".monaco-workbench");

  await step("the file is opened", async () => {
    const row = await page.waitForSelector('.explorer-folders-view [aria-label^="kernels.cu"]');
    await row.click({ count: 2 });
    await page.waitForSelector(".view-lines");
  });

  await step("findings have squiggles", async () => {
    await until("two squiggles", async () => (await page.$$(".squiggly-error")).length >= 2);
    await picture(page, "squiggles");
  });

  await step("hover on a conditional has the passes", async () => {
    await goTo(page, 3, 3);
    const text = await hover(page);
    for (const part of ["the host\tyes", "every target\tno", "__CUDA_ARCH__"]) {
      expect(text.includes(part), `${part} in the hover: ${text}`);
    }
    await picture(page, "hover");
    await page.keyboard.press("Escape");
  });

  await step("hover on a kernel has its type in each pass", async () => {
    await goTo(page, 11, 18);
    const text = await hover(page);
    for (const part of ["double *", "int *"]) {
      expect(text.includes(part), `${part} in the hover: ${text}`);
    }
    await picture(page, "kernel");
    await page.keyboard.press("Escape");
  });

  await step("the file is shown as a pass reads it", async () => {
    await command(page, "cuda-arch-lint: Show the File as a Pass Reads It");
    await choose(page, "sm_90");
    const text = () => page.$$eval(".editor-instance .view-lines", (all) => all.map((one) => one.innerText).join("\n"));
    await until("the expanded text", async () => /typedef\s+double\s+scalar_t/.test(plain(await text())));
    await picture(page, "expanded");
    await command(page, "View: Close Editor");
  });

  await step("a pass is chosen, and what it does not read is dimmed", async () => {
    const item = await page.waitForSelector(".statusbar-item .statusbar-item-label[aria-label*='every pass']");
    await item.click();
    await choose(page, "sm_90");
    await page.waitForSelector(".statusbar-item .statusbar-item-label[aria-label*='sm_90']");
    const dimmed = () => lines(page, (line) => getComputedStyle(line.firstElementChild.firstElementChild).opacity);
    await until("`typedef int` is dimmed and no other line", async () => {
      const all = await dimmed();
      return all[3]?.seen === "0.5" && all.filter((line) => line.seen === "0.5").length === 1;
    });
    await picture(page, "pass");
  });

  await step("the server is restarted", async () => {
    await command(page, "cuda-arch-lint: Restart the Server");
    await until("two squiggles", async () => (await page.$$(".squiggly-error")).length >= 2);
    await page.waitForSelector(".statusbar-item .statusbar-item-label[aria-label*='sm_90']");
  });

  await step("the rule's card is opened", async () => {
    await goTo(page, 11, 18);
    await act(page, "Explain `arch-dependent-signature`");
    await page.waitForSelector(".tab[aria-label*='arch-dependent-signature']");
    await until("the card's text", async () => {
      const texts = await Promise.all(page.frames().map((frame) => frame.evaluate("document.body?.innerText ?? ''").catch(() => "")));
      return texts.some((text) => text.includes("What it detects"));
    });
    await picture(page, "card");
    await command(page, "View: Close Editor");
  });

  await step("a quick fix is applied, and the finding is gone", async () => {
    await goTo(page, 11, 18);
    await act(page, "Suggested: Lift `typedef double scalar_t;`");
    await until("no squiggle", async () => (await page.$$(".squiggly-error")).length === 0);
    const all = await lines(page, () => null);
    expect(plain(all[2].text) === "typedef double scalar_t;", `the third line is fixed: ${all[2].text}`);
    await picture(page, "fixed");
  });
}

/** Puts the cursor to a line and column, from 1. */
async function goTo(page, line, column) {
  await press(page, "Control+KeyG");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(`${line}:${column}`, { delay: 10 });
  await page.keyboard.press("Enter");
  await until("the quick input is closed", async () => !(await visible(page, ".quick-input-widget")));
}

/** The text of the hover at the cursor. */
async function hover(page) {
  await page.focus(EDITOR);
  await press(page, "Control+KeyK");
  await press(page, "Control+KeyI");
  let text = "";
  await until("a hover", async () => {
    text = (await page.$$eval(".monaco-hover", (all) => all.map((one) => one.innerText).join("\n"))).trim();
    return text !== "" && !text.includes("Loading");
  });
  return plain(text);
}

/** Takes the code action at the cursor whose title begins so. */
async function act(page, title) {
  await page.focus(EDITOR);
  await press(page, "Control+Period");
  await page.waitForSelector(".action-widget");
  let row;
  await until(`an action ${title}`, async () => {
    for (const candidate of await page.$$(".action-widget .monaco-list-row")) {
      if (plain(await candidate.evaluate((it) => it.innerText)).startsWith(title)) {
        row = candidate;
        return true;
      }
    }
    return false;
  });
  await picture(page, "actions");
  await row.click();
}

/** Runs a command by its title. */
async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(title, { delay: 5 });
  await choose(page, title);
}

/** Takes the first row of the quick input that has a text. */
async function choose(page, text) {
  let row;
  await until(`a row for ${text}`, async () => {
    for (const candidate of await page.$$(".quick-input-list .monaco-list-row")) {
      if (plain(await candidate.evaluate((it) => it.innerText)).includes(text)) {
        row = candidate;
        return true;
      }
    }
    return false;
  });
  await row.click();
}

/** The lines of the editor from top to bottom, each with what `see` says of its element. */
async function lines(page, see) {
  const all = await page.$$(".editor-instance .view-line");
  const seen = await Promise.all(
    all.map(async (line) => ({
      top: await line.evaluate((it) => it.getBoundingClientRect().top),
      text: await line.evaluate((it) => it.innerText),
      seen: await line.evaluate(see),
    })),
  );
  return seen.sort((left, right) => left.top - right.top);
}

async function visible(page, selector) {
  return page.$eval(selector, (it) => it.checkVisibility()).catch(() => false);
}

/** Editors draw blanks as no-break spaces. */
function plain(text) {
  return text.replaceAll("\u00a0", " ").trim();
}

function expect(holds, what) {
  if (!holds) {
    throw new Error(`expected ${what}`);
  }
}

/** A step of the session, named in the output. */
async function step(name, act) {
  const start = Date.now();
  await act();
  console.log(`ok: ${name} (${Date.now() - start} ms)`);
}

async function until(what, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`waited in vain: ${what}`);
    }
    await pause(100);
  }
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** A chord such as `Control+Shift+KeyM`. */
async function press(page, chord) {
  const keys = chord.split("+");
  for (const key of keys) {
    await page.keyboard.down(key);
  }
  for (const key of keys.reverse()) {
    await page.keyboard.up(key);
  }
}

async function picture(page, name) {
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await pause(300);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}
