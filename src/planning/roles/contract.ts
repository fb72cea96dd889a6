// Which contract a role's reply has to keep, as a schema for agents, and the judge of what came back.

import * as z from "zod";
import { clarification, critique, overview, research, statedClarification } from "../contracts/answers.js";
import { shortLine } from "../contracts/common.js";
import { missingAnswers } from "../contracts/findings.js";
import { capabilityMap, fileMap } from "../contracts/maps.js";
import { type PlanRevision, planDraft, planRevision } from "../contracts/plan-draft.js";
import type { Brief } from "./brief.js";

/** A revision has to answer the grave findings of the feedback. The outline planner asks whatever the spec leaves open. */
type Question = Pick<Brief, "role" | "stage" | "revise"> & Partial<Pick<Brief, "feedback">> & { isOutline?: boolean };

function contractOf({ role, stage, revise, isOutline = false }: Question): z.ZodType {
  if (role === "researcher") return research;
  if (role === "clarifier") return isOutline ? statedClarification : clarification;
  if (role === "critic") return critique;
  if (role === "overviewer") return overview;
  if (revise) return planRevision;
  return stage === "capabilities" ? capabilityMap : stage === "files" ? fileMap : planDraft;
}

/** As JSON Schema, the way agents take it: what may be left out is not required. */
export const schemaFor = (question: Question): Readonly<Record<string, unknown>> =>
  z.toJSONSchema(contractOf(question), { io: "input", unrepresentable: "any" });

export type JudgedReply<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Enough to correct a reply. The rest is reported in the next round. */
const MAX_PROBLEMS = 30;

/** A problem may name a field, and a field may have any name. */
const PROBLEM_LENGTH = 300;

export function judgeReply(question: Question, output: unknown): JudgedReply<unknown> {
  const parsed = contractOf(question).safeParse(output);
  if (parsed.success) {
    const { role, revise, feedback = [] } = question;
    const isRevision = role === "author" && revise;
    const missing = isRevision ? missingAnswers(feedback, (parsed.data as PlanRevision).responses) : [];
    return missing.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems: missing };
  }
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => shortLine(`${path.join(".") || "the whole"}: ${message}`, PROBLEM_LENGTH));
  const more = parsed.error.issues.length - problems.length;
  return { ok: false, problems: more > 0 ? [...problems, `and ${more} more problems`] : problems };
}
