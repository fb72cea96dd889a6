// UUIDs that follow from a key (version 5), so that two clones that import the same file make the same nodes.

import type { createHash } from "node:crypto";

/** Of Planwright's own: what is derived in it means nothing elsewhere. */
const NAMESPACE = Buffer.from("8f5e9f0d6c9b4d0c9a3b6f1c52e1d7a4", "hex");

const hashes = (): { createHash: typeof createHash } => process.getBuiltinModule("node:crypto");

export function derivedUuid(key: string): string {
  const hash = hashes().createHash("sha1").update(NAMESPACE).update(key).digest();
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  const hex = hash.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The node of an item: the one that an export named, or one that follows from its key. */
export const uuidOf = ({ key, uuid }: { readonly key: string; readonly uuid?: string | undefined }): string =>
  uuid ?? derivedUuid(key);

/** Enough to notice a change. */
export const shortHash = (text: string): string =>
  hashes().createHash("sha1").update(text).digest("base64url").slice(0, 16);
