// What a row of the timeline draws: work is solid, waiting is hatched with its reason, waiting for you is amber. Pure.

import type { Output } from "../api/types.js";
import { lasted } from "../parts/words.js";

export type TimelineRow = Output<"timeline">["rows"][number];
type Span = TimelineRow["spans"][number];

export interface TimeBar {
  readonly kind: "work" | "wait" | "ask" | "bad";
  readonly begin: number;
  readonly end: number;
  readonly words: string;
}

/** Why a task stands where it does now. */
export interface Standing {
  readonly words: string;
  readonly asks: boolean;
}

const FINISHED: ReadonlySet<string> = new Set(["done", "waived", "dropped", "archived"]);

const KINDS: Readonly<Record<Span["kind"], TimeBar["kind"]>> = {
  work: "work",
  approval: "ask",
  dependencies: "wait",
  person: "ask",
};

const wordsFor = ({ kind, of }: Span): string => {
  if (kind === "work") return of ?? "worked on";
  if (kind === "approval") return "waited for your approval";
  return kind === "person" ? `waited for your answer${of === null ? "" : ` to ${of}`}` : "waited for other tasks";
};

/** Waiting first, so that work is drawn over it. A task that stands still now says why. */
export function barsOf(
  { spans, status }: Pick<TimelineRow, "spans" | "status">,
  now: number,
  standing: Standing,
): TimeBar[] {
  const bars = spans.map((span): TimeBar => {
    const [begin, end] = [Date.parse(span.from), span.to === null ? now : Date.parse(span.to)];
    const isOpen = span.to === null && span.kind !== "work";
    const words = isOpen && standing.words !== "" ? standing.words : wordsFor(span);
    const kind = isOpen && standing.asks ? "ask" : KINDS[span.kind];
    return { kind, begin, end, words: `${words}, ${lasted(end - begin)}` };
  });
  const works = bars.filter(({ kind }) => kind === "work");
  const last = works.at(-1);
  const drawn = works.map((bar) => (bar === last && status === "rejected" ? { ...bar, kind: "bad" as const } : bar));
  const waits = bars.filter(({ kind }) => kind !== "work");
  const covered = Math.max(...bars.map(({ end }) => end), Number.NEGATIVE_INFINITY);
  if (!FINISHED.has(status) && bars.length > 0 && covered < now) {
    const words = `${standing.words === "" ? "ready" : standing.words}, ${lasted(now - covered)}`;
    waits.push({ kind: standing.asks ? "ask" : "wait", begin: covered, end: now, words });
  }
  return [...waits, ...drawn];
}

/** The beginning of the first span. */
export const firstMoment = (rows: readonly TimelineRow[], now: number): number =>
  rows.reduce((first, { spans }) => Math.min(first, ...spans.map(({ from }) => Date.parse(from))), now);
