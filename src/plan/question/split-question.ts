// The question whether a task is split as its worker proposes it. Only a person's answer makes the parts.

import { dangerIn } from "../../machine/checks/dangers.js";
import type { SplitDraft, SplitPart } from "../../model/attempt/attempt.js";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import type { Node } from "../../model/node/node.js";
import { lintSplit } from "../../model/rules/split.js";
import type { Context } from "../base/context.js";
import type { NewQuestion } from "./raise.js";

/** Each as one sentence; none, if it can be carried out. */
export const splitProblems = (draft: Pick<SplitDraft, "parts">): string[] => [
  ...lintSplit(draft),
  ...draft.parts.flatMap(dangersOf),
];

function dangersOf({ checks, body }: SplitPart, i: number): string[] {
  const commands = [...checks, ...commandsIn(body).map((run) => ({ run, cwd: "" }))];
  return commands.flatMap(({ run, cwd }) => {
    const danger = dangerIn(run, cwd);
    return danger === undefined ? [] : [`Part ${i + 1}: the command "${run.slice(0, 200)}" ${danger}.`];
  });
}

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

/** `by`: the attempt or the actor that proposes it. */
export function splitQuestion({ id, title }: Pick<Node, "id" | "title">, draft: SplitDraft, by: string): NewQuestion {
  const { why, parts } = draft;
  const problems = splitProblems(draft);
  return {
    kind: "split",
    question: `${id} "${title}" looks too big for one worker. Split it?`,
    context: [
      why,
      ...parts.map(describe),
      ...(problems.length === 0 ? [] : ["As it is, it cannot be carried out:", ...problems]),
      `Proposed by ${by}.`,
    ].join("\n"),
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
  };
}

/** A person's last answer was not to split the task. */
export async function mustStayWhole({ store }: Pick<Context, "store">, { id }: Pick<Node, "id">): Promise<boolean> {
  const answered = await store.read((reader) =>
    reader.items("question", { owner: id, state: "answered", newest: true }),
  );
  return answered.find(({ fields }) => fields.kind === "split")?.fields.answer?.option === "linear";
}
