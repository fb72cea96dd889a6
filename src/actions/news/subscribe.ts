// Asks to hear of what happens in the workspace, in a feature, or to a task. It begins silently, at the present.

import type { Actor } from "../../graph/actor.js";
import { changeItem, createItem, type Item } from "../../graph/item/item.js";
import { itemKey } from "../../graph/item/item-key.js";
import { NEWS, type News, type Subscription } from "../../graph/item/subscription.js";
import type { Node, Nr } from "../../graph/node/node.js";
import { ok, type Result, usage } from "../../graph/result.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { nameOfNode } from "../record/record-view.js";
import { requireOpen } from "../require-open.js";
import { resolve } from "../resolve.js";
import { isoTime } from "../view.js";

export interface SubscriptionView {
  readonly id: string;
  readonly actor: Actor;
  readonly scope: Subscription["scope"];
  /** Null for the workspace. */
  readonly target: string | null;
  readonly news: readonly News[];
  readonly state: Subscription["state"];
  readonly createdAt: string;
}

export interface Subscribed {
  readonly op: number | null;
  /** Otherwise there was one already; what it tells may be another now. */
  readonly isNew: boolean;
  readonly subscription: SubscriptionView;
}

export interface SubscribeInput {
  /** Without it: the workspace. */
  readonly reference?: string;
  /** All of them, unless given. */
  readonly news?: readonly string[];
}

export const toSubscriptionView = async (
  reader: Reader,
  { key, fields }: Pick<Item<"subscription">, "key" | "fields">,
): Promise<SubscriptionView> => ({
  id: key,
  actor: fields.actor,
  scope: fields.scope,
  target: fields.target === null ? null : await nameOfNode(reader, fields.target),
  news: fields.news,
  state: fields.state,
  createdAt: isoTime(fields.createdAt),
});

export const activeSubscriptions = (reader: Reader, actor: Actor): Promise<Item<"subscription">[]> =>
  reader.items("subscription", { owner: actor, state: "active" });

export function subscriptions(context: Context): Promise<Result<SubscriptionView[]>> {
  return context.store.read(async (reader) => {
    const views: SubscriptionView[] = [];
    for (const item of await activeSubscriptions(reader, context.actor)) {
      views.push(await toSubscriptionView(reader, item));
    }
    return ok(views);
  });
}

export async function subscribe(context: Context, input: SubscribeInput): Promise<Result<Subscribed>> {
  const news = readNews(input.news ?? []);
  if (!news.ok) return news;
  const { actor } = context;
  const committed = await act<Omit<Subscribed, "op">>(context, "subscribe", async (writer, at) => {
    const target = await targetOf(writer, actor, input.reference);
    if (!target.ok) return target;
    const { scope, node } = target.value;
    const twin = await findSubscription(writer, actor, node?.nr ?? null);
    const subscribed = { actor, state: "active", scope, target: node?.nr ?? null, news: news.value } as const;
    const sentence = `${actor} subscribed to ${node?.id ?? "the workspace"}: ${news.value.join(", ")}`;
    if (twin) {
      const subscription = await toSubscriptionView(writer, { ...twin, fields: { ...twin.fields, news: news.value } });
      return ok({ sentence, changes: changeItem(twin, { news: news.value }), value: { isNew: false, subscription } });
    }
    const key = itemKey("SUB", await writer.number("SUB"));
    const fields: Subscription = { ...subscribed, cursor: writer.op, createdAt: at };
    const subscription = await toSubscriptionView(writer, { key, fields });
    const changes = [createItem("subscription", key, fields)];
    return ok({ sentence, changes, value: { isNew: true, subscription } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** The actor's own that stands, for a node or for the workspace. */
export const findSubscription = async (
  reader: Reader,
  actor: Actor,
  target: Nr | null,
): Promise<Item<"subscription"> | undefined> =>
  (await activeSubscriptions(reader, actor)).find(({ fields }) => fields.target === target);

/** Each once, in the order in which they are listed. */
export function readNews(words: readonly string[]): Result<readonly News[]> {
  const typed = words.flatMap((word) => word.split(",")).flatMap((word) => word.trim().toLowerCase() || []);
  const unknown = typed.find((word) => !NEWS.some((known) => known === word));
  if (unknown !== undefined) {
    return usage("bad-value", `"${unknown.slice(0, 60)}" is not a kind of news.`, {
      hint: `Kinds are ${NEWS.join(", ")}.`,
    });
  }
  return ok(typed.length === 0 ? NEWS : NEWS.filter((known) => typed.includes(known)));
}

interface Target {
  readonly scope: Subscription["scope"];
  readonly node: Node | null;
}

async function targetOf(writer: Writer, actor: Actor, reference: string | undefined): Promise<Result<Target>> {
  if (reference === undefined) return ok({ scope: "workspace", node: null });
  const found = await resolve(writer, reference, actor);
  if (!found.ok) return found;
  const { tier, id, feature } = found.value;
  if (tier !== "task" && tier !== "feature") {
    const around = tier === "story" && feature !== null ? await nameOfNode(writer, feature) : undefined;
    return usage(
      "no-scope",
      `${id} is ${tier === "initiative" ? "an" : "a"} ${tier}; news come of tasks and features.`,
      {
        hint: `\`planwright subscribe${around === undefined ? "" : ` ${around}`}\` tells of ${around ?? "everything"}.`,
      },
    );
  }
  const open = requireOpen(found.value);
  return open.ok ? ok({ scope: tier, node: open.value }) : open;
}
