import { describe, expect, it } from "vitest";
import { aNode } from "../../../test/node.js";
import { NEWS, type Subscription } from "../item/subscription.js";
import type { Node } from "../node/node.js";
import { REASONS } from "../status/status.js";
import { coalesce, factNews, type Happening, isWanted, personDetail, standingOf } from "./news.js";

const task = (facts: Partial<Node> = {}): Node => aNode({ tier: "task", kind: "work", ...facts });

const claim = (epoch: number, until = 10): Node["claim"] => ({ by: "agent:bot", token: "t", epoch, at: 1, until });
const rejected: Node["acceptance"] = { state: "rejected", by: "checks", at: 1, reason: "exit 1" };
const outcome = (kind: "done" | "waived" | "dropped", reason: string | null = null): Node["outcome"] => ({
  kind,
  by: "human:ada",
  at: 1,
  reason,
  op: 5,
});
const freeze = (reason: string): Node["freeze"] => ({ reason, by: "human:ada", at: 1, from: 1, commit: null });

describe("what facts tell", () => {
  it.each<[string, Partial<Node>, Partial<Node>, string[]]>([
    ["a claim", {}, { claim: claim(1) }, ["claimed by agent:bot"]],
    ["a heartbeat is no claim", { claim: claim(1) }, { claim: claim(1, 99) }, []],
    ["another's claim", { claim: claim(1) }, { claim: claim(2) }, ["claimed by agent:bot"]],
    ["a claim given back", { claim: claim(1) }, {}, []],
    ["a rejection", { claim: claim(1) }, { acceptance: rejected }, ["rejected exit 1"]],
    ["a rejection that stays", { acceptance: rejected }, { acceptance: rejected }, []],
    ["a completion", {}, { outcome: outcome("done") }, ["completed done"]],
    ["a waiver", {}, { outcome: outcome("waived", "no need") }, ["completed waived: no need"]],
    ["a drop", {}, { outcome: outcome("dropped") }, []],
    ["what was done before", { outcome: outcome("done") }, { outcome: outcome("done") }, []],
    ["a landing", { kind: "land" }, { kind: "land", outcome: outcome("done", "main has it") }, ["landed main has it"]],
    ["a landing that was waived", { kind: "land" }, { kind: "land", outcome: outcome("waived") }, []],
    ["too many silent workers", {}, { freeze: freeze("retry-exhausted: 5") }, ["needs-person retry-exhausted: 5"]],
    ["an ordinary freeze", {}, { freeze: freeze("wait") }, []],
    ["a freeze that stays", { freeze: freeze("retry-exhausted") }, { freeze: freeze("retry-exhausted") }, []],
  ])("%s", (_, before, after, told) => {
    expect(factNews(task(before), task(after)).map(({ kind, detail }) => `${kind} ${detail ?? ""}`)).toEqual(told);
  });
});

describe("what a reason means", () => {
  it("is work for somebody, or nothing", () => {
    const standing = REASONS.flatMap((reason) => {
      const whose = standingOf(reason);
      return whose === null ? [] : [`${reason}: ${whose}`];
    });
    expect(standing).toEqual(["human: needs-person", "budget: needs-person", "claimable: ready"]);
  });

  it("is put into words for a person", () => {
    const pending = { state: "pending", by: "agent:bot", at: 1, reason: null } as const;
    expect([
      personDetail({ kind: "work", acceptance: pending }),
      personDetail({ kind: "gate", acceptance: null }),
      personDetail({ kind: "land", acceptance: null }),
      personDetail({ kind: "work", acceptance: null }),
    ]).toEqual([
      "it is handed in and waits for you to accept it",
      "it is yours to do",
      "everything in it is done, and it can be landed",
      "all of its attempts are used",
    ]);
  });
});

const happening = (rest: Partial<Happening> = {}): Happening => ({
  kind: "ready",
  op: 7,
  at: 70,
  by: "human:ada",
  id: "T-1",
  title: "One",
  detail: null,
  nodes: [11],
  features: [2],
  ...rest,
});

const subscription = (rest: Partial<Subscription> = {}): Subscription => ({
  actor: "human:ada",
  state: "active",
  scope: "workspace",
  target: null,
  news: NEWS,
  cursor: 6,
  createdAt: 0,
  ...rest,
});

describe("whether somebody wants to hear it", () => {
  it.each<[string, Partial<Subscription>, boolean]>([
    ["of the workspace", {}, true],
    ["told already", { cursor: 7 }, false],
    ["another kind", { news: ["landed"] }, false],
    ["of its feature", { scope: "feature", target: 2 }, true],
    ["of another feature", { scope: "feature", target: 3 }, false],
    ["of the task", { scope: "task", target: 11 }, true],
    ["of another task", { scope: "task", target: 12 }, false],
    ["a feature's number is no task's", { scope: "task", target: 2 }, false],
    ["of nothing", { scope: "task", target: null }, false],
  ])("%s", (_, rest, wanted) => {
    expect(isWanted(subscription(rest), happening())).toBe(wanted);
  });
});

describe("news of one kind about one node", () => {
  it("are one line, the latest, with how often", () => {
    const lines = coalesce([
      happening({ op: 9, by: "agent:late" }),
      happening({ op: 7, by: "agent:early" }),
      happening({ op: 8, kind: "claimed" }),
      happening({ op: 3, id: "T-2" }),
      happening({ op: 4, id: "T-2", detail: "again" }),
    ]);
    expect(lines.map(({ kind, id, op, by, times, detail }) => ({ kind, id, op, by, times, detail }))).toEqual([
      { kind: "ready", id: "T-2", op: 4, by: "human:ada", times: 2, detail: "again" },
      { kind: "claimed", id: "T-1", op: 8, by: "human:ada", times: 1, detail: null },
      { kind: "ready", id: "T-1", op: 9, by: "agent:late", times: 2, detail: null },
    ]);
  });
});
