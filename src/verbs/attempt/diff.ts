import type { Result } from "../../model/result.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { type AttemptDiff, attemptDiff as diffOfAttempt } from "./attempt-diff.js";
import { attemptId } from "./attempt-shared.js";

export const input = fields({ id: attemptId });

export const verb = planVerb({
  name: "attempt.diff",
  command: { words: "attempt diff", group: "work", positional: ["id"] },
  summary: "Show what an attempt changed",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "its changes, as git shows them" }],
  run: (session, asked): Promise<Result<AttemptDiff>> => diffOfAttempt(session, asked.id),
  text: ({ diff }) => harmless(diff).trimEnd(),
});
