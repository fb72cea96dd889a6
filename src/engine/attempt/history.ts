// Earlier attempts of a task, latest first.

import { hasFailed } from "../../model/attempt/proof.js";
import type { Item } from "../../model/item/item.js";
import type { CheckResult, Nr } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import type { Reader } from "../../store/store.js";
import type { LiveAttempt } from "./attempt-state.js";

/** No decision needs more. */
const LOOKED_AT = 20;

export const attemptsOf = (reader: Reader, task: Nr, limit = LOOKED_AT): Promise<Item<"attempt">[]> =>
  reader.items("attempt", { owner: String(task), newest: true, limit });

/** Why the previous attempt was rejected or failed; null if it was not. */
export async function lastFailureOf({ store }: Context, { key, task }: LiveAttempt): Promise<string | null> {
  const before = (await store.read((reader) => attemptsOf(reader, task.nr, 2))).find((item) => item.key !== key);
  if (!before) return null;
  const { state, checks, mergedChecks, failure } = before.fields;
  if (state !== "rejected" && state !== "failed") return null;
  const said = describeFailedChecks([...checks, ...mergedChecks]);
  return said !== "" ? said : (failure?.reason ?? null);
}

const MAX_LENGTH = 6_000;

export const describeFailedChecks = (checks: readonly CheckResult[]): string =>
  checks
    .filter(hasFailed)
    .map(({ run, outcome, output }) => `The check \`${run}\` failed: ${outcome}.\n${output.trim()}`)
    .join("\n\n")
    .slice(0, MAX_LENGTH);
