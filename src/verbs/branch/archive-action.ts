// Hides finished branches, with a summary of what was done; `restore` shows them again.

import { step } from "../../model/next-step.js";
import type { Archive, Node, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { archiveSummary, toArchive, toRestore } from "../../model/rules/archive.js";
import type { Branch } from "../../model/status/rollup.js";
import { branchesOf, branchOf, fromEach, idsOf, type Named, summary } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import type { Maker } from "../../plan/record/save-record.js";
import { resolveAll } from "../../plan/resolve.js";
import type { Reader, Writer } from "../../store/store.js";
import { keepLessons } from "./keep-lessons.js";

export interface Archived {
  readonly op: number | null;
  readonly archived: readonly string[];
  readonly summary: string;
  /** Keys of the lessons that were kept for later work. */
  readonly lessons: readonly string[];
}

export async function archive(context: Context, input: Named): Promise<Result<Archived>> {
  const committed = await act<Omit<Archived, "op">>(context, "archive", async (writer, at) => {
    const maker = { by: context.actor, at };
    const branches = await branchesOf(writer, input, context.actor);
    if (!branches.ok) return branches;
    const changes: Change[] = [];
    const archived: string[] = [];
    const summaries: string[] = [];
    const lessons: string[] = [];
    for (const branch of branches.value) {
      const nodes = toArchive(branch);
      if (!nodes.ok) return nodes;
      const [root] = branch;
      const text = archiveSummary(branch);
      const fact: Archive = { ...maker, root: root.nr, summary: null };
      for (const node of nodes.value) {
        changes.push(...changeNode(node, { archive: node.nr === root.nr ? { ...fact, summary: text } : fact }));
      }
      const learnt = await lessonsOf(writer, branch, maker);
      changes.push(...learnt.changes);
      lessons.push(...learnt.keys);
      archived.push(...idsOf(nodes.value));
      summaries.push(text);
    }
    const value = { archived, summary: summaries.join("\n\n"), lessons };
    return ok({ sentence: `${context.actor} archived ${summary(archived)}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** Lessons are kept of whole features; a feature that was archived before has given its lessons already. */
async function lessonsOf(writer: Writer, branch: Branch, maker: Maker): ReturnType<typeof keepLessons> {
  const [root, ...below] = branch;
  if (root.tier === "story") return { keys: [], changes: [] };
  const gone = new Set(below.flatMap(({ tier, archive, nr }) => (tier === "feature" && archive !== null ? [nr] : [])));
  return keepLessons(writer, [root, ...below.filter(({ feature }) => feature === null || !gone.has(feature))], maker);
}

export interface RestoredBranch {
  readonly op: number | null;
  readonly restored: readonly string[];
}

/** Any node of an archived branch stands for the whole branch. */
export async function restore(context: Context, { references }: Named): Promise<Result<RestoredBranch>> {
  const committed = await act(context, "restore", async (writer) => {
    const found = await resolveAll(writer, references, context.actor);
    if (!found.ok) return found;
    const roots = new Map<Nr, Branch>();
    for (const node of found.value) {
      const root = await archivedRoot(writer, node);
      roots.set(root.nr, await branchOf(writer, root));
    }
    const nodes = fromEach([...roots.values()], toRestore);
    if (!nodes.ok) return nodes;
    const restored = new Set(nodes.value.map(({ nr }) => nr));
    for (const [root] of roots.values()) {
      const above = (await writer.ancestors(root.nr)).find(({ archive, nr }) => archive !== null && !restored.has(nr));
      if (above) return archivedAbove(root, above);
    }
    const ids = idsOf(nodes.value);
    const changes = nodes.value.flatMap((node) => changeNode(node, { archive: null }));
    return ok({ sentence: `${context.actor} restored ${summary(ids)}`, changes, value: ids });
  });
  return committed.ok ? ok({ op: committed.value.op, restored: committed.value.value }) : committed;
}

const archivedAbove = (root: Node, above: Node): Result<never> =>
  refused("archived", `${root.id} is inside ${above.id}, which is archived too. Restore ${above.id} first.`, {
    next: [step("restore", { references: [above.id] }), step("show", { reference: above.id })],
    details: { above: above.id },
  });

const archivedRoot = async (reader: Reader, node: Node): Promise<Node> =>
  node.archive === null ? node : ((await reader.node(node.archive.root)) ?? node);
