// Where the objects of a repository are: in its own folder, and in those that it borrows from, which may borrow in turn.

import { join, resolve } from "node:path";
import { readLine } from "./repository.js";

/** Git itself looks no deeper. */
const DEEPEST = 5;

/** As git writes a path with characters that are not plain. */
function unquoted(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    return JSON.parse(line) as string;
  } catch {
    return line;
  }
}

export const alternatesText = (folders: readonly string[]): string =>
  folders.map((folder) => `${/["\\\n]/.test(folder) ? JSON.stringify(folder) : folder}\n`).join("");

/** All folders of objects that a repository reads, its own first. A relative path starts from the folder that names it. */
export function objectFolders(commonDir: string): string[] {
  const found = new Set<string>();
  const look = (objects: string, depth: number): void => {
    if (found.has(objects)) return;
    found.add(objects);
    if (depth === DEEPEST) return;
    const lines = (readLine(join(objects, "info", "alternates")) ?? "").split("\n");
    for (const line of lines)
      if (line !== "" && !line.startsWith("#")) look(resolve(objects, unquoted(line)), depth + 1);
  };
  look(join(commonDir, "objects"), 0);
  return [...found];
}
