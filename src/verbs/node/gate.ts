import { isPerson } from "../../model/actor.js";
import { displayId } from "../../model/node/ids.js";
import { type Birth, type Node, newNode } from "../../model/node/node.js";
import { uuid7 } from "../../model/node/uuid7.js";
import { type Change, changeNode, createNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { isApproved } from "../../model/status/status.js";
import { withArticle } from "../../model/words.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { hashOf } from "../../plan/node/approve.js";
import { requirePerson } from "../../plan/node/require-person.js";
import type { Writer } from "../../store/store.js";
import * as content from "../kit/content.js";
import { fields, flag, type Infer, nodes, optional, planVerb, resolveAll, step, undoStep } from "../kit/verb.js";
import { approveAgain, staleNote } from "./stale-approval.js";

export const input = fields({
  title: content.title("what the person has to do"),
  before: nodes("a task that waits for it"),
  body: optional(content.body()),
  approve: optional(flag("approve the tasks in the same operation")),
});

export const verb = planVerb({
  command: { words: "gate", group: "plan", positional: ["title"] },
  summary: "Block work until a manual step is done",
  description:
    "A gate is something that only a person can do: sign a contract, create an account, decide. The tasks behind it can be claimed as soon as a person completes it. A gate that a person adds is approved at once, and tasks that were approved stay approved.",
  effect: "writes",
  tools: [{ tool: "edit", action: "gate", fields: ["title", "before", "body"] }],
  input,
  examples: [
    { input: { title: "Get an API key", before: ["TASK-00007"] }, does: "TASK-00007 waits until a person has the key" },
    {
      input: { title: "Sign the contract", before: ["TASK-00007", "TASK-00008"], approve: true },
      does: "both tasks run as soon as it is signed",
    },
  ],
  run: gate,
  text: ({ id, before }, style) => `${style.green("+")} ${style.bold(id)}  before ${before.join(", ")}`,
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, id, approved, stale }) => [
    ...approveAgain(stale),
    approved.includes(id) ? step("complete", { reference: id }) : step("approve", { references: [id] }),
    ...undoStep(op),
  ],
});

type GateInput = Infer<typeof input>;

export async function gate(context: Context, input: GateInput) {
  const may = input.approve ? requirePerson(context.actor, "approve") : ok(undefined);
  if (!may.ok) return may;
  return actWithNumber(context, "gate", async (writer, at) => {
    const works = await resolveAll(writer, input.before, context);
    if (!works.ok) return works;
    for (const work of works.value) {
      const waits = requireWork(work, input.approve ?? false);
      if (!waits.ok) return waits;
    }
    const made = await make(writer, works.value[0] as Node, { ...input, actor: context.actor, at });
    const approval = isPerson(context.actor) ? { by: context.actor, at } : null;
    const changes: Change[] = [];
    const approved: string[] = [];
    const stale: string[] = [];
    for (const work of works.value) {
      const dependsOn = [...work.dependsOn, { on: made.nr, origin: "stated" as const }];
      const cleared = approval !== null && (input.approve || isApproved(work));
      const hash = await hashOf(writer, { ...work, dependsOn }, [[made.nr, made.uuid]]);
      changes.push(...changeNode(work, { dependsOn, ...(cleared ? { approval: { ...approval, hash } } : {}) }));
      if (cleared) approved.push(work.id);
      else if (isApproved(work)) stale.push(work.id);
    }
    if (approval && !made.shelved) {
      const hash = await hashOf(writer, made);
      changes.unshift(createNode(made.nr, { ...made.birth, approval: { ...approval, hash } }));
      approved.unshift(made.id);
    } else changes.unshift(createNode(made.nr, made.birth));
    const before = works.value.map((work) => work.id);
    const value = { id: made.id, before, approved, stale };
    return ok({ sentence: `put the gate ${made.id} before ${before.join(", ")}`, changes, value });
  });
}

/** Puts the gate beside the first task: same parent, same feature, same freeze. */
async function make(writer: Writer, work: Node, { title, body, actor, at }: GateInput & { actor: string; at: number }) {
  const nr = await writer.allocate(1);
  const parent = await writer.node(work.parent as number);
  const birth: Birth = {
    uuid: uuid7(at, Buffer.from(await writer.random(10), "hex")),
    id: displayId("task", await writer.mint("task", 1)),
    tier: "task",
    kind: "gate",
    title,
    body: body ?? "",
    parent: work.parent,
    freeze: parent?.freeze ?? null,
    createdAt: at,
    createdBy: actor,
  };
  return { ...newNode(nr, birth, at), shelved: work.shelved, birth };
}

function requireWork(work: Node, approve: boolean): Result<Node> {
  if (work.tier !== "task") {
    const message = `${work.id} is ${withArticle(work.tier)}, and a gate blocks tasks. Name its tasks.`;
    return refused("container", message, { next: [step("status", { reference: work.id })] });
  }
  if (approve && work.shelved) {
    const message = `${work.id} is in the inbox, where nothing runs. Move it out first.`;
    return refused("inbox", message, { next: [step("approve", { references: [work.id] }, "to")] });
  }
  return requireOpen(work);
}
