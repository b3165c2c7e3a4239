// Where the program is: the setting, else the project's Python environment, else the PATH, else where cargo and
// pip put programs. Nothing is downloaded.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/** The program's file name on this system. */
const FILE = process.platform === "win32" ? "cuda-arch-lint.exe" : "cuda-arch-lint";

/** A place that was looked at, and what was there. */
export interface Search {
  /** The program to run, if there is one. */
  found: string | undefined;
  /** All places, in the order they were looked at. */
  looked: string[];
}

/**
 * Looks the program up.
 *
 * @param asked The user's setting, empty for none. It is used as it is, found or not: what the user asks for
 * is never replaced by something else.
 * @param folders The workspace folders, which `~`, `${workspaceFolder}` and relative paths are meant from.
 */
export async function findProgram(asked: string, folders: string[]): Promise<Search> {
  const candidates = asked === "" ? places(folders) : [resolve(asked, folders)];
  const looked: string[] = [];
  for (const candidate of candidates) {
    looked.push(candidate);
    if (await runs(candidate)) {
      return { found: candidate, looked };
    }
  }
  return { found: undefined, looked };
}

/** Where the program may be when no setting says. */
function places(folders: string[]): string[] {
  const scripts = process.platform === "win32" ? "Scripts" : "bin";
  const environments = [process.env["VIRTUAL_ENV"], process.env["CONDA_PREFIX"]];
  const directories = [
    ...folders.flatMap((folder) => [join(folder, ".venv", scripts), join(folder, "venv", scripts)]),
    ...environments.flatMap((environment) => (environment ? [join(environment, scripts)] : [])),
    ...(process.env["PATH"] ?? "").split(delimiter).filter((directory) => isAbsolute(directory)),
    join(homedir(), ".cargo", "bin"),
    join(homedir(), ".local", "bin"),
  ];
  return [...new Set(directories.map((directory) => join(directory, FILE)))];
}

/** A setting as a path. */
function resolve(asked: string, folders: string[]): string {
  const folder = folders[0] ?? "";
  const path = asked.replaceAll("${workspaceFolder}", folder).replace(/^~(?=$|[\\/])/, homedir());
  return isAbsolute(path) ? path : join(folder, path);
}

async function runs(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
