// Whether two paths, or one path at two moments, lead to the same file.

import type { Stats } from "node:fs";

export const isSameFile = (a: Pick<Stats, "dev" | "ino">, b: Pick<Stats, "dev" | "ino"> | undefined): boolean =>
  b !== undefined && a.ino === b.ino && a.dev === b.dev;
