// The structure of a Markdown text, by a parser of CommonMark with tables and check boxes. Lenient where people are:
// indented text is text, a fence that nothing closes is text, and HTML tags end no list.

import type { Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfmTable } from "micromark-extension-gfm-table";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import { eachNode, parseInParts } from "./parse-in-parts.js";
import type { Range } from "./spec.js";
import { deepIndents, VisibleText, wholeLines } from "./visible-text.js";

/** Marks inside of a text are read from the text itself: to take them apart here would cost time and tell nothing. */
const INSIDE_TEXT = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

const parse = (text: string, disabled: readonly string[], hasFrontMatter: boolean): Root =>
  fromMarkdown(text, {
    extensions: [
      gfmTable(),
      gfmTaskListItem(),
      ...(hasFrontMatter ? [frontmatter(["yaml", "toml"])] : []),
      { disable: { null: ["codeIndented", ...disabled] } },
    ],
    mdastExtensions: [
      gfmTableFromMarkdown(),
      gfmTaskListItemFromMarkdown(),
      ...(hasFrontMatter ? [frontmatterFromMarkdown(["yaml", "toml"])] : []),
    ],
  });

export interface MarkdownTree {
  readonly root: Root;
  readonly visible: VisibleText;
  /** Comments, in order. */
  readonly comments: readonly Range[];
}

export const rangeOf = (node: Nodes): Range => ({
  start: node.position?.start.offset ?? 0,
  end: node.position?.end.offset ?? 0,
});

/** Comments of the page, not those inside of code. */
function commentsOf(source: string, hasFrontMatter: boolean): Range[] {
  if (!source.includes("<!--")) return [];
  const found: Range[] = [];
  eachNode(parse(source, [], hasFrontMatter), (node) => {
    if (node.type !== "html") return;
    const { start, end } = rangeOf(node);
    for (const { index, 0: comment } of source.slice(start, end).matchAll(/<!--[\s\S]*?-->/g)) {
      found.push({ start: start + index, end: start + index + comment.length });
    }
  });
  return found.sort((a, b) => a.start - b.start);
}

/** Front matter holds keys; a rule at the start of a text does not make one. */
const FRONT_MATTER = /^(?:---[ \t]*(?:\r\n|\n|\r)[ \t]*[\w-]+[ \t]*:|\+\+\+[ \t]*(?:\r\n|\n|\r)[ \t]*[\w.-]+[ \t]*=)/;

const FENCE = /^[ \t]*(`{3,}|~{3,})/;

/** Fences that nothing closes: they would swallow the rest of their block. */
function openFences(text: string, root: Root): Range[] {
  const open: Range[] = [];
  eachNode(root, (node) => {
    if (node.type !== "code") return;
    const { start, end } = rangeOf(node);
    const block = text.slice(start, end);
    const mark = FENCE.exec(block)?.[1];
    const last = /[\r\n][>\s]*([`~]{3,})[ \t]*$/.exec(block)?.[1];
    if (mark !== undefined && !(last?.startsWith(mark) === true)) open.push({ start, end: start + mark.length });
  });
  return open;
}

const MOST_OPEN_FENCES = 5;

/** Without the marks of these fences; nothing moves. */
const asText = (text: string, fences: readonly Range[]): string =>
  fences.reduce((now, { start, end }) => now.slice(0, start) + "x".repeat(end - start) + now.slice(end), text);

const lastStart = ({ children }: Root): number => (children.at(-1) ? rangeOf(children.at(-1) as Nodes).start : 0);

/** Bare marks of fences that stay open are text too, as soon as one was: nothing after it closes anything. */
function treeOf(text: string, hasFrontMatter: boolean): Root {
  const disabled = [...INSIDE_TEXT, "htmlFlow"];
  const afterFrontMatter = hasFrontMatter ? text.search(/(?:\r\n|\n|\r)(?:---|\+\+\+)[ \t]*(?:[\r\n]|$)/) : 0;
  const parseAll = (all: string): Root =>
    afterFrontMatter === -1
      ? parse(all, disabled, hasFrontMatter)
      : parseInParts(
          all,
          afterFrontMatter,
          (part, isFirst) => parse(part, disabled, hasFrontMatter && isFirst),
          (part, root) => openFences(part, root).some(({ start }) => start >= lastStart(root)),
        );
  let readable = text;
  let root = parseAll(readable);
  for (let round = 0; round < MOST_OPEN_FENCES; round++) {
    const open = openFences(readable, root);
    if (open.length === 0) break;
    readable = asText(readable, open);
    root = parseAll(readable);
  }
  return root;
}

export function readMarkdown(source: string): MarkdownTree {
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const hasFrontMatter = FRONT_MATTER.test(source.slice(mark, mark + 500));
  const comments = commentsOf(mark === 1 ? ` ${source.slice(1)}` : source, hasFrontMatter && mark === 0);
  const cuts = [
    ...(mark === 1 ? [{ start: 0, end: 1 }] : []),
    ...comments.map((comment) => wholeLines(source, comment)),
    ...deepIndents(source),
  ].sort((a, b) => a.start - b.start);
  const visible = new VisibleText(source, cuts);
  return { root: treeOf(visible.text, hasFrontMatter), visible, comments };
}
