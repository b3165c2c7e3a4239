// Looks at the extension as a user does: packaged, installed into code-server, in a headless Chromium.
//
//   npm run package && npm run look -- CODE_SERVER PROGRAM [PICTURES]
//
// CODE_SERVER is the file that starts code-server (run with this same node, so with the release that code-server
// asks for), PROGRAM is cuda-arch-lint, PICTURES the directory for screenshots. README.md says how to get a
// code-server from npm. Each step fails if what it waits for does not come.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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

/** A project with the guide's example, and a profile in which nothing else asks for attention. */
const root = mkdtempSync(join(tmpdir(), "look-"));
const project = join(root, "guide");
const profile = join(root, "profile");
const extensions = join(root, "extensions");
mkdirSync(join(project, ".git"), { recursive: true });
mkdirSync(join(profile, "User"), { recursive: true });
cpSync(join(here, "../../corpus/guide/typedef-by-pass.cu"), join(project, "kernels.cu"));
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
  defaultViewport: { width: 1100, height: 640 },
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
