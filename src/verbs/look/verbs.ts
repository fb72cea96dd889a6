import { isContainer, type Node } from "../../model/node/node.js";
import { toArchive, toRestore } from "../../model/rules/archive.js";
import { resetPatch } from "../../model/rules/claim.js";
import { toFreeze, toThaw } from "../../model/rules/freeze.js";
import { dropBranch, toWaive } from "../../model/rules/give-up.js";
import { mayAccept } from "../../model/rules/task-outcome.js";
import { type Branch, isSettled } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale-approval.js";
import { type DerivedStatus, deriveStatus, type Status } from "../../model/status/status.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { branchOf } from "../../plan/node/branch.js";
import { toUnapprove } from "../branch/unapprove.js";
import { type Context, fields, type NextStep, node, ok, planVerb, type Result, resolve, step } from "../kit/verb.js";

export const input = fields({ reference: node("the node") });

export const verb = planVerb({
  command: { words: "verbs", hidden: true, group: "look", positional: ["reference"] },
  summary: "List what you can do with a node, and why not",
  description: "Every verb with its command. What would be refused now says why. Nothing is done.",
  effect: "reads",
  input,
  examples: [
    {
      input: { reference: "TASK-00003" },
      does: "shows which verbs the task takes now, and what keeps it from the others",
    },
  ],
  run: (session, { reference }) => verbs(session, reference),
});

export function verbs(context: Context, reference: string) {
  return context.store.read(async (reader) => {
    const found = await resolve(reader, reference, context);
    if (!found.ok) return found;
    const node = found.value;
    const derived = deriveStatus(node, await gatherSurroundings(reader, node));
    const isRead = isContainer(node) && node.live <= MAX_NODES_JUDGED;
    const branch: Branch = isRead ? await branchOf(reader, node) : [node];
    return ok({ id: node.id, status: derived.status, verbs: all(node, branch, derived, context.actor) });
  });
}

/** Above this the branch is judged by its root: the action itself reads all of it. */
const MAX_NODES_JUDGED = 2_000;

function all(node: Node, branch: Branch, derived: DerivedStatus, actor: string): OfferedVerb[] {
  const { id } = node;
  const references = [id];
  const settled = isSettled(node) ? `${id} is ${derived.status}.` : null;
  const offered = [
    offer(step("approve", { references }), settled ?? approvable(node), "ready", "blocked"),
    offer(step("unapprove", { references }), settled ?? because(toUnapprove([branch])), "planned"),
    offer(step("freeze", { references }, "reason"), because(toFreeze(branch)), "frozen"),
    offer(step("thaw", { references }), because(toThaw(branch, false)), "ready", "blocked", "planned"),
    offer(step("waive", { references }, "reason"), because(toWaive(branch)), "waived"),
    offer(step("drop", { references }, "reason"), because(dropBranch(branch)), "dropped"),
    offer(step("edit", { reference: id }), settled),
    offer(step("move", { references }, "to"), settled ?? movable(node)),
    offer(step("link", { reference: id }, "on"), settled),
    offer(step("undo", { operation: id }), null),
  ];
  if (isContainer(node)) {
    offered.push(offer(step("archive", { references }), because(toArchive(branch)), "archived"));
  } else offered.push(...ofTask(node, derived, actor));
  if (node.archive !== null) offered.push(offer(step("restore", { references }), because(toRestore(branch))));
  return offered;
}

type OfferedVerb = ReturnType<typeof offer>;

/** `refused`: why it would be refused now; null if it would not. `leadsTo`: the statuses that the node can have afterwards, if it gets another. */
const offer = (next: NextStep, refused: string | null, ...leadsTo: Status[]) => ({ next: [next], refused, leadsTo });

const because = (judged: Result<unknown>): string | null => (judged.ok ? null : judged.error.message);

function ofTask(node: Node, { reason, status }: DerivedStatus, actor: string): OfferedVerb[] {
  const { id, outcome, kind } = node;
  const references = [id];
  const needs = outcome === null ? ([] as const) : (["reason"] as const);
  const notReady = reason === "claimable" ? null : `${id} is ${status.replace("_", " ")}, not ready.`;
  const byHand = kind === "work" ? `${id} is done when its checks pass.` : reason === "human" ? null : notReady;
  return [
    offer(step("reset", { references }, ...needs), because(resetPatch(node, actor, "asked")), "ready", "blocked"),
    offer(step("accept", { references }, "reason"), because(mayAccept(node)), "done"),
    // Landing has a card of its own, with its proof.
    ...(kind === "land" ? [] : [offer(step("complete", { reference: id }), byHand, "done")]),
    ...(kind === "work"
      ? [
          offer(step("run", { reference: id }), notReady, "in_progress"),
          offer(step("next", { reference: id }), notReady, "in_progress"),
        ]
      : []),
  ];
}

const approvable = (node: Node): string | null =>
  !isContainer(node) && node.approval !== null && !isStale(node) ? `${node.id} is approved already.` : null;

/** The mission is the top, and a land task belongs to its feature. */
function movable({ id, tier, kind }: Node): string | null {
  if (tier === "mission") return `${id} is the top of the plan.`;
  return kind === "land" ? `${id} lands its feature and stays in it.` : null;
}
