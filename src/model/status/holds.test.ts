import { describe, expect, it } from "vitest";
import { AT, aNode } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import { phraseOf } from "./hold-phrase.js";
import { ASKERS, type Asker, type EngineFacts, type HoldFacts, holds, holdsCompletion } from "./holds.js";
import { ALONE } from "./status.js";

const FREE: EngineFacts = { now: AT, levelOff: null, retry: null, stop: null, noWorker: null };
const engine = (facts: Partial<EngineFacts>): HoldFacts => ({ around: ALONE, engine: { ...FREE, ...facts } });
const OVERLAP: HoldFacts = {
  around: { ...ALONE, overlaps: [{ nr: 2, id: "T-2", layer: "files", files: ["a"], symbols: [] }] },
};

type Case = [string, HoldFacts, Partial<Node>, readonly Asker[], string];

describe("what holds a task back", () => {
  it.each<Case>([
    ["an approval that is missing", { around: ALONE }, { approval: null }, ASKERS, "it is not approved"],
    ["work in progress on the same files", OVERLAP, {}, ASKERS, "it touches the same files as T-2"],
    [
      "that it is in no feature",
      engine({}),
      { feature: null },
      ["by-hand", "named-run", "run", "daemon"],
      "it is in no feature, so its work has no branch to go to",
    ],
    ["the level of the workspace", engine({ levelOff: { feature: null } }), {}, ["daemon"], "the level is off"],
    ["the level of its feature", engine({ levelOff: { feature: "F-1" } }), {}, ["daemon"], "the level of F-1 is off"],
    [
      "a failure that is tried again later",
      engine({ retry: { at: AT + 60_000, because: "no network" } }),
      {},
      ["run", "daemon"],
      "it failed (no network) and is tried again at 2026-01-01 00:01",
    ],
    [
      "a storm",
      engine({ stop: { reason: "storm", because: "too many failed", until: AT + 60_000, since: AT } }),
      {},
      ["run", "daemon"],
      "too many failed, so it pauses until 2026-01-01 00:01",
    ],
    [
      "a budget",
      engine({ stop: { reason: "spending", because: "the day cost $3", until: null, since: AT } }),
      {},
      ["run", "daemon"],
      "the day cost $3",
    ],
    [
      "that nobody can do it",
      engine({ noWorker: { agent: "ghost", problem: "unknown-agent" } }),
      {},
      ["named-run", "run", "daemon"],
      'there is no agent "ghost"',
    ],
  ])("is %s, for some askers", (_, facts, of, held, phrase) => {
    const task = aNode({ feature: 1, ...of });
    expect(ASKERS.filter((asker) => holds(task, facts, asker).length > 0)).toEqual(held);
    for (const asker of held) expect(holds(task, facts, asker).map(phraseOf)).toEqual([phrase]);
  });

  it("is listed in order, with when it passes by itself", () => {
    const facts = engine({ levelOff: { feature: null }, retry: { at: AT + 5, because: "x" } });
    const claim = { by: "agent:a", token: "t", epoch: 1, at: AT, until: AT + 9 };
    expect(holds(aNode({ feature: 1 }), { ...facts, around: OVERLAP.around }, "daemon")).toEqual([
      { reason: "conflict", because: ["T-2"], until: null },
      { reason: "level", because: [], until: null },
      { reason: "retry", because: ["x"], until: AT + 5 },
    ]);
    expect(holds(aNode({ claim }), facts, "daemon")).toEqual([
      { reason: "in-flight", because: ["agent:a"], until: AT + 9 },
    ]);
  });

  it("is nothing of an engine's while the plan itself holds the task", () => {
    const facts = engine({ levelOff: { feature: null }, noWorker: { agent: "ghost", problem: "unknown-agent" } });
    expect(holds(aNode({ feature: null, approval: null }), facts, "daemon").map(({ reason }) => reason)).toEqual([
      "unapproved",
    ]);
  });

  it("is no failure whose time has come", () => {
    expect(holds(aNode({ feature: 1 }), engine({ retry: { at: AT, because: "x" } }), "daemon")).toEqual([]);
  });
});

describe("what keeps a gate or a landing from being done", () => {
  it("is not that it waits for a person; for a person, not its approval either", () => {
    const land = aNode({ kind: "land", approval: null });
    expect(holdsCompletion(land, ALONE, "person")).toEqual([]);
    expect(holdsCompletion(land, ALONE, "daemon").map(({ reason }) => reason)).toEqual(["unapproved"]);
    const changed = aNode({ kind: "land", hash: "other" });
    expect(holdsCompletion(changed, ALONE, "person")).toEqual([]);
    expect(holdsCompletion(changed, ALONE, "daemon").map(({ reason }) => reason)).toEqual(["approval-stale"]);
    const unknown = aNode({ kind: "gate", approval: { by: "human:eve", at: AT, hash: "" } });
    expect(holdsCompletion(unknown, ALONE, "person")).toEqual([]);
    expect(holdsCompletion(unknown, ALONE, "daemon").map(({ reason }) => reason)).toEqual(["approval-unknown"]);
    expect(holdsCompletion(aNode({ kind: "land" }), ALONE, "daemon")).toEqual([]);
  });

  it("is somebody who does it already, until their lease ends", () => {
    const claim = { by: "human:ada", token: "t", epoch: 1, at: AT, until: AT + 5 };
    const held = { reason: "in-flight", because: ["human:ada"], until: AT + 5 };
    expect(holdsCompletion(aNode({ kind: "gate", claim }), ALONE, "person")).toEqual([held]);
    expect(holdsCompletion(aNode({ kind: "land", claim }), ALONE, "daemon")).toEqual([held]);
    expect(holdsCompletion(aNode({ kind: "land", claim, approval: null }), ALONE, "daemon")).toEqual([
      { reason: "unapproved", because: [], until: null },
      held,
    ]);
  });
});
