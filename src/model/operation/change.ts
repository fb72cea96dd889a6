// One row's share of an operation: what it was and what it became, field by field. The log is made of
// these, so undo, redo, history and replay are all plain data handling.

import type { Actor } from "../actor.js";
import type { ItemChange } from "../item/item.js";
import { isRaise, type Level, unsetLevel } from "../item/level.js";
import { type Birth, BLANK, type Node, type NodeFields, type Nr } from "../node/node.js";

/** `null` means that the row was not there. Of a changed row only the fields that differ are kept. */
export interface NodeChange {
  readonly entity: "node";
  readonly key: Nr;
  readonly before: Partial<NodeFields> | null;
  readonly after: Partial<NodeFields> | null;
}

export interface FocusChange {
  readonly entity: "focus";
  readonly key: Actor;
  readonly before: { readonly node: Nr } | null;
  readonly after: { readonly node: Nr } | null;
}

export type Change = NodeChange | FocusChange | ItemChange;

export const isItemChange = (change: Change): change is ItemChange =>
  change.entity !== "node" && change.entity !== "focus";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const same = (a: unknown, b: unknown): boolean =>
  a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));

/** Nothing, if the patch says what is already so. */
export function changeNode(node: Node, patch: Partial<NodeFields>): NodeChange[] {
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  let differs = false;
  for (const [field, value] of Object.entries(patch)) {
    const old = node[field as keyof NodeFields];
    if (same(old, value)) continue;
    before[field] = old;
    after[field] = value;
    differs = true;
  }
  return differs ? [{ entity: "node", key: node.nr, before, after }] : [];
}

/**
 * What the node has in common with a blank one is left out. Field by field on purpose: going through a list of them a
 * hundred thousand times took five times as long.
 */
export function createNode(nr: Nr, birth: Birth): NodeChange {
  const after: { -readonly [K in keyof NodeFields]?: NodeFields[K] } = {
    uuid: birth.uuid,
    id: birth.id,
    tier: birth.tier,
  };
  if (birth.kind) after.kind = birth.kind;
  after.title = birth.title;
  if (birth.body) after.body = birth.body;
  if (isSaid(birth.parent)) after.parent = birth.parent;
  if (birth.dependsOn?.length) after.dependsOn = birth.dependsOn;
  if (birth.files?.length) after.files = birth.files;
  if (birth.symbols?.length) after.symbols = birth.symbols;
  if (birth.checks?.length) after.checks = birth.checks;
  if (isSaid(birth.profile)) after.profile = birth.profile;
  if (isSaid(birth.priority)) after.priority = birth.priority;
  if (isSaid(birth.estimateHours)) after.estimateHours = birth.estimateHours;
  if (birth.budgets && Object.keys(birth.budgets).length > 0) after.budgets = birth.budgets;
  if (birth.inbox) after.inbox = birth.inbox;
  if (birth.approval) after.approval = birth.approval;
  if (birth.freeze) after.freeze = birth.freeze;
  if (birth.claim) after.claim = birth.claim;
  if (birth.outcome) after.outcome = birth.outcome;
  if (birth.acceptance) after.acceptance = birth.acceptance;
  if (birth.report) after.report = birth.report;
  if (birth.archive) after.archive = birth.archive;
  if (birth.discoveries?.length) after.discoveries = birth.discoveries;
  if (birth.epoch) after.epoch = birth.epoch;
  if (birth.attempts) after.attempts = birth.attempts;
  if (birth.retries) after.retries = birth.retries;
  if (birth.replans) after.replans = birth.replans;
  if (birth.replansGranted) after.replansGranted = birth.replansGranted;
  if (birth.awaitsPlan) after.awaitsPlan = birth.awaitsPlan;
  after.createdAt = birth.createdAt;
  after.createdBy = birth.createdBy;
  return { entity: "node", key: nr, before: null, after };
}

const isSaid = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

/** A whole row taken away: the inverse puts it back as it was. */
export const removeNode = (node: Node): NodeChange => ({
  entity: "node",
  key: node.nr,
  before: createNode(node.nr, fieldsOf(node)).after,
  after: null,
});

/** What the log remembers of a node, without what is derived. */
export function fieldsOf(node: Node): NodeFields {
  const fields: Record<string, unknown> = {};
  for (const field of LOGGED) fields[field] = node[field];
  return fields as unknown as NodeFields;
}

const LOGGED: readonly (keyof NodeFields)[] = [
  "uuid",
  "id",
  "tier",
  "title",
  "createdAt",
  "createdBy",
  ...(Object.keys(BLANK) as (keyof typeof BLANK)[]),
];

export function changeFocus(actor: Actor, before: Nr | null, after: Nr | null): FocusChange[] {
  if (before === after) return [];
  const at = (nr: Nr | null): { node: Nr } | null => (nr === null ? null : { node: nr });
  return [{ entity: "focus", key: actor, before: at(before), after: at(after) }];
}

/** The exact inverse: applied after `changes`, everything is as it was. */
export const invert = (changes: readonly Change[]): Change[] =>
  changes.map((c) => ({ ...c, before: c.after, after: c.before }) as Change).reverse();

/** At most one change per row, in the order of first touch: what an operation did to a row as a whole. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged: (Change | undefined)[] = [];
  /** By row; the number of a node is its key as it is, for a batch has a hundred thousand. */
  const places = new Map<string | Nr, number>();
  for (const change of changes) {
    const key = change.entity === "node" ? change.key : `${change.entity}:${change.key}`;
    const place = places.get(key);
    if (place === undefined) places.set(key, merged.push(change) - 1);
    else merged[place] = merged[place] ? join(merged[place], change) : change;
  }
  return merged.filter((change) => change !== undefined);
}

/** Nothing, if the later change takes back the earlier one. */
function join(earlier: Change, later: Change): Change | undefined {
  if (earlier.after === null && earlier.entity === "node") return replace(earlier, later as NodeChange);
  const before = earlier.before && later.before ? { ...later.before, ...earlier.before } : earlier.before;
  const after = earlier.after && later.after ? { ...earlier.after, ...later.after } : later.after;
  return trim({ ...later, before, after } as Change);
}

/** A row that was taken away and put back is a changed row: what the new one leaves out is blank again. */
function replace(removed: NodeChange, { after, key }: NodeChange): Change | undefined {
  return trim({ entity: "node", key, before: { ...BLANK, ...removed.before }, after: { ...BLANK, ...after } });
}

/** Only the fields that differ in the end. */
function trim(change: Change): Change | undefined {
  if (change.before === null || change.after === null) return change.before === change.after ? undefined : change;
  const before: Record<string, unknown> = { ...change.before };
  const after: Record<string, unknown> = { ...change.after };
  for (const field of Object.keys(after)) {
    if (!same(before[field], after[field])) continue;
    delete before[field];
    delete after[field];
  }
  return Object.keys(after).length === 0 ? undefined : ({ ...change, before, after } as Change);
}

export const raisesLevel = (changes: readonly Change[]): boolean =>
  changes.some(({ entity, key, before, after }) => {
    if (entity !== "level") return false;
    const level = (image: Readonly<Record<string, unknown>> | null): Level =>
      (image?.["level"] as Level | undefined) ?? unsetLevel(key);
    return isRaise(level(before), level(after));
  });
