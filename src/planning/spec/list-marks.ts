// What the Markdown parser does not know and people write all the same: marks of lists, lines that are all bold, cells
// with bars, lines that show nothing.

import { asksForWork, isOrder } from "./cues.js";

interface PseudoMark {
  /** The content after the mark and the check box. */
  readonly rest: string;
  readonly checkbox: boolean;
  readonly done: boolean;
}

const BULLET = /^(?:[•‣▪●◦–·∙○■□➤➢▸▶⁃]|[a-zA-Z]\))\s+/u;
const CHECKBOX = /^(?:\[([ xX])\](?:\s+|$)|\[\](?!\()\s*|([☐☑✓✔☒])(?:\s+|$))/u;

/** A line that begins a scenario; its steps follow on the next lines. */
const SCENARIO = /^(?:Scenario(?: Outline| Template)?|Example):\s+\S/;

/** A mark of a list that Markdown does not have; a check box alone is one too, and so is the name of a scenario. */
export function pseudoMark(content: string): PseudoMark | undefined {
  if (SCENARIO.test(content)) return { rest: content, checkbox: false, done: false };
  const bullet = BULLET.exec(content);
  const afterBullet = bullet === null ? content : content.slice(bullet[0].length);
  const box = CHECKBOX.exec(afterBullet);
  if (bullet === null && box === null) return undefined;
  const sign = box?.[1] ?? box?.[2];
  return {
    rest: box === null ? afterBullet : afterBullet.slice(box[0].length),
    checkbox: box !== null,
    done: sign !== undefined && sign !== " " && sign !== "☐",
  };
}

/** `[] Task`: a box that Markdown does not know, at the start of an item. */
export const emptyBox = (item: string): string | undefined => /^\[\](?!\()\s*(?=\S)/.exec(item)?.[0];

/** The number of a line that begins like an item of a numbered list, and the marks before its words. */
export function lineNumber(line: string): { number: number; mark: string } | undefined {
  const [mark, digits] = /^(\d{1,3})[.)]\s+(?=\S)/.exec(line) ?? [];
  return mark === undefined ? undefined : { number: Number(digits), mark };
}

/** Begins with a requirement id, a user story or a step of a scenario. */
export const BEGINS_ITEM =
  /^(?:(?:REQ|N?FR|US|UC|AC|BR|TC|SR|UR)[-_ ]?\d[\w.-]*\b|as an? [\w -]{2,40},? i (?:want|can|need|would like)\b)/i;

/** Requirements or stories in a fence of plain text are no code. */
export function isListInFence({
  lang,
  value,
}: {
  readonly lang?: string | null | undefined;
  readonly value: string;
}): boolean {
  if (!/^(?:text|txt|plain|plaintext|markdown|md|gherkin|)$/i.test(lang ?? "")) return false;
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  const items = lines.filter((line) => BEGINS_ITEM.test(line.trim()));
  return items.length > 1 && lines.length < 500 && items.length * 5 >= lines.length;
}

/** A line that is all bold and names what follows. */
export function boldHeading(content: string): string | undefined {
  if (content.length > 90 || !/^(?:\*\*|__)[^*_].*(?:\*\*|__):?$/.test(content)) return undefined;
  const title = content.replace(/^(?:\*\*|__)|(?:\*\*|__):?$/g, "").replace(/:$/, "");
  return /[*]{2}|__/.test(title) || /[.!?;,]$/.test(title) ? undefined : title.trim();
}

/** The name of what follows, if the first line of a paragraph is one: all bold, or the name of a feature with scenarios. */
export const headingLine = (line: string): string | undefined =>
  boldHeading(line) ?? /^Feature:\s+(\S.{0,150})$/.exec(line)?.[1];

/** A few words that order nothing, such as people write above a list. "Open" alone is no order. */
export function isPlainHeading(line: string): boolean {
  const words = line.split(/\s+/).length;
  const isName = /^\p{Lu}[\p{L}\p{N}'’/&() -]{1,50}$/u.test(line) && words <= 5;
  return isName && !asksForWork(line) && (words === 1 || !isOrder(line));
}

export function cellsOf(row: string): string[] {
  const cells: string[] = [];
  let cell = "";
  for (let at = 0; at < row.length; at++) {
    const sign = row[at] as string;
    if (sign === "\\" && row[at + 1] === "|") {
      cell += "|";
      at++;
    } else if (sign === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  cells.push(cell.trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

/** Lines that a reader of the page sees nothing of, or only a picture: tags, badges, link definitions. */
export function isDecoration(content: string): boolean {
  if (content.length > 2_000) return false;
  if (content.startsWith("<")) return content.replaceAll(/<[^<>]*>/g, "").trim() === "";
  if (content.startsWith("[") && /^\[[^\]^][^\]]*\]:\s+\S+/.test(content)) return true;
  if (!content.startsWith("![") && !content.startsWith("[![")) return false;
  const pictures = content.replaceAll(/!\[[^\][]{0,300}\]\([^()]{0,500}\)/g, "");
  return pictures.replaceAll(/\[\s*\]\([^()]{0,500}\)/g, "").trim() === "";
}
