// Everything that the store keeps beside nodes: runs, records, questions and the like. All of it changes
// through the same operations and the same log, so it can be undone and replayed alike.

import { type Attempt, hasEnded } from "../attempt/attempt.js";
import type { Conflict } from "../conflict/conflict.js";
import type { Artifact } from "./artifact.js";
import type { Bundle } from "./bundle.js";
import type { ClaimNotes } from "./claim-notes.js";
import type { KnownClone } from "./clone.js";
import type { Comment, Labels } from "./comments-and-labels.js";
import type { Lesson } from "./lesson.js";
import type { LevelSetting } from "./level.js";
import type { Person } from "./person.js";
import type { PlanningRun, RoleCall } from "./planning-run.js";
import type { Question } from "./question.js";
import type { PlanRecord } from "./record.js";
import type { ImportedSource } from "./source.js";
import type { Subscription } from "./subscription.js";

export interface ItemTypes {
  readonly run: PlanningRun;
  readonly call: RoleCall;
  readonly artifact: Artifact;
  readonly record: PlanRecord;
  readonly question: Question;
  readonly lesson: Lesson;
  readonly bundle: Bundle;
  readonly attempt: Attempt;
  readonly conflict: Conflict;
  readonly subscription: Subscription;
  readonly level: LevelSetting;
  readonly comment: Comment;
  readonly labels: Labels;
  readonly claim: ClaimNotes;
  readonly person: Person;
  readonly source: ImportedSource;
  readonly clone: KnownClone;
}

export type Entity = keyof ItemTypes;

interface ItemIndex {
  readonly owner: string;
  readonly state: string;
}

/** The state by which attempts are found that have not ended. */
export const LIVE = "live";

const PLACES: { readonly [E in Entity]: (fields: ItemTypes[E]) => ItemIndex } = {
  run: ({ status }) => ({ owner: "", state: status }),
  call: ({ run, state }) => ({ owner: run, state }),
  artifact: ({ run, kind }) => ({ owner: run, state: kind }),
  record: ({ scope, state }) => ({ owner: scope === null ? "" : String(scope), state }),
  question: ({ owner, state }) => ({ owner, state }),
  lesson: ({ scope, state }) => ({ owner: scope === null ? "" : String(scope), state }),
  bundle: ({ task, state }) => ({ owner: String(task), state }),
  attempt: ({ task, state }) => ({ owner: String(task), state: hasEnded(state) ? state : LIVE }),
  conflict: ({ second, state }) => ({ owner: String(second), state }),
  subscription: ({ actor, state }) => ({ owner: actor, state }),
  level: ({ level }) => ({ owner: "", state: level }),
  comment: ({ node, state }) => ({ owner: String(node), state }),
  labels: ({ node, state }) => ({ owner: String(node), state }),
  claim: ({ task, state }) => ({ owner: String(task), state }),
  clone: ({ state }) => ({ owner: "", state }),
  person: ({ addedBy, state }) => ({ owner: addedBy ?? "", state }),
  source: ({ state }) => ({ owner: "", state }),
};

export const ENTITIES = Object.keys(PLACES) as Entity[];

export const placeOf = <E extends Entity>(entity: E, fields: ItemTypes[E]): ItemIndex => PLACES[entity](fields);

export interface Item<E extends Entity> {
  readonly entity: E;
  /** What people type: `RUN-001`, `DEC-001`. Never used twice. */
  readonly key: string;
  readonly fields: ItemTypes[E];
  readonly revision: number;
  readonly updatedAt: number;
}

/** One item's share of an operation. Of a changed item only the fields that differ are kept. */
export interface ItemChange {
  readonly entity: Entity;
  readonly key: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

const spaced = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", " ") : value;

/** Git ends names with NUL, and databases and terminals read a text no further than that. */
const withoutNul = <T>(value: T): T => {
  const json = JSON.stringify(value) ?? "";
  return json.includes("\\u0000") ? (JSON.parse(JSON.stringify(value, spaced)) as T) : value;
};

export const createItem = <E extends Entity>(entity: E, key: string, fields: ItemTypes[E]): ItemChange => ({
  entity,
  key,
  before: null,
  after: withoutNul<Record<string, unknown>>({ ...fields }),
});

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

export const same = (a: unknown, b: unknown): boolean =>
  a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));

/** What a patch changes, field by field; null if it says what is already so. */
export function differences(now: object, patch: object) {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(patch)) {
    const old: unknown = Reflect.get(now, field);
    if (same(old, value)) continue;
    before[field] = old;
    after[field] = value;
  }
  return Object.keys(after).length === 0 ? null : { before, after };
}

/** A change that goes back in time, as one of the item as it is now. */
export function rebaseItem(now: Item<Entity> | undefined, change: ItemChange): ItemChange[] {
  if (!now || change.before === null) return [change];
  return change.after === null ? [{ ...change, before: { ...now.fields } }] : changeItem(now, change.after);
}

/** Nothing, if the patch says what is already so. */
export function changeItem<E extends Entity>(
  { entity, key, fields }: Pick<Item<E>, "entity" | "key" | "fields">,
  patch: Partial<ItemTypes[E]>,
): ItemChange[] {
  const cleaned = Object.entries(patch).map(([field, value]) => [field, withoutNul(value)] as const);
  const changed = differences(fields, Object.fromEntries(cleaned));
  return changed ? [{ entity, key, ...changed }] : [];
}

/** The states in which it ended. What is not listed never ends. */
const ENDS: Readonly<Partial<Record<Entity, (state: string) => boolean>>> = {
  run: (state) => state === "finished" || state === "aborted",
  attempt: (state) => state !== LIVE,
  conflict: (state) => state === "settled",
  record: (state) => state === "superseded",
  lesson: (state) => state === "forgotten",
  question: (state) => state !== "open",
};

/** How it ended, in one word; null while it has not. */
export function endOf<E extends Entity>(entity: E, fields: ItemTypes[E]): string | null {
  const { state } = placeOf(entity, fields);
  return ENDS[entity]?.(state) ? state : null;
}
