// Holds a change against the constraints, the footprint and the size limit before any check runs.

import type { ChangeCommit } from "../../machine/git/change-set.js";
import { fileAt } from "../../machine/git/files.js";
import { touchedBy } from "../../model/attempt/attempt.js";
import { type ChangeScope, changeScopeOf } from "../../model/attempt/change-scope.js";
import { brokenConstraints } from "../../model/item/contradictions.js";
import { activeRecords } from "../../plan/record/active-records.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { AttemptWorktree } from "../worktree/attempt-worktree.js";

type Committed = Extract<ChangeCommit, { commit: string }>;

/** `wrong`: why the change is not taken. Otherwise what is outside of the footprint. */
export async function scopeChange(
  services: EngineServices,
  live: LiveAttempt,
  { root, base }: Pick<AttemptWorktree, "root" | "base">,
  { changes, bytes, commit }: Committed,
): Promise<{ readonly wrong: string } | ChangeScope> {
  const { policy } = services;
  const large = tooLarge(services, touchedBy(changes).length, bytes);
  if (large !== null) return { wrong: large };
  const broken = await brokenBy(services, live, touchedBy(changes));
  if (broken.length > 0) return { wrong: `${broken.join("\n")}\nTake these changes back.` };
  const packages = changes.modified.filter((path) => /(^|\/)package\.json$/.test(path));
  const rewritten = new Set<string>();
  for (const path of packages) if (await scriptsDiffer(root, path, base, commit)) rewritten.add(path);
  const scope = changeScopeOf(changes, live.task, policy, (path) => rewritten.has(path));
  if (policy.footprint === "refuse" && scope.outside.length > 0) {
    return { wrong: `${outsideWords(scope.outside)} Take these changes back.` };
  }
  return scope;
}

export const outsideWords = (files: readonly string[]): string =>
  `The change touches files outside of the task's footprint: ${files.join(", ")}.`;

const MEGABYTE = 1_000_000;

function tooLarge({ policy }: EngineServices, files: number, bytes: number): string | null {
  const { changeLimit } = policy;
  if (files > changeLimit.files) {
    return `The change has ${files} files; at most ${changeLimit.files} are taken (execution.changeLimit). Leave out what does not belong to the task.`;
  }
  if (bytes <= changeLimit.megabytes * MEGABYTE) return null;
  return `The change has ${(bytes / MEGABYTE).toFixed(1)} MB; at most ${changeLimit.megabytes} MB are taken (execution.changeLimit). Leave out what does not belong to the task.`;
}

/** Only the changed files count: the text of the task was compared when it was approved. */
async function brokenBy(
  { context }: EngineServices,
  { task }: LiveAttempt,
  files: readonly string[],
): Promise<string[]> {
  const records = await context.store.read((reader) => activeRecords(reader, task.feature));
  const done = { ...task, title: "", body: "", checks: [], files };
  return brokenConstraints([done], records).map(({ message }) => message);
}

async function scriptsDiffer(root: string, path: string, base: string, commit: string): Promise<boolean> {
  const scripts = async (at: string): Promise<string> => {
    try {
      const { scripts: found = null } = JSON.parse((await fileAt(root, at, path)) ?? "{}") as { scripts?: unknown };
      return JSON.stringify(found);
    } catch {
      return "unreadable";
    }
  };
  return (await scripts(base)) !== (await scripts(commit));
}
