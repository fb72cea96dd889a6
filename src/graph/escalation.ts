// A question for a person: what they can answer, what is recommended, until when, and what waits for it.

import type { Actor } from "./actor.js";

export interface Option {
  /** What is typed to choose it. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

export const ESCALATION_KINDS = [
  "question",
  "stagnation",
  "limit",
  "conformance",
  "critic",
  "overview",
  "failure",
  "approval",
] as const;
export type EscalationKind = (typeof ESCALATION_KINDS)[number];

export interface Answer {
  readonly option: string;
  readonly note: string;
  readonly by: Actor;
  readonly at: number;
}

export interface Escalation {
  readonly kind: EscalationKind;
  readonly state: "open" | "answered" | "withdrawn";
  readonly question: string;
  readonly context: string;
  readonly options: readonly Option[];
  /** The id of an option, or null. */
  readonly recommended: string | null;
  /** Afterwards the recommended option is taken, if there is one; null: it never expires. */
  readonly expiresAt: number | null;
  /** Ids of the runs and nodes that wait for it. */
  readonly blocks: readonly string[];
  /** What belongs to it, such as a planning run: the same question of the same owner is asked once. */
  readonly owner: string;
  readonly answer: Answer | null;
  readonly createdAt: number;
  readonly createdBy: Actor;
}
