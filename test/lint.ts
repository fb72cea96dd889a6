// The invariants of a plan in a test, without the rules about how a plan should be made.

import { ok, type Result } from "../src/model/result.js";
import { type Findings, lintNodes } from "../src/model/rules/lint.js";
import type { Context } from "../src/plan/base/context.js";
import { emptyPlan, readAll, scopeOf } from "../src/plan/base/resolve.js";

export function lint(context: Context, reference?: string): Promise<Result<Findings & { readonly nodes: number }>> {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const all = await readAll(reader);
    if (all.length === 0) return emptyPlan();
    const nodes = all.filter(({ nr }) => scope.value.has(nr)).length;
    return ok({ nodes, ...lintNodes(all, ({ nr }) => scope.value.has(nr), await reader.planning()) });
  });
}
