// Puts nodes below another parent, with all that they contain.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { place } from "../../plan/node/new-parent.js";
import { requireOpen } from "../../plan/require-open.js";
import { resolve, resolveAll } from "../../plan/resolve.js";
import { goesStale } from "../branch/stale.js";

export interface MoveInput {
  readonly references: readonly string[];
  readonly to: string;
}

export interface Moved {
  readonly op: number | null;
  readonly to: string;
  /** Those that were not there already. */
  readonly moved: readonly string[];
  /** Those of them that were approved where they were. */
  readonly stale: readonly string[];
}

export async function move(context: Context, { references, to }: MoveInput): Promise<Result<Moved>> {
  const committed = await act<Omit<Moved, "op">>(context, "move", async (writer) => {
    const nodes = await resolveAll(writer, references, context.actor);
    if (!nodes.ok) return nodes;
    const parent = await resolve(writer, to, context.actor);
    if (!parent.ok) return parent;
    const changes: Change[] = [];
    const moved: string[] = [];
    const stale: string[] = [];
    for (const node of nodes.value) {
      const movable = requireMovable(node);
      if (!movable.ok) return movable;
      const placed = await place(writer, context.actor, node, parent.value);
      if (!placed.ok) return placed;
      if (placed.value.length === 0) continue;
      for (const change of placed.value) changes.push(change);
      moved.push(node.id);
      if (await goesStale(writer, node, { parent: parent.value.nr })) stale.push(node.id);
    }
    const { id } = parent.value;
    return ok({ sentence: `moved ${moved.join(", ")} below ${id}`, changes, value: { to: id, moved, stale } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

function requireMovable(node: Node): Result<Node> {
  if (node.kind !== "land") return requireOpen(node);
  return refused("land", `${node.id} lands its feature and cannot leave it. Move the tasks instead.`, {
    next: [step("show", { reference: node.id })],
  });
}
