// Removes what work left behind and nobody needs any more, one thing after the other: if it is killed in between, the next one
// goes on. What cannot be removed is reported, and the rest goes all the same.

import { messageOf } from "../../base/errors.js";
import { FORMER_HEADS, formerAt } from "../../machine/git/log-head.js";
import { type Packing, packObjects } from "../../machine/git/pack-objects.js";
import { listRefs, moveRefs, STRAY_REFS } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { ok, type Result } from "../../model/result.js";
import { type Expired, expireKept } from "../../plan/attempt/expire-kept.js";
import { DAY_MS, type Garbage, type GarbageInput, oldFiles } from "./old-files.js";

export interface CollectInput extends GarbageInput {
  /** How long unmerged work is kept. */
  readonly keepDays: number;
  /** Only say what would go. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export interface Collected {
  readonly op: number | null;
  /** Nothing was removed. */
  readonly dryRun: boolean;
  readonly removed: readonly Omit<Garbage, "remove">[];
  /** Of all files that went. */
  readonly bytes: number;
  /** Attempts whose unmerged work has expired. */
  readonly expired: readonly string[];
  readonly soon: Expired["soon"];
  /** Why something is still there. */
  readonly problems: readonly string[];
  /** Null without a repository, or if the settings say so. */
  readonly repository: Packing | null;
}

export async function collectGarbage(input: CollectInput): Promise<Result<Collected>> {
  const { context, keepDays, dryRun = false, signal, settings } = input;
  // Says who may, before anything goes.
  const kept = await expireKept(context, { keepDays, dryRun });
  if (!kept.ok) return kept;
  const inGit = findRepository(context.root) !== undefined;
  const found = [...(await oldFiles(input)), ...(inGit ? await oldRefs(input) : [])];
  const removed: Omit<Garbage, "remove">[] = [];
  const problems: string[] = [];
  for (const { remove, ...garbage } of found) {
    if (signal?.aborted) break;
    try {
      if (!dryRun) await remove();
      removed.push(garbage);
    } catch (error) {
      problems.push(`Could not remove ${garbage.name}: ${messageOf(error)}`);
    }
  }
  const packs = inGit && settings.repository === "auto" && !signal?.aborted;
  return ok({
    op: kept.value.op,
    dryRun,
    removed,
    bytes: removed.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    expired: kept.value.gone,
    soon: kept.value.soon,
    problems,
    repository: packs ? await packObjects(context.root, { dryRun, signal }) : null,
  });
}

async function oldRefs({ context, settings }: GarbageInput): Promise<Garbage[]> {
  const { root, store } = context;
  const before = context.now() - settings.leftoverDays * DAY_MS;
  const former = [...(await listRefs(root, FORMER_HEADS))].filter(([ref]) => (formerAt(ref) ?? Infinity) < before);
  const stray: [string, string][] = [];
  for (const [ref, commit] of await listRefs(root, STRAY_REFS)) {
    const key = ref.slice(STRAY_REFS.length + 1).split("/")[0] ?? "";
    const item = await store.read((reader) => reader.item("attempt", key));
    if ((item?.fields.endedAt ?? Infinity) < before) stray.push([ref, commit]);
  }
  return [...former, ...stray].map(([ref, commit]) => ({
    kind: "ref",
    name: ref,
    bytes: null,
    remove: async () => {
      const moved = await moveRefs(root, [{ ref, from: commit, to: null }]);
      if (!moved.ok) throw new Error(moved.problem);
    },
  }));
}
