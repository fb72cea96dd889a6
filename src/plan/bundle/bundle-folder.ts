// Bundles on disk: a folder per task in `.planwright/bundles`, written so that a reader never sees half of one.

import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import type { Bundle } from "../../model/item/bundle.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../base/context.js";
import { isoTime } from "../node/view.js";

const TEXT = "bundle.md";
const SIDECAR = "bundle.json";

/** Relative to the workspace. */
export const bundlePath = (id: string): string => join(".planwright", "bundles", id, TEXT);

const folderOf = ({ root }: Context, id: string): string => join(root, ".planwright", "bundles", id);

/** What is written beside the text, for programs. */
export function sidecarText(key: string, id: string, bundle: Bundle): string {
  const { hash, tokens, content, parts, files, needed, createdAt, createdBy } = bundle;
  const data = { version: 1, bundle: key, task: id, text: TEXT, hash, tokens, content, parts, files, needed };
  return `${JSON.stringify({ ...data, createdAt: isoTime(createdAt), createdBy }, null, 2)}\n`;
}

/** Null if it is not there. Links are not followed: what they lead to is not ours. */
function readOwn(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readPlainFile(path) : null;
  } catch {
    return null;
  }
}

export const readBundle = (context: Context, id: string) =>
  linked(context, id) === undefined
    ? { text: readOwn(join(folderOf(context, id), TEXT)), sidecar: readOwn(join(folderOf(context, id), SIDECAR)) }
    : { text: null, sidecar: null };

/** A folder on the way that is a link, and could lead anywhere. */
function linked({ root }: Context, id: string): string | undefined {
  const ways = [join(root, ".planwright", "bundles"), join(root, ".planwright", "bundles", id)];
  return ways.find((way) => {
    try {
      return lstatSync(way).isSymbolicLink();
    } catch {
      return false;
    }
  });
}

export function writeBundle(context: Context, id: string, written: { text: string; sidecar: string }): Result<void> {
  const folder = folderOf(context, id);
  const link = linked(context, id);
  if (link !== undefined) {
    const message = `${link} is a link that could lead out of the workspace. Replace it by a folder.`;
    return refused("outside-workspace", message);
  }
  const before = readBundle(context, id);
  try {
    mkdirSync(folder, { recursive: true });
    if (before.text !== written.text) replaceFile(join(folder, TEXT), written.text);
    if (before.sidecar !== written.sidecar) replaceFile(join(folder, SIDECAR), written.sidecar);
    return ok(undefined);
  } catch (error) {
    const reason = messageOf(error);
    return refused("no-write", `Cannot write ${folder}: ${reason}. The bundle itself is stored.`, {
      next: [step("bundle.create", { references: [id] })],
    });
  }
}

function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}

/** Removes only what was written there; a folder with anything else in it stays. */
export function removeBundle(context: Context, id: string): void {
  if (linked(context, id) !== undefined) return;
  const folder = folderOf(context, id);
  for (const name of [TEXT, SIDECAR]) rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // It is not there, or not empty.
  }
}
