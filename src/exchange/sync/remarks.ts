// What a merge cannot decide by itself is asked, and what it cannot keep in its place stands beside it as a comment.

import { changeItem, createItem, type ItemChange } from "../../model/item/item.js";
import type { Question } from "../../model/item/question.js";
import { itemKey } from "../../model/item-key.js";
import type { Difference, MergedPlan } from "../../model/merge/merge.js";
import { idOf } from "../../model/merge/merged-node.js";
import type { Writer } from "../../store/store.js";
import type { Inward } from "./inward.js";
import { DIFFER } from "./outward.js";

interface Remark {
  readonly id: string;
  readonly node: string;
  readonly text: string;
  readonly by: string;
  readonly at: number;
}

export async function remarks(writer: Writer, plan: MergedPlan, inward: Inward) {
  const asked = await questions(writer, plan, inward);
  const comments = await commentsOn(writer, plan, inward);
  return { changes: [...asked.changes, ...comments], questions: asked.open };
}

const originOf = (fields: object): string => String(Reflect.get(fields, "origin") ?? "");

/** Each difference is asked once, until a person decides it in any clone. */
async function questions(writer: Writer, plan: MergedPlan, inward: Inward) {
  const wanted = new Map([...plan.differences, ...plan.aside.map(asDifference)].map((each) => [each.id, each]));
  const known = (await writer.items("question", {})).filter(({ fields }) => originOf(fields).startsWith(DIFFER));
  const answered = new Set(plan.items.filter(({ entity }) => entity === "question").map(({ id }) => id));
  const changes: ItemChange[] = [];
  for (const item of known) {
    const id = originOf(item.fields);
    if (!wanted.has(id) && item.fields.state === "open") changes.push(...changeItem(item, { state: "withdrawn" }));
    wanted.delete(id);
  }
  for (const difference of wanted.values()) {
    const nr = inward.nrOf(difference.node);
    if (nr === null || answered.has(difference.id)) continue;
    const key = itemKey("ESC", await writer.number("ESC"));
    const fields = questionOf(plan, difference, writer.at, inward);
    changes.push(createItem("question", key, { ...fields, origin: difference.id } as Question));
  }
  return { changes, open: changes.filter(({ before }) => before === null).length };
}

const asDifference = ({ from, on, added }: MergedPlan["aside"][number]): Difference => ({
  id: `${DIFFER}${from} aside ${on} ${added.clone}:${added.seq}`,
  node: from,
  field: "dependsOn",
  values: [{ value: on, by: added.by, at: added.at }],
});

const SHOWN = 300;

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
};

function questionOf(plan: MergedPlan, { node, field, values, id }: Difference, at: number, inward: Inward): Question {
  const merged = plan.nodes.get(node);
  const name = merged ? idOf(merged) : node;
  const isAside = id.startsWith(`${DIFFER}${node} aside `);
  const target = plan.nodes.get(String(values[0]?.value));
  const question = isAside
    ? `${name} was to depend on ${target ? idOf(target) : "another node"}, and that leads in a circle with what another clone added. Is it right without?`
    : `Two clones changed the ${WORDS[field] ?? field} of ${name} without knowing of each other. Which one is right?`;
  const options = isAside
    ? [{ id: "without", label: "Leave it out", detail: "Change the other dependencies first if it is needed." }]
    : values.map(({ value, by }, i) => ({ id: String(i + 1), label: shown(value), detail: `said by ${by}` }));
  const settable = !isAside && field !== "outcome" && field !== "parent" && field !== "checks";
  return {
    kind: "merge",
    state: "open",
    question,
    context: isAside ? "" : "The last one stands until you answer.",
    options,
    recommended: options.at(-1)?.id ?? null,
    expiresAt: null,
    blocks: [],
    owner: name,
    answer: null,
    createdAt: at,
    createdBy: values.at(-1)?.by ?? "",
    ...(settable && { merge: { node: inward.nrOf(node) ?? 0, field, values: values.map(({ value }) => value) } }),
  };
}

const WORDS: Readonly<Record<string, string>> = {
  dependsOn: "dependencies",
  estimateHours: "estimate",
  parent: "place",
  body: "text",
};

async function commentsOn(writer: Writer, plan: MergedPlan, inward: Inward): Promise<ItemChange[]> {
  const wanted = [...plan.late.map(lateRemark), ...unknownRemarks(plan, inward)];
  const own = (await writer.items("comment", {})).filter(({ fields }) => /^(late|approved) /.test(originOf(fields)));
  const known = new Set(own.map(({ fields }) => originOf(fields)));
  const gone = new Set(plan.items.filter(({ isThere }) => !isThere).map(({ id }) => id));
  // What was said while a node seemed finished is in its place again once the finish is taken back.
  const names = new Set(wanted.map(({ id }) => id));
  const changes: ItemChange[] = own
    .filter(({ fields }) => !names.has(originOf(fields)))
    .map(({ entity, key, fields }) => ({ entity, key, before: { ...fields }, after: null }));
  for (const { id, node, text, by, at } of wanted) {
    const nr = inward.nrOf(node);
    if (nr === null || known.has(id) || gone.has(id)) continue;
    const key = itemKey("COM", await writer.number("COM"));
    const fields = { state: "kept", node: nr, text, createdAt: at, createdBy: by, origin: id } as const;
    changes.push(createItem("comment", key, fields));
  }
  return changes;
}

const lateRemark = ({ id, node, field, value, by, at }: MergedPlan["late"][number]): Remark => ({
  id,
  node,
  by,
  at,
  text: `While this was finished, ${by} changed its ${WORDS[field] ?? field}: ${shown(value)}`,
});

/** Only on the topmost node of those that were approved together. */
function unknownRemarks(plan: MergedPlan, inward: Inward): Remark[] {
  const unknown = new Map(inward.unknown.map((each) => [each.node, each]));
  return inward.unknown.flatMap(({ node, by }) => {
    const fields = plan.nodes.get(node)?.fields ?? {};
    const at = (fields["approval"] as { at?: number } | null)?.at ?? 0;
    if (unknown.has(String(fields["parent"]))) return [];
    const text = `${by} approved this in another clone. This plan does not know their key, so it does not count here.`;
    return [{ id: `approved ${node} ${by} ${at}`, node, by, at, text }];
  });
}
