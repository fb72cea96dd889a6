import { describe, expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { makeRecord } from "../../../test/record.js";
import {
  approveRecord,
  type KeyedRecord,
  mayReplace,
  maySupersede,
  measureText,
  needsApproval,
  type PlanRecord,
  RECORD_KINDS,
  RECORD_PREFIXES,
  reword,
} from "./record.js";

const record = (key: string, over: Partial<PlanRecord> = {}): KeyedRecord => ({
  key,
  fields: makeRecord({
    kind: "constraint",
    state: "proposed",
    title: "No new dependency",
    createdBy: "agent:bot",
    ...over,
  }),
});

const proposed = record("CON-001");
const active = record("CON-002", { state: "active", approvedBy: "human:ada", approvedAt: 2 });
const gone = record("CON-003", { state: "superseded", supersededBy: "CON-002" });

describe("records", () => {
  it("bind at once or after a person's word, and are named by what they are", () => {
    expect(RECORD_KINDS.map((kind) => [RECORD_PREFIXES[kind], needsApproval(kind)])).toEqual([
      ["DEC", false],
      ["CON", true],
      ["REQ", true],
      ["ASM", false],
      ["BAS", true],
    ]);
    expect(measureText({ metric: "p95_ms", op: "<=", target: 200, run: null })).toBe("p95_ms <= 200");
  });

  it("hold once they are approved", () => {
    expect(must(approveRecord(proposed, "human:ada", 5))).toEqual({
      state: "active",
      approvedBy: "human:ada",
      approvedAt: 5,
    });
    expect(must(approveRecord(active, "human:bob", 5))).toBeNull();
    expect(mustFail(approveRecord(gone, "human:ada", 5))).toMatchObject({
      reason: "superseded",
      next: [{ operation: "show", input: { reference: "CON-002" } }],
    });
    expect(mustFail(approveRecord(record("X", { state: "superseded" }), "human:ada", 5)).next).toEqual([
      { operation: "show", input: { reference: "X" } },
    ]);
  });

  it.each<[string, KeyedRecord, string, string]>([
    ["what nobody approved, by an agent", proposed, "agent:bot", "ok"],
    ["what a person approved, by a person", active, "human:bob", "ok"],
    ["what a person approved, by an agent", active, "agent:bot", "needs-person"],
    ["what no longer holds", gone, "human:ada", "superseded"],
  ])("may be superseded: %s", (_, kept, actor, expected) => {
    const may = maySupersede(kept, actor);
    expect(may.ok ? "ok" : may.error.reason).toBe(expected);
  });

  it.each<[string, KeyedRecord, KeyedRecord, string]>([
    ["a proposal by a proposal", proposed, record("CON-009"), "ok"],
    ["what holds by what holds", active, record("CON-009", { state: "active" }), "ok"],
    ["what holds by a proposal", active, proposed, "not-active"],
    ["by what no longer holds", active, gone, "superseded"],
    ["by itself", active, active, "usage"],
  ])("may be replaced: %s", (_, old, by, expected) => {
    const may = mayReplace(old, by);
    expect(may.ok ? "ok" : may.error.reason).toBe(expected);
  });

  it.each<[string, KeyedRecord, string, Partial<PlanRecord>]>([
    [
      "an active constraint, by a person",
      active,
      "human:bob",
      { state: "active", approvedBy: "human:bob", approvedAt: 9 },
    ],
    ["a proposed constraint, by a person", proposed, "human:bob", { state: "proposed", approvedBy: null }],
    ["a proposed constraint, by an agent", proposed, "agent:bot", { state: "proposed", approvedBy: null }],
    [
      "a decision, by an agent",
      record("D", { kind: "decision", state: "active" }),
      "agent:bot",
      { state: "proposed", approvedBy: null },
    ],
    [
      "a decision, by a person",
      record("D", { kind: "decision", state: "active" }),
      "human:bob",
      { state: "active", approvedBy: null },
    ],
  ])("in other words: %s", (_, old, actor, expected) => {
    expect(reword(old.fields, "Better", actor, 9)).toMatchObject({
      title: "Better",
      createdBy: actor,
      createdAt: 9,
      ...expected,
    });
  });
});
