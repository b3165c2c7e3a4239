// The user's settings as the server wants them: the keys of cuda-arch-lint.toml, and only those that someone set.
// Defaults stay unsaid, since they would hide what the configuration file says.

import * as vscode from "vscode";

/** The prefix of all settings, and the section that the server asks for. */
export const SECTION = "cuda-arch-lint";

/** Settings of the extension itself, which the server does not know. */
const OWN = new Set(["path", "dimInactiveCode", "trace.server"]);

/** The keys that are the server's, from the extension's manifest. */
function keys(extension: vscode.Extension<unknown>): string[] {
  const properties: Record<string, unknown> = extension.packageJSON.contributes.configuration.properties;
  const names = Object.keys(properties).map((name) => name.slice(SECTION.length + 1));
  return names.filter((name) => !OWN.has(name));
}

/** What the user asks for in a folder, or everywhere. */
export function asked(extension: vscode.Extension<unknown>, scope?: vscode.Uri): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  const settings: Record<string, unknown> = {};
  for (const key of keys(extension)) {
    const levels = configuration.inspect(key);
    const set = [levels?.globalValue, levels?.workspaceValue, levels?.workspaceFolderValue];
    if (set.some((value) => value !== undefined)) {
      settings[key] = configuration.get(key);
    }
  }
  return settings;
}
