// Markdown from words that are not ours, and the way back: no title, quote or path can become a heading, a table cell, a link
// or markup of its own.

/** On one line, every mark taken literally. */
export const escaped = (words: string): string =>
  oneLine(words)
    .replace(/[\\`*_{}[\]<>#|~!&]/g, "\\$&")
    .replace(/^([-+=]|\d+[.)])/, (start) =>
      /\d/.test(start) ? `${start.slice(0, -1)}\\${start.slice(-1)}` : `\\${start}`,
    );

/** White space and control characters, also those that end a line or turn the direction of writing, become one space. */
const oneLine = (words: string): string =>
  words.replace(/[\s\p{Cc}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]+/gu, " ").trim();

const longestRun = (words: string): number =>
  (words.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);

/** As code: marks longer than any run of back-ticks inside. */
export function code(words: string): string {
  const line = oneLine(words);
  if (line === "") return "";
  const longest = longestRun(line);
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `${marks}${line}${marks}` : `${marks} ${line} ${marks}`;
}

/** In a table a bar ends the cell even inside of code. */
export const codeCell = (words: string): string => code(words).replace(/\|/g, "\\|");

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

/** Several lines with their lists, code and paragraphs; anything else in them is taken literally, so that no text can
 *  begin a section of its own. */
export function escapedProse(words: string): string {
  const lines: string[] = [];
  const all = words.replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n").split("\n");
  for (let at = 0; at < all.length; at++) {
    const line = all[at] as string;
    const fence = FENCE.exec(line)?.[1];
    const end = fence === undefined ? -1 : all.findIndex((other, next) => next > at && other.trim() === fence);
    if (end < 0) lines.push(proseLine(line));
    else {
      lines.push(fenced(all.slice(at + 1, end)));
      at = end;
    }
  }
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function fenced(lines: readonly string[]): string {
  const body = lines.join("\n").replace(/[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "");
  const marks = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `\n${marks}\n${body}\n${marks}\n`;
}

function proseLine(line: string): string {
  const item = /^(\s{0,6})([-*+]|\d{1,3}[.)])\s+(\S.*)$/.exec(line);
  return item ? `${item[1]}- ${inline(item[3] as string)}` : inline(line);
}

/** Code between back-ticks stays code. */
const inline = (line: string): string =>
  line
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : spaced(part)))
    .join("")
    .trim();

/** Escaped, with the space towards its neighbours kept. */
const spaced = (part: string): string =>
  `${/^\s/.test(part) ? " " : ""}${escaped(part)}${/\S\s+$/.test(part) ? " " : ""}`;

export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Cells are ready Markdown on one line; nothing without a row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** Paragraphs, without those that are empty. */
export const blocks = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");

/** A heading and what is under it; nothing, if nothing is. */
export const section = (level: number, title: string, ...parts: readonly string[]): string => {
  const content = blocks(...parts);
  return content === "" ? "" : `${"#".repeat(level)} ${title}\n\n${content}`;
};

export const bulletSection = (level: number, title: string, items: readonly string[]): string =>
  section(level, title, bullets(items));

const MARK = /\\([\\`*_{}[\]<>#|~!&.)+=-])/g;

/** A title or another text that was taken literally. */
export const unescaped = (line: string): string => line.replace(MARK, "$1");

/** Text between back-ticks is code. */
const unescapedLine = (line: string): string =>
  line
    .split(/((?<!\\)`+[^`]*`+)/)
    .map((part, at) => (at % 2 === 1 ? part : unescaped(part)))
    .join("");

/** Each line, and whether it belongs to fenced code. */
export function markdownLines(text: string): readonly { readonly line: string; readonly isCode: boolean }[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const before = fence;
    if (fence === undefined) fence = FENCE.exec(line)?.[1];
    else if (line.trim() === fence) fence = undefined;
    return { line, isCode: (before ?? fence) !== undefined };
  });
}

/** Several lines; fenced code is left alone. */
export const unescapedProse = (text: string): string =>
  markdownLines(text)
    .map(({ line, isCode }) => (isCode ? line : unescapedLine(line)))
    .join("\n")
    .trim();

/** What stands in code marks at the beginning of a text, and what follows them. */
export function codeAt(text: string): { readonly code: string; readonly rest: string } | undefined {
  const marks = /^`+/.exec(text)?.[0];
  if (marks === undefined) return undefined;
  const end = text.indexOf(marks, marks.length);
  if (end < 0) return undefined;
  const inside = text.slice(marks.length, end);
  // Longer marks have a space on both sides.
  const code = marks.length > 1 ? inside.replace(/^ | $/g, "") : inside;
  return { code, rest: text.slice(end + marks.length) };
}
