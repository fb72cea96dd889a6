// Which contract a role's reply has to keep, as a schema for agents, and the judge of what came back.

import * as z from "zod";
import { clarification, critique, overview, research, statedClarification } from "../contracts/answers.js";
import { shortLine } from "../contracts/common.js";
import { missingAnswers } from "../contracts/findings.js";
import { type CapabilityMap, capabilityMap, type FileMap, fileMap } from "../contracts/maps.js";
import { type PlanRevision, planDraft, planRevision } from "../contracts/plan-draft.js";
import { judgeFiles, judgeMap } from "../lint/map-rules.js";
import type { Brief } from "./brief.js";

/** The outline planner asks whatever the spec leaves open. */
type Asked = Pick<Brief, "role" | "stage" | "revise"> & { readonly isOutline?: boolean };

/** A revision has to answer the grave findings of the feedback; maps have to fit the spec and each other. */
type Question = Asked & Partial<Pick<Brief, "feedback" | "spec" | "map" | "part">>;

function contractOf({ role, stage, revise, isOutline = false }: Asked): z.ZodType {
  if (role === "researcher") return research;
  if (role === "clarifier") return isOutline ? statedClarification : clarification;
  if (role === "critic") return critique;
  if (role === "overviewer") return overview;
  if (revise) return planRevision;
  return stage === "capabilities" ? capabilityMap : stage === "files" ? fileMap : planDraft;
}

/** As JSON Schema, the way agents take it: what may be left out is not required. */
export const schemaFor = (question: Asked): Readonly<Record<string, unknown>> =>
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
    const wrong = wrongWith(question, parsed.data);
    return wrong.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems: shortened(wrong) };
  }
  const { issues } = parsed.error;
  return {
    ok: false,
    problems: shortened(issues.map(({ path, message }) => `${path.join(".") || "the whole"}: ${message}`)),
  };
}

function shortened(problems: readonly string[]): string[] {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => shortLine(problem, PROBLEM_LENGTH));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more problems`] : shown;
}

/** The gate of each stage: what would be wrong for good, because no later stage has a field for it. The outline planner copies from the
 *  spec and cannot correct itself. */
function wrongWith({ role, stage, revise, feedback = [], spec, map, part, isOutline }: Question, said: unknown) {
  if (role !== "author" || isOutline === true) return [];
  if (revise) return missingAnswers(feedback, (said as PlanRevision).responses);
  const found =
    stage === "capabilities" && spec
      ? judgeMap(said as CapabilityMap, spec, (part?.number ?? 1) === 1)
      : stage === "files" && map
        ? judgeFiles(said as FileMap, map)
        : [];
  return found.map(({ code, message, suggestion }) => `${code}: ${message} ${suggestion}`);
}
