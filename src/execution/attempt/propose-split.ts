// Proposes a split when a worker finds its task too big. The task is frozen until a person answers; only their answer creates
// the parts.

import { raise } from "../../actions/question/raise.js";
import { splitProblems } from "../../actions/question/split-problems.js";
import type { SplitDraft, SplitPart } from "../../graph/attempt/attempt.js";
import type { Freeze } from "../../graph/node/node.js";
import type { EngineServices } from "../engine/services.js";
import { enterState, type LiveAttempt } from "./attempt-state.js";
import { keepWork } from "./keep-work.js";

/** All of it: a yes approves every word and every command. */
function describe({ title, body, files, after, checks, profile }: SplitPart, i: number): string {
  const where = files.length === 0 ? "" : ` (${files.join(", ")})`;
  const order = after.length === 0 ? "" : `, after ${after.map((position) => position + 1).join(", ")}`;
  return [
    `${i + 1}. ${title}${where}${order}${checks.length === 0 ? "; no check" : ""}`,
    ...(profile === null ? [] : [`   profile: ${profile}`]),
    ...checks.map(({ run, cwd }) => `   check: ${run}${cwd === undefined ? "" : ` (in ${cwd})`}`),
    ...body
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `   | ${line}`),
  ].join("\n");
}

const contextOf = (key: string, { why, parts }: SplitDraft, problems: readonly string[]): string =>
  [
    why,
    ...parts.map(describe),
    ...(problems.length === 0 ? [] : ["As it is, it cannot be carried out:", ...problems]),
    `Proposed by ${key}.`,
  ].join("\n");

export async function proposeSplit(services: EngineServices, live: LiveAttempt, split: SplitDraft): Promise<void> {
  const { context } = services;
  const kept = await keepWork(context, live.key, () => live.attempt);
  const { id, title, nr } = live.task;
  const reason = `a split into ${split.parts.length} was proposed by ${live.key}`;
  const problems = splitProblems(split);
  await enterState(services, live, {
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
          context: contextOf(live.key, split, problems),
          owner: id,
          blocks: [id],
          recommended: problems.length === 0 ? "split" : "linear",
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
