import * as fc from "fast-check";
import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { expect, it } from "vitest";
import { eachNode, parseInParts } from "./markdown.js";

/** Every node with where it stands. */
function nodesOf(root: Root): string[] {
  const nodes: string[] = [];
  eachNode(root, ({ type, position }: Nodes) => {
    if (type !== "root") nodes.push(`${type} ${position?.start.offset}-${position?.end.offset}`);
  });
  return nodes.sort();
}

/** What closes a fence begins with its own mark. */
const isOpen = (part: string, root: Root): boolean => {
  const last = root.children.at(-1);
  if (last?.type !== "code") return false;
  const block = part.slice(last.position?.start.offset).trimEnd();
  const [, mark = "`"] = /^ {0,3}(`{3,}|~{3,})/.exec(block) ?? [];
  const [, end = ""] = /[\r\n] {0,3}(`{3,}|~{3,})[ \t]*$/.exec(block) ?? [];
  return !end.startsWith(mark);
};

const LINES = [
  "# A heading",
  "## Another",
  "- an item",
  "  - below it",
  "  # not at the start",
  "> a quote",
  "```sh",
  "```",
  "~~~",
  "# a comment, if it is in a fence",
  "words ".repeat(200),
  "",
  "1. first",
  "   ```",
  "Setext\n===",
];

it("gives the same nodes at the same places as the whole text at once", () => {
  const text = fc
    .array(fc.constantFrom(...LINES), { minLength: 40, maxLength: 80 })
    .map((lines) => lines.join("\n").padEnd(21_000, `\n\n${"words ".repeat(80)}`));
  fc.assert(
    fc.property(text, (source) => {
      const parts = parseInParts(source, 0, (part) => fromMarkdown(part), isOpen);
      expect(nodesOf(parts)).toEqual(nodesOf(fromMarkdown(source)));
    }),
    { numRuns: 10 },
  );
});

it("parses a long text in parts, and a short one at once", () => {
  const calls = (text: string): number => {
    let count = 0;
    const parse = (part: string): Root => {
      count++;
      return fromMarkdown(part);
    };
    parseInParts(text, 0, parse, isOpen);
    return count;
  };
  const section = `# Section\n\n${"Words. ".repeat(1_000)}\n`;
  expect([calls(section), calls(section.repeat(10))]).toEqual([1, 10]);
});

it("takes a fence that nothing closes with all that follows, in few tries", () => {
  let parsed = 0;
  const section = `# Section\n\n${"Words. ".repeat(1_000)}\n`;
  const text = `\`\`\`\n${section.repeat(64)}`;
  const parse = (part: string): Root => {
    parsed += part.length;
    return fromMarkdown(part);
  };
  expect(parseInParts(text, 0, parse, isOpen).children.map(({ type }) => type)).toEqual(["code"]);
  expect(parsed).toBeLessThan(text.length * 4);
});
