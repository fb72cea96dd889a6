// Folds operations of one attempt or one planning run into one line, and counts operations for the scrubber. Pure.

import type { LogRow } from "../api/types.js";

export interface HistoryLine {
  /** The newest operation of the line. */
  readonly row: LogRow;
  /** All operations of the line, newest first. */
  readonly rows: readonly LogRow[];
  /** The newest one that says something about the outcome. */
  readonly said: LogRow;
}

/** What an operation belongs to: a step of an attempt, or of a planning run. What a person decides stands alone. */
const THREADS: Readonly<Record<string, "attempt" | "run">> = {
  attempt: "attempt",
  claim: "attempt",
  heartbeat: "attempt",
  accept: "attempt",
  complete: "attempt",
  plan: "run",
  "plan-step": "run",
};
const PATTERNS = { attempt: /\bATT-\d+\b/, run: /\bRUN-\d+\b/ } as const;

function threadOf({ verb, sentence, targets }: LogRow): string | null {
  const thread = THREADS[verb];
  if (thread === undefined) return null;
  const touched = targets.find(({ entity }) => entity === thread)?.id;
  return touched ?? PATTERNS[thread].exec(sentence)?.[0] ?? null;
}

/** Who drives a run comes and goes; that is not what happened. */
export const isOutcome = ({ verb, sentence }: LogRow): boolean =>
  verb !== "plan-step" || !/\b(stopped driving|works on) RUN-/.test(sentence);

/** Attempts run side by side, so their steps come mixed: each is gathered where its last one stands. */
export function foldLines(rows: readonly LogRow[]): HistoryLine[] {
  const lines: { row: LogRow; rows: LogRow[] }[] = [];
  const open = new Map<string, { rows: LogRow[] }>();
  const byTask = new Map<string, { rows: LogRow[] }>();
  for (const row of rows) {
    const thread = threadOf(row);
    const tasks = row.targets.flatMap(({ entity, id }) => (entity === "node" ? [id] : []));
    // What a worker is given belongs to its attempt, and names only the task.
    const packed = row.verb === "bundle" ? /\bpacked (\S+)$/.exec(row.sentence)?.[1] : undefined;
    const known = thread === null ? byTask.get(packed ?? "") : open.get(thread);
    if (known) {
      known.rows.push(row);
      continue;
    }
    const line = { row, rows: [row] };
    lines.push(line);
    if (thread === null) continue;
    open.set(thread, line);
    for (const task of tasks) byTask.set(task, line);
  }
  return lines.map((line) => ({ ...line, said: line.rows.find(isOutcome) ?? line.rows.at(-1) ?? line.row }));
}

export type Who = "human" | "agent" | "daemon";
export const WHO: readonly Who[] = ["human", "agent", "daemon"];

export const whoOf = (actor: string): Who => {
  const kind = actor.split(":")[0];
  return kind === "human" || kind === "agent" ? kind : "daemon";
};

export interface Slot {
  readonly from: number;
  readonly to: number;
  readonly counts: Readonly<Record<Who, number>>;
  /** The last operation in it or before it. */
  readonly op: number;
}

/** Operations per slot of time, oldest first. */
export function slotsOf(rows: readonly LogRow[], count: number): Slot[] {
  const times = rows.map(({ at }) => Date.parse(at));
  const [last, first] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return [];
  const width = Math.max(1, (last - first) / count);
  const slots = Array.from({ length: count }, (_, index) => ({
    from: first + index * width,
    to: first + (index + 1) * width,
    counts: { human: 0, agent: 0, daemon: 0 },
    op: 0,
  }));
  rows.forEach(({ actor, op }, index) => {
    const slot = slots[Math.min(count - 1, Math.floor(((times[index] ?? first) - first) / width))];
    if (!slot) return;
    slot.counts[whoOf(actor)]++;
    slot.op = Math.max(slot.op, op);
  });
  let known = rows.at(-1)?.op ?? 0;
  for (const slot of slots) {
    known = Math.max(known, slot.op);
    slot.op = known;
  }
  return slots;
}

interface Dense {
  readonly slotMinutes: number;
  readonly slots: readonly ({ readonly from: string; readonly last: number } & Slot["counts"])[];
}

/** The server's slots of the whole log, with those in which nothing happened. */
export function slotsOfDensity({ slotMinutes, slots }: Dense): Slot[] {
  const width = slotMinutes * 60_000;
  const known = new Map(slots.map((slot) => [Date.parse(slot.from), slot]));
  const [first, last] = [Math.min(...known.keys()), Math.max(...known.keys())];
  const all: Slot[] = [];
  for (let from = first; from <= last; from += width) {
    const { human = 0, agent = 0, daemon = 0, last: op } = known.get(from) ?? {};
    all.push({ from, to: from + width, counts: { human, agent, daemon }, op: op ?? all.at(-1)?.op ?? 0 });
  }
  return all;
}

export type Mark = "approve" | "question" | "land";

/** Operations worth a mark on the scrubber. */
export function markOf({ verb, sentence }: LogRow): Mark | null {
  if (verb === "approve") return "approve";
  if (verb === "ask" || /\basked ESC-/.test(sentence)) return "question";
  return verb === "land" || /\blanded\b/.test(sentence) ? "land" : null;
}
