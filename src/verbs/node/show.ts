import { isUnconfirmed } from "../../model/status/stale-approval.js";
import type { NodePlanning } from "../../planning/run/source-of-node.js";
import { type Context, fields, node, ok, planVerb, type Result, type Session, spoken, step } from "../kit/verb.js";
import { type ShownNode, show as showNode } from "./read-node.js";
import { renderNode } from "./render-node.js";
import type { ShownItem } from "./show-item.js";

export const input = fields({ reference: node("the node, or the key of an item") });

export const verb = planVerb({
  command: { words: "show", group: "look", positional: ["reference"] },
  summary: "Show everything about a node or another item",
  description:
    "A node is named by its id, in any case and without its zeros (task-7, or 7 alone), by the beginning of its UUID, or by words of its title. If several match, they are listed and none is chosen. Records, questions, lessons, artifacts, planning runs, attempts and conflicts are named by their keys, such as DEC-001 or ATT-00001; an artifact is shown with its text.",
  effect: "reads",
  resource: { address: "node", summary: "A node of the plan", field: "reference" },
  takesKeys: true,
  weakPhrases: spoken(
    "show, show me, display, print, open, let me see, give me, what is, what's, what are, look at, pull up, " +
      "view, see, read, info on, info about, information about, information on, what does, tell me about, " +
      "tell me more about, describe, details of, details on, details about",
  ),
  emptyWords: "show tell give me the details of more about see let open info information on read",
  hints: ["get", "view"],
  tools: [{ tool: "show", fields: ["reference"], detail: true }],
  input,
  examples: [
    { input: { reference: "TASK-00001" }, does: "shows its content, its status, and who decided what about it" },
    { input: { reference: "DEC-001" }, does: "shows a decision" },
  ],
  run: async (session, { reference }): Promise<Result<ShownNodeOrItem>> => {
    const found = await showNode(session, reference);
    if (found.ok) {
      const signed = await signatureOf(session, found.value);
      return ok(Object.assign(found.value, await plannedBy(session, found.value.id), signed));
    }
    if (found.error.kind !== "absent" || !ITEM_KEY.test(reference)) return found;
    const { showItem } = await items();
    const shown = await showItem(session, reference);
    return shown.ok ? ok({ ...shown.value.item, entity: shown.value.entity } as Flat<ShownItem>) : found;
  },
  text: async (shown, style) =>
    "entity" in shown ? (await items()).renderItem(itemOf(shown), style) : renderNode(shown, style),
  next: async (shown) => {
    if ("entity" in shown) return (await items()).stepsForItem(itemOf(shown));
    return HELD_UP.has(shown.status) ? [step("why", { reference: shown.id })] : [];
  },
});

const ITEM_KEY = /^([a-z]{3}|conflict)-\d+$/i;

const HELD_UP: ReadonlySet<string> = new Set(["planned", "blocked", "rejected", "frozen"]);

/** Items are shown rarely, so what reads and renders them is loaded then. */
const items = () => import("./show-item.js");

const itemOf = (shown: Extract<ShownNodeOrItem, { entity: string }>): ShownItem =>
  ({ entity: shown.entity, item: shown }) as ShownItem;

type ShownNodeOrItem = (ShownNode & Partial<NodePlanning> & Signed) | Flat<ShownItem>;

type Flat<S> = S extends ShownItem ? S["item"] & Pick<S, "entity"> : never;

/** Loads planning only where there is something to say. */
async function plannedBy({ store }: Context, id: string): Promise<Partial<NodePlanning>> {
  const isPlanned = await store.read(async (reader) => (await reader.items("run", { limit: 1 })).length > 0);
  if (!isPlanned) return {};
  const { planningOfNode } = await import("../../planning/run/source-of-node.js");
  return store.read(async (reader) => {
    const node = await reader.byId(id);
    return node ? planningOfNode(reader, node) : {};
  });
}

/** What vouches for the approval: a signature with a secret that the plan knows, or with another one. Left out where nothing is approved. */
interface Signed {
  readonly approvalSignature?: "valid" | "wrong" | "unknown-key" | "unsigned";
}

async function signatureOf(session: Session, { id, approval }: ShownNode): Promise<Signed> {
  if (approval === null) return {};
  return session.store.read(async (reader) => {
    const found = await reader.byId(id);
    if (found?.kind === "land") return {};
    if (found && isUnconfirmed(found)) return { approvalSignature: "unknown-key" };
    if (found?.approval?.seal === undefined) return { approvalSignature: "unsigned" };
    const doubt = await reader.people.doubt(found);
    return { approvalSignature: doubt === null ? "valid" : doubt === "false" ? "wrong" : "unknown-key" };
  });
}
