// Imports what a test says another tool holds.

import { type ImportReport, planImport } from "../src/exchange/merge/plan-import.js";
import type { SourceItem, SourceRead } from "../src/exchange/source/source.js";
import { ok, type Result } from "../src/model/result.js";
import { actWithNumber, type Context } from "../src/plan/base/context.js";

export const importRead = (plan: Context, read: SourceRead): Promise<Result<ImportReport & { op: number | null }>> =>
  actWithNumber(plan, "import", async (writer) => {
    const planned = await planImport(writer, plan.actor, read);
    if (!planned.ok) return planned;
    const { changes, report } = planned.value;
    return ok({ sentence: `${plan.actor} imported from ${read.tool}`, changes, value: report });
  });

/** An open item called like its id. */
export const sourceItem = (id: string, rest: Partial<SourceItem> = {}): SourceItem => ({
  key: keyFor(id),
  id,
  displayId: id,
  title: `Title of ${id}`,
  status: "open",
  progress: "open",
  at: { file: "list.json", line: 1 },
  ...rest,
});

export const keyFor = (id: string): string => `tool::${id}`;

export const sourceRead = (items: readonly SourceItem[], rest: Partial<SourceRead> = {}): SourceRead => ({
  tool: "Tool",
  title: "List",
  items,
  findings: [],
  ...rest,
});
