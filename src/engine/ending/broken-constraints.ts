// Finds the constraints that an attempt's changes break. A person decides about them.

import { touchedBy } from "../../model/attempt/attempt.js";
import { brokenConstraints } from "../../model/item/contradictions.js";
import { activeRecords } from "../../plan/record/active-records.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";

/** Keys of the records. Only the changed files count: the text of the task was compared when it was approved. */
export async function constraintsBrokenBy(
  { context }: Pick<EngineServices, "context">,
  live: LiveAttempt,
): Promise<string[]> {
  const { task, attempt } = live;
  if (attempt.changes === null) return [];
  const records = await context.store.read((reader) => activeRecords(reader, task.feature));
  const done = { ...task, title: "", body: "", checks: [], files: touchedBy(attempt.changes) };
  return [...new Set(brokenConstraints([done], records).map(({ record }) => record))];
}
