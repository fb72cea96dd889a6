// A draft becomes part of the plan: one operation that adds, changes and drops, and, when a person says so, approves.
// Finished work is left alone, and nothing outside the run's own scope is changed.

import { changeItem } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import { contentProblem } from "../../model/node/content.js";
import { displayId, idKey } from "../../model/node/ids.js";
import { type Birth, type Node, type NodeFields, type Nr, newNode, type Tier } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import { dropPatch } from "../../model/rules/give-up.js";
import { type Context, rehearse } from "../../plan/base/context.js";
import { type Addition, decideAdditions } from "../../plan/node/add.js";
import { hashOf } from "../../plan/node/approve.js";
import { mayGiveUp } from "../../plan/node/require-person.js";
import { type Maker, saveRecord } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import { nodesOf, type PlanDraft } from "../contracts/plan-draft.js";
import { additionsOf, type DraftDiff, isSettledNode } from "../draft/plan-nodes.js";
import { sequence } from "../draft/sequence.js";
import { compare, holdToBase, holdToBranch } from "./compare.js";
import { placeAssumptions, recordsMadeBy, recordsOfWords } from "./run-records.js";
import type { Run } from "./stored-run.js";
import { nameIn, namesIn, refuseDuplicate, renamed } from "./subject.js";

export interface Application {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly dropped: readonly string[];
  readonly approved: readonly string[];
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
): Promise<Result<Application>> {
  const known = namesIn(written, run.fields.applied);
  const before = await compare(writer, run, renamed(written, known));
  const held = holdToBase(run, renamed(written, known), before);
  if (!held.ok) return held;
  const names = await nameAll(writer, known, written, before.scope);
  const draft = renamed(written, names);
  const { diff, dropped } = await compare(writer, run, draft);
  const isNew = await refuseDuplicate(writer, run, draft, diff);
  if (!isNew.ok) return isNew;
  const inside = await holdToBranch(writer, run, draft, before.scope);
  if (!inside.ok) return inside;
  const additions = additionsOf(draft);
  const sound = await areSound(writer, run, additions);
  if (!sound.ok) return sound;
  // What is as it was is not written again, so that the order of a list alone changes nothing.
  const touched = new Set([...diff.added, ...diff.changed].map(({ id }) => idKey(id)));
  const changing = additions.filter(({ input }) => touched.has(idKey(input.id ?? "")));
  const decided = await decideAdditions(writer, context, at, changing);
  if (!decided.ok) return decided;
  const plan = await NextState.after(writer, decided.value.changes, at);
  await plan.order(draft);
  const may = mayGiveUp(context.actor, dropped);
  if (!may.ok) return may;
  const maker = { by: context.actor, at };
  const patch = dropPatch({ ...maker, op: writer.op }, `replanned by ${run.key}`);
  const approved = approve ? await plan.approve(...approvable(run, draft, before.scope, touched), maker) : [];
  const changes = [
    ...plan.changes,
    ...dropped.flatMap((node) => changeNode(node, patch)),
    // Whoever approves it takes it for the whole plan, also where it adds nothing.
    ...(approve ? before.scope : []).flatMap((node) => changeNode(node, { awaitsPlan: null })),
    ...(await recordsOf(writer, run, draft, plan, maker, approve)),
  ];
  const { added, changed } = decided.value.value;
  return ok({ added, changed, dropped: diff.dropped.map(({ id }) => id), approved, names, changes });
}

/** The land tasks that the store made by itself, with the features that an operation added or filled. */
export async function landsMadeBy(reader: Reader, op: number): Promise<Node[]> {
  const lands: Node[] = [];
  for (const change of await reader.changes(op)) {
    if (change.entity !== "node" || change.before !== null) continue;
    const node = await reader.node(change.key);
    if (node?.kind === "land") lands.push(node);
  }
  return lands;
}

/** An agent may look, too, but only a person approves. */
const APPROVER = "human:approver";

/** The same without doing it; nodes that would be new go by the ids of the draft. */
export async function diffOfRun(context: Context, run: Run, written: PlanDraft): Promise<DraftDiff> {
  const draft = renamed(written, namesIn(written, run.fields.applied));
  const { diff } = await context.store.read((reader) => compare(reader, run, draft));
  const asPerson = { ...context, actor: APPROVER };
  const approves = await rehearse(
    asPerson,
    (writer, at) => decideApplication(writer, asPerson, run, written, at, true),
    async (_, application) => approvedIn(application),
  );
  return approves.ok ? { ...diff, approves: approves.value } : { ...diff, cannotApprove: approves.error.message };
}

function approvedIn({ approved, added, names }: Application): string[] {
  const drafted = new Map(Object.entries(names).map(([id, name]) => [name, id]));
  return approved.map((id) => (added.includes(id) ? (drafted.get(id) ?? id) : id));
}

/** The node that was expanded is approved with what is below it now: a person approves the branch. */
function approvable(
  run: Run,
  draft: PlanDraft,
  scope: readonly Node[],
  touched: ReadonlySet<string>,
): [ids: string[], touched: ReadonlySet<string>] {
  const root = run.machine.mode === "expand" ? scope.find(({ nr }) => nr === run.fields.node)?.id : undefined;
  const ids = nodesOf(draft).map(({ id }) => id);
  if (root === undefined) return [ids, touched];
  return [[root, ...ids.filter((id) => idKey(id) !== idKey(root))], new Set([idKey(root), ...touched])];
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
    const problem = contentProblem(input);
    if (problem !== undefined) return usage("bad-value", `${where}: ${problem}.`);
    const unknown = namedBy(addition).find((id) => !known.has(idKey(id)));
    if (unknown !== undefined)
      return refused("unknown-id", `${where}: it names ${unknown}, which neither the draft nor the plan has.`, {
        next: [step("plan.revise", { run: run.key }, "note")],
      });
  }
  return ok(undefined);
}

const TIERS_OF_DRAFT = [
  ["initiatives", "initiative"],
  ["features", "feature"],
  ["stories", "story"],
  ["tasks", "task"],
] as const satisfies readonly (readonly [keyof PlanDraft, Tier])[];

/** Ids of the run's own nodes stay; every other id of the draft gets a fresh one. */
async function nameAll(
  writer: Writer,
  known: Readonly<Record<string, string>>,
  draft: PlanDraft,
  scope: readonly Node[],
): Promise<Record<string, string>> {
  const own = new Map(scope.map(({ id }) => [idKey(id), id]));
  const names: Record<string, string> = { ...known };
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

/** The author's decisions become records; what the run only proposed holds once a person has approved the plan. */
async function recordsOf(
  writer: Writer,
  run: Run,
  draft: PlanDraft,
  plan: NextState,
  maker: Maker,
  approve: boolean,
): Promise<Change[]> {
  const changes: Change[] = [];
  const known = await recordsMadeBy(writer, run.key);
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
      proposed: !approve,
    } as const;
    changes.push(...(await saveRecord(writer, record, maker)).changes);
  }
  const [feature, ...others] = draft.features;
  const scope = feature && others.length === 0 ? await plan.nr(feature.id) : undefined;
  if (scope !== undefined) changes.push(...(await placeAssumptions(writer, run.key, scope)));
  changes.push(...(await recordsOfWords(writer, run, scope ?? null, maker, approve)));
  if (!approve) return changes;
  for (const item of known) {
    if (item.fields.state !== "proposed") continue;
    changes.push(...changeItem(item, { state: "active", approvedBy: maker.by, approvedAt: maker.at }));
  }
  return changes;
}

/** The plan as the operation will leave it: nodes with everything that was decided about them so far. */
class NextState {
  readonly #writer: Writer;
  readonly #pending = new Map<Nr, Node>();
  /** Those that are only being made, by id. */
  readonly #made = new Map<string, Nr>();
  readonly changes: Change[] = [];

  private constructor(writer: Writer) {
    this.#writer = writer;
  }

  static async after(writer: Writer, changes: readonly Change[], at: number): Promise<NextState> {
    const state = new NextState(writer);
    for (const change of changes) {
      state.changes.push(change);
      if (change.entity !== "node" || change.after === null) continue;
      const { key, before, after } = change;
      const node = before === null ? newNode(key, after as Birth, at) : await state.#byNr(key);
      if (before === null) state.#made.set(idKey(node?.id ?? ""), key);
      if (node) state.#pending.set(key, { ...node, ...after });
    }
    return state;
  }

  #change(node: Node, patch: Partial<NodeFields>): void {
    this.changes.push(...changeNode(node, patch));
    this.#pending.set(node.nr, { ...node, ...patch });
  }

  async #byNr(nr: Nr): Promise<Node | undefined> {
    return this.#pending.get(nr) ?? (await this.#writer.node(nr));
  }

  async node(id: string): Promise<Node | undefined> {
    const nr = await this.nr(id);
    return nr === undefined ? undefined : this.#byNr(nr);
  }

  async nr(id: string): Promise<Nr | undefined> {
    return this.#made.get(idKey(id)) ?? (await this.#writer.byId(id))?.nr;
  }

  /** The node and what is above it. A draft that no judge has seen yet may put a node below itself. */
  async #withAncestors(node: Node | undefined): Promise<Node[]> {
    const found = new Map<Nr, Node>();
    for (let at = node; at && !found.has(at.nr); ) {
      found.set(at.nr, at);
      at = at.parent === null ? undefined : await this.#byNr(at.parent);
    }
    return [...found.values()];
  }

  /** In an inbox, where nothing runs: whatever is in it is not approved by the way. */
  async #isShelved(node: Node): Promise<boolean> {
    return (await this.#withAncestors(node)).some(({ inbox }) => inbox);
  }

  /** Keeps tasks apart that touch the same files: edges that only delay. */
  async order(draft: PlanDraft): Promise<void> {
    for (const { task, on } of sequence(draft).added) {
      const [node, other] = [await this.node(task), await this.nr(on)];
      if (!node || other === undefined || node.dependsOn.some((edge) => edge.on === other) || isSettledNode(node))
        continue;
      this.#change(node, { dependsOn: [...node.dependsOn, { on: other, origin: "sequence" }] });
    }
  }

  /** What this operation makes or changes, and what was approved before; `ids` are all that it is about. */
  async approve(ids: readonly string[], touched: ReadonlySet<string>, approver: Maker): Promise<string[]> {
    const approved: string[] = [];
    for (const id of ids) {
      const node = await this.node(id);
      if (!node || isSettledNode(node) || (!touched.has(idKey(id)) && node.approval === null)) continue;
      if (await this.#isShelved(node)) continue;
      if (await this.#approveOne(node, approver)) approved.push(node.id);
    }
    return [...approved, ...(await this.#approveLandings(touched, approver))];
  }

  async #approveOne(node: Node, approver: Maker, renew = false): Promise<boolean> {
    const named = [...(node.parent === null ? [] : [node.parent]), ...node.dependsOn.map(({ on }) => on)];
    const pending = named.flatMap((nr) => this.#pending.get(nr) ?? []);
    const uuids = pending.map(({ nr, uuid }): [Nr, string] => [nr, uuid]);
    const hash = await hashOf(this.#writer, node, uuids);
    if (!renew && node.approval?.hash === hash) return false;
    this.#change(node, { approval: { ...approver, hash } });
    return true;
  }

  /** Work that joins an approved feature lands with it: its open land task, or the one that it gets now. */
  async #approveLandings(touched: ReadonlySet<string>, approver: Maker): Promise<string[]> {
    const approved: string[] = [];
    for (const feature of await this.#featuresOf(touched)) {
      if (feature.approval === null || isSettledNode(feature) || (await this.#isShelved(feature))) continue;
      const children = await this.#writer.children(feature.nr);
      const land = children.find((node) => node.kind === "land" && !isSettledNode(node));
      if (land && (await this.#approveOne(land, approver))) approved.push(land.id);
      // The store approves a land task with a feature that is approved in the same operation.
      if (!land && feature.approval.at !== approver.at) await this.#approveOne(feature, approver, true);
    }
    return approved;
  }

  async #featuresOf(ids: ReadonlySet<string>): Promise<Node[]> {
    const features = new Map<Nr, Node>();
    for (const id of ids) {
      const feature = (await this.#withAncestors(await this.node(id))).find(({ tier }) => tier === "feature");
      if (feature && !this.#made.has(idKey(feature.id))) features.set(feature.nr, feature);
    }
    return [...features.values()];
  }
}
