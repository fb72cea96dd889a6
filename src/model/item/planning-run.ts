// A planning run and its role calls, as the store keeps them. What the state means is the reducer's affair.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";
import type { ArtifactKind } from "./artifact.js";

/** `waiting`: for a person's answer; `ready`: for a person's approval; `halted`: stopped, and can go on. */
export type RunStatus = "running" | "waiting" | "ready" | "halted" | "finished" | "aborted";

export interface PlanningRun {
  readonly status: RunStatus;
  readonly title: string;
  /** What the run is about: the node to expand or revise. */
  readonly node: Nr | null;
  /** What was asked for: the input and its flags, as the planner understands them. */
  readonly intake: unknown;
  /** The reducer's state. */
  readonly machine: unknown;
  /** The artifacts that count now, by kind. */
  readonly current: Readonly<Partial<Record<ArtifactKind, string>>>;
  /** What a person was asked: the topic to the key of the question. */
  readonly asked: Readonly<Record<string, string>>;
  /** Draft ids to the ids that they got in the plan. */
  readonly applied: Readonly<Record<string, string>>;
  /** The features in which it may change something; none of a review. Runs of earlier versions lack them. */
  readonly features?: readonly Nr[];
  /** What the nodes that it may change said when it began: ids to hashes of their content. */
  readonly base?: Readonly<Record<string, string>>;
  /** Numbers of the operations that began it and that added its plan. Runs of earlier versions lack them. */
  readonly begunBy?: number;
  readonly appliedBy?: number | null;
  /** Lines of the spec that each node of its plan goes back to, by id in small letters. Kept when the plan is added. */
  readonly specLines?: Readonly<Record<string, readonly number[]>>;
  /** The draft that a person edited last, as an artifact. */
  readonly editedDraft?: string | null;
  /** Who drives it now, until when: two processes never drive one run. */
  readonly driver: { readonly by: string; readonly until: number } | null;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

/** Whether a process drives the run now. `isAlive`: whether a process of this machine still runs. */
export const isDriven = (
  { driver }: Pick<PlanningRun, "driver">,
  at: number,
  isAlive: (driver: string) => boolean,
): boolean => driver !== null && driver.until > at && isAlive(driver.by);

export interface RoleCall {
  readonly run: string;
  readonly role: string;
  readonly stage: string;
  readonly number: number;
  /** Which repair of the reply before it this is; 0 for a first try. */
  readonly repair: number;
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly model: string | null;
  readonly state: "asked" | "answered" | "failed";
  /** Hash of the prompt, and of what came back. */
  readonly input: string;
  readonly output: string | null;
  readonly session: string | null;
  /** The turn broke off, so nobody knows whether the conversation holds this prompt. */
  readonly unheard?: true;
  readonly transcript: string | null;
  /** The commit that the role read; null without one, and for a host. Calls of earlier versions lack it. */
  readonly commit?: string | null;
  /** What the agent wrote into its own folder, although it may only read. It was thrown away. */
  readonly wrote?: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly startedAt: number;
  readonly durationMs: number | null;
  /** What went wrong, what to do about it, and whether that has been settled. */
  readonly error: { readonly message: string; readonly recovery: string; readonly settled: boolean } | null;
}
