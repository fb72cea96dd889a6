// Views of one task from claim to acceptance.

import type { Assignment } from "../../../../actions/claim/assignment.js";
import type { Completion } from "../../../../actions/claim/complete.js";
import type { Given } from "../../../../app/operations/task/task.js";
import { harmless } from "../../../../app/text/harmless.js";
import { plural } from "../../../../app/text/wording.js";
import { answerStep, type NextStep, step, weakProofWords } from "../../../../app/vocabulary.js";
import { checkLines } from "../../text/check-lines.js";
import { lineOf, notes, undoStep } from "../../text/ids.js";
import { renderAssignment, renderNode } from "../../text/render-node.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const isAssignment = (given: Given): given is Assignment => "token" in given;

const completeStep = ({ task, token, begunBefore }: Assignment): NextStep =>
  step("complete", { reference: task.id, token, ...(begunBefore && { include: begunBefore }) });

const next: ViewOf<"next"> = {
  text: (answer, style) =>
    [answer]
      .flat()
      .map((given) => (isAssignment(given) ? renderAssignment(given, style) : renderNode(given.task, style)))
      .join("\n\n"),
  note: (answer) =>
    [answer].flat().some((given) => isAssignment(given) && given.alsoYours !== undefined)
      ? "You hold other tasks as well. Hand them in or release them."
      : "",
  next: (answer) =>
    [answer]
      .flat()
      .filter(isAssignment)
      .slice(0, 1)
      .flatMap((given) => [completeStep(given), given.context]),
};

const start: ViewOf<"start"> = {
  text: (assignment, style) =>
    `${renderAssignment(assignment, style)}\n  ${style.dim("attempt".padEnd(11))}${assignment.task.attempts}`,
  next: (assignment) => [completeStep(assignment)],
};

const complete: ViewOf<"complete"> = {
  live: ({ style, progress }) => ({
    onEvent: (event) => {
      if (event.kind === "check") progress(`${style.dim("check")} ${harmless(event.check.run)}\n`);
      if (event.kind === "engine" && event.event.type === "line")
        progress(`${style.dim(harmless(event.event.line))}\n`);
    },
    close: () => undefined,
  }),
  text: renderCompletion,
  note: ({ acceptance, note, leftAlone, proof }) =>
    notes(
      ...(proof === "unversioned" ? ["The proof is unversioned: without git, no commit holds the work."] : []),
      ...(acceptance === "pending" ? [`You have to accept it: ${note.replace(/\.$/, "")}.`] : []),
      ...lineOf("Left alone in your checkout", leftAlone),
    ),
  next: ({ id, acceptance, question }) => {
    if (acceptance !== "pending") return [step("next")];
    return [question === null ? step("accept", { references: [id] }, "reason") : answerStep(question, null)];
  },
  problems: (details: Completion, style) => renderCompletion(details, style),
};

const check: ViewOf<"check"> = {
  ...(complete.live && { live: complete.live }),
  text: ({ id, checks }, style) =>
    [
      ...checks.map((each) => checkLines(each, style)),
      `${style.green("✓")} ${style.bold(id)} would pass its checks`,
    ].join("\n"),
  next: ({ id }) => [step("complete", { reference: id })],
  problems: (details, style) =>
    [
      ...(details as unknown as Completion).checks.map((each) => checkLines(each, style)),
      ...lineOf("Left alone, changed before your claim", (details as unknown as Completion).begunBefore),
    ].join("\n"),
};

function renderCompletion({ id, acceptance, checks, fixesLeft, note, begunBefore }: Completion, style: Style): string {
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
  return [...lines, verdict, ...wrong, ...begun, ...left].join("\n");
}

const fail: ViewOf<"fail"> = {
  text: ({ id, class: word }, style) => `${style.red("!")} ${style.bold(id)} is rejected (${word})`,
  next: ({ id }) => [step("reset", { references: [id] }), step("next")],
};

const reset: ViewOf<"reset"> = {
  text: ({ tasks }, style) => tasks.map(({ id }) => `${style.bold(id)} is open again`).join("\n"),
  note: ({ tasks }) =>
    notes(
      ...lineOf(
        "No longer need an answer",
        tasks.flatMap(({ withdrawn }) => withdrawn),
      ),
      ...tasks.map(({ id, stays }) =>
        stays === null ? "" : `The earlier work of ${id} stays on its feature's branch (${stays.slice(0, 10)}).`,
      ),
    ),
  next: ({ tasks, op }) => [...tasks.slice(0, 1).map(({ id }) => step("why", { reference: id })), ...undoStep(op)],
};

const accept: ViewOf<"accept"> = {
  text: ({ tasks }, style) =>
    tasks.map(({ id }) => `${style.green("✓")} ${style.bold(id)} is done: accepted`).join("\n"),
  note: ({ tasks }) =>
    notes(
      ...tasks.map(({ integrates }) =>
        integrates === null ? "" : `The next run, daemon or landing merges the work of ${integrates}.`,
      ),
    ),
  next: ({ tasks, op }) => [
    ...(tasks.some(({ integrates }) => integrates !== null) ? [step("run")] : []),
    ...undoStep(op),
  ],
};

export const taskViews = { next, start, complete, check, fail, reset, accept };
