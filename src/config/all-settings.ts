// Every setting by its key, such as `execution.workers`: its value, its default, where the value comes from, and how to
// change it in the file. A change that no part accepts is not written.

import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../base/json.js";
import type { Environment } from "../machine/process/environment.js";
import { parseExecutionSettings, parseGcSettings } from "./execution-settings.js";
import { parseGitSettings } from "./git-settings.js";
import { parseHostSettings, parseMcpSettings } from "./host-settings.js";
import { parseNotificationSettings } from "./notification-settings.js";
import { parsePlanningSettings } from "./planning-settings.js";
import {
  BadSetting,
  fromEnvironment,
  parseSettings,
  readSettingsFile,
  SETTINGS_FILE,
  type SettingsFile,
} from "./settings.js";
import { readTrust, trustingChange } from "./trust.js";

/** Top-level keys of the file that planning reads. */
const TOP: ReadonlySet<string> = new Set(["agents", "roles", "profiles"]);

const keyed = (part: string, settings: object): [key: string, value: unknown][] =>
  Object.entries(settings).map(([name, value]) => [part === "" || TOP.has(name) ? name : `${part}.${name}`, value]);

/** All settings as they count, with every part judged. */
function valuesOf(file: SettingsFile, env: Environment): Map<string, unknown> {
  return new Map([
    ...keyed("", parseSettings(file, env)),
    ...keyed("planning", parsePlanningSettings(file)),
    ...keyed("execution", parseExecutionSettings(file)),
    ...keyed("git", parseGitSettings(file)),
    ...keyed("gc", parseGcSettings(file)),
    ...keyed("notifications", parseNotificationSettings(file)),
    ...keyed("hosts", parseHostSettings(file)),
    ...keyed("mcp", parseMcpSettings(file)),
  ]);
}

/** `source`: `default`, the file, or the name of the variable that sets it. */
export function listSettings(root: string, env: Environment) {
  const { settings: file, untrusted } = readTrust(root, env);
  const ignored = new Set(untrusted.map(({ key }) => key));
  const defaults = valuesOf({}, {});
  const variables = fromEnvironment(env);
  return [...valuesOf(file, env)].map(([key, value]) => {
    const isSaid = valueAt(file, key) !== undefined;
    const named = isSaid ? SETTINGS_FILE : "default";
    const source =
      variables[key] ?? (ignored.has(key) ? `${named}; the change in ${SETTINGS_FILE} is not trusted` : named);
    return { key, value, default: defaults.get(key), source };
  });
}

/** `roles.worker.agent` is a part of the setting `roles`. */
export function readSetting(root: string, env: Environment, key: string) {
  const all = listSettings(root, env);
  const exact = all.find((each) => each.key === key);
  if (exact) return exact;
  const around = all.find((each) => key.startsWith(`${each.key}.`));
  if (!around) return undefined;
  const inside = key.slice(around.key.length + 1);
  const value = isRecord(around.value) ? valueAt(around.value, inside) : undefined;
  if (value === undefined) return undefined;
  return { key, value, default: null, source: around.source };
}

/** Every setting that there is. */
export const settingKeys = (): readonly string[] => [...valuesOf({}, {}).keys()];

export const isSettingKey = (key: string): boolean =>
  settingKeys().some((known) => known === key || key.startsWith(`${known}.`));

/** Undefined puts the default back. Throws `BadSetting`, and writes nothing, if the result would not be accepted. */
export function writeSetting(root: string, env: Environment, key: string, value: unknown): void {
  const file = structuredClone(readSettingsFile(root)) as Record<string, unknown>;
  putAt(file, key.split("."), value);
  if (value !== undefined) requireKnownRoles(key, value);
  valuesOf(file, env);
  const path = join(root, SETTINGS_FILE);
  const fresh = `${path}.${randomUUID()}`;
  trustingChange(root, env, () => {
    writeFileSync(fresh, `${JSON.stringify(file, null, 2)}\n`);
    renameSync(fresh, path);
  });
}

/** Nothing would ever ask for another. */
const SERVED_ROLES = ["researcher", "clarifier", "author", "critic", "overviewer", "worker", "reviewer", "*"];

function requireKnownRoles(key: string, value: unknown): void {
  const [top, role] = key.split(".");
  if (top !== "roles") return;
  const named = role === undefined ? Object.keys(isRecord(value) ? value : {}) : [role];
  const unknown = named.find((each) => !SERVED_ROLES.includes(each));
  if (unknown !== undefined) throw new BadSetting(`There is no role "${unknown}". Use ${SERVED_ROLES.join(", ")}.`);
}

function valueAt(file: SettingsFile, key: string): unknown {
  let value: unknown = file;
  for (const part of key.split(".")) value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  return value;
}

function putAt(object: Record<string, unknown>, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    if (value === undefined) delete object[first];
    else object[first] = value;
    return;
  }
  const inner = object[first] ?? {};
  if (!isRecord(inner)) throw new BadSetting(`${first} in ${SETTINGS_FILE} is not an object, so it has no parts.`);
  putAt(inner, rest, value);
  object[first] = inner;
}
