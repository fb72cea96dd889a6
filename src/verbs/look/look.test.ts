// The plan from one side: what is stuck, its children, its drawing, and how much waits for whom.

import { describe, expect, it, onTestFinished, vi } from "vitest";
import { addAll, makePlan, must, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { start } from "../../plan/claim/start.js";
import { waiting } from "../../plan/overview/waiting.js";
import { DatabaseReader } from "../../store/read/reader.js";
import { drop } from "../branch/drop.js";
import { freeze } from "../branch/freeze.js";
import { failTask } from "../task/fail.js";
import { listChildren } from "./children.js";
import { graph } from "./graph.js";
import { listNodes } from "./list.js";
import { stuck } from "./stuck.js";

describe("what is stuck", () => {
  it("is grouped by its cause, with what frees it, and what holds up most first", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1", { estimateHours: 3 }),
      passing("T-2", { dependsOn: ["T-1"], estimateHours: 2 }),
      passing("T-3", { dependsOn: ["T-2"] }),
      passing("T-4"),
      passing("T-5"),
      passing("T-6", { dependsOn: ["T-5"] }),
    ]);
    must(await freeze(plan, { references: ["T-4"], reason: "not now" }));
    must(await freeze(plan, { references: ["T-1"], reason: "the API is not there" }));
    must(await drop(plan, { references: ["T-5"], reason: "no longer needed" }));
    const view = must(await stuck(plan));
    expect(view.groups.map(({ id, reason, nodes, hours, tasks }) => [id, reason, nodes, hours, tasks.join()])).toEqual([
      ["T-1", "frozen", 3, 6, "T-1,T-2,T-3"],
      ["T-4", "frozen", 1, 1, "T-4"],
      ["T-6", "dep-dropped", 1, 1, "T-6"],
    ]);
    expect(view).toMatchObject({ total: 3, tasks: 5 });
    expect(view.groups[0]?.sentence).toContain("the API is not there");
    expect(view.groups[0]?.next.map(({ operation }) => operation)).toContain("thaw");
    expect(must(await stuck(plan, { limit: 1 })).groups).toHaveLength(1);
  });

  it("is nothing where everything moves", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] })]);
    expect(must(await stuck(plan))).toEqual({ groups: [], total: 0, tasks: 0 });
  });
});

describe("what waits for you", () => {
  it("says how much it holds up: the tasks behind it, and their hours", async () => {
    const plan = await makePlan([
      task("T-1", { estimateHours: 2 }),
      task("T-2", { dependsOn: ["T-1"] }),
      { id: "STORY-B", title: "Story B", tier: "story", parent: "FEAT-A", dependsOn: ["STORY-A"] },
      task("T-3", { parent: "STORY-B" }),
    ]);
    const { entries } = must(await waiting(plan));
    expect(entries.map(({ kind, id, holdsUp }) => ({ kind, id, holdsUp }))).toEqual([
      { kind: "unapproved", id: "FEAT-A", holdsUp: { nodes: 3, hours: 4, more: false } },
    ]);
  });

  it("is found by a few reads, however many tasks wait", async () => {
    const chain = (n: number) => task(`T-${n}`, n > 1 ? { dependsOn: [`T-${n - 1}`] } : {});
    const plan = await makePlan([
      ...Array.from({ length: 60 }, (_, index) => chain(index + 1)),
      { id: "FEAT-B", title: "Feature B", tier: "feature", dependsOn: ["FEAT-A"] },
      task("T-LAST", { parent: "FEAT-B" }),
    ]);
    const reads = vi.spyOn(DatabaseReader.prototype, "ancestors");
    const followed = vi.spyOn(DatabaseReader.prototype, "waiters");
    onTestFinished(() => [reads, followed].forEach((spy) => spy.mockRestore()));
    const { entries } = must(await waiting(plan));
    expect(entries.map(({ id, holdsUp }) => [id, holdsUp.nodes])).toEqual([
      ["FEAT-A", 61],
      ["FEAT-B", 1],
    ]);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(3);
    expect(followed.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it("is counted without reading the unapproved tasks where only a few entries are shown", async () => {
    const plan = await makePlan([task("T-1", { estimateHours: 2 }), task("T-2")]);
    const reads = vi.spyOn(DatabaseReader.prototype, "openTasksBelow");
    onTestFinished(() => reads.mockRestore());
    const holdsUp = { nodes: 2, hours: 3, more: false };
    const shown = must(await waiting(plan, { limit: 5, plain: true }));
    expect(shown).toMatchObject({ total: 1, entries: [{ kind: "unapproved", id: "FEAT-A", holdsUp }] });
    expect(must(await waiting(plan, { limit: 0, plain: true }))).toMatchObject({ total: 1, entries: [] });
    expect(reads).not.toHaveBeenCalled();
    expect(must(await waiting(plan)).entries).toEqual(shown.entries);
    expect(reads).toHaveBeenCalled();
  });

  it("still weighs rejected work against unapproved work there, by what it holds up", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"], estimateHours: 9 })]);
    const agent = plan.as("agent:bot");
    const { token } = must(await start(agent, { reference: "T-1" }));
    must(await failTask(agent, { reference: "T-1", token, reason: "no such API" }));
    expect(must(await waiting(plan, { limit: 1, plain: true })).entries).toMatchObject([
      { kind: "rejected", id: "T-1", holdsUp: { nodes: 2, hours: 10 } },
    ]);
  });
});

describe("the children of a node", () => {
  it("come page by page, each with its status", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] }), passing("T-3")]);
    await finish(plan, "T-1");
    const page = must(await listChildren(plan, { reference: "STORY-A", limit: 2 }));
    expect(page).toMatchObject({
      node: { id: "STORY-A", hasChildren: true, progress: { finished: 1, total: 3 } },
      above: [{ id: "FEAT-A" }, { id: "MISSION" }],
      children: [
        { id: "T-1", status: "done", checks: [true], waitsForPerson: false, hasChildren: false },
        { id: "T-2", status: "ready", checks: [null] },
      ],
      from: 0,
      total: 3,
    });
    const rest = must(await listChildren(plan, { reference: "STORY-A", from: 2 }));
    expect(rest.children.map(({ id }) => id)).toEqual(["T-3"]);
    expect(must(await listChildren(plan, { reference: "T-3" })).index).toBe(2);
    const found = must(await listNodes(plan, { words: ["t-3"], rows: true }));
    expect(found.rows?.map(({ id, parent }) => [id, parent])).toEqual([
      ["MISSION", null],
      ["FEAT-A", "MISSION"],
      ["STORY-A", "FEAT-A"],
      ["T-3", "STORY-A"],
    ]);
    expect(must(await listNodes(plan, { reason: ["claimable"], from: 1 })).nodes.map(({ id }) => id)).toEqual(["T-3"]);
    expect(must(await listChildren(plan)).children.map(({ id }) => id)).toEqual(["MISSION"]);
  });

  it("leave out what was dropped, unless it is asked for", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await drop(plan, { references: ["T-1"], reason: "no" }));
    const ids = async (all: boolean) =>
      must(await listChildren(plan, { reference: "STORY-A", all })).children.map(({ id }) => id);
    expect([await ids(false), await ids(true)]).toEqual([["T-2"], ["T-1", "T-2"]]);
  });
});

describe("the drawing", () => {
  it("has waves as columns, features as lanes, and the longest path of what is left", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      passing("T-2", { dependsOn: ["T-1"], estimateHours: 5 }),
      passing("T-3", { dependsOn: ["T-1"] }),
    ]);
    await finish(plan, "T-1");
    const view = must(await graph(plan));
    expect(view.columns).toBe(3);
    expect(view.lanes).toEqual([{ id: "FEAT-A", title: "Feature A", rows: 2, progress: { finished: 1, total: 3 } }]);
    expect(view.nodes.map(({ id, column, row, status, critical }) => [id, column, row, status, critical])).toEqual([
      ["T-1", 0, 0, "done", false],
      ["T-2", 1, 0, "ready", true],
      ["T-3", 1, 1, "ready", false],
      ["FEAT-A-LAND", 2, 0, "blocked", true],
    ]);
    expect(view.edges).toEqual([
      { from: "T-1", to: "T-2", state: "met" },
      { from: "T-1", to: "T-3", state: "met" },
      { from: "T-2", to: "FEAT-A-LAND", state: "pending" },
      { from: "T-3", to: "FEAT-A-LAND", state: "pending" },
    ]);
  });

  it("is computed once for each operation", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = must(await graph(plan));
    expect(must(await graph(plan))).toBe(first);
    expect(must(await graph(plan, { limit: 1 }))).toMatchObject({ more: 1 });
    await addAll(plan, [task("T-2")]);
    expect(must(await graph(plan)).nodes).toHaveLength(3);
  });
});
