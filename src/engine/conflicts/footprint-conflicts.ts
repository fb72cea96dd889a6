// Records conflicts that were found between branches: while workers are busy, or when work did not merge. An overlap of
// footprints is no conflict yet: it only holds the later task back, and nothing is written.

import { touchedBy } from "../../model/attempt/attempt.js";
import type { Clash } from "../../model/conflict/conflict.js";
import type { Node } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { recordConflict } from "../../plan/conflict/record-conflict.js";
import type { Reader } from "../../store/store.js";

/** Far enough back to find who changed a file on the feature's branch. */
const RECENT = 200;

/** Records them with their consequences. Answers with the keys of those that hold a task back. */
export async function recordConflicts(context: Context, clashes: readonly Clash[]): Promise<string[]> {
  const keys: string[] = [];
  for (const clash of clashes) {
    const committed = await act<string | null>(context, "conflict", async (writer, at) => {
      const [first, second] = [await writer.node(clash.first.nr), await writer.node(clash.second.nr)];
      if (!first || !second || second.outcome !== null) return ok({ sentence: "", changes: [], value: null });
      const maker = { by: context.actor, at, commit: context.head() };
      const { key, sentence, changes } = await recordConflict(writer, { ...clash, first, second }, maker);
      return ok({ sentence, changes, value: key });
    });
    if (committed.ok && committed.value.value !== null) keys.push(committed.value.value);
  }
  return keys;
}

/** Its work did not merge with the feature's branch: the task that changed these files last was first. */
export async function clashOfMerge(reader: Reader, task: Node, files: readonly string[]): Promise<Clash | undefined> {
  const wanted = new Set(files);
  const accepted = await reader.items("attempt", { state: "accepted", newest: true, limit: RECENT });
  for (const { fields } of accepted) {
    if (fields.feature !== task.feature || fields.task === task.nr || fields.changes === null) continue;
    if (!touchedBy(fields.changes).some((file) => wanted.has(file))) continue;
    const first = await reader.node(fields.task);
    if (first) return { layer: "merge", first, second: task, files, symbols: [] };
  }
  return undefined;
}
