// Where a path lies, and what a folder has. Links are not followed: if you do not trust one, ask for the real path first.

import { readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** With `/`, whatever the system writes. */
export const pathFrom = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

/** Whether it is the folder itself or lies below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Without links, as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** None if the folder cannot be read. */
export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Where a file cannot be removed, it stays. */
export function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Its folder is not one or not ours, or a program has the file open.
  }
}
