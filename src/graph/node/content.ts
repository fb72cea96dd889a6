// What a person or a file may say about a node, checked before it becomes content.

import { ok, type Result, usage } from "../result.js";
import { isChosenId, isUuid } from "./ids.js";
import { type Budgets, type Check, KINDS, type Kind, TIERS, TITLE_LIMIT, type Tier } from "./node.js";

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

export type NodePatch = { readonly [K in keyof NodeInput]?: NodeInput[K] | null };

/** What can be said anew of every open node, whatever it is and wherever it stands. */
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
const ITEM_LIMIT = 4_096;
const LIST_LIMIT = 10_000;

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

type Problem = string | undefined;
type Judge = (value: unknown) => Problem;

/** Letters, digits and signs of ASCII, and spaces. */
const PRINTABLE = /^[ -~]*$/;

const text =
  (limit: number, forbidden: RegExp): Judge =>
  (value) => {
    if (typeof value !== "string") return "must be a text";
    if (value.length > limit) return `has ${size(value)}; at most ${limit} are allowed`;
    // Most texts are, and then there is nothing to look for.
    if (PRINTABLE.test(value)) return undefined;
    if (forbidden.test(value)) return `contains the control character ${code(value, forbidden)}`;
    return LONE_SURROGATE.test(value) ? "contains half of a Unicode character" : undefined;
  };

const line = text(ITEM_LIMIT, CONTROL);

const notEmpty =
  (judge: Judge): Judge =>
  (value) =>
    judge(value) ?? ((value as string).trim() === "" ? "must not be empty" : undefined);

const filled = notEmpty(line);

const listOf =
  (judge: Judge): Judge =>
  (value) => {
    if (!Array.isArray(value)) return "must be a list";
    if (value.length > LIST_LIMIT) return `has ${value.length} entries; at most ${LIST_LIMIT} are allowed`;
    for (let i = 0; i < value.length; i++) {
      const problem = judge(value[i]);
      if (problem !== undefined) return `entry ${i + 1} ${problem}`;
    }
    return undefined;
  };

const number =
  (least: number, most: number, whole: boolean): Judge =>
  (value) => {
    const fits = typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value));
    return fits ? undefined : `must be a ${whole ? "whole " : ""}number from ${least} to ${most}`;
  };

const oneOf =
  (words: readonly string[]): Judge =>
  (value) =>
    words.includes(value as string) ? undefined : `must be one of ${words.join(", ")}`;

/** A field may have any name, even one that every object inherits. */
const judgeOf = (fields: Readonly<Record<string, Judge>>, field: string): Judge | undefined =>
  Object.hasOwn(fields, field) ? fields[field] : undefined;

const record =
  (fields: Readonly<Record<string, Judge>>, needed: readonly string[]): Judge =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be an object";
    const missing = needed.find((field) => !(field in value));
    if (missing !== undefined) return `needs "${missing}"`;
    for (const [field, part] of Object.entries(value)) {
      const judge = judgeOf(fields, field);
      const problem = judge ? judge(part) : `is not known; known are ${Object.keys(fields).join(", ")}`;
      if (problem !== undefined) return `field "${field}" ${problem}`;
    }
    return undefined;
  };

/** Inside the workspace, with forward slashes: a footprint is compared and matched, never guessed. */
const path: Judge = (value) => {
  const problem = filled(value);
  if (problem !== undefined) return problem;
  return OUTSIDE.test(value as string) ? "must be a path inside the workspace" : undefined;
};

/** It begins at a root or a drive, or one of its parts is `..`. */
const OUTSIDE = /^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:$|[/\\])/;

const check = record(
  {
    run: notEmpty(text(ITEM_LIMIT, CONTROL_IN_BODY)),
    expect: filled,
    timeoutS: number(0.1, 86_400, false),
    cwd: path,
  },
  ["run"],
);

const JUDGES: { readonly [K in keyof Required<NodeInput>]: Judge } = {
  id: (value) =>
    typeof value === "string" && isChosenId(value)
      ? undefined
      : "must be 1 to 64 letters, digits, dots, dashes or underscores",
  uuid: (value) => (typeof value === "string" && isUuid(value) ? undefined : "must be a UUID in lower case"),
  tier: oneOf(TIERS),
  kind: oneOf(KINDS),
  title: notEmpty(text(TITLE_LIMIT, CONTROL)),
  body: text(BODY_LIMIT, CONTROL_IN_BODY),
  parent: filled,
  dependsOn: listOf(filled),
  files: listOf(path),
  symbols: listOf(filled),
  checks: listOf(check),
  profile: (value) =>
    typeof value === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(value) ? undefined : "must be a short lower-case word",
  priority: number(0, 4, true),
  estimateHours: number(0.01, 10_000, false),
  budgets: record({ attempts: number(1, 1000, true), replans: number(0, 1000, true) }, []),
};

const words = notEmpty(text(ITEM_LIMIT, CONTROL_IN_BODY));

/** What is wrong with a reason, a note or another short text; completes a sentence that begins with its name. */
export const wordsProblem = (value: string): string | undefined => words(value);

/** A reason or a note; `name` says for a person which one it is. */
export function parseWords(value: string, name: string): Result<string> {
  const what = words(value);
  return what === undefined
    ? ok(value.trim())
    : usage("bad-value", `The ${name} ${what}.`, { details: { field: name } });
}

/** Fields that an exported node carries but that nobody writes by hand. */
const IGNORED = [
  "status",
  "reason",
  "because",
  "dependsOnTotal",
  "revision",
  "createdAt",
  "createdBy",
  "updatedAt",
  "approval",
  "freeze",
  "claim",
  "outcome",
  "acceptance",
  "report",
  "archive",
  "discoveries",
  "attempts",
  "progress",
  "inbox",
  "feature",
  "records",
  "escalations",
];

/** One look for each field: null for what is passed over. A Map, for a field may have any name, even one that every object inherits. */
const FIELDS: ReadonlyMap<string, Judge | null> = new Map<string, Judge | null>([
  ...Object.entries(JUDGES),
  ...IGNORED.map((field) => [field, null] as const),
]);

const problem = (where: string, field: string, what: string): Result<never> =>
  usage("bad-value", `${where}: "${field}" ${what}.`, {
    hint: "`planwright add --help` lists the fields of a node.",
    details: { field },
  });

/** `where` names the place for a person: `line 3`, `--title`. */
export function parseNode(value: unknown, where: string): Result<NodeInput> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return usage("bad-value", `${where}: a node must be a JSON object.`, {
      hint: "`planwright add --help` lists the fields of a node.",
    });
  }
  if (!("title" in value)) return problem(where, "title", "is missing");
  return readFields(value, where, false) as Result<NodeInput>;
}

/** The same fields, none of them required; null empties a field. */
export const parsePatch = (value: Readonly<Record<string, unknown>>, where: string): Result<NodePatch> =>
  readFields(value, where, true);

/** Of a whole node, null is the same as silence: that is how an exported node says "none". */
function readFields(value: Readonly<Record<string, unknown>>, where: string, nulls: boolean): Result<NodePatch> {
  const passedOver: string[] = [];
  for (const field of Object.keys(value)) {
    const part = value[field];
    const judge = FIELDS.get(field);
    if (judge === undefined && part !== undefined) {
      return problem(where, field, `is not a field of a node; fields are ${Object.keys(JUDGES).join(", ")}`);
    }
    const empty = part === null && field !== "title";
    if (part === undefined || !judge || (empty && !nulls)) passedOver.push(field);
    else if (!empty) {
      const what = judge(part);
      if (what !== undefined) return problem(where, field, what);
    }
  }
  // A plain object is taken as it is, for there may be a hundred thousand; others could say more than was looked at.
  const isPlain = passedOver.length === 0 && Object.getPrototypeOf(value) === Object.prototype;
  return ok((isPlain ? value : omit(value, passedOver)) as NodePatch);
}

const omit = (value: object, fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
