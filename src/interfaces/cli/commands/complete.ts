import { type Completion, complete as completeTask } from "../../../actions/claim/complete.js";
import { ok } from "../../../app/vocabulary.js";
import { tokenFlag } from "../claim-flags.js";
import type { Command, Style } from "../command.js";
import { optional } from "../input.js";
import { harmless } from "../style.js";

export const complete: Command = {
  name: "complete",
  group: "working",
  summary: "Hand in a task: its checks decide",
  description: [
    "Runs the task's checks in the current folder. All pass: done. One fails: rejected, and the task parks until `reset` or",
    "`accept`. A task without checks waits for a person's `accept`. A gate is completed by a person, without a claim; so is a",
    "land task, once the main branch contains the commits of all its feature's tasks.",
  ].join("\n"),
  arguments: [{ name: "REF", help: "the task", reference: true }],
  flags: {
    token: tokenFlag,
    created: { type: "string", multiple: true, value: "PATH", help: "a file that was made" },
    modified: { type: "string", multiple: true, value: "PATH", help: "a file that was changed" },
  },
  examples: [{ run: "planwright complete TASK-00007 --token 5f0c…", does: "runs its checks and records the result" }],
  run: async (input, app) => {
    const completed = await completeTask(await app.open(), {
      reference: input.args[0] as string,
      ...optional("token", input.text("token")),
      created: input.list("created"),
      modified: input.list("modified"),
      onCheck: (check) => {
        if (!input.json) app.progress(`${app.style.dim("check")} ${harmless(check.run)}\n`);
      },
    });
    if (!completed.ok) return completed;
    const completion = completed.value;
    return ok({
      data: completion,
      text: (style) => renderCompletion(completion, style),
      note: () => next(completion),
      exit: completion.acceptance === "rejected" ? 1 : 0,
    });
  },
};

const next = ({ id, acceptance }: Completion): string =>
  ({
    accepted: "planwright next   claims the next task",
    rejected: `planwright reset ${id}   puts it back into the queue; planwright show ${id}   shows what failed`,
    pending: `It has no checks, so a person has to look: planwright accept ${id} --reason TEXT`,
  })[acceptance];

function renderCompletion({ id, acceptance, checks }: Completion, style: Style): string {
  const lines = checks.map((check) => {
    const head = `  ${check.passed ? style.green("✓") : style.red("✗")} ${harmless(check.run)} ${style.dim(`(${check.outcome})`)}`;
    const tail = check.passed
      ? []
      : harmless(check.output)
          .trimEnd()
          .split("\n")
          .slice(-10)
          .map((line) => `      ${style.dim(line)}`);
    return [head, ...tail].join("\n");
  });
  const verdict = {
    accepted: `${style.green("✓")} ${style.bold(id)} is done`,
    rejected: `${style.red("!")} ${style.bold(id)} is rejected`,
    pending: `${style.yellow("…")} ${style.bold(id)} waits for a person`,
  }[acceptance];
  return [...lines, verdict].join("\n");
}
