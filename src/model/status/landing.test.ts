import { describe, expect, it } from "vitest";
import { node, settled } from "../../../test/branch.js";
import { spelled } from "../../../test/spelled.js";
import type { Node } from "../node/node.js";
import {
  HOLD_WORDS,
  isUnfinished,
  type LandingFacts,
  type LandingHold,
  landingHolds,
  type RunPlace,
  stepsToFree,
  worksIn,
} from "./landing.js";

const awaitsPlan = { by: "human:ada", at: 1, reason: "too large" };
const rejected = { acceptance: { state: "rejected", by: "checks", at: 1, reason: null } } as const;

/** A feature with one done task, and its open land task. */
const FEATURE = { ...node(1, "feature", 9), live: 2, finished: 1, tasksLive: 1, tasksFinished: 1 };

const facts = (over: Partial<LandingFacts> = {}, feature: Partial<Node> = {}): LandingFacts => ({
  feature: { ...FEATURE, ...feature },
  hasLand: true,
  unfinished: [],
  hasDone: true,
  runs: [],
  ...over,
});

describe("a feature", () => {
  it.each<[string, LandingFacts, string[]]>([
    ["may land when all of it is finished and something is done", facts(), []],
    ["waits for a task", facts({ unfinished: [node(4, "task", 1)] }), ["open T4"]],
    ["waits for a rejected task", facts({ unfinished: [node(4, "task", 1, rejected)] }), ["open T4 rejected"]],
    ["waits for a story without tasks", facts({ unfinished: [node(4, "story", 1)] }), ["empty S4"]],
    [
      "waits for a story without tasks that is approved",
      facts({ unfinished: [node(4, "story", 1, { approval: { by: "human:ada", at: 1, hash: "" } })] }),
      ["empty S4"],
    ],
    [
      "waits for a story that is to be planned again",
      facts({ unfinished: [node(4, "story", 1, { awaitsPlan, live: 1, finished: 1 })] }),
      ["replan S4"],
    ],
    ["waits for a new plan of its own", facts({}, { awaitsPlan }), ["replan F1"]],
    ["waits for a planning run", facts({ runs: ["RUN-002"] }), ["run RUN-002"]],
    [
      "waits for all of that, tasks first",
      facts({ unfinished: [node(4, "task", 1), node(5, "story", 1)], runs: ["RUN-002"] }, { awaitsPlan }),
      ["open T4", "run RUN-002", "empty S5", "replan F1"],
    ],
    ["waits for what the counters know of, named or not", facts({}, { live: 3 }), ["open F1"]],
    [
      "has nothing to land without tasks",
      facts({ hasDone: false }, { live: 1, finished: 0, tasksLive: 0 }),
      ["empty F1"],
    ],
    ["has nothing to land where nothing is done", facts({ hasDone: false }), ["not-done F1"]],
    ["has nothing to land twice", facts({ hasLand: false, unfinished: [node(4, "story", 1)] }), ["landed F1"]],
  ])("%s", (_, given, expected) => {
    const said = landingHolds(given).map(({ kind, id, rejected: red }) => `${kind} ${id}${red ? " rejected" : ""}`);
    expect(said).toEqual(expected);
  });

  it("is unfinished when more than its land task is open", () => {
    expect([isUnfinished({ live: 2, finished: 1 }), isUnfinished({ live: 3, finished: 1 })]).toEqual([false, true]);
  });
});

describe("a planning run", () => {
  const run = (over: Partial<RunPlace>): RunPlace => ({ status: "running", node: 1, ...over });
  it.each<[string, RunPlace, number | null, boolean]>([
    ["in the feature that it may change", run({ features: [1, 2] }), null, true],
    ["in the feature that its node was moved to", run({ features: [2] }), 1, true],
    ["in no other", run({ features: [2] }), 2, false],
    ["nowhere as a review", run({ features: [] }), 1, false],
    ["in the feature of its node, as an earlier version began it", run({}), 1, true],
    ["not above its features, as an earlier version began it", run({}), null, false],
    ["while it waits for an answer", run({ status: "waiting", features: [1] }), null, true],
    ["while it waits for an approval", run({ status: "ready", features: [1] }), null, true],
    ["while it is stopped", run({ status: "halted", features: [1] }), null, true],
    ["not once it is finished", run({ status: "finished", features: [1] }), 1, false],
    ["not once it is aborted", run({ status: "aborted", features: [1] }), 1, false],
  ])("works %s", (_, place, at, expected) => {
    expect(worksIn(place, at, 1)).toBe(expected);
  });
});

describe("what holds a landing", () => {
  it.each<[LandingHold["kind"], RegExp, string[]]>([
    ["open", /^X-1 is open\.$/, ["planwright why X-1"]],
    [
      "empty",
      /^X-1 has no tasks\. Drop it, waive it or plan it\.$/,
      [
        "planwright expand X-1",
        "planwright add TITLE --parent X-1",
        "planwright waive X-1 --reason TEXT",
        "planwright drop X-1",
      ],
    ],
    [
      "replan",
      /^X-1 is to be planned again\./,
      ["planwright expand X-1", "planwright add TITLE --parent X-1", "planwright drop X-1"],
    ],
    ["run", /^X-1 is planning it\./, ["planwright why X-1", "planwright plan abort X-1"]],
    [
      "not-done",
      /^Nothing in X-1 is done/,
      ["planwright waive X-1 --reason TEXT", "planwright add TITLE --parent X-1"],
    ],
    ["landed", /^Nothing was added to X-1/, ["planwright status X-1"]],
  ])("%s", (kind, words, steps) => {
    expect(HOLD_WORDS[kind]("X-1")).toMatch(words);
    expect(spelled({ next: stepsToFree({ kind, id: "X-1" }) })).toEqual(steps);
  });
});

it("knows settled tasks by their outcome alone", () => {
  expect(landingHolds(facts({ unfinished: [node(4, "task", 1, settled("dropped"))] }))).toEqual([
    { kind: "open", id: "T4" },
  ]);
});
