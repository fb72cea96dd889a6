import { describe, expect, it } from "vitest";
import { frozenBy, node, settled } from "../../../test/branch.js";
import { spelled } from "../../../test/spelled.js";
import type { Node } from "../node/node.js";
import { type DerivedStatus, REASONS, type Reason } from "./status.js";
import { type Circumstances, explain } from "./why.js";

const derived = (reason: Reason, ...also: Reason[]): DerivedStatus => ({
  status: "blocked",
  reason,
  because: [],
  also,
});

const NOW = Date.UTC(2026, 0, 2);

function explainIt(reason: Reason, of: Partial<Node>, rest: Partial<Circumstances> = {}) {
  return explain({
    node: { ...node(7, "task", 1), id: "T-7", ...of },
    derived: derived(reason),
    actor: "human:ada",
    now: NOW,
    pending: [],
    landing: [],
    pendingTotal: rest.pending?.length ?? 0,
    interrupted: false,
    rejected: [],
    dropped: [],
    staleAbove: [],
    heldBy: null,
    openChildren: [],
    openTotal: rest.openChildren?.length ?? 0,
    underWay: false,
    conflicts: [],
    frozenFrom: "T-7",
    archivedWith: "T-7",
    lands: null,
    ...rest,
  });
}

const claim = (by: string, until: number) => ({ claim: { by, token: "secret", epoch: 1, at: NOW - 1, until } });
const REJECTED = ["planwright reset T-7", "planwright accept T-7 --reason TEXT"];

const rejectedBy = (by: string) => ({ acceptance: { state: "rejected", by, at: 1, reason: "not like this" } as const });

const failedCheck = (attempts: number) => ({
  ...rejectedBy("daemon:vm"),
  attempts,
  report: {
    by: "daemon:vm",
    at: 1,
    startedAt: 0,
    durationMs: 1,
    commit: null,
    created: [],
    modified: [],
    checks: [
      { run: "true", passed: true, outcome: "exit 0", durationMs: 1, output: "" },
      { run: "npm test", passed: false, outcome: "exit 1", durationMs: 1, output: "a long story" },
    ],
    failure: null,
  },
});

const accepted = (state: "pending" | "rejected", reason: string | null) => ({
  acceptance: { state, by: "checks", at: 1, reason },
});
const passing = (run: string) => ({ run, passed: true, outcome: "exit 0", durationMs: 1, output: "" });
const reported = {
  report: {
    by: "agent:bot",
    at: 1,
    startedAt: 1,
    durationMs: 1,
    commit: "0123456789abcdef",
    created: [],
    modified: [],
    checks: [
      { ...passing("npm test"), before: { on: "base" as const, passed: false, outcome: "exit 1" } },
      ...["b", "c", "d"].map(passing),
    ],
    failure: null,
  },
};
const overridden = { state: "accepted" as const, by: "human:ada", at: 1, reason: null };
const archive = { by: "human:ada", at: NOW, root: 1, summary: null };
const approval = { by: "human:ada", at: 1, hash: "old" };

const CASES: Readonly<Record<Reason, readonly [Partial<Node>, Partial<Circumstances>, RegExp, readonly string[]][]>> = {
  terminal: [
    [settled("done"), {}, /Nothing is left to do for T-7\. It is done\.$/, ["planwright next"]],
    [
      { ...settled("done"), ...reported, acceptance: { ...overridden, by: "checks" } },
      {},
      /It is done\. agent:bot did it at 1970-01-01 00:00 in commit 0123456789\. Proven by npm test \(exit 0, red → green\); b \(exit 0\); c \(exit 0\) and 1 more\.$/,
      ["planwright show T-7", "planwright next"],
    ],
    [
      { ...settled("done"), report: { ...reported.report, commit: null }, acceptance: overridden },
      {},
      /agent:bot did it at 1970-01-01 00:00\. human:ada accepted it\.$/,
      ["planwright show T-7", "planwright next"],
    ],
    [
      { ...settled("done"), report: { ...reported.report, checks: [] } },
      {},
      /in commit 0123456789\.$/,
      ["planwright show T-7", "planwright next"],
    ],
    [
      { ...settled("done"), report: { ...reported.report, checks: [passing("true")] } },
      {},
      /Proven by true \(exit 0\)\.$/,
      ["planwright show T-7", "planwright next"],
    ],
    [
      {
        ...settled("done"),
        report: {
          ...reported.report,
          checks: [{ ...passing("true"), before: { on: "base", passed: true, outcome: "exit 0" } }],
        },
      },
      {},
      /Proven by true \(exit 0, green → green\)\. Weak proof: no check failed without the change\.$/,
      ["planwright show T-7", "planwright next"],
    ],
    [{ ...settled("waived") }, {}, /It is waived/, ["planwright next"]],
    [{ tier: "story", kind: null }, {}, /Everything in it is finished/, ["planwright next"]],
    [settled("dropped"), {}, /human:ada dropped T-7\. The log has/, ["planwright log T-7"]],
    [{ archive }, { archivedWith: "FEAT-1" }, /was archived at/, ["planwright restore FEAT-1"]],
  ],
  "in-flight": [
    [claim("agent:bot", NOW + 1), {}, /agent:bot is working on T-7, with a lease until/, ["planwright show T-7"]],
    [claim("daemon:vm", NOW + 1), {}, /daemon:vm is working on T-7/, ["planwright show T-7"]],
    [
      claim("daemon:vm", NOW + 1),
      { interrupted: true },
      /The program that worked on T-7 has ended/,
      ["planwright run T-7", "planwright show T-7"],
    ],
    [claim("human:ada", NOW + 1), {}, /human:ada is working/, ["planwright complete T-7"]],
    [
      claim("agent:bot", NOW + 1),
      { actor: "agent:bot" },
      /agent:bot is working/,
      ["planwright complete T-7 --token TOKEN"],
    ],
    [
      claim("agent:bot", NOW),
      {},
      /lease of agent:bot on T-7 ended at .*, so any worker can claim it/,
      ["planwright next"],
    ],
  ],
  rejected: [
    [accepted("rejected", "2 of 3 failed"), {}, /rejected by checks \(2 of 3 failed\)/, REJECTED],
    [failedCheck(1), {}, /T-7 was rejected: the check `npm test` failed \(exit 1\)\./, REJECTED],
    [failedCheck(3), {}, /the check `npm test` failed in 3 attempts \(exit 1\)\./, REJECTED],
    [{ ...failedCheck(1), ...rejectedBy("human:ada") }, {}, /rejected by human:ada \(not like this\)/, REJECTED],
  ],
  inbox: [
    [{ shelved: true }, {}, /in the inbox, and nothing in the inbox runs/, ["planwright approve T-7 --to NODE"]],
    [{ inbox: true, tier: "feature", kind: null }, {}, /is the inbox/, ["planwright status T-7"]],
  ],
  container: [
    [
      { tier: "story", kind: null, live: 3, finished: 1, approval, hash: "old" },
      { openChildren: ["T-1", "T-2"] },
      /1 of 3 are finished; T-1 and T-2 are still open/,
      ["planwright why T-1"],
    ],
    [
      { tier: "story", kind: null, live: 1, finished: 0, approval, hash: "old" },
      { openChildren: ["T-1"] },
      /T-1 is still open/,
      ["planwright why T-1"],
    ],
    [
      { tier: "story", kind: null, approval, hash: "old" },
      {},
      /is a story with nothing in it/,
      ["planwright add TITLE --parent T-7"],
    ],
    [
      { tier: "story", kind: null, approval, hash: "old", feature: 1 },
      {},
      /T-7 has no tasks\. Drop it, waive it or plan it\. Until then its feature cannot land\./,
      ["planwright expand T-7", "planwright add TITLE --parent T-7", "planwright waive T-7 --reason TEXT"],
    ],
    [
      {
        tier: "story",
        kind: null,
        approval,
        hash: "old",
        awaitsPlan: { by: "human:ada", at: 1, reason: "too large" },
      },
      {},
      /human:ada asked to plan T-7 again \(too large\)\. T-7 is to be planned again\./,
      ["planwright expand T-7", "planwright add TITLE --parent T-7"],
    ],
    [
      {
        tier: "story",
        kind: null,
        approval,
        hash: "old",
        awaitsPlan: { by: "human:ada", at: 1, reason: "too large" },
        live: 2,
        finished: 1,
      },
      { openChildren: ["T-1"] },
      /T-7 is to be planned again\. Plan it, add work to it and approve that, or drop the rest of it\./,
      ["planwright approve T-7", "planwright expand T-7", "planwright add TITLE --parent T-7"],
    ],
  ],
  unapproved: [
    [
      {},
      { openChildren: ["T-1", "T-2"] },
      /Neither T-7 nor anything in it \(T-1 and T-2\)/,
      ["planwright approve T-7"],
    ],
    [{}, {}, /not approved, and nothing runs before a person/, ["planwright approve T-7"]],
  ],
  "approval-unknown": [
    [
      { approval: { ...approval, hash: "" } },
      {},
      /T-7 was approved with a secret that this plan does not know, so it does not run/,
      ["planwright approve T-7", "planwright people confirm", "planwright people"],
    ],
  ],
  "approval-stale": [
    [{ approval }, {}, /changed after human:ada approved it/, ["planwright approve T-7"]],
    [
      { approval, hash: approval.hash },
      { staleAbove: ["F-1", "M"] },
      /T-7 is part of F-1, which changed after its approval/,
      ["planwright approve F-1"],
    ],
    [{ approval }, { staleAbove: ["F-1"] }, /T-7 changed after human:ada approved it/, ["planwright approve T-7"]],
  ],
  frozen: [
    [frozenBy(7), {}, /human:ada froze T-7 \(wait\)/, ["planwright thaw T-7"]],
    [frozenBy(1), { frozenFrom: "FEAT-1" }, /human:ada froze FEAT-1, and T-7 with it/, ["planwright thaw FEAT-1"]],
  ],
  "dep-rejected": [[{}, { rejected: [{ id: "T-1" }] }, /depends on T-1, which was rejected/, ["planwright reset T-1"]]],
  "dep-dropped": [[{}, { dropped: [{ id: "T-1" }] }, /T-1, which was dropped/, ["planwright unlink T-7 --on T-1"]]],
  "deps-pending": [
    [
      {},
      { pending: ["T-1", "T-2", "T-3", "T-4", "T-5", "T-6", "T-8"].map((id) => ({ id })) },
      /waits for T-1, T-2, T-3, T-4, T-5 and 2 more to be finished/,
      ["planwright why T-1"],
    ],
    [
      {},
      { pending: [{ id: "T-1" }], pendingTotal: 20_000 },
      /waits for T-1 and 19999 more to be finished/,
      ["planwright why T-1"],
    ],
    [
      {},
      { pending: [{ id: "T-1" }], heldBy: "STORY-1" },
      /T-7 is part of STORY-1, which waits for T-1 to be finished/,
      ["planwright why T-1"],
    ],
    [
      {},
      { pending: [{ id: "FEAT-1-LAND", landing: "T-1" }] },
      /waits for FEAT-1-LAND: T-1 is finished, but its feature has not landed/,
      ["planwright why FEAT-1-LAND"],
    ],
    [
      { kind: "land" },
      { landing: [{ kind: "empty", id: "STORY-2" }] },
      /^T-7 waits: STORY-2 has no tasks\. Drop it, waive it or plan it\.$/,
      ["planwright expand STORY-2", "planwright add TITLE --parent STORY-2", "planwright waive STORY-2 --reason TEXT"],
    ],
    [
      { kind: "land" },
      { pending: [{ id: "T-1" }], landing: [{ kind: "empty", id: "STORY-2" }] },
      /^T-7 waits for T-1 to be finished\. STORY-2 has no tasks\./,
      ["planwright why T-1"],
    ],
    [
      { kind: "land" },
      { landing: [{ kind: "run", id: "RUN-001" }] },
      /^T-7 waits: RUN-001 is planning it\./,
      ["planwright why RUN-001"],
    ],
  ],
  human: [
    [{ kind: "gate" }, {}, /is a gate: a person has to do it/, ["planwright complete T-7"]],
    [{ kind: "land" }, {}, /lands its feature: a person has to do it/, ["planwright complete T-7"]],
    [{ kind: "land" }, { lands: "FEAT-1" }, /lands its feature/, ["planwright land FEAT-1"]],
    [
      accepted("pending", null),
      {},
      /handed in T-7, and a person has to accept it: no check proves it/,
      ["planwright accept T-7 --reason TEXT"],
    ],
  ],
  conflict: [
    [
      {},
      { conflicts: [{ id: "T-1", conflict: "CONFLICT-00001", places: "src/a.ts" }] },
      /^\S+ goes after T-1, which touches src\/a\.ts too \(CONFLICT-00001\)\.$/,
      ["planwright why T-1"],
    ],
    [
      {},
      { conflicts: [{ id: "T-1", conflict: null, places: "src/a.ts" }] },
      /^T-7 touches the same files as T-1 \(src\/a\.ts\), which is in progress\.$/,
      ["planwright why T-1"],
    ],
    [
      {},
      { conflicts: [{ id: "T-1", conflict: null, places: "" }] },
      /^T-7 touches the same files as T-1, which is in progress\.$/,
      ["planwright why T-1"],
    ],
    [
      {},
      {
        conflicts: [
          { id: "T-1", conflict: "CONFLICT-00001", places: "src/a.ts" },
          { id: "T-2", conflict: null, places: "src/b.ts" },
        ],
      },
      /goes after T-1, which touches src\/a\.ts too \(CONFLICT-00001\) and T-2\.$/,
      ["planwright why T-1"],
    ],
  ],
  budget: [
    [{ attempts: 3 }, {}, /claimed 3 times, and its budget allows no more/, ["planwright edit T-7 --attempts 4"]],
  ],
  claimable: [[{}, {}, /is ready: you can start it now/, ["planwright next T-7"]]],
};

describe("why", () => {
  it.each(REASONS)("%s has a sentence and a way out", (reason) => {
    for (const [of, rest, sentence, unblock] of CASES[reason]) {
      const [first] = explainIt(reason, of, rest);
      expect(first?.sentence).toMatch(sentence);
      expect(first?.sentence.endsWith(".")).toBe(true);
      expect(spelled(first ?? {})).toEqual(unblock);
    }
  });

  it("never gives a command that does not end", () => {
    const all = REASONS.flatMap((reason) => CASES[reason].flatMap(([of, rest]) => explainIt(reason, of, rest)));
    expect(all.flatMap((e) => spelled(e)).join("\n")).not.toContain("--watch");
  });

  it("counts the tasks of a feature, as `status` does", () => {
    const feature = { tier: "feature", kind: null, approval, hash: "old", live: 3, tasksLive: 2 } as const;
    const [found] = explainIt("container", feature, { openChildren: ["T-1", "T-2", "LAND"], openTotal: 40 });
    expect(found?.sentence).toMatch(/0 of 2 tasks are finished; T-1, T-2, LAND and 37 more are still open/);
  });

  it("asks for no approval of a container in which something runs", () => {
    const story = { tier: "story", kind: null, live: 1 } as const;
    const found = explainIt("container", story, { openChildren: ["T-1"], underWay: true });
    expect(found.map((e) => spelled(e))).toEqual([["planwright why T-1"]]);
  });

  it("marks what has to wait for the rest", () => {
    const found = explainIt(
      "unapproved",
      { kind: "land" },
      { derived: derived("unapproved", "deps-pending", "human"), pending: [{ id: "T-1" }] },
    );
    expect(found.map((e) => e.later)).toEqual([false, false, true]);
  });

  it("never names a command that takes something away", () => {
    const all = REASONS.flatMap((reason) =>
      CASES[reason].flatMap(([of, rest]) => explainIt(reason, of, rest).flatMap((e) => [e.sentence, ...spelled(e)])),
    );
    expect(all.join("\n")).not.toMatch(/planwright (drop|replan|undo|archive(?! \S+ --restore))|--force|--drop|\brm\b/);
  });

  it("says everything that stands in the way, the first reason first", () => {
    const sentences = explainIt(
      "unapproved",
      {},
      {
        derived: derived("unapproved", "dep-rejected", "deps-pending"),
        rejected: [{ id: "T-1" }],
        pending: [{ id: "T-2" }],
      },
    ).map((e) => e.sentence);
    expect(sentences).toHaveLength(3);
    expect(sentences[0]).toMatch(/not approved/);
    expect(sentences[2]).toMatch(/waits for T-2/);
  });

  it("says of a container what a person has to decide about it before what is in it", () => {
    const story = { tier: "story", kind: null, live: 1 } as const;
    const about = (of: Partial<Node>): (string | undefined)[] =>
      explainIt("container", { ...story, ...of }, { openChildren: ["T-1"] }).map((e) => spelled(e)[0]);
    expect(about({ approval: null })).toEqual(["planwright approve T-7", "planwright why T-1"]);
    expect(about({ approval: { ...approval, hash: "" }, hash: "new" })).toEqual([
      "planwright approve T-7",
      "planwright why T-1",
    ]);
    expect(about({ approval, hash: "new", ...frozenBy(7) })).toEqual([
      "planwright approve T-7",
      "planwright thaw T-7",
      "planwright why T-1",
    ]);
  });

  it("says of a container what it waits for itself", () => {
    const causes = { rejected: [{ id: "T-1" }], dropped: [{ id: "T-2" }], pending: [{ id: "T-3" }] };
    const story = { tier: "story", kind: null, approval, hash: "old" } as const;
    expect(explainIt("container", story, { ...causes, openChildren: ["T-4"] }).map((e) => spelled(e))).toEqual([
      ["planwright reset T-1"],
      ["planwright unlink T-7 --on T-2"],
      ["planwright why T-3"],
      ["planwright why T-4"],
    ]);
  });

  it("does not ask for an approval beside the way out of the inbox, which is one", () => {
    const found = explainIt(
      "inbox",
      { shelved: true },
      { derived: derived("inbox", "unapproved", "deps-pending"), pending: [{ id: "T-1" }] },
    );
    expect(found.map((e) => spelled(e))).toEqual([["planwright approve T-7 --to NODE"], ["planwright why T-1"]]);
  });
});
