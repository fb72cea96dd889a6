import { isoTime } from "../../model/iso-time.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { deriveStatus } from "../../model/status/status.js";
import { scopeOf } from "../../plan/base/resolve.js";
import type { Outline, Reader } from "../../store/store.js";
import { type Context, fields, type Infer, node, ok, optional, planVerb, wholeNumber } from "../kit/verb.js";
import { isDrawn } from "./waves.js";

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (500)", 1, 100_000)),
});

export const verb = planVerb({
  command: { words: "timeline", hidden: true, group: "look", positional: ["reference"] },
  summary: "Show when each task was worked on, and when it waited",
  effect: "reads",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "the tasks of one feature over time" }],
  run: timeline,
});

/** `work`: an attempt, or a claim. The others are waiting: for your approval, for other tasks, for your answer or your yes. */
type SpanKind = "work" | "approval" | "dependencies" | "person";
type TimeSpan = ReturnType<typeof span>;

const DEFAULT_LIMIT = 500;

export function timeline(context: Context, { reference, limit = DEFAULT_LIMIT }: Infer<typeof input> = {}) {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const all = new Map((await reader.outline()).map((node) => [node.nr, node]));
    const tasks = [...all.values()].filter((each) => !isContainer(each) && scope.value.has(each.nr) && isDrawn(each));
    const asked = await questionSpans(reader);
    const rowOf = async ({ nr }: Outline) => {
      const task = (await reader.node(nr)) as Node;
      const { id, title } = task;
      const feature = task.feature === null ? null : (all.get(task.feature)?.id ?? null);
      const { status } = deriveStatus(task, await reader.surroundings(task));
      const spans = [...waitsOf(task, all), ...(await workOf(reader, task)), ...(asked.get(id) ?? [])];
      return { id, title, feature, status, spans: spans.sort((a, b) => (a.from < b.from ? -1 : 1)) };
    };
    const rows = await Promise.all(tasks.slice(0, limit).map(rowOf));
    return ok({ rows, more: tasks.length - rows.length });
  });
}

/** `to`: null until now. `of`: the attempt, or the question. */
const span = (kind: SpanKind, from: number, to: number | null, of: string | null = null) => ({
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
  // What was handed in and waits for a yes ends with the work; the waiting shows as its own span.
  if (attempts.length > 0)
    return attempts.map(({ key, fields }) => span("work", fields.startedAt, fields.endedAt, key));
  if (claim) return [span("work", claim.at, null)];
  return report ? [span("work", report.startedAt, report.at)] : [];
}

async function questionSpans(reader: Reader): Promise<ReadonlyMap<string, TimeSpan[]>> {
  const found = new Map<string, TimeSpan[]>();
  for (const { key, fields } of await reader.items("question", {})) {
    if (fields.state === "withdrawn") continue;
    for (const id of fields.blocks) {
      const spans = found.get(id) ?? [];
      spans.push(span("person", fields.createdAt, fields.answer?.at ?? null, key));
      found.set(id, spans);
    }
  }
  return found;
}
