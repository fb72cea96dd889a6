// Asks what to do with work that passed its checks and touched files outside of its footprint, or files that are protected.

import { raise } from "../../actions/question/raise.js";
import type { Attempt } from "../../graph/attempt/attempt.js";
import type { Node } from "../../graph/node/node.js";
import type { Change } from "../../graph/operation/change.js";
import type { Writer } from "../../store/store.js";

/** Nothing if nothing is outside. */
export async function askAboutScope(
  writer: Writer,
  { id, title }: Node,
  { outside = [] }: Attempt,
  why: string,
  maker: { readonly by: string; readonly at: number },
): Promise<readonly Change[]> {
  if (outside.length === 0) return [];
  const raised = await raise(
    writer,
    {
      kind: "footprint",
      question: `${id} "${title}" passed its checks, but changed files outside of its footprint. What next?`,
      context: why,
      owner: id,
      blocks: [id],
      options: [
        {
          id: "widen",
          label: "Widen the footprint",
          detail: `Adds ${outside.join(", ")} to the task and accepts the work.`,
        },
        { id: "reject", label: "Reject it", detail: "The task is rejected. Its work is kept." },
        { id: "accept-once", label: "Accept it once", detail: "Recorded as your override. The footprint stays." },
      ],
    },
    maker,
  );
  return raised.changes;
}
