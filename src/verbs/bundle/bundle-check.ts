// Checks a bundle against the plan and the files, lists bundles, and removes those that are no longer needed.

import { bundleIntegrity, type Integrity } from "../../model/item/bundle.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import { fail, ok, type Result } from "../../model/result.js";
import { summary } from "../../plan/branch/branch.js";
import { currentBundle } from "../../plan/bundle/bundle.js";
import { gatherContents } from "../../plan/bundle/bundle-contents.js";
import { bundlePath, hashText, readBundle, removeBundle, sidecarText } from "../../plan/bundle/bundle-folder.js";
import { act, type Context } from "../../plan/context.js";
import { resolve } from "../../plan/resolve.js";
import { isoTime } from "../../plan/view.js";
import type { Reader } from "../../store/store.js";

export interface BundleChecked extends Integrity {
  readonly id: string;
  readonly bundle: string | null;
}

export function checkBundle(context: Context, reference: string): Promise<Result<BundleChecked>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context.actor);
    // Exit code 2 means that a bundle has changed, so a task that does not exist counts as missing.
    if (!node.ok) return node.error.kind === "absent" ? fail({ ...node.error, kind: "problems" }) : node;
    const { id } = node.value;
    const item = await currentBundle(reader, node.value);
    if (!item) {
      const nothing = { what: "the bundle", state: "missing", detail: "was never packed, or was removed" } as const;
      return ok({ id, bundle: null, state: "missing", items: [nothing] });
    }
    const integrity = await compare(reader, context, node.value, item);
    return integrity.ok ? ok({ id, bundle: item.key, ...integrity.value }) : integrity;
  });
}

async function compare(
  reader: Reader,
  context: Context,
  task: Node,
  { key, fields }: Item<"bundle">,
): Promise<Result<Integrity>> {
  const lessons = Object.keys(fields.parts).filter((part) => part.startsWith("MEM-"));
  const now = await gatherContents(reader, context, task, lessons);
  if (!now.ok) return now;
  const { text, sidecar } = readBundle(context, task.id);
  const { content, parts, files } = now.value;
  const written = {
    text: text === null ? null : hashText(text),
    sidecar: sidecar === null ? null : sidecar === sidecarText(key, task.id, fields),
  };
  return ok(bundleIntegrity(fields, { ...written, content, parts, files }));
}

export interface BundleListed {
  readonly id: string;
  readonly title: string;
  readonly bundle: string;
  readonly path: string;
  readonly tokens: number;
  /** The text is still on disk. */
  readonly there: boolean;
  /** The task is finished, so it is no longer needed. */
  readonly settled: boolean;
  readonly createdAt: string;
}

export function listBundles(context: Context): Promise<Result<BundleListed[]>> {
  return context.store.read(async (reader) => {
    const listed: BundleListed[] = [];
    for (const { key, fields } of await reader.items("bundle", { state: "current" })) {
      const task = await reader.node(fields.task);
      if (!task) continue;
      const { id, title } = task;
      const there = readBundle(context, id).text !== null;
      const rest = { tokens: fields.tokens, there, settled: isSettled(task), createdAt: isoTime(fields.createdAt) };
      listed.push({ id, title, bundle: key, path: bundlePath(id), ...rest });
    }
    return ok(listed);
  });
}

const isSettled = ({ outcome, archive }: Node): boolean => outcome !== null || archive !== null;

export interface BundlesCleaned {
  readonly op: number | null;
  readonly removed: readonly string[];
}

/** Their texts stay in the store, where the log can find them; only the folders go. */
export async function cleanBundles(context: Context): Promise<Result<BundlesCleaned>> {
  const committed = await act(context, "bundle", async (writer) => {
    const gone: { id: string; item: Item<"bundle"> }[] = [];
    for (const item of await writer.items("bundle", { state: "current" })) {
      const task = await writer.node(item.fields.task);
      if (task && isSettled(task)) gone.push({ id: task.id, item });
    }
    const ids = gone.map(({ id }) => id);
    const changes = gone.flatMap(({ item }) => changeItem(item, { state: "removed" }));
    return ok({ sentence: `${context.actor} removed the bundles of ${summary(ids)}`, changes, value: ids });
  });
  if (!committed.ok) return committed;
  for (const id of committed.value.value) removeBundle(context, id);
  return ok({ op: committed.value.op, removed: committed.value.value });
}
