// The question about a task that did not pass: what to do with it now.

import type { FailureClass, Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Writer } from "../../store/store.js";
import type { Maker } from "../record/save-record.js";
import { raise } from "./raise.js";

export interface RejectedWork {
  readonly class: FailureClass;
  readonly reason: string;
  /** The attempt, if there was one. */
  readonly attempt: string | null;
  readonly recommended?: "reset" | "replan";
}

const WORDS: Readonly<Record<FailureClass, string>> = {
  transient: "failed: what it needs was not there",
  logic: "failed",
  design: "failed several times in the same way",
  plan: "failed: the plan has a mistake",
  architecture: "contradicts what was decided",
  conflict: "conflicts with other work",
  other: "was stopped",
};

export async function askAboutRejected(
  writer: Writer,
  { id, title }: Node,
  { class: kind, reason, attempt, recommended = "reset" }: RejectedWork,
  maker: Maker,
): Promise<readonly Change[]> {
  const raised = await raise(
    writer,
    {
      kind: kind === "conflict" ? "conflict" : "rejected",
      question: `${id} "${title}" ${WORDS[kind]}. What next?`,
      context: attempt === null ? reason : `${reason}\n(${attempt})`,
      owner: id,
      blocks: [id],
      recommended,
      options: [
        { id: "reset", label: "Try it again", detail: "The task goes back into the queue." },
        { id: "accept", label: "Accept what was handed in", detail: "Recorded as your override of the checks." },
        { id: "replan", label: "Plan it again", detail: "Its story or feature goes through planning again." },
        { id: "drop", label: "Drop it", detail: "Tasks that depend on it stay blocked until you decide about them." },
      ],
    },
    maker,
  );
  return raised.changes;
}
