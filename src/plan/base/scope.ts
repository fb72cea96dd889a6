// Looking at the whole plan, or at one branch of it.

import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "./context.js";
import { resolve } from "./resolve.js";

export async function readAll(reader: Reader): Promise<Node[]> {
  const nodes: Node[] = [];
  for await (const node of reader.scan()) nodes.push(node);
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
  const root = await resolve(reader, reference, context.actor);
  if (!root.ok) return root;
  const inside = new Set([root.value.nr, ...(await reader.numbersBelow(root.value.nr))]);
  return ok({ root: root.value, has: (nr) => inside.has(nr) });
}

export const emptyPlan = (): Result<never> =>
  absent("no-plan", "There is nothing in the plan yet.", {
    next: [step("plan.start", {}, "source"), step("add", {}, "title")],
  });
