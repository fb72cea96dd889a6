import { changeItem } from "../../model/item/item.js";
import { readKey } from "../../model/item-key.js";
import { absent, ok, type Result } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import {
  activeSubscriptions,
  findSubscription,
  type SubscriptionView,
  toSubscriptionView,
} from "../../plan/news/subscribe.js";
import { summary } from "../../plan/node/branch.js";
import { fields, flag, type Infer, node, optional, planVerb, resolve, rule, step, type Writer } from "../kit/verb.js";
import { lineOf } from "../kit/wording.js";

export const input = fields({
  reference: optional(node("a node or a key such as SUB-001; the workspace unless given")),
  all: optional(flag("end all your subscriptions")),
}).check(rule(null, "must not say both all and a node", ({ reference, all }) => !all || reference === undefined));

export const verb = planVerb({
  command: { words: "news unsubscribe", group: "look", positional: ["reference"], aliases: ["unsubscribe"] },
  summary: "End a subscription of yours",
  description: "You do not see unread news of it any more.",
  effect: "writes",
  destructive: true,
  tools: [{ tool: "news", action: "unsubscribe", fields: ["reference", "all"] }],
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "ends the subscription to that feature" },
    { input: { all: true }, does: "ends all your subscriptions" },
  ],
  run: unsubscribe,
  text: ({ ended }) =>
    lineOf(
      "ended",
      ended.map(({ id, target }) => `${id} (${target ?? "workspace"})`),
    ),
});

type UnsubscribeInput = Infer<typeof input>;

export function unsubscribe(context: Context, input: UnsubscribeInput) {
  return actWithNumber(context, "unsubscribe", async (writer) => {
    const found = await choose(writer, context, input);
    if (!found.ok) return found;
    const ended: SubscriptionView[] = [];
    for (const item of found.value) {
      ended.push(await toSubscriptionView(writer, { ...item, fields: { ...item.fields, state: "ended" } }));
    }
    const whats = summary(ended.map(({ target }) => target ?? "the workspace"));
    const changes = found.value.flatMap((item) => changeItem(item, { state: "ended" }));
    return ok({ sentence: `${context.actor} unsubscribed from ${whats}`, changes, value: { ended } });
  });
}

async function choose(writer: Writer, context: Context, { reference, all }: UnsubscribeInput) {
  const own = await activeSubscriptions(writer, context.actor);
  if (all) return own.length > 0 ? ok(own) : none(context, "anything");
  if (reference === undefined) {
    const found = await findSubscription(writer, context.actor, null);
    return found ? ok([found]) : none(context, "the workspace");
  }
  const key = readKey(reference, ["SUB"]);
  const named = own.find((item) => item.key === key);
  if (named) return ok([named]);
  const node = await resolve(writer, reference, context);
  if (!node.ok) return node;
  const found = await findSubscription(writer, context.actor, node.value.nr);
  return found ? ok([found]) : none(context, node.value.id);
}

const none = ({ actor }: Context, what: string): Result<never> =>
  absent("not-subscribed", `${actor} is not subscribed to ${what}.`, { next: [step("news.subscriptions")] });
