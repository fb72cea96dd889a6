// An existing plan, or one branch of it, as a draft, so that lint, reviewers and revisions work on plans that people edited by
// hand as they do on new ones. And the way back: a draft as nodes to add or change, and what applying it would do to the plan.

import type { NodeInput } from "../../model/node/content.js";
import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { spaced } from "../../model/words.js";
import type { Addition } from "../../plan/node/add.js";
import type { Reader } from "../../store/store.js";
import { defined } from "../contracts/common.js";
import { type DraftNodes, type DraftTask, emptyDraft, type PlanDraft } from "../contracts/plan-draft.js";

/** What is needed of a node: names instead of numbers. */
export type PlanNode = Awaited<ReturnType<typeof toPlanNodes>>[number];

/** Takes what is open. The store makes land tasks itself. */
export function draftOf(nodes: readonly PlanNode[]): PlanDraft {
  const open = nodes.filter(({ settled }) => !settled);
  const features = open.filter(({ tier }) => tier === "feature");
  const stories = open.filter(({ tier }) => tier === "story");
  const tasks = open.filter(({ tier, kind }) => tier === "task" && kind !== "land");
  const top = open.find(({ tier }) => tier === "mission" || tier === "initiative") ?? features[0] ?? open[0];
  const { title, body: overview } = top ?? { title: "Plan", body: "" };
  return {
    ...emptyDraft(),
    title,
    overview,
    initiatives: open.filter(({ tier }) => tier === "initiative").map(({ id, title, body }) => ({ id, title, body })),
    features: features.map(({ id, title, body, parent }) => ({ id, title, body, ...(parent !== null && { parent }) })),
    stories: stories.map(({ id, title, body, parent }) => ({ id, title, body, feature: parent ?? "" })),
    tasks: tasks.map(taskOfNode),
  };
}

const taskOfNode = (node: PlanNode): DraftTask => ({
  id: node.id,
  parent: node.parent ?? "",
  kind: node.kind === "gate" || node.kind === "review" ? node.kind : "work",
  title: node.title,
  body: node.body,
  behaviours: [],
  requirements: [],
  quotes: [],
  dependsOn: [...node.dependsOn],
  files: node.files.map((path) => ({ path, action: "modify", purpose: "" })),
  symbols: [...node.symbols],
  checks: node.checks.map((check) => ({ ...check })),
  ...defined({
    profile: node.profile ?? undefined,
    priority: node.priority ?? undefined,
    estimateHours: node.estimateHours ?? undefined,
  }),
  steelThread: false,
});

/** What planning knows of a task and the graph does not keep, from the draft that it came from. */
export function withDraftDetails(draft: PlanDraft, earlier: PlanDraft): PlanDraft {
  const known = new Map(earlier.tasks.map((task) => [idKey(task.id), task]));
  const tasks = draft.tasks.map((task): DraftTask => {
    const old = known.get(idKey(task.id));
    if (!old) return task;
    const { behaviours, requirements, quotes, steelThread, sizeReason } = old;
    const actions = new Map(old.files.map((file) => [file.path, file]));
    const files = task.files.map((file) => actions.get(file.path) ?? file);
    return {
      ...task,
      // If it was not edited, the author gets their own words back.
      body: task.body === taskBody(old) ? old.body : task.body,
      behaviours,
      requirements,
      quotes,
      steelThread,
      files,
      ...defined({ sizeReason }),
    };
  });
  return { ...draft, tasks };
}

export const isSettledNode = ({ outcome, archive }: Node): boolean => outcome !== null || archive !== null;

export async function toPlanNodes(reader: Reader, nodes: readonly Node[]) {
  const ids = new Map(nodes.map(({ nr, id }) => [nr, id]));
  const elsewhere = new Set(nodes.flatMap((node) => [node.parent ?? node.nr, ...statedBy(node)]));
  for (const nr of elsewhere) if (!ids.has(nr)) ids.set(nr, (await reader.node(nr))?.id ?? "");
  const nameOf = (nr: number): string => ids.get(nr) as string;
  return nodes.map((node) => ({
    id: node.id,
    tier: node.tier,
    kind: node.kind,
    title: node.title,
    body: node.body,
    parent: node.parent === null ? null : nameOf(node.parent),
    /** What it was stated to depend on; edges that sequencing added are left out. */
    dependsOn: statedBy(node).map(nameOf),
    files: node.files,
    symbols: node.symbols,
    checks: node.checks,
    profile: node.profile,
    priority: node.priority,
    estimateHours: node.estimateHours,
    /** Done, waived, dropped or archived: nothing changes it any more. */
    settled: isSettledNode(node),
  }));
}

const statedBy = ({ dependsOn }: Node): number[] =>
  dependsOn.filter(({ origin }) => origin === "stated").map(({ on }) => on);

/** What a task's body says in the plan: the author's words, then where they come from. Bundles read these lines. */
export function taskBody({ body, behaviours, requirements, quotes, files }: DraftTask): string {
  const purposes = files
    .filter(({ purpose }) => purpose.trim() !== "")
    .map(({ path, action, purpose }) => `- ${path} (${action}): ${spaced(purpose)}`);
  const own = body.trim();
  const sources = [
    purposes.length > 0 ? `Files:\n${purposes.join("\n")}` : "",
    quotes.length > 0 ? `From the spec:\n${quotes.map((quote) => `> ${spaced(quote)}`).join("\n")}` : "",
    behaviours.length > 0 ? `Behaviours: ${behaviours.join(", ")}` : "",
    requirements.length > 0 ? `Requirements: ${requirements.join(", ")}` : "",
  ];
  // A body that was read from the plan has them already.
  const there = new Set(own.split("\n\n"));
  return [own, ...sources.filter((part) => !there.has(part))].filter((part) => part !== "").join("\n\n");
}

export const additionsOf = (draft: DraftNodes): Addition[] =>
  inputsOf(draft).map((input) => ({ input, where: `${input.id} "${input.title.slice(0, 40)}"` }));

/** What a draft leaves out of a node is left as it is. */
const inputsOf = ({ initiatives, features, stories, tasks }: DraftNodes): (NodeInput & NamedNode)[] => [
  ...initiatives.map(({ id, title, body }) => ({ id, tier: "initiative" as const, title, body })),
  ...features.map(({ id, title, body, parent }) => ({
    id,
    tier: "feature" as const,
    title,
    body,
    ...defined({ parent }),
  })),
  ...stories.map(({ id, title, body, feature }) => ({ id, tier: "story" as const, title, body, parent: feature })),
  ...tasks.map(taskInput),
];

const taskInput = (task: DraftTask): NodeInput & NamedNode => {
  const { id, title, parent, kind, dependsOn, symbols, profile, priority, estimateHours } = task;
  return {
    id,
    tier: "task",
    title,
    body: taskBody(task),
    parent,
    kind,
    dependsOn,
    files: [...new Set(task.files.map(({ path }) => path))],
    symbols,
    checks: task.checks.map(({ run, expect, timeoutS, cwd }) => ({ run, ...defined({ expect, timeoutS, cwd }) })),
    ...defined({ profile, priority, estimateHours }),
  };
};

export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface NamedNode {
  readonly id: string;
  readonly tier: PlanNode["tier"];
  readonly title: string;
}

export interface DraftDiff {
  readonly added: readonly NamedNode[];
  readonly changed: readonly (NamedNode & { readonly fields: readonly FieldChange[] })[];
  /** Open nodes that the draft no longer has. */
  readonly dropped: readonly NamedNode[];
  /** The same as before, and everything that is settled. */
  readonly kept: readonly NamedNode[];
  /** What an approval would approve that is not approved now. */
  readonly approves?: readonly string[];
  /** Why an approval would be refused as things are. */
  readonly cannotApprove?: string;
}

/** `nodes`: those of the branch that is planned again. */
export function diffDraft(nodes: readonly PlanNode[], draft: PlanDraft): DraftDiff {
  const old = new Map(nodes.map((node) => [idKey(node.id), node]));
  const wanted = inputsOf(draft);
  const added: NamedNode[] = [];
  const changed: (NamedNode & { fields: FieldChange[] })[] = [];
  const kept: NamedNode[] = [];
  for (const { id, tier, ...fields } of wanted) {
    const named = { id, tier, title: fields.title };
    const node = old.get(idKey(id));
    if (!node) {
      added.push(named);
      continue;
    }
    const changes = node.settled ? [] : changesOf(node, fields);
    if (changes.length === 0) kept.push(nameOf(node));
    else changed.push({ ...named, fields: changes });
  }
  const stays = new Set(wanted.map(({ id }) => idKey(id)));
  const others = nodes.filter(({ id, tier, kind }) => !stays.has(idKey(id)) && tier !== "mission" && kind !== "land");
  const dropped = others.filter(({ settled }) => !settled).map(nameOf);
  return { added, changed, dropped, kept: [...kept, ...others.filter(({ settled }) => settled).map(nameOf)] };
}

const nameOf = ({ id, tier, title }: PlanNode): NamedNode => ({ id, tier, title });

function changesOf(node: PlanNode, fields: object): FieldChange[] {
  const before: Readonly<Record<string, unknown>> = { ...node };
  return Object.entries(fields)
    .filter(([field, after]) => after !== undefined && canonical(field, before[field]) !== canonical(field, after))
    .map(([field, after]) => ({ field, before: before[field], after }));
}

/** Lists of names say the same in any order, ids in any case. */
function canonical(field: string, value: unknown): string {
  if (field === "parent") return typeof value === "string" ? idKey(value) : "";
  if (field === "dependsOn") return JSON.stringify([...new Set((value as readonly string[]).map(idKey))].sort());
  if (field === "files" || field === "symbols") return JSON.stringify([...new Set(value as readonly string[])].sort());
  if (field !== "checks") return JSON.stringify(value) ?? "";
  return JSON.stringify(
    (value as readonly object[]).map((check) => Object.entries(check).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
}
