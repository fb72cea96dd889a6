import { describe, expect, it } from "vitest";
import { AT, aNode } from "../../../test/node.js";
import { sha256 } from "../../store/sha256.js";
import type { SplitPart } from "../attempt/attempt.js";
import { contentHash } from "../node/content-hash.js";
import { type Birth, type Node, newNode } from "../node/node.js";
import type { NodeChange } from "../operation/change.js";
import { type Split, splitTask } from "./split.js";

const part = (title: string, rest: Partial<SplitPart> = {}): SplitPart => ({
  title,
  body: `Body of ${title}`,
  files: [`${title}.ts`],
  profile: null,
  after: [],
  checks: [{ run: `test ${title}` }],
  ...rest,
});

const task = aNode({
  title: "Everything",
  dependsOn: [
    { on: 5, origin: "stated" },
    { on: 6, origin: "conflict" },
  ],
  checks: [{ run: "make test" }],
  profile: "general",
  priority: 1,
  estimateHours: 4,
  budgets: { attempts: 3 },
});

const names = [11, 12, 13, 14].map((nr) => ({ nr, id: `T-${nr}`, uuid: `uuid-${nr}` }));
const settling = { by: "human:ada", at: AT + 1, op: 9 };
const uuidOf = (nr: number): string => `uuid-${nr}`;

const split = (over: Partial<Split> = {}): Split => ({
  task,
  draft: { why: "", parts: [part("a"), part("b", { profile: "docs" }), part("c", { after: [0, 1], files: [] })] },
  names,
  dependents: [],
  freeze: null,
  settling,
  uuidOf,
  digest: sha256,
  ...over,
});

const births = (given: Split): Birth[] => splitTask(given).births.map(({ birth }) => birth);
const changeOf = (given: Split, nr: number): NodeChange["after"] | undefined =>
  splitTask(given).changes.find((change) => change.entity === "node" && change.key === nr)?.after;

describe("splitTask", () => {
  it("makes the parts siblings of the task, in the order of the draft", () => {
    const [a, b, c] = births(split());
    const common = {
      tier: "task",
      kind: "work",
      parent: 3,
      priority: 1,
      estimateHours: 1.33,
      budgets: { attempts: 3 },
    };
    expect(a).toMatchObject({ ...common, title: "a", body: "Body of a", files: ["a.ts"], profile: "backend" });
    expect(a).toMatchObject({ dependsOn: task.dependsOn, checks: [{ run: "test a" }], createdBy: "human:ada" });
    expect(b).toMatchObject({ ...common, dependsOn: task.dependsOn, profile: "docs" });
    expect(c).toMatchObject({ ...common, profile: "general" });
    expect(c?.dependsOn).toEqual([
      { on: 11, origin: "stated" },
      { on: 12, origin: "stated" },
    ]);
  });

  it("adds one that looks at all of them, with the checks of the task", () => {
    const review = births(split()).at(-1);
    expect(review).toMatchObject({ kind: "review", title: "Review: Everything", parent: 3, checks: task.checks });
    expect(review?.body).toContain("T-1 was split into T-11, T-12, T-13");
    expect(review?.body?.endsWith("\n\n## What it was meant to be\n\nEverything")).toBe(true);
    const described = births(split({ task: { ...task, body: "With tests." } })).at(-1);
    expect(described?.body?.endsWith("\n\n## What it was meant to be\n\nEverything\n\nWith tests.")).toBe(true);
    expect(review?.dependsOn?.map(({ on }) => on)).toEqual([11, 12, 13]);
    expect(review?.estimateHours).toBeUndefined();
  });

  it("drops the task, and says into what it was split", () => {
    const frozen = { ...task, freeze: { reason: "split?", by: "daemon:x", at: AT, from: 7, commit: null } };
    expect(changeOf(split({ task: frozen }), 7)).toMatchObject({
      outcome: { kind: "dropped", reason: "split into T-11, T-12, T-13, T-14" },
      freeze: null,
    });
    expect(splitTask(split()).made).toEqual(["T-11", "T-12", "T-13", "T-14"]);
  });

  it("approves exactly what it makes", () => {
    for (const { nr, birth } of splitTask(split()).births) {
      const { approval, ...content } = newNode(nr, birth, AT);
      expect(approval).toEqual({ by: "human:ada", at: AT + 1, hash: contentHash(content, uuidOf, sha256) });
    }
  });

  it("lets whoever waited for the task wait for the review, and keeps an approval that held", () => {
    const edges = [
      { on: 7, origin: "stated" },
      { on: 5, origin: "stated" },
    ] as const;
    const waiting = (nr: number, over: Partial<Node> = {}): Node =>
      aNode({ nr, id: `D-${nr}`, dependsOn: edges, ...over });
    const dependents = [waiting(20), waiting(21, { approval: null }), waiting(22, { hash: "other" })];
    const given = split({ dependents });
    const moved = [
      { on: 14, origin: "stated" },
      { on: 5, origin: "stated" },
    ] as const;
    const hash = contentHash({ ...waiting(20), dependsOn: moved }, uuidOf, sha256);
    expect(changeOf(given, 20)).toEqual({ dependsOn: moved, approval: { by: "human:ada", at: AT + 1, hash } });
    expect(changeOf(given, 21)).toEqual({ dependsOn: moved });
    expect(changeOf(given, 22)).toEqual({ dependsOn: moved });
  });

  it("makes nothing up: no estimate stays none, a tiny one stays positive, a long title is cut whole", () => {
    expect(births(split({ task: { ...task, estimateHours: null } }))[0]?.estimateHours).toBeNull();
    expect(births(split({ task: { ...task, estimateHours: 0.01 } }))[0]?.estimateHours).toBe(0.01);
    const long = `${"x".repeat(491)}😀`;
    expect(births(split({ task: { ...task, title: long } })).at(-1)?.title).toBe(`Review: ${"x".repeat(491)}`);
    const freeze = { reason: "wait", by: "human:ada", at: AT, from: 3, commit: null };
    expect(births(split({ freeze })).map((birth) => birth.freeze)).toEqual([freeze, freeze, freeze, freeze]);
  });
});
