// Which approved work a constraint contradicts that comes into force now: approved tasks by what they say, and done tasks that
// have not landed by what they changed.

import { brokenConstraints, type Contradiction, type JudgedTask } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";

/** Looks at the whole plan, but only if a record forbids something. */
export async function contradictingTasks(reader: Reader, records: readonly KeyedRecord[]): Promise<Contradiction[]> {
  if (!records.some(({ fields }) => fields.forbids !== null)) return [];
  const unlanded = new Set<Nr | null>();
  const approved: Node[] = [];
  for await (const node of reader.scan()) {
    if (node.kind === "land" && node.outcome === null) unlanded.add(node.feature);
    if (node.tier === "task" && node.kind !== "land" && node.approval !== null && node.archive === null) {
      approved.push(node);
    }
  }
  const open = approved.filter(({ outcome }) => outcome === null);
  const done = approved.filter(({ outcome, feature }) => outcome?.kind === "done" && unlanded.has(feature));
  return brokenConstraints([...open, ...done.map(asDone)], records);
}

/** Only what it changed can still be wrong with it. */
const asDone = (node: Node): JudgedTask => ({
  ...node,
  title: "",
  body: "",
  checks: [],
  files: [...(node.report?.created ?? []), ...(node.report?.modified ?? [])],
});
