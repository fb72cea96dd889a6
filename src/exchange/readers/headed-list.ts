// Markdown with headings and lists, line by line: what most tools keep their tasks in. Boxes in code, quotes, tables and comments are
// no tasks. A parser of CommonMark would not do: people write boxes that it takes for plain text.

import type { Place } from "../source/source.js";

export interface Heading {
  readonly kind: "heading";
  readonly level: number;
  readonly text: string;
  readonly line: number;
  /** The UUID that an export left in a comment. */
  readonly uuid: string | undefined;
}

export interface ListEntry {
  readonly kind: "entry";
  /** In columns; a tab is four. */
  readonly indent: number;
  /** What stands in the box; null without one. */
  readonly marker: string | null;
  /** A star after the box: work that may be left out. */
  readonly isOptional: boolean;
  readonly text: string;
  readonly line: number;
  /** What stands below it and is no box: text, and bullets without a box. */
  readonly details: string[];
  readonly uuid: string | undefined;
}

export interface Paragraph {
  readonly kind: "text";
  readonly text: string;
  readonly line: number;
}

export type Block = Heading | ListEntry | Paragraph;

const LIST = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;
const BOX = /^\[([^\]]{0,3})\](\*?)(?:[ \t]+(.*))?$/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const ANCHOR = /<!--\s*pw:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\s*-->/i;

const widthOf = (space: string): number => space.replaceAll("\t", "    ").length;

/** The lines that count, each with its number: without front matter, code and comments. */
function* countingLines(text: string): Generator<readonly [number, string, string | undefined]> {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  let at = frontMatterEnd(lines);
  let fence = "";
  let isComment = false;
  for (; at < lines.length; at++) {
    let line = lines[at] as string;
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = "";
      continue;
    }
    if (mark !== undefined && !isComment) {
      fence = mark;
      continue;
    }
    const uuid = ANCHOR.exec(line)?.[1]?.toLowerCase();
    if (isComment) {
      const end = line.indexOf("-->");
      if (end === -1) continue;
      line = line.slice(end + 3);
      isComment = false;
    }
    line = line.replace(/<!--.*?-->/g, "");
    const open = line.indexOf("<!--");
    if (open !== -1) {
      line = line.slice(0, open);
      isComment = true;
    }
    yield [at + 1, line.trimEnd(), uuid];
  }
}

function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.slice(1, 200).findIndex((line) => line.trimEnd() === "---");
  return end === -1 ? 0 : end + 2;
}

export function readHeadedList(text: string): Block[] {
  const blocks: Block[] = [];
  let open: ListEntry | undefined;
  for (const [number, line, uuid] of countingLines(text)) {
    const heading = ATX.exec(line);
    if (heading?.[2] !== undefined && heading[2] !== "") {
      open = undefined;
      blocks.push({
        kind: "heading",
        level: (heading[1] as string).length,
        text: heading[2].trim(),
        line: number,
        uuid,
      });
      continue;
    }
    const last = blocks.at(-1);
    if (/^(?:=+|-{2,})$/.test(line) && last?.kind === "text" && last.line === number - 1) {
      const level = line.startsWith("=") ? 1 : 2;
      blocks[blocks.length - 1] = { kind: "heading", level, text: last.text.trim(), line: last.line, uuid };
      open = undefined;
      continue;
    }
    const entry = entryIn(line, number, uuid);
    if (entry && (entry.marker !== null || open === undefined || entry.indent <= open.indent)) {
      blocks.push(entry);
      open = entry;
    } else if (open !== undefined && (entry !== undefined || line === "" || /^[ \t]/.test(line))) {
      open.details.push(line);
    } else if (line !== "") {
      open = undefined;
      blocks.push({ kind: "text", text: line, line: number });
    }
  }
  return blocks;
}

function entryIn(line: string, number: number, uuid: string | undefined): ListEntry | undefined {
  const [, space = "", text = ""] = LIST.exec(line) ?? [];
  if (text === "") return undefined;
  const box = BOX.exec(text);
  const place = { kind: "entry", indent: widthOf(space), line: number, details: [], uuid } as const;
  if (!box || (box[3] ?? "") === "")
    return { ...place, marker: null, isOptional: false, text: text.trim(), details: [] };
  return { ...place, marker: box[1] ?? "", isOptional: box[2] === "*", text: (box[3] as string).trim(), details: [] };
}

/** Without what the list indents it by. */
export function detailsText({ details }: ListEntry): string {
  const filled = details.filter((line) => line.trim() !== "");
  const indents = filled.map((line) => widthOf(/^[ \t]*/.exec(line)?.[0] ?? ""));
  const common = Math.min(...indents);
  return details
    .map((line) => line.replaceAll("\t", "    ").slice(Number.isFinite(common) ? common : 0))
    .join("\n")
    .trim();
}

/** Whether a box holds a cross. */
export const isTicked = (marker: string): boolean => marker.trim().toLowerCase() === "x";

export const placeAt = (file: string, { line }: Block): Place => ({ file, line });
