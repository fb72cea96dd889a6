// What only you can move, as one list: each entry says what it is, in one sentence, and what to do about it.

import { type Actor, isPerson } from "../actor.js";
import type { NextStep } from "../next-step.js";
import { listWords } from "../words.js";

/**
 * In the order in which they are listed: what stops most comes first.
 * `daemon`: it died. `obstacle`: the repository or the settings let no worker begin. `rejected`, `acceptance`: work that failed, or that no check proves. `stopped`: frozen by a program, or
 * out of attempts. `lost`: the main branch no longer holds what landed. `unplanned`: it holds a feature that is finished otherwise. `plan`: a planning run. `stale`: changed since you approved it.
 * `proposal`: a record or lesson that is not in force until you approve it.
 */
const WORDS = {
  daemon: ["dead daemon", "dead daemons"],
  obstacle: ["thing that keeps workers from beginning", "things that keep workers from beginning"],
  question: ["question", "questions"],
  rejected: ["rejected task", "rejected tasks"],
  stopped: ["stopped task", "stopped tasks"],
  acceptance: ["task to accept", "tasks to accept"],
  lost: ["landing that is not on main any more", "landings that are not on main any more"],
  landing: ["feature to land", "features to land"],
  unplanned: ["part to plan or give up", "parts to plan or give up"],
  gate: ["manual step", "manual steps"],
  plan: ["plan to approve or resume", "plans to approve or resume"],
  stale: ["change to approve", "changes to approve"],
  proposal: ["record to approve", "records to approve"],
  unapproved: ["part to approve", "parts to approve"],
} as const satisfies Readonly<Record<string, readonly [one: string, many: string]>>;
export type WaitingKind = keyof typeof WORDS;
export const WAITING_KINDS = Object.keys(WORDS) as WaitingKind[];

export interface WaitingEntry {
  readonly kind: WaitingKind;
  /** The node, the run or the question; null for the daemon. */
  readonly id: string | null;
  /** The node that it holds up, if that is another one. */
  readonly about: string | null;
  /** Since when, in milliseconds; null if it is not known. */
  readonly since: number | null;
  readonly sentence: string;
  /** The same as the title of a card, beside which its id stands. */
  readonly headline: string;
  /** What else there is to know about it, in one phrase. */
  readonly detail: string | null;
  /** Open tasks that cannot go on before it is settled, and their hours. */
  readonly holdsUp: { readonly nodes: number; readonly hours: number; readonly more: boolean };
  /** What the checks said that rejected it, in a few lines. */
  readonly failed: readonly string[];
  /** What triage suggests, and why. */
  readonly suggestion: string | null;
  readonly next: readonly NextStep[];
}

/** What holds up most work comes first, then by kind, then what has waited longest. Without a daemon nothing runs at all. */
export const byImportance = (a: WaitingEntry, b: WaitingEntry): number =>
  Number(b.kind === "daemon") - Number(a.kind === "daemon") ||
  b.holdsUp.hours - a.holdsUp.hours ||
  WAITING_KINDS.indexOf(a.kind) - WAITING_KINDS.indexOf(b.kind) ||
  (a.since ?? 0) - (b.since ?? 0);

/** An open question speaks for what it is about: that is not listed a second time. */
export function withoutTwins(
  entries: readonly WaitingEntry[],
  questions: readonly { readonly owner: string; readonly blocks: readonly string[] }[],
): WaitingEntry[] {
  const asked = new Set(questions.flatMap(({ owner, blocks }) => [owner, ...blocks]));
  const isAsked = ({ id, about }: WaitingEntry): boolean =>
    (id !== null && asked.has(id)) || (about !== null && asked.has(about));
  return entries.filter((entry) => !CAN_BE_ASKED.has(entry.kind) || !isAsked(entry));
}

const CAN_BE_ASKED: ReadonlySet<WaitingKind> = new Set<WaitingKind>([
  "rejected",
  "stopped",
  "acceptance",
  "landing",
  "plan",
]);

/** "3 things wait for you: 2 questions and 1 feature to land." An agent reads whom they wait for. */
export function waitingSentence(entries: readonly Pick<WaitingEntry, "kind">[], reader: Actor): string {
  const whom = isPerson(reader) ? "you" : "a person";
  if (entries.length === 0) return `Nothing waits for ${whom}.`;
  const parts = WAITING_KINDS.flatMap((kind) => {
    const count = entries.filter((entry) => entry.kind === kind).length;
    return count === 0 ? [] : [`${count} ${WORDS[kind][count === 1 ? 0 : 1]}`];
  });
  return `${entries.length === 1 ? "1 thing waits" : `${entries.length} things wait`} for ${whom}: ${listWords(parts)}.`;
}
