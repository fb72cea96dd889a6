import type { Node } from "../../model/node/node.js";
import { changeFocus } from "../../model/operation/change.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { focusKey } from "../../plan/base/focus.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { toView } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";
import { fields, flag, node, ok, optional, planVerb, type Result, refused, resolve, rule, step } from "../kit/verb.js";
import { renderNode } from "./render-node.js";

export const input = fields({
  reference: optional(node("the node to focus on")),
  clear: optional(flag("clear the focus")),
}).check(rule("clear", "cannot be combined with a node", ({ reference, clear }) => reference === undefined || !clear));

export const verb = planVerb({
  command: { words: "focus", group: "plan", positional: ["reference"] },
  summary: "Show or set where you are working",
  description:
    "Every actor has a focus, and so has every conversation of a coding agent that its host names. A person's next task comes from there first, and --active, --story and --feature stand for it and for what is around it.",
  effect: "writes",
  tools: [{ tool: "claim", action: "focus", fields: ["reference", "clear"] }],
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "focuses on a feature" },
    { input: {}, does: "shows the focus" },
  ],
  run: (session, { reference, clear }) => {
    if (clear) return setFocus(session, null);
    return reference === undefined ? readFocus(session) : setFocus(session, reference);
  },
  text: ({ node }, style) => (node ? renderNode(node, style) : style.dim("Nothing is in focus.")),
  next: ({ node }) => (node ? [] : [step("focus", {}, "reference"), step("next")]),
});

type Focus = { readonly op: number | null } & Awaited<ReturnType<typeof toFocus>>;

export function readFocus(context: Context): Promise<Result<Focus>> {
  return context.store.read(async (reader) => {
    const nr = await reader.focus(focusKey(context));
    const node = nr === null ? undefined : await reader.node(nr);
    return ok({ op: null, ...(await toFocus(reader, context.actor, node)) });
  });
}

export function setFocus(context: Context, reference: string | null): Promise<Result<Focus>> {
  const { actor } = context;
  return actWithNumber(context, "focus", async (writer) => {
    const found = reference === null ? ok(undefined) : requireFocusable(await resolve(writer, reference, context));
    if (!found.ok) return found;
    const node = found.value;
    const key = focusKey(context);
    const changes = changeFocus(key, await writer.focus(key), node?.nr ?? null);
    const sentence = node ? `${actor} focused on ${node.id}` : `${actor} cleared the focus`;
    return ok({ sentence, changes, value: await toFocus(writer, actor, node) });
  });
}

/** The focus leaves finished and frozen nodes, so it cannot be set there either. */
function requireFocusable(found: Result<Node>): Result<Node> {
  const node = found.ok ? requireOpen(found.value) : found;
  if (!node.ok || node.value.freeze === null) return node;
  const message = `${node.value.id} is frozen: ${node.value.freeze.reason}`;
  return refused("frozen", message, { next: [step("why", { reference: node.value.id })] });
}

const toFocus = async (reader: Reader, actor: string, node: Node | undefined) => ({
  actor,
  node: node ? await toView(reader, node) : null,
  path: node ? (await reader.ancestors(node.nr)).map((above) => above.id) : [],
});
