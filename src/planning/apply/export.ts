// The documents of a run as files of the repository: for people who review plans where they review code.

import { lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { findPlainFile } from "../../base/plain-file.js";
import { commitFiles } from "../../machine/git/files.js";
import type { ArtifactKind } from "../../model/item/artifact.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { sha256 } from "../../store/sha256.js";
import { currentText } from "../driver/artifacts.js";
import type { Run } from "../driver/runs.js";

export interface Exported {
  /** Relative to the workspace. */
  readonly files: readonly string[];
  readonly commit: string | null;
}

const DOCUMENTS: readonly (readonly [ArtifactKind, string])[] = [
  ["plan", "plan.md"],
  ["verification", "verification.md"],
  ["spec", "spec.md"],
  ["capability-map", "capability-map.json"],
  ["file-map", "file-map.json"],
];

const DEFAULT_FOLDER = "docs/plans";

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 50)
    .replace(/-+$/, "") || "plan";

/** Whether the folder, as far as it is there, is in the workspace once all links are followed. */
async function isInside(root: string, folder: string): Promise<boolean> {
  const real = await realpath(root);
  for (let at = folder; at.startsWith(root + sep); at = dirname(at)) {
    const link = await lstat(at).catch(() => undefined);
    if (link === undefined) continue;
    const end = await realpath(at).catch(() => "");
    return end === real || end.startsWith(real + sep);
  }
  return true;
}

/** Files whose text is none that this run ever wrote. */
async function editedByHand({ store, root }: Context, run: Run, folder: string): Promise<string[]> {
  const edited: string[] = [];
  for (const [kind, name] of DOCUMENTS) {
    const file = join(folder, name);
    const text = findPlainFile(file);
    if (text === undefined) continue;
    const known = await store.read((reader) => reader.items("artifact", { owner: run.key, state: kind }));
    const isOurs = known.some(({ fields }) => fields.hash === sha256(text));
    if (!isOurs) edited.push(relative(root, file).split(sep).join("/"));
  }
  return edited;
}

export async function exportRun(
  context: Context,
  run: Run,
  to: string | null,
  commit: boolean,
): Promise<Result<Exported>> {
  const { root } = context;
  const folder = resolve(root, to ?? DEFAULT_FOLDER, `${run.key.toLowerCase()}-${slugOf(run.fields.title)}`);
  if (!folder.startsWith(root + sep)) {
    return refused("outside", `${to ?? ""} is not in the workspace. Name a folder below its root.`);
  }
  if (!(await isInside(root, folder))) {
    return refused("outside", `${relative(root, folder)} leaves the workspace through a link.`);
  }
  const edited = await editedByHand(context, run, folder);
  if (edited.length > 0) {
    return refused("edited", `You edited ${edited.join(", ")} since it was exported, so nothing was overwritten.`, {
      next: [step("plan.edit", { run: run.key }, "document"), step("plan.export", { run: run.key }, "to")],
      details: { files: edited },
    });
  }
  const files: string[] = [];
  for (const [kind, name] of DOCUMENTS) {
    const text = await context.store.read((reader) => currentText(reader, run, kind));
    if (text === undefined) continue;
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await rm(`${file}.part`, { force: true });
    // Never write through an existing link.
    await writeFile(`${file}.part`, text, { flag: "wx" });
    await rename(`${file}.part`, file);
    files.push(relative(root, file).split(sep).join("/"));
  }
  if (files.length === 0) {
    return refused("no-documents", `${run.key} has no documents yet.`, {
      next: [step("plan.resume", { run: run.key })],
    });
  }
  if (!commit) return ok({ files, commit: null });
  const committed = await commitFiles(root, files, `plan: ${run.fields.title}\n\nRun: ${run.key}`);
  if ("commit" in committed) return ok({ files, commit: committed.commit });
  return refused(
    "no-commit",
    `The files were written, but git did not commit them: ${committed.problem.slice(0, 500)}`,
  );
}
