import { expect, it } from "vitest";
import { type Derived, newNode } from "../graph/node/node.js";
import type { Value } from "./database.js";
import { DERIVED, eachDerived, toColumns } from "./node-columns.js";
import { At, COLUMNS } from "./node-rows.js";

it("a row is read in the order in which its columns are asked for", () => {
  const places = Object.keys(At).filter((key) => Number.isNaN(Number(key)));
  expect(COLUMNS).toBe(places.join());
});

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

it.each([
  [[]],
  [[{ on: 7, origin: "stated" }]],
  [
    [
      { on: 1, origin: "stated" },
      { on: 20, origin: "conflict" },
    ],
  ],
] as const)("edges are written as JSON has them: %j", (dependsOn) => {
  expect(toColumns({ dependsOn })).toEqual({ depends_on: JSON.stringify(dependsOn) });
});
