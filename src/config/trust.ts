// Settings that carry commands or lower protection count only once a person has trusted them on this machine: a task, a pull
// request or a fresh clone can change the file, but not what runs here. What you trusted is kept in your own settings folder.

import { mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../base/json.js";
import { isInside } from "../base/paths.js";
import { readPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";
import { readSettingsFile, type SettingsFile } from "./settings.js";
import { configFolder } from "./state-folder.js";

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

type Guarded = Readonly<Record<string, unknown>>;

export interface SettingChange {
  readonly key: string;
  /** What you trusted; undefined if it is new. */
  readonly trusted: unknown;
  /** What the file says now; undefined if it is gone. */
  readonly found: unknown;
}

export interface Trust {
  /** The file as it counts: what needs trust is as you trusted it. */
  readonly settings: SettingsFile;
  /** Of what needs trust in the file. */
  readonly hash: string;
  /** What counts differently from what the file says. */
  readonly untrusted: readonly SettingChange[];
}

const needsTrust = (key: string): boolean =>
  !HARMLESS.has(key) &&
  !HARMLESS.has(key.split(".")[0] ?? "") &&
  !(key.startsWith("roles.") && key !== "roles.reviewer");

/** By key, such as `execution.setup`. */
function guardedIn(file: SettingsFile): Guarded {
  const found: [string, unknown][] = [];
  for (const [name, value] of Object.entries(file)) {
    if (!isRecord(value) || WHOLE.has(name)) found.push([name, value]);
    else for (const [inner, part] of Object.entries(value)) found.push([`${name}.${inner}`, part]);
  }
  return Object.fromEntries(found.filter(([key]) => needsTrust(key)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The file with other values for what needs trust. */
function withGuarded(file: SettingsFile, guarded: Guarded): SettingsFile {
  const settled: Record<string, unknown> = {};
  const put = (key: string, value: unknown): void => {
    const dot = key.indexOf(".");
    const [name, inner] = dot < 0 ? [key, undefined] : [key.slice(0, dot), key.slice(dot + 1)];
    if (inner === undefined) settled[name] = value;
    else settled[name] = { ...(isRecord(settled[name]) ? settled[name] : {}), [inner]: value };
  };
  for (const [name, value] of Object.entries(file)) {
    if (!isRecord(value) || WHOLE.has(name)) {
      if (!needsTrust(name)) settled[name] = value;
      continue;
    }
    if (HARMLESS.has(name)) settled[name] = value;
    else
      for (const [inner, part] of Object.entries(value))
        if (!needsTrust(`${name}.${inner}`)) put(`${name}.${inner}`, part);
  }
  for (const [key, value] of Object.entries(guarded)) put(key, value);
  return settled;
}

/** The same text for the same value, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

const hashOf = (guarded: Guarded): string =>
  process.getBuiltinModule("node:crypto").createHash("sha256").update(canonical(guarded)).digest("hex");

/** The hash of the file's settings, to pass in the environment. */
export const settingsHash = (root: string): string => hashOf(guardedIn(readSettingsFile(root)));

export function readTrust(root: string, env: Environment): Trust {
  const file = readSettingsFile(root);
  const found = guardedIn(file);
  const trusted = readTrusted(root, env) ?? {};
  const judged = (settings: SettingsFile, untrusted: readonly SettingChange[]): Trust => ({
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

function changesBetween(trusted: Guarded, found: Guarded): SettingChange[] {
  const keys = new Set([...Object.keys(trusted), ...Object.keys(found)]);
  return [...keys]
    .filter((key) => canonical(trusted[key]) !== canonical(found[key]))
    .map((key) => ({ key, trusted: trusted[key], found: found[key] }));
}

/** Trusts what `trust` showed, even if the file has changed since. False if there is no folder to keep it in. */
export const trustShown = (root: string, env: Environment, { untrusted }: Trust): boolean =>
  keepTrusted(root, env, untrusted);

/** Makes a change of the file and trusts exactly that change. */
export function trustingChange<T>(root: string, env: Environment, change: () => T): T {
  const before = guardedIn(readSettingsFile(root));
  const made = change();
  keepTrusted(root, env, changesBetween(before, guardedIn(readSettingsFile(root))));
  return made;
}

interface TrustedFile {
  readonly workspaces: Readonly<Record<string, Guarded>>;
}

/** Outside the workspace, where no task can change it. */
const trustedFile = (root: string, env: Environment): string | undefined => {
  const folder = configFolder(env);
  return folder === undefined || isInside(folder, root) ? undefined : join(folder, "trusted.json");
};

function readTrustedFile(path: string): TrustedFile {
  try {
    const parsed = JSON.parse(readPlainFile(path)) as unknown;
    return isRecord(parsed) && isRecord(parsed["workspaces"]) ? (parsed as unknown as TrustedFile) : { workspaces: {} };
  } catch {
    return { workspaces: {} };
  }
}

function readTrusted(root: string, env: Environment): Guarded | undefined {
  const path = trustedFile(root, env);
  return path === undefined ? undefined : readTrustedFile(path).workspaces[nameOf(root)];
}

/** One folder has one name, however it is reached. */
function nameOf(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root;
  }
}

function keepTrusted(root: string, env: Environment, changes: readonly SettingChange[]): boolean {
  const path = trustedFile(root, env);
  if (changes.length === 0) return true;
  if (path === undefined) return false;
  const { workspaces } = readTrustedFile(path);
  const settings: Record<string, unknown> = { ...workspaces[nameOf(root)] };
  for (const { key, found } of changes) {
    if (found === undefined) delete settings[key];
    else settings[key] = found;
  }
  const text = JSON.stringify({ workspaces: { ...workspaces, [nameOf(root)]: settings } }, null, 2);
  const fresh = `${path}.${process.pid}`;
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${text}\n`, { mode: 0o600 });
    renameSync(fresh, path);
    return true;
  } catch {
    return false;
  }
}
