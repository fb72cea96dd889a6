// Parses a long Markdown text part by part. The parser's time grows faster than the text: parts of a few sections halve the
// time of 5,000 lines. A heading at the start of a line ends every block except a fence, so the parts together are the whole.

import type { Nodes, Root } from "mdast";

const SHORT = 20_000;
const PART = 6_000;
const HEADING = /^#{1,6}[ \t]/gm;

/** Where parts may begin, one for about every `PART` characters. */
function bordersOf(text: string, from: number): number[] {
  const borders: number[] = [];
  let last = 0;
  for (const { index } of text.matchAll(HEADING)) {
    if (index < from || index - last < PART) continue;
    borders.push(index);
    last = index;
  }
  return borders;
}

export function eachNode(root: Nodes, see: (node: Nodes) => void): void {
  const open: Nodes[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    see(next);
    if ("children" in next) open.push(...next.children);
  }
}

const move = (root: Root, by: number): void =>
  eachNode(root, ({ position }) => {
    if (position?.start.offset !== undefined) position.start.offset += by;
    if (position?.end.offset !== undefined) position.end.offset += by;
  });

/**
 * `parse` gets a part and whether it is the first. `staysOpen` says whether a fence is open at the end of what was parsed:
 * then the heading after it may be code, and the next part is parsed with it. Offsets are right; lines and columns are not.
 */
export function parseInParts(
  text: string,
  from: number,
  parse: (part: string, isFirst: boolean) => Root,
  staysOpen: (part: string, root: Root) => boolean,
): Root {
  const borders = text.length < SHORT ? [] : bordersOf(text, from);
  const whole: Root = { type: "root", children: [] };
  let start = 0;
  let room = 1;
  for (let at = 0; at <= borders.length; at++) {
    const end = borders[at] ?? text.length;
    if (at < borders.length && room > 1) {
      room--;
      continue;
    }
    // The line end before a heading belongs to no block.
    const part = text.slice(start, end).replace(at < borders.length ? /(?:\r\n|\n|\r)$/ : /$^/, "");
    const root = parse(part, start === 0);
    if (at < borders.length && staysOpen(part, root)) {
      // Each try takes in twice as much, so that a fence that nothing closes costs no more than the text twice.
      room = 2 * Math.max(1, Math.round((end - start) / PART));
      continue;
    }
    if (start > 0) move(root, start);
    whole.children.push(...root.children);
    start = end;
    room = 1;
  }
  return whole;
}
