import { describe, expect, it } from "vitest";
import { type Claims, coverage } from "./coverage.js";
import { parseSpec } from "./parse.js";

const SPEC = parseSpec(
  "# A\n\n- REQ-1 one\n- two\n- [x] three\n\n## REQ-2 B\n\nfour five. Six.\n\n- two\n\n## Empty\n",
);
const missing = (claims: Partial<Claims>): string[] =>
  coverage(SPEC, { quotes: [], requirements: [], leftOut: [], ...claims }).uncovered.map(({ text }) => text);

describe("a statement is covered", () => {
  it.each<[what: string, claims: Partial<Claims>, uncovered: string[]]>([
    ["if it is done", {}, ["REQ-1 one", "two", "four five. Six.", "two"]],
    ["by a part of it", { quotes: ["five"] }, ["REQ-1 one", "two", "two"]],
    ["by its whole words, wherever they stand", { quotes: ["two"] }, ["REQ-1 one", "four five. Six."]],
    ["by a quote over several", { quotes: ["one - two"] }, ["four five. Six.", "two"]],
    [
      "never by its requirement id alone",
      { requirements: ["[req-1]"] },
      ["REQ-1 one", "two", "four five. Six.", "two"],
    ],
    [
      "not by the requirement id of its heading",
      { requirements: ["REQ-2"] },
      ["REQ-1 one", "two", "four five. Six.", "two"],
    ],
    ["if it is left out on purpose", { leftOut: [{ quote: "four", reason: "later" }] }, ["REQ-1 one", "two", "two"]],
    [
      "not by words that are not there",
      { quotes: ["seven"], requirements: ["REQ-9"] },
      ["REQ-1 one", "two", "four five. Six.", "two"],
    ],
  ])("%s", (_, claims, uncovered) => {
    expect(missing(claims)).toEqual(uncovered);
  });
});

it("counts by section and by requirement, rounded down", () => {
  expect(coverage(SPEC, { quotes: ["one", "four"], requirements: [], leftOut: [] })).toMatchObject({
    planned: 40,
    leftOut: 20,
    notUnderstood: 40,
    reasons: [{ reason: "The spec says that it is done.", statements: 1 }],
    uncovered: [{}, {}],
    sections: [
      { id: "1", title: "A", statements: 3, covered: 2, percent: 66 },
      { id: "1.1", statements: 2, covered: 1, percent: 50 },
      { id: "1.2", statements: 0, covered: 0, percent: 100 },
    ],
    requirements: [
      { id: "REQ-1", covered: true },
      { id: "REQ-2", covered: true },
    ],
  });
  expect(coverage(parseSpec(""), { quotes: [], requirements: [], leftOut: [] }).planned).toBe(100);
});

it("covers a requirement by a quote of its heading", () => {
  const spec = parseSpec("# A\n## REQ-1: Login\n## REQ-2: Logout");
  expect(coverage(spec, { quotes: ["REQ-2: Logout"], requirements: [], leftOut: [] }).requirements).toEqual([
    { id: "REQ-1", covered: false },
    { id: "REQ-2", covered: true },
  ]);
});

it("never loses a fenced block: it counts as a line, and a task that shows it covers it", () => {
  const spec = parseSpec('# Wire format\n\n```json\n{ "amount": 12 }\n```\n');
  const nothing = { quotes: [], requirements: [], leftOut: [] };
  expect(coverage(spec, nothing)).toMatchObject({ planned: 0, uncovered: [{ line: 3, text: '{ "amount": 12 }' }] });
  expect(coverage(spec, { ...nothing, bodies: ['Send:\n\n````json\n{ "amount": 12 }\n````'] }).planned).toBe(100);
  expect(coverage(spec, { ...nothing, quotes: ['"amount": 12'] }).planned).toBe(100);
  expect(coverage(spec, { ...nothing, leftOut: [{ quote: '{ "amount": 12 }', reason: "later" }] }).leftOut).toBe(100);
});
