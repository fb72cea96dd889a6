// Random sequences of verbs, through the actions: the log always replays to the stored rows, nothing
// that must hold is ever broken, and taking everything back, newest first, arrives at the start.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makePlan, type TestPlan } from "../../test/plan.js";
import { findCycle } from "../graph/cycle.js";
import { checkEdges, checkFacts, checkParent } from "../graph/invariants.js";
import { landsWork } from "../graph/land.js";
import type { Node, Nr } from "../graph/node.js";
import type { Result } from "../graph/result.js";
import { countsForLanding } from "../graph/rollup.js";
import { accept } from "./accept.js";
import { add } from "./add.js";
import { approve } from "./approve.js";
import { archive, restore } from "./archive.js";
import { complete } from "./complete.js";
import { drop } from "./drop.js";
import { fail } from "./fail.js";
import { setFocus } from "./focus.js";
import { freeze } from "./freeze.js";
import { move } from "./move.js";
import { next } from "./next.js";
import { promote } from "./promote.js";
import { replan } from "./replan.js";
import { show } from "./show.js";
import { thaw } from "./thaw.js";
import { unapprove } from "./unapprove.js";
import { redo, undo } from "./undo.js";
import { unlink } from "./unlink.js";
import type { NodeView } from "./view.js";
import { waive } from "./waive.js";

interface Step {
  readonly verb: string;
  /** Which node, which second node, which actor: taken modulo what there is. */
  readonly a: number;
  readonly b: number;
  readonly agent: boolean;
}

type Verb = (plan: TestPlan, ids: readonly string[], step: Step) => Promise<Result<unknown>>;

const pick = (ids: readonly string[], n: number): string => ids[n % ids.length] ?? "NOTHING";

/** Claims a task, hands it in, and has it accepted or given up. */
async function work(plan: TestPlan, person: TestPlan, { a, b }: Step): Promise<Result<unknown>> {
  const claimed = await next(plan, {});
  const [given] = claimed.ok ? claimed.value : [];
  if (!given) return claimed;
  const { id: reference } = given.task;
  if (b % 4 === 0) return fail(plan, { reference, token: given.token, reason: "it does not work" });
  const handedIn = await complete(plan, { reference, token: given.token });
  return a % 4 === 0 ? handedIn : accept(person, { reference, reason: "looks right" });
}

const VERBS: Readonly<Record<string, Verb>> = {
  "add task": (plan, ids, { a, b }) =>
    add(plan, [
      { where: "task", input: { tier: "task", title: "Another", parent: pick(ids, a), dependsOn: [pick(ids, b)] } },
    ]),
  "add gate": (plan, ids, { a }) =>
    add(plan, [{ where: "gate", input: { tier: "task", kind: "gate", title: "A gate", parent: pick(ids, a) } }]),
  "add story": (plan, ids, { a }) =>
    add(plan, [{ where: "story", input: { tier: "story", title: "A story", parent: pick(ids, a) } }]),
  "add feature": (plan) => add(plan, [{ where: "feature", input: { tier: "feature", title: "A feature" } }]),
  link: (plan, ids, { a, b }) =>
    add(plan, [{ where: "link", input: { id: pick(ids, a), title: "Linked", dependsOn: [pick(ids, b)] } }]),
  approve: (plan, ids, { a }) => approve(plan, { references: [pick(ids, a)] }),
  "approve all": (plan) => approve(plan, { references: ["MISSION"] }),
  "approve to": (plan, ids, { a, b }) => approve(plan, { references: [pick(ids, a)], to: pick(ids, b) }),
  unapprove: (plan, ids, { a }) => unapprove(plan, [pick(ids, a)]),
  freeze: (plan, ids, { a, b }) => freeze(plan, { references: [pick(ids, a), pick(ids, b)] }),
  thaw: (plan, ids, { a, b }) => thaw(plan, { reference: pick(ids, a), partial: b % 3 === 0, drop: b % 5 === 0 }),
  next: (plan, _, { a }) => next(plan, { count: 1 + (a % 3) }),
  work: (plan, _, step) => work(plan, plan.as("human:ada"), step),
  complete: (plan, ids, { a }) => complete(plan, { reference: pick(ids, a) }),
  land: (plan, ids, { a }) =>
    complete(plan, {
      reference: pick(
        ids.filter((id) => id.includes("LAND")),
        a,
      ),
    }),
  focus: (plan, ids, { a }) => setFocus(plan, pick(ids, a)),
  move: (plan, ids, { a, b }) => move(plan, { references: [pick(ids, a)], to: pick(ids, b) }),
  unlink: (plan, ids, { a, b }) => unlink(plan, { reference: pick(ids, a), on: [pick(ids, b)] }),
  waive: (plan, ids, { a }) => waive(plan, { reference: pick(ids, a), reason: "not needed" }),
  drop: (plan, ids, { a }) => drop(plan, { reference: pick(ids, a) }),
  replan: (plan, ids, { a }) => replan(plan, { reference: pick(ids, a), reason: "it did not work" }),
  promote: (plan, ids, { a }) => promote(plan, { note: "found", from: pick(ids, a) }),
  archive: (plan, ids, { a }) => archive(plan, pick(ids, a)),
  restore: (plan, ids, { a }) => restore(plan, pick(ids, a)),
  undo: (plan) => undo(plan),
  "undo any": (plan, _, { a }) => undo(plan, String(1 + (a % 40))),
  "undo node": (plan, ids, { a }) => undo(plan, pick(ids, a)),
  redo: (plan) => redo(plan),
  "redo any": (plan, _, { a }) => redo(plan, String(1 + (a % 40))),
};

const nodesOf = (plan: TestPlan): Promise<Node[]> =>
  plan.store.read(async (reader) => {
    const nodes: Node[] = [];
    for await (const node of reader.scan()) nodes.push(node);
    return nodes;
  });

/** The operation that was done, or done again, last. */
const lastDone = (plan: TestPlan, after: number): Promise<number | undefined> =>
  plan.store.read(async (reader) => {
    const turns: (readonly [turn: number, op: number])[] = [];
    for (const { op } of await reader.operations({ limit: 1000, state: "standing", after })) {
      turns.push([(await reader.operations({ of: op, limit: 1 }))[0]?.op ?? op, op]);
    }
    return turns.sort(([a], [b]) => b - a)[0]?.[1];
  });

const lastUndone = async (plan: TestPlan, upTo: number): Promise<number | undefined> =>
  (await plan.store.read((reader) => reader.operations({ limit: 1000, state: "undone" }))).find(({ op }) => op <= upTo)
    ?.op;

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
  return [...found.map((v) => `${v.code} ${v.message}`), ...(cycle ? [`I-CYCLE ${cycle.join()}`] : []), ...lands];
}

function landProblem(feature: Node, nodes: readonly Node[]): string[] {
  const inside = nodes.filter((node) => node.feature === feature.nr && node.outcome === null);
  const open = inside.filter((node) => node.kind === "land").length;
  const work = inside.some(countsForLanding);
  return open > 1 || (work && open === 0) ? [`I-LAND ${feature.id} has ${open} open land tasks`] : [];
}

/** Every node as users see it, and everybody's focus, without what only counts changes. */
async function picture(plan: TestPlan): Promise<unknown> {
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

const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...Object.keys(VERBS)),
    a: fc.nat(1000),
    b: fc.nat(1000),
    agent: fc.boolean(),
  }),
  { minLength: 5, maxLength: 30 },
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
  it("keep the plan sound whatever their order, and can all be taken back", async () => {
    const tally = { done: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const plan = await startingPlan();
        const start = await picture(plan);
        const first = (await plan.store.read((reader) => reader.operations({ limit: 1 })))[0]?.op ?? 0;
        for (const step of sequence) {
          const before = await nodesOf(plan);
          const ids = before.map((node) => node.id);
          const actor = step.agent ? plan.as("agent:bot") : plan;
          const result = await (VERBS[step.verb] as Verb)(actor, ids, step);
          tally[result.ok ? "done" : "refused"]++;
          const after = await nodesOf(plan);
          if (!result.ok) expect(after).toEqual(before);
          expect(violations(after)).toEqual([]);
          expect((await plan.store.verify()).differences).toEqual([]);
        }
        for (let op = await lastDone(plan, first); op !== undefined; op = await lastDone(plan, first)) {
          const undone = await undo(plan, String(op));
          expect(undone.ok ? null : undone.error).toBeNull();
        }
        // Some sequences take back the making of the plan as well.
        for (let op = await lastUndone(plan, first); op !== undefined; op = await lastUndone(plan, first)) {
          const redone = await redo(plan, String(op));
          expect(redone.ok ? null : redone.error).toBeNull();
        }
        expect((await plan.store.verify()).differences).toEqual([]);
        expect(await picture(plan)).toEqual(start);
        await plan.store.close();
      }),
      { numRuns: 60 },
    );
    expect(tally.done).toBeGreaterThan(tally.refused / 3);
  });
});
