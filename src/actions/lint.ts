// Every invariant over the whole plan, or the findings about one branch of it.

import { type Findings, lint as lintNodes } from "../graph/lint.js";
import { ok, type Result } from "../graph/result.js";
import type { Context } from "./context.js";
import { emptyPlan, readAll, scopeOf } from "./scope.js";

export type { Finding, Findings } from "../graph/lint.js";

export interface Linted extends Findings {
  /** How many nodes were looked at. */
  readonly nodes: number;
}

export function lint(context: Context, reference?: string): Promise<Result<Linted>> {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const all = await readAll(reader);
    if (all.length === 0) return emptyPlan();
    const nodes = all.filter((node) => scope.value.has(node.nr)).length;
    return ok({ nodes, ...lintNodes(all, (node) => scope.value.has(node.nr)) });
  });
}
