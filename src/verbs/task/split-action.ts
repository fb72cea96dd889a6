// A worker finds its task too big and proposes parts. The task is frozen until a person answers; only their answer creates the parts.

import type { SplitDraft, SplitPart } from "../../model/attempt/attempt.js";
import { type NextStep, step } from "../../model/next-step.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, problems, type Result, refused } from "../../model/result.js";
import { requireHeld } from "../../plan/claim/token.js";
import { act, type Context } from "../../plan/context.js";
import { raise } from "../../plan/question/raise.js";
import { splitProblems } from "../../plan/question/split-problems.js";
import { mustStayWhole, splitQuestion } from "../../plan/question/split-question.js";
import { resolve } from "../../plan/resolve.js";

export interface ProposedPart extends Pick<SplitPart, "title"> {
  readonly body?: string;
  readonly files?: readonly string[];
  readonly profile?: string;
  readonly checks?: SplitPart["checks"];
  /** Positions of the parts that come before it, from 1. */
  readonly after?: readonly number[];
}

export interface SplitInput {
  readonly reference: string;
  readonly token?: string;
  readonly reason: string;
  readonly parts: readonly ProposedPart[];
}

export interface SplitProposed {
  readonly op: number | null;
  readonly id: string;
  readonly question: string;
  readonly next: readonly NextStep[];
}

const toPart = ({ title, body = "", files = [], profile, checks = [], after = [] }: ProposedPart): SplitPart => ({
  title,
  body,
  files,
  profile: profile ?? null,
  checks,
  after: after.map((position) => position - 1),
});

export async function proposeToSplit(context: Context, input: SplitInput): Promise<Result<SplitProposed>> {
  const draft: SplitDraft = { why: input.reason, parts: input.parts.map(toPart) };
  const found = splitProblems(draft);
  if (found.length > 0)
    return problems("bad-split", `This split cannot be carried out. ${found.join(" ")}`, {
      details: { problems: found },
    });
  const named = await context.store.read((reader) => resolve(reader, input.reference, context.actor));
  if (!named.ok) return named;
  if (await mustStayWhole(context, named.value)) {
    const { id } = named.value;
    return refused("in-one-piece", `A person decided that ${id} is done in one piece.`, {
      next: [step("fail", { reference: id }, "reason")],
    });
  }
  const committed = await act(context, "split", async (writer, at) => {
    const task = await resolve(writer, named.value.id, context.actor);
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
