import { describe, expect, it } from "vitest";
import { AT, aContainer, aNode, settled } from "../../../test/node.js";
import type { Node, Report } from "../node/node.js";
import type { Branch } from "../status/rollup.js";
import { harvest, LESSONS_AT_MOST, lessonKey } from "./harvest.js";

const feature = aContainer({ nr: 2, id: "F-1", tier: "feature", title: "Import of files" });

const report = (failure: string | null): Report => ({
  by: "agent:bot",
  at: AT,
  startedAt: AT,
  durationMs: 1,
  commit: null,
  created: [],
  modified: [],
  checks: [],
  failure: failure === null ? null : { class: "logic", reason: failure },
});

const done = (over: Partial<Node> = {}): Node =>
  aNode({ nr: 7, title: "Parse the header", files: ["src/zip/header.ts"], ...settled("done"), ...over });

const texts = (nodes: Node[], failures = new Map<number, string>(), known = new Set<string>()): string[] =>
  harvest([feature, ...nodes] as Branch, said(failures), known).map(({ text }) => text);

const said = (failures: ReadonlyMap<number, string>) =>
  new Map([...failures].map(([nr, reason]) => [nr, { reason, by: "agent:bot" as const }]));

const discovery = (note: string, from = 7) => ({ note, from, by: "agent:bot", at: AT });

describe("words of a lesson", () => {
  const failed = { run: "npm test", outcome: "exit 1", passed: false, durationMs: 1, output: "" };
  const accepted = { state: "accepted", by: "human:ada", at: AT, reason: "flaky" } as const;
  it.each<[string, Node, Map<number, string>, string | null]>([
    ["a discovery: of whoever found it out", done({ discoveries: [discovery("Zip64")] }), new Map(), "agent:bot"],
    ["an earlier rejection: of whoever rejected", done(), new Map([[7, "too long"]]), "agent:bot"],
    [
      "an override of a check: of nobody but you",
      done({ report: { ...report("npm test: exit 1"), checks: [failed] }, acceptance: accepted }),
      new Map(),
      null,
    ],
    [
      "an override of what a worker said: of the worker, too",
      done({ report: report("cannot be done"), acceptance: accepted }),
      new Map(),
      "agent:bot",
    ],
  ])("%s", (_, node, failures, by) => {
    expect(harvest([feature, node] as Branch, said(failures), new Set()).map((lesson) => lesson.by)).toEqual([by]);
  });
});

describe("what a finished feature has taught", () => {
  it.each<[string, Node[], Map<number, string>, string[]]>([
    ["nothing happened", [done()], new Map(), []],
    [
      "a discovery",
      [done({ discoveries: [discovery("Zip64  is\nneeded")] })],
      new Map(),
      ['Zip64 is needed (found in T-1 "Parse the header")'],
    ],
    [
      "a discovery from elsewhere",
      [done({ discoveries: [discovery("Zip64", 99)] })],
      new Map(),
      ['Zip64 (found in T-1 "Parse the header")'],
    ],
    [
      "rejected, then accepted",
      [done()],
      new Map([[7, "npm test: exit 1"]]),
      ['T-1 "Parse the header" was rejected before it was accepted: npm test: exit 1'],
    ],
    [
      "accepted against the checks",
      [
        done({
          report: report("npm test: exit 1"),
          acceptance: { state: "accepted", by: "human:ada", at: AT, reason: "flaky" },
        }),
      ],
      new Map(),
      ['T-1 "Parse the header" was accepted although npm test: exit 1. The reason: flaky'],
    ],
    [
      "accepted without a reason",
      [done({ report: report("x"), acceptance: { state: "accepted", by: "human:ada", at: AT, reason: null } })],
      new Map(),
      ['T-1 "Parse the header" was accepted although x. The reason: '],
    ],
    [
      "handed in without checks, and accepted",
      [done({ report: report(null), acceptance: { state: "accepted", by: "human:ada", at: AT, reason: "fine" } })],
      new Map(),
      [],
    ],
    ["dropped after a failure", [done({ ...settled("dropped"), report: report("x") })], new Map([[7, "x"]]), []],
    [
      "the same discovery twice",
      [done({ discoveries: [discovery("Zip64"), discovery("zip64 ")] })],
      new Map(),
      ['Zip64 (found in T-1 "Parse the header")'],
    ],
  ])("%s", (_, nodes, failures, expected) => {
    expect(texts(nodes, failures)).toEqual(expected);
  });

  it("has keywords of titles and files, and the feature as its scope", () => {
    const [lesson] = harvest([feature, done({ discoveries: [discovery("Zip64")] })], new Map(), new Set());
    expect(lesson).toMatchObject({ scope: 2, source: "T-1" });
    expect(lesson?.keywords).toEqual(expect.arrayContaining(["header", "import", "zip"]));
    const [loose] = harvest([done({ feature: null, discoveries: [discovery("Zip64")] })], new Map(), new Set());
    expect(loose).toMatchObject({ scope: null, keywords: expect.not.arrayContaining(["import"]) as string[] });
  });

  it("leaves out what is known, and stops at a few", () => {
    const many = Array.from({ length: 30 }, (_, i) => discovery(`Lesson number ${i}`));
    const node = done({ discoveries: many });
    expect(texts([node])).toHaveLength(LESSONS_AT_MOST);
    const known = new Set(harvest([feature, node], new Map(), new Set()).map(lessonKey));
    expect(texts([node], new Map(), known)).toHaveLength(10);
  });
});
