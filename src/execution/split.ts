// A worker found its task too big. It drafts the parts; only a person's answer makes them. Until then the task is frozen,
// so nobody begins it again.

import { raise } from "../actions/escalate.js";
import type { SplitDraft } from "../graph/attempt.js";
import type { Freeze } from "../graph/node.js";
import { keepWork } from "./keep.js";
import { type Live, move } from "./moves.js";
import type { Services } from "./services.js";

export async function proposeSplit(services: Services, live: Live, split: SplitDraft): Promise<void> {
  const { context } = services;
  const kept = await keepWork(context.root, live.key, live.attempt);
  const { id, title, nr } = live.task;
  const reason = `a split into ${split.parts.length} was proposed by ${live.key}`;
  await move(services, live, {
    to: "released",
    patch: { kept, split, note: reason },
    settle: (_, { by, at }) => {
      const freeze: Freeze = { reason, by, at, from: nr, commit: context.head() };
      return { claim: null, freeze };
    },
    also: async (writer, _, at) => {
      const asked = await raise(
        writer,
        {
          kind: "split",
          question: `${id} "${title}" looks too big for one worker. Split it?`,
          context: [split.why, ...split.parts.map((part, i) => `${i + 1}. ${part.title}`)].join("\n"),
          owner: id,
          blocks: [id],
          recommended: "split",
          options: [
            {
              id: "split",
              label: "Split it",
              detail: "The parts become tasks beside it, and one that looks at all of them.",
            },
            { id: "linear", label: "Go on as it is", detail: "The worker does all of it, one part after the other." },
          ],
        },
        { by: context.actor, at },
      );
      return [...asked.changes];
    },
    sentence: `${live.key} proposed to split ${id}`,
  });
}
