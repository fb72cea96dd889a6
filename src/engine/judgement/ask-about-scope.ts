// Asks what to do with work that passed its checks and touched files outside of its footprint, or files that are protected.

import type { Question } from "../../plan/question/raise.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";

/** `did`: what the change did to its judge, as a verb phrase. Null if nothing is outside and no judge changed: nothing is asked. */
export function aboutScope({ task, attempt }: LiveAttempt, did: string | null, why: string): Question | null {
  const { id, title } = task;
  const { outside = [] } = attempt;
  if (outside.length === 0 && did === null) return null;
  const what = did ?? "passed its checks, but changed files outside of its footprint";
  const widen = {
    id: "widen",
    label: "Widen the footprint",
    detail: `Adds ${outside.join(", ")} to the task and accepts the work.`,
  };
  return {
    kind: "footprint",
    question: `${id} "${title}" ${what}. What next: ${outside.length > 0 ? "widen, " : ""}reject or accept-once?`,
    context: why,
    owner: id,
    blocks: [id],
    options: [
      ...(outside.length > 0 ? [widen] : []),
      { id: "reject", label: "Reject it", detail: "The task is rejected. Its work is kept." },
      { id: "accept-once", label: "Accept it once", detail: "Recorded as your override. The task stays as it is." },
    ],
  };
}
