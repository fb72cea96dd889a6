// How many tasks have which status: what is ready, what is being worked on, what is held up, and by whom.

import type { DerivedStatus, Status } from "./status.js";

export interface Tally {
  ready: number;
  inProgress: number;
  blocked: number;
  /** Gates and landings whose turn it is, and work that is handed in without checks. */
  waitingForPerson: number;
  rejected: number;
  frozen: number;
  planned: number;
  /** Done or waived. */
  finished: number;
}

export const emptyTally = (): Tally => ({
  ready: 0,
  inProgress: 0,
  blocked: 0,
  waitingForPerson: 0,
  rejected: 0,
  frozen: 0,
  planned: 0,
  finished: 0,
});

const COUNTER: Readonly<Record<Status, keyof Tally | null>> = {
  planned: "planned",
  blocked: "blocked",
  ready: "ready",
  in_progress: "inProgress",
  rejected: "rejected",
  frozen: "frozen",
  done: "finished",
  waived: "finished",
  dropped: null,
  archived: null,
};

export function count(tally: Tally, { status, reason }: Pick<DerivedStatus, "status" | "reason">, tasks: number): void {
  const counter = reason === "human" ? "waitingForPerson" : COUNTER[status];
  if (counter !== null) tally[counter] += tasks;
}
