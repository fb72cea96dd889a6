// File maps that were made part by part, put together again: each behaviour once, each shared file once.

import type { FileMap } from "../contracts/file-map.js";

export function mergeFiles(parts: readonly FileMap[]): FileMap {
  const byBehaviour = new Map(parts.flatMap(({ behaviours }) => behaviours).map((entry) => [entry.behaviour, entry]));
  const crossCutting = new Map(parts.flatMap((part) => part.crossCutting).map((file) => [file.path, file]));
  return { behaviours: [...byBehaviour.values()], crossCutting: [...crossCutting.values()] };
}
