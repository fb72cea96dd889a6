// Approved work that a record forbids from the moment it is in force: approved tasks, and done tasks that have not landed.

import { brokenConstraints, type Contradiction, type JudgedTask } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Style } from "../kit/style.js";

const MAX_LISTED = 10;

export const contradictionLines = (found: readonly Contradiction[], style: Style): string[] => [
  ...found.slice(0, MAX_LISTED).map(({ message }) => `${style.yellow("!")} ${message}`),
  ...(found.length > MAX_LISTED ? [style.dim(`and ${found.length - MAX_LISTED} more`)] : []),
];

export const contradictionNote = (found: readonly Contradiction[]): string =>
  found.length === 0 ? "" : "This work was approved before. Change or drop it: it cannot land as it is.";

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
