// Folds operations of one attempt or one planning run into one line, and counts operations for the scrubber. Pure.

import type { LogRow } from "../api/types.js";

export interface HistoryLine {
  /** The newest operation of the line. */
  readonly row: LogRow;
  /** All operations of the line, newest first. */
  readonly rows: readonly LogRow[];
}

/** What operations belong to: steps of an attempt or of a run come one after the other. */
function threadOf({ verb, sentence }: LogRow): string | null {
  if (verb === "attempt" || verb === "claim" || verb === "heartbeat") return /\bATT-\d+\b/.exec(sentence)?.[0] ?? null;
  return verb === "plan-step" ? (/\bRUN-\d+\b/.exec(sentence)?.[0] ?? null) : null;
}

export function foldLines(rows: readonly LogRow[]): HistoryLine[] {
  const lines: { row: LogRow; rows: LogRow[]; thread: string | null }[] = [];
  for (const row of rows) {
    const thread = threadOf(row);
    const last = lines.at(-1);
    if (last && thread !== null && last.thread === thread) last.rows.push(row);
    else lines.push({ row, rows: [row], thread });
  }
  return lines;
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

export type Mark = "approve" | "question" | "land";

/** Operations worth a mark on the scrubber. */
export function markOf({ verb, sentence }: LogRow): Mark | null {
  if (verb === "approve") return "approve";
  if (verb === "ask" || /\basked ESC-/.test(sentence)) return "question";
  return verb === "land" || /\blanded\b/.test(sentence) ? "land" : null;
}
