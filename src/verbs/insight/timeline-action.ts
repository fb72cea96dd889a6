// Each task over time: when somebody worked on it, and when it waited, for what.

import type { Attempt } from "../../model/attempt/attempt.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { deriveStatus, type Status } from "../../model/status/status.js";
import type { Context } from "../../plan/context.js";
import { scopeOf } from "../../plan/scope.js";
import { isoTime } from "../../plan/view.js";
import type { Outline, Reader } from "../../store/store.js";

export const SPAN_KINDS = ["work", "approval", "dependencies", "person"] as const;
/** `work`: an attempt, or a claim. The others are waiting: for your approval, for other tasks, for your answer or your yes. */
export type SpanKind = (typeof SPAN_KINDS)[number];

export interface TimeSpan {
  readonly kind: SpanKind;
  readonly from: string;
  /** Null: until now. */
  readonly to: string | null;
  /** The attempt, or the question. */
  readonly of: string | null;
}

export interface TimelineRow {
  readonly id: string;
  readonly title: string;
  readonly feature: string | null;
  readonly status: Status;
  readonly spans: readonly TimeSpan[];
}

export interface TimelineView {
  readonly rows: readonly TimelineRow[];
  /** Tasks that the limit left out. */
  readonly more: number;
}

export interface TimelineInput {
  readonly reference?: string;
  readonly limit?: number;
}

const USUAL_LIMIT = 500;

export function timeline(
  context: Context,
  { reference, limit = USUAL_LIMIT }: TimelineInput = {},
): Promise<Result<TimelineView>> {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const all = new Map((await reader.outline()).map((node) => [node.nr, node]));
    const isShown = (node: Outline): boolean =>
      !isContainer(node) &&
      scope.value.has(node.nr) &&
      !node.shelved &&
      node.archive === null &&
      node.outcome?.kind !== "dropped";
    const tasks = [...all.values()].filter(isShown);
    const asked = await questionSpans(reader);
    const rows: TimelineRow[] = [];
    for (const { nr } of tasks.slice(0, limit)) {
      const task = (await reader.node(nr)) as Node;
      const spans = [...waitsOf(task, all), ...(await workOf(reader, task)), ...(asked.get(task.id) ?? [])];
      rows.push({
        id: task.id,
        title: task.title,
        feature: task.feature === null ? null : (all.get(task.feature)?.id ?? null),
        status: deriveStatus(task, await reader.surroundings(task)).status,
        spans: spans.sort((a, b) => (a.from < b.from ? -1 : 1)),
      });
    }
    return ok({ rows, more: tasks.length - rows.length });
  });
}

const span = (kind: SpanKind, from: number, to: number | null, of: string | null = null): TimeSpan => ({
  kind,
  from: isoTime(from),
  to: to === null ? null : isoTime(to),
  of,
});

/** Before it was approved it waited for that, and then for the last of its dependencies. */
function waitsOf({ createdAt, approval, dependsOn, outcome, kind }: Node, all: ReadonlyMap<Nr, Outline>): TimeSpan[] {
  const spans: TimeSpan[] = [];
  const end = outcome?.at ?? null;
  const approved = approval?.at ?? end;
  if (kind !== "land" && (approved === null || approved > createdAt)) spans.push(span("approval", createdAt, approved));
  if (approved === null) return spans;
  const ends = dependsOn.map(({ on }) => all.get(on)?.outcome?.at ?? null);
  if (ends.length === 0) return spans;
  const free = ends.includes(null) ? end : Math.max(...ends.map((at) => at ?? 0));
  if (free === null || free > approved) spans.push(span("dependencies", approved, free));
  return spans;
}

async function workOf(reader: Reader, { nr, claim, report }: Node): Promise<TimeSpan[]> {
  const attempts = await reader.items("attempt", { owner: String(nr) });
  const spans = attempts.flatMap(({ key, fields }) => spansOf(key, fields));
  if (attempts.length > 0) return spans;
  if (claim) return [span("work", claim.at, null)];
  return report ? [span("work", report.startedAt, report.at)] : [];
}

/** What was handed in and waits for a yes ends with the work; the waiting shows as its own span. */
const spansOf = (key: string, { startedAt, endedAt }: Attempt): TimeSpan[] => [span("work", startedAt, endedAt, key)];

async function questionSpans(reader: Reader): Promise<ReadonlyMap<string, TimeSpan[]>> {
  const found = new Map<string, TimeSpan[]>();
  for (const { key, fields } of await reader.items("escalation", {})) {
    if (fields.state === "withdrawn") continue;
    for (const id of fields.blocks) {
      const spans = found.get(id) ?? [];
      spans.push(span("person", fields.createdAt, fields.answer?.at ?? null, key));
      found.set(id, spans);
    }
  }
  return found;
}
