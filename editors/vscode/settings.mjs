// Writes the settings that the server takes into package.json, from the schema of cuda-arch-lint.toml.
// `npm run settings`; `npm run settings -- --check` only compares.

import { readFileSync, writeFileSync } from "node:fs";

/** Keys that concern reports and a run's exit code, which an editor has not, and the rules of a project, which are in its file. */
const ELSEWHERE = ["category", "custom-rules", "fail-on", "format", "max-findings", "output", "paths", "rule-files"];

/** What ends the description of a setting that comes from the schema. */
const MARK = "`cuda-arch-lint.toml`.";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const schema = read("../../schemas/config.schema.json");
const manifest = read("package.json");

/** A schema without `$ref`, and without `null`, which means that a key is not set. */
function plain(node) {
  if (Array.isArray(node)) {
    return node.map(plain);
  }
  if (node === null || typeof node !== "object") {
    return node;
  }
  if (node.$ref) {
    return plain(schema.$defs[node.$ref.split("/").pop()]);
  }
  if (node.anyOf) {
    const { anyOf, ...rest } = node;
    return { ...plain(anyOf.find((one) => one.type !== "null")), ...plain(rest) };
  }
  if (node.oneOf?.every((one) => "const" in one)) {
    const { oneOf, ...rest } = node;
    const descriptions = oneOf.map((one) => one.description);
    return { ...plain(rest), type: "string", enum: oneOf.map((one) => one.const), enumDescriptions: descriptions };
  }
  const entries = Object.entries(node).map(([key, value]) => [key, plain(value)]);
  const result = Object.fromEntries(entries);
  if (Array.isArray(node.type)) {
    result.type = node.type.find((one) => one !== "null");
  }
  return result;
}

const properties = manifest.contributes.configuration.properties;
const own = Object.entries(properties).filter(([, value]) => !value.markdownDescription?.endsWith(MARK));
const servers = Object.entries(schema.properties)
  .filter(([key]) => !ELSEWHERE.includes(key))
  .map(([key, value]) => {
    const { description, default: _default, format: _format, ...rest } = plain(value);
    const text = description.replaceAll("\n", " ");
    const setting = { scope: "resource", ...rest, markdownDescription: `${text} As \`${key}\` in ${MARK}` };
    return [`cuda-arch-lint.${key}`, setting];
  });
manifest.contributes.configuration.properties = Object.fromEntries([...own, ...servers]);

const name = new URL("package.json", import.meta.url);
const text = `${JSON.stringify(manifest, null, 2)}\n`;
if (process.argv.includes("--check")) {
  if (text !== readFileSync(name, "utf8")) {
    console.error("package.json and the schema disagree: npm run settings");
    process.exit(1);
  }
} else {
  writeFileSync(name, text);
}
