// The files that a bundle is about, as the worker will find them: at the tip of the feature's branch. Before there is such a
// branch, as they are in the workspace.

import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { git, succeeded } from "../../machine/git/git.js";
import { featureBranch, readRef } from "../../machine/git/refs.js";
import { FOLDER } from "../../model/item/bundle-text.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { hashFile } from "../base/workspace-file.js";

/** As `hashFile`: empty if it is not there, `folder` for a folder, null if the path leads out of the workspace. */
export type FileHash = (path: string) => Promise<string | null>;

export async function bundleFiles(reader: Reader, { root, head }: Context, { feature }: Node): Promise<FileHash> {
  const id = feature === null || head() === null ? undefined : await reader.idOf(feature);
  const tip = id === undefined ? null : await readRef(root, featureBranch(id));
  return tip === null ? async (path) => hashFile(root, path) : (path) => hashAt(root, tip, path);
}

async function hashAt(root: string, tip: string, path: string): Promise<string | null> {
  if (isAbsolute(path) || path.split(/[\\/]/).includes("..")) return null;
  // The workspace may be a folder of the repository.
  const object = `${tip}:./${path}`;
  const type = await git(root, ["cat-file", "-t", object]);
  if (!succeeded(type)) return "";
  if (type.stdout.trim() === "tree") return FOLDER;
  const { stdout } = await git(root, ["cat-file", "blob", object]);
  return createHash("sha256").update(stdout).digest("hex");
}
