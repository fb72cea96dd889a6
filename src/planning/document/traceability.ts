// From the words of the spec to the task that fulfils them to the check that shows it.

import { type Behaviour, behavioursOf, type CapabilityMap } from "../contracts/capability-map.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { codeCell, escaped, table } from "./markdown.js";

interface Sources {
  readonly draft: PlanDraft;
  readonly map?: CapabilityMap | undefined;
  readonly spec?: Spec | undefined;
}

interface Trace {
  readonly quote: string;
  readonly line: number | undefined;
  readonly tasks: DraftTask[];
}

/** Words of the spec with the tasks that quote them, themselves or through a behaviour; in the order of the spec. */
export function tracesOf({ draft, map, spec }: Sources): readonly Trace[] {
  const behaviours = new Map<string, Behaviour>((map ? behavioursOf(map) : []).map((each) => [each.id, each]));
  const traces = new Map<string, Trace>();
  for (const task of draft.tasks) {
    const through = task.behaviours.flatMap((id) => behaviours.get(id)?.quote ?? []);
    for (const quote of new Set([...task.quotes, ...through])) {
      const trace = traces.get(quote);
      if (trace) trace.tasks.push(task);
      else traces.set(quote, { quote, line: spec ? findQuote(spec, quote)?.line : undefined, tasks: [task] });
    }
  }
  const far = Number.MAX_SAFE_INTEGER;
  return [...traces.values()].sort((a, b) => (a.line ?? far) - (b.line ?? far));
}

export function traceability(sources: Sources): string {
  const rows = tracesOf(sources).map(({ quote, line, tasks }) => [
    line === undefined ? "–" : String(line),
    escaped(quote),
    tasks.map(({ id }) => escaped(id)).join(", "),
    [...new Set(tasks.flatMap(({ checks }) => checks.map(({ run }) => codeCell(run))))].join("; ") || "–",
  ]);
  return rows.length === 0 ? "" : table(["line", "the spec says", "task", "shown by"], rows);
}
