// The settings of execution: how many work at once, where, with what, and how far they may go. Read only by what
// carries a plan out.

import { flag, isObject, type Judge, nullable, number, oneOf, shape, text, texts, whole } from "./judges.js";
import { BadSetting, readSettingsFile, SETTINGS_FILE, type SettingsFile } from "./settings.js";

export interface ExecutionSettings {
  /** Attempts at once in one program. */
  readonly workers: number;
  /** Where worktrees are kept, relative to the workspace. */
  readonly worktrees: string;
  /** Ignored paths that a worktree gets from the main checkout and keeps from one attempt to the next. */
  readonly carry: readonly string[];
  /** `copy` (on write, where the file system can) or `link`. */
  readonly carryBy: "copy" | "link";
  /** Commands that make a fresh worktree usable; run again when the files that they read have changed. */
  readonly setup: readonly string[];
  /** Names of environment variables that workers and checks may see besides the common ones. */
  readonly env: readonly string[];
  readonly ports: { readonly from: number; readonly each: number };
  /** How often a worker is told what was wrong before the attempt counts as rejected. */
  readonly fixes: number;
  /** What a failed check does to those after it. */
  readonly onFailedCheck: "continue" | "stop";
  /** Whether a reviewer looks at behavioural work, if an agent serves that role. */
  readonly review: boolean;
  /** Keep a worker's hands off `.git` and `.planwright` with bubblewrap: if it is there, never, or refuse without it. */
  readonly sandbox: "auto" | "off" | "require";
  readonly attemptMinutes: number;
  readonly attemptTokens: number | null;
  readonly attemptCostUsd: number | null;
  readonly featureCostUsd: number | null;
  readonly featureTokens: number | null;
  readonly dayCostUsd: number | null;
  readonly dayTokens: number | null;
  /** A worker that says nothing for so long is ended. */
  readonly stallMinutes: number;
  /** Before a transient failure is tried again; it doubles each time. */
  readonly backoffSeconds: number;
  readonly transientRetries: number;
  /** So many failures of a feature within so many minutes stop its work for a while. */
  readonly storm: { readonly failures: number; readonly minutes: number; readonly pauseMinutes: number };
  /** How long unmerged work is kept after its attempt ended. */
  readonly keepDays: number;
  /** How often the daemon looks when nothing wakes it. */
  readonly tickSeconds: number;
}

const DEFAULTS: ExecutionSettings = {
  workers: 2,
  worktrees: ".planwright/worktrees",
  carry: ["node_modules"],
  carryBy: "copy",
  setup: [],
  env: [],
  ports: { from: 21_000, each: 20 },
  fixes: 2,
  onFailedCheck: "continue",
  review: true,
  sandbox: "auto",
  attemptMinutes: 60,
  attemptTokens: null,
  attemptCostUsd: null,
  featureCostUsd: null,
  featureTokens: null,
  dayCostUsd: null,
  dayTokens: null,
  stallMinutes: 15,
  backoffSeconds: 5,
  transientRetries: 3,
  storm: { failures: 3, minutes: 10, pauseMinutes: 30 },
  keepDays: 30,
  tickSeconds: 30,
};

const cost = nullable(number(0, 1e12));
const tokens = nullable(whole(0, 1e12));

const JUDGES: { readonly [K in keyof ExecutionSettings]: Judge } = {
  workers: whole(1, 16),
  worktrees: text,
  carry: texts,
  carryBy: oneOf("copy", "link"),
  setup: texts,
  env: texts,
  ports: shape({ from: whole(1024, 65_000), each: whole(1, 1000) }, ["from", "each"]),
  fixes: whole(0, 100),
  onFailedCheck: oneOf("continue", "stop"),
  review: flag,
  sandbox: oneOf("auto", "off", "require"),
  attemptMinutes: number(0.001, 100_000),
  attemptTokens: tokens,
  attemptCostUsd: cost,
  featureCostUsd: cost,
  featureTokens: tokens,
  dayCostUsd: cost,
  dayTokens: tokens,
  stallMinutes: number(0.001, 100_000),
  backoffSeconds: number(0, 86_400),
  transientRetries: whole(0, 100),
  storm: shape({ failures: whole(1, 1000), minutes: number(0.001, 100_000), pauseMinutes: number(0, 100_000) }, [
    "failures",
    "minutes",
    "pauseMinutes",
  ]),
  keepDays: number(0, 100_000),
  tickSeconds: number(0.01, 86_400),
};

export const loadExecutionSettings = (root: string): ExecutionSettings =>
  parseExecutionSettings(readSettingsFile(root));

export function parseExecutionSettings({ execution: given = {} }: SettingsFile): ExecutionSettings {
  if (!isObject(given)) throw new BadSetting(`execution in ${SETTINGS_FILE} must be an object.`);
  const settled: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(given)) {
    const judge = Object.hasOwn(JUDGES, name) ? JUDGES[name as keyof ExecutionSettings] : undefined;
    if (!judge) throw new BadSetting(`execution in ${SETTINGS_FILE} has an unknown setting "${name}".`);
    const what = judge(value);
    if (what !== undefined) throw new BadSetting(`execution.${name} in ${SETTINGS_FILE} ${what}.`);
    settled[name] = value;
  }
  return Object.freeze(settled) as unknown as ExecutionSettings;
}
