import { describe, expect, it } from "vitest";
import { node, settled } from "../../../test/branch.js";
import type { ItemChange } from "../item/item.js";
import type { Node } from "../node/node.js";
import type { Change, NodeChange } from "./change.js";
import type { LoggedOperation } from "./operation.js";
import {
  claimedBy,
  endingClaim,
  isFirstHand,
  isStep,
  isTurnable,
  isUpkeep,
  judgesWork,
  landTurn,
  netEffects,
  onlyApproves,
  onlyClaims,
  rebase,
  reopensAttempt,
  reverse,
  subjectOf,
  withoutAttempts,
  withoutClaim,
} from "./undo.js";

const operation = (op: number, rest: Partial<LoggedOperation> = {}): LoggedOperation => ({
  op,
  at: 0,
  actor: "human:ada",
  verb: "edit",
  sentence: "",
  commit: null,
  undoes: null,
  redoes: null,
  ...rest,
});
const undoOf = (op: number, undoes: number): LoggedOperation => operation(op, { undoes });
const redoOf = (op: number, redoes: number): LoggedOperation => operation(op, { redoes });

describe("turns", () => {
  it("are about an operation, their own or another", () => {
    expect([operation(3), undoOf(4, 3), redoOf(5, 3)].map(subjectOf)).toEqual([3, 3, 3]);
    expect([operation(3), undoOf(4, 3), redoOf(5, 3)].map(isFirstHand)).toEqual([true, false, false]);
  });

  it.each<[what: string, turns: LoggedOperation[], net: number[]]>([
    ["nothing", [], []],
    ["operations", [operation(6), operation(5)], [5, 6]],
    ["done and taken back: nothing", [undoOf(6, 5), operation(5)], []],
    ["done, taken back and done again", [redoOf(7, 5), undoOf(6, 5), operation(5)], [5]],
    ["taken back, of what was before", [undoOf(6, 2)], [2]],
    ["taken back and done again: nothing", [redoOf(7, 2), undoOf(6, 2)], []],
    [
      "heartbeats and leases that ended: nothing",
      [operation(6, { verb: "expire" }), operation(5, { verb: "heartbeat" })],
      [],
    ],
    ["one of two", [undoOf(7, 6), operation(6), operation(5)], [5]],
  ])("come to what they leave behind: %s", (_, turns, net) => {
    expect(netEffects(turns)).toEqual(net);
  });
});

describe("reverse", () => {
  const created: NodeChange = { entity: "node", key: 1, before: null, after: { id: "A", parent: 9 } };
  const linked: NodeChange = {
    entity: "node",
    key: 2,
    before: { dependsOn: [] },
    after: { dependsOn: [{ on: 1, origin: "stated" }] },
  };
  const focused: Change = { entity: "focus", key: "human:ada", before: null, after: { node: 2 } };

  it("turns every change round, last first", () => {
    const { changes, removed, restored, needed } = reverse([created, linked, focused]);
    expect(changes.map((change) => change.key)).toEqual(["human:ada", 2, 1]);
    expect([[...removed], [...restored.keys()], [...needed]]).toEqual([[1], [], []]);
  });

  it("says what has to be there for what comes back", () => {
    const there = reverse([created, linked]).changes;
    const { removed, restored, needed } = reverse(there);
    expect([[...removed], [...restored.keys()], [...needed]]).toEqual([[], [1], [9]]);
  });
});

describe("rebase", () => {
  const claim = { by: "agent:bot", token: "t", epoch: 2, at: 10, until: 50 };
  const task = node(4, "task", 1, { epoch: 2, attempts: 2, retries: 1 });
  const back = (before: NodeChange["before"], after: NodeChange["after"]): NodeChange => ({
    entity: "node",
    key: 4,
    before,
    after,
  });

  it.each<[what: string, now: Node, after: Partial<Node>, expected: NodeChange[]]>([
    [
      "never counts claims down",
      { ...task, claim },
      { claim: null, epoch: 1, attempts: 1 },
      [back({ claim, attempts: 2 }, { claim: null, attempts: 1 })],
    ],
    ["starts from what there is now", task, { retries: 0 }, [back({ retries: 1 }, { retries: 0 })]],
    ["is nothing where nothing would differ", task, { claim: null, epoch: 1 }, []],
    ["brings back a claim whose lease lasts", task, { claim }, [back({ claim: null }, { claim })]],
    ["brings back no claim whose lease has ended", task, { claim: { ...claim, until: 39 } }, []],
    ["brings back no claim after another", { ...task, epoch: 3 }, { claim }, []],
  ])("%s", (_, now, after, expected) => {
    expect(rebase(now, back({}, after), 40)).toEqual(expected);
  });

  it("can leave the attempts as they are, but not of a row that comes back", () => {
    expect(withoutAttempts(back({ attempts: 2, retries: 1 }, { attempts: 1, retries: 0 })).after).toEqual({
      retries: 0,
    });
    const others = [
      back({ retries: 1 }, { retries: 0 }),
      back(null, { id: "T4", attempts: 2 }),
      back({ id: "T4" }, null),
    ];
    expect(others.map(withoutAttempts)).toEqual(others);
  });

  it("takes a row away as it is now, and puts one back as it was", () => {
    expect(rebase(task, back({ id: "T4" }, null), 40)[0]?.before).toMatchObject({ epoch: 2, retries: 1 });
    const whole = back(null, { id: "T4", epoch: 2 });
    expect(rebase(undefined, whole, 40)).toEqual([whole]);
  });

  it("knows claims, judged work, upkeep and steps", () => {
    const rejected = { acceptance: { state: "rejected", by: "checks", at: 1, reason: "no" } } as const;
    expect(judgesWork([back({ acceptance: null }, rejected)])).toBe(true);
    expect(judgesWork([back(rejected, { acceptance: null }), back({ epoch: 1 }, { epoch: 2, claim })])).toBe(false);
    expect(claimedBy([back({ epoch: 1 }, { epoch: 2, claim }), back({ claim }, { claim: null })])).toEqual([4]);
    const verbs = ["expire", "heartbeat", "plan-step", "attempt", "next"].map((verb) => ({ verb }));
    expect(verbs.map(isUpkeep)).toEqual([true, true, false, false, false]);
    expect(verbs.map(isStep)).toEqual([false, false, true, true, false]);
    expect(verbs.map(isTurnable)).toEqual([false, false, false, false, true]);
  });
});

describe("landTurn", () => {
  const land = node(3, "task", 1, { kind: "land" });
  const landed: Node = { ...land, ...settled("done") };
  const change = (before: NodeChange["before"], after: NodeChange["after"]): NodeChange => ({
    entity: "node",
    key: 3,
    before,
    after,
  });

  it.each<[what: string, now: Node | undefined, change: NodeChange, turn: ReturnType<typeof landTurn>]>([
    ["a landing that is taken back", landed, change(settled("done"), { outcome: null }), "opens"],
    ["a landing", land, change({ outcome: null }, settled("done")), "closes"],
    ["a landing that is another", landed, change(settled("done"), settled("waived")), undefined],
    ["one that comes back: the store sees to that", undefined, change(null, { kind: "land" }), undefined],
    ["one that goes: the store sees to that", land, change({ kind: "land" }, null), undefined],
    ["one that is there although it comes back", land, change(null, { outcome: null }), undefined],
    ["another change of an open one", land, change({ title: "a" }, { title: "b" }), undefined],
    ["a task that is no land task", node(4, "task", 1), change({ outcome: null }, settled("done")), undefined],
  ])("of %s", (_, now, turned, turn) => {
    expect(landTurn(now, turned)).toBe(turn);
  });
});

describe("the end of an attempt", () => {
  type Side = ItemChange["before"];
  const attempt = (before: Side, after: Side): ItemChange => ({ entity: "attempt", key: "ATT-00001", before, after });
  const state = (word: string): Side => ({ state: word });

  it.each<[what: string, change: Change, reopens: boolean]>([
    ["that is taken back", attempt(state("accepted"), state("integrating")), true],
    ["that comes", attempt(state("integrating"), state("accepted")), false],
    ["that becomes another", attempt(state("pending"), state("accepted")), false],
    ["that goes with it", attempt(state("accepted"), null), false],
    ["that comes with it", attempt(null, state("working")), false],
    ["that is not touched", attempt({}, {}), false],
    ["of something else", { ...attempt(state("accepted"), state("working")), entity: "run" }, false],
  ])("%s", (_, change, reopens) => {
    expect(reopensAttempt(change)).toBe(reopens);
  });

  const change = (after: NodeChange["after"]): NodeChange => ({ entity: "node", key: 1, before: {}, after });

  it("end the claim of what they stop, and of nothing else", () => {
    const stopped: NodeChange["after"][] = [
      { approval: null },
      { outcome: { kind: "done", by: "human:ada", at: 1, op: 1, reason: null } },
    ];
    for (const after of stopped) expect(endingClaim(change(after)).after).toEqual({ ...after, claim: null });
    const others = [change({ title: "a" }), change(null), { ...change({ approval: null }), before: null }];
    expect(others.map(endingClaim)).toEqual(others);
  });

  it("know what only gave a task to a worker or took it away", () => {
    const claiming = change({ claim: null, attempts: 2, epoch: 2, retries: 0 });
    const focus: Change = { entity: "focus", key: "human:ada", before: null, after: { node: 1 } };
    expect([claiming, focus].map(onlyClaims)).toEqual([true, true]);
    const others = [change({ claim: null, freeze: null }), change(null), { ...claiming, before: null }];
    expect(others.map(onlyClaims)).toEqual([false, false, false]);
    const approval = { by: "human:ada", at: 1, hash: "h" };
    const approving: NodeChange = { entity: "node", key: 1, before: { approval: null }, after: { approval } };
    expect(onlyApproves(approving)).toBe(true);
    expect(onlyApproves({ ...approving, after: { approval, title: "T" } })).toBe(false);
    expect([claiming, focus, ...others].map(onlyApproves)).toEqual([false, false, false, false, false]);
  });

  it("gives the task to nobody when it is taken back", () => {
    const claim = { by: "human:ada", token: "t", epoch: 1, at: 0, until: 1 } as const;
    expect(withoutClaim(change({ claim, outcome: null }))).toEqual(change({ claim: null, outcome: null }));
    expect([change({ title: "a" }), change(null)].map(withoutClaim)).toEqual([change({ title: "a" }), change(null)]);
  });
});
