import { provingEvidence } from "../../engine/tick/auto-triage.js";
import { step } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import { confirmTriage, type Triaged } from "../../plan/answer/triage.js";
import { asAsker, executionOf } from "../execution/engine-access.js";
import { fields, key } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/wording.js";

const DID: Readonly<Record<Triaged["verb"], string>> = {
  withdraw: "withdrawn",
  accept: "accepted",
  reset: "reset",
  answer: "answered",
  replan: "planned again",
};

export const input = fields({ id: key("escalation", "the question, such as ESC-001", "ID") });

export const verb = planVerb({
  name: "question.confirm",
  command: { words: "question confirm", group: "decide", positional: ["id"] },
  summary: "Prove a suggested answer, then apply it",
  who: "person",
  effect: "runs",
  input,
  examples: [{ input: { id: "ESC-001" }, does: "proves the suggestion now, then applies it" }],
  run: async (session, { id }): Promise<Result<Triaged>> => {
    const execution = await executionOf(session);
    if (!execution.ok) return execution;
    const evidence = provingEvidence(asAsker(session, execution.value));
    return execution.value.contain(() => confirmTriage(session, id, evidence));
  },
  text: ({ id, about, verb, proof, seen }, style) => {
    const what = verb === "withdraw" ? `${id} is withdrawn` : `${about ?? ""} is ${DID[verb]}`;
    return `${style.green("✓")} ${style.bold(id)}  ${what}\n  ${style.dim(`${proof}: ${harmless(seen)}`)}`;
  },
  next: ({ op }) => (op === null ? [] : [step("undo", { operation: op })]),
});
