// Finishes or reopens tasks: what fail, accept and reset have in common.

import type { Node, NodeFields } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { resolveAll } from "../base/resolve.js";

/** What changes about the task, what changes with it, and what to tell about that. */
export interface Settlement<T extends object = object> {
  readonly patch: Partial<NodeFields>;
  readonly also?: readonly Change[];
  readonly details: T;
}

export interface Settled<T extends object> {
  readonly op: number | null;
  readonly tasks: readonly (T & { readonly id: string })[];
}

interface Asked<T extends object> {
  readonly verb: string;
  readonly references: readonly string[];
  /** Completes "human:ada reset TASK-1". */
  readonly because: string | undefined;
  readonly decide: (
    node: Node,
    settling: Settling,
    writer: Writer,
  ) => Result<Settlement<T>> | Promise<Result<Settlement<T>>>;
}

const PAST: Readonly<Record<string, string>> = { fail: "failed", accept: "accepted", reset: "reset" };

/** All of them in one operation, or none. */
export async function settleTasks<T extends object>(
  context: Context,
  { verb, references, because, decide }: Asked<T>,
): Promise<Result<Settled<T>>> {
  const committed = await act(context, verb, async (writer, at) => {
    const found = await resolveAll(writer, references, context.actor);
    if (!found.ok) return found;
    const changes: Change[] = [];
    const tasks: (T & { readonly id: string })[] = [];
    for (const node of found.value) {
      const decided = await decide(node, { by: context.actor, at, op: writer.op }, writer);
      if (!decided.ok) return decided;
      const { patch, also = [], details } = decided.value;
      changes.push(...changeNode(node, patch), ...also);
      tasks.push({ id: node.id, ...details });
    }
    const names = tasks.map(({ id }) => id).join(", ");
    const sentence = `${context.actor} ${PAST[verb] ?? verb} ${names}${because === undefined ? "" : `: ${because}`}`;
    return ok({ sentence, changes, value: tasks });
  });
  return committed.ok ? ok({ op: committed.value.op, tasks: committed.value.value }) : committed;
}
