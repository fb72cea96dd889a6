// The folder that a check runs in: the working directory, or one inside it. Links are followed before that is judged,
// because a worker can make one that leads out.

import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

export type CheckFolder =
  | { readonly ok: true; readonly folder: string }
  | { readonly ok: false; readonly outcome: string; readonly problem: string };

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

export async function checkFolderOf(asked: string | undefined, cwd: string): Promise<CheckFolder> {
  if (asked === undefined) return { ok: true, folder: cwd };
  const outside: CheckFolder = {
    ok: false,
    outcome: "could not be started: its cwd leads out of the working directory",
    problem: `The check asks for the folder ${JSON.stringify(asked)}, which is not inside ${cwd}.`,
  };
  const folder = resolve(cwd, asked);
  if (!isInside(folder, cwd)) return outside;
  try {
    return isInside(await realpath(folder), await realpath(cwd)) ? { ok: true, folder } : outside;
  } catch {
    const problem = `There is no folder ${JSON.stringify(asked)} in ${cwd}.`;
    return { ok: false, outcome: "could not be started: its cwd does not exist", problem };
  }
}
