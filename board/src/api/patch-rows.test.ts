import { describe, expect, it } from "vitest";
import { type ChangedRow, patched } from "./patch-rows.js";

const row = (id: string, status: string, more: object = {}) => ({
  id,
  tier: "task",
  title: id,
  kind: "work",
  status,
  reason: "claimable",
  because: [],
  engineHolds: [],
  progress: null,
  children: [],
  ...more,
});

const changed = (id: string, status: string): ReadonlyMap<string, ChangedRow> =>
  new Map([[id, { ...row(id, status), checks: [], landed: null } as unknown as ChangedRow]]);

describe("a row that changed", () => {
  const other = row("FEAT-002", "ready", { children: [row("TASK-00003", "ready")] });
  const before = {
    counts: { ready: 2 },
    tree: [row("FEAT-001", "ready", { children: [row("TASK-00001", "ready"), row("TASK-00002", "ready")] }), other],
  };

  it("is new, with what is around it; everything else is the same object", () => {
    const after = patched(before, changed("TASK-00002", "done"));
    expect(after.tree[0]?.children.map(({ status }) => status)).toEqual(["ready", "done"]);
    expect(after.tree[0]?.children[0]).toBe(before.tree[0]?.children[0]);
    expect(after.tree[1]).toBe(other);
    expect(after.counts).toBe(before.counts);
  });

  it("gets no fields that it did not have, and changes nothing where it is as it was", () => {
    expect(patched(before, changed("TASK-00002", "ready"))).toBe(before);
    expect(patched(before, changed("TASK-9", "done"))).toBe(before);
    expect(
      patched({ children: [{ id: "TASK-00001", tier: "task", status: "ready" }] }, changed("TASK-00001", "done")),
    ).toEqual({
      children: [{ id: "TASK-00001", tier: "task", status: "done" }],
    });
  });
});
