// A draft becomes part of the plan: one operation that adds, changes and drops, and, when a person says so, approves.
// Finished work is left alone, and nothing outside the run's own scope is changed.

import { type Addition, decideAdditions } from "../../actions/add.js";
import { hashOf } from "../../actions/approve.js";
import type { Context } from "../../actions/context.js";
import { mayGiveUp } from "../../actions/require-person.js";
import { saveRecord } from "../../actions/save-record.js";
import { type Change, changeNode, type NodeChange } from "../../graph/change.js";
import { type NodeInput, parseNode } from "../../graph/content.js";
import { dropPatch, toDrop } from "../../graph/drop.js";
import { displayId, idKey } from "../../graph/ids.js";
import { changeItem } from "../../graph/item.js";
import { type Birth, type Node, type Nr, newNode, type Tier } from "../../graph/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import type { Writer } from "../../store/store.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { sequence } from "../sequence.js";
import { placeAssumptions } from "./run-records.js";
import type { Run } from "./runs.js";
import { isSettledNode, nameIn, nodesInScope, renamed } from "./scope.js";
import { taskBody } from "./task-body.js";

export interface Applied {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly string[];
  readonly approved: readonly string[];
  /** Draft ids to ids of the plan. */
  readonly names: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
}

export async function decideApplication(
  writer: Writer,
  context: Context,
  run: Run,
  written: PlanDraft,
  at: number,
  approve: boolean,
): Promise<Result<Applied>> {
  const scope = await nodesInScope(writer, run);
  const names = await nameAll(writer, run, written, scope);
  const draft = renamed(written, names);
  const additions = additionsOf(draft);
  const sound = await areSound(writer, run, additions);
  if (!sound.ok) return sound;
  const decided = await decideAdditions(writer, context.actor, at, additions);
  if (!decided.ok) return decided;
  const plan = new Becoming(writer, decided.value.changes, at);
  await plan.order(draft);
  const dropped = await dropsOf(run, draft, scope);
  const may = mayGiveUp(context.actor, dropped);
  if (!may.ok) return may;
  const patch = dropPatch({ by: context.actor, at, op: writer.op }, `replanned by ${run.key}`);
  const approved = approve ? await plan.approve(draft, context.actor, at) : [];
  const changes = [
    ...plan.changes,
    ...dropped.flatMap((node) => changeNode(node, patch)),
    ...(await recordsOf(writer, run, draft, plan, { by: context.actor, at }, approve)),
  ];
  const { added, changed } = decided.value.value;
  return ok({ added, changed, dropped: dropped.map(({ id }) => id), approved, names, changes });
}

/** What an author writes is held to the same rules as what people type, and names others by their ids alone: a word
 *  that happens to be in a title is no name. */
async function areSound(writer: Writer, run: Run, additions: readonly Addition[]): Promise<Result<void>> {
  const known = new Set(additions.map(({ input }) => idKey(input.id ?? "")));
  const namedBy = ({ input }: Addition): string[] => [
    ...(input.parent === undefined ? [] : [input.parent]),
    ...(input.dependsOn ?? []),
  ];
  const others = [...new Set(additions.flatMap(namedBy))].filter((id) => !known.has(idKey(id)));
  for (const { id } of await writer.byIds(others)) known.add(idKey(id));
  for (const addition of additions) {
    const { input, where } = addition;
    const parsed = parseNode(input, where);
    if (!parsed.ok) return parsed;
    const unknown = namedBy(addition).find((id) => !known.has(idKey(id)));
    if (unknown !== undefined) {
      return refused("unknown-id", `${where}: it names ${unknown}, which neither the draft nor the plan has.`, {
        hint: `\`planwright plan revise ${run.key} --note TEXT\` has it mended.`,
      });
    }
  }
  return ok(undefined);
}

const TIERS_OF_DRAFT = [
  ["features", "feature"],
  ["stories", "story"],
  ["tasks", "task"],
] as const satisfies readonly (readonly [keyof PlanDraft, Tier])[];

/** Ids of the run's own nodes stay; every other id of the draft gets a fresh one. */
async function nameAll(
  writer: Writer,
  run: Run,
  draft: PlanDraft,
  scope: readonly Node[],
): Promise<Record<string, string>> {
  const own = new Map(scope.map(({ id }) => [idKey(id), id]));
  const names: Record<string, string> = { ...run.fields.applied };
  for (const [part, tier] of TIERS_OF_DRAFT) {
    const fresh: string[] = [];
    for (const { id } of draft[part]) {
      const kept = own.get(idKey(nameIn(names, id)));
      if (kept === undefined) fresh.push(id);
      else names[id] = kept;
    }
    if (fresh.length === 0) continue;
    let number = await writer.mint(tier, fresh.length);
    for (const id of fresh) names[id] = displayId(tier, number++);
  }
  return names;
}

export function additionsOf(draft: Pick<PlanDraft, "features" | "stories" | "tasks">): Addition[] {
  const inputs: NodeInput[] = [
    ...draft.features.map(
      ({ id, title, body, parent }): NodeInput => ({
        id,
        tier: "feature",
        title,
        body,
        ...(parent === undefined ? {} : { parent }),
      }),
    ),
    ...draft.stories.map(
      ({ id, title, body, feature }): NodeInput => ({ id, tier: "story", title, body, parent: feature }),
    ),
    ...draft.tasks.map(taskInput),
  ];
  return inputs.map((input) => ({ input, where: `${input.id ?? ""} "${input.title.slice(0, 40)}"` }));
}

const taskInput = (task: DraftTask): NodeInput => {
  const { id, parent, kind, title, dependsOn, files, symbols, checks, profile, priority, estimateHours } = task;
  return {
    id,
    tier: "task",
    kind,
    title,
    body: taskBody(task),
    parent,
    dependsOn,
    files: [...new Set(files.map(({ path }) => path))],
    symbols,
    checks: checks.map(({ run, expect, timeoutS, cwd }) => ({
      run,
      ...(expect === undefined ? {} : { expect }),
      ...(timeoutS === undefined ? {} : { timeoutS }),
      ...(cwd === undefined ? {} : { cwd }),
    })),
    ...(profile === undefined ? {} : { profile }),
    ...(priority === undefined ? {} : { priority }),
    ...(estimateHours === undefined ? {} : { estimateHours }),
  };
};

/** The plan as the operation will leave it. */
class Becoming {
  readonly #writer: Writer;
  readonly #at: number;
  readonly #births = new Map<string, NodeChange>();
  readonly changes: Change[];

  constructor(writer: Writer, changes: readonly Change[], at: number) {
    this.#writer = writer;
    this.#at = at;
    this.changes = [...changes];
    for (const change of changes) {
      const id = change.entity === "node" && change.before === null ? change.after?.id : undefined;
      if (id !== undefined) this.#births.set(idKey(id), change as NodeChange);
    }
  }

  /** With everything that was decided about it so far. */
  async node(id: string): Promise<Node | undefined> {
    const birth = this.#births.get(idKey(id));
    const start = birth ? newNode(birth.key, birth.after as Birth, this.#at) : await this.#writer.byId(id);
    if (!start) return undefined;
    let node = start;
    for (const change of this.changes) {
      if (change.entity === "node" && change.key === start.nr && change.before !== null)
        node = { ...node, ...change.after };
    }
    return node;
  }

  async nr(id: string): Promise<Nr | undefined> {
    return this.#births.get(idKey(id))?.key ?? (await this.#writer.byId(id))?.nr;
  }

  /** Keeps tasks apart that touch the same files: edges that only delay. */
  async order(draft: PlanDraft): Promise<void> {
    for (const { task, on } of sequence(draft).added) {
      const [node, other] = [await this.node(task), await this.nr(on)];
      if (!node || other === undefined || node.dependsOn.some((edge) => edge.on === other) || isSettledNode(node))
        continue;
      const dependsOn = [...node.dependsOn, { on: other, origin: "sequence" as const }];
      this.changes.push(...changeNode(node, { dependsOn }));
    }
  }

  async approve(draft: PlanDraft, by: string, at: number): Promise<string[]> {
    const fresh = [...this.#births.values()].map(({ key, after }): [Nr, string] => [key, after?.uuid ?? ""]);
    const approved: string[] = [];
    for (const { id } of [...draft.features, ...draft.stories, ...draft.tasks]) {
      const node = await this.node(id);
      if (!node || isSettledNode(node)) continue;
      const hash = await hashOf(this.#writer, node, fresh);
      if (node.approval?.hash === hash) continue;
      this.changes.push(...changeNode(node, { approval: { by, at, hash } }));
      approved.push(node.id);
    }
    return approved;
  }
}

/** Open nodes of a revised branch that the draft no longer has. */
async function dropsOf(run: Run, draft: PlanDraft, scope: readonly Node[]): Promise<Node[]> {
  const stays = new Set([...draft.features, ...draft.stories, ...draft.tasks].map(({ id }) => idKey(id)));
  const [first] = scope;
  if (!first) return [];
  const gone = ({ id, nr, tier }: Node): boolean =>
    !stays.has(idKey(id)) && nr !== run.fields.node && (tier === "feature" || tier === "story" || tier === "task");
  return toDrop([first, ...scope.slice(1)], gone);
}

/** The author's decisions become records; what the run only proposed holds once a person has approved the plan. */
async function recordsOf(
  writer: Writer,
  run: Run,
  draft: PlanDraft,
  plan: Becoming,
  maker: { readonly by: string; readonly at: number },
  approve: boolean,
): Promise<Change[]> {
  const changes: Change[] = [];
  const known = (await writer.items("record", {})).filter(({ fields }) => fields.run === run.key);
  const titles = new Set(known.map(({ fields }) => fields.title));
  for (const { title, choice, because, alternatives, tasks } of draft.decisions) {
    if (titles.has(title)) continue;
    const linked = (await Promise.all(tasks.map((id) => plan.nr(id)))).filter((nr) => nr !== undefined);
    const record = {
      kind: "decision",
      title,
      body: choice,
      because,
      alternatives,
      tasks: linked,
      run: run.key,
    } as const;
    changes.push(...(await saveRecord(writer, record, maker)).changes);
  }
  const [feature, ...others] = draft.features;
  const scope = feature && others.length === 0 ? await plan.nr(feature.id) : undefined;
  if (scope !== undefined) changes.push(...(await placeAssumptions(writer, run.key, scope)));
  if (!approve) return changes;
  for (const item of known) {
    if (item.fields.state !== "proposed") continue;
    changes.push(...changeItem(item, { state: "active", approvedBy: maker.by, approvedAt: maker.at }));
  }
  return changes;
}
