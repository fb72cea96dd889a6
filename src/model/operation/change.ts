// One row's share of an operation: what it was and what it became, field by field. The log is made of
// these, so undo, redo, history and replay are all plain data handling.

import type { Actor } from "../actor.js";
import { differences, type ItemChange, same } from "../item/item.js";
import { isRaise, type Level, unsetLevel } from "../item/level.js";
import { type Birth, BLANK, LOGGED_FIELDS, type Node, type NodeFields, type Nr } from "../node/node.js";

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

/** Nothing, if the patch says what is already so. */
export function changeNode(node: Node, patch: Partial<NodeFields>): NodeChange[] {
  const changed = differences(node, patch);
  return changed ? [{ entity: "node", key: node.nr, ...changed }] : [];
}

const START: Readonly<Record<string, unknown>> = BLANK;

/** What the node has in common with a blank one is left out. */
export function createNode(nr: Nr, birth: Birth): NodeChange {
  const after: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(birth)) {
    if (value !== undefined && !same(START[field], value)) after[field] = value;
  }
  return { entity: "node", key: nr, before: null, after };
}

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
  for (const field of LOGGED_FIELDS) fields[field] = node[field];
  return fields as unknown as NodeFields;
}

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
