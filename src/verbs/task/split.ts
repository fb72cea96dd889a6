import * as z from "zod/mini";
import type { SplitDraft, SplitPart } from "../../model/attempt/attempt.js";
import { changeNode } from "../../model/operation/change.js";
import { act, type Context } from "../../plan/base/context.js";
import { requireHeld } from "../../plan/claim/token.js";
import { raise } from "../../plan/question/raise.js";
import { mustStayWhole, splitProblems, splitQuestion } from "../../plan/question/split-question.js";
import { body, checks, files, profile, title } from "../kit/content.js";
import {
  field,
  fields,
  filled,
  fromJson,
  node,
  ok,
  optional,
  planVerb,
  problems,
  refused,
  resolve,
  step,
} from "../kit/verb.js";
import { token } from "./claim-parts.js";

export const input = fields({
  reference: node("the task"),
  reason: filled("why it is too big"),
  parts: field(z.array(splitPart()).check(z.maxLength(50)), {
    help: "one part as JSON: title, body, files, checks, after",
    label: "JSON",
  }),
  token: token(),
});

export const verb = planVerb({
  command: { words: "split", group: "work", positional: ["reference"] },
  summary: "Propose to split a task that you claimed",
  description:
    "For a task that is too big for one worker. You give back the claim, and the task is frozen until a person answers. Their yes approves the parts as you wrote them: they become tasks beside it, with one that reviews them all. Parts may not touch the same files unless one comes after the other.",
  effect: "writes",
  endsClaim: true,
  tools: [{ tool: "give_up", action: "split", fields: ["reference", "reason", "parts"] }],
  input,
  examples: [
    {
      input: {
        reference: "TASK-00007",
        reason: "it is two programs",
        parts: [
          { title: "Write the reader", files: ["src/read.ts"], checks: [{ run: "npm test read" }] },
          { title: "Write the printer", files: ["src/print.ts"], after: [1] },
        ],
        token: "5f0c2a",
      },
      does: "asks the person whether to split it",
    },
  ],
  run: proposeToSplit,
  text: ({ id, question }, style) => `${style.yellow("?")} ${style.bold(id)}  ${question} asks whether to split it`,
  next: ({ next }) => next,
});

/** A part says what a node says, and after which parts it comes, from 1. */
function splitPart() {
  return z.pipe(
    z.transform((value: string | object) => (typeof value === "string" ? fromJson(value) : value)),
    z.strictObject({
      title: title(""),
      body: optional(body()),
      files: optional(files("")),
      profile: optional(profile()),
      checks: optional(checks()),
      after: optional(z.array(z.int().check(z.minimum(1), z.maximum(50)))),
    }),
  );
}

type SplitInput = z.output<typeof input>;

export type ProposedPart = SplitInput["parts"][number];

const toPart = ({ title, body = "", files = [], profile, checks = [], after = [] }: ProposedPart): SplitPart => ({
  title,
  body,
  files,
  profile: profile ?? null,
  checks,
  after: after.map((position) => position - 1),
});

export async function proposeToSplit(context: Context, input: SplitInput) {
  const draft: SplitDraft = { why: input.reason, parts: input.parts.map(toPart) };
  const found = splitProblems(draft);
  if (found.length > 0)
    return problems("bad-split", `This split cannot be carried out. ${found.join(" ")}`, {
      details: { problems: found },
    });
  const named = await context.store.read((reader) => resolve(reader, input.reference, context));
  if (!named.ok) return named;
  if (await mustStayWhole(context, named.value)) {
    const { id } = named.value;
    const message = `A person decided that ${id} is done in one piece.`;
    return refused("in-one-piece", message, { next: [step("fail", { reference: id }, "reason")] });
  }
  const committed = await act(context, "split", async (writer, at) => {
    const task = await resolve(writer, named.value.id, context);
    if (!task.ok) return task;
    const claim = requireHeld(context, task.value, input.token);
    if (!claim.ok) return claim;
    const { id, nr } = task.value;
    const reason = `a split into ${draft.parts.length} was proposed by ${context.actor}`;
    const freeze = { reason, by: context.actor, at, from: nr, commit: context.head() };
    const question = { ...splitQuestion(task.value, draft, context.actor), split: draft };
    const raised = await raise(writer, question, { by: context.actor, at });
    const changes = [...changeNode(task.value, { claim: null, freeze }), ...raised.changes];
    return ok({ sentence: `${context.actor} proposed to split ${id}`, changes, value: { id, question: raised.key } });
  });
  if (!committed.ok) return committed;
  const { op, value } = committed.value;
  return ok({ op, ...value, next: [step("question.answer", { id: value.question }, "option")] });
}
