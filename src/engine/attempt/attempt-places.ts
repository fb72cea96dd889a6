// Where an attempt keeps its things, and what its commits say.

import { join } from "node:path";
import { attemptBranch, shortName } from "../../machine/git/refs.js";
import { type Attempt, isByHand } from "../../model/attempt/attempt.js";
import type { EngineServices } from "../services.js";
import type { LiveAttempt } from "./attempt-state.js";

/** The folder with a note about each running child process. */
export const runningFolder = ({ context }: Pick<EngineServices, "context">): string =>
  join(context.root, ".planwright", "running");

export const transcriptFile = ({ context }: Pick<EngineServices, "context">, key: string): string =>
  join(context.root, ".planwright", "transcripts", `${key}.jsonl`);

/** Where the checks of the attempt in a slot run: no worker is ever there. */
export const checksFolder = (services: Pick<EngineServices, "policy">, slot: number): string =>
  `${slotFolder(services, slot)}-checks`;

export const slotFolder = ({ policy }: Pick<EngineServices, "policy">, slot: number): string =>
  join(policy.worktrees, `slot-${slot}`);

/** Programs share a pool of worktrees. A person gets their own, which they may keep. */
export const folderFor = (services: EngineServices, { key, attempt }: Pick<LiveAttempt, "key" | "attempt">): string =>
  isByHand(attempt) ? join(services.policy.worktrees, key) : slotFolder(services, attempt.slot as number);

/** Recorded before the worktree is made, so that recovery knows where to look. */
export const worktreeFields = (
  services: EngineServices,
  live: Pick<LiveAttempt, "key" | "attempt">,
  base: string,
): Pick<Attempt, "worktree" | "branch" | "base"> => ({
  worktree: folderFor(services, live),
  branch: shortName(attemptBranch(live.key)),
  base,
});

const LINE_LENGTH = 100;

export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, LINE_LENGTH);

/** The task in one line, and trailers that name task, attempt and operation. */
export const attemptMessage = ({ key, task, attempt }: Pick<LiveAttempt, "key" | "task" | "attempt">): string =>
  [
    `${task.id}: ${oneLine(task.title)}`,
    "",
    `Planwright-Task: ${task.id}`,
    `Planwright-Attempt: ${key}`,
    `Planwright-Operation: ${attempt.op}`,
    `Planwright-Worker: ${oneLine(attempt.worker.name)}`,
    "",
  ].join("\n");
