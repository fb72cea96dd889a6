import { describe, expect, it } from "vitest";
import { aContainer, aNode, settled } from "../../../test/node.js";
import type { Node, Nr } from "../node/node.js";
import { type Change, changeNode, createNode, fieldsOf, removeNode } from "../operation/change.js";
import { deriveColumns } from "./derive-columns.js";
import { PendingRows } from "./pending-rows.js";
import { PlanAt } from "./plan-at.js";

const digest = (text: string): string => `hash of ${text.length}`;

/** A plan in memory; `dependents` may name rows that are not there, as in a file that another program changed. */
function planOf(nodes: readonly Node[], dependents: Readonly<Record<Nr, readonly Nr[]>> = {}): PlanAt {
  const byNr = new Map(nodes.map((node) => [node.nr, node]));
  return new PlanAt(
    {
      node: (nr) => byNr.get(nr),
      children: (nr) => nodes.filter(({ parent }) => parent === nr).map((node) => node.nr),
      dependents: (nr) =>
        dependents[nr] ?? nodes.filter(({ dependsOn }) => dependsOn.some(({ on }) => on === nr)).map((node) => node.nr),
    },
    digest,
  );
}

const story = aContainer({ nr: 3, id: "S", tier: "story", parent: null, live: 1, finished: 0 });
const task = aNode({ nr: 4, id: "A", parent: 3, feature: null });

describe("a plan at an earlier operation", () => {
  it("is without what came later, and with what went", async () => {
    const plan = planOf([story, task]);
    await plan.back([createNode(4, fieldsOf(task))]);
    expect(await plan.node(4)).toBeUndefined();
    expect(await plan.children(3)).toEqual([]);
    expect(await plan.node(3)).toMatchObject({ live: 0 });
    await plan.back([removeNode(task)]);
    expect(await plan.node(4)).toMatchObject({ id: "A", parent: 3 });
    expect(await plan.node(3)).toMatchObject({ live: 1 });
  });

  it("joins two changes of one row", async () => {
    const rows = new PendingRows(planOf([story, task]));
    await rows.apply({ entity: "node", key: 4, before: { title: task.title }, after: { title: "B" } }, 7);
    const row = await rows.apply({ entity: "node", key: 4, before: { body: "" }, after: { body: "text" } }, 7);
    expect(rows.changed).toEqual([row]);
    expect([row.patch, row.node.revision]).toEqual([{ title: "B", body: "text" }, task.revision + 1]);
  });

  it("knows nothing of rows that another program took away", async () => {
    const approved = { by: "human:ada", at: 1, hash: "x" };
    const stray = aNode({ nr: 9, id: "X", parent: 77, feature: 66, kind: "land", approval: approved });
    const moved = { ...story, nr: 5, id: "T", parent: 66, feature: 66 };
    const child = aNode({ nr: 8, id: "C", parent: 5, feature: 66 });
    const plan = planOf([stray, moved, child, story, task], { 5: [55] });
    const done = settled("done");
    const changes: Change[] = [
      ...changeNode(stray, { ...done, title: "Other" }),
      ...changeNode(task, done),
      ...changeNode(moved, { parent: null }),
      ...changeNode(child, { parent: 3 }),
    ];
    await plan.back(changes.map((change) => ({ ...change, before: change.after, after: change.before }) as Change));
    expect(await plan.node(9)).toMatchObject({ outcome: { kind: "done" }, hash: expect.stringContaining("hash of") });
    expect(await plan.node(5)).toMatchObject({ feature: null });
    expect(await plan.node(55)).toBeUndefined();
  });

  it("finds who outside a feature waits for something in it", async () => {
    const inside = aNode({ nr: 4, parent: 2, feature: 2 });
    const outside = aNode({ nr: 5, parent: null, feature: null, dependsOn: [{ on: 4, origin: "stated" }] });
    const plan = planOf([aContainer({ nr: 2, tier: "feature", feature: 2 }), inside, outside]);
    expect(await plan.dependentsOutside(2)).toEqual([5]);
  });

  it("says which row is missing", async () => {
    const rows = new PendingRows(planOf([]));
    await expect(rows.get(5)).rejects.toThrow("There is no row 5 in the plan.");
  });

  it("looks around a row only if something else follows from it", async () => {
    const rows = new PendingRows(planOf([story, task]));
    const row = await rows.take({ entity: "node", key: 4, before: { attempts: 0 }, after: { attempts: 1 } }, 1);
    expect(rows.loadAroundRow(row)).toBeUndefined();
    const born = rows.create(createNode(6, { ...fieldsOf(task), id: "B", uuid: "b" }), 1);
    await rows.loadAroundRow(born);
    await rows.apply({ entity: "node", key: 6, before: { title: "" }, after: { title: "New" } }, 1);
    expect(rows.changed).toEqual([row, born]);
    await deriveColumns(rows, digest);
    expect(born.node).toMatchObject({ title: "New", revision: 1 });
    expect(rows.loaded(3)?.node.live).toBe(2);
  });
});
