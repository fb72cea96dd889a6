// Subscribes an actor to news of the workspace, a feature or a task. It starts with what happens from now on.

import type { Actor } from "../../model/actor.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { NEWS, type News, type Subscription } from "../../model/item/subscription.js";
import { itemKey } from "../../model/item-key.js";
import { step } from "../../model/next-step.js";
import type { Nr } from "../../model/node/node.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { Reader, Writer } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import type { FocusOwner } from "../base/focus.js";
import { requireOpen } from "../base/require-open.js";
import { resolve } from "../base/resolve.js";
import { isoTime } from "../node/view.js";
import { nameOfNode } from "../record/record-view.js";

export type SubscriptionView = Awaited<ReturnType<typeof toSubscriptionView>>;

export const toSubscriptionView = async (
  reader: Reader,
  { key, fields }: Pick<Item<"subscription">, "key" | "fields">,
) => ({
  id: key,
  actor: fields.actor,
  scope: fields.scope,
  /** Null for the workspace. */
  target: fields.target === null ? null : await nameOfNode(reader, fields.target),
  news: fields.news,
  state: fields.state,
  createdAt: isoTime(fields.createdAt),
});

export const activeSubscriptions = (reader: Reader, actor: Actor): Promise<Item<"subscription">[]> =>
  reader.items("subscription", { owner: actor, state: "active" });

export const listSubscriptions = ({ store, actor }: Context): Promise<Result<SubscriptionView[]>> =>
  store.read(async (reader) => {
    const own = await activeSubscriptions(reader, actor);
    return ok(await Promise.all(own.map((item) => toSubscriptionView(reader, item))));
  });

/** Subscribes to all kinds of news of the workspace, unless told otherwise. If there is one already, only its kinds of news change. */
export function subscribe(context: Context, input: { readonly reference?: string; readonly news?: readonly News[] }) {
  const { actor } = context;
  const news = NEWS.filter((kind) => input.news?.includes(kind) ?? true);
  return actWithNumber(context, "subscribe", async (writer, at) => {
    const found = await targetOf(writer, context, input.reference);
    if (!found.ok) return found;
    const { scope, node } = found.value;
    const target = node?.nr ?? null;
    const twin = await findSubscription(writer, actor, target);
    const sentence = `${actor} subscribed to ${node?.id ?? "the workspace"}: ${news.join(", ")}`;
    const fresh = { actor, state: "active", scope, target, cursor: writer.op, createdAt: at } as const;
    const fields: Subscription = { ...(twin?.fields ?? fresh), news };
    const key = twin?.key ?? itemKey("SUB", await writer.number("SUB"));
    const changes = twin ? changeItem(twin, { news }) : [createItem("subscription", key, fields)];
    const value = { isNew: twin === undefined, subscription: await toSubscriptionView(writer, { key, fields }) };
    return ok({ sentence, changes, value });
  });
}

/** The actor's own subscription to a node or to the workspace. */
export const findSubscription = async (reader: Reader, actor: Actor, target: Nr | null) =>
  (await activeSubscriptions(reader, actor)).find(({ fields }) => fields.target === target);

async function targetOf(writer: Writer, asker: FocusOwner, reference: string | undefined) {
  if (reference === undefined) return ok({ scope: "workspace" as const, node: null });
  const found = await resolve(writer, reference, asker);
  if (!found.ok) return found;
  const { tier, id, feature } = found.value;
  if (tier !== "task" && tier !== "feature") {
    const around = tier === "story" && feature !== null ? await nameOfNode(writer, feature) : undefined;
    const message = `${id} is ${tier === "initiative" ? "an" : "a"} ${tier}. Subscribe to a task, a feature or everything.`;
    return usage("no-scope", message, {
      next: [step("news.subscribe", around === undefined ? {} : { reference: around })],
    });
  }
  const open = requireOpen(found.value);
  return open.ok ? ok({ scope: tier, node: open.value }) : open;
}
