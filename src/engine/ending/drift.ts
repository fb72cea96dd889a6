// Measures how far the work on a task is from the plan: failed attempts, edits of the task since work began, and tokens
// compared with accepted tasks of the same estimate.

import type { Drift } from "../../model/attempt/failure.js";
import type { Item } from "../../model/item/item.js";
import type { Context } from "../../plan/context.js";
import type { Reader } from "../../store/store.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";

/** Verbs that change the content of a task. */
const REVISES: ReadonlySet<string> = new Set(["edit", "link", "unlink", "move"]);
/** More than a task changes while it is worked on. */
const OPERATIONS = 200;
/** How many accepted attempts we read, and how many of them need an estimate for a result. */
const ACCEPTED = 100;
const LEAST = 3;

export const driftOf = (
  { store }: Context,
  { task, attempt }: LiveAttempt,
  earlier: readonly Item<"attempt">[],
): Promise<Drift> =>
  store.read(async (reader) => ({
    failedAttempts: earlier.length,
    revisions: await revisionsSince(reader, task.nr, earlier[0]?.fields.startedAt ?? attempt.startedAt),
    tokens: attempt.usage.inputTokens + attempt.usage.outputTokens,
    tokensPlanned: task.estimateHours === null ? null : await plannedTokens(reader, task.estimateHours),
  }));

async function revisionsSince(reader: Reader, node: number, since: number): Promise<number> {
  const operations = await reader.operations({ node, limit: OPERATIONS });
  return operations.filter(({ verb, at }) => at > since && REVISES.has(verb)).length;
}

/** From the median tokens per estimated hour; null if there is too little data. */
async function plannedTokens(reader: Reader, hours: number): Promise<number | null> {
  const rates: number[] = [];
  for (const { fields } of await reader.items("attempt", { state: "accepted", newest: true, limit: ACCEPTED })) {
    const tokens = fields.usage.inputTokens + fields.usage.outputTokens;
    const estimate = (await reader.node(fields.task))?.estimateHours ?? null;
    if (tokens > 0 && estimate !== null) rates.push(tokens / estimate);
  }
  const middle = rates.sort((a, b) => a - b)[Math.floor(rates.length / 2)];
  return rates.length < LEAST || middle === undefined ? null : middle * hours;
}
