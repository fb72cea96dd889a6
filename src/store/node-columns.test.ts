import { expect, it } from "vitest";
import { type Derived, newNode } from "../graph/node/node.js";
import type { Value } from "./database.js";
import { DERIVED, eachDerived } from "./node-columns.js";

it("every derived value that differs is written, and no other", () => {
  const was = newNode(1, { uuid: "u", id: "X", tier: "task", title: "T", createdAt: 0, createdBy: "human:ada" }, 0);
  const now: Derived = {
    feature: 1,
    shelved: true,
    hash: "h",
    pending: 2,
    held: true,
    live: 3,
    finished: 4,
    tasksLive: 5,
    tasksFinished: 6,
    landedOp: 7,
    awaited: 8,
  };
  const written = (node: Derived): [string, Value][] => {
    const columns: [string, Value][] = [];
    eachDerived(node, was, (column, value) => columns.push([column, value]));
    return columns;
  };
  expect(written(was)).toEqual([]);
  for (const field of Object.keys(DERIVED) as (keyof Derived)[]) {
    const value = now[field];
    const stored = typeof value === "boolean" ? 1 : value;
    expect(written({ ...was, [field]: value })).toEqual([[DERIVED[field], stored]]);
  }
});
