// Files of the workspace, never outside of it: a link that leads out is not followed.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isInside } from "../../base/paths.js";
import { openWithoutWaiting } from "../../base/plain-file.js";
import { FOLDER } from "../../model/item/bundle-text.js";

const CHUNK = 1 << 20;

/** SHA-256 of its bytes; empty if it is not there, `folder` for a folder, null if the path leads out of the workspace. */
export function hashFile(root: string, path: string): string | null {
  if (isAbsolute(path) || path.split(/[\\/]/).includes("..")) return null;
  let descriptor: number;
  try {
    if (leadsOut(root, path)) return null;
    descriptor = openWithoutWaiting(join(root, path));
  } catch {
    return "";
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return FOLDER;
    return stat.isFile() ? hashOf(descriptor) : "";
  } finally {
    closeSync(descriptor);
  }
}

/** Throws if there is nothing there. */
const leadsOut = (root: string, path: string): boolean => !isInside(realpathSync(join(root, path)), realpathSync(root));

function hashOf(descriptor: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(CHUNK);
  for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
    hash.update(buffer.subarray(0, read));
  }
  return hash.digest("hex");
}
