// The fields of a node's content, as operations take them. Functions, because most commands that load this use none of them: to
// make them all takes 3 ms.

import * as z from "zod/mini";
import {
  bodyProblem,
  idProblem,
  LIST_LIMIT,
  lineProblem,
  pathProblem,
  profileProblem,
  RANGES,
  titleProblem,
  wordsProblem,
} from "../../model/node/content.js";
import { isUuid } from "../../model/node/ids.js";
import { type Check, KINDS, TIERS } from "../../model/node/node.js";
import { choice, field, judged, list, number, optional, paths, wholeNumber } from "./schema.js";

const ruled = (problem: (value: string) => string | undefined) => z.string().check(judged(problem));

const listOf = <T extends z.ZodMiniType>(item: T, help: string, label: string): z.ZodMiniArray<T> =>
  list(item, help, label).check(z.maxLength(LIST_LIMIT));

export const title = (help: string): z.ZodMiniString<string> => field(ruled(titleProblem), { help, label: "TITLE" });
export const body = () => field(ruled(bodyProblem), { help: "a longer description", label: "TEXT" });
export const id = () => field(ruled(idProblem), { help: "an id of your own; one is made unless given", label: "ID" });
export const tier = () => choice(TIERS, "the tier; task unless given", "TIER");
export const kind = () => choice(["work", "gate", "review"], "the kind of task; work unless given", "KIND");
export const files = (help: string) => paths(ruled(pathProblem), help).check(z.maxLength(LIST_LIMIT));
export const symbols = (help: string) => listOf(ruled(lineProblem), help, "NAME");
export const references = (help: string) =>
  field(z.array(ruled(lineProblem)).check(z.maxLength(LIST_LIMIT)), { help, label: "NODE", names: "node" });
export const reference = (help: string) => field(ruled(lineProblem), { help, label: "NODE", names: "node" });
export const profile = () =>
  field(ruled(profileProblem), { help: "the kind of work; follows from the files unless given", label: "WORD" });
export const priority = () => wholeNumber("0 is the most urgent, 4 the least", ...RANGES.priority);
export const estimateHours = () => number("how long it will take", ...RANGES.estimateHours, "HOURS");
export const attemptLimit = () => wholeNumber("how often it may be claimed", ...RANGES.attempts);
export const replans = () => wholeNumber("how often it may be replanned", ...RANGES.replans);

/** `npm test`, or `npm test => ok` where the output must contain `ok`. */
export function checkOf(words: string): Check {
  const [run = "", expect] = words.split(/(?<!\s)\s+=>\s+/);
  return expect === undefined ? { run } : { run, expect };
}

const check = () =>
  z.pipe(
    z.transform((value: string | Check): Check => (typeof value === "string" ? checkOf(value) : value)),
    z.strictObject({
      run: ruled(wordsProblem),
      expect: optional(ruled(lineProblem)),
      timeoutS: optional(z.number().check(z.minimum(RANGES.timeoutS[0]), z.maximum(RANGES.timeoutS[1]))),
      cwd: optional(ruled(pathProblem)),
    }),
  );

export const checks = (help = "a command that must pass; COMMAND => TEXT expects TEXT in its output") =>
  listOf(check(), help, "COMMAND");

/** Fields that an exported node has but that follow from what was done. */
const DERIVED: ReadonlySet<string> = new Set(
  `status reason because dependsOnTotal revision createdAt createdBy updatedAt approval approvalSignature freeze
   claim outcome acceptance report archive discoveries attempts progress inbox feature records questions labels
   comments origin beingPlannedBy replans`.split(/\s+/),
);

const isLeftOut = (name: string, value: unknown): boolean =>
  DERIVED.has(name) || value === undefined || (value === null && name !== "title");

/** An exported node can be read back: what is derived is left out, and null means that nothing is said. */
function tidy(value: object): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  if (isPlain && !entries.some(([name, part]) => isLeftOut(name, part))) return value;
  return Object.fromEntries(entries.filter(([name, part]) => !isLeftOut(name, part)));
}

/** A whole node, as a file or a program writes it. */
export function wholeNode() {
  const node = z.strictObject({
    id: optional(id()),
    uuid: optional(z.string().check(z.refine(isUuid, "must be a UUID in lower case"))),
    tier: optional(z.enum(TIERS)),
    kind: optional(z.enum(KINDS)),
    title: ruled(titleProblem),
    body: optional(body()),
    parent: optional(ruled(lineProblem)),
    dependsOn: optional(references("")),
    files: optional(files("")),
    symbols: optional(symbols("")),
    checks: optional(checks()),
    profile: optional(profile()),
    priority: optional(priority()),
    estimateHours: optional(estimateHours()),
    budgets: optional(z.strictObject({ attempts: optional(attemptLimit()), replans: optional(replans()) })),
  });
  return z.pipe(
    z.transform((value: z.input<typeof node>) => tidy(value) as z.input<typeof node>),
    node,
  );
}
