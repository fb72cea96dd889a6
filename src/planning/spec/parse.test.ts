import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSpec } from "./parse.js";
import type { SpecStatement } from "./spec.js";

const texts = (source: string): string[] => parseSpec(source).statements.map(({ text }) => text);
const headings = (source: string): string[] =>
  parseSpec(source).sections.map(({ id, level, title }) => `${id} ${level} ${title}`.trim());
const first = (source: string): SpecStatement => parseSpec(source).statements[0] as SpecStatement;

describe("sections", () => {
  it.each<[what: string, source: string, expected: string[]]>([
    ["none", "just text", ["0 0"]],
    ["nothing at all", "", ["0 0"]],
    ["what comes before the first heading", "text\n# A", ["0 0", "1 1 A"]],
    ["nested", "# A\n## B\n### C\n## D\n# E", ["1 1 A", "1.1 2 B", "1.1.1 3 C", "1.2 2 D", "2 1 E"]],
    ["with levels left out", "# A\n### B\n## C", ["1 1 A", "1.1 3 B", "1.2 2 C"]],
    ["underlined", "A\n===\n\nB\n---\n\ntext", ["1 1 A", "1.1 2 B"]],
    ["closed and emphasised", "## **A** b ##\n#  C#", ["1 2 A b", "2 1 C#"]],
    ["bold lines", "# A\n\n**B**\n\n- x\n\n**C:**\n", ["1 1 A", "1.1 7 B", "1.2 7 C"]],
    ["no bold sentences", "**All of it must be fast.**", ["0 0"]],
    ["no number signs without a space", "#hash\n#5", ["0 0"]],
    ["none in fences", "```\n# A\n```\n\n~~~md\n## B\n~~~", ["0 0"]],
    ["none in comments", "<!-- # A\n# B\n-->\n# C", ["0 0", "1 1 C"]],
    ["a rule below two lines is no heading", "one\ntwo\n---\n", ["0 0"]],
    ["a rule below a list is no heading", "- one\n---\n", ["0 0"]],
    ["with a byte order mark", "\uFEFF# A", ["1 1 A"]],
    ["with line ends of Windows and of old", "# A\r\n## B\r\n", ["1 1 A", "1.1 2 B"]],
    ["with line ends of old", "# A\r## B\r", ["1 1 A", "1.1 2 B"]],
  ])("%s", (_, source, expected) => {
    expect(headings(source)).toEqual(expected);
  });

  it("know their lines, offsets and path", () => {
    const source = "intro\n\n# A\ntext\n## B\n\nend\n";
    const { sections } = parseSpec(source);
    expect(sections.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [3, 4],
      [5, 8],
    ]);
    expect(sections.map(({ start, end }) => source.slice(start, end)).join("")).toBe(source);
    expect(sections[2]?.path).toEqual(["A", "B"]);
  });
});

describe("statements", () => {
  it.each<[what: string, source: string, expected: string[]]>([
    ["paragraphs", "one\ntwo\n\nthree", ["one two", "three"]],
    ["items of all marks", "- a\n* b\n+ c\n1. d\n2) e\n• f\na) g", ["a", "b", "c", "d", "e", "f", "g"]],
    ["items that go on", "- a\n  b\nc\n- d", ["a b c", "d"]],
    ["paragraphs in items", "- a\n\n  b\n\nc", ["a", "b", "c"]],
    ["check boxes", "- [ ] a\n- [x] b\n* [X] c\n[ ] d", ["a", "b", "c", "d"]],
    [
      "rows without the head",
      "| A | B |\n|---|:-:|\n| 1 | 2 |\n| 3 \\| 4 | 5 |\n\nend",
      ["1 | 2", "3 \\| 4 | 5", "end"],
    ],
    ["rows without outer bars", "A | B\n--|--\n1 | 2", ["1 | 2"]],
    ["no headings", "# A\n\n## B", []],
    ["no rules", "a\n\n---\n\n***\n\n_ _ _\n\nb", ["a", "b"]],
    ["no fences", "a\n```sh\nb\n```\nc", ["a", "c"]],
    ["text of a fence that nothing closes", "a\n\n```sh\nb", ["a", "```sh b"]],
    ["no shorter fence closes", "````\n```\nb\n````\nc", ["c"]],
    ["no front matter", "---\ntitle: T\n---\na", ["a"]],
    ["a rule at the start is no front matter", "---\n\na\n\n---\nb", ["a", "b"]],
    ["no comments", "a <!-- b --> c\n<!-- d\ne -->\nf", ["a c f"]],
    ["text of a comment that nothing closes", "a <!-- b", ["a <!-- b"]],
    ["block quotes", "> a\n> b\n>\n> - c", ["a b", "c"]],
    ["no tags, badges and link definitions", "<div>\n\n![x](y)\n\n[![x](y)](z)\n\n[a]: http://x\n\nb", ["b"]],
    ["no item that is empty", "-\n- \n- [ ]\n- a", ["a"]],
    ["a year in a line is no item", "it was in\n1998. Then", ["it was in 1998. Then"]],
    ["tabs", "- a\n\t- b\n\t\t- c", ["a", "b", "c"]],
    ["right to left, signs without spaces, pictures", "- שלום\n- 日本語です\n- 🚀", ["שלום", "日本語です", "🚀"]],
    ["sentences with ids of their own", "R1 is a. R2 is b. More. R3 is c.", ["R1 is a.", "R2 is b. More.", "R3 is c."]],
    ["lines with ids of their own", "R1: a\nR2: b\nmore", ["R1: a", "R2: b more"]],
  ])("%s", (_, source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  it("know what they are in", () => {
    const { statements } = parseSpec("It can:\n\n- a\n  - b\n    - c\n  - d\n- e");
    expect(statements.map(({ text, parent, depth, lead }) => [text, parent, depth, lead])).toEqual([
      ["It can:", undefined, 0, undefined],
      ["a", undefined, 0, 0],
      ["b", 1, 1, undefined],
      ["c", 2, 2, undefined],
      ["d", 1, 1, undefined],
      ["e", undefined, 0, 0],
    ]);
  });

  it("are done with what they are in", () => {
    const { statements } = parseSpec("- [x] a\n  - b\n  - [ ] c\n- [ ] d");
    expect(statements.map(({ done }) => done)).toEqual([true, true, false, false]);
  });

  it("know their line, number and cells", () => {
    expect(first("\n\n3. c")).toMatchObject({ line: 3, number: 3, kind: "item" });
    expect(first("|A|B|\n|-|-|\n|1|2|")).toMatchObject({
      kind: "row",
      cells: ["1", "2"],
      columns: ["A", "B"],
      line: 3,
    });
  });
});

describe("requirement ids", () => {
  it.each<[source: string, ids: string[]]>([
    ["REQ-1 a", ["REQ-1"]],
    ["- REQ-1.2: a", ["REQ-1.2"]],
    ["- **R1** a\n- __R1.2__ b", ["R1", "R1.2"]],
    ["[FR-3] a, [NFR-4] b", ["FR-3", "NFR-4"]],
    ["- (REQ-7) a", ["REQ-7"]],
    ["- REQ-AUTH-01 a", ["REQ-AUTH-01"]],
    ["Requirement 4: a", ["Requirement 4"]],
    ["requirement #4 holds", ["Requirement 4"]],
    ["`REQ-9` a", ["REQ-9"]],
    ["| id | a |\n|--|--|\n| R5 | b |", ["R5"]],
    ["## REQ-1: Login\n\n- a\n\n## REQ-2", ["REQ-1", "REQ-2"]],
    ["R2D2, `R2`, XR2, R2-x, R2.x, path/R2, #R2, R2_d2", []],
    ["```\nREQ-1\n```", []],
    ["PR-12, FRANCE-1, REQUEST-1", []],
    ["- R1 a\n- b depends on R1\n- c, see R9", ["R1"]],
    ["- R2 after R1 and R3\n- R1\n- R3", ["R2", "R1", "R3"]],
  ])("%s", (source, ids) => {
    expect(parseSpec(source).requirements).toEqual(ids);
  });

  it("belong to the statement that starts with them, or to those below their heading", () => {
    const { statements } = parseSpec("# A\n- REQ-1 a\n- all of REQ-1 works\n## REQ-2 B\n- b\n### C\n- c");
    expect(statements.map(({ requirements }) => requirements)).toEqual([["REQ-1"], [], ["REQ-2"], ["REQ-2"]]);
  });
});

describe("fences", () => {
  it("keep their code, language and place", () => {
    const { fences } = parseSpec("# A\n\n- a\n  ```sh title=x\n  make a\n  ```\n\n~~~\nb\n~~~");
    expect(fences).toMatchObject([
      { language: "sh", code: "make a", isWork: false, section: "1", line: 4, after: 0, inItem: true },
      { language: "", code: "b", isWork: false, section: "1", line: 8, after: 0, inItem: false },
    ]);
  });
});

it("reads the title of the front matter", () => {
  expect(parseSpec('---\nowner: me\ntitle: "The thing"\n---\n# Other').title).toBe("The thing");
});

describe("for any text", () => {
  const source = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc
      .array(
        fc.constantFrom(
          "# a",
          "- b",
          "  - c",
          "```",
          "~~~",
          "> d",
          "",
          "---",
          "| e |",
          "|--|",
          "<!--",
          "-->",
          "**f**",
          "R1 g. R2 h.",
          "1. i",
          "\t",
          "==",
          "\uFEFF",
        ),
      )
      .map((lines) => lines.join("\n")),
  );

  it("sections follow each other without gaps; statements are inside, in order, and never overlap", () => {
    fc.assert(
      fc.property(source, (text) => {
        const { sections, statements } = parseSpec(text);
        expect(sections.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
        const byId = new Map(sections.map((section) => [section.id, section]));
        expect(byId.size).toBe(sections.length);
        let end = 0;
        for (const statement of statements) {
          expect(statement.start).toBeGreaterThanOrEqual(end);
          end = statement.end;
          const section = byId.get(statement.section);
          expect(statement.start >= (section?.start ?? Infinity) && statement.end <= (section?.end ?? 0)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it("reads a table that is wider than anybody reads as text, so that it never fills the memory", () => {
  const wide = `# Wide\n\n${"| a ".repeat(100_000)}|\n${"|---".repeat(100_000)}|\n\n- It must greet.\n`;
  const before = process.memoryUsage().rss;
  const spec = parseSpec(wide);
  expect(spec.statements.some(({ text }) => text.includes("It must greet"))).toBe(true);
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
  expect(parseSpec("| a | b |\n|---|---|\n| 1 | 2 |\n").statements.map(({ kind }) => kind)).toContain("row");
});
