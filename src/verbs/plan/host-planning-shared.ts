import { ok, type Result } from "../../model/result.js";
import { noteRunSession } from "../../plan/claim/session-notes.js";
import type { HostStep } from "../../planning/run/host.js";
import type { Hooks, Progress } from "../../planning/run/services.js";
import { planningHooks } from "../kit/run-options.js";
import { key } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import { progressLines } from "../text/progress-lines.js";

/** A step with what happened since the one before, in the lines that a terminal would show. */
export interface ReportedStep extends HostStep {
  readonly progress: readonly string[];
}

export async function reporting(
  session: Session,
  work: (hooks: Hooks) => Promise<Result<HostStep>>,
): Promise<Result<ReportedStep>> {
  const hooks = planningHooks(session);
  const progress: string[] = [];
  const onProgress = (told: Progress): void => {
    progress.push(...progressLines(told));
    hooks.onProgress(told);
  };
  const worked = await work({ signal: hooks.signal, onProgress });
  if (worked.ok) {
    const { conversation } = session;
    if (conversation !== undefined) noteRunSession(session.root, conversation, worked.value.run);
    return ok({ ...worked.value, progress });
  }
  const { error } = worked;
  return { ok: false, error: { ...error, details: { ...error.details, progress } } };
}

export const call = key("call", "the step, such as CALL-00001", "CALL");
