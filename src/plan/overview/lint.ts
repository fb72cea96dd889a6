// Every invariant over the whole plan, or the findings about one branch of it.

import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Findings } from "../../model/rules/lint.js";
import { lintNodes } from "../../model/rules/lint.js";
import type { Context } from "../base/context.js";
import type { Scope } from "../base/scope.js";
import { emptyPlan, readAll, scopeOf } from "../base/scope.js";

export interface Linted extends Findings {
  /** How many nodes were looked at. */
  readonly nodes: number;
}

export function lint(context: Context, reference?: string): Promise<Result<Linted>> {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    return lintAll(await readAll(reader), scope.value, await reader.planning());
  });
}

/** The same on nodes that were read already: on a large plan, reading is most of the work. */
export function lintAll(all: readonly Node[], scope: Scope, runs: ReadonlyMap<Nr, readonly string[]>): Result<Linted> {
  if (all.length === 0) return emptyPlan();
  const nodes = all.filter((node) => scope.has(node.nr)).length;
  return ok({ nodes, ...lintNodes(all, (node) => scope.has(node.nr), runs) });
}
