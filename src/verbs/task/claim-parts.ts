import type { Completion } from "../../engine/hand-work/hand-in.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import { noteSession } from "../../plan/claim/session-notes.js";
import type { NodeView } from "../../plan/node/view.js";
import { filled, number, optional, paths, text } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import { wholeOutput } from "../text/render-attempt.js";

export const token = () =>
  optional(filled("the token that came with the claim; you can leave it out for your own claims", "TOKEN"));

export const leaseMinutes = () =>
  optional(number("how long the claim lasts unless it is renewed", 0.001, 100_000, "MINUTES"));

export const completeStep = ({ task, token, begunBefore }: Assignment): NextStep =>
  step("complete", { reference: task.id, token, ...(begunBefore && { include: begunBefore }) });

/** Without a token it was only shown. */
export type GivenTask = Assignment | { readonly task: NodeView };

/** The conversation hands the task in later, perhaps without its token, and hooks ask whose it is. */
export function noteConversation({ conversation, root }: Session, given: readonly GivenTask[]): void {
  const claims = given.flatMap((each) => ("epoch" in each ? [{ id: each.task.id, epoch: each.epoch }] : []));
  if (conversation !== undefined && claims.length > 0) noteSession(root, conversation, claims);
}

export const path = (help: string) => optional(paths(text(""), help));

export const including = (files: readonly string[]): { include?: readonly string[] } =>
  files.length === 0 ? {} : { include: files };

/** The command for all that the failed checks said. Without git no attempt holds it. */
export const wholeOf = ({ attempt, checks }: Completion): NextStep[] =>
  attempt !== null && checks.some(hasFailed) ? [wholeOutput(attempt)] : [];

/** What is wrong with work that was checked; empty if nothing is. A check may need what was left alone. */
export function wrongWords({ checks, note, begunBefore: files }: Completion): string {
  const failed = checks.filter(hasFailed).map(({ run }) => run);
  if (failed.length === 0) return note;
  const [were, them, belong] = files.length === 1 ? ["was", "it", "it belongs"] : ["were", "them", "they belong"];
  const left = ` ${files.join(", ")} changed before you claimed the task and ${were} left alone: include ${them} if ${belong} to the task.`;
  return `${failed.join(", ")} failed.${files.length === 0 ? "" : left}`;
}
