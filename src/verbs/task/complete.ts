import type { Completion } from "../../engine/hand-work/hand-in.js";
import { touchedBy } from "../../model/attempt/attempt.js";
import { weakProofWords } from "../../model/attempt/proof-strength.js";
import { answerStep } from "../../model/item/question.js";
import { ok, problems, type Result } from "../../model/result.js";
import { fields, node, number, optional, planVerb, type Style, spoken, step, wholeNumber } from "../kit/verb.js";
import { harmless, lineOf, plural } from "../kit/wording.js";
import { checkLines, workProgress } from "../text/check-lines.js";
import { including, path, token, wholeOf, wrongWords } from "./claim-parts.js";

export const input = fields({
  reference: node("the task"),
  token: token(),
  created: path("a file that you made"),
  modified: path("a file that you changed"),
  include: path("a file that you changed before you claimed the task"),
  only: path("hand in nothing but this file"),
  tokens: optional(wholeNumber("how many tokens you used for the task in all", 0, 1e12)),
  cost: optional(number("what the task cost in all", 0, 1_000_000, "USD")),
});

export const verb = planVerb({
  command: { words: "complete", group: "work", daily: 8, positional: ["reference"] },
  summary: "Hand in a task and let its checks decide",
  description:
    "Takes what changed in your checkout since you claimed the task, committed or not, as one commit on the feature's branch, and runs the checks on a clean tree of that commit. Files that were changed before your claim stay out unless you include them, and so do files and commits of others in the same checkout: where that is unclear, you name your files (--only). Your branch, index and files stay as they are. When all checks pass, the task is done. When one fails, you keep your claim and see why; after the configured number of fixes the task is rejected. Without a change or without checks it waits until you accept it. Without git the checks run in the workspace. You complete a gate yourself, without a claim, and a land task once the main branch contains the commits of all tasks of its feature.",
  effect: "runs",
  quiet: true,
  endsClaim: true,
  phrases: spoken(
    "complete, mark as done, mark done, mark … as done, mark … done, mark … as finished, mark … as complete, " +
      "finish, hand in, hand … in, done with, finished with, check off, tick off, check … off, tick … off, " +
      "set … to done, set … as done, move … to done, set to done, hand over",
  ),
  weakPhrases: spoken("is done, is finished, is complete, close, done, finished"),
  hints: ["close", "commit", "done", "finish"],
  emptyWords: "i am is",
  tools: [{ tool: "complete", fields: ["reference", "include", "only"] }],
  input,
  examples: [
    { input: { reference: "TASK-00007", token: "5f0c2a" }, does: "runs its checks and records the result" },
    { input: { reference: "TASK-00007", include: ["src/a.ts"] }, does: "also takes what you changed there before" },
    { input: { reference: "TASK-00007", only: ["src/a.ts"] }, does: "leaves everything else in your checkout alone" },
    { input: { reference: "TASK-00007", tokens: 48_000, cost: 0.35 }, does: "also counts what the work used" },
  ],
  run: async (session, asked) => {
    const completed = await (await import("./hand-in.js")).complete(session, asked);
    return completed.ok ? judgeCompletion(completed.value) : completed;
  },
  live: workProgress,
  text: renderCompletion,
  note: ({ acceptance, note, leftAlone, proof }) => [
    proof === "unversioned" && "The proof is unversioned: without git, no commit holds the work.",
    acceptance === "pending" && `You have to accept it: ${note.replace(/\.$/, "")}.`,
    ...lineOf("Left alone in your checkout", leftAlone),
  ],
  next: ({ id, acceptance, question }) => {
    if (acceptance !== "pending") return [step("next")];
    return [question === null ? step("accept", { references: [id] }, "reason") : answerStep(question, null)];
  },
  problems: renderCompletion,
});

function judgeCompletion(completion: Completion): Result<Completion> {
  const { id, acceptance, fixesLeft, begunBefore } = completion;
  const details = { ...completion };
  if (acceptance === "rejected") {
    const why = wrongWords({ ...completion, begunBefore: [] }).replace(/(?<![.\s])[.\s]*$/, ".");
    return problems("rejected", `${id} is rejected: ${why}`, {
      details,
      next: [step("show", { reference: id }), ...wholeOf(completion), step("reset", { references: [id] })],
    });
  }
  if (acceptance !== "open") return ok(completion);
  const left = fixesLeft === null ? "" : ` If it fails ${plural(fixesLeft + 1, "more time")}, it is rejected.`;
  return problems("not-done", `${id} is not done yet: ${wrongWords(completion)} You keep your claim.${left}`, {
    details,
    next: [step("complete", { reference: id, ...including(begunBefore) }), ...wholeOf(completion)],
  });
}

function renderCompletion(completion: Completion, style: Style): string {
  const { id, acceptance, changes, checks, fixesLeft, note, begunBefore } = completion;
  const lines = checks.map((check) => checkLines(check, style));
  const isWrong = acceptance === "open" || acceptance === "rejected";
  // A failed check says itself what is wrong.
  const says = isWrong && checks.every(({ passed }) => passed) && note !== "";
  const wrong = says ? [harmless(note).replace(/^/gm, "  ")] : [];
  const weak = weakProofWords(checks);
  const verdict = {
    accepted: `${style.green("✓")} ${style.bold(id)} is done${weak === "" ? "" : ` (${weak})`}`,
    rejected: `${style.red("!")} ${style.bold(id)} is rejected`,
    pending: `${style.yellow("…")} ${style.bold(id)} waits for a person`,
    open: `${style.yellow("!")} ${style.bold(id)} is not done yet`,
  }[acceptance];
  const left =
    fixesLeft === null
      ? []
      : [`  You keep your claim. It may fail ${plural(fixesLeft, "more time")} before a person is asked.`];
  const begun = says || acceptance !== "open" ? [] : lineOf("  Left alone, changed before your claim", begunBefore);
  const taken = changes === null || isWrong ? [] : touchedBy(changes);
  return [...lines, verdict, ...lineOf("  Handed in", taken), ...wrong, ...begun, ...left].join("\n");
}
