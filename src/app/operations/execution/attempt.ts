// Operations on attempts: what workers tried, and what they left unmerged.

import { type AttemptDiff, attemptDiff as diffOfAttempt } from "../../../actions/attempt/attempt-diff.js";
import { type Expired, expireKept, type KeptView, keptWork } from "../../../actions/attempt/expire-kept.js";
import {
  type AttemptLine,
  type AttemptView,
  listAttempts,
  showAttempt,
} from "../../../actions/attempt/list-attempts.js";
import { restoreAttempt } from "../../../actions/attempt/restore-attempt.js";
import { attemptTranscript as readTranscript } from "../../../actions/attempt/transcript.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { flag, input, key, node, optional, text, wholeNumber } from "../../schema.js";
import { executionOf } from "./execution.js";

const id = key("attempt", "the attempt, such as ATT-00001", "ID");

const attemptList = operation({
  name: "attempt.list",
  summary: "List what workers tried",
  description: "Lists attempts that run now and the last 20 that ended. Of one task it lists all.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only attempts of this task", "TASK")),
      all: optional(flag("also what ended a while ago")),
    }),
  examples: [{ input: {}, does: "what runs now, and how the last ones ended" }],
  run: (session, { reference, ...rest }): Promise<Result<readonly AttemptLine[]>> =>
    listAttempts(session, { ...rest, ...(reference !== undefined && { task: reference }) }),
});

const attemptShow = operation({
  name: "attempt.show",
  summary: "Show one attempt in full",
  description: "Its states, checks with their output, cost, and the end of its transcript.",
  who: "both",
  effect: "reads",
  input: () => input({ id }),
  examples: [{ input: { id: "ATT-00001" }, does: "everything that is known about it" }],
  run: (session, asked): Promise<Result<AttemptView>> => showAttempt(session, asked.id),
});

const attemptDiff = operation({
  name: "attempt.diff",
  summary: "Show what an attempt changed",
  who: "both",
  effect: "reads",
  input: () => input({ id }),
  examples: [{ input: { id: "ATT-00001" }, does: "its changes, as git shows them" }],
  run: (session, asked): Promise<Result<AttemptDiff>> => diffOfAttempt(session, asked.id),
});

const attemptTranscript = operation({
  name: "attempt.transcript",
  summary: "Show what was said in an attempt, in parts",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      id,
      from: optional(wholeNumber("the first line, from 0; without it, the last ones", 0, Number.MAX_SAFE_INTEGER)),
      limit: optional(wholeNumber("at most N lines (200)", 1, 5_000)),
    }),
  examples: [{ input: { id: "ATT-00001" }, does: "the last 200 lines of its transcript" }],
  run: readTranscript,
});

const attemptKept = operation({
  name: "attempt.kept",
  summary: "List unmerged work that is kept, and until when",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists kept work, what expires first at the top" }],
  run: async (session): Promise<Result<readonly KeptView[]>> => {
    const execution = await executionOf(session);
    return execution.ok ? keptWork(session, execution.value.settings.keepDays) : execution;
  },
});

const attemptRestore = operation({
  name: "attempt.restore",
  summary: "Make a branch from work that was not merged",
  description: "The kept work stays kept, and no branch is overwritten.",
  who: "both",
  effect: "runs",
  input: () => input({ id, to: optional(text("the name of the branch", "BRANCH")) }),
  examples: [{ input: { id: "ATT-00001", to: "rescue" }, does: "makes the branch rescue from its work" }],
  run: restoreAttempt,
});

const attemptExpire = operation({
  name: "attempt.expire",
  summary: "Remove unmerged work that is older than the limit",
  description: "The limit is execution.keepDays. Work that you may still accept is never removed.",
  who: "person",
  effect: "runs",
  destructive: true,
  input: () => input({ dryRun: optional(flag("only show what would be removed")) }),
  examples: [{ input: { dryRun: true }, does: "shows which kept work has expired" }],
  run: async (session, asked): Promise<Result<Expired>> => {
    const execution = await executionOf(session);
    return execution.ok ? expireKept(session, { ...asked, keepDays: execution.value.settings.keepDays }) : execution;
  },
});

export const attemptOperations = {
  "attempt.list": attemptList,
  "attempt.show": attemptShow,
  "attempt.diff": attemptDiff,
  "attempt.transcript": attemptTranscript,
  "attempt.kept": attemptKept,
  "attempt.restore": attemptRestore,
  "attempt.expire": attemptExpire,
};
