// Attempts for tests of what is said and decided about them: as an engine leaves them behind, without one.

import { type Attempt, NO_USAGE } from "../src/model/attempt/attempt.js";
import { createItem } from "../src/model/item/item.js";
import { itemKey } from "../src/model/item-key.js";
import type { NodeFields } from "../src/model/node/node.js";
import { changeNode } from "../src/model/operation/change.js";
import { ok } from "../src/model/result.js";
import { act, type Context } from "../src/plan/base/context.js";
import { type NewQuestion, raise } from "../src/plan/question/raise.js";
import { must } from "./plan.js";

export const ENGINE = "daemon:box";

/** One that was rejected by its checks, unless the test says otherwise. */
const REJECTED: Omit<Attempt, "task" | "taskId" | "feature" | "startedAt" | "endedAt" | "steps"> = {
  op: 1,
  number: 1,
  state: "rejected",
  by: ENGINE,
  worker: { kind: "shell", name: "shell", model: null },
  token: "secret-token",
  epoch: 1,
  driver: "box/1",
  slot: 1,
  worktree: null,
  branch: null,
  base: null,
  tip: null,
  merged: null,
  kept: null,
  changes: null,
  checks: [],
  mergedChecks: [],
  rounds: 0,
  usage: NO_USAGE,
  bundle: null,
  transcript: null,
  session: null,
  failure: null,
  split: null,
  note: "",
};

/** Leaves an attempt of the task behind, with what became of the task and what is asked about it. Its key. */
export async function leaveAttempt(
  plan: { readonly as: (actor: string) => Context },
  id: string,
  attempt: Partial<Attempt> = {},
  { patch = {}, question }: { patch?: Partial<NodeFields>; question?: Partial<NewQuestion> } = {},
): Promise<string> {
  const engine = plan.as(ENGINE);
  const committed = await act(engine, "attempt", async (writer, at) => {
    const task = await writer.byId(id);
    if (!task) throw new Error(`there is no ${id}`);
    const key = itemKey("ATT", await writer.number("ATT"));
    const state = attempt.state ?? REJECTED.state;
    const made: Attempt = {
      ...REJECTED,
      task: task.nr,
      taskId: id,
      feature: task.feature,
      startedAt: at - 5000,
      endedAt: at,
      steps: [
        { state: "claimed", at: at - 5000 },
        { state, at },
      ],
      ...attempt,
    };
    const asked = question && { kind: "rejected" as const, question: `What about ${id}?`, owner: id, ...question };
    const raised = asked ? (await raise(writer, asked, { by: ENGINE, at })).changes : [];
    return ok({
      sentence: key,
      changes: [createItem("attempt", key, made), ...changeNode(task, patch), ...raised],
      value: key,
    });
  });
  return must(committed).value;
}

/** As a task is that its checks rejected. */
export const parked: Partial<NodeFields> = {
  acceptance: { state: "rejected", by: ENGINE, at: 1, reason: "its check failed" },
};
