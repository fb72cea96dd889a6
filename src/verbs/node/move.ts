import type { Actor } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { isBugs } from "../../model/status/rollup.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { resolve, resolveAll } from "../../plan/base/resolve.js";
import { mayEndClaims } from "../../plan/claim/may-end-claims.js";
import { decideAdditions } from "../../plan/node/add.js";
import { branchOf } from "../../plan/node/branch.js";
import { type Bug, homeOfBugs, isBug, needsOwnFeature } from "../../plan/node/bugs.js";
import { place } from "../../plan/node/move-branch.js";
import {
  fields,
  type Infer,
  node,
  nodes,
  ok,
  planVerb,
  type Result,
  refused,
  step,
  undoStep,
  type Writer,
} from "../kit/verb.js";
import { bugLines } from "../kit/wording.js";
import { approveAgain, goesStale, staleNote } from "./stale-approval.js";

export const input = fields({ references: nodes("a node"), to: node("the node that will contain them") });

export const verb = planVerb({
  command: { words: "move", group: "plan", positional: ["references"], aliases: ["mv"] },
  summary: "Put nodes below another parent",
  description:
    "The parent must be of a higher tier. Everything below a node moves with it. Below a frozen parent it is frozen too, and in the inbox nothing runs. The parent is part of what was approved, so a person approves moved work again.",
  effect: "writes",
  tools: [{ tool: "edit", action: "move", fields: ["references", "to"] }],
  input,
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], to: "STORY-0002" }, does: "moves two tasks into a story" },
    { input: { references: ["STORY-0002"], to: "INBOX" }, does: "puts a story with its tasks back into the inbox" },
  ],
  run: move,
  text: ({ op, moved, to, bugs }, style) =>
    op === null
      ? style.dim(`Already below ${to}; nothing was changed.`)
      : [...moved.map((id) => `${style.yellow("→")} ${style.bold(id)}  below ${to}`), ...bugLines(bugs, style)],
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, stale, bugs = [] }) => [
    ...(bugs.length === 0 ? [] : [step("approve", { references: bugs.map(({ feature }) => feature) })]),
    ...approveAgain(stale.filter((id) => !bugs.some((bug) => bug.id === id))),
    ...undoStep(op),
  ],
});

export function move(context: Context, { references, to }: Infer<typeof input>) {
  return actWithNumber(context, "move", async (writer, at) => {
    const nodes = await resolveAll(writer, references, context);
    if (!nodes.ok) return nodes;
    const parent = await resolve(writer, to, context);
    if (!parent.ok) return parent;
    const changes: Change[] = [];
    const moved: string[] = [];
    const stale: string[] = [];
    const bugs: Bug[] = [];
    for (const node of nodes.value) {
      const movable = requireMovable(node);
      if (!movable.ok) return movable;
      const may = mayEndClaims(context, await branchOf(writer, node));
      if (!may.ok) return may;
      const home = await homeOf(writer, context.actor, at, node, parent.value);
      if (!home.ok) return home;
      const placed = await place(writer, context.actor, node, home.value.parent);
      if (!placed.ok) return placed;
      if (placed.value.length === 0) continue;
      for (const change of [...home.value.changes, ...placed.value]) changes.push(change);
      moved.push(node.id);
      if (home.value.changes.length > 0) bugs.push({ id: node.id, feature: home.value.parent.id });
      if (await goesStale(writer, node, { parent: parent.value.nr })) stale.push(node.id);
    }
    const { id } = parent.value;
    return ok({
      sentence: `moved ${moved.join(", ")} below ${id}`,
      changes,
      value: { to: id, moved, stale, ...(bugs.length > 0 && { bugs }) },
    });
  });
}

interface Home {
  readonly parent: Node;
  readonly changes: readonly Change[];
}

/** Where it goes below that parent: a bug into a feature of its own, which is made for it. */
async function homeOf(writer: Writer, actor: Actor, at: number, node: Node, parent: Node): Promise<Result<Home>> {
  const rest = { parent, changes: [] };
  if (!isBugs(parent) || !isBug(node)) return ok(rest);
  const stays = !(await needsOwnFeature(writer, node, parent));
  if (stays) return ok({ ...rest, parent: (await writer.node(node.parent as number)) ?? parent });
  const home = await homeOfBugs(writer, parent);
  const input = { tier: "feature", title: node.title, parent: home.id } as const;
  const made = await decideAdditions(writer, { actor }, at, [{ input, where: "", isNew: true }]);
  if (!made.ok) return made;
  const { changes, value } = made.value;
  const nr = changes[0]?.key as number;
  const feature: Node = { ...home, nr, id: value.added[0] ?? "", tier: "feature", parent: home.nr, feature: nr };
  return ok({ parent: feature, changes });
}

function requireMovable(node: Node): Result<Node> {
  if (node.kind !== "land") return requireOpen(node);
  const message = `${node.id} lands its feature and cannot leave it. Move the tasks instead.`;
  return refused("land", message, { next: [step("show", { reference: node.id })] });
}
