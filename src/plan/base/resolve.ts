// References in the plan of the moment.

import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { isFocusToken, pickFocus, pickMatch } from "../../model/node/resolve.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import type { ReportWork } from "../../store/progress.js";
import type { Reader } from "../../store/store.js";
import { alsoAnItem } from "../item/find-item.js";
import type { Context } from "./context.js";
import { type FocusOwner, focusKey } from "./focus.js";

export async function resolve(reader: Reader, reference: string, asker: FocusOwner): Promise<Result<Node>> {
  if (!isFocusToken(reference)) {
    const { by, nodes } = await reader.match(reference);
    const [named] = by === "id" ? nodes : [];
    return (named && (await alsoAnItem(reader, named))) ?? pickMatch(reference, nodes);
  }
  const nr = await reader.focus(focusKey(asker));
  const focused = nr === null ? undefined : await reader.node(nr);
  return pickFocus(reference, focused ? [focused, ...(await reader.ancestors(focused.nr))] : []);
}

/** Returns all of them, each once, or a refusal for the first that cannot be resolved. */
export async function resolveAll(
  reader: Reader,
  references: readonly string[],
  asker: FocusOwner,
): Promise<Result<Node[]>> {
  const found = new Map<number, Node>();
  for (const reference of references) {
    const node = await resolve(reader, reference, asker);
    if (!node.ok) return node;
    found.set(node.value.nr, node.value);
  }
  return ok([...found.values()]);
}

/** The feature around a node. */
export async function featureOf(reader: Reader, context: Context, reference: string): Promise<Result<Nr>> {
  const node = await resolve(reader, reference, context);
  if (!node.ok) return node;
  const { id, tier, feature } = node.value;
  if (feature !== null) return ok(feature);
  const article = tier === "initiative" ? "an" : "a";
  const message = `${id} is ${article} ${tier} and is in no feature. Name a feature or something in it.`;
  return usage("no-feature", message, { next: [step("list", { tier: ["feature"] })] });
}

/** Nodes after which it says how far it is. */
const TOLD_AFTER = 2_000;

export async function readAll(reader: Reader, report?: ReportWork): Promise<Node[]> {
  const nodes: Node[] = [];
  for await (const node of reader.scan()) {
    nodes.push(node);
    if (nodes.length % TOLD_AFTER === 0) report?.({ doing: "Reading", done: nodes.length, total: null, unit: "node" });
  }
  return nodes;
}

export interface Scope {
  /** Null for the whole plan. */
  readonly root: Node | null;
  has(nr: Nr): boolean;
}

/** The branch below a reference, itself included; without one, everything. */
export async function scopeOf(reader: Reader, context: Context, reference?: string): Promise<Result<Scope>> {
  if (reference === undefined) return ok({ root: null, has: () => true });
  const root = await resolve(reader, reference, context);
  if (!root.ok) return root;
  const inside = new Set([root.value.nr, ...(await reader.numbersBelow(root.value.nr))]);
  return ok({ root: root.value, has: (nr) => inside.has(nr) });
}

export const emptyPlan = (): Result<never> =>
  absent("no-plan", "There is nothing in the plan yet.", {
    next: [step("plan.start", {}, "source"), step("add", {}, "title")],
  });
