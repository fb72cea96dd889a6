// A node that is new in the plan, with what its source says of its progress.

import { createItem } from "../../model/item/item.js";
import type { Edge, NodeFields, Nr } from "../../model/node/node.js";
import { inferProfile } from "../../model/node/profile.js";
import { createNode } from "../../model/operation/change.js";
import { uuidOf } from "../source/identity.js";
import { progressFacts, startedComment } from "./facts.js";
import type { Placed } from "./place.js";
import { rememberItem } from "./remember.js";
import type { ImportEntry, ImportRun } from "./run.js";
import { wantedOf } from "./three-way.js";

export function addNode(run: ImportRun, entry: ImportEntry): void {
  const { placed, nr, id } = entry;
  const { item, tier, parent } = placed;
  const { by, at, tool } = run.importing;
  const { labels, ...content } = wantedOf(placed);
  const uuid = uuidOf(item);
  run.changes.push(
    createNode(nr, {
      ...content,
      uuid,
      id,
      tier,
      kind: tier === "task" ? (item.isGate === true ? "gate" : "work") : null,
      parent: run.nrOf(parent),
      dependsOn: edgesOf(run, item.key),
      profile: tier === "task" ? inferProfile(content.files) : null,
      createdAt: at,
      createdBy: by,
      ...newFacts(run, placed, nr),
    }),
  );
  if (labels.length > 0) run.changes.push(createItem("labels", uuid, { state: "set", node: nr, labels }));
  rememberItem(run, entry, wantedOf(placed));
  for (const text of [...startedComment(item, tool), ...(item.comments ?? [])]) run.comments.push({ node: nr, text });
  run.added.push({ id, title: content.title, tier });
}

export const edgesOf = (run: ImportRun, key: string): Edge[] =>
  (run.edges.get(key) ?? []).map(({ on, isImplied }) => ({
    on: run.nrOf(on),
    origin: isImplied ? "sequence" : "stated",
  }));

/** A container's stop and its archive hold for everything in it. How far it is follows from what it contains. */
function newFacts(run: ImportRun, { item, tier, parent }: Placed, nr: Nr): Partial<NodeFields> {
  const { by, at, tool } = run.importing;
  const above = parent === null ? undefined : run.entries.get(parent);
  const facts: { -readonly [K in keyof NodeFields]?: NodeFields[K] } = {};
  const saysItself = tier === "task" || item.progress === "dropped" || item.progress === "frozen";
  if (saysItself) Object.assign(facts, progressFacts(item, nr, run.importing));
  const root = item.isArchived === true ? nr : undefined;
  const from = (above && run.archives.get(above.nr)) ?? root;
  if (from !== undefined) {
    run.archives.set(nr, from);
    facts.archive = { by, at, root: from, summary: from === nr ? `Archived in ${tool} before the import.` : null };
    if (tier === "task" && !facts.outcome)
      Object.assign(facts, progressFacts({ ...item, progress: "dropped" }, nr, run.importing));
    facts.freeze = null;
    return facts;
  }
  const stop = facts.freeze ?? (above && run.freezes.get(above.nr));
  if (stop && !facts.outcome) {
    facts.freeze = stop;
    run.freezes.set(nr, stop);
  }
  return facts;
}
