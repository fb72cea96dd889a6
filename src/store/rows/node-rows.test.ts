import { expect, it } from "vitest";
import { type Derived, newNode } from "../../model/node/node.js";
import { columnOf, DERIVED_FIELDS, derivedColumns } from "./node-rows.js";

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
  expect(derivedColumns(was, was)).toEqual({});
  for (const field of DERIVED_FIELDS) {
    const value = now[field];
    const stored = typeof value === "boolean" ? 1 : value;
    expect(derivedColumns({ ...was, [field]: value }, was)).toEqual({ [columnOf(field)]: stored });
  }
});
