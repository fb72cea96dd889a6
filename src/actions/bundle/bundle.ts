// Packs everything that one attempt of a task needs into one text, hashed and stored, and writes it out.

import { type Bundle, sameBundle } from "../../graph/item/bundle.js";
import { bundleText } from "../../graph/item/bundle-text.js";
import { changeItem, createItem, type Item, type ItemChange } from "../../graph/item/item.js";
import { itemKey } from "../../graph/item/item-key.js";
import type { Node } from "../../graph/node/node.js";
import { absent, ok, type Result, refused } from "../../graph/result.js";
import { estimateTokens } from "../../graph/tokens.js";
import type { Reader, Writer } from "../../store/store.js";
import { summary } from "../branch/branch.js";
import { act, type Context } from "../context.js";
import { resolve } from "../resolve.js";
import { type Contents, gatherContents } from "./bundle-contents.js";
import { bundlePath, sidecarText, writeBundle } from "./bundle-folder.js";

export interface BundleAsk {
  /** A task; left out, every task that may be claimed now. */
  readonly reference?: string;
  /** Without lessons of earlier work. */
  readonly clean?: boolean;
}

export interface BundleView {
  readonly id: string;
  readonly title: string;
  readonly bundle: string;
  /** Of the text, relative to the workspace. */
  readonly path: string;
  readonly tokens: number;
  readonly hash: string;
  /** Otherwise nothing had changed since it was packed. */
  readonly isNew: boolean;
  readonly behaviours: number;
  readonly files: number;
  readonly records: number;
  readonly results: number;
  readonly memories: number;
}

export interface Bundled {
  readonly op: number | null;
  readonly bundles: readonly (BundleView & { readonly text: string })[];
}

/** Far more than any number of workers can take at once. */
const READY_AT_ONCE = 10_000;

interface Made {
  readonly key: string;
  readonly task: Node;
  readonly bundle: Bundle;
  readonly contents: Contents;
  readonly text: string;
  readonly changes: readonly ItemChange[];
}

export async function bundle(context: Context, { reference, clean = false }: BundleAsk): Promise<Result<Bundled>> {
  const committed = await act<Made[]>(context, "bundle", async (writer, at) => {
    const tasks = await tasksFor(writer, context, reference);
    if (!tasks.ok) return tasks;
    const made: Made[] = [];
    for (const task of tasks.value) {
      const each = await make(writer, context, task, { clean, at });
      if (!each.ok) return each;
      made.push(each.value);
    }
    const ids = made.filter(({ changes }) => changes.length > 0).map(({ task }) => task.id);
    const sentence = `${context.actor} packed ${summary(ids)}`;
    return ok({ sentence, changes: made.flatMap(({ changes }) => changes), value: made });
  });
  if (!committed.ok) return committed;
  const { op, value } = committed.value;
  for (const { task, key, bundle, text } of value) {
    const written = writeBundle(context, task.id, { text, sidecar: sidecarText(key, task.id, bundle) });
    if (!written.ok) return written;
  }
  return ok({ op, bundles: value.map((made) => ({ ...toBundleView(made), text: made.text })) });
}

async function tasksFor(reader: Reader, context: Context, reference: string | undefined): Promise<Result<Node[]>> {
  if (reference === undefined) {
    const ready = await reader.claimable({ limit: READY_AT_ONCE });
    if (ready.length > 0) return ok(ready);
    return absent("nothing-ready", "No task may be claimed now, so there is nothing to pack.", {
      hint: "`planwright status` shows what the tasks wait for.",
    });
  }
  const node = await resolve(reader, reference, context.actor);
  if (!node.ok) return node;
  const may = mayBundle(node.value);
  return may.ok ? ok([node.value]) : may;
}

/** Only what an agent will do has an input of its own. */
function mayBundle({ id, tier, kind, outcome }: Node): Result<void> {
  if (tier !== "task") {
    return refused("container", `${id} is a ${tier}: bundles are for tasks.`, {
      hint: `\`planwright status ${id}\` shows its tasks.`,
    });
  }
  if (kind === "gate" || kind === "land") {
    return refused("human", `${id} is a ${kind} task, which a person does; bundles are for agents' work.`, {
      hint: `\`planwright show ${id}\` has all of it.`,
    });
  }
  if (outcome === null) return ok(undefined);
  return refused("settled", `${id} is ${outcome.kind} already; nobody will work on it.`, {
    hint: `\`planwright show ${id}\` has all of it.`,
  });
}

async function make(
  writer: Writer,
  context: Context,
  task: Node,
  { clean, at }: { clean: boolean; at: number },
): Promise<Result<Made>> {
  const gathered = await gatherContents(writer, context, task, clean ? [] : "fitting");
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
  const key = itemKey("BUN", await writer.number("BUN"), 5);
  const changes = [...(before ? changeItem(before, { state: "replaced" }) : []), createItem("bundle", key, fresh)];
  return ok({ ...rest, key, bundle: fresh, changes });
}

export async function currentBundle(reader: Reader, task: Node): Promise<Item<"bundle"> | undefined> {
  const [found] = await reader.items("bundle", { owner: String(task.nr), state: "current", newest: true, limit: 1 });
  return found;
}

function toBundleView({ task, key, bundle, contents, changes }: Made): BundleView {
  const { behaviours, files, records, results, memories } = contents.input;
  return {
    id: task.id,
    title: task.title,
    bundle: key,
    path: bundlePath(task.id),
    tokens: bundle.tokens,
    hash: bundle.hash,
    isNew: changes.length > 0,
    behaviours: behaviours.length,
    files: files.length,
    records: records.length,
    results: results.length,
    memories: memories.length,
  };
}
