// Work whose program has ended without saying so: it was killed, or the machine was. The next run, daemon or landing takes it up again;
// until then whatever shows the work says that nothing happens in it.

import type { Attempt } from "../../model/attempt/attempt.js";
import { type Item, LIVE } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";

/** Work by hand and in your own checkout has no program, so only its claim counts. */
export const hasProgram = ({ worker, checkout }: Pick<Attempt, "worker" | "checkout">): boolean =>
  worker.kind !== "person" && checkout === undefined;

type Asked = Pick<Context, "isAlive">;

const isLeft = async (context: Asked, attempt: Attempt, { claim }: Node): Promise<boolean> =>
  claim?.token === attempt.token && hasProgram(attempt) && !(await context.isAlive(attempt.driver));

export async function isInterrupted(reader: Reader, context: Asked, task: Node): Promise<boolean> {
  for (const { fields } of await reader.items("attempt", { owner: String(task.nr), state: LIVE })) {
    if (await isLeft(context, fields, task)) return true;
  }
  return false;
}

interface InterruptedWork {
  readonly item: Item<"attempt">;
  readonly task: Node;
}

export async function interruptedWork(reader: Reader, context: Asked): Promise<InterruptedWork[]> {
  const found: InterruptedWork[] = [];
  for (const item of await reader.items("attempt", { state: LIVE })) {
    const task = await reader.node(item.fields.task);
    if (task && (await isLeft(context, item.fields, task))) found.push({ item, task });
  }
  return found;
}
