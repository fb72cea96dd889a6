// Reads a small object from its file: starting git takes 4 ms, and what was just made is not packed yet. The name of an object is
// the hash of what is in it, which is computed here, so a file that somebody changed is never believed.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { readPlainBytes } from "../../base/plain-file.js";
import { isCommit, type Repository } from "./repository.js";

/** Of packed text. Trees and files of any size are left to git. */
const MOST_BYTES = 100_000;

/** The text of a commit or a blob. Undefined if it is packed, damaged, large, or of another kind: then ask git. */
export function readLooseObject(
  { commonDir }: Pick<Repository, "commonDir">,
  name: string,
  kind: "commit" | "blob",
): string | undefined {
  if (!isCommit(name)) return undefined;
  try {
    const packed = readPlainBytes(join(commonDir, "objects", name.slice(0, 2), name.slice(2)));
    if (packed.length > MOST_BYTES) return undefined;
    const { inflateSync } = process.getBuiltinModule("node:zlib");
    const whole = inflateSync(packed, { maxOutputLength: 10 * MOST_BYTES });
    const hash = createHash(name.length === 64 ? "sha256" : "sha1")
      .update(whole)
      .digest("hex");
    const end = whole.indexOf(0);
    const heading = whole.toString("latin1", 0, end);
    if (hash !== name || heading !== `${kind} ${whole.length - end - 1}`) return undefined;
    return whole.toString("utf8", end + 1);
  } catch {
    return undefined;
  }
}
