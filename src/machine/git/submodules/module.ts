// The git folder of a submodule. Git keeps it inside of the repository around it, where no confined worker can write, and leaves a
// file `.git` in the working tree that points there. A worker can replace that file, so what it says is held against where git
// keeps such folders.

import { lstatSync, realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { type Repository, readLine } from "../repository.js";

type Around = Pick<Repository, "gitDir" | "commonDir">;

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The folder inside the repository that `folder/.git` points to. Undefined if there is none, or if it is anywhere else. */
export function ownModule({ gitDir, commonDir }: Around, folder: string): string | undefined {
  const link = join(folder, ".git");
  if (!lstatSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const target = /^gitdir: (.+)$/.exec(readLine(link) ?? "")?.[1];
  const module = target === undefined ? undefined : realPath(resolve(folder, target));
  const isOurs = [gitDir, commonDir].some((each) => {
    const modules = realPath(join(each, "modules"));
    return modules !== undefined && module?.startsWith(modules + sep);
  });
  return isOurs ? module : undefined;
}

/** Whether it and everything above it, up to the top, is a folder and no link to one. */
export function isPlainFolder(top: string, path: string): boolean {
  const steps = path.split("/");
  if (steps.some((step) => step === "" || step === "." || step === ".." || step.toLowerCase() === ".git")) return false;
  return steps.every((_, i) =>
    lstatSync(join(top, ...steps.slice(0, i + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}
