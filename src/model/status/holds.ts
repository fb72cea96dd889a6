// What holds a task back, for a given asker. Every door that begins work, shows it or explains it asks this one function,
// so they cannot disagree. Facts come in as data; `plan/holds/` gathers them.

import type { NoWorker } from "../attempt/choose-worker.js";
import type { Node } from "../node/node.js";
import { isUnconfirmed } from "./stale-approval.js";
import { isApproved, type Reason, reasonsFor, type Surroundings } from "./status.js";

/**
 * `self`: a person's or agent's own `next` or `start`. `by-hand`: `work`, which needs a branch. `named-run`: `run TASK`,
 * where you choose the task. `run`: an engine that chooses, and ignores levels. `daemon`: an engine that obeys them.
 */
export const ASKERS = ["self", "by-hand", "named-run", "run", "daemon"] as const;
export type Asker = (typeof ASKERS)[number];

/** What the plan says about a task holds everybody; these depend on who asks. In the order in which they are listed. */
const HELD = {
  "no-feature": ["by-hand", "named-run", "run", "daemon"],
  level: ["daemon"],
  retry: ["run", "daemon"],
  storm: ["run", "daemon"],
  spending: ["run", "daemon"],
  "no-worker": ["named-run", "run", "daemon"],
} satisfies Readonly<Record<string, readonly Asker[]>>;

export type AskerReason = keyof typeof HELD;
export const ASKER_REASONS = Object.keys(HELD) as AskerReason[];

export type HoldReason = Exclude<Reason, "claimable"> | AskerReason;

export interface Hold {
  readonly reason: HoldReason;
  /** The ids, or the one phrase, behind it. */
  readonly because: readonly string[];
  /** When it passes by itself; null if something has to happen first. */
  readonly until: number | null;
}

/** Work on a feature has stopped: too many attempts failed, or a budget is spent. */
export interface Stop {
  readonly reason: "storm" | "spending";
  readonly because: string;
  readonly until: number | null;
  /** Since when it is this stop and not an earlier one; null if no one needs to be notified. */
  readonly since: number | null;
}

/** What only engines look at. */
export interface EngineFacts {
  readonly now: number;
  /** The level is off: of this feature, or of the workspace if null. */
  readonly levelOff: { readonly feature: string | null } | null;
  /** The last attempt failed in a way that is tried again at this time. */
  readonly retry: { readonly at: number; readonly because: string } | null;
  readonly stop: Stop | null;
  readonly noWorker: NoWorker | null;
}

export interface HoldFacts {
  readonly around: Surroundings;
  /** Left out where no engine asks. */
  readonly engine?: EngineFacts;
}

/** In order; empty if the asker may begin the task now. */
export function holds(task: Node, { around, engine }: HoldFacts, asker: Asker): Hold[] {
  const found: Hold[] = [];
  for (const { reason, because } of reasonsFor(task, around)) {
    if (reason !== "claimable") found.push({ reason, because, until: untilOf(task, reason) });
  }
  if (!dependsOnAsker(task, around)) return found;
  for (const reason of ASKER_REASONS) {
    const hold = HELD[reason].some((each) => each === asker) ? APPLIES_TO[reason](task, engine) : null;
    if (hold) found.push({ ...hold, reason });
  }
  return found;
}

/** Only what the plan lets begin, or land, can be held back by who asks. An overlap passes, so it does not count here. */
export const dependsOnAsker = (task: Node, around: Surroundings): boolean =>
  reasonsFor(task, { ...around, overlaps: [] }).every(
    ({ reason }) => reason === "claimable" || (reason === "human" && task.kind === "land"),
  );

/** What a person settles by doing it: completing a gate, or landing a feature, approves it too. */
const BY_DOING: ReadonlySet<HoldReason> = new Set<HoldReason>([
  "human",
  "unapproved",
  "approval-unknown",
  "approval-stale",
]);

/** What keeps a gate or a landing from being done now. */
export function holdsCompletion(task: Node, around: Surroundings, by: "person" | "daemon"): Hold[] {
  const held = holds(task, { around }, "self");
  if (by === "person") return held.filter(({ reason }) => !BY_DOING.has(reason));
  // The daemon may land, but not approve.
  const missing = isUnconfirmed(task) ? "approval-unknown" : "approval-stale";
  const reason = task.approval === null ? "unapproved" : missing;
  const approval: Hold[] = isApproved(task) ? [] : [{ reason, because: [], until: null }];
  return [...approval, ...held.filter((hold) => hold.reason !== "human" && hold.reason !== reason)];
}

const untilOf = ({ claim }: Node, reason: Reason): number | null =>
  claim && reason === "in-flight" ? claim.until : null;

type HoldDetails = Pick<Hold, "because" | "until"> | null;

const APPLIES_TO: Readonly<Record<AskerReason, (task: Node, engine: EngineFacts | undefined) => HoldDetails>> = {
  "no-feature": ({ feature }) => (feature === null ? { because: [], until: null } : null),
  level: (_, engine) =>
    engine?.levelOff
      ? { because: engine.levelOff.feature === null ? [] : [engine.levelOff.feature], until: null }
      : null,
  retry: (_, engine) =>
    engine?.retry && engine.retry.at > engine.now ? { because: [engine.retry.because], until: engine.retry.at } : null,
  storm: (_, engine) => stopped(engine, "storm"),
  spending: (_, engine) => stopped(engine, "spending"),
  "no-worker": (_, engine) => (engine?.noWorker ? noWorkerHold(engine.noWorker) : null),
};

export const noWorkerHold = ({ problem, agent }: NoWorker): Hold => ({
  reason: "no-worker",
  because: [problem, agent],
  until: null,
});

const stopped = (engine: EngineFacts | undefined, reason: Stop["reason"]): HoldDetails =>
  engine?.stop?.reason === reason ? { because: [engine.stop.because], until: engine.stop.until } : null;
