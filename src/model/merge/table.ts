// The merge table: which rule holds for which field.

import type { Entity } from "../item/item.js";
import { BLANK, type NodeFields } from "../node/node.js";
import {
  askWhichOne,
  furthest,
  latestWins,
  mergeTexts,
  nothingWins,
  type Rule,
  somethingWins,
  sumUp,
  unite,
} from "./rules.js";
import type { Image } from "./shared-operation.js";

const field = (name: string) => (value: unknown) => String((value as Image)[name]);

const whole = (value: unknown): string => JSON.stringify(value);

const OUTCOMES: readonly unknown[] = [undefined, "dropped", "waived", "done"];

const kindOf = (result: unknown): unknown => ((result as Result).outcome as { kind?: unknown } | null)?.kind;

type Result = Pick<NodeFields, "outcome" | "acceptance" | "report">;

/** These are one value: an outcome without its acceptance and its report would be no proof. */
export const RESULT = ["outcome", "acceptance", "report"] as const satisfies readonly (keyof Result)[];

export const NO_RESULT: Result = { outcome: null, acceptance: null, report: null };

export const isFinish = (result: unknown): boolean => kindOf(result) !== undefined;

/** Finished beats open, and what proves more beats what proves less. */
const byOutcome = furthest(
  (result) => OUTCOMES.indexOf(kindOf(result)),
  (results) => new Set(results.filter(isFinish).map(kindOf)).size > 1,
);

type Travelling = Exclude<keyof NodeFields, "uuid" | "claim" | "epoch" | "retries" | "acceptance" | "report">;

/** Claims, and what counts them, stay where they are. */
const NODE: { readonly [F in Travelling]: Rule } = {
  id: latestWins,
  tier: latestWins,
  kind: askWhichOne,
  title: askWhichOne,
  body: mergeTexts,
  parent: askWhichOne,
  dependsOn: unite(field("on")),
  files: unite(whole),
  symbols: unite(whole),
  checks: unite(field("run"), true),
  profile: askWhichOne,
  priority: askWhichOne,
  estimateHours: askWhichOne,
  budgets: askWhichOne,
  inbox: latestWins,
  createdAt: latestWins,
  createdBy: latestWins,
  approval: nothingWins,
  freeze: somethingWins,
  outcome: byOutcome,
  archive: somethingWins,
  discoveries: unite(whole),
  attempts: sumUp,
  replans: sumUp,
  replansGranted: sumUp,
  awaitsPlan: latestWins,
};

/** What a person who finished a node did not know when they did is kept as a comment. */
export const SETTLED_BY_A_FINISH: ReadonlySet<string> = new Set([
  "kind",
  "title",
  "body",
  "dependsOn",
  "files",
  "symbols",
  "checks",
  "profile",
  "estimateHours",
  "budgets",
] satisfies (keyof NodeFields)[]);

const inOrderOf = (...states: readonly string[]): Rule =>
  furthest(
    (state) => states.indexOf(String(state)),
    () => false,
  );

/** Image of items of which the later one does not simply stand. */
const ITEMS: Readonly<Partial<Record<Entity, Readonly<Record<string, Rule>>>>> = {
  comment: {},
  labels: { labels: unite(whole) },
  lesson: { state: inOrderOf("proposed", "kept", "forgotten") },
  question: { state: inOrderOf("open", "withdrawn", "answered"), answer: somethingWins },
  record: { state: inOrderOf("proposed", "active", "superseded"), tasks: unite(whole) },
};

export const travels = (entity: "node" | Entity): boolean => entity === "node" || Object.hasOwn(ITEMS, entity);

/** Undefined of what stays in its clone. */
export function ruleFor(entity: "node" | Entity, name: string): Rule | undefined {
  if (entity !== "node") return ITEMS[entity]?.[name] ?? latestWins;
  return Object.hasOwn(NODE, name) ? NODE[name as Travelling] : undefined;
}

const EMPTY: Image = { ...BLANK };

export const startOf = (entity: "node" | Entity, name: string): unknown =>
  entity === "node" ? (EMPTY[name] ?? null) : null;
