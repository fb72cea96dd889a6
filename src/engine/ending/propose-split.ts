// Proposes a split when a worker finds its task too big. The task is frozen until a person answers; only their answer creates
// the parts.

import type { SplitDraft } from "../../model/attempt/attempt.js";
import type { Freeze } from "../../model/node/node.js";
import { raise } from "../../plan/question/raise.js";
import { splitQuestion } from "../../plan/question/split-question.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import { keepWork } from "./keep-work.js";

export async function proposeSplit(services: EngineServices, live: LiveAttempt, split: SplitDraft): Promise<void> {
  const { context } = services;
  const kept = await keepWork(context, live.key, () => live.attempt);
  const { id, nr } = live.task;
  const reason = `a split into ${split.parts.length} was proposed by ${live.key}`;
  await enterState(services, live, {
    to: "released",
    patch: { kept, split, note: reason },
    settle: (_, { by, at }) => {
      const freeze: Freeze = { reason, by, at, from: nr, commit: context.head() };
      return { claim: null, freeze };
    },
    also: async (writer, _, at) => {
      const asked = await raise(writer, splitQuestion(live.task, split, live.key), { by: context.actor, at });
      return [...asked.changes];
    },
    sentence: `${live.key} proposed to split ${id}`,
  });
}
