// Takes a finished branch out of view, with a summary of what it was; `restore` brings it back.

import type { Branch } from "../../graph/node/branch.js";
import type { Archive, Node } from "../../graph/node/node.js";
import { changeNode } from "../../graph/operation/change.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { archiveSummary, toArchive, toRestore } from "../../graph/rules/archive.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../context.js";
import type { Maker } from "../record/save-record.js";
import { resolve } from "../resolve.js";
import { branchOf, idsOf, summary } from "./branch.js";
import { keepLessons } from "./keep-lessons.js";

export interface Archived {
  readonly op: number | null;
  readonly archived: readonly string[];
  readonly summary: string;
  /** Keys of what was learnt, kept for later work. */
  readonly lessons: readonly string[];
}

export async function archive(context: Context, reference: string): Promise<Result<Archived>> {
  const committed = await act<Omit<Archived, "op">>(context, "archive", async (writer, at) => {
    const root = await resolve(writer, reference, context.actor);
    if (!root.ok) return root;
    const branch = await branchOf(writer, root.value);
    const nodes = toArchive(branch);
    if (!nodes.ok) return nodes;
    const text = archiveSummary(branch);
    const fact: Archive = { by: context.actor, at, root: root.value.nr, summary: null };
    const changes = nodes.value.flatMap((node) =>
      changeNode(node, { archive: node.nr === root.value.nr ? { ...fact, summary: text } : fact }),
    );
    const ids = idsOf(nodes.value);
    const learnt = await lessonsOf(writer, branch, { by: context.actor, at });
    const sentence = `${context.actor} archived ${summary(ids)}`;
    const value = { archived: ids, summary: text, lessons: learnt.keys };
    return ok({ sentence, changes: [...changes, ...learnt.changes], value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** Whole features teach something; what was archived before has been asked already. */
async function lessonsOf(writer: Writer, branch: Branch, maker: Maker): ReturnType<typeof keepLessons> {
  const [root, ...below] = branch;
  if (root.tier === "story") return { keys: [], changes: [] };
  const gone = new Set(below.flatMap(({ tier, archive, nr }) => (tier === "feature" && archive !== null ? [nr] : [])));
  return keepLessons(writer, [root, ...below.filter(({ feature }) => feature === null || !gone.has(feature))], maker);
}

export interface Restored {
  readonly op: number | null;
  readonly restored: readonly string[];
}

/** Whichever node of the branch is named: it comes back as a whole. */
export async function restore(context: Context, reference: string): Promise<Result<Restored>> {
  const committed = await act(context, "archive", async (writer) => {
    const found = await resolve(writer, reference, context.actor);
    if (!found.ok) return found;
    const root = await archivedRoot(writer, found.value);
    const nodes = toRestore(await branchOf(writer, root));
    if (!nodes.ok) return nodes;
    const above = (await writer.ancestors(root.nr)).find((node) => node.archive !== null);
    if (above) return archivedAbove(root, above);
    const ids = idsOf(nodes.value);
    const changes = nodes.value.flatMap((node) => changeNode(node, { archive: null }));
    return ok({ sentence: `${context.actor} brought back ${summary(ids)}`, changes, value: ids });
  });
  return committed.ok ? ok({ op: committed.value.op, restored: committed.value.value }) : committed;
}

const archivedAbove = (root: Node, above: Node): Result<never> =>
  refused("archived", `${root.id} is inside ${above.id}, which is archived too and comes back first.`, {
    hint: `\`planwright show ${above.id}\` says what it was.`,
    details: { above: above.id },
  });

const archivedRoot = async (reader: Reader, node: Node): Promise<Node> =>
  node.archive === null ? node : ((await reader.node(node.archive.root)) ?? node);
