// Every setting, its default and what it accepts. `planwright.json` in the workspace's root holds a
// team's choices; the environment wins over the file, flags over both.

import { existsSync, readFileSync } from "node:fs";
import { sep } from "node:path";
import type { Environment } from "../process/environment.js";

export interface Settings {
  /** How long a claim lasts without a heartbeat. */
  readonly leaseMinutes: number;
  /** How many leases of a task may expire in a row before it is frozen. */
  readonly maxRetries: number;
  /** How long a check may take that does not say so itself. */
  readonly checkTimeoutS: number;
  /** `normal` survives the death of every process, `full` also a power cut. */
  readonly durability: "normal" | "full";
  readonly replans: { readonly initiative: number; readonly feature: number; readonly story: number };
}

const DEFAULTS: Settings = {
  leaseMinutes: 40,
  maxRetries: 4,
  checkTimeoutS: 600,
  durability: "normal",
  replans: { initiative: 2, feature: 2, story: 3 },
};

export const SETTINGS_FILE = "planwright.json";

export class BadSetting extends Error {}

type Parse<T> = (value: unknown) => T | undefined;

const number =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const n = typeof value === "string" ? Number(value) : value;
    return typeof n === "number" && n >= least && n <= most ? n : undefined;
  };

const oneOf =
  <T extends string>(...words: T[]): Parse<T> =>
  (value) =>
    words.find((word) => word === value);

const replans: Parse<Settings["replans"]> = (value) => {
  if (typeof value !== "object" || value === null) return undefined;
  const parse = number(0, 1000);
  const given = value as Record<string, unknown>;
  const settled: Record<string, number> = { ...DEFAULTS.replans };
  for (const [tier, budget] of Object.entries(given)) {
    const parsed = parse(budget);
    if (!(tier in settled) || parsed === undefined) return undefined;
    settled[tier] = parsed;
  }
  return settled as unknown as Settings["replans"];
};

interface Rule<T> {
  readonly parse: Parse<T>;
  readonly accepts: string;
  /** What sets it in the environment. */
  readonly variable: string;
}

const PARSE: { readonly [K in keyof Settings]: Rule<Settings[K]> } = {
  leaseMinutes: {
    parse: number(0.001, 100_000),
    accepts: "a number of minutes",
    variable: "PLANWRIGHT_LEASE_MINUTES",
  },
  maxRetries: { parse: number(0, 1000), accepts: "a number from 0 to 1000", variable: "PLANWRIGHT_MAX_RETRIES" },
  checkTimeoutS: {
    parse: number(0.1, 86_400),
    accepts: "a number of seconds up to a day",
    variable: "PLANWRIGHT_CHECK_TIMEOUT_S",
  },
  durability: { parse: oneOf("normal", "full"), accepts: "normal or full", variable: "PLANWRIGHT_DURABILITY" },
  replans: {
    parse: replans,
    accepts: "an object with numbers for initiative, feature, story",
    variable: "PLANWRIGHT_REPLANS",
  },
};

/** Read by what needs them. */
const ELSEWHERE = new Set(["$schema", "agents", "roles", "profiles", "planning", "execution", "notifications"]);

/** What the file says, before anything is judged. */
export type SettingsFile = Readonly<Record<string, unknown>>;

/** The file as it is; `planning-settings.ts` reads its own part of it. */
export function readSettingsFile(root: string): SettingsFile {
  const path = `${root}${sep}${SETTINGS_FILE}`;
  // Most have none, and an error that nobody reads takes 0.2 ms to make.
  if (!existsSync(path)) return {};
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new BadSetting(`${path} is not valid JSON: ${(error as Error).message}`);
  }
  throw new BadSetting(`${path} must hold one JSON object.`);
}

export const loadSettings = (root: string, env: Environment): Settings => parseSettings(readSettingsFile(root), env);

/** What the environment sets, by the name of the setting. */
export const fromEnvironment = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(PARSE).flatMap(([name, { variable }]) => {
      const value = env[variable];
      return value === undefined ? [] : [[name, variable]];
    }),
  );

export function parseSettings(file: SettingsFile, env: Environment): Settings {
  const unknown = Object.keys(file).find((name) => !(name in PARSE) && !ELSEWHERE.has(name));
  if (unknown !== undefined) {
    throw new BadSetting(
      `${SETTINGS_FILE} has an unknown setting "${unknown}"; known are ${[...Object.keys(PARSE), ...ELSEWHERE].join(", ")}.`,
    );
  }
  const settled: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, { parse, accepts, variable }] of Object.entries(PARSE)) {
    const said = env[variable];
    const value = said ?? file[name];
    if (value === undefined) continue;
    const parsed = parse(value);
    const where = said === undefined ? SETTINGS_FILE : variable;
    if (parsed === undefined) throw new BadSetting(`${name} in ${where} must be ${accepts}.`);
    settled[name] = parsed;
  }
  return Object.freeze(settled) as unknown as Settings;
}
