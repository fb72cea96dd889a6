// Operations that suggest an answer to each open question of execution, and apply one once it is proven.

import { confirmTriage, type Triaged, type TriageView, triage } from "../../../actions/question/triage.js";
import { provingEvidence } from "../../../engine/tick/auto-triage.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { input, key } from "../../schema.js";
import { asAsker, executionOf } from "../execution/execution.js";

const questionTriage = operation({
  name: "question.triage",
  summary: "Suggest answers to questions about tasks and landings",
  description:
    "Each open question gets a bucket: stale, verified-done, now-buildable, genuine-decision or needs-design. If a suggestion can be proven, confirming proves it again before it acts. You answer the rest. At level auto the daemon confirms by itself, but never a split.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "what is suggested for each, and what would prove it" }],
  run: (session): Promise<Result<readonly TriageView[]>> => triage(session),
});

const questionConfirm = operation({
  name: "question.confirm",
  summary: "Prove a suggested answer, then apply it",
  who: "person",
  effect: "runs",
  input: () => input({ id: key("escalation", "the question, such as ESC-001", "ID") }),
  examples: [{ input: { id: "ESC-001" }, does: "proves the suggestion now, then applies it" }],
  run: async (session, { id }): Promise<Result<Triaged>> => {
    const execution = await executionOf(session);
    if (!execution.ok) return execution;
    const evidence = provingEvidence(asAsker(session, execution.value));
    return execution.value.contain(() => confirmTriage(session, id, evidence));
  },
});

export const triageOperations = { "question.triage": questionTriage, "question.confirm": questionConfirm };
