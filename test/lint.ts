// The invariants of a plan in a test, without the rules about how a plan should be made.

import type { Context } from "../src/plan/base/context.js";
import { readAll, scopeOf } from "../src/plan/base/resolve.js";
import { lintAll } from "../src/planning/lint/lint-graph.js";

export function lint(context: Context, reference?: string): Promise<ReturnType<typeof lintAll>> {
  return context.store.read(async (reader): Promise<ReturnType<typeof lintAll>> => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    return lintAll(await readAll(reader), scope.value, await reader.planning());
  });
}
