import { describe, expect, it } from "vitest";
import { AT, aContainer, aNode, settled } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import { isStale } from "./stale-approval.js";
import {
  ALONE,
  deriveStatus,
  isClaimable,
  REASONS,
  type Reason,
  STATUSES,
  type Status,
  type Surroundings,
} from "./status.js";

type Situation = readonly [node: Partial<Node>, around?: Partial<Surroundings>];

const claim = { by: "agent:bot", token: "t", epoch: 1, at: AT, until: AT };
const freeze = { reason: "waiting for legal", by: "human:ada", at: AT, from: 7, commit: null };
const archive = { by: "human:ada", at: AT, root: 7, summary: null };
const acceptance = (state: "pending" | "accepted" | "rejected", reason: string | null = null): Partial<Node> => ({
  acceptance: { state, by: "checks", at: AT, reason },
});
const dependency = (state: "pending" | "rejected" | "dropped" | "met", id = "T-0"): Partial<Surroundings> => ({
  dependencies: [{ id, state }],
});

/** What makes each reason apply to a task that could otherwise be claimed. */
const MAKES: Readonly<Record<Reason, Situation>> = {
  terminal: [settled("waived")],
  "in-flight": [{ claim }],
  rejected: [acceptance("rejected", "2 checks failed")],
  inbox: [{ shelved: true }],
  container: [{ tier: "story", live: 1 }, { openChildren: ["T-8"] }],
  unapproved: [{ approval: null }],
  "approval-unknown": [{ approval: { by: "human:ada", at: 1, hash: "" } }],
  "approval-stale": [{ hash: "other" }],
  frozen: [{ freeze }],
  "dep-rejected": [{}, dependency("rejected", "T-2")],
  "dep-dropped": [{}, dependency("dropped", "T-3")],
  "deps-pending": [{}, dependency("pending", "T-4")],
  human: [{ kind: "gate" }],
  conflict: [{}, { conflicts: ["T-5"] }],
  budget: [{ budgets: { attempts: 2 }, attempts: 2 }],
  claimable: [{}],
};

const derive = (...situations: Situation[]) => {
  const around = { ...ALONE };
  const dependencies = situations.flatMap(([, given]) => given?.dependencies ?? []);
  for (const [, given] of situations) Object.assign(around, given);
  return deriveStatus(aNode(Object.assign({}, ...situations.map(([node]) => node))), { ...around, dependencies });
};

it("a landing that several tasks wait for is named once", () => {
  const around = { ...ALONE, dependencies: [1, 2].map(() => ({ id: "FEAT-B-LAND", state: "pending" as const })) };
  expect(deriveStatus(aNode(), around).because).toEqual(["FEAT-B-LAND"]);
});

describe("a land task", () => {
  const land = { kind: "land", approval: null } as const;
  const empty = { landing: [{ kind: "empty", id: "S-2" }] } as const;

  it("waits for what holds its feature besides tasks, whatever its own approval", () => {
    expect(derive([land, empty])).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["S-2"] });
    expect(derive([land])).toMatchObject({ status: "ready", reason: "human" });
  });

  it("names open tasks and the rest once each", () => {
    const both = {
      ...dependency("pending", "T-4"),
      landing: [...empty.landing, { kind: "empty", id: "T-4" } as const],
    };
    expect(derive([{ kind: "land" }, both]).because).toEqual(["T-4", "S-2"]);
  });
});

describe("each reason", () => {
  const expected: Readonly<Record<Reason, readonly [Status, ...string[]]>> = {
    terminal: ["waived"],
    "in-flight": ["in_progress", "agent:bot"],
    rejected: ["rejected", "2 checks failed"],
    inbox: ["planned"],
    container: ["blocked", "T-8"],
    unapproved: ["planned"],
    "approval-unknown": ["planned"],
    "approval-stale": ["planned"],
    frozen: ["frozen", "waiting for legal"],
    "dep-rejected": ["blocked", "T-2"],
    "dep-dropped": ["blocked", "T-3"],
    "deps-pending": ["blocked", "T-4"],
    human: ["ready"],
    conflict: ["blocked", "T-5"],
    budget: ["blocked"],
    claimable: ["ready"],
  };

  it.each(REASONS)("%s, alone", (reason) => {
    const [status, ...because] = expected[reason];
    expect(derive(MAKES[reason])).toEqual({ status, reason, because, also: [] });
  });

  const exclusive = new Set([
    "unapproved approval-unknown",
    "unapproved approval-stale",
    "approval-unknown approval-stale",
  ]);
  const pairs = REASONS.flatMap((first, i) => REASONS.slice(i + 1).map((second) => [first, second] as const)).filter(
    ([first, second]) => !exclusive.has(`${first} ${second}`),
  );

  it.each(pairs)("%s comes before %s", (first, second) => {
    const { reason, also } = derive(MAKES[second], MAKES[first]);
    expect(reason).toBe(first);
    const isLast = first === "terminal" || first === "container" || second === "claimable";
    expect(also.includes(second)).toBe(!isLast);
  });

  it("lists everything that stands in the way, in order", () => {
    const { reason, also } = derive(MAKES.budget, MAKES.conflict, MAKES.human, MAKES["deps-pending"], MAKES.unapproved);
    expect([reason, ...also]).toEqual(["unapproved", "deps-pending", "human", "conflict", "budget"]);
  });
});

describe("each status", () => {
  const cases: [status: Status, what: string, node: Node, around?: Partial<Surroundings>][] = [
    ["planned", "a task nobody approved", aNode({ approval: null })],
    ["planned", "a container nobody approved", aContainer({ approval: null })],
    ["planned", "a container that changed after its approval", aContainer({ hash: "other" })],
    ["planned", "a container in the inbox", aContainer({ shelved: true })],
    ["blocked", "a task that waits", aNode(), dependency("pending")],
    ["blocked", "work that waits for a person's acceptance", aNode(acceptance("pending"))],
    ["blocked", "a container in which nothing can start", aContainer()],
    ["blocked", "a container without children", aContainer({ live: 0 })],
    ["ready", "a task with nothing in its way", aNode()],
    ["ready", "a task whose dependencies are met", aNode(), dependency("met")],
    ["ready", "a gate whose turn it is", aNode({ kind: "gate" })],
    ["ready", "a land task whose turn it is", aNode({ kind: "land" })],
    ["ready", "a land task that nobody approved, when all else is finished", aNode({ kind: "land", approval: null })],
    ["ready", "a land task that changed after its approval", aNode({ kind: "land", hash: "other" }), dependency("met")],
    ["planned", "a land task before its turn", aNode({ kind: "land", approval: null }), dependency("pending")],
    ["ready", "a container in which something can start", aContainer(), { startable: true }],
    ["in_progress", "a claimed task", aNode({ claim })],
    ["in_progress", "a claimed task, even one that is unapproved by now", aNode({ claim, approval: null })],
    ["in_progress", "a container in which something is claimed", aContainer(), { begun: true }],
    ["in_progress", "a container in which something is finished", aContainer({ finished: 1 })],
    [
      "in_progress",
      "a container in which something is claimed, unapproved by now",
      aContainer({ approval: null }),
      { begun: true },
    ],
    ["rejected", "a task whose checks failed", aNode(acceptance("rejected"))],
    ["frozen", "a frozen task", aNode({ freeze })],
    ["frozen", "a frozen task, whatever else it lacks", aNode({ freeze, approval: null }), dependency("dropped")],
    ["frozen", "a frozen task that was rejected", aNode({ freeze, ...acceptance("rejected") })],
    ["frozen", "a frozen container", aContainer({ freeze }), { begun: true }],
    ["frozen", "something frozen in the inbox", aNode({ freeze, shelved: true })],
    ["done", "an accepted task", aNode({ ...settled("done"), ...acceptance("accepted") })],
    ["done", "a container whose children are all finished", aContainer({ finished: 2 })],
    ["done", "a container whose children are all finished, frozen or not", aContainer({ finished: 2, freeze })],
    ["waived", "a waived task", aNode(settled("waived"))],
    ["waived", "a waived container", aContainer(settled("waived"))],
    ["dropped", "a dropped task", aNode(settled("dropped"))],
    [
      "dropped",
      "a dropped container, even if its children are finished",
      aContainer({ ...settled("dropped"), finished: 2 }),
    ],
    ["archived", "an archived task", aNode({ ...settled("done"), archive })],
    ["archived", "an archived container", aContainer({ finished: 2, archive })],
  ];

  for (const [status, what, node, around] of cases) {
    it(`${status}: ${what}`, () => {
      expect(deriveStatus(node, { ...ALONE, ...around }).status).toBe(status);
    });
  }

  it("has a case here", () => {
    expect(new Set(cases.map(([status]) => status))).toEqual(new Set(STATUSES));
  });
});

describe("because", () => {
  it("names every dependency in the state that counts, and no other", () => {
    const dependencies = [
      { id: "A", state: "pending" },
      { id: "B", state: "rejected" },
      { id: "C", state: "rejected" },
      { id: "D", state: "met" },
    ] as const;
    expect(deriveStatus(aNode(), { ...ALONE, dependencies })).toEqual({
      status: "blocked",
      reason: "dep-rejected",
      because: ["B", "C"],
      also: ["deps-pending"],
    });
  });

  it("says so when a rejection gave no reason", () => {
    expect(derive([acceptance("rejected")]).because).toEqual(["rejected"]);
  });
});

describe("isClaimable", () => {
  it.each(REASONS.filter((reason) => !["conflict", "dep-rejected", "dep-dropped", "deps-pending"].includes(reason)))(
    "agrees with the reason %s",
    (reason) => {
      expect(isClaimable(aNode(MAKES[reason][0]))).toBe(reason === "claimable");
    },
  );

  it("goes by the number of unmet dependencies", () => {
    expect(isClaimable(aNode({ pending: 1 }))).toBe(false);
  });

  it.each([
    ["work", true],
    ["review", true],
    ["gate", false],
    ["land", false],
  ] as const)("is the worker's for %s: %s", (kind, expected) => {
    expect(isClaimable(aNode({ kind }))).toBe(expected);
  });
});

describe("isStale", () => {
  it("needs an approval of other content", () => {
    expect(isStale(aNode())).toBe(false);
    expect(isStale(aNode({ hash: "x" }))).toBe(true);
    expect(isStale(aNode({ hash: "x", approval: null }))).toBe(false);
  });
});

it("is held back by an approval that no known person signed, whatever it says", () => {
  const derived = deriveStatus(aNode(), { ...ALONE, isDoubted: true });
  expect(derived).toEqual({ status: "planned", reason: "approval-unknown", because: [], also: [] });
});

it("is held back by a container that was changed after its approval", () => {
  const approval = { by: "human:ada", at: 1, hash: "h" };
  const derived = deriveStatus(aNode({ approval, hash: "h" }), { ...ALONE, staleAbove: ["F-1"] });
  expect(derived).toMatchObject({ status: "planned", reason: "approval-stale", because: ["F-1"] });
});
