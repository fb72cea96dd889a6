// Work on a feature stops: after a storm of failures, or because its budget or the day's is spent. A person hears of it once.

import { act } from "../actions/context.js";
import { raise } from "../actions/escalate.js";
import type { Node } from "../graph/node.js";
import { ok } from "../graph/result.js";
import type { HeldBack } from "./eligible.js";
import type { Services } from "./services.js";

const NEXT = {
  storm: "It goes on by itself after the pause of execution.storm; `planwright attempts` shows what failed.",
  budget: "Raise the limit in planwright.json, or let it rest until tomorrow if it is the day's.",
} as const;

export async function askAboutStop(
  { context }: Services,
  { feature }: Node,
  { reason, stops }: HeldBack,
): Promise<void> {
  if (stops === undefined || feature === null) return;
  await act(context, "attempt", async (writer, at) => {
    const id = (await writer.idOf(feature)) ?? "";
    const asked = await raise(
      writer,
      {
        kind: "budget",
        question:
          stops === "storm"
            ? `Work on ${id} pauses after too many failures.`
            : `Work on ${id} stops: its budget is spent.`,
        context: `${reason}.\n${NEXT[stops]}`,
        owner: id,
        blocks: [id],
        recommended: "seen",
        options: [{ id: "seen", label: "I have seen it", detail: NEXT[stops] }],
        expiresAt: null,
      },
      { by: context.actor, at },
    );
    return ok({ sentence: `work on ${id} stopped: ${reason}`, changes: asked.changes, value: null });
  });
}
