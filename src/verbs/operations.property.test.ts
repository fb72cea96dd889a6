// Random sequences of verbs, through the actions: the log always replays to the stored rows, nothing
// that must hold is ever broken, and taking everything back, newest first, arrives at the start.

import { array, asyncProperty, boolean, constantFrom, assert as holdsFor, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { makePlan, type TestPlan } from "../../test/plan.js";
import type { Node, Nr, Tier } from "../model/node/node.js";
import { checkEdges, checkFacts, checkParent } from "../model/operation/invariants.js";
import { subjectOf } from "../model/operation/undo.js";
import { findCycle } from "../model/order/cycle.js";
import type { Result } from "../model/result.js";
import { landsWork } from "../model/rules/land.js";
import { countsForLanding, isFinished } from "../model/status/rollup.js";
import { accept } from "../plan/claim/settle-tasks.js";
import { add } from "../plan/node/add.js";
import { approve } from "../plan/node/approve.js";
import type { NodeView } from "../plan/node/view.js";
import { archive } from "./branch/archive.js";
import { drop } from "./branch/drop.js";
import { freeze } from "./branch/freeze.js";
import { restore } from "./branch/restore.js";
import { thaw } from "./branch/thaw.js";
import { unapprove } from "./branch/unapprove.js";
import { waive } from "./branch/waive.js";
import { redo, undo } from "./history/take-back.js";
import { setFocus } from "./node/focus.js";
import { move } from "./node/move.js";
import { promote } from "./node/promote.js";
import { show } from "./node/read-node.js";
import { unlink } from "./node/unlink.js";
import { replan } from "./plan/replan.js";
import { failTask } from "./task/fail.js";
import { complete } from "./task/hand-in.js";
import { next } from "./task/next.js";

interface Step {
  readonly verb: string;
  /** Which node, which second node, which actor: taken modulo what there is. */
  readonly a: number;
  readonly b: number;
  readonly agent: boolean;
}

type Verb = (plan: TestPlan, nodes: readonly Node[], step: Step) => Promise<Result<unknown>>;

/** One of those to which it matters, if there are any. */
function pick(nodes: readonly Node[], n: number, matters: (node: Node) => boolean = () => true): string {
  const those = nodes.filter(matters);
  const from = those.length > 0 ? those : nodes;
  return from[n % from.length]?.id ?? "NOTHING";
}

const isTask = (node: Node): boolean => node.tier === "task";
const holds =
  (...tiers: readonly Tier[]) =>
  (node: Node): boolean =>
    tiers.includes(node.tier) && node.outcome === null && node.archive === null;

/** Claims a task, hands it in, and has it accepted or given up. */
async function work(plan: TestPlan, person: TestPlan, { a, b }: Step): Promise<Result<unknown>> {
  const claimed = await next(plan, {});
  const [given] = claimed.ok ? claimed.value : [];
  if (!given) return claimed;
  const { id: reference } = given.task;
  if (b % 5 === 0) return failTask(plan, { reference, token: given.token, reason: "it does not work" });
  const handedIn = await complete(plan, { reference, token: given.token });
  return a % 5 === 0 ? handedIn : accept(person, { references: [reference], reason: "looks right" });
}

/** Any operation so far, by its number. */
const anyOf = (plan: TestPlan, n: number): Promise<string> =>
  plan.store.read(async (reader) => String(1 + (n % ((await reader.operations({ limit: 1 }))[0]?.op ?? 1))));

const VERBS: Readonly<Record<string, Verb>> = {
  "add task": (plan, nodes, { a, b }) => {
    const parent = pick(nodes, a, holds("feature", "story"));
    return add(plan, [{ where: "task", input: { title: "Another", parent, dependsOn: [pick(nodes, b, isTask)] } }]);
  },
  "add gate": (plan, nodes, { a }) =>
    add(plan, [{ where: "gate", input: { kind: "gate", title: "A gate", parent: pick(nodes, a, holds("story")) } }]),
  "add story": (plan, nodes, { a }) =>
    add(plan, [
      { where: "story", input: { tier: "story", title: "A story", parent: pick(nodes, a, holds("feature")) } },
    ]),
  "add feature": (plan) => add(plan, [{ where: "feature", input: { tier: "feature", title: "A feature" } }]),
  link: (plan, nodes, { a, b }) =>
    add(plan, [{ where: "link", input: { id: pick(nodes, a), title: "Linked", dependsOn: [pick(nodes, b)] } }]),
  unlink: (plan, nodes, { a }) => {
    const from = nodes.filter((node) => node.dependsOn.length > 0)[a % 3] ?? nodes[0];
    const on = nodes.filter((node) => from?.dependsOn.some((edge) => edge.on === node.nr)).map((node) => node.id);
    return unlink(plan, { reference: from?.id ?? "NOTHING", on });
  },
  move: (plan, nodes, { a, b }) =>
    move(plan, { references: [pick(nodes, a, holds("story", "task"))], to: pick(nodes, b, holds("feature", "story")) }),
  focus: (plan, nodes, { a }) => setFocus(plan, pick(nodes, a)),
  approve: (plan, nodes, { a }) => approve(plan, { references: [pick(nodes, a, (n) => n.approval === null)] }),
  "approve all": (plan) => approve(plan, { references: ["MISSION"] }),
  "approve to": (plan, nodes, { a, b }) =>
    approve(plan, { references: [pick(nodes, a, isTask)], to: pick(nodes, b, holds("feature", "story")) }),
  unapprove: (plan, nodes, { a }) =>
    unapprove(plan, { references: [pick(nodes, a, (n) => n.approval !== null && n.outcome === null)] }),
  freeze: (plan, nodes, { a, b }) => freeze(plan, { references: [pick(nodes, a), pick(nodes, b)] }),
  thaw: (plan, nodes, { a, b }) =>
    thaw(plan, { references: [pick(nodes, a, (n) => n.freeze !== null)], partial: b % 3 === 0, drop: b % 5 === 0 }),
  next: (plan, _, { a }) => next(plan, { count: 1 + (a % 3) }),
  work: (plan, _, step) => work(plan, plan.as("human:ada"), step),
  "work more": (plan, _, step) => work(plan, plan.as("human:ada"), step),
  gate: (plan, nodes, { a }) => complete(plan, { reference: pick(nodes, a, (n) => n.kind === "gate") }),
  land: (plan, nodes, { a }) => {
    const finished = new Set(nodes.filter((n) => n.tasksLive > 0 && n.tasksLive === n.tasksFinished).map((n) => n.nr));
    return complete(plan, { reference: pick(nodes, a, (n) => n.kind === "land" && finished.has(n.parent ?? 0)) });
  },
  waive: (plan, nodes, { a }) =>
    waive(plan, { references: [pick(nodes, a, holds("task", "story"))], reason: "not needed" }),
  "waive any": (plan, nodes, { a }) => waive(plan, { references: [pick(nodes, a)], reason: "not needed" }),
  drop: (plan, nodes, { a }) => drop(plan, { references: [pick(nodes, a, isTask)] }),
  "drop any": (plan, nodes, { a }) => drop(plan, { references: [pick(nodes, a)] }),
  replan: (plan, nodes, { a }) =>
    replan(plan, { reference: pick(nodes, a, holds("story")), reason: "it did not work" }),
  promote: (plan, nodes, { a }) => promote(plan, { note: "found", from: pick(nodes, a, isTask) }),
  archive: (plan, nodes, { a }) => archive(plan, { references: [pick(nodes, a, (n) => !isTask(n) && isFinished(n))] }),
  restore: (plan, nodes, { a }) => restore(plan, { references: [pick(nodes, a, (n) => n.archive !== null)] }),
  undo: (plan) => undo(plan),
  "undo any": async (plan, _, { a }) => undo(plan, await anyOf(plan, a)),
  "undo another": async (plan, _, { a }) => undo(plan, await anyOf(plan, a)),
  "undo node": (plan, nodes, { a }) => undo(plan, pick(nodes, a)),
  redo: (plan) => redo(plan),
  "redo another": (plan) => redo(plan),
  "redo any": async (plan, _, { a }) => redo(plan, Number(await anyOf(plan, a))),
};

const nodesOf = (plan: TestPlan): Promise<Node[]> =>
  plan.store.read(async (reader) => {
    const nodes: Node[] = [];
    for await (const node of reader.scan()) nodes.push(node);
    return nodes;
  });

/**
 * Walks the log backwards: what was done is taken back, what was taken back is done again. A claim that
 * was taken back is not done again, so the way ends there; says whether it led to the start.
 */
async function turnBack(plan: TestPlan, to: number): Promise<boolean> {
  const turns = await plan.store.read((reader) => reader.operations({ limit: 1000, after: to }));
  for (const turn of turns) {
    const subject = subjectOf(turn);
    const turned = await (turn.undoes === null ? undo(plan, String(subject)) : redo(plan, subject));
    if (!turned.ok && turned.error.reason === "claim-ended") return false;
    expect(turned.ok ? null : turned.error).toBeNull();
  }
  return true;
}

/** Tasks whose claims were counted down: a late worker could come back. */
function countedDown(before: readonly Node[], after: readonly Node[]): string[] {
  const epochs = new Map<Nr, number>(before.map((node) => [node.nr, node.epoch]));
  return after.filter((node) => node.epoch < (epochs.get(node.nr) ?? 0)).map((node) => node.id);
}

/** Everything that must hold, looked at from nothing. */
function violations(nodes: readonly Node[]): string[] {
  const all = new Map<Nr, Node>(nodes.map((node) => [node.nr, node]));
  const lookup = (nr: Nr): Node | undefined => all.get(nr);
  const found = nodes.flatMap((n) => [...checkParent(n, lookup), ...checkEdges(n, lookup), ...checkFacts(n)]);
  const below = (nr: Nr): Nr[] => nodes.filter((node) => node.parent === nr).map((node) => node.nr);
  const cycle = findCycle(all.keys(), (nr) => [...(all.get(nr)?.dependsOn ?? []).map((e) => e.on), ...below(nr)]);
  const lands = nodes
    .filter((n) => n.tier === "feature" && landsWork(n))
    .flatMap((feature) => landProblem(feature, nodes));
  const covered = nodes.flatMap((node) => coveredProblem(node, lookup));
  return [
    ...covered,
    ...found.map((v) => `${v.code} ${v.message}`),
    ...(cycle ? [`I-CYCLE ${cycle.join()}`] : []),
    ...lands,
  ];
}

/** Nothing goes on inside what is settled or out of view. */
function coveredProblem(node: Node, lookup: (nr: Nr) => Node | undefined): string[] {
  const above = node.parent === null ? undefined : lookup(node.parent);
  const open = (above?.outcome && !node.outcome) || (above?.archive && !node.archive);
  return open ? [`${node.id} is open below ${above?.id ?? ""}`] : [];
}

function landProblem(feature: Node, nodes: readonly Node[]): string[] {
  const inside = nodes.filter((node) => node.feature === feature.nr && node.outcome === null);
  const open = inside.filter((node) => node.kind === "land").length;
  const work = inside.some(countsForLanding);
  return open > 1 || (work && open === 0) ? [`I-LAND ${feature.id} has ${open} open land tasks`] : [];
}

/** Every node as users see it, without what only counts changes; and everybody's focus. */
async function picture(plan: TestPlan): Promise<{ views: unknown[]; focus: unknown[] }> {
  const views: unknown[] = [];
  for (const { id } of await nodesOf(plan)) {
    const shown = await show(plan, id);
    if (!shown.ok) throw new Error(shown.error.message);
    const { revision: _, updatedAt: __, ...view }: NodeView = shown.value;
    views.push(view);
  }
  const focus = await plan.store.read(async (reader) => [
    await reader.focus("human:ada"),
    await reader.focus("agent:bot"),
  ]);
  return { views, focus };
}

const steps = array(
  record({
    verb: constantFrom(...Object.keys(VERBS)),
    a: nat(1000),
    b: nat(1000),
    agent: boolean(),
  }),
  { minLength: 15, maxLength: 40 },
);

async function startingPlan(): Promise<TestPlan> {
  const plan = await makePlan([
    { id: "INBOX", tier: "feature", title: "Inbox", parent: "MISSION" },
    { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
    { id: "A-1", title: "A 1", parent: "STORY-A", files: ["src/a.ts"] },
    { id: "A-2", title: "A 2", parent: "STORY-A", dependsOn: ["A-1"] },
    { id: "A-G", title: "A gate", kind: "gate", parent: "FEAT-A" },
    { id: "B-1", title: "B 1", parent: "FEAT-B", dependsOn: ["A-1"] },
  ]);
  await approve(plan, { references: ["A-1", "A-2"] });
  return plan;
}

describe("operations", () => {
  it("keep the plan sound whatever their order, and can all be taken back", { timeout: 120_000 }, async () => {
    const tally = { done: 0, refused: 0, wholeWays: 0 };
    await holdsFor(
      asyncProperty(steps, async (sequence) => {
        const plan = await startingPlan();
        const start = await picture(plan);
        const first = (await plan.store.read((reader) => reader.operations({ limit: 1 })))[0]?.op ?? 0;
        for (const step of sequence) {
          const before = await nodesOf(plan);
          const actor = step.agent ? plan.as("agent:bot") : plan;
          const result = await (VERBS[step.verb] as Verb)(actor, before, step);
          tally[result.ok ? "done" : "refused"]++;
          const after = await nodesOf(plan);
          expect(result.ok ? before : after).toEqual(before);
          expect(violations(after)).toEqual([]);
          expect(countedDown(before, after)).toEqual([]);
          expect((await plan.store.verify()).differences).toEqual([]);
        }
        const isWhole = await turnBack(plan, first);
        expect((await plan.store.verify()).differences).toEqual([]);
        if (!isWhole) return plan.store.close();
        tally.wholeWays++;
        const end = await picture(plan);
        expect(end.views).toEqual(start.views);
        // An undo out of order leaves a focus alone that has moved on, so only straight ways lead straight back.
        const isStraight = !sequence.some(({ verb }) => /^(un|re)do/.test(verb));
        expect(isStraight ? end.focus : start.focus).toEqual(start.focus);
        return plan.store.close();
      }),
      { numRuns: 60 },
    );
    expect(tally.done).toBeGreaterThan(tally.refused / 3);
    expect(tally.wholeWays).toBeGreaterThan(20);
  });
});
