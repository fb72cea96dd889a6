// The settings of planning and of agents: which agent serves which role, and how far a run may go. Read only by
// what plans, so no other command pays for it.

import { effort, isObject, type Judge, number, recordOf, shape, text, texts } from "./judges.js";
import { BadSetting, readSettingsFile, SETTINGS_FILE, type SettingsFile } from "./settings.js";

export interface AgentSettings {
  /** Left out for an agent that is known by name. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** A command that does a task in its worktree, without any protocol: a worker of your own. */
  readonly shell?: string;
  /** Names of environment variables that it may see besides its own. */
  readonly env?: readonly string[];
  readonly model?: string;
  readonly effort?: "low" | "medium" | "high";
  /** Dollars for a million tokens, by the beginning of the model's name. */
  readonly prices?: Readonly<
    Record<string, { readonly input: number; readonly output: number; readonly cached: number }>
  >;
}

/** Who serves a role or a profile. */
export interface Serving {
  readonly agent: string;
  readonly model?: string;
  readonly effort?: "low" | "medium" | "high";
}

export interface PlanningSettings {
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly roles: Readonly<Record<string, Serving>>;
  readonly profiles: Readonly<Record<string, Serving>>;
  /** How long one role call may take. */
  readonly roleTimeoutMinutes: number;
  /** How many tokens of a spec an agent is given at once. */
  readonly windowTokens: number;
  /** How long a question waits before its recommended answer is taken; 0: for ever. */
  readonly answerHours: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  readonly revisions: number;
  readonly overviews: number;
}

const DEFAULTS: PlanningSettings = {
  agents: {},
  roles: {},
  profiles: {},
  roleTimeoutMinutes: 30,
  windowTokens: 60_000,
  answerHours: 0,
  maxCostUsd: null,
  maxTokens: null,
  revisions: 5,
  overviews: 3,
};

const price = shape({ input: number(0, 100_000), output: number(0, 100_000), cached: number(0, 100_000) }, [
  "input",
  "output",
  "cached",
]);
const serving = shape({ agent: text, model: text, effort }, ["agent"]);

const JUDGES: { readonly [K in keyof PlanningSettings]: Judge } = {
  agents: recordOf(
    shape({ command: text, args: texts, shell: text, env: texts, model: text, effort, prices: recordOf(price) }),
  ),
  roles: recordOf(serving),
  profiles: recordOf(serving),
  roleTimeoutMinutes: number(0.001, 100_000),
  windowTokens: number(500, 10_000_000),
  answerHours: number(0, 100_000),
  maxCostUsd: number(0, 1_000_000),
  maxTokens: number(1, 1e12),
  revisions: number(0, 100),
  overviews: number(0, 100),
};

/** These stand at the top of the file; the others below `planning`. */
const TOP = ["agents", "roles", "profiles"] as const;

export const loadPlanningSettings = (root: string): PlanningSettings => parsePlanningSettings(readSettingsFile(root));

export function parsePlanningSettings(file: SettingsFile): PlanningSettings {
  const inner = file["planning"] ?? {};
  if (!isObject(inner)) throw new BadSetting(`planning in ${SETTINGS_FILE} must be an object.`);
  const unknown = Object.keys(inner).find((name) => !(name in JUDGES) || TOP.some((top) => top === name));
  if (unknown !== undefined) throw new BadSetting(`planning in ${SETTINGS_FILE} has an unknown setting "${unknown}".`);
  const given: Record<string, unknown> = { ...inner };
  for (const name of TOP) if (file[name] !== undefined) given[name] = file[name];
  const settled: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(given)) {
    const what = JUDGES[name as keyof PlanningSettings](value);
    if (what !== undefined) throw new BadSetting(`${name} in ${SETTINGS_FILE} ${what}.`);
    settled[name] = value;
  }
  return Object.freeze(settled) as unknown as PlanningSettings;
}
