// Files that agents must write to although parts of them start programs. Those parts, by where they stand.

import { codeOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";

/** In the home folder: settings beside logins, and what was used last. */
export const PARTLY_OBEYED = [
  ".claude.json",
  ".copilot/config.json",
  ".gemini/settings.json",
  ".qwen/settings.json",
] as const;

const KEYS = [
  "mcpServers",
  "hooks",
  "enabledMcpjsonServers",
  "enableAllProjectMcpServers",
  "mcp",
  "mcpServerCommand",
  "tools",
  "toolCallCommand",
  "toolDiscoveryCommand",
];

/** By the keys that lead there, as JSON: the value, as JSON. */
export type OrderParts = Readonly<Record<string, string>>;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0);

/** Undefined if there is no such file, or no JSON in it. Some write a comment at its beginning. */
export function jsonOf(path: string): Json | undefined {
  try {
    const read: unknown = JSON.parse(readPlainFile(path).replaceAll(/^\s*\/\/.*$/gm, ""));
    return isObject(read) ? read : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError) && codeOf(error) === undefined) throw error;
    return undefined;
  }
}

export function partsOf(json: Json | undefined): OrderParts {
  const projects = isObject(json?.["projects"]) ? Object.entries(json["projects"]) : [];
  const holders: [string[], unknown][] = [
    [[], json],
    ...projects.map(([name, each]): [string[], unknown] => [["projects", name], each]),
  ];
  const found: Record<string, string> = {};
  for (const [path, holder] of holders) {
    if (!isObject(holder)) continue;
    for (const key of KEYS.filter((each) => Object.hasOwn(holder, each))) {
      const value = holder[key];
      const entries: [string[], unknown][] = isObject(value)
        ? Object.entries(value).map(([name, each]) => [[...path, key, name], each])
        : [[[...path, key], value]];
      for (const [keys, each] of entries) if (!isEmpty(each)) found[JSON.stringify(keys)] = JSON.stringify(each);
    }
  }
  return found;
}

/** The same file with these parts as they are in `values`, and without those that are not there. */
export function withParts(json: Json, parts: readonly string[], values: OrderParts): Json {
  const copy = structuredClone(json);
  for (const part of parts) {
    const keys = JSON.parse(part) as string[];
    const last = keys.pop() as string;
    let holder = copy;
    for (const key of keys) {
      const inner = Object.hasOwn(holder, key) ? holder[key] : undefined;
      holder = isObject(inner) ? inner : (holder[key] = {});
    }
    const value = values[part];
    if (value === undefined) delete holder[last];
    else holder[last] = JSON.parse(value);
  }
  return copy;
}
