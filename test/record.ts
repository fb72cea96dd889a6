// Records as tests need them.

import type { PlanRecord } from "../src/model/item/record.js";

/** An active decision, unless the test says otherwise. */
export const makeRecord = (over: Partial<PlanRecord> = {}): PlanRecord => ({
  kind: "decision",
  state: "active",
  title: "A record",
  body: "",
  alternatives: [],
  scope: null,
  tasks: [],
  measure: null,
  forbids: null,
  supersededBy: null,
  run: null,
  createdAt: 1,
  createdBy: "human:ada",
  approvedBy: null,
  approvedAt: null,
  ...over,
});
