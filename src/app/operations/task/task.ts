// Operations on one task from claim to acceptance. Workers ask for them in a loop, so each action is loaded when it is asked for.

import type { Assignment } from "../../../actions/claim/assignment.js";
import type { Completion } from "../../../actions/claim/complete.js";
import { noteSession } from "../../../actions/claim/session-notes.js";
import type { NodeView } from "../../../actions/view.js";
import { hasFailed } from "../../../model/attempt/proof.js";
import { step } from "../../../model/next-step.js";
import { type Check, FAILURE_CLASSES } from "../../../model/node/node.js";
import { ok, problems, type Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { filled, flag, input, node, nodes, number, optional, paths, text, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";

import { leaseMinutes, token } from "./claim.js";

/** One task, or a list when a number of tasks was asked for. Without a token it was only shown. */
export type NextAnswer = Given | readonly Given[];
export type Given = Assignment | { readonly task: NodeView };

const next = operation({
  name: "next",
  summary: "Claim the most urgent task that is ready",
  description:
    "Claims it for you with a lease, and puts it in focus. Your focus comes first, then the whole plan; agents get the whole plan. Keep the token: it proves that the claim is yours.",
  who: "both",
  effect: "writes",
  looksOnly: ({ peek }) => peek === true,
  input: () =>
    input({
      in: optional(node("only below this node")),
      count: optional(wholeNumber("claim up to N tasks", 1, 1000)),
      peek: optional(flag("only show what would come, and claim nothing")),
      leaseMinutes: leaseMinutes(),
    }),
  examples: [
    { input: {}, does: "claims one task and shows it with its token" },
    { input: { peek: true }, does: "shows what would come" },
    { input: { in: "FEAT-001", count: 3 }, does: "claims up to three tasks of one feature" },
  ],
  run: async (session, { in: within, peek = false, ...rest }): Promise<Result<NextAnswer>> => {
    const { next: claimNext, peek: peekNext } = await import("../../../actions/claim/next.js");
    const asked = { ...rest, ...(within === undefined ? {} : { within }) };
    const found = peek ? await peekNext(session, asked) : await claimNext(session, asked);
    if (!found.ok) return (await import("../../waiting-hint.js")).withWaiting(session, found);
    const given = found.value.map((each) => ("task" in each ? each : { task: each }));
    noteConversation(session, given);
    return ok(rest.count === undefined && given[0] ? given[0] : given);
  },
});

const start = operation({
  name: "start",
  summary: "Claim a task that you choose",
  description:
    "Like next, for one task. If you hold the claim already, you get it back with a new token. It is refused, with the reason, when the task is not ready. You can claim a task that overlaps with work in progress if you say why.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      reference: node("the task"),
      despite: optional(filled("why you claim it although work in progress touches the same files", "REASON")),
      leaseMinutes: leaseMinutes(),
    }),
  examples: [
    { input: { reference: "TASK-00007" }, does: "claims it and puts it in focus" },
    {
      input: { reference: "TASK-00008", despite: "we split the file between us" },
      does: "claims it although work in progress touches the same files",
    },
  ],
  run: async (session, asked) => {
    const { start: startTask } = await import("../../../actions/claim/start.js");
    const started = await startTask(session, asked);
    if (started.ok) noteConversation(session, [started.value]);
    return started;
  },
});

/** The conversation hands the task in later, perhaps without its token, and hooks ask whose it is. */
function noteConversation({ conversation, root }: Session, given: readonly Given[]): void {
  const claims = given.flatMap((each) => ("epoch" in each ? [{ id: each.task.id, epoch: each.epoch }] : []));
  if (conversation !== undefined && claims.length > 0) noteSession(root, conversation, claims);
}

const path = (help: string) => optional(paths(text(""), help));

const complete = operation({
  name: "complete",
  summary: "Hand in a task and let its checks decide",
  description:
    "Takes what changed in your checkout since you claimed the task, committed or not, as one commit on the feature's branch, and runs the checks on a clean tree of that commit. Your branch, index and files stay as they are. When all checks pass, the task is done. When one fails, you keep your claim and see why; after the configured number of fixes the task is rejected. Without a change or without checks it waits until you accept it. Without git the checks run in the workspace. You complete a gate yourself, without a claim, and a land task once the main branch contains the commits of all tasks of its feature.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      reference: node("the task"),
      token: token(),
      created: path("a file that you made"),
      modified: path("a file that you changed"),
      include: path("a file that you changed before you claimed the task"),
      tokens: optional(wholeNumber("how many tokens you used for the task in all", 0, 1e12)),
      cost: optional(number("what the task cost in all", 0, 1_000_000, "USD")),
    }),
  examples: [
    { input: { reference: "TASK-00007", token: "5f0c2a" }, does: "runs its checks and records the result" },
    { input: { reference: "TASK-00007", include: ["src/a.ts"] }, does: "also takes what you changed there before" },
    { input: { reference: "TASK-00007", tokens: 48_000, cost: 0.35 }, does: "also counts what the work used" },
  ],
  run: async (session, asked) => {
    const { complete: completeTask } = await import("../../../actions/claim/complete.js");
    const handedIn = {
      ...asked,
      signal: session.signal,
      onCheck: (check: Check) => session.emit({ kind: "check", check }),
    };
    const completed = await completeTask(session, handedIn, async (unjudged) => {
      // Loaded only in a repository: judging a change needs all of execution.
      const { judgeHandIn } = await import("./hand-in.js");
      return judgeHandIn(session, { ...asked, ...unjudged });
    });
    return completed.ok ? judgeCompletion(completed.value) : completed;
  },
});

const check = operation({
  name: "check",
  summary: "Run the checks of a task that you claimed",
  description:
    "Runs the checks on what complete would hand in now, on a clean tree, and hands nothing in. It does not count as a failed hand-in.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      reference: node("the task"),
      token: token(),
      include: path("a file that you changed before you claimed the task"),
    }),
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "shows whether complete would pass" }],
  run: async (session, asked) => {
    const { checkTask } = await import("../../../actions/claim/complete.js");
    const onCheck = (each: Check): void => session.emit({ kind: "check", check: each });
    const checked = await checkTask(session, { ...asked, signal: session.signal, onCheck }, async (unjudged) => {
      const { judgeHandIn } = await import("./hand-in.js");
      return judgeHandIn(session, { ...unjudged, ...(asked.include && { include: asked.include }), rehearse: true });
    });
    if (!checked.ok) return checked;
    const { id, checks, note, begunBefore } = checked.value;
    const failed = checks.filter(hasFailed).map(({ run }) => run);
    if (failed.length === 0 && note === "") return checked;
    const why = failed.length > 0 ? `${failed.join(", ")} failed.${leftWords(begunBefore)}` : note;
    return problems("not-done", `${id} would not be done: ${why}`, {
      details: { ...checked.value },
      next: [step("check", { reference: id, ...including(begunBefore) })],
    });
  },
});

const including = (files: readonly string[]): { include?: readonly string[] } =>
  files.length === 0 ? {} : { include: files };

/** A check may need what was left alone. */
const leftWords = (files: readonly string[]): string =>
  files.length === 0
    ? ""
    : ` ${files.join(", ")} changed before you claimed the task and ${files.length === 1 ? "was" : "were"} left alone: include ${files.length === 1 ? "it" : "them"} if ${files.length === 1 ? "it belongs" : "they belong"} to the task.`;

function judgeCompletion(completion: Completion): Result<Completion> {
  const { id, acceptance, checks, note, fixesLeft, begunBefore } = completion;
  const details = { ...completion };
  const failed = checks.filter(hasFailed).map(({ run }) => run);
  if (acceptance === "rejected") {
    const why = failed.length > 0 ? `${failed.join(", ")} failed.` : note.replace(/[.\s]*$/, ".");
    return problems("rejected", `${id} is rejected: ${why}`, {
      details,
      next: [step("show", { reference: id }), step("reset", { references: [id] })],
    });
  }
  if (acceptance !== "open") return ok(completion);
  const why = failed.length > 0 ? `${failed.join(", ")} failed.${leftWords(begunBefore)}` : note;
  const left =
    fixesLeft === null
      ? ""
      : ` If it fails ${fixesLeft + 1} more ${fixesLeft === 0 ? "time" : "times"}, it is rejected.`;
  return problems("not-done", `${id} is not done yet: ${why} You keep your claim.${left}`, {
    details,
    next: [step("complete", { reference: id, ...including(begunBefore) })],
  });
}

const fail = operation({
  name: "fail",
  summary: "Give up on a task that you claimed, with a reason",
  description: "The task is rejected. Tasks that depend on it wait until you reset it.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () =>
    input({
      reference: node("the task"),
      reason: filled("what went wrong"),
      class: optional(text(`${FAILURE_CLASSES.join(", ")}; any other word counts as other`, "WORD")),
      token: token(),
    }),
  examples: [
    {
      input: { reference: "TASK-00007", reason: "the API has no such field", class: "design", token: "5f0c2a" },
      does: "rejects the task",
    },
  ],
  run: async (session, asked) => (await import("../../../actions/claim/fail.js")).failTask(session, asked),
});

const reset = operation({
  name: "reset",
  summary: "Put rejected tasks back into the queue",
  description:
    "Also reopens work that was handed in, and a task that was frozen because its leases kept ending. An agent may reset only what no person rejected, and only while the task has a budget of attempts that is not spent. You can also reopen what is done, waived or dropped, with a reason. Open questions about the tasks are withdrawn.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () =>
    input({
      references: nodes("a task"),
      reason: optional(filled("why; needed for what is done, waived or dropped")),
    }),
  examples: [{ input: { references: ["TASK-00007"] }, does: "makes it claimable again" }],
  run: async (session, asked) => (await import("../../../actions/claim/reset.js")).reset(session, asked),
});

const accept = operation({
  name: "accept",
  summary: "Accept work that has no checks, or override them",
  description:
    "The reason stays with the task. Work that an attempt left behind is merged into the feature's branch by the next run, daemon or landing. Open questions about the tasks are withdrawn.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      references: nodes("a task that was handed in or rejected"),
      reason: filled("why it counts as done"),
    }),
  examples: [{ input: { references: ["TASK-00007"], reason: "read it, ran it by hand" }, does: "makes the task done" }],
  run: async (session, asked) => (await import("../../../actions/claim/accept.js")).accept(session, asked),
});

export const taskOperations = { next, start, complete, check, fail, reset, accept };
