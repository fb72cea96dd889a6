// Settings that carry commands or lower protection count only once a person has trusted them on this machine: a task, a pull
// request or a fresh clone can change the file, but not what runs here. What you trusted is kept in your own settings folder.

import { realpathSync } from "node:fs";
import type * as z from "zod/mini";
import { canonicalJson, isRecord } from "../base/json.js";
import { readPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";
import { readSettings, readSettingsFile, type SettingsFile } from "./settings.js";
import { ownFile, writeOwnFile } from "./state-folder.js";

/** Holds the hash of the settings to trust, for machines without a person. */
const TRUST_VARIABLE = "PLANWRIGHT_TRUST";

/** Everything else needs trust, also settings that are added later. */
const HARMLESS: ReadonlySet<string> = new Set(
  `$schema leaseMinutes maxRetries checkTimeoutS durability backups replans profiles
   planning.roleTimeoutMinutes planning.windowTokens planning.answerHours planning.revisions planning.overviews
   execution.workers execution.ports execution.fixes execution.onFailedCheck execution.attemptMinutes
   execution.stallMinutes execution.backoffSeconds execution.transientRetries execution.storm execution.keepDays
   execution.tickSeconds git.landStrategy git.landMessage
   notifications.bell notifications.desktop notifications.news hosts.routing hosts.prime`.split(/\s+/),
);

/** These two levels are one setting: an agent's command, arguments and environment belong together. */
const WHOLE: ReadonlySet<string> = new Set(["agents"]);

type GuardedSettings = Readonly<Record<string, unknown>>;

export type SettingChange = ReturnType<typeof changesBetween>[number];

const needsTrust = (key: string): boolean =>
  !HARMLESS.has(key) &&
  !HARMLESS.has(key.split(".")[0] ?? "") &&
  !(key.startsWith("roles.") && key !== "roles.reviewer");

/** The settings of a file, such as `execution.setup`; `inner` is undefined for what has no parts. */
function* settingsOf(file: SettingsFile): Iterable<{ key: string; name: string; inner?: string; value: unknown }> {
  for (const [name, value] of Object.entries(file)) {
    if (!isRecord(value) || WHOLE.has(name)) yield { key: name, name, value };
    else for (const [inner, part] of Object.entries(value)) yield { key: `${name}.${inner}`, name, inner, value: part };
  }
}

/** What needs trust, by key. */
function guardedIn(file: SettingsFile): GuardedSettings {
  const found = [...settingsOf(file)]
    .filter(({ key }) => needsTrust(key))
    .map(({ key, value }) => [key, value] as const);
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The file with other values for what needs trust. */
function withGuarded(file: SettingsFile, guarded: GuardedSettings): SettingsFile {
  const settled: Record<string, unknown> = {};
  const put = (name: string, inner: string | undefined, value: unknown): void => {
    if (inner === undefined) settled[name] = value;
    else settled[name] = { ...(isRecord(settled[name]) ? settled[name] : {}), [inner]: value };
  };
  for (const { key, name, inner, value } of settingsOf(file)) if (!needsTrust(key)) put(name, inner, value);
  for (const [key, value] of Object.entries(guarded)) {
    const dot = key.indexOf(".");
    if (dot < 0) put(key, undefined, value);
    else put(key.slice(0, dot), key.slice(dot + 1), value);
  }
  return settled;
}

const hashOf = (guarded: GuardedSettings): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(canonicalJson(guarded)).digest("hex");

/** The hash of the file's settings, to pass in the environment. */
export const settingsHash = (root: string): string => hashOf(guardedIn(readSettingsFile(root)));

/** A part of the file: `parse` takes it as the file has it, `load` as it counts on this machine. */
export function settingsPart<T extends z.ZodMiniType>(name: string, schema: T) {
  const parse = ({ [name]: part = {} }: SettingsFile): z.output<T> => readSettings(schema, part, name);
  return { parse, load: (root: string, env: Environment): z.output<T> => parse(readTrust(root, env).settings) };
}

/**
 * `settings`: the file as it counts; what needs trust is as you trusted it. `hash`: of what needs trust in the file. `untrusted`: what
 * counts differently from what the file says.
 */
export function readTrust(root: string, env: Environment) {
  const file = readSettingsFile(root);
  const found = guardedIn(file);
  const trusted = readTrusted(trustedFile(root, env))[nameOf(root)] ?? {};
  const judged = (settings: SettingsFile, untrusted: readonly SettingChange[]) => ({
    settings,
    untrusted,
    get hash() {
      return hashOf(found);
    },
  });
  const untrusted = changesBetween(trusted, found);
  if (untrusted.length === 0) return judged(file, []);
  const named = env[TRUST_VARIABLE] ?? "";
  if (named !== "" && named === hashOf(found)) return judged(file, []);
  return judged(withGuarded(file, trusted), untrusted);
}

/** `trusted` is undefined of what is new, `found` of what is gone from the file. */
function changesBetween(trusted: GuardedSettings, found: GuardedSettings) {
  const keys = new Set([...Object.keys(trusted), ...Object.keys(found)]);
  return [...keys]
    .filter((key) => canonicalJson(trusted[key]) !== canonicalJson(found[key]))
    .map((key) => ({ key, trusted: trusted[key], found: found[key] }));
}

/** Makes a change of the file and trusts exactly that change. */
export function trustingChange<T>(root: string, env: Environment, change: () => T): T {
  const before = guardedIn(readSettingsFile(root));
  const made = change();
  keepTrusted(root, env, changesBetween(before, guardedIn(readSettingsFile(root))));
  return made;
}

const trustedFile = (root: string, env: Environment): string | undefined => ownFile(root, env, "trusted.json");

/** What you trusted, by workspace. */
function readTrusted(path: string | undefined): Readonly<Record<string, GuardedSettings>> {
  try {
    const { workspaces } = Object(path === undefined ? {} : JSON.parse(readPlainFile(path))) as Record<string, unknown>;
    return isRecord(workspaces) ? (workspaces as Record<string, GuardedSettings>) : {};
  } catch {
    return {};
  }
}

/** One folder has one name, however it is reached. */
function nameOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

/** Trusts these changes, even if the file has changed since. False if there is no folder to keep them in. */
export function keepTrusted(root: string, env: Environment, changes: readonly SettingChange[]): boolean {
  const path = trustedFile(root, env);
  if (changes.length === 0) return true;
  if (path === undefined) return false;
  const workspaces = readTrusted(path);
  const settings: Record<string, unknown> = { ...workspaces[nameOf(root)] };
  for (const { key, found } of changes) {
    if (found === undefined) delete settings[key];
    else settings[key] = found;
  }
  const text = JSON.stringify({ workspaces: { ...workspaces, [nameOf(root)]: settings } }, null, 2);
  return writeOwnFile(path, `${text}\n`);
}
