// What agents used, day by day, and for whom: by role, feature or model. What nobody priced is counted in tokens and called unknown.

import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { isoTime } from "../../plan/view.js";
import { readUses, type Use } from "./spending.js";

export const COST_GROUPS = ["role", "feature", "model"] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

export interface CostLine {
  /** `2026-11-18` */
  readonly day: string;
  readonly of: string;
  readonly calls: number;
  readonly tokens: number;
  /** Null: nobody said what any of it cost. */
  readonly costUsd: number | null;
  /** Calls without a price: the cost is at least what it says. */
  readonly unpriced: number;
}

export interface CostsView {
  readonly by: CostGroup;
  /** By day, the latest last. */
  readonly lines: readonly CostLine[];
  readonly total: Omit<CostLine, "day" | "of">;
}

const NONE = "none";

export function costs(context: Context, { by = "role" }: { by?: CostGroup } = {}): Promise<Result<CostsView>> {
  return context.store.read(async (reader) => {
    const groups = new Map<string, { day: string; of: string; uses: Use[] }>();
    const uses = await readUses(reader);
    for (const use of uses) {
      const day = isoTime(use.at).slice(0, 10);
      const of = use[by] ?? NONE;
      const known = groups.get(`${day} ${of}`);
      if (known) known.uses.push(use);
      else groups.set(`${day} ${of}`, { day, of, uses: [use] });
    }
    const lines = [...groups.values()].map(({ day, of, uses: some }) => ({ day, of, ...sumOf(some) }));
    lines.sort((a, b) => (a.day === b.day ? (b.costUsd ?? 0) - (a.costUsd ?? 0) : a.day < b.day ? -1 : 1));
    return ok({ by, lines, total: sumOf(uses) });
  });
}

function sumOf(uses: readonly Use[]): CostsView["total"] {
  const priced = uses.filter(({ isPriced }) => isPriced);
  return {
    calls: uses.length,
    tokens: uses.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: priced.length === 0 ? null : priced.reduce((sum, { costUsd }) => sum + costUsd, 0),
    unpriced: uses.length - priced.length,
  };
}
