// UUIDs that follow from a key (version 5), so that two clones that import the same file make the same nodes.

import type { createHash } from "node:crypto";
import { derivedUuid } from "../../model/node/uuid5.js";

const hashes = (): { createHash: typeof createHash } => process.getBuiltinModule("node:crypto");

/** The node of an item: the one that an export named, or one that follows from its key. */
export const uuidOf = ({ key, uuid }: { readonly key: string; readonly uuid?: string | undefined }): string =>
  uuid ?? derivedUuid(key);

/** Enough to notice a change. */
export const shortHash = (text: string): string =>
  hashes().createHash("sha1").update(text).digest("base64url").slice(0, 16);
