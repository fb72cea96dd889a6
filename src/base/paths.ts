// Where a path lies. Links are not followed: whoever does not trust one asks for the real path first.

import { isAbsolute, relative, sep } from "node:path";

/** With `/`, whatever the system writes. */
export const pathFrom = (folder: string, path: string): string => relative(folder, path).split(sep).join("/");

/** Whether it is the folder itself or lies below it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
