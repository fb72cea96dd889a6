import { describe, expect, it } from "vitest";
import { branch, frozenBy, node, settled } from "../../../test/branch.js";
import type { InvariantCode } from "../lint-codes.js";
import type { Edge, Node, Nr } from "../node/node.js";
import { lintNodes } from "./lint.js";

const on = (...nrs: Nr[]): { dependsOn: Edge[] } => ({ dependsOn: nrs.map((nr) => ({ on: nr, origin: "stated" })) });
const land = (nr: number, parent: number, rest: Partial<Node> = {}): Node =>
  node(nr, "task", parent, { kind: "land", ...rest });

const sound = (...more: Node[]): Node[] => [
  node(1, "mission", null),
  node(2, "feature", 1),
  node(3, "story", 2),
  land(4, 2),
  node(10, "task", 3),
  ...more,
];

const problems = (...nodes: Node[]): string[] => lintNodes(branch(...nodes)).problems.map((p) => `${p.code} ${p.id}`);

const claim = { by: "agent:bot", token: "t", epoch: 1, at: 1, until: 2 };

/** A plan that breaks each invariant, once. */
const BROKEN: Readonly<Record<InvariantCode, readonly [Node[], string]>> = {
  "I-PARENT": [sound(node(11, "task", 99)), "T11"],
  "I-DANGLING": [sound(node(11, "task", 3, on(99))), "T11"],
  "I-KINSHIP": [sound(node(11, "task", 3, on(3))), "T11"],
  "I-TWICE": [sound(node(11, "task", 3, on(10, 10))), "T11"],
  "I-CYCLE": [sound(node(11, "task", 3, on(12)), node(12, "task", 3, on(11))), "T11"],
  "I-CLAIM": [sound(node(11, "task", 3, { claim, ...settled("waived") })), "T11"],
  "I-APPROVER": [sound(node(11, "task", 3, { approval: { by: "agent:bot", at: 1, hash: "" } })), "T11"],
  "I-FREEZE": [sound(node(11, "task", 3, frozenBy(11, "human:ada", ""))), "T11"],
  "I-LAND": [[node(1, "mission", null), node(2, "feature", 1), node(10, "task", 2)], "F2"],
  "I-DONE": [sound(node(11, "task", 3, { ...settled("done", 1_000), ...frozenBy(11) })), "T11"],
  "I-PROOF": [sound(node(11, "task", 3, { ...settled("done"), acceptance: null })), "T11"],
};

describe("lint", () => {
  it("finds nothing in a sound plan", () => {
    expect(lintNodes(branch(...sound(node(11, "task", 3, on(10)))))).toEqual({ problems: [], warnings: [] });
  });

  it.each(Object.keys(BROKEN) as InvariantCode[])("finds what breaks %s", (code) => {
    const [nodes, id] = BROKEN[code];
    expect(problems(...nodes)).toContain(`${code} ${id}`);
  });

  it("lists a cycle from a member back to itself (the order of tasks; the steel thread belongs to planning)", () => {
    const { problems } = lintNodes(branch(...sound(node(11, "task", 3, on(12)), node(12, "task", 3, on(11)))));
    expect(problems.map((p) => p.message)).toEqual(["There is a cycle of waiting: T11 → T12 → T11."]);
  });

  it("sees cycles over dependencies, containment and landing together", () => {
    // T20 waits for F2 to land, T10 in it for the story around T20.
    const crossing = [
      ...sound(node(11, "task", 3, on(6))),
      node(5, "feature", 1),
      node(6, "story", 5),
      land(7, 5),
      node(20, "task", 6, on(10)),
    ];
    expect(lintNodes(branch(...crossing)).problems.map((p) => p.code)).toEqual(["I-CYCLE"]);
    // A task that waits for the landing of its own feature.
    expect(problems(...sound(node(11, "task", 3, on(4))))).toEqual(["I-CYCLE S3"]);
  });

  it("lists a hundred cycles and no more", () => {
    const pairs = Array.from({ length: 150 }, (_, i) => 100 + i * 2);
    const cycles = pairs.flatMap((nr) => [node(nr, "task", 3, on(nr + 1)), node(nr + 1, "task", 3, on(nr))]);
    expect(problems(...sound(...cycles))).toHaveLength(100);
  });

  it("wants one open land task where there is work, and none where everything has landed", () => {
    const feature = [node(1, "mission", null), node(2, "feature", 1)];
    const done = node(10, "task", 2, settled("done"));
    expect(problems(...feature)).toEqual([]);
    expect(problems(...feature, land(4, 2), land(5, 2), done)).toEqual(["I-LAND F2"]);
    expect(problems(...feature, done, land(4, 2, settled("done")))).toEqual([]);
    expect(problems(...feature, done, land(4, 2, settled("dropped")))).toEqual(["I-LAND F2"]);
    expect(problems(node(1, "mission", null), node(2, "feature", 1, { inbox: true }), node(10, "task", 2))).toEqual([]);
  });

  it("warns of approvals with a secret that the plan does not know", () => {
    const approval = { by: "human:eve", at: 1, hash: "" };
    const { warnings } = lintNodes(branch(...sound(node(11, "task", 3, { approval, hash: "h" }))));
    expect(warnings.map(({ message }) => message)).toEqual([
      "T11 was approved with a secret that this plan does not know; it does not run until it is approved again.",
    ]);
  });

  it("warns of approvals whose content changed since, where that still matters", () => {
    const approval = { by: "human:ada", at: 1, hash: "as it was" };
    const { problems, warnings } = lintNodes(
      branch(...sound(node(11, "task", 3, { approval }), node(12, "task", 3, { approval, ...settled("done") }))),
    );
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      {
        code: "W-STALE",
        id: "T11",
        message: "T11 changed after human:ada approved it; it does not run until it is approved again.",
      },
    ]);
  });

  it("warns of what keeps a feature from landing whose tasks are all finished", () => {
    const awaitsPlan = { by: "human:ada", at: 1, reason: "too large" };
    const feature = [node(1, "mission", null), node(2, "feature", 1), land(4, 2)];
    const done = node(10, "task", 2, settled("done"));
    const story = node(3, "story", 2);
    const warnings = (nodes: readonly Node[], runs: ReadonlyMap<Nr, readonly string[]> = new Map()): string[] =>
      lintNodes(branch(...nodes), () => true, runs).warnings.map(({ code, id }) => `${code} ${id}`);
    expect(warnings([...feature, done])).toEqual([]);
    expect(warnings([...feature, done, story])).toEqual(["W-LAND S3"]);
    expect(warnings([...feature, done, { ...story, awaitsPlan }, node(11, "task", 3, settled("done"))])).toEqual([
      "W-LAND S3",
    ]);
    expect(warnings([...feature, done], new Map([[2, ["RUN-001"]]]))).toEqual(["W-LAND RUN-001"]);
    expect(warnings([...feature, node(10, "task", 2, settled("waived"))])).toEqual(["W-LAND F2"]);
    expect(warnings([...feature, done, story, node(11, "task", 2)])).toEqual([]);
    expect(warnings([...feature, story])).toEqual([]);
    expect(warnings([...feature, done, story, node(11, "task", 2, settled("dropped"))])).toEqual(["W-LAND S3"]);
    const landed = [node(1, "mission", null), node(2, "feature", 1), land(4, 2, settled("done"))];
    expect(warnings([...landed, done, story])).toEqual([]);
    expect(
      warnings([node(1, "mission", null), { ...node(2, "feature", 1), inbox: true }, land(4, 2), done, story]),
    ).toEqual([]);
  });

  it("reports only what concerns the branch that was asked for", () => {
    const nodes = branch(
      ...sound(node(11, "task", 3, on(12)), node(12, "task", 3, on(11)), node(13, "task", 3, on(99))),
    );
    const about = (nr: Nr): string[] => lintNodes(nodes, (each) => each.nr === nr).problems.map((p) => p.code);
    expect([about(10), about(12), about(13)]).toEqual([[], ["I-CYCLE"], ["I-DANGLING"]]);
  });
});
