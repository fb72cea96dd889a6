// Packs everything that one attempt of a task needs into one text, hashed and stored, and writes it out.

import { type Bundle, sameBundle } from "../../model/item/bundle.js";
import { bundleText } from "../../model/item/bundle-text.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { absent, ok, type Result, refused, type ValueOf } from "../../model/result.js";
import { estimateTokens, withArticle } from "../../model/words.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { resolveAll } from "../base/resolve.js";
import { summary } from "../node/branch.js";
import { gatherContents, type LookedAt, lookAtFiles } from "./bundle-contents.js";
import { bundlePath, sidecarText, writeBundle } from "./bundle-folder.js";

export interface BundleAsk {
  /** Tasks; left out, every task that can be claimed now. */
  readonly references?: readonly string[];
  /** Leave out lessons of earlier work. */
  readonly noLessons?: boolean;
  /** `attempt`: packed for an attempt, as one of its steps. Nobody undoes it on its own. */
  readonly verb?: "bundle" | "attempt";
}

export type BundleView = ReturnType<typeof toBundleView>;

/** Far more than any number of workers can take at once. */
const READY_AT_ONCE = 10_000;

type PackedBundle = ValueOf<ReturnType<typeof make>>;

/** Somebody may change the files of a task while git looks at them. */
const TRIES = 3;

export async function createBundles(context: Context, ask: BundleAsk) {
  let committed = await packAll(context, ask);
  for (let tried = 1; tried < TRIES && !committed.ok && committed.error.reason === "changed"; tried++) {
    committed = await packAll(context, ask);
  }
  if (!committed.ok) return committed;
  const { op, value } = committed.value;
  for (const { task, key, bundle, text } of value) {
    const written = writeBundle(context, task.id, { text, sidecar: sidecarText(key, task.id, bundle) });
    if (!written.ok) return written;
  }
  return ok({ op, bundles: value.map((made) => ({ ...toBundleView(made), text: made.text })) });
}

async function packAll(context: Context, { references, noLessons = false, verb = "bundle" }: BundleAsk) {
  const asked = await context.store.read((reader) => tasksFor(reader, context, references));
  if (!asked.ok) return asked;
  const looked = new Map<Nr, LookedAt>();
  for (const task of asked.value) looked.set(task.nr, await lookAtFiles(context, task));
  return act<PackedBundle[]>(context, verb, async (writer, at) => {
    const tasks = await tasksFor(writer, context, references);
    if (!tasks.ok) return tasks;
    const made: PackedBundle[] = [];
    for (const task of tasks.value) {
      const each = await make(writer, context, task, { noLessons, at, looked: looked.get(task.nr) });
      if (!each.ok) return each;
      made.push(each.value);
    }
    const ids = made.filter(({ changes }) => changes.length > 0).map(({ task }) => task.id);
    const sentence = `${context.actor} packed ${summary(ids)}`;
    return ok({ sentence, changes: made.flatMap(({ changes }) => changes), value: made });
  });
}

async function tasksFor(reader: Reader, context: Context, references: readonly string[] | undefined) {
  if (references === undefined) {
    const ready = await reader.claimable({ limit: READY_AT_ONCE });
    const message = "No task can be claimed now, so there is nothing to pack.";
    return ready.length > 0 ? ok(ready) : absent("nothing-ready", message, { next: [step("status")] });
  }
  const named = await resolveAll(reader, references, context);
  if (!named.ok) return named;
  for (const node of named.value) {
    const may = mayBundle(node);
    if (!may.ok) return may;
  }
  return named;
}

/** Only what an agent will do has an input of its own. */
function mayBundle({ id, tier, kind, outcome }: Node): Result<void> {
  const status = step("status", { reference: id });
  if (tier !== "task")
    return refused("container", `${id} is ${withArticle(tier)}. Bundles are for tasks.`, { next: [status] });
  const next = [step("show", { reference: id })];
  if (kind === "gate" || kind === "land") {
    return refused("human", `${id} is a ${kind} task, which you do yourself. Bundles are for agents' work.`, { next });
  }
  return outcome === null ? ok(undefined) : refused("settled", `${id} is ${outcome.kind} already.`, { next });
}

async function make(
  writer: Writer,
  context: Context,
  task: Node,
  { noLessons, at, looked }: { noLessons: boolean; at: number; looked: LookedAt | undefined },
) {
  let hasChanged = looked?.feature !== task.feature;
  const hashOfFile = async (path: string): Promise<string | null> => {
    const hash = looked?.hashes.get(path);
    if (hash === undefined) hasChanged = true;
    return hash === undefined ? "" : hash;
  };
  const gathered = await gatherContents(writer, context, task, noLessons ? [] : "fitting", hashOfFile);
  if (hasChanged) return refused("changed", `Something changed ${task.id} while git looked at its files. Try again.`);
  if (!gathered.ok) return gathered;
  const { content, parts, files, needed } = gathered.value;
  const text = bundleText(gathered.value.input);
  const fresh: Bundle = {
    task: task.nr,
    state: "current",
    hash: await writer.keep(text),
    tokens: estimateTokens(text),
    content,
    parts,
    files,
    needed,
    createdAt: at,
    createdBy: context.actor,
  };
  const rest = { task, contents: gathered.value, text };
  const before = await currentBundle(writer, task);
  if (before && sameBundle(before.fields, fresh)) {
    return ok({ ...rest, key: before.key, bundle: before.fields, changes: [] });
  }
  const key = itemKey("BUN", await writer.number("BUN"));
  const changes = [...(before ? changeItem(before, { state: "replaced" }) : []), createItem("bundle", key, fresh)];
  return ok({ ...rest, key, bundle: fresh, changes });
}

export async function currentBundle(reader: Reader, task: Node): Promise<Item<"bundle"> | undefined> {
  const [found] = await reader.items("bundle", { owner: String(task.nr), state: "current", newest: true, limit: 1 });
  return found;
}

function toBundleView({ task, key, bundle, contents, changes }: PackedBundle) {
  const { behaviours, files, records, results, lessons } = contents.input;
  return {
    id: task.id,
    title: task.title,
    bundle: key,
    /** Where the text is, relative to the workspace. */
    path: bundlePath(task.id),
    tokens: bundle.tokens,
    hash: bundle.hash,
    /** False when nothing has changed since it was packed. */
    isNew: changes.length > 0,
    behaviours: behaviours.length,
    files: files.length,
    records: records.length,
    results: results.length,
    lessons: lessons.length,
  };
}
