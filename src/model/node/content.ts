// What the content of a node may hold. Each rule answers with what is wrong, as the end of a sentence that begins with the
// name of the field: `must not be empty`.

import { isTakenForm } from "../item-key.js";
import { isChosenId } from "./ids.js";
import { type Budgets, type Check, type Kind, TITLE_LIMIT, type Tier } from "./node.js";

/** A node as users write it: names instead of numbers, everything but the title optional. */
export interface NodeInput {
  readonly id?: string;
  readonly uuid?: string;
  readonly tier?: Tier;
  readonly kind?: Kind;
  readonly title: string;
  readonly body?: string;
  readonly parent?: string;
  readonly dependsOn?: readonly string[];
  readonly files?: readonly string[];
  readonly symbols?: readonly string[];
  readonly checks?: readonly Check[];
  readonly profile?: string;
  readonly priority?: number;
  readonly estimateHours?: number;
  readonly budgets?: Budgets;
}

/** What can be changed of every open node, whatever it is and wherever it stands. */
export const RESTATED = [
  "title",
  "body",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "estimateHours",
  "budgets",
] as const;

export const BODY_LIMIT = 1_000_000;
export const LIST_LIMIT = 10_000;
const ITEM_LIMIT = 4_096;

/** From, to, both included. */
export const RANGES = {
  priority: [0, 4],
  estimateHours: [0.01, 10_000],
  attempts: [1, 1000],
  replans: [0, 1000],
  timeoutS: [0.1, 86_400],
} as const;

// oxlint-disable-next-line no-control-regex -- these are what must be kept out.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/u;
// oxlint-disable-next-line no-control-regex -- line breaks and tabs are fine in a body.
const CONTROL_IN_BODY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

const size = (text: string): string =>
  text.length < 1_000_000 ? `${text.length} characters` : `${(text.length / 1_000_000).toFixed(1)} million characters`;

const code = (text: string, pattern: RegExp): string => {
  const found = text.charCodeAt(text.search(pattern));
  return `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
};

type Rule = (text: string) => string | undefined;

/** Letters, digits and signs of ASCII, and spaces: most texts hold nothing else, and then there is nothing to look for. */
const PRINTABLE = /^[ -~]*$/;

const text =
  (limit: number, forbidden: RegExp): Rule =>
  (value) => {
    if (value.length > limit) return `has ${size(value)}; at most ${limit} are allowed`;
    if (PRINTABLE.test(value)) return undefined;
    if (forbidden.test(value)) return `contains the control character ${code(value, forbidden)}`;
    return LONE_SURROGATE.test(value) ? "contains half of a Unicode character" : undefined;
  };

const notEmpty =
  (rule: Rule): Rule =>
  (value) =>
    rule(value) ?? (value.trim() === "" ? "must not be empty" : undefined);

export const titleProblem = notEmpty(text(TITLE_LIMIT, CONTROL));
export const bodyProblem = text(BODY_LIMIT, CONTROL_IN_BODY);
/** A reference, a symbol, an expected output. */
export const lineProblem = notEmpty(text(ITEM_LIMIT, CONTROL));
/** A reason, a note, a command: a short text that may have several lines. */
export const wordsProblem = notEmpty(text(ITEM_LIMIT, CONTROL_IN_BODY));

/** It begins at a root or a drive, or one of its parts is `..`. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:$|[/\\])/;

/** Inside the workspace, because a footprint is compared with what changed there. */
export const pathProblem: Rule = (value) =>
  lineProblem(value) ?? (OUTSIDE.test(value) ? "must be a path inside the workspace" : undefined);

export const profileProblem: Rule = (value) =>
  /^[a-z][a-z0-9-]{0,39}$/.test(value) ? undefined : "must be a short lower-case word";

export const idProblem: Rule = (value) =>
  isTakenForm(value)
    ? "must not look like the key of an item, such as RUN-001, or the number of an operation"
    : isChosenId(value)
      ? undefined
      : "must be 1 to 64 letters, digits, dots, dashes or underscores, and a name that git allows for a branch: not HEAD, no two dots in a row, no dot or .lock at the end";

const everyOf =
  <T>(rule: (item: T) => string | undefined) =>
  (items: readonly T[]): string | undefined => {
    if (items.length > LIST_LIMIT) return `has ${items.length} entries; at most ${LIST_LIMIT} are allowed`;
    for (let i = 0; i < items.length; i++) {
      const problem = rule(items[i] as T);
      if (problem !== undefined) return `entry ${i + 1} ${problem}`;
    }
    return undefined;
  };

const checkProblem = ({ run, expect, cwd }: Check): string | undefined =>
  named("run", wordsProblem(run)) ??
  named("expect", expect === undefined ? undefined : lineProblem(expect)) ??
  named("cwd", cwd === undefined ? undefined : pathProblem(cwd));

const named = (field: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `field "${field}" ${problem}`;

const RULES = {
  id: idProblem,
  title: titleProblem,
  body: bodyProblem,
  parent: lineProblem,
  dependsOn: everyOf(lineProblem),
  files: everyOf(pathProblem),
  symbols: everyOf(lineProblem),
  checks: everyOf(checkProblem),
  profile: profileProblem,
} as const;

type Ruled = { readonly [K in keyof typeof RULES]?: NodeInput[K] | null };

/** The first thing that is wrong with content that was put together, such as `"files" entry 2 must not be empty`. */
export function contentProblem(content: Ruled): string | undefined {
  for (const field of Object.keys(RULES) as (keyof typeof RULES)[]) {
    const value = content[field];
    const rule = RULES[field] as (value: unknown) => string | undefined;
    const problem = value === undefined || value === null ? undefined : rule(value);
    if (problem !== undefined) return `"${field}" ${problem}`;
  }
  return undefined;
}

/** Each once, in the order in which they were named. */
export const union = <T>(list: readonly T[], more: readonly T[] = []): readonly T[] => {
  const known = new Set(list.map(keyOf));
  const fresh = more.filter((item) => !known.has(keyOf(item)) && known.add(keyOf(item)));
  return fresh.length === 0 ? list : [...list, ...fresh];
};

export const without = <T>(list: readonly T[], less: readonly T[] = []): readonly T[] => {
  const gone = new Set(less.map(keyOf));
  return gone.size === 0 ? list : list.filter((item) => !gone.has(keyOf(item)));
};

const keyOf = (item: unknown): string => JSON.stringify(item);
