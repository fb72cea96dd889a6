// A person clears exactly this content to run: a node and everything below it that is not settled.

import { type Change, changeNode } from "../graph/change.js";
import { contentHash } from "../graph/content-hash.js";
import { isContainer, type Node, type Nr } from "../graph/node.js";
import { ok, type Result, refused } from "../graph/result.js";
import { isStale } from "../graph/status.js";
import type { Reader } from "../store/store.js";
import { branchOf, summary } from "./branch.js";
import { act, type Context } from "./context.js";
import { place } from "./place.js";
import { requirePerson } from "./require-person.js";
import { resolve, resolveAll } from "./resolve.js";

export interface ApproveInput {
  readonly references: readonly string[];
  /** Move them there first, in the same operation: the way out of the inbox. */
  readonly to?: string;
}

export interface Approved {
  readonly op: number | null;
  readonly approved: readonly string[];
}

export async function approve(context: Context, { references, to }: ApproveInput): Promise<Result<Approved>> {
  const may = requirePerson(context.actor, "approve");
  if (!may.ok) return may;
  const committed = await act(context, "approve", async (writer, at) => {
    const roots = await resolveAll(writer, references, context.actor);
    if (!roots.ok) return roots;
    const target = to === undefined ? undefined : await resolve(writer, to, context.actor);
    if (target && !target.ok) return target;
    const changes: Change[] = [];
    const approved = new Set<string>();
    for (const root of roots.value) {
      const parent = target?.value;
      if (parent ? parent.shelved : root.shelved) return inInbox(root);
      const moved = parent ? await place(writer, root, parent) : ok([]);
      if (!moved.ok) return moved;
      changes.push(...moved.value);
      for (const node of await branchOf(writer, root)) {
        const content = parent && node.nr === root.nr ? { ...node, parent: parent.nr } : node;
        const isMoved = content.parent !== node.parent;
        if (node.outcome !== null || node.archive !== null) continue;
        if (!isMoved && node.approval !== null && !isStale(node)) continue;
        const hash = await hashOf(writer, content);
        changes.push(...changeNode(node, { approval: { by: context.actor, at, hash } }));
        approved.add(node.id);
      }
    }
    const ids = [...approved];
    return ok({ sentence: `${context.actor} approved ${summary(ids)}`, changes, value: ids });
  });
  return committed.ok ? ok({ op: committed.value.op, approved: committed.value.value }) : committed;
}

/** What an approval of this content binds; `fresh` names nodes that are only being made. */
export async function hashOf(reader: Reader, node: Node, fresh: Iterable<[Nr, string]> = []): Promise<string> {
  const uuids = new Map(fresh);
  for (const nr of [node.parent, ...node.dependsOn.map((edge) => edge.on)]) {
    if (nr !== null && !uuids.has(nr)) uuids.set(nr, (await reader.node(nr))?.uuid ?? "");
  }
  return contentHash(node, (nr) => uuids.get(nr) ?? "");
}

const inInbox = (node: Node): Result<never> =>
  refused("inbox", `${node.id} is in the inbox, where nothing runs.`, {
    hint: `Move it in the same call: \`planwright approve ${node.id} --to ${isContainer(node) ? "MISSION" : "FEATURE"}\`.`,
  });
