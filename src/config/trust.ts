// Settings count only once a person has trusted them on this machine, except for a list of harmless ones: a task, a pull request or a
// fresh clone can change the file, but not what runs here. What you trusted is kept in your own settings folder.

import { existsSync } from "node:fs";
import type * as z from "zod/mini";
import { canonicalJson, isRecord } from "../base/json.js";
import { realPath } from "../base/paths.js";
import { readPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";
import { nameRepository } from "./repository-name.js";
import { parseSettings, readSettings, readSettingsFile, type Settings, type SettingsFile } from "./settings.js";
import { ownFile, writeOwnFile } from "./state-folder.js";

/** Holds the hash of the settings to trust, for machines without a person. */
const TRUST_VARIABLE = "PLANWRIGHT_TRUST";

/**
 * Whatever their values: they start nothing, lower no protection, remove nothing, spend no more, and decide nothing in your place.
 * Everything else needs trust, also settings that are added later.
 */
export const HARMLESS: ReadonlySet<string> = new Set(
  `$schema leaseMinutes checkTimeoutS planning.roleTimeoutMinutes execution.workers execution.onFailedCheck
   execution.backoffSeconds execution.tickSeconds git.landStrategy notifications.bell notifications.desktop
   hosts.routing hosts.prime`.split(/\s+/),
);

/** These two levels are one setting: an agent's command, arguments and environment belong together. */
const WHOLE: ReadonlySet<string> = new Set(["agents"]);

type GuardedSettings = Readonly<Record<string, unknown>>;

export type SettingChange = ReturnType<typeof changesBetween>[number];

const needsTrust = (key: string): boolean => !HARMLESS.has(key);

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

/** The general settings as they count on this machine. A mistake in the file is one whether it is trusted or not. */
export function loadSettings(root: string, env: Environment): Settings {
  const { file, settings } = readTrust(root, env);
  const whole = parseSettings(file, env);
  return settings === file ? whole : parseSettings(settings, env);
}

/** What a person trusted in a repository. */
interface Trusted {
  readonly settings: GuardedSettings;
  /** Trusted once, until their line left the file. They count no more, also when the line comes back. */
  readonly ended: GuardedSettings;
  /** Checkouts in which that was used: there it is noticed if no setting is left. */
  readonly folders: readonly string[];
}

const NOTHING_TRUSTED: Trusted = { settings: {}, ended: {}, folders: [] };

/**
 * `settings`: the `file` as it counts; a setting that has changed counts as you trusted it. `hash`: of what needs trust in the file.
 * `untrusted`: what counts differently from what the file says, or counts no longer because its line is gone.
 */
export function readTrust(root: string, env: Environment) {
  const file = isWithoutSettings(env) ? {} : readSettingsFile(root);
  const found = guardedIn(file);
  const judged = (settings: SettingsFile, untrusted: readonly SettingChange[]) => ({
    file,
    settings,
    untrusted,
    get hash() {
      return hashOf(found);
    },
  });
  if (isWithoutSettings(env)) return judged(file, []);
  const book = readTrustBook(root, env);
  if (Object.keys(found).length === 0 && !book.isUsedIn(root)) return judged(file, []);
  const named = env[TRUST_VARIABLE] ?? "";
  if (named !== "" && named === hashOf(found)) return judged(file, []);
  const { settings, ended } = book.settle(root, env, found);
  const gone = Object.fromEntries(Object.entries(ended).filter(([key]) => !Object.hasOwn(found, key)));
  const untrusted = changesBetween({ ...settings, ...gone }, found);
  return untrusted.length === 0 ? judged(file, []) : judged(withGuarded(file, settings), untrusted);
}

const WITHOUT_SETTINGS = Symbol("without settings");

/** For reads beside a settings file that cannot be understood: the defaults count, and nothing is noted about trust. */
export const withoutSettings = (env: Environment): Environment => Object.assign({}, env, { [WITHOUT_SETTINGS]: true });

const isWithoutSettings = (env: Environment): boolean => WITHOUT_SETTINGS in env;

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

/** Trusts these changes, even if the file has changed since. False if there is no folder to keep them in. */
export function keepTrusted(root: string, env: Environment, changes: readonly SettingChange[]): boolean {
  if (changes.length === 0) return true;
  const book = readTrustBook(root, env);
  const { name, before } = nameRepository(root, env);
  const old = book.of(name, before);
  const [settings, ended] = [{ ...old.settings }, { ...old.ended }];
  for (const { key, found } of changes) {
    delete ended[key];
    if (found === undefined) delete settings[key];
    else settings[key] = found;
  }
  return book.put(name, before, { settings, ended, folders: [...new Set([...old.folders, realPath(root)])] });
}

/** The settings folder's file of what was trusted, by repository. */
function readTrustBook(root: string, env: Environment) {
  const path = ownFile(root, env, "trusted.json");
  const all = path !== undefined && existsSync(path) ? readRepositories(path) : {};
  const of = (name: string | undefined, before: string): Trusted =>
    (name === undefined ? undefined : (all[name] ?? all[before])) ?? NOTHING_TRUSTED;
  const put = (name: string | undefined, before: string, trusted: Trusted): boolean => {
    if (path === undefined || name === undefined) return false;
    const { [before]: _, ...others } = all;
    return writeOwnFile(path, `${JSON.stringify({ repositories: { ...others, [name]: trusted } }, null, 2)}\n`);
  };
  return {
    of,
    put,
    isUsedIn: (folder: string): boolean => Object.values(all).some(({ folders }) => folders.includes(realPath(folder))),
    /** What is trusted where the file says this. Notes what has ended, and the name that a repository has since its first commit. */
    settle: (folder: string, at: Environment, found: GuardedSettings): Trusted => {
      if (Object.keys(all).length === 0) return NOTHING_TRUSTED;
      const { name, before } = nameRepository(folder, at);
      const old = of(name, before);
      if (old === NOTHING_TRUSTED) return old;
      const stays = ([key]: readonly [string, unknown]): boolean => Object.hasOwn(found, key);
      const lines = Object.entries(old.settings);
      const now = {
        settings: Object.fromEntries(lines.filter(stays)),
        ended: { ...old.ended, ...Object.fromEntries(lines.filter((line) => !stays(line))) },
        folders: [...new Set([...old.folders, realPath(folder)])],
      };
      const isNamed = name === before || all[before] === undefined;
      if (!isNamed || canonicalJson(now) !== canonicalJson(old)) put(name, before, now);
      return now;
    },
  };
}

function readRepositories(path: string): Readonly<Record<string, Trusted>> {
  try {
    const { repositories } = Object(JSON.parse(readPlainFile(path))) as Record<string, unknown>;
    if (!isRecord(repositories)) return {};
    const whole = Object.entries(repositories).filter(([, each]) => isTrusted(each));
    return Object.fromEntries(whole) as Record<string, Trusted>;
  } catch {
    return {};
  }
}

const isTrusted = (value: unknown): value is Trusted =>
  isRecord(value) && isRecord(value["settings"]) && isRecord(value["ended"]) && Array.isArray(value["folders"]);
