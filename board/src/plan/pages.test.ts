import { describe, expect, it } from "vitest";
import type { Output, StatusTree } from "../api/types.js";
import { parseFilter } from "./filter.js";
import { Branches, isBlank, nested, PAGE } from "./pages.js";
import { treeRows } from "./tree-rows.js";

type Served = Output<"children">["children"][number];

const served = (id: string, more: Partial<Served> = {}): Served =>
  ({ id, title: id, tier: "task", kind: "work", status: "ready", reason: "claimable", because: [], ...more }) as Served;

describe("the children of a node in a large plan", () => {
  it("are one list of full length, in which loaded pages replace blanks", () => {
    const branches = new Branches();
    const page = Array.from({ length: PAGE }, (_, index) => branches.rowOf(served(`TASK-${PAGE + index}`)));
    const all = branches.list("FEAT-001", 250, [{ from: PAGE, rows: page }]);
    expect(all).toHaveLength(250);
    expect(all.map(isBlank).filter(Boolean)).toHaveLength(150);
    expect(all[PAGE]?.id).toBe(`TASK-${PAGE}`);
    expect(branches.placeOf(all[0] as StatusTree)).toEqual({ reference: "FEAT-001", from: 0 });
    expect(branches.placeOf(all[249] as StatusTree)).toEqual({ reference: "FEAT-001", from: 200 });
    expect(branches.placeOf(all[PAGE] as StatusTree)).toEqual({ reference: "FEAT-001", from: PAGE });
  });

  it("stay the same objects where nothing changed, also when there are more of them", () => {
    const branches = new Branches();
    const row = served("TASK-1");
    expect(branches.rowOf(row)).toBe(branches.rowOf(row));
    const before = branches.list("FEAT-001", 10, [{ from: 0, rows: [branches.rowOf(row)] }]);
    const after = branches.list("FEAT-001", 11, []);
    expect(after.slice(0, 10)).toEqual(before);
    expect(after[5]).toBe(before[5]);
  });
});

describe("rows of a large plan", () => {
  const found = nested([
    { ...served("MISSION", { tier: "mission" }), parent: null },
    { ...served("FEAT-001", { tier: "feature", progress: { finished: 0, total: 9 } }), parent: "MISSION" },
    { ...served("TASK-7"), parent: "FEAT-001" },
  ]);
  const options = { filter: parseFilter("anything"), isOpen: () => false, branch: () => undefined };

  it("are what the server found, with what is around it", () => {
    const rows = treeRows([], { ...options, found });
    expect(rows.map(({ node, depth }) => `${depth} ${node.id}`)).toEqual(["0 FEAT-001", "1 TASK-7"]);
  });

  it("have a place for every child of an open node", () => {
    const feature = found[0]?.children[0] as StatusTree;
    const all = new Branches().list("FEAT-001", 1_000, []);
    const paged = (id: string) => (id === "FEAT-001" ? all : undefined);
    const filter = parseFilter("");
    const rows = treeRows([{ ...feature, children: [] }], { ...options, filter, isOpen: () => true, paged });
    expect(rows).toHaveLength(1_001);
  });
});
