// Ends subscriptions of the actor: to a node, to the workspace, one by its key, or all.

import { changeItem, type Item } from "../../model/item/item.js";
import { readKey } from "../../model/item/item-key.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import { summary } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import {
  activeSubscriptions,
  findSubscription,
  type SubscriptionView,
  toSubscriptionView,
} from "../../plan/news/subscribe.js";
import { resolve } from "../../plan/resolve.js";
import type { Writer } from "../../store/store.js";

export interface UnsubscribeInput {
  /** A node, or a key such as `SUB-001`. Without it: the subscription to the workspace. */
  readonly reference?: string;
  readonly all?: boolean;
}

export interface Unsubscribed {
  readonly op: number | null;
  readonly ended: readonly SubscriptionView[];
}

export async function unsubscribe(context: Context, input: UnsubscribeInput): Promise<Result<Unsubscribed>> {
  const committed = await act(context, "unsubscribe", async (writer) => {
    const found = await choose(writer, context, input);
    if (!found.ok) return found;
    const ended: SubscriptionView[] = [];
    for (const item of found.value) {
      ended.push(await toSubscriptionView(writer, { ...item, fields: { ...item.fields, state: "ended" } }));
    }
    const whats = summary(ended.map(({ target }) => target ?? "the workspace"));
    const changes = found.value.flatMap((item) => changeItem(item, { state: "ended" }));
    return ok({ sentence: `${context.actor} unsubscribed from ${whats}`, changes, value: ended });
  });
  return committed.ok ? ok({ op: committed.value.op, ended: committed.value.value }) : committed;
}

async function choose(
  writer: Writer,
  context: Context,
  { reference, all }: UnsubscribeInput,
): Promise<Result<Item<"subscription">[]>> {
  const own = await activeSubscriptions(writer, context.actor);
  if (all) return own.length > 0 ? ok(own) : none(context, "anything");
  if (reference === undefined) {
    const found = await findSubscription(writer, context.actor, null);
    return found ? ok([found]) : none(context, "the workspace");
  }
  const key = readKey(reference, { SUB: 3 });
  const named = own.find((item) => item.key === key);
  if (named) return ok([named]);
  const node = await resolve(writer, reference, context.actor);
  if (!node.ok) return node;
  const found = await findSubscription(writer, context.actor, node.value.nr);
  return found ? ok([found]) : none(context, node.value.id);
}

const none = ({ actor }: Context, what: string): Result<never> =>
  absent("not-subscribed", `${actor} is not subscribed to ${what}.`, { next: [step("news.subscriptions")] });
