// Carries a discovery from a task up to a node whose other tasks it concerns.

import { step } from "../../model/next-step.js";
import type { Discovery, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import { discoveryTarget } from "../../model/rules/promote.js";
import { act, type Context } from "../../plan/context.js";
import { resolve } from "../../plan/resolve.js";
import type { Reader } from "../../store/store.js";

export interface PromoteInput {
  readonly note: string;
  /** Where it was found; the task in focus unless given. */
  readonly from?: string;
  /** The node that it concerns; two steps up unless given. */
  readonly to?: string;
}

export interface Promoted {
  readonly op: number | null;
  readonly note: string;
  readonly from: string;
  readonly to: string;
}

export async function promote(context: Context, input: PromoteInput): Promise<Result<Promoted>> {
  const { actor } = context;
  const { note } = input;
  const committed = await act<Omit<Promoted, "op">>(context, "promote", async (writer, at) => {
    const source = await (input.from === undefined ? focusedTask(writer, actor) : resolve(writer, input.from, actor));
    if (!source.ok) return source;
    const asked = input.to === undefined ? undefined : await resolve(writer, input.to, actor);
    if (asked && !asked.ok) return asked;
    const { id, nr } = source.value;
    const target = discoveryTarget(source.value, await writer.ancestors(nr), asked?.value);
    if (!target.ok) return target;
    const discovery: Discovery = { note, from: nr, by: actor, at };
    const changes = changeNode(target.value, { discoveries: [discovery, ...target.value.discoveries] });
    const value = { note, from: id, to: target.value.id };
    return ok({ sentence: `${actor} promoted a discovery from ${id} to ${value.to}: ${note}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

async function focusedTask(reader: Reader, actor: string): Promise<Result<Node>> {
  const nr = await reader.focus(actor);
  const node = nr === null ? undefined : await reader.node(nr);
  if (node?.tier === "task") return ok(node);
  return absent("no-focus", "No task is in focus. Say which task the discovery comes from.", {
    next: [step("promote", {}, "note", "from"), step("focus", {}, "reference")],
  });
}
