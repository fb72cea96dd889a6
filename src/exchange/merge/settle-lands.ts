// A feature whose work was all finished elsewhere has landed before the import. With an open land task everything that depends on it
// would wait for ever.

import type { Nr } from "../../model/node/node.js";
import { derivedUuid } from "../../model/node/uuid5.js";
import { changeNode, createNode } from "../../model/operation/change.js";
import { landTask } from "../../model/rules/land.js";
import { isSettledThere } from "./facts.js";
import type { ImportEntry, ImportRun } from "./run.js";

export async function settleLands(run: ImportRun): Promise<void> {
  const open = new Set<string>();
  const finished = new Set<string>();
  for (const entry of run.entries.values()) {
    const feature = entry.placed.tier === "task" ? run.featureOf(entry.placed) : undefined;
    if (feature !== undefined) (isBefore(run, entry) ? finished : open).add(feature);
  }
  for (const key of finished) if (!open.has(key)) await settleLand(run, run.entries.get(key) as ImportEntry);
}

/** It was finished elsewhere, not in this plan. */
function isBefore(run: ImportRun, { existing, placed, nr }: ImportEntry): boolean {
  if (existing?.outcome) return existing.outcome.kind !== "done" || existing.outcome.op === 0;
  return (isSettledThere(placed.item.progress) && existing?.claim == null) || run.archives.has(nr);
}

async function settleLand(run: ImportRun, { nr, id, placed, existing }: ImportEntry): Promise<void> {
  const { by, at, op, tool } = run.importing;
  const outcome = { kind: "waived", by, at, op, reason: `landed in ${tool} before the import` } as const;
  if (existing) {
    const land = await landAlone(run, nr);
    if (land) run.changes.push(...changeNode(land, { outcome }));
    return;
  }
  const origin = { uuid: derivedUuid(`${placed.item.key}::land`), createdAt: at, createdBy: by };
  const birth = landTask({ nr, id, title: placed.item.title }, 0, origin);
  const taken = await run.writer.byId(birth.id);
  const root = run.archives.get(nr);
  const archive = root === undefined ? null : { by, at, root, summary: null };
  const named = taken ? { ...birth, id: `${birth.id}-${nr}` } : birth;
  run.changes.push(createNode(await run.writer.allocate(1), { ...named, outcome, archive }));
}

/** The open land task of a feature in which nothing else is left, and nothing was done here. */
async function landAlone(run: ImportRun, feature: Nr) {
  const imported = new Set([...run.entries.values()].map(({ nr }) => nr));
  const tasks = (await run.writer.descendants(feature)).filter(({ tier }) => tier === "task");
  const others = tasks.filter(({ kind, nr }) => kind !== "land" && !imported.has(nr));
  if (others.some(({ outcome }) => outcome === null || (outcome.kind === "done" && outcome.op > 0))) return undefined;
  return tasks.find(({ kind, outcome, claim }) => kind === "land" && outcome === null && claim === null);
}
