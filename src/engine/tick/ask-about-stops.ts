// Work on a feature stops: after a storm of failures, or because its budget or the day's is spent. A person hears of it once.

import { GO_ON, type Option } from "../../model/item/escalation.js";
import type { Node } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import type { Stop } from "../../model/status/holds.js";
import { act } from "../../plan/context.js";
import { raise } from "../../plan/question/raise.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";

const NEXT = {
  storm: "It continues by itself after the pause set in execution.storm.",
  spending: "Raise the limit in planwright.json, or let it rest until tomorrow if it is the day's.",
} as const;

const OPTIONS: Readonly<Record<Stop["reason"], readonly Option[]>> = {
  storm: [
    { id: "seen", label: "Wait for the pause", detail: NEXT.storm },
    {
      id: GO_ON,
      label: "Go on now",
      detail: "The failures so far count no more. Resetting a failed task does the same.",
    },
  ],
  spending: [{ id: "seen", label: "I have seen it", detail: NEXT.spending }],
};

const questionOf = (reason: Stop["reason"], id: string): string =>
  reason === "storm" ? `Work on ${id} pauses after too many failures.` : `Work on ${id} stops: its budget is spent.`;

export async function askAboutStop(
  { context }: EngineServices,
  { feature }: Node,
  { reason, because, since }: Stop,
): Promise<void> {
  if (since === null || feature === null) return;
  const id = await context.store.read((reader) => reader.idOf(feature));
  if (id === undefined) return;
  const question = questionOf(reason, id);
  if (await context.store.read((reader) => wasAsked(reader, id, question, since))) return;
  await act(context, "attempt", async (writer, at) => {
    const asked = await raise(
      writer,
      {
        kind: "budget",
        question,
        context: `${because}.\n${NEXT[reason]}`,
        owner: id,
        blocks: [id],
        recommended: "seen",
        options: OPTIONS[reason],
        expiresAt: null,
      },
      { by: context.actor, at },
    );
    return ok({ sentence: `work on ${id} stopped: ${because}`, changes: asked.changes, value: null });
  });
}

/** About this stop: it is asked only once. */
const wasAsked = async (reader: Reader, owner: string, question: string, since: number): Promise<boolean> =>
  (await reader.items("escalation", { owner })).some(
    ({ fields }) => fields.question === question && fields.createdAt >= since,
  );
