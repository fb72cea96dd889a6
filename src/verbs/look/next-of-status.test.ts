import { describe, expect, it } from "vitest";
import { type NextStep, step } from "../../model/next-step.js";
import { emptyTally } from "../../model/status/status.js";
import type { StatusTree } from "./read-status.js";
import { nextOfStatus } from "./read-status.js";

const leaf = (id: string, rest: Partial<StatusTree> = {}): StatusTree => ({
  id,
  title: `Task ${id}`,
  tier: "task",
  kind: "work",
  status: "ready",
  reason: "claimable",
  because: [],
  engineHolds: [],
  checks: [],
  priority: null,
  landed: null,
  readyToLand: false,
  progress: null,
  children: [],
  ...rest,
});

const container = (id: string, children: StatusTree[], finished: number, total: number): StatusTree =>
  leaf(id, {
    tier: "feature",
    kind: null,
    status: "in_progress",
    reason: "container",
    progress: { finished, total },
    children,
  });

const open = (id: string, rest: Partial<StatusTree> = {}): StatusTree => leaf(id, { reason: "unapproved", ...rest });

describe("what to do next", () => {
  const planned = (...tree: StatusTree[]): NextStep | null =>
    nextOfStatus({ tree, counts: { ...emptyTally(), planned: 1 } });
  const approve = (id: string): NextStep => step("approve", { references: [id] });

  it("is to approve the first feature in which something is not approved, never a land task", () => {
    const land = open("F-LAND", { kind: "land" });
    expect(planned(container("G", [leaf("S")], 0, 1), container("F", [open("T"), land], 0, 1))).toEqual(approve("F"));
    expect(planned(container("F", [leaf("T", { status: "done", reason: "terminal" }), land], 1, 1))).toEqual(
      approve("F"),
    );
    expect(planned(land)).toEqual(step("status", { all: true }));
    expect(planned(open("T"))).toEqual(approve("T"));
  });

  it("is to approve a feature whose tasks are not shown", () => {
    const closed = { ...container("F", [], 0, 9), status: "planned" } as const;
    expect(planned(container("E", [], 0, 0), closed)).toEqual(approve("F"));
  });

  it("is to move something out of the inbox, if nothing else is there", () => {
    expect(planned(container("INBOX", [leaf("T", { reason: "inbox" })], 0, 1))).toEqual(
      step("approve", { references: ["T"] }, "to"),
    );
  });

  it.each<[what: string, counts: Partial<ReturnType<typeof emptyTally>>, next: NextStep | null]>([
    ["claim what is ready", { ready: 1, rejected: 1 }, step("next")],
    ["look at what was rejected", { rejected: 1, planned: 1 }, step("why", { reference: "R" })],
    ["do what waits for you", { waitingForPerson: 1 }, step("why", { reference: "H" })],
    ["see who works on what", { inProgress: 1 }, step("claim.list")],
    ["see what is blocked", { blocked: 1 }, step("why", { reference: "B" })],
    ["add something", {}, step("add", {}, "title")],
    ["nothing", { finished: 1 }, null],
  ])("is to %s", (_, counts, next) => {
    const tree = [
      leaf("R", { status: "rejected", reason: "rejected" }),
      leaf("H", { reason: "human" }),
      leaf("B", { status: "blocked", reason: "deps-pending" }),
    ];
    expect(nextOfStatus({ tree, counts: { ...emptyTally(), ...counts } })).toEqual(next);
  });
});
