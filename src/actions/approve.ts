// A person clears exactly this content to run: a node and everything below it that is not settled.

import { isPerson } from "../graph/actor.js";
import { type Change, changeNode } from "../graph/change.js";
import { contentHash } from "../graph/content-hash.js";
import { isContainer, type Node, type NodeFields, type Nr } from "../graph/node.js";
import { ok, type Result, refused } from "../graph/result.js";
import { isStale } from "../graph/status.js";
import type { Reader } from "../store/store.js";
import { act, type Context } from "./context.js";
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
  if (!isPerson(context.actor)) return needsPerson(context.actor, references.join(" "));
  const committed = await act(context, "approve", async (writer, at) => {
    const roots = await resolveAll(writer, references, context.actor);
    if (!roots.ok) return roots;
    const target = to === undefined ? undefined : await resolve(writer, to, context.actor);
    if (target && !target.ok) return target;
    const changes: Change[] = [];
    const approved: string[] = [];
    for (const root of roots.value) {
      const parent = target?.value;
      if (parent ? parent.shelved : root.shelved) return inInbox(root);
      for (const node of [root, ...(await writer.descendants(root.nr))]) {
        if (node.outcome !== null || node.archive !== null) continue;
        const moved: Partial<NodeFields> = parent && node.nr === root.nr ? { parent: parent.nr } : {};
        if (!("parent" in moved) && node.approval !== null && !isStale(node)) continue;
        const hash = await hashOf(writer, { ...node, ...moved });
        changes.push(...changeNode(node, { ...moved, approval: { by: context.actor, at, hash } }));
        approved.push(node.id);
      }
    }
    return ok({ sentence: `${context.actor} approved ${summary(approved)}`, changes, value: approved });
  });
  return committed.ok ? ok({ op: committed.value.op, approved: committed.value.value }) : committed;
}

/** What an approval of this content binds. */
export async function hashOf(reader: Reader, node: Node): Promise<string> {
  const uuids = new Map<Nr, string>();
  for (const nr of [node.parent, ...node.dependsOn.map((edge) => edge.on)]) {
    if (nr !== null && !uuids.has(nr)) uuids.set(nr, (await reader.node(nr))?.uuid ?? "");
  }
  return contentHash(node, (nr) => uuids.get(nr) ?? "");
}

export const summary = (ids: readonly string[]): string =>
  ids.length <= 5 ? ids.join(", ") : `${ids.slice(0, 4).join(", ")} and ${ids.length - 4} more`;

const needsPerson = (actor: string, references: string): Result<never> =>
  refused("needs-person", `Only a person can approve; ${actor} is not one.`, {
    hint: `Ask a person to run \`planwright approve ${references}\`.`,
  });

const inInbox = (node: Node): Result<never> =>
  refused("inbox", `${node.id} is in the inbox, where nothing runs.`, {
    hint: `Move it in the same call: \`planwright approve ${node.id} --to ${isContainer(node) ? "MISSION" : "FEATURE"}\`.`,
  });
