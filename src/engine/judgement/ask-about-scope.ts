// Asks what to do with work that passed its checks and touched files outside of its footprint, or files that are protected.

import { raise } from "../../plan/question/raise.js";
import type { AskAboutPending } from "../ending/end-attempt.js";

/** `judge`: what the change did to its judge, as a verb phrase. Nothing is asked if nothing is outside and no judge changed. */
export const askAboutScope =
  (judge: string | null): AskAboutPending =>
  async (writer, { id, title }, { outside = [] }, why, maker) => {
    if (outside.length === 0 && judge === null) return [];
    const what = judge ?? "passed its checks, but changed files outside of its footprint";
    const widen = {
      id: "widen",
      label: "Widen the footprint",
      detail: `Adds ${outside.join(", ")} to the task and accepts the work.`,
    };
    const raised = await raise(
      writer,
      {
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
      },
      maker,
    );
    return raised.changes;
  };
