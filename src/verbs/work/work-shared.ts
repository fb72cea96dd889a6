import { type HandWork, openHandWork } from "../../engine/hand-work/end-hand-work.js";
import { ok, type Result } from "../../model/result.js";
import { executionOf, watched } from "../execution/execution-shared.js";
import { fields, flag, node, optional } from "../kit/schema.js";
import type { Session } from "../kit/session.js";

export async function handWork(session: Session): Promise<Result<HandWork>> {
  const execution = await executionOf(session);
  if (!execution.ok) return execution;
  const { contain } = execution.value;
  const work = openHandWork(watched(session, execution.value), session);
  return ok({
    begin: (...asked) => contain(() => work.begin(...asked)),
    finish: (...asked) => contain(() => work.finish(...asked)),
    abandon: (...asked) => contain(() => work.abandon(...asked)),
    list: () => work.list(),
  });
}

export const ending = fields({
  reference: optional(node("the task; not needed inside its folder", "TASK")),
  keep: optional(flag("leave the folder")),
});
