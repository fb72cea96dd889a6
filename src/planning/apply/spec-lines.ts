// Which lines of the spec each node of a plan goes back to: those that the node, or a task below it, answers.

import { idKey } from "../../model/node/ids.js";
import type { Reader } from "../../store/store.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import { type PlanDraft, parentsIn, parseDraft } from "../contracts/plan-draft.js";
import { tracesOf } from "../document/traceability.js";
import { currentText } from "../driver/artifacts.js";
import type { Run } from "../driver/runs.js";
import { parseSpec } from "../spec/parse.js";
import { renamed } from "./scope.js";

/** Line numbers by the id of a node, in small letters. */
export type SpecLines = Readonly<Record<string, readonly number[]>>;

/** `draft` has the names that its nodes have in the plan. */
export async function specLinesOf(reader: Reader, run: Run, draft: PlanDraft): Promise<SpecLines> {
  const text = await currentText(reader, run, "spec");
  if (text === undefined) return {};
  const words = await currentText(reader, run, "capability-map");
  const map = words === undefined ? undefined : (JSON.parse(words) as CapabilityMap);
  const parentOf = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const found = new Map<string, Set<number>>();
  for (const { line, tasks } of tracesOf({ draft, map, spec: parseSpec(text) })) {
    if (line === undefined) continue;
    for (const task of tasks) {
      for (const id of withAncestors(task.id, parentOf)) {
        found.set(id, (found.get(id) ?? new Set<number>()).add(line));
      }
    }
  }
  return Object.fromEntries([...found].map(([id, lines]) => [id, [...lines].sort((a, b) => a - b)]));
}

/** Keys of a node and what is above it. A draft that was not linted yet may name itself as its parent. */
function withAncestors(id: string, parentOf: ReadonlyMap<string, string | undefined>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !keys.has(idKey(at)); at = parentOf.get(idKey(at))) {
    keys.add(idKey(at));
  }
  return keys;
}

/** For a run that was approved before the lines were kept with it. */
export async function findSpecLines(reader: Reader, run: Run): Promise<SpecLines> {
  const draft = await currentText(reader, run, "draft");
  return draft === undefined ? {} : specLinesOf(reader, run, renamed(parseDraft(draft), run.fields.applied));
}
