// The general settings. `planwright.json` in the workspace's root holds a team's choices; the environment wins over the
// file, flags over both.

import { existsSync } from "node:fs";
import { sep } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../base/errors.js";
import { isRecord } from "../base/json.js";
import { readPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";

// What the settings of every part accept. The error of each schema completes a sentence that begins with the name of the setting.

/** A problem with the settings that the reader can fix. Doors show its failure. */
export class BadSetting extends Error {
  get failure() {
    return { kind: "usage", reason: "bad-setting", message: this.message } as const;
  }
}

export const SETTINGS_FILE = "planwright.json";

export const between = (least: number, most: number): z.ZodMiniNumber<number> => {
  const error = `must be a number from ${least} to ${most}`;
  return z.number({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
};

export const wholeBetween = (least: number, most: number): z.ZodMiniNumber<number> => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
};

const TEXT = { error: "must be a text" };
export const someText = (): z.ZodMiniString<string> => z.string(TEXT).check(z.minLength(1, TEXT));

export const texts = (): z.ZodMiniReadonly<z.ZodMiniArray<z.ZodMiniString<string>>> =>
  z.readonly(z.array(z.string(TEXT), { error: "must be a list of texts" }));

export const trueOrFalse = (): z.ZodMiniBoolean<boolean> => z.boolean({ error: "must be true or false" });

export const oneOf = <const T extends readonly [string, ...string[]]>(
  ...words: T
): z.ZodMiniEnum<{ [K in T[number]]: K }> => z.enum(words, { error: `must be one of ${words.join(", ")}` });

const OBJECT = { error: "must be an object" };

export const objectOf = <T extends z.core.$ZodShape>(fields: T) =>
  z.readonly(
    z.strictObject(fields, {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `has an unknown setting "${issue.keys.join('", "')}"; known are ${Object.keys(fields).join(", ")}`
          : OBJECT.error,
    }),
  );

export const recordOf = <T extends z.ZodMiniType>(value: T) => z.readonly(z.record(z.string(), value, OBJECT));

/** The setting if it is left out. */
export const byDefault = z.prefault;

/** The settings in `value`, complete with defaults. `name` is the path of the value in the file. Throws `BadSetting`. */
export function readSettings<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  name: string,
  sourceOf = (_setting: string): string => SETTINGS_FILE,
): z.output<T> {
  const parsed = z.safeParse(schema, value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const path = [name, ...issue.path.map(String)].filter((part) => part !== "");
    return `${path.join(".")} in ${sourceOf(path[0] ?? "")} ${issue.input === undefined ? "is missing" : issue.message}`;
  });
  throw new BadSetting(`${problems.join(", and ")}.`);
}

/** What counts where nothing is set. */
const DEFAULTS = Object.freeze({
  /** How long a claim lasts without a heartbeat. */
  leaseMinutes: 40,
  /** How many leases of a task may expire in a row before it is frozen. */
  maxRetries: 4,
  /** How long a check may take that does not say so itself. */
  checkTimeoutS: 600,
  /** `normal` survives the death of every process, `full` also a power cut. */
  durability: "normal",
  /** How many daily backups of the plan are kept. */
  backups: 7,
  /** The port on which the daemon serves the board too; null: it does not. */
  board: Object.freeze({ port: null }),
  replans: Object.freeze({ initiative: 2, feature: 2, story: 3 }),
});

/** Made only where something is set: without it, a command takes 1 ms less. */
const generalSchema = () => {
  const { board, replans } = DEFAULTS;
  return z.readonly(
    z.object({
      leaseMinutes: byDefault(between(0.001, 100_000), DEFAULTS.leaseMinutes),
      maxRetries: byDefault(between(0, 1000), DEFAULTS.maxRetries),
      checkTimeoutS: byDefault(between(0.1, 86_400), DEFAULTS.checkTimeoutS),
      durability: byDefault(oneOf("normal", "full"), DEFAULTS.durability),
      backups: byDefault(between(1, 1000), DEFAULTS.backups),
      board: byDefault(objectOf({ port: byDefault(z.nullable(wholeBetween(1, 65_535)), board.port) }), board),
      replans: byDefault(
        objectOf({
          initiative: byDefault(between(0, 1000), replans.initiative),
          feature: byDefault(between(0, 1000), replans.feature),
          story: byDefault(between(0, 1000), replans.story),
        }),
        replans,
      ),
    }),
  );
};

export type Settings = z.output<ReturnType<typeof generalSchema>>;

/** What sets it in the environment: `leaseMinutes` has PLANWRIGHT_LEASE_MINUTES. */
const variableOf = (setting: string): string => `PLANWRIGHT_${setting.replace(/[A-Z]/g, "_$&").toUpperCase()}`;

/** Other parts of the file, which have their own modules. */
const PARTS = new Set("$schema agents roles profiles planning execution git gc notifications hosts mcp".split(" "));

/** The content of the file, before anything is checked. */
export type SettingsFile = Readonly<Record<string, unknown>>;

export function readSettingsFile(root: string): SettingsFile {
  const path = `${root}${sep}${SETTINGS_FILE}`;
  // Most workspaces have none, and an error that is only caught takes 0.2 ms to make.
  if (!existsSync(path)) return {};
  let text: string;
  try {
    // A worker may have put a pipe there, and reading that would wait for ever.
    text = readPlainFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTFILE") throw new BadSetting(`${path} is not a file.`);
    return {};
  }
  const value = parseJson(text, (problem) => {
    throw new BadSetting(`${path} is not valid JSON: ${problem}`);
  });
  if (!isRecord(value)) throw new BadSetting(`${path} must hold one JSON object.`);
  return value;
}

function parseJson(text: string, otherwise: (problem: string) => unknown): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return otherwise(messageOf(error));
  }
}

/** The variable that sets a setting, by the name of the setting. */
export const fromEnvironment = (env: Environment): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(DEFAULTS)
      .map((setting) => [setting, variableOf(setting)] as const)
      .filter(([, variable]) => env[variable] !== undefined),
  );

export function parseSettings(file: SettingsFile, env: Environment): Settings {
  const unknown = Object.keys(file).find((name) => !Object.hasOwn(DEFAULTS, name) && !PARTS.has(name));
  if (unknown !== undefined) {
    const known = [...Object.keys(DEFAULTS), ...PARTS].join(", ");
    throw new BadSetting(`${SETTINGS_FILE} has an unknown setting "${unknown}"; known are ${known}.`);
  }
  const variables = fromEnvironment(env);
  const set = Object.entries(variables).map(([name, variable]) => {
    const text = env[variable] ?? "";
    return [name, parseJson(text, () => text)] as const;
  });
  const sourceOf = (name: string): string => variables[name] ?? SETTINGS_FILE;
  if (set.length === 0 && Object.keys(DEFAULTS).every((name) => file[name] === undefined)) return DEFAULTS;
  return readSettings(generalSchema(), { ...file, ...Object.fromEntries(set) }, "", sourceOf);
}
