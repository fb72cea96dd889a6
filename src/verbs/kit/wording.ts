// Words, figures, signs and lines as views print them.

import { localMinute, localSecond } from "../../model/iso-time.js";
import type { Status } from "../../model/status/status.js";
import { type ShownPiece, visible, visibleCode } from "../../model/visible.js";
import type { EndedClaim } from "../../plan/node/branch.js";
import type { Bug } from "../../plan/node/bugs.js";
import { type Style, widest } from "./style.js";

/** Times in text are local; JSON has them in ISO. */
export const minute = (iso: string): string => localMinute(Date.parse(iso));

export const second = (iso: string): string => localSecond(Date.parse(iso));

const MAX_LINE_CHARACTERS = 500;

/** Words of an agent on one line, so that none of them can pass for a line of ours. */
export function inLine(words: string): string {
  const line = harmless(words.slice(0, 4 * MAX_LINE_CHARACTERS))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line;
}

const marked = (pieces: readonly ShownPiece[]): string =>
  pieces.map(({ text, isMark }) => (isMark ? `⟨${text}⟩` : text)).join("");

/** Text from the plan or from a process, made harmless for a terminal: what it would obey or hide is a mark. */
export const harmless = (text: string): string => marked(visible(text));

/** A command, in which look-alikes are marks, too. */
export const harmlessCode = (text: string): string => marked(visibleCode(text));

/** A path or a name, whole and on one line. */
export const nameInLine = (text: string): string => harmlessCode(text.replace(BREAKS, BREAK_SIGN));

/** Prose, whole and on one line. */
export const wholeLine = (text: string): string => harmless(text.replace(BREAKS, BREAK_SIGN));

const BREAKS = /[\r\n]+/g;
const BREAK_SIGN = "⏎";

/** Harmless text inside a line of ours: what follows a line break in it is indented, so that it cannot pass for one. */
export const withinLine = (text: string): string => harmless(text.replace(BREAKS, "\n  "));

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const joined = (words: readonly string[], last = "and"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.slice(-1).join("")}`;

/** Milliseconds, seconds, minutes or hours: whatever a person would say. */
export function durationText(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The time since then, in whole seconds. */
export const elapsedSince = (since: number): string =>
  durationText(Math.round((performance.now() - since) / 1000) * 1000);

export const usedWords = ({ tokens, costUsd }: { readonly tokens: number; readonly costUsd: number }): string =>
  [`${tokens} ${tokens === 1 ? "token" : "tokens"}`, dollars(costUsd)].filter(Boolean).join(", ");

export const dollars = (usd: number): string => (usd === 0 ? "" : `$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`);

export const bytesText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const MAX_IDS_SHOWN = 20;

/** `total`: how many there are, if not all of them are known. */
export function idList(ids: readonly string[], total = ids.length): string {
  const shown = ids.slice(0, MAX_IDS_SHOWN);
  return total > shown.length ? `${shown.join(", ")} and ${total - shown.length} more` : shown.join(", ");
}

/** One sign per status, the same everywhere. */
const SIGNS: Readonly<Record<Status, readonly [sign: string, colour: keyof Omit<Style, "columns" | "colours">]>> = {
  planned: ["○", "dim"],
  blocked: ["■", "yellow"],
  ready: ["◆", "cyan"],
  in_progress: ["▶", "blue"],
  rejected: ["!", "red"],
  frozen: ["❄", "cyan"],
  done: ["✓", "green"],
  waived: ["~", "green"],
  dropped: ["−", "dim"],
  archived: ["⌂", "dim"],
};

export function icon(status: Status, style: Style): string {
  const [sign, colour] = SIGNS[status];
  return style[colour](sign);
}

export const statusWord = (status: Status): string => status.replace("_", " ");

export type Line = readonly [label: string, text: string | null | undefined];

export const linesOr =
  <T>(none: string, line: (each: T, style: Style) => string, between = "\n") =>
  (found: readonly T[], style: Style): string =>
    found.length === 0 ? style.dim(none) : found.map((each) => line(each, style)).join(between);

/** Most labels are not longer, so that the lines of different things stand alike. */
const LABEL_WIDTH = 10;

export function rows(lines: readonly Line[], style: Style): string[] {
  const shown = lines.filter((line): line is [string, string] => line[1] != null && line[1] !== "");
  const width = Math.max(LABEL_WIDTH, widest(shown.map(([label]) => label)));
  return shown.map(([label, text]) => `  ${style.dim(label.padEnd(width))} ${withinLine(text)}`);
}

export const block = (text: string): string[] =>
  text === ""
    ? []
    : [
        "",
        ...harmless(text)
          .split("\n")
          .map((line) => `  ${line}`.trimEnd()),
      ];

export const head = (id: string, title: string, style: Style): string => `${style.bold(id)}  ${harmless(title)}`;

export const endedLine = (claims: readonly EndedClaim[]): string[] =>
  lineOf(
    "  claims that ended",
    claims.map(({ id, by }) => `${id} (${by})`),
  );

export const lineOf = (label: string, ids: readonly string[]) => (ids.length === 0 ? [] : [`${label}: ${idList(ids)}`]);

/** Says which features were made around bugs. */
export const bugLines = (bugs: readonly Bug[] | undefined, style: Style): string[] =>
  (bugs ?? []).map(({ id, feature }) =>
    style.dim(`  ${id} is in ${feature}, a feature of its own, so that it lands by itself.`),
  );
