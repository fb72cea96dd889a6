import { describe, expect, it } from "vitest";
import { type Asking, type HeldTask, markerOf, ownClaims, stopDecision } from "./hooks.js";

const MARKER = { id: "T-1", title: "One", others: [], needsToken: false };

describe("whether an agent may stop", () => {
  it.each([
    ["nothing is open", null, { blocks: 0, active: false }, { block: false, cleanUp: false }],
    ["nothing is open any more", null, { blocks: 2, active: true }, { block: false, cleanUp: true }],
    ["a task is open", MARKER, { blocks: 0, active: false }, { block: true, blocks: 1 }],
    ["and still is", MARKER, { blocks: 2, active: false }, { block: true, blocks: 3 }],
    ["three times were enough", MARKER, { blocks: 3, active: false }, { block: false, cleanUp: true }],
    ["a planning run waits for it", { run: "RUN-001" }, { blocks: 0, active: false }, { block: true, blocks: 1 }],
    ["the host goes on because of us", MARKER, { blocks: 1, active: true }, { block: false, cleanUp: true }],
  ])("%s", (_, marker, guard, decision) => {
    expect(stopDecision(marker, guard)).toMatchObject(decision);
  });

  it("is refused three times, and the fourth is let go, with the reason each time", () => {
    let blocks = 0;
    const answers: string[] = [];
    for (let stop = 0; stop < 4; stop++) {
      const decision = stopDecision(MARKER, { blocks, active: false });
      answers.push(decision.block ? decision.reason : "allowed");
      blocks = decision.block ? decision.blocks : 0;
    }
    expect(answers.slice(0, 3).every((answer) => answer.includes("T-1 (One)"))).toBe(true);
    expect(answers[3]).toBe("allowed");
  });

  it.each([
    [true, ["token"]],
    [false, []],
  ])("says how to end the claim (with a token: %s)", (needsToken, needs) => {
    const decision = stopDecision({ ...MARKER, needsToken }, { blocks: 0, active: false });
    expect(decision.block && decision.next).toEqual([
      expect.objectContaining({ operation: "complete", input: { reference: "T-1" }, ...(needsToken && { needs }) }),
      expect.objectContaining({ operation: "fail", needs: [...needs, "reason"] }),
      expect.objectContaining({ operation: "claim.release" }),
    ]);
  });

  it("names what else is open", () => {
    const decision = stopDecision({ ...MARKER, others: ["T-2", "T-3"] }, { blocks: 0, active: false });
    expect(decision.block && decision.reason).toContain("You have also claimed T-2, T-3.");
  });
});

const held = (id: string, by: string, rest: Partial<HeldTask> = {}): HeldTask => ({
  id,
  title: id,
  by,
  until: 100,
  worktree: null,
  session: null,
  ...rest,
});

const HELD = [
  held("T-1", "agent:a"),
  held("T-2", "agent:a", { worktree: "/w/slot-2" }),
  held("T-3", "agent:b", { worktree: "/w/slot-3" }),
  held("T-4", "agent:c", { until: 10 }),
  held("T-5", "daemon:host", { worktree: "/w/slot-5" }),
  held("T-6", "agent:d", { session: "s-1" }),
  held("T-7", "agent:d", { session: "s-2" }),
  held("T-8", "agent:d"),
  held("T-9", "agent:e", { session: "s-1", agent: "a-1" }),
  held("T-10", "agent:e", { session: "s-1", agent: "a-2" }),
  held("T-11", "agent:e", { session: "s-1" }),
];

const asking = (rest: Partial<Asking>): Asking => ({
  actor: "agent:a",
  isSaid: true,
  task: null,
  session: "s-1",
  cwd: "/home",
  now: 50,
  ...rest,
});

describe("an agent's own task", () => {
  it.each<[string, Partial<Asking>, string | null]>([
    ["is what it has claimed in its name", {}, "T-1 T-2"],
    ["is the one it was started for", { task: "t-2" }, "T-2"],
    ["is not another, if that is handed in", { task: "T-99" }, null],
    ["is that of its worktree", { cwd: "/w/slot-2/src" }, "T-2"],
    ["is that of its worktree, whoever else has the same name", { cwd: "/w/slot-2", isSaid: false }, "T-2"],
    ["is not that of a worktree whose name begins alike", { cwd: "/w/slot-22", isSaid: false }, null],
    ["is not known by a name that was guessed (weakness 5.5.4)", { isSaid: false }, null],
    ["is nobody else's, even in their worktree", { cwd: "/w/slot-3", actor: "agent:x" }, null],
    ["is nobody else's, even by name", { task: "T-3" }, null],
    ["is not what the engine hands in for it", { task: "T-5", cwd: "/w/slot-5", actor: "agent:worker" }, null],
    ["is not what it has lost", { actor: "agent:c" }, null],
    ["is that of its conversation, even by a name that was guessed", { actor: "agent:d", isSaid: false }, "T-6"],
    ["is that of its conversation before one of no conversation", { actor: "agent:d" }, "T-6"],
    ["is not that of another conversation", { actor: "agent:d", session: "s-3", isSaid: false }, null],
    ["is that of the subagent that claimed it", { actor: "agent:e", agent: "a-1" }, "T-9"],
    ["is not that of a subagent, for the conversation itself", { actor: "agent:e" }, "T-11"],
    ["is not that of the conversation, for a subagent without one", { actor: "agent:e", agent: "a-3" }, null],
    ["is one of no conversation, if the name was said", { actor: "agent:d", session: "s-3" }, "T-8"],
  ])("%s", (_, rest, own) => {
    const marker = markerOf(HELD, asking(rest));
    expect(marker && [marker.id, ...marker.others].join(" ")).toBe(own);
  });

  it("is that of its conversation for an edit of a subagent that claimed none", () => {
    const own = (agent: string): string[] => ownClaims(HELD, asking({ actor: "agent:e", agent })).map(({ id }) => id);
    expect([own("a-3"), own("a-2")]).toEqual([["T-11"], ["T-10"]]);
  });
});
