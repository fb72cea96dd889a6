// Holds a change against what its task may touch: its size, the constraints, the footprint, and the files that judge it.

import { fileAt, filesAt } from "../../machine/git/files.js";
import { type ChangeSet, touchedBy } from "../../model/attempt/attempt.js";
import {
  type ChangeScope,
  changeScopeOf,
  isTestFile,
  keepsTests,
  type ScopeFacts,
} from "../../model/attempt/change-scope.js";
import { packageFolders, scriptPrograms } from "../../model/attempt/check-programs.js";
import { editSteers, steersPartly } from "../../model/attempt/judge-files.js";
import type { Check } from "../../model/node/node.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { constraintsBrokenBy } from "./attempt-checks.js";
import type { CommittedChange } from "./doubts.js";

/** `wrong`: why the change is not taken. Otherwise what is outside of the footprint. */
export async function scopeChange(
  { services, live, tree: { root, base } }: Trial,
  { changes, bytes, commit }: CommittedChange,
): Promise<{ readonly wrong: string } | ChangeScope> {
  const { policy } = services;
  const large = tooLarge(services, touchedBy(changes).length, bytes);
  if (large !== null) return { wrong: large };
  const records = await services.context.store.read((reader) => activeRecords(reader, live.task.feature));
  const broken = constraintsBrokenBy(live.task, touchedBy(changes), records).map(({ message }) => message);
  if (broken.length > 0) return { wrong: `${broken.join("\n")}\nTake these changes back.` };
  const scope = changeScopeOf(
    changes,
    live.task,
    policy,
    await factsAbout({ root, base, commit }, changes, live.task.checks, policy),
  );
  if (policy.footprint === "refuse" && scope.outside.length > 0) {
    return { wrong: `${outsideWords(scope.outside)} Take these changes back.` };
  }
  return scope;
}

export const outsideWords = (files: readonly string[]): string =>
  `The change touches files outside of the task's footprint: ${files.join(", ")}.`;

const MEGABYTE = 1_000_000;

export function tooLarge(
  { policy: { changeLimit } }: Pick<EngineServices, "policy">,
  files: number,
  bytes: number,
): string | null {
  const rest = "are taken (execution.changeLimit). Leave out what does not belong to the task.";
  if (files > changeLimit.files) return `The change has ${files} files; at most ${changeLimit.files} ${rest}`;
  if (bytes <= changeLimit.megabytes * MEGABYTE) return null;
  return `The change has ${(bytes / MEGABYTE).toFixed(1)} MB; at most ${changeLimit.megabytes} MB ${rest}`;
}

interface TwoCommits {
  readonly root: string;
  readonly base: string;
  readonly commit: string;
}

/** Looks only at what the change makes necessary: a large repository has many files. */
async function factsAbout(
  { root, base, commit }: TwoCommits,
  changes: ChangeSet,
  checks: readonly Check[],
  policy: EngineServices["policy"],
): Promise<ScopeFacts> {
  const hasNewTests = changes.created.some((path) => isTestFile(path, policy));
  const harmless = new Set<string>();
  for (const path of touchedBy(changes).filter(steersPartly)) {
    const [before, after] = [await fileAt(root, base, path), await fileAt(root, commit, path)];
    if (!editSteers(path, before ?? undefined, after ?? undefined)) harmless.add(path);
  }
  return {
    keepsTests: keepsTests(hasNewTests ? await filesAt(root, base) : [], policy),
    harmless,
    programs: await programsBehind(root, base, checks),
  };
}

async function programsBehind(root: string, base: string, checks: readonly Check[]): Promise<string[]> {
  if (!checks.some(({ run }) => /\b(?:npm|pnpm|yarn|bun)\b/.test(run))) return [];
  const scripts = new Map<string, Readonly<Record<string, unknown>>>();
  for (const folder of packageFolders(checks)) scripts.set(folder, await scriptsIn(root, base, folder));
  return scriptPrograms(checks, (folder) => scripts.get(folder) ?? {});
}

async function scriptsIn(root: string, base: string, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const path = folder === "" || folder === "." ? "package.json" : `${folder}/package.json`;
  try {
    const { scripts } = JSON.parse((await fileAt(root, base, path)) ?? "{}") as { scripts?: unknown };
    return Object(scripts) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
